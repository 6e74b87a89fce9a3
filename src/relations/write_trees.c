/* write_trees.c - tree records that were made of tables, with the hierarchies of their classes. */
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "io/bytes/file.h"
#include "io/bytes/paths.h"
#include "io/reader.h"
#include "io/writer.h"
#include "relations/tables.h"

#include <string.h>
#include <unistd.h>

/* The sink is finished, not committed. */
static kn_status put_trees(kn_sink **sink, const kn_dataset *trees, const char *path,
                           const kn_layout *layout, const kn_run *run, kn_error *err)
{
    const kn_layout l = kn__write_layout(trees, path, layout);

    KN_PASS(kn__refuse_foreign_name(path, err));
    KN_PASS(kn__sink_open(sink, path, l.compression, err));
    KN_PASS(kn__write_to_sink(trees, *sink, &l, run, err));
    return kn__sink_finish(*sink, err);
}

static kn_status put_hierarchy(kn_sink **sink, const kn_relations *r, const kn_dataset *trees,
                               size_t column, size_t fanout, const char *folder, kn_error *err)
{
    kn_buffer path = {0}, text = {0};
    kn_hierarchy *h = NULL;
    kn_status status;

    KN_TRY(kn__relations_hierarchy(r, trees, column, fanout, &h, err));
    KN_TRY(kn__hierarchy_format(h, &text, err));
    kn__buffer_addf(&path, "%s/%s.csv", folder, trees->column[column].name);
    KN_TRY(path.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__sink_put(sink, path.data, KN_COMPRESSION_NONE, text.data, text.len, err));
done:
    kn_hierarchy_free(h);
    kn__buffer_free(&text);
    kn__buffer_free(&path);
    return status;
}

kn_status kn_relations_write(const kn_relations *r, const kn_dataset *trees, const char *path,
                             const kn_layout *layout, size_t fanout, const char *folder,
                             const kn_run *run, kn_error *err)
{
    KN_NEED(err, r, trees, folder);
    KN_NEED_SIZED(err, layout);
    KN_NEED_SIZED(err, run);

    kn_sink **sinks = kn__zalloc_array(trees->columns + 1, sizeof(kn_sink *));
    bool made = false; /* the folder, by this call */
    kn_status status;

    KN_TRY(sinks ? KN_OK : kn__nomem(err));
    KN_TRY(kn__folder_make(folder, &made, err));
    if (path) {
        KN_TRY(put_trees(&sinks[0], trees, path, layout, run, err));
    }
    for (size_t i = 0; i < trees->columns; i++) {
        const kn_column *c = &trees->column[i];
        if (kn__column_values(c) && !strchr(c->name, '/')) {
            KN_TRY(put_hierarchy(&sinks[i + 1], r, trees, i, fanout, folder, err));
        }
    }
    KN_TRY(kn__sinks_commit(sinks, trees->columns + 1, err));
done:
    for (size_t i = 0; sinks && i <= trees->columns; i++) {
        kn__sink_abandon(sinks[i]);
    }
    if (status != KN_OK && made) {
        (void)rmdir(folder);
    }
    kn__free(sinks);
    return status;
}
