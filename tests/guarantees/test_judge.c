/* The judge of the methods agrees with the checker on every class, whatever the order of its
 * records. */
#include "guarantees/tables.h"

#include "guarantees/judge.h"

static void test_agrees_with_definitions(void **state)
{
    kn_rng r;
    size_t held = 0, broke = 0;

    (void)state;
    kn__rng_seed(&r, 21, 0);
    for (int round = 0; round < 4000; round++) {
        oracle_table t;
        oracle_ask asks[3][2];
        kn_guarantee g[3];
        int levels, node[5][ORACLE_VALUES];
        const size_t count = 1 + kn__rng_below(&r, 3);
        kn_hierarchies *hs;
        kn_judge_scratch *s;
        kn_dataset *ds;
        kn_verdict *v;
        kn_judge *j;
        bool all = true;
        random_table(&t, &r);
        memset(t.any, 0, sizeof t.any);
        ds = to_dataset(&t);
        hs = random_hierarchy(&r, t.sensitives, &levels, node);
        for (size_t i = 0; i < count; i++) {
            g[i] = random_ask(asks[i], &t, &r, levels, node);
        }
        assert_int_equal(kn__judge_new(&j, g, count, ds, hs, NULL, NULL), KN_OK);
        assert_int_equal(kn__judge_scratch_new(&s, j, NULL), KN_OK);
        for (int record = 0; record < t.records; record++) {
            uint32_t members[ORACLE_RECORDS];
            size_t size = 0;
            bool expected = true, judged;
            for (int i = t.records - 1; i >= 0; i--) {
                if (oracle_same_class(&t, record, i)) {
                    members[size++] = (uint32_t)i;
                }
            }
            for (size_t i = 0; i < count; i++) {
                for (int c = 0; c < (g[i].kind == KN_K_ANONYMITY ? 1 : t.sensitives); c++) {
                    expected = expected && oracle_judge(&t, &asks[i][c], record, c).holds;
                }
            }
            judged = kn__judge_class(j, s, members, size);
            assert_int_equal(judged, expected);
            assert_true(!judged || size >= kn__judge_least(j));
            all = all && judged;
            held += judged;
            broke += !judged;
        }
        assert_true(kn__judge_class(j, s, NULL, 0));
        assert_int_equal(kn_check(&v, ds, g, count, hs, NULL, NULL), KN_OK);
        assert_int_equal(kn_verdict_holds(v), all);
        kn_verdict_free(v);
        kn__judge_scratch_free(s);
        kn__judge_free(j);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    assert_true(held > 2000 && broke > 2000);
}

/* With `kept`, the reference is that of the kept records alone: as if the others were not in the
 * table. */
static void test_kept_records(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 22, 0);
    for (int round = 0; round < 2000; round++) {
        oracle_table t, left;
        oracle_ask asks[2];
        int levels, node[5][ORACLE_VALUES];
        uint8_t kept[ORACLE_RECORDS];
        uint32_t place[ORACLE_RECORDS];
        kn_hierarchies *hs;
        kn_judge_scratch *s;
        kn_dataset *ds;
        kn_judge *j;
        kn_guarantee g;
        random_table(&t, &r);
        memset(t.any, 0, sizeof t.any);
        t.sensitives = 1;
        left = t;
        left.records = 0;
        for (int i = 0; i < t.records; i++) {
            kept[i] = kn__rng_below(&r, 4) != 0;
            if (kept[i]) {
                memcpy(left.qi[left.records], t.qi[i], sizeof t.qi[i]);
                memcpy(left.sensitive[left.records], t.sensitive[i], sizeof t.sensitive[i]);
                place[left.records++] = (uint32_t)i;
            }
        }
        ds = to_dataset(&t);
        hs = random_hierarchy(&r, 1, &levels, node);
        do {
            g = random_ask(asks, &left, &r, levels, node);
        } while (g.kind != KN_T_CLOSENESS);
        assert_int_equal(kn__judge_new(&j, &g, 1, ds, hs, kept, NULL), KN_OK);
        assert_int_equal(kn__judge_scratch_new(&s, j, NULL), KN_OK);
        for (int record = 0; record < left.records; record++) {
            uint32_t members[ORACLE_RECORDS];
            size_t size = 0;
            for (int i = 0; i < left.records; i++) {
                if (oracle_same_class(&left, record, i)) {
                    members[size++] = place[i];
                }
            }
            assert_int_equal(kn__judge_class(j, s, members, size),
                             oracle_judge(&left, &asks[0], record, 0).holds);
        }
        kn__judge_scratch_free(s);
        kn__judge_free(j);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
}

static void test_what_it_says_of_itself(void **state)
{
    const kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 7};
    const kn_guarantee distinct = {.kind = KN_L_DIVERSITY, .l = 2.5};
    const kn_guarantee entropy = {.kind = KN_L_DIVERSITY, .l = 9, .diversity = KN_ENTROPY};
    const kn_guarantee close = {.kind = KN_T_CLOSENESS, .t = 0.5};
    const struct {
        kn_guarantee g[2];
        size_t count, least;
        bool size_only, grows, reference;
    } cases[] = {{{k, k}, 1, 7, true, true, false},
                 {{distinct, k}, 1, 3, false, true, false},
                 {{distinct, k}, 2, 7, false, true, false},
                 {{k, entropy}, 2, 9, false, false, false},
                 {{close, k}, 1, 1, false, false, true}};
    oracle_table t = {.records = 3, .qis = 1, .sensitives = 1};
    kn_dataset *ds = to_dataset(&t);
    kn_judge *j;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(kn__judge_new(&j, cases[i].g, cases[i].count, ds, NULL, NULL, NULL),
                         KN_OK);
        assert_int_equal(kn__judge_least(j), cases[i].least);
        assert_int_equal(kn__judge_size_only(j), cases[i].size_only);
        assert_int_equal(kn__judge_grows(j), cases[i].grows);
        assert_int_equal(kn__judge_reference_moves(j), cases[i].reference);
        kn__judge_free(j);
    }
    kn__judge_free(NULL);
    kn__judge_scratch_free(NULL);
    kn_dataset_set_role(ds, 1, KN_ROLE_KEPT, NULL);
    assert_int_equal(kn__judge_new(&j, &distinct, 1, ds, NULL, NULL, NULL), KN_EUSAGE);
    assert_null(j);
    kn_dataset_free(ds);
}

