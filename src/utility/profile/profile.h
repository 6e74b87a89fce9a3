/* utility/profile/profile.h - the inside of a profile. */
#ifndef KN_UTILITY_PROFILE_PROFILE_H
#define KN_UTILITY_PROFILE_PROFILE_H

#include "base/buffer.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/profile.h"
#include "utility/profile/detectors.h"

enum {
    KN_PROFILE_TOP = 10,  /* frequent values shown */
    KN_PROFILE_SHARED = 5 /* a value is shown when so many records hold it */
};

/** What a column's profile owns. */
typedef struct kn_profile_strings {
    char *name, *reason, *hint;
    char *texts; /* of the top values, each NUL-terminated */
    kn_top_value *top;
    bool min_shared, max_shared, mean_shared; /* by at least KN_PROFILE_SHARED records */
    size_t rare; /* records whose value (whole list) fewer than `below` records share */
} kn_profile_strings;

struct kn_profile {
    size_t records, columns;
    bool named;    /* the first line surely names the columns */
    size_t person; /* kn_profile_person */
    kn_column_profile *column;
    kn_profile_strings *owned;
};

/** kn_profile_make of the columns whose `wanted` (by column; NULL: all) is not 0; nothing is
 *  known of the others. Values that fewer than `below` records share count as rare. */
kn_status kn__profile_some(kn_profile **out, const kn_dataset *ds, const uint8_t *wanted,
                           size_t below, const kn_run *run, kn_error *err);

/** Set `p->suggested`, `detector`, `doubtful`, `by_name` and `identifies`, and append the reason.
 * Name, type, values and missing are set already. */
void kn__profile_suggest(kn_column_profile *p, const kn_column_facts *facts, kn_buffer *reason);

/** Suggest "sensitive" for columns that say the same as a sensitive one. O(records) for each pair
 * of a column that only counts speak for and a sensitive one. */
kn_status kn__profile_follow_sensitive(kn_profile *p, const kn_dataset *ds, kn_error *err);

/** Set p->person: of the columns whose values are ids and repeat, the one that stands for people;
 *  its reason says so. */
kn_status kn__profile_find_person(kn_profile *p, kn_error *err);

/** Whether `c`, a column of `ds`, holds few whole numbers that many records share, and its name
 * says that they are codes, such as types of admission. O(records). */
bool kn__holds_codes(const kn_dataset *ds, const kn_column *c);
/** Whether `c`, a column of `ds`, holds whole numbers, has a name that says that they are
 * postcodes, and they have the lengths of such; then `*out` is the hierarchy of their prefixes. */
bool kn__holds_postcodes(kn_hierarchy_advice *out, const kn_dataset *ds, const kn_column *c);

/** The column of `ds` that is left out and stands for people with several records, and how many
 *  values it has; or NULL. By its name alone where its values were not kept; of several candidates
 *  whose names say no more than that they are numbers, none. O(columns). */
const kn_column *kn__left_out_people(const kn_dataset *ds, kn_distinct *distinct);

/** Whether `name` as a whole is one that columns usually have, such as "age", and hardly a value.
 */
bool kn__is_usual_name(const char *name);

/** Append what may be wrong with the column, which is called `name`, as it was read, or nothing.
 *  `held`: by code, the records that hold it. `*list`: what separates the items where cells look
 * like lists, else '\0'. Never quotes a value, but texts that stand for missing everywhere. */
kn_status kn__profile_hint(kn_buffer *hint, char *list, const kn_column *column, const char *name,
                           const uint32_t *held, kn_role suggested, kn_error *err);

#endif
