/* kanon/recoding.h - what a release made of every value, to keep and to apply to the next table.
 *
 * A global recoding publishes each value of a quasi-identifier in one way, wherever it stands:
 * `flash` on tables, `apriori` and `acd` on items do that. It can be kept as JSON, handed to a
 * database as SQL, and applied to a table of the same kind:
 *
 *     kn_release_recoding(&recoding, release, &err);
 *     kn_recoding_json(&text, recoding, &err);             // {"recoding": 1, "columns": [...]}
 *     kn_recoding_apply(next_month, recoding, &err);       // refused where a value is not covered
 *
 * Where a column has a hierarchy, its values that were not in the table are covered too, as far as
 * the recoding says what becomes of them. Applying a recoding promises nothing: check the result
 * (kn_check; kn_job_recode_data does both). */
#ifndef KANON_RECODING_H
#define KANON_RECODING_H

#include "kanon/anonymize.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_value_recoding kn_value_recoding;

/** The recoding of the quasi-identifiers of `r`. O(records x quasi-identifiers).
 *  @return KN_EUSAGE when a value was published in several ways (local recoding), for tree records
 *  and for a release without records. */
kn_status kn_release_recoding(kn_value_recoding **out, const kn_release *r, kn_error *err);
/** A recoding from the JSON that kn_recoding_json writes; `name` is what messages call it.
 *  @return KN_EINPUT for anything else. */
kn_status kn_recoding_parse(kn_value_recoding **out, const char *json, size_t len, const char *name,
                            kn_error *err);
/** Free `recoding`. NULL is fine. */
void kn_recoding_free(kn_value_recoding *recoding);

/** As JSON: columns in the order of the table, values in the order of their bytes, so that equal
 * recodings have equal bytes. A value that is left out is null. Free with kn_string_free. */
kn_status kn_recoding_json(char **out, const kn_value_recoding *recoding, kn_error *err);
/** As an SQL query that selects the recoded columns from `table`; a value that is not covered
 * becomes `*`. Free with kn_string_free.
 *  @return KN_EUSAGE for item lists, which SQL has no common form for. */
kn_status kn_recoding_sql(char **out, const kn_value_recoding *recoding, const char *table,
                          kn_error *err);

/** Replace the values of the recoded columns of `ds` by what they are published as.
 *  @return KN_EINPUT, and nothing changes, when a column is not there, holds lists where it held
 *  none (or the other way round), or has a value that the recoding does not cover. */
kn_status kn_recoding_apply(kn_dataset *ds, const kn_value_recoding *recoding, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
