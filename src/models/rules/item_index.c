/* item_index.c - posting lists, with bit sets beside the long ones. Intersections start with the
 * shortest list and look up its records in the others: in the bit set if there is one, otherwise by
 * galloping search, since the next record is often near. */
#include "models/rules/item_index.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { DENSE = 64 }; /* an item that more than one record in so many holds gets a bit set */

/* Count the records of each item into `next`, or, once there is index->record, place them. `last`
 * is by item the last record seen: a repeat within a record is skipped. */
static void scan(kn_item_index *index, const kn_column *c, const uint32_t *item, uint32_t *last,
                 size_t *next)
{
    for (size_t r = 0; r < index->records; r++) {
        for (uint64_t i = c->starts[r]; i < c->starts[r + 1]; i++) {
            const uint32_t at = item[kn__code_get(c->codes, c->width, (size_t)i)];
            if (at == KN_NO_CODE || last[at] == (uint32_t)r) {
                continue;
            }
            last[at] = (uint32_t)r;
            if (index->record) {
                index->record[next[at]++] = (uint32_t)r;
            } else {
                next[at]++;
            }
        }
    }
}

static kn_status add_bits(kn_item_index *index, kn_error *err)
{
    const size_t words = kn__bits_words(index->records);

    for (uint32_t i = 0; i < index->items; i++) {
        if (kn__item_index_support(index, i) <= index->records / DENSE) {
            continue;
        }
        index->bits[i] = kn__zalloc_array(words, sizeof **index->bits);
        KN_PASS(index->bits[i] ? KN_OK : kn__nomem(err));
        for (size_t j = index->begin[i]; j < index->begin[i + 1]; j++) {
            kn__bit_set(index->bits[i], index->record[j]);
        }
    }
    return KN_OK;
}

kn_status kn__item_index_build(kn_item_index *out, const kn_column *c, size_t records,
                               const uint32_t *item, uint32_t items, kn_error *err)
{
    uint32_t *last = kn__malloc_array(items, sizeof *last);
    size_t *next = kn__zalloc_array(items, sizeof *next);
    kn_status status = KN_OK;

    *out = (kn_item_index){.records = records, .items = items};
    out->begin = kn__zalloc_array((size_t)items + 1, sizeof *out->begin);
    out->bits = kn__zalloc_array(items, sizeof(uint64_t *));
    if (records >= UINT32_MAX) {
        KN_TRY(
            kn__fail(err, KN_EINPUT, "rules: %zu records are more than can be counted", records));
    }
    KN_TRY(last && next && out->begin && out->bits ? KN_OK : kn__nomem(err));
    memset(last, 0xff, items * sizeof *last);
    scan(out, c, item, last, next);
    for (uint32_t i = 0; i < items; i++) {
        out->begin[i + 1] = out->begin[i] + next[i];
        next[i] = out->begin[i];
    }
    out->record = kn__malloc_array(out->begin[items], sizeof *out->record);
    KN_TRY(out->record ? KN_OK : kn__nomem(err));
    memset(last, 0xff, items * sizeof *last);
    scan(out, c, item, last, next);
    KN_TRY(add_bits(out, err));
done:
    KN_FREE(last, next);
    if (status != KN_OK) {
        kn__item_index_clear(out);
    }
    return status;
}

void kn__item_index_clear(kn_item_index *index)
{
    for (uint32_t i = 0; index->bits && i < index->items; i++) {
        kn__free(index->bits[i]);
    }
    KN_FREE(index->bits, index->begin, index->record);
    *index = (kn_item_index){0};
}

/* The first place from `at` on in list[..len) that is not below `record`. */
static size_t gallop(const uint32_t *list, size_t at, size_t len, uint32_t record)
{
    size_t step = 1, high;

    if (at >= len || list[at] >= record) {
        return at;
    }
    while (at + step < len && list[at + step] < record) {
        at += step;
        step *= 2;
    }
    high = at + step < len ? at + step : len;
    while (at + 1 < high) {
        const size_t middle = at + (high - at) / 2;
        if (list[middle] < record) {
            at = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* Keep those of `records` that hold `item`; how many they are. */
static size_t filter(uint32_t *records, size_t len, const kn_item_index *index, uint32_t item)
{
    const uint32_t *list = index->record + index->begin[item];
    const size_t list_len = kn__item_index_support(index, item);
    const uint64_t *bits = index->bits[item];
    size_t at = 0, kept = 0;

    for (size_t i = 0; i < len; i++) {
        const uint32_t r = records[i];
        records[kept] = r;
        if (bits) {
            kept += kn__bit_get(bits, r);
        } else {
            at = gallop(list, at, list_len, r);
            kept += at < list_len && list[at] == r;
        }
    }
    return kept;
}

kn_status kn__item_index_intersect(kn_records *out, const kn_item_index *index, const uint32_t *set,
                                   size_t count, kn_error *err)
{
    size_t rarest = 0;

    for (size_t i = 1; i < count; i++) {
        if (kn__item_index_support(index, set[i]) < kn__item_index_support(index, set[rarest])) {
            rarest = i;
        }
    }
    KN_PASS(kn__grow(&out->at, &out->cap, kn__item_index_support(index, set[rarest]),
                     sizeof *out->at, err));
    out->len = kn__item_index_support(index, set[rarest]);
    memcpy(out->at, index->record + index->begin[set[rarest]], out->len * sizeof *out->at);
    for (size_t i = 0; i < count; i++) {
        if (i != rarest) {
            out->len = filter(out->at, out->len, index, set[i]);
        }
    }
    return KN_OK;
}

kn_status kn__records_subtract(kn_records *out, const kn_records *list, const kn_records *minus,
                               kn_error *err)
{
    kn_status status = kn__grow(&out->at, &out->cap, list->len, sizeof *out->at, err);
    size_t kept = 0, at = 0;

    if (status != KN_OK) {
        return status;
    }
    for (size_t i = 0; i < list->len; i++) {
        const uint32_t r = list->at[i];
        if (at < minus->len && minus->at[at] == r) {
            at++;
        } else {
            out->at[kept++] = r;
        }
    }
    out->len = kept;
    return KN_OK;
}
