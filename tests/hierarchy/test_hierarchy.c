/* test_hierarchy.c - reading, refusing, writing, drawing and collecting hierarchies. */
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
#include "hierarchy/hierarchy.h"
#include "oracle/hierarchy_column.h"
#include "oracle/hierarchy_rows.h"

static kn_hierarchy *parse(const char *text)
{
    kn_hierarchy *h = NULL;
    kn_error err = {0};
    const char *reason = "";

    if (kn__hierarchy_parse(&h, "h.csv", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (!kn__hierarchy_validate(h, &reason)) {
        fail_msg("%s", reason);
    }
    return h;
}

static void parse_fails_with(const char *text, size_t len, const char *words)
{
    kn_hierarchy *h = (kn_hierarchy *)(uintptr_t)1;
    kn_error err = {0};
    const size_t before = kn_memory_in_use();

    assert_int_equal(kn__hierarchy_parse(&h, "h.csv", text, len, &err), KN_EINPUT);
    assert_null(h);
    assert_int_equal(err.status, KN_EINPUT);
    if (!strstr(err.message, words)) {
        fail_msg("\"%s\" is not in \"%s\"", words, err.message);
    }
    assert_int_equal(kn_memory_in_use(), before);
    assert_int_equal(kn__hierarchy_parse(&h, "h.csv", text, len, NULL), KN_EINPUT);
}

static void refused(const char *text, const char *words)
{
    parse_fails_with(text, strlen(text), words);
}

/* The rows as written, to compare with. */
static void writes(const char *text, const char *expected)
{
    kn_hierarchy *h = parse(text);
    kn_buffer out = {0};

    assert_int_equal(kn__hierarchy_format(h, &out, NULL), KN_OK);
    assert_string_equal(out.data, expected);
    kn__buffer_free(&out);
    kn_hierarchy_free(h);
}

static void test_rows(void **state)
{
    kn_hierarchy *h;

    (void)state;
    h = parse("1;0-4;*\n2;0-4;*\n7;5-9;*\n");
    assert_int_equal(kn_hierarchy_levels(h), 3);
    assert_int_equal(kn_hierarchy_leaves(h), 3);
    assert_int_equal(kn_hierarchy_nodes(h), 6);
    assert_string_equal(kn__hierarchy_label(h, h->parent[0]), "0-4");
    assert_int_equal(h->parent[0], h->parent[1]);
    assert_string_equal(kn__hierarchy_label(h, h->nodes - 1), "*");
    assert_int_equal(h->line[2], 3);
    kn_hierarchy_free(h);

    h = parse("a;*");
    assert_int_equal(kn_hierarchy_levels(h), 2);
    kn_hierarchy_free(h);
    kn_hierarchy_free(NULL);
}

static void test_spellings(void **state)
{
    (void)state;
    writes("a,*\nb,*\n", "a;*\nb;*\n");
    writes("a\t*\nb\t*\n", "a;*\nb;*\n");
    writes("\xEF\xBB\xBF"
           "a;*\r\nb;*\r\n",
           "a;*\nb;*\n");
    writes("\n\na;*\n\n\r\nb;*\n\n", "a;*\nb;*\n");
    writes("a;x,y;*\nb;x,y;*\n", "a;x,y;*\nb;x,y;*\n");
    /* Not every row has a semicolon, every row has a comma. */
    writes("a;b,*\nc,*\n", "\"a;b\";*\nc;*\n");
    writes("\"a\"\"b\";\"x;y\";*\n", "\"a\"\"b\";\"x;y\";*\n");
    writes("\"two\nlines\";*\n", "\"two\nlines\";*\n");
    writes("5\" pipe;*\n", "\"5\"\" pipe\";*\n");
    /* The separator at the end of every row. */
    writes("a;*;\nb;*;\n", "a;*\nb;*\n");
    writes("a;*;\r\nb;*;", "a;*\nb;*\n");
    /* Rows of different depth, labels that repeat on several levels, values named like groups. */
    writes("a;g;*\nb;*\n", "a;g;*\nb;*\n");
    writes("a;g;g;*\nb;h;g;*\n", "a;g;g;*\nb;h;g;*\n");
    writes("Other;Other;*\nx;Other;*\n", "Other;Other;*\nx;Other;*\n");
    writes("Other;*\nx;Other;*\n", "Other;*\nx;Other;*\n");
    writes("*;*\n", "*;*\n");
    writes("name x;type\ntype y;type\n", "name x;type\ntype y;type\n");
    writes("{a;*\n", "{a;*\n");
}

static void test_refused(void **state)
{
    (void)state;
    refused("", "empty");
    refused("\n\r\n  \n", "empty");
    refused("\xEF\xBB\xBF", "empty");
    refused("a;*\nb;*\na;*\n",
            "h.csv:3: value \"a\" is listed twice, first on line 1, with the same");
    refused("a;x;*\nb;y;*\na;y;*\n", "first on line 1, with other groups");
    refused("a;*\nb;all\n", "h.csv:2: the root is \"all\" here, but \"*\" on line 1");
    refused("a;g;x;*\nb;g;x;*\n\nc;g;y;*\n",
            "h.csv:4: group \"g\" on level 1 is below \"y\" here, but below \"x\" on line 1");
    refused("a;*\nb\n", "h.csv:2: a row with one column");
    refused("a\nb\n", "h.csv:1: a row with one column");
    refused("a;\nb;\n", "one column");
    refused("a;;*\nb;x;*\n", "h.csv:1: column 2 is empty");
    refused("a;*;\nb;*\n", "h.csv:1: column 3 is empty");
    refused("\"\";*\n", "column 1 is empty");
    refused(";*\n", "column 1 is empty");
    refused("a;*\n\"b;*\nc;*\n", "h.csv:2: a quote is opened");
    refused("a;*\n\"b\"x;*\n", "h.csv:2: text after a closing quote");
    refused("a;*\nb\xff;*\n", "h.csv:2: invalid UTF-8");
    refused("a;*\r\n\r\nb\xff;*\n", "h.csv:3: invalid UTF-8");
    parse_fails_with("a;*\nb\0;*\n", 9, "h.csv:2: a NUL byte");
    refused("\"two\nlines\";*\nb;*\nb;*\n",
            "h.csv:4: value \"b\" is listed twice, first on line 3");
}

static void test_too_deep(void **state)
{
    kn_buffer text = {0};

    (void)state;
    for (int i = 0; i < KN_LEVELS_MOST; i++) {
        kn__buffer_addf(&text, "%d;", i);
    }
    kn__buffer_addc(&text, '*');
    refused(text.data, "levels");
    kn__buffer_free(&text);
}

static void test_long_labels(void **state)
{
    kn_buffer text = {0};

    (void)state;
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < 100; i++) {
            kn__buffer_adds(&text, "\xC3\xA4");
        }
        kn__buffer_adds(&text, ";*\n");
    }
    refused(text.data, "\xC3\xA4...\" is listed twice");
    kn__buffer_free(&text);
}

