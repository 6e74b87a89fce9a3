/* methods/cluster/extent.h - what a cluster of records is published as, and what that loses.
 *
 * A view holds the generalised value of every quasi-identifier: the smallest node that covers the
 * records (hierarchies), the range from the least to the greatest value (numbers, dates), or the
 * set of values (categories without a hierarchy). Its NCP (or its loss, where views are priced by
 * that) is a whole number of units of 1/KN_NCP_ONE: sums are exact in any order, so that sums kept
 * incrementally never drift, and ties are ties on every machine.
 *
 *     kn__view_of_tuple(views, codes, mine);
 *     if (kn__view_ncp_of_both(views, mine, other) < limit) kn__view_join(views, mine, other);
 *
 * All of these take O(quasi-identifiers) time; a set of more than 64 values counts once for
 * each 64. Trees with more than KN_LCA_TABLE_MOST nodes are walked, O(depth). */
#ifndef KN_METHODS_CLUSTER_EXTENT_H
#define KN_METHODS_CLUSTER_EXTENT_H

#include "base/bits.h"
#include "methods/method.h"

/** The NCP of a record whose quasi-identifiers are all `*`, but for rounding: weights sum to 1. */
#define KN_NCP_ONE (UINT32_C(1) << 30)

/** One quasi-identifier. */
typedef struct kn_scale {
    size_t q;
    const kn_domain *domain;
    uint32_t whole; /* what `*` costs: the weight */
    uint32_t *cost; /* tree: NCP by node. set: NCP by number of values */
    /* range: the place of each code, such that two codes cost the distance of their places, but not
     * more than `whole`; the missing value is too far from all others. */
    uint32_t *place;
    uint16_t *lca;  /* tree: [node * nodes + node]; NULL: it is too large */
    uint32_t *both; /* likewise: what that node costs */
    size_t at;      /* its first word in a view */
    size_t words;
    uint64_t missing;   /* set: the bit of the missing value, in its last word; 0: there is none */
    uint64_t last_bits; /* set: all bits of the last word */
} kn_scale;

/** How views of a table are laid out and priced. */
typedef struct kn_views {
    const kn_task *task;
    size_t qis;
    size_t words;    /* of a view */
    size_t trees;    /* scale[0..trees) have a hierarchy */
    size_t ranges;   /* scale[trees..ranges) are ranges, the rest are sets */
    kn_scale *scale; /* by kind, not in the order of the quasi-identifiers */
} kn_views;

/** The measure that prices a view: `ncp` or `loss` of docs/measures.md. */
typedef enum kn_price { KN_PRICE_NCP, KN_PRICE_LOSS } kn_price;

/** The views borrow `task`. */
kn_status kn__views_new(kn_views **out, const kn_task *task, kn_price price, kn_error *err);
void kn__views_free(kn_views *v);

/** The view of one record: `codes` by quasi-identifier. */
void kn__view_of_tuple(const kn_views *v, const uint32_t *codes, uint64_t *out);
/** Make `view` cover `other` too. Views that are published alike are equal words. */
void kn__view_join(const kn_views *v, uint64_t *view, const uint64_t *other);
/** The NCP of a record that is published as `view`. */
uint32_t kn__view_ncp(const kn_views *v, const uint64_t *view);
/** What `view` is in quasi-identifier scale->q, as groupings say it. */
void kn__view_publish(const kn_scale *scale, const uint64_t *view, uint32_t *low, uint32_t *high);

static inline uint64_t kn__view_pack(uint32_t low, uint32_t high)
{
    return (uint64_t)low << 32 | high;
}

/** What codes low <= high of a range cost. */
static inline uint32_t kn__scale_range(const kn_scale *s, uint32_t low, uint32_t high)
{
    const uint32_t width = s->place[high] - s->place[low];

    return width < s->whole ? width : s->whole;
}

/** What the set of the values in `a` or `b` costs. */
static inline uint32_t kn__scale_set(const kn_scale *s, const uint64_t *a, const uint64_t *b)
{
    size_t values = 0;

    for (size_t w = 0; w < s->words; w++) {
        values += kn__bits_count(a[w] | b[w]);
    }
    return values > 1 && ((a[s->words - 1] | b[s->words - 1]) & s->missing) ? s->whole
                                                                            : s->cost[values];
}

/** The NCP of a record that is published as a view of both `a` and `b`: what kn__view_join would
 * make of them, without making it. */
static inline uint32_t kn__view_ncp_of_both(const kn_views *v, const uint64_t *a, const uint64_t *b)
{
    uint32_t sum = 0;
    size_t i = 0;

    for (; i < v->trees; i++) {
        const kn_scale *s = &v->scale[i];
        const uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i];
        sum += s->both ? s->both[(size_t)x * s->domain->nodes + y]
                       : s->cost[kn__domain_lca(s->domain, x, y)];
    }
    for (; i < v->ranges; i++) {
        const uint32_t low = (uint32_t)((a[i] < b[i] ? a[i] : b[i]) >> 32);
        const uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i];
        sum += kn__scale_range(&v->scale[i], low, x > y ? x : y);
    }
    for (; i < v->qis; i++) {
        sum += kn__scale_set(&v->scale[i], a + v->scale[i].at, b + v->scale[i].at);
    }
    return sum;
}

#endif
