/* Mined rules: the candidates by definition, the greedy choice by the linking attack, how far it is
 * from the best choice, item sets by counting, real baskets, thread counts, failing memory. */
#include "models/rules/rules_test.h"
#include "kanon/io.h"
#include "models/rules/itemsets.h"
#include "rounds.h"

#include <math.h>
#include "models/model_params.h"

enum { ITEMS = 6 };

typedef struct shop {
    uint32_t records[ORACLE_RECORDS], private_items;
    size_t count;
} shop;

static void make_shop(shop *s, kn_rng *rng)
{
    const uint32_t favourites = (uint32_t)kn__rng_below(rng, 1u << ITEMS);

    *s = (shop){.count = 2 + kn__rng_below(rng, 30)};
    for (size_t i = 0; i < s->count; i++) {
        s->records[i] = (uint32_t)kn__rng_below(rng, 1u << ITEMS);
        if (kn__rng_below(rng, 2)) {
            s->records[i] &= (uint32_t)kn__rng_below(rng, 1u << ITEMS);
        }
        if (kn__rng_below(rng, 3) == 0) {
            s->records[i] |= favourites;
        }
    }
    s->records[0] |= 1; /* some item, and a public one */
    s->private_items = (uint32_t)kn__rng_below(rng, 1u << ITEMS) & ~1u;
}

static int64_t leverage(const shop *s, oracle_rule r)
{
    return (int64_t)(s->count * oracle_support(s->records, s->count, r.left | r.right)) -
           (int64_t)(oracle_support(s->records, s->count, r.left) *
                     oracle_support(s->records, s->count, r.right));
}

static bool tells(const shop *s, oracle_rule r)
{
    return ((r.left | r.right) & s->private_items) != 0;
}

static double confidence(const shop *s, oracle_rule r)
{
    return (double)oracle_support(s->records, s->count, r.left | r.right) /
           (double)oracle_support(s->records, s->count, r.left);
}

/* Frequent, confident, and surer than every rule with less on the left. */
static bool is_candidate(const shop *s, oracle_rule r, const kn_mine_options *o)
{
    const size_t support = oracle_support(s->records, s->count, r.left | r.right);

    if ((double)support < kn__param_number(o->params, "support") * (double)s->count - 1e-9 ||
        support == 0 || confidence(s, r) < kn__param_number(o->params, "confidence") - 1e-9) {
        return false;
    }
    for (uint32_t less = (r.left - 1) & r.left;; less = (less - 1) & r.left) {
        const oracle_rule shorter = {less, r.right};
        if (confidence(s, shorter) >= confidence(s, r) - 1e-12) {
            return false;
        }
        if (less == 0) {
            return true;
        }
    }
}

static const kn_params *rules_params(double support, double confidence, int longest)
{
    return MODEL_PARAMS(rules, "support=%.17g;confidence=%.17g;longest=%d", support, confidence,
                        longest);
}

