/* cluster_items_tree.c - T along a hierarchy: from one group for everything down, or where that
 * group is not allowed from single items up and then down.
 *
 * Only nodes with two different items of the cluster below two of their children matter: a node
 * with fewer is published as what is below it, which the same records hold. So the tree has less
 * than twice as many nodes as the cluster has items. A node whose children cannot all take its
 * place may still lose some of them: what is left goes on under its name (as kn__cut_split_partly
 * has it).
 *
 * What is refused stays refused when the groups get finer, so every node is tried once in either
 * way, those that save most NCP first. With sensitive items that need not be so; then it only
 * means that some splits are not found. */
#include "base/error.h"
#include "base/heap.h"
#include "base/sort.h"
#include "methods/sets/apriori.h"
#include "methods/mixed/cluster_items_search.h"

#include <math.h>

#define MOST_LOOKS 1e7 /* see kn__apriori_search */

typedef struct trial {
    double gain;
    uint32_t node;
    bool part; /* the node gets a name of its own, and the rest of its group keeps the name; else
                  the node is replaced by its children */
} trial;

/* Nodes are numbered: items first, as their slots. */
typedef struct tree {
    kn__part *p;
    const kn_domain *d;
    uint32_t nodes, root, apart; /* apart: items that must be published as the root; or none */
    uint32_t *name;              /* by node: that of the domain */
    uint32_t *low, *high;        /* by node: its items */
    uint32_t *child, *next,
        *up;         /* by node: its first child; the next child of its parent; its parent */
    uint32_t *times; /* by node: occurrences below it */
    uint32_t *in;   /* by node: the node that all its items are published as; KN_NO_NODE: several */
    uint32_t *slot; /* by node: the slot of the items that are published as it */
    trial *trials;  /* a heap */
    size_t trials_len;
    bool parts;      /* partial splits are tried, too */
    uint32_t *fresh; /* slots that are tried */
} tree;

static double cost(const tree *x, uint32_t node)
{
    return kn__domain_ncp(x->d, x->name[node]) * x->times[node];
}

/* ---- the tree ---- */

static kn_status allocate(tree *x, kn_error *err)
{
    kn__part *p = x->p;
    const size_t most = 2 * (size_t)p->items + 2;

    x->name = kn__arena_take(&p->arena, most, sizeof *x->name);
    x->low = kn__arena_take(&p->arena, most, sizeof *x->low);
    x->high = kn__arena_take(&p->arena, most, sizeof *x->high);
    x->child = kn__arena_take(&p->arena, most, sizeof *x->child);
    x->next = kn__arena_take(&p->arena, most, sizeof *x->next);
    x->up = kn__arena_take(&p->arena, most, sizeof *x->up);
    x->times = kn__arena_take(&p->arena, most, sizeof *x->times);
    x->slot = kn__arena_take(&p->arena, most, sizeof *x->slot);
    x->fresh = kn__arena_take(&p->arena, most, sizeof *x->fresh);
    x->in = kn__arena_take(&p->arena, most, sizeof *x->in);
    x->trials = kn__arena_take(&p->arena, 2 * most, sizeof *x->trials);
    return kn__arena_check(&p->arena, err);
}

static uint32_t add_node(tree *x, uint32_t name, uint32_t item)
{
    const uint32_t node = x->nodes++;

    x->name[node] = name;
    x->low[node] = item;
    x->high[node] = item;
    x->child[node] = KN_NO_NODE;
    x->next[node] = KN_NO_NODE;
    x->up[node] = KN_NO_NODE;
    x->times[node] = 0;
    x->slot[node] = node;
    return node;
}

static void add_child(tree *x, uint32_t node, uint32_t child)
{
    kn__part_add(x->p, node, child, x->child[node] == KN_NO_NODE);
    x->next[child] = x->child[node];
    x->child[node] = child;
    x->up[child] = node;
    x->times[node] += x->times[child];
    x->low[node] = x->low[child] < x->low[node] ? x->low[child] : x->low[node];
    x->high[node] = x->high[child] > x->high[node] ? x->high[child] : x->high[node];
}

/* Build the tree of the cluster's items from their lowest common ancestors. The items come in the
 * order of the hierarchy; the stack has the path from the root to the last one, and a node is
 * complete when an item comes that is not below it. */
