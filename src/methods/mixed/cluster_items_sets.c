/* cluster_items_sets.c - generalise the items of one cluster without a hierarchy: a partition of
 * the items into groups, each published as the set of its items.
 *
 * First, agglomerative: every item is a group of its own, and groups are merged until the cluster
 * is allowed. Size by size, a combination that breaks the guarantee (the witness) is repaired by
 * merging one of its groups with another one: the pair with the least NCP per record that is gained
 * for the combination.
 *
 * Then local search, in which the cluster stays allowed: groups are split in two, single items get
 * groups of their own, and items move to other groups where that lowers UL. */
#include "base/bits.h"
#include "base/error.h"
#include "methods/mixed/cluster_items_search.h"

#include <math.h>
#include <string.h>

/* Words of bitmaps that the local search may read; it ends where it is then. */
#define MOST_WORK (1 << 27)
enum { UNDECIDED = 2 }; /* in sets.chosen, see choose_half */

/* The groups, each a linked list of items. Group g has slot items + g of the bitmaps, behind those
 * of the items; slots from 2 * items on are scratch. */
typedef struct sets {
    kn__part *p;
    uint32_t *head, *next; /* by group: its first item; by item: the next of its group */
    uint64_t *count;       /* by group: its items */
    uint64_t *times;       /* by group: occurrences of its items */
    /* While a witness is repaired: the records that hold the rest of it, and those of them that
     * hold the merged group. */
    kn__part_word *rest, *holders;
    size_t rest_len;
    uint32_t *free; /* groups without items */
    size_t free_len;
    uint32_t *others; /* scratch of move_items: the slots of the groups */
    double *ul;       /* by record: its UL */
    uint8_t *chosen;  /* by item: it leaves its group; all 0 between uses */
} sets;

static uint32_t slot_of(const sets *x, uint32_t group)
{
    return x->p->items + group;
}
static uint32_t group_of(const sets *x, uint32_t slot)
{
    return slot - x->p->items;
}

/* The NCP of a group, times the items of the domain. */
static double cost(uint64_t count, uint64_t times)
{
    return count > 1 ? (double)count * (double)times : 0;
}

/* ---- merging groups ---- */

static double cost_of_merging(const sets *x, uint32_t a, uint32_t b)
{
    return cost(x->count[a] + x->count[b], x->times[a] + x->times[b]) -
           cost(x->count[a], x->times[a]) - cost(x->count[b], x->times[b]);
}

/* Merge group `b` into `a`. In p->live the merged group stands at the later of their two places,
 * and the earlier place, which is returned, is removed: the search has passed a place only if all
 * combinations from there on are allowed, and merging does not change that (with sensitive items
 * it may, and the caller starts again). */
static size_t merge_groups(sets *x, uint32_t a, uint32_t b)
{
    kn__part *p = x->p;
    size_t at = 0, later;
    uint32_t last = x->head[b];

    kn__part_unite(p, slot_of(x, a), slot_of(x, a), slot_of(x, b));
    for (; x->next[last] != KN_NO_CODE; last = x->next[last]) {
        p->of[last] = a;
    }
    p->of[last] = a;
    x->next[last] = x->head[a];
    x->head[a] = x->head[b];
    x->count[a] += x->count[b];
    x->times[a] += x->times[b];
    x->head[b] = KN_NO_CODE;
    x->count[b] = x->times[b] = 0;
    x->free[x->free_len++] = b;
    while (p->live[at] != slot_of(x, a) && p->live[at] != slot_of(x, b)) {
        at++;
    }
    for (later = at + 1; p->live[later] != slot_of(x, a) && p->live[later] != slot_of(x, b);) {
        later++;
    }
    p->live[later] = slot_of(x, a);
    p->live_len--;
    memmove(p->live + at, p->live + at + 1, (p->live_len - at) * sizeof *p->live);
    return at;
}

/* Find the records that hold all members of the witness except member `i` and slot `other`, into
 * x->rest. Returns how many items of the two together the witness has. */
