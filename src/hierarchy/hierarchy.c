/* hierarchy.c - a hierarchy once it is made: its sizes, its validity, and collections by column
 * name. */
#include "hierarchy/hierarchy.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef struct entry {
    char *column;
    kn_hierarchy *hierarchy;
} entry;

struct kn_hierarchies {
    entry *entries;
    size_t count, cap;
};

void kn_hierarchy_free(kn_hierarchy *h)
{
    if (h) {
        kn_free(h->name);
        kn_free(h->text);
        kn_free(h->label);
        kn_free(h->parent);
        kn_free(h->depth);
        kn_free(h->line);
        kn_dict_free(h->leaf);
        kn_free(h->low);
        kn_free(h->high);
        kn_free(h->closed);
        kn_free(h);
    }
}

size_t kn_hierarchy_levels(const kn_hierarchy *h)
{
    return h->levels;
}

size_t kn_hierarchy_leaves(const kn_hierarchy *h)
{
    return h->leaves;
}

size_t kn_hierarchy_nodes(const kn_hierarchy *h)
{
    return h->nodes;
}

void kn_string_free(char *s)
{
    kn_free(s);
}

static bool broken(const char **reason, const char *why)
{
    if (reason) {
        *reason = why;
    }
    return false;
}

bool kn_hierarchy_validate(const kn_hierarchy *h, const char **reason)
{
    const uint32_t root = h->nodes - 1;
    uint32_t levels = 0;

    if (h->leaves == 0 || h->nodes <= h->leaves || !h->leaf || h->leaf->len != h->leaves) {
        return broken(reason, "the counts of nodes and leaves do not fit");
    }
    if (h->parent[root] != root || h->depth[root] != 0) {
        return broken(reason, "the last node is not the root");
    }
    for (uint32_t i = 0; i < root; i++) {
        const uint32_t parent = h->parent[i];
        const uint32_t level = h->depth[i] + 1 + (i < h->leaves && kn_hierarchy_is_range(h, i));

        if (parent <= i || parent >= h->nodes || parent < h->leaves) {
            return broken(reason, "a parent does not come after its children");
        }
        if (h->depth[i] != h->depth[parent] + 1) {
            return broken(reason, "a depth is not one more than the parent's");
        }
        if (i >= h->leaves && h->depth[i + 1] > h->depth[i]) {
            return broken(reason, "inner nodes are not ordered by depth");
        }
        if (i < h->leaves && level > levels) {
            levels = level;
        }
    }
    if (levels != h->levels || levels > KN_LEVELS_MOST + 1) {
        return broken(reason, "the number of levels is not that of the longest path");
    }
    for (uint32_t i = 0; i < h->nodes; i++) {
        const char *label = kn_hierarchy_label(h, i);

        if (!*label) {
            return broken(reason, "a label is empty");
        }
        if (i < h->leaves && kn_dict_find(h->leaf, label, strlen(label)) != i) {
            return broken(reason, "a leaf is not found by its label");
        }
    }
    if (h->missing != KN_NO_CODE && h->missing >= h->leaves) {
        return broken(reason, "the missing value's leaf does not exist");
    }
    return true;
}

kn_status kn_hierarchies_new(kn_hierarchies **out, kn_error *err)
{
    *out = kn_zalloc(sizeof **out);
    return *out ? KN_OK : kn_nomem(err);
}

/* Forget the entries from `keep` on. */
static void shrink(kn_hierarchies *hs, size_t keep)
{
    while (hs->count > keep) {
        entry *e = &hs->entries[--hs->count];
        kn_free(e->column);
        kn_hierarchy_free(e->hierarchy);
    }
}

void kn_hierarchies_free(kn_hierarchies *hs)
{
    if (hs) {
        shrink(hs, 0);
        kn_free(hs->entries);
        kn_free(hs);
    }
}

static entry *find(const kn_hierarchies *hs, const char *column)
{
    for (size_t i = 0; i < hs->count; i++) {
        if (strcmp(hs->entries[i].column, column) == 0) {
            return &hs->entries[i];
        }
    }
    return NULL;
}

kn_status kn_hierarchies_add(kn_hierarchies *hs, const char *column, kn_hierarchy *h, kn_error *err)
{
    entry *e = find(hs, column);
    kn_status status;
    char *copy;

    if (e) {
        if (e->hierarchy != h) {
            kn_hierarchy_free(e->hierarchy);
            e->hierarchy = h;
        }
        return KN_OK;
    }
    status = kn_grow(&hs->entries, &hs->cap, hs->count + 1, sizeof *hs->entries, err);
    if (status != KN_OK) {
        return status;
    }
    copy = kn_strdup(column);
    if (!copy) {
        return kn_nomem(err);
    }
    hs->entries[hs->count++] = (entry){copy, h};
    return KN_OK;
}

const kn_hierarchy *kn_hierarchies_get(const kn_hierarchies *hs, const char *column)
{
    const entry *e = hs ? find(hs, column) : NULL;

    return e ? e->hierarchy : NULL;
}

/* Read FOLDER/COLUMN.csv, .txt or .json, whichever is there first; `*found` tells whether one was.
 */
static kn_status read_column(kn_hierarchies *hs, const char *folder, const char *column,
                             bool *found, kn_error *err)
{
    static const char *const endings[] = {".csv", ".txt", ".json"};
    const size_t len = strlen(folder);
    const char *slash = len && folder[len - 1] == '/' ? "" : "/";
    kn_buffer path = {0};
    kn_hierarchy *h = NULL;
    kn_status status = KN_OK;
    struct stat info;

    *found = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !*found; i++) {
        path.len = 0;
        kn_buffer_addf(&path, "%s%s%s%s", folder, slash, column, endings[i]);
        if (path.failed) {
            status = kn_nomem(err);
            goto done;
        }
        *found = stat(path.data, &info) == 0;
    }
    if (!*found) {
        goto done;
    }
    status = kn_hierarchy_read(&h, path.data, err);
    if (status == KN_OK) {
        status = kn_hierarchies_add(hs, column, h, err);
    }
    if (status == KN_OK) {
        h = NULL;
    }
done:
    kn_hierarchy_free(h);
    kn_buffer_free(&path);
    return status;
}

kn_status kn_hierarchies_read_folder(kn_hierarchies *hs, const char *folder, const kn_dataset *ds,
                                     size_t *found, kn_error *err)
{
    const size_t before = hs->count;
    size_t read = 0;
    struct stat info;

    if (found) {
        *found = 0;
    }
    if (stat(folder, &info) != 0) {
        return kn_fail(err, KN_EINPUT, "%s: %s", folder,
                       errno == ENOENT ? "no such folder" : strerror(errno));
    }
    if (!S_ISDIR(info.st_mode)) {
        return kn_fail(err, KN_EINPUT,
                       "%s: not a folder; for one hierarchy name its column too: "
                       "--hierarchy COLUMN=FILE",
                       folder);
    }
    for (size_t i = 0; i < kn_dataset_columns(ds); i++) {
        const char *column = kn_dataset_name(ds, i);
        bool there = false;
        kn_status status;

        /* A name with a slash would lead out of the folder. */
        if (!*column || strchr(column, '/') || kn_hierarchies_get(hs, column)) {
            continue;
        }
        status = read_column(hs, folder, column, &there, err);
        if (status != KN_OK) {
            shrink(hs, before);
            return status;
        }
        read += there;
    }
    if (found) {
        *found = read;
    }
    return KN_OK;
}
