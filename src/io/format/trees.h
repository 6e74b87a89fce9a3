/* io/format/trees.h - what the readers and writers of tree records share. */
#ifndef KN_IO_FORMAT_TREES_H
#define KN_IO_FORMAT_TREES_H

#include "data/tree_shape.h"
#include "io/reader.h"
#include "io/writer.h"

/** Reads a file block by block: `enough` says whether what was read so far holds a whole record;
 * `parse` takes the whole records at the beginning of `text`, sets `*used` to their bytes and
 * `*lines` to their line ends; `last`: the file ends with `text`. Reports progress between blocks.
 */
typedef struct kn_tree_feed {
    bool (*enough)(void *user, const char *text, size_t len);
    kn_status (*parse)(void *user, const char *text, size_t len, bool last, size_t *used,
                       size_t *lines, kn_error *err);
    void *user;
} kn_tree_feed;
kn_status kn__tree_feed_run(kn_reading *r, const kn_tree_feed *feed, kn_error *err);

/** "line N, character M" of text[at] in a line that begins at `text`. */
typedef struct kn_tree_place {
    char text[64];
} kn_tree_place;
kn_tree_place kn__tree_place(size_t line, const char *text, size_t at);
/** Refuse a text that no value may be: not UTF-8, or with NUL. `line` is that of text[0]. */
kn_status kn__tree_check_text(const char *text, size_t len, size_t line, kn_error *err);

/** A builder with the classes of the schema, if it has any. */
kn_status kn__tree_builder(const kn_reading *r, kn_forest_builder **out, kn_error *err);
/** The schema's notation, parsed, in `*out`, its classes numbered as in `b`; NULL where it has
 * none. */
kn_status kn__tree_shape_of(const kn_reading *r, kn_forest_builder *b, kn_tree_shape **out,
                            kn_error *err);
/** Finish `b` (freed in any case) as a dataset. Without classes in the schema their order is found
 * from the relations, unless `ordered`: the file states it. */
kn_status kn__tree_finish(const kn_reading *r, kn_forest_builder *b, bool ordered, kn_dataset **out,
                          kn_error *err);

/** Writing: the published forest into w->forest, or KN_EUSAGE where there is none; `format` is the
 * format's name for the message. */
kn_status kn__tree_writing(kn_writing *w, const char *format, kn_error *err);
/** Work out w->trees, the text of each code: `put` appends it. */
kn_status kn__tree_fill(kn_writing *w,
                        void (*put)(const kn_writing *w, uint32_t code, kn_buffer *out),
                        kn_error *err);
/** Append the text of a code. */
static inline void kn__tree_put(const kn_writing *w, uint32_t code, kn_buffer *out)
{
    kn__buffer_add(out, w->trees.bytes + w->trees.starts[code],
                   w->trees.starts[code + 1] - w->trees.starts[code]);
}

/** What the writers of JSON and JSON Lines do with trees. */
kn_status kn__json_prepare_trees(kn_writing *w, kn_error *err);
void kn__json_put_trees(const kn_writing *w, size_t begin, size_t end, kn_buffer *out);

#endif
