/* rpd.c - the loss of a synopsis tree: reverse path domain (the tree paper, section 2.5).
 *
 * A path u1 -> ... -> un costs 1 / (d(u1) C(u1) ... d(un) C(un)): d is the depth of a node, C the
 * number of labels on the level of its label, over all classes, as in the paper's Example 1. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/trees/trees.h"

#include <string.h>

static void path_costs(const kn_synopsis *s, const kn_tree_domain *d, double *cost)
{
    cost[0] = 1;
    for (uint32_t i = 1; i < s->nodes; i++) {
        cost[i] = cost[s->parent[i]] /
                  ((double)s->depth[i] * d->on_level[d->height[s->label[i]]]);
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
