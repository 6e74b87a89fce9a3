/* counted.c - the splits that rare combinations of records elsewhere allow.
 *
 * First come single nodes. Then, for combinations of two and more, the hierarchy is gone down level
 * by level: the children of all splits that are possible so far, and of those that are tried, are
 * asked for together. A rare combination whose parents are all above one of them forbids to split
 * that one; others are conflicts. */
#include "methods/sets/counted.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

/* ---- rare combinations ---- */

void kn__rare_names_clear(kn_rare_names *x)
{
    KN_FREE(x->end, x->node, x->support);
    *x = (kn_rare_names){0};
}

static kn_status add(kn_rare_names *to, const uint32_t *names, size_t count, uint64_t support,
                     kn_error *err)
{
    const size_t begin = to->count ? to->end[to->count - 1] : 0;

    KN_PASS(kn__grow(&to->end, &to->end_cap, to->count + 1, sizeof *to->end, err));
    KN_PASS(kn__grow(&to->support, &to->support_cap, to->count + 1, sizeof *to->support, err));
    KN_PASS(kn__grow(&to->node, &to->node_cap, begin + count, sizeof *to->node, err));
    memcpy(to->node + begin, names, count * sizeof *names);
    to->support[to->count] = support;
    to->end[to->count++] = begin + count;
    return KN_OK;
}

kn_status kn_rare_names_add(kn_rare_names *to, const uint32_t *names, size_t count,
                            uint64_t support, kn_error *err)
{
    KN_NEED(err, to, names);

    bool fine = count >= 1 && count <= KN_MOST_M && support > 0;

    for (size_t i = 0; fine && i < count; i++) {
        fine = names[i] < to->nodes;
        for (size_t j = 0; j < i; j++) {
            fine = fine && names[j] != names[i];
        }
    }
    return fine ? add(to, names, count, support, err)
                : kn__fail(err, KN_EUSAGE,
                           "kn_rare_names_add: these are no names of one combination");
}

/* ---- questions ---- */

/* The node of value `code` itself; KN_NO_NODE: it is no item. */
static uint32_t leaf_of(const kn_cut *c, uint32_t code)
{
    if (c->place_of[code] == KN_NO_CODE) {
        return KN_NO_NODE;
    }
    return c->domain->start[code] == c->root ? c->apart : code;
}

kn_status kn__counted_ask(const kn_cut *c, kn_may_become_fn may, const void *user, size_t m,
                          kn_rare_names *out, kn_error *err)
{
    const kn_cut_counts *x = c->counts;
    const uint32_t values = c->domain->values;
    uint32_t *begin = kn__malloc_array((size_t)values + 1, sizeof *begin), *name = NULL;
    size_t len = 0, cap = 0;
    kn_status status;

    *out = (kn_rare_names){.nodes = c->nodes};
    KN_TRY(begin ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        uint32_t node = leaf_of(c, code);
        begin[code] = (uint32_t)len;
        while (node != KN_NO_NODE) {
            if (may(user, c, c->place_of[code], node)) {
                KN_TRY(kn__grow(&name, &cap, len + 1, sizeof *name, err));
                name[len++] = node;
            }
            node = node == c->root ? KN_NO_NODE : c->parent[node];
        }
    }
    begin[values] = (uint32_t)len;
    const kn_naming naming = {.ds = x->ds,
                              .column = x->column,
                              .values = values,
                              .begin = begin,
                              .name = name,
                              .k = c->k,
                              .m = m};
    KN_TRY(x->ask(x->user, &naming, out, err));
done:
    KN_FREE(begin, name);
    return status;
}

static bool any(const void *user, const kn_cut *c, uint32_t place, uint32_t node)
{
    (void)user;
    (void)c;
    (void)place;
    (void)node;
    return true;
}

/* ---- starting ---- */

void kn__counted_free(kn_cut *c)
{
    kn_cut_counts *x = c->counts;

    if (!x) {
        return;
    }
    KN_FREE(x->rare, x->allowed);
    for (size_t i = 0; i <= KN_MOST_M; i++) {
        kn__rare_names_clear(&x->conflict[i]);
    }
    kn__free(x);
    c->counts = NULL;
}

