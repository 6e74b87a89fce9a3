/* io/bytes/decode.h - text in other encodings, made UTF-8 while it is read. */
#ifndef KN_IO_BYTES_DECODE_H
#define KN_IO_BYTES_DECODE_H

#include "base/buffer.h"
#include "kanon/io.h"

/** What is left of a piece: the bytes of a character that goes on in the next one. */
typedef struct kn_decoder {
    kn_encoding from; /* KN_ENCODING_UTF8: nothing is to do */
    bool big_endian;  /* UTF-16 */
    bool begun;       /* the byte order mark was seen, or there is none */
    unsigned char held[3];
    size_t held_count;
} kn_decoder;

/** Append `len` bytes of the file as UTF-8. Half a character of UTF-16 becomes
 * bytes that are not UTF-8. */
void kn__decode(kn_decoder *d, kn_buffer *out, const char *bytes, size_t len);
/** The same at the end of the file: an unfinished character becomes such bytes. */
void kn__decode_end(kn_decoder *d, kn_buffer *out);

/** How a file is encoded that begins with `text` (`whole`: there is no more): UTF-16 by its byte
 * order mark; Latin-1 when bytes above 127 are those of letters and no two or more of them are a
 * character of UTF-8; else UTF-8. */
kn_encoding kn__encoding_of(const char *text, size_t len, bool whole);

#endif
