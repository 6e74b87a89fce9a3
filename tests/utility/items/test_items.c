/* Measures of item lists: by hand, and thousands of random releases against the definition. */
#include "utility/measure.h"
#include "base/memory.h"
#include "base/rng.h"
#include "kanon/measure.h"
#include "utility/items/items.h"
#include "utility/lists.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char fruit[] = "apple;fruit;*\npear;fruit;*\nfig;fruit;*\nleek;leek;*\nkale;green;*\n";

static void assert_near(double x, double y)
{
    if (!(fabs(x - y) < 1e-12)) {
        fail_msg("%.15g is not %.15g", x, y);
    }
}

typedef struct expected {
    double ncp, loss, changed, suppressed;
} expected;

static void check(kn_type type, const char *const *before, size_t records, const char *const *after,
                  size_t published, const uint32_t *origin, expected e)
{
    kn_dataset *original = lists(type, before, records);
    kn_dataset *release = lists(type == KN_TYPE_NUMBERS ? KN_TYPE_BAG : type, after, published);
    kn_hierarchies *hs = type == KN_TYPE_NUMBERS ? NULL : tree(fruit);
    kn_measures *m;
    kn_error err = {0};

    if (kn_measure(&m, original, release, origin, hs, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_near(kn_measures_value(m, "ncp", NULL), e.ncp);
    assert_near(kn_measures_value(m, "ncp", "items"), e.ncp);
    assert_near(kn_measures_value(m, "loss", NULL), e.loss);
    assert_near(kn_measures_value(m, "items_changed", NULL), e.changed);
    assert_near(kn_measures_value(m, "suppressed_records", NULL), e.suppressed);
    assert_true(isnan(kn_measures_value(m, "discernibility", NULL)));
    kn_measures_free(m);
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void test_by_hand(void **state)
{
    static const char *const sets[] = {"apple leek pear", "fig", "", "leek"};
    static const char *const bags[] = {"apple apple leek", "fig kale"};
    static const char *const numbers[] = {"1000 1500 5000", "2000 2000"};

    (void)state;
    /* Nothing changed. */
    check(KN_TYPE_SET, sets, 4, sets, 4, NULL, (expected){0, 0, 0, 0});
    /* Three occurrences of five become one of three fruits, of five leaves. */
    check(KN_TYPE_SET, sets, 4, (const char *const[]){"fruit leek", "fruit", "", "leek"}, 4, NULL,
          (expected){3 * 0.6 / 5, 3 * 0.5 / 5, 0.6, 0});
    /* A group of one leaf loses nothing but is another text; the narrowest cover counts. */
    check(KN_TYPE_BAG, bags, 2, (const char *const[]){"fruit fruit leek", "fig green"}, 2, NULL,
          (expected){2 * 0.6 / 5, 2 * 0.5 / 5, 0.6, 0});
    check(KN_TYPE_BAG, bags, 2, (const char *const[]){"* apple leek", "fig kale"}, 2, NULL,
          (expected){1.0 / 5, 1.0 / 5, 0.2, 0});
    /* A record that is absent loses all its items. */
    check(KN_TYPE_SET, sets, 4, (const char *const[]){"fig", "", "leek"}, 3,
          (const uint32_t[]){1, 2, 3}, (expected){3.0 / 5, 3.0 / 5, 0.6, 0.25});
    check(KN_TYPE_SET, sets, 4, (const char *const[]){"fig", "leek"}, 2, NULL,
          (expected){3.0 / 5, 3.0 / 5, 0.6, 0.5});
    /* Shuffled: the texts alone. Two of three items are fruit. */
    check(KN_TYPE_SET, (const char *const[]){"leek", "apple", "pear"}, 3,
          (const char *const[]){"fruit", "fruit", "leek"}, 3, NULL,
          (expected){2 * 0.6 / 3, 2 * 0.5 / 3, 2.0 / 3, 0});
    /* Numbers: the width of the range against that of the domain. */
    check(KN_TYPE_NUMBERS, numbers, 2,
          (const char *const[]){"5000 [1000,2000] [1000,2000]", "[1000,2000] [1000,2000]"}, 2, NULL,
          (expected){4 * 0.25 / 5, 4 * 0.25 / 5, 0.8, 0});
}

static void refused(kn_type type, const char *const *before, const char *const *after, size_t count,
                    const uint32_t *origin, kn_status status, const char *words)
{
    kn_dataset *original = lists(type, before, count);
    kn_dataset *release = lists(type, after, count);
    kn_hierarchies *hs = tree(fruit);
    kn_measures *m;
    kn_error err = {0};

    assert_int_equal(kn_measure(&m, original, release, origin, hs, NULL, &err), status);
    assert_null(m);
    if (!strstr(err.message, words)) {
        fail_msg("%s", err.message);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void test_refused(void **state)
{
    static const char *const before[] = {"apple leek", "fig"}, *const leeks[] = {"leek",
                                                                                 "fig leek"};
    static const uint32_t order[] = {0, 1}, twice[] = {0, 0}, beyond[] = {0, 2};

    (void)state;
    /* An item that nothing covers, a published item that covers none, and a bag that is short. */
    refused(KN_TYPE_SET, leeks, (const char *const[]){"", "fig leek"}, 2, order, KN_EINPUT,
            "record 1");
    refused(KN_TYPE_SET, before, (const char *const[]){"fruit leek", "fig leek"}, 2, order,
            KN_EINPUT, "record 2");
    refused(KN_TYPE_BAG, (const char *const[]){"fig fig", "fig"},
            (const char *const[]){"fruit", "fig"}, 2, order, KN_EINPUT, "record 1");
    refused(KN_TYPE_SET, before, (const char *const[]){"plum leek", "fig"}, 2, order, KN_EINPUT,
            "plum");
    refused(KN_TYPE_SET, before, before, 2, twice, KN_EUSAGE, "taken already");
    refused(KN_TYPE_SET, before, before, 2, beyond, KN_EUSAGE, "not there");
}

static void made_along(const char *hierarchy, kn_type type, const char *const *before,
                       const char *const *after, size_t count, const char *gone, kn_status status,
                       double ncp, double suppressed)
{
    kn_dataset *original = lists(type, before, count), *release = lists(type, after, count);
    kn_hierarchies *hs = tree(hierarchy);
    uint32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint8_t left_out[8] = {0};
    kn_measures *m = NULL;

    for (uint32_t i = 0; gone && i < kn__column_values(&original->column[0]); i++) {
        size_t len;
        const char *text = kn__column_text(&original->column[0], i, &len);
        left_out[i] = strlen(gone) == len && memcmp(text, gone, len) == 0;
    }
    assert_int_equal(kn__measure_release(&m, original, release, order, hs, gone ? left_out : NULL,
                                         NULL, NULL),
                     status);
    if (status == KN_OK) {
        assert_near(kn_measures_value(m, "ncp", NULL), ncp);
        assert_near(kn_measures_value(m, "items_suppressed", NULL), suppressed);
    }
    kn_measures_free(m);
    /* Who was not told finds out. */
    if (status == KN_OK) {
        assert_int_equal(kn_measure(&m, original, release, NULL, hs, NULL, NULL), KN_OK);
        assert_near(kn_measures_value(m, "ncp", NULL), ncp);
        assert_near(kn_measures_value(m, "items_suppressed", NULL), suppressed);
        kn_measures_free(m);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void made(kn_type type, const char *const *before, const char *const *after, size_t count,
                 const char *gone, kn_status status, double ncp, double suppressed)
{
    made_along(fruit, type, before, after, count, gone, status, ncp, suppressed);
}

/* z is an item, and a group that it is not in. */
static void test_one_name_for_two(void **state)
{
    static const char zs[] = "c;z;g;*\nx;z;g;*\nf;f;g;*\nz;q;h;*\nw;q;h;*\n";
    static const char one[] = "a;g;*\nb;a;*\nc;h;*\n";
    static const char *const both[] = {"c z", "w"}, *const ab[] = {"a b", "c"};

    (void)state;
    /* The item keeps its name and c does not, or the other way round. */
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"g z", "w"}, 2, NULL, KN_OK, 0.2, 0);
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"q z", "w"}, 2, NULL, KN_OK, 0.8 / 3,
               0);
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"z z", "w"}, 2, NULL, KN_OK, 0.4 / 3,
               0);
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"g z", ""}, 2, "w", KN_OK, 1.6 / 3,
               1.0 / 3);
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"g g", "w"}, 2, NULL, KN_EINPUT, 0, 0);
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"f z", "w"}, 2, NULL, KN_EINPUT, 0, 0);
    made_along(zs, KN_TYPE_BAG, both, (const char *const[]){"z", "w"}, 2, NULL, KN_EINPUT, 0, 0);
    /* Where items are left out, what is published must stand for others. */
    made_along(zs, KN_TYPE_SET, both, (const char *const[]){"g z", ""}, 2, "w", KN_OK, 1.4 / 3,
               1.0 / 3);
    made_along(zs, KN_TYPE_SET, (const char *const[]){"w x", "w"},
               (const char *const[]){"w z", "w"}, 2, "x", KN_EINPUT, 0, 0);
    /* A group of one is no narrower than the item itself. */
    made_along(one, KN_TYPE_SET, ab, (const char *const[]){"a b", ""}, 2, "c", KN_OK, 1.0 / 3,
               1.0 / 3);
    made_along(one, KN_TYPE_BAG, ab, ab, 2, NULL, KN_OK, 0, 0);
}

