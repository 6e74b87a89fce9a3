/* test_formats.c - baskets, long form and JSON Lines: reading, writing, and back again. */
#include "io/io_test.h"

#include "base/rng.h"

#include <stdlib.h>

static kn_dataset *read_as(const char *path, const char *text, kn_format format, size_t block,
                           unsigned threads)
{
    const kn_read_options options = {.layout = &(const kn_layout){.format = format},
                                     .keep_dropped = true};
    const kn_read_sizes sizes = {.block = block};
    const kn_run run = {.threads = threads};
    kn_dataset *ds = NULL;
    kn_error err = {0};
    const char *reason = "";

    put_text(path, text);
    if (kn__read_sized(&ds, path, &options, &sizes, &run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (!kn__dataset_validate(ds, &reason)) {
        fail_msg("%s", reason);
    }
    return ds;
}

static void expect_bad(const char *path, const char *text, size_t len, kn_format format,
                       const char *message)
{
    const kn_read_options options = {.layout = &(const kn_layout){.format = format}};

    put_bytes(path, text, len);
    for (size_t block = 0; block < 30; block++) {
        const kn_read_sizes sizes = {.block = block};
        const kn_run run = {.threads = 1 + (unsigned)block % 3};
        kn_dataset *ds = NULL;
        kn_error err = {0};
        assert_int_equal(kn__read_sized(&ds, path, &options, &sizes, &run, &err), KN_EINPUT);
        assert_string_equal(err.message, message);
        assert_null(ds);
    }
}

#define BAD(path, text, format, message) expect_bad(path, text, sizeof(text) - 1, format, message)

static void baskets(void **state)
{
    static const char *const cells[] = {"a|b|c", "", "a|c", "b"};

    (void)state;
    for (size_t block = 0; block < 12; block++) {
        kn_dataset *ds = read_as("b.dat", "c a\t b\n\n  a   c \r\nb", KN_FORMAT_AUTO, block, 2);
        assert_int_equal(ds->records, 4);
        assert_string_equal(ds->column[0].name, "items");
        assert_int_equal(ds->column[0].type, KN_TYPE_SET);
        for (size_t i = 0; i < 4; i++) {
            assert_string_equal(cell_text(ds, 0, i), cells[i]);
        }
        must_write(ds, "b2.dat", NULL);
        assert_string_equal(get_text("b2.dat"), "a b c\n\na c\nb\n");
        kn_dataset_free(ds);
    }
    {
        kn_dataset *ds = read_as("b.dat", "x y x\nz\n", KN_FORMAT_DAT, 0, 1);
        assert_int_equal(ds->column[0].type, KN_TYPE_BAG);
        assert_string_equal(cell_text(ds, 0, 0), "x|x|y");
        kn_dataset_free(ds);
    }
    for (size_t block = 1; block < 12; block++) { /* the last line lacks its end, but has blanks */
        kn_dataset *ds = read_as("b.dat", "\t b  a\nc \t", KN_FORMAT_DAT, block, 2);
        must_write(ds, "b2.dat", NULL);
        assert_string_equal(get_text("b2.dat"), "a b\nc\n");
        kn_dataset_free(ds);
    }
    BAD("b.dat", "a\nb\rc \xff\nd\n", KN_FORMAT_DAT, /* the worse of two */
        "b.dat: line 2, character 5: the byte 0xFF is not UTF-8: if the file is written in Latin-1 or "
        "Windows-1252, say --encoding latin1; else convert it");
    BAD("b.dat", "a\nb\rc\nd \xff\n", KN_FORMAT_DAT,
        "b.dat: line 2, character 2: a carriage return inside the line: convert the line ends to line "
        "feeds");
    BAD("b.dat", "a\nb\r", KN_FORMAT_DAT,
        "b.dat: line 2, character 2: a carriage return inside the line: convert the line ends to line "
        "feeds");
    BAD("b.dat", "", KN_FORMAT_DAT, "b.dat: the file is empty");
    BAD("b.dat", "a\nb \xff\n", KN_FORMAT_DAT,
        "b.dat: line 2, character 3: the byte 0xFF is not UTF-8: if the file is written in Latin-1 or "
        "Windows-1252, say --encoding latin1; else convert it");
    BAD("b.dat", "a\nb\rc\n", KN_FORMAT_DAT,
        "b.dat: line 2, character 2: a carriage return inside the line: convert the line ends to line "
        "feeds");
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* One of a few thousand words of 1 to 20 bytes that resemble each other: many begin or end alike,
 * or are the beginning of others. */
static void draw_word(kn_rng *r, char *out)
{
    const size_t len = 1 + kn__rng_below(r, kn__rng_below(r, 2) ? 7 : 20);
    const size_t plain = kn__rng_below(r, 2) ? len : kn__rng_below(r, len + 1);

    for (size_t i = 0; i < len; i++) {
        out[i] = (char)(i < plain ? '0' + (char)kn__rng_below(r, i < 3 ? 10 : 2) : 'x');
    }
    out[len] = '\0';
}

/* Items that were met are looked up by their bytes: none is taken for another, whether short or
 * long, in baskets or as list items of JSON. */
static void many_words(void **state)
{
    enum { RECORDS = 20000, MOST = 6 };
    char *dat = malloc(RECORDS * MOST * 22), *json = malloc(RECORDS * MOST * 26);
    size_t len = 0, json_len = 0;
    kn_rng r;

    (void)state;
    assert_true(dat && json);
    kn__rng_seed(&r, 11, 0);
    for (size_t i = 0; i < RECORDS; i++) {
        char word[MOST][24];
        const size_t count = 1 + kn__rng_below(&r, MOST);
        for (size_t j = 0; j < count; j++) {
            draw_word(&r, word[j]);
        }
        qsort(word, count, sizeof *word, by_bytes);
        json_len += (size_t)sprintf(json + json_len, "{\"items\":[");
        for (size_t j = 0; j < count; j++) {
            if (j == 0 || strcmp(word[j], word[j - 1]) != 0) {
                len += (size_t)sprintf(dat + len, "%s%s", j ? " " : "", word[j]);
                json_len += (size_t)sprintf(json + json_len, "%s\"%s\"", j ? "," : "", word[j]);
            }
        }
        len += (size_t)sprintf(dat + len, "\n");
        json_len += (size_t)sprintf(json + json_len, "]}\n");
    }
    for (unsigned threads = 1; threads <= 3; threads++) {
        kn_dataset *ds = read_as("words.dat", dat, KN_FORMAT_DAT, threads == 1 ? 0 : 3000, threads);
        must_write(ds, "words2.dat", NULL);
        assert_string_equal(get_text("words2.dat"), dat);
        kn_dataset_free(ds);
        ds = read_as("words.jsonl", json, KN_FORMAT_AUTO, threads == 1 ? 0 : 3000, threads);
        must_write(ds, "words2.dat", &(kn_layout){.format = KN_FORMAT_DAT});
        assert_string_equal(get_text("words2.dat"), dat);
        kn_dataset_free(ds);
    }
    free(dat);
    free(json);
}

static void numbers(void **state)
{
    kn_schema *schema = NULL;
    kn_read_options options = {.layout = &(const kn_layout){.format = KN_FORMAT_DAT}};
    kn_dataset *ds;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_NUMBERS, NULL), KN_OK);
    options.schema = schema;
    put_text("n.dat", "10 9\n9 9\n");
    ds = must_read("n.dat", &options);
    assert_int_equal(ds->column[0].type, KN_TYPE_NUMBERS);
    assert_string_equal(cell_text(ds, 0, 0), "9|10");
    assert_string_equal(cell_text(ds, 0, 1), "9|9");
    must_write(ds, "n.jsonl", &(kn_layout){0});
    assert_string_equal(get_text("n.jsonl"), "{\"items\":[9,10]}\n{\"items\":[9,9]}\n");
    kn_dataset_free(ds);
    kn_schema_free(schema);
}

static void long_form(void **state)
{
    static const char text[] = "who,what\nbob,x\nann,y\nbob,\"z,z\"\neve,\nann,x\n";
    kn_dataset *ds;

    (void)state;
    for (size_t block = 0; block < 20; block++) {
        ds = read_as("l.csv", text, KN_FORMAT_LONG, block, 1 + (unsigned)block % 3);
        assert_int_equal(ds->records, 3);
        assert_int_equal(ds->column[0].role, KN_ROLE_IDENTIFIER);
        assert_string_equal(cell_text(ds, 0, 0), "bob");
        assert_string_equal(cell_text(ds, 0, 1), "ann");
        assert_string_equal(cell_text(ds, 1, 0), "x|z,z");
        assert_string_equal(cell_text(ds, 1, 1), "x|y");
        assert_string_equal(cell_text(ds, 1, 2), "");
        assert_string_equal(ds->layout.key, "who");
        must_write(ds, "l2.csv", NULL);
        assert_string_equal(get_text("l2.csv"), "who,what\n1,x\n1,\"z,z\"\n2,x\n2,y\n3,\n");
        /* the person may be kept, if told so */
        kn_dataset_set_role(ds, 0, KN_ROLE_KEPT, NULL);
        must_write(ds, "l2.csv", NULL);
        assert_string_equal(get_text("l2.csv"),
                            "who,what\nbob,x\nbob,\"z,z\"\nann,x\nann,y\neve,\n");
        kn_dataset_free(ds);
    }
    /* by default the person's values are not kept at all */
    put_text("l.csv", text);
    ds = must_read("l.csv",
                   &(kn_read_options){.layout = &(const kn_layout){.format = KN_FORMAT_LONG}});
    assert_null(ds->column[0].dict);
    kn_dataset_set_role(ds, 0, KN_ROLE_KEPT, NULL);
    {
        kn_error err;
        assert_int_equal(kn_write(ds, "l2.csv", NULL, NULL, &err), KN_EUSAGE);
        assert_string_equal(err.message, "column 'who' cannot be written: its values were not kept "
                                         "when the table was read");
    }
    kn_dataset_free(ds);
    put_text("l.csv", "what,who\nx,bob\n");
    ds = must_read("l.csv", &(kn_read_options){.layout = &(const kn_layout){
                                                   .format = KN_FORMAT_LONG, .key = "who"}});
    assert_string_equal(cell_text(ds, 0, 0), "x");
    assert_int_equal(ds->column[1].role, KN_ROLE_IDENTIFIER);
    kn_dataset_free(ds);
    BAD("l.csv", "a,b,c\n1,2,3\n", KN_FORMAT_LONG,
        "l.csv: long form has two columns, the person and the item; this has 3");
    BAD("l.csv", "a,b\n1,2\n,3\n", KN_FORMAT_LONG,
        "l.csv: line 3: column 'a' is empty: it must tell whose record this is");
}

static void json_lines(void **state)
{
    static const char text[] =
        "{\"a\": 1.50, \"b\":\"x\\ty\\u00e9\\ud83d\\ude00\", \"c\": [\"p\", 2, \"p\"], \"d\":true}\n"
        "{\"c\":[],\"b\":null,\"a\":-3e2}\n"
        "{ \"d\" : false , \"a\" : null , \"c\" : null , \"b\" : \"\\\"\\\\\" }\n";

    (void)state;
    for (size_t block = 0; block < 60; block++) {
        kn_dataset *ds = read_as("j.jsonl", text, KN_FORMAT_AUTO, block, 1 + (unsigned)block % 3);
        assert_int_equal(ds->records, 3);
        assert_int_equal(ds->columns, 4);
        assert_string_equal(ds->column[2].name, "c");
        assert_int_equal(ds->column[0].type, KN_TYPE_DECIMAL);
        assert_int_equal(ds->column[2].type, KN_TYPE_BAG);
        assert_string_equal(cell_text(ds, 0, 0), "1.50");
        assert_string_equal(cell_text(ds, 1, 0), "x\ty\xc3\xa9\xf0\x9f\x98\x80");
        assert_string_equal(cell_text(ds, 2, 0), "2|p|p");
        assert_string_equal(cell_text(ds, 3, 0), "true");
        assert_int_equal(kn_dataset_code(ds, 1, 1), kn_dataset_missing(ds, 1));
        assert_int_equal(kn_dataset_code(ds, 3, 1), kn_dataset_missing(ds, 3));
        assert_string_equal(cell_text(ds, 0, 1), "-3e2");
        must_write(ds, "j2.jsonl", NULL);
        assert_string_equal(
            get_text("j2.jsonl"),
            "{\"a\":1.50,\"b\":\"x\\ty\xc3\xa9\xf0\x9f\x98\x80\",\"c\":[\"2\",\"p\",\"p\"],\"d\":\"true\"}\n"
            "{\"a\":-3e2,\"b\":null,\"c\":[],\"d\":null}\n"
            "{\"a\":null,\"b\":\"\\\"\\\\\",\"c\":[],\"d\":\"false\"}\n");
        kn_dataset_free(ds);
    }
}

/* Names and lists that turn up late: the file is gone through again. */
static void json_surprises(void **state)
{
    (void)state;
    for (size_t block = 0; block < 60; block++) {
        kn_dataset *ds = read_as(
            "s.jsonl",
            "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n{\"b\":\"y\",\"c\":[\"z\"]}\n{\"a\":3,"
            "\"c\":[]}\n\n\n",
            KN_FORMAT_JSONL, block, 1 + (unsigned)block % 3);
        assert_int_equal(ds->columns, 3);
        assert_int_equal(ds->records, 4);
        assert_string_equal(cell_text(ds, 0, 3), "3");
        assert_string_equal(cell_text(ds, 1, 2), "y");
        assert_string_equal(cell_text(ds, 2, 2), "z");
        kn_dataset_free(ds);
    }
}

static void bad_json(void **state)
{
#define J(text, message) BAD("x.jsonl", text, KN_FORMAT_JSONL, "x.jsonl: " message)
    (void)state;
    J("", "the file is empty");
    J("\n\n", "there are no records in it");
    J("{}\n{}\n", "its records hold nothing");
    J("{\"a\":1}\n[1]\n",
      "line 2, character 1: a record is expected: {\"name\": value, ...}, one on a "
      "line");
    J("{\"a\":1}\n\n{\"a\":2}\n",
      "line 2: the line is empty, and records follow: remove it, or write "
      "the record");
    J("{\"a\":1,\"a\":2}\n",
      "line 1, column 'a', character 8: the name stands twice in one record");
    J("{\"a\":{}}\n", "line 1, character 6: an object inside the record: kanon reads flat records");
    J("{\"a\":[[1]]}\n", "line 1, character 7: a list inside a list: kanon reads flat records");
    J("{\"a\":[null]}\n", "line 1, character 7: a list holds strings and numbers only");
    J("{\"a\":01}\n", "line 1, character 6: a number does not begin with 0: put codes in quotes");
    J("{\"a\":1.}\n", "line 1, character 6: digits are expected after the point of this number");
    J("{\"a\":1e}\n", "line 1, character 6: digits are expected in the exponent of this number");
    J("{\"a\":nul}\n",
      "line 1, character 6: a value is expected: a string in quotes, a number, true, "
      "false, null or a list");
    J("{\"a\":\"x\n\"}\n",
      "line 1, character 6: the string that begins here is not closed on this line");
    J("{\"a\":\"\\x\"}\n",
      "line 1, character 8: no such escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t and "
      "\\u with four hexadecimal digits are known");
    J("{\"a\":\"\\u0000\"}\n",
      "line 1, character 9: \\u0000 stands for a NUL, which no value may hold");
    J("{\"a\":\"\\ud800x\"}\n",
      "line 1, character 13: half of a character: \\uDC00 to \\uDFFF must "
      "follow \\uD800 to \\uDBFF");
    J("{\"a\":1} x\n", "line 1, character 9: text follows the record: one record on a line");
    J("{\"a\":1\n", "line 1, character 7: the record breaks off: a record stands on one line");
    J("{\"a\" 1}\n", "line 1, character 6: ':' is expected after a name");
    J("{\"\":1}\n", "line 1, character 2: a column needs a name that is not empty");
    J("{\"a\":[1]}\n{\"a\":2}\n",
      "line 2, column 'a', character 6: a single value where other records have lists: write a list of "
      "one, or declare the column as set, bag or numbers");
#undef J
}

/* Whatever a table holds, it comes back from every format that can hold it. */
static void same_back(void **state)
{
    static const char *const texts[] = {"a",        "1", "",  "x,y", "\"",  "\n", "\r\n",  " s ",
                                        "\xc3\xa9", "|", "{", "007", "1.0", "*",  "[1,2]", "\t"};
    static const char *const paths[] = {
        "r.csv",       "r.jsonl", "r.tsv",
#ifdef KN_HAVE_ZLIB
        "r.csv.gz",
#endif
#ifdef KN_HAVE_ZSTD
        "r.jsonl.zst",
#endif
    };
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 9, 9);
    for (size_t round = 0; round < 100; round++) {
        const char *names[] = {"one", "two, \"2\"", "three"};
        const size_t columns = 1 + kn__rng_below(&rng, 3), records = 1 + kn__rng_below(&rng, 40);
        kn_dataset_builder *b = NULL;
        kn_dataset *ds = NULL, *back;
        const char *path = paths[kn__rng_below(&rng, sizeof paths / sizeof *paths)];
        const kn_layout layout = {.crlf = kn__rng_below(&rng, 2), .bom = kn__rng_below(&rng, 2)};

        assert_int_equal(kn_dataset_builder_new(&b, names, columns, NULL, NULL), KN_OK);
        for (size_t r = 0; r < records; r++) {
            const char *values[3];
            for (size_t c = 0; c < columns; c++) {
                values[c] = texts[kn__rng_below(&rng, 16)];
            }
            assert_int_equal(kn_dataset_builder_add(b, values, NULL), KN_OK);
        }
        assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
        must_write(ds, path, &layout);
        back = must_read(path, NULL);
        assert_int_equal(back->records, records);
        assert_int_equal(back->columns, columns);
        assert_int_equal(back->layout.bom, layout.bom);
        for (size_t c = 0; c < columns; c++) {
            assert_string_equal(back->column[c].name, names[c]);
            for (size_t r = 0; r < records; r++) {
                char expected[100];
                (void)snprintf(expected, sizeof expected, "%s", cell_text(ds, c, r));
                assert_string_equal(cell_text(back, c, r), expected);
            }
        }
        /* and what was read is written as it was found */
        must_write(back, "again.csv", NULL);
        if (strcmp(path, "r.csv") == 0) {
            char *first = strdup(get_text(path));
            assert_string_equal(get_text("again.csv"), first);
            free(first);
        }
        kn_dataset_free(back);
        kn_dataset_free(ds);
    }
}

