/* recount.c - a second look at rules, record by record and straight from the definition: no
 * holders, no parts, no item sets. A record's items are marked, and each rule is asked whether all
 * of its left side is marked, and all of its right one. So it is with the public items alone and
 * every private one added, which is the greatest class that they allow (models/rules/rules.h), and,
 * for some records, with every set of private items. Shared with the first count are the columns as
 * they were bound, and nothing else. */
#include "models/rules/recount.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PRIVATE = 12, MOST_TRIES = 1 << 22, GRAIN = 4096 };
static const uint32_t NONE = UINT32_MAX;
static const double EXACT = 1e-12;

/* A rule, or what is stated beside the rules: then the left side is empty. */
typedef struct line {
    const uint32_t *left, *right;
    size_t left_count, right_count;
    bool left_private, both_private;
    bool judged; /* it is part of what people see; else its right side is only counted */
} line;

/* Numbers of lines, by the item that they are looked up with. */
typedef struct queue {
    uint32_t *at;
    size_t len, cap;
} queue;

/* One thread's records, and what it counts of them. */
typedef struct hand {
    queue now;          /* lines that the record at hand may be in */
    queue items;        /* that it holds */
    uint8_t *held;      /* by item, of the record at hand */
    uint64_t *pattern;  /* by span: what its first record makes of the lines */
    uint64_t *class_at; /* by class: likewise; 0: none yet */
    uint8_t *tells;     /* by span */
    uint64_t *population;
    uint64_t *left_held, *both_held; /* by line */
    const char *fault;               /* NULL: none yet */
} hand;

typedef struct recounting {
    const kn_bound *b;
    const kn_rules *rules;
    line *line; /* the rules first */
    size_t lines, cap;
    uint32_t *right_of; /* by rule: the line of its right side; NONE: no lift is stated */
    queue *with;        /* by item; the last: lines without a public item on the left */
    uint64_t *common;   /* by item: how often it occurs; lines are looked up with their rarest */
    uint8_t *marked;    /* scratch: by item */
    const kn_spans *spans;
    hand *hand; /* by thread; the first gets what the others counted */
    unsigned hands;
    kn_error *err;
} recounting;

static kn_status disagree(kn_error *err, const char *what)
{
    return kn__fail(err, KN_EBROKEN,
                    "counted a second time, %s: this is a defect of kanon; please report it", what);
}

/* ---- lines ---- */

static bool any_private(const recounting *r, const uint32_t *items, size_t count)
{
    bool is = false;

    for (size_t i = 0; i < count; i++) {
        is = is || r->b->item_hidden[items[i]];
    }
    return is;
}

static kn_status add_line(recounting *r, const uint32_t *left, size_t left_count,
                          const uint32_t *right, size_t right_count, bool judged)
{
    const kn_status st = kn__grow(&r->line, &r->cap, r->lines + 1, sizeof *r->line, r->err);

    if (st == KN_OK) {
        const bool left_private = any_private(r, left, left_count);
        r->line[r->lines++] = (line){.left = left,
                                     .left_count = left_count,
                                     .right = right,
                                     .right_count = right_count,
                                     .left_private = left_private,
                                     .both_private = left_private ||
                                                     any_private(r, right, right_count),
                                     .judged = judged};
    }
    return st;
}

/* The line of a set that is told, or counted; a set has one. */
static kn_status add_set(recounting *r, kn_dict *sets, const uint32_t *items, size_t count,
                         uint32_t *at)
{
    uint32_t code;
    const uint32_t before = sets->len;
    kn_status status;

    KN_TRY(kn__dict_add(sets, (const char *)items, count * sizeof *items, &code, r->err));
    if (code == before) {
        KN_TRY(add_line(r, NULL, 0, items, count, any_private(r, items, count)));
    }
done:
    *at = (uint32_t)r->rules->count + code;
    return status;
}

