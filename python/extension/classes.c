/* classes.c - tables of classes, each with the number of people in it: what a driver does while an
 * engine (a database, a cluster) holds the rows. */
#include "calls.h"
#include "table.h"

#include <string.h>

/* ---- the roles of the columns ---- */

static PyObject *role_list(const kn_dataset *ds)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < kn_dataset_columns(ds); i++) {
        PyObject *tuple = Py_BuildValue("(ss)", kn_dataset_name(ds, i),
                                        kn_role_name(kn_dataset_role(ds, i)));
        if (!tuple || PyList_Append(list, tuple) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    return list;
}

PyObject *call_roles(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *result = NULL;
    kn_guarantee *guarantees = NULL;
    size_t count = 0;
    looking l = {0};
    kn_status status;

    if (!PyArg_ParseTuple(args, "UO:roles", &settings, &data)) {
        return NULL;
    }
    work_init(&l.w, PyModule_GetState(module), Py_None);
    if (!read_job(&l.w, &l.job, settings) || !read_table(&l, &l.table, data, KN_TABLE_ORIGINAL)) {
        goto done;
    }
    status = kn_job_guarantees(&guarantees, &count, l.job, &l.w.err);
    if (status == KN_OK) {
        work_begin(&l.w);
        status = kn_open_columns_refuse(l.table, guarantees, count, &l.w.run, &l.w.err);
        work_end(&l.w);
    }
    result = status == KN_OK ? role_list(l.table) : work_raise(&l.w, status);
done:
    kn_job_guarantees_free(guarantees);
    looking_clear(&l);
    return result;
}

/* ---- classes and their counts ---- */

/* Read `data`, whose record i stands for as many people as number i of `counts` says. */
static bool read_classes(looking *l, kn_dataset **out, PyObject *data, const char *counts,
                         Py_ssize_t bytes, kn_table_use use)
{
    const size_t count = (size_t)bytes / sizeof(uint64_t);
    uint64_t *numbers;
    kn_status status;

    if (!read_table(l, out, data, use)) {
        return false;
    }
    numbers = PyMem_Malloc(count ? count * sizeof *numbers : 1);
    if (!numbers) {
        (void)PyErr_NoMemory();
        return false;
    }
    memcpy(numbers, counts, count * sizeof *numbers);
    status = kn_dataset_set_counts(*out, numbers, count, &l->w.err);
    PyMem_Free(numbers);
    if (status != KN_OK) {
        (void)work_raise(&l->w, status);
    }
    return status == KN_OK;
}

/* A release of classes, and what was found when it was verified. */
typedef struct making {
    kn_guarantee *guarantees;
    size_t count;
    kn_params *params;
    kn_anonymize_options options;
    kn_release *release;
    kn_outcome outcome;
    kn_value_recoding *recoding;
    char *json, *verdict, *measures;
    asking asking; /* who counts the records, where they are not here */
} making;

static kn_status make(looking *l, making *m)
{
    const kn_run *run = &l->w.run;
    kn_error *err = &l->w.err;
    kn_status status = kn_job_guarantees(&m->guarantees, &m->count, l->job, err);

    if (status == KN_OK) {
        status = kn_job_settings(&l->w.run, l->job, err);
    }
    if (status == KN_OK) {
        status = kn_job_anonymize_options(&m->options, &m->params, l->job, m->guarantees, m->count,
                                          err);
    }
    if (m->asking.count) {
        m->options.rare = ask_python;
        m->options.rare_user = &m->asking;
    }
    if (status == KN_OK) {
        status = kn_anonymize(&m->release, l->table, l->hierarchies, &m->options, run, err);
    }
    if (status == KN_OK) {
        status = kn_release_verify(&m->outcome, m->release, run, err);
    }
    if (status == KN_OK) {
        status = kn_release_recoding(&m->recoding, m->release, err);
    }
    if (status == KN_OK) {
        status = kn_recoding_json(&m->json, m->recoding, err);
    }
    if (status == KN_OK) {
        status = kn_verdict_json(&m->verdict, m->outcome.verdict, m->guarantees, m->count, l->table,
                                 err);
    }
    if (status == KN_OK) {
        status = kn_measures_json(&m->measures, m->outcome.measures, err);
    }
    return status;
}

static void making_clear(making *m)
{
    kn_outcome_clear(&m->outcome);
    kn_release_free(m->release);
    kn_recoding_free(m->recoding);
    kn_params_free(m->params);
    kn_job_guarantees_free(m->guarantees);
    kn_string_free(m->json);
    kn_string_free(m->verdict);
    kn_string_free(m->measures);
}

/* The attempt of the certificates that held; 1 where nothing was sampled. */
static unsigned attempt_of(const kn_verdict *verdict)
{
    unsigned attempt = 1;

    for (size_t i = 0; i < kn_verdict_certificates(verdict); i++) {
        const kn_certificate *made = kn_verdict_certificate(verdict, i);
        attempt = made->attempt > attempt ? made->attempt : attempt;
    }
    return attempt;
}

PyObject *call_anonymize_classes(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *hierarchies, *progress, *asked, *result = NULL;
    const char *counts;
    Py_ssize_t bytes;
    looking l = {0};
    making m = {0};
    kn_status status;

    if (!PyArg_ParseTuple(args, "UOy#O!OO:anonymize_classes", &settings, &data, &counts, &bytes,
                          &PyList_Type, &hierarchies, &progress, &asked)) {
        return NULL;
    }
    m.asking = (asking){.w = &l.w, .count = asked == Py_None ? NULL : asked};
    work_init(&l.w, PyModule_GetState(module), progress);
    if (!read_job(&l.w, &l.job, settings) ||
        !read_classes(&l, &l.table, data, counts, bytes, KN_TABLE_ORIGINAL) ||
        !read_hierarchies(&l, hierarchies)) {
        goto done;
    }
    work_begin(&l.w);
    status = make(&l, &m);
    work_end(&l.w);
    if (status == KN_OK) {
        size_t kept;
        const uint32_t *origins = kn_release_origins(m.release, &kept);
        result = Py_BuildValue("{sssssssNsnsI}", "recoding", m.json, "verdict", m.verdict,
                               "measures", m.measures, "kept",
                               PyBytes_FromStringAndSize((const char *)origins,
                                                         (Py_ssize_t)(kept * sizeof *origins)),
                               "suppressed", (Py_ssize_t)kn_release_suppressed(m.release),
                               "attempt", attempt_of(m.outcome.verdict));
    } else {
        (void)work_raise(&l.w, status);
    }
done:
    making_clear(&m);
    looking_clear(&l);
    return result;
}

/* Values as a recoding publishes them: nothing is checked here. */
PyObject *call_recode_values(PyObject *module, PyObject *args)
{
    const module_state *state = PyModule_GetState(module);
    PyObject *settings, *json, *data, *result = NULL;
    kn_value_recoding *recoding = NULL;
    struct ArrowArrayStream published = {0};
    looking l = {0};
    kn_status status;

    if (!PyArg_ParseTuple(args, "UUO:recode_values", &settings, &json, &data)) {
        return NULL;
    }
    work_init(&l.w, state, Py_None);
    if (read_job(&l.w, &l.job, settings) && read_recoding(&l.w, &recoding, json) &&
        read_table(&l, &l.table, data, KN_TABLE_ORIGINAL)) {
        work_begin(&l.w);
        status = kn_recoding_apply(l.table, recoding, &l.w.err);
        if (status == KN_OK) {
            status = kn_dataset_to_arrow(&published, l.table, &l.w.run, &l.w.err);
        }
        work_end(&l.w);
        result = status == KN_OK ? table_new(state->table, &published) : work_raise(&l.w, status);
    }
    kn_recoding_free(recoding);
    looking_clear(&l);
    return result;
}

/* The guarantees of the job, with the number of the attempt that certificates are of. */
static kn_status check_guarantees(kn_guarantee **out, size_t *count, looking *l, unsigned attempt)
{
    const kn_status status = kn_job_guarantees(out, count, l->job, &l->w.err);

    for (size_t i = 0; status == KN_OK && i < *count; i++) {
        (*out)[i].attempt = attempt;
    }
    return status == KN_OK ? kn_job_settings(&l->w.run, l->job, &l->w.err) : status;
}

PyObject *call_check_classes(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *hierarchies, *original, *result = NULL;
    const char *counts, *original_counts;
    Py_ssize_t bytes, original_bytes;
    kn_guarantee *guarantees = NULL;
    kn_verdict *verdict = NULL;
    char *json = NULL;
    size_t count = 0;
    unsigned attempt;
    looking l = {0};
    kn_status status;

    if (!PyArg_ParseTuple(args, "UOy#O!Oy#I:check_classes", &settings, &data, &counts, &bytes,
                          &PyList_Type, &hierarchies, &original, &original_counts, &original_bytes,
                          &attempt)) {
        return NULL;
    }
    work_init(&l.w, PyModule_GetState(module), Py_None);
    if (!read_job(&l.w, &l.job, settings) ||
        !read_classes(&l, &l.table, data, counts, bytes, KN_TABLE_RELEASE) ||
        (original != Py_None && !read_classes(&l, &l.other, original, original_counts,
                                              original_bytes, KN_TABLE_ORIGINAL)) ||
        !read_hierarchies(&l, hierarchies)) {
        goto done;
    }
    work_begin(&l.w);
    status = check_guarantees(&guarantees, &count, &l, attempt);
    if (status == KN_OK) {
        status = kn_check_release(&verdict, l.table, l.other, guarantees, count, l.hierarchies,
                                  &l.w.run, &l.w.err);
    }
    if (status == KN_OK) {
        status = kn_verdict_json(&json, verdict, guarantees, count, l.table, &l.w.err);
    }
    work_end(&l.w);
    if (status == KN_OK) {
        result = Py_BuildValue("{sssKsn}", "verdict", json, "records",
                               (unsigned long long)kn_dataset_people(l.table), "classes",
                               (Py_ssize_t)kn_verdict_classes(verdict));
    } else {
        (void)work_raise(&l.w, status);
    }
done:
    kn_job_guarantees_free(guarantees);
    kn_verdict_free(verdict);
    kn_string_free(json);
    looking_clear(&l);
    return result;
}
