/* arrow_nested.c - Arrow arrays of any layout: what they hold, checked as far as they can be, and
 * cells as texts that can be compared. */
#include "io/format/arrow_nested.h"
#include "base/buffer.h"
#include "base/error.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_SHOWN = 32 };
#define LONGEST (INT64_C(1) << KN_ARROW_PLACE_BITS)

/* ---- layouts ---- */

/* The number after the last of `mark` in `format`; 0 when there is none. */
static size_t number_after(const char *format, char mark)
{
    const char *at = strrchr(format, mark);
    char *end;
    const long number = at ? strtol(at + 1, &end, 10) : 0;

    return at && !*end && number > 0 && number < 1 << 28 ? (size_t)number : 0;
}

static kn_arrow_layout decimal_layout(const char *format)
{
    const char *scale = strchr(format, ',');
    const size_t bits = scale && strchr(scale + 1, ',') ? number_after(format, ',') : 128;

    return (kn_arrow_layout){bits % 8 == 0 && bits > 0 ? KN_LAYOUT_FIXED : KN_LAYOUT_UNKNOWN,
                             bits / 8};
}

static kn_arrow_layout layout_of(const char *format)
{
    static const struct {
        const char *format; /* of times with a unit, their first two letters */
        kn_arrow_layout layout;
    } known[] = {
        {"tdD", {KN_LAYOUT_FIXED, 4}},     {"tdm", {KN_LAYOUT_FIXED, 8}},
        {"tts", {KN_LAYOUT_FIXED, 4}},     {"ttm", {KN_LAYOUT_FIXED, 4}},
        {"ttu", {KN_LAYOUT_FIXED, 8}},     {"ttn", {KN_LAYOUT_FIXED, 8}},
        {"tiM", {KN_LAYOUT_FIXED, 4}},     {"tiD", {KN_LAYOUT_FIXED, 8}},
        {"tin", {KN_LAYOUT_FIXED, 16}},    {"ts", {KN_LAYOUT_FIXED, 8}},
        {"tD", {KN_LAYOUT_FIXED, 8}},      {"+vl", {KN_LAYOUT_LIST_VIEW, 4}},
        {"+vL", {KN_LAYOUT_LIST_VIEW, 8}}, {"+l", {KN_LAYOUT_LIST, 4}},
        {"+L", {KN_LAYOUT_LIST, 8}},       {"+m", {KN_LAYOUT_LIST, 4}},
        {"+s", {KN_LAYOUT_STRUCT, 0}},     {"vu", {KN_LAYOUT_VIEW, 16}},
        {"vz", {KN_LAYOUT_VIEW, 16}},      {"u", {KN_LAYOUT_BYTES, 4}},
        {"z", {KN_LAYOUT_BYTES, 4}},       {"U", {KN_LAYOUT_BYTES, 8}},
        {"Z", {KN_LAYOUT_BYTES, 8}},       {"n", {KN_LAYOUT_NULL, 0}},
        {"b", {KN_LAYOUT_BITS, 0}},        {"c", {KN_LAYOUT_FIXED, 1}},
        {"C", {KN_LAYOUT_FIXED, 1}},       {"s", {KN_LAYOUT_FIXED, 2}},
        {"S", {KN_LAYOUT_FIXED, 2}},       {"e", {KN_LAYOUT_FIXED, 2}},
        {"i", {KN_LAYOUT_FIXED, 4}},       {"I", {KN_LAYOUT_FIXED, 4}},
        {"f", {KN_LAYOUT_FIXED, 4}},       {"l", {KN_LAYOUT_FIXED, 8}},
        {"L", {KN_LAYOUT_FIXED, 8}},       {"g", {KN_LAYOUT_FIXED, 8}},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *name = known[i].format;
        const bool unit = strcmp(name, "ts") == 0 || strcmp(name, "tD") == 0;
        if (unit ? strncmp(format, name, 2) == 0 : strcmp(format, name) == 0) {
            return known[i].layout;
        }
    }
    return (kn_arrow_layout){0};
}

