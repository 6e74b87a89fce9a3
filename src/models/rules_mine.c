/* rules_mine.c - association rules whose release keeps k-anonymity.
 *
 * Candidates come from frequent item sets: one item on the right, the others on the left, at least
 * as confident as asked for, and more so than every rule with the same right side and a part of the
 * left (the empty left side among them, so that all have a lift above 1): a longer rule that says
 * no more would part people for nothing. They are tried by leverage, the share of records that hold
 * both sides beyond what independent sides would give. Lift alone prefers rare sides, which are
 * those that cannot be published; leverage prefers rules that concern many.
 *
 * A candidate is taken if every span that tells something still has k records or none. A rule that
 * does not fit now never will: more rules only part spans further. So one pass over the candidates
 * gives a list to which none of the others can be added. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "kanon/version.h"
#include "models/itemsets.h"
#include "models/mine.h"
#include "models/rules.h"
#include "models/told.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4, MOST_LONGEST = 16, BATCH = 16 };
static const size_t MOST_SETS = 4000000, MOST_CANDIDATES = 100000;
static const double SUPPORT = 0.01;

/* What an item is to the search: its rank among the frequent ones, rare ones first. */
typedef struct market {
    const kn_column *column;
    size_t records;
    uint32_t items;    /* frequent ones */
    uint32_t *code;    /* by item */
    uint32_t *rank;    /* by code; KN_NO_CODE */
    uint8_t *hidden;   /* by item */
    kn_baskets *lists; /* of items */
    kn_holders holders;
} market;

typedef struct fraction {
    uint32_t part, whole;
} fraction;

typedef struct candidate {
    uint64_t leverage; /* times records squared */
    uint32_t set;
    uint8_t size, right; /* the place of the right side within the set */
    bool tells;          /* some item is private */
} candidate;

typedef struct mining {
    market m;
    const kn_mine_options *options;
    const kn_run *run;
    kn_itemsets sets;
    kn_dict *number;  /* texts: the items of set i, for every i */
    fraction *surest; /* by place in sets.item: the most confident rule with that item on the right
                         and some of the set's others on the left */
    candidate *candidate;
    size_t candidates, candidates_cap;
    size_t *chosen; /* candidates */
    size_t chosen_count, chosen_cap;
} mining;

/* ---- items ---- */

