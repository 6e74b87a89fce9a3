/* suppression_break.c - taking blurred groups apart, and the price of it.
 *
 * A group of the best result is one because of rare combinations that its parts would be in. These
 * are counted on the records that hold the group, and a light set of names that hits them all is
 * what would have to be left out. Names are dropped whole, so no other support changes. It is an
 * estimate: the method decides what really becomes of it. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/hitting_set.h"
#include "methods/sets/suppression.h"

#include <stdlib.h>
#include <string.h>

/* Groups that are taken apart in one round, those that lose most first; rare combinations that one
 * may make; and how often the method is asked. */
enum { GROUPS = 48, MOST_RARE = 1 << 13, TRIES = 4 };

/* A group and the parts that it would fall into. */
typedef struct group {
    uint32_t text;
    double gain; /* NCP that its parts save, summed over occurrences */
} group;

/* What to leave out for the sake of a group. */
typedef struct offer {
    double net; /* what it saves, its price aside */
    size_t begin, end;
} offer;

typedef struct breaking {
    kn_suppression *s;
    uint32_t *part;   /* by code: its part, within its group */
    double *part_ncp; /* by code: that of its part */
    uint32_t *number; /* by node: the part that it is, of the group at hand; else KN_NO_CODE */
    uint32_t *parts;  /* by text: how many parts */
    group *group;
    size_t groups;
    uint32_t *first, *next; /* codes of a text, as linked lists; KN_NO_CODE ends one */
    offer *offer;
    size_t offers;
    uint32_t *code; /* of all offers */
    size_t codes, codes_cap;
    uint8_t *out;
} breaking;

/* ---- groups ---- */

static uint32_t kid_of(const kn_domain *d, uint32_t above, uint32_t code)
{
    uint32_t at = code;

    while (d->parent[at] != above && d->parent[at] != at) {
        at = d->parent[at];
    }
    return d->parent[at] == above ? at : KN_NO_NODE;
}

/* The parts of a group of a hierarchy: what is below the kids of its node. */
static bool part_by_kids(breaking *x, uint32_t text)
{
    const kn_domain *d = x->s->task->domain;
    uint32_t parts = 0;

    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        const uint32_t node = x->s->node[i];
        const uint32_t kid = node == KN_NO_NODE ? KN_NO_NODE : kid_of(d, node, i);
        if (kid == KN_NO_NODE || kid == node) {
            return false;
        }
        x->part[i] = kid; /* for now */
        x->part_ncp[i] = kn__domain_ncp(d, kid);
    }
    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        uint32_t *number = &x->number[x->part[i]];
        *number = *number == KN_NO_CODE ? parts++ : *number;
    }
    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        x->part[i] = x->number[x->part[i]];
    }
    for (uint32_t i = x->first[text]; i != KN_NO_CODE; i = x->next[i]) {
        x->number[kid_of(d, x->s->node[i], i)] = KN_NO_CODE;
    }
    x->parts[text] = parts;
    return parts > 1;
}

/* The parts of a range: both sides of its widest gap. Codes come in the order of their values, the
 * last first. */
static bool part_by_gap(breaking *x, uint32_t text)
{
    const double *value = x->s->task->column->numbers;
    const kn_domain *d = x->s->task->domain;
    const uint32_t last = x->first[text];
    uint32_t at = last, low = last;
    double widest = 0;

    for (uint32_t i = last; i != KN_NO_CODE; i = x->next[i]) {
        const uint32_t before = x->next[i];
        if (before != KN_NO_CODE && value[i] - value[before] > widest) {
            widest = value[i] - value[before];
            at = i;
        }
        low = i;
    }
    if (!(widest > 0)) {
        return false;
    }
    for (uint32_t i = last; i != KN_NO_CODE; i = x->next[i]) {
        const bool upper = value[i] >= value[at];
        x->part[i] = upper;
        x->part_ncp[i] = (upper ? value[last] - value[at] : value[x->next[at]] - value[low]) /
                         (d->high - d->low);
    }
    x->parts[text] = 2;
    return true;
}

static int heavy_first(const void *a, const void *b)
{
    const group *x = a, *y = b;

    return x->gain > y->gain ? -1 : x->gain < y->gain ? 1 : x->text < y->text ? -1 : 1;
}

