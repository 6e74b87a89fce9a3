/* Weights of items in UL: the definition by hand, thousands of small releases against the oracle,
 * and what users may get wrong. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "hierarchy/domain.h"
#include "kanon/measure.h"
#include "utility/items/ul_weights.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/ul_weights.h"
#include "utility/lists.h"

enum { CASES = 4000, RECORDS = 8 };

static void assert_close(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12)) {
        fail_msg("%.17g instead of %.17g", got, want);
    }
}

static double measured(const kn_dataset *from, const kn_dataset *to, const kn_hierarchies *hs)
{
    kn_measures *m;
    kn_error err = {0};
    double value;

    if (kn_measure(&m, from, to, NULL, hs, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    value = kn_measures_value(m, "ul", NULL);
    kn_measures_free(m);
    return value;
}

/* UL(u) = (2^|u| - 1) w(u). */
static void test_by_hand(void **state)
{
    const char *const original[] = {"a b c", "a d", "c"}, *const release[] = {"{a,b} c", "{a,b} d",
                                                                              "c"};
    kn_dataset *from = lists(KN_TYPE_SET, original, 3), *to = lists(KN_TYPE_SET, release, 3);

    (void)state;
    assert_int_equal(kn_dataset_set_item_weight(from, 0, "a", 0.5, NULL), KN_OK);
    assert_close(measured(from, to, NULL), ((3 * 0.75 + 1) / 7 + (3 * 0.75 + 1) / 7 + 1) / 3);
    assert_int_equal(kn_dataset_set_item_weight(from, 0, "c", 0, NULL), KN_OK);
    assert_int_equal(kn_dataset_set_item_weight(from, 0, "a", 0.1, NULL), KN_OK); /* instead */
    assert_close(measured(from, to, NULL), (3 * 0.55 / 7 + (3 * 0.55 + 1) / 7 + 0) / 3);
    kn_dataset_free(from);
    kn_dataset_free(to);
}

/* A record that is gone counts as `*`: the mean of all items. */
static void test_gone(void **state)
{
    const char *const original[] = {"a b", "b"};
    kn_dataset *from = lists(KN_TYPE_SET, original, 2), *to = lists(KN_TYPE_SET, original, 1);
    kn_dataset *stars = lists(KN_TYPE_SET, (const char *const[]){"a b", "*"}, 2);

    (void)state;
    assert_int_equal(kn_dataset_set_item_weight(from, 0, "b", 0.5, NULL), KN_OK);
    assert_close(measured(from, to, NULL), (1.5 / 3 + 0.75) / 2);
    assert_close(measured(from, stars, NULL), (1.5 / 3 + 0.75) / 2);
    kn_dataset_free(from);
    kn_dataset_free(to);
    kn_dataset_free(stars);
}

static void make_world(uw_world *w, kn_rng *r, char *hierarchy, size_t room)
{
    memset(w, 0, sizeof *w);
    *hierarchy = '\0';
    for (int leaf = 0; leaf < UW_LEAVES; leaf++) {
        const char *const shape[UW_LEVELS] = {"a", "A", "X", "R"};
        for (int level = 0; level < UW_LEVELS; level++) {
            const int of = level == 1 ? leaf / 2 : level == 2 ? leaf / 4 : 0;
            (void)snprintf(w->path[leaf][level], sizeof w->path[leaf][level], "%c%s",
                           shape[level][0] + (level == 0 ? leaf : of), level ? "n" : "");
            (void)snprintf(hierarchy + strlen(hierarchy), room - strlen(hierarchy), "%s%s",
                           w->path[leaf][level], level + 1 < UW_LEVELS ? ";" : "\n");
        }
    }
    w->names = 1 + (int)kn__rng_below(r, 6);
    for (int i = 0; i < w->names; i++) {
        const int leaf = (int)kn__rng_below(r, UW_LEAVES), level = (int)kn__rng_below(r, UW_LEVELS);
        w->weight[i] = (double)kn__rng_below(r, 5) / 4;
        memcpy(w->name[i], w->path[leaf][level], sizeof w->name[i]);
        if (uw_given(w, w->name[i]) != w->weight[i]) { /* it has one: the same again */
            w->weight[i] = uw_given(w, w->name[i]);
        }
    }
}

/* Records of up to three items that only the root is above in common, each published as itself or
 * as a node above it, or all of them as `*`. */
