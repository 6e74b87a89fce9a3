/* methods/sets/apriori.h - the parts of the search for a cut of little loss.
 *
 * A cut is given by its splits: the inner nodes above it. Splits come from the root down: a node
 * can be split only if its parent is. A rare combination of nodes says that their parents cannot
 * all be split, in no cut at all (see cut.h): a conflict. So the best cut is the heaviest set of
 * splits, by what each saves, that holds no conflict whole. */
#ifndef KN_METHODS_SETS_APRIORI_H
#define KN_METHODS_SETS_APRIORI_H

#include "base/arena.h"
#include "base/intern.h"
#include "kanon/run.h"
#include "methods/sets/cut.h"
#include "methods/method.h"

/** The splits that are possible at all, and what is known to exclude what. */
typedef struct kn_splits {
    kn_arena arena;
    size_t count;   /* splits, numbered depth-first, parents before children */
    uint32_t *node; /* by split: the node */
    uint32_t *up;   /* by split: that of its parent; KN_NO_NODE for the root's */
    uint32_t *end;  /* by split: those below it are the next ones, up to this */
    double *gain;   /* by split: the NCP that it saves, summed over occurrences */
    uint32_t *of;   /* by node: its split, or KN_NO_NODE */
    /* Conflict i is member[begin[i]..begin[i+1]): ascending, none above another. */
    size_t conflicts;
    uint32_t *member;
    size_t *begin;
    size_t member_cap, begin_cap;
    bool complete; /* whatever holds none of these whole is a k^m-anonymous cut */
} kn_splits;

/** Find the splits that `c`, the coarsest cut, allows with nothing but the splits above them. `c`
 *  is as it was afterwards. Clear `s` with kn__splits_clear, also on failure. */
kn_status kn__splits_find(kn_splits *s, kn_cut *c, const kn_run *run, kn_error *err);
void kn__splits_clear(kn_splits *s);

/** Find the conflicts between them, size by size, as long as a size takes no more than `most` looks
 *  at an item. O(sum over the records of (length x height)^(m-1)) at most. */
kn_status kn__splits_conflicts(kn_splits *s, const kn_cut *c, double most, const kn_run *run,
                               kn_error *err);

/** The conflict that follows from a rare combination of `size` nodes: the splits of their parents,
 *  ascending, into `member`; how many there are. Those above another are left out. */
size_t kn__splits_of_nodes(const kn_splits *s, const kn_cut *c, const uint32_t *nodes, size_t size,
                           uint32_t *member);
kn_status kn__splits_add(kn_splits *s, const uint32_t *member, size_t size, kn_error *err);

/** Add the conflicts `found` (lists as of kn__splits_of_nodes) that do not follow from others, in
 * an order of their own, whatever the order in which they were found. excludes[a * count + b]:
 * splits a and b are in conflict, or splits above them are; it is brought up to date. */
kn_status kn__splits_keep(kn_splits *s, uint8_t *excludes, const kn_intern *found, kn_error *err);

/** With more splits, conflicts are not listed but learnt. */
#define KN_MOST_SPLITS ((size_t)4096)

/** Choose splits, heavy ones, that hold no known conflict whole: `chosen`, one byte per split.
 *  Deterministic. */
kn_status kn__splits_choose(const kn_splits *s, uint8_t *chosen, const kn_run *run, kn_error *err);

#define KN_APRIORI_WORK 1e9 /**< the usual `most` */

/** Make `c`, the coarsest cut, which is k^m-anonymous, as fine as can be found; no node of the
 *  result could be split. Where finding all conflicts would take more than `most` looks, they are
 *  learnt from splits that the data refuse. */
kn_status kn__apriori_search(kn_cut *c, double most, const kn_run *run, kn_error *err);

/* ---- what apriori, lra and vpa share ---- */

/** The coarsest cut of the task's column. KN_EUSAGE without a hierarchy; KN_EINFEASIBLE when even
 *  that is not k^m-anonymous. */
kn_status kn__apriori_start(kn_cut **out, const kn_items_task *task, const char *method,
                            kn_error *err);
/** All of apriori, for a method called so. */
kn_status kn__apriori_run(const kn_items_task *task, const char *method, kn_recoding *out,
                          kn_error *err);
/** Make out->texts of the nodes whose text_of is not KN_NO_CODE, and set it to the text's code. A
 *  node with one leaf has that leaf's text. */
kn_status kn__apriori_texts(kn_recoding *out, const kn_domain *d, uint32_t *text_of, kn_error *err);
/** Every item as its node of the cut, in all records. */
kn_status kn__apriori_publish(const kn_items_task *task, const kn_cut *c, kn_recoding *out,
                              kn_error *err);

#endif
