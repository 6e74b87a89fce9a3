/* base/name_list.h - names separated by commas, as options take them: `age, sex,"name, first"`. A
 * name may stand in double quotes, in which a quote is written twice, as in CSV. */
#ifndef KN_BASE_NAME_LIST_H
#define KN_BASE_NAME_LIST_H

#include "base/buffer.h"

/** Cut the first name off the list at `*rest`, in place: without the spaces around it, and without
 *  its quotes. Quotes that do not close before a comma or the end are part of the name. `*rest` is
 *  behind its comma then, or NULL at the end. */
char *kn__name_list_cut(char **rest);
/** Append `name` as an element of such a list: in quotes where it needs them. */
void kn__name_list_add(kn_buffer *b, const char *name);

#endif
