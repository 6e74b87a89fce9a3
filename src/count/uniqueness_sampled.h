/* count/uniqueness_sampled.h - one point of the uniqueness curve by samples. */
#ifndef KN_COUNT_UNIQUENESS_SAMPLED_H
#define KN_COUNT_UNIQUENESS_SAMPLED_H

#include "count/bag_items.h"
#include "count/postings.h"
#include "count/set_sampler.h"
#include "kanon/profile.h"

/** How many samples, and which. */
typedef struct kn_uniqueness_plan {
    size_t size;
    uint64_t samples; /* accepted ones */
    bool naive;       /* sets: draw people, then items; biased */
    uint64_t seed;
} kn_uniqueness_plan;

/** Of sets. Where the itemsets could be listed and are few, all of them are counted, and the point
 *  is exact. */
kn_status kn__uniqueness_of_sets(kn_items_known *out, const kn_set_source *source,
                                 const kn_uniqueness_plan *plan, const kn_run *run, kn_error *err);
/** Of bags, with the postings of c->distinct. */
kn_status kn__uniqueness_of_bags(kn_items_known *out, const kn_bag_items *c,
                                 const kn_postings *postings, const kn_uniqueness_plan *plan,
                                 const kn_run *run, kn_error *err);

#endif