static void test_random(void **state)
{
    kn_rng r;
    int differ = 0;

    (void)state;
    kn__rng_seed(&r, 31, 0);
    for (int n = 0; n < CASES; n++) {
        uw_world w;
        char hierarchy[512], from_text[RECORDS][64], to_text[RECORDS][256];
        const char *from_rows[RECORDS], *to_rows[RECORDS];
        kn_dataset *from, *to;
        kn_hierarchies *hs;
        double sum = 0, plain;

        make_world(&w, &r, hierarchy, sizeof hierarchy);
        for (int i = 0; i < RECORDS; i++) {
            *from_text[i] = *to_text[i] = '\0';
            from_rows[i] = from_text[i];
            to_rows[i] = to_text[i];
        }
        for (int i = 0; i < RECORDS; i++) {
            for (int leaf = 0; leaf < UW_LEAVES; leaf += 4) {
                const int item = leaf + (int)kn__rng_below(&r, 2);
                if (item < UW_LEAVES && kn__rng_below(&r, 3)) {
                    (void)snprintf(from_text[i] + strlen(from_text[i]),
                                   sizeof from_text[i] - strlen(from_text[i]), "%s%s",
                                   *from_text[i] ? " " : "", w.path[item][0]);
                    w.occurs[item] = true;
                }
            }
        }
        for (int i = 0; i < RECORDS; i++) {
            char texts[UW_LEAVES][32];
            int count = 0;
            const bool all = kn__rng_below(&r, 8) == 0;
            for (const char *at = from_text[i]; *at; at += at[1] ? 2 : 1) {
                const int level = (int)kn__rng_below(&r, 3);
                if (count == 0 || !all) {
                    (void)snprintf(texts[count], sizeof texts[count], "%s",
                                   all ? "*" : w.path[*at - 'a'][level]);
                    (void)snprintf(to_text[i] + strlen(to_text[i]),
                                   sizeof to_text[i] - strlen(to_text[i]), "%s%s",
                                   *to_text[i] ? " " : "", texts[count]);
                    count++;
                }
            }
            sum += uw_record(&w, (const char(*)[32])texts, count);
        }
        from = lists(KN_TYPE_SET, from_rows, RECORDS);
        to = lists(KN_TYPE_SET, to_rows, RECORDS);
        hs = tree(hierarchy);
        plain = measured(from, to, hs);
        for (int i = 0; i < w.names; i++) {
            assert_int_equal(kn_dataset_set_item_weight(from, 0, w.name[i], w.weight[i], NULL),
                             KN_OK);
        }
        assert_close(measured(from, to, hs), sum / RECORDS);
        differ += fabs(plain - sum / RECORDS) > 1e-6;
        kn_hierarchies_free(hs);
        kn_dataset_free(from);
        kn_dataset_free(to);
    }
    assert_true(differ > CASES / 2);
}

static void test_refused(void **state)
{
    const char *const rows[] = {"apple pear"};
    kn_dataset *ds = lists(KN_TYPE_SET, rows, 1);
    kn_domain *d;
    double *weight;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_dataset_set_item_weight(ds, 0, "apple", 1.5, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "the weight of item 'apple' is 1.5: give a number from 0"));
    assert_int_equal(kn_dataset_set_item_weight(ds, 0, "apple", -0.1, &err), KN_EUSAGE);
    assert_int_equal(kn_dataset_set_item_weight(ds, 0, "apple", NAN, &err), KN_EUSAGE);
    assert_int_equal(kn__domain_new(&d, &ds->column[0], NULL, KN_UNCOVERED_ROOT, NULL), KN_OK);
    assert_int_equal(kn__ul_weights_new(&weight, d, &err), KN_OK);
    assert_null(weight); /* none is given */
    assert_int_equal(kn_dataset_set_item_weight(ds, 0, "aple", 0.5, &err), KN_OK);
    assert_int_equal(kn__ul_weights_new(&weight, d, &err), KN_EUSAGE);
    assert_null(weight);
    assert_non_null(strstr(err.message, "there is no item \"aple\" in column 'items'; did you mean "
                                        "\"apple\"?"));
    kn__domain_free(d);
    kn_dataset_free(ds);
}

static void test_no_memory(void **state)
{
    const char *const rows[] = {"a b", "b c"};
    bool struck = true;

    (void)state;
    for (size_t n = 1; struck; n++) {
        kn_dataset *ds = lists(KN_TYPE_SET, rows, 2);
        kn_domain *d;
        double *weight = NULL;
        kn_status status;
        assert_int_equal(kn__domain_new(&d, &ds->column[0], NULL, KN_UNCOVERED_ROOT, NULL), KN_OK);
        kn__memory_fail_after(n);
        status = kn_dataset_set_item_weight(ds, 0, "a", 0.5, NULL);
        if (status == KN_OK) {
            status = kn__ul_weights_new(&weight, d, NULL);
        }
        struck = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, struck ? KN_ENOMEM : KN_OK);
        assert_true((weight == NULL) == struck);
        kn__free(weight);
        kn__domain_free(d);
        kn_dataset_free(ds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),   cmocka_unit_test(test_gone),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
