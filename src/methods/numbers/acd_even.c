/* acd_even.c - the best partition into even ranges.
 *
 * Structure: the partition into n ranges of equal width, or of about as many occurrences each.
 *
 * Invariant: `cut` holds the partition of least loss that was found to satisfy the guarantee.
 *
 * Technique: the loss falls with n, and the guarantee gets harder. Neither is strictly monotone,
 * but nearly so: the least n whose loss is small enough is found by bisection, then the greatest n
 * that satisfies by exponential search and bisection, and the next few numbers are tried as well.
 */
#include "methods/numbers/acd_even.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* How many numbers above the one that bisection ends with are tried; more of them with few
 * occurrences, where supports are less regular and counting takes no time. */
enum { NEXT_FEW = 3, NEXT_OF_SMALL = 64, SMALL = 4096 };

typedef struct even_search {
    const kn_acd_points *p;
    kn_acd_even kind;
    const kn_run *run;
    double least; /* the loss of `cut`, or the limit */
    uint8_t *cut, *trial;
    bool found;
} even_search;

/* Make the trial partition of `n` ranges, fewer where some would be empty; return its loss. */
static double make_even(even_search *s, uint32_t n)
{
    const kn_acd_points *p = s->p;
    const double low = p->value[0], width = p->value[p->points - 1] - low;
    const double total = (double)p->at[p->points];
    uint32_t last = 0;

    memset(s->trial, 0, p->points);
    s->trial[0] = 1;
    for (uint32_t q = 1; q < p->points; q++) {
        const double share = s->kind == KN_ACD_EVEN_WIDTH ? (p->value[q] - low) / width
                                                          : (double)p->at[q] / total;
        uint32_t range = (uint32_t)(share * n);
        range = range < n ? range : n - 1;
        s->trial[q] = range > last;
        last = range;
    }
    return kn__acd_total(p, s->trial);
}

/* Keep the partition of `n` ranges if it loses less and satisfies; `*holds` says whether it does.
 */
static kn_status try_even(even_search *s, uint32_t n, bool *holds, kn_error *err)
{
    const double loss = make_even(s, n);
    kn_status status = kn__acd_holds(s->p, s->trial, s->run, holds, err);

    if (status == KN_OK && *holds && loss < s->least) {
        memcpy(s->cut, s->trial, s->p->points);
        s->least = loss;
        s->found = true;
    }
    return status;
}

/* The least number of ranges with a loss below the limit; points + 1 if there is none. */
static uint32_t least_number(even_search *s)
{
    uint32_t low = 1, high = s->p->points + 1;

    while (low < high) {
        const uint32_t n = low + (high - low) / 2;
        if (make_even(s, n) < s->least) {
            high = n;
        } else {
            low = n + 1;
        }
    }
    return low;
}

static kn_status search(even_search *s, kn_error *err)
{
    const uint32_t points = s->p->points;
    const uint32_t next = s->p->at[points] > SMALL ? NEXT_FEW : NEXT_OF_SMALL;
    uint32_t bad = least_number(s), good = bad - 1;
    bool holds = true;

    for (uint32_t step = 1; bad <= points; step *= 2) {
        KN_PASS(try_even(s, bad, &holds, err));
        if (!holds) {
            break;
        }
        good = bad;
        bad = points - bad < step ? points + 1 : bad + step;
    }
    while (bad - good > 1) {
        const uint32_t n = good + (bad - good) / 2;
        KN_PASS(try_even(s, n, &holds, err));
        good = holds ? n : good;
        bad = holds ? bad : n;
    }
    for (uint32_t n = bad + 1; n <= points && n - bad <= next; n++) {
        KN_PASS(try_even(s, n, &holds, err));
    }
    return KN_OK;
}

kn_status kn__acd_find_even(const kn_acd_points *p, kn_acd_even kind, double limit, uint8_t *cut,
                            bool *found, const kn_run *run, kn_error *err)
{
    even_search s = {.p = p, .kind = kind, .run = run, .least = limit};
    kn_status status = KN_OK;

    s.cut = cut;
    s.trial = kn__malloc_array(p->points, 1);
    KN_TRY(s.trial ? KN_OK : kn__nomem(err));
    if (p->points > 1) {
        KN_TRY(search(&s, err));
    }
    *found = s.found;
done:
    kn__free(s.trial);
    return status;
}
