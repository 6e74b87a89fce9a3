/* option_check.c - what is a good value of an option, and what to say of one that is not. */
#include "base/error.h"
#include "data/local_date.h"
#include "data/value.h"
#include "job/job.h"
#include "job/sweep_values.h"
#include "kanon/catalog.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])

static bool is_choice(const char *choices, const char *text)
{
    const size_t len = strlen(text);

    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|') {
        if (strcspn(c, "|") == len && memcmp(c, text, len) == 0) {
            return true;
        }
    }
    return false;
}

static kn_status bad_choice(const char *option, const char *text, const char *choices,
                            kn_error *err)
{
    char copy[256], *names[32];
    size_t count = 0;
    const char *near;

    (void)snprintf(copy, sizeof copy, "%s", choices);
    for (char *at = copy, *next = NULL; at && count < COUNT_OF(names); at = next) {
        next = strchr(at, '|');
        if (next) {
            *next++ = '\0';
        }
        names[count++] = at;
    }
    near = kn_nearest(text, (const char *const *)names, count);
    if (near) {
        return kn__fail(err, KN_EUSAGE, "--%s: there is no '%.100s'; did you mean '%s'? (%s)",
                        option, text, near, choices);
    }
    return kn__fail(err, KN_EUSAGE, "--%s: there is no '%.100s'; choose one of %s", option, text,
                    choices);
}

static kn_status check_entry(const char *option, kn_entry_kind kind, const char *text,
                             kn_error *err)
{
    char choices[512] = "";
    size_t count, len = 0;
    const kn_entry *const *entries = kn_catalog(kind, &count);

    if (kn_catalog_find(kind, text)) {
        return KN_OK;
    }
    for (size_t i = 0; i < count && len < sizeof choices; i++) {
        const int n = snprintf(choices + len, sizeof choices - len, "%s%s", i ? "|" : "",
                               entries[i]->name);
        len += n > 0 ? (size_t)n : 0;
    }
    return bad_choice(option, text, choices, err);
}

static kn_status out_of_range(const kn_option *option, const char *text, double value,
                              kn_error *err)
{
    if (option->max >= 4294967295.0 && value > option->max) {
        return kn__fail(err, KN_EUSAGE, "--%s: %.60s is out of range: give at most %.0f",
                        option->name, text, option->max);
    }
    if (option->max >= 4294967295.0) {
        return kn__fail(err, KN_EUSAGE, "--%s: %.60s is out of range: give %.10g or more",
                        option->name, text, option->min);
    }
    return kn__fail(err, KN_EUSAGE, "--%s: %.60s is out of range: give %.10g to %.10g",
                    option->name, text, option->min, option->max);
}

static kn_status check_count(const kn_option *option, const char *text, kn_error *err)
{
    unsigned long long value;

    if (*text == '\0' || strspn(text, "0123456789") != strlen(text)) {
        if (*text == '-' && text[1] && strspn(text + 1, "0123456789") == strlen(text + 1)) {
            return out_of_range(option, text, -1, err);
        }
        return kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is not a whole number; write digits only",
                        option->name, text);
    }
    errno = 0;
    value = strtoull(text, NULL, 10);
    if (errno || value > INT64_MAX || (double)value < option->min || (double)value > option->max) {
        return out_of_range(option, text, (double)value, err);
    }
    return KN_OK;
}

static bool parse_number(const kn_option *option, const char *text, double *value)
{
    size_t len = strlen(text);
    unsigned decimals;
    const bool percent = option->kind == KN_OPTION_SHARE && len && text[len - 1] == '%';

    if (!kn__number_parse(text, len - percent, value, &decimals)) {
        return false;
    }
    *value /= percent ? 100 : 1;
    return true;
}

static kn_status check_number(const kn_option *option, const char *text, kn_error *err)
{
    const char *advice = "write it as in 3 or 0.5";
    double value;

    if (strchr(text, ',')) {
        advice = "decimals come after a point, as in 0.5";
    } else if (option->kind == KN_OPTION_SHARE) {
        advice = "give a share such as 0.05, or a percentage such as 5%";
    }
    if (!parse_number(option, text, &value)) {
        return kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is not a number; %s", option->name, text,
                        advice);
    }
    if (option->kind == KN_OPTION_SHARE && value > 1 && value <= 100 && option->max <= 1 &&
        !strchr(text, '%')) {
        return kn__fail(err, KN_EUSAGE,
                        "--%s: %.60s is out of range: give %.10g to %.10g, or a "
                        "percentage: %.60s%%",
                        option->name, text, option->min, option->max, text);
    }
    return value < option->min || value > option->max ? out_of_range(option, text, value, err)
                                                      : KN_OK;
}

/* Numbers separated by commas, each as it would be alone. */
static kn_status check_numbers(const kn_option *option, const char *text, kn_error *err)
{
    kn_status status = KN_OK;

    for (const char *at = text; status == KN_OK; at++) {
        const size_t len = strcspn(at, ",");
        char part[64];
        if (len >= sizeof part) {
            return kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is not a number", option->name, at);
        }
        (void)snprintf(part, sizeof part, "%.*s", (int)len, at);
        status = option->kind == KN_OPTION_COUNT ? check_count(option, part, err)
                                                 : check_number(option, part, err);
        at += len;
        if (*at == '\0') {
            break;
        }
    }
    return status;
}

double kn__option_number(const kn_option *option, const char *text)
{
    double value = 0;

    (void)parse_number(option, text, &value);
    return value;
}

