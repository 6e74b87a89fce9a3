/* limited.h - Python's limited API, of CPython 3.10: one extension for all later versions. */
#ifndef KN_PYTHON_LIMITED_H
#define KN_PYTHON_LIMITED_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>
#include <stdbool.h>
#include <stddef.h>

#endif
