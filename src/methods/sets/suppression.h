/* methods/sets/suppression.h - leaving rare items out where that costs less than blurring many.
 *
 * An item is left out of all records or of none, so that nothing follows from where it is missing.
 * What is left is anonymised by the method as if the item had never been there. An occurrence that
 * is left out counts as lost: NCP 1. */
#ifndef KN_METHODS_SETS_SUPPRESSION_H
#define KN_METHODS_SETS_SUPPRESSION_H

#include "methods/method.h"

/** Run `method` on what remains when items are left out, up to the share that task->options allow:
 *  those that make the NCP of all occurrences least, as far as we can find out; none if it is best
 *  so. Never worse than the method by itself. out->left_out says which they are. Without a
 *  hierarchy `apriori` can only leave out: then as few as it finds.
 *  @return as the method does; KN_EUSAGE for a method that cannot leave items out; KN_EINFEASIBLE,
 *  naming a share that would do, when leaving out alone does not suffice. */
kn_status kn__suppress(const kn_items_task *task, const char *name, kn_items_method_fn method,
                       kn_recoding *out, kn_error *err);

/* ---- between suppress*.c ---- */

/** What is looked for, and the best that was found. */
typedef struct kn_suppression {
    const kn_items_task *task;
    kn_items_method_fn method;
    uint32_t values;
    uint64_t *times; /* by code: occurrences */
    uint64_t all;    /* their sum */
    uint64_t limit;  /* occurrences that may be left out */
    size_t runs;     /* of the method, which are left */
    /* The best so far. */
    uint8_t *out; /* by code: left out */
    uint64_t left_out;
    kn_recoding best;
    double loss; /* NCP, summed over all occurrences; infinity: none was found */
    /* Of the best, by code that occurs and is not left out. */
    uint32_t *node; /* what it is published as: a node of a tree; KN_NO_NODE: a range, a value */
    double *ncp;
} kn_suppression;

/** The items of `b` without those that are left out. */
kn_status kn__suppress_rest(kn_baskets **rest, const kn_items_task *task, const uint8_t *out,
                            kn_error *err);
/** Run the method without the items in `out`, one byte per code; if the result is better than the
 * best, it becomes the best. `*better` (may be NULL) says so. What is above the limit is none. */
kn_status kn__suppress_try(kn_suppression *s, const uint8_t *out, bool *better, kn_error *err);

/** Sets of items whose loss might let others keep their names: of the best so far, each group that
 *  is blurred is taken apart, and the rare combinations that this makes are hit by leaving items
 *  out, where that costs less than it saves. Tries them together, the most promising first.
 *  `*better` says whether any helped. */
kn_status kn__suppress_break_up(kn_suppression *s, bool *better, kn_error *err);

/** The items to leave out, one byte per code in `out`, so that all others can be published as they
 * are:
 *  `*lost` occurrences. Where it would be more than `most` it may stop early, with `*done` false.
 */
kn_status kn__suppress_only(const kn_items_task *task, const uint64_t *times, uint64_t most,
                            uint8_t *out, uint64_t *lost, bool *done, kn_error *err);

#endif
