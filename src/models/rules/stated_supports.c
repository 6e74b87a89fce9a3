/* stated_supports.c - what rules tell by their supports and confidences alone, as section 4.3
 * counts.
 *
 * The number of records and the figures of a rule say how many records hold all of its left side,
 * and how many hold both sides. Patterns (models/rules/rules.h) are made of public items: the sets
 * of public items of the left sides, and of both. The unions of these sets stand for the spans:
 * those who hold all of a union, and of no greater one. How many hold a union is known exactly if a
 * rule says so, and otherwise lies between those who are said to hold more and those who are said
 * to hold less. So spans get bounds, the greatest unions first, and a verdict only where the bounds
 * allow one. */
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
static const double WHOLE = 0.01; /* how far a number of records may be from a whole one */

typedef struct bounds {
    uint64_t least, most;
} bounds;

/* Items as bits, with how many records hold all of them. */
typedef struct known_set {
    uint64_t *items;
    bounds holders, span;
    size_t size, number;
    bool tells;
} known_set;

struct kn_stated_verdict {
    kn_stated_answer answer;
    uint64_t k;
    kn_stated_span *span; /* words are its own */
    size_t spans;
};

typedef struct stating {
    kn_rules all;          /* the rules, and what is told beside them */
    const kn_rules *rules; /* all of these */
    uint64_t records, k;
    size_t words; /* of a set */
    uint8_t *hidden;
    known_set *fact; /* what the rules say */
    size_t facts, facts_cap;
    known_set *set; /* unions of public sides, the greatest last */
    size_t sets, sets_cap;
    uint64_t *scratch;
    kn_error *err;
} stating;

/* ---- sets ---- */

static bool within(const stating *s, const uint64_t *a, const uint64_t *b)
{
    for (size_t w = 0; w < s->words; w++) {
        if (a[w] & ~b[w]) {
            return false;
        }
    }
    return true;
}

static bool equal(const stating *s, const uint64_t *a, const uint64_t *b)
{
    return memcmp(a, b, s->words * sizeof *a) == 0;
}

