/* Tests of count/partial.c: against the definition, and that neither slices, threads, the order of
 * merging, parts nor a journey as bytes change a count. */
#include "count/baskets_test.h"
#include "rounds.h"

#include "count/partial_inside.h"
#include "oracle/partial.h"

static kn_itemset_counts *count(const kn_baskets *b, const uint32_t *weight, size_t from, size_t to,
                                const kn_itemset_counts_options *o, unsigned threads)
{
    const kn_run run = {.threads = threads};
    kn_itemset_counts *p = NULL;
    kn_error err = {0};
    const char *reason = "";

    if (kn__partial_count(&p, b, weight, from, to, o, &run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (!kn__partial_validate(p, &reason)) {
        fail_msg("%s", reason);
    }
    return p;
}

static kn_itemset_counts *merge(kn_itemset_counts *a, kn_itemset_counts *b)
{
    kn_itemset_counts *both = NULL;
    const char *reason = "";

    assert_int_equal(kn__partial_merge(&both, a, b, NULL), KN_OK);
    assert_true(kn__partial_validate(both, &reason));
    kn__partial_free(a);
    kn__partial_free(b);
    return both;
}

static kn_itemset_counts *there_and_back(kn_itemset_counts *p)
{
    kn_itemset_counts *again = NULL;
    char *bytes = NULL;
    size_t len = 0;
    kn_error err = {0};

    assert_int_equal(kn__partial_write(p, &bytes, &len, NULL), KN_OK);
    if (kn__partial_read(&again, bytes, len, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn__free(bytes);
    kn__partial_free(p);
    return again;
}

/* Equal counts are equal bytes. */
static void assert_same(const kn_itemset_counts *a, const kn_itemset_counts *b)
{
    char *x = NULL, *y = NULL;
    size_t x_len = 0, y_len = 0;

    assert_int_equal(kn__partial_write(a, &x, &x_len, NULL), KN_OK);
    assert_int_equal(kn__partial_write(b, &y, &y_len, NULL), KN_OK);
    assert_int_equal(x_len, y_len);
    assert_memory_equal(x, y, x_len);
    kn__free(x);
    kn__free(y);
}

/* ---- the paper ---- */

static void test_table_1(void **state)
{
    /* 11000, 20000, 30500, 40000 are 0, 1, 2, 3. */
    uint64_t starts[] = {0, 5, 8, 12, 13, 14};
    uint32_t list[] = {0, 0, 1, 3, 3, 0, 2, 3, 0, 0, 3, 3, 0, 1};
    const kn_baskets b = {.records = 5, .items = 4, .bags = true, .starts = starts, .list = list};
    const kn_itemset_counts_options o = {.m = 2};
    kn_itemset_counts *p = count(&b, NULL, 0, 5, &o, 1);

    (void)state;
    assert_int_equal(kn__partial_combinations(p, 1), 4);
    assert_int_equal(kn__partial_combinations(p, 2), 7);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){0}, 1), 4);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){1}, 1), 2);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){2}, 1), 1);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){0, 0}, 2), 2);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){0, 3}, 2), 3);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){3, 3}, 2), 2);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){1, 3}, 2), 1);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){1, 2}, 2), 0);
    assert_int_equal(kn__partial_support(p, (uint32_t[]){0, 4}, 2), 0);
    assert_int_equal(kn__partial_least(p, 2), 1);
    kn__partial_free(p);
}

/* ---- the definition ---- */

static uint32_t capped(uint64_t support, uint32_t cap)
{
    return (uint32_t)(cap && support > cap ? cap : support);
}

static void compare(const km_data *d, const uint32_t *weight, int from, int to,
                    const kn_itemset_counts_options *o, const kn_itemset_counts *p)
{
    const kn_tally_cut cut = {.salt = o->salt, .parts = o->parts, .part = o->part};
    size_t counted[KM_M + 1] = {0};
    uint32_t least[KM_M + 1] = {0}, items[KM_M * KM_ITEMS];
    int times[KM_ITEMS] = {0};

    while (km_next(times, d->bags ? (int)o->m : 1)) {
        const uint64_t support = partial_support(d, weight, from, to, times);
        const size_t size = (size_t)km_size(times);
        if (size > o->m) {
            continue;
        }
        (void)partial_items(times, items);
        if (support == 0 || !kn__tally_in_cut(&cut, items, size)) {
            assert_int_equal(kn__partial_support(p, items, size), 0);
            continue;
        }
        assert_int_equal(kn__partial_support(p, items, size), capped(support, o->cap));
        least[size] = counted[size]++ == 0 || capped(support, o->cap) < least[size]
                          ? capped(support, o->cap)
                          : least[size];
    }
    for (size_t size = 1; size <= o->m; size++) {
        assert_int_equal(kn__partial_combinations(p, size), counted[size]);
        assert_int_equal(kn__partial_least(p, size), least[size]);
        for (size_t i = 0; i < counted[size]; i++) {
            const uint32_t support = kn__partial_combination(p, size, i, items);
            assert_int_equal(kn__partial_support(p, items, size), support);
        }
    }
}

