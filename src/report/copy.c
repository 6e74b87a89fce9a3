/* copy.c - what a report takes over from the facts of a job as it is: texts, guarantees, measures,
 * violations. */
#include "report/make.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"

#include <jansson.h>
#include <string.h>

kn_status kn__report_text_copy(char **out, const char *text, kn_error *err)
{
    *out = text ? kn__clean(text, strlen(text)) : NULL;
    return *out || !text ? KN_OK : kn__nomem(err);
}

kn_status kn__report_file_copy(kn_report_file *out, const char *path, const kn_dataset *ds,
                               kn_error *err)
{
    KN_PASS(kn__report_text_copy(&out->path, path ? path : ds->source, err));
    memcpy(out->sha256, ds->sha256, sizeof out->sha256);
    out->rows = ds->records;
    if (ds->joined_count) {
        out->joined = kn__zalloc_array(ds->joined_count, sizeof *out->joined);
        KN_PASS(out->joined ? KN_OK : kn__nomem(err));
    }
    for (size_t i = 0; i < ds->joined_count; i++) {
        kn_report_file *joined = &out->joined[out->joined_count++];
        memcpy(joined->sha256, ds->joined[i].sha256, sizeof joined->sha256);
        KN_PASS(kn__report_text_copy(&joined->path, ds->joined[i].path, err));
    }
    return KN_OK;
}

void kn__report_file_clear(kn_report_file *f)
{
    for (size_t i = 0; i < f->joined_count; i++) {
        kn__free(f->joined[i].path);
    }
    KN_FREE(f->joined, f->path);
    *f = (kn_report_file){0};
}

kn_status kn__report_copy_job(kn_report *r, const char *job, kn_error *err)
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
    KN_PASS(r->certificates ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        r->certificates[i] = *kn_verdict_certificate(verdict, i);
    }
    r->certificates_count = count;
    return KN_OK;
}

kn_status kn__report_copy_guarantees(kn_report *r, const kn_report_facts *f, kn_error *err)
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
    r->at_least = seen && seen->at_least;
    if (seen && seen->recount) {
        memcpy(r->recounted, seen->recounted, sizeof r->recounted);
        r->recount = kn__strdup(seen->recount);
        return r->recount ? KN_OK : kn__nomem(err);
    }
    return KN_OK;
}

kn_status kn__report_copy_measures(kn_report *r, const kn_measures *m, kn_error *err)
{
    const size_t count = m ? kn_measures_count(m) : 0;

    r->measure_names = kn__zalloc_array(count, sizeof *r->measure_names);
    r->measure_columns = kn__zalloc_array(count, sizeof *r->measure_columns);
    r->measure_values = kn__zalloc_array(count, sizeof *r->measure_values);
    KN_PASS(r->measure_names && r->measure_columns && r->measure_values ? KN_OK : kn__nomem(err));
    r->measures_count = count;
    for (size_t i = 0; i < count; i++) {
        const kn_measurement *one = kn_measures_get(m, i);

        KN_PASS(kn__report_text_copy(&r->measure_names[i], one->name, err));
        KN_PASS(kn__report_text_copy(&r->measure_columns[i], one->column, err));
        r->measure_values[i] = one->value;
    }
    return KN_OK;
}

kn_status kn__report_copy_phases(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    kn_status status = KN_OK;

    r->phase_names = kn__zalloc_array(f->phases_count, sizeof *r->phase_names);
    r->phase_seconds = kn__zalloc_array(f->phases_count, sizeof *r->phase_seconds);
    KN_PASS(r->phase_names && r->phase_seconds ? KN_OK : kn__nomem(err));
    r->phases_count = f->phases_count;
    for (size_t i = 0; i < f->phases_count && status == KN_OK; i++) {
        status = kn__report_text_copy(&r->phase_names[i], f->phases[i].name, err);
        r->phase_seconds[i] = f->phases[i].seconds;
    }
    return status;
}

/* What violation `v` says of a column, as text: the value of its class, or its combination of
 * items, joined by the item separator. */
static kn_status cell(char **out, const kn_dataset *ds, const kn_column *c, const kn_violation *v,
                      kn_error *err)
{
    const uint32_t single = c->starts ? 0 : kn__column_code(c, v->record);
    const uint32_t *codes = c->starts ? v->items : &single;
    const size_t count = c->starts ? v->items_count : 1;
    const char *separator = ds->item_separator ? ds->item_separator : "|";
    kn_buffer b = {0};
    char *raw = NULL;
    kn_status status;

    for (size_t i = 0; i < count; i++) {
        size_t len;
        const char *text = kn__column_text(c, codes[i], &len);

        kn__buffer_adds(&b, i ? separator : "");
        kn__buffer_add(&b, text, len);
    }
    if (count == 0) {
        return KN_OK;
    }
    KN_TRY(kn__buffer_take(&b, &raw, err));
    KN_TRY(kn__report_text_copy(out, raw, err));
done:
    kn__free(raw);
    return status;
}

kn_status kn__report_copy_violations(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    const size_t count = kn_verdict_violations_kept(f->after);

    r->violations = kn__zalloc_array(count, sizeof *r->violations);
    KN_PASS(r->violations ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const kn_violation *v = kn_verdict_violation(f->after, i);
        kn_report_violation *out = &r->violations[r->violations_count++];

        *out = (kn_report_violation){.kind = v->kind, .size = v->size, .value = v->value};
        out->values = kn__zalloc_array(r->quasis, sizeof *out->values);
        KN_PASS(out->values ? KN_OK : kn__nomem(err));
        KN_PASS(v->held && f->published
                    ? kn__label(&out->sensitive, &f->published->column[v->column],
                                v->sensitive_item, err)
                    : kn__report_text_copy(&out->sensitive, v->sensitive, err));
        for (size_t q = 0; f->original && f->published && q < r->quasis; q++) {
            const size_t at = kn_dataset_find(f->published, f->original->column[r->quasi[q]].name);
            if (at != SIZE_MAX) {
                KN_PASS(cell(&out->values[q], f->published, &f->published->column[at], v, err));
            }
        }
    }
    return KN_OK;
}
