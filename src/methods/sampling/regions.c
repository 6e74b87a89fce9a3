/* regions.c - a partition as circular lists of items, which are joined by swapping two links.
 *
 * The centre of a region is the centroid of its merged cells on the sphere: the sum of its cells'
 * centroids, as unit vectors times areas, scaled to length 1. Distances are great-circle distances,
 * by the chord between unit vectors, which is the haversine formula without its trigonometry. */
#include "methods/sampling/regions.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double earth = 6371008.8; /* metres: the mean radius */

void kn__regions_free(kn_regions *r)
{
    if (r) {
        KN_FREE(r->of, r->next, r->size, r->error, r->node, r);
    }
}

static kn_status allocate(kn_regions **out, const kn_region_rules *rules, kn_error *err)
{
    const uint32_t n = rules->items;
    kn_regions *r = kn__zalloc(sizeof *r);

    *out = NULL;
    if (r) {
        r->rules = rules;
        r->of = kn__malloc_array(n, sizeof *r->of);
        r->next = kn__malloc_array(n, sizeof *r->next);
        r->size = kn__malloc_array(n, sizeof *r->size);
        r->error = kn__zalloc_array(n, sizeof *r->error);
        r->node = rules->domain ? kn__malloc_array(n, sizeof *r->node) : NULL;
    }
    if (!r || !r->of || !r->next || !r->size || !r->error || (rules->domain && !r->node)) {
        kn__regions_free(r);
        return kn__nomem(err);
    }
    *out = r;
    return KN_OK;
}

kn_status kn__region_scratch_init(kn_region_scratch *s, const kn_region_rules *rules, kn_error *err)
{
    *s = (kn_region_scratch){.mark = kn__zalloc_array(rules->items, sizeof *s->mark),
                             .items = kn__malloc_array(rules->items, sizeof *s->items),
                             .merged = kn__malloc_array(rules->items, sizeof *s->merged)};
    if (!s->mark || !s->items || !s->merged) {
        kn__region_scratch_clear(s);
        return kn__nomem(err);
    }
    return KN_OK;
}

void kn__region_scratch_clear(kn_region_scratch *s)
{
    KN_FREE(s->mark, s->items, s->merged);
    *s = (kn_region_scratch){0};
}

/* ---- errors ---- */

static double metres(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    const double half = sqrt(x * x + y * y + z * z) / 2;

    return 2 * earth * asin(half < 1 ? half : 1);
}

static void find_centre(const kn_region_rules *rules, const uint32_t *items, size_t count,
                        double centre[3])
{
    double length;

    centre[0] = centre[1] = centre[2] = 0;
    for (size_t i = 0; i < count; i++) {
        for (int d = 0; d < 3; d++) {
            centre[d] += rules->middle[items[i]][d];
        }
    }
    length = sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
    for (int d = 0; d < 3 && length > 0; d++) {
        centre[d] /= length;
    }
}

static double distance_error(const kn_region_rules *rules, const uint32_t *items, size_t count)
{
    double centre[3], sum = 0;

    find_centre(rules, items, count, centre);
    for (size_t i = 0; i < count; i++) {
        sum += rules->weight[items[i]] * metres(rules->place[items[i]], centre);
    }
    return sum;
}

double kn__region_distances(const kn_region_rules *rules, const uint32_t *items, size_t count,
                            double *longest)
{
    double centre[3], sum = 0;

    *longest = 0;
    if (count < 2) {
        return 0;
    }
    find_centre(rules, items, count, centre);
    for (size_t i = 0; i < count; i++) {
        const double own = metres(rules->place[items[i]], centre);
        sum += own;
        *longest = fmax(*longest, own);
    }
    return sum / (double)count;
}

static double matrix_error(const kn_region_rules *rules, const uint32_t *items, size_t count)
{
    double best = INFINITY;

    for (size_t c = 0; c < count; c++) {
        double sum = 0;
        for (size_t i = 0; i < count && sum < best; i++) {
            sum += rules->weight[items[i]] *
                   rules->distance[(size_t)items[i] * rules->items + items[c]];
        }
        best = sum < best ? sum : best;
    }
    return best;
}

/* The error of a region that consists of these items. `node`: of a hierarchy cut. */
static double error_of(const kn_region_rules *rules, const uint32_t *items, size_t count,
                       uint32_t node)
{
    double sum = 0;

    if (rules->error == KN_REGION_DISTANCE) {
        return count == 1 ? 0 : distance_error(rules, items, count);
    }
    if (rules->error == KN_REGION_MATRIX) {
        return matrix_error(rules, items, count);
    }
    for (size_t i = 0; i < count; i++) {
        sum += rules->weight[items[i]];
    }
    if (rules->domain) {
        return sum * kn__domain_ncp(rules->domain, node);
    }
    return sum * (count == 1 ? 0 : (double)count / (double)rules->items);
}

/* ---- new ones ---- */

