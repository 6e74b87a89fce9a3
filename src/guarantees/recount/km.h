/* guarantees/recount/km.h - the second count of km-anonymity.
 *
 * The first, count/rare/rare.h, is large and clever, and methods use it too: a fault in it would
 * blind both. This one reads the column by itself and counts plainly (count/tally.h); where the two
 * disagree, nothing is published (docs/decisions/0013-what-the-check-shares.md). */
#ifndef KN_GUARANTEES_RECOUNT_KM_H
#define KN_GUARANTEES_RECOUNT_KM_H

#include "data/dataset.h"
#include "kanon/guarantee.h"

enum {
    KN__RECOUNT_BUDGET = 1 << 26 /* combinations of records looked at: 0.2 s on two cores */
};

typedef struct kn_recount {
    size_t longest, empty; /* the most items of a record; people without any */
    /* By size: one combination in so many was counted; 1: all, 0: none (there are too many). */
    uint64_t one_in[KN_MOST_M + 1];
    /* The smallest support among those counted, 0 if there were none. */
    uint32_t least[KN_MOST_M + 1];
} kn_recount;

/** How large a share of each size 1..m, one in one_in[size], can be counted by looking at about
 *  `budget` combinations of records, where of_length[i] records have i items, 0..longest. Small
 * sizes go first: what fits into half of what is left (the last: all of it) is counted in full.
 * Single items always are. */
void kn__km_recount_plan(uint64_t *one_in, const size_t *of_length, size_t longest, size_t m,
                         double budget);

/** Count the combinations of 1..m items in the lists of `column`. Above `budget` combinations of
 * records (0: no limit) shares are taken, chosen by a hash that is salted with entropy of the
 * system. The shares do not depend on it, nor on threads. */
kn_status kn__km_recount(kn_recount *out, const kn_dataset *ds, size_t column, size_t m,
                         double budget, const kn_run *run, kn_error *err);

/** The same for lists that were read: record i has list[starts[i]..starts[i+1]), ascending codes
 *  below `items`. */
kn_status kn__km_recount_lists(kn_recount *out, const uint64_t *starts, const uint32_t *list,
                               uint32_t items, size_t records, size_t m, double budget,
                               const kn_run *run, kn_error *err);

/** Entropy of the system, for the choice of shares. */
kn_status kn__km_recount_salt(uint64_t *salt, kn_error *err);

/** "all combinations of up to 2 items, 1 in 40 of those of 3". */
void kn__km_recount_words(const kn_recount *r, size_t m, char *out, size_t size);

#endif
