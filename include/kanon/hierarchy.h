/* kanon/hierarchy.h - generalisation hierarchies: trees over the values of a column.
 *
 * A hierarchy has leaves (values of the data), and above each leaf a path of nodes up to one root.
 * Level 0 is the leaf itself, level 1 the node above, and so on; on paths that are shorter than the
 * highest, the upper levels repeat the root. A label may stand on several levels: a node is a
 * place, not a label. */
#ifndef KANON_HIERARCHY_H
#define KANON_HIERARCHY_H

#include "kanon/dataset.h"
#include "kanon/error.h"
#include "kanon/memory.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_hierarchy kn_hierarchy;

/** What to do with a value of the data that no leaf covers. */
typedef enum kn_uncovered {
    KN_UNCOVERED_ERROR = 0, /**< refuse, listing the values */
    KN_UNCOVERED_SUPPRESS,  /**< suppress the records that hold it */
    KN_UNCOVERED_ROOT       /**< publish it as the root, always */
} kn_uncovered;

/** Read a hierarchy file: ARX's CSV rows (separator `;`, `,` or tab, found by looking), Amnesia's
 * text or JSON. KN_EINPUT for a file that is missing, unreadable or wrong; `err` names the file and
 * the line. docs/hierarchies.md has the rules. */
kn_status kn_hierarchy_read(kn_hierarchy **out, const char *path, kn_error *err);
/** The same of the `len` bytes of such a file, which messages call `name`. */
kn_status kn_hierarchy_parse(kn_hierarchy **out, const char *bytes, size_t len, const char *name,
                             kn_error *err);
/** The same of rows in memory: row `i` has lengths[i] labels, from a value up to the root, which is
 * the same in all rows. Labels are taken as they are: no separator, quote or space in them means
 * anything. Nothing of `rows` is kept. O(labels).
 *  @return KN_EINPUT as for a file; messages call the rows `name` and count them as lines. */
kn_status kn_hierarchy_from_rows(kn_hierarchy **out, const char *const *const *rows,
                                 const size_t *lengths, size_t count, const char *name,
                                 kn_error *err);
/** Write as ARX's rows with `;`; what rows cannot say (ranges without their values, a missing
 * value) as Amnesia's JSON. The file appears whole or not at all. "-" is standard output. */
kn_status kn_hierarchy_write(const kn_hierarchy *h, const char *path, kn_error *err);
void kn_hierarchy_free(kn_hierarchy *h);

/** Join `count` (1 or more) hierarchies, one a family of items, below a new root `*`. The root of a
 * family becomes a group; if it is `*` itself, what is below it hangs below the new root. Nothing
 * of `families` is kept. O(nodes x count).
 *  @return KN_EINPUT, naming both places, for a value or a group that stands in two of them, and
 * for one whose values are ranges. */
kn_status kn_hierarchy_join(kn_hierarchy **out, const kn_hierarchy *const *families, size_t count,
                            kn_error *err);

/** Levels, leaf level and root level included: 2 for leaves directly below the root. Where the
 * leaves are ranges (Amnesia's), the values within them are one level more. */
size_t kn_hierarchy_levels(const kn_hierarchy *h);
size_t kn_hierarchy_leaves(const kn_hierarchy *h);
size_t kn_hierarchy_nodes(const kn_hierarchy *h);

/* Walking it. Nodes are numbered from 0: the leaves in the order of the file, then the groups, the
 * root last; a node has a smaller number than the one above it. What does not exist is SIZE_MAX.
 *
 *     for (size_t leaf = 0; leaf < kn_hierarchy_leaves(h); leaf++) {
 *         for (size_t at = leaf; at != SIZE_MAX; at = kn_hierarchy_parent(h, at)) {
 *             printf("%s;", kn_hierarchy_label(h, at));
 *         }
 *     }
 */

/** The label of `node`, which lives as long as `h`; or NULL. */
const char *kn_hierarchy_label(const kn_hierarchy *h, size_t node);
/** The node above; SIZE_MAX above the root. */
size_t kn_hierarchy_parent(const kn_hierarchy *h, size_t node);
/** How many nodes are directly below `node`, 0 for leaves, and the `i`-th of them in the order of
 * their numbers. O(1). */
size_t kn_hierarchy_children(const kn_hierarchy *h, size_t node);
size_t kn_hierarchy_child(const kn_hierarchy *h, size_t node, size_t i);
/** Steps from `node` up to the root, which has 0. */
size_t kn_hierarchy_depth(const kn_hierarchy *h, size_t node);
/** What `node` is `steps` levels higher; the root, where the path is shorter. For a leaf and a
 * level that is its label on this level. O(steps). */