static kn_dataset *table_with_lists(void)
{
    kn_schema *schema = NULL;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "name", KN_ROLE_IDENTIFIER, NULL), KN_OK);
    put_text("t.csv", "name,age,items\nann,34,b|a\nbob,51,\neve,34,\"a|c,d\"\n");
    ds = must_read("t.csv", &(kn_read_options){.schema = schema});
    kn_schema_free(schema);
    return ds;
}

static void lists_out(void **state)
{
    kn_dataset *ds = table_with_lists();
    kn_error err;

    (void)state;
    must_write(ds, "o.csv", NULL);
    assert_string_equal(get_text("o.csv"), "age,items\n34,a|b\n51,\n34,\"a|c,d\"\n");
    must_write(ds, "o.jsonl", &(kn_layout){0});
    assert_string_equal(get_text("o.jsonl"),
                        "{\"age\":34,\"items\":[\"a\",\"b\"]}\n{\"age\":51,\"items\":["
                        "]}\n{\"age\":34,\"items\":[\"a\",\"c,d\"]}\n");
    put_text("o.dat", "untouched");
    assert_int_equal(kn_write(ds, "o.dat", &(kn_layout){0}, NULL, &err), KN_EUSAGE);
    assert_string_equal(err.message,
                        "one basket a line holds one column, of items; this table has 2 "
                        "columns: write CSV or JSON Lines");
    assert_string_equal(get_text("o.dat"), "untouched");
    assert_int_equal(kn_write(ds, "o.csv", &(kn_layout){.format = KN_FORMAT_LONG}, NULL, &err),
                     KN_EUSAGE); /* ages repeat */
    kn_dataset_set_role(ds, 1, KN_ROLE_DROPPED, NULL);
    must_write(ds, "o.dat", &(kn_layout){0});
    assert_string_equal(get_text("o.dat"), "a b\n\na c,d\n");
    must_write(ds, "o.csv", &(kn_layout){.format = KN_FORMAT_LONG});
    assert_string_equal(get_text("o.csv"), "person,items\n1,a\n1,b\n2,\n3,a\n3,\"c,d\"\n");
    must_write(ds, "o.csv", NULL);
    assert_string_equal(get_text("o.csv"), "items\na|b\n\"\"\n\"a|c,d\"\n");
    kn_dataset_set_role(ds, 2, KN_ROLE_DROPPED, NULL);
    assert_int_equal(kn_write(ds, "o.csv", NULL, NULL, &err), KN_EUSAGE);
    assert_string_equal(err.message,
                        "nothing is left to write: every column is an identifier or dropped");
    assert_int_equal(temporary_files("."), 0);
    kn_dataset_free(ds);
}

