/* io/format/arrow_own.h - schemas and arrays that are handed out: each owns its memory, or a share
 * of a dataset's. */
#ifndef KN_IO_FORMAT_ARROW_OWN_H
#define KN_IO_FORMAT_ARROW_OWN_H

#include "data/dataset.h"
#include "kanon/arrow.h"

#include <stdbool.h>
#include <stddef.h>

/** A schema that may be null, with room for `children` of them. On failure it is fit to be
 * released.
 */
bool kn__arrow_schema_make(struct ArrowSchema *s, const char *format, const char *name,
                           size_t children);
/** The same, with format, name, flags and number of children of `from`. Of its metadata only what
 * names an extension type is copied: the rest may say anything. */
bool kn__arrow_schema_like(struct ArrowSchema *to, const struct ArrowSchema *from);
/** The same, with its children and dictionaries. */
bool kn__arrow_schema_copy(struct ArrowSchema *to, const struct ArrowSchema *from);

/** What an array owns: `made` by buffer, NULL for those that it borrows from `share`. */
typedef struct kn_arrow_owned {
    kn_dataset *share; /* NULL: no buffer is a dataset's */
    void **made;
    const void **buffers;
} kn_arrow_owned;

/** An array of `length` elements with room for `buffers` and `children`. NULL: out of memory, and
 * the array is fit to be released. */
kn_arrow_owned *kn__arrow_array_make(struct ArrowArray *a, size_t length, size_t buffers,
                                     size_t children);
/** Give buffer `i` to the array. False for NULL: it could not be allocated. */
bool kn__arrow_own(kn_arrow_owned *o, size_t i, void *made);
/** Let buffer `i` be one of the dataset's. */
void kn__arrow_borrow(kn_arrow_owned *o, size_t i, const kn_dataset *ds, const void *buffer);

#endif
