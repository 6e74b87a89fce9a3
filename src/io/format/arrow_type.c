/* arrow_type.c - the format strings of the Arrow C data interface, and values of fixed width as
 * texts. The texts are those that a CSV file would hold. */
#include "base/hash.h"
#include "data/value.h"
#include "io/format/arrow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { MOST_DIGITS = 38, DAY = 86400, FIRST_DAY = -719528, LAST_DAY = 2932896 };

/* ---- types ---- */

/* "d:PRECISION,SCALE", or with ",128" at the end. */
static bool parse_decimal(const char *format, kn_arrow_type *t)
{
    char *end;
    long precision, scale;

    if (strncmp(format, "d:", 2) != 0) {
        return false;
    }
    precision = strtol(format + 2, &end, 10);
    if (precision < 1 || precision > MOST_DIGITS || *end != ',') {
        return false;
    }
    scale = strtol(end + 1, &end, 10);
    if (scale < -MOST_DIGITS || scale > MOST_DIGITS || (*end && strcmp(end, ",128") != 0)) {
        return false;
    }
    *t = (kn_arrow_type){
        .kind = KN_ARROW_DECIMAL, .width = 16, .precision = (int)precision, .scale = (int)scale};
    return true;
}

/* "tsUNIT:ZONE" */
static bool parse_timestamp(const char *format, kn_arrow_type *t)
{
    static const char units[] = "smun";
    const char *unit;

    if (strncmp(format, "ts", 2) != 0 || !format[2] || format[3] != ':' ||
        !(unit = strchr(units, format[2]))) {
        return false;
    }
    *t = (kn_arrow_type){.kind = KN_ARROW_TIMESTAMP,
                         .width = 8,
                         .digits = (int)(unit - units) * 3,
                         .zoned = format[4] != '\0'};
    return true;
}

kn_arrow_type kn__arrow_type_parse(const char *format)
{
    static const struct {
        const char *format;
        kn_arrow_type type;
    } known[] = {
        {"n", {.kind = KN_ARROW_NULL}},
        {"b", {.kind = KN_ARROW_BOOLEAN}},
        {"c", {.kind = KN_ARROW_SIGNED, .width = 1}},
        {"s", {.kind = KN_ARROW_SIGNED, .width = 2}},
        {"i", {.kind = KN_ARROW_SIGNED, .width = 4}},
        {"l", {.kind = KN_ARROW_SIGNED, .width = 8}},
        {"C", {.kind = KN_ARROW_UNSIGNED, .width = 1}},
        {"S", {.kind = KN_ARROW_UNSIGNED, .width = 2}},
        {"I", {.kind = KN_ARROW_UNSIGNED, .width = 4}},
        {"L", {.kind = KN_ARROW_UNSIGNED, .width = 8}},
        {"e", {.kind = KN_ARROW_FLOAT, .width = 2}},
        {"f", {.kind = KN_ARROW_FLOAT, .width = 4}},
        {"g", {.kind = KN_ARROW_FLOAT, .width = 8}},
        {"tdD", {.kind = KN_ARROW_DAYS, .width = 4}},
        {"tdm", {.kind = KN_ARROW_MILLISECONDS, .width = 8}},
        {"u", {.kind = KN_ARROW_TEXT, .width = 4}},
        {"U", {.kind = KN_ARROW_TEXT, .width = 8}},
        {"vu", {.kind = KN_ARROW_TEXT_VIEW, .width = 16}},
        {"+l", {.kind = KN_ARROW_LIST, .width = 4}},
        {"+L", {.kind = KN_ARROW_LIST, .width = 8}},
    };
    kn_arrow_type t = {0};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].format, format) == 0) {
            return known[i].type;
        }
    }
    if (!parse_decimal(format, &t)) {
        (void)parse_timestamp(format, &t);
    }
    return t;
}

