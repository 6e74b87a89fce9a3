/* arrow_take.c - copy chosen cells of Arrow columns of any layout.
 *
 * Only what the chosen cells hold is copied: bytes of other texts, elements of other lists and
 * values of dictionaries that are not used stay behind, as records that are not published may hold
 * them. */
#include "base/error.h"
#include "base/memory.h"
#include "io/format/arrow_nested.h"
#include "io/format/arrow_own.h"

#include <string.h>

typedef struct taking {
    const struct ArrowSchema *type;
    kn_arrow_layout layout;
    const struct ArrowArray *const *parts;
    size_t parts_count;
    const kn_arrow_place *place;
    size_t count;
    struct ArrowSchema *s;
    struct ArrowArray *a;
    kn_arrow_owned *o;
} taking;

static const kn_arrow_place element_mask = (UINT64_C(1) << KN_ARROW_PLACE_BITS) - 1;

/* The array and the element of cell `i`; false: it is null. */
static inline bool find(const taking *t, size_t i, const struct ArrowArray **part, size_t *at)
{
    const kn_arrow_place p = t->place[i];

    if (p == KN_ARROW_NO_PLACE) {
        return false;
    }
    *part = t->parts[p >> KN_ARROW_PLACE_BITS];
    *at = (size_t)(p & element_mask);
    return kn__arrow_element_valid(t->layout, *part, *at);
}

static inline kn_arrow_place place_of(kn_arrow_place sibling, size_t at)
{
    return (sibling & ~element_mask) | at;
}

static kn_status add_validity(taking *t, kn_error *err)
{
    uint8_t *bits = kn__zalloc_array(t->count / 8 + 1, 1);
    const struct ArrowArray *part;
    size_t at;

    KN_PASS(bits ? KN_OK : kn__nomem(err));
    t->a->null_count = 0;
    for (size_t i = 0; i < t->count; i++) {
        const bool valid = find(t, i, &part, &at);
        bits[i / 8] = (uint8_t)(bits[i / 8] | valid << (i % 8));
        t->a->null_count += !valid;
    }
    if (t->a->null_count == 0) {
        kn__free(bits);
        return KN_OK;
    }
    t->s->flags |= ARROW_FLAG_NULLABLE;
    (void)kn__arrow_own(t->o, 0, bits);
    return KN_OK;
}

/* ---- values of fixed width ---- */

static kn_status take_bits(taking *t, kn_error *err)
{
    uint8_t *out = kn__zalloc_array(t->count / 8 + 1, 1);
    const struct ArrowArray *part;
    size_t at;

    if (!kn__arrow_own(t->o, 1, out)) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < t->count; i++) {
        if (find(t, i, &part, &at)) {
            const uint8_t *from = part->buffers[1];
            at += (size_t)part->offset;
            out[i / 8] = (uint8_t)(out[i / 8] | (from[at / 8] >> (at % 8) & 1) << (i % 8));
        }
    }
    return KN_OK;
}

static inline void copy_fixed(const taking *t, unsigned char *out, size_t width)
{
    const struct ArrowArray *part;
    size_t at;

    for (size_t i = 0; i < t->count; i++) {
        if (find(t, i, &part, &at)) {
            memcpy(out + i * width,
                   (const unsigned char *)part->buffers[1] + ((size_t)part->offset + at) * width,
                   width);
        }
    }
}

static kn_status take_fixed(taking *t, kn_error *err)
{
    unsigned char *out = kn__zalloc_array(t->count + 1, t->layout.width);

    if (!kn__arrow_own(t->o, 1, out)) {
        return kn__nomem(err);
    }
    switch (t->layout.width) { /* constants, so that each is a plain loop */
    case 1: copy_fixed(t, out, 1); break;
    case 2: copy_fixed(t, out, 2); break;
    case 4: copy_fixed(t, out, 4); break;
    case 8: copy_fixed(t, out, 8); break;
    default: copy_fixed(t, out, t->layout.width);
    }
    return KN_OK;
}

/* ---- texts and binary values ---- */

/* Change the format where 32-bit offsets have no room for `total`. */
static kn_status widen(taking *t, size_t total, kn_error *err)
{
    static const char *const wider[][2] = {{"u", "U"}, {"z", "Z"}, {"+l", "+L"}};

    if (t->layout.width == 8 || total <= INT32_MAX) {
        return KN_OK;
    }
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        if (strcmp(t->type->format, wider[i][0]) == 0) {
            char *format;
            memcpy(&format, &t->s->format, sizeof format);
            memcpy(format, wider[i][1], strlen(wider[i][1]));
            return KN_OK;
        }
    }
    return kn__fail(err, KN_EINPUT, "column '%.100s': its maps hold more than 2^31 elements",
                    t->type->name ? t->type->name : "");
}

