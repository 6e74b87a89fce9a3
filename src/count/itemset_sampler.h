/* count/itemset_sampler.h - uniform samples of the distinct itemsets of one size that occur.
 *
 * A record is drawn with a weight that is the number of its itemsets of the size, then one of these
 * itemsets uniformly. An itemset that s records hold is drawn in s ways, so it is accepted with
 * probability 1/s: every itemset that occurs is then equally likely. Samples are exact and
 * independent of each other; no Markov chain has to mix. In bags an item may be taken as often as
 * the record holds it.
 *
 * Equal records are one here (bag_items.h), so s counts different records. */
#ifndef KN_COUNT_ITEMSET_SAMPLER_H
#define KN_COUNT_ITEMSET_SAMPLER_H

#include "base/rng.h"
#include "count/bag_items.h"
#include "count/postings.h"
#include "kanon/guarantee.h"

typedef struct kn_itemset_sampler kn_itemset_sampler;

/** One draw. */
typedef struct kn_itemset_draw {
    uint32_t record;           /* the different record that it was drawn from */
    uint32_t items[KN_MOST_M]; /* ascending */
    /* Different records that hold the itemset, at least 1; exact for accepted draws, a lower bound
     * otherwise: counting stops where the draw is rejected for sure. */
    size_t support;
    bool accepted;
} kn_itemset_draw;

/** A sampler of itemsets of `size` items (1..KN_MOST_M). It keeps `c` and `postings` (those of
 *  c->distinct), which must outlive it. O(items of all records x size). */
kn_status kn__itemset_sampler_new(kn_itemset_sampler **out, const kn_bag_items *c,
                                  const kn_postings *postings, size_t size, kn_error *err);
void kn__itemset_sampler_free(kn_itemset_sampler *s);

/** How many pairs of a different record and an itemset inside it there are; 0: no record is so
 *  long, and nothing can be drawn. */
double kn__itemset_sampler_pairs(const kn_itemset_sampler *s);
/** How many numbers kn__itemset_sampler_draw needs in `ways`. */
size_t kn__itemset_sampler_scratch(const kn_itemset_sampler *s);

/** Draw once; several threads may share the sampler, each with its own `rng` and `ways`.
 *  O(length of the record x size), and the counting of the support. */
void kn__itemset_sampler_draw(const kn_itemset_sampler *s, kn_rng *rng, double *ways,
                              kn_itemset_draw *out);

/** Into ways[g * (size + 1) + j]: in how many ways j items can be taken from the chain number g
 *  and those behind it, of the record's links from `from` on; ways[size] is the number of itemsets
 *  of `size` items. `ways` has room for (length of the record + 1) * (size + 1) numbers. */
void kn__itemset_ways(const kn_bag_items *c, uint32_t record, uint32_t from, size_t size,
                      double *ways);

#endif
