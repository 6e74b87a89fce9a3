/* bench_transact.c - T on every cluster of a file of item lists: so many records, one after the
 * other, are a cluster.
 *
 *     bench_transact [--hierarchy FILE] [--records N] [--k K] [--m M] [--l L] [--threads N] INPUT
 *
 * With --l every tenth item is sensitive. Prints clusters, seconds of T alone, UL and NCP. */
#include "base/memory.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "kanon/io.h"
#include "methods/mixed/cluster_items.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct all {
    kn_cluster_items *t;
    size_t records;
    kn_part_map *map;
    size_t *infeasible; /* by worker */
    uint32_t **room;    /* by worker */
} all;

static double now(void)
{
    struct timespec t;
    const char *clock = getenv("BENCH_CLOCK"); /* as common.sh has it */
    const bool processor = clock && strcmp(clock, "processor") == 0;

    (void)clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int complain(const char *words)
{
    (void)fprintf(stderr, "%s\n", words);
    return 1;
}

static void run(void *user, unsigned worker, size_t begin, size_t end)
{
    all *x = user;

    for (size_t i = begin; i < end; i++) {
        for (size_t j = 0; j < x->records; j++) {
            x->room[worker][j] = (uint32_t)(i * x->records + j);
        }
        x->infeasible[worker] += kn__cluster_items_run(x->t, worker, x->room[worker], x->records,
                                                       &x->map[i], NULL) != KN_OK;
    }
}

int main(int argc, char **argv)
{
    const char *input = NULL, *tree = NULL;
    size_t k = 25, m = 2, clusters, infeasible = 0;
    double l = 0, start, ul = 0, ncp = 0;
    kn_run how = {0};
    all x = {.records = 25};
    kn_dataset *ds = NULL;
    kn_hierarchy *h = NULL;
    kn_domain *d = NULL;
    kn_baskets *b = NULL;
    uint8_t *sensitive = NULL;
    kn_error err = {0};

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--hierarchy") == 0) {
            tree = value;
        } else if (strcmp(argv[i], "--records") == 0) {
            x.records = strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--k") == 0) {
            k = strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--m") == 0) {
            m = strtoul(value, NULL, 10);
        } else if (strcmp(argv[i], "--l") == 0) {
            l = strtod(value, NULL);
        } else if (strcmp(argv[i], "--threads") == 0) {
            how.threads = (unsigned)strtoul(value, NULL, 10);
        } else {
            input = argv[i];
            continue;
        }
        i++;
    }
    if (!input || !x.records) {
        return complain("usage: bench_transact [--hierarchy FILE] [--records N] [--k K] [--m M] "
                        "[--l L] [--threads N] INPUT");
    }
    if (kn_read(&ds, input, NULL, &how, &err) != KN_OK ||
        (tree && kn_hierarchy_read(&h, tree, &err) != KN_OK) ||
        kn__domain_new(&d, &ds->column[0], h, KN_UNCOVERED_ROOT, &err) != KN_OK ||
        kn__baskets_of_column(&b, &ds->column[0], ds->records, &err) != KN_OK) {
        return complain(err.message);
    }
    clusters = ds->records / x.records;
    sensitive = kn__zalloc_array(b->items, 1);
    x.map = kn__zalloc_array(clusters, sizeof *x.map);
    x.infeasible = kn__zalloc_array(kn__run_threads(&how), sizeof *x.infeasible);
    x.room = kn__zalloc_array(kn__run_threads(&how), sizeof *x.room);
    if (!sensitive || !x.map || !x.infeasible || !x.room) {
        return complain("no memory");
    }
    for (unsigned i = 0; i < kn__run_threads(&how); i++) {
        x.room[i] = kn__malloc_array(x.records, sizeof **x.room);
        if (!x.room[i]) {
            return complain("no memory");
        }
    }
    for (uint32_t i = 0; i < b->items; i += 10) {
        sensitive[i] = 1;
    }
    start = now();
    if (kn__cluster_items_new(&x.t, b, d, k, m, l, sensitive, kn__run_threads(&how), &how, &err) !=
        KN_OK) {
        return complain(err.message);
    }
    kn__parallel_for(kn__run_threads(&how), clusters, 16, run, &x);
    start = now() - start;
    for (size_t i = 0; i < clusters; i++) {
        ul += x.map[i].ul;
        ncp += x.map[i].ncp;
        kn__part_map_clear(&x.map[i]);
    }
    for (unsigned i = 0; i < kn__run_threads(&how); i++) {
        infeasible += x.infeasible[i];
        kn__free(x.room[i]);
    }
    printf("clusters %zu infeasible %zu seconds %.4f ul %.4f ncp %.4f\n", clusters, infeasible,
           start, ul / (double)ds->records, ncp / (double)b->starts[b->records]);
    kn__cluster_items_free(x.t);
    kn__free(x.room);
    kn__free(x.infeasible);
    kn__free(x.map);
    kn__free(sensitive);
    kn__baskets_free(b);
    kn__domain_free(d);
    kn_hierarchy_free(h);
    kn_dataset_free(ds);
    return 0;
}
