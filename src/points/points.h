/* points/points.h - the inside of points, and how tables, releases and models give them. */
#ifndef KN_POINTS_POINTS_H
#define KN_POINTS_POINTS_H

#include "base/buffer.h"
#include "data/dataset.h"
#include "kanon/points.h"

/** The checks, in the order of their points. */
typedef enum kn_check_number {
    KN_CHECK_IDENTIFIER = 0,
    KN_CHECK_UNIQUE,
    KN_CHECK_RARE,
    KN_CHECK_CERTAINTY,
    KN_CHECK_SMALL_K,
    KN_CHECK_SORTED,
    KN_CHECK_ROLE,
    KN_CHECK_ROWS,
    KN_CHECK_NOTHING_PRIVATE,
    KN_CHECKS
} kn_check_number;

/** The limit of a check under `options`. */
double kn__point_limit(const kn_point_options *options, kn_check_number check);

struct kn_points {
    bool holds;
    bool unknown;    /* a model that does not hold, as it cannot be judged by these data */
    kn_point *point; /* open ones first, by check, then in the order of the columns; its texts are
                        owned */
    size_t count, cap, open;
    char *claim, *summary;
    bool surveyed;
    kn_survey survey; /* its columns and their names are owned */
    size_t smallest;  /* records of the smallest equivalence class by the quasi-identifiers with one
                         value a record; 0: there is none */
};

/* ---- survey.c ---- */

/** Count what `out` says, but for the marks of `singles_out`, which are set only where unique
 * records are beyond `unique_limit` (a share). `smallest` becomes as in kn_points. */
kn_status kn__survey_make(kn_survey *out, size_t *smallest, const kn_dataset *ds, size_t rare_below,
                          double unique_limit, double certainty_limit, const kn_run *run,
                          kn_error *err);
/** How many records are unique by the columns of a survey without those that may be unique. */
kn_status kn__survey_unique_otherwise(size_t *out, const kn_dataset *ds, const kn_dataset *original,
                                      const kn_run *run, kn_error *err);
/** Whether column `name` of `ds` may be unique, by decision; said of the original where that is
 * known, as a published file does not carry it. */
bool kn__may_be_unique(const kn_dataset *ds, const kn_dataset *original, const char *name);
void kn__survey_clear(kn_survey *s);

/* ---- points.c ---- */

/** A published table, and what only the publisher knows of it. All borrowed. */
typedef struct kn_table_facts {
    const kn_dataset *published;
    const kn_guarantee *guarantees;
    size_t guarantees_count;
    const kn_verdict *verdict;
    const kn_dataset *original; /* NULL: not known; then order is not looked at */
    const uint32_t *origin;     /* by published record: that of the original; NULL: in order */
    bool shuffled;
    /* Of an original that was recoded in place: by its columns, whether a value is another one now.
     * NULL: the published table is another than the original. */
    const uint8_t *changed;
    /* The column of the original that is left out and stands for people with several records, and
     * how many values it has (utility/profile/profile.h); NULL: none. */
    const kn_column *people;
    kn_distinct people_found;
    const kn_point_options *options; /* NULL: the standard */
} kn_table_facts;

kn_status kn__points_of_table(kn_points **out, const kn_table_facts *facts, const kn_run *run,
                              kn_error *err);

/** What was found of a model. All borrowed. */
typedef struct kn_model_facts {
    bool holds, unknown; /* as in kn_points */
    const char *claim;
    bool lacks_private; /* it holds because nothing in the data was called private */
    bool of_items;      /* private things are items, not columns */
    uint64_t k; /* the k that holds, or that was asked where it does not; UINT64_MAX: nothing
                   private is revealed */
    double certainty;
    uint64_t certain_records; /* of spans with a certainty above the limit */
    const kn_point_options *options;
} kn_model_facts;

/** Whether it is a point, open or decided, that nothing was called private. */
bool kn__points_lack_private(const kn_points *p);
kn_status kn__points_of_model(kn_points **out, const kn_model_facts *facts, kn_error *err);

/** A copy that owns its names, or nothing on failure; and its end. */
kn_status kn__point_options_copy(kn_point_options *out, const kn_point_options *from,
                                 kn_error *err);
void kn__point_options_clear(kn_point_options *options);

/** KN_EBROKEN if `strict` is set and a point is open, with the names of such points. */
kn_status kn__points_refuse(const kn_points *p, const kn_point_options *options, const char *what,
                            kn_error *err);

#endif