static void random_weights(kn_rng *r, uint32_t *weight)
{
    const bool ones = kn__rng_below(r, 2) == 0;

    for (int i = 0; i < KM_RECORDS; i++) {
        weight[i] = ones ? 1 : (uint32_t)kn__rng_below(r, 4);
    }
}

static kn_itemset_counts_options random_options(kn_rng *r)
{
    kn_itemset_counts_options o = {.m = 1 + (size_t)kn__rng_below(r, 4),
                                   .cap = (uint32_t)kn__rng_below(r, 5),
                                   .parts = (uint32_t)kn__rng_below(r, 4),
                                   .salt = kn__rng_next(r),
                                   .codes = 7};

    o.part = o.parts ? (uint32_t)kn__rng_below(r, o.parts) : 0;
    return o;
}

static void test_oracle(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 21, 0);
    for (int round = 0; round < test_rounds(4000); round++) {
        const km_data d = random_data(&r);
        const int to = (int)kn__rng_below(&r, (uint64_t)d.records + 1);
        const int from = (int)kn__rng_below(&r, (uint64_t)to + 1);
        const kn_itemset_counts_options o = random_options(&r);
        uint32_t weight[KM_RECORDS];
        kn_baskets *b = baskets_of(&d);
        kn_itemset_counts *p;
        random_weights(&r, weight);
        p = count(b, weight, (size_t)from, (size_t)to, &o, (unsigned[]){1, 2, 5}[round % 3]);
        compare(&d, weight, from, to, &o, p);
        kn__partial_free(p);
        kn__baskets_free(b);
    }
}

/* Every combination is in one part. */
static void test_parts(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 22, 0);
    for (int round = 0; round < test_rounds(500); round++) {
        const km_data d = random_data(&r);
        kn_itemset_counts_options o = {.m = 1 + (size_t)kn__rng_below(&r, 4),
                                       .salt = kn__rng_next(&r)};
        kn_baskets *b = baskets_of(&d);
        kn_itemset_counts *all = count(b, NULL, 0, b->records, &o, 1);
        size_t in_parts[KM_M + 1] = {0};
        o.parts = 1 + (uint32_t)kn__rng_below(&r, 9);
        for (o.part = 0; o.part < o.parts; o.part++) {
            kn_itemset_counts *p = count(b, NULL, 0, b->records, &o, 1);
            for (size_t size = 1; size <= o.m; size++) {
                in_parts[size] += kn__partial_combinations(p, size);
                for (size_t i = 0; i < kn__partial_combinations(p, size); i++) {
                    uint32_t items[KN_MOST_M];
                    const uint32_t support = kn__partial_combination(p, size, i, items);
                    assert_int_equal(kn__partial_support(all, items, size), support);
                }
            }
            kn__partial_free(p);
        }
        for (size_t size = 1; size <= o.m; size++) {
            assert_int_equal(in_parts[size], kn__partial_combinations(all, size));
        }
        kn__partial_free(all);
        kn__baskets_free(b);
    }
}

/* ---- slices, threads, orders ---- */

/* Cut 0..records-1 into slices, count each, send some through bytes, and merge any two until one is
 * left. */
