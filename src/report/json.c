/* json.c - the report for programs. docs/reports.md describes every key. */
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "data/value.h"
#include "kanon/version.h"
#include "guarantees/verdict.h"
#include "report/json_inside.h"
#include "report/sweep.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A count beyond 2^53 would be rounded by many readers: as text. */
static json_t *seed(writer *w, uint64_t value)
{
    char digits[32];

    if (value <= UINT64_C(1) << 53) {
        return seen(w, json_integer((json_int_t)value));
    }
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    return text(w, digits);
}

static json_t *file(writer *w, const kn_report_file *f)
{
    json_t *out = object(w);

    put(w, out, "path", text(w, f->path));
    put_count(w, out, "rows", f->rows);
    put(w, out, "sha256", text(w, f->sha256[0] ? f->sha256 : NULL));
    if (f->joined_count) {
        json_t *all = array(w);
        for (size_t i = 0; i < f->joined_count; i++) {
            const kn_report_file *joined = &f->joined[i];
            json_t *one = object(w);
            put(w, one, "path", text(w, joined->path));
            put(w, one, "sha256", text(w, joined->sha256[0] ? joined->sha256 : NULL));
            push(w, all, one);
        }
        put(w, out, "joined", all);
    }
    return out;
}

static json_t *guarantee(writer *w, const kn_guarantee *g)
{
    json_t *out = object(w);

    put(w, out, "name", text(w, kn_guarantee_name(g->kind)));
    w->failed |= !kn__guarantee_row(g->kind)->json(out, g);
    return out;
}

/* What is known of the itemsets of each size, for guarantee `g`. */
static json_t *certificates(writer *w, const kn_report *r, size_t g)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->certificates_count; i++) {
        const kn_certificate *c = &r->certificates[i];
        kn_buffer words = {0};
        if (c->guarantee != g) {
            continue;
        }
        json_t *one = object(w);
        put(w, one, "size", json_integer((json_int_t)c->size));
        put(w, one, "kind", text(w, kn_certificate_kind_name(c->kind)));
        put(w, one, "attacker", text(w, kn_attacker_name(c->attacker)));
        put(w, one, "holds", json_boolean(c->holds));
        put(w, one, "k", json_integer((json_int_t)c->k));
        put(w, one, "sigma", number(w, c->sigma));
        put(w, one, "eps", number(w, c->eps));
        put(w, one, "delta", number(w, c->delta));
        put(w, one, "samples", json_integer((json_int_t)c->samples));
        put(w, one, "failures", json_integer((json_int_t)c->failures));
        put(w, one, "attempt", json_integer((json_int_t)c->attempt));
        put(w, one, "seed", json_integer((json_int_t)c->seed));
        kn__say_certificate(&words, c);
        w->failed |= words.failed;
        put(w, one, "words", text(w, words.failed ? NULL : words.data));
        kn__buffer_free(&words);
        push(w, out, one);
    }
    return out;
}

static json_t *guarantees(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->guarantees_count; i++) {
        json_t *one = guarantee(w, &r->guarantees[i]);

        if (r->achieved_before) {
            put(w, one, "achieved_before", number(w, r->achieved_before[i]));
        }
        put(w, one, "achieved", number(w, r->achieved[i]));
        if (kn__guarantee_has_second_k(&r->guarantees[i])) {
            put(w, one, "achieved_k", number(w, r->achieved_k[i]));
        }
        if (kn_guarantee_uses_original(r->guarantees[i].kind)) {
            put(w, one, "certificates", certificates(w, r, i));
        }
        push(w, out, one);
    }
    return out;
}

/* By size 1..m: one combination in so many was counted a second time. */
static json_t *recount(writer *w, const kn_report *r)
{
    json_t *out = object(w), *one_in = array(w);
    size_t m = 0;

    for (size_t i = 0; i < r->guarantees_count; i++) {
        m = r->guarantees[i].m > m ? r->guarantees[i].m : m; /* 0 where nothing is about items */
    }
    for (size_t size = 1; size <= m; size++) {
        push(w, one_in, json_integer((json_int_t)r->recounted[size]));
    }
    put(w, out, "words", text(w, r->recount));
    put(w, out, "one_in", one_in);
    return out;
}

