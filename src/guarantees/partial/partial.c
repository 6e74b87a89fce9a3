/* partial.c - counts of slices as a value: made, filled, written, merged, read. */
#include "guarantees/partial/partial.h"
#include "base/args.h"
#include "base/memory.h"
#include "guarantees/formulas.h"
#include "guarantees/registry.h"

#include <string.h>

static const char magic[8] = {'K', 'N', 'P', 'A', 'R', 'T', '1', '\n'};

enum { MOST_PARTS = 1 << 16 };

/* ---- made and freed ---- */

void kn_partial_free(kn_partial *p)
{
    if (p) {
        kn__free(p->guarantees);
        kn__code_space_clear(&p->space);
        KN_FREE(p->quasi, p->sensitive);
        kn__class_counts_clear(&p->classes);
        kn__partial_free(p->items);
        KN_FREE(p->covered, p);
    }
}

/* Which family the guarantees are of, and whether they look at sensitive values. */
static kn_status look_at_guarantees(kn_partial *p, const kn_partial_options *o, bool *values,
                                    kn_error *err)
{
    for (size_t i = 0; i < o->guarantees_count; i++) {
        const kn_guarantee *g = &o->guarantees[i];
        KN_PASS(kn_guarantee_validate(g, err));
        if (g->kind != KN_KM_ANONYMITY && !kn__guarantee_of_classes(g)) {
            KN_PASS(kn__fail(
                err, KN_EUSAGE,
                "%s cannot be counted by slices: k-anonymity, l-diversity, t-closeness and "
                "km-anonymity can",
                kn_guarantee_name(g->kind)));
        }
        if (kn_guarantee_compares_original(g)) {
            KN_PASS(kn__fail(err, KN_EUSAGE,
                             "%s compared with the original table cannot be counted by slices of a "
                             "release: take the published table as the reference",
                             kn_guarantee_name(g->kind)));
        }
        if (i && (g->kind == KN_KM_ANONYMITY) != p->of_items) {
            KN_PASS(kn__fail(err, KN_EUSAGE,
                             "km-anonymity and guarantees of classes are counted apart: make two "
                             "partial counts"));
        }
        p->of_items = g->kind == KN_KM_ANONYMITY;
        p->below = g->k > p->below ? g->k : p->below;
        p->how.m = g->m > p->how.m ? g->m : p->how.m;
        *values = *values || kn__guarantee_is_about(g, KN_ABOUT_VALUES);
    }
    KN_PASS(o->guarantees_count ? KN_OK : kn__fail(err, KN_EUSAGE, "no guarantee is asked for"));
    if (!p->of_items && (o->parts > 1 || o->part)) {
        KN_PASS(kn__fail(err, KN_EUSAGE, "only km-anonymity is counted in parts"));
    }
    p->parts = o->parts ? o->parts : 1;
    if (p->parts > MOST_PARTS || o->part >= p->parts) {
        KN_PASS(kn__fail(err, KN_EUSAGE,
                         "part %lu of %lu: parts are numbered from 0, and there are %d at most",
                         (unsigned long)o->part, (unsigned long)p->parts, MOST_PARTS));
    }
    return KN_OK;
}

static kn_status choose_columns(kn_partial *p, bool values, kn_error *err)
{
    p->quasi = kn__malloc_array(p->space.columns, sizeof *p->quasi);
    p->sensitive = kn__malloc_array(p->space.columns, sizeof *p->sensitive);
    KN_PASS(p->quasi && p->sensitive ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < p->space.columns; i++) {
        const kn_dictionary_column *c = &p->space.column[i];
        if (c->sensitive ? values : true) {
            if ((c->cells == KN_CELL_VALUE) == p->of_items && !c->sensitive) {
                KN_PASS(kn__fail(
                    err, KN_EUSAGE,
                    p->of_items ? "quasi-identifier \"%.100s\" has one value a record, and "
                                  "km-anonymity is about items: give it another role"
                                : "quasi-identifier \"%.100s\" holds lists: ask for km-anonymity, "
                                  "or give it another role",
                    c->name));
            }
            if (c->sensitive && c->cells != KN_CELL_VALUE) {
                KN_PASS(kn__fail(
                    err, KN_EUSAGE,
                    "sensitive column \"%.100s\" holds lists: this guarantee is for columns "
                    "with one value a record",
                    c->name));
            }
            if (c->sensitive) {
                p->sensitive[p->sensitives++] = i;
            } else {
                p->quasi[p->quasis++] = i;
            }
        }
    }
    if (p->quasis == 0 || (p->of_items && p->quasis > 1)) {
        KN_PASS(kn__fail(err, KN_EUSAGE,
                         p->quasis
                             ? "several quasi-identifiers hold items: km-anonymity is about one"
                             : "no column is a quasi-identifier, so there is nothing to count"));
    }
    if (values && p->sensitives == 0) {
        KN_PASS(kn__fail(err, KN_EUSAGE,
                         "no column is sensitive, and a guarantee is about such values"));
    }
    return KN_OK;
}

