/* publish_arrow.c - a release as an Arrow stream: its arrays are read again and judged, as files
 * are, before they are given. */
#include "base/error.h"
#include "base/memory.h"
#include "guarantees/verdict.h"
#include "io/format/arrow.h"
#include "publish/publish.h"
#include "release/release.h"

/* Read the batch that `stream` is about to give, and judge it. */
static kn_status inspect(const kn_release *r, const struct ArrowArrayStream *stream,
                         const kn_run *run, kn_outcome *found, kn_error *err)
{
    kn_schema *schema = NULL;
    kn_read_options options = {0};
    kn_status status;

    KN_TRY(kn__release_schema(r, true, &schema, err));
    options.schema = schema;
    status = kn__arrow_read_batch(&found->published, kn__arrow_stream_schema(stream),
                                  kn__arrow_stream_batch(stream), &options, run, err);
    if (status == KN_EINPUT) {
        kn__error_prefix(err, "the release was withheld: it could not be read again");
        status = KN_EBROKEN;
        if (err) {
            err->status = status;
        }
    }
    KN_TRY(status);
    KN_TRY(kn__release_judge(r, run, found, err));
done:
    kn_schema_free(schema);
    return status;
}

static kn_status drop_unchanged(const kn_release *r, struct ArrowArrayStream *stream, kn_error *err)
{
    bool *changed = kn__malloc_array(r->data->columns, sizeof *changed);

    if (!changed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < r->data->columns; i++) {
        changed[i] = r->data->column[i].role == KN_ROLE_QUASI;
    }
    kn__arrow_stream_choose(stream, changed);
    kn__free(changed);
    return KN_OK;
}

kn_status kn_release_to_arrow(struct ArrowArrayStream *out, const kn_release *r,
                              const kn_release_arrow_options *options, const kn_run *run,
                              kn_outcome *outcome, kn_error *err)
{
    kn_outcome found = {0};
    kn_status status;

    *out = (struct ArrowArrayStream){0};
    if (outcome) {
        *outcome = found;
    }
    if (options && options->size < sizeof *options) {
        return kn__fail(err, KN_EUSAGE, "options->size must be sizeof(kn_release_arrow_options)");
    }
    if (r->data->records == 0) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "every record would be suppressed: nothing is left to publish");
    }
    KN_TRY(kn_dataset_to_arrow(out, r->data, run, err));
    KN_TRY(inspect(r, out, run, &found, err));
    if (outcome) {
        KN_TRY(kn__km_different(found.verdict, found.published, r->guarantees, r->guarantees_count,
                                err));
    }
    if (options && options->changed_only) {
        KN_TRY(drop_unchanged(r, out, err));
    }
    if (outcome) {
        *outcome = found;
        found = (kn_outcome){0};
    }
done:
    kn_outcome_clear(&found);
    if (status != KN_OK && out->release) {
        out->release(out);
    }
    return status;
}