static void test_allocation_failures(void **state)
{
    const kn_guarantee g[] = {{.kind = KN_L_DIVERSITY, .l = 2},
                              {.kind = KN_T_CLOSENESS, .distance = KN_ORDERED},
                              {.kind = KN_T_CLOSENESS, .distance = KN_HIERARCHICAL},
                              {.kind = KN_T_CLOSENESS}};
    oracle_table t = {.records = 6, .qis = 1, .sensitives = 2};
    int levels, node[5][ORACLE_VALUES];
    kn_dataset *ds = to_dataset(&t);
    kn_hierarchies *hs;
    bool failed = true;
    size_t before;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 1);
    hs = random_hierarchy(&r, 2, &levels, node);
    before = kn_memory_in_use();
    for (size_t n = 1; failed; n++) {
        kn_judge_scratch *s = NULL;
        kn_judge *j;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn__judge_new(&j, g, 4, ds, hs, NULL, NULL);
        if (status == KN_OK) {
            status = kn__judge_scratch_new(&s, j, NULL);
        }
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, failed ? KN_ENOMEM : KN_OK);
        assert_true(!failed == (s != NULL));
        kn__judge_scratch_free(s);
        kn__judge_free(j);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_definitions),
        cmocka_unit_test(test_kept_records),
        cmocka_unit_test(test_what_it_says_of_itself),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
