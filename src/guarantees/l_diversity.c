/* l_diversity.c - the sensitive values of every class are l-diverse: distinct, entropy and
 * recursive (c,l)-diversity as Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam define them
 * (ACM TKDD 1(1), 2007).
 *
 * Entropy diversity asks exp(H) >= l, that is n^n >= l^n prod(c_i^c_i) for a class of n records
 * with counts c_i. Both sides are compared as logarithms with a bound on the rounding error.
 * Dyadic and uniform classes meet l exactly, where no bound helps: there the prime factors of
 * both sides decide. What is neither apart nor equal counts as not diverse. Counts are summed in
 * sorted order, so the order of records changes nothing. */
#include "base/sort.h"
#include "guarantees/registry.h"

#include "base/error.h"

#include <float.h>
#include <math.h>

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (!isfinite(g->l) || g->l < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "l-diversity: l is %g; give l of at least 1 (2 or more to protect anyone)",
                        g->l);
    }
    switch (g->diversity) {
    case KN_DISTINCT:
    case KN_ENTROPY: return KN_OK;
    case KN_RECURSIVE:
        if (g->l != floor(g->l)) {
            return kn__fail(err, KN_EUSAGE,
                            "recursive (c,l)-diversity: l is %g; give a whole number", g->l);
        }
        if (!isfinite(g->c) || g->c <= 0) {
            return kn__fail(err, KN_EUSAGE, "recursive (c,l)-diversity: c is %g; give c above 0",
                            g->c);
        }
        return KN_OK;
    }
    return kn__fail(err, KN_EUSAGE,
                    "l-diversity: unknown kind; use distinct, entropy or recursive");
}

static size_t least(const kn_guarantee *g)
{
    const double least = ceil(g->l);

    return least >= (double)SIZE_MAX ? SIZE_MAX : (size_t)least;
}

/* ---- entropy ---- */

static int64_t power_of(uint64_t prime, uint64_t x)
{
    int64_t power = 0;

    for (; x % prime == 0; x /= prime) {
        power++;
    }
    return power;
}

/* l as odd * 2^shift. */
static uint64_t split_double(double l, int *shift)
{
    uint64_t odd = (uint64_t)ldexp(frexp(l, shift), DBL_MANT_DIG);

    *shift -= DBL_MANT_DIG;
    while (odd % 2 == 0) {
        odd /= 2;
        (*shift)++;
    }
    return odd;
}

typedef struct sides {
    const uint32_t *counts; /* ascending */
    uint32_t distinct;
    uint64_t total;
    uint64_t odd; /* l = odd * 2^shift */
    int shift;
} sides;

/* Whether `prime` has the same power in n^n and in l^n prod(c_i^c_i). */
static bool balanced(const sides *e, uint64_t prime)
{
    const int64_t n = (int64_t)e->total;
    int64_t left = n * power_of(prime, e->total);
    int64_t right = n * (power_of(prime, e->odd) + (prime == 2 ? e->shift : 0));

    for (uint32_t i = 0, j; i < e->distinct; i = j) {
        for (j = i + 1; j < e->distinct && e->counts[j] == e->counts[i]; j++) {
        }
        right += (int64_t)(j - i) * e->counts[i] * power_of(prime, e->counts[i]);
    }
    return left == right;
}

/* Check the primes of `x` that were not checked lately; divide them out of `*rest`. */
static bool balanced_primes(const sides *e, uint64_t x, uint64_t *rest, uint64_t lately[16],
                            unsigned *next)
{
    for (uint64_t prime = 2; x > 1; prime += prime == 2 ? 1 : 2) {
        bool known = false;
        if (prime * prime > x) {
            prime = x;
        }
        if (x % prime) {
            continue;
        }
        while (x % prime == 0) {
            x /= prime;
        }
        for (unsigned i = 0; i < 16; i++) {
            known = known || lately[i] == prime;
        }
        if (known) {
            continue;
        }
        if (!balanced(e, prime)) {
            return false;
        }
        while (*rest % prime == 0) {
            *rest /= prime;
        }
        lately[(*next)++ % 16] = prime;
    }
    return true;
}

