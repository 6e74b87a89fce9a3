/* bench_read.c - read a file and code it; with a second file, write it again.
 *
 *     bench_read [--schema FILE] [--threads N] [--hash] INPUT [OUTPUT]
 *
 * Prints the records and the seconds. */
#include "kanon/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int complain(const char *words)
{
    (void)fprintf(stderr, "%s\n", words);
    return 1;
}

int main(int argc, char **argv)
{
    const char *paths[2] = {NULL, NULL};
    kn_run run = {0};
    kn_read_options options = {0};
    kn_schema *schema = NULL;
    kn_dataset *ds = NULL;
    kn_error err;
    double start;
    int given = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            run.threads = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--hash") == 0) {
            options.hash = true;
        } else if (strcmp(argv[i], "--schema") == 0 && i + 1 < argc) {
            if (kn_schema_read(&schema, argv[++i], &err) != KN_OK) {
                return complain(err.message);
            }
            options.schema = schema;
        } else if (given < 2) {
            paths[given++] = argv[i];
        }
    }
    if (!given) {
        return complain("usage: bench_read [--schema FILE] [--threads N] [--hash] INPUT [OUTPUT]");
    }
    start = now();
    if (kn_read(&ds, paths[0], &options, &run, &err) != KN_OK) {
        return complain(err.message);
    }
    printf("%zu records of %zu columns read in %.3f s, at most %zu MB\n", kn_dataset_records(ds),
           kn_dataset_columns(ds), now() - start, kn_memory_peak() / 1000000);
    start = now();
    if (paths[1] && kn_write(ds, paths[1], NULL, &run, &err) != KN_OK) {
        return complain(err.message);
    }
    if (paths[1]) {
        printf("written in %.3f s\n", now() - start);
    }
    kn_dataset_free(ds);
    kn_schema_free(schema);
    return 0;
}
