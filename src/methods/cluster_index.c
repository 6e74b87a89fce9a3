/* cluster_index.c - a tree of boxes over tuples.
 *
 * In each quasi-identifier a tuple is one number, its place: on the scale (ranges), in the
 * depth-first walk of the tree (hierarchies), or its code (sets). Cuts are made between places, and
 * in hierarchies between the children of the node over all tuples, so that the two sides really are
 * apart. The tuples of a leaf lie side by side, quasi-identifier by quasi-identifier: their
 * distances are sums that the compiler makes of several tuples at once. */
#include "methods/cluster_index.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum {
    LEAF = 16,      /* tuples that a leaf holds, unless they cannot be told apart */
    SAMPLES = 31,   /* of which the median is cut at */
    MOST_NEAR = 700 /* nodes of a tree whose distances from all values are tabulated: 2 MB */
};

#define NO_BOX UINT32_MAX

/* A quasi-identifier with a hierarchy. */
typedef struct hierarchy {
    uint32_t *code;  /* by place in the walk */
    uint32_t *first; /* by node: the least place below it */
    uint32_t *last;  /* by node: the greatest */
    /* [code * nodes + at]: what a value costs together with the value in place `at` (below
     * `values`), or at least costs together with any below node `at`. NULL: the tree is too large
     */
    uint32_t *near;
} hierarchy;

typedef struct box {
    uint32_t begin, end;  /* its tuples, by slot */
    uint32_t left, right; /* NO_BOX: it is a leaf */
    uint32_t parent;
    uint32_t alive; /* tuples with records */
    uint32_t least; /* the least number of a tuple in it */
} box;

struct kn_index {
    const kn_views *views;
    const kn_tuples *tuples;
    hierarchy *tree;   /* by scale, views->trees of them */
    uint32_t *leaf_of; /* by tuple: its box */
    uint32_t *left;    /* by tuple: records that are not taken */
    uint32_t slots;    /* tuples in the tree of boxes */
    uint32_t *tuple;   /* by slot */
    uint32_t *place;   /* [scale * stride + slot] */
    size_t stride;
    box *boxes;
    size_t boxes_len, boxes_cap;
    uint32_t *edge; /* [(box * qis + scale) * 2]: a node; the least and greatest place; or, of a
                       set, the places modulo 32 as bits */
    size_t edge_cap;
};

