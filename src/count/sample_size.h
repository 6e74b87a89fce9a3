/* count/sample_size.h - numbers of samples and bounds from samples (kanon/sampling.h), for the
 * search and for certificates. */
#ifndef KN_COUNT_SAMPLE_SIZE_H
#define KN_COUNT_SAMPLE_SIZE_H

#include "kanon/sampling.h"

/** The largest failing share that may be certified with a probability of `delta` of being wrong,
 *  such that (1 - eps)(1 - delta) >= sigma; negative if delta leaves none. */
double kn__sample_eps(double sigma, double delta);
/** The delta of a certificate for `sigma` when the caller gives none: a twentieth of 1 - sigma. */
double kn__sample_delta(double sigma);

/** log P(X = x) of a binomial X of `n` trials with probability p in (0, 1), x <= n. Loader's
 *  saddle-point expansion: relative error of P below 1e-12 for any n. */
double kn__binomial_log(uint64_t n, uint64_t x, double p);

#endif
