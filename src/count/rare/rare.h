/* count/rare/rare.h - the combinations of items that too few people share.
 *
 * A combination of size s is s items of one record (in bags an item may be taken as often as the
 * record holds it). Its support is the number of people whose records hold it. It is rare when its
 * support is above 0 and below k, and minimal when every combination inside it has support k or
 * more: if no minimal one is left, no rare one is. */
#ifndef KN_COUNT_RARE_RARE_H
#define KN_COUNT_RARE_RARE_H

#include "count/baskets.h"
#include "count/postings.h"
#include "kanon/guarantee.h"

typedef struct kn_rare {
    uint32_t *items; /* ascending; in bags with repeats */
    size_t size;
    uint32_t support;
    uint32_t record; /* the first record that holds it */
} kn_rare;

typedef struct kn_rare_list {
    kn_rare *rare; /* minimal ones, by size, then support, then items; `kept` of them */
    size_t kept;
    uint64_t count;                        /* all minimal ones */
    uint64_t count_of_size[KN_MOST_M + 1]; /* all minimal ones, by size */
    /* The smallest support of any combination of exactly this size that occurs: the k that holds
     * for it. 0: no record has so many items. */
    uint32_t least[KN_MOST_M + 1];
    size_t at_risk;  /* people who hold a rare combination */
    size_t longest;  /* the most items of any record */
    size_t empty;    /* people without items */
    size_t distinct; /* different records; 0: there was no need to count them */
    kn_support_stats stats;
    uint32_t *room; /* what `items` point into */
} kn_rare_list;

/** Find the minimal rare combinations of size 1..m (1 <= m <= KN_MOST_M) in `b`; the first `limit`
 *  are kept, all are counted. All threads; the result is the same for any number of them.
 *
 *  Depth-first over the combinations that occur, on the records that hold the prefix. Equal records
 *  are counted once, and items that every record of a prefix holds are not branched on (they change
 *  no support), so the time is that of the different supports, not of all subsets: at most the sum
 *  of C(length, m) over different records. About 24 bytes an occurrence, 40 a record, and 64 MB at
 * most for pairs when m > 2. */
kn_status kn__rare_find(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m, size_t limit,
                        const kn_run *run, kn_error *err);
/** The same; risky[i] (one byte per record, NULL: none) is set to 1 where record i holds a rare
 *  combination, and left alone elsewhere. */
kn_status kn__rare_find_marked(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m,
                               size_t limit, uint8_t *risky, const kn_run *run, kn_error *err);
void kn__rare_list_free(kn_rare_list *l);

#endif
