/* k_km.c - counting a second time, plainly, what was published of a table with items. */
#include "guarantees/recount/k_km.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A record or an occurrence to be sorted. */
typedef struct keyed {
    uint64_t key;
    uint32_t number;
} keyed;

static int by_key(const void *x, const void *y)
{
    const keyed *a = x, *b = y;

    return a->key != b->key ? (a->key < b->key ? -1 : 1)
                            : (a->number > b->number) - (a->number < b->number);
}

/* The lists of all records, and what they are made of. Codes: first the items that are not
 * sensitive, each once for every class that holds it, then the sensitive ones likewise, then the
 * classes themselves. */
typedef struct lists {
    const kn_dataset *ds;
    const kn_column *column;
    const uint8_t *sensitive;
    uint32_t *class_of; /* by record */
    uint32_t classes;
    uint32_t *size;     /* by class */
    uint64_t *starts;   /* by record, in `item` */
    uint32_t *item;     /* codes, ascending within a record */
    uint32_t known;     /* codes below this are not sensitive */
    uint32_t secrets;   /* codes from there */
    uint32_t *holders;  /* by sensitive code - known: records */
    uint32_t *of_class; /* likewise: its class */
} lists;

static void lists_clear(lists *l)
{
    KN_FREE(l->class_of, l->size, l->starts, l->item, l->holders, l->of_class);
}

/* Classes, by sorting the records column after column. */
static kn_status form_classes(lists *l, kn_error *err)
{
    const size_t records = l->ds->records;
    keyed *list = kn__malloc_array(records, sizeof *list);

    l->class_of = kn__zalloc_array(records, sizeof *l->class_of);
    l->classes = 1;
    if (!list || !l->class_of) {
        kn__free(list);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < l->ds->columns; i++) {
        const kn_column *c = &l->ds->column[i];
        if (c->role != KN_ROLE_QUASI || c->starts) {
            continue;
        }
        for (size_t r = 0; r < records; r++) {
            list[r] = (keyed){(uint64_t)l->class_of[r] << 32 | kn__column_code(c, r), (uint32_t)r};
        }
        qsort(list, records, sizeof *list, by_key);
        l->classes = 0;
        for (size_t r = 0; r < records; r++) {
            l->classes += r == 0 || list[r].key != list[r - 1].key;
            l->class_of[list[r].number] = l->classes - 1;
        }
    }
    kn__free(list);
    l->size = kn__zalloc_array(l->classes, sizeof *l->size);
    KN_PASS(l->size ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < records; r++) {
        l->size[l->class_of[r]]++;
    }
    return KN_OK;
}

/* Every occurrence of an item, with its class, where it stands in `item`. */
static size_t note_occurrences(lists *l, keyed *list)
{
    const kn_column *c = l->column;
    size_t len = 0;

    for (size_t r = 0; r < l->ds->records; r++) {
        l->starts[r] = len;
        for (uint64_t at = c->starts[r]; at < c->starts[r + 1]; at++) {
            const uint32_t item = kn__code_get(c->codes, c->width, (size_t)at);
            if (item != c->missing) {
                list[len] = (keyed){(uint64_t)l->class_of[r] << 32 | item, (uint32_t)len};
                len++;
            }
        }
    }
    l->starts[l->ds->records] = len;
    return len;
}

/* Give a code to each item of each class. */
static kn_status number_items(lists *l, kn_error *err)
{
    const size_t most = (size_t)l->column->starts[l->ds->records];
    keyed *list = kn__malloc_array(most, sizeof *list);
    size_t len = 0;

    l->starts = kn__malloc_array(l->ds->records + 1, sizeof *l->starts);
    l->item = kn__malloc_array(most, sizeof *l->item);
    l->of_class = kn__malloc_array(most, sizeof *l->of_class);
    if (!list || !l->starts || !l->item || !l->of_class) {
        kn__free(list);
        return kn__nomem(err);
    }
    if (most >= UINT32_MAX - l->classes) {
        kn__free(list);
        return kn__fail(err, KN_EINPUT, "the lists hold more than %u items", UINT32_MAX - 1);
    }
    len = note_occurrences(l, list);
    qsort(list, len, sizeof *list, by_key);
    for (int secret = 0; secret < 2; secret++) {
        uint32_t *next = secret ? &l->secrets : &l->known;
        for (size_t i = 0; i < len; i++) {
            const bool first = i == 0 || list[i].key != list[i - 1].key;
            if ((l->sensitive[(uint32_t)list[i].key] != 0) == (secret == 1)) {
                if (first && secret) {
                    l->of_class[l->secrets] = (uint32_t)(list[i].key >> 32);
                }
                *next += first;
                l->item[list[i].number] = (secret ? l->known : 0) + *next - 1;
            }
        }
    }
    kn__free(list);
    return KN_OK;
}

/* ---- combinations of items that are not sensitive ---- */

static kn_status count_known(lists *l, kn_k_km_recounted *out, size_t m, double budget,
                             const kn_run *run, kn_error *err)
{
    const size_t records = l->ds->records;
    uint64_t *starts = kn__malloc_array(records + 1, sizeof *starts);
    uint32_t *item = kn__malloc_array((size_t)l->starts[records], sizeof *item);
    uint64_t len = 0;
    kn_status status;

    KN_TRY(starts && item ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < records; r++) {
        starts[r] = len;
        for (uint64_t at = l->starts[r]; at < l->starts[r + 1]; at++) {
            if (l->item[at] < l->known) {
                item[len++] = l->item[at];
            }
        }
    }
    starts[records] = len;
    KN_TRY(kn__km_recount_lists(&out->known, starts, item, l->known, records, m, budget, run, err));
done:
    KN_FREE(starts, item);
    return status;
}

