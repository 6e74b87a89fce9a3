/* release_trees.c - the release of tree records: a dataset of the published forest, with the roles
 * of the original's classes. */
#include "base/error.h"
#include "base/memory.h"
#include "release/release.h"

#include <string.h>

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kn__free(texts[i]);
    }
    kn__free(texts);
}

void kn__tree_changes_clear(kn_tree_changes *c)
{
    free_texts(c->cut, c->cut_count);
    free_texts(c->removed, c->removed_count);
    *c = (kn_tree_changes){0};
}

/* Bring the records of `f` into the order of `origin`. */
static kn_status reorder(kn_forest *f, const uint32_t *origin, kn_error *err)
{
    const size_t nodes = (size_t)f->starts[f->records];
    uint64_t *starts = kn__malloc_array(f->records + 1, sizeof *starts);
    uint32_t *value = kn__malloc_array(nodes, sizeof *value);
    uint32_t *parent = kn__malloc_array(nodes, sizeof *parent);

    if (!starts || !value || !parent) {
        KN_FREE(starts, value, parent);
        return kn__nomem(err);
    }
    starts[0] = 0;
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t size = kn__forest_size(f, origin[r]);
        const uint64_t from = f->starts[origin[r]];
        memcpy(value + starts[r], f->value + from, size * sizeof *value);
        memcpy(parent + starts[r], f->parent + from, size * sizeof *parent);
        starts[r + 1] = starts[r] + size;
    }
    KN_FREE(f->starts, f->value, f->parent);
    f->starts = starts;
    f->value = value;
    f->parent = parent;
    return KN_OK;
}

kn_status kn__release_make_trees(kn_release *out, const kn_task *task, kn_forest *f, kn_error *err)
{
    const kn_dataset *ds = task->ds;
    kn_status status;

    out->shuffled = task->options->shuffle;
    out->origin = kn__malloc_array(f->records, sizeof *out->origin);
    KN_TRY(out->origin ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        out->origin[r] = (uint32_t)r;
    }
    if (out->shuffled) {
        KN_TRY(kn__release_shuffle(out->origin, f->records, err));
        KN_TRY(reorder(f, out->origin, err));
    }
    status = kn__dataset_of_forest(&out->data, f, NULL, true, err);
    f = NULL;
    KN_TRY(status);
    for (size_t i = 0; i < out->data->columns; i++) {
        const size_t from = kn_dataset_find(ds, out->data->column[i].name);
        out->data->column[i].role = ds->column[from].role;
        out->data->column[i].chosen = ds->column[from].chosen;
        out->data->column[i].weight = ds->column[from].weight;
    }
    out->data->layout = ds->layout;
    out->data->layout.key = NULL;
done:
    kn__forest_free(f);
    return status;
}