static kn_status list_lines(recounting *r, kn_rules_recounted *out)
{
    const kn_rules *rules = r->rules;
    kn_dict *sets = NULL;
    kn_status st = kn__dict_new(&sets, r->err);

    r->right_of = kn__malloc_array(rules->count + rules->sets, sizeof *r->right_of);
    if (st == KN_OK && !r->right_of) {
        st = kn__nomem(r->err);
    }
    for (size_t i = 0; i < rules->count && st == KN_OK; i++) {
        const kn_rule *x = &rules->rule[i];
        st = add_line(r, x->left, x->left_count, x->right, x->right_count, true);
    }
    for (size_t i = 0; i < rules->count && st == KN_OK; i++) {
        const kn_rule *x = &rules->rule[i];
        r->right_of[i] = NONE;
        if (x->lift > 0 || x->right_stated) {
            st = add_set(r, sets, x->right, x->right_count, &r->right_of[i]);
        }
    }
    for (size_t i = 0; i < rules->sets && st == KN_OK; i++) {
        st = add_set(r, sets, rules->set[i].items, rules->set[i].count,
                     &r->right_of[rules->count + i]);
    }
    for (size_t i = rules->count; i < r->lines; i++) {
        out->told += r->line[i].judged;
    }
    kn__dict_free(sets);
    return st;
}

static kn_status queue_line(recounting *r, uint32_t number)
{
    const line *l = &r->line[number];
    const size_t items = r->rules->items->len;
    size_t at = items;
    queue *q;
    kn_status st;

    for (size_t i = 0; i < l->left_count; i++) {
        const uint32_t item = l->left[i];
        if (!r->b->item_hidden[item] && (at == items || r->common[item] < r->common[at])) {
            at = item;
        }
    }
    if (!l->judged) {
        at = l->right[0];
    }
    q = &r->with[at];
    st = kn__grow(&q->at, &q->cap, q->len + 1, sizeof *q->at, r->err);
    if (st == KN_OK) {
        q->at[q->len++] = number;
    }
    return st;
}

/* ---- records ---- */

/* Whether all are marked, or, with `but`, private. */
static bool all_in(const uint32_t *items, size_t count, const uint8_t *marked, const uint8_t *but)
{
    for (size_t i = 0; i < count; i++) {
        if (!marked[items[i]] && !(but && but[items[i]])) {
            return false;
        }
    }
    return true;
}

static unsigned state(const line *l, const uint8_t *marked, const uint8_t *but)
{
    if (!all_in(l->left, l->left_count, marked, but)) {
        return 0;
    }
    return all_in(l->right, l->right_count, marked, but) ? 2 : 1;
}

/* Sums of these stand for the states in all lines, in whatever order they are met. */
static uint64_t sign(uint32_t number, unsigned in_state)
{
    return in_state ? kn__hash_u64((uint64_t)number * 4 + in_state) : 0;
}

static void mark(const recounting *r, hand *h, size_t record)
{
    const kn_column *c = r->b->items;
    const queue *open = &r->with[r->rules->items->len];

    for (size_t i = 0; i < h->items.len; i++) {
        h->held[h->items.at[i]] = 0;
    }
    h->now.len = h->items.len = 0;
    for (size_t i = 0; i < open->len; i++) {
        h->now.at[h->now.len++] = open->at[i];
    }
    for (uint64_t i = c->starts[record]; i < c->starts[record + 1]; i++) {
        const uint32_t item = r->b->item[kn__code_get(c->codes, c->width, (size_t)i)];
        if (item != KN_NO_CODE && !h->held[item]) {
            const queue *q = &r->with[item];
            h->held[item] = 1;
            h->items.at[h->items.len++] = item;
            for (size_t j = 0; j < q->len; j++) {
                h->now.at[h->now.len++] = q->at[j];
            }
        }
    }
}

static const char one_span[] = "records of one span have different public items";
static const char other_tells[] =
    "a span that tells something was said to tell nothing, or the other way round";
static const char one_class[] = "records of one class hold different sides";

