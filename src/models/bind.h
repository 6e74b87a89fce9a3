/* models/bind.h - a model bound to the columns of a dataset.
 *
 * The domain of an attribute is what the attacker takes for possible: the values that the model
 * names, those of the data and the leaves of its hierarchy; for numbers and dates the range from
 * the least to the greatest of them. A missing value is a value of its own, possible if it occurs
 * in the data.
 *
 * A model that was made elsewhere may name values that do not occur. They may merge spans, and an
 * attacker who knows that they do not occur then finds fewer people in a span: kn__bound_narrow
 * takes them out of the domain. */
#ifndef KN_MODELS_BIND_H
#define KN_MODELS_BIND_H

#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "models/model.h"

typedef struct kn_bound_attribute {
    const kn_column *column; /* NULL: the model does not use it, and the data has none */
    bool hidden;             /* private: the column is sensitive */
    /* Categories: by code of the column its place in the domain, which starts with the model's own
     * codes; KN_NO_CODE for missing. NULL for numbers and dates, whose values are
     * column->numbers[code]. */
    uint32_t *code;
    kn_dict *domain;   /* categories: the values of the domain by place */
    uint32_t values;   /* categories: how many */
    uint8_t *possible; /* categories: by place in the domain; NULL: all are possible */
    double low, high;  /* numbers and dates: the domain's range; low > high: no value at all */
    size_t integers;   /* numbers: not 0: only integers are possible; of clusters so many, from
                          low on */
    bool missing;      /* a missing value is possible */
} kn_bound_attribute;

typedef struct kn_bound {
    const kn_model *model;
    const kn_dataset *ds;
    kn_bound_attribute *attribute; /* by attribute of the model */
    /* Rules: the item column, and by code of it the model's item, KN_NO_CODE where rules do not
     * name it. */
    const kn_column *items;
    uint32_t *item;
    uint8_t *item_hidden; /* by item of the model: private, as the data's schema says */
} kn_bound;

/** Bind `model` to `ds`. The roles of `ds` decide which attributes are private, whatever the model
 * says: sensitive columns are, quasi-identifiers are not, and the class of a tree is unless it is a
 * quasi-identifier. Attributes that the model does not use may be absent. For rules the item column
 * is the one that the model names, or the only one there is. `hierarchies` may be NULL. The bound
 * borrows all three.
 *  @return KN_EINPUT naming an attribute that is no column (and the nearest that is one), one whose
 *  type does not fit, or one without a role. */
kn_status kn__bound_new(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                        const kn_hierarchies *hierarchies, kn_error *err);
/** The same to apply the model: roles do not matter, and the class of a tree may be absent. */
kn_status kn__bound_to_apply(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                             kn_error *err);
/** Bind the attributes of a model; see kn_model_row.bind. */
kn_status kn__bind_attributes(kn_bound *b, const kn_hierarchies *hierarchies, bool to_apply,
                              kn_error *err);
/** Narrow the domains of private attributes to what occurs in the data and the hierarchies; places
 * and codes stay. `*narrower`: the domain of an attribute that the model uses has become smaller.
 * Span models that were made before do not follow. */
kn_status kn__bound_narrow(kn_bound *b, const kn_hierarchies *hierarchies, bool *narrower,
                           kn_error *err);
/** Narrow the domains of private columns of integers and of dates to integers; of clusters, where
 * few are left. `*fewer`: there is such a column. */
void kn__bound_assume_integers(kn_bound *b, bool *fewer);
void kn__bound_free(kn_bound *b);

#endif
