/* tree_arrange.c - records level by level. */
#include "data/tree_arrange.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

void kn__arranger_free(kn_arranger *a)
{
    KN_FREE(a->placed, a->kept, a->renamed, a->level, a->above);
}

kn_status kn__arranger_reserve(kn_arranger *a, size_t n, kn_error *err)
{
    KN_PASS(kn__grow(&a->placed, &a->placed_cap, n, sizeof *a->placed, err));
    KN_PASS(kn__grow(&a->kept, &a->kept_cap, n, sizeof *a->kept, err));
    KN_PASS(kn__grow(&a->renamed, &a->renamed_cap, n, sizeof *a->renamed, err));
    KN_PASS(kn__grow(&a->level, &a->level_cap, n, sizeof *a->level, err));
    return kn__grow(&a->above, &a->above_cap, n, sizeof *a->above, err);
}

static int by_level(const void *a, const void *b)
{
    const kn_placed *x = a, *y = b;

    return x->level < y->level ? -1 : x->level > y->level;
}

static int by_parent(const void *a, const void *b)
{
    const kn_placed *x = a, *y = b;

    if (x->up != y->up) {
        return x->up < y->up ? -1 : 1;
    }
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->node < y->node ? -1 : x->node > y->node;
}

static void sort_placed(kn_placed *p, size_t n, int (*order)(const void *, const void *))
{
    if (n <= 16) { /* most records are small: insertion sort, stable, no call of the library */
        for (size_t i = 1; i < n; i++) {
            const kn_placed one = p[i];
            size_t j = i;
            for (; j > 0 && order(&one, &p[j - 1]) < 0; j--) {
                p[j] = p[j - 1];
            }
            p[j] = one;
        }
        return;
    }
    qsort(p, n, sizeof *p, order);
}

/* The kept nodes of all levels into a->kept; how many. */
static uint32_t keep_levels(kn_arranger *a, const uint32_t *value, const uint32_t *parent,
                            uint32_t n, bool merge)
{
    uint32_t kept = 0;

    for (uint32_t begin = 0, end; begin < n; begin = end) {
        for (end = begin; end < n && a->placed[end].level == a->placed[begin].level; end++) {
            kn_placed *p = &a->placed[end];
            p->up = parent[p->node] == KN_NO_PARENT ? 0 : a->renamed[parent[p->node]];
            p->key = merge ? value[p->node] : p->node;
        }
        sort_placed(a->placed + begin, end - begin, by_parent);
        for (uint32_t i = begin; i < end; i++) {
            const kn_placed *p = &a->placed[i];
            if (i == begin || p->up != p[-1].up || p->key != p[-1].key) {
                if (p->level > 0) {
                    kn_kept_node *up = &a->kept[p->up];
                    up->first = up->count++ ? up->first : kept;
                }
                a->kept[kept++] = (kn_kept_node){.value = value[p->node]};
            }
            a->renamed[p->node] = kept - 1;
        }
    }
    return kept;
}

uint32_t kn__arrange(kn_arranger *a, uint32_t *value, uint32_t *parent, uint32_t n, bool merge)
{
    uint32_t roots = 0, kept, height = 0, at = 0;

    for (uint32_t i = 0; i < n; i++) {
        a->level[i] = parent[i] == KN_NO_PARENT ? 0 : a->level[parent[i]] + 1;
        a->placed[i] = (kn_placed){.level = a->level[i], .node = i};
    }
    sort_placed(a->placed, n, by_level);
    kept = keep_levels(a, value, parent, n, merge);
    for (uint32_t i = 0; i < n && a->placed[i].level == 0; i++) {
        roots = a->renamed[a->placed[i].node] + 1;
    }
    /* The stack holds what is to come: the next node is on top. It takes the place of `renamed`. */
    for (uint32_t i = roots; i-- > 0; height++) {
        a->renamed[height] = i;
        a->above[height] = KN_NO_PARENT;
    }
    while (height > 0) {
        const kn_kept_node *node = &a->kept[a->renamed[--height]];
        value[at] = node->value;
        parent[at] = a->above[height];
        for (uint32_t i = node->count; i-- > 0; height++) {
            a->renamed[height] = node->first + i;
            a->above[height] = at;
        }
        at++;
    }
    return kept;
}