static void count_record(const recounting *r, hand *h, size_t record)
{
    const uint32_t span = r->spans->of[record], class_number = r->spans->class_of[record];
    const bool first = h->population[span]++ == 0;
    uint64_t pattern = 0, class_sign = 1;
    bool tells = false;

    mark(r, h, record);
    for (size_t i = 0; i < h->now.len; i++) {
        const uint32_t number = h->now.at[i];
        const line *l = &r->line[number];
        const unsigned most = state(l, h->held, l->judged ? r->b->item_hidden : NULL);
        const unsigned is = most && l->judged && l->both_private ? state(l, h->held, NULL) : most;
        h->left_held[number] += is > 0;
        h->both_held[number] += is > 1;
        if (l->judged) {
            pattern += sign(number, most);
            class_sign += sign(number, is);
            tells = tells || (most == 1 && l->left_private) || (most == 2 && l->both_private);
        }
    }
    if (first) {
        h->pattern[span] = pattern;
        h->tells[span] = tells;
    }
    if (h->class_at[class_number] == 0) {
        h->class_at[class_number] = class_sign;
    }
    if (h->pattern[span] != pattern || h->tells[span] != tells) {
        h->fault = one_span;
    } else if (h->class_at[class_number] != class_sign) {
        h->fault = one_class;
    }
}

static void count_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const recounting *r = user;
    hand *h = &r->hand[worker];

    for (size_t i = begin; i < end && !h->fault; i++) {
        count_record(r, h, i);
    }
}

/* What one hand counted, to what another did. */
static void join(const recounting *r, hand *to, const hand *from)
{
    const char *fault = from->fault;

    for (size_t i = 0; i < r->spans->count; i++) {
        if (to->population[i] == 0) {
            to->pattern[i] = from->pattern[i];
            to->tells[i] = from->tells[i];
        } else if (from->population[i] > 0 &&
                   (to->pattern[i] != from->pattern[i] || to->tells[i] != from->tells[i])) {
            fault = one_span;
        }
        to->population[i] += from->population[i];
    }
    for (size_t i = 0; i < r->spans->classes_count; i++) {
        if (to->class_at[i] == 0) {
            to->class_at[i] = from->class_at[i];
        } else if (from->class_at[i] != 0 && to->class_at[i] != from->class_at[i]) {
            fault = one_class;
        }
    }
    for (size_t i = 0; i < r->lines; i++) {
        to->left_held[i] += from->left_held[i];
        to->both_held[i] += from->both_held[i];
    }
    to->fault = to->fault ? to->fault : fault;
}

static kn_status count_all(recounting *r, const kn_run *run)
{
    const kn_status st = kn__parallel_steps(run, "recount", r->hands, r->b->ds->records, GRAIN,
                                            count_slice, r, r->err);

    if (st != KN_OK) {
        return st;
    }
    for (unsigned i = 1; i < r->hands; i++) {
        join(r, r->hand, &r->hand[i]);
    }
    return r->hand->fault ? disagree(r->err, r->hand->fault) : KN_OK;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Whether those that have records are all different. */
static kn_status all_different(uint64_t *signs, size_t count, bool zero_is_none, kn_error *err)
{
    if (count > 0) {
        qsort(signs, count, sizeof *signs, ascending);
    }
    for (size_t i = 1; i < count; i++) {
        if (signs[i] == signs[i - 1] && !(zero_is_none && signs[i] == 0)) {
            return disagree(err, "two spans or classes are the same");
        }
    }
    return KN_OK;
}

/* ---- every set of private items ---- */

static uint64_t sign_of_all(const recounting *r)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->hand->now.len; i++) {
        if (r->line[r->hand->now.at[i]].judged) {
            sum += sign(r->hand->now.at[i], state(&r->line[r->hand->now.at[i]], r->marked, NULL));
        }
    }
    return sum;
}

/* The private items that lines name which the record may be in; at most MOST_PRIVATE + 1 of them.
 */
static size_t list_private(const recounting *r, uint32_t *items)
{
    size_t count = 0;

    memset(r->marked, 0, r->rules->items->len);
    for (size_t i = 0; i < r->hand->now.len; i++) {
        const line *l = &r->line[r->hand->now.at[i]];
        for (size_t j = 0; l->judged && j < l->left_count + l->right_count; j++) {
            const uint32_t item = j < l->left_count ? l->left[j] : l->right[j - l->left_count];
            if (r->b->item_hidden[item] && !r->marked[item] && count <= MOST_PRIVATE) {
                r->marked[item] = 1;
                items[count++] = item;
            }
        }
    }
    return count;
}