/* ---- what can be inferred ---- */

typedef struct inferring {
    const lists *l;
    double *least; /* by worker: support/held */
} inferring;

/* Records that hold `prefix` and a class are all that hold it: beside them stand those that hold a
 * sensitive item, too. */
static kn_status infer(void *user, unsigned worker, size_t size, const uint32_t *prefix,
                       const uint32_t *last, const uint32_t *supports, size_t count)
{
    const inferring *x = user;
    const lists *l = x->l;
    uint32_t support = 0, held = 0;

    for (size_t i = 0; i + 1 < size; i++) {
        if (prefix[i] >= l->known) {
            return KN_OK;
        }
    }
    for (size_t i = 0; size > 1 && i < count; i++) {
        if (last[i] >= l->known + l->secrets) {
            support = supports[i];
        } else if (last[i] >= l->known) {
            held = supports[i] > held ? supports[i] : held;
        }
    }
    if (held) {
        x->least[worker] = fmin(x->least[worker], (double)support / held);
    }
    return KN_OK;
}

/* Each record with its class as an item: known, sensitive once each, the class. */
static kn_status write_all(const lists *l, kn_tally_lists *out, size_t *of_length, kn_error *err)
{
    const size_t records = l->ds->records;
    kn_status status = kn__tally_lists_init(out, l->known + l->secrets + l->classes, records,
                                            l->starts[records] + records, err);

    for (size_t r = 0; r < records && status == KN_OK; r++) {
        const size_t begin = out->len;
        for (int secret = 0; secret < 2; secret++) {
            uint32_t before = UINT32_MAX;
            for (uint64_t at = l->starts[r]; at < l->starts[r + 1]; at++) {
                const uint32_t item = l->item[at];
                if ((item >= l->known) == (secret == 1) && !(secret && item == before)) {
                    kn__tally_add(out, item);
                    l->holders[secret ? item - l->known : 0] += secret == 1;
                    before = item;
                }
            }
        }
        kn__tally_add(out, l->known + l->secrets + l->class_of[r]);
        of_length[out->len - begin]++;
        kn__tally_end(out, 1);
    }
    return status;
}

static kn_status count_inferences(lists *l, kn_k_km_recounted *out, size_t m, double budget,
                                  const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    kn_tally_lists all = {0};
    kn_tally_cut cut = {0};
    inferring x = {.l = l};
    uint64_t one_in[KN_MOST_M + 1];
    size_t longest = 1, size = m < KN_MOST_M ? m + 1 : m;
    size_t *of_length = NULL;
    kn_status status;

    for (size_t r = 0; r < l->ds->records; r++) {
        const size_t len = (size_t)(l->starts[r + 1] - l->starts[r]) + 1;
        longest = len > longest ? len : longest;
    }
    l->holders = kn__zalloc_array((size_t)l->secrets + 1, sizeof *l->holders);
    of_length = kn__zalloc_array(longest + 1, sizeof *of_length);
    x.least = kn__malloc_array(threads, sizeof *x.least);
    KN_TRY(l->holders && of_length && x.least ? write_all(l, &all, of_length, err)
                                              : kn__nomem(err));
    for (unsigned i = 0; i < threads; i++) {
        x.least[i] = INFINITY;
    }
    size = size < longest ? size : longest;
    kn__km_recount_plan(one_in, of_length, longest, size, budget > 0 ? budget : INFINITY);
    out->inferred_all = m < KN_MOST_M || longest <= KN_MOST_M;
    for (size_t s = 2; s <= size; s++) {
        out->inferred_all = out->inferred_all && one_in[s] == 1;
        if (one_in[s] == 0) {
            size = s - 1;
            break;
        }
        cut.one_in[s - 1] = one_in[s] / one_in[s - 1];
    }
    KN_TRY(kn__km_recount_salt(&cut.salt, err));
    KN_TRY(kn__tally_walk(&all, size, &cut, false, threads, infer, &x, run, err));
done:
    out->l = INFINITY;
    for (unsigned i = 0; status == KN_OK && i < threads; i++) {
        out->l = fmin(out->l, x.least[i]);
    }
    for (uint32_t i = 0; status == KN_OK && i < l->secrets; i++) { /* nothing known but the class */
        out->l = fmin(out->l, (double)l->size[l->of_class[i]] / l->holders[i]);
    }
    out->inferred = true;
    kn__tally_lists_clear(&all);
    KN_FREE(of_length, x.least);
    return status;
}

kn_status kn__k_km_recount(kn_k_km_recounted *out, const kn_dataset *ds, size_t at,
                           const uint8_t *sensitive, bool infer_too, size_t m, double budget,
                           const kn_run *run, kn_error *err)
{
    lists l = {.ds = ds, .column = &ds->column[at], .sensitive = sensitive};
    kn_status status;

    KN_TRY(form_classes(&l, err));
    *out = (kn_k_km_recounted){.classes = l.classes, .smallest = UINT32_MAX};
    for (uint32_t i = 0; i < l.classes; i++) {
        out->smallest = l.size[i] < out->smallest ? l.size[i] : out->smallest;
    }
    KN_TRY(number_items(&l, err));
    KN_TRY(count_known(&l, out, m, budget, run, err));
    if (infer_too) {
        KN_TRY(count_inferences(&l, out, m, budget, run, err));
    }
done:
    lists_clear(&l);
    return status;
}
