/* report.c - a report is counted once from the facts of a job; afterwards it needs nothing of them.
 */
#include "report/report.h"
#include "report/make.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "points/points.h"
#include "utility/profile/profile.h"

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
        kn__free(r->column[i].spread.bar);
    }
    for (size_t i = 0; r->row && i < r->rows; i++) {
        free_strings(r->row[i].after, r->quasis);
        free_strings(r->row[i].before, r->quasis);
    }
    KN_FREE(r->row, r->statistic, r->correlation, r->title, r->note, r->date);
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
    KN_FREE(r->guarantees, r->achieved_before, r->achieved, r->certificates, r->recount,
            r->achieved_k, r->violations, r->measure_values, r->method, r->phase_seconds, r->column,
            r->quasi, r);
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

static kn_status take_points(kn_report *r, const kn_report_facts *f, const kn_run *run,
                             kn_error *err)
{
    kn_table_facts facts = {.published = f->published,
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
    if (f->original) {
        facts.people = kn__left_out_people(f->original, &facts.people_found);
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
    KN_TRY(kn__report_text_copy(&r->title, facts->title, err));
    KN_TRY(kn__report_text_copy(&r->note, facts->note, err));
    KN_TRY(kn__report_text_copy(&r->date, facts->date, err));
    KN_TRY(kn__report_copy_job(r, facts->job_json, err));
    KN_TRY(kn__report_file_copy(&r->input, facts->input_path, facts->original, err));
    KN_TRY(kn__report_file_copy(&r->output, facts->output_path, facts->published, err));
    KN_TRY(kn__report_text_copy(&r->method, facts->method, err));
    KN_TRY(kn__report_copy_trees(r, facts, err));
    KN_TRY(kn__report_copy_guarantees(r, facts, err));
    KN_TRY(kn__report_draw_trees(r, facts, err));
    KN_TRY(kn__report_copy_measures(r, facts->measures, err));
    KN_TRY(kn__report_copy_phases(r, facts, err));
    KN_TRY(kn__report_count_columns(r, facts, run, err));
    KN_TRY(kn__report_copy_violations(r, facts, err));
    KN_TRY(kn__report_summarise(r, facts, err));
    KN_TRY(kn__report_pick_rows(r, facts, run, err));
    KN_TRY(kn__report_measure_risk(r, facts, run, err));
    KN_TRY(take_points(r, facts, run, err));
    KN_TRY(kn__report_warn(r, facts, err));
    KN_TRY(kn__report_areas_copy(&r->areas, facts->areas, r->rare_below, err));
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
    KN_PASS(kn__dataset_with_role(ds, KN_ROLE_QUASI, &r->quasi, &r->quasis, err));
    r->column = kn__zalloc_array(ds->columns, sizeof *r->column);
    KN_PASS(r->column ? KN_OK : kn__nomem(err));
    for (; r->columns < ds->columns; r->columns++) {
        KN_PASS(
            kn__report_text_copy(&r->column[r->columns].name, ds->column[r->columns].name, err));
    }
    return KN_OK;
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

    KN_TRY(r ? kn__report_copy_guarantees(r, &facts, err) : kn__nomem(err));
    if (ds) {
        KN_TRY(name_columns(r, ds, err));
    }
    KN_TRY(kn__report_copy_violations(r, &facts, err));
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

    KN_TRY(r ? kn__report_copy_measures(r, m, err) : kn__nomem(err));
    *out = r;
    r = NULL;
done:
    kn_report_free(r);
    return status;
}
