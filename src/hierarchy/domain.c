/* domain.c - bind a column to its hierarchy: one tree over the codes of the column. */
#include "hierarchy/domain.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/validate.h"
#include "hierarchy/hierarchy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void kn__domain_free(kn_domain *d)
{
    if (d) {
        kn__arena_clear(&d->arena);
        kn__dict_free(d->labels);
        kn__free(d);
    }
}

/* How nodes of the hierarchy become nodes of the domain: inner nodes and ranges become inner nodes;
 * other leaves have no node, as the codes of the column are the leaves. */
typedef struct shape {
    const uint32_t *leaf;  /* by code: the hierarchy's leaf */
    const uint8_t *exempt; /* by code: it need not be covered; NULL: all must */
    uint32_t *inner;       /* by leaf that is a range: its node. NULL without ranges */
    uint32_t first;        /* the node of the hierarchy's first inner node */
    uint32_t inners;       /* inner nodes of the domain */
} shape;

static uint32_t to_node(const shape *s, const kn_hierarchy *h, uint32_t node)
{
    assert(s->inner || node >= h->leaves);
    return node < h->leaves ? s->inner[node] : s->first + (node - h->leaves);
}

/* The node above a value that `leaf` covers: the leaf itself if it is a range. */
static uint32_t above_leaf(const shape *s, const kn_hierarchy *h, uint32_t leaf)
{
    return to_node(s, h, kn__hierarchy_is_range(h, leaf) ? leaf : h->parent[leaf]);
}

static kn_status make_shape(shape *s, const kn_domain *d, const kn_hierarchy *h, kn_error *err)
{
    uint32_t ranges = 0;

    if (h && h->low) {
        s->inner = kn__malloc_array(h->leaves, sizeof *s->inner);
        KN_PASS(s->inner ? KN_OK : kn__nomem(err));
        for (uint32_t i = 0; i < h->leaves; i++) {
            s->inner[i] = kn__hierarchy_is_range(h, i) ? d->values + ranges++ : KN_NO_NODE;
        }
    }
    s->first = d->values + ranges;
    s->inners = h ? ranges + (h->nodes - h->leaves) : 1;
    return KN_OK;
}

static kn_status allocate(kn_domain *d, kn_error *err)
{
    const size_t values = d->values, inner = d->nodes - d->values;

    d->parent = kn__arena_take(&d->arena, d->nodes, sizeof *d->parent);
    d->depth = kn__arena_take(&d->arena, d->nodes, sizeof *d->depth);
    d->leaves = kn__arena_zeros(&d->arena, d->nodes, sizeof *d->leaves);
    d->loss = kn__arena_take(&d->arena, d->nodes, sizeof *d->loss);
    d->at_level = kn__arena_take(&d->arena, values, d->levels * sizeof *d->at_level);
    d->start = kn__arena_take(&d->arena, values, sizeof *d->start);
    d->order = kn__arena_take(&d->arena, values, sizeof *d->order);
    d->label = kn__arena_take(&d->arena, inner, sizeof *d->label);
    d->label_id = kn__arena_take(&d->arena, inner, sizeof *d->label_id);
    d->top = kn__arena_take(&d->arena, inner, sizeof *d->top);
    d->several = kn__arena_zeros(&d->arena, inner, sizeof *d->several);
    return kn__arena_check(&d->arena, err);
}

static bool must_be_covered(const kn_domain *d, const shape *s, uint32_t code)
{
    return code != d->column->missing && !(s->exempt && s->exempt[code]);
}

