/* Tests of guarantees/recount/certificate.c: shares against the enumeration of all itemsets, over
 * many runs; bounds are wrong no more often than they may. */
#include "count/baskets_test.h"
#include "oracle/sigma_km.h"

#include "guarantees/recount/certificate.h"

#include <math.h>

typedef struct pair {
    km_data original, release;
    int to[KM_ITEMS];
    kn_baskets *from, *into;
    kn_certifier *certifier;
} pair;

static void make(pair *p, kn_rng *r)
{
    uint32_t to[KM_ITEMS];

    do {
        p->original = random_data(r);
    } while (p->original.bags || p->original.records < 6);
    for (int x = 0; x < KM_ITEMS; x++) {
        p->to[x] = (int)kn__rng_below(r, 4);
        to[x] = (uint32_t)p->to[x];
    }
    sk_generalise(&p->original, p->to, &p->release);
    p->from = baskets_of(&p->original);
    p->into = baskets_of(&p->release);
    const kn_certify_lists a = {p->from->records, p->from->items, p->from->starts, p->from->list,
                                NULL};
    const kn_certify_lists b = {p->into->records, p->into->items, p->into->starts, p->into->list,
                                NULL};
    assert_int_equal(kn__certifier_new(&p->certifier, &a, &b, to, NULL), KN_OK);
}

static void clear(pair *p)
{
    kn__certifier_free(p->certifier);
    kn__baskets_free(p->from);
    kn__baskets_free(p->into);
}

/* Five standard deviations: the seeds are fixed. */
static void test_shares(void **state)
{
    kn_rng r;
    int judged = 0;

    (void)state;
    kn__rng_seed(&r, 71, 0);
    for (int round = 0; round < 150; round++) {
        pair p;
        make(&p, &r);
        for (int size = 1; size <= 4; size++) {
            for (int attacker = 1; attacker <= 2; attacker++) {
                const int k = 2 + round % 4;
                const kn_certify_question q = {.size = (size_t)size,
                                               .k = (size_t)k,
                                               .attacker = (kn_attacker)attacker,
                                               .sigma = 0.9,
                                               .delta = 0.01,
                                               .attempt = 1 + (unsigned)round % 3,
                                               .seed = (uint64_t)round,
                                               .samples = 2000};
                const double share = attacker == KN_ATTACKER_UNIFORM
                                         ? sk_uniform(&p.original, &p.release, p.to, size, k)
                                         : sk_person(&p.original, &p.release, p.to, size, k);
                kn_certificate c;
                uint8_t *failing = NULL;
                assert_int_equal(kn__certify_any(p.certifier, &q), share >= 0);
                if (share < 0) {
                    continue;
                }
                assert_int_equal(kn__certify(&c, &failing, p.certifier, &q, NULL, NULL), KN_OK);
                const double deviation = sqrt(share * (1 - share) * 2000) + 1e-9;
                assert_true(fabs((double)c.failures - share * 2000) <= 5 * deviation);
                assert_int_equal(c.samples, 2000);
                assert_true(c.eps >= (double)c.failures / 2000);
                for (uint64_t i = 0; i < 50; i++) {
                    uint32_t items[KN_MOST_KNOWN];
                    int times[KM_ITEMS] = {0};
                    size_t count;
                    assert_int_equal(kn__certify_sample(&count, items, p.certifier, &q, i, NULL),
                                     KN_OK);
                    for (size_t j = 0; j < count; j++) {
                        times[items[j]]++;
                    }
                    assert_true(km_support(&p.original, times) > 0);
                    assert_int_equal(sk_fails(&p.release, p.to, times, k), failing[i]);
                }
                kn__free(failing);
                judged++;
            }
        }
        clear(&p);
    }
    assert_true(judged > 800);
}

/* A pair whose share of failing pairs of items is in (low, high]. */
static double make_between(pair *p, kn_rng *r, double low, double high)
{
    for (;;) {
        make(p, r);
        const double share = sk_uniform(&p->original, &p->release, p->to, 2, 3);
        if (share > low && share <= high) {
            return share;
        }
        clear(p);
    }
}

/* 200 runs with seeds of their own. The bound is below the failing share in no more of them than
 * the confidence allows, a tenth (attempt 1 spends half of delta = 0.2), and three standard
 * deviations; and sigma is certified where the failing share is above 1 - sigma in no more than
 * delta. */
