/* What an attacker may know about tree records, against Definition 1 by brute force; structural
 * disassociation in the synopsis tree against rewriting the trees. */
#include "base/memory.h"
#include "count/tree_knowledge.h"
#include "oracle/kmn.h"
#include "oracle/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const texts[] = {"a", "b"};

static kn_forest *random_forest(kn_rng *rng, size_t records, size_t nodes)
{
    kn_forest *f = oracle_random_forest(rng, records, nodes, texts, 2);

    assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
    return f;
}

typedef struct collected {
    const kn_forest *f;
    const kn_knowledge *of;
    size_t count;
} collected;

/* What was found is as rare as it says. */
static kn_status collect(void *user, const kn_known *known, kn_error *err)
{
    collected *c = user;
    oracle_known k = {.values = known->values, .relations = known->relations};

    (void)err;
    for (size_t i = 0; i < known->values; i++) {
        k.value[i] = known->value[i];
    }
    for (size_t i = 0; i < known->relations; i++) {
        k.above[i] = known->relation[i].above;
        k.below[i] = known->relation[i].below;
        k.group[i] = known->part[i];
    }
    assert_true(known->support >= 1 && known->support <= c->of->k - 1);
    assert_int_equal(known->support, oracle_kmn_support(c->f, &k));
    for (size_t i = 0; i < known->support; i++) {
        assert_true(oracle_matches(c->f, known->records[i], &k));
    }
    c->count++;
    return KN_OK;
}

static size_t walk(const kn_forest *f, size_t k, size_t m, size_t n)
{
    kn_synopsis *s = NULL;
    kn_relation_index *r = NULL;
    kn_knowledge_walk *w = NULL;
    uint32_t order[64];
    const char *reason;

    assert_int_equal(kn__synopsis_new(&s, f, NULL, (uint32_t)f->values, NULL, NULL), KN_OK);
    if (!kn__synopsis_validate(s, &reason)) {
        fail_msg("%s", reason);
    }
    assert_int_equal(kn__relation_index_new(&r, s, NULL), KN_OK);
    for (uint32_t i = 0; i < f->values; i++) {
        order[i] = i;
    }
    const kn_knowledge of = {.k = k,
                             .budget = {{(uint16_t)m, (uint16_t)n}},
                             .value = r->value,
                             .labels = r->labels,
                             .words = s->words,
                             .order = order,
                             .order_len = f->values,
                             .relations = r,
                             .synopsis = s};
    collected c = {.f = f, .of = &of};
    assert_int_equal(kn__knowledge_walk_new(&w, &of, NULL), KN_OK);
    for (size_t i = 0; i < f->values; i++) {
        assert_int_equal(kn__knowledge_values(w, i, collect, &c, NULL), KN_OK);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        assert_int_equal(kn__knowledge_relations(w, i, collect, &c, NULL), KN_OK);
    }
    kn__knowledge_walk_free(w);
    kn__relation_index_free(r);
    kn__synopsis_free(s);
    return c.count;
}

static void agrees_with_definition_1(void **state)
{
    size_t holds = 0, stricter = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 171, 0);
    for (int round = 0; round < 4000; round++) {
        const size_t before = kn_memory_in_use();
        kn_forest *f = random_forest(&rng, round % 3 ? 8 : 14, round % 2 ? 6 : 9);
        const size_t k = 2 + kn__rng_below(&rng, 2), m = 1 + kn__rng_below(&rng, 3);
        const size_t n = kn__rng_below(&rng, m * (m - 1) / 2 + 1);
        const bool broken = oracle_kmn_broken(f, k, m, n, ORACLE_ANY_GROUPS) > 0;

        assert_int_equal(walk(f, k, m, n) > 0, broken);
        if (oracle_kmn_broken(f, k, m, n, ORACLE_ONE_EMBEDDING) ||
            oracle_kmn_broken(f, k, m, n, ORACLE_ONE_BY_ONE)) {
            assert_true(broken);
        } else {
            stricter += broken;
        }
        holds += !broken;
        kn__forest_free(f);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(holds >= 100 && holds <= 3900);
    (void)stricter;
}

