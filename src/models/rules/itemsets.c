/* itemsets.c - frequent itemsets by depth-first search over projections (count/projection.h): the
 * items that are frequent among the records that hold a set extend it. The threads share the first
 * items; their results are put together in the order of these, so the thread count changes nothing.
 */
#include "models/rules/itemsets.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/projection.h"

#include <stdatomic.h>
#include <string.h>

/* Sets as size, support, items. */
typedef struct found {
    uint32_t *word;
    size_t len, cap;
} found;

typedef struct worker {
    kn_projection_level *level; /* by size of the set that is extended */
    uint32_t *set;
    size_t sets, items;
    kn_status status;
    kn_error error;
} worker;

typedef struct search {
    kn_projection_lists lists;
    const kn_run *run;
    kn_projection_level root;
    size_t least, longest, most;
    found *found; /* by first item */
    worker *worker;
    unsigned threads;
    atomic_size_t sets;
    atomic_bool stop;
} search;

static kn_status add_found(search *s, worker *w, found *f, size_t size, uint32_t support)
{
    KN_PASS(kn__grow(&f->word, &f->cap, f->len + size + 2, sizeof *f->word, &w->error));
    f->word[f->len++] = (uint32_t)size;
    f->word[f->len++] = support;
    memcpy(f->word + f->len, w->set, size * sizeof *f->word);
    f->len += size;
    w->sets++;
    w->items += size;
    if (atomic_fetch_add_explicit(&s->sets, 1, memory_order_relaxed) >= s->most) {
        atomic_store(&s->stop, true);
    }
    return KN_OK;
}

