/* base/json.h - JSON documents, in memory that jansson takes from malloc (decision 0009). */
#ifndef KN_BASE_JSON_H
#define KN_BASE_JSON_H

#include "kanon/error.h"
#include <jansson.h>
#include <stdbool.h>

/** Parse a document; `*out` is to be released with json_decref. Objects that have a key twice are
 * refused. jansson reports some failed allocations as wrong syntax, and leaves bytes out of a text
 * after others; these are KN_ENOMEM (documents above 64 KiB: if they lead to an error).
 *  @return KN_ENOMEM with `err` set, or KN_EINPUT: then `where` says what is wrong, and `err` is
 * the caller's to set. */
kn_status kn__json_parse(json_t **out, const char *bytes, size_t len, json_error_t *where,
                         kn_error *err);

/** `root` as text, to be freed with free; NULL: out of memory. json_dumps leaves names of members
 * and ends of words out of the text where it gets no memory for them, and says nothing. */
char *kn__json_dump(const json_t *root, size_t flags);

/** A number: whole ones as integers, null for one that is not finite. NULL: out of memory. */
json_t *kn__json_of_number(double x);
/** Put a member into `object`; false: out of memory. A text of NULL becomes null. */
bool kn__json_put_number(json_t *object, const char *key, double x);
bool kn__json_put_text(json_t *object, const char *key, const char *text);

#endif