kn_arrow_layout kn__arrow_layout(const struct ArrowSchema *type)
{
    const char *format = type->format ? type->format : "";
    kn_arrow_layout l;

    if (strncmp(format, "d:", 2) == 0) {
        return decimal_layout(format);
    }
    if (strncmp(format, "w:", 2) == 0 || strncmp(format, "+w:", 3) == 0) {
        l.kind = format[0] == '+' ? KN_LAYOUT_FIXED_LIST : KN_LAYOUT_FIXED;
        l.width = number_after(format, ':');
        return l.width ? l : (kn_arrow_layout){0};
    }
    return layout_of(format);
}

static bool is_list(kn_arrow_layout l)
{
    return l.kind == KN_LAYOUT_LIST || l.kind == KN_LAYOUT_LIST_VIEW ||
           l.kind == KN_LAYOUT_FIXED_LIST;
}

static bool copies(const struct ArrowSchema *type, int depth)
{
    const kn_arrow_layout l = kn__arrow_layout(type);
    bool all;

    if (l.kind == KN_LAYOUT_UNKNOWN || depth == DEEPEST || type->n_children < 0) {
        return false;
    }
    if (type->dictionary) {
        return l.kind == KN_LAYOUT_FIXED && l.width <= 8 && type->n_children == 0 &&
               !type->dictionary->dictionary && copies(type->dictionary, depth + 1);
    }
    all = is_list(l) ? type->n_children == 1 : l.kind == KN_LAYOUT_STRUCT || type->n_children == 0;
    for (int64_t i = 0; all && i < type->n_children; i++) {
        all = type->children && type->children[i] && copies(type->children[i], depth + 1);
    }
    return all;
}

bool kn__arrow_type_copies(const struct ArrowSchema *type)
{
    return copies(type, 0);
}

/* ---- arrays ---- */

/* How many buffers an array has; a view has more. */
static int64_t buffers_of(kn_arrow_layout l)
{
    switch (l.kind) {
    case KN_LAYOUT_NULL: return 0;
    case KN_LAYOUT_STRUCT:
    case KN_LAYOUT_FIXED_LIST: return 1;
    case KN_LAYOUT_BYTES:
    case KN_LAYOUT_VIEW:
    case KN_LAYOUT_LIST_VIEW: return 3;
    default: return 2;
    }
}

static const char *open_array(kn_arrow_layout l, const struct ArrowSchema *type,
                              const struct ArrowArray *a, size_t need)
{
    const int64_t buffers = buffers_of(l);

    if (a->length < 0 || a->offset < 0 || a->length > LONGEST || a->offset > LONGEST - a->length ||
        (uint64_t)a->length < need) {
        return "an Arrow array has an impossible length or offset, or is too short";
    }
    if (a->n_buffers < buffers ||
        (a->n_buffers > buffers && l.kind != KN_LAYOUT_VIEW && l.kind != KN_LAYOUT_NULL) ||
        (a->n_buffers && !a->buffers) || a->n_children != type->n_children ||
        (a->n_children && !a->children) || !a->dictionary != !type->dictionary) {
        return "an Arrow array has other buffers or children than its type";
    }
    if (a->null_count > 0 && l.kind != KN_LAYOUT_NULL && !a->buffers[0]) {
        return "an Arrow array has nulls, but no validity buffer";
    }
    if (buffers > 1 && a->length > 0 && !a->buffers[1]) {
        return "an Arrow array lacks a buffer";
    }
    return NULL;
}

bool kn__arrow_nested_open(const struct ArrowSchema *type, const struct ArrowArray *array,
                           size_t need, const char **why)
{
    const kn_arrow_layout l = kn__arrow_layout(type);
    bool done;

    *why = array ? open_array(l, type, array, need) : "an Arrow array lacks a child";
    done = *why == NULL;
    for (int64_t i = 0; done && i < type->n_children; i++) {
        size_t below = 0; /* lists are checked one by one */
        if (l.kind == KN_LAYOUT_STRUCT || l.kind == KN_LAYOUT_FIXED_LIST) {
            below = ((size_t)array->offset + need) * (l.kind == KN_LAYOUT_FIXED_LIST ? l.width : 1);
        }
        done = kn__arrow_nested_open(type->children[i], array->children[i], below, why);
    }
    return done && (!type->dictionary ||
                    kn__arrow_nested_open(type->dictionary, array->dictionary, 0, why));
}

bool kn__arrow_element_valid(kn_arrow_layout l, const struct ArrowArray *a, size_t i)
{
    const size_t at = (size_t)a->offset + i;
    const uint8_t *validity = l.kind == KN_LAYOUT_NULL ? NULL : a->buffers[0];

    return l.kind != KN_LAYOUT_NULL && (!validity || (validity[at / 8] >> (at % 8) & 1) != 0);
}

