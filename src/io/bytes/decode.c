/* decode.c - Windows-1252 (Latin-1 is a part of it) and UTF-16 as UTF-8. */
#include "io/bytes/decode.h"
#include "data/value.h"

#include <string.h>

/* The characters of bytes 0x80 to 0x9F in Windows-1252; where it has none, those of Latin-1. */
static const uint16_t windows[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

/* A lone surrogate, written as if it were a character. UTF-8 has no surrogates, so the check of the
 * text refuses it where it stands. */
enum { HALF = 0xDFFF };

static void put(kn_buffer *out, uint32_t c)
{
    if (c < 0x80) {
        kn__buffer_addc(out, (char)c);
    } else if (c < 0x800) {
        kn__buffer_addc(out, (char)(0xC0 | c >> 6));
        kn__buffer_addc(out, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        kn__buffer_addc(out, (char)(0xE0 | c >> 12));
        kn__buffer_addc(out, (char)(0x80 | (c >> 6 & 0x3F)));
        kn__buffer_addc(out, (char)(0x80 | (c & 0x3F)));
    } else {
        kn__buffer_addc(out, (char)(0xF0 | c >> 18));
        kn__buffer_addc(out, (char)(0x80 | (c >> 12 & 0x3F)));
        kn__buffer_addc(out, (char)(0x80 | (c >> 6 & 0x3F)));
        kn__buffer_addc(out, (char)(0x80 | (c & 0x3F)));
    }
}

static void decode_latin(kn_buffer *out, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        put(out, byte >= 0x80 && byte < 0xA0 ? windows[byte - 0x80] : byte);
    }
}

static uint32_t unit_at(const kn_decoder *d, const unsigned char *p)
{
    return d->big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

/* Two bytes are a unit, one or two units a character. held: a byte, or the first of two units, or
 * both. */
static void decode_utf16_byte(kn_decoder *d, kn_buffer *out, unsigned char byte)
{
    uint32_t first, second;

    if (d->held_count == 3) {
        const unsigned char last[2] = {d->held[2], byte};
        first = unit_at(d, d->held);
        second = unit_at(d, last);
        d->held_count = 0;
        if (second >= 0xDC00 && second < 0xE000) {
            put(out, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        } else {
            put(out, first);
            decode_utf16_byte(d, out, last[0]);
            decode_utf16_byte(d, out, last[1]);
        }
        return;
    }
    d->held[d->held_count++] = byte;
    if (d->held_count != 2) {
        return;
    }
    if (!d->begun) {
        d->begun = true;
        d->big_endian = d->held[0] == 0xFE && d->held[1] == 0xFF;
    }
    first = unit_at(d, d->held);
    if (first >= 0xD800 && first < 0xDC00) {
        return; /* the other half follows */
    }
    d->held_count = 0;
    put(out, first);
}

void kn__decode(kn_decoder *d, kn_buffer *out, const char *bytes, size_t len)
{
    switch (d->from) {
    case KN_ENCODING_LATIN1: decode_latin(out, bytes, len); break;
    case KN_ENCODING_UTF16:
        for (size_t i = 0; i < len; i++) {
            decode_utf16_byte(d, out, (unsigned char)bytes[i]);
        }
        break;
    case KN_ENCODING_AUTO:
    case KN_ENCODING_UTF8: kn__buffer_add(out, bytes, len); break;
    }
}

void kn__decode_end(kn_decoder *d, kn_buffer *out)
{
    if (d->held_count) {
        put(out, HALF);
        d->held_count = 0;
    }
}

/* Whether a byte that is not UTF-8 is likely to be a letter or sign of Windows-1252. */
static bool is_latin(unsigned char byte)
{
    return byte != 0xFF && (byte >= 0xA0 || windows[byte - 0x80] >= 0x100);
}

kn_encoding kn__encoding_of(const char *text, size_t len, bool whole)
{
    bool latin = false;

    if (len >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        return KN_ENCODING_UTF16;
    }
    for (size_t i = 0; i < len; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const size_t more = kn__utf8_more(byte);
        if (byte == 0) {
            return KN_ENCODING_UTF8; /* no text */
        }
        if (byte < 0x80) {
            continue;
        }
        if (more && i + more >= len && !whole) {
            break; /* the rest is not here */
        }
        if (more && i + more < len && kn__utf8_valid(text + i, more + 1, NULL)) {
            return KN_ENCODING_UTF8;
        }
        if (!is_latin(byte)) {
            return KN_ENCODING_UTF8;
        }
        latin = true;
    }
    return latin ? KN_ENCODING_LATIN1 : KN_ENCODING_UTF8;
}