bool kn__option_size(const char *text, size_t *out)
{
    static const char units[] = "KMGT";
    const size_t digits = strspn(text, "0123456789");
    unsigned long long value;
    unsigned shift = 0;
    const char *unit = text + digits;

    if (digits == 0 || digits > 18) {
        return false;
    }
    value = strtoull(text, NULL, 10);
    if (*unit) {
        const char *found = strchr(units, *unit >= 'a' ? *unit - 'a' + 'A' : *unit);
        if (!found) {
            return false;
        }
        shift = 10 * (unsigned)(found - units + 1);
        unit++;
        if (strcmp(unit, "B") == 0 || strcmp(unit, "iB") == 0) {
            unit += strlen(unit);
        }
    }
    if (*unit || value == 0 || value > (SIZE_MAX >> shift)) {
        return false;
    }
    *out = (size_t)value << shift;
    return true;
}

bool kn__option_maps_numbers(const kn_option *option)
{
    return strcmp(option->name, "weight") == 0 || strcmp(option->name, "item-weight") == 0;
}

const char *kn__map_value(const char *text, size_t *column_len)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || equals[1] == '\0') {
        return NULL;
    }
    *column_len = (size_t)(equals - text);
    return equals + 1;
}

static kn_status check_map(const kn_option *option, const char *text, kn_error *err)
{
    size_t column_len;
    const char *value = kn__map_value(text, &column_len);
    const bool of_item = strcmp(option->name, "item-weight") == 0;
    const kn_option weight = {.name = option->name,
                              .kind = KN_OPTION_NUMBER,
                              .max = of_item ? 1 : 1e9};

    if (!value) {
        return kn__fail(err, KN_EUSAGE, "--%s: '%.200s' is not of the form %s", option->name, text,
                        option->argument);
    }
    if (option->choices) {
        return is_choice(option->choices, value)
                   ? KN_OK
                   : bad_choice(option->name, value, option->choices, err);
    }
    return kn__option_maps_numbers(option) ? check_number(&weight, value, err) : KN_OK;
}

static kn_status check_sweep(const char *text, kn_error *err)
{
    kn_swept values;
    const kn_status st = kn__swept_parse(&values, text, err);

    kn__swept_clear(&values);
    return st;
}

static kn_status check_text(const kn_option *option, const char *text, kn_error *err)
{
    kn_date_order order;
    double days;

    if (*text == '\0') {
        return kn__fail(err, KN_EUSAGE, "--%s: the value is empty; give %s", option->name,
                        option->argument);
    }
    if (strcmp(option->name, "separator") == 0 && strlen(text) != 1 && strcmp(text, "tab") != 0 &&
        strcmp(text, "comma") != 0 && strcmp(text, "semicolon") != 0 && strcmp(text, "\\t") != 0) {
        return kn__fail(
            err, KN_EUSAGE,
            "--separator: '%.60s' is not one character; give one, or the word tab, comma "
            "or semicolon",
            text);
    }
    if (strcmp(option->name, "date") == 0 && strcmp(text, "today") != 0 &&
        !kn__date_parse(text, strlen(text), &days)) {
        return kn__fail(err, KN_EUSAGE,
                        "--date: '%.60s' is no date; write it as in 2024-12-31, or the word today",
                        text);
    }
    if (strcmp(option->name, "date-format") == 0) {
        return kn__date_format_order(&order, text, err);
    }
    return strcmp(option->name, "sweep") == 0 ? check_sweep(text, err) : KN_OK;
}

static kn_status check_report(const char *path, kn_error *err)
{
    const size_t len = strlen(path);

    if (len > 5 && (strcmp(path + len - 5, ".json") == 0 || strcmp(path + len - 5, ".html") == 0)) {
        return KN_OK;
    }
    return kn__fail(err, KN_EUSAGE,
                    "--report: '%.300s' ends in neither .json nor .html; one of them "
                    "says which report to write",
                    path);
}

static kn_status check_value(const kn_option *option, const char *text, kn_error *err)
{
    size_t bytes;

    switch (option->kind) {
    case KN_OPTION_FLAG:
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0
                   ? KN_OK
                   : kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is neither true nor false",
                              option->name, text);
    case KN_OPTION_CHOICE:
        if (!option->choices) {
            return check_entry(option->name, KN_ENTRY_METHOD, text, err);
        }
        return is_choice(option->choices, text)
                   ? KN_OK
                   : bad_choice(option->name, text, option->choices, err);
    case KN_OPTION_COUNT:
        return option->list ? check_numbers(option, text, err) : check_count(option, text, err);
    case KN_OPTION_NUMBER:
    case KN_OPTION_SHARE:
        return option->list ? check_numbers(option, text, err) : check_number(option, text, err);
    case KN_OPTION_SIZE:
        return kn__option_size(text, &bytes)
                   ? KN_OK
                   : kn__fail(err, KN_EUSAGE,
                              "--%s: '%.60s' is not a size; write it as in 512M or 4G",
                              option->name, text);
    case KN_OPTION_LIST:
        if (strcmp(option->name, "guarantee") == 0) {
            return check_entry(option->name, KN_ENTRY_GUARANTEE, text, err);
        }
        return strcmp(option->name, "missing") == 0 ? KN_OK : check_text(option, text, err);
    case KN_OPTION_MAP:
    case KN_OPTION_PATH_MAP: return check_map(option, text, err);
    case KN_OPTION_PATHS: return check_report(text, err);
    case KN_OPTION_TEXT:
    case KN_OPTION_TEXTS:
    case KN_OPTION_PATH: return check_text(option, text, err);
    }
    return KN_OK;
}

kn_status kn__option_check(const kn_option *option, const char *text, kn_error *err)
{
    return kn__about_parameter(err, check_value(option, text, err), KN_ERROR_PARAMETER,
                               option->name);
}