static void set_offset(void *offsets, bool large, size_t i, size_t value)
{
    if (large) {
        ((int64_t *)offsets)[i] = (int64_t)value;
    } else {
        ((int32_t *)offsets)[i] = (int32_t)value;
    }
}

static kn_text bytes_of(const taking *t, size_t i)
{
    const struct ArrowArray *part;
    kn_text text = {.at = ""};
    size_t at;

    if (find(t, i, &part, &at)) {
        (void)kn__arrow_bytes_at(t->layout, part, at, &text);
    }
    return text;
}

static kn_status take_bytes(taking *t, kn_error *err)
{
    size_t total = 0, at = 0;
    bool large;
    void *offsets;
    char *bytes;

    for (size_t i = 0; i < t->count; i++) {
        total += bytes_of(t, i).len;
    }
    KN_PASS(widen(t, total, err));
    large = t->layout.width == 8 || total > INT32_MAX;
    offsets = kn__malloc_array(t->count + 1, large ? 8 : 4);
    KN_PASS(kn__arrow_own(t->o, 1, offsets) ? KN_OK : kn__nomem(err));
    bytes = kn__malloc_array(total + 1, 1);
    KN_PASS(kn__arrow_own(t->o, 2, bytes) ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->count; i++) {
        const kn_text text = bytes_of(t, i);
        set_offset(offsets, large, i, at);
        memcpy(bytes + at, text.at, text.len);
        at += text.len;
    }
    set_offset(offsets, large, t->count, at);
    return KN_OK;
}

enum { INLINE = 12 }; /* bytes that a view holds itself */

/* The buffer in which a text of `len` bytes stands, after `*used` bytes of it: a new one where the
 * offset would have no room. */
static size_t view_buffer(size_t buffer, size_t len, size_t *used)
{
    if (*used + len > INT32_MAX) {
        *used = 0;
        return buffer + 1;
    }
    return buffer;
}

static void write_view(char *view, kn_text text, size_t buffer, size_t offset)
{
    const int32_t len = (int32_t)text.len, number = (int32_t)buffer, from = (int32_t)offset;

    memset(view, 0, 16);
    memcpy(view, &len, 4);
    memcpy(view + 4, text.at, text.len <= INLINE ? text.len : 4);
    if (text.len > INLINE) {
        memcpy(view + 8, &number, 4);
        memcpy(view + 12, &from, 4);
    }
}

/* Make the array with the buffers for its long texts: their sizes are found first. */
static kn_status make_views(taking *t, size_t *buffers, kn_error *err)
{
    size_t used = 0, last = 0, cap = 0;
    int64_t *sizes = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; i < t->count; i++) {
        const size_t len = bytes_of(t, i).len;
        if (len > INLINE) {
            last = view_buffer(last, len, &used);
            used += len;
            KN_TRY(kn__grow(&sizes, &cap, last + 1, sizeof *sizes, err));
            sizes[last] = (int64_t)used;
        }
    }
    *buffers = sizes ? last + 1 : 0;
    KN_TRY(kn__grow(&sizes, &cap, 1, sizeof *sizes, err));
    t->o = kn__arrow_array_make(t->a, t->count, 3 + *buffers, 0);
    KN_TRY(t->o ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < *buffers; i++) {
        KN_TRY(kn__arrow_own(t->o, 2 + i, kn__malloc_array((size_t)sizes[i], 1)) ? KN_OK
                                                                                 : kn__nomem(err));
    }
    (void)kn__arrow_own(t->o, 2 + *buffers, sizes);
    sizes = NULL;
done:
    kn__free(sizes);
    return status;
}

static kn_status take_views(taking *t, kn_error *err)
{
    size_t buffers, used = 0, last = 0;
    char *views;

    KN_PASS(make_views(t, &buffers, err));
    views = kn__malloc_array(t->count + 1, 16);
    KN_PASS(kn__arrow_own(t->o, 1, views) ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->count; i++) {
        const kn_text text = bytes_of(t, i);
        if (text.len > INLINE) {
            last = view_buffer(last, text.len, &used);
            memcpy((char *)t->o->made[2 + last] + used, text.at, text.len);
        }
        write_view(views + i * 16, text, last, used);
        used += text.len > INLINE ? text.len : 0;
    }
    return KN_OK;
}

/* ---- what has children ---- */

/* Take child `child` of the parts. */
static kn_status take_child(taking *t, int64_t child, const kn_arrow_place *place, size_t count,
                            kn_error *err)
{
    const struct ArrowArray **parts = kn__malloc_array(t->parts_count + 1, sizeof *parts);
    kn_status status;

    KN_TRY(parts ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->parts_count; i++) {
        parts[i] = t->parts[i]->children[child];
    }
    KN_TRY(kn__arrow_take(t->s->children[child], t->a->children[child], t->type->children[child],
                          parts, t->parts_count, place, count, err));
done:
    kn__free(parts);
    return status;
}

