/* counts.c - records that stand for several people each: the classes of a table instead of its
 * rows. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"

kn_status kn_dataset_set_counts(kn_dataset *ds, const uint64_t *counts, size_t count, kn_error *err)
{
    uint32_t *copy;
    uint64_t people = 0;

    KN_NEED(err, ds, counts);
    if (ds->forest) {
        return kn__fail(err, KN_EUSAGE, "tree records stand for one person each: count none");
    }
    if (count != ds->records) {
        return kn__fail(err, KN_EUSAGE, "%zu counts for %zu records: give one for each", count,
                        ds->records);
    }
    for (size_t i = 0; i < count; i++) {
        if (counts[i] == 0) {
            return kn__fail(err, KN_EINPUT, "record %zu stands for no one: leave it out", i + 1);
        }
        if (counts[i] >= UINT32_MAX - people) {
            return kn__fail(err, KN_EINPUT, "the records stand for more than %u people: split them",
                            UINT32_MAX - 1);
        }
        people += counts[i];
    }
    copy = kn__malloc_array(count, sizeof *copy);
    KN_PASS(copy ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        copy[i] = (uint32_t)counts[i];
    }
    kn__free(ds->counts);
    ds->counts = copy;
    ds->people = (size_t)people;
    return KN_OK;
}

uint64_t kn_dataset_people(const kn_dataset *ds)
{
    return ds ? kn__dataset_people(ds) : 0;
}

kn_status kn__dataset_take_counts(kn_dataset *to, const kn_dataset *from, const uint32_t *origin,
                                  kn_error *err)
{
    uint32_t *counts;
    size_t people = 0;

    if (!from->counts) {
        return KN_OK;
    }
    counts = kn__malloc_array(to->records, sizeof *counts);
    KN_PASS(counts ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < to->records; i++) {
        counts[i] = from->counts[origin ? origin[i] : i];
        people += counts[i];
    }
    kn__free(to->counts);
    to->counts = counts;
    to->people = people;
    return KN_OK;
}

kn_status kn__refuse_counts(const kn_dataset *ds, const char *what, kn_error *err)
{
    if (!ds || !ds->counts) {
        return KN_OK;
    }
    return kn__fail(err, KN_EUSAGE,
                    "%s counts each record as one person, and these records stand for several "
                    "people each (kn_dataset_set_counts): give the rows themselves",
                    what);
}