/* Set parents, labels and depths. */
static void link_nodes(kn_domain *d, const shape *s, kn_uncovered uncovered)
{
    const kn_hierarchy *h = d->hierarchy;
    const uint32_t root = kn__domain_root(d);

    for (uint32_t code = 0; code < d->values; code++) {
        const uint32_t leaf = h ? s->leaf[code] : KN_NO_CODE;

        d->start[code] = code;
        if (leaf == KN_NO_CODE) {
            d->parent[code] = root;
            if (h && must_be_covered(d, s, code)) {
                d->start[code] = uncovered == KN_UNCOVERED_ROOT ? root : KN_NO_NODE;
            }
        } else {
            d->parent[code] = above_leaf(s, h, leaf);
        }
    }
    if (!h) {
        d->label[0] = "*";
    }
    for (uint32_t i = 0; h && i < h->nodes; i++) {
        if (i >= h->leaves || kn__hierarchy_is_range(h, i)) {
            const uint32_t node = to_node(s, h, i);
            d->parent[node] = to_node(s, h, h->parent[i]);
            d->label[node - d->values] = kn__hierarchy_label(h, i);
        }
    }
    d->parent[root] = root;
    d->depth[root] = 0;
    for (uint32_t node = root; node-- > 0;) {
        d->depth[node] = d->depth[d->parent[node]] + 1;
    }
}

/* Count the leaves below each node, and derive the loss. */
static kn_status count_leaves(kn_domain *d, const shape *s, kn_error *err)
{
    const kn_hierarchy *h = d->hierarchy;
    const uint32_t root = kn__domain_root(d);
    uint8_t *occurs = kn__zalloc_array(h ? h->leaves : 1, 1);

    KN_PASS(occurs ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < d->values; code++) {
        d->leaves[code] = 1;
        if (h && s->leaf[code] != KN_NO_CODE) {
            occurs[s->leaf[code]] = 1;
        }
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        if (!occurs[i]) {
            d->leaves[above_leaf(s, h, i)] += 1;
        }
    }
    for (uint32_t node = 0; node < root; node++) {
        d->leaves[d->parent[node]] += d->leaves[node];
    }
    d->total = d->leaves[root];
    for (uint32_t node = 0; node < root; node++) {
        d->loss[node] = d->total > 1 ? (d->leaves[node] - 1) / (d->total - 1) : 0;
    }
    d->loss[root] = 1;
    kn__free(occurs);
    return KN_OK;
}

static void fill_levels(kn_domain *d, const shape *s)
{
    const uint32_t root = kn__domain_root(d);

    for (uint32_t code = 0; code < d->values; code++) {
        const bool below_root = !d->hierarchy || s->leaf[code] == KN_NO_CODE;
        uint32_t node = d->start[code] == code ? code : root;

        for (uint32_t level = 0; level < d->levels; level++) {
            if (level > 0) {
                node = below_root && level + 1 < d->levels ? node : d->parent[node];
            }
            d->at_level[(size_t)level * d->values + code] = node;
        }
    }
}

/* Order the codes by a depth-first traversal that visits children by their least code, so that the
 * values of a group stay together and otherwise keep their order. Appending every node to its
 * parent's list when its first code comes sorts the children. */
static kn_status order_values(kn_domain *d, kn_error *err)
{
    const uint32_t root = kn__domain_root(d);
    uint32_t *first = kn__malloc_array(d->nodes, sizeof *first);
    uint32_t *last = kn__malloc_array(d->nodes, sizeof *last);
    uint32_t *next = kn__malloc_array(d->nodes, sizeof *next);
    uint32_t place = 0, node = root;
    kn_status status;

    KN_TRY(first && last && next ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < d->nodes; i++) {
        first[i] = last[i] = next[i] = KN_NO_NODE;
    }
    for (uint32_t code = 0; code < d->values; code++) {
        for (uint32_t at = code; at != root; at = d->parent[at]) {
            const uint32_t parent = d->parent[at];
            const bool known = first[parent] != KN_NO_NODE;

            if (known) {
                next[last[parent]] = at;
            } else {
                first[parent] = at;
            }
            last[parent] = at;
            if (known) {
                break;
            }
        }
    }
    while (d->values > 0) {
        if (node < d->values) {
            d->order[node] = place++;
        } else if (first[node] != KN_NO_NODE) {
            node = first[node];
            continue;
        }
        while (node != root && next[node] == KN_NO_NODE) {
            node = d->parent[node];
        }
        if (node == root) {
            break;
        }
        node = next[node];
    }
done:
    KN_FREE(first, last, next);
    return status;
}

static bool is_above(const kn_domain *d, uint32_t above, uint32_t node)
{
    while (d->depth[node] > d->depth[above]) {
        node = d->parent[node];
    }
    return node == above;
}

