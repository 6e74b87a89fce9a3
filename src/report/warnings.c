/* warnings.c - what the reader should think about before the file is handed on. Names of columns
 * and counts, never values. */
#include "base/error.h"
#include "base/memory.h"
#include "report/facts.h"

#include <string.h>

/* Takes what `b` holds as one more warning. */
static kn_status warn(kn_report *r, size_t *cap, kn_buffer *b, kn_error *err)
{
    char *text = NULL;
    kn_status status;

    KN_TRY(kn__buffer_take(b, &text, err));
    KN_TRY(kn__grow(&r->warnings, cap, r->warnings_count + 1, sizeof *r->warnings, err));
    r->warnings[r->warnings_count++] = text;
    text = NULL;
done:
    kn__free(text);
    return status;
}

/* Whether `separator` is in most of the values of item column `c`. */
static bool is_in_most(const kn_column *c, char separator)
{
    size_t values = 0, with = 0;

    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        if (code != c->missing && len) {
            values++;
            with += memchr(text, separator, len) != NULL;
        }
    }
    return with * 2 > values;
}

/* Where every record has one item, its cell may be a list that another character separates. */
static void say_separator(kn_buffer *b, const kn_dataset *ds)
{
    static const char separators[] = {'|', ';', ','};

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        for (size_t j = 0; c->starts && c->dict && j < sizeof separators; j++) {
            if (is_in_most(c, separators[j])) {
                kn__buffer_addf(b,
                                " Most items of %s hold '%c': if it separates items, say "
                                "--item-separator '%c'.",
                                c->name, separators[j], separators[j]);
                return;
            }
        }
    }
}

/* Of item lists: records that nothing can be known of, and an m that asks for less than it seems.
 */
static kn_status warn_items(kn_report *r, size_t *cap, const kn_items_seen *seen,
                            const kn_dataset *original, kn_error *err)
{
    kn_buffer b = {0};
    kn_status status = KN_OK;

    if (seen->empty) {
        kn__say_things(&b, seen->empty, "record has", "records have");
        kn__buffer_adds(&b,
                        " no items and stayed in the file: that a person has none is published");
        if (r->left_out.emptied) {
            kn__buffer_adds(&b, "; ");
            kn__say_count(&b, r->left_out.emptied);
            kn__buffer_adds(&b, " of them held nothing but items that were left out");
        }
        kn__buffer_addc(&b, '.');
        status = warn(r, cap, &b, err);
    }
    for (size_t i = 0; i < r->guarantees_count && status == KN_OK; i++) {
        const kn_guarantee *g = &r->guarantees[i];
        if (kn__guarantee_is_about(g, KN_ABOUT_ITEMS) && seen->longest && g->m > seen->longest) {
            kn__buffer_adds(&b, "No record has more than ");
            kn__say_things(&b, seen->longest, "item", "items");
            kn__buffer_addf(&b, ", so m = %zu asks for k-anonymity of whole records.", g->m);
            if (seen->longest == 1) {
                say_separator(&b, original);
            }
            status = warn(r, cap, &b, err);
        }
    }
    return status;
}

kn_status kn__report_warn(kn_report *r, const kn_report_facts *facts, kn_error *err)
{
    const size_t in = facts->original->records;
    size_t cap = 0;
    kn_buffer b = {0};

    if (!r->satisfied && r->guarantees_count) {
        kn__buffer_adds(&b, "The file does not hold what was asked. Do not publish it.");
        KN_PASS(warn(r, &cap, &b, err));
    }
    if (r->originals) {
        kn__buffer_adds(&b, "The report shows original records (--original-rows): it is "
                            "confidential, as the input is.");
        KN_PASS(warn(r, &cap, &b, err));
    }
    if (r->quasis == 0) {
        kn__buffer_adds(
            &b, "No column is a quasi-identifier, so nothing was generalised and nothing is "
                "protected beyond the columns left out.");
        KN_PASS(warn(r, &cap, &b, err));
    }
    if (in && r->suppressed * 10 > in) {
        kn__say_share(&b, (double)r->suppressed / (double)in);
        kn__buffer_adds(
            &b, " of the records were suppressed. What is left may no longer speak for all: "
                "allow more generalisation, ask for less, or lower --suppression.");
        KN_PASS(warn(r, &cap, &b, err));
    }
    /* Below 3 there is a point to settle instead. */
    if (r->sizes_after.smallest > 2 && r->sizes_after.smallest < KN_REPORT_LEAST) {
        kn__buffer_adds(&b, "The smallest group of look-alikes has only ");
        kn__say_things(&b, r->sizes_after.smallest, "record", "records");
        kn__buffer_adds(
            &b, ". Groups below 5 are often thought too small for data that leave the house.");
        KN_PASS(warn(r, &cap, &b, err));
    }
    if (facts->after && kn_verdict_items(facts->after)) {
        KN_PASS(warn_items(r, &cap, kn_verdict_items(facts->after), facts->original, err));
    }
    for (size_t i = 0; i < facts->original->notes_count; i++) {
        const char *note = facts->original->notes[i];
        kn__buffer_addc(&b, (char)(*note >= 'a' && *note <= 'z' ? *note - 'a' + 'A' : *note));
        kn__buffer_addf(&b, "%s.", note + 1);
        KN_PASS(warn(r, &cap, &b, err));
    }
    return KN_OK;
}
