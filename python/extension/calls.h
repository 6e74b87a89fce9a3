/* calls.h - what the functions of the module share: settings, hierarchies and tables that a call is
 * given. */
#ifndef KN_PYTHON_CALLS_H
#define KN_PYTHON_CALLS_H

#include "given.h"

/** What is looked at: tables of a job, and its hierarchies. */
typedef struct looking {
    work w;
    kn_job *job;
    kn_dataset *table, *other;
    kn_hierarchies *hierarchies;
} looking;

void looking_clear(looking *l);

/** The recoding that `json` is. These return false with an exception set. */
bool read_recoding(work *w, kn_value_recoding **out, PyObject *json);
/** Read `data` as `use`. */
bool read_table(looking *l, kn_dataset **out, PyObject *data, kn_table_use use);
/** The hierarchies of the job, and those of `list`: tuples of a column and the bytes of a file. */
bool read_hierarchies(looking *l, PyObject *list);

/* Tables of classes (classes.c), for engines that hold the rows. */

PyObject *call_roles(PyObject *module, PyObject *args);
PyObject *call_anonymize_classes(PyObject *module, PyObject *args);
PyObject *call_recode_values(PyObject *module, PyObject *args);
PyObject *call_check_classes(PyObject *module, PyObject *args);

/* Counts of slices (partial.c), for item lists that no process holds together. */

PyObject *call_dictionary(PyObject *module, PyObject *args);
PyObject *call_count_parts(PyObject *module, PyObject *args);
PyObject *call_merge_part(PyObject *module, PyObject *args);
PyObject *call_finish_parts(PyObject *module, PyObject *args);
PyObject *call_rare_parts(PyObject *module, PyObject *args);

/* Questions of apriori about such lists (counted.c). */

typedef struct asking {
    work *w;
    PyObject *count; /* called with the items, what each would become, k and m */
} asking;
/** A kn_rare_fn; `user` is an asking. */
kn_status ask_python(void *user, const kn_naming *naming, kn_rare_names *found, kn_error *err);

#endif