static void refused_out(void **state)
{
    kn_dataset *ds;
    kn_error err;

    (void)state;
    put_text("q.csv", "a,b\n\"x,y\",1\n");
    ds = must_read("q.csv", NULL);
    assert_int_equal(kn_write(ds, "p.csv", &(kn_layout){.no_quotes = true}, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "column 'a' holds a value with the separator"));
    must_write(ds, "p.csv", &(kn_layout){.no_quotes = true, .separator = ';', .no_header = true});
    assert_string_equal(get_text("p.csv"), "x,y;1\n");
    kn_dataset_free(ds);
    ds = read_as("q.jsonl", "{\"a\":[\"x|y\"]}\n", KN_FORMAT_AUTO, 0, 1);
    assert_int_equal(kn_write(ds, "p.csv", &(kn_layout){0}, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "an item holds '|'"));
    kn_dataset_free(ds);
    ds = read_as("q.jsonl", "{\"a\":[\"x y\"]}\n", KN_FORMAT_AUTO, 0, 1);
    assert_int_equal(kn_write(ds, "p.dat", &(kn_layout){0}, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "holds a space"));
    kn_dataset_free(ds);
}

/* The same bytes on any number of threads, over several slices. */
static void threads_out(void **state)
{
    static char text[600000];
    size_t len = (size_t)sprintf(text, "a,b\n");
    kn_dataset *ds;

    (void)state;
    while (len < 500000) {
        len += (size_t)sprintf(text + len, "%zu,\"v,%zu\"\n", len % 977, len % 13);
    }
    put_bytes("w.csv", text, len);
    ds = must_read("w.csv", NULL);
    for (unsigned threads = 1; threads <= 8; threads++) {
        const kn_run run = {.threads = threads};
        assert_int_equal(kn_write(ds, "w2.csv", NULL, &run, NULL), KN_OK);
        assert_string_equal(get_text("w2.csv"), text);
    }
    kn_dataset_free(ds);
}

