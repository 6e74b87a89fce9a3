/* models.c - calls about models: mine one that is judged before it is written, and ask one. Tables
 * come as lists of texts: arrays of numbers have no Arrow stream. */
#include "models.h"
#include "given.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 8 };

/* ---- tables of texts ---- */

/* A table that is given as lists: names; roles and types; columns of texts, None where a value is
 * missing. */
typedef struct text_table {
    PyObject *names, *roles, *columns;
    const char **cells; /* of one record */
    size_t count;
} text_table;

/* Columns whose role or type is empty are not used, or detected. */
static bool roles_of(work *w, const text_table *t, kn_schema *schema)
{
    const Py_ssize_t count = PyList_Size(t->roles);
    kn_status status = KN_OK;

    for (Py_ssize_t i = 0; status == KN_OK && i < count; i++) {
        const char *role_name, *type_name;
        kn_role role;
        kn_type type;
        if (!PyArg_ParseTuple(PyList_GetItem(t->roles, i), "ss", &role_name, &type_name)) {
            return false;
        }
        if (kn_role_from_name(&role, role_name)) {
            status = kn_schema_set_role(schema, t->cells[i], role, &w->err);
        }
        if (status == KN_OK && kn_type_from_name(&type, type_name)) {
            status = kn_schema_set_type(schema, t->cells[i], type, &w->err);
        }
    }
    if (status != KN_OK) {
        (void)work_raise(w, status);
    }
    return status == KN_OK;
}

/* The texts of row `row` of the columns, or the names of these, into t->cells. */
static bool read_cells(text_table *t, Py_ssize_t row)
{
    for (size_t i = 0; i < t->count; i++) {
        PyObject *column = row < 0 ? t->names : PyList_GetItem(t->columns, (Py_ssize_t)i);
        PyObject *cell = column ? PyList_GetItem(column, row < 0 ? (Py_ssize_t)i : row) : NULL;
        t->cells[i] = cell && cell != Py_None ? PyUnicode_AsUTF8AndSize(cell, NULL) : NULL;
        if (!t->cells[i] && (!cell || PyErr_Occurred())) {
            return false;
        }
    }
    return true;
}

static bool add_rows(work *w, text_table *t, kn_dataset_builder *b)
{
    const Py_ssize_t rows = t->count ? PyList_Size(PyList_GetItem(t->columns, 0)) : 0;

    for (Py_ssize_t row = 0; row < rows; row++) {
        kn_status status;
        if (!read_cells(t, row)) {
            return false;
        }
        status = kn_dataset_builder_add(b, t->cells, &w->err);
        if (status != KN_OK) {
            (void)work_raise(w, status);
            return false;
        }
    }
    return rows >= 0;
}

/* The dataset of a table; false with an exception set. */
static bool read_texts(work *w, kn_dataset **out, PyObject *names, PyObject *roles,
                       PyObject *columns)
{
    text_table t = {.names = names, .roles = roles, .columns = columns};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_status status;
    bool done = false;

    t.count = (size_t)PyList_Size(names);
    t.cells = calloc(t.count + 1, sizeof *t.cells);
    if (!t.cells) {
        PyErr_NoMemory();
        return false;
    }
    status = kn_schema_new(&schema, &w->err);
    if (status == KN_OK && read_cells(&t, -1) && roles_of(w, &t, schema)) {
        status = kn_dataset_builder_new(&b, t.cells, t.count, schema, &w->err);
        if (status == KN_OK && add_rows(w, &t, b)) {
            status = kn_dataset_builder_finish(out, b, &w->err);
            b = NULL;
            done = status == KN_OK;
        }
    }
    if (status != KN_OK) {
        (void)work_raise(w, status);
    }
    kn_dataset_builder_free(b);
    kn_schema_free(schema);
    free(t.cells);
    return done;
}

/* ---- mining ---- */

typedef struct mining {
    work w;
    kn_dataset *ds;
    kn_params *params;
    kn_model *model;
    kn_model_verdict *verdict;
    kn_mine_options options;
    kn_model_limits limits;
    kn_clusters_quality quality;
    const char *paths[MOST_FILES];
    size_t paths_count;
} mining;

static void mining_clear(mining *m)
{
    kn_model_verdict_free(m->verdict);
    kn_model_free(m->model);
    kn_params_free(m->params);
    kn_dataset_free(m->ds);
    work_clear(&m->w);
}

static kn_status find_kind(mining *m, const char *name)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_MODEL, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(entries[i]->name, name) == 0) {
            m->options.kind = (kn_model_kind)i;
            return kn_params_new(&m->params, KN_ENTRY_MODEL, name, &m->w.err);
        }
    }
    return KN_EUSAGE;
}