static size_t find_rest(sets *x, size_t i, uint32_t other)
{
    const kn__part *p = x->p;
    const kn__part_witness *w = &p->witness;
    size_t level = w->level[i];

    memcpy(x->rest, p->all, p->words * sizeof *x->rest);
    x->rest_len = p->words;
    for (size_t j = 0; j < w->len; j++) {
        const uint64_t *string = kn__part_bits(p, w->slot[j]) + (w->level[j] - 1) * p->words;
        if (j != i && w->slot[j] != other) {
            (void)kn__part_within(string, x->rest, x->rest_len, x->rest, &x->rest_len);
        } else if (j != i && p->levels > 1) {
            level += w->level[j];
        }
    }
    return level;
}

/* The records that are missing until the combination of x->rest and `level` items of slots `a` and
 * `b` merged (of `a` alone if they are equal) is allowed; 0: it is. */
static double deficit(sets *x, uint32_t a, uint32_t b, size_t level)
{
    const kn__part *p = x->p;
    size_t len = 0, support = 0;

    for (size_t i = 0; i < x->rest_len; i++) {
        const size_t at = x->rest[i].at;
        const uint64_t string = a == b ? kn__part_bits(p, a)[(level - 1) * p->words + at]
                                       : kn__part_united(p, a, b, level, at);
        x->holders[len] = (kn__part_word){string & x->rest[i].bits, x->rest[i].at};
        support += kn__bits_count(x->holders[len].bits);
        len += x->holders[len].bits != 0;
    }
    x->p->work += x->rest_len;
    return fmax(0, kn__part_lack(p, x->holders, len, support));
}

static bool is_member(const kn__part_witness *w, uint32_t slot)
{
    for (size_t i = 0; i < w->len; i++) {
        if (w->slot[i] == slot) {
            return true;
        }
    }
    return false;
}

typedef struct repair {
    uint32_t slot, other;
    double price; /* NCP per record gained, or all of it if no record is gained */
    bool helps;   /* a record is gained */
} repair;

/* Improve `*best` by the best merge of member `i` of the witness with another group. */
static void find_best_repair(sets *x, size_t i, repair *best)
{
    const kn__part *p = x->p;
    const uint32_t slot = p->witness.slot[i];
    size_t level = find_rest(x, i, slot);
    const double missing = deficit(x, slot, slot, level);

    for (size_t j = 0; j < p->live_len; j++) {
        const uint32_t other = p->live[j];
        const double price = cost_of_merging(x, group_of(x, slot), group_of(x, other));
        double gain;
        if (other == slot || (best->helps && price / missing >= best->price)) {
            continue; /* at most all missing records can be gained: it cannot be better */
        }
        if (is_member(&p->witness, other)) {
            gain = missing - deficit(x, slot, other, find_rest(x, i, other));
            level = find_rest(x, i, slot);
        } else {
            gain = missing - deficit(x, slot, other, level);
        }
        if (gain > 0 && (!best->helps || price / gain < best->price)) {
            *best = (repair){slot, other, price / gain, true};
        } else if (gain <= 0 && !best->helps && price < best->price) {
            *best = (repair){slot, other, price, false};
        }
    }
}

/* Merge two groups to repair the witness; returns the place that merge_groups removed. */
static size_t repair_witness(sets *x)
{
    repair best = {.price = INFINITY};

    for (size_t i = 0; i < x->p->witness.len; i++) {
        find_best_repair(x, i, &best);
    }
    return merge_groups(x, group_of(x, best.slot), group_of(x, best.other));
}

/* Merge groups until all combinations of up to m items are allowed, smaller sizes first. */
static kn_status merge_until_allowed(sets *x, kn_error *err)
{
    kn__part *p = x->p;
    kn_status status = KN_OK;

    for (size_t size = 1; size <= p->t->m && status == KN_OK; size++) {
        bool again = true;
        while (again && status == KN_OK) {
            again = false;
            for (size_t at = 0; at < p->live_len && status == KN_OK;) {
                status = kn__part_step(p, err);
                if (kn__part_holds(p, at, at + 1, size)) {
                    at++;
                } else if (p->live_len == 1) {
                    return KN_EINFEASIBLE; /* all items are one group, which is not allowed */
                } else {
                    at -= repair_witness(x) < at;
                    again = p->secrets > 0; /* merging may raise the share of a secret elsewhere */
                }
            }
        }
    }
    return status;
}

