/* methods/numbers/acd_points.h - the distinct numbers of a column, their occurrences, partitions.
 *
 * Points are the distinct numbers that occur, ascending. A partition of them into ranges is given
 * by its cuts: cut[q] != 0 says that a range begins at point q; cut[0] is always set. The range
 * low..high stands for points low..high-1. */
#ifndef KN_METHODS_NUMBERS_ACD_POINTS_H
#define KN_METHODS_NUMBERS_ACD_POINTS_H

#include "base/arena.h"
#include "count/baskets.h"

typedef struct kn_acd_points {
    kn_arena arena;
    const kn_baskets *b;
    size_t k, m; /* m is at most the length of the longest record */
    bool bags;
    size_t longest;    /* items of a record */
    size_t *of_length; /* by length up to that: records */
    uint32_t points;
    double *value;      /* by point, ascending */
    uint32_t *point_of; /* by item; for an item that does not occur, a neighbour's */
    /* The records as ascending points, with KN_NO_CODE before the first and after each of them, so
     * that a record can be walked in both directions from any of its occurrences. Shorter records
     * come first. */
    uint32_t *list;
    /* Inverted index: the occurrences of point q are list[place[i]], at[q] <= i < at[q + 1]. Those
     * at the same place of records of the same length are neighbours: loops over a record are then
     * predictable for the processor, which halves the time of a sweep. */
    uint64_t *at;
    size_t *place;
} kn_acd_points;

/** For bags of `b`, whose items have the numbers `value`, ascending. Both are borrowed.
 *  12 bytes per occurrence and 4 per record. */
kn_status kn__acd_points_init(kn_acd_points *p, const kn_baskets *b, const double *value, size_t k,
                              size_t m, kn_error *err);
void kn__acd_points_clear(kn_acd_points *p);

/** KN_EINFEASIBLE unless one range for all points satisfies the guarantee; `m` as the caller
 *  asked for it, for the message. */
kn_status kn__acd_feasible(const kn_acd_points *p, size_t m, kn_error *err);

/** Whether an entry of the list is a point of low..high. KN_NO_CODE never is. */
static inline bool kn__acd_within(uint32_t entry, uint32_t low, uint32_t high)
{
    return entry >= low && entry < high;
}

/** The loss of range low..high: its occurrences times its width. */
static inline double kn__acd_cost(const kn_acd_points *p, uint32_t low, uint32_t high)
{
    return (double)(p->at[high] - p->at[low]) * (p->value[high - 1] - p->value[low]);
}

/** The loss of a partition, the sum over its ranges. */
double kn__acd_total(const kn_acd_points *p, const uint8_t *cut);

/** Where the range that begins at `low` ends: the next cut, or `points`. */
static inline uint32_t kn__acd_high(const kn_acd_points *p, const uint8_t *cut, uint32_t low)
{
    do {
        low++;
    } while (low < p->points && !cut[low]);
    return low;
}

/** The records as baskets of ranges, which are numbered in ascending order. */
kn_status kn__acd_ranges(const kn_acd_points *p, const uint8_t *cut, kn_baskets **out,
                         const kn_run *run, kn_error *err);

/** Whether no combination of up to m ranges is rare. */
kn_status kn__acd_holds(const kn_acd_points *p, const uint8_t *cut, const kn_run *run, bool *holds,
                        kn_error *err);

#endif