/* Whether exp(H) equals l, not merely nearly. */
static bool entropy_equals(const uint32_t *counts, const kn_histogram *h, double l)
{
    sides e = {.counts = counts, .distinct = h->distinct, .total = h->total};
    uint64_t lately[16] = {0}, rest;
    unsigned next = 0;

    e.odd = rest = split_double(l, &e.shift);
    if (!balanced(&e, 2)) {
        return false;
    }
    lately[next++] = 2;
    if (!balanced_primes(&e, h->total, &rest, lately, &next)) {
        return false;
    }
    for (uint32_t i = 0; i < h->distinct; i++) {
        if ((i == 0 || counts[i] != counts[i - 1]) &&
            !balanced_primes(&e, counts[i], &rest, lately, &next)) {
            return false;
        }
    }
    return rest == 1;
}

static bool entropy_holds(double l, const kn_histogram *h, const uint32_t *counts, double *value)
{
    const long double n = (long double)h->total, log_l = logl((long double)l);
    long double sum = 0, left, bound;
    uint32_t terms = 0;
    bool holds;

    if (counts[0] == counts[h->distinct - 1]) {
        if (value) {
            *value = (double)h->distinct;
        }
        return (double)h->distinct >= l;
    }
    for (uint32_t i = 0, j; i < h->distinct; i = j) {
        for (j = i + 1; j < h->distinct && counts[j] == counts[i]; j++) {
        }
        if (counts[i] > 1) {
            sum += (long double)(j - i) * counts[i] * logl((long double)counts[i]);
        }
        terms++;
    }
    left = n * logl(n);
    bound = (long double)(terms + 8) * LDBL_EPSILON * (left + n * log_l + 1);
    left -= sum;
    if (fabsl(left - n * log_l) > bound) {
        holds = left > n * log_l;
    } else {
        holds = entropy_equals(counts, h, l);
    }
    if (value) {
        const double effective = (double)expl(left / n), whole = rint(effective);
        *value = fabs(effective - whole) < 1e-9 && entropy_equals(counts, h, whole) ? whole
                                                                                    : effective;
        if (holds ? *value < l : *value >= l) {
            *value = holds ? l : nextafter(l, 0);
        }
    }
    return holds;
}

/* ---- recursive ---- */

/* r_1 < c (r_l + ... + r_m), with counts r in descending order; the value is the c that is just
 * not enough. */
static bool recursive_holds(const kn_guarantee *g, const kn_histogram *h, const uint32_t *counts,
                            double *value)
{
    uint64_t tail = 0;
    double ratio = INFINITY;

    if (g->l <= (double)h->distinct) {
        const uint32_t kept = h->distinct - ((uint32_t)g->l - 1);
        for (uint32_t i = 0; i < kept; i++) {
            tail += counts[i];
        }
        ratio = (double)counts[h->distinct - 1] / (double)tail;
    }
    if (value) {
        *value = ratio;
    }
    return ratio < g->c;
}

bool kn__l_diversity_holds(const kn_guarantee *g, const kn_histogram *h, uint32_t *sorted,
                           double *value)
{
    /* Entropy is at most that of as many equally frequent values: too few values settle it. */
    if (g->diversity == KN_DISTINCT || (!value && (double)h->distinct < g->l)) {
        if (value) {
            *value = (double)h->distinct;
        }
        return (double)h->distinct >= g->l;
    }
    for (uint32_t i = 0; i < h->distinct; i++) {
        sorted[i] = h->count[h->codes[i]];
    }
    kn__sort_u32(sorted, h->distinct);
    return g->diversity == KN_ENTROPY ? entropy_holds(g->l, h, sorted, value)
                                      : recursive_holds(g, h, sorted, value);
}

static bool holds(const kn_formulas *f, const kn_guarantee *g, size_t s,
                  kn_formula_scratch *scratch, double *value)
{
    (void)f;
    (void)s;
    return kn__l_diversity_holds(g, &scratch->histogram, scratch->sorted, value);
}

static bool is_recursive(const kn_guarantee *g)
{
    return g->diversity == KN_RECURSIVE;
}

static bool grows(const kn_guarantee *g)
{
    return g->diversity == KN_DISTINCT;
}

static double asked(const kn_guarantee *g)
{
    return is_recursive(g) ? g->c : g->l;
}