static void test_confidence(void **state)
{
    const int allowed = 20 + 13;
    kn_rng r;
    int wrong = 0, broken = 0, certified = 0;

    (void)state;
    kn__rng_seed(&r, 72, 0);
    for (int run = 0; run < 200; run++) {
        pair p;
        kn_certificate c;
        kn_certify_question q = {.size = 2,
                                 .k = 3,
                                 .attacker = KN_ATTACKER_UNIFORM,
                                 .sigma = 0.6,
                                 .delta = 0.2,
                                 .attempt = 1,
                                 .seed = (uint64_t)run,
                                 .samples = 100};
        double share = make_between(&p, &r, 0, 0.12);
        assert_int_equal(kn__certify(&c, NULL, p.certifier, &q, NULL, NULL), KN_OK);
        wrong += c.eps < share;
        certified += c.holds;
        clear(&p);
        share = make_between(&p, &r, 0.1, 0.45);
        q.sigma = 1 - 0.99 * share;
        q.delta = 0.01;
        q.samples = 30;
        assert_int_equal(kn__certify(&c, NULL, p.certifier, &q, NULL, NULL), KN_OK);
        broken += c.holds;
        clear(&p);
    }
    assert_true(wrong <= allowed);
    assert_true(certified > 150); /* and it is no bound that refuses everything */
    assert_true(broken <= 2 + 4);
}

/* Nearly every itemset is held by nearly all of 20,000 people: a sample would take more than ten
 * thousand draws. The itemsets are listed instead, and every one is drawn as often as any other,
 * the rare ones included. */
static void test_common(void **state)
{
    enum { RECORDS = 20000, ITEMS = 5 };
    uint64_t *starts = kn__malloc_array(RECORDS + 1, sizeof *starts);
    uint32_t *list = kn__malloc_array((size_t)RECORDS * ITEMS, sizeof *list), to[ITEMS];
    kn_certifier *certifier = NULL;

    (void)state;
    starts[0] = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        uint64_t at = starts[i];
        for (uint32_t x = 0; x < ITEMS; x++) {
            if (x < 4 ? x != i % 16 : i < 2) { /* item 4 is held by two people */
                list[at++] = x;
            }
        }
        starts[i + 1] = at;
    }
    for (uint32_t x = 0; x < ITEMS; x++) {
        to[x] = x;
    }
    const kn_certify_lists lists = {RECORDS, ITEMS, starts, list, NULL};
    assert_int_equal(kn__certifier_new(&certifier, &lists, &lists, to, NULL), KN_OK);
    for (size_t size = 1; size <= 2; size++) {
        const double share = size == 1 ? 1 / 5.0
                                       : 4 / 10.0; /* of the itemsets: those with item 4 */
        const kn_certify_question q = {.size = size,
                                       .k = 3,
                                       .attacker = KN_ATTACKER_UNIFORM,
                                       .sigma = 0.55,
                                       .delta = 0.01,
                                       .attempt = 1,
                                       .seed = 9,
                                       .samples = 5000};
        size_t drawn[ITEMS][ITEMS] = {{0}};
        uint8_t *failing = NULL;
        kn_certificate c;
        assert_int_equal(kn__certify(&c, &failing, certifier, &q, NULL, NULL), KN_OK);
        assert_true(fabs((double)c.failures / 5000 - share) < 0.03);
        assert_true(c.eps >= share - 0.01 && c.holds);
        for (uint64_t i = 0; i < 5000; i++) {
            uint32_t items[KN_MOST_KNOWN];
            size_t count;
            assert_int_equal(kn__certify_sample(&count, items, certifier, &q, i, NULL), KN_OK);
            assert_int_equal(count, size);
            assert_int_equal(failing[i], items[size - 1] == 4);
            drawn[items[0]][items[size - 1]]++;
        }
        for (size_t a = 0; a < ITEMS; a++) {
            for (size_t b = a + (size - 1); b < (size == 1 ? a + 1 : (size_t)ITEMS); b++) {
                const double meant = size == 1 ? 1000 : 500;
                assert_true(fabs((double)drawn[a][b] - meant) < 5 * sqrt(meant));
            }
        }
        kn__free(failing);
    }
    kn__certifier_free(certifier);
    kn__free(starts);
    kn__free(list);
}

/* A second release of the original is certified as if it had a certifier of its own; so is a
 * question with another seed, and one with more samples than those that were kept. */
