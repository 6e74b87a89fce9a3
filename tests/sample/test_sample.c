/* test_sample.c - samples as files: the same bytes for a seed, whole or not at all, with
 * hierarchies and a schema that fit. */
#include "sample/generate.h"
#include "base/hash.h"
#include "base/memory.h"
#include "kanon/hierarchy.h"
#include "kanon/io.h"
#include "sample/table.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char scratch[] = "sample_XXXXXX";

static int enter(void **state)
{
    (void)state;
    return mkdtemp(scratch) && chdir(scratch) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("..") == 0 && rmdir(scratch) == 0 ? 0 : -1; /* fails if a test left anything */
}

static size_t files_in(const char *folder)
{
    DIR *d = opendir(folder);
    size_t n = 0;

    assert_non_null(d);
    while (readdir(d)) {
        n++;
    }
    closedir(d);
    return n - 2;
}

static void remove_folder(const char *folder)
{
    static const char *const columns[] = {"sex",        "age",     "postcode",
                                          "country",    "marital", "education",
                                          "occupation", "sector",  "diagnosis"};
    char path[256];

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        (void)snprintf(path, sizeof path, "%s/%s.csv", folder, columns[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

static char *sample(size_t records, uint64_t seed, unsigned threads, size_t *len)
{
    const kn_run run = {.threads = threads, .seed = seed};
    kn_error err;
    char *text;

    assert_int_equal(kn__sample_write("people", records, "p.csv", &run, &err), KN_OK);
    text = slurp("p.csv", len);
    assert_non_null(text);
    assert_int_equal(unlink("p.csv"), 0);
    return text;
}

static void test_names(void **state)
{
    size_t count;
    const char *const *names = kn__sample_names(&count);

    (void)state;
    assert_int_equal(count, 10);
    assert_string_equal(names[0], "people");
    assert_string_equal(names[1], "income");
    assert_string_equal(names[2], "baskets");
    assert_string_equal(names[3], "clinic");
    assert_string_equal(names[4], "informs");
    assert_string_equal(names[5], "youtube");
    assert_string_equal(names[6], "loans");
    assert_string_equal(names[7], "towers");
    assert_string_equal(names[8], "orders");
    assert_string_equal(names[9], "clinic-trees");
}

static void test_same_bytes(void **state)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 70000};
    size_t longest;
    char *all = sample(70000, 5, 2, &longest);

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (unsigned threads = 1; threads <= 7; threads += 3) {
            size_t len, lines = 0;
            char *text = sample(sizes[i], 5, threads, &len);
            assert_true(len <= longest);
            assert_memory_equal(text, all, len);
            for (size_t j = 0; j < len; j++) {
                lines += text[j] == '\n';
            }
            assert_int_equal(lines, sizes[i] + 1);
            free(text);
        }
    }
    free(all);
}

/* Other numbers here mean that every sample in the world has changed: say so in the change log. */
static void test_golden(void **state)
{
    size_t len, other_len;
    char *text = sample(5000, 1, 0, &len), *other = sample(5000, 2, 0, &other_len);

    (void)state;
    assert_int_equal(kn__hash_bytes(text, len), UINT64_C(0x165b03e2adf05021));
    assert_true(len != other_len || memcmp(text, other, len) != 0);
    free(text);
    free(other);
}

static void test_default_run(void **state)
{
    size_t len, other_len;
    char *text, *other = sample(10, 0, 1, &other_len);

    (void)state;
    assert_int_equal(kn__sample_write("people", 10, "p.csv", NULL, NULL), KN_OK);
    text = slurp("p.csv", &len);
    assert_string_equal(text, other);
    assert_int_equal(unlink("p.csv"), 0);
    free(text);
    free(other);
}

static void test_refused(void **state)
{
    kn_error err;

    (void)state;
    assert_int_equal(kn__sample_write("peple", 1, "p.csv", NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "people"));
    assert_int_equal(kn__sample_write_hierarchies("peple", "h", &err), KN_EUSAGE);
    assert_int_equal(kn__sample_write_schema("peple", "s.json", "h", &err), KN_EUSAGE);
    assert_int_equal(kn__sample_write("people", SIZE_MAX, "p.csv", NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "68719476736"));
    assert_int_not_equal(kn__sample_write("people", 1, "no/p.csv", NULL, &err), KN_OK);
    assert_int_not_equal(kn__sample_write("people", 1, ".", NULL, &err), KN_OK);
    assert_int_equal(kn__sample_write_hierarchies("people", "no/h", &err), KN_EIO);
    assert_int_equal(kn__sample_write_schema("people", "no/s.json", "h", &err), KN_EIO);
    assert_int_equal(kn__sample_write_schema("people", "s.json", "no/h", &err), KN_EIO);
    assert_int_equal(files_in("."), 0);
}

static int cancel(void *user, const char *phase, double done)
{
    int *calls = user;

    assert_string_equal(phase, "sample");
    assert_true(done >= 0 && done <= 1);
    return ++*calls == 2;
}

