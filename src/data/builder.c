/* builder.c - collecting records on several threads.
 *
 * While records arrive, each worker codes values with dictionaries of its own, into scratch arrays
 * that are packed to the width the codes need when a chunk is closed. Types, the order of values
 * and missing values are matters of dictionaries, not of records, so they wait for column.c, at the
 * end. */
#include "data/builder.h"
#include "base/args.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/builder_inside.h"
#include "data/rows/group.h"
#include "data/value.h"
#include "kanon/catalog.h"

#include <string.h>

static void raw_clear(kn_raw *raw)
{
    kn__free(raw->codes);
    kn__free(raw->lengths);
    kn__free(raw->known);
}

static void chunk_free(kn_chunk *c)
{
    if (!c) {
        return;
    }
    for (size_t i = 0; c->column && i < c->builder->columns; i++) {
        kn__free(c->column[i].codes);
        kn__free(c->column[i].lengths);
        kn__buffer_free(&c->column[i].first);
        kn__buffer_free(&c->column[i].last);
    }
    kn__free(c->column);
    kn__free(c);
}

void kn__builder_free(kn_builder *b)
{
    if (!b) {
        return;
    }
    for (size_t i = 0; i < b->chunks_count; i++) {
        chunk_free(b->chunks[i]);
    }
    kn__free(b->chunks);
    for (size_t i = 0; i < b->workers * b->columns; i++) {
        if (b->dicts) {
            kn__dict_free(b->dicts[i]);
        }
        if (b->raw) {
            raw_clear(&b->raw[i]);
        }
    }
    kn__free(b->dicts);
    kn__free(b->raw);
    for (size_t i = 0; b->column && i < b->columns; i++) {
        kn__free(b->column[i].name);
    }
    kn__free(b->column);
    kn__free(b->item_separator);
    kn__free(b->place);
    kn__free(b->member);
    kn__free(b);
}

static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i;
}

/* Note in `bag_of` (by column, from 1) which columns become bag `number`; in `*is_one` that there
 * is nothing to do. */
static kn_status find_members(const kn_schema *schema, size_t number, const char *const *names,
                              size_t columns, size_t *bag_of, bool *is_one, kn_error *err)
{
    const kn_bag_spec *bag = &schema->bags[number - 1];
    const bool named = find_name(names, columns, bag->name) < columns;
    const char *what = bag->collect ? "set" : "bag", *absent = NULL;
    size_t found = 0;

    for (size_t i = 0; i < bag->count; i++) {
        const size_t at = find_name(names, columns, bag->columns[i]);
        if (at < columns) {
            bag_of[at] = number;
            found++;
        } else {
            absent = absent ? absent : bag->columns[i];
        }
    }
    /* Of a release, a column that is not published is gone, and so are those that it was made of.
     */
    *is_one = found == 0 && (named || kn__schema_leaves_out(schema, bag->name));
    if (absent && !*is_one) {
        return kn__fail(err, KN_EINPUT, "%s '%.100s': there is no column '%.100s' to put into it",
                        what, bag->name, absent);
    }
    if (named && !*is_one && bag_of[find_name(names, columns, bag->name)] != number) {
        return kn__fail(err, KN_EINPUT,
                        "%s '%.100s': there is a column of that name: call the %s otherwise", what,
                        bag->name, what);
    }
    return KN_OK;
}

/* Where the given columns go, and into `names` what the columns are called; `bag` (by column) marks
 * those that are made of several. Returns how many there are. */
static size_t place_columns(kn_builder *b, const size_t *bag_of, const char **names, bool *bag)
{
    size_t columns = 0;

    for (size_t i = 0; i < b->given; i++) {
        size_t first = 0;
        b->member[i] = !bag_of[i]                               ? KN__MEMBER_NO
                       : b->schema->bags[bag_of[i] - 1].collect ? KN__MEMBER_LIST
                                                                : KN__MEMBER_VALUE;
        while (bag_of[i] && bag_of[first] != bag_of[i]) {
            first++;
        }
        if (bag_of[i] && first < i) {
            b->place[i] = b->place[first];
            continue;
        }
        b->place[i] = (uint32_t)columns;
        bag[columns] = bag_of[i] != 0;
        names[columns++] = bag_of[i] ? b->schema->bags[bag_of[i] - 1].name : names[i];
    }
    return columns;
}

