/* group.c - group rows with equal keys into one record.
 *
 * Equal keys are equal codes. With one key a table by code finds the group of a row; every further
 * key refines the groups by a hash table over pairs of (group so far, code). Then each column is
 * rewritten by itself, and its old codes are freed at once. */
#include "data/rows/group.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "data/value.h"

#include <string.h>

/* ---- groups of rows ---- */

void kn__row_groups_clear(kn_row_groups *g)
{
    KN_FREE(g->starts, g->row);
    *g = (kn_row_groups){0};
}

/* Number the values of `key` in the order of first rows; `of` is the number of each row's value. */
static kn_status number_values(const kn_column *key, size_t rows, uint32_t *of, size_t *count,
                               kn_error *err)
{
    const size_t values = kn__column_values(key);
    uint32_t *place = kn__malloc_array(values, sizeof *place);

    KN_PASS(place ? KN_OK : kn__nomem(err));
    memset(place, 0xff, values * sizeof *place);
    *count = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint32_t code = kn__column_code(key, i);
        if (place[code] == KN_NO_CODE) {
            place[code] = (uint32_t)(*count)++;
        }
        of[i] = place[code];
    }
    kn__free(place);
    return KN_OK;
}

/* Split the groups of `of` by the values of one more key. */
static kn_status refine(const kn_column *key, size_t rows, uint32_t *of, size_t *count,
                        kn_error *err)
{
    kn_map numbers = {0}; /* by group so far and code: the number of the new group + 1 */
    kn_status status = KN_OK;

    *count = 0;
    for (size_t i = 0; i < rows; i++) {
        const uint64_t pair = (uint64_t)of[i] << 32 | kn__column_code(key, i);
        kn_map_slot *slot;
        KN_TRY(kn__map_reserve(&numbers, *count + 1, err));
        slot = kn__map_find(&numbers, pair);
        if (!slot->value) {
            kn__map_put(&numbers, slot, pair, ++*count);
        }
        of[i] = (uint32_t)(slot->value - 1);
    }
done:
    kn__map_clear(&numbers);
    return status;
}

kn_status kn__row_groups_make(kn_row_groups *out, const kn_column *const *keys, size_t count,
                              size_t rows, kn_error *err)
{
    uint32_t *of = NULL;
    kn_status status;

    *out = (kn_row_groups){0};
    if (rows >= KN_NO_CODE) {
        return kn__fail(err, KN_EINPUT, "%zu rows are too many to group: %u is the most", rows,
                        KN_NO_CODE - 1);
    }
    of = kn__malloc_array(rows, sizeof *of);
    KN_TRY(of ? number_values(keys[0], rows, of, &out->count, err) : kn__nomem(err));
    for (size_t i = 1; i < count; i++) {
        KN_TRY(refine(keys[i], rows, of, &out->count, err));
    }
    out->starts = kn__zalloc_array(out->count + 2, sizeof *out->starts);
    out->row = kn__malloc_array(rows, sizeof *out->row);
    KN_TRY(out->starts && out->row ? KN_OK : kn__nomem(err));
    /* Counting sort: starts[g + 1] moves from the begin of group g to its end. */
    for (size_t i = 0; i < rows; i++) {
        out->starts[of[i] + 2]++;
    }
    for (size_t g = 0; g < out->count; g++) {
        out->starts[g + 2] += out->starts[g + 1];
    }
    for (size_t i = 0; i < rows; i++) {
        out->row[out->starts[of[i] + 1]++] = (uint32_t)i;
    }
done:
    if (status != KN_OK) {
        kn__row_groups_clear(out);
    }
    kn__free(of);
    return status;
}

/* ---- one column ---- */

