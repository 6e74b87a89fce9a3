/* items.c - combinations of items as counts that merge (count/partial.h), over the shared numbering
 * of the items. */
#include "base/args.h"
#include "base/memory.h"
#include "guarantees/partial/partial.h"

#include <string.h>

/* The items of `slice`, with the shared codes. */
static kn_status baskets_of(kn_baskets **out, const kn_partial *p, const kn_dataset *slice,
                            const size_t *at, const kn_run *run, kn_error *err)
{
    const kn_dictionary_column *c = &p->space.column[p->quasi[0]];
    const kn_column *from = &slice->column[at[p->quasi[0]]];
    kn_baskets *own = NULL;
    uint32_t *to = NULL;
    kn_status status;

    KN_TRY(kn__space_map(&to, c, from, err));
    KN_TRY(kn__baskets_of_column(&own, from, slice->records, err));
    KN_TRY(kn__baskets_map(out, own, to, c->texts->len ? c->texts->len : 1, run, err));
done:
    kn__baskets_free(own);
    kn__free(to);
    return status;
}

kn_status kn__items_add(kn_partial *p, const kn_dataset *slice, const size_t *at, const kn_run *run,
                        kn_error *err)
{
    kn_baskets *b = NULL;
    kn_itemset_counts *more = NULL, *both = NULL;
    kn_status status;

    KN_TRY(p->reduced
               ? kn__fail(err, KN_EUSAGE, "these counts were reduced, and take no more records")
               : baskets_of(&b, p, slice, at, run, err));
    KN_TRY(kn__partial_count(&more, b, NULL, 0, b->records, &p->how, run, err));
    if (p->items) {
        KN_TRY(kn__partial_merge(&both, p->items, more, err));
        kn__partial_free(p->items);
        p->items = both;
    } else {
        p->items = more;
        more = NULL;
    }
    for (size_t i = 0; i < b->records; i++) {
        const uint64_t len = b->starts[i + 1] - b->starts[i];
        p->empty += len == 0;
        p->longest = len > p->longest ? len : p->longest;
    }
    p->records += b->records;
done:
    kn__partial_free(more);
    kn__baskets_free(b);
    return status;
}

/* ---- bytes ---- */

kn_status kn__items_write(const kn_partial *p, kn_buffer *b, kn_error *err)
{
    char *bytes = NULL;
    size_t len = 0;
    kn_status status = KN_OK;

    kn__put(b, p->empty, 8);
    kn__put(b, p->longest, 8);
    kn__put(b, p->below, 8);
    kn__put(b, p->parts, 4);
    kn__put(b, p->reduced, 1);
    for (uint32_t i = 0; p->reduced && i < p->parts; i++) {
        kn__put(b, p->covered[i], 1);
    }
    for (size_t size = 1; p->reduced && size <= p->how.m; size++) {
        kn__put(b, p->least[size], 8);
    }
    kn__put(b, p->items != NULL, 1);
    if (p->items) {
        KN_TRY(kn__partial_write(p->items, &bytes, &len, err));
        kn__buffer_add(b, bytes, len);
    }
done:
    kn__free(bytes);
    return status;
}

static kn_status wrong(const char *what, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "these bytes are no counts: %s", what);
}

/* What stands before the combinations. */
typedef struct header {
    uint64_t records, empty, longest, below, parts, reduced, present;
    uint8_t *covered;
    uint64_t least[KN_MOST_M + 1];
} header;

