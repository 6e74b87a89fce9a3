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
static bool is_repeated(size_t values, size_t rows)
{
    return rows >= FEWEST_ROWS && 50 * values >= rows && 20 * values < 19 * rows;
}

/* 1.2 rows per value, at least: enough to decide without a name that says so. */
static bool is_often_repeated(size_t values, size_t rows)
{
    return 6 * values < 5 * rows;
}

static bool repeats(const kn_column_profile *c, size_t records)
{
    const bool id = c->role == KN_ROLE_IDENTIFIER || c->role == KN_ROLE_UNSET;

    return id && c->suggested == KN_ROLE_IDENTIFIER && c->identifies && c->missing == 0 &&
           is_repeated(c->values, records);
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
        if (is_often_repeated(p->column[i].values, p->records)) {
            candidates++;
            last = i;
        }
    }
    p->person = candidates == 1 ? last : SIZE_MAX;
    if (named != SIZE_MAX) {
        p->person = named;
    }
    return p->person != SIZE_MAX ? say_repeats(p, err) : KN_OK;
}

/* How many values a column has that is left out; of one whose values were kept all the same, its
 * role was chosen after it was read. */
static kn_distinct count_values(const kn_dataset *ds, const kn_column *c)
{
    if (!c->dict || c->starts || c->missing != KN_NO_CODE) {
        return c->distinct;
    }
    return (kn_distinct){.values = kn__column_values(c), .rows = ds->records};
}

const kn_column *kn__left_out_people(const kn_dataset *ds, kn_distinct *distinct)
{
    const kn_column *last = NULL;
    size_t candidates = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        const kn_distinct d = count_values(ds, c);
        kn_header h;
        if ((c->role != KN_ROLE_IDENTIFIER && c->role != KN_ROLE_DROPPED) ||
            !is_repeated(d.values, d.rows)) {
            continue;
        }
        kn__header_split(&h, c->name);
        if (c->repeats || kn__header_says(&h, KN_CONCEPT_PERSON, NULL)) {
            *distinct = d;
            return c;
        }
        if (is_often_repeated(d.values, d.rows) &&
            (kn__header_says(&h, KN_CONCEPT_NUMBER, NULL) ||
             kn__header_says(&h, KN_CONCEPT_ID_NUMBER, NULL))) {
            *distinct = d;
            last = c;
            candidates++;
        }
    }
    return candidates == 1 ? last : NULL;
}
