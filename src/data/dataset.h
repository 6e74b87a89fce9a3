/* data/dataset.h - the inside of a dataset. */
#ifndef KN_DATA_DATASET_H
#define KN_DATA_DATASET_H

#include "base/buffer.h"
#include "data/dict.h"
#include "data/schema.h"
#include "data/trees.h"
#include "data/value_sample.h"
#include "kanon/dataset.h"
#include "kanon/io.h"

#include <stdatomic.h>
#include <string.h>

/** Whether the records are sorted by a column. */
typedef enum kn_order {
    KN_ORDER_NONE = 0,
    KN_ORDER_ASCENDING,
    KN_ORDER_DESCENDING,
    KN_ORDER_CONSTANT
} kn_order;

/* How many different values a column had in the rows that were read. */
typedef struct kn_distinct {
    size_t values, rows; /* 0: not known, or some rows have no value */
    bool estimated;      /* `values`, by a sample */
} kn_distinct;

typedef struct kn_column {
    char *name;
    kn_type type;  /* never KN_TYPE_AUTO */
    bool declared; /* the type was given, not detected */
    bool commas;   /* its numbers had a decimal comma, and have a point now */
    uint8_t dates; /* a kn_date_order: of day and month in its local dates */
    kn_role role;
    kn_chosen chosen;  /* where its role comes from */
    bool allow_unique; /* it may be published unchanged although its values can identify people */
    kn_missing_rule missing_rule;
    double weight; /* 1 unless the schema says otherwise */
    kn_order order;
    kn_dict *dict; /* sorted by value; the missing value last. NULL: the values were not kept */
    kn_value_sample *sample; /* a kept column that was only sampled, as nearly all of its values are
                                different; or NULL */
    kn_distinct distinct;    /* of a column that is left out */
    bool absent;             /* a class of tree records that had no value in the file */
    bool repeats;            /* it was recognised, by its values, as the id of people with several
                                rows */
    uint32_t missing;        /* its code, or KN_NO_CODE */
    uint32_t spellings;      /* how many texts meant "missing" when it was read */
    unsigned decimals;       /* numbers: the largest number of decimals written */
    double *numbers; /* integer, decimal, numbers, date (days since 1970-01-01): value by code, NaN
                        for missing. NULL otherwise */
    uint8_t width;   /* bytes per code: 1, 2 or 4 */
    void *codes; /* one per record; in list columns starts[records], ascending within a record */
    uint64_t *starts; /* list columns: record i has codes[starts[i]..starts[i+1]). NULL otherwise */
    kn_named_items sensitive;     /* list columns: items that an attacker must not learn */
    kn_item_weights item_weights; /* list columns: weights of items in UL, where not 1 */
    char *arrow; /* the Arrow format in which its values came and are given; NULL: by its type */
    bool opaque; /* its values are digests of cells of an Arrow type that is not supported: they can
                    be compared, and the column can be published as it is, no more */
} kn_column;

/* The cells of columns as they came, beside the codes: record i holds row i of them.
 * io/format/arrow_kept.h has them. */
typedef struct kn_kept_cells {
    void (*free)(struct kn_kept_cells *);
} kn_kept_cells;

/* A file that was joined to the table. */
typedef struct kn_joined {
    char *path;
    char sha256[65];
} kn_joined;

struct kn_dataset {
    atomic_size_t shares; /* references beside the owner's: Arrow arrays that use its memory */
    size_t records, columns;
    kn_column *column;
    kn_dict *names; /* index of column names, code = position; NULL: few columns, or they changed */
    char *source;   /* the path that it was read from; NULL if made in memory */
    bool line_names;  /* the column names are the cells of a file's first line */
    bool line_values; /* and one of them is a text that means a missing value */
    kn_layout layout;
    char *layout_key; /* what layout.key points to */
    char *item_separator;
    char sha256[65];
    size_t label; /* the column of kn_dataset_set_class, + 1; 0: none */
    kn_joined *joined;
    size_t joined_count, joined_cap;
    char **notes; /* what was noticed while reading and grouping: names and counts, no values */
    size_t notes_count, notes_cap;
    /* Tree records, or NULL. Column i is then a set column with the values of class i: code c of it
     * is the forest's code first(i) + c, where first(i) is the class's first code. */
    kn_forest *forest;
    uint32_t *counts;    /* by record: the people that it stands for; NULL: one each */
    size_t people;       /* with counts: their sum, below UINT32_MAX */
    kn_kept_cells *kept; /* of columns that came from Arrow arrays, or NULL */
};

