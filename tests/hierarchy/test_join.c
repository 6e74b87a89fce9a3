/* test_join.c - several hierarchies for one column of items, joined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "hierarchy/hierarchy.h"

static kn_hierarchy *parse(const char *name, const char *text)
{
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    if (kn__hierarchy_parse(&h, name, text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return h;
}

static char *rows_of(const kn_hierarchy *h)
{
    kn_buffer out = {0};
    const char *reason = "";

    if (!kn__hierarchy_validate(h, &reason)) {
        fail_msg("%s", reason);
    }
    assert_int_equal(kn__hierarchy_format(h, &out, NULL), KN_OK);
    return out.data;
}

static void join_is(const char *a, const char *b, const char *expected)
{
    kn_hierarchy *family[] = {parse("a.csv", a), parse("b.csv", b)}, *h = NULL;
    kn_error err = {0};
    char *rows;

    if (kn_hierarchy_join(&h, (const kn_hierarchy *const *)family, 2, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    rows = rows_of(h);
    assert_string_equal(rows, expected);
    kn__free(rows);
    kn_hierarchy_free(h);
    kn_hierarchy_free(family[0]);
    kn_hierarchy_free(family[1]);
}

static void refused(const char *a, const char *b, const char *words)
{
    kn_hierarchy *family[] = {parse("a.csv", a), parse("b.csv", b)};
    kn_hierarchy *h = (kn_hierarchy *)(uintptr_t)1;
    const size_t before = kn_memory_in_use();
    kn_error err = {0};

    assert_int_equal(kn_hierarchy_join(&h, (const kn_hierarchy *const *)family, 2, &err),
                     KN_EINPUT);
    assert_null(h);
    if (!strstr(err.message, words)) {
        fail_msg("\"%s\" is not in \"%s\"", words, err.message);
    }
    assert_int_equal(kn_memory_in_use(), before);
    kn_hierarchy_free(family[0]);
    kn_hierarchy_free(family[1]);
}

static void test_roots(void **state)
{
    kn_hierarchy *only = parse("a.csv", "brie;cheese;Food\n"), *h = NULL;
    char *rows;

    (void)state;
    /* A name is a group; `*` is none. */
    join_is("brie;cheese;Food\n", "sock;wool;Clothes\n",
            "brie;cheese;Food;*\nsock;wool;Clothes;*\n");
    join_is("brie;cheese;*\n", "sock;wool;Clothes\n", "brie;cheese;*\nsock;wool;Clothes;*\n");
    join_is("brie;cheese;*\nplum;*\n", "sock;wool;*\n", "brie;cheese;*\nplum;*\nsock;wool;*\n");
    /* A value may be called like a group, here as in one file. */
    join_is("apple;fruit;*\n", "phone;apple;*\n", "apple;fruit;*\nphone;apple;*\n");
    /* A label on two levels of one family. */
    join_is("a;g;g;*\n", "b;h;*\n", "a;g;g;*\nb;h;*\n");

    assert_int_equal(kn_hierarchy_join(&h, (const kn_hierarchy *const *)&only, 1, NULL), KN_OK);
    rows = rows_of(h);
    assert_string_equal(rows, "brie;cheese;Food;*\n");
    kn__free(rows);
    kn_hierarchy_free(h);
    kn_hierarchy_free(only);
    assert_int_equal(kn_hierarchy_join(&h, NULL, 0, NULL), KN_EUSAGE);
    assert_null(h);
}

static void test_refused(void **state)
{
    (void)state;
    refused("brie;cheese;*\n", "sock;*\nbrie;fabric;*\n",
            "b.csv:2: value \"brie\" is in a.csv:1 too; of the hierarchies of one column, every "
            "value belongs in one only");
    refused("brie;x;*\nplum;Other;*\n", "sock;Other;*\n",
            "b.csv:1: there is a group \"Other\" in a.csv:2 too");
    refused("brie;x;*\nplum;Other;*\n", "sock;wool;Other\n", "there is a group \"Other\"");
    refused("name age\ntype int\nheight 2\n\n0,20 has 0,10 10,20\n", "sock;*\n",
            "a.csv: its values are ranges");
    refused("name x\ntype string\nheight 2\n\n* has a NaN\n",
            "name y\ntype string\nheight 2\n\n* has b (null)\n", "is in a.csv");
}