static void test_left_out(void **state)
{
    static const char *const sets[] = {"apple leek", "fig", "leek", "pear"};
    static const char *const without[] = {"apple", "fig", "", "pear"};
    static const char *const groups[] = {"fruit", "fruit", "", "fruit"};
    static const char *const bags[] = {"fig fig kale", "kale kale", "fig"};

    (void)state;
    made(KN_TYPE_SET, sets, sets, 4, NULL, KN_OK, 0, 0);
    made(KN_TYPE_SET, sets, without, 4, "leek", KN_OK, 2.0 / 5, 2.0 / 5);
    made(KN_TYPE_SET, sets, groups, 4, "leek", KN_OK, (2 + 3 * 0.6) / 5, 2.0 / 5);
    made(KN_TYPE_BAG, bags, (const char *const[]){"fig fig", "", "fig"}, 3, "kale", KN_OK, 0.5,
         0.5);
    /* Not said, something else said, and said of what is there: in one record, as itself or as a
     * group. */
    made(KN_TYPE_SET, sets, without, 4, NULL, KN_EINPUT, 0, 0);
    made(KN_TYPE_SET, sets, without, 4, "fig", KN_EINPUT, 0, 0);
    made(KN_TYPE_SET, sets, sets, 4, "leek", KN_EINPUT, 0, 0);
    made(KN_TYPE_SET, sets, (const char *const[]){"apple leek", "fig", "", "pear"}, 4, "leek",
         KN_EINPUT, 0, 0);
    made(KN_TYPE_SET, (const char *const[]){"apple fig", "apple", "fig"},
         (const char *const[]){"apple fruit", "apple", ""}, 3, "fig", KN_EINPUT, 0, 0);
    made(KN_TYPE_BAG, bags, (const char *const[]){"fig fig", "kale kale", "fig"}, 3, "kale",
         KN_EINPUT, 0, 0);
}

