/* fuzz_arrow.c - bytes as a stream of Arrow arrays whose lengths, offsets, counts and contents are
 * theirs, but whose buffers are large enough for all that can be checked: refused with words, or a
 * sound dataset that comes back from Arrow as it went. Everything is released once. */
#include "fuzz_io.h"

#include "base/memory.h"
#include "kanon/arrow.h"

enum { COLUMNS = 4, ELEMENTS = 400, TEXT = 4096, ARRAYS = 3 * COLUMNS };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct source {
    const uint8_t *data;
    size_t size, at;
    struct ArrowSchema schema, fields[ARRAYS], *columns[COLUMNS], *items[ARRAYS];
    struct ArrowArray batch, arrays[ARRAYS], *batch_columns[COLUMNS], *children[ARRAYS];
    const void *buffers[ARRAYS][4], *batch_buffers[1];
    void *blocks[ARRAYS * 4];
    size_t fields_used, arrays_used, blocks_used;
    int schemas, batches, streams; /* given, minus released */
    bool ended;
} source;

static uint8_t next(source *s)
{
    return s->at < s->size ? s->data[s->at++] : 0;
}

/* Mostly `value`, and now and then something near it or below 0. */
static int64_t twist(source *s, int64_t value)
{
    return next(s) > 240 ? value + (int8_t)next(s) : value;
}

static void *block(source *s, size_t bytes)
{
    void *b = calloc(1, bytes);

    if (!b) {
        fuzz_fail("no memory");
    }
    s->blocks[s->blocks_used++] = b;
    return b;
}

static void *random_block(source *s, size_t bytes, size_t random)
{
    uint8_t *b = block(s, bytes);

    for (size_t i = 0; i < random; i++) {
        b[i] = next(s);
    }
    return b;
}

/* Offsets that mostly grow, and never beyond TEXT. */
static void *offsets_block(source *s, bool large)
{
    int64_t *wide = block(s, (ELEMENTS + 1) * sizeof *wide), value = 0;
    int32_t *narrow = (int32_t *)(void *)wide;

    for (size_t i = 0; i <= ELEMENTS; i++) {
        const uint8_t step = next(s);
        value += step > 250 ? -(int64_t)(step - 245) : step % 8;
        if (large) {
            wide[i] = value;
        } else {
            narrow[i] = (int32_t)value;
        }
    }
    return wide;
}

static struct ArrowArray *make_array(source *s, const char *format, size_t length)
{
    const size_t at = s->arrays_used++;
    struct ArrowArray *a = &s->arrays[at];
    const bool text = format[0] == 'u' || format[0] == 'U', view = strcmp(format, "vu") == 0;
    const bool list = format[0] == '+', null = format[0] == 'n';
    int64_t *sizes;

    *a = (struct ArrowArray){.length = twist(s, (int64_t)length),
                             .null_count = twist(s, -1),
                             .offset = next(s) > 200 ? (int8_t)next(s) : 0,
                             .n_buffers = twist(s, null   ? 0
                                                   : text ? 3
                                                   : view ? 4
                                                          : 2),
                             .n_children = twist(s, list),
                             .buffers = s->buffers[at],
                             .children = &s->children[at]};
    /* More than four buffers were never made. */
    a->n_buffers = a->n_buffers > 4 ? 4 : a->n_buffers;
    s->buffers[at][0] = next(s) & 1 ? random_block(s, ELEMENTS / 8 + 1, 8) : NULL;
    s->buffers[at][1] = text || list ? offsets_block(s, strchr("UL", format[list]) != NULL)
                                     : random_block(s, (ELEMENTS + 1) * 16, 64);
    if (text || view) {
        char *bytes = block(s, TEXT);
        memset(bytes, 'x', TEXT);
        for (size_t i = 0; i < 32; i++) {
            bytes[i * 8] = (char)next(s);
        }
        s->buffers[at][2] = bytes;
    }
    if (view) {
        s->buffers[at][3] = sizes = block(s, sizeof *sizes);
        *sizes = TEXT;
    }
    if (next(s) > 250) {
        s->buffers[at][next(s) % 4] = NULL;
    }
    return a;
}

static struct ArrowSchema *make_field(source *s, const char *format, const char *name)
{
    struct ArrowSchema *f = &s->fields[s->fields_used++];

    *f = (struct ArrowSchema){.format = format, .name = name};
    return f;
}

