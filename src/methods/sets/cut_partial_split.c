/* cut_partial_split.c - a node of a cut is split in part: some nodes below it get names of their
 * own, and the rest keeps the node's name. (So the published names are no cut any more: one may be
 * an ancestor of another.)
 *
 * Below, `node` is the node that gets a name of its own, the new name; `above` is the node whose
 * name its items have so far, the old name. An item moves if its name changes from the old to the
 * new one; a record loses the old name if all its items with that name move.
 *
 * Invariant: the release is k^m-anonymous. A partial split turns one name into two, so all that
 * cut.h says of finer and coarser cuts holds: what is refused once stays refused, and each node is
 * tried once. A node that got its own name can be split in part again.
 *
 * Technique: records are kept as the names that they are published with, which are fewer than their
 * items. Combinations with the new name are counted on the records that get it. Those with the old
 * name can have become rare only where a record lost it, so only names of such records are counted
 * with it. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/sets/candidates.h"
#include "methods/sets/counted.h"
#include "methods/sets/cut.h"

#include <string.h>

enum { GRAIN = 16 }; /* candidates that a thread takes at once */

/* What one thread needs. */
typedef struct worker {
    /* The records that get the new name, ascending; of each, the items that move, and those that
     * keep the old name. */
    uint32_t *record, *moved, *kept;
    size_t record_cap, moved_cap, kept_cap, len;
    uint64_t *support; /* by node; all 0 between uses */
    uint32_t *counted; /* the nodes whose support is not 0 */
    kn_status status;
    kn_error error;
} worker;

typedef struct partial_split {
    kn_cut *c;
    kn_candidates todo;
    /* Record r is published as name[c->starts[r]..] of length name_len[r]: ascending, in sets each
     * once. NULL with m = 1, where only the support of single names matters. */
    uint32_t *name, *name_len;
    uint8_t *wanted; /* by node; all 0 between uses */
    worker *worker;  /* by thread */
} partial_split;

/* ---- records as names ---- */

/* Fill x->name and x->name_len of record `r`. */
static void name_record(partial_split *x, uint32_t r)
{
    const kn_cut *c = x->c;
    uint32_t *name = x->name + c->starts[r];
    const size_t len = (size_t)(c->starts[r + 1] - c->starts[r]);
    size_t kept = 0;

    for (size_t i = 0; i < len; i++) {
        name[i] = c->to[c->place[c->starts[r] + i]];
    }
    kn__sort_u32(name, len);
    for (size_t i = 0; i < len; i++) {
        if (c->bags || kept == 0 || name[kept - 1] != name[i]) {
            name[kept++] = name[i];
        }
    }
    x->name_len[r] = (uint32_t)kept;
}

/* Put `times` of `node` into the ascending item[0..len); the new length. */
static size_t insert(uint32_t *item, size_t len, uint32_t node, size_t times)
{
    size_t at = len;

    while (at > 0 && item[at - 1] > node) {
        at--;
    }
    memmove(item + at + times, item + at, (len - at) * sizeof *item);
    for (size_t i = 0; i < times; i++) {
        item[at + i] = node;
    }
    return len + times;
}

/* Rename `moved` items of record `r` from `above` to `node`; `kept` items keep the old name. */
static void rename_record(partial_split *x, uint32_t r, uint32_t above, uint32_t node,
                          uint32_t moved, uint32_t kept)
{
    uint32_t *name = x->name + x->c->starts[r];
    const uint32_t lost = x->c->bags ? moved : kept == 0; /* times that it stands there less */
    size_t len = 0, removed = 0;

    for (uint32_t i = 0; i < x->name_len[r]; i++) {
        const bool removes = name[i] == above && removed < lost;
        name[len] = name[i];
        len += !removes;
        removed += removes;
    }
    x->name_len[r] = (uint32_t)insert(name, len, node, x->c->bags ? moved : 1);
}

/* ---- combinations with the new name ---- */

/* Find the records in which an item below `node` is published as `above`, into w->record. */
static kn_status find_records(const partial_split *x, worker *w, uint32_t above, uint32_t node,
                              kn_error *err)
{
    const kn_cut *c = x->c;
    const uint32_t *from = c->holders[node], len = c->holders_len[node];
    bool all = true;

    KN_PASS(kn__grow(&w->record, &w->record_cap, len, sizeof *w->record, err));
    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        all = all && c->to[i] == above;
    }
    w->len = 0;
    for (uint32_t i = 0; i < len; i++) {
        const uint32_t r = from[i];
        bool holds = all;
        for (uint64_t p = all ? 0 : kn__cut_first(c, r, c->low[node]);
             !holds && p < c->starts[r + 1] && c->place[p] < c->high[node]; p++) {
            holds = c->to[c->place[p]] == above;
        }
        w->record[w->len] = r;
        w->len += holds;
    }
    return KN_OK;
}

