/* warnings.c - what the reader should think about before the file is handed on. Names of columns
 * and counts, never values. */
#include "base/error.h"
#include "base/memory.h"
#include "report/facts.h"

#include <math.h>
#include <string.h>

/* Takes what `b` holds as one more warning. */
static kn_status warn(kn_report *r, size_t *cap, kn_buffer *b, kn_error *err)
{
    char *text;
    kn_status status = kn__buffer_take(b, &text, err);

    if (status == KN_OK) {
        status = kn__grow(&r->warnings, cap, r->warnings_count + 1, sizeof *r->warnings, err);
    }
    if (status != KN_OK) {
        kn__free(text);
        return status;
    }
    r->warnings[r->warnings_count++] = text;
    return KN_OK;
}

/* Records whose value in `c` fewer than `below` records share. */
static kn_status rare_records(size_t *out, const kn_dataset *ds, const kn_column *c, size_t below,
                              kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    size_t *counts = kn__zalloc_array(values, sizeof *counts);

    *out = 0;
    if (!counts) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < ds->records; i++) {
        counts[kn__column_code(c, i)]++;
    }
    for (uint32_t v = 0; v < values; v++) {
        *out += counts[v] < below && v != c->missing ? counts[v] : 0;
    }
    kn__free(counts);
    return KN_OK;
}

/* The column of that name, if its values are known; or NULL. */
static const kn_column *published_column(const kn_dataset *published, const char *name)
{
    const size_t at = kn_dataset_find(published, name);

    return at != SIZE_MAX && published->column[at].dict ? &published->column[at] : NULL;
}

/* A kept column is worth a warning when one record in a hundred holds a value of nearly its own. */
static kn_status warn_kept(kn_report *r, size_t *cap, const kn_report_column *c,
                           const kn_dataset *published, kn_error *err)
{
    const kn_column *column = published_column(published, c->name);
    kn_buffer b = {0};
    size_t rare;
    kn_status status;

    if (!column) {
        return KN_OK;
    }
    if (column->starts) {
        kn__buffer_addf(
            &b,
            "Column %s holds lists and is published as it is: a long or unusual list can point "
            "to one person.",
            c->name);
        return warn(r, cap, &b, err);
    }
    status = rare_records(&rare, published, column, r->rare_below, err);
    if (status != KN_OK || rare == 0 || rare * 100 < published->records) {
        return status;
    }
    kn__buffer_addf(&b, "Column %s is published as it is and has ", c->name);
    kn__say_things(&b, kn__column_values(column), "value", "different values");
    kn__buffer_adds(&b, "; ");
    kn__say_things(&b, rare, "record holds", "records hold");
    kn__buffer_adds(&b, " a value that fewer than ");
    kn__say_count(&b, r->rare_below);
    kn__buffer_adds(&b,
                    " share. If anyone could look it up elsewhere, make it a quasi-identifier or "
                    "drop it.");
    return warn(r, cap, &b, err);
}

/* A sensitive column may rightly hold rare values, as incomes do: a warning when most records hold
 * one. */
static kn_status warn_sensitive(kn_report *r, size_t *cap, const kn_report_column *c,
                                const kn_dataset *published, kn_error *err)
{
    const kn_column *column = published_column(published, c->name);
    kn_buffer b = {0};
    size_t rare;
    kn_status status;

    if (!column || column->starts) {
        return KN_OK;
    }
    status = rare_records(&rare, published, column, r->rare_below, err);
    if (status != KN_OK || rare <= published->records / 2) {
        return status;
    }
    kn__buffer_addf(&b, "Column %s is sensitive and published as it is: ", c->name);
    kn__say_things(&b, rare, "record holds", "records hold");
    kn__buffer_adds(&b, " a value that fewer than ");
    kn__say_count(&b, r->rare_below);
    kn__buffer_adds(&b, " share. Anyone who knows such a value finds the record.");
    return warn(r, cap, &b, err);
}

