/* roles.c - which role a column should have, from its name and its numbers. Names come first: a
 * salary is sensitive however many values it has. In doubt a column counts as known to others. */
#include "utility/profile/profile.h"

#include <string.h>

enum { LONGEST_NAME = 255, FEWEST_RECORDS = 20, MOST_SHARED_VALUES = 150 };

/* Words that settle it by themselves. */
static const char *const identifying[] = {
    "account", "address", "email",          "fax",  "firstname", "forename",  "fullname",
    "guid",    "iban",    "initials",       "ip",   "lastname",  "licence",   "license",
    "login",   "mail",    "mobile",         "mrn",  "passport",  "patientid", "personid",
    "phone",   "plate",   "socialsecurity", "ssn",  "street",    "surname",   "telephone",
    "url",     "userid",  "username",       "uuid",
};

static const char *const sensitive[] = {
    "cancer",    "charge",    "charges",   "condition", "crime",      "debt",
    "diagnoses", "diagnosis", "disease",   "drug",      "drugs",      "grade",
    "hiv",       "icd",       "illness",   "income",    "medication", "offence",
    "offense",   "outcome",   "political", "politics",  "pregnancy",  "procedure",
    "religion",  "salary",    "score",     "sexuality", "symptom",    "symptoms",
    "test",      "treatment", "vote",      "wage",      "wages",      "wealth",
};

static const char *const known[] = {
    "admission",     "age",          "birth",       "birthdate", "birthday",   "birthplace",
    "borough",       "city",         "citizenship", "country",   "county",     "dateofbirth",
    "death",         "department",   "discharge",   "district",  "dob",        "education",
    "employer",      "employment",   "ethnicity",   "gender",    "height",     "job",
    "language",      "lat",          "latitude",    "lon",       "longitude",  "marital",
    "maritalstatus", "municipality", "nationality", "native",    "occupation", "origin",
    "postal",        "postcode",     "profession",  "province",  "race",       "region",
    "school",        "sex",          "state",       "town",      "village",    "ward",
    "weight",        "workclass",    "yob",         "zip",       "zipcode",
};

/* Words that mean a person only where nothing else in the name means something; and those that are
 * also names of codes and counts, and mean a person only where few records share a value. */
static const char *const naming[] = {"maiden", "name"};
static const char *const numbering[] = {"id", "identifier", "key", "nbr", "nr", "number"};

/* Parts of the names of people, when the whole column is called so. */
static const char *const parts_of_names[] = {"family", "first", "given", "last", "middle"};

typedef struct name_words {
    char letters[2 * LONGEST_NAME + 2]; /* lower case, words NUL-terminated, then "" */
    char squeezed[LONGEST_NAME + 1];    /* all of them without gaps: "e-mail" is "email" */
} name_words;

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Words end at signs, between letters and digits, and before a capital that follows a small
 * letter. */
static void split_name(name_words *w, const char *name)
{
    size_t out = 0, squeezed = 0;
    char before = 0;

    for (size_t i = 0; name[i] && i < LONGEST_NAME; i++) {
        const char c = name[i];
        const char small = (char)(is_capital(c) ? c - 'A' + 'a' : c);
        const bool part = is_small(small) || is_digit(c);
        const bool ends = !part || (is_capital(c) && is_small(before)) ||
                          (before && is_digit(c) != is_digit(before));
        if (ends && out && w->letters[out - 1]) {
            w->letters[out++] = '\0';
        }
        if (part) {
            w->letters[out++] = small;
            w->squeezed[squeezed++] = small;
        }
        before = part ? c : 0;
    }
    if (out && w->letters[out - 1]) {
        w->letters[out++] = '\0';
    }
    w->letters[out] = '\0';
    w->squeezed[squeezed] = '\0';
}

static const char *find_word(const name_words *w, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (const char *word = w->letters; *word; word += strlen(word) + 1) {
            if (strcmp(word, words[i]) == 0) {
                return words[i];
            }
        }
        if (strcmp(w->squeezed, words[i]) == 0) {
            return words[i];
        }
    }
    return NULL;
}

#define FIND(w, words) find_word(w, words, sizeof(words) / sizeof *(words))

static const char *find_whole(const name_words *w, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(w->squeezed, words[i]) == 0) {
            return words[i];
        }
    }
    return NULL;
}

#define FIND_WHOLE(w, words) find_whole(w, words, sizeof(words) / sizeof *(words))

bool kn__is_usual_name(const char *name)
{
    name_words w;

    split_name(&w, name);
    return FIND_WHOLE(&w, identifying) || FIND_WHOLE(&w, known) || FIND_WHOLE(&w, naming) ||
           FIND_WHOLE(&w, numbering);
}

static bool suggest_by_name(kn_column_profile *p, size_t present, kn_buffer *reason)
{
    const bool shared = present >= FEWEST_RECORDS && p->values && p->values <= present / 10;
    name_words w;
    const char *word;

    split_name(&w, p->name);
    if ((word = FIND(&w, identifying))) {
        p->suggested = KN_ROLE_IDENTIFIER;
    } else if ((word = FIND(&w, sensitive))) {
        p->suggested = KN_ROLE_SENSITIVE;
    } else if ((word = FIND(&w, known))) {
        p->suggested = KN_ROLE_QUASI;
    } else if ((word = FIND(&w, naming)) || (word = FIND_WHOLE(&w, parts_of_names)) ||
               (!shared && (word = FIND(&w, numbering)))) {
        p->suggested = KN_ROLE_IDENTIFIER;
    } else {
        return false;
    }
    kn__buffer_addf(reason, "its name says '%s'", word);
    return true;
}

void kn__profile_suggest(kn_column_profile *p, size_t records, size_t rare, size_t below,
                         kn_buffer *reason)
{
    const size_t present = records - p->missing;
    const bool countable = p->type == KN_TYPE_CATEGORY || p->type == KN_TYPE_INTEGER;

    if (suggest_by_name(p, present, reason)) {
        return;
    }
    if (countable && present >= FEWEST_RECORDS && p->values >= present - present / 20) {
        p->suggested = KN_ROLE_IDENTIFIER;
        kn__buffer_adds(reason, "nearly every record has a value of its own");
    } else if ((p->type == KN_TYPE_SET || p->type == KN_TYPE_BAG || p->type == KN_TYPE_NUMBERS) &&
               p->values >= 2) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason, "a few items of a list may be known to others");
    } else if (p->type == KN_TYPE_DATE) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason, "dates are often known to others");
    } else if (countable && p->values >= 2 && p->values <= MOST_SHARED_VALUES &&
               p->values <= present / 10) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason, "few values that many records share, as traits of people are");
    } else if (rare > present / 2) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_addf(reason, "most records hold a value that fewer than %zu share", below);
    } else {
        p->suggested = KN_ROLE_KEPT;
        kn__buffer_adds(reason, p->values >= 2 ? "no rule matched: look at it before you publish it"
                                : p->values == 1 ? "it has one value only"
                                                 : "nothing is known of its values");
    }
}
