/* builder.c - collect records on several threads.
 *
 * While records arrive, each worker codes values with dictionaries of its own, into scratch arrays
 * of 32-bit codes; closing a chunk packs them to the narrowest width. Types, the order of values
 * and missing values depend on dictionaries only, not on records: column.c settles them once, at
 * the end, when the dictionaries of all workers are merged. */
#include "data/builder.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/say.h"
#include "base/sort.h"
#include "base/threads.h"
#include "data/builder_inside.h"

#include <math.h>
#include <string.h>

/* Values in the sample of a column that is left out, of which there may be many: the mean number
 * of records that share one is within a few percent. */
enum { COUNTED_VALUES = 1 << 10 };

static void scratch_clear(kn_column_scratch *scratch)
{
    KN_FREE(scratch->codes, scratch->lengths);
}

static void chunk_free(kn_chunk *c)
{
    if (!c) {
        return;
    }
    for (size_t i = 0; c->column && i < c->builder->columns; i++) {
        KN_FREE(c->column[i].codes, c->column[i].lengths);
        kn__buffer_free(&c->column[i].first);
        kn__buffer_free(&c->column[i].last);
    }
    KN_FREE(c->column, c);
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
        if (b->scratch) {
            scratch_clear(&b->scratch[i]);
        }
    }
    for (size_t i = 0; b->samples && i < b->workers * b->columns; i++) {
        kn__value_sample_clear(&b->samples[i]);
    }
    KN_FREE(b->samples, b->dicts, b->scratch);
    for (size_t i = 0; b->column && i < b->columns; i++) {
        kn__free(b->column[i].name);
    }
    KN_FREE(b->column, b->item_separator, b->target, b->member, b);
}

size_t kn__find_name(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i;
}

/* Set `bag_of` (by input column, from 1) for the columns that become bag `number`. `*is_one`: the
 * file has the bag already, or neither the bag nor its columns because they are not published. */
static kn_status find_members(const kn_schema *schema, size_t number, const char *const *names,
                              size_t columns, size_t *bag_of, bool *is_one, kn_error *err)
{
    const kn_bag_spec *bag = &schema->bags[number - 1];
    const bool named = kn__find_name(names, columns, bag->name) < columns;
    const char *what = bag->collect ? "set" : "bag", *absent = NULL;
    size_t found = 0;

    for (size_t i = 0; i < bag->count; i++) {
        const size_t at = kn__find_name(names, columns, bag->columns[i]);
        if (at < columns) {
            bag_of[at] = number;
            found++;
        } else {
            absent = absent ? absent : bag->columns[i];
        }
    }
    *is_one = found == 0 && (named || kn__schema_leaves_out(schema, bag->name));
    if (absent && !*is_one) {
        (void)kn__fail(err, KN_EINPUT, "%s '%.100s': there is no column '%.100s' to put into it",
                       what, bag->name, absent);
        return kn__about_column(err, KN_EINPUT, KN_ERROR_NO_COLUMN, absent);
    }
    if (named && !*is_one && bag_of[kn__find_name(names, columns, bag->name)] != number) {
        return kn__fail(err, KN_EINPUT,
                        "%s '%.100s': there is a column of that name: call the %s otherwise", what,
                        bag->name, what);
    }
    return KN_OK;
}

/* Set the targets of the input columns, and in `names` the names of the dataset's columns; `bag`
 * (by column) marks those that are made of several. Returns how many columns the dataset has. */
static size_t place_columns(kn_builder *b, const size_t *bag_of, const char **names, bool *bag)
{
    size_t columns = 0;

    for (size_t i = 0; i < b->inputs; i++) {
        size_t first = 0;
        b->member[i] = KN__MEMBER_NO;
        b->target[i] = (uint32_t)columns;
        if (bag_of[i] == 0) {
            names[columns++] = names[i];
            continue;
        }
        const kn_bag_spec *spec = &b->schema->bags[bag_of[i] - 1];
        b->member[i] = spec->collect ? KN__MEMBER_LIST : KN__MEMBER_VALUE;
        while (bag_of[first] != bag_of[i]) {
            first++;
        }
        if (first < i) {
            b->target[i] = b->target[first];
        } else {
            bag[columns] = true;
            names[columns++] = spec->name;
        }
    }
    return columns;
}

