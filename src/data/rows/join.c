/* join.c - add an item column of another table, and merge several item columns into one.
 *
 * A join is an index join: by code of the key column, the record that has it. Merging renames items
 * to COLUMN:ITEM, sorts the names, and maps every (column, code) to its new code. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/rows/group.h"

#include <stdlib.h>
#include <string.h>

/* Set role, weight and missing rule of a column that was made, not read. */
static void apply_spec(kn_column *c, const kn_schema *s)
{
    const kn_column_spec *spec = kn__schema_find(s, c->name);

    c->role = kn__schema_role_of(s, c->name, kn__type_is_list(c->type), &c->chosen);
    c->weight = 1;
    c->missing_rule = s->missing_rule;
    if (spec) {
        kn__column_apply_spec(c, spec);
    }
}

/* ---- join ---- */

/* The record that has each code of `on`, which must be a key. */
static kn_status find_records(const kn_column *on, size_t records, uint32_t **out, kn_error *err)
{
    if (on->starts || !on->dict || on->missing != KN_NO_CODE || kn__column_values(on) != records) {
        return kn__fail(err, KN_EINPUT,
                        on->missing != KN_NO_CODE
                            ? "column '%.100s' is empty in some records: a join needs a key in each"
                            : "column '%.100s' does not tell all records apart: join on one that "
                              "does, or group the rows by it first (--group-by)",
                        on->name);
    }
    *out = kn__malloc_array(records, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        (*out)[kn__column_code(on, i)] = (uint32_t)i;
    }
    return KN_OK;
}

/* Set `other_of`: by record here, the record of the other table. Returns how many records of the
 * other table have no record here. */
static size_t match(const kn_column *on, const uint32_t *record_of, const kn_column *key,
                    size_t others, uint32_t *other_of)
{
    size_t lost = 0;

    for (size_t i = 0; i < others; i++) {
        size_t len;
        const char *text = kn__column_text(key, kn__column_code(key, i), &len);
        const uint32_t code = kn__dict_find(on->dict, text, len);
        if (code == KN_NO_CODE) {
            lost++;
        } else {
            other_of[record_of[code]] = (uint32_t)i;
        }
    }
    return lost;
}

/* Move the lists of `from` to `out`, in the order of `other_of`. */
static kn_status take_lists(kn_column *from, const uint32_t *other_of, size_t records,
                            kn_column *out, kn_error *err)
{
    uint64_t *starts = kn__malloc_array(records + 1, sizeof *starts);
    void *codes = NULL;
    size_t total = 0, at = 0;
    kn_status status;

    for (size_t i = 0; i < records; i++) {
        if (other_of[i] != KN_NO_CODE) {
            total += (size_t)(from->starts[other_of[i] + 1] - from->starts[other_of[i]]);
        }
    }
    codes = kn__malloc_array(total, from->width);
    if (!starts || !codes) {
        KN_FREE(starts, codes);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < records; i++) {
        starts[i] = at;
        if (other_of[i] != KN_NO_CODE) {
            const size_t begin = (size_t)from->starts[other_of[i]];
            const size_t len = (size_t)from->starts[other_of[i] + 1] - begin;
            memcpy((char *)codes + at * from->width,
                   (const char *)from->codes + begin * from->width, len * from->width);
            at += len;
        }
    }
    starts[records] = at;
    KN_FREE(from->starts, from->codes);
    *out = *from;
    *from = (kn_column){.missing = KN_NO_CODE};
    out->starts = starts;
    out->codes = codes;
    status = kn__column_compact(out, records, err);
    if (status != KN_OK) {
        kn__column_clear(out);
    }
    return status;
}

kn_status kn__dataset_join(kn_dataset *ds, const kn_schema *schema, size_t on, kn_dataset *other,
                           const char *key, const char *name, size_t *lost, kn_error *err)
{
    const size_t key_at = kn_dataset_find(other, key), list_at = kn_dataset_find(other, name);
    uint32_t *record_of = NULL, *other_of = NULL;
    kn_column *columns;
    kn_status status;

    KN_TRY(find_records(&ds->column[on], ds->records, &record_of, err));
    columns = kn__realloc_array(ds->column, ds->columns + 1, sizeof *columns);
    other_of = kn__malloc_array(ds->records, sizeof *other_of);
    if (columns) {
        ds->column = columns;
        columns[ds->columns] = (kn_column){.missing = KN_NO_CODE};
    }
    KN_TRY(columns && other_of ? KN_OK : kn__nomem(err));
    memset(other_of, 0xff, ds->records * sizeof *other_of);
    *lost = match(&ds->column[on], record_of, &other->column[key_at], other->records, other_of);
    KN_TRY(take_lists(&other->column[list_at], other_of, ds->records, &columns[ds->columns], err));
    kn__dataset_drop_name_index(ds);
    apply_spec(&ds->column[ds->columns++], schema);
done:
    KN_FREE(record_of, other_of);
    return status;
}

