/* module.c - kanon._kanon: jobs on tables that come and go through the Arrow C stream interface.
 * The rest of the package is Python. */
#include "calls.h"
#include "choose.h"
#include "given.h"
#include "models.h"
#include "table.h"

#include <string.h>

/* ---- a job ---- */

static void free_report(PyObject *capsule)
{
    kn_report_free(PyCapsule_GetPointer(capsule, "kanon_report"));
}

/* The recoding as JSON; None where there is none. */
static PyObject *recoding_text(work *w, const kn_value_recoding *recoding)
{
    char *json = NULL;
    kn_status status;

    if (!recoding) {
        return Py_NewRef(Py_None);
    }
    status = kn_recoding_json(&json, recoding, &w->err);
    return status == KN_OK ? take_string(json) : work_raise(w, status);
}

/* The tuple of a release. Takes the stream and the report. */
static PyObject *give_release(work *w, struct ArrowArrayStream *published, kn_report *report,
                              const kn_value_recoding *recoding)
{
    PyObject *table = table_new(w->state->table, published);
    PyObject *text = table ? recoding_text(w, recoding) : NULL;
    PyObject *capsule = text ? PyCapsule_New(report, "kanon_report", free_report) : NULL;

    if (!capsule) {
        kn_report_free(report);
        Py_XDECREF(table);
        Py_XDECREF(text);
        return NULL;
    }
    return Py_BuildValue("(NNN)", table, capsule, text);
}

static PyObject *anonymize(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *settings, *data, *hierarchies, *progress, *result = NULL;
    struct ArrowArrayStream table = {0}, published = {0};
    kn_value_recoding *recoding = NULL;
    kn_job_data given = {KN_INIT(kn_job_data), .table = &table, .recoding = &recoding};
    kn_job *job = NULL;
    kn_report *report = NULL;
    kn_status status;
    work w;

    if (!PyArg_ParseTuple(args, "UOO!O:anonymize", &settings, &data, &PyList_Type, &hierarchies,
                          &progress)) {
        return NULL;
    }
    work_init(&w, state, progress);
    if (!read_job(&w, &job, settings)) {
        goto done;
    }
    status = kn_hierarchies_new(&given.hierarchies, &w.err);
    if (status != KN_OK) {
        (void)work_raise(&w, status);
        goto done;
    }
    if (!add_hierarchies(&w, given.hierarchies, hierarchies) || !stream_of(&table, data)) {
        goto done;
    }
    work_begin(&w);
    status = kn_job_run_data(&published, &report, job, &given, &w.run, &w.err);
    work_end(&w);
    given.hierarchies = NULL; /* taken */
    result = status == KN_OK ? give_release(&w, &published, report, recoding)
                             : work_raise(&w, status);
done:
    kn_hierarchies_free(given.hierarchies);
    kn_recoding_free(recoding);
    kn_job_free(job);
    work_clear(&w);
    return result;
}

bool read_recoding(work *w, kn_value_recoding **out, PyObject *json)
{
    Py_ssize_t len;
    const char *text = PyUnicode_AsUTF8AndSize(json, &len);
    kn_status status;

    if (!text) {
        return false;
    }
    status = kn_recoding_parse(out, text, (size_t)len, "recoding", &w->err);
    if (status != KN_OK) {
        (void)work_raise(w, status);
    }
    return status == KN_OK;
}

/* ---- points ---- */

static PyObject *optional_text(const char *text)
{
    return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
}

static PyObject *point_dict(const kn_point *p)
{
    return Py_BuildValue("{sssssNsOsnsNsNssss}", "name", p->name, "check", p->check, "column",
                         optional_text(p->column), "decided", p->decided ? Py_True : Py_False,
                         "records", (Py_ssize_t)p->records, "value", PyFloat_FromDouble(p->value),
                         "limit", PyFloat_FromDouble(p->limit), "words", p->words, "remedy",
                         p->remedy);
}

static PyObject *points_list(const kn_points *points)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < kn_points_count(points); i++) {
        PyObject *point = point_dict(kn_points_get(points, i));
        if (!point || PyList_Append(list, point) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(point);
    }
    return list;
}

/* ---- recodings ---- */

/* A recoded table, and what is to settle about it. Takes the stream. */
static PyObject *give_recoded(const module_state *state, struct ArrowArrayStream *published,
                              const kn_points *points)
{
    PyObject *table = table_new(state->table, published);
    PyObject *list = table ? points_list(points) : NULL;

    if (!list) {
        Py_XDECREF(table);
        return NULL;
    }
    return Py_BuildValue("(N{sssssN})", table, "state", kn_state_name(kn_points_state(points)),
                         "summary", kn_points_summary(points), "points", list);
}