static int by_count(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static kn_status rank_items(market *m, const kn_baskets *lists, size_t least, kn_error *err)
{
    const uint32_t values = lists->items;
    uint64_t *order = kn_malloc_array(values, sizeof *order);
    uint32_t *count = kn_zalloc_array(values, sizeof *count);

    m->rank = kn_malloc_array(values, sizeof *m->rank);
    m->code = kn_malloc_array(values, sizeof *m->code);
    if (!order || !count || !m->rank || !m->code) {
        kn_free(order);
        kn_free(count);
        return kn_nomem(err);
    }
    for (size_t i = 0; i < lists->records; i++) {
        size_t len;
        const uint32_t *items = kn_baskets_record(lists, i, &len);
        for (size_t j = 0; j < len; j++) {
            count[items[j]] += j == 0 || items[j] != items[j - 1];
        }
    }
    for (uint32_t i = 0; i < values; i++) {
        m->rank[i] = KN_NO_CODE;
        if (count[i] >= least) {
            order[m->items++] = (uint64_t)count[i] << 32 | i;
        }
    }
    if (m->items > 0) {
        qsort(order, m->items, sizeof *order, by_count);
    }
    for (uint32_t i = 0; i < m->items; i++) {
        m->code[i] = (uint32_t)order[i];
        m->rank[m->code[i]] = i;
    }
    kn_free(order);
    kn_free(count);
    return KN_OK;
}

static kn_status open_market(market *m, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                             size_t least, const kn_run *run, kn_error *err)
{
    kn_baskets *lists = NULL;
    uint8_t *hidden = NULL;
    kn_status status = kn_rules_private_items(&hidden, m->column, hierarchies, err);

    m->records = ds->records;
    if (status == KN_OK) {
        status = kn_baskets_of_column(&lists, m->column, ds->records, err);
    }
    if (status == KN_OK) {
        lists->bags = false; /* mapping drops the repeats */
        status = rank_items(m, lists, least, err);
    }
    if (status == KN_OK) {
        status = kn_baskets_map(&m->lists, lists, m->rank, m->items, run, err);
    }
    kn_baskets_free(lists);
    if (status == KN_OK) {
        m->hidden = kn_malloc(m->items);
        status = m->hidden ? KN_OK : kn_nomem(err);
    }
    for (uint32_t i = 0; status == KN_OK && i < m->items; i++) {
        m->hidden[i] = hidden[m->code[i]];
    }
    kn_free(hidden);
    if (status == KN_OK) {
        status = kn_holders_find(&m->holders, m->column, m->records, m->rank, m->items, err);
    }
    return status;
}

static void close_market(market *m)
{
    kn_free(m->code);
    kn_free(m->rank);
    kn_free(m->hidden);
    kn_baskets_free(m->lists);
    kn_holders_clear(&m->holders);
}

/* ---- candidates ---- */

static bool above(fraction a, fraction b)
{
    return (uint64_t)a.part * b.whole > (uint64_t)b.part * a.whole;
}

static const uint32_t *set_of(const mining *m, size_t set, size_t *size)
{
    *size = m->sets.begin[set + 1] - m->sets.begin[set];
    return m->sets.item + m->sets.begin[set];
}

static kn_status number_sets(mining *m, kn_error *err)
{
    kn_status status = kn_dict_new(&m->number, err);

    for (size_t i = 0; i < m->sets.count && status == KN_OK; i++) {
        size_t size;
        const uint32_t *items = set_of(m, i, &size);
        status = kn_dict_append(m->number, (const char *)items, size * sizeof *items, err);
    }
    return status;
}

/* The number of a set without its item at `place`; it is frequent, as the set is. */
static size_t without(const mining *m, const uint32_t *items, size_t size, size_t place)
{
    uint32_t rest[MOST_LONGEST];

    memcpy(rest, items, place * sizeof *rest);
    memcpy(rest + place, items + place + 1, (size - place - 1) * sizeof *rest);
    return kn_dict_find(m->number, (const char *)rest, (size - 1) * sizeof *rest);
}

static kn_status add_candidate(mining *m, candidate c, kn_error *err)
{
    const kn_status status = kn_grow(&m->candidate, &m->candidates_cap, m->candidates + 1,
                                     sizeof *m->candidate, err);

    if (status == KN_OK) {
        m->candidate[m->candidates++] = c;
    }
    return status;
}

static kn_status look_at(mining *m, size_t set, kn_error *err)
{
    const uint64_t records = m->m.records;
    size_t size, smaller[MOST_LONGEST];
    const uint32_t *items = set_of(m, set, &size);
    const uint32_t support = m->sets.support[set];
    kn_status status = KN_OK;

    for (size_t i = 0; size > 1 && i < size; i++) {
        smaller[i] = without(m, items, size, i);
    }
    for (size_t right = 0; right < size && status == KN_OK; right++) {
        const fraction self = {support,
                               size == 1 ? (uint32_t)records : m->sets.support[smaller[right]]};
        fraction *best = &m->surest[m->sets.begin[set] + right];
        *best = (fraction){0, 1};
        for (size_t i = 0; size > 1 && i < size; i++) {
            if (i != right) {
                const fraction other = m->surest[m->sets.begin[smaller[i]] + right - (right > i)];
                *best = above(other, *best) ? other : *best;
            }
        }
        if (size > 1 && above(self, *best) &&
            support >= m->options->confidence * self.whole - 1e-9) {
            const uint64_t alone = kn_holders_count(&m->m.holders, items[right]);
            bool tells = false;
            for (size_t i = 0; i < size; i++) {
                tells = tells || m->m.hidden[items[i]];
            }
            status = add_candidate(m,
                                   (candidate){records * support - self.whole * alone,
                                               (uint32_t)set, (uint8_t)size, (uint8_t)right, tells},
                                   err);
        }
        *best = above(self, *best) ? self : *best;
    }
    return status;
}

static int by_interest(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    if (x->tells != y->tells) {
        return x->tells ? -1 : 1;
    }
    if (x->leverage != y->leverage) {
        return x->leverage > y->leverage ? -1 : 1;
    }
    if (x->size != y->size) {
        return x->size < y->size ? -1 : 1;
    }
    if (x->set != y->set) {
        return x->set < y->set ? -1 : 1;
    }
    return (x->right > y->right) - (x->right < y->right);
}

static kn_status find_candidates(mining *m, size_t longest, kn_error *err)
{
    kn_status status = number_sets(m, err);

    m->surest = kn_malloc_array(m->sets.count ? m->sets.begin[m->sets.count] : 0,
                                sizeof *m->surest);
    if (status == KN_OK && !m->surest) {
        status = kn_nomem(err);
    }
    for (size_t size = 1; size <= longest && status == KN_OK; size++) {
        for (size_t i = 0; i < m->sets.count && status == KN_OK; i++) {
            if (m->sets.begin[i + 1] - m->sets.begin[i] == size) {
                status = look_at(m, i, err);
            }
        }
    }
    if (status == KN_OK && m->candidates > 0) {
        qsort(m->candidate, m->candidates, sizeof *m->candidate, by_interest);
        m->candidates = m->candidates < MOST_CANDIDATES ? m->candidates : MOST_CANDIDATES;
    }
    kn_free(m->surest);
    m->surest = NULL;
    return status;
}

/* ---- choosing ---- */

/* A candidate whose holders have been looked up. */
typedef struct trial {
    uint32_t items[MOST_LONGEST];
    kn_rule rule;
    kn_rule_view view;
    kn_rule_hits hits;
    kn_split split;
    kn_status status;
    kn_error error;
} trial;

typedef struct batch {
    const mining *m;
    size_t first;
    trial trial[BATCH];
} batch;

static void rule_of(const mining *m, const candidate *c, uint32_t *items, kn_rule *rule)
{
    size_t size;
    const uint32_t *set = set_of(m, c->set, &size);

    memcpy(items, set, c->right * sizeof *items);
    memcpy(items + c->right, set + c->right + 1, (size - c->right - 1) * sizeof *items);
    items[size - 1] = set[c->right];
    *rule = (kn_rule){
        .left = items, .left_count = size - 1, .right = items + size - 1, .right_count = 1};
}

static void look_up(void *user, unsigned worker, size_t begin, size_t end)
{
    batch *b = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        trial *t = &b->trial[i];
        rule_of(b->m, &b->m->candidate[b->first + i], t->items, &t->rule);
        kn_rule_view_clear(&t->view);
        t->status = kn_rule_view_of(&t->view, &t->rule, b->m->m.hidden, &t->error);
        if (t->status == KN_OK) {
            t->status = kn_rule_find_hits(&t->hits, &t->view, &b->m->m.holders, &t->split,
                                          &t->error);
        }
    }
}

