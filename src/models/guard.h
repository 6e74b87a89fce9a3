/* models/guard.h - the spans of clusters while they are mined: what would become of them if a
 * cluster were split, or with other centres altogether. People with equal public values are looked
 * at together. */
#ifndef KN_MODELS_GUARD_H
#define KN_MODELS_GUARD_H

#include "models/centres.h"

typedef struct kn_guard kn_guard;

/** Of the records that `frame` is bound to; both are borrowed. */
kn_status kn_guard_new(kn_guard **out, const kn_frame *frame, const kn_run *run, kn_error *err);
void kn_guard_free(kn_guard *g);

/** Look at `count` centres: what would the spans be? If `split` is not KN_NO_CODE, they are those
 * of the last kept look but for centre `split`, which is another, and the last, which is new; then
 * only people whom one of the two concerns are looked at again. `*least` is the least population of
 * a span that tells something (UINT64_MAX: none does). */
kn_status kn_guard_look(kn_guard *g, const double *centre, size_t count, uint32_t split,
                        uint64_t *least, kn_error *err);
/** Roughly how many pairs of centres were compared for a group, in all looks: a measure of work
 * that is the same for every thread count. */
double kn_guard_work(const kn_guard *g);
/** The spans are now those of the last look. */
void kn_guard_keep(kn_guard *g);
/** The classes of the span with the least population in the last look that tells something, of
 * equals the first; borrowed until the next look. */
const uint32_t *kn_guard_least(const kn_guard *g, size_t *count);

#endif