/* Fill w->moved and w->kept. */
static kn_status count_moved(const partial_split *x, worker *w, uint32_t above, uint32_t node,
                             kn_error *err)
{
    const kn_cut *c = x->c;

    KN_PASS(kn__grow(&w->moved, &w->moved_cap, w->len, sizeof *w->moved, err));
    KN_PASS(kn__grow(&w->kept, &w->kept_cap, w->len, sizeof *w->kept, err));
    for (size_t i = 0; i < w->len; i++) {
        const uint32_t r = w->record[i];
        w->moved[i] = w->kept[i] = 0;
        for (uint64_t p = kn__cut_first(c, r, c->low[above]);
             p < c->starts[r + 1] && c->place[p] < c->high[above]; p++) {
            const uint32_t place = c->place[p];
            if (c->to[place] == above) {
                const bool moves = place >= c->low[node] && place < c->high[node];
                w->moved[i] += moves;
                w->kept[i] += !moves;
            }
        }
    }
    return KN_OK;
}

static bool is_rare(const kn_cut *c, uint64_t support)
{
    return support > 0 && support < c->k;
}

/* Whether the pair of the new name with another but the old one is rare. That refuses most
 * candidates, before any records are listed. */
static bool pair_rare(const partial_split *x, worker *w, uint32_t above)
{
    size_t found = 0;
    bool rare = false;

    for (size_t i = 0; i < w->len; i++) {
        const uint32_t r = w->record[i];
        const uint32_t *name = x->name + x->c->starts[r];
        for (uint32_t j = 0; j < x->name_len[r]; j++) {
            if (j > 0 && name[j] == name[j - 1]) {
                continue;
            }
            w->counted[found] = name[j];
            found += w->support[name[j]] == 0;
            w->support[name[j]] += x->c->weight[r];
        }
    }
    for (size_t i = 0; i < found; i++) {
        const uint32_t name = w->counted[i];
        rare = rare || (name != above && is_rare(x->c, w->support[name]));
        w->support[name] = 0;
    }
    return rare;
}

/* Whether a combination of the new name with others, on the records that get it, is rare. */
static kn_status new_name_rare(const partial_split *x, unsigned number, uint32_t above,
                               uint32_t node, bool *rare, kn_error *err)
{
    kn_cut *c = x->c;
    const worker *w = &x->worker[number];
    kn_node_lists *lists = kn__cut_lists(c, number);
    kn_witness why = {.node = {node}, .size = 1};

    kn__node_lists_start(lists, c->nodes);
    for (size_t i = 0; i < w->len; i++) {
        const uint32_t r = w->record[i];
        const uint32_t *name = x->name + c->starts[r];
        uint32_t *list;
        size_t len = 0;
        KN_PASS(kn__node_lists_open(lists, (size_t)x->name_len[r] + 1, &list, err));
        for (uint32_t j = 0; j < x->name_len[r]; j++) {
            list[len] = name[j];
            len += name[j] != above;
        }
        len = insert(list, len, above, c->bags ? w->kept[i] : w->kept[i] > 0);
        len = insert(list, len, node, c->bags ? w->moved[i] - 1 : 0);
        kn__node_lists_close(lists, len, c->weight[r]);
    }
    return kn__node_lists_rare(lists, c->k, c->m - 1, &why, rare, err);
}

/* Whether a combination with the new name would be rare, the name alone included. If none is, the
 * worker has the records that get the new name. */
static kn_status check_new_name(const partial_split *x, unsigned number, uint32_t above,
                                uint32_t node, bool *rare, kn_error *err)
{
    const kn_cut *c = x->c;
    worker *w = &x->worker[number];
    uint64_t support = 0;

    *rare = false;
    KN_PASS(find_records(x, w, above, node, err));
    for (size_t i = 0; i < w->len && support < c->k; i++) {
        support += c->weight[w->record[i]];
    }
    *rare = is_rare(c, support) || (c->m > 1 && pair_rare(x, w, above));
    if (!*rare) {
        KN_PASS(count_moved(x, w, above, node, err));
    }
    if (!*rare && c->m > 1) {
        KN_PASS(new_name_rare(x, number, above, node, rare, err));
    }
    return KN_OK;
}

/* ---- combinations with the old name ---- */

/* Set x->wanted to `mark` for the names of the records that lose the old name, or (in bags) an
 * item of it. False if there is no such record. */
static bool mark_wanted(partial_split *x, const worker *w, uint8_t mark)
{
    bool any = false;

    for (size_t i = 0; i < w->len; i++) {
        const uint64_t begin = x->c->starts[w->record[i]];
        const bool loses = x->c->bags || w->kept[i] == 0;
        any = any || loses;
        for (uint32_t j = 0; loses && j < x->name_len[w->record[i]]; j++) {
            x->wanted[x->name[begin + j]] = mark;
        }
    }
    return any;
}

