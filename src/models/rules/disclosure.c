/* disclosure.c - per block of the partition and disclosed private item, the number of records that
 * are known to hold it, updated incrementally: a rule changes the counts only through the records
 * that it moves to another state.
 *
 * Invariant between calls: known[item] is the set of records that the chosen rules disclose to hold
 * the item, and block[b] has the sizes of these sets within block b. Trying a rule computes the
 * counts of the blocks that it would split, as pending, and commit puts them in place. */
#include "models/rules/disclosure.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

typedef struct item_count {
    uint32_t item, known; /* records of the block that are known to hold it */
} item_count;

/* The disclosed private items of a block. */
typedef struct block_counts {
    item_count *item; /* owned */
    size_t count;
} block_counts;

/* The counts of a block as the rule that is tried would make it. */
typedef struct pending_block {
    uint32_t block; /* the block that is split */
    uint8_t state;  /* of its records in the rule; KN_RULE_NONE: the records that stay */
    block_counts counts;
} pending_block;

struct kn_disclosure {
    const kn_baskets *baskets;
    const uint8_t *hidden;
    kn_guarantee diversity;
    bool diverse; /* diversity is limited */
    double inference;
    block_counts *block; /* by block */
    size_t blocks, blocks_cap;
    uint64_t **known; /* by item: bits of the records that are known to hold it; NULL: none */
    /* The records that the rule moves, as a linked list per block. */
    uint32_t *first; /* by block; KN_NO_CODE: none */
    size_t first_cap;
    uint32_t *next;    /* by record that moves */
    uint8_t *state;    /* by record that moves */
    uint32_t *touched; /* blocks with such records */
    size_t touched_count, touched_cap;
    /* By item, of the block at hand: the records known to hold it with the rule, by state, and the
     * moved ones that were known to hold it before. Zero between blocks. */
    uint32_t *known_in[KN_RULE_STATES];
    uint32_t *known_moved;
    uint8_t *side;        /* by private item: 1 left, 2 right side of the rule */
    uint32_t left, right; /* private items of each side */
    uint32_t *learnt;     /* pairs of record and item that the rule would make known */
    size_t learnt_count, learnt_cap;
    pending_block *pending;
    size_t pending_count, pending_cap;
};

kn_status kn__disclosure_new(kn_disclosure **out, const kn_baskets *baskets, const uint8_t *hidden,
                             double l, bool distinct, double inference, kn_error *err)
{
    kn_disclosure *d = kn__zalloc(sizeof *d);
    const size_t items = baskets->items;

    *out = NULL;
    KN_PASS(d ? KN_OK : kn__nomem(err));
    *d = (kn_disclosure){
        .baskets = baskets, .hidden = hidden, .diverse = l > 0, .inference = inference};
    d->diversity = (kn_guarantee){.kind = KN_L_DIVERSITY,
                                  .l = l > 0 ? l : 1,
                                  .diversity = distinct ? KN_DISTINCT : KN_ENTROPY};
    d->known = kn__zalloc_array(items, sizeof(uint64_t *));
    d->next = kn__malloc_array(baskets->records, sizeof *d->next);
    d->state = kn__malloc(baskets->records);
    d->known_moved = kn__zalloc_array(items, sizeof *d->known_moved);
    d->side = kn__zalloc(items);
    for (int i = 0; i < KN_RULE_STATES; i++) {
        d->known_in[i] = kn__zalloc_array(items, sizeof **d->known_in);
    }
    if (!d->known || !d->next || !d->state || !d->known_moved || !d->side || !d->known_in[0] ||
        !d->known_in[1] || !d->known_in[2]) {
        kn__disclosure_free(d);
        return kn__nomem(err);
    }
    *out = d;
    return KN_OK;
}

static void drop_pending(kn_disclosure *d)
{
    for (size_t i = 0; i < d->pending_count; i++) {
        kn__free(d->pending[i].counts.item);
    }
    d->pending_count = 0;
}

