/* io/format/json_text.h - flat JSON records as text: where the values stand, without changing them.
 * Numbers keep the digits that were written, which no parser into doubles would do. */
#ifndef KN_IO_FORMAT_JSON_TEXT_H
#define KN_IO_FORMAT_JSON_TEXT_H

#include "base/buffer.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum kn_json_kind {
    KN_JSON_ABSENT = 0,
    KN_JSON_STRING,
    KN_JSON_NUMBER,
    KN_JSON_BOOLEAN,
    KN_JSON_NULL,
    KN_JSON_LIST
} kn_json_kind;

/** A value, as written: text[begin..end). */
typedef struct kn_json_span {
    kn_json_kind kind;
    size_t begin, end;
} kn_json_span;

typedef struct kn_json {
    const char *text;
    size_t at, end;
    const char *wrong; /**< what is wrong at `at`, once something is */
} kn_json;

/** Enter the object at `j->at`; false when there is none. */
bool kn__json_open(kn_json *j);
/** The next pair of the object. `*more` is false after the last, and then nothing but blanks
 * follows. */
bool kn__json_pair(kn_json *j, bool first, bool *more, kn_json_span *key, kn_json_span *value);
/** The next element of a list whose span begins at `*at`. To start, `*at` is the list's begin.
 * False at its end. */
bool kn__json_element(const char *text, size_t *at, kn_json_span *element);
/** The text that a string, number or boolean means: borrowed from `text`, or from `scratch` if it
 * holds escapes. NULL when `scratch` failed. */
const char *kn__json_value(const char *text, const kn_json_span *span, kn_buffer *scratch,
                           size_t *len);

/** The string, number, word or null at `j->at`. */
bool kn__json_scalar(kn_json *j, kn_json_span *span);
/** Whether all of `text` is a number as JSON writes it. */
bool kn__json_is_number(const char *text, size_t len);
/** Append `text` as a JSON string. */
void kn__json_quote(kn_buffer *out, const char *text, size_t len);

#endif
