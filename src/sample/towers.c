/* towers.c - the sample "towers": which cell towers a phone was seen at, one person a line.
 *
 * The shape is that of the data of the sampling paper (Table II): 1,303 towers on 128 km^2, and
 * people with 1 to 422 towers, 11.42 on average with a standard deviation of 17.23. The sizes are a
 * Weibull distribution, P(size > n) = exp(-(n / 7.938)^0.654), given by knots between which weights
 * are linear; the six people of 4.4 million beyond 422 have 422. The two parameters give the mean
 * and the deviation, and the largest of so many draws is then about as large as the paper's, which
 * a log-normal distribution with these moments exceeds 250 times.
 *
 * A person has a home, a place of work and a third place. Towers are drawn around these three: near
 * them by the inverse fourth power of the distance, or in a wider circle by the inverse cube, the
 * more so the more towers the person has. Busy towers are drawn more often. The other towers are
 * those of the busy places that people from everywhere travel to: anywhere, by the square of how
 * busy a tower is. So towers near each other go together, people with many towers meet at the same
 * places, and few people hold most combinations.
 *
 * The towers are the same for every seed, so that their coordinates and hierarchy are. Whole
 * numbers only: a seed gives the same bytes everywhere. */
#include "base/error.h"
#include "base/memory.h"
#include "sample/alias.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <string.h>

enum {
    TOWERS = 1303,
    PEOPLE = 4427486,
    MOST_TOWERS = 422, /* of a person */
    RADIUS = 6480,     /* metres; the hull of the towers has 128 km^2 */
    LEAST_APART = 70,  /* metres between two towers */
    PLACES = 3,        /* home, work, another */
    NAME = 6,          /* bytes of "t1303 " */
    WORDS = (TOWERS + 63) / 64,
    FINE = 1000,  /* metres: cells of the hierarchy */
    COARSE = 4000 /* metres */
};

/* Size of a person's set and the weight of that size. */
static const uint32_t knots[][2] = {
    {1, 227316157}, {2, 106264265}, {3, 77288656}, {4, 61134872},  {5, 50425076},  {6, 42679563},
    {7, 36772255},  {8, 32101470},  {9, 28310401}, {10, 25171411}, {12, 20281977}, {14, 16663681},
    {16, 13894723}, {19, 10806449}, {22, 8571472}, {26, 6441620},  {30, 4942021},  {36, 3420661},
    {42, 2433366},  {50, 1596241},  {60, 980645},  {72, 571188},   {86, 318373},   {100, 184390},
    {120, 88964},   {140, 45009},   {165, 20232},  {190, 9526},    {220, 4051},    {250, 1800},
    {290, 645},     {330, 244},     {375, 86},     {421, 31},      {422, 1467}};
enum { KNOTS = sizeof knots / sizeof *knots };

typedef struct tables {
    kn_alias size, homes, hubs;
    kn_alias near, wide;          /* a row per tower */
    int32_t x[TOWERS], y[TOWERS]; /* metres from the middle */
    uint32_t busy[TOWERS];
    uint32_t weights[TOWERS]; /* while the tables are made */
} tables;

static void close_tables(void *user)
{
    tables *t = user;

    kn__alias_clear(&t->size);
    kn__alias_clear(&t->homes);
    kn__alias_clear(&t->hubs);
    kn__alias_clear(&t->near);
    kn__alias_clear(&t->wide);
    kn__free(t);
}

static uint64_t square_root(uint64_t n)
{
    uint64_t root = 0;

    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1) {
        if ((root | bit) * (root | bit) <= n) {
            root |= bit;
        }
    }
    return root;
}

static uint64_t square_distance(int64_t x, int64_t y, int64_t to_x, int64_t to_y)
{
    return (uint64_t)((x - to_x) * (x - to_x) + (y - to_y) * (y - to_y));
}

/* Towers stand twice as densely in the middle as at the edge. */
static void place_towers(tables *t)
{
    const uint64_t radius2 = (uint64_t)RADIUS * RADIUS;
    kn_rng r;

    kn__rng_seed(&r, 20070901, 0);
    for (size_t i = 0; i < TOWERS;) {
        const int32_t x = (int32_t)kn__rng_below(&r, 2 * RADIUS + 1) - RADIUS;
        const int32_t y = (int32_t)kn__rng_below(&r, 2 * RADIUS + 1) - RADIUS;
        const uint64_t d2 = square_distance(x, y, 0, 0);
        bool fits = d2 <= radius2 && kn__rng_below(&r, 2 * radius2) >= d2;
        for (size_t j = 0; fits && j < i; j++) {
            fits = square_distance(x, y, t->x[j], t->y[j]) >= (uint64_t)LEAST_APART * LEAST_APART;
        }
        if (fits) {
            t->x[i] = x;
            t->y[i] = y;
            const uint32_t visits = 36 + (uint32_t)kn__rng_below(&r, 85);
            t->busy[i] = visits << kn__rng_below(&r, 6);
            i++;
        }
    }
}

static kn_status weigh_sizes(tables *t, kn_error *err)
{
    uint32_t weights[MOST_TOWERS];

    for (size_t i = 0; i + 1 < KNOTS; i++) {
        const int64_t from = knots[i][0], to = knots[i + 1][0];
        const int64_t low = knots[i][1], high = knots[i + 1][1];
        for (int64_t n = from; n <= to; n++) {
            weights[n - 1] = (uint32_t)(low + (high - low) * (n - from) / (to - from));
        }
    }
    return kn__alias_one(&t->size, weights, MOST_TOWERS, err);
}