const char *kn__arrow_type_name(const char *format)
{
    static const struct {
        const char *begin, *name;
    } names[] = {
        {"z", "binary"},
        {"Z", "large binary"},
        {"vz", "binary view"},
        {"w:", "binary of a fixed size"},
        {"d:", "decimal of another width than 128 bits, or with more than 38 digits"},
        {"tt", "time of day"},
        {"tD", "duration"},
        {"ti", "interval"},
        {"+s", "struct"},
        {"+m", "map"},
        {"+w:", "list of a fixed size"},
        {"+vl", "list view"},
        {"+vL", "large list view"},
        {"+u", "union"},
        {"+r", "run-end encoded"},
        {"+l", "list"},
        {"+L", "large list"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(format, names[i].begin, strlen(names[i].begin)) == 0) {
            return names[i].name;
        }
    }
    return "unknown";
}

/* ---- values as texts ---- */

static size_t write_unsigned(char *out, kn_u128 value)
{
    char digits[48];
    size_t len = 0;
    uint64_t low;

    for (; value > UINT64_MAX; value /= 10) { /* a division of 128 bits is slow */
        digits[len++] = (char)('0' + (int)(value % 10));
    }
    low = (uint64_t)value;
    do {
        digits[len++] = (char)('0' + (int)(low % 10));
        low /= 10;
    } while (low);
    for (size_t i = 0; i < len; i++) {
        out[i] = digits[len - 1 - i];
    }
    return len;
}

static size_t write_signed(char *out, wide value)
{
    const bool negative = value < 0;

    out[0] = '-';
    return negative + write_unsigned(out + negative, negative ? -(kn_u128)value : (kn_u128)value);
}

static wide extend(kn_arrow_bits bits, uint8_t width)
{
    const unsigned unused = 64 - 8u * width;

    return width == 16 ? (wide)((kn_u128)bits.high << 64 | bits.low)
                       : (wide)((int64_t)(bits.low << unused) >> unused);
}

static size_t write_decimal(char *out, wide value, int scale)
{
    const kn_u128 size = value < 0 ? -(kn_u128)value : (kn_u128)value;
    char digits[48];
    const size_t len = write_unsigned(digits, size), after = scale > 0 ? (size_t)scale : 0;
    size_t at = 0;

    if (value < 0) {
        out[at++] = '-';
    }
    if (len <= after) {
        out[at++] = '0';
    } else {
        memcpy(out + at, digits, len - after);
        at += len - after;
    }
    if (after) {
        const size_t zeros = after > len ? after - len : 0;
        out[at++] = '.';
        memset(out + at, '0', zeros);
        memcpy(out + at + zeros, digits + len - (after - zeros), after - zeros);
        at += after;
    }
    for (int i = scale; value && i < 0; i++) {
        out[at++] = '0';
    }
    return at;
}