static kn_status warn_sorted(kn_report *r, size_t *cap, const kn_report_column *c, kn_order order,
                             kn_error *err)
{
    const bool quasi = c->role == KN_ROLE_QUASI;
    kn_buffer b = {0};

    if ((order != KN_ORDER_ASCENDING && order != KN_ORDER_DESCENDING) || c->role == KN_ROLE_KEPT ||
        c->role == KN_ROLE_SENSITIVE ||
        (quasi && c->changes.known &&
         c->changes.changed_records + c->changes.suppressed_records == 0)) {
        return KN_OK;
    }
    kn__buffer_addf(
        &b,
        "The records are still in the order of the input, which is sorted by %s, a column that "
        "was %s. The order tells about the values that the file hides: publish with --shuffle.",
        c->name, quasi ? "generalised" : "left out");
    return warn(r, cap, &b, err);
}

/* Of item lists: records that nothing can be known of, and an m that asks for less than it seems.
 */
static kn_status warn_items(kn_report *r, size_t *cap, const kn_items_seen *seen, kn_error *err)
{
    kn_buffer b = {0};
    kn_status status = KN_OK;

    if (seen->empty) {
        kn__say_things(&b, seen->empty, "record has", "records have");
        kn__buffer_adds(&b,
                        " no items and stayed in the file: that somebody has none is published");
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
        const bool of_items = g->kind == KN_KM_ANONYMITY || g->kind == KN_K_KM_ANONYMITY ||
                              g->kind == KN_K_LM_DIVERSITY;
        if (of_items && seen->longest && g->m > seen->longest) {
            kn__buffer_adds(&b, "No record has more than ");
            kn__say_things(&b, seen->longest, "item", "items");
            kn__buffer_addf(&b, ", so m = %zu asks for k-anonymity of whole records.", g->m);
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
    kn_status status = KN_OK;

    if (!r->satisfied && r->guarantees_count) {
        kn__buffer_adds(&b, "The file does not hold what was asked. Do not publish it.");
        status = warn(r, &cap, &b, err);
    }
    if (status == KN_OK && r->quasis == 0) {
        kn__buffer_adds(
            &b, "No column is a quasi-identifier, so nothing was generalised and nothing is "
                "protected beyond the columns left out.");
        status = warn(r, &cap, &b, err);
    }
    if (status == KN_OK && in && r->suppressed * 10 > in) {
        kn__say_share(&b, (double)r->suppressed / (double)in);
        kn__buffer_adds(
            &b, " of the records were suppressed. What is left may no longer speak for all: "
                "allow more generalisation, ask for less, or lower --suppression.");
        status = warn(r, &cap, &b, err);
    }
    if (status == KN_OK && r->sizes_after.all && r->sizes_after.smallest < KN_REPORT_LEAST) {
        kn__buffer_adds(&b, "The smallest group of look-alikes has only ");
        kn__say_things(&b, r->sizes_after.smallest, "record", "records");
        kn__buffer_adds(
            &b, ". Groups below 5 are often thought too small for data that leave the house.");
        status = warn(r, &cap, &b, err);
    }
    if (status == KN_OK && facts->after && kn_verdict_items(facts->after)) {
        status = warn_items(r, &cap, kn_verdict_items(facts->after), err);
    }
    for (size_t i = 0; i < facts->original->notes_count && status == KN_OK; i++) {
        const char *note = facts->original->notes[i];
        kn__buffer_addc(&b, (char)(*note >= 'a' && *note <= 'z' ? *note - 'a' + 'A' : *note));
        kn__buffer_addf(&b, "%s.", note + 1);
        status = warn(r, &cap, &b, err);
    }
    for (size_t i = 0; i < r->columns && status == KN_OK; i++) {
        if (r->column[i].role == KN_ROLE_KEPT) {
            status = warn_kept(r, &cap, &r->column[i], facts->published, err);
        } else if (r->column[i].role == KN_ROLE_SENSITIVE) {
            status = warn_sensitive(r, &cap, &r->column[i], facts->published, err);
        }
        if (status == KN_OK && !r->shuffled && facts->published->records > 1) {
            status = warn_sorted(r, &cap, &r->column[i], facts->original->column[i].order, err);
        }
    }
    return status;
}
