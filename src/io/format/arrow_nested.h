/* io/format/arrow_nested.h - Arrow columns of any layout, for columns that are published as they
 * are: their cells are compared, and copied, without being understood. */
#ifndef KN_IO_FORMAT_ARROW_NESTED_H
#define KN_IO_FORMAT_ARROW_NESTED_H

#include "base/buffer.h"
#include "io/format/arrow.h"

typedef enum kn_arrow_layout_kind {
    KN_LAYOUT_UNKNOWN = 0, /* unions, run-end encoded columns, types of later versions */
    KN_LAYOUT_NULL,
    KN_LAYOUT_BITS,
    KN_LAYOUT_FIXED,      /* values of `width` bytes */
    KN_LAYOUT_BYTES,      /* texts and binary values: offsets of `width` bytes */
    KN_LAYOUT_VIEW,       /* views of texts and binary values */
    KN_LAYOUT_LIST,       /* lists and maps: offsets of `width` bytes */
    KN_LAYOUT_LIST_VIEW,  /* offsets and sizes of `width` bytes */
    KN_LAYOUT_FIXED_LIST, /* lists of `width` elements */
    KN_LAYOUT_STRUCT
} kn_arrow_layout_kind;

typedef struct kn_arrow_layout {
    kn_arrow_layout_kind kind;
    size_t width;
} kn_arrow_layout;

/** The layout of arrays of a type; of a dictionary, that of its indices. */
kn_arrow_layout kn__arrow_layout(const struct ArrowSchema *type);
/** Whether the layouts of a type and of all below it are known. */
bool kn__arrow_type_copies(const struct ArrowSchema *type);
/** Whether `array` has the buffers and children of `type`, which copies, and `need` elements. On
 * failure false, and `*why` says what is wrong. Offsets and indices are checked where cells are
 * read. */
bool kn__arrow_nested_open(const struct ArrowSchema *type, const struct ArrowArray *array,
                           size_t need, const char **why);

/** Whether element `i` (counted from the offset on) is valid. */
bool kn__arrow_element_valid(kn_arrow_layout l, const struct ArrowArray *a, size_t i);
/** The unsigned integer of `width` bytes at `data` + `i` * `width`. */
uint64_t kn__arrow_integer(const void *data, size_t width, size_t i);
/** The bytes of element `i` of layout BYTES or VIEW. False when they lead outside. */
bool kn__arrow_bytes_at(kn_arrow_layout l, const struct ArrowArray *a, size_t i, kn_text *out);
/** Begin and number of the elements of list `i`, in the only child. False when they lead outside.
 */
bool kn__arrow_elements_at(kn_arrow_layout l, const struct ArrowArray *a, size_t i, size_t *begin,
                           size_t *count);

/** A text that stands for element `i`: equal cells have equal texts, different cells different
 * ones. It is 0x and the bytes of the cell, or sha256: and their digest where there are more
 * than 32.
 * `*len` is 0 for null, and where the cell breaks the specification: `*why` says how. */
kn_status kn__arrow_opaque_text(const struct ArrowSchema *type, const struct ArrowArray *array,
                                size_t i, char out[KN_ARROW_LONGEST], size_t *len, const char **why,
                                kn_error *err);
/** The same of a value of fixed width that has no text of its own, such as NaN. */
size_t kn__arrow_opaque_bits(kn_arrow_bits bits, size_t width, char out[KN_ARROW_LONGEST]);

/** A cell of a column that came in several arrays: number of the array and element in it. */
typedef uint64_t kn_arrow_place;
#define KN_ARROW_NO_PLACE UINT64_MAX /* null */
enum { KN_ARROW_PLACE_BITS = 40 };   /* of the element */

/** An array of the cells at `place` of a column of `type` that came as `parts`: copies, and nothing
 * of other cells. Where 32-bit offsets have no room the type of `*s` is the large one. On failure
 * both are fit to be released. O(bytes copied). */
kn_status kn__arrow_take(struct ArrowSchema *s, struct ArrowArray *a,
                         const struct ArrowSchema *type, const struct ArrowArray *const *parts,
                         size_t parts_count, const kn_arrow_place *place, size_t count,
                         kn_error *err);

#endif
