/* publish.c - nothing leaves unchecked: a release is written beside its place, flushed, read back,
 * compared and checked, and only then renamed.
 *
 * The check knows nothing of the method: it forms classes over what it reads, asks the guarantee's
 * own checker, and asks kn_measure whether every published value covers its original. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/sensitive_items.h"
#include "guarantees/verdict.h"
#include "io/bytes/file.h"
#include "io/reader.h"
#include "io/writer.h"
#include "points/points.h"
#include "publish/publish.h"
#include "release/release.h"
#include "utility/measure.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void kn_outcome_clear(kn_outcome *outcome)
{
    if (outcome) {
        kn_verdict_free(outcome->verdict);
        kn_measures_free(outcome->measures);
        kn_dataset_free(outcome->published);
        kn_points_free(outcome->points);
        *outcome = (kn_outcome){0};
    }
}

static kn_type type_to_read(const kn_column *c)
{
    return c->role == KN_ROLE_QUASI && !c->starts ? KN_TYPE_CATEGORY : c->type;
}

/* Sensitive items are known by their texts from now on: those that are still there. */
static kn_status name_sensitive(const kn_release *r, const kn_column *original,
                                const kn_column *published, const char *name, kn_schema *out,
                                kn_error *err)
{
    const uint32_t values = kn__column_values(published);
    kn_sensitive_items items = {0};
    char **texts = kn__zalloc_array(values, sizeof *texts);
    size_t count = 0;
    kn_status status;

    KN_TRY(texts ? kn__sensitive_items_find(&items, original, r->hierarchies, err)
                 : kn__nomem(err));
    for (uint32_t i = 0; i < values; i++) {
        size_t len;
        const char *text = kn__column_text(published, i, &len);
        const uint32_t code = kn__dict_find(original->dict, text, len);
        if (code != KN_NO_CODE && items.is[code]) {
            texts[count] = kn__strndup(text, len);
            KN_TRY(texts[count++] ? KN_OK : kn__nomem(err));
        }
    }
    KN_TRY(kn_schema_set_sensitive_items(out, name, KN_BY_ITEM, (const char *const *)texts, count,
                                         err));
done:
    for (size_t i = 0; i < count; i++) {
        kn__free(texts[i]);
    }
    kn__free(texts);
    kn__sensitive_items_clear(&items);
    return status;
}

/* What must be said of column `c`, which is called `name`, so that it is read back as it is. */
static kn_status describe_column(const kn_release *r, const kn_column *c, const char *name,
                                 kn_schema *out, kn_error *err)
{
    const kn_column *original = &r->original->column[kn_dataset_find(r->original, c->name)];
    char *missing = NULL;
    kn_status status;

    KN_TRY(kn_schema_set_type(out, name, type_to_read(c), err));
    KN_TRY(kn_schema_set_role(out, name, c->role, err));
    KN_TRY(kn_schema_set_weight(out, name, c->weight, err));
    KN_TRY(kn_schema_set_missing_rule(out, name, c->missing_rule, err));
    if (original->dates) {
        KN_TRY(kn_schema_set_date_format(out, name, kn__date_order_format(original->dates), err));
    }
    if (original->missing != KN_NO_CODE) {
        size_t len;
        const char *text = kn__column_text(original, original->missing, &len);
        missing = kn__strndup(text, len);
        KN_TRY(missing ? KN_OK : kn__nomem(err));
    }
    if (!c->starts || missing) {
        KN_TRY(
            kn_schema_set_missing(out, name, (const char *const *)&missing, missing != NULL, err));
    }
    if (c->starts && kn__named_items_any(&original->sensitive)) {
        KN_TRY(name_sensitive(r, original, c, name, out, err));
    }
done:
    kn__free(missing);
    return status;
}

kn_status kn__release_schema(const kn_release *r, bool headed, kn_schema **out, kn_error *err)
{
    const kn_dataset *ds = r->data;
    char numbered[32];
    kn_status status;

    KN_TRY(kn_schema_new(out, err));
    if (ds->item_separator) {
        KN_TRY(kn_schema_set_item_separator(*out, ds->item_separator, err));
    }
    if (ds->forest) {
        KN_TRY(kn_schema_set_classes(*out, (const char *const *)ds->forest->classes.name,
                                     ds->forest->classes.len, err));
    }
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        (void)snprintf(numbered, sizeof numbered, "column%zu", i + 1);
        KN_TRY(describe_column(r, c, headed ? c->name : numbered, *out, err));
    }
