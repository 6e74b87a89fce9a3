/* value.c - numbers and dates as text. */
#include "data/value.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* For numbers whose digits do not fit 53 bits: the correctly rounded strtod of the C library, in
 * the C locale whatever the locale of the process is. */
static bool parse_rounded(const char *text, size_t len, double *value)
{
    char copy[LONGEST_NUMBER + 1];
    locale_t c_locale;

    if (len > LONGEST_NUMBER || !(c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0))) {
        return false;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    *value = strtod_l(copy, NULL, c_locale);
    freelocale(c_locale);
    return isfinite(*value);
}

bool kn__number_parse(const char *text, size_t len, double *value, unsigned *decimals)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t mantissa = 0;
    size_t i = 0, digits = 0, fraction = 0;
    bool negative = false;

    if (i < len && (text[i] == '-' || text[i] == '+')) {
        negative = text[i++] == '-';
    }
    for (; i < len && is_digit(text[i]); i++, digits++) {
        mantissa = digits < 18 ? mantissa * 10 + (uint64_t)(text[i] - '0') : mantissa;
    }
    if (i < len && text[i] == '.') {
        for (i++; i < len && is_digit(text[i]); i++, digits++, fraction++) {
            mantissa = digits < 18 ? mantissa * 10 + (uint64_t)(text[i] - '0') : mantissa;
        }
        if (fraction == 0) {
            return false;
        }
    }
    if (digits == 0 || len > LONGEST_NUMBER) {
        return false;
    }
    *decimals = (unsigned)fraction;
    if (i == len && digits <= 15) {
        const double magnitude = (double)mantissa / power[fraction];
        *value = negative ? -magnitude : magnitude;
        return true;
    }
    if (i < len && (text[i] == 'e' || text[i] == 'E')) {
        size_t exponent = 0;
        i++;
        i += i < len && (text[i] == '-' || text[i] == '+');
        for (; i < len && is_digit(text[i]); i++) {
            exponent++;
        }
        if (exponent == 0) {
            return false;
        }
        *decimals = 0;
    }
    return i == len && parse_rounded(text, len, value);
}

/* The digits of a number times 10^exponent, without leading and trailing zeros: exact, unlike a
 * double. */
typedef struct written {
    bool negative;
    char digit[LONGEST_NUMBER];
    size_t count;
    long exponent;
} written;

static void read_written(written *w, const char *text, size_t len)
{
    enum { FURTHEST = 100000000 };
    size_t i = len && (text[0] == '-' || text[0] == '+');
    bool fraction = false;
    long exponent = 0;

    w->negative = len && text[0] == '-';
    w->count = 0;
    w->exponent = 0;
    for (; i < len && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        w->exponent -= fraction;
        if (w->count || text[i] != '0') {
            w->digit[w->count++] = text[i];
        }
    }
    for (size_t j = i + 1; j < len; j++) {
        if (is_digit(text[j]) && exponent < FURTHEST) {
            exponent = exponent * 10 + (text[j] - '0');
        }
    }
    w->exponent += i + 1 < len && text[i + 1] == '-' ? -exponent : exponent;
    while (w->count && w->digit[w->count - 1] == '0') {
        w->count--;
        w->exponent++;
    }
    if (w->count == 0) {
        w->negative = false;
        w->exponent = 0;
    }
}

void kn__number_key(kn_buffer *out, const char *text, size_t len)
{
    written w;

    read_written(&w, text, len);
    kn__buffer_adds(out, w.negative ? "-" : "");
    kn__buffer_add(out, w.digit, w.count);
    kn__buffer_addf(out, "e%ld", w.exponent);
}

/* Whether the text begins with a digit or a minus and a digit, without a superfluous zero, and has
 * no exponent. */
static bool is_plain(const char *text, size_t len)
{
    const size_t first = len && text[0] == '-';

    return first < len && is_digit(text[first]) &&
           !(text[first] == '0' && first + 1 < len && is_digit(text[first + 1])) &&
           !memchr(text, 'e', len) && !memchr(text, 'E', len);
}

bool kn__number_is_plainer(const char *a, size_t a_len, const char *b, size_t b_len)
{
    const bool plain = is_plain(a, a_len);

    return plain != is_plain(b, b_len) ? plain : a_len < b_len;
}

void kn__number_spell(kn_buffer *out, const char *text, size_t len)
{
    enum { LONGEST = 40 };
    written w;
    long whole; /* digits before the point */

    read_written(&w, text, len);
    if (is_plain(text, len) || labs(w.exponent) + (long)w.count > LONGEST) {
        kn__buffer_add(out, text, len);
        return;
    }
    whole = (long)w.count + w.exponent;
    kn__buffer_adds(out, w.negative ? "-" : "");
    kn__buffer_adds(out, whole > 0 ? "" : "0");
    for (long i = 0; i < whole; i++) {
        kn__buffer_addc(out, i < (long)w.count ? w.digit[i] : '0');
    }
    for (long i = whole; i < (long)w.count; i++) {
        kn__buffer_adds(out, i == whole ? "." : "");
        kn__buffer_addc(out, i < 0 ? '0' : w.digit[i]);
    }
}

void kn__number_format(kn_buffer *out, double value, unsigned decimals)
{
    kn__buffer_addf(out, "%.*f", (int)decimals, value);
}