/* The last pairs of the walk are searched in records that have much in common. */
static void agrees_in_alike_records(void **state)
{
    size_t holds = 0, rounds = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 172, 0);
    for (int round = 0; round < 3000; round++) {
        kn_forest *few = random_forest(&rng, 3, 8), *f;
        kn_forest_builder *b = NULL;
        assert_int_equal(kn__forest_builder_new(&b, &few->classes, NULL), KN_OK);
        for (size_t copy = 0; copy < 4 * few->records; copy++) {
            const size_t r = kn__rng_below(&rng, few->records);
            const uint32_t leave = (uint32_t)kn__rng_below(&rng, 12);
            uint32_t made[64];
            assert_int_equal(kn__forest_builder_record(b, NULL), KN_OK);
            for (uint32_t i = 0; i < kn__forest_size(few, r); i++) {
                const uint64_t at = few->starts[r] + i;
                const uint32_t up = few->parent[at], v = few->value[at];
                const uint32_t parent = up == KN_NO_PARENT ? up : made[up];
                if (i == leave) { /* its children move up */
                    made[i] = parent;
                } else {
                    assert_int_equal(kn__forest_builder_node(b, few->value_class[v], few->text[v],
                                                             strlen(few->text[v]), parent, &made[i],
                                                             NULL),
                                     KN_OK);
                }
            }
        }
        assert_int_equal(kn__forest_builder_finish(b, &f, NULL), KN_OK);
        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        const size_t m = 3, n = kn__rng_below(&rng, 4), k = 2 + kn__rng_below(&rng, 2);
        const bool broken = oracle_kmn_broken(f, k, m, n, ORACLE_ANY_GROUPS) > 0;
        assert_int_equal(walk(f, k, m, n) > 0, broken);
        holds += !broken;
        rounds++;
        kn__forest_free(f);
        kn__forest_free(few);
    }
    assert_true(holds >= rounds / 50 && holds <= rounds - rounds / 50);
}

static kn_status count_found(void *user, const kn_known *known, kn_error *err)
{
    (void)known;
    (void)err;
    ++*(size_t *)user;
    return KN_OK;
}

/* Values of class C3 are sensitive: no attacker knows them, and none may infer one. */
static void agrees_with_l_diversity(void **state)
{
    size_t holds = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 178, 0);
    for (int round = 0; round < 3000; round++) {
        kn_forest *f = random_forest(&rng, 14, 5);
        const size_t m = 1 + kn__rng_below(&rng, 2), n = m == 2 ? kn__rng_below(&rng, 2) : 0;
        const bool is[4] = {false, false, false, true};
        oracle_kmn o = {.f = f, .k = 2, .m = m, .n = n, .l = 1.5, .sensitive = 3};
        oracle_known nothing = {0};
        kn_tree_diversity d;
        kn_synopsis *s = NULL;
        kn_relation_index *r = NULL;
        kn_knowledge_walk *w = NULL;
        uint32_t order[64], to[64];
        size_t len = 0, found = 0;

        for (uint32_t v = 0; v < f->values; v++) {
            to[v] = is[f->value_class[v]] ? KN_NO_LABEL : v;
            if (!is[f->value_class[v]]) {
                order[len++] = v;
            }
        }
        oracle_values(&o, &nothing, 0);
        assert_int_equal(kn__tree_diversity_init(&d, o.l, f, is, NULL), KN_OK);
        assert_int_equal(kn__synopsis_new(&s, f, to, (uint32_t)f->values, NULL, NULL), KN_OK);
        assert_int_equal(kn__relation_index_new(&r, s, NULL), KN_OK);
        const kn_knowledge of = {.k = 2,
                                 .budget = {{(uint16_t)m, (uint16_t)n}},
                                 .value = r->value,
                                 .labels = r->labels,
                                 .words = s->words,
                                 .order = order,
                                 .order_len = len,
                                 .relations = r,
                                 .synopsis = s,
                                 .l = d.l,
                                 .sensitive = d.set,
                                 .sensitive_len = d.count};
        assert_int_equal(kn__knowledge_walk_new(&w, &of, NULL), KN_OK);
        for (size_t i = 0; i < len; i++) {
            assert_int_equal(kn__knowledge_values(w, i, count_found, &found, NULL), KN_OK);
        }
        for (uint32_t i = 0; i < r->count; i++) {
            assert_int_equal(kn__knowledge_relations(w, i, count_found, &found, NULL), KN_OK);
        }
        assert_int_equal(found > 0, o.broken > 0);
        holds += found == 0;
        kn__knowledge_walk_free(w);
        kn__relation_index_free(r);
        kn__synopsis_free(s);
        kn__tree_diversity_clear(&d);
        kn__forest_free(f);
    }
    assert_in_range(holds, 30, 2970);
}

