/* guarantees/k_km.h - what the checks of tables with item lists share: k_km.c and k_lm.c. */
#ifndef KN_GUARANTEES_K_KM_H
#define KN_GUARANTEES_K_KM_H

#include "count/class_items.h"
#include "guarantees/sensitive_items.h"
#include "guarantees/verdict.h"

/** A table made ready: its classes, and the items of their records, those of all classes at once.
 */
typedef struct kn_rt {
    kn_verdict *v;
    const kn_dataset *ds;
    const kn_guarantee *guarantees;
    size_t count;
    const kn_classes *classes;
    uint32_t *members, *begin; /* of kn__classes_members */
    kn_sensitive_items sensitive;
    kn_baskets *all;       /* every item */
    kn_class_items *known; /* those that are not sensitive, told apart by class */
    uint8_t *risky;
    const kn_run *run;
} kn_rt;

/** The check of both. risky[i] is set where record i is in a class that is too small, holds a rare
 *  combination of it, or one that a sensitive item can be inferred from. */
kn_status kn__rt_check(const kn_checking *c, kn_error *err);
/** What can be inferred of the others; after the classes and combinations of the items that are
 * not. */
kn_status kn__rt_check_inference(kn_rt *rt, size_t g, kn_error *err);

/** Add violations, sorted, whose items go to room 0 or 1 of guarantee `g`. */
kn_status kn__rt_add(kn_rt *rt, size_t g, const kn_worst *worst, size_t room, kn_error *err);

#endif