static const char amnesia[] = "name c_h\ntype string\nheight 3\n\n"
                              "A* has AB1 AB2\nC* has CD1\n\n** has A* C* NaN\n";
static const char ranges[] = "name age_h\r\ntype int\r\nheight 3\r\n\r\n"
                             "0.0,20.0 has 0.0,10.0 10.0,20.0\r\n"
                             "20.0,40.0 has 20.0,30.0 30.0,40.0\r\n\r\n"
                             "0.0,40.0 has 0.0,20.0 20.0,40.0 NaN,NaN\r\n";

static void test_amnesia_text(void **state)
{
    kn_hierarchy *h = parse(amnesia);

    (void)state;
    assert_int_equal(h->leaves, 4);
    assert_int_equal(h->levels, 3);
    assert_string_equal(kn__hierarchy_label(h, h->missing), "NaN");
    assert_string_equal(kn__hierarchy_label(h, h->parent[0]), "A*");
    assert_string_equal(kn__hierarchy_label(h, h->nodes - 1), "**");
    assert_null(h->low);
    kn_hierarchy_free(h);

    h = parse(ranges);
    assert_int_equal(h->leaves, 5);
    assert_int_equal(h->levels, 4);
    assert_true(kn__hierarchy_is_range(h, 0));
    assert_false(kn__hierarchy_is_range(h, h->missing));
    assert_false(h->closed[0]);
    assert_true(h->closed[1]);
    kn_hierarchy_free(h);

    /* A group may have a child of its own name, and names may repeat from block to block. */
    h = parse("name x\ntype string\n\nX has X Y\n\nX has X Z\n");
    assert_int_equal(h->leaves, 3);
    assert_int_equal(h->nodes, 5);
    kn_hierarchy_free(h);
    /* Words of the header are groups like others once it is over. */
    h = parse("name x\ntype string\n\nname has a\nheight has b\nR has name height\n");
    assert_int_equal(h->leaves, 2);
    kn_hierarchy_free(h);
    /* Numbers one by one. */
    h = parse("name x\ntype int\n\nlow has 1 2\nR has low 3\n");
    assert_null(h->low);
    assert_int_equal(h->levels, 3);
    kn_hierarchy_free(h);
}