done:
    return status;
}

static kn_status broken(kn_error *err, const char *what)
{
    return kn__fail(err, KN_EBROKEN,
                    "the release was withheld: %s. This is a defect of kanon; please report it",
                    what);
}

/* Whether `codes` codes of `meant`, each by its code in `same`, are those of `read`; all are looked
 * at, as none should differ. */
static inline bool are_same(const kn_column *meant, const kn_column *read, const uint32_t *same,
                            size_t codes, uint8_t meant_width, uint8_t read_width)
{
    const void *a = meant->codes, *b = read->codes;
    uint32_t differ = 0;

    for (size_t i = 0; i < codes; i++) {
        differ |= same[kn__code_get(a, meant_width, i)] ^ kn__code_get(b, read_width, i);
    }
    return differ == 0;
}

/* Whether column `read` holds, text by text, what column `meant` does. */
static kn_status compare_column(const kn_column *meant, const kn_column *read, size_t records,
                                kn_error *err)
{
    uint32_t *same;
    bool agrees;
    kn_status status = KN_OK;
    size_t codes = records;

    if (!read->dict || (meant->starts != NULL) != (read->starts != NULL)) {
        return broken(err, "a column was read back with another shape than it was written with");
    }
    same = kn__malloc_array(kn__column_values(meant), sizeof *same);
    if (!same) {
        return kn__nomem(err);
    }
    for (uint32_t code = 0; code < kn__column_values(meant); code++) {
        size_t len;
        const char *text = kn__column_text(meant, code, &len);
        same[code] = kn__dict_find(read->dict, text, len);
    }
    if (meant->starts) {
        codes = (size_t)meant->starts[records];
        if (memcmp(meant->starts, read->starts, (records + 1) * sizeof *meant->starts) != 0) {
            KN_TRY(broken(err, "the lists read back are not those that were written"));
        }
    }
    agrees = KN_BY_WIDTHS(meant->width, read->width, are_same, meant, read, same, codes);
    if (!agrees) {
        KN_TRY(broken(err, "the file read back differs from what was written"));
    }
done:
    kn__free(same);
    return status;
}

static kn_status compare(const kn_release *r, const kn_dataset *read, kn_error *err)
{
    const kn_dataset *meant = r->data;
    kn_status status = KN_OK;

    if (meant->records != read->records || meant->columns != read->columns) {
        return broken(err, "the file read back has another number of records or columns");
    }
    for (size_t i = 0; status == KN_OK && i < meant->columns; i++) {
        if (strcmp(meant->column[i].name, read->column[i].name) != 0) {
            return broken(err, "the file read back has other columns");
        }
        status = compare_column(&meant->column[i], &read->column[i], meant->records, err);
    }
    return status;
}

/* Whether the trees read back are those that were written, value by value. */
static kn_status compare_trees(const kn_release *r, const kn_dataset *read, kn_error *err)
{
    const kn_forest *f = NULL, *g = NULL;
    kn_forest *owned[2] = {NULL, NULL};
    kn_status status;

    KN_TRY(kn__dataset_published_forest(r->data, &f, &owned[0], err));
    KN_TRY(kn__dataset_published_forest(read, &g, &owned[1], err));
    if (!g || f->records != g->records || f->values != g->values ||
        memcmp(f->starts, g->starts, (f->records + 1) * sizeof *f->starts) != 0) {
        KN_TRY(broken(err, "the file read back has other records"));
    }
    for (uint32_t v = 0; v < f->values; v++) {
        if (strcmp(f->text[v], g->text[v]) != 0 ||
            strcmp(f->classes.name[f->value_class[v]], g->classes.name[g->value_class[v]]) != 0) {
            KN_TRY(broken(err, "the file read back has other values"));
        }
    }
    const size_t nodes = (size_t)f->starts[f->records];
    if (nodes && (memcmp(f->value, g->value, nodes * sizeof *f->value) != 0 ||
                  memcmp(f->parent, g->parent, nodes * sizeof *f->parent) != 0)) {
        KN_TRY(broken(err, "the file read back differs from what was written"));
    }
done:
    kn__forest_free(owned[0]);
    kn__forest_free(owned[1]);
    return status;
}

/* A file without a header numbers its columns anew when some were left out: give them their names.
 */
