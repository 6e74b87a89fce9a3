/* risk.c - the chance that a record is linked to the right person, for three attackers (El Emam
 * 2013). */
#include "base/args.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "utility/utility.h"

#include <math.h>
#include <string.h>

/* A table of classes, found by the codes of their first record. */
typedef struct lookup {
    const kn_dataset *ds;
    const kn_classes *classes;
    const size_t *columns;
    size_t count;
    kn_map numbers; /* by hash of the codes: class + 1 */
} lookup;

static bool same_codes(const lookup *l, uint32_t which, const uint32_t *codes)
{
    for (size_t i = 0; i < l->count; i++) {
        if (kn__column_code(&l->ds->column[l->columns[i]], l->classes->first[which]) != codes[i]) {
            return false;
        }
    }
    return true;
}

/* The class with these codes, or KN_NO_CODE. */
static uint32_t lookup_find(const lookup *l, const uint32_t *codes)
{
    const kn_map_slot *slot = kn__map_find(&l->numbers,
                                           kn__hash_bytes(codes, l->count * sizeof *codes));

    while (slot->value && !same_codes(l, (uint32_t)slot->value - 1, codes)) {
        slot = kn__map_next(&l->numbers, slot);
    }
    return slot->value ? (uint32_t)slot->value - 1 : KN_NO_CODE;
}

/* No two classes have the same codes, so each goes to an empty slot without a look at the others.
 */
static kn_status lookup_init(lookup *l, uint32_t *codes, kn_error *err)
{
    KN_PASS(kn__map_reserve(&l->numbers, l->classes->count, err));
    for (uint32_t which = 0; which < l->classes->count; which++) {
        kn_map_slot *slot;
        uint64_t hash;
        for (size_t i = 0; i < l->count; i++) {
            codes[i] = kn__column_code(&l->ds->column[l->columns[i]], l->classes->first[which]);
        }
        hash = kn__hash_bytes(codes, l->count * sizeof *codes);
        for (slot = kn__map_find(&l->numbers, hash); slot->value;) {
            slot = kn__map_next(&l->numbers, slot);
        }
        kn__map_put(&l->numbers, slot, hash, (uint64_t)which + 1);
    }
    return KN_OK;
}

/* By class of `ds`: records of the population with the same texts. */
static kn_status count_population(uint32_t *size, const kn_dataset *ds, const kn_classes *classes,
                                  const size_t *qi, size_t qis, const kn_dataset *population,
                                  const kn_run *run, kn_error *err)
{
    lookup l = {.ds = ds, .classes = classes, .columns = qi, .count = qis};
    kn_classes *groups = NULL;
    size_t *theirs = kn__malloc_array(qis, sizeof *theirs);
    uint32_t *codes = kn__malloc_array(qis, sizeof *codes);
    uint32_t **map = kn__zalloc_array(qis, sizeof *map); /* by column: their codes as ours */
    kn_status status;

    KN_TRY(theirs && codes && map ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < qis; i++) {
        const kn_column *ours = &ds->column[qi[i]];
        theirs[i] = kn_dataset_find(population, ours->name);
        if (theirs[i] == SIZE_MAX || !population->column[theirs[i]].dict ||
            kn__type_is_list(population->column[theirs[i]].type)) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "the population has no column '%s' with one value a record: it "
                            "needs every quasi-identifier of the table",
                            ours->name));
        } else {
            KN_TRY(kn__utility_translate(&population->column[theirs[i]], ours, &map[i], err));
        }
    }
    KN_TRY(kn__classes_new(&groups, population, theirs, qis, run, err));
    KN_TRY(lookup_init(&l, codes, err));
    for (uint32_t group = 0; group < groups->count; group++) {
        bool known = true;
        for (size_t i = 0; i < qis; i++) {
            codes[i] =
                map[i][kn__column_code(&population->column[theirs[i]], groups->first[group])];
            known = known && codes[i] != KN_NO_CODE;
        }
        const uint32_t which = known ? lookup_find(&l, codes) : KN_NO_CODE;
        if (which != KN_NO_CODE) {
            size[which] = groups->size[group];
        }
    }
done:
    for (size_t i = 0; map && i < qis; i++) {
        kn__free(map[i]);
    }
    KN_FREE(map, codes, theirs);
    kn__map_clear(&l.numbers);
    kn__classes_free(groups);
    return status;
}

static void prosecutor(kn_risk *out, const kn_classes *classes, double threshold)
{
    uint32_t least = 0;
    size_t at_risk = 0;

    for (uint32_t i = 0; i < classes->count; i++) {
        const uint32_t size = classes->size[i];
        least = least == 0 || size < least ? size : least;
        at_risk += 1 / (double)size > threshold ? size : 0;
        out->unique += size == 1;
    }
    out->prosecutor_max = 1 / (double)least;
    out->prosecutor_mean = (double)classes->count / (double)classes->records;
    out->marketer = out->prosecutor_mean;
    out->at_risk_share = (double)at_risk / (double)classes->records;
}

/* Where the population has fewer such people than the table, the table is not a part of it; the
 * people in the table are then among those who may be meant, so the larger number counts. */
static void journalist(kn_risk *out, const kn_classes *classes, const uint32_t *population)
{
    double sum = 0, most = 0;

    for (uint32_t i = 0; i < classes->count; i++) {
        const uint32_t size = classes->size[i];
        const double risk = 1 / (double)(population[i] > size ? population[i] : size);
        sum += size * risk;
        most = risk > most ? risk : most;
    }
    out->journalist_max = most;
    out->journalist_mean = sum / (double)classes->records;
}

kn_status kn_risk_measure(kn_risk *out, const kn_dataset *ds, const kn_dataset *population,
                          double threshold, const kn_run *run, kn_error *err)
{
    KN_NEED(err, out, ds);
    KN_NEED_ROWS(err, ds);
    if (population) {
        KN_NEED_ROWS(err, population);
    }
    KN_NEED_SIZED(err, run);

    kn_risk risk = {.threshold = threshold, .journalist_max = NAN, .journalist_mean = NAN};
    kn_classes *classes = NULL;
    size_t *qi = NULL, qis = 0;
    uint32_t *size = NULL;
    kn_status status;

    memset(out, 0, sizeof *out);
    if (!(threshold >= 0 && threshold <= 1)) {
        return kn__fail(err, KN_EUSAGE, "the risk threshold is %g: give a share from 0 to 1",
                        threshold);
    }
    KN_TRY(kn__utility_quasi(ds, "table", NULL, &qi, &qis, err));
    KN_TRY(kn__classes_new(&classes, ds, qi, qis, run, err));
    risk.records = classes->records;
    risk.classes = classes->count;
    if (population) {
        size = kn__zalloc_array(classes->count, sizeof *size);
        KN_TRY(size ? count_population(size, ds, classes, qi, qis, population, run, err)
                    : kn__nomem(err));
        risk.journalist_max = risk.journalist_mean = 0;
    }
    if (classes->records) {
        prosecutor(&risk, classes, threshold);
        if (population) {
            journalist(&risk, classes, size);
        }
    }
    *out = risk;

done:
    kn__classes_free(classes);
    KN_FREE(qi, size);
    return status;
}
