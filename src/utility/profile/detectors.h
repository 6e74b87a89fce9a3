/* utility/profile/detectors.h - what a column holds, recognised by its values.
 *
 * A detector is one row of a table: a name, a test of one value, how many of the records must pass
 * it, further conditions on the column, the role that it suggests, and the reason in words. The
 * rows are tried in order and the first that matches counts. Strong ones settle the role whatever
 * the column is called; the others are asked only when the column's name says nothing. */
#ifndef KN_UTILITY_PROFILE_DETECTORS_H
#define KN_UTILITY_PROFILE_DETECTORS_H

#include "data/dataset.h"
#include "utility/profile/header.h"

/** What is known of a column when its role is suggested. */
typedef struct kn_column_facts {
    const kn_dataset *ds;
    const kn_column *column; /* of ds; its dict may be NULL */
    const uint32_t *held;    /* by code: records that hold it */
    size_t records, present; /* present: those with a value */
    size_t values;           /* distinct, missing excluded */
    size_t rare, below;      /* records whose value fewer than `below` share */
    kn_header header;
} kn_column_facts;

typedef struct kn_detector {
    const char *name; /**< for reports and tests, such as "e-mail" */
    bool strong;      /**< it settles the role before the column's name is looked at */
    bool doubtful;    /**< a person should confirm what it says */
    double share;     /**< of the records with a value that must pass `value`; 0: no test */
    bool (*value)(const char *text, size_t len);
    bool (*column)(const kn_column_facts *facts); /**< NULL: no further condition */
    kn_concept header; /**< the column's name must say this; KN_CONCEPT_NONE: it need not */
    kn_role role;
    const char *reason; /**< "its values are e-mail addresses" */
    bool identifies; /**< its values are ids: where they repeat, they are ids of people with several
                          rows */
} kn_detector;

/** All detectors in the order in which they are tried; `*count` of them. */
const kn_detector *kn__detectors(size_t *count);
/** The first detector with this strength that recognises the column, or NULL. O(values) each. */
const kn_detector *kn__detect(const kn_column_facts *facts, bool strong);

/* ---- tests of one value (forms.c, national_ids.c, person_names.c) ---- */

bool kn__is_email(const char *text, size_t len);
bool kn__is_url(const char *text, size_t len);
bool kn__is_uuid(const char *text, size_t len);
bool kn__is_iban(const char *text, size_t len);
bool kn__is_payment_card(const char *text, size_t len);
bool kn__is_network_address(const char *text, size_t len);
bool kn__is_phone(const char *text, size_t len);
bool kn__is_street_address(const char *text, size_t len);
/** "52.52, 13.40": latitude and longitude in one cell. */
bool kn__is_coordinate_pair(const char *text, size_t len);
/** A postcode of a form that hardly anything else has, such as SW1A 1AA, 1012 AB, 00-950. */
bool kn__is_postcode_of_form(const char *text, size_t len);
/** Four to six digits, perhaps with decimals of zero, as spreadsheets leave them. */
bool kn__is_postcode_of_digits(const char *text, size_t len);
bool kn__is_icd10(const char *text, size_t len);
bool kn__is_icd9(const char *text, size_t len);
bool kn__is_snomed(const char *text, size_t len);
/** Codes of medicines (ATC, NDC), of procedures (OPS) and of tests (LOINC). */
bool kn__is_atc(const char *text, size_t len);
bool kn__is_ndc(const char *text, size_t len);
bool kn__is_ops(const char *text, size_t len);
bool kn__is_loinc(const char *text, size_t len);
/** A medicine with its strength, such as "Simvastatin 10 MG". */
bool kn__is_dose(const char *text, size_t len);
/** A word of it is made as international names of medicines or of diseases are. */
bool kn__is_medical_word(const char *text, size_t len);
/** Several words of running text. */
bool kn__is_prose(const char *text, size_t len);

/** One kind of national number: who gives it out, and the test of its check digits. */
typedef struct kn_national_id {
    const char *country, *name;
    bool (*valid)(const char *compact, size_t len); /* without blanks, points, dashes and slashes */
} kn_national_id;
const kn_national_id *kn__national_ids(size_t *count);
/** `text` without separators into `out` of `cap` bytes, capitals; 0 when it does not fit. */
size_t kn__compact_id(char *out, size_t cap, const char *text, size_t len);
/** Whether the values of the column are national numbers of one kind. */
bool kn__holds_national_ids(const kn_column_facts *facts);

/** One to five capitalised words, as names of people are written. */
bool kn__is_name_shape(const char *text, size_t len);
/** Whether a word of it is a frequent given name, a frequent surname, or ends as surnames do. */
bool kn__has_known_name(const char *text, size_t len);
/** Whether the values have the frequencies of names, and enough of them are known names. */
bool kn__holds_person_names(const kn_column_facts *facts);

/** Whether its values are years of our time. */
bool kn__holds_years(const kn_column_facts *facts);
/** Whether its values are numbers, or texts with digits for the most part (bands, "<= 50K"). */
bool kn__holds_figures(const kn_column_facts *facts);
/** Whether its values are numbers as amounts of money are: many, the largest at least 100 and three
 *  times the mean of those that are not 0. */
bool kn__holds_money(const kn_column_facts *facts);

/** How many values passed a test. */
typedef struct kn_passed {
    double share;          /* of the records with a tested value */
    size_t values, tested; /* distinct values that passed, and those that were tested */
} kn_passed;
/** Test the values of a column; of more than 20,000, evenly chosen ones. Marks for missing values
 * do not count. */
kn_passed kn__test_values(const kn_column_facts *facts, bool (*test)(const char *text, size_t len));

#endif