/* By parameter; of several guarantees with the same one, what holds for all of them. */
static json_t *achieved(writer *w, const kn_report *r)
{
    json_t *out = object(w);

    for (size_t i = 0; i < r->guarantees_count; i++) {
        const char *parameter = kn_guarantee_parameter(&r->guarantees[i]);
        double worst = r->achieved[i];

        for (size_t j = 0; j < r->guarantees_count; j++) {
            if (strcmp(kn_guarantee_parameter(&r->guarantees[j]), parameter) == 0) {
                worst = kn__formula_worse(&r->guarantees[i], worst, r->achieved[j]);
            }
        }
        put(w, out, parameter, number(w, worst));
    }
    return out;
}

static json_t *violations(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->violations_count; i++) {
        const kn_report_violation *v = &r->violations[i];
        json_t *one = object(w), *values = object(w);

        put(w, one, "kind", text(w, kn_guarantee_name(v->kind)));
        put_count(w, one, "size", v->size);
        put(w, one, "value", number(w, v->value));
        put(w, one, "sensitive", text(w, v->sensitive));
        for (size_t q = 0; q < r->quasis; q++) {
            put(w, values, r->column[r->quasi[q]].name, text(w, v->values[q]));
        }
        put(w, one, "values", values);
        push(w, out, one);
    }
    return out;
}

/* The measures of the whole table. */
static json_t *utility(writer *w, const kn_report *r)
{
    json_t *out = object(w);

    for (size_t i = 0; i < r->measures_count; i++) {
        if (!r->measure_columns[i]) {
            put(w, out, r->measure_names[i], number(w, r->measure_values[i]));
        }
    }
    return out;
}

static json_t *risk(writer *w, const kn_risk *k)
{
    json_t *out = object(w);

    put_count(w, out, "records", k->records);
    put_count(w, out, "classes", k->classes);
    put(w, out, "prosecutor_max", number(w, k->prosecutor_max));
    put(w, out, "prosecutor_mean", number(w, k->prosecutor_mean));
    put(w, out, "journalist_max", number(w, k->journalist_max));
    put(w, out, "journalist_mean", number(w, k->journalist_mean));
    put(w, out, "marketer", number(w, k->marketer));
    put_count(w, out, "unique_records", k->unique);
    put(w, out, "threshold", number(w, k->threshold));
    put(w, out, "share_above_threshold", number(w, k->at_risk_share));
    return out;
}

static json_t *class_sizes(writer *w, const kn_size_bins *bins)
{
    json_t *out = object(w), *list = array(w);

    put_count(w, out, "classes", bins->all);
    put_count(w, out, "smallest", bins->smallest);
    put_count(w, out, "largest", bins->largest);
    for (size_t i = 0; i < KN_SIZE_BINS; i++) {
        if (bins->classes[i]) {
            json_t *bin = object(w);

            put_count(w, bin, "from", kn__size_bin_low(i));
            put_count(w, bin, "to", kn__size_bin_low(i + 1) - 1);
            put_count(w, bin, "classes", bins->classes[i]);
            put_count(w, bin, "records", bins->records[i]);
            push(w, list, bin);
        }
    }
    put(w, out, "bins", list);
    return out;
}

static json_t *before_after(writer *w, json_t *before, json_t *after)
{
    json_t *out = object(w);

    put(w, out, "before", before);
    put(w, out, "after", after);
    return out;
}

static json_t *phases(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->phases_count; i++) {
        json_t *one = object(w);

        put(w, one, "name", text(w, r->phase_names[i]));
        put(w, one, "seconds", number(w, r->phase_seconds[i]));
        push(w, out, one);
    }
    return out;
}

