/* income.c - the sample "income": bags of a person's incomes of a year, one person a line.
 *
 * The shape is that of the data of the ACD paper: 1 to 8 incomes, 2.27 on average, of at most
 * 197,297. The first is a wage or a pension, the others are smaller (interest, rent, benefits, a
 * second job); figures pile up on round numbers, and some are exactly the same for many (fixed
 * benefits). Whole numbers only: a seed gives the same bytes everywhere. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "sample/alias.h"
#include "sample/people_data.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <string.h>

enum { MOST_INCOMES = 8, MOST_INCOME = 197297, MOST_BYTES = MOST_INCOMES * 7, KINDS = 7 };

/* In 1,000 persons: how many have 1, 2, ... incomes. */
static const uint32_t lengths[MOST_INCOMES] = {372, 270, 182, 104, 46, 17, 6, 3};

/* Kinds of further incomes: how common, their middle, and how many in a hundred are a fixed figure.
 */
static const struct {
    uint32_t share, middle, fixed, figure;
} kinds[KINDS] = {
    {300, 900, 8, 600},      /* interest and dividends */
    {220, 11800, 12, 14400}, /* benefits of the old */
    {160, 13500, 6, 12000},  /* pensions of an employer */
    {120, 7600, 5, 6000},    /* a second job */
    {90, 5200, 10, 8400},    /* rent and own business */
    {60, 9100, 25, 9000},    /* disability and support */
    {50, 2600, 30, 2400},    /* other */
};

typedef struct tables {
    kn_alias length, kind;
} tables;

static kn_status open_tables(void **out, kn_error *err)
{
    uint32_t shares[KINDS];
    tables *t = kn__zalloc(sizeof *t);
    kn_status status;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < KINDS; i++) {
        shares[i] = kinds[i].share;
    }
    KN_TRY(kn__alias_one(&t->length, lengths, MOST_INCOMES, err));
    KN_TRY(kn__alias_one(&t->kind, shares, KINDS, err));
done:
    if (status != KN_OK) {
        kn__alias_clear(&t->length);
        kn__alias_clear(&t->kind);
        kn__free(t);
        return status;
    }
    *out = t;
    return KN_OK;
}

static void close_tables(void *user)
{
    tables *t = user;

    kn__alias_clear(&t->length);
    kn__alias_clear(&t->kind);
    kn__free(t);
}

/* A figure around `middle`, log-normal; squaring the spread makes it as wide as incomes are. */
static uint64_t around(uint64_t middle, uint64_t position)
{
    const uint64_t spread = kn__people_spread_at(position);
    const uint64_t income = middle * spread / 1000 * spread / 1000;

    /* What is beyond the most goes among the large ones: a cap would be a spike of its own. */
    return income <= MOST_INCOME ? income : 90000 + income % (MOST_INCOME - 90000);
}

static uint32_t unit_of(uint64_t income, uint32_t percent)
{
    if (percent < 14 && income >= 20000) {
        return 5000;
    }
    if (percent < 38 && income >= 2000) {
        return 1000;
    }
    if (percent < 66 && income >= 200) {
        return 100;
    }
    return percent < 84 ? 10 : 1;
}

/* People give round figures; what they live from more often than what a bank has printed. */
static uint32_t as_stated(uint64_t income, uint32_t percent)
{
    const uint32_t unit = unit_of(income, percent);

    income = (income + unit / 2) / unit * unit;
    return (uint32_t)KN_CLAMP(income, 1, MOST_INCOME);
}

static uint32_t draw(const tables *t, kn_rng *r, size_t number)
{
    const uint64_t x = kn__rng_next(r);
    const uint64_t position = x >> 48;
    const uint32_t percent = (uint32_t)((x & 0xffffff) * 100 >> 24);
    const uint32_t chance = (uint32_t)((x >> 24 & 0xffffff) * 100 >> 24);
    uint32_t kind;

    if (number == 0) {
        return as_stated(around(31000, position), percent);
    }
    kind = kn__alias_pick(&t->kind, 0, r);
    if (chance < kinds[kind].fixed) {
        return kinds[kind].figure;
    }
    return as_stated(around(kinds[kind].middle, position), percent);
}

static size_t fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const tables *t = user;
    char *p = out;
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const size_t incomes = 1 + kn__alias_pick(&t->length, 0, &r);
        for (size_t j = 0; j < incomes; j++) {
            if (j) {
                *p++ = ' ';
            }
            p = kn__put_number(p, draw(t, &r, j));
        }
        *p++ = '\n';
    }
    return (size_t)(p - out);
}

static const kn_sample_column columns[] = {
    {.name = "items", .type = KN_TYPE_NUMBERS, .role = KN_ROLE_QUASI}};

const kn_sample kn__sample_income = {.name = "income",
                                     .lists = true,
                                     .columns = columns,
                                     .columns_count = 1,
                                     .most_records = UINT64_MAX,
                                     .most_bytes = MOST_BYTES,
                                     .open = open_tables,
                                     .close = close_tables,
                                     .fill = fill};
