/* mine.c - association rules whose release keeps the limits.
 *
 * Candidates come from frequent itemsets: one item on the right, the others on the left; at least
 * as confident as asked for, and more confident than every rule with the same right side and a
 * proper subset of the left side (also the empty one, so all lifts are above 1): a longer rule that
 * says no more would split spans for nothing. They are ordered by leverage, the share of records
 * that hold both sides beyond what independent sides would give. Lift prefers rare sides, which are
 * those that cannot be published; leverage prefers rules about many records. choose.c chooses among
 * them. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "kanon/version.h"
#include "models/rules/mine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t MOST_SETS = 4000000, MOST_CANDIDATES = 100000;

/* ---- items ---- */

static kn_status rank_items(kn_ranked_items *m, const kn_baskets *baskets, size_t least,
                            kn_error *err)
{
    const uint32_t values = baskets->items;
    uint64_t *order = kn__malloc_array(values, sizeof *order);
    uint32_t *count = kn__zalloc_array(values, sizeof *count);

    m->rank = kn__malloc_array(values, sizeof *m->rank);
    m->code = kn__malloc_array(values, sizeof *m->code);
    if (!order || !count || !m->rank || !m->code) {
        KN_FREE(order, count);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < baskets->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(baskets, i, &len);
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
        kn__sort_u64(order, m->items);
    }
    for (uint32_t i = 0; i < m->items; i++) {
        m->code[i] = (uint32_t)order[i];
        m->rank[m->code[i]] = i;
    }
    KN_FREE(order, count);
    return KN_OK;
}

static kn_status rank_and_index(kn_ranked_items *m, const kn_dataset *ds,
                                const kn_hierarchies *hierarchies, size_t least, const kn_run *run,
                                kn_error *err)
{
    kn_baskets *baskets = NULL;
    uint8_t *hidden = NULL;
    kn_status status;

    m->records = ds->records;
    KN_TRY(kn__rules_private_items(&hidden, m->column, hierarchies, err));
    KN_TRY(kn__baskets_of_column(&baskets, m->column, ds->records, err));
    baskets->bags = false; /* mapping drops the repeats */
    KN_TRY(rank_items(m, baskets, least, err));
    KN_TRY(kn__baskets_map(&m->baskets, baskets, m->rank, m->items, run, err));
    m->hidden = kn__malloc(m->items);
    KN_TRY(m->hidden ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < m->items; i++) {
        m->hidden[i] = hidden[m->code[i]];
    }
    KN_TRY(kn__item_index_build(&m->index, m->column, m->records, m->rank, m->items, err));
done:
    kn__baskets_free(baskets);
    kn__free(hidden);
    return status;
}

static void clear_ranked(kn_ranked_items *m)
{
    KN_FREE(m->code, m->rank, m->hidden);
    kn__baskets_free(m->baskets);
    kn__item_index_clear(&m->index);
}

/* ---- candidates ---- */

static bool is_greater(kn_fraction a, kn_fraction b)
{
    return (uint64_t)a.count * b.of > (uint64_t)b.count * a.of;
}

static kn_status number_sets(kn_rule_mining *m, kn_error *err)
{
    KN_PASS(kn__dict_new(&m->number, err));
    for (size_t i = 0; i < m->sets.count; i++) {
        size_t size;
        const uint32_t *items = kn__mining_set(m, i, &size);
        KN_PASS(kn__dict_append(m->number, (const char *)items, size * sizeof *items, err));
    }
    return KN_OK;
}

/* The number of a set set_without its item at `at`; it is frequent, as the set is. */
static size_t set_without(const kn_rule_mining *m, const uint32_t *items, size_t size, size_t at)
{
    uint32_t rest[KN_MOST_LONGEST];

    memcpy(rest, items, at * sizeof *rest);
    memcpy(rest + at, items + at + 1, (size - at - 1) * sizeof *rest);
    return kn__dict_find(m->number, (const char *)rest, (size - 1) * sizeof *rest);
}

static kn_status add_candidate(kn_rule_mining *m, kn_rule_candidate c, kn_error *err)
{
    const kn_status status = kn__grow(&m->candidate, &m->candidates_cap, m->candidates + 1,
                                      sizeof *m->candidate, err);

    if (status == KN_OK) {
        m->candidate[m->candidates++] = c;
    }
    return status;
}

