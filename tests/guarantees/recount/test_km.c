/* The second count of km-anonymity: against the definition, in full and in shares; and that it
 * notices every way in which the first may be wrong. */
#include "base/memory.h"
#include "base/rng.h"
#include "guarantees/agree.h"
#include "oracle/km.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static km_answer answer; /* large */

/* A list column over the items 0..KM_ITEMS-1; with `missing`, the last of them is no item. */
typedef struct lists {
    kn_column c;
    kn_dict dict;
    uint64_t starts[KM_RECORDS + 1];
    uint8_t codes[KM_RECORDS * KM_LENGTH];
} lists;

static void fill(lists *l, const km_data *d, bool missing)
{
    uint64_t at = 0;

    *l = (lists){0};
    l->dict.len = KM_ITEMS;
    l->c = (kn_column){.type = d->bags ? KN_TYPE_BAG : KN_TYPE_SET,
                       .dict = &l->dict,
                       .missing = missing ? KM_ITEMS - 1 : KN_NO_CODE,
                       .width = 1,
                       .codes = l->codes,
                       .starts = l->starts};
    for (int i = 0; i < d->records; i++) {
        for (int x = 0; x < KM_ITEMS; x++) {
            for (int t = 0; t < d->times[i][x]; t++) {
                l->codes[at++] = (uint8_t)x;
            }
        }
        l->starts[i + 1] = at;
    }
}

static km_data random_data(kn_rng *r)
{
    km_data d = {.records = (int)kn__rng_below(r, KM_RECORDS + 1),
                 .bags = kn__rng_below(r, 2) == 1};
    const uint64_t items = 1 + kn__rng_below(r, KM_ITEMS), most = 1 + kn__rng_below(r, KM_LENGTH);

    for (int i = 0; i < d.records; i++) {
        for (uint64_t j = kn__rng_below(r, most + 1); j-- > 0;) {
            int *times = &d.times[i][kn__rng_below(r, items)];
            *times = d.bags ? *times + 1 : 1;
        }
    }
    return d;
}