/* Random records over five items, each published as itself, its group or the root, in all records
 * alike: the loss is the mean over the occurrences. */
static void test_random(void **state)
{
    static const char *const leaf[] = {"apple", "pear", "fig", "leek", "kale"};
    static const char *const group[] = {"fruit", "fruit", "fruit", "leek", "green"};
    static const double ncp[] = {0.6, 0.6, 0.6, 0, 0}, loss[] = {0.5, 0.5, 0.5, 0, 0};
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 1, 0);
    for (int n = 0; n < 3000; n++) {
        char text[2][12][200];
        const char *row[2][12];
        const bool bags = n % 2 == 1;
        const size_t records = 1 + (size_t)kn__rng_below(&rng, 12);
        /* 0: leaf, 1: group, 2: root, for all at once or for fruit alone */
        const int up = (int)kn__rng_below(&rng, 3), whole = up == 2 || kn__rng_below(&rng, 2);
        expected e = {0, 0, 0, 0};
        double all = 0;
        for (size_t i = 0; i < records; i++) {
            bool there[5] = {false}, out[5] = {false}, star = false;
            const size_t len = (size_t)kn__rng_below(&rng, 6);
            text[0][i][0] = text[1][i][0] = '\0';
            row[0][i] = text[0][i];
            row[1][i] = text[1][i];
            for (size_t j = 0; j < len; j++) {
                const size_t x = (size_t)kn__rng_below(&rng, 5);
                const int level = whole || x < 3 ? up : 0;
                const char *word = level == 0 ? leaf[x] : level == 1 ? group[x] : "*";
                bool *known = level == 2 ? &star : &out[level == 1 && x < 3 ? 0 : x];
                if (!bags && there[x]) {
                    continue;
                }
                there[x] = true;
                all++;
                e.ncp += level == 0 ? 0 : level == 1 ? ncp[x] : 1;
                e.loss += level == 0 ? 0 : level == 1 ? loss[x] : 1;
                /* leek is called so on both levels */
                e.changed += level == 2 || (level == 1 && x != 3);
                strcat(strcat(text[0][i], *text[0][i] ? " " : ""), leaf[x]);
                if (bags || !*known) {
                    strcat(strcat(text[1][i], *text[1][i] ? " " : ""), word);
                }
                *known = true;
            }
        }
        if (all > 0) {
            check(bags ? KN_TYPE_BAG : KN_TYPE_SET, row[0], records, row[1], records, NULL,
                  (expected){e.ncp / all, e.loss / all, e.changed / all, 0});
        }
    }
}

