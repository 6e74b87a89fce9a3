/* grow.c - Algorithm 1 itself: one priority queue of the splits of all leaves.
 *
 * Where every leaf is one span (`spans` is NULL), splitting one leaf does not touch another, so
 * candidates are checked when they are queued, and a leaf queues its best safe one. With private
 * attributes, or a condition that counts do not decide, the check is lazy: all candidates are
 * queued by gain, and checked when they come up, as line 6 of Algorithm 1 has it. */
#include "models/tree/grow.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/tree/grow_state.h"

enum {
    REPORT_STEPS = 64,
    MOST_DEPTH = 1000 /* where the caller sets no limit */
};

/* ---- the queue ---- */

/* The order of the queue; it is total, so the tree does not depend on threads. */
static bool before(const kn_split_candidate *x, const kn_split_candidate *y)
{
    if (x->below_average != y->below_average) {
        return x->below_average < y->below_average;
    }
    if (x->priority < y->priority || x->priority > y->priority) {
        return x->priority > y->priority;
    }
    if (x->leaf != y->leaf) {
        return x->leaf < y->leaf;
    }
    if (x->attribute != y->attribute) {
        return x->attribute < y->attribute;
    }
    return x->level > y->level;
}

static kn_status push(kn_grow_state *g, kn_split_candidate c, kn_error *err)
{
    size_t at = g->queued;

    KN_PASS(kn__grow(&g->queue, &g->queue_cap, at + 1, sizeof *g->queue, err));
    g->queued++;
    for (size_t up; at > 0 && before(&c, &g->queue[up = (at - 1) / 2]); at = up) {
        g->queue[at] = g->queue[up];
    }
    g->queue[at] = c;
    if (g->spans) {
        g->spans->leaf[c.leaf].candidates++;
    }
    return KN_OK;
}

static kn_split_candidate pop(kn_grow_state *g)
{
    const kn_split_candidate top = g->queue[0], last = g->queue[--g->queued];
    size_t at = 0;

    for (size_t down = 1; down < g->queued; down = 2 * at + 1) {
        down += down + 1 < g->queued && before(&g->queue[down + 1], &g->queue[down]);
        if (!before(&g->queue[down], &last)) {
            break;
        }
        g->queue[at] = g->queue[down];
        at = down;
    }
    g->queue[at] = last;
    if (g->spans) {
        g->spans->leaf[top.leaf].candidates--;
    }
    return top;
}

/* Release the spans of a leaf that has no candidates left: it will not be split. */
static void close_if_done(kn_grow_state *g, uint32_t leaf)
{
    if (g->spans && g->spans->leaf[leaf].candidates == 0) {
        kn__span_table_close(g->spans, leaf);
    }
}

static double priority_of(const kn_grow_state *g, const kn_split *s, uint32_t leaf)
{
    const kn_grown_node *n = &g->tree->node[leaf];

    return g->o->gain == KN_GAIN_RATIO ? s->ratio * (double)(n->end - n->begin) : s->gain;
}

/* ---- candidates of new leaves ---- */

typedef struct evaluation {
    kn_grow_state *g;
    uint32_t first;
    size_t leaves;
    unsigned levels;           /* most candidates of an attribute of a leaf */
    kn_split_candidate *found; /* [(leaf * attributes + attribute) * levels]; a gain of 0: none */
} evaluation;

static unsigned levels_of(const kn_grow_attribute *a)
{
    return a->domain ? a->domain->levels : 1;
}

/* Replace `to` by s->split if that has a higher priority. */
static void keep_better(const kn_grow_state *g, const kn_grow_scratch *s, kn_split_candidate *to,
                        uint32_t leaf, uint32_t a, unsigned level, unsigned repair)
{
    const double priority = priority_of(g, &s->split, leaf);

    if (s->split.gain > 0 && priority > to->priority * (1 + 1e-9)) {
        *to = (kn_split_candidate){.priority = priority,
                                   .gain = s->split.gain,
                                   .leaf = leaf,
                                   .attribute = a,
                                   .level = (uint16_t)level,
                                   .repair = (uint8_t)repair};
    }
}