static void make_column(source *s, size_t i, size_t length)
{
    static const char *const formats[] = {"c",       "C",     "s",       "S",   "i",   "I",
                                          "l",       "L",     "e",       "f",   "g",   "b",
                                          "u",       "U",     "vu",      "tdD", "tdm", "tss:",
                                          "tsn:UTC", "d:9,2", "d:38,-3", "n",   "z",   "+s",
                                          "d:99,1",  ""};
    static const char *const names[] = {"a", "b", "c", "d"};
    const char *format = formats[next(s) % (sizeof formats / sizeof *formats)];
    const uint8_t shape = next(s);
    struct ArrowSchema *f = NULL, *list = NULL;
    struct ArrowArray *a = NULL, *lists = NULL;

    if (shape & 1) {
        list = make_field(s, shape & 2 ? "+l" : "+L", names[i]);
        lists = make_array(s, list->format, length);
        length = 200;
    }
    f = make_field(s, shape & 4 ? formats[next(s) % 8] : format, list ? "item" : names[i]);
    a = make_array(s, f->format, length);
    if (shape & 4) {
        f->dictionary = make_field(s, format, "");
        a->dictionary = make_array(s, format, 40);
    }
    if (list) {
        s->items[i] = f;
        list->children = &s->items[i];
        list->n_children = 1;
        *lists->children = a;
    }
    s->columns[i] = list ? list : f;
    s->batch_columns[i] = list ? lists : a;
}

static void release_schema(struct ArrowSchema *schema)
{
    ((source *)schema->private_data)->schemas--;
    schema->release = NULL;
}

static void release_batch(struct ArrowArray *a)
{
    ((source *)a->private_data)->batches--;
    a->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    ((source *)stream->private_data)->streams--;
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    source *s = stream->private_data;

    s->schemas++;
    *out = s->schema;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    source *s = stream->private_data;

    *out = s->batch;
    if (s->ended) {
        out->release = NULL;
    } else {
        s->batches++;
    }
    s->ended = true;
    return 0;
}

static void make_stream(source *s, struct ArrowArrayStream *out)
{
    const size_t columns = 1 + next(s) % COLUMNS, length = next(s) % 150;

    for (size_t i = 0; i < columns; i++) {
        make_column(s, i, length);
    }
    s->schema = (struct ArrowSchema){.format = "+s",
                                     .name = "",
                                     .n_children = (int64_t)columns,
                                     .children = s->columns,
                                     .release = release_schema,
                                     .private_data = s};
    s->batch = (struct ArrowArray){.length = twist(s, (int64_t)length),
                                   .n_buffers = twist(s, 1),
                                   .buffers = s->batch_buffers,
                                   .n_children = twist(s, (int64_t)columns),
                                   .children = s->batch_columns,
                                   .offset = next(s) > 240 ? (int8_t)next(s) : 0,
                                   .release = release_batch,
                                   .private_data = s};
    s->batch_buffers[0] = next(s) & 1 ? random_block(s, ELEMENTS / 8 + 1, 8) : NULL;
    s->streams++;
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .release = release_stream,
                                     .private_data = s};
}

/* What was read is sound, and the same after it was given and read again. */
static void look(kn_dataset *ds)
{
    struct ArrowArrayStream out;
    kn_dataset *back = NULL;
    const char *reason = "";
    kn_error err = {0};

    if (!kn__dataset_validate(ds, &reason)) {
        fuzz_fail(reason);
    }
    if (kn_dataset_to_arrow(&out, ds, NULL, &err) != KN_OK ||
        kn_dataset_from_arrow(&back, &out, NULL, NULL, &err) != KN_OK) {
        fuzz_fail(err.message);
    }
    fuzz_same(ds, back);
    kn_dataset_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const kn_run run = {.threads = 1};
    const size_t before = kn_memory_in_use();
    source *s = calloc(1, sizeof *s);
    struct ArrowArrayStream stream;
    kn_dataset *ds = NULL;
    kn_error err = {0};
    kn_status status;

    if (!s) {
        fuzz_fail("no memory");
    }
    s->data = data;
    s->size = size;
    make_stream(s, &stream);
    status = kn_dataset_from_arrow(&ds, &stream, NULL, &run, &err);
    if (status == KN_OK) {
        look(ds);
    } else if (ds || !err.message[0] || status != KN_EINPUT) {
        fuzz_fail("a failure without words, or of another kind");
    }
    if (s->schemas || s->batches || s->streams || stream.release) {
        fuzz_fail("something was not released once");
    }
    kn_dataset_free(ds);
    if (kn_memory_in_use() != before) {
        fuzz_fail("memory is lost");
    }
    for (size_t i = 0; i < s->blocks_used; i++) {
        free(s->blocks[i]);
    }
    free(s);
    return 0;
}
