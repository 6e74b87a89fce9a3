/* report/json_inside.h - what json.c and json_columns.c share: building JSON without looking at
 * each allocation. */
#ifndef KN_REPORT_JSON_INSIDE_H
#define KN_REPORT_JSON_INSIDE_H

#include "base/json.h"
#include "report/facts.h"

/* jansson lets a missing child be noticed when it is put into its parent: every failure to allocate
 * shows in `failed`, so values are built without looking at each. */
typedef struct writer {
    bool failed;
} writer;

static inline json_t *seen(writer *w, json_t *value)
{
    w->failed |= value == NULL;
    return value;
}

static inline json_t *object(writer *w)
{
    return seen(w, json_object());
}

static inline json_t *array(writer *w)
{
    return seen(w, json_array());
}

static inline void put(writer *w, json_t *parent, const char *key, json_t *value)
{
    w->failed |= json_object_set_new(parent, key, value) != 0;
}

static inline void push(writer *w, json_t *parent, json_t *value)
{
    w->failed |= json_array_append_new(parent, value) != 0;
}

static inline json_t *count(writer *w, size_t n)
{
    return seen(w, json_integer((json_int_t)n));
}

static inline json_t *number(writer *w, double x)
{
    return seen(w, kn__json_of_number(x));
}

static inline json_t *text(writer *w, const char *s)
{
    return s ? seen(w, json_string(s)) : json_null();
}

static inline void put_count(writer *w, json_t *parent, const char *key, size_t n)
{
    put(w, parent, key, count(w, n));
}

/** What was done to each column, in json_columns.c: its role, measures and distributions; and the
 *  generalisations of each quasi-identifier. */
/** An object of measures for each column that has any, by its name. */
json_t *kn__json_utility_by_column(writer *w, const kn_report *r);
json_t *kn__json_columns(writer *w, const kn_report *r);
json_t *kn__json_changes(writer *w, const kn_report *r);
/** The published file as a whole. */
json_t *kn__json_survey(writer *w, const kn_survey *v);
/** Means and deviations; correlations; how some records look. */
json_t *kn__json_statistics(writer *w, const kn_report *r);
json_t *kn__json_correlations(writer *w, const kn_report *r);
json_t *kn__json_rows(writer *w, const kn_report *r);

#endif
