/* region_index.c - lists of records as in count/postings.h, which can be united. */
#include "methods/sampling/region_index.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <string.h>

enum {
    TOP_WORDS = 1024,     /* 65,536 records at most */
    LEAST_TOP_WORDS = 16, /* and this many at least, however many regions there are */
    TOP_MEMORY = 1 << 26, /* bytes for the longest records of all regions */
    BITS_PER_RECORD = 32  /* an array takes so many for each record that it holds */
};

static void list_release(kn_region_list *l)
{
    if (l && atomic_fetch_sub(&l->uses, 1) == 1) {
        if (l->owned) {
            KN_FREE((void *)l->records, (void *)l->bits);
        }
        kn__free(l);
    }
}

void kn__region_index_free(kn_region_index *x)
{
    if (x) {
        for (uint32_t i = 0; x->list && i < x->items; i++) {
            list_release(x->list[i]);
        }
        KN_FREE(x->list, x->top, x);
    }
}

static kn_status allocate(kn_region_index **out, const kn_region_index *like, kn_error *err)
{
    kn_region_index *x = kn__malloc(sizeof *x);

    *out = NULL;
    if (x) {
        *x = *like;
        x->list = kn__zalloc_array(x->items, sizeof(kn_region_list *));
        x->top = kn__zalloc_array(x->items, x->top_words * sizeof *x->top);
    }
    if (!x || !x->list || !x->top) {
        kn__region_index_free(x);
        return kn__nomem(err);
    }
    *out = x;
    return KN_OK;
}

/* The bits of the longest records in a list. */
static void fill_top(const kn_region_index *x, uint32_t region, const kn_region_list *l)
{
    uint64_t *top = x->top + (size_t)region * x->top_words;

    if (l->bits) {
        memcpy(top, l->bits, x->top_words * sizeof *top);
        return;
    }
    memset(top, 0, x->top_words * sizeof *top);
    for (size_t i = 0; i < l->len && l->records[i] < x->top_words * 64; i++) {
        top[l->records[i] / 64] |= UINT64_C(1) << l->records[i] % 64;
    }
}

static void count_people(const kn_region_index *x, kn_region_list *l)
{
    l->people = 0;
    for (size_t w = 0; l->bits && w < x->words; w++) {
        l->people += kn__region_people(x, w, l->bits[w]);
    }
    for (size_t i = 0; !l->bits && i < l->len; i++) {
        l->people += x->source->weight[l->records[i]];
    }
}

static kn_status add_item(kn_region_index *x, uint32_t item, kn_error *err)
{
    const kn_posting p = kn__postings_of(x->source->postings, item, 1);
    kn_region_list *l = kn__zalloc(sizeof *l);

    KN_PASS(l ? KN_OK : kn__nomem(err));
    atomic_init(&l->uses, 1);
    l->records = p.records;
    l->bits = p.bits;
    l->len = p.len;
    count_people(x, l);
    x->list[item] = l;
    fill_top(x, item, l);
    return KN_OK;
}

/* The items of the records that hold each region. */
static void measure_reach(kn_region_index *x)
{
    const kn_baskets *b = x->source->records;

    for (size_t i = 0; i < b->records; i++) {
        const double len = (double)(b->starts[i + 1] - b->starts[i]);
        for (uint64_t at = b->starts[i]; at < b->starts[i + 1]; at++) {
            x->list[b->list[at]]->reach += len;
        }
    }
}

kn_status kn__region_index_new(kn_region_index **out, const kn_set_source *source,
                               size_t most_top_words, kn_error *err)
{
    kn_region_index like = {.source = source,
                            .items = source->records->items,
                            .records = source->records->records};
    const size_t fits = TOP_MEMORY / sizeof(uint64_t) / (like.items ? like.items : 1);
    kn_region_index *x = NULL;
    size_t single = 0;
    kn_status status;

    *out = NULL;
    like.words = (like.records + 63) / 64;
    like.top_words = KN_CLAMP(fits, LEAST_TOP_WORDS, TOP_WORDS);
    like.top_words = most_top_words && like.top_words > most_top_words ? most_top_words
                                                                       : like.top_words;
    like.top_words = like.top_words < like.words ? like.top_words : like.words;
    while (single < like.records && source->weight[single] == 1) {
        single++;
    }
    like.single_words = single == like.records ? like.words : single / 64;
    KN_TRY(allocate(&x, &like, err));
    for (uint32_t i = 0; i < x->items; i++) {
        KN_TRY(add_item(x, i, err));
    }
    measure_reach(x);
    *out = x;
    x = NULL;
done:
    kn__region_index_free(x);
    return status;
}

kn_status kn__region_index_copy(kn_region_index **out, const kn_region_index *from, kn_error *err)
{
    const kn_status status = allocate(out, from, err);

    if (status == KN_OK) {
        memcpy((*out)->top, from->top, from->items * from->top_words * sizeof *from->top);
        for (uint32_t i = 0; i < from->items; i++) {
            if (from->list[i]) {
                atomic_fetch_add(&from->list[i]->uses, 1);
                (*out)->list[i] = from->list[i];
            }
        }
    }
    return status;
}

