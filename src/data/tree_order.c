/* tree_order.c - an order of the classes that fits the relations in a forest: Kahn's topological
 * sort over the classes, which always takes the first class that is free. */
#include "data/trees.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Which classes are parents of which: below[a * classes + b]. */
static void find_relations(const kn_forest *f, bool *below)
{
    const size_t classes = f->classes.len;

    for (size_t r = 0; r < f->records; r++) {
        const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
        for (uint32_t i = 0; i < kn__forest_size(f, r); i++) {
            if (parent[i] != KN_NO_PARENT) {
                below[f->value_class[value[parent[i]]] * classes + f->value_class[value[i]]] = true;
            }
        }
    }
}

/* The classes in their new order into `order`; false where relations go in a circle. */
static bool sort_classes(const bool *below, size_t classes, uint16_t *order, bool *placed)
{
    for (size_t n = 0; n < classes; n++) {
        size_t c = 0;
        for (; c < classes; c++) {
            bool is_free = !placed[c];
            for (size_t up = 0; is_free && up < classes; up++) {
                is_free = placed[up] || !below[up * classes + c];
            }
            if (is_free) {
                break;
            }
        }
        if (c == classes) {
            return false;
        }
        placed[c] = true;
        order[n] = (uint16_t)c;
    }
    return true;
}

/* Give the classes their new order; the values of a class are a run of codes, which moves. */
static kn_status move_classes(kn_forest *f, const uint16_t *order, kn_error *err)
{
    char **names = kn__malloc_array(f->classes.len, sizeof *names);
    char **text = kn__malloc_array(f->values, sizeof *text);
    uint16_t *value_class = kn__malloc_array(f->values, sizeof *value_class);
    uint32_t *renamed = kn__malloc_array(f->values, sizeof *renamed), at = 0;
    kn_status status;

    KN_TRY(names && text && value_class && renamed ? KN_OK : kn__nomem(err));
    for (size_t n = 0; n < f->classes.len; n++) {
        uint32_t begin, end;
        kn__forest_class_values(f, order[n], &begin, &end);
        names[n] = f->classes.name[order[n]];
        for (uint32_t code = begin; code < end; code++) {
            renamed[code] = at;
            text[at] = f->text[code];
            value_class[at++] = (uint16_t)n;
        }
    }
    for (uint64_t i = 0; i < f->starts[f->records]; i++) {
        f->value[i] = renamed[f->value[i]];
    }
    memcpy(f->classes.name, names, f->classes.len * sizeof *names);
    memcpy(f->text, text, f->values * sizeof *text);
    memcpy(f->value_class, value_class, f->values * sizeof *value_class);
done:
    KN_FREE(renamed, value_class, text, names);
    return status;
}

kn_status kn__forest_order_classes(kn_forest *f, kn_error *err)
{
    enum { MOST = 4096 }; /* beyond, the order stays: the table of relations would be too large */
    const size_t classes = f->classes.len;
    bool *below = NULL, *placed = NULL;
    uint16_t *order = NULL;
    kn_status status = KN_OK;

    if (classes > MOST) {
        return KN_OK;
    }
    below = kn__zalloc_array(classes * classes, sizeof *below);
    placed = kn__zalloc_array(classes, sizeof *placed);
    order = kn__malloc_array(classes, sizeof *order);
    KN_TRY(below && placed && order ? KN_OK : kn__nomem(err));
    find_relations(f, below);
    if (sort_classes(below, classes, order, placed)) {
        bool same = true;
        for (size_t n = 0; n < classes; n++) {
            same = same && order[n] == n;
        }
        KN_TRY(same ? KN_OK : move_classes(f, order, err));
    }
done:
    KN_FREE(order, placed, below);
    return status;
}
