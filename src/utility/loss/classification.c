/* classification.c - Iyengar's classification metric (2002): the share of records that a
 * classifier which answers each class's most frequent label gets wrong. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/utility.h"

#include <math.h>

/* The label's column in the release, or SIZE_MAX. */
static size_t label_column(const kn_comparison *c)
{
    const size_t label = kn_dataset_class(c->original);
    const size_t found = label == SIZE_MAX
                             ? SIZE_MAX
                             : kn_dataset_find(c->release, c->original->column[label].name);

    return found != SIZE_MAX && (!c->release->column[found].dict ||
                                 kn__type_is_list(c->release->column[found].type))
               ? SIZE_MAX
               : found;
}

kn_status kn__classification_of(double *out, const kn_comparison *c, kn_error *err)
{
    const size_t label = label_column(c);
    kn_classes *labelled = NULL;
    size_t *columns = NULL;
    uint32_t *most = NULL; /* by class: records with its most frequent label */
    size_t right = 0;
    kn_status status = KN_OK;

    *out = NAN;
    if (label == SIZE_MAX || c->people == 0) {
        return KN_OK;
    }
    columns = kn__malloc_array(c->columns + 1, sizeof *columns);
    most = kn__zalloc_array(c->classes->count, sizeof *most);
    KN_TRY(columns && most ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < c->columns; i++) {
        columns[i] = c->column[i].release;
    }
    columns[c->columns] = label;
    KN_TRY(kn__classes_new(&labelled, c->release, columns, c->columns + 1, c->run, err));
    for (uint32_t i = 0; i < labelled->count; i++) {
        const uint32_t in = c->classes->of[labelled->first[i]];
        if (labelled->size[i] > most[in]) {
            most[in] = labelled->size[i];
        }
    }
    for (uint32_t i = 0; i < c->classes->count; i++) {
        right += c->starred[i] ? 0 : most[i];
    }
    *out = (double)(c->people - right) / (double)c->people;

done:
    kn__classes_free(labelled);
    KN_FREE(columns, most);
    return status;
}
