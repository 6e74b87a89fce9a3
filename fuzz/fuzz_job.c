/* fuzz_job.c - bytes as a job file: refused with words, or a job that is the same when written and
 * read again. */
#include "job/job.h"
#include "kanon/run.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
    if (!holds) {
        abort();
    }
}

static void read_again(const kn_job *job)
{
    char *first = NULL, *second = NULL;
    kn_job *again = NULL;
    kn_guarantee *guarantees = NULL;
    kn_anonymize_options options;
    kn_params *params = NULL;
    kn_layout layout;
    size_t count;

    must(kn_job_json(&first, job, NULL) == KN_OK);
    must(kn_job_parse(&again, first, strlen(first), "job.json", NULL, NULL) == KN_OK);
    must(kn_job_json(&second, again, NULL) == KN_OK);
    must(strcmp(first, second) == 0);
    (void)kn__job_layout(job, &layout, NULL);
    if (kn_job_guarantees(&guarantees, &count, job, NULL) == KN_OK) {
        (void)kn__job_method(job, guarantees, count, &options, &params, NULL);
    }
    kn_params_free(params);
    kn_job_guarantees_free(guarantees);
    kn_string_free(first);
    kn_string_free(second);
    kn_job_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_job *job = NULL;
    kn_error err = {0};
    const kn_status st = kn_job_parse(&job, (const char *)data, size, "job.json", "folder", &err);

    if (st == KN_OK) {
        read_again(job);
    } else {
        must(!job && *err.message);
    }
    kn_job_free(job);
    must(kn_memory_in_use() == before);
    return 0;
}
