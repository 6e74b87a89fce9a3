/* span_refusal.c - refusing candidates early.
 *
 * Most candidates are refused because one span has too few records. That is found out without
 * looking at all groups: nodes of a few dozen groups are first evaluated as a whole, which leaves
 * some of them open (waiting nodes). A span that was found somewhere can occur again only in the
 * waiting nodes that are compatible with it: all of its centres are still candidates there, and no
 * other is in the spans of all groups. When these are evaluated and it has fewer than k records,
 * the candidate is refused; what else is waiting need not be looked at. */
#include "models/clusters/span_boxes_inside.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

/* Waiting nodes that are evaluated on one thread before all others are, on all threads. */
enum { ALONE = 256 };

/* Whether groups that were not evaluated may have the span: those of which none is left for later
 * have neither of the two new centres in theirs. */
static bool is_asked_about(const kn_span_boxes *b, const uint32_t *list, size_t len)
{
    return len > 1 && (kn__span_has_split(list, len, b->split) ||
                       kn__span_has_split(list, len, (uint32_t)b->count - 1));
}

/* Count the records of the findings from `first` on. */
static kn_status count_findings(kn_span_boxes *b, const kn_span_worker *w, size_t first,
                                kn_error *err)
{
    for (size_t f = first; f < w->findings; f++) {
        const kn_span_finding *found = &w->found[f];
        const size_t before = b->lists.count;
        uint32_t number;
        KN_PASS(kn__intern_add(&b->lists, w->changed + found->begin, found->len, &number, err));
        KN_PASS(kn__grow(&b->list_population, &b->list_population_cap, b->lists.count,
                         sizeof *b->list_population, err));
        KN_PASS(kn__grow(&b->list_known, &b->list_known_cap, b->lists.count, sizeof *b->list_known,
                         err));
        if (number == before) {
            b->list_population[number] = 0;
            b->list_known[number] = !is_asked_about(b, w->changed + found->begin, found->len);
        }
        for (uint32_t i = found->first; i < found->end; i++) {
            b->list_population[number] += b->population[b->tree.id[i]];
        }
    }
    return KN_OK;
}

/* Evaluate the groups of a waiting node on the thread of `w`. */
static kn_status evaluate_waiting(kn_span_boxes *b, kn_span_worker *w, kn_waiting_node *n,
                                  kn_error *err)
{
    const kn_span_worker *from = &b->worker[n->worker];
    const size_t slot = (b->tree.nodes[n->at].depth + (size_t)1) * KN_SPAN_SLOTS * b->count;

    n->done = true;
    KN_PASS(kn__span_boxes_reserve(b, w, err));
    memcpy(w->among + slot, from->waiting_among + n->begin, n->kept * sizeof *w->among);
    memcpy(w->sure + slot, from->waiting_sure + n->begin, n->kept);
    return kn__span_boxes_evaluate_below(b, w, n->at, n->kept, err);
}

/* Whether a group of the waiting node may have the span. */
static bool is_compatible(const kn_span_boxes *b, const kn_waiting_node *n, const uint32_t *list,
                          size_t len)
{
    const uint32_t *among = b->worker[n->worker].waiting_among + n->begin;
    const uint8_t *sure = b->worker[n->worker].waiting_sure + n->begin;
    size_t met = 0;

    for (size_t m = 0; m < n->kept; m++) {
        const bool is_in = met < len && list[met] == among[m];
        if (!is_in && sure[m]) {
            return false;
        }
        met += is_in;
    }
    return met == len;
}

static int by_place(const void *x, const void *y)
{
    const kn_waiting_node *a = x, *b = y;

    return (a->at > b->at) - (a->at < b->at);
}

/* Collect the waiting nodes of all threads, and the spans that were found so far. */
static kn_status collect_waiting(kn_span_boxes *b, kn_error *err)
{
    b->waits = 0;
    kn__intern_clear(&b->lists);
    for (unsigned i = 0; i < b->threads; i++) {
        const kn_span_worker *w = &b->worker[i];
        KN_PASS(kn__grow(&b->waiting, &b->waiting_cap, b->waits + w->waits + 1, sizeof *b->waiting,
                         err));
        if (w->waits > 0) {
            memcpy(b->waiting + b->waits, w->waiting, w->waits * sizeof *w->waiting);
        }
        b->waits += w->waits;
        KN_PASS(count_findings(b, w, 0, err));
    }
    qsort(b->waiting, b->waits, sizeof *b->waiting, by_place);
    return KN_OK;
}