kn_status kn_partial_new(kn_partial **out, const kn_dictionary *d,
                         const kn_partial_options *options, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, d, options);
    KN_NEED_SIZED(err, options);
    if (options->guarantees_count) {
        KN_NEED(err, options->guarantees);
    }
    KN_NEED_SIZED_LIST(err, options->guarantees, options->guarantees_count);

    kn_partial *p = kn__zalloc(sizeof *p);
    bool values = false;
    kn_status status;

    KN_TRY(p ? KN_OK : kn__nomem(err));
    KN_TRY(look_at_guarantees(p, options, &values, err));
    p->guarantees_count = options->guarantees_count;
    p->guarantees = kn__malloc_array(p->guarantees_count, sizeof *p->guarantees);
    p->covered = kn__zalloc_array(p->parts, 1);
    KN_TRY(p->guarantees && p->covered ? KN_OK : kn__nomem(err));
    memcpy(p->guarantees, options->guarantees, p->guarantees_count * sizeof *p->guarantees);
    KN_TRY(kn__code_space_new(&p->space, d, err));
    KN_TRY(choose_columns(p, values, err));
    KN_TRY(kn__class_counts_init(&p->classes, err));
    p->how.parts = p->parts;
    p->how.part = options->part;
    p->how.codes = p->space.hash;
    *out = p;
    p = NULL;
done:
    kn_partial_free(p);
    return status;
}

/* ---- filled ---- */

static kn_status refuse_broken(const kn_partial *p, kn_error *err)
{
    return p->broken ? kn__fail(err, KN_EUSAGE, "counting was stopped in the middle: count again")
                     : KN_OK;
}

kn_status kn_partial_add(kn_partial *p, const kn_dataset *slice, const kn_run *run, kn_error *err)
{
    KN_NEED(err, p, slice);
    KN_NEED_ROWS(err, slice);
    KN_NEED_SIZED(err, run);

    size_t *at = NULL;
    kn_status status;

    KN_TRY(refuse_broken(p, err));
    KN_TRY(kn__space_columns(&at, &p->space, slice, err));
    KN_TRY(p->of_items ? kn__items_add(p, slice, at, run, err)
                       : kn__classes_add(p, slice, at, run, err));
done:
    kn__free(at);
    return status;
}

kn_status kn_partial_write(unsigned char **out, size_t *len, const kn_partial *p, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, len, p);

    kn_buffer b = {0};
    kn_status status;

    *len = 0;
    KN_TRY(refuse_broken(p, err));
    kn__buffer_add(&b, magic, sizeof magic);
    kn__put(&b, p->of_items, 1);
    kn__put(&b, p->space.hash, 8);
    kn__put(&b, p->records, 8);
    KN_TRY(p->of_items ? kn__items_write(p, &b, err) : kn__classes_write(p, &b, err));
    KN_TRY(kn__put_end(&b, out, len, err));
done:
    kn__buffer_free(&b);
    return status;
}

kn_status kn_partial_merge(kn_partial *p, const unsigned char *bytes, size_t len, kn_error *err)
{
    KN_NEED(err, p, bytes);

    kn_byte_reader r;
    uint64_t of_items, hash;
    kn_status status;

    KN_TRY(refuse_broken(p, err));
    KN_TRY(kn__take_begin(&r, magic, "partial count", bytes, len, err));
    of_items = kn__take(&r, 1);
    hash = kn__take(&r, 8);
    if (r.short_of || of_items > 1) {
        KN_TRY(
            kn__fail(err, KN_EINPUT, "these bytes are no counts: they begin with what cannot be"));
    }
    if (hash != p->space.hash || (of_items == 1) != p->of_items) {
        KN_TRY(
            kn__fail(err, KN_EUSAGE,
                     "these counts were made with another dictionary or for other guarantees: give "
                     "every slice the merged dictionary"));
    }
    if (p->of_items) {
        KN_TRY(kn__items_read(p, r, err));
    } else {
        KN_TRY(kn__classes_read(p, r, false, err));
        status = kn__classes_read(p, r, true, err);
        p->broken = status != KN_OK;
    }
done:
    return status;
}

/* ---- read ---- */

uint64_t kn_partial_records(const kn_partial *p)
{
    return p ? p->records : 0;
}

size_t kn_partial_classes(const kn_partial *p)
{
    return p ? p->classes.keys->len : 0;
}

uint64_t kn_partial_class_size(const kn_partial *p, size_t i)
{
    return i < kn_partial_classes(p) ? p->classes.size[i] : 0;
}

size_t kn_partial_columns(const kn_partial *p)
{
    return p ? p->space.columns : 0;
}

const char *kn_partial_column_name(const kn_partial *p, size_t column)
{
    return column < kn_partial_columns(p) ? p->space.column[column].name : NULL;
}

uint32_t kn_partial_class_code(const kn_partial *p, size_t i, size_t column)
{
    for (size_t q = 0; i < kn_partial_classes(p) && q < p->quasis; q++) {
        if (p->quasi[q] == column) {
            return kn__class_code(&p->classes, (uint32_t)i, q);
        }
    }
    return KN_NO_CODE;
}

const char *kn_partial_value(const kn_partial *p, size_t column, uint32_t code, size_t *len)
{
    const kn_dict *texts = column < kn_partial_columns(p) ? p->space.column[column].texts : NULL;
    size_t ignored;

    len = len ? len : &ignored;
    *len = 0;
    return texts && code < texts->len ? kn__dict_text(texts, code, len) : NULL;
}