/** The people that record `i` stands for, and those that all records stand for. Whatever counts
 * people must ask these, or refuse such a dataset (kn__refuse_counts). */
static inline uint32_t kn__dataset_count(const kn_dataset *ds, size_t i)
{
    return ds->counts ? ds->counts[i] : 1;
}
static inline size_t kn__dataset_people(const kn_dataset *ds)
{
    return ds->counts ? ds->people : ds->records;
}
/** Give `to`, whose record i is record origin[i] (NULL: i) of `from`, the counts of `from`, if it
 * has any. */
kn_status kn__dataset_take_counts(kn_dataset *to, const kn_dataset *from, const uint32_t *origin,
                                  kn_error *err);
/** KN_EUSAGE when records of `ds` (may be NULL) stand for several people each; `what` is what
 * cannot count them. */
kn_status kn__refuse_counts(const kn_dataset *ds, const char *what, kn_error *err);
/** A public function that counts records as people begins with this; `ds` is not NULL. */
#define KN_NEED_ROWS(err, ds)                             \
    do {                                                  \
        if ((ds)->counts) {                               \
            (void)kn__refuse_counts((ds), __func__, err); \
            return KN_EUSAGE;                             \
        }                                                 \
    } while (0)

/** Make a dataset of the records of `f`, which it takes in any case: one set column a class, in the
 * order of the classes. Brings `f` into normal form, checks it (KN_EINPUT), and forgets values
 * without nodes. `schema` (may be NULL) gives roles to classes by their names; a class without one
 * is a quasi-identifier, as any node of a tree can be known to an attacker. Classes that are
 * identifiers or dropped are left out, unless `keep_dropped`. */
kn_status kn__dataset_of_forest(kn_dataset **out, kn_forest *f, const kn_schema *schema,
                                bool keep_dropped, kn_error *err);
/** The tree records of `ds` without the classes that are not published, in `*out`: borrowed from
 * `ds`, or a copy, then also in `*owned` (free it). NULL where `ds` has no trees. */
kn_status kn__dataset_published_forest(const kn_dataset *ds, const kn_forest **out,
                                       kn_forest **owned, kn_error *err);

/** Index the column names, once they are final: kn_dataset_find is O(1) from then on. */
kn_status kn__dataset_index_names(kn_dataset *ds, kn_error *err);
/** Whether nothing speaks against the names of the columns: each has the form of a name and is no
 *  value of its column. */
bool kn__dataset_may_have_names(const kn_dataset *ds);
/** How many columns the caller named in giving them a role (quasi-identifier, sensitive or
 *  identifier). Two show that the first line is a header: KN_NAMED_FOR_HEADER. */
size_t kn__dataset_columns_named(const kn_dataset *ds);
enum { KN_NAMED_FOR_HEADER = 2 };
/** Drop that index: before columns are added, removed, moved or renamed. */
void kn__dataset_drop_name_index(kn_dataset *ds);

static inline bool kn__type_is_list(kn_type t)
{
    return t == KN_TYPE_SET || t == KN_TYPE_BAG || t == KN_TYPE_NUMBERS;
}
static inline bool kn__type_is_number(kn_type t)
{
    return t == KN_TYPE_INTEGER || t == KN_TYPE_DECIMAL;
}
/** Whether the values are ordered: numbers and dates. */
static inline bool kn__type_is_ordered(kn_type t)
{
    return kn__type_is_number(t) || t == KN_TYPE_DATE;
}

/** Code number `i` of an array of codes `width` bytes wide. */
static inline uint32_t kn__code_get(const void *codes, uint8_t width, size_t i)
{
    if (width == 1) {
        return ((const uint8_t *)codes)[i];
    }
    return width == 2 ? ((const uint16_t *)codes)[i] : ((const uint32_t *)codes)[i];
}
static inline void kn__code_set(void *codes, uint8_t width, size_t i, uint32_t code)
{
    if (width == 1) {
        ((uint8_t *)codes)[i] = (uint8_t)code;
    } else if (width == 2) {
        ((uint16_t *)codes)[i] = (uint16_t)code;
    } else {
        ((uint32_t *)codes)[i] = code;
    }
}
/** Call f(..., width) with the width as a constant: the compiler inlines f, and its loop over codes
 * has no branch on the width. */
#define KN_BY_WIDTH(width, f, ...) \
    ((width) == 1 ? f(__VA_ARGS__, 1) : KN_BY_WIDTH_2_OR_4(width, f, __VA_ARGS__))
