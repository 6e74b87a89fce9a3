/* job_run.c - a job from file to checked file. What can be refused is refused before anything is
 * read; reports are complete on disk before the release appears, so that either all of it is there
 * or none. */
#include "job/job_context.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "guarantees/verdict.h"
#include "io/reader.h"
#include "methods/anonymize.h"
#include "points/points.h"
#include "utility/profile/open_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

typedef kn_job_context working;

/* ---- refusing early ---- */

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

static kn_status refuse_unwritable(const char *path, const char *what, kn_error *err)
{
    char *target, *folder = NULL;
    struct stat st;
    kn_status status = KN_OK;

    if (is_stdout(path) || kn__path_is_stream(path)) {
        return KN_OK;
    }
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return kn__fail(err, KN_EIO, "%.400s: cannot write the %s: this is a folder; give a file",
                        path, what);
    }
    /* Through a symbolic link the file that it names is replaced. */
    target = kn__strdup(path);
    KN_TRY(target ? kn__path_follow(&target, err) : kn__nomem(err));
    folder = kn__path_folder(target);
    KN_TRY(folder ? KN_OK : kn__nomem(err));
    if (stat(*folder ? folder : ".", &st) != 0) {
        status = kn__fail(err, KN_EIO, "%.400s: cannot write the %s: its folder: %s", path, what,
                          strerror(errno));
    } else if (!S_ISDIR(st.st_mode)) {
        status = kn__fail(err, KN_EIO, "%.400s: cannot write the %s: '%.200s' is not a folder",
                          path, what, folder);
    } else if (access(*folder ? folder : ".", W_OK | X_OK) != 0) {
        status = kn__fail(err, KN_EIO, "%.400s: cannot write the %s: its folder: %s", path, what,
                          strerror(errno));
    }
done:
    kn__free(target);
    kn__free(folder);
    return status;
}

static kn_status would_overwrite(const char *path, const char *what, const char *other,
                                 kn_error *err)
{
    return kn__fail(err, KN_EUSAGE, "%.400s: the %s would overwrite the %s; give it another name",
                    path, what, other);
}

/* Whether `path` is a file that is there already, in the folder of hierarchies. */
static bool is_in_folder(const char *path, const char *folder)
{
    char *there = kn__path_join(folder, kn__path_name(path));
    const bool same = there && kn__file_same(path, there);

    kn__free(there);
    return same;
}

/* `path` is about to be written: it must be none of the files that are read beside the table. */
static kn_status refuse_beside(const kn_job *job, const kn_schema *s, const char *path,
                               const char *what, kn_error *err)
{
    const char *schema = kn_job_get(job, "schema", 0), *pair;
    const char *folder = kn_job_get(job, "hierarchies", 0);

    if (schema && kn__path_same(path, schema)) {
        return would_overwrite(path, what, "schema", err);
    }
    if (folder && is_in_folder(path, folder)) {
        return would_overwrite(path, what, "hierarchies", err);
    }
    for (size_t i = 0; (pair = kn_job_get(job, "hierarchy", i)); i++) {
        size_t len;
        if (kn__path_same(path, kn__map_value(pair, &len))) {
            return would_overwrite(path, what, "hierarchies", err);
        }
    }
    for (size_t i = 0; i < s->joins_count; i++) {
        if (kn__path_same(path, s->joins[i].path)) {
            return would_overwrite(path, what, "joined file", err);
        }
    }
    for (size_t i = 0; i < kn_schema_columns(s); i++) {
        const char *column = kn_schema_column_name(s, i), *hierarchy;
        for (size_t j = 0; (hierarchy = kn_schema_hierarchy_at(s, column, j)); j++) {
            if (kn__path_same(path, hierarchy)) {
                return would_overwrite(path, what, "hierarchies", err);
            }
        }
    }
    return KN_OK;
}

static kn_status refuse_read_file(const working *w, const char *path, const char *what,
                                  kn_error *err)
{
    return kn__path_same(path, w->input) ? would_overwrite(path, what, "input", err)
                                         : refuse_beside(w->job, w->schema, path, what, err);
}

kn_status kn_job_refuse_overwriting(const kn_job *job, const char *const *read, size_t read_count,
                                    const char *const *written, size_t written_count, kn_error *err)
{
    KN_NEED(err, job);
    KN_NEED_LIST(err, read, read_count);
    KN_NEED_LIST(err, written, written_count);

    const char *what = written_count > 1 ? "file" : "output"; /* some may be reports */
    kn_schema *schema = NULL;
    kn_status status;

    KN_TRY(kn__job_schema(job, &schema, err));
    for (size_t i = 0; i < written_count; i++) {
        KN_TRY(refuse_beside(job, schema, written[i], what, err));
        KN_TRY(refuse_unwritable(written[i], what, err));
        for (size_t j = 0; j < read_count; j++) {
            if (kn__path_same(written[i], read[j])) {
                KN_TRY(would_overwrite(written[i], what, "input", err));
            }
        }
        for (size_t j = 0; j < i; j++) {
            if (kn__path_same(written[i], written[j])) {
                KN_TRY(kn__fail(err, KN_EUSAGE, "%.400s: given twice; give two names", written[i]));
            }
        }
    }
done:
    kn_schema_free(schema);
    return status;
}

