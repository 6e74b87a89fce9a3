/* count/set_sampler.h - random itemsets of the sets in one column.
 *
 * kn_set_source holds the records once, for all samplers: equal records are one with a weight, and
 * they are ordered by length, the longest first, because long records hold most itemsets: a count
 * of support that may stop early then stops soon. The order does not depend on that of the rows, so
 * neither do samples. kn_set_sampler draws itemsets of one size:
 *
 *   EXACT   uniform over the distinct itemsets that occur. A record is drawn with weight
 *           C(length, size), then a uniform subset, which is accepted with probability 1 / support.
 *           The uniform number of that test is drawn first, so counting stops at its inverse.
 *           Samples are exact and independent. Where few draws are accepted, all itemsets are
 *           listed instead and one of them is drawn.
 *   CHAIN   the same distribution in the limit: the Metropolis-Hastings chain of the sampling
 * paper, Algorithm 1, stopped by Geweke's test (appendix). One chain for each sample. PERSON `size`
 * random items of a random person who has any; all of them when there are fewer. NAIVE   `size`
 * random items of a random person who has so many: biased towards itemsets that many hold, which is
 * what the sampling paper corrects. For comparison.
 *
 * Sample number i of a stream is a function of the seed, the stream and i alone: whichever thread
 * draws it, and in whichever order, it is the same. */
#ifndef KN_COUNT_SET_SAMPLER_H
#define KN_COUNT_SET_SAMPLER_H

#include "count/baskets.h"
#include "count/postings.h"
#include "kanon/guarantee.h"

typedef struct kn_set_source {
    kn_baskets *records; /* the different records, the longest first, then by a hash of items */
    uint32_t *weight;    /* by different record: the people it stands for */
    /* People in the records before this one; one more entry than records. */
    uint64_t *people;
    kn_postings *postings; /* of `records` */
    size_t longest;
    /* by length 0..longest: the first record that is not longer; records of length n are
     * begin[n]..begin[n - 1], and begin[0] those with items. */
    size_t *begin;
} kn_set_source;

/** Prepare the sets of `b`, of which nothing is kept. KN_EUSAGE for bags. Expected O(occurrences);
 *  about 12 bytes an occurrence at most, 8 for postings and records once it is done. */
kn_status kn__set_source_new(kn_set_source **out, const kn_baskets *b, kn_error *err);
void kn__set_source_free(kn_set_source *s);
/** How many pairs of a different record and an itemset of `size` items inside it there are:
 *  sum of C(length, size). Below 10^300 for sizes up to KN_MOST_KNOWN and 2^32 items. O(longest).
 */
double kn__set_source_pairs(const kn_set_source *s, size_t size);

typedef enum kn_sampler_kind {
    KN_SAMPLER_EXACT,
    KN_SAMPLER_CHAIN,
    KN_SAMPLER_PERSON,
    KN_SAMPLER_NAIVE
} kn_sampler_kind;

typedef struct kn_set_sampler kn_set_sampler;

typedef struct kn_set_sample {
    uint32_t items[KN_MOST_KNOWN]; /* ascending codes */
    size_t len;                    /* the size; with PERSON also fewer */
    uint64_t draws; /* EXACT: draws up to this one, which was accepted; CHAIN: steps; else 1 */
} kn_set_sample;

/** A sampler of itemsets of `size` items (1..KN_MOST_KNOWN). `samples`: how many will be drawn, by
 *  which it is decided whether EXACT lists all itemsets (0: never); the decision changes which
 *  samples are drawn, so give the same number where results are to be the same. It keeps `source`,
 *  which must outlive it. When no record is so long, kn__set_sampler_empty is true.
 *  O(longest), a pilot of 2,000 draws, and the listing, which takes less than the draws would. */
kn_status kn__set_sampler_new(kn_set_sampler **out, const kn_set_source *source,
                              kn_sampler_kind kind, size_t size, uint64_t seed, uint64_t samples,
                              const kn_run *run, kn_error *err);
void kn__set_sampler_free(kn_set_sampler *s);
/** Whether there is nothing to draw: no record has `size` items (PERSON: none has any). */
bool kn__set_sampler_empty(const kn_set_sampler *s);
/** How many distinct itemsets were listed; 0: they were not. */
size_t kn__set_sampler_listed(const kn_set_sampler *s);
/** The items of listed itemset `i`. */
const uint32_t *kn__set_sampler_itemset(const kn_set_sampler *s, size_t i);

/** Sample number `index` of `stream`. Not for an empty sampler. Any thread may call it. Expected
 *  O(size + support counting) for each draw. */
void kn__set_sampler_draw(const kn_set_sampler *s, uint64_t stream, uint64_t index,
                          kn_set_sample *out);

#endif
