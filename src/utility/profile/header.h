/* utility/profile/header.h - what the words of a column's name say, in the languages of the EU.
 *
 * A name is folded before it is compared: small letters, no accents ("Prénom" is "prenom", "Ηλικία"
 * is "ηλικια"), and split into words at signs, at digits and at capitals. The words of the table
 * are written folded. A name is one hint among others: values decide where both are known. */
#ifndef KN_UTILITY_PROFILE_HEADER_H
#define KN_UTILITY_PROFILE_HEADER_H

#include <stdbool.h>
#include <stddef.h>

/** What a name can speak of. */
typedef enum kn_concept {
    KN_CONCEPT_NONE = 0,
    KN_CONCEPT_CONTACT,    /**< phone, e-mail, account: settles that it is an identifier */
    KN_CONCEPT_ID_NUMBER,  /**< numbers that states and hospitals give to one person */
    KN_CONCEPT_ADDRESS,    /**< street, address */
    KN_CONCEPT_NAME_PART,  /**< surname, vorname */
    KN_CONCEPT_HEALTH,     /**< diagnosis, medication, test */
    KN_CONCEPT_MONEY,      /**< income, tax, debt */
    KN_CONCEPT_AMOUNT,     /**< amount, value, euro: money where the numbers are amounts */
    KN_CONCEPT_RESULT,     /**< score, grade, verdict: a judgement about a person */
    KN_CONCEPT_BELIEF,     /**< religion, politics, union, offence: Articles 9 and 10 of the GDPR */
    KN_CONCEPT_BIRTH,      /**< date, year or place of birth */
    KN_CONCEPT_AGE,        /**< age */
    KN_CONCEPT_POSTCODE,   /**< postcode */
    KN_CONCEPT_COUNTRY,    /**< country, nationality */
    KN_CONCEPT_COORDINATE, /**< latitude, longitude */
    KN_CONCEPT_PLACE,      /**< city, region, district */
    KN_CONCEPT_OCCUPATION, /**< occupation, branch, employer */
    KN_CONCEPT_TRAIT,      /**< sex, marital status, education and other traits that are visible */
    KN_CONCEPT_NAME,       /**< "name": of a person only where nothing else is meant */
    KN_CONCEPT_NAME_ALONE, /**< "first", "last": parts of names when the column is called just so */
    KN_CONCEPT_NUMBER,     /**< "id", "number": also names of codes and counts */
    KN_CONCEPT_PERSON,     /**< patient, customer: a number of this is a person's */
    KN_CONCEPT_CODE,       /**< code, type, status: numbers in it are categories */
    KN_CONCEPT_COUNT,      /**< a number of something: "number_outpatient" counts visits */
    KN_CONCEPT_FREE_TEXT,  /**< comment, remark */
    KN_CONCEPTS
} kn_concept;

enum { KN_HEADER_LONGEST = 255 };

/** A name, folded and split. */
typedef struct kn_header {
    char words[3 * KN_HEADER_LONGEST + 2];    /* each NUL-terminated, then "" */
    char squeezed[2 * KN_HEADER_LONGEST + 1]; /* all of them without gaps: "e-mail" is "email" */
} kn_header;

/** Split `name`; what is behind KN_HEADER_LONGEST bytes is not looked at. */
void kn__header_split(kn_header *h, const char *name);

/** The entry of the table for `concept` that a word of `h`, or the whole of it, matches, without
 *  its mark; into `word`, which holds KN_HEADER_LONGEST + 1 bytes. */
bool kn__header_says(const kn_header *h, kn_concept concept, char *word);
/** The same, where the name as a whole must match. */
bool kn__header_is(const kn_header *h, kn_concept concept);

/** The words of `concept`, separated by blanks. "-nummer" is the end of a longer word, "geburts-"
 *  its beginning. */
const char *kn__header_words(kn_concept concept);

/** Fold `len` bytes of UTF-8 into `out` of `cap` bytes, NUL-terminated: small letters without
 *  accents (Latin, Greek, Cyrillic). Returns the length. */
size_t kn__fold(char *out, size_t cap, const char *text, size_t len);

#endif