static json_t *points(writer *w, const kn_points *all)
{
    json_t *out = array(w);

    for (size_t i = 0; i < kn_points_count(all); i++) {
        const kn_point *p = kn_points_get(all, i);
        json_t *one = object(w);

        put(w, one, "name", text(w, p->name));
        put(w, one, "check", text(w, p->check));
        put(w, one, "column", text(w, p->column));
        put(w, one, "decided", json_boolean(p->decided));
        put_count(w, one, "records", p->records);
        put(w, one, "value", number(w, p->value));
        put(w, one, "limit", number(w, p->limit));
        put(w, one, "words", text(w, p->words));
        put(w, one, "remedy", text(w, p->remedy));
        push(w, out, one);
    }
    return out;
}

/* The areas that the places were merged into. */
static json_t *areas(writer *w, const kn_report_areas *a)
{
    json_t *out = object(w), *list = array(w);

    put(w, out, "before", json_integer((json_int_t)a->before_count));
    put(w, out, "count", json_integer((json_int_t)a->count));
    put(w, out, "mean_error_m", number(w, a->mean_error));
    put(w, out, "mean_km2", number(w, a->mean_km2));
    for (size_t i = 0; i < a->count; i++) {
        json_t *one = object(w);
        put(w, one, "area", text(w, a->area[i].name));
        put(w, one, "items", json_integer((json_int_t)a->area[i].items));
        put(w, one, "people", json_integer((json_int_t)a->area[i].people));
        put(w, one, "km2", number(w, a->area[i].km2));
        put(w, one, "mean_error_m", number(w, a->area[i].mean_error));
        push(w, list, one);
    }
    put(w, out, "list", list);
    list = a->curve_count ? array(w) : NULL;
    for (size_t i = 0; i < a->curve_count; i++) {
        const kn_report_area_step *step = &a->curve[i];
        json_t *one = object(w);
        put(w, one, "m", json_integer((json_int_t)step->m));
        put(w, one, "areas", json_integer((json_int_t)step->areas));
        put(w, one, "mean_error_m", number(w, step->mean_error));
        put(w, one, "mean_km2", number(w, step->mean_km2));
        put(w, one, "eps", number(w, step->eps));
        put(w, one, "attempt", json_integer((json_int_t)step->attempt));
        push(w, list, one);
    }
    if (list) {
        put(w, out, "curve", list);
    }
    return out;
}

/* What was asked and what holds; of a release, with its points. */
static void put_verdict(writer *w, json_t *out, const kn_report *r, bool of_release)
{
    put(w, out, "guarantee", guarantees(w, r));
    put(w, out, "satisfied", json_boolean(r->satisfied));
    if (of_release) {
        put(w, out, "verdict", text(w, kn_state_name(kn_points_state(r->points))));
        put(w, out, "points", points(w, r->points));
    }
    put(w, out, "achieved", achieved(w, r));
    if (r->recount) {
        put(w, out, "recount", recount(w, r));
    }
    put(w, out, "violations", violations(w, r));
    put_count(w, out, "violations_total", r->violations_total);
}

/* What holds and what was lost: the same for a job and for a value of a sweep. */
static void put_result(writer *w, json_t *out, const kn_report *r)
{
    json_t *records = object(w), *left_out = object(w);

    put_verdict(w, out, r, true);
    put(w, out, "method", text(w, r->method));
    put_count(w, records, "in", r->input.rows);
    put_count(w, records, "out", r->output.rows);
    put_count(w, records, "suppressed", r->suppressed);
    put(w, records, "suppressed_kept_as_stars", json_boolean(r->starred));
    put(w, records, "shuffled", json_boolean(r->shuffled));
    put(w, out, "records", records);
    /* How many, never which: a rare item may identify a person. */
    put_count(w, left_out, "items", r->left_out.items);
    put_count(w, left_out, "occurrences", r->left_out.occurrences);
    put_count(w, left_out, "records_emptied", r->left_out.emptied);
    put(w, out, "left_out", left_out);
    if (r->trees) {
        json_t *trees = object(w), *cut = array(w), *removed = array(w);
        for (size_t i = 0; i < r->tree_cut_count; i++) {
            push(w, cut, text(w, r->tree_cut[i]));
        }
        for (size_t i = 0; i < r->tree_removed_count; i++) {
            push(w, removed, text(w, r->tree_removed[i]));
        }
        put(w, trees, "cut", cut);
        put(w, trees, "removed", removed);
        put_count(w, trees, "cuts_examined", r->tree_cuts);
        put_count(w, trees, "clusters", r->tree_clusters);
        put(w, out, "trees", trees);
    }
    if (r->clusters.clusters) {
        json_t *clusters = object(w);
        put_count(w, clusters, "formed", r->clusters.formed);
        put_count(w, clusters, "merges", r->clusters.merges);
        put_count(w, clusters, "count", r->clusters.clusters);
        put_count(w, clusters, "largest", r->clusters.largest);
        put(w, out, "clusters", clusters);
    }
    if (r->areas.count) {
        put(w, out, "areas", areas(w, &r->areas));
    }
    put(w, out, "utility", utility(w, r));
    put(w, out, "risk", before_after(w, risk(w, &r->risk_before), risk(w, &r->risk_after)));
}

