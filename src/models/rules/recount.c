/* recount.c - rules a second time, record by record and straight from the definition: no item
 * index, no partition, no itemsets. The items of a record are marked, and for each rule it is
 * checked whether all items of its left side are marked, and all of its right side. The same is
 * done with the public items and every private one, which gives the pattern (models/rules/rules.h),
 * and for some records with every set of private items, which gives the span. The two counts share
 * the bound columns and nothing else. */
#include "models/rules/recount.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum { MOST_PRIVATE = 12, MOST_TRIES = 1 << 22, GRAIN = 4096 };
static const uint32_t NONE = UINT32_MAX;
static const double EXACT = 1e-12;

/* A rule, or an itemset that is stated beside the rules, with an empty left side. */
typedef struct line {
    const uint32_t *left, *right;
    size_t left_count, right_count;
    bool left_private, both_private;
    bool judged; /* it is published; otherwise the support of its right side is counted, and no more
                  */
} line;

/* Numbers of lines, or of items. */
typedef struct number_list {
    uint32_t *at;
    size_t len, cap;
} number_list;

/* What one thread counts, and its scratch for one record. */
typedef struct worker {
    number_list lines;    /* those that the record may match */
    number_list items;    /* those that the record holds */
    uint8_t *holds;       /* by item: the record holds it */
    uint64_t *pattern;    /* by span: hash of the pattern of its first record */
    uint64_t *class_hash; /* by class: hash of the states of its first record; 0: none yet */
    uint8_t *discloses;   /* by span */
    uint64_t *population;
    uint64_t *left_support, *both_support; /* by line */
    const char *fault;                     /* NULL: none yet */
} worker;

typedef struct recounting {
    const kn_bound *b;
    const kn_rules *rules;
    line *line; /* the rules first */
    size_t lines, cap;
    uint32_t *right_of;   /* by rule: the line of its right side; NONE: no lift is stated */
    number_list *by_item; /* by item: the lines to check; the last: lines without a public item on
                             the left */
    uint64_t *support; /* by item; a line is listed under the rarest public item of its left side */
    uint8_t *marked;   /* by item: scratch */
    const kn_spans *spans;
    worker *worker; /* by thread; the counts are merged into the first */
    unsigned workers;
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
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        found = found || r->b->item_hidden[items[i]];
    }
    return found;
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

/* The line of an itemset whose support is stated or counted; equal sets share one. */
static kn_status add_set(recounting *r, kn_dict *sets, const uint32_t *items, size_t count,
                         uint32_t *at)
{
    uint32_t code;
    const uint32_t before = sets->len;

    KN_PASS(kn__dict_add(sets, (const char *)items, count * sizeof *items, &code, r->err));
    if (code == before) {
        KN_PASS(add_line(r, NULL, 0, items, count, any_private(r, items, count)));
    }
    *at = (uint32_t)r->rules->count + code;
    return KN_OK;
}

static kn_status list_lines(recounting *r, kn_rules_recounted *out)
{
    const kn_rules *rules = r->rules;
    kn_dict *sets = NULL;
    kn_status status;

    r->right_of = kn__malloc_array(rules->count + rules->sets, sizeof *r->right_of);
    KN_TRY(r->right_of ? kn__dict_new(&sets, r->err) : kn__nomem(r->err));
    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *x = &rules->rule[i];
        KN_TRY(add_line(r, x->left, x->left_count, x->right, x->right_count, true));
    }
    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *x = &rules->rule[i];
        r->right_of[i] = NONE;
        if (x->lift > 0 || x->right_stated) {
            KN_TRY(add_set(r, sets, x->right, x->right_count, &r->right_of[i]));
        }
    }
    for (size_t i = 0; i < rules->sets; i++) {
        KN_TRY(add_set(r, sets, rules->set[i].items, rules->set[i].count,
                       &r->right_of[rules->count + i]));
    }
    for (size_t i = rules->count; i < r->lines; i++) {
        out->told += r->line[i].judged;
    }
done:
    kn__dict_free(sets);
    return status;
}

static kn_status index_line(recounting *r, uint32_t number)
{
    const line *l = &r->line[number];
    const size_t items = r->rules->items->len;
    size_t at = items;
    number_list *q;
    kn_status st;

    for (size_t i = 0; i < l->left_count; i++) {
        const uint32_t item = l->left[i];
        if (!r->b->item_hidden[item] && (at == items || r->support[item] < r->support[at])) {
            at = item;
        }
    }
    if (!l->judged) {
        at = l->right[0];
    }
    q = &r->by_item[at];
    st = kn__grow(&q->at, &q->cap, q->len + 1, sizeof *q->at, r->err);
    if (st == KN_OK) {
        q->at[q->len++] = number;
    }
    return st;
}