/* ---- merge item columns ---- */

/* An item of one of the columns, under its new name. */
typedef struct named {
    size_t begin, len; /* of its name in merging.texts */
    const char *text;  /* its name, once all texts are written */
    uint32_t number;   /* members in order, then codes in order */
} named;

typedef struct merging {
    kn_dataset *ds;
    const kn_bag_spec *spec;
    size_t *member; /* the columns to merge */
    kn_buffer texts;
    named *items;
    size_t count;
    uint32_t *final; /* by number: the new code, or KN_NO_CODE for the missing value */
} merging;

static int by_text(const void *x, const void *y)
{
    const named *a = x, *b = y;

    return kn__order_bytes(a->text, a->len, b->text, b->len);
}

/* Find the columns to merge; `*found` is 0 when the file has them merged already. */
static kn_status find_members(merging *m, const kn_schema *schema, size_t *found, kn_error *err)
{
    const kn_bag_spec *s = m->spec;
    const size_t named_at = kn_dataset_find(m->ds, s->name);
    const char *absent = NULL;
    bool own = false;

    *found = 0;
    for (size_t i = 0; i < s->count; i++) {
        const size_t at = kn_dataset_find(m->ds, s->columns[i]);
        if (at == SIZE_MAX) {
            absent = absent ? absent : s->columns[i];
            continue;
        }
        const kn_column *c = &m->ds->column[at];
        /* A key still has its values, although it is not published. */
        if (!c->dict || c->role == KN_ROLE_IDENTIFIER || c->role == KN_ROLE_DROPPED) {
            return kn__fail(
                err, KN_EINPUT,
                "item column '%.100s': column '%.100s' is left out of what is published "
                "(%s): it cannot be a part of it",
                s->name, s->columns[i], kn_role_name(c->role));
        }
        if (strchr(s->columns[i], ':')) {
            return kn__fail(
                err, KN_EINPUT,
                "item column '%.100s': column '%.100s' has a colon in its name, and its "
                "items would be called COLUMN:ITEM: rename it",
                s->name, s->columns[i]);
        }
        own = own || at == named_at;
        m->member[(*found)++] = at;
    }
    if (absent && (*found || (named_at == SIZE_MAX && !kn__schema_leaves_out(schema, s->name)))) {
        (void)kn__fail(err, KN_EINPUT,
                       "item column '%.100s': there is no column '%.100s' to put into it", s->name,
                       absent);
        return kn__about_column(err, KN_EINPUT, KN_ERROR_NO_COLUMN, absent);
    }
    if (*found && named_at != SIZE_MAX && !own) {
        return kn__fail(err, KN_EINPUT,
                        "item column '%.100s': there is a column of that name: call it otherwise",
                        s->name);
    }
    return KN_OK;
}

/* Put all items, under their new names and sorted, into the dictionary of `out`. */
static kn_status name_items(merging *m, kn_column *out, kn_error *err)
{
    size_t at = 0;

    for (size_t i = 0; i < m->spec->count; i++) {
        m->count += kn__column_values(&m->ds->column[m->member[i]]);
    }
    m->items = kn__malloc_array(m->count, sizeof *m->items);
    m->final = kn__malloc_array(m->count, sizeof *m->final);
    KN_PASS(m->items && m->final ? kn__dict_new(&out->dict, err) : kn__nomem(err));
    for (size_t i = 0; i < m->spec->count; i++) {
        const kn_column *c = &m->ds->column[m->member[i]];
        for (uint32_t code = 0; code < kn__column_values(c); code++, at++) {
            size_t len;
            const char *text = kn__column_text(c, code, &len);
            m->items[at] = (named){.begin = m->texts.len, .number = (uint32_t)at};
            kn__buffer_addf(&m->texts, "%s:", c->name);
            kn__buffer_add(&m->texts, text, len);
            m->items[at].len = m->texts.len - m->items[at].begin;
            m->final[at] = code == c->missing ? KN_NO_CODE : 0;
        }
    }
    KN_PASS(m->texts.failed ? kn__nomem(err) : KN_OK);
    for (size_t i = 0; i < m->count; i++) {
        m->items[i].text = m->texts.data + m->items[i].begin;
    }
    qsort(m->items, m->count, sizeof *m->items, by_text);
    for (size_t i = 0; i < m->count; i++) {
        const named *item = &m->items[i];
        if (m->final[item->number] != KN_NO_CODE) {
            m->final[item->number] = out->dict->len;
            KN_PASS(kn__dict_append(out->dict, item->text, item->len, err));
        }
    }
    return KN_OK;
}

