/* baskets.c - item lists as plain arrays: widened, generalised, merged. */
#include "count/baskets.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <string.h>

enum {
    GRAIN = 4096,   /* records that a thread takes at a time */
    ALONE = 1 << 15 /* fewer records than this are not worth a second thread */
};

/* ---- making them ---- */

kn_baskets *kn__baskets_room(size_t records, uint64_t occurrences, uint32_t items, bool bags)
{
    kn_baskets *b = kn__zalloc(sizeof *b);

    if (!b) {
        return NULL;
    }
    *b = (kn_baskets){.records = records, .items = items, .bags = bags};
    if (records < SIZE_MAX && occurrences <= SIZE_MAX) {
        b->starts = kn__malloc_array(records + 1, sizeof *b->starts);
        b->list = kn__malloc_array((size_t)occurrences, sizeof *b->list);
    }
    if (!b->starts || !b->list) {
        kn__baskets_free(b);
        return NULL;
    }
    b->starts[0] = 0;
    return b;
}

kn_status kn__baskets_of_column(kn_baskets **out, const kn_column *c, size_t records, kn_error *err)
{
    kn_baskets *b;
    uint64_t at = 0;

    *out = NULL;
    if (!kn__type_is_list(c->type)) {
        return kn__fail(
            err, KN_EUSAGE,
            "column \"%s\" holds one value a record, not items: combinations are counted "
            "in list columns (--items, --numbers)",
            c->name);
    }
    if (!c->dict) {
        return kn__fail(err, KN_EUSAGE,
                        "column \"%s\" was read without its values: its items cannot be counted",
                        c->name);
    }
    b = kn__baskets_room(records, c->starts[records], kn__column_values(c), c->type != KN_TYPE_SET);
    KN_PASS(b ? KN_OK : kn__nomem(err));
    if (c->missing == KN_NO_CODE) { /* nothing is left out */
        memcpy(b->starts, c->starts, (records + 1) * sizeof *b->starts);
        kn__codes_get(b->list, c->codes, c->width, (size_t)c->starts[records]);
        *out = b;
        return KN_OK;
    }
    for (size_t i = 0; i < records; i++) {
        for (uint64_t j = c->starts[i]; j < c->starts[i + 1]; j++) {
            const uint32_t code = kn__code_get(c->codes, c->width, (size_t)j);
            if (code != c->missing) {
                b->list[at++] = code;
            }
        }
        b->starts[i + 1] = at;
    }
    *out = b;
    return KN_OK;
}

typedef struct mapping {
    const kn_baskets *from;
    kn_baskets *b;
    const uint32_t *to;
} mapping;

/* Each record is mapped where it was, and its new length kept; lists are closed up afterwards, so
 * threads need not know each other's lengths. */
static void map_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const mapping *m = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        uint32_t *const list = m->b->list + m->from->starts[i];
        size_t given, len = 0, kept = 0;
        const uint32_t *items = kn__baskets_record(m->from, i, &given);
        for (size_t j = 0; j < given; j++) {
            const uint32_t code = m->to[items[j]];
            if (code != KN_NO_CODE) {
                list[len++] = code;
            }
        }
        kn__sort_u32(list, len);
        for (size_t j = 0; j < len; j++) {
            if (m->b->bags || j == 0 || list[j] != list[j - 1]) {
                list[kept++] = list[j];
            }
        }
        m->b->starts[i + 1] = kept;
    }
}

kn_status kn__baskets_map(kn_baskets **out, const kn_baskets *b, const uint32_t *to, uint32_t items,
                          const kn_run *run, kn_error *err)
{
    mapping m = {.from = b, .to = to};
    uint64_t at = 0;
    uint32_t *less;

    *out = NULL;
    m.b = kn__baskets_room(b->records, b->starts[b->records], items, b->bags);
    KN_PASS(m.b ? KN_OK : kn__nomem(err));
    m.b->people = b->people;
    kn__parallel_for(b->records < ALONE ? 1 : kn__run_threads(run), b->records, GRAIN, map_slice,
                     &m);
    for (size_t i = 0; i < b->records; i++) {
        const uint64_t len = m.b->starts[i + 1];
        memmove(m.b->list + at, m.b->list + b->starts[i], (size_t)len * sizeof *m.b->list);
        at += len;
        m.b->starts[i + 1] = at;
    }
    less = kn__realloc_array(m.b->list, (size_t)at, sizeof *m.b->list);
    m.b->list = less ? less : m.b->list;
    *out = m.b;
    return KN_OK;
}

/* ---- equal records ---- */

static bool equal(const kn_baskets *b, size_t i, size_t j)
{
    size_t len, other;
    const uint32_t *x = kn__baskets_record(b, i, &len), *y = kn__baskets_record(b, j, &other);

    if (len != other) {
        return false;
    }
    for (size_t at = 0; at < len; at++) { /* most are short, and differ early if they do */
        if (x[at] != y[at]) {
            return false;
        }
    }
    return true;
}