/* The best threshold, or the best subset of values against all others. */
static bool split_in_two(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                         bool check)
{
    return g->column[a].ordered ? kn__grow_split_ordered(g, s, leaf, a, check)
                                : kn__grow_split_subset(g, s, leaf, a, check);
}

/* The candidates of a leaf by one attribute: where checks are lazy one per level of its hierarchy,
 * else the best safe one. Levels are tried from the coarsest on, and of equal splits the coarsest
 * is kept. */
static void evaluate(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                     kn_split_candidate *found)
{
    const uint64_t size = g->tree->node[leaf].end - g->tree->node[leaf].begin;
    uint32_t children = 1;

    if (g->tree->population[(size_t)leaf * g->classes + g->tree->node[leaf].answer] == size) {
        return; /* all of one class */
    }
    kn__grow_count(g, s, leaf, a);
    if (g->column[a].ordered || g->o->subsets) {
        if (s->present_count > 1 && split_in_two(g, s, leaf, a, !g->lazy)) {
            keep_better(g, s, found, leaf, a, 0, KN_REPAIR_NONE);
        }
        return;
    }
    for (unsigned level = levels_of(g->column[a].attribute); s->present_count > 1 && level-- > 0;) {
        /* A finer level that splits the leaf in the same way may still divide its spans
         * differently. */
        if (!kn__grow_split_category(g, s, leaf, a, level, KN_REPAIR_NONE, false) ||
            (!g->spans && s->split.children == children)) {
            continue;
        }
        children = s->split.children;
        if (g->lazy) {
            keep_better(g, s, found + level, leaf, a, level, KN_REPAIR_NONE);
            continue;
        }
        for (unsigned repair = KN_REPAIR_NONE;
             repair < (g->o->no_repairs ? KN_REPAIR_MERGE_RARE : KN_REPAIRS); repair++) {
            if (kn__grow_split_category(g, s, leaf, a, level, repair, true)) {
                keep_better(g, s, found, leaf, a, level, repair);
                if (repair == KN_REPAIR_NONE) {
                    break;
                }
            }
        }
    }
}

static void evaluate_some(void *user, unsigned worker, size_t begin, size_t end)
{
    const evaluation *e = user;
    const size_t attributes = e->g->o->attributes;

    for (size_t i = begin; i < end; i++) {
        evaluate(e->g, &e->g->scratch[worker], e->first + (uint32_t)(i / attributes),
                 (uint32_t)(i % attributes), e->found + i * e->levels);
    }
}

/* Queue the candidates of one leaf. C4.5's rule for the gain ratio: candidates of less than average
 * gain come last, since a small denominator makes their ratio look good. */
static kn_status queue_leaf(kn_grow_state *g, const evaluation *e, size_t leaf, kn_error *err)
{
    const size_t count = g->o->attributes * e->levels;
    kn_split_candidate *found = e->found + leaf * count, *best = NULL;
    double sum = 0;
    size_t gaining = 0;

    for (size_t i = 0; i < count; i++) {
        sum += found[i].gain;
        gaining += found[i].gain > 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!(found[i].gain > 0)) {
            continue;
        }
        found[i].below_average = g->o->gain == KN_GAIN_RATIO &&
                                 found[i].gain * (double)gaining < sum * (1 - 1e-9);
        if (g->lazy) {
            KN_PASS(push(g, found[i], err));
        } else if (!best || before(&found[i], best)) {
            best = &found[i];
        }
    }
    if (best) {
        KN_PASS(push(g, *best, err));
    }
    return KN_OK;
}

