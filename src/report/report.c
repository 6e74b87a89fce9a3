/* report.c - a report is counted once from the facts of a job; afterwards it needs nothing of them.
 */
#include "report/report.h"
#include "report/tree_examples.h"
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/bytes/file.h"
#include "report/facts.h"
#include "points/points.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static void free_strings(char **strings, size_t count)
{
    for (size_t i = 0; strings && i < count; i++) {
        kn__free(strings[i]);
    }
    kn__free(strings);
}

void kn_report_free(kn_report *r)
{
    if (!r) {
        return;
    }
    for (size_t i = 0; r->column && i < r->columns; i++) {
        kn__free(r->column[i].name);
        kn__bars_clear(&r->column[i].before);
        kn__bars_clear(&r->column[i].after);
        kn__changes_clear(&r->column[i].changes);
    }
    for (size_t i = 0; r->violations && i < r->violations_count; i++) {
        kn__free(r->violations[i].sensitive);
        free_strings(r->violations[i].values, r->quasis);
    }
    free_strings(r->measure_names, r->measures_count);
    free_strings(r->measure_columns, r->measures_count);
    free_strings(r->phase_names, r->phases_count);
    free_strings(r->warnings, r->warnings_count);
    free_strings(r->tree_cut, r->tree_cut_count);
    free_strings(r->tree_removed, r->tree_removed_count);
    kn__free(r->tree_drawings);
    kn_points_free(r->points);
    kn__report_areas_clear(&r->areas);
    kn__free(r->job_json);
    kn__report_file_clear(&r->input);
    kn__report_file_clear(&r->output);
    kn__free(r->guarantees);
    kn__free(r->achieved_before);
    kn__free(r->achieved);
    kn__free(r->certificates);
    kn__free(r->recount);
    kn__free(r->achieved_k);
    kn__free(r->violations);
    kn__free(r->measure_values);
    kn__free(r->method);
    kn__free(r->phase_seconds);
    kn__free(r->column);
    kn__free(r->quasi);
    kn__free(r);
}

bool kn_report_satisfied(const kn_report *r)
{
    return r && r->satisfied;
}

const kn_points *kn_report_points(const kn_report *r)
{
    return r ? r->points : NULL;
}

double kn_report_utility(const kn_report *r, const char *measure)
{
    for (size_t i = 0; r && measure && i < r->measures_count; i++) {
        if (!r->measure_columns[i] && strcmp(r->measure_names[i], measure) == 0) {
            return r->measure_values[i];
        }
    }
    return NAN;
}

/* A clean copy of `text`; NULL stays NULL. */
static kn_status copy(char **out, const char *text, kn_error *err)
{
    *out = text ? kn__clean(text, strlen(text)) : NULL;
    return *out || !text ? KN_OK : kn__nomem(err);
}

kn_status kn__report_file_copy(kn_report_file *out, const char *path, const kn_dataset *ds,
                               kn_error *err)
{
    kn_status status;

    KN_TRY(copy(&out->path, path ? path : ds->source, err));
    memcpy(out->sha256, ds->sha256, sizeof out->sha256);
    out->rows = ds->records;
    if (ds->joined_count) {
        out->joined = kn__zalloc_array(ds->joined_count, sizeof *out->joined);
        if (!out->joined) {
            return kn__nomem(err);
        }
    }
    for (size_t i = 0; i < ds->joined_count; i++) {
        kn_report_file *joined = &out->joined[out->joined_count++];
        memcpy(joined->sha256, ds->joined[i].sha256, sizeof joined->sha256);
        KN_TRY(copy(&joined->path, ds->joined[i].path, err));
    }
done:
    return status;
}

void kn__report_file_clear(kn_report_file *f)
{
    for (size_t i = 0; i < f->joined_count; i++) {
        kn__free(f->joined[i].path);
    }
    kn__free(f->joined);
    kn__free(f->path);
    *f = (kn_report_file){0};
}

