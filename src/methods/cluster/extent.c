/* extent.c - views: one word a quasi-identifier, and bit sets for categories without a
 * hierarchy. The scales are sorted by kind, so that the loops over them do not ask which kind. */
#include "methods/cluster/extent.h"
#include "base/error.h"
#include "base/memory.h"
#include "methods/table/groups.h"

#include <math.h>
#include <string.h>

enum { WORD = 64 };

void kn__views_free(kn_views *v)
{
    if (!v) {
        return;
    }
    for (size_t i = 0; v->scale && i < v->qis; i++) {
        KN_FREE(v->scale[i].cost, v->scale[i].place, v->scale[i].lca, v->scale[i].both);
    }
    KN_FREE(v->scale, v);
}

static uint32_t units(double weight, double ncp)
{
    return (uint32_t)lround(weight * ncp * KN_NCP_ONE);
}

static kn_status fill_tree(kn_scale *s, double weight, kn_price price, kn_error *err)
{
    const kn_domain *d = s->domain;
    const size_t nodes = d->nodes;

    s->words = 1;
    s->cost = kn__malloc_array(nodes, sizeof *s->cost);
    KN_PASS(s->cost ? kn__lca_table(&s->lca, d, err) : kn__nomem(err));
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t read = kn__domain_as_read(d, i);
        s->cost[i] = units(weight, price == KN_PRICE_NCP ? kn__domain_ncp(d, read) : d->loss[read]);
    }
    /* What joins two views costs no less than either; parents come after their children. */
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t *above = &s->cost[d->parent[i]];
        *above = *above > s->cost[i] ? *above : s->cost[i];
    }
    if (s->lca) {
        s->both = kn__malloc_array(nodes * nodes, sizeof *s->both);
        KN_PASS(s->both ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < nodes * nodes; i++) {
            s->both[i] = s->cost[s->lca[i]];
        }
    }
    return KN_OK;
}

/* Both measures are the width of the range. */
static kn_status fill_range(kn_scale *s, double weight, kn_price price, kn_error *err)
{
    const kn_domain *d = s->domain;

    (void)price;
    s->words = 1;
    s->place = kn__malloc_array(d->values, sizeof *s->place);
    for (uint32_t code = 0; s->place && code < d->values; code++) {
        s->place[code] = code == d->column->missing ? 2 * s->whole
                                                    : units(weight, kn__domain_span(d, 0, code));
    }
    return s->place ? KN_OK : kn__nomem(err);
}

static kn_status fill_set(kn_scale *s, double weight, kn_price price, kn_error *err)
{
    const kn_domain *d = s->domain;
    const uint32_t last = d->values % WORD;

    s->words = ((size_t)d->values + WORD - 1) / WORD;
    s->last_bits = last ? (UINT64_C(1) << last) - 1 : UINT64_MAX;
    s->missing = d->column->missing == KN_NO_CODE ? 0 : UINT64_C(1) << d->column->missing % WORD;
    s->cost = kn__malloc_array((size_t)d->values + 2,
                               sizeof *s->cost); /* two are always asked for */
    for (uint32_t n = 0; s->cost && n <= d->values + 1; n++) {
        const double ncp = n / d->total, loss = (n - 1.0) / (d->total - 1);
        s->cost[n] = n < 2 ? 0 : s->whole;
        if (n >= 2 && n < d->values) {
            s->cost[n] = units(weight, price == KN_PRICE_NCP ? ncp : loss);
        }
    }
    return s->cost ? KN_OK : kn__nomem(err);
}

