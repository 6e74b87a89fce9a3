/* mine.c - association rules whose release keeps k-anonymity.
 *
 * Candidates come from frequent item sets: one item on the right, the others on the left, at least
 * as confident as asked for, and more so than every rule with the same right side and a part of the
 * left (the empty left side among them, so that all have a lift above 1): a longer rule that says
 * no more would part people for nothing. They are tried by leverage, the share of records that hold
 * both sides beyond what independent sides would give. Lift alone prefers rare sides, which are
 * those that cannot be published; leverage prefers rules that concern many. choose.c chooses
 * among them. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "kanon/version.h"
#include "models/rules/mine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4 };
static const size_t MOST_SETS = 4000000, MOST_CANDIDATES = 100000;
static const double SUPPORT = 0.01;

/* ---- items ---- */

static int by_count(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static kn_status rank_items(kn_market *m, const kn_baskets *lists, size_t least, kn_error *err)
{
    const uint32_t values = lists->items;
    uint64_t *order = kn__malloc_array(values, sizeof *order);
    uint32_t *count = kn__zalloc_array(values, sizeof *count);

    m->rank = kn__malloc_array(values, sizeof *m->rank);
    m->code = kn__malloc_array(values, sizeof *m->code);
    if (!order || !count || !m->rank || !m->code) {
        kn__free(order);
        kn__free(count);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < lists->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(lists, i, &len);
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
    kn__free(order);
    kn__free(count);
    return KN_OK;
}

static kn_status open_market(kn_market *m, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                             size_t least, const kn_run *run, kn_error *err)
{
    kn_baskets *lists = NULL;
    uint8_t *hidden = NULL;
    kn_status status = kn__rules_private_items(&hidden, m->column, hierarchies, err);

    m->records = ds->records;
    if (status == KN_OK) {
        status = kn__baskets_of_column(&lists, m->column, ds->records, err);
    }
    if (status == KN_OK) {
        lists->bags = false; /* mapping drops the repeats */
        status = rank_items(m, lists, least, err);
    }
    if (status == KN_OK) {
        status = kn__baskets_map(&m->lists, lists, m->rank, m->items, run, err);
    }
    kn__baskets_free(lists);
    if (status == KN_OK) {
        m->hidden = kn__malloc(m->items);
        status = m->hidden ? KN_OK : kn__nomem(err);
    }
    for (uint32_t i = 0; status == KN_OK && i < m->items; i++) {
        m->hidden[i] = hidden[m->code[i]];
    }
    kn__free(hidden);
    if (status == KN_OK) {
        status = kn__item_index_find(&m->holders, m->column, m->records, m->rank, m->items, err);
    }
    return status;
}

static void close_market(kn_market *m)
{
    kn__free(m->code);
    kn__free(m->rank);
    kn__free(m->hidden);
    kn__baskets_free(m->lists);
    kn__item_index_clear(&m->holders);
}

/* ---- candidates ---- */

static bool above(kn_fraction a, kn_fraction b)
{
    return (uint64_t)a.part * b.whole > (uint64_t)b.part * a.whole;
}

static kn_status number_sets(kn_mining *m, kn_error *err)
{
    kn_status status = kn__dict_new(&m->number, err);

    for (size_t i = 0; i < m->sets.count && status == KN_OK; i++) {
        size_t size;
        const uint32_t *items = kn__mining_set(m, i, &size);
        status = kn__dict_append(m->number, (const char *)items, size * sizeof *items, err);
    }
    return status;
}

/* The number of a set without its item at `place`; it is frequent, as the set is. */
static size_t without(const kn_mining *m, const uint32_t *items, size_t size, size_t place)
{
    uint32_t rest[KN_MOST_LONGEST];

    memcpy(rest, items, place * sizeof *rest);
    memcpy(rest + place, items + place + 1, (size - place - 1) * sizeof *rest);
    return kn__dict_find(m->number, (const char *)rest, (size - 1) * sizeof *rest);
}

static kn_status add_candidate(kn_mining *m, kn_rule_candidate c, kn_error *err)
{
    const kn_status status = kn__grow(&m->candidate, &m->candidates_cap, m->candidates + 1,
                                      sizeof *m->candidate, err);

    if (status == KN_OK) {
        m->candidate[m->candidates++] = c;
    }
    return status;
}

static kn_status look_at(kn_mining *m, size_t set, kn_error *err)
{
    const uint64_t records = m->m.records;
    size_t size, smaller[KN_MOST_LONGEST];
    const uint32_t *items = kn__mining_set(m, set, &size);
    const uint32_t support = m->sets.support[set];
    kn_status status = KN_OK;

    for (size_t i = 0; size > 1 && i < size; i++) {
        smaller[i] = without(m, items, size, i);
    }
    for (size_t right = 0; right < size && status == KN_OK; right++) {
        const kn_fraction self = {support,
                                  size == 1 ? (uint32_t)records : m->sets.support[smaller[right]]};
        kn_fraction *best = &m->surest[m->sets.begin[set] + right];
        *best = (kn_fraction){0, 1};
        for (size_t i = 0; size > 1 && i < size; i++) {
            if (i != right) {
                const kn_fraction other =
                    m->surest[m->sets.begin[smaller[i]] + right - (right > i)];
                *best = above(other, *best) ? other : *best;
            }
        }
        if (size > 1 && above(self, *best) &&
            support >= m->options->confidence * self.whole - 1e-9) {
            const uint64_t alone = kn__item_index_count(&m->m.holders, items[right]);
            bool tells = false;
            for (size_t i = 0; i < size; i++) {
                tells = tells || m->m.hidden[items[i]];
            }
            status = add_candidate(m,
                                   (kn_rule_candidate){records * support - self.whole * alone,
                                                       (uint32_t)set, (uint8_t)size, (uint8_t)right,
                                                       tells},
                                   err);
        }
        *best = above(self, *best) ? self : *best;
    }
    return status;
}

static int by_interest(const void *a, const void *b)
{
    const kn_rule_candidate *x = a, *y = b;

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

static kn_status find_candidates(kn_mining *m, size_t longest, kn_error *err)
{
    kn_status status = number_sets(m, err);

    m->surest = kn__malloc_array(m->sets.count ? m->sets.begin[m->sets.count] : 0,
                                 sizeof *m->surest);
    if (status == KN_OK && !m->surest) {
        status = kn__nomem(err);
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
    kn__free(m->surest);
    m->surest = NULL;
    return status;
}

/* ---- the model ---- */

static kn_status copy_side(uint32_t **out, size_t *out_count, const uint32_t *items, size_t count,
                           const kn_mining *m, const uint32_t *number, kn_error *err)
{
    *out = kn__malloc_array(count, sizeof **out);
    if (!*out) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = number[m->m.code[items[i]]];
    }
    kn__sort_u32(*out, count);
    *out_count = count;
    return KN_OK;
}

/* Items are named in the order of their values. */
static kn_status name_items(kn_rules *r, const kn_mining *m, uint32_t *number, kn_error *err)
{
    const uint32_t values = kn__column_values(m->m.column);
    kn_status status = KN_OK;

    memset(number, 0xff, values * sizeof *number);
    for (size_t i = 0; i < m->chosen_count; i++) {
        size_t size;
        const uint32_t *items = kn__mining_set(m, m->candidate[m->chosen[i]].set, &size);
        for (size_t j = 0; j < size; j++) {
            number[m->m.code[items[j]]] = 0;
        }
    }
    r->hidden = kn__zalloc(values ? values : 1);
    if (!r->hidden) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < values && status == KN_OK; i++) {
        if (number[i] == 0) {
            size_t len;
            const char *text = kn__column_text(m->m.column, i, &len);
            number[i] = r->items->len;
            r->hidden[number[i]] = m->m.hidden[m->m.rank[i]];
            status = kn__dict_append(r->items, text, len, err);
        }
    }
    return status;
}

static kn_status fill_model(kn_model *model, const kn_mining *m, kn_error *err)
{
    kn_rules *r = &model->rules;
    uint32_t *number = kn__malloc_array(kn__column_values(m->m.column), sizeof *number);
    kn_status status = number ? name_items(r, m, number, err) : kn__nomem(err);

    if (status == KN_OK) {
        model->made_by = kn__strdup("kanon " KN_VERSION);
        r->column = kn__strdup(m->m.column->name);
        r->rule = kn__zalloc_array(m->chosen_count, sizeof *r->rule);
        status = model->made_by && r->column && r->rule ? KN_OK : kn__nomem(err);
    }
    r->records = m->m.records;
    for (size_t i = 0; i < m->chosen_count && status == KN_OK; i++) {
        const kn_rule_candidate *c = &m->candidate[m->chosen[i]];
        kn_rule *to = &r->rule[i], from;
        uint32_t items[KN_MOST_LONGEST];
        size_t size;
        kn__mining_rule(m, c, items, &from);
        r->count = r->cap = i + 1;
        status = copy_side(&to->left, &to->left_count, from.left, from.left_count, m, number, err);
        if (status == KN_OK) {
            status = copy_side(&to->right, &to->right_count, from.right, 1, m, number, err);
        }
        to->support = (double)m->sets.support[c->set] / (double)m->m.records;
        to->confidence =
            (double)m->sets.support[c->set] /
            m->sets.support[without(m, kn__mining_set(m, c->set, &size), c->size, c->right)];
        /* From a lift follows how many hold the right side in all, and so how many of those without
         * the left side do, who may be fewer than k: a private item has none. */
        if (!m->m.hidden[from.right[0]]) {
            to->lift = to->confidence * (double)m->m.records /
                       (double)kn__item_index_count(&m->m.holders, from.right[0]);
        }
    }
    kn__free(number);
    model->promise = (kn_model_promise){m->options->k, m->options->l, m->options->inference};
    return status;
}

/* ---- all of it ---- */

static kn_status check_options(const kn_mine_options *o, kn_error *err)
{
    if (!(o->support >= 0 && o->support <= 1)) {
        return kn__fail(err, KN_EUSAGE, "--support %g: it is a share of the records, 0 to 1",
                        o->support);
    }
    if (!(o->confidence >= 0 && o->confidence <= 1)) {
        return kn__fail(err, KN_EUSAGE, "--confidence %g: it is a share, 0 to 1", o->confidence);
    }
    if (o->longest == 1 || o->longest > KN_MOST_LONGEST) {
        return kn__fail(err, KN_EUSAGE, "--longest %zu: a rule has 2 to %d items", o->longest,
                        KN_MOST_LONGEST);
    }
    if (o->l > 2) {
        return kn__fail(err, KN_EUSAGE,
                        "l is %g; an item is held or not: give l of at most 2 for rules", o->l);
    }
    return KN_OK;
}

static kn_status mine(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                      const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    const size_t longest = options->longest ? options->longest : LONGEST;
    kn_mining m = {.options = options, .run = run};
    kn_model *model = NULL;
    size_t least;
    kn_status status = check_options(options, err);

    *out = NULL;
    if (status == KN_OK) {
        status = kn__rules_column(&m.m.column, ds, NULL, err);
    }
    if (status != KN_OK) {
        return status;
    }
    least = (size_t)ceil((options->support > 0 ? options->support : SUPPORT) * (double)ds->records -
                         1e-9);
    least = least > 0 ? least : 1;
    status = open_market(&m.m, ds, hierarchies, least, run, err);
    if (status == KN_OK) {
        status = kn__itemsets_find(&m.sets, m.m.lists, least, longest, MOST_SETS, run, err);
    }
    if (status == KN_OK) {
        status = find_candidates(&m, longest, err);
    }
    if (status == KN_OK) {
        status = kn__mining_choose(&m, err);
    }
    if (status == KN_OK) {
        status = kn__model_new(&model, KN_MODEL_RULES, err);
    }
    if (status == KN_OK) {
        status = fill_model(model, &m, err);
    }
    close_market(&m.m);
    kn__itemsets_clear(&m.sets);
    kn__dict_free(m.number);
    kn__free(m.surest);
    kn__free(m.candidate);
    kn__free(m.chosen);
    if (status != KN_OK) {
        kn_model_free(model);
        return status;
    }
    *out = model;
    return KN_OK;
}

static const kn_param params[] = {
    KN_SPAN_PARAMS,
    {.name = "support",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.01,
     .help = "rules: the least share of the records that hold all of a rule"},
    {.name = "confidence",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.5,
     .help = "rules: the least share of those with the left side that have the right side"},
    {.name = "rules",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "rules: at most so many; the default, 0, is no limit"},
    {.name = "longest",
     .kind = KN_PARAM_COUNT,
     .max = 16,
     .standard = 4,
     .help = "rules: the most items of a rule; the default is 4"},
};

const kn_model_row kn__rules_row = {
    .entry = {.kind = KN_ENTRY_MODEL,
              .name = "rules",
              .summary = "association rules between items",
              KN_PARAMS(params),
              .page = "models.md"},
    .kind = KN_MODEL_RULES,
    .mine = mine,
};
