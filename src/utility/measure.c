/* measure.c - every measure of a release, one column at a time: the pairs of a column are
 * counted, measured and freed. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/measure.h"
#include "utility/trees/trees.h"
#include "utility/utility.h"

#include <math.h>
#include <string.h>

enum { WHOLE = 15, PER_COLUMN = 4, OF_ITEMS = 2 };

/* What one column says. */
typedef struct by_column {
    double ncp, loss, precision;
    kn_bits bits;
    size_t suppressed;
} by_column;

typedef struct job {
    const kn_comparison *of;
    by_column *column;
    kn_first_error error;
} job;

static void measure_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    job *j = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        by_column *column = &j->column[i];
        kn_cells *cells;
        kn_error error;
        if (kn__cells_new(&cells, j->of, i, &error) != KN_OK) {
            kn__first_error_note(&j->error, i, &error);
            continue;
        }
        column->ncp = kn__ncp_of(cells);
        column->loss = kn__loss_of(cells);
        column->precision = kn__precision_of(cells);
        column->bits = kn__entropy_of(cells);
        column->suppressed = kn__suppressed_of(cells);
        kn__cells_free(cells);
    }
}

static void put(kn_measures *m, const char *name, const char *column, double value)
{
    m->list[m->count++] = (kn_measurement){name, column, value};
}

/* The mean over the columns, weighted already, and the items with the rest of the weight; where
 * there is nothing to say of the items (NaN) over the columns alone. */
static double mean(double columns, double items, double items_weight)
{
    return isnan(items) ? columns / (1 - items_weight) : columns + items_weight * items;
}

static void put_whole(kn_measures *m, const kn_comparison *c, const by_column *column,
                      const kn_items_lost *items, double classification)
{
    const size_t records = c->people;
    double ncp = 0, loss = 0, precision = 0;
    size_t suppressed = 0;
    kn_bits bits = {0, 0};

    for (size_t i = 0; i < c->columns; i++) {
        ncp += c->column[i].weight * column[i].ncp;
        loss += c->column[i].weight * column[i].loss;
        precision += column[i].precision / (double)c->columns;
        bits.lost += column[i].bits.lost;
        bits.all += column[i].bits.all;
        suppressed += column[i].suppressed;
    }
    put(m, "ncp", NULL, mean(ncp, items->ncp, c->items_weight));
    put(m, "loss", NULL, mean(loss, items->loss, c->items_weight));
    if (c->items) {
        put(m, "relational_ncp", NULL, mean(ncp, NAN, c->items_weight));
        put(m, "items_ncp", NULL, items->ncp);
        put(m, "ul", NULL, items->ul);
        put(m, "items_changed", NULL, items->changed);
        put(m, "items_suppressed", NULL, items->left_out);
    }
    put(m, "discernibility", NULL, kn__discernibility_of(c));
    put(m, "average_class_size", NULL, kn__average_class_size_of(c));
    put(m, "classification", NULL, classification);
    put(m, "classification_metric", NULL, round(classification * (double)records));
    put(m, "entropy", NULL, records ? kn__entropy_share(bits) : NAN);
    put(m, "precision", NULL, precision);
    put(m, "suppressed_cells", NULL,
        records ? (double)suppressed / (double)records / (double)c->columns : NAN);
    put(m, "suppressed_records", NULL, kn__suppressed_records_of(c));
}

static void put_columns(kn_measures *m, const kn_comparison *c, const by_column *column,
                        const kn_items_lost *items)
{
    char *name = m->names;

    for (size_t i = 0; i < c->columns; i++) {
        const char *given = c->original->column[c->column[i].original].name;
        memcpy(name, given, strlen(given) + 1);
        put(m, "ncp", name, column[i].ncp);
        put(m, "loss", name, column[i].loss);
        put(m, "entropy", name, c->original->records ? kn__entropy_share(column[i].bits) : NAN);
        put(m, "precision", name, column[i].precision);
        name += strlen(given) + 1;
    }
    if (c->items) {
        const char *given = kn__items_column_of(c->items)->name;
        memcpy(name, given, strlen(given) + 1);
        put(m, "ncp", name, items->ncp);
        put(m, "loss", name, items->loss);
    }
}

static kn_status make(kn_measures **out, const kn_comparison *c, const by_column *column,
                      const kn_items_lost *items, kn_error *err)
{
    kn_measures *m = kn__zalloc(sizeof *m);
    size_t bytes = 0;
    double classification;
    kn_status status = m ? kn__classification_of(&classification, c, err) : kn__nomem(err);

    if (status != KN_OK) {
        kn__free(m);
        return status;
    }
    for (size_t i = 0; i < c->columns; i++) {
        bytes += strlen(c->original->column[c->column[i].original].name) + 1;
    }
    bytes += c->items ? strlen(kn__items_column_of(c->items)->name) + 1 : 0;
    m->list = kn__malloc_array(WHOLE + PER_COLUMN * c->columns + OF_ITEMS, sizeof *m->list);
    m->names = kn__malloc(bytes);
    if (!m->list || !m->names) {
        kn_measures_free(m);
        return kn__nomem(err);
    }
    put_whole(m, c, column, items, classification);
    put_columns(m, c, column, items);
    *out = m;
    return KN_OK;
}

