/* search.c - the nearest tuples, from the nearest box on. The distances of the tuples of a
 * leaf are sums that the compiler makes for several tuples at once. */
#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"
#include "methods/cluster/box_tree.h"

#include <string.h>

struct kn_neighbour_search {
    const kn_index *x;
    const uint32_t **row; /* by tree: what other values cost together with the tuple's */
    uint32_t **filled;    /* by tree: room for that where there is no table */
    uint32_t *here;       /* by scale: the tuple's place */
    uint64_t *heap;       /* distance << 32 | tuple, the greatest first */
    size_t heap_len, heap_cap;
    uint64_t records; /* of the tuples in the heap */
    uint64_t need;
    uint32_t from;
    uint64_t *open; /* boxes to look into: ~(least distance << 32 | box), the greatest first */
    size_t open_len, open_cap;
    uint32_t *found;
    size_t found_len, found_cap;
};

void kn__search_free(kn_neighbour_search *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; s->filled && i < s->x->views->trees; i++) {
        kn__free(s->filled[i]);
    }
    KN_FREE(s->filled, s->row, s->here, s->heap, s->open, s->found, s);
}

kn_status kn__search_new(kn_neighbour_search **out, const kn_index *x, kn_error *err)
{
    const kn_views *v = x->views;
    kn_neighbour_search *s = kn__zalloc(sizeof *s);
    kn_status status = KN_OK;

    *out = NULL;
    if (!s) {
        return kn__nomem(err);
    }
    s->x = x;
    s->row = kn__zalloc_array(v->trees, sizeof *s->row);
    s->filled = kn__zalloc_array(v->trees, sizeof *s->filled);
    s->here = kn__malloc_array(v->qis, sizeof *s->here);
    KN_TRY(s->row && s->filled && s->here ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < v->trees; i++) {
        if (!x->tree[i].near) {
            s->filled[i] = kn__malloc_array(v->scale[i].domain->nodes, sizeof **s->filled);
            KN_TRY(s->filled[i] ? KN_OK : kn__nomem(err));
        }
    }
done:
    if (status != KN_OK) {
        kn__search_free(s);
        return status;
    }
    *out = s;
    return KN_OK;
}

static bool greater(const void *user, const void *a, const void *b)
{
    (void)user;
    return *(const uint64_t *)a > *(const uint64_t *)b;
}

static uint32_t available(const kn_neighbour_search *s, uint32_t tuple)
{
    return s->x->left[tuple] - (tuple == s->from);
}

/* Nothing from this key on is wanted. */
static uint64_t bound(const kn_neighbour_search *s)
{
    return s->records >= s->need ? s->heap[0] : UINT64_MAX;
}

/* Keep the tuple if it is among the nearest so far, and drop those that no longer are. */
static kn_status offer(kn_neighbour_search *s, uint64_t key, uint32_t records, kn_error *err)
{
    const kn_status status = kn__grow(&s->heap, &s->heap_cap, s->heap_len + 1, sizeof *s->heap,
                                      err);
    uint32_t last;

    if (status != KN_OK) {
        return status;
    }
    s->heap[s->heap_len] = key;
    kn__heap_up(s->heap, sizeof *s->heap, s->heap_len++, greater, NULL);
    s->records += records;
    while ((last = available(s, (uint32_t)s->heap[0])), s->records - last >= s->need) {
        s->records -= last;
        kn__heap_pop(s->heap, &s->heap_len, sizeof *s->heap, greater, NULL);
    }
    return KN_OK;
}

/* The distances of the KN_BOX_LEAF tuples from `slot` on. */
static void measure(const kn_neighbour_search *s, uint32_t slot, uint32_t *sum)
{
    const kn_index *x = s->x;
    const kn_views *v = x->views;
    size_t i = 0;

    memset(sum, 0, KN_BOX_LEAF * sizeof *sum);
    for (; i < v->trees; i++) {
        const uint32_t *place = x->place + i * x->stride + slot, *row = s->row[i];
        for (int j = 0; j < KN_BOX_LEAF; j++) {
            sum[j] += row[place[j]];
        }
    }
    for (; i < v->ranges; i++) {
        const uint32_t *place = x->place + i * x->stride + slot;
        const uint32_t here = s->here[i], whole = v->scale[i].whole;
        for (int j = 0; j < KN_BOX_LEAF; j++) {
            const uint32_t width = place[j] > here ? place[j] - here : here - place[j];
            sum[j] += width < whole ? width : whole;
        }
    }
    for (; i < v->qis; i++) {
        const uint32_t *place = x->place + i * x->stride + slot;
        const uint32_t here = s->here[i], whole = v->scale[i].whole;
        const uint32_t missing = v->scale[i].domain->column->missing;
        const uint32_t other = here == missing ? whole : v->scale[i].cost[2];
        for (int j = 0; j < KN_BOX_LEAF; j++) {
            const uint32_t apart = place[j] == missing ? whole : other;
            sum[j] += place[j] == here ? 0 : apart;
        }
    }
}

