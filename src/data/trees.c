/* trees.c - forests in compact arrays: copies, searches, normal form. */
#include "data/trees.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/tree_arrange.h"

#include <string.h>

void kn__forest_free(kn_forest *f)
{
    if (!f) {
        return;
    }
    KN_FREE(f->starts, f->value, f->parent);
    for (size_t i = 0; f->text && i < f->values; i++) {
        kn__free(f->text[i]);
    }
    KN_FREE(f->text, f->value_class);
    for (size_t i = 0; f->classes.name && i < f->classes.len; i++) {
        kn__free(f->classes.name[i]);
    }
    KN_FREE(f->classes.name, f);
}

static void *duplicate(const void *from, size_t count, size_t size)
{
    void *copy = kn__malloc_array(count, size);

    if (copy && count) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static kn_status copy_texts(char ***out, char *const *from, size_t count, kn_error *err)
{
    *out = kn__zalloc_array(count, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = kn__strdup(from[i]);
        KN_PASS((*out)[i] ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

kn_status kn__forest_copy(kn_forest **out, const kn_forest *f, kn_error *err)
{
    const size_t nodes = (size_t)f->starts[f->records];
    kn_forest *g = kn__zalloc(sizeof *g);
    kn_status status;

    *out = NULL;
    KN_TRY(g ? KN_OK : kn__nomem(err));
    g->records = f->records;
    g->starts = duplicate(f->starts, f->records + 1, sizeof *f->starts);
    g->value = duplicate(f->value, nodes, sizeof *f->value);
    g->parent = duplicate(f->parent, nodes, sizeof *f->parent);
    g->value_class = duplicate(f->value_class, f->values, sizeof *f->value_class);
    KN_TRY(g->starts && g->value && g->parent && g->value_class ? KN_OK : kn__nomem(err));
    g->values = f->values;
    KN_TRY(copy_texts(&g->text, f->text, f->values, err));
    g->classes.len = f->classes.len;
    KN_TRY(copy_texts(&g->classes.name, f->classes.name, f->classes.len, err));
    *out = g;
    g = NULL;
done:
    kn__forest_free(g);
    return status;
}

size_t kn__tree_class_find(const kn_tree_classes *classes, const char *name, size_t len)
{
    for (size_t i = 0; i < classes->len; i++) {
        if (strlen(classes->name[i]) == len && memcmp(classes->name[i], name, len) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Where `text` of `class_` stands or would stand. */
static uint32_t lower_bound(const kn_forest *f, uint16_t class_, const char *text, size_t len)
{
    uint32_t low = 0, high = (uint32_t)f->values;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        int order = (int)f->value_class[middle] - (int)class_;
        if (order == 0) {
            order = kn__order_bytes(f->text[middle], strlen(f->text[middle]), text, len);
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t kn__forest_find(const kn_forest *f, uint16_t class_, const char *text, size_t len)
{
    const uint32_t at = lower_bound(f, class_, text, len);

    return at < f->values && f->value_class[at] == class_ && strlen(f->text[at]) == len &&
                   memcmp(f->text[at], text, len) == 0
               ? at
               : KN_NO_VALUE;
}

void kn__forest_class_values(const kn_forest *f, uint16_t class_, uint32_t *begin, uint32_t *end)
{
    *begin = lower_bound(f, class_, "", 0);
    *end = class_ == UINT16_MAX ? (uint32_t)f->values
                                : lower_bound(f, (uint16_t)(class_ + 1), "", 0);
}

/* Whether siblings are in the order of their codes, none equal; the record is in preorder. `last`
 * has a place a node, for the code of its last child so far. */
static bool is_normal(const uint32_t *value, const uint32_t *parent, uint32_t n, uint32_t *last)
{
    uint32_t root = KN_NO_VALUE;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t *before = parent[i] == KN_NO_PARENT ? &root : &last[parent[i]];
        if (*before != KN_NO_VALUE && *before >= value[i]) {
            return false;
        }
        *before = value[i];
        last[i] = KN_NO_VALUE;
    }
    return true;
}

kn_status kn__forest_normalise(kn_forest *f, uint64_t *merged, kn_error *err)
{
    kn_arranger a = {0};
    uint64_t at = 0, begin = 0;
    size_t most = 0;
    kn_status status;

    if (merged) {
        *merged = 0;
    }
    for (size_t r = 0; r < f->records; r++) {
        most = kn__forest_size(f, r) > most ? kn__forest_size(f, r) : most;
    }
    KN_TRY(kn__arranger_reserve(&a, most, err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t n = (uint32_t)(f->starts[r + 1] - begin);
        uint32_t *value = f->value + begin, *parent = f->parent + begin, left = n;
        if (!is_normal(value, parent, n, a.level)) {
            left = kn__arrange(&a, value, parent, n, true);
        }
        if (at != begin && left) {
            memmove(f->value + at, value, left * sizeof *value);
            memmove(f->parent + at, parent, left * sizeof *parent);
        }
        begin = f->starts[r + 1];
        at += left;
        f->starts[r + 1] = at;
    }
    if (merged) {
        *merged = begin - at;
    }
done:
    kn__arranger_free(&a);
    return status;
}

kn_status kn__forest_leave_out(kn_forest *f, const bool *out, kn_error *err)
{
    uint32_t *moved = NULL; /* by old place: the new place of the node, or of what it gave way to */
    uint64_t at = 0, begin = 0;
    size_t most = 0;
    kn_status status;

    for (size_t r = 0; r < f->records; r++) {
        most = kn__forest_size(f, r) > most ? kn__forest_size(f, r) : most;
    }
    moved = kn__malloc_array(most, sizeof *moved);
    KN_TRY(moved ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t n = (uint32_t)(f->starts[r + 1] - begin);
        uint32_t left = 0;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t code = f->value[begin + i], up = f->parent[begin + i];
            const uint32_t above = up == KN_NO_PARENT ? KN_NO_PARENT : moved[up];
            moved[i] = out[f->value_class[code]] ? above : left;
            if (!out[f->value_class[code]]) {
                f->value[at + left] = code;
                f->parent[at + left++] = above;
            }
        }
        begin = f->starts[r + 1];
        at += left;
        f->starts[r + 1] = at;
    }
    KN_TRY(kn__forest_normalise(f, NULL, err));
    KN_TRY(kn__forest_compact(f, err));
done:
    kn__free(moved);
    return status;
}

kn_status kn__forest_compact(kn_forest *f, kn_error *err)
{
    uint32_t *renamed = kn__zalloc_array(f->values, sizeof *renamed), kept = 0;

    KN_PASS(renamed ? KN_OK : kn__nomem(err));
    for (uint64_t i = 0; i < f->starts[f->records]; i++) {
        renamed[f->value[i]] = 1;
    }
    for (uint32_t code = 0; code < f->values; code++) {
        if (renamed[code]) {
            renamed[code] = kept;
            f->text[kept] = f->text[code];
            f->value_class[kept++] = f->value_class[code];
        } else {
            kn__free(f->text[code]);
        }
    }
    f->values = kept;
    for (uint64_t i = 0; i < f->starts[f->records]; i++) {
        f->value[i] = renamed[f->value[i]];
    }
    kn__free(renamed);
    return KN_OK;
}
