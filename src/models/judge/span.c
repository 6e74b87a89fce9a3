/* span.c - grouping records by span.
 *
 * Each thread keeps the spans that it finds in a hash table of class lists, and a second one
 * from keys to spans, so that `reach` is called once per key and thread. At the end the tables of
 * the threads are merged, and the spans are numbered by their first records, so that the numbers do
 * not depend on the threads. */
#include "models/judge/span.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 1 << 14, GROUPS = 16, LEAST_SLOTS = 256 };

kn_status kn__class_list_add(kn_class_list *list, uint32_t class_number, kn_error *err)
{
    const kn_status status = kn__grow(&list->at, &list->cap, list->len + 1, sizeof *list->at, err);

    if (status == KN_OK) {
        list->at[list->len++] = class_number;
    }
    return status;
}

void kn__class_list_clear(kn_class_list *list)
{
    kn__free(list->at);
    *list = (kn_class_list){0};
}

void kn__span_model_clear(kn_span_model *model)
{
    if (model->clear) {
        model->clear(model->model);
    }
    *model = (kn_span_model){0};
}

/* ---- a hash table of spans: lists of classes, open addressing ---- */

typedef struct span_table {
    size_t count;
    size_t *starts; /* count + 1, once there is one */
    size_t starts_cap;
    uint32_t *classes;
    size_t classes_cap;
    uint64_t *hash; /* by span */
    size_t hash_cap;
    size_t *first; /* by span: its least record */
    size_t first_cap;
    uint32_t *slots; /* span + 1; 0: empty */
    size_t mask;
} span_table;

static void clear_table(span_table *l)
{
    kn__free(l->starts);
    kn__free(l->classes);
    kn__free(l->hash);
    kn__free(l->first);
    kn__free(l->slots);
    *l = (span_table){0};
}

static bool same_span(const span_table *l, uint32_t i, uint64_t hash, const uint32_t *at,
                      size_t len)
{
    assert(i < l->count && l->hash);
    return l->hash[i] == hash && l->starts[i + 1] - l->starts[i] == len &&
           memcmp(l->classes + l->starts[i], at, len * sizeof *at) == 0;
}

static bool grow_slots(span_table *l)
{
    const size_t slots = l->slots ? (l->mask + 1) * 2 : LEAST_SLOTS;
    uint32_t *bigger = kn__zalloc_array(slots, sizeof *bigger);

    if (!bigger) {
        return false;
    }
    for (size_t i = 0; i < l->count; i++) {
        size_t at = (size_t)l->hash[i] & (slots - 1);
        while (bigger[at]) {
            at = (at + 1) & (slots - 1);
        }
        bigger[at] = (uint32_t)i + 1;
    }
    kn__free(l->slots);
    l->slots = bigger;
    l->mask = slots - 1;
    return true;
}

static kn_status append_span(span_table *l, uint64_t hash, const uint32_t *at, size_t len,
                             kn_error *err)
{
    const size_t used = l->count ? l->starts[l->count] : 0;
    kn_status status;

    KN_TRY(kn__grow(&l->starts, &l->starts_cap, l->count + 2, sizeof *l->starts, err));
    KN_TRY(kn__grow(&l->classes, &l->classes_cap, used + len + 1, sizeof *l->classes, err));
    KN_TRY(kn__grow(&l->hash, &l->hash_cap, l->count + 1, sizeof *l->hash, err));
    KN_TRY(kn__grow(&l->first, &l->first_cap, l->count + 1, sizeof *l->first, err));
    l->starts[l->count] = used;
    l->starts[l->count + 1] = used + len;
    if (len) {
        memcpy(l->classes + used, at, len * sizeof *at);
    }
    l->hash[l->count] = hash;
    l->first[l->count] = SIZE_MAX;
done:
    return status;
}

