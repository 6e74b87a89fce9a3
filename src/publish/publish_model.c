/* publish_model.c - models leave as releases do: written beside their place, read back, judged by
 * code that knows nothing of the mining, and only then renamed. Formats that cannot be read back
 * are made from what was. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "io/bytes/paths.h"
#include "kanon/model.h"
#include "data/dataset.h"
#include "models/model.h"
#include "models/judge/verdict.h"
#include "models/registry.h"
#include "points/points.h"

#include <string.h>

typedef struct publishing {
    const kn_dataset *ds;
    const kn_hierarchies *hierarchies;
    const kn_model_limits *limits;
    const kn_run *run;
    const char *const *paths;
    size_t count;
    const kn_model_output *output;
    kn_model_format *format; /* by path */
    kn_sink **sink;          /* by path, then by report */
    kn_model *read;          /* the first that was read back */
    kn_model_verdict *verdict;
    bool withheld; /* by --strict */
} publishing;

static kn_status broken(kn_error *err, const char *what)
{
    return kn__fail(err, KN_EBROKEN,
                    "the model was withheld: %s. This is a defect of kanon; please report it",
                    what);
}

static kn_status check_paths(publishing *p, kn_error *err)
{
    for (size_t i = 0; i < p->count; i++) {
        const char *path = p->paths[i];
        if (!kn_model_format_of(&p->format[i], path)) {
            return kn__fail(err, KN_EUSAGE,
                            "%.300s: the name of a model says how it is written: .json, .pmml, "
                            ".dot, .sql, .txt or (rules) .csv",
                            path);
        }
        if (p->ds->source && strcmp(path, "-") != 0 && kn__file_same(path, p->ds->source)) {
            return kn__fail(err, KN_EUSAGE, "%s: the output is the input: choose another name",
                            path);
        }
        for (size_t j = 0; j < i; j++) {
            if (kn__path_same(path, p->paths[j])) {
                return kn__fail(err, KN_EUSAGE, "%s: given twice", path);
            }
        }
    }
    return KN_OK;
}

static kn_status write_one(publishing *p, size_t i, const kn_model *m, kn_error *err)
{
    char *text = NULL;
    kn_status status;

    KN_TRY(kn_model_format_text(&text, m, p->format[i], err));
    KN_TRY(kn__sink_put(&p->sink[i], p->paths[i], KN_COMPRESSION_NONE, text, strlen(text), err));
done:
    kn__free(text);
    return status;
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t len = strlen(path), tail = strlen(ending);

    return len > tail && strcmp(path + len - tail, ending) == 0;
}

/* `p` NULL: nothing else is written. `input` and `model` were read from these files, or NULL. */
static kn_status check_reports(const char *const *paths, size_t count, const publishing *p,
                               const char *input, const char *model, kn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const bool printed = strcmp(paths[i], "-") == 0;
        if (!printed && !ends_in(paths[i], ".json") && !ends_in(paths[i], ".html")) {
            return kn__fail(err, KN_EUSAGE,
                            "--report: '%.300s' ends in neither .json nor .html; one of them says "
                            "which report to write",
                            paths[i]);
        }
        if (input && kn__file_same(paths[i], input)) {
            return kn__fail(err, KN_EUSAGE, "%s: the report is the input: choose another name",
                            paths[i]);
        }
        if (model && kn__file_same(paths[i], model)) {
            return kn__fail(err, KN_EUSAGE, "%s: the report is the model: choose another name",
                            paths[i]);
        }
        for (size_t j = 0; j < i; j++) {
            if (kn__path_same(paths[i], paths[j])) {
                return kn__fail(err, KN_EUSAGE, "%s: given twice", paths[i]);
            }
        }
        for (size_t j = 0; p && j < p->count; j++) {
            if (kn__path_same(paths[i], p->paths[j])) {
                return kn__fail(err, KN_EUSAGE, "%s: both the model and a report; give two names",
                                paths[i]);
            }
        }
    }
    return KN_OK;
}

static kn_status write_reports(kn_sink **sink, const char *const *paths, size_t count,
                               const kn_model *m, const kn_model_verdict *v, kn_error *err)
{
    char *text = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; i < count; i++) {
        kn__free(text);
        text = NULL;
        KN_TRY(kn_model_report(&text, m, v, ends_in(paths[i], ".html"), err));
        KN_TRY(kn__sink_put(&sink[i], paths[i], KN_COMPRESSION_NONE, text, strlen(text), err));
    }
done:
    kn__free(text);
    return status;
}

/* `text` NULL: nothing is printed beside the reports. */
static kn_status report_files(const kn_model *model, const kn_model_verdict *verdict,
                              const char *const *paths, size_t count, const char *text,
                              kn_error *err)
{
    kn_sink **sink = kn__zalloc_array(count + 1, sizeof *sink);
    kn_status status;

    KN_TRY(sink ? check_reports(paths, count, NULL, verdict->source, model->source, err)
                : kn__nomem(err));
    KN_TRY(write_reports(sink, paths, count, model, verdict, err));
    if (text) {
        KN_TRY(kn__sink_put(&sink[count], "-", KN_COMPRESSION_NONE, text, strlen(text), err));
    }
    KN_TRY(kn__sinks_commit(sink, count + 1, err));
done:
    for (size_t i = 0; sink && i <= count; i++) {
        kn__sink_abandon(sink[i]);
    }
    kn__free(sink);
    return status;
}

kn_status kn_model_report_write(const kn_model *model, const kn_model_verdict *verdict,
                                const char *const *paths, size_t count, kn_error *err)
{
    KN_NEED(err, model, verdict);
    KN_NEED_LIST(err, paths, count);
    return report_files(model, verdict, paths, count, NULL, err);
}