/* What the publishing code does: write, read back under the temporary name, commit. */
static void read_back(void **state)
{
    kn_dataset *ds, *back = NULL;
    kn_read_options options = {0};
    kn_sink *sink = NULL;
    kn_error err = {0};
    kn_layout layout;

    (void)state;
    put_text("rb.jsonl", "{\"a\":1}\n{\"a\":2}\n");
    ds = must_read("rb.jsonl", NULL);
    layout = kn__write_layout(ds, "rb2.gz", NULL);
    assert_int_equal(layout.compression, KN_COMPRESSION_GZIP);
    layout.compression = KN_COMPRESSION_NONE;
    assert_int_equal(kn__sink_open(&sink, "rb2.jsonl", layout.compression, &err), KN_OK);
    assert_int_equal(kn__write_to_sink(ds, sink, &layout, NULL, &err), KN_OK);
    assert_int_equal(kn__sink_finish(sink, &err), KN_OK);
    options.layout = &layout;
    assert_int_equal(kn_read(&back, kn__sink_temporary(sink), &options, NULL, &err), KN_OK);
    assert_int_equal(back->records, 2);
    assert_int_equal(kn__sink_commit(sink, &err), KN_OK);
    assert_string_equal(get_text("rb2.jsonl"), "{\"a\":1}\n{\"a\":2}\n");
    kn_dataset_free(back);
    kn_dataset_free(ds);
}

