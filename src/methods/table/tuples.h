/* methods/table/tuples.h - the distinct combinations of quasi-identifier values, with the records
 * that hold them. What happens to one record of a combination can happen to all, so methods work on
 * these. */
#ifndef KN_METHODS_TABLE_TUPLES_H
#define KN_METHODS_TABLE_TUPLES_H

#include "methods/method.h"

typedef struct kn_tuples {
    uint32_t count;
    size_t qis;
    uint32_t *codes;   /* [tuple * qis + q] */
    uint32_t *size;    /* by tuple: people; its records, unless the dataset has counts */
    uint32_t *members; /* members[begin[t]..begin[t+1]) are the records of tuple t, ascending */
    uint32_t *begin;
    size_t records; /* in all tuples; people, as `size` counts them */
} kn_tuples;

/** The tuples of the task's records, barred ones left out, in order of first appearance. */
kn_status kn__tuples_new(kn_tuples **out, const kn_task *task, kn_error *err);
void kn__tuples_free(kn_tuples *t);

static inline const uint32_t *kn__tuple(const kn_tuples *t, uint32_t i)
{
    return t->codes + (size_t)i * t->qis;
}

/** Put all records of tuple `i` into `group` (or KN_SUPPRESSED). */
void kn__tuples_assign(const kn_tuples *t, uint32_t i, uint32_t group, kn_grouping *out);

#endif
