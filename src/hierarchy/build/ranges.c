/* ranges.c - ranges of numbers, then neighbouring ranges merged until the root.
 *
 * All is counted in units of the column's last decimal: 1 for integers, 0.01 for two decimals. Then
 * ranges are whole numbers of units, "from b(i) up to b(i+1) - 1" is exact, and the labels [20,29]
 * or [20.00,29.99] say precisely what is in them.
 *
 * Numbers of too many digits for that (2272.360499999999) are counted in coarser units, and what is
 * left of each is looked at as it is written: ranges still begin at whole units, and their labels
 * end with as many nines as it takes to cover the numbers that are there. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "hierarchy/hierarchy.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double EXACT = 9007199254740992.0; /* 2^53 */
static const double FURTHEST = 1e12;            /* ranges from the origin */
enum { MOST_RANGES = 1000000, LONGEST_NUMBER = 400, MOST_DIGITS = 40 };

/* A number as it is written: texts of more than LONGEST_NUMBER are no numbers. */
typedef struct written {
    double units; /* whole ones, rounded down */
    bool rest;    /* there is more behind them */
    int near;     /* rest: within 10^-near of a unit below the next one, and no nearer */
} written;

typedef struct plan {
    const kn_column *column;
    int unit;             /* a unit is 10^-unit */
    double scale;         /* units in 1 */
    int decimals;         /* of labels */
    double origin, width; /* KN_BUILD_WIDTH, in units */
    double *bound;        /* otherwise: where range i begins; the last is behind the end */
    int64_t first, last;  /* ranges that the data is in */
    bool single;          /* every range is one unit: the lowest would only repeat the values */
    int64_t fanout;
} plan;

/* ---- numbers and units ---- */

/* The digits of a number without its sign, leading zeros and point; false if it has an exponent. */
static bool digits_of(const char *text, size_t len, char *digits, int *count, int *fraction)
{
    bool point = false;

    *count = 0;
    *fraction = 0;
    for (size_t i = text[0] == '-' || text[0] == '+'; i < len; i++) {
        if (text[i] == 'e' || text[i] == 'E') {
            return false;
        }
        if (text[i] == '.') {
            point = true;
            continue;
        }
        *fraction += point;
        if (*count || text[i] != '0') {
            digits[(*count)++] = text[i];
        }
    }
    return true;
}

static kn_status read_written(const plan *p, uint32_t code, written *w, kn_error *err)
{
    const double value = p->column->numbers[code], units = value * p->scale;
    char digits[LONGEST_NUMBER];
    size_t len;
    const char *text = kn__column_text(p->column, code, &len);
    const bool negative = text[0] == '-';
    int count, fraction, whole;

    *w = (written){.units = nearbyint(units)};
    if (len > LONGEST_NUMBER || !digits_of(text, len, digits, &count, &fraction)) {
        if (fabs(units - w->units) > fmin(1e-3, 4 * DBL_EPSILON * fabs(units))) {
            return kn__fail(err, KN_EINPUT,
                            "column \"%s\" holds numbers with exponents; write them with decimals "
                            "to build ranges",
                            p->column->name);
        }
        return KN_OK;
    }
    whole = count - fraction + p->unit; /* digits that make whole units */
    w->units = 0;
    for (int i = 0; i < whole; i++) {
        w->units = 10 * w->units + (i < count ? digits[i] - '0' : 0);
    }
    /* How near the next unit is shows in the nines behind the whole ones; of a negative number, in
     * the zeros. */
    w->near = whole < 0 && negative ? 1 - whole : 1;
    for (int i = whole > 0 ? whole : 0; i < count; i++) {
        w->rest = w->rest || digits[i] != '0';
        if (w->near == i - whole + 1 && digits[i] == (negative ? '0' : '9')) {
            w->near++;
        }
    }
    if (negative) {
        w->units = -w->units - w->rest;
    }
    return KN_OK;
}

