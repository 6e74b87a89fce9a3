/* inference.c - walk depth first over the combinations that an attacker may know, and count the
 * sensitive items of the records that hold them.
 *
 * The walk is that of projection.h; at each node a further pass counts the sensitive items of its
 * records. Equal records are one, with a weight and the sum of their sensitive items.
 *
 * Only generators are visited. A combination is a generator (as in the mining of closed itemsets)
 * if leaving out any of its items gives more records. Every combination contains a generator with
 * the same records, so generators disclose all that there is. Subsets of generators are generators:
 * if item y can be left out of P, all who hold the rest of P hold y, so y can be left out of P with
 * any other items, too. Hence the walk stops below a P that is none. */
#include "count/inference.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/bag_items.h"
#include "count/postings.h"
#include "count/projection.h"

#include <math.h>
#include <string.h>

enum {
    GRAIN = 64,
    PATIENCE = 1 << 22 /* items counted between two reports of progress */
};

typedef kn_projection_level level;

typedef struct worker {
    level levels[KN_MOST_M + 1];
    uint32_t prefix[KN_MOST_M]; /* links */
    uint32_t *held;             /* by sensitive item; 0 between uses */
    uint32_t *touched;
    double achieved;
    size_t work;
} worker;

typedef struct search {
    const kn_inference_task *task;
    const kn_run *run;
    kn_error *err;
    kn_bag_items *c;
    kn_postings *postings; /* of the different records; NULL while m < 3 and in sets */
    uint64_t *starts;      /* by different record: its sensitive items and how many have them */
    uint32_t *items, *counts;
    level root;
    worker *workers;
    atomic_uchar *at_risk; /* by different record */
    atomic_size_t done;
    atomic_int status;
} search;

static void stop(search *s, kn_status status)
{
    int none = KN_OK;

    (void)atomic_compare_exchange_strong(&s->status, &none, (int)status);
}

/* The l that holds if `held` of `support` records hold a sensitive item. */
static double achieved_l(uint32_t support, uint32_t held)
{
    return (double)support / (double)held;
}

/* Whether an extension of a combination of `size` items may violate l, or lower the l achieved so
 * far, by an upper bound: at most `held` of its records hold the same sensitive item, and its
 * support is at least that in task->least. */
static bool matters(const search *s, const worker *w, size_t size, uint32_t held)
{
    uint32_t least = UINT32_MAX;

    for (size_t i = size + 1; i <= s->task->m; i++) {
        if (s->task->least[i] && s->task->least[i] < least) {
            least = s->task->least[i];
        }
    }
    if (held == 0 || least == UINT32_MAX) {
        return false;
    }
    const double bound = achieved_l(least, held);
    return bound < s->task->l || bound < w->achieved;
}

/* ---- one combination ---- */

/* The first `depth` links of the prefix as ascending codes, one copy of link `without` left out
 * (depth: none). */
static size_t spell(const search *s, const uint32_t *prefix, unsigned depth, unsigned without,
                    uint32_t *codes)
{
    size_t len = 0;

    for (unsigned i = 0; i < depth; i++) {
        for (uint32_t t = i == without; t < s->c->times[prefix[i]]; t++) {
            codes[len++] = s->c->item[prefix[i]];
        }
    }
    kn__sort_u32(codes, len);
    return len;
}

/* Report the sensitive items of a node, counted in w->held and w->touched, that an attacker infers
 * with a confidence above 1/l. Returns the count of the most frequent one. */
static uint32_t judge(const search *s, worker *w, unsigned number, size_t touched,
                      kn_inference *found, bool *risky)
{
    uint32_t most = 0;

    kn__sort_u32(w->touched, touched);
    for (size_t i = 0; i < touched; i++) {
        const uint32_t held = w->held[w->touched[i]];
        const double value = achieved_l(found->support, held);
        most = held > most ? held : most;
        w->achieved = value < w->achieved ? value : w->achieved;
        if (value < s->task->l) {
            found->sensitive = w->touched[i];
            found->held = held;
            s->task->found(s->task->user, number, found);
            *risky = true;
        }
        w->held[w->touched[i]] = 0;
    }
    return most;
}

