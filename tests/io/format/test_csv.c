/* test_csv.c - the CSV reader against a slow one, and its words. */
#include "io/io_test.h"
#include "oracle/csv.h"
#include "rounds.h"

static kn_status read_sized(kn_dataset **ds, const char *path, const kn_layout *layout,
                            size_t block, unsigned threads, kn_error *err)
{
    const kn_read_options options = {.layout = layout};
    const kn_read_sizes sizes = {.block = block};
    const kn_run run = {.threads = threads};

    return kn__read_sized(ds, path, &options, &sizes, &run, err);
}

static void compare(const kn_dataset *ds, const oracle_csv *t, bool header)
{
    const char *reason = "";

    if (!kn__dataset_validate(ds, &reason)) {
        fail_msg("%s", reason);
    }
    assert_int_equal(ds->columns, t->columns[0]);
    assert_int_equal(ds->records, t->rows - header);
    for (size_t c = 0; c < ds->columns; c++) {
        if (header) {
            assert_string_equal(ds->column[c].name, t->cells[0][c]);
        }
        for (size_t r = 0; r < ds->records; r++) {
            assert_string_equal(cell_text(ds, c, r), t->cells[r + header][c]);
        }
    }
}

/* Mostly valid files: rows of values, some of them quoted, and now and then a wrong byte. */
static size_t random_file(kn_rng *rng, char *out, char separator, bool quotes, bool header)
{
    static const char *const bare[] = {"a", "bb", "12", "", "3.5", "x y", "\xc3\xa9", "value"};
    static const char *const inner[] = {"a", ",", ";", "\n", "\r\n", "\"\"", " ", "\xe2\x82\xac",
                                        "z"};
    static const char wrong[] = "\",;\n\r x";
    const size_t columns = 1 + kn__rng_below(rng, 4), rows = 1 + kn__rng_below(rng, 30);
    const bool crlf = kn__rng_below(rng, 3) == 0;
    size_t len = 0;

    for (size_t c = 0; header && c < columns; c++) {
        len += (size_t)sprintf(out + len, "n%zu%s", c,
                               c + 1 < columns ? (char[]){separator, 0}
                               : crlf          ? "\r\n"
                                               : "\n");
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            if (quotes && kn__rng_below(rng, 3) == 0) {
                out[len++] = '"';
                for (size_t i = kn__rng_below(rng, 5); i > 0; i--) {
                    len += (size_t)sprintf(out + len, "%s", inner[kn__rng_below(rng, 9)]);
                }
                out[len++] = '"';
            } else {
                len += (size_t)sprintf(out + len, "%s", bare[kn__rng_below(rng, 8)]);
            }
            out[len++] = c + 1 < columns ? separator : crlf ? '\r' : '\n';
        }
        if (crlf) {
            out[len++] = '\n';
        }
    }
    if (kn__rng_below(rng, 4) == 0) {
        len -= crlf ? 2 : 1; /* no line end at the end */
    } else if (kn__rng_below(rng, 6) == 0) {
        len += (size_t)sprintf(out + len, "%s", crlf ? "\r\n\r\n" : "\n\n");
    }
    for (size_t i = kn__rng_below(rng, 3) ? 0 : 1 + kn__rng_below(rng, 2); i > 0 && len; i--) {
        const size_t at = kn__rng_below(rng, len);
        if ((unsigned char)out[at] < 0x80) {
            out[at] = wrong[kn__rng_below(rng, 7)];
        }
    }
    return len;
}

