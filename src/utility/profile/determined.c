/* determined.c - columns that say the same as a sensitive one.
 *
 * A label beside a code ("Otitis media" beside 65363002) tells the code to its readers.
 * A column of which only counts were known, and each value of which goes with one value of a
 * sensitive column, is sensitive too. Columns with many values are left alone: they determine
 * everything by chance. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/profile/profile.h"

enum { FEWEST_VALUES = 3, SHARED = 5 /* records a value on average */ };

static bool is_candidate(const kn_profile *p, const kn_column *c, size_t i)
{
    const kn_column_profile *of = &p->column[i];

    return of->name && of->doubtful && of->role == KN_ROLE_UNSET && c->dict && !c->starts &&
           of->values >= FEWEST_VALUES && SHARED * of->values <= p->records - of->missing;
}

static bool is_settled(const kn_column_profile *of, const kn_column *c)
{
    return of->name && of->suggested == KN_ROLE_SENSITIVE && !of->doubtful && c->dict &&
           !c->starts && of->values >= FEWEST_VALUES;
}

/* Whether each value of `a` goes with one value of `b`; `seen` has room for the values of `a`. */
static bool determines(const kn_column *a, const kn_column *b, size_t records, uint32_t *seen)
{
    for (uint32_t code = 0; code < kn__column_values(a); code++) {
        seen[code] = KN_NO_CODE;
    }
    for (size_t i = 0; i < records; i++) {
        const uint32_t x = kn__column_code(a, i), y = kn__column_code(b, i);
        if (x == a->missing) {
            continue;
        }
        if (seen[x] != KN_NO_CODE && seen[x] != y) {
            return false;
        }
        seen[x] = y;
    }
    return true;
}

static kn_status follow(kn_profile *p, size_t i, size_t sensitive, kn_error *err)
{
    kn_column_profile *of = &p->column[i];
    kn_buffer reason = {0};
    char *text = NULL;
    kn_status status;

    kn__buffer_addf(&reason, "each of its values goes with one of '%.60s', which is sensitive",
                    p->column[sensitive].name);
    KN_TRY(kn__buffer_take(&reason, &text, err));
    kn__free(p->owned[i].reason);
    p->owned[i].reason = text;
    of->reason = text;
    of->suggested = KN_ROLE_SENSITIVE;
    of->detector = "says the same";
    of->doubtful = false;
done:
    kn__buffer_free(&reason);
    return status;
}

kn_status kn__profile_follow_sensitive(kn_profile *p, const kn_dataset *ds, kn_error *err)
{
    uint32_t *seen = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; i < p->columns; i++) {
        if (!is_candidate(p, &ds->column[i], i)) {
            continue;
        }
        kn__free(seen);
        seen = kn__malloc_array(kn__column_values(&ds->column[i]), sizeof *seen);
        KN_TRY(seen ? KN_OK : kn__nomem(err));
        for (size_t s = 0; s < p->columns; s++) {
            if (s != i && is_settled(&p->column[s], &ds->column[s]) &&
                determines(&ds->column[i], &ds->column[s], ds->records, seen)) {
                KN_TRY(follow(p, i, s, err));
                break;
            }
        }
    }
done:
    kn__free(seen);
    return status;
}
