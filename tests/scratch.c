/* scratch.c - every cmocka program works in an empty folder of its own, wherever it is started.
 * It is linked into each of them: the folder is made in KN_TEST_SCRATCH (in the folder of the
 * build) before main(), and removed when the process that made it exits. A program that cannot have
 * one ends with 99 before it has written anything. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = KN_TEST_SCRATCH "/run-XXXXXX";
static pid_t maker;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st, (void)walk;
    if (type == FTW_DNR) { /* a test took the permissions away */
        (void)chmod(path, 0700);
    }
    return remove(path), 0;
}

static void leave(void)
{
    if (getpid() == maker && chdir(KN_TEST_SCRATCH) == 0) {
        (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
}

__attribute__((constructor)) static void enter(void)
{
    maker = getpid();
    if (!mkdtemp(folder) || chdir(folder) != 0 || atexit(leave) != 0) {
        perror("scratch: no folder of its own in " KN_TEST_SCRATCH);
        _exit(99);
    }
}
