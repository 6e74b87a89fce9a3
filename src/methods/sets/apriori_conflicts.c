/* apriori_conflicts.c - which splits exclude each other.
 *
 * A record is written down once with all that its items may become: every child of a possible split
 * at or above each item. Combinations of these nodes, none below another, are the combinations of
 * all cuts at once, and a rare one is a conflict between the parents of its nodes. Each is counted
 * from its first node on, in the order of places, on the records that hold that node. Sizes come in
 * turn, and what holds a smaller conflict of two splits is not looked at again. */
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/apriori.h"
#include "methods/sets/counted.h"

#include <string.h>

/* Beyond these, conflicts are learnt one by one, from splits that are refused. */
#define MOST_FOUND   ((uint64_t)1 << 23) /* rare combinations of one size */
#define MOST_WRITTEN ((size_t)UINT32_MAX / 2)

/* What one thread needs. */
typedef struct counter {
    uint32_t *count; /* by node; all 0 between uses */
    uint32_t *many;  /* by node: its positions, then where the next one goes */
    uint64_t *seen;  /* by node: the position from which it was counted last */
    uint64_t stamp;
    uint32_t *list; /* nodes with a count */
    struct {
        uint32_t *at, *node,
            *end; /* positions, grouped by node; the nodes; where each group ends */
        size_t at_cap, node_cap, end_cap;
    } level[KN_MOST_M];
    uint32_t *item, *weight_of; /* the records; weights by position */
    size_t item_cap, weight_cap;
    uint32_t prefix[KN_MOST_M];
    size_t prefix_len;
    uint64_t budget; /* rare combinations that the child may still have */
    kn_intern found; /* conflicts: lists of splits */
    kn_status status;
    kn_error error;
} counter;

typedef struct counting {
    kn_arena arena;
    kn_splits *s;
    const kn_cut *c;
    size_t size;     /* of the combinations looked at */
    uint32_t *child; /* the children of all splits */
    size_t children;
    uint32_t *chain_at; /* by place: what it may become is chain[chain_at[i]..chain_at[i+1]) */
    uint32_t *chain;
    uint8_t *excludes; /* [a * splits + b]: they are in conflict, or splits above them are */
    double *work;      /* by child: what the next size would take */
    uint8_t *cut_off;  /* by child: not all of its combinations were looked at */
    counter *counter;
    unsigned threads;
} counting;

/* ---- counting ---- */

static bool excluded(const counting *n, const counter *w, uint32_t node)
{
    const uint8_t *row = n->excludes + n->s->of[n->c->parent[node]] * n->s->count;

    for (size_t i = 0; i < w->prefix_len; i++) {
        if (row[n->s->of[n->c->parent[w->prefix[i]]]]) {
            return true;
        }
    }
    return false;
}

/* `last` makes the prefix rare. */
static kn_status put_found(const counting *n, counter *w, uint32_t last, kn_error *err)
{
    uint32_t member[KN_MOST_M], number;
    size_t size;

    if (w->budget == 0) {
        return KN_OK;
    }
    w->budget--;
    w->prefix[w->prefix_len] = last;
    size = kn__splits_of_nodes(n->s, n->c, w->prefix, w->prefix_len + 1, member);
    return kn__intern_add(&w->found, member, size, &number, err);
}

/* Whether `node` may stand beside `last` in a cut, and comes after it; in bags it may come again.
 */
static inline bool may_follow(const kn_cut *c, uint32_t last, uint32_t node)
{
    return c->low[node] >= c->high[last] || node == last;
}

/* Count the nodes after the positions at[0..len): their number; the nodes are in w->list. */
static size_t count_nodes(const counting *n, counter *w, const uint32_t *at, size_t len)
{
    const uint32_t last = w->prefix[w->prefix_len - 1];
    size_t listed = 0;

    for (size_t i = 0; i < len; i++) {
        const uint32_t weight = w->weight_of[at[i]];
        const uint64_t stamp = ++w->stamp;
        for (const uint32_t *p = w->item + at[i]; *p != KN_NO_NODE; p++) {
            if (w->seen[*p] != stamp && may_follow(n->c, last, *p)) {
                w->seen[*p] = stamp;
                if (w->count[*p] == 0) {
                    w->list[listed++] = *p;
                    w->many[*p] = 0;
                }
                w->count[*p] += weight;
                w->many[*p]++;
            }
        }
    }
    return listed;
}

