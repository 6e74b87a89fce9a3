/* detectors.c - the table of detectors, and the conditions on whole columns. */
#include "utility/profile/detectors.h"
#include "data/value_form.h"
#include "data/value.h"
#include "hierarchy/packs/packs.h"

#include <math.h>
#include <string.h>

enum {
    FEWEST_VALUES = 3, /* fewer say nothing about their form */
    FEWEST_CODES = 8,  /* codes of a list */
    MOST_TESTED = 20000,
    FIRST_YEAR = 1800,
    YEARS = 300
};

kn_passed kn__test_values(const kn_column_facts *facts, bool (*test)(const char *text, size_t len))
{
    const uint32_t values = kn__column_values(facts->column), step = values / MOST_TESTED + 1;
    size_t records = 0, passed = 0;
    kn_passed p = {0};

    for (uint32_t code = 0; code < values; code += step) {
        size_t len;
        const char *text = kn__column_text(facts->column, code, &len);
        if (code == facts->column->missing || len == 0 || kn__is_missing_mark(text, len)) {
            continue;
        }
        const bool good = test(text, len);
        records += facts->held[code];
        passed += good ? facts->held[code] : 0;
        p.values += good;
        p.tested++;
    }
    p.share = records ? (double)passed / (double)records : 0;
    return p;
}

/* ---- conditions on columns ---- */

static bool is_diverse(const kn_column_facts *f)
{
    return f->values >= FEWEST_VALUES && 20 * f->values >= f->present;
}

static bool is_mostly_distinct(const kn_column_facts *f)
{
    return f->values >= FEWEST_VALUES && 3 * f->values >= f->present;
}

/* Values that are cut into other words by the reader of numbers are no codes and no names. */
static bool is_text(const kn_column_facts *f)
{
    return f->column->type == KN_TYPE_CATEGORY;
}

static bool holds_names(const kn_column_facts *f)
{
    return is_text(f) && kn__holds_person_names(f);
}

static bool holds_addresses(const kn_column_facts *f)
{
    return is_text(f) && is_mostly_distinct(f);
}

static bool is_degrees(const kn_dataset *ds, size_t column, double most)
{
    const kn_column *c = column < ds->columns ? &ds->column[column] : NULL;
    uint32_t values;

    if (!c || c->type != KN_TYPE_DECIMAL || c->decimals < 4 || !c->dict) {
        return false;
    }
    values = kn__column_values(c) - (c->missing != KN_NO_CODE);
    return values >= FEWEST_CODES && fabs(c->numbers[0]) <= most &&
           fabs(c->numbers[values - 1]) <= most &&
           fmax(fabs(c->numbers[0]), fabs(c->numbers[values - 1])) > 2;
}

/* Two neighbouring columns of degrees, one of them at most 90. */
static bool holds_coordinates(const kn_column_facts *f)
{
    const size_t at = (size_t)(f->column - f->ds->column);

    return (is_degrees(f->ds, at, 90) && is_degrees(f->ds, at + 1, 180)) ||
           (at > 0 && is_degrees(f->ds, at, 180) && is_degrees(f->ds, at - 1, 90));
}

static bool holds_named_degrees(const kn_column_facts *f)
{
    return f->column->type == KN_TYPE_DECIMAL && f->values && fabs(f->column->numbers[0]) <= 180 &&
           fabs(f->column->numbers[f->values - 1]) <= 180;
}

/* The year of a value, or 0. */
static int year_of(const kn_column *c, uint32_t code)
{
    int year = 0, month, day;
    size_t len;
    const char *text = kn__column_text(c, code, &len);
    double days;
    bool time;

    if (c->type == KN_TYPE_INTEGER) {
        return fabs(c->numbers[code]) < 3000 ? (int)c->numbers[code] : 0;
    }
    if (c->type == KN_TYPE_DATE) {
        kn__date_split(c->numbers[code], &year, &month, &day);
    } else if (kn__local_date_parse(text, len, KN_DATES_DAY_FIRST, &days, &time) ||
               kn__local_date_parse(text, len, KN_DATES_MONTH_FIRST, &days, &time)) {
        kn__date_split(days, &year, &month, &day);
    }
    return year;
}

