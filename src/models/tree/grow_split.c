/* grow_split.c - applying a split: a counting sort puts records and columns into the order of the
 * new leaves. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/tree/grow_state.h"

#include <string.h>

typedef struct reordering {
    kn_grow_state *g;
    size_t begin, end;
    const uint32_t *child; /* by place from begin on */
    const size_t *starts;  /* by child: where it goes to */
    uint32_t children;
    void **buffer;  /* by worker */
    size_t **place; /* by worker: the next place of each child */
} reordering;

#define SCATTER(type)                                              \
    for (size_t j = 0; j < count; j++) {                           \
        ((type *)to)[place[child[j]]++] = ((const type *)from)[j]; \
    }

void kn__grow_scatter(void *to, const void *from, uint8_t width, const uint32_t *child,
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

/* Reorder the columns begin..end - 1: the attributes, then the class, then the record numbers. */
static void reorder(void *user, unsigned worker, size_t begin, size_t end)
{
    const reordering *r = user;
    kn_grow_state *g = r->g;
    const size_t count = r->end - r->begin, attributes = g->o->attributes;
    size_t *place = r->place[worker];
    void *to = r->buffer[worker];

    for (size_t i = begin; i < end; i++) {
        void *codes = g->tree->record;
        uint8_t width = sizeof *g->tree->record;
        char *from;
        if (i < attributes) {
            codes = g->column[i].codes;
            width = g->column[i].width;
        } else if (i == attributes) {
            codes = g->klass;
            width = sizeof *g->klass;
        }
        from = (char *)codes + r->begin * width;
        memcpy(place, r->starts, r->children * sizeof *place);
        kn__grow_scatter(to, from, width, r->child, place, count);
        memcpy(from, to, count * width);
    }
}

static kn_status reorder_leaf(kn_grow_state *g, const kn_split *split, uint32_t leaf, uint32_t a,
                              size_t *starts, kn_error *err)
{
    const kn_grown_node *n = &g->tree->node[leaf];
    const size_t count = n->end - n->begin, columns = g->o->attributes + 2;
    const unsigned threads = count * columns < KN_GROW_WORTH_THREADS ? 1 : g->workers;
    uint32_t *child = kn__malloc_array(count, sizeof *child);
    reordering r = {.g = g,
                    .begin = n->begin,
                    .end = n->end,
                    .child = child,
                    .starts = starts,
                    .children = split->children};
    kn_status status = KN_OK;

    r.buffer = kn__zalloc_array(threads, sizeof *r.buffer);
    r.place = kn__zalloc_array(threads, sizeof *r.place);
    KN_TRY(child && r.buffer && r.place ? KN_OK : kn__nomem(err));
    for (unsigned w = 0; w < threads; w++) {
        r.buffer[w] = kn__malloc_array(count, sizeof(uint32_t));
        r.place[w] = kn__malloc_array(split->children, sizeof **r.place);
        KN_TRY(r.buffer[w] && r.place[w] ? KN_OK : kn__nomem(err));
    }
    memset(starts, 0, ((size_t)split->children + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        child[i] = split->child[kn__code_get(g->column[a].codes, g->column[a].width, n->begin + i)];
        starts[child[i] + 1]++;
    }
    for (uint32_t i = 0; i < split->children; i++) {
        starts[i + 1] += starts[i];
    }
    kn__parallel_for(threads, columns, 1, reorder, &r);
done:
    for (unsigned w = 0; w < threads; w++) {
        KN_FREE(r.buffer ? r.buffer[w] : NULL, r.place ? r.place[w] : NULL);
    }
    KN_FREE(r.buffer, r.place, child);
    return status;
}

/* Note the values that child 0 of a subset split lists. */
static kn_status list_values(kn_grown *t, kn_grown_node *child, const kn_split *s, uint32_t values,
                             kn_error *err)
{
    child->listed = t->listed_count;
    for (uint32_t code = 0; code < values; code++) {
        if (s->child[code] == 0) {
            KN_PASS(
                kn__grow(&t->listed, &t->listed_cap, t->listed_count + 1, sizeof *t->listed, err));
            t->listed[t->listed_count++] = code;
        }
    }
    child->listed_end = t->listed_count;
    return KN_OK;
}

/* The test on the way into child number `i` of the split. */
static void set_branch(kn_grown_node *child, const kn_split *s, uint32_t i, uint32_t root)
{
    if (s->missing_mode == KN_MISSING_MODES) {
        child->branch = s->subset && i == 0 ? KN_BRANCH_LISTED : KN_BRANCH_VALUES;
        child->name = s->subset ? root : s->name[i];
        return;
    }
    if (s->missing_mode == KN_MISSING_VERSUS_REST) {
        child->branch = i == 0 ? KN_BRANCH_PRESENT : KN_BRANCH_MISSING;
        return;
    }
    child->branch = i == 0 ? KN_BRANCH_LESS_EQUAL : KN_BRANCH_GREATER;
    child->number = s->threshold;
    child->missing = (i == 0 && s->missing_mode == KN_MISSING_LEFT) ||
                     (i == 1 && s->missing_mode == KN_MISSING_RIGHT);
}

kn_status kn__grow_apply_split(kn_grow_state *g, const kn_split *s, uint32_t leaf, uint32_t a,
                               kn_error *err)
{
    kn_grown *t = g->tree;
    const uint32_t first = (uint32_t)t->nodes;
    size_t *starts = kn__malloc_array((size_t)s->children + 1, sizeof *starts);
    kn_status status;

    KN_TRY(starts ? reorder_leaf(g, s, leaf, a, starts, err) : kn__nomem(err));
    KN_TRY(kn__grow_add_nodes(g, s->children, err));
    if (s->missing_mode == KN_MISSING_MODES && s->subset) {
        KN_TRY(list_values(t, &t->node[first], s, g->column[a].values, err));
    }
    t->node[leaf].first = first;
    t->node[leaf].children = s->children;
    t->node[leaf].attribute = a;
    for (uint32_t i = 0; i < s->children; i++) {
        kn_grown_node *child = &t->node[first + i];
        child->parent = leaf;
        child->depth = t->node[leaf].depth + 1;
        child->begin = t->node[leaf].begin + starts[i];
        child->end = t->node[leaf].begin + starts[i + 1];
        set_branch(child, s, i, kn__grow_root(g->column[a].attribute));
        memcpy(t->population + (size_t)(first + i) * g->classes, s->counts + (size_t)i * g->classes,
               g->classes * sizeof *t->population);
        kn__grow_set_answer(g, first + i);
    }
done:
    kn__free(starts);
    return status;
}