/* ---- records ---- */

/* Whether all items are marked or, with `assumed`, assumed to be held. */
static bool all_in(const uint32_t *items, size_t count, const uint8_t *marked,
                   const uint8_t *assumed)
{
    for (size_t i = 0; i < count; i++) {
        if (!marked[items[i]] && !(assumed && assumed[items[i]])) {
            return false;
        }
    }
    return true;
}

static unsigned state(const line *l, const uint8_t *marked, const uint8_t *assumed)
{
    if (!all_in(l->left, l->left_count, marked, assumed)) {
        return 0;
    }
    return all_in(l->right, l->right_count, marked, assumed) ? 2 : 1;
}

/* The sum of these hashes identifies the states in all lines, in any order. */
static uint64_t hash_state(uint32_t number, unsigned in_state)
{
    return in_state ? kn__hash_u64((uint64_t)number * 4 + in_state) : 0;
}

static void mark_items(const recounting *r, worker *w, size_t record)
{
    const kn_column *c = r->b->items;
    const number_list *always = &r->by_item[r->rules->items->len];

    for (size_t i = 0; i < w->items.len; i++) {
        w->holds[w->items.at[i]] = 0;
    }
    w->lines.len = w->items.len = 0;
    for (size_t i = 0; i < always->len; i++) {
        w->lines.at[w->lines.len++] = always->at[i];
    }
    for (uint64_t i = c->starts[record]; i < c->starts[record + 1]; i++) {
        const uint32_t item = r->b->item[kn__code_get(c->codes, c->width, (size_t)i)];
        if (item != KN_NO_CODE && !w->holds[item]) {
            const number_list *q = &r->by_item[item];
            w->holds[item] = 1;
            w->items.at[w->items.len++] = item;
            for (size_t j = 0; j < q->len; j++) {
                w->lines.at[w->lines.len++] = q->at[j];
            }
        }
    }
}

static const char one_span[] = "records of one span have different public items";
static const char other_disclosure[] =
    "a span that tells something was said to tell nothing, or the other way round";
static const char one_class[] = "records of one class hold different sides";

static void count_record(const recounting *r, worker *w, size_t record)
{
    const uint32_t span = r->spans->of[record], class_number = r->spans->class_of[record];
    const bool first = w->population[span]++ == 0;
    uint64_t pattern = 0, class_hash = 1;
    bool discloses = false;

    mark_items(r, w, record);
    for (size_t i = 0; i < w->lines.len; i++) {
        const uint32_t number = w->lines.at[i];
        const line *l = &r->line[number];
        const unsigned most = state(l, w->holds, l->judged ? r->b->item_hidden : NULL);
        const unsigned found = most && l->judged && l->both_private ? state(l, w->holds, NULL)
                                                                    : most;
        w->left_support[number] += found > 0;
        w->both_support[number] += found > 1;
        if (l->judged) {
            pattern += hash_state(number, most);
            class_hash += hash_state(number, found);
            discloses = discloses || (most == 1 && l->left_private) ||
                        (most == 2 && l->both_private);
        }
    }
    if (first) {
        w->pattern[span] = pattern;
        w->discloses[span] = discloses;
    }
    if (w->class_hash[class_number] == 0) {
        w->class_hash[class_number] = class_hash;
    }
    if (w->pattern[span] != pattern || w->discloses[span] != discloses) {
        w->fault = one_span;
    } else if (w->class_hash[class_number] != class_hash) {
        w->fault = one_class;
    }
}

static void count_slice(void *user, unsigned thread, size_t begin, size_t end)
{
    const recounting *r = user;
    worker *w = &r->worker[thread];

    for (size_t i = begin; i < end && !w->fault; i++) {
        count_record(r, w, i);
    }
}

/* Add the counts of one thread to those of another. */
static void merge(const recounting *r, worker *to, const worker *from)
{
    const char *fault = from->fault;

    for (size_t i = 0; i < r->spans->count; i++) {
        if (to->population[i] == 0) {
            to->pattern[i] = from->pattern[i];
            to->discloses[i] = from->discloses[i];
        } else if (from->population[i] > 0 &&
                   (to->pattern[i] != from->pattern[i] || to->discloses[i] != from->discloses[i])) {
            fault = one_span;
        }
        to->population[i] += from->population[i];
    }
    for (size_t i = 0; i < r->spans->classes_count; i++) {
        if (to->class_hash[i] == 0) {
            to->class_hash[i] = from->class_hash[i];
        } else if (from->class_hash[i] != 0 && to->class_hash[i] != from->class_hash[i]) {
            fault = one_class;
        }
    }
    for (size_t i = 0; i < r->lines; i++) {
        to->left_support[i] += from->left_support[i];
        to->both_support[i] += from->both_support[i];
    }
    to->fault = to->fault ? to->fault : fault;
}

