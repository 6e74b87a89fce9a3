/* utility/registry.h - the measures that the catalogue lists. */
#ifndef KN_UTILITY_REGISTRY_H
#define KN_UTILITY_REGISTRY_H

#include "kanon/catalog.h"

const kn_entry *const *kn__measure_entries(size_t *count);

#endif
