/* ul_weights.c - from the weights that are given to those of all nodes. */
#include "utility/items/ul_weights.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/item_names.h"

#include <string.h>

#define NOT_GIVEN (-1.0)

/* Give every node that is called `name` its weight; whether there is any. */
static bool give(double *weight, const kn_domain *d, const char *name, double to)
{
    const uint32_t code = kn__dict_find(d->column->dict, name, strlen(name));
    bool known = d->hierarchy &&
                 kn__dict_find(d->hierarchy->leaf, name, strlen(name)) != KN_NO_CODE;

    if (code != KN_NO_CODE && code != d->column->missing) {
        weight[code] = to;
        known = true;
    }
    for (uint32_t node = d->values; node < d->nodes; node++) {
        if (strcmp(d->label[node - d->values], name) == 0) {
            weight[node] = to;
            known = true;
        }
    }
    return known;
}

/* From what is given to all nodes: parents have greater numbers than their children. `scratch` has
 * two numbers a node. */
static void spread(double *weight, double *scratch, const kn_domain *d)
{
    const uint32_t root = kn__domain_root(d);
    double *const above = scratch, *const sum = scratch + d->nodes;

    for (uint32_t node = d->nodes; node-- > 0;) {
        if (weight[node] >= 0) {
            above[node] = weight[node];
        } else {
            above[node] = node == root ? 1 : above[d->parent[node]];
        }
        sum[node] = d->leaves[node];
    }
    for (uint32_t node = 0; node < root; node++) {
        sum[d->parent[node]] -= d->leaves[node]; /* leaves that do not occur are left */
    }
    for (uint32_t node = 0; node < d->nodes; node++) {
        sum[node] *= above[node];
    }
    for (uint32_t node = 0; node < root; node++) {
        sum[d->parent[node]] += sum[node];
    }
    for (uint32_t node = 0; node < d->nodes; node++) {
        weight[node] = weight[node] >= 0 ? weight[node] : sum[node] / d->leaves[node];
    }
}

kn_status kn__ul_weights_new(double **out, const kn_domain *d, kn_error *err)
{
    const kn_item_weights *given = &d->column->item_weights;
    double *weight, *scratch;
    kn_status status = KN_OK;

    *out = NULL;
    if (given->count == 0) {
        return KN_OK;
    }
    weight = kn__malloc_array(d->nodes, sizeof *weight);
    scratch = kn__malloc_array(2 * (size_t)d->nodes, sizeof *scratch);
    KN_TRY(weight && scratch ? KN_OK : kn__nomem(err));
    for (uint32_t node = 0; node < d->nodes; node++) {
        weight[node] = NOT_GIVEN;
    }
    for (size_t i = 0; i < given->count; i++) {
        if (!give(weight, d, given->texts[i], given->weights[i])) {
            KN_TRY(kn__item_unknown("weights of items", "item", given->texts[i], d->column,
                                    d->hierarchy, false, err));
        }
    }
    spread(weight, scratch, d);
    *out = weight;
    weight = NULL;
done:
    KN_FREE(weight, scratch);
    return status;
}

double kn__ul_weight_of(const double *weight, const kn_domain *d, const kn_published *p)
{
    const uint32_t root = kn__domain_root(d);
    uint32_t first, end;
    double sum = 0;

    if (!weight) {
        return 1;
    }
    switch (p->kind) {
    case KN_PUB_VALUE: return weight[p->code];
    case KN_PUB_NODE: return weight[p->node];
    case KN_PUB_SET:
        for (size_t i = 0; i < p->count; i++) {
            sum += weight[p->codes[i]];
        }
        return sum / (double)p->count;
    case KN_PUB_RANGE:
        first = kn__domain_below(d, p->low, false);
        end = kn__domain_below(d, p->high, true);
        for (uint32_t code = first; code < end; code++) {
            sum += weight[code];
        }
        return first < end ? sum / (double)(end - first) : weight[root];
    case KN_PUB_SUPPRESSED: break;
    }
    return weight[root];
}