/* Count a sensitive item; the new length of w->touched is returned. */
static size_t touch(worker *w, size_t touched, uint32_t item, uint32_t count)
{
    if (w->held[item] == 0) {
        w->touched[touched++] = item;
    }
    w->held[item] += count;
    return touched;
}

/* Count and judge a node of `depth` links, whose records are `tails`. */
static uint32_t examine(search *s, worker *w, unsigned number, unsigned depth,
                        const kn_extension *node, const kn_tail *tails, size_t size)
{
    uint32_t codes[KN_MOST_M];
    kn_inference found = {.known = codes, .size = size, .support = node->support};
    size_t touched = 0;
    bool risky = false;

    found.record = UINT32_MAX;
    (void)spell(s, w->prefix, depth, depth, codes);
    for (size_t i = 0; i < node->len; i++) {
        const uint32_t record = tails[i].record;
        found.record = s->c->first[record] < found.record ? s->c->first[record] : found.record;
        for (uint64_t j = s->starts[record]; j < s->starts[record + 1]; j++) {
            touched = touch(w, touched, s->items[j], s->counts[j]);
        }
    }
    const uint32_t most = judge(s, w, number, touched, &found, &risky);
    for (size_t i = 0; risky && i < node->len; i++) {
        atomic_store_explicit(&s->at_risk[tails[i].record], 1, memory_order_relaxed);
    }
    return most;
}

/* Whether one copy of the last link, `link`, cannot be left out: fewer people hold it than hold one
 * copy less. `support` people hold the prefix. */
static bool last_matters(const kn_bag_items *c, const uint32_t *count, uint32_t link,
                         uint32_t support)
{
    return count[link] < (c->times[link] > 1 ? count[link - 1] : support);
}

/* Whether no item of the prefix can be left out of prefix + `link`, which `support` people hold. */
static bool prefix_matters(const search *s, worker *w, unsigned depth, uint32_t link,
                           uint32_t support)
{
    const kn_bag_items *c = s->c;
    uint32_t codes[KN_MOST_M];

    w->prefix[depth] = link;
    for (unsigned i = 0; i < depth; i++) {
        if (depth == 1 && c->times[w->prefix[0]] == 1) {
            return c->support[link] > support;
        }
        const size_t len = spell(s, w->prefix, depth + 1, i, codes);
        if (kn__postings_support(s->postings, codes, len, c->weight, (size_t)support + 1, NULL) <=
            support) {
            return false;
        }
    }
    return true;
}

static void visit(search *s, worker *w, unsigned number, unsigned depth, const kn_extension *node,
                  const kn_tail *tails, size_t size);

/* Visit the generators that have one link more. */
static void extend(search *s, worker *w, unsigned number, unsigned depth, const kn_extension *node,
                   const kn_tail *tails, size_t size)
{
    const kn_bag_items *c = s->c;
    level *l = &w->levels[depth];
    bool fine = kn__projection_ready(l, c->links);

    if (!fine) {
        stop(s, KN_ENOMEM);
        return;
    }
    (void)kn__projection_count(&c->lists, l, tails, node->len, &w->work);
    for (size_t i = 0; i < l->touched_len && fine; i++) {
        const uint32_t link = l->touched[i], count = l->count[link];
        kn_budget left = {{(uint16_t)(s->task->m - size)}};
        if (kn__projection_spend(&c->lists, link, &left) &&
            last_matters(c, l->count, link, node->support) &&
            prefix_matters(s, w, depth, link, count)) {
            fine = kn__projection_choose(l, link) != NULL;
        }
    }
    fine = fine && kn__projection_deal(&c->lists, l, tails, node->len);
    kn__projection_reset(l);
    for (size_t i = 0; fine && i < l->chosen_len; i++) {
        const kn_extension *next = &l->chosen[i];
        w->prefix[depth] = next->item;
        visit(s, w, number, depth + 1, next, l->dealt + next->begin, size + c->times[next->item]);
    }
    if (!fine) {
        stop(s, KN_ENOMEM);
    }
}