/* Whether a rule with the items of a set has a private one. */
static bool discloses(const kn_rule_mining *m, const uint32_t *items, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (m->ranked.hidden[items[i]]) {
            return true;
        }
    }
    return false;
}

/* The best confidence among the rules with the item at `right` on the right and a proper subset of
 * the other items of a set on the left; `smaller` is the set without each of its items. */
static kn_fraction best_of_subsets(const kn_rule_mining *m, size_t size, const size_t *smaller,
                                   size_t right)
{
    kn_fraction best = {0, 1};

    for (size_t i = 0; size > 1 && i < size; i++) {
        if (i != right) {
            const kn_fraction other =
                m->best_confidence[m->sets.begin[smaller[i]] + right - (right > i)];
            best = is_greater(other, best) ? other : best;
        }
    }
    return best;
}

/* All smaller sets come before. */
static kn_status add_candidates_of(kn_rule_mining *m, size_t set, kn_error *err)
{
    const uint64_t records = m->ranked.records;
    size_t size, smaller[KN_MOST_LONGEST];
    const uint32_t *items = kn__mining_set(m, set, &size);
    const uint32_t support = m->sets.support[set];

    for (size_t i = 0; size > 1 && i < size; i++) {
        smaller[i] = set_without(m, items, size, i);
    }
    for (size_t right = 0; right < size; right++) {
        const uint32_t left = size == 1 ? (uint32_t)records : m->sets.support[smaller[right]];
        const kn_fraction own = {support, left};
        const kn_fraction best = best_of_subsets(m, size, smaller, right);
        if (size > 1 && is_greater(own, best) && support >= m->confidence * own.of - 1e-9) {
            const uint64_t alone = kn__item_index_support(&m->ranked.index, items[right]);
            const kn_rule_candidate c = {.leverage = records * support - left * alone,
                                         .set = (uint32_t)set,
                                         .size = (uint8_t)size,
                                         .right = (uint8_t)right,
                                         .discloses = discloses(m, items, size)};
            KN_PASS(add_candidate(m, c, err));
        }
        m->best_confidence[m->sets.begin[set] + right] = is_greater(own, best) ? own : best;
    }
    return KN_OK;
}