static kn_model *mine(const kn_dataset *ds, const kn_mine_options *o, unsigned threads)
{
    const kn_run run = {.threads = threads};
    kn_model *m;
    kn_error err = {0};

    if (kn__rules_row.mine(&m, ds, NULL, o, &run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

static uint64_t k_of(const shop *s, const oracle_rule *rules, size_t count)
{
    static oracle_attack attack;

    oracle_link(&attack, rules, count, s->records, s->count, s->private_items);
    return attack.k;
}

static bool same(oracle_rule a, oracle_rule b)
{
    return a.left == b.left && a.right == b.right;
}

/* All candidates, as mined with k = 1, are those of the definition. */
static size_t check_candidates(const shop *s, const kn_dataset *ds, kn_mine_options o,
                               oracle_rule *all, size_t most)
{
    kn_model *m;
    size_t count, expected = 0;

    o.k = 1;
    m = mine(ds, &o, 1);
    count = m->rules.count;
    assert_true(count <= most);
    (void)rules_of(m, all);
    for (uint32_t set = 1; set < 1u << ITEMS; set++) {
        for (unsigned bit = 0; bit < ITEMS; bit++) {
            const oracle_rule r = {set & ~(1u << bit), 1u << bit};
            size_t found = 0;
            if (!(set >> bit & 1) || r.left == 0 ||
                __builtin_popcount(set) > (int)kn__param_count(o.params, "longest") ||
                !is_candidate(s, r, &o)) {
                continue;
            }
            for (size_t i = 0; i < count; i++) {
                found += same(all[i], r);
            }
            assert_int_equal(found, 1);
            expected++;
        }
    }
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        const kn_rule *r = &m->rules.rule[i];
        assert_true(fabs(r->support * (double)s->count -
                         (double)oracle_support(s->records, s->count, all[i].left | all[i].right)) <
                    1e-9);
        assert_true(fabs(r->confidence - confidence(s, all[i])) < 1e-12);
        assert_true(i == 0 || tells(s, all[i - 1]) > tells(s, all[i]) ||
                    (tells(s, all[i - 1]) == tells(s, all[i]) &&
                     leverage(s, all[i - 1]) >= leverage(s, all[i])));
    }
    for (uint32_t i = 0; i < m->rules.items->len; i++) {
        size_t len;
        const int bit = *kn__dict_text(m->rules.items, i, &len) - 'a';
        assert_int_equal(m->rules.hidden[i], s->private_items >> bit & 1);
    }
    assert_int_equal(m->rules.records, s->count);
    kn_model_free(m);
    return count;
}

/* The best choice of candidates, by trying them all: the sum of the leverages of those that tell of
 * private items, which are the first. */
static int64_t best_choice(const shop *s, const oracle_rule *all, size_t count, uint64_t k)
{
    int64_t best = 0;

    for (uint32_t choice = 1; choice < 1u << count; choice++) {
        oracle_rule rules[ORACLE_RULES];
        size_t len = 0;
        int64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            if (choice >> i & 1) {
                rules[len++] = all[i];
                sum += leverage(s, all[i]);
            }
        }
        if (sum > best && k_of(s, rules, len) >= k) {
            best = sum;
        }
    }
    return best;
}

static int64_t interest(const shop *s, const oracle_rule *rules, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += tells(s, rules[i]) ? leverage(s, rules[i]) : 0;
    }
    return sum;
}

/* What is mined are candidates in their order, no less than one pass takes, and keep k; none of the
 * others can be added. */
static void check_choice(const shop *s, const oracle_rule *mined, size_t mined_count,
                         const oracle_rule *one_pass, size_t one_pass_count, const oracle_rule *all,
                         size_t count, uint64_t k)
{
    oracle_rule more[400];
    size_t at = 0;

    assert_true(k_of(s, mined, mined_count) >= k);
    assert_true(interest(s, mined, mined_count) >= interest(s, one_pass, one_pass_count));
    if (interest(s, mined, mined_count) == interest(s, one_pass, one_pass_count)) {
        assert_int_equal(mined_count, one_pass_count);
        for (size_t i = 0; i < mined_count; i++) {
            assert_true(same(mined[i], one_pass[i]));
        }
    }
    memcpy(more, mined, mined_count * sizeof *more);
    for (size_t i = 0; i < count; i++) {
        if (at < mined_count && same(mined[at], all[i])) {
            at++;
        } else {
            more[mined_count] = all[i];
            assert_true(k_of(s, more, mined_count + 1) < k);
        }
    }
    assert_int_equal(at, mined_count);
}

static void test_greedy(void **state)
{
    kn_rng rng;
    static shop s;
    double ratio = 0, worst = 1;
    size_t compared = 0, equal = 0, refused = 0, other = 0;

    (void)state;
    kn__rng_seed(&rng, 51, 0);
    for (size_t round = 0; round < test_rounds(3000); round++) {
        static oracle_rule all[400], kept[400], mined[400];
        const uint64_t k = 1 + kn__rng_below(&rng, 6);
        const double support = (double)kn__rng_below(&rng, 30) / 100 + 0.01;
        const double confidence = (double)kn__rng_below(&rng, 10) / 10;
        const int longest = (int[]){4, 2, 3, 5}[kn__rng_below(&rng, 4)];
        kn_mine_options o = {.kind = KN_MODEL_RULES,
                             .k = k,
                             .params = rules_params(support, confidence, longest)};
        kn_dataset *ds;
        kn_model *m;
        size_t count, telling = 0, kept_count = 0, mined_count;
        make_shop(&s, &rng);
        ds = letters(s.records, s.count, s.private_items);
        count = check_candidates(&s, ds, o, all, 400);
        m = mine(ds, &o, 2);
        mined_count = rules_of(m, mined);
        if (count <= 38) { /* three to the 38 fits the oracle's class numbers */
            for (size_t i = 0; i < count; i++) {
                kept[kept_count++] = all[i];
                if (k_of(&s, kept, kept_count) < o.k) {
                    kept_count--;
                    refused++;
                }
            }
            check_choice(&s, mined, mined_count, kept, kept_count, all, count, o.k);
            other += mined_count != kept_count ||
                     memcmp(mined, kept, kept_count * sizeof *kept) != 0;
        }
        while (telling < count && tells(&s, all[telling])) {
            telling++;
        }
        if (telling <= 9) {
            const int64_t best = best_choice(&s, all, telling, o.k);
            const int64_t sum = interest(&s, mined, mined_count);
            assert_true(sum <= best);
            if (best > 0) {
                const double share = (double)sum / (double)best;
                ratio += share;
                worst = share < worst ? share : worst;
                equal += sum == best;
                compared++;
            }
        }
        kn_model_free(m);
        kn_dataset_free(ds);
    }
    assert_true(refused > test_rounds(1000) && compared > test_rounds(300));
    print_message("against the best choice: %zu cases, %zu equal, mean %.4f, worst %.3f; %zu are "
                  "not what one pass takes\n",
                  compared, equal, ratio / (double)compared, worst, other);
    assert_true(ratio / (double)compared > 0.999 && worst > 0.8 && other > 20);
}

