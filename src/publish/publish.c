/* publish.c - nothing leaves unchecked: a release is written beside its place, flushed, read back,
 * judged (judge.c), and only then renamed. */
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

#include <assert.h>
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

    KN_PASS(kn_schema_new(out, err));
    if (ds->item_separator) {
        KN_PASS(kn_schema_set_item_separator(*out, ds->item_separator, err));
    }
    if (ds->forest) {
        KN_PASS(kn_schema_set_classes(*out, (const char *const *)ds->forest->classes.name,
                                      ds->forest->classes.len, err));
    }
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        (void)snprintf(numbered, sizeof numbered, "column%zu", i + 1);
        KN_PASS(describe_column(r, c, headed ? c->name : numbered, *out, err));
    }
    return KN_OK;
}

/* A file without a header numbers its columns anew when some were left out: give them their names.
 */
static kn_status name_columns(kn_dataset *read, const kn_dataset *meant, kn_error *err)
{
    kn__dataset_drop_name_index(read);
    for (size_t i = 0; i < read->columns && i < meant->columns; i++) {
        char *name = kn__strdup(meant->column[i].name);
        KN_PASS(name ? KN_OK : kn__nomem(err));
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
    KN_NEED_ROWS(err, r->data);
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
