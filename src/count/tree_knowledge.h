/* count/tree_knowledge.h - the knowledge of an attacker about tree records that few records match
 * (k^(m,n)-anonymity, the tree paper, Definition 1).
 *
 * An attacker knows up to m values of a person and up to n relations a ~> b among them. The
 * relations come in parts. A part is connected and is matched by one embedding: every value of the
 * part is one node of the record. So "a ~> b and b ~> c" is two things that may be known: one part,
 * matched where a, b and c stand on one path, and two parts, matched where a ~> b holds in one
 * branch and b ~> c in perhaps another one. Both readings of Definition 1 are covered, and any
 * mixture of them: the one of a single embedding, and the one of the paper's lists, which are
 * intersected relation by relation. Values without a relation are known too.
 *
 * In an embedding the ancestors of a node are on one path and classes are ordered, so a part that
 * can be matched at all is a rooted tree of distinct values, and p values of a part need p - 1
 * relations. Parts are grown leaf by leaf, and each tree is reached once: its last leaf is the one
 * with the greatest label. Only what occurs is walked, record sets are intersected, and counting
 * stops at k. What fewer than k records match is reported and not extended; with l-diversity also
 * what lets a sensitive value be inferred, and then counting does not stop at k. */
#ifndef KN_COUNT_TREE_KNOWLEDGE_H
#define KN_COUNT_TREE_KNOWLEDGE_H

#include "count/projection.h"
#include "count/relation_index.h"

enum {
    KN_TREE_MOST_M = 16,                                        /* values */
    KN_TREE_MOST_N = KN_TREE_MOST_M * (KN_TREE_MOST_M - 1) / 2, /* relations */
};

enum { KN_ASK_LABEL = 1, KN_ASK_FORK = 2 };

/** Knowledge that 1..k-1 records match, or, with l-diversity, from which a sensitive value can be
 *  inferred. */
typedef struct kn_known {
    uint32_t values, relations;
    size_t support;
    const uint32_t *records;  /* those that match, increasing; the first k of them */
    size_t named;             /* records in that list */
    const kn_record_set *set; /* all of them, or NULL where they are all named */
    uint32_t value[KN_TREE_MOST_M];
    kn_relation relation[KN_TREE_MOST_N];
    uint16_t part[KN_TREE_MOST_N]; /* by relation: relations of one part hold in one embedding */
} kn_known;

/** Called for each; anything but KN_OK ends the walk with it. */
typedef kn_status (*kn_known_fn)(void *user, const kn_known *known, kn_error *err);

typedef struct kn_knowledge {
    size_t k;
    kn_budget budget;           /* m values in part 0, n relations in part 1 */
    const kn_record_set *value; /* by label */
    size_t labels;              /* labels are below it */
    size_t words;               /* of the sets */
    const uint32_t *order;      /* the labels to combine, in this order */
    size_t order_len;
    const kn_relation_index *relations; /* NULL: values only */
    const kn_synopsis *synopsis;        /* of the relations */
    /* l-diversity: none of these sets, the records with a sensitive value, may be more than a share
     * of 1/l of the records that match. l <= 1: not asked. */
    double l;
    const kn_record_set *sensitive;
    size_t sensitive_len;
    /* By label: KN_ASK_LABEL: look at knowledge with this label; KN_ASK_FORK: at knowledge with a
     * part in which this label has two children. The caller knows what other knowledge few records
     * match; it is neither reported nor extended. NULL: look at all. */
    const uint8_t *ask;
    const kn_run *run; /* asked now and then whether to stop; NULL: never */
} kn_knowledge;

typedef struct kn_knowledge_walk kn_knowledge_walk;

/** A walker, for one thread; nothing of `of` is copied. */
kn_status kn__knowledge_walk_new(kn_knowledge_walk **out, const kn_knowledge *of, kn_error *err);
void kn__knowledge_walk_free(kn_knowledge_walk *w);

/** Combinations of values without relations that begin with number `first` of the order. */
kn_status kn__knowledge_values(kn_knowledge_walk *w, size_t first, kn_known_fn found, void *user,
                               kn_error *err);
/** Knowledge whose first part begins with relation `first`: with every further relation and value.
 */
kn_status kn__knowledge_relations(kn_knowledge_walk *w, uint32_t first, kn_known_fn found,
                                  void *user, kn_error *err);

/** What to ask about when the nodes of the labels with `changed` have come, gone or moved in `s`:
 *  these labels, and forks at labels below them, as equal siblings below them were joined or were
 *  joined before. Writes `ask` by label. O(nodes of s). */
kn_status kn__knowledge_ask(uint8_t *ask, const kn_synopsis *s, const bool *changed, kn_error *err);

/** Whether no sensitive value is held by more than 1/l of the records of `set`. */
bool kn__knowledge_is_diverse(const kn_knowledge *of, const kn_record_set *set);

#endif
