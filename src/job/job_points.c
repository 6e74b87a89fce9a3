/* job_points.c - limits and decisions that a job gives for what is found in its release. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "job/job.h"

#include <stdio.h>
#include <string.h>

static const kn_point_check *find_check(const char *name)
{
    for (size_t i = 0; i < kn_point_checks(); i++) {
        if (strcmp(kn_point_check_at(i)->name, name) == 0) {
            return kn_point_check_at(i);
        }
    }
    return NULL;
}

/* "rare-values=1%" */
static kn_status set_limit(kn_point_options *out, const char *pair, bool models, kn_error *err)
{
    size_t len;
    const char *value = kn__map_value(pair, &len);
    const kn_option option = {.name = "point-limit", .kind = KN_OPTION_SHARE, .max = 1e9};
    const kn_point_check *check;
    char name[64];

    (void)snprintf(name, sizeof name, "%.*s", (int)(len < 60 ? len : 60), pair);
    check = find_check(name);
    if (check && !(models ? check->models : check->tables)) {
        return kn__fail(err, KN_EUSAGE, "--point-limit: %s is about %s", name,
                        models ? "tables, not about models" : "models, not about tables");
    }
    KN_PASS(kn__option_check(&option, value, err));
    return kn_point_options_limit(out, name, kn__option_number(&option, value), err);
}

static kn_status list(const kn_job *job, const char *option, const char *const **names,
                      size_t *count, kn_error *err)
{
    const char **all;

    *count = 0;
    while (kn_job_get(job, option, *count)) {
        ++*count;
    }
    all = kn__malloc_array(*count, sizeof *all);
    *names = all;
    if (!all) {
        *count = 0;
        return kn__nomem(err);
    }
    for (size_t i = 0; i < *count; i++) {
        all[i] = kn_job_get(job, option, i);
    }
    return KN_OK;
}

kn_status kn_job_points(kn_point_options *out, const kn_job *job, bool models, kn_error *err)
{
    const char *strict = job ? kn_job_get(job, "strict", 0) : NULL, *pair;
    kn_status status = KN_OK;

    KN_NEED(err, job, out);
    *out = (kn_point_options){.strict = strict && strcmp(strict, "true") == 0};
    for (size_t i = 0; (pair = kn_job_get(job, "point-limit", i)); i++) {
        KN_TRY(set_limit(out, pair, models, err));
    }
    KN_TRY(list(job, "accept-point", &out->accepted, &out->accepted_count, err));
    KN_TRY(kn_point_options_validate(out, err));
done:
    if (status == KN_EUSAGE && err && strncmp(err->message, "--", 2) != 0) {
        kn__error_prefix(err, "--point-limit, --accept-point");
    }
    if (status != KN_OK) {
        kn_job_points_free(out);
    }
    return status;
}

void kn_job_points_free(kn_point_options *options)
{
    if (options) {
        kn__free((void *)options->accepted);
        *options = (kn_point_options){0};
    }
}
