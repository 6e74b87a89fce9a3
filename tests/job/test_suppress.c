/* Leaving items out, against the definitions: what is published is k^m-anonymous by the oracle, an
 * item is there in all records or in none, no more is lost than allowed, nothing is worse than
 * without, and the loss is compared with the least there is. */
#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "kanon/anonymize.h"
#include "release/release.h"
#include "utility/measure.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method_params.h"
#include "oracle/km_suppress.h"

#define CASES test_rounds(2000)

/* ---- random cases ---- */

typedef struct km_case {
    km_data data;
    km_tree tree;
    double value[KM_ITEMS];
    int k, m;
} km_case;

static void random_case(km_case *c, kn_rng *r)
{
    km_data *d = &c->data;

    memset(c, 0, sizeof *c);
    d->records = 2 + (int)kn__rng_below(r, KM_RECORDS - 1);
    d->items = 2 + (int)kn__rng_below(r, KM_ITEMS - 1);
    d->bags = kn__rng_below(r, 2) == 1;
    c->k = 2 + (int)kn__rng_below(r, 3);
    c->m = 1 + (int)kn__rng_below(r, 3);
    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < d->items; x++) { /* the first items are frequent */
            const bool holds = kn__rng_below(r, (uint64_t)x + 2) == 0;
            d->times[i][x] = holds ? 1 + (d->bags && kn__rng_below(r, 3) == 0) : 0;
        }
    }
    km_random_tree(&c->tree, d->items, r);
    for (int x = 0; x < d->items; x++) {
        c->value[x] = 10 * x + (double)kn__rng_below(r, 10);
    }
}

static kn_dataset *make_dataset(const km_case *c, bool numbers)
{
    const km_data *d = &c->data;
    const char *const name = "items";
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, name,
                                        numbers   ? KN_TYPE_NUMBERS
                                        : d->bags ? KN_TYPE_BAG
                                                  : KN_TYPE_SET,
                                        NULL),
                     KN_OK);
    assert_int_equal(kn_schema_set_role(schema, name, KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, " ", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, &name, 1, schema, NULL), KN_OK);
    for (int i = 0; i < d->records; i++) {
        kn_buffer text = {0};
        const char *cell;
        kn__buffer_adds(&text, "");
        for (int x = 0; x < d->items; x++) {
            for (int t = 0; t < d->times[i][x]; t++) {
                const char *space = text.len ? " " : "";
                if (numbers) {
                    kn__buffer_addf(&text, "%s%.0f", space, c->value[x]);
                } else {
                    kn__buffer_addf(&text, "%si%d", space, x);
                }
            }
        }
        cell = text.len ? text.data : "";
        assert_int_equal(kn_dataset_builder_add(b, &cell, NULL), KN_OK);
        kn__buffer_free(&text);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_hierarchies *make_hierarchies(const km_tree *t)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;
    kn_buffer text = {0};

    for (int x = 0; x < t->leaves; x++) {
        kn__buffer_addf(&text, "i%d", x);
        for (int l = 1; l < t->levels; l++) {
            kn__buffer_addf(&text, ";n%d", t->node[l][x]);
        }
        kn__buffer_addc(&text, '\n');
    }
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "items", text.data, text.len, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "items", h, NULL), KN_OK);
    kn__buffer_free(&text);
    return hs;
}

/* The release as the oracle sees it: texts are numbered as they come. */
static bool is_anonymous(const kn_release *r, int k, int m)
{
    const kn_column *column = &r->data->column[0];
    km_general g = {.records = (int)r->data->records};

    for (int i = 0; i < g.records; i++) {
        for (uint64_t j = column->starts[i]; j < column->starts[i + 1]; j++) {
            g.times[i][kn__code_get(column->codes, column->width, (size_t)j)]++;
        }
    }
    return km_anonymous(&g, k, m);
}

