/* km.c - counting a second time, plainly, what was published. */
#include "guarantees/recount/km.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/tally.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { ALONE = 1 << 18 }; /* fewer combinations than this are not worth a second thread */
#define HARDLY_ANY 0x1p50 /* one combination in so many is as good as none */

typedef struct counting {
    kn_tally_lists lists;
    size_t *of_length;                /* by number of items: records */
    size_t lengths;                   /* the room for them */
    uint32_t (*least)[KN_MOST_M + 1]; /* by worker */
} counting;

/* ---- how much ---- */

static double choose(double n, size_t s)
{
    double product = 1;

    for (size_t i = 0; i < s; i++) {
        product *= (n - (double)i) / (double)(i + 1);
    }
    return product;
}

/* How many combinations of `size` items the records hold together; of bags, at most so many. */
static double combinations(const size_t *of_length, size_t longest, size_t size)
{
    double sum = 0;

    for (size_t len = size; len <= longest; len++) {
        if (of_length[len]) {
            sum += (double)of_length[len] * choose((double)len, size);
        }
    }
    return sum;
}

void kn__km_recount_plan(uint64_t *one_in, const size_t *of_length, size_t longest, size_t m,
                         double budget)
{
    const size_t last = m < longest ? m : longest;
    double left = budget, product = 1;

    for (size_t size = 0; size <= KN_MOST_M; size++) {
        one_in[size] = 1;
    }
    for (size_t size = 2; size <= last; size++) {
        const double share = size < last ? left / 2 : left;
        const double cost = combinations(of_length, longest, size) / product;
        const double times = fmax(ceil(cost / share), 1);
        product *= times;
        one_in[size] = product < HARDLY_ANY ? (uint64_t)product : 0;
        left = fmax(left - cost / times, 1);
    }
}

/* ---- reading the column ---- */

static kn_status note_length(counting *j, kn_recount *out, size_t len, uint32_t people,
                             kn_error *err)
{
    if (len >= j->lengths) {
        const size_t old = j->lengths;
        if (kn__grow(&j->of_length, &j->lengths, len + 1, sizeof *j->of_length, err) != KN_OK) {
            return KN_ENOMEM;
        }
        memset(j->of_length + old, 0, (j->lengths - old) * sizeof *j->of_length);
    }
    j->of_length[len]++;
    out->longest = len > out->longest ? len : out->longest;
    out->empty += len == 0 ? people : 0;
    return KN_OK;
}

/* A missing value is no item. Lists should be in order already; those that are not are sorted. */
static inline kn_status read_lists_of(counting *j, kn_recount *out, const kn_dataset *ds,
                                      const kn_column *c, kn_error *err, uint8_t width)
{
    kn_tally_lists *l = &j->lists;
    const uint32_t missing = c->missing;
    kn_status status = KN_OK;

    for (size_t i = 0; i < ds->records && status == KN_OK; i++) {
        const uint32_t people = kn__dataset_count(ds, i);
        const size_t begin = l->len;
        uint32_t last = 0;
        bool ordered = true;
        for (uint64_t at = c->starts[i]; at < c->starts[i + 1]; at++) {
            const uint32_t item = kn__code_get(c->codes, width, (size_t)at);
            if (item != missing) {
                ordered &= item >= last;
                last = item;
                kn__tally_add(l, item);
            }
        }
        if (!ordered) {
            kn__sort_u32(l->words + begin, l->len - begin);
        }
        status = note_length(j, out, l->len - begin, people, err);
        kn__tally_end(l, people);
    }
    return status;
}

static kn_status read_lists(counting *j, kn_recount *out, const kn_dataset *ds, const kn_column *c,
                            kn_error *err)
{
    KN_PASS(kn__tally_lists_init(&j->lists, kn__column_values(c), ds->records,
                                 c->starts[ds->records], err));
    return KN_BY_WIDTH(c->width, read_lists_of, j, out, ds, c, err);
}

/* ---- counting ---- */

static kn_status found(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                       const uint32_t *last, const uint32_t *supports, size_t count)
{
    uint32_t *const least = &((counting *)user)->least[worker][size];

    (void)prefix;
    (void)last;
    for (size_t i = 0; i < count; i++) {
        *least = supports[i] < *least ? supports[i] : *least;
    }
    return KN_OK;
}

/* Not the seed, which is printed: it must not be known beforehand what will be counted. */
kn_status kn__km_recount_salt(uint64_t *salt, kn_error *err)
{
    if (getrandom(salt, sizeof *salt, 0) != (ssize_t)sizeof *salt) {
        return kn__fail_errno(err, "check", "no entropy from the system", errno);
    }
    return KN_OK;
}