static kn_status count_all(recounting *r, const kn_run *run)
{
    const kn_status st = kn__parallel_steps(run, "recount", r->workers, r->b->ds->records, GRAIN,
                                            count_slice, r, r->err);

    if (st != KN_OK) {
        return st;
    }
    for (unsigned i = 1; i < r->workers; i++) {
        merge(r, r->worker, &r->worker[i]);
    }
    return r->worker->fault ? disagree(r->err, r->worker->fault) : KN_OK;
}

/* Whether the hashes of all spans or classes with records are different. */
static kn_status all_different(uint64_t *hashes, size_t count, bool zero_is_none, kn_error *err)
{
    kn__sort_u64(hashes, count);
    for (size_t i = 1; i < count; i++) {
        if (hashes[i] == hashes[i - 1] && !(zero_is_none && hashes[i] == 0)) {
            return disagree(err, "two spans or classes are the same");
        }
    }
    return KN_OK;
}

/* ---- every set of private items ---- */

static uint64_t hash_states(const recounting *r)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->worker->lines.len; i++) {
        if (r->line[r->worker->lines.at[i]].judged) {
            sum += hash_state(r->worker->lines.at[i],
                              state(&r->line[r->worker->lines.at[i]], r->marked, NULL));
        }
    }
    return sum;
}