/* NCP of the release, which must be the original without what it says is left out. */
static double judge(const km_case *c, const kn_dataset *ds, const kn_hierarchies *hs,
                    const kn_release *r, int most)
{
    const kn_left_out left = kn_release_left_out(r);
    kn_measures *m = NULL, *guessed = NULL;
    kn_error err = {0};
    double ncp, again;
    kn_status status;

    assert_int_equal(r->data->records, c->data.records);
    assert_true(is_anonymous(r, c->k, c->m));
    assert_true(left.occurrences <= (size_t)most);
    if (kn__measure_release(&m, ds, r->data, r->origin, hs, r->left_out, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    ncp = kn_measures_value(m, "ncp", NULL);
    if (km_occurrences(&c->data)) {
        assert_true(fabs(kn_measures_value(m, "items_suppressed", NULL) * km_occurrences(&c->data) -
                         (double)left.occurrences) < 1e-9);
    }
    /* Who does not know what is left out finds out, or sees no more than there is. */
    status = kn_measure(&guessed, ds, r->data, r->origin, hs, NULL, &err);
    assert_true(status == KN_OK || (status == KN_EINPUT && c->data.bags));
    again = status == KN_OK ? kn_measures_value(guessed, "ncp", NULL) : ncp;
    assert_true(!(again > ncp + 1e-9) || c->data.bags);
    /* With nothing left out, or something else, it is no release of this original. */
    for (uint32_t i = 0; r->left_out && i < kn__column_values(&ds->column[0]); i++) {
        kn_measures *other = NULL;
        uint8_t *flags = kn__malloc(kn__column_values(&ds->column[0]));
        memcpy(flags, r->left_out, kn__column_values(&ds->column[0]));
        flags[i] ^= 1;
        if (flags[i] == 1) { /* something that is published is said not to be */
            assert_int_equal(kn__measure_release(&other, ds, r->data, r->origin, hs, flags, NULL,
                                                 NULL) == KN_OK &&
                                 ds->column[0].type != KN_TYPE_SET,
                             0);
            kn_measures_free(other);
        }
        kn__free(flags);
    }
    kn_measures_free(m);
    kn_measures_free(guessed);
    return ncp;
}

typedef struct tally {
    double ours, least;
    int cases, best, left_out, missed;
} tally;

static void compare(km_how how, const char *what, uint64_t seed, double worst)
{
    kn_rng rng;
    tally t = {0};

    kn__rng_seed(&rng, seed, 0);
    for (int round = 0; round < CASES; round++) {
        km_case c;
        random_case(&c, &rng);
        c.data.bags = c.data.bags || how == KM_RANGES;
        kn_dataset *ds = make_dataset(&c, how == KM_RANGES);
        kn_hierarchies *hs = how == KM_CUTS ? make_hierarchies(&c.tree) : NULL;
        const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = (size_t)c.k, .m = (size_t)c.m};
        const double share = how == KM_NOTHING ? 1 : 0.05 * (double)(1 + kn__rng_below(&rng, 10));
        kn_anonymize_options o = {.guarantees = &g,
                                  .guarantees_count = 1,
                                  .method = how == KM_RANGES ? "acd" : "apriori",
                                  .params = how == KM_CUTS
                                                ? METHOD_PARAMS("apriori", "subtree=true")
                                                : NULL,
                                  .item_suppression = share};
        const int most = (int)floor(share * km_occurrences(&c.data) + 1e-9);
        const double least = km_best_suppressed(&c.data, &c.tree, c.value, how, c.k, c.m, most);
        kn_release *r = NULL, *without = NULL;
        kn_error err = {0};
        const kn_status status = kn_anonymize(&r, ds, hs, &o, NULL, &err);

        if (isinf(least)) {
            assert_int_equal(status, KN_EINFEASIBLE);
        } else if (status == KN_OK) {
            const double ncp = judge(&c, ds, hs, r, most);
            assert_true(isnan(ncp) || ncp >= least - 1e-9);
            if (!isnan(ncp)) {
                t.ours += ncp;
                t.least += least;
                t.cases++;
                t.best += ncp < least + 1e-9;
                t.left_out += kn_release_left_out(r).items > 0;
            }
            o.item_suppression = 0;
            if (how != KM_NOTHING && kn_anonymize(&without, ds, hs, &o, NULL, NULL) == KN_OK) {
                kn_measures *m;
                assert_int_equal(kn__measure_release(&m, ds, without->data, without->origin, hs,
                                                     NULL, NULL, NULL),
                                 KN_OK);
                assert_true(isnan(ncp) || ncp <= kn_measures_value(m, "ncp", NULL) + 1e-9);
                kn_measures_free(m);
            }
        } else {
            assert_int_equal(status, KN_EINFEASIBLE);
            t.missed++;
        }
        kn_release_free(r);
        kn_release_free(without);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    print_message(
        "%s: %.4f of the least NCP; %d of %d are the least; items left out in %d; not found "
        "to be feasible: %d\n",
        what, t.ours / t.least, t.best, t.cases, t.left_out, t.missed);
    assert_true(t.missed <= CASES / 100);
    assert_true(t.ours <= worst * t.least);
    assert_true(t.left_out > t.cases / 10);
}

static void test_cuts(void **state)
{
    (void)state;
    compare(KM_CUTS, "apriori", 11, 1.02);
}

static void test_ranges(void **state)
{
    (void)state;
    compare(KM_RANGES, "acd", 12, 1.02);
}

static void test_nothing_else(void **state)
{
    (void)state;
    compare(KM_NOTHING, "leaving out only", 13, 1.02);
}

/* ---- by hand ---- */

static km_case shop(void)
{
    /* milk, brie and leek: one brie blurs the milk of three. */
    km_case c = {
        .data = {.records = 6,
                 .items = 3,
                 .times = {{1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}},
        .tree = {.levels = 3, .leaves = 3, .node = {{0, 1, 2}, {10, 10, 11}, {20, 20, 20}}},
        .k = 2,
        .m = 2};

    return c;
}

static kn_status run(kn_release **r, const kn_dataset *ds, const kn_hierarchies *hs,
                     kn_anonymize_options o, const kn_run *run, kn_error *err)
{
    const kn_guarantee g = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};

    o.guarantees = &g;
    o.guarantees_count = 1;
    return kn_anonymize(r, ds, hs, &o, run, err);
}

/* Nothing that the method did not name may be missing from what is published, and no more of it
 * than was allowed. */
static void test_publish(void **state)
{
    km_case c = shop();
    kn_dataset *ds = make_dataset(&c, false);
    kn_hierarchies *hs = make_hierarchies(&c.tree);
    kn_anonymize_options o = {.params = METHOD_PARAMS("apriori", "subtree=true"),
                              .item_suppression = 0.2};
    kn_outcome outcome;
    kn_verdict *again = NULL;
    kn_error err = {0};
    kn_release *r;
    uint8_t *left_out;

    (void)state;
    assert_int_equal(run(&r, ds, hs, o, NULL, NULL), KN_OK);
    assert_int_equal(kn_release_left_out(r).items, 1);
    assert_int_equal(kn_release_left_out(r).occurrences, 1);
    assert_int_equal(kn_release_left_out(r).emptied, 0);
    assert_int_equal(kn_publish(&outcome, r, "left.csv", NULL, NULL, NULL), KN_OK);
    assert_true(fabs(kn_measures_value(outcome.measures, "items_suppressed", NULL) - 1.0 / 7) <
                1e-9);
    assert_true(fabs(kn_measures_value(outcome.measures, "ncp", NULL) - 1.0 / 7) < 1e-9);
    assert_int_equal(kn_check(&again, outcome.published, r->guarantees, r->guarantees_count, hs,
                              NULL, NULL),
                     KN_OK);
    assert_true(kn_verdict_classes(again) > 0);
    assert_int_equal(kn_verdict_classes(outcome.verdict), kn_verdict_classes(again));
    kn_verdict_free(again);
    kn_outcome_clear(&outcome);
    r->item_limit = 0.1;
    assert_int_equal(kn_publish(NULL, r, "none.csv", NULL, NULL, &err), KN_EBROKEN);
    assert_non_null(strstr(err.message, "more items are missing than may be left out"));
    r->item_limit = 0.2;
    left_out = r->left_out;
    r->left_out = NULL;
    assert_int_equal(kn_publish(NULL, r, "none.csv", NULL, NULL, &err), KN_EBROKEN);
    assert_non_null(strstr(err.message, "are not those of record 3 of the original"));
    r->left_out = left_out;
    left_out[0] = 1;
    assert_int_equal(kn_publish(NULL, r, "none.csv", NULL, NULL, &err), KN_EBROKEN);
    assert_null(fopen("none.csv", "rb"));
    kn_release_free(r);
    (void)remove("left.csv");

    /* Without the option nothing is left out. */
    o.item_suppression = 0;
    assert_int_equal(run(&r, ds, hs, o, NULL, NULL), KN_OK);
    assert_null(r->left_out);
    assert_int_equal(kn_release_left_out(r).items, 0);
    kn_release_free(r);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

static void refused(const kn_dataset *ds, const kn_hierarchies *hs, kn_anonymize_options o,
                    kn_status status, const char *words)
{
    kn_release *r = NULL;
    kn_error err = {0};

    assert_int_equal(run(&r, ds, hs, o, NULL, &err), status);
    assert_null(r);
    if (!strstr(err.message, words)) {
        fail_msg("\"%s\" is not in \"%s\"", words, err.message);
    }
}

static void test_refused(void **state)
{
    km_case c = shop();
    kn_dataset *ds = make_dataset(&c, false), *numbers;
    kn_hierarchies *hs = make_hierarchies(&c.tree);
    kn_anonymize_options table = {.item_suppression = 0.1};
    const kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 2};
    kn_release *r;
    kn_error err = {0};

    (void)state;
    refused(ds, hs, (kn_anonymize_options){.item_suppression = 1.5}, KN_EUSAGE,
            "share from 0 to 1");
    refused(ds, hs, (kn_anonymize_options){.item_suppression = NAN}, KN_EUSAGE,
            "share from 0 to 1");
    /* Without a hierarchy: what would do is named, and does. */
    refused(ds, NULL, (kn_anonymize_options){.method = "apriori", .item_suppression = 0.05},
            KN_EINFEASIBLE, "14.286 % would do (--item-suppression 0.14286)");
    assert_int_equal(run(&r, ds, NULL,
                         (kn_anonymize_options){.method = "apriori", .item_suppression = 0.14286},
                         NULL, NULL),
                     KN_OK);
    assert_int_equal(kn_release_left_out(r).occurrences, 1);
    kn_release_free(r);
    refused(ds, NULL, (kn_anonymize_options){.method = "apriori"}, KN_EUSAGE, "--item-suppression");
    c.data.bags = true;
    numbers = make_dataset(&c, true);
    refused(numbers, NULL,
            (kn_anonymize_options){.params = METHOD_PARAMS("acd", "paper=true"),
                                   .item_suppression = 0.1},
            KN_EUSAGE, "leaves no items out");
    table.guarantees = &k;
    table.guarantees_count = 1;
    assert_int_equal(kn_anonymize(&r, ds, hs, &table, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "for km-anonymity only"));
    kn_dataset_free(numbers);
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
}

/* A failed allocation is survived wherever it is. */
static void test_memory(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 21, 0);
    for (int how = KM_CUTS; how <= KM_NOTHING; how++) {
        kn_status status = KN_ENOMEM;
        km_case c;
        do {
            random_case(&c, &rng);
        } while (c.data.records < 8 || c.data.items < 4);
        c.data.bags = true;
        kn_dataset *ds = make_dataset(&c, how == KM_RANGES);
        kn_hierarchies *hs = how == KM_CUTS ? make_hierarchies(&c.tree) : NULL;
        kn_anonymize_options o = {.method = how == KM_RANGES ? "acd" : "apriori",
                                  .item_suppression = how == KM_NOTHING ? 1 : 0.5};
        for (size_t n = 1; status == KN_ENOMEM; n = n < 400 ? n + 1 : n + n / 16) {
            const size_t before = kn_memory_in_use();
            kn_release *r = NULL;
            bool failed;
            kn__memory_fail_after(n);
            status = run(&r, ds, hs, o, NULL, NULL);
            failed = kn__memory_failed();
            kn__memory_fail_after(0);
            assert_true(status == KN_OK || (status == KN_ENOMEM && !r) ||
                        (status == KN_EINFEASIBLE && !failed));
            kn_release_free(r);
            assert_int_equal(kn_memory_in_use(), before);
        }
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
}

/* The thread count changes nothing. */
static void test_threads(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 31, 0);
    for (int round = 0; round < 60; round++) {
        km_case c;
        random_case(&c, &rng);
        kn_dataset *ds = make_dataset(&c, false);
        kn_hierarchies *hs = make_hierarchies(&c.tree);
        kn_release *r[2] = {NULL, NULL};
        for (unsigned i = 0; i < 2; i++) {
            const kn_run threads = {.threads = 1 + 2 * i};
            (void)run(&r[i], ds, hs, (kn_anonymize_options){.item_suppression = 0.4}, &threads,
                      NULL);
        }
        assert_int_equal(!r[0], !r[1]);
        if (r[0]) {
            const kn_column *a = &r[0]->data->column[0], *b = &r[1]->data->column[0];
            assert_memory_equal(r[0]->left_out, r[1]->left_out, kn__column_values(&ds->column[0]));
            assert_int_equal(a->width, b->width);
            assert_memory_equal(a->starts, b->starts,
                                (r[0]->data->records + 1) * sizeof *a->starts);
            assert_memory_equal(a->codes, b->codes,
                                (size_t)a->starts[r[0]->data->records] * a->width);
        }
        kn_release_free(r[0]);
        kn_release_free(r[1]);
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),         cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_nothing_else), cmocka_unit_test(test_publish),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