uint64_t kn__arrow_integer(const void *data, size_t width, size_t i)
{
    const unsigned char *at = (const unsigned char *)data + i * width;
    uint64_t eight;
    uint32_t four;
    uint16_t two;

    switch (width) {
    case 1: return *at;
    case 2: memcpy(&two, at, 2); return two;
    case 4: memcpy(&four, at, 4); return four;
    default: memcpy(&eight, at, 8); return eight;
    }
}

static bool view_at(const struct ArrowArray *a, size_t at, kn_text *out)
{
    const char *view = (const char *)a->buffers[1] + at * 16;
    const size_t count = (size_t)a->n_buffers - 3;
    int32_t len, buffer, offset;
    int64_t size;

    memcpy(&len, view, 4);
    *out = (kn_text){.at = view + 4, .len = (size_t)len};
    if (len <= 12) {
        return len >= 0;
    }
    memcpy(&buffer, view + 8, 4);
    memcpy(&offset, view + 12, 4);
    if (buffer < 0 || offset < 0 || (size_t)buffer >= count || !a->buffers[2 + count]) {
        return false;
    }
    memcpy(&size, (const char *)a->buffers[2 + count] + (size_t)buffer * 8, 8);
    out->at = (const char *)a->buffers[2 + buffer] + offset;
    return a->buffers[2 + buffer] && (int64_t)offset + len <= size;
}

bool kn__arrow_bytes_at(kn_arrow_layout l, const struct ArrowArray *a, size_t i, kn_text *out)
{
    const size_t at = (size_t)a->offset + i;
    uint64_t begin, end;

    if (l.kind == KN_LAYOUT_VIEW) {
        return view_at(a, at, out);
    }
    begin = kn__arrow_integer(a->buffers[1], l.width, at);
    end = kn__arrow_integer(a->buffers[1], l.width, at + 1);
    *out = (kn_text){.at = "", .len = 0};
    if (begin > end || end > (l.width == 4 ? INT32_MAX : INT64_MAX) ||
        (begin < end && !a->buffers[2])) {
        return false;
    }
    if (begin < end) {
        *out = (kn_text){.at = (const char *)a->buffers[2] + begin, .len = (size_t)(end - begin)};
    }
    return true;
}

bool kn__arrow_elements_at(kn_arrow_layout l, const struct ArrowArray *a, size_t i, size_t *begin,
                           size_t *count)
{
    const size_t at = (size_t)a->offset + i, length = (size_t)a->children[0]->length;
    uint64_t first, end;

    if (l.kind == KN_LAYOUT_FIXED_LIST) {
        *begin = at * l.width;
        *count = l.width;
        return *begin + *count <= length;
    }
    first = kn__arrow_integer(a->buffers[1], l.width, at);
    if (l.kind == KN_LAYOUT_LIST_VIEW) {
        const uint64_t size = a->buffers[2] ? kn__arrow_integer(a->buffers[2], l.width, at)
                                            : UINT64_MAX;
        end = size > length || first > length - size ? UINT64_MAX : first + size;
    } else {
        end = kn__arrow_integer(a->buffers[1], l.width, at + 1);
    }
    *begin = (size_t)first;
    *count = (size_t)(end - first);
    return first <= end && end <= length;
}

/* ---- cells as texts ---- */

static const char outside[] = "an Arrow offset or index leads outside its array";

static bool add_cell(kn_buffer *out, const struct ArrowSchema *type, const struct ArrowArray *a,
                     size_t i);

static bool add_elements(kn_buffer *out, const struct ArrowSchema *type, const struct ArrowArray *a,
                         kn_arrow_layout l, size_t i)
{
    size_t begin, count;
    bool done = true;

    if (!kn__arrow_elements_at(l, a, i, &begin, &count)) {
        return false;
    }
    kn__buffer_add(out, &count, sizeof count);
    for (size_t j = 0; done && j < count; j++) {
        done = add_cell(out, type->children[0], a->children[0], begin + j);
    }
    return done;
}

