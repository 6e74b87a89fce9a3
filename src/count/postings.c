/* postings.c - arrays of record numbers for rare items, bit sets for common ones.
 *
 * A list of more than records/32 entries is smaller as bits. Lists are built in record order from
 * the baskets, counted first, so that each takes exactly what it needs. */
#include "count/postings.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum {
    MOST_ITEMS = 64, /* of a combination */
    FAR = 16         /* a list so many times longer is searched, not merged */
};

struct kn_postings {
    uint32_t items;
    size_t records, words; /* words: of a bit set */
    size_t *begin;         /* by item: its lists are list[begin[i]..begin[i+1]), by times */
    kn_posting *list;
    uint32_t *arrays;
    uint64_t *bits;
    size_t entries, bitsets; /* entries in arrays; bit sets */
};

/* ---- building ---- */

static kn_status count_lists(kn_postings *p, const kn_baskets *b, kn_error *err)
{
    size_t lists = 0;

    p->begin = kn__zalloc_array((size_t)b->items + 1, sizeof *p->begin);
    KN_PASS(p->begin ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        size_t len, run = 0;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            run = j > 0 && items[j] == items[j - 1] ? run + 1 : 1;
            p->begin[items[j] + 1] = run > p->begin[items[j] + 1] ? run : p->begin[items[j] + 1];
        }
    }
    for (size_t i = 0; i < b->items; i++) {
        lists += p->begin[i + 1];
        p->begin[i + 1] = lists;
    }
    p->list = kn__zalloc_array(lists, sizeof *p->list);
    KN_PASS(p->list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        size_t len, run = 0;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            run = j > 0 && items[j] == items[j - 1] ? run + 1 : 1;
            p->list[p->begin[items[j]] + run - 1].len++;
        }
    }
    return KN_OK;
}

static kn_status make_room(kn_postings *p, kn_error *err)
{
    const size_t lists = p->begin[p->items];
    size_t entries = 0, bitsets = 0;

    for (size_t i = 0; i < lists; i++) {
        if (p->list[i].len > p->words * 2) {
            bitsets++;
        } else {
            entries += p->list[i].len;
        }
    }
    p->arrays = kn__malloc_array(entries, sizeof *p->arrays);
    p->bits = bitsets && p->words > SIZE_MAX / bitsets
                  ? NULL
                  : kn__zalloc_array(bitsets * p->words, sizeof *p->bits);
    KN_PASS(p->arrays && p->bits ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < lists; i++) {
        kn_posting *l = &p->list[i];
        if (l->len > p->words * 2) {
            l->bits = p->bits + p->bitsets++ * p->words;
            l->words = p->words;
        } else {
            l->records = p->arrays + p->entries;
            p->entries += l->len;
        }
    }
    return KN_OK;
}

static void fill(kn_postings *p, const kn_baskets *b, size_t *filled)
{
    for (size_t i = 0; i < b->records; i++) {
        size_t len, run = 0;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            run = j > 0 && items[j] == items[j - 1] ? run + 1 : 1;
            const size_t at = p->begin[items[j]] + run - 1;
            const kn_posting *l = &p->list[at];
            if (l->bits) {
                kn__bit_set(p->bits + (l->bits - p->bits), i);
            } else {
                p->arrays[(size_t)(l->records - p->arrays) + filled[at]++] = (uint32_t)i;
            }
        }
    }
}

kn_status kn__postings_new(kn_postings **out, const kn_baskets *b, kn_error *err)
{
    kn_postings *p = NULL;
    size_t *filled = NULL;
    kn_status status;

    *out = NULL;
    if (b->records >= UINT32_MAX) {
        return kn__fail(err, KN_EINPUT, "%zu records: at most 4294967294 can be counted",
                        b->records);
    }
    p = kn__zalloc(sizeof *p);
    if (!p) {
        return kn__nomem(err);
    }
    p->items = b->items;
    p->records = b->records;
    p->words = kn__bits_words(b->records);
    KN_TRY(count_lists(p, b, err));
    KN_TRY(make_room(p, err));
    filled = kn__zalloc_array(p->begin[p->items], sizeof *filled);
    KN_TRY(filled ? KN_OK : kn__nomem(err));
    fill(p, b, filled);
    *out = p;
    p = NULL;
done:
    kn__free(filled);
    kn__postings_free(p);
    return status;
}

void kn__postings_free(kn_postings *p)
{
    if (p) {
        KN_FREE(p->begin, p->list, p->arrays, p->bits, p);
    }
}

bool kn__postings_validate(const kn_postings *p, const char **reason)
{
    for (size_t i = 0; i < p->begin[p->items]; i++) {
        const kn_posting *l = &p->list[i];
        size_t held = 0;
        for (size_t w = 0; l->bits && w < l->words; w++) {
            held += kn__bits_count(l->bits[w]);
        }
        for (size_t j = 0; l->records && j < l->len; j++) {
            held += l->records[j] < p->records && (j == 0 || l->records[j - 1] < l->records[j]);
        }
        if (held != l->len) {
            *reason = "a list does not hold as many increasing records as it says";
            return false;
        }
        if (l->len == 0) {
            *reason = "a list is empty";
            return false;
        }
    }
    return true;
}

kn_posting kn__postings_of(const kn_postings *p, uint32_t item, uint32_t times)
{
    const kn_posting none = {0};

    if (times < 1 || times > p->begin[item + 1] - p->begin[item]) {
        return none;
    }
    return p->list[p->begin[item] + times - 1];
}

/* ---- asking ---- */