/* Merge the columns of which the schema makes bags: shortens `names` to the columns that remain. */
static kn_status make_bags(kn_builder *b, const char **names, bool *bag, kn_error *err)
{
    const kn_schema *s = b->schema;
    size_t *bag_of = kn__zalloc_array(b->inputs, sizeof *bag_of);
    kn_status status = KN_OK;

    b->target = kn__malloc_array(b->inputs, sizeof *b->target);
    b->member = kn__malloc_array(b->inputs, 1);
    if (!bag_of || !b->target || !b->member) {
        kn__free(bag_of);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < s->bags_count; i++) {
        bool is_one;
        KN_TRY(find_members(s, i + 1, names, b->inputs, bag_of, &is_one, err));
    }
    b->columns = place_columns(b, bag_of, names, bag);
    /* A file may hold the bag as a list column already: a release does. */
    for (size_t i = 0; i < s->bags_count; i++) {
        const size_t at = kn__find_name(names, b->columns, s->bags[i].name);
        if (at < b->columns) {
            bag[at] = true;
        }
    }
done:
    kn__free(bag_of);
    return status;
}

/* The sample of column `name` that was taken before, or NULL. */
static kn_value_sample **sample_taken(const kn_builder *b, const char *name)
{
    kn_dataset *taken = b->schema ? b->schema->sampled : NULL;
    const size_t at = taken ? kn_dataset_find(taken, name) : SIZE_MAX;

    return at != SIZE_MAX && taken->column[at].sample ? &taken->column[at].sample : NULL;
}

/* Whether values of the column are of interest only by how many records share them. */
static bool may_be_sampled(const kn_column_plan *plan)
{
    return (plan->role == KN_ROLE_KEPT || plan->role == KN_ROLE_UNSET) && !plan->list &&
           plan->type == KN_TYPE_AUTO;
}

