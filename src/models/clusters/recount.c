/* recount.c - the spans of centres a second time, straight from the definition, to check the first
 * count. The two share the bound columns and nothing else.
 *
 * Exact integers: every double is an integer times a power of two, so in a small enough unit all
 * distances are integers (kn_bigint) and nothing is rounded. Private categories: all combinations
 * of possible values are tried; the values that no centre has are tried as one. Private numbers x:
 * centre i is the nearest where distance j - distance i >= 0 for all j (> 0 for j < i). These
 * inequalities are linear in x; Fourier-Motzkin elimination decides whether some x meets them. */
#include "models/clusters/recount.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"
#include "models/exact/fourier_motzkin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 16 };
/* Inequalities made, and terms of distances added: about 0.2 s of one core for each of the two. */
static const double MOST_STEPS = 1 << 22;

/* An attribute with a weight above 0. */
typedef struct axis {
    const kn_bound_attribute *bound;
    size_t attribute;
    bool category;
    int unit;                 /* numbers are integers times 2^unit */
    kn_bigint factor, weight; /* of a difference of 1, in the unit of distances */
    kn_bigint low, high;      /* private numbers */
    uint32_t *tried; /* private categories: the values that are tried; KN_NO_CODE: missing */
    size_t tried_count, tried_cap;
} axis;

/* The result for a group; KN_FOUND_NO: the two counts disagree. */
typedef kn_found answer;

/* Scratch of one thread. */
typedef struct worker {
    kn_inequalities system;
    kn_inequality *distance; /* by centre: the distance */
    kn_bigint *public;       /* by centre: the part of the distance that public values make */
    uint8_t *in_span;        /* by centre */
    uint32_t *chosen; /* by axis: of private categories the value, of numbers KN_NO_CODE: missing */
    uint32_t free_axis[KN_CONDITION_NUMBERS]; /* axes of the private numbers that are not missing */
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
    uint8_t *found;                         /* by group checked: an answer */
    bool *wrong_cluster;                    /* by thread: a record belongs to another cluster */
    worker *worker;                         /* by thread */
} recounting;

/* ---- distances ---- */

static bool scaled_integer(kn_bigint *to, double x, int unit)
{
    int64_t odd;
    int exponent;

    kn__bigint_parts(x, &odd, &exponent);
    return kn__bigint_set(to, odd, odd ? (size_t)(exponent - unit) : 0);
}

/* Add factor * difference^2. */
static bool add_square(kn_bigint *sum, const axis *a, kn_bigint *difference)
{
    kn_bigint square, term;

    return kn__bigint_times(&square, difference, difference) &&
           kn__bigint_times(&term, &square, &a->factor) && kn__bigint_add(sum, &term, false);
}

/* Add the contribution of two values, either of which may be missing. */
static bool add_category(kn_bigint *sum, const axis *a, uint32_t x, uint32_t c)
{
    return x == c || kn__bigint_add(sum, &a->weight, false);
}

/* Add the contribution of the value `code` of a column to the distance to centre `i`. */
static bool add_term(const recounting *r, kn_bigint *sum, const axis *a, uint32_t code, size_t i)
{
    const size_t at = i * r->b->model->attributes + a->attribute;
    const bool none = a->category ? r->centres->value[at] == KN_NO_CODE
                                  : isnan(r->centres->number[at]);
    const bool missing = code == a->bound->column->missing;
    kn_bigint x, c;

    if (missing || none) {
        return (missing && none) || kn__bigint_add(sum, &a->weight, false);
    }
    if (a->category) {
        return add_category(sum, a, a->bound->code[code], r->centres->value[at]);
    }
    return scaled_integer(&x, a->bound->column->numbers[code], a->unit) &&
           scaled_integer(&c, r->centres->number[at], a->unit) && kn__bigint_add(&x, &c, true) &&
           add_square(sum, a, &x);
}

/* The distance to centre `i` for the chosen private values, as a linear form in the free numbers.
 */
