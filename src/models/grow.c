/* grow.c - the queue over all leaves: Algorithm 1 itself. */
#include "models/grow.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/grow_inside.h"

#include <math.h>
#include <string.h>

enum {
    XLOGX = 1 << 16,
    WORTH_THREADS = 1 << 18, /* cells to count before threads are started for it */
    REPORT_SPLITS = 64,
    DEEPEST = 1000 /* paths without a limit of their own end here */
};

/* ---- setting up ---- */

/* Cut the values of an ordered column into bins of about equally many records. */
static kn_status make_bins(kn_growing *g, kn_grow_column *c, kn_error *err)
{
    const kn_column *column = c->is->column;
    const uint32_t values = kn_column_values(column);
    uint64_t *count = kn_zalloc_array(values, sizeof *count), sum = 0, records = g->tree->records;
    uint32_t bins = 0;

    c->bin = kn_malloc_array(values, sizeof *c->bin);
    c->last = kn_malloc_array(KN_GROW_BINS + 1, sizeof *c->last);
    if (!count || !c->bin || !c->last) {
        kn_free(count);
        return kn_nomem(err);
    }
    for (size_t i = 0; i < g->tree->records; i++) {
        count[kn_column_code(column, g->tree->record[i])]++;
    }
    if (column->missing != KN_NO_CODE) {
        records -= count[column->missing];
    }
    for (uint32_t code = 0; code < values; code++) {
        if (code == column->missing) {
            break;
        }
        c->bin[code] = bins;
        c->last[bins] = code;
        sum += count[code];
        if (sum * KN_GROW_BINS >= (bins + 1) * records && bins + 2 < KN_GROW_BINS) {
            bins++;
        }
    }
    c->values = c->bin[column->missing == KN_NO_CODE ? values - 1 : values - 2] + 1;
    if (column->missing != KN_NO_CODE) {
        c->missing = c->values;
        c->bin[column->missing] = c->missing;
        c->last[c->missing] = column->missing;
        c->values++;
    }
    kn_free(count);
    return KN_OK;
}

static kn_status column_init(kn_growing *g, kn_grow_column *c, kn_error *err)
{
    const kn_column *column = c->is->column;
    const size_t records = g->tree->records;
    kn_status st = KN_OK;

    c->ordered = kn_grow_is_ordered(c->is);
    c->values = kn_column_values(column);
    c->missing = column->missing;
    if (c->ordered && c->values > KN_GROW_BINS) {
        st = make_bins(g, c, err);
    }
    if (st != KN_OK) {
        return st;
    }
    c->width = kn_code_width(c->values);
    c->codes = kn_malloc_array(records, c->width);
    if (!c->codes) {
        return kn_nomem(err);
    }
    for (size_t i = 0; i < records; i++) {
        const uint32_t code = kn_column_code(column, g->tree->record[i]);
        kn_code_set(c->codes, c->width, i, c->bin ? c->bin[code] : code);
    }
    g->widest = c->values > g->widest ? c->values : g->widest;
    if (!c->ordered && kn_grow_root(c->is) + 1 > g->names) {
        g->names = kn_grow_root(c->is) + 1;
    }
    return KN_OK;
}

static kn_status add_nodes(kn_growing *g, size_t count, kn_error *err)
{
    kn_grown *t = g->tree;
    const size_t need = t->nodes + count;
    kn_status st = kn_grow(&t->node, &t->cap, need, sizeof *t->node, err);

    if (st == KN_OK) {
        st = kn_grow(&t->population, &t->population_cap, need * g->classes, sizeof *t->population,
                     err);
    }
    if (st == KN_OK) {
        for (size_t i = t->nodes; i < need; i++) {
            t->node[i] = (kn_grown_node){.parent = KN_NO_CODE, .attribute = KN_NO_CODE};
        }
        memset(t->population + t->nodes * g->classes, 0,
               count * g->classes * sizeof *t->population);
        t->nodes = need;
    }
    return st;
}

static void settle(kn_growing *g, uint32_t node)
{
    const uint64_t *by = g->tree->population + (size_t)node * g->classes;
    uint32_t best = 0;

    for (uint32_t c = 1; c < g->classes; c++) {
        best = by[c] > by[best] ? c : best;
    }
    g->tree->node[node].answer = best;
}

