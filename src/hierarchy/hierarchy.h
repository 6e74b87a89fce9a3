/* hierarchy/hierarchy.h - the inside of a hierarchy, and how readers and builders make one.
 *
 * Leaves come first, in the order of the file, then the inner nodes, the deepest first, the root
 * last: a parent's number is always greater than its children's, so one pass upwards in number
 * visits children before parents. Two inner nodes never share both depth and label; a leaf may have
 * the label of any inner node.
 *
 * Some leaves may be ranges (Amnesia's hierarchies of numbers and dates): such a leaf covers the
 * values of a column that lie in it, and they form one more level below it. */
#ifndef KN_HIERARCHY_HIERARCHY_H
#define KN_HIERARCHY_HIERARCHY_H

#include "base/buffer.h"
#include "data/dataset.h"
#include "kanon/hierarchy.h"

/** Levels that a hierarchy may have at most: paths are walked and level tables stored, so more are
 * a mistake. */
#define KN_LEVELS_MOST 1000

struct kn_sink;
struct kn_text_rows;

struct kn_hierarchy {
    char *name;     /* the file or builder that it comes from, for messages */
    uint32_t nodes; /* leaves and inner nodes */
    uint32_t leaves;
    uint32_t levels;
    char *text;       /* all labels, NUL-terminated */
    size_t *label;    /* by node: where in text */
    uint32_t *parent; /* by node; the root is its own */
    uint32_t *depth;  /* by node; the root has 0 */
    uint32_t *child;  /* all nodes but the root, those with the same parent in a row, in the order
                         of their numbers */
    uint32_t *child_begin; /* by node: where its children begin in `child`; one more at the end */
    uint32_t *line;        /* by node: the line of the file that first names it; 0: unknown */
    kn_dict *leaf;         /* labels of leaves; its codes are the leaves' numbers */
    uint32_t missing;      /* the leaf that stands for a missing value, or KN_NO_CODE */
    kn_type type; /* what ranges are over: KN_TYPE_DECIMAL or KN_TYPE_DATE; KN_TYPE_CATEGORY: there
                     are none */
    double *low; /* by leaf: its range, NaN where the leaf is a single value. NULL when no leaf is a
                    range */
    double *high;
    uint8_t *closed; /* by leaf: the range includes `high` (unless another range begins there) */
    bool owned;      /* by a kn_hierarchies, which alone may free it */
    bool codes;      /* values that are no leaf are bound as codes: see kn_hierarchies_set_codes */
};

static inline const char *kn__hierarchy_label(const kn_hierarchy *h, uint32_t node)
{
    return h->text + h->label[node];
}
static inline uint32_t kn__hierarchy_children(const kn_hierarchy *h, uint32_t node)
{
    return h->child_begin[node + 1] - h->child_begin[node];
}
static inline bool kn__hierarchy_is_range(const kn_hierarchy *h, uint32_t leaf)
{
    return h->low && h->low[leaf] <= h->high[leaf];
}

/** Start `r` at `bytes` with the separator that occurs in every row. `*trailing`: every row ends
 * with it. */
kn_status kn__rows_find_separator(struct kn_text_rows *r, const char *bytes, size_t len,
                                  bool *trailing, kn_error *err);
/** Read a hierarchy from memory; `name` is used in messages. */
kn_status kn__hierarchy_parse(kn_hierarchy **out, const char *name, const char *bytes, size_t len,
                              kn_error *err);
/** Whether the invariants above hold; if not, `*reason` names one that does not. */
bool kn__hierarchy_validate(const kn_hierarchy *h, const char **reason);
/** Append the text that kn_hierarchy_write writes: ARX's rows, or Amnesia's JSON for what rows
 * cannot say (ranges, a missing leaf).
 *  @return KN_EINPUT when the JSON form cannot tell a leaf from an inner node of the same label. */
kn_status kn__hierarchy_format(const kn_hierarchy *h, kn_buffer *out, kn_error *err);

/** For each code of `column` the leaf that covers it, KN_NO_CODE where none does, into `leaf` (as
 * many as the column has values). Returns by `*uncovered` how many values other than missing have
 * none. Exact text first, then (numbers) equal value, then ranges, then codes if asked. O(values
 * log leaves). */
kn_status kn__hierarchy_bind(const kn_hierarchy *h, const kn_column *column, uint32_t *leaf,
                             size_t *uncovered, kn_error *err);
