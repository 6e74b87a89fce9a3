/* schema_trees.c - what a schema says about tree records: the order of their classes, and how rows,
 * objects or elements become trees. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/schema.h"

#include <string.h>

void kn__schema_trees_free(kn_schema *s)
{
    kn__texts_free(s->classes, s->classes_count);
    kn__free(s->tree);
}

kn_status kn__schema_trees_copy(kn_schema *to, const kn_schema *s, kn_error *err)
{
    if (s->classes) {
        KN_PASS(kn_schema_set_classes(to, (const char *const *)s->classes, s->classes_count, err));
    }
    return kn_schema_set_tree(to, s->tree, err);
}

kn_status kn_schema_set_classes(kn_schema *s, const char *const *classes, size_t count,
                                kn_error *err)
{
    KN_NEED(err, s);
    KN_NEED_LIST(err, classes, count);

    char **copy;

    for (size_t i = 0; i < count; i++) {
        if (!*classes[i]) {
            return kn__fail(err, KN_EUSAGE, "a class of the trees has an empty name");
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(classes[i], classes[j]) == 0) {
                return kn__fail(err, KN_EUSAGE, "class '%.100s' is named twice", classes[i]);
            }
        }
    }
    KN_PASS(kn__texts_copy(&copy, classes, count, err));
    kn__texts_free(s->classes, s->classes_count);
    s->classes = copy;
    s->classes_count = count;
    return KN_OK;
}

kn_status kn_schema_set_tree(kn_schema *s, const char *notation, kn_error *err)
{
    KN_NEED(err, s);

    char *copy = notation ? kn__strdup(notation) : NULL;

    if (notation && !copy) {
        return kn__nomem(err);
    }
    kn__free(s->tree);
    s->tree = copy;
    return KN_OK;
}
