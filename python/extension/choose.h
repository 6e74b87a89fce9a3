/* choose.h - calls that help to choose: a plan of a table, and a job for many values. */
#ifndef KN_PYTHON_CHOOSE_H
#define KN_PYTHON_CHOOSE_H

#include "limited.h"

PyObject *plan(PyObject *module, PyObject *args);
PyObject *sweep(PyObject *module, PyObject *args);

#endif
