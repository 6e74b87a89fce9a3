/* models/clusters/centroids.h - centres of clusters as a span model: the regions in which each
 * centre is the nearest are the equivalence classes (Friedman, Wolff, Schuster, section 4.2). */
#ifndef KN_MODELS_CLUSTERS_CENTROIDS_H
#define KN_MODELS_CLUSTERS_CENTROIDS_H

#include "models/bind.h"
#include "models/clusters/nearest.h"
#include "models/judge/span.h"

/** The attributes of a bound model as a space, those with weight 0 left out, and its records as
 * tuples of it. */
typedef struct kn_frame {
    kn_space space;
    const kn_bound *bound;
    uint32_t *attribute; /* by attribute of the space: that of the model */
    double **value;      /* the same, by code of its column: as tuples hold it */
    size_t centres;
    double *centre;            /* centre * attributes + attribute */
    double *category_distance; /* what space.category_distance points to */
} kn_frame;

/** Make the space, and the centres that the model has (there may be none yet).
 *  @return KN_EINPUT naming an attribute whose numbers are too large or small to be compared
 * exactly, a private number that a centre lacks, or more than KN_SPACE_HIDDEN private numbers. */
kn_status kn__frame_new(kn_frame **out, const kn_bound *b, kn_error *err);
void kn__frame_free(kn_frame *t);
/** The tuple of `record` into `x`. */
void kn__frame_get(const kn_frame *t, size_t record, double *x);
/** Set `other` of each category: whether a value is possible that none of `count` centres has. */
void kn__frame_find_other_values(kn_frame *t, const double *centre, size_t count);

/** The span model of the centres that `b` is bound to: class number = centre. kn__span_model_clear
 * frees what it holds. `b` is borrowed. */
kn_status kn__centroids_span_model(kn_span_model *out, const kn_bound *b, kn_error *err);

#endif