/* Columns of which the schema makes bags become one each: shortens `names` to what remains. */
static kn_status make_bags(kn_builder *b, const char **names, bool *bag, kn_error *err)
{
    const kn_schema *s = b->schema;
    size_t *bag_of = kn__zalloc_array(b->given, sizeof *bag_of);
    kn_status status = KN_OK;

    b->place = kn__malloc_array(b->given, sizeof *b->place);
    b->member = kn__malloc_array(b->given, 1);
    if (!bag_of || !b->place || !b->member) {
        kn__free(bag_of);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < s->bags_count; i++) {
        bool is_one;
        KN_TRY(find_members(s, i + 1, names, b->given, bag_of, &is_one, err));
    }
    b->columns = place_columns(b, bag_of, names, bag);
    /* A bag that was made before, such as a release's, is a list column. */
    for (size_t i = 0; i < s->bags_count; i++) {
        const size_t at = find_name(names, b->columns, s->bags[i].name);
        if (at < b->columns) {
            bag[at] = true;
        }
    }
done:
    kn__free(bag_of);
    return status;
}

/* What to do with column `name`: its role decides whether its values are kept at all. */
static kn_status plan_column(kn_builder *b, kn_plan *plan, const char *name, bool list,
                             bool keep_dropped, kn_error *err)
{
    const kn_column_spec *spec = kn__schema_find(b->schema, name);
    const bool key = kn__schema_is_key(b->schema, name);
    bool set = false;

    plan->spec = spec;
    plan->type = spec ? spec->type : KN_TYPE_AUTO;
    list = kn__schema_makes_list(b->schema, name, &set) || list;
    plan->type = plan->type == KN_TYPE_AUTO && set ? KN_TYPE_SET : plan->type;
    plan->list = list || kn__type_is_list(plan->type);
    plan->role = kn__schema_role_of(b->schema, name, plan->list, &plan->chosen);
    /* A key is forgotten later, when the rows that have it were found. */
    plan->keep = keep_dropped || key ||
                 (plan->role != KN_ROLE_IDENTIFIER && plan->role != KN_ROLE_DROPPED);
    plan->spelt = kn__schema_spells_missing(b->schema, spec);
    plan->name = kn__strdup(name);
    if (!plan->name) {
        return kn__nomem(err);
    }
    if (list && plan->type != KN_TYPE_AUTO && !kn__type_is_list(plan->type)) {
        return kn__fail(err, KN_EINPUT,
                        "column '%s' holds lists, but is declared as %s: declare it as set, bag or "
                        "numbers",
                        name, kn_type_name(plan->type));
    }
    return KN_OK;
}

kn_status kn__builder_new(kn_builder **out, const char *const *names, size_t columns,
                          const kn_schema *schema, bool keep_dropped, const bool *lists,
                          unsigned workers, kn_error *err)
{
    kn_builder *b = kn__zalloc(sizeof *b);
    const char **called = NULL;
    bool *bag = NULL, *list = NULL;
    kn_status status = KN_OK;

    *out = NULL;
    if (!b) {
        return kn__nomem(err);
    }
    b->columns = columns;
    b->given = columns;
    b->workers = workers;
    b->schema = schema;
    b->item_separator = kn__strdup(kn__schema_item_separator(schema));
    b->column = kn__zalloc_array(columns, sizeof *b->column);
    b->dicts = kn__zalloc_array(columns * workers, sizeof(kn_dict *));
    b->raw = kn__zalloc_array(columns * workers, sizeof *b->raw);
    called = kn__malloc_array(columns, sizeof *called);
    bag = kn__zalloc_array(columns, sizeof *bag);
    list = kn__zalloc_array(columns, sizeof *list);
    if (!b->item_separator || !b->column || !b->dicts || !b->raw || !called || !bag || !list) {
        status = kn__nomem(err);
    }
    if (status == KN_OK && columns) {
        memcpy(called, names, columns * sizeof *called);
    }
    if (status == KN_OK && schema && schema->bags_count) {
        status = make_bags(b, called, bag, err);
        columns = b->columns;
    }
    for (size_t i = 0; status == KN_OK && lists && i < b->given; i++) {
        list[b->place ? b->place[i] : i] |= lists[i];
    }
    for (size_t i = 0; status == KN_OK && i < columns; i++) {
        status = plan_column(b, &b->column[i], called[i], bag[i] || list[i], keep_dropped, err);
        b->column[i].bag = bag[i];
        b->any_list = b->any_list || b->column[i].list;
    }
    for (size_t i = 0; status == KN_OK && i < columns * workers; i++) {
        if (b->column[i % columns].keep) {
            status = kn__dict_new(&b->dicts[i], err);
        }
        if (status == KN_OK && b->column[i % columns].keep && b->column[i % columns].list) {
            b->raw[i].known = kn__zalloc(sizeof *b->raw[i].known);
            status = b->raw[i].known ? KN_OK : kn__nomem(err);
        }
    }
    kn__free(called);
    kn__free(bag);
    kn__free(list);
    if (status != KN_OK) {
        kn__builder_free(b);
        return status;
    }
    *out = b;
    return KN_OK;
}

