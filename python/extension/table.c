/* table.c - a table in memory, as Arrow arrays that can be handed out any number of times.
 *
 * A stream of the Arrow C interface gives its batches once. A Table keeps them, and every stream
 * that it exports gives copies of the array structs whose buffers are shared: each copy, and each
 * child of a copy, owns a reference to the arrays that are kept. Copies may be released on any
 * thread, without Python, so nothing here but the type itself uses Python's memory. */
#include "table.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays that are kept ---- */

typedef struct kept {
    atomic_size_t owners;
    struct ArrowSchema schema;
    struct ArrowArray *batch;
    size_t count, cap;
} kept;

static void let_go(kept *k)
{
    if (!k || atomic_fetch_sub(&k->owners, 1) > 1) {
        return;
    }
    for (size_t i = 0; i < k->count; i++) {
        k->batch[i].release(&k->batch[i]);
    }
    if (k->schema.release) {
        k->schema.release(&k->schema);
    }
    free(k->batch);
    free(k);
}

/* ---- copies of the structs ---- */

static void release_array(struct ArrowArray *a)
{
    for (int64_t i = 0; a->children && i < a->n_children; i++) {
        if (a->children[i] && a->children[i]->release) {
            a->children[i]->release(a->children[i]);
        }
        free(a->children[i]);
    }
    free(a->children);
    if (a->dictionary && a->dictionary->release) {
        a->dictionary->release(a->dictionary);
    }
    free(a->dictionary);
    let_go(a->private_data);
    a->release = NULL;
}

/* On failure `*out` is fit to be released. */
static bool share_array(struct ArrowArray *out, const struct ArrowArray *from, kept *k)
{
    bool done = true;

    *out = *from;
    out->children = NULL;
    out->dictionary = NULL;
    out->release = release_array;
    out->private_data = k;
    atomic_fetch_add(&k->owners, 1);
    if (from->n_children) {
        out->children = calloc((size_t)from->n_children, sizeof *out->children);
        done = out->children != NULL;
    }
    for (int64_t i = 0; done && i < from->n_children; i++) {
        out->children[i] = calloc(1, sizeof **out->children);
        done = out->children[i] && share_array(out->children[i], from->children[i], k);
    }
    if (done && from->dictionary) {
        out->dictionary = calloc(1, sizeof *out->dictionary);
        done = out->dictionary && share_array(out->dictionary, from->dictionary, k);
    }
    return done;
}

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; s->children && i < s->n_children; i++) {
        if (s->children[i] && s->children[i]->release) {
            s->children[i]->release(s->children[i]);
        }
        free(s->children[i]);
    }
    free(s->children);
    if (s->dictionary && s->dictionary->release) {
        s->dictionary->release(s->dictionary);
    }
    free(s->dictionary);
    let_go(s->private_data);
    s->release = NULL;
}

static bool share_schema(struct ArrowSchema *out, const struct ArrowSchema *from, kept *k)
{
    bool done = true;

    *out = *from;
    out->children = NULL;
    out->dictionary = NULL;
    out->release = release_schema;
    out->private_data = k;
    atomic_fetch_add(&k->owners, 1);
    if (from->n_children) {
        out->children = calloc((size_t)from->n_children, sizeof *out->children);
        done = out->children != NULL;
    }
    for (int64_t i = 0; done && i < from->n_children; i++) {
        out->children[i] = calloc(1, sizeof **out->children);
        done = out->children[i] && share_schema(out->children[i], from->children[i], k);
    }
    if (done && from->dictionary) {
        out->dictionary = calloc(1, sizeof *out->dictionary);
        done = out->dictionary && share_schema(out->dictionary, from->dictionary, k);
    }
    return done;
}

/* ---- streams ---- */

typedef struct replay {
    kept *k;
    size_t next;
} replay;

static int replay_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const replay *r = stream->private_data;

    if (!share_schema(out, &r->k->schema, r->k)) {
        release_schema(out);
        return ENOMEM;
    }
    return 0;
}

static int replay_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    replay *r = stream->private_data;

    if (r->next == r->k->count) {
        *out = (struct ArrowArray){0};
        return 0;
    }
    if (!share_array(out, &r->k->batch[r->next], r->k)) {
        release_array(out);
        return ENOMEM;
    }
    r->next++;
    return 0;
}

static const char *replay_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory";
}

static void replay_release(struct ArrowArrayStream *stream)
{
    replay *r = stream->private_data;

    let_go(r->k);
    free(r);
    stream->release = NULL;
}

static void free_stream_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");

    if (stream && stream->release) {
        stream->release(stream);
    }
    free(stream);
}

static void free_schema_capsule(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");

    if (schema && schema->release) {
        schema->release(schema);
    }
    free(schema);
}

bool stream_of(struct ArrowArrayStream *out, PyObject *data)
{
    PyObject *capsule = PyObject_CallMethod(data, "__arrow_c_stream__", NULL);
    struct ArrowArrayStream *stream = capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream")
                                              : NULL;

    if (stream && !stream->release) {
        PyErr_SetString(PyExc_ValueError, "the Arrow stream was used before");
        stream = NULL;
    }
    if (stream) {
        *out = *stream;
        stream->release = NULL; /* moved */
    }
    Py_XDECREF(capsule);
    return stream != NULL;
}

