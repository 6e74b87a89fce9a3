/* test_value_sample.c - samples of values against exact counts, in any order and in any parts. */
#include "kanon/memory.h"
#include "data/value_sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void add(kn_value_sample *s, size_t value)
{
    char text[32];
    const int len = snprintf(text, sizeof text, "%zu", value);

    assert_int_equal(kn__value_sample_add(s, text, (size_t)len, NULL), KN_OK);
}

/* Few values: nothing is estimated. */
static void exact_while_few(void **state)
{
    kn_value_sample s = {0};
    double share;

    (void)state;
    assert_int_equal(kn__value_sample_values(&s), 0);
    assert_int_equal(kn__value_sample_rare(&s, 2, &share), 0);
    for (size_t i = 0; i < 1000; i++) {
        add(&s, i < 300 ? i : 300 + i % 7);
    }
    assert_int_equal(s.shift, 0);
    assert_int_equal(kn__value_sample_values(&s), 307);
    assert_int_equal(kn__value_sample_rare(&s, 2, &share), 300);
    assert_true(share == 0.3);
    assert_int_equal(kn__value_sample_rare(&s, 101, &share), 307);
    assert_true(share == 1);
    kn__value_sample_clear(&s);
}

/* Half of the records hold a value of their own, the others share one with nine. */
static void near_when_many(void **state)
{
    enum { RECORDS = 1000000 };
    kn_value_sample s = {0};
    double share;

    (void)state;
    for (size_t i = 0; i < RECORDS; i++) {
        add(&s, i % 2 ? i : RECORDS + i / 20);
    }
    assert_true(s.shift > 0 && s.held.used <= KN_SAMPLED_VALUES);
    assert_int_equal(s.records, RECORDS);
    assert_true(fabs((double)kn__value_sample_values(&s) - 550000) < 15000);
    assert_true(fabs((double)kn__value_sample_rare(&s, 2, &share) - 500000) < 15000);
    assert_true(fabs(share - 0.5) < 0.02);
    (void)kn__value_sample_rare(&s, 11, &share);
    assert_true(share == 1);
    kn__value_sample_clear(&s);
}

/* What is sampled depends neither on the order nor on the parts. */
static void same_in_parts(void **state)
{
    enum { RECORDS = 300000 };
    kn_value_sample whole = {0}, part[3] = {{.shift = 0}, {.shift = 0}, {.shift = 0}};
    double a, b;

    (void)state;
    for (size_t i = 0; i < RECORDS; i++) {
        const size_t value = i * i % 200003;
        add(&whole, value);
    }
    for (size_t i = RECORDS; i-- > 0;) {
        add(&part[i < 1000 ? 0 : 1 + i % 2], i * i % 200003);
    }
    assert_int_equal(kn__value_sample_merge(&part[0], &part[1], NULL), KN_OK);
    assert_int_equal(kn__value_sample_merge(&part[0], &part[2], NULL), KN_OK);
    assert_int_equal(part[0].shift, whole.shift);
    assert_int_equal(part[0].records, whole.records);
    assert_int_equal(kn__value_sample_values(&part[0]), kn__value_sample_values(&whole));
    for (size_t below = 2; below < 9; below++) {
        assert_int_equal(kn__value_sample_rare(&part[0], below, &a),
                         kn__value_sample_rare(&whole, below, &b));
        assert_true(a == b);
    }
    kn__value_sample_clear(&whole);
    for (size_t i = 0; i < 3; i++) {
        kn__value_sample_clear(&part[i]);
    }
    assert_int_equal(kn_memory_in_use(), 0);
}

/* A smaller sample, merged of parts: how many records share a value, on average. */
static void mean_of_few_values(void **state)
{
    enum { RECORDS = 90000, MOST = 1 << 10 };
    kn_value_sample part[3] = {{.most = MOST}, {.most = MOST}, {.most = MOST}};
    kn_value_sample all = {.most = MOST};

    (void)state;
    assert_true(kn__value_sample_mean(&all) == 0);
    for (size_t i = 0; i < RECORDS; i++) {
        add(&part[i % 3], i / 3 % 20000);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(kn__value_sample_merge(&all, &part[i], NULL), KN_OK);
        kn__value_sample_clear(&part[i]);
    }
    assert_true(all.shift > 0 && all.held.used <= MOST && all.most == MOST);
    assert_int_equal(all.records, RECORDS);
    assert_true(fabs(kn__value_sample_mean(&all) - 4.5) < 0.2);
    kn__value_sample_clear(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_while_few),
                                       cmocka_unit_test(near_when_many),
                                       cmocka_unit_test(mean_of_few_values),
                                       cmocka_unit_test(same_in_parts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
