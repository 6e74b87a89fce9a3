/* release/recoding.h - which text every item of a column is published as. */
#ifndef KN_RELEASE_RECODING_H
#define KN_RELEASE_RECODING_H

#include "data/dataset.h"
#include "geo/areas.h"
#include "kanon/hierarchy.h"

/** What every item of a column is published as. */
typedef struct kn_recoding {
    kn_dict *texts;    /* what is published */
    uint32_t *to;      /* by code of the column: its text; KN_NO_CODE: it is not published */
    uint8_t *left_out; /* by code: an item that is left out on purpose; NULL: none is */
    /* Of local recoding: the same by position in the column's list of codes; NULL otherwise. `to`
     * is NULL then. */
    uint32_t *each;
    /* What `sampling` adds; NULL or 0 otherwise. */
    kn_hierarchies *hierarchies; /* of the names of areas, which no hierarchy of the caller has */
    kn_areas *areas;             /* regions on a map */
    unsigned attempt;            /* the attempt of the certificate that held, from 1 */
} kn_recoding;

void kn__recoding_clear(kn_recoding *r);

/** Make the dictionary of `out` of those texts that are `used`, in the order of their bytes; `code`
 * (by text) receives their codes. */
kn_status kn__texts_sort(kn_column *out, const kn_dict *texts, const uint8_t *used, uint32_t *code,
                         kn_error *err);
/** The published column: for each of `records` records, that of `from` at origin[i] with every item
 *  recoded. In sets items that have become equal are one; in bags they stay. Items come in the
 *  order of their texts' bytes, as a file would be read. */
kn_status kn__items_publish(kn_column *out, const kn_column *from, const kn_recoding *recoding,
                            const uint32_t *origin, size_t records, unsigned threads,
                            kn_error *err);

#endif
