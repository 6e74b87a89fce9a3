/* recount.c - a second look at what centres tell, straight from the definition.
 *
 * Every double is a whole number times a power of two, so distances are whole numbers in a unit
 * that is small enough, and nothing is rounded at all. Every combination of values that a private
 * category can have is tried, those that no centre has as one. Of private numbers x, centre i is
 * the nearest where all distance j - distance i are >= 0 (> 0 for those before it), which are
 * linear in x: whether there is such an x is found by eliminating one number after the other
 * (Fourier and Motzkin). Shared with the first count are the columns as they were bound, and
 * nothing else. */
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
/* Conditions made, and terms of distances added up, each: some 0.2 s of one core. */
static const double MOST_STEPS = 1 << 22;

/* An attribute that counts. */
typedef struct axis {
    const kn_bound_attribute *bound;
    size_t attribute;
    bool category;
    int unit;                 /* numbers are whole numbers of 2^unit */
    kn_bigint factor, weight; /* of a difference of 1, in the unit of distances */
    kn_bigint low, high;      /* private numbers */
    uint32_t *choice;         /* private categories: what is tried; KN_NO_CODE: missing */
    size_t choices, choice_cap;
} axis;

/* What is found of a group; KN_FOUND_NO: it disagrees. */
typedef kn_found answer;

/* One thread's own. */
typedef struct desk {
    kn_inequalities conditions;
    kn_inequality *form; /* by centre: the distance */
    kn_bigint *public;   /* by centre: what the public values add to it */
    uint8_t *seen;       /* by centre */
    uint32_t *chosen; /* by axis: of private categories the value, of numbers KN_NO_CODE: missing */
    uint32_t open[KN_CONDITION_NUMBERS]; /* axes of the private numbers that are not missing */
    size_t dimensions;
} desk;

typedef struct recounting {
    const kn_bound *b;
    const kn_centroids *centres;
    const kn_spans *spans;
    axis *axis;
    size_t axes, numbers;
    kn_row_groups groups;
    size_t looks, owns; /* groups and records that are looked at */
    uint8_t *found;     /* by look: an answer */
    bool *elsewhere;    /* by thread: somebody is in another cluster */
    desk *desk;         /* by thread */
} recounting;

/* ---- distances ---- */

static bool whole_of(kn_bigint *to, double x, int unit)
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

/* Of two values, either of which may be missing. */
static bool add_category(kn_bigint *sum, const axis *a, uint32_t x, uint32_t c)
{
    return x == c || kn__bigint_add(sum, &a->weight, false);
}

/* Add what a value at `code` of its column is away from centre `i`. */
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
    return whole_of(&x, a->bound->column->numbers[code], a->unit) &&
           whole_of(&c, r->centres->number[at], a->unit) && kn__bigint_add(&x, &c, true) &&
           add_square(sum, a, &x);
}

/* The distance of centre `i` with the private values that are chosen; numbers stay open. */
static bool make_form(const recounting *r, desk *d, size_t i)
{
    kn_inequality *form = &d->form[i];
    bool fits = true;

    kn__bigint_copy(&form->part[0], &d->public[i]);
    for (size_t n = 0; fits && n < r->axes; n++) {
        const axis *a = &r->axis[n];
        const size_t at = i * r->b->model->attributes + a->attribute;
        if (!a->bound->hidden) {
            continue;
        }
        if (a->category) {
            fits = add_category(&form->part[0], a, d->chosen[n], r->centres->value[at]);
        } else if (d->chosen[n] == KN_NO_CODE) {
            fits = kn__bigint_add(&form->part[0], &a->weight, false);
        } else if (a->bound->integers) {
            kn_bigint x, c;
            fits = whole_of(&x, a->bound->low + d->chosen[n], a->unit) &&
                   whole_of(&c, r->centres->number[at], a->unit) && kn__bigint_add(&x, &c, true) &&
                   add_square(&form->part[0], a, &x);
        }
    }
    /* factor * (x - c)^2 without factor * x^2, which all have. */
    for (size_t v = 0; fits && v < d->dimensions; v++) {
        const axis *a = &r->axis[d->open[v]];
        kn_bigint c;
        fits = whole_of(&c, r->centres->number[i * r->b->model->attributes + a->attribute],
                        a->unit) &&
               add_square(&form->part[0], a, &c) && kn__bigint_shift(&c, 1) &&
               kn__bigint_times(&form->part[v + 1], &c, &a->factor);
        form->part[v + 1].minus = form->part[v + 1].len > 0 && !form->part[v + 1].minus;
    }
    return fits;
}