struct kn_search {
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

/* ---- hierarchies ---- */

/* What `code` costs together with the value in each place, and at least with any below each node.
 * Parents have greater numbers than their children, so one pass downwards will do. */
static void fill_row(const kn_scale *s, const hierarchy *t, uint32_t code, uint32_t *row)
{
    const kn_domain *d = s->domain;
    const uint32_t root = kn_domain_root(d), place = d->order[code];
    const bool always = d->start[code] == root; /* it is published as the root in any company */

    row[root] = always ? s->whole : 0;
    for (uint32_t node = root; node-- > 0;) {
        const uint32_t parent = d->parent[node];
        const bool above = t->first[node] <= place && place <= t->last[node];
        const bool parent_above = t->first[parent] <= place && place <= t->last[parent];
        const uint32_t at = node < d->values ? d->order[node] : node;
        row[at] = always ? s->whole : above ? 0 : parent_above ? s->cost[parent] : row[parent];
    }
}

static kn_status hierarchy_init(hierarchy *t, const kn_scale *s, kn_error *err)
{
    const kn_domain *d = s->domain;

    t->code = kn_malloc_array(d->values, sizeof *t->code);
    t->first = kn_malloc_array(d->nodes, sizeof *t->first);
    t->last = kn_zalloc_array(d->nodes, sizeof *t->last);
    if (!t->code || !t->first || !t->last) {
        return kn_nomem(err);
    }
    memset(t->first, 0xff, d->nodes * sizeof *t->first);
    for (uint32_t node = 0; node < d->nodes; node++) {
        const uint32_t parent = d->parent[node];
        if (node < d->values) {
            t->code[d->order[node]] = node;
            t->first[node] = t->last[node] = d->order[node];
        }
        t->first[parent] = t->first[node] < t->first[parent] ? t->first[node] : t->first[parent];
        t->last[parent] = t->last[node] > t->last[parent] ? t->last[node] : t->last[parent];
    }
    if (d->nodes <= MOST_NEAR) {
        t->near = kn_malloc_array((size_t)d->values * d->nodes, sizeof *t->near);
        if (!t->near) {
            return kn_nomem(err);
        }
        for (uint32_t code = 0; code < d->values; code++) {
            fill_row(s, t, code, t->near + (size_t)code * d->nodes);
        }
    }
    return KN_OK;
}

/* ---- building ---- */

typedef struct builder {
    kn_index *x;
    size_t width;   /* of a row: the tuple, then its places by scale */
    uint32_t *rows; /* in the order of the slots to be */
    uint32_t *low, *high;
    uint32_t *spare; /* a row */
} builder;

static uint32_t place_of(const kn_scale *s, uint32_t code)
{
    return s->place                            ? s->place[code]
           : s->domain->kind == KN_DOMAIN_TREE ? s->domain->order[code]
                                               : code;
}

/* How far apart the places low..high of a scale are: what the tuples at the ends cost together. */
static uint32_t apart(const kn_index *x, size_t i, uint32_t low, uint32_t high)
{
    const kn_scale *s = &x->views->scale[i];

    if (low == high) {
        return 0;
    }
    if (i < x->views->trees) {
        return s->cost[kn_domain_lca(s->domain, x->tree[i].code[low], x->tree[i].code[high])];
    }
    if (i < x->views->ranges) {
        return high - low < s->whole ? high - low : s->whole;
    }
    return high == s->domain->column->missing ? s->whole : s->cost[2];
}

/* A place in low+1..high: tuples below it go left. Near the median of a sample; in hierarchies
 * where a child of the lowest node over all ends. */
static uint32_t choose_cut(const builder *b, uint32_t begin, uint32_t end, size_t i)
{
    const kn_index *x = b->x;
    const uint32_t count = end - begin, low = b->low[i], high = b->high[i];
    uint32_t sample[SAMPLES], middle;

    for (uint32_t n = 0; n < SAMPLES; n++) {
        const size_t row = begin + (size_t)n * count / SAMPLES;
        const uint32_t place = b->rows[row * b->width + 1 + i];
        uint32_t at = n;
        for (; at > 0 && sample[at - 1] > place; at--) {
            sample[at] = sample[at - 1];
        }
        sample[at] = place;
    }
    middle = sample[SAMPLES / 2];
    if (i < x->views->trees) {
        const kn_domain *d = x->views->scale[i].domain;
        const hierarchy *t = &x->tree[i];
        const uint32_t top = kn_domain_lca(d, t->code[low], t->code[high]);
        uint32_t child = t->code[middle], below = 0, within = 0;
        while (d->parent[child] != top) {
            child = d->parent[child];
        }
        for (uint32_t n = 0; n < SAMPLES; n++) {
            below += sample[n] < t->first[child];
            within += sample[n] >= t->first[child] && sample[n] <= t->last[child];
        }
        if (t->first[child] <= low || (t->last[child] < high && below < SAMPLES - below - within)) {
            return t->last[child] + 1;
        }
        return t->first[child];
    }
    for (uint32_t n = SAMPLES / 2; middle <= low && n < SAMPLES; n++) {
        middle = sample[n];
    }
    return middle > low ? middle : high;
}

/* Rows whose place is below `cut` first; where the others begin. */
static uint32_t partition(builder *b, uint32_t begin, uint32_t end, size_t i, uint32_t cut)
{
    const size_t bytes = b->width * sizeof *b->rows;

    while (begin < end) {
        uint32_t *row = b->rows + begin * b->width;
        if (row[1 + i] < cut) {
            begin++;
        } else {
            uint32_t *other = b->rows + --end * b->width;
            memcpy(b->spare, row, bytes);
            memmove(row, other, bytes); /* they may be the same */
            memcpy(other, b->spare, bytes);
        }
    }
    return begin;
}

static void set_edges(builder *b, uint32_t number)
{
    kn_index *x = b->x;
    const kn_views *v = x->views;
    box *now = &x->boxes[number];

    for (size_t i = 0; i < v->qis; i++) {
        uint32_t *edge = x->edge + ((size_t)number * v->qis + i) * 2;
        uint32_t low = UINT32_MAX, high = 0, bits = 0;
        for (uint32_t r = now->begin; r < now->end; r++) {
            const uint32_t place = b->rows[r * b->width + 1 + i];
            low = place < low ? place : low;
            high = place > high ? place : high;
            bits |= UINT32_C(1) << place % 32;
        }
        b->low[i] = edge[0] = low;
        b->high[i] = edge[1] = high;
        if (i >= v->ranges) {
            edge[0] = bits;
        } else if (i < v->trees) {
            const hierarchy *t = &x->tree[i];
            edge[0] = low == high ? low
                                  : kn_domain_lca(v->scale[i].domain, t->code[low], t->code[high]);
        }
    }
    now->least = UINT32_MAX;
    for (uint32_t r = now->begin; r < now->end; r++) {
        const uint32_t tuple = b->rows[r * b->width];
        now->least = tuple < now->least ? tuple : now->least;
    }
}

static kn_status add_box(kn_index *x, uint32_t begin, uint32_t end, uint32_t parent,
                         uint32_t *number, kn_error *err)
{
    kn_status status = kn_grow(&x->boxes, &x->boxes_cap, x->boxes_len + 1, sizeof *x->boxes, err);

    if (status == KN_OK) {
        status = kn_grow(&x->edge, &x->edge_cap, (x->boxes_len + 1) * x->views->qis * 2,
                         sizeof *x->edge, err);
    }
    if (status == KN_OK) {
        *number = (uint32_t)x->boxes_len++;
        x->boxes[*number] = (box){.begin = begin,
                                  .end = end,
                                  .left = NO_BOX,
                                  .right = NO_BOX,
                                  .parent = parent,
                                  .alive = end - begin};
    }
    return status;
}

/* Cut box after box; new ones are appended, so that this is a walk by level. */
static kn_status cut_boxes(builder *b, kn_error *err)
{
    kn_index *x = b->x;
    uint32_t number;
    kn_status status = x->slots ? add_box(x, 0, x->slots, NO_BOX, &number, err) : KN_OK;

    for (number = 0; status == KN_OK && number < x->boxes_len; number++) {
        const box now = x->boxes[number];
        uint32_t widest = 0, middle, made = NO_BOX;
        size_t at = 0;
        set_edges(b, number);
        for (size_t i = 0; i < x->views->qis; i++) {
            const uint32_t width = apart(x, i, b->low[i], b->high[i]);
            at = width > widest ? i : at;
            widest = width > widest ? width : widest;
        }
        if (now.end - now.begin <= LEAF || widest == 0) {
            continue;
        }
        middle = partition(b, now.begin, now.end, at, choose_cut(b, now.begin, now.end, at));
        assert(middle > now.begin && middle < now.end);
        status = add_box(x, now.begin, middle, number, &made, err);
        if (status == KN_OK) {
            x->boxes[number].left = made;
            status = add_box(x, middle, now.end, number, &made, err);
            x->boxes[number].right = made;
        }
    }
    return status;
}

/* Put the tuples with records into boxes. */
static kn_status build(kn_index *x, kn_error *err)
{
    const size_t qis = x->views->qis;
    builder b = {.x = x, .width = qis + 1};
    uint32_t count = 0;
    kn_status status;

    for (uint32_t t = 0; t < x->tuples->count; t++) {
        count += x->left[t] > 0;
    }
    b.rows = kn_malloc_array(count, b.width * sizeof *b.rows);
    b.spare = kn_malloc_array(b.width, sizeof *b.spare);
    b.low = kn_malloc_array(qis, sizeof *b.low);
    b.high = kn_malloc_array(qis, sizeof *b.high);
    x->boxes_len = 0;
    x->slots = 0;
    status = b.rows && b.spare && b.low && b.high ? KN_OK : kn_nomem(err);
    for (uint32_t t = 0; status == KN_OK && t < x->tuples->count; t++) {
        uint32_t *row = b.rows + x->slots * b.width;
        if (x->left[t] == 0) {
            continue;
        }
        row[0] = t;
        for (size_t i = 0; i < qis; i++) {
            const kn_scale *s = &x->views->scale[i];
            row[1 + i] = place_of(s, kn_tuple(x->tuples, t)[s->q]);
        }
        x->slots++;
    }
    if (status == KN_OK) {
        status = cut_boxes(&b, err);
    }
    for (uint32_t slot = 0; status == KN_OK && slot < x->slots; slot++) {
        const uint32_t *row = b.rows + slot * b.width;
        x->tuple[slot] = row[0];
        for (size_t i = 0; i < qis; i++) {
            x->place[i * x->stride + slot] = row[1 + i];
        }
    }
    for (uint32_t number = 0; status == KN_OK && number < x->boxes_len; number++) {
        const box *leaf = &x->boxes[number];
        for (uint32_t slot = leaf->begin; leaf->left == NO_BOX && slot < leaf->end; slot++) {
            x->leaf_of[x->tuple[slot]] = number;
        }
    }
    kn_free(b.rows);
    kn_free(b.spare);
    kn_free(b.low);
    kn_free(b.high);
    return status;
}

void kn_index_free(kn_index *x)
{
    if (!x) {
        return;
    }
    for (size_t i = 0; x->tree && i < x->views->trees; i++) {
        kn_free(x->tree[i].code);
        kn_free(x->tree[i].first);
        kn_free(x->tree[i].last);
        kn_free(x->tree[i].near);
    }
    kn_free(x->tree);
    kn_free(x->leaf_of);
    kn_free(x->left);
    kn_free(x->tuple);
    kn_free(x->place);
    kn_free(x->boxes);
    kn_free(x->edge);
    kn_free(x);
}

kn_status kn_index_new(kn_index **out, const kn_views *views, const kn_tuples *tuples, bool once,
                       kn_error *err)
{
    kn_index *x = kn_zalloc(sizeof *x);
    const size_t count = tuples->count;
    kn_status status = KN_OK;

    *out = NULL;
    if (!x) {
        return kn_nomem(err);
    }
    x->views = views;
    x->tuples = tuples;
    x->stride = count + LEAF; /* a leaf is read LEAF tuples at a time, also the last */
    x->tree = kn_zalloc_array(views->trees, sizeof *x->tree);
    x->leaf_of = kn_malloc_array(count, sizeof *x->leaf_of);
    x->left = kn_malloc_array(count, sizeof *x->left);
    x->tuple = kn_malloc_array(count, sizeof *x->tuple);
    x->place = kn_zalloc_array(x->stride, views->qis * sizeof *x->place);
    if (!x->tree || !x->leaf_of || !x->left || !x->tuple || !x->place) {
        status = kn_nomem(err);
    }
    for (size_t i = 0; status == KN_OK && i < views->trees; i++) {
        status = hierarchy_init(&x->tree[i], &views->scale[i], err);
    }
    if (status == KN_OK) {
        for (size_t t = 0; t < count; t++) {
            x->left[t] = once ? 1 : tuples->size[t];
        }
        status = build(x, err);
    }
    if (status != KN_OK) {
        kn_index_free(x);
        return status;
    }
    *out = x;
    return KN_OK;
}

uint32_t kn_index_left(const kn_index *x, uint32_t t)
{
    return x->left[t];
}

void kn_index_take(kn_index *x, uint32_t t, uint32_t count)
{
    assert(count <= x->left[t]);
    x->left[t] -= count;
    for (uint32_t b = x->leaf_of[t]; count && x->left[t] == 0 && b != NO_BOX;
         b = x->boxes[b].parent) {
        x->boxes[b].alive--;
    }
}

kn_status kn_index_tidy(kn_index *x, kn_error *err)
{
    return x->boxes_len > 1 && x->boxes[0].alive < x->slots / 2 ? build(x, err) : KN_OK;
}

/* ---- searching ---- */

void kn_search_free(kn_search *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; s->filled && i < s->x->views->trees; i++) {
        kn_free(s->filled[i]);
    }
    kn_free(s->filled);
    kn_free(s->row);
    kn_free(s->here);
    kn_free(s->heap);
    kn_free(s->open);
    kn_free(s->found);
    kn_free(s);
}

