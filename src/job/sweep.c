/* sweep.c - a job for many values of one or several parameters. What does not depend on the value
 * is made once and lent to the runs; releases and reports wait in temporary files until all runs
 * are through, so that either all are there or none. */
#include "kanon/sweep.h"
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/reader.h"
#include "job/sweep_values.h"
#include "job/job_context.h"
#include "methods/mixed/sweep_cache.h"
#include "report/sweep.h"

#include <stdio.h>
#include <string.h>

typedef struct sweeping {
    const kn_job *job;
    kn_job_context shared; /* of all values: schema, table, hierarchies, check of the table, what
                          methods keep from one to the next, reports */
    kn_sweep_space space;
    kn_job **jobs;                 /* one per combination of values */
    kn_publication **publications; /* releases on their way out; NULL where there is none */
    kn_sweep *sweep;
    size_t at;      /* the value at work */
    bool in_memory; /* nothing is written */
} sweeping;

/* ---- the job of a value ---- */

/* Before the endings, which say what format it has: "out.csv.gz" becomes "out.k=5.csv.gz". */
static kn_status path_of(const char *output, const kn_sweep_space *space, size_t at, char **out,
                         kn_error *err)
{
    const char *slash = strrchr(output, '/');
    const char *name = slash ? slash + 1 : output;
    size_t stem = kn__name_stem(name);
    kn_buffer b = {0};

    for (size_t i = stem; i-- > 1;) {
        if (name[i] == '.') {
            stem = i;
            break;
        }
    }
    kn__buffer_add(&b, output, (size_t)(name - output) + stem);
    for (size_t a = 0; a < space->axes; a++) {
        kn__buffer_addf(&b, ".%s=%s", space->axis[a].parameter.name,
                        kn__sweep_space_value(space, at, a));
    }
    kn__buffer_adds(&b, name + stem);
    return kn__buffer_take(&b, out, err);
}

static kn_status put(kn_job *job, const char *name, const char *text, kn_error *err)
{
    kn_option option;

    return kn_job_option_find(&option, name) ? kn__job_put(job, &option, text, err) : KN_OK;
}

/* The job that would do the same for one value: what a report of it can be run again from. */
static kn_status job_of(const kn_job *job, const kn_sweep_space *space, size_t i, kn_job **out,
                        kn_error *err)
{
    const char *output = kn_job_get(job, "output", 0);
    char *path = NULL;
    kn_status status;

    KN_TRY(kn_job_new(out, err));
    for (size_t o = 0; o < job->count; o++) {
        const kn_job_values *v = &job->options[o];
        if (strcmp(v->name, "sweep") == 0 || strcmp(v->name, "report") == 0 ||
            strcmp(v->name, "output") == 0 || kn__sweep_space_has(space, v->name)) {
            continue;
        }
        for (size_t j = 0; j < v->count; j++) {
            KN_TRY(put(*out, v->name, v->texts[j], err));
        }
    }
    for (size_t a = 0; a < space->axes; a++) {
        KN_TRY(put(*out, space->axis[a].parameter.name, kn__sweep_space_value(space, i, a), err));
    }
    if (output) {
        KN_TRY(path_of(output, space, i, &path, err));
        KN_TRY(put(*out, "output", path, err));
    }
done:
    kn_string_free(path);
    return status;
}

kn_status kn_sweep_path(char **path, const kn_job *job, size_t i, kn_error *err)
{
    KN_NEED_OUT(err, path);
    KN_NEED(err, job);

    const char *output = kn_job_get(job, "output", 0);
    kn_sweep_space space = {0};
    kn_status status;

    KN_TRY(kn__sweep_space_read(&space, job, err));
    if (output && space.axes && i < space.count) {
        KN_TRY(path_of(output, &space, i, path, err));
    }
done:
    kn__sweep_space_clear(&space);
    return status;
}

/* ---- refusing early ---- */

