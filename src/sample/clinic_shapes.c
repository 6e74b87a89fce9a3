/* clinic_shapes.c - the samples "informs" and "youtube": tables with item sets of the shapes that
 * the paper on them measures with, and as many different items.
 *
 * Items are numbered, in a hierarchy of fan-out 5. A record prefers one or two
 * neighbourhoods of 25 items, chosen by its relational values, takes most of its items from them
 * and the rest from anywhere; in both, few items are frequent (by 1/rank). Lengths are exact: an
 * item is never drawn twice for a record. Whole numbers only: a seed gives the same bytes
 * everywhere. */
#include "base/error.h"
#include "base/memory.h"
#include "sample/people_tables.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FAN_OUT = 5, NEAR = 25, MOST_ITEMS = 936, MOST_LENGTH = 37, PROFILES = 8 };
enum { NAME = 4, INFORMS_BYTES = 64 + 17 * (NAME + 1), YOUTUBE_BYTES = 80 + 37 * (NAME + 1) };

/* What the two differ in, but for their relational columns. */
typedef struct shape {
    char letter;       /* items are called d001, d002, ... */
    uint32_t items;    /* different ones */
    uint32_t most;     /* in a record */
    uint32_t ends;     /* of 10,000 records of a length, so many are no longer */
    size_t most_bytes; /* of a record */
} shape;

/* The ends make 4.27 and 6.51 items a record. */
static const shape informs = {'d', 619, 17, 2215, INFORMS_BYTES};
static const shape youtube = {'v', 936, 37, 1516, YOUTUBE_BYTES};

typedef struct tables {
    const shape *shape;
    kn_people_tables *people;
    kn_alias length, item, near;
    kn_alias profile; /* neighbourhoods, by what the relational values say: 0..PROFILES-1 */
    kn_alias race, category, magnitude;
    char name[MOST_ITEMS][NAME + 1];
} tables;

static const kn_people_value races[] = {
    {"White", {"White", NULL}},  {"Black", {"Black", NULL}},    {"Asian", {"Other", NULL}},
    {"Native", {"Other", NULL}}, {"Islander", {"Other", NULL}}, {"Multiple", {"Other", NULL}},
};
static const uint32_t race_weights[] = {7600, 1500, 420, 110, 30, 340};

static const kn_people_value categories[] = {
    {"Music", {"Arts", NULL}},     {"Film", {"Arts", NULL}},
    {"Comedy", {"Arts", NULL}},    {"Entertainment", {"Arts", NULL}},
    {"Sports", {"Leisure", NULL}}, {"Games", {"Leisure", NULL}},
    {"Travel", {"Leisure", NULL}}, {"Pets", {"Leisure", NULL}},
    {"Autos", {"Leisure", NULL}},  {"News", {"World", NULL}},
    {"Politics", {"World", NULL}}, {"Education", {"World", NULL}},
    {"Science", {"World", NULL}},  {"People", {"World", NULL}},
    {"Howto", {"World", NULL}},
};
enum { RACES = sizeof races / sizeof *races, CATEGORIES = sizeof categories / sizeof *categories };
static const uint32_t category_weights[CATEGORIES] = {2300, 850, 1200, 1900, 1100, 600, 180, 240,
                                                      320,  430, 210,  160,  190,  800, 260};

/* Figures of counts have two digits that tell: 0..99, then tens, hundreds, thousands. */
enum { MAGNITUDES = 4 };
static const uint32_t magnitude_weights[MAGNITUDES] = {7600, 1900, 440, 60};

static void shape_close(void *user)
{
    tables *t = user;

    kn__alias_clear(&t->length);
    kn__alias_clear(&t->item);
    kn__alias_clear(&t->near);
    kn__alias_clear(&t->profile);
    kn__alias_clear(&t->race);
    kn__alias_clear(&t->category);
    kn__alias_clear(&t->magnitude);
    kn__people_tables_free(t->people);
    kn__free(t);
}

static kn_status set_items(tables *t, kn_error *err)
{
    uint32_t weights[MOST_ITEMS];
    const uint32_t items = t->shape->items;

    for (uint32_t i = 0; i < NEAR; i++) {
        weights[i] = 100000 / (2 + i);
    }
    KN_PASS(kn__alias_one(&t->near, weights, NEAR, err));
    /* 233 shares no factor with either number of items: the frequent ones lie all over. */
    for (uint32_t rank = 0; rank < items; rank++) {
        weights[rank * 233 % items] = 1000000 / (5 + rank);
    }
    return kn__alias_one(&t->item, weights, items, err);
}

