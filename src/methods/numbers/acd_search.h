/* methods/numbers/acd_search.h - what the parts of ACD share.
 *
 * Points are the different numbers that occur, ascending. A partition is told by its cuts:
 * cut[p] != 0 says that a range begins at point p; cut[0] always does. */
#ifndef KN_METHODS_NUMBERS_ACD_SEARCH_H
#define KN_METHODS_NUMBERS_ACD_SEARCH_H

#include "count/baskets.h"

typedef struct kn_acd_points {
    const kn_baskets *b;
    size_t k, m; /* m is at most the length of the longest record */
    bool bags;
    size_t longest;    /* items of a record */
    size_t *of_length; /* records, by length up to that */
    uint32_t points;
    double *value;    /* by point, ascending */
    uint64_t *at;     /* by point: its occurrences are record[at[p]..at[p+1]) */
    uint32_t *record; /* ascending within a point; in bags with repeats. NULL before kn__acd_list */
    const uint32_t
        *list; /* as b->list, with points for items; it is that list if they are the same */
    uint32_t *own_list; /* it, unless it is b->list */
    uint32_t *point_of; /* by item; of an item that does not occur, a neighbour's */
    /* For each occurrence in a record of two items or more, in the order of the points: the length
     * of its record and its place there (half a number each), and the record's points. Read from
     * one end to the other, so that a sweep never waits for memory; those of one point in the order
     * of lengths, so that loops over them are of one length for a while. NULL before kn__acd_copy,
     * and where records are too long for so many copies. */
    void *copies;        /* numbers of copy_width bytes: 2 where that is enough, else 4 */
    uint64_t *copies_at; /* by point, in numbers */
    uint32_t *alone;     /* where there are copies, by point: the records that hold nothing else */
    uint8_t copy_width;
} kn_acd_points;

kn_status kn__acd_points_init(kn_acd_points *p, const kn_baskets *b, const double *value, size_t k,
                              size_t m, kn_error *err);
void kn__acd_points_clear(kn_acd_points *p);
/** List the records by point: the paper's algorithm and sweeps without copies need that. */
kn_status kn__acd_list(kn_acd_points *p, kn_error *err);
/** Make the copies, or that list where they are not worth it. About 8 bytes an occurrence where
 *  records are short and points few. */
kn_status kn__acd_copy(kn_acd_points *p, unsigned threads, kn_error *err);
/** Where the record's first item of point `q`, which it holds, is. */
static inline uint32_t kn__acd_place(const uint32_t *list, uint32_t q)
{
    uint32_t place = 0;

    while (list[place] != q) {
        place++;
    }
    return place;
}
/** KN_EINFEASIBLE unless one range for all points does. */
kn_status kn__acd_feasible(const kn_acd_points *p, size_t m, kn_error *err);

/** Loss of the range of points low..high-1: its occurrences times its width. */
static inline double kn__acd_cost(const kn_acd_points *p, uint32_t low, uint32_t high)
{
    return (double)(p->at[high] - p->at[low]) * (p->value[high - 1] - p->value[low]);
}
/** The sum of it over all ranges. */
double kn__acd_total(const kn_acd_points *p, const uint8_t *cut);
/** The first cut above `low`, or `points`. */
static inline uint32_t kn__acd_high(const kn_acd_points *p, const uint8_t *cut, uint32_t low)
{
    do {
        low++;
    } while (low < p->points && !cut[low]);
    return low;
}

/** The partition of least loss whose ranges have support k each: optimal for m = 1. O(points log
 *  points + occurrences). From the copies, if there are some, or the list. */
kn_status kn__acd_optimum(const kn_acd_points *p, uint8_t *cut, kn_error *err);
/** Whether no combination of up to m ranges is rare. */
kn_status kn__acd_holds(const kn_acd_points *p, const uint8_t *cut, const kn_run *run, bool *holds,
                        kn_error *err);
/** Split from one range on, as long as the guarantee holds; then, as long as it is worth it and at
 *  most `rounds` times, move all borders up to `moves` times and split again. `start` (may be NULL,
 *  or `cut`) are the cuts to try first. */
kn_status kn__acd_split(const kn_acd_points *p, const uint8_t *start, int rounds, int moves,
                        uint8_t *cut, const kn_run *run, kn_error *err);
/** Algorithms 1 to 3 as printed. */
kn_status kn__acd_paper(const kn_acd_points *p, double d, uint8_t *cut, const kn_run *run,
                        kn_error *err);

/** The baskets of ranges under `cut`, which are numbered in order. */
kn_status kn__acd_ranges(const kn_acd_points *p, const uint8_t *cut, kn_baskets **out,
                         const kn_run *run, kn_error *err);

#endif