static void find_groups(breaking *x)
{
    const kn_suppression *s = x->s;
    const bool tree = s->task->domain->kind == KN_DOMAIN_TREE;
    const uint32_t texts = s->best.texts->len;

    memset(x->first, 0xff, texts * sizeof *x->first);
    for (uint32_t i = 0; i < s->values; i++) {
        if (s->times[i] && !s->out[i]) {
            x->next[i] = x->first[s->best.to[i]];
            x->first[s->best.to[i]] = i;
        }
    }
    for (uint32_t t = 0; t < texts; t++) {
        double gain = 0;
        if (x->first[t] == KN_NO_CODE || !(s->ncp[x->first[t]] > 0) ||
            !(tree ? part_by_kids(x, t) : part_by_gap(x, t))) {
            continue;
        }
        for (uint32_t i = x->first[t]; i != KN_NO_CODE; i = x->next[i]) {
            gain += (double)s->times[i] * (s->ncp[i] - x->part_ncp[i]);
        }
        x->group[x->groups++] = (group){t, gain};
    }
    if (x->groups > 1) {
        qsort(x->group, x->groups, sizeof *x->group, heavy_first);
    }
    x->groups = x->groups < GROUPS ? x->groups : GROUPS;
}

/* ---- the price of one ---- */

/* The records that hold the group, its items as parts: names are texts, then the parts. */
static kn_status records_of(const breaking *x, const group *g, kn_baskets **out, kn_error *err)
{
    const kn_suppression *s = x->s;
    const kn_baskets *b = s->task->baskets;
    const uint32_t texts = s->best.texts->len;
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    kn_baskets some = {.items = b->items, .bags = b->bags};
    uint64_t total = 0;
    kn_status status = to ? KN_OK : kn__nomem(err);

    some.starts = kn__malloc_array(b->records + 1, sizeof *some.starts);
    some.list = kn__malloc_array((size_t)b->starts[b->records], sizeof *some.list);
    if (!some.starts || !some.list) {
        status = kn__nomem(err);
    }
    for (uint32_t i = 0; i < b->items && status == KN_OK; i++) {
        to[i] = s->best.to[i] == g->text && s->times[i] && !s->out[i] ? texts + x->part[i]
                : s->out[i] || !s->times[i]                           ? KN_NO_CODE
                                                                      : s->best.to[i];
    }
    for (size_t i = 0; i < b->records && status == KN_OK; i++) {
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
    if (status == KN_OK) {
        some.starts[some.records] = total;
        status = kn__baskets_map(out, &some, to, texts + x->parts[g->text], s->task->run, err);
    }
    kn__free(to);
    kn__free(some.starts);
    kn__free(some.list);
    return status;
}

static kn_status weights(const breaking *x, const group *g, double **out, kn_error *err)
{
    const kn_suppression *s = x->s;
    const uint32_t texts = s->best.texts->len;
    double *weight = kn__zalloc_array((size_t)texts + x->parts[g->text], sizeof *weight);

    *out = weight;
    if (!weight) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < s->values; i++) {
        if (s->times[i] && !s->out[i]) {
            const bool own = s->best.to[i] == g->text;
            weight[own ? texts + x->part[i] : s->best.to[i]] += (double)s->times[i] *
                                                                (1 - (own ? x->part_ncp[i]
                                                                          : s->ncp[i]));
        }
    }
    return KN_OK;
}

/* Note the codes whose names are chosen. */
static kn_status make_offer(breaking *x, const group *g, const uint8_t *chosen, double sum,
                            kn_error *err)
{
    const kn_suppression *s = x->s;
    const uint32_t texts = s->best.texts->len;
    const size_t begin = x->codes;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < s->values && status == KN_OK; i++) {
        if (s->times[i] && !s->out[i] &&
            chosen[s->best.to[i] == g->text ? texts + x->part[i] : s->best.to[i]]) {
            status = kn__grow(&x->code, &x->codes_cap, x->codes + 1, sizeof *x->code, err);
            if (status == KN_OK) {
                x->code[x->codes++] = i;
            }
        }
    }
    if (status == KN_OK) {
        x->offer[x->offers++] = (offer){g->gain - sum, begin, x->codes};
    }
    return status;
}

