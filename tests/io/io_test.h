/* io_test.h - small helpers of the tests of src/io. */
#ifndef IO_TEST_H
#define IO_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "io/bytes/file.h"
#include "io/reader.h"
#include "io/writer.h"
#include "kanon/io.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KN_UNUSED __attribute__((unused))

static KN_UNUSED void put_bytes(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static KN_UNUSED void put_text(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

/* The whole file as a string, in a buffer that the next call overwrites. */
static KN_UNUSED const char *get_text(const char *path)
{
    static char text[1 << 20];
    FILE *f = fopen(path, "rb");
    size_t len;

    assert_non_null(f);
    len = fread(text, 1, sizeof text - 1, f);
    text[len] = '\0';
    (void)fclose(f);
    return text;
}

/* The text of one cell; list cells as "a|b". */
static KN_UNUSED const char *cell_text(const kn_dataset *ds, size_t column, size_t record)
{
    static char text[1 << 16];
    const kn_column *c = &ds->column[column];
    size_t len, used = 0;
    const char *value;

    if (!c->starts) {
        value = kn_dataset_value(ds, column, kn_dataset_code(ds, column, record), &len);
        if (len) {
            memcpy(text, value, len);
        }
        text[len] = '\0';
        return text;
    }
    for (uint64_t i = c->starts[record]; i < c->starts[record + 1]; i++) {
        value = kn__column_text(c, kn__code_get(c->codes, c->width, (size_t)i), &len);
        if (i > c->starts[record]) {
            text[used++] = '|';
        }
        memcpy(text + used, value, len);
        used += len;
    }
    text[used] = '\0';
    return text;
}

static KN_UNUSED kn_dataset *must_read(const char *path, const kn_read_options *options)
{
    kn_dataset *ds = NULL;
    kn_error err = {0};
    const char *reason = "";

    if (kn_read(&ds, path, options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    if (!kn__dataset_validate(ds, &reason)) {
        fail_msg("%s", reason);
    }
    return ds;
}

static KN_UNUSED void must_write(const kn_dataset *ds, const char *path, const kn_layout *layout)
{
    kn_error err = {0};

    if (kn_write(ds, path, layout, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
}

/* How many files of the folder end in ".tmp". */
static KN_UNUSED size_t temporary_files(const char *folder)
{
    DIR *d = opendir(folder);
    size_t count = 0;

    assert_non_null(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        const size_t len = strlen(e->d_name);
        count += len > 4 && strcmp(e->d_name + len - 4, ".tmp") == 0;
    }
    (void)closedir(d);
    return count;
}

#endif