static double half_to_double(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const double fraction = half & 1023, sign = half >> 15 ? -1 : 1;

    if (exponent == 31) {
        return NAN; /* infinity, too, is not kept */
    }
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double float_of(kn_arrow_bits bits, uint8_t width)
{
    const uint32_t low = (uint32_t)bits.low;
    double number;
    float single;

    if (width == 8) {
        memcpy(&number, &bits.low, sizeof number);
        return number;
    }
    if (width == 4) {
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    return half_to_double((uint16_t)low);
}

static size_t write_float(char *out, double value, bool single, const char **why)
{
    if (!isfinite(value)) {
        *why = "the value is infinite or not a number: make it null, or leave the record out";
        return 0;
    }
    return kn__number_shortest(out, KN_ARROW_LONGEST, value, single);
}

static size_t write_date(char *out, int64_t days, const char **why)
{
    int year, month, day;

    if (days < FIRST_DAY || days > LAST_DAY) {
        *why = "the date is not within the years 0 to 9999";
        return 0;
    }
    kn__date_split((double)days, &year, &month, &day);
    return (size_t)snprintf(out, KN_ARROW_LONGEST, "%04d-%02d-%02d", year, month, day);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t ticks_of(int digits)
{
    static const int64_t ticks[] = {[0] = 1, [3] = 1000, [6] = 1000000, [9] = 1000000000};

    return ticks[digits];
}

static size_t write_timestamp(const kn_arrow_type *t, char *out, int64_t value, const char **why)
{
    const int64_t ticks = ticks_of(t->digits), second = floor_div(value, ticks);
    const int64_t day = floor_div(second, DAY);
    const int in_day = (int)(second - day * DAY);
    size_t len = write_date(out, day, why);

    if (len == 0) {
        return 0;
    }
    len += (size_t)snprintf(out + len, KN_ARROW_LONGEST - len, "T%02d:%02d:%02d", in_day / 3600,
                            in_day / 60 % 60, in_day % 60);
    if (t->digits) {
        len += (size_t)snprintf(out + len, KN_ARROW_LONGEST - len, ".%0*lld", t->digits,
                                (long long)(value - second * ticks));
    }
    if (t->zoned) {
        out[len++] = 'Z';
    }
    return len;
}

size_t kn__arrow_value_write(const kn_arrow_type *t, kn_arrow_bits bits, char out[KN_ARROW_LONGEST],
                             const char **why)
{
    const int64_t value = (int64_t)extend(bits, t->width == 16 || t->width == 0 ? 8 : t->width);

    switch (t->kind) {
    case KN_ARROW_BOOLEAN: memcpy(out, bits.low ? "true" : "false", 5); return bits.low ? 4 : 5;
    case KN_ARROW_SIGNED: return write_signed(out, value);
    case KN_ARROW_UNSIGNED: return write_unsigned(out, bits.low);
    case KN_ARROW_FLOAT: return write_float(out, float_of(bits, t->width), t->width < 8, why);
    case KN_ARROW_DECIMAL: return write_decimal(out, extend(bits, 16), t->scale);
    case KN_ARROW_DAYS: return write_date(out, value, why);
    case KN_ARROW_MILLISECONDS:
        if (value % (DAY * INT64_C(1000)) != 0) {
            *why = "the date is not a whole day: cast the column to timestamp";
            return 0;
        }
        return write_date(out, value / (DAY * INT64_C(1000)), why);
    case KN_ARROW_TIMESTAMP: return write_timestamp(t, out, value, why);
    default: *why = "the value cannot be kept"; return 0;
    }
}

/* ---- texts as values ---- */

/* Digits with a sign and `scale` of them after a point, as a whole number. */
static bool read_digits(const char *text, size_t len, int scale, wide *out)
{
    const bool negative = len && text[0] == '-';
    kn_u128 value = 0;
    int digits = 0; /* after leading zeros */

    for (size_t i = negative; i < len; i++) {
        if (text[i] == '.') {
            continue; /* its place is checked by writing the value back */
        }
        if (text[i] < '0' || text[i] > '9' || digits == MOST_DIGITS) {
            return false;
        }
        value = value * 10 + (unsigned)(text[i] - '0');
        digits += value != 0;
    }
    for (int i = scale; i < 0; i++) {
        value /= 10;
    }
    *out = negative ? -(wide)value : (wide)value;
    return true;
}

static bool fits_precision(wide value, int precision)
{
    for (int i = 0; i < precision; i++) {
        value /= 10;
    }
    return value == 0;
}

static bool read_number(const kn_arrow_type *t, const char *text, size_t len, kn_arrow_bits *out)
{
    double value;
    unsigned decimals;

    if (!kn__number_parse(text, len, &value, &decimals)) {
        return false;
    }
    if (t->width == 8) {
        memcpy(&out->low, &value, sizeof value);
    } else if (t->width == 4) {
        const float single = (float)value;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        out->low = bits;
    } else {
        int exponent;
        const double size = fabs(value);
        const double fraction = frexp(size, &exponent); /* size = fraction * 2^exponent */
        const int biased = exponent + 14; /* as a half has it; below 1 it is subnormal */
        const double bits = biased > 0 ? ldexp(fraction, 11) + 1024.0 * (biased - 1)
                                       : ldexp(size, 24);
        if (bits > 31743) {
            return false;
        }
        out->low = (uint64_t)(bits + 0.5) | (uint64_t)(value < 0) << 15;
    }
    return true;
}

static bool read_two(const char *text, int most, int *out)
{
    *out = (text[0] - '0') * 10 + text[1] - '0';
    return text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9' && *out <= most;
}

static bool read_timestamp(const kn_arrow_type *t, const char *text, size_t len, int64_t *out)
{
    const int64_t ticks = ticks_of(t->digits);
    double days;
    int hour, minute, second;
    wide fraction = 0, value;

    if (len < 19 || !kn__date_parse(text, 10, &days) || !read_two(text + 11, 23, &hour) ||
        !read_two(text + 14, 59, &minute) || !read_two(text + 17, 59, &second)) {
        return false;
    }
    if (t->digits && (len < 20 + (size_t)t->digits ||
                      !read_digits(text + 20, (size_t)t->digits, 0, &fraction))) {
        return false;
    }
    value = ((wide)days * DAY + hour * 3600 + minute * 60 + second) * ticks + fraction;
    *out = (int64_t)value;
    return value == *out;
}

/* Read a value that the text may mean; the caller writes it back and compares. */
static bool read_value(const kn_arrow_type *t, const char *text, size_t len, kn_arrow_bits *out)
{
    wide value = 0;
    int64_t ticks = 0;
    double days;

    switch (t->kind) {
    case KN_ARROW_BOOLEAN: out->low = len == 4; return true;
    case KN_ARROW_FLOAT: return read_number(t, text, len, out);
    case KN_ARROW_SIGNED:
    case KN_ARROW_UNSIGNED:
    case KN_ARROW_DECIMAL:
        if (!read_digits(text, len, t->scale, &value) ||
            (t->kind == KN_ARROW_DECIMAL && !fits_precision(value, t->precision))) {
            return false;
        }
        break;
    case KN_ARROW_DAYS:
    case KN_ARROW_MILLISECONDS:
        if (!kn__date_parse(text, len, &days)) {
            return false;
        }
        value = (wide)days * (t->kind == KN_ARROW_DAYS ? 1 : DAY * INT64_C(1000));
        break;
    case KN_ARROW_TIMESTAMP:
        if (!read_timestamp(t, text, len, &ticks)) {
            return false;
        }
        value = ticks;
        break;
    default: return false;
    }
    out->low = (uint64_t)(kn_u128)value;
    out->high = t->width == 16 ? (uint64_t)((kn_u128)value >> 64) : 0;
    if (t->width < 8) {
        out->low &= (UINT64_C(1) << (8 * t->width)) - 1;
    }
    return true;
}

/* Whether `text` is what lists of numbers hold for the number `written`. */
static bool is_spelling_of(const char *text, size_t len, const char *written, size_t written_len)
{
    kn_buffer spelt = {0};
    bool same;

    kn__number_spell(&spelt, written, written_len);
    same = !spelt.failed && spelt.len == len && memcmp(spelt.data, text, len) == 0;
    kn__buffer_free(&spelt);
    return same;
}

bool kn__arrow_value_read(const kn_arrow_type *t, const char *text, size_t len, bool number,
                          kn_arrow_bits *out)
{
    char again[KN_ARROW_LONGEST];
    const char *why;
    size_t written;

    *out = (kn_arrow_bits){0};
    if (len == 0 || !read_value(t, text, len, out)) {
        return false;
    }
    written = kn__arrow_value_write(t, *out, again, &why);
    return (written == len && memcmp(again, text, len) == 0) ||
           (number && written && is_spelling_of(text, len, again, written));
}
