/* suppression_break.c - which items would have to be suppressed so that a generalised group could
 * be split.
 *
 * A group is the codes that the best recoding so far publishes under one generalised name. Split
 * into parts (the children of its node, or the two sides of the widest gap of its range), it would
 * lose less, but its parts may be in rare combinations. These are counted on the records that hold
 * the group, and a hitting set of least weight, among the names in them, is the removal that would
 * allow the split. A name is removed from all records, so the support of other combinations does
 * not change.
 *
 * The removals of the groups are estimates: each was found as if it were the only one. So the
 * method itself is run without all of them, then without fewer, until the result is better. */
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/sets/hitting_set.h"
#include "methods/sets/suppression.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUPS = 48,         /* groups per round, those with the greatest gain first */
    MOST_RARE = 1 << 13, /* a group whose split makes more rare combinations is skipped */
    TRIES = 4            /* runs of the method per round */
};

typedef struct group {
    uint32_t text; /* its name, among the texts of the best recoding */
    double gain;   /* NCP that splitting it saves, summed over occurrences */
} group;

/* The codes to suppress so that one group can be split. */
typedef struct removal {
    double net;        /* the gain of the split less the loss of the codes */
    size_t begin, end; /* its codes, in split_search.code */
} removal;

typedef struct split_search {
    kn_arena arena;
    kn_suppression *s;
    uint32_t *part;         /* by code: its part, within its group */
    double *part_ncp;       /* by code: the NCP of its part */
    uint32_t *part_of_node; /* while a group is split: by child of its node; else KN_NO_CODE */
    uint32_t *parts;        /* by text: how many parts */
    group *group;
    size_t groups;
    uint32_t *first, *next; /* codes of a text, as linked lists; KN_NO_CODE ends one */
    removal *removal;
    size_t removals;
    uint32_t *code; /* of all removals */
    size_t codes, codes_cap;
    uint8_t *out; /* by code: suppressed in the next run of the method */
} split_search;

/* The name of a published code once group `g` is split: names are numbered texts first, then the
 * parts of the group. */
static uint32_t name_of(const split_search *x, const group *g, uint32_t i)
{
    const kn_recoding *best = &x->s->best;

    return best->to[i] == g->text ? best->texts->len + x->part[i] : best->to[i];
}

/* ---- groups ---- */

/* The child of `above` that is `code` or above it; KN_NO_NODE: none is. */
static uint32_t child_of(const kn_domain *d, uint32_t above, uint32_t code)
{
    uint32_t at = code;

    while (d->parent[at] != above && d->parent[at] != at) {
        at = d->parent[at];
    }
    return d->parent[at] == above ? at : KN_NO_NODE;
}

/* Split a group of a hierarchy into what is below each child of its node; false if that is less
 * than two parts. */
static bool split_by_children(split_search *x, uint32_t text)
{
    const kn_domain *d = x->s->task->domain;
    uint32_t parts = 0;

    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        const uint32_t node = x->s->node[i];
        const uint32_t child = node == KN_NO_NODE ? KN_NO_NODE : child_of(d, node, i);
        if (child == KN_NO_NODE || child == node) {
            return false;
        }
        x->part[i] = child; /* its part is numbered below */
        x->part_ncp[i] = kn__domain_ncp(d, child);
    }
    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        uint32_t *part = &x->part_of_node[x->part[i]];
        *part = *part == KN_NO_CODE ? parts++ : *part;
    }
    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        x->part[i] = x->part_of_node[x->part[i]];
    }
    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        x->part_of_node[child_of(d, x->s->node[i], i)] = KN_NO_CODE;
    }
    x->parts[text] = parts;
    return parts > 1;
}

/* Split a range at its widest gap; false if it has none. Codes come in the order of their values,
 * the greatest first. */
static bool split_at_gap(split_search *x, uint32_t text)
{
    const double *value = x->s->task->column->numbers;
    const kn_domain *d = x->s->task->domain;
    const uint32_t last = x->first[text];
    uint32_t above = last, low = last; /* the code above the widest gap; the least code */
    double widest = 0;

    for (uint32_t i = last; i != KN_NO_CODE; i = x->next[i]) {
        const uint32_t before = x->next[i];
        if (before != KN_NO_CODE && value[i] - value[before] > widest) {
            widest = value[i] - value[before];
            above = i;
        }
        low = i;
    }
    if (!(widest > 0)) {
        return false;
    }
    for (uint32_t i = last; i != KN_NO_CODE; i = x->next[i]) {
        const bool upper = value[i] >= value[above];
        const double width = upper ? value[last] - value[above]
                                   : value[x->next[above]] - value[low];
        x->part[i] = upper;
        x->part_ncp[i] = width / (d->high - d->low);
    }
    x->parts[text] = 2;
    return true;
}

