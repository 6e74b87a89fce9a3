/* suggest.c - which hierarchy suits a column, by looking at its values.
 *
 * What means something to people comes first: the calendar, bands, codes in common use,
 * ranges with round ends, prefixes of codes. Neighbours in the alphabet come last, and are marked.
 */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value_form.h"
#include "hierarchy/build/bands.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/packs/packs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FEW_NUMBERS = 12, /* so few need no ranges made before */
    FEW_VALUES = 100, /* so few are published in sets */
    FEWEST_CODES = 5, /* of a pack: fewer say little */
    SHORTEST_CODE = 3,
    LONGEST_CODE = 12,
    CUTS = 16 /* ranges with about equally many records */
};

static uint32_t values_of(const kn_column *c)
{
    return kn__column_values(c) - (c->missing != KN_NO_CODE);
}

static void say(kn_hierarchy_advice *a, kn_build_kind kind, const char *words)
{
    a->wanted = true;
    a->kind = kind;
    (void)snprintf(a->words, sizeof a->words, "%s", words);
}

static bool suggest_dates(kn_hierarchy_advice *a, const kn_column *c)
{
    kn_form_counts forms;
    kn_date_order order;
    kn_date_evidence evidence = {0};

    if (c->type == KN_TYPE_DATE) {
        say(a, KN_BUILD_DATES, "calendar: month, quarter, year, decade");
        return true;
    }
    if (c->type != KN_TYPE_CATEGORY) {
        return false;
    }
    forms = kn__column_forms(c);
    if (!kn__mostly_dates(&forms) || forms.dates != forms.values) {
        return false;
    }
    say(a, KN_BUILD_DATES, "calendar of local dates: month, quarter, year, decade");
    order = kn__dates_order(c);
    for (uint32_t code = 0; code < values_of(c); code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        double days;
        bool time;
        if (!kn__local_date_parse(text, len, order ? order : KN_DATES_DAY_FIRST, &days, &time)) {
            return false; /* years of two digits, names of months */
        }
        (void)kn__date_evidence_add(&evidence, text, len);
    }
    if (order == KN_DATES_UNKNOWN && evidence.separator) { /* some years come last */
        a->date_format = "DD/MM/YYYY";
        a->doubtful = true;
        (void)snprintf(a->words, sizeof a->words,
                       "calendar; nothing shows whether day or month comes first, and the day is "
                       "assumed to (--date-format)");
    }
    return true;
}

static bool suggest_bands(kn_hierarchy_advice *a, const kn_column *c)
{
    const uint32_t values = values_of(c);
    uint32_t bands = 0;

    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        kn_band band;
        bands += kn__band_parse(&band, text, len);
    }
    if (c->type != KN_TYPE_CATEGORY || bands < 3 || 10 * bands < 8 * values) {
        return false;
    }
    say(a, KN_BUILD_BANDS, "bands in the order of their numbers, two neighbours at a time");
    return true;
}

/* Whether the name of a column begins with that of a pack, in any case: nace, NACE_code. */
static bool is_named(const char *column, const char *pack)
{
    size_t i = 0;

    while (pack[i] && (column[i] == pack[i] || (column[i] >= 'A' && column[i] <= 'Z' &&
                                                column[i] - 'A' + 'a' == pack[i]))) {
        i++;
    }
    return pack[i] == '\0';
}

static bool suggest_pack(kn_hierarchy_advice *a, const kn_column *c)
{
    const uint32_t values = values_of(c);
    size_t count;
    const kn_pack *packs = kn__packs(&count);

    if (values < FEWEST_CODES || c->type == KN_TYPE_DECIMAL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const bool telling = packs[i].telling || is_named(c->name, packs[i].name);
        uint32_t known = 0;
        for (uint32_t code = 0; telling && code < values; code++) {
            size_t len;
            const char *text = kn__column_text(c, code, &len);
            kn_pack_path path;
            known += packs[i].path(&path, text, len);
        }
        if (known == values) {
            a->pack = packs[i].name;
            say(a, KN_BUILD_PACK, packs[i].help);
            return true;
        }
    }
    return false;
}

/* ---- numbers ---- */

/* `value` rounded to two digits of `scale`. */
static double round_to(double value, double scale)
{
    const double step = pow(10, floor(log10(scale)) - 1);

    return nearbyint(value / step) * step;
}