/* Whether a combination of the old name with wanted names is rare, counted on the records that keep
 * the old name. Only such a combination loses support. Combinations with the new name were counted
 * before. */
static kn_status old_name_rare(partial_split *x, uint32_t above, bool *rare, kn_error *err)
{
    kn_cut *c = x->c;
    const worker *w = &x->worker[0];
    kn_node_lists *lists = kn__cut_lists(c, 0);
    kn_witness why = {.node = {above}, .size = 1};
    size_t next = 0;
    kn_status status = KN_OK;

    if (!mark_wanted(x, w, 1)) {
        return KN_OK;
    }
    kn__node_lists_start(lists, c->nodes);
    for (uint32_t i = 0; i < c->holders_len[above]; i++) {
        const uint32_t r = c->holders[above][i];
        const uint32_t *name = x->name + c->starts[r];
        uint32_t *list;
        size_t len = 0, times = 0;
        KN_TRY(kn__node_lists_open(lists, x->name_len[r], &list, err));
        for (uint32_t j = 0; j < x->name_len[r]; j++) {
            list[len] = name[j];
            len += name[j] != above && x->wanted[name[j]];
            times += name[j] == above;
        }
        if (next < w->len && w->record[next] == r) {
            times = c->bags ? w->kept[next] : w->kept[next] > 0;
            next++;
        }
        if (times > 0) {
            len = insert(list, len, above, times - 1);
            kn__node_lists_close(lists, len, c->weight[r]);
        }
    }
    KN_TRY(kn__node_lists_rare(lists, c->k, c->m - 1, &why, rare, err));
done:
    (void)mark_wanted(x, w, 0);
    return status;
}

/* Whether a combination with the old name, the name alone included, becomes rare when the records
 * of worker 0 get the new one. */
static kn_status check_old_name(partial_split *x, uint32_t above, bool *rare, kn_error *err)
{
    const kn_cut *c = x->c;
    const worker *w = &x->worker[0];
    uint64_t support = 0;

    for (uint32_t i = 0; i < c->holders_len[above]; i++) {
        support += c->weight[c->holders[above][i]];
    }
    for (size_t i = 0; i < w->len; i++) {
        support -= w->kept[i] == 0 ? c->weight[w->record[i]] : 0;
    }
    *rare = is_rare(c, support);
    if (!*rare && c->m > 1) {
        KN_PASS(old_name_rare(x, above, rare, err));
    }
    return KN_OK;
}

/* ---- a node gets its own name ---- */

/* Take the records that lose the old name out of its holders. */
static void remove_holders(kn_cut *c, const worker *w, uint32_t above)
{
    uint32_t *list = c->holders[above], len = 0;
    size_t next = 0;

    for (uint32_t i = 0; i < c->holders_len[above]; i++) {
        const uint32_t r = list[i];
        const bool moves = next < w->len && w->record[next] == r;
        list[len] = r;
        len += !(moves && w->kept[next] == 0);
        next += moves;
    }
    c->holders_len[above] = len;
}

/* Publish the items below `node` that have the name of `above`, `moved` occurrences, as `node`. */
static void accept(partial_split *x, uint32_t above, uint32_t node, double moved)
{
    kn_cut *c = x->c;
    const worker *w = &x->worker[0];

    for (size_t i = 0; i < w->len; i++) {
        if (x->name) {
            rename_record(x, w->record[i], above, node, w->moved[i], w->kept[i]);
        }
    }
    memcpy(c->holders[node], w->record, w->len * sizeof *w->record);
    c->holders_len[node] = (uint32_t)w->len;
    remove_holders(c, w, above);
    kn__cut_name(c, above, node, moved);
}

/* Give `node` a name of its own if no combination becomes rare; `*done` says whether it got it. */
static kn_status try_name(partial_split *x, uint32_t above, uint32_t node, bool *done,
                          kn_error *err)
{
    const double moved = kn__cut_occurrences(x->c, above, node);
    bool rare = false;

    *done = false;
    if (moved > 0) {
        x->todo.seen[node] = 1;
        KN_PASS(check_new_name(x, 0, above, node, &rare, err));
        if (!rare) {
            KN_PASS(check_old_name(x, above, &rare, err));
        }
        if (!rare) {
            accept(x, above, node, moved);
            *done = true;
        }
    }
    return KN_OK;
}

/* ---- candidates ---- */