static int by_gain(const void *a, const void *b)
{
    const group *x = a, *y = b;
    const int order = KN_ORDER(y->gain, x->gain);

    return order ? order : KN_ORDER(x->text, y->text);
}

/* List the groups that can be split, those with the greatest gain first. */
static void find_groups(split_search *x)
{
    const kn_suppression *s = x->s;
    const bool tree = s->task->domain->kind == KN_DOMAIN_TREE;
    const uint32_t texts = s->best.texts->len;

    memset(x->first, 0xff, texts * sizeof *x->first);
    for (uint32_t i = 0; i < s->values; i++) {
        if (kn__suppress_keeps(s, i)) {
            x->next[i] = x->first[s->best.to[i]];
            x->first[s->best.to[i]] = i;
        }
    }
    for (uint32_t t = 0; t < texts; t++) {
        double gain = 0;
        if (x->first[t] == KN_NO_CODE || !(s->ncp[x->first[t]] > 0) ||
            !(tree ? split_by_children(x, t) : split_at_gap(x, t))) {
            continue;
        }
        for (uint32_t i = x->first[t]; i != KN_NO_CODE; i = x->next[i]) {
            gain += (double)s->times[i] * (s->ncp[i] - x->part_ncp[i]);
        }
        x->group[x->groups++] = (group){t, gain};
    }
    if (x->groups > 1) {
        qsort(x->group, x->groups, sizeof *x->group, by_gain);
    }
    x->groups = x->groups < GROUPS ? x->groups : GROUPS;
}

/* ---- the removal for one group ---- */

/* The records that hold the group, as lists of names (see name_of). */
static kn_status records_of(const split_search *x, const group *g, kn_baskets **out, kn_error *err)
{
    const kn_suppression *s = x->s;
    const kn_baskets *b = s->task->baskets;
    const uint32_t texts = s->best.texts->len;
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    kn_baskets some = {.items = b->items, .bags = b->bags};
    uint64_t total = 0;
    kn_status status;

    some.starts = kn__malloc_array(b->records + 1, sizeof *some.starts);
    some.list = kn__malloc_array((size_t)b->starts[b->records], sizeof *some.list);
    KN_TRY(to && some.starts && some.list ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < b->items; i++) {
        to[i] = kn__suppress_keeps(s, i) ? name_of(x, g, i) : KN_NO_CODE;
    }
    for (size_t i = 0; i < b->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        bool holds = false;
        for (size_t j = 0; j < len && !holds; j++) {
            holds = to[items[j]] != KN_NO_CODE && to[items[j]] >= texts;
        }
        if (holds) {
            some.starts[some.records++] = total;
            memcpy(some.list + total, items, len * sizeof *items);
            total += len;
        }
    }
    some.starts[some.records] = total;
    KN_TRY(kn__baskets_map(out, &some, to, texts + x->parts[g->text], s->task->run, err));
done:
    KN_FREE(to, some.starts, some.list);
    return status;
}

/* By name: the information that suppressing it would lose, beyond what it loses already. */
static kn_status weigh_names(const split_search *x, const group *g, double **out, kn_error *err)
{
    const kn_suppression *s = x->s;
    const size_t names = (size_t)s->best.texts->len + x->parts[g->text];
    double *weight = kn__zalloc_array(names, sizeof *weight);

    *out = weight;
    KN_PASS(weight ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < s->values; i++) {
        if (kn__suppress_keeps(s, i)) {
            const double ncp = s->best.to[i] == g->text ? x->part_ncp[i] : s->ncp[i];
            weight[name_of(x, g, i)] += (double)s->times[i] * (1 - ncp);
        }
    }
    return KN_OK;
}

/* Add the removal of the chosen names, which weigh `sum`. */
static kn_status add_removal(split_search *x, const group *g, const uint8_t *chosen, double sum,
                             kn_error *err)
{
    const kn_suppression *s = x->s;
    const size_t begin = x->codes;

    for (uint32_t i = 0; i < s->values; i++) {
        if (kn__suppress_keeps(s, i) && chosen[name_of(x, g, i)]) {
            KN_PASS(kn__grow(&x->code, &x->codes_cap, x->codes + 1, sizeof *x->code, err));
            x->code[x->codes++] = i;
        }
    }
    x->removal[x->removals++] = (removal){g->gain - sum, begin, x->codes};
    return KN_OK;
}

/* Find the names to remove so that the group can be split; nothing is added if they weigh more than
 * the split saves. */
