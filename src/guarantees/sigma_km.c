/* sigma_km.c - sigma-k^m-anonymity: of the l-itemsets that occur, l = 1..m, a share sigma at least
 * has support k in the release (Acs, Achara and Castelluccia, IEEE Big Data 2015).
 *
 * sigma and k may differ by size. Vectors end with their last entry that is not 0, which all larger
 * sizes repeat. */
#include "kanon/guarantee.h"

#include "base/error.h"

double kn_guarantee_sigma(const kn_guarantee *g, size_t size)
{
    double sigma = 0;

    for (size_t i = 0; g && i < size && i < KN_MOST_KNOWN && (i == 0 || g->sigma[i] != 0); i++) {
        sigma = g->sigma[i];
    }
    return sigma;
}

size_t kn_guarantee_k(const kn_guarantee *g, size_t size)
{
    size_t k = g ? g->k : 0;

    for (size_t i = 0; g && i < size && i < KN_MOST_KNOWN && g->k_of_size[i]; i++) {
        k = g->k_of_size[i];
    }
    return k;
}

bool kn_guarantee_exact(const kn_guarantee *g, size_t size)
{
    size_t up_to;

    if (!g) {
        return false;
    }
    up_to = g->exact_up_to == 0               ? KN_EXACT_UP_TO
            : g->exact_up_to == KN_SAMPLE_ALL ? 0
                                              : g->exact_up_to;
    return size <= up_to || kn_guarantee_sigma(g, size) >= 1;
}
