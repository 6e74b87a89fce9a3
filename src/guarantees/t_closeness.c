/* t_closeness.c - the sensitive values of every class are distributed nearly as in the whole
 * table: earth mover's distance at most t (Li, Li and Venkatasubramanian, ICDE 2007).
 *
 * A class of n records with counts a_i is held against a table of N records with counts b_i. All
 * distances are integers over n N times the largest ground distance, so they are summed exactly
 * and divided once. */
#include "guarantees/registry.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (!(g->t >= 0 && g->t <= 1)) {
        return kn__fail(err, KN_EUSAGE, "t-closeness: t is %g; give t from 0 to 1", g->t);
    }
    if (g->distance != KN_EQUAL && g->distance != KN_ORDERED && g->distance != KN_HIERARCHICAL) {
        return kn__fail(err, KN_EUSAGE,
                        "t-closeness: unknown distance; use equal, ordered or hierarchical");
    }
    if (g->reference != KN_REFERENCE_PUBLISHED && g->reference != KN_REFERENCE_ORIGINAL) {
        return kn__fail(err, KN_EUSAGE,
                        "t-closeness: unknown reference; use published or original");
    }
    return KN_OK;
}

double kn__ratio(kn_u128 a, kn_u128 b)
{
    uint64_t quotient = 0;
    int exponent = -52;
    bool half;

    if (b >> 53 == 0) {
        return (double)(uint64_t)a / (double)(uint64_t)b;
    }
    if (a == 0) {
        return 0;
    }
    while (a < b) {
        a <<= 1;
        exponent--;
    }
    for (int bit = 0; bit < 54; bit++) {
        quotient <<= 1;
        if (a >= b) {
            a -= b;
            quotient |= 1;
        }
        a <<= 1;
    }
    half = quotient & 1;
    quotient >>= 1;
    if (half && (a != 0 || quotient & 1)) {
        quotient++;
    }
    return ldexp((double)quotient, exponent);
}

void kn__reference_free(kn_reference *r)
{
    if (r) {
        kn__arena_clear(&r->arena);
        kn__free(r);
    }
}

static kn_status prepare_equal(kn_reference *r, const uint32_t *counts, kn_error *err)
{
    r->count = kn__arena_take(&r->arena, r->values, sizeof *r->count);
    if (r->arena.failed) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < r->values; i++) {
        r->count[i] = counts[i];
    }
    return KN_OK;
}

static kn_status prepare_ordered(kn_reference *r, const uint32_t *counts, kn_error *err)
{
    uint32_t sum = 0;

    r->rank = kn__arena_take(&r->arena, r->values, sizeof *r->rank);
    r->upto = kn__arena_take(&r->arena, r->values, sizeof *r->upto);
    r->upto_sum = kn__arena_take(&r->arena, (size_t)r->values + 1, sizeof *r->upto_sum);
    if (r->arena.failed) {
        return kn__nomem(err);
    }
    r->upto_sum[0] = 0;
    for (uint32_t i = 0; i < r->values; i++) {
        r->rank[i] = r->present;
        if (counts[i]) {
            sum += counts[i];
            r->upto[r->present] = sum;
            r->upto_sum[r->present + 1] = r->upto_sum[r->present] + sum;
            r->present++;
        }
    }
    return KN_OK;
}

kn_status kn__reference_new(kn_reference **out, const kn_column *column, kn_distance distance,
                            const uint32_t *counts, uint64_t records,
                            const kn_hierarchies *hierarchies, kn_error *err)
{
    kn_reference *r = NULL;
    const kn_hierarchy *h = NULL;
    kn_status status;

    *out = NULL;
    if (records && distance == KN_ORDERED && !kn__type_is_ordered(column->type)) {
        return kn__fail(
            err, KN_EUSAGE,
            "t-closeness with ordered distance needs numbers or dates, and column \"%s\" "
            "holds categories: use the equal distance, or the hierarchical one with a "
            "hierarchy",
            column->name);
    }
    if (records && distance == KN_HIERARCHICAL) {
        h = hierarchies ? kn_hierarchies_get(hierarchies, column->name) : NULL;
        if (!h) {
            return kn__fail(
                err, KN_EUSAGE,
                "t-closeness with hierarchical distance needs a hierarchy of column \"%s\", "
                "and none was given: give one, or use another distance",
                column->name);
        }
    }
    r = kn__zalloc(sizeof *r);
    KN_PASS(r ? KN_OK : kn__nomem(err));
    r->distance = distance;
    r->records = records;
    r->values = kn__column_values(column);
    if (records == 0) {
        status = KN_OK;
    } else if (distance == KN_HIERARCHICAL) {
        status = kn__reference_plant(r, column, h, counts, err);
    } else {
        status = (distance == KN_EQUAL ? prepare_equal : prepare_ordered)(r, counts, err);
    }
    if (status != KN_OK) {
        kn__reference_free(r);
        return status;
    }
    *out = r;
    return KN_OK;
}

/* What the class has too much of, value by value; all of it moves by distance 1. Values that the
 * class lacks only receive, so they need no visit. */
static kn_u128 equal_distance(const kn_reference *r, const kn_histogram *h)
{
    kn_u128 surplus = 0;

    for (uint32_t i = 0; i < h->distinct; i++) {
        const uint64_t has = h->count[h->codes[i]] * r->records;
        const uint64_t due = r->count[h->codes[i]] * h->total;
        surplus += has > due ? has - due : 0;
    }
    return surplus;
}