static kn_status index_labels(kn_domain *d, kn_error *err)
{
    const uint32_t inner = d->nodes - d->values;

    KN_PASS(kn__dict_new(&d->labels, err));
    for (uint32_t i = 0; i < inner; i++) {
        const uint32_t known = d->labels->len, node = d->values + i;
        uint32_t id = 0;

        KN_PASS(kn__dict_add(d->labels, d->label[i], strlen(d->label[i]), &id, err));
        d->label_id[i] = id;
        if (id == known || d->leaves[node] > d->leaves[d->top[id]] ||
            (d->leaves[node] == d->leaves[d->top[id]] && d->depth[node] < d->depth[d->top[id]])) {
            d->top[id] = node;
        }
    }
    for (uint32_t i = 0; i < inner; i++) {
        const uint32_t node = d->values + i, top = d->top[d->label_id[i]];

        if (d->leaves[node] != d->leaves[top] || !is_above(d, top, node)) {
            d->several[d->label_id[i]] = 1;
        }
    }
    return KN_OK;
}

static void find_bounds(kn_domain *d)
{
    const kn_column *c = d->column;
    bool any = false;

    for (uint32_t code = 0; c->numbers && code < d->values; code++) {
        if (code == c->missing || isnan(c->numbers[code])) {
            continue;
        }
        if (!any || c->numbers[code] < d->low) {
            d->low = c->numbers[code];
        }
        if (!any || c->numbers[code] > d->high) {
            d->high = c->numbers[code];
        }
        any = true;
    }
}

static kn_status check_column(const kn_column *column, const kn_hierarchy *hierarchy, kn_error *err)
{
    const bool makes_sets = !hierarchy && !kn__type_is_ordered(column->type);

    if (!column->dict) {
        return kn__fail(err, KN_EUSAGE,
                        "the values of column \"%s\" were not kept when it was read", column->name);
    }
    if (kn__dict_find(column->dict, "*", 1) != KN_NO_CODE) {
        return kn__fail(err, KN_EINPUT,
                        "column \"%s\" holds the value \"*\", which could not be told from a "
                        "suppressed one; rename it in the input",
                        column->name);
    }
    for (uint32_t code = 0; makes_sets && code < kn__column_values(column); code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        if (len > 1 && text[0] == '{' && text[len - 1] == '}' && memchr(text, ',', len)) {
            return kn__fail(
                err, KN_EINPUT,
                "column \"%s\" holds values such as {a,b}, which could not be told from "
                "published sets; rename them in the input, or give it a hierarchy",
                column->name);
        }
    }
    if (kn__column_values(column) > UINT32_MAX / 2) {
        return kn__fail(err, KN_EINPUT, "column \"%s\" has too many different values",
                        column->name);
    }
    return KN_OK;
}

/* Refuse the values that the hierarchy lacks, except exempt ones: these get an arbitrary leaf, so
 * that they are not listed. */
static kn_status refuse_uncovered(const kn_domain *d, const shape *s, uint32_t *leaf, kn_error *err)
{
    size_t missed = 0;

    for (uint32_t code = 0; code < d->values; code++) {
        missed += leaf[code] == KN_NO_CODE && must_be_covered(d, s, code);
    }
    if (missed == 0) {
        return KN_OK;
    }
    for (uint32_t code = 0; code < d->values; code++) {
        leaf[code] = must_be_covered(d, s, code) ? leaf[code] : 0;
    }
    return kn__hierarchy_fail_uncovered(d->hierarchy, d->column, leaf, missed, err);
}

kn_status kn__domain_new(kn_domain **out, const kn_column *column, const kn_hierarchy *hierarchy,
                         kn_uncovered uncovered, kn_error *err)
{
    return kn__domain_new_exempt(out, column, hierarchy, uncovered, NULL, err);
}