/* Where ranges with about equally many records begin, rounded. The outer ends are outside the data,
 * so that no range shows the least or the greatest value. */
static bool find_cuts(kn_hierarchy_advice *a, const kn_dataset *ds, const kn_column *c)
{
    const uint32_t values = values_of(c);
    const double low = c->numbers[0], high = c->numbers[values - 1];
    uint64_t *held = kn__zalloc_array(values + 1, sizeof *held);
    double seen = 0, present = 0;
    size_t next = 1, count = 0;

    if (!held) {
        return false;
    }
    for (size_t i = 0; i < ds->records; i++) {
        const uint32_t code = kn__column_code(c, i);
        held[code < values ? code : values]++;
    }
    present = (double)ds->records - (double)held[values];
    a->cuts[count++] = low < 0 ? -pow(10, ceil(log10(-low))) : 0;
    for (uint32_t code = 0; code < values; code++) {
        const double at = c->numbers[code];
        if (seen >= present * (double)next / CUTS && at != 0) {
            const double cut = round_to(at, fabs(at));
            if (cut > a->cuts[count - 1] && cut <= high) {
                a->cuts[count++] = cut;
            }
            while (next < CUTS && seen >= present * (double)next / CUTS) {
                next++;
            }
        }
        seen += (double)held[code];
    }
    a->cuts[count++] = pow(10, floor(log10(fmax(high, 1))) + 1);
    a->cuts_count = count;
    kn__free(held);
    return count >= 4;
}

/* Most of the records are in a small part of the range, as with incomes. */
static bool is_skewed(const kn_dataset *ds, const kn_column *c)
{
    const uint32_t values = values_of(c);
    const double low = c->numbers[0], high = c->numbers[values - 1];
    size_t below = 0, present = 0;

    for (size_t i = 0; i < ds->records; i++) {
        const uint32_t code = kn__column_code(c, i);
        present += code < values;
        below += code < values && c->numbers[code] - low < (high - low) / 10;
    }
    return 2 * below > present && values > 30;
}

static bool suggest_numbers(kn_hierarchy_advice *a, const kn_dataset *ds, const kn_column *c)
{
    const uint32_t values = values_of(c);

    if (!kn__type_is_number(c->type) && c->type != KN_TYPE_NUMBERS) {
        return false;
    }
    if (values <= FEW_NUMBERS) {
        (void)snprintf(a->words, sizeof a->words,
                       "few numbers: ranges are made as they are needed");
        return true;
    }
    if (fabs(c->numbers[0]) >= 1e15 || fabs(c->numbers[values - 1]) >= 1e15) {
        return false;
    }
    if (!kn__type_is_list(c->type) && is_skewed(ds, c) && c->numbers[values - 1] >= 100 &&
        find_cuts(a, ds, c)) {
        say(a, KN_BUILD_CUTS, "ranges with round ends and about equally many records");
        return true;
    }
    if (c->type == KN_TYPE_INTEGER && c->numbers[0] >= 0 && c->numbers[values - 1] <= 120 &&
        c->numbers[values - 1] >= 50) {
        a->width = 5;
        say(a, KN_BUILD_WIDTH, "ranges of 5, then of 10, 20 and so on");
        return true;
    }
    say(a, KN_BUILD_WIDTH, "about 20 ranges of equal width with round ends, then two at a time");
    return true;
}

/* ---- texts ---- */

static void add_lengths(kn_hierarchy_advice *a, size_t longest)
{
    for (size_t keep = longest - 1; keep > 0; keep -= keep > 6 ? 2 : 1) {
        a->lengths[a->lengths_count++] = keep;
    }
}

/* Codes of one length, of digits and capitals, at least half digits: prefixes mean something. */
static bool suggest_prefixes(kn_hierarchy_advice *a, const kn_column *c)
{
    size_t length = 0, digits = 0, signs = 0;

    for (uint32_t code = 0; code < values_of(c); code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        if ((length && len != length) || len < SHORTEST_CODE || len > LONGEST_CODE) {
            return false;
        }
        length = len;
        for (size_t i = 0; i < len; i++) {
            const bool digit = text[i] >= '0' && text[i] <= '9';
            const bool capital = text[i] >= 'A' && text[i] <= 'Z';
            if (!digit && !capital && !strchr(" -.:", text[i])) {
                return false;
            }
            digits += digit;
            signs++;
        }
    }
    if (2 * digits < signs) {
        return false;
    }
    add_lengths(a, length);
    say(a, KN_BUILD_PREFIX, "prefixes of the codes");
    return true;
}