/* Move the numbers to their final codes; the column may have fewer decimals then. */
static void compact_numbers(kn_column *c, const uint32_t *final, uint32_t values)
{
    c->decimals = 0;
    for (uint32_t code = 0; c->numbers && code < values; code++) {
        size_t len;
        double number;
        unsigned decimals = 0;
        const char *text = kn__column_text(c, code, &len);
        if (final[code] == KN_NO_CODE) {
            continue;
        }
        c->numbers[final[code]] = c->numbers[code];
        if (c->type != KN_TYPE_DATE && kn__number_parse(text, len, &number, &decimals)) {
            c->decimals = decimals > c->decimals ? decimals : c->decimals;
        }
    }
}

kn_status kn__column_compact(kn_column *c, size_t records, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    const size_t codes = c->starts ? (size_t)c->starts[records] : records;
    uint32_t *final = kn__zalloc_array(values, sizeof *final), kept = 0;
    kn_dict *dict = NULL;
    void *narrow = NULL;
    uint8_t width;
    kn_status status;

    KN_TRY(final ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < codes; i++) {
        final[kn__column_code(c, i)] = 1;
    }
    for (uint32_t code = 0; code < values; code++) {
        kept += final[code];
    }
    if (kept == values) {
        goto done;
    }
    width = kn__code_width(kept);
    narrow = kn__malloc_array(codes, width);
    KN_TRY(narrow ? kn__dict_new(&dict, err) : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        if (final[code]) {
            final[code] = dict->len;
            KN_TRY(kn__dict_append(dict, text, len, err));
        } else {
            final[code] = KN_NO_CODE;
        }
    }
    compact_numbers(c, final, values);
    for (size_t i = 0; i < codes; i++) {
        kn__code_set(narrow, width, i, final[kn__column_code(c, i)]);
    }
    if (c->missing != KN_NO_CODE) {
        c->missing = final[c->missing];
        c->spellings = c->missing == KN_NO_CODE ? 0 : c->spellings;
    }
    kn__dict_free(c->dict);
    kn__free(c->codes);
    c->dict = dict;
    c->codes = narrow;
    c->width = width;
    dict = NULL;
    narrow = NULL;
done:
    kn__dict_free(dict);
    KN_FREE(narrow, final);
    return status;
}

/* Keep the first value of each group that is not missing. `*differ` counts the groups with other
 * values. */
static kn_status first_values(kn_column *c, const kn_row_groups *g, size_t *differ, kn_error *err)
{
    void *codes = kn__malloc_array(g->count, c->width);

    KN_PASS(codes ? KN_OK : kn__nomem(err));
    for (size_t p = 0; p < g->count; p++) {
        uint32_t first = kn__column_code(c, g->row[g->starts[p]]);
        bool others = false;
        for (size_t i = g->starts[p] + 1; i < g->starts[p + 1]; i++) {
            const uint32_t code = kn__column_code(c, g->row[i]);
            others = others || (code != first && code != c->missing && first != c->missing);
            first = first == c->missing ? code : first;
        }
        *differ += others;
        kn__code_set(codes, c->width, p, first);
    }
    kn__free(c->codes);
    c->codes = codes;
    return kn__column_compact(c, g->count, err);
}

static size_t list_len(const kn_column *c, uint32_t row)
{
    return (size_t)(c->starts[row + 1] - c->starts[row]);
}

static bool same_list(const kn_column *c, uint32_t a, uint32_t b)
{
    const size_t len = list_len(c, a);

    return len == list_len(c, b) &&
           memcmp((const char *)c->codes + c->starts[a] * c->width,
                  (const char *)c->codes + c->starts[b] * c->width, len * c->width) == 0;
}

/* The row with the first list of group `p` that is not empty; sets `*others` when a later one
 * differs. */
static uint32_t first_list(const kn_column *c, const kn_row_groups *g, size_t p, bool *others)
{
    uint32_t first = g->row[g->starts[p]];

    for (size_t i = g->starts[p] + 1; i < g->starts[p + 1]; i++) {
        const uint32_t row = g->row[i];
        if (list_len(c, first) == 0) {
            first = row;
        } else if (list_len(c, row) && !same_list(c, first, row)) {
            *others = true;
        }
    }
    return first;
}