static void visit(search *s, worker *w, unsigned number, unsigned depth, const kn_extension *node,
                  const kn_tail *tails, size_t size)
{
    if (atomic_load_explicit(&s->status, memory_order_relaxed) != KN_OK) {
        return;
    }
    const uint32_t most = examine(s, w, number, depth, node, tails, size);
    if (size < s->task->m && matters(s, w, size, most)) {
        extend(s, w, number, depth, node, tails, size);
    }
    /* Progress is reported on the calling thread only, which is worker 0. */
    if (number == 0 && w->work > PATIENCE) {
        const kn_status status = kn__run_step(
            s->run, "infer", (double)atomic_load(&s->done) / (double)s->root.chosen_len, s->err);
        w->work = 0;
        if (status != KN_OK) {
            stop(s, status);
        }
    }
}

/* ---- the root ---- */

static void visit_first(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->workers[number];

    for (size_t i = begin; i < end; i++) {
        const kn_extension *node = &s->root.chosen[i];
        w->prefix[0] = node->item;
        visit(s, w, number, 1, node, s->root.dealt + node->begin, s->c->times[node->item]);
    }
    atomic_fetch_add(&s->done, end - begin);
}

/* Judge an attacker who knows the group alone. most[group] becomes the count of its most frequent
 * sensitive item. */
static void examine_groups(search *s, uint32_t *most)
{
    const kn_inference_task *t = s->task;
    worker *w = &s->workers[0];

    for (uint32_t g = 0; g < t->groups->count; g++) {
        kn_inference found = {.support = t->groups->size[g], .record = t->groups->first[g]};
        size_t touched = 0;
        bool risky = false;
        for (uint32_t i = t->begin[g]; i < t->begin[g + 1]; i++) {
            size_t len;
            const uint32_t *items = kn__baskets_record(t->sensitive, t->members[i], &len);
            for (size_t j = 0; j < len; j++) {
                if (j == 0 || items[j] != items[j - 1]) {
                    touched = touch(w, touched, items[j], 1);
                }
            }
        }
        most[g] = judge(s, w, 0, touched, &found, &risky);
        for (uint32_t i = t->begin[g]; risky && t->risky && i < t->begin[g + 1]; i++) {
            t->risky[t->members[i]] = 1;
        }
    }
    for (unsigned i = 1; i < t->threads; i++) {
        s->workers[i].achieved = w->achieved;
    }
}

static kn_status explore(search *s, const uint32_t *most, kn_error *err)
{
    const kn_bag_items *c = s->c;
    const size_t records = c->distinct->records;
    level *l = &s->root;
    kn_tail *all = kn__projection_all(records);
    bool fine = all && kn__projection_ready(l, c->links);
    size_t work = 0;

    if (fine) {
        (void)kn__projection_count(&c->lists, l, all, records, &work);
    }
    for (uint32_t link = 0; fine && link < c->links; link++) {
        const uint32_t group = s->task->known->group[c->item[link]];
        if (c->times[link] <= s->task->m &&
            last_matters(c, c->support, link, s->task->groups->size[group]) &&
            matters(s, &s->workers[0], 0, most[group])) {
            fine = kn__projection_choose(l, link) != NULL;
        }
    }
    fine = fine && kn__projection_deal(&c->lists, l, all, records);
    kn__free(all);
    KN_PASS(fine ? KN_OK : kn__nomem(err));
    kn__parallel_for(s->task->threads, l->chosen_len, GRAIN, visit_first, s);
    const kn_status status = (kn_status)atomic_load(&s->status);
    return status == KN_ENOMEM ? kn__nomem(err) : status;
}

/* ---- preparing ---- */