/* A valid cell without the mark that says so. */
static bool add_valid(kn_buffer *out, const struct ArrowSchema *type, const struct ArrowArray *a,
                      kn_arrow_layout l, size_t i)
{
    const size_t at = (size_t)a->offset + i;
    bool done = true;
    kn_text text;

    if (type->dictionary) {
        const uint64_t place = kn__arrow_integer(a->buffers[1], l.width, at);
        return place < (uint64_t)a->dictionary->length &&
               add_cell(out, type->dictionary, a->dictionary, (size_t)place);
    }
    switch (l.kind) {
    case KN_LAYOUT_BITS:
        kn__buffer_addc(out, (char)(((const uint8_t *)a->buffers[1])[at / 8] >> (at % 8) & 1));
        return true;
    case KN_LAYOUT_FIXED:
        kn__buffer_add(out, (const char *)a->buffers[1] + at * l.width, l.width);
        return true;
    case KN_LAYOUT_BYTES:
    case KN_LAYOUT_VIEW:
        done = kn__arrow_bytes_at(l, a, i, &text);
        if (done) {
            kn__buffer_add(out, &text.len, sizeof text.len);
            kn__buffer_add(out, text.at, text.len);
        }
        return done;
    case KN_LAYOUT_STRUCT:
        for (int64_t j = 0; done && j < type->n_children; j++) {
            done = add_cell(out, type->children[j], a->children[j], at);
        }
        return done;
    default: return add_elements(out, type, a, l, i);
    }
}

/* The cell as bytes: 0 for null; or 1, and what it holds, lists and texts after their lengths.
 * Equal bytes mean equal cells. */
static bool add_cell(kn_buffer *out, const struct ArrowSchema *type, const struct ArrowArray *a,
                     size_t i)
{
    const kn_arrow_layout l = kn__arrow_layout(type);
    const bool valid = kn__arrow_element_valid(l, a, i);

    if (i >= (size_t)a->length) {
        return false;
    }
    kn__buffer_addc(out, (char)valid);
    return !valid || add_valid(out, type, a, l, i);
}

static size_t write_hex(char *out, const char *prefix, const void *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *from = bytes;
    size_t before = 0;

    for (; prefix[before]; before++) {
        out[before] = prefix[before];
    }
    for (size_t i = 0; i < count; i++) {
        out[before + 2 * i] = digits[from[i] >> 4];
        out[before + 2 * i + 1] = digits[from[i] & 15];
    }
    return before + 2 * count;
}

static size_t write_opaque(char *out, const char *bytes, size_t count)
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];

    if (count <= MOST_SHOWN) {
        return write_hex(out, "0x", bytes, count);
    }
    sha256_init(&context);
    sha256_update(&context, count, (const uint8_t *)bytes);
    sha256_digest(&context, sizeof digest, digest);
    return write_hex(out, "sha256:", digest, sizeof digest);
}

kn_status kn__arrow_opaque_text(const struct ArrowSchema *type, const struct ArrowArray *array,
                                size_t i, char out[KN_ARROW_LONGEST], size_t *len, const char **why,
                                kn_error *err)
{
    const kn_arrow_layout l = kn__arrow_layout(type);
    kn_buffer cell = {0};
    kn_text text;
    bool done = true;

    *len = 0;
    if (!kn__arrow_element_valid(l, array, i)) {
        return KN_OK;
    }
    if ((l.kind == KN_LAYOUT_BYTES || l.kind == KN_LAYOUT_VIEW) && !type->dictionary) {
        done = kn__arrow_bytes_at(l, array, i, &text);
        *len = done ? write_opaque(out, text.at, text.len) : 0;
    } else {
        done = add_valid(&cell, type, array, l, i);
        *len = done && !cell.failed ? write_opaque(out, cell.data ? cell.data : "", cell.len) : 0;
    }
    if (!done) {
        *why = outside;
    }
    kn__buffer_free(&cell);
    return done && *len == 0 ? kn__nomem(err) : KN_OK;
}

size_t kn__arrow_opaque_bits(kn_arrow_bits bits, size_t width, char out[KN_ARROW_LONGEST])
{
    unsigned char bytes[16]; /* the highest first */

    for (size_t i = 0; i < width; i++) {
        const size_t from = width - 1 - i;
        bytes[i] = (unsigned char)((from < 8 ? bits.low >> (8 * from)
                                             : bits.high >> (8 * (from - 8))) &
                                   255);
    }
    return write_hex(out, "0x", bytes, width);
}
