/* report/tree_examples.h - tree records before and after, drawn side by side. */
#ifndef KN_REPORT_TREE_EXAMPLES_H
#define KN_REPORT_TREE_EXAMPLES_H

#include "base/buffer.h"
#include "data/trees.h"

/** A part of an original record that several records share, and the whole record as published. */
typedef struct kn_tree_example {
    size_t record;
    uint32_t *nodes; /* of the original record, ascending: those that are shown */
    size_t count;
    size_t shared_by; /* so many records hold this part */
} kn_tree_example;

/** Find at most `most` examples: records whose part that at least `least` records share is largest
 * (at least two nodes), in the order of the records. A report shows no more of an original: a whole
 * record would be one person's. Looks at the first KN_EXAMPLE_RECORDS records only.
 *  @return the examples in `*out` (`*count` of them; free with kn__tree_examples_free). */
enum { KN_EXAMPLE_RECORDS = 20000 };
kn_status kn__tree_examples_find(const kn_forest *f, size_t least, size_t most,
                                 kn_tree_example **out, size_t *count, kn_error *err);
void kn__tree_examples_free(kn_tree_example *examples, size_t count);

/** Append one example as an HTML figure with two drawings (SVG): before, and record `published` of
 * `after`, which is what became of it; the two forests number classes alike. Generalised values and
 * nodes that stand higher than before are marked. `*ids` numbers the titles. */
void kn__svg_tree_pair(kn_buffer *b, const kn_forest *before, const kn_tree_example *example,
                       const kn_forest *after, size_t published, unsigned *ids);
/** Append the drawing of one record; `nodes` (`count` of them, ascending, closed upward) or NULL:
 * all. `marks` (by node; NULL: none): KN_MARK_*. */
enum { KN_MARK_NONE = 0, KN_MARK_GENERALISED, KN_MARK_MOVED };
void kn__svg_tree(kn_buffer *b, const kn_forest *f, size_t record, const uint32_t *nodes,
                  size_t count, const uint8_t *marks, const char *title, unsigned *ids);

#endif
