/* arrow_case.h - Arrow streams made by hand, that count how often they and their parts are
 * released. */
#ifndef ARROW_CASE_H
#define ARROW_CASE_H

#include "io/io_test.h"
#include "kanon/arrow.h"

#include <errno.h>

enum { MOST = 24, BATCHES = 4 };

/* A stream of up to BATCHES batches over one schema. Structs are the test's to change before it is
 * opened. */
typedef struct made {
    struct ArrowSchema schema, fields[MOST], *children[MOST];
    size_t used_fields;
    struct ArrowArray batch[BATCHES], arrays[BATCHES * MOST], *columns[BATCHES][MOST];
    const void *buffers[BATCHES * MOST][5], *batch_buffers[BATCHES][1];
    size_t used_arrays;
    size_t batches, given;
    int fail_schema, fail_next; /* errno; of the batch after the last */
    const char *words;
    int schemas, arrays_out, stream; /* given and not released */
    int moved; /* columns that were moved out of their batch, and not released */
    struct ArrowArrayStream opened;
} made;

static KN_UNUSED void release_schema(struct ArrowSchema *s)
{
    made *m = s->private_data;
    m->schemas--;
    s->release = NULL;
}

static KN_UNUSED void release_array(struct ArrowArray *a)
{
    made *m = a->private_data;
    m->arrays_out--;
    for (int64_t i = 0; a->children && i < a->n_children && a->children[i]; i++) {
        m->moved += a->children[i]->release == NULL;
    }
    a->release = NULL;
}

static KN_UNUSED void release_column(struct ArrowArray *a)
{
    made *m = a->private_data;
    m->moved--;
    a->release = NULL;
}

static KN_UNUSED int get_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    made *m = s->private_data;

    if (m->fail_schema) {
        return m->fail_schema;
    }
    *out = m->schema;
    out->private_data = m;
    out->release = release_schema;
    m->schemas++;
    return 0;
}

static KN_UNUSED int get_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    made *m = s->private_data;

    if (m->given == m->batches) {
        out->release = NULL;
        return m->fail_next;
    }
    *out = m->batch[m->given++];
    out->private_data = m;
    for (int64_t i = 0; i < out->n_children && out->children && out->children[i]; i++) {
        out->children[i]->private_data = m;
        out->children[i]->release = release_column;
    }
    out->release = release_array;
    m->arrays_out++;
    return 0;
}

static KN_UNUSED const char *get_last_error(struct ArrowArrayStream *s)
{
    return ((made *)s->private_data)->words;
}

static KN_UNUSED void release_stream(struct ArrowArrayStream *s)
{
    made *m = s->private_data;
    m->stream--;
    s->release = NULL;
}

static KN_UNUSED void never(struct ArrowArray *a)
{
    (void)a;
    fail_msg("a child was released by itself");
}

static KN_UNUSED struct ArrowSchema *a_schema(made *m, const char *format, const char *name)
{
    struct ArrowSchema *s = &m->fields[m->used_fields++];

    assert_true(m->used_fields <= MOST);
    *s = (struct ArrowSchema){.format = format, .name = name, .flags = ARROW_FLAG_NULLABLE};
    return s;
}

/* One more column in the schema. */
static KN_UNUSED struct ArrowSchema *add_field(made *m, const char *format, const char *name)
{
    struct ArrowSchema *s = a_schema(m, format, name);

    m->schema.format = "+s";
    m->schema.name = "";
    m->schema.children = m->children;
    m->children[m->schema.n_children++] = s;
    return s;
}

static KN_UNUSED struct ArrowArray *an_array(made *m, size_t length, size_t buffers,
                                             const void *validity, const void *data,
                                             const void *more)
{
    const size_t at = m->used_arrays++;
    struct ArrowArray *a = &m->arrays[at];

    assert_true(m->used_arrays <= BATCHES * MOST);
    m->buffers[at][0] = validity;
    m->buffers[at][1] = data;
    m->buffers[at][2] = more;
    *a = (struct ArrowArray){.length = (int64_t)length,
                             .null_count = validity ? -1 : 0,
                             .n_buffers = (int64_t)buffers,
                             .buffers = m->buffers[at],
                             .release = never};
    return a;
}

/* Start batch number m->batches. */
static KN_UNUSED struct ArrowArray *add_batch(made *m, size_t length)
{
    struct ArrowArray *b = &m->batch[m->batches];

    *b = (struct ArrowArray){.length = (int64_t)length,
                             .n_buffers = 1,
                             .buffers = m->batch_buffers[m->batches],
                             .children = m->columns[m->batches]};
    m->batches++;
    return b;
}

/* One more column in the last batch. */
static KN_UNUSED struct ArrowArray *add_array(made *m, struct ArrowArray *a)
{
    struct ArrowArray *b = &m->batch[m->batches - 1];

    m->columns[m->batches - 1][b->n_children++] = a;
    return a;
}

static KN_UNUSED struct ArrowArrayStream *open_made(made *m)
{
    m->given = 0;
    m->stream++;
    m->opened = (struct ArrowArrayStream){.get_schema = get_schema,
                                          .get_next = get_next,
                                          .get_last_error = get_last_error,
                                          .release = release_stream,
                                          .private_data = m};
    return &m->opened;
}

/* All that was given was released, once. */
static KN_UNUSED void assert_released(const made *m)
{
    assert_int_equal(m->schemas, 0);
    assert_int_equal(m->arrays_out, 0);
    assert_int_equal(m->stream, 0);
    assert_null(m->opened.release);
}

static KN_UNUSED kn_dataset *must_take(made *m, const kn_read_options *options)
{
    kn_dataset *ds = NULL;
    kn_error err = {0};
    const char *reason = "";

    if (kn_dataset_from_arrow(&ds, open_made(m), options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_released(m);
    if (!kn__dataset_validate(ds, &reason)) {
        fail_msg("%s", reason);
    }
    return ds;
}

static KN_UNUSED void must_refuse(made *m, const kn_read_options *options, kn_status status,
                                  const char *words)
{
    kn_dataset *ds = (kn_dataset *)m;
    kn_error err = {0};
    const size_t before = kn_memory_in_use();

    assert_int_equal(kn_dataset_from_arrow(&ds, open_made(m), options, NULL, &err), status);
    assert_null(ds);
    assert_released(m);
    assert_int_equal(m->moved, 0);
    assert_int_equal(kn_memory_in_use(), before);
    if (!strstr(err.message, words)) {
        fail_msg("wanted: %s\nsaid: %s", words, err.message);
    }
    assert_int_equal(kn_dataset_from_arrow(&ds, open_made(m), options, NULL, NULL), status);
    assert_released(m);
}

static KN_UNUSED void assert_cell(const kn_dataset *ds, const char *column, size_t record,
                                  const char *text)
{
    const size_t at = kn_dataset_find(ds, column);

    assert_true(at != SIZE_MAX);
    if (!text) {
        assert_int_equal(kn_dataset_code(ds, at, record), kn_dataset_missing(ds, at));
    } else if (strcmp(cell_text(ds, at, record), text) != 0) {
        fail_msg("%s, record %zu: '%s', not '%s'", column, record, cell_text(ds, at, record), text);
    }
}

static KN_UNUSED kn_schema *schema_of(const char *json)
{
    kn_schema *s = NULL;
    kn_error err = {0};

    if (kn__schema_parse(&s, "test", json, strlen(json), NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return s;
}

#endif
