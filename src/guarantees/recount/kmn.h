/* guarantees/recount/kmn.h - the second count of kmn-anonymity.
 *
 * The first (count/tree_rare.h) intersects record sets of a synopsis tree, and methods use it too.
 * This one takes record after record, lists everything that an attacker may know and that the
 * record matches, and counts it in a table; where the two disagree, nothing is published. */
#ifndef KN_GUARANTEES_RECOUNT_KMN_H
#define KN_GUARANTEES_RECOUNT_KMN_H

#include "data/trees.h"
#include "kanon/error.h"
#include "kanon/run.h"

typedef struct kn_kmn_recount {
    size_t longest, empty; /* nodes of the largest record; records without nodes */
    /* All knowledge is counted in which the least value, by a salted hash, is one of those that
     * were taken. */
    size_t values, taken; /* different values of the records, and those taken of them */
    uint64_t counted;     /* different knowledge that was counted */
    size_t least;         /* the smallest support among it; 0: nothing was counted */
    /* l-diversity: of this knowledge, and of no knowledge at all, how much lets a sensitive value
     * be inferred, as more than a share of 1/l of the records that match have it. */
    uint64_t inferred;
} kn_kmn_recount;

/** The sensitive values of l-diversity: those of the classes with `is` in `f`, whose records are
 *  those of the forest that is counted. */
typedef struct kn_kmn_sensitive {
    const kn_forest *f;
    const bool *is;
    double l;
} kn_kmn_sensitive;

/** Count what up to m values and up to n relations among them match in `f`. At most about `budget`
 *  matches of single records are looked at (0: no limit), or one value is taken. `sensitive` may be
 * NULL. */
kn_status kn__kmn_recount(kn_kmn_recount *out, const kn_forest *f, size_t m, size_t n,
                          const kn_kmn_sensitive *sensitive, double budget, uint64_t salt,
                          const kn_run *run, kn_error *err);

#endif
