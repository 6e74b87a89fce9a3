/* utility/profile/open_columns.h - decisions about columns that are open, by k. */
#ifndef KN_UTILITY_PROFILE_OPEN_COLUMNS_H
#define KN_UTILITY_PROFILE_OPEN_COLUMNS_H

#include "kanon/profile.h"

/** The k below which a value counts as rare in a kept column: see kn_open_columns_find. */
size_t kn__rare_below(const kn_guarantee *guarantees, size_t count);

/** kn_open_columns_find and kn_accept_suggested for a given k. */
kn_status kn__open_columns(kn_open_columns **out, const kn_dataset *ds, size_t k, const kn_run *run,
                           kn_error *err);
kn_status kn__accept_suggested(kn_dataset *ds, size_t k, const kn_run *run, kn_error *err);

/** KN_EUSAGE, after run->open was called, when a decision about a column of `ds` is open. */
kn_status kn__refuse_open_columns(const kn_dataset *ds, size_t k, const kn_run *run, kn_error *err);

#endif
