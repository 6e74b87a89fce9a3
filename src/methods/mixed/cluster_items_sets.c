/* cluster_items_sets.c - T without a hierarchy: groups of items, from single items up and down
 * again.
 *
 * Up: size by size, a combination that too few records hold, or whose holders hold a sensitive item
 * too often, is mended by uniting one of its groups with another: of those that help the one that
 * costs least NCP for every record that it helps with. Down: groups that can be split are split,
 * and items move to other groups where that loses less. The first makes the cluster allowed, the
 * second keeps it so. */
#include "base/bits.h"
#include "base/error.h"
#include "methods/mixed/cluster_items_search.h"

#include <math.h>
#include <string.h>

/* Words that may be looked at to make groups finer, once the cluster is allowed. */
#define PATIENCE (1 << 27)
enum { OPEN = 2 }; /* an item on neither side yet */

/* Groups are known by their slots; that of a group is behind those of the items. */
typedef struct sets {
    kn__part *p;
    uint32_t *head, *next;      /* by group: its first item; by item: the next of its group */
    uint64_t *count;            /* by group: its items */
    uint64_t *times;            /* by group: occurrences of its items */
    kn__part_word *rest, *held; /* strings, while a combination is mended */
    size_t rest_len;
    uint32_t *free; /* groups without items */
    size_t free_len;
    uint32_t *others; /* groups to move to */
    double *now;      /* by record: its UL */
    uint8_t *aside;   /* by item, while a group is split */
} sets;

static uint32_t slot_of(const sets *x, uint32_t group)
{
    return x->p->items + group;
}
static uint32_t group_of(const sets *x, uint32_t slot)
{
    return slot - x->p->items;
}

/* NCP, in units of one occurrence in the whole domain. */
static double cost(uint64_t count, uint64_t times)
{
    return count > 1 ? (double)count * (double)times : 0;
}

/* ---- up ---- */

static double cost_of_uniting(const sets *x, uint32_t a, uint32_t b)
{
    return cost(x->count[a] + x->count[b], x->times[a] + x->times[b]) -
           cost(x->count[a], x->times[a]) - cost(x->count[b], x->times[b]);
}

/* Put `b` into `a`, which takes the later of their places among the live ones; the place that is
 * given up is returned. A place is left behind only when all combinations from it on are allowed,
 * which uniting does not change. */
static size_t unite(sets *x, uint32_t a, uint32_t b)
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

/* The records that hold the members of p->witness but for `i` and `other`, into x->rest; the level
 * of both together is returned. */
static size_t leave_out(sets *x, size_t i, uint32_t other)
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

/* What x->rest lacks with slots `a` and `b` united, or with `a` alone, `level` times. */
static double lack(sets *x, uint32_t a, uint32_t b, size_t level)
{
    const kn__part *p = x->p;
    size_t len = 0, support = 0;

    for (size_t i = 0; i < x->rest_len; i++) {
        const size_t at = x->rest[i].at;
        const uint64_t string = a == b ? kn__part_bits(p, a)[(level - 1) * p->words + at]
                                       : kn__part_united(p, a, b, level, at);
        x->held[len] = (kn__part_word){string & x->rest[i].bits, x->rest[i].at};
        support += kn__bits_count(x->held[len].bits);
        len += x->held[len].bits != 0;
    }
    x->p->work += x->rest_len;
    return fmax(0, kn__part_lack(p, x->held, len, support));
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

typedef struct mending {
    uint32_t slot, other;
    double price; /* for every record that it helps with, if it does */
    bool helps;
} mending;

/* See whether member `i` of p->witness is better united with anything than what is known. */
static void look_for(sets *x, size_t i, mending *best)
{
    const kn__part *p = x->p;
    const uint32_t slot = p->witness.slot[i];
    size_t level = leave_out(x, i, slot);
    const double lacks = lack(x, slot, slot, level);

    for (size_t j = 0; j < p->live_len; j++) {
        const uint32_t other = p->live[j];
        const double price = cost_of_uniting(x, group_of(x, slot), group_of(x, other));
        double gain;
        if (other == slot || (best->helps && price / lacks >= best->price)) {
            continue; /* no more than all that it lacks can be gained */
        }
        if (is_member(&p->witness, other)) {
            gain = lacks - lack(x, slot, other, leave_out(x, i, other));
            level = leave_out(x, i, slot);
        } else {
            gain = lacks - lack(x, slot, other, level);
        }
        if (gain > 0 ? !best->helps || price / gain < best->price
                     : !best->helps && price < best->price) {
            *best = (mending){slot, other, gain > 0 ? price / gain : price, gain > 0};
        }
    }
}

/* Mend p->witness: the place that is given up. */
static size_t mend(sets *x)
{
    mending best = {.price = INFINITY};

    for (size_t i = 0; i < x->p->witness.len; i++) {
        look_for(x, i, &best);
    }
    return unite(x, group_of(x, best.slot), group_of(x, best.other));
}

static kn_status go_up(sets *x, kn_error *err)
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
                    at -= mend(x) < at;
                    again = p->secrets > 0; /* uniting may make an attacker surer elsewhere */
                }
            }
        }
    }
    return status;
}