/* Choose the frequent ones of the items that were counted, in ascending order. */
static kn_status choose_frequent(const search *s, kn_projection_level *l, kn_error *err)
{
    kn__sort_u32(l->touched, l->touched_len);
    for (size_t i = 0; i < l->touched_len; i++) {
        const uint32_t item = l->touched[i];
        if (l->count[item] >= s->least && !kn__projection_choose(l, item)) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

/* The frequent sets that extend the first `size` items of w->set, which the records `from` hold. */
static kn_status extend(search *s, worker *w, found *f, size_t size, const kn_tail *from,
                        size_t len)
{
    kn_projection_level *l = &w->level[size];
    size_t work = 0;
    kn_status status;

    if (atomic_load_explicit(&s->stop, memory_order_relaxed)) {
        return KN_OK; /* given up: what was found is not used */
    }
    if (!kn__projection_ready(l, s->lists.items)) {
        return kn__nomem(&w->error);
    }
    (void)kn__projection_count(&s->lists, l, from, len, &work);
    status = choose_frequent(s, l, &w->error);
    kn__projection_reset(l);
    if (status == KN_OK && size + 1 < s->longest && !kn__projection_deal(&s->lists, l, from, len)) {
        status = kn__nomem(&w->error);
    }
    for (size_t i = 0; i < l->chosen_len && status == KN_OK; i++) {
        const kn_extension *e = &l->chosen[i];
        w->set[size] = e->item;
        status = add_found(s, w, f, size + 1, e->support);
        if (status == KN_OK && size + 1 < s->longest) {
            status = extend(s, w, f, size + 1, l->dealt + e->begin, e->len);
        }
    }
    return status;
}

static void extend_items(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->worker[number];

    for (size_t i = begin; i < end && w->status == KN_OK && !atomic_load(&s->stop); i++) {
        const kn_extension *e = &s->root.chosen[i];
        found *f = &s->found[e->item];
        w->set[0] = e->item;
        w->status = add_found(s, w, f, 1, e->support);
        if (w->status == KN_OK && s->longest > 1) {
            w->status = extend(s, w, f, 1, s->root.dealt + e->begin, e->len);
        }
        if (w->status == KN_OK && number == 0) {
            w->status = kn__run_step(s->run, "item sets", (double)i / (double)s->root.chosen_len,
                                     &w->error);
        }
        if (w->status != KN_OK) {
            atomic_store(&s->stop, true);
        }
    }
}

static kn_status make_workers(search *s, kn_error *err)
{
    s->worker = kn__zalloc_array(s->threads, sizeof *s->worker);
    s->found = kn__zalloc_array(s->lists.items, sizeof *s->found);
    KN_PASS(s->worker && s->found ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < s->threads; i++) {
        worker *w = &s->worker[i];
        w->set = kn__malloc_array(s->longest, sizeof *w->set);
        w->level = kn__zalloc_array(s->longest, sizeof *w->level);
        KN_PASS(w->set && w->level ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

/* The frequent items with their records. */
static kn_status find_first(search *s, size_t records, kn_error *err)
{
    kn_tail *all = kn__projection_all(records);
    size_t work = 0;
    kn_status status;

    KN_TRY(all && kn__projection_ready(&s->root, s->lists.items) ? KN_OK : kn__nomem(err));
    (void)kn__projection_count(&s->lists, &s->root, all, records, &work);
    KN_TRY(choose_frequent(s, &s->root, err));
    if (!kn__projection_deal(&s->lists, &s->root, all, records)) {
        KN_TRY(kn__nomem(err));
    }
done:
    kn__free(all);
    return status;
}

static kn_status gather(kn_itemsets *out, const search *s, kn_error *err)
{
    size_t sets = 0, items = 0;

    for (unsigned i = 0; i < s->threads; i++) {
        sets += s->worker[i].sets;
        items += s->worker[i].items;
    }
    out->begin = kn__malloc_array(sets + 1, sizeof *out->begin);
    out->item = kn__malloc_array(items, sizeof *out->item);
    out->support = kn__malloc_array(sets, sizeof *out->support);
    if (!out->begin || !out->item || !out->support) {
        kn__itemsets_clear(out);
        return kn__nomem(err);
    }
    out->begin[0] = 0;
    for (uint32_t i = 0; i < s->lists.items; i++) {
        const found *f = &s->found[i];
        for (size_t at = 0; at < f->len; at += 2 + f->word[at]) {
            const size_t begin = out->begin[out->count], size = f->word[at];
            memcpy(out->item + begin, f->word + at + 2, size * sizeof *out->item);
            out->support[out->count++] = f->word[at + 1];
            out->begin[out->count] = begin + size;
        }
    }
    return KN_OK;
}

static void clear(search *s)
{
    for (unsigned i = 0; s->worker && i < s->threads; i++) {
        worker *w = &s->worker[i];
        for (size_t j = 0; w->level && j < s->longest; j++) {
            kn__projection_clear(&w->level[j]);
        }
        KN_FREE(w->level, w->set);
    }
    for (uint32_t i = 0; s->found && i < s->lists.items; i++) {
        kn__free(s->found[i].word);
    }
    KN_FREE(s->worker, s->found);
    kn__projection_clear(&s->root);
}

kn_status kn__itemsets_find(kn_itemsets *out, const kn_baskets *b, size_t least, size_t longest,
                            size_t most, const kn_run *run, kn_error *err)
{
    search s = {.lists = {.starts = b->starts, .list = b->list, .items = b->items},
                .run = run,
                .least = least,
                .longest = longest,
                .most = most};
    kn_status status;

    *out = (kn_itemsets){0};
    s.threads = kn__run_threads(run);
    KN_TRY(make_workers(&s, err));
    KN_TRY(find_first(&s, b->records, err));
    kn__parallel_for(s.threads, s.root.chosen_len, 1, extend_items, &s);
    for (unsigned i = 0; i < s.threads; i++) {
        if (s.worker[i].status != KN_OK && err) {
            *err = s.worker[i].error;
        }
        KN_TRY(s.worker[i].status);
    }
    if (atomic_load(&s.stop)) {
        KN_TRY(kn__fail(err, KN_EINFEASIBLE,
                        "rules: more than %zu sets of items are held by %zu records or more; raise "
                        "--support, or lower --longest",
                        most, least));
    }
    KN_TRY(gather(out, &s, err));
done:
    clear(&s);
    return status;
}

void kn__itemsets_clear(kn_itemsets *s)
{
    KN_FREE(s->begin, s->item, s->support);
    *s = (kn_itemsets){0};
}