static void build(tree *x, uint32_t *stack)
{
    kn__part *p = x->p;
    const uint32_t root = kn__domain_root(x->d);
    size_t len = 0;

    for (uint32_t i = 0; i < p->items; i++) {
        (void)add_node(x, p->code[i], i);
        x->high[i] = i + 1;
        x->times[i] = p->times[i];
    }
    x->apart = KN_NO_NODE;
    for (uint32_t i = 0; i < p->items; i++) {
        uint32_t meet;
        if (x->d->start[p->code[i]] == root) {
            x->apart = x->apart == KN_NO_NODE ? add_node(x, root, i) : x->apart;
            add_child(x, x->apart, i);
            continue;
        }
        if (len == 0) {
            stack[len++] = i;
            continue;
        }
        meet = kn__domain_lca(x->d, p->code[i], x->name[stack[len - 1]]);
        while (len > 1 && x->d->depth[x->name[stack[len - 2]]] >= x->d->depth[meet]) {
            add_child(x, stack[len - 2], stack[len - 1]);
            len--;
        }
        if (x->name[stack[len - 1]] != meet) {
            const uint32_t node = add_node(x, meet, x->low[stack[len - 1]]);
            add_child(x, node, stack[len - 1]);
            stack[len - 1] = node;
        }
        stack[len++] = i;
    }
    for (; len > 1; len--) {
        add_child(x, stack[len - 2], stack[len - 1]);
    }
    x->root = len ? stack[0] : x->apart;
    if (len && x->apart != KN_NO_NODE) {
        if (x->name[x->root] != root) {
            const uint32_t top = add_node(x, root, 0);
            add_child(x, top, x->root);
            x->root = top;
        }
        add_child(x, x->root, x->apart);
    }
}

/* Set `in` of the inner nodes from `at` down. */
static void find_shared(tree *x, uint32_t at)
{
    const uint32_t first = x->child[at];

    for (uint32_t i = first; i != KN_NO_NODE; i = x->next[i]) {
        find_shared(x, i);
        x->in[at] = i == first || x->in[at] == x->in[i] ? x->in[i] : KN_NO_NODE;
    }
}

/* ---- from single items up ---- */

static bool is_below(const tree *x, uint32_t node, uint32_t above)
{
    while (node != above && node != KN_NO_NODE) {
        node = x->up[node];
    }
    return node == above;
}

/* What it costs to publish `node` instead of all that is below it. */
static double price_of(const tree *x, uint32_t node)
{
    double price = cost(x, node);

    for (size_t i = 0; i < x->p->live_len; i++) {
        price -= is_below(x, x->p->live[i], node) ? cost(x, x->p->live[i]) : 0;
    }
    return price;
}

/* Publish `node` instead of all that is below it. */
static void raise_to(tree *x, uint32_t node)
{
    kn__part *p = x->p;
    size_t kept = 0;

    for (size_t i = 0; i < p->live_len; i++) {
        if (!is_below(x, p->live[i], node)) {
            p->live[kept++] = p->live[i];
        }
    }
    p->live[kept++] = node;
    p->live_len = kept;
}

/* Start with single items. As long as a combination is not allowed, replace one of its members by
 * its parent, the one that costs least NCP. KN_EINFEASIBLE if only the root is left. */
static kn_status generalise_until_allowed(tree *x, kn_error *err)
{
    kn__part *p = x->p;
    kn_status status = KN_OK;

    p->live_len = 0;
    for (uint32_t i = 0; i < p->items; i++) {
        if (x->up[i] != x->apart || x->apart == KN_NO_NODE) {
            p->live[p->live_len++] = i;
        }
    }
    if (x->apart != KN_NO_NODE) {
        p->live[p->live_len++] = x->apart;
    }
    while (status == KN_OK &&
           !(kn__part_holds(p, 0, p->live_len, 1) && kn__part_holds(p, 0, p->live_len, p->t->m))) {
        uint32_t best = KN_NO_NODE;
        double least = INFINITY;
        for (size_t i = 0; i < p->witness.len; i++) {
            const uint32_t above = x->up[p->witness.slot[i]];
            const double price = above != KN_NO_NODE ? price_of(x, above) : INFINITY;
            if (price < least) {
                least = price;
                best = above;
            }
        }
        if (best == KN_NO_NODE) {
            return KN_EINFEASIBLE;
        }
        raise_to(x, best);
        status = kn__part_step(p, err);
    }
    for (size_t i = 0; i < p->live_len; i++) {
        const uint32_t node = p->live[i];
        for (uint32_t item = 0; item < p->items; item++) {
            x->in[item] = is_below(x, item, node) ? node : x->in[item];
        }
    }
    find_shared(x, x->root);
    return status;
}

/* ---- trials ---- */

/* The trial of the greater gain comes first, of the lesser node among equals; before partial splits
 * are tried, whole ones come first. */
