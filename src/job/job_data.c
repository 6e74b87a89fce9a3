/* job_data.c - a job on a table in memory: from Arrow stream to checked Arrow stream. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "job/job_context.h"
#include "points/points.h"
#include "release/value_recoding.h"
#include "utility/profile/profile.h"

#include <string.h>

/* A job that names files is meant for kn_job_run: what it asks to write would not be there. */
kn_status kn__job_refuse_files(const kn_job *job, bool sweep, kn_error *err)
{
    static const char *const files[] = {"input", "output", "report",  "recoding",
                                        "map",   "areas",  "mapping", "sweep"};

    for (size_t i = 0; i < sizeof files / sizeof *files - sweep; i++) {
        if (kn_job_get(job, files[i], 0)) {
            (void)kn__fail(err, KN_EUSAGE,
                           "a job on a table in memory has no '%s': leave it out, or run the job "
                           "on files",
                           files[i]);
            return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, files[i]);
        }
    }
    return KN_OK;
}

static kn_status read_data(kn_job_context *w, kn_error *err)
{
    KN_PASS(kn__job_refuse_files(w->job, false, err));
    KN_PASS(kn__job_context_ask(w, err));
    KN_PASS(kn__job_context_schema(w, err));
    KN_PASS(kn_job_settings(&w->run, w->job, err));
    return kn__job_context_read(w, err);
}

/* The context of a call on `data`, which it takes. */
static kn_job_context begin(struct ArrowArrayStream *out, const kn_job *job,
                            const kn_job_data *data, const kn_run *run)
{
    return (kn_job_context){.job = job,
                            .run = run ? *run : (kn_run){0},
                            .input = kn__job_data_name,
                            .output = kn__job_data_name,
                            .table = data->table,
                            .given = data->hierarchies,
                            .published = out};
}

/* A release without a recoding to keep is no failure. */
static kn_status keep_recoding(const kn_job_context *w, kn_value_recoding **out, kn_error *err)
{
    kn_error why = {0};
    kn_status status = out ? kn_release_recoding(out, w->release, &why) : KN_OK;

    return status == KN_EUSAGE ? KN_OK : kn__error_pass(err, &why);
}

kn_status kn_job_run_data(struct ArrowArrayStream *out, kn_report **report, const kn_job *job,
                          const kn_job_data *data, const kn_run *run, kn_error *err)
{
    kn_job_context w;
    kn_status status;

    KN_NEED(err, out);
    *out = (struct ArrowArrayStream){0};
    if (report) {
        *report = NULL;
    }
    KN_NEED(err, job, data);
    KN_NEED_SIZED(err, data);
    KN_NEED_SIZED(err, run);
    KN_NEED(err, data->table);

    if (data->recoding) {
        *data->recoding = NULL;
    }
    w = begin(out, job, data, run);
    w.wants_report = report != NULL;
    KN_TRY(read_data(&w, err));
    KN_TRY(kn__job_context_make(&w, err));
    KN_TRY(keep_recoding(&w, data->recoding, err));
    if (report) {
        *report = w.report;
        w.report = NULL;
    }
done:
    kn__job_context_clear(&w);
    if (status != KN_OK && out->release) {
        out->release(out);
    }
    return status;
}

/* Recoding changes no sensitive value and removes no record, so the distribution of the original is
 * that of `w->original` still. Samples of itemsets would be drawn from recoded items: they have no
 * original here. */
static const kn_dataset *reference_of(const kn_job_context *w)
{
    const kn_dataset *out = w->original;

    for (size_t i = 0; i < w->guarantees_count; i++) {
        out = kn_guarantee_uses_original(w->guarantees[i].kind) ? NULL : out;
    }
    return out;
}

/* What is to settle about the recoded table, of which identifiers and dropped columns are not
 * published. The columns still know by which of them the records came sorted. */