kn_status kn__regions_new(kn_regions **out, const kn_region_rules *rules, kn_error *err)
{
    kn_regions *r = NULL;
    const kn_status status = allocate(&r, rules, err);

    *out = r;
    if (status != KN_OK) {
        return status;
    }
    for (uint32_t i = 0; i < rules->items; i++) {
        r->of[i] = r->next[i] = i;
        r->size[i] = 1;
        if (r->node) {
            r->node[i] = i;
        }
        r->error[i] = error_of(rules, &i, 1, i);
        r->total += r->error[i];
    }
    r->count = rules->items;
    return KN_OK;
}

kn_status kn__regions_copy(kn_regions **out, const kn_regions *from, kn_error *err)
{
    const size_t n = from->rules->items;
    const kn_status status = allocate(out, from->rules, err);

    if (status == KN_OK) {
        memcpy((*out)->of, from->of, n * sizeof *from->of);
        memcpy((*out)->next, from->next, n * sizeof *from->next);
        memcpy((*out)->size, from->size, n * sizeof *from->size);
        memcpy((*out)->error, from->error, n * sizeof *from->error);
        if (from->node && (*out)->node) { /* both have nodes, by their common rules */
            memcpy((*out)->node, from->node, n * sizeof *from->node);
        }
        (*out)->count = from->count;
        (*out)->total = from->total;
    }
    return status;
}

/* ---- merges ---- */

static bool below(const kn_domain *d, uint32_t node, uint32_t above)
{
    while (node != above && d->depth[node] > d->depth[above]) {
        node = d->parent[node];
    }
    return node == above;
}

static size_t gather(const kn_regions *r, uint32_t region, uint32_t *items, size_t count)
{
    uint32_t i = region;

    do {
        items[count++] = i;
        i = r->next[i];
    } while (i != region);
    return count;
}

/* The error of the given regions as one. */
static double error_together(const kn_regions *r, const uint32_t *merged, size_t count,
                             uint32_t node, kn_region_scratch *scratch, double *before)
{
    size_t items = 0;

    *before = 0;
    for (size_t i = 0; i < count; i++) {
        items = gather(r, merged[i], scratch->items, items);
        *before += r->error[merged[i]];
    }
    return error_of(r->rules, scratch->items, items, node);
}

size_t kn__regions_merged(const kn_regions *r, const kn_merge_candidate *c, uint32_t *merged)
{
    size_t count = 0;

    if (!r->rules->domain) {
        merged[0] = c->region;
        merged[1] = c->other;
        return 2;
    }
    for (uint32_t i = 0; i < r->rules->items; i++) {
        if (r->of[i] == i && below(r->rules->domain, r->node[i], c->other)) {
            merged[count++] = i;
        }
    }
    return count;
}

/* The region of a hierarchy cut becomes the lowest node above it that unites it with others. */
static void parent_candidate(const kn_regions *r, uint32_t region, kn_region_scratch *scratch,
                             kn_merge_candidate *out, size_t *count)
{
    const kn_domain *d = r->rules->domain;
    kn_merge_candidate c = {.region = region, .other = r->node[region]};
    size_t merged = 1;
    double before;

    while (merged < 2 && c.other != kn__domain_root(d)) {
        c.other = d->parent[c.other];
        merged = kn__regions_merged(r, &c, scratch->merged);
    }
    if (merged > 1) {
        c.added = error_together(r, scratch->merged, merged, c.other, scratch, &before) - before;
        out[(*count)++] = c;
    }
}

void kn__regions_candidates(const kn_regions *r, uint32_t region, kn_region_scratch *scratch,
                            kn_merge_candidate *out, size_t *count, size_t most)
{
    const kn_region_rules *rules = r->rules;
    uint32_t i = region;

    if (rules->domain) {
        if (*count < most) {
            parent_candidate(r, region, scratch, out, count);
        }
        return;
    }
    scratch->turn++;
    do {
        for (uint64_t e = rules->near_at[i]; e < rules->near_at[i + 1]; e++) {
            const uint32_t other = r->of[rules->near[e]];
            const uint32_t both[2] = {region, other};
            double before, after;
            if (other == region || scratch->mark[other] == scratch->turn || *count == most) {
                continue;
            }
            scratch->mark[other] = scratch->turn;
            after = error_together(r, both, 2, 0, scratch, &before);
            out[(*count)++] = (kn_merge_candidate){region, other, after - before};
        }
        i = r->next[i];
    } while (i != region);
}

uint32_t kn__regions_merge(kn_regions *r, const kn_merge_candidate *c, const uint32_t *merged,
                           size_t count, kn_region_scratch *scratch)
{
    uint32_t name = 0, size = 0;
    double before;
    const double after = error_together(r, merged, count, c->other, scratch, &before);

    for (size_t i = 0; i < count; i++) {
        name = merged[i] > name ? merged[i] : name;
        size += r->size[merged[i]];
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t at = merged[i];
        if (at != name) {
            const uint32_t swap = r->next[name];
            do {
                r->of[at] = name;
                at = r->next[at];
            } while (at != merged[i]);
            r->next[name] = r->next[at]; /* two circles become one */
            r->next[at] = swap;
            r->size[at] = 0;
            r->error[at] = 0;
        }
    }
    r->size[name] = size;
    r->error[name] = after;
    r->total += after - before;
    r->count -= (uint32_t)count - 1;
    if (r->node) {
        r->node[name] = c->other;
    }
    return name;
}
