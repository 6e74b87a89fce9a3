/* count/tally.h - plain counting: every combination of items that occurs, and how many records hold
 * it.
 *
 * For each combination in turn, the records that hold it are gone through one by one, and every
 * item that follows in them is tallied: that gives the supports of all combinations that are one
 * item longer. Nothing is skipped because its support can be inferred, and no support is
 * remembered. It shares no code with count/rare/rare.h and serves to count a second time what that
 * counted (docs/decisions/0013-what-the-check-shares.md). */
#ifndef KN_COUNT_TALLY_H
#define KN_COUNT_TALLY_H

#include "kanon/guarantee.h"
#include <stdint.h>

/** Item lists to tally: records one after the other, each its items ascending (in bags with
 *  repeats: {a,a} is a combination of two), then KN_TALLY_END, then how often it is there. */
typedef struct kn_tally_lists {
    uint32_t *words;
    size_t len, cap;
    size_t records, weighted; /* weighted: records whose weight is not 1 */
    uint32_t items;           /* codes are below this; at most KN_TALLY_END */
} kn_tally_lists;

#define KN_TALLY_END UINT32_MAX

/** Make room for `records` lists with `occurrences` items in all. @return KN_EINPUT above 2^32 - 1
 *  words, two a record and one an occurrence. */
kn_status kn__tally_lists_init(kn_tally_lists *l, uint32_t items, size_t records,
                               uint64_t occurrences, kn_error *err);
/** Add an item of the record under way; none is below the one before. */
static inline void kn__tally_add(kn_tally_lists *l, uint32_t item)
{
    l->words[l->len++] = item;
}
/** End the record, which stands for `weight` records (at least 1). */
static inline void kn__tally_end(kn_tally_lists *l, uint32_t weight)
{
    l->words[l->len++] = KN_TALLY_END;
    l->words[l->len++] = weight;
    l->records++;
    l->weighted += weight != 1;
}
void kn__tally_lists_clear(kn_tally_lists *l);

/** Which combinations are counted. A zeroed cut counts all.
 *
 *  The combinations fall into `parts` parts by a hash of all their items but the last, so that a
 *  part has all extensions of a combination or none; of these, part number `part` is counted. Every
 *  combination is in one part (single items all in the same).
 *
 *  one_in[s] > 1: of the combinations of s items one in so many is followed to longer ones, chosen
 *  by the same hash; so of those of s + 1 items one in so many is counted (one in the product of
 *  all smaller s), and the rest is not walked. Use this with one part. */
typedef struct kn_tally_cut {
    uint64_t salt;
    uint32_t parts, part;
    uint64_t one_in[KN_MOST_M + 1];
} kn_tally_cut;

/** Whether the combination of `size` items (1..m) belongs to `cut`. */
bool kn__tally_in_cut(const kn_tally_cut *cut, const uint32_t *items, size_t size);

/** What was counted: `count` combinations of `size` items, which have the first size - 1 in common:
 *  `prefix`, then last[i], which supports[i] records hold. Called from any worker, 0..threads-1;
 *  what is not KN_OK ends the walk. */
typedef kn_status (*kn_tally_fn)(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                                 const uint32_t *last, const uint32_t *supports, size_t count);

/** Count the combinations of 1..m items (1 <= m <= KN_MOST_M) of `cut` that occur, and hand them to
 *  `found`, each once. `ordered`: on this thread, those of a size in lexicographic order; else on
 *  `threads` threads in any order. `cut` may be NULL. A few nanoseconds for each combination of
 *  each record, C(length, s) of them for size s; 4 bytes an occurrence and, for each thread,
 *  4 an item. */
kn_status kn__tally_walk(const kn_tally_lists *l, size_t m, const kn_tally_cut *cut, bool ordered,
                         unsigned threads, kn_tally_fn found, void *user, const kn_run *run,
                         kn_error *err);

#endif
