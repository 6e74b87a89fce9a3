/* item_index.c - posting lists with bit sets beside the long ones, and partition refinement over
 * them.
 */
#include "models/rules/item_index.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { DENSE = 64 }; /* an item that one record in so many holds gets a bit set */

/* ---- holders ---- */

static void deal(kn_item_index *h, const kn_column *c, const uint32_t *item, uint32_t *last,
                 size_t *next)
{
    for (size_t r = 0; r < h->records; r++) {
        for (uint64_t i = c->starts[r]; i < c->starts[r + 1]; i++) {
            const uint32_t at = item[kn__code_get(c->codes, c->width, (size_t)i)];
            if (at == KN_NO_CODE || last[at] == (uint32_t)r) {
                continue;
            }
            last[at] = (uint32_t)r;
            if (h->record) {
                h->record[next[at]++] = (uint32_t)r;
            } else {
                next[at]++;
            }
        }
    }
}

static kn_status add_bits(kn_item_index *h, kn_error *err)
{
    const size_t words = (h->records + 63) / 64;

    for (uint32_t i = 0; i < h->items; i++) {
        if (kn__item_index_count(h, i) <= h->records / DENSE) {
            continue;
        }
        h->bits[i] = kn__zalloc_array(words, sizeof **h->bits);
        if (!h->bits[i]) {
            return kn__nomem(err);
        }
        for (size_t j = h->begin[i]; j < h->begin[i + 1]; j++) {
            h->bits[i][h->record[j] / 64] |= UINT64_C(1) << h->record[j] % 64;
        }
    }
    return KN_OK;
}

kn_status kn__item_index_find(kn_item_index *out, const kn_column *c, size_t records,
                              const uint32_t *item, uint32_t items, kn_error *err)
{
    uint32_t *last = kn__malloc_array(items, sizeof *last);
    size_t *next = kn__zalloc_array(items, sizeof *next);
    kn_status status = KN_OK;

    *out = (kn_item_index){.records = records, .items = items};
    out->begin = kn__zalloc_array((size_t)items + 1, sizeof *out->begin);
    out->bits = kn__zalloc_array(items, sizeof(uint64_t *));
    if (records >= UINT32_MAX) {
        status = kn__fail(err, KN_EINPUT, "rules: %zu records are more than can be counted",
                          records);
    } else if (!last || !next || !out->begin || !out->bits) {
        status = kn__nomem(err);
    } else {
        memset(last, 0xff, items * sizeof *last);
        deal(out, c, item, last, next);
        for (uint32_t i = 0; i < items; i++) {
            out->begin[i + 1] = out->begin[i] + next[i];
            next[i] = out->begin[i];
        }
        out->record = kn__malloc_array(out->begin[items], sizeof *out->record);
        status = out->record ? KN_OK : kn__nomem(err);
    }
    if (status == KN_OK) {
        memset(last, 0xff, items * sizeof *last);
        deal(out, c, item, last, next);
        status = add_bits(out, err);
    }
    kn__free(last);
    kn__free(next);
    if (status != KN_OK) {
        kn__item_index_clear(out);
    }
    return status;
}

void kn__item_index_clear(kn_item_index *h)
{
    for (uint32_t i = 0; h->bits && i < h->items; i++) {
        kn__free(h->bits[i]);
    }
    kn__free(h->bits);
    kn__free(h->begin);
    kn__free(h->record);
    *h = (kn_item_index){0};
}

/* The first place from `at` on in list[..len) that is not below `record`: doubling steps, then
 * halving, as the next one is often near. */
static size_t seek(const uint32_t *list, size_t at, size_t len, uint32_t record)
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

static size_t keep_holders(uint32_t *records, size_t len, const kn_item_index *h, uint32_t item)
{
    const uint32_t *list = h->record + h->begin[item];
    const size_t list_len = kn__item_index_count(h, item);
    const uint64_t *bits = h->bits[item];
    size_t at = 0, kept = 0;

    for (size_t i = 0; i < len; i++) {
        const uint32_t r = records[i];
        records[kept] = r;
        if (bits) {
            kept += bits[r / 64] >> r % 64 & 1;
        } else {
            at = seek(list, at, list_len, r);
            kept += at < list_len && list[at] == r;
        }
    }
    return kept;
}

kn_status kn__item_index_of_all(kn_records *out, const kn_item_index *h, const uint32_t *set,
                                size_t count, kn_error *err)
{
    size_t rarest = 0;
    kn_status status;

    for (size_t i = 1; i < count; i++) {
        if (kn__item_index_count(h, set[i]) < kn__item_index_count(h, set[rarest])) {
            rarest = i;
        }
    }
    status = kn__grow(&out->at, &out->cap, kn__item_index_count(h, set[rarest]), sizeof *out->at,
                      err);
    if (status != KN_OK) {
        return status;
    }
    out->len = kn__item_index_count(h, set[rarest]);
    memcpy(out->at, h->record + h->begin[set[rarest]], out->len * sizeof *out->at);
    for (size_t i = 0; i < count; i++) {
        if (i != rarest) {
            out->len = keep_holders(out->at, out->len, h, set[i]);
        }
    }
    return KN_OK;
}

