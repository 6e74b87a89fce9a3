/* data/value_form.h - numbers and dates in the forms that people write, such as 1.234,50 or
 * 31.12.1980. They are more than the forms that are read as numbers and dates (value.h); a column
 * of them is text, and a hint or an error says so. */
#ifndef KN_DATA_VALUE_FORM_H
#define KN_DATA_VALUE_FORM_H

#include "data/dataset.h"
#include "data/local_date.h"

typedef enum kn_value_form {
    KN_FORM_TEXT = 0,
    KN_FORM_NUMBER,       /**< as kn__number_parse reads it */
    KN_FORM_LOCAL_NUMBER, /**< 7514,88 or 1.234,56 or 1,234.56 */
    KN_FORM_DATE,         /**< as kn__date_parse reads it */
    KN_FORM_LOCAL_DATE,   /**< 31.12.1980, 12/31/80, 31-Dec-1980, 1980/12/31 */
    KN_FORM_DATE_TIME,    /**< a date of any form with a time of day */
    KN_FORM_TIME_OF_DAY   /**< a time of day */
} kn_value_form;

kn_value_form kn__value_form_of(const char *text, size_t len);

/** Texts that stand for a missing value in many files, such as "n/a" and "?"; `*count` of them. */
const char *const *kn__missing_marks(size_t *count);
bool kn__is_missing_mark(const char *text, size_t len);

/** The number of distinct values of a column by form; the missing value is not counted. */
typedef struct kn_form_counts {
    size_t values;
    size_t numbers, padded; /**< plain ones; those of them with leading zeros */
    size_t local_numbers;
    size_t dates, timed; /**< of any form; those of them with a time of day */
    size_t times_of_day; /**< without a date */
    size_t spaced;       /**< with blanks around them; the other counts ignore these blanks */
    size_t others;       /**< neither of these, nor a mark for missing values */
    uint32_t mark;       /**< the code of a mark for missing values, or KN_NO_CODE */
} kn_form_counts;
kn_form_counts kn__column_forms(const kn_column *column);
/** Whether at least half of the values have that form. */
bool kn__mostly_dates(const kn_form_counts *forms);
bool kn__mostly_local_numbers(const kn_form_counts *forms);

/** The order that fits all local dates of `column`. Points mean that the day comes first. */
kn_date_order kn__dates_order(const kn_column *column);
/** Whether `column` is text only because its dates (01/02/1980) do not tell which of two numbers is
 * the day. */
bool kn__lacks_date_order(const kn_column *column);

/** What a column is used for: a release without a hierarchy publishes sets of exact dates or
 * numbers where ranges are expected; a model splits by exact ones. */
typedef enum kn_text_use { KN_TEXT_RELEASED, KN_TEXT_MINED } kn_text_use;
/** Refuse (KN_EINPUT) a column of text whose values have the form of dates or numbers, unless its
 *  type was declared. */
kn_status kn__column_refuse_text(const kn_column *column, kn_text_use use, kn_error *err);

#endif
