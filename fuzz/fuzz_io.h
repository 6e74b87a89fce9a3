/* fuzz_io.h - what the fuzz targets of the readers share. */
#ifndef FUZZ_IO_H
#define FUZZ_IO_H

#include "data/dataset.h"
#include "io/reader.h"
#include "io/writer.h"
#include "kanon/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void fuzz_fail(const char *words)
{
    (void)fprintf(stderr, "%s\n", words);
    abort();
}

/* A file in memory with these bytes; `path` gets its name. */
static int fuzz_file(const uint8_t *data, size_t size, char path[64])
{
    const int fd = memfd_create("fuzz", 0);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        fuzz_fail("no file in memory");
    }
    (void)snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

/* Two datasets with the same cells. */
static void fuzz_same(const kn_dataset *a, const kn_dataset *b)
{
    if (a->records != b->records || a->columns != b->columns) {
        fuzz_fail("the size depends on threads or blocks");
    }
    for (size_t i = 0; i < a->columns; i++) {
        const kn_column *x = &a->column[i], *y = &b->column[i];
        if (kn__column_values(x) != kn__column_values(y)) {
            fuzz_fail("the values depend on threads or blocks");
        }
        for (size_t r = 0; r < a->records; r++) {
            if (x->dict && !x->starts && kn__column_code(x, r) != kn__column_code(y, r)) {
                fuzz_fail("a cell depends on threads or blocks");
            }
            if (x->starts && x->starts[r + 1] != y->starts[r + 1]) {
                fuzz_fail("a list depends on threads or blocks");
            }
        }
    }
}

static inline void fuzz_read(const uint8_t *data, size_t size, const kn_layout *layout)
{
    static const kn_read_sizes sizes[] = {{0, 0}, {7, 0}, {64, 0}};
    /* The encoding is detected in the first block, so it is stated where small blocks are compared.
     */
    kn_layout stated = *layout;
    const kn_read_options options = {.layout = &stated}, detecting = {.layout = layout};
    kn_dataset *detected = NULL;
    kn_dataset *first = NULL;
    kn_error first_error = {0};
    char path[64];
    const int fd = fuzz_file(data, size, path);

    stated.encoding = layout->encoding == KN_ENCODING_AUTO ? KN_ENCODING_UTF8 : layout->encoding;
    if (kn__read_sized(&detected, path, &detecting, &sizes[0], NULL, NULL) == KN_OK) {
        kn_dataset_free(detected);
    }
    for (unsigned i = 0; i < 3; i++) {
        const kn_run run = {.threads = 1 + i % 2};
        kn_dataset *ds = NULL;
        kn_error err = {0};
        const char *reason = "";
        const kn_status status = kn__read_sized(&ds, path, &options, &sizes[i], &run, &err);

        if (status == KN_OK && !kn__dataset_validate(ds, &reason)) {
            fuzz_fail(reason);
        }
        if (i == 0) {
            first = ds;
            first_error = err;
            continue;
        }
        /* How much text comes out of damaged compression before the damage is seen depends on the
         * buffers. A file of another kind is recognised by its first 64 bytes: in the smallest
         * blocks there are not so many. */
        if (strstr(first_error.message, "which kanon does not read")) {
            kn_dataset_free(ds);
            continue;
        }
        if ((ds == NULL) != (first == NULL) || (strcmp(err.message, first_error.message) != 0 &&
                                                !strstr(first_error.message, "compressed data"))) {
            (void)fprintf(stderr, "%s\n%s\n", first_error.message, err.message);
            fuzz_fail("the outcome depends on threads or blocks");
        }
        if (ds) {
            fuzz_same(first, ds);
        }
        kn_dataset_free(ds);
    }
    kn_dataset_free(first);
    (void)close(fd);
}

#endif
