/* leaf_ranges.c - the leaves of a domain in a row, and published values as runs of them. */
#include "utility/items/leaf_ranges.h"
#include "base/error.h"
#include "base/memory.h"
#include "utility/utility.h"

#include <stdlib.h>

/* ---- runs ---- */

void kn__leaf_runs_clear(kn_leaf_runs *s)
{
    kn__free(s->at);
    *s = (kn_leaf_runs){0};
}

size_t kn__leaf_runs_size(const kn_leaf_runs *s)
{
    size_t sum = 0;

    for (size_t i = 0; i < s->count; i++) {
        sum += s->at[i].end - s->at[i].begin;
    }
    return sum;
}

size_t kn__leaf_runs_shared(const kn_leaf_runs *a, const kn_leaf_runs *b)
{
    size_t sum = 0, i = 0, j = 0;

    while (i < a->count && j < b->count) {
        const kn_leaf_run x = a->at[i], y = b->at[j];
        const size_t begin = x.begin > y.begin ? x.begin : y.begin;
        const size_t end = x.end < y.end ? x.end : y.end;
        sum += end > begin ? end - begin : 0;
        i += x.end <= y.end;
        j += y.end <= x.end;
    }
    return sum;
}

static int by_begin(const void *a, const void *b)
{
    const kn_leaf_run *x = a, *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Put what was collected into order, and join what touches. */
static void settle(kn_leaf_runs *s)
{
    size_t kept = 0;

    if (s->count > 1) {
        qsort(s->at, s->count, sizeof *s->at, by_begin);
    }
    for (size_t i = 0; i < s->count; i++) {
        const kn_leaf_run x = s->at[i];
        if (kept && x.begin <= s->at[kept - 1].end) {
            s->at[kept - 1].end = x.end > s->at[kept - 1].end ? x.end : s->at[kept - 1].end;
        } else {
            s->at[kept++] = x;
        }
    }
    s->count = kept;
}

kn_status kn__leaf_runs_union(kn_leaf_runs *out, const kn_leaf_runs *a, const kn_leaf_runs *b,
                              kn_error *err)
{
    *out = (kn_leaf_runs){.at = kn__malloc_array(a->count + b->count, sizeof *out->at)};
    KN_PASS(out->at ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < a->count; i++) {
        out->at[out->count++] = a->at[i];
    }
    for (size_t i = 0; i < b->count; i++) {
        out->at[out->count++] = b->at[i];
    }
    settle(out);
    return KN_OK;
}

/* ---- the row ---- */

kn_status kn__leaf_ranges_new(kn_leaf_ranges **out, const kn_domain *d, kn_error *err)
{
    const uint32_t root = kn__domain_root(d);
    kn_leaf_ranges *l = kn__zalloc(sizeof *l);
    size_t *free_to = kn__malloc_array(d->nodes, sizeof *free_to);

    *out = NULL;
    if (l) {
        *l = (kn_leaf_ranges){.domain = d, .total = (size_t)d->total};
        l->begin = kn__malloc_array(d->nodes, sizeof *l->begin);
    }
    if (!l || !l->begin || !free_to) {
        kn__free(free_to);
        kn__leaf_ranges_free(l);
        return kn__nomem(err);
    }
    l->begin[root] = 0;
    free_to[root] = l->total;
    /* Parents come after their children, so every node finds its parent placed. Children fill it
     * from the end; leaves that do not occur are left at the front. */
    for (uint32_t node = root; node-- > 0;) {
        size_t *end = &free_to[d->parent[node]];
        free_to[node] = *end;
        *end -= (size_t)d->leaves[node];
        l->begin[node] = *end;
    }
    kn__free(free_to);
    *out = l;
    return KN_OK;
}

void kn__leaf_ranges_free(kn_leaf_ranges *l)
{
    if (l) {
        KN_FREE(l->begin, l);
    }
}

/* ---- published values ---- */

typedef struct collected {
    kn_leaf_runs s;
    size_t cap;
} collected;

static kn_status add(collected *c, size_t begin, size_t end, kn_error *err)
{
    KN_PASS(kn__grow(&c->s.at, &c->cap, c->s.count + 1, sizeof *c->s.at, err));
    c->s.at[c->s.count++] = (kn_leaf_run){begin, end};
    return KN_OK;
}

static kn_status add_node(collected *c, const kn_leaf_ranges *l, uint32_t node, kn_error *err)
{
    return add(c, l->begin[node], kn__leaf_ranges_end(l, node), err);
}

static kn_status add_range(collected *c, const kn_leaf_ranges *l, const kn_published *p,
                           kn_error *err)
{
    const uint32_t first = kn__domain_below(l->domain, p->low, false);
    const uint32_t end = kn__domain_below(l->domain, p->high, true);

    if (l->domain->kind == KN_DOMAIN_RANGE) {
        return first < end ? add(c, l->begin[first], l->begin[first] + (end - first), err) : KN_OK;
    }
    for (uint32_t code = first; code < end; code++) {
        KN_PASS(add_node(c, l, code, err));
    }
    return KN_OK;
}

static bool below_same_label(const kn_domain *d, uint32_t node, uint32_t id)
{
    const uint32_t root = kn__domain_root(d);

    while (node != root) {
        node = d->parent[node];
        if (d->label_id[node - d->values] == id) {
            return true;
        }
    }
    return false;
}

static kn_status add_label(collected *c, const kn_leaf_ranges *l, const kn_published *p,
                           kn_error *err)
{
    const kn_domain *d = l->domain;
    const uint32_t id = d->label_id[p->node - d->values];

    for (uint32_t node = d->values; node < d->nodes; node++) {
        if (d->label_id[node - d->values] == id && !below_same_label(d, node, id)) {
            KN_PASS(add_node(c, l, node, err));
        }
    }
    /* Values with that text that are below no such node. */
    for (uint32_t code = 0; code < d->values; code++) {
        if (!below_same_label(d, code, id) && kn__published_covers(p, d, code, NULL)) {
            KN_PASS(add_node(c, l, code, err));
        }
    }
    return KN_OK;
}

kn_status kn__leaf_ranges_of(const kn_leaf_ranges *l, const kn_published *p, kn_leaf_runs *out,
                             kn_error *err)
{
    collected c = {0};
    kn_status status = KN_OK;

    *out = (kn_leaf_runs){0};
    switch (p->kind) {
    case KN_PUB_VALUE: KN_TRY(add_node(&c, l, p->code, err)); break;
    case KN_PUB_RANGE: KN_TRY(add_range(&c, l, p, err)); break;
    case KN_PUB_SET:
        for (size_t i = 0; i < p->count; i++) {
            KN_TRY(add_node(&c, l, p->codes[i], err));
        }
        break;
    case KN_PUB_NODE:
        KN_TRY(p->ambiguous ? add_label(&c, l, p, err) : add_node(&c, l, p->node, err));
        break;
    case KN_PUB_SUPPRESSED: KN_TRY(add(&c, 0, l->total, err)); break;
    }
done:
    if (status != KN_OK) {
        kn__free(c.s.at);
        return status;
    }
    settle(&c.s);
    *out = c.s;
    return KN_OK;
}

/* ---- columns ---- */

static kn_status mean(kn_meanings *m, const kn_leaf_ranges *l, const kn_column *column,
                      const kn_published *published, kn_error *err)
{
    for (uint32_t code = 0; code < m->count; code++) {
        const kn_published value = {.kind = KN_PUB_VALUE, .code = code};
        const kn_published *p = published ? &published[code] : &value;
        if (!column->starts || (code != column->missing && p->kind != KN_PUB_SUPPRESSED)) {
            KN_PASS(kn__leaf_ranges_of(l, p, &m->of[code], err));
        }
    }
    return KN_OK;
}

kn_status kn__meanings_new(kn_meanings **out, const kn_leaf_ranges *l, const kn_dataset *table,
                           const kn_column *column, kn_error *err)
{
    const uint32_t values = kn__column_values(column);
    kn_meanings *m = kn__zalloc(sizeof *m);
    kn_published *published = NULL;
    kn_status status = KN_OK;

    *out = NULL;
    if (m) {
        m->of = kn__zalloc_array(values, sizeof *m->of);
        m->count = values;
    }
    if (!m || !m->of) {
        KN_TRY(kn__nomem(err));
    } else if (column != l->domain->column) {
        KN_TRY(kn__parse_published(&published, l->domain, table, column, err));
    }
    KN_TRY(mean(m, l, column, published, err));
done:
    kn__parsed_published_free(published, values);
    if (status != KN_OK) {
        kn__meanings_free(m);
        return status;
    }
    *out = m;
    return KN_OK;
}

void kn__meanings_free(kn_meanings *m)
{
    if (m) {
        for (uint32_t i = 0; m->of && i < m->count; i++) {
            kn__leaf_runs_clear(&m->of[i]);
        }
        KN_FREE(m->of, m);
    }
}