static kn_status read_header(header *h, const kn_partial *p, kn_byte_reader *r, kn_error *err)
{
    h->records = kn__take(r, 8);
    h->empty = kn__take(r, 8);
    h->longest = kn__take(r, 8);
    h->below = kn__take(r, 8);
    h->parts = kn__take(r, 4);
    h->reduced = kn__take(r, 1);
    KN_PASS(r->short_of || h->reduced > 1 ? wrong("they begin with what cannot be", err) : KN_OK);
    if (h->below != p->below || h->parts != p->parts || h->reduced != p->reduced) {
        KN_PASS(kn__fail(
            err, KN_EUSAGE,
            "these counts were made for other guarantees or parts, or only one of them was "
            "reduced"));
    }
    h->covered = kn__zalloc_array(p->parts, 1);
    KN_PASS(h->covered ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; p->reduced && i < p->parts; i++) {
        h->covered[i] = (uint8_t)kn__take(r, 1);
        if (h->covered[i] > 1) {
            KN_PASS(wrong("a part is neither there nor not", err));
        }
        if (h->covered[i] && p->covered[i]) {
            KN_PASS(kn__fail(err, KN_EUSAGE, "part %lu was merged before", (unsigned long)i));
        }
    }
    for (size_t size = 1; p->reduced && size <= p->how.m; size++) {
        h->least[size] = kn__take(r, 8);
    }
    h->present = kn__take(r, 1);
    if (r->short_of || h->present > 1 || h->empty > h->records || (!h->present && r->left) ||
        h->records > UINT64_MAX - p->records) {
        KN_PASS(wrong("they begin with what cannot be", err));
    }
    if (p->reduced && p->items && h->present && h->records != p->records) {
        KN_PASS(kn__fail(err, KN_EUSAGE, "these parts were counted over different records"));
    }
    return KN_OK;
}

/* Take counts over that were read; frees what is not needed any more. */
static void take(kn_partial *p, const header *h, kn_itemset_counts **items)
{
    const bool first = p->items == NULL;

    if (*items) {
        kn__partial_free(p->items);
        p->items = *items;
        *items = NULL;
    }
    for (uint32_t i = 0; p->reduced && i < p->parts; i++) {
        p->covered[i] |= h->covered[i];
    }
    for (size_t size = 1; p->reduced && size <= p->how.m; size++) {
        if (h->least[size] && (!p->least[size] || h->least[size] < p->least[size])) {
            p->least[size] = h->least[size];
        }
    }
    p->longest = h->longest > p->longest ? h->longest : p->longest;
    if (p->reduced) {
        p->empty = h->present || first ? h->empty : p->empty;
        p->records = h->present || first ? h->records : p->records;
    } else {
        p->empty += h->empty;
        p->records += h->records;
    }
    if (p->items) {
        p->items->records = p->records;
    }
}

/* Whether the counts that are about to be read were reduced. */
static bool says_reduced(kn_byte_reader r)
{
    (void)kn__take(&r, 8); /* records */
    (void)kn__take(&r, 8); /* empty */
    (void)kn__take(&r, 8); /* longest */
    (void)kn__take(&r, 8); /* below */
    (void)kn__take(&r, 4); /* parts */
    return kn__take(&r, 1) == 1 && !r.short_of;
}

kn_status kn__items_read(kn_partial *p, kn_byte_reader r, kn_error *err)
{
    const kn_itemset_counts_options how = p->how;
    const bool fresh = !p->reduced && !p->items && p->records == 0;
    header h = {0};
    kn_itemset_counts *read = NULL, *both = NULL;
    kn_status status;

    if (fresh && says_reduced(r)) { /* counts of no record take what was reduced elsewhere */
        p->reduced = true;
        p->how.parts = 1;
        p->how.part = 0;
    }
    KN_TRY(read_header(&h, p, &r, err));
    if (h.present) {
        KN_TRY(kn__partial_read(&read, (const char *)r.at, r.left, err));
        if (read->records != h.records || read->options.codes != p->space.hash ||
            read->items != (p->space.column[p->quasi[0]].texts->len
                                ? p->space.column[p->quasi[0]].texts->len
                                : 1) ||
            read->bags != (p->space.column[p->quasi[0]].cells == KN_CELL_BAG) ||
            read->options.m != p->how.m || read->options.cap != UINT32_MAX ||
            read->options.parts != (p->how.parts ? p->how.parts : 1) ||
            read->options.part != p->how.part) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "these counts were made with another dictionary, or for "
                            "other guarantees or parts"));
        }
        if (p->items && p->reduced) {
            read->records = 0; /* both parts are of the same records */
        }
        if (p->items) {
            KN_TRY(kn__partial_merge(&both, p->items, read, err));
        } else {
            both = read;
            read = NULL;
        }
    } else if (h.records) {
        KN_TRY(wrong("there are records and no counts of them", err));
    }
    take(p, &h, &both);
