/* node.c - one combination, and depth first those below it.
 *
 * The walk is that of projection.h over the links of bag_items.h.
 *
 * Links that all records of a node hold are free: adding one changes no support. They are not
 * branched on. A rare combination with a free link is not minimal, so none is missed; and every
 * combination is some node plus some of its free links, so with `carry` free links behind the last
 * link of a prefix of size s, the support of the prefix is that of combinations of all sizes
 * s..s+carry. That is how the least support of each size is exact without walking them all.
 *
 * Below a rare combination there is no minimal one. It is entered only while the least support of
 * some larger size is still above 1 and could fall. Whether that is so depends on what other
 * threads have found; what is found in the end does not. */
#include "base/memory.h"
#include "base/threads.h"
#include "count/rare/search.h"

#include <string.h>

typedef kn__rare_level level;
typedef kn__rare_worker worker;
typedef kn__rare_search search;

/* ---- the least support of each size ---- */

/* There is a combination of each size in from..to with this support. */
static void rare_offer(search *s, size_t from, size_t to, uint32_t support)
{
    for (size_t i = from; i <= to && i <= s->m; i++) {
        unsigned known = atomic_load_explicit(&s->least[i], memory_order_relaxed);
        while (support < known &&
               !atomic_compare_exchange_weak_explicit(&s->least[i], &known, support,
                                                      memory_order_relaxed, memory_order_relaxed)) {
        }
    }
}

bool kn__rare_could_fall(const search *s, size_t from, size_t to)
{
    for (size_t i = from; i <= to && i <= s->m && i <= s->longest; i++) {
        if (atomic_load_explicit(&s->least[i], memory_order_relaxed) > 1) {
            return true;
        }
    }
    return false;
}

bool kn__rare_stopped(const search *s)
{
    return atomic_load_explicit(&s->status, memory_order_relaxed) != KN_OK;
}

void kn__rare_stop(search *s, kn_status status)
{
    int none = KN_OK;

    (void)atomic_compare_exchange_strong(&s->status, &none, (int)status);
}

/* ---- minimal ones ---- */

/* The combination of the prefix's first `depth` links and `link`, one copy of prefix link `without`
 * left out (depth: none), as ascending items. */
static size_t spell(const worker *w, unsigned depth, uint32_t link, unsigned without,
                    uint32_t *items)
{
    const kn_bag_items *c = w->s->c;
    size_t len = 0;

    for (unsigned i = 0; i <= depth; i++) {
        const uint32_t l = i < depth ? w->prefix[i] : link;
        const uint32_t times = c->times[l] - (i < depth && i == without);
        size_t at = len;
        while (at > 0 && items[at - 1] > c->item[l]) {
            at--;
        }
        memmove(items + at + times, items + at, (len - at) * sizeof *items);
        for (uint32_t t = 0; t < times; t++) {
            items[at + t] = c->item[l];
        }
        len += times;
    }
    return len;
}

/* Whether all combinations inside prefix + `link` have support k, given that the prefix has. Those
 * counted on the way here are looked up, the others are asked for. */
static bool is_minimal(worker *w, unsigned depth, uint32_t link, const uint32_t *count)
{
    const search *s = w->s;
    const kn_bag_items *c = s->c;
    uint32_t items[KN_MOST_M];

    if (c->times[link] > 1 && count[link - 1] < s->k) {
        return false;
    }
    for (unsigned i = 0; i < depth; i++) {
        if (w->counts[i][link] < s->k ||
            (depth > 1 && s->pairs && !kn__pairs_has(s->pairs, w->prefix[i], link))) {
            return false;
        }
    }
    for (unsigned i = 0; i < depth; i++) {
        const bool gone = c->times[w->prefix[i]] == 1;
        if (gone && (i + 1 == depth || (depth == 2 && s->pairs))) {
            continue; /* that is counts[depth - 1], or a pair */
        }
        const size_t len = spell(w, depth, link, i, items);
        if (kn__postings_support(s->postings, items, len, c->weight, s->k, &w->stats) < s->k) {
            return false;
        }
    }
    return true;
}

static void found(worker *w, unsigned depth, uint32_t link, uint32_t support)
{
    uint32_t items[KN_MOST_M];
    const size_t len = spell(w, depth, link, depth, items);

    w->count_of_size[len]++;
    if (!kn__top_n_offer(&w->keep, items, len, support)) {
        kn__rare_stop(w->s, KN_ENOMEM);
    }
}

/* ---- one node ---- */

void kn__rare_level_clear(level *l)
{
    kn__projection_clear(&l->p);
    kn__free(l->free);
}