static void disassociates_as_trees_are_rewritten(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 173, 0);
    for (int round = 0; round < 4000; round++) {
        kn_forest *f = random_forest(&rng, 5, 12);
        kn_relation rules[4];
        const size_t count = 1 + kn__rng_below(&rng, 4);
        kn_synopsis *s = NULL;
        const char *reason;

        if (f->values < 2) {
            kn__forest_free(f);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            rules[i].above = (uint32_t)kn__rng_below(&rng, f->values);
            rules[i].below = (uint32_t)kn__rng_below(&rng, f->values);
        }
        assert_int_equal(kn__synopsis_new(&s, f, NULL, (uint32_t)f->values, NULL, NULL), KN_OK);
        /* At once, or in two steps. */
        const size_t first = kn__rng_below(&rng, count + 1);
        assert_int_equal(kn__synopsis_disassociate(s, rules, first, NULL, 0, NULL), KN_OK);
        assert_int_equal(kn__synopsis_disassociate(s, rules + first, count - first, NULL, 0, NULL),
                         KN_OK);
        if (!kn__synopsis_validate(s, &reason)) {
            fail_msg("%s", reason);
        }
        size_t support[256] = {0};
        assert_true(s->nodes <= 256);
        for (size_t r = 0; r < f->records; r++) {
            oracle_node *tree = oracle_tree_of(f, r);
            size_t paths = 0, len_row;
            const uint32_t *row = kn__synopsis_row(s, r, &len_row);
            for (size_t i = 0; i < count; i++) {
                oracle_disassociate(tree, rules[i].above, rules[i].below);
            }
            for (uint32_t i = 1; i < s->nodes; i++) {
                uint32_t path[16], len = s->depth[i];
                bool held = false;
                for (uint32_t j = i, at = len; at-- > 0; j = s->parent[j]) {
                    path[at] = s->label[j];
                }
                for (size_t h = 0; h < len_row; h++) {
                    held = held || s->now[row[h]] == i;
                }
                support[i] += held;
                assert_int_equal(held, oracle_has_path(tree, path, len));
                paths += held;
            }
            assert_int_equal(paths, oracle_count_nodes(tree));
            free(tree);
        }
        for (uint32_t i = 1; i < s->nodes; i++) {
            assert_int_equal(s->support[i], support[i]);
        }
        kn__synopsis_free(s);
        kn__forest_free(f);
    }
}

static void survives_without_memory(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 174, 0);
    kn_forest *f = random_forest(&rng, 20, 12);
    const size_t before = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        kn_synopsis *s = NULL;
        kn_relation_index *r = NULL;
        const kn_relation rule = {0, 1};
        kn__memory_fail_after(n);
        kn_status status = kn__synopsis_new(&s, f, NULL, (uint32_t)f->values, NULL, NULL);
        status = status == KN_OK ? kn__synopsis_disassociate(s, &rule, 1, NULL, 0, NULL) : status;
        status = status == KN_OK ? kn__relation_index_new(&r, s, NULL) : status;
        const bool failed = kn__memory_failed();
        kn__memory_fail_after(0);
        kn__relation_index_free(r);
        kn__synopsis_free(s);
        assert_int_equal(kn_memory_in_use(), before);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        if (!failed) {
            break;
        }
    }
    kn__forest_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_definition_1),
        cmocka_unit_test(agrees_in_alike_records),
        cmocka_unit_test(agrees_with_l_diversity),
        cmocka_unit_test(disassociates_as_trees_are_rewritten),
        cmocka_unit_test(survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