static void test_cancel(void **state)
{
    int calls = 0;
    const kn_run run = {.threads = 2, .progress = cancel, .user = &calls};
    kn_error err;

    (void)state;
    assert_int_equal(kn__sample_write("people", 200000, "p.csv", &run, &err), KN_ECANCELLED);
    assert_int_equal(calls, 2);
    assert_int_equal(files_in("."), 0);
}

/* Every value of the data is a leaf; rows have equal depth, one root, and no leaf comes twice. */
static void test_hierarchies(void **state)
{
    enum { COLUMNS = 12, LEAVES = 2048 };
    char *cells[COLUMNS], *names[COLUMNS], *next, *header, *line;
    size_t len;
    char *text = sample(30000, 3, 2, &len), *copy = malloc(len + 1);
    kn_error err;

    (void)state;
    assert_non_null(copy);
    assert_int_equal(kn__sample_write_hierarchies("people", "h", &err), KN_OK);
    assert_int_equal(files_in("h"), 9);
    assert_int_equal(kn__sample_write_hierarchies("people", "h", &err), KN_OK); /* again is fine */
    header = text;
    assert_int_equal(split(header, ',', names, COLUMNS, &line), COLUMNS);
    for (size_t column = 2; column < COLUMNS; column++) {
        char path[64], *rows, *row, *leaf[LEAVES], *levels[8];
        size_t leaves = 0, depth = 0, size;
        char *at = copy;

        (void)snprintf(path, sizeof path, "h/%s.csv", names[column]);
        rows = slurp(path, &size);
        if (strcmp(names[column], "income") == 0) {
            assert_null(rows);
            continue;
        }
        assert_non_null(rows);
        assert_true(size > 0 && rows[size - 1] == '\n');
        for (row = rows; row; row = next) {
            const size_t n = split(row, ';', levels, 8, &next);
            assert_true(n >= 2 && n <= 8 && (depth == 0 || n == depth));
            depth = n;
            assert_string_equal(levels[n - 1], "*");
            for (size_t i = 0; i < leaves; i++) {
                assert_string_not_equal(leaf[i], levels[0]);
            }
            assert_true(leaves < LEAVES);
            leaf[leaves++] = levels[0];
        }
        memcpy(copy, line, len + 1 - (size_t)(line - text));
        for (; at; at = next) {
            size_t i = 0;
            assert_int_equal(split(at, ',', cells, COLUMNS, &next), COLUMNS);
            while (i < leaves && strcmp(leaf[i], cells[column]) != 0) {
                i++;
            }
            assert_true(i < leaves || cells[column][0] == '\0');
        }
        free(rows);
    }
    free(copy);
    free(text);
    remove_folder("h");
}

static void check_schema(const char *path, const char *age)
{
    kn_schema *s;
    kn_error err;
    size_t quasi = 0, identifiers = 0, sensitive = 0;

    assert_int_equal(kn_schema_read(&s, path, &err), KN_OK);
    assert_int_equal(kn_schema_columns(s), 12);
    for (size_t i = 0; i < kn_schema_columns(s); i++) {
        const char *name = kn_schema_column_name(s, i);
        const kn_role role = kn_schema_role(s, name);
        quasi += role == KN_ROLE_QUASI;
        identifiers += role == KN_ROLE_IDENTIFIER;
        sensitive += role == KN_ROLE_SENSITIVE;
        if (age && role == KN_ROLE_QUASI) {
            assert_non_null(kn_schema_hierarchy(s, name));
            assert_int_equal(access(kn_schema_hierarchy(s, name), R_OK), 0);
        }
    }
    assert_int_equal(quasi, 8);
    assert_int_equal(identifiers, 2);
    assert_int_equal(sensitive, 2);
    if (!age) {
        assert_null(kn_schema_hierarchy(s, "age"));
    }
    kn_schema_free(s);
    if (age) {
        size_t len;
        char *text = slurp(path, &len);
        assert_non_null(strstr(text, age));
        free(text);
    }
    assert_int_equal(unlink(path), 0);
}

