/* partial.c - counting slices of the records and merging what was counted. */
#include "count/partial.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/partial_inside.h"

#include <string.h>

enum { ALONE = 1 << 12 }; /* fewer records than this are not worth a second slice */

typedef kn__partial_size sized;

/* ---- keys ---- */

static int compare(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static unsigned shift_of(const kn_itemset_counts *p, size_t place)
{
    return 64 - p->bits * (unsigned)(place % p->per_word + 1);
}

/* The key of prefix[0..size-2] and `last`. */
static void pack(const kn_itemset_counts *p, size_t size, const uint32_t *prefix, uint32_t last,
                 uint64_t *key)
{
    memset(key, 0, p->size[size].words * sizeof *key);
    for (size_t i = 0; i < size; i++) {
        const uint64_t item = i + 1 < size ? prefix[i] : last;
        key[i / p->per_word] |= item << shift_of(p, i);
    }
}

/* Whether the key is that of `size` items which may be a combination; they go to `items`. */
static bool partial_unpack(const kn_itemset_counts *p, size_t size, const uint64_t *key,
                           uint32_t *items)
{
    uint64_t again[KN_MOST_M];

    for (size_t i = 0; i < size; i++) {
        items[i] = (uint32_t)(key[i / p->per_word] >> shift_of(p, i) &
                              (UINT64_MAX >> (64 - p->bits)));
        if (items[i] >= p->items ||
            (i && (p->bags ? items[i] < items[i - 1] : items[i] <= items[i - 1]))) {
            return false;
        }
    }
    pack(p, size, items, items[size - 1], again); /* no bit beside the items */
    return compare(again, key, p->size[size].words) == 0;
}

/* ---- making one ---- */

kn_itemset_counts *kn__partial_new(const kn_itemset_counts_options *options, bool bags,
                                   uint32_t items)
{
    kn_itemset_counts *p = kn__zalloc(sizeof *p);

    if (!p) {
        return NULL;
    }
    p->options = *options;
    p->options.cap = options->cap ? options->cap : UINT32_MAX;
    p->options.parts = options->parts ? options->parts : 1;
    p->bags = bags;
    p->items = items;
    for (p->bits = 1; p->bits < 32 && (UINT64_C(1) << p->bits) < items;) {
        p->bits++;
    }
    p->per_word = 64 / p->bits;
    for (size_t size = 1; size <= options->m; size++) {
        p->size[size].words = (size - 1) / p->per_word + 1;
    }
    return p;
}

bool kn__partial_grow(sized *s, size_t count)
{
    return count <= SIZE_MAX / s->words &&
           kn__grow(&s->keys, &s->keys_cap, count * s->words, sizeof *s->keys, NULL) == KN_OK &&
           kn__grow(&s->supports, &s->supports_cap, count, sizeof *s->supports, NULL) == KN_OK;
}

void kn__partial_free(kn_itemset_counts *p)
{
    if (p) {
        for (size_t size = 1; size <= KN_MOST_M; size++) {
            KN_FREE(p->size[size].keys, p->size[size].supports);
        }
        kn__free(p);
    }
}

/* ---- counting ---- */

static kn_status check_options(const kn_itemset_counts_options *o, kn_error *err)
{
    if (o->m < 1 || o->m > KN_MOST_M) {
        return kn__fail(err, KN_EUSAGE, "m is %zu: combinations of 1 to %d items can be counted",
                        o->m, KN_MOST_M);
    }
    if (o->part >= (o->parts ? o->parts : 1)) {
        return kn__fail(err, KN_EUSAGE, "part %lu of %lu: parts are numbered from 0",
                        (unsigned long)o->part, (unsigned long)o->parts);
    }
    return KN_OK;
}

static uint32_t capped(const kn_itemset_counts *p, uint64_t support)
{
    return support < p->options.cap ? (uint32_t)support : p->options.cap;
}

static kn_status keep(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                      const uint32_t *last, const uint32_t *supports, size_t count)
{
    kn_itemset_counts *p = user;
    sized *s = &p->size[size];

    (void)worker;
    if (!kn__partial_grow(s, s->count + count)) {
        return KN_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        pack(p, size, prefix, last[i], s->keys + s->count * s->words);
        s->supports[s->count++] = capped(p, supports[i]);
    }
    return KN_OK;
}

static kn_status count_slice(kn_itemset_counts **out, const kn_baskets *b, const uint32_t *weight,
                             size_t from, size_t to, const kn_itemset_counts_options *options,
                             const kn_run *run, kn_error *err)
{
    const kn_tally_cut cut = {.salt = options->salt,
                              .parts = options->parts,
                              .part = options->part};
    kn_tally_lists lists = {0};
    kn_itemset_counts *p = kn__partial_new(options, b->bags, b->items);
    kn_status status;

    KN_TRY(
        p ? kn__tally_lists_init(&lists, b->items, to - from, b->starts[to] - b->starts[from], err)
          : kn__nomem(err));
    for (size_t i = from; i < to; i++) {
        const uint32_t times = weight ? weight[i] : 1;
        for (uint64_t at = b->starts[i]; at < b->starts[i + 1] && times; at++) {
            kn__tally_add(&lists, b->list[at]);
        }
        if (times) {
            kn__tally_end(&lists, times);
        }
        p->records += times;
        if (p->records > UINT32_MAX) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "a slice stands for more than 4294967295 records: count smaller "
                            "slices and merge them"));
        }
    }
    KN_TRY(kn__tally_walk(&lists, options->m, &cut, true, 1, keep, p, run, err));
