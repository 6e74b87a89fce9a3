/* data/looks.h - what a text looks like to a person who reads it: numbers and dates in the forms
 * that people write, which are wider than the forms that are read as ordered values. */
#ifndef KN_DATA_LOOKS_H
#define KN_DATA_LOOKS_H

#include "data/dataset.h"

typedef enum kn_look {
    KN_LOOK_TEXT = 0,
    KN_LOOK_NUMBER,       /**< as kn__number_parse reads it */
    KN_LOOK_LOCAL_NUMBER, /**< 7514,88 or 1.234,56 or 1,234.56 */
    KN_LOOK_DATE,         /**< as kn__date_parse reads it */
    KN_LOOK_LOCAL_DATE,   /**< 31.12.1980, 12/31/80, 31-Dec-1980, 1980/12/31 */
    KN_LOOK_TIME,         /**< a date of any form with a time of day */
    KN_LOOK_CLOCK         /**< a time of day */
} kn_look;

kn_look kn__look_of(const char *text, size_t len);

/** Texts that stand for a missing value in many files, such as "n/a" and "?"; `*count` of them. */
const char *const *kn__missing_marks(size_t *count);
bool kn__looks_missing(const char *text, size_t len);

/** How many different values of a column look like what; its missing value is not counted. */
typedef struct kn_looks {
    size_t values;
    size_t numbers, padded; /**< plain ones; those of them with leading zeros */
    size_t local_numbers;
    size_t dates, timed; /**< of any form; those of them with a time of day */
    size_t clocks;       /**< times of day without a date */
    size_t spaced; /**< with blanks around them, which are left out of the other counts' texts */
    size_t others; /**< neither of these, nor a mark for missing values */
    uint32_t mark; /**< the code of a mark for missing values, or KN_NO_CODE */
} kn_looks;
kn_looks kn__column_looks(const kn_column *column);
/** Whether most of the values are dates, or numbers in a local form, that are read as text. */
bool kn__looks_like_dates(const kn_looks *looks);
bool kn__looks_like_clocks(const kn_looks *looks);
bool kn__looks_like_local_numbers(const kn_looks *looks);

/** In which order a column writes the parts of its local dates. */
typedef enum kn_date_order {
    KN_DATES_UNKNOWN = 0, /**< 01/02/1980: the values do not tell */
    KN_DATES_DAY_FIRST,
    KN_DATES_MONTH_FIRST
} kn_date_order;

/** The order that fits all local dates of `column`. Points mean that the day comes first. */
kn_date_order kn__dates_order(const kn_column *column);
/** Read a date of any numeric form with a year of four digits, as days since 1970-01-01. `*time`
 *  tells whether a time of day follows it. */
bool kn__local_date_parse(const char *text, size_t len, kn_date_order order, double *days,
                          bool *time);

/** Refuse (KN_EINPUT) a column of text whose values look like dates or numbers, unless its type was
 *  declared: without a hierarchy it would be published as sets of exact dates or numbers, where
 *  ranges were expected. */
kn_status kn__column_refuse_text(const kn_column *column, kn_error *err);

#endif
