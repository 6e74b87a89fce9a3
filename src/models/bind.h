/* models/bind.h - a model tied to the columns of a dataset.
 *
 * The domain of an attribute is what the attacker takes for possible: the values that the model
 * names, those that the data holds and the leaves of its hierarchy; for numbers and dates the range
 * from the least to the greatest of them. A missing value is a value of its own, possible where the
 * data has one. */
#ifndef KN_MODELS_BIND_H
#define KN_MODELS_BIND_H

#include "data/dataset.h"
#include "models/model.h"

typedef struct kn_bound_attribute {
    const kn_column *column;
    /* Categories: by code of the column its place in the domain: the model's own codes first, then
     * values that the model does not know; KN_NO_CODE for missing. NULL for numbers and dates, whose
     * values are column->numbers[code]. */
    uint32_t *code;
    uint32_t values;  /* categories: of the domain */
    double low, high; /* numbers and dates: the domain's range */
    bool missing;     /* a missing value is possible */
} kn_bound_attribute;

typedef struct kn_bound {
    const kn_model *model;
    const kn_dataset *ds;
    kn_bound_attribute *attribute; /* by attribute of the model */
    /* Rules: the item column, and by code of it the model's item, KN_NO_CODE where rules do not
     * name it. */
    const kn_column *items;
    uint32_t *item;
} kn_bound;

/** Tie `model` to `ds`. Which attributes are hidden is what the roles of `ds` say: sensitive columns
 * are private, quasi-identifiers public; `model` must agree with them or be silent.
 *  @return KN_EINPUT naming an attribute that is no column, one whose type does not fit, or one
 *  without a role. */
kn_status kn_bound_new(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                       const kn_hierarchies *hierarchies, kn_error *err);
void kn_bound_free(kn_bound *b);

#endif
