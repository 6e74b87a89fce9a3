/* io/format/arrow_cells.h - the columns of a record batch, checked as far as they can be.
 *
 * The interface does not say how long buffers are. What it does say is checked when a column is
 * opened: numbers of buffers and children, lengths, buffers that must be there. Offsets and
 * dictionary indices are checked where they are used. Buffers need not be aligned. */
#ifndef KN_IO_FORMAT_ARROW_CELLS_H
#define KN_IO_FORMAT_ARROW_CELLS_H

#include "base/buffer.h"
#include "io/format/arrow.h"

/** What the schema of a stream says of one column. Values are those in lists, if it holds lists,
 * and those of the dictionary, if it has one. */
typedef struct kn_arrow_field {
    const char *name;
    const char *format; /* of the values */
    kn_arrow_type type; /* of the values; KN_ARROW_OTHER: not supported */
    bool list, dictionary;
    kn_arrow_type lists, index;
} kn_arrow_field;

/** Fill `*f` from `schema`, whose strings it borrows. Types that are not supported are no failure.
 *  @return KN_EINPUT for a schema that breaks the specification. */
kn_status kn__arrow_field_open(kn_arrow_field *f, const struct ArrowSchema *schema, kn_error *err);

/** An array of values, offsets or indices. */
typedef struct kn_arrow_cells {
    kn_arrow_type type;
    const uint8_t *validity; /* NULL: all are valid */
    const unsigned char *data;
    const char *text;            /* texts with offsets */
    const void *const *variadic; /* text views */
    const unsigned char *variadic_sizes;
    size_t variadic_count;
    size_t offset, length;
} kn_arrow_cells;

/** A column of a batch. */
typedef struct kn_arrow_column {
    kn_arrow_cells lists, index, values; /* those that the field has */
} kn_arrow_column;

/** Open a record batch of `columns` columns: which of its records are null, its offset and length.
 */
bool kn__arrow_batch_open(kn_arrow_cells *c, const struct ArrowArray *array, size_t columns);
/** Open the array of a column, of which elements 0 to `need` - 1 must be there. On failure false,
 * and `*why` says what is wrong. */
bool kn__arrow_column_open(kn_arrow_column *c, const kn_arrow_field *f,
                           const struct ArrowArray *array, size_t need, const char **why);

/** Whether element `i` (counted from the offset on, as everywhere here) is valid. */
static inline bool kn__arrow_valid(const kn_arrow_cells *c, size_t i)
{
    const size_t at = c->offset + i;

    return c->type.kind != KN_ARROW_NULL &&
           (!c->validity || (c->validity[at / 8] >> (at % 8) & 1) != 0);
}
/** The bits of element `i` of a type with a fixed width. */
static inline kn_arrow_bits kn__arrow_bits_at(const kn_arrow_cells *c, size_t i)
{
    const size_t at = c->offset + i;
    const unsigned char *data = c->data;
    kn_arrow_bits bits = {0};
    uint8_t one;
    uint16_t two;
    uint32_t four;

    switch (c->type.width) {
    case 0: bits.low = data[at / 8] >> (at % 8) & 1; break;
    case 1:
        memcpy(&one, data + at, 1);
        bits.low = one;
        break;
    case 2:
        memcpy(&two, data + at * 2, 2);
        bits.low = two;
        break;
    case 4:
        memcpy(&four, data + at * 4, 4);
        bits.low = four;
        break;
    case 8: memcpy(&bits.low, data + at * 8, 8); break;
    default: memcpy(&bits.low, data + at * 16, 8); memcpy(&bits.high, data + at * 16 + 8, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        bits = (kn_arrow_bits){.low = bits.high, .high = bits.low};
#endif
    }
    return bits;
}
/** Begin and end of list `i`. False, and `*why` is set, when offsets decrease or lead outside. */
bool kn__arrow_list_at(const kn_arrow_column *c, size_t i, size_t *begin, size_t *end,
                       const char **why);
/** The text of element `i` of texts. False, and `*why` is set, when it leads outside. */
bool kn__arrow_text_at(const kn_arrow_cells *c, size_t i, kn_text *out, const char **why);
/** The place of element `i` of a dictionary column in `c->values`; or `*why` is set. */
bool kn__arrow_index_at(const kn_arrow_column *c, size_t i, size_t *out, const char **why);

#endif
