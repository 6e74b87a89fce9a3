/* partition.c - partition refinement: splitting costs time in proportion to the records that move,
 * not to all records. The records of a rule get new blocks; the others keep theirs. */
#include "models/rules/partition.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

kn_status kn__partition_new(kn_partition *out, size_t records, kn_error *err)
{
    *out = (kn_partition){.records = records};
    out->block_of = kn__zalloc_array(records, sizeof *out->block_of);
    if (!out->block_of || kn__grow(&out->block, &out->cap, 1, sizeof *out->block, err) != KN_OK) {
        kn__partition_clear(out);
        return kn__nomem(err);
    }
    out->block[0] = (kn_partition_block){.population = records,
                                         .parent = KN_NO_CODE,
                                         .rule = KN_NO_CODE};
    out->count = 1;
    return KN_OK;
}

void kn__partition_clear(kn_partition *p)
{
    KN_FREE(p->block_of, p->block, p->moved[0], p->moved[1], p->touched);
    *p = (kn_partition){0};
}

static kn_status reserve(kn_partition *p, kn_error *err)
{
    for (int i = 0; i < 2; i++) {
        const size_t before = p->moved_cap[i];
        const kn_status status = kn__grow(&p->moved[i], &p->moved_cap[i], p->count,
                                          sizeof **p->moved, err);
        if (status != KN_OK) {
            return status;
        }
        memset(p->moved[i] + before, 0, (p->moved_cap[i] - before) * sizeof **p->moved);
    }
    return kn__grow(&p->touched, &p->touched_cap, p->count, sizeof *p->touched, err);
}

/* Count the records that move, by block and state.
 * @return the number of blocks touched. */
static size_t count_moved(kn_partition *p, const kn_rule_split *split)
{
    const kn_records *lists[2] = {split->left_only, split->both};
    size_t touched = 0;

    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; lists[s] && i < lists[s]->len; i++) {
            const uint32_t block = p->block_of[lists[s]->at[i]];
            if (p->moved[0][block] + p->moved[1][block] == 0) {
                p->touched[touched++] = block;
            }
            p->moved[s][block]++;
        }
    }
    return touched;
}

static void clear_moved(kn_partition *p, size_t touched)
{
    for (size_t i = 0; i < touched; i++) {
        p->moved[0][p->touched[i]] = p->moved[1][p->touched[i]] = 0;
    }
}

static bool keeps_k(uint64_t population, bool discloses, uint64_t k)
{
    return !discloses || population == 0 || population >= k;
}

kn_status kn__partition_keeps_k(kn_partition *p, const kn_rule_split *split, uint64_t k,
                                bool *keeps, kn_error *err)
{
    kn_status status = reserve(p, err);
    size_t touched;

    *keeps = false;
    if (status != KN_OK) {
        return status;
    }
    /* Too few records in all are too few in every block. */
    if (!keeps_k(split->left_only ? split->left_only->len : 0, split->discloses[KN_RULE_LEFT], k) ||
        !keeps_k(split->both ? split->both->len : 0, split->discloses[KN_RULE_BOTH], k)) {
        return KN_OK;
    }
    touched = count_moved(p, split);
    *keeps = true;
    for (size_t i = 0; i < touched && *keeps; i++) {
        const uint32_t at = p->touched[i];
        const kn_partition_block *block = &p->block[at];
        const uint32_t left_only = p->moved[0][at], both = p->moved[1][at];
        *keeps = keeps_k(left_only, block->discloses || split->discloses[KN_RULE_LEFT], k) &&
                 keeps_k(both, block->discloses || split->discloses[KN_RULE_BOTH], k) &&
                 keeps_k(block->population - left_only - both,
                         block->discloses || split->discloses[KN_RULE_NONE], k);
    }
    for (size_t i = 0; split->discloses[KN_RULE_NONE] && i < p->count && *keeps; i++) {
        *keeps = p->moved[0][i] + p->moved[1][i] > 0 || keeps_k(p->block[i].population, true, k);
    }
    clear_moved(p, touched);
    return KN_OK;
}

kn_status kn__partition_refine(kn_partition *p, const kn_rule_split *split, kn_error *err)
{
    const kn_records *lists[2] = {split->left_only, split->both};
    kn_status status = reserve(p, err);
    size_t touched;

    if (status != KN_OK) {
        return status;
    }
    touched = count_moved(p, split);
    status = kn__grow(&p->block, &p->cap, p->count + 2 * touched, sizeof *p->block, err);
    if (status != KN_OK) {
        clear_moved(p, touched);
        return status;
    }
    /* From here on moved[] is the new block of the records that leave. */
    for (size_t i = 0; i < touched; i++) {
        const uint32_t at = p->touched[i];
        for (int s = 0; s < 2; s++) {
            const uint32_t population = p->moved[s][at];
            if (population) {
                p->block[p->count] = (kn_partition_block){population, at, split->rule,
                                                          (uint8_t)(s + 1),
                                                          p->block[at].discloses ||
                                                              split->discloses[s + 1]};
                p->block[at].population -= population;
                p->moved[s][at] = (uint32_t)p->count++;
            }
        }
    }
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; lists[s] && i < lists[s]->len; i++) {
            uint32_t *block_of = &p->block_of[lists[s]->at[i]];
            *block_of = p->moved[s][*block_of];
        }
    }
    clear_moved(p, touched);
    if (split->discloses[KN_RULE_NONE]) {
        for (size_t i = 0; i < p->count; i++) {
            p->block[i].discloses = true;
        }
    }
    return KN_OK;
}