kn_status kn__views_new(kn_views **out, const kn_task *task, kn_price price, kn_error *err)
{
    static const kn_domain_kind kinds[] = {KN_DOMAIN_TREE, KN_DOMAIN_RANGE, KN_DOMAIN_SET};
    static kn_status (*const fill[])(kn_scale * s, double weight, kn_price price,
                                     kn_error *err) = {fill_tree, fill_range, fill_set};
    kn_views *v = kn__zalloc(sizeof *v);
    size_t at = 0;
    kn_status status = KN_OK;

    *out = NULL;
    if (!v) {
        return kn__nomem(err);
    }
    v->task = task;
    v->qis = task->qis;
    v->scale = kn__zalloc_array(task->qis, sizeof *v->scale);
    KN_TRY(v->scale ? KN_OK : kn__nomem(err));
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t q = 0; q < task->qis; q++) {
            kn_scale *s = &v->scale[at];
            if (task->domain[q]->kind != kinds[kind]) {
                continue;
            }
            s->q = q;
            s->domain = task->domain[q];
            s->at = v->words;
            s->whole = units(task->weight[q], 1);
            KN_TRY(fill[kind](s, task->weight[q], price, err));
            v->words += s->words;
            at++;
        }
        v->trees = kind == 0 ? at : v->trees;
        v->ranges = kind <= 1 ? at : v->ranges;
    }
done:
    if (status != KN_OK) {
        kn__views_free(v);
        return status;
    }
    *out = v;
    return KN_OK;
}

void kn__view_of_tuple(const kn_views *v, const uint32_t *codes, uint64_t *out)
{
    for (size_t i = 0; i < v->qis; i++) {
        const kn_scale *s = &v->scale[i];
        const uint32_t code = codes[s->q];
        if (i < v->trees) {
            out[i] = s->domain->start[code];
        } else if (i < v->ranges) {
            out[i] = kn__view_pack(code, code);
        } else {
            memset(out + s->at, 0, s->words * sizeof *out);
            out[s->at + code / WORD] = UINT64_C(1) << code % WORD;
        }
    }
}

/* A range or set in which some are missing and others not is `*`, whatever it holds. */
static void join_set(const kn_scale *s, uint64_t *set, const uint64_t *other)
{
    const size_t last = s->words - 1;
    uint64_t others = 0;

    for (size_t w = 0; w < s->words; w++) {
        set[w] |= other[w];
        others |= w < last ? set[w] : set[w] & ~s->missing;
    }
    if (others && (set[last] & s->missing)) {
        memset(set, 0xff, s->words * sizeof *set);
        set[last] = s->last_bits;
    }
}

void kn__view_join(const kn_views *v, uint64_t *view, const uint64_t *other)
{
    size_t i = 0;

    for (; i < v->trees; i++) {
        const kn_scale *s = &v->scale[i];
        const uint32_t x = (uint32_t)view[i], y = (uint32_t)other[i];
        view[i] = s->lca ? s->lca[(size_t)x * s->domain->nodes + y]
                         : kn__domain_lca(s->domain, x, y);
    }
    for (; i < v->ranges; i++) {
        const uint32_t missing = v->scale[i].domain->column->missing;
        const uint32_t x = (uint32_t)view[i], y = (uint32_t)other[i], high = x > y ? x : y;
        const uint32_t low = (uint32_t)((view[i] < other[i] ? view[i] : other[i]) >> 32);
        view[i] = kn__view_pack(high == missing && low != missing ? 0 : low, high);
    }
    for (; i < v->qis; i++) {
        join_set(&v->scale[i], view + v->scale[i].at, other + v->scale[i].at);
    }
}

uint32_t kn__view_ncp(const kn_views *v, const uint64_t *view)
{
    return kn__view_ncp_of_both(v, view, view);
}

void kn__view_publish(const kn_scale *s, const uint64_t *view, uint32_t *low, uint32_t *high)
{
    const kn_domain *d = s->domain;
    const uint64_t *set = view + s->at;

    if (d->kind == KN_DOMAIN_TREE) {
        *low = *high = (uint32_t)*set;
    } else if (d->kind == KN_DOMAIN_RANGE) {
        *low = (uint32_t)(*set >> 32);
        *high = (uint32_t)*set;
        if (*low != *high && *high == d->column->missing) {
            *low = *high = KN_NO_NODE;
        }
    } else {
        /* The first and last of its values: which are between, the records tell. */
        *low = KN_NO_NODE;
        for (uint32_t code = 0; code < d->values; code++) {
            if (set[code / WORD] >> code % WORD & 1) {
                *low = *low == KN_NO_NODE ? code : *low;
                *high = code;
            }
        }
        if (*low != *high && *high == d->column->missing) {
            *low = *high = KN_NO_NODE;
        }
    }
}
