/* oracle/trees.h - a tree whose siblings are distinct is the set of its paths: the slow and obvious
 * form with which forests are compared. And random forests. */
#ifndef KN_ORACLE_TREES_H
#define KN_ORACLE_TREES_H

#include "base/rng.h"
#include "data/trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORACLE_PATH = 400, ORACLE_PATHS = 64 };

typedef struct oracle_paths {
    size_t count;
    char path[ORACLE_PATHS][ORACLE_PATH];
} oracle_paths;

static int oracle_path_order(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The paths of one record, each once, sorted: "class:value/class:value". */
static void oracle_tree_paths(const kn_forest *f, size_t record, oracle_paths *out)
{
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    size_t kept = 0;

    out->count = 0;
    for (uint32_t i = 0; i < kn__forest_size(f, record); i++) {
        char path[ORACLE_PATH] = "", longer[ORACLE_PATH * 2];
        for (uint32_t n = i; n != KN_NO_PARENT; n = parent[n]) {
            snprintf(longer, sizeof longer, "/%s:%s%s", f->classes.name[f->value_class[value[n]]],
                     f->text[value[n]], path);
            memcpy(path, longer, sizeof path - 1);
        }
        memcpy(out->path[out->count++], path, sizeof path);
    }
    qsort(out->path, out->count, sizeof *out->path, oracle_path_order);
    for (size_t i = 0; i < out->count; i++) {
        if (i == 0 || strcmp(out->path[i], out->path[kept - 1]) != 0) {
            memmove(out->path[kept++], out->path[i], sizeof *out->path);
        }
    }
    out->count = kept;
}

static bool oracle_same_trees(const kn_forest *a, const kn_forest *b)
{
    static oracle_paths x, y;

    if (a->records != b->records) {
        return false;
    }
    for (size_t r = 0; r < a->records; r++) {
        oracle_tree_paths(a, r, &x);
        oracle_tree_paths(b, r, &y);
        if (x.count != y.count) {
            return false;
        }
        for (size_t i = 0; i < x.count; i++) {
            if (strcmp(x.path[i], y.path[i]) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* A forest of up to `records` records with up to `nodes` nodes each, classes C0..C3 and values from
 * `texts`; nodes come in any order, parents first. Equal siblings may occur. */
static kn_forest *oracle_random_forest(kn_rng *rng, size_t records, size_t nodes,
                                       const char *const *texts, size_t texts_count)
{
    static const char *const names[] = {"C0", "C1", "C2", "C3"};
    const kn_tree_classes classes = {4, (char **)names};
    const size_t count = 1 + kn__rng_below(rng, records);
    kn_forest_builder *b = NULL;
    kn_forest *f = NULL;

    if (kn__forest_builder_new(&b, &classes, NULL) != KN_OK) {
        abort();
    }
    for (size_t r = 0; r < count; r++) {
        const size_t n = kn__rng_below(rng, nodes + 1);
        uint16_t class_of[ORACLE_PATHS];
        uint32_t added = 0;
        if (kn__forest_builder_record(b, NULL) != KN_OK) {
            abort();
        }
        for (size_t i = 0; i < n; i++) {
            const uint64_t up = kn__rng_below(rng, added + 1);
            const char *text = texts[kn__rng_below(rng, texts_count)];
            uint16_t least = up == added ? 0 : (uint16_t)(class_of[up] + 1), own;
            uint32_t node;
            if (least > 3) {
                continue;
            }
            own = (uint16_t)(least + kn__rng_below(rng, 4u - least));
            if (kn__forest_builder_node(b, own, text, strlen(text),
                                        up == added ? KN_NO_PARENT : (uint32_t)up, &node,
                                        NULL) != KN_OK) {
                abort();
            }
            class_of[node] = own;
            added++;
        }
    }
    if (kn__forest_builder_finish(b, &f, NULL) != KN_OK) {
        abort();
    }
    return f;
}

#endif
