/* cells.c - the cells of one quasi-identifier, counted by (original value, published value).
 * Small tables of pairs are counted in an array, large ones in a hash table; both give the same
 * sorted list, so sums do not depend on which it was. */
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "utility/utility.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DENSE ((size_t)1 << 22)

static uint64_t key_of(uint32_t from, uint32_t to)
{
    return (uint64_t)to << 32 | from;
}

static int by_key(const void *a, const void *b)
{
    const kn_tally *x = a, *y = b;
    const uint64_t k = key_of(x->from, x->to), l = key_of(y->from, y->to);

    return (k > l) - (k < l);
}

typedef struct counted {
    kn_tally *tally;
    size_t len, cap;
} counted;

static kn_status push(counted *c, uint32_t from, uint32_t to, uint32_t records, kn_error *err)
{
    KN_PASS(kn__grow(&c->tally, &c->cap, c->len + 1, sizeof *c->tally, err));
    c->tally[c->len++] = (kn_tally){from, to, records};
    return KN_OK;
}

/* Records of the release whose origin is known, by pair. */
static kn_status count_dense(counted *out, const kn_comparison *c, const kn_compared *both,
                             kn_error *err)
{
    const kn_column *original = &c->original->column[both->original];
    const kn_column *release = &c->release->column[both->release];
    const size_t values = both->domain->values;
    uint32_t *table = kn__zalloc_array(values * both->published_count, sizeof *table);
    kn_status status = KN_OK;

    if (!table) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < c->release->records; i++) {
        table[kn__column_code(release, i) * values + kn__column_code(original, c->origin[i])] +=
            kn__dataset_count(c->release, i);
    }
    for (uint32_t to = 0; to < both->published_count; to++) {
        for (uint32_t from = 0; from < values; from++) {
            if (table[to * values + from]) {
                KN_TRY(push(out, from, to, table[to * values + from], err));
            }
        }
    }
done:
    kn__free(table);
    return status;
}

static kn_status count_hashed(counted *out, const kn_comparison *c, const kn_compared *both,
                              kn_error *err)
{
    const kn_column *original = &c->original->column[both->original];
    const kn_column *release = &c->release->column[both->release];
    kn_map records = {0}; /* by pair */
    kn_status status = KN_OK;

    for (size_t i = 0; i < c->release->records; i++) {
        const uint64_t key = key_of(kn__column_code(original, c->origin[i]),
                                    kn__column_code(release, i));
        kn_map_slot *slot;
        KN_TRY(kn__map_reserve(&records, records.used + 1, err));
        slot = kn__map_find(&records, key);
        if (!slot->value) {
            kn__map_put(&records, slot, key, 0);
        }
        slot->value += kn__dataset_count(c->release, i);
    }
    for (size_t i = 0; records.used && i <= records.mask; i++) {
        const kn_map_slot *slot = &records.slots[i];
        if (slot->value) {
            KN_TRY(push(out, (uint32_t)slot->key, (uint32_t)(slot->key >> 32),
                        (uint32_t)slot->value, err));
        }
    }
    if (out->len) {
        qsort(out->tally, out->len, sizeof *out->tally, by_key);
    }
done:
    kn__map_clear(&records);
    return status;
}

/* What is left of each value's records was not published. */
static kn_status count_absent(counted *out, const kn_cells *cells, kn_error *err)
{
    const uint32_t values = cells->column->domain->values;
    uint32_t *left = kn__malloc_array(values, sizeof *left);
    kn_status status = KN_OK;

    if (!left) {
        return kn__nomem(err);
    }
    memcpy(left, cells->held, values * sizeof *left);
    for (size_t i = 0; i < out->len; i++) {
        left[out->tally[i].from] -= out->tally[i].records;
    }
    for (uint32_t from = 0; from < values; from++) {
        if (left[from]) {
            KN_TRY(push(out, from, KN_NO_CODE, left[from], err));
        }
    }
done:
    kn__free(left);
    return status;
}

