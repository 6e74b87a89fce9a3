/* test_sinks.c - several files appear all or none. */
#include "base/memory.h"
#include "io/bytes/file.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int enter(void **state)
{
    static char folder[] = "/tmp/kanon-sinks-XXXXXX";

    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    return system("rm -rf -- \"$PWD\"");
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    (void)fclose(f);
    assert_string_equal(got, text);
}

/* Files in the folder, hidden ones too. */
static int files(void)
{
    DIR *d = opendir(".");
    int count = -2;

    while (readdir(d)) {
        count++;
    }
    (void)closedir(d);
    return count;
}

static kn_sink *sink(const char *path, const char *text)
{
    kn_sink *s;

    assert_int_equal(kn__sink_open(&s, path, KN_COMPRESSION_NONE, NULL), KN_OK);
    assert_int_equal(kn__sink_write(s, text, strlen(text), NULL), KN_OK);
    return s;
}

static void test_all(void **state)
{
    kn_sink *s[3];

    (void)state;
    put("b", "older");
    s[0] = sink("a", "1");
    s[1] = sink("b", "2");
    s[2] = NULL;
    assert_int_equal(kn__sinks_commit(s, 3, NULL), KN_OK);
    assert_true(!s[0] && !s[1]);
    holds("a", "1");
    holds("b", "2");
    assert_int_equal(files(), 2);
    assert_int_equal(kn__sinks_commit(NULL, 0, NULL), KN_OK);
    (void)remove("a");
    (void)remove("b");
}

/* A device without room fails when everything else is in place already. */
static void test_none(void **state)
{
    kn_error err;
    kn_sink *s[4];

    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: /dev/full is not there\n");
        skip();
    }
    put("b", "older");
    assert_int_equal(symlink("b", "link"), 0);
    s[0] = sink("/dev/full", "no room");
    s[1] = sink("a", "1");
    s[2] = sink("link", "2");
    s[3] = sink("c", "3");
    assert_int_equal(kn__sinks_commit(s, 4, &err), KN_EIO);
    assert_non_null(strstr(err.message, "/dev/full"));
    assert_true(!s[0] && !s[1] && !s[2] && !s[3]);
    holds("b", "older");
    assert_int_equal(files(), 2);
    /* one that fails in the middle: its folder is gone */
    assert_int_equal(system("mkdir gone"), 0);
    s[0] = sink("b", "1");
    s[1] = sink("gone/c", "2");
    s[2] = sink("a", "3");
    assert_int_equal(system("rm -rf gone"), 0);
    assert_int_equal(kn__sinks_commit(s, 3, &err), KN_EIO);
    holds("b", "older");
    assert_int_equal(files(), 2);
    (void)remove("b");
    (void)remove("link");
}

/* Two outputs of one name would be one file. */
static void test_same_target(void **state)
{
    kn_error err;
    kn_sink *s[2];

    (void)state;
    put("b", "older");
    assert_int_equal(symlink("b", "link"), 0);
    s[0] = sink("b", "1");
    s[1] = sink("link", "2");
    assert_int_equal(kn__sinks_commit(s, 2, &err), KN_EUSAGE);
    holds("b", "older");
    s[0] = sink("./new", "1");
    s[1] = sink("new", "2");
    assert_int_equal(kn__sinks_commit(s, 2, &err), KN_EUSAGE);
    assert_int_equal(files(), 2);
    (void)remove("b");
    (void)remove("link");
}

static void test_failing_memory(void **state)
{
    (void)state;
    put("b", "older");
    for (size_t n = 1;; n++) {
        kn_sink *s[2] = {sink("a", "1"), sink("b", "2")};
        kn_status st;
        kn__memory_fail_after(n);
        st = kn__sinks_commit(s, 2, NULL);
        kn__memory_fail_after(0);
        if (st == KN_OK) {
            assert_true(n > 3);
            break;
        }
        assert_int_equal(st, KN_ENOMEM);
        assert_int_equal(files(), 1);
        holds("b", "older");
    }
    holds("a", "1");
    (void)remove("a");
    (void)remove("b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_same_target),
        cmocka_unit_test(test_failing_memory),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
