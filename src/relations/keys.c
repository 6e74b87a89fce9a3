/* keys.c - following foreign keys: which one joins two tables, and from row to row.
 *
 * Stated keys come before declared ones, and these before a column that both tables have, whose
 * values tell the rows of the upper table apart, and most of whose values below occur there. Keys
 * are compared as texts, so that "07" is not 7. Messages name tables, columns and numbers of rows,
 * never keys: they are identifiers. */
#include "base/error.h"
#include "base/memory.h"
#include "relations/tables.h"

#include <string.h>

/* The row of each value of a key column, by code; KN_EINPUT when two rows have one. */
static kn_status rows_of_key(const kn_table *t, size_t column, uint32_t **out, kn_error *err)
{
    const kn_column *c = &t->ds->column[column];
    uint32_t *row = kn__malloc_array(kn__column_values(c), sizeof *row);
    kn_status status;

    KN_TRY(row ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < kn__column_values(c); i++) {
        row[i] = KN_NO_ROW;
    }
    for (size_t i = 0; i < t->ds->records; i++) {
        const uint32_t code = kn__column_code(c, i);
        if (code == c->missing) {
            continue;
        }
        if (row[code] != KN_NO_ROW) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "table '%.80s': rows %u and %zu have the same key in column '%.80s', "
                            "which must tell the rows apart",
                            t->name, row[code] + 1, i + 1, c->name));
        }
        row[code] = (uint32_t)i;
    }
    *out = row;
    row = NULL;
done:
    kn__free(row);
    return status;
}

static bool is_key(const kn_table *t, size_t column)
{
    const kn_column *c = &t->ds->column[column];

    return c->missing == KN_NO_CODE && kn__column_values(c) == t->ds->records;
}

/* Whether most values of column `name` of `from` are keys of `to`: a column that only happens to be
 * called the same holds other values, while a key may have some orphans. */
static bool points_to(const kn_table *from, const char *name, const kn_column *key)
{
    const kn_column *c = &from->ds->column[kn_dataset_find(from->ds, name)];
    size_t found = 0, other = 0;

    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        if (code != c->missing) {
            *(kn__dict_find(key->dict, text, len) == KN_NO_CODE ? &other : &found) += 1;
        }
    }
    return found > other;
}

/* A column that both tables have and that is a key of `to`: its name in `*column`. */
static kn_status natural_key(const kn_table *from, const kn_table *to, const char **column,
                             kn_error *err)
{
    size_t found = 0;

    for (size_t i = 0; i < to->ds->columns; i++) {
        const char *name = to->ds->column[i].name;
        if (kn_dataset_find(from->ds, name) != SIZE_MAX && is_key(to, i) &&
            points_to(from, name, &to->ds->column[i])) {
            *column = name;
            found++;
        }
    }
    if (found > 1) {
        (void)kn__fail(err, KN_EINPUT,
                       "several columns could join table '%.80s' to '%.80s': state which, "
                       "with --foreign-key %.80s.COLUMN=%.80s.COLUMN",
                       from->name, to->name, from->name, to->name);
        return kn__about_parameter(err, KN_EINPUT, KN_ERROR_PARAMETER, "foreign-key");
    }
    if (found == 0) {
        (void)kn__fail(err, KN_EINPUT,
                       "no foreign key leads from table '%.80s' to '%.80s': state it, with "
                       "--foreign-key %.80s.COLUMN=%.80s.COLUMN",
                       from->name, to->name, from->name, to->name);
        return kn__about_parameter(err, KN_EINPUT, KN_ERROR_PARAMETER, "foreign-key");
    }
    return KN_OK;
}

/* The stated or declared key of `from` that `by` names, by its column or by the table it leads to;
 * NULL: there is none. */
static kn_status find_key(const kn_relations *r, const char *from, const char *by,
                          const kn_foreign_key **out, kn_error *err)
{
    *out = NULL;
    for (int declared = 0; declared < 2 && !*out; declared++) {
        const size_t begin = declared ? r->declared_from : 0;
        const size_t end = declared || !r->declared ? r->keys : r->declared_from;
        for (size_t i = begin; i < end; i++) {
            const kn_foreign_key *k = &r->key[i];
            if (strcmp(k->table, from) != 0 ||
                (strcmp(k->to_table, by) != 0 && strcmp(k->column, by) != 0)) {
                continue;
            }
            if (*out) {
                return kn__fail(err, KN_EINPUT,
                                "several foreign keys lead from table '%.80s' to '%.80s': name the "
                                "column instead of the table (%.80s.COLUMN)",
                                from, by, (*out)->column);
            }
            *out = k;
        }
    }
    return KN_OK;
}

static kn_status follow(const kn_table *from, size_t column, const kn_table *to, size_t to_key,
                        uint32_t **rows, kn_error *err)
{
    const kn_column *c = &from->ds->column[column], *key = &to->ds->column[to_key];
    uint32_t *row_of_code = NULL, *there = NULL, *out = NULL;
    kn_status status;

    KN_TRY(rows_of_key(to, to_key, &row_of_code, err));
    there = kn__malloc_array(kn__column_values(c), sizeof *there);
    out = kn__malloc_array(from->ds->records, sizeof *out);
    KN_TRY(there && out ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        const uint32_t other = kn__dict_find(key->dict, text, len);
        there[code] = code == c->missing || other == KN_NO_CODE ? KN_NO_ROW : row_of_code[other];
    }
    for (size_t i = 0; i < from->ds->records; i++) {
        out[i] = there[kn__column_code(c, i)];
    }
    *rows = out;
    out = NULL;
done:
    KN_FREE(out, there, row_of_code);
    return status;
}

kn_status kn__relations_follow(kn_relations *r, const char *from, const char *by, const kn_run *run,
                               uint32_t **rows, const char **to, size_t *column, kn_error *err)
{
    const kn_foreign_key *k = NULL;
    const char *natural = NULL, *to_key;
    kn_table *a, *b;
    size_t key;

    KN_PASS(kn__relations_table(r, from, run, &a, err));
    KN_PASS(find_key(r, from, by, &k, err));
    if (k && k->composite) {
        KN_PASS(
            kn__fail(err, KN_EINPUT,
                     "the foreign key from table '%.80s' to '%.80s' has several columns ('%.80s' "
                     "is the first), and kanon follows keys of one column: give both tables a "
                     "column that holds the whole key, and state it with --foreign-key",
                     from, k->to_table, k->column));
    }
    KN_PASS(kn__relations_table(r, k ? k->to_table : by, run, &b, err));
    KN_PASS(kn__relations_table(r, from, run, &a, err)); /* the array may have moved */
    if (!k) {
        KN_PASS(natural_key(a, b, &natural, err));
    }
    KN_PASS(kn__table_column(a, k ? k->column : natural, column, err));
    if (k && !k->to_key && !b->primary) {
        KN_PASS(kn__fail(err, KN_EINPUT, "table '%.80s' has no primary key of one column",
                         k->to_table));
    }
    to_key = k && k->to_key ? k->to_key : b->primary;
    KN_PASS(kn__table_column(b, natural ? natural : to_key, &key, err));
    if (kn__type_is_list(a->ds->column[*column].type) ||
        kn__type_is_list(b->ds->column[key].type)) {
        KN_PASS(kn__fail(err, KN_EINPUT, "a key of tables '%.80s' and '%.80s' is a list", from,
                         b->name));
    }
    KN_PASS(follow(a, *column, b, key, rows, err));
    *to = b->name;
    return KN_OK;
}
