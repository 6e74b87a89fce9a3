/* span.c - grouping records by span.
 *
 * Each thread interns the spans that it finds, as lists of classes, and keeps a map from keys to
 * spans, so that `reach` is called once per key and thread. At the end the tables of the threads
 * are merged, and the spans are numbered by their first records, so that the numbers do not depend
 * on the threads. */
#include "models/judge/span.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 1 << 14, GROUPS = 16 };

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

/* ---- the spans that a thread finds ---- */

typedef struct span_table {
    kn_intern spans; /* lists of classes */
    size_t *first;   /* by span: its least record */
    size_t first_cap;
} span_table;

static void clear_table(span_table *l)
{
    kn__intern_clear(&l->spans);
    kn__free(l->first);
    *l = (span_table){0};
}

/* The number of the span with these classes, which `record` has; it is added if it is new. */
static kn_status find_or_add(span_table *l, const uint32_t *at, size_t len, size_t record,
                             uint32_t *number, kn_error *err)
{
    const size_t count = l->spans.count;

    KN_PASS(kn__grow(&l->first, &l->first_cap, count + 1, sizeof *l->first, err));
    KN_PASS(kn__intern_add(&l->spans, at, len, number, err));
    if (*number == count || record < l->first[*number]) {
        l->first[*number] = record;
    }
    return KN_OK;
}

/* ---- the threads ---- */

typedef struct worker {
    void *scratch;
    span_table table;
    kn_map keys; /* by key: the number of its span + 1 */
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
    kn_map_slot *slot = NULL;
    kn_status status;

    if (key != UINT64_MAX) {
        KN_TRY(kn__map_reserve(&w->keys, w->keys.used + 1, &w->err));
        slot = kn__map_find(&w->keys, key);
        if (slot->value) {
            *span = (uint32_t)(slot->value - 1);
            goto done;
        }
    }
    w->reached.len = 0;
    KN_TRY(m->reach(m->model, record, w->scratch, &w->reached, &w->err));
    KN_TRY(find_or_add(&w->table, w->reached.at, w->reached.len, record, span, &w->err));
    if (slot) {
        kn__map_put(&w->keys, slot, key, (uint64_t)*span + 1);
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
            w->status = find_or_add(&w->table, w->reached.at, w->reached.len, record,
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

/* Number the spans of the merged table by first record, and copy their classes in that order. */
static kn_status number_spans(kn_spans *out, const span_table *all, uint32_t *number, kn_error *err)
{
    const size_t count = all->spans.count, classes = count ? all->spans.starts[count] : 0;
    kn_ranked *order = kn__malloc_array(count, sizeof *order);
    size_t used = 0;
    kn_status status;

    out->starts = kn__malloc_array(count + 1, sizeof *out->starts);
    out->classes = kn__malloc_array(classes, sizeof *out->classes);
    out->population = kn__zalloc_array(count, sizeof *out->population);
    KN_TRY(order && out->starts && out->classes && out->population ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        order[i] = (kn_ranked){(double)all->first[i], (uint32_t)i};
    }
    kn__sort_ranked(order, count);
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const uint32_t *list = kn__intern_list(&all->spans, order[i].id, &len);
        out->starts[i] = used;
        if (len) {
            memcpy(out->classes + used, list, len * sizeof *list);
        }
        used += len;
        number[order[i].id] = (uint32_t)i;
    }
    out->starts[count] = used;
    out->count = count;
done:
    kn__free(order);
    return status;
}

static kn_status merge_workers(span_search *f, unsigned threads, kn_error *err)
{
    span_table all = {0};
    uint32_t *number = NULL;
    kn_status status = KN_OK;

    for (unsigned t = 0; t < threads; t++) {
        worker *w = &f->workers[t];
        w->number = kn__malloc_array(w->table.spans.count, sizeof *w->number);
        KN_TRY(w->number ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < w->table.spans.count; i++) {
            size_t len;
            const uint32_t *list = kn__intern_list(&w->table.spans, i, &len);
            KN_TRY(find_or_add(&all, list, len, w->table.first[i], &w->number[i], err));
        }
    }
    number = kn__malloc_array(all.spans.count, sizeof *number);
    KN_TRY(number ? number_spans(f->out, &all, number, err) : kn__nomem(err));
    for (unsigned t = 0; t < threads; t++) {
        for (size_t i = 0; i < f->workers[t].table.spans.count; i++) {
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

    f->out->of = kn__malloc_array(records, sizeof *f->out->of);
    f->out->class_of = kn__malloc_array(records, sizeof *f->out->class_of);
    f->out->classes_count = f->model->classes;
    f->out->class_population = kn__zalloc_array(f->model->classes,
                                                sizeof *f->out->class_population);
    f->of_worker = kn__zalloc((f->group_of ? f->groups : records / SLICE) + 1);
    f->span_of_group = kn__malloc_array(f->groups + 1, sizeof *f->span_of_group);
    f->workers = kn__zalloc_array(threads, sizeof *f->workers);
    if (!f->out->of || !f->out->class_of || !f->out->class_population || !f->of_worker ||
        !f->span_of_group || !f->workers) {
        return kn__nomem(err);
    }
    for (unsigned t = 0; t < threads; t++) {
        f->workers[t].scratch = kn__zalloc(f->model->scratch_bytes);
        KN_PASS(f->workers[t].scratch ? KN_OK : kn__nomem(err));
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
        kn__map_clear(&w->keys);
        kn__free(w->number);
        kn__class_list_clear(&w->reached);
        clear_table(&w->table);
    }
    KN_FREE(f->workers, f->of_worker, f->span_of_group);
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
    KN_FREE(s->starts, s->classes, s->population, s->of, s->class_of, s->class_population);
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
