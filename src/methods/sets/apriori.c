/* apriori.c - k^m-anonymity of items by global recoding along a hierarchy.
 *
 * The problem is that of AA, the apriori algorithm of Terrovitis, Mamoulis and Kalnis
 * ("Privacy-preserving anonymization of set-valued data", VLDB 2008), for sets and, as in the ACD
 * paper, for bags: find a cut of the hierarchy whose generalised records are k^m-anonymous. AA
 * goes upwards, size by size, mending each rare combination as it comes. We keep the principle,
 * that what is rare stays rare in everything finer and larger, and use it the other way round: from
 * the root down only a few splits are possible at all, the rare combinations among what they make
 * are counted once, size by size, and which of the splits to take is then a problem of weights and
 * conflicts that needs no data any more. */
#include "methods/registry.h"
#include "methods/params.h"
#include "methods/sets/apriori.h"
#include "methods/sets/counted.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"
#include "data/value_form.h"
#include "base/threads.h"

#include <string.h>

/* How often splits are chosen again when conflicts had to be learnt. */
enum { ROUNDS = 6 };

/* ---- the search ---- */

typedef struct search {
    kn_cut *c;
    kn_splits s;
    uint8_t *chosen; /* by split */
    uint8_t *best;   /* by split: those of the best cut so far */
    double loss;     /* of it */
    uint32_t *heap;  /* splits to try: chosen ones first, then heavy ones */
    size_t heap_len;
    bool refused; /* a chosen one was */
} search;

static bool goes_first(const void *user, const void *x, const void *y)
{
    const search *s = user;
    const double *gain = s->s.gain;
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    if (s->chosen[a] != s->chosen[b]) {
        return s->chosen[a] > s->chosen[b];
    }
    return gain[a] > gain[b] || (gain[a] == gain[b] && a < b);
}

static void push(search *x, uint32_t split)
{
    x->heap[x->heap_len] = split;
    kn__heap_up(x->heap, sizeof *x->heap, x->heap_len++, goes_first, x);
}

static uint32_t pop(search *x)
{
    const uint32_t top = x->heap[0];

    kn__heap_pop(x->heap, &x->heap_len, sizeof *x->heap, goes_first, x);
    return top;
}

static kn_status learn(search *x, const kn_witness *why, kn_error *err)
{
    uint32_t member[KN_MOST_M];
    const size_t size = kn__splits_of_nodes(&x->s, x->c, why->node, why->size, member);

    return kn__splits_add(&x->s, member, size, err);
}

/* From the root down, make the chosen splits and then all others that the data allow, learning from
 * those that they do not. */
static kn_status descend(search *x, const kn_run *run, kn_error *err)
{
    kn_cut *c = x->c;

    x->refused = false;
    if (x->s.count) {
        push(x, 0);
    }
    while (x->heap_len > 0) {
        const uint32_t split = pop(x), node = x->s.node[split];
        bool done = false;
        kn_witness why;
        KN_PASS(kn__run_step(run, "apriori", -1, err));
        KN_PASS(kn__cut_split(c, node, &done, &why, err));
        for (uint32_t i = c->children_at[node]; done && i < c->children_at[node + 1]; i++) {
            if (x->s.of[c->children[i]] != KN_NO_NODE) {
                push(x, x->s.of[c->children[i]]);
            }
        }
        if (!done) {
            x->refused = x->refused || x->chosen[split];
            KN_PASS(learn(x, &why, err));
        }
    }
    return KN_OK;
}

static void start_over(kn_cut *c)
{
    if (!c->in[c->root]) {
        kn__cut_merge(c, c->root);
    }
}

static void put_all(search *x, const uint8_t *splits)
{
    start_over(x->c);
    for (size_t i = 0; i < x->s.count; i++) {
        if (splits[i]) {
            kn__cut_put(x->c, x->s.node[i]);
        }
    }
}