static kn_status find_removal(split_search *x, const group *g, kn_error *err)
{
    const kn_items_task *t = x->s->task;
    const uint32_t texts = x->s->best.texts->len, names = texts + x->parts[g->text];
    kn_baskets *b = NULL;
    kn_rare_list *rare = NULL;
    kn_hitting_set h = {0};
    double *weight = NULL, sum = 0;
    uint8_t *chosen = kn__zalloc_array(names, 1);
    kn_status status;

    KN_TRY(chosen ? records_of(x, g, &b, err) : kn__nomem(err));
    KN_TRY(kn__rare_find(&rare, b, t->k, t->m, MOST_RARE, t->run, err));
    KN_TRY(kn__hitting_set_init(&h, names, err));
    for (size_t i = 0; i < rare->kept; i++) {
        const kn_rare *r = &rare->rare[i];
        /* Parts have the greatest numbers. A combination without one is rare among these records
         * only, not in the data. */
        if (r->items[r->size - 1] >= texts) {
            KN_TRY(kn__hitting_set_add(&h, r->items, r->size, err));
        }
    }
    KN_TRY(weigh_names(x, g, &weight, err));
    KN_TRY(kn__hitting_set_choose(&h, weight, chosen, &sum, err));
    if (rare->kept == rare->count && sum < g->gain && h.count > 0) {
        KN_TRY(add_removal(x, g, chosen, sum, err));
    }
done:
    kn__hitting_set_clear(&h);
    kn__rare_list_free(rare);
    kn__baskets_free(b);
    KN_FREE(weight, chosen);
    return status;
}

/* ---- trying ---- */

static int by_net(const void *a, const void *b)
{
    const removal *x = a, *y = b;
    const int order = KN_ORDER(y->net, x->net);

    return order ? order : KN_ORDER(x->begin, y->begin);
}

/* Suppress the codes of the first `count` removals in x->out, without those that would exceed the
 * limit. */
static void apply_removals(const split_search *x, size_t count)
{
    const kn_suppression *s = x->s;
    uint64_t lost = s->left_out;

    memcpy(x->out, s->out, s->values);
    for (size_t i = 0; i < count; i++) {
        const removal *r = &x->removal[i];
        uint64_t more = 0;
        for (size_t j = r->begin; j < r->end; j++) {
            more += x->out[x->code[j]] ? 0 : s->times[x->code[j]];
        }
        if (lost + more > s->limit) {
            continue;
        }
        for (size_t j = r->begin; j < r->end; j++) {
            x->out[x->code[j]] = 1;
        }
        lost += more;
    }
}

/* Run the method without all removals, then without the best quarter, a sixteenth, ...: removals
 * that were found independently may spoil each other. */
static kn_status try_removals(split_search *x, bool *better, kn_error *err)
{
    size_t count = x->removals;

    if (count > 1) {
        qsort(x->removal, count, sizeof *x->removal, by_net);
    }
    for (int i = 0; i < TRIES && count && x->s->runs && !*better; i++) {
        apply_removals(x, count);
        KN_PASS(kn__suppress_try(x->s, x->out, better, err));
        count = count > 1 && count < 4 ? 1 : count / 4;
    }
    return KN_OK;
}

kn_status kn__suppress_break_up(kn_suppression *s, bool *better, kn_error *err)
{
    const uint32_t texts = s->best.texts->len;
    split_search x = {.s = s};
    kn_status status = KN_OK;

    *better = false;
    if (s->runs == 0) {
        return KN_OK;
    }
    x.part = kn__arena_take(&x.arena, s->values, sizeof *x.part);
    x.part_ncp = kn__arena_take(&x.arena, s->values, sizeof *x.part_ncp);
    x.part_of_node = kn__arena_take(&x.arena, s->task->domain->nodes, sizeof *x.part_of_node);
    x.parts = kn__arena_zeros(&x.arena, texts, sizeof *x.parts);
    x.group = kn__arena_take(&x.arena, texts, sizeof *x.group);
    x.first = kn__arena_take(&x.arena, texts, sizeof *x.first);
    x.next = kn__arena_take(&x.arena, s->values, sizeof *x.next);
    x.removal = kn__arena_take(&x.arena, GROUPS, sizeof *x.removal);
    x.out = kn__arena_take(&x.arena, s->values, 1);
    KN_TRY(kn__arena_check(&x.arena, err));
    memset(x.part_of_node, 0xff, s->task->domain->nodes * sizeof *x.part_of_node);
    find_groups(&x);
    for (size_t i = 0; i < x.groups; i++) {
        KN_TRY(kn__run_step(s->task->run, "suppress", -1, err));
        KN_TRY(find_removal(&x, &x.group[i], err));
    }
    KN_TRY(try_removals(&x, better, err));
done:
    kn__arena_clear(&x.arena);
    kn__free(x.code);
    return status;
}
