/* utility/measure.h - measuring a release by who made it. */
#ifndef KN_UTILITY_MEASURE_H
#define KN_UTILITY_MEASURE_H

#include "kanon/measure.h"

/** kn_measure of a release of which it is known what it leaves out: exactly the items in `left_out`
 *  (by code of the original's column of items; NULL: none) may be missing, in all records. */
kn_status kn__measure_release(kn_measures **out, const kn_dataset *original,
                              const kn_dataset *release, const uint32_t *origin,
                              const kn_hierarchies *hierarchies, const uint8_t *left_out,
                              const kn_run *run, kn_error *err);

#endif
