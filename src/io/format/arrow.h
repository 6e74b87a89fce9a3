/* io/format/arrow.h - what reading and writing Arrow arrays share: types, and values as texts. */
#ifndef KN_IO_FORMAT_ARROW_H
#define KN_IO_FORMAT_ARROW_H

#include "data/dataset.h"
#include "kanon/arrow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum kn_arrow_kind {
    KN_ARROW_OTHER = 0, /* not supported */
    KN_ARROW_NULL,
    KN_ARROW_BOOLEAN,
    KN_ARROW_SIGNED,
    KN_ARROW_UNSIGNED,
    KN_ARROW_FLOAT,
    KN_ARROW_DECIMAL,      /* of 128 bits */
    KN_ARROW_DAYS,         /* dates in 32 bits */
    KN_ARROW_MILLISECONDS, /* dates in 64 bits */
    KN_ARROW_TIMESTAMP,
    KN_ARROW_TEXT, /* offsets of `width` bytes */
    KN_ARROW_TEXT_VIEW,
    KN_ARROW_LIST /* offsets of `width` bytes */
} kn_arrow_kind;

/** An Arrow type: a parsed format string of the specification. */
typedef struct kn_arrow_type {
    kn_arrow_kind kind;
    uint8_t width;        /* bytes of a value, of an offset, or of a view */
    int precision, scale; /* decimals */
    int digits;           /* timestamps: of the fraction of a second: 0, 3, 6 or 9 */
    bool zoned;           /* timestamps: with a time zone, and so in UTC */
} kn_arrow_type;

/** The type that `format` says; kind KN_ARROW_OTHER for those that are not supported. */
kn_arrow_type kn__arrow_type_parse(const char *format);
/** The name of a type that is not supported, such as "duration". */
const char *kn__arrow_type_name(const char *format);
static inline bool kn__arrow_is_text(kn_arrow_kind kind)
{
    return kind == KN_ARROW_TEXT || kind == KN_ARROW_TEXT_VIEW;
}

/** The bits of a value that has a width: the lowest `width` bytes, all others 0. */
typedef struct kn_arrow_bits {
    uint64_t low, high;
} kn_arrow_bits;

enum { KN_ARROW_LONGEST = 120 }; /* no value of fixed width has a longer text */

/** Write value `bits` of type `t`, which is no text, to `out`; returns how long the text is. 0: the
 * value cannot be kept, and `*why` says why. Two values never have one text, except the zeros of a
 * float. */
size_t kn__arrow_value_write(const kn_arrow_type *t, kn_arrow_bits bits, char out[KN_ARROW_LONGEST],
                             const char **why);
/** The value of type `t` whose text is `text`, exactly as kn__arrow_value_write writes it or, if
 * `number`, as lists of numbers spell what it writes; false when there is none. */
bool kn__arrow_value_read(const kn_arrow_type *t, const char *text, size_t len, bool number,
                          kn_arrow_bits *out);

/** Read record batch `array`, which has the columns of `schema`, as kn_dataset_from_arrow does.
 * Borrows both. */
kn_status kn__arrow_read_batch(kn_dataset **out, const struct ArrowSchema *schema,
                               const struct ArrowArray *array, const kn_read_options *options,
                               const kn_run *run, kn_error *err);

/** kn_dataset_to_arrow where record i of `ds` is record origin[i] (NULL: i) of `from`: columns that
 * are no quasi-identifiers are copied from the arrays that `from` was read from, if it was. */
kn_status kn__arrow_stream_make(struct ArrowArrayStream *out, const kn_dataset *ds,
                                const kn_dataset *from, const uint32_t *origin, const kn_run *run,
                                kn_error *err);
/** The record batch that a stream of kn_dataset_to_arrow is about to give, and its schema.
 * Borrowed. */
const struct ArrowArray *kn__arrow_stream_batch(const struct ArrowArrayStream *stream);
const struct ArrowSchema *kn__arrow_stream_schema(const struct ArrowArrayStream *stream);
/** Leave out of such a stream the columns that `keep` (by column) does not mark. */
void kn__arrow_stream_choose(struct ArrowArrayStream *stream, const bool *keep);

#endif
