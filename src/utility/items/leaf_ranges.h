/* utility/items/leaf_ranges.h - what published values may stand for, as runs of leaves.
 *
 * The leaves of a domain, those that do not occur in the data included, stand in a row in which
 * the leaves below any node are neighbours and the values of an ordered column are in order. So
 * a node or a range is one run of the row, and a set or a label that several nodes have is a
 * few. Whatever two texts have in common is then counted in one way. */
#ifndef KN_UTILITY_ITEMS_LEAF_RANGES_H
#define KN_UTILITY_ITEMS_LEAF_RANGES_H

#include "hierarchy/domain.h"

typedef struct kn_leaf_run {
    size_t begin, end;
} kn_leaf_run;

/** Ascending, not empty, with gaps between them. Zero-initialised: none. */
typedef struct kn_leaf_runs {
    kn_leaf_run *at;
    size_t count;
} kn_leaf_runs;

void kn__leaf_runs_clear(kn_leaf_runs *s);
/** Leaves in them, and leaves in both. O(count). */
size_t kn__leaf_runs_size(const kn_leaf_runs *s);
size_t kn__leaf_runs_shared(const kn_leaf_runs *a, const kn_leaf_runs *b);
/** The union of both into `*out`, which is neither. */
kn_status kn__leaf_runs_union(kn_leaf_runs *out, const kn_leaf_runs *a, const kn_leaf_runs *b,
                              kn_error *err);

typedef struct kn_leaf_ranges {
    const kn_domain *domain;
    size_t total;
    size_t *begin; /* by node: where its leaves begin */
} kn_leaf_ranges;

/** The row of `d`, which must outlive it. O(nodes). */
kn_status kn__leaf_ranges_new(kn_leaf_ranges **out, const kn_domain *d, kn_error *err);
void kn__leaf_ranges_free(kn_leaf_ranges *l);

/** Where the leaves of `node` end. */
static inline size_t kn__leaf_ranges_end(const kn_leaf_ranges *l, uint32_t node)
{
    return l->begin[node] + (size_t)l->domain->leaves[node];
}

/** The leaves that `p` may stand for; all of them when it is suppressed. A label that several nodes
 *  have stands for the leaves below any of them. The range of a domain without a hierarchy over the
 *  same column is understood, too. O(log values); sets O(count log count), ambiguous labels
 *  O(nodes x depth). */
kn_status kn__leaf_ranges_of(const kn_leaf_ranges *l, const kn_published *p, kn_leaf_runs *out,
                             kn_error *err);

/** A column whose published texts are understood, by code. */
typedef struct kn_meanings {
    uint32_t count;
    kn_leaf_runs *of;
} kn_meanings;

/** What the texts of `column` mean in the domain of `l`; `table` is its table, for messages. A
 *  suppressed item of a list stands for none, as does a missing one. The domain's own column means
 *  its values, whatever their texts are.
 *  @return KN_EINPUT for a text that is not understood. */
kn_status kn__meanings_new(kn_meanings **out, const kn_leaf_ranges *l, const kn_dataset *table,
                           const kn_column *column, kn_error *err);
void kn__meanings_free(kn_meanings *m);

/** For a list `column` of a release: where every item is published either always or never as
 *  itself, groups do not stand for those that are. Elsewhere nothing changes. O(occurrences +
 *  leaves x levels). */
kn_status kn__meanings_narrow(kn_meanings *m, const kn_leaf_ranges *l, const kn_dataset *original,
                              const kn_dataset *release, const kn_column *column, kn_error *err);

#endif
