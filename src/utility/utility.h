/* utility/utility.h - what every measure looks at.
 *
 * A comparison is an original and its release, brought together: which columns are the same,
 * what each published value means, which record became which. Cells are the quasi-identifier
 * cells of one column, counted by (original value, published value), so that a measure is a sum
 * over distinct pairs and not over records. */
#ifndef KN_UTILITY_UTILITY_H
#define KN_UTILITY_UTILITY_H

#include "base/arena.h"
#include "count/classes.h"
#include "hierarchy/domain.h"
#include "kanon/measure.h"

/** One quasi-identifier in both tables. */
typedef struct kn_compared {
    size_t original, release; /* its number in either table */
    double weight;            /* the weights sum to 1, that of an item column included */
    kn_domain *domain;
    kn_published *published; /* by code of the release's column */
    uint32_t published_count;
    uint32_t star; /* the code of `*` in the release, or KN_NO_CODE */
} kn_compared;

/** An item column in both tables. */
typedef struct kn_items kn_items;

typedef struct kn_comparison {
    const kn_dataset *original, *release;
    const kn_run *run;
    const uint32_t *origin; /* by record of the release: the original's record; NULL: not known */
    uint32_t *found;        /* what `origin` points to where it was found by matching; owned */
    kn_items *items;        /* the item column beside them, which must fit too; NULL: none */
    double items_weight;    /* its weight: with those of the columns the sum is 1 */
    size_t columns;         /* quasi-identifiers with one value a record */
    kn_compared *column;
    kn_classes *classes; /* of the release, over its quasi-identifiers */
    uint8_t *starred;    /* by class: `*` in every quasi-identifier */
    size_t people;       /* of the original */
    size_t absent;       /* those that are not in the release */
    size_t suppressed;   /* those, and the starred ones */
} kn_comparison;

/** Bring both tables together. `origin` NULL: found, or left NULL where no matching in order
 *  exists. `items` (may be NULL): the item column of the table, which is left aside but must fit.
 *  Both tables, the hierarchies, `items` and `origin` must outlive `*out`.
 *  @return KN_EUSAGE without scalar quasi-identifiers or with an `origin` that is no such list;
 *  KN_EINPUT when the columns do not fit or a published value cannot be understood. O(records x
 *  columns). */
kn_status kn__comparison_new(kn_comparison **out, const kn_dataset *original,
                             const kn_dataset *release, const uint32_t *origin, kn_items *items,
                             const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err);
void kn__comparison_free(kn_comparison *c);

/** `records` records hold `from` in the original and are published as `to`. `from` is KN_NO_CODE
 *  where records are not matched, `to` is KN_NO_CODE for records that are absent. */
typedef struct kn_tally {
    uint32_t from, to;
    uint32_t records;
} kn_tally;

/** The cells of one column: every record of the original is counted in exactly one tally. */
typedef struct kn_cells {
    kn_arena arena;
    const kn_comparison *of;
    const kn_compared *column;
    kn_tally *tally; /* ascending by to, then from */
    size_t len;
    uint32_t *held;      /* by code of the original: records that hold it */
    uint64_t *up_to;     /* by code: records that hold it or a code before it */
    uint64_t *below;     /* by node of the domain: records that hold a value at or below it */
    uint32_t *top_level; /* by node: the highest level on which it stands; only without matching */
} kn_cells;

/** What a tally's cells say. */
typedef struct kn_cell_pair {
    double loss, ncp;
    double level;   /* share of the way up to the root; the loss where there is no hierarchy */
    uint64_t alike; /* records of the original that it could stand for; 0 when not matched */
} kn_cell_pair;

/** Count the cells of column `i` of the comparison. @return KN_EINPUT when a published value
 *  does not cover its original. Expected O(records + pairs log pairs). */
kn_status kn__cells_new(kn_cells **out, const kn_comparison *c, size_t i, kn_error *err);
void kn__cells_free(kn_cells *cells);
kn_cell_pair kn__cells_get(const kn_cells *cells, size_t i);

