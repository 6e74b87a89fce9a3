/* person.c - which column stands for a person who has several rows.
 *
 * A column of ids (not of names) whose values repeat is an id of something that has several rows: a
 * person, or a household, a visit, a clinic. Where a name says that it is a person's, that decides.
 * Else only one candidate is taken as an answer; of several, none. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/profile/profile.h"

enum { FEWEST_ROWS = 20 };

/* Between 2 % of the rows and 95 %: fewer values are a clinic or a class, more are a row's own. */
static bool repeats(const kn_column_profile *c, size_t records)
{
    const size_t present = records - c->missing;
    const bool id = c->role == KN_ROLE_IDENTIFIER || c->role == KN_ROLE_UNSET;

    return id && c->suggested == KN_ROLE_IDENTIFIER && c->identifies && present >= FEWEST_ROWS &&
           c->missing == 0 && 50 * c->values >= present && 20 * c->values < 19 * present;
}

static kn_status say_repeats(kn_profile *p, kn_error *err)
{
    kn_buffer reason = {0};
    char *text = NULL;
    kn_status status;

    kn__buffer_addf(&reason, "%s; it repeats, as where people have several rows: --group-by",
                    p->column[p->person].reason);
    KN_TRY(kn__buffer_take(&reason, &text, err));
    kn__free(p->owned[p->person].reason);
    p->owned[p->person].reason = text;
    p->column[p->person].reason = text;
done:
    kn__buffer_free(&reason);
    return status;
}

kn_status kn__profile_find_person(kn_profile *p, kn_error *err)
{
    size_t candidates = 0, last = SIZE_MAX, named = SIZE_MAX;

    for (size_t i = 0; i < p->columns; i++) {
        kn_header h;
        if (!p->column[i].name || !repeats(&p->column[i], p->records)) {
            continue;
        }
        kn__header_split(&h, p->column[i].name);
        if (named == SIZE_MAX && kn__header_says(&h, KN_CONCEPT_PERSON, NULL)) {
            named = i;
        }
        if (6 * p->column[i].values < 5 * p->records) { /* 1.2 rows a value, at least */
            candidates++;
            last = i;
        }
    }
    p->person = named != SIZE_MAX ? named : candidates == 1 ? last : SIZE_MAX;
    return p->person != SIZE_MAX ? say_repeats(p, err) : KN_OK;
}