static kn_status refuse_output(const sweeping *s, kn_error *err)
{
    const char *output = s->shared.output;

    if (strcmp(output, "-") == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "--sweep: several releases do not fit into standard output: give a file "
                        "(-o), or leave -o out to compare the values only");
    }
    if (s->space.count > KN_SWEEP_MOST_RELEASES) {
        return kn__fail(
            err, KN_EUSAGE,
            "--sweep: %zu values, and %d releases are the most: leave -o out to compare "
            "the values first",
            s->space.count, KN_SWEEP_MOST_RELEASES);
    }
    return KN_OK;
}

/* All values are asked for before the first is run. */
static kn_status ask_all(sweeping *s, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; i < s->space.count && st == KN_OK; i++) {
        kn_job_context w = {0};
        st = job_of(s->job, &s->space, i, &s->jobs[i], err);
        w.job = s->jobs[i];
        if (st == KN_OK) {
            st = kn__job_context_ask(&w, err);
            s->shared.rare_below = w.rare_below > s->shared.rare_below ? w.rare_below
                                                                       : s->shared.rare_below;
            if (st == KN_EUSAGE && err && strncmp(err->message, "--", 2) == 0) {
                kn__error_prefix(err, "--sweep"); /* an option that was not typed */
            }
        }
        kn__job_context_clear(&w);
    }
    return st;
}

/* Outputs must be none of the files read and none of the reports, which the whole job knows. */
static kn_status refuse_outputs(const sweeping *s, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; i < s->space.count && st == KN_OK && s->shared.output; i++) {
        kn_job_context w = s->shared; /* borrows */
        w.output = kn_job_get(s->jobs[i], "output", 0);
        st = kn__job_context_refuse_output(&w, err);
    }
    return st;
}

static kn_status refuse_early(sweeping *s, kn_error *err)
{
    if (!kn_job_get(s->job, "sweep", 0)) {
        return kn__fail(err, KN_EUSAGE, "say what to sweep over: --sweep k=2,5,10");
    }
    KN_PASS(s->shared.table ? kn__job_refuse_files(s->job, true, err)
                            : kn__job_context_begin(&s->shared, err));
    KN_PASS(kn__sweep_space_read(&s->space, s->job, err));
    if (s->shared.output) {
        KN_PASS(refuse_output(s, err));
    }
    s->jobs = kn__zalloc_array(s->space.count, sizeof *s->jobs);
    s->publications = kn__zalloc_array(s->space.count, sizeof *s->publications);
    KN_PASS(s->jobs && s->publications ? ask_all(s, err) : kn__nomem(err));
    KN_PASS(kn__job_context_schema(&s->shared, err));
    KN_PASS(kn__job_context_refuse_reports(&s->shared, err));
    return refuse_outputs(s, err);
}

/* ---- the runs ---- */

/* "k=5", or "k=5, method=flash", into `out`. */
static void say_value(char out[128], const sweeping *s)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t a = 0; a < s->space.axes && len < 127; a++) {
        const int n = snprintf(out + len, 128 - len, "%s%s=%s", a ? ", " : "",
                               s->space.axis[a].parameter.name,
                               kn__sweep_space_value(&s->space, s->at, a));
        len += n > 0 ? (size_t)n : 0;
    }
}

/* Progress says which value is at work. */
static int step(void *user, const char *phase, double done)
{
    const sweeping *s = user;
    char value[128], words[256];

    say_value(value, s);
    (void)snprintf(words, sizeof words, "%s: %s", value, phase);
    return s->shared.run.progress(s->shared.run.user, words, done);
}

/* Whether what holds for the original is the same whatever the value. It is of k, t and c, and of
 * all that a method takes; the k of k^m depends on m, the c of (c,l)-diversity on l. */
static bool shares_check(const sweeping *s)
{
    return !kn__sweep_space_has(&s->space, "m") && !kn__sweep_space_has(&s->space, "l");
}

static double seconds_of(const kn_job_context *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->phases_count; i++) {
        sum += strcmp(w->phases[i].name, "compare") != 0 ? w->phases[i].seconds : 0;
    }
    return sum;
}