static kn_status search_leaf(kn_neighbour_search *s, const kn_box *leaf, kn_error *err)
{
    const kn_index *x = s->x;

    for (uint32_t slot = leaf->begin; slot < leaf->end; slot += KN_BOX_LEAF) {
        const uint32_t count = leaf->end - slot < KN_BOX_LEAF ? leaf->end - slot : KN_BOX_LEAF;
        uint32_t sum[KN_BOX_LEAF];
        measure(s, slot, sum);
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t tuple = x->tuple[slot + j];
            const uint64_t key = (uint64_t)sum[j] << 32 | tuple;
            if (key < bound(s) && available(s, tuple) > 0) {
                KN_PASS(offer(s, key, available(s, tuple), err));
            }
        }
    }
    return KN_OK;
}

/* No tuple in the box is nearer. */
static uint32_t least_distance(const kn_neighbour_search *s, uint32_t number)
{
    const kn_views *v = s->x->views;
    const uint32_t *edge = s->x->edge + (size_t)number * v->qis * 2;
    uint32_t sum = 0;
    size_t i = 0;

    for (; i < v->trees; i++) {
        sum += s->row[i][edge[2 * i]];
    }
    for (; i < v->ranges; i++) {
        const uint32_t here = s->here[i], whole = v->scale[i].whole;
        const uint32_t below = edge[2 * i] > here ? edge[2 * i] - here : 0;
        const uint32_t above = here > edge[2 * i + 1] ? here - edge[2 * i + 1] : below;
        sum += above < whole ? above : whole;
    }
    for (; i < v->qis; i++) {
        const uint32_t here = s->here[i];
        const kn_scale *scale = &v->scale[i];
        if (!(edge[2 * i] >> here % 32 & 1)) {
            sum += here == scale->domain->column->missing ? scale->whole : scale->cost[2];
        }
    }
    return sum;
}

static kn_status push_box(kn_neighbour_search *s, uint32_t number, kn_error *err)
{
    const kn_box *b = &s->x->boxes[number];
    uint32_t distance;

    if (b->alive == 0) {
        return KN_OK;
    }
    distance = least_distance(s, number);
    if (((uint64_t)distance << 32 | b->least) >= bound(s)) {
        return KN_OK;
    }
    KN_PASS(kn__grow(&s->open, &s->open_cap, s->open_len + 1, sizeof *s->open, err));
    s->open[s->open_len] = ~((uint64_t)distance << 32 | number);
    kn__heap_up(s->open, sizeof *s->open, s->open_len++, greater, NULL);
    return KN_OK;
}

/* The nearest box first: no box is opened that an oracle would not open. */
static kn_status search_boxes(kn_neighbour_search *s, kn_error *err)
{
    const kn_index *x = s->x;

    s->open_len = 0;
    if (x->boxes_len) {
        KN_PASS(push_box(s, 0, err));
    }
    while (s->open_len > 0) {
        const uint64_t key = ~s->open[0];
        const kn_box *now = &x->boxes[(uint32_t)key];
        if (key >> 32 > bound(s) >> 32) {
            break;
        }
        kn__heap_pop(s->open, &s->open_len, sizeof *s->open, greater, NULL);
        if ((key >> 32 << 32 | now->least) >= bound(s)) {
            continue;
        }
        if (now->left == KN_NO_BOX) {
            KN_PASS(search_leaf(s, now, err));
            continue;
        }
        KN_PASS(push_box(s, now->left, err));
        KN_PASS(push_box(s, now->right, err));
    }
    return KN_OK;
}

kn_status kn__search_run(kn_neighbour_search *s, uint32_t from, size_t need, kn_error *err)
{
    const kn_index *x = s->x;
    const kn_views *v = x->views;
    const uint32_t *codes = kn__tuple(x->tuples, from);

    s->from = from;
    s->need = need;
    s->records = 0;
    s->heap_len = 0;
    s->found_len = 0;
    for (size_t i = 0; i < v->qis; i++) {
        const kn_scale *scale = &v->scale[i];
        const uint32_t code = codes[scale->q];
        s->here[i] = kn__place_of(scale, code);
        if (i < v->trees && x->tree[i].near) {
            s->row[i] = x->tree[i].near + (size_t)code * scale->domain->nodes;
        } else if (i < v->trees) {
            kn__walked_row(scale, &x->tree[i], code, s->filled[i]);
            s->row[i] = s->filled[i];
        }
    }
    if (need > 0) {
        KN_PASS(search_boxes(s, err));
    }
    KN_PASS(kn__grow(&s->found, &s->found_cap, s->heap_len, sizeof *s->found, err));
    s->found_len = s->heap_len;
    while (s->heap_len > 0) {
        s->found[s->heap_len - 1] = (uint32_t)s->heap[0];
        kn__heap_pop(s->heap, &s->heap_len, sizeof *s->heap, greater, NULL);
    }
    return KN_OK;
}

const uint32_t *kn__search_found(const kn_neighbour_search *s, size_t *count)
{
    *count = s->found_len;
    return s->found;
}