/* Apply a recoding to another table, and check the result. */
static PyObject *recode(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *settings, *json, *data, *progress, *result = NULL;
    struct ArrowArrayStream table = {0}, published = {0};
    kn_points *points = NULL;
    const kn_job_data given = {KN_INIT(kn_job_data), .table = &table, .points = &points};
    kn_value_recoding *recoding = NULL;
    kn_job *job = NULL;
    kn_status status;
    work w;

    if (!PyArg_ParseTuple(args, "UUOO:recode", &settings, &json, &data, &progress)) {
        return NULL;
    }
    work_init(&w, state, progress);
    if (read_job(&w, &job, settings) && read_recoding(&w, &recoding, json) &&
        stream_of(&table, data)) {
        work_begin(&w);
        status = kn_job_recode_data(&published, job, recoding, &given, &w.run, &w.err);
        work_end(&w);
        result = status == KN_OK ? give_recoded(state, &published, points) : work_raise(&w, status);
    }
    kn_points_free(points);
    kn_recoding_free(recoding);
    kn_job_free(job);
    work_clear(&w);
    return result;
}

static PyObject *recoding_sql(PyObject *module, PyObject *args)
{
    PyObject *json, *result = NULL;
    const char *table;
    kn_value_recoding *recoding = NULL;
    char *text = NULL;
    kn_status status;
    work w;

    if (!PyArg_ParseTuple(args, "Us:recoding_sql", &json, &table)) {
        return NULL;
    }
    work_init(&w, PyModule_GetState(module), Py_None);
    if (read_recoding(&w, &recoding, json)) {
        status = kn_recoding_sql(&text, recoding, table, &w.err);
        result = status == KN_OK ? take_string(text) : work_raise(&w, status);
    }
    kn_recoding_free(recoding);
    return result;
}

/* A report or a sweep as "json", "html" or "text". */
static PyObject *text_of(PyObject *module, PyObject *args)
{
    kn_status (*const of_report[])(char **, const kn_report *,
                                   kn_error *) = {kn_report_json, kn_report_html, kn_report_text};
    kn_status (*const of_sweep[])(char **, const kn_sweep *,
                                  kn_error *) = {kn_sweep_json, kn_sweep_html, kn_sweep_text};
    static const char *const forms[] = {"json", "html", "text"};
    PyObject *capsule;
    const char *form;
    const void *made;
    bool sweep_given;
    work w;

    if (!PyArg_ParseTuple(args, "Os:text_of", &capsule, &form)) {
        return NULL;
    }
    sweep_given = PyCapsule_IsValid(capsule, "kanon_sweep");
    made = PyCapsule_GetPointer(capsule, sweep_given ? "kanon_sweep" : "kanon_report");
    if (!made) {
        return NULL;
    }
    work_init(&w, PyModule_GetState(module), Py_None);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(form, forms[i]) == 0) {
            char *text = NULL;
            const kn_status status = sweep_given ? of_sweep[i](&text, made, &w.err)
                                                 : of_report[i](&text, made, &w.err);
            return status == KN_OK ? take_string(text) : work_raise(&w, status);
        }
    }
    PyErr_Format(PyExc_ValueError, "there is no form '%s'", form);
    return NULL;
}

/* ---- looking at tables ---- */

void looking_clear(looking *l)
{
    kn_dataset_free(l->table);
    kn_dataset_free(l->other);
    kn_hierarchies_free(l->hierarchies);
    kn_job_free(l->job);
    work_clear(&l->w);
}

bool read_table(looking *l, kn_dataset **out, PyObject *data, kn_table_use use)
{
    struct ArrowArrayStream stream;
    kn_status status;

    if (!stream_of(&stream, data)) {
        return false;
    }
    work_begin(&l->w);
    status = kn_job_table_data(out, l->job, &stream, use, &l->w.run, &l->w.err);
    work_end(&l->w);
    if (status != KN_OK) {
        (void)work_raise(&l->w, status);
    }
    return status == KN_OK;
}

bool read_hierarchies(looking *l, PyObject *list)
{
    const kn_status status = kn_job_hierarchies(&l->hierarchies, l->job, l->table, &l->w.err);

    if (status != KN_OK) {
        (void)work_raise(&l->w, status);
        return false;
    }
    return add_hierarchies(&l->w, l->hierarchies, list);
}

/* A checked table: its verdict as JSON, and its points. */
typedef struct checking {
    kn_guarantee *guarantees;
    size_t count;
    kn_point_options decisions;
    kn_verdict *verdict;
    kn_points *points;
    char *json;
} checking;

