/* roles.c - which role a column should have. Values that have a form of their own come first
 * (detectors.h), then words of the name, then weaker forms and counts. In doubt a column counts as
 * known to others. */
#include "utility/profile/profile.h"

#include <math.h>
#include <string.h>

enum {
    FEWEST_RECORDS = 20,
    MOST_SHARED_VALUES = 150,
    MOST_FLAGS = 5,
    MOST_CODES = 100,
    MOST_CLASSES = 20
};

/* What a word of the name means, in the order in which they are tried. */
static const struct {
    kn_concept concept;
    kn_role role;
} by_word[] = {
    {KN_CONCEPT_CONTACT, KN_ROLE_IDENTIFIER},
    {KN_CONCEPT_ID_NUMBER, KN_ROLE_IDENTIFIER},
    {KN_CONCEPT_ADDRESS, KN_ROLE_IDENTIFIER},
    {KN_CONCEPT_NAME_PART, KN_ROLE_IDENTIFIER},
    {KN_CONCEPT_HEALTH, KN_ROLE_SENSITIVE},
    {KN_CONCEPT_MONEY, KN_ROLE_SENSITIVE},
    {KN_CONCEPT_AMOUNT, KN_ROLE_SENSITIVE},
    {KN_CONCEPT_RESULT, KN_ROLE_SENSITIVE},
    {KN_CONCEPT_BELIEF, KN_ROLE_SENSITIVE},
    {KN_CONCEPT_BIRTH, KN_ROLE_QUASI},
    {KN_CONCEPT_AGE, KN_ROLE_QUASI},
    {KN_CONCEPT_POSTCODE, KN_ROLE_QUASI},
    {KN_CONCEPT_COUNTRY, KN_ROLE_QUASI},
    {KN_CONCEPT_COORDINATE, KN_ROLE_QUASI},
    {KN_CONCEPT_PLACE, KN_ROLE_QUASI},
    {KN_CONCEPT_OCCUPATION, KN_ROLE_QUASI},
    {KN_CONCEPT_TRAIT, KN_ROLE_QUASI},
    {KN_CONCEPT_NAME, KN_ROLE_IDENTIFIER},
    {KN_CONCEPT_NAME_ALONE, KN_ROLE_IDENTIFIER},
    {KN_CONCEPT_NUMBER, KN_ROLE_IDENTIFIER},
};

bool kn__is_usual_name(const char *name)
{
    kn_header h;

    kn__header_split(&h, name);
    if (strlen(h.squeezed) < 3 && strcmp(h.squeezed, "id") != 0 && strcmp(h.squeezed, "nr") != 0) {
        return false; /* short words are values as often */
    }
    for (kn_concept c = KN_CONCEPT_CONTACT; c <= KN_CONCEPT_NUMBER; c++) {
        const bool sensitive = c >= KN_CONCEPT_HEALTH && c <= KN_CONCEPT_BELIEF;
        if (!sensitive && c != KN_CONCEPT_NAME_ALONE && kn__header_is(&h, c)) {
            return true;
        }
    }
    return false;
}

/* Whether a number of the column is none that counts or numbers something. */
static bool has_fractions(const kn_column_facts *f)
{
    for (size_t code = 0; f->column->type == KN_TYPE_DECIMAL && code < f->values; code++) {
        if (f->column->numbers[code] != floor(f->column->numbers[code])) {
            return true;
        }
    }
    return false;
}

/* Words that identify where values allow it: "id" is also the name of codes that many share, and a
 * column "email" with yes and no holds no addresses. */
static bool fits_values(kn_concept concept, const kn_column_facts *f)
{
    if (f->values == 0) {
        return true;
    }
    switch (concept) {
    case KN_CONCEPT_CONTACT:
    case KN_CONCEPT_ID_NUMBER:
    case KN_CONCEPT_ADDRESS:
    case KN_CONCEPT_NAME_PART:
    case KN_CONCEPT_NAME: return f->values > MOST_FLAGS || f->present < 10 * f->values;
    case KN_CONCEPT_NUMBER:
        return (f->present < FEWEST_RECORDS || f->values > f->present / 10) && !has_fractions(f);
    case KN_CONCEPT_MONEY: return kn__holds_figures(f);
    case KN_CONCEPT_AMOUNT: return kn__holds_money(f);
    case KN_CONCEPT_RESULT: return kn__holds_figures(f) || f->values <= MOST_CLASSES;
    default: return true;
    }
}

/* A sensitive column is published as it is. So a word such as "diagnosis" or "loan" settles that
 * only where nothing speaks for something else: the numbers of loans identify, and the age, the
 * place and the date of a diagnosis are known to others. */
static bool is_contradicted(const kn_column_facts *f)
{
    static const kn_concept known[] = {KN_CONCEPT_BIRTH, KN_CONCEPT_AGE, KN_CONCEPT_POSTCODE,
                                       KN_CONCEPT_COORDINATE, KN_CONCEPT_PLACE};
    const kn_detector *d = kn__detect(f, false);

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (kn__header_says(&f->header, known[i], NULL)) {
            return true;
        }
    }
    return (d && d->role != KN_ROLE_SENSITIVE && !d->doubtful) || kn__holds_years(f) ||
           (kn__header_says(&f->header, KN_CONCEPT_NUMBER, NULL) &&
            fits_values(KN_CONCEPT_NUMBER, f));
}

