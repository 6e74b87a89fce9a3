/* hierarchy/item_names.h - names of items and nodes that users give. */
#ifndef KN_HIERARCHY_ITEM_NAMES_H
#define KN_HIERARCHY_ITEM_NAMES_H

#include "data/dataset.h"
#include "kanon/hierarchy.h"

/** KN_EUSAGE: there is no `what` ("item") of this `name` in list column `c` nor in its hierarchy
 * `h` (may be NULL), with the nearest name there is (of nodes only, with `nodes`). `who` has been
 * given it: "sensitive items". */
kn_status kn__item_unknown(const char *who, const char *what, const char *name, const kn_column *c,
                           const kn_hierarchy *h, bool nodes, kn_error *err);

#endif