kn_status kn_search_new(kn_search **out, const kn_index *x, kn_error *err)
{
    const kn_views *v = x->views;
    kn_search *s = kn_zalloc(sizeof *s);
    kn_status status = KN_OK;

    *out = NULL;
    if (!s) {
        return kn_nomem(err);
    }
    s->x = x;
    s->row = kn_zalloc_array(v->trees, sizeof *s->row);
    s->filled = kn_zalloc_array(v->trees, sizeof *s->filled);
    s->here = kn_malloc_array(v->qis, sizeof *s->here);
    if (!s->row || !s->filled || !s->here) {
        status = kn_nomem(err);
    }
    for (size_t i = 0; status == KN_OK && i < v->trees; i++) {
        if (!x->tree[i].near) {
            s->filled[i] = kn_malloc_array(v->scale[i].domain->nodes, sizeof **s->filled);
            status = s->filled[i] ? KN_OK : kn_nomem(err);
        }
    }
    if (status != KN_OK) {
        kn_search_free(s);
        return status;
    }
    *out = s;
    return KN_OK;
}

static void sift_down(uint64_t *heap, size_t len, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < len; at = child) {
        uint64_t swap;
        child += child + 1 < len && heap[child + 1] > heap[child];
        if (heap[at] >= heap[child]) {
            return;
        }
        swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
    }
}

