/* lattice.c - the generalisation lattice. */
#include "methods/table/lattice.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void kn__qi_levels_clear(kn_qi_levels *l)
{
    kn__arena_clear(&l->arena);
    *l = (kn_qi_levels){0};
}

double kn__domain_span(const kn_domain *d, uint32_t low, uint32_t high)
{
    if (low == high) {
        return 0;
    }
    if (high == d->column->missing) {
        return 1;
    }
    if (d->kind == KN_DOMAIN_SET) {
        return (double)(high - low) / (d->total - 1);
    }
    /* In halves: the distance of two numbers may be more than a number can be. */
    return d->high > d->low ? (d->column->numbers[high] / 2 - d->column->numbers[low] / 2) /
                                  (d->high / 2 - d->low / 2)
                            : 0;
}

static kn_status allocate(kn_qi_levels *l, uint32_t levels, uint32_t values, kn_error *err)
{
    *l = (kn_qi_levels){.levels = levels, .values = values};
    l->id = kn__arena_take(&l->arena, (size_t)levels * values, sizeof *l->id);
    l->cost = kn__arena_zeros(&l->arena, (size_t)levels * values, sizeof *l->cost);
    l->count = kn__arena_zeros(&l->arena, levels, sizeof *l->count);
    l->mean = kn__arena_zeros(&l->arena, levels, sizeof *l->mean);
    if (l->arena.failed) {
        kn__qi_levels_clear(l);
        return kn__nomem(err);
    }
    return KN_OK;
}

kn_status kn__qi_levels_of_domain(kn_qi_levels *out, const kn_domain *d, kn_error *err)
{
    uint32_t *small = kn__malloc_array(d->nodes, sizeof *small);
    kn_status status;

    KN_TRY(allocate(out, d->levels, d->values, err));
    if (!small) {
        kn__qi_levels_clear(out);
        KN_TRY(kn__nomem(err));
    }
    for (uint32_t level = 0; level < d->levels; level++) {
        memset(small, 0xff, d->nodes * sizeof *small);
        for (uint32_t code = 0; code < d->values; code++) {
            const size_t at = (size_t)level * d->values + code;
            const uint32_t node = d->at_level[at];
            if (node == KN_NO_NODE) { /* barred records never ask */
                out->id[at] = 0;
                continue;
            }
            if (small[node] == UINT32_MAX) {
                small[node] = out->count[level]++;
            }
            out->id[at] = small[node];
            out->cost[at] = d->loss[node];
        }
        out->count[level] += out->count[level] == 0;
    }
done:
    kn__free(small);
    return status;
}

kn_status kn__qi_levels_of_ranges(kn_qi_levels *out, const kn_domain *d, unsigned step,
                                  kn_error *err)
{
    const uint32_t missing = d->column->missing;
    const uint32_t values = d->values - (missing != KN_NO_CODE);
    uint32_t levels = 2;

    if (d->kind == KN_DOMAIN_TREE || values == 0) {
        return kn__qi_levels_of_domain(out, d, err);
    }
    while (((uint64_t)1 << ((levels - 2) * step)) < values) {
        levels++;
    }
    KN_PASS(allocate(out, levels, d->values, err));
    for (uint32_t level = 0; level < levels; level++) {
        const unsigned shift = level * step;
        const bool top = level == levels - 1;
        out->count[level] = top ? 1
                                : (uint32_t)((uint64_t)(values - 1) >> shift) + 1 +
                                      (missing != KN_NO_CODE);
        for (uint32_t code = 0; code < d->values; code++) {
            const size_t at = (size_t)level * d->values + code;
            const uint64_t first = (uint64_t)code >> shift << shift;
            const uint64_t end = first + ((uint64_t)1 << shift);
            const uint32_t last = end < values ? (uint32_t)end - 1 : values - 1;
            if (top) {
                out->id[at] = 0;
                out->cost[at] = 1;
            } else if (code == missing) {
                out->id[at] = out->count[level] - 1;
            } else {
                out->id[at] = (uint32_t)((uint64_t)code >> shift);
                out->cost[at] = kn__domain_span(d, (uint32_t)first, last);
            }
        }
    }
    return KN_OK;
}

void kn__qi_levels_weigh(kn_qi_levels *l, const kn_tuples *t, size_t q)
{
    for (uint32_t level = 0; level < l->levels; level++) {
        const double *cost = l->cost + (size_t)level * l->values;
        double sum = 0;
        for (uint32_t i = 0; i < t->count; i++) {
            sum += (double)t->size[i] * cost[kn__tuple(t, i)[q]];
        }
        l->mean[level] = t->records ? sum / (double)t->records : 0;
    }
}

size_t kn__lattice_size(const kn_qi_levels *levels, size_t qis)
{
    size_t size = 1;

    for (size_t q = 0; q < qis; q++) {
        if (size > SIZE_MAX / levels[q].levels) {
            return SIZE_MAX;
        }
        size *= levels[q].levels;
    }
    return size;
}

enum { FIRST_SLOTS = 4096, AHEAD = 16 /* keys whose slots are fetched in time */ };

/* A direct table answers when the node has few combinations, a hash table otherwise. Slots are
 * marked with the number of the round instead of being cleared. */
typedef struct slot {
    uint64_t key;
    uint32_t round, value;
} slot;

