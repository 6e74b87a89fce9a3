/* baskets.c - the sample "baskets": what people bought at once, one basket a line.
 *
 * 2,400 items on 48 shelves in 8 areas of a shop. A basket has one to three shelves in mind, takes
 * most of its items from them, and some from anywhere; on every shelf a few items sell most (by
 * 1/rank). Whole numbers only: a seed gives the same bytes everywhere. */
#include "base/error.h"
#include "base/memory.h"
#include "sample/alias.h"
#include "sample/sample.h"

#include <stdio.h>
#include <string.h>

enum {
    AREAS = 8,
    SHELVES = 6, /* an area */
    ITEMS = 50,  /* a shelf */
    ALL_SHELVES = AREAS * SHELVES,
    LENGTHS = 40,
    NAME = 16, /* bytes of "household-6-50 " at most */
    MOST_BYTES = LENGTHS * NAME
};

static const char *const areas[AREAS] = {"fresh",  "dairy",  "bakery",    "drinks",
                                         "pantry", "frozen", "household", "care"};

typedef struct tables {
    kn_alias length, shelf, item;
    char name[ALL_SHELVES * ITEMS][NAME];
    uint8_t name_len[ALL_SHELVES * ITEMS];
} tables;

static void close_tables(void *user)
{
    tables *t = user;

    kn__alias_clear(&t->length);
    kn__alias_clear(&t->shelf);
    kn__alias_clear(&t->item);
    kn__free(t);
}

static kn_status open_tables(void **out, kn_error *err)
{
    uint32_t lengths[LENGTHS], shelves[ALL_SHELVES], items[ITEMS];
    tables *t = kn__zalloc(sizeof *t);
    uint32_t weight = 1000000;
    kn_status status;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    /* Every seventh basket ends with each item: 7 on average, cut at 40. */
    for (size_t i = 0; i < LENGTHS; i++) {
        lengths[i] = weight;
        weight -= weight / 7;
    }
    for (uint32_t i = 0; i < ALL_SHELVES; i++) {
        shelves[i] = 100000 / (3 + i * 29 % ALL_SHELVES);
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
        items[i] = 100000 / (1 + i);
    }
    for (size_t i = 0; i < ALL_SHELVES * ITEMS; i++) {
        const int len = snprintf(t->name[i], NAME, "%s-%zu-%zu", areas[i / ITEMS / SHELVES],
                                 i / ITEMS % SHELVES + 1, i % ITEMS + 1);
        t->name_len[i] = (uint8_t)len;
    }
    KN_TRY(kn__alias_one(&t->length, lengths, LENGTHS, err));
    KN_TRY(kn__alias_one(&t->shelf, shelves, ALL_SHELVES, err));
    KN_TRY(kn__alias_one(&t->item, items, ITEMS, err));
done:
    if (status != KN_OK) {
        close_tables(t);
        return status;
    }
    *out = t;
    return KN_OK;
}

static size_t draw(const tables *t, kn_rng *r, uint32_t *basket)
{
    const size_t wanted = 1 + kn__alias_pick(&t->length, 0, r);
    const uint32_t minds = 1 + (uint32_t)kn__rng_below(r, 3);
    uint32_t mind[3];
    size_t len = 0;

    for (uint32_t i = 0; i < minds; i++) {
        mind[i] = kn__alias_pick(&t->shelf, 0, r);
    }
    for (size_t i = 0; i < wanted; i++) {
        const uint64_t x = kn__rng_below(r, 4 * minds);
        const uint32_t shelf = x % 4 ? mind[x / 4] : kn__alias_pick(&t->shelf, 0, r);
        const uint32_t item = shelf * ITEMS + kn__alias_pick(&t->item, 0, r);
        size_t at = 0;
        while (at < len && basket[at] != item) {
            at++;
        }
        if (at == len) {
            basket[len++] = item;
        }
    }
    return len;
}

static size_t fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const tables *t = user;
    char *p = out;
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        uint32_t basket[LENGTHS];
        const size_t len = draw(t, &r, basket);
        for (size_t j = 0; j < len; j++) {
            memcpy(p, t->name[basket[j]], t->name_len[basket[j]]);
            p += t->name_len[basket[j]];
            *p++ = j + 1 < len ? ' ' : '\n';
        }
    }
    return (size_t)(p - out);
}

static void hierarchy(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (size_t i = 0; i < ALL_SHELVES * ITEMS; i++) {
        const char *area = areas[i / ITEMS / SHELVES];
        kn__buffer_addf(out, "%s;%s-%zu;%s;*\n", t->name[i], area, i / ITEMS % SHELVES + 1, area);
    }
}

static const kn_sample_column columns[] = {
    {.name = "items", .type = KN_TYPE_SET, .role = KN_ROLE_QUASI, .hierarchy = hierarchy}};

const kn_sample kn__sample_baskets = {.name = "baskets",
                                      .lists = true,
                                      .columns = columns,
                                      .columns_count = 1,
                                      .most_records = UINT64_MAX,
                                      .most_bytes = MOST_BYTES,
                                      .open = open_tables,
                                      .close = close_tables,
                                      .fill = fill};