/* ---- looking up against searching ---- */

static const char deep[] = "a;ab;abcd;*\nb;ab;abcd;*\nc;cd;abcd;*\nd;cd;abcd;*\n"
                           "e;efg;eh;*\nf;efg;eh;*\ng;efg;eh;*\nh;hi;eh;*\ni;hi;eh;*\n";
enum { LETTERS = 9, DEEP = 3 };

/* A record of random letters, and the same published: mostly with one of the names above each. */
static void random_record(kn_rng *rng, bool bags, char *before, char *after)
{
    static const char *const name[LETTERS][DEEP] = {
        {"a", "ab", "abcd"}, {"b", "ab", "abcd"}, {"c", "cd", "abcd"},
        {"d", "cd", "abcd"}, {"e", "efg", "eh"},  {"f", "efg", "eh"},
        {"g", "efg", "eh"},  {"h", "hi", "eh"},   {"i", "hi", "eh"},
    };
    const size_t len = (size_t)kn__rng_below(rng, 7);

    *before = *after = '\0';
    for (size_t j = 0; j < len; j++) {
        const size_t x = (size_t)kn__rng_below(rng, LETTERS);
        const size_t y = kn__rng_below(rng, 12) ? x : (size_t)kn__rng_below(rng, LETTERS);
        const char *word = name[y][kn__rng_below(rng, DEEP)];
        char spaced[8];
        (void)snprintf(spaced, sizeof spaced, " %s ", name[x][0]);
        if (bags || !strstr(before, spaced)) {
            strcat(before, spaced);
        }
        (void)snprintf(spaced, sizeof spaced, " %s ", word);
        if (kn__rng_below(rng, 12) && (bags || !strstr(after, spaced))) {
            strcat(after, spaced);
        }
    }
}

