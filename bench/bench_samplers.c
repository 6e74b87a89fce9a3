/* bench_samplers.c - how many random itemsets of one file the samplers draw per second of the
 * processor, on one thread.
 *
 *     bench_samplers INPUT SECONDS
 *
 * For each size 1..11 and each sampler: "NAME SIZE SAMPLES_PER_SECOND DRAWS_PER_SAMPLE". exact does
 * not list the itemsets here; for a chain, draws are steps. The certificate's own sampler, which
 * also counts the supports, follows as "certificate". */
#include "count/set_sampler.h"
#include "data/dataset.h"
#include "guarantees/recount/certificate.h"
#include "kanon/io.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGEST = 11 };

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static kn_status sample(const kn_set_source *source, kn_sampler_kind kind, size_t size,
                        double seconds, kn_error *err)
{
    static const char *const names[] = {"exact", "chain", "person", "naive"};
    kn_set_sampler *s = NULL;
    const kn_status status = kn__set_sampler_new(&s, source, kind, size, 1, 0, NULL, err);
    uint64_t samples = 0, draws = 0;
    const double start = now();

    while (status == KN_OK && !kn__set_sampler_empty(s) && now() - start < seconds) {
        kn_set_sample out;
        kn__set_sampler_draw(s, 0, samples++, &out);
        draws += out.draws;
    }
    if (samples) {
        printf("%s %zu %.0f %.1f\n", names[kind], size, (double)samples / (now() - start),
               (double)draws / (double)samples);
    }
    kn__set_sampler_free(s);
    return status;
}

static kn_status certify(kn_certifier *c, size_t size, kn_error *err)
{
    const kn_run run = {.threads = 1};
    const kn_certify_question q = {.size = size,
                                   .k = 20,
                                   .attacker = KN_ATTACKER_UNIFORM,
                                   .sigma = 0.99,
                                   .delta = 0.0005,
                                   .attempt = 1,
                                   .samples = 2000};
    kn_certificate made;
    const double start = now();
    const kn_status status = kn__certify_any(c, &q) ? kn__certify(&made, NULL, c, &q, &run, err)
                                                    : KN_OK;

    if (status == KN_OK) {
        printf("certificate %zu %.0f 0\n", size, 2000 / (now() - start));
    }
    return status;
}

static kn_status measure(const kn_baskets *b, double seconds, kn_error *err)
{
    const kn_certify_lists lists = {b->records, b->items, b->starts, b->list, NULL};
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    kn_set_source *source = NULL;
    kn_certifier *certifier = NULL;
    kn_status status = to ? kn__set_source_new(&source, b, err) : KN_ENOMEM;

    for (uint32_t i = 0; status == KN_OK && i < b->items; i++) {
        to[i] = i;
    }
    if (status == KN_OK) {
        status = kn__certifier_new(&certifier, &lists, &lists, to, err);
    }
    for (int kind = KN_SAMPLER_EXACT; kind <= KN_SAMPLER_NAIVE; kind++) {
        for (size_t size = 1; size <= LARGEST && status == KN_OK; size++) {
            status = sample(source, (kn_sampler_kind)kind, size, seconds, err);
        }
    }
    for (size_t size = 5; size <= LARGEST && status == KN_OK; size++) {
        status = certify(certifier, size, err);
    }
    kn__certifier_free(certifier);
    kn__set_source_free(source);
    kn__free(to);
    return status;
}

int main(int argc, char **argv)
{
    const kn_read_options options = {0};
    kn_dataset *ds = NULL;
    kn_baskets *b = NULL;
    kn_error err = {0};
    kn_status status;

    if (argc != 3) {
        (void)fprintf(stderr, "usage: bench_samplers INPUT SECONDS\n");
        return 1;
    }
    status = kn_read(&ds, argv[1], &options, NULL, &err);
    if (status == KN_OK) {
        status = kn__baskets_of_column(&b, &ds->column[0], ds->records, &err);
    }
    if (status == KN_OK) {
        status = measure(b, strtod(argv[2], NULL), &err);
    }
    if (status != KN_OK) {
        (void)fprintf(stderr, "%s\n", err.message);
    }
    kn__baskets_free(b);
    kn_dataset_free(ds);
    return status != KN_OK;
}