/* Measures of one column. */
double kn__ncp_of(const kn_cells *cells);
double kn__loss_of(const kn_cells *cells);
double kn__precision_of(const kn_cells *cells);
/** Cells that are suppressed: published as `*`, or of absent records. */
size_t kn__suppressed_of(const kn_cells *cells);
/** Bits that the published values leave open, and bits that suppressing all would: their
 *  quotient is the measure. NaN when records are not matched. */
typedef struct kn_bits {
    double lost, all;
} kn_bits;
kn_bits kn__entropy_of(const kn_cells *cells);
double kn__entropy_share(kn_bits bits);

/* Measures of the whole table. */
double kn__discernibility_of(const kn_comparison *c);
double kn__average_class_size_of(const kn_comparison *c);
kn_status kn__classification_of(double *out, const kn_comparison *c, kn_error *err);
double kn__suppressed_records_of(const kn_comparison *c);

/** The measurements, in order. */
struct kn_measures {
    kn_measurement *list;
    size_t count;
    char *names; /* of the columns, one after the other */
};

/** Add a measure of the whole table; `name` is a literal. */
kn_status kn__measures_add(kn_measures *m, const char *name, double value, kn_error *err);

/** The quasi-identifier of `ds` that is a list, or SIZE_MAX if none or several are. */
size_t kn__items_measured(const kn_dataset *ds);
/** Bring the item columns of both tables together, which must outlive `*out`. `known` and
 *  `left_out` as below. */
kn_status kn__items_new(kn_items **out, const kn_dataset *original, const kn_dataset *release,
                        const kn_hierarchies *hierarchies, bool known, const uint8_t *left_out,
                        const kn_run *run, kn_error *err);
void kn__items_free(kn_items *x);
const kn_column *kn__items_column_of(const kn_items *x);
/** Whether the items of record `release` may be those of record `original`. One thread at a time.
 */
bool kn__items_fit(const kn_items *x, size_t original, size_t release);
/** What was lost; shares of the occurrences of items in the original, NaN without any; and UL. */
typedef struct kn_items_lost {
    double ncp, loss, changed, left_out, ul;
} kn_items_lost;
/** Records are matched by `origin`, or not at all (NULL). @return KN_EINPUT as below. */
kn_status kn__items_lose(kn_items_lost *out, kn_items *x, const uint32_t *origin, kn_error *err);
/** kn_measure for a table with no other quasi-identifier: `ncp` and `loss` are means over the
 * occurrences of items in the original, each with the narrowest published item of its record that
 * covers it.
 *  @return KN_EINPUT when a published item covers none of its record, or an item is not covered; in
 *  bags, when they cannot be matched one by one. Items may be left out of all records: those that
 *  `left_out` (by code of the original; NULL: none) says if that is `known`, and no others;
 *  otherwise those that explain the release. O(sum over the records of the product of both
 *  lengths). */
kn_status kn__items_measure(kn_measures **out, const kn_dataset *original,
                            const kn_dataset *release, const uint32_t *origin,
                            const kn_hierarchies *hierarchies, bool known, const uint8_t *left_out,
                            const kn_run *run, kn_error *err);

/** The scalar quasi-identifiers of `ds`, into a new array (free with kn__free). KN_EUSAGE when
 *  there is none or one is a list (`aside`, which may be NULL, aside), KN_EINPUT when its values
 * were not kept; `what` names the table in the message. */
kn_status kn__utility_quasi(const kn_dataset *ds, const char *what, const kn_column *aside,
                            size_t **out, size_t *count, kn_error *err);

/** The texts of `column` of `release` as published values of `d`, by code, into a new array (free
 *  with kn__parsed_published_free). The missing value of a list is left zeroed: it is no item.
 *  @return KN_EINPUT for a text that is none, with the first record that holds it. */
kn_status kn__parse_published(kn_published **out, const kn_domain *d, const kn_dataset *release,
                              const kn_column *column, kn_error *err);
void kn__parsed_published_free(kn_published *published, uint32_t count);

/** Codes of `from` as codes of `to`, by text; missing to missing; KN_NO_CODE where `to` lacks
 *  the value. A new array (free with kn__free). */
kn_status kn__utility_translate(const kn_column *from, const kn_column *to, uint32_t **out,
                                kn_error *err);

#endif