static kn_status count_lists(counting *j, kn_recount *out, size_t m, double budget,
                             const kn_run *run, kn_error *err)
{
    kn_tally_cut cut = {0};
    unsigned threads = kn__run_threads(run);
    double work = 0;
    kn_status status;

    kn__km_recount_plan(out->one_in, j->of_length, out->longest, m, budget > 0 ? budget : INFINITY);
    m = m < out->longest ? m : out->longest;
    for (size_t size = 1; size <= m; size++) {
        if (out->one_in[size] == 0) {
            m = size - 1;
            break;
        }
        cut.one_in[size - 1] = out->one_in[size] / out->one_in[size - 1];
        work += combinations(j->of_length, out->longest, size) / (double)out->one_in[size];
    }
    if (m == 0) {
        return KN_OK;
    }
    if (work < ALONE && !(run && run->threads)) {
        threads = 1;
    }
    status = kn__km_recount_salt(&cut.salt, err);
    if (status != KN_OK) {
        return status;
    }
    j->least = kn__malloc_array(threads, sizeof *j->least);
    KN_PASS(j->least ? KN_OK : kn__nomem(err));
    memset(j->least, 0xff, threads * sizeof *j->least);
    status = kn__tally_walk(&j->lists, m, &cut, false, threads, found, j, run, err);
    for (size_t size = 1; size <= m; size++) {
        uint32_t least = UINT32_MAX;
        for (unsigned i = 0; i < threads; i++) {
            least = j->least[i][size] < least ? j->least[i][size] : least;
        }
        out->least[size] = least == UINT32_MAX ? 0 : least;
    }
    return status;
}

/* ---- single items ---- */

/* A mark on an item says which record was the last to hold it, so that order does not matter. */
static inline void mark_items(kn_recount *out, const kn_dataset *ds, const kn_column *c,
                              uint32_t *support, uint32_t *marked, uint8_t width)
{
    for (size_t i = 0; i < ds->records; i++) {
        const uint32_t people = kn__dataset_count(ds, i);
        size_t len = 0;
        for (uint64_t at = c->starts[i]; at < c->starts[i + 1]; at++) {
            const uint32_t item = kn__code_get(c->codes, width, (size_t)at);
            if (item != c->missing) {
                support[item] += marked[item] != (uint32_t)i + 1 ? people : 0;
                marked[item] = (uint32_t)i + 1;
                len++;
            }
        }
        out->longest = len > out->longest ? len : out->longest;
        out->empty += len == 0 ? people : 0;
    }
}

static kn_status recount_single(kn_recount *out, const kn_dataset *ds, const kn_column *c,
                                kn_error *err)
{
    const uint32_t items = kn__column_values(c);
    uint32_t *support = kn__zalloc_array(items, sizeof *support);
    uint32_t *marked = kn__zalloc_array(items, sizeof *marked), least = 0;

    if (!support || !marked) {
        KN_FREE(support, marked);
        return kn__nomem(err);
    }
    KN_BY_WIDTH(c->width, mark_items, out, ds, c, support, marked);
    for (uint32_t item = 0; item < items; item++) {
        if (support[item] && (least == 0 || support[item] < least)) {
            least = support[item];
        }
    }
    out->least[1] = least;
    kn__km_recount_plan(out->one_in, NULL, 0, 1, 1);
    KN_FREE(support, marked);
    return KN_OK;
}

kn_status kn__km_recount(kn_recount *out, const kn_dataset *ds, size_t column, size_t m,
                         double budget, const kn_run *run, kn_error *err)
{
    const kn_column *c = &ds->column[column];
    counting j = {0};
    kn_status status;

    *out = (kn_recount){0};
    if (m == 1 && ds->records < UINT32_MAX) {
        return recount_single(out, ds, c, err);
    }
    KN_TRY(read_lists(&j, out, ds, c, err));
    KN_TRY(count_lists(&j, out, m, budget, run, err));
done:
    KN_FREE(j.least, j.of_length);
    kn__tally_lists_clear(&j.lists);
    return status;
}

kn_status kn__km_recount_lists(kn_recount *out, const uint64_t *starts, const uint32_t *list,
                               uint32_t items, size_t records, size_t m, double budget,
                               const kn_run *run, kn_error *err)
{
    counting j = {0};
    kn_status status;

    *out = (kn_recount){0};
    KN_TRY(kn__tally_lists_init(&j.lists, items, records, starts[records], err));
    for (size_t i = 0; i < records; i++) {
        for (uint64_t at = starts[i]; at < starts[i + 1]; at++) {
            kn__tally_add(&j.lists, list[at]);
        }
        KN_TRY(note_length(&j, out, (size_t)(starts[i + 1] - starts[i]), 1, err));
        kn__tally_end(&j.lists, 1);
    }
    KN_TRY(count_lists(&j, out, m, budget, run, err));
done:
    KN_FREE(j.least, j.of_length);
    kn__tally_lists_clear(&j.lists);
    return status;
}

/* ---- saying ---- */

void kn__km_recount_words(const kn_recount *r, size_t m, char *out, size_t size)
{
    const size_t last = m < r->longest ? m : r->longest;
    size_t full = 1;

    while (full < last && r->one_in[full + 1] == 1) {
        full++;
    }
    if (last < m && full >= last) { /* longer ones do not occur */
        full = m;
    }
    if (full == 1) {
        (void)snprintf(out, size, "all single items");
    } else {
        (void)snprintf(out, size, "all combinations of up to %zu items", full);
    }
    for (size_t s = full + 1; s <= last; s++) {
        const size_t len = strlen(out);
        if (r->one_in[s] == 0) {
            (void)snprintf(out + len, size - len, ", none of %zu and more", s);
            break;
        }
        (void)snprintf(out + len, size - len, ", 1 in %llu of those of %zu",
                       (unsigned long long)r->one_in[s], s);
    }
}