static kn_recount count(const lists *l, const km_data *d, size_t m, double budget, unsigned threads)
{
    const kn_run run = {.threads = threads};
    kn_column column = l->c;
    const kn_dataset ds = {.records = (size_t)d->records, .columns = 1, .column = &column};
    kn_recount found;
    kn_error err = {0};

    if (kn__km_recount(&found, &ds, 0, m, budget, &run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return found;
}

/* ---- the definition ---- */

static void test_definition(void **state)
{
    size_t sampled = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 41, 0);
    for (int round = 0; round < 5000; round++) {
        km_data d = random_data(&r);
        const size_t m = 1 + (size_t)kn__rng_below(&r, 4);
        const bool missing = round % 4 == 0;
        const double budget = round % 2 ? 0 : 1 + (double)kn__rng_below(&r, 400);
        kn_recount found;
        lists l;
        fill(&l, &d, missing);
        for (int i = 0; i < d.records && missing; i++) {
            d.times[i][KM_ITEMS - 1] = 0;
        }
        km_solve(&d, 2, (int)m, &answer);
        found = count(&l, &d, m, budget, (unsigned[]){1, 2, 5}[round % 3]);
        assert_int_equal(found.longest, answer.longest);
        assert_int_equal(found.empty, answer.empty);
        for (size_t size = 1; size <= m; size++) {
            if (found.one_in[size] == 1) {
                assert_int_equal(found.least[size], answer.least[size]);
            } else {
                assert_true(budget > 0 && size > 1);
                assert_true(found.least[size] == 0 ||
                            found.least[size] >= (uint32_t)answer.least[size]);
                sampled += found.least[size] > 0;
            }
        }
    }
    assert_true(sampled > 100); /* shares are not empty */
}

/* ---- the plan ---- */

static void test_plan(void **state)
{
    size_t of_length[101] = {[1] = 5, [10] = 1000, [100] = 10};
    uint64_t one_in[KN_MOST_M + 1];
    const double pairs = 1000 * 45 + 10 * 4950, triples = 1000 * 120 + 10 * 161700;

    (void)state;
    kn__km_recount_plan(one_in, of_length, 100, 3, INFINITY);
    assert_int_equal(one_in[2], 1);
    assert_int_equal(one_in[3], 1);
    /* pairs fit; of the triples, what is left pays for one in four */
    kn__km_recount_plan(one_in, of_length, 100, 3, pairs + triples / 4 + 1);
    assert_int_equal(one_in[1], 1);
    assert_int_equal(one_in[2], 1);
    assert_int_equal(one_in[3], 4);
    /* the last size may take all that is left */
    kn__km_recount_plan(one_in, of_length, 100, 2, pairs);
    assert_int_equal(one_in[2], 1);
    kn__km_recount_plan(one_in, of_length, 100, 2, pairs - 1);
    assert_int_equal(one_in[2], 2);
    /* a share of a size is a share of all longer ones */
    kn__km_recount_plan(one_in, of_length, 100, 16, 1000);
    for (size_t size = 2; size <= 16 && one_in[size]; size++) {
        assert_int_equal(one_in[size] % one_in[size - 1], 0);
    }
    assert_int_equal(one_in[16], 0); /* 100 over 16 is 10^18 */
    /* beyond the longest record there is nothing to leave out */
    kn__km_recount_plan(one_in, of_length, 10, 12, 1);
    assert_true(one_in[10] > 1);
    assert_int_equal(one_in[11], 1);
}

static void test_words(void **state)
{
    kn_recount r = {.longest = 9};
    char text[512];

    (void)state;
    for (size_t size = 0; size <= KN_MOST_M; size++) {
        r.one_in[size] = 1;
    }
    kn__km_recount_words(&r, 1, text, sizeof text);
    assert_string_equal(text, "all single items");
    kn__km_recount_words(&r, 3, text, sizeof text);
    assert_string_equal(text, "all combinations of up to 3 items");
    kn__km_recount_words(&r, 16, text, sizeof text);
    assert_string_equal(text, "all combinations of up to 16 items");
    r.one_in[3] = 40;
    r.one_in[4] = 1200;
    kn__km_recount_words(&r, 4, text, sizeof text);
    assert_string_equal(
        text, "all combinations of up to 2 items, 1 in 40 of those of 3, 1 in 1200 of those of 4");
    r.one_in[2] = 2;
    kn__km_recount_words(&r, 3, text, sizeof text);
    assert_string_equal(text, "all single items, 1 in 2 of those of 2, 1 in 40 of those of 3");
    for (size_t size = 4; size <= 9; size++) {
        r.one_in[size] = 0;
    }
    kn__km_recount_words(&r, 16, text, sizeof text);
    assert_string_equal(text, "all single items, 1 in 2 of those of 2, 1 in 40 of those of 3, none "
                              "of 4 and more");
    r.longest = 0;
    kn__km_recount_words(&r, 2, text, sizeof text);
    assert_string_equal(text, "all combinations of up to 2 items");
}

/* ---- where the two disagree ---- */

static void refuse(const kn_recount *second, const kn_rare_list *first, const char *word)
{
    kn_error err = {0};

    assert_int_equal(kn__km_agree(second, first, 3, 3, &err), KN_EBROKEN);
    assert_non_null(strstr(err.message, "please report it"));
    if (!strstr(err.message, word)) {
        fail_msg("'%s' is not in: %s", word, err.message);
    }
}

static void test_agree(void **state)
{
    const kn_rare_list holds = {.least = {0, 9, 5, 3}, .longest = 7, .empty = 2};
    const kn_rare_list breaks = {.count = 4, .least = {0, 9, 5, 1}, .longest = 7, .empty = 2};
    const kn_recount same = {
        .longest = 7, .empty = 2, .one_in = {1, 1, 1, 1}, .least = {0, 9, 5, 3}};
    kn_rare_list first = holds;
    kn_recount second = same;

    (void)state;
    assert_int_equal(kn__km_agree(&same, &holds, 3, 3, NULL), KN_OK);
    second.least[3] = 1;
    assert_int_equal(kn__km_agree(&second, &breaks, 3, 3, NULL), KN_OK);
    refuse(&second, &holds, "smallest support of 3 items: 3 and 1");
    refuse(&same, &breaks, "smallest support of 3 items: 1 and 3");
    first.least[1] = 10;
    refuse(&same, &first, "smallest support of 1 item: 10 and 9");
    first = holds;
    first.longest = 6;
    refuse(&same, &first, "longest record: 6 and 7");
    first = holds;
    first.empty = 3;
    refuse(&same, &first, "without items: 3 and 2");
    first = holds;
    first.count = 1; /* rare ones are told of, and no support is small */
    refuse(&same, &first, "rare combinations");
    first = breaks;
    first.count = 0;
    second.least[3] = 1;
    refuse(&second, &first, "rare combinations");
    /* of a share: nothing rarer may be found, more frequent ones may */
    second = same;
    second.one_in[3] = 40;
    second.least[3] = 8;
    assert_int_equal(kn__km_agree(&second, &holds, 3, 3, NULL), KN_OK);
    assert_int_equal(kn__km_agree(&second, &breaks, 3, 3, NULL), KN_OK);
    second.least[3] = 0;
    assert_int_equal(kn__km_agree(&second, &holds, 3, 3, NULL), KN_OK);
    second.least[3] = 2;
    refuse(&second, &holds, "smallest support of 3 items: 3 and 2");
    first = holds;
    first.least[3] = 0; /* none occurs, it says, and one was met */
    second.least[3] = 8;
    refuse(&second, &first, "smallest support of 3 items: 0 and 8");
}

static void test_no_memory(void **state)
{
    const km_data d = {.records = 4, .bags = true, .times = {{2, 1, 1}, {1, 1}, {0, 3, 1}, {1}}};
    const size_t held = kn_memory_in_use();
    lists l;
    const kn_dataset ds = {.records = 4, .columns = 1, .column = &l.c};

    (void)state;
    fill(&l, &d, false);
    for (unsigned threads = 1; threads < 3; threads++) {
        for (size_t n = 1;; n++) {
            const kn_run run = {.threads = threads};
            kn_recount found;
            kn_error err = {0};
            kn_status status;
            kn__memory_fail_after(n);
            status = kn__km_recount(&found, &ds, 0, 3, 0, &run, &err);
            kn__memory_fail_after(0);
            assert_int_equal(kn_memory_in_use(), held);
            if (status == KN_OK) {
                assert_true(n > 4);
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
            assert_non_null(strstr(err.message, "memory"));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_plan),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_agree),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
