/* known.c - what knowing a few items of a person gives away. */
#include "base/memory.h"
#include "count/uniqueness.h"
#include "base/args.h"

kn_status kn_items_uniqueness(kn_items_known **out, size_t *count, const kn_dataset *ds,
                              size_t column, const kn_items_known_options *options,
                              const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, count, ds, options);
    KN_NEED_ROWS(err, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);

    kn_baskets *b = NULL;
    kn_status status;

    *count = 0;
    KN_TRY(kn__baskets_of_column(&b, &ds->column[column], ds->records, err));
    KN_TRY(kn__uniqueness_measure(out, count, b, options, 0, run, err));
done:
    kn__baskets_free(b);
    return status;
}

void kn_items_uniqueness_free(kn_items_known *points)
{
    kn__free(points);
}