static kn_status set_profiles(tables *t, kn_error *err)
{
    const uint32_t count = (t->shape->items + NEAR - 1) / NEAR;
    uint32_t weights[MOST_ITEMS / NEAR + 1];

    KN_PASS(kn__alias_init(&t->profile, PROFILES, count, err));
    for (uint32_t profile = 0; profile < PROFILES; profile++) {
        for (uint32_t i = 0; i < count; i++) {
            weights[i] = 1000 / (2 + (i + count - profile * count / PROFILES) % count);
        }
        KN_PASS(kn__alias_set(&t->profile, profile, weights, err));
    }
    return KN_OK;
}

static kn_status shape_open(const shape *s, void **out, kn_error *err)
{
    tables *t = kn__zalloc(sizeof *t);
    uint32_t lengths[MOST_LENGTH], weight = 1000000;
    kn_status status;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    t->shape = s;
    for (uint32_t i = 0; i < s->items; i++) {
        (void)snprintf(t->name[i], sizeof t->name[i], "%c%03u", s->letter,
                       (unsigned)(i + 1) % 1000);
    }
    for (uint32_t i = 0; i < s->most; i++) {
        lengths[i] = weight;
        weight -= (uint32_t)((uint64_t)weight * s->ends / 10000);
    }
    KN_TRY(kn__people_tables_new(&t->people, err));
    KN_TRY(kn__alias_one(&t->length, lengths, s->most, err));
    KN_TRY(set_items(t, err));
    KN_TRY(set_profiles(t, err));
    KN_TRY(kn__alias_one(&t->race, race_weights, RACES, err));
    KN_TRY(kn__alias_one(&t->category, category_weights, CATEGORIES, err));
    KN_TRY(kn__alias_one(&t->magnitude, magnitude_weights, MAGNITUDES, err));
done:
    if (status != KN_OK) {
        shape_close(t);
        return status;
    }
    *out = t;
    return KN_OK;
}

/* ---- items ---- */

static bool has(const uint32_t *items, size_t count, uint32_t item)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i] == item) {
            return true;
        }
    }
    return false;
}

static uint32_t draw_item(const tables *t, kn_rng *r, const uint32_t *preferred)
{
    const uint64_t x = kn__rng_below(r, 6);

    if (x < 4) {
        return (preferred[x % 2] * NEAR + kn__alias_pick(&t->near, 0, r)) % t->shape->items;
    }
    return kn__alias_pick(&t->item, 0, r);
}

static char *put_items(char *p, const tables *t, kn_rng *r, uint32_t profile)
{
    const size_t count = 1 + kn__alias_pick(&t->length, 0, r);
    const uint32_t preferred[2] = {kn__alias_pick(&t->profile, profile, r),
                                   kn__alias_pick(&t->profile, profile, r)};
    uint32_t items[MOST_LENGTH];

    for (size_t i = 0; i < count; i++) {
        uint32_t item = draw_item(t, r, preferred);
        for (int again = 0; again < 8 && has(items, i, item); again++) {
            item = draw_item(t, r, preferred);
        }
        while (has(items, i, item)) {
            item = (item + 1) % t->shape->items;
        }
        items[i] = item;
        *p++ = i ? '|' : ',';
        memcpy(p, t->name[item], NAME);
        p += NAME;
    }
    *p++ = '\n';
    return p;
}

/* ---- records ---- */

static char *put_text(char *p, const char *text)
{
    while (*text) {
        *p++ = *text++;
    }
    return p;
}

enum { LAST_YEAR = 2010, MOST_INCOME = 200000 };

/* Month and year of birth, race, years of education, income. */
static char *put_informs(char *p, const tables *t, kn_rng *r)
{
    static const uint8_t years[KN_PEOPLE_EDUCATIONS] = {0, 5, 8, 11, 12, 13, 15, 16, 17};
    const uint32_t age = kn__alias_pick(&t->people->age, 0, r);
    const uint32_t education = kn__alias_pick(&t->people->education, age, r);
    const uint64_t x = kn__rng_next(r);
    const uint64_t spread = kn__people_spread_at(x >> 48);
    uint32_t schooling = years[education];
    uint64_t income = age < 16 || (x & 7) == 0 ? 0 : UINT64_C(26000) * spread / 1000;

    schooling -= schooling > 1 && (x >> 8 & 3) == 0;
    income = income * kn__people_education_income[education] / 1000 * spread / 1000;
    income = income > MOST_INCOME ? MOST_INCOME : income / 100 * 100;
    p = kn__put_number(p, 1 + (uint32_t)kn__rng_below(r, 12));
    *p++ = ',';
    p = kn__put_number(p, LAST_YEAR - age);
    *p++ = ',';
    p = put_text(p, races[kn__alias_pick(&t->race, 0, r)].text);
    *p++ = ',';
    p = kn__put_number(p, schooling);
    *p++ = ',';
    p = kn__put_number(p, (uint32_t)income);
    return put_items(p, t, r, age * PROFILES / KN_PEOPLE_AGES);
}

