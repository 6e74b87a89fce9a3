/* arrow_texts.c - coded columns as plain Arrow texts. */
#include "io/format/arrow_texts.h"
#include "base/memory.h"

#include <string.h>

/* The text of code number `i`; a missing value has none. */
static const char *text_at(const kn_column *c, size_t i, size_t *len)
{
    const uint32_t code = kn__column_code(c, i);

    *len = 0;
    return code == c->missing ? "" : kn__column_text(c, code, len);
}

static uint64_t text_bytes(const kn_column *c, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        size_t len;
        (void)text_at(c, i, &len);
        bytes += len;
    }
    return bytes;
}

static uint64_t dictionary_bytes(const kn_column *c)
{
    return c->dict->len ? c->dict->ends[c->dict->len - 1] : 0;
}

bool kn__arrow_texts_fit(const kn_arrow_type *t, const kn_column *c, size_t count)
{
    if (t->kind == KN_ARROW_TEXT_VIEW) {
        return dictionary_bytes(c) <= INT32_MAX;
    }
    return t->width != 4 || text_bytes(c, count) <= INT32_MAX;
}

void *kn__arrow_make_offsets(const kn_column *c, size_t count, size_t width)
{
    unsigned char *offsets = kn__malloc_array(count + 1, width);
    uint64_t at = 0;

    for (size_t i = 0; offsets && i <= count; i++) {
        const uint32_t narrow = (uint32_t)at;
        size_t len = 0;
        memcpy(offsets + i * width, width == 4 ? (const void *)&narrow : (const void *)&at, width);
        if (i < count) {
            (void)text_at(c, i, &len);
        }
        at += len;
    }
    return offsets;
}

void *kn__arrow_make_bytes(const kn_column *c, size_t count)
{
    char *bytes = kn__malloc_array(text_bytes(c, count) + 1, 1);
    size_t at = 0;

    for (size_t i = 0; bytes && i < count; i++) {
        size_t len;
        const char *text = text_at(c, i, &len);
        memcpy(bytes + at, text, len);
        at += len;
    }
    return bytes;
}

/* The length of a text, then itself where it has up to 12 bytes; else its first 4 bytes, the number
 * of the buffer that holds it (0) and its place there. */
static void put_view(unsigned char view[16], const char *text, size_t len, size_t begin)
{
    const uint32_t length = (uint32_t)len, place = (uint32_t)begin;

    memcpy(view, &length, 4);
    if (len <= 12) {
        memcpy(view + 4, text, len);
    } else {
        memcpy(view + 4, text, 4);
        memcpy(view + 12, &place, 4);
    }
}

void *kn__arrow_make_views(const kn_column *c, const kn_arrow_used *used, size_t count)
{
    unsigned char *views = kn__zalloc_array(count + 1, 16);

    for (size_t i = 0; views && i < count; i++) {
        const uint32_t code = kn__column_code(c, i);
        size_t len;
        const char *text = text_at(c, i, &len);
        put_view(views + i * 16, text, len,
                 code == c->missing ? 0 : kn__arrow_used_begin(used, c, code));
    }
    return views;
}

void *kn__arrow_make_view_sizes(const kn_column *c, const kn_arrow_used *used)
{
    int64_t *size = kn__malloc_array(1, sizeof *size);

    if (size) {
        *size = used->values ? (int64_t)kn__arrow_used_ends(used, c)[used->values - 1] : 0;
    }
    return size;
}