/* The sum of |mass - upto[i] n| for ranks low..high-1: upto grows, so the sign changes once. */
static kn_u128 between(const kn_reference *r, uint64_t n, uint64_t mass, uint32_t low,
                       uint32_t high)
{
    uint32_t begin = low, end = high;
    kn_u128 under, over;

    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (r->upto[middle] * n <= mass) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    under = (kn_u128)mass * (begin - low) - (kn_u128)n * (r->upto_sum[begin] - r->upto_sum[low]);
    over = (kn_u128)n * (r->upto_sum[high] - r->upto_sum[begin]) - (kn_u128)mass * (high - begin);
    return under + over;
}

/* Mass crosses from each rank to the next: as much as the class has more, or less, up to there.
 * Between two values of the class that follows from sums, so only its own values are visited. */
static kn_u128 ordered_distance(const kn_reference *r, const kn_histogram *h, uint32_t *sorted)
{
    const uint32_t last = r->present - 1;
    kn_u128 moved = 0;
    uint64_t mass = 0;
    uint32_t at = 0;

    for (uint32_t i = 0; i < h->distinct; i++) {
        sorted[i] = h->codes[i];
    }
    kn__sort_u32(sorted, h->distinct);
    for (uint32_t i = 0; i < h->distinct; i++) {
        const uint32_t rank = r->rank[sorted[i]] < last ? r->rank[sorted[i]] : last;
        moved += between(r, h->total, mass, at, rank);
        mass += h->count[sorted[i]] * r->records;
        at = rank;
    }
    return moved + between(r, h->total, mass, at, last);
}

static bool t_close(const kn_guarantee *g, const kn_reference *r, kn_formula_scratch *s,
                    double *value)
{
    const kn_histogram *h = &s->histogram;
    kn_u128 whole = (kn_u128)h->total * r->records;
    double distance = 0;

    if (r->records == 0 || h->total == 0) {
        distance = 0;
    } else if (r->distance == KN_EQUAL) {
        distance = kn__ratio(equal_distance(r, h), whole);
    } else if (r->distance == KN_ORDERED) {
        if (r->present > 1) {
            whole *= r->present - 1;
            distance = kn__ratio(ordered_distance(r, h, s->sorted), whole);
        }
    } else {
        whole *= r->height[r->nodes - 1];
        distance = kn__ratio(kn__reference_tree_distance(r, s), whole);
    }
    if (value) {
        *value = distance;
    }
    return distance <= g->t;
}

static bool holds(const kn_formulas *f, const kn_guarantee *g, size_t s,
                  kn_formula_scratch *scratch, double *value)
{
    return t_close(g, f->sensitive[s].reference[g->reference][g->distance], scratch, value);
}

static bool grows(const kn_guarantee *g)
{
    (void)g;
    return false;
}

static double asked(const kn_guarantee *g)
{
    return g->t;
}

static const char *parameter(const kn_guarantee *g)
{
    (void)g;
    return "t";
}

static bool upper(const kn_guarantee *g)
{
    (void)g;
    return true;
}

static double missing(const kn_guarantee *g, double value)
{
    return (value - g->t) / (1 - g->t);
}

static const char *variant(const kn_guarantee *g)
{
    static const char *const names[] = {"equal", "ordered", "hierarchical"};

    return (unsigned)g->distance < 3 ? names[g->distance] : NULL;
}

static void describe(kn_buffer *b, const kn_guarantee *g)
{
    kn__buffer_adds(b, "t-closeness with t = ");
    kn__say_parameter(b, g->t);
    kn__buffer_addf(b, " (%s distance%s)", variant(g),
                    g->reference == KN_REFERENCE_ORIGINAL ? ", compared with the original table"
                                                          : "");
}

static void claim(kn_claim *c, const kn_guarantee *g, size_t i)
{
    size_t columns;

    kn__claim_begin(c, g, true);
    columns = kn__claim_sensitive(c);
    kn__buffer_addf(c->b, " in every group of look-alikes %s", columns == 1 ? "is" : "are");
    kn__buffer_addf(c->b, " distributed as in the %s, up to a distance of ",
                    g->reference == KN_REFERENCE_ORIGINAL ? "original table" : "whole file");
    kn__say_number(c->b, ceil(kn_verdict_achieved(c->verdict, i) * 1000 - 1e-6) / 1000, 3);
}

static bool json(json_t *out, const kn_guarantee *g)
{
    return kn__json_put_number(out, "t", g->t) && kn__json_put_text(out, "distance", variant(g)) &&
           kn__json_put_text(out, "reference",
                             g->reference == KN_REFERENCE_ORIGINAL ? "original" : "published");
}

static const kn_param t_params[] = {
    {.name = "t",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .required = true,
     .standard = 0.2,
     .help = "how far the sensitive values of a class may be distributed from those of the "
             "whole table"},
    {.name = "distance",
     .kind = KN_PARAM_CHOICE,
     .choices = "equal|ordered|hierarchical",
     .help = "the distance between sensitive values: all alike, by order (numbers and dates), or "
             "by hierarchy"},
    {.name = "reference",
     .kind = KN_PARAM_CHOICE,
     .choices = "published|original",
     .help = "the whole table that classes are compared with: the one that is published, without "
             "removed records, or the original"},
};

const kn_guarantee_row kn__t_closeness_row = {
    .entry =
        {.kind = KN_ENTRY_GUARANTEE,
         .name = "t-closeness",
         .method = "local",
         .summary =
             "the sensitive values of every class are distributed nearly as in the whole table",
         KN_PARAMS(t_params),
         .page = "guarantees.md"},
    .kind = KN_T_CLOSENESS,
    .about = KN_ABOUT_CLASSES | KN_ABOUT_VALUES,
    .validate = validate,
    .holds = holds,
    .grows = grows,
    .reference = true,
    .asked = asked,
    .parameter = parameter,
    .upper = upper,
    .missing = missing,
    .variant = variant,
    .describe = describe,
    .claim = claim,
    .json = json,
};
