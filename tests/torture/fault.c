/* fault.c - a library to be preloaded: lets one allocation or one file system call fail. serve.c
 * does so for all allocations of a command, one run after the other.
 *
 * FAULT_AT      the number of the file system call that fails, from 1; 0: none does
 * FAULT_ERROR   the errno of failing file system calls; "kill" for SIGKILL before the call; "stop"
 * for SIGTERM and SIGINT before it, where the second ends the command at once; "power"
 * for a power loss before it: what was written to a file after its last fsync is gone;
 * "power-names": new names of files in a folder that was not flushed since are gone too
 * FAULT_NO_TMPFILE  if set, the file system knows no files without a name (O_TMPFILE)
 * FAULT_COUNT   a file for the number of calls there were, written when the process ends
 * FAULT_STRUCK  a file for the name of the call that failed
 *
 * Calls are counted over all threads: give the command --threads 1 for the same order each time. */
#include "fault.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static bool memory, files, rest, kills, stops, power, power_names, no_tmpfile;
static long at;
static int error;
static atomic_long calls;

/* By system calls, which no function of this file takes the place of. */
static void note(const char *variable, const char *text)
{
    const char *path = getenv(variable);
    const long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600)
                         : -1;

    if (fd >= 0) {
        (void)syscall(SYS_write, fd, text, strlen(text));
        (void)syscall(SYS_close, fd);
    }
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAULT_AT"), *fault = getenv("FAULT_ERROR");

    at = number ? atol(number) : 0;
    power_names = fault && strcmp(fault, "power-names") == 0;
    power = power_names || (fault && strcmp(fault, "power") == 0);
    kills = power || (fault && strcmp(fault, "kill") == 0);
    stops = fault && strcmp(fault, "stop") == 0;
    no_tmpfile = getenv("FAULT_NO_TMPFILE") != NULL;
    error = fault && !kills ? atoi(fault) : EIO;
    files = number != NULL;
}

void fault_starve(long number, bool all_later)
{
    at = number;
    rest = all_later;
    atomic_store(&calls, 0);
    memory = true;
}

long fault_calls(void)
{
    return atomic_load(&calls);
}

/* Files that were written to, and how much of each is flushed. Their descriptors are copies. */
enum { MOST_FILES = 64 };
static struct written {
    int fd;
    dev_t device;
    ino_t inode;
    off_t flushed;
} written[MOST_FILES];
static size_t written_len;

/* Names that were given to files since the last flush of a folder, with a second name of what they
 * named before
 * ("" where there was nothing). */
static struct named {
    char path[512], before[64];
} named[MOST_FILES];
static size_t named_len;

static struct written *find_written(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return NULL;
    }
    for (size_t i = 0; i < written_len; i++) {
        if (written[i].device == st.st_dev && written[i].inode == st.st_ino) {
            return &written[i];
        }
    }
    if (written_len == MOST_FILES) {
        return NULL;
    }
    written[written_len] = (struct written){fcntl(fd, F_DUPFD_CLOEXEC, 100), st.st_dev, st.st_ino,
                                            0};
    return &written[written_len++];
}

static void keep_name(const char *path)
{
    struct named *n;

    if (!power_names || named_len == MOST_FILES) {
        return;
    }
    n = &named[named_len++];
    (void)snprintf(n->path, sizeof n->path, "%s", path);
    (void)snprintf(n->before, sizeof n->before, ".before-%zu", named_len);
    (void)syscall(SYS_unlinkat, AT_FDCWD, n->before, 0);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, n->before, 0) != 0) {
        n->before[0] = '\0';
    }
}

static void forget_names(void)
{
    while (named_len > 0) {
        struct named *n = &named[--named_len];
        if (n->before[0]) {
            (void)syscall(SYS_unlinkat, AT_FDCWD, n->before, 0);
        }
    }
}

/* What a disk holds after a power loss: what was flushed, and no more. */
static void lose_power(void)
{
    for (size_t i = 0; i < written_len; i++) {
        (void)syscall(SYS_ftruncate, written[i].fd, written[i].flushed);
    }
    while (named_len > 0) {
        struct named *n = &named[--named_len];
        if (n->before[0]) {
            (void)syscall(SYS_renameat2, AT_FDCWD, n->before, AT_FDCWD, n->path, 0);
        } else {
            (void)syscall(SYS_unlinkat, AT_FDCWD, n->path, 0);
        }
    }
}