static const char *parameter(const kn_guarantee *g)
{
    return is_recursive(g) ? "c" : "l";
}

static double missing(const kn_guarantee *g, double value)
{
    return is_recursive(g) ? 1 - g->c / value : 1 - value / g->l;
}

static kn_status infeasible(const kn_guarantee *g, const kn_dataset *ds, size_t records,
                            kn_error *err)
{
    (void)records;
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *column = &ds->column[i];
        if (column->role == KN_ROLE_SENSITIVE && kn__column_values(column) < g->l) {
            (void)kn__fail(err, KN_EINFEASIBLE,
                           "l-diversity with l = %g cannot be met: sensitive column '%s' has "
                           "only %u values",
                           g->l, column->name, kn__column_values(column));
            return kn__about_column(err, KN_EINFEASIBLE, KN_ERROR_INFEASIBLE, column->name);
        }
    }
    return KN_OK;
}

static const char *variant(const kn_guarantee *g)
{
    static const char *const names[] = {"distinct", "entropy", "recursive"};

    return (unsigned)g->diversity < 3 ? names[g->diversity] : NULL;
}

static void describe(kn_buffer *b, const kn_guarantee *g)
{
    if (is_recursive(g)) {
        kn__buffer_adds(b, "recursive (c,l)-diversity with c = ");
        kn__say_parameter(b, g->c);
        kn__buffer_adds(b, " and l = ");
    } else {
        kn__buffer_addf(b, "%s l-diversity with l = ", variant(g));
    }
    kn__say_parameter(b, g->l);
}

static void claim(kn_claim *c, const kn_guarantee *g, size_t i)
{
    const double l = kn_verdict_achieved(c->verdict, i);

    kn__claim_begin(c, g, true);
    if (is_recursive(g)) {
        kn__buffer_adds(c->b, "no value of ");
        (void)kn__claim_sensitive(c);
        kn__buffer_adds(c->b, " is too frequent in a group of look-alikes (c = ");
        kn__say_number(c->b, g->c, g->c == floor(g->c) ? 0 : 2);
        kn__buffer_adds(c->b, ")");
        return;
    }
    kn__buffer_adds(c->b, "every group of look-alikes has at least ");
    kn__say_number(c->b, isfinite(l) ? floor(l + 1e-9) : g->l, 0);
    kn__buffer_adds(c->b, g->diversity == KN_DISTINCT ? " different values of "
                                                      : " well-mixed values of ");
    (void)kn__claim_sensitive(c);
}

static bool json(json_t *out, const kn_guarantee *g)
{
    return kn__json_put_number(out, "l", g->l) && kn__json_put_text(out, "diversity", variant(g)) &&
           (!is_recursive(g) || kn__json_put_number(out, "c", g->c));
}

static const kn_param l_params[] = {
    {.name = "l",
     .kind = KN_PARAM_NUMBER,
     .min = 1,
     .max = KN_MOST_COUNT,
     .required = true,
     .standard = 2,
     .help = "how diverse the sensitive values of every class are at least"},
    {.name = "diversity",
     .kind = KN_PARAM_CHOICE,
     .choices = "distinct|entropy|recursive",
     .help = "how diversity is counted: different values, entropy of at least log l, or "
             "recursive (c,l)"},
    {.name = "c",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = HUGE_VAL,
     .standard = 3,
     .with = "diversity=recursive",
     .help = "recursive (c,l)-diversity: the commonest value is rarer than c times the tail from "
             "the l-th on"},
};

const kn_guarantee_row kn__l_diversity_row = {
    .entry = {.kind = KN_ENTRY_GUARANTEE,
              .name = "l-diversity",
              .method = "local",
              .summary = "the sensitive values of every class are diverse",
              KN_PARAMS(l_params),
              .page = "guarantees.md"},
    .kind = KN_L_DIVERSITY,
    .about = KN_ABOUT_CLASSES | KN_ABOUT_VALUES,
    .validate = validate,
    .holds = holds,
    .least = least,
    .grows = grows,
    .infeasible = infeasible,
    .asked = asked,
    .parameter = parameter,
    .upper = is_recursive,
    .missing = missing,
    .variant = variant,
    .describe = describe,
    .claim = claim,
    .json = json,
};
