/* models.h - calls about models: mine one that is judged before it is written, ask one. */
#ifndef KN_PYTHON_MODELS_H
#define KN_PYTHON_MODELS_H

#include "limited.h"

PyObject *mine(PyObject *module, PyObject *args);
PyObject *apply(PyObject *module, PyObject *args);

#endif