/* `told` is NULL when only k is asked for. */
static kn_status try(mining *m, size_t number, trial *t, kn_parts *parts, kn_told *told,
                     kn_error *err)
{
    const size_t before = parts->count;
    bool fits = false;
    kn_status status = t->status;

    if (status != KN_OK) {
        if (err) {
            *err = t->error;
        }
        return status;
    }
    t->split.rule = (uint32_t)m->chosen_count;
    status = kn_parts_fits(parts, &t->split, m->options->k, &fits, err);
    if (status == KN_OK && fits && told) {
        status = kn_told_fits(told, parts, &t->rule, &t->split, t->hits.rest, &fits, err);
    }
    if (status == KN_OK && fits) {
        status = kn_grow(&m->chosen, &m->chosen_cap, m->chosen_count + 1, sizeof *m->chosen, err);
    }
    if (status == KN_OK && fits) {
        status = kn_parts_split(parts, &t->split, err);
    }
    if (status == KN_OK && fits && told) {
        status = kn_told_take(told, parts, before, err);
    }
    if (status == KN_OK && fits) {
        m->chosen[m->chosen_count++] = number;
    }
    return status;
}

/* Holders are looked up for some candidates at a time, on all threads; they are tried one by one.
 */
static kn_status choose(mining *m, kn_error *err)
{
    const size_t most = m->options->rules ? m->options->rules : SIZE_MAX;
    const unsigned threads = kn_run_threads(m->run);
    batch *b = kn_zalloc(sizeof *b);
    kn_parts parts = {0};
    kn_told *told = NULL;
    kn_status status = b ? kn_parts_new(&parts, m->m.records, err) : kn_nomem(err);

    if (status == KN_OK && (m->options->l > 0 || m->options->inference > 0)) {
        status = kn_told_new(&told, m->m.lists, m->m.hidden, m->options->l, m->options->distinct_l,
                             m->options->inference, err);
    }

    while (status == KN_OK && b->first < m->candidates && m->chosen_count < most) {
        const size_t left = m->candidates - b->first, count = left < BATCH ? left : BATCH;
        b->m = m;
        kn_parallel_for(threads, count, 1, look_up, b);
        for (size_t i = 0; i < count && status == KN_OK && m->chosen_count < most; i++) {
            status = try(m, b->first + i, &b->trial[i], &parts, told, err);
        }
        b->first += count;
        if (status == KN_OK) {
            status = kn_run_step(m->run, "rules", (double)b->first / (double)m->candidates, err);
        }
    }
    for (size_t i = 0; b && i < BATCH; i++) {
        kn_rule_view_clear(&b->trial[i].view);
        kn_rule_hits_clear(&b->trial[i].hits);
    }
    kn_free(b);
    kn_told_free(told);
    kn_parts_clear(&parts);
    return status;
}