/* The sensitive items of each different record, with the people that have them. */
static kn_status sum_sensitive(search *s, kn_error *err)
{
    const kn_baskets *b = s->task->sensitive;
    const size_t records = s->c->distinct->records;
    uint64_t from = 0, at = 0;

    s->starts = kn__zalloc_array(records + 1, sizeof *s->starts);
    s->items = kn__malloc_array((size_t)b->starts[b->records], sizeof *s->items);
    s->counts = kn__malloc_array((size_t)b->starts[b->records], sizeof *s->counts);
    KN_PASS(s->starts && s->items && s->counts ? KN_OK : kn__nomem(err));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < b->records; i++) {
            size_t len;
            const uint32_t *items = kn__baskets_record(b, i, &len);
            for (size_t j = 0; j < len; j++) {
                if (j > 0 && items[j] == items[j - 1]) {
                    continue;
                }
                if (pass == 1) {
                    s->items[s->starts[s->c->of[i]]] = items[j];
                }
                s->starts[s->c->of[i] + (pass == 0)]++;
            }
        }
        for (size_t i = 0; pass == 0 && i < records; i++) {
            s->starts[i + 1] += s->starts[i];
        }
    }
    /* starts[i] is now where record i ends. */
    for (size_t i = 0; i < records; i++) {
        const uint64_t end = s->starts[i];
        kn__sort_u32(s->items + from, (size_t)(end - from));
        s->starts[i] = at;
        for (; from < end; from++) {
            if (at > s->starts[i] && s->items[at - 1] == s->items[from]) {
                s->counts[at - 1]++;
            } else {
                s->counts[at] = 1;
                s->items[at++] = s->items[from];
            }
        }
    }
    s->starts[records] = at;
    return KN_OK;
}

static kn_status prepare(search *s, kn_error *err)
{
    const kn_inference_task *t = s->task;

    KN_PASS(kn__bag_items_new(&s->c, t->known->baskets, t->m, true, err));
    if (t->m > 2 || t->known->baskets->bags) {
        KN_PASS(kn__postings_new(&s->postings, s->c->distinct, err));
    }
    KN_PASS(sum_sensitive(s, err));
    s->at_risk = kn__zalloc_array(s->c->distinct->records, sizeof *s->at_risk);
    s->workers = kn__zalloc_array(t->threads, sizeof *s->workers);
    KN_PASS(s->at_risk && s->workers ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < t->threads; i++) {
        worker *w = &s->workers[i];
        w->achieved = INFINITY;
        w->held = kn__zalloc_array(t->sensitive->items, sizeof *w->held);
        w->touched = kn__malloc_array(t->sensitive->items, sizeof *w->touched);
        KN_PASS(w->held && w->touched ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

static void clear(search *s)
{
    for (unsigned i = 0; s->workers && i < s->task->threads; i++) {
        worker *w = &s->workers[i];
        for (size_t d = 0; d <= KN_MOST_M; d++) {
            kn__projection_clear(&w->levels[d]);
        }
        KN_FREE(w->held, w->touched);
    }
    kn__free(s->workers);
    kn__projection_clear(&s->root);
    KN_FREE(s->at_risk, s->starts, s->items, s->counts);
    kn__postings_free(s->postings);
    kn__bag_items_free(s->c);
}

kn_status kn__inference_find(double *achieved, const kn_inference_task *task, const kn_run *run,
                             kn_error *err)
{
    search s = {.task = task, .run = run, .err = err};
    uint32_t *most = kn__malloc_array(task->groups->count, sizeof *most);
    kn_status status = most ? prepare(&s, err) : kn__nomem(err);

    atomic_init(&s.done, 0);
    atomic_init(&s.status, KN_OK);
    if (status == KN_OK) {
        examine_groups(&s, most);
        status = kn__run_step(run, "infer", 0, err);
    }
    if (status == KN_OK) {
        status = explore(&s, most, err);
    }
    *achieved = INFINITY;
    for (unsigned i = 0; status == KN_OK && i < task->threads; i++) {
        *achieved = fmin(*achieved, s.workers[i].achieved);
    }
    for (size_t i = 0; status == KN_OK && task->risky && i < task->groups->records; i++) {
        task->risky[i] |= atomic_load_explicit(&s.at_risk[s.c->of[i]], memory_order_relaxed);
    }
    kn__free(most);
    clear(&s);
    return status;
}
