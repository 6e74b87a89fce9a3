/* agree.c - the first count of a guarantee compared with the second one. Where they differ, one of
 * the two is wrong, and nothing is published. */
#include "guarantees/agree.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>

static kn_status disagree(kn_error *err, const char *guarantee, const char *what, double first,
                          double second)
{
    return kn__fail(err, KN_EBROKEN,
                    "%s was counted twice, and the two counts disagree (%s: %.17g and %.17g). This "
                    "is a defect of kanon; please report it, and do not publish the file",
                    guarantee, what, first, second);
}

kn_status kn__km_agree(const kn_recount *second, const kn_rare_list *first, size_t k, size_t m,
                       kn_error *err)
{
    char what[64];
    bool rare = false;

    if (first->longest != second->longest) {
        return disagree(err, "km-anonymity", "items of the longest record", (double)first->longest,
                        (double)second->longest);
    }
    if (first->empty != second->empty) {
        return disagree(err, "km-anonymity", "records without items", (double)first->empty,
                        (double)second->empty);
    }
    for (size_t size = 1; size <= m; size++) {
        const uint32_t one = first->least[size], two = second->least[size];
        /* A share may miss the rarest combination. It meets none that is rarer, or that should not
         * be there at all. */
        const bool fine = second->one_in[size] == 1 ? one == two
                                                    : two == 0 || (one > 0 && two >= one);
        if (!fine) {
            (void)snprintf(what, sizeof what, "smallest support of %zu item%s", size,
                           size == 1 ? "" : "s");
            return disagree(err, "km-anonymity", what, one, two);
        }
        rare = rare || (one > 0 && one < k);
    }
    if (rare != (first->count > 0)) {
        return disagree(err, "km-anonymity", "rare combinations, none or some",
                        (double)first->count, rare);
    }
    return KN_OK;
}

kn_status kn__rt_agree(const kn_k_km_recounted *second, const char *guarantee, const double *least,
                       size_t m, double l, kn_error *err)
{
    char what[64];

    if (least[0] != second->smallest && !(isinf(least[0]) && second->smallest == UINT32_MAX)) {
        return disagree(err, guarantee, "records of the smallest class", least[0],
                        second->smallest);
    }
    for (size_t size = 1; size <= m; size++) {
        const uint32_t two = second->known.least[size];
        const double one = isinf(least[size]) ? 0 : least[size];
        /* A share may miss the rarest combination, and meets none that is rarer. */
        if (second->known.one_in[size] == 1 ? one != two : two != 0 && !(one > 0 && two >= one)) {
            (void)snprintf(what, sizeof what, "smallest support of %zu item%s in a class", size,
                           size == 1 ? "" : "s");
            return disagree(err, guarantee, what, one, two);
        }
    }
    if (second->inferred && (second->inferred_all ? l != second->l : second->l < l)) {
        return disagree(err, guarantee, "the l that holds", l, second->l);
    }
    return KN_OK;
}