/* Where the elements of the lists are, one after the other, in `*out`; of a list of a fixed size
 * that is null, `width` nulls. */
static kn_status find_elements(const taking *t, kn_arrow_place **out, size_t *total, kn_error *err)
{
    const size_t width = t->layout.kind == KN_LAYOUT_FIXED_LIST ? t->layout.width : 0;
    size_t cap = 0, begin, count, at;
    const struct ArrowArray *part;

    *out = NULL;
    *total = 0;
    for (size_t i = 0; i < t->count; i++) {
        const bool valid = find(t, i, &part, &at) &&
                           kn__arrow_elements_at(t->layout, part, at, &begin, &count);
        if (!valid) {
            count = width;
        }
        KN_PASS(kn__grow(out, &cap, *total + count, sizeof **out, err));
        for (size_t j = 0; j < count; j++) {
            (*out)[(*total)++] = valid ? place_of(t->place[i], begin + j) : KN_ARROW_NO_PLACE;
        }
    }
    return KN_OK;
}

static size_t elements_of(const taking *t, size_t i)
{
    const struct ArrowArray *part;
    size_t at, begin, count;

    return find(t, i, &part, &at) && kn__arrow_elements_at(t->layout, part, at, &begin, &count)
               ? count
               : 0;
}

static kn_status add_offsets(taking *t, size_t total, kn_error *err)
{
    const bool views = t->layout.kind == KN_LAYOUT_LIST_VIEW;
    bool large;
    void *offsets, *sizes = NULL;
    size_t at = 0;

    KN_PASS(widen(t, total, err));
    large = t->layout.width == 8 || total > INT32_MAX;
    offsets = kn__malloc_array(t->count + 1, large ? 8 : 4);
    KN_PASS(kn__arrow_own(t->o, 1, offsets) ? KN_OK : kn__nomem(err));
    if (views) {
        sizes = kn__malloc_array(t->count + 1, large ? 8 : 4);
        KN_PASS(kn__arrow_own(t->o, 2, sizes) ? KN_OK : kn__nomem(err));
    }
    for (size_t i = 0; i < t->count; i++) {
        const size_t count = elements_of(t, i);
        set_offset(offsets, large, i, at);
        if (views) {
            set_offset(sizes, large, i, count);
        }
        at += count;
    }
    set_offset(offsets, large, t->count, at);
    return KN_OK;
}

static kn_status take_lists(taking *t, kn_error *err)
{
    kn_arrow_place *elements;
    size_t total;
    kn_status status;

    KN_TRY(find_elements(t, &elements, &total, err));
    if (t->layout.kind != KN_LAYOUT_FIXED_LIST) {
        KN_TRY(add_offsets(t, total, err));
    }
    KN_TRY(take_child(t, 0, elements, total, err));
done:
    kn__free(elements);
    return status;
}

static kn_status take_structs(taking *t, kn_error *err)
{
    kn_arrow_place *place = kn__malloc_array(t->count + 1, sizeof *place);
    const struct ArrowArray *part;
    size_t at;
    kn_status status;

    KN_TRY(place ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->count; i++) {
        place[i] = KN_ARROW_NO_PLACE;
        if (find(t, i, &part, &at)) {
            place[i] = place_of(t->place[i], (size_t)part->offset + at);
        }
    }
    for (int64_t i = 0; i < t->type->n_children; i++) {
        KN_TRY(take_child(t, i, place, t->count, err));
    }
done:
    kn__free(place);
    return status;
}

/* ---- dictionaries ---- */

#define UNUSED UINT32_MAX

/* New numbers, by part and value of its dictionary, in the order of their first use; and the places
 * of the values that are used. */
typedef struct numbering {
    uint32_t **number;
    kn_arrow_place *used;
    size_t count, cap;
} numbering;

static kn_status open_numbering(numbering *n, const taking *t, kn_error *err)
{
    n->number = kn__zalloc_array(t->parts_count + 1, sizeof *n->number);
    KN_PASS(n->number ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < t->parts_count; i++) {
        const size_t values = (size_t)t->parts[i]->dictionary->length;
        n->number[i] = kn__malloc_array(values + 1, sizeof **n->number);
        KN_PASS(n->number[i] ? KN_OK : kn__nomem(err));
        memset(n->number[i], 0xff, (values + 1) * sizeof **n->number);
    }
    return KN_OK;
}

static void close_numbering(numbering *n, size_t parts)
{
    for (size_t i = 0; n->number && i < parts; i++) {
        kn__free(n->number[i]);
    }
    KN_FREE(n->number, n->used);
}

