/* given.c - what calls are given: settings, hierarchies. */
#include "given.h"

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

/* Add the hierarchy in `item`, a tuple of a column and the bytes of a file. */
static bool add_hierarchy(work *w, kn_hierarchies *hs, PyObject *item)
{
    const char *column, *bytes;
    Py_ssize_t len;
    kn_hierarchy *h = NULL;
    char name[160];
    kn_status status;

    if (!PyArg_ParseTuple(item, "sy#", &column, &bytes, &len)) {
        return false;
    }
    (void)PyOS_snprintf(name, sizeof name, "hierarchies['%.100s']", column);
    status = kn_hierarchy_parse(&h, bytes, (size_t)len, name, &w->err);
    if (status == KN_OK) {
        status = kn_hierarchies_add_family(hs, column, h, &w->err);
    }
    if (status != KN_OK) {
        kn_hierarchy_free(h);
        if (w->err.code == KN_ERROR_OTHER) {
            w->err.code = KN_ERROR_VALUE;
            (void)PyOS_snprintf(w->err.column, sizeof w->err.column, "%.100s", column);
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