/* The difference of two distances, and the ends of the range of an open number, as conditions. */
static answer add_difference(desk *d, size_t j, size_t i)
{
    kn_inequality *to = kn__inequalities_add(&d->conditions);

    if (!to) {
        return KN_FOUND_NOMEM;
    }
    to->strict = j < i;
    for (size_t v = 0; v <= d->dimensions; v++) {
        kn__bigint_copy(&to->part[v], &d->form[j].part[v]);
        if (!kn__bigint_add(&to->part[v], &d->form[i].part[v], true)) {
            return KN_FOUND_TOO_LONG;
        }
    }
    return KN_FOUND_YES;
}

static answer add_end(const recounting *r, desk *d, size_t number, bool high)
{
    const axis *a = &r->axis[d->open[number]];
    kn_inequality *to = kn__inequalities_add(&d->conditions);

    if (!to) {
        return KN_FOUND_NOMEM;
    }
    to->strict = false;
    for (size_t v = 0; v <= d->dimensions; v++) {
        kn__bigint_zero(&to->part[v]);
    }
    (void)kn__bigint_set(&to->part[1 + number], high ? -1 : 1, 0);
    return kn__bigint_add(&to->part[0], high ? &a->high : &a->low, !high) ? KN_FOUND_YES
                                                                          : KN_FOUND_TOO_LONG;
}

/* Whether centre `i` is the nearest for some private numbers. */
static answer is_nearest(const recounting *r, desk *d, size_t i)
{
    answer is = KN_FOUND_YES;

    d->conditions.count = 0;
    for (size_t j = 0; is == KN_FOUND_YES && j < r->centres->count; j++) {
        is = j == i ? is : add_difference(d, j, i);
    }
    for (size_t end = 0; is == KN_FOUND_YES && end < 2 * d->dimensions; end++) {
        is = add_end(r, d, end / 2, end % 2);
    }
    return is == KN_FOUND_YES ? kn__inequalities_hold(&d->conditions, d->dimensions) : is;
}

/* ---- private values ---- */

static answer try_all(const recounting *r, desk *d, size_t from)
{
    answer is = KN_FOUND_YES;

    while (from < r->axes && !r->axis[from].bound->hidden) {
        from++;
    }
    if (from == r->axes) {
        for (size_t i = 0; i < r->centres->count; i++) {
            if (!make_form(r, d, i)) {
                return KN_FOUND_TOO_LONG;
            }
        }
        for (size_t i = 0; i < r->centres->count; i++) {
            is = d->seen[i] ? KN_FOUND_NO : is_nearest(r, d, i);
            if (is > KN_FOUND_YES) {
                return is;
            }
            d->seen[i] |= is == KN_FOUND_YES;
        }
        return KN_FOUND_YES;
    }
    const axis *a = &r->axis[from];
    for (size_t c = 0; is == KN_FOUND_YES && c < a->choices; c++) {
        d->chosen[from] = a->choice[c];
        is = try_all(r, d, from + 1);
    }
    if (is == KN_FOUND_YES && !a->category && !a->bound->integers &&
        a->bound->low <= a->bound->high) {
        d->chosen[from] = 0;
        d->open[d->dimensions++] = (uint32_t)from;
        is = try_all(r, d, from + 1);
        d->dimensions--;
    }
    return is;
}

static answer add_public(const recounting *r, desk *d, size_t record)
{
    for (size_t i = 0; i < r->centres->count; i++) {
        kn__bigint_zero(&d->public[i]);
        for (size_t n = 0; n < r->axes; n++) {
            const axis *a = &r->axis[n];
            if (!a->bound->hidden &&
                !add_term(r, &d->public[i], a, kn__column_code(a->bound->column, record), i)) {
                return KN_FOUND_TOO_LONG;
            }
        }
    }
    return KN_FOUND_YES;
}

/* Compare the span of a group with what it can reach. */
static answer look_at(const recounting *r, desk *d, size_t group)
{
    const kn_spans *s = r->spans;
    const uint32_t *record = r->groups.row + r->groups.starts[group];
    const size_t size = r->groups.starts[group + 1] - r->groups.starts[group];
    const uint32_t span = s->of[record[0]];
    size_t at = s->starts[span];
    answer is = add_public(r, d, record[0]);

    if (is == KN_FOUND_YES) {
        memset(d->seen, 0, r->centres->count);
        d->dimensions = 0;
        is = try_all(r, d, 0);
    }
    for (size_t i = 0; is == KN_FOUND_YES && i < r->centres->count; i++) {
        if (d->seen[i]) {
            is = at < s->starts[span + 1] && s->classes[at] == i ? KN_FOUND_YES : KN_FOUND_NO;
            at++;
        }
    }
    if (is == KN_FOUND_YES && at != s->starts[span + 1]) {
        is = KN_FOUND_NO;
    }
    for (size_t i = 0; is == KN_FOUND_YES && i < size; i++) {
        is = s->of[record[i]] == span ? KN_FOUND_YES : KN_FOUND_NO;
    }
    return is;
}

