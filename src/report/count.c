/* count.c - what a report counts: the distributions of the columns, the sizes of the classes, the
 * risk. */
#include "report/make.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

/* What there is to say of a column, but for its bars of the release. */
static kn_status count_before(kn_report *r, const kn_report_facts *f, size_t i, kn_error *err)
{
    const kn_column *column = &f->original->column[i];
    const size_t at = kn_dataset_find(f->published, column->name);
    kn_report_column *out = &r->column[i];
    kn_status status = kn__report_text_copy(&out->name, column->name, err);

    out->type = column->type;
    out->role = column->role;
    out->chosen = column->chosen;
    out->loss = NAN;
    if (status != KN_OK || column->role == KN_ROLE_IDENTIFIER || column->role == KN_ROLE_DROPPED) {
        return status;
    }
    out->published = at != SIZE_MAX;
    out->values_before = kn__column_values(column);
    out->values_after = out->published ? kn__column_values(&f->published->column[at]) : 0;
    if (column->role == KN_ROLE_QUASI) {
        status = kn__bars_count(&out->before, f->original, i, r->rare_below, err);
        if (status == KN_OK && out->published && (f->origin || !f->shuffled)) {
            status = kn__changes_count(&out->changes, f->original, i, f->published, at, f->origin,
                                       r->rare_below, err);
            out->unchanged = out->changes.known &&
                             out->changes.changed_records + out->changes.suppressed_records == 0;
            if (status == KN_OK && !out->changes.known) {
                status = kn__lists_unchanged(&out->unchanged, f->original, i, f->published, at,
                                             f->origin, err);
            }
        }
    }
    return status;
}

/* Of a sensitive column only what was published: the difference to the original would tell the
 * values of the people whose records were removed. */
static kn_status count_after(kn_report *r, const kn_report_facts *f, size_t i, kn_error *err)
{
    const kn_column *column = &f->original->column[i];
    const size_t at = kn_dataset_find(f->published, column->name);

    if (at == SIZE_MAX || (column->role != KN_ROLE_QUASI && column->role != KN_ROLE_SENSITIVE)) {
        return KN_OK;
    }
    return kn__bars_count(&r->column[i].after, f->published, at, r->rare_below, err);
}

typedef struct counting {
    kn_report *r;
    const kn_report_facts *facts;
    kn_status *status; /* by column, before and after: two threads can share one column */
} counting;

static void count_some(void *user, unsigned worker, size_t begin, size_t end)
{
    const counting *c = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        c->status[i] = i % 2 ? count_after(c->r, c->facts, i / 2, NULL)
                             : count_before(c->r, c->facts, i / 2, NULL);
    }
}

kn_status kn__report_count_columns(kn_report *r, const kn_report_facts *f, const kn_run *run,
                                   kn_error *err)
{
    counting c = {.r = r, .facts = f};
    kn_status status = kn__dataset_with_role(f->original, KN_ROLE_QUASI, &r->quasi, &r->quasis,
                                             err);

    if (status != KN_OK) {
        return status;
    }
    r->column = kn__zalloc_array(f->original->columns, sizeof *r->column);
    c.status = kn__zalloc_array(f->original->columns, 2 * sizeof *c.status);
    if (!r->column || !c.status) {
        kn__free(c.status);
        return kn__nomem(err);
    }
    r->columns = f->original->columns;
    kn__parallel_for(kn__run_threads(run), 2 * r->columns, 1, count_some, &c);
    for (size_t i = 0; i < 2 * r->columns && status == KN_OK; i++) {
        status = c.status[i];
    }
    kn__free(c.status);
    for (size_t i = 0; i < kn_measures_count(f->measures); i++) {
        const kn_measurement *m = kn_measures_get(f->measures, i);
        const size_t at = m->column ? kn_dataset_find(f->original, m->column) : SIZE_MAX;
        if (at != SIZE_MAX && strcmp(m->name, "loss") == 0) {
            r->column[at].loss = m->value;
        }
    }
    /* Counting fails for want of memory only. */
    return status == KN_OK ? KN_OK : kn__nomem(err);
}

static kn_status measure_one(kn_risk *risk, kn_size_bins *bins, const kn_dataset *ds,
                             const kn_run *run, double threshold, kn_error *err)
{
    kn_class_sizes sizes = {0};

    KN_PASS(kn_risk_measure(risk, ds, NULL, threshold, run, err));
    KN_PASS(kn_class_sizes_count(&sizes, ds, run, err));
    kn__size_bins_fill(bins, &sizes);
    kn_class_sizes_free(&sizes);
    return KN_OK;
}

static bool has_scalar_quasi(const kn_dataset *ds)
{
    bool scalar = false;

    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == KN_ROLE_QUASI) {
            if (ds->column[i].starts) {
                return false;
            }
            scalar = true;
        }
    }
    return scalar;
}

kn_status kn__report_measure_risk(kn_report *r, const kn_report_facts *f, const kn_run *run,
                                  kn_error *err)
{
    const kn_risk unknown = {.prosecutor_max = NAN,
                             .prosecutor_mean = NAN,
                             .at_risk_share = NAN,
                             .journalist_max = NAN,
                             .journalist_mean = NAN,
                             .marketer = NAN,
                             .threshold = NAN};
    const double threshold = 1.0 / (double)r->rare_below;

    r->risk_before = r->risk_after = unknown;
    if (has_scalar_quasi(f->original)) {
        KN_PASS(measure_one(&r->risk_before, &r->sizes_before, f->original, run, threshold, err));
    }
    if (has_scalar_quasi(f->published)) {
        KN_PASS(measure_one(&r->risk_after, &r->sizes_after, f->published, run, threshold, err));
    }
    return KN_OK;
}