done:
    kn__tally_lists_clear(&lists);
    if (status != KN_OK) {
        kn__partial_free(p);
        p = NULL;
    }
    *out = p;
    return status;
}

typedef struct slices {
    const kn_baskets *b;
    const uint32_t *weight;
    size_t from, to, count;
    const kn_itemset_counts_options *options;
    const kn_run *run;
    kn_itemset_counts **part;
    kn_status *status;
    kn_error *err; /* by slice */
} slices;

/* Progress is reported on the calling thread only, which counts the first slice. */
static void count_slices(void *user, unsigned number)
{
    const slices *s = user;
    const size_t step = (s->to - s->from) / s->count, rest = (s->to - s->from) % s->count;
    const size_t from = s->from + number * step + (number < rest ? number : rest);

    s->status[number] = count_slice(&s->part[number], s->b, s->weight, from,
                                    from + step + (number < rest), s->options,
                                    number ? NULL : s->run, &s->err[number]);
}

kn_status kn__partial_count(kn_itemset_counts **out, const kn_baskets *b, const uint32_t *weight,
                            size_t from, size_t to, const kn_itemset_counts_options *options,
                            const kn_run *run, kn_error *err)
{
    slices s = {.b = b, .weight = weight, .from = from, .to = to, .options = options, .run = run};
    const unsigned threads = kn__run_threads(run);
    kn_status status = check_options(options, err);

    *out = NULL;
    if (status == KN_OK && (from > to || to > b->records)) {
        status = kn__fail(err, KN_EUSAGE, "records %zu to %zu of %zu cannot be counted", from, to,
                          b->records);
    }
    if (status != KN_OK) {
        return status;
    }
    s.count = to - from < ALONE && !(run && run->threads) ? 1 : threads;
    if (s.count == 1) {
        return count_slice(out, b, weight, from, to, options, run, err);
    }
    s.part = kn__zalloc_array(s.count, sizeof(kn_itemset_counts *));
    s.status = kn__zalloc_array(s.count, sizeof *s.status);
    s.err = kn__zalloc_array(s.count, sizeof *s.err);
    status = s.part && s.status && s.err ? KN_OK : kn__nomem(err);
    if (status == KN_OK) {
        kn__parallel((unsigned)s.count, count_slices, &s);
    }
    for (size_t i = 0; i < s.count && status == KN_OK; i++) {
        status = s.status[i];
        if (status != KN_OK && err) {
            *err = s.err[i];
        }
    }
    for (size_t step = 1; step < s.count && status == KN_OK; step *= 2) {
        for (size_t i = 0; i + step < s.count && status == KN_OK; i += 2 * step) {
            kn_itemset_counts *both = NULL;
            status = kn__partial_merge(&both, s.part[i], s.part[i + step], err);
            if (status == KN_OK) {
                kn__partial_free(s.part[i]);
                kn__partial_free(s.part[i + step]);
                s.part[i] = both;
                s.part[i + step] = NULL;
            }
        }
    }
    if (status == KN_OK) {
        *out = s.part[0];
        s.part[0] = NULL;
    }
    for (size_t i = 0; s.part && i < s.count; i++) {
        kn__partial_free(s.part[i]);
    }
    KN_FREE(s.part, s.status, s.err);
    return status;
}

/* ---- merging ---- */

static bool alike(const kn_itemset_counts *a, const kn_itemset_counts *b)
{
    const kn_itemset_counts_options *x = &a->options, *y = &b->options;

    return a->bags == b->bags && a->items == b->items && x->m == y->m && x->cap == y->cap &&
           x->parts == y->parts && x->part == y->part && x->salt == y->salt && x->codes == y->codes;
}