static kn_status name_columns(kn_dataset *read, const kn_dataset *meant, kn_error *err)
{
    kn__dataset_drop_name_index(read);
    for (size_t i = 0; i < read->columns && i < meant->columns; i++) {
        char *name = kn__strdup(meant->column[i].name);
        if (!name) {
            return kn__nomem(err);
        }
        kn__free(read->column[i].name);
        read->column[i].name = name;
    }
    return kn__dataset_index_names(read, err);
}

/* Long form has a column of persons, and has it first, whether they are published or only numbered:
 * leave the columns that were meant, in their order. */
static void arrange_long(kn_dataset *read, const kn_dataset *meant)
{
    assert(read->columns == 2);
    kn__dataset_drop_name_index(read);
    if (kn_dataset_find(meant, read->column[0].name) == SIZE_MAX) {
        kn__column_clear(&read->column[0]);
        read->column[0] = read->column[1];
        memset(&read->column[1], 0, sizeof read->column[1]);
        read->columns = 1;
    } else if (strcmp(read->column[0].name, meant->column[0].name) != 0) {
        const kn_column person = read->column[0];
        read->column[0] = read->column[1];
        read->column[1] = person;
    }
}

/* What is sensitive was said of the original; records with the last such item, or with the last
 * other one, may have been suppressed. */
static void settle_sensitive(const kn_release *r, kn_dataset *read)
{
    for (size_t i = 0; i < read->columns; i++) {
        const size_t from = kn_dataset_find(r->original, read->column[i].name);
        read->column[i].sensitive.settled = kn__named_items_any(
            &r->original->column[from].sensitive);
    }
}

/* Sensitive items were published as they were: none is hidden in a generalised item, where it could
 * not be counted. */
static kn_status check_sensitive(const kn_release *r, const kn_dataset *read, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < read->columns; i++) {
        const size_t from = kn_dataset_find(r->original, read->column[i].name);
        const kn_column *original = &r->original->column[from];
        bool kept = true;
        size_t record = 0;
        if (read->column[i].starts && kn__named_items_any(&original->sensitive)) {
            KN_TRY(kn__sensitive_items_kept(&kept, &record, original, &read->column[i], r->origin,
                                            read->records, r->hierarchies, err));
        }
        if (!kept) {
            KN_TRY(broken(err, "a record does not hold the sensitive items of its original"));
        }
    }
done:
    return status;
}

/* Methods bound a measure of nodes of hierarchies; the file holds their names, which several nodes
 * may share. */
static kn_status check_bound(const kn_release *r, const kn_measures *measures, kn_error *err)
{
    const double value = r->bounded ? kn_measures_value(measures, r->bounded, NULL) : NAN;

    if (!(value > r->bound + 1e-12)) {
        return KN_OK;
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "%s: %s of the file would be %.6g, above delta = %g: in a hierarchy there are "
                    "groups called like values or like other groups, and a name is read as the "
                    "largest that it may be; rename them, or take rfirst, which has no bound",
                    r->method, r->bounded, value, r->bound < 1e-300 ? 0 : r->bound);
}

/* ---- judging what was read back ---- */

static kn_status check(const kn_release *r, const kn_run *run, kn_outcome *found, kn_error *err)
{
    const kn_status status = kn__check_release(&found->verdict, found->published, r->original,
                                               r->guarantees, r->guarantees_count, r->hierarchies,
                                               run, err);

    if (status == KN_EBROKEN) {
        kn__error_prefix(err, "the release was withheld");
    }
    return status == KN_OK && !kn_verdict_holds(found->verdict)
               ? broken(err, "the file read back does not satisfy the guarantee")
               : status;
}

static kn_status measure(const kn_release *r, const kn_run *run, kn_outcome *found, kn_error *err)
{
    kn_status status = kn__measure_release(&found->measures, r->original, found->published,
                                           r->origin, r->hierarchies, r->left_out, run, err);

    if (status == KN_EINPUT) {
        kn__error_prefix(err, "the release was withheld");
        status = KN_EBROKEN;
        if (err) {
            err->status = status;
        }
    }
    if (status == KN_OK && r->left_out &&
        kn_measures_value(found->measures, "items_suppressed", NULL) > r->item_limit + 1e-9) {
        status = broken(err, "more items are missing than may be left out");
    }
    return status == KN_OK ? check_bound(r, found->measures, err) : status;
}

/* Check and measure know nothing of each other. */
typedef struct judging {
    const kn_release *r;
    const kn_run *run;
    kn_outcome *found;
    kn_status status[2];
    kn_error error[2];
    atomic_bool stop; /* the check failed: what is measured is not asked for */
} judging;

