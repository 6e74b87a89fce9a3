/* count/classes.h - equivalence classes: records with equal codes in given columns. */
#ifndef KN_COUNT_CLASSES_H
#define KN_COUNT_CLASSES_H

#include "data/dataset.h"
#include "kanon/run.h"

typedef struct kn_classes {
    size_t records;
    size_t people;   /* that the records stand for */
    uint32_t count;  /* classes, numbered by first appearance */
    uint32_t *of;    /* by record: its class */
    uint32_t *size;  /* by class: people in it; its records, unless the dataset has counts */
    uint32_t *first; /* by class: its first record */
} kn_classes;

/** Group the records of `ds` by the codes of `columns` (none: all records are one class). More
 *  than 2^32-2 records are refused. Expected O(records x columns). */
kn_status kn__classes_new(kn_classes **out, const kn_dataset *ds, const size_t *columns,
                          size_t count, const kn_run *run, kn_error *err);
void kn__classes_free(kn_classes *c);

/** The records class by class: members[begin[i]..begin[i+1]) are class i's, ascending. Free both
 *  with kn__free. O(records). */
kn_status kn__classes_members(const kn_classes *c, uint32_t **members, uint32_t **begin,
                              kn_error *err);

#endif
