/* io/format/arrow_texts.h - coded columns as plain Arrow texts: strings, large strings, string
 * views.
 *
 * `count` is the number of codes: records, or items of lists. Missing values have no bytes. */
#ifndef KN_IO_FORMAT_ARROW_TEXTS_H
#define KN_IO_FORMAT_ARROW_TEXTS_H

#include "data/dataset.h"
#include "io/format/arrow.h"
#include "io/format/arrow_used.h"

/** Whether all texts have room in an array of text type `t`, whose offsets may have 32 bits. */
bool kn__arrow_texts_fit(const kn_arrow_type *t, const kn_column *c, size_t count);

/* Buffers, which the caller frees; NULL: out of memory. */

/** Strings and large strings: `count` + 1 offsets of `width` bytes. */
void *kn__arrow_make_offsets(const kn_column *c, size_t count, size_t width);
/** Strings and large strings: the texts, one after the other. */
void *kn__arrow_make_bytes(const kn_column *c, size_t count);
/** String views into the texts of the values that are used, their only buffer of texts. */
void *kn__arrow_make_views(const kn_column *c, const kn_arrow_used *used, size_t count);
/** String views: how long that buffer is. */
void *kn__arrow_make_view_sizes(const kn_column *c, const kn_arrow_used *used);

#endif
