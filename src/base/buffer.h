/* base/buffer.h - a growing string. Failures stick: append freely, look at `failed` once, at the
 * end. */
#ifndef KN_BASE_BUFFER_H
#define KN_BASE_BUFFER_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>

/** A text that is borrowed; it need not end with NUL. */
typedef struct kn_text {
    const char *at;
    size_t len;
} kn_text;

/** Zero-initialise to start. `data` is NUL-terminated once anything was added. */
typedef struct kn_buffer {
    char *data;
    size_t len, cap;
    bool failed;
} kn_buffer;

void kn__buffer_add(kn_buffer *b, const void *bytes, size_t len);
void kn__buffer_adds(kn_buffer *b, const char *text);
void kn__buffer_addc(kn_buffer *b, char c);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void kn__buffer_addf(kn_buffer *b, const char *format, ...);
/** Hand the string over in `*out` (free with kn__free) and reset `b`; KN_ENOMEM if anything had
 * failed. */
kn_status kn__buffer_take(kn_buffer *b, char **out, kn_error *err);
void kn__buffer_free(kn_buffer *b);

#endif
