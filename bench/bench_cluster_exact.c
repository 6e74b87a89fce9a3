/* bench_cluster_exact.c - what the index of `cluster` loses: the published algorithm (--paper)
 * beside itself with every record looked at for every seed.
 *
 *     bench_cluster_exact INPUT SCHEMA K [DROPPED]
 *
 * Prints the NCP of both and the seconds that each took. The seeds are random in both, and not the
 * same. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "kanon/job.h"
#include "methods/cluster/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_QIS = 32 };

/* A record that is left, by its place among those. */
typedef struct neighbour {
    uint32_t ncp;
    size_t at;
} neighbour;

typedef struct clusters {
    const kn_views *v;
    uint64_t *view; /* by cluster */
    size_t *size;
    size_t count;
} clusters;

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void give_up(const char *words)
{
    (void)fprintf(stderr, "%s\n", words);
    exit(1);
}

static void *take(size_t count, size_t size)
{
    void *taken = kn__malloc_array(count, size);

    if (!taken) {
        give_up("out of memory");
    }
    return taken;
}

static uint64_t *views_of(const kn_task *task, const kn_views *v)
{
    uint64_t *view = take(task->ds->records * v->words, sizeof *view);
    uint32_t codes[MOST_QIS];

    for (size_t i = 0; i < task->ds->records; i++) {
        for (size_t q = 0; q < task->qis; q++) {
            codes[q] = kn__column_code(&task->ds->column[task->qi[q]], i);
        }
        kn__view_of_tuple(v, codes, view + i * v->words);
    }
    return view;
}

/* The `most` records of `left` that are nearest to `mine`, by insertion. */
static size_t find_near(const kn_views *v, const uint64_t *view, const uint64_t *mine,
                        const uint32_t *left, size_t count, neighbour *near, size_t most)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        const neighbour one = {kn__view_ncp_of_both(v, mine, view + left[i] * v->words), i};
        size_t at;
        if (len == most && (most == 0 || one.ncp >= near[len - 1].ncp)) {
            continue;
        }
        len += len < most;
        for (at = len - 1; at > 0 && near[at - 1].ncp > one.ncp; at--) {
            near[at] = near[at - 1];
        }
        near[at] = one;
    }
    return len;
}

static int last_first(const void *x, const void *y)
{
    const neighbour *a = x, *b = y;

    return (a->at < b->at) - (a->at > b->at);
}

/* NCP of the table by Cluster, O(n^2 / k). */
static double look_at_all(const kn_task *task, size_t k)
{
    const size_t n = task->ds->records;
    kn_views *v;
    kn_rng r;
    clusters c = {0};
    uint64_t *view;
    uint32_t *left = take(n, sizeof *left);
    neighbour *near = take(k, sizeof *near);
    size_t count = n;
    double sum = 0;

    if (kn__views_new(&v, task, KN_PRICE_NCP, NULL) != KN_OK) {
        give_up("out of memory");
    }
    c.v = v;
    c.view = take((n / k + 1) * v->words, sizeof *c.view);
    c.size = take(n / k + 1, sizeof *c.size);
    view = views_of(task, v);
    for (size_t i = 0; i < n; i++) {
        left[i] = (uint32_t)i;
    }
    kn__rng_seed(&r, 99, 0);
    for (; count >= k; c.count++) {
        uint64_t *mine = c.view + c.count * v->words;
        const size_t seed = (size_t)kn__rng_below(&r, count);
        const uint64_t *first = view + left[seed] * v->words;
        size_t found;
        left[seed] = left[--count];
        found = find_near(v, view, first, left, count, near, k - 1);
        memcpy(mine, first, v->words * sizeof *mine);
        qsort(near, found, sizeof *near, last_first); /* so that places stay */
        for (size_t i = 0; i < found; i++) {
            kn__view_join(v, mine, view + left[near[i].at] * v->words);
            left[near[i].at] = left[--count];
        }
        c.size[c.count] = k;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t *mine = view + left[i] * v->words;
        size_t best = 0;
        uint32_t least = UINT32_MAX;
        for (size_t j = 0; j < c.count; j++) {
            const uint32_t ncp = kn__view_ncp_of_both(v, mine, c.view + j * v->words);
            best = ncp < least ? j : best;
            least = ncp < least ? ncp : least;
        }
        kn__view_join(v, c.view + best * v->words, mine);
        c.size[best]++;
    }
    for (size_t j = 0; j < c.count; j++) {
        sum += (double)c.size[j] * kn__view_ncp(v, c.view + j * v->words);
    }
    kn__free(view);
    kn__free(left);
    kn__free(near);
    kn__free(c.view);
    kn__free(c.size);
    kn__views_free(v);
    return sum / (double)n / KN_NCP_ONE;
}

static void set(kn_job *job, const char *key, const char *value)
{
    kn_error err = {0};

    if (kn_job_set(job, key, value, &err) != KN_OK) {
        give_up(err.message);
    }
}

int main(int argc, char **argv)
{
    const size_t k = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    const kn_run run = {0};
    kn_anonymize_options options = {0};
    size_t qi[MOST_QIS];
    kn_domain *domain[MOST_QIS];
    double weight[MOST_QIS], start, exact, seconds;
    kn_task task = {.qi = qi, .domain = domain, .weight = weight, .options = &options, .run = &run};
    kn_job *job;
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_clusters *c;
    kn_error err = {0};

    if (k < 2) {
        give_up("bench_cluster_exact INPUT SCHEMA K [DROPPED]");
    }
    if (kn_job_new(&job, &err) != KN_OK) {
        give_up(err.message);
    }
    set(job, "schema", argv[2]);
    if (argc > 4) {
        set(job, "drop", argv[4]);
    }
    if (kn_job_table(&ds, job, argv[1], KN_TABLE_ORIGINAL, false, &run, &err) != KN_OK ||
        kn_job_hierarchies(&hs, job, ds, &err) != KN_OK) {
        give_up(err.message);
    }
    for (size_t i = 0; i < ds->columns && task.qis < MOST_QIS; i++) {
        if (ds->column[i].role == KN_ROLE_QUASI) {
            qi[task.qis] = i;
            if (kn__domain_new(&domain[task.qis], &ds->column[i],
                               kn_hierarchies_get(hs, ds->column[i].name), KN_UNCOVERED_ROOT,
                               &err) != KN_OK) {
                give_up(err.message);
            }
            task.qis++;
        }
    }
    for (size_t q = 0; q < task.qis; q++) {
        weight[q] = 1.0 / (double)task.qis;
    }
    task.ds = ds;
    start = now();
    exact = look_at_all(&task, k);
    seconds = now() - start;
    start = now();
    if (kn__clusters_new(&c, &task, k, true, KN_PRICE_NCP, &err) != KN_OK) {
        give_up(err.message);
    }
    (void)printf("records %zu exact %.6f seconds %.3f index %.6f seconds %.3f\n", ds->records,
                 exact, seconds, kn__clusters_ncp(c), now() - start);
    kn__clusters_free(c);
    for (size_t q = 0; q < task.qis; q++) {
        kn__domain_free(domain[q]);
    }
    kn_hierarchies_free(hs);
    kn_dataset_free(ds);
    kn_job_free(job);
    return 0;
}