static kn_status add_set(stating *s, known_set **list, size_t *count, size_t *cap,
                         const uint64_t *items, bounds holders)
{
    known_set set = {.holders = holders, .number = *count};
    kn_status status = KN_OK;

    for (size_t i = 0; i < *count; i++) {
        if (equal(s, (*list)[i].items, items)) {
            bounds *b = &(*list)[i].holders;
            b->least = b->least > holders.least ? b->least : holders.least;
            b->most = b->most < holders.most ? b->most : holders.most;
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

/* The left side of a rule, or both, in s->scratch; its public items only, or all. */
static const uint64_t *side(const stating *s, const kn_rule *r, bool both, bool seen)
{
    const size_t count = r->left_count + (both ? r->right_count : 0);

    memset(s->scratch, 0, s->words * sizeof *s->scratch);
    for (size_t i = 0; i < count; i++) {
        const uint32_t item = i < r->left_count ? r->left[i] : r->right[i - r->left_count];
        if (!seen || !s->hidden[item]) {
            s->scratch[item / 64] |= UINT64_C(1) << item % 64;
        }
    }
    return s->scratch;
}

/* ---- what is said ---- */

/* The whole numbers of records from `low` to `high`; without any, the figure is not of so many
 * records as there are, and is not used. */
static bool whole(double low, double high, uint64_t most, bounds *out)
{
    const double least = ceil(fmax(low - WHOLE, 0));
    const double greatest = floor(fmin(high + WHOLE, (double)most));

    if (!(least <= greatest)) {
        return false;
    }
    *out = (bounds){(uint64_t)least, (uint64_t)greatest};
    return true;
}

/* A rule's count is a number of records, whatever its support was rounded to. */
static bool holders_of_both(const stating *s, const kn_rule *r, bounds *out)
{
    const double all = (double)s->records;

    *out = (bounds){r->count, r->count};
    return r->count > 0 ||
           (!isnan(r->support) && whole((r->support - r->support_within) * all,
                                        (r->support + r->support_within) * all, s->records, out));
}

static bool holders_of_left(const stating *s, const kn_rule *r, bounds both, bounds *out)
{
    const double least = r->confidence - r->confidence_within;
    const double most = fmin(r->confidence + r->confidence_within, 1);

    return !isnan(r->confidence) && most > 0 &&
           whole((double)both.least / most,
                 least > 0 ? fmin((double)both.most / least, (double)s->records + WHOLE)
                           : (double)s->records,
                 s->records, out);
}

static kn_status add_facts(stating *s)
{
    kn_status status;

    memset(s->scratch, 0, s->words * sizeof *s->scratch);
    status = add_set(s, &s->fact, &s->facts, &s->facts_cap, s->scratch,
                     (bounds){s->records, s->records});
    for (size_t i = 0; i < s->rules->count && status == KN_OK; i++) {
        const kn_rule *r = &s->rules->rule[i];
        bounds both, left;
        if (!holders_of_both(s, r, &both)) {
            continue;
        }
        status = add_set(s, &s->fact, &s->facts, &s->facts_cap, side(s, r, true, false), both);
        if (status == KN_OK && holders_of_left(s, r, both, &left)) {
            status = add_set(s, &s->fact, &s->facts, &s->facts_cap, side(s, r, false, false), left);
        }
    }
    return status;
}

/* ---- unions ---- */

static kn_status add_unions(stating *s, const uint64_t *more)
{
    const bounds all = {0, s->records};
    uint64_t *items = kn__malloc_array(s->words, sizeof *items);
    const size_t before = s->sets;
    kn_status status;

    KN_TRY(items ? KN_OK : kn__nomem(s->err));
    for (size_t i = 0; i < before; i++) {
        for (size_t w = 0; w < s->words; w++) {
            items[w] = s->set[i].items[w] | more[w];
        }
        KN_TRY(add_set(s, &s->set, &s->sets, &s->sets_cap, items, all));
        if (s->sets > MOST_SPANS) {
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
    const known_set *x = a, *y = b;

    return x->size != y->size ? (x->size > y->size ? 1 : -1)
                              : (x->number > y->number) - (x->number < y->number);
}

static kn_status find_sets(stating *s)
{
    kn_status status;
    uint64_t *part = kn__malloc_array(s->words, sizeof *part);

    memset(s->scratch, 0, s->words * sizeof *s->scratch);
    status = part ? add_set(s, &s->set, &s->sets, &s->sets_cap, s->scratch,
                            (bounds){s->records, s->records})
                  : kn__nomem(s->err);
    for (size_t i = 0; i < 2 * s->rules->count && status == KN_OK; i++) {
        memcpy(part, side(s, &s->rules->rule[i / 2], i % 2, true), s->words * sizeof *part);
        status = add_unions(s, part);
    }
    kn__free(part);
    if (status == KN_OK) {
        qsort(s->set, s->sets, sizeof *s->set, by_size);
    }
    return status;
}

static void find_telling(stating *s)
{
    for (size_t i = 0; i < s->rules->count; i++) {
        const kn_rule *r = &s->rules->rule[i];
        size_t left = 0, both = 0;
        for (size_t j = 0; j < r->left_count + r->right_count; j++) {
            const uint32_t item = j < r->left_count ? r->left[j] : r->right[j - r->left_count];
            left += j < r->left_count && s->hidden[item];
            both += s->hidden[item];
        }
        for (size_t j = 0; j < s->sets; j++) {
            known_set *u = &s->set[j];
            u->tells = u->tells || (left > 0 && within(s, side(s, r, false, true), u->items)) ||
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

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void bound_holders(stating *s)
{
    for (size_t i = 0; i < s->sets; i++) {
        for (size_t f = 0; f < s->facts; f++) {
            const known_set *fact = &s->fact[f];
            if (within(s, s->set[i].items, fact->items)) {
                tighten(&s->set[i].holders, fact->holders.least, s->records);
            }
            if (within(s, fact->items, s->set[i].items)) {
                tighten(&s->set[i].holders, 0, fact->holders.most);
            }
        }
    }
    /* Of all w, at least a + b - w hold both. */
    for (size_t a = 0; a < s->sets; a++) {
        for (size_t b = 0; b < a; b++) {
            const uint64_t sum = s->set[a].holders.least + s->set[b].holders.least;
            for (size_t w = 0; w < s->words; w++) {
                s->scratch[w] = s->set[a].items[w] | s->set[b].items[w];
            }
            if (sum <= s->records) {
                continue;
            }
            for (size_t i = a; i < s->sets; i++) {
                if (equal(s, s->set[i].items, s->scratch)) {
                    tighten(&s->set[i].holders, sum - s->records, s->records);
                }
            }
        }
    }
}

/* Those who hold all of a union, without those who hold more. */
static kn_status bound_spans(stating *s)
{
    for (size_t i = s->sets; i-- > 0;) {
        known_set *u = &s->set[i];
        uint64_t least = 0, most = 0;
        for (size_t j = i + 1; j < s->sets; j++) {
            if (within(s, u->items, s->set[j].items)) {
                least += s->set[j].span.least;
                most += s->set[j].span.most;
            }
        }
        u->span = (bounds){minus(u->holders.least, most), minus(u->holders.most, least)};
        if (u->holders.least > u->holders.most || least > u->holders.most) {
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

static void add_items(kn_buffer *out, const stating *s, const uint64_t *items, const uint64_t *but,
                      const char *between)
{
    bool first = true;

    for (uint32_t i = 0; i < s->rules->items->len; i++) {
        if (items[i / 64] >> i % 64 & 1 && !(but && but[i / 64] >> i % 64 & 1)) {
            size_t len;
            const char *text = kn__dict_text(s->rules->items, i, &len);
            kn__buffer_adds(out, first ? "" : between);
            kn__buffer_add(out, text, len);
            first = false;
        }
    }
}

/* "cherries without candles": what is held, and what the next greater unions have more. */
static kn_status describe(const stating *s, size_t at, const char **out)
{
    const known_set *u = &s->set[at];
    kn_buffer text = {0};
    char *taken = NULL;
    bool first = true;
    kn_status status;

    if (u->size == 0) {
        kn__buffer_adds(&text, "everybody");
    }
    add_items(&text, s, u->items, NULL, ", ");
    for (size_t i = at + 1; i < s->sets; i++) {
        bool next = within(s, u->items, s->set[i].items);
        for (size_t j = at + 1; j < i && next; j++) {
            next = !(within(s, u->items, s->set[j].items) &&
                     within(s, s->set[j].items, s->set[i].items));
        }
        if (next) {
            kn__buffer_adds(&text, first ? " without " : " or ");
            first = false;
            add_items(&text, s, s->set[i].items, u->items, " and ");
        }
    }
    status = kn__buffer_take(&text, &taken, s->err);
    *out = taken;
    return status;
}

static kn_status conclude(kn_stated_verdict *v, const stating *s)
{
    bool broken = false, unknown = false;
    kn_status status = KN_OK;

    v->k = UINT64_MAX;
    v->span = kn__zalloc_array(s->sets, sizeof *v->span);
    if (!v->span) {
        return kn__nomem(s->err);
    }
    for (size_t i = 0; i < s->sets && status == KN_OK; i++) {
        const known_set *u = &s->set[i];
        v->span[v->spans] = (kn_stated_span){u->span.least, u->span.most, u->tells, NULL};
        status = describe(s, i, &v->span[v->spans].words);
        v->spans += status == KN_OK;
        if (!u->tells || u->span.most == 0) {
            continue;
        }
        /* A greater union tells too: too few in all are too few in one of its spans. */
        broken = broken || (u->span.least > 0 && u->span.most < s->k) ||
                 (u->holders.least > 0 && u->holders.most < s->k);
        unknown = unknown || u->span.least < s->k;
        v->k = u->span.least < v->k ? (u->span.least ? u->span.least : 1) : v->k;
    }
    v->answer = broken ? KN_STATED_BROKEN : unknown ? KN_STATED_UNKNOWN : KN_STATED_HOLDS;
    return status;
}

static kn_status hide(stating *s, const char *const *items, size_t count)
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

static void clear(stating *s)
{
    for (size_t i = 0; i < s->facts; i++) {
        kn__free(s->fact[i].items);
    }
    for (size_t i = 0; i < s->sets; i++) {
        kn__free(s->set[i].items);
    }
    kn__free(s->fact);
    kn__free(s->set);
    kn__free(s->all.rule);
    kn__free(s->hidden);
    kn__free(s->scratch);
}

kn_status kn_model_check_stated(kn_stated_verdict **out, const kn_model *model, uint64_t records,
                                const char *const *private_items, size_t private_count, uint64_t k,
                                kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, model);
    KN_NEED_LIST(err, private_items, private_count);

    stating s = {.rules = &model->rules, .k = k, .err = err};
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
    status = s.scratch && v ? hide(&s, private_items, private_count) : kn__nomem(err);
    if (status == KN_OK) {
        status = kn__rules_with_told(&s.all, &model->rules, s.hidden, err);
        s.rules = &s.all;
    }
    if (status == KN_OK) {
        status = add_facts(&s);
    }
    if (status == KN_OK) {
        status = find_sets(&s);
    }
    if (status == KN_OK) {
        find_telling(&s);
        bound_holders(&s);
        status = bound_spans(&s);
    }
    if (status == KN_OK) {
        status = conclude(v, &s);
    }
    clear(&s);
    if (status != KN_OK) {
        kn_stated_verdict_free(v);
        return status;
    }
    *out = v;
    return KN_OK;
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
