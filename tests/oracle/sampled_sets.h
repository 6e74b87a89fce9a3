/* The definition of sigma-k^m-anonymity, spelled out for small data: list all itemsets of a size
 * that occur in the original, generalise each, count who holds it in the release. Everything is a
 * set of at most 64 items, one bit each. */
#ifndef KN_ORACLE_SAMPLED_SETS_H
#define KN_ORACLE_SAMPLED_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The regions of a set of items. */
static inline uint64_t oracle_generalise(uint64_t items, const uint32_t *region_of)
{
    uint64_t regions = 0;

    for (uint32_t i = 0; i < 64; i++) {
        if (items >> i & 1) {
            regions |= UINT64_C(1) << region_of[i];
        }
    }
    return regions;
}

static inline size_t oracle_support(const uint64_t *record, size_t records, uint64_t set)
{
    size_t support = 0;

    for (size_t i = 0; i < records; i++) {
        support += (record[i] & set) == set;
    }
    return support;
}

static inline int oracle_by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* All sets of `size` items that occur, each once; free() the list. */
static inline uint64_t *oracle_itemsets(const uint64_t *record, size_t records, size_t size,
                                        size_t *count)
{
    size_t len = 0, room = 1024, kept = 0;
    uint64_t *list = malloc(room * sizeof *list);

    for (size_t i = 0; i < records; i++) {
        /* every subset of the record, by counting down within its bits */
        for (uint64_t s = record[i]; s; s = (s - 1) & record[i]) {
            if ((size_t)__builtin_popcountll(s) == size) {
                if (len == room) {
                    room *= 2;
                    list = realloc(list, room * sizeof *list);
                }
                list[len++] = s;
            }
        }
    }
    qsort(list, len, sizeof *list, oracle_by_value);
    for (size_t i = 0; i < len; i++) {
        if (i == 0 || list[i] != list[i - 1]) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
    return list;
}

/* The share of the itemsets of a size that fewer than k people hold after generalisation. */
static inline double oracle_failing_share(const uint64_t *record, size_t records, size_t size,
                                          size_t k, const uint32_t *region_of)
{
    uint64_t *release = malloc((records + 1) * sizeof *release), *sets;
    size_t count, failing = 0;

    for (size_t i = 0; i < records; i++) {
        release[i] = oracle_generalise(record[i], region_of);
    }
    sets = oracle_itemsets(record, records, size, &count);
    for (size_t i = 0; i < count; i++) {
        failing += oracle_support(release, records, oracle_generalise(sets[i], region_of)) < k;
    }
    free(sets);
    free(release);
    return count ? (double)failing / (double)count : 0;
}

/* The chance that somebody who knows `size` random items of a random person (all when there are
 * fewer) knows a set that fewer than k people hold after generalisation. */
static inline double oracle_person_share(const uint64_t *record, size_t records, size_t size,
                                         size_t k, const uint32_t *region_of)
{
    uint64_t *release = malloc((records + 1) * sizeof *release);
    size_t people = 0;
    double sum = 0;

    for (size_t i = 0; i < records; i++) {
        release[i] = oracle_generalise(record[i], region_of);
    }
    for (size_t i = 0; i < records; i++) {
        const size_t len = (size_t)__builtin_popcountll(record[i]), want = len < size ? len : size;
        size_t sets = 0, failing = 0;
        for (uint64_t s = record[i]; s; s = (s - 1) & record[i]) {
            if ((size_t)__builtin_popcountll(s) == want) {
                sets++;
                failing += oracle_support(release, records, oracle_generalise(s, region_of)) < k;
            }
        }
        people += sets > 0;
        sum += sets ? (double)failing / (double)sets : 0;
    }
    free(release);
    return people ? sum / (double)people : 0;
}

#endif