static void names(void **state)
{
    kn_format format;

    (void)state;
    assert_true(kn_format_from_name(&format, "jsonl"));
    assert_int_equal(format, KN_FORMAT_JSONL);
    assert_true(kn_format_from_name(&format, "auto"));
    assert_false(kn_format_from_name(&format, "xlsx"));
    assert_true(kn_format_from_path(&format, "a/b.NDJSON.zst"));
    assert_int_equal(format, KN_FORMAT_JSONL);
    assert_false(kn_format_from_path(&format, "a.csv/b.txt"));
    assert_string_equal(kn_format_name(KN_FORMAT_LONG), "long");
    assert_int_equal(kn__format_of_path("a/b.DAT.gz"), KN_FORMAT_DAT);
    assert_int_equal(kn__format_of_path("b.ndjson"), KN_FORMAT_JSONL);
    assert_int_equal(kn__format_of_path("-"), KN_FORMAT_CSV);
}

static kn_status through(const char *from, kn_format format, const char *to, kn_error *err)
{
    const kn_read_options options = {.layout = &(const kn_layout){.format = format}};
    const kn_read_sizes sizes = {.block = 16};
    const kn_run run = {.threads = 2};
    kn_dataset *ds = NULL;
    kn_status status = kn__read_sized(&ds, from, &options, &sizes, &run, err);

    if (status == KN_OK) {
        status = kn_write(ds, to, NULL, &run, err);
    }
    kn_dataset_free(ds);
    return status;
}