static kn_status start(sweeping *s, const char *method, kn_error *err)
{
    char *json = NULL;
    kn_status st = kn_job_json(&json, s->job, err);
    const char *parameters[KN_SWEEP_AXES] = {0};
    char date[16];
    const kn_sweep_facts facts = {.parameters = parameters,
                                  .parameters_count = s->space.axes,
                                  .job_json = json,
                                  .method = method,
                                  .input_path = s->shared.input,
                                  .title = kn_job_get(s->job, "title", 0),
                                  .note = kn_job_get(s->job, "note", 0),
                                  .date = kn_job_date(s->job, date, sizeof date),
                                  .original = s->shared.original,
                                  .seed = s->shared.run.seed,
                                  .released = s->shared.output != NULL};

    for (size_t a = 0; a < s->space.axes; a++) {
        parameters[a] = s->space.axis[a].parameter.name;
    }
    if (st == KN_OK) {
        st = kn__sweep_new(&s->sweep, &facts, err);
    }
    kn_string_free(json);
    return st;
}

/* Add a run to the table. */
static kn_status add_run(sweeping *s, kn_report *report, const char *reason, double seconds,
                         kn_error *err)
{
    const char *values[KN_SWEEP_AXES] = {0};

    for (size_t a = 0; a < s->space.axes; a++) {
        values[a] = kn__sweep_space_value(&s->space, s->at, a);
    }
    return kn__sweep_add(s->sweep, values, report, reason, seconds, err);
}

/* What is kept of a run that is through: its report, and its release if that goes somewhere. */
static kn_status keep(sweeping *s, kn_job_context *w, kn_error *err)
{
    KN_PASS(add_run(s, w->report, NULL, seconds_of(w), err));
    w->report = NULL;
    if (w->output) {
        kn__publication_settle(w->publication);
        s->publications[s->at] = w->publication;
        w->publication = NULL;
    }
    return KN_OK;
}

static void name_value(const sweeping *s, kn_error *err)
{
    char value[128], words[160];

    say_value(value, s);
    /* Without an output it stands where what goes to standard output waits. */
    (void)snprintf(words, sizeof words, "%s%s", value,
                   err->status == KN_EIO && !s->shared.output ? " (a temporary file)" : "");
    kn__error_prefix(err, words);
}

static kn_status run_value(sweeping *s, kn_error *err)
{
    const bool shares = shares_check(s);
    struct ArrowArrayStream checked = {0}; /* of a table in memory: the release, and no more */
    kn_error why = {0};
    kn_job_context w = {.job = s->jobs[s->at],
                        .wants_report = true,
                        .run = s->shared.run,
                        .input = s->shared.input,
                        .output = kn_job_get(s->jobs[s->at], "output", 0),
                        .published = s->in_memory ? &checked : NULL,
                        .schema = s->shared.schema,
                        .original = s->shared.original,
                        .hierarchies = s->shared.hierarchies,
                        .memo = s->shared.memo,
                        .before = shares ? s->shared.before : NULL};
    kn_status st;

    if (w.run.progress) {
        w.run.progress = step;
        w.run.user = s;
    }
    st = kn__job_context_ask(&w, err);
    if (st == KN_OK && !s->sweep) {
        st = start(s, w.options.method, err);
    }
    if (st == KN_OK) {
        st = kn__job_context_make(&w, &why);
        if (checked.release) {
            checked.release(&checked);
        }
        if (st == KN_OK) {
            st = keep(s, &w, err);
        } else if (st == KN_EINFEASIBLE) {
            st = add_run(s, NULL, why.message, seconds_of(&w), err);
        } else if (err) {
            *err = why;
            if (st != KN_ECANCELLED && st != KN_ENOMEM) {
                name_value(s, err);
            }
        }
    }
    if (shares) {
        s->shared.before = w.before;
        w.before = NULL;
    }
    w.schema = NULL;
    w.original = NULL;
    w.hierarchies = NULL;
    w.memo = NULL;
    kn__job_context_clear(&w);
    return st;
}