/* The number of the span with these classes, which `record` has; it is added if it is new. */
static kn_status find_or_add(span_table *l, const uint32_t *at, size_t len, size_t record,
                             uint32_t *number, kn_error *err)
{
    const uint64_t hash = kn__hash_bytes(at, len * sizeof *at);
    size_t i;
    kn_status status;

    if (l->count * 2 >= (l->slots ? l->mask + 1 : 0) && !grow_slots(l)) {
        return kn__nomem(err);
    }
    for (i = (size_t)hash & l->mask; l->slots[i]; i = (i + 1) & l->mask) {
        if (same_span(l, l->slots[i] - 1, hash, at, len)) {
            *number = l->slots[i] - 1;
            if (record < l->first[*number]) {
                l->first[*number] = record;
            }
            return KN_OK;
        }
    }
    status = append_span(l, hash, at, len, err);
    if (status == KN_OK) {
        *number = (uint32_t)l->count;
        l->first[l->count] = record;
        l->slots[i] = (uint32_t)++l->count;
    }
    return status;
}

/* ---- a hash table from keys to spans ---- */

typedef struct key_slot {
    uint64_t key;
    uint32_t span; /* + 1; 0: empty */
} key_slot;

typedef struct keys {
    key_slot *slots;
    size_t mask, used;
} keys;

static key_slot *find_key(const keys *k, uint64_t key)
{
    size_t i = (size_t)kn__hash_u64(key) & k->mask;

    while (k->slots[i].span && k->slots[i].key != key) {
        i = (i + 1) & k->mask;
    }
    return &k->slots[i];
}

static bool grow_keys(keys *k)
{
    const keys old = *k;
    const size_t slots = old.slots ? (old.mask + 1) * 2 : LEAST_SLOTS;

    k->slots = kn__zalloc_array(slots, sizeof *k->slots);
    if (!k->slots) {
        *k = old;
        return false;
    }
    k->mask = slots - 1;
    for (size_t i = 0; old.slots && i <= old.mask; i++) {
        if (old.slots[i].span) {
            *find_key(k, old.slots[i].key) = old.slots[i];
        }
    }
    kn__free(old.slots);
    return true;
}

/* ---- the threads ---- */

typedef struct worker {
    void *scratch;
    span_table spans;
    keys keys;
    kn_class_list reached;
    uint32_t *number; /* by span of the worker: its number in the result */
    kn_status status;
    kn_error err;
} worker;

typedef struct span_search {
    const kn_span_model *model;
    const kn_run *run;
    kn_spans *out;
    worker *workers;
    uint8_t *of_worker; /* by slice of records, or by group: the worker that took it */
    const uint32_t *group_of, *group_first; /* NULL: no groups */
    size_t groups;
    uint32_t *span_of_group;
    atomic_bool stop;
    atomic_size_t done, groups_done; /* progress in records, and in groups */
} span_search;

static kn_status span_of(const kn_span_model *m, worker *w, size_t record, uint32_t *span)
{
    const uint64_t key = m->key ? m->key(m->model, record, w->scratch) : UINT64_MAX;
    key_slot *slot = NULL;
    kn_status status;

    if (key != UINT64_MAX) {
        if ((!w->keys.slots || w->keys.used > w->keys.mask / 2) && !grow_keys(&w->keys)) {
            return kn__nomem(&w->err);
        }
        slot = find_key(&w->keys, key);
        if (slot->span) {
            *span = slot->span - 1;
            return KN_OK;
        }
    }
    w->reached.len = 0;
    KN_TRY(m->reach(m->model, record, w->scratch, &w->reached, &w->err));
    KN_TRY(find_or_add(&w->spans, w->reached.at, w->reached.len, record, span, &w->err));
    if (slot) {
        *slot = (key_slot){key, *span + 1};
        w->keys.used++;
    }
done:
    return status;
}

static void report(span_search *f, worker *w, size_t done, size_t all)
{
    w->status = kn__run_step(f->run, "spans", (double)done / (double)all, &w->err);
    if (w->status != KN_OK) {
        atomic_store(&f->stop, true);
    }
}