static void sift_up(uint64_t *heap, size_t at)
{
    const uint64_t key = heap[at];

    for (; at > 0 && heap[(at - 1) / 2] < key; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = key;
}

static uint32_t available(const kn_search *s, uint32_t tuple)
{
    return s->x->left[tuple] - (tuple == s->from);
}

/* Nothing from this key on is wanted. */
static uint64_t bound(const kn_search *s)
{
    return s->records >= s->need ? s->heap[0] : UINT64_MAX;
}

/* Keep the tuple if it is among the nearest so far, and drop those that no longer are. */
static kn_status offer(kn_search *s, uint64_t key, uint32_t records, kn_error *err)
{
    const kn_status status = kn_grow(&s->heap, &s->heap_cap, s->heap_len + 1, sizeof *s->heap, err);
    uint32_t last;

    if (status != KN_OK) {
        return status;
    }
    s->heap[s->heap_len] = key;
    sift_up(s->heap, s->heap_len++);
    s->records += records;
    while ((last = available(s, (uint32_t)s->heap[0])), s->records - last >= s->need) {
        s->records -= last;
        s->heap[0] = s->heap[--s->heap_len];
        sift_down(s->heap, s->heap_len, 0);
    }
    return KN_OK;
}

/* The distances of the LEAF tuples from `slot` on. */
static void measure(const kn_search *s, uint32_t slot, uint32_t *sum)
{
    const kn_index *x = s->x;
    const kn_views *v = x->views;
    size_t i = 0;

    memset(sum, 0, LEAF * sizeof *sum);
    for (; i < v->trees; i++) {
        const uint32_t *place = x->place + i * x->stride + slot, *row = s->row[i];
        for (int j = 0; j < LEAF; j++) {
            sum[j] += row[place[j]];
        }
    }
    for (; i < v->ranges; i++) {
        const uint32_t *place = x->place + i * x->stride + slot;
        const uint32_t here = s->here[i], whole = v->scale[i].whole;
        for (int j = 0; j < LEAF; j++) {
            const uint32_t width = place[j] > here ? place[j] - here : here - place[j];
            sum[j] += width < whole ? width : whole;
        }
    }
    for (; i < v->qis; i++) {
        const uint32_t *place = x->place + i * x->stride + slot;
        const uint32_t here = s->here[i], whole = v->scale[i].whole;
        const uint32_t missing = v->scale[i].domain->column->missing;
        const uint32_t other = here == missing ? whole : v->scale[i].cost[2];
        for (int j = 0; j < LEAF; j++) {
            sum[j] += place[j] == here ? 0 : place[j] == missing ? whole : other;
        }
    }
}

static kn_status search_leaf(kn_search *s, const box *leaf, kn_error *err)
{
    const kn_index *x = s->x;
    kn_status status = KN_OK;

    for (uint32_t slot = leaf->begin; slot < leaf->end; slot += LEAF) {
        const uint32_t count = leaf->end - slot < LEAF ? leaf->end - slot : LEAF;
        uint32_t sum[LEAF];
        measure(s, slot, sum);
        for (uint32_t j = 0; status == KN_OK && j < count; j++) {
            const uint32_t tuple = x->tuple[slot + j];
            const uint64_t key = (uint64_t)sum[j] << 32 | tuple;
            if (key < bound(s) && available(s, tuple) > 0) {
                status = offer(s, key, available(s, tuple), err);
            }
        }
    }
    return status;
}

/* No tuple in the box is nearer. */
static uint32_t least_distance(const kn_search *s, uint32_t number)
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
        sum += edge[2 * i] >> here % 32 & 1                  ? 0
               : here == v->scale[i].domain->column->missing ? v->scale[i].whole
                                                             : v->scale[i].cost[2];
    }
    return sum;
}