/* Choose by the conflicts that are known, see what the data say, and choose again. */
static kn_status learn_and_choose(search *x, const kn_run *run, kn_error *err)
{
    x->loss = x->c->cost[x->c->root] + 1;
    x->refused = true;
    for (int round = 0; round < ROUNDS && x->refused; round++) {
        KN_PASS(kn__splits_choose(&x->s, x->chosen, run, err));
        start_over(x->c);
        KN_PASS(descend(x, run, err));
        if (x->c->loss < x->loss) {
            x->loss = x->c->loss;
            for (size_t i = 0; i < x->s.count; i++) {
                const uint32_t node = x->s.node[i];
                x->best[i] = x->c->to[x->c->low[node]] < node; /* the cut is below it */
            }
        }
    }
    put_all(x, x->best);
    return KN_OK;
}

kn_status kn__apriori_search(kn_cut *c, double most, const kn_run *run, kn_error *err)
{
    search x = {.c = c};
    kn_status status;

    KN_TRY(kn__splits_find(&x.s, c, run, err));
    KN_TRY(kn__splits_conflicts(&x.s, c, most, run, err));
    x.chosen = kn__zalloc_array(x.s.count, sizeof *x.chosen);
    x.best = kn__zalloc_array(x.s.count, sizeof *x.best);
    x.heap = kn__malloc_array(x.s.count, sizeof *x.heap);
    KN_TRY(x.chosen && x.best && x.heap ? KN_OK : kn__nomem(err));
    if (x.s.complete) {
        KN_TRY(kn__splits_choose(&x.s, x.chosen, run, err));
        put_all(&x, x.chosen);
    } else {
        KN_TRY(learn_and_choose(&x, run, err));
    }
done:
    kn__splits_clear(&x.s);
    KN_FREE(x.chosen, x.best, x.heap);
    return status;
}

/* ---- the method ---- */

static kn_status infeasible(const kn_cut *c, size_t size, uint64_t support, kn_error *err)
{
    const char *hold = support == 1 ? " holds" : "s hold";

    if (size == 1) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "km-anonymity with k = %zu cannot be met: only %llu record%s any item; "
                        "k can be at most that",
                        c->k, (unsigned long long)support, hold);
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "km-anonymity with k = %zu and m = %zu cannot be met: only %llu record%s "
                    "%zu or more items, however general; ask for m = %zu, or for a k of at most "
                    "%llu, or read the items as sets",
                    c->k, c->m, (unsigned long long)support, hold, size, size - 1,
                    (unsigned long long)support);
}

/* What else could be done with the column where it holds numbers. */
static const char *advice_for_numbers(const kn_column *column)
{
    const kn_form_counts forms = kn__column_forms(column);

    if (column->type == KN_TYPE_NUMBERS) {
        return "; of numbers, --method acd makes ranges without a hierarchy";
    }
    if (forms.values && forms.numbers == forms.values && forms.padded == 0) {
        return "; if the items are quantities, --method acd makes ranges without a hierarchy "
               "(in a table with --numbers COLUMN)";
    }
    return "";
}

/* Let the cut ask for what it needs, and see whether all items together have enough people. */
static kn_status start_counted(kn_cut *c, const kn_items_task *task, kn_error *err)
{
    uint64_t support = 0;

    KN_PASS(kn__counted_start(c, task, err));
    KN_PASS(kn__counted_root(c, &support, err));
    if (support < c->k) {
        KN_PASS(infeasible(c, 1, support, err));
    }
    return KN_OK;
}

kn_status kn__apriori_start(kn_cut **out, const kn_items_task *task, const char *method,
                            kn_error *err)
{
    const bool alone = kn__method_find(method)->leaves_out;
    size_t size;
    uint64_t support;
    kn_status status;

    *out = NULL;
    if (task->domain->kind != KN_DOMAIN_TREE) {
        (void)kn__fail(err, KN_EUSAGE,
                       "%s generalises along a hierarchy, and column '%s' has none: give one "
                       "(--hierarchy %s=FILE), %smake one with kanon hierarchy build%s%s",
                       method, task->column->name, task->column->name, alone ? "" : "or ",
                       alone ? ", or let it leave items out (--item-suppression)" : "",
                       advice_for_numbers(task->column));
        return kn__about_column(err, KN_EUSAGE, KN_ERROR_NO_HIERARCHY, task->column->name);
    }
    status = kn__cut_new(out, task->domain, task->baskets, task->k, task->m,
                         kn__run_threads(task->run), err);
    if (status == KN_OK && task->options->rare) {
        status = start_counted(*out, task, err);
    } else if (status == KN_OK && !kn__cut_root_holds(*out, &size, &support)) {
        status = infeasible(*out, size, support, err);
    }
    if (status != KN_OK) {
        kn__cut_free(*out);
        *out = NULL;
    }
    return status;
}

