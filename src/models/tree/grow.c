/* grow.c - the queue over all leaves: Algorithm 1 itself. */
#include "models/tree/grow.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/tree/grow_state.h"

enum {
    REPORT_SPLITS = 64,
    DEEPEST = 1000 /* paths without a limit of their own end here */
};

/* ---- the queue ---- */

static bool before(const kn_split_candidate *x, const kn_split_candidate *y)
{
    if (x->behind != y->behind) {
        return x->behind < y->behind;
    }
    if (x->key < y->key || x->key > y->key) {
        return x->key > y->key;
    }
    if (x->leaf != y->leaf) {
        return x->leaf < y->leaf;
    }
    return x->attribute != y->attribute ? x->attribute < y->attribute : x->level > y->level;
}

static kn_status push(kn_growing *g, kn_split_candidate c, kn_error *err)
{
    size_t at = g->queued;
    const kn_status st = kn__grow(&g->queue, &g->queue_cap, at + 1, sizeof *g->queue, err);

    if (st != KN_OK) {
        return st;
    }
    g->queued++;
    for (size_t up; at > 0 && before(&c, &g->queue[up = (at - 1) / 2]); at = up) {
        g->queue[at] = g->queue[up];
    }
    g->queue[at] = c;
    if (g->book) {
        g->book->node[c.leaf].waiting++;
    }
    return KN_OK;
}

static kn_split_candidate pop(kn_growing *g)
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
    if (g->book) {
        g->book->node[top.leaf].waiting--;
    }
    return top;
}

/* Whether the leaf is done with; then its spans need not be known any more. */
static void close_if_done(kn_growing *g, uint32_t leaf)
{
    if (g->book && g->book->node[leaf].waiting == 0) {
        kn__span_table_close(g->book, leaf);
    }
}

static double key_of(const kn_growing *g, const kn_shape *s, uint32_t leaf)
{
    const kn_grown_node *n = &g->tree->node[leaf];

    return g->o->gain == KN_GAIN_RATIO ? s->ratio * (double)(n->end - n->begin) : s->gain;
}

/* ---- the splits of new leaves ---- */

typedef struct evaluation {
    kn_growing *g;
    uint32_t first;
    size_t leaves;
    unsigned levels;           /* candidates that an attribute of a leaf may have */
    kn_split_candidate *found; /* [(leaf * attributes + attribute) * levels]; a gain of 0: none */
} evaluation;

static unsigned levels_of(const kn_grow_attribute *a)
{
    return a->domain ? a->domain->levels : 1;
}

static void note(const kn_growing *g, const kn_grow_scratch *s, kn_split_candidate *to,
                 uint32_t leaf, uint32_t a, unsigned level, unsigned repair)
{
    const double key = key_of(g, &s->shape, leaf);

    if (s->shape.gain > 0 && key > to->key * (1 + 1e-9)) {
        *to = (kn_split_candidate){.key = key,
                                   .gain = s->shape.gain,
                                   .leaf = leaf,
                                   .attribute = a,
                                   .level = (uint16_t)level,
                                   .repair = (uint8_t)repair};
    }
}

/* All splits of a leaf by one attribute: one a level where they are looked at later, else the best
 * of those that are safe. From the coarsest level down, so that of equal splits the coarsest is
 * taken. */
