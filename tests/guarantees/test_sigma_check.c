/* The check of sigma-k^m-anonymity: verdicts against the enumeration of all itemsets, what each
 * size says, and releases that do not belong to the original. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "guarantees/verdict.h"
#include "kanon/guarantee.h"
#include "oracle/sigma_km.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static kn_dataset *lists(char (*cells)[128], size_t count)
{
    static const char *const names[] = {"items"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, ";", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        const char *row[] = {cells[i]};
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* Item x is called a, b, ...; a group of several is a set of them. */
static void name_group(const km_data *d, const int *to, int group, char *out)
{
    int members = 0, last = 0;
    char text[32] = "";

    for (int x = 0; x < KM_ITEMS; x++) {
        bool occurs = false;
        for (int i = 0; i < d->records; i++) {
            occurs = occurs || d->times[i][x];
        }
        if (occurs && to[x] == group) {
            (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%c",
                           members ? "," : "", 'a' + x);
            members++;
            last = x;
        }
    }
    if (members == 1) {
        (void)snprintf(out, 64, "%c", 'a' + last);
    } else {
        (void)snprintf(out, 64, "{%s}", text);
    }
}

static kn_dataset *dataset_of(const km_data *d, const km_data *original, const int *to, bool turned)
{
    char cells[KM_RECORDS][128] = {{0}};

    for (int i = 0; i < d->records; i++) {
        char *cell = cells[turned ? d->records - 1 - i : i];
        for (int x = 0; x < KM_ITEMS; x++) {
            char name[64] = {(char)('a' + x), '\0'};
            if (d->times[i][x] && to) {
                name_group(original, to, x, name);
            }
            if (d->times[i][x]) {
                (void)snprintf(cell + strlen(cell), 128 - strlen(cell), "%s%s", *cell ? ";" : "",
                               name);
            }
        }
    }
    return lists(cells, (size_t)d->records);
}

typedef struct pair {
    km_data original, release;
    int to[KM_ITEMS];
    kn_dataset *from, *into;
} pair;

static void make(pair *p, kn_rng *r)
{
    km_data *d = &p->original;

    *d = (km_data){.records = 4 + (int)kn__rng_below(r, 10), .items = KM_ITEMS};
    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < KM_ITEMS; x++) {
            d->times[i][x] = kn__rng_below(r, 5) < 2;
        }
        d->times[i][kn__rng_below(r, KM_ITEMS)] = 1;
    }
    for (int x = 0; x < KM_ITEMS; x++) {
        p->to[x] = (int)kn__rng_below(r, 3);
    }
    sk_generalise(d, p->to, &p->release);
    p->from = dataset_of(d, d, NULL, false);
    p->into = dataset_of(&p->release, d, p->to, kn__rng_below(r, 2) == 1);
}

static void clear(pair *p)
{
    kn_dataset_free(p->from);
    kn_dataset_free(p->into);
}

static int longest_of(const km_data *d)
{
    int longest = 0;

    for (int i = 0; i < d->records; i++) {
        longest = km_size(d->times[i]) > longest ? km_size(d->times[i]) : longest;
    }
    return longest;
}

/* All sizes counted: sigma = 1 is k^m-anonymity of the release's itemsets. */
static void test_exact(void **state)
{
    kn_rng r;
    int held = 0;

    (void)state;
    kn__rng_seed(&r, 81, 0);
    for (int round = 0; round < 1500; round++) {
        const int k = 2 + round % 3, m = 1 + (int)kn__rng_below(&r, 5);
        const kn_guarantee g = {
            .kind = KN_SIGMA_KM_ANONYMITY, .k = (size_t)k, .m = (size_t)m, .sigma = {1}};
        const kn_run run = {.threads = 1 + (unsigned)round % 3};
        kn_verdict *v = NULL;
        pair p;
        km_answer answer;
        make(&p, &r);
        km_solve(&p.release, k, m, &answer);
        assert_int_equal(kn_check_release(&v, p.into, round % 2 ? p.from : NULL, &g, 1, NULL, &run,
                                          NULL),
                         KN_OK);
        assert_int_equal(kn_verdict_holds(v), answer.rare == 0);
        if (answer.rare == 0) { /* then nothing of the original fails either */
            assert_true(sk_exact(&p.original, &p.release, p.to, m, k));
            assert_true(kn_verdict_achieved(v, 0) == 1);
        } else {
            assert_int_equal(kn_verdict_records_at_risk(v), answer.at_risk);
            assert_true(kn_verdict_violations(v) >= (size_t)answer.rare);
        }
        assert_false(kn_verdict_unknown(v));
        held += kn_verdict_holds(v);
        kn_verdict_free(v);
        clear(&p);
    }
    assert_true(held > 100 && held < 1400);
}

