/* publish_arrow.c - a release as an Arrow stream: its arrays are read again and judged, as files
 * are, before they are given. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "guarantees/verdict.h"
#include "io/format/arrow.h"
#include "points/points.h"
#include "publish/publish.h"
#include "release/release.h"

#include <stddef.h>
#include <string.h>

/* Read the batch that `stream` is about to give, and judge it. */
static kn_status inspect(const kn_release *r, const struct ArrowArrayStream *stream, bool whole,
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
    KN_TRY(kn__dataset_take_counts(found->published, r->data, NULL, err));
    KN_TRY(kn__release_judge(r, whole || r->points.strict, run, found, err));
done:
    kn_schema_free(schema);
    return status;
}

static kn_status drop_unchanged(const kn_release *r, struct ArrowArrayStream *stream, kn_error *err)
{
    bool *changed = kn__malloc_array(r->data->columns, sizeof *changed);

    KN_PASS(changed ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < r->data->columns; i++) {
        changed[i] = r->data->column[i].role == KN_ROLE_QUASI;
    }
    kn__arrow_stream_choose(stream, changed);
    kn__free(changed);
    return KN_OK;
}

/* kn_release_to_arrow, also of records that stand for several people each. */
static kn_status give(struct ArrowArrayStream *out, kn_outcome *outcome, const kn_release *r,
                      const kn_release_arrow_options *options, const kn_run *run, kn_error *err)
{
    kn_release_arrow_options how = {0};
    kn_outcome found = {0};
    bool withheld = false; /* by options.points->strict */
    kn_status status;

    KN_NEED(err, out);
    *out = (struct ArrowArrayStream){0};
    if (outcome) {
        *outcome = found;
    }
    KN_NEED(err, r);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);
    if (options) {
        how = *options;
    }
    if (r->data->records == 0) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "every record would be suppressed: nothing is left to publish");
    }
    KN_TRY(kn__arrow_stream_make(out, r->data, r->original, r->origin, run, err));
    KN_TRY(inspect(r, out, outcome != NULL, run, &found, err));
    if (outcome) {
        KN_TRY(kn__km_different(found.verdict, found.published, r->guarantees, r->guarantees_count,
                                err));
    }
    if (found.points) {
        status = kn__points_refuse(found.points, &r->points, "release", err);
        withheld = status == KN_EBROKEN;
        KN_TRY(status);
    }
    if (how.changed_only) {
        KN_TRY(drop_unchanged(r, out, err));
    }
    if (outcome) {
        *outcome = found;
        found = (kn_outcome){0};
    }
done:
    if (withheld && outcome) { /* to say what is to settle */
        *outcome = found;
        found = (kn_outcome){0};
    }
    kn_outcome_clear(&found);
    if (status != KN_OK && out->release) {
        out->release(out);
    }
    return status;
}

kn_status kn_release_to_arrow(struct ArrowArrayStream *out, kn_outcome *outcome,
                              const kn_release *r, const kn_release_arrow_options *options,
                              const kn_run *run, kn_error *err)
{
    KN_NEED(err, out);
    *out = (struct ArrowArrayStream){0};
    if (outcome) {
        *outcome = (kn_outcome){0};
    }
    KN_NEED(err, r);
    KN_NEED_ROWS(err, r->data);

    return give(out, outcome, r, options, run, err);
}

kn_status kn_release_verify(kn_outcome *outcome, const kn_release *r, const kn_run *run,
                            kn_error *err)
{
    struct ArrowArrayStream stream;
    const kn_status status = give(&stream, outcome, r, NULL, run, err);

    if (stream.release) {
        stream.release(&stream);
    }
    return status;
}
