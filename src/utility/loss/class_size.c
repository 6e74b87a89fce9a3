/* class_size.c - classes of the release by size: their mean (LeFevre et al. 2006) and their
 * histogram. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "utility/utility.h"

#include <math.h>

double kn__average_class_size_of(const kn_comparison *c)
{
    return c->classes->count ? (double)(c->people - c->absent) / c->classes->count : NAN;
}

kn_status kn_class_sizes_count(kn_class_sizes *out, const kn_dataset *ds, const kn_run *run,
                               kn_error *err)
{
    KN_NEED(err, out, ds);
    KN_NEED_SIZED(err, run);

    kn_classes *classes = NULL;
    size_t *qi = NULL, qis, distinct = 0;
    kn_status status;

    *out = (kn_class_sizes){0};
    KN_TRY(kn__utility_quasi(ds, "table", NULL, &qi, &qis, err));
    KN_TRY(kn__classes_new(&classes, ds, qi, qis, run, err));
    kn__sort_u32(classes->size, classes->count);
    for (uint32_t i = 0; i < classes->count; i++) {
        distinct += i == 0 || classes->size[i] != classes->size[i - 1];
    }
    out->size = kn__malloc_array(distinct, sizeof *out->size);
    out->classes = kn__zalloc_array(distinct, sizeof *out->classes);
    if (!out->size || !out->classes) {
        kn_class_sizes_free(out);
        status = kn__nomem(err);
        goto done;
    }
    for (uint32_t i = 0; i < classes->count; i++) {
        if (i == 0 || classes->size[i] != classes->size[i - 1]) {
            out->size[out->count++] = classes->size[i];
        }
        out->classes[out->count - 1]++;
    }

done:
    kn__classes_free(classes);
    kn__free(qi);
    return status;
}

void kn_class_sizes_free(kn_class_sizes *sizes)
{
    if (sizes) {
        KN_FREE(sizes->size, sizes->classes);
        *sizes = (kn_class_sizes){0};
    }
}
