/* job_areas.c - files about the areas of a release: GeoJSON, a table, a hierarchy. */
#include "base/error.h"
#include "job/job_context.h"
#include "release/release.h"

const char *const kn__area_files[KN_AREA_FILES] = {"map", "areas", "mapping"};

static void (*const writers[KN_AREA_FILES])(const kn_areas *areas, const kn_column *column,
                                            kn_buffer *out) = {kn__areas_geojson, kn__areas_csv,
                                                               kn__areas_mapping};

/* The column that the areas are made of. */
static const kn_column *items_of(const kn_dataset *ds)
{
    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == KN_ROLE_QUASI && ds->column[i].starts) {
            return &ds->column[i];
        }
    }
    return NULL;
}

static kn_status put_file(const kn_job_context *w, size_t i, const char *path, kn_sink **sink,
                          kn_error *err)
{
    kn_buffer text = {0};
    kn_status status;

    writers[i](w->release->areas, items_of(w->original), &text);
    KN_TRY(text.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(
        kn__sink_put(sink, path, KN_COMPRESSION_AUTO, text.data ? text.data : "", text.len, err));
done:
    kn__buffer_free(&text);
    return status;
}

kn_status kn__job_context_put_areas(const kn_job_context *w, kn_sink **sinks, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < KN_AREA_FILES; i++) {
        const char *path = kn_job_get(w->job, kn__area_files[i], 0);
        if (!path) {
            continue;
        }
        if (!w->release || !w->release->areas) {
            return kn__fail(err, KN_EUSAGE,
                            "--%s is about areas: take --method sampling with --coordinates FILE",
                            kn__area_files[i]);
        }
        KN_TRY(put_file(w, i, path, &sinks[i], err));
    }
done:
    return status;
}