/* Sampled sizes: where the failing share is far from what is asked, the verdict is right; a
 * certificate is for each attacker and size; the same for any number of threads. */
static void test_sampled(void **state)
{
    kn_rng r;
    int held = 0, failed = 0;

    (void)state;
    kn__rng_seed(&r, 82, 0);
    for (int round = 0; round < 150; round++) {
        const int k = 3, m = 3;
        const kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY,
                                .k = (size_t)k,
                                .m = (size_t)m,
                                .sigma = {0.8},
                                .exact_up_to = KN_SAMPLE_ALL};
        pair p;
        double most = 0;
        make(&p, &r);
        const int longest = longest_of(&p.original), last = m < longest ? m : longest;
        for (int size = 1; size <= last; size++) {
            most = fmax(most, sk_uniform(&p.original, &p.release, p.to, size, k));
            most = fmax(most, sk_person(&p.original, &p.release, p.to, size, k));
        }
        for (unsigned threads = 1; threads <= 8; threads += 7) {
            const kn_run run = {.threads = threads, .seed = (uint64_t)round};
            kn_verdict *v = NULL;
            assert_int_equal(kn_check_release(&v, p.into, p.from, &g, 1, NULL, &run, NULL), KN_OK);
            assert_int_equal(kn_verdict_certificates(v), 2 * (size_t)last + (longest < m));
            if (most < 0.14 || most > 0.22) {
                assert_int_equal(kn_verdict_holds(v), most < 0.18);
                held += kn_verdict_holds(v);
                failed += !kn_verdict_holds(v);
            }
            for (size_t i = 0; i < kn_verdict_certificates(v); i++) {
                const kn_certificate *c = kn_verdict_certificate(v, i);
                char *words = NULL;
                assert_int_equal(kn_certificate_text(&words, c, NULL), KN_OK);
                assert_non_null(words);
                kn_string_free(words);
                if (c->kind == KN_CERTIFIED_SAMPLED) {
                    const double share = c->attacker == KN_ATTACKER_UNIFORM
                                             ? sk_uniform(&p.original, &p.release, p.to,
                                                          (int)c->size, k)
                                             : sk_person(&p.original, &p.release, p.to,
                                                         (int)c->size, k);
                    assert_true(c->eps >= share - 0.01);
                    assert_true(c->samples == 1000 && c->attempt == 1);
                }
            }
            kn_verdict_free(v);
        }
        clear(&p);
    }
    assert_true(held > 40 && failed > 40);
}

/* Without the original, what cannot be counted is open; here all can be counted, so nothing is. */
static void test_without_original(void **state)
{
    char cells[][128] = {"a;b;c", "a;b;c", "a;b;c", "a"};
    kn_dataset *ds = lists(cells, 4);
    kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY, .k = 3, .m = 9, .sigma = {0.9}};
    kn_verdict *v = NULL;

    (void)state;
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_holds(v) && !kn_verdict_unknown(v));
    kn_verdict_free(v);
    g.exact_up_to = 1;
    g.k = 4; /* rare pairs: only the original tells which share of them fails */
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_true(!kn_verdict_holds(v));
    kn_verdict_free(v);
    g.k_of_size[0] = g.k = 3;
    g.exact_up_to = 1;
    strcpy(cells[3], "b;d");
    strcpy(cells[2], "a;b;d");
    kn_dataset_free(ds);
    ds = lists(cells, 4);
    g.k_of_size[0] = 2;
    g.k = 2;
    assert_int_equal(kn_check(&v, ds, &g, 1, NULL, NULL, NULL), KN_OK);
    assert_false(kn_verdict_holds(v));
    assert_true(kn_verdict_unknown(v)); /* {a, d} is rare, and sigma allows some to be */
    kn_verdict_free(v);
    kn_dataset_free(ds);
}