static kn_status list_records(kn_growing *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    kn_grown *t = g->tree;

    t->record = kn_malloc_array(o->ds->records, sizeof *t->record);
    g->klass = kn_malloc_array(o->ds->records, 1);
    g->klass_of = kn_malloc_array(o->ds->records, 1);
    if (!t->record || !g->klass || !g->klass_of) {
        return kn_nomem(err);
    }
    for (size_t i = 0; i < o->ds->records; i++) {
        g->klass_of[i] = (uint8_t)kn_column_code(o->target, i);
        if (!o->barred || !o->barred[i]) {
            g->klass[t->records] = g->klass_of[i];
            t->record[t->records++] = (uint32_t)i;
        }
    }
    return KN_OK;
}

static kn_status set_up(kn_growing *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    bool hidden = false;
    kn_status st;

    g->tree = kn_zalloc(sizeof *g->tree);
    g->column = kn_zalloc_array(o->attributes, sizeof *g->column);
    g->xlogx = kn_malloc_array(XLOGX, sizeof *g->xlogx);
    if (!g->tree || !g->column || !g->xlogx) {
        return kn_nomem(err);
    }
    g->xlogx[0] = 0;
    for (size_t i = 1; i < XLOGX; i++) {
        g->xlogx[i] = (double)i * log((double)i);
    }
    g->classes = g->tree->classes = kn_column_values(o->target);
    g->names = 4;
    g->widest = 4;
    st = list_records(g, err);
    for (size_t a = 0; st == KN_OK && a < o->attributes; a++) {
        g->column[a].is = &o->attribute[a];
        hidden = hidden || o->attribute[a].hidden;
        st = column_init(g, &g->column[a], err);
    }
    g->limits = (hidden || o->target_hidden) &&
                (o->k > 1 || o->holds || (o->target_hidden && (o->l > 0 || o->inference > 0)));
    g->lazy = g->limits && (hidden || o->holds);
    g->workers = kn_run_threads(o->run);
    g->scratch = kn_zalloc_array(g->workers, sizeof *g->scratch);
    if (st == KN_OK && !g->scratch) {
        st = kn_nomem(err);
    }
    for (unsigned w = 0; st == KN_OK && w < g->workers; w++) {
        st = kn_scratch_init(&g->scratch[w], g, err);
    }
    if (st == KN_OK) {
        st = add_nodes(g, 1, err);
    }
    if (st == KN_OK) {
        g->tree->node[0].end = g->tree->records;
        for (size_t i = 0; i < g->tree->records; i++) {
            g->tree->population[g->klass[i]]++;
        }
        settle(g, 0);
        if (hidden && g->limits) {
            st = kn_book_new(&g->book, g, err);
        }
    }
    return st;
}

static void clear(kn_growing *g)
{
    for (size_t a = 0; g->column && a < g->o->attributes; a++) {
        kn_free(g->column[a].bin);
        kn_free(g->column[a].last);
        kn_free(g->column[a].codes);
    }
    for (unsigned w = 0; g->scratch && w < g->workers; w++) {
        kn_scratch_clear(&g->scratch[w]);
    }
    kn_book_free(g->book);
    kn_free(g->scratch);
    kn_free(g->column);
    kn_free(g->klass);
    kn_free(g->klass_of);
    kn_free(g->queue);
    kn_free(g->xlogx);
}

/* ---- the queue ---- */

static bool before(const kn_candidate *x, const kn_candidate *y)
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

static kn_status push(kn_growing *g, kn_candidate c, kn_error *err)
{
    size_t at = g->queued;
    const kn_status st = kn_grow(&g->queue, &g->queue_cap, at + 1, sizeof *g->queue, err);

    if (st != KN_OK) {
        return st;
    }
    g->queued++;
    for (size_t up; at > 0 && before(&c, &g->queue[up = (at - 1) / 2]); at = up) {
        g->queue[at] = g->queue[up];
    }
    g->queue[at] = c;
    return KN_OK;
}

static kn_candidate pop(kn_growing *g)
{
    const kn_candidate top = g->queue[0], last = g->queue[--g->queued];
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
    return top;
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
    unsigned levels;     /* candidates that an attribute of a leaf may have */
    kn_candidate *found; /* [(leaf * attributes + attribute) * levels]; a gain of 0: none */
} evaluation;