/* Replace the decimal separator that printf wrote in the locale of the process by a point. */
static size_t set_point(char *text)
{
    size_t len = 0;
    bool in_separator = false;

    for (const char *from = text; *from; from++) {
        const bool plain = strchr("0123456789+-e", *from) != NULL;
        if (plain || !in_separator) {
            text[len++] = plain ? *from : '.';
        }
        in_separator = !plain;
    }
    text[len] = '\0';
    return len;
}

size_t kn__number_shortest(char *out, size_t cap, double value, bool single)
{
    size_t len = 0;
    unsigned decimals;
    double read;

    if (value == floor(value) && fabs(value) < 1e15) {
        return (size_t)snprintf(out, cap, "%.0f", value == 0 ? 0.0 : value);
    }
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(out, cap, "%.*g", digits, value);
        len = set_point(out);
        if (kn__number_parse(out, len, &read, &decimals) &&
            (single ? (float)read == (float)value : read == value)) {
            break;
        }
    }
    return len;
}

static bool leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && leap(year));
}

/* Days of the years before `year` since year 0 (a leap year). */
static long days_before(int year)
{
    const long y = year;
    return y * 365 + (y + 3) / 4 - (y + 99) / 100 + (y + 399) / 400;
}

enum { DAYS_TO_1970 = 719528 };

double kn__date_join(int year, int month, int day)
{
    long days = days_before(year) + day - 1;

    for (int m = 1; m < month; m++) {
        days += days_in(year, m);
    }
    return (double)(days - DAYS_TO_1970);
}

void kn__date_split(double days, int *year, int *month, int *day)
{
    long left = (long)floor(days) + DAYS_TO_1970;
    int y = (int)(left / 366), m = 1;

    while (days_before(y + 1) <= left) {
        y++;
    }
    left -= days_before(y);
    while (left >= days_in(y, m)) {
        left -= days_in(y, m++);
    }
    *year = y;
    *month = m;
    *day = (int)left + 1;
}

bool kn__date_parse(const char *text, size_t len, double *days)
{
    int part[3] = {0, 0, 0};

    if (len != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    for (size_t i = 0, p = 0; i < len; i++) {
        if (i == 4 || i == 7) {
            p++;
        } else if (is_digit(text[i])) {
            part[p] = part[p] * 10 + (text[i] - '0');
        } else {
            return false;
        }
    }
    if (part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > days_in(part[0], part[1])) {
        return false;
    }
    *days = kn__date_join(part[0], part[1], part[2]);
    return true;
}

void kn__date_format(kn_buffer *out, double days)
{
    int year, month, day;

    kn__date_split(days, &year, &month, &day);
    kn__buffer_addf(out, "%04d-%02d-%02d", year, month, day);
}

size_t kn__utf8_length(const char *text, size_t len)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

bool kn__all_digits(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return len > 0;
}

bool kn__utf8_valid(const char *text, size_t len, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = 0;

    while (i < len) {
        uint64_t word;
        unsigned char low = 0x80, high = 0xbf;
        size_t more;

        if (len - i >= 8) {
            memcpy(&word, p + i, 8);
            if ((word & UINT64_C(0x8080808080808080)) == 0 &&
                ((word - UINT64_C(0x0101010101010101)) & UINT64_C(0x8080808080808080)) == 0) {
                i += 8;
                continue;
            }
        }
        if (p[i] != 0 && p[i] < 0x80) {
            i++;
            continue;
        }
        /* Shortest forms only, no surrogates, nothing above U+10FFFF. */
        more = p[i] >= 0xc2 && p[i] <= 0xf4 ? kn__utf8_more(p[i]) : 0;
        switch (p[i]) {
        case 0xe0: low = 0xa0; break;
        case 0xed: high = 0x9f; break;
        case 0xf0: low = 0x90; break;
        case 0xf4: high = 0x8f; break;
        default: break;
        }
        for (size_t j = 1; more && j <= more; j++) {
            if (i + j >= len || p[i + j] < low || p[i + j] > high) {
                more = 0;
            }
            low = 0x80;
            high = 0xbf;
        }
        if (more == 0) {
            if (bad) {
                *bad = i;
            }
            return false;
        }
        i += more + 1;
    }
    return true;
}

/* Bytes of the well-formed character at the start of `text`, 0 if there is none. */
static size_t character(const char *text, size_t len)
{
    const size_t need = 1 + kn__utf8_more((unsigned char)text[0]);

    return need <= len && kn__utf8_valid(text, need, NULL) ? need : 0;
}

char *kn__clean(const char *text, size_t len)
{
    static const char replacement[] = "\xef\xbf\xbd";
    kn_buffer b = {0};
    char *out = NULL;

    for (size_t i = 0, n; i < len; i += n) {
        const unsigned char c = (unsigned char)text[i];

        n = character(text + i, len - i);
        /* C0 and C1 control characters and the two non-characters that XML forbids. */
        if (n == 0 || c < 0x20 || c == 0x7f ||
            (n == 2 && c == 0xc2 && (unsigned char)text[i + 1] < 0xa0) ||
            (n == 3 && c == 0xef && (unsigned char)text[i + 1] == 0xbf &&
             (unsigned char)text[i + 2] >= 0xbe)) {
            kn__buffer_adds(&b, c == '\t' || c == '\n' || c == '\r' ? " " : replacement);
            n = n ? n : 1;
        } else {
            kn__buffer_add(&b, text + i, n);
        }
    }
    (void)kn__buffer_take(&b, &out, NULL);
    return out;
}