kn_status kn__records_without(kn_records *out, const kn_records *list, const kn_records *minus,
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

/* ---- parts ---- */

kn_status kn__parts_new(kn_parts *out, size_t records, kn_error *err)
{
    *out = (kn_parts){.records = records};
    out->of = kn__zalloc_array(records, sizeof *out->of);
    if (!out->of || kn__grow(&out->part, &out->cap, 1, sizeof *out->part, err) != KN_OK) {
        kn__parts_clear(out);
        return kn__nomem(err);
    }
    out->part[0] = (kn_record_part){.population = records,
                                    .parent = KN_NO_CODE,
                                    .rule = KN_NO_CODE};
    out->count = 1;
    return KN_OK;
}

void kn__parts_clear(kn_parts *p)
{
    kn__free(p->of);
    kn__free(p->part);
    kn__free(p->hits[0]);
    kn__free(p->hits[1]);
    kn__free(p->touched);
    *p = (kn_parts){0};
}

static kn_status make_room(kn_parts *p, kn_error *err)
{
    for (int i = 0; i < 2; i++) {
        const size_t before = p->hits_cap[i];
        const kn_status status = kn__grow(&p->hits[i], &p->hits_cap[i], p->count, sizeof **p->hits,
                                          err);
        if (status != KN_OK) {
            return status;
        }
        memset(p->hits[i] + before, 0, (p->hits_cap[i] - before) * sizeof **p->hits);
    }
    return kn__grow(&p->touched, &p->touched_cap, p->count, sizeof *p->touched, err);
}

/* How many records of each part the rule moves; the number of parts that it moves some of. */
static size_t count_hits(kn_parts *p, const kn_split *split)
{
    const kn_records *lists[2] = {split->one, split->two};
    size_t touched = 0;

    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; lists[which] && i < lists[which]->len; i++) {
            const uint32_t part = p->of[lists[which]->at[i]];
            if (p->hits[0][part] + p->hits[1][part] == 0) {
                p->touched[touched++] = part;
            }
            p->hits[which][part]++;
        }
    }
    return touched;
}

static void forget_hits(kn_parts *p, size_t touched)
{
    for (size_t i = 0; i < touched; i++) {
        p->hits[0][p->touched[i]] = p->hits[1][p->touched[i]] = 0;
    }
}

static bool enough(uint64_t population, bool tells, uint64_t k)
{
    return !tells || population == 0 || population >= k;
}

kn_status kn__parts_fits(kn_parts *p, const kn_split *split, uint64_t k, bool *fits, kn_error *err)
{
    kn_status status = make_room(p, err);
    size_t touched;

    *fits = false;
    if (status != KN_OK) {
        return status;
    }
    /* Too few in all are too few in every part. */
    if (!enough(split->one ? split->one->len : 0, split->tells[1], k) ||
        !enough(split->two ? split->two->len : 0, split->tells[2], k)) {
        return KN_OK;
    }
    touched = count_hits(p, split);
    *fits = true;
    for (size_t i = 0; i < touched && *fits; i++) {
        const uint32_t at = p->touched[i];
        const kn_record_part *part = &p->part[at];
        const uint32_t one = p->hits[0][at], two = p->hits[1][at];
        *fits = enough(one, part->tells || split->tells[1], k) &&
                enough(two, part->tells || split->tells[2], k) &&
                enough(part->population - one - two, part->tells || split->tells[0], k);
    }
    for (size_t i = 0; split->tells[0] && i < p->count && *fits; i++) {
        *fits = p->hits[0][i] + p->hits[1][i] > 0 || enough(p->part[i].population, true, k);
    }
    forget_hits(p, touched);
    return KN_OK;
}

kn_status kn__parts_split(kn_parts *p, const kn_split *split, kn_error *err)
{
    const kn_records *lists[2] = {split->one, split->two};
    kn_status status = make_room(p, err);
    size_t touched;

    if (status != KN_OK) {
        return status;
    }
    touched = count_hits(p, split);
    status = kn__grow(&p->part, &p->cap, p->count + 2 * touched, sizeof *p->part, err);
    if (status != KN_OK) {
        forget_hits(p, touched);
        return status;
    }
    for (size_t i = 0; i < touched; i++) {
        const uint32_t at = p->touched[i];
        for (int which = 0; which < 2; which++) {
            const uint32_t moved = p->hits[which][at];
            if (moved) {
                p->part[p->count] = (kn_record_part){moved, at, split->rule, (uint8_t)(which + 1),
                                                     p->part[at].tells || split->tells[which + 1]};
                p->part[at].population -= moved;
                p->hits[which][at] = (uint32_t)p->count++;
            }
        }
    }
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; lists[which] && i < lists[which]->len; i++) {
            uint32_t *of = &p->of[lists[which]->at[i]];
            *of = p->hits[which][*of];
        }
    }
    forget_hits(p, touched);
    if (split->tells[0]) {
        for (size_t i = 0; i < p->count; i++) {
            p->part[i].tells = true;
        }
    }
    return KN_OK;
}