static void random_files(void **state)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    static char text[1 << 16];
    kn_rng rng;
    size_t valid = 0, invalid = 0;

    (void)state;
    kn__rng_seed(&rng, 20, 1);
    for (size_t round = 0; round < test_rounds(2000); round++) {
        kn_layout layout = {.format = KN_FORMAT_CSV,
                            .separator = kn__rng_below(&rng, 2) ? ',' : ';',
                            .no_quotes = kn__rng_below(&rng, 8) == 0,
                            .no_header = kn__rng_below(&rng, 3) == 0,
                            .trim = kn__rng_below(&rng, 4) == 0};
        const size_t len = random_file(&rng, text, layout.separator, !layout.no_quotes,
                                       !layout.no_header);
        oracle_csv t = oracle_csv_read(text, len, layout.separator, !layout.no_quotes, layout.trim);
        kn_error first = {0};

        put_bytes("random.csv", text, len);
        for (size_t i = 0; i < 4; i++) {
            const size_t block = i == 0 ? 0 : 1 + kn__rng_below(&rng, 60);
            kn_dataset *ds = NULL;
            kn_error err = {0};
            const kn_status status = read_sized(&ds, "random.csv", &layout, block, threads[i],
                                                &err);

            if (t.bad_line || status != KN_OK) {
                char line[40];
                if (status == KN_OK) {
                    fail_msg("round %zu: line %zu should be refused", round, t.bad_line);
                }
                assert_int_equal(status, KN_EINPUT);
                assert_null(ds);
                if (i == 0) {
                    first = err;
                    invalid++;
                }
                assert_string_equal(err.message, first.message);
                /* The oracle knows nothing of names: the header may be refused for another reason.
                 */
                if (!t.bad_line) {
                    if (!strstr(err.message, "line 1: ") && !strstr(err.message, "no records") &&
                        !strstr(err.message, "is empty")) {
                        fail_msg("round %zu: should be read: %s", round, err.message);
                    }
                } else if (!strstr(err.message, ": line 1: ")) {
                    (void)snprintf(line, sizeof line, "line %zu", t.bad_line);
                    if (!strstr(err.message, line)) {
                        fail_msg("round %zu: %s instead of %s", round, err.message, line);
                    }
                }
            } else {
                compare(ds, &t, !layout.no_header);
                valid += i == 0;
                kn_dataset_free(ds);
            }
        }
        oracle_csv_free(&t);
    }
    assert_true(valid > test_rounds(500));
    assert_true(invalid > test_rounds(250));
}

static void expect_bad(const char *text, size_t len, kn_layout layout, const char *message)
{
    layout.format = KN_FORMAT_CSV;
    put_bytes("bad.csv", text, len);
    for (unsigned threads = 1; threads <= 3; threads++) {
        for (size_t block = 0; block < 40; block++) {
            kn_dataset *ds = NULL;
            kn_error err = {0};
            assert_int_equal(read_sized(&ds, "bad.csv", &layout, block, threads, &err), KN_EINPUT);
            assert_string_equal(err.message, message);
            assert_null(ds);
        }
    }
}

#define BAD(text, message) expect_bad(text, sizeof(text) - 1, (kn_layout){0}, message)

/* Files in other encodings, stated or not, in blocks of every size. */
static void encodings(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        kn_encoding encoding;
        size_t notes;
    } files[] = {
#define BYTES(text) text, sizeof text - 1
        {BYTES("na\xefve,b\nM\xfcller,1\n\x80,2\n"), KN_ENCODING_AUTO, 1},
        {BYTES("na\xefve,b\nM\xfcller,1\n\x80,2\n"), KN_ENCODING_LATIN1, 0},
        {BYTES("na\xc3\xafve,b\nM\xc3\xbcller,1\n\xe2\x82\xac,2\n"), KN_ENCODING_AUTO, 0},
        {BYTES("\xff\xfen\0a\0\xef\0v\0e\0,\0b\0\n\0M\0\xfc\0l\0l\0e\0r\0,\0"
               "1\0\n\0\xac\x20,\0"
               "2\0\n\0"),
         KN_ENCODING_AUTO, 0},
#undef BYTES
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t block = 1; block < 64; block += i == 0 ? 100 : 7) {
            const kn_layout layout = {.encoding = files[i].encoding};
            const kn_read_sizes sizes = {.block = i == 0 ? 0 : block};
            kn_dataset *ds;
            put_bytes("encoded.csv", files[i].bytes, files[i].len);
            assert_int_equal(kn__read_sized(&ds, "encoded.csv",
                                            &(kn_read_options){.layout = &layout}, &sizes, NULL,
                                            NULL),
                             KN_OK);
            assert_string_equal(ds->column[0].name, "naïve");
            assert_string_equal(cell_text(ds, 0, 0), "Müller");
            assert_string_equal(cell_text(ds, 0, 1), "€");
            assert_int_equal(ds->notes_count, files[i].notes);
            assert_int_equal(ds->layout.encoding, KN_ENCODING_UTF8);
            assert_int_equal(kn_write(ds, "written.csv", NULL, NULL, NULL), KN_OK);
            assert_non_null(strstr(get_text("written.csv"), "Müller,1"));
            kn_dataset_free(ds);
        }
    }
}

