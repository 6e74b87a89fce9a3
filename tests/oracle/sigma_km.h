/* oracle/sigma_km.h - sigma-k^m-anonymity by its definition: every itemset of the original is
 * written down, generalised, and looked for in every record of the release. */
#ifndef ORACLE_SIGMA_KM_H
#define ORACLE_SIGMA_KM_H

#include "oracle/km.h"

/* The release: item x of `d` is published as group to[x] < KM_ITEMS, in every record. */
static void sk_generalise(const km_data *d, const int *to, km_data *out)
{
    memset(out, 0, sizeof *out);
    out->records = d->records;
    out->items = KM_ITEMS;
    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < KM_ITEMS; x++) {
            if (d->times[i][x]) {
                out->times[i][to[x]] = 1;
            }
        }
    }
}

static bool sk_fails(const km_data *release, const int *to, const int *times, int k)
{
    int published[KM_ITEMS] = {0}, support;

    for (int x = 0; x < KM_ITEMS; x++) {
        if (times[x]) {
            published[to[x]] = 1;
        }
    }
    support = km_support(release, published);
    return support > 0 && support < k;
}

/* The share of the itemsets of `size` that occur and fail; -1 where none occurs. */
static double sk_uniform(const km_data *d, const km_data *release, const int *to, int size, int k)
{
    int times[KM_ITEMS] = {0}, all = 0, failing = 0;

    while (km_next(times, 1)) {
        if (km_size(times) == size && km_support(d, times) > 0) {
            all++;
            failing += sk_fails(release, to, times, k);
        }
    }
    return all ? (double)failing / all : -1;
}

/* The probability that min(size, items) random items of a random person with items fail; -1 where
 * there is no such person. */
static double sk_person(const km_data *d, const km_data *release, const int *to, int size, int k)
{
    double sum = 0;
    int people = 0;

    for (int i = 0; i < d->records; i++) {
        const int len = km_size(d->times[i]), known = len < size ? len : size;
        int times[KM_ITEMS] = {0}, all = 0, failing = 0;
        while (len && km_next(times, 1)) {
            if (km_size(times) == known && km_holds(d, i, times)) {
                all++;
                failing += sk_fails(release, to, times, k);
            }
        }
        people += len > 0;
        sum += all ? (double)failing / all : 0;
    }
    return people ? sum / people : -1;
}

/* Whether no itemset of up to `size` items fails. */
static bool sk_exact(const km_data *d, const km_data *release, const int *to, int size, int k)
{
    for (int s = 1; s <= size; s++) {
        if (sk_uniform(d, release, to, s, k) > 0) {
            return false;
        }
    }
    return true;
}

#endif
