/* counted.c - apriori on item lists that no process holds together: Python counts them. */
#include "calls.h"

#include <string.h>

/* The texts of all items, by code. */
static PyObject *items_of(const kn_naming *n)
{
    PyObject *list = PyList_New(0);

    for (uint32_t code = 0; list && code < n->values; code++) {
        size_t len = 0;
        const char *text = kn_dataset_value(n->ds, n->column, code, &len);
        PyObject *item = PyUnicode_DecodeUTF8(text ? text : "", (Py_ssize_t)len, "strict");
        if (!item || PyList_Append(list, item) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

/* Numbers of 32 bits: of each combination its length, how many people hold it, and its names. */
static kn_status take_found(kn_rare_names *found, PyObject *answer, kn_error *err)
{
    char *bytes;
    Py_ssize_t len;
    kn_status status = KN_OK;

    if (PyBytes_AsStringAndSize(answer, &bytes, &len) != 0) {
        return KN_ECANCELLED;
    }
    for (size_t at = 0, count = (size_t)len / sizeof(uint32_t); at < count && status == KN_OK;) {
        uint32_t head[2], names[KN_MOST_M];
        const char *from = bytes + at * sizeof(uint32_t);
        if (count - at < 2) {
            PyErr_SetString(PyExc_ValueError, "the combinations end too early");
            return KN_ECANCELLED;
        }
        memcpy(head, from, sizeof head);
        if (head[0] > KN_MOST_M || head[0] > count - at - 2) {
            PyErr_SetString(PyExc_ValueError, "a combination has too many names");
            return KN_ECANCELLED;
        }
        memcpy(names, from + sizeof head, head[0] * sizeof *names);
        status = kn_rare_names_add(found, names, head[0], head[1], err);
        at += 2 + head[0];
    }
    return status;
}

/* An exception stays set, and is what the call raises in the end. */
kn_status ask_python(void *user, const kn_naming *n, kn_rare_names *found, kn_error *err)
{
    const asking *a = user;
    PyObject *items, *answer = NULL;
    kn_status status = KN_ECANCELLED;

    work_end(a->w);
    items = items_of(n);
    if (items) {
        answer = PyObject_CallFunction(a->count, "Oy#y#nn", items, (const char *)n->begin,
                                       (Py_ssize_t)((n->values + 1) * sizeof *n->begin),
                                       (const char *)n->name,
                                       (Py_ssize_t)(n->begin[n->values] * sizeof *n->name),
                                       (Py_ssize_t)n->k, (Py_ssize_t)n->m);
    }
    if (answer) {
        status = take_found(found, answer, err);
    }
    Py_XDECREF(items);
    Py_XDECREF(answer);
    work_begin(a->w);
    return status;
}