static kn_status check_table(looking *l, checking *c)
{
    kn_error *err = &l->w.err;
    kn_status status = kn_job_guarantees(&c->guarantees, &c->count, l->job, err);

    if (status == KN_OK) {
        status = kn_job_settings(&l->w.run, l->job, err);
    }
    if (status == KN_OK) {
        status = kn_job_points(&c->decisions, l->job, false, err);
    }
    if (status == KN_OK) {
        status = kn_check_release(&c->verdict, l->table, l->other, c->guarantees, c->count,
                                  l->hierarchies, &l->w.run, err);
    }
    if (status == KN_OK) {
        status = kn_points_find(&c->points, l->table, c->guarantees, c->count, c->verdict,
                                &c->decisions, &l->w.run, err);
    }
    if (status == KN_OK) {
        status = kn_verdict_json(&c->json, c->verdict, c->guarantees, c->count, l->table, err);
    }
    return status;
}

static PyObject *check(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *original, *hierarchies, *progress, *result = NULL;
    looking l = {0};
    checking c = {0};
    kn_status status;

    if (!PyArg_ParseTuple(args, "UOOO!O:check", &settings, &data, &original, &PyList_Type,
                          &hierarchies, &progress)) {
        return NULL;
    }
    work_init(&l.w, PyModule_GetState(module), progress);
    if (!read_job(&l.w, &l.job, settings) || !read_table(&l, &l.table, data, KN_TABLE_RELEASE) ||
        (original != Py_None && !read_table(&l, &l.other, original, KN_TABLE_ORIGINAL)) ||
        !read_hierarchies(&l, hierarchies)) {
        goto done;
    }
    work_begin(&l.w);
    status = check_table(&l, &c);
    work_end(&l.w);
    if (status != KN_OK) {
        (void)work_raise(&l.w, status);
        goto done;
    }
    result = Py_BuildValue("{sssssssNsnsn}", "verdict", c.json, "state",
                           kn_verdict_unknown(c.verdict) ? "unknown"
                                                         : kn_state_name(kn_points_state(c.points)),
                           "summary", kn_points_summary(c.points), "points", points_list(c.points),
                           "records", (Py_ssize_t)kn_dataset_records(l.table), "classes",
                           (Py_ssize_t)kn_verdict_classes(c.verdict));
done:
    kn_job_guarantees_free(c.guarantees);
    kn_job_points_free(&c.decisions);
    kn_verdict_free(c.verdict);
    kn_points_free(c.points);
    kn_string_free(c.json);
    looking_clear(&l);
    return result;
}

static PyObject *measure(PyObject *module, PyObject *args)
{
    PyObject *settings, *original, *release, *hierarchies, *progress, *result = NULL;
    looking l = {0};
    kn_measures *measures = NULL;
    char *json = NULL;
    kn_status status;

    if (!PyArg_ParseTuple(args, "UOOO!O:measure", &settings, &original, &release, &PyList_Type,
                          &hierarchies, &progress)) {
        return NULL;
    }
    work_init(&l.w, PyModule_GetState(module), progress);
    if (read_job(&l.w, &l.job, settings) && read_table(&l, &l.table, original, KN_TABLE_ORIGINAL) &&
        read_table(&l, &l.other, release, KN_TABLE_RELEASE) && read_hierarchies(&l, hierarchies)) {
        work_begin(&l.w);
        status = kn_measure(&measures, l.table, l.other, NULL, l.hierarchies, &l.w.run, &l.w.err);
        work_end(&l.w);
        if (status == KN_OK) {
            status = kn_measures_json(&json, measures, &l.w.err);
        }
        result = status == KN_OK ? take_string(json) : work_raise(&l.w, status);
    }
    kn_measures_free(measures);
    looking_clear(&l);
    return result;
}

static PyObject *profile(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *progress, *result = NULL;
    looking l = {0};
    kn_profile *made = NULL;
    char *json = NULL;
    kn_status status;

    if (!PyArg_ParseTuple(args, "UOO:profile", &settings, &data, &progress)) {
        return NULL;
    }
    work_init(&l.w, PyModule_GetState(module), progress);
    if (read_job(&l.w, &l.job, settings) && read_table(&l, &l.table, data, KN_TABLE_WHOLE)) {
        work_begin(&l.w);
        status = kn_profile_make(&made, l.table, &l.w.run, &l.w.err);
        work_end(&l.w);
        if (status == KN_OK) {
            status = kn_profile_json(&json, made, &l.w.err);
        }
        result = status == KN_OK ? take_string(json) : work_raise(&l.w, status);
    }
    kn_profile_free(made);
    looking_clear(&l);
    return result;
}

/* ---- what there is ---- */

static PyObject *catalog(PyObject *module, PyObject *unused)
{
    char *json = NULL;
    kn_status status;
    work w;

    (void)unused;
    work_init(&w, PyModule_GetState(module), Py_None);
    status = kn_catalog_json(&json, &w.err);
    return status == KN_OK ? take_string(json) : work_raise(&w, status);
}

