/* projection.c - counting tails and dealing them out to extensions. */
#include "count/projection.h"
#include "base/memory.h"

bool kn__projection_spend(const kn_projection_lists *lists, uint32_t item, kn_budget *left)
{
    static const kn_budget one = {{1}};
    const kn_budget *cost = lists->cost ? &lists->cost[item] : &one;

    for (size_t i = 0; i < KN_BUDGET_PARTS; i++) {
        if (cost->part[i] > left->part[i]) {
            return false;
        }
    }
    for (size_t i = 0; i < KN_BUDGET_PARTS; i++) {
        left->part[i] = (uint16_t)(left->part[i] - cost->part[i]);
    }
    return true;
}

bool kn__projection_ready(kn_projection_level *l, uint32_t items)
{
    if (!l->count) {
        l->count = kn__zalloc_array(items, sizeof *l->count);
    }
    if (!l->records) {
        l->records = kn__zalloc_array(items, sizeof *l->records);
    }
    if (!l->touched) {
        l->touched = kn__malloc_array(items, sizeof *l->touched);
    }
    if (!l->at) {
        l->at = kn__malloc_array(items, sizeof *l->at);
    }
    return l->count && l->records && l->touched && l->at;
}

void kn__projection_clear(kn_projection_level *l)
{
    KN_FREE(l->count, l->records, l->touched, l->at, l->chosen, l->dealt);
    *l = (kn_projection_level){0};
}

kn_tail *kn__projection_all(size_t records)
{
    kn_tail *all = kn__malloc_array(records, sizeof *all);

    for (size_t i = 0; all && i < records; i++) {
        all[i] = (kn_tail){(uint32_t)i, 0};
    }
    return all;
}

size_t kn__projection_count(const kn_projection_lists *lists, kn_projection_level *l,
                            const kn_tail *tails, size_t len, size_t *work)
{
    size_t longest = 0, touched = 0;

    for (size_t i = 0; i < len; i++) {
        const uint32_t record = tails[i].record;
        const uint32_t weight = lists->weight ? lists->weight[record] : 1;
        const uint32_t *at = lists->list + lists->starts[record] + tails[i].from;
        const uint32_t *end = lists->list + lists->starts[record + 1];
        const size_t here = (size_t)(end - at);
        uint32_t last = KN_NO_ITEM;
        longest = here > longest ? here : longest;
        *work += here;
        for (; at < end; at++) {
            if (*at == last) {
                continue;
            }
            last = *at;
            if (l->records[last] == 0) {
                l->touched[touched++] = last;
                l->at[last] = KN_NOT_CHOSEN;
            }
            l->count[last] += weight;
            l->records[last]++;
        }
    }
    l->touched_len = touched;
    l->chosen_len = 0;
    return longest;
}

kn_extension *kn__projection_choose(kn_projection_level *l, uint32_t item)
{
    kn_extension *e;

    if (kn__grow(&l->chosen, &l->chosen_cap, l->chosen_len + 1, sizeof *l->chosen, NULL) != KN_OK) {
        return NULL;
    }
    l->at[item] = (uint32_t)l->chosen_len;
    e = &l->chosen[l->chosen_len++];
    *e = (kn_extension){.item = item, .support = l->count[item], .len = l->records[item]};
    return e;
}

bool kn__projection_deal(const kn_projection_lists *lists, kn_projection_level *l,
                         const kn_tail *tails, size_t len)
{
    size_t total = 0;

    for (size_t i = 0; i < l->chosen_len; i++) {
        l->chosen[i].begin = total;
        total += l->chosen[i].len;
        l->chosen[i].len = 0;
    }
    if (total == 0) {
        return true;
    }
    if (kn__grow(&l->dealt, &l->dealt_cap, total, sizeof *l->dealt, NULL) != KN_OK) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const uint32_t record = tails[i].record;
        const uint32_t *start = lists->list + lists->starts[record], *at = start + tails[i].from;
        const uint32_t *end = lists->list + lists->starts[record + 1];
        uint32_t last = KN_NO_ITEM;
        for (; at < end; at++) {
            const uint32_t number = l->at[*at];
            const uint32_t *next = at + 1;
            if (*at == last || number == KN_NOT_CHOSEN) {
                continue;
            }
            last = *at;
            while (lists->follow && next < end && *next < lists->follow[*at]) {
                next++;
            }
            kn_extension *to = &l->chosen[number];
            l->dealt[to->begin + to->len++] = (kn_tail){record, (uint32_t)(next - start)};
        }
    }
    return true;
}

void kn__projection_reset(kn_projection_level *l)
{
    for (size_t i = 0; i < l->touched_len; i++) {
        l->count[l->touched[i]] = l->records[l->touched[i]] = 0;
    }
    l->touched_len = 0;
}
