/* methods/mixed/cluster_items_search.h - between cluster_items*.c: one cluster (kn__part) as
 * bitmaps.
 *
 * Clusters are small, so the records that hold something are a bitmap (a string), one bit per
 * record, and the support of a combination is the number of ones in the intersection. An item, or a
 * group of items, has a slot of bitmaps: in sets one; in bags `levels` of them, up to m, where
 * bitmap j - 1 has the records that hold it j times or more.
 *
 * A combination is allowed if it does not occur, or if at least k records hold it and no sensitive
 * item is in more than 1/l of them. A cluster is allowed if all combinations of up to m are. */
#ifndef KN_METHODS_MIXED_CLUSTER_ITEMS_SEARCH_H
#define KN_METHODS_MIXED_CLUSTER_ITEMS_SEARCH_H

#include "base/arena.h"
#include "kanon/guarantee.h"
#include "methods/mixed/cluster_items.h"
#include "utility/items/ul.h"

#include <stddef.h>

/* A combination that breaks the guarantee: slots, each with how often. */
typedef struct kn__part_witness {
    uint32_t slot[KN_MOST_M];
    size_t level[KN_MOST_M];
    size_t len; /* different slots */
} kn__part_witness;

/* A word of a sparse bitmap, which has words that are not 0 only. Intersections are often nearly
 * empty. */
typedef struct kn__part_word {
    uint64_t bits;
    uint32_t at;
} kn__part_word;

typedef struct kn__part {
    const kn_cluster_items *t;
    kn_arena arena;    /* for one cluster */
    uint32_t *number;  /* by code: 0, or while a cluster is read its item's number + 1 */
    const kn_run *run; /* of the worker on the caller's thread; NULL for the others */
    uint64_t work;     /* words read for this cluster */
    uint64_t reported; /* `work` when progress was reported last */
    /* The cluster. */
    size_t records, words, levels, stride; /* stride: words of a slot */
    uint32_t items;                        /* without the sensitive ones */
    uint32_t *code;                        /* by item */
    uint32_t *times;                       /* by item: its occurrences */
    uint32_t *list;                        /* items, record after record, ascending */
    size_t *starts;                        /* records + 1 of them */
    uint32_t *kept;                        /* by record: how many sensitive items it holds */
    uint32_t secrets;                      /* sensitive items */
    uint32_t *secret;                      /* their codes, ascending */
    uint64_t *secret_bits;                 /* a bitmap each */
    uint64_t *bits;                        /* slots; the first are the items'; NULL: too many */
    kn__part_word *all;                    /* the sparse bitmap of all records */
    kn__part_word *prefix;                 /* m sparse bitmaps, for the search */
    uint32_t *live;                        /* slots that are published */
    size_t live_len;
    kn__part_witness witness;
    bool finer; /* one group for all items is not allowed: search from single items upwards */
    bool trial; /* end the search when something allowed is found */
    /* What the search found. */
    uint32_t groups;
    uint32_t *of;   /* by item: its group */
    uint64_t *size; /* by group: |u| */
    uint32_t *node; /* by group: its node; NULL without a hierarchy */
    /* While UL is summed. */
    uint64_t *seen;  /* by group: the value of `met` when a record held it last */
    uint64_t met;    /* a stamp, one per record that is summed */
    uint64_t *sizes; /* of the groups of one record */
    /* Where items have weights; NULL otherwise. */
    double *worth;      /* by group: w(u) |u|; without a hierarchy the sum over its items */
    double *kept_worth; /* by record: sum over its sensitive items */
    double *weights;    /* of the groups of one record */
} kn__part;

struct kn_cluster_items {
    const kn_baskets *all;
    const kn_domain *domain;
    bool tree;
    size_t k, m;
    double l;
    const uint8_t *sensitive;
    const double *weight; /* by node of the domain, or code; NULL: all 1 */
    unsigned workers;
    double total;       /* items of the domain */
    uint32_t *by_order; /* codes in the hierarchy's order */
    size_t most_bytes;  /* of bitmaps, where there is a search without them */
    kn__part *part;
};

static inline uint64_t *kn__part_bits(const kn__part *p, uint32_t slot)
{
    return p->bits + (size_t)slot * p->stride;
}

/** Whether a sensitive item that `held` of `support` records hold is in more than 1/l of them; the
 *  same division as in the check, so that both round alike. */
static inline bool kn__part_too_sure(double support, double held, double l)
{
    return support / held < l;
}

/** A word of the string of both slots together, for `level` times: in bags a record holds j of both
 *  when for some i it holds i of the one and j - i of the other. */
static inline uint64_t kn__part_united(const kn__part *p, uint32_t a, uint32_t b, size_t level,
                                       size_t word)
{
    const uint64_t *const x = kn__part_bits(p, a) + word, *const y = kn__part_bits(p, b) + word;
    uint64_t both = x[(level - 1) * p->words] | y[(level - 1) * p->words];

    for (size_t i = 1; i < level; i++) {
        both |= x[(i - 1) * p->words] & y[(level - i - 1) * p->words];
    }
    return both;
}

/** Report progress from time to time. */
kn_status kn__part_step(kn__part *p, kn_error *err);
/** Copy slot `from` to slot `to`. */
void kn__part_copy(kn__part *p, uint32_t to, uint32_t from);
/** Make slot `to` that of `a` and `b` as one group; it may be one of them. */
void kn__part_unite(kn__part *p, uint32_t to, uint32_t a, uint32_t b);
/** Add `slot` to the group of slot `to`; the `first` one is copied. */
void kn__part_add(kn__part *p, uint32_t to, uint32_t slot, bool first);
/** The number of ones of a bitmap. */
size_t kn__part_support(const kn__part *p, const uint64_t *string);
/** How many records a combination that the records `held` hold is short of being allowed (more
 *  than 0 if it is not allowed for its sensitive items); 0 or less: it is allowed. */
double kn__part_lack(const kn__part *p, const kn__part_word *held, size_t len, size_t support);
/** Intersect `held` with the bitmap `string`, into `out`; returns the number of records. */
size_t kn__part_within(const uint64_t *string, const kn__part_word *held, size_t len,
                       kn__part_word *out, size_t *out_len);
/** Whether all combinations of 1..m, `size` at most, with one of live[from..to) and later ones are
 *  allowed. If not, p->witness is one that is not. */
bool kn__part_holds(kn__part *p, size_t from, size_t to, size_t size);
/** Whether `count` fresh slots may be published instead of `olds` old ones, as everything else is
 *  allowed already. If so they are, first in p->live; if not, p->live is as it was but for its
 *  order. */
bool kn__part_replace(kn__part *p, const uint32_t *old, size_t olds, const uint32_t *fresh,
                      size_t count);
/** Publish the old ones again. */
void kn__part_revert(kn__part *p, const uint32_t *old, size_t olds, size_t count);
/** UL of a record, with items in groups p->of of sizes p->size. */
kn_ul_parts kn__part_ul_of(kn__part *p, size_t record);

/* With a hierarchy: items, nodes above two items or more, what is left of each of them, and three
 * more. Without one: items, groups, and a few to try things in. */
#define KN__PART_SLOTS(items) (3 * (size_t)(items) + 6)

/** The searches, for a cluster with items. They take the slots beyond the items' as they like.
 *  @return KN_EINFEASIBLE, without words, when nothing is found; with p->finer only. */
kn_status kn__part_tree(kn__part *p, kn_error *err);
kn_status kn__part_sets(kn__part *p, kn_error *err);

#endif