size_t kn_hierarchy_above(const kn_hierarchy *h, size_t node, size_t steps);
/** The leaf with this label. Expected O(length). Values of a column may be written otherwise than
 * their leaf (1.0 for 1) or lie in its range: kn_hierarchy_covers knows these rules. */
size_t kn_hierarchy_find(const kn_hierarchy *h, const char *label);
/** Whether `node` is a leaf that stands for the numbers or dates of a range. */
bool kn_hierarchy_is_range(const kn_hierarchy *h, size_t node);

/** Whether every value of the column is covered; if not, `err` lists the first values that are not,
 * and their count. */
kn_status kn_hierarchy_covers(const kn_hierarchy *h, const kn_dataset *ds, size_t column,
                              kn_error *err);

/** Draw the tree as text, at most `max_children` children a node and `max_depth` levels (0: all),
 * into a string that the caller frees with kn_string_free. */
kn_status kn_hierarchy_show(char **out, const kn_hierarchy *h, size_t max_children,
                            size_t max_depth, kn_error *err);

/** How kn_hierarchy_build makes a hierarchy over the values of a column. */
typedef enum kn_build_kind {
    KN_BUILD_WIDTH,     /**< numbers: ranges of equal width, then `fanout` neighbours at a time */
    KN_BUILD_FREQUENCY, /**< numbers: ranges with equally many records, then likewise */
    KN_BUILD_CUTS,      /**< numbers: ranges between given cuts, then likewise */
    KN_BUILD_DATES,     /**< day > month > quarter > year > decade > * */
    KN_BUILD_PREFIX,    /**< text: shorter and shorter prefixes (postcodes, ICD codes) */
    KN_BUILD_MASK,      /**< text: the last characters replaced by `*`, one more a level */
    KN_BUILD_FANOUT,    /**< sorted values, `fanout` neighbours at a time */
    KN_BUILD_BANDS, /**< text: bands such as [0-10), 18-24 and 65+, in the order of their numbers,
                         `fanout` neighbours at a time */
    KN_BUILD_CODE_LIST, /**< the groups that a table `code,label,group,...` gives to each code */
    KN_BUILD_PACK       /**< codes in common use, such as those of countries: kn_pack_name */
} kn_build_kind;

typedef struct kn_build_options {
    size_t size; /**< KN_INIT sets it */
    kn_build_kind kind;
    double width;       /**< KN_BUILD_WIDTH; 0: about 20 ranges, round numbers */
    double origin;      /**< KN_BUILD_WIDTH: a boundary; default 0 */
    size_t ranges;      /**< KN_BUILD_FREQUENCY; 0: 20 */
    const double *cuts; /**< KN_BUILD_CUTS: increasing */
    size_t cuts_count;
    size_t fanout;         /**< 0: 2 for ranges, 5 for KN_BUILD_FANOUT */
    const size_t *lengths; /**< KN_BUILD_PREFIX: prefix lengths, decreasing; NULL: one character
                              less a level */
    size_t lengths_count;
    const char *date_format; /**< KN_BUILD_DATES: the order of day and month in local dates, such as
                                  "DD/MM/YYYY"; NULL: as the values show */
    const char
        *code_list;   /**< KN_BUILD_CODE_LIST: a table with a header, `code,label,group,...`, the
                           smallest group first. KN_BUILD_PACK: names for its groups; or NULL */
    const char *pack; /**< KN_BUILD_PACK: its name */
    size_t digits;    /**< KN_BUILD_PREFIX: whole numbers are codes of so many digits, which lost
                           zeros in front or were written as floats: with 5, 1234 and 1234.0 are
                           01234; 0: texts are taken as they are */
} kn_build_options;

/** The packs: name and help of number `i`, NULL behind the last. docs/hierarchies.md lists them. */
const char *kn_pack_name(size_t i);
const char *kn_pack_help(size_t i);

enum { KN_ADVICE_NUMBERS = 64, KN_ADVICE_WORDS = 256 };

/** Which hierarchy suits a column, and why. */
typedef struct kn_hierarchy_advice {
    bool wanted;   /**< false: no hierarchy; few values are published in sets without one */
    bool doubtful; /**< the groups would mean nothing: a person should make better ones */
    kn_build_kind kind;
    double width;                   /**< kn_build_options.width; 0: none */
    double cuts[KN_ADVICE_NUMBERS]; /**< with round ends */
    size_t cuts_count;
    size_t lengths[KN_ADVICE_NUMBERS];
    size_t lengths_count;
    size_t digits; /**< kn_build_options.digits */
    const char *pack, *date_format;
    char words[KN_ADVICE_WORDS]; /**< "ranges of 5, then of 10, 20, ..." */
} kn_hierarchy_advice;