typedef struct digit {
    const uint32_t *id; /* by code */
    uint64_t radix;
    size_t q;
} digit;

struct kn_grouper {
    kn_arena arena;
    const kn_qi_levels *levels;
    size_t qis;
    size_t mask; /* slots - 1 */
    slot *slots;
    uint64_t *keys; /* by tuple */
    uint64_t *class_keys;
    digit *digit; /* scratch: what makes a key */
    uint32_t round;
};

kn_status kn__grouper_new(kn_grouper **out, const kn_qi_levels *levels, size_t qis, uint32_t most,
                          kn_error *err)
{
    kn_grouper *g = kn__zalloc(sizeof *g);
    size_t slots = 1024;

    *out = NULL;
    while (slots < (size_t)most * 2) {
        slots *= 2;
    }
    if (g) {
        g->levels = levels;
        g->qis = qis;
        g->mask = slots - 1;
        g->slots = kn__arena_zeros(&g->arena, slots, sizeof *g->slots);
        g->keys = kn__arena_take(&g->arena, most, sizeof *g->keys);
        g->class_keys = kn__arena_take(&g->arena, most, sizeof *g->class_keys);
        g->digit = kn__arena_take(&g->arena, qis, sizeof *g->digit);
    }
    if (!g || g->arena.failed) {
        kn__grouper_free(g);
        return kn__nomem(err);
    }
    *out = g;
    return KN_OK;
}

void kn__grouper_free(kn_grouper *g)
{
    if (g) {
        kn__arena_clear(&g->arena);
        kn__free(g);
    }
}

/* A round with fresh slots, without clearing them. */
static void next_round(kn_grouper *g)
{
    if (++g->round == 0) {
        memset(g->slots, 0, (g->mask + 1) * sizeof *g->slots);
        g->round = 1;
    }
}

/* Where `key` is, or where it would go. */
static slot *find_slot(const kn_grouper *g, uint64_t key, size_t mask)
{
    size_t at = (size_t)kn__hash_u64(key) & mask;

    while (g->slots[at].round == g->round && g->slots[at].key != key) {
        at = (at + 1) & mask;
    }
    return &g->slots[at];
}

/* Replace keys by class numbers. `space` is how many keys there may be. Few classes use few slots,
 * so that they stay in the cache: the table grows with the classes, whose keys are kept at the
 * front of g->class_keys. */
static uint32_t number_keys(kn_grouper *g, uint32_t count, uint64_t space, uint32_t *class_of)
{
    const bool direct = space <= g->mask + 1;
    size_t mask = g->mask < FIRST_SLOTS ? g->mask : FIRST_SLOTS - 1;
    uint32_t classes = 0;

    next_round(g);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t key = g->keys[i];
        slot *at;
        if (!direct && i + AHEAD < count) {
            __builtin_prefetch(&g->slots[(size_t)kn__hash_u64(g->keys[i + AHEAD]) & mask], 1);
        }
        at = direct ? &g->slots[key] : find_slot(g, key, mask);
        if (at->round != g->round) {
            if (!direct && classes >= mask / 2 && mask < g->mask) {
                mask = mask * 4 + 3 < g->mask ? mask * 4 + 3 : g->mask;
                next_round(g);
                for (uint32_t c = 0; c < classes; c++) {
                    *find_slot(g, g->class_keys[c], mask) = (slot){g->class_keys[c], g->round, c};
                }
                at = find_slot(g, key, mask);
            }
            g->class_keys[classes] = key;
            *at = (slot){key, g->round, classes++};
        }
        class_of[i] = at->value;
    }
    return classes;
}

/* The digits of columns from..to-1 after the class so far. One pass over the rows: they are wider
 * than a cache line is long. */
static void make_keys(kn_grouper *g, const kn_tuples *t, const uint32_t *which, uint32_t count,
                      const uint16_t *level, const uint32_t *class_of, size_t from, size_t to)
{
    size_t digits = 0;

    for (size_t q = from; q < to; q++) {
        const kn_qi_levels *l = &g->levels[q];
        if (l->count[level[q]] > 1) {
            g->digit[digits++] = (digit){l->id + (size_t)level[q] * l->values, l->count[level[q]],
                                         q};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *row = t->codes + (size_t)(which ? which[i] : i) * t->qis;
        uint64_t key = class_of[i];
        for (size_t d = 0; d < digits; d++) {
            key = key * g->digit[d].radix + g->digit[d].id[row[g->digit[d].q]];
        }
        g->keys[i] = key;
    }
}

uint32_t kn__grouper_group(kn_grouper *g, const kn_tuples *t, const uint32_t *which, uint32_t count,
                           const uint16_t *level, uint32_t *class_of)
{
    uint32_t classes = count > 0;
    uint64_t space = 1;
    size_t from = 0;

    memset(class_of, 0, count * sizeof *class_of);
    /* As many columns as fit into 64 bits at a time; the classes so far are the first digit of the
     * next round. */
    while (from < g->qis) {
        size_t to = from;
        space = classes ? classes : 1;
        while (to < g->qis && (space <= UINT64_MAX / g->levels[to].count[level[to]])) {
            space *= g->levels[to].count[level[to]];
            to++;
        }
        make_keys(g, t, which, count, level, class_of, from, to);
        classes = number_keys(g, count, space, class_of);
        from = to;
    }
    return classes;
}
