/* model_report.c - what was found of a model, as JSON. */
#include "report/model_report.h"
#include "base/args.h"
#include "base/error.h"
#include "io/format/json_text.h"
#include "models/format/formats.h"
#include "models/registry.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add_text(kn_buffer *out, const char *text)
{
    kn__json_quote(out, text, strlen(text));
}

static void add_count(kn_buffer *out, const char *key, uint64_t count)
{
    kn__buffer_addf(out, ",\n  \"%s\": %" PRIu64, key, count);
}

/* null for what is not finite: no span limits it, or there is no number. */
static void add_value(kn_buffer *out, double value)
{
    if (isfinite(value)) {
        kn__model_number(out, value);
    } else {
        kn__buffer_adds(out, "null");
    }
}

static void add_number(kn_buffer *out, const char *key, double value)
{
    kn__buffer_addf(out, ",\n  \"%s\": ", key);
    add_value(out, value);
}

/* Nothing where there are no records. */
static void add_share(kn_buffer *out, const char *key, size_t part, size_t records)
{
    if (records) {
        add_number(out, key, (double)part / (double)records);
    }
}

static void tree_shape(kn_buffer *out, const kn_model_shape *shape)
{
    kn__buffer_adds(out, ",\n  \"class\": ");
    add_text(out, shape->target);
    add_count(out, "leaves", shape->leaves);
    add_count(out, "depth", shape->depth);
    add_count(out, "attributes", shape->attributes);
    if (shape->unsplit) {
        add_count(out, "unsplit", shape->unsplit);
    }
    add_share(out, "cross_validated_accuracy", shape->validated_right, shape->validated);
    add_share(out, "hold_out_accuracy", shape->held_out_right, shape->held_out);
}

static void clusters_shape(kn_buffer *out, const kn_model_shape *shape)
{
    add_count(out, "clusters", shape->clusters);
    add_count(out, "attributes", shape->attributes);
}

static void rules_shape(kn_buffer *out, const kn_model_shape *shape)
{
    add_count(out, "rules", shape->rules);
}

static void add_shape(kn_buffer *out, const kn_model *m, const kn_model_shape *shape)
{
    static void (*const shapes[])(kn_buffer *,
                                  const kn_model_shape *) = {[KN_MODEL_TREE] = tree_shape,
                                                             [KN_MODEL_CLUSTERS] = clusters_shape,
                                                             [KN_MODEL_RULES] = rules_shape};

    kn__buffer_addf(out, " \"model\": {\n  \"kind\": \"%s\"", kn_model_kind_name(m->kind));
    if (m->made_by) {
        kn__buffer_adds(out, ",\n  \"made_by\": ");
        add_text(out, m->made_by);
    }
    shapes[m->kind](out, shape);
    kn__buffer_adds(out, "\n },\n");
}

static void add_asked(kn_buffer *out, const kn_model_limits *l)
{
    kn__buffer_addf(out, " \"asked\": {\n  \"k\": %" PRIu64, l->k);
    if (l->l > 0) {
        add_number(out, "l", l->l);
        kn__buffer_addf(out, ",\n  \"diversity\": \"%s\"", l->distinct_l ? "distinct" : "entropy");
    }
    if (l->inference > 0) {
        add_number(out, "inference", l->inference);
    }
    kn__buffer_adds(out, l->ignore_counts ? ",\n  \"ignore_counts\": true" : "");
    kn__buffer_adds(out, l->ignore_extensions ? ",\n  \"ignore_extensions\": true" : "");
    kn__buffer_adds(out, "\n },\n");
}

static void add_found(kn_buffer *out, const kn_model *m, const kn_model_verdict *v)
{
    static const char *const domains[] = {
        [KN_DOMAIN_WHOLE] = "whole", [KN_DOMAIN_OF_DATA] = "data", [KN_DOMAIN_OF_MODEL] = "model"};
    const kn_model_row *row = kn__model_row(m->kind);
    const bool predicts = kn__model_class(m) != KN_NO_CODE;
    const kn_model_figures *f = &v->figures;

    kn__buffer_addf(out, " \"found\": {\n  \"records\": %" PRIu64, f->records);
    if (f->domain != KN_DOMAIN_ONE) {
        kn__buffer_addf(out, ",\n  \"domain\": \"%s\"", domains[f->domain]);
        add_number(out, "other_k", f->other_k == UINT64_MAX ? HUGE_VAL : (double)f->other_k);
    }
    add_count(out, "spans", f->spans);
    add_count(out, "telling_spans", f->telling);
    add_count(out, "classes", f->classes);
    add_number(out, "k", f->k == UINT64_MAX ? HUGE_VAL : (double)f->k);
    add_number(out, "l", f->l);
    add_number(out, "inference", f->inference);
    add_count(out, "exposed_records", f->exposed);
    if (predicts) {
        add_count(out, "right", f->right);
    }
    add_count(out, "recounted_records", f->recounted);
    if (row->of_items) {
        add_count(out, "told_item_sets", f->told);
    }
    add_count(out, "other_figures", f->unlike);
    add_count(out, "unjudged_extensions", f->unjudged);
    if (predicts) {
        add_number(out, "accuracy", f->records ? (double)f->right / (double)f->records : NAN);
    }
    add_count(out, "broken_spans", f->broken);
    add_count(out, "records_at_risk", f->at_risk);
    kn__buffer_adds(out, "\n },\n");
}