/* By node: the code below it, where there is nothing else; KN_NO_CODE otherwise. */
static uint32_t *only_codes(const kn_domain *d)
{
    uint32_t *only = kn__malloc_array(d->nodes, sizeof *only);

    if (!only) {
        return NULL;
    }
    memset(only, 0xff, d->nodes * sizeof *only);
    for (uint32_t code = 0; code < d->values; code++) {
        uint32_t node = code;
        while (node != kn__domain_root(d) && d->leaves[node] <= 1) {
            only[node] = code;
            node = d->parent[node];
        }
    }
    return only;
}

kn_status kn__apriori_texts(kn_recoding *out, const kn_domain *d, uint32_t *text_of, kn_error *err)
{
    kn_buffer text = {0};
    uint32_t *only = only_codes(d);
    kn_status status;

    KN_TRY(only ? kn__dict_new(&out->texts, err) : kn__nomem(err));
    for (uint32_t node = 0; node < d->nodes; node++) {
        if (text_of[node] != KN_NO_CODE) {
            text.len = 0;
            /* A group of one says no less than its item, and makes it look generalised. */
            kn__domain_publish_node(d, only[node] != KN_NO_CODE ? only[node] : node, &text);
            KN_TRY(text.failed
                       ? kn__nomem(err)
                       : kn__dict_add(out->texts, text.data, text.len, &text_of[node], err));
        }
    }
done:
    kn__buffer_free(&text);
    kn__free(only);
    return status;
}

kn_status kn__apriori_publish(const kn_items_task *task, const kn_cut *c, kn_recoding *out,
                              kn_error *err)
{
    const kn_domain *d = task->domain;
    uint32_t *text_of = kn__malloc_array(d->nodes, sizeof *text_of);
    kn_status status;

    out->to = kn__malloc_array(d->values, sizeof *out->to);
    KN_TRY(text_of && out->to ? KN_OK : kn__nomem(err));
    memset(text_of, 0xff, d->nodes * sizeof *text_of);
    for (uint32_t code = 0; code < d->values; code++) {
        out->to[code] = kn__cut_node(c, code);
        if (out->to[code] != KN_NO_NODE) {
            text_of[out->to[code]] = 0;
        }
    }
    KN_TRY(kn__apriori_texts(out, d, text_of, err));
    for (uint32_t code = 0; code < d->values; code++) {
        out->to[code] = out->to[code] == KN_NO_NODE ? KN_NO_CODE : text_of[out->to[code]];
    }
done:
    kn__free(text_of);
    return status;
}

kn_status kn__apriori_run(const kn_items_task *task, const char *method, kn_recoding *out,
                          kn_error *err)
{
    kn_cut *c = NULL;
    kn_status status;

    KN_TRY(kn__apriori_start(&c, task, method, err));
    KN_TRY(kn__apriori_search(c, KN_APRIORI_WORK, task->run, err));
    if (!kn__param_flag(&task->params, "subtree")) {
        KN_TRY(kn__cut_split_partly(c, task->run, err));
    }
    KN_TRY(kn__apriori_publish(task, c, out, err));
done:
    kn__cut_free(c);
    return status;
}

static kn_status run(const kn_items_task *task, kn_recoding *out, kn_error *err)
{
    return kn__apriori_run(task, "apriori", out, err);
}

static const kn_param params[] = {KN_PARAM_SUBTREE};

const kn_method_row kn__apriori_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "apriori",
              .reaches = "km-anonymity",
              .summary =
                  "items: every item becomes itself or a group of its hierarchy, in all records "
                  "alike",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_ITEMS,
    .counts = true,
    .elsewhere = true,
    .leaves_out = true,
    .items = run,
};