static kn_status copy_texts(char ***out, size_t *count, const char *const *texts, size_t len,
                            kn_error *err)
{
    kn_status status = KN_OK;

    *out = kn__zalloc_array(len, sizeof **out);
    KN_TRY(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < len; i++) {
        KN_TRY(copy(&(*out)[i], texts[i], err));
        *count = i + 1;
    }
done:
    return status;
}

/* Which published record came of `record`; SIZE_MAX: it is not known, or there is none. */
static size_t published_record(const kn_report_facts *f, size_t record)
{
    for (size_t i = 0; f->origin && i < f->published->records; i++) {
        if (f->origin[i] == record) {
            return i;
        }
    }
    return !f->origin && !f->shuffled && f->published->records == f->original->records ? record
                                                                                       : SIZE_MAX;
}

/* Parts of a few records, before and after: no original value is tied to a published record that
 * fewer than rare_below others look like. */
static kn_status draw_trees(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    enum { DRAWN = 3 };
    kn_tree_example *examples = NULL;
    size_t count = 0;
    kn_buffer b = {0};
    unsigned ids = 1000; /* charts are numbered from 1 */
    kn_status status = KN_OK;

    if (!f->original->forest || !f->published || !f->published->forest ||
        f->published->forest->classes.len != f->original->forest->classes.len) {
        return KN_OK;
    }
    KN_TRY(
        kn__tree_examples_find(f->original->forest, r->rare_below, DRAWN, &examples, &count, err));
    for (size_t i = 0; i < count; i++) {
        const size_t published = published_record(f, examples[i].record);
        kn_tree_example part;
        if (published == SIZE_MAX) {
            continue;
        }
        status = kn__tree_example_part(f->published->forest, published, r->rare_below, &part, err);
        if (status == KN_OK && part.count) {
            kn__svg_tree_pair(&b, f->original->forest, &examples[i], f->published->forest, &part,
                              &ids);
        }
        kn__free(part.nodes);
        KN_TRY(status);
    }
    if (b.len || b.failed) {
        KN_TRY(kn__buffer_take(&b, &r->tree_drawings, err));
    }
done:
    kn__tree_examples_free(examples, count);
    kn__buffer_free(&b);
    return status;
}

/* What was done to tree records. */
static kn_status copy_trees(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    kn_status status;

    r->trees = f->original->forest != NULL;
    KN_TRY(copy_texts(&r->tree_cut, &r->tree_cut_count, f->tree_cut, f->tree_cut_count, err));
    KN_TRY(copy_texts(&r->tree_removed, &r->tree_removed_count, f->tree_removed,
                      f->tree_removed_count, err));
done:
    return status;
}

static kn_status copy_job(kn_report *r, const char *job, kn_error *err)
{
    json_error_t reason;
    json_t *parsed;
    kn_status status;

    if (!job) {
        return KN_OK;
    }
    status = kn__json_parse(&parsed, job, strlen(job), &reason, err);
    if (status != KN_OK) {
        return status != KN_EINPUT
                   ? status
                   : kn__fail(err, KN_EUSAGE, "report: the job is not JSON: line %d, column %d: %s",
                              reason.line, reason.column, reason.text);
    }
    json_decref(parsed);
    r->job_json = kn__strdup(job);
    return r->job_json ? KN_OK : kn__nomem(err);
}

static kn_status copy_certificates(kn_report *r, const kn_verdict *verdict, kn_error *err)
{
    const size_t count = kn_verdict_certificates(verdict);

    r->certificates = kn__malloc_array(count, sizeof *r->certificates);
    if (!r->certificates) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        r->certificates[i] = *kn_verdict_certificate(verdict, i);
    }
    r->certificates_count = count;
    return KN_OK;
}