static bool has_bit(const kn_posting *l, uint32_t record)
{
    return kn__bit_get(l->bits, record);
}

/* The first place at or after `from` whose record is not below `record`: steps that double, then
 * halves. */
static size_t seek(const kn_posting *l, size_t from, uint32_t record)
{
    size_t step = 1, low = from, high;

    if (from >= l->len || l->records[from] >= record) {
        return from;
    }
    while (low + step < l->len && l->records[low + step] < record) {
        low += step;
        step *= 2;
    }
    high = low + step < l->len ? low + step : l->len;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (l->records[middle] < record) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* A walk over the records in all of `count` lists. The shortest array leads and the others are
 * asked about its records; bit sets alone go word by word. */
typedef struct walk {
    const kn_posting *lists;
    size_t count, lead;
    size_t at[MOST_ITEMS]; /* by list: the place reached in an array; of the lead, the next one */
    size_t word;           /* bit sets alone: the next word, */
    uint64_t left;         /* and what is left of the last one */
} walk;

static void walk_start(walk *w, const kn_posting *lists, size_t count)
{
    *w = (walk){.lists = lists, .count = count};
    for (size_t i = 1; i < count; i++) {
        const kn_posting *l = &lists[i], *lead = &lists[w->lead];
        const bool array = l->bits == NULL, leads = lead->bits == NULL;
        if ((array && !leads) || (array == leads && l->len < lead->len)) {
            w->lead = i;
        }
    }
}

static bool in_others(walk *w, uint32_t record, bool *ended)
{
    for (size_t i = 0; i < w->count; i++) {
        const kn_posting *l = &w->lists[i];
        if (i == w->lead) {
            continue;
        }
        if (l->bits) {
            if (!has_bit(l, record)) {
                return false;
            }
            continue;
        }
        if (l->len / FAR > w->lists[w->lead].len) {
            w->at[i] = seek(l, w->at[i], record);
        } else {
            while (w->at[i] < l->len && l->records[w->at[i]] < record) {
                w->at[i]++;
            }
        }
        if (w->at[i] == l->len) {
            *ended = true;
            return false;
        }
        if (l->records[w->at[i]] != record) {
            return false;
        }
    }
    return true;
}

static bool walk_next(walk *w, uint32_t *record)
{
    const kn_posting *lead = &w->lists[w->lead];
    bool ended = false;

    if (lead->bits) {
        while (w->left == 0) {
            if (w->word == lead->words) {
                return false;
            }
            w->left = lead->bits[w->word];
            for (size_t i = 0; i < w->count; i++) {
                w->left &= w->lists[i].bits[w->word];
            }
            w->word++;
        }
        *record = (uint32_t)((w->word - 1) * 64 + (size_t)__builtin_ctzll(w->left));
        w->left &= w->left - 1;
        return true;
    }
    while (!ended && w->at[w->lead] < lead->len) {
        *record = lead->records[w->at[w->lead]++];
        if (in_others(w, *record, &ended)) {
            return true;
        }
    }
    return false;
}

/* Records in all lists, counted to `most`; `*early` says that it stopped before the end. */
static size_t count_all(const kn_posting *lists, size_t count, const uint32_t *weight, size_t most,
                        bool *early)
{
    size_t found = 0;
    uint32_t record;
    walk w;

    *early = false;
    for (size_t i = 0; i < count; i++) {
        if (lists[i].len == 0 || (!weight && lists[i].len < most && count == 1)) {
            return lists[i].len;
        }
    }
    if (!weight && count == 1) {
        *early = true;
        return most;
    }
    walk_start(&w, lists, count);
    while (found < most && walk_next(&w, &record)) {
        found += weight ? weight[record] : 1;
    }
    *early = found >= most;
    return found < most ? found : most;
}

/* The lists of a combination: of repeats only the last, which is inside the others. */
static size_t lists_of(const kn_postings *p, const uint32_t *items, size_t size, kn_posting *lists)
{
    size_t count = 0;
    uint32_t times = 0;

    lists[0] = (kn_posting){0};
    for (size_t i = 0; i < size; i++) {
        times = i > 0 && items[i] == items[i - 1] ? times + 1 : 1;
        if (i + 1 == size || items[i + 1] != items[i]) {
            lists[count++] = kn__postings_of(p, items[i], times);
        }
    }
    return count;
}

size_t kn__postings_support(const kn_postings *p, const uint32_t *items, size_t size,
                            const uint32_t *weight, size_t most, kn_support_stats *stats)
{
    kn_posting lists[MOST_ITEMS];
    const size_t count = lists_of(p, items, size, lists);
    bool early;
    const size_t found = count_all(lists, count, weight, most, &early);

    if (stats) {
        stats->asked++;
        stats->stopped += early;
    }
    return found;
}

bool kn__postings_first(const kn_postings *p, const uint32_t *items, size_t size, uint32_t *record)
{
    kn_posting lists[MOST_ITEMS];
    walk w;

    walk_start(&w, lists, lists_of(p, items, size, lists));
    return walk_next(&w, record);
}

void kn__postings_each(const kn_postings *p, const uint32_t *items, size_t size,
                       void (*found)(void *user, uint32_t record), void *user)
{
    kn_posting lists[MOST_ITEMS];
    const size_t count = lists_of(p, items, size, lists);
    uint32_t record;
    walk w;

    for (size_t i = 0; i < count; i++) {
        if (lists[i].len == 0) {
            return;
        }
    }
    walk_start(&w, lists, count);
    while (walk_next(&w, &record)) {
        found(user, record);
    }
}