/* All batches of `stream`; the errno of what failed, or 0. */
static int collect(kept *k, struct ArrowArrayStream *stream)
{
    int code = stream->get_schema(stream, &k->schema);

    while (code == 0) {
        struct ArrowArray array = {0};
        code = stream->get_next(stream, &array);
        if (code != 0 || !array.release) {
            break;
        }
        if (k->count == k->cap) {
            const size_t cap = k->cap ? 2 * k->cap : 4;
            struct ArrowArray *grown = realloc(k->batch, cap * sizeof *grown);
            if (!grown) {
                array.release(&array);
                return ENOMEM;
            }
            k->batch = grown;
            k->cap = cap;
        }
        k->batch[k->count++] = array;
    }
    return code;
}

/* ---- the type ---- */

typedef struct table {
    PyObject_HEAD kept *k;
} table;

PyObject *table_new(PyObject *type, struct ArrowArrayStream *stream)
{
    kept *k = calloc(1, sizeof *k);
    int code = ENOMEM;
    table *self = NULL;

    if (k) {
        atomic_init(&k->owners, 1);
        Py_BEGIN_ALLOW_THREADS code = collect(k, stream);
        Py_END_ALLOW_THREADS
    }
    if (code != 0) {
        const char *words = stream->get_last_error(stream);
        PyErr_Format(PyExc_OSError, "the Arrow stream failed: %s", words ? words : strerror(code));
    } else {
        self = PyObject_New(table, (PyTypeObject *)type);
    }
    stream->release(stream);
    if (self) {
        self->k = k;
    } else {
        let_go(k);
    }
    return (PyObject *)self;
}

static void table_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    let_go(((table *)self)->k);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *table_stream(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"requested_schema", NULL};
    kept *k = ((table *)self)->k;
    struct ArrowArrayStream *stream;
    PyObject *requested = NULL, *capsule = NULL;
    replay *r;

    /* As the protocol allows, the data keep their types whatever is asked for. */
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:__arrow_c_stream__", names, &requested)) {
        return NULL;
    }
    stream = calloc(1, sizeof *stream);
    r = malloc(sizeof *r);
    if (stream && r) {
        capsule = PyCapsule_New(stream, "arrow_array_stream", free_stream_capsule);
    } else {
        PyErr_NoMemory();
    }
    if (!capsule) {
        free(stream);
        free(r);
        return NULL;
    }
    atomic_fetch_add(&k->owners, 1);
    *r = (replay){.k = k};
    *stream = (struct ArrowArrayStream){.get_schema = replay_schema,
                                        .get_next = replay_next,
                                        .get_last_error = replay_error,
                                        .release = replay_release,
                                        .private_data = r};
    return capsule;
}

static PyObject *table_schema(PyObject *self, PyObject *unused)
{
    kept *k = ((table *)self)->k;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    PyObject *capsule;

    (void)unused;
    if (!schema || !share_schema(schema, &k->schema, k)) {
        if (schema) {
            release_schema(schema);
        }
        free(schema);
        return PyErr_NoMemory();
    }
    capsule = PyCapsule_New(schema, "arrow_schema", free_schema_capsule);
    if (!capsule) {
        release_schema(schema);
        free(schema);
    }
    return capsule;
}

static Py_ssize_t table_length(PyObject *self)
{
    const kept *k = ((table *)self)->k;
    int64_t rows = 0;

    for (size_t i = 0; i < k->count; i++) {
        rows += k->batch[i].length;
    }
    return (Py_ssize_t)rows;
}

static PyObject *table_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSsize_t(table_length(self));
}

static PyObject *table_columns(PyObject *self, void *unused)
{
    const struct ArrowSchema *s = &((table *)self)->k->schema;
    PyObject *names = PyList_New(0);

    (void)unused;
    for (int64_t i = 0; names && i < s->n_children; i++) {
        PyObject *name = PyUnicode_FromString(s->children[i]->name ? s->children[i]->name : "");
        if (!name || PyList_Append(names, name) != 0) {
            Py_CLEAR(names);
        }
        Py_XDECREF(name);
    }
    return names;
}

static PyMethodDef table_methods[] = {
    {"__arrow_c_stream__", (PyCFunction)(void (*)(void))table_stream, METH_VARARGS | METH_KEYWORDS,
     "The table as a capsule of the Arrow C stream interface; as often as you like."},
    {"__arrow_c_schema__", table_schema, METH_NOARGS, "Its types, as a capsule."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef table_getters[] = {
    {"num_rows", table_rows, NULL, "How many records it has.", NULL},
    {"column_names", table_columns, NULL, "The names of its columns.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc, "A table as Arrow arrays, for any library that takes Arrow data."},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, table_methods},
    {Py_tp_getset, table_getters},
    {Py_sq_length, table_length},
    {0, NULL},
};

PyType_Spec table_spec = {
    .name = "kanon._kanon.Table",
    .basicsize = sizeof(table),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = table_slots,
};
