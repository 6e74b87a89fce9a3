/* models/clusters/weighted_points.h - the different tuples of a dataset as weighted points, and
 * their centroids. */
#ifndef KN_MODELS_CLUSTERS_WEIGHTED_POINTS_H
#define KN_MODELS_CLUSTERS_WEIGHTED_POINTS_H

#include "models/clusters/centroids.h"

typedef struct kn_weighted_points {
    const kn_frame *frame;
    size_t count;
    double *x;        /* point * attributes + attribute */
    uint32_t *weight; /* by point: records that are equal to it */
    uint32_t *row;    /* by point: the first of them */
    uint64_t records;
    double *overall; /* by attribute: the mean of all, or their commonest value */
} kn_weighted_points;

/** Of the records that `frame` is bound to; there is at least one. 8 bytes a point and attribute,
 * and 12 a record while it is made. */
kn_status kn__weighted_points_new(kn_weighted_points *out, const kn_frame *frame, const kn_run *run,
                                  kn_error *err);
void kn__weighted_points_clear(kn_weighted_points *p);

/** The centres of the points labelled 0..count-1 into `centre` (count * attributes); points with
 * greater labels are left out. label[i] is that of point which[i], of `n` points in ascending
 * order; `which` NULL: of point i. Numbers: the mean of those that are there, or of all records if
 * there is none and the attribute is private, otherwise missing. Categories: the commonest value,
 * of equals the first, missing only if it is commoner than all. The same for every thread count. */
kn_status kn__weighted_points_centres(const kn_weighted_points *p, const uint32_t *which, size_t n,
                                      const uint32_t *label, size_t count, double *centre,
                                      const kn_run *run, kn_error *err);

/** Sums of labelled points, and of categories the records by value. */
typedef struct kn_point_sums {
    size_t attributes, count;
    double *sum;       /* label * attributes + attribute: of numbers */
    uint64_t *present; /* and the records that have one */
    uint64_t
        *records; /* of categories: tally[a] + label * values[a] + value, the last is missing */
    size_t *tally, *values; /* by attribute; values[a] 0: a number */
    size_t cells;           /* of records */
} kn_point_sums;

/** For the labels 0..count-1. */
kn_status kn__point_sums_new(kn_point_sums *out, const kn_frame *frame, size_t count,
                             kn_error *err);
void kn__point_sums_clear(kn_point_sums *s);
/** All sums are 0 again. */
void kn__point_sums_reset(kn_point_sums *s);
/** The centres that the sums of points of `p` have. */
void kn__point_sums_centres(const kn_point_sums *s, const kn_weighted_points *p, double *centre);

/** By point, the nearest of some centres and its squared distance; and the mean of these over the
 * records. */
typedef struct kn_assignment {
    uint32_t *nearest;
    double *distance;
    double within;
} kn_assignment;

/** Room for the assignment of `p`, all of it zero. */
kn_status kn__assignment_new(kn_assignment *out, const kn_weighted_points *p, kn_error *err);
void kn__assignment_clear(kn_assignment *a);

/** Assign the points to the nearest of `count` centres. If `split` is not KN_NO_CODE, the centres
 * are those that `before` was made for, except centre `split`, which has changed, and the last,
 * which is new: other points than those of the split cluster are compared with these two alone. */
kn_status kn__weighted_points_assign(const kn_weighted_points *p, const double *centre,
                                     size_t count, uint32_t split, const kn_assignment *before,
                                     kn_assignment *out, const kn_run *run, kn_error *err);
/** The mean squared distance from records to the nearest of `count` centres, and how many records
 * are nearest to each into `population` (may be NULL). */
kn_status kn__weighted_points_within(const kn_weighted_points *p, const double *centre,
                                     size_t count, double *within, uint64_t *population,
                                     const kn_run *run, kn_error *err);

#endif
