/* span.c - grouping records by span.
 *
 * Threads take slices of the records. Each keeps the spans that it has met as lists of classes,
 * found again by a hash of the list, and by key which span the public values have: a key is asked
 * once a thread. At the end the threads' spans are put together and numbered by their first
 * records, so that the numbers do not depend on who met them. */
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
    const kn_status st = kn__grow(&list->at, &list->cap, list->len + 1, sizeof *list->at, err);

    if (st == KN_OK) {
        list->at[list->len++] = class_number;
    }
    return st;
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

/* ---- lists of classes, each once ---- */

typedef struct lists {
    size_t count;
    size_t *starts; /* count + 1, once there is one */
    size_t starts_cap;
    uint32_t *classes;
    size_t classes_cap;
    uint64_t *hash; /* by list */
    size_t hash_cap;
    size_t *first; /* by list: its least record */
    size_t first_cap;
    uint32_t *slots; /* list + 1; 0: empty */
    size_t mask;
} lists;

static void clear_lists(lists *l)
{
    kn__free(l->starts);
    kn__free(l->classes);
    kn__free(l->hash);
    kn__free(l->first);
    kn__free(l->slots);
    *l = (lists){0};
}

static bool same_list(const lists *l, uint32_t i, uint64_t hash, const uint32_t *at, size_t len)
{
    assert(i < l->count && l->hash);
    return l->hash[i] == hash && l->starts[i + 1] - l->starts[i] == len &&
           memcmp(l->classes + l->starts[i], at, len * sizeof *at) == 0;
}

static bool grow_slots(lists *l)
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

static kn_status append_list(lists *l, uint64_t hash, const uint32_t *at, size_t len, kn_error *err)
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

/* The number of the list, which `record` has. */
static kn_status find_list(lists *l, const uint32_t *at, size_t len, size_t record,
                           uint32_t *number, kn_error *err)
{
    const uint64_t hash = kn__hash_bytes(at, len * sizeof *at);
    size_t i;
    kn_status st;

    if (l->count * 2 >= (l->slots ? l->mask + 1 : 0) && !grow_slots(l)) {
        return kn__nomem(err);
    }
    for (i = (size_t)hash & l->mask; l->slots[i]; i = (i + 1) & l->mask) {
        if (same_list(l, l->slots[i] - 1, hash, at, len)) {
            *number = l->slots[i] - 1;
            if (record < l->first[*number]) {
                l->first[*number] = record;
            }
            return KN_OK;
        }
    }
    st = append_list(l, hash, at, len, err);
    if (st == KN_OK) {
        *number = (uint32_t)l->count;
        l->first[l->count] = record;
        l->slots[i] = (uint32_t)++l->count;
    }
    return st;
}

/* ---- keys ---- */

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
    lists spans;
    keys keys;
    kn_class_list reached;
    uint32_t *number; /* by its span: that of the result */
    kn_status status;
    kn_error err;
} worker;

typedef struct finding {
    const kn_span_model *model;
    const kn_run *run;
    kn_spans *out;
    worker *workers;
    uint8_t *of_worker;                     /* by slice of records, or of groups: who took it */
    const uint32_t *group_of, *group_first; /* NULL: no groups */
    size_t groups;
    uint32_t *span_of_group;
    atomic_bool stop;
    atomic_size_t done, asked; /* records; groups */
} finding;

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
    KN_TRY(find_list(&w->spans, w->reached.at, w->reached.len, record, span, &w->err));
    if (slot) {
        *slot = (key_slot){key, *span + 1};
        w->keys.used++;
    }
done:
    return status;
}

static void step(finding *f, worker *w, size_t done, size_t all)
{
    w->status = kn__run_step(f->run, "spans", (double)done / (double)all, &w->err);
    if (w->status != KN_OK) {
        atomic_store(&f->stop, true);
    }
}

static void find_groups(void *user, unsigned number, size_t begin, size_t end)
{
    finding *f = user;
    worker *w = &f->workers[number];
    const kn_span_model *m = f->model;

    for (size_t i = begin; i < end && !atomic_load_explicit(&f->stop, memory_order_relaxed); i++) {
        const uint32_t record = f->group_first[i];
        f->of_worker[i] = (uint8_t)number;
        w->reached.len = 0;
        w->status = m->reach(m->model, record, w->scratch, &w->reached, &w->err);
        if (w->status == KN_OK) {
            w->status = find_list(&w->spans, w->reached.at, w->reached.len, record,
                                  &f->span_of_group[i], &w->err);
        }
        if (w->status != KN_OK) {
            atomic_store(&f->stop, true);
        }
    }
    atomic_fetch_add(&f->asked, end - begin);
    if (number == 0 && w->status == KN_OK && !atomic_load(&f->stop)) {
        step(f, w, atomic_load(&f->asked), f->groups);
    }
}

