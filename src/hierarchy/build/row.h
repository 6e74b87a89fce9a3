/* hierarchy/build/row.h - one row of a hierarchy under construction, from the value to the root. */
#ifndef KN_HIERARCHY_BUILD_ROW_H
#define KN_HIERARCHY_BUILD_ROW_H

#include "hierarchy/hierarchy.h"

/** Zero it to start. Labels are in one buffer, since that may move while they are added: append to
 * `text`, then end the label with kn__build_row_mark. */
typedef struct kn_build_row {
    kn_buffer text;
    size_t *end;
    kn_text *label;
    size_t count, end_cap, label_cap;
} kn_build_row;

void kn__build_row_clear(kn_build_row *r);
/** End a label: the bytes added to `text` since the last one. */
void kn__build_row_mark(kn_build_row *r);
/** Append a whole label. */
void kn__build_row_add(kn_build_row *r, const char *text, size_t len);
/** Add the row to `m`, closed with the root `*`, and start the next. */
kn_status kn__build_row_flush(kn_build_row *r, kn_hierarchy_builder *m, kn_error *err);

#endif