static kn_status render(const void *sweep, bool html, char **out, kn_error *err)
{
    return html ? kn_sweep_html(out, sweep, err) : kn_sweep_json(out, sweep, err);
}

static kn_status publish_all(sweeping *s, kn_error *err)
{
    kn_status st = kn__job_context_write_reports(&s->shared, render, s->sweep, err);

    return st == KN_OK ? kn__working_commit(&s->shared, s->publications, s->space.count, err) : st;
}

/* With --strict nothing is published while one of the releases has a point to settle. */
static kn_status refuse_open(const sweeping *s, kn_error *err)
{
    const char *strict = kn_job_get(s->job, "strict", 0);
    kn_buffer values = {0};
    size_t open = 0;
    kn_status st = KN_OK;

    for (size_t i = 0; i < kn_sweep_values(s->sweep); i++) {
        const kn_report *report = kn_sweep_report(s->sweep, i);
        if (report && kn_points_open(kn_report_points(report))) {
            kn__buffer_addf(&values, "%s%s", open++ ? ", " : "", kn_sweep_value(s->sweep, i));
        }
    }
    if (values.failed) {
        st = kn__nomem(err);
    } else if (open && strict && strcmp(strict, "true") == 0) {
        s->sweep->released = false;
        st = kn__fail(err, KN_EBROKEN,
                      "nothing was written, as --strict asks: there are points to settle with %s = "
                      "%.700s",
                      kn_sweep_parameter(s->sweep), values.data);
    }
    kn__buffer_free(&values);
    return st;
}

static void clear(sweeping *s)
{
    for (size_t i = 0; i < s->space.count; i++) {
        if (s->publications) {
            kn__publication_abandon(s->publications[i]);
        }
        if (s->jobs) {
            kn_job_free(s->jobs[i]);
        }
    }
    KN_FREE(s->publications, s->jobs);
    kn_sweep_free(s->sweep);
    kn__sweep_space_clear(&s->space);
    kn__job_context_clear(&s->shared);
}

static kn_status sweep(sweeping *s, kn_sweep **out, kn_error *err)
{
    bool withheld = false;
    kn_status status;

    KN_TRY(refuse_early(s, err));
    KN_TRY(kn_job_settings(&s->shared.run, s->job, err));
    s->shared.job = s->jobs[0]; /* the table is read as for a value */
    status = kn__job_context_read(&s->shared, err);
    s->shared.job = s->job;
    KN_TRY(status);
    if (s->space.axes == 1) { /* it is for runs that differ in one parameter */
        KN_TRY(kn__sweep_cache_new(&s->shared.memo, err));
    }
    for (s->at = 0; s->at < s->space.count; s->at++) {
        KN_TRY(run_value(s, err));
    }
    status = refuse_open(s, err);
    withheld = status == KN_EBROKEN;
    KN_TRY(status);
    if (!s->in_memory) {
        KN_TRY(publish_all(s, err));
    }
done:
    if (status == KN_OK || withheld) {
        *out = s->sweep;
        s->sweep = NULL;
    }
    clear(s);
    return status;
}

kn_status kn_sweep_run(kn_sweep **out, const kn_job *job, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job);
    KN_NEED_SIZED(err, run);

    sweeping s = {.job = job,
                  .shared = {.job = job, .wants_report = true, .run = run ? *run : (kn_run){0}}};

    return sweep(&s, out, err);
}

kn_status kn_sweep_run_data(kn_sweep **out, const kn_job *job, const kn_job_data *data,
                            const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job, data);
    KN_NEED_SIZED(err, data);
    KN_NEED_SIZED(err, run);
    KN_NEED(err, data->table);

    sweeping s = {.job = job,
                  .in_memory = true,
                  .shared = {.job = job,
                             .wants_report = true,
                             .run = run ? *run : (kn_run){0},
                             .input = kn__job_data_name,
                             .table = data->table,
                             .given = data->hierarchies}};

    return sweep(&s, out, err);
}
