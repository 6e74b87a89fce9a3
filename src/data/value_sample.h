/* data/value_sample.h - how many records share a value of a column, by a sample of its values.
 *
 * Distinct sampling (Gibbons 2001): a value is in the sample if its hash ends in `shift` zero bits.
 * All records that hold it are counted, so that the sample says how often values are shared,
 * whatever their order. `shift` grows so that at most `most` values are held: fixed
 * memory for a column of any length. With shift 0 nothing is estimated. What the sample holds
 * depends on the values alone, not on who saw which of them first. */
#ifndef KN_DATA_VALUE_SAMPLE_H
#define KN_DATA_VALUE_SAMPLE_H

#include "base/map.h"

enum { KN_SAMPLED_VALUES = 1 << 15 };

/** Zero it to start; then `most` may be set. */
typedef struct kn_value_sample {
    size_t most; /* values that are held; 0: KN_SAMPLED_VALUES */
    kn_map held; /* by hash of the value: records that hold it */
    unsigned shift;
    size_t records; /* that were added, sampled or not */
} kn_value_sample;

/** Add the value of one record. Expected O(len). */
kn_status kn__value_sample_add(kn_value_sample *s, const char *text, size_t len, kn_error *err);
/** Add what `from` has counted of other records. */
kn_status kn__value_sample_merge(kn_value_sample *s, const kn_value_sample *from, kn_error *err);
/** How many different values the column has, about. */
size_t kn__value_sample_values(const kn_value_sample *s);
/** How many records share a value on average, about: the mean over the values of the sample. */
double kn__value_sample_mean(const kn_value_sample *s);
/** Values that fewer than `below` records hold, about; `*share` gets the share of the records that
 * hold one of them. Its standard error is below 0.004 where most values are held by one record. */
size_t kn__value_sample_rare(const kn_value_sample *s, size_t below, double *share);
void kn__value_sample_clear(kn_value_sample *s);

#endif
