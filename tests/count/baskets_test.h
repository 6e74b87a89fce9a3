/* baskets_test.h - random sets and bags, for the oracle and for us. */
#ifndef BASKETS_TEST_H
#define BASKETS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "count/baskets.h"
#include "oracle/km.h"

static km_data random_data(kn_rng *r)
{
    km_data d = {.records = (int)kn__rng_below(r, KM_RECORDS + 1),
                 .items = 1 + (int)kn__rng_below(r, KM_ITEMS),
                 .bags = kn__rng_below(r, 2) == 1};
    const int most = 1 + (int)kn__rng_below(r, KM_LENGTH);
    const bool equal = kn__rng_below(r, 3) == 0; /* many equal records: what releases look like */

    for (int i = 0; i < d.records; i++) {
        const int len = (int)kn__rng_below(r, (uint64_t)most + 1);
        if (equal && i > 0 && kn__rng_below(r, 3) > 0) {
            memcpy(d.times[i], d.times[kn__rng_below(r, (uint64_t)i)], sizeof d.times[i]);
            continue;
        }
        for (int j = 0; j < len; j++) {
            const uint64_t x = kn__rng_below(r, (uint64_t)d.items);
            d.times[i][kn__rng_below(r, 2) ? x : kn__rng_below(r, x + 1)]++;
        }
        for (int x = 0; x < KM_ITEMS && !d.bags; x++) {
            d.times[i][x] = d.times[i][x] > 0;
        }
    }
    return d;
}

static kn_baskets *baskets_of(const km_data *d)
{
    kn_baskets *b = kn__malloc(sizeof *b);
    uint64_t at = 0;

    *b = (kn_baskets){.records = (size_t)d->records, .items = KM_ITEMS, .bags = d->bags};
    b->starts = kn__malloc_array(b->records + 1, sizeof *b->starts);
    b->list = kn__malloc_array(KM_RECORDS * KM_LENGTH, sizeof *b->list);
    b->starts[0] = 0;
    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < KM_ITEMS; x++) {
            for (int t = 0; t < d->times[i][x]; t++) {
                b->list[at++] = (uint32_t)x;
            }
        }
        b->starts[i + 1] = at;
    }
    return b;
}

/* More than the oracle takes: up to `most` items a record, small codes more often. */
static kn_baskets *random_baskets(kn_rng *r, size_t records, uint32_t items, size_t most, bool bags)
{
    kn_baskets *b = kn__zalloc(sizeof *b);
    uint32_t *to = kn__malloc_array(items, sizeof *to);
    kn_baskets *sorted = NULL;

    *b = (kn_baskets){.records = records, .items = items, .bags = bags};
    b->starts = kn__malloc_array(records + 1, sizeof *b->starts);
    b->list = kn__malloc_array(records * most, sizeof *b->list);
    b->starts[0] = 0;
    for (size_t i = 0; i < records; i++) {
        const size_t len = (size_t)kn__rng_below(r, most + 1);
        for (size_t j = 0; j < len; j++) {
            b->list[b->starts[i] + j] = (uint32_t)kn__rng_below(r, 1 + kn__rng_below(r, items));
        }
        b->starts[i + 1] = b->starts[i] + len;
    }
    for (uint32_t i = 0; i < items; i++) {
        to[i] = i;
    }
    assert_int_equal(kn__baskets_map(&sorted, b, to, items, NULL, NULL), KN_OK);
    kn__free(to);
    kn__baskets_free(b);
    return sorted;
}

/* Progress that asks to stop at once. */
static int cancel(void *user, const char *phase, double done)
{
    (void)user;
    (void)phase;
    (void)done;
    return 1;
}

#endif
