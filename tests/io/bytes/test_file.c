/* test_file.c - sources and sinks: compression, damage, and files that appear whole or not at all.
 */
#include "io/io_test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { LEN = 700000 };

/* Text that compresses badly enough to fill several buffers. */
static char *some_text(void)
{
    char *text = malloc(LEN);
    kn_rng rng;

    kn__rng_seed(&rng, 3, 3);
    for (size_t i = 0; i < LEN; i++) {
        text[i] = (char)('a' + kn__rng_below(&rng, 26));
    }
    return text;
}

static kn_status read_all(const char *path, kn_compression compression, char *out, size_t cap,
                          size_t step, size_t *len, kn_error *err)
{
    kn_source *s = NULL;
    kn_status status = kn__source_open(&s, path, compression, true, err);
    double done = -1;
    size_t got = step;

    *len = 0;
    while (status == KN_OK && got == step) {
        assert_true(*len + step <= cap);
        status = kn__source_read(s, out + *len, step, &got, err);
        *len += got;
        if (status == KN_OK) {
            assert_true(kn__source_done(s) >= done);
            done = kn__source_done(s);
        }
    }
    if (status == KN_OK) {
        char hash[65];
        assert_true(done == 1 || done == -1);
        kn__source_sha256(s, hash);
        assert_int_equal(strlen(hash), 64);
    }
    kn__source_close(s);
    return status;
}

static void write_all(const char *path, kn_compression compression, const char *text, size_t len,
                      size_t step)
{
    kn_sink *s = NULL;
    kn_error err = {0};

    assert_int_equal(kn__sink_open(&s, path, compression, &err), KN_OK);
    for (size_t at = 0; at < len; at += step) {
        assert_int_equal(kn__sink_write(s, text + at, len - at < step ? len - at : step, &err),
                         KN_OK);
    }
    assert_int_equal(kn__sink_commit(s, &err), KN_OK);
}

static const char *const names[] = {"t.csv", "t.csv.gz", "t.csv.zst"};

/* Whether this build knows the compression of names[i]. */
static bool built_in(size_t i)
{
#ifndef KN_HAVE_ZLIB
    if (i == 1) {
        return false;
    }
#endif
#ifndef KN_HAVE_ZSTD
    if (i == 2) {
        return false;
    }
#endif
    return i < 3;
}

static void round_trip(void **state)
{
    static const size_t steps[] = {1 << 20, 1000, 65536, LEN};
    char *text = some_text(), *back = malloc(LEN + (2 << 20));

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        if (!built_in(i)) {
            continue;
        }
        for (size_t j = 0; j < 4; j++) {
            size_t len;
            kn_error err = {0};
            write_all(names[i], KN_COMPRESSION_AUTO, text, LEN, steps[j]);
            assert_int_equal(read_all(names[i], KN_COMPRESSION_AUTO, back, LEN + (2 << 20),
                                      steps[j], &len, &err),
                             KN_OK);
            assert_int_equal(len, LEN);
            assert_memory_equal(text, back, LEN);
        }
        /* nothing at all */
        write_all(names[i], KN_COMPRESSION_AUTO, "", 0, 1);
        {
            size_t len;
            kn_error err = {0};
            assert_int_equal(read_all(names[i], KN_COMPRESSION_AUTO, back, 100, 10, &len, &err),
                             KN_OK);
            assert_int_equal(len, 0);
        }
    }
    assert_int_equal(temporary_files("."), 0);
    free(text);
    free(back);
}

static void append(const char *to, const char *from)
{
    char *bytes;
    size_t len;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "ab");

    bytes = malloc(1 << 20);
    len = fread(bytes, 1, 1 << 20, in);
    assert_int_equal(fwrite(bytes, 1, len, out), len);
    (void)fclose(in);
    (void)fclose(out);
    free(bytes);
}

static void concatenated(void **state)
{
    char back[100];
    size_t len;
    kn_error err = {0};

    (void)state;
    for (size_t i = 1; i < 3; i++) {
        if (!built_in(i)) {
            continue;
        }
        write_all(names[i], KN_COMPRESSION_AUTO, "first,", 6, 6);
        write_all("second", i == 1 ? KN_COMPRESSION_GZIP : KN_COMPRESSION_ZSTD, "second", 6, 6);
        append(names[i], "second");
        for (size_t step = 1; step < 30; step++) {
            assert_int_equal(read_all(names[i], KN_COMPRESSION_AUTO, back, 100, step, &len, &err),
                             KN_OK);
            assert_int_equal(len, 12);
            assert_memory_equal(back, "first,second", 12);
        }
        put_text("garbage", "garbage");
        append(names[i], "garbage");
        assert_int_equal(read_all(names[i], KN_COMPRESSION_AUTO, back, 100, 50, &len, &err),
                         KN_EINPUT);
        assert_non_null(strstr(err.message, "damaged"));
    }
}

