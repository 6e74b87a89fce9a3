/* utility/items/ul.h - utility loss of generalised items (the RT paper, section 5).
 *
 * UL(u) = (2^|u| - 1) w(u) for a generalised item u of |u| items and weight w(u), 0 to 1
 * (ul_weights.h); UL(r) = sum of UL(u) over the items of record r / (2^sigma(r) - 1), where
 * sigma(r) is the sum of their sizes; UL(D) is the mean over the records. A record without items
 * has lost nothing.
 *
 * Powers are divided before they are formed, so that sizes may be anything: UL(r) = (sum of w(u)
 * 2^(|u| - sigma) - sum of w(u) 2^-sigma) / (1 - 2^-sigma), nothing of it above 1 but the sum,
 * which is at most the number of items. What is below 2^-1022 counts as 0. */
#ifndef KN_UTILITY_ITEMS_UL_H
#define KN_UTILITY_ITEMS_UL_H

#include "hierarchy/domain.h"

#include <string.h>

/** What UL of a record is made of. */
typedef struct kn_ul_parts {
    double shares; /* sum of w(u) 2^(|u| - sigma) */
    uint64_t sigma;
    double weights; /* sum of w(u): without weights, the items */
} kn_ul_parts;

/** 2^-by, exactly; 0 below what a double holds in full. */
static inline double kn__ul_half(uint64_t by)
{
    const uint64_t bits = by < 1023 ? (1023 - by) << 52 : 0;
    double power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline double kn__ul_of(const kn_ul_parts *p)
{
    const double least = kn__ul_half(p->sigma), more = p->shares - p->weights * least;

    if (p->sigma > 53) { /* from 2^-54 on 1 - least is 1: dividing is what takes time */
        return more;
    }
    return p->sigma == 0 ? 0 : more / (1 - least);
}

/** The parts of a record whose `items` published items have these sizes, each at least 1, and
 *  weights (NULL: all 1). */
kn_ul_parts kn__ul_add_up(const uint64_t *size, const double *weight, size_t items);

/** A release of item lists as it is measured. */
typedef struct kn_ul_lists {
    const kn_domain *domain;
    const kn_column *from, *to;    /* in the original and in the release */
    const kn_published *published; /* by code of `to` */
    const uint32_t *origin;        /* by record of the release: the original's; NULL: not known */
    const double *weight;          /* by node of the domain: kn__ul_weights_new; NULL: all 1 */
    const kn_dataset *original, *release; /* whose columns they are */
} kn_ul_lists;

/** UL(D): the mean over the people of the original. A published item is as large as what it may
 *  stand for: a node its leaves, a set its items, a range the values of the original in it, `*` all
 *  of them. A record that had items and has none in the release, or is not there, counts as if all
 *  that it has were `*`: 1, or the weight of that. NaN without records. O(occurrences); the same
 * for any number of threads. */
kn_status kn__ul_measure(double *out, const kn_ul_lists *lists, unsigned threads, kn_error *err);

#endif
