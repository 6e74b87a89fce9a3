/* build.c - hierarchies made from the values of a column: dates, prefixes, masks, neighbours.
 * Ranges of numbers are in ranges.c. Missing values are left out: a domain puts them below
 * the root. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/value_form.h"
#include "data/value.h"
#include "hierarchy/build/row.h"
#include "hierarchy/hierarchy.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the first `count` characters. */
static size_t prefix_bytes(const char *text, size_t len, size_t count)
{
    size_t i = 0;

    while (i < len && count > 0) {
        i++;
        while (i < len && ((unsigned char)text[i] & 0xC0) == 0x80) {
            i++;
        }
        count--;
    }
    return i;
}

/* `day_level`: the value is more than a day, which is a group of its own. */
static void add_dates(kn_build_row *r, double days, bool day_level)
{
    int year, month, day;

    kn__date_split(days, &year, &month, &day);
    if (day_level) {
        kn__buffer_addf(&r->text, "%04d-%02d-%02d", year, month, day);
        kn__build_row_mark(r);
    }
    kn__buffer_addf(&r->text, "%04d-%02d", year, month);
    kn__build_row_mark(r);
    kn__buffer_addf(&r->text, "%04d-Q%d", year, (month - 1) / 3 + 1);
    kn__build_row_mark(r);
    kn__buffer_addf(&r->text, "%04d", year);
    kn__build_row_mark(r);
    kn__buffer_addf(&r->text, "%04ds", year - year % 10);
    kn__build_row_mark(r);
}

/* The code that the whole number `text` stands for, of `digits` digits; other texts as they are.
 * Appended to `out`, which is emptied before. */
static void put_code(kn_buffer *out, const char *text, size_t len, size_t digits)
{
    const size_t whole = len > 2 && memcmp(text + len - 2, ".0", 2) == 0 ? len - 2 : len;
    const bool code = digits && kn__all_digits(text, whole);

    out->len = 0;
    for (size_t i = whole; code && i < digits; i++) {
        kn__buffer_addc(out, '0');
    }
    kn__buffer_add(out, text, code ? whole : len);
}

/* A value that is shorter than a prefix stays as it is on that level. */
static void add_prefixes(kn_build_row *r, const char *text, size_t len, size_t longest,
                         const kn_build_options *options)
{
    const size_t own = kn__utf8_length(text, len);
    const size_t count = options->lengths ? options->lengths_count : longest - 1;

    for (size_t i = 0; i < count; i++) {
        const size_t keep = options->lengths ? options->lengths[i] : longest - 1 - i;

        kn__buffer_add(&r->text, text, prefix_bytes(text, len, keep));
        if (own >= keep) {
            kn__buffer_addc(&r->text, '*');
        }
        kn__build_row_mark(r);
    }
}

static void add_masks(kn_build_row *r, const char *text, size_t len, size_t longest)
{
    const size_t own = kn__utf8_length(text, len);

    for (size_t masked = 1; masked < longest; masked++) {
        const size_t stars = masked < own ? masked : own;

        kn__buffer_add(&r->text, text, prefix_bytes(text, len, own - stars));
        for (size_t i = 0; i < stars; i++) {
            kn__buffer_addc(&r->text, '*');
        }
        kn__build_row_mark(r);
    }
}

/* The values of a column in the order in which neighbours are grouped. */
typedef struct neighbours {
    uint32_t *code; /* by place */
    bool ordered;   /* they are numbers or dates, and groups of them ranges */
} neighbours;

typedef struct numbered {
    double number;
    uint32_t code;
} numbered;

static int by_number(const void *x, const void *y)
{
    const numbered *a = x, *b = y;
    const int order = KN_ORDER(a->number, b->number);

    return order ? order : KN_ORDER(a->code, b->code);
}

/* Codes have the order of their type already. Texts that are all numbers (ids among items, say) are
 * put into the order of the numbers. */
static kn_status order_values(neighbours *n, const kn_column *column, uint32_t values,
                              kn_error *err)
{
    const kn_form_counts forms = kn__column_forms(column);
    const bool numeric = !column->numbers && forms.numbers == forms.values && forms.padded == 0;
    numbered *list = numeric ? kn__malloc_array(values, sizeof *list) : NULL;

    n->ordered = column->numbers || numeric;
    n->code = kn__malloc_array(values, sizeof *n->code);
    if (!n->code || (numeric && !list)) {
        kn__free(list);
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < values; i++) {
        n->code[i] = i;
    }
    for (uint32_t i = 0; i < values && numeric; i++) {
        size_t len;
        unsigned decimals;
        const char *text = kn__column_text(column, i, &len);
        list[i] = (numbered){.code = i};
        (void)kn__number_parse(text, len, &list[i].number, &decimals);
    }
    if (numeric) {
        qsort(list, values, sizeof *list, by_number);
    }
    for (uint32_t i = 0; i < values && numeric; i++) {
        n->code[i] = list[i].code;
    }
    kn__free(list);
    return KN_OK;
}

