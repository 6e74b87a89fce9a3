/* cut_partial_split.c - a node of a cut parted: some of what is below it keeps its own name.
 *
 * To part is to split what has one name into two, so all that cut.h says of finer and coarser
 * holds: what is refused once stays refused, and each node is looked at once. A node that is let
 * out can be parted again.
 *
 * Records are kept as the names that they are published with, which are fewer than their items.
 * Combinations with the new name are counted on the records that get it. Those with the old name
 * can have become rare only where a record lost it: for pairs, the most common case, the support of
 * the old name with every other is kept, and what the record lost is taken from it. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "methods/sets/cut.h"

#include <stdlib.h>
#include <string.h>

enum { GRAIN = 16 };                  /* candidates that a thread takes at once */
#define MOST_PAIRS ((size_t)64 << 20) /* bytes of supports of pairs that are kept */

/* `node` could be let out of `above`. */
typedef struct candidate {
    double gain;
    uint32_t node, above;
    bool refused;
} candidate;

/* One thread's room. */
typedef struct room {
    uint32_t *count; /* by node; all 0 between uses */
    uint32_t *found; /* nodes with a count */
    /* The records that get the name, and how many of their items do, or keep the old one. */
    uint32_t *record, *moved, *kept;
    size_t record_cap, moved_cap, kept_cap, len;
    kn_status status;
    kn_error error;
} room;

typedef struct parting {
    kn_cut *c;
    candidate *list; /* a node is below one node of the cut, so it is here once */
    size_t len;
    uint8_t *seen;   /* by node: it was looked at */
    uint32_t *queue; /* nodes to list */
    /* Record r is published as name[c->starts[r]..] of length name_len[r]: ascending, in sets each
     * once. NULL with m = 1, where no name is looked at beside another. */
    uint32_t *name, *name_len;
    uint64_t *support; /* by node: of a name, once it was asked for; 0: not yet */
    uint32_t **pairs;  /* by node, by node: the support of both names (of a name and itself: of
                          those that have it twice); NULL: not known */
    uint32_t *unkept;  /* the same for one name, where there is no room to keep it */
    size_t pairs_kept;
    uint8_t *wanted; /* by node; all 0 between uses */
    room *room;      /* one a thread */
} parting;

static double ncp_of(const kn_cut *c, uint32_t node)
{
    return kn__domain_ncp(c->domain, node == c->apart ? c->root : node);
}

/* ---- records as names ---- */

static void name_record(parting *x, uint32_t r)
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

/* Give record `r`, of whose items `kept` keep the name of `above` and `moved` do not, that of
 * `node`. */
static void rename_record(parting *x, uint32_t r, uint32_t above, uint32_t node, uint32_t moved,
                          uint32_t kept)
{
    uint32_t *name = x->name + x->c->starts[r];
    const uint32_t gone = x->c->bags ? moved : kept == 0;
    size_t len = 0, skipped = 0;

    for (uint32_t i = 0; i < x->name_len[r]; i++) {
        const bool skips = name[i] == above && skipped < gone;
        name[len] = name[i];
        len += !skips;
        skipped += skips;
    }
    x->name_len[r] = (uint32_t)insert(name, len, node, x->c->bags ? moved : 1);
}

/* Count each name of record `r` once. */
static inline size_t count_names(const parting *x, uint32_t *count, uint32_t *found, size_t len,
                                 uint32_t r)
{
    const uint32_t *name = x->name + x->c->starts[r], *end = name + x->name_len[r];
    const uint32_t weight = x->c->weight[r];
    uint32_t last = KN_NO_NODE;

    for (; name < end; name++) {
        if (*name != last) {
            last = *name;
            if (count[last] == 0) {
                found[len++] = last;
            }
            count[last] += weight;
        }
    }
    return len;
}

/* ---- combinations with the new name ---- */