/* Write the items of group `p` to `items`: of all its rows (`collect`), or of its first list. */
static size_t gather(const kn_column *c, const kn_row_groups *g, size_t p, bool collect,
                     size_t *differ, uint32_t *items)
{
    size_t len = 0;
    bool others = false;

    if (!collect) {
        const uint32_t row = first_list(c, g, p, &others);
        for (uint64_t at = c->starts[row]; at < c->starts[row + 1]; at++) {
            items[len++] = kn__column_code(c, (size_t)at);
        }
        *differ += others;
        return len;
    }
    for (size_t i = g->starts[p]; i < g->starts[p + 1]; i++) {
        const uint32_t row = g->row[i];
        for (uint64_t at = c->starts[row]; at < c->starts[row + 1]; at++) {
            items[len++] = kn__column_code(c, (size_t)at);
        }
    }
    kn__sort_u32(items, len);
    if (c->type == KN_TYPE_SET && len) {
        size_t once = 1;
        for (size_t i = 1; i < len; i++) {
            if (items[i] != items[once - 1]) {
                items[once++] = items[i];
            }
        }
        len = once;
    }
    return len;
}

static size_t longest_group(const kn_column *c, const kn_row_groups *g)
{
    size_t most = 1;

    for (size_t p = 0; p < g->count; p++) {
        size_t len = 0;
        for (size_t i = g->starts[p]; i < g->starts[p + 1]; i++) {
            len += list_len(c, g->row[i]);
        }
        most = len > most ? len : most;
    }
    return most;
}

static kn_status group_lists(kn_column *c, const kn_row_groups *g, size_t rows, bool collect,
                             size_t *differ, kn_error *err)
{
    uint64_t *starts = kn__malloc_array(g->count + 1, sizeof *starts);
    void *codes = kn__malloc_array((size_t)c->starts[rows], c->width), *fit;
    uint32_t *items = kn__malloc_array(longest_group(c, g), sizeof *items);
    size_t at = 0;

    if (!starts || !codes || !items) {
        KN_FREE(starts, codes, items);
        return kn__nomem(err);
    }
    for (size_t p = 0; p < g->count; p++) {
        const size_t len = gather(c, g, p, collect, differ, items);
        starts[p] = at;
        for (size_t i = 0; i < len; i++) {
            kn__code_set(codes, c->width, at++, items[i]);
        }
    }
    starts[g->count] = at;
    KN_FREE(items, c->codes, c->starts);
    fit = kn__realloc_array(codes, at, c->width);
    c->codes = fit ? fit : codes;
    c->starts = starts;
    return kn__column_compact(c, g->count, err);
}

/* ---- all columns ---- */

typedef struct grouping {
    kn_dataset *ds;
    const kn_schema *schema;
    kn_row_groups groups;
    size_t *differ;       /* by column */
    kn_first_error error; /* by column */
} grouping;

static bool is_collected(const kn_schema *s, const char *column)
{
    for (size_t i = 0; i < s->bags_count; i++) {
        if (s->bags[i].collect && strcmp(s->bags[i].name, column) == 0) {
            return true;
        }
    }
    return false;
}

static void group_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    grouping *x = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_column *c = &x->ds->column[i];
        kn_error error = {0};
        if (!c->dict) {
            continue; /* without values only the order is known, and first rows keep it */
        }
        if (c->starts) {
            (void)group_lists(c, &x->groups, x->ds->records, is_collected(x->schema, c->name),
                              &x->differ[i], &error);
        } else if (first_values(c, &x->groups, &x->differ[i], &error) == KN_OK) {
            c->order = kn__column_order(c, x->groups.count);
        }
        if (error.status != KN_OK) {
            kn__first_error_note(&x->error, i, &error);
        }
    }
}

