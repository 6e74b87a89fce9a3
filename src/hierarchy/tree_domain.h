/* hierarchy/tree_domain.h - what the values of a forest may be generalised to.
 *
 * Every class of the forest has a hierarchy, by its name; without one its values stand directly
 * below a root `*`. A label is a node of one of these hierarchies: labels of a class follow each
 * other, its values and leaves first, its root last, so a parent has a greater number than its
 * children. Leaves of a hierarchy that do not occur in the forest are labels too.
 *
 * Levels are counted from below: a leaf has height 0. The measures of the tree paper count the
 * nodes of a level over all classes. */
#ifndef KN_HIERARCHY_TREE_DOMAIN_H
#define KN_HIERARCHY_TREE_DOMAIN_H

#include "data/trees.h"
#include "hierarchy/domain.h"

#define KN_NOT_A_LABEL UINT32_MAX

typedef struct kn_tree_domain {
    uint32_t labels, classes;
    uint32_t *parent;      /* by label; a root is its own */
    uint32_t *height;      /* by label: 0 for leaves, else one more than the highest child */
    uint16_t *class_;      /* by label */
    char **text;           /* by label */
    uint32_t *published;   /* by label: the highest label of its class with the same text, which is
                              what the text is read as */
    uint32_t *child_begin; /* by label, and one more: its children in `child` */
    uint32_t *child;
    uint32_t *first, *root; /* by class: its first label and its root */
    uint32_t *of_value;     /* by code of the forest */
    uint32_t levels;        /* heights are below it */
    uint32_t *on_level;     /* by height: labels of all classes */
    double top;             /* height of the hierarchy with a common root `*` above all classes */
} kn_tree_domain;

/** Bind the values of `f` to the hierarchies (may be NULL) of their classes.
 *  @return KN_EINPUT, naming class and values, for values that a hierarchy does not cover. */
kn_status kn__tree_domain_new(kn_tree_domain **out, const kn_forest *f,
                              const kn_hierarchies *hierarchies, kn_error *err);
void kn__tree_domain_free(kn_tree_domain *d);

/** The label of class `class_` that published text `text` stands for: the highest one of that name,
 *  or KN_NOT_A_LABEL. O(labels of the class). */
uint32_t kn__tree_domain_find(const kn_tree_domain *d, uint16_t class_, const char *text);

/** Whether `above` is `label` or above it. O(height). */
static inline bool kn__tree_domain_covers(const kn_tree_domain *d, uint32_t above, uint32_t label)
{
    while (label < above && d->parent[label] != label) {
        label = d->parent[label];
    }
    return label == above;
}

#endif
