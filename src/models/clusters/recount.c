/* recount.c - the spans of centres a second time, straight from the definition, to check the first
 * count. The two share the bound columns and the exact arithmetic (models/exact), which the first
 * count uses only where doubles cannot decide.
 *
 * Private categories: all combinations of possible values are tried; the values that no centre has
 * are tried as one. Private numbers x: centre i is the nearest where distance j - distance i >= 0
 * for all j (> 0 for j < i). These inequalities are linear in x, and the simplex method over
 * integers decides whether some x meets them. Nothing is rounded. */
#include "models/clusters/recount.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"
#include "models/clusters/nearest.h"
#include "models/exact/integer_simplex.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 16 };
/* For groups, and for records: see cost_of. A few tenths of a second of one core each. */
static const double MOST_STEPS = 1 << 22;

/* An attribute with a weight above 0. */
typedef struct axis {
    const kn_bound_attribute *bound;
    size_t attribute;
    bool category;
    double factor, weight; /* of a squared difference of 1; of a difference of categories */
    uint32_t *tried;       /* private categories: the values that are tried; KN_NO_CODE: missing */
    size_t tried_count, tried_cap;
} axis;

/* Scratch of one thread. */
typedef struct worker {
    kn_exact *distance; /* by centre: the coefficients of the free numbers, then the constant */
    kn_exact *public;   /* by centre: the part of the distance that public values make */
    kn_exact *part;     /* of the rows */
    kn_exact_row *row;  /* by other centre */
    kn_exact width[KN_SPACE_HIDDEN];
    uint8_t *in_span; /* by centre */
    uint32_t *chosen; /* by axis: of private categories the value, of numbers KN_NO_CODE: missing */
    uint32_t free_axis[KN_SPACE_HIDDEN]; /* axes of the private numbers that are not missing */
    size_t dimensions;
} worker;

typedef struct recounting {
    const kn_bound *b;
    const kn_centroids *centres;
    const kn_spans *spans;
    axis *axis;
    size_t axes, numbers;
    kn_row_groups groups;
    size_t groups_checked, records_checked; /* how many are checked */
    uint8_t *found;                         /* by group checked: KN_EBROKEN: the counts disagree */
    bool *wrong_cluster;                    /* by thread: a record belongs to another cluster */
    worker *worker;                         /* by thread */
} recounting;

/* ---- distances ---- */

/* Add factor * (x - c)^2. */
static void add_square(kn_exact *sum, const axis *a, double x, double c)
{
    kn__exact_add(sum, 1, a->factor, x, x);
    kn__exact_add(sum, -2, a->factor, x, c);
    kn__exact_add(sum, 1, a->factor, c, c);
}

static double number_of(const recounting *r, const axis *a, size_t centre)
{
    return r->centres->number[centre * r->b->model->attributes + a->attribute];
}

static uint32_t value_of(const recounting *r, const axis *a, size_t centre)
{
    return r->centres->value[centre * r->b->model->attributes + a->attribute];
}

/* Add the contribution of two categories, either of which may be missing. */
static void add_category(kn_exact *sum, const axis *a, uint32_t x, uint32_t c)
{
    if (x != c) {
        kn__exact_add(sum, 1, a->weight, 1, 1);
    }
}

/* Add the contribution of the value `code` of a column to the distance to centre `i`. */
static void add_term(const recounting *r, kn_exact *sum, const axis *a, uint32_t code, size_t i)
{
    const bool missing = code == a->bound->column->missing;

    if (a->category) {
        add_category(sum, a, missing ? KN_NO_CODE : a->bound->code[code], value_of(r, a, i));
    } else if (missing || isnan(number_of(r, a, i))) {
        add_category(sum, a, (uint32_t)missing, (uint32_t)isnan(number_of(r, a, i)));
    } else {
        add_square(sum, a, a->bound->column->numbers[code], number_of(r, a, i));
    }
}

/* The distance to centre `i` for the chosen private values. With y = x - low of a free number,
 * factor * (x - c)^2 is factor * (low - c)^2 - 2 * factor * c * y, and terms that are the same for
 * all centres. */
static void make_distance(const recounting *r, worker *w, size_t i)
{
    kn_exact *distance = w->distance + i * (w->dimensions + 1),
             *constant = distance + w->dimensions;
    size_t v = 0;

    memset(distance, 0, w->dimensions * sizeof *distance);
    *constant = w->public[i];
    for (size_t n = 0; n < r->axes; n++) {
        const axis *a = &r->axis[n];
        if (!a->bound->hidden) {
            continue;
        }
        if (a->category) {
            add_category(constant, a, w->chosen[n], value_of(r, a, i));
        } else if (w->chosen[n] == KN_NO_CODE) {
            kn__exact_add(constant, 1, a->weight, 1, 1);
        } else {
            add_square(constant, a, a->bound->low + w->chosen[n], number_of(r, a, i));
        }
        if (v < w->dimensions && w->free_axis[v] == n) {
            kn__exact_add(&distance[v++], -2, a->factor, number_of(r, a, i), 1);
        }
    }
}

