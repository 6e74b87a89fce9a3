/* methods/anonymize.h - kn_anonymize for runs that share work. */
#ifndef KN_METHODS_ANONYMIZE_H
#define KN_METHODS_ANONYMIZE_H

#include "methods/mixed/sweep_cache.h"
#include "release/release.h"

/** kn_anonymize; runs over the same table, hierarchies and seed may share a `memo` (sweep_cache.h;
 * NULL: none), and make the same releases as without. */
kn_status kn__anonymize_again(kn_release **out, const kn_dataset *ds,
                              const kn_hierarchies *hierarchies,
                              const kn_anonymize_options *options, kn_sweep_cache *memo,
                              const kn_run *run, kn_error *err);

#endif