void kn__disclosure_free(kn_disclosure *d)
{
    if (!d) {
        return;
    }
    drop_pending(d);
    for (size_t i = 0; i < d->blocks; i++) {
        kn__free(d->block[i].item);
    }
    for (uint32_t i = 0; d->known && i < d->baskets->items; i++) {
        kn__free(d->known[i]);
    }
    for (int i = 0; i < KN_RULE_STATES; i++) {
        kn__free(d->known_in[i]);
    }
    KN_FREE(d->block, d->known, d->first, d->next, d->state, d->touched, d->known_moved, d->side,
            d->learnt, d->pending, d);
}

/* ---- the records that a rule moves ---- */

static kn_status reserve(kn_disclosure *d, size_t blocks, kn_error *err)
{
    const size_t blocks_before = d->blocks_cap, first_before = d->first_cap;

    KN_PASS(kn__grow(&d->block, &d->blocks_cap, blocks, sizeof *d->block, err));
    memset(d->block + blocks_before, 0, (d->blocks_cap - blocks_before) * sizeof *d->block);
    d->blocks = d->blocks > blocks ? d->blocks : blocks;
    KN_PASS(kn__grow(&d->touched, &d->touched_cap, blocks, sizeof *d->touched, err));
    KN_PASS(kn__grow(&d->first, &d->first_cap, blocks, sizeof *d->first, err));
    memset(d->first + first_before, 0xff, (d->first_cap - first_before) * sizeof *d->first);
    return KN_OK;
}

static void move_record(kn_disclosure *d, const kn_partition *p, uint32_t record, uint8_t state)
{
    const uint32_t block = p->block_of[record];

    if (d->first[block] == KN_NO_CODE) {
        d->touched[d->touched_count++] = block;
    }
    d->next[record] = d->first[block];
    d->first[block] = record;
    d->state[record] = state;
}

/* List the records whose state the rule changes, per block. If the rest is known to hold
 * something too, all records change; they are then listed with KN_RULE_NONE, which tells them from
 * the records of the split. */
static void move_records(kn_disclosure *d, const kn_partition *p, const kn_rule_split *split,
                         uint8_t rest)
{
    const kn_records *lists[2] = {split->left_only, split->both};
    size_t at[2] = {0, 0};

    d->touched_count = 0;
    if (rest == KN_RULE_NONE) {
        for (int i = 0; i < 2; i++) {
            for (size_t j = 0; lists[i] && j < lists[i]->len; j++) {
                move_record(d, p, lists[i]->at[j], (uint8_t)(i + 1));
            }
        }
        return;
    }
    for (uint32_t r = 0; r < p->records; r++) {
        uint8_t state = KN_RULE_NONE;
        for (int i = 0; i < 2; i++) {
            if (lists[i] && at[i] < lists[i]->len && lists[i]->at[at[i]] == r) {
                at[i]++;
                state = (uint8_t)(i + 1);
            }
        }
        move_record(d, p, r, state);
    }
}

static void forget_moves(kn_disclosure *d)
{
    for (size_t i = 0; i < d->touched_count; i++) {
        d->first[d->touched[i]] = KN_NO_CODE;
    }
    d->touched_count = 0;
}

/* ---- one block ---- */

static bool is_known(const kn_disclosure *d, uint32_t item, uint32_t record)
{
    return d->known[item] && kn__bit_get(d->known[item], record);
}

static kn_status learn(kn_disclosure *d, uint32_t record, uint32_t item, kn_error *err)
{
    const kn_status status = kn__grow(&d->learnt, &d->learnt_cap, 2 * (d->learnt_count + 1),
                                      sizeof *d->learnt, err);

    if (status == KN_OK) {
        d->learnt[2 * d->learnt_count] = record;
        d->learnt[2 * d->learnt_count++ + 1] = item;
    }
    return status;
}