/* Plan column `name`: its role decides whether its values are kept at all. */
static kn_status plan_column(kn_builder *b, kn_column_plan *plan, const char *name, bool list,
                             bool keep_dropped, kn_error *err)
{
    const kn_column_spec *spec = kn__schema_find(b->schema, name);
    const bool key = kn__schema_is_key(b->schema, name);
    bool set = false;

    plan->spec = spec;
    plan->type = spec ? spec->type : KN_TYPE_AUTO;
    list = kn__schema_makes_list(b->schema, name, &set) || list;
    plan->type = plan->type == KN_TYPE_AUTO && set ? KN_TYPE_SET : plan->type;
    if (spec && spec->as_text && !list) {
        plan->type = KN_TYPE_CATEGORY;
    }
    plan->list = list || kn__type_is_list(plan->type);
    plan->role = kn__schema_role_of(b->schema, name, plan->list, &plan->chosen);
    /* The values of a key are dropped once the rows are grouped or joined by it. */
    plan->keep = keep_dropped || key ||
                 (plan->role != KN_ROLE_IDENTIFIER && plan->role != KN_ROLE_DROPPED);
    if (b->schema && b->schema->sample_kept) {
        plan->sample = may_be_sampled(plan);
        plan->keep = false;
    } else if (sample_taken(b, name)) {
        plan->keep = false;
    } else {
        plan->count = !plan->keep && !plan->list;
    }
    plan->has_missing_text = kn__schema_spells_missing(b->schema, spec);
    plan->name = kn__strdup(name);
    KN_PASS(plan->name ? KN_OK : kn__nomem(err));
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
    b->inputs = columns;
    b->workers = workers;
    b->schema = schema;
    b->item_separator = kn__strdup(kn__schema_item_separator(schema));
    b->column = kn__zalloc_array(columns, sizeof *b->column);
    b->dicts = kn__zalloc_array(columns * workers, sizeof(kn_dict *));
    b->scratch = kn__zalloc_array(columns * workers, sizeof *b->scratch);
    b->samples = kn__zalloc_array(columns * workers, sizeof *b->samples);
    called = kn__malloc_array(columns, sizeof *called);
    bag = kn__zalloc_array(columns, sizeof *bag);
    list = kn__zalloc_array(columns, sizeof *list);
    KN_TRY(b->item_separator && b->column && b->dicts && b->scratch && b->samples && called &&
                   bag && list
               ? KN_OK
               : kn__nomem(err));
    if (columns) {
        memcpy(called, names, columns * sizeof *called);
    }
    if (schema && schema->bags_count) {
        KN_TRY(make_bags(b, called, bag, err));
        columns = b->columns;
    }
    for (size_t i = 0; lists && i < b->inputs; i++) {
        list[b->target ? b->target[i] : i] |= lists[i];
    }
    for (size_t i = 0; i < columns; i++) {
        KN_TRY(plan_column(b, &b->column[i], called[i], bag[i] || list[i], keep_dropped, err));
        b->column[i].bag = bag[i];
        b->any_list = b->any_list || b->column[i].list;
    }
    for (size_t i = 0; i < columns * workers; i++) {
        if (b->column[i % columns].keep) {
            KN_TRY(kn__dict_new(&b->dicts[i], err));
        }
        b->samples[i].most = b->column[i % columns].count ? COUNTED_VALUES : 0;
    }
done:
    KN_FREE(called, bag, list);
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
    const size_t known = b->chunks_cap;

    *out = NULL;
    KN_PASS(kn__grow(&b->chunks, &b->chunks_cap, number + 1, sizeof(kn_chunk *), err));
    for (size_t i = known; i < b->chunks_cap; i++) {
        b->chunks[i] = NULL;
    }
    c = kn__zalloc(sizeof *c);
    if (c) {
        c->builder = b;
        c->worker = worker;
        c->scratch = &b->scratch[worker * b->columns];
        c->column = kn__zalloc_array(b->columns, sizeof *c->column);
    }
    if (!c || !c->column) {
        kn__free(c);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < b->columns; i++) {
        c->scratch[i].len = 0;
        c->scratch[i].in_record = 0;
        c->column[i].orders = KN__ALL_ORDERS;
    }
    b->chunks[number] = c;
    b->chunks_count = number + 1 > b->chunks_count ? number + 1 : b->chunks_count;
    *out = c;
    return KN_OK;
}

/* Compare texts of digits as the whole numbers that they are. */
static int compare_digits(const char *a, size_t a_len, const char *b, size_t b_len)
{
    if (a_len != b_len) {
        return a_len < b_len ? -1 : 1;
    }
    return a_len ? memcmp(a, b, a_len) : 0; /* an empty text may have no address */
}

unsigned kn__orders_of_pair(const char *a, size_t a_len, const char *b, size_t b_len)
{
    const int by_bytes = kn__order_bytes(a, a_len, b, b_len);
    const int by_digits = compare_digits(a, a_len, b, b_len);

    return (by_bytes <= 0 ? KN__BYTES_UP : 0u) | (by_bytes >= 0 ? KN__BYTES_DOWN : 0u) |
           (by_digits <= 0 ? KN__DIGITS_UP : 0u) | (by_digits >= 0 ? KN__DIGITS_DOWN : 0u);
}

