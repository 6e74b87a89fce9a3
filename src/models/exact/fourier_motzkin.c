/* fourier_motzkin.c - Fourier-Motzkin elimination: to remove a variable, every inequality that
 * bounds it from below is combined with every one that bounds it from above. The result has a
 * solution if and only if the system had one. */
#include "models/exact/fourier_motzkin.h"
#include "base/memory.h"

static bool reserve(kn_inequality **rows, size_t *cap, size_t count)
{
    return kn__grow(rows, cap, count, sizeof **rows, NULL) == KN_OK;
}

void kn__inequalities_clear(kn_inequalities *c)
{
    kn__free(c->row);
    kn__free(c->next);
    *c = (kn_inequalities){0};
}

kn_inequality *kn__inequalities_add(kn_inequalities *c)
{
    return reserve(&c->row, &c->cap, c->count + 1) ? &c->row[c->count++] : NULL;
}

static bool constant_holds(const kn_inequality *c)
{
    const int sign = kn__bigint_sign(&c->coefficient[0]);

    return c->strict ? sign > 0 : sign >= 0;
}

/* low[v] * high - high[v] * low: a combination without variable v. */
static bool combine(kn_inequality *to, const kn_inequality *low, const kn_inequality *high,
                    size_t v)
{
    kn_bigint product;

    for (size_t i = 0; i < v; i++) {
        if (!kn__bigint_times(&to->coefficient[i], &low->coefficient[v], &high->coefficient[i]) ||
            !kn__bigint_times(&product, &high->coefficient[v], &low->coefficient[i]) ||
            !kn__bigint_add(&to->coefficient[i], &product, true)) {
            return false;
        }
    }
    to->strict = low->strict || high->strict;
    return true;
}

/* A new row of the system without variable v. */
static kn_found add_row(kn_inequalities *c, size_t *count, kn_inequality **to)
{
    if (*count == KN_CONDITIONS_MOST) {
        return KN_FOUND_TOO_LONG;
    }
    if (!reserve(&c->next, &c->next_cap, *count + 1)) {
        return KN_FOUND_NOMEM;
    }
    *to = &c->next[(*count)++];
    return KN_FOUND_YES;
}

static kn_found copy_row(kn_inequalities *c, size_t i, size_t v, size_t *count)
{
    kn_inequality *to = NULL;
    const kn_found found = add_row(c, count, &to);

    if (found == KN_FOUND_YES) {
        to->strict = c->row[i].strict;
        for (size_t p = 0; p < v; p++) {
            kn__bigint_copy(&to->coefficient[p], &c->row[i].coefficient[p]);
        }
    }
    return found;
}

/* Eliminate variable v, the last one. */
static kn_found eliminate(kn_inequalities *c, size_t v)
{
    kn_inequality *rows = c->row;
    const size_t cap = c->cap;
    size_t count = 0;
    kn_found found = KN_FOUND_YES;

    for (size_t i = 0; found == KN_FOUND_YES && i < c->count; i++) {
        const int sign = kn__bigint_sign(&c->row[i].coefficient[v]);
        if (sign == 0) {
            found = copy_row(c, i, v, &count);
        }
        for (size_t j = 0; found == KN_FOUND_YES && sign > 0 && j < c->count; j++) {
            kn_inequality *to = NULL;
            if (kn__bigint_sign(&c->row[j].coefficient[v]) < 0) {
                found = add_row(c, &count, &to);
                if (found == KN_FOUND_YES && !combine(to, &c->row[i], &c->row[j], v)) {
                    found = KN_FOUND_TOO_LONG;
                }
            }
        }
    }
    c->row = c->next;
    c->cap = c->next_cap;
    c->next = rows;
    c->next_cap = cap;
    c->count = count;
    return found;
}

/* One variable is left: compare the tightest lower bound with the tightest upper bound. */
static kn_found decide_last(const kn_inequalities *c)
{
    const kn_inequality *tightest[2] = {NULL, NULL};
    kn_inequality product;

    for (size_t i = 0; i < c->count; i++) {
        const kn_inequality *own = &c->row[i];
        const int sign = kn__bigint_sign(&own->coefficient[1]);
        const kn_inequality **best = &tightest[sign < 0];
        int nearer = 1;
        if (sign == 0) {
            if (!constant_holds(own)) {
                return KN_FOUND_NO;
            }
            continue;
        }
        if (*best) {
            if (!combine(&product, own, *best, 1)) {
                return KN_FOUND_TOO_LONG;
            }
            nearer = sign * kn__bigint_sign(&product.coefficient[0]);
        }
        if (nearer > 0 || (nearer == 0 && own->strict)) {
            *best = own;
        }
    }
    if (!tightest[0] || !tightest[1]) {
        return KN_FOUND_YES;
    }
    if (!combine(&product, tightest[0], tightest[1], 1)) {
        return KN_FOUND_TOO_LONG;
    }
    return constant_holds(&product) ? KN_FOUND_YES : KN_FOUND_NO;
}

static kn_found check_constants(const kn_inequalities *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!constant_holds(&c->row[i])) {
            return KN_FOUND_NO;
        }
    }
    return KN_FOUND_YES;
}

kn_found kn__inequalities_hold(kn_inequalities *c, size_t numbers)
{
    kn_found found = KN_FOUND_YES;

    for (size_t v = numbers; found == KN_FOUND_YES && v > 1; v--) {
        found = eliminate(c, v);
    }
    if (found == KN_FOUND_YES) {
        found = numbers > 0 ? decide_last(c) : check_constants(c);
    }
    c->count = 0;
    return found;
}
