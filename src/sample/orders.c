/* orders.c - the sample "orders": customers, their orders and what was ordered, as tree records in
 * the shape of the tree paper's data (TPC-H with at most two orders and three items).
 *
 * nation > price > date, and price > quantity > manufacturer and brand: four levels below the
 * customer. 25 nations, 91 prices (in steps of 5,000), 80 months, 50 quantities, 5 manufacturers
 * with 5 brands each: 276 values. A third of the customers have no order, as in TPC-H, where an
 * order has one to seven items, of which three are kept: 12 nodes on average. Whole numbers only: a
 * seed gives the same bytes everywhere. */
#include "sample/sample.h"
#include "sample/text.h"

enum {
    REGIONS = 5,
    NATIONS = 25,
    PRICES = 91,
    STEP = 5000,
    MONTHS = 80,
    FIRST_YEAR = 1992,
    QUANTITIES = 50,
    BRANDS = 25,
    GROUP = 5, /* values of a group in the hierarchies */
    ORDERS = 2,
    ITEMS = 3,
    MOST_BYTES = 256
};

static const char *const regions[REGIONS] = {"Africa", "America", "Asia", "Europe", "Orient"};
static const char *const nations[NATIONS] = {
    "Algeria", "Ethiopia", "Kenya", "Morocco", "Nigeria", "Argentina", "Brazil", "Canada", "Mexico",
    "Peru",    "China",    "India", "Japan",   "Korea",   "Vietnam",   "France", "Italy",  "Norway",
    "Poland",  "Spain",    "Egypt", "Iran",    "Iraq",    "Jordan",    "Turkey"};

static kn_status open_tables(void **out, kn_error *err)
{
    (void)err;
    *out = NULL; /* all is drawn by arithmetic */
    return KN_OK;
}

static void close_tables(void *tables)
{
    (void)tables;
}

static char *put_month(char *p, uint32_t month)
{
    p = kn__put_number(p, FIRST_YEAR + month / 12);
    *p++ = '-';
    *p++ = (char)('0' + (month % 12 + 1) / 10);
    *p++ = (char)('0' + (month % 12 + 1) % 10);
    return p;
}

/* Most orders cost something in the middle, the sum of three draws; a third cost anything. */
static uint32_t draw_price(kn_rng *r)
{
    if (kn__rng_below(r, 3) == 0) {
        return (uint32_t)kn__rng_below(r, PRICES);
    }
    return (uint32_t)(kn__rng_below(r, 31) + kn__rng_below(r, 31) + kn__rng_below(r, 31));
}

/* One of `most` that is not among the `count` in `taken`, which then has it. */
static uint32_t draw_other(kn_rng *r, uint32_t most, uint32_t *taken, size_t count)
{
    uint32_t drawn;
    size_t i;

    do {
        drawn = (uint32_t)kn__rng_below(r, most);
        for (i = 0; i < count && taken[i] != drawn; i++) {
        }
    } while (i < count);
    taken[count] = drawn;
    return drawn;
}

static char *put_order(char *p, kn_rng *r, uint32_t price)
{
    const uint64_t lines = 1 + kn__rng_below(r, 7), items = lines < ITEMS ? lines : ITEMS;
    uint32_t taken[ITEMS];

    p = kn__put_number(p, (price + 1) * STEP);
    *p++ = '(';
    p = put_month(p, (uint32_t)kn__rng_below(r, MONTHS));
    for (size_t i = 0; i < items; i++) {
        const uint32_t quantity = draw_other(r, QUANTITIES, taken, i);
        const uint32_t brand = (uint32_t)kn__rng_below(r, BRANDS);
        *p++ = ' ';
        p = kn__put_number(p, quantity + 1);
        p = kn__put_text(p, "(Maker_");
        p = kn__put_number(p, brand / GROUP + 1);
        p = kn__put_text(p, " Brand_");
        p = kn__put_number(p, brand / GROUP + 1);
        p = kn__put_number(p, brand % GROUP + 1);
        *p++ = ')';
    }
    *p++ = ')';
    return p;
}

