/* formulas.c - guarantees made ready for a table, and one door to their formulas. */
#include "guarantees/formulas.h"
#include "guarantees/registry.h"

#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

void kn__histogram_add(kn_histogram *h, const kn_sensitive *sensitive, const uint32_t *records,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t code = kn__column_code(sensitive->column, records[i]);
        kn__histogram_add_code(h, sensitive->same ? sensitive->same[code] : code,
                               sensitive->counts ? sensitive->counts[records[i]] : 1);
    }
}

void kn__histogram_reset(kn_histogram *h)
{
    for (uint32_t i = 0; i < h->distinct; i++) {
        h->count[h->codes[i]] = 0;
    }
    h->distinct = 0;
    h->total = 0;
}

kn_status kn__formula_scratch_init(kn_formula_scratch *s, const kn_formulas *f, kn_error *err)
{
    size_t values = 0, nodes = 0;

    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < f->sensitives; i++) {
        const size_t here = kn__column_values(f->sensitive[i].coded);
        values = here > values ? here : values;
        for (size_t r = 0; r < 2; r++) {
            const kn_reference *tree = f->sensitive[i].reference[r][KN_HIERARCHICAL];
            nodes = tree && tree->nodes > nodes ? tree->nodes : nodes;
        }
    }
    s->histogram.count = kn__zalloc_array(values, sizeof *s->histogram.count);
    s->histogram.codes = kn__malloc_array(values, sizeof *s->histogram.codes);
    s->sorted = kn__malloc_array(values, sizeof *s->sorted);
    s->held = kn__zalloc_array(nodes, sizeof *s->held);
    s->surplus = kn__zalloc_array(nodes, sizeof *s->surplus);
    s->nodes = kn__malloc_array(nodes, sizeof *s->nodes);
    if (!s->histogram.count || !s->histogram.codes || !s->sorted || !s->held || !s->surplus ||
        !s->nodes) {
        kn__formula_scratch_clear(s);
        return kn__nomem(err);
    }
    return KN_OK;
}

void kn__formula_scratch_clear(kn_formula_scratch *s)
{
    KN_FREE(s->histogram.count, s->histogram.codes, s->sorted, s->held, s->surplus, s->nodes);
    memset(s, 0, sizeof *s);
}

/* ---- preparing ---- */

/* The dictionary keeps numbers as they were written; "1.0" and "1.00" are one value to an
 * attacker. `*out` stays NULL where each code is its own. */
