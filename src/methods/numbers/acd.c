/* acd.c - k^m-anonymity of bags of numbers: our search, or the paper's algorithm.
 *
 * The optimum for single values is a lower bound of the loss: where it satisfies the guarantee for
 * m as well, it is the result. */
#include "methods/numbers/acd.h"
#include "base/error.h"
#include "base/memory.h"
#include "count/rare/rare.h"
#include "methods/numbers/acd_optimum.h"
#include "methods/numbers/acd_paper.h"
#include "methods/numbers/acd_starts.h"

#include <string.h>

/* With so few occurrences the printed algorithm takes hardly any time, so it is run as well, and
 * the better partition is taken. */
enum { SMALL = 4096 };

/* The algorithm of docs/acd.md. */
static kn_status search(const kn_acd_points *p, double d, uint8_t *cut, const kn_run *run,
                        kn_error *err)
{
    uint8_t *printed = NULL;
    bool holds = p->m <= 1;
    kn_status status;

    KN_TRY(kn__acd_optimum(p, cut, err));
    if (!holds) {
        KN_TRY(kn__acd_holds(p, cut, run, &holds, err));
    }
    if (holds) {
        return KN_OK;
    }
    KN_TRY(kn__acd_best_start(p, cut, run, err));
    if (p->at[p->points] <= SMALL) {
        printed = kn__malloc_array(p->points, 1);
        KN_TRY(printed ? kn__acd_paper(p, d, printed, run, err) : kn__nomem(err));
        if (kn__acd_total(p, printed) < kn__acd_total(p, cut)) {
            memcpy(cut, printed, p->points);
        }
    }
done:
    kn__free(printed);
    return status;
}

/* Items are in the order of their points, so both are walked together. */
static void number_ranges(const kn_acd_points *p, const uint8_t *cut, uint32_t *range_of,
                          uint32_t *ranges)
{
    uint32_t point = 0;

    *ranges = p->b->items ? 1 : 0;
    for (uint32_t i = 0; i < p->b->items; i++) {
        while (p->points && point < p->point_of[i]) {
            *ranges += cut[++point] != 0;
        }
        range_of[i] = *ranges - 1;
    }
}

kn_status kn__acd(const kn_baskets *b, const double *value, size_t k, size_t m, double d,
                  bool paper, const kn_run *run, uint32_t *range_of, uint32_t *ranges,
                  kn_error *err)
{
    kn_acd_points p;
    uint8_t *cut = NULL;
    kn_status status;

    *ranges = 0;
    if (k < 1 || m < 1 || !(d >= 0)) {
        return kn__fail(err, KN_EUSAGE, "acd: k and m must be 1 or more, d 0 or more");
    }
    KN_TRY(kn__acd_points_init(&p, b, value, k, m, err));
    if (p.m > KN_MOST_M) {
        KN_TRY(kn__fail(err, KN_EUSAGE, "acd: m can be at most %d for records of so many items",
                        KN_MOST_M));
    }
    KN_TRY(kn__acd_feasible(&p, m, err));
    cut = kn__zalloc_array(p.points, 1);
    KN_TRY(cut ? KN_OK : kn__nomem(err));
    if (p.points) {
        KN_TRY(paper ? kn__acd_paper(&p, d, cut, run, err) : search(&p, d, cut, run, err));
    }
    number_ranges(&p, cut, range_of, ranges);
done:
    kn__free(cut);
    kn__acd_points_clear(&p);
    return status;
}