/* Whether centre `i` is the nearest for some private numbers. */
static kn_status is_nearest(const recounting *r, worker *w, size_t i, bool *answer)
{
    const size_t parts = w->dimensions + 1;
    size_t rows = 0;

    for (size_t j = 0; j < r->centres->count; j++) {
        kn_exact *part = w->part + rows * parts;
        if (j == i) {
            continue;
        }
        for (size_t v = 0; v < parts; v++) {
            kn__exact_subtract(&part[v], &w->distance[j * parts + v], &w->distance[i * parts + v]);
        }
        w->row[rows++] = (kn_exact_row){part, j < i};
    }
    return kn__exact_feasible(answer, w->row, rows, w->width, w->dimensions, NULL);
}

/* ---- private values ---- */

static kn_status find_nearest(const recounting *r, worker *w)
{
    memset(w->width, 0, sizeof w->width);
    for (size_t v = 0; v < w->dimensions; v++) {
        const kn_bound_attribute *b = r->axis[w->free_axis[v]].bound;
        kn__exact_add(&w->width[v], 1, b->high, 1, 1);
        kn__exact_add(&w->width[v], -1, b->low, 1, 1);
    }
    for (size_t i = 0; i < r->centres->count; i++) {
        make_distance(r, w, i);
    }
    for (size_t i = 0; i < r->centres->count; i++) {
        bool nearest = true;
        if (!w->in_span[i]) {
            KN_PASS(is_nearest(r, w, i, &nearest));
            w->in_span[i] = nearest;
        }
    }
    return KN_OK;
}

/* Try all private values from axis `from` on; w->in_span collects the centres that are nearest. */
static kn_status try_all(const recounting *r, worker *w, size_t from)
{
    while (from < r->axes && !r->axis[from].bound->hidden) {
        from++;
    }
    if (from == r->axes) {
        return find_nearest(r, w);
    }
    const axis *a = &r->axis[from];
    for (size_t c = 0; c < a->tried_count; c++) {
        w->chosen[from] = a->tried[c];
        KN_PASS(try_all(r, w, from + 1));
    }
    if (!a->category && !a->bound->integers && a->bound->low <= a->bound->high) {
        w->chosen[from] = 0;
        w->free_axis[w->dimensions++] = (uint32_t)from;
        KN_PASS(try_all(r, w, from + 1));
        w->dimensions--;
    }
    return KN_OK;
}

/* The distance of `record` to centre `i` by its public values, or by all. */
static void add_values(const recounting *r, worker *w, size_t record, size_t i, bool all)
{
    memset(&w->public[i], 0, sizeof w->public[i]);
    for (size_t n = 0; n < r->axes; n++) {
        const axis *a = &r->axis[n];
        if (all || !a->bound->hidden) {
            add_term(r, &w->public[i], a, kn__column_code(a->bound->column, record), i);
        }
    }
}

/* Compare the span of a group with the centres that are nearest for some private values. */
static kn_status check_group(const recounting *r, worker *w, size_t group)
{
    const kn_spans *s = r->spans;
    const uint32_t *record = r->groups.row + r->groups.starts[group];
    const size_t size = r->groups.starts[group + 1] - r->groups.starts[group];
    const uint32_t span = s->of[record[0]];
    size_t at = s->starts[span];
    bool same = true;
    kn_status status;

    memset(w->in_span, 0, r->centres->count);
    w->dimensions = 0;
    for (size_t i = 0; i < r->centres->count; i++) {
        add_values(r, w, record[0], i, false);
    }
    KN_TRY(try_all(r, w, 0));
    for (size_t i = 0; i < r->centres->count; i++) {
        if (w->in_span[i]) {
            same = same && at < s->starts[span + 1] && s->classes[at] == i;
            at++;
        }
    }
    same = same && at == s->starts[span + 1];
    for (size_t i = 0; same && i < size; i++) {
        same = s->of[record[i]] == span;
    }
    status = same ? KN_OK : KN_EBROKEN;
done:
    return status;
}

static size_t evenly(size_t i, size_t count, size_t all)
{
    return (size_t)((kn_u128)i * all / count);
}

