/* hints.c - what may be wrong with how a column was read: texts that mean "missing", numbers
 * with a few words among them, local dates and numbers, lists in one cell. */
#include "base/error.h"
#include "base/say.h"
#include "data/value_form.h"
#include "data/value.h"
#include "utility/profile/profile.h"

#include <string.h>

enum { FEWEST_RECORDS = 20, MOST_SPLIT = 10000, MOST_MARKS = 16 };

typedef struct numbers {
    size_t numeric, marks, others; /* records */
} numbers;

static numbers count_numbers(const kn_column *column, const uint32_t *held)
{
    numbers n = {0, 0, 0};

    for (uint32_t code = 0; code < kn__column_values(column); code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        double value;
        unsigned decimals;
        if (code == column->missing) {
            continue;
        }
        if (kn__number_parse(text, len, &value, &decimals)) {
            n.numeric += held[code];
        } else if (kn__is_missing_mark(text, len)) {
            n.marks += held[code];
        } else {
            n.others += held[code];
        }
    }
    return n;
}

static void hint_missing(kn_buffer *hint, const kn_column *column)
{
    const char *found[MOST_MARKS];
    size_t marks, count = 0;
    const char *const *mark = kn__missing_marks(&marks);

    for (size_t i = 0; i < marks && count < MOST_MARKS; i++) {
        const uint32_t code = kn__dict_find(column->dict, mark[i], strlen(mark[i]));
        if (code != KN_NO_CODE && code != column->missing) {
            found[count++] = mark[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        kn__buffer_addf(hint, "%s'%s'", kn__say_gap(i, count, " and "), found[i]);
    }
    if (count) {
        kn__buffer_adds(hint, count == 1 ? " looks like a missing value: --missing '"
                                         : " look like missing values: --missing '");
        for (size_t i = 0; i < count; i++) {
            kn__buffer_addf(hint, "%s%s", i ? "," : "", found[i]);
        }
        kn__buffer_addc(hint, '\'');
    }
}

/* Dates and numbers in a form that is read as text. */
static void hint_forms(kn_buffer *hint, const kn_column *column)
{
    const kn_form_counts forms = kn__column_forms(column);

    if (forms.spaced && 2 * forms.spaced >= forms.values) {
        kn__buffer_addf(hint, "%sspaces stand around its values: --trim strips them",
                        hint->len ? "; " : "");
    }
    if (kn__lacks_date_order(column)) {
        kn__buffer_addf(hint,
                        "%sdates in which nothing tells whether day or month comes first: say it "
                        "with --date-format DD/MM/YYYY or MM/DD/YYYY",
                        hint->len ? "; " : "");
    } else if (kn__mostly_dates(&forms)) {
        kn__buffer_addf(
            hint,
            "%sdates that are read as text: write them as YYYY-MM-DD or DD.MM.YYYY, or build a "
            "hierarchy (--kind dates)",
            hint->len ? "; " : "");
    } else if (kn__mostly_local_numbers(&forms)) {
        kn__buffer_addf(
            hint,
            "%snumbers that are read as text: write them with a decimal point, or say --decimal ,",
            hint->len ? "; " : "");
    }
}

static void hint_numbers(kn_buffer *hint, const kn_column *column, const uint32_t *held)
{
    const numbers n = count_numbers(column, held);

    if (n.numeric < FEWEST_RECORDS || n.numeric / 9 < n.others) {
        return;
    }
    if (n.others) {
        kn__buffer_addf(hint,
                        "%s%zu of %zu records %s something that is no number: mend %s, "
                        "or say that it means missing (--missing)",
                        hint->len ? "; " : "", n.others, n.numeric + n.others,
                        n.others == 1 ? "holds" : "hold", n.others == 1 ? "it" : "them");
    } else if (n.marks) {
        kn__buffer_adds(hint, "; all else are numbers");
    }
}

static size_t parts_of(const char *text, size_t len, char separator)
{
    size_t parts = 1;

    for (size_t i = 0; i < len; i++) {
        parts += text[i] == separator;
    }
    return parts;
}

/* Cells are lists when at least half of the records have the separator and the items come again
 * and again, unlike the parts of an address. */
static kn_status looks_like_list(bool *out, const kn_column *column, const uint32_t *held,
                                 char separator, kn_error *err)
{
    const uint32_t values = kn__column_values(column);
    size_t with = 0, records = 0, items = 0;
    kn_dict *distinct = NULL;
    kn_status status;

    *out = false;
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        if (code != column->missing) {
            records += held[code];
            with += len && memchr(text, separator, len) ? held[code] : 0;
        }
    }
    if (with < FEWEST_RECORDS || with < records / 2) {
        return KN_OK;
    }
    KN_TRY(kn__dict_new(&distinct, err));
    for (uint32_t code = 0; code < values && code < MOST_SPLIT; code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        const size_t parts = code == column->missing ? 0 : parts_of(text, len, separator);
        for (size_t i = 0; i < parts; i++) {
            const char *end = len ? memchr(text, separator, len) : NULL;
            const size_t item = end ? (size_t)(end - text) : len;
            uint32_t ignored;
            KN_TRY(kn__dict_add(distinct, text, item, &ignored, err));
            text += end ? item + 1 : item;
            len -= end ? item + 1 : item;
            items++;
        }
    }
    *out = items >= 2 * (size_t)distinct->len;
done:
    kn__dict_free(distinct);
    return status;
}

static kn_status hint_list(kn_buffer *hint, char *separator, const kn_column *column,
                           const char *name, const uint32_t *held, kn_error *err)
{
    static const char separators[] = {'|', ';', ','};
    bool list = false;

    for (size_t i = 0; !list && i < sizeof separators; i++) {
        KN_PASS(looks_like_list(&list, column, held, separators[i], err));
        if (list) {
            *separator = separators[i];
            kn__buffer_addf(hint, "%scells look like lists: --items %s", hint->len ? "; " : "",
                            name);
            if (separators[i] != '|') {
                kn__buffer_addf(hint, " --item-separator '%c'", separators[i]);
            }
        }
    }
    return KN_OK;
}

kn_status kn__profile_hint(kn_buffer *hint, char *list, const kn_column *column, const char *name,
                           const uint32_t *held, kn_role suggested, kn_error *err)
{
    kn_form_counts forms;

    *list = '\0';
    if (column->type != KN_TYPE_CATEGORY) {
        return KN_OK;
    }
    hint_missing(hint, column);
    hint_forms(hint, column);
    hint_numbers(hint, column, held);
    forms = kn__column_forms(column); /* a comma in 12,5 separates no items */
    return suggested == KN_ROLE_IDENTIFIER || kn__mostly_local_numbers(&forms)
               ? KN_OK
               : hint_list(hint, list, column, name, held, err);
}
