/* release/value_recoding.h - the inside of a recoding that is kept. */
#ifndef KN_RELEASE_VALUE_RECODING_H
#define KN_RELEASE_VALUE_RECODING_H

#include "data/dict.h"
#include "kanon/recoding.h"

/** What the values of one column are published as. */
typedef struct kn_recoded_column {
    char *name;
    bool items;     /* of lists */
    kn_dict *from;  /* the values that are covered */
    kn_dict *texts; /* what they become */
    uint32_t *to;   /* by value: its text; KN_NO_CODE: it is left out */
    size_t cap;     /* of `to` */
    bool has_missing;
    uint32_t missing; /* the text of a missing value; KN_NO_CODE: it stays missing */
} kn_recoded_column;

struct kn_value_recoding {
    kn_recoded_column *column;
    size_t count;
};

/** A recoding of `columns` columns, all empty. */
kn_status kn__recoding_new(kn_value_recoding **out, size_t columns, kn_error *err);
/** Begin column `c`. */
kn_status kn__recoded_column_init(kn_recoded_column *c, const char *name, bool items,
                                  kn_error *err);
/** Value `from` becomes `to` (NULL: it is left out). One that is there already stays as it is. */
kn_status kn__recoded_column_add(kn_recoded_column *c, const char *from, size_t from_len,
                                 const char *to, size_t to_len, kn_error *err);

/** kn_recoding_apply that sets, by column of `ds`, whether a value became another; `changed` may be
 * NULL. */
kn_status kn__recoding_apply(kn_dataset *ds, const kn_value_recoding *recoding, uint8_t *changed,
                             kn_error *err);

#endif