/* A third of the customers have no order, a fifth have one, the others two. */
static size_t draw_orders(kn_rng *r)
{
    const uint64_t x = kn__rng_below(r, 15);

    if (x < 5) {
        return 0;
    }
    return x < 8 ? 1 : 2;
}

static size_t fill(const void *tables, uint64_t seed, uint64_t first, size_t count, char *out)
{
    char *p = out;
    kn_rng r;

    (void)tables;
    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const size_t orders = draw_orders(&r);
        uint32_t before = PRICES;
        p = kn__put_text(p, nations[kn__rng_below(&r, NATIONS)]);
        for (size_t o = 0; o < orders; o++) {
            uint32_t price = draw_price(&r);
            while (price == before) {
                price = draw_price(&r);
            }
            before = price;
            *p++ = o ? ' ' : '(';
            p = put_order(p, &r, price);
        }
        if (orders) {
            *p++ = ')';
        }
        *p++ = '\n';
    }
    return (size_t)(p - out);
}

/* ---- hierarchies: five values to a group, and so on ---- */

static void nation_rows(const void *tables, kn_buffer *out)
{
    (void)tables;
    for (size_t i = 0; i < NATIONS; i++) {
        kn__buffer_addf(out, "%s;%s;*\n", nations[i], regions[i / GROUP]);
    }
}

static uint32_t last_price(uint32_t first, uint32_t size)
{
    const uint32_t end = first + size < PRICES ? first + size : PRICES;

    return end * STEP;
}

static void price_rows(const void *tables, kn_buffer *out)
{
    (void)tables;
    for (uint32_t i = 0; i < PRICES; i++) {
        const uint32_t low = i / GROUP * GROUP, wide = i / (GROUP * GROUP) * (GROUP * GROUP);
        kn__buffer_addf(out, "%u;[%u,%u];[%u,%u];*\n", (i + 1) * STEP, (low + 1) * STEP,
                        last_price(low, GROUP), (wide + 1) * STEP, last_price(wide, GROUP * GROUP));
    }
}

static void date_rows(const void *tables, kn_buffer *out)
{
    (void)tables;
    for (uint32_t i = 0; i < MONTHS; i++) {
        const uint32_t year = FIRST_YEAR + i / 12;
        kn__buffer_addf(out, "%u-%02u;%u-H%u;%u;*\n", year, i % 12 + 1, year, i % 12 / 6 + 1, year);
    }
}

static void quantity_rows(const void *tables, kn_buffer *out)
{
    (void)tables;
    for (uint32_t i = 0; i < QUANTITIES; i++) {
        const uint32_t low = i / GROUP * GROUP;
        kn__buffer_addf(out, "%u;[%u,%u];*\n", i + 1, low + 1, low + GROUP);
    }
}

static void manufacturer_rows(const void *tables, kn_buffer *out)
{
    (void)tables;
    for (uint32_t i = 0; i < BRANDS / GROUP; i++) {
        kn__buffer_addf(out, "Maker_%u;*\n", i + 1);
    }
}

static void brand_rows(const void *tables, kn_buffer *out)
{
    (void)tables;
    for (uint32_t i = 0; i < BRANDS; i++) {
        kn__buffer_addf(out, "Brand_%u%u;Brands_%u;*\n", i / GROUP + 1, i % GROUP + 1,
                        i / GROUP + 1);
    }
}

#define CLASS(text, rows)                                                               \
    {                                                                                   \
        .name = (text), .type = KN_TYPE_SET, .role = KN_ROLE_QUASI, .hierarchy = (rows) \
    }
static const kn_sample_column columns[] = {CLASS("nation", nation_rows),
                                           CLASS("price", price_rows),
                                           CLASS("date", date_rows),
                                           CLASS("quantity", quantity_rows),
                                           CLASS("manufacturer", manufacturer_rows),
                                           CLASS("brand", brand_rows)};

const kn_sample kn__sample_orders = {.name = "orders",
                                     .trees = true,
                                     .columns = columns,
                                     .columns_count = sizeof columns / sizeof *columns,
                                     .most_records = UINT64_MAX,
                                     .most_bytes = MOST_BYTES,
                                     .open = open_tables,
                                     .close = close_tables,
                                     .fill = fill};