static void check_candidates(void *user, unsigned number, size_t begin, size_t end)
{
    partial_split *x = user;
    worker *w = &x->worker[number];

    for (size_t i = begin; i < end && w->status == KN_OK; i++) {
        kn_candidate *y = &x->todo.list[i];
        w->status = check_new_name(x, number, y->above, y->node, &y->refused, &w->error);
    }
}

/* Check the new name of every candidate on the names that the records have now, on all threads. A
 * candidate that is refused now would be refused later, too, since names only become finer; most
 * are. */
static kn_status refuse_most(partial_split *x, const kn_run *run, kn_error *err)
{
    kn_status status;

    if (x->c->threads < 2 || x->c->m == 1) { /* with m = 1 a check is short */
        return KN_OK;
    }
    status = kn__parallel_steps(run, "names", x->c->threads, x->todo.len, GRAIN, check_candidates,
                                x, err);
    for (unsigned i = 0; i < x->c->threads && status == KN_OK; i++) {
        status = x->worker[i].status;
        if (status != KN_OK && err) {
            *err = x->worker[i].error;
        }
    }
    for (size_t i = 0; i < x->todo.len && status == KN_OK; i++) {
        x->todo.seen[x->todo.list[i].node] = x->todo.list[i].refused;
    }
    return status;
}

/* One round: `todo` are names that may be split in part; replaced by the new names. */
static kn_status split_names(partial_split *x, uint32_t *todo, size_t *todo_len, const kn_run *run,
                             kn_error *err)
{
    KN_PASS(kn__candidates_list(&x->todo, x->c, todo, *todo_len, run, err));
    KN_PASS(refuse_most(x, run, err));
    *todo_len = 0;
    for (size_t i = 0; i < x->todo.len; i++) {
        const kn_candidate *y = &x->todo.list[i];
        bool done = false;
        if (!y->refused) {
            KN_PASS(kn__run_step(run, "names", (double)i / (double)x->todo.len, err));
            KN_PASS(try_name(x, y->above, y->node, &done, err));
        }
        if (done) {
            todo[(*todo_len)++] = y->node;
        }
    }
    return KN_OK;
}

/* ---- all of it ---- */

static kn_status prepare(partial_split *x, kn_error *err)
{
    kn_cut *c = x->c;
    const kn_status status = kn__candidates_new(&x->todo, c, err);

    if (status != KN_OK) {
        return status;
    }
    if (c->m > 1) {
        x->name = kn__malloc_array((size_t)c->starts[c->records], sizeof *x->name);
        x->name_len = kn__malloc_array(c->records, sizeof *x->name_len);
    }
    x->wanted = kn__zalloc_array(c->nodes, sizeof *x->wanted);
    x->worker = kn__zalloc_array(c->threads, sizeof *x->worker);
    if ((c->m > 1 && (!x->name || !x->name_len)) || !x->wanted || !x->worker) {
        return kn__nomem(err);
    }
    for (unsigned i = 0; c->m > 1 && i < c->threads; i++) {
        worker *w = &x->worker[i];
        w->support = kn__zalloc_array(c->nodes + (size_t)1, sizeof *w->support);
        w->counted = kn__malloc_array(c->nodes + (size_t)1, sizeof *w->counted);
        KN_PASS(w->support && w->counted ? KN_OK : kn__nomem(err));
    }
    for (uint32_t r = 0; r < c->records && x->name; r++) {
        name_record(x, r);
    }
    return KN_OK;
}

static void clear(partial_split *x)
{
    for (unsigned i = 0; x->worker && i < x->c->threads; i++) {
        worker *w = &x->worker[i];
        KN_FREE(w->record, w->moved, w->kept, w->support, w->counted);
    }
    kn__free(x->worker);
    kn__candidates_clear(&x->todo);
    KN_FREE(x->name, x->name_len, x->wanted);
}

kn_status kn__cut_split_partly(kn_cut *c, const kn_run *run, kn_error *err)
{
    partial_split x = {.c = c};
    uint32_t *todo = NULL;
    size_t len = 0;
    kn_status status;

    if (c->counts) {
        return kn__counted_split_partly(c, run, err);
    }
    todo = kn__malloc_array(c->nodes, sizeof *todo);
    KN_TRY(todo ? prepare(&x, err) : kn__nomem(err));
    for (uint32_t node = 0; node < c->nodes; node++) {
        if (c->in[node]) {
            todo[len++] = node;
        }
    }
    for (size_t i = 0; i < len; i++) {
        if (!c->holders[todo[i]] && c->children_at[todo[i]] < c->children_at[todo[i] + 1]) {
            KN_TRY(kn__cut_hold_cut(c, err));
        }
    }
    while (len > 0) {
        KN_TRY(split_names(&x, todo, &len, run, err));
    }
done:
    c->partial = true;
    kn__free(todo);
    clear(&x);
    return status;
}
