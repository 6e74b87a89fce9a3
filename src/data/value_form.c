/* value_form.c - recognise numbers and dates in the forms that people write. */
#include "data/value_form.h"
#include "base/error.h"
#include "data/local_date.h"
#include "data/value.h"

#include <string.h>

static const char *const marks[] = {"?",   "NA",   "N/A",  "na",   "n/a", "NaN",
                                    "nan", "null", "NULL", "None", "-",   "."};
enum { MARKS = sizeof marks / sizeof *marks };

const char *const *kn__missing_marks(size_t *count)
{
    *count = MARKS;
    return marks;
}

bool kn__is_missing_mark(const char *text, size_t len)
{
    for (size_t i = 0; i < MARKS; i++) {
        if (strlen(marks[i]) == len && memcmp(marks[i], text, len) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_at(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && is_digit(text[i])) {
        i++;
    }
    return i;
}

/* ---- numbers ---- */

/* Digits in groups of three, separated by `group`, then perhaps `point` and digits. At least one of
 * the two characters must occur. */
static bool is_grouped(const char *text, size_t len, char group, char point)
{
    size_t i = digits_at(text, len);
    bool groups = false;

    if (i == 0) {
        return false;
    }
    while (i <= 3 + (groups ? len : 0) && i < len && text[i] == group) {
        if (digits_at(text + i + 1, len - i - 1) != 3) {
            return false;
        }
        i += 4;
        groups = true;
    }
    if (i < len && text[i] == point) {
        const size_t decimals = digits_at(text + i + 1, len - i - 1);
        return decimals > 0 && i + 1 + decimals == len;
    }
    return i == len && groups;
}

static bool is_local_number(const char *text, size_t len)
{
    if (len && (text[0] == '-' || text[0] == '+')) {
        text++;
        len--;
    }
    return is_grouped(text, len, '.', ',') || is_grouped(text, len, ',', '.') ||
           is_grouped(text, len, ' ', ',') || is_grouped(text, len, '\'', '.');
}

kn_value_form kn__value_form_of(const char *text, size_t len)
{
    double value;
    unsigned decimals;
    size_t end;

    if (len == 0) {
        return KN_FORM_TEXT;
    }
    if (kn__number_parse(text, len, &value, &decimals)) {
        return KN_FORM_NUMBER;
    }
    if (kn__date_parse(text, len, &value)) {
        return KN_FORM_DATE;
    }
    if (is_local_number(text, len)) {
        return KN_FORM_LOCAL_NUMBER;
    }
    if (kn__is_time_of_day(text, len)) {
        return KN_FORM_TIME_OF_DAY;
    }
    if (!kn__begins_with_date(text, len, &end)) {
        return KN_FORM_TEXT;
    }
    return end == len ? KN_FORM_LOCAL_DATE : KN_FORM_DATE_TIME;
}

static bool is_dated(kn_value_form form)
{
    return form == KN_FORM_DATE || form == KN_FORM_LOCAL_DATE || form == KN_FORM_DATE_TIME;
}

kn_date_order kn__dates_order(const kn_column *column)
{
    kn_date_evidence evidence = {0};

    for (uint32_t code = 0; code < kn__column_values(column); code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);

        if (code != column->missing) {
            (void)kn__date_evidence_add(&evidence, text, len);
        }
    }
    return kn__date_evidence_order(&evidence);
}

bool kn__lacks_date_order(const kn_column *column)
{
    kn_date_evidence evidence = {0};
    bool dates = column->type == KN_TYPE_CATEGORY;

    for (uint32_t code = 0; code < kn__column_values(column) && dates; code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        double days;

        dates = code == column->missing ||
                (kn__date_evidence_add(&evidence, text, len) &&
                 kn__plain_date_parse(text, len, KN_DATES_DAY_FIRST, &days));
    }
    return dates && evidence.separator && !evidence.mixed &&
           kn__date_evidence_order(&evidence) == KN_DATES_UNKNOWN;
}

/* ---- columns ---- */

kn_form_counts kn__column_forms(const kn_column *column)
{
    kn_form_counts forms = {.mark = KN_NO_CODE};

    for (uint32_t code = 0; code < kn__column_values(column); code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        const size_t whole = len;
        kn_value_form form;

        if (code == column->missing) {
            continue;
        }
        while (len && (*text == ' ' || *text == '\t')) {
            text++;
            len--;
        }
        while (len && (text[len - 1] == ' ' || text[len - 1] == '\t')) {
            len--;
        }
        form = kn__value_form_of(text, len);
        forms.values++;
        forms.spaced += len < whole;
        forms.dates += is_dated(form);
        forms.timed += form == KN_FORM_DATE_TIME;
        forms.times_of_day += form == KN_FORM_TIME_OF_DAY;
        forms.local_numbers += form == KN_FORM_LOCAL_NUMBER;
        forms.numbers += form == KN_FORM_NUMBER;
        forms.padded += form == KN_FORM_NUMBER && len > 1 && text[0] == '0' && is_digit(text[1]);
        if (form == KN_FORM_TEXT && kn__is_missing_mark(text, len)) {
            forms.mark = code;
        } else {
            forms.others += form == KN_FORM_TEXT;
        }
    }
    return forms;
}

bool kn__mostly_dates(const kn_form_counts *forms)
{
    return forms->dates > 1 && 2 * forms->dates >= forms->values;
}

static bool mostly_times_of_day(const kn_form_counts *forms)
{
    return forms->times_of_day > 1 && 2 * forms->times_of_day >= forms->values;
}

bool kn__mostly_local_numbers(const kn_form_counts *forms)
{
    const size_t all = forms->local_numbers + forms->numbers;

    return forms->local_numbers && forms->padded == 0 && all > 1 && 2 * all >= forms->values;
}

/* What happens to a column that is read as text, and the words for accepting it. */
typedef struct consequence {
    const char *what, *accept;
} consequence;
static const consequence consequences[] = {
    [KN_TEXT_RELEASED] = {"would be published as sets of exact", "such sets are wanted"},
    [KN_TEXT_MINED] = {"would enter the model as exact", "that is wanted"},
};

static kn_status refuse_dates(const kn_column *column, const kn_form_counts *forms,
                              const consequence *c, kn_error *err)
{
    const bool timed = 2 * forms->timed >= forms->dates;

    if (kn__lacks_date_order(column)) {
        return kn__fail(
            err, KN_EINPUT,
            "column '%.100s' holds dates, and nothing tells whether day or month comes first, so "
            "they are read as text: say it with --date-format DD/MM/YYYY or MM/DD/YYYY; or, if %s, "
            "declare --type '%.100s=category'",
            column->name, c->accept, column->name);
    }
    return kn__fail(
        err, KN_EINPUT,
        "column '%.100s' holds %s that are read as text: without a hierarchy they %s %s. %sBuild "
        "one (kanon hierarchy build INPUT --column '%.100s' --kind dates -o FILE) and give it with "
        "--hierarchy; or write the column as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY, which are read as "
        "dates; or, if %s, declare --type '%.100s=category'",
        column->name, timed ? "dates with times" : "dates", c->what, timed ? "times" : "dates",
        forms->others ? "Name the texts that mean a missing value (--missing). " : "", column->name,
        c->accept, column->name);
}

static kn_status refuse_times_of_day(const kn_column *column, const consequence *c, kn_error *err)
{
    return kn__fail(
        err, KN_EINPUT,
        "column '%.100s' holds times of day, which are read as text: without a hierarchy they %s "
        "times. Build one (kanon hierarchy build INPUT --column '%.100s' --kind prefix --lengths 2 "
        "-o FILE) and give it with --hierarchy; or, if %s, declare --type '%.100s=category'",
        column->name, c->what, column->name, c->accept, column->name);
}

static kn_status refuse_numbers(const kn_column *column, const consequence *c, kn_error *err)
{
    return kn__fail(
        err, KN_EINPUT,
        "column '%.100s' holds numbers in a form that is read as text, such as 1234,50: they %s "
        "numbers. If the comma stands before decimals, say --decimal ,; else write them with a decimal point and without "
        "separators of thousands; or give a "
        "hierarchy (--hierarchy); or, if %s, declare --type '%.100s=category'",
        column->name, c->what, c->accept, column->name);
}

/* `mark` has `len` bytes and need not end with NUL. */
static kn_status refuse_marks(const kn_column *column, const char *mark, size_t len,
                              const consequence *c, kn_error *err)
{
    const int n = (int)len;

    return kn__fail(err, KN_EINPUT,
                    "column '%.100s' holds numbers or dates and '%.*s', and is read as text: they "
                    "%s values. If '%.*s' means that the value is missing, say --missing "
                    "'%s%.*s'; if %s, declare --type '%.100s=category'",
                    column->name, n, mark, c->what, n, mark,
                    column->missing == KN_NO_CODE ? "" : ",", n, mark, c->accept, column->name);
}

static kn_status refuse_spaces(const kn_column *column, const consequence *c, kn_error *err)
{
    return kn__fail(
        err, KN_EINPUT,
        "column '%.100s' holds numbers or dates with spaces around them, and is read as text: they "
        "%s values. Strip the spaces with --trim; or, if %s, declare --type '%.100s=category'",
        column->name, c->what, c->accept, column->name);
}

/* Plain numbers among words may be codes (250.83, V45): they count as numbers only if all other
 * values are marks for missing values and none is padded with zeros. */
static kn_status refuse_text(const kn_column *column, kn_text_use use, kn_error *err)
{
    const consequence *c = &consequences[use];
    kn_form_counts forms;
    size_t len, plain;

    if (column->type != KN_TYPE_CATEGORY || column->declared) {
        return KN_OK;
    }
    forms = kn__column_forms(column);
    if (forms.spaced && forms.numbers + forms.dates > 1 && forms.others == 0 && forms.padded == 0) {
        return refuse_spaces(column, c, err);
    }
    plain = forms.numbers + forms.dates - forms.timed;
    if (forms.mark != KN_NO_CODE && plain > 1 && forms.others + forms.local_numbers == 0 &&
        forms.padded == 0 && (forms.numbers == 0 || forms.dates == 0)) {
        const char *mark = kn__column_text(column, forms.mark, &len);
        return refuse_marks(column, mark, len, c, err);
    }
    if (kn__mostly_dates(&forms)) {
        return refuse_dates(column, &forms, c, err);
    }
    if (mostly_times_of_day(&forms)) {
        return refuse_times_of_day(column, c, err);
    }
    return kn__mostly_local_numbers(&forms) ? refuse_numbers(column, c, err) : KN_OK;
}

kn_status kn__column_refuse_text(const kn_column *column, kn_text_use use, kn_error *err)
{
    return kn__about_column(err, refuse_text(column, use, err), KN_ERROR_NO_HIERARCHY,
                            column->name);
}