/** Look at the values of `column`, where `codes` says that whole numbers are codes without an
 * order: dates, bands, codes of a pack, numbers, codes of one length, other texts, in that order.
 * O(records + values). */
kn_status kn_hierarchy_suggest(kn_hierarchy_advice *out, const kn_dataset *ds, size_t column,
                               bool codes, kn_error *err);
/** kn_hierarchy_build as `advice` says. KN_EUSAGE where no hierarchy is wanted. */
kn_status kn_hierarchy_build_suggested(kn_hierarchy **out, const kn_dataset *ds, size_t column,
                                       const kn_hierarchy_advice *advice, kn_error *err);

/** Make a hierarchy over the values of `column`; missing values are left out, and later hang below
 * the root. Labels are those of docs/hierarchies.md. KN_EUSAGE when the options or the column's
 * type do not fit, KN_EINPUT when the values do not. O(records + values x levels). */
kn_status kn_hierarchy_build(kn_hierarchy **out, const kn_dataset *ds, size_t column,
                             const kn_build_options *options, kn_error *err);

/** Hierarchies by column name. It owns what is added: from then on kn_hierarchy_free does nothing
 * to it, and it can be added nowhere else. */
typedef struct kn_hierarchies kn_hierarchies;
kn_status kn_hierarchies_new(kn_hierarchies **out, kn_error *err);
void kn_hierarchies_free(kn_hierarchies *hs);
/** Add `h` for `column`; replaces an earlier one. Adding the same `h` for the same column again
 * changes nothing. On failure the caller still owns `h`, unless it was added before.
 *  @return KN_EUSAGE when `h` was added before, for another column or to another set. */
kn_status kn_hierarchies_add(kn_hierarchies *hs, const char *column, kn_hierarchy *h,
                             kn_error *err);
const kn_hierarchy *kn_hierarchies_get(const kn_hierarchies *hs, const char *column);
/** Add `h` to what `column` has already: the families are joined (kn_hierarchy_join). On failure
 * nothing has changed, and the caller still owns `h`, unless it was added before (KN_EUSAGE). */
kn_status kn_hierarchies_add_family(kn_hierarchies *hs, const char *column, kn_hierarchy *h,
                                    kn_error *err);
/** The values of `column` are codes: one that is no leaf goes where the leaf goes that it is
 * without leading zeros and without what follows a point, so that 250.83 belongs with 250, and 8
 * with 008. False if the column has no hierarchy. */
bool kn_hierarchies_set_codes(kn_hierarchies *hs, const char *column);
/** The hierarchy of the item column `name` out of those of `columns`, whose items it holds as
 * COLUMN:ITEM (kn_schema_set_together): all labels get that prefix, and a new root `*` is above
 * them. Nothing happens when `name` has a hierarchy or none of the columns does.
 *  @return KN_EINPUT for one whose values are ranges. */
kn_status kn_hierarchies_put_together(kn_hierarchies *hs, const char *name,
                                      const char *const *columns, size_t count, kn_error *err);
/** Read COLUMN.csv, COLUMN.txt or COLUMN.json from `folder` for each column of `ds` that has such a
 * file and no hierarchy yet; for a column of items also every COLUMN.FAMILY.csv and so on, joined
 * in the order of their names. Sets `*found` (may be NULL) to how many. */
kn_status kn_hierarchies_read_folder(size_t *found, kn_hierarchies *hs, const char *folder,
                                     const kn_dataset *ds, kn_error *err);

/** Write the hierarchies to `folder`, which is made if it is not there, as COLUMN.csv, or
 * COLUMN.json for what rows cannot say: all files or none. A file that is there already is refused
 * (KN_EUSAGE), and so is a column whose name cannot be one of a file. */
kn_status kn_hierarchies_write_folder(const kn_hierarchies *hs, const char *folder, kn_error *err);

/** To which class of tree records a text belongs, by the labels of the classes' hierarchies (leaves
 * and groups): what kn_read_options.class_of wants. */
typedef struct kn_class_index kn_class_index;
/** Index the hierarchies of `count` classes, which are named in their order; nothing of them is
 * kept. O(nodes). */
kn_status kn_class_index_new(kn_class_index **out, const kn_hierarchies *hierarchies,
                             const char *const *classes, size_t count, kn_error *err);
void kn_class_index_free(kn_class_index *index);
/** The number of the class that has `text`, KN_CLASS_UNKNOWN or KN_CLASS_SEVERAL (kanon/io.h).
 * `index` is a kn_class_index. Expected O(len). */
size_t kn_class_index_find(void *index, const char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
