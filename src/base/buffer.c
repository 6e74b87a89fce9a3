/* buffer.c - a growing string. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool reserve(kn_buffer *b, size_t more)
{
    if (more < b->cap - b->len && !b->failed) { /* and a NUL */
        return true;
    }
    if (b->failed || kn__grow(&b->data, &b->cap, b->len + more + 1, 1, NULL) != KN_OK) {
        b->failed = true;
    }
    return !b->failed;
}

void kn__buffer_add(kn_buffer *b, const void *bytes, size_t len)
{
    if (!reserve(b, len)) {
        return;
    }
    if (len) {
        memcpy(b->data + b->len, bytes, len);
    }
    b->len += len;
    b->data[b->len] = '\0';
}

void kn__buffer_adds(kn_buffer *b, const char *text)
{
    kn__buffer_add(b, text, strlen(text));
}

void kn__buffer_addc(kn_buffer *b, char c)
{
    kn__buffer_add(b, &c, 1);
}

void kn__buffer_addf(kn_buffer *b, const char *format, ...)
{
    va_list args;
    int need;

    va_start(args, format);
    need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0 || !reserve(b, (size_t)need)) {
        b->failed = true;
        return;
    }
    va_start(args, format);
    (void)vsnprintf(b->data + b->len, (size_t)need + 1, format, args);
    va_end(args);
    b->len += (size_t)need;
}

kn_status kn__buffer_take(kn_buffer *b, char **out, kn_error *err)
{
    *out = NULL;
    kn__buffer_add(b, "", 0);
    if (b->failed) {
        kn__buffer_free(b);
        return kn__nomem(err);
    }
    *out = b->data;
    *b = (kn_buffer){0};
    return KN_OK;
}

void kn__buffer_free(kn_buffer *b)
{
    kn__free(b->data);
    *b = (kn_buffer){0};
}