/* The private items of the lines that the record may match; at most MOST_PRIVATE + 1 of them. */
static size_t list_private(const recounting *r, uint32_t *items)
{
    size_t count = 0;

    memset(r->marked, 0, r->rules->items->len);
    for (size_t i = 0; i < r->worker->lines.len; i++) {
        const line *l = &r->line[r->worker->lines.at[i]];
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

/* A hash of the span of a record, and the number of its classes, by trying every set of private
 * items.
 * @return the number of sets tried; 0: there are too many. */
static size_t try_private_sets(recounting *r, size_t record, uint64_t *sum, size_t *classes)
{
    uint32_t items[MOST_PRIVATE + 1];
    uint64_t found[1 << MOST_PRIVATE];
    size_t count, tried;

    mark_items(r, r->worker, record);
    count = list_private(r, items);
    if (count > MOST_PRIVATE) {
        return 0;
    }
    for (uint32_t i = 0; i < r->rules->items->len; i++) {
        r->marked[i] = r->worker->holds[i] && !r->b->item_hidden[i];
    }
    tried = (size_t)1 << count;
    for (size_t set = 0; set < tried; set++) {
        for (size_t i = 0; i < count; i++) {
            r->marked[items[i]] = set >> i & 1;
        }
        found[set] = hash_states(r);
    }
    kn__sort_u64(found, tried);
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

/* Compute the spans of the first two records of every span, within a fixed amount of work: they
 * must be equal, and different from those of other spans. */
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
        tried = try_private_sets(r, i, &sum, &classes);
        tries += (tried + 1) * (r->worker->lines.len + 1);
        if (tried == 0) {
            seen[span] = 2;
        } else if (seen[span]++ && sum_of[span] != sum) {
            KN_TRY(disagree(r->err, "records of one span may be in different classes"));
        } else if ((classes > 1) != kn__span_discloses(s, span)) {
            KN_TRY(disagree(r->err, other_disclosure));
        } else {
            sum_of[span] = sum;
        }
    }
    KN_TRY(all_different(sum_of, s->count, true, r->err));
done:
    KN_FREE(seen, sum_of);
    return status;
}

/* ---- figures ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static bool agrees(double stated, double within, uint64_t part, uint64_t whole)
{
    const double counted = share(part, whole);

    return isnan(stated) || fabs(stated - counted) <= within + EXACT * fmax(1, counted);
}

static uint64_t count_different(const recounting *r)
{
    const kn_rules *rules = r->rules;
    const uint64_t all = r->b->ds->records;
    const uint64_t *left = r->worker->left_support, *both = r->worker->both_support;
    uint64_t different = rules->records && rules->records != all;

    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *x = &rules->rule[i];
        different += x->count > 0 && x->count != both[i];
        different += !agrees(x->support, x->support_within, both[i], all);
        different += !agrees(x->confidence, x->confidence_within, both[i], left[i]);
        if (x->lift > 0) {
            const double expected = share(both[r->right_of[i]], all);
            const double lift = expected > 0 ? share(both[i], left[i]) / expected : 0;
            different += fabs(x->lift - lift) > x->lift_within + EXACT * fmax(1, lift);
        }
    }
    for (size_t i = 0; i < rules->sets; i++) {
        different += !agrees(rules->set[i].support, rules->set[i].support_within,
                             both[r->right_of[rules->count + i]], all);
    }
    return different;
}

/* ---- the comparison ---- */

static kn_status compare(recounting *r, kn_rules_recounted *out)
{
    const kn_spans *s = r->spans;
    const worker *w = r->worker;

    for (size_t i = 0; i < s->count; i++) {
        if (w->population[i] != s->population[i]) {
            KN_PASS(disagree(r->err, "a span has another number of records"));
        } else if ((bool)w->discloses[i] != kn__span_discloses(s, i)) {
            KN_PASS(disagree(r->err, other_disclosure));
        } else if (w->discloses[i] && w->population[i] < out->k) {
            out->k = w->population[i];
        }
    }
    KN_PASS(all_different(w->pattern, s->count, false, r->err));
    KN_PASS(all_different(w->class_hash, s->classes_count, true, r->err));
    return try_spans(r, s);
}

static bool worker_new(const recounting *r, worker *w)
{
    const size_t items = r->rules->items->len, spans = r->spans->count;

    *w = (worker){.lines.at = kn__malloc_array(r->lines, sizeof *w->lines.at),
                  .items.at = kn__malloc_array(items, sizeof *w->items.at),
                  .holds = kn__zalloc(items),
                  .pattern = kn__zalloc_array(spans, sizeof *w->pattern),
                  .class_hash = kn__zalloc_array(r->spans->classes_count, sizeof *w->class_hash),
                  .discloses = kn__zalloc(spans),
                  .population = kn__zalloc_array(spans, sizeof *w->population),
                  .left_support = kn__zalloc_array(r->lines, sizeof *w->left_support),
                  .both_support = kn__zalloc_array(r->lines, sizeof *w->both_support)};
    return w->lines.at && w->items.at && w->holds && w->pattern && w->class_hash && w->discloses &&
           w->population && w->left_support && w->both_support;
}

static void worker_clear(worker *w)
{
    KN_FREE(w->lines.at, w->items.at, w->holds, w->pattern, w->class_hash, w->discloses,
            w->population, w->left_support, w->both_support);
}

static void clear(recounting *r)
{
    for (size_t i = 0; r->by_item && i <= r->rules->items->len; i++) {
        kn__free(r->by_item[i].at);
    }
    for (unsigned i = 0; r->worker && i < r->workers; i++) {
        worker_clear(&r->worker[i]);
    }
    KN_FREE(r->by_item, r->worker, r->line, r->right_of, r->support, r->marked);
}

static kn_status prepare(recounting *r, unsigned threads, kn_rules_recounted *out)
{
    const kn_bound *b = r->b;
    const size_t items = r->rules->items->len;

    r->by_item = kn__zalloc_array(items + 1, sizeof *r->by_item);
    r->support = kn__zalloc_array(items, sizeof *r->support);
    r->marked = kn__zalloc(items);
    r->worker = kn__zalloc_array(threads, sizeof *r->worker);
    KN_PASS(r->by_item && r->support && r->marked && r->worker ? KN_OK : kn__nomem(r->err));
    KN_PASS(list_lines(r, out));
    while (r->workers < threads) { /* counted before it is made: clear() frees half-made ones */
        const bool made = worker_new(r, &r->worker[r->workers++]);
        KN_PASS(made ? KN_OK : kn__nomem(r->err));
    }
    for (uint64_t i = 0; i < b->items->starts[b->ds->records]; i++) {
        const uint32_t item = b->item[kn__code_get(b->items->codes, b->items->width, (size_t)i)];
        if (item != KN_NO_CODE) {
            r->support[item]++;
        }
    }
    for (size_t i = 0; i < r->lines; i++) {
        KN_PASS(index_line(r, (uint32_t)i));
    }
    return KN_OK;
}

kn_status kn__rules_recount(kn_rules_recounted *out, const kn_bound *b, const kn_spans *spans,
                            const kn_run *run, kn_error *err)
{
    recounting r = {.b = b, .rules = &b->model->rules, .spans = spans, .err = err};
    kn_status status;

    *out = (kn_rules_recounted){.k = UINT64_MAX};
    KN_TRY(prepare(&r, kn__run_threads(run), out));
    KN_TRY(count_all(&r, run));
    KN_TRY(compare(&r, out));
    out->unlike = count_different(&r);
done:
    clear(&r);
    return status;
}