static void test_schema(void **state)
{
    char here[PATH_MAX], absolute[PATH_MAX + 2];
    kn_error err;

    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(absolute, sizeof absolute, "%s/h", here);
    assert_int_equal(mkdir("a", 0700), 0);
    assert_int_equal(mkdir("a/b", 0700), 0);
    assert_int_equal(mkdir("h\"i", 0700), 0);
    assert_int_equal(kn__sample_write_hierarchies("people", "h", &err), KN_OK);
    assert_int_equal(kn__sample_write_schema("people", "s.json", "h", &err), KN_OK);
    check_schema("s.json", "\"h/age.csv\"");
    assert_int_equal(kn__sample_write_schema("people", "./s.json", "./h//", &err), KN_OK);
    check_schema("s.json", "\"h/age.csv\"");
    assert_int_equal(kn__sample_write_schema("people", "a/b/s.json", "h", &err), KN_OK);
    check_schema("a/b/s.json", "\"../../h/age.csv\"");
    assert_int_equal(kn__sample_write_schema("people", "h/s.json", absolute, &err), KN_OK);
    check_schema("h/s.json", "\"age.csv\"");
    assert_int_equal(kn__sample_write_schema("people", "h/s.json", "./h/../h", &err), KN_OK);
    check_schema("h/s.json", "\"age.csv\"");
    assert_int_equal(kn__sample_write_schema("people", "s.json", NULL, &err), KN_OK);
    check_schema("s.json", NULL);
    /* A name that begins like another's is not inside it. */
    assert_int_equal(kn__sample_write_hierarchies("people", "hh", &err), KN_OK);
    assert_int_equal(kn__sample_write_schema("people", "h/s.json", "hh", &err), KN_OK);
    check_schema("h/s.json", "\"../hh/age.csv\"");
    assert_int_equal(kn__sample_write_hierarchies("people", "h\"i", &err), KN_OK);
    assert_int_equal(kn__sample_write_schema("people", "s.json", "h\"i", &err), KN_OK);
    check_schema("s.json", "\"h\\\"i/age.csv\"");
    /* The folder need not be there yet, but it must be nameable. */
    assert_int_equal(kn__sample_write_schema("people", "s.json", "later", &err), KN_OK);
    assert_int_equal(unlink("s.json"), 0);
    assert_int_equal(kn__sample_write_schema("people", "s.json", "\xff", &err), KN_EUSAGE);
    remove_folder("h");
    remove_folder("hh");
    remove_folder("h\"i");
    assert_int_equal(rmdir("a/b"), 0);
    assert_int_equal(rmdir("a"), 0);
    assert_int_equal(files_in("."), 0);
}

/* Our own readers understand all of it: table (compressed or not), schema, hierarchies. */
static void test_read_back(void **state)
{
    static const char *const paths[] = {"p.csv", "p.csv.gz"};
    const kn_run run = {.seed = 9};
    kn_schema *schema;
    kn_hierarchies *hierarchies;
    size_t found;
    kn_error err;

    (void)state;
    assert_int_equal(kn__sample_write_hierarchies("people", "h", &err), KN_OK);
    assert_int_equal(kn__sample_write_schema("people", "s.json", "h", &err), KN_OK);
    assert_int_equal(kn_schema_read(&schema, "s.json", &err), KN_OK);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const kn_read_options options = {.schema = schema};
        kn_dataset *ds;
        const kn_status status = kn__sample_write("people", 20000, paths[i], &run, &err);
        if (i > 0 && status == KN_EUSAGE) { /* built without gzip */
            assert_non_null(strstr(err.message, "gzip"));
            break;
        }
        assert_int_equal(status, KN_OK);
        assert_int_equal(kn_read(&ds, paths[i], &options, NULL, &err), KN_OK);
        assert_int_equal(kn_dataset_records(ds), 20000);
        assert_int_equal(kn_hierarchies_new(&hierarchies, &err), KN_OK);
        assert_int_equal(kn_hierarchies_read_folder(&found, hierarchies, "h", ds, &err), KN_OK);
        assert_int_equal(found, 9);
        for (size_t c = 0; c < kn_dataset_columns(ds); c++) {
            const kn_hierarchy *h = kn_hierarchies_get(hierarchies, kn_dataset_name(ds, c));
            if (kn_dataset_role(ds, c) == KN_ROLE_QUASI) {
                assert_non_null(h);
                assert_int_equal(kn_hierarchy_covers(h, ds, c, &err), KN_OK);
            }
        }
        kn_hierarchies_free(hierarchies);
        kn_dataset_free(ds);
        assert_int_equal(unlink(paths[i]), 0);
    }
    kn_schema_free(schema);
    assert_int_equal(unlink("s.json"), 0);
    remove_folder("h");
}

static kn_status write_table(kn_error *err)
{
    const kn_run run = {.threads = 2, .seed = 1};
    return kn__sample_write("people", 5000, "p.csv", &run, err);
}

static kn_status write_hierarchies(kn_error *err)
{
    return kn__sample_write_hierarchies("people", "h", err);
}

static kn_status write_schema(kn_error *err)
{
    return kn__sample_write_schema("people", "s.json", "h", err);
}

static void test_no_memory(void **state)
{
    static kn_status (*const calls[])(kn_error *) = {write_table, write_hierarchies, write_schema};
    const size_t before = kn_memory_in_use();

    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        for (size_t n = 1;; n += n < 30 ? 1 : 7) {
            kn_error err = {.status = KN_OK};
            kn_status status;
            kn__memory_fail_after(n);
            status = calls[i](&err);
            assert_int_equal(kn_memory_in_use(), before);
            if (!kn__memory_failed()) {
                kn__memory_fail_after(0);
                assert_int_equal(status, KN_OK);
                assert_true(n > 3);
                break;
            }
            kn__memory_fail_after(0);
            assert_int_equal(status, KN_ENOMEM);
            assert_int_equal(err.status, KN_ENOMEM);
            assert_int_equal(files_in("."), 0);
        }
        (void)unlink("p.csv");
        (void)unlink("s.json");
        if (calls[i] == write_hierarchies) {
            remove_folder("h");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_golden),      cmocka_unit_test(test_default_run),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_hierarchies), cmocka_unit_test(test_schema),
        cmocka_unit_test(test_read_back),   cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
