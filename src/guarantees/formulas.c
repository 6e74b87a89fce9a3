/* formulas.c - guarantees made ready for a table, and one door to their formulas. */
#include "guarantees/formulas.h"
#include "guarantees/registry.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
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
        const kn_reference *tree = f->sensitive[i].reference[KN_HIERARCHICAL];
        const size_t here = kn__column_values(f->sensitive[i].column);
        values = here > values ? here : values;
        nodes = tree && tree->nodes > nodes ? tree->nodes : nodes;
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
    kn__free(s->histogram.count);
    kn__free(s->histogram.codes);
    kn__free(s->sorted);
    kn__free(s->held);
    kn__free(s->surplus);
    kn__free(s->nodes);
    memset(s, 0, sizeof *s);
}

/* ---- preparing ---- */

/* The dictionary keeps numbers as they were written; "1.0" and "1.00" are one value to an
 * attacker. */
static kn_status find_same(kn_sensitive *s, kn_error *err)
{
    const kn_column *c = s->column;
    const uint32_t values = kn__column_values(c);
    bool any = false;

    if (!c->numbers) {
        return KN_OK;
    }
    for (uint32_t i = 1; i < values; i++) {
        any = any || c->numbers[i] == c->numbers[i - 1];
    }
    if (!any) {
        return KN_OK;
    }
    s->same = kn__malloc_array(values, sizeof *s->same);
    if (!s->same) {
        return kn__nomem(err);
    }
    s->same[0] = 0;
    for (uint32_t i = 1; i < values; i++) {
        s->same[i] = c->numbers[i] == c->numbers[i - 1] ? s->same[i - 1] : i;
    }
    return KN_OK;
}

static kn_status make_references(kn_formulas *f, kn_sensitive *s, const kn_dataset *ds,
                                 const kn_hierarchies *hierarchies, const uint8_t *kept,
                                 kn_error *err)
{
    uint32_t *counts = kn__zalloc_array(kn__column_values(s->column), sizeof *counts);
    kn_status status = KN_OK;
    uint64_t records = 0;

    if (!counts) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < ds->records; i++) {
        if (!kept || kept[i]) {
            const uint32_t code = kn__column_code(s->column, i);
            counts[s->same ? s->same[code] : code] += kn__dataset_count(ds, i);
            records += kn__dataset_count(ds, i);
        }
    }
    for (size_t i = 0; i < f->count && status == KN_OK; i++) {
        const kn_distance distance = f->guarantees[i].distance;
        if (kn__guarantee_row(f->guarantees[i].kind)->reference && !s->reference[distance]) {
            status = kn__reference_new(&s->reference[distance], s->column, distance, counts,
                                       records, hierarchies, err);
        }
    }
    kn__free(counts);
    return status;
}

/* `asked` is the guarantee that needs sensitive columns. */
static kn_status prepare_sensitive(kn_formulas *f, const char *asked, const kn_dataset *ds,
                                   const kn_hierarchies *hierarchies, const uint8_t *kept,
                                   kn_error *err)
{
    kn_status status = KN_OK;
    size_t *columns = NULL, count = 0;

    status = kn__dataset_with_role(ds, KN_ROLE_SENSITIVE, &columns, &count, err);
    if (status != KN_OK) {
        return status;
    }
    if (count == 0) {
        status = kn__fail(err, KN_EUSAGE,
                          "%s protects sensitive columns, and no column is sensitive: say which "
                          "(--sensitive, or \"role\": \"sensitive\" in the schema)",
                          asked);
        goto done;
    }
    f->sensitive = kn__zalloc_array(count, sizeof *f->sensitive);
    if (!f->sensitive) {
        status = kn__nomem(err);
        goto done;
    }
    f->sensitives = count;
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        kn_sensitive *s = &f->sensitive[i];
        s->column = &ds->column[columns[i]];
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
            status = find_same(s, err);
        }
        if (status == KN_OK && f->reference) {
            status = make_references(f, s, ds, hierarchies, kept, err);
        }
    }

done:
    kn__free(columns);
    return status;
}

kn_status kn__formulas_new(kn_formulas **out, const kn_guarantee *guarantees, size_t count,
                           const kn_dataset *ds, const kn_hierarchies *hierarchies,
                           const uint8_t *kept, kn_error *err)
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
    if (!f->guarantees) {
        status = kn__nomem(err);
        goto done;
    }
    memcpy(f->guarantees, guarantees, count * sizeof *guarantees);
    f->count = count;
    f->least = 1;
    for (size_t i = 0; i < count; i++) {
        const kn_guarantee *g = &guarantees[i];
        const kn_guarantee_row *row = kn__guarantee_row(g->kind);
        const size_t least = row->least ? row->least(g) : 1;
        f->least = least > f->least ? least : f->least;
        f->reference = f->reference || row->reference;
        if (!of_values && row->about & KN_ABOUT_VALUES) {
            of_values = row->entry.name;
        }
    }
    if (of_values) {
        status = prepare_sensitive(f, of_values, ds, hierarchies, kept, err);
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
            kn__reference_free(f->sensitive[i].reference[d]);
        }
    }
    kn__free(f->sensitive);
    kn__free(f->guarantees);
    kn__free(f);
}