/* Whether nine of ten records have a year from 1900, and the middle 80 % of them span at least 25
 * years: as births do, and appointments do not. */
static bool spans_a_life(const kn_column_facts *f)
{
    size_t count[YEARS] = {0}, good = 0, below = 0;
    int low = 0, high = 0;

    for (uint32_t code = 0; code < kn__column_values(f->column); code++) {
        const int year = code == f->column->missing ? 0 : year_of(f->column, code);
        if (year >= 1890 && year < FIRST_YEAR + YEARS) {
            count[year - FIRST_YEAR] += f->held[code];
            good += f->held[code];
        }
    }
    if (f->present == 0 || 10 * good < 9 * f->present) {
        return false;
    }
    for (int i = 0; i < YEARS; i++) {
        below += count[i];
        low = low == 0 && 10 * below >= good ? i : low;
        high = high == 0 && 10 * below >= 9 * good ? i : high;
    }
    return high - low >= 25;
}

static bool holds_dates(const kn_column_facts *f)
{
    kn_form_counts forms;

    if (f->column->type == KN_TYPE_DATE) {
        return true;
    }
    if (f->column->type != KN_TYPE_CATEGORY) {
        return false;
    }
    forms = kn__column_forms(f->column);
    return kn__mostly_dates(&forms);
}

static bool holds_births(const kn_column_facts *f)
{
    return holds_dates(f) && f->values >= FEWEST_CODES && spans_a_life(f);
}

bool kn__holds_years(const kn_column_facts *f)
{
    return f->column->type == KN_TYPE_INTEGER && f->values >= FEWEST_VALUES &&
           f->column->numbers[0] >= 1890 && f->column->numbers[f->values - 1] <= 2050;
}

static bool holds_years(const kn_column_facts *f)
{
    return kn__holds_years(f) && f->values >= 20 && spans_a_life(f);
}

/* Whole numbers up to something between 60 and 120. */
static bool holds_ages(const kn_column_facts *f)
{
    const double *numbers = f->column->numbers;

    return f->column->type == KN_TYPE_INTEGER && f->values >= 20 && numbers[0] >= 0 &&
           numbers[f->values - 1] >= 60 && numbers[f->values - 1] <= 120;
}

/* Many numbers with a long tail: the largest is at least 1000, and five times the mean of those
 * that are not 0. */
static bool holds_amounts(const kn_column_facts *f)
{
    const double *numbers = f->column->numbers;
    double sum = 0, count = 0;

    if (!kn__type_is_number(f->column->type) || f->values < 100 || 2 * f->rare > f->present) {
        return false;
    }
    for (size_t code = 0; code < f->values; code++) {
        sum += f->held[code] * fabs(numbers[code]);
        count += numbers[code] != 0 ? f->held[code] : 0;
    }
    return numbers[f->values - 1] >= 1000 && numbers[f->values - 1] * count >= 5 * sum;
}

static bool has_digit(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            return true;
        }
    }
    return false;
}

bool kn__holds_figures(const kn_column_facts *f)
{
    return kn__type_is_number(f->column->type) ||
           (is_text(f) && f->column->dict && kn__test_values(f, has_digit).share >= 0.5);
}

bool kn__holds_money(const kn_column_facts *f)
{
    const double *numbers = f->column->numbers;
    double sum = 0, count = 0;

    if (!kn__type_is_number(f->column->type) || f->values < 20 || numbers[f->values - 1] < 100) {
        return false;
    }
    for (size_t code = 0; code < f->values; code++) {
        sum += f->held[code] * fabs(numbers[code]);
        count += numbers[code] != 0 ? f->held[code] : 0;
    }
    return numbers[f->values - 1] * count >= 3 * sum;
}

/* Digits of one length that were written with zeros before them, or that the name calls so. */
static bool holds_padded_codes(const kn_column_facts *f)
{
    const kn_form_counts forms = kn__column_forms(f->column);

    return is_text(f) && f->values >= FEWEST_CODES && forms.padded > 0 &&
           forms.numbers == forms.values;
}