/* ---- down ---- */

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

/* The items of `group` that are (not) aside, into `slot`; whether there are any. */
static bool gather(sets *x, uint32_t group, bool aside, uint32_t slot)
{
    bool any = false;

    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        if ((x->aside[i] != 0) != aside) {
            continue;
        }
        kn__part_add(x->p, slot, i, !any);
        any = true;
    }
    return any;
}

/* Make those of the group that are aside a group of their own, if that is allowed. */
static bool split(sets *x, uint32_t group)
{
    kn__part *p = x->p;
    const uint32_t tried[2] = {2 * p->items, 2 * p->items + 1}, old = slot_of(x, group);
    uint32_t other, item, next;

    if (!gather(x, group, false, tried[0]) || !gather(x, group, true, tried[1]) ||
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
        if (x->aside[item]) {
            remove_item(x, item);
            add_item(x, item, other);
        }
    }
    return true;
}

static size_t adds(const kn__part *p, uint32_t item, const uint64_t *to)
{
    const uint64_t *bits = kn__part_bits(p, item);
    size_t sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        sum += kn__bits_count(bits[w] & ~to[w]);
    }
    return sum;
}

/* Set aside a part of a group: items one by one, common ones first, each where more records that
 * hold it hold nothing of that side yet. */
static void halve(sets *x, uint32_t group)
{
    kn__part *p = x->p;
    uint64_t *const side[2] = {kn__part_bits(p, 2 * p->items + 2),
                               kn__part_bits(p, 2 * p->items + 3)};

    memset(side[0], 0, p->words * sizeof *side[0]);
    memset(side[1], 0, p->words * sizeof *side[1]);
    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        x->aside[i] = OPEN;
    }
    for (uint64_t n = 0; n < x->count[group]; n++) {
        uint32_t item = KN_NO_CODE;
        size_t more[2];
        bool to;
        for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
            if (x->aside[i] == OPEN && (item == KN_NO_CODE || p->times[i] > p->times[item] ||
                                        (p->times[i] == p->times[item] && i < item))) {
                item = i;
            }
        }
        more[0] = adds(p, item, side[0]);
        more[1] = adds(p, item, side[1]);
        to = more[1] > more[0] ||
             (more[1] == more[0] && kn__part_support(p, side[1]) < kn__part_support(p, side[0]));
        x->aside[item] = to;
        for (size_t w = 0; w < p->words; w++) {
            side[to][w] |= kn__part_bits(p, item)[w];
        }
    }
    p->work += x->count[group] * x->count[group];
}

/* Nothing of the group is aside. */
static void forget(sets *x, uint32_t group)
{
    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        x->aside[i] = 0;
    }
}

/* Halve groups as long as that is allowed, and let single items out. */
static void split_all(sets *x)
{
    kn__part *p = x->p;

    for (uint32_t group = 0; group < p->items && p->work < PATIENCE; group++) {
        bool done = true;
        /* Each side needs k records, and each of these an item of that side. */
        while (done && x->count[group] > 1 && x->times[group] >= 2 * p->t->k) {
            const uint32_t other = x->free_len ? x->free[x->free_len - 1] : 0;
            halve(x, group);
            done = split(x, group);
            forget(x, group);
            if (done) {
                forget(x, other);
            }
        }
    }
    for (uint32_t item = 0; item < p->items && p->work < PATIENCE; item++) {
        if (x->count[p->of[item]] > 1 && p->times[item] >= p->t->k) {
            x->aside[item] = 1;
            (void)split(x, p->of[item]);
            x->aside[item] = 0;
        }
    }
}

/* Summed anew: differences would drift. */
static void weigh_group(sets *x, uint32_t group)
{
    kn__part *p = x->p;

    p->worth[group] = 0;
    for (uint32_t i = x->head[group]; i != KN_NO_CODE; i = x->next[i]) {
        p->worth[group] += p->t->weight[p->code[i]];
    }
}

static void move(sets *x, uint32_t item, uint32_t to)
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

