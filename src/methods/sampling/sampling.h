/* methods/sampling/sampling.h - what the files of the method `sampling` share. */
#ifndef KN_METHODS_SAMPLING_SAMPLING_H
#define KN_METHODS_SAMPLING_SAMPLING_H

#include "geo/areas.h"
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

/** Certify the regions with samples that the search has not seen, by code of its own
 *  (guarantees/recount). What fails is merged away and the next attempt begins; `*attempt` is the
 *  one that succeeded.
 *  @return KN_EINFEASIBLE when eight attempts fail. */
kn_status kn__sampling_certify(kn_regions **regions, const kn_items_task *task,
                               const kn_set_source *source, const kn_search_options *options,
                               unsigned *attempt, kn_error *err);

/** What the items are published as, and the areas where there are coordinates. */
kn_status kn__sampling_publish(kn_recoding *out, const kn_items_task *task,
                               const kn_sampling_rules *rules, const kn_regions *regions,
                               kn_error *err);

#endif