static bool suggest_by_name(kn_column_profile *p, const kn_column_facts *f, kn_buffer *reason)
{
    char word[KN_HEADER_LONGEST + 1];

    for (size_t i = 0; i < sizeof by_word / sizeof *by_word; i++) {
        const kn_concept c = by_word[i].concept;
        const bool whole = c == KN_CONCEPT_NAME_ALONE;
        if ((whole && !kn__header_is(&f->header, c)) || !kn__header_says(&f->header, c, word) ||
            !fits_values(c, f) ||
            (by_word[i].role == KN_ROLE_SENSITIVE && f->values && is_contradicted(f))) {
            continue;
        }
        p->suggested = by_word[i].role;
        p->by_name = true;
        p->identifies = c == KN_CONCEPT_NUMBER || c == KN_CONCEPT_ID_NUMBER;
        kn__buffer_addf(reason, "its name says '%s'", word);
        return true;
    }
    return false;
}

static bool suggest_by_values(kn_column_profile *p, const kn_column_facts *f, bool strong,
                              kn_buffer *reason)
{
    const kn_detector *d = kn__detect(f, strong);

    if (!d) {
        return false;
    }
    p->suggested = d->role;
    p->detector = d->name;
    p->doubtful = d->doubtful;
    p->identifies = d->identifies;
    kn__buffer_adds(reason, d->reason);
    return true;
}

static void suggest_by_counts(kn_column_profile *p, const kn_column_facts *f, kn_buffer *reason)
{
    const bool countable = p->type == KN_TYPE_CATEGORY || p->type == KN_TYPE_INTEGER;
    const size_t present = f->present;

    if (kn__type_is_list(p->type) && p->values >= 2) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason, "a few items of a list may be known to others");
    } else if (countable && p->values >= 2 && p->values <= MOST_SHARED_VALUES &&
               p->values <= present / 10) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason,
                        "it has few values, and many records share each, as with traits of people");
    } else if (p->values == 1 && p->missing) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason, "it has one value or none, as with traits of people");
    } else if (f->rare > present / 2) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_addf(reason,
                        p->missing ? "most records with a value hold one that fewer than %zu share"
                                   : "most records hold a value that fewer than %zu share",
                        f->below);
    } else if (p->values >= 2) {
        p->suggested = KN_ROLE_QUASI;
        kn__buffer_adds(reason, "no rule matched: in doubt it counts as known to others");
    } else {
        p->suggested = KN_ROLE_KEPT;
        kn__buffer_adds(reason, p->values == 1 ? "it has one value only"
                                               : "nothing is known of its values");
    }
    p->doubtful = p->values != 1 || p->missing;
}

static bool are_codes(const kn_column *c, size_t values, size_t present, const kn_header *header)
{
    return kn__column_is_whole(c) && values <= MOST_CODES && 10 * values <= present &&
           (kn__header_says(header, KN_CONCEPT_CODE, NULL) ||
            kn__header_says(header, KN_CONCEPT_NUMBER, NULL)) &&
           !kn__header_says(header, KN_CONCEPT_COUNT, NULL);
}

static bool are_postcodes(const kn_column *c, const kn_header *header)
{
    return kn__header_says(header, KN_CONCEPT_POSTCODE, NULL) && kn__column_is_whole(c);
}

/* Whole numbers in a column whose name says that they are postcodes; or few that many records
 * share, where it says that they are codes. */
static bool is_coded(const kn_column_profile *p, const kn_column_facts *f)
{
    return f->column->dict && (are_postcodes(f->column, &f->header) ||
                               are_codes(f->column, p->values, f->present, &f->header));
}

bool kn__holds_postcodes(kn_hierarchy_advice *out, const kn_dataset *ds, const kn_column *c)
{
    kn_header header;

    if (!c->dict || c->starts) {
        return false;
    }
    kn__header_split(&header, c->name);
    return are_postcodes(c, &header) &&
           kn_hierarchy_suggest(out, ds, (size_t)(c - ds->column), true, NULL) == KN_OK &&
           out->wanted && out->kind == KN_BUILD_PREFIX;
}

bool kn__holds_codes(const kn_dataset *ds, const kn_column *c)
{
    size_t present = 0;
    kn_header header;

    if (!c->dict || c->starts) {
        return false;
    }
    for (size_t i = 0; i < ds->records; i++) {
        present += kn__column_code(c, i) != c->missing;
    }
    kn__header_split(&header, c->name);
    return are_codes(c, kn__column_values(c) - (c->missing != KN_NO_CODE), present, &header);
}

void kn__profile_suggest(kn_column_profile *p, const kn_column_facts *facts, kn_buffer *reason)
{
    if (!suggest_by_values(p, facts, true, reason) && !suggest_by_name(p, facts, reason) &&
        !suggest_by_values(p, facts, false, reason)) {
        suggest_by_counts(p, facts, reason);
    }
    p->coded = is_coded(p, facts);
}