/* A sum over the classes that the public items of a record allow, and how many there are. Returns
 * how many sets of private items were tried; 0: they are too many. */
static size_t try_all(recounting *r, size_t record, uint64_t *sum, size_t *classes)
{
    uint32_t items[MOST_PRIVATE + 1];
    uint64_t found[1 << MOST_PRIVATE];
    size_t count, tried;

    mark(r, r->hand, record);
    count = list_private(r, items);
    if (count > MOST_PRIVATE) {
        return 0;
    }
    for (uint32_t i = 0; i < r->rules->items->len; i++) {
        r->marked[i] = r->hand->held[i] && !r->b->item_hidden[i];
    }
    tried = (size_t)1 << count;
    for (size_t set = 0; set < tried; set++) {
        for (size_t i = 0; i < count; i++) {
            r->marked[items[i]] = set >> i & 1;
        }
        found[set] = sign_of_all(r);
    }
    qsort(found, tried, sizeof *found, ascending);
    *sum = 0;
    *classes = 0;
    for (size_t i = 0; i < tried; i++) {
        if (i == 0 || found[i] != found[i - 1]) {
            *sum += kn__hash_u64(found[i] + 1);
            (*classes)++;
        }
    }
    return tried;
}

/* The first two records of every span, as long as a moment allows: they allow the same classes, and
 * those of other spans do not. */
static kn_status try_spans(recounting *r, const kn_spans *s)
{
    uint8_t *seen = kn__zalloc(s->count);
    uint64_t *sum_of = kn__zalloc_array(s->count, sizeof *sum_of);
    size_t tries = 0;
    kn_status status;

    KN_TRY(seen && sum_of ? KN_OK : kn__nomem(r->err));
    for (size_t i = 0; i < r->b->ds->records && tries < MOST_TRIES; i++) {
        const uint32_t span = s->of[i];
        uint64_t sum;
        size_t classes, tried;
        if (seen[span] == 2) {
            continue;
        }
        tried = try_all(r, i, &sum, &classes);
        tries += (tried + 1) * (r->hand->now.len + 1);
        if (tried == 0) {
            seen[span] = 2;
        } else if (seen[span]++ && sum_of[span] != sum) {
            KN_TRY(disagree(r->err, "records of one span may be in different classes"));
        } else if ((classes > 1) != kn__span_discloses(s, span)) {
            KN_TRY(disagree(r->err, other_tells));
        } else {
            sum_of[span] = sum;
        }
    }
    KN_TRY(all_different(sum_of, s->count, true, r->err));
done:
    kn__free(seen);
    kn__free(sum_of);
    return status;
}

/* ---- figures ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static bool is_like(double stated, double within, uint64_t part, uint64_t whole)
{
    const double counted = share(part, whole);

    return isnan(stated) || fabs(stated - counted) <= within + EXACT * fmax(1, counted);
}

static uint64_t count_unlike(const recounting *r)
{
    const kn_rules *rules = r->rules;
    const uint64_t all = r->b->ds->records;
    const uint64_t *left = r->hand->left_held, *both = r->hand->both_held;
    uint64_t unlike = rules->records && rules->records != all;

    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *x = &rules->rule[i];
        unlike += x->count > 0 && x->count != both[i];
        unlike += !is_like(x->support, x->support_within, both[i], all);
        unlike += !is_like(x->confidence, x->confidence_within, both[i], left[i]);
        if (x->lift > 0) {
            const double expected = share(both[r->right_of[i]], all);
            const double lift = expected > 0 ? share(both[i], left[i]) / expected : 0;
            unlike += fabs(x->lift - lift) > x->lift_within + EXACT * fmax(1, lift);
        }
    }
    for (size_t i = 0; i < rules->sets; i++) {
        unlike += !is_like(rules->set[i].support, rules->set[i].support_within,
                           both[r->right_of[rules->count + i]], all);
    }
    return unlike;
}

/* ---- all ---- */