static void merge_size(const kn_itemset_counts *p, sized *out, const sized *a, const sized *b)
{
    const size_t words = out->words;
    size_t i = 0, j = 0;

    while (i < a->count || j < b->count) {
        int order = i == a->count ? 1 : -1; /* which list is next, if one is at its end */
        if (i < a->count && j < b->count) {
            order = compare(a->keys + i * words, b->keys + j * words, words);
        }
        const uint64_t *key = order <= 0 ? a->keys + i * words : b->keys + j * words;
        uint64_t support = 0;
        memcpy(out->keys + out->count * words, key, words * sizeof *key);
        if (order <= 0) {
            support += a->supports[i++];
        }
        if (order >= 0) {
            support += b->supports[j++];
        }
        out->supports[out->count++] = capped(p, support);
    }
}

kn_status kn__partial_merge(kn_itemset_counts **out, const kn_itemset_counts *a,
                            const kn_itemset_counts *b, kn_error *err)
{
    kn_itemset_counts *p;

    *out = NULL;
    if (!alike(a, b)) {
        return kn__fail(err, KN_EUSAGE,
                        "these partial counts were not made alike and cannot be merged: count both "
                        "with the same items, options and part");
    }
    if (a->records > UINT64_MAX - b->records) {
        return kn__fail(err, KN_EINPUT, "partial counts of more records than can be counted");
    }
    p = kn__partial_new(&a->options, a->bags, a->items);
    KN_PASS(p ? KN_OK : kn__nomem(err));
    p->records = a->records + b->records;
    for (size_t size = 1; size <= p->options.m; size++) {
        const sized *x = &a->size[size], *y = &b->size[size];
        /* x->count + y->count cannot overflow: both are in memory. */
        if (!kn__partial_grow(&p->size[size], x->count + y->count)) {
            kn__partial_free(p);
            return kn__nomem(err);
        }
        merge_size(p, &p->size[size], x, y);
    }
    *out = p;
    return KN_OK;
}

/* ---- asking ---- */

size_t kn__partial_combinations(const kn_itemset_counts *p, size_t size)
{
    return p->size[size].count;
}

uint32_t kn__partial_combination(const kn_itemset_counts *p, size_t size, size_t i, uint32_t *items)
{
    const sized *s = &p->size[size];

    (void)partial_unpack(p, size, s->keys + i * s->words, items);
    return s->supports[i];
}

uint32_t kn__partial_support(const kn_itemset_counts *p, const uint32_t *items, size_t size)
{
    const sized *s = &p->size[size];
    size_t low = 0, high = s->count;
    uint64_t key[KN_MOST_M];

    for (size_t i = 0; i < size; i++) {
        if (items[i] >= p->items) {
            return 0;
        }
    }
    pack(p, size, items, items[size - 1], key);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare(s->keys + middle * s->words, key, s->words);
        if (order == 0) {
            return s->supports[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return 0;
}

uint32_t kn__partial_least(const kn_itemset_counts *p, size_t size)
{
    const sized *s = &p->size[size];
    uint32_t least = 0;

    for (size_t i = 0; i < s->count; i++) {
        least = i == 0 || s->supports[i] < least ? s->supports[i] : least;
    }
    return least;
}

static bool validate_size(const kn_itemset_counts *p, size_t size, const kn_tally_cut *cut,
                          const char **reason)
{
    const sized *s = &p->size[size];
    uint32_t items[KN_MOST_M];

    for (size_t i = 0; i < s->count; i++) {
        const uint64_t *key = s->keys + i * s->words;
        if (!partial_unpack(p, size, key, items)) {
            *reason = "a combination is none of its items";
            return false;
        }
        if (i && compare(key - s->words, key, s->words) >= 0) {
            *reason = "the combinations are not in order";
            return false;
        }
        if (!kn__tally_in_cut(cut, items, size)) {
            *reason = "a combination belongs to another part";
            return false;
        }
        if (s->supports[i] < 1 || s->supports[i] > p->options.cap || s->supports[i] > p->records) {
            *reason = "a support is not between 1 and the number of records or the cap";
            return false;
        }
    }
    return true;
}

bool kn__partial_validate(const kn_itemset_counts *p, const char **reason)
{
    const kn_tally_cut cut = {.salt = p->options.salt,
                              .parts = p->options.parts,
                              .part = p->options.part};

    for (size_t size = 1; size <= p->options.m; size++) {
        if (!validate_size(p, size, &cut, reason)) {
            return false;
        }
    }
    return true;
}
