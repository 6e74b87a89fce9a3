/* sweep.c - the runs of a sweep, and what their table shows. */
#include "report/sweep.h"
#include "base/error.h"
#include "base/memory.h"
#include "report/make.h"

#include <math.h>
#include <string.h>

enum { MOST_SHARING = 6 };

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])

const char kn__sweep_one_only[] =
    "publish one of these releases at most: two can be compared with each other, and none of the "
    "guarantees covers that";

static void row_clear(kn_sweep_row *row, size_t parameters)
{
    for (size_t a = 0; row->values && a < parameters; a++) {
        kn__free(row->values[a]);
    }
    KN_FREE(row->values, row->value, row->reason);
    kn_report_free(row->report);
}

void kn_sweep_free(kn_sweep *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        row_clear(&s->rows[i], s->parameters_count);
    }
    for (size_t a = 0; s->parameters && a < s->parameters_count; a++) {
        kn__free(s->parameters[a]);
    }
    KN_FREE(s->parameters, s->rows, s->parameter, s->job_json, s->method, s->title, s->note,
            s->date);
    kn__report_file_clear(&s->input);
    kn__free(s);
}

/* The names of the parameters, and all of them as words. */
static kn_status copy_parameters(kn_sweep *s, const kn_sweep_facts *facts, kn_error *err)
{
    kn_buffer words = {0};

    s->parameters = kn__zalloc_array(facts->parameters_count, sizeof *s->parameters);
    KN_PASS(s->parameters ? KN_OK : kn__nomem(err));
    s->parameters_count = facts->parameters_count;
    for (size_t a = 0; a < facts->parameters_count; a++) {
        s->parameters[a] = kn__strdup(facts->parameters[a]);
        kn__buffer_adds(&words, kn__say_gap(a, facts->parameters_count, " and "));
        kn__buffer_adds(&words, facts->parameters[a]);
        words.failed = words.failed || !s->parameters[a];
    }
    return kn__buffer_take(&words, &s->parameter, err);
}

kn_status kn__sweep_new(kn_sweep **out, const kn_sweep_facts *facts, kn_error *err)
{
    kn_sweep *s = kn__zalloc(sizeof *s);

    *out = NULL;
    KN_PASS(s ? KN_OK : kn__nomem(err));
    s->seed = facts->seed;
    s->released = facts->released;
    s->job_json = facts->job_json ? kn__strdup(facts->job_json) : NULL;
    s->method = kn__strdup(facts->method);
    if ((facts->job_json && !s->job_json) || !s->method ||
        copy_parameters(s, facts, err) != KN_OK ||
        kn__report_text_copy(&s->title, facts->title, err) != KN_OK ||
        kn__report_text_copy(&s->note, facts->note, err) != KN_OK ||
        kn__report_text_copy(&s->date, facts->date, err) != KN_OK ||
        kn__report_file_copy(&s->input, facts->input_path, facts->original, err) != KN_OK) {
        kn_sweep_free(s);
        return kn__nomem(err);
    }
    *out = s;
    return KN_OK;
}

/* "5" of one parameter, "k = 5, method = flash" of several. */
static kn_status name_row(kn_sweep_row *row, const kn_sweep *s, const char *const *values,
                          kn_error *err)
{
    kn_buffer words = {0};

    row->values = kn__zalloc_array(s->parameters_count, sizeof *row->values);
    KN_PASS(row->values ? KN_OK : kn__nomem(err));
    for (size_t a = 0; a < s->parameters_count; a++) {
        row->values[a] = kn__strdup(values[a]);
        words.failed = words.failed || !row->values[a];
        if (s->parameters_count > 1) {
            kn__buffer_addf(&words, "%s%s = ", a ? ", " : "", s->parameters[a]);
        }
        kn__buffer_adds(&words, values[a]);
    }
    return kn__buffer_take(&words, &row->value, err);
}

kn_status kn__sweep_add(kn_sweep *s, const char *const *values, kn_report *report,
                        const char *reason, double seconds, kn_error *err)
{
    kn_sweep_row row = {.seconds = seconds};

    row.reason = reason ? kn__clean(reason, strlen(reason)) : NULL;
    if ((reason && !row.reason) || name_row(&row, s, values, err) != KN_OK ||
        kn__grow(&s->rows, &s->cap, s->count + 1, sizeof *s->rows, NULL) != KN_OK) {
        row_clear(&row, s->parameters_count);
        return kn__nomem(err);
    }
    row.report = report;
    s->rows[s->count++] = row;
    s->peak_memory_bytes = kn_memory_peak();
    return KN_OK;
}

const char *kn_sweep_parameter(const kn_sweep *s)
{
    return s ? s->parameter : NULL;
}

