/* fourier_motzkin.c - two conditions that bound a number from below and from above leave one
 * without it, and that one holds if and only if there is room between the two. */
#include "models/exact/fourier_motzkin.h"
#include "base/memory.h"

static bool make_room(kn_inequality **rows, size_t *cap, size_t count)
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
    return make_room(&c->row, &c->cap, c->count + 1) ? &c->row[c->count++] : NULL;
}

static bool constant_holds(const kn_inequality *c)
{
    const int sign = kn__bigint_sign(&c->part[0]);

    return c->strict ? sign > 0 : sign >= 0;
}

/* low.part[v] * high - high.part[v] * low: number v is gone. */
static bool combine(kn_inequality *to, const kn_inequality *low, const kn_inequality *high,
                    size_t v)
{
    kn_bigint product;

    for (size_t i = 0; i < v; i++) {
        if (!kn__bigint_times(&to->part[i], &low->part[v], &high->part[i]) ||
            !kn__bigint_times(&product, &high->part[v], &low->part[i]) ||
            !kn__bigint_add(&to->part[i], &product, true)) {
            return false;
        }
    }
    to->strict = low->strict || high->strict;
    return true;
}

/* A place for one more among those without number v. */
static kn_found next_place(kn_inequalities *c, size_t *kept, kn_inequality **to)
{
    if (*kept == KN_CONDITIONS_MOST) {
        return KN_FOUND_TOO_LONG;
    }
    if (!make_room(&c->next, &c->next_cap, *kept + 1)) {
        return KN_FOUND_NOMEM;
    }
    *to = &c->next[(*kept)++];
    return KN_FOUND_YES;
}

static kn_found keep(kn_inequalities *c, size_t i, size_t v, size_t *kept)
{
    kn_inequality *to = NULL;
    const kn_found is = next_place(c, kept, &to);

    if (is == KN_FOUND_YES) {
        to->strict = c->row[i].strict;
        for (size_t p = 0; p < v; p++) {
            kn__bigint_copy(&to->part[p], &c->row[i].part[p]);
        }
    }
    return is;
}

/* The conditions on the first `v` numbers become those on one less. */
static kn_found eliminate(kn_inequalities *c, size_t v)
{
    kn_inequality *rows = c->row;
    const size_t cap = c->cap;
    size_t kept = 0;
    kn_found is = KN_FOUND_YES;

    for (size_t i = 0; is == KN_FOUND_YES && i < c->count; i++) {
        const int sign = kn__bigint_sign(&c->row[i].part[v]);
        if (sign == 0) {
            is = keep(c, i, v, &kept);
        }
        for (size_t j = 0; is == KN_FOUND_YES && sign > 0 && j < c->count; j++) {
            kn_inequality *to = NULL;
            if (kn__bigint_sign(&c->row[j].part[v]) < 0) {
                is = next_place(c, &kept, &to);
                if (is == KN_FOUND_YES && !combine(to, &c->row[i], &c->row[j], v)) {
                    is = KN_FOUND_TOO_LONG;
                }
            }
        }
    }
    c->row = c->next;
    c->cap = c->next_cap;
    c->next = rows;
    c->next_cap = cap;
    c->count = kept;
    return is;
}

/* With one number left, only the tightest of what bounds it from below and from above matter. */
static kn_found bound_the_last(const kn_inequalities *c)
{
    const kn_inequality *tightest[2] = {NULL, NULL};
    kn_inequality product;

    for (size_t i = 0; i < c->count; i++) {
        const kn_inequality *own = &c->row[i];
        const int sign = kn__bigint_sign(&own->part[1]);
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
            nearer = sign * kn__bigint_sign(&product.part[0]);
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
    kn_found is = KN_FOUND_YES;

    for (size_t v = numbers; is == KN_FOUND_YES && v > 1; v--) {
        is = eliminate(c, v);
    }
    if (is == KN_FOUND_YES) {
        is = numbers > 0 ? bound_the_last(c) : check_constants(c);
    }
    c->count = 0;
    return is;
}