/* ---- the model ---- */

static kn_status copy_side(uint32_t **out, size_t *out_count, const uint32_t *items, size_t count,
                           const mining *m, const uint32_t *number, kn_error *err)
{
    *out = kn_malloc_array(count, sizeof **out);
    if (!*out) {
        return kn_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = number[m->m.code[items[i]]];
    }
    kn_sort_u32(*out, count);
    *out_count = count;
    return KN_OK;
}

/* Items are named in the order of their values. */
static kn_status name_items(kn_rules *r, const mining *m, uint32_t *number, kn_error *err)
{
    const uint32_t values = kn_column_values(m->m.column);
    kn_status status = KN_OK;

    memset(number, 0xff, values * sizeof *number);
    for (size_t i = 0; i < m->chosen_count; i++) {
        size_t size;
        const uint32_t *items = set_of(m, m->candidate[m->chosen[i]].set, &size);
        for (size_t j = 0; j < size; j++) {
            number[m->m.code[items[j]]] = 0;
        }
    }
    r->hidden = kn_zalloc(values ? values : 1);
    if (!r->hidden) {
        return kn_nomem(err);
    }
    for (uint32_t i = 0; i < values && status == KN_OK; i++) {
        if (number[i] == 0) {
            size_t len;
            const char *text = kn_column_text(m->m.column, i, &len);
            number[i] = r->items->len;
            r->hidden[number[i]] = m->m.hidden[m->m.rank[i]];
            status = kn_dict_append(r->items, text, len, err);
        }
    }
    return status;
}