static int by_interest(const void *a, const void *b)
{
    const kn_rule_candidate *x = a, *y = b;

    if (x->discloses != y->discloses) {
        return x->discloses ? -1 : 1;
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

static kn_status find_candidates(kn_rule_mining *m, size_t longest, kn_error *err)
{
    kn_status status;

    KN_TRY(number_sets(m, err));
    m->best_confidence = kn__malloc_array(m->sets.count ? m->sets.begin[m->sets.count] : 0,
                                          sizeof *m->best_confidence);
    KN_TRY(m->best_confidence ? KN_OK : kn__nomem(err));
    for (size_t size = 1; size <= longest; size++) {
        for (size_t i = 0; i < m->sets.count; i++) {
            if (m->sets.begin[i + 1] - m->sets.begin[i] == size) {
                KN_TRY(add_candidates_of(m, i, err));
            }
        }
    }
    if (m->candidates > 0) {
        qsort(m->candidate, m->candidates, sizeof *m->candidate, by_interest);
        m->candidates = m->candidates < MOST_CANDIDATES ? m->candidates : MOST_CANDIDATES;
    }
done:
    kn__free(m->best_confidence);
    m->best_confidence = NULL;
    return status;
}

/* ---- the model ---- */

static kn_status copy_side(uint32_t **out, size_t *out_count, const uint32_t *items, size_t count,
                           const kn_rule_mining *m, const uint32_t *number, kn_error *err)
{
    *out = kn__malloc_array(count, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = number[m->ranked.code[items[i]]];
    }
    kn__sort_u32(*out, count);
    *out_count = count;
    return KN_OK;
}

/* The model names the items of the chosen rules, in the order of their codes. */
static kn_status set_items(kn_rules *r, const kn_rule_mining *m, uint32_t *number, kn_error *err)
{
    const uint32_t values = kn__column_values(m->ranked.column);
    kn_status status = KN_OK;

    memset(number, 0xff, values * sizeof *number);
    for (size_t i = 0; i < m->chosen_count; i++) {
        size_t size;
        const uint32_t *items = kn__mining_set(m, m->candidate[m->chosen[i]].set, &size);
        for (size_t j = 0; j < size; j++) {
            number[m->ranked.code[items[j]]] = 0;
        }
    }
    r->hidden = kn__zalloc(values ? values : 1);
    KN_PASS(r->hidden ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < values && status == KN_OK; i++) {
        if (number[i] == 0) {
            size_t len;
            const char *text = kn__column_text(m->ranked.column, i, &len);
            number[i] = r->items->len;
            r->hidden[number[i]] = m->ranked.hidden[m->ranked.rank[i]];
            status = kn__dict_append(r->items, text, len, err);
        }
    }
    return status;
}

static kn_status fill_model(kn_model *model, const kn_rule_mining *m, kn_error *err)
{
    const double records = (double)m->ranked.records;
    kn_rules *r = &model->rules;
    uint32_t *number = kn__malloc_array(kn__column_values(m->ranked.column), sizeof *number);
    kn_status status;

    KN_TRY(number ? set_items(r, m, number, err) : kn__nomem(err));
    model->made_by = kn__strdup("kanon " KN_VERSION);
    r->column = kn__strdup(m->ranked.column->name);
    r->rule = kn__zalloc_array(m->chosen_count, sizeof *r->rule);
    KN_TRY(model->made_by && r->column && r->rule ? KN_OK : kn__nomem(err));
    r->records = m->ranked.records;
    for (size_t i = 0; i < m->chosen_count; i++) {
        const kn_rule_candidate *c = &m->candidate[m->chosen[i]];
        const double support = m->sets.support[c->set];
        kn_rule *to = &r->rule[i], from;
        uint32_t items[KN_MOST_LONGEST];
        size_t size, left;
        kn__mining_rule(m, c, items, &from);
        r->count = r->cap = i + 1;
        KN_TRY(copy_side(&to->left, &to->left_count, from.left, from.left_count, m, number, err));
        KN_TRY(copy_side(&to->right, &to->right_count, from.right, 1, m, number, err));
        left = set_without(m, kn__mining_set(m, c->set, &size), c->size, c->right);
        to->support = support / records;
        to->confidence = support / m->sets.support[left];
        /* The lift would state the support of the right side, and so how many records hold it
         * without the left side, which may be fewer than k: a private item has none. */
        if (!m->ranked.hidden[from.right[0]]) {
            to->lift = to->confidence * records /
                       (double)kn__item_index_support(&m->ranked.index, from.right[0]);
        }
    }
    model->promise = (kn_model_promise){m->options->k, m->options->l, m->options->inference};
done:
    kn__free(number);
    return status;
}

/* ---- all of it ---- */

static kn_status check_options(const kn_mine_options *o, kn_error *err)
{
    if (o->l > 2) {
        return kn__fail(err, KN_EUSAGE,
                        "l is %g; an item is held or not: give l of at most 2 for rules", o->l);
    }
    return KN_OK;
}

kn_status kn__mine_rules(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                         const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    const size_t longest = kn__param_count(options->params, "longest");
    const double support = kn__param_number(options->params, "support");
    size_t least;
    kn_rule_mining m = {.options = options,
                        .confidence = kn__param_number(options->params, "confidence"),
                        .run = run};
    kn_model *model = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(check_options(options, err));
    least = (size_t)ceil(support * (double)ds->records - 1e-9);
    least = least > 0 ? least : 1;
    KN_TRY(kn__rules_column(&m.ranked.column, ds, NULL, err));
    KN_TRY(rank_and_index(&m.ranked, ds, hierarchies, least, run, err));
    KN_TRY(kn__itemsets_find(&m.sets, m.ranked.baskets, least, longest, MOST_SETS, run, err));
    KN_TRY(find_candidates(&m, longest, err));
    KN_TRY(kn__mining_choose(&m, err));
    KN_TRY(kn__model_new(&model, KN_MODEL_RULES, err));
    KN_TRY(fill_model(model, &m, err));
    *out = model;
    model = NULL;
done:
    clear_ranked(&m.ranked);
    kn__itemsets_clear(&m.sets);
    kn__dict_free(m.number);
    KN_FREE(m.best_confidence, m.candidate, m.chosen);
    kn_model_free(model);
    return status;
}