kn_status kn__job_context_refuse_output(const working *w, kn_error *err)
{
    const char *path;

    KN_PASS(refuse_read_file(w, w->output, "output", err));
    for (size_t i = 0; (path = kn_job_get(w->job, "report", i)); i++) {
        if (kn__path_same(path, w->output)) {
            KN_PASS(kn__fail(err, KN_EUSAGE, "%.400s: both the output and a report; give two names",
                             path));
        }
    }
    KN_PASS(kn__refuse_foreign_name(w->output, err));
    return refuse_unwritable(w->output, "output", err);
}

kn_status kn__job_context_refuse_reports(working *w, kn_error *err)
{
    const char *path;

    for (size_t i = 0; (path = kn_job_get(w->job, "report", i)); i++) {
        w->reports++;
        KN_PASS(refuse_read_file(w, path, "report", err));
        for (size_t j = 0; j < i; j++) {
            if (kn__path_same(path, kn_job_get(w->job, "report", j))) {
                KN_PASS(kn__fail(err, KN_EUSAGE, "%.400s: two reports with one name", path));
            }
        }
        KN_PASS(refuse_unwritable(path, "report", err));
    }
    for (size_t i = 0; i < KN_RELEASE_FILES; i++) {
        path = kn_job_get(w->job, kn__release_files[i], 0);
        if (path && kn_job_get(w->job, "sweep", 0)) {
            KN_PASS(kn__fail(err, KN_EUSAGE, "--%s is for one run: leave out --sweep",
                             kn__release_files[i]));
        }
        if (path) {
            KN_PASS(refuse_read_file(w, path, kn__release_files[i], err));
            KN_PASS(refuse_unwritable(path, kn__release_files[i], err));
        }
    }
    return KN_OK;
}

kn_status kn__job_context_ask(working *w, kn_error *err)
{
    KN_PASS(kn_job_guarantees(&w->guarantees, &w->guarantees_count, w->job, err));
    w->rare_below = kn__rare_below(w->guarantees, w->guarantees_count);
    KN_PASS(
        kn__job_method(w->job, w->guarantees, w->guarantees_count, &w->options, &w->params, err));
    w->options.points = &w->points;
    return kn_job_points(&w->points, w->job, false, err);
}

kn_status kn__job_context_begin(working *w, kn_error *err)
{
    w->input = kn_job_get(w->job, "input", 0);
    w->output = kn_job_get(w->job, "output", 0);
    return w->input ? KN_OK : kn__fail(err, KN_EUSAGE, "name the table to anonymise");
}

kn_status kn__job_context_schema(working *w, kn_error *err)
{
    return kn__job_schema(w->job, &w->schema, err);
}

static kn_status refuse_early(working *w, kn_error *err)
{
    KN_PASS(kn__job_context_begin(w, err));
    if (kn_job_get(w->job, "sweep", 0)) {
        return kn__fail(err, KN_EUSAGE, "this job sweeps over values: run it with kn_sweep_run");
    }
    if (!w->output) {
        return kn__fail(err, KN_EUSAGE, "say where to write: -o FILE, or -o - for standard output");
    }
    KN_PASS(kn__job_context_ask(w, err));
    KN_PASS(kn__job_context_schema(w, err));
    KN_PASS(kn__job_context_refuse_reports(w, err));
    return kn__job_context_refuse_output(w, err);
}

/* ---- the work ---- */

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void phase_done(working *w, const char *name)
{
    const double at = now();

    w->phases[w->phases_count++] = (kn_phase){name, at - w->since};
    w->since = at;
}

/* Every column needs a role that was chosen, before anything is made of the table. */
static kn_status settle_roles(working *w, kn_error *err)
{
    const char *accept = kn_job_get(w->job, "accept-suggested", 0);

    if (accept && strcmp(accept, "true") == 0) {
        KN_PASS(kn__accept_suggested(w->original, w->rare_below, &w->run, err));
    }
    return kn__refuse_open_columns(w->original, w->rare_below, &w->run, err);
}

