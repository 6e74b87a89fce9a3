/* catalog.c - what kanon can do. The rows are the guarantees', the methods', the measures' and the
 * models' own: see registry.h in their rooms. */
#include "kanon/catalog.h"
#include "guarantees/registry.h"
#include "methods/registry.h"
#include "models/registry.h"
#include "utility/registry.h"

#include <string.h>

const kn_entry *const *kn_catalog(kn_entry_kind kind, size_t *count)
{
    size_t ignored;

    count = count ? count : &ignored;
    switch (kind) {
    case KN_ENTRY_GUARANTEE: return kn__guarantee_entries(count);
    case KN_ENTRY_METHOD: return kn__method_entries(count);
    case KN_ENTRY_MEASURE: return kn__measure_entries(count);
    case KN_ENTRY_MODEL: return kn__model_entries(count);
    }
    *count = 0;
    return NULL;
}

const kn_entry *kn_catalog_find(kn_entry_kind kind, const char *name)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(kind, &count);

    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(entries[i]->name, name) == 0) {
            return entries[i];
        }
    }
    return NULL;
}
