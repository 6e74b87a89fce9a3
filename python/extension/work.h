/* work.h - one call of the library from Python: without the lock that holds other threads back,
 * with progress, and with errors as exceptions. */
#ifndef KN_PYTHON_WORK_H
#define KN_PYTHON_WORK_H

#include "limited.h"

#include <kanon.h>

typedef struct module_state {
    PyObject *failure; /* the exception: (status, code, column, parameter, message, open columns) */
    PyObject *table;   /* the type */
} module_state;

typedef struct work {
    const module_state *state;
    kn_run run;
    kn_error err;
    PyObject *progress;     /* called with a phase and the share that is done; NULL: nothing is */
    PyObject *open;         /* columns with open decisions, as a list of tuples; NULL: none */
    PyThreadState *outside; /* while the library works */
    double last;            /* when Python was last asked whether to go on */
} work;

/** Make ready for a call. `progress` is None or a callable, and is borrowed. */
void work_init(work *w, const module_state *state, PyObject *progress);
void work_clear(work *w);

/** Let other threads of Python run while the library works; and come back. */
void work_begin(work *w);
void work_end(work *w);

/** Set the exception that `status` stands for, unless the progress callback or a signal has set
 * one. Always NULL. */
PyObject *work_raise(work *w, kn_status status);

#endif
