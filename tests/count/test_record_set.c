/* Sets of records and their unions against arrays of flags, over numbers of records around the
 * ends of words, of blocks of words, and of the words that say which words were touched. */
#include "base/memory.h"
#include "base/rng.h"
#include "count/record_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 20000 };

static size_t random_records(kn_rng *rng)
{
    static const size_t at[] = {1, 63, 64, 65, 128, 1024, 4095, 4096, 4097, 8192, 12345, MOST};

    return at[kn__rng_below(rng, sizeof at / sizeof *at)];
}

/* A set of about one record in `one_in`, and the same as flags. */
static kn_record_set random_set(kn_rng *rng, size_t records, uint64_t one_in, bool *is)
{
    uint32_t list[MOST];
    size_t len = 0;
    kn_record_set s;

    for (size_t r = 0; r < records; r++) {
        is[r] = kn__rng_below(rng, one_in) == 0;
        if (is[r]) {
            list[len++] = (uint32_t)r;
        }
    }
    assert_int_equal(kn__record_set_of_list(&s, list, len, kn__record_words(records), NULL), KN_OK);
    return s;
}

static uint64_t random_share(kn_rng *rng)
{
    static const uint64_t one_in[] = {1, 2, 20, 300, 5000, 100000};

    return one_in[kn__rng_below(rng, sizeof one_in / sizeof *one_in)];
}

static void expect_set(const kn_record_set *s, const bool *is, size_t records)
{
    const size_t words = kn__record_words(records);
    uint32_t first[MOST];
    size_t len = 0;

    for (size_t r = 0; r < records; r++) {
        len += is[r];
        assert_int_equal(kn__record_set_has(s, (uint32_t)r), is[r]);
    }
    assert_int_equal(s->len, len);
    assert_int_equal(s->bits != NULL, len > 2 * words);
    assert_int_equal(kn__record_set_first(s, words, MOST, first), len);
    for (size_t i = 0, r = 0; i < len; i++, r++) {
        while (!is[r]) {
            r++;
        }
        assert_int_equal(first[i], r);
    }
}

static void a_union_is_collected_and_empty_then(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 71, 0);
    for (int round = 0; round < 300; round++) {
        const size_t before = kn_memory_in_use(), records = random_records(&rng);
        kn_record_union u;

        assert_int_equal(kn__record_union_init(&u, kn__record_words(records), NULL), KN_OK);
        for (int times = 0; times < 3; times++) { /* nothing is left of the union before */
            bool is[MOST], all[MOST] = {false};
            kn_record_set joined;
            for (uint64_t sets = kn__rng_below(&rng, 4); sets-- > 0;) {
                kn_record_set s = random_set(&rng, records, random_share(&rng), is);
                kn__record_union_add(&u, &s);
                for (size_t r = 0; r < records; r++) {
                    all[r] = all[r] || is[r];
                }
                kn__record_set_clear(&s);
            }
            assert_int_equal(kn__record_union_take(&u, &joined, NULL), KN_OK);
            expect_set(&joined, all, records);
            kn__record_set_clear(&joined);
        }
        kn__record_union_clear(&u);
        assert_int_equal(kn_memory_in_use(), before);
    }
}

static void common_records_are_counted_to_the_number_asked(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 72, 0);
    for (int round = 0; round < 1000; round++) {
        const size_t before = kn_memory_in_use(), records = random_records(&rng);
        const size_t words = kn__record_words(records), most = kn__rng_below(&rng, 40);
        bool a_is[MOST], b_is[MOST];
        kn_record_set a = random_set(&rng, records, random_share(&rng), a_is), both;
        kn_record_set b = random_set(&rng, records, random_share(&rng), b_is);
        size_t len = 0;

        for (size_t r = 0; r < records; r++) {
            a_is[r] = a_is[r] && b_is[r];
            len += a_is[r];
        }
        assert_int_equal(kn__record_set_common(&a, &b, words, most, NULL, NULL, NULL),
                         len < most ? len : most);
        assert_int_equal(kn__record_set_intersect(&both, &a, &b, words, NULL, NULL, NULL), KN_OK);
        expect_set(&both, a_is, records);
        kn__record_set_clear(&a);
        kn__record_set_clear(&b);
        kn__record_set_clear(&both);
        assert_int_equal(kn_memory_in_use(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_union_is_collected_and_empty_then),
        cmocka_unit_test(common_records_are_counted_to_the_number_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