/** KN_EINPUT with the first values for which `leaf` is KN_NO_CODE. */
kn_status kn__hierarchy_fail_uncovered(const kn_hierarchy *h, const kn_column *column,
                                       const uint32_t *leaf, size_t uncovered, kn_error *err);

/** How many columns have a hierarchy, and number `i` of them. */
size_t kn__hierarchies_count(const kn_hierarchies *hs);
const kn_hierarchy *kn__hierarchies_at(const kn_hierarchies *hs, size_t i, const char **column);
/** Finished sinks for the files that kn_hierarchies_write_folder writes, in an array that the
 * caller frees after kn__sinks_commit, `*count` of them and two more that are NULL. `folder` must
 * be there. */
kn_status kn__hierarchies_sinks(struct kn_sink ***out, size_t *count, const kn_hierarchies *hs,
                                const char *folder, kn_error *err);
/** Append the name of a file for the hierarchy of `column`: its name, where `_` stands for what a
 * file name cannot hold. */
kn_status kn__hierarchy_file_name(kn_buffer *out, const kn_hierarchy *h, const char *column,
                                  kn_error *err);

/* ---- building ---- */
typedef struct kn_hierarchy_builder_node {
    size_t label;
    uint32_t parent; /* KN_NO_CODE while unknown */
    uint32_t line;
    bool leaf;
} kn_hierarchy_builder_node;

/** Zero-initialise, set `name`, add rows or nodes, finish, and clear in any case. */
typedef struct kn_hierarchy_builder {
    const char *name;
    kn_buffer text;
    kn_hierarchy_builder_node *node;
    size_t count, cap;
    kn_dict *leaf;       /* labels of leaves */
    uint32_t *leaf_node; /* by leaf: its node */
    size_t leaf_cap;
    kn_dict *inner; /* rows: depth and label of inner nodes */
    uint32_t *inner_node;
    size_t inner_cap;
    kn_buffer key;
} kn_hierarchy_builder;

/** Add a row, from the leaf to the root, as line `line`. */
kn_status kn__hierarchy_builder_row(kn_hierarchy_builder *m, const kn_text *labels, size_t count,
                                    size_t line, kn_error *err);
/** Add one node; parents are set afterwards in m->node[].parent. KN_EINPUT for a leaf that is there
 * already. */
kn_status kn__hierarchy_builder_add(kn_hierarchy_builder *m, const char *label, size_t len,
                                    size_t line, bool leaf, uint32_t *node, kn_error *err);
/** Refuse (KN_EINPUT) values that are in groups with each other's names, directly or not: a cycle.
 */
kn_status kn__hierarchy_builder_refuse_cycles(const kn_hierarchy_builder *m, kn_error *err);
/** Make the hierarchy. Exactly one node has no parent. */
kn_status kn__hierarchy_builder_finish(kn_hierarchy_builder *m, kn_hierarchy **out, kn_error *err);
void kn__hierarchy_builder_clear(kn_hierarchy_builder *m);

/** Readers of the single forms; `bytes` is valid UTF-8 without NUL and without byte order mark. */
kn_status kn__amnesia_parse_text(kn_hierarchy **out, const char *name, const char *bytes,
                                 size_t len, kn_error *err);
kn_status kn__amnesia_parse_json(kn_hierarchy **out, const char *name, const char *bytes,
                                 size_t len, kn_error *err);
/** Read the labels of `h` as numbers or dates (`type`), single or ranges, and as missing
 * values. */
kn_status kn__amnesia_set_type(kn_hierarchy *h, kn_type type, kn_error *err);

/** Builders; `m` receives the rows. */
kn_status kn__build_ranges(kn_hierarchy_builder *m, const kn_column *column,
                           const uint64_t *records, const kn_build_options *options, kn_error *err);

kn_status kn__build_bands(kn_hierarchy_builder *m, const kn_column *column,
                          const kn_build_options *options, kn_error *err);
/** KN_BUILD_CODE_LIST and KN_BUILD_PACK. */
kn_status kn__build_codes(kn_hierarchy_builder *m, const kn_column *column,
                          const kn_build_options *options, kn_error *err);

/** Append a text to a set or group label: quoted as in CSV when it is empty, has spaces around it,
 * or holds a character of the notation: `,` `{` `}` `"` or "..". */
void kn__set_add_text(kn_buffer *out, const char *text, size_t len);
/** Read one text of a set back: `*at` is behind the brace or comma before it and stops at the comma
 * or brace behind it; `text` receives it without quotes. False when the set is not well formed. */
bool kn__set_next_text(const char **at, const char *end, kn_buffer *text);

#endif