static json_t *warnings(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->warnings_count; i++) {
        push(w, out, text(w, r->warnings[i]));
    }
    return out;
}

/* What every report begins with; frees `headline`. */
static json_t *begin(writer *w, kn_buffer *headline, const char *job, uint64_t random,
                     const kn_report_file *input)
{
    json_t *out = object(w);

    w->failed |= headline->failed;
    put(w, out, "schema_version", count(w, 1));
    put(w, out, "version", text(w, kn_version()));
    put(w, out, "summary", text(w, headline->failed ? NULL : headline->data));
    kn__buffer_free(headline);
    put(w, out, "job", job ? seen(w, json_loads(job, JSON_DECODE_ANY, NULL)) : json_null());
    put(w, out, "seed", seed(w, random));
    put(w, out, "input", file(w, input));
    return out;
}

static json_t *whole(writer *w, const kn_report *r)
{
    kn_buffer headline = {0};
    json_t *out;

    kn__buffer_adds(&headline, kn_points_summary(r->points));
    out = begin(w, &headline, r->job_json, r->seed, &r->input);
    put(w, out, "output", file(w, &r->output));
    put_result(w, out, r);
    put(w, out, "as_a_whole", kn__json_survey(w, kn_points_survey(r->points)));
    put(w, out, "class_sizes",
        before_after(w, class_sizes(w, &r->sizes_before), class_sizes(w, &r->sizes_after)));
    put_count(w, out, "rare_below", r->rare_below);
    put(w, out, "columns", kn__json_columns(w, r));
    put(w, out, "changes", kn__json_changes(w, r));
    put(w, out, "statistics", kn__json_statistics(w, r));
    put(w, out, "correlations", kn__json_correlations(w, r));
    put(w, out, "rows", kn__json_rows(w, r));
    put(w, out, "title", text(w, r->title));
    put(w, out, "note", text(w, r->note));
    put(w, out, "date", text(w, r->date));
    put(w, out, "warnings", warnings(w, r));
    put(w, out, "phases", phases(w, r));
    put_count(w, out, "peak_memory_bytes", r->peak_memory_bytes);
    return out;
}

/* ---- sweeps ---- */

/* By parameter: numbers, and names of methods. */
static json_t *sweep_values(writer *w, const kn_sweep *s, const kn_sweep_row *row)
{
    json_t *out = object(w);

    for (size_t a = 0; a < s->parameters_count; a++) {
        double value;
        unsigned decimals;
        put(w, out, s->parameters[a],
            kn__number_parse(row->values[a], strlen(row->values[a]), &value, &decimals)
                ? number(w, value)
                : text(w, row->values[a]));
    }
    return out;
}