static kn_status report_rare(const counting *n, counter *w, size_t listed, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < listed; i++) {
        const uint32_t node = w->list[i];
        if (status == KN_OK && w->count[node] < n->c->k && !excluded(n, w, node)) {
            status = put_found(n, w, node, err);
        }
        w->count[node] = 0;
    }
    return status;
}

/* The positions after each node of w->list that can grow into a larger combination, into
 * w->level[left]; `*kept` such nodes. */
static kn_status group_positions(const counting *n, counter *w, size_t left, size_t listed,
                                 const uint32_t *at, size_t len, size_t *kept, kn_error *err)
{
    const uint32_t last = w->prefix[w->prefix_len - 1];
    size_t total = 0;

    *kept = 0;
    KN_PASS(
        kn__grow(&w->level[left].node, &w->level[left].node_cap, listed, sizeof(uint32_t), err));
    KN_PASS(kn__grow(&w->level[left].end, &w->level[left].end_cap, listed, sizeof(uint32_t), err));
    for (size_t i = 0; i < listed; i++) {
        const uint32_t node = w->list[i], many = w->many[node];
        const bool grows = w->count[node] >= n->c->k && !excluded(n, w, node);
        w->count[node] = 0;
        w->many[node] = KN_NO_CODE;
        if (grows) {
            w->many[node] = (uint32_t)total;
            total += many;
            w->level[left].node[(*kept)++] = node;
        }
    }
    KN_PASS(kn__grow(&w->level[left].at, &w->level[left].at_cap, total, sizeof(uint32_t), err));
    for (size_t i = 0; i < len; i++) {
        const uint32_t weight = w->weight_of[at[i]];
        const uint64_t stamp = ++w->stamp;
        for (uint32_t p = at[i]; w->item[p] != KN_NO_NODE; p++) {
            const uint32_t node = w->item[p];
            if (w->seen[node] != stamp && may_follow(n->c, last, node)) {
                w->seen[node] = stamp;
                if (w->many[node] != KN_NO_CODE) {
                    w->level[left].at[w->many[node]++] = p + 1;
                    w->weight_of[p + 1] = weight;
                }
            }
        }
    }
    for (size_t i = 0; i < *kept; i++) {
        w->level[left].end[i] = w->many[w->level[left].node[i]];
    }
    return KN_OK;
}

/* Let the prefix grow by `left` nodes that stand after the positions at[0..len). */
static kn_status extend(const counting *n, counter *w, size_t left, const uint32_t *at, size_t len,
                        kn_error *err)
{
    const size_t listed = count_nodes(n, w, at, len);
    size_t kept, begin = 0;
    kn_status status;

    if (left == 1) {
        return report_rare(n, w, listed, err);
    }
    status = group_positions(n, w, left, listed, at, len, &kept, err);
    for (size_t i = 0; status == KN_OK && i < kept && w->budget > 0; i++) {
        const size_t end = w->level[left].end[i];
        w->prefix[w->prefix_len++] = w->level[left].node[i];
        status = extend(n, w, left - 1, w->level[left].at + begin, end - begin, err);
        w->prefix_len--;
        begin = end;
    }
    return status;
}

/* Write record `r` down from `*at` on: what the items after the first below `child` may become. */
static kn_status write_record(const counting *n, counter *w, uint32_t child, uint32_t r, size_t *at,
                              kn_error *err)
{
    const kn_cut *c = n->c;
    uint64_t p = c->starts[r];
    uint32_t before;

    while (c->place[p] < c->low[child]) {
        p++;
    }
    for (before = c->place[p++]; p < c->starts[r + 1]; p++) {
        const uint32_t place = c->place[p];
        const uint32_t begin = n->chain_at[place], end = n->chain_at[place + 1];
        KN_PASS(kn__grow(&w->item, &w->item_cap, *at + (end - begin), sizeof *w->item, err));
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t node = n->chain[i];
            /* In sets a node stands once: at its first place. */
            if ((c->bags || c->low[node] > before) && may_follow(c, child, node)) {
                w->item[(*at)++] = node;
            }
        }
        before = place;
    }
    KN_PASS(kn__grow(&w->item, &w->item_cap, *at + 1, sizeof *w->item, err));
    KN_PASS(kn__grow(&w->weight_of, &w->weight_cap, *at + 1, sizeof *w->weight_of, err));
    w->item[(*at)++] = KN_NO_NODE;
    return KN_OK;
}

/* The pairs that begin with child `number`, as write_record() and extend() would find them, without
 * writing anything. */