/* The groups of neighbours that the value at place `at` of `count` is in, by twos, fours, ... for a
 * fanout of 2. */
static void add_neighbours(kn_build_row *r, const kn_column *column, const neighbours *n,
                           uint32_t at, uint32_t count, size_t fanout)
{
    for (size_t size = fanout; size<count; size = size> count / fanout ? count : size * fanout) {
        const uint32_t first = (uint32_t)(at / size * size);
        const uint32_t last = count - first > size ? (uint32_t)(first + size - 1) : count - 1;
        size_t first_len, last_len;
        const char *first_text = kn__column_text(column, n->code[first], &first_len);
        const char *last_text = kn__column_text(column, n->code[last], &last_len);

        if (first == last) {
            kn__buffer_add(&r->text, first_text, first_len);
        } else if (n->ordered) {
            kn__buffer_addc(&r->text, '[');
            kn__buffer_add(&r->text, first_text, first_len);
            kn__buffer_addc(&r->text, ',');
            kn__buffer_add(&r->text, last_text, last_len);
            kn__buffer_addc(&r->text, ']');
        } else {
            kn__buffer_addc(&r->text, '{');
            kn__set_add_text(&r->text, first_text, first_len);
            kn__buffer_adds(&r->text, "..");
            kn__set_add_text(&r->text, last_text, last_len);
            kn__buffer_addc(&r->text, '}');
        }
        kn__build_row_mark(r);
    }
}

static kn_status check_text_options(const kn_build_options *options, kn_error *err)
{
    if (options->kind == KN_BUILD_FANOUT && options->fanout == 1) {
        return kn__fail(err, KN_EUSAGE, "fanout 1 merges nothing; use 2 or more");
    }
    if (options->kind == KN_BUILD_PREFIX && options->digits >= KN_LEVELS_MOST) {
        return kn__fail(err, KN_EUSAGE, "codes of %zu digits are too long; at most %d",
                        options->digits, KN_LEVELS_MOST - 1);
    }
    for (size_t i = 0;
         options->kind == KN_BUILD_PREFIX && options->lengths && i < options->lengths_count; i++) {
        if (options->lengths[i] == 0 || (i && options->lengths[i] >= options->lengths[i - 1])) {
            return kn__fail(err, KN_EUSAGE,
                            "prefix lengths must be at least 1 and get shorter, such as 3,2,1");
        }
    }
    return KN_OK;
}

/* The dates of a column, which may be of type date or texts such as 31.12.1980. */
typedef struct calendar {
    double *days;   /* by code */
    bool day_level; /* some value has a time of day */
} calendar;

static kn_status fail_date(const kn_column *column, uint32_t code, kn_date_order order,
                           kn_error *err)
{
    size_t len;
    const char *text = kn__column_text(column, code, &len);
    double days;
    bool time;

    if (order == KN_DATES_UNKNOWN &&
        kn__local_date_parse(text, len, KN_DATES_DAY_FIRST, &days, &time)) {
        return kn__fail_date_order(column->name, err);
    }
    return kn__fail(err, KN_EUSAGE,
                    "column \"%s\" holds values that are no dates with a year of four digits "
                    "(1980-12-31, 31.12.1980, 12/31/1980); use another kind of hierarchy, or say "
                    "which texts mean a missing value (--missing)",
                    column->name);
}

static kn_status read_calendar(calendar *c, const kn_column *column, uint32_t values,
                               const char *format, kn_error *err)
{
    kn_date_order order = kn__dates_order(column);

    KN_PASS(format ? kn__date_format_order(&order, format, err) : KN_OK);
    c->days = kn__malloc_array(values, sizeof *c->days);
    KN_PASS(c->days ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        bool time = false;

        if (column->type == KN_TYPE_DATE) {
            c->days[code] = column->numbers[code];
        } else if (!kn__local_date_parse(text, len, order, &c->days[code], &time)) {
            return fail_date(column, code, order, err);
        }
        c->day_level = c->day_level || time;
    }
    return KN_OK;
}