static kn_status push_box(kn_search *s, uint32_t number, kn_error *err)
{
    const box *b = &s->x->boxes[number];
    uint32_t distance;
    kn_status status;

    if (b->alive == 0) {
        return KN_OK;
    }
    distance = least_distance(s, number);
    if (((uint64_t)distance << 32 | b->least) >= bound(s)) {
        return KN_OK;
    }
    status = kn_grow(&s->open, &s->open_cap, s->open_len + 1, sizeof *s->open, err);
    if (status == KN_OK) {
        s->open[s->open_len] = ~((uint64_t)distance << 32 | number);
        sift_up(s->open, s->open_len++);
    }
    return status;
}

/* The nearest box first: no box is opened that an oracle would not open. */
static kn_status search_boxes(kn_search *s, kn_error *err)
{
    const kn_index *x = s->x;
    kn_status status = KN_OK;

    s->open_len = 0;
    if (x->boxes_len) {
        status = push_box(s, 0, err);
    }
    while (status == KN_OK && s->open_len > 0) {
        const uint64_t key = ~s->open[0];
        const box *now = &x->boxes[(uint32_t)key];
        if (key >> 32 > bound(s) >> 32) {
            break;
        }
        s->open[0] = s->open[--s->open_len];
        sift_down(s->open, s->open_len, 0);
        if ((key >> 32 << 32 | now->least) >= bound(s)) {
            continue;
        }
        if (now->left == NO_BOX) {
            status = search_leaf(s, now, err);
            continue;
        }
        status = push_box(s, now->left, err);
        if (status == KN_OK) {
            status = push_box(s, now->right, err);
        }
    }
    return status;
}

