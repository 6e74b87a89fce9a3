/* models/rules/mine.h - mining rules from the inside: frequent itemsets, candidate rules, and those
 * that are chosen. */
#ifndef KN_MODELS_RULES_MINE_H
#define KN_MODELS_RULES_MINE_H

#include "models/rules/itemsets.h"
#include "models/registry.h"
#include "models/rules/rules.h"

#include <string.h>

enum { KN_MOST_LONGEST = 16 };

/* The frequent items, numbered by ascending support, and the records as sets of them. */
typedef struct kn_ranked_items {
    const kn_column *column;
    size_t records;
    uint32_t items;      /* how many are frequent */
    uint32_t *code;      /* by item */
    uint32_t *rank;      /* by code: the item; KN_NO_CODE: it is not frequent */
    uint8_t *hidden;     /* by item */
    kn_baskets *baskets; /* the records */
    kn_item_index index;
} kn_ranked_items;

typedef struct kn_fraction {
    uint32_t count, of;
} kn_fraction;

typedef struct kn_rule_candidate {
    uint64_t leverage; /* times records squared */
    uint32_t set;
    uint8_t size, right; /* the place of the right side within the set */
    bool discloses;      /* it has a private item */
} kn_rule_candidate;

typedef struct kn_rule_mining {
    kn_ranked_items ranked;
    const kn_mine_options *options;
    double confidence; /* the least of a rule */
    const kn_run *run;
    kn_itemsets sets;
    kn_dict *number;              /* texts: the items of set i, for every i */
    kn_fraction *best_confidence; /* by place in sets.item: of the rules with that item on the right
                                     and a subset of the set's others on the left */
    kn_rule_candidate *candidate;
    size_t candidates, candidates_cap;
    size_t *chosen; /* candidates */
    size_t chosen_count;
} kn_rule_mining;

/** The items of a frequent set, ascending. */
static inline const uint32_t *kn__mining_set(const kn_rule_mining *m, size_t set, size_t *size)
{
    *size = m->sets.begin[set + 1] - m->sets.begin[set];
    return m->sets.item + m->sets.begin[set];
}

/** A candidate as a rule of ranked items; its sides are in `items`. */
static inline void kn__mining_rule(const kn_rule_mining *m, const kn_rule_candidate *c,
                                   uint32_t items[KN_MOST_LONGEST], kn_rule *rule)
{
    size_t size;
    const uint32_t *set = kn__mining_set(m, c->set, &size);

    memcpy(items, set, c->right * sizeof *items);
    memcpy(items + c->right, set + c->right + 1, (size - c->right - 1) * sizeof *items);
    items[size - 1] = set[c->right];
    *rule = (kn_rule){
        .left = items, .left_count = size - 1, .right = items + size - 1, .right_count = 1};
}

/** Fill in m->chosen, ascending: candidates that together keep the limits, and to which no other
 * can be added. */
kn_status kn__mining_choose(kn_rule_mining *m, kn_error *err);

#endif
