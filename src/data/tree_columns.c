/* tree_columns.c - tree records as a dataset: one set column per class beside the forest.
 *
 * Roles, hierarchies and dictionaries belong to classes, and everything that knows columns of items
 * (profiles, reading of hierarchies, conversion to CSV) finds them there. The relations between the
 * values are in the forest only. Why so: docs/decisions/0026-tree-records.md. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/dataset.h"

#include <string.h>

/* What the schema says of class `c->name`. */
static kn_status apply_schema(kn_column *c, const kn_schema *s, kn_error *err)
{
    const kn_column_spec *spec = kn__schema_find(s, c->name);

    c->role = kn__schema_role_of(s, c->name, true, &c->chosen);
    if (c->role == KN_ROLE_UNSET && s && s->rest != KN_ROLE_UNSET) {
        c->role = s->rest;
        c->chosen = KN_CHOSEN_REST;
    }
    if (c->role == KN_ROLE_UNSET) {
        c->role = KN_ROLE_QUASI;
        c->chosen = KN_CHOSEN_IMPLIED;
    }
    if (spec) {
        kn__column_apply_spec(c, spec);
        KN_PASS(kn__named_items_copy(&c->sensitive, &spec->sensitive, err));
        KN_PASS(kn__item_weights_copy(&c->item_weights, &spec->item_weights, err));
    }
    return KN_OK;
}

/* The values of class `class_` in each record, each once, ascending. */
static kn_status fill_column(kn_column *c, const kn_forest *f, uint16_t class_, kn_error *err)
{
    uint32_t first, end, *codes = NULL;
    size_t cap = 0, len = 0;
    kn_status status;

    kn__forest_class_values(f, class_, &first, &end);
    KN_TRY(kn__dict_new(&c->dict, err));
    for (uint32_t code = first; code < end; code++) {
        KN_TRY(kn__dict_append(c->dict, f->text[code], strlen(f->text[code]), err));
    }
    c->starts = kn__malloc_array(f->records + 1, sizeof *c->starts);
    KN_TRY(c->starts ? KN_OK : kn__nomem(err));
    c->starts[0] = 0;
    for (size_t r = 0; r < f->records; r++) {
        const size_t begin = len;
        size_t kept = begin;
        KN_TRY(kn__grow(&codes, &cap, len + kn__forest_size(f, r) + 1, sizeof *codes, err));
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            if (f->value[i] >= first && f->value[i] < end) {
                codes[len++] = f->value[i] - first;
            }
        }
        kn__sort_u32(codes + begin, len - begin);
        for (size_t i = begin; i < len; i++) {
            if (i == begin || codes[i] != codes[kept - 1]) {
                codes[kept++] = codes[i];
            }
        }
        len = kept;
        c->starts[r + 1] = len;
    }
    c->width = kn__code_width(end - first);
    c->codes = kn__malloc_array(len, c->width);
    KN_TRY(c->codes ? KN_OK : kn__nomem(err));
    kn__codes_set(c->codes, c->width, codes, len);
done:
    kn__free(codes);
    return status;
}

static kn_status leave_out_unpublished(const kn_dataset *ds, kn_forest *f, kn_error *err)
{
    bool *out = kn__zalloc_array(ds->columns, sizeof *out), any = false;
    kn_status status = out ? KN_OK : kn__nomem(err);

    for (size_t i = 0; out && i < ds->columns; i++) {
        out[i] = ds->column[i].role == KN_ROLE_IDENTIFIER || ds->column[i].role == KN_ROLE_DROPPED;
        any = any || out[i];
    }
    if (status == KN_OK && any) {
        status = kn__forest_leave_out(f, out, err);
    }
    kn__free(out);
    return status;
}

static kn_status note_merged(kn_dataset *ds, uint64_t merged, kn_error *err)
{
    kn_buffer note = {0};
    kn_status status = KN_OK;

    if (merged) {
        kn__buffer_addf(&note,
                        "%llu node%s equal to a sibling, and %s merged with it: siblings of a tree "
                        "are distinct",
                        (unsigned long long)merged, merged == 1 ? " was" : "s were",
                        merged == 1 ? "was" : "were");
        status = kn__dataset_add_note(ds, &note, err);
    }
    kn__buffer_free(&note);
    return status;
}

kn_status kn__dataset_of_forest(kn_dataset **out, kn_forest *f, const kn_schema *schema,
                                bool keep_dropped, kn_error *err)
{
    kn_dataset *ds = NULL;
    uint64_t merged;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__forest_normalise(f, &merged, err));
    KN_TRY(kn__forest_check(f, err));
    KN_TRY(kn__dataset_new(&ds, f->classes.len, err));
    for (size_t i = 0; i < ds->columns; i++) {
        uint32_t begin, end;
        kn__forest_class_values(f, (uint16_t)i, &begin, &end);
        ds->column[i].absent = begin == end; /* values that a file lists are in it without a node */
    }
    KN_TRY(kn__forest_compact(f, err));
    for (size_t i = 0; i < ds->columns; i++) {
        kn_column *c = &ds->column[i];
        c->name = kn__strdup(f->classes.name[i]);
        KN_TRY(c->name ? KN_OK : kn__nomem(err));
        c->type = KN_TYPE_SET;
        c->declared = true;
        KN_TRY(apply_schema(c, schema, err));
    }
    if (!keep_dropped) {
        KN_TRY(leave_out_unpublished(ds, f, err));
    }
    ds->records = f->records;
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_role role = ds->column[i].role;
        if (keep_dropped || (role != KN_ROLE_IDENTIFIER && role != KN_ROLE_DROPPED)) {
            KN_TRY(fill_column(&ds->column[i], f, (uint16_t)i, err));
        }
    }
    KN_TRY(note_merged(ds, merged, err));
    KN_TRY(kn__dataset_index_names(ds, err));
    ds->item_separator = kn__strdup(kn__schema_item_separator(schema));
    KN_TRY(ds->item_separator ? KN_OK : kn__nomem(err));
    ds->forest = f;
    f = NULL;
    *out = ds;
    ds = NULL;
done:
    kn__forest_free(f);
    kn_dataset_free(ds);
    return status;
}

bool kn_dataset_has_trees(const kn_dataset *ds)
{
    return ds && ds->forest;
}

kn_status kn__dataset_published_forest(const kn_dataset *ds, const kn_forest **out,
                                       kn_forest **owned, kn_error *err)
{
    bool all = true;
    kn_status status = KN_OK;

    *out = ds->forest;
    *owned = NULL;
    for (size_t i = 0; ds->forest && i < ds->columns; i++) {
        all = all && ds->column[i].role != KN_ROLE_IDENTIFIER &&
              ds->column[i].role != KN_ROLE_DROPPED;
    }
    if (all) {
        return KN_OK;
    }
    KN_TRY(kn__forest_copy(owned, ds->forest, err));
    KN_TRY(leave_out_unpublished(ds, *owned, err));
    *out = *owned;
done:
    if (status != KN_OK) {
        kn__forest_free(*owned);
        *owned = NULL;
        *out = NULL;
    }
    return status;
}