kn_status kn__counted_start(kn_cut *c, const kn_items_task *task, kn_error *err)
{
    kn_cut_counts *x;

    for (size_t i = 0; i < task->baskets->records; i++) {
        if (c->bags || task->baskets->starts[i + 1] - task->baskets->starts[i] > 1) {
            return kn__fail(err, KN_EUSAGE,
                            "records that are counted elsewhere are sets, and the table has every "
                            "item in a record of its own");
        }
    }
    x = c->counts = kn__zalloc(sizeof *x);
    KN_PASS(x ? KN_OK : kn__nomem(err));
    x->ask = task->options->rare;
    x->user = task->options->rare_user;
    x->ds = task->ds;
    x->column = (size_t)(task->column - task->ds->column);
    x->rare = kn__zalloc_array(c->nodes, 1);
    x->allowed = kn__zalloc_array(c->nodes, 1);
    return x->rare && x->allowed ? KN_OK : kn__nomem(err);
}

kn_status kn__counted_root(kn_cut *c, uint64_t *support, kn_error *err)
{
    kn_rare_names found;
    kn_status status = kn__counted_ask(c, any, NULL, 1, &found, err);

    *support = c->k;
    for (size_t i = 0; status == KN_OK && i < found.count; i++) {
        size_t size;
        const uint32_t node = *kn__rare_names_at(&found, i, &size);
        c->counts->rare[node] = 1;
        if (node == c->root) {
            *support = found.support[i];
        }
    }
    kn__rare_names_clear(&found);
    return status;
}

/* ---- splits ---- */

/* By node, while one size is looked at. */
typedef struct descent {
    uint8_t *open;    /* may be split, or is tried now */
    uint8_t *refused; /* of those */
    uint32_t *tried;
    size_t tried_len;
} descent;

static bool is_child(const void *user, const kn_cut *c, uint32_t place, uint32_t node)
{
    const descent *d = user;

    (void)place;
    return node != c->root && d->open[c->parent[node]];
}

static bool is_above(const kn_cut *c, uint32_t above, uint32_t node)
{
    while (node != above && node != c->root) {
        node = c->parent[node];
    }
    return node == above;
}

/* The deepest parent of some nodes, if all others are above it; KN_NO_NODE otherwise. */
static uint32_t one_path(const kn_cut *c, const uint32_t *node, size_t size)
{
    uint32_t deepest = c->root;

    for (size_t i = 0; i < size; i++) {
        const uint32_t up = c->parent[node[i]];
        if (is_above(c, deepest, up)) {
            deepest = up;
        } else if (!is_above(c, up, deepest)) {
            return KN_NO_NODE;
        }
    }
    return deepest;
}

/* Whether no node is above another, so that a cut can have them all. */
static bool stand_beside(const kn_cut *c, const uint32_t *node, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < i; j++) {
            if (c->low[node[i]] < c->high[node[j]] && c->low[node[j]] < c->high[node[i]]) {
                return false;
            }
        }
    }
    return true;
}

static bool has_rare_child(const kn_cut *c, uint32_t node)
{
    for (uint32_t i = c->children_at[node]; i < c->children_at[node + 1]; i++) {
        if (c->counts->rare[c->children[i]]) {
            return true;
        }
    }
    return false;
}

/* Try the splits of one level: those that are refused are closed, and the children of others are
 * tried next, if smaller combinations allow it. */
static kn_status try_level(kn_cut *c, descent *d, size_t size, kn_rare_names *found, kn_error *err)
{
    const size_t tried = d->tried_len;
    size_t len, next = 0;

    KN_PASS(kn__counted_ask(c, is_child, d, size, found, err));
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t *node = kn__rare_names_at(found, i, &len);
        const uint32_t deepest = stand_beside(c, node, len) ? one_path(c, node, len) : KN_NO_NODE;
        if (deepest != KN_NO_NODE) {
            d->refused[deepest] = 1;
        }
    }
    for (size_t i = 0; i < tried; i++) {
        d->open[d->tried[i]] = !d->refused[d->tried[i]];
    }
    /* The nodes tried next are no more than those below them; the list has room for all nodes. */
    for (size_t i = 0; i < tried; i++) {
        const uint32_t node = d->tried[i];
        for (uint32_t j = c->children_at[node]; d->open[node] && j < c->children_at[node + 1];
             j++) {
            if (c->counts->allowed[c->children[j]]) {
                d->tried[d->tried_len++] = c->children[j];
            }
        }
    }
    next = d->tried_len - tried;
    memmove(d->tried, d->tried + tried, next * sizeof *d->tried);
    d->tried_len = next;
    for (size_t i = 0; i < next; i++) {
        d->open[d->tried[i]] = 1;
    }
    return KN_OK;
}