kn_status kn__chunk_leave_out(kn_chunk *c, size_t column, size_t record, const char *text,
                              size_t len, kn_error *err)
{
    kn_chunk_column *col = &c->column[column];
    kn_status status = KN_OK;

    if (c->builder->column[column].count && len) {
        status = kn__value_sample_add(
            &c->builder->samples[c->worker * c->builder->columns + column], text, len, err);
    }
    if (col->orders == 0 || status != KN_OK) {
        return status;
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
    const size_t to = b->target ? b->target[column] : column;
    const enum kn__member member = b->target ? (enum kn__member)b->member[column] : KN__MEMBER_NO;
    const kn_column_plan *plan = &b->column[to];
    const size_t place = c->worker * b->columns + to;
    kn_column_scratch *scratch = &b->scratch[place];
    kn_status status;

    if (member == KN__MEMBER_VALUE) {
        return kn__chunk_add_member(c, to, text, len, err);
    }
    if (plan->sample) {
        return kn__value_sample_add(&b->samples[place], text, len, err);
    }
    if (!plan->keep) {
        return kn__chunk_leave_out(c, to, 0, text, len, err);
    }
    if (plan->list) {
        return kn__chunk_split(c, to, member, text, len, err);
    }
    if (scratch->len == scratch->cap &&
        (status = kn__grow(&scratch->codes, &scratch->cap, scratch->len + 1, sizeof *scratch->codes,
                           err)) != KN_OK) {
        return status;
    }
    return kn__dict_add(b->dicts[place], text, len, &scratch->codes[scratch->len++], err);
}

kn_status kn__chunk_end_record(kn_chunk *c, kn_error *err)
{
    kn_builder *b = c->builder;

    for (size_t i = 0; b->any_list && i < b->columns; i++) {
        kn_column_scratch *scratch = &c->scratch[i];
        if (b->column[i].list && b->column[i].keep) {
            kn_status status;
            if (c->records == scratch->lengths_cap &&
                (status = kn__grow(&scratch->lengths, &scratch->lengths_cap, c->records + 1,
                                   sizeof *scratch->lengths, err)) != KN_OK) {
                return status;
            }
            scratch->lengths[c->records] = scratch->in_record;
            scratch->in_record = 0;
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
        const kn_column_scratch *scratch = &b->scratch[place];
        kn_chunk_column *col = &c->column[i];

        if (!b->column[i].keep) {
            continue;
        }
        col->width = kn__code_width(b->dicts[place]->len);
        col->len = scratch->len;
        col->codes = kn__malloc_array(scratch->len, col->width);
        KN_PASS(col->codes ? KN_OK : kn__nomem(err));
        kn__codes_set(col->codes, col->width, scratch->codes, scratch->len);
        if (b->column[i].list) {
            col->lengths = kn__malloc_array(c->records, sizeof *col->lengths);
            KN_PASS(col->lengths ? KN_OK : kn__nomem(err));
            if (c->records) {
                memcpy(col->lengths, scratch->lengths, c->records * sizeof *col->lengths);
            }
        }
    }
    return KN_OK;
}

typedef struct finish {
    kn_builder *b;
    kn_dataset *ds;
    kn_first_error error; /* by column */
} finish;

static void finish_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    finish *f = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_error error;
        if (kn__column_make(f->b, i, f->ds->records, &f->ds->column[i], &error) != KN_OK) {
            kn__first_error_note(&f->error, i, &error);
        }
    }
}

/* How many different values column `i` of the dataset has, which is left out; 0: that is not known,
 * or some are missing. */
static kn_status count_values(const kn_builder *b, size_t i, kn_dataset *ds, kn_error *err)
{
    kn_value_sample all = {.most = COUNTED_VALUES};
    kn_status status = KN_OK;

    for (unsigned w = 0; b->column[i].count && w < b->workers; w++) {
        KN_TRY(kn__value_sample_merge(&all, &b->samples[w * b->columns + i], err));
    }
    if (all.held.used && all.records == ds->records) {
        ds->column[i].distinct = (kn_distinct){
            .values = (size_t)llround((double)all.records / kn__value_sample_mean(&all)),
            .rows = all.records,
            .estimated = all.shift > 0};
    }
done:
    kn__value_sample_clear(&all);
    return status;
}

/* Give column `i` of the dataset its sample: what the workers took, or one that was taken before.
 */
