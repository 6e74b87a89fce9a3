/* methods/sampling/sampling.h - what the files of the method `sampling` share. */
#ifndef KN_METHODS_SAMPLING_SAMPLING_H
#define KN_METHODS_SAMPLING_SAMPLING_H

#include "geo/areas.h"
#include "guarantees/recount/certificate.h"
#include "methods/method.h"
#include "methods/sampling/search.h"

/** The constraint and the error of a search, with all that they are made of. */
typedef struct kn_sampling_rules {
    kn_region_rules rules;
    uint8_t *occurs; /* by code: some record holds it */
    double *weight;
    kn_places *places; /* NULL: no coordinates were given */
    kn_voronoi *cells; /* NULL: there are no coordinates, or no GEOS */
    kn_neighbours *near;
    size_t parts; /* of the neighbour graph */
    double (*place)[3], (*middle)[3];
    double *distance;
} kn_sampling_rules;

/** Read the files that the parameters name and build the rules. KN_EUSAGE when neither a hierarchy
 *  nor coordinates nor edges are given. */
kn_status kn__sampling_rules_init(kn_sampling_rules *r, const kn_items_task *task, kn_error *err);
void kn__sampling_rules_clear(kn_sampling_rules *r);

/** What was certified. */
typedef struct kn_sampling_certified {
    unsigned attempt; /* the one that succeeded, from 1 */
    double eps;       /* the largest bound of all sizes and attackers that were sampled; or 0 */
} kn_sampling_certified;

/** Certify the regions with samples that the search has not seen, by code of its own
 *  (guarantees/recount). What fails is merged away and the next attempt begins. `*certifier`, NULL
 *  at first, serves all partitions of one task; the caller frees it.
 *  @return KN_EINFEASIBLE when eight attempts fail. */
kn_status kn__sampling_certify(kn_regions **regions, const kn_items_task *task,
                               const kn_set_source *source, const kn_search_options *options,
                               kn_certifier **certifier, kn_sampling_certified *out, kn_error *err);

/** What each m that is smaller than the one asked for would have cost, each certified as if it had
 *  been asked for: into areas->curve. `options->path` is that of the search; `done` and `regions`
 *  are what is published. */
kn_status kn__sampling_curve(kn_areas *areas, const kn_items_task *task,
                             const kn_sampling_rules *rules, const kn_set_source *source,
                             const kn_search_options *options, const kn_regions *regions,
                             kn_certifier **certifier, const kn_sampling_certified *done,
                             kn_error *err);

/** By region: how many people hold one of its items. The caller frees `*out` with kn__free. */
kn_status kn__sampling_people(double **out, const kn_items_task *task, const kn_regions *regions,
                              kn_error *err);

/** How far the items are from the centres of their regions. */
kn_status kn__sampling_error(kn_area_error *out, const kn_regions *regions, kn_error *err);

/** What the items are published as, and the areas where there are coordinates. */
kn_status kn__sampling_publish(kn_recoding *out, const kn_items_task *task,
                               const kn_sampling_rules *rules, const kn_regions *regions,
                               kn_error *err);

#endif