/* ---- splitting groups ---- */

static void remove_item(sets *x, uint32_t item)
{
    const uint32_t group = x->p->of[item];
    uint32_t *at = &x->head[group];

    while (*at != item) {
        at = &x->next[*at];
    }
    *at = x->next[item];
    x->count[group]--;
    x->times[group] -= x->p->times[item];
}

static void add_item(sets *x, uint32_t item, uint32_t group)
{
    x->next[item] = x->head[group];
    x->head[group] = item;
    x->count[group]++;
    x->times[group] += x->p->times[item];
    x->p->of[item] = group;
}

/* Make the bitmap of the items of `group` that are chosen (or not) in `slot`; false if there are
 * none. */
static bool collect_items(sets *x, uint32_t group, bool chosen, uint32_t slot)
{
    bool any = false;

    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        if ((x->chosen[i] != 0) != chosen) {
            continue;
        }
        kn__part_add(x->p, slot, i, !any);
        any = true;
    }
    return any;
}

/* Make the chosen items of the group a group of their own, if that is allowed. */
static bool split_chosen(sets *x, uint32_t group)
{
    kn__part *p = x->p;
    const uint32_t tried[2] = {2 * p->items, 2 * p->items + 1}, old = slot_of(x, group);
    uint32_t other, item, next;

    if (!collect_items(x, group, false, tried[0]) || !collect_items(x, group, true, tried[1]) ||
        !kn__part_replace(p, &old, 1, tried, 2)) {
        return false;
    }
    other = x->free[--x->free_len];
    kn__part_copy(p, old, tried[0]);
    kn__part_copy(p, slot_of(x, other), tried[1]);
    p->live[0] = old;
    p->live[1] = slot_of(x, other);
    for (item = x->head[group]; item != KN_NO_CODE; item = next) {
        next = x->next[item];
        if (x->chosen[item]) {
            remove_item(x, item);
            add_item(x, item, other);
        }
    }
    return true;
}

/* How many records hold `item` and are not in `to` yet. */
static size_t records_gained(const kn__part *p, uint32_t item, const uint64_t *to)
{
    const uint64_t *bits = kn__part_bits(p, item);
    size_t sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        sum += kn__bits_count(bits[w] & ~to[w]);
    }
    return sum;
}

/* Choose one half of a group, greedily: items one by one, frequent ones first, each on the side
 * where it adds more records that hold no item of that side yet. */
static void choose_half(sets *x, uint32_t group)
{
    kn__part *p = x->p;
    uint64_t *const side[2] = {kn__part_bits(p, 2 * p->items + 2),
                               kn__part_bits(p, 2 * p->items + 3)};

    memset(side[0], 0, p->words * sizeof *side[0]);
    memset(side[1], 0, p->words * sizeof *side[1]);
    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        x->chosen[i] = UNDECIDED;
    }
    for (uint64_t n = 0; n < x->count[group]; n++) {
        uint32_t item = KN_NO_CODE;
        size_t more[2];
        bool to;
        for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
            if (x->chosen[i] == UNDECIDED && (item == KN_NO_CODE || p->times[i] > p->times[item] ||
                                              (p->times[i] == p->times[item] && i < item))) {
                item = i;
            }
        }
        more[0] = records_gained(p, item, side[0]);
        more[1] = records_gained(p, item, side[1]);
        to = more[1] > more[0] ||
             (more[1] == more[0] && kn__part_support(p, side[1]) < kn__part_support(p, side[0]));
        x->chosen[item] = to;
        for (size_t w = 0; w < p->words; w++) {
            side[to][w] |= kn__part_bits(p, item)[w];
        }
    }
    p->work += x->count[group] * x->count[group];
}

static void clear_chosen(sets *x, uint32_t group)
{
    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        x->chosen[i] = 0;
    }
}