static kn_status move_sample(const kn_builder *b, size_t i, kn_dataset *ds, kn_error *err)
{
    kn_column *c = &ds->column[i];
    kn_value_sample **taken = b->column[i].keep ? NULL : sample_taken(b, c->name);

    if (taken && !b->column[i].sample) {
        c->sample = *taken;
        *taken = NULL;
        KN_PASS(c->sample->records == ds->records
                    ? KN_OK
                    : kn__fail(err, KN_EINPUT, "the file has changed while it was read"));
    }
    if (b->column[i].sample) {
        c->sample = kn__zalloc(sizeof *c->sample);
        KN_PASS(c->sample ? KN_OK : kn__nomem(err));
        for (unsigned w = 0; w < b->workers; w++) {
            KN_PASS(kn__value_sample_merge(c->sample, &b->samples[w * b->columns + i], err));
        }
    }
    return KN_OK;
}

/* Say that numbers were read with a decimal comma, unless that was stated; without names where the
 * first line of the file may be a record. */
static kn_status note_commas(kn_dataset *ds, const kn_schema *schema, kn_error *err)
{
    const bool named = kn_dataset_has_names(ds);
    const char **names = kn__malloc_array(ds->columns + 1, sizeof *names);
    kn_buffer note = {0};
    size_t columns = 0;

    KN_PASS(names ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].commas) {
            names[columns++] = ds->column[i].name;
        }
    }
    if (columns == 0 || (schema && schema->decimal)) {
        kn__free((void *)names);
        return KN_OK;
    }
    if (named) {
        kn__buffer_adds(&note, columns == 1 ? "Column " : "Columns ");
        kn__say_names(&note, names, columns);
        kn__buffer_adds(&note, columns == 1 ? " holds" : " hold");
    } else {
        kn__buffer_addf(&note, "%zu column%s", columns, columns == 1 ? " holds" : "s hold");
    }
    kn__buffer_adds(&note, " numbers with a decimal comma: they are read, and published, with "
                           "a decimal point (--decimal , says that this is right, --decimal . "
                           "keeps them as text)");
    kn__free((void *)names);
    return kn__dataset_add_note(ds, &note, err);
}

void kn__builder_names_from_line(kn_builder *b)
{
    b->line_names = true;
}

kn_status kn__builder_finish(kn_builder *b, const kn_run *run, kn_dataset **out, kn_error *err)
{
    finish f = {.b = b, .error = KN_NO_ERROR_YET};
    kn_status status;

    *out = NULL;
    KN_TRY(kn__dataset_new(&f.ds, b->columns, err));
    f.ds->line_names = b->line_names;
    f.ds->item_separator = kn__strdup(b->item_separator);
    KN_TRY(f.ds->item_separator ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->chunks_count; i++) {
        f.ds->records += b->chunks[i] ? b->chunks[i]->records : 0;
    }
    for (size_t i = 0; i < b->workers * b->columns; i++) {
        scratch_clear(&b->scratch[i]);
        b->scratch[i] = (kn_column_scratch){0};
    }
    KN_TRY(kn__parallel_steps(run, "columns", kn__run_threads(run), b->columns, 1, finish_columns,
                              &f, err));
    KN_TRY(kn__first_error_take(&f.error, err));
    for (size_t i = 0; i < b->columns; i++) {
        const char *name = f.ds->column[i].name;
        KN_TRY(move_sample(b, i, f.ds, err));
        KN_TRY(count_values(b, i, f.ds, err));
        f.ds->line_values = f.ds->line_values ||
                            (b->line_names && kn__schema_is_missing(b->schema, b->column[i].spec,
                                                                    name, strlen(name)));
    }
    KN_TRY(kn__dataset_index_names(f.ds, err));
    KN_TRY(note_commas(f.ds, b->schema, err));
    *out = f.ds;
done:
    if (status != KN_OK) {
        kn_dataset_free(f.ds);
    }
    kn__builder_free(b);
    return status;
}
