/* methods/table/lattice.h - the generalisation lattice: a node is one level of each
 * quasi-identifier.
 *
 * kn_qi_levels are the levels of one quasi-identifier. They map the codes of the column to small
 * consecutive ids on every level, so that the class of a tuple at a node is one number. */
#ifndef KN_METHODS_TABLE_LATTICE_H
#define KN_METHODS_TABLE_LATTICE_H

#include "base/arena.h"
#include "methods/table/tuples.h"

typedef struct kn_qi_levels {
    kn_arena arena;
    uint32_t levels, values;
    uint32_t *id; /* [level * values + code]: the id of its generalised value, 0..count[level]-1 */
    uint32_t *count; /* by level: how many there are */
    double *cost;    /* [level * values + code]: the cost of the cell there */
    double *mean;    /* by level: mean cost over the records */
} kn_qi_levels;

/** What the codes low..high of a column without a hierarchy cost as one value: the width of the
 * range, of sets at most. */
double kn__domain_span(const kn_domain *d, uint32_t low, uint32_t high);

/** The levels of the domain's hierarchy; without one, the value and `*`. Costs are the losses
 * (kn_domain.loss). */
kn_status kn__qi_levels_of_domain(kn_qi_levels *out, const kn_domain *d, kn_error *err);
/** As kn__qi_levels_of_domain, but a column without a hierarchy gets ranges of neighbouring values,
 * 2^step times as many from level to level: for methods that publish what a group really spans. */
kn_status kn__qi_levels_of_ranges(kn_qi_levels *out, const kn_domain *d, unsigned step,
                                  kn_error *err);
void kn__qi_levels_clear(kn_qi_levels *l);
/** Fill in `mean` from the tuples' values of quasi-identifier `q`. */
void kn__qi_levels_weigh(kn_qi_levels *l, const kn_tuples *t, size_t q);

/** The number of lattice nodes, or SIZE_MAX when it does not fit. */
size_t kn__lattice_size(const kn_qi_levels *levels, size_t qis);

/* Grouping tuples at a lattice node, one per thread. */
typedef struct kn_grouper kn_grouper;

kn_status kn__grouper_new(kn_grouper **out, const kn_qi_levels *levels, size_t qis, uint32_t most,
                          kn_error *err);
void kn__grouper_free(kn_grouper *g);

/** Group `count` tuples (`which`, NULL: the first `count`) at node `level` (one level per
 * quasi-identifier). Writes class_of[i] for i = 0..count-1, classes numbered by first appearance,
 * and returns the number of classes. Expected O(count x qis). */
uint32_t kn__grouper_group(kn_grouper *g, const kn_tuples *t, const uint32_t *which, uint32_t count,
                           const uint16_t *level, uint32_t *class_of);

#endif
