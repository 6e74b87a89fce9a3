/* itemset_sampler.c - weighted records by binary search in prefix sums, itemsets by the numbers of
 * ways to complete them. */
#include "count/itemset_sampler.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

struct kn_itemset_sampler {
    const kn_bag_items *c;
    const kn_postings *postings;
    size_t size, longest;
    double *upto; /* by different record: pairs with it or an earlier one */
};

void kn__itemset_ways(const kn_bag_items *c, uint32_t record, uint32_t from, size_t size,
                      double *ways)
{
    const uint32_t *at = c->list + c->starts[record] + from;
    const uint32_t *end = c->list + c->starts[record + 1];
    const size_t width = size + 1;
    size_t chain = 0;

    for (const uint32_t *l = at; l < end; l++) {
        chain += l == at || *l >= c->end[l[-1]];
    }
    memset(ways + chain * width, 0, width * sizeof *ways);
    ways[chain * width] = 1;
    while (end > at) {
        const uint32_t *first = end - 1;
        while (first > at && c->end[first[-1]] == c->end[end[-1]]) {
            first--;
        }
        const size_t links = (size_t)(end - first);
        chain--;
        for (size_t j = 0; j <= size; j++) {
            double sum = 0;
            for (size_t t = 0; t <= links && t <= j; t++) {
                sum += ways[(chain + 1) * width + j - t];
            }
            ways[chain * width + j] = sum;
        }
        end = first;
    }
}

kn_status kn__itemset_sampler_new(kn_itemset_sampler **out, const kn_bag_items *c,
                                  const kn_postings *postings, size_t size, kn_error *err)
{
    const size_t records = c->distinct->records;
    kn_itemset_sampler *s = kn__zalloc(sizeof *s);
    double *ways = NULL, sum = 0;
    kn_status status = KN_OK;

    *out = NULL;
    KN_PASS(s ? KN_OK : kn__nomem(err));
    *s = (kn_itemset_sampler){.c = c, .postings = postings, .size = size};
    for (size_t i = 0; i < records; i++) {
        const size_t len = (size_t)(c->starts[i + 1] - c->starts[i]);
        s->longest = len > s->longest ? len : s->longest;
    }
    s->upto = kn__malloc_array(records, sizeof *s->upto);
    ways = kn__malloc_array(kn__itemset_sampler_scratch(s), sizeof *ways);
    if (!s->upto || !ways) {
        status = kn__nomem(err);
    }
    for (uint32_t i = 0; status == KN_OK && i < records; i++) {
        kn__itemset_ways(c, i, 0, size, ways);
        sum += ways[size];
        s->upto[i] = sum;
    }
    kn__free(ways);
    if (status != KN_OK) {
        kn__itemset_sampler_free(s);
        return status;
    }
    *out = s;
    return KN_OK;
}

void kn__itemset_sampler_free(kn_itemset_sampler *s)
{
    if (s) {
        KN_FREE(s->upto, s);
    }
}

double kn__itemset_sampler_pairs(const kn_itemset_sampler *s)
{
    const size_t records = s->c->distinct->records;

    return records ? s->upto[records - 1] : 0;
}

size_t kn__itemset_sampler_scratch(const kn_itemset_sampler *s)
{
    return (s->longest + 1) * (s->size + 1);
}

static uint32_t pick_record(const kn_itemset_sampler *s, double at)
{
    size_t low = 0, high = s->c->distinct->records - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->upto[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (uint32_t)low;
}

/* Put `times` copies of `item` into the ascending items[0..len). */
static void insert(uint32_t *items, size_t len, uint32_t item, size_t times)
{
    size_t place = len;

    while (place > 0 && items[place - 1] > item) {
        place--;
    }
    memmove(items + place + times, items + place, (len - place) * sizeof *items);
    for (size_t t = 0; t < times; t++) {
        items[place + t] = item;
    }
}

/* Draw a uniform itemset of the record, chain by chain; returns how many items it has, which
 * rounding may leave below s->size. */
static size_t pick_items(const kn_itemset_sampler *s, kn_rng *rng, double *ways, uint32_t record,
                         uint32_t *items)
{
    const kn_bag_items *c = s->c;
    const uint32_t *at = c->list + c->starts[record], *end = c->list + c->starts[record + 1];
    const size_t width = s->size + 1;
    size_t left = s->size;

    kn__itemset_ways(c, record, 0, s->size, ways);
    for (size_t chain = 0; left && at < end; chain++) {
        const double *after = ways + (chain + 1) * width;
        const uint32_t *next = at + 1;
        double to = kn__rng_double(rng) * ways[chain * width + left];
        size_t times = 0;
        while (next < end && *next < c->end[*at]) {
            next++;
        }
        while (times < (size_t)(next - at) && times < left && to >= after[left - times]) {
            to -= after[left - times];
            times++;
        }
        insert(items, s->size - left, c->item[*at], times);
        left -= times;
        at = next;
    }
    return s->size - left;
}

void kn__itemset_sampler_draw(const kn_itemset_sampler *s, kn_rng *rng, double *ways,
                              kn_itemset_draw *out)
{
    const double total = kn__itemset_sampler_pairs(s);
    double accept;
    size_t most;

    out->record = pick_record(s, kn__rng_double(rng) * total);
    const size_t len = pick_items(s, rng, ways, out->record, out->items);
    /* Accepted if accept < 1 / support: a support of 1 / accept or more rejects, so there is no
     * need to count further. */
    accept = kn__rng_double(rng);
    most = accept > 1e-12 ? (size_t)ceil(1 / accept) : SIZE_MAX;
    out->accepted = false;
    out->support = 1;
    if (len == s->size) {
        out->support = kn__postings_support(s->postings, out->items, len, NULL, most, NULL);
        out->accepted = accept * (double)out->support < 1;
    }
}