/* Evaluate waiting nodes until it is known whether list `number` has at least `k` records; at most
 * `*left` of them. */
static kn_status settle(kn_span_boxes *b, size_t number, uint64_t k, size_t *left, bool *refused,
                        kn_error *err)
{
    kn_span_worker *w = &b->worker[0];
    bool all = true;

    for (size_t n = 0; n < b->waits && b->list_population[number] < k && all; n++) {
        size_t len;
        const uint32_t *list = kn__intern_list(&b->lists, number, &len);
        if (!b->waiting[n].done && is_compatible(b, &b->waiting[n], list, len)) {
            const size_t before = w->findings;
            all = *left > 0;
            if (all) {
                --*left;
                KN_PASS(evaluate_waiting(b, w, &b->waiting[n], err));
                KN_PASS(count_findings(b, w, before, err));
            }
        }
    }
    b->list_known[number] = 1;
    *refused = all && b->list_population[number] < k;
    return KN_OK;
}

/* Of the spans of which fewer than `k` records were found, that with the fewest compatible waiting
 * nodes; SIZE_MAX: none is left. */
static size_t most_promising(kn_span_boxes *b, uint64_t k)
{
    size_t best = SIZE_MAX, fewest = SIZE_MAX;

    for (size_t number = 0; number < b->lists.count; number++) {
        size_t len, own = 0;
        const uint32_t *list = kn__intern_list(&b->lists, number, &len);
        b->list_known[number] = b->list_known[number] || b->list_population[number] >= k;
        for (size_t n = 0; !b->list_known[number] && n < b->waits && own < fewest; n++) {
            own += !b->waiting[n].done && is_compatible(b, &b->waiting[n], list, len);
        }
        if (!b->list_known[number] && own < fewest) {
            best = number;
            fewest = own;
        }
    }
    return best;
}

/* Look for a span with fewer than `k` records among the waiting nodes, first where the last one
 * was. */
static kn_status find_small_span(kn_span_boxes *b, uint64_t k, bool *refused, kn_error *err)
{
    kn_span_worker *w = &b->worker[0];
    size_t left = ALONE, start = 0;

    while (start < b->waits && b->tree.nodes[b->waiting[start].at].end <= b->last) {
        start++;
    }
    for (size_t n = 0; n <= b->waits && left > 0 && !*refused; n++) {
        kn_waiting_node *next = n < b->waits ? &b->waiting[(start + n) % b->waits] : NULL;
        size_t number;
        while (left > 0 && !*refused && (number = most_promising(b, k)) != SIZE_MAX) {
            KN_PASS(settle(b, number, k, &left, refused, err));
        }
        if (next && !next->done && left > 0 && !*refused) {
            const size_t before = w->findings;
            left--;
            b->last = b->tree.nodes[next->at].begin;
            KN_PASS(evaluate_waiting(b, w, next, err));
            KN_PASS(count_findings(b, w, before, err));
        }
    }
    return KN_OK;
}

static void evaluate_rest(void *user, unsigned thread, size_t begin, size_t end)
{
    kn_span_boxes *b = user;
    kn_span_worker *w = &b->worker[thread];

    for (size_t i = begin; i < end && w->error.status == KN_OK; i++) {
        if (!b->waiting[i].done) {
            w->error.status = evaluate_waiting(b, w, &b->waiting[i], &w->error);
        }
    }
}

kn_status kn__span_boxes_try(kn_span_boxes *b, const kn_space *space, const double *centre,
                             size_t count, uint32_t split, const kn_intern *spans,
                             const uint32_t *span, const uint32_t *population, uint64_t k,
                             bool *refused, kn_error *err)
{
    *refused = false;
    b->lazy = b->leaves_nodes = true;
    b->population = population;
    KN_PASS(kn__span_boxes_evaluate_tasks(b, space, centre, count, split, spans, span, err));
    b->leaves_nodes = false;
    KN_PASS(collect_waiting(b, err));
    KN_PASS(find_small_span(b, k, refused, err));
    if (*refused) {
        return KN_OK;
    }
    kn__parallel_for(b->threads, b->waits, 1, evaluate_rest, b);
    return kn__span_boxes_status(b, err);
}