/* ---- union ---- */

static void mark(uint64_t *bits, size_t words, const kn_region_list *l)
{
    for (size_t w = 0; l->bits && w < words; w++) {
        bits[w] |= l->bits[w];
    }
    for (size_t i = 0; !l->bits && i < l->len; i++) {
        bits[l->records[i] / 64] |= UINT64_C(1) << l->records[i] % 64;
    }
}

/* The records of `bits` as an array of `len`. NULL when memory is out. */
static uint32_t *as_array(const uint64_t *bits, size_t words, size_t len)
{
    uint32_t *records = kn__malloc_array(len ? len : 1, sizeof *records);
    size_t at = 0;

    for (size_t w = 0; records && w < words; w++) {
        for (uint64_t left = bits[w]; left; left &= left - 1) {
            records[at++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(left));
        }
    }
    return records;
}

kn_status kn__region_index_merge(kn_region_index *x, const uint32_t *merged, size_t count,
                                 uint32_t name, kn_error *err)
{
    kn_region_list *l = kn__zalloc(sizeof *l);
    uint64_t *bits = kn__zalloc_array(x->words ? x->words : 1, sizeof *bits);
    kn_status status;

    KN_TRY(l && bits ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        mark(bits, x->words, x->list[merged[i]]);
        l->reach += x->list[merged[i]]->reach;
    }
    for (size_t w = 0; w < x->words; w++) {
        l->len += (size_t)__builtin_popcountll(bits[w]);
        l->people += kn__region_people(x, w, bits[w]);
    }
    atomic_init(&l->uses, 1);
    l->owned = true;
    if (l->len * BITS_PER_RECORD < x->words * 64) {
        l->records = as_array(bits, x->words, l->len);
        KN_TRY(l->records ? KN_OK : kn__nomem(err));
    } else {
        l->bits = bits;
        bits = NULL;
    }
    for (size_t i = 0; i < count; i++) {
        list_release(x->list[merged[i]]);
        x->list[merged[i]] = NULL;
    }
    x->list[name] = l;
    fill_top(x, name, l);
    l = NULL;
done:
    KN_FREE(bits, l);
    return status;
}

/* ---- support ---- */

bool kn__region_list_holds(const kn_region_list *l, uint32_t record, size_t *at)
{
    size_t low = *at, step = 1, high;

    if (l->bits) {
        return l->bits[record / 64] >> record % 64 & 1;
    }
    /* Gallop: double the step until a record is not below the one asked for, then halve. */
    while (low + step < l->len && l->records[low + step] < record) {
        low += step;
        step *= 2;
    }
    high = low + step < l->len ? low + step : l->len;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (l->records[middle] < record) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *at = low;
    return low < l->len && l->records[low] == record;
}

/* Lists in the order of rising length. */
static void order_lists(const kn_region_index *x, const uint32_t *regions, size_t count,
                        const kn_region_list **list)
{
    for (size_t i = 0; i < count; i++) {
        const kn_region_list *l = x->list[regions[i]];
        size_t at = i;
        for (; at > 0 && list[at - 1]->len > l->len; at--) {
            list[at] = list[at - 1];
        }
        list[at] = l;
    }
}

/* Behind the longest records, when the shortest list is an array. */
static size_t support_by_array(const kn_region_index *x, const kn_region_list **list, size_t count,
                               size_t found, size_t most)
{
    const kn_region_list *first = list[0];
    size_t at[KN_MOST_KNOWN] = {0}, i = 0;

    (void)kn__region_list_holds(first, (uint32_t)(x->top_words * 64), &i);
    for (; i < first->len && found < most; i++) {
        const uint32_t record = first->records[i];
        bool held = true;
        for (size_t j = 1; held && j < count; j++) {
            held = kn__region_list_holds(list[j], record, &at[j]);
        }
        if (held) {
            found += x->source->weight[record];
        }
    }
    return found;
}

size_t kn__region_support(const kn_region_index *x, const uint32_t *regions, size_t count,
                          size_t most)
{
    const kn_region_list *list[KN_MOST_KNOWN];
    size_t found = 0;

    assert(count > 0);
    if (count == 1) {
        const uint64_t people = x->list[regions[0]]->people;
        return people < most ? (size_t)people : most;
    }
    for (size_t w = 0; w < x->top_words && found < most; w++) {
        uint64_t all = kn__region_top(x, regions[0])[w];
        for (size_t i = 1; all && i < count; i++) {
            all &= kn__region_top(x, regions[i])[w];
        }
        found += all ? kn__region_people(x, w, all) : 0;
    }
    if (found >= most || x->top_words == x->words) {
        return found < most ? found : most;
    }
    order_lists(x, regions, count, list);
    if (!list[0]->bits) {
        found = support_by_array(x, list, count, found, most);
        return found < most ? found : most;
    }
    for (size_t w = x->top_words; w < x->words && found < most; w++) {
        uint64_t all = list[0]->bits[w];
        for (size_t i = 1; all && i < count; i++) {
            all &= list[i]->bits[w];
        }
        found += all ? kn__region_people(x, w, all) : 0;
    }
    return found < most ? found : most;
}
