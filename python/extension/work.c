/* work.c - one call of the library from Python. */
#include "work.h"

#include <string.h>
#include <time.h>

/* Python is asked at most so often: taking its lock may have to wait for other threads. */
static const double seconds_between = 0.05;

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void work_begin(work *w)
{
    w->outside = PyEval_SaveThread();
}

void work_end(work *w)
{
    PyEval_RestoreThread(w->outside);
    w->outside = NULL;
}

/* An exception that a signal handler or the callback raises stays set, and is what the call raises
 * in the end. */
static int on_progress(void *user, const char *phase, double done)
{
    work *w = user;
    const double at = now();
    bool stop;

    if (at - w->last < seconds_between) {
        return 0;
    }
    work_end(w);
    stop = PyErr_Occurred() || PyErr_CheckSignals() != 0;
    if (!stop && w->progress) {
        PyObject *answer = PyObject_CallFunction(w->progress, "sd", phase, done);
        stop = answer == NULL;
        Py_XDECREF(answer);
    }
    w->last = now();
    work_begin(w);
    return stop;
}

static PyObject *open_tuple(const kn_open_column *c)
{
    static const char *const kinds[] = {"role", "identifier", "unique"};

    return Py_BuildValue("(snsss)", c->named ? c->name : "", (Py_ssize_t)c->column, kinds[c->kind],
                         kn_role_name(c->suggested), c->reason ? c->reason : "");
}

static void on_open(void *user, const kn_open_column *columns, size_t count)
{
    work *w = user;
    PyObject *list;

    work_end(w);
    list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *tuple = open_tuple(&columns[i]);
        if (!tuple || PyList_Append(list, tuple) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(tuple);
    }
    Py_XDECREF(w->open);
    w->open = list; /* NULL: an exception is set, which the call raises */
    work_begin(w);
}

void work_init(work *w, const module_state *state, PyObject *progress)
{
    *w = (work){.state = state, .progress = progress == Py_None ? NULL : progress};
    w->run = (kn_run){KN_INIT(kn_run), .progress = on_progress, .user = w, .open = on_open,
                      .open_user = w};
}

/* The limit of memory is the process's: that of one call must not hold for the next. */
void work_clear(work *w)
{
    kn_memory_set_limit(0);
    Py_CLEAR(w->open);
}

PyObject *work_raise(work *w, kn_status status)
{
    PyObject *args;

    if (PyErr_Occurred()) {
        return NULL;
    }
    args = Py_BuildValue(
        "(isssNO)", (int)status, kn_error_code_name(w->err.code), w->err.column, w->err.parameter,
        PyUnicode_DecodeUTF8(w->err.message, (Py_ssize_t)strlen(w->err.message), "replace"),
        w->open ? w->open : Py_None);
    if (args) {
        PyErr_SetObject(w->state->failure, args);
        Py_DECREF(args);
    }
    return NULL;
}
