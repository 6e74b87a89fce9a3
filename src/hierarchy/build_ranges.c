/* build_ranges.c - ranges of numbers, then neighbouring ranges merged until the root.
 *
 * All is counted in units of the column's last decimal: 1 for integers, 0.01 for two decimals. Then
 * ranges are whole numbers of units, "from b(i) up to b(i+1) - 1" is exact, and the labels [20,29]
 * or [20.00,29.99] say precisely what is in them. */
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"

#include <math.h>
#include <string.h>

static const double EXACT = 9007199254740992.0; /* 2^53 */
enum { MOST_RANGES = 1000000 };

typedef struct plan {
    const kn_column *column;
    double scale;         /* units in 1 */
    double origin, width; /* KN_BUILD_WIDTH, in units */
    double *bound;        /* otherwise: where range i begins; the last is behind the end */
    int64_t first, last;  /* ranges that the data is in */
    int64_t fanout;
} plan;

static double to_units(const plan *p, double value)
{
    return nearbyint(value * p->scale);
}

/* Where range `i` begins. */
static double bound(const plan *p, int64_t i)
{
    if (!p->bound) {
        return ceil(p->origin + (double)i * p->width);
    }
    return p->bound[i < 0 ? 0 : i > p->last + 1 ? p->last + 1 : i];
}