size_t kn_sweep_values(const kn_sweep *s)
{
    return s ? s->count : 0;
}

size_t kn_sweep_worked(const kn_sweep *s)
{
    size_t worked = 0;

    for (size_t i = 0; s && i < s->count; i++) {
        worked += s->rows[i].report != NULL;
    }
    return worked;
}

const char *kn_sweep_value(const kn_sweep *s, size_t i)
{
    return s && i < s->count ? s->rows[i].value : NULL;
}

const kn_report *kn_sweep_report(const kn_sweep *s, size_t i)
{
    return s && i < s->count ? s->rows[i].report : NULL;
}

const char *kn_sweep_reason(const kn_sweep *s, size_t i)
{
    return s && i < s->count ? s->rows[i].reason : NULL;
}

/* ---- what the table shows ---- */

double kn__sweep_value(const kn_sweep *s, size_t i, const char *measure)
{
    return s->rows[i].report ? kn_report_utility(s->rows[i].report, measure) : NAN;
}

static bool has(const kn_sweep *s, const char *measure)
{
    for (size_t i = 0; i < s->count; i++) {
        if (isfinite(kn__sweep_value(s, i, measure))) {
            return true;
        }
    }
    return false;
}

/* What applies to some run; items left out only where there are any. */
static bool is_shown(const kn_sweep *s, const char *measure)
{
    bool any = strcmp(measure, "items_suppressed") != 0;

    for (size_t i = 0; i < s->count && !any; i++) {
        any = kn__sweep_value(s, i, measure) > 0;
    }
    return any && has(s, measure);
}

const kn_sweep_measure *kn__sweep_measure(const kn_sweep *s, size_t i)
{
    static const kn_sweep_measure shown[] = {
        {"loss", "loss"},
        {"ncp", "ncp"},
        {"relational_ncp", "table"},
        {"items_ncp", "items"},
        {"ul", "ul"},
        {"query_error", "query error"},
        {"items_suppressed", "items left out"},
    };

    for (size_t m = 0; m < COUNT_OF(shown); m++) {
        if (is_shown(s, shown[m].name) && i-- == 0) {
            return &shown[m];
        }
    }
    return NULL;
}

bool kn__sweep_has_both(const kn_sweep *s)
{
    return has(s, "relational_ncp") && has(s, "items_ncp");
}

void kn__say_sweep_run(kn_buffer *b, const kn_sweep *s, size_t i)
{
    if (s->parameters_count == 1) {
        kn__buffer_addf(b, "%s = ", s->parameter);
    }
    kn__buffer_adds(b, s->rows[i].value);
}