#define KN_BY_WIDTH_2_OR_4(width, f, ...) ((width) == 2 ? f(__VA_ARGS__, 2) : f(__VA_ARGS__, 4))
/** The same for f(..., one, two) with two widths. */
#define KN_BY_WIDTHS(one, two, f, ...)                \
    ((one) == 1 ? KN_BY_WIDTH(two, f, __VA_ARGS__, 1) \
                : KN_BY_WIDTHS_2_OR_4(one, two, f, __VA_ARGS__))
#define KN_BY_WIDTHS_2_OR_4(one, two, f, ...) \
    ((one) == 2 ? KN_BY_WIDTH(two, f, __VA_ARGS__, 2) : KN_BY_WIDTH(two, f, __VA_ARGS__, 4))
/** Copy the first `count` codes to `to`. One loop per width, which the compiler vectorises. */
static inline void kn__codes_get(uint32_t *to, const void *codes, uint8_t width, size_t count)
{
    if (width == 1) {
        for (size_t i = 0; i < count; i++) {
            to[i] = ((const uint8_t *)codes)[i];
        }
    } else if (width == 2) {
        for (size_t i = 0; i < count; i++) {
            to[i] = ((const uint16_t *)codes)[i];
        }
    } else if (count) {
        memcpy(to, codes, count * sizeof *to);
    }
}
/** Copy `count` codes from `from`, likewise. */
static inline void kn__codes_set(void *codes, uint8_t width, const uint32_t *from, size_t count)
{
    if (width == 1) {
        for (size_t i = 0; i < count; i++) {
            ((uint8_t *)codes)[i] = (uint8_t)from[i];
        }
    } else if (width == 2) {
        for (size_t i = 0; i < count; i++) {
            ((uint16_t *)codes)[i] = (uint16_t)from[i];
        }
    } else if (count) {
        memcpy(codes, from, count * sizeof *from);
    }
}
/** Bytes per code of a column with `values` distinct values. */
static inline uint8_t kn__code_width(size_t values)
{
    if (values <= UINT8_MAX + 1u) {
        return 1;
    }
    return values <= UINT16_MAX + 1u ? 2 : 4;
}
static inline uint32_t kn__column_code(const kn_column *c, size_t record)
{
    return kn__code_get(c->codes, c->width, record);
}
/** Distinct values, missing included. */
static inline uint32_t kn__column_values(const kn_column *c)
{
    return c->dict ? c->dict->len : 0;
}
static inline const char *kn__column_text(const kn_column *c, uint32_t code, size_t *len)
{
    return kn__dict_text(c->dict, code, len);
}

/** An empty dataset with `columns` zeroed columns, for code that fills them itself (releases). */
kn_status kn__dataset_new(kn_dataset **out, size_t columns, kn_error *err);
/** Take one more reference to `ds`: it is freed when kn_dataset_free was called once for the owner
 * and once per reference. Its columns must not change while there are references. Thread-safe. */
kn_dataset *kn__dataset_share(const kn_dataset *ds);
/** Free a column's contents and zero it. */
void kn__column_clear(kn_column *c);
/** Set what `spec` says of roles' details: weight, missing rule, allow_unique. */
void kn__column_apply_spec(kn_column *c, const kn_column_spec *spec);
/** Free the values of a column; it keeps its name, role and order. */
void kn__column_drop_values(kn_column *c);
/** Whether the records are sorted by `c`. */
kn_order kn__column_order(const kn_column *c, size_t records);
/** Whether all values are whole numbers: integers, or, as in a data frame in which a value is
 * missing, floats that are whole: all of them written with `.0`, or all without. */
bool kn__column_is_whole(const kn_column *c);
/** Make a category of `c`, a column of whole numbers with one value per record. `c->order` stays:
 * it is that of the file. O(records + values log values). On failure `c` is unchanged. */
kn_status kn__column_make_category(kn_column *c, size_t records, kn_error *err);
/** Add a note; takes ownership of what `text` holds. */
kn_status kn__dataset_add_note(kn_dataset *ds, kn_buffer *text, kn_error *err);
/** Whether the invariants above hold; if not, `*reason` names one that does not. */
bool kn__dataset_validate(const kn_dataset *ds, const char **reason);

/** KN_EUSAGE unless the classes of `c` can be kept apart: one value a record, published as it is.
 */
kn_status kn__column_check_class(const kn_column *c, kn_error *err);

/** The columns with `role`, in order, into a new array `*out` (free with kn__free); `*count` of
 * them. */
kn_status kn__dataset_with_role(const kn_dataset *ds, kn_role role, size_t **out, size_t *count,
                                kn_error *err);

#endif