static void evaluate(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                     kn_split_candidate *found)
{
    const uint64_t size = g->tree->node[leaf].end - g->tree->node[leaf].begin;
    uint32_t cells = 1;

    if (g->tree->population[(size_t)leaf * g->classes + g->tree->node[leaf].answer] == size) {
        return; /* all of one class */
    }
    kn__grow_count(g, s, leaf, a);
    if (g->column[a].ordered) {
        if (s->seen > 1 && kn__grow_ordered(g, s, leaf, a, !g->lazy)) {
            note(g, s, found, leaf, a, 0, KN_REPAIR_NONE);
        }
        return;
    }
    for (unsigned level = levels_of(g->column[a].is); s->seen > 1 && level-- > 0;) {
        /* A finer level that parts the leaf in the same way may still part the spans otherwise. */
        if (!kn__grow_cells(g, s, leaf, a, level, KN_REPAIR_NONE, false) ||
            (!g->book && s->shape.cells == cells)) {
            continue;
        }
        cells = s->shape.cells;
        if (g->lazy) {
            note(g, s, found + level, leaf, a, level, KN_REPAIR_NONE);
            continue;
        }
        for (unsigned repair = KN_REPAIR_NONE; repair < KN_REPAIRS; repair++) {
            if (kn__grow_cells(g, s, leaf, a, level, repair, true)) {
                note(g, s, found, leaf, a, level, repair);
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

/* Into the queue with what was found for one leaf. C4.5's rule for the gain ratio: splits of less
 * than average gain come last, as a small ratio's denominator flatters them. */
static kn_status queue_leaf(kn_growing *g, const evaluation *e, size_t leaf, kn_error *err)
{
    const size_t count = g->o->attributes * e->levels;
    kn_split_candidate *found = e->found + leaf * count, *best = NULL;
    double sum = 0;
    size_t some = 0;
    kn_status st = KN_OK;

    for (size_t i = 0; i < count; i++) {
        sum += found[i].gain;
        some += found[i].gain > 0;
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        if (!(found[i].gain > 0)) {
            continue;
        }
        found[i].behind = g->o->gain == KN_GAIN_RATIO &&
                          found[i].gain * (double)some < sum * (1 - 1e-9);
        if (g->lazy) {
            st = push(g, found[i], err);
        } else if (!best || before(&found[i], best)) {
            best = &found[i];
        }
    }
    return st == KN_OK && best ? push(g, *best, err) : st;
}

static kn_status queue_leaves(kn_growing *g, uint32_t first, size_t leaves, kn_error *err)
{
    evaluation e = {.g = g, .first = first, .leaves = leaves, .levels = 1};
    const kn_grown_node *node = g->tree->node;
    size_t rows = 0;
    kn_status status = KN_OK;

    if (node[first].depth >= (g->o->depth ? g->o->depth : (size_t)DEEPEST)) {
        for (size_t i = 0; i < leaves; i++) {
            close_if_done(g, first + (uint32_t)i);
        }
        return KN_OK;
    }
    for (size_t a = 0; g->lazy && a < g->o->attributes; a++) {
        const unsigned levels = levels_of(g->column[a].is);
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

static kn_status make_split(kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                            kn_error *err)
{
    const uint32_t first = (uint32_t)g->tree->nodes, cells = s->shape.cells;
    kn_status status;

    KN_TRY(kn__grow_make_split(g, &s->shape, leaf, a, err));
    if (g->book) {
        KN_TRY(kn__span_table_split(g, s, leaf, err));
    }
    KN_TRY(queue_leaves(g, first, cells, err));
done:
    return status;
}

/* Make the split that `c` names in all detail. */
static bool make_shape(const kn_growing *g, kn_grow_scratch *s, const kn_split_candidate *c,
                       bool check)
{
    return g->column[c->attribute].ordered
               ? kn__grow_ordered(g, s, c->leaf, c->attribute, check)
               : kn__grow_cells(g, s, c->leaf, c->attribute, c->level, c->repair, check);
}

/* A split that breaks the guarantee gives way to what can be saved of it, if anything can. */
static kn_status queue_repaired(kn_growing *g, kn_grow_scratch *s, const kn_split_candidate *c,
                                kn_error *err)
{
    kn_split_candidate best = {0};

    g->tree->refused++;
    if (g->column[c->attribute].ordered || g->column[c->attribute].is->hidden ||
        c->repair != KN_REPAIR_NONE || (g->book && kn__span_table_saturated(g, c->leaf))) {
        return KN_OK;
    }
    for (unsigned repair = KN_REPAIR_LUMP; repair < KN_REPAIRS; repair++) {
        if (kn__grow_cells(g, s, c->leaf, c->attribute, c->level, repair, true)) {
            note(g, s, &best, c->leaf, c->attribute, c->level, repair);
        }
    }
    best.behind = c->behind;
    return best.gain > 0 ? push(g, best, err) : KN_OK;
}

static kn_status try_split(kn_growing *g, kn_split_candidate c, kn_error *err)
{
    kn_grow_scratch *s = &g->scratch[0];

    kn__grow_count(g, s, c.leaf, c.attribute);
    if (!make_shape(g, s, &c, g->limits)) {
        return queue_repaired(g, s, &c, err);
    }
    if (g->lazy && key_of(g, &s->shape, c.leaf) < c.key * (1 - 1e-9)) {
        /* The best threshold is not safe, or other splits have parted the spans meanwhile: it waits
         * for its turn again. */
        g->tree->refused++;
        c.key = key_of(g, &s->shape, c.leaf);
        c.gain = s->shape.gain;
        return c.gain > 0 ? push(g, c, err) : KN_OK;
    }
    return make_split(g, s, c.leaf, c.attribute, err);
}

static kn_status try_best(kn_growing *g, kn_error *err)
{
    const kn_split_candidate c = pop(g);
    kn_status st = KN_OK;

    if (g->tree->node[c.leaf].children == 0) {
        st = try_split(g, c, err);
        if (st == KN_OK && g->book && g->book->no_memory) {
            st = kn__nomem(err);
        }
        if (st == KN_OK && g->tree->node[c.leaf].children == 0) {
            close_if_done(g, c.leaf);
        }
    }
    return st;
}

/* Whether growing has come to its end: what is there is safe, and what gained most is there. */
static bool is_enough(const kn_growing *g)
{
    const uint64_t most = g->o->work_most ? g->o->work_most : KN_GROW_WORK_MOST;

    return g->book && (g->book->work >= most || g->book->listed > KN_GROW_LISTED_MOST ||
                       g->tree->nodes > KN_GROW_NODES_MOST);
}

/* Leaves that still have a split waiting. */
static size_t count_unsplit(const kn_growing *g)
{
    size_t count = 0;

    for (size_t i = 0; g->book && i < g->book->nodes; i++) {
        count += g->book->node[i].waiting > 0 && g->tree->node[i].children == 0;
    }
    return count;
}

static kn_status check_root(kn_growing *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    const uint64_t *by = g->tree->population;
    uint64_t most = 0;

    if (!o->target_hidden || !g->limits ||
        (kn__grow_keeps(g, by, g->tree->records) &&
         (!o->holds || o->holds(o->user, g->tree->record, g->tree->records)))) {
        return KN_OK;
    }
    if (g->tree->records < o->k) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "k = %llu cannot be met by %zu records: k can be at most %zu",
                        (unsigned long long)o->k, g->tree->records, g->tree->records);
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

kn_status kn__grow_tree(kn_grown **out, const kn_grow_options *options, kn_error *err)
{
    kn_growing g = {.o = options};
    size_t splits = 0;
    kn_status st;

    *out = NULL;
    st = kn__grow_set_up(&g, err);
    if (st == KN_OK) {
        st = check_root(&g, err);
    }
    if (st == KN_OK) {
        st = queue_leaves(&g, 0, 1, err);
    }
    while (st == KN_OK && g.queued > 0 && !is_enough(&g)) {
        st = try_best(&g, err);
        if (st == KN_OK && splits++ % REPORT_SPLITS == 0) {
            st = kn__run_step(options->run, "grow", -1, err);
        }
    }
    if (st == KN_OK) {
        g.tree->unsplit = count_unsplit(&g);
    }
    kn__grow_clear(&g);
    if (st != KN_OK) {
        kn__grown_free(g.tree);
        return st;
    }
    if (options->prune) {
        kn__grow_prune(g.tree);
    }
    *out = g.tree;
    return KN_OK;
}

void kn__grown_free(kn_grown *t)
{
    if (t) {
        kn__free(t->node);
        kn__free(t->population);
        kn__free(t->record);
        kn__free(t);
    }
}