static kn_status copy_guarantees(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    const size_t count = f->guarantees_count;
    const kn_items_seen *seen = kn_verdict_items(f->after);

    r->guarantees = kn__malloc_array(count, sizeof *r->guarantees);
    r->achieved = kn__malloc_array(count, sizeof *r->achieved);
    r->achieved_k = kn__malloc_array(count, sizeof *r->achieved_k);
    r->achieved_before = f->before ? kn__malloc_array(count, sizeof *r->achieved_before) : NULL;
    if (!r->guarantees || !r->achieved || !r->achieved_k || (f->before && !r->achieved_before)) {
        return kn__nomem(err);
    }
    r->guarantees_count = count;
    if (copy_certificates(r, f->after, err) != KN_OK) {
        return KN_ENOMEM;
    }
    r->rare_below = 0;
    for (size_t i = 0; i < count; i++) {
        const kn_guarantee *g = &f->guarantees[i];

        r->guarantees[i] = *g;
        r->achieved[i] = kn_verdict_achieved(f->after, i);
        r->achieved_k[i] = kn_verdict_achieved_k(f->after, i);
        if (f->before) {
            r->achieved_before[i] = kn_verdict_achieved(f->before, i);
        }
        if (kn__guarantee_has_k(g) && (r->rare_below == 0 || g->k < r->rare_below)) {
            r->rare_below = g->k;
        }
    }
    r->rare_below = r->rare_below < KN_REPORT_LEAST ? KN_REPORT_LEAST : r->rare_below;
    r->satisfied = kn_verdict_holds(f->after);
    r->at_risk = kn_verdict_records_at_risk(f->after);
    r->violations_total = kn_verdict_violations(f->after);
    if (seen && seen->recount) {
        memcpy(r->recounted, seen->recounted, sizeof r->recounted);
        r->recount = kn__strdup(seen->recount);
        return r->recount ? KN_OK : kn__nomem(err);
    }
    return KN_OK;
}

static kn_status copy_measures(kn_report *r, const kn_measures *m, kn_error *err)
{
    const size_t count = m ? kn_measures_count(m) : 0;
    kn_status status = KN_OK;

    r->measure_names = kn__zalloc_array(count, sizeof *r->measure_names);
    r->measure_columns = kn__zalloc_array(count, sizeof *r->measure_columns);
    r->measure_values = kn__zalloc_array(count, sizeof *r->measure_values);
    if (!r->measure_names || !r->measure_columns || !r->measure_values) {
        return kn__nomem(err);
    }
    r->measures_count = count;
    for (size_t i = 0; i < count; i++) {
        const kn_measurement *one = kn_measures_get(m, i);

        KN_TRY(copy(&r->measure_names[i], one->name, err));
        KN_TRY(copy(&r->measure_columns[i], one->column, err));
        r->measure_values[i] = one->value;
    }
done:
    return status;
}

static kn_status copy_phases(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    kn_status status = KN_OK;

    r->phase_names = kn__zalloc_array(f->phases_count, sizeof *r->phase_names);
    r->phase_seconds = kn__zalloc_array(f->phases_count, sizeof *r->phase_seconds);
    if (!r->phase_names || !r->phase_seconds) {
        return kn__nomem(err);
    }
    r->phases_count = f->phases_count;
    for (size_t i = 0; i < f->phases_count && status == KN_OK; i++) {
        status = copy(&r->phase_names[i], f->phases[i].name, err);
        r->phase_seconds[i] = f->phases[i].seconds;
    }
    return status;
}

/* What there is to say of a column, but for its bars of the release. */
static kn_status count_before(kn_report *r, const kn_report_facts *f, size_t i, kn_error *err)
{
    const kn_column *column = &f->original->column[i];
    const size_t at = kn_dataset_find(f->published, column->name);
    kn_report_column *out = &r->column[i];
    kn_status status = copy(&out->name, column->name, err);

    out->type = column->type;
    out->role = column->role;
    out->chosen = column->chosen;
    out->loss = NAN;
    if (status != KN_OK || column->role == KN_ROLE_IDENTIFIER || column->role == KN_ROLE_DROPPED) {
        return status;
    }
    out->published = at != SIZE_MAX;
    out->values_before = kn__column_values(column);
    out->values_after = out->published ? kn__column_values(&f->published->column[at]) : 0;
    if (column->role == KN_ROLE_QUASI) {
        status = kn__bars_count(&out->before, f->original, i, r->rare_below, err);
        if (status == KN_OK && out->published && (f->origin || !f->shuffled)) {
            status = kn__changes_count(&out->changes, f->original, i, f->published, at, f->origin,
                                       r->rare_below, err);
        }
    }
    return status;
}

