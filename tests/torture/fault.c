/* fault.c - a library to be preloaded: lets one allocation or one file system call fail.
 *
 * FAULT_KIND    "memory" (malloc, calloc, realloc) or "files" (what changes files)
 * FAULT_AT      the number of the call that fails, from 1; 0: none does
 * FAULT_ERROR   the errno of failing file system calls, or "kill" for SIGKILL before the call
 * FAULT_REST    if set, all later allocations fail too
 * FAULT_COUNT   a file for the number of calls there were, written when the process ends
 * FAULT_STRUCK  a file for the name of the call that failed
 *
 * Calls are counted over all threads: give the command --threads 1 for the same order each time. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static bool memory, files, rest, kills;
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
    const char *kind = getenv("FAULT_KIND"), *number = getenv("FAULT_AT"),
               *fault = getenv("FAULT_ERROR");

    at = number ? atol(number) : 0;
    kills = fault && strcmp(fault, "kill") == 0;
    error = fault && !kills ? atoi(fault) : EIO;
    rest = getenv("FAULT_REST") != NULL;
    files = kind && strcmp(kind, "files") == 0;
    memory = kind && strcmp(kind, "memory") == 0;
}

__attribute__((destructor)) static void end(void)
{
    char text[32];

    memory = files = false;
    (void)snprintf(text, sizeof text, "%ld", atomic_load(&calls));
    note("FAULT_COUNT", text);
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
    if (kills) {
        (void)syscall(SYS_kill, getpid(), SIGKILL);
    }
    errno = memory ? ENOMEM : error;
    return true;
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

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;

    if (flags & (O_CREAT | __O_TMPFILE)) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    return files && fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    return files && fails("write") ? -1 : (ssize_t)syscall(SYS_write, fd, bytes, len);
}

int fsync(int fd)
{
    return files && fails("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
    const int result = (int)syscall(SYS_close, fd);

    return files && fd > 2 && fails("close") ? -1 : result;
}

int chmod(const char *path, mode_t mode)
{
    return files && fails("chmod") ? -1 : (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
    return files && fails("mkdir") ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int link(const char *from, const char *to)
{
    return files && fails("link") ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    return files && fails("linkat")
               ? -1
               : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to)
{
    return files && fails("rename") ? -1
                                    : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    return files && fails("unlink") ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