/* One column at a time. */
static kn_status measure_table(kn_measures **out, const kn_comparison *c, kn_error *err)
{
    job j = {.of = c,
             .column = kn__zalloc_array(c->columns, sizeof *j.column),
             .error = KN_NO_ERROR_YET};
    kn_items_lost items = {NAN, NAN, NAN, NAN, NAN};
    kn_status status;

    KN_TRY(j.column ? kn__run_step(c->run, "measure", 0.5, err) : kn__nomem(err));
    kn__parallel_for(kn__run_threads(c->run), c->columns, 1, measure_columns, &j);
    KN_TRY(kn__first_error_take(&j.error, err));
    if (c->items) {
        KN_TRY(kn__items_lose(&items, c->items, c->origin, err));
    }
    KN_TRY(make(out, c, j.column, &items, err));
done:
    kn__free(j.column);
    return status;
}

static size_t count_quasi(const kn_dataset *ds)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        count += ds->column[i].role == KN_ROLE_QUASI;
    }
    return count;
}

static kn_status measure(kn_measures **out, const kn_dataset *original, const kn_dataset *release,
                         const uint32_t *origin, const kn_hierarchies *hierarchies, bool known,
                         const uint8_t *left_out, const kn_run *run, kn_error *err)
{
    const bool items_too = kn__items_measured(original) != SIZE_MAX;
    kn_comparison *c = NULL;
    kn_items *items = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__run_step(run, "measure", -1, err));
    if (!original->counts != !release->counts) {
        return kn__fail(err, KN_EUSAGE,
                        "records of one table stand for several people each, and those of the "
                        "other do not: count both (kn_dataset_set_counts)");
    }
    if (!origin) { /* which record became which is found row by row */
        KN_TRY(kn__refuse_counts(original, "matching records", err));
    }
    if (items_too && count_quasi(original) > 1) {
        KN_TRY(kn__refuse_counts(original, "what is measured of tables with items", err));
    }
    if (original->forest) {
        return kn__trees_measure(out, original, release, origin, hierarchies, run, err);
    }
    if (items_too && count_quasi(original) == 1) {
        return kn__items_measure(out, original, release, origin, hierarchies, known, left_out, run,
                                 err);
    }
    if (items_too) {
        KN_TRY(kn__items_new(&items, original, release, hierarchies, known, left_out, run, err));
    }
    KN_TRY(kn__comparison_new(&c, original, release, origin, items, hierarchies, run, err));
    KN_TRY(measure_table(out, c, err));
done:
    kn__comparison_free(c);
    kn__items_free(items);
    return status;
}

kn_status kn_measure(kn_measures **out, const kn_dataset *original, const kn_dataset *release,
                     const uint32_t *origin, const kn_hierarchies *hierarchies, const kn_run *run,
                     kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, original, release);
    KN_NEED_SIZED(err, run);

    return measure(out, original, release, origin, hierarchies, false, NULL, run, err);
}

kn_status kn__measure_release(kn_measures **out, const kn_dataset *original,
                              const kn_dataset *release, const uint32_t *origin,
                              const kn_hierarchies *hierarchies, const uint8_t *left_out,
                              const kn_run *run, kn_error *err)
{
    return measure(out, original, release, origin, hierarchies, true, left_out, run, err);
}

void kn_measures_free(kn_measures *m)
{
    if (m) {
        KN_FREE(m->list, m->names, m);
    }
}

kn_status kn__measures_add(kn_measures *m, const char *name, double value, kn_error *err)
{
    kn_measurement *more = kn__realloc_array(m->list, m->count + 1, sizeof *more);

    KN_PASS(more ? KN_OK : kn__nomem(err));
    m->list = more;
    put(m, name, NULL, value);
    return KN_OK;
}

size_t kn_measures_count(const kn_measures *m)
{
    return m ? m->count : 0;
}

const kn_measurement *kn_measures_get(const kn_measures *m, size_t i)
{
    return m && i < m->count ? &m->list[i] : NULL;
}

double kn_measures_value(const kn_measures *m, const char *name, const char *column)
{
    for (size_t i = 0; m && name && i < m->count; i++) {
        const kn_measurement *at = &m->list[i];
        if (strcmp(at->name, name) == 0 && !at->column == !column &&
            (!column || strcmp(at->column, column) == 0)) {
            return at->value;
        }
    }
    return NAN;
}