static bool make_distance(const recounting *r, worker *w, size_t i)
{
    kn_inequality *distance = &w->distance[i];
    bool fits = true;

    kn__bigint_copy(&distance->coefficient[0], &w->public[i]);
    for (size_t n = 0; fits && n < r->axes; n++) {
        const axis *a = &r->axis[n];
        const size_t at = i * r->b->model->attributes + a->attribute;
        if (!a->bound->hidden) {
            continue;
        }
        if (a->category) {
            fits = add_category(&distance->coefficient[0], a, w->chosen[n], r->centres->value[at]);
        } else if (w->chosen[n] == KN_NO_CODE) {
            fits = kn__bigint_add(&distance->coefficient[0], &a->weight, false);
        } else if (a->bound->integers) {
            kn_bigint x, c;
            fits = scaled_integer(&x, a->bound->low + w->chosen[n], a->unit) &&
                   scaled_integer(&c, r->centres->number[at], a->unit) &&
                   kn__bigint_add(&x, &c, true) && add_square(&distance->coefficient[0], a, &x);
        }
    }
    /* factor * (x - c)^2 without factor * x^2, which cancels in differences. */
    for (size_t v = 0; fits && v < w->dimensions; v++) {
        const axis *a = &r->axis[w->free_axis[v]];
        kn_bigint c;
        fits = scaled_integer(&c, r->centres->number[i * r->b->model->attributes + a->attribute],
                              a->unit) &&
               add_square(&distance->coefficient[0], a, &c) && kn__bigint_shift(&c, 1) &&
               kn__bigint_times(&distance->coefficient[v + 1], &c, &a->factor);
        distance->coefficient[v + 1].minus = distance->coefficient[v + 1].len > 0 &&
                                             !distance->coefficient[v + 1].minus;
    }
    return fits;
}

/* Distance j - distance i >= 0, or > 0 for j < i. */
static answer add_difference(worker *w, size_t j, size_t i)
{
    kn_inequality *to = kn__inequalities_add(&w->system);

    if (!to) {
        return KN_FOUND_NOMEM;
    }
    to->strict = j < i;
    for (size_t v = 0; v <= w->dimensions; v++) {
        kn__bigint_copy(&to->coefficient[v], &w->distance[j].coefficient[v]);
        if (!kn__bigint_add(&to->coefficient[v], &w->distance[i].coefficient[v], true)) {
            return KN_FOUND_TOO_LONG;
        }
    }
    return KN_FOUND_YES;
}

/* A free number is within its range. */
static answer add_end(const recounting *r, worker *w, size_t number, bool high)
{
    const axis *a = &r->axis[w->free_axis[number]];
    kn_inequality *to = kn__inequalities_add(&w->system);

    if (!to) {
        return KN_FOUND_NOMEM;
    }
    to->strict = false;
    for (size_t v = 0; v <= w->dimensions; v++) {
        kn__bigint_zero(&to->coefficient[v]);
    }
    (void)kn__bigint_set(&to->coefficient[1 + number], high ? -1 : 1, 0);
    return kn__bigint_add(&to->coefficient[0], high ? &a->high : &a->low, !high)
               ? KN_FOUND_YES
               : KN_FOUND_TOO_LONG;
}

/* Whether centre `i` is the nearest for some private numbers. */
static answer is_nearest(const recounting *r, worker *w, size_t i)
{
    answer result = KN_FOUND_YES;

    w->system.count = 0;
    for (size_t j = 0; result == KN_FOUND_YES && j < r->centres->count; j++) {
        result = j == i ? result : add_difference(w, j, i);
    }
    for (size_t end = 0; result == KN_FOUND_YES && end < 2 * w->dimensions; end++) {
        result = add_end(r, w, end / 2, end % 2);
    }
    return result == KN_FOUND_YES ? kn__inequalities_hold(&w->system, w->dimensions) : result;
}

/* ---- private values ---- */

/* Try all private values from axis `from` on; w->in_span collects the centres that are nearest. */
static answer try_all(const recounting *r, worker *w, size_t from)
{
    answer result = KN_FOUND_YES;

    while (from < r->axes && !r->axis[from].bound->hidden) {
        from++;
    }
    if (from == r->axes) {
        for (size_t i = 0; i < r->centres->count; i++) {
            if (!make_distance(r, w, i)) {
                return KN_FOUND_TOO_LONG;
            }
        }
        for (size_t i = 0; i < r->centres->count; i++) {
            result = w->in_span[i] ? KN_FOUND_NO : is_nearest(r, w, i);
            if (result > KN_FOUND_YES) {
                return result;
            }
            w->in_span[i] |= result == KN_FOUND_YES;
        }
        return KN_FOUND_YES;
    }
    const axis *a = &r->axis[from];
    for (size_t c = 0; result == KN_FOUND_YES && c < a->tried_count; c++) {
        w->chosen[from] = a->tried[c];
        result = try_all(r, w, from + 1);
    }
    if (result == KN_FOUND_YES && !a->category && !a->bound->integers &&
        a->bound->low <= a->bound->high) {
        w->chosen[from] = 0;
        w->free_axis[w->dimensions++] = (uint32_t)from;
        result = try_all(r, w, from + 1);
        w->dimensions--;
    }
    return result;
}