static size_t spread(size_t i, size_t count, size_t all)
{
    return (size_t)((kn_u128)i * all / count);
}

static void look_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const recounting *r = user;

    for (size_t i = begin; i < end; i++) {
        r->found[i] = (uint8_t)look_at(r, &r->desk[worker], spread(i, r->looks, r->groups.count));
    }
}

/* ---- the own cluster ---- */

static bool own_agrees(const recounting *r, desk *d, size_t record)
{
    size_t nearest = 0;

    for (size_t i = 0; i < r->centres->count; i++) {
        kn_bigint difference;
        kn__bigint_zero(&d->public[i]);
        for (size_t n = 0; n < r->axes; n++) {
            const axis *a = &r->axis[n];
            if (!add_term(r, &d->public[i], a, kn__column_code(a->bound->column, record), i)) {
                return true; /* too long to tell */
            }
        }
        kn__bigint_copy(&difference, &d->public[i]);
        if (!kn__bigint_add(&difference, &d->public[nearest], true)) {
            return true;
        }
        nearest = kn__bigint_sign(&difference) < 0 ? i : nearest;
    }
    return r->spans->class_of[record] == nearest;
}

static void own_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const recounting *r = user;

    for (size_t i = begin; i < end; i++) {
        const size_t record = spread(i, r->owns, r->b->ds->records);
        r->elsewhere[worker] |= !own_agrees(r, &r->desk[worker], record);
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

static kn_status add_choice(axis *a, uint32_t value, kn_error *err)
{
    const kn_status st = kn__grow(&a->choice, &a->choice_cap, a->choices + 1, sizeof *a->choice,
                                  err);

    if (st == KN_OK) {
        a->choice[a->choices++] = value;
    }
    return st;
}

/* All values of a private category, those that no centre has as one; of a private number only
 * whether it is missing, and where only whole ones are possible how far it is from the least. */
static kn_status choose(const recounting *r, axis *a, kn_error *err)
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
            KN_TRY(add_choice(a, v, err));
        }
    }
    for (uint32_t v = 0; v < a->bound->integers; v++) {
        KN_TRY(add_choice(a, v, err));
    }
    if (a->bound->missing) {
        status = add_choice(a, KN_NO_CODE, err);
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

/* Everything in one unit of distances. False: it would be too long. */
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
        if (!whole_of(&a->weight, r->b->model->attribute[a->attribute].weight, least) ||
            !whole_of(&a->factor, factor_of(r, a), least - 2 * a->unit) ||
            (number && (!whole_of(&a->low, a->bound->low, a->unit) ||
                        !whole_of(&a->high, a->bound->high, a->unit)))) {
            return false;
        }
    }
    return true;
}

static kn_status set_axes(recounting *r, kn_error *err)
{
    const kn_model *m = r->b->model;
    kn_status st = KN_OK;

    r->axis = kn__zalloc_array(m->attributes, sizeof *r->axis);
    if (!r->axis) {
        return kn__nomem(err);
    }
    for (size_t i = 0; st == KN_OK && i < m->attributes; i++) {
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
        st = a->bound->hidden ? choose(r, a, err) : KN_OK;
    }
    return st;
}

/* People who are alike in public. */
static kn_status group(recounting *r, kn_error *err)
{
    const kn_column **keys = kn__malloc_array(r->axes + 1, sizeof *keys);
    const size_t records = r->b->ds->records;
    size_t count = 0;
    kn_status st = KN_OK;

    if (!keys) {
        return kn__nomem(err);
    }
    for (size_t n = 0; n < r->axes; n++) {
        if (!r->axis[n].bound->hidden) {
            keys[count++] = r->axis[n].bound->column;
        }
    }
    if (count) {
        st = kn__row_groups_make(&r->groups, keys, count, records, err);
    } else {
        r->groups = (kn_row_groups){.count = 1,
                                    .starts = kn__zalloc_array(2, sizeof *r->groups.starts),
                                    .row = kn__malloc_array(records, sizeof *r->groups.row)};
        st = r->groups.starts && r->groups.row ? KN_OK : kn__nomem(err);
        for (size_t i = 0; st == KN_OK && i < records; i++) {
            r->groups.row[i] = (uint32_t)i;
        }
        if (st == KN_OK) {
            r->groups.starts[1] = records;
        }
    }
    kn__free(keys);
    return st;
}