/* The records in which something below `node` is published as `above`. */
static kn_status find_records(const parting *x, room *w, uint32_t above, uint32_t node,
                              kn_error *err)
{
    const kn_cut *c = x->c;
    const uint32_t *from = c->holders[node], len = c->holders_len[node];
    bool all = true;
    kn_status status = kn__grow(&w->record, &w->record_cap, len, sizeof *w->record, err);

    if (status != KN_OK) {
        return status;
    }
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

/* How many items of each record move, and how many keep the old name. */
static kn_status count_moved(const parting *x, room *w, uint32_t above, uint32_t node,
                             kn_error *err)
{
    const kn_cut *c = x->c;
    kn_status status;

    KN_TRY(kn__grow(&w->moved, &w->moved_cap, w->len, sizeof *w->moved, err));
    KN_TRY(kn__grow(&w->kept, &w->kept_cap, w->len, sizeof *w->kept, err));
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
done:
    return status;
}

static bool is_rare(const kn_cut *c, uint64_t support)
{
    return support > 0 && support < c->k;
}

/* Pairs of the new name with others but the old one. */
static bool others_rare(const parting *x, room *w, uint32_t above)
{
    size_t found = 0;
    bool rare = false;

    for (size_t i = 0; i < w->len; i++) {
        found = count_names(x, w->count, w->found, found, w->record[i]);
    }
    for (size_t i = 0; i < found; i++) {
        const uint32_t name = w->found[i];
        rare = rare || (name != above && w->count[name] < x->c->k);
        w->count[name] = 0;
    }
    return rare;
}

/* Pairs of the new name with the old one, and with itself. */
static bool both_rare(const parting *x, const room *w)
{
    uint64_t both = 0, twice = 0;

    for (size_t i = 0; i < w->len; i++) {
        const uint32_t weight = x->c->weight[w->record[i]];
        both += w->kept[i] > 0 ? weight : 0;
        twice += x->c->bags && w->moved[i] > 1 ? weight : 0;
    }
    return is_rare(x->c, both) || is_rare(x->c, twice);
}

/* Larger combinations with the new name. */
static kn_status larger_rare(const parting *x, unsigned worker, uint32_t above, uint32_t node,
                             bool *rare, kn_error *err)
{
    kn_cut *c = x->c;
    const room *w = &x->room[worker];
    kn_node_lists *lists = kn__cut_lists(c, worker);
    kn_witness why = {.node = {node}, .size = 1};
    kn_status status = KN_OK;

    kn__node_lists_start(lists, c->nodes);
    for (size_t i = 0; i < w->len; i++) {
        const uint32_t r = w->record[i];
        const uint32_t *name = x->name + c->starts[r];
        uint32_t *list;
        size_t len = 0;
        KN_TRY(kn__node_lists_open(lists, (size_t)x->name_len[r] + 1, &list, err));
        for (uint32_t j = 0; j < x->name_len[r]; j++) {
            list[len] = name[j];
            len += name[j] != above;
        }
        len = insert(list, len, above, c->bags ? w->kept[i] : w->kept[i] > 0);
        len = insert(list, len, node, c->bags ? w->moved[i] - 1 : 0);
        kn__node_lists_close(lists, len, c->weight[r]);
    }
    KN_TRY(kn__node_lists_rare(lists, c->k, c->m - 1, &why, rare, err));
done:
    return status;
}

/* Whether letting `node` out of `above` makes a rare combination with `node`. If not, the room has
 * its records. */
static kn_status look_at_new(const parting *x, unsigned worker, uint32_t above, uint32_t node,
                             bool *rare, kn_error *err)
{
    const kn_cut *c = x->c;
    room *w = &x->room[worker];
    uint64_t support = 0;
    kn_status status;

    *rare = false;
    KN_TRY(find_records(x, w, above, node, err));
    for (size_t i = 0; i < w->len && support < c->k; i++) {
        support += c->weight[w->record[i]];
    }
    *rare = is_rare(c, support) || (c->m > 1 && others_rare(x, w, above));
    if (!*rare) {
        KN_TRY(count_moved(x, w, above, node, err));
    }
    if (!*rare && c->m > 1) {
        *rare = both_rare(x, w);
    }
    if (!*rare && c->m > 2) {
        KN_TRY(larger_rare(x, worker, above, node, rare, err));
    }
done:
    return status;
}

/* ---- combinations with the old name ---- */

/* Know the support of `name`, and that of its pairs. */
static kn_status know_pairs(parting *x, uint32_t name, uint32_t **pairs, kn_error *err)
{
    const kn_cut *c = x->c;
    const size_t bytes = c->nodes * sizeof **pairs;
    const bool keeps = (x->pairs_kept + 1) * bytes <= MOST_PAIRS;

    *pairs = x->pairs[name];
    if (x->support[name] == 0) {
        for (uint32_t i = 0; i < c->holders_len[name]; i++) {
            x->support[name] += c->weight[c->holders[name][i]];
        }
    }
    if (*pairs || c->m == 1) {
        return KN_OK;
    }
    *pairs = keeps ? kn__zalloc(bytes) : x->unkept;
    if (!*pairs) {
        return kn__nomem(err);
    }
    if (keeps) {
        x->pairs[name] = *pairs;
        x->pairs_kept++;
    } else {
        memset(*pairs, 0, bytes);
    }
    for (uint32_t i = 0; i < c->holders_len[name] && !c->bags; i++) {
        const uint32_t r = c->holders[name][i], len = x->name_len[r], weight = c->weight[r];
        const uint32_t *list = x->name + c->starts[r];
        for (uint32_t j = 0; j < len; j++) {
            (*pairs)[list[j]] += weight;
        }
    }
    for (uint32_t i = 0; i < c->holders_len[name] && c->bags; i++) {
        const uint32_t r = c->holders[name][i], len = x->name_len[r];
        const uint32_t *list = x->name + c->starts[r];
        for (uint32_t j = 0; j < len; j++) {
            /* Twice: counted once, where its second one stands. */
            const bool counts = list[j] != name ? j == 0 || list[j - 1] != list[j]
                                                : j > 0 && list[j - 1] == name &&
                                                      (j == 1 || list[j - 2] != name);
            (*pairs)[list[j]] += counts ? c->weight[r] : 0;
        }
    }
    return KN_OK;
}

/* Pairs with the old name, as `pairs` has them, without the records that lose it. */
static bool lost_pairs_rare(const parting *x, room *w, uint32_t above, const uint32_t *pairs)
{
    const kn_cut *c = x->c;
    uint64_t lost = 0, twice = 0;
    size_t found = 0;
    bool rare = false;

    for (size_t i = 0; i < w->len; i++) {
        const uint32_t weight = c->weight[w->record[i]];
        lost += w->kept[i] == 0 ? weight : 0;
        twice += w->kept[i] < 2 && w->kept[i] + w->moved[i] > 1 ? weight : 0;
        if (w->kept[i] == 0 && c->m > 1) {
            found = count_names(x, w->count, w->found, found, w->record[i]);
        }
    }
    rare = is_rare(c, x->support[above] - lost) ||
           (c->bags && c->m > 1 && twice > 0 && is_rare(c, pairs[above] - twice));
    for (size_t i = 0; i < found; i++) {
        const uint32_t name = w->found[i];
        rare = rare || (name != above && is_rare(c, pairs[name] - w->count[name]));
        w->count[name] = 0;
    }
    return rare;
}

/* Mark the names in records that lose the old one, or in bags an item of it; whether there are any.
 */
static bool mark_wanted(parting *x, const room *w, uint8_t mark)
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

/* Larger combinations with the old name, of names that stand in a record that loses it, on the
 * records that keep it. Those with the new name were looked at. */
static kn_status lost_larger_rare(parting *x, uint32_t above, bool *rare, kn_error *err)
{
    kn_cut *c = x->c;
    const room *w = &x->room[0];
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

/* Whether letting out what room 0 has makes a rare combination with `above`. */
static kn_status look_at_old(parting *x, uint32_t above, bool *rare, kn_error *err)
{
    uint32_t *pairs = NULL;
    kn_status status;

    KN_TRY(know_pairs(x, above, &pairs, err));
    *rare = lost_pairs_rare(x, &x->room[0], above, pairs);
    if (!*rare && x->c->m > 2) {
        KN_TRY(lost_larger_rare(x, above, rare, err));
    }
done:
    return status;
}

/* ---- letting out ---- */

/* The supports of pairs that are known, when room 0's record i becomes another. */
static void move_pairs(parting *x, size_t i, uint32_t above, uint32_t node)
{
    const kn_cut *c = x->c;
    const room *w = &x->room[0];
    const uint32_t r = w->record[i], weight = c->weight[r];
    const uint32_t *name = x->name ? x->name + c->starts[r] : NULL;
    const uint32_t names = x->name ? x->name_len[r] : 0;
    uint32_t *pairs = x->pairs[above];
    const bool loses = w->kept[i] == 0;

    for (uint32_t j = 0; j < names; j++) {
        if (name[j] == above || (j > 0 && name[j] == name[j - 1])) {
            continue;
        }
        if (x->pairs[name[j]]) {
            x->pairs[name[j]][node] += weight;
            x->pairs[name[j]][above] -= loses ? weight : 0;
        }
        if (pairs) {
            pairs[name[j]] -= loses ? weight : 0;
        }
    }
    if (pairs) {
        pairs[node] += loses ? 0 : weight;
        pairs[above] -= c->bags && w->kept[i] < 2 && w->kept[i] + w->moved[i] > 1 ? weight : 0;
    }
    x->support[above] -= loses ? weight : 0;
}

/* Forget that the records of room 0 that lose `above` hold it. */
static void lose_holders(kn_cut *c, const room *w, uint32_t above)
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

static void accept(parting *x, uint32_t above, uint32_t node, double moved)
{
    kn_cut *c = x->c;
    const room *w = &x->room[0];

    for (size_t i = 0; i < w->len; i++) {
        move_pairs(x, i, above, node);
        if (x->name) {
            rename_record(x, w->record[i], above, node, w->moved[i], w->kept[i]);
        }
    }
    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        c->to[i] = c->to[i] == above ? node : c->to[i];
    }
    memcpy(c->holders[node], w->record, w->len * sizeof *w->record);
    c->holders_len[node] = (uint32_t)w->len;
    lose_holders(c, w, above);
    c->in[node] = 1;
    c->loss -= moved * (ncp_of(c, above) - ncp_of(c, node));
}

static double occurrences(const kn_cut *c, uint32_t above, uint32_t node)
{
    double sum = 0;

    for (uint32_t i = c->low[node]; i < c->high[node]; i++) {
        sum += c->to[i] == above ? (double)c->times[i] : 0;
    }
    return sum;
}

/* Let `node` keep its own name, which what is left of it has from `above` now, if nothing becomes
 * rare. */
static kn_status let_out(parting *x, uint32_t above, uint32_t node, bool *done, kn_error *err)
{
    const double moved = occurrences(x->c, above, node);
    bool rare = true;
    kn_status status = KN_OK;

    if (moved > 0) {
        x->seen[node] = 1;
        status = look_at_new(x, 0, above, node, &rare, err);
        if (status == KN_OK && !rare) {
            status = look_at_old(x, above, &rare, err);
        }
    }
    *done = status == KN_OK && !rare;
    if (*done) {
        accept(x, above, node, moved);
    }
    return status;
}

/* ---- candidates ---- */

static int by_gain(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    return x->gain > y->gain   ? -1
           : x->gain < y->gain ? 1
           : x->node > y->node ? -1
                               : x->node < y->node;
}

/* Add what may be let out of `above`, and find its holders. */
static kn_status list_below(parting *x, uint32_t above, kn_error *err)
{
    kn_cut *c = x->c;
    size_t len = 0;
    kn_status status = KN_OK;

    x->queue[len++] = above;
    for (size_t next = 0; next < len && status == KN_OK; next++) {
        const uint32_t at = x->queue[next];
        status = kn__cut_find_holders(c, at, err);
        for (uint32_t i = c->kids_at[at]; i < c->kids_at[at + 1] && status == KN_OK; i++) {
            const uint32_t kid = c->kids[i];
            const double gain = occurrences(c, above, kid) * (ncp_of(c, above) - ncp_of(c, kid));
            if (gain > 0 && !x->seen[kid]) {
                x->list[x->len++] = (candidate){gain, kid, above, false};
            }
            x->queue[len++] = kid;
        }
    }
    return status;
}

static void refuse_some(void *user, unsigned worker, size_t begin, size_t end)
{
    parting *x = user;
    room *w = &x->room[worker];

    for (size_t i = begin; i < end && w->status == KN_OK; i++) {
        candidate *y = &x->list[i];
        w->status = look_at_new(x, worker, y->above, y->node, &y->refused, &w->error);
    }
}

/* Most candidates are refused by what the records are now, and stay so whatever comes before them:
 * that can be found out by all threads. */
static kn_status refuse_most(parting *x, const kn_run *run, kn_error *err)
{
    kn_status status;

    if (x->c->threads < 2 || x->c->m == 1) { /* with one item a look is short */
        return KN_OK;
    }
    status = kn__parallel_steps(run, "names", x->c->threads, x->len, GRAIN, refuse_some, x, err);
    for (unsigned i = 0; i < x->c->threads && status == KN_OK; i++) {
        status = x->room[i].status;
        if (status != KN_OK && err) {
            *err = x->room[i].error;
        }
    }
    for (size_t i = 0; i < x->len && status == KN_OK; i++) {
        x->seen[x->list[i].node] = x->list[i].refused;
    }
    return status;
}

/* One round: `todo` are names whose items may be let out; replaced by the new ones. */
static kn_status part(parting *x, uint32_t *todo, size_t *todo_len, const kn_run *run,
                      kn_error *err)
{
    kn_status status = KN_OK;

    x->len = 0;
    for (size_t i = 0; i < *todo_len && status == KN_OK; i++) {
        status = kn__run_step(run, "names", -1, err);
        if (status == KN_OK) {
            status = list_below(x, todo[i], err);
        }
    }
    if (status == KN_OK && x->len > 1) {
        qsort(x->list, x->len, sizeof *x->list, by_gain);
    }
    if (status == KN_OK) {
        status = refuse_most(x, run, err);
    }
    *todo_len = 0;
    for (size_t i = 0; i < x->len && status == KN_OK; i++) {
        const candidate *y = &x->list[i];
        bool done = false;
        if (!y->refused) {
            status = kn__run_step(run, "names", (double)i / (double)x->len, err);
        }
        if (!y->refused && status == KN_OK) {
            status = let_out(x, y->above, y->node, &done, err);
        }
        if (done) {
            todo[(*todo_len)++] = y->node;
        }
    }
    return status;
}

/* ---- all of it ---- */

static kn_status prepare(parting *x, kn_error *err)
{
    kn_cut *c = x->c;

    x->list = kn__malloc_array(c->nodes, sizeof *x->list);
    x->seen = kn__zalloc_array(c->nodes, sizeof *x->seen);
    x->queue = kn__malloc_array(c->nodes, sizeof *x->queue);
    if (c->m > 1) {
        x->name = kn__malloc_array((size_t)c->starts[c->records], sizeof *x->name);
        x->name_len = kn__malloc_array(c->records, sizeof *x->name_len);
    }
    x->support = kn__zalloc_array(c->nodes, sizeof *x->support);
    x->pairs = kn__zalloc_array(c->nodes, sizeof *x->pairs);
    x->unkept = kn__malloc_array(c->nodes, sizeof *x->unkept);
    x->wanted = kn__zalloc_array(c->nodes, sizeof *x->wanted);
    x->room = kn__zalloc_array(c->threads, sizeof *x->room);
    if (!x->list || !x->seen || !x->queue || (c->m > 1 && (!x->name || !x->name_len)) ||
        !x->support || !x->pairs || !x->unkept || !x->wanted || !x->room) {
        return kn__nomem(err);
    }
    for (unsigned i = 0; i < c->threads; i++) {
        x->room[i].count = kn__zalloc_array(c->nodes, sizeof *x->room[i].count);
        x->room[i].found = kn__malloc_array(c->nodes, sizeof *x->room[i].found);
        if (!x->room[i].count || !x->room[i].found) {
            return kn__nomem(err);
        }
    }
    for (uint32_t r = 0; r < c->records && x->name; r++) {
        name_record(x, r);
    }
    return KN_OK;
}

static void clear(parting *x)
{
    for (unsigned i = 0; x->room && i < x->c->threads; i++) {
        room *w = &x->room[i];
        kn__free(w->count);
        kn__free(w->found);
        kn__free(w->record);
        kn__free(w->moved);
        kn__free(w->kept);
    }
    for (uint32_t node = 0; x->pairs && node < x->c->nodes; node++) {
        kn__free(x->pairs[node]);
    }
    kn__free(x->room);
    kn__free(x->list);
    kn__free(x->seen);
    kn__free(x->queue);
    kn__free(x->name);
    kn__free(x->name_len);
    kn__free(x->support);
    kn__free(x->pairs);
    kn__free(x->unkept);
    kn__free(x->wanted);
}

kn_status kn__cut_part(kn_cut *c, const kn_run *run, kn_error *err)
{
    parting x = {.c = c};
    uint32_t *todo = kn__malloc_array(c->nodes, sizeof *todo);
    size_t len = 0;
    kn_status status;

    KN_TRY(todo ? prepare(&x, err) : kn__nomem(err));
    for (uint32_t node = 0; node < c->nodes; node++) {
        if (c->in[node]) {
            todo[len++] = node;
        }
    }
    for (size_t i = 0; i < len; i++) {
        if (!c->holders[todo[i]] && c->kids_at[todo[i]] < c->kids_at[todo[i] + 1]) {
            KN_TRY(kn__cut_hold_cut(c, err));
        }
    }
done:
    c->parted = true;
    while (len > 0 && status == KN_OK) {
        status = part(&x, todo, &len, run, err);
    }
    kn__free(todo);
    clear(&x);
    return status;
}
