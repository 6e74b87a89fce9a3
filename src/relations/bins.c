/* bins.c - numbers and dates into groups, through hierarchies: a class takes the labels of one
 * level of a hierarchy, and the levels above it are the class's own hierarchy from then on. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "relations/tables.h"

#include <stdlib.h>
#include <string.h>

/* The levels of the hierarchy that KN_BUILD_DATES makes, below decade and root; dates in other
 * forms than YYYY-MM-DD are one level more below these. */
static const char *const date_levels[] = {"day", "month", "quarter", "year", "decade"};
enum { DATE_LEVELS = sizeof date_levels / sizeof *date_levels + 1 };

kn_status kn_relations_set_bin(kn_relations *r, const char *class_, const char *how, kn_error *err)
{
    KN_NEED(err, r, class_, how);

    kn_bin *b;

    for (size_t i = 0; i < r->bins; i++) {
        if (strcmp(r->bin[i].class_, class_) == 0) {
            return kn__fail(err, KN_EUSAGE, "--bin: class '%.80s' is given twice", class_);
        }
    }
    if (!*how) {
        return kn__fail(
            err, KN_EUSAGE,
            "--bin %.80s: give a width, day, month, quarter, year, decade or the file of "
            "a hierarchy",
            class_);
    }
    KN_PASS(kn__grow(&r->bin, &r->bins_cap, r->bins + 1, sizeof *r->bin, err));
    b = &r->bin[r->bins++];
    *b = (kn_bin){.class_ = kn__strdup(class_), .how = kn__strdup(how)};
    return b->class_ && b->how ? KN_OK : kn__nomem(err);
}

/* The hierarchy of a bin over the values of its column, and the level that it means. */
static kn_status make_hierarchy(kn_bin *b, const kn_dataset *ds, size_t column, kn_error *err)
{
    char *end = NULL, *path = NULL, *at;
    const double width = strtod(b->how, &end);
    kn_status status;

    for (size_t i = 0; i < sizeof date_levels / sizeof *date_levels; i++) {
        if (strcmp(b->how, date_levels[i]) == 0) {
            status = kn_hierarchy_build(&b->hierarchy, ds, column,
                                        &(kn_build_options){.kind = KN_BUILD_DATES}, err);
            b->level = status == KN_OK && b->hierarchy->levels > DATE_LEVELS
                           ? i + b->hierarchy->levels - DATE_LEVELS
                           : i;
            return status;
        }
    }
    b->level = 1;
    if (*end == '\0' && end != b->how) {
        if (!(width > 0)) {
            return kn__fail(err, KN_EUSAGE, "--bin %.80s: a width is a number above 0", b->class_);
        }
        return kn_hierarchy_build(
            &b->hierarchy, ds, column,
            &(kn_build_options){.kind = KN_BUILD_WIDTH, .width = width, .fanout = 5}, err);
    }
    path = kn__strdup(b->how);
    KN_TRY(path ? KN_OK : kn__nomem(err));
    at = strrchr(path, '@');
    if (at && at[1]) {
        const unsigned long level = strtoul(at + 1, &end, 10);
        if (*end == '\0' && level > 0 && level < KN_LEVELS_MOST) {
            b->level = level;
            *at = '\0';
        }
    }
    KN_TRY(kn_hierarchy_read(&b->hierarchy, path, err));
done:
    kn__free(path);
    return status;
}

static uint32_t climb(const kn_hierarchy *h, uint32_t node, size_t level)
{
    for (; level > 0; level--) {
        node = h->parent[node];
    }
    return node;
}

kn_status kn__relations_bin(kn_relations *r, const char *class_, kn_dataset *ds, size_t column,
                            const char ***labels, kn_error *err)
{
    const kn_column *c = &ds->column[column];
    const uint32_t values = kn__column_values(c);
    kn_bin *b = NULL;
    uint32_t *leaf = NULL;
    size_t uncovered;
    kn_status status;

    *labels = NULL;
    for (size_t i = 0; i < r->bins; i++) {
        b = strcmp(r->bin[i].class_, class_) == 0 ? &r->bin[i] : b;
    }
    if (!b) {
        return KN_OK;
    }
    kn_hierarchy_free(b->hierarchy);
    b->hierarchy = NULL;
    KN_TRY(make_hierarchy(b, ds, column, err));
    leaf = kn__malloc_array(values, sizeof *leaf);
    KN_TRY(leaf ? KN_OK : kn__nomem(err));
    KN_TRY(kn__hierarchy_bind(b->hierarchy, c, leaf, &uncovered, err));
    if (uncovered) {
        KN_TRY(kn__hierarchy_fail_uncovered(b->hierarchy, c, leaf, uncovered, err));
    }
    *labels = kn__malloc_array(values, sizeof **labels);
    KN_TRY(*labels ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        (*labels)[code] = leaf[code] == KN_NO_CODE
                              ? ""
                              : kn__hierarchy_label(b->hierarchy,
                                                    climb(b->hierarchy, leaf[code], b->level));
    }
done:
    kn__free(leaf);
    return status;
}

/* ---- hierarchies of the classes ---- */

/* What is above level `b->level`, for the values that occur. */
static kn_status upper_levels(const kn_bin *b, const kn_dataset *ds, size_t column,
                              kn_hierarchy **out, kn_error *err)
{
    const kn_hierarchy *h = b->hierarchy;
    kn_hierarchy_builder m = {.name = b->class_};
    kn_text row[KN_LEVELS_MOST + 1];
    kn_status status = KN_OK;

    for (uint32_t leaf = 0; leaf < h->leaves; leaf++) {
        uint32_t node = climb(h, leaf, b->level);
        const char *label = kn__hierarchy_label(h, node);
        size_t count = 0;
        if (kn__dict_find(ds->column[column].dict, label, strlen(label)) == KN_NO_CODE) {
            continue;
        }
        if (m.leaf && kn__dict_find(m.leaf, label, strlen(label)) != KN_NO_CODE) {
            continue;
        }
        for (;; node = h->parent[node]) {
            const char *text = kn__hierarchy_label(h, node);
            row[count++] = (kn_text){text, strlen(text)};
            if (h->parent[node] == node) {
                break;
            }
        }
        if (count == 1) { /* the root itself */
            row[count++] = (kn_text){"*", 1};
        }
        KN_TRY(kn__hierarchy_builder_row(&m, row, count, 0, err));
    }
    KN_TRY(kn__hierarchy_builder_finish(&m, out, err));
done:
    kn__hierarchy_builder_clear(&m);
    return status;
}

kn_status kn__relations_hierarchy(const kn_relations *r, const kn_dataset *trees, size_t column,
                                  size_t fanout, kn_hierarchy **out, kn_error *err)
{
    const kn_build_options options = {.kind = KN_BUILD_FANOUT, .fanout = fanout ? fanout : 5};

    for (size_t i = 0; i < r->bins; i++) {
        if (strcmp(r->bin[i].class_, trees->column[column].name) == 0 && r->bin[i].hierarchy) {
            return upper_levels(&r->bin[i], trees, column, out, err);
        }
    }
    return kn_hierarchy_build(out, trees, column, &options, err);
}