static void bad_files(void **state)
{
    (void)state;
    BAD("", "bad.csv: the file is empty");
    BAD("\xef\xbb\xbf", "bad.csv: the file is empty");
    BAD("a,b\n", "bad.csv: there are no records in it");
    BAD("a,b\n\n\n", "bad.csv: there are no records in it");
    BAD("\n1\n", "bad.csv: line 1: the line is empty: it must name the columns");
    BAD("a,,c\n1,2,3\n", "bad.csv: line 1: column 2 of 3 has no name: name it, or read the file "
                         "without a header");
    BAD("a,b,a\n1,2,3\n", "bad.csv: line 1: columns 1 and 3 have the same name: rename one, or "
                          "read the file without a header");
    BAD("a,b\n1,2\n3\n",
        "bad.csv: line 3: 1 value where the header names 2: write an empty value for "
        "what is missing (the separator is ',', by its looks)");
    BAD("a,b\n1,2\n3,4,5\n6,7\n",
        "bad.csv: line 3: 3 values where the header names 2: put values that hold the separator ',' "
        "in quotes, or give the separator");
    BAD("a,b\n1,2\n\n3,4\n",
        "bad.csv: line 3: the line is empty, and records follow: remove it, or "
        "write the record");
    BAD("a,b\n1,2\n\n\n\n3,4\n",
        "bad.csv: line 3: the line is empty, and records follow: remove it, "
        "or write the record");
    BAD("a,b\n1,x\"y\n",
        "bad.csv: line 2, column 'b', character 4: a quote inside a value that does "
        "not begin with one: put the value in quotes and double this one, or read "
        "without quotes (--quote none)");
    BAD("a,b\n1,\"x\"y\n",
        "bad.csv: line 2, column 'b', character 6: text follows the closing quote: "
        "a quote inside a quoted value is written twice");
    BAD("a,b\n1,\"x\n\ny\" z\n",
        "bad.csv: line 4, column 'b', character 3: text follows the closing quote: a quote inside a "
        "quoted value is written twice (the value begins on line 2)");
    BAD("a,b\n1,2\n3,\"x\n4,5\n6,7\n",
        "bad.csv: line 3, column 'b', character 3: the quote that opens "
        "here is never closed");
    BAD("a,b\n1,2\n3,x\0y\n",
        "bad.csv: line 3, column 'b', character 4: a NUL byte: this is no text "
        "file, or it is damaged ('tr -d \"\\000\"' removes NUL bytes)");
    BAD("a,b\n1,2\n\xc3\xa9,x\xff\n",
        "bad.csv: line 3, column 'b', character 4: the byte 0xFF is not UTF-8: if the file is "
        "written in Latin-1 or Windows-1252, say --encoding latin1; else convert it");
    BAD("a,b\n1,\"\n\xff\"\n",
        "bad.csv: line 3, column 'b', character 1: the byte 0xFF is not UTF-8: if the file is "
        "written in Latin-1 or Windows-1252, say --encoding latin1; else convert it");
    BAD("a,b\n1,2\r3,4\n",
        "bad.csv: line 2, column 'b', character 4: a carriage return without a line feed: put the "
        "value in quotes, or convert the line ends (old Mac files: 'tr \"\\r\" \"\\n\"')");
    BAD("a,\"b\n1,2\n", "bad.csv: line 1, character 3: the quote that opens here is never closed");
    expect_bad(
        "1,2\n3\n", 6, (kn_layout){.no_header = true, .separator = ','},
        "bad.csv: line 2: 1 value where the first line has 2: write an empty value for what is "
        "missing (the separator is ',')");
}

