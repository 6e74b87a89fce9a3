/* stated_supports.c - what rules disclose by their supports and confidences alone, without the data
 * (section 4.3).
 *
 * The number of records and the figures of a rule give the support of its left side and of both
 * sides. Patterns (models/rules/rules.h) depend on public items: on the public items of the left
 * sides and of both sides. Each union of such sets stands for a span: the records that hold all of
 * the union and of no greater one. The support of a union is known if a rule states it; otherwise
 * it is bounded by the stated supports of its supersets and subsets. From the greatest union to the
 * least this gives bounds on the population of each span, and a verdict where they allow one. */
#include "base/bits.h"
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "models/rules/rules.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SPANS = 2048 };
static const double NEAR_INTEGER = 0.01; /* how far a figure may be from an integer count */

typedef struct bounds {
    uint64_t least, most;
} bounds;

/* An itemset as bits, with bounds on its support and on the population of its span. */
typedef struct bounded_set {
    uint64_t *items;
    bounds support, span;
    size_t size, order;
    bool discloses;
} bounded_set;

struct kn_stated_verdict {
    kn_stated_answer answer;
    uint64_t k;
    kn_stated_span *span; /* owns its words */
    size_t spans;
};

typedef struct stated_check {
    kn_rules all;          /* the rules, and the itemsets stated beside them */
    const kn_rules *rules; /* points to all */
    uint64_t records, k;
    size_t words; /* per itemset */
    uint8_t *hidden;
    bounded_set *stated; /* supports that the rules state */
    size_t stated_count, stated_cap;
    bounded_set *span_set; /* unions of public sides, by ascending size */
    size_t span_sets, span_sets_cap;
    uint64_t *scratch;
    kn_error *err;
} stated_check;

/* ---- itemsets ---- */

static bool within(const stated_check *s, const uint64_t *a, const uint64_t *b)
{
    for (size_t w = 0; w < s->words; w++) {
        if (a[w] & ~b[w]) {
            return false;
        }
    }
    return true;
}

static bool equal(const stated_check *s, const uint64_t *a, const uint64_t *b)
{
    return memcmp(a, b, s->words * sizeof *a) == 0;
}

static kn_status add_set(stated_check *s, bounded_set **list, size_t *count, size_t *cap,
                         const uint64_t *items, bounds support)
{
    bounded_set set = {.support = support, .order = *count};
    kn_status status = KN_OK;

    for (size_t i = 0; i < *count; i++) {
        if (equal(s, (*list)[i].items, items)) {
            bounds *b = &(*list)[i].support;
            b->least = b->least > support.least ? b->least : support.least;
            b->most = b->most < support.most ? b->most : support.most;
            return KN_OK;
        }
    }
    status = kn__grow(list, cap, *count + 1, sizeof **list, s->err);
    set.items = status == KN_OK ? kn__malloc_array(s->words, sizeof *set.items) : NULL;
    if (!set.items) {
        return kn__nomem(s->err);
    }
    memcpy(set.items, items, s->words * sizeof *items);
    for (size_t w = 0; w < s->words; w++) {
        for (uint64_t bits = items[w]; bits; bits &= bits - 1) {
            set.size++;
        }
    }
    (*list)[(*count)++] = set;
    return KN_OK;
}

/* The items of the left side of a rule, or of both, in s->scratch. */
static const uint64_t *side(const stated_check *s, const kn_rule *r, bool both, bool public_only)
{
    const size_t count = r->left_count + (both ? r->right_count : 0);

    memset(s->scratch, 0, s->words * sizeof *s->scratch);
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = i < r->left_count ? r->left[i] : r->right[i - r->left_count];
        if (!public_only || !s->hidden[item]) {
            kn__bit_set(s->scratch, item);
        }
    }
    return s->scratch;
}

/* ---- stated supports ---- */

/* The integers from `low` to `high`. False: there is none, so the figure is not one of so many
 * records, and is not used. */
static bool count_bounds(double low, double high, uint64_t most, bounds *out)
{
    const double least = ceil(fmax(low - NEAR_INTEGER, 0));
    const double greatest = floor(fmin(high + NEAR_INTEGER, (double)most));

    if (!(least <= greatest)) {
        return false;
    }
    *out = (bounds){(uint64_t)least, (uint64_t)greatest};
    return true;
}

/* A stated count is exact; a support may be rounded. */
static bool support_of_both(const stated_check *s, const kn_rule *r, bounds *out)
{
    const double all = (double)s->records;

    *out = (bounds){r->count, r->count};
    return r->count > 0 || (!isnan(r->support) &&
                            count_bounds((r->support - r->support_within) * all,
                                         (r->support + r->support_within) * all, s->records, out));
}

