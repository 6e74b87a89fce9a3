/* rare.c - the search for minimal rare combinations: its start, its threads and its result.
 *
 * Threads take the first link of combinations. What they find is merged in an order of its own, so
 * it does not matter which thread found it. */
#include "count/rare/rare.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/rare/search.h"

#include <stdlib.h>

enum {
    MOST_PAIRS = 1 << 26, /* bytes for remembering pairs: 32,000 links */
    GRAIN = 4,            /* first links that a thread takes at a time */
    ALONE = 1 << 13       /* fewer different records than this are not worth a second thread */
};

typedef kn__rare_level level;
typedef kn__rare_worker worker;
typedef kn__rare_search search;

/* ---- the root ---- */

static void visit_first(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->workers[number];

    for (size_t i = begin; i < end; i++) {
        const kn_extension *node = &s->root.p.chosen[s->begin + i];
        w->prefix[0] = node->item;
        kn__rare_visit(w, 1, node, s->root.p.dealt + node->begin, s->c->times[node->item]);
        atomic_fetch_add(&s->done, 1);
    }
}

/* Minimal combinations of three and more need to know which pairs are rare, again and again; all
 * pairs together cost no more than the second level of the search. */
static void pair_first(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->workers[number];
    level *l = &w->levels[1];

    if (!kn__projection_ready(&l->p, s->c->links)) {
        kn__rare_stop(s, KN_ENOMEM);
        return;
    }
    for (size_t i = begin; i < end && !kn__rare_stopped(s); i++) {
        const kn_extension *node = &s->root.p.chosen[s->begin + i];
        if (node->support < s->k) {
            continue;
        }
        (void)kn__projection_count(&s->c->lists, &l->p, s->root.p.dealt + node->begin, node->len,
                                   &w->work);
        for (size_t t = 0; t < l->p.touched_len; t++) {
            const uint32_t link = l->p.touched[t];
            if (l->p.count[link] >= s->k) {
                kn__pairs_set(s->pairs, node->item, link);
            }
        }
        kn__projection_reset(&l->p);
        if (w->work > KN__RARE_PATIENCE) {
            kn__rare_tell_progress(w);
        }
    }
}

static int by_link(const void *a, const void *b)
{
    const kn_extension *x = a, *y = b;

    return x->item < y->item ? -1 : x->item > y->item;
}

/* The root's children in the order of their links, which is that of their supports; rare ones come
 * first in sets, nearly so in bags. */
static void sort_children(level *l)
{
    if (l->p.chosen_len) {
        qsort(l->p.chosen, l->p.chosen_len, sizeof *l->p.chosen, by_link);
    }
    for (size_t i = 0; i < l->p.chosen_len; i++) {
        l->p.at[l->p.chosen[i].item] = (uint32_t)i;
    }
}

static bool find_pairs(search *s, size_t begin, size_t end)
{
    if (s->m < 3) {
        return true;
    }
    if (kn__pairs_new(&s->pairs, s->c->support, s->c->links, s->k, MOST_PAIRS, NULL) != KN_OK) {
        return false;
    }
    s->begin = begin;
    if (s->pairs) {
        kn__parallel_for(s->threads, end - begin, GRAIN, pair_first, s);
    }
    return true;
}

/* ---- the search ---- */

static void phase(search *s, size_t begin, size_t end)
{
    s->begin = begin;
    kn__parallel_for(s->threads, end - begin, GRAIN, visit_first, s);
}

static kn_status explore(search *s, kn_error *err)
{
    const size_t records = s->c->distinct->records;
    level *l = &s->root;
    kn_tail *all = kn__projection_all(records);
    size_t work = 0, first = 0;
    bool rare;

    if (!all || !kn__projection_ready(&l->p, s->c->links)) {
        kn__free(all);
        return kn__nomem(err);
    }
    const size_t longest = kn__projection_count(&s->c->lists, &l->p, all, records, &work);
    bool fine = kn__rare_find_free(l, s->c->people) &&
                kn__rare_judge(&s->workers[0], 0, l, s->c->people, 0, 0, longest, &rare);
    if (fine) {
        sort_children(l);
        for (unsigned i = 0; i < s->threads; i++) {
            s->workers[i].counts[0] = l->p.count;
        }
        if (rare) {
            kn__rare_mark(s, l, 0, all, records);
        }
        while (first < l->p.chosen_len && l->p.chosen[first].support < s->k) {
            first++;
        }
    }
    /* Rare links first: once every size is known to fall to 1, they need not be carried along. */
    if (fine && first) {
        fine = kn__projection_deal(&s->c->lists, &l->p, all, records);
        if (fine) {
            phase(s, 0, first);
        }
    }
    if (fine && !kn__rare_stopped(s) && rare && !kn__rare_could_fall(s, 2, s->m)) {
        kn__bag_items_drop_rare(s->c, s->k);
        fine = kn__projection_deal(&s->c->lists, &l->p, all, records);
    } else if (fine && !first) {
        fine = kn__projection_deal(&s->c->lists, &l->p, all, records);
    }
    fine = fine && find_pairs(s, first, l->p.chosen_len);
    if (fine && !kn__rare_stopped(s)) {
        phase(s, first, l->p.chosen_len);
    }
    kn__free(all);
    if (!fine || atomic_load(&s->status) == KN_ENOMEM) {
        return kn__nomem(err);
    }
    return (kn_status)atomic_load(&s->status);
}

/* ---- the result ---- */

