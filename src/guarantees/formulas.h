/* guarantees/formulas.h - the formulas of the guarantees, on histograms of sensitive values.
 *
 * The checker and the judge of the methods count records each in their own way and ask these
 * formulas. All verdicts are exact: counts are integers, and a quotient is rounded once, to the
 * nearest double, before it is compared with the parameter, which is one too. */
#ifndef KN_GUARANTEES_FORMULAS_H
#define KN_GUARANTEES_FORMULAS_H

#include "base/arena.h"
#include "base/hash.h"
#include "data/dataset.h"
#include "kanon/guarantee.h"

/** How often each value of a sensitive column occurs in a set of records. */
typedef struct kn_histogram {
    uint32_t *count;   /* by code; 0 for all that are not in `codes` */
    uint32_t *codes;   /* the codes that occur, in no order */
    uint32_t distinct; /* how many */
    uint64_t total;    /* records */
} kn_histogram;

/** Room for one thread to evaluate in. */
typedef struct kn_formula_scratch {
    kn_histogram histogram;
    uint32_t *sorted; /* as many as the largest sensitive column has values */
    uint64_t *held; /* by node of the largest tree: records of the class below it; 0 between uses */
    uint64_t *surplus; /* by node: mass that its children have too much of; 0 between uses */
    uint32_t *nodes;   /* nodes touched */
} kn_formula_scratch;

/** A sensitive column's distribution in the whole table, ready for one distance. */
typedef struct kn_reference {
    kn_arena arena;
    kn_distance distance;
    uint64_t records;   /* in the table */
    uint32_t values;    /* codes of the column */
    uint32_t *count;    /* equal: by code */
    uint32_t *rank;     /* ordered: by code, its place among the values that occur */
    uint32_t present;   /* ordered: values that occur */
    uint32_t *upto;     /* ordered: by rank, records with that value or a lesser one */
    uint64_t *upto_sum; /* ordered: by rank, the sum of `upto` over lesser ranks; present + 1 */
    uint32_t nodes;     /* hierarchical: children before parents, the root last */
    uint32_t *leaf;     /* hierarchical: by code, its node */
    uint32_t *parent;   /* hierarchical: by node; the root is its own */
    uint32_t *height;   /* hierarchical: by node, the longest way down to a value */
    uint64_t *below;    /* hierarchical: by node, records at or below it */
} kn_reference;

typedef struct kn_sensitive {
    const kn_column *column;
    const uint32_t *counts; /* by record: people; NULL: one each */
    /* The column whose codes histograms have: that of the original table where classes are compared
     * with it, so that values which are no longer published have a place; `column` otherwise. */
    const kn_column *coded;
    /* By code of `column`: the code of `coded` with its value, the first one where several have one
     * number ("1.0", "1.00"); NULL: itself. */
    uint32_t *same;
    kn_reference *reference[2][3]; /* by kn_reference_table and kn_distance; NULL: not asked for */
} kn_sensitive;

/** Guarantees made ready for one table. */
typedef struct kn_formulas {
    kn_guarantee *guarantees;
    size_t count;
    kn_sensitive *sensitive; /* empty when only k-anonymity is asked */
    size_t sensitives;
    size_t least;   /* records below which no class can satisfy */
    bool reference; /* classes are compared with a whole table: t-closeness */
    bool moves;     /* and one of these is the published one */
    bool original;  /* and one is the original, which was given */
    bool open;      /* or was not */
} kn_formulas;

/** The tables that guarantees are prepared for; all are borrowed. */
typedef struct kn_formula_tables {
    const kn_dataset *ds;       /* whose classes are judged */
    const kn_dataset *original; /* what `ds` was made of, may be `ds`; NULL: not known */
    const kn_hierarchies *hierarchies;
    const uint8_t *kept; /* as in kn__judge_new */
} kn_formula_tables;

/** Validate `guarantees` and prepare them for `t`. KN_EINPUT when a sensitive column of the table
 *  cannot come from the original. O(records of both). */
kn_status kn__formulas_new(kn_formulas **out, const kn_guarantee *guarantees, size_t count,
                           const kn_formula_tables *t, kn_error *err);
void kn__formulas_free(kn_formulas *f);
/** Whether guarantee `g` cannot be judged, as the original is not known. */
static inline bool kn__formula_open(const kn_formulas *f, size_t g)
{
    return f->open && kn_guarantee_compares_original(&f->guarantees[g]);
}

kn_status kn__formula_scratch_init(kn_formula_scratch *s, const kn_formulas *f, kn_error *err);
void kn__formula_scratch_clear(kn_formula_scratch *s);

/** Count the people that `records` stand for into `h`. O(count). */
void kn__histogram_add(kn_histogram *h, const kn_sensitive *sensitive, const uint32_t *records,
                       size_t count);
static inline void kn__histogram_add_code(kn_histogram *h, uint32_t code, uint32_t times)
{
    if (h->count[code] == 0) {
        h->codes[h->distinct++] = code;
    }
    h->count[code] += times;
    h->total += times;
}
/** Empty it again. O(distinct). */
void kn__histogram_reset(kn_histogram *h);

/** Whether a class with the histogram `scratch->histogram` of sensitive column `s` satisfies
 *  guarantee `g`. `value` (may be NULL) receives what holds for it. k-anonymity looks at the
 *  total alone. An empty class satisfies everything. */
bool kn__formula_holds(const kn_formulas *f, size_t g, size_t s, kn_formula_scratch *scratch,
                       double *value);

/** The value of a guarantee that an empty table achieves: no class limits it. */
double kn__formula_unlimited(const kn_guarantee *g);
/** The less strict of two achieved values: the smaller k or l, the larger c or t. */
double kn__formula_worse(const kn_guarantee *g, double a, double b);
/** How much of the requirement is missing, in 0..1, greater being worse; orders violations
 *  across guarantees. */
double kn__formula_badness(const kn_guarantee *g, double value);

/** k and m of a guarantee of items. */
kn_status kn__km_anonymity_validate(const kn_guarantee *g, kn_error *err);
/** `sorted` has room for h->distinct counts. */
bool kn__l_diversity_holds(const kn_guarantee *g, const kn_histogram *h, uint32_t *sorted,
                           double *value);

/** The reference for `distance`, from `counts` by code over `records` records. KN_EUSAGE when
 *  the column does not fit the distance. */
kn_status kn__reference_new(kn_reference **out, const kn_column *column, kn_distance distance,
                            const uint32_t *counts, uint64_t records,
                            const kn_hierarchies *hierarchies, kn_error *err);
void kn__reference_free(kn_reference *r);

/** The hierarchical part: the tree, and the distance of scratch->histogram as numerator over
 *  height x total x records. */
kn_status kn__reference_plant(kn_reference *r, const kn_column *column, const kn_hierarchy *h,
                              const uint32_t *counts, kn_error *err);
kn_u128 kn__reference_tree_distance(const kn_reference *r, kn_formula_scratch *s);

/** a / b, 0 <= a <= b < 2^120, b > 0, rounded once to the nearest double. */
double kn__ratio(kn_u128 a, kn_u128 b);
#endif