/* Of a sensitive column only what was published: the difference to the original would tell the
 * values of the people whose records were removed. */
static kn_status count_after(kn_report *r, const kn_report_facts *f, size_t i, kn_error *err)
{
    const kn_column *column = &f->original->column[i];
    const size_t at = kn_dataset_find(f->published, column->name);

    if (at == SIZE_MAX || (column->role != KN_ROLE_QUASI && column->role != KN_ROLE_SENSITIVE)) {
        return KN_OK;
    }
    return kn__bars_count(&r->column[i].after, f->published, at, r->rare_below, err);
}

typedef struct counting {
    kn_report *r;
    const kn_report_facts *facts;
    kn_status *status; /* by column, before and after: two threads can share one column */
} counting;

static void count_some(void *user, unsigned worker, size_t begin, size_t end)
{
    const counting *c = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        c->status[i] = i % 2 ? count_after(c->r, c->facts, i / 2, NULL)
                             : count_before(c->r, c->facts, i / 2, NULL);
    }
}

static kn_status count_columns(kn_report *r, const kn_report_facts *f, const kn_run *run,
                               kn_error *err)
{
    counting c = {.r = r, .facts = f};
    kn_status status = kn__dataset_with_role(f->original, KN_ROLE_QUASI, &r->quasi, &r->quasis,
                                             err);

    if (status != KN_OK) {
        return status;
    }
    r->column = kn__zalloc_array(f->original->columns, sizeof *r->column);
    c.status = kn__zalloc_array(f->original->columns, 2 * sizeof *c.status);
    if (!r->column || !c.status) {
        kn__free(c.status);
        return kn__nomem(err);
    }
    r->columns = f->original->columns;
    kn__parallel_for(kn__run_threads(run), 2 * r->columns, 1, count_some, &c);
    for (size_t i = 0; i < 2 * r->columns && status == KN_OK; i++) {
        status = c.status[i];
    }
    kn__free(c.status);
    for (size_t i = 0; i < kn_measures_count(f->measures); i++) {
        const kn_measurement *m = kn_measures_get(f->measures, i);
        const size_t at = m->column ? kn_dataset_find(f->original, m->column) : SIZE_MAX;
        if (at != SIZE_MAX && strcmp(m->name, "loss") == 0) {
            r->column[at].loss = m->value;
        }
    }
    /* Counting fails for want of memory only. */
    return status == KN_OK ? KN_OK : kn__nomem(err);
}

/* What violation `v` says of a column, as text: the value of its class, or its combination of
 * items, joined by the item separator. */
static kn_status cell(char **out, const kn_dataset *ds, const kn_column *c, const kn_violation *v,
                      kn_error *err)
{
    const uint32_t single = c->starts ? 0 : kn__column_code(c, v->record);
    const uint32_t *codes = c->starts ? v->items : &single;
    const size_t count = c->starts ? v->items_count : 1;
    kn_buffer b = {0};
    char *raw = NULL;
    kn_status status;

    for (size_t i = 0; i < count; i++) {
        size_t len;
        const char *text = kn__column_text(c, codes[i], &len);

        kn__buffer_adds(&b, i == 0 ? "" : ds->item_separator ? ds->item_separator : "|");
        kn__buffer_add(&b, text, len);
    }
    if (count == 0) {
        return KN_OK;
    }
    KN_TRY(kn__buffer_take(&b, &raw, err));
    KN_TRY(copy(out, raw, err));
done:
    kn__free(raw);
    return status;
}