static void test_amnesia_refused(void **state)
{
    (void)state;
    refused("name x\ntype colour\n\nA has a\n", "h.csv:2: type \"colour\"");
    refused("name x\ntype string\n\nA has a\nB has b\n",
            "two roots, \"A\" and \"B\" (lines 4 and 5)");
    refused("name x\ntype string\n\nA has a\n\nR has A a\n",
            "h.csv:6: value \"a\" is listed twice");
    refused("name x\ntype string\n\nA has a\nB has A\nC has A\n", "below \"B\" and below \"C\"");
    refused("name x\ntype string\n\nA has a\nA has b\n", "described twice, first on line 4");
    refused("name x\ntype string\n\nA has\n", "h.csv:4: expected a group");
    refused("name x\ntype string\n\nA a b\n", "h.csv:4: expected a group");
    refused("name x\ntype string\nheight 3\n", "empty");
    refused("name x\ntype int\n\nR has 0,10 x\n", "h.csv:4: \"x\" is no number and no range");
    refused("name x\ntype int\n\nR has 0,10 5,20\n", "overlaps");
    refused("name x\ntype int\n\nR has 0,10 0,10\n", "listed twice");
    refused("name x\ntype int\n\nR has 0,10 0.0,10\n", "overlaps");
    refused("name x\ntype int\n\nR has 10,0\n", "end comes before");
    refused("name x\ntype int\n\n0,20 has 0,10 10,30\n", "not within");
    refused("name x\ntype date\n\nR has 13/2000,1/2001\n", "no date");
    refused("name x\ntype date\n\nR has 99999999999999/2000,1/2001\n", "no date");
    refused("name x\ntype string\n\nR has NaN (null)\n", "missing");
}

static void test_amnesia_json(void **state)
{
    kn_hierarchy *h;

    (void)state;
    h = parse("{\"hierType\":\"distinct\",\"name\":\"c\",\"type\":\"string\",\"height\":3,"
              "\"level1\":{\"**\":[\"A*\",\"C*\",\"(null)\"]},"
              "\"level2\":{\"A*\":[\"a b\",\"c\"],\"C*\":[\"d\"]}}");
    assert_int_equal(h->leaves, 4);
    assert_int_equal(h->levels, 3);
    assert_int_not_equal(h->missing, KN_NO_CODE);
    kn_hierarchy_free(h);
    h = parse(" {\n \"type\":\"int\",\"level1\":{\"-10-40\":[\"-10--5\",\"-5-40\"]}}");
    assert_int_equal(h->levels, 3);
    assert_true(h->low[0] == -10 && h->high[0] == -5);
    kn_hierarchy_free(h);
    h = parse("{\"type\":\"int\",\"level1\":{\"R\":[1,2]}}");
    assert_int_equal(h->leaves, 2);
    kn_hierarchy_free(h);

    refused("{\"level1\":", "JSON");
    refused("{}", "level1");
    refused("{\"level1\":{}}", "empty");
    refused("{\"level1\":[]}", "\"level1\" is no object");
    refused("{\"level2\":{\"R\":[\"a\"]}}", "level1");
    refused("{\"level1\":{\"R\":\"a\"}}", "needs a list");
    refused("{\"level1\":{\"R\":[]}}", "needs a list");
    refused("{\"level1\":{\"R\":[\"\"]}}", "empty");
    refused("{\"level1\":{\"R\":[1.5]}}", "no text");
    refused("{\"level1\":{\"R\":[\"a\"],\"S\":[\"b\"]}}", "two roots");
    refused("{\"level1\":{\"R\":[\"a\"]},\"level2\":{\"X\":[\"b\"]}}",
            "nothing in \"level1\" has it");
    refused("{\"level1\":{\"R\":[\"a\"],\"R\":[\"b\"]}}", "JSON");
    refused("{\"level99999999999999999999\":{\"R\":[\"a\"]}}", "level1");
}

