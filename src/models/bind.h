/* models/bind.h - a model tied to the columns of a dataset.
 *
 * The domain of an attribute is what the attacker takes for possible: the values that the model
 * names, those that the data holds and the leaves of its hierarchy; for numbers and dates the range
 * from the least to the greatest of them. A missing value is a value of its own, possible where the
 * data has one.
 *
 * A model that was made elsewhere may name values that nobody has. They can join spans, so that
 * somebody who knows better finds fewer people in one: kn__bound_narrow takes them away. */
#ifndef KN_MODELS_BIND_H
#define KN_MODELS_BIND_H

#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "models/model.h"

typedef struct kn_bound_attribute {
    const kn_column *column; /* NULL: the model does not look at it, and the data has none */
    bool hidden;             /* private: the column is sensitive */
    /* Categories: by code of the column its place in the domain: the model's own codes first, then
     * values that the model does not know; KN_NO_CODE for missing. NULL for numbers and dates,
     * whose values are column->numbers[code]. */
    uint32_t *code;
    kn_dict *domain;   /* categories: the values of the domain by place */
    uint32_t values;   /* categories: how many */
    uint8_t *possible; /* categories: by place: taken for possible; NULL: all are */
    double low, high;  /* numbers and dates: the domain's range; low > high: no value at all */
    size_t integers;   /* numbers: only whole ones are possible; 0: all are. Clusters: so many from
                        low on; trees: not 0 */
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

/** Tie `model` to `ds`. Which attributes are private is what the roles of `ds` say, whatever the
 * model says: sensitive columns are, quasi-identifiers are not; the class of a tree is
 * unless it is a quasi-identifier. Attributes that the model does not
 * look at may be absent. For rules the item column is the one that the model names, or the only one
 * there is. `hierarchies` may be NULL. The bound borrows all three.
 *  @return KN_EINPUT naming an attribute that is no column (and the nearest that is one), one whose
 *  type does not fit, or one without a role. */
kn_status kn__bound_new(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                        const kn_hierarchies *hierarchies, kn_error *err);
/** The same to apply the model: roles do not matter, and the class of a tree may be absent. */
kn_status kn__bound_to_apply(kn_bound **out, const kn_model *model, const kn_dataset *ds,
                             kn_error *err);
/** Take for possible, in private attributes, only what the data and the hierarchies hold; places
 * and codes stay. `*narrower`: the model looks at an attribute for which that is less than before.
 * Reaches that were made before do not follow. */
kn_status kn__bound_narrow(kn_bound *b, const kn_hierarchies *hierarchies, bool *narrower,
                           kn_error *err);
/** Take only whole numbers for possible in private columns of whole numbers and of dates; of
 * clusters, where that leaves few. `*fewer`: there is such a column. */
void kn__bound_assume_integers(kn_bound *b, bool *fewer);
void kn__bound_free(kn_bound *b);

#endif