/* Evaluate and queue the candidates of the new leaves first..first + leaves - 1. */
static kn_status queue_leaves(kn_grow_state *g, uint32_t first, size_t leaves, kn_error *err)
{
    evaluation e = {.g = g, .first = first, .leaves = leaves, .levels = 1};
    const kn_grown_node *node = g->tree->node;
    size_t rows = 0;
    kn_status status = KN_OK;

    if (node[first].depth >= (g->o->depth ? g->o->depth : (size_t)MOST_DEPTH)) {
        for (size_t i = 0; i < leaves; i++) {
            close_if_done(g, first + (uint32_t)i);
        }
        return KN_OK;
    }
    for (size_t a = 0; g->lazy && a < g->o->attributes; a++) {
        const unsigned levels = levels_of(g->column[a].attribute);
        e.levels = levels > e.levels ? levels : e.levels;
    }
    for (size_t i = 0; i < leaves; i++) {
        rows += node[first + i].end - node[first + i].begin;
    }
    e.found = kn__zalloc_array(leaves * g->o->attributes * e.levels, sizeof *e.found);
    if (!e.found) {
        return kn__nomem(err);
    }
    kn__parallel_for(rows * g->o->attributes < KN_GROW_WORTH_THREADS ? 1 : g->workers,
                     leaves * g->o->attributes, 1, evaluate_some, &e);
    for (size_t i = 0; i < leaves; i++) {
        KN_TRY(queue_leaf(g, &e, i, err));
    }
    for (size_t i = 0; i < leaves; i++) {
        close_if_done(g, first + (uint32_t)i);
    }
done:
    kn__free(e.found);
    return status;
}

/* ---- the loop ---- */

/* Lines 7 to 9 of Algorithm 1. */
static kn_status apply_split(kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                             kn_error *err)
{
    const uint32_t first = (uint32_t)g->tree->nodes, children = s->split.children;

    KN_PASS(kn__grow_apply_split(g, &s->split, leaf, a, err));
    if (g->spans) {
        KN_PASS(kn__span_table_split(g, s, leaf, err));
    }
    return queue_leaves(g, first, children, err);
}

/* Make s->split of candidate `c`. */
static bool expand(const kn_grow_state *g, kn_grow_scratch *s, const kn_split_candidate *c,
                   bool check)
{
    if (g->column[c->attribute].ordered || g->o->subsets) {
        return split_in_two(g, s, c->leaf, c->attribute, check);
    }
    return kn__grow_split_category(g, s, c->leaf, c->attribute, c->level, c->repair, check);
}

/* An unsafe candidate is replaced by its best repair, if there is one: the paper's generalised
 * version of the attribute (section 5.1). */
static kn_status queue_repaired(kn_grow_state *g, kn_grow_scratch *s, const kn_split_candidate *c,
                                kn_error *err)
{
    kn_split_candidate best = {0};

    g->tree->refused++;
    if (g->column[c->attribute].ordered || g->o->subsets || g->o->no_repairs ||
        g->column[c->attribute].attribute->hidden || c->repair != KN_REPAIR_NONE ||
        (g->spans && kn__span_table_saturated(g, c->leaf))) {
        return KN_OK;
    }
    for (unsigned repair = KN_REPAIR_MERGE_RARE; repair < KN_REPAIRS; repair++) {
        if (kn__grow_split_category(g, s, c->leaf, c->attribute, c->level, repair, true)) {
            keep_better(g, s, &best, c->leaf, c->attribute, c->level, repair);
        }
    }
    best.below_average = c->below_average;
    return best.gain > 0 ? push(g, best, err) : KN_OK;
}

static kn_status try_split(kn_grow_state *g, kn_split_candidate c, kn_error *err)
{
    kn_grow_scratch *s = &g->scratch[0];

    kn__grow_count(g, s, c.leaf, c.attribute);
    if (!expand(g, s, &c, g->has_limits || g->o->smallest > 1)) {
        return queue_repaired(g, s, &c, err);
    }
    if (g->lazy && priority_of(g, &s->split, c.leaf) < c.priority * (1 - 1e-9)) {
        /* The best threshold is unsafe, or other splits have divided the spans since it was queued,
         * so that less of it is left: queue it again by what it gains now. */
        g->tree->refused++;
        c.priority = priority_of(g, &s->split, c.leaf);
        c.gain = s->split.gain;
        return c.gain > 0 ? push(g, c, err) : KN_OK;
    }
    return apply_split(g, s, c.leaf, c.attribute, err);
}