/* Codes with points, or so many of so many chapters that they are hardly seats or shelves. */
static bool has_points_or_chapters(const kn_column_facts *f)
{
    size_t dotted = 0, chapters = 0;
    bool seen[256] = {false};

    for (uint32_t code = 0; code < kn__column_values(f->column); code++) {
        size_t len;
        const char *text = kn__column_text(f->column, code, &len);
        const unsigned char first = (unsigned char)(len ? text[0] : '\0');
        dotted += memchr(text, '.', len) != NULL;
        chapters += !seen[first];
        seen[first] = true;
    }
    return is_text(f) && f->values >= FEWEST_VALUES &&
           (dotted || (f->values >= 30 && chapters >= 5));
}

/* V or E codes, which numbers do not have, and as many values as a list of diagnoses has. */
static bool holds_icd9(const kn_column_facts *f)
{
    size_t letters = 0;

    for (uint32_t code = 0; code < kn__column_values(f->column); code++) {
        size_t len;
        const char *text = kn__column_text(f->column, code, &len);
        letters += len && (text[0] == 'V' || text[0] == 'E');
    }
    return is_text(f) && f->values >= FEWEST_CODES && letters > 0 && letters < f->values;
}

static bool is_country(const char *text, size_t len)
{
    kn_pack_path path;

    return kn__country_path(&path, text, len);
}

static bool is_isco(const char *text, size_t len)
{
    kn_pack_path path;

    return kn__isco_path(&path, text, len);
}

static bool is_nuts(const char *text, size_t len)
{
    kn_pack_path path;

    return kn__nuts_path(&path, text, len);
}

static bool has_codes(const kn_column_facts *f)
{
    return f->values >= FEWEST_CODES;
}

/* One number in ten passes a check digit by chance, five of five hardly. */
static bool has_checked_codes(const kn_column_facts *f)
{
    return f->values >= 5;
}

static bool has_many_codes(const kn_column_facts *f)
{
    return f->values >= 20;
}

/* ---- ids ---- */

/* The form of a value: letters become A, digits 9. */
static uint64_t form_of(const char *text, size_t len, size_t *digits)
{
    uint64_t form = len;

    *digits = 0;
    for (size_t i = 0; i < len; i++) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        const bool letter = (text[i] >= 'a' && text[i] <= 'z') ||
                            (text[i] >= 'A' && text[i] <= 'Z');
        *digits += digit;
        const char sign = letter ? 'A' : text[i];
        form = form * 31 + (unsigned char)(digit ? '9' : sign);
    }
    return form;
}

/* Texts of one form with at least four digits (P001234, Customer#000000001), or long strings of hex
 * digits, that few records share. */
static bool holds_coded_ids(const kn_column_facts *f)
{
    uint64_t common = 0;
    size_t same = 0, digits = 0, texts = 0;

    if (!is_text(f) || 20 * f->values < f->present || f->values < 10) {
        return false;
    }
    for (uint32_t code = 0; code < kn__column_values(f->column); code++) {
        size_t len, own;
        const char *text = kn__column_text(f->column, code, &len);
        const uint64_t form = form_of(text, len, &own);
        if (code == f->column->missing) {
            continue;
        }
        if (texts++ == 0) {
            common = form;
        }
        same += form == common;
        digits += own >= 4;
    }
    return 20 * same >= 19 * texts && 20 * digits >= 19 * texts;
}

/* Whole numbers that are (nearly) all different, in a row or of one length: numbers of records.
 * Amounts have different lengths and gaps. */
static bool holds_numbered_records(const kn_column_facts *f)
{
    const double *numbers = f->column->numbers;
    double low, high;

    if (f->column->type != KN_TYPE_INTEGER || f->present < 20 ||
        f->values < f->present - f->present / 20) {
        return false;
    }
    low = numbers[0];
    high = numbers[f->values - 1];
    return low >= 0 && (high - low + 1 <= 1.5 * (double)f->values ||
                        (low >= 10000 && floor(log10(low)) == floor(log10(high))));
}

static bool is_text_of_its_own(const kn_column_facts *f)
{
    return is_text(f) && f->present >= 20 && f->values >= f->present - f->present / 20;
}