static void damaged(void **state)
{
    char *text = some_text(), *back = malloc(LEN + (2 << 20)), *stored = malloc(1 << 20);

    (void)state;
    for (size_t i = 1; i < 3; i++) {
        size_t len, size;
        kn_error err = {0};
        FILE *f;

        if (!built_in(i)) {
            continue;
        }
        write_all(names[i], KN_COMPRESSION_AUTO, text, LEN, LEN);
        f = fopen(names[i], "rb");
        size = fread(stored, 1, 1 << 20, f);
        (void)fclose(f);
        for (size_t cut = 5; cut < size; cut += size / 40) {
            put_bytes("cut", stored, cut);
            assert_int_equal(read_all("cut", KN_COMPRESSION_AUTO, back, LEN + (2 << 20), 100000,
                                      &len, &err),
                             KN_EINPUT);
            assert_string_equal(err.message, "cut: the compressed data breaks off: the file is not "
                                             "whole, fetch or make it again");
        }
        put_bytes("cut", stored, size - 1);
        assert_int_equal(read_all("cut", KN_COMPRESSION_AUTO, back, LEN + (2 << 20), 100000, &len,
                                  &err),
                         KN_EINPUT);
        stored[size / 2] ^= 0x55;
        put_bytes("cut", stored, size);
        assert_int_equal(read_all("cut", KN_COMPRESSION_AUTO, back, LEN + (2 << 20), 100000, &len,
                                  &err),
                         KN_EINPUT);
        assert_non_null(strstr(err.message, "damaged"));
    }
    {
        size_t len;
        kn_error err;
        put_text("plain", "plain");
        assert_int_equal(read_all("plain", KN_COMPRESSION_GZIP, back, 100, 10, &len, &err),
                         KN_EINPUT);
        assert_string_equal(err.message, "plain: is not compressed with gzip");
    }
    free(text);
    free(back);
    free(stored);
}

static mode_t mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void whole_or_not(void **state)
{
    kn_sink *s;
    kn_error err = {0};
    const mode_t mask = umask(027);

    (void)state;
    put_text("old.csv", "old");
    assert_int_equal(chmod("old.csv", 0604), 0);
    assert_int_equal(kn__sink_open(&s, "old.csv", KN_COMPRESSION_AUTO, &err), KN_OK);
    assert_int_equal(kn__sink_write(s, "new", 3, &err), KN_OK);
    assert_int_equal(mode_of(kn__sink_temporary(s)), 0600);
    assert_string_equal(get_text("old.csv"), "old");
    assert_int_equal(kn__sink_finish(s, &err), KN_OK);
    assert_string_equal(get_text(kn__sink_temporary(s)), "new");
    assert_string_equal(get_text("old.csv"), "old");
    assert_true(temporary_files(".") <= 1); /* none where files may be without a name */
    assert_int_equal(kn__sink_commit(s, &err), KN_OK);
    assert_int_equal(temporary_files("."), 0);
    assert_string_equal(get_text("old.csv"), "new");
    assert_int_equal(mode_of("old.csv"), 0604);
    assert_int_equal(temporary_files("."), 0);

    (void)unlink("fresh.csv");
    write_all("fresh.csv", KN_COMPRESSION_NONE, "x", 1, 1);
    assert_int_equal(mode_of("fresh.csv"), 0640);

    assert_int_equal(kn__sink_open(&s, "old.csv", KN_COMPRESSION_AUTO, &err), KN_OK);
    kn__sink_abandon(s);
    assert_string_equal(get_text("old.csv"), "new");
    assert_int_equal(temporary_files("."), 0);

    assert_int_equal(kn__sink_open(&s, "old.csv", KN_COMPRESSION_AUTO, &err), KN_OK);
    kn__sink_remove_all();
    assert_int_equal(temporary_files("."), 0);
    assert_int_equal(kn__sink_commit(s, &err), KN_EIO);
    assert_string_equal(get_text("old.csv"), "new");
    (void)umask(mask);
}

