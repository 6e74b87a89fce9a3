/* base/rng.h - seeded random numbers: xoshiro256** by Blackman and Vigna, seeded through
 * splitmix64. Passed in wherever randomness is used, so that a seed gives the same result
 * everywhere. */
#ifndef KN_BASE_RNG_H
#define KN_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct kn_rng {
    uint64_t s[4];
} kn_rng;

/** Start from `seed`; `stream` gives independent generators for one seed. */
void kn__rng_seed(kn_rng *r, uint64_t seed, uint64_t stream);
uint64_t kn__rng_next(kn_rng *r);
/** Uniform in 0..n-1, without bias; n > 0. */
uint64_t kn__rng_below(kn_rng *r, uint64_t n);
/** Uniform in [0,1). */
double kn__rng_double(kn_rng *r);
/** An index with probability proportional to weights[i] >= 0, not all zero. O(count). */
size_t kn__rng_pick(kn_rng *r, const double *weights, size_t count);

#endif