static kn_status find_same(uint32_t **out, const kn_column *c, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    bool any = false;

    *out = NULL;
    for (uint32_t i = 1; c->numbers && i < values; i++) {
        any = any || c->numbers[i] == c->numbers[i - 1];
    }
    if (!any) {
        return KN_OK;
    }
    *out = kn__malloc_array(values, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    (*out)[0] = 0;
    for (uint32_t i = 1; i < values; i++) {
        (*out)[i] = c->numbers[i] == c->numbers[i - 1] ? (*out)[i - 1] : i;
    }
    return KN_OK;
}

/* The code of `original` with the value of `code` of `c`: the same text, or the same number however
 * it is written. KN_NO_CODE: there is none. O(log values). */
static uint32_t find_value(const kn_column *original, const kn_column *c, uint32_t code)
{
    size_t len;
    const char *text = kn__column_text(c, code, &len);
    uint32_t low = 0, high = kn__column_values(original), found;

    if (code == c->missing) {
        return original->missing;
    }
    found = kn__dict_find(original->dict, text, len);
    if (found != KN_NO_CODE || !c->numbers || !original->numbers) {
        return found == original->missing ? KN_NO_CODE : found;
    }
    while (low < high) { /* numbers ascend; the missing value, NaN, is last */
        const uint32_t middle = low + (high - low) / 2;
        if (original->numbers[middle] < c->numbers[code]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < kn__column_values(original) && original->numbers[low] == c->numbers[code]
               ? low
               : KN_NO_CODE;
}

/* Let the histograms of `s` have the codes of the original's column. */
static kn_status code_by_original(kn_sensitive *s, const kn_dataset *original, kn_error *err)
{
    const kn_column *c = s->column;
    const size_t at = kn_dataset_find(original, c->name);
    uint32_t *own = NULL, lacking = 0;
    kn_status status = KN_OK;

    if (at == SIZE_MAX || !original->column[at].dict ||
        kn__type_is_list(original->column[at].type)) {
        return kn__fail(err, KN_EINPUT,
                        "the original has no column \"%s\" with one value a record: classes are "
                        "compared with its distribution there",
                        c->name);
    }
    s->coded = &original->column[at];
    kn__free(s->same);
    s->same = kn__malloc_array(kn__column_values(c), sizeof *s->same);
    KN_TRY(s->same ? find_same(&own, s->coded, err) : kn__nomem(err));
    for (uint32_t i = 0; i < kn__column_values(c); i++) {
        const uint32_t code = find_value(s->coded, c, i);
        lacking += code == KN_NO_CODE;
        s->same[i] = own && code != KN_NO_CODE ? own[code] : code;
    }
    if (lacking) {
        status = kn__fail(err, KN_EINPUT,
                          "%u value%s of sensitive column \"%s\" %s not in the original: the table "
                          "was not made of it; name the file that it was made of",
                          lacking, lacking == 1 ? "" : "s", c->name, lacking == 1 ? "is" : "are");
    }
done:
    kn__free(own);
    return status;
}

/* Records by code of `s->coded`. */
typedef struct counted {
    uint32_t *counts;
    uint64_t records;
} counted;

static kn_status count_published(counted *out, const kn_sensitive *s, const kn_formula_tables *t,
                                 kn_error *err)
{
    *out = (counted){kn__zalloc_array(kn__column_values(s->coded), sizeof *out->counts), 0};
    KN_PASS(out->counts ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->ds->records; i++) {
        if (!t->kept || t->kept[i]) {
            const uint32_t code = kn__column_code(s->column, i);
            out->counts[s->same ? s->same[code] : code] += kn__dataset_count(t->ds, i);
            out->records += kn__dataset_count(t->ds, i);
        }
    }
    return KN_OK;
}

static kn_status count_original(counted *out, const kn_sensitive *s, const kn_formula_tables *t,
                                const counted *published, kn_error *err)
{
    const uint32_t values = kn__column_values(s->coded);
    uint32_t *own = NULL;
    kn_status status;

    *out = (counted){kn__zalloc_array(values, sizeof *out->counts),
                     kn__dataset_people(t->original)};
    KN_TRY(out->counts ? find_same(&own, s->coded, err) : kn__nomem(err));
    for (size_t i = 0; i < t->original->records; i++) {
        const uint32_t code = kn__column_code(s->coded, i);
        out->counts[own ? own[code] : code] += kn__dataset_count(t->original, i);
    }
    for (uint32_t i = 0; i < values; i++) {
        if (published->counts[i] > out->counts[i]) {
            KN_TRY(
                kn__fail(err, KN_EINPUT,
                         "a value of sensitive column \"%s\" is held by more records than in the "
                         "original: the table was not made of it; name the file that it was "
                         "made of",
                         s->column->name));
        }
    }
done:
    kn__free(own);
    return status;
}

static kn_status make_references(kn_formulas *f, kn_sensitive *s, const kn_formula_tables *t,
                                 kn_error *err)
{
    counted of[2] = {{0}};
    kn_status status;

    assert(!f->original || t->original);
    if (f->original && t->original != t->ds) {
        KN_TRY(code_by_original(s, t->original, err));
    }
    KN_TRY(count_published(&of[KN_REFERENCE_PUBLISHED], s, t, err));
    if (f->original) {
        KN_TRY(count_original(&of[KN_REFERENCE_ORIGINAL], s, t, &of[KN_REFERENCE_PUBLISHED], err));
    }
    for (size_t i = 0; i < f->count; i++) {
        const kn_guarantee *g = &f->guarantees[i];
        kn_reference **out = &s->reference[g->reference][g->distance];
        if (kn__guarantee_row(g->kind)->reference && !kn__formula_open(f, i) && !*out) {
            KN_TRY(kn__reference_new(out, s->coded, g->distance, of[g->reference].counts,
                                     of[g->reference].records, t->hierarchies, err));
        }
    }
done:
    KN_FREE(of[KN_REFERENCE_PUBLISHED].counts, of[KN_REFERENCE_ORIGINAL].counts);
    return status;
}

/* `asked` is the guarantee that needs sensitive columns. */
static kn_status prepare_sensitive(kn_formulas *f, const char *asked, const kn_formula_tables *t,
                                   kn_error *err)
{
    const kn_dataset *ds = t->ds;
    kn_status status = KN_OK;
    size_t *columns = NULL, count = 0;

    status = kn__dataset_with_role(ds, KN_ROLE_SENSITIVE, &columns, &count, err);
    if (status != KN_OK) {
        return status;
    }
    if (count == 0) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "%s protects sensitive columns, and no column is sensitive: say which "
                        "(--sensitive, or \"role\": \"sensitive\" in the schema)",
                        asked));
    }
    f->sensitive = kn__zalloc_array(count, sizeof *f->sensitive);
    KN_TRY(f->sensitive ? KN_OK : kn__nomem(err));
    f->sensitives = count;
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        kn_sensitive *s = &f->sensitive[i];
        s->column = s->coded = &ds->column[columns[i]];
        s->counts = ds->counts;
        if (kn__type_is_list(s->column->type)) {
            status = kn__fail(
                err, KN_EUSAGE,
                "%s needs sensitive columns with one value a record, and column \"%s\" "
                "holds lists",
                asked, s->column->name);
        } else if (!s->column->dict) {
            status = kn__fail(err, KN_EUSAGE,
                              "%s: sensitive column \"%s\" was read without its values", asked,
                              s->column->name);
        } else {
            status = find_same(&s->same, s->column, err);
        }
        if (status == KN_OK && f->reference) {
            status = make_references(f, s, t, err);
        }
    }