static void check_and_measure(void *user, unsigned worker)
{
    judging *j = user;
    const kn_run aside = kn__run_aside(j->run, &j->stop);

    j->status[worker] = worker ? measure(j->r, &aside, j->found, &j->error[1])
                               : check(j->r, j->run, j->found, &j->error[0]);
    if (worker == 0 && j->status[0] != KN_OK) {
        atomic_store(&j->stop, true);
    }
}

static bool has_lists(const kn_dataset *ds)
{
    size_t i = 0;

    while (i < ds->columns && !(ds->column[i].starts && ds->column[i].role == KN_ROLE_QUASI)) {
        i++;
    }
    return i < ds->columns;
}

/* Lists are checked and measured side by side: each goes through them on one thread for a good part
 * of its time. Tables are done by all threads at once already, and would
 * only take more memory. */
static kn_status judge(const kn_release *r, const kn_run *run, kn_outcome *found, kn_error *err)
{
    judging j = {.r = r, .run = run, .found = found};
    kn_status status;
    int failed;

    if (kn__run_threads(run) < 2 || !has_lists(found->published)) {
        status = check(r, run, found, err);
        return status == KN_OK ? measure(r, run, found, err) : status;
    }
    atomic_init(&j.stop, false);
    kn__parallel(2, check_and_measure, &j);
    failed = j.status[0] == KN_OK;
    if (j.status[failed] != KN_OK && err) {
        *err = j.error[failed];
    }
    /* The measuring thread cannot call progress: ask once more whether the caller cancelled. */
    return j.status[failed] == KN_OK ? kn__run_step(run, "measure", 1, err) : j.status[failed];
}

/* Look at the file as a whole. */
static kn_status find_points(const kn_release *r, const kn_run *run, kn_outcome *found,
                             kn_error *err)
{
    const kn_table_facts facts = {.published = found->published,
                                  .guarantees = r->guarantees,
                                  .guarantees_count = r->guarantees_count,
                                  .verdict = found->verdict,
                                  .original = r->original,
                                  .origin = r->origin,
                                  .shuffled = r->shuffled,
                                  .options = &r->points};

    return kn__points_of_table(&found->points, &facts, run, err);
}

kn_status kn__release_judge(const kn_release *r, bool whole, const kn_run *run, kn_outcome *found,
                            kn_error *err)
{
    const bool trees = r->data->forest != NULL;
    bool same = true;
    kn_status status;

    KN_TRY(trees ? compare_trees(r, found->published, err) : compare(r, found->published, err));
    if (!trees) {
        KN_TRY(kn__release_unchanged(r, found->published, &same, err));
    }
    if (!same) {
        KN_TRY(broken(err, "a column that is published as it is differs from the original"));
    }
    if (!trees) {
        settle_sensitive(r, found->published);
        KN_TRY(check_sensitive(r, found->published, err));
    }
    KN_TRY(judge(r, run, found, err));
    if (whole) {
        KN_TRY(find_points(r, run, found, err));
    }
done:
    return status;
}

/* ---- the file ---- */

/* Read `path` back, compare it with what was meant, check and measure it. `wants_report`: also what
 * only a report shows. */
static kn_status inspect(const kn_release *r, const char *path, const kn_layout *layout,
                         bool wants_report, const kn_run *run, kn_outcome *found, kn_error *err)
{
    kn_schema *schema = NULL;
    kn_layout read_layout = *layout;
    kn_read_options options = {.layout = &read_layout, .hash = wants_report};
    const bool headed = layout->format != KN_FORMAT_CSV || !layout->no_header;
    kn_status status;

    KN_TRY(kn__release_schema(r, headed, &schema, err));
    options.schema = schema;
    read_layout.key = NULL;
    KN_TRY(kn_read(&found->published, path, &options, run, err));
    if (!headed) {
        KN_TRY(name_columns(found->published, r->data, err));
    }
    if (layout->format == KN_FORMAT_LONG) {
        arrange_long(found->published, r->data);
    }
    KN_TRY(kn__release_judge(r, wants_report || r->points.strict, run, found, err));
done:
    kn_schema_free(schema);
    return status;
}

struct kn_publication {
    kn_sink *sink;
    kn_outcome outcome;
};

/* The disk may take its time to hold the file while what is in it is read. */
typedef struct finishing {
    kn_publication *p;
    const kn_release *r;
    const kn_layout *written;
    bool wants_report;
    const kn_run *run;
    kn_status status[2];
    kn_error error[2];
} finishing;