kn_status kn__domain_new_exempt(kn_domain **out, const kn_column *column,
                                const kn_hierarchy *hierarchy, kn_uncovered uncovered,
                                const uint8_t *exempt, kn_error *err)
{
    kn_domain *d = NULL;
    uint32_t *leaf = NULL;
    shape s = {.exempt = exempt};
    size_t missed = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(check_column(column, hierarchy, err));
    d = kn__zalloc(sizeof *d);
    leaf = kn__malloc_array(kn__column_values(column), sizeof *leaf);
    KN_TRY(d && leaf ? KN_OK : kn__nomem(err));
    d->column = column;
    d->hierarchy = hierarchy;
    d->kind = KN_DOMAIN_SET;
    if (hierarchy) {
        d->kind = KN_DOMAIN_TREE;
    } else if (kn__type_is_ordered(column->type) || column->type == KN_TYPE_NUMBERS) {
        d->kind = KN_DOMAIN_RANGE;
    }
    d->values = kn__column_values(column);
    d->levels = hierarchy ? hierarchy->levels : 2;
    if (hierarchy) {
        KN_TRY(kn__hierarchy_bind(hierarchy, column, leaf, &missed, err));
    }
    if (missed > 0 && uncovered == KN_UNCOVERED_ERROR) {
        KN_TRY(refuse_uncovered(d, &s, leaf, err));
    }
    s.leaf = leaf;
    KN_TRY(make_shape(&s, d, hierarchy, err));
    d->nodes = d->values + s.inners;
    KN_TRY(allocate(d, err));
    link_nodes(d, &s, uncovered);
    find_bounds(d);
    KN_TRY(count_leaves(d, &s, err));
    fill_levels(d, &s);
    KN_TRY(order_values(d, err));
    KN_TRY(index_labels(d, err));
    *out = d;
done:
    KN_FREE(leaf, s.inner);
    if (status != KN_OK) {
        kn__domain_free(d);
    }
    return status;
}

static bool levels_valid(const kn_domain *d, const char **reason)
{
    const uint32_t root = kn__domain_root(d);

    for (uint32_t code = 0; code < d->values; code++) {
        const uint32_t start = d->start[code] == KN_NO_NODE ? root : d->start[code];
        uint32_t below = start;

        if (start != code && start != root) {
            return kn__broken(reason, "a value starts neither at itself nor at the root");
        }
        if (d->at_level[code] != start) {
            return kn__broken(reason, "level 0 is not where the value starts");
        }
        for (uint32_t level = 1; level < d->levels; level++) {
            const uint32_t node = d->at_level[(size_t)level * d->values + code];
            if (node != below && node != d->parent[below]) {
                return kn__broken(reason, "a level is not the level below or its parent");
            }
            below = node;
        }
        if (below != root) {
            return kn__broken(reason, "the highest level is not the root");
        }
    }
    return true;
}

bool kn__domain_validate(const kn_domain *d, const char **reason)
{
    const uint32_t root = kn__domain_root(d);
    double sum = 0;

    if (d->nodes <= d->values || d->levels < 2 || d->parent[root] != root || d->depth[root] != 0) {
        return kn__broken(reason, "the sizes or the root do not fit");
    }
    for (uint32_t i = 0; i < root; i++) {
        if (d->parent[i] <= i || d->parent[i] < d->values || d->parent[i] > root) {
            return kn__broken(reason, "a parent does not come after its children");
        }
        if (d->depth[i] != d->depth[d->parent[i]] + 1) {
            return kn__broken(reason, "a depth is not one more than the parent's");
        }
        if (d->leaves[i] < 1 || d->leaves[i] > d->leaves[d->parent[i]] ||
            (i < d->values && d->leaves[i] > 1)) {
            return kn__broken(reason, "leaves do not grow upwards");
        }
        if (!(d->loss[i] >= 0 && d->loss[i] <= d->loss[d->parent[i]])) {
            return kn__broken(reason, "loss does not grow upwards");
        }
    }
    if (d->loss[root] != 1 || d->total != d->leaves[root]) {
        return kn__broken(reason, "the root does not lose everything");
    }
    for (uint32_t code = 0; code < d->values; code++) {
        if (d->order[code] >= d->values) {
            return kn__broken(reason, "a place in the walk is out of range");
        }
        sum += (double)d->order[code] - (double)code;
    }
    if (sum != 0) {
        return kn__broken(reason, "the walk does not visit every value once");
    }
    return levels_valid(d, reason);
}