/* How much UL grows, over the records that hold `from` or `to`, when `item` goes from the one to
 * the other. It has gone; x->now is as it was. */
static double growth(sets *x, uint32_t from, uint32_t to)
{
    kn__part *p = x->p;
    const uint64_t *const a = kn__part_bits(p, slot_of(x, from));
    const uint64_t *const b = kn__part_bits(p, slot_of(x, to));
    double sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        for (uint64_t either = a[w] | b[w]; either; either &= either - 1) {
            const size_t record = w * 64 + (size_t)__builtin_ctzll(either);
            const kn_ul_parts parts = kn__part_ul_of(p, record);
            sum += kn__ul_of(&parts) - x->now[record];
            p->work++;
        }
    }
    return sum;
}

static void evaluate_record(sets *x, size_t record)
{
    const kn_ul_parts parts = kn__part_ul_of(x->p, record);

    x->now[record] = kn__ul_of(&parts);
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

/* Let `item` go to `to`, if that is allowed and lowers UL. `left` holds the others of its group. */
static bool move_if_better(sets *x, uint32_t item, uint32_t to, uint32_t left)
{
    kn__part *p = x->p;
    const uint32_t from = p->of[item], old[2] = {slot_of(x, from), slot_of(x, to)};
    const uint32_t tried[2] = {left, left + 1};

    kn__part_unite(p, tried[1], old[1], item);
    if (!kn__part_replace(p, old, 2, tried, 2)) {
        return false;
    }
    move(x, item, to);
    if (growth(x, from, to) > -1e-9) {
        move(x, item, from);
        kn__part_revert(p, old, 2, 2);
        return false;
    }
    evaluate_records(x, kn__part_bits(p, old[0]), kn__part_bits(p, old[1]));
    kn__part_copy(p, old[0], tried[0]);
    kn__part_copy(p, old[1], tried[1]);
    memcpy(p->live, old, sizeof old);
    return true;
}

/* Let items go to other groups where that lowers UL; whether any did. */
static bool move_all(sets *x)
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
    for (uint32_t item = 0; item < p->items && p->work < PATIENCE; item++) {
        const uint32_t from = p->of[item];
        const size_t others = p->live_len;
        bool moved = false;
        if (x->count[from] < 2) {
            continue;
        }
        x->aside[item] = 1;
        (void)gather(x, from, false, left);
        x->aside[item] = 0;
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

/* ---- all of it ---- */

static kn_status prepare(sets *x, kn_error *err)
{
    kn__part *p = x->p;
    const uint32_t items = p->items;

    x->head = kn__part_take(p, items, sizeof *x->head);
    x->next = kn__part_take(p, items, sizeof *x->next);
    x->count = kn__part_take(p, items, sizeof *x->count);
    x->times = kn__part_take(p, items, sizeof *x->times);
    x->free = kn__part_take(p, items, sizeof *x->free);
    x->others = kn__part_take(p, items, sizeof *x->others);
    x->now = kn__part_take(p, p->records, sizeof *x->now);
    x->aside = kn__part_take(p, items, sizeof *x->aside);
    x->rest = kn__part_take(p, p->words, sizeof *x->rest);
    x->held = kn__part_take(p, p->words, sizeof *x->held);
    if (!x->head || !x->next || !x->count || !x->times || !x->free || !x->others || !x->aside ||
        !x->now || !x->rest || !x->held) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < items; i++) {
        x->head[i] = i;
        x->next[i] = KN_NO_CODE;
        x->count[i] = 1;
        x->times[i] = p->times[i];
        x->aside[i] = 0;
        p->of[i] = i;
        kn__part_copy(p, slot_of(x, i), i);
    }
    return KN_OK;
}

/* Rare items come first: they have to be united anyway, and with each other they cost least. */
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

kn_status kn__part_sets(kn__part *p, kn_error *err)
{
    sets x = {.p = p};
    kn_status status = prepare(&x, err);

    if (status != KN_OK) {
        return status;
    }
    p->live_len = 0;
    order_live(&x);
    status = go_up(&x, err);
    if (status != KN_OK || p->trial) {
        return status;
    }
    p->work = p->told = 0;
    split_all(&x);
    if (move_all(&x)) { /* once: a second time takes as long again for half a percent of UL */
        split_all(&x);
    }
    for (uint32_t i = 0; i < p->items; i++) {
        x.free[i] = KN_NO_CODE; /* from now on: the number of the group */
    }
    for (uint32_t i = 0; i < p->items; i++) {
        uint32_t *group = &x.free[p->of[i]];
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
    return KN_OK;
}
