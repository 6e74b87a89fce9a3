/* io/format/document.h - one record of nested JSON or XML as a small document, and how it becomes a
 * tree: by the notation of --tree, or in kanon's own shape.
 *
 * Own shape: a member's name is a class. A scalar is a node; an object is a node whose value is its
 * member "value" ("@value" where a class is called value), and whose other members are its
 * children. The elements of a list are members of the same name. */
#ifndef KN_IO_FORMAT_DOCUMENT_H
#define KN_IO_FORMAT_DOCUMENT_H

#include "base/buffer.h"
#include "data/tree_shape.h"

/** Objects and lists (elements) may be nested so deep. */
enum { KN_DOCUMENT_DEPTH = 200 };
#define KN_NO_ITEM UINT32_MAX

typedef struct kn_document_item {
    size_t name, name_len; /* in kn_document.text */
    size_t value, value_len;
    bool object;
    uint32_t first, last, next; /* members, or KN_NO_ITEM */
    size_t line;
} kn_document_item;

/** Item 0 is the record. */
typedef struct kn_document {
    kn_buffer text;
    kn_document_item *item;
    size_t items, cap;
} kn_document;

void kn__document_clear(kn_document *d); /**< forget the items, keep the memory */
void kn__document_free(kn_document *d);
/** Add a member to object `parent` (KN_NO_ITEM: the record); `*out` is its number. */
kn_status kn__document_add(kn_document *d, uint32_t parent, const char *name, size_t len,
                           bool object, size_t line, uint32_t *out, kn_error *err);
/** Append to the value of the item added last. */
void kn__document_value(kn_document *d, uint32_t item, const char *text, size_t len);

/** The record in `d` as the next record of `b`. `shape` may be NULL: kanon's own shape. `released`:
 * the record may be in kanon's own shape although the original was in another: it is read so where
 * all its names are classes of `shape`, and its objects have values.
 *  @return KN_EINPUT with the line and the member that is of another shape. */
kn_status kn__document_to_tree(const kn_document *d, const kn_tree_shape *shape, bool released,
                               kn_forest_builder *b, kn_error *err);

#endif