static kn_status build_texts(kn_hierarchy_builder *m, const kn_column *column,
                             const kn_build_options *options, kn_error *err)
{
    const uint32_t values = kn__column_values(column) - (column->missing != KN_NO_CODE);
    const size_t digits = options->kind == KN_BUILD_PREFIX ? options->digits : 0;
    kn_build_row r = {0};
    kn_buffer coded = {0};
    calendar dates = {0};
    neighbours near = {0};
    size_t longest = 1, len;
    kn_status status;

    KN_TRY(check_text_options(options, err));
    if (options->kind == KN_BUILD_DATES) {
        KN_TRY(read_calendar(&dates, column, values, options->date_format, err));
    }
    if (options->kind == KN_BUILD_FANOUT) {
        KN_TRY(order_values(&near, column, values, err));
    }

    for (uint32_t code = 0; code < values; code++) {
        const char *text = kn__column_text(column, code, &len);
        put_code(&coded, text, len, digits);
        KN_TRY(coded.failed ? kn__nomem(err) : KN_OK);
        const size_t own = kn__utf8_length(coded.data, coded.len);
        longest = own > longest ? own : longest;
    }
    if (longest >= KN_LEVELS_MOST && (options->kind == KN_BUILD_MASK ||
                                      (options->kind == KN_BUILD_PREFIX && !options->lengths))) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "column \"%s\" has values of %zu characters, too long for a level a "
                        "character; give the prefix lengths",
                        column->name, longest));
    }
    for (uint32_t i = 0; i < values; i++) {
        const uint32_t code = near.code ? near.code[i] : i;
        const char *text = kn__column_text(column, code, &len);

        kn__buffer_add(&r.text, text, len);
        kn__build_row_mark(&r);
        switch (options->kind) {
        case KN_BUILD_DATES: add_dates(&r, dates.days[code], dates.day_level); break;
        case KN_BUILD_PREFIX:
            put_code(&coded, text, len, digits);
            KN_TRY(coded.failed ? kn__nomem(err) : KN_OK);
            add_prefixes(&r, coded.data, coded.len, longest, options);
            break;
        case KN_BUILD_MASK: add_masks(&r, text, len, longest); break;
        default:
            add_neighbours(&r, column, &near, i, values, options->fanout ? options->fanout : 5);
            break;
        }
        KN_TRY(kn__build_row_flush(&r, m, err));
    }
done:
    kn__build_row_clear(&r);
    kn__buffer_free(&coded);
    KN_FREE(dates.days, near.code);
    return status;
}

/* How many records hold each value. */
static kn_status count_records(const kn_dataset *ds, const kn_column *column, uint64_t **out,
                               kn_error *err)
{
    const uint64_t cells = column->starts ? column->starts[ds->records] : ds->records;
    uint64_t *records = kn__zalloc_array(kn__column_values(column), sizeof *records);

    *out = records;
    KN_PASS(records ? KN_OK : kn__nomem(err));
    for (uint64_t i = 0; i < cells; i++) {
        records[kn__column_code(column, i)]++;
    }
    return KN_OK;
}

kn_status kn_hierarchy_build(kn_hierarchy **out, const kn_dataset *ds, size_t column,
                             const kn_build_options *options, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds, options);
    KN_NEED_ROWS(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");
    KN_NEED_SIZED(err, options);

    const kn_column *c;
    kn_hierarchy_builder m = {0};
    kn_buffer name = {0};
    uint64_t *records = NULL;
    kn_status status = KN_OK;

    c = &ds->column[column];
    if (!c->dict) {
        return kn__fail(err, KN_EUSAGE,
                        "the values of column \"%s\" were not kept when it was read", c->name);
    }
    if (kn__column_values(c) == (c->missing != KN_NO_CODE)) {
        return kn__fail(err, KN_EINPUT, "column \"%s\" has no values to build a hierarchy from",
                        c->name);
    }
    if (kn__dict_find(c->dict, "*", 1) != KN_NO_CODE &&
        kn__dict_find(c->dict, "*", 1) != c->missing) {
        return kn__fail(err, KN_EINPUT,
                        "column \"%s\" holds the value \"*\", which could not be told from the "
                        "root; rename it in the input",
                        c->name);
    }
    kn__buffer_addf(&name, "hierarchy built for \"%s\"", c->name);
    KN_TRY(name.failed ? kn__nomem(err) : KN_OK);
    m.name = name.data;
    switch (options->kind) {
    case KN_BUILD_WIDTH:
    case KN_BUILD_FREQUENCY:
    case KN_BUILD_CUTS:
        KN_TRY(count_records(ds, c, &records, err));
        KN_TRY(kn__build_ranges(&m, c, records, options, err));
        break;
    case KN_BUILD_DATES:
    case KN_BUILD_PREFIX:
    case KN_BUILD_MASK:
    case KN_BUILD_FANOUT: KN_TRY(build_texts(&m, c, options, err)); break;
    case KN_BUILD_BANDS: KN_TRY(kn__build_bands(&m, c, options, err)); break;
    case KN_BUILD_CODE_LIST:
    case KN_BUILD_PACK: KN_TRY(kn__build_codes(&m, c, options, err)); break;
    default: KN_TRY(kn__fail(err, KN_EUSAGE, "unknown kind of hierarchy")); break;
    }
    KN_TRY(kn__hierarchy_builder_finish(&m, out, err));
done:
    kn__free(records);
    kn__hierarchy_builder_clear(&m);
    kn__buffer_free(&name);
    return status;
}