static kn_status count_unmatched(counted *out, const kn_comparison *c, const kn_compared *both,
                                 kn_error *err)
{
    const kn_column *release = &c->release->column[both->release];
    uint32_t *by_code = kn__zalloc_array(both->published_count, sizeof *by_code);
    kn_status status = KN_OK;

    if (!by_code) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < c->release->records; i++) {
        by_code[kn__column_code(release, i)] += kn__dataset_count(c->release, i);
    }
    for (uint32_t to = 0; to < both->published_count; to++) {
        if (by_code[to]) {
            KN_TRY(push(out, KN_NO_CODE, to, by_code[to], err));
        }
    }
    if (c->absent) {
        KN_TRY(push(out, KN_NO_CODE, KN_NO_CODE, (uint32_t)c->absent, err));
    }
done:
    kn__free(by_code);
    return status;
}

static kn_status count(kn_cells *cells, kn_error *err)
{
    const kn_comparison *c = cells->of;
    const kn_compared *both = cells->column;
    counted out = {0};
    kn_status status;

    if (!c->origin) {
        KN_TRY(count_unmatched(&out, c, both, err));
    } else {
        const size_t values = both->domain->values;
        const bool dense = !values || both->published_count <= MOST_DENSE / values;
        KN_TRY((dense ? count_dense : count_hashed)(&out, c, both, err));
        if (c->absent) {
            KN_TRY(count_absent(&out, cells, err));
        }
    }
done:
    cells->tally = out.tally;
    cells->len = out.len;
    return status;
}

/* ---- how many records a published value could stand for ---- */

static kn_status count_original(kn_cells *cells, kn_error *err)
{
    const kn_domain *d = cells->column->domain;
    const kn_dataset *original = cells->of->original;
    const kn_column *column = &original->column[cells->column->original];
    uint64_t sum = 0;

    cells->held = kn__arena_zeros(&cells->arena, d->values, sizeof *cells->held);
    cells->up_to = kn__arena_take(&cells->arena, d->values, sizeof *cells->up_to);
    cells->below = kn__arena_zeros(&cells->arena, d->nodes, sizeof *cells->below);
    if (cells->arena.failed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < original->records; i++) {
        cells->held[kn__column_code(column, i)] += kn__dataset_count(original, i);
    }
    for (uint32_t code = 0; code < d->values; code++) {
        uint32_t node = code;
        sum += cells->held[code];
        cells->up_to[code] = sum;
        cells->below[node] += cells->held[code];
        while (d->parent[node] != node) {
            node = d->parent[node];
            cells->below[node] += cells->held[code];
        }
    }
    return KN_OK;
}