static answer add_public(const recounting *r, worker *w, size_t record)
{
    for (size_t i = 0; i < r->centres->count; i++) {
        kn__bigint_zero(&w->public[i]);
        for (size_t n = 0; n < r->axes; n++) {
            const axis *a = &r->axis[n];
            if (!a->bound->hidden &&
                !add_term(r, &w->public[i], a, kn__column_code(a->bound->column, record), i)) {
                return KN_FOUND_TOO_LONG;
            }
        }
    }
    return KN_FOUND_YES;
}

/* Compare the span of a group with the centres that are nearest for some private values. */
static answer check_group(const recounting *r, worker *w, size_t group_records)
{
    const kn_spans *s = r->spans;
    const uint32_t *record = r->groups.row + r->groups.starts[group_records];
    const size_t size = r->groups.starts[group_records + 1] - r->groups.starts[group_records];
    const uint32_t span = s->of[record[0]];
    size_t at = s->starts[span];
    answer result = add_public(r, w, record[0]);

    if (result == KN_FOUND_YES) {
        memset(w->in_span, 0, r->centres->count);
        w->dimensions = 0;
        result = try_all(r, w, 0);
    }
    for (size_t i = 0; result == KN_FOUND_YES && i < r->centres->count; i++) {
        if (w->in_span[i]) {
            result = at < s->starts[span + 1] && s->classes[at] == i ? KN_FOUND_YES : KN_FOUND_NO;
            at++;
        }
    }
    if (result == KN_FOUND_YES && at != s->starts[span + 1]) {
        result = KN_FOUND_NO;
    }
    for (size_t i = 0; result == KN_FOUND_YES && i < size; i++) {
        result = s->of[record[i]] == span ? KN_FOUND_YES : KN_FOUND_NO;
    }
    return result;
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
        kn_bigint difference;
        kn__bigint_zero(&w->public[i]);
        for (size_t n = 0; n < r->axes; n++) {
            const axis *a = &r->axis[n];
            if (!add_term(r, &w->public[i], a, kn__column_code(a->bound->column, record), i)) {
                return true; /* too long to tell */
            }
        }
        kn__bigint_copy(&difference, &w->public[i]);
        if (!kn__bigint_add(&difference, &w->public[nearest], true)) {
            return true;
        }
        nearest = kn__bigint_sign(&difference) < 0 ? i : nearest;
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

static void least_exponent(double x, int *least)
{
    int64_t odd;
    int exponent;

    kn__bigint_parts(x, &odd, &exponent);
    *least = odd && exponent < *least ? exponent : *least;
}

/* A unit that all numbers of the attribute are multiples of. */
static int unit_of(const recounting *r, const axis *a)
{
    const kn_column *c = a->bound->column;
    int least = 0;

    for (uint32_t v = 0; v < kn__column_values(c); v++) {
        if (v != c->missing) {
            least_exponent(c->numbers[v], &least);
        }
    }
    for (size_t i = 0; i < r->centres->count; i++) {
        const double x = r->centres->number[i * r->b->model->attributes + a->attribute];
        least_exponent(isnan(x) ? 0 : x, &least);
    }
    if (a->bound->low <= a->bound->high) {
        least_exponent(a->bound->low, &least);
        least_exponent(a->bound->high, &least);
    }
    return least;
}

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
            named = r->centres->value[i * r->b->model->attributes + a->attribute] == v;
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

static double factor_of(const recounting *r, const axis *a)
{
    const double scale = r->centres->scale ? r->centres->scale[a->attribute] : 1,
                 weight = r->b->model->attribute[a->attribute].weight;

    return a->category ? weight : weight / (scale * scale);
}

/* One unit for all distances. False: the integers would be too long. */
static bool set_units(recounting *r)
{
    int least = 0;

    for (size_t n = 0; n < r->axes; n++) {
        const axis *a = &r->axis[n];
        int own = 0;
        least_exponent(r->b->model->attribute[a->attribute].weight, &least);
        least_exponent(factor_of(r, a), &own);
        least = own + 2 * a->unit < least ? own + 2 * a->unit : least;
    }
    for (size_t n = 0; n < r->axes; n++) {
        axis *a = &r->axis[n];
        const bool number = a->bound->hidden && !a->category && a->bound->low <= a->bound->high;
        if (!scaled_integer(&a->weight, r->b->model->attribute[a->attribute].weight, least) ||
            !scaled_integer(&a->factor, factor_of(r, a), least - 2 * a->unit) ||
            (number && (!scaled_integer(&a->low, a->bound->low, a->unit) ||
                        !scaled_integer(&a->high, a->bound->high, a->unit)))) {
            return false;
        }
    }
    return true;
}

static kn_status set_axes(recounting *r, kn_error *err)
{
    const kn_model *m = r->b->model;
    kn_status status;

    r->axis = kn__zalloc_array(m->attributes, sizeof *r->axis);
    KN_TRY(r->axis ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < m->attributes; i++) {
        axis *a = &r->axis[r->axes];
        if (m->attribute[i].weight <= 0) {
            continue;
        }
        *a = (axis){.bound = &r->b->attribute[i],
                    .attribute = i,
                    .category = r->b->attribute[i].code != NULL};
        r->axes++;
        a->unit = a->category ? 0 : unit_of(r, a);
        r->numbers += a->bound->hidden && !a->category && !a->bound->integers;
        if (a->bound->hidden) {
            KN_TRY(list_values(r, a, err));
        }
    }
done:
    return status;
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

/* At most so many system are made for a group_records. */
static double cost_of(const recounting *r)
{
    const double centres = (double)r->centres->count;
    double rows = centres + 2 * (double)r->numbers, all = rows, combinations = 1;

    for (size_t v = r->numbers; v > 1; v--) {
        rows = fmin(rows * rows / 4, KN_CONDITIONS_MOST);
        all += rows;
    }
    for (size_t n = 0; n < r->axes; n++) {
        const axis *a = &r->axis[n];
        if (a->bound->hidden) {
            combinations *= (double)(a->tried_count + (!a->category && !a->bound->integers));
        }
    }
    return centres * (double)r->axes + combinations * centres * all;
}

static size_t affordable(double cost, size_t all)
{
    const double most = MOST_STEPS / fmax(cost, 1);

    return most < (double)all ? (size_t)most : all;
}

static kn_status set_workers(recounting *r, unsigned threads, kn_error *err)
{
    const size_t centres = r->centres->count;

    r->found = kn__zalloc(r->groups_checked + 1);
    r->wrong_cluster = kn__zalloc_array(threads, sizeof *r->wrong_cluster);
    r->worker = kn__zalloc_array(threads, sizeof *r->worker);
    for (unsigned t = 0; r->worker && t < threads; t++) {
        worker *w = &r->worker[t];
        w->distance = kn__malloc_array(centres, sizeof *w->distance);
        w->public = kn__malloc_array(centres, sizeof *w->public);
        w->in_span = kn__malloc_array(centres, sizeof *w->in_span);
        w->chosen = kn__malloc_array(r->axes + 1, sizeof *w->chosen);
        if (!w->distance || !w->public || !w->in_span || !w->chosen) {
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
    kn_status status;

    KN_TRY(kn__parallel_steps(run, "recount", threads, r->groups_checked, GRAIN, check_groups, r,
                              err));
    KN_TRY(kn__parallel_steps(run, "recount", threads, r->records_checked, GRAIN, check_records, r,
                              err));
    for (size_t i = 0; i < r->groups_checked; i++) {
        const size_t g = evenly(i, r->groups_checked, r->groups.count);
        if (r->found[i] == KN_FOUND_NO) {
            KN_TRY(kn__centroids_disagree(err, "a span has other centres"));
        } else if (r->found[i] == KN_FOUND_NOMEM) {
            KN_TRY(kn__nomem(err));
        } else if (r->found[i] == KN_FOUND_YES) {
            out->records += r->groups.starts[g + 1] - r->groups.starts[g];
        }
    }
    for (unsigned t = 0; t < threads; t++) {
        if (r->wrong_cluster[t]) {
            KN_TRY(kn__centroids_disagree(err, "somebody is nearer to another centre"));
        }
    }
done:
    return status;
}

static void clear(recounting *r, unsigned threads)
{
    for (unsigned t = 0; r->worker && t < threads; t++) {
        kn__inequalities_clear(&r->worker[t].system);
        kn__free(r->worker[t].distance);
        kn__free(r->worker[t].public);
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
    if (r.numbers > KN_CONDITION_NUMBERS || !set_units(&r)) {
        goto done;
    }
    KN_TRY(group_records(&r, err));
    r.groups_checked = affordable(cost_of(&r), r.groups.count);
    r.records_checked = affordable((double)(r.centres->count * (r.axes + 1)), b->ds->records);
    KN_TRY(set_workers(&r, threads, err));
    KN_TRY(compare(&r, out, run, threads, err));
done:
    clear(&r, threads);
    return status;
}
