/* utility/items/leaf_ranges.h - what published values may stand for, as stretches of leaves.
 *
 * The leaves of a domain, those that do not occur in the data included, stand in a row in which
 * the leaves below any node are neighbours and the values of an ordered column are in order. So
 * a node or a range is one stretch of the row, and a set or a label that several nodes have is a
 * few. Whatever two texts have in common is then counted in one way. */
#ifndef KN_UTILITY_ITEMS_LEAF_RANGES_H
#define KN_UTILITY_ITEMS_LEAF_RANGES_H

#include "hierarchy/domain.h"

typedef struct kn_stretch {
    size_t begin, end;
} kn_stretch;

/** Ascending, not empty, with gaps between them. Zero-initialised: none. */
typedef struct kn_stretches {
    kn_stretch *at;
    size_t count;
} kn_stretches;

void kn_stretches_clear(kn_stretches *s);
/** Leaves in them, and leaves in both. O(count). */
size_t kn_stretches_size(const kn_stretches *s);
size_t kn_stretches_shared(const kn_stretches *a, const kn_stretches *b);
/** The union of both into `*out`, which is neither. */
kn_status kn_stretches_union(kn_stretches *out, const kn_stretches *a, const kn_stretches *b,
                             kn_error *err);

typedef struct kn_leaves {
    const kn_domain *domain;
    size_t total;
    size_t *begin; /* by node: where its leaves begin */
} kn_leaves;

/** The row of `d`, which must outlive it. O(nodes). */
kn_status kn_leaves_new(kn_leaves **out, const kn_domain *d, kn_error *err);
void kn_leaves_free(kn_leaves *l);

/** Where the leaves of `node` end. */
static inline size_t kn_leaves_end(const kn_leaves *l, uint32_t node)
{
    return l->begin[node] + (size_t)l->domain->leaves[node];
}

/** The leaves that `p` may stand for; all of them when it is suppressed. A label that several nodes
 *  have stands for the leaves below any of them. The range of a domain without a hierarchy over the
 *  same column is understood, too. O(log values); sets O(count log count), ambiguous labels
 *  O(nodes x depth). */
kn_status kn_leaves_of(const kn_leaves *l, const kn_published *p, kn_stretches *out, kn_error *err);

/** A column whose published texts are understood, by code. */
typedef struct kn_meanings {
    uint32_t count;
    kn_stretches *of;
} kn_meanings;

/** What the texts of `column` mean in the domain of `l`; `table` is its table, for messages. A
 *  suppressed item of a list stands for none, as does a missing one. The domain's own column means
 *  its values, whatever their texts are.
 *  @return KN_EINPUT for a text that is not understood. */
kn_status kn_meanings_new(kn_meanings **out, const kn_leaves *l, const kn_dataset *table,
                          const kn_column *column, kn_error *err);
void kn_meanings_free(kn_meanings *m);

/** For a list `column` of a release: where every item is published either always or never as
 *  itself, groups do not stand for those that are. Elsewhere nothing changes. O(occurrences +
 *  leaves x levels). */
kn_status kn_meanings_narrow(kn_meanings *m, const kn_leaves *l, const kn_dataset *original,
                             const kn_dataset *release, const kn_column *column, kn_error *err);

#endif
