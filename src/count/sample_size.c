/* sample_size.c - numbers of samples by one-dimensional minimisation, confidence bounds by
 * bisection over the binomial tail.
 *
 * The tail is summed from its largest term downwards and relative to it, so nothing underflows; the
 * logarithm of that term comes from Loader's expansion ("Fast and accurate computation of binomial
 * probabilities", 2000), which has no cancellation where lgamma has. */
#include "count/sample_size.h"
#include "base/args.h"
#include "base/error.h"

#include <math.h>

/* ---- numbers of samples ---- */

double kn__sample_eps(double sigma, double delta)
{
    return (1 - delta - sigma) / (1 - delta);
}

double kn__sample_delta(double sigma)
{
    return (1 - sigma) / 20;
}

/* (1 - eps)^n <= delta / rounds, solved for n. */
static double zero_failure(double sigma, double rounds, double delta)
{
    return log(rounds / delta) / -log1p(-kn__sample_eps(sigma, delta));
}

/* The delta that needs the fewest samples. In log(delta) the function has one minimum: golden
 * section. */
static double best_delta(double sigma, double rounds)
{
    static const double ratio = 0.6180339887498949;
    double low = log(1 - sigma) - 60, high = log1p(-sigma) - 1e-9;

    for (int i = 0; i < 200; i++) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (zero_failure(sigma, rounds, exp(a)) < zero_failure(sigma, rounds, exp(b))) {
            high = b;
        } else {
            low = a;
        }
    }
    return exp((low + high) / 2);
}

/* The root of the equation of Algorithm 2, line 3, in (0, 1 - sigma): positive at 0, negative at
 * 1 - sigma, with one change of sign between. */
static double hoeffding_root(double sigma)
{
    double low = 0, high = 1 - sigma;

    for (int i = 0; i < 200; i++) {
        const double x = (low + high) / 2;
        if (x * x + 2 * x * sigma * log(x) + (sigma - 2) * x - sigma + 1 > 0) {
            low = x;
        } else {
            high = x;
        }
    }
    return (low + high) / 2;
}

kn_status kn_sample_size_for(kn_sample_size *out, kn_sample_rule rule, double sigma,
                             uint64_t rounds, kn_error *err)
{
    double samples;

    KN_NEED(err, out);
    *out = (kn_sample_size){0};
    if (!(sigma > 0.5 && sigma < 1)) {
        return kn__fail(err, KN_EUSAGE,
                        "sigma is %g: samples can show shares above 0.5 and below 1; with 1 every "
                        "itemset has to be counted",
                        sigma);
    }
    if (rounds == 0) {
        return kn__fail(err, KN_EUSAGE, "0 rounds: a search tests at least once");
    }
    switch (rule) {
    case KN_SAMPLE_ZERO_FAILURE:
        out->delta = best_delta(sigma, (double)rounds);
        samples = ceil(zero_failure(sigma, (double)rounds, out->delta));
        break;
    case KN_SAMPLE_HOEFFDING:
        out->delta = hoeffding_root(sigma);
        samples = round(log(1 / out->delta) / 2 / pow(kn__sample_eps(sigma, out->delta), 2));
        break;
    default: return kn__fail(err, KN_EUSAGE, "no such rule for sample sizes: %d", (int)rule);
    }
    out->eps = kn__sample_eps(sigma, out->delta);
    out->samples = (uint64_t)samples;
    return KN_OK;
}

/* ---- the binomial distribution ---- */

/* log(n!) - (n + 1/2) log n + n - log(2 pi) / 2: the error of Stirling's formula. */
static double stirling_error(double n)
{
    double square;

    if (n < 16) {
        double factorial = 1;
        for (unsigned i = 2; i <= (unsigned)n; i++) {
            factorial *= i;
        }
        return log(factorial) - (n + 0.5) * log(n) + n - 0.91893853320467274178;
    }
    square = n * n;
    return (1.0 / 12 -
            (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square) /
                square) /
           n;
}

/* x log(x / mean) + mean - x, without cancellation where x is near the mean. */
static double deviance(double x, double mean)
{
    const double u = (x - mean) / mean;
    double sum = 0, power = u;

    if (fabs(u) > 0.05) {
        return x * log(x / mean) + mean - x;
    }
    for (int i = 2; i < 20; i++) {
        power *= u;
        sum += (i % 2 ? -power : power) / (i * (i - 1));
    }
    return mean * sum;
}

double kn__binomial_log(uint64_t n, uint64_t x, double p)
{
    const double trials = (double)n, hits = (double)x, rest = (double)(n - x);

    if (x == 0) {
        return trials * log1p(-p);
    }
    if (x == n) {
        return trials * log(p);
    }
    return stirling_error(trials) - stirling_error(hits) - stirling_error(rest) -
           deviance(hits, trials * p) - deviance(rest, trials * (1 - p)) +
           0.5 * log(trials / (6.28318530717958647693 * hits * rest));
}

/* log P(X <= x), for p above x / n, where the terms fall from x downwards. */
static double log_tail(uint64_t n, uint64_t x, double p)
{
    double term = 1, sum = 1;

    for (uint64_t i = x; i > 0 && term > 1e-18 * sum; i--) {
        term *= (double)i / (double)(n - i + 1) * ((1 - p) / p);
        sum += term;
    }
    return kn__binomial_log(n, x, p) + log(sum);
}

double kn_failing_share_at_most(uint64_t samples, uint64_t failures, double delta)
{
    double low, high = 1;

    if (samples == 0 || failures >= samples || !(delta > 0 && delta < 0.5)) {
        return 1;
    }
    if (failures == 0) {
        return -expm1(log(delta) / (double)samples);
    }
    /* P(X <= failures) is at least 1/2 at p = failures / samples, and falls to 0 at p = 1. */
    low = (double)failures / (double)samples;
    for (int i = 0; i < 100 && high - low > 1e-15; i++) {
        const double p = (low + high) / 2;
        if (p <= low || p >= high) {
            break;
        }
        if (log_tail(samples, failures, p) > log(delta)) {
            low = p;
        } else {
            high = p;
        }
    }
    return high;
}

double kn_failing_share_at_least(uint64_t samples, uint64_t failures, double delta)
{
    if (samples == 0 || failures == 0 || failures > samples) {
        return 0;
    }
    return 1 - kn_failing_share_at_most(samples, samples - failures, delta);
}
