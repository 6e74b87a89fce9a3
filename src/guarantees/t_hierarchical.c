/* t_hierarchical.c - earth mover's distance over a hierarchy (Li, Li and Venkatasubramanian,
 * ICDE 2007, section 4.3): two values are as far apart as their lowest common node is high, over
 * the height of the root. Mass is moved at the lowest node where surplus and lack meet. Only
 * nodes above values of the class can have surplus, so only those are visited. */
#include "guarantees/formulas.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "hierarchy/domain.h"

/* `place` by node of the domain: its number with children before parents. Sorted by depth,
 * counting. */
static kn_status place_nodes(const kn_domain *d, uint32_t **out, kn_error *err)
{
    uint32_t deepest = 0, *place, *begin;

    for (uint32_t i = 0; i < d->nodes; i++) {
        deepest = d->depth[i] > deepest ? d->depth[i] : deepest;
    }
    *out = NULL;
    place = kn__malloc_array(d->nodes, sizeof *place);
    begin = kn__zalloc_array((size_t)deepest + 2, sizeof *begin);
    if (!place || !begin) {
        KN_FREE(place, begin);
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < d->nodes; i++) {
        begin[deepest - d->depth[i] + 1]++;
    }
    for (uint32_t i = 0; i <= deepest; i++) {
        begin[i + 1] += begin[i];
    }
    for (uint32_t i = 0; i < d->nodes; i++) {
        place[i] = begin[deepest - d->depth[i]]++;
    }
    kn__free(begin);
    *out = place;
    return KN_OK;
}

kn_status kn__reference_plant(kn_reference *r, const kn_column *column, const kn_hierarchy *h,
                              const uint32_t *counts, kn_error *err)
{
    kn_domain *d = NULL;
    uint32_t *place = NULL, root;
    kn_status status;

    KN_TRY(kn__domain_new(&d, column, h, KN_UNCOVERED_ERROR, err));
    KN_TRY(place_nodes(d, &place, err));
    r->nodes = d->nodes;
    r->leaf = kn__arena_take(&r->arena, r->values, sizeof *r->leaf);
    r->parent = kn__arena_take(&r->arena, r->nodes, sizeof *r->parent);
    r->height = kn__arena_zeros(&r->arena, r->nodes, sizeof *r->height);
    r->below = kn__arena_zeros(&r->arena, r->nodes, sizeof *r->below);
    KN_TRY(kn__arena_check(&r->arena, err));
    for (uint32_t i = 0; i < d->nodes; i++) {
        r->parent[place[i]] = place[d->parent[i]];
    }
    for (uint32_t i = 0; i < r->values; i++) {
        r->leaf[i] = place[i];
        r->below[place[i]] = counts[i];
    }
    root = r->nodes - 1;
    for (uint32_t i = 0; i < root; i++) {
        const uint32_t parent = r->parent[i];
        r->below[parent] += r->below[i];
        if (r->height[parent] <= r->height[i]) {
            r->height[parent] = r->height[i] + 1;
        }
    }
    if (r->height[root] < d->levels - 1) {
        r->height[root] = d->levels - 1;
    }

done:
    kn__free(place);
    kn__domain_free(d);
    return status;
}

kn_u128 kn__reference_tree_distance(const kn_reference *r, kn_formula_scratch *s)
{
    const kn_histogram *h = &s->histogram;
    const uint32_t root = r->nodes - 1;
    kn_u128 moved = 0;
    size_t touched = 0;

    for (uint32_t i = 0; i < h->distinct; i++) {
        for (uint32_t node = r->leaf[h->codes[i]];; node = r->parent[node]) {
            if (s->held[node] == 0) {
                s->nodes[touched++] = node;
            }
            s->held[node] += h->count[h->codes[i]];
            if (node == root) {
                break;
            }
        }
    }
    kn__sort_u32(s->nodes, touched);
    for (size_t i = 0; i < touched; i++) {
        const uint32_t node = s->nodes[i];
        const uint64_t has = s->held[node] * r->records, due = r->below[node] * h->total;
        if (r->height[node]) {
            const uint64_t surplus = s->surplus[node], lack = surplus + due - has;
            moved += (kn_u128)(surplus < lack ? surplus : lack) * r->height[node];
        }
        if (node != root && has > due) {
            s->surplus[r->parent[node]] += has - due;
        }
        s->held[node] = 0;
        s->surplus[node] = 0;
    }
    return moved;
}
