/* hierarchy.c - a finished hierarchy: its sizes, its validity, and sets of hierarchies by column.
 */
#include "hierarchy/hierarchy.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/validate.h"
#include "io/bytes/paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct entry {
    char *column;
    kn_hierarchy *hierarchy; /* its only family, or all of them joined */
    kn_hierarchy **family;   /* NULL while there is one */
    size_t families;
} entry;

struct kn_hierarchies {
    entry *entries;
    size_t count, cap;
};

void kn_hierarchy_free(kn_hierarchy *h)
{
    if (h && !h->owned) {
        KN_FREE(h->name, h->text, h->label, h->parent, h->depth, h->child, h->child_begin, h->line);
        kn__dict_free(h->leaf);
        KN_FREE(h->low, h->high, h->closed, h);
    }
}

size_t kn_hierarchy_levels(const kn_hierarchy *h)
{
    return h ? h->levels : 0;
}

size_t kn_hierarchy_leaves(const kn_hierarchy *h)
{
    return h ? h->leaves : 0;
}

size_t kn_hierarchy_nodes(const kn_hierarchy *h)
{
    return h ? h->nodes : 0;
}

bool kn__hierarchy_validate(const kn_hierarchy *h, const char **reason)
{
    const uint32_t root = h->nodes - 1;
    uint32_t levels = 0;

    if (h->leaves == 0 || h->nodes <= h->leaves || !h->leaf || h->leaf->len != h->leaves) {
        return kn__broken(reason, "the counts of nodes and leaves do not fit");
    }
    if (h->parent[root] != root || h->depth[root] != 0) {
        return kn__broken(reason, "the last node is not the root");
    }
    for (uint32_t i = 0; i < root; i++) {
        const uint32_t parent = h->parent[i];
        const uint32_t level = h->depth[i] + 1 + (i < h->leaves && kn__hierarchy_is_range(h, i));

        if (parent <= i || parent >= h->nodes || parent < h->leaves) {
            return kn__broken(reason, "a parent does not come after its children");
        }
        if (h->depth[i] != h->depth[parent] + 1) {
            return kn__broken(reason, "a depth is not one more than the parent's");
        }
        if (i >= h->leaves && h->depth[i + 1] > h->depth[i]) {
            return kn__broken(reason, "inner nodes are not ordered by depth");
        }
        if (i < h->leaves && level > levels) {
            levels = level;
        }
    }
    if (levels != h->levels || levels > KN_LEVELS_MOST + 1) {
        return kn__broken(reason, "the number of levels is not that of the longest path");
    }
    if (h->child_begin[h->nodes] != root) {
        return kn__broken(reason, "not every node but the root is a child");
    }
    for (uint32_t i = 0; i < h->nodes; i++) {
        for (uint32_t c = h->child_begin[i]; c < h->child_begin[i + 1]; c++) {
            if (h->parent[h->child[c]] != i) {
                return kn__broken(reason, "a child has another parent");
            }
        }
    }
    for (uint32_t i = 0; i < h->nodes; i++) {
        const char *label = kn__hierarchy_label(h, i);

        if (!*label) {
            return kn__broken(reason, "a label is empty");
        }
        if (i < h->leaves && kn__dict_find(h->leaf, label, strlen(label)) != i) {
            return kn__broken(reason, "a leaf is not found by its label");
        }
    }
    if (h->missing != KN_NO_CODE && h->missing >= h->leaves) {
        return kn__broken(reason, "the missing value's leaf does not exist");
    }
    return true;
}

kn_status kn_hierarchies_new(kn_hierarchies **out, kn_error *err)
{
    KN_NEED_OUT(err, out);

    *out = kn__zalloc(sizeof **out);
    return *out ? KN_OK : kn__nomem(err);
}

/* Free a hierarchy that the set owns. */
static void drop(kn_hierarchy *h)
{
    h->owned = false;
    kn_hierarchy_free(h);
}

static void drop_families(entry *e)
{
    for (size_t i = 0; i < e->families; i++) {
        drop(e->family[i]);
    }
    kn__free(e->family);
    e->family = NULL;
    e->families = 0;
}

/* Remove the entries from number `keep` on. */
static void shrink(kn_hierarchies *hs, size_t keep)
{
    while (hs->count > keep) {
        entry *e = &hs->entries[--hs->count];
        kn__free(e->column);
        drop_families(e);
        drop(e->hierarchy);
    }
}

