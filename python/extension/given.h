/* given.h - what calls are given: settings, hierarchies. */
#ifndef KN_PYTHON_GIVEN_H
#define KN_PYTHON_GIVEN_H

#include "work.h"

/** The job whose settings `json` has. False with an exception set, as all here. */
bool read_job(work *w, kn_job **out, PyObject *json);
/** Add the hierarchies of `list`: tuples of a column and the bytes of a file. */
bool add_hierarchies(work *w, kn_hierarchies *hs, PyObject *list);
/** A string of the library, which is freed, as one of Python. */
PyObject *take_string(char *text);

#endif
