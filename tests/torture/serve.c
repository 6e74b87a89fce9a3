/* serve.c - one process starts once and runs the command's main() in copies of itself, each with
 * one failing allocation: starting a process costs more than a small job.
 *
 * FAULT_SERVE  a folder that the command writes to, emptied before each run. If this is set, the
 *              process runs its command with no fault, then once for each allocation that fails
 *              alone, and once for each from which on all fail.
 * FAULT_MOST   about how many allocations fail; 0 or nothing: all
 *
 * A run is right if it prints and writes what the run without a fault does, or if it ends with exit
 * code 5 and the word memory, prints nothing and leaves nothing in the folder. Of maps (.geojson)
 * and reports (report.*) only the end is compared: when memory is out, GEOS goes on with another
 * algorithm, and rings start at other points; a report holds the time that was taken. The first
 * wrong runs are printed, and last "RUNS POINTS WRONG". */
#include "fault.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TOLD = 5, OUT_OF_MEMORY = 5, TAIL = 3 };
static const char out_name[] = ".out", err_name[] = ".err";

struct outcome {
    int code;           /* of the process; 128 and the signal's number if one ended it */
    uint64_t out, made; /* sums of what it printed and of what is in the folder */
    size_t out_len, files;
};

static int (*command_main)(int, char **, char **);

static uint64_t sum_bytes(uint64_t sum, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211); /* FNV-1a */
    }
    return sum;
}

/* `tail`: of the last bytes only. */
static uint64_t sum_file(const char *path, bool tail, size_t *len)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    char bytes[8192];
    FILE *file = fopen(path, "rb");
    size_t got;

    *len = 0;
    if (file && tail) {
        (void)fseek(file, -TAIL, SEEK_END);
    }
    while (file && (got = fread(bytes, 1, sizeof bytes, file)) > 0) {
        sum = sum_bytes(sum, bytes, got);
        *len += got;
    }
    if (file) {
        (void)fclose(file);
    }
    return sum;
}

static bool changes_by_itself(const char *name)
{
    const size_t len = strlen(name);

    return strncmp(name, "report.", 7) == 0 || (len > 8 && strcmp(name + len - 8, ".geojson") == 0);
}

/* Calls `each` for every file in the folder and those in it, the hidden ones among them; a folder
 * comes after what it holds. */
static void walk(const char *folder, void (*each)(const char *path, const char *name, void *to),
                 void *to)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    char path[512];

    while (entries && (entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            if (entry->d_type == DT_DIR) {
                walk(path, each, to);
            }
            each(path, entry->d_name, to);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
}

static void remove_one(const char *path, const char *name, void *to)
{
    (void)name;
    (void)to;
    (void)remove(path);
}

/* The sum of a folder does not depend on the order of its files. */
static void add_one(const char *path, const char *name, void *to)
{
    struct outcome *o = to;
    size_t len = 0;
    const uint64_t sum = sum_file(path, changes_by_itself(name), &len);

    o->made += sum_bytes(sum, name, strlen(name) + 1);
    o->files++;
}

static void print_one(const char *path, const char *name, void *to)
{
    (void)path;
    (void)to;
    (void)printf(" %s", name);
}

static void redirect(const char *path, int to)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || dup2(fd, to) < 0 || close(fd) != 0) {
        _exit(99);
    }
}

/* What one run of the command does, in a copy of this process. `calls` gets its allocations. */
static struct outcome run(const char *folder, char **argv, int argc, char **envp, long at,
                          bool rest, atomic_long *calls)
{
    struct outcome o = {0};
    int status = 0;
    pid_t child;

    walk(folder, remove_one, NULL);
    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        redirect(out_name, STDOUT_FILENO);
        redirect(err_name, STDERR_FILENO);
        (void)unsetenv("LD_PRELOAD");
        fault_starve(at, rest);
        status = command_main(argc, argv, envp);
        atomic_store(calls, fault_calls());
        exit(status);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("serve");
        exit(1);
    }
    o.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    o.out = sum_file(out_name, false, &o.out_len);
    walk(folder, add_one, &o);
    return o;
}

/* The first bytes of what the last run said. */
static const char *said(void)
{
    static char text[4096];
    FILE *file = fopen(err_name, "rb");
    const size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;

    text[len] = '\0';
    if (file) {
        (void)fclose(file);
    }
    return text;
}

static bool is_right(const struct outcome *o, const struct outcome *wanted, int argc, char **argv)
{
    bool reads_places = false;

    if (o->code == wanted->code && o->out == wanted->out && o->files == wanted->files &&
        o->made == wanted->made) {
        return true;
    }
    if (o->out_len > 0 || o->files > 0) {
        return false;
    }
    for (int i = 1; i < argc; i++) {
        reads_places |= strcmp(argv[i], "--coordinates") == 0;
    }
    /* GEOS 3.15 catches no failure while it makes its context; before that, kanon asks for more
     * memory than this takes. */
    if (o->code == 128 + SIGABRT && reads_places) {
        return strstr(said(), "bad_alloc") != NULL;
    }
    return o->code == OUT_OF_MEMORY && strcasestr(said(), "memory") != NULL;
}

static int serve(int argc, char **argv, char **envp)
{
    const char *folder = getenv("FAULT_SERVE"), *most_text = getenv("FAULT_MOST");
    const long most = most_text ? atol(most_text) : 0;
    atomic_long *calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct outcome wanted;
    long points, step, runs = 0, wrong = 0;

    if (calls == MAP_FAILED) {
        perror("serve");
        return 1;
    }
    wanted = run(folder, argv, argc, envp, 0, false, calls);
    points = atomic_load(calls);
    step = most > 0 && points > most ? points / most : 1;
    for (int rest = 0; rest <= 1; rest++) {
        for (long at = 1; at <= points; at += step) {
            const struct outcome o = run(folder, argv, argc, envp, at, rest, calls);
            runs++;
            if (is_right(&o, &wanted, argc, argv)) {
                continue;
            }
            if (++wrong <= MOST_TOLD) {
                (void)printf("# allocation %ld%s: exit %d instead of %d: %.200s", at,
                             rest ? " and all later ones" : "", o.code, wanted.code, said());
                walk(folder, print_one, NULL);
                (void)printf("\n");
            }
        }
    }
    (void)printf("%ld %ld %ld\n", runs, 2 * points, wrong);
    return 0;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*unload)(void), void *stack);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*unload)(void), void *stack)
{
    __typeof__(&__libc_start_main) real;

    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    command_main = main;
    return real(getenv("FAULT_SERVE") ? serve : main, argc, argv, init, fini, unload, stack);
}
