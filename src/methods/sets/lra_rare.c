/* lra_rare.c - records written down as the names of their items, and which candidates hold a rare
 * combination of names.
 *
 * Combinations are counted depth first with count/projection. One rare combination would be enough
 * to refuse a cut; local recoding reverts only the candidates that hold it, so the search goes on
 * until all rare combinations are found. It extends a combination only by names that an entry with
 * a candidate holds, as others cannot revert anything. */
#include "methods/sets/lra_rare.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

void kn__lra_scratch_clear(kn_lra_scratch *w)
{
    kn__node_lists_clear(&w->entries);
    kn__free(w->candidate);
    kn__arena_clear(&w->arena);
    kn__free(w->lost);
}

kn_status kn__lra_scratch_init(kn_lra_scratch *w, const kn_cut *c, kn_error *err)
{
    w->count = kn__arena_zeros(&w->arena, c->nodes, sizeof *w->count);
    w->found = kn__arena_take(&w->arena, c->nodes, sizeof *w->found);
    w->open = kn__arena_zeros(&w->arena, c->nodes, sizeof *w->open);
    w->wanted = kn__arena_zeros(&w->arena, c->nodes, sizeof *w->wanted);
    w->seen = kn__arena_zeros(&w->arena, c->nodes, sizeof *w->seen);
    w->first = kn__arena_take(&w->arena, c->records, sizeof *w->first);
    w->held = kn__arena_take(&w->arena, c->records, sizeof *w->held);
    w->core = kn__arena_take(&w->arena, c->records, sizeof *w->core);
    w->revert = kn__arena_take(&w->arena, c->records, sizeof *w->revert);
    w->moved = kn__arena_zeros(&w->arena, c->records, sizeof *w->moved);
    return kn__arena_check(&w->arena, err);
}

double kn__names_ncp(const kn_cut *c, uint32_t node)
{
    return kn__domain_ncp(c->domain, node == c->apart ? c->root : node);
}

/* Whether `name` is a proper ancestor of `node` that loses more. */
static bool is_above(const kn_cut *c, uint32_t name, uint32_t node)
{
    return name != node && c->low[name] <= c->low[node] && c->high[node] <= c->high[name] &&
           kn__names_ncp(c, name) > kn__names_ncp(c, node);
}

/* ---- records as names ---- */

bool kn__names_moves(const kn_names *n, uint32_t node, uint64_t p)
{
    const kn_cut *c = n->c;

    return c->place[p] >= c->low[node] && c->place[p] < c->high[node] &&
           is_above(c, n->name[p], node);
}

/* The name of occurrence `p` once everything that can moves to `node` (KN_NO_NODE: nothing). */
static uint32_t name_after(const kn_names *n, uint32_t node, uint64_t p)
{
    return node != KN_NO_NODE && kn__names_moves(n, node, p) ? node : n->name[p];
}

kn_status kn__lra_write(const kn_names *n, kn_lra_scratch *w, uint32_t r, uint32_t node,
                        uint32_t name, bool wanted_only, uint32_t weight, uint32_t candidate,
                        kn_error *err)
{
    const kn_cut *c = n->c;
    const bool repeats = c->bags && c->m > 2; /* names that occur several times matter */
    const uint64_t stamp = ++w->stamp;
    uint32_t *list;
    size_t len = 0;
    bool removed = false;

    KN_PASS(
        kn__node_lists_open(&w->entries, (size_t)(c->starts[r + 1] - c->starts[r]), &list, err));
    KN_PASS(kn__grow(&w->candidate, &w->candidate_cap, w->entries.records + 1, sizeof *w->candidate,
                     err));
    for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
        const uint32_t other = name_after(n, node, p);
        if (other == name && !(removed && c->bags)) {
            removed = true;
        } else if ((!wanted_only || w->wanted[other]) && (repeats || w->seen[other] != stamp)) {
            w->seen[other] = stamp;
            list[len++] = other;
        }
    }
    if (c->m > 2) { /* the projection needs one order; single names can be counted in any */
        kn__sort_u32(list, len);
    }
    w->candidate[w->entries.records] = candidate;
    kn__node_lists_close(&w->entries, len, weight);
    return KN_OK;
}