kn_status kn_search_run(kn_search *s, uint32_t from, size_t need, kn_error *err)
{
    const kn_index *x = s->x;
    const kn_views *v = x->views;
    const uint32_t *codes = kn_tuple(x->tuples, from);
    kn_status status = KN_OK;

    s->from = from;
    s->need = need;
    s->records = 0;
    s->heap_len = 0;
    s->found_len = 0;
    for (size_t i = 0; i < v->qis; i++) {
        const kn_scale *scale = &v->scale[i];
        const uint32_t code = codes[scale->q];
        s->here[i] = place_of(scale, code);
        if (i < v->trees && x->tree[i].near) {
            s->row[i] = x->tree[i].near + (size_t)code * scale->domain->nodes;
        } else if (i < v->trees) {
            fill_row(scale, &x->tree[i], code, s->filled[i]);
            s->row[i] = s->filled[i];
        }
    }
    if (need > 0) {
        status = search_boxes(s, err);
    }
    if (status == KN_OK) {
        status = kn_grow(&s->found, &s->found_cap, s->heap_len, sizeof *s->found, err);
    }
    if (status == KN_OK) {
        s->found_len = s->heap_len;
    }
    while (status == KN_OK && s->heap_len > 0) {
        s->found[--s->heap_len] = (uint32_t)s->heap[0];
        s->heap[0] = s->heap[s->heap_len];
        sift_down(s->heap, s->heap_len, 0);
    }
    return status;
}

const uint32_t *kn_search_found(const kn_search *s, size_t *count)
{
    *count = s->found_len;
    return s->found;
}
