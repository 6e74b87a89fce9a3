/* given.c - what calls are given: settings, hierarchies. */
#include "given.h"

#include <string.h>

bool read_job(work *w, kn_job **out, PyObject *json)
{
    Py_ssize_t len;
    const char *text = PyUnicode_AsUTF8AndSize(json, &len);
    kn_status status;

    if (!text) {
        return false;
    }
    status = kn_job_parse(out, text, (size_t)len, "settings", NULL, &w->err);
    if (status != KN_OK) {
        (void)work_raise(w, status);
    }
    return status == KN_OK;
}

/* Rows of labels; the texts are borrowed from Python's. */
typedef struct label_rows {
    const char **labels;
    const char *const **row;
    size_t *length;
    size_t count;
} label_rows;

static void rows_clear(label_rows *r)
{
    PyMem_Free(r->labels);
    PyMem_Free(r->row);
    PyMem_Free(r->length);
}

/* The labels of `list` to `out`. */
static bool read_row(const char **out, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);

    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t len;
        out[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), &len);
        if (!out[i]) {
            return false;
        }
        if (strlen(out[i]) != (size_t)len) {
            PyErr_SetString(PyExc_ValueError, "a label of a hierarchy has a null character");
            return false;
        }
    }
    return count >= 0;
}

/* Rows from a list of lists of texts. */
static bool read_rows(label_rows *r, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);
    size_t labels = 0, at = 0;

    for (Py_ssize_t i = 0; i < count; i++) {
        const Py_ssize_t length = PyList_Size(PyList_GetItem(list, i));
        if (length < 0) {
            return false;
        }
        labels += (size_t)length;
    }
    r->count = (size_t)count;
    r->labels = PyMem_Calloc(labels + 1, sizeof *r->labels);
    r->row = PyMem_Calloc(r->count + 1, sizeof *r->row);
    r->length = PyMem_Calloc(r->count + 1, sizeof *r->length);
    if (!r->labels || !r->row || !r->length) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PyList_GetItem(list, i);
        if (!read_row(&r->labels[at], row)) {
            return false;
        }
        r->row[i] = &r->labels[at];
        r->length[i] = (size_t)PyList_Size(row);
        at += r->length[i];
    }
    return true;
}

/* Add the hierarchy in `item`, a tuple of a column and the rows from its values to the root. */
static bool add_hierarchy(work *w, kn_hierarchies *hs, PyObject *item)
{
    const char *column;
    PyObject *list;
    label_rows rows = {0};
    kn_hierarchy *h = NULL;
    char name[160];
    kn_status status;

    if (!PyArg_ParseTuple(item, "sO!", &column, &PyList_Type, &list) || !read_rows(&rows, list)) {
        rows_clear(&rows);
        return false;
    }
    (void)PyOS_snprintf(name, sizeof name, "hierarchies['%.100s']", column);
    status = kn_hierarchy_from_rows(&h, rows.row, rows.length, rows.count, name, &w->err);
    rows_clear(&rows);
    if (status == KN_OK) {
        status = kn_hierarchies_add_family(hs, column, h, &w->err);
    }
    if (status != KN_OK) {
        kn_hierarchy_free(h);
        if (w->err.code == KN_ERROR_OTHER) {
            w->err.code = KN_ERROR_FILE;
            (void)PyOS_snprintf(w->err.column, sizeof w->err.column, "%.100s", column);
            (void)PyOS_snprintf(w->err.parameter, sizeof w->err.parameter, "hierarchies");
        }
        (void)work_raise(w, status);
    }
    return status == KN_OK;
}

bool add_hierarchies(work *w, kn_hierarchies *hs, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);
    bool done = count >= 0;

    for (Py_ssize_t i = 0; done && i < count; i++) {
        done = add_hierarchy(w, hs, PyList_GetItem(list, i));
    }
    return done;
}

PyObject *take_string(char *text)
{
    PyObject *string = text ? PyUnicode_FromString(text) : NULL;

    kn_string_free(text);
    return string;
}
