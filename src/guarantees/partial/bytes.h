/* guarantees/partial/bytes.h - numbers and texts as bytes that are the same on every machine, and
 * reading them from bytes that may be anything.
 *
 * Invariant of a reader: it never reads behind the end. When something is lacking, `short_of` is
 * set and stays, and everything read from then on is 0 or empty. */
#ifndef KN_GUARANTEES_PARTIAL_BYTES_H
#define KN_GUARANTEES_PARTIAL_BYTES_H

#include "base/buffer.h"
#include "base/error.h"
#include "count/partial_inside.h"

typedef struct kn_byte_reader {
    const unsigned char *at;
    size_t left;
    bool short_of;
} kn_byte_reader;

/** The `len` low bytes of `value`, lowest first. */
static inline void kn__put(kn_buffer *b, uint64_t value, unsigned len)
{
    for (unsigned i = 0; i < len; i++) {
        kn__buffer_addc(b, (char)(value >> (8 * i)));
    }
}

static inline uint64_t kn__take(kn_byte_reader *r, unsigned len)
{
    uint64_t value = 0;

    if (r->left < len) {
        r->short_of = true;
        r->left = 0;
        return 0;
    }
    for (unsigned i = 0; i < len; i++) {
        value |= (uint64_t)r->at[i] << (8 * i);
    }
    r->at += len;
    r->left -= len;
    return value;
}

static inline void kn__put_text(kn_buffer *b, const char *text, size_t len)
{
    kn__put(b, len, 4);
    kn__buffer_add(b, text, len);
}

/** A text, borrowed from the bytes. */
static inline kn_text kn__take_text(kn_byte_reader *r)
{
    const size_t len = (size_t)kn__take(r, 4);
    kn_text text = {(const char *)r->at, len};

    if (len > r->left) {
        r->short_of = true;
        r->left = 0;
        return (kn_text){"", 0};
    }
    r->at += len;
    r->left -= len;
    return text;
}

/** Put the checksum behind what was written, and give the bytes. */
static inline kn_status kn__put_end(kn_buffer *b, unsigned char **out, size_t *len, kn_error *err)
{
    char *bytes = NULL;
    kn_status status;

    if (!b->failed) {
        kn__put(b, kn__partial_checksum(b->data, b->len), 8);
    }
    *len = b->len;
    status = kn__buffer_take(b, &bytes, err);
    *out = (unsigned char *)bytes;
    if (status != KN_OK) {
        *len = 0;
    }
    return status;
}

/** A reader of what lies between `magic` (8 bytes) and the checksum.
 *  @return KN_EINPUT when one of them is another. */
static inline kn_status kn__take_begin(kn_byte_reader *r, const char *magic, const char *what,
                                       const unsigned char *bytes, size_t len, kn_error *err)
{
    kn_byte_reader sum;

    if (len < 16 || memcmp(bytes, magic, 8) != 0) {
        return kn__fail(err, KN_EINPUT, "these bytes are no %s: they do not begin like one", what);
    }
    sum = (kn_byte_reader){bytes + len - 8, 8, false};
    if (kn__partial_checksum((const char *)bytes, len - 8) != kn__take(&sum, 8)) {
        return kn__fail(
            err, KN_EINPUT,
            "these bytes are no %s: the checksum is another, so they were cut or changed", what);
    }
    *r = (kn_byte_reader){bytes + 8, len - 16, false};
    return KN_OK;
}

#endif
