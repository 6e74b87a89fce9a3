/* guarantees/partial/partial.h - the inside of kn_partial: counts of classes, or of combinations of
 * items. */
#ifndef KN_GUARANTEES_PARTIAL_PARTIAL_H
#define KN_GUARANTEES_PARTIAL_PARTIAL_H

#include "count/partial.h"
#include "guarantees/partial/bytes.h"
#include "guarantees/partial/dictionary.h"

/** Classes by key, and per class its size and how often each value of each sensitive column occurs
 * in it. Keys are codes of 4 bytes, the highest first, so that keys compare byte by byte as their
 * codes do. */
typedef struct kn_class_counts {
    kn_dict *keys;  /* the code of a key is the number of the class */
    uint64_t *size; /* by class */
    size_t size_cap;
    kn_dict *cells;  /* keys of (class, sensitive column, value), 4 bytes each, highest first */
    uint64_t *times; /* by cell */
    size_t times_cap;
} kn_class_counts;

struct kn_partial {
    kn_guarantee *guarantees;
    size_t guarantees_count;
    kn_code_space space;
    bool broken; /* memory ran out, or it was cancelled, in the middle */
    uint64_t records;
    size_t *quasi,
        quasis; /* columns of `space` that make the key; of items, the one that holds them */
    size_t *sensitive, sensitives; /* columns of `space` with histograms; 0 where none are needed */
    kn_class_counts classes;
    /* Of items: */
    bool of_items;
    kn_itemset_counts_options how;
    kn_itemset_counts *items; /* NULL: no record was counted */
    uint64_t empty, longest;  /* records without items; the most items of a record */
    bool reduced;     /* items holds the combinations below `below` only, of all `covered` */
    size_t below;     /* the largest k asked */
    uint32_t parts;   /* of the options */
    uint8_t *covered; /* by part: it is in the counts */
    uint64_t least[KN_MOST_M + 1]; /* reduced, by size: the least support; 0: none occurs */
};

/* ---- classes.c ---- */

kn_status kn__class_counts_init(kn_class_counts *c, kn_error *err);
void kn__class_counts_clear(kn_class_counts *c);
/** Count `slice`, whose columns are at `at`. */
kn_status kn__classes_add(kn_partial *p, const kn_dataset *slice, const size_t *at,
                          const kn_run *run, kn_error *err);
/** Number the classes in the order of their keys. */
kn_status kn__classes_sort(kn_class_counts *c, kn_error *err);
/** What follows the header of written counts. */
kn_status kn__classes_write(const kn_partial *p, kn_buffer *b, kn_error *err);
/** Look at what follows (`add` false), or add it, which was looked at before. */
kn_status kn__classes_read(kn_partial *p, kn_byte_reader r, bool add, kn_error *err);
/** Code `place` of the key of class `i`. */
uint32_t kn__class_code(const kn_class_counts *c, uint32_t i, size_t place);

/* ---- items.c ---- */

kn_status kn__items_add(kn_partial *p, const kn_dataset *slice, const size_t *at, const kn_run *run,
                        kn_error *err);
kn_status kn__items_write(const kn_partial *p, kn_buffer *b, kn_error *err);
/** Look at what follows the header and add it. On failure nothing has changed. */
kn_status kn__items_read(kn_partial *p, kn_byte_reader r, kn_error *err);

#endif
