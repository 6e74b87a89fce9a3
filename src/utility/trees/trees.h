/* utility/trees/trees.h - what tree records lose: the measures of the tree paper.
 *
 * A published label stands for every value below it. A published record may say less than its
 * original and nothing else: each of its nodes covers a node of the original, and what is above it
 * covers an ancestor of that. */
#ifndef KN_UTILITY_TREES_TREES_H
#define KN_UTILITY_TREES_TREES_H

#include "count/synopsis.h"
#include "hierarchy/tree_domain.h"
#include "kanon/measure.h"
#include "kanon/run.h"

/** The loss of a synopsis tree whose labels are those of `d`: RPD_a (Equation 7; `scratch` has room
 *  for two numbers per node), and RPD of the records that it stands for (Equation 3; a record
 *  without nodes counts 1). */
double kn__rpd_approximate(const kn_synopsis *s, const kn_tree_domain *d, double *scratch);

/** A part of RPD_a: what the paths of a group of nodes add to the sums. */
typedef struct kn_rpd_share {
    double sum;
    size_t leaves, nodes;
} kn_rpd_share;

/** Add every node of `s` to a share: to share[group[l]] (NULL: to share[l]) where its path has the
 *  label l of class `class_`, to share[d->labels] where it has none. O(nodes of s). */
kn_status kn__rpd_shares(kn_rpd_share *share, const kn_synopsis *s, const kn_tree_domain *d,
                         uint32_t class_, const uint32_t *group, kn_error *err);
/** RPD_a of all paths of a synopsis tree of so many records. */
double kn__rpd_of_share(const kn_rpd_share *all, size_t records);

/** RPD of the `count` records of `records` (NULL: of the first records), one after the other, into
 *  `out`. O(their nodes + nodes of s). */
kn_status kn__rpd_records(double *out, const kn_synopsis *s, const kn_tree_domain *d,
                          const uint32_t *records, size_t count, kn_error *err);
kn_status kn__rpd_exact(double *out, const kn_synopsis *s, const kn_tree_domain *d, kn_error *err);
/** RPD of a forest; label[code] is what its codes are in `d`. O(nodes). */
kn_status kn__rpd_forest(double *out, const kn_forest *f, const uint32_t *label,
                         const kn_tree_domain *d, kn_error *err);

/** A release beside its original. */
typedef struct kn_tree_pair {
    const kn_forest *original, *published;
    const uint32_t *origin;  /* by published record: its original; NULL: the same number */
    const kn_tree_domain *d; /* of the original */
    uint32_t *label;         /* by code of `published`: what it is in `d` */
} kn_tree_pair;

/** Find the labels of the published texts. KN_EINPUT for a text that is no label, or a class that
 *  the original lacks. Clear it in any case. */
kn_status kn__tree_pair_init(kn_tree_pair *p, const kn_forest *original, const kn_forest *published,
                             const uint32_t *origin, const kn_tree_domain *d, kn_error *err);
void kn__tree_pair_clear(kn_tree_pair *p);

/** What became of the values and relations of the original, over all published records. */
typedef struct kn_tree_kept {
    uint64_t nodes, published; /* in the original records, and in the published ones */
    uint64_t relations;        /* (ancestor, node) in the original records */
    uint64_t removed;          /* of them, those whose published counterparts are not related */
    uint64_t suppressed;       /* nodes of the original that nothing published covers */
    /* By leaf label of d and height of what it is published as: occurrences. The last height,
     * d->top or above, is for those that nothing covers. */
    uint64_t *at_height; /* [label * heights + height] */
    uint32_t heights;
    /* Pairs of leaf labels that are related in the original: how often, and how often no more. */
    struct kn_pair_count {
        uint64_t pair; /* above << 32 | below */
        uint64_t count, removed;
    } * pairs;
    size_t pairs_count, pairs_cap;
} kn_tree_kept;

/** Compare record by record. KN_EINPUT, naming the record, where a published node covers nothing of
 *  its original, or stands below something that is not above it there. */
kn_status kn__tree_kept_count(kn_tree_kept *out, const kn_tree_pair *p, const kn_run *run,
                              kn_error *err);
void kn__tree_kept_clear(kn_tree_kept *k);

/** Mine both at every level (kn_tree_mining_measure). A subtree is frequent when at least `support`
 * (0..1] of the records hold it. dlevel and the relations removed are averages over the occurrences
 * in the original, which for global recoding is what the paper computes. KN_EINFEASIBLE when there
 * are too many. */
kn_status kn__tree_mine(kn_tree_mining *out, const kn_tree_pair *p, const kn_tree_kept *kept,
                        double support, const kn_run *run, kn_error *err);

/** Both files, bound to the hierarchies of the original. Clear it in any case. */
typedef struct kn_tree_comparison {
    kn_tree_domain *d;
    kn_tree_pair pair;
    kn_forest *owned[2];
} kn_tree_comparison;

kn_status kn__tree_comparison_init(kn_tree_comparison *c, const kn_dataset *original,
                                   const kn_dataset *release, const uint32_t *origin,
                                   const kn_hierarchies *hierarchies, kn_error *err);
void kn__tree_comparison_clear(kn_tree_comparison *c);

/** kn_measure for tree records. */
kn_status kn__trees_measure(kn_measures **out, const kn_dataset *original,
                            const kn_dataset *release, const uint32_t *origin,
                            const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err);

#endif