static kn_status number_of(numbering *n, const taking *t, size_t i, uint64_t *out, kn_error *err)
{
    const struct ArrowArray *part;
    size_t at, value;
    uint32_t *number;

    *out = 0;
    if (!find(t, i, &part, &at)) {
        return KN_OK;
    }
    value = (size_t)kn__arrow_integer(part->buffers[1], t->layout.width, (size_t)part->offset + at);
    number = &n->number[t->place[i] >> KN_ARROW_PLACE_BITS][value];
    if (*number == UNUSED) {
        KN_PASS(kn__grow(&n->used, &n->cap, n->count + 1, sizeof *n->used, err));
        *number = (uint32_t)n->count;
        n->used[n->count++] = place_of(t->place[i], value);
    }
    *out = *number;
    return KN_OK;
}

/* The largest index of a signed or unsigned integer of the type's width: a half of what it holds.
 */
static bool index_fits(const taking *t, uint64_t index)
{
    return index < UINT64_C(1) << (8 * t->layout.width - 1);
}

static kn_status take_dictionary(taking *t, kn_error *err)
{
    const struct ArrowArray **parts = kn__malloc_array(t->parts_count + 1, sizeof *parts);
    unsigned char *indices = kn__zalloc_array(t->count + 1, t->layout.width);
    const bool kept = kn__arrow_own(t->o, 1, indices);
    numbering n = {0};
    kn_status status;

    KN_TRY(parts && kept ? KN_OK : kn__nomem(err));
    KN_TRY(open_numbering(&n, t, err));
    for (size_t i = 0; i < t->count; i++) {
        uint64_t index;
        KN_TRY(number_of(&n, t, i, &index, err));
        KN_TRY(index_fits(t, index) ? KN_OK
                                    : kn__fail(err, KN_EINPUT,
                                               "column '%.100s': its dictionaries hold too many "
                                               "values for their type of index",
                                               t->type->name ? t->type->name : ""));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        index <<= 64 - 8 * t->layout.width;
#endif
        memcpy(indices + i * t->layout.width, &index, t->layout.width);
    }
    for (size_t i = 0; i < t->parts_count; i++) {
        parts[i] = t->parts[i]->dictionary;
    }
    t->s->dictionary = kn__zalloc(sizeof *t->s->dictionary);
    t->a->dictionary = kn__zalloc(sizeof *t->a->dictionary);
    KN_TRY(t->s->dictionary && t->a->dictionary ? KN_OK : kn__nomem(err));
    KN_TRY(kn__arrow_take(t->s->dictionary, t->a->dictionary, t->type->dictionary, parts,
                          t->parts_count, n.used, n.count, err));
done:
    close_numbering(&n, t->parts_count);
    kn__free(parts);
    return status;
}

/* ---- any ---- */

static size_t buffers_made(kn_arrow_layout l)
{
    switch (l.kind) {
    case KN_LAYOUT_NULL: return 0;
    case KN_LAYOUT_STRUCT:
    case KN_LAYOUT_FIXED_LIST: return 1;
    case KN_LAYOUT_BYTES:
    case KN_LAYOUT_LIST_VIEW: return 3;
    default: return 2;
    }
}

static kn_status take_values(taking *t, kn_error *err)
{
    if (t->type->dictionary) {
        return take_dictionary(t, err);
    }
    switch (t->layout.kind) {
    case KN_LAYOUT_BITS: return take_bits(t, err);
    case KN_LAYOUT_FIXED: return take_fixed(t, err);
    case KN_LAYOUT_BYTES: return take_bytes(t, err);
    case KN_LAYOUT_STRUCT: return take_structs(t, err);
    case KN_LAYOUT_LIST:
    case KN_LAYOUT_LIST_VIEW:
    case KN_LAYOUT_FIXED_LIST: return take_lists(t, err);
    default: return KN_OK;
    }
}

kn_status kn__arrow_take(struct ArrowSchema *s, struct ArrowArray *a,
                         const struct ArrowSchema *type, const struct ArrowArray *const *parts,
                         size_t parts_count, const kn_arrow_place *place, size_t count,
                         kn_error *err)
{
    taking t = {.type = type,
                .layout = kn__arrow_layout(type),
                .parts = parts,
                .place = place,
                .parts_count = parts_count,
                .count = count,
                .s = s,
                .a = a};

    KN_PASS(kn__arrow_schema_like(s, type) ? KN_OK : kn__nomem(err));
    if (t.layout.kind == KN_LAYOUT_VIEW && !type->dictionary) {
        KN_PASS(take_views(&t, err));
    } else {
        t.o = kn__arrow_array_make(a, count, buffers_made(t.layout), (size_t)type->n_children);
        KN_PASS(t.o ? KN_OK : kn__nomem(err));
        KN_PASS(take_values(&t, err));
    }
    if (t.layout.kind == KN_LAYOUT_NULL) {
        a->null_count = (int64_t)count;
    } else {
        KN_PASS(add_validity(&t, err));
    }
    return KN_OK;
}
