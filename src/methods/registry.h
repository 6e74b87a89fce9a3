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
    KN_METHOD_MIXED  /* tables with a column of items */
} kn_method_family;

typedef struct kn_method_row {
    kn_entry entry;
    kn_method_family family;
    kn_method_fn table;       /* of KN_METHOD_TABLE */
    kn_items_method_fn items; /* of KN_METHOD_ITEMS */
    int variant;              /* of KN_METHOD_MIXED: which of the four (mixed/rt.c) */
} kn_method_row;

/** All entries, in the order in which they are listed. */
const kn_entry *const *kn__method_entries(size_t *count);

/** The method called `name`, or NULL. */
const kn_method_row *kn__method_find(const char *name);
/** The method called `name` if it is of this family. KN_EUSAGE otherwise, naming those that are and
 *  what `name` is for. */
kn_status kn__method_of_family(const kn_method_row **out, const char *name, kn_method_family family,
                               kn_error *err);

#endif