static bool comes_first(const void *user, const void *a, const void *b)
{
    const trial *one = a, *two = b;

    if (one->part != two->part && !((const tree *)user)->parts) {
        return two->part;
    }
    if (one->gain != two->gain) {
        return one->gain > two->gain;
    }
    return one->node != two->node ? one->node < two->node : one->part < two->part;
}

static void push(tree *x, uint32_t node, bool part, double gain)
{
    x->trials[x->trials_len] = (trial){gain, node, part};
    kn__heap_up(x->trials, sizeof *x->trials, x->trials_len++, comes_first, x);
}

static void push_split(tree *x, uint32_t node)
{
    double gain = cost(x, node);

    if (x->child[node] == KN_NO_NODE || node == x->apart) {
        return;
    }
    for (uint32_t i = x->child[node]; i != KN_NO_NODE; i = x->next[i]) {
        gain -= cost(x, i);
    }
    push(x, node, false, gain);
}

static void push_parts(tree *x, uint32_t node)
{
    for (uint32_t i = x->child[node]; i != KN_NO_NODE; i = x->next[i]) {
        const uint32_t in = x->in[x->low[i]];
        if (i != x->apart) {
            push(x, i, true, kn__domain_ncp(x->d, x->name[in]) * x->times[i] - cost(x, i));
        }
    }
}

/* Take the next trial out; node KN_NO_NODE: none is left. */
static trial pop(tree *x)
{
    trial found = {.node = KN_NO_NODE};

    if (!x->parts && (x->trials_len == 0 || x->trials[0].part)) {
        x->parts = true;
        kn__heap_make(x->trials, x->trials_len, sizeof *x->trials, comes_first, x);
    }
    if (x->trials_len > 0) {
        found = x->trials[0];
        kn__heap_pop(x->trials, &x->trials_len, sizeof *x->trials, comes_first, x);
    }
    return found;
}

static void publish_as(tree *x, uint32_t node)
{
    const uint32_t was = x->in[x->low[node]];

    for (uint32_t i = x->low[node]; i < x->high[node]; i++) {
        x->in[i] = x->in[i] == was ? node : x->in[i];
    }
    find_shared(x, node);
    for (uint32_t above = x->up[node]; above != KN_NO_NODE; above = x->up[above]) {
        x->in[above] = KN_NO_NODE;
    }
}

/* Publish the children of `node` in its place, if that is allowed. */
static bool split(tree *x, uint32_t node)
{
    size_t count = 0;

    for (uint32_t i = x->child[node]; i != KN_NO_NODE; i = x->next[i]) {
        x->fresh[count++] = x->slot[i];
    }
    if (!kn__part_replace(x->p, &x->slot[node], 1, x->fresh, count)) {
        return false;
    }
    for (uint32_t i = x->child[node]; i != KN_NO_NODE; i = x->next[i]) {
        publish_as(x, i);
    }
    return true;
}

/* Add the items below `at` that are published as `whole` and not below `node` to `slot`: a node all
 * of whose items are is added at once. */
static void add_rest(tree *x, uint32_t at, uint32_t whole, uint32_t node, uint32_t slot, bool *any)
{
    const bool has_node = x->low[at] <= x->low[node] && x->high[node] <= x->high[at];

    if (at != node && x->in[at] == whole && !has_node) {
        kn__part_add(x->p, slot, at, !*any);
        *any = true;
    } else if (at != node && (has_node || x->in[at] == KN_NO_NODE)) {
        for (uint32_t i = x->child[at]; i != KN_NO_NODE; i = x->next[i]) {
            add_rest(x, i, whole, node, slot, any);
        }
    }
}

/* Make the bitmaps of the items that are published as `whole` and not below `node` in `slot`; false
 * if there are none. */
static bool collect_rest(tree *x, uint32_t whole, uint32_t node, uint32_t slot)
{
    bool any = false;

    if (x->apart == KN_NO_NODE) {
        add_rest(x, whole, whole, node, slot, &any);
        return any;
    }
    /* Items that are apart may stand between those of a node. */
    for (uint32_t i = x->low[whole]; i < x->high[whole]; i++) {
        if (x->in[i] == whole && !(i >= x->low[node] && i < x->high[node])) {
            kn__part_add(x->p, slot, i, !any);
            any = true;
        }
    }
    return any;
}

/* Give `node` a name of its own, while the rest of its group keeps the name, if that is allowed. */
static bool split_partly(tree *x, uint32_t node)
{
    const uint32_t whole = x->in[x->low[node]], items = x->p->items;
    const uint32_t left = 2 * items + 2 + (whole - items), tried = 3 * items + 5;

    x->fresh[0] = x->slot[node];
    x->fresh[1] = tried;
    if (!collect_rest(x, whole, node, tried)) { /* `node` has all of it: only the name is finer */
        x->slot[node] = x->slot[whole];
    } else if (kn__part_replace(x->p, &x->slot[whole], 1, x->fresh, 2)) {
        kn__part_copy(x->p, left, tried);
        x->p->live[1] = left;
        x->slot[whole] = left;
    } else {
        return false;
    }
    publish_as(x, node);
    return true;
}