static kn_status find_points(kn_points **out, const kn_job_context *w, const kn_verdict *verdict,
                             const uint8_t *changed, kn_error *err)
{
    const kn_dataset *ds = w->original;
    kn_table_facts facts = {.guarantees = w->guarantees,
                            .guarantees_count = w->guarantees_count,
                            .verdict = verdict,
                            .original = ds,
                            .changed = changed,
                            .options = &w->points};
    kn_dataset *published = NULL;
    kn_status status;

    KN_TRY(kn__dataset_new(&published, ds->columns, err));
    published->records = ds->records;
    published->columns = 0;
    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role != KN_ROLE_IDENTIFIER && ds->column[i].role != KN_ROLE_DROPPED) {
            published->column[published->columns++] = ds->column[i];
        }
    }
    facts.published = published;
    facts.people = kn__left_out_people(ds, &facts.people_found);
    KN_TRY(kn__points_of_table(out, &facts, &w->run, err));
done:
    if (published) {
        published->columns = 0; /* they are the table's */
    }
    kn_dataset_free(published);
    return status;
}

/* A quasi-identifier that the recoding does not have would be published as it is. */
static kn_status refuse_uncovered(const kn_dataset *ds, const kn_value_recoding *recoding,
                                  kn_error *err)
{
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        size_t at = 0;
        if (c->role != KN_ROLE_QUASI) {
            continue;
        }
        while (at < recoding->count && strcmp(recoding->column[at].name, c->name) != 0) {
            at++;
        }
        if (at == recoding->count) {
            (void)kn__fail(err, KN_EINPUT,
                           "column '%.100s' is a quasi-identifier here, and the recoding says "
                           "nothing about it; make a new release, whose recoding covers it",
                           c->name);
            return kn__about_column(err, KN_EINPUT, KN_ERROR_UNCOVERED, c->name);
        }
    }
    return KN_OK;
}

static kn_status recode(kn_job_context *w, const kn_value_recoding *recoding, kn_points **points,
                        kn_error *err)
{
    kn_verdict *verdict = NULL;
    uint8_t *changed = NULL;
    size_t at_risk;
    kn_status status;

    KN_TRY(read_data(w, err));
    KN_TRY(refuse_uncovered(w->original, recoding, err));
    changed = kn__zalloc_array(w->original->columns + 1, sizeof *changed);
    KN_TRY(changed ? kn__recoding_apply(w->original, recoding, changed, err) : kn__nomem(err));
    KN_TRY(kn_check_release(&verdict, w->original, reference_of(w), w->guarantees,
                            w->guarantees_count, w->hierarchies, &w->run, err));
    at_risk = kn_verdict_records_at_risk(verdict);
    if (!kn_verdict_holds(verdict)) {
        KN_TRY(kn__fail(err, KN_EBROKEN,
                        "recoded so, the table does not satisfy its guarantees: %zu record%s at "
                        "risk; make a new release of it",
                        at_risk, at_risk == 1 ? " is" : "s are"));
    }
    KN_TRY(find_points(points, w, verdict, changed, err));
    KN_TRY(kn__points_refuse(*points, &w->points, "table", err));
    KN_TRY(kn_dataset_to_arrow(w->published, w->original, &w->run, err));
done:
    kn_verdict_free(verdict);
    kn__free(changed);
    return status;
}

kn_status kn_job_recode_data(struct ArrowArrayStream *out, const kn_job *job,
                             const kn_value_recoding *recoding, const kn_job_data *data,
                             const kn_run *run, kn_error *err)
{
    kn_job_context w;
    kn_points *points = NULL;
    kn_status status;

    KN_NEED(err, out);
    *out = (struct ArrowArrayStream){0};
    KN_NEED(err, job, recoding, data);
    KN_NEED_SIZED(err, data);
    KN_NEED_SIZED(err, run);
    KN_NEED(err, data->table);

    if (data->points) {
        *data->points = NULL;
    }
    w = begin(out, job, data, run);
    KN_TRY(recode(&w, recoding, &points, err));
    if (data->points) {
        *data->points = points;
        points = NULL;
    }
done:
    kn_points_free(points);
    kn__job_context_clear(&w);
    return status;
}