static json_t *sweep_row(writer *w, const kn_sweep *s, size_t i)
{
    const kn_sweep_row *row = &s->rows[i];
    json_t *out = object(w), *output;
    const kn_report *r = row->report;
    double value = NAN;
    unsigned decimals;

    if (s->parameters_count == 1) {
        (void)kn__number_parse(row->value, strlen(row->value), &value, &decimals);
    }
    put(w, out, "value", number(w, value));
    put(w, out, "values", sweep_values(w, s, row));
    put(w, out, "feasible", json_boolean(r != NULL));
    put(w, out, "reason", text(w, row->reason));
    put(w, out, "seconds", number(w, row->seconds));
    if (s->parameters_count > 1) {
        put(w, out, "highest_risk", number(w, kn__sweep_risk(s, i)));
        put(w, out, "best", json_boolean(kn__sweep_is_best(s, i)));
    }
    if (r) {
        output = file(w, &r->output);
        if (!s->released) {
            put(w, output, "path", json_null()); /* written, checked and removed */
        }
        put(w, out, "output", output);
        put_result(w, out, r);
        put(w, out, "warnings", warnings(w, r));
        put(w, out, "phases", phases(w, r));
    }
    return out;
}

static json_t *whole_sweep(writer *w, const kn_sweep *s)
{
    json_t *rows = array(w), *names = array(w), *out;
    kn_buffer headline = {0};

    kn__say_sweep(&headline, s);
    out = begin(w, &headline, s->job_json, s->seed, &s->input);
    put(w, out, "method", text(w, kn__sweep_sweeps(s, "method") ? NULL : s->method));
    put(w, out, "parameter", text(w, s->parameter));
    for (size_t a = 0; a < s->parameters_count; a++) {
        push(w, names, text(w, s->parameters[a]));
    }
    put(w, out, "parameters", names);
    put(w, out, "title", text(w, s->title));
    put(w, out, "note", text(w, s->note));
    put(w, out, "date", text(w, s->date));
    put_count(w, out, "feasible", kn_sweep_worked(s));
    for (size_t i = 0; i < s->count; i++) {
        push(w, rows, sweep_row(w, s, i));
    }
    put(w, out, "sweep", rows);
    put_count(w, out, "peak_memory_bytes", s->peak_memory_bytes);
    return out;
}

static kn_status dump(writer *w, json_t *root, char **out, kn_error *err)
{
    char *dumped = NULL;
    kn_buffer b = {0};

    *out = NULL;
    if (!w->failed) {
        dumped = kn__json_dump(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    }
    json_decref(root);
    KN_PASS(dumped ? KN_OK : kn__nomem(err));
    kn__buffer_adds(&b, dumped);
    kn__buffer_addc(&b, '\n');
    free(dumped);
    return kn__buffer_take(&b, out, err);
}

kn_status kn_report_json(char **out, const kn_report *r, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, r);

    writer w = {0};

    return dump(&w, whole(&w, r), out, err);
}

kn_status kn_sweep_json(char **out, const kn_sweep *s, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, s);

    writer w = {0};

    return dump(&w, whole_sweep(&w, s), out, err);
}

kn_status kn_verdict_json(char **out, const kn_verdict *v, const kn_guarantee *guarantees_asked,
                          size_t count, const kn_dataset *ds, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, v, guarantees_asked);

    writer w = {0};
    kn_report *r = NULL;
    json_t *root = NULL;
    kn_status status;

    if (count != v->guarantees) {
        return kn__fail(err, KN_EUSAGE, "the verdict is on %zu guarantees, and %zu are given",
                        v->guarantees, count);
    }
    KN_NEED_GUARANTEES(err, guarantees_asked, count);
    KN_TRY(kn__report_of_verdict(&r, v, guarantees_asked, count, ds, err));
    root = object(&w);
    put_verdict(&w, root, r, false);
    KN_TRY(dump(&w, root, out, err));
done:
    kn_report_free(r);
    return status;
}

kn_status kn_measures_json(char **out, const kn_measures *m, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, m);

    writer w = {0};
    kn_report *r = NULL;
    json_t *root = NULL;
    kn_status status;

    KN_TRY(kn__report_of_measures(&r, m, err));
    root = object(&w);
    put(&w, root, "utility", utility(&w, r));
    put(&w, root, "utility_by_column", kn__json_utility_by_column(&w, r));
    KN_TRY(dump(&w, root, out, err));
done:
    kn_report_free(r);
    return status;
}