bool kn__rare_find_free(level *l, uint32_t support)
{
    l->free_len = 0;
    for (size_t i = 0; i < l->p.touched_len; i++) {
        const uint32_t link = l->p.touched[i];
        size_t at = l->free_len;
        if (l->p.count[link] != support) {
            continue;
        }
        if (kn__grow(&l->free, &l->free_cap, l->free_len + 1, sizeof *l->free, NULL) != KN_OK) {
            return false;
        }
        for (; at > 0 && l->free[at - 1] > link; at--) {
            l->free[at] = l->free[at - 1];
        }
        l->free[at] = link;
        l->free_len++;
    }
    return true;
}

/* Free links of the node behind `link`, those of its own chain aside: it holds them already. */
static size_t free_behind(const kn_bag_items *c, const level *l, uint32_t link)
{
    size_t low = 0, high = l->free_len;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->end[l->free[middle]] < c->end[link]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool kn__rare_judge(worker *w, unsigned depth, level *l, uint32_t support, size_t size,
                    size_t carry, size_t longest, bool *rare)
{
    search *s = w->s;
    const kn_bag_items *c = s->c;

    *rare = false;
    rare_offer(s, size, size + carry + l->free_len, support);
    for (size_t i = 0; i < l->p.touched_len; i++) {
        const uint32_t link = l->p.touched[i], count = l->p.count[link];
        kn_budget left = {{(uint16_t)(s->m - size)}};
        size_t behind, grown;
        /* The root, no items at all, may have fewer than k people: it is no combination. */
        if (depth == 0 && count < s->k && count == support && c->times[link] == 1) {
            *rare = true;
            found(w, depth, link, count);
        }
        if (count == support || !kn__projection_spend(&c->lists, link, &left)) {
            continue;
        }
        grown = s->m - left.part[0];
        behind = carry + free_behind(c, l, link);
        rare_offer(s, grown, grown + behind, count);
        if ((depth == 0 || support >= s->k) && count < s->k) {
            *rare = true;
            if (is_minimal(w, depth, link, l->p.count)) {
                found(w, depth, link, count);
            }
        }
        if (grown < s->m &&
            (count >= s->k || kn__rare_could_fall(s, grown + 1, grown + behind + longest))) {
            kn_extension *next = kn__projection_choose(&l->p, link);
            if (!next) {
                return false;
            }
            next->carry = behind;
        }
    }
    return true;
}

void kn__rare_mark(search *s, const level *l, size_t size, const kn_tail *tails, size_t len)
{
    const kn_bag_items *c = s->c;

    for (size_t i = 0; i < len; i++) {
        const uint32_t record = tails[i].record;
        const uint32_t *at = c->list + c->starts[record] + tails[i].from;
        const uint32_t *end = c->list + c->starts[record + 1];
        if (atomic_load_explicit(&s->at_risk[record], memory_order_relaxed)) {
            continue;
        }
        for (; at < end; at++) {
            if (l->p.count[*at] < s->k && size + c->times[*at] <= s->m) {
                atomic_store_explicit(&s->at_risk[record], 1, memory_order_relaxed);
                break;
            }
        }
    }
}

void kn__rare_tell_progress(worker *w)
{
    search *s = w->s;

    w->work = 0;
    /* Progress is reported on the calling thread only, which is worker 0. */
    if (w->number == 0) {
        const double all = (double)s->root.p.chosen_len;
        const kn_status status = kn__run_step(s->run, "count",
                                              (double)atomic_load(&s->done) / (all > 0 ? all : 1),
                                              s->err);
        if (status != KN_OK) {
            kn__rare_stop(s, status);
        }
    }
}

void kn__rare_visit(worker *w, unsigned depth, const kn_extension *node, const kn_tail *tails,
                    size_t size)
{
    search *s = w->s;
    level *l = &w->levels[depth];
    bool rare, fine;
    size_t longest;

    if (kn__rare_stopped(s) || (node->support < s->k && !kn__rare_could_fall(s, size + 1, s->m))) {
        return;
    }
    if (!kn__projection_ready(&l->p, s->c->links)) {
        kn__rare_stop(s, KN_ENOMEM);
        return;
    }
    longest = kn__projection_count(&s->c->lists, &l->p, tails, node->len, &w->work);
    w->counts[depth] = l->p.count;
    fine = kn__rare_find_free(l, node->support) &&
           kn__rare_judge(w, depth, l, node->support, size, node->carry, longest, &rare);
    if (fine && rare) {
        kn__rare_mark(s, l, size, tails, node->len);
    }
    fine = fine && kn__projection_deal(&s->c->lists, &l->p, tails, node->len);
    if (!fine) {
        kn__rare_stop(s, KN_ENOMEM);
    }
    for (size_t i = 0; fine && i < l->p.chosen_len; i++) {
        const kn_extension *next = &l->p.chosen[i];
        w->prefix[depth] = next->item;
        kn__rare_visit(w, depth + 1, next, l->p.dealt + next->begin,
                       size + s->c->times[next->item]);
    }
    kn__projection_reset(&l->p);
    if (w->work > KN__RARE_PATIENCE) {
        kn__rare_tell_progress(w);
    }
}