bool kn__sweep_sweeps(const kn_sweep *s, const char *parameter)
{
    for (size_t a = 0; a < s->parameters_count; a++) {
        if (strcmp(s->parameters[a], parameter) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- risk against loss ---- */

double kn__sweep_risk(const kn_sweep *s, size_t i)
{
    const kn_report *r = s->rows[i].report;

    if (!r || isfinite(r->risk_after.prosecutor_max)) {
        return r ? r->risk_after.prosecutor_max : NAN;
    }
    for (size_t g = 0; g < r->guarantees_count; g++) {
        if (strcmp(kn_guarantee_parameter(&r->guarantees[g]), "k") == 0) {
            return kn__risk_of_k(r->achieved[g]);
        }
    }
    return NAN;
}

bool kn__sweep_is_best(const kn_sweep *s, size_t i)
{
    const kn_sweep_measure *loss = kn__sweep_measure(s, 0);
    const double own_loss = loss ? kn__sweep_value(s, i, loss->name) : NAN;
    const double own_risk = kn__sweep_risk(s, i);

    if (!loss || s->parameters_count < 2 || !isfinite(own_loss) || !isfinite(own_risk) ||
        !s->rows[i].report->satisfied) {
        return false;
    }
    for (size_t o = 0; o < s->count; o++) {
        const double other_loss = kn__sweep_value(s, o, loss->name);
        const double other_risk = kn__sweep_risk(s, o);
        if (other_loss <= own_loss && other_risk <= own_risk &&
            (other_loss < own_loss || other_risk < own_risk)) {
            return false;
        }
    }
    return true;
}

void kn__say_sweep_achieved(kn_buffer *b, const kn_report *r)
{
    for (size_t i = 0; i < r->guarantees_count; i++) {
        const kn_guarantee *g = &r->guarantees[i];
        kn__buffer_adds(b, i ? ", " : "");
        if (kn__guarantee_has_second_k(g)) {
            kn__buffer_adds(b, "k = ");
            kn__say_number(b, r->achieved_k[i], 0);
            kn__buffer_adds(b, ", ");
        }
        kn__say_achieved(b, g, r->achieved[i]);
    }
}

void kn__say_sweep(kn_buffer *b, const kn_sweep *s)
{
    const size_t worked = kn_sweep_worked(s);

    if (worked == s->count) {
        kn__buffer_adds(b, worked == 1 ? "The value of " : "All ");
    } else if (worked == 0) {
        kn__buffer_adds(b, s->count == 1 ? "The value of " : "None of the ");
    } else {
        kn__say_count(b, worked);
        kn__buffer_adds(b, " of ");
    }
    if (s->count > 1) {
        kn__say_count(b, s->count);
        kn__buffer_adds(b, s->parameters_count > 1 ? " combinations of " : " values of ");
    }
    kn__buffer_adds(b, s->parameter);
    kn__buffer_adds(b, worked || s->count > 1 ? " can be met" : " cannot be met");
}

/* ---- warnings ---- */

size_t kn__sweep_open(const kn_sweep *s)
{
    size_t open = 0;

    for (size_t i = 0; i < s->count; i++) {
        open += s->rows[i].report && kn_points_open(s->rows[i].report->points);
    }
    return open;
}

/* Warning number `i` of a run: the names of its points to settle come first; NULL at the end. */
static const char *notice(const kn_report *r, size_t i, bool *point)
{
    const size_t open = r ? kn_points_open(r->points) : 0;

    *point = i < open;
    if (*point) {
        return kn_points_get(r->points, i)->name;
    }
    return r && i - open < r->warnings_count ? r->warnings[i - open] : NULL;
}

static bool warns(const kn_report *r, const char *warning)
{
    const char *text;
    bool point;

    for (size_t i = 0; (text = notice(r, i, &point)); i++) {
        if (strcmp(text, warning) == 0) {
            return true;
        }
    }
    return false;
}

/* "k = 3, 4: ": the runs from `first` on that have the warning. */
static void say_sharing(kn_buffer *b, const kn_sweep *s, size_t first, const char *warning,
                        size_t sharing)
{
    const char *between = s->parameters_count == 1 ? ", " : "; ";
    size_t said = 0;

    if (s->parameters_count == 1) {
        kn__buffer_addf(b, "%s = ", s->parameter);
    }
    for (size_t i = first; i < s->count && said < MOST_SHARING; i++) {
        if (warns(s->rows[i].report, warning)) {
            kn__buffer_addf(b, "%s%s", said ? between : "", s->rows[i].value);
            said++;
        }
    }
    if (said < sharing) {
        kn__buffer_addf(b, " and %zu more", sharing - said);
    }
    kn__buffer_adds(b, ": ");
}

/* The open point called `name` of a report, or NULL. */
static const kn_point *open_point(const kn_report *r, const char *name)
{
    for (size_t i = 0; r && i < kn_points_open(r->points); i++) {
        const kn_point *p = kn_points_get(r->points, i);
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

/* A point in the words of the run in which it concerns most records; `first`: it begins the line.
 */
static void say_point(kn_buffer *b, const kn_sweep *s, const char *name, bool first)
{
    const kn_point *worst = NULL;
    bool same = true;

    for (size_t i = 0; i < s->count; i++) {
        const kn_point *p = open_point(s->rows[i].report, name);
        same = same && (!p || !worst || strcmp(p->words, worst->words) == 0);
        worst = p && (!worst || p->records > worst->records) ? p : worst;
    }
    if (!worst) {
        return;
    }
    if (!same) {
        kn__buffer_adds(b, first ? "At worst: " : "at worst: ");
    }
    kn__buffer_addf(b, "%s %s Or accept it: --accept-point ", worst->words, worst->remedy);
    kn__say_option_name(b, name);
}

bool kn__say_sweep_warning(kn_buffer *b, const kn_sweep *s, size_t i)
{
    const size_t worked = kn_sweep_worked(s);

    for (size_t r = 0; r < s->count; r++) {
        const char *text;
        bool point;
        for (size_t w = 0; (text = notice(s->rows[r].report, w, &point)); w++) {
            size_t before = 0, sharing = 0;
            for (size_t o = 0; o < s->count; o++) {
                const bool same = warns(s->rows[o].report, text);
                before += same && o < r;
                sharing += same;
            }
            if (before) {
                continue;
            }
            if (i > 0) {
                i--;
                continue;
            }
            if (sharing < worked) {
                say_sharing(b, s, r, text, sharing);
            }
            if (point) {
                say_point(b, s, text, sharing == worked);
            } else {
                kn__buffer_adds(b, text);
            }
            return true;
        }
    }
    return false;
}
