/* levels.c - levels of a hierarchy, or of numbers without one, over the row of leaves. */
#include "utility/items/levels.h"
#include "base/error.h"
#include "base/memory.h"

enum { RANGES = 5 }; /* levels of 2^5, 2^4, ... 2 ranges */

kn_status kn__column_ranks(uint64_t **out, uint64_t *all, const kn_column *column, size_t records,
                           kn_error *err)
{
    const uint32_t values = kn__column_values(column);
    const size_t codes = column->starts ? (size_t)column->starts[records] : records;
    uint64_t *rank = kn__zalloc_array(values, sizeof *rank), sum = 0;

    *out = rank;
    KN_PASS(rank ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < codes; i++) {
        rank[kn__column_code(column, i)]++;
    }
    for (uint32_t code = 0; code < values; code++) {
        const uint64_t here = code == column->missing ? 0 : rank[code];
        rank[code] = 2 * sum + here;
        sum += here;
    }
    *all = 2 * sum;
    return KN_OK;
}

kn_status kn__levels_new(kn_levels **out, const kn_leaf_ranges *leaves, size_t records,
                         kn_error *err)
{
    kn_levels *l = kn__zalloc(sizeof *l);
    kn_status status = KN_OK;

    *out = NULL;
    KN_PASS(l ? KN_OK : kn__nomem(err));
    l->leaves = leaves;
    l->count = leaves->domain->levels - 1;
    if (leaves->domain->kind == KN_DOMAIN_RANGE) {
        l->count = 1 + RANGES;
        status = kn__column_ranks(&l->rank, &l->all, leaves->domain->column, records, err);
    }
    if (status != KN_OK) {
        kn__levels_free(l);
        return status;
    }
    *out = l;
    return KN_OK;
}

void kn__levels_free(kn_levels *l)
{
    if (l) {
        KN_FREE(l->rank, l);
    }
}

uint32_t kn__levels_groups(const kn_levels *l)
{
    const uint32_t nodes = l->leaves->domain->nodes;

    return l->rank && nodes < 1u << RANGES ? 1u << RANGES : nodes;
}

void kn__levels_fill(const kn_levels *l, size_t level, uint32_t *group)
{
    const kn_domain *d = l->leaves->domain;
    const uint32_t root = kn__domain_root(d);

    for (size_t i = 0; i < l->leaves->total; i++) {
        group[i] = KN_NO_CODE;
    }
    for (uint32_t code = 0; code < d->values; code++) {
        const size_t at = l->leaves->begin[code];
        if (code == d->column->missing) {
            continue; /* no item */
        }
        if (level == 0) {
            group[at] = code;
        } else if (l->rank) {
            group[at] = kn__range_of_rank(l->rank[code], l->all, 1u << (RANGES - level + 1));
        } else {
            const uint32_t node = d->at_level[level * d->values + code];
            /* A group is filled when its first leaf comes. */
            if (node != root && group[l->leaves->begin[node]] != node) {
                for (size_t i = l->leaves->begin[node]; i < kn__leaf_ranges_end(l->leaves, node);
                     i++) {
                    group[i] = node;
                }
            }
        }
    }
}
