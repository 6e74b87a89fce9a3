/* registry.c - the list of kinds of models. */
#include "models/registry.h"

static const kn_model_row *const rows[] = {&kn__tree_row, &kn__clusters_row, &kn__rules_row};
static const kn_entry *const entries[] = {&kn__tree_row.entry, &kn__clusters_row.entry,
                                          &kn__rules_row.entry};

const kn_entry *const *kn__model_entries(size_t *count)
{
    *count = sizeof entries / sizeof *entries;
    return entries;
}

const kn_model_row *kn__model_row(kn_model_kind kind)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i]->kind == kind) {
            return rows[i];
        }
    }
    return NULL;
}
