/* local_date.c - read dates in the forms that people write. */
#include "data/local_date.h"
#include "base/error.h"
#include "data/value.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static size_t digits_at(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && is_digit(text[i])) {
        i++;
    }
    return i;
}

/* The three parts of a date: digits or a month's name, between equal separators. */
typedef struct parts {
    size_t begin[3], len[3];
    char separator;
    size_t end; /* of the date in the text */
} parts;

static bool split_date(const char *text, size_t len, parts *p)
{
    size_t i = 0;

    for (size_t part = 0; part < 3; part++) {
        p->begin[part] = i;
        p->len[part] = digits_at(text + i, len - i);
        if (p->len[part] == 0 && part == 1) {
            while (i + p->len[1] < len && is_letter(text[i + p->len[1]])) {
                p->len[1]++;
            }
        }
        i += p->len[part];
        if (p->len[part] == 0) {
            return false;
        }
        if (part < 2) {
            if (i >= len || !strchr("./- ", text[i]) || (part == 1 && text[i] != p->separator)) {
                return false;
            }
            p->separator = text[i++];
        }
    }
    p->end = i;
    return true;
}

static int part_value(const char *text, const parts *p, size_t part)
{
    int value = 0;

    for (size_t i = 0; i < p->len[part]; i++) {
        value = value * 10 + (text[p->begin[part] + i] - '0');
    }
    return value;
}

/* Whether parts `day` and `month` can be a day and a month. */
static bool fits(const char *text, const parts *p, size_t day, size_t month)
{
    const int d = part_value(text, p, day), m = part_value(text, p, month);

    return d >= 1 && d <= 31 && m >= 1 && m <= 12;
}

static bool is_date(const char *text, const parts *p)
{
    const bool year_first = p->len[0] == 4;
    const size_t year = p->len[year_first ? 0 : 2], day = p->len[year_first ? 2 : 0];

    if ((year != 4 && (year != 2 || year_first)) || day > 2) {
        return false;
    }
    if (!is_digit(text[p->begin[1]])) {
        return p->len[1] >= 3;
    }
    if (p->len[1] > 2) {
        return false;
    }
    return year_first ? fits(text, p, 2, 1) : fits(text, p, 0, 1) || fits(text, p, 1, 0);
}

bool kn__is_time_of_day(const char *text, size_t len)
{
    const size_t hours = digits_at(text, len);

    if (hours == 0 || hours > 2 || hours + 3 > len || text[hours] != ':' ||
        digits_at(text + hours + 1, len - hours - 1) != 2) {
        return false;
    }
    for (size_t i = hours + 3; i < len; i++) {
        if (!is_digit(text[i]) && !strchr(":.,+- ZAPMapmGTUC", text[i])) {
            return false;
        }
    }
    return true;
}

static bool find_parts(const char *text, size_t len, parts *p)
{
    return split_date(text, len, p) && is_date(text, p) &&
           (p->end == len || ((text[p->end] == ' ' || text[p->end] == 'T') &&
                              kn__is_time_of_day(text + p->end + 1, len - p->end - 1)));
}

bool kn__begins_with_date(const char *text, size_t len, size_t *end)
{
    parts p = {0};
    const bool is = find_parts(text, len, &p);

    *end = p.end;
    return is;
}

bool kn__local_date_parse(const char *text, size_t len, kn_date_order order, double *days,
                          bool *time)
{
    parts p = {0};
    size_t year, month, day;
    char iso[10];

    if (!find_parts(text, len, &p) || !is_digit(text[p.begin[1]])) {
        return false;
    }
    year = p.len[0] == 4 ? 0 : 2;
    day = order == KN_DATES_MONTH_FIRST ? 1 : 0;
    if (year == 0) {
        day = 2;
    }
    month = 3 - year - day;
    if (p.len[year] != 4 || (year == 2 && order == KN_DATES_UNKNOWN)) {
        return false;
    }
    memcpy(iso, text + p.begin[year], 4);
    iso[4] = '-';
    iso[5] = (char)('0' + part_value(text, &p, month) / 10);
    iso[6] = (char)('0' + part_value(text, &p, month) % 10);
    iso[7] = '-';
    iso[8] = (char)('0' + part_value(text, &p, day) / 10);
    iso[9] = (char)('0' + part_value(text, &p, day) % 10);
    *time = p.end < len;
    return kn__date_parse(iso, sizeof iso, days);
}

bool kn__plain_date_parse(const char *text, size_t len, kn_date_order order, double *days)
{
    bool time = false;

    return kn__date_parse(text, len, days) ||
           (kn__local_date_parse(text, len, order, days, &time) && !time);
}

bool kn__date_evidence_add(kn_date_evidence *e, const char *text, size_t len)
{
    parts p = {0};

    if (!find_parts(text, len, &p) || !is_digit(text[p.begin[1]]) ||
        (p.len[0] != 4 && p.len[2] != 4)) {
        return false;
    }
    if (p.len[0] == 4) {
        e->year_first = true;
        e->mixed = e->mixed || e->separator;
        return true;
    }
    e->mixed = e->mixed || e->year_first || (e->separator && e->separator != p.separator);
    e->separator = p.separator;
    e->points = e->points || p.separator == '.';
    e->not_day_first = e->not_day_first || !fits(text, &p, 0, 1);
    e->not_month_first = e->not_month_first || !fits(text, &p, 1, 0);
    return true;
}

kn_date_order kn__date_evidence_order(const kn_date_evidence *e)
{
    if (!e->separator) {
        return KN_DATES_UNKNOWN;
    }
    if (!e->not_day_first && (e->points || e->not_month_first)) {
        return KN_DATES_DAY_FIRST;
    }
    return e->not_day_first && !e->not_month_first ? KN_DATES_MONTH_FIRST : KN_DATES_UNKNOWN;
}

kn_status kn__date_format_order(kn_date_order *out, const char *format, kn_error *err)
{
    const char *day = strstr(format, "DD"), *month = strstr(format, "MM");

    if (!day || !month || !strstr(format, "YYYY")) {
        return kn__fail(
            err, KN_EUSAGE,
            "'%.40s' is no form of dates: write DD, MM and YYYY in their order, such as "
            "DD.MM.YYYY or MM/DD/YYYY",
            format);
    }
    *out = day < month ? KN_DATES_DAY_FIRST : KN_DATES_MONTH_FIRST;
    if (strstr(format, "YYYY") < month) {
        *out = KN_DATES_UNKNOWN; /* such dates need no order */
    }
    return KN_OK;
}

const char *kn__date_order_format(kn_date_order order)
{
    static const char *const formats[] = {
        [KN_DATES_DAY_FIRST] = "DD/MM/YYYY", [KN_DATES_MONTH_FIRST] = "MM/DD/YYYY"};

    return formats[order];
}

kn_status kn__fail_date_order(const char *name, kn_error *err)
{
    return kn__fail(err, KN_EINPUT,
                    "column '%.100s': nothing tells whether day or month comes first in its dates; "
                    "say it with --date-format DD/MM/YYYY or MM/DD/YYYY",
                    name);
}