static void no_memory(void **state)
{
    static const struct {
        const char *path, *text;
        kn_format format;
    } cases[] = {
        {"m.csv", "a,b\n1,\"x\"\"y\"\n2,z\n3,\" w\"\n", KN_FORMAT_CSV},
        {"m.dat", "a b c\n\nb c\n", KN_FORMAT_DAT},
        {"m.csv", "who,what\nann,x\nbob,y\nann,z\n", KN_FORMAT_LONG},
        {"m.jsonl", "{\"a\":1,\"b\":\"\\n\"}\n{\"a\":2,\"c\":[\"x\"]}\n{\"a\":3}\n",
         KN_FORMAT_JSONL},
    };
    const size_t before = kn_memory_in_use();

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        size_t n = 1;
        put_text(cases[i].path, cases[i].text);
        for (;; n++) {
            kn_error err;
            kn_status status;
            kn__memory_fail_after(n);
            status = through(cases[i].path, cases[i].format, "m.out", &err);
            if (!kn__memory_failed()) {
                kn__memory_fail_after(0);
                assert_int_equal(status, KN_OK);
                break;
            }
            kn__memory_fail_after(0);
            assert_int_equal(status, KN_ENOMEM);
            assert_int_equal(kn_memory_in_use(), before);
            assert_int_equal(temporary_files("."), 0);
        }
        assert_true(n > 20);
        assert_int_equal(kn_memory_in_use(), before);
    }
}

