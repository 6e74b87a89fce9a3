/* folder.c - write the hierarchies of a table to a folder, one file per column, all or none. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "io/bytes/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 200 };

kn_status kn__hierarchy_file_name(kn_buffer *out, const kn_hierarchy *h, const char *column,
                                  kn_error *err)
{
    const bool rows = !h->low && h->missing == KN_NO_CODE;

    for (size_t i = 0; column[i] && i < LONGEST_NAME; i++) {
        const bool kept = column[i] != '/' && (i > 0 || column[i] != '.');
        kn__buffer_addc(out, (char)(kept ? column[i] : '_'));
    }
    kn__buffer_adds(out, rows ? ".csv" : ".json");
    return out->failed ? kn__nomem(err) : KN_OK;
}

/* Such a file is found again by the name of its column. */
static kn_status refuse_names(const kn_hierarchies *hs, kn_error *err)
{
    for (size_t i = 0; i < kn__hierarchies_count(hs); i++) {
        const char *column;
        (void)kn__hierarchies_at(hs, i, &column);
        if (!*column || column[0] == '.' || strchr(column, '/') || strlen(column) > LONGEST_NAME) {
            return kn__fail(err, KN_EUSAGE,
                            "column '%.100s' cannot be the name of a file; rename it, or build its "
                            "hierarchy with -o FILE",
                            column);
        }
    }
    return KN_OK;
}

static kn_status put_one(kn_sink **out, const kn_hierarchy *h, const char *column,
                         const char *folder, kn_error *err)
{
    kn_buffer path = {0}, text = {0};
    struct stat info;
    kn_status status;

    kn__buffer_addf(&path, "%s/", folder);
    KN_TRY(kn__hierarchy_file_name(&path, h, column, err));
    if (lstat(path.data, &info) == 0) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "%s: it is there already and is not overwritten; remove it, or choose "
                        "another folder",
                        path.data));
    }
    KN_TRY(kn__hierarchy_format(h, &text, err));
    KN_TRY(kn__sink_put(out, path.data, KN_COMPRESSION_NONE, text.data, text.len, err));
done:
    kn__buffer_free(&path);
    kn__buffer_free(&text);
    return status;
}

kn_status kn__hierarchies_sinks(kn_sink ***out, size_t *count, const kn_hierarchies *hs,
                                const char *folder, kn_error *err)
{
    const size_t all = kn__hierarchies_count(hs);
    kn_sink **sinks = kn__zalloc_array(all + 2, sizeof *sinks);
    const char *column;
    kn_status status;

    *out = NULL;
    KN_TRY(sinks ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < all; i++) {
        const kn_hierarchy *h = kn__hierarchies_at(hs, i, &column);
        KN_TRY(put_one(&sinks[i], h, column, folder, err));
    }
    *out = sinks;
    *count = all;
    sinks = NULL;
done:
    for (size_t i = 0; sinks && i < all; i++) {
        kn__sink_abandon(sinks[i]);
    }
    kn__free(sinks);
    return status;
}

kn_status kn_hierarchies_write_folder(const kn_hierarchies *hs, const char *folder, kn_error *err)
{
    KN_NEED(err, hs, folder);

    kn_sink **sinks = NULL;
    size_t count = 0;
    bool made = false;
    kn_status status;

    KN_TRY(refuse_names(hs, err));
    made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST) {
        KN_TRY(kn__fail_errno(err, folder, "the folder cannot be made", errno));
    }
    KN_TRY(kn__hierarchies_sinks(&sinks, &count, hs, folder, err));
    KN_TRY(kn__sinks_commit(sinks, count, err));
done:
    kn__free(sinks);
    if (status != KN_OK && made) {
        (void)rmdir(folder);
    }
    return status;
}
