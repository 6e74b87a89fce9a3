/* io/format/arrow_used.h - the values of a column that its cells hold.
 *
 * A column may know more values: those of records that were left out, and categories that no record
 * has. They are not handed out. */
#ifndef KN_IO_FORMAT_ARROW_USED_H
#define KN_IO_FORMAT_ARROW_USED_H

#include "data/dataset.h"

#include <stdbool.h>

/** Values have new numbers, in the order of their codes; the missing one has none. */
typedef struct kn_arrow_used {
    bool every;       /* the column knows no others: codes are the numbers, and the rest is NULL */
    uint32_t values;  /* how many there are */
    uint32_t *number; /* by code; KN_NO_CODE: no cell holds it */
    uint32_t *code;   /* by number */
    size_t *ends;     /* by number: where its text ends among theirs */
} kn_arrow_used;

/** Find the values of the first `count` cells of `c`: a pass over them. Free `*out` with
 * kn__arrow_used_free, also after a failure. */
kn_status kn__arrow_used_find(kn_arrow_used *out, const kn_column *c, size_t count, kn_error *err);
void kn__arrow_used_free(kn_arrow_used *u);

/** Where the texts of the values end, by number. */
const size_t *kn__arrow_used_ends(const kn_arrow_used *u, const kn_column *c);
/** Where the text of `code`, which a cell holds, begins. */
size_t kn__arrow_used_begin(const kn_arrow_used *u, const kn_column *c, uint32_t code);

/* Buffers, which the caller frees; NULL: out of memory. Where the column knows no other values, its
 * own do. */

/** The texts, one after the other. */
void *kn__arrow_used_bytes(const kn_arrow_used *u, const kn_column *c);
/** The numbers of the first `count` cells, as wide as the codes of `c`; 0 for a missing value. */
void *kn__arrow_used_numbers(const kn_arrow_used *u, const kn_column *c, size_t count);

#endif