/* Halve groups as long as that is allowed; then try to make each item a group of its own. */
static void split_groups(sets *x)
{
    kn__part *p = x->p;

    for (uint32_t group = 0; group < p->items && p->work < MOST_WORK; group++) {
        bool done = true;
        /* Each side needs k records, and each of these an item of that side. */
        while (done && x->count[group] > 1 && x->times[group] >= 2 * p->t->k) {
            const uint32_t other = x->free_len ? x->free[x->free_len - 1] : 0;
            choose_half(x, group);
            done = split_chosen(x, group);
            clear_chosen(x, group);
            if (done) {
                clear_chosen(x, other);
            }
        }
    }
    for (uint32_t item = 0; item < p->items && p->work < MOST_WORK; item++) {
        if (x->count[p->of[item]] > 1 && p->times[item] >= p->t->k) {
            x->chosen[item] = 1;
            (void)split_chosen(x, p->of[item]);
            x->chosen[item] = 0;
        }
    }
}

/* Sum the weights of the group's items again; adding differences would accumulate rounding errors.
 */
static void weigh_group(sets *x, uint32_t group)
{
    kn__part *p = x->p;

    p->worth[group] = 0;
    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        p->worth[group] += p->t->weight[p->code[i]];
    }
}

/* ---- moving items ---- */

static void move_item(sets *x, uint32_t item, uint32_t to)
{
    kn__part *p = x->p;
    const uint32_t from = p->of[item];

    remove_item(x, item);
    add_item(x, item, to);
    p->size[from] = x->count[from];
    p->size[to] = x->count[to];
    if (p->worth) {
        weigh_group(x, from);
        weigh_group(x, to);
    }
}

/* By how much UL has risen, over the records that hold `from` or `to`, since an item moved from one
 * to the other; x->ul is still that of before. */
static double ul_increase(sets *x, uint32_t from, uint32_t to)
{
    kn__part *p = x->p;
    const uint64_t *const a = kn__part_bits(p, slot_of(x, from));
    const uint64_t *const b = kn__part_bits(p, slot_of(x, to));
    double sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        for (uint64_t either = a[w] | b[w]; either; either &= either - 1) {
            const size_t record = w * 64 + (size_t)__builtin_ctzll(either);
            const kn_ul_parts parts = kn__part_ul_of(p, record);
            sum += kn__ul_of(&parts) - x->ul[record];
            p->work++;
        }
    }
    return sum;
}

static void evaluate_record(sets *x, size_t record)
{
    const kn_ul_parts parts = kn__part_ul_of(x->p, record);

    x->ul[record] = kn__ul_of(&parts);
}

static void evaluate_records(sets *x, const uint64_t *a, const uint64_t *b)
{
    for (size_t w = 0; w < x->p->words; w++) {
        for (uint64_t either = a[w] | b[w]; either; either &= either - 1) {
            const size_t record = w * 64 + (size_t)__builtin_ctzll(either);
            evaluate_record(x, record);
        }
    }
}

/* Move `item` to group `to` if that is allowed and lowers UL. Slot `left` has the bitmap of the
 * other items of its group. */
static bool move_if_better(sets *x, uint32_t item, uint32_t to, uint32_t left)
{
    kn__part *p = x->p;
    const uint32_t from = p->of[item], old[2] = {slot_of(x, from), slot_of(x, to)};
    const uint32_t tried[2] = {left, left + 1};

    kn__part_unite(p, tried[1], old[1], item);
    if (!kn__part_replace(p, old, 2, tried, 2)) {
        return false;
    }
    move_item(x, item, to);
    if (ul_increase(x, from, to) > -1e-9) {
        move_item(x, item, from);
        kn__part_revert(p, old, 2, 2);
        return false;
    }
    evaluate_records(x, kn__part_bits(p, old[0]), kn__part_bits(p, old[1]));
    kn__part_copy(p, old[0], tried[0]);
    kn__part_copy(p, old[1], tried[1]);
    memcpy(p->live, old, sizeof old);
    return true;
}