/* The product of two numbers below `a` and `b`, drawn in this order. */
static uint32_t draw_product(kn_rng *r, uint32_t a, uint32_t b)
{
    const uint64_t first = kn__rng_below(r, a);

    return (uint32_t)(first * kn__rng_below(r, b));
}

/* A count: many are small, few are large, two digits tell. */
static uint32_t draw_count(kn_rng *r, uint32_t magnitude)
{
    uint32_t count;

    if (magnitude == 0) {
        return draw_product(r, 10, 12);
    }
    count = 10 + draw_product(r, 10, 10);
    for (uint32_t i = 0; i < magnitude; i++) {
        count *= 10;
    }
    return count;
}

enum { MOST_DAYS = 1250, MOST_SECONDS = 600 };

/* Age in days, category, length in seconds, rate, ratings, comments. */
static char *put_youtube(char *p, const tables *t, kn_rng *r)
{
    const uint32_t category = kn__alias_pick(&t->category, 0, r);
    const uint32_t coarse_days = draw_product(r, 50, 25);
    const uint32_t days = 1 + coarse_days + (uint32_t)kn__rng_below(r, 50);
    const uint32_t coarse_seconds = draw_product(r, 25, 24);
    const uint32_t seconds = 1 + coarse_seconds + (uint32_t)kn__rng_below(r, 25);
    const uint32_t magnitude = kn__alias_pick(&t->magnitude, 0, r); /* of both counts */
    const uint32_t ratings = draw_count(r, magnitude), comments = draw_count(r, magnitude);
    uint32_t rate;

    rate = ratings == 0 ? 0 : 10 + (uint32_t)kn__rng_below(r, 41);
    rate = rate && kn__rng_below(r, 3) ? 50 - (50 - rate) / 3 : rate; /* most like what they rate */
    p = kn__put_number(p, days);
    *p++ = ',';
    p = put_text(p, categories[category].text);
    *p++ = ',';
    p = kn__put_number(p, seconds);
    *p++ = ',';
    p = kn__put_number(p, rate / 10);
    *p++ = '.';
    p = kn__put_number(p, rate % 10);
    *p++ = ',';
    p = kn__put_number(p, ratings);
    *p++ = ',';
    p = kn__put_number(p, comments);
    return put_items(p, t, r, category % PROFILES);
}

static size_t fill(const tables *t, char *(*put)(char *p, const tables *t, kn_rng *r),
                   uint64_t seed, uint64_t first, size_t count, char *out)
{
    char *end = out;
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const char *line = end;
        end = put(end, t, &r);
        assert((size_t)(end - line) <= t->shape->most_bytes);
        (void)line;
    }
    return (size_t)(end - out);
}

static size_t informs_fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    return fill(user, put_informs, seed, first, count, out);
}

static size_t youtube_fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    return fill(user, put_youtube, seed, first, count, out);
}

static kn_status informs_open(void **out, kn_error *err)
{
    return shape_open(&informs, out, err);
}

static kn_status youtube_open(void **out, kn_error *err)
{
    return shape_open(&youtube, out, err);
}

/* ---- hierarchies ---- */

/* Rows of the numbers first, first + step, ..., last: in ranges of `widths`, counted from `from`.
 */
static void range_rows(kn_buffer *out, uint32_t first, uint32_t last, uint32_t step, uint32_t from,
                       const uint32_t *widths, size_t count)
{
    for (uint32_t x = first; x <= last; x += step) {
        kn__buffer_addf(out, "%u", (unsigned)x);
        for (size_t i = 0; i < count; i++) {
            const uint32_t low = (x - from) / widths[i] * widths[i] + from;
            kn__buffer_addf(out, ";%u-%u", (unsigned)low, (unsigned)(low + widths[i] - 1));
        }
        kn__buffer_adds(out, ";*\n");
    }
}

static void month_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, 1, 12, 1, 1, (const uint32_t[]){3, 6}, 2);
}

static void year_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, LAST_YEAR - KN_PEOPLE_AGES + 1, LAST_YEAR, 1, 1900,
               (const uint32_t[]){5, 10, 20, 40}, 4);
}

