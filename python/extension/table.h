/* table.h - a table in memory, as Arrow arrays that can be handed out any number of times. */
#ifndef KN_PYTHON_TABLE_H
#define KN_PYTHON_TABLE_H

#include "limited.h"

#include <kanon/arrow.h>

/** Take the stream that `data.__arrow_c_stream__()` gives. False with an exception set. */
bool stream_of(struct ArrowArrayStream *out, PyObject *data);

/** A Table of all batches of `stream`, which is released in any case. */
PyObject *table_new(PyObject *type, struct ArrowArrayStream *stream);

extern PyType_Spec table_spec;

#endif
