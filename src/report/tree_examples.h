/* report/tree_examples.h - tree records before and after, drawn side by side. */
#ifndef KN_REPORT_TREE_EXAMPLES_H
#define KN_REPORT_TREE_EXAMPLES_H

#include "base/buffer.h"
#include "data/trees.h"

/** A part of a record that several records share. */
typedef struct kn_tree_example {
    size_t record;
    uint32_t *nodes; /* of the record, ascending: those that are shown */
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
/** The part of record `record` that at least `least` records share, in `*out` (free its nodes with
 * kn__free). */
kn_status kn__tree_example_part(const kn_forest *f, size_t record, size_t least,
                                kn_tree_example *out, kn_error *err);
void kn__tree_examples_free(kn_tree_example *examples, size_t count);

/** Append a figure (HTML) with two drawings (SVG) side by side: parts of a record before and after.
 * Both parts are shared by several records, so that the figure ties no original value to one
 * published record. The two forests number classes alike. Generalised values and nodes that stand
 * higher than before are marked. `*ids` numbers the titles. */
void kn__svg_tree_pair(kn_buffer *b, const kn_forest *before, const kn_tree_example *part,
                       const kn_forest *after, const kn_tree_example *published, unsigned *ids);
/** How a node is marked in a drawing. */
enum { KN_MARK_NONE = 0, KN_MARK_GENERALISED, KN_MARK_MOVED };

#endif