static void find_groups(void *user, unsigned number, size_t begin, size_t end)
{
    span_search *f = user;
    worker *w = &f->workers[number];
    const kn_span_model *m = f->model;

    for (size_t i = begin; i < end && !atomic_load_explicit(&f->stop, memory_order_relaxed); i++) {
        const uint32_t record = f->group_first[i];
        f->of_worker[i] = (uint8_t)number;
        w->reached.len = 0;
        w->status = m->reach(m->model, record, w->scratch, &w->reached, &w->err);
        if (w->status == KN_OK) {
            w->status = find_or_add(&w->spans, w->reached.at, w->reached.len, record,
                                    &f->span_of_group[i], &w->err);
        }
        if (w->status != KN_OK) {
            atomic_store(&f->stop, true);
        }
    }
    atomic_fetch_add(&f->groups_done, end - begin);
    if (number == 0 && w->status == KN_OK && !atomic_load(&f->stop)) {
        report(f, w, atomic_load(&f->groups_done), f->groups);
    }
}

static void find_slice(void *user, unsigned number, size_t begin, size_t end)
{
    span_search *f = user;
    worker *w = &f->workers[number];
    const kn_span_model *m = f->model;

    if (!f->group_of) {
        f->of_worker[begin / SLICE] = (uint8_t)number;
    }
    for (size_t i = begin; i < end && !atomic_load_explicit(&f->stop, memory_order_relaxed); i++) {
        if (!f->group_of) {
            w->status = span_of(m, w, i, &f->out->of[i]);
        }
        f->out->class_of[i] = m->class_of(m->model, i, w->scratch);
        if (w->status != KN_OK) {
            atomic_store(&f->stop, true);
        }
    }
    atomic_fetch_add(&f->done, end - begin);
    if (number == 0 && w->status == KN_OK && !atomic_load(&f->stop)) {
        report(f, w, atomic_load(&f->done), m->records);
    }
}

static void renumber_slice(void *user, unsigned number, size_t begin, size_t end)
{
    span_search *f = user;

    (void)number;
    for (size_t at = begin; at < end && f->group_of; at++) {
        const uint32_t group = f->group_of[at];
        f->out->of[at] = f->workers[f->of_worker[group]].number[f->span_of_group[group]];
    }
    for (size_t at = begin; at < end && !f->group_of; at++) {
        f->out->of[at] = f->workers[f->of_worker[at / SLICE]].number[f->out->of[at]];
    }
}

/* ---- merging the workers ---- */

typedef struct first_record {
    size_t first;
    uint32_t span;
} first_record;

static int by_first(const void *a, const void *b)
{
    const first_record *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Number the spans of the merged table by first record, and copy their classes in that order. */
static kn_status number_spans(kn_spans *out, const span_table *all, uint32_t *number, kn_error *err)
{
    first_record *order = kn__malloc_array(all->count ? all->count : 1, sizeof *order);
    size_t used = 0;

    out->starts = kn__malloc_array(all->count + 1, sizeof *out->starts);
    out->classes = kn__malloc_array(all->count ? all->starts[all->count] + 1 : 1,
                                    sizeof *out->classes);
    out->population = kn__zalloc_array(all->count ? all->count : 1, sizeof *out->population);
    if (!order || !out->starts || !out->classes || !out->population) {
        kn__free(order);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < all->count; i++) {
        order[i] = (first_record){all->first[i], (uint32_t)i};
    }
    qsort(order, all->count, sizeof *order, by_first);
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t span = order[i].span;
        const size_t len = all->starts[span + 1] - all->starts[span];
        out->starts[i] = used;
        if (len) {
            memcpy(out->classes + used, all->classes + all->starts[span],
                   len * sizeof *out->classes);
        }
        used += len;
        number[span] = (uint32_t)i;
    }
    out->starts[all->count] = used;
    out->count = all->count;
    kn__free(order);
    return KN_OK;
}

static kn_status merge_workers(span_search *f, unsigned threads, kn_error *err)
{
    span_table all = {0};
    uint32_t *number = NULL;
    kn_status status = KN_OK;

    for (unsigned t = 0; t < threads; t++) {
        worker *w = &f->workers[t];
        w->number = kn__malloc_array(w->spans.count ? w->spans.count : 1, sizeof *w->number);
        KN_TRY(w->number ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < w->spans.count; i++) {
            KN_TRY(find_or_add(&all, w->spans.classes + w->spans.starts[i],
                               w->spans.starts[i + 1] - w->spans.starts[i], w->spans.first[i],
                               &w->number[i], err));
        }
    }
    number = kn__malloc_array(all.count ? all.count : 1, sizeof *number);
    KN_TRY(number ? number_spans(f->out, &all, number, err) : kn__nomem(err));
    for (unsigned t = 0; t < threads; t++) {
        for (size_t i = 0; i < f->workers[t].spans.count; i++) {
            f->workers[t].number[i] = number[f->workers[t].number[i]];
        }
    }
done:
    kn__free(number);
    clear_table(&all);
    return status;
}

