/* choose.c - calls that help to choose: a plan of a table, and a job for many values. */
#include "choose.h"
#include "given.h"
#include "table.h"

#include <string.h>

/* ---- plans ---- */

typedef struct opening {
    work *w;
    PyObject *data;
} opening;

/* The plan asks for the table while other threads of Python run. */
static kn_status open_table(void *user, struct ArrowArrayStream *out, kn_error *err)
{
    const opening *o = user;
    bool done;

    (void)err; /* the exception is what the call raises */
    work_end(o->w);
    done = stream_of(out, o->data);
    work_begin(o->w);
    return done ? KN_OK : KN_EINPUT;
}

/* Append what is new, which may be NULL, to `list`; false with an exception set. */
static bool append(PyObject *list, PyObject *new)
{
    const bool done = new &&PyList_Append(list, new) == 0;

    Py_XDECREF(new);
    return done;
}

static PyObject *column_dict(const kn_plan_column *c)
{
    const bool wanted = c->role == KN_ROLE_QUASI && c->hierarchy.wanted;

    return Py_BuildValue("{sssssssssOsnszsO}", "name", c->name, "type", kn_type_name(c->type),
                         "role", kn_role_name(c->role), "reason", c->reason, "doubtful",
                         c->doubtful ? Py_True : Py_False, "values", (Py_ssize_t)c->values,
                         "hierarchy", wanted ? c->hierarchy.words : NULL, "fan_out",
                         c->role == KN_ROLE_QUASI && c->hierarchy.doubtful ? Py_True : Py_False);
}

/* The plan as a dict: what the files do not say. */
static PyObject *plan_dict(const kn_plan *made)
{
    const kn_plan_column *person = kn_plan_column_at(made, kn_plan_group_by(made));
    PyObject *columns = PyList_New(0), *notes = PyList_New(0);
    bool done = columns && notes;
    const char *note;

    for (size_t i = 0; done && i < kn_plan_columns(made); i++) {
        done = append(columns, column_dict(kn_plan_column_at(made, i)));
    }
    for (size_t i = 0; done && (note = kn_plan_note(made, i)); i++) {
        done = append(notes, PyUnicode_FromString(note));
    }
    if (!done) {
        Py_XDECREF(columns);
        Py_XDECREF(notes);
        return NULL;
    }
    return Py_BuildValue("{snsNsNsz}", "records", (Py_ssize_t)kn_plan_records(made), "columns",
                         columns, "notes", notes, "group_by", person ? person->name : NULL);
}

static kn_status make_plan(work *w, kn_plan **out, const kn_job *job, const char *path,
                           opening *from)
{
    return path ? kn_plan_make(out, job, path, &w->run, &w->err)
                : kn_plan_make_data(out, job, open_table, from, &w->run, &w->err);
}

PyObject *plan(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *progress, *result = NULL;
    const char *path, *folder;
    kn_job *job = NULL;
    kn_plan *made = NULL;
    kn_status status;
    work w;
    opening from;

    if (!PyArg_ParseTuple(args, "UzOsO:plan", &settings, &path, &data, &folder, &progress)) {
        return NULL;
    }
    work_init(&w, PyModule_GetState(module), progress);
    from = (opening){.w = &w, .data = data};
    if (read_job(&w, &job, settings)) {
        work_begin(&w);
        status = make_plan(&w, &made, job, path, &from);
        if (status == KN_OK) {
            status = kn_plan_write(made, folder, &w.err);
        }
        work_end(&w);
        result = status == KN_OK ? plan_dict(made) : work_raise(&w, status);
    }
    kn_plan_free(made);
    kn_job_free(job);
    work_clear(&w);
    return result;
}

/* ---- sweeps ---- */

static void free_sweep(PyObject *capsule)
{
    kn_sweep_free(PyCapsule_GetPointer(capsule, "kanon_sweep"));
}

PyObject *sweep(PyObject *module, PyObject *args)
{
    PyObject *settings, *data, *hierarchies, *progress, *result = NULL;
    struct ArrowArrayStream table = {0};
    kn_job_data given = {KN_INIT(kn_job_data), .table = &table};
    kn_job *job = NULL;
    kn_sweep *made = NULL;
    kn_status status;
    work w;

    if (!PyArg_ParseTuple(args, "UOO!O:sweep", &settings, &data, &PyList_Type, &hierarchies,
                          &progress)) {
        return NULL;
    }
    work_init(&w, PyModule_GetState(module), progress);
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
    status = kn_sweep_run_data(&made, job, &given, &w.run, &w.err);
    work_end(&w);
    given.hierarchies = NULL; /* taken */
    if (status != KN_OK) {
        kn_sweep_free(made);
        (void)work_raise(&w, status);
        goto done;
    }
    result = PyCapsule_New(made, "kanon_sweep", free_sweep);
    if (!result) {
        kn_sweep_free(made);
    }
done:
    kn_hierarchies_free(given.hierarchies);
    kn_job_free(job);
    work_clear(&w);
    return result;
}