/* Keep of the splits that are allowed those that combinations of `size` nodes allow. */
static kn_status find_by_size(kn_cut *c, size_t size, const kn_run *run, kn_error *err)
{
    kn_cut_counts *x = c->counts;
    kn_rare_names *found = &x->conflict[size];
    descent d = {.open = kn__zalloc_array(c->nodes, 1),
                 .refused = kn__zalloc_array(c->nodes, 1),
                 .tried = kn__malloc_array((size_t)c->nodes * 2, sizeof *d.tried)};
    kn_status status;

    KN_TRY(d.open && d.refused && d.tried ? KN_OK : kn__nomem(err));
    if (x->allowed[c->root]) {
        d.tried[d.tried_len++] = c->root;
        d.open[c->root] = 1;
    }
    while (d.tried_len > 0) {
        KN_TRY(kn__run_step(run, "apriori", -1, err));
        kn__rare_names_clear(found);
        KN_TRY(try_level(c, &d, size, found, err));
    }
    memcpy(x->allowed, d.open, c->nodes);
done:
    KN_FREE(d.open, d.refused, d.tried);
    return status;
}

kn_status kn__counted_find(kn_cut *c, const kn_run *run, kn_error *err)
{
    kn_cut_counts *x = c->counts;
    kn_status status = KN_OK;

    for (uint32_t node = 0; node < c->nodes; node++) {
        x->allowed[node] = c->children_at[node] < c->children_at[node + 1] &&
                           !has_rare_child(c, node);
    }
    for (size_t size = 2; size <= c->m && status == KN_OK; size++) {
        status = find_by_size(c, size, run, err);
    }
    return status;
}

void kn__counted_split(kn_cut *c, uint32_t node, bool *done)
{
    *done = c->counts->allowed[node];
    if (*done) {
        kn__cut_put(c, node);
    }
}

/* ---- conflicts ---- */

/* Whether the parents of all nodes are splits, no two of which exclude each other yet. */
static bool is_new(const kn_splits *s, const kn_cut *c, const uint8_t *excludes,
                   const uint32_t *node, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint32_t split = s->of[c->parent[node[i]]];
        if (split == KN_NO_NODE) {
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (excludes[split * s->count + s->of[c->parent[node[j]]]]) {
                return false;
            }
        }
    }
    return stand_beside(c, node, size);
}

static kn_status keep_size(kn_splits *s, const kn_cut *c, size_t size, uint8_t *excludes,
                           kn_error *err)
{
    const kn_rare_names *rare = &c->counts->conflict[size];
    kn_intern found = {0};
    kn_status status = KN_OK;

    for (size_t i = 0; i < rare->count; i++) {
        uint32_t member[KN_MOST_M], number;
        size_t len;
        const uint32_t *node = kn__rare_names_at(rare, i, &len);
        if (len == size && is_new(s, c, excludes, node, len)) {
            KN_TRY(kn__intern_add(&found, member, kn__splits_of_nodes(s, c, node, len, member),
                                  &number, err));
        }
    }
    KN_TRY(kn__splits_keep(s, excludes, &found, err));
done:
    kn__intern_clear(&found);
    return status;
}

kn_status kn__counted_conflicts(kn_splits *s, const kn_cut *c, kn_error *err)
{
    uint8_t *excludes = NULL;
    kn_status status = KN_OK;

    s->complete = true;
    if (c->m < 2 || s->count == 0) {
        return KN_OK;
    }
    if (s->count > KN_MOST_SPLITS) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "the hierarchy has %zu groups that could be split, more than the %zu whose "
                        "conflicts can be counted elsewhere: give it fewer groups",
                        s->count, KN_MOST_SPLITS);
    }
    excludes = kn__zalloc_array(s->count * s->count, sizeof *excludes);
    KN_TRY(excludes ? KN_OK : kn__nomem(err));
    for (size_t size = 2; size <= c->m; size++) {
        KN_TRY(keep_size(s, c, size, excludes, err));
    }
done:
    kn__free(excludes);
    return status;
}