/* Count the items of a moved record. Its state in the rule is below `pattern` if it lacks private
 * items of the rule. */
static kn_status count_record(kn_disclosure *d, uint32_t record, uint8_t state, uint8_t pattern,
                              kn_error *err)
{
    size_t len;
    const uint32_t *items = kn__baskets_record(d->baskets, record, &len);
    uint32_t left = 0, right = 0;
    bool holds_left, holds_both;

    for (size_t i = 0; i < len; i++) {
        left += d->side[items[i]] & 1;
        right += d->side[items[i]] >> 1;
    }
    holds_left = pattern >= KN_RULE_LEFT && left == d->left;
    holds_both = pattern >= KN_RULE_BOTH && left == d->left && right == d->right;
    for (size_t i = 0; i < len; i++) {
        const uint32_t item = items[i];
        const bool before = d->hidden[item] && is_known(d, item, record);
        const bool now = (holds_left && d->side[item] & 1) || (holds_both && d->side[item] >> 1);
        d->known_moved[item] += before;
        d->known_in[state][item] += before || now;
        if (now && !before) {
            KN_PASS(learn(d, record, item, err));
        }
    }
    return KN_OK;
}

static bool keeps_limits(const kn_disclosure *d, uint32_t known, uint32_t population)
{
    const kn_presence judged = kn__presence_judge(&d->diversity, known, population);

    return (d->inference <= 0 || judged.confidence <= d->inference) &&
           (!d->diverse || judged.diverse);
}

static uint32_t item_of_rule(const kn_rule *rule, size_t i)
{
    return i < rule->left_count ? rule->left[i] : rule->right[i - rule->left_count];
}

static bool has_item(const block_counts *counts, uint32_t item)
{
    for (size_t i = 0; i < counts->count; i++) {
        if (counts->item[i].item == item) {
            return true;
        }
    }
    return false;
}

/* The counts of the records of block `block` that are in `state`; `*ok` turns false if they break a
 * limit. The items are those of the block and those that the rule discloses at `pattern`. */
static kn_status make_pending(kn_disclosure *d, uint32_t block, uint8_t state, uint8_t pattern,
                              uint32_t population, const kn_rule *rule, bool *ok, kn_error *err)
{
    const block_counts *old = &d->block[block];
    const size_t in_rule = rule->left_count + rule->right_count;
    pending_block new = {.block = block, .state = state};

    KN_PASS(kn__grow(&d->pending, &d->pending_cap, d->pending_count + 1, sizeof *d->pending, err));
    new.counts.item = kn__malloc_array(old->count + in_rule, sizeof *new.counts.item);
    KN_PASS(new.counts.item ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < old->count; i++) {
        const uint32_t item = old->item[i].item;
        /* Records that stay, of a rule that leaves the rest alone, are not counted one by one. */
        const uint32_t known = state == KN_RULE_NONE && pattern == KN_RULE_NONE
                                   ? old->item[i].known - d->known_moved[item]
                                   : d->known_in[state][item];
        new.counts.item[new.counts.count++] = (item_count){item, known};
    }
    for (size_t i = 0; i < in_rule; i++) {
        const uint32_t item = item_of_rule(rule, i);
        const unsigned side = d->side[item];
        if (((side & 1 && pattern >= KN_RULE_LEFT) || (side >> 1 && pattern >= KN_RULE_BOTH)) &&
            !has_item(old, item)) {
            new.counts.item[new.counts.count++] = (item_count){item, d->known_in[state][item]};
        }
    }
    for (size_t i = 0; *ok && i < new.counts.count; i++) {
        *ok = keeps_limits(d, new.counts.item[i].known, population);
    }
    d->pending[d->pending_count++] = new;
    return KN_OK;
}

