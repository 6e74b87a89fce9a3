/* methods/registry.h - every method as one row.
 *
 * The catalogue, the command line, its help and kn_anonymize are driven from these rows. A new
 * method is a file that defines a row, and the row's name in registry.c. */
#ifndef KN_METHODS_REGISTRY_H
#define KN_METHODS_REGISTRY_H

#include "kanon/catalog.h"
#include "methods/method.h"

/** What a method is for. */
typedef enum kn_method_family {
    KN_METHOD_TABLE, /* tables: classes of records */
    KN_METHOD_ITEMS, /* one column of items */
    KN_METHOD_MIXED, /* tables with a column of items */
    KN_METHOD_TREES  /* tree records */
} kn_method_family;

typedef struct kn_method_row {
    kn_entry entry;
    kn_method_family family;
    bool counts;              /* it takes records that stand for several people each */
    bool elsewhere;           /* it can ask for rare combinations of records counted elsewhere */
    bool leaves_out;          /* it can leave items out (item suppression) */
    bool numbers;             /* its items are numbers: it makes ranges, without a hierarchy */
    kn_method_fn table;       /* of KN_METHOD_TABLE */
    kn_items_method_fn items; /* of KN_METHOD_ITEMS */
    int variant; /* of KN_METHOD_MIXED: which of the four (mixed/rt.c); of KN_METHOD_TREES: a
                    kn_cut_search */
    /** KN_EUSAGE for parameters that do not go together; each by itself is in its range. May be
     * NULL: all go together. */
    kn_status (*validate)(const kn_params *params, kn_error *err);
} kn_method_row;

/** Methods that others start from. */
extern const kn_method_row kn__flash_row, kn__mondrian_row, kn__cluster_row;

/** All entries, in the order in which they are listed. */
const kn_entry *const *kn__method_entries(size_t *count);

/** KN_EUSAGE when the records of `task` stand for several people each and `row` cannot count them,
 * or something else is asked that only rows can tell. */
kn_status kn__method_refuse_counts(const kn_method_row *row, const kn_task *task, kn_error *err);

/** `given` (may be NULL: none are set) as parameters of `row`, for the time that `given` lives.
 *  @return KN_EUSAGE when they are another method's, or do not go together. */
kn_status kn__method_params(kn_params *out, const kn_method_row *row, const kn_params *given,
                            kn_error *err);

/** The first method that makes ranges of numbers and reaches the guarantee called so, or NULL. */
const kn_method_row *kn__method_for_numbers(const char *guarantee);
/** The method called `name`, or NULL. */
const kn_method_row *kn__method_find(const char *name);
/** The method called `name` if it is of this family. KN_EUSAGE otherwise, naming those that are and
 *  what `name` is for. */
kn_status kn__method_of_family(const kn_method_row **out, const char *name, kn_method_family family,
                               kn_error *err);
/** KN_EUSAGE unless `row` can leave items out, naming those that can. */
kn_status kn__method_leaves_out(const kn_method_row *row, kn_error *err);
/** KN_EUSAGE unless every guarantee of `options` is among those that `method` reaches. */
kn_status kn__method_reaches(const kn_method_row *method, const kn_anonymize_options *options,
                             kn_error *err);

#endif