static kn_status gather(kn_rare_list *out, search *s, uint8_t *risky, kn_error *err)
{
    kn_top_n *all = &s->workers[0].keep;

    for (unsigned i = 0; i < s->threads; i++) {
        const worker *w = &s->workers[i];
        for (size_t size = 1; size <= s->m; size++) {
            out->count_of_size[size] += w->count_of_size[size];
            out->count += w->count_of_size[size];
        }
        out->stats.asked += w->stats.asked;
        out->stats.stopped += w->stats.stopped;
        if (i > 0) {
            KN_PASS(kn__top_n_merge(all, &w->keep, err));
        }
    }
    KN_PASS(kn__top_n_finish(all, &out->rare, &out->kept, &out->room, err));
    if (out->kept && !s->postings) {
        KN_PASS(kn__postings_new(&s->postings, s->c->distinct, err));
    }
    for (size_t i = 0; i < out->kept; i++) {
        uint32_t record = 0;
        (void)kn__postings_first(s->postings, out->rare[i].items, out->rare[i].size, &record);
        out->rare[i].record = s->c->first[record];
    }
    for (size_t i = 1; i <= s->m; i++) {
        const uint32_t least = atomic_load(&s->least[i]);
        out->least[i] = i <= s->longest && least != UINT32_MAX ? least : 0;
    }
    for (size_t i = 0; i < s->c->distinct->records; i++) {
        out->at_risk += atomic_load_explicit(&s->at_risk[i], memory_order_relaxed) ? s->c->weight[i]
                                                                                   : 0;
    }
    for (size_t i = 0; risky && i < s->c->records; i++) {
        risky[i] |= atomic_load_explicit(&s->at_risk[s->c->of[i]], memory_order_relaxed);
    }
    out->distinct = s->c->distinct->records;
    return KN_OK;
}

static kn_status prepare(search *s, const kn_baskets *b, size_t limit, bool of, kn_error *err)
{
    /* The parts of a pair are judged before it: its search asks for no support. */
    KN_PASS(kn__bag_items_new(&s->c, b, s->m, of, err));
    if (s->m > 2) {
        KN_PASS(kn__postings_new(&s->postings, s->c->distinct, err));
    }
    if (s->c->distinct->records < ALONE && !(s->run && s->run->threads)) {
        s->threads = 1;
    }
    s->workers = kn__zalloc_array(s->threads, sizeof *s->workers);
    s->at_risk = kn__zalloc_array(s->c->distinct->records, sizeof *s->at_risk);
    KN_PASS(s->workers && s->at_risk ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < s->threads; i++) {
        s->workers[i].s = s;
        s->workers[i].number = i;
        kn__top_n_init(&s->workers[i].keep, s->m, limit);
    }
    return KN_OK;
}

static void clear(search *s)
{
    for (unsigned i = 0; s->workers && i < s->threads; i++) {
        for (size_t d = 0; d < KN_MOST_M; d++) {
            kn__rare_level_clear(&s->workers[i].levels[d]);
        }
        kn__top_n_clear(&s->workers[i].keep);
    }
    kn__free(s->workers);
    kn__rare_level_clear(&s->root);
    kn__free(s->at_risk);
    kn__postings_free(s->postings);
    kn__pairs_free(s->pairs);
    kn__bag_items_free(s->c);
}

kn_status kn__rare_find(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m, size_t limit,
                        const kn_run *run, kn_error *err)
{
    return kn__rare_find_marked(out, b, k, m, limit, NULL, run, err);
}

kn_status kn__rare_find_marked(kn_rare_list **out, const kn_baskets *b, size_t k, size_t m,
                               size_t limit, uint8_t *risky, const kn_run *run, kn_error *err)
{
    search s = {.k = k, .m = m, .run = run, .err = err, .threads = kn__run_threads(run)};
    kn_rare_list *list = NULL;
    bool none = false;
    kn_status status;

    *out = NULL;
    if (m < 1 || m > KN_MOST_M) {
        return kn__fail(err, KN_EUSAGE, "m is %zu: combinations of 1 to %d items can be counted", m,
                        KN_MOST_M);
    }
    list = kn__zalloc(sizeof *list);
    if (!list) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < b->records; i++) {
        const size_t len = (size_t)(b->starts[i + 1] - b->starts[i]);
        s.longest = len > s.longest ? len : s.longest;
        list->empty += len == 0 ? kn__baskets_people(b, i) : 0;
    }
    list->longest = s.longest;
    for (size_t i = 0; i <= KN_MOST_M; i++) {
        atomic_init(&s.least[i], UINT32_MAX);
    }
    atomic_init(&s.done, 0);
    atomic_init(&s.status, KN_OK);
    KN_TRY(kn__run_step(run, "count", 0, err));
    if (m == 1) {
        KN_TRY(kn__rare_single(list, b, k, limit, risky, err));
    } else if (m == 2) {
        KN_TRY(kn__rare_no_pairs(list, b, k, run, &none, err));
    }
    if (m > 1 && !none) {
        KN_TRY(prepare(&s, b, limit, risky != NULL, err));
        KN_TRY(explore(&s, err));
        KN_TRY(gather(list, &s, risky, err));
    }
    *out = list;
    list = NULL;
done:
    clear(&s);
    kn__rare_list_free(list);
    return status;
}

void kn__rare_list_free(kn_rare_list *l)
{
    if (l) {
        KN_FREE(l->rare, l->room, l);
    }
}
