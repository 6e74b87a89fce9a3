/* methods/sampling/merge_choice.h - which regions are merged so that failing itemsets pass. */
#ifndef KN_METHODS_SAMPLING_MERGE_CHOICE_H
#define KN_METHODS_SAMPLING_MERGE_CHOICE_H

#include "methods/sampling/exact_pass.h"

/** A partition in the making: regions and the index of their records, which change together. */
typedef struct kn_search_state {
    kn_regions *regions;
    kn_region_index *index;
    kn_region_scratch scratch;
    kn_merge_candidate *candidates;
    size_t candidates_room;
    uint64_t merges;
} kn_search_state;

/** Every item alone. */
kn_status kn__search_state_init(kn_search_state *s, const kn_region_rules *rules,
                                const kn_set_source *source, kn_error *err);
kn_status kn__search_state_copy(kn_search_state *s, const kn_search_state *from, kn_error *err);
void kn__search_state_clear(kn_search_state *s);

/** Make the regions of `c` one. */
kn_status kn__search_merge(kn_search_state *s, const kn_merge_candidate *c, kn_error *err);

/** Whether k people hold the regions of `count` items, or none does. */
bool kn__search_passes(const kn_search_state *s, const uint32_t *items, size_t count, size_t k);

/** Merge regions until the itemset passes. Each time the merge is chosen among those that the
 *  constraint allows for one of its regions: with `paper` (line 14 of Algorithm 2) the one that
 * adds the least error, otherwise the one that brings most people for its error.
 *  @return KN_EINFEASIBLE when none of its regions can be merged. */
kn_status kn__resolve(kn_search_state *s, const uint32_t *items, size_t count, size_t k, bool paper,
                      kn_error *err);

#endif
