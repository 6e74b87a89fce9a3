/* count/inference.h - which sensitive items an attacker can infer who knows the group of a person
 * and some of the other items.
 *
 * The confidence of the inference is the share of the records with the known items, in the group,
 * that hold the sensitive item. Single sensitive items suffice: every record that holds several of
 * them holds each, so no combination has a higher confidence than its items. */
#ifndef KN_COUNT_INFERENCE_H
#define KN_COUNT_INFERENCE_H

#include "count/class_items.h"
#include "kanon/guarantee.h"

typedef struct kn_inference {
    const uint32_t *known; /* ascending codes; NULL: nothing but the group */
    size_t size;
    uint32_t sensitive;     /* the item inferred */
    uint32_t support, held; /* records that hold what is known; those of them that hold the item */
    uint32_t record;        /* the first of the former */
} kn_inference;

/** Called with an inference of confidence above 1/l, on thread `worker`; `found` and its members
 * are valid during the call only. */
typedef void (*kn_inference_fn)(void *user, unsigned worker, const kn_inference *found);

typedef struct kn_inference_task {
    const kn_class_items *known;
    const kn_baskets *sensitive; /* of the same records; their codes are their own */
    const kn_classes *groups;
    const uint32_t *members, *begin; /* of kn__classes_members */
    size_t m;                        /* items known at most: 1..KN_MOST_M */
    double l;
    /* By size: a lower bound of the support of the combinations that occur; 0: none occurs. It
     * prunes the search; 1 is always valid. */
    uint32_t least[KN_MOST_M + 1];
    unsigned threads; /* workers; `found` is called on each of them */
    kn_inference_fn found;
    void *user;
    uint8_t
        *risky; /* by record: set where it holds the known items of such an inference; or NULL */
} kn_inference_task;

/** Judge every combination of 0..m known items that occurs in a group. `found` is called for
 *  generators only: of the combinations that the same records hold, the smallest, as the others
 *  disclose no more. `*achieved` is the smallest support/held of all, rounded once: the l that
 *  holds; infinity if there is no sensitive item. The result does not depend on the threads.
 *
 *  Depth first over the combinations that occur, on the records that hold them, equal ones merged.
 *  At worst the sum of C(length, m) over different records; about 40 bytes per occurrence. */
kn_status kn__inference_find(double *achieved, const kn_inference_task *task, const kn_run *run,
                             kn_error *err);

#endif