/* The first problem in the file is told, although others follow in blocks of their own. */
static void first_problem(void **state)
{
    static char text[40000];
    size_t len = (size_t)sprintf(text, "a,b\n");
    kn_error err;
    kn_dataset *ds;

    (void)state;
    while (len < 30000) {
        len += (size_t)sprintf(text + len, len > 15000 ? "1,2,3\n" : "1,2\n");
    }
    put_bytes("first.csv", text, len);
    for (unsigned threads = 1; threads <= 8; threads++) {
        assert_int_equal(read_sized(&ds, "first.csv", &(kn_layout){.separator = ','}, 100, threads,
                                    &err),
                         KN_EINPUT);
        assert_string_equal(err.message,
                            "first.csv: line 3752: 3 values where the header names 2: put "
                            "values that hold the separator ',' in quotes");
    }
}

static void separators(void **state)
{
    static const struct {
        const char *name, *text;
        char separator;
        size_t columns;
    } cases[] = {
        {"s.csv", "a,b;c\n1,2\n", ',', 2},      {"s.csv", "a;b;c\n1;2;3\n", ';', 3},
        {"s.csv", "a;b,x;c\n1;2;3\n", ';', 3},  {"s.csv", "a\tb\n1\t2\n", '\t', 2},
        {"s.csv", "a|b|c\n1|2|3\n", '|', 3},    {"s.csv", "\"a;;;x\",b\n1,2\n", ',', 2},
        {"s.tsv", "a,x,y\tb\n1\t2\n", '\t', 2}, {"s.tsv", "a;b\n1;2\n", ';', 2},
        {"s.csv", "one\n1\n", ',', 1},          {"s.tsv", "one\n1\n", '\t', 1},
        {"s.tbl", "a|b\n1|2\n", '|', 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_dataset *ds;
        put_text(cases[i].name, cases[i].text);
        ds = must_read(cases[i].name, NULL);
        assert_int_equal(ds->layout.separator, cases[i].separator);
        assert_int_equal(ds->columns, cases[i].columns);
        kn_dataset_free(ds);
    }
}

static void layout_found(void **state)
{
    const kn_read_options spaced = {.layout = &(const kn_layout){.trim = true}, .hash = true};
    const kn_read_options bare = {.layout = &(const kn_layout){.no_header = true}};
    kn_dataset *ds;

    (void)state;
    put_text("l.csv", "\xef\xbb\xbf"
                      "a, b ,c\r\n 1 , \" x \" ,\r\n2,\"y\"\"z\",\"\r\n\"\r\n");
    ds = must_read("l.csv", &spaced);
    assert_true(ds->layout.crlf && ds->layout.bom && ds->layout.trim);
    assert_int_equal(ds->layout.format, KN_FORMAT_CSV);
    assert_int_equal(ds->layout.compression, KN_COMPRESSION_NONE);
    assert_string_equal(ds->source, "l.csv");
    assert_string_equal(ds->column[1].name, "b");
    assert_string_equal(cell_text(ds, 0, 0), "1");
    assert_string_equal(cell_text(ds, 1, 0), " x ");
    assert_string_equal(cell_text(ds, 1, 1), "y\"z");
    assert_string_equal(cell_text(ds, 2, 1), "\r\n");
    assert_int_equal(kn_dataset_code(ds, 2, 0), kn_dataset_missing(ds, 2));
    assert_int_equal(strlen(kn_dataset_sha256(ds)), 64);
    kn_dataset_free(ds);

    put_text("n.tbl", "1|x|\n2|y|\n");
    ds = must_read("n.tbl", &bare);
    assert_int_equal(ds->columns, 3);
    assert_int_equal(ds->records, 2);
    assert_string_equal(ds->column[2].name, "column3");
    assert_int_equal(ds->column[2].missing, 0);
    assert_string_equal(kn_dataset_sha256(ds), "");
    kn_dataset_free(ds);
}

static void hash_known(void **state)
{
    const kn_read_options options = {.hash = true};
    kn_dataset *ds;

    (void)state;
    put_text("h.csv", "a\n1\n");
    ds = must_read("h.csv", &options);
    /* sha256sum of the four bytes */
    assert_string_equal(kn_dataset_sha256(ds),
                        "309b0e45a73d3fc5325e2b6ed0a01ef8b9cde6b05a5633c1f893f970d52bfddc");
    kn_dataset_free(ds);
}

static void one_column(void **state)
{
    kn_dataset *ds;

    (void)state;
    put_text("one.csv", "a\n1\n\n2\n\n");
    ds = must_read("one.csv", NULL);
    assert_int_equal(ds->records, 4);
    assert_string_equal(cell_text(ds, 0, 1), "");
    assert_int_equal(kn_dataset_code(ds, 0, 3), kn_dataset_missing(ds, 0));
    kn_dataset_free(ds);
}

static void long_records(void **state)
{
    const kn_layout layout = {.separator = ','};
    const kn_read_options options = {.layout = &layout};
    const kn_read_sizes small = {.block = 64, .record = 4096};
    const size_t len = 3000;
    char *text = malloc(20000);
    size_t used;
    kn_dataset *ds;
    kn_error err;

    (void)state;
    used = (size_t)sprintf(text, "a,b\n1,\"");
    memset(text + used, '\n', len);
    used += len;
    used += (size_t)sprintf(text + used, "\"\n2,x\n");
    put_bytes("long.csv", text, used);
    for (unsigned threads = 1; threads < 4; threads++) {
        assert_int_equal(read_sized(&ds, "long.csv", &layout, 16, threads, &err), KN_OK);
        assert_int_equal(ds->records, 2);
        assert_int_equal(strlen(cell_text(ds, 1, 0)), len);
        kn_dataset_free(ds);
    }
    used = (size_t)sprintf(text, "a,b\n1,2\n3,\"");
    memset(text + used, 'x', 8000);
    put_bytes("long.csv", text, used + 8000);
    assert_int_equal(kn__read_sized(&ds, "long.csv", &options, &small, NULL, &err), KN_EINPUT);
    assert_string_equal(err.message,
                        "long.csv: line 3: this record is longer than 4096 bytes: is a "
                        "quote left open?");
    /* A wrong quote is told as such, not as a record without an end. */
    text[10] = 'y';
    text[11] = '"';
    put_bytes("long.csv", text, used + 8000);
    assert_int_equal(kn__read_sized(&ds, "long.csv", &options, &small, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "line 3, column 'b', character 4: a quote inside"));
    free(text);
}

static void unreadable(void **state)
{
    kn_dataset *ds;
    kn_error err;

    (void)state;
    assert_int_equal(kn_read(&ds, "nowhere.csv", NULL, NULL, &err), KN_EINPUT);
    assert_string_equal(err.message, "nowhere.csv: there is no such file");
    assert_int_equal(kn_read(&ds, ".", NULL, NULL, &err), KN_EINPUT);
    assert_string_equal(err.message, ".: is a folder: give the file in it");
    assert_int_equal(kn_read(&ds, "nowhere.csv", NULL, NULL, NULL), KN_EINPUT);
    assert_int_equal(kn_read(&ds, "x",
                             &(kn_read_options){.layout = &(const kn_layout){.separator = '"'}},
                             NULL, &err),
                     KN_EUSAGE);
}

/* Standard input, through a pipe: its size is not known, and reads come in pieces. */
static void from_pipe(void **state)
{
    const int saved = dup(STDIN_FILENO);
    int ends[2];
    kn_dataset *ds = NULL;
    kn_error err = {0};

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n1,2\n3,4\n", 12), 12);
    (void)close(ends[1]);
    (void)dup2(ends[0], STDIN_FILENO);
    assert_int_equal(kn_read(&ds, "-", NULL, NULL, &err), KN_OK);
    assert_int_equal(ds->records, 2);
    assert_string_equal(ds->source, "-");
    kn_dataset_free(ds);
    assert_int_equal(kn_read(&ds, "-", NULL, NULL, &err), KN_EINPUT);
    assert_string_equal(err.message, "standard input: the file is empty");
    (void)dup2(saved, STDIN_FILENO);
    (void)close(saved);
    (void)close(ends[0]);
}

static int stop_at(void *user, const char *phase, double done)
{
    int *left = user;

    assert_string_equal(phase, "read");
    assert_true(done <= 1);
    return (*left)-- == 0;
}

static void cancelled(void **state)
{
    static char text[20000];
    size_t len = (size_t)sprintf(text, "a,b\n");
    const size_t before = kn_memory_in_use();

    (void)state;
    while (len < 19000) {
        len += (size_t)sprintf(text + len, "%zu,2\n", len);
    }
    put_bytes("cancel.csv", text, len);
    for (unsigned threads = 1; threads <= 3; threads++) {
        /* The calling thread asks at least twice, however few blocks it gets. */
        for (int after = 0; after < (threads == 1 ? 5 : 2); after++) {
            int left = after;
            const kn_read_sizes sizes = {.block = 64};
            const kn_run run = {.threads = threads, .progress = stop_at, .user = &left};
            kn_dataset *ds;
            kn_error err;
            assert_int_equal(kn__read_sized(&ds, "cancel.csv", NULL, &sizes, &run, &err),
                             KN_ECANCELLED);
            assert_null(ds);
            assert_int_equal(kn_memory_in_use(), before);
        }
    }
}

static void no_memory(void **state)
{
    const size_t before = kn_memory_in_use();
    size_t n = 1;

    (void)state;
    put_text("m.csv", "a,b,c\n1,\"x\"\"y\",2\n3,\"z\nz\",4\n5,6,7\n8,9,10\n");
    for (;; n++) {
        const kn_read_options options = {.layout = &(const kn_layout){.separator = 0},
                                         .hash = true};
        const kn_read_sizes sizes = {.block = 16};
        const kn_run run = {.threads = 2};
        kn_dataset *ds = NULL;
        kn_error err;
        kn_status status;

        kn__memory_fail_after(n);
        status = kn__read_sized(&ds, "m.csv", &options, &sizes, &run, &err);
        if (!kn__memory_failed()) {
            kn__memory_fail_after(0);
            assert_int_equal(status, KN_OK);
            kn_dataset_free(ds);
            break;
        }
        kn__memory_fail_after(0);
        assert_int_equal(status, KN_ENOMEM);
        assert_null(ds);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(n > 20);
    assert_int_equal(kn_memory_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_files), cmocka_unit_test(bad_files),
        cmocka_unit_test(encodings),    cmocka_unit_test(first_problem),
        cmocka_unit_test(separators),   cmocka_unit_test(layout_found),
        cmocka_unit_test(hash_known),   cmocka_unit_test(one_column),
        cmocka_unit_test(long_records), cmocka_unit_test(unreadable),
        cmocka_unit_test(cancelled),    cmocka_unit_test(no_memory),
        cmocka_unit_test(from_pipe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
