/* kanon/profile.h - what a table is like: columns, types, how unique people are, suggested roles. */
#ifndef KANON_PROFILE_H
#define KANON_PROFILE_H

#include "kanon/dataset.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_column_profile {
    const char *name;
    kn_type type;
    kn_role role;          /**< as given */
    kn_role suggested;     /**< what we would make it, where none is given */
    const char *reason;    /**< why, in a few words */
    size_t values;         /**< distinct, missing excluded */
    size_t missing;        /**< records without a value */
    size_t unique;         /**< records whose value nobody else has */
    double min, mean, max; /**< numbers (dates: days since 1970-01-01); NaN otherwise. List columns: lengths. */
    bool sorted;           /**< the records come sorted by it */
    const char *hint;      /**< such as "'?' looks like a missing value: --missing '?'", or NULL */
} kn_column_profile;

typedef struct kn_profile kn_profile;

/** Profile `ds`, which was read with keep_dropped. Borrowed strings live as long as the profile.
 *  O(records x columns) and sorting of the dictionaries. */
kn_status kn_profile_make(kn_profile **out, const kn_dataset *ds, const kn_run *run, kn_error *err);
void kn_profile_free(kn_profile *p);
size_t kn_profile_columns(const kn_profile *p);
const kn_column_profile *kn_profile_column(const kn_profile *p, size_t column);

/** The profile as JSON text; the caller frees it with kn_string_free. Values of identifiers never appear. */
kn_status kn_profile_json(const kn_profile *p, char **out, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