kn_status kn__builder_chunk(kn_builder *b, unsigned worker, size_t number, kn_chunk **out,
                            kn_error *err)
{
    kn_chunk *c = NULL;
    kn_status status;
    const size_t known = b->chunks_cap;

    *out = NULL;
    status = kn__grow(&b->chunks, &b->chunks_cap, number + 1, sizeof(kn_chunk *), err);
    if (status != KN_OK) {
        return status;
    }
    for (size_t i = known; i < b->chunks_cap; i++) {
        b->chunks[i] = NULL;
    }
    c = kn__zalloc(sizeof *c);
    if (c) {
        c->builder = b;
        c->worker = worker;
        c->raw = &b->raw[worker * b->columns];
        c->column = kn__zalloc_array(b->columns, sizeof *c->column);
    }
    if (!c || !c->column) {
        kn__free(c);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < b->columns; i++) {
        c->raw[i].len = 0;
        c->raw[i].in_record = 0;
        c->column[i].orders = KN__ALL_ORDERS;
    }
    b->chunks[number] = c;
    b->chunks_count = number + 1 > b->chunks_count ? number + 1 : b->chunks_count;
    *out = c;
    return KN_OK;
}

/* Whole numbers are compared as such when both texts are written with digits alone. */
static int compare_digits(const char *a, size_t a_len, const char *b, size_t b_len)
{
    if (a_len != b_len) {
        return a_len < b_len ? -1 : 1;
    }
    return memcmp(a, b, a_len);
}

unsigned kn__orders_of_pair(const char *a, size_t a_len, const char *b, size_t b_len)
{
    const size_t shorter = a_len < b_len ? a_len : b_len;
    int by_bytes = shorter ? memcmp(a, b, shorter) : 0;
    const int by_digits = compare_digits(a, a_len, b, b_len);

    by_bytes = by_bytes ? by_bytes : a_len < b_len ? -1 : a_len > b_len;
    return (by_bytes <= 0 ? KN__BYTES_UP : 0u) | (by_bytes >= 0 ? KN__BYTES_DOWN : 0u) |
           (by_digits <= 0 ? KN__DIGITS_UP : 0u) | (by_digits >= 0 ? KN__DIGITS_DOWN : 0u);
}

kn_status kn__chunk_watch(kn_chunk *c, size_t column, size_t record, const char *text, size_t len,
                          kn_error *err)
{
    kn_chunk_column *col = &c->column[column];

    if (col->orders == 0) {
        return KN_OK;
    }
    if (c->records + record == 0) {
        kn__buffer_add(&col->first, text, len);
    } else {
        col->orders &= kn__orders_of_pair(col->last.data, col->last.len, text, len);
    }
    col->last.len = 0;
    kn__buffer_add(&col->last, text, len);
    return col->first.failed || col->last.failed ? kn__nomem(err) : KN_OK;
}

kn_status kn__chunk_add(kn_chunk *c, size_t column, const char *text, size_t len, kn_error *err)
{
    kn_builder *b = c->builder;
    const size_t to = b->place ? b->place[column] : column;
    const enum kn__member member = b->place ? (enum kn__member)b->member[column] : KN__MEMBER_NO;
    const kn_plan *plan = &b->column[to];
    const size_t place = c->worker * b->columns + to;
    kn_raw *raw = &b->raw[place];
    kn_status status;

    if (member == KN__MEMBER_VALUE) {
        return kn__chunk_add_member(c, to, text, len, err);
    }
    if (!plan->keep) {
        return kn__chunk_watch(c, to, 0, text, len, err);
    }
    if (plan->list) {
        return kn__chunk_split(c, to, member, text, len, err);
    }
    if (raw->len == raw->cap && (status = kn__grow(&raw->codes, &raw->cap, raw->len + 1,
                                                   sizeof *raw->codes, err)) != KN_OK) {
        return status;
    }
    return kn__dict_add(b->dicts[place], text, len, &raw->codes[raw->len++], err);
}