static kn_itemset_counts *in_slices(kn_rng *r, const kn_baskets *b, const uint32_t *weight,
                                    const kn_itemset_counts_options *o)
{
    enum { MOST = 9 };
    kn_itemset_counts *slice[MOST];
    size_t slices = 1 + (size_t)kn__rng_below(r, MOST), from = 0;

    for (size_t i = 0; i < slices; i++) {
        const size_t left = b->records - from;
        const size_t to = i + 1 == slices ? b->records : from + (size_t)kn__rng_below(r, left + 1);
        slice[i] = count(b, weight, from, to, o, 1 + (unsigned)kn__rng_below(r, 3));
        from = to;
    }
    while (slices > 1) {
        const size_t i = (size_t)kn__rng_below(r, slices);
        const size_t j = (i + 1 + (size_t)kn__rng_below(r, slices - 1)) % slices;
        const size_t low = i < j ? i : j, high = i < j ? j : i;
        if (kn__rng_below(r, 2)) {
            slice[i] = there_and_back(slice[i]);
        }
        slice[low] = merge(slice[i], slice[j]);
        slice[high] = slice[--slices];
    }
    return slice[0];
}

static void test_slices(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 23, 0);
    for (int round = 0; round < test_rounds(3000); round++) {
        const km_data d = random_data(&r);
        const kn_itemset_counts_options o = random_options(&r);
        uint32_t weight[KM_RECORDS];
        kn_baskets *b = baskets_of(&d);
        kn_itemset_counts *whole, *merged;
        random_weights(&r, weight);
        whole = count(b, weight, 0, b->records, &o, 1);
        merged = in_slices(&r, b, weight, &o);
        assert_same(whole, merged);
        kn__partial_free(whole);
        kn__partial_free(merged);
        kn__baskets_free(b);
    }
}

/* Codes of 17 bits: three an integer, so combinations of eight take three. */
static void test_wide(void **state)
{
    enum { RECORDS = 300, ITEMS = 70000 };
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 24, 0);
    for (int round = 0; round < 6; round++) {
        kn_baskets *b = random_baskets(&r, RECORDS, ITEMS, 12, round % 2 == 1);
        const kn_itemset_counts_options o = {.m = 1 + (size_t)kn__rng_below(&r, 8)};
        kn_itemset_counts *whole = count(b, NULL, 0, RECORDS, &o, 1);
        kn_itemset_counts *threads = count(b, NULL, 0, RECORDS, &o, 5),
                          *merged = in_slices(&r, b, NULL, &o);
        assert_same(whole, threads);
        assert_same(whole, merged);
        for (size_t i = 0; i < kn__partial_combinations(whole, o.m); i += 97) {
            uint32_t items[KN_MOST_M], support = 0;
            const uint32_t told = kn__partial_combination(whole, o.m, i, items);
            for (size_t record = 0; record < RECORDS; record++) {
                size_t len, have = 0;
                const uint32_t *list = kn__baskets_record(b, record, &len);
                for (size_t at = 0; at < len && have < o.m; at++) {
                    have += list[at] == items[have];
                }
                support += have == o.m;
            }
            assert_int_equal(told, support);
        }
        kn__partial_free(whole);
        kn__partial_free(threads);
        kn__partial_free(merged);
        kn__baskets_free(b);
    }
}

/* ---- what must be refused ---- */