/* Refuse rows without a key: it is unknown which record they belong to. */
static kn_status check_key(const kn_dataset *ds, const kn_column *key, kn_error *err)
{
    size_t without = 0, first = 0;

    if (key->starts) {
        return kn__fail(err, KN_EINPUT,
                        "column '%.100s' holds lists: rows can be grouped by single values only",
                        key->name);
    }
    for (size_t i = 0; key->missing != KN_NO_CODE && i < ds->records; i++) {
        if (kn__column_code(key, i) == key->missing) {
            first = without ? first : i;
            without++;
        }
    }
    return without ? kn__fail(err, KN_EINPUT,
                              "%zu row%s no value in '%.100s', the first is record %zu: rows are "
                              "grouped by it, so give each one, or leave such rows out",
                              without, without == 1 ? " has" : "s have", key->name, first + 1)
                   : KN_OK;
}

static kn_status note_differences(const grouping *x, kn_error *err)
{
    enum { MOST_NAMED = 8 };
    kn_buffer text = {0};
    size_t found = 0;

    for (size_t i = 0; i < x->ds->columns; i++) {
        if (x->differ[i] == 0) {
            continue;
        }
        if (found == 0) {
            kn__buffer_adds(&text, "rows with one key differ, and the first value is taken: ");
        }
        if (found < MOST_NAMED) {
            kn__buffer_addf(&text, "%s'%s' in %zu", found ? ", " : "", x->ds->column[i].name,
                            x->differ[i]);
        }
        found++;
    }
    if (found == 0) {
        return KN_OK;
    }
    kn__buffer_addf(&text, " of %zu group%s", x->groups.count, x->groups.count == 1 ? "" : "s");
    if (found > MOST_NAMED) {
        kn__buffer_addf(&text, ", and %zu other column%s", found - MOST_NAMED,
                        found - MOST_NAMED == 1 ? "" : "s");
    }
    return kn__dataset_add_note(x->ds, &text, err);
}

kn_status kn__dataset_group(kn_dataset **ds, const kn_schema *schema, const kn_run *run,
                            kn_error *err)
{
    grouping x = {.ds = *ds, .schema = schema, .error = KN_NO_ERROR_YET};
    const kn_column **keys = kn__malloc_array(schema->keys_count, sizeof *keys);
    kn_status status;

    KN_TRY(keys ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < schema->keys_count; i++) {
        const size_t at = kn_dataset_find(x.ds, schema->keys[i]);
        if (at == SIZE_MAX) {
            KN_TRY(kn__no_column(x.ds, "to group by", schema->keys[i], err));
        }
        keys[i] = &x.ds->column[at];
        KN_TRY(check_key(x.ds, keys[i], err));
    }
    KN_TRY(kn__run_step(run, "group", 0, err));
    x.differ = kn__zalloc_array(x.ds->columns, sizeof *x.differ);
    KN_TRY(x.differ ? KN_OK : kn__nomem(err));
    KN_TRY(kn__row_groups_make(&x.groups, keys, schema->keys_count, x.ds->records, err));
    kn__parallel_for(kn__run_threads(run), x.ds->columns, 1, group_columns, &x);
    KN_TRY(kn__first_error_take(&x.error, err));
    KN_TRY(note_differences(&x, err));
    x.ds->records = x.groups.count;
done:
    kn__row_groups_clear(&x.groups);
    KN_FREE(keys, x.differ);
    if (status != KN_OK) {
        kn_dataset_free(*ds);
        *ds = NULL;
    }
    return status;
}

void kn__dataset_drop_keys(kn_dataset *ds)
{
    for (size_t i = 0; i < ds->columns; i++) {
        kn_column *c = &ds->column[i];
        if (c->dict && (c->role == KN_ROLE_IDENTIFIER || c->role == KN_ROLE_DROPPED)) {
            kn__column_drop_values(c);
        }
    }
}
