/* grow_split.c - making a split: records and columns are put into the order of the new leaves. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/tree/grow_state.h"

#include <string.h>

typedef struct reordering {
    kn_growing *g;
    size_t begin, end;
    const uint32_t *cell; /* by place from begin on */
    const size_t *starts; /* by cell: where it goes to */
    uint32_t cells;
    void **room;    /* by worker */
    size_t **place; /* by worker: the next place of each cell */
} reordering;

#define SCATTER(type)                                             \
    for (size_t j = 0; j < count; j++) {                          \
        ((type *)to)[place[cell[j]]++] = ((const type *)from)[j]; \
    }

void kn__grow_scatter(void *to, const void *from, uint8_t width, const uint32_t *cell,
                      size_t *place, size_t count)
{
    if (width == 1) {
        SCATTER(uint8_t);
    } else if (width == 2) {
        SCATTER(uint16_t);
    } else {
        SCATTER(uint32_t);
    }
}

/* Column `i` of the attributes, then the class, then the record numbers. */
static void reorder(void *user, unsigned worker, size_t begin, size_t end)
{
    const reordering *r = user;
    kn_growing *g = r->g;
    const size_t count = r->end - r->begin;
    size_t *place = r->place[worker];
    void *to = r->room[worker];

    for (size_t i = begin; i < end; i++) {
        const size_t a = g->o->attributes;
        const uint8_t width = i < a ? g->column[i].width : i == a ? 1 : sizeof(uint32_t);
        char *codes = i < a    ? g->column[i].codes
                      : i == a ? (void *)g->klass
                               : (void *)g->tree->record;
        const void *from = codes + r->begin * width;
        memcpy(place, r->starts, r->cells * sizeof *place);
        kn__grow_scatter(to, from, width, r->cell, place, count);
        memcpy(codes + r->begin * width, to, count * width);
    }
}

static kn_status reorder_leaf(kn_growing *g, const kn_shape *shape, uint32_t leaf, uint32_t a,
                              size_t *starts, kn_error *err)
{
    const kn_grown_node *n = &g->tree->node[leaf];
    const size_t count = n->end - n->begin, columns = g->o->attributes + 2;
    const unsigned threads = count * columns < KN_GROW_WORTH_THREADS ? 1 : g->workers;
    uint32_t *cell = kn__malloc_array(count, sizeof *cell);
    reordering r = {.g = g,
                    .begin = n->begin,
                    .end = n->end,
                    .cell = cell,
                    .starts = starts,
                    .cells = shape->cells};
    kn_status st = KN_OK;

    r.room = kn__zalloc_array(threads, sizeof *r.room);
    r.place = kn__zalloc_array(threads, sizeof *r.place);
    if (!cell || !r.room || !r.place) {
        st = kn__nomem(err);
    }
    for (unsigned w = 0; st == KN_OK && w < threads; w++) {
        r.room[w] = kn__malloc_array(count, sizeof(uint32_t));
        r.place[w] = kn__malloc_array(shape->cells, sizeof **r.place);
        st = r.room[w] && r.place[w] ? KN_OK : kn__nomem(err);
    }
    if (st == KN_OK) {
        memset(starts, 0, ((size_t)shape->cells + 1) * sizeof *starts);
        for (size_t i = 0; i < count; i++) {
            cell[i] =
                shape->cell[kn__code_get(g->column[a].codes, g->column[a].width, n->begin + i)];
            starts[cell[i] + 1]++;
        }
        for (uint32_t i = 0; i < shape->cells; i++) {
            starts[i + 1] += starts[i];
        }
        kn__parallel_for(threads, columns, 1, reorder, &r);
    }
    for (unsigned w = 0; w < threads; w++) {
        kn__free(r.room ? r.room[w] : NULL);
        kn__free(r.place ? r.place[w] : NULL);
    }
    kn__free(r.room);
    kn__free(r.place);
    kn__free(cell);
    return st;
}

static void set_way(kn_grown_node *child, const kn_shape *s, uint32_t cell)
{
    if (s->gaps == KN_GAPS_MODES) {
        child->branch = KN_BRANCH_VALUES;
        child->name = s->name[cell];
        return;
    }
    if (s->gaps == KN_GAPS_ONLY) {
        child->branch = cell == 0 ? KN_BRANCH_PRESENT : KN_BRANCH_MISSING;
        return;
    }
    child->branch = cell == 0   ? KN_BRANCH_LESS_EQUAL
                    : cell == 1 ? KN_BRANCH_GREATER
                                : KN_BRANCH_MISSING;
    child->number = s->number;
    child->missing = (cell == 0 && s->gaps == KN_GAPS_LEFT) ||
                     (cell == 1 && s->gaps == KN_GAPS_RIGHT);
}

kn_status kn__grow_make_split(kn_growing *g, const kn_shape *s, uint32_t leaf, uint32_t a,
                              kn_error *err)
{
    kn_grown *t = g->tree;
    const uint32_t first = (uint32_t)t->nodes;
    size_t *starts = kn__malloc_array((size_t)s->cells + 1, sizeof *starts);
    kn_status status;

    KN_TRY(starts ? reorder_leaf(g, s, leaf, a, starts, err) : kn__nomem(err));
    KN_TRY(kn__grow_add_nodes(g, s->cells, err));
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
        memcpy(t->population + (size_t)(first + i) * g->classes, s->counts + (size_t)i * g->classes,
               g->classes * sizeof *t->population);
        kn__grow_settle(g, first + i);
    }
done:
    kn__free(starts);
    return status;
}
