/* uniform_test.h - whether samples of itemsets are uniform, against the enumeration of all. */
#ifndef COUNT_UNIFORM_TEST_H
#define COUNT_UNIFORM_TEST_H

#include "count/baskets_test.h"

#include <math.h>

enum { KEYS = 4096 };

/* Chi-square of `seen` against equal shares, as a number of standard deviations above what is
 * expected (Wilson and Hilferty). */
static double surprise(const int *seen, int cells, int draws)
{
    const double expected = (double)draws / cells, free = cells - 1;
    double sum = 0;

    if (cells < 2) {
        return 0;
    }
    for (int i = 0; i < cells; i++) {
        sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    return (cbrt(sum / free) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free));
}

/* All itemsets of `size` that occur, as multiplicities. */
static int enumerate(const km_data *d, int size, int (*sets)[KM_ITEMS])
{
    int times[KM_ITEMS] = {0}, count = 0;

    while (km_next(times, d->bags ? size : 1)) {
        if (km_size(times) == size && km_support(d, times) > 0) {
            memcpy(sets[count++], times, sizeof times);
        }
    }
    return count;
}

static int find(int (*sets)[KM_ITEMS], int count, const uint32_t *items, int size)
{
    int times[KM_ITEMS] = {0};

    for (int i = 0; i < size; i++) {
        times[items[i]]++;
    }
    for (int i = 0; i < count; i++) {
        if (memcmp(sets[i], times, sizeof times) == 0) {
            return i;
        }
    }
    return -1;
}

#endif