static void race_rows(const void *user, kn_buffer *out)
{
    (void)user;
    kn__people_add_rows(out, races, sizeof *races, RACES);
}

static void schooling_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, 0, 17, 1, 0, (const uint32_t[]){3, 6, 12}, 3);
}

static void income_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, 0, MOST_INCOME, 100, 0, (const uint32_t[]){1000, 5000, 25000, 100000}, 4);
}

static void days_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, 1, MOST_DAYS, 1, 1, (const uint32_t[]){10, 50, 250}, 3);
}

static void category_rows(const void *user, kn_buffer *out)
{
    (void)user;
    kn__people_add_rows(out, categories, sizeof *categories, CATEGORIES);
}

static void seconds_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, 1, MOST_SECONDS, 1, 1, (const uint32_t[]){5, 30, 150}, 3);
}

static void rate_rows(const void *user, kn_buffer *out)
{
    (void)user;
    for (unsigned x = 0; x <= 50; x++) {
        const unsigned half = x / 5 * 5;
        kn__buffer_addf(out, "%u.%u;%u.%u-%u.%u;%u.0-%u.9;*\n", x / 10, x % 10, half / 10,
                        half % 10, half / 10, half % 10 + 4, x / 10, x / 10);
    }
}

static void count_rows(const void *user, kn_buffer *out)
{
    (void)user;
    range_rows(out, 0, 99, 1, 0, (const uint32_t[]){10, 100}, 2);
    for (uint32_t unit = 10; unit <= 1000; unit *= 10) {
        for (uint32_t x = 10 * unit; x < 100 * unit; x += unit) {
            const uint32_t low = x / (10 * unit) * (10 * unit);
            kn__buffer_addf(out, "%u;%u-%u;%u-%u;*\n", (unsigned)x, (unsigned)low,
                            (unsigned)(low + 10 * unit - 1), (unsigned)(10 * unit),
                            (unsigned)(100 * unit - 1));
        }
    }
}

static void item_rows(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (uint32_t i = 0; i < t->shape->items; i++) {
        kn__buffer_adds(out, t->name[i]);
        for (uint32_t width = FAN_OUT; width < t->shape->items; width *= FAN_OUT) {
            const uint32_t low = i / width * width, next = low + width;
            kn__buffer_addf(out, ";%s-%s", t->name[low],
                            t->name[(next < t->shape->items ? next : t->shape->items) - 1]);
        }
        kn__buffer_adds(out, ";*\n");
    }
}

static const kn_sample_column informs_columns[] = {
    {"month", KN_TYPE_INTEGER, KN_ROLE_QUASI, month_rows},
    {"year", KN_TYPE_INTEGER, KN_ROLE_QUASI, year_rows},
    {"race", KN_TYPE_CATEGORY, KN_ROLE_QUASI, race_rows},
    {"education", KN_TYPE_INTEGER, KN_ROLE_QUASI, schooling_rows},
    {"income", KN_TYPE_INTEGER, KN_ROLE_QUASI, income_rows},
    {"diagnoses", KN_TYPE_SET, KN_ROLE_QUASI, item_rows},
};

static const kn_sample_column youtube_columns[] = {
    {"age", KN_TYPE_INTEGER, KN_ROLE_QUASI, days_rows},
    {"category", KN_TYPE_CATEGORY, KN_ROLE_QUASI, category_rows},
    {"length", KN_TYPE_INTEGER, KN_ROLE_QUASI, seconds_rows},
    {"rate", KN_TYPE_DECIMAL, KN_ROLE_QUASI, rate_rows},
    {"ratings", KN_TYPE_INTEGER, KN_ROLE_QUASI, count_rows},
    {"comments", KN_TYPE_INTEGER, KN_ROLE_QUASI, count_rows},
    {"related", KN_TYPE_SET, KN_ROLE_QUASI, item_rows},
};

const kn_sample kn__sample_informs = {
    .name = "informs",
    .columns = informs_columns,
    .columns_count = sizeof informs_columns / sizeof *informs_columns,
    .records = 36553,
    .most_records = UINT64_MAX,
    .most_bytes = INFORMS_BYTES,
    .open = informs_open,
    .close = shape_close,
    .fill = informs_fill,
};

const kn_sample kn__sample_youtube = {
    .name = "youtube",
    .columns = youtube_columns,
    .columns_count = sizeof youtube_columns / sizeof *youtube_columns,
    .records = 131780,
    .most_records = UINT64_MAX,
    .most_bytes = YOUTUBE_BYTES,
    .open = youtube_open,
    .close = shape_close,
    .fill = youtube_fill,
};