static kn_status compare(recounting *r, kn_rules_recounted *out)
{
    const kn_spans *s = r->spans;
    const hand *h = r->hand;
    kn_status status = KN_OK;

    for (size_t i = 0; i < s->count; i++) {
        if (h->population[i] != s->population[i]) {
            KN_TRY(disagree(r->err, "a span has another number of records"));
        } else if ((bool)h->tells[i] != kn__span_discloses(s, i)) {
            KN_TRY(disagree(r->err, other_tells));
        } else if (h->tells[i] && h->population[i] < out->k) {
            out->k = h->population[i];
        }
    }
    KN_TRY(all_different(h->pattern, s->count, false, r->err));
    KN_TRY(all_different(h->class_at, s->classes_count, true, r->err));
    KN_TRY(try_spans(r, s));
done:
    return status;
}

static bool hand_new(const recounting *r, hand *h)
{
    const size_t items = r->rules->items->len, spans = r->spans->count;

    *h = (hand){.now.at = kn__malloc_array(r->lines, sizeof *h->now.at),
                .items.at = kn__malloc_array(items, sizeof *h->items.at),
                .held = kn__zalloc(items),
                .pattern = kn__zalloc_array(spans, sizeof *h->pattern),
                .class_at = kn__zalloc_array(r->spans->classes_count, sizeof *h->class_at),
                .tells = kn__zalloc(spans),
                .population = kn__zalloc_array(spans, sizeof *h->population),
                .left_held = kn__zalloc_array(r->lines, sizeof *h->left_held),
                .both_held = kn__zalloc_array(r->lines, sizeof *h->both_held)};
    return h->now.at && h->items.at && h->held && h->pattern && h->class_at && h->tells &&
           h->population && h->left_held && h->both_held;
}

static void hand_clear(hand *h)
{
    kn__free(h->now.at);
    kn__free(h->items.at);
    kn__free(h->held);
    kn__free(h->pattern);
    kn__free(h->class_at);
    kn__free(h->tells);
    kn__free(h->population);
    kn__free(h->left_held);
    kn__free(h->both_held);
}

static void clear(recounting *r)
{
    for (size_t i = 0; r->with && i <= r->rules->items->len; i++) {
        kn__free(r->with[i].at);
    }
    for (unsigned i = 0; r->hand && i < r->hands; i++) {
        hand_clear(&r->hand[i]);
    }
    kn__free(r->with);
    kn__free(r->hand);
    kn__free(r->line);
    kn__free(r->right_of);
    kn__free(r->common);
    kn__free(r->marked);
}

static kn_status take_up(recounting *r, unsigned threads, kn_rules_recounted *out)
{
    const kn_bound *b = r->b;
    const size_t items = r->rules->items->len;
    kn_status st = list_lines(r, out);

    r->with = kn__zalloc_array(items + 1, sizeof *r->with);
    r->common = kn__zalloc_array(items, sizeof *r->common);
    r->marked = kn__zalloc(items);
    r->hand = kn__zalloc_array(threads, sizeof *r->hand);
    if (st == KN_OK && (!r->with || !r->common || !r->marked || !r->hand)) {
        st = kn__nomem(r->err);
    }
    for (; st == KN_OK && r->hands < threads; r->hands++) {
        if (!hand_new(r, &r->hand[r->hands])) {
            st = kn__nomem(r->err);
        }
    }
    for (uint64_t i = 0; st == KN_OK && i < b->items->starts[b->ds->records]; i++) {
        const uint32_t item = b->item[kn__code_get(b->items->codes, b->items->width, (size_t)i)];
        if (item != KN_NO_CODE) {
            r->common[item]++;
        }
    }
    for (size_t i = 0; i < r->lines && st == KN_OK; i++) {
        st = queue_line(r, (uint32_t)i);
    }
    return st;
}

kn_status kn__rules_recount(kn_rules_recounted *out, const kn_bound *b, const kn_spans *spans,
                            const kn_run *run, kn_error *err)
{
    recounting r = {.b = b, .rules = &b->model->rules, .spans = spans, .err = err};
    kn_status status;

    *out = (kn_rules_recounted){.k = UINT64_MAX};
    KN_TRY(take_up(&r, kn__run_threads(run), out));
    KN_TRY(count_all(&r, run));
    KN_TRY(compare(&r, out));
    out->unlike = count_unlike(&r);
done:
    clear(&r);
    return status;
}
