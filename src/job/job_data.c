/* job_data.c - a job on a table in memory: from Arrow stream to checked Arrow stream. */
#include "base/args.h"
#include "base/error.h"
#include "job/job_context.h"

/* A job that names files is meant for kn_job_run: what it asks to write would not be there. */
static kn_status refuse_files(const kn_job *job, kn_error *err)
{
    static const char *const files[] = {"input", "output",  "report", "map",
                                        "areas", "mapping", "sweep"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (kn_job_get(job, files[i], 0)) {
            return kn__fail(err, KN_EUSAGE,
                            "a job on a table in memory has no '%s': leave it out, or run the job "
                            "on files",
                            files[i]);
        }
    }
    return KN_OK;
}

static kn_status run_data(kn_job_context *w, kn_report **report, kn_error *err)
{
    kn_status status;

    KN_TRY(refuse_files(w->job, err));
    KN_TRY(kn__job_context_ask(w, err));
    KN_TRY(kn__job_context_schema(w, err));
    KN_TRY(kn_job_settings(&w->run, w->job, err));
    KN_TRY(kn__job_context_read(w, err));
    KN_TRY(kn__job_context_make(w, err));
    if (report) {
        *report = w->report;
        w->report = NULL;
    }
done:
    return status;
}

kn_status kn_job_run_data(struct ArrowArrayStream *out, kn_report **report, const kn_job *job,
                          const kn_job_data *data, const kn_run *run, kn_error *err)
{
    kn_job_context w = {.job = job,
                        .wants_report = report != NULL,
                        .input = kn__job_data_name,
                        .output = kn__job_data_name,
                        .published = out};
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

    w.run = run ? *run : (kn_run){0};
    w.table = data->table;
    w.given = data->hierarchies;
    KN_TRY(run_data(&w, report, err));
done:
    kn__job_context_clear(&w);
    if (status != KN_OK && out->release) {
        out->release(out);
    }
    return status;
}
