/* guarantees/partial/dictionary.h - the values of columns over several slices, and the numbering of
 * them that all slices share.
 *
 * A dictionary is a union of sets of texts, so the order and grouping in which slices and other
 * dictionaries are added do not matter. The shared numbering (kn_code_space) is that of the sorted
 * texts, a missing value last: it follows from the dictionary alone. */
#ifndef KN_GUARANTEES_PARTIAL_DICTIONARY_H
#define KN_GUARANTEES_PARTIAL_DICTIONARY_H

#include "data/dataset.h"
#include "kanon/partial.h"

typedef enum kn_cell_kind { KN_CELL_VALUE, KN_CELL_SET, KN_CELL_BAG } kn_cell_kind;

typedef struct kn_dictionary_column {
    char *name;
    bool sensitive;
    kn_cell_kind cells;
    kn_type type; /* of what has one value: the join of those of the slices; KN_TYPE_AUTO: no value
                     was seen yet */
    bool missing; /* a missing value occurs */
    kn_dict *texts;
} kn_dictionary_column;

struct kn_dictionary {
    kn_dictionary_column *column; /* by name, ascending */
    size_t columns;
    bool filled; /* a slice or a filled dictionary was added, so the columns are known */
    bool broken; /* memory ran out in the middle */
};

/** The columns of a dictionary with their texts sorted: code = place. Made once, then only read. */
typedef struct kn_code_space {
    kn_dictionary_column *column;
    size_t columns;
    uint64_t hash; /* of all of it: counts of another code space do not merge */
} kn_code_space;

kn_status kn__code_space_new(kn_code_space *out, const kn_dictionary *d, kn_error *err);
void kn__code_space_clear(kn_code_space *s);
/** Values of a column, a missing one included. */
static inline uint32_t kn__space_values(const kn_dictionary_column *c)
{
    return c->texts->len + c->missing;
}

/** The columns of `slice` that are looked at: by column of `s`, its number in `slice`, in `*at`
 * (kn__free). KN_EUSAGE when they are others, or of other kinds. */
kn_status kn__space_columns(size_t **at, const kn_code_space *s, const kn_dataset *slice,
                            kn_error *err);
/** By code of column `c` of a slice, the shared code, in `*to` (kn__free). KN_EINPUT for a value
 * that is not in the dictionary. */
kn_status kn__space_map(uint32_t **to, const kn_dictionary_column *c, const kn_column *from,
                        kn_error *err);

#endif