/* Every setting of a job: (name, kind, group, choices, takes a list of numbers, help). */
static PyObject *settings(PyObject *module, PyObject *unused)
{
    static const char *const kinds[] = {"flag",   "text",  "path",    "choice", "count",
                                        "number", "share", "size",    "list",   "texts",
                                        "paths",  "map",   "path_map"};
    PyObject *list = PyList_New(0);

    (void)module, (void)unused;
    for (size_t i = 0; list && i < kn_job_options(); i++) {
        kn_option o;
        PyObject *tuple;
        kn_job_option(&o, i);
        tuple = Py_BuildValue("(ssiNOs)", o.name, kinds[o.kind], (int)o.group,
                              optional_text(o.choices), o.list ? Py_True : Py_False, o.help);
        if (!tuple || PyList_Append(list, tuple) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    return list;
}

/* ---- the module ---- */

static PyMethodDef methods[] = {
    {"anonymize", anonymize, METH_VARARGS,
     "settings, data, hierarchies, progress -> Table, report, recoding"},
    {"text_of", text_of, METH_VARARGS, "report or sweep, form -> text"},
    {"recode", recode, METH_VARARGS, "settings, recoding, data, progress -> Table, points"},
    {"recoding_sql", recoding_sql, METH_VARARGS, "recoding, table -> text"},
    {"check", check, METH_VARARGS, "settings, data, original, hierarchies, progress -> dict"},
    {"measure", measure, METH_VARARGS,
     "settings, original, release, hierarchies, progress -> JSON"},
    {"profile", profile, METH_VARARGS, "settings, data, progress -> JSON"},
    {"roles", call_roles, METH_VARARGS, "settings, data -> list of tuples"},
    {"anonymize_classes", call_anonymize_classes, METH_VARARGS,
     "settings, data, counts, hierarchies, progress, who counts or None -> dict"},
    {"recode_values", call_recode_values, METH_VARARGS, "settings, recoding, data -> Table"},
    {"check_classes", call_check_classes, METH_VARARGS,
     "settings, data, counts, hierarchies, original or None, its counts, attempt -> dict"},
    {"dictionary", call_dictionary, METH_VARARGS, "settings, data -> bytes"},
    {"count_parts", call_count_parts, METH_VARARGS,
     "settings, dictionary, slices, parts, first, count -> list of bytes"},
    {"merge_part", call_merge_part, METH_VARARGS,
     "settings, dictionary, counts, parts, part -> bytes"},
    {"finish_parts", call_finish_parts, METH_VARARGS,
     "settings, dictionary, counts, parts -> dict"},
    {"rare_parts", call_rare_parts, METH_VARARGS,
     "settings, dictionary, counts, parts -> records, combinations"},
    {"plan", plan, METH_VARARGS, "settings, path, data, folder, progress -> dict"},
    {"sweep", sweep, METH_VARARGS, "settings, data, hierarchies, progress -> sweep"},
    {"mine", mine, METH_VARARGS,
     "kind, names, roles, columns, k, l, distinct, inference, seed, parameters, paths, progress -> "
     "JSON"},
    {"apply", apply, METH_VARARGS, "model, names, columns -> list"},
    {"catalog", catalog, METH_NOARGS, "-> JSON"},
    {"settings", settings, METH_NOARGS, "-> list of tuples"},
    {NULL, NULL, 0, NULL},
};

static int start(PyObject *module)
{
    module_state *state = PyModule_GetState(module);

    state->failure = PyErr_NewException("kanon._kanon.Failure", NULL, NULL);
    state->table = PyType_FromModuleAndSpec(module, &table_spec, NULL);
    return state->failure && state->table &&
                   PyModule_AddObjectRef(module, "Failure", state->failure) == 0 &&
                   PyModule_AddObjectRef(module, "Table", state->table) == 0 &&
                   PyModule_AddStringConstant(module, "version", kn_version()) == 0
               ? 0
               : -1;
}

static int visit_state(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = PyModule_GetState(module);

    Py_VISIT(state->failure);
    Py_VISIT(state->table);
    return 0;
}

static int clear_state(PyObject *module)
{
    module_state *state = PyModule_GetState(module);

    Py_CLEAR(state->failure);
    Py_CLEAR(state->table);
    return 0;
}

static void free_state(void *module)
{
    (void)clear_state(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "kanon._kanon",
    .m_doc = "The C library of kanon, for the package around it.",
    .m_size = sizeof(module_state),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = visit_state,
    .m_clear = clear_state,
    .m_free = free_state,
};

PyMODINIT_FUNC PyInit__kanon(void)
{
    return PyModuleDef_Init(&definition);
}