static void test_replace(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 73, 0);
    for (int round = 0; round < 200; round++) {
        pair p;
        km_data other;
        uint32_t to[KM_ITEMS];
        kn_certifier *alone = NULL;
        make(&p, &r);
        for (int x = 0; x < KM_ITEMS; x++) {
            p.to[x] = (int)kn__rng_below(&r, 5);
            to[x] = (uint32_t)p.to[x];
        }
        sk_generalise(&p.original, p.to, &other);
        kn_baskets *into = baskets_of(&other);
        const kn_certify_lists a = {p.from->records, p.from->items, p.from->starts, p.from->list,
                                    NULL};
        const kn_certify_lists b = {into->records, into->items, into->starts, into->list, NULL};
        for (int turn = 0; turn < 4; turn++) {
            const uint64_t samples = turn < 2 ? 300 : 400;
            assert_int_equal(kn__certifier_new(&alone, &a, &b, to, NULL), KN_OK);
            for (size_t size = 1; size <= 3; size++) {
                const kn_certify_question q = {.size = size,
                                               .k = 3,
                                               .attacker = KN_ATTACKER_UNIFORM,
                                               .sigma = 0.9,
                                               .delta = 0.01,
                                               .attempt = 1,
                                               .seed = (uint64_t)(turn < 2 ? round
                                                                           : round + 1000 * turn),
                                               .samples = samples};
                kn_certificate c, d;
                uint8_t *one = NULL, *two = NULL;
                if (!kn__certify_any(p.certifier, &q)) {
                    continue;
                }
                assert_int_equal(kn__certify(&c, &one, p.certifier, &q, NULL, NULL), KN_OK);
                assert_int_equal(kn__certify(&d, &two, alone, &q, NULL, NULL), KN_OK);
                if (turn > 0) {
                    assert_int_equal(c.failures, d.failures);
                    assert_memory_equal(one, two, samples);
                }
                kn__free(one);
                kn__free(two);
            }
            if (turn == 0) {
                assert_int_equal(kn__certifier_replace(p.certifier, &b, to, NULL), KN_OK);
            }
            kn__certifier_free(alone);
        }
        clear(&p);
        kn__baskets_free(into);
    }
}

static void test_threads(void **state)
{
    kn_rng r;
    pair p;

    (void)state;
    kn__rng_seed(&r, 73, 0);
    make(&p, &r);
    for (int attacker = 1; attacker <= 2; attacker++) {
        kn_certificate first = {0};
        for (unsigned threads = 1; threads <= 8; threads++) {
            const kn_run run = {.threads = threads};
            const kn_certify_question q = {.size = 2,
                                           .k = 4,
                                           .attacker = (kn_attacker)attacker,
                                           .sigma = 0.9,
                                           .delta = 0.01,
                                           .attempt = 1,
                                           .seed = 5};
            kn_certificate c;
            assert_int_equal(kn__certify(&c, NULL, p.certifier, &q, &run, NULL), KN_OK);
            assert_int_equal(c.samples, 1000);
            if (threads == 1) {
                first = c;
            }
            assert_int_equal(c.failures, first.failures);
            assert_true(c.eps == first.eps);
        }
    }
    clear(&p);
}

static void test_samples(void **state)
{
    (void)state;
    assert_int_equal(kn__certify_samples(0.99), 10000);
    assert_int_equal(kn__certify_samples(0.999), 100000);
    assert_int_equal(kn__certify_samples(0.6), 1000);
    assert_int_equal(kn__certify_samples(0.9999999999), 10000000);
}

static void test_no_memory(void **state)
{
    const uint64_t starts[] = {0, 2, 3};
    const uint32_t list[] = {0, 1, 1}, to[] = {0, 1};
    const kn_certify_lists lists = {2, 2, starts, list, NULL};
    const size_t held = kn_memory_in_use();

    (void)state;
    for (size_t n = 1;; n++) {
        const kn_certify_question q = {.size = 2,
                                       .k = 2,
                                       .attacker = KN_ATTACKER_UNIFORM,
                                       .sigma = 0.9,
                                       .delta = 0.01,
                                       .attempt = 1};
        kn_certifier *certifier = NULL;
        kn_certificate c;
        kn__memory_fail_after(n);
        kn_status status = kn__certifier_new(&certifier, &lists, &lists, to, NULL);
        if (status == KN_OK) {
            status = kn__certify(&c, NULL, certifier, &q, NULL, NULL);
        }
        kn__memory_fail_after(0);
        kn__certifier_free(certifier);
        assert_int_equal(kn_memory_in_use(), held);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        if (status == KN_OK) {
            assert_int_equal(c.failures, c.samples);
            assert_true(c.eps == 1 && !c.holds);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),    cmocka_unit_test(test_confidence),
        cmocka_unit_test(test_common),    cmocka_unit_test(test_threads),
        cmocka_unit_test(test_replace),   cmocka_unit_test(test_samples),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
