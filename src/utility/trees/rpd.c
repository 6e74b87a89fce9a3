/* rpd.c - the loss of tree records: reverse path domain (the tree paper, section 2.5).
 *
 * A path u1 -> ... -> un costs 1 / (d(u1) C(u1) ... d(un) C(un)): d is the depth of a node, C the
 * number of labels on the level of its label, over all classes, as in the paper's Example 1. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/trees/trees.h"

static void path_costs(const kn_synopsis *s, const kn_tree_domain *d, double *cost)
{
    cost[0] = 1;
    for (uint32_t i = 1; i < s->nodes; i++) {
        cost[i] = cost[s->parent[i]] / ((double)s->depth[i] * d->on_level[d->height[s->label[i]]]);
    }
}

double kn__rpd_approximate(const kn_synopsis *s, const kn_tree_domain *d, double *scratch)
{
    double *cost = scratch, *support = scratch + s->nodes, sum = 0;
    size_t leaves = 0;

    if (s->nodes < 2) {
        return 1; /* nothing is published */
    }
    path_costs(s, d, cost);
    support[0] = 0;
    for (uint32_t i = 1; i < s->nodes; i++) {
        support[i] = support[s->parent[i]] + (double)s->holds[i].len;
    }
    for (uint32_t i = s->nodes; i-- > 1;) {
        if (cost[i] >= 0) { /* no child has come by */
            sum += cost[i] * support[i];
            leaves++;
        }
        cost[s->parent[i]] = -1;
    }
    return sum / (double)leaves / (double)(s->nodes - 1);
}

kn_status kn__rpd_exact(double *out, const kn_synopsis *s, const kn_tree_domain *d, kn_error *err)
{
    double *cost = kn__malloc_array(s->nodes, sizeof *cost), sum = 0;
    uint32_t *inner = kn__zalloc_array(s->nodes, sizeof *inner); /* the last record with a child */
    uint32_t *seen = kn__zalloc_array(s->nodes, sizeof *seen);
    kn_status status = cost && inner && seen ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    path_costs(s, d, cost);
    for (size_t r = 0; r < s->records; r++) {
        const uint32_t now = (uint32_t)r + 1;
        double of_record = 0;
        size_t leaves = 0;
        for (uint64_t h = s->starts[r]; h < s->starts[r + 1]; h++) {
            inner[s->parent[s->now[s->held[h]]]] = now;
        }
        for (uint64_t h = s->starts[r]; h < s->starts[r + 1]; h++) {
            const uint32_t node = s->now[s->held[h]];
            if (inner[node] != now && seen[node] != now) {
                seen[node] = now;
                of_record += cost[node];
                leaves++;
            }
        }
        sum += leaves ? of_record / (double)leaves : 1;
    }
    *out = s->records ? sum / (double)s->records : 0;
done:
    kn__free(cost);
    kn__free(inner);
    kn__free(seen);
    return status;
}

kn_status kn__rpd_forest(double *out, const kn_forest *f, const uint32_t *label,
                         const kn_tree_domain *d, kn_error *err)
{
    double *cost = NULL, sum = 0;
    uint32_t *depth = NULL;
    size_t cost_cap = 0, depth_cap = 0;
    kn_status status = KN_OK;

    for (size_t r = 0; r < f->records; r++) {
        const uint32_t size = kn__forest_size(f, r);
        const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
        double of_record = 0;
        size_t leaves = 0;
        KN_TRY(kn__grow(&cost, &cost_cap, size, sizeof *cost, err));
        KN_TRY(kn__grow(&depth, &depth_cap, size, sizeof *depth, err));
        for (uint32_t i = 0; i < size; i++) {
            const bool top = parent[i] == KN_NO_PARENT;
            depth[i] = top ? 1 : depth[parent[i]] + 1;
            cost[i] = (top ? 1 : cost[parent[i]]) /
                      ((double)depth[i] * d->on_level[d->height[label[value[i]]]]);
        }
        for (uint32_t i = 0; i < size; i++) {
            if (i + 1 == size || parent[i + 1] != i) { /* preorder: a child comes next */
                of_record += cost[i];
                leaves++;
            }
        }
        sum += leaves ? of_record / (double)leaves : 1;
    }
    *out = f->records ? sum / (double)f->records : 0;
done:
    kn__free(cost);
    kn__free(depth);
    return status;
}
