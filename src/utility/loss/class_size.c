/* class_size.c - classes of the release by size: their mean (LeFevre et al. 2006) and their
 * histogram. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/utility.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double kn_average_class_size_of(const kn_comparison *c)
{
    return c->classes->count ? (double)c->release->records / c->classes->count : NAN;
}

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

kn_status kn_class_sizes_count(kn_class_sizes *out, const kn_dataset *ds, const kn_run *run,
                               kn_error *err)
{
    kn_classes *classes = NULL;
    size_t *qi = NULL, qis, distinct = 0;
    kn_status status;

    *out = (kn_class_sizes){0};
    status = kn_utility_quasi(ds, "table", NULL, &qi, &qis, err);
    if (status == KN_OK) {
        status = kn_classes_new(&classes, ds, qi, qis, run, err);
    }
    if (status != KN_OK) {
        goto done;
    }
    qsort(classes->size, classes->count, sizeof *classes->size, by_size);
    for (uint32_t i = 0; i < classes->count; i++) {
        distinct += i == 0 || classes->size[i] != classes->size[i - 1];
    }
    out->size = kn_malloc_array(distinct, sizeof *out->size);
    out->classes = kn_zalloc_array(distinct, sizeof *out->classes);
    if (!out->size || !out->classes) {
        kn_class_sizes_free(out);
        status = kn_nomem(err);
        goto done;
    }
    for (uint32_t i = 0; i < classes->count; i++) {
        if (i == 0 || classes->size[i] != classes->size[i - 1]) {
            out->size[out->count++] = classes->size[i];
        }
        out->classes[out->count - 1]++;
    }

done:
    kn_classes_free(classes);
    kn_free(qi);
    return status;
}

void kn_class_sizes_free(kn_class_sizes *sizes)
{
    if (sizes) {
        kn_free(sizes->size);
        kn_free(sizes->classes);
        *sizes = (kn_class_sizes){0};
    }
}