static void add_quality(kn_buffer *out, const kn_clusters_quality *q)
{
    kn__buffer_adds(out, " \"quality\": {\n  \"within\": ");
    add_value(out, q->within);
    add_number(out, "without_guarantee", q->plain);
    add_number(out, "all_as_one", q->whole);
    add_count(out, "clusters_asked", q->asked);
    kn__buffer_adds(out, "\n },\n");
}

static void add_span(kn_buffer *out, const kn_broken_span *s)
{
    kn__buffer_addf(out, "{\"records\": %" PRIu64 ", \"breaks\": [", s->population);
    kn__buffer_adds(out, s->few ? "\"k\"" : "");
    if (s->uniform) {
        kn__buffer_adds(out, s->few ? ", \"l\"" : "\"l\"");
    }
    if (s->certain) {
        kn__buffer_adds(out, s->few || s->uniform ? ", \"inference\"" : "\"inference\"");
    }
    kn__buffer_adds(out, "], \"rows\": [");
    for (size_t i = 0; i < s->rows_count; i++) {
        kn__buffer_addf(out, "%s%" PRIu64, i ? ", " : "", s->rows[i] + 1);
    }
    kn__buffer_addf(out, "], \"classes_count\": %" PRIu64 ", \"classes\": [", s->classes);
    for (size_t i = 0; i < s->words_count; i++) {
        kn__buffer_adds(out, i ? ", " : "");
        add_text(out, s->words[i]);
    }
    kn__buffer_adds(out, "], \"inferred\": ");
    add_text(out, s->inferred);
    kn__buffer_adds(out, ", \"confidence\": ");
    add_value(out, s->confidence);
    kn__buffer_adds(out, ", \"diversity\": ");
    add_value(out, s->diversity);
    kn__buffer_addc(out, '}');
}

static void add_point(kn_buffer *out, const kn_point *p)
{
    kn__buffer_adds(out, "{\"name\": ");
    add_text(out, p->name);
    kn__buffer_addf(out, ", \"check\": \"%s\", \"column\": null, \"decided\": %s, \"records\": %zu",
                    p->check, p->decided ? "true" : "false", p->records);
    kn__buffer_adds(out, ", \"value\": ");
    add_value(out, p->value);
    kn__buffer_adds(out, ", \"limit\": ");
    add_value(out, p->limit);
    kn__buffer_adds(out, ", \"words\": ");
    add_text(out, p->words);
    kn__buffer_adds(out, ", \"remedy\": ");
    add_text(out, p->remedy);
    kn__buffer_addc(out, '}');
}

static void add_points(kn_buffer *out, const kn_points *points)
{
    const size_t count = kn_points_count(points);

    kn__buffer_addf(out, " \"verdict\": \"%s\",\n \"summary\": ",
                    kn_state_name(kn_points_state(points)));
    add_text(out, kn_points_summary(points));
    kn__buffer_adds(out, ",\n \"points\": [");
    for (size_t i = 0; i < count; i++) {
        kn__buffer_adds(out, i ? ",\n  " : "\n  ");
        add_point(out, kn_points_get(points, i));
    }
    kn__buffer_adds(out, count ? "\n ],\n" : "],\n");
}

static void add_heading(kn_buffer *out, const char *name, const char *text)
{
    kn__buffer_addf(out, " \"%s\": ", name);
    if (text) {
        add_text(out, text);
    } else {
        kn__buffer_adds(out, "null");
    }
    kn__buffer_adds(out, ",\n");
}

static kn_status report_json(const kn_model *m, const kn_model_verdict *v, kn_buffer *out,
                             kn_error *err)
{
    kn_model_shape shape;
    const kn_status st = kn_model_shape_of(&shape, m, err);

    if (st != KN_OK) {
        return st;
    }
    kn__buffer_addf(out, "{\n \"schema_version\": 1,\n \"satisfied\": %s,\n",
                    kn_model_verdict_holds(v) ? "true" : "false");
    add_heading(out, "title", v->title);
    add_heading(out, "note", v->note);
    add_heading(out, "date", v->date);
    add_points(out, v->points);
    add_shape(out, m, &shape);
    add_asked(out, &v->limits);
    add_found(out, m, v);
    if (v->quality.whole > 0) {
        add_quality(out, &v->quality);
    }
    kn__buffer_adds(out, " \"broken\": [");
    for (size_t i = 0; i < v->listed_count; i++) {
        kn__buffer_adds(out, i ? ",\n  " : "\n  ");
        add_span(out, &v->listed[i]);
    }
    kn__buffer_adds(out, v->listed_count ? "\n ]\n}\n" : "]\n}\n");
    return out->failed ? kn__nomem(err) : KN_OK;
}

kn_status kn_model_report(char **out, const kn_model *model, const kn_model_verdict *verdict,
                          bool html, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, model, verdict);

    kn_buffer text = {0};
    kn_status status;

    if (html) {
        return kn__model_report_html(model, verdict, out, err);
    }
    KN_TRY(report_json(model, verdict, &text, err));
    KN_TRY(kn__buffer_take(&text, out, err));
done:
    kn__buffer_free(&text);
    return status;
}