/* Write `units`, or the last decimal before, with the decimals of labels. */
static void put_units(const plan *p, kn_buffer *text, double units, bool before)
{
    char digits[LONGEST_NUMBER + 40];
    int64_t number = (int64_t)units;
    int count = 0, more = p->decimals - p->unit;
    bool negative;

    for (; more < 0; more++) {
        number /= 10;
    }
    if (before && more == 0) {
        number--;
        before = false;
    }
    negative = number < 0 || (before && number == 0);
    number = negative ? -number : number - before;
    /* From the last digit to the first. */
    for (int i = 0; i < more; i++) {
        char digit = '0';
        if (before && !negative) {
            digit = '9';
        } else if (before && i == 0) {
            digit = '1';
        }
        digits[count++] = digit;
    }
    for (; number || count <= p->decimals; number /= 10) {
        digits[count++] = (char)('0' + number % 10);
    }
    while (count > 1 && count > p->decimals + 1 && digits[count - 1] == '0') {
        count--; /* the unit is more than 1, and the number less */
    }
    if (negative) {
        kn__buffer_addc(text, '-');
    }
    while (count--) {
        kn__buffer_addc(text, digits[count]);
        if (count == p->decimals && count) {
            kn__buffer_addc(text, '.');
        }
    }
}

/* Where range `i` begins. */
static double bound(const plan *p, int64_t i)
{
    if (!p->bound) {
        return ceil(p->origin + (double)i * p->width);
    }
    return p->bound[KN_CLAMP(i, 0, p->last + 1)];
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
static kn_status add_row(const plan *p, kn_hierarchy_builder *m, uint32_t code, double units,
                         kn_buffer *text, size_t *ends, kn_text *labels, kn_error *err)
{
    const int64_t mine = find(p, units);
    size_t count = 1, len;
    const char *value = kn__column_text(p->column, code, &len);

    text->len = 0;
    kn__buffer_add(text, value, len);
    ends[0] = text->len;
    for (int64_t size = p->single ? p->fanout : 1;; size *= p->fanout) {
        const int64_t first = divide_down(p->first, size), last = divide_down(p->last, size);
        const int64_t group = divide_down(mine, size);
        /* Below the origin groups grow downwards, away from the data: not beyond its first range.
         */
        const double low = bound(p, group < 0 && group * size < p->first ? p->first : group * size);
        const double end = bound(p, (group + 1) * size);

        if (first == last) {
            break;
        }
        if (low == end - 1 && p->decimals == p->unit) {
            put_units(p, text, low, false);
        } else {
            kn__buffer_addc(text, '[');
            put_units(p, text, low, false);
            kn__buffer_addc(text, ',');
            put_units(p, text, end, true);
            kn__buffer_addc(text, ']');
        }
        ends[count++] = text->len;
        if (last - first + 1 <= p->fanout) {
            break;
        }
    }
    kn__buffer_addc(text, '*');
    ends[count++] = text->len;
    if (text->failed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t begin = i ? ends[i - 1] : 0;
        labels[i] = (kn_text){text->data + begin, ends[i] - begin};
    }
    return kn__hierarchy_builder_row(m, labels, count, 0, err);
}

/* The least 1, 2 or 5 times a power of ten that is at least `value` units. */
static double round_up(double value)
{
    double power = 1;

    while (power * 10 <= value) {
        power *= 10;
    }
    if (power >= value) {
        return power;
    }
    if (power * 2 >= value) {
        return power * 2;
    }
    return power * (power * 5 >= value ? 5 : 10);
}

static kn_status plan_width(plan *p, const kn_build_options *o, double low, double high,
                            kn_error *err)
{
    if (!isfinite(o->width) || o->width < 0 || !isfinite(o->origin)) {
        return kn__fail(err, KN_EUSAGE, "the width of ranges must be a number above 0");
    }
    p->origin = o->origin * p->scale;
    p->width = o->width > 0
                   ? o->width * p->scale
                   : round_up(fmax((high - low + 1) / 20,
                                   fmax(fabs(low - p->origin), fabs(high - p->origin)) / FURTHEST));
    /* 0.1 * 10 is a little more or less than 1 in binary: what is nearly whole was meant so. */
    if (fabs(p->width - nearbyint(p->width)) < 1e-9 * p->width) {
        p->width = nearbyint(p->width);
    }
    if (fabs(p->origin - nearbyint(p->origin)) < 1e-9 * fabs(p->origin)) {
        p->origin = nearbyint(p->origin);
    }
    if (p->width < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "ranges of width %g are narrower than the precision of column \"%s\"; use "
                        "at least %g",
                        o->width, p->column->name, 1 / p->scale);
    }
    if (p->width > EXACT) {
        return kn__fail(err, KN_EUSAGE,
                        "ranges of width %g are too wide for column \"%s\"; use at most %.0e",
                        o->width, p->column->name, EXACT / p->scale);
    }
    if (fabs(p->origin) > EXACT || (high - low) / p->width > MOST_RANGES ||
        fabs(low - p->origin) / p->width > FURTHEST ||
        fabs(high - p->origin) / p->width > FURTHEST) {
        return kn__fail(err, KN_EUSAGE,
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
                                const written *number, const uint64_t *records, double low,
                                double high, kn_error *err)
{
    const size_t ranges = o->ranges ? o->ranges : 20;
    double left = 0, wanted = 0;
    size_t count = 0;

    if (ranges > MOST_RANGES) {
        return kn__fail(err, KN_EUSAGE, "at most %d ranges", MOST_RANGES);
    }
    p->bound = kn__malloc_array(ranges + 2, sizeof *p->bound);
    KN_PASS(p->bound ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        left += (double)records[code];
    }
    for (uint32_t code = 0; code < values; code++) {
        const double units = number[code].units;

        if (count == 0 || (wanted <= 0 && count < ranges && units > p->bound[count - 1])) {
            wanted = left / (double)(ranges - count);
            p->bound[count] = count ? units : low;
            count++;
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
        return kn__fail(err, KN_EUSAGE, "give at least one cut");
    }
    p->bound = o->cuts_count > MOST_RANGES ? NULL
                                           : kn__malloc_array(o->cuts_count + 2, sizeof *p->bound);
    if (!p->bound) {
        return o->cuts_count > MOST_RANGES
                   ? kn__fail(err, KN_EUSAGE, "at most %d cuts", MOST_RANGES)
                   : kn__nomem(err);
    }
    p->bound[0] = low;
    for (size_t i = 0; i < o->cuts_count; i++) {
        double units = o->cuts[i] * p->scale;

        if (!(fabs(units) < EXACT) || (i && !(o->cuts[i] > o->cuts[i - 1]))) {
            return kn__fail(err, KN_EUSAGE, "cuts must be numbers that grow, such as 18,30,65");
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

/* ---- decimals ---- */

/* The unit: the last decimal, or the last one with which the numbers, and where ranges are to
 * begin, have 15 digits at most. */
static kn_status choose_unit(plan *p, const kn_build_options *o, uint32_t values, kn_error *err)
{
    const double *numbers = p->column->numbers;
    const double limit = pow(10, MOST_DIGITS);
    double most = fmax(fabs(numbers[0]), fabs(numbers[values - 1]));

    if (most >= limit) {
        return kn__fail(err, KN_EINPUT,
                        "column \"%s\" holds numbers of more than %d digits, too long for ranges",
                        p->column->name, MOST_DIGITS);
    }
    if (o->kind == KN_BUILD_WIDTH) {
        most = fmax(most, fabs(o->origin));
    } else if (o->kind == KN_BUILD_CUTS && o->cuts && o->cuts_count) {
        most = fmax(most, fmax(fabs(o->cuts[0]), fabs(o->cuts[o->cuts_count - 1])));
    }
    if (most >= limit) { /* of what is given, the plan will complain */
        most = limit;
    }
    p->unit = p->column->decimals < 15 ? (int)p->column->decimals : 15;
    while (most * pow(10, p->unit) >= EXACT) {
        p->unit--;
    }
    p->scale = pow(10, p->unit);
    return KN_OK;
}

/* How many of the last digits of `units` are zeros, at most `most`. */
static int zeros(double units, int most)
{
    int count = 0;

    for (int64_t left = (int64_t)units; count < most && left % 10 == 0; left /= 10) {
        count++;
    }
    return count;
}

/* The decimals of labels: the column's; where it has too many, as few as tell all ranges apart and
 * cover all numbers. */
static void choose_decimals(plan *p, const written *number, uint32_t values)
{
    const int column = (int)p->column->decimals, most = p->unit > 0 ? p->unit : 0;
    int spare = most; /* decimals of the unit that can be left out */

    p->decimals = column;
    if (p->unit == column) {
        return;
    }
    if (p->bound) {
        for (int64_t i = 0; i <= p->last + 1; i++) {
            spare = zeros(p->bound[i], spare);
        }
    } else {
        const bool whole = p->width == nearbyint(p->width) && p->origin == nearbyint(p->origin);
        spare = whole ? zeros(p->origin, zeros(p->width, spare)) : 0;
    }
    p->decimals = most;
    for (uint32_t code = 0; code < values; code++) {
        const written *w = &number[code];
        const double left = bound(p, find(p, w->units) + 1) - w->units;
        double step = pow(10, spare);
        if (left > 1 || !w->rest) {
            while (spare && step > left - w->rest) {
                spare--;
                step /= 10;
            }
        } else {
            spare = 0;
            p->decimals = p->unit + w->near > p->decimals ? p->unit + w->near : p->decimals;
        }
    }
    p->decimals = p->decimals > most ? p->decimals : most - spare;
}

static bool are_single(const plan *p)
{
    bool single = p->decimals == p->unit && (p->bound || p->width == 1);

    for (int64_t i = 0; p->bound && single && i <= p->last; i++) {
        single = p->bound[i + 1] == p->bound[i] + 1;
    }
    return single;
}

kn_status kn__build_ranges(kn_hierarchy_builder *m, const kn_column *column,
                           const uint64_t *records, const kn_build_options *options, kn_error *err)
{
    enum { MOST_LABELS = 80 }; /* more than levels of a fanout of 2 over 64 bits */
    const uint32_t values = kn__column_values(column) - (column->missing != KN_NO_CODE);
    plan p = {.column = column, .fanout = options->fanout ? (int64_t)options->fanout : 2};
    kn_buffer text = {0};
    size_t ends[MOST_LABELS];
    kn_text labels[MOST_LABELS];
    written *number = NULL;
    double low = HUGE_VAL, high = -HUGE_VAL;
    kn_status status;

    if (!kn__type_is_number(column->type) && column->type != KN_TYPE_NUMBERS) {
        return kn__fail(err, KN_EUSAGE,
                        "column \"%s\" holds no numbers; ranges need them (for dates there is the "
                        "dates hierarchy)",
                        column->name);
    }
    if (options->fanout == 1 || options->fanout > MOST_RANGES) {
        return kn__fail(err, KN_EUSAGE, "the fanout must be 2 or more, at most %d", MOST_RANGES);
    }
    KN_TRY(choose_unit(&p, options, values, err));
    number = kn__malloc_array(values, sizeof *number);
    KN_TRY(number ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        KN_TRY(read_written(&p, code, &number[code], err));
        low = fmin(low, number[code].units); /* texts of one double may be in any order */
        high = fmax(high, number[code].units);
    }
    switch (options->kind) {
    case KN_BUILD_WIDTH: KN_TRY(plan_width(&p, options, low, high, err)); break;
    case KN_BUILD_FREQUENCY:
        KN_TRY(plan_frequency(&p, options, values, number, records, low, high, err));
        break;
    default: KN_TRY(plan_cuts(&p, options, low, high, err)); break;
    }
    choose_decimals(&p, number, values);
    p.single = are_single(&p);
    for (uint32_t code = 0; code < values; code++) {
        KN_TRY(add_row(&p, m, code, number[code].units, &text, ends, labels, err));
    }
done:
    kn__buffer_free(&text);
    KN_FREE(p.bound, number);
    return status;
}
