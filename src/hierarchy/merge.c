/* merge.c - merge the hierarchies of several columns whose items are merged into one column.
 *
 * Items are called COLUMN:ITEM, and so are the groups above them, the root of each column as well
 * (`diagnosis:*` is any diagnosis): no two columns can share a label. Above all is a new root `*`.
 */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

/* `h` with "COLUMN:" before all labels. */
static kn_status prefixed(kn_hierarchy **out, const char *column, const kn_hierarchy *h,
                          kn_error *err)
{
    kn_hierarchy_builder builder = {.name = h->name};
    kn_buffer label = {0};
    uint32_t *to = kn__malloc_array(h->nodes, sizeof *to);
    kn_status status;

    *out = NULL;
    KN_TRY(to ? KN_OK : kn__nomem(err));
    if (h->low) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%s: its values are ranges, and the items of '%.100s' are put together "
                        "with others: give a hierarchy of single values",
                        kn__place_make(h->name, 0).text, column));
    }
    for (uint32_t i = 0; i < h->nodes; i++) {
        label.len = 0;
        kn__buffer_addf(&label, "%s:%s", column, kn__hierarchy_label(h, i));
        KN_TRY(label.failed ? kn__nomem(err)
                            : kn__hierarchy_builder_add(&builder, label.data, label.len, h->line[i],
                                                        i < h->leaves, &to[i], err));
    }
    for (uint32_t i = 0; i + 1 < h->nodes; i++) {
        builder.node[to[i]].parent = to[h->parent[i]];
    }
    KN_TRY(kn__hierarchy_builder_finish(&builder, out, err));
done:
    kn__hierarchy_builder_clear(&builder);
    kn__buffer_free(&label);
    kn__free(to);
    return status;
}

kn_status kn_hierarchies_put_together(kn_hierarchies *hs, const char *name,
                                      const char *const *columns, size_t count, kn_error *err)
{
    KN_NEED(err, hs, name);
    KN_NEED_LIST(err, columns, count);

    kn_hierarchy **part, *joined = NULL;
    size_t parts = 0;
    kn_status status;

    if (kn_hierarchies_get(hs, name)) {
        return KN_OK;
    }
    part = kn__zalloc_array(count, sizeof(kn_hierarchy *));
    KN_TRY(part ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const kn_hierarchy *h = kn_hierarchies_get(hs, columns[i]);
        if (h) {
            KN_TRY(prefixed(&part[parts++], columns[i], h, err));
        }
    }
    if (parts) {
        KN_TRY(kn_hierarchy_join(&joined, (const kn_hierarchy *const *)part, parts, err));
        KN_TRY(kn_hierarchies_add(hs, name, joined, err));
    }
done:
    if (status != KN_OK) {
        kn_hierarchy_free(joined);
    }
    for (size_t i = 0; i < parts; i++) {
        kn_hierarchy_free(part[i]);
    }
    kn__free(part);
    return status;
}
