/* job_sample.c - what need not be read of a table that is only checked.
 *
 * Of kept columns the points of a check ask how many records are unique by them and hold rare
 * values. A column nearly all of whose values are different, such as a number of each person,
 * answers that by itself, and coding its values is what takes the memory and the time of the whole
 * check. So a large file is read twice: first every kept column is sampled in fixed memory, then
 * the columns without such values are coded as ever. */
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "io/bytes/file.h"
#include "io/formats.h"
#include "job/job.h"
#include "points/points.h"

#include <math.h>
#include <sys/stat.h>

static const off_t least_bytes = (off_t)1 << 24; /* smaller files are read in less than a second */
/* The share of unique records above which a column is left out: beyond the limit, and beyond doubt,
 * by more than ten standard errors of the sample. */
static const double least_share = 0.5, margin = 0.05;

static bool is_large_table(const char *path, const kn_layout *layout, const kn_schema *s)
{
    const kn_format format = layout->format ? layout->format : kn__format_of_path(path);
    struct stat info;

    return (format == KN_FORMAT_CSV || format == KN_FORMAT_JSONL) && kn__file_is_plain(path) &&
           stat(path, &info) == 0 && info.st_size >= least_bytes && !s->keys_count &&
           !s->joins_count && !s->bags_count && !s->together_count && !s->classes_count && !s->tree;
}

kn_status kn__job_sample_kept(kn_dataset **out, const kn_job *job, const char *path,
                              const kn_read_options *options, kn_schema *schema, const kn_run *run,
                              kn_error *err)
{
    kn_read_options sampling = *options;
    kn_point_options points = {0};
    double limit;
    kn_status status;

    *out = NULL;
    if (!is_large_table(path, options->layout, schema)) {
        return KN_OK;
    }
    KN_TRY(kn_job_points(&points, job, false, err));
    limit = fmax(kn__point_limit(&points, KN_CHECK_UNIQUE), least_share) + margin;
    sampling.hash = false;
    sampling.schema = schema;
    schema->sample_kept = true;
    status = kn_read(out, path, &sampling, run, err);
    schema->sample_kept = false;
    for (size_t i = 0; status == KN_OK && i < (*out)->columns; i++) {
        kn_column *c = &(*out)->column[i];
        double share = 0;
        if (c->sample) {
            (void)kn__value_sample_rare(c->sample, 2, &share);
        }
        if (c->sample && !(share > limit)) {
            kn__value_sample_clear(c->sample);
            kn__free(c->sample);
            c->sample = NULL;
        }
    }
done:
    kn_job_points_free(&points);
    return status;
}