kn_status kn__chunk_end_record(kn_chunk *c, kn_error *err)
{
    kn_builder *b = c->builder;

    for (size_t i = 0; b->any_list && i < b->columns; i++) {
        kn_raw *raw = &c->raw[i];
        if (b->column[i].list && b->column[i].keep) {
            kn_status status;
            if (c->records == raw->lengths_cap &&
                (status = kn__grow(&raw->lengths, &raw->lengths_cap, c->records + 1,
                                   sizeof *raw->lengths, err)) != KN_OK) {
                return status;
            }
            raw->lengths[c->records] = raw->in_record;
            raw->in_record = 0;
        }
    }
    c->records++;
    return KN_OK;
}

size_t kn__chunk_records(const kn_chunk *c)
{
    return c->records;
}

kn_status kn__chunk_close(kn_chunk *c, kn_error *err)
{
    kn_builder *b = c->builder;

    for (size_t i = 0; i < b->columns; i++) {
        const size_t place = c->worker * b->columns + i;
        const kn_raw *raw = &b->raw[place];
        kn_chunk_column *col = &c->column[i];

        if (!b->column[i].keep) {
            continue;
        }
        col->width = kn__code_width(b->dicts[place]->len);
        col->len = raw->len;
        col->codes = kn__malloc_array(raw->len, col->width);
        if (!col->codes) {
            return kn__nomem(err);
        }
        kn__codes_set(col->codes, col->width, raw->codes, raw->len);
        if (b->column[i].list) {
            col->lengths = kn__malloc_array(c->records, sizeof *col->lengths);
            if (!col->lengths) {
                return kn__nomem(err);
            }
            if (c->records) {
                memcpy(col->lengths, raw->lengths, c->records * sizeof *col->lengths);
            }
        }
    }
    return KN_OK;
}

typedef struct finish {
    kn_builder *b;
    kn_dataset *ds;
    kn_error *errors; /* by column */
} finish;

static void finish_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    finish *f = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        (void)kn__column_make(f->b, i, f->ds->records, &f->ds->column[i], &f->errors[i]);
    }
}

kn_status kn__builder_finish(kn_builder *b, const kn_run *run, kn_dataset **out, kn_error *err)
{
    finish f = {.b = b};
    kn_status status = kn__dataset_new(&f.ds, b->columns, err);

    *out = NULL;
    if (status == KN_OK) {
        f.errors = kn__zalloc_array(b->columns, sizeof *f.errors);
        f.ds->item_separator = kn__strdup(b->item_separator);
        if (!f.errors || !f.ds->item_separator) {
            status = kn__nomem(err);
        }
    }
    if (status == KN_OK) {
        for (size_t i = 0; i < b->chunks_count; i++) {
            f.ds->records += b->chunks[i] ? b->chunks[i]->records : 0;
        }
        for (size_t i = 0; i < b->workers * b->columns; i++) {
            raw_clear(&b->raw[i]);
            b->raw[i] = (kn_raw){0};
        }
        status = kn__parallel_steps(run, "columns", kn__run_threads(run), b->columns, 1,
                                    finish_columns, &f, err);
        for (size_t i = 0; status == KN_OK && i < b->columns; i++) {
            status = f.errors[i].status;
            if (status != KN_OK && err) {
                *err = f.errors[i];
            }
        }
    }
    if (status == KN_OK) {
        status = kn__dataset_index_names(f.ds, err);
    }
    kn__free(f.errors);
    kn__builder_free(b);
    if (status != KN_OK) {
        kn_dataset_free(f.ds);
        return status;
    }
    *out = f.ds;
    return KN_OK;
}

/* ---- building record by record ---- */

struct kn_dataset_builder {
    kn_builder *inside;
    kn_chunk *chunk;
    kn_schema *schema; /* a copy: the caller may free theirs */
    bool torn;         /* a record was added in part: its columns have different lengths */
};

void kn_dataset_builder_free(kn_dataset_builder *b)
{
    if (b) {
        kn__builder_free(b->inside);
        kn_schema_free(b->schema);
        kn__free(b);
    }
}

static bool has_column(const void *builder, const char *name)
{
    const kn_builder *b = builder;
    size_t i = 0;

    while (i < b->columns && strcmp(b->column[i].name, name) != 0) {
        i++;
    }
    return i < b->columns;
}