/* What is written can be read, and is the same. */
static void round_trip(const kn_hierarchy *h)
{
    kn_buffer one = {0}, two = {0};
    kn_hierarchy *again = NULL;
    kn_error err = {0};

    assert_int_equal(kn__hierarchy_format(h, &one, NULL), KN_OK);
    if (kn__hierarchy_parse(&again, "again", one.data, one.len, &err) != KN_OK) {
        fail_msg("%s in:\n%s", err.message, one.data);
    }
    assert_true(kn__hierarchy_validate(again, NULL));
    assert_int_equal(again->leaves, h->leaves);
    assert_int_equal(again->nodes, h->nodes);
    assert_int_equal(again->levels, h->levels);
    for (uint32_t i = 0; i < h->leaves; i++) {
        const char *label = kn__hierarchy_label(h, i);
        const uint32_t other = kn__dict_find(again->leaf, label, strlen(label));
        uint32_t a = i, b = other;

        assert_int_not_equal(other, KN_NO_CODE);
        assert_int_equal(i == h->missing, other == again->missing);
        if (kn__hierarchy_is_range(h, i)) {
            assert_true(h->low[i] == again->low[other] && h->high[i] == again->high[other]);
            assert_int_equal(h->closed[i], again->closed[other]);
        }
        while (h->parent[a] != a) {
            a = h->parent[a];
            b = again->parent[b];
            assert_string_equal(kn__hierarchy_label(h, a), kn__hierarchy_label(again, b));
        }
    }
    assert_int_equal(kn__hierarchy_format(again, &two, NULL), KN_OK);
    kn_hierarchy_free(again);
    kn__buffer_free(&one);
    kn__buffer_free(&two);
}

static void test_round_trips(void **state)
{
    static const char *const texts[] = {
        amnesia, ranges, "a;*\n", "\"a;\"\"b\";x y;*\n",
        "name d\ntype date\n\nR has 1/2000,6/2000 7/2000,12/2000 2001 null,null\n"};
    kn_rng rng;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        kn_hierarchy *h = parse(texts[i]);
        round_trip(h);
        kn_hierarchy_free(h);
    }
    kn__rng_seed(&rng, 1, 0);
    for (int round = 0; round < 500; round++) {
        static oracle_rows o;
        kn_buffer text = {0};
        kn_hierarchy *h;

        oracle_random(&o, &rng);
        for (size_t i = 0; i < o.count; i++) {
            for (size_t j = 0; j < o.row[i].count; j++) {
                kn__buffer_addf(&text, "%s%s", j ? ";" : "", o.row[i].label[j]);
            }
            kn__buffer_addc(&text, '\n');
        }
        if (o.count) {
            h = parse(text.data);
            assert_int_equal(h->leaves, o.count);
            round_trip(h);
            kn_hierarchy_free(h);
        }
        kn__buffer_free(&text);
    }
}

