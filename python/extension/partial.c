/* partial.c - km-anonymity of item lists that no process holds together: counts of slices as bytes,
 * which other processes merge (kanon/partial.h). */
#include "calls.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

typedef struct counting {
    looking l;
    kn_guarantee *guarantees;
    size_t count;
    kn_dictionary *dictionary;
} counting;

static void counting_clear(counting *c)
{
    kn_dictionary_free(c->dictionary);
    kn_job_guarantees_free(c->guarantees);
    looking_clear(&c->l);
}

/* The job, its guarantees, and the dictionary that `bytes` are; none: an empty one. These return
 * false with an exception set. */
static bool begin(counting *c, PyObject *module, PyObject *settings, const char *bytes,
                  Py_ssize_t len)
{
    kn_error *err = &c->l.w.err;
    kn_status status;

    work_init(&c->l.w, PyModule_GetState(module), Py_None);
    if (!read_job(&c->l.w, &c->l.job, settings)) {
        return false;
    }
    status = kn_job_guarantees(&c->guarantees, &c->count, c->l.job, err);
    if (status == KN_OK) {
        status = kn_job_settings(&c->l.w.run, c->l.job, err);
    }
    if (status == KN_OK) {
        status = kn_dictionary_new(&c->dictionary, err);
    }
    if (status == KN_OK && bytes) {
        status = kn_dictionary_merge(c->dictionary, (const unsigned char *)bytes, (size_t)len, err);
    }
    if (status != KN_OK) {
        (void)work_raise(&c->l.w, status);
    }
    return status == KN_OK;
}

static kn_status new_part(kn_partial **out, counting *c, unsigned parts, unsigned part)
{
    const kn_partial_options o = {KN_INIT(kn_partial_options), .guarantees = c->guarantees,
                                  .guarantees_count = c->count, .parts = parts, .part = part};

    return kn_partial_new(out, c->dictionary, &o, &c->l.w.err);
}

static PyObject *take_bytes(counting *c, kn_status status, unsigned char *bytes, size_t len)
{
    PyObject *made = status == KN_OK
                         ? PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)len)
                         : work_raise(&c->l.w, status);

    kn_bytes_free(bytes);
    return made;
}

PyObject *call_dictionary(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *result = NULL;
    unsigned char *bytes = NULL;
    counting c = {0};
    size_t len = 0;
    kn_status status;

    if (!PyArg_ParseTuple(args, "UO:dictionary", &settings, &data)) {
        return NULL;
    }
    if (begin(&c, module, settings, NULL, 0) &&
        read_table(&c.l, &c.l.table, data, KN_TABLE_RELEASE)) {
        status = kn_dictionary_add(c.dictionary, c.l.table, &c.l.w.err);
        if (status == KN_OK) {
            status = kn_dictionary_write(&bytes, &len, c.dictionary, &c.l.w.err);
        }
        result = take_bytes(&c, status, bytes, len);
    }
    counting_clear(&c);
    return result;
}

/* Count one slice in every part. */
static bool add_slice(counting *c, kn_partial **part, size_t count, PyObject *slice)
{
    kn_status status = KN_OK;

    if (!read_table(&c->l, &c->l.table, slice, KN_TABLE_RELEASE)) {
        return false;
    }
    work_begin(&c->l.w);
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        status = kn_partial_add(part[i], c->l.table, &c->l.w.run, &c->l.w.err);
    }
    work_end(&c->l.w);
    kn_dataset_free(c->l.table);
    c->l.table = NULL;
    if (status != KN_OK) {
        (void)work_raise(&c->l.w, status);
    }
    return status == KN_OK;
}

