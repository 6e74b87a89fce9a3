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
    size_t leaves = 0, nodes = 0;

    path_costs(s, d, cost);
    support[0] = 0;
    for (uint32_t i = 1; i < s->nodes; i++) {
        support[i] = support[s->parent[i]] + (double)s->support[i];
    }
    for (uint32_t i = s->nodes; i-- > 1;) {
        if (!s->support[i]) {
            continue;
        }
        if (cost[i] >= 0) { /* no child has come by */
            sum += cost[i] * support[i];
            leaves++;
        }
        nodes++;
        cost[s->parent[i]] = -1;
    }
    return kn__rpd_of_share(&(kn_rpd_share){sum, leaves, nodes}, s->records);
}

double kn__rpd_of_share(const kn_rpd_share *all, size_t records)
{
    /* Where nothing is published all records end at their roots, which costs 1 each: no less than
     * any tree of theirs. */
    return all->leaves ? all->sum / (double)all->leaves / (double)all->nodes : (double)records;
}

kn_status kn__rpd_shares(kn_rpd_share *share, const kn_synopsis *s, const kn_tree_domain *d,
                         uint32_t class_, const uint32_t *group, kn_error *err)
{
    double *cost = kn__malloc_array(2 * (size_t)s->nodes, sizeof *cost);
    double *support = cost ? cost + s->nodes : NULL;
    uint32_t *of = kn__malloc_array(s->nodes, sizeof *of);
    kn_status status = cost && of ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    path_costs(s, d, cost);
    support[0] = 0;
    of[0] = d->labels;
    for (uint32_t i = 1; i < s->nodes; i++) {
        const uint32_t up = s->parent[i], l = s->label[i];
        support[i] = support[up] + (double)s->support[i];
        of[i] = of[up];
        if (d->class_[l] == class_) {
            of[i] = group ? group[l] : l;
        }
    }
    for (uint32_t i = s->nodes; i-- > 1;) {
        if (!s->support[i]) {
            continue;
        }
        if (cost[i] >= 0) { /* no child has come by */
            share[of[i]].sum += cost[i] * support[i];
            share[of[i]].leaves++;
        }
        share[of[i]].nodes++;
        cost[s->parent[i]] = -1;
    }
done:
    kn__free(cost);
    kn__free(of);
    return status;
}

kn_status kn__rpd_records(double *out, const kn_synopsis *s, const kn_tree_domain *d,
                          const uint32_t *records, size_t count, kn_error *err)
{
    double *cost = kn__malloc_array(s->nodes, sizeof *cost);
    uint32_t *inner = kn__zalloc_array(s->nodes, sizeof *inner); /* the last record with a child */
    uint32_t *seen = kn__zalloc_array(s->nodes, sizeof *seen);
    kn_status status = cost && inner && seen ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    path_costs(s, d, cost);
    for (size_t j = 0; j < count; j++) {
        const size_t r = records ? records[j] : j;
        const uint32_t now = (uint32_t)r + 1;
        size_t len, leaves = 0;
        const uint32_t *row = kn__synopsis_row(s, r, &len);
        double of_record = 0;
        for (size_t i = 0; i < len; i++) {
            inner[s->parent[s->now[row[i]]]] = now;
        }
        for (size_t i = 0; i < len; i++) {
            const uint32_t node = s->now[row[i]];
            if (node && inner[node] != now && seen[node] != now) {
                seen[node] = now;
                of_record += cost[node];
                leaves++;
            }
        }
        out[j] = leaves ? of_record / (double)leaves : 1;
    }
done:
    KN_FREE(cost, inner, seen);
    return status;
}

kn_status kn__rpd_exact(double *out, const kn_synopsis *s, const kn_tree_domain *d, kn_error *err)
{
    double *of_record = kn__malloc_array(s->records, sizeof *of_record), sum = 0;
    kn_status status = of_record ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    KN_TRY(kn__rpd_records(of_record, s, d, NULL, s->records, err));
    for (size_t r = 0; r < s->records; r++) {
        sum += of_record[r];
    }
    *out = s->records ? sum / (double)s->records : 0;
done:
    kn__free(of_record);
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
    KN_FREE(cost, depth);
    return status;
}