static kn_status fill_model(kn_model *model, const mining *m, kn_error *err)
{
    kn_rules *r = &model->rules;
    uint32_t *number = kn_malloc_array(kn_column_values(m->m.column), sizeof *number);
    kn_status status = number ? name_items(r, m, number, err) : kn_nomem(err);

    if (status == KN_OK) {
        model->made_by = kn_strdup("kanon " KN_VERSION);
        r->column = kn_strdup(m->m.column->name);
        r->rule = kn_zalloc_array(m->chosen_count, sizeof *r->rule);
        status = model->made_by && r->column && r->rule ? KN_OK : kn_nomem(err);
    }
    r->records = m->m.records;
    for (size_t i = 0; i < m->chosen_count && status == KN_OK; i++) {
        const candidate *c = &m->candidate[m->chosen[i]];
        kn_rule *to = &r->rule[i], from;
        uint32_t items[MOST_LONGEST];
        size_t size;
        rule_of(m, c, items, &from);
        r->count = r->cap = i + 1;
        status = copy_side(&to->left, &to->left_count, from.left, from.left_count, m, number, err);
        if (status == KN_OK) {
            status = copy_side(&to->right, &to->right_count, from.right, 1, m, number, err);
        }
        to->support = (double)m->sets.support[c->set] / (double)m->m.records;
        to->confidence = (double)m->sets.support[c->set] /
                         m->sets.support[without(m, set_of(m, c->set, &size), c->size, c->right)];
        /* From a lift follows how many hold the right side in all, and so how many of those without
         * the left side do, who may be fewer than k: a private item has none. */
        if (!m->m.hidden[from.right[0]]) {
            to->lift = to->confidence * (double)m->m.records /
                       (double)kn_holders_count(&m->m.holders, from.right[0]);
        }
    }
    kn_free(number);
    model->promise = (kn_model_promise){m->options->k, m->options->l, m->options->inference};
    return status;
}

/* ---- all of it ---- */

static kn_status check_options(const kn_mine_options *o, kn_error *err)
{
    if (!(o->support >= 0 && o->support <= 1)) {
        return kn_fail(err, KN_EUSAGE, "--support %g: it is a share of the records, 0 to 1",
                       o->support);
    }
    if (!(o->confidence >= 0 && o->confidence <= 1)) {
        return kn_fail(err, KN_EUSAGE, "--confidence %g: it is a share, 0 to 1", o->confidence);
    }
    if (o->longest == 1 || o->longest > MOST_LONGEST) {
        return kn_fail(err, KN_EUSAGE, "--longest %zu: a rule has 2 to %d items", o->longest,
                       MOST_LONGEST);
    }
    if (o->l > 2) {
        return kn_fail(err, KN_EUSAGE,
                       "l is %g; an item is held or not: give l of at most 2 for rules", o->l);
    }
    return KN_OK;
}

kn_status kn_mine_rules(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                        const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    const size_t longest = options->longest ? options->longest : LONGEST;
    mining m = {.options = options, .run = run};
    kn_model *model = NULL;
    size_t least;
    kn_status status = check_options(options, err);

    *out = NULL;
    if (status == KN_OK) {
        status = kn_rules_column(&m.m.column, ds, NULL, err);
    }
    if (status != KN_OK) {
        return status;
    }
    least = (size_t)ceil((options->support > 0 ? options->support : SUPPORT) * (double)ds->records -
                         1e-9);
    least = least > 0 ? least : 1;
    status = open_market(&m.m, ds, hierarchies, least, run, err);
    if (status == KN_OK) {
        status = kn_itemsets_find(&m.sets, m.m.lists, least, longest, MOST_SETS, run, err);
    }
    if (status == KN_OK) {
        status = find_candidates(&m, longest, err);
    }
    if (status == KN_OK) {
        status = choose(&m, err);
    }
    if (status == KN_OK) {
        status = kn_model_new(&model, KN_MODEL_RULES, err);
    }
    if (status == KN_OK) {
        status = fill_model(model, &m, err);
    }
    close_market(&m.m);
    kn_itemsets_clear(&m.sets);
    kn_dict_free(m.number);
    kn_free(m.surest);
    kn_free(m.candidate);
    kn_free(m.chosen);
    if (status != KN_OK) {
        kn_model_free(model);
        return status;
    }
    *out = model;
    return KN_OK;
}