/* With a limit on inference, or diversity: in one pass a rule is taken exactly when what is then
 * told is little enough, other passes are only taken when they are better, and the verdict says the
 * same as the definition. */
static void test_inference(void **state)
{
    kn_rng rng;
    static shop s;
    size_t refused = 0, taken = 0, better = 0;

    (void)state;
    kn__rng_seed(&rng, 54, 0);
    for (size_t round = 0; round < test_rounds(1500); round++) {
        static oracle_rule all[400], kept[400], mined[400];
        static oracle_attack attack;
        oracle_inference found;
        kn_mine_options o = {.kind = KN_MODEL_RULES,
                             .k = 1 + kn__rng_below(&rng, 4),
                             .params = rules_params(0.01, 0, 4)};
        kn_model_limits limits;
        kn_model_verdict *v;
        const kn_model_figures *figures;
        kn_dataset *ds;
        kn_model *m;
        size_t count, kept_count = 0, mined_count;
        if (round % 3 == 0) {
            o.inference = 0.3 + 0.7 * kn__rng_double(&rng);
        } else {
            o.l = round % 3 == 1 ? 1 + kn__rng_double(&rng) : 2;
            o.distinct_l = round % 3 == 2;
        }
        make_shop(&s, &rng);
        ds = letters(s.records, s.count, s.private_items);
        count = check_candidates(&s, ds,
                                 (kn_mine_options){.kind = KN_MODEL_RULES, .params = o.params}, all,
                                 400);
        m = mine(ds, &o, 1);
        for (size_t i = 0; i < count && kept_count < 38; i++) {
            kept[kept_count++] = all[i];
            oracle_link(&attack, kept, kept_count, s.records, s.count, s.private_items);
            oracle_infer(&found, &attack, kept, kept_count, s.records, s.count, s.private_items);
            if (attack.k < o.k || (o.inference > 0 && found.most > o.inference) ||
                (o.l > 0 && (o.distinct_l ? found.one_sided : found.diversity < o.l))) {
                refused += attack.k >= o.k;
                kept_count--;
            }
        }
        mined_count = rules_of(m, mined);
        if (kept_count < 38 && mined_count < 38) {
            const int64_t gain = interest(&s, mined, mined_count) - interest(&s, kept, kept_count);
            assert_true(gain >= 0);
            better += gain > 0;
            assert_true(gain > 0 || mined_count == kept_count);
            for (size_t i = 0; i < kept_count && gain == 0; i++) {
                assert_true(same(mined[i], kept[i]));
                taken++;
            }
            oracle_link(&attack, mined, mined_count, s.records, s.count, s.private_items);
            oracle_infer(&found, &attack, mined, mined_count, s.records, s.count, s.private_items);
            limits = (kn_model_limits){
                .k = o.k, .l = o.l, .distinct_l = o.distinct_l, .inference = o.inference};
            assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
            figures = kn_model_verdict_figures(v);
            assert_true(kn_model_verdict_holds(v));
            assert_int_equal(figures->k, attack.k);
            assert_true(fabs(figures->inference - found.most) < 1e-12);
            assert_true(o.distinct_l || figures->l == found.diversity ||
                        fabs(figures->l - found.diversity) < 1e-9);
            kn_model_verdict_free(v);
        }
        kn_model_free(m);
        kn_dataset_free(ds);
    }
    assert_true(refused > test_rounds(500) && taken > test_rounds(500) && better > test_rounds(50));
}