static PyObject *write_parts(counting *c, kn_partial **part, size_t count)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < count; i++) {
        unsigned char *bytes = NULL;
        size_t len = 0;
        const kn_status status = kn_partial_write(&bytes, &len, part[i], &c->l.w.err);
        PyObject *one = take_bytes(c, status, bytes, len);
        if (!one || PyList_Append(list, one) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

PyObject *call_count_parts(PyObject *module, PyObject *args)
{
    PyObject *settings, *slices, *slice, *result = NULL;
    const char *dictionary;
    Py_ssize_t len;
    unsigned parts, first, count;
    kn_partial **part = NULL;
    counting c = {0};
    kn_status status = KN_OK;
    bool fine;

    if (!PyArg_ParseTuple(args, "Uy#OIII:count_parts", &settings, &dictionary, &len, &slices,
                          &parts, &first, &count)) {
        return NULL;
    }
    slices = PyObject_GetIter(slices);
    if (!slices) {
        return NULL;
    }
    fine = begin(&c, module, settings, dictionary, len);
    if (fine) {
        part = PyMem_Calloc(count ? count : 1, sizeof(kn_partial *));
        fine = part != NULL || PyErr_NoMemory();
    }
    for (unsigned i = 0; fine && status == KN_OK && i < count; i++) {
        status = new_part(&part[i], &c, parts, first + i);
    }
    fine = fine && (status == KN_OK || work_raise(&c.l.w, status));
    while (fine && (slice = PyIter_Next(slices)) != NULL) {
        fine = add_slice(&c, part, count, slice);
        Py_DECREF(slice);
    }
    if (fine && !PyErr_Occurred()) {
        result = write_parts(&c, part, count);
    }
    for (unsigned i = 0; part && i < count; i++) {
        kn_partial_free(part[i]);
    }
    PyMem_Free(part);
    Py_DECREF(slices);
    counting_clear(&c);
    return result;
}

/* Merge all counts of the iterator `counts` into `to`. */
static bool merge_all(counting *c, kn_partial *to, PyObject *counts)
{
    PyObject *all = PyObject_GetIter(counts), *one;
    kn_status status = KN_OK;

    if (!all) {
        return false;
    }
    while (status == KN_OK && (one = PyIter_Next(all)) != NULL) {
        char *bytes;
        Py_ssize_t len;
        if (PyBytes_AsStringAndSize(one, &bytes, &len) == 0) {
            status = kn_partial_merge(to, (const unsigned char *)bytes, (size_t)len, &c->l.w.err);
        }
        Py_DECREF(one);
    }
    Py_DECREF(all);
    if (status != KN_OK) {
        (void)work_raise(&c->l.w, status);
    }
    return !PyErr_Occurred();
}

PyObject *call_merge_part(PyObject *module, PyObject *args)
{
    PyObject *settings, *counts, *result = NULL;
    const char *dictionary;
    Py_ssize_t len;
    unsigned parts, part;
    unsigned char *bytes = NULL;
    size_t size = 0;
    kn_partial *merged = NULL;
    counting c = {0};
    kn_status status;

    if (!PyArg_ParseTuple(args, "Uy#OII:merge_part", &settings, &dictionary, &len, &counts, &parts,
                          &part)) {
        return NULL;
    }
    if (!begin(&c, module, settings, dictionary, len)) {
        goto done;
    }
    status = new_part(&merged, &c, parts, part);
    if (status != KN_OK) {
        (void)work_raise(&c.l.w, status);
        goto done;
    }
    if (merge_all(&c, merged, counts)) {
        status = kn_partial_reduce(merged, &c.l.w.err);
        if (status == KN_OK) {
            status = kn_partial_write(&bytes, &size, merged, &c.l.w.err);
        }
        result = take_bytes(&c, status, bytes, size);
    }
done:
    kn_partial_free(merged);
    counting_clear(&c);
    return result;
}

/* The items of each violation that is kept, as lists of texts. */
static PyObject *items_of(const kn_verdict *v, const kn_partial *p)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < kn_verdict_violations_kept(v); i++) {
        const kn_violation *found = kn_verdict_violation(v, i);
        PyObject *items = PyList_New(0);
        for (size_t j = 0; items && j < found->items_count; j++) {
            size_t len = 0;
            const char *text = kn_partial_value(p, found->column, found->items[j], &len);
            PyObject *item = PyUnicode_DecodeUTF8(text ? text : "", (Py_ssize_t)len, "replace");
            if (!item || PyList_Append(items, item) != 0) {
                Py_CLEAR(items);
            }
            Py_XDECREF(item);
        }
        if (!items || PyList_Append(list, items) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(items);
    }
    return list;
}

/* The reduced counts of all parts, merged: the arguments are settings, dictionary, counts, parts.
 */
static kn_partial *all_parts(counting *c, PyObject *module, PyObject *args)
{
    PyObject *settings, *counts;
    const char *dictionary;
    Py_ssize_t len;
    unsigned parts;
    kn_partial *all = NULL;
    kn_status status;

    if (!PyArg_ParseTuple(args, "Uy#OI", &settings, &dictionary, &len, &counts, &parts) ||
        !begin(c, module, settings, dictionary, len)) {
        return NULL;
    }
    status = new_part(&all, c, parts, 0);
    if (status != KN_OK) {
        (void)work_raise(&c->l.w, status);
        return NULL;
    }
    if (!merge_all(c, all, counts)) {
        kn_partial_free(all);
        return NULL;
    }
    return all;
}

PyObject *call_finish_parts(PyObject *module, PyObject *args)
{
    PyObject *result = NULL;
    kn_verdict *verdict = NULL;
    char *json = NULL;
    counting c = {0};
    kn_status status;
    kn_partial *all = all_parts(&c, module, args);

    if (!all) {
        goto done;
    }
    work_begin(&c.l.w);
    status = kn_partial_finish(&verdict, all, NULL, &c.l.w.run, &c.l.w.err);
    work_end(&c.l.w);
    if (status == KN_OK) {
        status = kn_verdict_json(&json, verdict, c.guarantees, c.count, NULL, &c.l.w.err);
    }
    if (status == KN_OK) {
        result = Py_BuildValue("{sssKsN}", "verdict", json, "records",
                               (unsigned long long)kn_partial_records(all), "items",
                               items_of(verdict, all));
    } else {
        (void)work_raise(&c.l.w, status);
    }
done:
    kn_verdict_free(verdict);
    kn_string_free(json);
    kn_partial_free(all);
    counting_clear(&c);
    return result;
}

/* ---- rare combinations ---- */

/* The number that item `code` is. */
static uint32_t number_of(const kn_partial *p, uint32_t code)
{
    char digits[16] = "";
    size_t len = 0;
    const char *text = kn_partial_value(p, 0, code, &len);

    memcpy(digits, text ? text : "", len < sizeof digits ? len : 0);
    return (uint32_t)strtoul(digits, NULL, 10);
}

/* Numbers of 32 bits: of each combination its length, how many records hold it, and its items,
 * which are numbers. */
static PyObject *combinations_of(const kn_partial *p, size_t count)
{
    uint32_t *all = PyMem_Malloc((count ? count : 1) * (2 + KN_MOST_M) * sizeof *all);
    size_t at = 0, len = 0;
    PyObject *made;

    if (!all) {
        return PyErr_NoMemory();
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t support = kn_partial_rare_codes(p, i, all + at + 2, &len);
        all[at] = (uint32_t)len;
        all[at + 1] = (uint32_t)support;
        for (size_t j = 0; j < len; j++) {
            all[at + 2 + j] = number_of(p, all[at + 2 + j]);
        }
        at += 2 + len;
    }
    made = PyBytes_FromStringAndSize((const char *)all, (Py_ssize_t)(at * sizeof *all));
    PyMem_Free(all);
    return made;
}

PyObject *call_rare_parts(PyObject *module, PyObject *args)
{
    PyObject *result = NULL;
    size_t count = 0;
    counting c = {0};
    kn_status status;
    kn_partial *all = all_parts(&c, module, args);

    if (!all) {
        goto done;
    }
    status = kn_partial_rare(&count, all, &c.l.w.err);
    if (status == KN_OK) {
        result = Py_BuildValue("(KN)", (unsigned long long)kn_partial_records(all),
                               combinations_of(all, count));
    } else {
        (void)work_raise(&c.l.w, status);
    }
done:
    kn_partial_free(all);
    counting_clear(&c);
    return result;
}
