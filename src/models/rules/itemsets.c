/* itemsets.c - frequent item sets, depth first over conditional lists.
 *
 * A list of records is kept as the places where their tails begin, in one array of all items with
 * an end behind each record; the next items are counted over the tails, and only for those that are
 * frequent are the tails dealt on. First items are shared out among the
 * threads, and what is found is put together in their order. */
#include "models/rules/itemsets.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <string.h>

enum { AHEAD = 8 }; /* tails that are fetched while others are read: they are far apart */

typedef size_t tail;

/* What a thread keeps for the sets of one size on its way down. */
typedef struct depth {
    uint32_t *count; /* by item: records with the set and it; 0 between uses */
    uint32_t *seen;
    size_t seen_len;
    size_t *next; /* by item: where its next tail is dealt to */
    tail *dealt;
    size_t dealt_cap;
} depth;

/* Sets as size, support, items. */
typedef struct found {
    uint32_t *word;
    size_t len, cap;
} found;

typedef struct worker {
    depth *depth; /* by size of the set that is extended */
    uint32_t *set;
    size_t sets, items;
    kn_status status;
    kn_error error;
} worker;

typedef struct search {
    const kn_baskets *b;
    const kn_run *run;
    uint32_t *list; /* the records' items, KN_NO_CODE behind each */
    tail *tails;    /* of every item, one item after the other */
    size_t *begin;  /* by item */
    size_t least, longest, most;
    found *found; /* by first item */
    worker *worker;
    unsigned threads;
    atomic_size_t sets;
    atomic_bool stop;
} search;

