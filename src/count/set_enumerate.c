/* set_enumerate.c - all itemsets of one size that occur.
 *
 * Pairs, of which data with many people hold nearly all, are marked in a triangle of bits; other
 * sizes are walked depth first by projection.h on one thread, so the order is fixed. */
#include "count/set_sampler_inside.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/projection.h"

#include <string.h>

enum {
    TRIANGLE_ITEMS = 1 << 14, /* with more items the triangle is too large, and pairs are walked */
    TICK = 1 << 16            /* records or nodes between two calls of progress */
};

typedef struct listing {
    const kn_set_source *source;
    size_t size, most;
    uint32_t *items;
    size_t count, cap; /* itemsets; room in codes */
    bool too_many;
    kn_projection_lists lists;
    kn_projection_level levels[KN_MOST_KNOWN];
    uint32_t prefix[KN_MOST_KNOWN];
    size_t nodes;
    const kn_run *run;
} listing;

static kn_status add(listing *l, const uint32_t *items, kn_error *err)
{
    if (l->count == l->most) {
        l->too_many = true;
        return KN_OK;
    }
    const kn_status status = kn__grow(&l->items, &l->cap, (l->count + 1) * l->size,
                                      sizeof *l->items, err);
    if (status == KN_OK) {
        memcpy(l->items + l->count * l->size, items, l->size * sizeof *items);
        l->count++;
    }
    return status;
}

/* ---- pairs ---- */

/* Bit a of row b says that a < b occur together. */
static kn_status mark_pairs(const listing *l, uint64_t *rows, size_t words, kn_error *err)
{
    const kn_baskets *r = l->source->records;

    for (size_t i = 0; i < r->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(r, i, &len);
        if (len < 2) {
            break; /* the longest come first */
        }
        if (i % TICK == 0) {
            KN_PASS(kn__run_step(l->run, "itemsets", (double)i / (double)r->records, err));
        }
        for (size_t b = 1; b < len; b++) {
            uint64_t *row = rows + items[b] * words;
            for (size_t a = 0; a < b; a++) {
                row[items[a] / 64] |= UINT64_C(1) << (items[a] % 64);
            }
        }
    }
    return KN_OK;
}

static kn_status list_pairs(listing *l, kn_error *err)
{
    const uint32_t items = l->source->records->items;
    const size_t words = ((size_t)items + 63) / 64;
    uint64_t *rows = kn__zalloc_array(words * items, sizeof *rows);
    kn_status status;

    KN_TRY(rows ? KN_OK : kn__nomem(err));
    KN_TRY(mark_pairs(l, rows, words, err));
    for (uint32_t a = 0; a < items; a++) {
        for (uint32_t b = a + 1; b < items; b++) {
            if (rows[b * words + a / 64] >> (a % 64) & 1) {
                const uint32_t pair[2] = {a, b};
                KN_TRY(add(l, pair, err));
            }
        }
    }
done:
    kn__free(rows);
    return status;
}

/* ---- any size ---- */

/* Extend the prefix of `depth` items, which `tails` hold. */
static kn_status visit(listing *l, size_t depth, const kn_tail *tails, size_t len, kn_error *err)
{
    kn_projection_level *level = &l->levels[depth];
    size_t work = 0;

    if (l->nodes++ % TICK == 0) {
        KN_PASS(kn__run_step(l->run, "itemsets", 0, err));
    }
    KN_PASS(kn__projection_ready(level, l->lists.items) ? KN_OK : kn__nomem(err));
    (void)kn__projection_count(&l->lists, level, tails, len, &work);
    for (size_t i = 0; i < level->touched_len; i++) {
        if (depth + 1 < l->size) {
            KN_PASS(kn__projection_choose(level, level->touched[i]) ? KN_OK : kn__nomem(err));
        } else if (!l->too_many) {
            l->prefix[depth] = level->touched[i];
            KN_PASS(add(l, l->prefix, err));
        }
    }
    if (depth + 1 < l->size) {
        KN_PASS(kn__projection_deal(&l->lists, level, tails, len) ? KN_OK : kn__nomem(err));
    }
    kn__projection_reset(level);
    for (size_t i = 0; depth + 1 < l->size && i < level->chosen_len && !l->too_many; i++) {
        const kn_extension next = level->chosen[i];
        l->prefix[depth] = next.item;
        KN_PASS(visit(l, depth + 1, level->dealt + next.begin, next.len, err));
    }
    return KN_OK;
}

static kn_status list_by_walk(listing *l, kn_error *err)
{
    const kn_baskets *r = l->source->records;
    kn_tail *all = kn__projection_all(r->records);
    kn_status status;

    l->lists = (kn_projection_lists){.starts = r->starts, .list = r->list, .items = r->items};
    KN_TRY(all ? KN_OK : kn__nomem(err));
    KN_TRY(visit(l, 0, all, r->records, err));
done:
    for (size_t d = 0; d < KN_MOST_KNOWN; d++) {
        kn__projection_clear(&l->levels[d]);
    }
    kn__free(all);
    return status;
}

kn_status kn__set_enumerate(uint32_t **out, size_t *count, const kn_set_source *source, size_t size,
                            size_t most, const kn_run *run, kn_error *err)
{
    listing *l = kn__zalloc(sizeof *l);
    kn_status status;

    *out = NULL;
    *count = 0;
    KN_TRY(l ? KN_OK : kn__nomem(err));
    l->source = source;
    l->size = size;
    l->most = most;
    l->run = run;
    KN_TRY(size == 2 && source->records->items <= TRIANGLE_ITEMS ? list_pairs(l, err)
                                                                 : list_by_walk(l, err));
    if (!l->too_many && l->count) {
        *out = l->items;
        *count = l->count;
        l->items = NULL;
    }
done:
    KN_FREE(l ? l->items : NULL, l);
    return status;
}