static bool is_prose_column(const kn_column_facts *f)
{
    return is_text(f) && is_mostly_distinct(f);
}

static bool is_remark_column(const kn_column_facts *f)
{
    return is_text(f) && 10 * f->values >= f->present;
}

static bool is_any(const char *text, size_t len)
{
    (void)text;
    return len > 0;
}

#define IDENTIFIER(n, sh, test, cond, words)                                           \
    {                                                                                  \
        .name = (n), .strong = true, .share = (sh), .value = (test), .column = (cond), \
        .role = KN_ROLE_IDENTIFIER, .reason = (words), .identifies = true              \
    }

#define SENSITIVE(n, sh, test, words)                                                              \
    {                                                                                              \
        .name = (n), .share = (sh), .value = (test), .column = is_text, .role = KN_ROLE_SENSITIVE, \
        .reason = (words)                                                                          \
    }

static const kn_detector detectors[] = {
    IDENTIFIER("e-mail", 0.9, kn__is_email, NULL, "its values are e-mail addresses"),
    IDENTIFIER("url", 0.9, kn__is_url, is_diverse, "its values are web addresses"),
    IDENTIFIER("uuid", 0.95, kn__is_uuid, NULL, "its values are UUIDs"),
    IDENTIFIER("iban", 0.9, kn__is_iban, NULL, "its values are IBANs with correct check digits"),
    IDENTIFIER("payment card", 0.95, kn__is_payment_card, is_mostly_distinct,
               "its values are numbers of payment cards with correct check digits"),
    IDENTIFIER("network address", 0.95, kn__is_network_address, is_diverse,
               "its values are addresses of computers"),
    IDENTIFIER("national id", 0, NULL, kn__holds_national_ids,
               "its values are national numbers of persons, with correct check digits or in their "
               "form"),
    IDENTIFIER("phone", 0.9, kn__is_phone, is_diverse, "its values are phone numbers"),
    {.name = "coordinates",
     .strong = true,
     .share = 0.95,
     .value = kn__is_coordinate_pair,
     .column = is_text,
     .role = KN_ROLE_QUASI,
     .reason = "its values are coordinates of places"},
    {.name = "coordinates",
     .strong = true,
     .column = holds_named_degrees,
     .header = KN_CONCEPT_COORDINATE,
     .role = KN_ROLE_QUASI,
     .reason = "its name and values are those of coordinates"},
    {.name = "free text",
     .strong = true,
     .share = 0.4,
     .value = kn__is_prose,
     .column = is_prose_column,
     .role = KN_ROLE_DROPPED,
     .reason = "free text, which can hold anything about a person"},
    {.name = "postcode",
     .share = 0.95,
     .value = kn__is_postcode_of_form,
     .column = has_codes,
     .role = KN_ROLE_QUASI,
     .reason = "its values have the form of postcodes"},
    {.name = "postcode",
     .share = 0.95,
     .value = kn__is_postcode_of_digits,
     .column = holds_padded_codes,
     .doubtful = true,
     .role = KN_ROLE_QUASI,
     .reason = "codes of digits with leading zeros, as postcodes have"},
    {.name = "coordinates",
     .column = holds_coordinates,
     .role = KN_ROLE_QUASI,
     .reason = "it and its neighbour have the form of coordinates"},
    {.name = "icd-10",
     .share = 0.95,
     .value = kn__is_icd10,
     .column = has_points_or_chapters,
     .role = KN_ROLE_SENSITIVE,
     .reason = "its values have the form of ICD-10 codes of diagnoses"},
    {.name = "icd-9",
     .share = 0.95,
     .value = kn__is_icd9,
     .column = holds_icd9,
     .role = KN_ROLE_SENSITIVE,
     .reason = "its values have the form of ICD-9 codes of diagnoses"},
    {.name = "snomed",
     .share = 0.95,
     .value = kn__is_snomed,
     .column = has_checked_codes,
     .role = KN_ROLE_SENSITIVE,
     .reason = "its values are SNOMED CT codes, with correct check digits"},
    SENSITIVE("atc", 0.95, kn__is_atc, "its values have the form of ATC codes of medicines"),
    SENSITIVE("ndc", 0.95, kn__is_ndc, "its values have the form of NDC codes of medicines"),
    SENSITIVE("ops", 0.95, kn__is_ops, "its values have the form of OPS codes of procedures"),
    SENSITIVE("loinc", 0.95, kn__is_loinc,
              "its values are LOINC codes of tests, with correct check digits"),
    SENSITIVE("dose", 0.5, kn__is_dose, "its values are medicines with their strengths"),
    SENSITIVE("medical words", 0.3, kn__is_medical_word,
              "its values have words as medicines and diseases have"),
    {.name = "nuts",
     .share = 1,
     .value = is_nuts,
     .column = has_codes,
     .role = KN_ROLE_QUASI,
     .reason = "its values are NUTS codes of regions"},
    {.name = "country",
     .share = 1,
     .value = is_country,
     .column = has_codes,
     .role = KN_ROLE_QUASI,
     .reason = "its values are ISO codes of countries"},
    {.name = "isco",
     .share = 1,
     .value = is_isco,
     .column = has_many_codes,
     .role = KN_ROLE_QUASI,
     .reason = "its values are ISCO codes of occupations"},
    {.name = "date of birth",
     .column = holds_births,
     .role = KN_ROLE_QUASI,
     .reason = "dates that span a life, as dates of birth do"},
    {.name = "date",
     .column = holds_dates,
     .role = KN_ROLE_QUASI,
     .reason = "dates are often known to others"},
    {.name = "year of birth",
     .column = holds_years,
     .doubtful = true,
     .role = KN_ROLE_QUASI,
     .reason = "years that span a life, as years of birth do"},
    {.name = "age",
     .column = holds_ages,
     .doubtful = true,
     .role = KN_ROLE_QUASI,
     .reason = "whole numbers such as ages"},
    {.name = "amount",
     .column = holds_amounts,
     .doubtful = true,
     .role = KN_ROLE_SENSITIVE,
     .reason = "numbers with a long tail, as amounts of money have"},
    {.name = "free text",
     .share = 0.5,
     .value = is_any,
     .column = is_remark_column,
     .header = KN_CONCEPT_FREE_TEXT,
     .role = KN_ROLE_DROPPED,
     .reason = "its name says that it is free text, which can hold anything about a person"},
    {.name = "person name",
     .column = holds_names,
     .role = KN_ROLE_IDENTIFIER,
     .reason = "its values have the shape and the frequencies of names of people"},
    {.name = "address",
     .share = 0.9,
     .value = kn__is_street_address,
     .column = holds_addresses,
     .role = KN_ROLE_IDENTIFIER,
     .reason = "its values have the form of addresses"},
    {.name = "coded id",
     .column = holds_coded_ids,
     .role = KN_ROLE_IDENTIFIER,
     .reason = "codes of one form that few records share",
     .identifies = true},
    {.name = "record number",
     .column = holds_numbered_records,
     .role = KN_ROLE_IDENTIFIER,
     .reason = "nearly every record has a number of its own",
     .identifies = true},
    {.name = "own text",
     .column = is_text_of_its_own,
     .role = KN_ROLE_IDENTIFIER,
     .reason = "nearly every record has a value of its own",
     .identifies = true},
};

const kn_detector *kn__detectors(size_t *count)
{
    *count = sizeof detectors / sizeof *detectors;
    return detectors;
}

static bool recognises(const kn_detector *d, const kn_column_facts *f)
{
    kn_passed passed;

    if (d->header != KN_CONCEPT_NONE && !kn__header_says(&f->header, d->header, NULL)) {
        return false;
    }
    if (d->column && !d->column(f)) {
        return false;
    }
    if (!d->value) {
        return true;
    }
    passed = kn__test_values(f, d->value);
    return passed.share >= d->share && passed.values >= FEWEST_VALUES;
}

const kn_detector *kn__detect(const kn_column_facts *facts, bool strong)
{
    if (!facts->column->dict || kn__type_is_list(facts->column->type)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof detectors / sizeof *detectors; i++) {
        if (detectors[i].strong == strong && recognises(&detectors[i], facts)) {
            return &detectors[i];
        }
    }
    return NULL;
}
