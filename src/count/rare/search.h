/* count/rare/search.h - the parts of the search for rare combinations: node.c looks into one
 * combination and those below it, rare.c starts the search and collects what was found;
 * single.c needs no search. */
#ifndef KN_COUNT_RARE_SEARCH_H
#define KN_COUNT_RARE_SEARCH_H

#include "count/bag_items.h"
#include "count/top_n.h"
#include "count/rare/pair_matrix.h"
#include "count/rare/rare.h"

#include <stdatomic.h>

enum { KN__RARE_PATIENCE = 1 << 22 }; /* links counted between two reports of progress */

/* One node of the walk, with what only this search needs. */
typedef struct kn__rare_level {
    kn_projection_level p;
    uint32_t *free; /* the links that all records of the node hold, ascending */
    size_t free_len, free_cap;
} kn__rare_level;

typedef struct kn__rare_search kn__rare_search;

typedef struct kn__rare_worker {
    kn__rare_search *s;
    unsigned number;
    kn__rare_level levels[KN_MOST_M];
    const uint32_t *counts[KN_MOST_M]; /* by depth: the counts of the node on the way */
    uint32_t prefix[KN_MOST_M];        /* links */
    kn_top_n keep;
    uint64_t count_of_size[KN_MOST_M + 1];
    kn_support_stats stats;
    size_t work; /* links counted since progress was reported */
} kn__rare_worker;

struct kn__rare_search {
    kn_bag_items *c;
    kn_postings *postings; /* of the different records */
    kn_pairs *pairs;       /* pairs with support k; NULL: not needed, or too many */
    size_t k, m, longest;
    const kn_run *run;
    kn_error *err;
    unsigned threads;
    kn__rare_worker *workers;
    kn__rare_level root;
    size_t begin; /* the first child of the root in this phase */
    atomic_size_t done;
    atomic_uchar *at_risk; /* by different record */
    atomic_uint least[KN_MOST_M + 1];
    atomic_int status; /* kn_status */
};

/** Whether a combination of a size in from..to could still lower what is known. */
bool kn__rare_could_fall(const kn__rare_search *s, size_t from, size_t to);
/** Whether a worker has failed, or the caller cancelled. */
bool kn__rare_stopped(const kn__rare_search *s);
/** Fail; the first one counts. */
void kn__rare_stop(kn__rare_search *s, kn_status status);
void kn__rare_level_clear(kn__rare_level *l);
/** The links that all `support` people hold; false when memory is out. */
bool kn__rare_find_free(kn__rare_level *l, uint32_t support);
/** Judge the extensions of a node of `support` people and `size` items, `carry` free links behind
 *  it: offer supports, note minimal ones, list the children to look into. `*rare`: one is rare.
 *  False when memory is out. */
bool kn__rare_judge(kn__rare_worker *w, unsigned depth, kn__rare_level *l, uint32_t support,
                    size_t size, size_t carry, size_t longest, bool *rare);
/** The records with a rare extension are at risk. */
void kn__rare_mark(kn__rare_search *s, const kn__rare_level *l, size_t size, const kn_tail *tails,
                   size_t len);
void kn__rare_tell_progress(kn__rare_worker *w);
/** Look into a node and all below it. `tails`: its records, node->len of them. */
void kn__rare_visit(kn__rare_worker *w, unsigned depth, const kn_extension *node,
                    const kn_tail *tails, size_t size);
/** For m = 2: whether there are few enough items to see that nothing is rare, and that is so. Fills
 *  in out->least then. O(pairs of the records). */
kn_status kn__rare_no_pairs(kn_rare_list *out, const kn_baskets *b, size_t k, const kn_run *run,
                            bool *none, kn_error *err);
/** kn__rare_find_marked for m = 1. O(occurrences). */
kn_status kn__rare_single(kn_rare_list *out, const kn_baskets *b, size_t k, size_t limit,
                          uint8_t *risky, kn_error *err);

#endif
