/* fuzz_job_tables.h - files in memory, read as the command reads its tables. */
#ifndef FUZZ_JOB_TABLES_H
#define FUZZ_JOB_TABLES_H

#include "fuzz_io.h"
#include "kanon/job.h"
#include "kanon/run.h"

/* The bytes up to the next 0x1e, a separator of records that no text holds, as a file; moves on. */
static inline int fuzz_part(const uint8_t **data, size_t *size, char path[64])
{
    const uint8_t *end = *size ? memchr(*data, 0x1e, *size) : NULL;
    const size_t len = end ? (size_t)(end - *data) : *size;
    const int fd = fuzz_file(*data, len, path);

    *data += len + (end ? 1 : 0);
    *size -= len + (end ? 1 : 0);
    return fd;
}

static inline void fuzz_set(kn_job *job, const char *key, const char *value)
{
    kn_error err = {0};

    if (kn_job_set(job, key, value, &err) != KN_OK) {
        fuzz_fail(err.message);
    }
}

/* A job whose files are in the format that two bits of `options` choose. */
static kn_job *fuzz_job(uint8_t options)
{
    static const char *const formats[] = {"csv", "dat", "jsonl", "trees"};
    kn_job *job = NULL;

    if (kn_job_new(&job, NULL) != KN_OK) {
        fuzz_fail("no job");
    }
    fuzz_set(job, "format", formats[options & 3]);
    return job;
}

/* A failure has words, and gives nothing. */
static inline void fuzz_refused(kn_status status, const kn_error *err, const void *out)
{
    if (status != KN_OK && (out || !*err->message)) {
        fuzz_fail("a failure without words, or with a result");
    }
}

#endif