static void test_most_rules(void **state)
{
    const uint32_t records[] = {7, 7, 3, 7, 0, 0, 8, 8, 15, 12};
    kn_mine_options o = {.k = 1, .params = rules_params(0.1, 0, 4)};
    kn_dataset *ds = letters(records, 10, 4);
    kn_model *all = mine(ds, &o, 1), *some;
    oracle_rule a[64], b[64];

    (void)state;
    o.params = MODEL_PARAMS(rules, "support=0.1;confidence=0;rules=3");
    some = mine(ds, &o, 1);
    assert_true(rules_of(all, a) > 3);
    assert_int_equal(rules_of(some, b), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(same(a[i], b[i]));
    }
    kn_model_free(all);
    kn_model_free(some);
    kn_dataset_free(ds);
}

static void test_itemsets(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 52, 0);
    for (size_t round = 0; round < test_rounds(2000); round++) {
        static shop s;
        const size_t least = 1 + kn__rng_below(&rng, 5), longest = 1 + kn__rng_below(&rng, 6);
        const kn_run run = {.threads = 1 + (unsigned)(round % 3)};
        kn_itemsets sets;
        kn_baskets *b;
        uint64_t occurrences = 0, at = 0;
        size_t expected = 0;
        make_shop(&s, &rng);
        for (size_t i = 0; i < s.count; i++) {
            occurrences += (uint64_t)__builtin_popcount(s.records[i]);
        }
        b = kn__baskets_room(s.count, occurrences, ITEMS, false);
        for (size_t i = 0; i < s.count; i++) {
            for (uint32_t bit = 0; bit < ITEMS; bit++) {
                if (s.records[i] >> bit & 1) {
                    b->list[at++] = bit;
                }
            }
            b->starts[i + 1] = at;
        }
        assert_int_equal(kn__itemsets_find(&sets, b, least, longest, 1000, &run, NULL), KN_OK);
        for (uint32_t set = 1; set < 1u << ITEMS; set++) {
            expected += (size_t)__builtin_popcount(set) <= longest &&
                        oracle_support(s.records, s.count, set) >= least;
        }
        assert_int_equal(sets.count, expected);
        for (size_t i = 0; i < sets.count; i++) {
            uint32_t set = 0;
            for (size_t j = sets.begin[i]; j < sets.begin[i + 1]; j++) {
                assert_true(j == sets.begin[i] || sets.item[j - 1] < sets.item[j]);
                set |= 1u << sets.item[j];
            }
            assert_int_equal(sets.support[i], oracle_support(s.records, s.count, set));
            assert_true(sets.support[i] >= least);
        }
        if (expected > 1) {
            kn_itemsets none;
            assert_int_equal(kn__itemsets_find(&none, b, least, longest, expected - 1, &run, NULL),
                             KN_EINFEASIBLE);
        }
        kn__itemsets_clear(&sets);
        kn__baskets_free(b);
    }
}

static void test_options(void **state)
{
    const uint32_t records[] = {3, 1, 2};
    kn_dataset *ds = letters(records, 3, 2);
    kn_error err = {0};
    kn_model *m;

    (void)state;
    assert_int_equal(kn_mine(&m, ds, NULL,
                             &(kn_mine_options){.kind = KN_MODEL_RULES,
                                                .k = 1,
                                                .params = MODEL_PARAMS(tree, "depth=1")},
                             NULL, &err),
                     KN_EUSAGE);
    assert_non_null(strstr(err.message, "those of the kind of model 'tree', not of 'rules'"));
    assert_null(m);
    kn_dataset_free(ds);
}

static void test_memory(void **state)
{
    static shop s;
    const kn_mine_options o = {.k = 2, .params = rules_params(0.05, 0, 4), .inference = 0.9};
    const kn_run run = {.threads = 1};
    kn_dataset *ds;
    kn_rng rng;
    bool done = false;
    size_t n = 1;

    (void)state;
    kn__rng_seed(&rng, 53, 0);
    make_shop(&s, &rng);
    ds = letters(s.records, s.count, s.private_items);
    for (; !done; n++) {
        kn_model *m;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__rules_row.mine(&m, ds, NULL, &o, &run, NULL);
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, done ? KN_OK : KN_ENOMEM);
        assert_true(done == (m != NULL));
        kn_model_free(m);
    }
    assert_true(n > 50);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greedy),     cmocka_unit_test(test_inference),
        cmocka_unit_test(test_most_rules), cmocka_unit_test(test_itemsets),
        cmocka_unit_test(test_options),    cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