static void clear_counts(kn_disclosure *d, uint32_t block, const kn_rule *rule)
{
    const block_counts *old = &d->block[block];

    for (size_t i = 0; i < old->count + rule->left_count + rule->right_count; i++) {
        const uint32_t item = i < old->count ? old->item[i].item
                                             : item_of_rule(rule, i - old->count);
        d->known_moved[item] = 0;
        for (int state = 0; state < KN_RULE_STATES; state++) {
            d->known_in[state][item] = 0;
        }
    }
}

static kn_status try_block(kn_disclosure *d, const kn_partition *p, uint32_t block,
                           const kn_rule *rule, uint8_t rest, bool *ok, kn_error *err)
{
    uint32_t population[KN_RULE_STATES] = {[KN_RULE_NONE] = (uint32_t)p->block[block].population};
    kn_status status = KN_OK;

    for (uint32_t r = d->first[block]; r != KN_NO_CODE; r = d->next[r]) {
        const uint8_t state = d->state[r];
        KN_TRY(count_record(d, r, state, state == KN_RULE_NONE ? rest : state, err));
        population[KN_RULE_NONE]--;
        population[state]++;
    }
    for (uint8_t state = 0; state < KN_RULE_STATES && *ok; state++) {
        if (population[state] > 0) {
            KN_TRY(make_pending(d, block, state, state == KN_RULE_NONE ? rest : state,
                                population[state], rule, ok, err));
        }
    }
done:
    clear_counts(d, block, rule);
    return status;
}

static void set_sides(kn_disclosure *d, const kn_rule *rule, bool on)
{
    d->left = d->right = 0;
    for (size_t i = 0; i < rule->left_count; i++) {
        d->side[rule->left[i]] = on && d->hidden[rule->left[i]];
        d->left += d->side[rule->left[i]];
    }
    for (size_t i = 0; i < rule->right_count; i++) {
        d->side[rule->right[i]] = on && d->hidden[rule->right[i]] ? 2 : 0;
        d->right += d->side[rule->right[i]] >> 1;
    }
}

kn_status kn__disclosure_try(kn_disclosure *d, const kn_partition *p, const kn_rule *rule,
                             const kn_rule_split *split, uint8_t rest, bool *fits, kn_error *err)
{
    kn_status status;

    *fits = true;
    d->learnt_count = 0;
    drop_pending(d);
    KN_TRY(reserve(d, p->count, err));
    set_sides(d, rule, true);
    move_records(d, p, split, rest);
    for (size_t i = 0; i < d->touched_count && *fits; i++) {
        KN_TRY(try_block(d, p, d->touched[i], rule, rest, fits, err));
    }
done:
    forget_moves(d);
    set_sides(d, rule, false);
    return status;
}

kn_status kn__disclosure_commit(kn_disclosure *d, const kn_partition *p, size_t before,
                                kn_error *err)
{
    size_t at = before;

    KN_PASS(reserve(d, p->count, err));
    for (size_t i = 0; i < d->learnt_count; i++) {
        const uint32_t record = d->learnt[2 * i], item = d->learnt[2 * i + 1];
        if (!d->known[item]) {
            d->known[item] = kn__zalloc_array(kn__bits_words(p->records), sizeof **d->known);
            KN_PASS(d->known[item] ? KN_OK : kn__nomem(err));
        }
        kn__bit_set(d->known[item], record);
    }
    for (size_t i = 0; i < d->pending_count; i++) {
        pending_block *new = &d->pending[i];
        uint32_t to = new->block;
        if (new->state != KN_RULE_NONE) {
            /* The new block is nearly always the next: both are made in the same order. */
            for (size_t tried = before; tried < p->count; tried++) {
                at = at < p->count ? at : before;
                if (p->block[at].parent == new->block && p->block[at].state == new->state) {
                    break;
                }
                at++;
            }
            to = (uint32_t)at++;
        }
        kn__free(d->block[to].item);
        d->block[to] = new->counts;
        new->counts = (block_counts){0};
    }
    return KN_OK;
}
