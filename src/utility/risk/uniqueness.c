/* uniqueness.c - which few columns already single people out: one grouping a subset. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/utility.h"

#include <stdlib.h>

enum { MOST_COLUMNS = 4, MOST_SUBSETS = 2000 };

/* Subsets of `size` out of `of`, or MOST_SUBSETS + 1 when there are more than that. */
static size_t choose(size_t of, size_t size)
{
    size_t ways = 1;

    for (size_t i = 0; i < size; i++) {
        if (of - i > SIZE_MAX / ways) {
            return MOST_SUBSETS + 1;
        }
        ways = ways * (of - i) / (i + 1);
    }
    return ways > MOST_SUBSETS ? MOST_SUBSETS + 1 : ways;
}

/* The largest size whose subsets are all looked at, and the number of all subsets up to it.
 * Single columns always are. */
static size_t sizes_that_fit(size_t qis, size_t max_size, size_t *subsets)
{
    size_t size = 1;

    if (max_size == 0) {
        *subsets = 0;
        return 0;
    }
    *subsets = qis;
    while (size < max_size && size < qis) {
        const size_t more = choose(qis, size + 1);
        if (more > MOST_SUBSETS || *subsets + more > MOST_SUBSETS) {
            break;
        }
        *subsets += more;
        size++;
    }
    return size;
}

static kn_status measure(kn_uniqueness *u, const kn_dataset *ds, const size_t *columns,
                         size_t count, const kn_run *run, kn_error *err)
{
    kn_classes *classes;

    KN_PASS(kn__classes_new(&classes, ds, columns, count, run, err));
    u->classes = classes->count;
    for (uint32_t i = 0; i < classes->count; i++) {
        u->unique += classes->size[i] == 1;
    }
    kn__classes_free(classes);
    return KN_OK;
}

/* The next subset of `size` out of `of` places, in order; false after the last. */
static bool next_subset(size_t *place, size_t size, size_t of)
{
    size_t i = size;

    while (i > 0 && place[i - 1] == of - size + i - 1) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    place[i - 1]++;
    for (; i < size; i++) {
        place[i] = place[i - 1] + 1;
    }
    return true;
}

static int by_uniqueness(const void *a, const void *b)
{
    const kn_uniqueness *x = a, *y = b;

    if (x->size != y->size) {
        return x->size < y->size ? -1 : 1;
    }
    if (x->unique != y->unique) {
        return x->unique > y->unique ? -1 : 1;
    }
    if (x->classes != y->classes) {
        return x->classes > y->classes ? -1 : 1;
    }
    for (size_t i = 0; i < x->size; i++) {
        if (x->columns[i] != y->columns[i]) {
            return x->columns[i] < y->columns[i] ? -1 : 1;
        }
    }
    return 0;
}

kn_status kn_uniqueness_measure(kn_uniqueness **out, size_t *count, const kn_dataset *ds,
                                size_t max_size, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, count, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, run);

    kn_uniqueness *list = NULL;
    size_t *qi = NULL, qis = 0, subsets = 0, largest, len = 0;
    kn_status status;

    *count = 0;
    if (max_size > MOST_COLUMNS) {
        return kn__fail(err, KN_EUSAGE,
                        "subsets of up to %zu columns are too many: ask for %d at "
                        "most",
                        max_size, MOST_COLUMNS);
    }
    KN_TRY(kn__utility_quasi(ds, "table", NULL, &qi, &qis, err));
    largest = sizes_that_fit(qis, max_size, &subsets);
    list = kn__zalloc_array(subsets + 1, sizeof *list);
    KN_TRY(list ? KN_OK : kn__nomem(err));
    KN_TRY(measure(&list[len++], ds, qi, qis, run, err));
    for (size_t size = 1; size <= largest; size++) {
        size_t place[MOST_COLUMNS] = {0, 1, 2, 3};
        do {
            kn_uniqueness *u = &list[len];
            KN_TRY(kn__run_step(run, "uniqueness", (double)len / (double)(subsets + 1), err));
            u->size = size;
            for (size_t i = 0; i < size; i++) {
                u->columns[i] = qi[place[i]];
            }
            KN_TRY(measure(u, ds, u->columns, size, run, err));
            len++;
        } while (next_subset(place, size, qis));
    }
    qsort(list + 1, len - 1, sizeof *list, by_uniqueness);
    *out = list;
    *count = len;
    list = NULL;
done:
    KN_FREE(list, qi);
    return status;
}

void kn_uniqueness_free(kn_uniqueness *u)
{
    kn__free(u);
}