static void finish_and_inspect(void *user, unsigned worker)
{
    finishing *f = user;
    kn_sink *sink = f->p->sink;

    f->status[worker] = worker ? kn__sink_finish(sink, &f->error[1])
                               : inspect(f->r, kn__sink_temporary(sink), f->written,
                                         f->wants_report, f->run, &f->p->outcome, &f->error[0]);
}

static kn_status finish(finishing *f, kn_error *err)
{
    int failed;

    if (kn__run_threads(f->run) > 1) {
        kn__parallel(2, finish_and_inspect, f);
    } else {
        finish_and_inspect(f, 1);
        if (f->status[1] == KN_OK) {
            finish_and_inspect(f, 0);
        }
    }
    failed = f->status[1] != KN_OK;
    if (f->status[failed] != KN_OK && err) {
        *err = f->error[failed];
    }
    return f->status[failed];
}

kn_status kn__publication_prepare(kn_publication **out, const kn_release *r, const char *path,
                                  const kn_layout *layout, bool wants_report, const kn_run *run,
                                  kn_error *err)
{
    const kn_layout written = kn__write_layout(r->data, path, layout);
    finishing f = {.r = r, .written = &written, .wants_report = wants_report, .run = run};
    kn_publication *p;
    kn_status status;

    *out = NULL;
    if (r->original->source && strcmp(path, "-") != 0 && kn__file_same(path, r->original->source)) {
        return kn__fail(err, KN_EUSAGE, "%s: the output is the input: choose another name", path);
    }
    if (r->data->records == 0) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "every record would be suppressed: nothing is left to publish");
    }
    p = kn__zalloc(sizeof *p);
    if (!p) {
        return kn__nomem(err);
    }
    KN_TRY(kn__refuse_foreign_name(path, err));
    KN_TRY(kn__sink_open(&p->sink, path, written.compression, err));
    KN_TRY(kn__write_to_sink(r->data, p->sink, &written, run, err));
    KN_TRY(kn__sink_flush(p->sink, err));
    f.p = p;
    KN_TRY(finish(&f, err));
    *out = p;
    p = NULL;
done:
    kn__publication_abandon(p);
    return status;
}

kn_outcome *kn__publication_outcome(kn_publication *p)
{
    return &p->outcome;
}

void kn__publication_settle(kn_publication *p)
{
    kn_outcome_clear(&p->outcome);
}

kn_sink *kn__publication_take_file(kn_publication *p)
{
    kn_sink *sink = p->sink;

    p->sink = NULL;
    return sink;
}

/* Rename into place. Frees `p`, also on failure, when nothing is left behind. */
static kn_status commit(kn_publication *p, kn_error *err)
{
    const kn_status status = kn__sink_commit(p->sink, err);

    p->sink = NULL;
    kn__publication_abandon(p);
    return status;
}

void kn__publication_abandon(kn_publication *p)
{
    if (p) {
        kn__sink_abandon(p->sink);
        kn_outcome_clear(&p->outcome);
        kn__free(p);
    }
}

kn_status kn_publish(kn_outcome *outcome, const kn_release *r, const char *path,
                     const kn_layout *layout, const kn_run *run, kn_error *err)
{
    KN_NEED(err, r, path);
    KN_NEED_SIZED(err, layout);
    KN_NEED_SIZED(err, run);

    kn_publication *p = NULL;
    kn_outcome found = {0};
    bool withheld = false; /* by --strict: only then a failure has an outcome */
    kn_status status;

    if (outcome) {
        *outcome = found;
    }
    KN_TRY(kn__publication_prepare(&p, r, path, layout, outcome != NULL, run, err));
    if (outcome) { /* jobs do not ask for it, callers may */
        KN_TRY(kn__km_different(p->outcome.verdict, p->outcome.published, r->guarantees,
                                r->guarantees_count, err));
    }
    found = p->outcome;
    p->outcome = (kn_outcome){0};
    if (found.points) {
        status = kn__points_refuse(found.points, &r->points, "release", err);
        withheld = status == KN_EBROKEN;
        KN_TRY(status);
    }
    status = commit(p, err);
    p = NULL;
done:
    kn__publication_abandon(p);
    if (outcome && (status == KN_OK || withheld)) {
        *outcome = found;
    } else {
        kn_outcome_clear(&found);
    }
    return status;
}