kn_status kn_model_report_write_and_print(const kn_model *model, const kn_model_verdict *verdict,
                                          const char *const *paths, size_t count, const char *text,
                                          kn_error *err)
{
    KN_NEED(err, model, verdict, text);
    KN_NEED_LIST(err, paths, count);
    return report_files(model, verdict, paths, count, text, err);
}

/* Judge a model that was read back, which is taken; the first one and its verdict are kept. */
static kn_status judge(publishing *p, kn_model *read, kn_error *err)
{
    kn_model_verdict *v = NULL;
    kn_status status = kn_model_check(&v, read, p->ds, p->hierarchies, p->limits, p->run, err);

    if (status == KN_EINPUT || status == KN_EINFEASIBLE) {
        kn__error_prefix(err, "the model was withheld: what was read back cannot be judged");
        status = KN_EBROKEN;
        if (err) {
            err->status = status;
        }
    }
    KN_TRY(status);
    if (v->figures.broken) {
        KN_TRY(broken(err, "what was read back does not keep what was asked"));
    }
    if (v->figures.unlike) {
        KN_TRY(broken(err, "its counts are not those of the records"));
    }
    if (!p->read) {
        p->read = read;
        p->verdict = v;
        return KN_OK;
    }
done:
    kn_model_verdict_free(v);
    kn_model_free(read);
    return status;
}

static kn_status read_back(publishing *p, const char *path, kn_error *err)
{
    kn_model *read = NULL;
    kn_error why = {0};
    const kn_status st = kn_model_read(&read, path, &why);

    if (st == KN_OK) {
        return judge(p, read, err);
    }
    if (st == KN_EINPUT && why.code != KN_ERROR_FILE) {
        return broken(err, "what was written cannot be read back");
    }
    if (err) {
        *err = why;
        err->status = st == KN_EINPUT ? KN_EIO : st; /* a file of ours that cannot be opened */
    }
    return st == KN_EINPUT ? KN_EIO : st;
}

/* Without a path that can be read back, the JSON is judged all the same. */
static kn_status judge_in_memory(publishing *p, const kn_model *m, kn_error *err)
{
    char *text = NULL;
    kn_model *read = NULL;
    kn_status status;

    KN_TRY(kn_model_format_text(&text, m, KN_MODEL_JSON, err));
    status = kn_model_parse(&read, "the model", text, strlen(text), err);
    KN_TRY(status == KN_EINPUT ? broken(err, "what was written cannot be read back") : status);
    KN_TRY(judge(p, read, err));
done:
    kn__free(text);
    return status;
}

static bool reads_back(kn_model_format format)
{
    return format == KN_MODEL_JSON || format == KN_MODEL_PMML || format == KN_MODEL_CSV;
}

static kn_status publish(publishing *p, const kn_model *m, kn_error *err)
{
    const kn_model_output *o = p->output;
    kn_status status;

    KN_TRY(check_paths(p, err));
    KN_TRY(check_reports(o->reports, o->reports_count, p, p->ds->source, m->source, err));
    for (size_t i = 0; i < p->count; i++) {
        if (reads_back(p->format[i])) {
            KN_TRY(write_one(p, i, m, err));
            KN_TRY(read_back(p, kn__sink_temporary(p->sink[i]), err));
        }
    }
    if (!p->read) {
        KN_TRY(judge_in_memory(p, m, err));
    }
    if (kn__model_row(m->kind)->copy_mined) {
        kn__model_row(m->kind)->copy_mined(p->read, m);
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!reads_back(p->format[i])) {
            KN_TRY(write_one(p, i, p->read, err));
        }
    }
    if (o->quality) {
        p->verdict->quality = *o->quality;
    }
    KN_TRY(kn_model_verdict_set_heading(p->verdict, o->title, o->note, o->date, err));
    status = kn__points_refuse(p->verdict->points, p->limits->points, "model", err);
    p->withheld = status == KN_EBROKEN;
    KN_TRY(status);
    KN_TRY(
        write_reports(p->sink + p->count, o->reports, o->reports_count, p->read, p->verdict, err));
    KN_TRY(kn__sinks_commit(p->sink, p->count + o->reports_count, err));
done:
    return status;
}

kn_status kn_model_publish(kn_model_verdict **verdict, const kn_model *model, const kn_dataset *ds,
                           const kn_hierarchies *hierarchies, const kn_model_limits *limits,
                           const kn_model_output *output, const kn_run *run, kn_error *err)
{
    KN_NEED(err, model, ds, output);
    KN_NEED_ROWS(err, ds);
    KN_NEED_LIST(err, output->paths, output->count);
    KN_NEED_LIST(err, output->reports, output->reports_count);
    KN_NEED_SIZED(err, limits);
    KN_NEED_SIZED(err, output);
    KN_NEED_SIZED(err, run);

    static const kn_model_limits none = {0};
    const size_t count = output->count, all = count + output->reports_count;
    publishing p = {.ds = ds,
                    .hierarchies = hierarchies,
                    .limits = limits ? limits : &none,
                    .run = run,
                    .output = output,
                    .paths = output->paths,
                    .count = count};
    kn_status st;

    if (verdict) {
        *verdict = NULL;
    }
    p.format = kn__zalloc_array(count ? count : 1, sizeof *p.format);
    p.sink = kn__zalloc_array(all ? all : 1, sizeof *p.sink);
    st = p.format && p.sink ? publish(&p, model, err) : kn__nomem(err);
    for (size_t i = 0; p.sink && i < all; i++) {
        kn__sink_abandon(p.sink[i]);
    }
    if ((st == KN_OK || p.withheld) && verdict) {
        *verdict = p.verdict;
        p.verdict = NULL;
    }
    kn_model_verdict_free(p.verdict);
    kn_model_free(p.read);
    KN_FREE(p.format, p.sink);
    return st;
}