/* The number of codes whose value is below `x` or, with `including`, equal to it. */
static uint32_t codes_below(const kn_column *column, double x, bool including)
{
    uint32_t low = 0;
    uint32_t high = kn__column_values(column) - (column->missing != KN_NO_CODE);

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const double value = column->numbers[middle];
        if (value < x || (including && value <= x)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint64_t alike(const kn_cells *cells, const kn_published *p)
{
    uint64_t sum = 0;

    switch (p->kind) {
    case KN_PUB_VALUE: return cells->held[p->code];
    case KN_PUB_NODE: return cells->below[p->node];
    case KN_PUB_RANGE: {
        const kn_column *column = cells->column->domain->column;
        const uint32_t begin = codes_below(column, p->low, false);
        const uint32_t end = codes_below(column, p->high, true);
        return (end ? cells->up_to[end - 1] : 0) - (begin ? cells->up_to[begin - 1] : 0);
    }
    case KN_PUB_SET:
        for (size_t i = 0; i < p->count; i++) {
            sum += cells->held[p->codes[i]];
        }
        return sum;
    case KN_PUB_SUPPRESSED: break;
    }
    return cells->of->people;
}

/* ---- how far up the hierarchy it is ---- */

/* The highest level at which `code` is published as `node`: on paths that are shorter than
 * others the upper levels repeat the root, and the root is all the way up. `levels` when there
 * is none. */
static uint32_t level_of(const kn_domain *d, uint32_t code, uint32_t node)
{
    for (uint32_t level = d->levels; level-- > 0;) {
        if (d->at_level[(size_t)level * d->values + code] == node) {
            return level;
        }
    }
    return d->levels;
}

static kn_status find_top_levels(kn_cells *cells, kn_error *err)
{
    const kn_domain *d = cells->column->domain;

    cells->top_level = kn__arena_zeros(&cells->arena, d->nodes, sizeof *cells->top_level);
    if (cells->arena.failed) {
        return kn__nomem(err);
    }
    for (uint32_t level = 1; level < d->levels; level++) {
        for (uint32_t code = 0; code < d->values; code++) {
            const uint32_t node = d->at_level[(size_t)level * d->values + code];
            /* A value may stand for itself on upper levels (a missing one does): that is still
             * not generalised. */
            if (node >= d->values) {
                cells->top_level[node] = level;
            }
        }
    }
    return KN_OK;
}

static double climbed(const kn_cells *cells, const kn_published *p, uint32_t from)
{
    const kn_domain *d = cells->column->domain;
    uint32_t level;

    if (d->kind != KN_DOMAIN_TREE || p->kind == KN_PUB_RANGE || p->kind == KN_PUB_SET) {
        return p->loss;
    }
    if (p->kind == KN_PUB_SUPPRESSED) {
        return 1;
    }
    if (p->kind == KN_PUB_VALUE || p->node < d->values) {
        return 0;
    }
    level = from == KN_NO_CODE ? cells->top_level[p->node] : level_of(d, from, p->node);
    return level < d->levels ? (double)level / (double)(d->levels - 1) : p->loss;
}

/* ---- covering ---- */

static kn_status check_covering(const kn_cells *cells, kn_error *err)
{
    const kn_comparison *c = cells->of;
    const kn_compared *both = cells->column;
    const kn_column *original = &c->original->column[both->original];
    const kn_column *release = &c->release->column[both->release];
    bool all = true;

    for (size_t i = 0; all && i < cells->len; i++) {
        const kn_tally *t = &cells->tally[i];
        all = t->to == KN_NO_CODE ||
              kn__published_covers(&both->published[t->to], both->domain, t->from, NULL);
    }
    for (size_t i = 0; !all && i < c->release->records; i++) {
        if (!kn__published_covers(&both->published[kn__column_code(release, i)], both->domain,
                                  kn__column_code(original, c->origin[i]), NULL)) {
            return kn__fail(err, KN_EINPUT,
                            "column '%s': what record %zu of the release publishes does not cover "
                            "the value of record %zu of the original, from which it is said to "
                            "come: give the original and the hierarchies that it was made with",
                            original->name, i + 1, (size_t)c->origin[i] + 1);
        }
    }
    return KN_OK;
}

kn_status kn__cells_new(kn_cells **out, const kn_comparison *c, size_t i, kn_error *err)
{
    kn_cells *cells = kn__zalloc(sizeof *cells);
    kn_status status;

    *out = NULL;
    if (!cells) {
        return kn__nomem(err);
    }
    cells->of = c;
    cells->column = &c->column[i];
    KN_TRY(count_original(cells, err));
    KN_TRY(count(cells, err));
    KN_TRY(c->origin ? check_covering(cells, err) : find_top_levels(cells, err));
done:
    if (status != KN_OK) {
        kn__cells_free(cells);
        return status;
    }
    *out = cells;
    return KN_OK;
}

void kn__cells_free(kn_cells *cells)
{
    if (cells) {
        kn__free(cells->tally);
        kn__arena_clear(&cells->arena);
        kn__free(cells);
    }
}

kn_cell_pair kn__cells_get(const kn_cells *cells, size_t i)
{
    const kn_tally *t = &cells->tally[i];
    const kn_published *p;
    kn_published exact;

    if (t->to == KN_NO_CODE) {
        return (kn_cell_pair){1, 1, 1, t->from == KN_NO_CODE ? 0 : cells->of->people};
    }
    p = &cells->column->published[t->to];
    if (t->from == KN_NO_CODE) {
        return (kn_cell_pair){p->loss, p->ncp, climbed(cells, p, KN_NO_CODE), 0};
    }
    if (p->ambiguous && kn__published_covers(p, cells->column->domain, t->from, &exact)) {
        p = &exact;
    }
    return (kn_cell_pair){p->loss, p->ncp, climbed(cells, p, t->from), alike(cells, p)};
}
