/* methods/sets/candidates.h - nodes below those of a cut that could get names of their own, and
 * what that would save. */
#ifndef KN_METHODS_SETS_CANDIDATES_H
#define KN_METHODS_SETS_CANDIDATES_H

#include "methods/sets/cut.h"

/** `node` could get a name of its own; its items are published as `above` now. */
typedef struct kn_candidate {
    double gain;
    uint32_t node, above;
    bool refused;
} kn_candidate;

typedef struct kn_candidates {
    kn_candidate *list; /* a node is below one node of the cut, so it is here once */
    size_t len;
    uint8_t *seen;   /* by node: it was tried */
    uint32_t *queue; /* scratch */
} kn_candidates;

/** None yet. Clear it with kn__candidates_clear, also on failure. */
kn_status kn__candidates_new(kn_candidates *x, const kn_cut *c, kn_error *err);
void kn__candidates_clear(kn_candidates *x);
/** List the nodes below the names[0..len) that were not tried yet, those that save most first.
 * Finds their holders, where records are counted. */
kn_status kn__candidates_list(kn_candidates *x, kn_cut *c, const uint32_t *names, size_t len,
                              const kn_run *run, kn_error *err);

/** The occurrences below `node` that are published as `above`. */
double kn__cut_occurrences(const kn_cut *c, uint32_t above, uint32_t node);
/** Publish what is below `node` with the name of `above`, `moved` occurrences, as `node`. */
void kn__cut_name(kn_cut *c, uint32_t above, uint32_t node, double moved);

#endif
