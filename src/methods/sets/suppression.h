/* methods/sets/suppression.h - suppress rare items where that loses less than generalising others.
 *
 * An item is suppressed in all records or in none (global suppression), so its absence from a
 * record discloses nothing. The method anonymises the remaining items as if the others did not
 * exist. A suppressed occurrence has NCP 1. */
#ifndef KN_METHODS_SETS_SUPPRESSION_H
#define KN_METHODS_SETS_SUPPRESSION_H

#include "methods/registry.h"

/** Run `method` on the items that remain when some are suppressed, up to the share of occurrences
 *  that task->options allow. A local search chooses the suppressed items, out->left_out, so that
 *  the NCP of all occurrences is low; it is never higher than that of the method alone. Where a
 *  method needs a hierarchy and there is none, items can only be suppressed: then as few
 * occurrences as the search finds.
 *  @return as the method does; KN_EUSAGE for a method that cannot suppress items; KN_EINFEASIBLE,
 *  naming a share that would do, when suppression alone does not suffice. */
kn_status kn__suppress(const kn_items_task *task, const kn_method_row *method, kn_recoding *out,
                       kn_error *err);

/* ---- between suppression*.c ---- */

/** The search, and the best result so far. */
typedef struct kn_suppression {
    const kn_items_task *task;
    kn_items_method_fn method;
    uint32_t values;
    uint64_t *times; /* by code: occurrences */
    uint64_t all;    /* their sum */
    uint64_t limit;  /* occurrences that may be suppressed */
    size_t runs;     /* how often the method may still run */
    /* The best so far. */
    uint8_t *out;      /* by code: suppressed */
    uint64_t left_out; /* suppressed occurrences */
    kn_recoding best;
    double loss; /* NCP, summed over all occurrences; infinity: none was found */
    /* Of the best, by published code. */
    uint32_t *node; /* what it is published as: a node of a tree; KN_NO_NODE: a range, a value */
    double *ncp;
} kn_suppression;

/** Whether a code occurs and is published in the best result. */
static inline bool kn__suppress_keeps(const kn_suppression *s, uint32_t code)
{
    return s->times[code] > 0 && !s->out[code];
}

/** The baskets of the task without the suppressed items. */
kn_status kn__suppress_rest(kn_baskets **rest, const kn_items_task *task, const uint8_t *out,
                            kn_error *err);
/** Run the method without the items in `out`, one byte per code; if the result is better than the
 * best, it becomes the best. `*better` (may be NULL) says so. A set above the limit is not run. */
kn_status kn__suppress_try(kn_suppression *s, const uint8_t *out, bool *better, kn_error *err);

/** For each generalised group of the best result, estimate which items to suppress so that the
 *  group can be split, where that loses less than the split saves. Tries these sets together, then
 *  the most promising of them. `*better` says whether the best result changed. */
kn_status kn__suppress_break_up(kn_suppression *s, bool *better, kn_error *err);

/** The items to suppress, one byte per code in `out`, so that all others can be published as they
 *  are: `*lost` occurrences. Where that is more than `most` it may stop early, with `*done` false.
 */
kn_status kn__suppress_only(const kn_items_task *task, const uint64_t *times, uint64_t most,
                            uint8_t *out, uint64_t *lost, bool *done, kn_error *err);

#endif