static kn_status count_pairs(counting *n, counter *w, size_t number, kn_error *err)
{
    const kn_cut *c = n->c;
    const uint32_t child = n->child[number];
    size_t listed = 0;

    for (uint32_t i = 0; i < c->holders_len[child]; i++) {
        const uint32_t r = c->holders[child][i], weight = c->weight[r];
        const uint64_t end = c->starts[r + 1], stamp = ++w->stamp;
        uint64_t p = c->starts[r];
        uint32_t before;
        double nodes = 1;
        while (c->place[p] < c->low[child]) {
            p++;
        }
        for (before = c->place[p++]; p < end; before = c->place[p++]) {
            const uint32_t place = c->place[p];
            for (uint32_t j = n->chain_at[place]; j < n->chain_at[place + 1]; j++) {
                const uint32_t node = n->chain[j];
                if (!(c->bags || c->low[node] > before) || !may_follow(c, child, node)) {
                    continue;
                }
                nodes++;
                if (c->bags) { /* in sets a node stands once */
                    if (w->seen[node] == stamp) {
                        continue;
                    }
                    w->seen[node] = stamp;
                }
                if (w->count[node] == 0) {
                    w->list[listed++] = node;
                }
                w->count[node] += weight;
            }
        }
        n->work[number] += nodes * nodes;
    }
    return report_rare(n, w, listed, err);
}

static kn_status count_child(counting *n, counter *w, size_t number, kn_error *err)
{
    const kn_cut *c = n->c;
    const uint32_t child = n->child[number];
    const size_t len = c->holders_len[child];
    size_t at = 0;
    kn_status status;

    KN_TRY(kn__grow(&w->level[0].at, &w->level[0].at_cap, len, sizeof(uint32_t), err));
    n->work[number] = 0;
    w->prefix[0] = child;
    w->prefix_len = 1;
    w->budget = MOST_FOUND / n->children + 1024;
    if (n->size == 2) {
        KN_TRY(count_pairs(n, w, number, err));
        n->cut_off[number] |= w->budget == 0;
        goto done;
    }
    for (size_t i = 0; i < len; i++) {
        const size_t begin = at;
        double work = 1;
        if (at > MOST_WRITTEN) {
            n->cut_off[number] = 1;
            goto done;
        }
        w->level[0].at[i] = (uint32_t)at;
        KN_TRY(write_record(n, w, child, c->holders[child][i], &at, err));
        w->weight_of[begin] = c->weight[c->holders[child][i]];
        for (size_t j = 0; j < n->size; j++) {
            work *= (double)(at - begin);
        }
        n->work[number] += work;
    }
    KN_TRY(extend(n, w, n->size - 1, w->level[0].at, len, err));
    n->cut_off[number] |= w->budget == 0;
done:
    return status;
}

static void count_children(void *user, unsigned worker, size_t begin, size_t end)
{
    counting *n = user;
    counter *w = &n->counter[worker];

    for (size_t i = begin; i < end && w->status == KN_OK; i++) {
        w->status = count_child(n, w, i, &w->error);
    }
}

/* ---- gathering ---- */

/* The conflicts of all threads, in no order. */
static kn_status gather(counting *n, kn_error *err)
{
    kn_intern all = {0};
    uint32_t number;
    size_t size;
    kn_status status = KN_OK;

    for (unsigned i = 0; i < n->threads; i++) {
        const kn_intern *found = &n->counter[i].found;
        for (size_t j = 0; j < found->count; j++) {
            const uint32_t *member = kn__intern_list(found, j, &size);
            KN_TRY(kn__intern_add(&all, member, size, &number, err));
        }
    }
    for (size_t i = 0; i < n->children; i++) {
        n->s->complete = n->s->complete && !n->cut_off[i];
    }
    KN_TRY(kn__splits_keep(n->s, n->excludes, &all, err));
done:
    kn__intern_clear(&all);
    return status;
}

/* ---- preparing ---- */

static kn_status list_children(counting *n, kn_error *err)
{
    const kn_cut *c = n->c;

    n->child = kn__arena_take(&n->arena, c->nodes, sizeof *n->child);
    n->work = kn__arena_zeros(&n->arena, c->nodes, sizeof *n->work);
    n->cut_off = kn__arena_zeros(&n->arena, c->nodes, sizeof *n->cut_off);
    n->excludes = kn__arena_zeros(&n->arena, n->s->count * n->s->count, sizeof *n->excludes);
    if (n->arena.failed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < n->s->count; i++) {
        const uint32_t node = n->s->node[i];
        for (uint32_t j = c->children_at[node]; j < c->children_at[node + 1]; j++) {
            n->child[n->children++] = c->children[j];
        }
    }
    return KN_OK;
}

