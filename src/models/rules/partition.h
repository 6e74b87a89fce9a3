/* models/rules/partition.h - the partition of the records that rules induce, refined rule by rule.
 *
 * At first all records are in one block. A rule moves records out of their blocks by their state in
 * it. A block remembers the rule and the block that it was split from, so the states that its
 * records have in all rules are found without looking at the records. */
#ifndef KN_MODELS_RULES_PARTITION_H
#define KN_MODELS_RULES_PARTITION_H

#include "models/rules/item_index.h"

/** How much of a rule a record holds. In this order, each state holds what those before it hold. */
enum kn_rule_state {
    KN_RULE_NONE, /* not all of the left side */
    KN_RULE_LEFT, /* the left side, and not all of the right side */
    KN_RULE_BOTH,
    KN_RULE_STATES
};

typedef struct kn_partition_block {
    uint64_t population;
    uint32_t parent; /* the block that it was split from; KN_NO_CODE: none */
    uint32_t rule;   /* the rule that split it off, and the state of its records in that rule. In */
    uint8_t state;   /* rules that no ancestor names, they are in the state of the rest. */
    bool discloses;  /* its span has several classes: some private item depends on the rules */
} kn_partition_block;

typedef struct kn_partition {
    size_t records;
    uint32_t *block_of; /* by record */
    kn_partition_block *block;
    size_t count, cap;
    uint32_t *moved[2]; /* by block: records that the rule moves, by state - 1; 0 between calls */
    uint32_t *touched;  /* blocks that it moves records of */
    size_t moved_cap[2], touched_cap;
} kn_partition;

/** How one more rule splits the blocks: records `left_only` go to KN_RULE_LEFT, `both` to
 * KN_RULE_BOTH; they are disjoint, and all others stay. `discloses` says by state (KN_RULE_NONE:
 * the others) whether private items then make a difference. */
typedef struct kn_rule_split {
    uint32_t rule;
    const kn_records *left_only, *both; /* NULL: none */
    bool discloses[KN_RULE_STATES];
} kn_rule_split;

kn_status kn__partition_new(kn_partition *out, size_t records, kn_error *err);
void kn__partition_clear(kn_partition *p);
/** Whether every block that discloses something would still have at least `k` records, or none.
 * O(records that the rule moves), and O(blocks) if the others disclose something. */
kn_status kn__partition_keeps_k(kn_partition *p, const kn_rule_split *split, uint64_t k,
                                bool *keeps, kn_error *err);
/** Split the blocks. On failure nothing has changed. */
kn_status kn__partition_refine(kn_partition *p, const kn_rule_split *split, kn_error *err);

#endif
