/* tree_rare.c - the walk of tree_knowledge.h over a whole forest, on several threads.
 *
 * The threads take labels and relations to begin with. Each keeps the best of what it found, cut
 * down now and then to as many as are wanted; as the order is total, what is left of all together
 * does not depend on who found what. */
#include "count/tree_rare.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct worker {
    kn_knowledge_walk *walk;
    kn_tree_rare *rare;
    size_t len, cap;
    size_t most;
    uint64_t count;
    size_t least_of[KN_TREE_MOST_M + 1];
    uint64_t *risky; /* bits */
    size_t words;
    atomic_bool *stop; /* nothing can be rarer, and no more is wanted */
    kn_status status;
    kn_error error;
} worker;

typedef struct finding {
    kn_knowledge of;
    worker *workers;
    unsigned threads;
    atomic_bool stop;
} finding;

static int compare_u32(const uint32_t *a, const uint32_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int by_telling(const void *a, const void *b)
{
    const kn_known *x = &((const kn_tree_rare *)a)->known, *y = &((const kn_tree_rare *)b)->known;
    int order;

    if (x->values + x->relations != y->values + y->relations) {
        return x->values + x->relations < y->values + y->relations ? -1 : 1;
    }
    if (x->support != y->support) {
        return x->support < y->support ? -1 : 1;
    }
    if (x->values != y->values) {
        return x->values < y->values ? -1 : 1;
    }
    order = compare_u32(x->value, y->value, x->values);
    for (uint32_t i = 0; order == 0 && i < x->relations; i++) {
        const uint32_t one[] = {x->relation[i].above, x->relation[i].below, x->part[i]};
        const uint32_t two[] = {y->relation[i].above, y->relation[i].below, y->part[i]};
        order = compare_u32(one, two, 3);
    }
    return order;
}

static void cut_down(worker *w)
{
    if (w->len) {
        qsort(w->rare, w->len, sizeof *w->rare, by_telling);
    }
    w->len = w->len < w->most ? w->len : w->most;
}

static kn_status note(void *user, const kn_known *known, kn_error *err)
{
    worker *w = user;
    size_t *least = &w->least_of[known->values];

    if (w->most == 0 && known->support == 1) {
        atomic_store(w->stop, true);
    }
    w->count++;
    *least = *least && *least < known->support ? *least : known->support;
    if (known->set) {
        kn__record_set_add_to(known->set, w->risky, w->words);
    }
    for (size_t i = 0; !known->set && i < known->named; i++) {
        w->risky[known->records[i] / 64] |= UINT64_C(1) << (known->records[i] % 64);
    }
    if (w->most == 0) {
        return KN_OK;
    }
    if (w->len >= 4 * w->most + 64) {
        cut_down(w);
    }
    KN_PASS(kn__grow(&w->rare, &w->cap, w->len + 1, sizeof *w->rare, err));
    w->rare[w->len].known = *known;
    w->rare[w->len].known.records = NULL;
    w->rare[w->len].known.set = NULL;
    w->rare[w->len++].record = known->records[0];
    return KN_OK;
}

/* Labels first, then relations. */
static void find_slice(void *user, unsigned number, size_t begin, size_t end)
{
    finding *x = user;
    worker *w = &x->workers[number];

    for (size_t i = begin; i < end && w->status == KN_OK && !atomic_load(w->stop); i++) {
        w->status = i < x->of.order_len
                        ? kn__knowledge_values(w->walk, i, note, w, &w->error)
                        : kn__knowledge_relations(w->walk, (uint32_t)(i - x->of.order_len), note, w,
                                                  &w->error);
    }
}

static kn_status make_workers(finding *x, size_t most, kn_error *err)
{
    x->workers = kn__zalloc_array(x->threads, sizeof *x->workers);
    KN_PASS(x->workers ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < x->threads; i++) {
        x->workers[i].most = most;
        x->workers[i].stop = &x->stop;
        x->workers[i].words = x->of.words;
        x->workers[i].risky = kn__zalloc_array(x->of.words, sizeof(uint64_t));
        KN_PASS(x->workers[i].risky ? kn__knowledge_walk_new(&x->workers[i].walk, &x->of, err)
                                    : kn__nomem(err));
    }
    return KN_OK;
}

static void free_workers(finding *x)
{
    for (unsigned i = 0; x->workers && i < x->threads; i++) {
        kn__knowledge_walk_free(x->workers[i].walk);
        KN_FREE(x->workers[i].rare, x->workers[i].risky);
    }
    kn__free(x->workers);
}

/* Put together what the workers found. */
static kn_status merge(kn_tree_rare_list *l, finding *x, size_t records, uint8_t *risky,
                       kn_error *err)
{
    worker *all = &x->workers[0];
    kn_status status = KN_OK;

    for (unsigned i = 0; i < x->threads; i++) {
        worker *w = &x->workers[i];
        if (w->status != KN_OK) {
            if (err) {
                *err = w->error;
            }
            return w->status;
        }
        l->count += w->count;
        for (size_t v = 0; v <= KN_TREE_MOST_M; v++) {
            const size_t least = w->least_of[v];
            l->least_of[v] = least && (!l->least_of[v] || least < l->least_of[v]) ? least
                                                                                  : l->least_of[v];
        }
        for (size_t j = 0; i > 0 && j < x->of.words; j++) {
            all->risky[j] |= w->risky[j];
        }
        if (i > 0 && w->len) {
            KN_TRY(kn__grow(&all->rare, &all->cap, all->len + w->len, sizeof *all->rare, err));
            memcpy(all->rare + all->len, w->rare, w->len * sizeof *w->rare);
            all->len += w->len;
        }
    }
    cut_down(all);
    l->rare = all->rare;
    l->kept = all->len;
    all->rare = NULL;
    for (size_t v = 0; v <= KN_TREE_MOST_M; v++) {
        const size_t least = l->least_of[v];
        l->least = least && (!l->least || least < l->least) ? least : l->least;
    }
    for (size_t r = 0; r < records; r++) {
        const uint8_t is = all->risky[r / 64] >> (r % 64) & 1;
        l->at_risk += is;
        if (risky) {
            risky[r] |= is;
        }
    }
done:
    return status;
}

kn_status kn__tree_rare_find(kn_tree_rare_list **out, const kn_forest *f, size_t k, size_t m,
                             size_t n, const kn_tree_diversity *diversity, size_t most,
                             uint8_t *risky, const kn_run *run, kn_error *err)
{
    kn_tree_rare_list *l = kn__zalloc(sizeof *l);
    finding x = {.threads = f->records < 1024 ? 1 : kn__run_threads(run)};
    kn_synopsis *s = NULL;
    kn_relation_index *r = NULL;
    uint32_t *order = kn__malloc_array(f->values, sizeof *order);
    kn_status status;

    *out = NULL;
    KN_TRY(l && order ? kn__run_step(run, "check", 0, err) : kn__nomem(err));
    for (size_t i = 0; i < f->records; i++) {
        const uint32_t size = kn__forest_size(f, i);
        l->longest = size > l->longest ? size : l->longest;
        l->empty += size == 0;
    }
    for (uint32_t i = 0; i < f->values; i++) {
        order[i] = i;
    }
    KN_TRY(kn__synopsis_new(&s, f, NULL, (uint32_t)f->values, run, err));
    KN_TRY(kn__relation_index_new(&r, s, err));
    x.of = (kn_knowledge){.k = k,
                          .budget = {{(uint16_t)m, (uint16_t)n}},
                          .value = r->value,
                          .labels = r->labels,
                          .words = s->words,
                          .order = order,
                          .order_len = f->values,
                          .relations = r,
                          .synopsis = s};
    if (diversity) {
        x.of.l = diversity->l;
        x.of.sensitive = diversity->set;
        x.of.sensitive_len = diversity->count;
    }
    atomic_init(&x.stop, false);
    KN_TRY(make_workers(&x, most, err));
    KN_TRY(kn__parallel_steps(run, "check", x.threads, f->values + (n ? r->count : 0), 1,
                              find_slice, &x, err));
    KN_TRY(merge(l, &x, f->records, risky, err));
    *out = l;
    l = NULL;
done:
    free_workers(&x);
    kn__relation_index_free(r);
    kn__synopsis_free(s);
    kn__free(order);
    kn__tree_rare_free(l);
    return status;
}

void kn__tree_rare_free(kn_tree_rare_list *l)
{
    if (l) {
        KN_FREE(l->rare, l);
    }
}