static kn_status copy_violations(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    const size_t count = kn_verdict_violations_kept(f->after);
    kn_status status = KN_OK;

    r->violations = kn__zalloc_array(count, sizeof *r->violations);
    if (!r->violations) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const kn_violation *v = kn_verdict_violation(f->after, i);
        kn_report_violation *out = &r->violations[r->violations_count++];

        *out = (kn_report_violation){.kind = v->kind, .size = v->size, .value = v->value};
        out->values = kn__zalloc_array(r->quasis, sizeof *out->values);
        KN_TRY(out->values ? KN_OK : kn__nomem(err));
        KN_TRY(v->held && f->published
                   ? kn__label(&out->sensitive, &f->published->column[v->column], v->sensitive_item,
                               err)
                   : copy(&out->sensitive, v->sensitive, err));
        for (size_t q = 0; f->original && q < r->quasis; q++) {
            const size_t at = kn_dataset_find(f->published, f->original->column[r->quasi[q]].name);
            if (at != SIZE_MAX) {
                KN_TRY(cell(&out->values[q], f->published, &f->published->column[at], v, err));
            }
        }
    }
done:
    return status;
}

static kn_status measure_one(kn_risk *risk, kn_size_bins *bins, const kn_dataset *ds,
                             const kn_run *run, double threshold, kn_error *err)
{
    kn_class_sizes sizes = {0};
    kn_status status;

    KN_TRY(kn_risk_measure(risk, ds, NULL, threshold, run, err));
    KN_TRY(kn_class_sizes_count(&sizes, ds, run, err));
    kn__size_bins_fill(bins, &sizes);
    kn_class_sizes_free(&sizes);
done:
    return status;
}

static bool has_scalar_quasi(const kn_dataset *ds)
{
    bool scalar = false;

    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == KN_ROLE_QUASI) {
            if (ds->column[i].starts) {
                return false;
            }
            scalar = true;
        }
    }
    return scalar;
}

static kn_status measure_risk(kn_report *r, const kn_report_facts *f, const kn_run *run,
                              kn_error *err)
{
    const kn_risk unknown = {.prosecutor_max = NAN,
                             .prosecutor_mean = NAN,
                             .at_risk_share = NAN,
                             .journalist_max = NAN,
                             .journalist_mean = NAN,
                             .marketer = NAN,
                             .threshold = NAN};
    const double threshold = 1.0 / (double)r->rare_below;
    kn_status status = KN_OK;

    r->risk_before = r->risk_after = unknown;
    if (has_scalar_quasi(f->original)) {
        KN_TRY(measure_one(&r->risk_before, &r->sizes_before, f->original, run, threshold, err));
    }
    if (has_scalar_quasi(f->published)) {
        KN_TRY(measure_one(&r->risk_after, &r->sizes_after, f->published, run, threshold, err));
    }
done:
    return status;
}

static kn_status take_points(kn_report *r, const kn_report_facts *f, const kn_run *run,
                             kn_error *err)
{
    const kn_table_facts facts = {.published = f->published,
                                  .guarantees = f->guarantees,
                                  .guarantees_count = f->guarantees_count,
                                  .verdict = f->after,
                                  .original = f->original,
                                  .origin = f->origin,
                                  .shuffled = f->shuffled,
                                  .options = f->point_options};

    if (f->points && *f->points) {
        r->points = *f->points;
        *f->points = NULL;
        return KN_OK;
    }
    return kn__points_of_table(&r->points, &facts, run, err);
}