/* A missing value that one family lists. */
static void test_missing(void **state)
{
    kn_hierarchy *family[] = {parse("a.csv", "plum;*\n"),
                              parse("b.csv", "name x\ntype string\nheight 2\n\n* has a NaN\n")};
    kn_hierarchy *h = NULL;

    (void)state;
    assert_int_equal(kn_hierarchy_join(&h, (const kn_hierarchy *const *)family, 2, NULL), KN_OK);
    assert_int_equal(h->missing, 2);
    assert_string_equal(kn__hierarchy_label(h, h->missing), "NaN");
    assert_true(kn__hierarchy_validate(h, NULL));
    kn_hierarchy_free(h);
    kn_hierarchy_free(family[0]);
    kn_hierarchy_free(family[1]);
}

/* Rows of a random family: labels end with its letter, `*` or a name is the root. */
static void random_rows(kn_rng *rng, char letter, char *text, char *joined)
{
    const int leaves = 1 + (int)kn__rng_below(rng, 6);
    const bool named = kn__rng_below(rng, 2) == 0;
    char root[4] = "*";

    *text = '\0';
    if (named) {
        snprintf(root, sizeof root, "R%c", letter);
    }
    for (int i = 0; i < leaves; i++) {
        char row[64] = "";
        const int group = (int)kn__rng_below(rng, 3), depth = group % 2 + (group > 0);
        size_t len = (size_t)snprintf(row, sizeof row, "v%d%c;", i, letter);
        for (int d = depth; d > 0; d--) {
            len += (size_t)snprintf(row + len, sizeof row - len, "g%d.%d%c;", group, d, letter);
        }
        sprintf(text + strlen(text), "%s%s\n", row, root);
        sprintf(joined + strlen(joined), named ? "%s%s;*\n" : "%s%s\n", row, root);
    }
}

/* Joining is what writing the rows below one another would be. */
static void test_random(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 3, 0);
    for (int round = 0; round < 3000; round++) {
        const size_t count = 1 + kn__rng_below(&rng, 4);
        char text[1024], joined[4096] = "";
        kn_hierarchy *family[4] = {NULL}, *h = NULL, *oracle;
        char *rows, *expected;

        for (size_t i = 0; i < count; i++) {
            random_rows(&rng, (char)('A' + i), text, joined);
            family[i] = parse("f.csv", text);
        }
        assert_int_equal(kn_hierarchy_join(&h, (const kn_hierarchy *const *)family, count, NULL),
                         KN_OK);
        oracle = parse("o.csv", joined);
        rows = rows_of(h);
        expected = rows_of(oracle);
        assert_string_equal(rows, expected);
        assert_int_equal(h->nodes, oracle->nodes);
        assert_int_equal(h->levels, oracle->levels);
        kn__free(rows);
        kn__free(expected);
        kn_hierarchy_free(h);
        kn_hierarchy_free(oracle);
        for (size_t i = 0; i < count; i++) {
            kn_hierarchy_free(family[i]);
        }
    }
}

