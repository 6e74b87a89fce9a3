/* job_files.c - files about a release that stand beside it: its areas as GeoJSON, a table, a
 * hierarchy; its recoding. */
#include "base/error.h"
#include "job/job_context.h"
#include "kanon/recoding.h"
#include "release/release.h"

#include <string.h>

const char *const kn__release_files[KN_RELEASE_FILES] = {"recoding", "map", "areas", "mapping"};
enum { RECODING = 0, FIRST_OF_AREAS = 1 };

static void (*const writers[KN_RELEASE_FILES - FIRST_OF_AREAS])(const kn_areas *areas,
                                                                const kn_column *column,
                                                                kn_buffer *out) = {
    kn__areas_geojson, kn__areas_csv, kn__areas_mapping};

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

static kn_status put_areas(const kn_job_context *w, size_t i, const char *path, kn_sink **sink,
                           kn_error *err)
{
    kn_buffer text = {0};
    kn_status status;

    if (!w->release || !w->release->areas) {
        return kn__fail(err, KN_EUSAGE,
                        "--%s is about areas: take --method sampling with --coordinates FILE",
                        kn__release_files[i]);
    }
    writers[i - FIRST_OF_AREAS](w->release->areas, items_of(w->original), &text);
    KN_TRY(text.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(
        kn__sink_put(sink, path, KN_COMPRESSION_AUTO, text.data ? text.data : "", text.len, err));
done:
    kn__buffer_free(&text);
    return status;
}

static kn_status put_recoding(const kn_job_context *w, const char *path, kn_sink **sink,
                              kn_error *err)
{
    kn_value_recoding *recoding = NULL;
    char *text = NULL;
    kn_status status = kn_release_recoding(&recoding, w->release, err);

    if (status == KN_EUSAGE) {
        kn__error_prefix(err, "--recoding");
    }
    KN_TRY(status);
    KN_TRY(kn_recoding_json(&text, recoding, err));
    KN_TRY(kn__sink_put(sink, path, KN_COMPRESSION_AUTO, text, strlen(text), err));
done:
    kn_string_free(text);
    kn_recoding_free(recoding);
    return status;
}

kn_status kn__job_context_put_files(const kn_job_context *w, kn_sink **sinks, kn_error *err)
{
    for (size_t i = 0; i < KN_RELEASE_FILES; i++) {
        const char *path = kn_job_get(w->job, kn__release_files[i], 0);
        if (path) {
            KN_PASS(i == RECODING ? put_recoding(w, path, &sinks[i], err)
                                  : put_areas(w, i, path, &sinks[i], err));
        }
    }
    return KN_OK;
}