/* One blank between words, none around them. */
static void tidy(char *text)
{
    char *to = text;

    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        const size_t len = strlen(word);
        if (to > text) {
            *to++ = ' ';
        }
        memmove(to, word, len);
        to += len;
    }
    *to = '\0';
}

static void test_looked_up(void **state)
{
    enum { RECORDS = 8 };
    kn_rng rng;
    size_t fitting = 0, known = 0;

    (void)state;
    kn__rng_seed(&rng, 7, 0);
    for (int n = 0; n < 2000; n++) {
        char before[RECORDS][80], after[RECORDS][80];
        const char *row[2][RECORDS];
        const bool bags = n % 2 == 1;
        const kn_type type = bags ? KN_TYPE_BAG : KN_TYPE_SET;
        uint8_t left_out[LETTERS] = {0};
        kn_dataset *original, *release;
        kn_hierarchies *hs = tree(deep);
        kn_items *x;
        for (size_t i = 0; i < RECORDS; i++) {
            random_record(&rng, bags, before[i], after[i]);
            tidy(before[i]);
            tidy(after[i]);
            if (i == 0) { /* what occurs nowhere cannot be published */
                strcpy(before[i], "a b c d e f g h i");
                strcpy(after[i], before[i]);
            }
            row[0][i] = before[i];
            row[1][i] = after[i];
        }
        left_out[kn__rng_below(&rng, LETTERS)] = 1;
        original = lists(type, row[0], RECORDS);
        release = lists(type, row[1], RECORDS);
        assert_int_equal(kn__items_new(&x, original, release, hs, true,
                                       n % 3 == 0 ? left_out : NULL, NULL, NULL),
                         KN_OK);
        known += x->narrowest != NULL;
        for (size_t i = 0; x->narrowest && i < RECORDS * RECORDS; i++) {
            kn__items_sums looked = {0}, searched = {0};
            uint32_t *narrowest = x->narrowest;
            const bool fits = kn__items_match(x, &x->worker[0], i / RECORDS, i % RECORDS, &looked);
            x->narrowest = NULL;
            assert_int_equal(kn__items_match(x, &x->worker[0], i / RECORDS, i % RECORDS, &searched),
                             fits);
            x->narrowest = narrowest;
            assert_memory_equal(&looked, &searched, sizeof looked);
            fitting += fits;
        }
        kn__items_free(x);
        kn_hierarchies_free(hs);
        kn_dataset_free(original);
        kn_dataset_free(release);
    }
    assert_true(known == 2000 && fitting > 5000);
}

static void test_memory(void **state)
{
    static const char *const before[] = {"apple leek", "fig", "kale kale"};
    static const char *const after[] = {"fruit leek", "fruit", "kale kale"};
    kn_dataset *original = lists(KN_TYPE_BAG, before, 3), *release = lists(KN_TYPE_BAG, after, 3);
    kn_hierarchies *hs = tree(fruit);
    kn_status status = KN_ENOMEM;
    kn_measures *m = NULL;

    (void)state;
    for (size_t after_n = 1; status != KN_OK; after_n++) {
        kn__memory_fail_after(after_n);
        status = kn_measure(&m, original, release, NULL, hs, NULL, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        assert_true((m != NULL) == (status == KN_OK));
    }
    kn_measures_free(m);
    kn_dataset_free(release);
    release = lists(KN_TYPE_BAG, (const char *const[]){"fruit", "fruit", "kale kale"}, 3);
    status = KN_ENOMEM;
    for (size_t after_n = 1; status != KN_OK; after_n++) { /* leek is left out */
        kn__memory_fail_after(after_n);
        status = kn_measure(&m, original, release, NULL, hs, NULL, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        assert_true((m != NULL) == (status == KN_OK));
    }
    assert_near(kn_measures_value(m, "items_suppressed", NULL), 0.2);
    kn_measures_free(m);
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_left_out),         cmocka_unit_test(test_random),
        cmocka_unit_test(test_one_name_for_two), cmocka_unit_test(test_looked_up),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