static kn_status try_best_candidate(kn_grow_state *g, kn_error *err)
{
    const kn_split_candidate c = pop(g);

    if (g->tree->node[c.leaf].children > 0) {
        return KN_OK; /* the leaf was split by another candidate */
    }
    KN_PASS(try_split(g, c, err));
    if (g->spans && g->spans->no_memory) {
        KN_PASS(kn__nomem(err));
    }
    if (g->tree->node[c.leaf].children == 0) {
        close_if_done(g, c.leaf);
    }
    return KN_OK;
}

/* Whether a limit of work or memory is reached. The tree is safe as it is, and the splits of most
 * gain are made. */
static bool budget_is_spent(const kn_grow_state *g)
{
    const uint64_t most = g->o->work_most ? g->o->work_most : KN_GROW_WORK_MOST;

    return g->spans && (g->spans->work >= most || g->spans->runs > KN_GROW_RUNS_MOST ||
                        g->tree->nodes > KN_GROW_NODES_MOST);
}

/* Mark the leaves that still have a candidate in the queue. */
static void mark_unsplit(kn_grow_state *g)
{
    for (size_t i = 0; g->spans && i < g->spans->leaves; i++) {
        g->tree->node[i].unsplit = g->spans->leaf[i].candidates > 0 &&
                                   g->tree->node[i].children == 0;
        g->tree->unsplit += g->tree->node[i].unsplit;
    }
}

/* Whether the tree of one leaf is safe. */
static kn_status check_root(kn_grow_state *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    const uint64_t *by = g->tree->population;
    uint64_t most = 0;

    if (!o->target_hidden || !g->has_limits ||
        (kn__grow_counts_are_safe(g, by, g->tree->records) &&
         (!o->holds || o->holds(o->user, g->tree->record, g->tree->records)))) {
        return KN_OK;
    }
    if (g->tree->records < o->k) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "k = %llu cannot be met by %zu record%s: k can be at most %zu",
                        (unsigned long long)o->k, g->tree->records,
                        g->tree->records == 1 ? "" : "s", g->tree->records);
    }
    for (size_t c = 0; c < g->classes; c++) {
        most = by[c] > most ? by[c] : most;
    }
    return kn__fail(
        err, KN_EINFEASIBLE,
        "the class '%.60s' is not diverse enough: its commonest value is that of %.1f %% "
        "of all %zu records, which a model without any split already tells; ask for less",
        o->target->name, 100.0 * (double)most / (double)g->tree->records, g->tree->records);
}

static kn_status grow_unpruned(kn_grown **out, const kn_grow_options *options, kn_error *err)
{
    kn_grow_state g = {.o = options};
    size_t steps = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__grow_set_up(&g, err));
    KN_TRY(check_root(&g, err));
    KN_TRY(queue_leaves(&g, 0, 1, err));
    while (g.queued > 0 && !budget_is_spent(&g)) {
        KN_TRY(try_best_candidate(&g, err));
        if (steps++ % REPORT_STEPS == 0) {
            KN_TRY(kn__run_step(options->run, "grow", -1, err));
        }
    }
    mark_unsplit(&g);
    *out = g.tree;
    g.tree = NULL;
done:
    kn__grow_clear(&g);
    kn__grown_free(g.tree);
    return status;
}

kn_status kn__grow_tree(kn_grown **out, const kn_grow_options *options, kn_error *err)
{
    kn_status status;

    KN_TRY(grow_unpruned(out, options, err));
    if (options->prune) {
        KN_TRY(kn__grow_prune(*out, options, grow_unpruned, err));
    }
done:
    if (status != KN_OK) {
        kn__grown_free(*out);
        *out = NULL;
    }
    return status;
}

void kn__grown_free(kn_grown *t)
{
    if (t) {
        KN_FREE(t->node, t->population, t->record, t->listed, t);
    }
}