static void check_groups(void *user, unsigned thread, size_t begin, size_t end)
{
    const recounting *r = user;

    for (size_t i = begin; i < end; i++) {
        r->found[i] = (uint8_t)check_group(r, &r->worker[thread],
                                           evenly(i, r->groups_checked, r->groups.count));
    }
}

/* ---- the cluster of a record ---- */

static bool record_agrees(const recounting *r, worker *w, size_t record)
{
    size_t nearest = 0;

    for (size_t i = 0; i < r->centres->count; i++) {
        kn_exact difference;
        add_values(r, w, record, i, true);
        kn__exact_subtract(&difference, &w->public[i], &w -> public[nearest]);
        nearest = kn__exact_sign(&difference) < 0 ? i : nearest;
    }
    return r->spans->class_of[record] == nearest;
}

static void check_records(void *user, unsigned thread, size_t begin, size_t end)
{
    const recounting *r = user;

    for (size_t i = begin; i < end; i++) {
        const size_t record = evenly(i, r->records_checked, r->b->ds->records);
        r->wrong_cluster[thread] |= !record_agrees(r, &r->worker[thread], record);
    }
}

/* ---- setting up ---- */

static kn_status add_value(axis *a, uint32_t value, kn_error *err)
{
    const kn_status st = kn__grow(&a->tried, &a->tried_cap, a->tried_count + 1, sizeof *a->tried,
                                  err);

    if (st == KN_OK) {
        a->tried[a->tried_count++] = value;
    }
    return st;
}

/* The values that are tried: of a private category all, those that no centre has as one; of a
 * private number whether it is missing, and if only integers are possible, their offsets. */
static kn_status list_values(const recounting *r, axis *a, kn_error *err)
{
    bool other = false;
    kn_status status = KN_OK;

    for (uint32_t v = 0; a->category && v < a->bound->values; v++) {
        bool named = false;
        if (a->bound->possible && !a->bound->possible[v]) {
            continue;
        }
        for (size_t i = 0; i < r->centres->count && !named; i++) {
            named = value_of(r, a, i) == v;
        }
        if (named || !other) {
            other |= !named;
            KN_TRY(add_value(a, v, err));
        }
    }
    for (uint32_t v = 0; v < a->bound->integers; v++) {
        KN_TRY(add_value(a, v, err));
    }
    if (a->bound->missing) {
        status = add_value(a, KN_NO_CODE, err);
    }
done:
    return status;
}

static kn_status set_axes(recounting *r, kn_error *err)
{
    const kn_model *m = r->b->model;

    r->axis = kn__zalloc_array(m->attributes, sizeof *r->axis);
    KN_PASS(r->axis ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < m->attributes; i++) {
        axis *a = &r->axis[r->axes];
        if (m->attribute[i].weight <= 0) {
            continue;
        }
        const double scale = r->centres->scale ? r->centres->scale[i] : 1;
        *a = (axis){.bound = &r->b->attribute[i],
                    .attribute = i,
                    .category = r->b->attribute[i].code != NULL,
                    .factor = m->attribute[i].weight / (scale * scale),
                    .weight = m->attribute[i].weight};
        r->axes++;
        r->numbers += a->bound->hidden && !a->category && !a->bound->integers;
        if (a->bound->hidden) {
            KN_PASS(list_values(r, a, err));
        }
    }
    return KN_OK;
}

/* Groups of records with equal public values. */
static kn_status group_records(recounting *r, kn_error *err)
{
    const kn_column **keys = kn__malloc_array(r->axes + 1, sizeof *keys);
    const size_t records = r->b->ds->records;
    size_t count = 0;
    kn_status status;

    KN_TRY(keys ? KN_OK : kn__nomem(err));
    for (size_t n = 0; n < r->axes; n++) {
        if (!r->axis[n].bound->hidden) {
            keys[count++] = r->axis[n].bound->column;
        }
    }
    if (count > 0) {
        KN_TRY(kn__row_groups_make(&r->groups, keys, count, records, err));
        goto done;
    }
    r->groups = (kn_row_groups){.count = 1,
                                .starts = kn__zalloc_array(2, sizeof *r->groups.starts),
                                .row = kn__malloc_array(records, sizeof *r->groups.row)};
    KN_TRY(r->groups.starts && r->groups.row ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        r->groups.row[i] = (uint32_t)i;
    }
    r->groups.starts[1] = records;
done:
    kn__free(keys);
    return status;
}

/* Terms of distances that are added for a group, and inequalities: what they cost grows
 * with the private numbers. */
static double cost_of(const recounting *r)
{
    const double centres = (double)r->centres->count, d = (double)r->numbers;
    double combinations = 1;

    for (size_t n = 0; n < r->axes; n++) {
        const axis *a = &r->axis[n];
        if (a->bound->hidden) {
            combinations *= (double)(a->tried_count + (!a->category && !a->bound->integers));
        }
    }
    return centres * (double)r->axes +
           combinations * centres * (centres + d) * (d > 1 ? (d + 2) * (d + 3) : 4);
}