static void test_files(void **state)
{
    kn_hierarchy *h = parse("a;g;*\nb;*\n"), *again = NULL;
    kn_error err = {0};
    struct stat info;

    (void)state;
    assert_int_equal(kn_hierarchy_write(h, "written.csv", &err), KN_OK);
    assert_int_equal(kn_hierarchy_write(h, "./written.csv", &err), KN_OK);
    assert_int_equal(kn_hierarchy_read(&again, "written.csv", &err), KN_OK);
    assert_int_equal(again->leaves, 2);
    kn_hierarchy_free(again);
    assert_int_equal(unlink("written.csv"), 0);

    assert_int_equal(kn_hierarchy_write(h, "no/such/folder.csv", &err), KN_EIO);
    assert_int_equal(kn_hierarchy_write(h, ".", &err), KN_EUSAGE);
    if (stat("/dev/full", &info) == 0) {
        assert_int_equal(kn_hierarchy_read(&again, "/dev/null", &err), KN_EINPUT);
    }
    assert_int_equal(kn_hierarchy_read(&again, "absent.csv", &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "absent.csv: there is no such file"));
    assert_null(again);
    assert_int_equal(kn_hierarchy_read(&again, ".", &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "is a folder"));
    if (getuid() != 0) {
        FILE *file = fopen("closed.csv", "w");
        fputs("a;*\n", file);
        fclose(file);
        chmod("closed.csv", 0);
        assert_int_equal(kn_hierarchy_read(&again, "closed.csv", &err), KN_EINPUT);
        assert_non_null(strstr(err.message, "cannot be read"));
        unlink("closed.csv");
    }
    kn_hierarchy_free(h);
}

static void test_show(void **state)
{
    kn_hierarchy *h = parse("a;x;*\nb;x;*\nc;x;*\nd;y;*\ne;*\n");
    char *text = NULL;

    (void)state;
    assert_int_equal(kn_hierarchy_show(&text, h, 0, 0, NULL), KN_OK);
    assert_string_equal(text, "*  (5 values, 3 levels)\n"
                              "├── e\n"
                              "├── x  (3)\n"
                              "│   ├── a\n"
                              "│   ├── b\n"
                              "│   └── c\n"
                              "└── y  (1)\n"
                              "    └── d\n");
    kn_string_free(text);
    assert_int_equal(kn_hierarchy_show(&text, h, 2, 0, NULL), KN_OK);
    assert_string_equal(text, "*  (5 values, 3 levels)\n"
                              "├── e\n"
                              "├── x  (3)\n"
                              "│   ├── a\n"
                              "│   ├── b\n"
                              "│   └── … 1 more\n"
                              "└── … 1 more\n");
    kn_string_free(text);
    assert_int_equal(kn_hierarchy_show(&text, h, 0, 2, NULL), KN_OK);
    assert_string_equal(text, "*  (5 values, 3 levels)\n├── e\n├── x  (3)\n└── y  (1)\n");
    kn_string_free(text);
    assert_int_equal(kn_hierarchy_show(&text, h, 0, 1, NULL), KN_OK);
    assert_string_equal(text, "*  (5 values, 3 levels)\n");
    kn_string_free(text);
    kn_hierarchy_free(h);
}