done:
    kn__free(columns);
    return status;
}

kn_status kn__formulas_new(kn_formulas **out, const kn_guarantee *guarantees, size_t count,
                           const kn_formula_tables *t, kn_error *err)
{
    kn_formulas *f = NULL;
    const char *of_values = NULL;
    kn_status status = KN_OK;

    *out = NULL;
    if (count == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "no guarantee was asked for: name one, such as k-anonymity with k");
    }
    for (size_t i = 0; i < count; i++) {
        status = kn_guarantee_validate(&guarantees[i], err);
        if (status != KN_OK) {
            return status;
        }
    }
    f = kn__zalloc(sizeof *f);
    if (!f) {
        return kn__nomem(err);
    }
    f->guarantees = kn__malloc_array(count, sizeof *f->guarantees);
    KN_TRY(f->guarantees ? KN_OK : kn__nomem(err));
    memcpy(f->guarantees, guarantees, count * sizeof *guarantees);
    f->count = count;
    f->least = 1;
    for (size_t i = 0; i < count; i++) {
        const kn_guarantee *g = &guarantees[i];
        const kn_guarantee_row *row = kn__guarantee_row(g->kind);
        const size_t least = row->least ? row->least(g) : 1;
        f->least = least > f->least ? least : f->least;
        f->reference = f->reference || row->reference;
        f->moves = f->moves || (row->reference && !kn_guarantee_compares_original(g));
        f->original = f->original || (t->original && kn_guarantee_compares_original(g));
        f->open = f->open || (!t->original && kn_guarantee_compares_original(g));
        if (!of_values && row->about & KN_ABOUT_VALUES) {
            of_values = row->entry.name;
        }
    }
    if (of_values) {
        status = prepare_sensitive(f, of_values, t, err);
    }
    if (status == KN_OK) {
        *out = f;
        f = NULL;
    }

done:
    kn__formulas_free(f);
    return status;
}

void kn__formulas_free(kn_formulas *f)
{
    if (!f) {
        return;
    }
    for (size_t i = 0; i < f->sensitives; i++) {
        kn__free(f->sensitive[i].same);
        for (size_t d = 0; d < 3; d++) {
            kn__reference_free(f->sensitive[i].reference[KN_REFERENCE_PUBLISHED][d]);
            kn__reference_free(f->sensitive[i].reference[KN_REFERENCE_ORIGINAL][d]);
        }
    }
    KN_FREE(f->sensitive, f->guarantees, f);
}
