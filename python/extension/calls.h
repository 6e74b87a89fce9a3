/* calls.h - what the functions of the module share: settings, hierarchies and tables that a call is
 * given. */
#ifndef KN_PYTHON_CALLS_H
#define KN_PYTHON_CALLS_H

#include "work.h"

/** What is looked at: tables of a job, and its hierarchies. */
typedef struct looking {
    work w;
    kn_job *job;
    kn_dataset *table, *other;
    kn_hierarchies *hierarchies;
} looking;

void looking_clear(looking *l);

/** The job whose settings `json` has. These return false with an exception set. */
bool read_job(work *w, kn_job **out, PyObject *json);
/** The recoding that `json` is. */
bool read_recoding(work *w, kn_value_recoding **out, PyObject *json);
/** Read `data` as `use`. */
bool read_table(looking *l, kn_dataset **out, PyObject *data, kn_table_use use);
/** The hierarchies of the job, and those of `list`: tuples of a column and the bytes of a file. */
bool read_hierarchies(looking *l, PyObject *list);

/** A text of the library as one of Python; it is freed. NULL with an exception set. */
PyObject *take_string(char *text);

/* Tables of classes (classes.c), for engines that hold the rows. */

PyObject *call_roles(PyObject *module, PyObject *args);
PyObject *call_anonymize_classes(PyObject *module, PyObject *args);
PyObject *call_recode_values(PyObject *module, PyObject *args);
PyObject *call_check_classes(PyObject *module, PyObject *args);

#endif