static void find_slice(void *user, unsigned number, size_t begin, size_t end)
{
    finding *f = user;
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
        step(f, w, atomic_load(&f->done), m->records);
    }
}

static void renumber_slice(void *user, unsigned number, size_t begin, size_t end)
{
    finding *f = user;

    (void)number;
    for (size_t at = begin; at < end && f->group_of; at++) {
        const uint32_t group = f->group_of[at];
        f->out->of[at] = f->workers[f->of_worker[group]].number[f->span_of_group[group]];
    }
    for (size_t at = begin; at < end && !f->group_of; at++) {
        f->out->of[at] = f->workers[f->of_worker[at / SLICE]].number[f->out->of[at]];
    }
}

/* ---- putting together ---- */

typedef struct met {
    size_t first;
    uint32_t list;
} met;

static int by_first(const void *a, const void *b)
{
    const met *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Numbers for the lists `all` by first record, and the spans' classes in that order. */
static kn_status number_lists(kn_spans *out, const lists *all, uint32_t *number, kn_error *err)
{
    met *order = kn__malloc_array(all->count ? all->count : 1, sizeof *order);
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
        order[i] = (met){all->first[i], (uint32_t)i};
    }
    qsort(order, all->count, sizeof *order, by_first);
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t list = order[i].list;
        const size_t len = all->starts[list + 1] - all->starts[list];
        out->starts[i] = used;
        if (len) {
            memcpy(out->classes + used, all->classes + all->starts[list],
                   len * sizeof *out->classes);
        }
        used += len;
        number[list] = (uint32_t)i;
    }
    out->starts[all->count] = used;
    out->count = all->count;
    kn__free(order);
    return KN_OK;
}

static kn_status put_together(finding *f, unsigned threads, kn_error *err)
{
    lists all = {0};
    uint32_t *number = NULL;
    kn_status status = KN_OK;

    for (unsigned t = 0; t < threads; t++) {
        worker *w = &f->workers[t];
        w->number = kn__malloc_array(w->spans.count ? w->spans.count : 1, sizeof *w->number);
        KN_TRY(w->number ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < w->spans.count; i++) {
            KN_TRY(find_list(&all, w->spans.classes + w->spans.starts[i],
                             w->spans.starts[i + 1] - w->spans.starts[i], w->spans.first[i],
                             &w->number[i], err));
        }
    }
    number = kn__malloc_array(all.count ? all.count : 1, sizeof *number);
    KN_TRY(number ? number_lists(f->out, &all, number, err) : kn__nomem(err));
    for (unsigned t = 0; t < threads; t++) {
        for (size_t i = 0; i < f->workers[t].spans.count; i++) {
            f->workers[t].number[i] = number[f->workers[t].number[i]];
        }
    }
done:
    kn__free(number);
    clear_lists(&all);
    return status;
}

static kn_status prepare(finding *f, unsigned threads, kn_error *err)
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

static void clear_workers(finding *f, unsigned threads)
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
        clear_lists(&w->spans);
    }
    kn__free(f->workers);
    kn__free(f->of_worker);
    kn__free(f->span_of_group);
}

kn_status kn__spans_find(kn_spans *out, const kn_span_model *model, const kn_run *run,
                         kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    finding f = {.model = model, .run = run, .out = out};
    kn_status st = KN_OK;

    *out = (kn_spans){0};
    if (model->group) {
        st = kn__run_step(run, "groups", -1, err);
        if (st == KN_OK) {
            st = model->group(model->model, &f.group_of, &f.group_first, &f.groups, err);
        }
    }
    if (st == KN_OK) {
        st = prepare(&f, threads, err);
    }
    if (st == KN_OK) {
        if (f.group_of) {
            kn__parallel_for(threads, f.groups, GROUPS, find_groups, &f);
        }
        kn__parallel_for(threads, model->records, SLICE, find_slice, &f);
        for (unsigned t = 0; t < threads && st == KN_OK; t++) {
            st = f.workers[t].status;
            if (st != KN_OK && err) {
                *err = f.workers[t].err;
            }
        }
    }
    if (st == KN_OK) {
        st = put_together(&f, threads, err);
    }
    if (st == KN_OK) {
        kn__parallel_for(threads, model->records, SLICE, renumber_slice, &f);
        for (size_t i = 0; i < model->records; i++) {
            out->population[out->of[i]]++;
            out->class_population[out->class_of[i]]++;
        }
    }
    clear_workers(&f, threads);
    if (st != KN_OK) {
        kn__spans_clear(out);
    }
    return st;
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