static kn_status prepare(span_search *f, unsigned threads, kn_error *err)
{
    const size_t records = f->model->records;

    f->out->of = kn__malloc_array(records ? records : 1, sizeof *f->out->of);
    f->out->class_of = kn__malloc_array(records ? records : 1, sizeof *f->out->class_of);
    f->out->classes_count = f->model->classes;
    f->out->class_population = kn__zalloc_array(f->model->classes ? f->model->classes : 1,
                                                sizeof *f->out->class_population);
    f->of_worker = kn__zalloc((f->group_of ? f->groups : records / SLICE) + 1);
    f->span_of_group = kn__malloc_array(f->groups + 1, sizeof *f->span_of_group);
    f->workers = kn__zalloc_array(threads, sizeof *f->workers);
    if (!f->out->of || !f->out->class_of || !f->out->class_population || !f->of_worker ||
        !f->span_of_group || !f->workers) {
        return kn__nomem(err);
    }
    for (unsigned t = 0; t < threads; t++) {
        f->workers[t].scratch = kn__zalloc(f->model->scratch_bytes ? f->model->scratch_bytes : 1);
        if (!f->workers[t].scratch) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

static void clear_workers(span_search *f, unsigned threads)
{
    for (unsigned t = 0; f->workers && t < threads; t++) {
        worker *w = &f->workers[t];
        if (w->scratch && f->model->scratch_clear) {
            f->model->scratch_clear(w->scratch);
        }
        kn__free(w->scratch);
        kn__free(w->keys.slots);
        kn__free(w->number);
        kn__class_list_clear(&w->reached);
        clear_table(&w->spans);
    }
    kn__free(f->workers);
    kn__free(f->of_worker);
    kn__free(f->span_of_group);
}

/* The status of the first worker that failed. */
static kn_status status_of_workers(const span_search *f, unsigned threads, kn_error *err)
{
    for (unsigned t = 0; t < threads; t++) {
        if (f->workers[t].status != KN_OK) {
            if (err) {
                *err = f->workers[t].err;
            }
            return f->workers[t].status;
        }
    }
    return KN_OK;
}

kn_status kn__spans_find(kn_spans *out, const kn_span_model *model, const kn_run *run,
                         kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    span_search f = {.model = model, .run = run, .out = out};
    kn_status status;

    *out = (kn_spans){0};
    if (model->group) {
        KN_TRY(kn__run_step(run, "groups", -1, err));
        KN_TRY(model->group(model->model, &f.group_of, &f.group_first, &f.groups, err));
    }
    KN_TRY(prepare(&f, threads, err));
    if (f.group_of) {
        kn__parallel_for(threads, f.groups, GROUPS, find_groups, &f);
    }
    kn__parallel_for(threads, model->records, SLICE, find_slice, &f);
    KN_TRY(status_of_workers(&f, threads, err));
    KN_TRY(merge_workers(&f, threads, err));
    kn__parallel_for(threads, model->records, SLICE, renumber_slice, &f);
    for (size_t i = 0; i < model->records; i++) {
        out->population[out->of[i]]++;
        out->class_population[out->class_of[i]]++;
    }
done:
    clear_workers(&f, threads);
    if (status != KN_OK) {
        kn__spans_clear(out);
    }
    return status;
}

void kn__spans_clear(kn_spans *s)
{
    kn__free(s->starts);
    kn__free(s->classes);
    kn__free(s->population);
    kn__free(s->of);
    kn__free(s->class_of);
    kn__free(s->class_population);
    *s = (kn_spans){0};
}

uint64_t kn__spans_k(const kn_spans *s)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < s->count; i++) {
        if (kn__span_discloses(s, i) && s->population[i] < least) {
            least = s->population[i];
        }
    }
    return least;
}