/* kn_read: a schema names only columns that are there; of a release, those that it leaves out may
 * be gone; `partial` allows it all. */
static void misspelt_columns(void **state)
{
    static const char *const files[][2] = {{"m.csv", "age,zip\n30,1000\n"},
                                           {"m.jsonl", "{\"age\": 30, \"zip\": 1000}\n"}};
    kn_schema *s;
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "zipp", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "name", KN_ROLE_IDENTIFIER, NULL), KN_OK);
    for (size_t i = 0; i < 2; i++) {
        kn_read_options how = {.schema = s, .released = true};
        put_text(files[i][0], files[i][1]);
        assert_int_equal(kn_read(&ds, files[i][0], &how, NULL, &err), KN_EINPUT);
        assert_null(ds);
        assert_non_null(strstr(err.message, files[i][0]));
        assert_non_null(
            strstr(err.message, "column 'zipp' that the schema names; did you mean 'zip'?"));
        how.partial = true;
        assert_int_equal(kn_read(&ds, files[i][0], &how, NULL, &err), KN_OK);
        kn_dataset_free(ds);
    }
    kn_schema_free(s);
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "name", KN_ROLE_IDENTIFIER, NULL), KN_OK);
    assert_int_equal(kn_read(&ds, "m.csv", &(kn_read_options){.schema = s}, NULL, &err), KN_EINPUT);
    assert_int_equal(kn_read(&ds, "m.csv", &(kn_read_options){.schema = s, .released = true}, NULL,
                             &err),
                     KN_OK);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misspelt_columns), cmocka_unit_test(baskets),
        cmocka_unit_test(numbers),          cmocka_unit_test(many_words),
        cmocka_unit_test(long_form),        cmocka_unit_test(json_lines),
        cmocka_unit_test(json_surprises),   cmocka_unit_test(bad_json),
        cmocka_unit_test(same_back),        cmocka_unit_test(lists_out),
        cmocka_unit_test(refused_out),      cmocka_unit_test(threads_out),
        cmocka_unit_test(read_back),        cmocka_unit_test(names),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
