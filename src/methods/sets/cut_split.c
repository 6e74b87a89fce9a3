/* cut_split.c - whether a node of a cut may be split, that is, replaced by its children in the
 * hierarchy.
 *
 * Only combinations with one of the children can become rare. So for each child, the records that
 * hold it are written down as they would be published, without the child, and the combinations of
 * up to m-1 nodes in them are counted (methods/sets/node_lists.h). The first rare one ends the
 * search.
 *
 * Children are checked one by one, each in its turn; a combination of two children is counted in
 * the first of their turns only. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/counted.h"
#include "methods/sets/cut.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum { ALONE = 2048 };            /* fewer records are checked on one thread */
#define FIRST ((uint32_t)1 << 31) /* a mark in kn_cut_worker.child */

/* What one thread needs. */
typedef struct kn_cut_worker {
    kn_node_lists lists;
    uint32_t *child; /* scratch: the children that each record holds, see list_children */
    size_t child_cap;
    kn_witness why;     /* of check_child: the rare combination */
    size_t turn;        /* the turn that was refused or failed; SIZE_MAX: none */
    kn_witness refused; /* the rare combination of that turn */
    kn_status status;
    kn_error error;
} kn_cut_worker;

void kn__cut_workers_free(kn_cut *c)
{
    for (unsigned i = 0; c->worker && i < c->threads; i++) {
        kn__node_lists_clear(&c->worker[i].lists);
        kn__free(c->worker[i].child);
    }
    kn__free(c->worker);
}

kn_status kn__cut_workers_new(kn_cut *c, kn_error *err)
{
    c->worker = kn__zalloc_array(c->threads, sizeof *c->worker);
    KN_PASS(c->worker ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < c->threads; i++) {
        c->worker[i].turn = SIZE_MAX;
    }
    return KN_OK;
}

/* ---- records that hold a node ---- */

uint64_t kn__cut_first(const kn_cut *c, uint32_t record, uint32_t low)
{
    uint64_t a = c->starts[record], b = c->starts[record + 1];

    while (b - a > 8) {
        const uint64_t middle = a + (b - a) / 2;
        if (c->place[middle] < low) {
            a = middle + 1;
        } else {
            b = middle;
        }
    }
    while (a < b && c->place[a] < low) {
        a++;
    }
    return a;
}

/* List, record after record, which children each holder of `node` holds: into w->child, by the
 * number of the child, with FIRST set where a record begins. holders_len of each child counts its
 * records. The children, like the items of a record, are in the order of their places. */
static kn_status list_children(kn_cut *c, kn_cut_worker *w, uint32_t node, size_t *listed,
                               kn_error *err)
{
    const uint32_t begin = c->children_at[node];
    const size_t most = c->children_at[node + 1] - begin;

    *listed = 0;
    for (uint32_t i = 0; i < c->holders_len[node]; i++) {
        const uint32_t record = c->holders[node][i];
        const uint64_t end = c->starts[record + 1];
        uint32_t last = KN_NO_NODE, at = begin;
        uint32_t first = FIRST;
        if (*listed + most > w->child_cap) {
            KN_PASS(kn__grow(&w->child, &w->child_cap, *listed + most, sizeof *w->child, err));
        }
        for (uint64_t p = kn__cut_first(c, record, c->low[node]);
             p < end && c->place[p] < c->high[node]; p++) {
            while (c->place[p] >= c->high[c->children[at]]) {
                at++;
            }
            if (at != last) {
                last = at;
                w->child[(*listed)++] = (at - begin) | first;
                c->holders_len[c->children[at]]++;
                first = 0;
            }
        }
    }
    return KN_OK;
}

kn_status kn__cut_hold_all(kn_cut *c, kn_error *err)
{
    uint32_t *all = kn__malloc_array(c->records, sizeof *all);

    KN_PASS(all ? KN_OK : kn__nomem(err));
    for (uint32_t node = 0; node < c->nodes; node++) {
        kn__free(c->holders[node]);
        c->holders[node] = NULL;
    }
    for (size_t i = 0; i < c->records; i++) {
        all[i] = (uint32_t)i;
    }
    c->holders[c->root] = all;
    c->holders_len[c->root] = (uint32_t)c->records;
    return KN_OK;
}

