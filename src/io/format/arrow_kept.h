/* io/format/arrow_kept.h - the columns of an Arrow stream that may be published as they are: they
 * are given back cell by cell, by the numbers of the records. */
#ifndef KN_IO_FORMAT_ARROW_KEPT_H
#define KN_IO_FORMAT_ARROW_KEPT_H

#include "data/dataset.h"
#include "io/format/arrow_nested.h"

typedef struct kn_arrow_kept kn_arrow_kept;

/** Keep those of the `count` columns of `schema` that `keep` marks; their layouts are known. */
kn_status kn__arrow_kept_new(kn_arrow_kept **out, const struct ArrowSchema *schema,
                             const bool *keep, size_t count, kn_error *err);
/** Take these columns out of the next batch, which the caller releases afterwards. */
kn_status kn__arrow_kept_add(kn_arrow_kept *k, struct ArrowArray *batch, kn_error *err);
/** What a dataset holds in `kept`: free it by its own function. */
kn_kept_cells *kn__arrow_kept_cells(kn_arrow_kept *k);
const kn_arrow_kept *kn__arrow_kept_of(const kn_dataset *ds);

/** Where the rows `rows` are (NULL: all, in order; `count` is how many); free `*out` with kn__free.
 */
kn_status kn__arrow_kept_places(kn_arrow_place **out, const kn_arrow_kept *k, const uint32_t *rows,
                                size_t count, kn_error *err);
/** The number of the kept column `name`; SIZE_MAX if there is none. */
size_t kn__arrow_kept_find(const kn_arrow_kept *k, const char *name);
/** Kept column `column` at these places, as kn__arrow_take gives it. */
kn_status kn__arrow_kept_take(struct ArrowSchema *s, struct ArrowArray *a, const kn_arrow_kept *k,
                              size_t column, const kn_arrow_place *place, size_t count,
                              kn_error *err);

#endif
