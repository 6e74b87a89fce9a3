/* count/inference.h - what those who know the group of a person, and some items, can infer of
 * others.
 *
 * Of the records of a group that hold the known items, some share hold a sensitive one: that is how
 * sure an attacker can be of it. Only single sensitive items are looked at: every record that holds
 * a combination of them holds each of them, so no combination is surer than its items. */
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

/** Called with an inference surer than 1/l, on thread `worker`; what it points to is gone
 * afterwards.
 */
typedef void (*kn_inference_fn)(void *user, unsigned worker, const kn_inference *found);

typedef struct kn_inference_task {
    const kn_class_items *known;
    const kn_baskets *sensitive; /* of the same records; their codes are their own */
    const kn_classes *groups;
    const uint32_t *members, *begin; /* of kn__classes_members */
    size_t m;                        /* items known at most: 1..KN_MOST_M */
    double l;
    /* By size: no combination of so many items that occurs has less support; 0: none occurs. It
     * saves looking where nothing can be inferred; 1 is always right. */
    uint32_t least[KN_MOST_M + 1];
    unsigned threads; /* workers; `found` is called on each of them */
    kn_inference_fn found;
    void *user;
    uint8_t *risky; /* by record: set where it holds what makes an inference surer; or NULL */
} kn_inference_task;

/** Look at every combination of 0..m known items that occurs in a group. Told are those from which
 *  no item can be left out without more records holding the rest: of combinations that the same
 *  records hold, the smallest, as the others say no more. `*achieved` is the smallest support/held
 *  of all, rounded once: the l that holds; infinity where no sensitive item is. The result does not
 *  depend on the threads.
 *
 *  Depth first over the combinations that occur, on the records that hold them, equal ones merged.
 *  At worst the sum of C(length, m) over different records; about 40 bytes an occurrence. */
kn_status kn__inference_find(double *achieved, const kn_inference_task *task, const kn_run *run,
                             kn_error *err);

#endif