/* How likely each tower is to be drawn around tower `i`. */
static kn_status weigh_around(tables *t, size_t i, kn_error *err)
{
    for (size_t j = 0; j < TOWERS; j++) {
        const uint64_t d = square_root(square_distance(t->x[i], t->y[i], t->x[j], t->y[j])) + 200;
        t->weights[j] = 1 + (uint32_t)(t->busy[j] * UINT64_C(800000000000000) / (d * d * d * d));
    }
    KN_PASS(kn__alias_set(&t->near, i, t->weights, err));
    for (size_t j = 0; j < TOWERS; j++) {
        const uint64_t d = square_root(square_distance(t->x[i], t->y[i], t->x[j], t->y[j])) + 1000;
        t->weights[j] = 1 + (uint32_t)(t->busy[j] * UINT64_C(100000000000000) / (d * d * d));
    }
    return kn__alias_set(&t->wide, i, t->weights, err);
}

static kn_status open_tables(void **out, kn_error *err)
{
    tables *t = kn__zalloc(sizeof *t);
    kn_status status;

    *out = NULL;
    KN_TRY(t ? KN_OK : kn__nomem(err));
    place_towers(t);
    KN_TRY(weigh_sizes(t, err));
    KN_TRY(kn__alias_one(&t->homes, t->busy, TOWERS, err));
    for (size_t i = 0; i < TOWERS; i++) {
        t->weights[i] = t->busy[i] * t->busy[i];
    }
    KN_TRY(kn__alias_one(&t->hubs, t->weights, TOWERS, err));
    KN_TRY(kn__alias_init(&t->near, TOWERS, TOWERS, err));
    KN_TRY(kn__alias_init(&t->wide, TOWERS, TOWERS, err));
    for (size_t i = 0; i < TOWERS; i++) {
        KN_TRY(weigh_around(t, i, err));
    }
    *out = t;
    t = NULL;
done:
    if (t) {
        close_tables(t);
    }
    return status;
}

/* A person's towers as a set of bits. */
static void draw(const tables *t, kn_rng *r, uint64_t set[WORDS])
{
    const size_t wanted = 1 + kn__alias_pick(&t->size, 0, r);
    /* Home four times, work three times, the third place once in eight. */
    static const uint8_t turns[8] = {0, 0, 0, 0, 1, 1, 1, 2};
    size_t place[PLACES], found = 0;

    memset(set, 0, WORDS * sizeof *set);
    place[0] = kn__alias_pick(&t->homes, 0, r);
    place[1] = kn__alias_pick(&t->wide, place[0], r);
    place[2] = kn__alias_pick(&t->wide, place[1], r);
    for (size_t tries = 0; found < wanted; tries++) {
        const uint64_t x = kn__rng_below(r, 8), far = kn__rng_below(r, 96 + wanted);
        const size_t at = place[turns[x]];
        const bool near = tries < wanted && kn__rng_below(r, 24 + wanted) < 24;
        const uint32_t tower = far < 6 + wanted || tries > 4 * wanted + 8
                                   ? kn__alias_pick(&t->hubs, 0, r)
                                   : kn__alias_pick(near ? &t->near : &t->wide, at, r);
        found += !(set[tower / 64] >> tower % 64 & 1);
        set[tower / 64] |= UINT64_C(1) << tower % 64;
    }
}

static size_t fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const tables *t = user;
    char *p = out;
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        uint64_t set[WORDS];
        draw(t, &r, set);
        for (size_t w = 0; w < WORDS; w++) {
            for (uint64_t left = set[w]; left; left &= left - 1) {
                *p++ = 't';
                p = kn__put_number(p, (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left) + 1);
                *p++ = ' ';
            }
        }
        p[-1] = '\n';
    }
    return (size_t)(p - out);
}

/* A tower, its square of 1 km, its square of 4 km. */
static void hierarchy(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (size_t i = 0; i < TOWERS; i++) {
        const int x = t->x[i] + RADIUS, y = t->y[i] + RADIUS;
        kn__buffer_addf(out, "t%zu;cell-%d-%d;district-%d-%d;*\n", i + 1, x / FINE, y / FINE,
                        x / COARSE, y / COARSE);
    }
}

static void add_degrees(kn_buffer *out, int64_t e7)
{
    kn__buffer_addf(out, ",%lld.%07lld", (long long)(e7 / 10000000), (long long)(e7 % 10000000));
}

/* On a sphere of 6,371 km a metre is 89.932e-7 degrees of latitude, and at 47.5 degrees north
 * 133.116e-7 of longitude. */
static void coordinates(const void *user, kn_buffer *out)
{
    const tables *t = user;

    kn__buffer_adds(out, "item,lat,lon\n");
    for (size_t i = 0; i < TOWERS; i++) {
        kn__buffer_addf(out, "t%zu", i + 1);
        add_degrees(out, 475000000 + (int64_t)t->y[i] * 89932 / 1000);
        add_degrees(out, 85000000 + (int64_t)t->x[i] * 133116 / 1000);
        kn__buffer_addc(out, '\n');
    }
}

static const kn_sample_column columns[] = {
    {.name = "items", .type = KN_TYPE_SET, .role = KN_ROLE_QUASI, .hierarchy = hierarchy}};

const kn_sample kn__sample_towers = {.name = "towers",
                                     .lists = true,
                                     .columns = columns,
                                     .columns_count = 1,
                                     .records = PEOPLE,
                                     .most_records = UINT64_MAX,
                                     .most_bytes = MOST_TOWERS * NAME,
                                     .open = open_tables,
                                     .close = close_tables,
                                     .fill = fill,
                                     .coordinates = coordinates};