static bool fails(const char *name)
{
    const long number = atomic_fetch_add(&calls, 1) + 1;

    if (at == 0 || (rest ? number < at : number != at)) {
        return false;
    }
    if (number == at) {
        note("FAULT_STRUCK", name);
    }
    if (power) {
        lose_power();
    }
    if (stops) {
        (void)syscall(SYS_kill, getpid(), SIGTERM);
        (void)syscall(SYS_kill, getpid(), SIGINT);
        return false;
    }
    if (kills) {
        (void)syscall(SYS_kill, getpid(), SIGKILL);
    }
    errno = memory ? ENOMEM : error;
    return true;
}

__attribute__((destructor)) static void end(void)
{
    char text[32];

    memory = files = false;
    forget_names();
    (void)snprintf(text, sizeof text, "%ld", atomic_load(&calls));
    note("FAULT_COUNT", text);
}

void *malloc(size_t size)
{
    return memory && fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return memory && fails("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return memory && fails("realloc") ? NULL : __libc_realloc(old, size);
}

static int open_file(const char *path, int flags, mode_t mode)
{
    if (no_tmpfile && (flags & __O_TMPFILE) == __O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return files && fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static mode_t mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    mode_t mode;

    va_start(more, flags);
    mode = mode_of(flags, more);
    va_end(more);
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) /* SQLite's name of it */
{
    va_list more;
    mode_t mode;

    va_start(more, flags);
    mode = mode_of(flags, more);
    va_end(more);
    return open_file(path, flags, mode);
}

DIR *opendir(const char *path)
{
    DIR *(*real)(const char *);

    *(void **)&real = dlsym(RTLD_NEXT, "opendir");
    return files && fails("opendir") ? NULL : real(path);
}

static int look_at(int fd, struct stat *st)
{
    return (int)syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH);
}

int fstat(int fd, struct stat *st)
{
    return files && fails("fstat") ? -1 : look_at(fd, st);
}

ssize_t pread64(int fd, void *bytes, size_t len, off_t offset)
{
    return files && fails("pread") ? -1 : (ssize_t)syscall(SYS_pread64, fd, bytes, len, offset);
}

ssize_t read(int fd, void *bytes, size_t len)
{
    return files && fails("read") ? -1 : (ssize_t)syscall(SYS_read, fd, bytes, len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    if (files && fails("write")) {
        return -1;
    }
    if (power) {
        (void)find_written(fd);
    }
    return (ssize_t)syscall(SYS_write, fd, bytes, len);
}

int fsync(int fd)
{
    struct written *w;
    struct stat st;

    if (files && fails("fsync")) {
        return -1;
    }
    w = power ? find_written(fd) : NULL;
    if (w && look_at(fd, &st) == 0) {
        w->flushed = st.st_size;
    } else if (power) {
        forget_names(); /* a folder */
    }
    return (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
    const int result = (int)syscall(SYS_close, fd);

    return files && fd > 2 && fails("close") ? -1 : result;
}

int fchmod(int fd, mode_t mode)
{
    return files && fails("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int fchown(int fd, uid_t owner, gid_t group)
{
    return files && fails("fchown") ? -1 : (int)syscall(SYS_fchown, fd, owner, group);
}

int stat(const char *path, struct stat *st)
{
    return files && fails("stat") ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, st, 0);
}

int lstat(const char *path, struct stat *st)
{
    return files && fails("lstat")
               ? -1
               : (int)syscall(SYS_newfstatat, AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int access(const char *path, int mode)
{
    return files && fails("access") ? -1 : (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

ssize_t readlink(const char *path, char *to, size_t size)
{
    return files && fails("readlink") ? -1 : syscall(SYS_readlinkat, AT_FDCWD, path, to, size);
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
    return files && fails("getxattr") ? -1 : syscall(SYS_getxattr, path, name, value, size);
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    return files && fails("fsetxattr") ? -1
                                       : (int)syscall(SYS_fsetxattr, fd, name, value, size, flags);
}

int fremovexattr(int fd, const char *name)
{
    return files && fails("fremovexattr") ? -1 : (int)syscall(SYS_fremovexattr, fd, name);
}

int mkdir(const char *path, mode_t mode)
{
    return files && fails("mkdir") ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int link(const char *from, const char *to)
{
    if (files && fails("link")) {
        return -1;
    }
    keep_name(to);
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    if (files && fails("linkat")) {
        return -1;
    }
    keep_name(to);
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to)
{
    if (files && fails("rename")) {
        return -1;
    }
    keep_name(to);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    return files && fails("unlink") ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
