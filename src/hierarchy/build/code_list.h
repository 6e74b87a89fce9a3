/* hierarchy/build/code_list.h - a table of codes: code,label,group,... with a header. */
#ifndef KN_HIERARCHY_BUILD_CODE_LIST_H
#define KN_HIERARCHY_BUILD_CODE_LIST_H

#include "data/dict.h"
#include "base/buffer.h"

/** Zero it to start. */
typedef struct kn_code_list {
    char *bytes;    /* of the file; the texts of rows are in `text` */
    kn_dict *codes; /* code of the dictionary = row */
    kn_buffer text;
    size_t *cell;    /* by row and column, `columns` per row: where in `text`, NUL-terminated */
    size_t cell_cap; /* cells */
    size_t columns;  /* code included */
    bool merges;     /* some label stands for several codes */
} kn_code_list;

/** Read the table at `path`. The separator is `;`, `,` or tab, found by looking.
 *  @return KN_EINPUT, with file and line, for a code that is listed twice or empty, a row of
 * another length, or a table without labels. */
kn_status kn__code_list_read(kn_code_list *out, const char *path, kn_error *err);
void kn__code_list_clear(kn_code_list *list);
/** The row of `code`, or SIZE_MAX. A number is found without the zeros before it, too: 8 is 008. */
size_t kn__code_list_find(const kn_code_list *list, const char *code, size_t len);
/** Cell `column` of `row`; column 0 is the code, 1 its label. */
const char *kn__code_list_cell(const kn_code_list *list, size_t row, size_t column);

#endif