static kn_status search(tree *x, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < x->p->live_len; i++) {
        push_split(x, x->p->live[i]);
    }
    while (status == KN_OK) {
        const trial t = pop(x);
        status = kn__part_step(x->p, err);
        if (t.node == KN_NO_NODE) {
            break;
        }
        if (t.part) {
            if (split_partly(x, t.node)) {
                push_split(x, t.node);
            } else {
                push_parts(x, t.node);
            }
        } else if (split(x, t.node)) {
            for (uint32_t i = x->child[t.node]; i != KN_NO_NODE; i = x->next[i]) {
                push_split(x, i);
            }
        } else {
            push_parts(x, t.node);
        }
    }
    return status;
}

/* Where bitmaps would take too much memory: the search of apriori, which needs lists only. Its
 * result has less NCP, but more UL, since UL is lower where a few groups are large. */
static kn_status search_large(kn__part *p, uint32_t *name, kn_error *err)
{
    const size_t occurrences = p->starts[p->records];
    kn_baskets b = {.records = p->records, .items = p->t->all->items, .bags = p->t->all->bags};
    kn_cut *cut = NULL;
    kn_status status;

    b.starts = kn__arena_take(&p->arena, p->records + 1, sizeof *b.starts);
    b.list = kn__arena_take(&p->arena, occurrences, sizeof *b.list);
    if (!b.starts || !b.list) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < occurrences; i++) {
        b.list[i] = p->code[p->list[i]];
    }
    b.starts[0] = 0;
    for (size_t i = 0; i < p->records; i++) {
        b.starts[i + 1] = p->starts[i + 1];
        kn__sort_u32(b.list + p->starts[i], p->starts[i + 1] - p->starts[i]);
    }
    KN_TRY(kn__cut_new(&cut, p->t->domain, &b, p->t->k, p->t->m, 1, err));
    KN_TRY(kn__apriori_search(cut, MOST_LOOKS, p->run, err));
    KN_TRY(kn__cut_split_partly(cut, p->run, err));
    for (uint32_t i = 0; i < p->items; i++) {
        name[i] = kn__cut_node(cut, p->code[i]);
    }
done:
    kn__cut_free(cut);
    return status;
}

static kn_status search_small(kn__part *p, uint32_t *name, kn_error *err)
{
    tree x = {.p = p, .d = p->t->domain};
    kn_status status = allocate(&x, err);

    if (status != KN_OK) {
        return status;
    }
    build(&x, x.fresh);
    for (uint32_t i = 0; i < x.nodes; i++) {
        x.in[i] = x.root;
    }
    p->live[0] = x.root;
    p->live_len = 1;
    if (p->finer) {
        status = generalise_until_allowed(&x, err);
    }
    if (status != KN_OK || p->trial) {
        return status;
    }
    status = search(&x, err);
    for (uint32_t i = 0; i < p->items; i++) {
        name[i] = x.name[x.in[i]];
    }
    return status;
}

kn_status kn__part_tree(kn__part *p, kn_error *err)
{
    const kn_domain *d = p->t->domain;
    uint32_t *name = kn__arena_take(&p->arena, p->items, sizeof *name); /* by item: its node */
    kn_status status;

    p->node = kn__arena_take(&p->arena, p->items, sizeof *p->node);
    status = kn__arena_check(&p->arena, err);
    for (uint32_t i = 0; i < p->items && status == KN_OK; i++) {
        if (d->start[p->code[i]] == KN_NO_NODE) {
            status = kn__fail(err, KN_EUSAGE,
                              "an item that its hierarchy lacks cannot be generalised: leave its "
                              "records out");
        }
    }
    if (status == KN_OK) {
        status = !p->bits ? search_large(p, name, err) : search_small(p, name, err);
    }
    for (uint32_t i = 0; i < p->items && status == KN_OK && !p->trial; i++) {
        /* The items of a group need not have adjacent numbers. */
        uint32_t group = 0;
        while (group < p->groups && p->node[group] != name[i]) {
            group++;
        }
        if (group == p->groups) {
            p->node[p->groups++] = name[i];
            p->size[group] = (uint64_t)d->leaves[name[i]];
            if (p->worth) {
                p->worth[group] = p->t->weight[name[i]] * (double)p->size[group];
            }
        }
        p->of[i] = group;
    }
    return status;
}
