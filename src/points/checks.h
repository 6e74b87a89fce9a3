/* points/checks.h - the table of checks, and what they search in. */
#ifndef KN_POINTS_CHECKS_H
#define KN_POINTS_CHECKS_H

#include "points/points.h"

enum { KN_USUAL_K = 5 }; /* values are rare below it where no k was asked */

/** What is searched: a table or a model. */
typedef struct kn_point_search {
    const kn_table_facts *table; /* or NULL */
    const kn_model_facts *model; /* or NULL */
    const kn_point_options *options;
    const kn_run *run;
    kn_points *points; /* with the survey of a table; points are added to it */
    kn_error *err;
} kn_point_search;

/** How a check finds its points, what it says of one, and what settles it. */
typedef struct kn_check_row {
    kn_status (*find)(kn_point_search *s);
    void (*words)(kn_buffer *b, const kn_point_search *s, const kn_point *p);
    void (*remedy)(kn_buffer *b, const kn_point_search *s, const kn_point *p);
} kn_check_row;

extern const kn_point_check kn__checks[KN_CHECKS];
extern const kn_check_row kn__check_rows[KN_CHECKS];

/** Add a point; `decided`: it is, even if it was not accepted by name. */
kn_status kn__point_add(kn_point_search *s, kn_check_number check, const char *column,
                        size_t records, double value, bool decided);

#endif
