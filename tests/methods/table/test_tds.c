/* Top-down specialisation against the algorithm with everything counted anew in every step. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "kanon/anonymize.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "oracle/tds.h"

#define CASES test_rounds(4000)

/* Two trees over a..f: what is above what, as the hierarchy's file and as the oracle's sets. */
static const char *const trees[] = {
    "a;ab;abc;*\nb;ab;abc;*\nc;c1;abc;*\nd;de;def;*\ne;de;def;*\nf;f1;def;*\n",
    "a;ab;*\nb;ab;*\nc;cdef;*\nd;cdef;*\ne;cdef;*\nf;cdef;*\n",
};
static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};
static const char *const numbers[] = {"10", "11", "13", "20", "40", ""};

static void set_parents(oracle_tds_table *t, int tree)
{
    if (tree == 0) {
        t->parent[007] = t->parent[070] = 077;
        t->parent[003] = t->parent[004] = 007; /* c1 and c are one set */
        t->parent[030] = t->parent[040] = 070;
        t->parent[001] = t->parent[002] = 003;
        t->parent[010] = t->parent[020] = 030;
    } else {
        t->parent[003] = t->parent[074] = 077;
        t->parent[001] = t->parent[002] = 003;
        t->parent[004] = t->parent[010] = t->parent[020] = t->parent[040] = 074;
    }
}

static void random_table(oracle_tds_table *t, kn_rng *r)
{
    memset(t, 0, sizeof *t);
    t->records = 1 + (int)kn__rng_below(r, ORACLE_TDS_RECORDS);
    t->k = 1 + (int)kn__rng_below(r, t->records < 4 ? (uint64_t)t->records : 4);
    for (int i = 0; i < t->records; i++) {
        t->code[i][0] = (int)kn__rng_below(r, ORACLE_TDS_CODES);
        t->code[i][1] = kn__rng_below(r, 10) ? (int)kn__rng_below(r, ORACLE_TDS_MISSING)
                                             : ORACLE_TDS_MISSING;
        t->label[i] = (t->code[i][0] + t->code[i][1] + (int)kn__rng_below(r, 3)) / 3 %
                      ORACLE_TDS_LABELS;
    }
}

static kn_dataset *make_dataset(const oracle_tds_table *t)
{
    static const char *const names[] = {"letter", "number", "label"};
    static const char *const labels[] = {"x", "y", "z"};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "letter", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "number", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "number", KN_TYPE_INTEGER, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "label", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 3, schema, NULL), KN_OK);
    for (int i = 0; i < t->records; i++) {
        assert_int_equal(kn_dataset_builder_add(b,
                                                (const char *[]){letters[t->code[i][0]],
                                                                 numbers[t->code[i][1]],
                                                                 labels[t->label[i]]},
                                                NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_hierarchies *make_hierarchies(int tree)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "letters", trees[tree], strlen(trees[tree]), NULL),
                     KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "letter", h, NULL), KN_OK);
    return hs;
}

/* Whether the records that are published alike in `column` are those whose codes share a set. */
static bool same_cut(const oracle_tds *o, const kn_dataset *ds, int column)
{
    const oracle_tds_table *t = o->t;

    for (int i = 0; i < t->records; i++) {
        for (int j = 0; j < t->records; j++) {
            const bool alike = kn_dataset_code(ds, (size_t)column, (size_t)i) ==
                               kn_dataset_code(ds, (size_t)column, (size_t)j);
            if (alike != (oracle_tds_value_of(o, column, t->code[i][column]) ==
                          oracle_tds_value_of(o, column, t->code[j][column]))) {
                return false;
            }
        }
    }
    return true;
}

static void specialises_as_the_plain_algorithm_does(void **state)
{
    int compared = 0, specialised = 0;

    (void)state;
    for (int seed = 0; seed < CASES; seed++) {
        kn_rng r;
        oracle_tds_table t;
        oracle_tds o;
        kn_dataset *ds;
        kn_hierarchies *hs = make_hierarchies(seed % 2);
        kn_guarantee k = {.kind = KN_K_ANONYMITY};
        kn_release *release;
        kn_error err = {0};
        kn__rng_seed(&r, (uint64_t)seed, 5);
        random_table(&t, &r);
        set_parents(&t, seed % 2);
        oracle_tds_run(&o, &t);
        ds = make_dataset(&t);
        k.k = (size_t)t.k;
        if (kn_anonymize(
                &release, ds, hs,
                &(kn_anonymize_options){.guarantees = &k, .guarantees_count = 1, .method = "tds"},
                NULL, &err) != KN_OK) {
            fail_msg("seed %d: %s", seed, err.message);
        }
        if (!o.ambiguous) {
            for (int c = 0; c < 2; c++) {
                if (!same_cut(&o, kn_release_data(release), c)) {
                    fail_msg("seed %d: column %d is cut otherwise", seed, c);
                }
            }
            compared++;
            specialised += o.values > 2;
        }
        kn_release_free(release);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message("%d of %d cases had no ties; %d of them specialised something\n", compared, CASES,
                  specialised);
    assert_true(compared > CASES / 3);
    assert_true(specialised > compared / 2);
}

static void needs_a_class(void **state)
{
    kn_rng r;
    oracle_tds_table t;
    kn_dataset *ds;
    kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 1};
    kn_release *release;
    kn_error err = {0};

    (void)state;
    kn__rng_seed(&r, 1, 5);
    random_table(&t, &r);
    ds = make_dataset(&t);
    kn_dataset_set_role(ds, 2, KN_ROLE_KEPT, NULL);
    assert_int_equal(kn_anonymize(&release, ds, NULL,
                                  &(kn_anonymize_options){
                                      .guarantees = &k, .guarantees_count = 1, .method = "tds"},
                                  NULL, &err),
                     KN_EUSAGE);
    assert_non_null(strstr(err.message, "--sensitive"));
    kn_dataset_free(ds);
}

static void failed_allocations_leave_nothing(void **state)
{
    kn_rng r;
    oracle_tds_table t;
    kn_dataset *ds;
    kn_hierarchies *hs = make_hierarchies(0);
    kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 2};
    kn_status status = KN_ENOMEM;

    (void)state;
    kn__rng_seed(&r, 11, 5);
    random_table(&t, &r);
    ds = make_dataset(&t);
    for (size_t n = 1; status != KN_OK; n++) {
        kn_release *release = NULL;
        kn__memory_fail_after(n);
        status = kn_anonymize(
            &release, ds, hs,
            &(kn_anonymize_options){.guarantees = &k, .guarantees_count = 1, .method = "tds"}, NULL,
            NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        assert_true((status == KN_OK) == (release != NULL));
        kn_release_free(release);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specialises_as_the_plain_algorithm_does),
        cmocka_unit_test(needs_a_class),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