static kn_status read_table(working *w, kn_error *err)
{
    struct ArrowArrayStream *table = w->table;

    w->table = NULL;
    return table ? kn_job_table_data(&w->original, w->job, table, KN_TABLE_ORIGINAL, &w->run, err)
                 : kn_job_table(&w->original, w->job, w->input, KN_TABLE_ORIGINAL, w->wants_report,
                                &w->run, err);
}

kn_status kn__job_context_read(working *w, kn_error *err)
{
    const char *class = kn_job_get(w->job, "class", 0);
    kn_status status;

    w->since = now();
    KN_TRY(read_table(w, err));
    phase_done(w, "read");
    KN_TRY(settle_roles(w, err));
    if (class) {
        KN_TRY(kn_dataset_set_class(w->original, kn_dataset_find(w->original, class), err));
    }
    status = kn__job_hierarchies(w->job, w->original, w->given, &w->hierarchies, err);
    w->given = NULL;
    KN_TRY(status);
    KN_TRY(w->original->counts || w->original->forest
               ? KN_OK
               : kn__treat_codes(w->original, w->hierarchies, err));
    phase_done(w, "hierarchies");
done:
    return status;
}

/* Over the same columns as in the release. */
static kn_status check_original(working *w, kn_error *err)
{
    return kn__check_once(&w->before, w->original, w->guarantees, w->guarantees_count,
                          w->hierarchies, &w->run, err);
}

static kn_status compare(working *w, kn_error *err)
{
    kn_status status;

    status = w->before ? KN_OK : check_original(w, err);
    phase_done(w, "compare");
    return status;
}

/* What was found when the release was read back. */
static kn_outcome *outcome_of(working *w)
{
    return w->published ? &w->found : kn__publication_outcome(w->publication);
}

static kn_status measure_uses(working *w, kn_error *err)
{
    const kn_outcome *outcome = outcome_of(w);
    kn_status st = kn__job_measure_tasks(w->job, outcome->measures, w->original, outcome->published,
                                         w->release->hierarchies, &w->run, err);

    phase_done(w, "measure");
    return st;
}

static kn_status make_report(working *w, kn_error *err)
{
    const char *rows = kn_job_get(w->job, "original-rows", 0);
    char date[16];
    kn_outcome *outcome = outcome_of(w);
    kn_report_facts facts = {.title = kn_job_get(w->job, "title", 0),
                             .note = kn_job_get(w->job, "note", 0),
                             .date = kn_job_date(w->job, date, sizeof date),
                             .original_rows = rows ? strtoul(rows, NULL, 10) : 0,
                             .seed = w->run.seed,
                             .input_path = w->input,
                             .output_path = w->output,
                             .original = w->original,
                             .published = outcome->published,
                             .origin = kn_release_origins(w->release, NULL),
                             .suppressed = kn_release_suppressed(w->release),
                             .left_out = kn_release_left_out(w->release),
                             .clusters = kn_release_clusters(w->release),
                             .tree_cut = (const char *const *)w->release->trees.cut,
                             .tree_cut_count = w->release->trees.cut_count,
                             .tree_removed = (const char *const *)w->release->trees.removed,
                             .tree_removed_count = w->release->trees.removed_count,
                             .tree_cuts = w->release->trees.examined,
                             .tree_clusters = w->release->trees.clusters,
                             .starred = w->options.suppressed == KN_SUPPRESSED_STARRED,
                             .shuffled = w->options.shuffle,
                             .hierarchies = w->release->hierarchies,
                             .areas = w->release->areas,
                             .guarantees = w->guarantees,
                             .guarantees_count = w->guarantees_count,
                             .before = w->before,
                             .after = outcome->verdict,
                             .measures = outcome->measures,
                             .method = kn_release_method(w->release),
                             .phases = w->phases,
                             .phases_count = w->phases_count,
                             .peak_memory_bytes = kn_memory_peak()};
    char *json = NULL;
    kn_status status;

    KN_TRY(kn_job_json(&json, w->job, err));
    facts.job_json = json;
    facts.points = &outcome->points;
    KN_TRY(kn__report_make(&w->report, &facts, &w->run, err));
done:
    kn_string_free(json);
    return status;
}

kn_status kn__job_context_make(working *w, kn_error *err)
{
    kn_status status;

    w->since = now();
    status = kn__anonymize_again(&w->release, w->original, w->hierarchies, &w->options, w->memo,
                                 &w->run, err);
    phase_done(w, "anonymize"); /* a sweep also says how long a failure took */
    KN_TRY(status);
    /* Without an output it is written as for standard output, and never sent there. */
    status = w->published
                 ? kn_release_to_arrow(w->published, w->wants_report ? &w->found : NULL, w->release,
                                       NULL, &w->run, err)
                 : kn__publication_prepare(&w->publication, w->release, w->output ? w->output : "-",
                                           NULL, w->wants_report, &w->run, err);
    phase_done(w, "publish");
    KN_TRY(status);
    if (w->wants_report) {
        KN_TRY(compare(w, err));
        KN_TRY(measure_uses(w, err));
        KN_TRY(make_report(w, err));
    }
done:
    return status;
}

