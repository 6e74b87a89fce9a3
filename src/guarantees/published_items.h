/* guarantees/published_items.h - which published item stands for each item of the original, read
 * from the notation of the release alone: it knows nothing of the method that wrote it. */
#ifndef KN_GUARANTEES_PUBLISHED_ITEMS_H
#define KN_GUARANTEES_PUBLISHED_ITEMS_H

#include "count/baskets.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"

/** Into `*to` (free with kn__free), by code of `original`: the code of `release` that it is
 * published as, the narrowest one that covers it; KN_NO_CODE where there is none: it is left out.
 * Both are columns of items. KN_EINPUT for a published text that stands for no item of the
 * original. O(values of both x depth of the hierarchy). */
kn_status kn__published_items(uint32_t **to, const kn_column *original, const kn_column *release,
                              const kn_hierarchy *hierarchy, kn_error *err);

/** KN_EINPUT unless `mapped`, the original with every item replaced by its published one, has all
 *  the records of `release`, in any order; records of the original may be missing from the release.
 *  Equal records are compared by 64-bit hashes. O(occurrences + records log records). */
kn_status kn__published_records(const kn_baskets *mapped, const kn_baskets *release, kn_error *err);

#endif