kn_status kn__cut_find_holders(kn_cut *c, uint32_t node, kn_error *err)
{
    const uint32_t begin = c->children_at[node], end = c->children_at[node + 1];
    const uint32_t *record = c->holders[node];
    kn_cut_worker *w = &c->worker[0];
    size_t listed = 0;

    if (begin == end || c->holders[c->children[end - 1]]) {
        return KN_OK;
    }
    for (uint32_t i = begin; i < end; i++) {
        c->holders_len[c->children[i]] = 0;
    }
    KN_PASS(list_children(c, w, node, &listed, err));
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t child = c->children[i];
        kn__free(c->holders[child]); /* of an attempt that ran out of memory */
        c->holders[child] = kn__malloc_array(c->holders_len[child], sizeof **c->holders);
        KN_PASS(c->holders[child] ? KN_OK : kn__nomem(err));
        c->holders_len[child] = 0;
    }
    for (size_t i = 0; i < listed; i++) {
        const uint32_t child = c->children[begin + (w->child[i] & ~FIRST)];
        record += (w->child[i] & FIRST) != 0;
        c->holders[child][c->holders_len[child]++] = *(record - 1);
    }
    return KN_OK;
}

/* Count the holders of each inner node of the cut; with `write`, also write them down. */
static void list_holders(kn_cut *c, bool write)
{
    for (uint32_t r = 0; r < c->records; r++) {
        uint32_t last = KN_NO_NODE;
        for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
            const uint32_t node = c->to[c->place[p]];
            if (node == last || c->children_at[node] == c->children_at[node + 1]) {
                continue;
            }
            last = node;
            if (write) {
                c->holders[node][c->holders_len[node]] = r;
            }
            c->holders_len[node]++;
        }
    }
}

kn_status kn__cut_hold_cut(kn_cut *c, kn_error *err)
{
    assert(!c->partial);
    for (uint32_t node = 0; node < c->nodes; node++) {
        if (c->in[node]) {
            c->holders_len[node] = 0;
        }
    }
    list_holders(c, false);
    for (uint32_t node = 0; node < c->nodes; node++) {
        if (c->in[node] && c->children_at[node] < c->children_at[node + 1]) {
            kn__free(c->holders[node]);
            c->holders[node] = kn__malloc_array(c->holders_len[node], sizeof **c->holders);
            KN_PASS(c->holders[node] ? KN_OK : kn__nomem(err));
            c->holders_len[node] = 0;
        }
    }
    list_holders(c, true);
    return KN_OK;
}

/* ---- combinations ---- */

/* Write down the records that hold `child` as they would be published, without the child (in bags:
 * without one of it) and without children of earlier turns, whose combinations were counted then.
 */
static kn_status write_down(const kn_cut *c, kn_cut_worker *w, uint32_t child, kn_error *err)
{
    kn__node_lists_start(&w->lists, c->nodes);
    for (uint32_t i = 0; i < c->holders_len[child]; i++) {
        const uint32_t r = c->holders[child][i];
        uint32_t last = child, *list;
        size_t len = 0;
        bool taken = false;
        KN_PASS(
            kn__node_lists_open(&w->lists, (size_t)(c->starts[r + 1] - c->starts[r]), &list, err));
        for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
            const uint32_t node = c->to[c->place[p]];
            if (node == child && !(c->bags && taken)) {
                taken = true;
            } else if ((c->bags || node != last) &&
                       (c->turn[node] == 0 || c->turn[node] >= c->turn[child])) {
                last = node;
                list[len++] = node;
            }
        }
        kn__node_lists_close(&w->lists, len, c->weight[r]);
    }
    return KN_OK;
}

/* Whether a combination with `child`, the child alone included, has a support below k; w->why is
 * one.
 */
static kn_status check_child(const kn_cut *c, kn_cut_worker *w, uint32_t child, bool *rare,
                             kn_error *err)
{
    uint64_t support = 0;

    w->why = (kn_witness){.node = {child}, .size = 1};
    for (uint32_t i = 0; i < c->holders_len[child] && support < c->k; i++) {
        support += c->weight[c->holders[child][i]];
    }
    *rare = support < c->k;
    if (!*rare && c->m > 1) {
        KN_PASS(write_down(c, w, child, err));
        KN_PASS(kn__node_lists_rare(&w->lists, c->k, c->m - 1, &w->why, rare, err));
    }
    return KN_OK;
}

kn_node_lists *kn__cut_lists(kn_cut *c, unsigned number)
{
    return &c->worker[number].lists;
}

/* ---- splits ---- */