/* Move each item to the first group where that lowers UL; whether any moved. */
static bool move_items(sets *x)
{
    kn__part *p = x->p;
    const uint32_t left = 2 * p->items;
    bool any = false;

    if (p->live_len < 2) {
        return false;
    }
    for (uint32_t i = 0; i < p->items; i++) {
        p->size[i] = x->count[i];
        if (p->worth) {
            weigh_group(x, i);
        }
    }
    for (size_t i = 0; i < p->records; i++) {
        evaluate_record(x, i);
    }
    for (uint32_t item = 0; item < p->items && p->work < MOST_WORK; item++) {
        const uint32_t from = p->of[item];
        const size_t others = p->live_len;
        bool moved = false;
        if (x->count[from] < 2) {
            continue;
        }
        x->chosen[item] = 1;
        (void)collect_items(x, from, false, left);
        x->chosen[item] = 0;
        p->work += x->count[from] * p->stride;
        if (kn__part_support(p, kn__part_bits(p, left)) < p->t->k) {
            continue;
        }
        memcpy(x->others, p->live, others * sizeof *x->others);
        for (size_t i = 0; i < others && !moved; i++) {
            moved = x->others[i] != slot_of(x, from) &&
                    move_if_better(x, item, group_of(x, x->others[i]), left);
        }
        any = any || moved;
    }
    return any;
}

/* ---- the search ---- */

static kn_status prepare(sets *x, kn_error *err)
{
    kn__part *p = x->p;
    const uint32_t items = p->items;

    x->head = kn__arena_take(&p->arena, items, sizeof *x->head);
    x->next = kn__arena_take(&p->arena, items, sizeof *x->next);
    x->count = kn__arena_take(&p->arena, items, sizeof *x->count);
    x->times = kn__arena_take(&p->arena, items, sizeof *x->times);
    x->free = kn__arena_take(&p->arena, items, sizeof *x->free);
    x->others = kn__arena_take(&p->arena, items, sizeof *x->others);
    x->ul = kn__arena_take(&p->arena, p->records, sizeof *x->ul);
    x->chosen = kn__arena_take(&p->arena, items, sizeof *x->chosen);
    x->rest = kn__arena_take(&p->arena, p->words, sizeof *x->rest);
    x->holders = kn__arena_take(&p->arena, p->words, sizeof *x->holders);
    if (p->arena.failed) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < items; i++) {
        x->head[i] = i;
        x->next[i] = KN_NO_CODE;
        x->count[i] = 1;
        x->times[i] = p->times[i];
        x->chosen[i] = 0;
        p->of[i] = i;
        kn__part_copy(p, slot_of(x, i), i);
    }
    return KN_OK;
}

/* Rare items first: they have to be merged anyway, and cost least among each other. */
static void order_live(sets *x)
{
    kn__part *p = x->p;

    for (uint32_t i = 0; i < p->items; i++) {
        size_t at = p->live_len++;
        for (; at > 0 && p->times[group_of(x, p->live[at - 1])] > p->times[i]; at--) {
            p->live[at] = p->live[at - 1];
        }
        p->live[at] = slot_of(x, i);
    }
}

/* Number the groups in the order of their first items, for the caller, with sizes and weights. */
static void number_groups(sets *x)
{
    kn__part *p = x->p;

    for (uint32_t i = 0; i < p->items; i++) {
        x->free[i] = KN_NO_CODE; /* reused: by group, its new number */
    }
    for (uint32_t i = 0; i < p->items; i++) {
        uint32_t *group = &x->free[p->of[i]];
        if (*group == KN_NO_CODE) {
            *group = p->groups++;
        }
        p->of[i] = *group;
    }
    for (uint32_t i = 0; i < p->items; i++) {
        p->size[i] = 0;
        if (p->worth) {
            p->worth[i] = 0;
        }
    }
    for (uint32_t i = 0; i < p->items; i++) {
        p->size[p->of[i]]++;
        if (p->worth) {
            p->worth[p->of[i]] += p->t->weight[p->code[i]];
        }
    }
}

kn_status kn__part_sets(kn__part *p, kn_error *err)
{
    sets x = {.p = p};
    kn_status status = prepare(&x, err);

    if (status != KN_OK) {
        return status;
    }
    p->live_len = 0;
    order_live(&x);
    status = merge_until_allowed(&x, err);
    if (status != KN_OK || p->trial) {
        return status;
    }
    p->work = p->reported = 0;
    split_groups(&x);
    if (move_items(&x)) { /* once: a second pass doubles the time for 0.5 % of UL */
        split_groups(&x);
    }
    number_groups(&x);
    return KN_OK;
}