static void test_families_of_a_column(void **state)
{
    kn_hierarchies *hs = NULL;
    kn_hierarchy *again;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add_family(hs, "x", parse("a.csv", "a;*\n"), NULL), KN_OK);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "x")), 1);
    assert_int_equal(kn_hierarchies_add_family(hs, "x", parse("b.csv", "b;B\n"), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add_family(hs, "x", parse("c.csv", "c;C\n"), NULL), KN_OK);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "x")), 3);
    assert_int_equal(kn_hierarchy_nodes(kn_hierarchies_get(hs, "x")), 6);
    /* The files are still known by name. */
    again = parse("d.csv", "d;*\nb;*\n");
    assert_int_equal(kn_hierarchies_add_family(hs, "x", again, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "d.csv:2: value \"b\" is in b.csv:1 too"));
    kn_hierarchy_free(again);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "x")), 3);
    assert_int_equal(kn_hierarchies_add(hs, "x", parse("e.csv", "e;*\n"), NULL), KN_OK);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "x")), 1);
    kn_hierarchies_free(hs);
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fputs(text, f) >= 0, 1);
    assert_int_equal(fclose(f), 0);
}

/* items.food.csv and items.wear.csv are families of a column of items; where `items` has one value
 * a record, or items.food is a column of its own, they are not. */
static void test_folder(void **state)
{
    char name_items[] = "items", name_food[] = "items.food";
    kn_column columns[] = {{.name = name_items, .type = KN_TYPE_SET},
                           {.name = name_food, .type = KN_TYPE_CATEGORY}};
    kn_dataset ds = {.columns = 1, .column = columns};
    kn_hierarchies *hs = NULL;
    size_t found = 9;

    (void)state;
    (void)mkdir("families", 0700);
    put_file("families/items.food.csv", "brie;Food\n");
    put_file("families/items.wear.txt", "sock;Wear\n");
    put_file("families/itemsx.csv", "x\n");
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "families", &ds, NULL), KN_OK);
    assert_int_equal(found, 1);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "items")), 2);
    kn_hierarchies_free(hs);

    ds.columns = 2;
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "families", &ds, NULL), KN_OK);
    assert_int_equal(found, 2);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "items")), 1);
    assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "items.food")), 1);
    kn_hierarchies_free(hs);

    ds.columns = 1;
    columns[0].type = KN_TYPE_CATEGORY;
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "families", &ds, NULL), KN_OK);
    assert_int_equal(found, 0);
    kn_hierarchies_free(hs);

    columns[0].type = KN_TYPE_BAG;
    put_file("families/items.csv", "plum;*\n");
    for (size_t n = 1; n < 200; n++) {
        const size_t before = kn_memory_in_use();
        kn_status status;
        kn__memory_fail_after(n);
        status = kn_hierarchies_new(&hs, NULL);
        if (status == KN_OK) {
            status = kn_hierarchies_read_folder(&found, hs, "families", &ds, NULL);
        }
        kn__memory_fail_after(0);
        if (status == KN_OK) {
            assert_int_equal(kn_hierarchy_leaves(kn_hierarchies_get(hs, "items")), 3);
        } else {
            assert_int_equal(status, KN_ENOMEM);
        }
        kn_hierarchies_free(hs);
        hs = NULL;
        assert_int_equal(kn_memory_in_use(), before);
    }
    (void)remove("families/items.csv");
    (void)remove("families/items.food.csv");
    (void)remove("families/items.wear.txt");
    (void)remove("families/itemsx.csv");
    (void)rmdir("families");
}

static void test_memory(void **state)
{
    kn_hierarchy *family[] = {parse("a.csv", "brie;cheese;Food\nplum;fruit;Food\n"),
                              parse("b.csv", "sock;wool;*\n")};
    kn_status status = KN_ENOMEM;

    (void)state;
    for (size_t n = 1; status != KN_OK; n++) {
        const size_t before = kn_memory_in_use();
        kn_hierarchy *h = NULL;
        assert_true(n < 1000);
        kn__memory_fail_after(n);
        status = kn_hierarchy_join(&h, (const kn_hierarchy *const *)family, 2, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || (status == KN_ENOMEM && !h));
        kn_hierarchy_free(h);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_hierarchy_free(family[0]);
    kn_hierarchy_free(family[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_families_of_a_column),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
