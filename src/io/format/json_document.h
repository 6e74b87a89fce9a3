/* io/format/json_document.h - one JSON object as a document. */
#ifndef KN_IO_FORMAT_JSON_DOCUMENT_H
#define KN_IO_FORMAT_JSON_DOCUMENT_H

#include "io/format/document.h"

/** Parse `text`, one object and nothing else, into `d` (zeroed; free it in any case).
 *  @return KN_EINPUT with line and character. */
kn_status kn__json_document(kn_document *d, const char *text, size_t len, kn_error *err);

#endif
