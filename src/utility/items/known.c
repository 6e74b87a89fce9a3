/* known.c - what knowing a few items of a person gives away. */
#include "base/memory.h"
#include "count/uniqueness.h"

kn_status kn_items_uniqueness(kn_items_known **out, size_t *count, const kn_dataset *ds,
                              size_t column, size_t most, const kn_run *run, kn_error *err)
{
    kn_baskets *b = NULL;
    kn_status status = kn_baskets_of_column(&b, &ds->column[column], ds->records, err);

    *out = NULL;
    *count = 0;
    if (status == KN_OK) {
        status = kn_curve_measure(out, count, b, most, 0, run, err);
    }
    kn_baskets_free(b);
    return status;
}

void kn_items_uniqueness_free(kn_items_known *points)
{
    kn_free(points);
}
