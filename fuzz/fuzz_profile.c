/* fuzz_profile.c - a table of any kind as `kanon profile` reads it: refused with words, or a
 * profile whose JSON is the same for one and two threads. The first byte chooses the format; of
 * CSV, also whether there is a header. */
#include "fuzz_job_tables.h"
#include "kanon/measure.h"
#include "kanon/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void profile(kn_dataset *ds)
{
    const kn_run one = {.threads = 1}, two = {.threads = 2};
    const kn_items_known_options options = {.size = sizeof options, .most = 3, .samples = 50};
    kn_profile *a = NULL, *b = NULL;
    char *first = NULL, *second = NULL;
    kn_uniqueness *subsets = NULL;
    size_t count;
    kn_error err = {0};
    const kn_status st = kn_profile_make(&a, ds, &one, &err);

    fuzz_refused(st, &err, a);
    if (st == KN_OK) {
        if (kn_profile_make(&b, ds, &two, NULL) != KN_OK ||
            kn_profile_json(&first, a, NULL) != KN_OK ||
            kn_profile_json(&second, b, NULL) != KN_OK || strcmp(first, second) != 0) {
            fuzz_fail("the profile depends on threads");
        }
        for (size_t i = 0; i < kn_profile_columns(a) && i < 8; i++) {
            const kn_role suggested = kn_profile_column(a, i)->suggested;
            if (suggested == KN_ROLE_QUASI) {
                (void)kn_dataset_set_role(ds, i, suggested, NULL);
            }
        }
        for (size_t i = 0; i < kn_profile_columns(a); i++) {
            kn_items_known *known = NULL;
            (void)kn_items_uniqueness(&known, &count, ds, i, &options, &one, NULL);
            kn_items_uniqueness_free(known);
        }
        (void)kn_uniqueness_measure(&subsets, &count, ds, 2, &one, NULL);
    }
    kn_uniqueness_free(subsets);
    kn_string_free(first);
    kn_string_free(second);
    kn_profile_free(a);
    kn_profile_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    char path[64];
    kn_dataset *ds = NULL;
    kn_error err = {0};
    kn_job *job;
    kn_status st;
    int fd;

    if (size == 0) {
        return 0;
    }
    job = fuzz_job(data[0]);
    if ((data[0] & 7) == 4) {
        fuzz_set(job, "no-header", "true");
    }
    fd = fuzz_file(data + 1, size - 1, path);
    st = kn_job_table(&ds, job, path, KN_TABLE_WHOLE, false, &run, &err);
    fuzz_refused(st, &err, ds);
    if (st == KN_OK) {
        profile(ds);
    }
    kn_dataset_free(ds);
    kn_job_free(job);
    (void)close(fd);
    if (kn_memory_in_use() != before) {
        fuzz_fail("memory is still held");
    }
    return 0;
}