size_t kn__names_times(const kn_names *n, uint32_t r, uint32_t node, uint32_t name)
{
    const kn_cut *c = n->c;
    const uint64_t begin = kn__cut_first(c, r, c->low[name]);
    size_t count = 0;

    for (uint64_t p = begin; p < c->starts[r + 1] && c->place[p] < c->high[name]; p++) {
        count += name_after(n, node, p) == name;
    }
    return n->c->bags ? count : count > 0;
}

/* ---- rare combinations ---- */

static bool is_rare(const kn_cut *c, uint32_t support)
{
    return support > 0 && support < c->k; /* a combination that does not occur is not rare */
}

/* The names of an entry behind the prefix. */
static const uint32_t *tail_names(const kn_lra_scratch *w, const kn_tail *tail,
                                  const uint32_t **end)
{
    const kn_projection_lists *lists = &w->entries.lists;

    *end = lists->list + lists->starts[tail->record + 1];
    return lists->list + lists->starts[tail->record] + tail->from;
}

static void revert_candidate(kn_lra_scratch *w, uint32_t entry, bool *any)
{
    if (w->candidate[entry] != KN_NO_RECORD) {
        w->revert[w->candidate[entry]] = 1;
        *any = true;
    }
}

/* Revert the candidates of the entries that extend the prefix by a rare name. */
static void revert_rare(const kn_cut *c, kn_lra_scratch *w, const kn_projection_level *l,
                        const kn_tail *tails, size_t len, bool *any)
{
    for (size_t i = 0; i < len; i++) {
        const uint32_t *end, *at = tail_names(w, &tails[i], &end);
        while (at < end && !is_rare(c, l->count[*at])) {
            at++;
        }
        if (at < end) {
            revert_candidate(w, tails[i].record, any);
        }
    }
}

/* Choose the names to extend the prefix by: those with support k that an entry with a candidate
 * holds. */
static bool choose(const kn_cut *c, kn_lra_scratch *w, kn_projection_level *l, const kn_tail *tails,
                   size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const uint32_t *end, *at = tail_names(w, &tails[i], &end);
        if (w->candidate[tails[i].record] == KN_NO_RECORD) {
            continue;
        }
        for (; at < end; at++) {
            if (l->count[*at] >= c->k && l->at[*at] == KN_NOT_CHOSEN &&
                !kn__projection_choose(l, *at)) {
                return false;
            }
        }
    }
    return true;
}

/* `tails` are the entries that hold the prefix: revert the candidates of those that hold a rare
 * combination of the prefix and up to `most` more names. */
static kn_status search(const kn_cut *c, kn_lra_scratch *w, size_t most, const kn_tail *tails,
                        size_t len, bool *any, kn_error *err)
{
    kn_projection_level *l = &w->entries.level[most - 1];
    const kn_projection_lists *lists = &w->entries.lists;
    bool fine = kn__projection_ready(l, lists->items), rare = false;
    size_t work = 0;

    KN_PASS(fine ? KN_OK : kn__nomem(err));
    (void)kn__projection_count(lists, l, tails, len, &work);
    for (size_t i = 0; i < l->touched_len && !rare; i++) {
        rare = is_rare(c, l->count[l->touched[i]]);
    }
    if (rare) {
        revert_rare(c, w, l, tails, len, any);
    }
    fine = most == 1 || (choose(c, w, l, tails, len) && kn__projection_deal(lists, l, tails, len));
    kn__projection_reset(l);
    KN_PASS(fine ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < l->chosen_len; i++) {
        const kn_extension *e = &l->chosen[i];
        KN_PASS(search(c, w, most - 1, l->dealt + e->begin, e->len, any, err));
    }
    return KN_OK;
}

kn_status kn__lra_find_rare(const kn_cut *c, kn_lra_scratch *w, bool *any, kn_error *err)
{
    const kn_node_lists *x = &w->entries;
    uint64_t support = 0;

    for (size_t i = 0; i < x->tails_len; i++) {
        support += x->weight[x->tails[i].record];
    }
    if (support >= c->k) {
        return c->m > 1 ? search(c, w, c->m - 1, x->tails, x->tails_len, any, err) : KN_OK;
    }
    for (size_t i = 0; support > 0 && i < x->tails_len; i++) {
        revert_candidate(w, x->tails[i].record, any);
    }
    return KN_OK;
}
