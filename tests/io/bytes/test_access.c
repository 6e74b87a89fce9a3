/* test_access.c - a file that replaces another one is as private as that one was. */
#include "io/bytes/file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

enum { USER = 64001, GROUP = 64001, OWN_GROUP = 64002, OTHER_GROUP = 64003 };

static const char of_file[] = "system.posix_acl_access", of_folder[] = "system.posix_acl_default";
/* What setfacl writes for u::rw-,u:64009:r--,g::---,m::r--,o::--- */
static const unsigned char list[] = {2,    0,    0,    0, 1,    0,    6,    0,    0xff,
                                     0xff, 0xff, 0xff, 2, 0,    4,    0,    0x09, 0xfa,
                                     0,    0,    4,    0, 0,    0,    0xff, 0xff, 0xff,
                                     0xff, 0x10, 0,    4, 0,    0xff, 0xff, 0xff, 0xff,
                                     0x20, 0,    0,    0, 0xff, 0xff, 0xff, 0xff};

static int enter(void **state)
{
    static char folder[] = "/tmp/kanon-access-XXXXXX";

    (void)state;
    return !mkdtemp(folder) || chmod(folder, 0777) != 0 || chdir(folder) != 0;
}

static int leave(void **state)
{
    (void)state;
    return system("rm -rf -- \"$PWD\"");
}

static bool no_nameless; /* as in a file system that knows no files without a name */

/* In place of that of the C library. */
static int open_file(const char *path, int flags, va_list more)
{
    const bool nameless = (flags & __O_TMPFILE) == __O_TMPFILE;
    const mode_t mode = nameless || (flags & O_CREAT) ? va_arg(more, mode_t) : 0;

    if (nameless && no_nameless) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list more;
    int fd;

    va_start(more, flags);
    fd = open_file(path, flags, more);
    va_end(more);
    return fd;
}

/* An older file of this mode. */
static void older(const char *path, mode_t mode)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static bool replace(const char *path)
{
    kn_sink *sink = NULL;

    if (kn__sink_open(&sink, path, KN_COMPRESSION_NONE, NULL) != KN_OK) {
        return false;
    }
    if (kn__sink_write(sink, "new", 3, NULL) != KN_OK) {
        kn__sink_abandon(sink);
        return false;
    }
    return kn__sink_commit(sink, NULL) == KN_OK;
}

static mode_t mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

/* As a user in two groups, replace `path`. The exit code says that it worked. */
static void replace_as_user(const char *path)
{
    const gid_t also = OWN_GROUP;
    const pid_t child = fork();
    int code = -1;

    if (child == 0) {
        if (setgroups(1, &also) != 0 || setgid(GROUP) != 0 || setuid(USER) != 0) {
            _exit(3);
        }
        _exit(replace(path) ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), 0);
}

static void owned(const char *path, uid_t owner, gid_t group, mode_t mode)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, 3);
    assert_int_equal(st.st_uid, owner);
    assert_int_equal(st.st_gid, group);
    assert_int_equal(st.st_mode & 0777, mode);
}

static void owners_and_groups(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    older("a", 0640);
    assert_int_equal(chown("a", USER, OTHER_GROUP), 0);
    assert_true(replace("a"));
    owned("a", USER, OTHER_GROUP, 0640); /* root keeps both */

    assert_int_equal(chown("a", USER, OWN_GROUP), 0);
    replace_as_user("a");
    owned("a", USER, OWN_GROUP, 0640); /* a group that the user is in */

    assert_int_equal(chown("a", USER, OTHER_GROUP), 0);
    replace_as_user("a");
    owned("a", USER, GROUP, 0600); /* the user's group does not get what another group had */

    older("a", 0664);
    assert_int_equal(chown("a", USER, OTHER_GROUP), 0);
    replace_as_user("a");
    owned("a", USER, GROUP, 0644); /* but what everybody had */

    older("a", 0664);
    assert_int_equal(chown("a", USER + 1, OWN_GROUP), 0);
    replace_as_user("a");
    owned("a", USER, OWN_GROUP, 0664); /* the file of another one of the group */
}

static void access_lists(void **state)
{
    char got[sizeof list];

    (void)state;
    older("b", 0600);
    if (setxattr("b", of_file, list, sizeof list, 0) != 0) {
        skip(); /* the file system has no access lists */
    }
    assert_int_equal(mode_of("b"), 0640);
    assert_true(replace("b"));
    assert_int_equal(mode_of("b"), 0640);
    assert_int_equal(getxattr("b", of_file, got, sizeof got), sizeof list);
    assert_memory_equal(got, list, sizeof list);

    /* Its group has nothing in it, and the bits of its mode are the mask: neither may remain alone.
     */
    if (geteuid() == 0) {
        assert_int_equal(chown("b", USER, OTHER_GROUP), 0);
        replace_as_user("b");
        owned("b", USER, GROUP, 0600);
        assert_int_equal(getxattr("b", of_file, got, sizeof got), -1);
    }
}

static void lists_of_folders(void **state)
{
    char got[sizeof list];

    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    older("folder/old", 0640);
    if (setxattr("folder", of_folder, list, sizeof list, 0) != 0) {
        skip();
    }
    older("folder/made", 0600);
    assert_true(getxattr("folder/made", of_file, got, sizeof got) > 0);
    assert_true(replace("folder/new"));
    assert_int_equal(mode_of("folder/new"),
                     0640); /* and not 0644: the list has nothing for others */
    assert_int_equal(getxattr("folder/new", of_file, got, sizeof got), sizeof list);
    assert_memory_equal(got, list, sizeof list);
    /* An older file without a list gets none. */
    assert_true(replace("folder/old"));
    assert_int_equal(mode_of("folder/old"), 0640);
    assert_int_equal(getxattr("folder/old", of_file, got, sizeof got), -1);
}

/* Another user of the folder puts a link in place of the temporary file. */
static void links_in_between(void **state)
{
    kn_sink *sink = NULL;

    (void)state;
    older("c", 0644);
    older("secret", 0600);
    no_nameless = true;
    assert_int_equal(kn__sink_open(&sink, "c", KN_COMPRESSION_NONE, NULL), KN_OK);
    no_nameless = false;
    assert_int_equal(kn__sink_write(sink, "new", 3, NULL), KN_OK);
    assert_int_equal(kn__sink_finish(sink, NULL), KN_OK);
    assert_int_equal(unlink(kn__sink_temporary(sink)), 0);
    assert_int_equal(symlink("secret", kn__sink_temporary(sink)), 0);
    (void)kn__sink_commit(sink, NULL);
    assert_int_equal(mode_of("secret"), 0600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_and_groups),
        cmocka_unit_test(access_lists),
        cmocka_unit_test(lists_of_folders),
        cmocka_unit_test(links_in_between),
    };

    (void)umask(022);
    return cmocka_run_group_tests(tests, enter, leave);
}