static void test_strangers(void **state)
{
    char cells[][128] = {"a;b", "a;b", "c"}, groups[][128] = {"{a,b}", "{a,b}", "c"};
    char others[][128] = {"{a,b}", "c", "c"}, unknown[][128] = {"x", "{a,b}", "c"};
    char twice[][128] = {"{a,b}", "a", "c"}, fewer[][128] = {"c", "{a,b}"};
    kn_dataset *original = lists(cells, 3), *ds;
    const kn_guarantee g = {.kind = KN_SIGMA_KM_ANONYMITY, .k = 1, .m = 2, .sigma = {0.9}};
    kn_verdict *v = NULL;
    kn_error err = {0};

    (void)state;
    ds = lists(groups, 3);
    assert_int_equal(kn_check_release(&v, ds, original, &g, 1, NULL, NULL, &err), KN_OK);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    ds = lists(fewer, 2); /* a suppressed record */
    assert_int_equal(kn_check_release(&v, ds, original, &g, 1, NULL, NULL, &err), KN_OK);
    kn_verdict_free(v);
    kn_dataset_free(ds);
    char(*bad[])[128] = {others, unknown, twice};
    for (size_t i = 0; i < 3; i++) {
        ds = lists(bad[i], 3);
        assert_int_equal(kn_check_release(&v, ds, original, &g, 1, NULL, NULL, &err), KN_EINPUT);
        assert_non_null(strstr(err.message, "does not belong to the original"));
        assert_null(v);
        kn_dataset_free(ds);
    }
    kn_dataset_free(original);
}

static void test_refused(void **state)
{
    static const kn_guarantee bad[] = {
        {.k = 2, .m = 2},
        {.k = 2, .m = 2, .sigma = {0.5}},
        {.k = 2, .m = 2, .sigma = {1.01}},
        {.k = 2, .m = 2, .sigma = {NAN}},
        {.k = 2, .m = 2, .sigma = {0.9, 0.95}},
        {.k = 2, .m = 2, .sigma = {0.9}, .k_of_size = {2, 3}},
        {.k = 0, .m = 2, .sigma = {0.9}},
        {.k = 2, .m = 0, .sigma = {0.9}},
        {.k = 2, .m = 33, .sigma = {0.9}},
        {.k = 2, .m = 2, .sigma = {0.9}, .attackers = 4},
        {.k = 2, .m = 2, .sigma = {0.9}, .delta = 0.1},
        {.k = 2, .m = 2, .sigma = {0.9}, .delta = -0.01},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kn_guarantee g = bad[i];
        kn_error err = {0};
        g.kind = KN_SIGMA_KM_ANONYMITY;
        assert_int_equal(kn_guarantee_validate(&g, &err), KN_EUSAGE);
        assert_true(err.message[0]);
    }
}

/* Each allocation of a check fails in turn. */
static void test_no_memory(void **state)
{
    kn_rng r;
    pair p;

    (void)state;
    kn__rng_seed(&r, 83, 0);
    make(&p, &r);
    const size_t held = kn_memory_in_use();
    const kn_guarantee g = {
        .kind = KN_SIGMA_KM_ANONYMITY, .k = 4, .m = 3, .sigma = {1, 0.9}, .exact_up_to = 1};
    for (size_t n = 1;; n++) {
        const kn_run run = {.threads = 1};
        kn_verdict *v = NULL;
        kn__memory_fail_after(n);
        const kn_status status = kn_check_release(&v, p.into, p.from, &g, 1, NULL, &run, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        kn_verdict_free(v);
        assert_int_equal(kn_memory_in_use(), held);
        if (status == KN_OK) {
            break;
        }
    }
    clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_without_original),
        cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