static size_t affordable(double cost, size_t all)
{
    const double most = MOST_STEPS / fmax(cost, 1);

    return most < (double)all ? (size_t)most : all;
}

static kn_status set_workers(recounting *r, unsigned threads, kn_error *err)
{
    const size_t centres = r->centres->count, parts = centres * (r->numbers + 1);

    r->found = kn__zalloc(r->groups_checked + 1);
    r->wrong_cluster = kn__zalloc_array(threads, sizeof *r->wrong_cluster);
    r->worker = kn__zalloc_array(threads, sizeof *r->worker);
    for (unsigned t = 0; r->worker && t < threads; t++) {
        worker *w = &r->worker[t];
        w->distance = kn__malloc_array(parts, sizeof *w->distance);
        w->public = kn__malloc_array(centres, sizeof *w->public);
        w->part = kn__malloc_array(parts, sizeof *w->part);
        w->row = kn__malloc_array(centres, sizeof *w->row);
        w->in_span = kn__malloc_array(centres, sizeof *w->in_span);
        w->chosen = kn__malloc_array(r->axes + 1, sizeof *w->chosen);
        if (!w->distance || !w->public || !w->part || !w->row || !w->in_span || !w->chosen) {
            return kn__nomem(err);
        }
    }
    return r->found && r->wrong_cluster && r->worker ? KN_OK : kn__nomem(err);
}

/* ---- the comparison ---- */

kn_status kn__centroids_disagree(kn_error *err, const char *what)
{
    return kn__fail(
        err, KN_EBROKEN,
        "what the centres tell was worked out twice, and the two disagree (%s). This is "
        "a defect of kanon; please report it",
        what);
}

static kn_status compare(recounting *r, kn_centroids_counted *out, const kn_run *run,
                         unsigned threads, kn_error *err)
{
    KN_PASS(kn__parallel_steps(run, "recount", threads, r->groups_checked, GRAIN, check_groups, r,
                               err));
    KN_PASS(kn__parallel_steps(run, "recount", threads, r->records_checked, GRAIN, check_records, r,
                               err));
    for (size_t i = 0; i < r->groups_checked; i++) {
        const size_t g = evenly(i, r->groups_checked, r->groups.count);
        if (r->found[i] == KN_EBROKEN) {
            KN_PASS(kn__centroids_disagree(err, "a span has other centres"));
        }
        KN_PASS(r->found[i] == KN_OK ? KN_OK : kn__nomem(err));
        out->records += r->groups.starts[g + 1] - r->groups.starts[g];
    }
    for (unsigned t = 0; t < threads; t++) {
        if (r->wrong_cluster[t]) {
            KN_PASS(kn__centroids_disagree(err, "a record is nearer to another centre"));
        }
    }
    return KN_OK;
}

static void clear(recounting *r, unsigned threads)
{
    for (unsigned t = 0; r->worker && t < threads; t++) {
        kn__free(r->worker[t].distance);
        kn__free(r->worker[t].public);
        kn__free(r->worker[t].part);
        kn__free(r->worker[t].row);
        kn__free(r->worker[t].in_span);
        kn__free(r->worker[t].chosen);
    }
    for (size_t n = 0; r->axis && n < r->axes; n++) {
        kn__free(r->axis[n].tried);
    }
    kn__free(r->worker);
    kn__free(r->found);
    kn__free(r->wrong_cluster);
    kn__free(r->axis);
    kn__row_groups_clear(&r->groups);
}

kn_status kn__centroids_recount(kn_centroids_counted *out, const kn_bound *b, const kn_spans *spans,
                                const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    recounting r = {.b = b, .centres = &b->model->centres, .spans = spans};
    const char *what = NULL;
    kn_status status;

    *out = (kn_centroids_counted){0};
    KN_TRY(kn__spans_recount(&out->spans, &what, spans, b->ds->records, err));
    if (what) {
        KN_TRY(kn__centroids_disagree(err, what));
    }
    if (b->ds->records == 0) {
        goto done;
    }
    KN_TRY(set_axes(&r, err));
    KN_TRY(group_records(&r, err));
    r.groups_checked = affordable(cost_of(&r), r.groups.count);
    r.records_checked = affordable((double)(r.centres->count * (r.axes + 1)), b->ds->records);
    KN_TRY(set_workers(&r, threads, err));
    KN_TRY(compare(&r, out, run, threads, err));
done:
    clear(&r, threads);
    return status;
}