static kn_status price(breaking *x, const group *g, kn_error *err)
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
        /* Without a part it is rare among these records only. */
        if (r->items[r->size - 1] >= texts) {
            KN_TRY(kn__hitting_set_add(&h, r->items, r->size, err));
        }
    }
    KN_TRY(weights(x, g, &weight, err));
    KN_TRY(kn__hitting_set_choose(&h, weight, chosen, &sum, err));
    if (rare->kept == rare->count && sum < g->gain && h.count > 0) {
        KN_TRY(make_offer(x, g, chosen, sum, err));
    }
done:
    kn__hitting_set_clear(&h);
    kn__rare_list_free(rare);
    kn__baskets_free(b);
    kn__free(weight);
    kn__free(chosen);
    return status;
}

/* ---- trying ---- */

static int best_first(const void *a, const void *b)
{
    const offer *x = a, *y = b;

    return x->net > y->net ? -1 : x->net < y->net ? 1 : x->begin < y->begin ? -1 : 1;
}

/* The first `count` offers, those that go beyond the limit left out. */
static void accept(const breaking *x, size_t count)
{
    const kn_suppression *s = x->s;
    uint64_t lost = s->left_out;

    memcpy(x->out, s->out, s->values);
    for (size_t i = 0; i < count; i++) {
        const offer *o = &x->offer[i];
        uint64_t more = 0;
        for (size_t j = o->begin; j < o->end; j++) {
            more += x->out[x->code[j]] ? 0 : s->times[x->code[j]];
        }
        for (size_t j = o->begin; j < o->end && lost + more <= s->limit; j++) {
            x->out[x->code[j]] = 1;
        }
        lost += lost + more <= s->limit ? more : 0;
    }
}

static kn_status try_offers(breaking *x, bool *better, kn_error *err)
{
    kn_status status = KN_OK;
    size_t count = x->offers;

    if (count > 1) {
        qsort(x->offer, count, sizeof *x->offer, best_first);
    }
    /* All of them, a quarter, a sixteenth, ...: too many spoil each other. */
    for (int i = 0; i < TRIES && count && x->s->runs && !*better && status == KN_OK; i++) {
        accept(x, count);
        status = kn__suppress_try(x->s, x->out, better, err);
        count = count > 1 && count < 4 ? 1 : count / 4;
    }
    return status;
}

kn_status kn__suppress_break_up(kn_suppression *s, bool *better, kn_error *err)
{
    const uint32_t texts = s->best.texts->len;
    breaking x = {.s = s};
    kn_status status = KN_OK;

    *better = false;
    if (s->runs == 0) {
        return KN_OK;
    }
    x.part = kn__malloc_array(s->values, sizeof *x.part);
    x.part_ncp = kn__malloc_array(s->values, sizeof *x.part_ncp);
    x.number = kn__malloc_array(s->task->domain->nodes, sizeof *x.number);
    x.parts = kn__zalloc_array(texts, sizeof *x.parts);
    x.group = kn__malloc_array(texts, sizeof *x.group);
    x.first = kn__malloc_array(texts, sizeof *x.first);
    x.next = kn__malloc_array(s->values, sizeof *x.next);
    x.offer = kn__malloc_array(GROUPS, sizeof *x.offer);
    x.out = kn__malloc_array(s->values, 1);
    if (!x.part || !x.part_ncp || !x.number || !x.parts || !x.group || !x.first || !x.next ||
        !x.offer || !x.out) {
        status = kn__nomem(err);
    }
    if (status == KN_OK) {
        memset(x.number, 0xff, s->task->domain->nodes * sizeof *x.number);
        find_groups(&x);
    }
    for (size_t i = 0; i < x.groups && status == KN_OK; i++) {
        status = kn__run_step(s->task->run, "suppress", -1, err);
        if (status == KN_OK) {
            status = price(&x, &x.group[i], err);
        }
    }
    if (status == KN_OK) {
        status = try_offers(&x, better, err);
    }
    kn__free(x.part);
    kn__free(x.part_ncp);
    kn__free(x.number);
    kn__free(x.parts);
    kn__free(x.group);
    kn__free(x.first);
    kn__free(x.next);
    kn__free(x.offer);
    kn__free(x.code);
    kn__free(x.out);
    return status;
}