/* Count the items of record `r` in `c`; write their new codes to `items` (may be NULL). */
static size_t items_of(const kn_column *c, const uint32_t *final, size_t r, uint32_t *items)
{
    const size_t begin = c->starts ? (size_t)c->starts[r] : r;
    const size_t end = c->starts ? (size_t)c->starts[r + 1] : r + 1;
    size_t len = 0;

    for (size_t i = begin; i < end; i++) {
        const uint32_t code = final[kn__column_code(c, i)];
        if (code != KN_NO_CODE) {
            if (items) {
                items[len] = code;
            }
            len++;
        }
    }
    return len;
}

static size_t items_of_all(const merging *m, size_t r, uint32_t *items)
{
    size_t len = 0, before = 0;

    for (size_t i = 0; i < m->spec->count; i++) {
        const kn_column *c = &m->ds->column[m->member[i]];
        len += items_of(c, m->final + before, r, items ? items + len : NULL);
        before += kn__column_values(c);
    }
    return len;
}

static kn_status merge_lists(const merging *m, kn_column *out, kn_error *err)
{
    size_t total = 0, longest = 1, at = 0;
    uint32_t *items;

    for (size_t r = 0; r < m->ds->records; r++) {
        const size_t len = items_of_all(m, r, NULL);
        total += len;
        longest = len > longest ? len : longest;
    }
    out->width = kn__code_width(out->dict->len);
    out->starts = kn__malloc_array(m->ds->records + 1, sizeof *out->starts);
    out->codes = kn__malloc_array(total, out->width);
    items = kn__malloc_array(longest, sizeof *items);
    if (!out->starts || !out->codes || !items) {
        kn__free(items);
        return kn__nomem(err);
    }
    for (size_t r = 0; r < m->ds->records; r++) {
        const size_t len = items_of_all(m, r, items);
        kn__sort_u32(items, len);
        out->starts[r] = at;
        for (size_t i = 0; i < len; i++) {
            if (out->type != KN_TYPE_SET || i == 0 || items[i] != items[i - 1]) {
                kn__code_set(out->codes, out->width, at++, items[i]);
            }
        }
    }
    out->starts[m->ds->records] = at;
    kn__free(items);
    return KN_OK;
}

static kn_type type_of_all(const merging *m, const kn_schema *schema)
{
    const kn_column_spec *spec = kn__schema_find(schema, m->spec->name);

    if (spec && spec->type != KN_TYPE_AUTO) {
        return spec->type;
    }
    for (size_t i = 0; i < m->spec->count; i++) {
        const kn_type type = m->ds->column[m->member[i]].type;
        if (type == KN_TYPE_BAG || type == KN_TYPE_NUMBERS) {
            return KN_TYPE_BAG;
        }
    }
    return KN_TYPE_SET;
}

/* Replace the first member by `made` and remove the others. */
static void replace_members(merging *m, const kn_column *made)
{
    kn_dataset *ds = m->ds;
    size_t to = 0;
    bool placed = false;

    kn__dataset_drop_name_index(ds);
    for (size_t i = 0; i < ds->columns; i++) {
        bool member = false;
        for (size_t j = 0; j < m->spec->count; j++) {
            member = member || m->member[j] == i;
        }
        if (member) {
            kn__column_clear(&ds->column[i]);
        }
        if (!member) {
            ds->column[to++] = ds->column[i];
        } else if (!placed) {
            ds->column[to++] = *made;
            placed = true;
        }
    }
    ds->columns = to;
}

static kn_status merge_columns(kn_dataset *ds, const kn_schema *schema, const kn_bag_spec *spec,
                               kn_error *err)
{
    merging m = {.ds = ds, .spec = spec};
    kn_column made = {.missing = KN_NO_CODE};
    size_t found = 0;
    kn_status status;

    m.member = kn__malloc_array(spec->count, sizeof *m.member);
    KN_TRY(m.member ? find_members(&m, schema, &found, err) : kn__nomem(err));
    if (found == 0) {
        goto done;
    }
    made.name = kn__strdup(spec->name);
    KN_TRY(made.name ? KN_OK : kn__nomem(err));
    made.type = type_of_all(&m, schema);
    if (made.type != KN_TYPE_SET && made.type != KN_TYPE_BAG) {
        KN_TRY(kn__fail(err, KN_EINPUT, "item column '%.100s' can be a set or a bag, not %s",
                        spec->name, kn_type_name(made.type)));
    }
    KN_TRY(name_items(&m, &made, err));
    KN_TRY(merge_lists(&m, &made, err));
    apply_spec(&made, schema);
    replace_members(&m, &made);
done:
    if (status != KN_OK) {
        kn__column_clear(&made);
    }
    kn__buffer_free(&m.texts);
    KN_FREE(m.items, m.final, m.member);
    return status;
}

kn_status kn__dataset_merge_items(kn_dataset *ds, const kn_schema *schema, kn_error *err)
{
    for (size_t i = 0; i < schema->together_count; i++) {
        KN_PASS(merge_columns(ds, schema, &schema->together[i], err));
    }
    return KN_OK;
}