static void test_collection(void **state)
{
    kn_dataset *ds = COLUMN(KN_TYPE_CATEGORY, "a", "b");
    kn_hierarchy *h = parse("a;*\n");
    kn_hierarchies *hs = NULL;
    kn_error err = {0};
    size_t found = 9;

    (void)state;
    assert_int_equal(kn_hierarchies_new(&hs, &err), KN_OK);
    assert_null(kn_hierarchies_get(hs, "c"));
    assert_null(kn_hierarchies_get(NULL, "c"));
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "absent", ds, &err), KN_EINPUT);
    mkdir("folder", 0700);
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "folder", ds, &err), KN_OK);
    assert_int_equal(found, 0);
    assert_int_equal(kn_hierarchy_write(h, "folder/c.txt", &err), KN_OK);
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "folder/", ds, &err), KN_OK);
    assert_int_equal(found, 1);
    assert_non_null(kn_hierarchies_get(hs, "c"));
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "folder", ds, &err), KN_OK);
    assert_int_equal(found, 0);
    assert_int_equal(kn_hierarchies_read_folder(&found, hs, "folder/c.txt", ds, &err), KN_EINPUT);
    assert_int_equal(kn_hierarchies_add(hs, "c", h, &err), KN_OK);
    assert_ptr_equal(kn_hierarchies_get(hs, "c"), h);

    assert_int_equal(kn_hierarchy_covers(h, ds, 0, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "h.csv: 1 value of column \"c\" is in no row"));
    assert_non_null(strstr(err.message, "\"b\""));
    assert_non_null(strstr(err.message, "--uncovered suppress"));
    ds->column[0].role = KN_ROLE_IDENTIFIER;
    assert_int_equal(kn_hierarchy_covers(h, ds, 0, &err), KN_EINPUT);
    assert_null(strstr(err.message, "\"b\""));
    assert_int_equal(kn_hierarchy_covers(h, ds, 1, &err), KN_EUSAGE);
    unlink("folder/c.txt");
    rmdir("folder");
    kn_hierarchies_free(hs);
    kn_hierarchies_free(NULL);
    kn_dataset_free(ds);
}

static void test_real_files(void **state)
{
    static const struct {
        const char *path;
        size_t leaves, levels;
    } files[] = {{KN_SHARED_DATA "/adult/hierarchies/age.csv", 100, 5},
                 {KN_SHARED_DATA "/adult/hierarchies/education.csv", 16, 4},
                 {KN_SHARED_DATA "/adult/hierarchies/native-country.csv", 41, 3},
                 {KN_SHARED_DATA "/adult/hierarchies/sex.csv", 2, 2},
                 {KN_SHARED_DATA "/adult/hierarchies/workclass.csv", 8, 3},
                 {KN_SHARED_DATA "/rt/icd9.hierarchy.csv", 1221, 5},
                 {KN_SHARED_DATA "/sets/bms-webview-2.hierarchy.csv", 3340, 7}};
    size_t absent = 0;
    kn_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        kn_hierarchy *h = NULL;
        if (access(files[i].path, R_OK) != 0) {
            print_message("skipped: %s is not there\n", files[i].path);
            absent++;
            continue;
        }
        if (kn_hierarchy_read(&h, files[i].path, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_true(kn__hierarchy_validate(h, NULL));
        assert_int_equal(h->leaves, files[i].leaves);
        assert_int_equal(h->levels, files[i].levels);
        round_trip(h);
        kn_hierarchy_free(h);
    }
    if (absent) {
        skip();
    }
}

static void test_no_memory(void **state)
{
    static const char *const texts[] = {
        amnesia, ranges, "a;g;*\n\"b\";g;*\nc;*\n",
        "{\"level1\":{\"R\":[\"a\",\"X\"]},\"level2\":{\"X\":[\"b\"]}}"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t before = kn_memory_in_use();
        kn_status status = KN_ENOMEM;

        for (size_t n = 1; status != KN_OK; n++) {
            kn_hierarchy *h = NULL;
            kn_buffer out = {0};
            char *text = NULL;

            kn__memory_fail_after(n);
            status = kn__hierarchy_parse(&h, "h", texts[i], strlen(texts[i]), NULL);
            if (status == KN_OK) {
                status = kn__hierarchy_format(h, &out, NULL);
            }
            if (status == KN_OK) {
                status = kn_hierarchy_show(&text, h, 2, 0, NULL);
            }
            if (status == KN_OK) {
                status = kn_hierarchy_write(h, "memory.csv", NULL);
            }
            kn__memory_fail_after(0);
            assert_true(status == KN_OK || status == KN_ENOMEM);
            kn_string_free(text);
            kn__buffer_free(&out);
            kn_hierarchy_free(h);
            assert_int_equal(kn_memory_in_use(), before);
        }
        unlink("memory.csv");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_deep),
        cmocka_unit_test(test_long_labels),
        cmocka_unit_test(test_amnesia_text),
        cmocka_unit_test(test_amnesia_refused),
        cmocka_unit_test(test_amnesia_json),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_collection),
        cmocka_unit_test(test_real_files),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