/* `path` "-": JSON to standard output. */
static kn_status write_report(kn_sink **out, const char *path, kn_render_fn render,
                              const void *what, kn_error *err)
{
    const size_t len = strlen(path);
    char *text = NULL;
    kn_status status;

    KN_TRY(render(what, len > 5 && strcmp(path + len - 5, ".html") == 0, &text, err));
    KN_TRY(kn__sink_put(out, path, KN_COMPRESSION_NONE, text, strlen(text), err));
done:
    kn_string_free(text);
    return status;
}

/* What is written beside the releases. */
static size_t others(const working *w)
{
    return w->reports + 2 + KN_RELEASE_FILES;
}

kn_status kn__job_context_write_reports(working *w, kn_render_fn render, const void *what,
                                        kn_error *err)
{
    w->sinks = kn__zalloc_array(others(w), sizeof *w->sinks);
    KN_PASS(w->sinks ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < w->reports; i++) {
        KN_PASS(write_report(&w->sinks[i], kn_job_get(w->job, "report", i), render, what, err));
    }
    if (w->job->save_as) {
        KN_PASS(kn__job_put_file(&w->sinks[w->reports], w->job, w->job->save_as, err));
    }
    if (w->job->prints) {
        KN_PASS(write_report(&w->sinks[w->reports + 1], "-", render, what, err));
    }
    return kn__job_context_put_files(w, &w->sinks[w->reports + 2], err);
}

/* Everything is written, flushed and checked in temporary files. The releases go first: a report
 * without its release would mislead. */
kn_status kn__working_commit(working *w, kn_publication *const *releases, size_t count,
                             kn_error *err)
{
    kn_sink **all = kn__zalloc_array(count + others(w), sizeof *all);
    kn_status st;

    KN_PASS(all ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        all[i] = releases[i] ? kn__publication_take_file(releases[i]) : NULL;
    }
    for (size_t i = 0; i < others(w); i++) {
        all[count + i] = w->sinks[i];
        w->sinks[i] = NULL;
    }
    st = kn__sinks_commit(all, count + others(w), err);
    kn__free(all);
    return st;
}

static kn_status render(const void *report, bool html, char **out, kn_error *err)
{
    return html ? kn_report_html(out, report, err) : kn_report_json(out, report, err);
}

void kn__job_context_clear(working *w)
{
    for (size_t i = 0; w->sinks && i < others(w); i++) {
        kn__sink_abandon(w->sinks[i]);
    }
    kn__free(w->sinks);
    kn_report_free(w->report);
    kn__publication_abandon(w->publication);
    kn_outcome_clear(&w->found);
    if (w->table && w->table->release) {
        w->table->release(w->table);
    }
    kn_hierarchies_free(w->given);
    kn_verdict_free(w->before);
    kn__sweep_cache_free(w->memo);
    kn_release_free(w->release);
    kn_hierarchies_free(w->hierarchies);
    kn_dataset_free(w->original);
    kn_schema_free(w->schema);
    kn_job_guarantees_free(w->guarantees);
    kn_job_points_free(&w->points);
    kn_params_free(w->params);
    *w = (working){0};
}

kn_status kn_job_run(kn_report **report, const kn_job *job, const kn_run *run, kn_error *err)
{
    KN_NEED(err, job);
    KN_NEED_SIZED(err, run);

    working w = {.job = job, .run = run ? *run : (kn_run){0}};
    bool withheld = false;
    kn_status status;

    if (report) {
        *report = NULL;
    }
    KN_TRY(refuse_early(&w, err));
    KN_TRY(kn_job_settings(&w.run, job, err));
    w.wants_report = report || job->prints || w.reports > 0;
    KN_TRY(kn__job_context_read(&w, err));
    KN_TRY(kn__job_context_make(&w, err));
    if (w.points.strict) {
        status = kn__points_refuse(w.report ? kn_report_points(w.report)
                                            : kn__publication_outcome(w.publication)->points,
                                   &w.points, "release", err);
        withheld = status == KN_EBROKEN;
        KN_TRY(status);
    }
    KN_TRY(kn__job_context_write_reports(&w, render, w.report, err));
    KN_TRY(kn__working_commit(&w, &w.publication, 1, err));
done:
    if ((status == KN_OK || withheld) && report) {
        *report = w.report;
        w.report = NULL;
    }
    kn__job_context_clear(&w);
    return status;
}