/* The key of a record. One whose items fit into 63 bits is its key, and is compared by it alone; of
 * a longer one it is a hash, with the topmost bit set. `bits` are an item's, 0 being none. */
#define HASHED (UINT64_C(1) << 63)

static uint64_t key_of(const kn_baskets *b, unsigned bits, size_t i)
{
    size_t len;
    const uint32_t *items = kn__baskets_record(b, i, &len);
    uint64_t key = 0;

    if (len * bits > 63) {
        return kn__hash_bytes(items, len * sizeof *items) | HASHED;
    }
    for (size_t at = 0; at < len; at++) {
        key = key << bits | ((uint64_t)items[at] + 1);
    }
    return key;
}

/* Distinct records first (`first`, `weight`, `*count` of them), then their lists. */
static bool find_distinct(const kn_baskets *b, uint32_t *weight, uint32_t *first, uint32_t *of,
                          size_t *count, uint64_t *occurrences)
{
    kn_map numbers = {0}; /* by key: the number of a distinct record + 1 */
    unsigned bits = 1;
    size_t i = 0;

    while ((uint64_t)b->items >> bits) {
        bits++;
    }
    *count = 0;
    *occurrences = 0;
    for (; i < b->records && kn__map_reserve(&numbers, *count + 1, NULL) == KN_OK; i++) {
        const uint64_t key = key_of(b, bits, i);
        kn_map_slot *slot = kn__map_find(&numbers, key);
        while (slot->value && (key & HASHED) && !equal(b, first[slot->value - 1], i)) {
            slot = kn__map_next(&numbers, slot);
        }
        if (!slot->value) {
            first[*count] = (uint32_t)i;
            weight[*count] = 0;
            kn__map_put(&numbers, slot, key, ++*count);
            *occurrences += b->starts[i + 1] - b->starts[i];
        }
        weight[slot->value - 1] += kn__baskets_people(b, i);
        if (of) {
            of[i] = (uint32_t)(slot->value - 1);
        }
    }
    kn__map_clear(&numbers);
    return i == b->records;
}

kn_status kn__baskets_countable(const kn_baskets *b, kn_error *err)
{
    return b->records < UINT32_MAX
               ? KN_OK
               : kn__fail(err, KN_EINPUT, "%zu records: at most 4294967294 can be counted",
                          b->records);
}

kn_status kn__baskets_different(size_t *count, const kn_baskets *b, kn_error *err)
{
    uint32_t *weight = kn__malloc_array(b->records, sizeof *weight);
    uint32_t *first = kn__malloc_array(b->records, sizeof *first);
    uint64_t occurrences;
    kn_status status;

    *count = 0;
    KN_TRY(kn__baskets_countable(b, err));
    if (!(weight && first && find_distinct(b, weight, first, NULL, count, &occurrences))) {
        KN_TRY(kn__nomem(err));
    }
done:
    KN_FREE(weight, first);
    return status;
}

kn_status kn__baskets_distinct(kn_baskets **out, const kn_baskets *b, uint32_t **weight,
                               uint32_t **first, kn_error *err)
{
    return kn__baskets_group(out, b, weight, first, NULL, err);
}

kn_status kn__baskets_group(kn_baskets **out, const kn_baskets *b, uint32_t **weight,
                            uint32_t **first, uint32_t **of, kn_error *err)
{
    uint32_t *w = NULL, *f = NULL, *o = NULL;
    kn_baskets *d = NULL;
    size_t count;
    uint64_t occurrences;

    *out = NULL;
    *weight = NULL;
    if (first) {
        *first = NULL;
    }
    if (of) {
        *of = NULL;
    }
    if (kn__baskets_countable(b, err) != KN_OK) {
        return KN_EINPUT;
    }
    w = kn__malloc_array(b->records, sizeof *w);
    f = kn__malloc_array(b->records, sizeof *f);
    o = of ? kn__malloc_array(b->records, sizeof *o) : NULL;
    if (w && f && (o || !of) && find_distinct(b, w, f, o, &count, &occurrences)) {
        d = kn__baskets_room(count, occurrences, b->items, b->bags);
    }
    if (!d) {
        KN_FREE(w, f, o);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(b, f[i], &len);
        memcpy(d->list + d->starts[i], items, len * sizeof *items);
        d->starts[i + 1] = d->starts[i] + len;
    }
    *out = d;
    *weight = w;
    if (first) {
        *first = f;
    } else {
        kn__free(f);
    }
    if (of) {
        *of = o;
    }
    return KN_OK;
}

void kn__baskets_free(kn_baskets *b)
{
    if (b) {
        KN_FREE(b->starts, b->list, b);
    }
}