static bool support_of_left(const stated_check *s, const kn_rule *r, bounds both, bounds *out)
{
    const double least = r->confidence - r->confidence_within;
    const double most = fmin(r->confidence + r->confidence_within, 1);

    return !isnan(r->confidence) && most > 0 &&
           count_bounds((double)both.least / most,
                        least > 0
                            ? fmin((double)both.most / least, (double)s->records + NEAR_INTEGER)
                            : (double)s->records,
                        s->records, out);
}

static kn_status add_stated(stated_check *s)
{
    memset(s->scratch, 0, s->words * sizeof *s->scratch);
    KN_PASS(add_set(s, &s->stated, &s->stated_count, &s->stated_cap, s->scratch,
                    (bounds){s->records, s->records}));
    for (size_t i = 0; i < s->rules->count; i++) {
        const kn_rule *r = &s->rules->rule[i];
        bounds both, left;
        if (!support_of_both(s, r, &both)) {
            continue;
        }
        KN_PASS(add_set(s, &s->stated, &s->stated_count, &s->stated_cap, side(s, r, true, false),
                        both));
        if (support_of_left(s, r, both, &left)) {
            KN_PASS(add_set(s, &s->stated, &s->stated_count, &s->stated_cap,
                            side(s, r, false, false), left));
        }
    }
    return KN_OK;
}

/* ---- unions ---- */

static kn_status add_unions(stated_check *s, const uint64_t *more)
{
    const bounds all = {0, s->records};
    uint64_t *items = kn__malloc_array(s->words, sizeof *items);
    const size_t before = s->span_sets;
    kn_status status;

    KN_TRY(items ? KN_OK : kn__nomem(s->err));
    for (size_t i = 0; i < before; i++) {
        for (size_t w = 0; w < s->words; w++) {
            items[w] = s->span_set[i].items[w] | more[w];
        }
        KN_TRY(add_set(s, &s->span_set, &s->span_sets, &s->span_sets_cap, items, all));
        if (s->span_sets > MOST_SPANS) {
            KN_TRY(kn__fail(s->err, KN_EINFEASIBLE,
                            "the rules make more than %d spans: only with the data can they be "
                            "judged; name it behind the rules",
                            MOST_SPANS));
        }
    }
done:
    kn__free(items);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const bounded_set *x = a, *y = b;

    if (x->size != y->size) {
        return x->size > y->size ? 1 : -1;
    }
    return (x->order > y->order) - (x->order < y->order);
}

static kn_status find_span_sets(stated_check *s)
{
    uint64_t *items = kn__malloc_array(s->words, sizeof *items);
    kn_status status;

    KN_TRY(items ? KN_OK : kn__nomem(s->err));
    memset(s->scratch, 0, s->words * sizeof *s->scratch);
    KN_TRY(add_set(s, &s->span_set, &s->span_sets, &s->span_sets_cap, s->scratch,
                   (bounds){s->records, s->records}));
    for (size_t i = 0; i < 2 * s->rules->count; i++) {
        memcpy(items, side(s, &s->rules->rule[i / 2], i % 2, true), s->words * sizeof *items);
        KN_TRY(add_unions(s, items));
    }
    qsort(s->span_set, s->span_sets, sizeof *s->span_set, by_size);
done:
    kn__free(items);
    return status;
}

static void find_disclosing(stated_check *s)
{
    for (size_t i = 0; i < s->rules->count; i++) {
        const kn_rule *r = &s->rules->rule[i];
        size_t left = 0, both = 0;
        for (size_t j = 0; j < r->left_count + r->right_count; j++) {
            const uint32_t item = j < r->left_count ? r->left[j] : r->right[j - r->left_count];
            left += j < r->left_count && s->hidden[item];
            both += s->hidden[item];
        }
        for (size_t j = 0; j < s->span_sets; j++) {
            bounded_set *u = &s->span_set[j];
            u->discloses = u->discloses ||
                           (left > 0 && within(s, side(s, r, false, true), u->items)) ||
                           (both > 0 && within(s, side(s, r, true, true), u->items));
        }
    }
}

/* ---- bounds ---- */