/* At most so many conditions are made for a group. */
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
            combinations *= (double)(a->choices + (!a->category && !a->bound->integers));
        }
    }
    return centres * (double)r->axes + combinations * centres * all;
}

static size_t afford(double cost, size_t all)
{
    const double most = MOST_STEPS / fmax(cost, 1);

    return most < (double)all ? (size_t)most : all;
}

static kn_status set_desks(recounting *r, unsigned threads, kn_error *err)
{
    const size_t centres = r->centres->count;

    r->found = kn__zalloc(r->looks + 1);
    r->elsewhere = kn__zalloc_array(threads, sizeof *r->elsewhere);
    r->desk = kn__zalloc_array(threads, sizeof *r->desk);
    for (unsigned t = 0; r->desk && t < threads; t++) {
        desk *d = &r->desk[t];
        d->form = kn__malloc_array(centres, sizeof *d->form);
        d->public = kn__malloc_array(centres, sizeof *d->public);
        d->seen = kn__malloc_array(centres, sizeof *d->seen);
        d->chosen = kn__malloc_array(r->axes + 1, sizeof *d->chosen);
        if (!d->form || !d->public || !d->seen || !d->chosen) {
            return kn__nomem(err);
        }
    }
    return r->found && r->elsewhere && r->desk ? KN_OK : kn__nomem(err);
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

static kn_status look(recounting *r, kn_centroids_counted *out, const kn_run *run, unsigned threads,
                      kn_error *err)
{
    kn_status status;

    KN_TRY(kn__parallel_steps(run, "recount", threads, r->looks, GRAIN, look_slice, r, err));
    KN_TRY(kn__parallel_steps(run, "recount", threads, r->owns, GRAIN, own_slice, r, err));
    for (size_t i = 0; i < r->looks; i++) {
        const size_t g = spread(i, r->looks, r->groups.count);
        if (r->found[i] == KN_FOUND_NO) {
            KN_TRY(kn__centroids_disagree(err, "a span has other centres"));
        } else if (r->found[i] == KN_FOUND_NOMEM) {
            KN_TRY(kn__nomem(err));
        } else if (r->found[i] == KN_FOUND_YES) {
            out->records += r->groups.starts[g + 1] - r->groups.starts[g];
        }
    }
    for (unsigned t = 0; t < threads; t++) {
        if (r->elsewhere[t]) {
            KN_TRY(kn__centroids_disagree(err, "somebody is nearer to another centre"));
        }
    }
done:
    return status;
}

static void clear(recounting *r, unsigned threads)
{
    for (unsigned t = 0; r->desk && t < threads; t++) {
        kn__inequalities_clear(&r->desk[t].conditions);
        kn__free(r->desk[t].form);
        kn__free(r->desk[t].public);
        kn__free(r->desk[t].seen);
        kn__free(r->desk[t].chosen);
    }
    for (size_t n = 0; r->axis && n < r->axes; n++) {
        kn__free(r->axis[n].choice);
    }
    kn__free(r->desk);
    kn__free(r->found);
    kn__free(r->elsewhere);
    kn__free(r->axis);
    kn__row_groups_clear(&r->groups);
}

kn_status kn__centroids_recount(kn_centroids_counted *out, const kn_bound *b, const kn_spans *spans,
                                const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    recounting r = {.b = b, .centres = &b->model->centres, .spans = spans};
    const char *what = NULL;
    kn_status st;

    *out = (kn_centroids_counted){0};
    st = kn__spans_recount(&out->spans, &what, spans, b->ds->records, err);
    if (st == KN_OK && what) {
        st = kn__centroids_disagree(err, what);
    }
    if (st != KN_OK || b->ds->records == 0) {
        return st;
    }
    st = set_axes(&r, err);
    if (st == KN_OK && r.numbers <= KN_CONDITION_NUMBERS && set_units(&r)) {
        st = group(&r, err);
        if (st == KN_OK) {
            r.looks = afford(cost_of(&r), r.groups.count);
            r.owns = afford((double)(r.centres->count * (r.axes + 1)), b->ds->records);
            st = set_desks(&r, threads, err);
        }
        st = st == KN_OK ? look(&r, out, run, threads, err) : st;
    }
    clear(&r, threads);
    return st;
}