kn_status kn__report_make(kn_report **out, const kn_report_facts *facts, const kn_run *run,
                          kn_error *err)
{
    kn_report *r = kn__zalloc(sizeof *r);
    kn_status status;

    *out = NULL;
    KN_TRY(r ? KN_OK : kn__nomem(err));
    r->seed = facts->seed;
    r->suppressed = facts->suppressed;
    r->left_out = facts->left_out;
    r->clusters = facts->clusters;
    r->starred = facts->starred;
    r->shuffled = facts->shuffled;
    r->peak_memory_bytes = facts->peak_memory_bytes;
    KN_TRY(copy_job(r, facts->job_json, err));
    KN_TRY(kn__report_file_copy(&r->input, facts->input_path, facts->original, err));
    KN_TRY(kn__report_file_copy(&r->output, facts->output_path, facts->published, err));
    KN_TRY(copy(&r->method, facts->method, err));
    KN_TRY(copy_trees(r, facts, err));
    KN_TRY(copy_guarantees(r, facts, err));
    KN_TRY(draw_trees(r, facts, err));
    KN_TRY(copy_measures(r, facts->measures, err));
    KN_TRY(copy_phases(r, facts, err));
    KN_TRY(count_columns(r, facts, run, err));
    KN_TRY(copy_violations(r, facts, err));
    KN_TRY(measure_risk(r, facts, run, err));
    KN_TRY(take_points(r, facts, run, err));
    KN_TRY(kn__report_warn(r, facts, err));
    KN_TRY(kn__report_areas_copy(&r->areas, facts->areas, err));
    *out = r;
    r = NULL;
done:
    kn_report_free(r);
    return status;
}

kn_status kn_report_write(const kn_report *r, const char *path, kn_error *err)
{
    KN_NEED(err, r, path);

    const char *dot = strrchr(kn__basename(path), '.');
    char *text = NULL;
    kn_sink *sink = NULL;
    kn_status status;

    if (dot && strcmp(dot, ".json") == 0) {
        KN_TRY(kn_report_json(&text, r, err));
    } else if (dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0)) {
        KN_TRY(kn_report_html(&text, r, err));
    } else {
        return kn__fail(err, KN_EUSAGE, "%s: a report is written as .json or .html: name it so",
                        path);
    }
    KN_TRY(kn__sink_put(&sink, path, KN_COMPRESSION_NONE, text, strlen(text), err));
    KN_TRY(kn__sink_commit(sink, err));
done:
    kn__free(text);
    return status;
}

/* The names of the columns, and which are quasi-identifiers. */
static kn_status name_columns(kn_report *r, const kn_dataset *ds, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__dataset_with_role(ds, KN_ROLE_QUASI, &r->quasi, &r->quasis, err));
    r->column = kn__zalloc_array(ds->columns, sizeof *r->column);
    KN_TRY(r->column ? KN_OK : kn__nomem(err));
    for (; r->columns < ds->columns; r->columns++) {
        KN_TRY(copy(&r->column[r->columns].name, ds->column[r->columns].name, err));
    }
done:
    return status;
}

kn_status kn__report_of_verdict(kn_report **out, const kn_verdict *v,
                                const kn_guarantee *guarantees, size_t count, const kn_dataset *ds,
                                kn_error *err)
{
    const kn_report_facts facts = {.guarantees = guarantees,
                                   .guarantees_count = count,
                                   .after = v,
                                   .original = ds,
                                   .published = ds};
    kn_report *r = kn__zalloc(sizeof *r);
    kn_status status;

    KN_TRY(r ? copy_guarantees(r, &facts, err) : kn__nomem(err));
    if (ds) {
        KN_TRY(name_columns(r, ds, err));
    }
    KN_TRY(copy_violations(r, &facts, err));
    *out = r;
    r = NULL;
done:
    kn_report_free(r);
    return status;
}

kn_status kn__report_of_measures(kn_report **out, const kn_measures *m, kn_error *err)
{
    kn_report *r = kn__zalloc(sizeof *r);
    kn_status status;

    KN_TRY(r ? copy_measures(r, m, err) : kn__nomem(err));
    *out = r;
    r = NULL;
done:
    kn_report_free(r);
    return status;
}
