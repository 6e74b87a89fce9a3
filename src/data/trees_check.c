/* trees_check.c - whether the records of a forest are what the tree paper calls unordered attribute
 * trees, and whether its arrays keep their promises. */
#include "data/trees.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static kn_quote quoted(const kn_forest *f, uint32_t code)
{
    return kn__quote_make(f->text[code], strlen(f->text[code]));
}

static kn_status fail_classes(const kn_forest *f, size_t record, uint32_t up, uint32_t down,
                              kn_error *err)
{
    const uint16_t a = f->value_class[up], b = f->value_class[down];

    if (a == b) {
        return kn__fail(err, KN_EINPUT,
                        "record %zu: class '%.80s' occurs twice on a path: %s stands below %s. "
                        "Give the lower value a class of its own",
                        record + 1, f->classes.name[a], quoted(f, down).text, quoted(f, up).text);
    }
    return kn__fail(err, KN_EINPUT,
                    "record %zu: the classes are out of order: %s of class '%.80s' stands below %s "
                    "of class '%.80s', which comes after it in the order of the classes",
                    record + 1, quoted(f, down).text, f->classes.name[b], quoted(f, up).text,
                    f->classes.name[a]);
}

/* Every step down leads to a larger class; then no path meets a class twice. */
static kn_status check_paths(const kn_forest *f, size_t record, kn_error *err)
{
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];

    for (uint32_t i = 0; i < kn__forest_size(f, record); i++) {
        uint32_t up = parent[i];
        if (up == KN_NO_PARENT || f->value_class[value[up]] < f->value_class[value[i]]) {
            continue;
        }
        /* An ancestor of the same class says more than a parent out of order. */
        for (uint32_t p = up; p != KN_NO_PARENT; p = parent[p]) {
            up = f->value_class[value[p]] == f->value_class[value[i]] ? p : up;
        }
        return fail_classes(f, record, value[up], value[i], err);
    }
    return KN_OK;
}

typedef struct child {
    uint32_t parent, value;
} child;

static int by_parent(const void *a, const void *b)
{
    const child *x = a, *y = b;

    if (x->parent != y->parent) {
        return x->parent < y->parent ? -1 : 1;
    }
    return x->value < y->value ? -1 : x->value > y->value;
}

static kn_status check_siblings(const kn_forest *f, size_t record, child *children, kn_error *err)
{
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    const uint32_t n = kn__forest_size(f, record);

    for (uint32_t i = 0; i < n; i++) {
        children[i] = (child){parent[i], value[i]};
    }
    qsort(children, n, sizeof *children, by_parent);
    for (uint32_t i = 1; i < n; i++) {
        if (by_parent(&children[i - 1], &children[i]) == 0) {
            const uint32_t up = children[i].parent;
            return kn__fail(err, KN_EINPUT, "record %zu: %s occurs twice below %s", record + 1,
                            quoted(f, children[i].value).text,
                            up == KN_NO_PARENT ? "the root" : quoted(f, value[up]).text);
        }
    }
    return KN_OK;
}

kn_status kn__forest_check(const kn_forest *f, kn_error *err)
{
    child *children = NULL;
    size_t most = 0;
    kn_status status;

    for (size_t r = 0; r < f->records; r++) {
        most = kn__forest_size(f, r) > most ? kn__forest_size(f, r) : most;
    }
    children = kn__malloc_array(most, sizeof *children);
    KN_TRY(children ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        KN_TRY(check_paths(f, r, err));
        KN_TRY(check_siblings(f, r, children, err));
    }
done:
    kn__free(children);
    return status;
}

static bool record_is_sound(const kn_forest *f, size_t r, const char **reason)
{
    const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];

    for (uint32_t i = 0; i < kn__forest_size(f, r); i++) {
        uint32_t last = i - 1; /* i == 0: KN_NO_PARENT */
        if (value[i] >= f->values) {
            *reason = "a node has a code without a value";
            return false;
        }
        while (last != parent[i] && last != KN_NO_PARENT) {
            last = parent[last];
        }
        if (last != parent[i]) {
            *reason = "the nodes of a record are not in preorder";
            return false;
        }
    }
    return true;
}

bool kn__forest_validate(const kn_forest *f, const char **reason)
{
    *reason = NULL;
    if (f->starts[0] != 0) {
        *reason = "the first record does not begin at the first node";
        return false;
    }
    for (size_t i = 0; i < f->values; i++) {
        if (f->value_class[i] >= f->classes.len) {
            *reason = "a value has no class";
            return false;
        }
        if (i > 0 && (f->value_class[i - 1] > f->value_class[i] ||
                      (f->value_class[i - 1] == f->value_class[i] &&
                       strcmp(f->text[i - 1], f->text[i]) >= 0))) {
            *reason = "the values are not in order of class and text";
            return false;
        }
    }
    for (size_t r = 0; r < f->records; r++) {
        if (f->starts[r] > f->starts[r + 1] || !record_is_sound(f, r, reason)) {
            *reason = *reason ? *reason : "a record ends before it begins";
            return false;
        }
    }
    return true;
}
