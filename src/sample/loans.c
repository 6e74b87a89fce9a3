/* loans.c - the sample "loans": clients of a bank, for models that predict who pays back.
 *
 * People of the sample "people" that are of age, with a home, savings and a loan. Whether a loan is
 * paid back depends on what is owed and earned, on savings, home, age and work, and on chance.
 * Whole numbers only: a seed gives the same bytes everywhere. */
#include "sample/people_tables.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <assert.h>
#include <string.h>

enum { MOST_BYTES = 264, OF_AGE = 18 };

typedef struct client {
    kn_person p;
    uint32_t home, savings, loan;
    bool bad;
} client;

enum { OWNS, PAYS_OFF, RENTS, WITH_FAMILY };
static const char *const homes[] = {"Owned", "Mortgaged", "Rented", "With family"};

static uint32_t draw_home(uint32_t age, uint32_t chance)
{
    /* Out of a hundred below 26, below 45 and from 45 on: with their family, or renting, or paying
     * off; the others own. */
    static const uint32_t below[][3] = {{55, 95, 100}, {10, 50, 90}, {4, 28, 50}};
    const uint32_t *of_age = below[(age >= 26) + (age >= 45)];

    if (chance < of_age[0]) {
        return WITH_FAMILY;
    }
    if (chance < of_age[1]) {
        return RENTS;
    }
    return chance < of_age[2] ? PAYS_OFF : OWNS;
}

/* Out of a thousand. */
static uint32_t risk_of(const client *c)
{
    static const int of_home[] = {[OWNS] = -30, [PAYS_OFF] = 0, [RENTS] = 50, [WITH_FAMILY] = 20};
    int risk = 90 + of_home[c->home];

    if (c->loan > c->p.income) {
        risk += c->loan > c->p.income * 3 ? 260 : 110;
    }
    risk -= c->savings > c->loan ? 70 : 0;
    risk += c->p.age < 26 ? 60 : 0;
    risk -= c->p.age > 60 ? 20 : 0;
    risk += c->p.sector == KN_PEOPLE_NO_SECTOR ? 80 : 0;
    risk += c->p.education < 3 ? 30 : 0;
    return (uint32_t)(risk < 10 ? 10 : risk);
}

static void draw(const kn_people_tables *t, kn_rng *r, client *c)
{
    uint64_t x;

    do {
        kn__person_draw(t, r, &c->p);
    } while (c->p.age < OF_AGE);
    x = kn__rng_next(r);
    c->home = draw_home(c->p.age, (uint32_t)(x % 100));
    /* A share of the income for each year of work, more or less. */
    c->savings = kn__person_stated((uint32_t)((uint64_t)c->p.income *
                                              (c->p.age < 60 ? c->p.age - OF_AGE + 1 : 43) *
                                              ((x >> 8 & 255) * (x >> 16 & 255)) / 655360),
                                   (uint32_t)((x >> 32) % 100));
    c->loan = kn__person_stated((uint32_t)((uint64_t)(c->p.income + 4000) *
                                           (10 + (x >> 40 & 255) * (x >> 48 & 255) / 160) / 100),
                                (uint32_t)((x >> 56) % 60));
    c->bad = kn__rng_below(r, 1000) < risk_of(c);
}

static size_t fill(const void *state, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const kn_people_tables *t = state;
    char *end = out;
    const kn_ids ids = kn__ids_start(seed);
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const char *line = end;
        client c;
        uint64_t holes;
        draw(t, &r, &c);
        holes = kn__rng_next(&r);
        end = kn__put_id(end, first + i, &ids);
        *end++ = ',';
        end = kn__person_put(end, t, &c.p, holes);
        *end++ = ',';
        end = stpcpy(end, homes[c.home]);
        *end++ = ',';
        end = (holes >> 40 & 1023) < 20 ? end : kn__put_number(end, c.p.income);
        *end++ = ',';
        end = (holes >> 50 & 1023) < 40 ? end : kn__put_number(end, c.savings);
        *end++ = ',';
        end = kn__put_number(end, c.loan);
        end = stpcpy(end, c.bad ? ",bad\n" : ",good\n");
        assert(end - line <= MOST_BYTES - KN_PEOPLE_WORD);
        (void)line;
    }
    return (size_t)(end - out);
}

static const kn_sample_column columns[] = {
    KN_PEOPLE_COLUMNS,
    {"home", KN_TYPE_CATEGORY, KN_ROLE_QUASI, NULL},
    {"income", KN_TYPE_INTEGER, KN_ROLE_SENSITIVE, NULL},
    {"savings", KN_TYPE_INTEGER, KN_ROLE_SENSITIVE, NULL},
    {"loan", KN_TYPE_INTEGER, KN_ROLE_SENSITIVE, NULL},
    {"risk", KN_TYPE_CATEGORY, KN_ROLE_SENSITIVE, NULL},
};

const kn_sample kn__sample_loans = {
    .name = "loans",
    .columns = columns,
    .columns_count = sizeof columns / sizeof *columns,
    .most_records = UINT64_C(1) << KN_ID_BITS,
    .most_bytes = MOST_BYTES,
    .open = kn__people_open,
    .close = kn__people_close,
    .fill = fill,
};
