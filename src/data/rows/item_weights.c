/* item_weights.c - weights of items in the utility loss, from the schema. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/schema.h"

#include <string.h>

void kn__item_weights_clear(kn_item_weights *w)
{
    kn__texts_free(w->texts, w->count);
    kn__free(w->weights);
    *w = (kn_item_weights){0};
}

/* Lists of weights are short, and grow by one. */
static kn_status append(kn_item_weights *w, const char *item, double weight, kn_error *err)
{
    const size_t count = w->count + 1;
    char **texts = kn__realloc_array(w->texts, count, sizeof *texts);
    double *weights;

    KN_PASS(texts ? KN_OK : kn__nomem(err));
    w->texts = texts;
    weights = kn__realloc_array(w->weights, count, sizeof *weights);
    KN_PASS(weights ? KN_OK : kn__nomem(err));
    w->weights = weights;
    texts[w->count] = kn__strdup(item);
    KN_PASS(texts[w->count] ? KN_OK : kn__nomem(err));
    weights[w->count++] = weight;
    return KN_OK;
}

kn_status kn__item_weights_set(kn_item_weights *w, const char *item, double weight, kn_error *err)
{
    if (!(weight >= 0 && weight <= 1)) {
        return kn__fail(err, KN_EUSAGE,
                        "the weight of item '%.100s' is %g: give a number from 0 to 1", item,
                        weight);
    }
    for (size_t i = 0; i < w->count; i++) {
        if (strcmp(w->texts[i], item) == 0) {
            w->weights[i] = weight;
            return KN_OK;
        }
    }
    return append(w, item, weight, err);
}

kn_status kn__item_weights_copy(kn_item_weights *to, const kn_item_weights *from, kn_error *err)
{
    for (size_t i = 0; i < from->count; i++) {
        KN_PASS(append(to, from->texts[i], from->weights[i], err));
    }
    return KN_OK;
}

kn_status kn_dataset_set_item_weight(kn_dataset *ds, size_t column, const char *item, double weight,
                                     kn_error *err)
{
    KN_NEED(err, ds, item);
    KN_NEED_INDEX(err, column, ds->columns, "column");

    return kn__item_weights_set(&ds->column[column].item_weights, item, weight, err);
}
