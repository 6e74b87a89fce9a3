/* lra_rare.c - records written down as names, and which of them hold a rare combination.
 *
 * Combinations are counted depth first on the projections of count/projection. Unlike a cut, which
 * one rare combination refuses, here each record that holds one is reverted, so the search goes on;
 * and it looks only below names that an entry with a candidate holds. */
#include "methods/sets/lra_rare.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

void kn__lra_scratch_clear(kn_lra_scratch *w)
{
    kn__node_lists_clear(&w->entries);
    kn__free(w->candidate);
    kn__free(w->count);
    kn__free(w->found);
    kn__free(w->open);
    kn__free(w->wanted);
    kn__free(w->seen);
    kn__free(w->first);
    kn__free(w->held);
    kn__free(w->core);
    kn__free(w->revert);
    kn__free(w->moved);
    kn__free(w->lost);
}

kn_status kn__lra_scratch_init(kn_lra_scratch *w, const kn_cut *c, kn_error *err)
{
    w->count = kn__zalloc_array(c->nodes, sizeof *w->count);
    w->found = kn__malloc_array(c->nodes, sizeof *w->found);
    w->open = kn__zalloc_array(c->nodes, sizeof *w->open);
    w->wanted = kn__zalloc_array(c->nodes, sizeof *w->wanted);
    w->seen = kn__zalloc_array(c->nodes, sizeof *w->seen);
    w->first = kn__malloc_array(c->records, sizeof *w->first);
    w->held = kn__malloc_array(c->records, sizeof *w->held);
    w->core = kn__malloc_array(c->records, sizeof *w->core);
    w->revert = kn__malloc_array(c->records, sizeof *w->revert);
    w->moved = kn__zalloc_array(c->records, sizeof *w->moved);
    return w->count && w->found && w->open && w->wanted && w->seen && w->first && w->held &&
                   w->core && w->revert && w->moved
               ? KN_OK
               : kn__nomem(err);
}

double kn__names_ncp(const kn_cut *c, uint32_t node)
{
    return kn__domain_ncp(c->domain, node == c->apart ? c->root : node);
}

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

kn_status kn__lra_write(const kn_names *n, kn_lra_scratch *w, uint32_t r, uint32_t node,
                        uint32_t name, bool some, uint32_t weight, uint32_t candidate,
                        kn_error *err)
{
    const kn_cut *c = n->c;
    const bool repeats = c->bags && c->m > 2;
    const uint64_t stamp = ++w->stamp;
    uint32_t *list;
    size_t len = 0;
    bool taken = false;
    kn_status status;

    KN_TRY(kn__node_lists_open(&w->entries, (size_t)(c->starts[r + 1] - c->starts[r]), &list, err));
    KN_TRY(kn__grow(&w->candidate, &w->candidate_cap, w->entries.records + 1, sizeof *w->candidate,
                    err));
    for (uint64_t p = c->starts[r]; p < c->starts[r + 1]; p++) {
        const uint32_t is = node != KN_NO_NODE && kn__names_moves(n, node, p) ? node : n->name[p];
        if (is == name && !(taken && c->bags)) {
            taken = true;
        } else if ((!some || w->wanted[is]) && (repeats || w->seen[is] != stamp)) {
            w->seen[is] = stamp;
            list[len++] = is;
        }
    }
    if (c->m > 2) { /* single names are counted in any order */
        kn__sort_u32(list, len);
    }
    w->candidate[w->entries.records] = candidate;
    kn__node_lists_close(&w->entries, len, weight);
done:
    return status;
}

size_t kn__names_times(const kn_names *n, uint32_t r, uint32_t node, uint32_t name)
{
    const kn_cut *c = n->c;
    const uint64_t begin = kn__cut_first(c, r, c->low[name]);
    size_t count = 0;

    for (uint64_t p = begin; p < c->starts[r + 1] && c->place[p] < c->high[name]; p++) {
        count += (node != KN_NO_NODE && kn__names_moves(n, node, p) ? node : n->name[p]) == name;
    }
    return n->c->bags ? count : count > 0;
}

/* ---- rare combinations ---- */

static bool is_rare(const kn_cut *c, uint32_t support)
{
    return support > 0 && support < c->k; /* what does not occur is not rare */
}

/* Revert the candidates of the entries that hold one of the rare names that were counted. */
static void revert(const kn_cut *c, kn_lra_scratch *w, const kn_projection_level *l,
                   const kn_tail *tails, size_t len, bool *any)
{
    const kn_projection_lists *lists = &w->entries.lists;

    for (size_t i = 0; i < len; i++) {
        const uint32_t entry = tails[i].record;
        const uint32_t *at = lists->list + lists->starts[entry] + tails[i].from;
        const uint32_t *end = lists->list + lists->starts[entry + 1];
        while (w->candidate[entry] != KN_NO_RECORD && at < end) {
            if (is_rare(c, l->count[*at++])) {
                w->revert[w->candidate[entry]] = 1;
                *any = true;
                break;
            }
        }
    }
}

/* Choose the names that are not rare and that an entry with a candidate holds. */
static bool choose(const kn_cut *c, kn_lra_scratch *w, kn_projection_level *l, const kn_tail *tails,
                   size_t len)
{
    const kn_projection_lists *lists = &w->entries.lists;

    for (size_t i = 0; i < len; i++) {
        const uint32_t entry = tails[i].record;
        const uint32_t *at = lists->list + lists->starts[entry] + tails[i].from;
        const uint32_t *end = lists->list + lists->starts[entry + 1];
        for (; w->candidate[entry] != KN_NO_RECORD && at < end; at++) {
            if (l->count[*at] >= c->k && l->at[*at] == KN_NOT_CHOSEN &&
                !kn__projection_choose(l, *at)) {
                return false;
            }
        }
    }
    return true;
}

/* Of the entries of `tails`, revert the candidates of those that hold a rare combination of up to
 * `most` more names. */
static kn_status search(const kn_cut *c, kn_lra_scratch *w, size_t most, const kn_tail *tails,
                        size_t len, bool *any, kn_error *err)
{
    kn_projection_level *l = &w->entries.level[most - 1];
    const kn_projection_lists *lists = &w->entries.lists;
    bool fine = kn__projection_ready(l, lists->items), rare = false;
    size_t work = 0;
    kn_status status = KN_OK;

    KN_TRY(fine ? KN_OK : kn__nomem(err));
    (void)kn__projection_count(lists, l, tails, len, &work);
    for (size_t i = 0; i < l->touched_len && !rare; i++) {
        rare = is_rare(c, l->count[l->touched[i]]);
    }
    if (rare) {
        revert(c, w, l, tails, len, any);
    }
    fine = most == 1 || (choose(c, w, l, tails, len) && kn__projection_deal(lists, l, tails, len));
    kn__projection_reset(l);
    KN_TRY(fine ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < l->chosen_len; i++) {
        const kn_extension *e = &l->chosen[i];
        KN_TRY(search(c, w, most - 1, l->dealt + e->begin, e->len, any, err));
    }
done:
    return status;
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
        const uint32_t candidate = w->candidate[x->tails[i].record];
        if (candidate != KN_NO_RECORD) {
            w->revert[candidate] = 1;
            *any = true;
        }
    }
    return KN_OK;
}
