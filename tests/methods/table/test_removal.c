/* Which classes flash removes where they are compared with what is published (t-closeness): against
 * the best choice, found by trying every set of classes. */
#include "guarantees/tables.h"
#include "kanon/anonymize.h"

enum { CASES = 1000, CLASSES = 5 };

/* One quasi-identifier, up to CLASSES classes, two to four sensitive values that are not equally
 * frequent in all classes. */
static void random_classes(oracle_table *t, kn_rng *r)
{
    const uint64_t classes = 2 + kn__rng_below(r, CLASSES - 1), values = 2 + kn__rng_below(r, 3);

    memset(t, 0, sizeof *t);
    t->records = 4 + (int)kn__rng_below(r, ORACLE_RECORDS - 3);
    t->qis = t->sensitives = 1;
    for (int i = 0; i < t->records; i++) {
        t->qi[i][0] = (int)kn__rng_below(r, classes);
        t->sensitive[i][0] = kn__rng_below(r, 2) ? t->qi[i][0] % (int)values
                                                 : (int)kn__rng_below(r, values);
    }
}

/* The records of the largest table that consists of whole classes of `t` and satisfies `ask`. */
static int most_kept(const oracle_table *t, const oracle_ask *ask)
{
    int most = 0;

    for (unsigned kept = 1; kept < 1u << CLASSES; kept++) {
        oracle_table left = *t;
        bool holds = true;
        left.records = 0;
        for (int i = 0; i < t->records; i++) {
            if (kept >> t->qi[i][0] & 1) {
                left.qi[left.records][0] = t->qi[i][0];
                left.sensitive[left.records++][0] = t->sensitive[i][0];
            }
        }
        for (int i = 0; i < left.records && holds; i++) {
            holds = oracle_judge(&left, ask, i, 0).holds;
        }
        most = holds && left.records > most ? left.records : most;
    }
    return most;
}

/* The records that flash publishes with any number of them removed. Its other node, one class of
 * all records, loses everything: it is never better while something is kept. */
static int kept_by_flash(const oracle_table *t, const oracle_ask *ask)
{
    const kn_guarantee g = {.kind = KN_T_CLOSENESS, .t = (double)ask->num / ask->den};
    const kn_anonymize_options options = {
        .guarantees = &g, .guarantees_count = 1, .method = "flash", .suppression = 1};
    kn_dataset *ds = to_dataset(t);
    kn_release *release;
    int kept;

    assert_int_equal(kn_anonymize(&release, ds, NULL, &options, &(kn_run){.threads = 1}, NULL),
                     KN_OK);
    kept = (int)kn_dataset_records(kn_release_data(release));
    for (int i = 0; i < kept; i++) {
        const kn_dataset *out = kn_release_data(release);
        size_t len;
        const char *text = kn_dataset_value(out, 0, kn_dataset_code(out, 0, (size_t)i), &len);
        assert_false(len == 1 && *text == '*');
    }
    kn_release_free(release);
    kn_dataset_free(ds);
    return kept;
}

static void removal_is_near_the_best(void **state)
{
    int best = 0, cases = 0;
    double sum = 0, largest = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 14, 11);
    while (cases < CASES) {
        oracle_table t;
        oracle_ask ask = {.kind = ORACLE_T, .num = 1 + (int)kn__rng_below(&r, 6), .den = 10};
        double gap;
        int most;
        oracle_equal(&ask);
        random_classes(&t, &r);
        most = most_kept(&t, &ask);
        if (most == t.records) {
            continue; /* nothing needs to be removed */
        }
        gap = (double)(most - kept_by_flash(&t, &ask)) / t.records;
        assert_true(gap >= 0);
        best += gap == 0;
        sum += gap;
        largest = fmax(largest, gap);
        cases++;
    }
    print_message(
        "%d nodes where classes must be removed: the best choice in %.1f %%; %.1f %% more "
        "of the records removed on average, %.1f %% at most\n",
        cases, 100.0 * best / cases, 100 * sum / cases, 100 * largest);
    assert_true(best >= 0.75 * cases);
    assert_true(sum <= 0.05 * cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(removal_is_near_the_best)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