static void links(void **state)
{
    struct stat st;

    (void)state;
    (void)mkdir("folder", 0755);
    put_text("folder/target.csv", "old");
    (void)unlink("link.csv");
    assert_int_equal(symlink("folder/target.csv", "link.csv"), 0);
    write_all("link.csv", KN_COMPRESSION_NONE, "new", 3, 3);
    assert_string_equal(get_text("folder/target.csv"), "new");
    assert_int_equal(lstat("link.csv", &st), 0);
    assert_true(S_ISLNK(st.st_mode));

    (void)unlink("folder/target.csv");
    write_all("link.csv", KN_COMPRESSION_NONE, "again", 5, 5);
    assert_string_equal(get_text("folder/target.csv"), "again");
    assert_int_equal(lstat("link.csv", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_true(kn__file_same("link.csv", "folder/../folder/target.csv"));
    assert_false(kn__file_same("link.csv", "nowhere"));
    assert_int_equal(temporary_files("folder"), 0);
}

static void refused(void **state)
{
    kn_sink *s;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn__sink_open(&s, ".", KN_COMPRESSION_AUTO, &err), KN_EUSAGE);
    assert_string_equal(err.message, ".: is a folder: give the name of a file");
    assert_null(s);
    assert_int_equal(kn__sink_open(&s, "no/such/folder/x.csv", KN_COMPRESSION_AUTO, &err), KN_EIO);
    assert_string_equal(err.message,
                        "no/such/folder/x.csv: cannot be written: No such file or directory");
    assert_int_equal(kn__sink_open(&s, "folder/", KN_COMPRESSION_AUTO, &err), KN_EUSAGE);
}

static void full_disk(void **state)
{
    const struct rlimit small = {20000, RLIM_INFINITY};
    struct rlimit before;
    kn_sink *s;
    kn_error err = {0};
    char *text = some_text();

    (void)state;
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(kn__sink_open(&s, "/dev/full", KN_COMPRESSION_NONE, &err), KN_OK);
        assert_int_equal(kn__sink_write(s, "x", 1, &err), KN_OK);
        assert_int_equal(kn__sink_commit(s, &err), KN_EIO);
        assert_string_equal(err.message, "/dev/full: cannot be written: No space left on device");
    }
    /* A limit on the size of files stands in for a small disk. */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){small.rlim_cur, before.rlim_max}), 0);
    put_text("kept.csv", "kept");
    for (size_t i = 0; i < 3; i++) {
        kn_status status;
        if (!built_in(i)) {
            continue;
        }
        assert_int_equal(
            kn__sink_open(&s, "kept.csv", (kn_compression)(KN_COMPRESSION_NONE + i), &err), KN_OK);
        status = kn__sink_write(s, text, LEN, &err);
        if (status == KN_OK) {
            status = kn__sink_commit(s, &err);
        } else {
            kn__sink_abandon(s);
        }
        assert_int_equal(status, KN_EIO);
        assert_string_equal(err.message, "kept.csv: cannot be written: File too large");
        assert_string_equal(get_text("kept.csv"), "kept");
        assert_int_equal(temporary_files("."), 0);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    free(text);
}

/* A pipe gets a copy, and so does standard output. */
static void copies(void **state)
{
    char back[16] = "";
    pid_t child;
    int status, saved, fd;

    (void)state;
    (void)unlink("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    child = fork();
    if (child == 0) {
        kn_sink *s;
        _exit(kn__sink_open(&s, "pipe", KN_COMPRESSION_NONE, NULL) != KN_OK ||
              kn__sink_write(s, "through", 7, NULL) != KN_OK || kn__sink_commit(s, NULL) != KN_OK);
    }
    fd = open("pipe", O_RDONLY);
    assert_int_equal(read(fd, back, sizeof back), 7);
    assert_string_equal(back, "through");
    (void)close(fd);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);

    saved = dup(STDOUT_FILENO);
    fflush(stdout);
    fd = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)dup2(fd, STDOUT_FILENO);
    write_all("-", KN_COMPRESSION_NONE, "one\n", 4, 4);
    write_all("/dev/null", KN_COMPRESSION_NONE, "two\n", 4, 4);
    (void)dup2(saved, STDOUT_FILENO);
    (void)close(saved);
    (void)close(fd);
    assert_string_equal(get_text("out.txt"), "one\n");
}

static void slurp(void **state)
{
    char *text;
    size_t len;
    kn_error err = {0};

    (void)state;
    put_text("small.txt", "hello");
    assert_int_equal(kn__file_slurp("small.txt", 5, &text, &len, &err), KN_OK);
    assert_string_equal(text, "hello");
    assert_int_equal(len, 5);
    kn__free(text);
    assert_int_equal(kn__file_slurp("small.txt", 4, &text, &len, &err), KN_EINPUT);
    assert_null(text);
    put_text("small.txt", "");
    assert_int_equal(kn__file_slurp("small.txt", 4, &text, &len, &err), KN_OK);
    assert_string_equal(text, "");
    kn__free(text);
}

static kn_status copy_file(kn_error *err)
{
    char *text = NULL;
    size_t len;
    kn_sink *s = NULL;
    kn_status status = kn__file_slurp("from.gz", 1 << 20, &text, &len, err);

    if (status == KN_OK) {
        status = kn__sink_open(&s, "to.gz", KN_COMPRESSION_AUTO, err);
    }
    if (status == KN_OK) {
        status = kn__sink_write(s, text, len, err);
    }
    kn__free(text);
    if (status != KN_OK) {
        kn__sink_abandon(s);
        return status;
    }
    return kn__sink_commit(s, err);
}

static void no_memory(void **state)
{
    const size_t before = kn_memory_in_use();
    size_t n = 1;

    (void)state;
    if (!built_in(1)) {
        print_message("skipped: gzip is not built in\n");
        skip();
    }
    write_all("from.gz", KN_COMPRESSION_GZIP, "a,b\n1,2\n", 8, 8);
    for (;; n++) {
        kn_error err;
        kn_status status;
        kn__memory_fail_after(n);
        status = copy_file(&err);
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
    assert_true(n > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),   cmocka_unit_test(concatenated), cmocka_unit_test(damaged),
        cmocka_unit_test(whole_or_not), cmocka_unit_test(links),        cmocka_unit_test(refused),
        cmocka_unit_test(full_disk),    cmocka_unit_test(copies),       cmocka_unit_test(slurp),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
