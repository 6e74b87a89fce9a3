/* set_source.c - the different records of a column of sets, the longest first.
 *
 * A counting sort by length; records of equal length are ordered by a hash of their items, so that
 * the order, and with it every sample, depends on the records alone: not on the order of the rows,
 * and not on whether equal rows were counted before. */
#include "count/set_sampler.h"
#include "count/set_sampler_inside.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

/* A hash of the items, as a number that a double holds. */
static double rank_of(const kn_baskets *d, size_t record)
{
    size_t len;
    const uint32_t *items = kn__baskets_record(d, record, &len);
    uint64_t h = len;

    for (size_t i = 0; i < len; i++) {
        h = kn__hash_u64(h ^ kn__hash_u64(items[i]));
    }
    return (double)(h >> 11);
}

/* Order records of one length. Those whose hashes agree, which hardly ever happens, are ordered by
 * their items. */
static void order_length(kn_ranked *place, size_t count, size_t len, const kn_baskets *d)
{
    kn__sort_ranked(place, count);
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && place[j - 1].rank == place[j].rank; j--) {
            const uint32_t *a = d->list + d->starts[place[j - 1].id];
            const uint32_t *b = d->list + d->starts[place[j].id];
            const kn_ranked swap = place[j];
            size_t k = 0;
            while (k < len && a[k] == b[k]) {
                k++;
            }
            if (k == len || a[k] < b[k]) {
                break;
            }
            place[j] = place[j - 1];
            place[j - 1] = swap;
        }
    }
}

/* Records in the order of falling length, and where each length begins. */
static kn_status order_records(kn_set_source *s, const kn_baskets *d, const uint32_t *weight,
                               kn_ranked *place, kn_error *err)
{
    uint64_t at = 0;

    s->records = kn__baskets_room(d->records, d->starts[d->records], d->items, false);
    s->weight = kn__malloc_array(d->records, sizeof *s->weight);
    s->people = kn__malloc_array(d->records + 1, sizeof *s->people);
    KN_PASS(s->records && s->weight && s->people ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < d->records; i++) {
        place[s->begin[d->starts[i + 1] - d->starts[i]]++] = (kn_ranked){rank_of(d, i),
                                                                         (uint32_t)i};
    }
    for (size_t len = s->longest + 1, first = 0; len-- > 0;) {
        order_length(place + first, s->begin[len] - first, len, d);
        first = s->begin[len];
    }
    s->people[0] = 0;
    for (size_t i = 0; i < d->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(d, place[i].id, &len);
        if (len) {
            memcpy(s->records->list + at, items, len * sizeof *items);
        }
        at += len;
        s->records->starts[i + 1] = at;
        s->weight[i] = weight[place[i].id];
        s->people[i + 1] = s->people[i] + s->weight[i];
    }
    /* Placing moved every beginning to its end, which is the beginning of the next shorter one. */
    for (size_t len = 0; len <= s->longest; len++) {
        s->begin[len] = len < s->longest ? s->begin[len + 1] : 0;
    }
    return KN_OK;
}

static kn_status measure_lengths(kn_set_source *s, const kn_baskets *d, kn_error *err)
{
    size_t before = 0;

    for (size_t i = 0; i < d->records; i++) {
        const size_t len = (size_t)(d->starts[i + 1] - d->starts[i]);
        s->longest = len > s->longest ? len : s->longest;
    }
    s->begin = kn__zalloc_array(s->longest + 1, sizeof *s->begin);
    KN_PASS(s->begin ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < d->records; i++) {
        s->begin[d->starts[i + 1] - d->starts[i]]++;
    }
    for (size_t len = s->longest + 1; len-- > 0;) {
        const size_t count = s->begin[len];
        s->begin[len] = before;
        before += count;
    }
    return KN_OK;
}

kn_status kn__set_source_new(kn_set_source **out, const kn_baskets *b, kn_error *err)
{
    kn_set_source *s = NULL;
    kn_baskets *d = NULL;
    uint32_t *weight = NULL;
    kn_ranked *place = NULL;
    kn_status status;

    *out = NULL;
    if (b->bags) {
        return kn__fail(err, KN_EUSAGE,
                        "itemsets are sampled from sets; these lists hold items "
                        "more than once");
    }
    KN_TRY((s = kn__zalloc(sizeof *s)) ? KN_OK : kn__nomem(err));
    KN_TRY(kn__baskets_distinct(&d, b, &weight, NULL, err));
    KN_TRY(measure_lengths(s, d, err));
    KN_TRY((place = kn__malloc_array(d->records, sizeof *place)) ? KN_OK : kn__nomem(err));
    KN_TRY(order_records(s, d, weight, place, err));
    kn__baskets_free(d);
    d = NULL;
    KN_TRY(kn__postings_new(&s->postings, s->records, err));
    *out = s;
    s = NULL;
done:
    kn__set_source_free(s);
    kn__baskets_free(d);
    KN_FREE(weight, place);
    return status;
}

void kn__set_source_free(kn_set_source *s)
{
    if (s) {
        kn__baskets_free(s->records);
        KN_FREE(s->weight, s->people);
        kn__postings_free(s->postings);
        KN_FREE(s->begin, s);
    }
}

double kn__choose(double n, size_t size)
{
    double ways = 1;

    for (size_t i = 0; i < size; i++) {
        ways *= (n - (double)i) / (double)(i + 1);
    }
    return ways;
}

double kn__set_source_pairs(const kn_set_source *s, size_t size)
{
    double sum = 0;

    for (size_t len = size; len > 0 && len <= s->longest; len++) {
        sum += (double)(s->begin[len - 1] - s->begin[len]) * kn__choose((double)len, size);
    }
    return sum;
}