static void tighten(bounds *b, uint64_t least, uint64_t most)
{
    b->least = b->least > least ? b->least : least;
    b->most = b->most < most ? b->most : most;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void bound_supports(stated_check *s)
{
    for (size_t i = 0; i < s->span_sets; i++) {
        for (size_t f = 0; f < s->stated_count; f++) {
            const bounded_set *stated = &s->stated[f];
            if (within(s, s->span_set[i].items, stated->items)) {
                tighten(&s->span_set[i].support, stated->support.least, s->records);
            }
            if (within(s, stated->items, s->span_set[i].items)) {
                tighten(&s->span_set[i].support, 0, stated->support.most);
            }
        }
    }
    /* Inclusion-exclusion: support(a and b) >= support(a) + support(b) - records. */
    for (size_t a = 0; a < s->span_sets; a++) {
        for (size_t b = 0; b < a; b++) {
            const uint64_t sum = s->span_set[a].support.least + s->span_set[b].support.least;
            for (size_t w = 0; w < s->words; w++) {
                s->scratch[w] = s->span_set[a].items[w] | s->span_set[b].items[w];
            }
            if (sum <= s->records) {
                continue;
            }
            for (size_t i = a; i < s->span_sets; i++) {
                if (equal(s, s->span_set[i].items, s->scratch)) {
                    tighten(&s->span_set[i].support, sum - s->records, s->records);
                }
            }
        }
    }
}

/* The records that hold a union, without those that hold a greater one. */
static kn_status bound_spans(stated_check *s)
{
    for (size_t i = s->span_sets; i-- > 0;) {
        bounded_set *u = &s->span_set[i];
        uint64_t least = 0, most = 0;
        for (size_t j = i + 1; j < s->span_sets; j++) {
            if (within(s, u->items, s->span_set[j].items)) {
                least += s->span_set[j].span.least;
                most += s->span_set[j].span.most;
            }
        }
        u->span = (bounds){subtract(u->support.least, most), subtract(u->support.most, least)};
        if (u->support.least > u->support.most || least > u->support.most) {
            return kn__fail(
                s->err, KN_EINPUT,
                "the supports and confidences of the rules contradict each other, or there "
                "are not %" PRIu64 " records",
                s->records);
        }
    }
    return KN_OK;
}

/* ---- the verdict ---- */

static void add_items(kn_buffer *out, const stated_check *s, const uint64_t *items,
                      const uint64_t *but, const char *between)
{
    bool first = true;

    for (uint32_t i = 0; i < s->rules->items->len; i++) {
        if (kn__bit_get(items, i) && !(but && kn__bit_get(but, i))) {
            size_t len;
            const char *text = kn__dict_text(s->rules->items, i, &len);
            kn__buffer_adds(out, first ? "" : between);
            kn__buffer_add(out, text, len);
            first = false;
        }
    }
}

/* "cherries without candles": the items of the union, and those that the next greater unions add.
 */
static kn_status describe(const stated_check *s, size_t at, const char **out)
{
    const bounded_set *u = &s->span_set[at];
    kn_buffer text = {0};
    char *taken = NULL;
    bool first = true;
    kn_status status;

    if (u->size == 0) {
        kn__buffer_adds(&text, "everybody");
    }
    add_items(&text, s, u->items, NULL, ", ");
    for (size_t i = at + 1; i < s->span_sets; i++) {
        bool next = within(s, u->items, s->span_set[i].items);
        for (size_t j = at + 1; j < i && next; j++) {
            next = !(within(s, u->items, s->span_set[j].items) &&
                     within(s, s->span_set[j].items, s->span_set[i].items));
        }
        if (next) {
            kn__buffer_adds(&text, first ? " without " : " or ");
            first = false;
            add_items(&text, s, s->span_set[i].items, u->items, " and ");
        }
    }
    status = kn__buffer_take(&text, &taken, s->err);
    *out = taken;
    return status;
}

static kn_status judge(kn_stated_verdict *v, const stated_check *s)
{
    bool broken = false, unknown = false;
    kn_status status = KN_OK;

    v->k = UINT64_MAX;
    v->span = kn__zalloc_array(s->span_sets, sizeof *v->span);
    if (!v->span) {
        return kn__nomem(s->err);
    }
    for (size_t i = 0; i < s->span_sets && status == KN_OK; i++) {
        const bounded_set *u = &s->span_set[i];
        v->span[v->spans] = (kn_stated_span){u->span.least, u->span.most, u->discloses, NULL};
        status = describe(s, i, &v->span[v->spans].words);
        v->spans += status == KN_OK;
        if (!u->discloses || u->span.most == 0) {
            continue;
        }
        /* Greater unions disclose as well: too few records in all are too few in one of the spans.
         */
        broken = broken || (u->span.least > 0 && u->span.most < s->k) ||
                 (u->support.least > 0 && u->support.most < s->k);
        unknown = unknown || u->span.least < s->k;
        if (u->span.least < v->k) {
            v->k = u->span.least ? u->span.least : 1;
        }
    }
    v->answer = unknown ? KN_STATED_UNKNOWN : KN_STATED_HOLDS;
    if (broken) {
        v->answer = KN_STATED_BROKEN;
    }
    return status;
}

static kn_status mark_private(stated_check *s, const char *const *items, size_t count)
{
    const kn_rules *r = s->rules;

    s->hidden = kn__zalloc(r->items->len);
    if (!s->hidden) {
        return kn__nomem(s->err);
    }
    for (uint32_t i = 0; r->hidden && i < r->items->len; i++) {
        s->hidden[i] = r->hidden[i];
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = kn__dict_find(r->items, items[i], strlen(items[i]));
        if (item == KN_NO_CODE) {
            return kn__fail(s->err, KN_EUSAGE, "sensitive items: no rule names %s; leave it out",
                            kn__quote_make(items[i], strlen(items[i])).text);
        }
        s->hidden[item] = 1;
    }
    return KN_OK;
}

static void clear(stated_check *s)
{
    for (size_t i = 0; i < s->stated_count; i++) {
        kn__free(s->stated[i].items);
    }
    for (size_t i = 0; i < s->span_sets; i++) {
        kn__free(s->span_set[i].items);
    }
    KN_FREE(s->stated, s->span_set, s->all.rule, s->hidden, s->scratch);
}

kn_status kn_model_check_stated(kn_stated_verdict **out, const kn_model *model, uint64_t records,
                                const char *const *private_items, size_t private_count, uint64_t k,
                                kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, model);
    KN_NEED_LIST(err, private_items, private_count);

    stated_check s = {.rules = &model->rules, .k = k, .err = err};
    kn_stated_verdict *v = NULL;
    kn_status status;

    if (model->kind != KN_MODEL_RULES) {
        return kn__fail(err, KN_EUSAGE,
                        "only rules can be judged without the data; name it behind the model");
    }
    if (model->unjudged) {
        return kn__fail(err, KN_EINPUT, "%s: what it tells is not judged; take it out of the file",
                        model->unjudged_first);
    }
    s.records = records ? records : model->rules.records;
    if (s.records == 0 || s.records > (uint64_t)1 << 52) {
        return kn__fail(err, KN_EUSAGE,
                        "the rules do not say how many records they are of; --records N does");
    }
    if (model->rules.records && model->rules.records != s.records) {
        return kn__fail(err, KN_EUSAGE,
                        "the rules say that they are of %" PRIu64 " records, not of %" PRIu64
                        "; leave --records out",
                        model->rules.records, s.records);
    }
    s.words = (size_t)model->rules.items->len / 64 + 1;
    s.scratch = kn__malloc_array(s.words, sizeof *s.scratch);
    v = kn__zalloc(sizeof *v);
    KN_TRY(s.scratch && v ? mark_private(&s, private_items, private_count) : kn__nomem(err));
    KN_TRY(kn__rules_with_stated_sets(&s.all, &model->rules, s.hidden, err));
    s.rules = &s.all;
    KN_TRY(add_stated(&s));
    KN_TRY(find_span_sets(&s));
    find_disclosing(&s);
    bound_supports(&s);
    KN_TRY(bound_spans(&s));
    KN_TRY(judge(v, &s));
    *out = v;
    v = NULL;
done:
    clear(&s);
    kn_stated_verdict_free(v);
    return status;
}

void kn_stated_verdict_free(kn_stated_verdict *v)
{
    for (size_t i = 0; v && i < v->spans; i++) {
        kn__free((char *)v->span[i].words);
    }
    if (v) {
        kn__free(v->span);
    }
    kn__free(v);
}

kn_stated_answer kn_stated_verdict_answer(const kn_stated_verdict *v)
{
    return v ? v->answer : KN_STATED_UNKNOWN;
}

uint64_t kn_stated_verdict_k(const kn_stated_verdict *v)
{
    return v ? v->k : 0;
}

size_t kn_stated_verdict_spans(const kn_stated_verdict *v)
{
    return v ? v->spans : 0;
}

const kn_stated_span *kn_stated_verdict_span(const kn_stated_verdict *v, size_t i)
{
    return v && i < v->spans ? &v->span[i] : NULL;
}