/* What is peculiar to the kind, as tuples of a name and a text. */
static bool read_params(mining *m, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);

    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name, *value;
        kn_status status;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ss", &name, &value)) {
            return false;
        }
        status = kn_params_parse(m->params, name, value, &m->w.err);
        if (status != KN_OK) {
            (void)work_raise(&m->w, status);
            return false;
        }
    }
    return count >= 0;
}

static bool read_paths(mining *m, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);

    for (Py_ssize_t i = 0; i < count && i < MOST_FILES; i++) {
        m->paths[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!m->paths[i]) {
            return false;
        }
        m->paths_count++;
    }
    return count >= 0;
}

/* Mine and publish: what is written is read back and judged, or there is no file. */
static kn_status mine_table(mining *m)
{
    kn_error *err = &m->w.err;
    const kn_model_output files = {KN_INIT(kn_model_output), .paths = m->paths,
                                   .count = m->paths_count, .quality = &m->quality};
    kn_status status;

    m->options.params = m->params;
    m->options.quality = &m->quality;
    status = kn_mine(&m->model, m->ds, NULL, &m->options, &m->w.run, err);
    if (status == KN_OK) {
        status = kn_model_publish(&m->verdict, m->model, m->ds, NULL, &m->limits, &files, &m->w.run,
                                  err);
    }
    return status;
}

PyObject *mine(PyObject *module, PyObject *args)
{
    PyObject *names, *roles, *columns, *params, *paths, *progress, *result = NULL;
    unsigned long long k, seed;
    double l, inference;
    int distinct;
    const char *kind;
    mining m = {.options = {KN_INIT(kn_mine_options)}, .limits = {KN_INIT(kn_model_limits)}};
    kn_status status;
    char *text = NULL;

    if (!PyArg_ParseTuple(args, "sO!O!O!KdpdKO!O!O:mine", &kind, &PyList_Type, &names, &PyList_Type,
                          &roles, &PyList_Type, &columns, &k, &l, &distinct, &inference, &seed,
                          &PyList_Type, &params, &PyList_Type, &paths, &progress)) {
        return NULL;
    }
    work_init(&m.w, PyModule_GetState(module), progress);
    m.w.run.seed = seed;
    m.options.k = m.limits.k = k;
    m.options.l = m.limits.l = l;
    m.options.distinct_l = m.limits.distinct_l = distinct != 0;
    m.options.inference = m.limits.inference = inference;
    status = find_kind(&m, kind);
    if (status != KN_OK) {
        (void)work_raise(&m.w, status);
        goto done;
    }
    if (!read_params(&m, params) || !read_paths(&m, paths) ||
        !read_texts(&m.w, &m.ds, names, roles, columns)) {
        goto done;
    }
    work_begin(&m.w);
    status = mine_table(&m);
    work_end(&m.w);
    if (status == KN_OK) {
        status = kn_model_report(&text, m.model, m.verdict, false, &m.w.err);
    }
    result = status == KN_OK ? take_string(text) : work_raise(&m.w, status);
done:
    mining_clear(&m);
    return result;
}

/* ---- asking ---- */

/* The texts of a column; None for a missing value. */
static PyObject *column_list(const kn_dataset *ds, size_t column)
{
    const uint32_t missing = kn_dataset_missing(ds, column);
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < kn_dataset_records(ds); i++) {
        const uint32_t code = kn_dataset_code(ds, column, i);
        size_t len;
        const char *text = kn_dataset_value(ds, column, code, &len);
        PyObject *item = code == missing ? Py_NewRef(Py_None)
                                         : PyUnicode_FromStringAndSize(text, (Py_ssize_t)len);
        if (!item || PyList_Append(list, item) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

PyObject *apply(PyObject *module, PyObject *args)
{
    static const char answers[] = "kanon answers";
    PyObject *names, *columns, *no_roles = PyList_New(0), *result = NULL;
    const char *bytes;
    Py_ssize_t len;
    kn_model *model = NULL;
    kn_dataset *ds = NULL;
    kn_status status;
    work w;

    if (!no_roles || !PyArg_ParseTuple(args, "s#O!O!:apply", &bytes, &len, &PyList_Type, &names,
                                       &PyList_Type, &columns)) {
        Py_XDECREF(no_roles);
        return NULL;
    }
    work_init(&w, PyModule_GetState(module), Py_None);
    if (read_texts(&w, &ds, names, no_roles, columns)) {
        work_begin(&w);
        status = kn_model_parse(&model, "the model", bytes, (size_t)len, &w.err);
        if (status == KN_OK) {
            status = kn_model_apply(NULL, model, ds, answers, &w.run, &w.err);
        }
        work_end(&w);
        result = status == KN_OK ? column_list(ds, kn_dataset_find(ds, answers))
                                 : work_raise(&w, status);
    }
    kn_model_free(model);
    kn_dataset_free(ds);
    Py_DECREF(no_roles);
    work_clear(&w);
    return result;
}