/* What each place may become. Children are met from the top down, so that one pass writes them. */
static kn_status list_chains(counting *n, kn_error *err)
{
    const kn_cut *c = n->c;
    size_t total = 0;

    n->chain_at = kn__arena_zeros(&n->arena, (size_t)c->places + 2, sizeof *n->chain_at);
    for (size_t i = 0; i < n->children; i++) {
        total += c->high[n->child[i]] - c->low[n->child[i]];
    }
    n->chain = kn__arena_take(&n->arena, total, sizeof *n->chain);
    if (n->arena.failed || total >= UINT32_MAX) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < n->children; i++) {
        for (uint32_t p = c->low[n->child[i]]; p < c->high[n->child[i]]; p++) {
            n->chain_at[p + 2]++;
        }
    }
    for (uint32_t p = 0; p < c->places; p++) {
        n->chain_at[p + 2] += n->chain_at[p + 1];
    }
    for (size_t i = 0; i < n->children; i++) {
        for (uint32_t p = c->low[n->child[i]]; p < c->high[n->child[i]]; p++) {
            n->chain[n->chain_at[p + 1]++] = n->child[i];
        }
    }
    return KN_OK;
}

static kn_status make_counters(counting *n, kn_error *err)
{
    const size_t nodes = n->c->nodes;

    n->counter = kn__arena_zeros(&n->arena, n->threads, sizeof *n->counter);
    if (n->arena.failed) {
        return kn__nomem(err);
    }
    for (unsigned i = 0; i < n->threads; i++) {
        counter *w = &n->counter[i];
        w->count = kn__arena_zeros(&n->arena, nodes, sizeof *w->count);
        w->many = kn__arena_take(&n->arena, nodes, sizeof *w->many);
        w->seen = kn__arena_zeros(&n->arena, nodes, sizeof *w->seen);
        w->list = kn__arena_take(&n->arena, nodes, sizeof *w->list);
        if (n->arena.failed) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

static void clear(counting *n)
{
    for (unsigned i = 0; n->counter && i < n->threads; i++) {
        counter *w = &n->counter[i];
        for (size_t j = 0; j < KN_MOST_M; j++) {
            KN_FREE(w->level[j].at, w->level[j].node, w->level[j].end);
        }
        KN_FREE(w->item, w->weight_of);
        kn__intern_clear(&w->found);
    }
    kn__arena_clear(&n->arena);
}

/* All combinations of n->size nodes. */
static kn_status count_size(counting *n, const kn_run *run, kn_error *err)
{
    kn_status status;

    for (unsigned i = 0; i < n->threads; i++) {
        kn__intern_clear(&n->counter[i].found);
    }
    status = kn__parallel_steps(run, "conflicts", n->threads, n->children, 1, count_children, n,
                                err);
    for (unsigned i = 0; i < n->threads && status == KN_OK; i++) {
        status = n->counter[i].status;
        if (status != KN_OK && err) {
            *err = n->counter[i].error;
        }
    }
    return status == KN_OK ? gather(n, err) : status;
}

/* What the combinations of two will take, about: the records of the children, each with all its
 * chains.
 */
static double first_work(const counting *n)
{
    const kn_cut *c = n->c;
    double chains = 0, held = 0;

    for (size_t i = 0; i < c->starts[c->records]; i++) {
        chains += n->chain_at[c->place[i] + 1] - n->chain_at[c->place[i]];
    }
    for (size_t i = 0; i < n->children; i++) {
        held += c->holders_len[n->child[i]];
    }
    return c->records ? held * chains / (double)c->records : 0;
}

kn_status kn__splits_conflicts(kn_splits *s, const kn_cut *c, double most, const kn_run *run,
                               kn_error *err)
{
    counting n = {.s = s, .c = c, .threads = kn__run_threads(run)};
    double work;
    kn_status status = KN_OK;

    if (c->counts) {
        return kn__counted_conflicts(s, c, err);
    }
    s->complete = c->m < 2 || s->count == 0;
    if (s->complete || s->count > KN_MOST_SPLITS) {
        return KN_OK;
    }
    KN_TRY(list_children(&n, err));
    KN_TRY(list_chains(&n, err));
    KN_TRY(make_counters(&n, err));
    s->complete = true;
    work = first_work(&n);
    for (n.size = 2; n.size <= c->m; n.size++) {
        if (work > most) {
            s->complete = false;
            break;
        }
        KN_TRY(count_size(&n, run, err));
        work = 0;
        for (size_t i = 0; i < n.children; i++) {
            work += n.work[i];
        }
    }
done:
    clear(&n);
    return status;
}