/* The schema must not name a column that is neither given nor made of given ones. */
static kn_status check_names(const kn_dataset_builder *b, const char *const *names, size_t columns,
                             kn_error *err)
{
    const char *absent = kn__schema_absent_column(b->schema, has_column, b->inside, false);
    const char *near = absent ? kn_nearest(absent, names, columns) : NULL;

    return !absent ? KN_OK
           : near  ? kn__fail(err, KN_EINPUT,
                              "there is no column '%.100s' that the schema names; did you mean "
                               "'%.100s'?",
                              absent, near)
                   : kn__fail(err, KN_EINPUT, "there is no column '%.100s' that the schema names",
                              absent);
}

kn_status kn_dataset_builder_new(kn_dataset_builder **out, const char *const *names, size_t columns,
                                 const kn_schema *schema, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED_LIST(err, names, columns);

    kn_dataset_builder *b;
    kn_status status = KN_OK;

    for (size_t i = 0; i < columns; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                return kn__fail(err, KN_EINPUT, "two columns are called '%s'", names[i]);
            }
        }
    }
    b = kn__zalloc(sizeof *b);
    if (!b) {
        return kn__nomem(err);
    }
    if (schema && schema->joins_count) {
        status = kn__fail(err, KN_EUSAGE, "a join reads files: read the table with kn_read");
    } else if (schema) {
        status = kn__schema_copy(&b->schema, schema, err);
    }
    if (status == KN_OK) {
        status = kn__builder_new(&b->inside, names, columns, b->schema, true, NULL, 1, err);
    }
    if (status == KN_OK) {
        status = check_names(b, names, columns, err);
    }
    if (status == KN_OK) {
        status = kn__builder_chunk(b->inside, 0, 0, &b->chunk, err);
    }
    if (status != KN_OK) {
        kn_dataset_builder_free(b);
        return status;
    }
    *out = b;
    return KN_OK;
}

static kn_status fail_torn(kn_error *err)
{
    return kn__fail(
        err, KN_EUSAGE,
        "an earlier record could not be added as a whole: start again with a new builder");
}

/* The text of given value `i`: what the schema writes for "missing" in place of NULL. */
static const char *value_text(const kn_dataset_builder *b, const char *const *values, size_t i)
{
    const kn_builder *in = b->inside;

    return values[i]
               ? values[i]
               : kn__schema_missing_text(b->schema, in->column[in->place ? in->place[i] : i].spec);
}

kn_status kn_dataset_builder_add(kn_dataset_builder *b, const char *const *values, kn_error *err)
{
    KN_NEED(err, b, values);

    kn_status status = b->torn ? fail_torn(err) : KN_OK;

    for (size_t i = 0; status == KN_OK && i < b->inside->given; i++) {
        const char *text = value_text(b, values, i);
        if (!kn__utf8_valid(text, strlen(text), NULL)) {
            const size_t at = b->inside->place ? b->inside->place[i] : i;
            return kn__fail(err, KN_EINPUT, "column '%s', record %zu: not valid UTF-8",
                            b->inside->column[at].name, b->chunk->records + 1);
        }
    }
    for (size_t i = 0; status == KN_OK && i < b->inside->given; i++) {
        const char *text = value_text(b, values, i);
        status = kn__chunk_add(b->chunk, i, text, strlen(text), err);
    }
    if (status == KN_OK) {
        status = kn__chunk_end_record(b->chunk, err);
    }
    b->torn = status != KN_OK;
    return status;
}

kn_status kn_dataset_builder_finish(kn_dataset **out, kn_dataset_builder *b, kn_error *err)
{
    kn_status status = KN_OK;

    if (!b || !out) {
        kn_dataset_builder_free(b);
        if (out) {
            *out = NULL;
        }
        return kn__args_refuse(err, __func__, "a required argument is NULL");
    }
    *out = NULL;
    status = b->torn ? fail_torn(err) : kn__chunk_close(b->chunk, err);
    if (status == KN_OK) {
        status = kn__builder_finish(b->inside, NULL, out, err);
        b->inside = NULL;
    }
    if (status == KN_OK && b->schema && b->schema->keys_count) {
        status = kn__dataset_group(out, b->schema, NULL, err);
    }
    if (status == KN_OK && b->schema) {
        status = kn__dataset_put_together(*out, b->schema, err);
        if (status != KN_OK) {
            kn_dataset_free(*out);
            *out = NULL;
        }
    }
    kn_dataset_builder_free(b);
    return status;
}
