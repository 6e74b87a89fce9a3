/* base/catalog_entry.h - for files that define an entry of the catalogue. */
#ifndef KN_BASE_CATALOG_ENTRY_H
#define KN_BASE_CATALOG_ENTRY_H

#include "kanon/catalog.h"

/** The `params` and `params_count` of an entry. */
#define KN_PARAMS(array) .params = (array), .params_count = sizeof(array) / sizeof *(array)
/** The `max` of counts. */
#define KN_MOST_COUNT    4294967295.0

#endif