static int64_t find(const plan *p, double units)
{
    if (!p->bound) {
        int64_t i = (int64_t)floor((units - p->origin) / p->width);
        while (bound(p, i) > units) {
            i--;
        }
        while (bound(p, i + 1) <= units) {
            i++;
        }
        return i;
    }
    int64_t low = 0, high = p->last;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (p->bound[middle] <= units) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/* The row of one value: itself, then the ranges around it, `fanout` times as many each level. */
static kn_status add_row(const plan *p, kn_maker *m, uint32_t code, kn_buffer *text, size_t *ends,
                         kn_text *labels, kn_error *err)
{
    const unsigned decimals = p->column->decimals;
    const int64_t mine = find(p, to_units(p, p->column->numbers[code]));
    size_t count = 1, len;
    const char *value = kn_column_text(p->column, code, &len);

    text->len = 0;
    kn_buffer_add(text, value, len);
    ends[0] = text->len;
    for (int64_t size = 1;; size *= p->fanout) {
        const int64_t first = divide_down(p->first, size), last = divide_down(p->last, size);
        const int64_t group = divide_down(mine, size);
        const double low = bound(p, group * size), high = bound(p, (group + 1) * size) - 1;

        if (first == last) {
            break;
        }
        if (low == high) {
            kn_number_format(text, low / p->scale, decimals);
        } else {
            kn_buffer_addc(text, '[');
            kn_number_format(text, low / p->scale, decimals);
            kn_buffer_addc(text, ',');
            kn_number_format(text, high / p->scale, decimals);
            kn_buffer_addc(text, ']');
        }
        ends[count++] = text->len;
        if (last - first + 1 <= p->fanout) {
            break;
        }
    }
    kn_buffer_addc(text, '*');
    ends[count++] = text->len;
    if (text->failed) {
        return kn_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t begin = i ? ends[i - 1] : 0;
        labels[i] = (kn_text){text->data + begin, ends[i] - begin};
    }
    return kn_maker_row(m, labels, count, 0, err);
}

/* The least 1, 2 or 5 times a power of ten that is at least `value` units. */
static double round_up(double value)
{
    double power = 1;

    while (power * 10 <= value) {
        power *= 10;
    }
    return power >= value       ? power
           : power * 2 >= value ? power * 2
           : power * 5 >= value ? power * 5
                                : power * 10;
}

static kn_status plan_width(plan *p, const kn_build_options *o, double low, double high,
                            kn_error *err)
{
    if (!isfinite(o->width) || o->width < 0 || !isfinite(o->origin)) {
        return kn_fail(err, KN_EUSAGE, "the width of ranges must be a number above 0");
    }
    p->origin = o->origin * p->scale;
    p->width = o->width > 0 ? o->width * p->scale : round_up((high - low + 1) / 20);
    /* 0.1 * 10 is a little more or less than 1 in binary: what is nearly whole was meant so. */
    if (fabs(p->width - nearbyint(p->width)) < 1e-9 * p->width) {
        p->width = nearbyint(p->width);
    }
    if (fabs(p->origin - nearbyint(p->origin)) < 1e-9 * fabs(p->origin)) {
        p->origin = nearbyint(p->origin);
    }
    if (p->width < 1) {
        return kn_fail(err, KN_EUSAGE,
                       "ranges of width %g are narrower than the precision of column \"%s\"; use "
                       "at least %g",
                       o->width, p->column->name, 1 / p->scale);
    }
    if (fabs(p->origin) > EXACT || (high - low) / p->width > MOST_RANGES ||
        fabs(low - p->origin) / p->width > 1e12 || fabs(high - p->origin) / p->width > 1e12) {
        return kn_fail(err, KN_EUSAGE,
                       "width %g makes too many ranges of column \"%s\"; use wider ones", o->width,
                       p->column->name);
    }
    p->first = find(p, low);
    p->last = find(p, high);
    return KN_OK;
}

/* Each range takes its share of the records that are left, so a frequent value does not make its
 * neighbours' ranges small. */
static kn_status plan_frequency(plan *p, const kn_build_options *o, uint32_t values,
                                const uint64_t *records, double high, kn_error *err)
{
    const size_t ranges = o->ranges ? o->ranges : 20;
    double left = 0, wanted = 0;
    size_t count = 0;

    if (ranges > MOST_RANGES) {
        return kn_fail(err, KN_EUSAGE, "at most %d ranges", MOST_RANGES);
    }
    p->bound = kn_malloc_array(ranges + 2, sizeof *p->bound);
    if (!p->bound) {
        return kn_nomem(err);
    }
    for (uint32_t code = 0; code < values; code++) {
        left += (double)records[code];
    }
    for (uint32_t code = 0; code < values; code++) {
        const double units = to_units(p, p->column->numbers[code]);

        if (count == 0 || (wanted <= 0 && count < ranges && units > p->bound[count - 1])) {
            wanted = left / (double)(ranges - count);
            p->bound[count++] = units;
        }
        wanted -= (double)records[code];
        left -= (double)records[code];
    }
    p->bound[count] = high + 1;
    p->last = (int64_t)count - 1;
    return KN_OK;
}

/* Cuts outside the data close the outer ranges, so that they need not show the least and the
 * greatest value. */
static kn_status plan_cuts(plan *p, const kn_build_options *o, double low, double high,
                           kn_error *err)
{
    double end = INFINITY;
    size_t count = 1;

    if (o->cuts_count == 0 || !o->cuts) {
        return kn_fail(err, KN_EUSAGE, "give at least one cut");
    }
    p->bound = o->cuts_count > MOST_RANGES ? NULL
                                           : kn_malloc_array(o->cuts_count + 2, sizeof *p->bound);
    if (!p->bound) {
        return o->cuts_count > MOST_RANGES ? kn_fail(err, KN_EUSAGE, "at most %d cuts", MOST_RANGES)
                                           : kn_nomem(err);
    }
    p->bound[0] = low;
    for (size_t i = 0; i < o->cuts_count; i++) {
        double units = o->cuts[i] * p->scale;

        if (!(fabs(units) < EXACT) || (i && !(o->cuts[i] > o->cuts[i - 1]))) {
            return kn_fail(err, KN_EUSAGE, "cuts must be numbers that grow, such as 18,30,65");
        }
        units = fabs(units - nearbyint(units)) < 1e-9 * fmax(1, fabs(units)) ? nearbyint(units)
                                                                             : ceil(units);
        if (units <= low) {
            p->bound[0] = units;
        } else if (units > high) {
            end = units < end ? units : end;
        } else if (units > p->bound[count - 1]) {
            p->bound[count++] = units;
        }
    }
    p->bound[count] = isfinite(end) ? end : high + 1;
    p->last = (int64_t)count - 1;
    return KN_OK;
}

kn_status kn_build_ranges(kn_maker *m, const kn_column *column, const uint64_t *records,
                          const kn_build_options *options, kn_error *err)
{
    enum { MOST_LABELS = 80 }; /* more than levels of a fanout of 2 over 64 bits */
    const uint32_t values = kn_column_values(column) - (column->missing != KN_NO_CODE);
    plan p = {.column = column, .fanout = options->fanout ? (int64_t)options->fanout : 2};
    kn_buffer text = {0};
    size_t ends[MOST_LABELS];
    kn_text labels[MOST_LABELS];
    double low, high;
    kn_status status = KN_OK;

    if (!kn_type_is_number(column->type) && column->type != KN_TYPE_NUMBERS) {
        return kn_fail(err, KN_EUSAGE,
                       "column \"%s\" holds no numbers; ranges need them (for dates there is the "
                       "dates hierarchy)",
                       column->name);
    }
    if (options->fanout == 1 || options->fanout > MOST_RANGES) {
        return kn_fail(err, KN_EUSAGE, "the fanout must be 2 or more, at most %d", MOST_RANGES);
    }
    p.scale = pow(10, column->decimals);
    low = column->numbers[0] * p.scale;
    high = column->numbers[values - 1] * p.scale;
    if (!(fabs(low) < EXACT && fabs(high) < EXACT && p.scale < EXACT)) {
        return kn_fail(err, KN_EINPUT,
                       "column \"%s\" holds numbers of more than 15 digits, too long for ranges",
                       column->name);
    }
    low = nearbyint(low);
    high = nearbyint(high);
    for (uint32_t code = 0; code < values; code++) {
        const double units = column->numbers[code] * p.scale;
        if (fabs(units - nearbyint(units)) > 1e-3) {
            return kn_fail(err, KN_EINPUT,
                           "column \"%s\" holds numbers with exponents; write them with decimals "
                           "to build ranges",
                           column->name);
        }
    }
    switch (options->kind) {
    case KN_BUILD_WIDTH: status = plan_width(&p, options, low, high, err); break;
    case KN_BUILD_FREQUENCY:
        status = plan_frequency(&p, options, values, records, high, err);
        break;
    default: status = plan_cuts(&p, options, low, high, err); break;
    }
    for (uint32_t code = 0; status == KN_OK && code < values; code++) {
        status = add_row(&p, m, code, &text, ends, labels, err);
    }
    kn_buffer_free(&text);
    kn_free(p.bound);
    return status;
}
