/* catalog.c - what kanon can do. The rows are the guarantees', the methods', the measures' and the
 * models' own: see registry.h in their rooms. */
#include "kanon/catalog.h"
#include "base/args.h"
#include "base/error.h"
#include "base/params.h"
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

kn_status kn_params_new(kn_params **out, kn_entry_kind kind, const char *name, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, name);

    const char *names[64], *near;
    size_t count, known = 0;
    const kn_entry *const *entries = kn_catalog(kind, &count);
    const kn_entry *entry = kn_catalog_find(kind, name);

    if (kind != KN_ENTRY_METHOD && kind != KN_ENTRY_MODEL) {
        return kn__fail(err, KN_EUSAGE,
                        "only methods and kinds of models have kn_params; a guarantee has the "
                        "fields of kn_guarantee");
    }
    if (entry) {
        return kn__params_new(out, entry, err);
    }
    while (known < count && known < sizeof names / sizeof *names) {
        names[known] = entries[known]->name;
        known++;
    }
    near = kn_nearest(name, names, known);
    return near ? kn__fail(err, KN_EUSAGE, "there is no %s '%.60s'; did you mean '%s'?",
                           kind == KN_ENTRY_METHOD ? "method" : "kind of model", name, near)
                : kn__fail(err, KN_EUSAGE, "there is no %s '%.60s'",
                           kind == KN_ENTRY_METHOD ? "method" : "kind of model", name);
}