static unsigned levels_of(const kn_grow_attribute *a)
{
    return a->domain ? a->domain->levels : 1;
}

static void note(const kn_growing *g, const kn_grow_scratch *s, kn_candidate *to, uint32_t leaf,
                 uint32_t a, unsigned level, unsigned repair)
{
    const double key = key_of(g, &s->shape, leaf);

    if (s->shape.gain > 0 && key > to->key * (1 + 1e-9)) {
        *to = (kn_candidate){.key = key,
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
                     kn_candidate *found)
{
    const uint64_t size = g->tree->node[leaf].end - g->tree->node[leaf].begin;
    uint32_t cells = 1;

    if (g->tree->population[(size_t)leaf * g->classes + g->tree->node[leaf].answer] == size) {
        return; /* all of one class */
    }
    kn_grow_count(g, s, leaf, a);
    if (g->column[a].ordered) {
        if (s->seen > 1 && kn_grow_ordered(g, s, leaf, a, !g->lazy)) {
            note(g, s, found, leaf, a, 0, KN_REPAIR_NONE);
        }
        return;
    }
    for (unsigned level = levels_of(g->column[a].is); s->seen > 1 && level-- > 0;) {
        /* A finer level that parts the leaf in the same way may still part the spans otherwise. */
        if (!kn_grow_cells(g, s, leaf, a, level, KN_REPAIR_NONE, false) ||
            (!g->book && s->shape.cells == cells)) {
            continue;
        }
        cells = s->shape.cells;
        if (g->lazy) {
            note(g, s, found + level, leaf, a, level, KN_REPAIR_NONE);
            continue;
        }
        for (unsigned repair = KN_REPAIR_NONE; repair < KN_REPAIRS; repair++) {
            if (kn_grow_cells(g, s, leaf, a, level, repair, true)) {
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
    kn_candidate *found = e->found + leaf * count, *best = NULL;
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
    kn_status st = KN_OK;

    if (node[first].depth >= (g->o->depth ? g->o->depth : (size_t)DEEPEST)) {
        return KN_OK;
    }
    for (size_t a = 0; g->lazy && a < g->o->attributes; a++) {
        const unsigned levels = levels_of(g->column[a].is);
        e.levels = levels > e.levels ? levels : e.levels;
    }
    for (size_t i = 0; i < leaves; i++) {
        rows += node[first + i].end - node[first + i].begin;
    }
    e.found = kn_zalloc_array(leaves * g->o->attributes * e.levels, sizeof *e.found);
    if (!e.found) {
        return kn_nomem(err);
    }
    kn_parallel_for(rows * g->o->attributes < WORTH_THREADS ? 1 : g->workers,
                    leaves * g->o->attributes, 1, evaluate_some, &e);
    for (size_t i = 0; st == KN_OK && i < leaves; i++) {
        st = queue_leaf(g, &e, i, err);
    }
    kn_free(e.found);
    return st;
}

/* ---- making a split ---- */

typedef struct reordering {
    kn_growing *g;
    size_t begin, end;
    const uint32_t *cell; /* by place from begin on */
    const size_t *starts; /* by cell: where it goes to */
    uint32_t cells;
    void **room;    /* by worker */
    size_t **place; /* by worker: the next place of each cell */
} reordering;

#define SCATTER(type)                           \
    do {                                        \
        const type *from = (const type *)codes; \
        type *to = (type *)r->room[worker];     \
        for (size_t j = 0; j < count; j++) {    \
            to[place[r->cell[j]]++] = from[j];  \
        }                                       \
    } while (0)

/* Column `i` of the attributes, then the class, then the record numbers. */
static void reorder(void *user, unsigned worker, size_t begin, size_t end)
{
    const reordering *r = user;
    kn_growing *g = r->g;
    const size_t count = r->end - r->begin;

    for (size_t i = begin; i < end; i++) {
        const size_t a = g->o->attributes;
        const uint8_t width = i < a ? g->column[i].width : i == a ? 1 : sizeof(uint32_t);
        char *codes = i < a    ? g->column[i].codes
                      : i == a ? (void *)g->klass
                               : (void *)g->tree->record;
        size_t *place = r->place[worker];
        codes += r->begin * width;
        memcpy(place, r->starts, r->cells * sizeof *place);
        if (width == 1) {
            SCATTER(uint8_t);
        } else if (width == 2) {
            SCATTER(uint16_t);
        } else {
            SCATTER(uint32_t);
        }
        memcpy(codes, r->room[worker], count * width);
    }
}

static kn_status reorder_leaf(kn_growing *g, const kn_shape *shape, uint32_t leaf, uint32_t a,
                              size_t *starts, kn_error *err)
{
    const kn_grown_node *n = &g->tree->node[leaf];
    const size_t count = n->end - n->begin, columns = g->o->attributes + 2;
    const unsigned threads = count * columns < WORTH_THREADS ? 1 : g->workers;
    uint32_t *cell = kn_malloc_array(count, sizeof *cell);
    reordering r = {.g = g,
                    .begin = n->begin,
                    .end = n->end,
                    .cell = cell,
                    .starts = starts,
                    .cells = shape->cells};
    kn_status st = KN_OK;

    r.room = kn_zalloc_array(threads, sizeof *r.room);
    r.place = kn_zalloc_array(threads, sizeof *r.place);
    if (!cell || !r.room || !r.place) {
        st = kn_nomem(err);
    }
    for (unsigned w = 0; st == KN_OK && w < threads; w++) {
        r.room[w] = kn_malloc_array(count, sizeof(uint32_t));
        r.place[w] = kn_malloc_array(shape->cells, sizeof **r.place);
        st = r.room[w] && r.place[w] ? KN_OK : kn_nomem(err);
    }
    if (st == KN_OK) {
        memset(starts, 0, ((size_t)shape->cells + 1) * sizeof *starts);
        for (size_t i = 0; i < count; i++) {
            cell[i] =
                shape->cell[kn_code_get(g->column[a].codes, g->column[a].width, n->begin + i)];
            starts[cell[i] + 1]++;
        }
        for (uint32_t i = 0; i < shape->cells; i++) {
            starts[i + 1] += starts[i];
        }
        kn_parallel_for(threads, columns, 1, reorder, &r);
    }
    for (unsigned w = 0; w < threads; w++) {
        kn_free(r.room ? r.room[w] : NULL);
        kn_free(r.place ? r.place[w] : NULL);
    }
    kn_free(r.room);
    kn_free(r.place);
    kn_free(cell);
    return st;
}

static void set_way(kn_grown_node *child, const kn_shape *s, uint32_t cell)
{
    if (s->gaps == KN_GAPS_MODES) {
        child->way = KN_WAY_VALUES;
        child->name = s->name[cell];
        return;
    }
    if (s->gaps == KN_GAPS_ONLY) {
        child->way = cell == 0 ? KN_WAY_PRESENT : KN_WAY_MISSING;
        return;
    }
    child->way = cell == 0 ? KN_WAY_LESS_EQUAL : cell == 1 ? KN_WAY_GREATER : KN_WAY_MISSING;
    child->number = s->number;
    child->missing = (cell == 0 && s->gaps == KN_GAPS_LEFT) ||
                     (cell == 1 && s->gaps == KN_GAPS_RIGHT);
}

static kn_status make_split(kn_growing *g, const kn_shape *s, uint32_t leaf, uint32_t a,
                            kn_error *err)
{
    kn_grown *t = g->tree;
    const uint32_t first = (uint32_t)t->nodes;
    size_t *starts = kn_malloc_array((size_t)s->cells + 1, sizeof *starts);
    kn_status st = starts ? reorder_leaf(g, s, leaf, a, starts, err) : kn_nomem(err);

    if (st == KN_OK) {
        st = add_nodes(g, s->cells, err);
    }
    if (st == KN_OK) {
        t->node[leaf].first = first;
        t->node[leaf].children = s->cells;
        t->node[leaf].attribute = a;
        for (uint32_t i = 0; i < s->cells; i++) {
            kn_grown_node *child = &t->node[first + i];
            child->parent = leaf;
            child->depth = t->node[leaf].depth + 1;
            child->begin = t->node[leaf].begin + starts[i];
            child->end = t->node[leaf].begin + starts[i + 1];
            set_way(child, s, i);
            memcpy(t->population + (size_t)(first + i) * g->classes,
                   s->counts + (size_t)i * g->classes, g->classes * sizeof *t->population);
            settle(g, first + i);
        }
        if (g->book) {
            st = kn_book_split(g, s, leaf, err);
        }
    }
    kn_free(starts);
    return st == KN_OK ? queue_leaves(g, first, s->cells, err) : st;
}

/* ---- the loop ---- */

/* Make the split that `c` names in all detail. */
static bool make_shape(const kn_growing *g, kn_grow_scratch *s, const kn_candidate *c, bool check)
{
    return g->column[c->attribute].ordered
               ? kn_grow_ordered(g, s, c->leaf, c->attribute, check)
               : kn_grow_cells(g, s, c->leaf, c->attribute, c->level, c->repair, check);
}

/* A split that breaks the guarantee gives way to what can be saved of it, if anything can. */
static kn_status queue_repaired(kn_growing *g, kn_grow_scratch *s, const kn_candidate *c,
                                kn_error *err)
{
    kn_candidate best = {0};

    g->tree->refused++;
    if (g->column[c->attribute].ordered || g->column[c->attribute].is->hidden ||
        c->repair != KN_REPAIR_NONE) {
        return KN_OK;
    }
    for (unsigned repair = KN_REPAIR_LUMP; repair < KN_REPAIRS; repair++) {
        if (kn_grow_cells(g, s, c->leaf, c->attribute, c->level, repair, true)) {
            note(g, s, &best, c->leaf, c->attribute, c->level, repair);
        }
    }
    best.behind = c->behind;
    return best.gain > 0 ? push(g, best, err) : KN_OK;
}

static kn_status try_best(kn_growing *g, kn_error *err)
{
    kn_candidate c = pop(g);
    kn_grow_scratch *s = &g->scratch[0];

    if (g->tree->node[c.leaf].children > 0) {
        return KN_OK;
    }
    kn_grow_count(g, s, c.leaf, c.attribute);
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
    return make_split(g, &s->shape, c.leaf, c.attribute, err);
}

static kn_status check_root(kn_growing *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    const uint64_t *by = g->tree->population;
    uint64_t most = 0;

    if (!o->target_hidden || !g->limits ||
        (kn_grow_keeps(g, by, g->tree->records) &&
         (!o->holds || o->holds(o->user, g->tree->record, g->tree->records)))) {
        return KN_OK;
    }
    if (g->tree->records < o->k) {
        return kn_fail(err, KN_EINFEASIBLE,
                       "k = %llu cannot be met by %zu records: k can be at most %zu",
                       (unsigned long long)o->k, g->tree->records, g->tree->records);
    }
    for (size_t c = 0; c < g->classes; c++) {
        most = by[c] > most ? by[c] : most;
    }
    return kn_fail(
        err, KN_EINFEASIBLE,
        "the class '%.60s' is not diverse enough: its commonest value is that of %.1f %% "
        "of all %zu records, which a model without any split already tells; ask for less",
        o->target->name, 100.0 * (double)most / (double)g->tree->records, g->tree->records);
}

kn_status kn_grow_tree(kn_grown **out, const kn_grow_options *options, kn_error *err)
{
    kn_growing g = {.o = options};
    size_t splits = 0;
    kn_status st;

    *out = NULL;
    st = set_up(&g, err);
    if (st == KN_OK) {
        st = check_root(&g, err);
    }
    if (st == KN_OK) {
        st = queue_leaves(&g, 0, 1, err);
    }
    while (st == KN_OK && g.queued > 0) {
        st = try_best(&g, err);
        if (st == KN_OK && splits++ % REPORT_SPLITS == 0) {
            st = kn_run_step(options->run, "grow", -1, err);
        }
    }
    clear(&g);
    if (st != KN_OK) {
        kn_grown_free(g.tree);
        return st;
    }
    if (options->prune) {
        kn_grow_prune(g.tree);
    }
    *out = g.tree;
    return KN_OK;
}

void kn_grown_free(kn_grown *t)
{
    if (t) {
        kn_free(t->node);
        kn_free(t->population);
        kn_free(t->record);
        kn_free(t);
    }
}