done:
    if (status != KN_OK && fresh) {
        p->reduced = false;
        p->how = how;
    }
    kn__partial_free(both);
    kn__partial_free(read);
    kn__free(h.covered);
    return status;
}

/* ---- reducing ---- */

static kn_status keep_rare(kn_itemset_counts *to, const kn_itemset_counts *from, size_t size,
                           uint64_t below, kn_error *err)
{
    const kn__partial_size *s = &from->size[size];
    kn__partial_size *t = &to->size[size];

    for (size_t i = 0; i < s->count; i++) {
        if (s->supports[i] < below) {
            if (!kn__partial_grow(t, t->count + 1)) {
                return kn__nomem(err);
            }
            memcpy(t->keys + t->count * t->words, s->keys + i * s->words,
                   s->words * sizeof *s->keys);
            t->supports[t->count++] = s->supports[i];
        }
    }
    return KN_OK;
}

kn_status kn_partial_reduce(kn_partial *p, kn_error *err)
{
    KN_NEED(err, p);

    kn_itemset_counts_options whole;
    kn_itemset_counts *rare = NULL;
    kn_status status = KN_OK;

    if (!p->of_items || p->reduced) {
        return p->reduced ? KN_OK
                          : kn__fail(err, KN_EUSAGE, "only counts of km-anonymity can be reduced");
    }
    whole = p->how;
    whole.parts = 1;
    whole.part = 0;
    if (p->items) {
        rare = kn__partial_new(&whole, p->items->bags, p->items->items);
        KN_TRY(rare ? KN_OK : kn__nomem(err));
        rare->records = p->records;
        for (size_t size = 1; size <= p->how.m; size++) {
            KN_TRY(keep_rare(rare, p->items, size, p->below, err));
        }
        for (size_t size = 1; size <= p->how.m; size++) {
            p->least[size] = kn__partial_least(p->items, size);
        }
        kn__partial_free(p->items);
        p->items = rare;
        rare = NULL;
    }
    p->covered[p->how.part] = 1;
    p->how = whole;
    p->reduced = true;
done:
    kn__partial_free(rare);
    return status;
}

/* ---- reading ---- */

kn_status kn_partial_rare(size_t *count, const kn_partial *p, kn_error *err)
{
    KN_NEED(err, count, p);

    *count = 0;
    if (!p->reduced || p->broken) {
        return kn__fail(err, KN_EUSAGE, "only counts of km-anonymity that were reduced are listed");
    }
    for (uint32_t i = 0; i < p->parts; i++) {
        if (!p->covered[i]) {
            return kn__fail(err, KN_EUSAGE,
                            "part %lu of %lu is lacking: reduce every part and merge them",
                            (unsigned long)i, (unsigned long)p->parts);
        }
    }
    for (size_t size = 1; p->items && size <= p->how.m; size++) {
        *count += kn__partial_combinations(p->items, size);
    }
    return KN_OK;
}

uint64_t kn_partial_rare_codes(const kn_partial *p, size_t i, uint32_t *codes, size_t *len)
{
    const bool listed = p && codes && len && p->reduced && p->items;

    for (size_t size = 1; listed && size <= p->how.m; size++) {
        const size_t count = kn__partial_combinations(p->items, size);
        if (i < count) {
            *len = size;
            return kn__partial_combination(p->items, size, i, codes);
        }
        i -= count;
    }
    return 0;
}