typedef struct splitting {
    kn_cut *c;
    const uint32_t *child; /* by turn */
    atomic_size_t first;   /* the first turn that was refused or failed so far */
} splitting;

/* Check the children of these turns. Only turns after the first refused one are skipped, so which
 * turn is the first does not depend on the threads. */
static void check_turns(void *user, unsigned number, size_t begin, size_t end)
{
    splitting *s = user;
    kn_cut_worker *w = &s->c->worker[number];

    for (size_t i = begin; i < end; i++) {
        size_t first = atomic_load(&s->first);
        bool rare = false;
        if (i > first) {
            return;
        }
        w->status = check_child(s->c, w, s->child[i], &rare, &w->error);
        if (w->status != KN_OK || rare) {
            w->turn = i;
            w->refused = w->why;
            while (i < first && !atomic_compare_exchange_weak(&s->first, &first, i)) {
            }
            return;
        }
    }
}

static void assign(kn_cut *c, uint32_t node, uint32_t to)
{
    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        c->to[i] = to;
    }
}

void kn__cut_assign_children(kn_cut *c, uint32_t node)
{
    for (uint32_t i = c->children_at[node]; i < c->children_at[node + 1]; i++) {
        assign(c, c->children[i], c->children[i]);
    }
}

/* Give the children of `node` their turns: those with few records first, which are the likeliest to
 * be refused. */
static void set_turns(kn_cut *c, uint32_t node, uint32_t *child)
{
    const size_t count = c->children_at[node + 1] - c->children_at[node];

    for (size_t i = 0; i < count; i++) {
        const uint32_t next = c->children[c->children_at[node] + i];
        size_t j = i;
        for (; j > 0 && c->holders_len[child[j - 1]] > c->holders_len[next]; j--) {
            child[j] = child[j - 1];
        }
        child[j] = next;
    }
    for (size_t i = 0; i < count; i++) {
        c->turn[child[i]] = (uint32_t)i + 1;
    }
}

/* With m = 1 only the support of each child matters. */
static void split_by_support(kn_cut *c, uint32_t node, bool *done, kn_witness *why)
{
    uint32_t least = c->children[c->children_at[node]];

    for (uint32_t i = c->children_at[node]; i < c->children_at[node + 1]; i++) {
        least = c->support[c->children[i]] < c->support[least] ? c->children[i] : least;
    }
    *done = c->support[least] >= c->k;
    if (*done) {
        kn__cut_put(c, node);
    } else {
        *why = (kn_witness){.node = {least}, .size = 1};
    }
}

/* Check all children of `node`, as which its items are published meanwhile. `*allowed` if none of
 * them is in a rare combination; if one is, `*why` is that of the first turn refused. */
static kn_status check_children(kn_cut *c, uint32_t node, bool *allowed, kn_witness *why,
                                kn_error *err)
{
    const size_t count = c->children_at[node + 1] - c->children_at[node];
    splitting s = {.c = c, .child = c->child};
    size_t first;
    kn_status status = KN_OK;

    set_turns(c, node, c->child);
    atomic_init(&s.first, count);
    kn__parallel_for(c->holders_len[node] < ALONE ? 1 : c->threads, count, 1, check_turns, &s);
    first = atomic_load(&s.first);
    for (unsigned i = 0; i < c->threads; i++) {
        kn_cut_worker *w = &c->worker[i];
        if (first < count && w->turn == first) {
            status = w->status;
            *why = w->refused;
            if (status != KN_OK && err) {
                *err = w->error;
            }
        }
        w->turn = SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        c->turn[c->child[i]] = 0;
    }
    *allowed = first == count;
    return status;
}

kn_status kn__cut_split(kn_cut *c, uint32_t node, bool *done, kn_witness *why, kn_error *err)
{
    kn_status status;

    assert(c->in[node]);
    *done = false;
    why->size = 0;
    if (c->children_at[node] == c->children_at[node + 1]) {
        return KN_OK;
    }
    if (c->counts) {
        kn__counted_split(c, node, done);
        return KN_OK;
    }
    if (c->support) {
        split_by_support(c, node, done, why);
        return KN_OK;
    }
    kn__cut_assign_children(c, node);
    KN_TRY(kn__cut_find_holders(c, node, err));
    KN_TRY(check_children(c, node, done, why, err));
done:
    assign(c, node, node);
    if (*done) {
        kn__cut_put(c, node);
    }
    return status;
}
