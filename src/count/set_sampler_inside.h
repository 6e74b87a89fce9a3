/* count/set_sampler_inside.h - what the files of the set sampler share. */
#ifndef KN_COUNT_SET_SAMPLER_INSIDE_H
#define KN_COUNT_SET_SAMPLER_INSIDE_H

#include "count/set_sampler.h"

/** C(n, size). */
double kn__choose(double n, size_t size);

/** All itemsets of `size` items that occur, `size` ascending codes each, if there are at most
 *  `most`, in an order that depends on the data alone; otherwise `*out` is NULL and `*count` 0.
 * Free with kn__free. O(pairs of a different record and an itemset inside it). */
kn_status kn__set_enumerate(uint32_t **out, size_t *count, const kn_set_source *source, size_t size,
                            size_t most, const kn_run *run, kn_error *err);

#endif
