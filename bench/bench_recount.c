/* bench_recount.c - the two counts of km-anonymity on one file, in turns.
 *
 *     bench_recount INPUT K M ROUNDS
 *
 * Prints the least seconds of the search, of the second count within its budget and of all of it,
 * and of partial counts that threads make and merge. */
#include "count/partial.h"
#include "count/rare/rare.h"
#include "data/dataset.h"
#include "guarantees/recount/km.h"
#include "kanon/io.h"

#include <stdio.h>
#include <string.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    const char *clock = getenv("BENCH_CLOCK"); /* as common.sh has it */
    const bool processor = clock && strcmp(clock, "processor") == 0;

    (void)clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { SEARCH, BUDGET, FULL, PARTIAL, KINDS };

static kn_status once(int kind, const kn_dataset *ds, const kn_baskets *b, size_t k, size_t m,
                      kn_error *err)
{
    const kn_itemset_counts_options options = {.m = m, .cap = (uint32_t)k};
    kn_rare_list *rare = NULL;
    kn_itemset_counts *partial = NULL;
    kn_recount second;
    kn_status status;

    if (kind == SEARCH) {
        status = kn__rare_find(&rare, b, k, m, 0, NULL, err);
        kn__rare_list_free(rare);
    } else if (kind == PARTIAL) {
        status = kn__partial_count(&partial, b, NULL, 0, b->records, &options, NULL, err);
        kn__partial_free(partial);
    } else {
        status = kn__km_recount(&second, ds, 0, m, kind == FULL ? 0 : KN__RECOUNT_BUDGET, NULL,
                                err);
    }
    return status;
}

int main(int argc, char **argv)
{
    static const char *const names[KINDS] = {"search", "recount", "recount_full", "partial"};
    const kn_read_options options = {0};
    double least[KINDS] = {0};
    kn_dataset *ds = NULL;
    kn_baskets *b = NULL;
    kn_error err;
    kn_status status;

    if (argc != 5) {
        (void)fprintf(stderr, "usage: bench_recount INPUT K M ROUNDS\n");
        return 1;
    }
    status = kn_read(&ds, argv[1], &options, NULL, &err);
    if (status == KN_OK) {
        status = kn__baskets_of_column(&b, &ds->column[0], ds->records, &err);
    }
    for (long round = 0; round < strtol(argv[4], NULL, 10) && status == KN_OK; round++) {
        for (int kind = 0; kind < KINDS && status == KN_OK; kind++) {
            const double start = now();
            status = once(kind, ds, b, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10),
                          &err);
            const double took = now() - start;
            least[kind] = round == 0 || took < least[kind] ? took : least[kind];
        }
    }
    if (status != KN_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
    }
    for (int kind = 0; kind < KINDS && status == KN_OK; kind++) {
        printf("%s %.6f\n", names[kind], least[kind]);
    }
    kn__baskets_free(b);
    kn_dataset_free(ds);
    return status != KN_OK;
}
