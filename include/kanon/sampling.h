/* kanon/sampling.h - how many random itemsets a statement about all of them needs, and what a
 * sample says.
 *
 * A release is sigma-k^m-anonymous for itemsets of one size when at least a share sigma of them has
 * support k or more. From n random itemsets one learns that the failing share is at most eps,
 * except with a probability of delta; (1 - eps)(1 - delta) >= sigma is then what is claimed.
 * docs/sampling.md derives every formula here. */
#ifndef KANON_SAMPLING_H
#define KANON_SAMPLING_H

#include "kanon/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the number of samples of a search follows from sigma. */
typedef enum kn_sample_rule {
    /** All samples passed: (1 - eps)^n <= delta / rounds. The confidence is spent over all rounds,
     *  because the search tests again after every generalisation. */
    KN_SAMPLE_ZERO_FAILURE,
    /** As the paper prints it: Hoeffding's inequality, one round. */
    KN_SAMPLE_HOEFFDING
} kn_sample_rule;

/** A number of samples that all have to pass, and what is known then. */
typedef struct kn_sample_size {
    uint64_t samples; /**< the smallest number; of KN_SAMPLE_HOEFFDING gamma, rounded */
    double eps;       /**< the failing share is at most this, */
    double delta;     /**< except with this probability, over all rounds together */
} kn_sample_size;

/** The smallest number of samples with (1 - eps)(1 - delta) >= sigma when the test is repeated up
 *  to `rounds` times (items x runs; at least 1; KN_SAMPLE_HOEFFDING does not look at it).
 *  KN_EUSAGE unless 0.5 < sigma < 1 and rounds > 0. O(1). */
kn_status kn_sample_size_for(kn_sample_size *out, kn_sample_rule rule, double sigma,
                             uint64_t rounds, kn_error *err);

/** Clopper and Pearson's upper bound: the failing share of all is at most this, except with a
 *  probability of `delta` (above 0, below 0.5), when `failures` of `samples` independent samples
 *  fail. 1 when all fail, there is no
 *  sample, or delta is out of range. Expected O(sqrt(samples)). */
double kn_failing_share_at_most(uint64_t samples, uint64_t failures, double delta);
/** The lower bound of the same kind. */
double kn_failing_share_at_least(uint64_t samples, uint64_t failures, double delta);

#ifdef __cplusplus
}
#endif
#endif
