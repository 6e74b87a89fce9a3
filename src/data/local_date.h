/* data/local_date.h - dates in the forms that people write: 31.12.1980, 12/31/1980, 1980/12/31.
 *
 * Such a column is read as dates when its values, or a stated format, tell which number is the day.
 * The texts stay as they are written: ranges are published in the same form. */
#ifndef KN_DATA_LOCAL_DATE_H
#define KN_DATA_LOCAL_DATE_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>

/** The order of day and month in the local dates of a column. */
typedef enum kn_date_order {
    KN_DATES_UNKNOWN = 0, /**< 01/02/1980: the values do not tell; or all years come first */
    KN_DATES_DAY_FIRST,
    KN_DATES_MONTH_FIRST
} kn_date_order;

/** The order that a format such as DD.MM.YYYY gives. @return KN_EUSAGE when it is none. */
kn_status kn__date_format_order(kn_date_order *out, const char *format, kn_error *err);

/** A format of that order, as above; NULL for KN_DATES_UNKNOWN. */
const char *kn__date_order_format(kn_date_order order);

/** Whether `text` is a date of any form, which ends at `*end`, with or without a time of day behind
 * it. */
bool kn__begins_with_date(const char *text, size_t len, size_t *end);
/** HH:MM, with seconds, fractions, AM or PM and a zone, or not. */
bool kn__is_time_of_day(const char *text, size_t len);

/** Read a date of any numeric form with a year of four digits, as days since 1970-01-01. `*time`
 *  tells whether a time of day follows it. */
bool kn__local_date_parse(const char *text, size_t len, kn_date_order order, double *days,
                          bool *time);
/** The same for a date alone, as columns of type date hold it. */
bool kn__plain_date_parse(const char *text, size_t len, kn_date_order order, double *days);

/** What the dates of a column tell of their order. All zero: nothing so far. */
typedef struct kn_date_evidence {
    bool not_day_first, not_month_first; /* some value has no such day or month */
    bool points;
    char separator; /* of the dates whose year comes last; 0: there were none */
    bool mixed;     /* the dates do not have one form */
    bool year_first;
} kn_date_evidence;

/** Take a value into account. False: it is no date of digits with a year of four. */
bool kn__date_evidence_add(kn_date_evidence *e, const char *text, size_t len);
/** The order that fits all of them. Points mean that the day comes first. */
kn_date_order kn__date_evidence_order(const kn_date_evidence *e);

/** Say (KN_EINPUT) that the dates of column `name` do not tell their order. */
kn_status kn__fail_date_order(const char *name, kn_error *err);

#endif
