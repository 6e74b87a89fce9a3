/* fuzz_measure.c - an original and a release of it, as `kanon measure` reads them: refused with
 * words, or measured, with the same values for one and two threads.
 *
 * The first byte chooses the format and what is asked. Then, separated by 0x1e: original, release,
 * a hierarchy of column a (or of the items), questions. */
#include "fuzz_job_tables.h"
#include "kanon/measure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct measuring {
    kn_dataset *original, *release, *questions;
    kn_hierarchies *hierarchies;
    kn_measures *measures;
} measuring;

static void same_measures(const kn_measures *a, const kn_measures *b)
{
    if (kn_measures_count(a) != kn_measures_count(b)) {
        fuzz_fail("the number of measures depends on threads");
    }
    for (size_t i = 0; i < kn_measures_count(a); i++) {
        const double x = kn_measures_get(a, i)->value, y = kn_measures_get(b, i)->value;
        if (x != y && (x == x || y == y)) {
            fuzz_fail("a measure depends on threads");
        }
    }
}

static void measure_more(const measuring *m, uint8_t options)
{
    const kn_query_options ask = {.size = sizeof ask, .queries = 5, .workload = m->questions};
    const kn_mining_options mine = {.size = sizeof mine, .support = 0.3, .steps = 100000};
    kn_query_error queries;
    kn_mining mining = {0};
    kn_tree_mining subtrees = {0};
    kn_risk risk;
    const kn_run run = {.threads = 1};

    if (kn_dataset_has_trees(m->original)) {
        (void)kn_tree_mining_measure(&subtrees, m->original, m->release, m->hierarchies, 0.3, &run,
                                     NULL);
        return;
    }
    (void)kn_query_error_measure(&queries, m->original, m->release, m->hierarchies, &ask, &run,
                                 NULL);
    (void)kn_mining_measure(&mining, m->original, m->release, m->hierarchies, &mine, &run, NULL);
    kn_mining_clear(&mining);
    (void)kn_risk_measure(&risk, m->release, options & 16 ? m->original : NULL, 0.2, &run, NULL);
}

static void measure_all(measuring *m, const kn_job *job, char paths[][64], uint8_t options)
{
    const kn_run one = {.threads = 1}, two = {.threads = 2};
    kn_measures *again = NULL;
    kn_error err = {0};
    kn_status st = kn_job_table(&m->original, job, paths[0], KN_TABLE_ORIGINAL, false, &one, &err);

    fuzz_refused(st, &err, m->original);
    if (st == KN_OK) {
        st = kn_job_table(&m->release, job, paths[1], KN_TABLE_RELEASE, false, &one, &err);
        fuzz_refused(st, &err, m->release);
    }
    if (st == KN_OK) {
        st = kn_job_hierarchies(&m->hierarchies, job, m->original, &err);
        fuzz_refused(st, &err, m->hierarchies);
    }
    if (st == KN_OK && options & 8) {
        (void)kn_job_table(&m->questions, job, paths[3], KN_TABLE_QUESTIONS, false, &one, NULL);
    }
    if (st == KN_OK) {
        st = kn_measure(&m->measures, m->original, m->release, NULL, m->hierarchies, &one, &err);
        fuzz_refused(st, &err, m->measures);
    }
    if (st == KN_OK) {
        if (kn_measure(&again, m->original, m->release, NULL, m->hierarchies, &two, NULL) !=
            KN_OK) {
            fuzz_fail("the outcome depends on threads");
        }
        same_measures(m->measures, again);
        kn_measures_free(again);
        measure_more(m, options);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    const uint8_t options = size ? data[0] : 0;
    measuring m = {0};
    char paths[4][64], hierarchy[128];
    int fd[4];
    kn_job *job;

    if (size == 0 || size > 4096) {
        return 0;
    }
    data++;
    size--;
    for (size_t i = 0; i < 4; i++) {
        fd[i] = fuzz_part(&data, &size, paths[i]);
    }
    job = fuzz_job(options);
    if (!(options & 1)) { /* a table, maybe with items */
        fuzz_set(job, "qi", "a,b");
        fuzz_set(job, "sensitive", "c");
        fuzz_set(job, "items", "d");
    }
    if (options & 4) {
        (void)snprintf(hierarchy, sizeof hierarchy, "%s=%s", options & 1 ? "items" : "a", paths[2]);
        fuzz_set(job, "hierarchy", hierarchy);
    }
    measure_all(&m, job, paths, options);
    kn_measures_free(m.measures);
    kn_hierarchies_free(m.hierarchies);
    kn_dataset_free(m.questions);
    kn_dataset_free(m.release);
    kn_dataset_free(m.original);
    kn_job_free(job);
    for (size_t i = 0; i < 4; i++) {
        (void)close(fd[i]);
    }
    if (kn_memory_in_use() != before) {
        fuzz_fail("memory is still held");
    }
    return 0;
}