static void test_refusals(void **state)
{
    uint64_t starts[] = {0, 2, 3};
    uint32_t list[] = {0, 1, 1}, heavy[] = {UINT32_MAX, 1};
    const kn_baskets b = {.records = 2, .items = 2, .starts = starts, .list = list};
    const kn_itemset_counts_options fine = {.m = 2, .codes = 1};
    kn_itemset_counts *a = count(&b, NULL, 0, 2, &fine, 1), *p = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__partial_count(&p, &b, NULL, 0, 2, &(kn_itemset_counts_options){0}, NULL,
                                       &err),
                     KN_EUSAGE);
    assert_null(p);
    assert_int_equal(kn__partial_count(&p, &b, NULL, 0, 2, &(kn_itemset_counts_options){.m = 17},
                                       NULL, &err),
                     KN_EUSAGE);
    assert_int_equal(kn__partial_count(&p, &b, NULL, 0, 2,
                                       &(kn_itemset_counts_options){.m = 1, .parts = 2, .part = 2},
                                       NULL, &err),
                     KN_EUSAGE);
    assert_int_equal(kn__partial_count(&p, &b, NULL, 0, 3, &fine, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn__partial_count(&p, &b, NULL, 2, 1, &fine, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn__partial_count(&p, &b, heavy, 0, 2, &fine, NULL, &err), KN_EINPUT);
    assert_null(p);
    for (int i = 0; i < 6; i++) {
        kn_itemset_counts_options o = fine;
        kn_baskets other = b;
        kn_itemset_counts *q;
        o.m = i == 0 ? 1 : o.m;
        o.cap = i == 1 ? 3 : 0;
        o.parts = i == 2 ? 2 : 0;
        o.salt = i == 3;
        o.codes = i == 4 ? 2 : o.codes;
        other.bags = i == 5;
        q = count(&other, NULL, 0, 2, &o, 1);
        assert_int_equal(kn__partial_merge(&p, a, q, &err), KN_EUSAGE);
        assert_null(p);
        assert_non_null(strstr(err.message, "alike"));
        kn__partial_free(q);
    }
    a->records = UINT64_MAX;
    assert_int_equal(kn__partial_merge(&p, a, a, &err), KN_EINPUT);
    kn__partial_free(a);
}

/* Where the numbers of a header stand. */
enum {
    AT_VERSION = 8,
    AT_M = 12,
    AT_BAGS = 16,
    AT_ITEMS = 20,
    AT_CAP = 24,
    AT_PARTS = 28,
    AT_PART = 32,
    AT_RECORDS = 52,
    AT_COUNT_1 = 60,
    AT_KEYS_1 = 68
};

static void refuse(const char *bytes, size_t len, const char *word)
{
    kn_itemset_counts *p = NULL;
    kn_error err = {0};
    char *own = kn__malloc(len); /* exactly, so that reading beyond is noticed */

    memcpy(own, bytes, len);
    assert_int_equal(kn__partial_read(&p, own, len, &err), KN_EINPUT);
    assert_null(p);
    if (!strstr(err.message, word)) {
        fail_msg("'%s' is not in: %s", word, err.message);
    }
    kn__free(own);
}

/* With byte `at` made `to`, and a checksum that is right. */
static void refuse_changed(const char *bytes, size_t len, size_t at, int to, const char *word)
{
    char changed[512];
    uint64_t sum;

    assert_true(len <= sizeof changed);
    memcpy(changed, bytes, len);
    changed[at] = (char)to;
    sum = kn__partial_checksum(changed, len - 8);
    for (size_t i = 0; i < 8; i++) {
        changed[len - 8 + i] = (char)(sum >> (8 * i));
    }
    refuse(changed, len, word);
}

static void test_bytes(void **state)
{
    uint64_t starts[] = {0, 2, 3};
    uint32_t list[] = {0, 2, 1};
    const kn_baskets b = {.records = 2, .items = 3, .starts = starts, .list = list};
    const kn_itemset_counts_options o = {.m = 2, .cap = 9, .parts = 1};
    kn_itemset_counts *p = count(&b, NULL, 0, 2, &o, 1);
    const size_t supports_1 = AT_KEYS_1 + 3 * 8;
    char *bytes = NULL, longer[512];
    size_t len = 0;

    (void)state;
    assert_int_equal(kn__partial_write(p, &bytes, &len, NULL), KN_OK);
    assert_int_equal(len, AT_KEYS_1 + 3 * 12 + 8 + 12 + 8);
    for (size_t i = 0; i < len; i++) {
        char kept = bytes[i];
        refuse(bytes, i, i < AT_KEYS_1 ? "" : "checksum");
        bytes[i] = (char)(bytes[i] ^ 4);
        refuse(bytes, len, i < 8 ? "begin" : "checksum");
        bytes[i] = kept;
    }
    refuse_changed(bytes, len, AT_VERSION, 2, "version 2");
    refuse_changed(bytes, len, AT_M, 0, "header");
    refuse_changed(bytes, len, AT_M, 17, "header");
    refuse_changed(bytes, len, AT_M, 1, "follows");
    refuse_changed(bytes, len, AT_M, 3, "early");
    refuse_changed(bytes, len, AT_BAGS, 2, "header");
    refuse_changed(bytes, len, AT_ITEMS, 2, "none of its items");
    refuse_changed(bytes, len, AT_CAP, 0, "header");
    refuse_changed(bytes, len, AT_PARTS, 0, "header");
    refuse_changed(bytes, len, AT_PART, 1, "header");
    refuse_changed(bytes, len, AT_RECORDS, 0, "a support");
    refuse_changed(bytes, len, AT_COUNT_1, 200, "early");
    refuse_changed(bytes, len, AT_COUNT_1 + 7, 255, "early");
    refuse_changed(bytes, len, AT_KEYS_1, 1, "none of its items"); /* a bit beside the item */
    refuse_changed(bytes, len, AT_KEYS_1 + 7, 0xc0, "none of its items");
    refuse_changed(bytes, len, AT_KEYS_1 + 7, 0x80, "order");
    refuse_changed(bytes, len, supports_1, 0, "a support");
    refuse_changed(bytes, len, supports_1, 3, "a support");
    refuse_changed(bytes, len, supports_1, 10, "a support");
    /* {0,2} made {2,2}: no set has that */
    refuse_changed(bytes, len, supports_1 + 3 * 4 + 8 + 7, 0xa0, "none of its items");
    memcpy(longer, bytes, len);
    memset(longer + len, 0, 8);
    refuse_changed(longer, len + 8, len + 3, 1, "follows");
    /* another part: the hash of the first item says so */
    for (int part = 0; part < 2; part++) {
        kn_tally_cut cut = {.parts = 2, .part = (uint32_t)part};
        if (!kn__tally_in_cut(&cut, (uint32_t[]){0}, 1)) {
            p->options.parts = 2;
            p->options.part = (uint32_t)part;
        }
    }
    kn__free(bytes);
    assert_int_equal(kn__partial_write(p, &bytes, &len, NULL), KN_OK);
    refuse(bytes, len, "another part");
    kn__free(bytes);
    kn__partial_free(p);
}

static void test_cancel(void **state)
{
    kn_rng r;
    kn_baskets *b;
    const kn_itemset_counts_options o = {.m = 2};
    kn_itemset_counts *p = NULL;
    kn_error err = {0};

    (void)state;
    kn__rng_seed(&r, 25, 0);
    b = random_baskets(&r, 50, 20, 8, false);
    for (unsigned threads = 1; threads < 4; threads++) {
        const kn_run run = {.threads = threads, .progress = cancel};
        assert_int_equal(kn__partial_count(&p, b, NULL, 0, 50, &o, &run, &err), KN_ECANCELLED);
        assert_null(p);
        assert_string_equal(err.message, "interrupted");
    }
    kn__baskets_free(b);
}

static kn_status everything(const kn_baskets *b, const uint32_t *weight, unsigned threads)
{
    const kn_run run = {.threads = threads};
    const kn_itemset_counts_options o = {.m = 3, .cap = 4, .parts = 2, .part = 1};
    kn_itemset_counts *p = NULL, *q = NULL, *both = NULL, *again = NULL;
    char *bytes = NULL;
    size_t len = 0;
    kn_error err = {0};
    kn_status status = kn__partial_count(&p, b, weight, 0, 10, &o, &run, &err);

    if (status == KN_OK) {
        status = kn__partial_count(&q, b, weight, 10, 25, &o, &run, &err);
    }
    if (status == KN_OK) {
        status = kn__partial_merge(&both, p, q, &err);
    }
    if (status == KN_OK) {
        status = kn__partial_write(both, &bytes, &len, &err);
    }
    if (status == KN_OK) {
        status = kn__partial_read(&again, bytes, len, &err);
    }
    assert_true(status == KN_OK || (!again && err.message[0]));
    kn__free(bytes);
    kn__partial_free(p);
    kn__partial_free(q);
    kn__partial_free(both);
    kn__partial_free(again);
    return status;
}

static void test_no_memory(void **state)
{
    uint32_t weight[25];
    kn_rng r;
    kn_baskets *b;
    size_t held;

    (void)state;
    kn__rng_seed(&r, 26, 0);
    b = random_baskets(&r, 25, 9, 6, true);
    for (size_t i = 0; i < 25; i++) {
        weight[i] = 1 + (uint32_t)i % 2;
    }
    held = kn_memory_in_use();
    for (unsigned threads = 1; threads < 4; threads++) {
        for (size_t n = 1;; n++) {
            kn_status status;
            kn__memory_fail_after(n);
            status = everything(b, weight, threads);
            const bool struck = kn__memory_failed();
            kn__memory_fail_after(0);
            assert_int_equal(kn_memory_in_use(), held);
            if (status == KN_OK) {
                assert_false(struck);
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
        }
    }
    kn__baskets_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_1),   cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_parts),     cmocka_unit_test(test_slices),
        cmocka_unit_test(test_wide),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bytes),     cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
