/* oracle/partial.h - supports by their definition, record by record and with weights: of every
 * multiset of up to m items that can be written down. */
#ifndef ORACLE_PARTIAL_H
#define ORACLE_PARTIAL_H

#include "oracle/km.h"

/* How many records of from..to-1 hold the combination; record i stands for weight[i]. */
static uint64_t partial_support(const km_data *d, const uint32_t *weight, int from, int to,
                                const int *times)
{
    uint64_t support = 0;

    for (int i = from; i < to; i++) {
        support += km_holds(d, i, times) ? weight[i] : 0;
    }
    return support;
}

/* The items of a combination, ascending, each as often as it is in it; how many. */
static size_t partial_items(const int *times, uint32_t *items)
{
    size_t size = 0;

    for (int x = 0; x < KM_ITEMS; x++) {
        for (int t = 0; t < times[x]; t++) {
            items[size++] = (uint32_t)x;
        }
    }
    return size;
}

#endif