/* Whole numbers that are codes of one length: some may have lost zeros in front (`1234` for
 * `01234`), and all may have become floats (`90265.0`). */
static bool suggest_code_prefixes(kn_hierarchy_advice *a, const kn_column *c)
{
    size_t longest = 0, full = 0;
    bool spelled = c->type == KN_TYPE_INTEGER || c->decimals == 0;

    for (uint32_t code = 0; code < values_of(c); code++) {
        size_t len;
        (void)kn__column_text(c, code, &len);
        len -= c->type == KN_TYPE_DECIMAL && c->decimals ? 2 : 0;
        spelled = spelled && (longest == 0 || len == longest);
        if (len > longest) {
            longest = len;
            full = 1;
        } else if (len == longest) {
            full++;
        }
    }
    if (c->numbers[0] < 0 || longest < SHORTEST_CODE || longest > LONGEST_CODE ||
        5 * full < 4 * values_of(c)) {
        return false;
    }
    add_lengths(a, longest);
    a->digits = spelled ? 0 : longest;
    say(a, KN_BUILD_PREFIX, "prefixes of the codes");
    if (full < values_of(c)) {
        (void)snprintf(a->words, sizeof a->words,
                       "prefixes of the codes; shorter ones count as codes of %zu digits that lost "
                       "zeros in front",
                       longest);
    }
    return true;
}

static void suggest_texts(kn_hierarchy_advice *a, const kn_column *c, bool codes)
{
    const bool whole = codes && kn__column_is_whole(c);

    if (values_of(c) > FEWEST_CODES &&
        (whole ? suggest_code_prefixes(a, c) : suggest_prefixes(a, c))) {
        return;
    }
    *a = (kn_hierarchy_advice){0};
    if (!kn__type_is_list(c->type) && values_of(c) <= FEW_VALUES) {
        (void)snprintf(a->words, sizeof a->words, "few %s: sets of them are published",
                       codes ? "numbers that are codes, read as categories" : "values");
        return;
    }
    a->doubtful = true;
    say(a, KN_BUILD_FANOUT,
        "FAN-OUT: neighbours in the alphabet, five at a time, which mean nothing; make groups that do");
}

kn_status kn_hierarchy_suggest(kn_hierarchy_advice *out, const kn_dataset *ds, size_t column,
                               bool codes, kn_error *err)
{
    KN_NEED(err, out, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");

    const kn_column *c = &ds->column[column];

    *out = (kn_hierarchy_advice){0};
    if (!c->dict || values_of(c) == 0) {
        (void)snprintf(out->words, sizeof out->words, "it has no values");
        return KN_OK;
    }
    if (suggest_dates(out, c)) {
        return KN_OK;
    }
    *out = (kn_hierarchy_advice){0};
    if (!suggest_bands(out, c) && !suggest_pack(out, c) &&
        (codes || !suggest_numbers(out, ds, c))) {
        suggest_texts(out, c, codes);
    }
    return KN_OK;
}

kn_status kn_hierarchy_build_suggested(kn_hierarchy **out, const kn_dataset *ds, size_t column,
                                       const kn_hierarchy_advice *advice, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds, advice);
    KN_NEED_ROWS(err, ds);

    if (!advice->wanted) {
        return kn__fail(err, KN_EUSAGE, "no hierarchy was suggested for this column: %s",
                        advice->words);
    }
    return kn_hierarchy_build(
        out, ds, column,
        &(kn_build_options){KN_INIT(kn_build_options), .kind = advice->kind, .width = advice->width,
                            .cuts = advice->cuts, .cuts_count = advice->cuts_count,
                            .lengths = advice->lengths_count ? advice->lengths : NULL,
                            .lengths_count = advice->lengths_count,
                            .date_format = advice->date_format, .pack = advice->pack,
                            .digits = advice->digits},
        err);
}