static kn_status add_found(search *s, worker *w, found *f, size_t size, uint32_t support)
{
    const kn_status status = kn__grow(&f->word, &f->cap, f->len + size + 2, sizeof *f->word,
                                      &w->error);

    if (status != KN_OK) {
        return status;
    }
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

static void count_tails(const search *s, depth *d, const tail *from, size_t len)
{
    size_t kept = 0;

    d->seen_len = 0;
    for (size_t i = 0; i < len; i++) {
        if (i + AHEAD < len) {
            __builtin_prefetch(s->list + from[i + AHEAD]);
        }
        for (const uint32_t *item = s->list + from[i]; *item != KN_NO_CODE; item++) {
            if (d->count[*item]++ == 0) {
                d->seen[d->seen_len++] = *item;
            }
        }
    }
    for (size_t i = 0; i < d->seen_len; i++) {
        if (d->count[d->seen[i]] >= s->least) {
            d->seen[kept++] = d->seen[i];
        } else {
            d->count[d->seen[i]] = 0;
        }
    }
    d->seen_len = kept;
    kn__sort_u32(d->seen, kept);
}

static kn_status deal(const search *s, worker *w, depth *d, const tail *from, size_t len)
{
    size_t all = 0;
    kn_status status;

    for (size_t i = 0; i < d->seen_len; i++) {
        d->next[d->seen[i]] = all;
        all += d->count[d->seen[i]];
    }
    status = kn__grow(&d->dealt, &d->dealt_cap, all, sizeof *d->dealt, &w->error);
    for (size_t i = 0; i < len && status == KN_OK; i++) {
        if (i + AHEAD < len) {
            __builtin_prefetch(s->list + from[i + AHEAD]);
        }
        for (size_t at = from[i]; s->list[at] != KN_NO_CODE; at++) {
            const uint32_t item = s->list[at];
            if (d->count[item] > 0) {
                d->dealt[d->next[item]++] = at + 1;
            }
        }
    }
    return status;
}

/* The frequent sets that extend the first `size` items of w->set, which the records `from` hold. */
static kn_status extend(search *s, worker *w, found *f, size_t size, const tail *from, size_t len)
{
    depth *d = &w->depth[size];
    kn_status status = KN_OK;

    if (atomic_load_explicit(&s->stop, memory_order_relaxed)) {
        return KN_OK; /* given up: what was found is not used */
    }
    count_tails(s, d, from, len);
    if (size + 1 < s->longest && d->seen_len > 0) {
        status = deal(s, w, d, from, len);
    }
    for (size_t i = 0; i < d->seen_len && status == KN_OK; i++) {
        const uint32_t item = d->seen[i], support = d->count[item];
        w->set[size] = item;
        status = add_found(s, w, f, size + 1, support);
        if (status == KN_OK && size + 1 < s->longest) {
            status = extend(s, w, f, size + 1, d->dealt + d->next[item] - support, support);
        }
    }
    for (size_t i = 0; i < d->seen_len; i++) {
        d->count[d->seen[i]] = 0;
    }
    return status;
}

static void extend_items(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->worker[number];

    for (size_t item = begin; item < end && w->status == KN_OK && !atomic_load(&s->stop); item++) {
        const size_t len = s->begin[item + 1] - s->begin[item];
        if (len < s->least) {
            continue;
        }
        w->set[0] = (uint32_t)item;
        w->status = add_found(s, w, &s->found[item], 1, (uint32_t)len);
        if (w->status == KN_OK && s->longest > 1) {
            w->status = extend(s, w, &s->found[item], 1, s->tails + s->begin[item], len);
        }
        if (w->status == KN_OK && number == 0) {
            w->status = kn__run_step(s->run, "item sets", (double)item / s->b->items, &w->error);
        }
        if (w->status != KN_OK) {
            atomic_store(&s->stop, true);
        }
    }
}

static kn_status make_workers(search *s, kn_error *err)
{
    const uint32_t items = s->b->items;

    s->worker = kn__zalloc_array(s->threads, sizeof *s->worker);
    for (unsigned i = 0; s->worker && i < s->threads; i++) {
        worker *w = &s->worker[i];
        w->set = kn__malloc_array(s->longest, sizeof *w->set);
        w->depth = kn__zalloc_array(s->longest, sizeof *w->depth);
        if (!w->set || !w->depth) {
            return kn__nomem(err);
        }
        for (size_t j = 1; j < s->longest; j++) {
            depth *d = &w->depth[j];
            d->count = kn__zalloc_array(items, sizeof *d->count);
            d->seen = kn__malloc_array(items, sizeof *d->seen);
            d->next = kn__malloc_array(items, sizeof *d->next);
            if (!d->count || !d->seen || !d->next) {
                return kn__nomem(err);
            }
        }
    }
    return s->worker ? KN_OK : kn__nomem(err);
}

static kn_status deal_all(search *s, kn_error *err)
{
    const kn_baskets *b = s->b;
    const size_t all = (size_t)b->starts[b->records];
    size_t *next = kn__zalloc_array((size_t)b->items + 1, sizeof *next);

    s->begin = kn__zalloc_array((size_t)b->items + 1, sizeof *s->begin);
    s->tails = kn__malloc_array(all, sizeof *s->tails);
    s->found = kn__zalloc_array(b->items, sizeof *s->found);
    s->list = kn__malloc_array(all + b->records, sizeof *s->list);
    if (!next || !s->list || !s->begin || !s->tails || !s->found) {
        kn__free(next);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < all; i++) {
        s->begin[b->list[i] + 1]++;
    }
    for (uint32_t i = 0; i < b->items; i++) {
        s->begin[i + 1] += s->begin[i];
        next[i] = s->begin[i];
    }
    for (size_t i = 0, at = 0; i < b->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            s->list[at++] = items[j];
            s->tails[next[items[j]]++] = at;
        }
        s->list[at++] = KN_NO_CODE;
    }
    kn__free(next);
    return KN_OK;
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
    for (uint32_t i = 0; i < s->b->items; i++) {
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
        for (size_t j = 1; w->depth && j < s->longest; j++) {
            kn__free(w->depth[j].count);
            kn__free(w->depth[j].seen);
            kn__free(w->depth[j].next);
            kn__free(w->depth[j].dealt);
        }
        kn__free(w->depth);
        kn__free(w->set);
    }
    for (uint32_t i = 0; s->found && i < s->b->items; i++) {
        kn__free(s->found[i].word);
    }
    kn__free(s->worker);
    kn__free(s->found);
    kn__free(s->list);
    kn__free(s->tails);
    kn__free(s->begin);
}

kn_status kn__itemsets_find(kn_itemsets *out, const kn_baskets *b, size_t least, size_t longest,
                            size_t most, const kn_run *run, kn_error *err)
{
    search s = {.b = b, .run = run, .least = least, .longest = longest, .most = most};
    kn_status status;

    *out = (kn_itemsets){0};
    s.threads = kn__run_threads(run);
    status = make_workers(&s, err);
    if (status == KN_OK) {
        status = deal_all(&s, err);
    }
    if (status == KN_OK) {
        kn__parallel_for(s.threads, b->items, 1, extend_items, &s);
        for (unsigned i = 0; i < s.threads && status == KN_OK; i++) {
            status = s.worker[i].status;
            if (status != KN_OK && err) {
                *err = s.worker[i].error;
            }
        }
    }
    if (status == KN_OK && atomic_load(&s.stop)) {
        status = kn__fail(
            err, KN_EINFEASIBLE,
            "rules: more than %zu sets of items are held by %zu records or more; raise "
            "--support, or lower --longest",
            most, least);
    }
    if (status == KN_OK) {
        status = gather(out, &s, err);
    }
    clear(&s);
    return status;
}

void kn__itemsets_clear(kn_itemsets *s)
{
    kn__free(s->begin);
    kn__free(s->item);
    kn__free(s->support);
    *s = (kn_itemsets){0};
}