void kn_hierarchies_free(kn_hierarchies *hs)
{
    if (hs) {
        shrink(hs, 0);
        KN_FREE(hs->entries, hs);
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

/* A hierarchy that two places own would be freed twice. */
static kn_status refuse_owned(const kn_hierarchy *h, kn_error *err)
{
    return h->owned ? kn__fail(err, KN_EUSAGE,
                               "%.200s: this hierarchy was added before; read or build another for "
                               "each column",
                               h->name)
                    : KN_OK;
}

kn_status kn_hierarchies_add(kn_hierarchies *hs, const char *column, kn_hierarchy *h, kn_error *err)
{
    KN_NEED(err, hs, column, h);

    entry *e = find(hs, column);
    char *copy;

    if (e && e->hierarchy == h) {
        return KN_OK;
    }
    KN_PASS(refuse_owned(h, err));
    if (e) {
        drop_families(e);
        drop(e->hierarchy);
        e->hierarchy = h;
    } else {
        KN_PASS(kn__grow(&hs->entries, &hs->cap, hs->count + 1, sizeof *hs->entries, err));
        copy = kn__strdup(column);
        KN_PASS(copy ? KN_OK : kn__nomem(err));
        hs->entries[hs->count++] = (entry){.column = copy, .hierarchy = h};
    }
    h->owned = true;
    return KN_OK;
}

/* The families are kept, so that a message about the next one can name their lines. */
kn_status kn_hierarchies_add_family(kn_hierarchies *hs, const char *column, kn_hierarchy *h,
                                    kn_error *err)
{
    KN_NEED(err, hs, column, h);

    entry *e = find(hs, column);
    const size_t before = e && e->family ? e->families : 1;
    kn_hierarchy **family = NULL, *joined = NULL;
    kn_status status;

    if (!e) {
        return kn_hierarchies_add(hs, column, h, err);
    }
    KN_TRY(refuse_owned(h, err));
    family = kn__malloc_array(before + 1, sizeof(kn_hierarchy *));
    KN_TRY(family ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < before; i++) {
        family[i] = e->family ? e->family[i] : e->hierarchy;
    }
    family[before] = h;
    KN_TRY(kn_hierarchy_join(&joined, (const kn_hierarchy *const *)family, before + 1, err));
    if (e->family) {
        drop(e->hierarchy);
        kn__free(e->family);
    }
    h->owned = joined->owned = true;
    e->hierarchy = joined;
    e->family = family;
    e->families = before + 1;
    return KN_OK;
done:
    kn__free(family);
    return status;
}

const kn_hierarchy *kn_hierarchies_get(const kn_hierarchies *hs, const char *column)
{
    const entry *e = hs && column ? find(hs, column) : NULL;

    return e ? e->hierarchy : NULL;
}

bool kn_hierarchies_set_codes(kn_hierarchies *hs, const char *column)
{
    entry *e = hs && column ? find(hs, column) : NULL;

    if (e) {
        e->hierarchy->codes = true;
    }
    return e != NULL;
}

static const char *const endings[] = {".csv", ".txt", ".json"};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* Read the file `name` of `folder` as a family of `column`. */
static kn_status read_family(kn_hierarchies *hs, const char *folder, const char *name,
                             const char *column, kn_error *err)
{
    const size_t len = strlen(folder);
    kn_buffer path = {0};
    kn_hierarchy *h = NULL;
    kn_status status;

    kn__buffer_addf(&path, "%s%s%s", folder, len && folder[len - 1] == '/' ? "" : "/", name);
    KN_TRY(path.failed ? kn__nomem(err) : kn_hierarchy_read(&h, path.data, err));
    KN_TRY(kn_hierarchies_add_family(hs, column, h, err));
done:
    if (status != KN_OK) {
        kn_hierarchy_free(h);
    }
    kn__buffer_free(&path);
    return status;
}

/* Whether the file is COLUMN.FAMILY.csv, .txt or .json, and not that of a column of its own. */
static bool is_family(const char *name, const kn_dataset *ds, const char *column)
{
    const size_t len = strlen(column), all = strlen(name);

    for (size_t i = 0; i < ENDINGS; i++) {
        const size_t stem = all < strlen(endings[i]) ? 0 : all - strlen(endings[i]);
        if (stem <= len + 1 || strncmp(name, column, len) != 0 || name[len] != '.' ||
            strcmp(name + stem, endings[i]) != 0) {
            continue;
        }
        for (size_t j = 0; j < kn_dataset_columns(ds); j++) {
            const char *other = kn_dataset_name(ds, j);
            if (strlen(other) == stem && strncmp(name, other, stem) == 0) {
                return false;
            }
        }
        return true;
    }
    return false;
}

/* The names of a folder's files, sorted. */
typedef struct names {
    char **name;
    size_t count, cap;
} names;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_clear(names *n)
{
    for (size_t i = 0; i < n->count; i++) {
        kn__free(n->name[i]);
    }
    kn__free(n->name);
}

static kn_status names_read(names *n, const char *folder, kn_error *err)
{
    DIR *dir = opendir(folder);
    const struct dirent *file;
    kn_status status = KN_OK;

    if (!dir) {
        return errno == ENOENT ? kn__fail(err, KN_EINPUT, "%s: no such folder", folder)
                               : kn__fail_open(err, folder, errno);
    }
    for (errno = 0; (file = readdir(dir)); errno = 0) {
        KN_TRY(kn__grow(&n->name, &n->cap, n->count + 1, sizeof *n->name, err));
        n->name[n->count] = kn__strdup(file->d_name);
        KN_TRY(n->name[n->count] ? KN_OK : kn__nomem(err));
        n->count++;
    }
    KN_TRY(errno ? kn__fail_errno(err, folder, "cannot be read", errno) : KN_OK);
    if (n->count > 1) {
        qsort(n->name, n->count, sizeof *n->name, by_name);
    }
done:
    (void)closedir(dir);
    return status;
}

/* Read FOLDER/COLUMN.csv, .txt or .json, whichever is there first. */
static kn_status read_column(kn_hierarchies *hs, const char *folder, const char *column,
                             kn_error *err)
{
    kn_buffer path = {0}, name = {0};
    kn_status status = KN_OK;
    bool exists;

    for (size_t i = 0; i < ENDINGS; i++) {
        path.len = name.len = 0;
        kn__buffer_addf(&path, "%s/%s%s", folder, column, endings[i]);
        kn__buffer_addf(&name, "%s%s", column, endings[i]);
        KN_TRY(path.failed || name.failed ? kn__nomem(err) : KN_OK);
        KN_TRY(kn__path_exists(&exists, path.data, err));
        if (exists) {
            KN_TRY(read_family(hs, folder, name.data, column, err));
            break;
        }
    }
done:
    kn__buffer_free(&path);
    kn__buffer_free(&name);
    return status;
}

/* A column of items may have one file per family. */
static kn_status read_families(kn_hierarchies *hs, const char *folder, const kn_dataset *ds,
                               const char *column, kn_error *err)
{
    names n = {0};
    kn_status status;

    KN_TRY(names_read(&n, folder, err));
    for (size_t i = 0; i < n.count; i++) {
        if (is_family(n.name[i], ds, column)) {
            KN_TRY(read_family(hs, folder, n.name[i], column, err));
        }
    }
done:
    names_clear(&n);
    return status;
}

kn_status kn_hierarchies_read_folder(size_t *found, kn_hierarchies *hs, const char *folder,
                                     const kn_dataset *ds, kn_error *err)
{
    KN_NEED(err, hs, folder, ds);

    const size_t before = hs->count;
    struct stat info;
    kn_status status = KN_OK;

    if (found) {
        *found = 0;
    }
    if (stat(folder, &info) != 0) {
        return errno == ENOENT ? kn__fail(err, KN_EINPUT, "%s: no such folder", folder)
                               : kn__fail_open(err, folder, errno);
    }
    if (!S_ISDIR(info.st_mode)) {
        return kn__fail(err, KN_EINPUT,
                        "%s: not a folder; for one hierarchy name its column too: "
                        "--hierarchy COLUMN=FILE",
                        folder);
    }
    for (size_t i = 0; i < kn_dataset_columns(ds); i++) {
        const char *column = kn_dataset_name(ds, i);

        /* A name with a slash would lead out of the folder. */
        if (!*column || strchr(column, '/') || kn_hierarchies_get(hs, column)) {
            continue;
        }
        KN_TRY(read_column(hs, folder, column, err));
        if (kn__type_is_list(ds->column[i].type)) {
            KN_TRY(read_families(hs, folder, ds, column, err));
        }
    }
done:
    if (status != KN_OK) {
        shrink(hs, before);
    } else if (found) {
        *found = hs->count - before;
    }
    return status;
}

size_t kn__hierarchies_count(const kn_hierarchies *hs)
{
    return hs->count;
}

const kn_hierarchy *kn__hierarchies_at(const kn_hierarchies *hs, size_t i, const char **column)
{
    *column = hs->entries[i].column;
    return hs->entries[i].hierarchy;
}
