/* index.c - building the tree of boxes.
 *
 * Cuts are made between places, and in hierarchies between the children of the node over all
 * tuples, so that the two sides really are apart. */
#include "methods/cluster/index.h"
#include "base/error.h"
#include "base/memory.h"
#include "methods/cluster/box_tree.h"

#include <assert.h>
#include <string.h>

enum {
    SAMPLES = 31,   /* of which the median is cut at */
    MOST_NEAR = 700 /* nodes of a tree whose distances from all values are tabulated: 2 MB */
};

/* ---- hierarchies ---- */

/* What `code` costs together with the value in each place, and at least with any below each node.
 * Parents have greater numbers than their children, so one pass downwards will do. */
void kn__walked_row(const kn_scale *s, const kn_walked *t, uint32_t code, uint32_t *row)
{
    const kn_domain *d = s->domain;
    const uint32_t root = kn__domain_root(d), place = d->order[code];
    const bool always = d->start[code] == root; /* it is published as the root in any company */

    row[root] = always ? s->whole : 0;
    for (uint32_t node = root; node-- > 0;) {
        const uint32_t parent = d->parent[node];
        const bool above = t->first[node] <= place && place <= t->last[node];
        const bool parent_above = t->first[parent] <= place && place <= t->last[parent];
        const uint32_t at = node < d->values ? d->order[node] : node;
        if (always) {
            row[at] = s->whole;
        } else if (above) {
            row[at] = 0;
        } else {
            row[at] = parent_above ? s->cost[parent] : row[parent];
        }
    }
}

static kn_status hierarchy_init(kn_walked *t, const kn_scale *s, kn_arena *arena, kn_error *err)
{
    const kn_domain *d = s->domain;

    t->code = kn__arena_take(arena, d->values, sizeof *t->code);
    t->first = kn__arena_take(arena, d->nodes, sizeof *t->first);
    t->last = kn__arena_zeros(arena, d->nodes, sizeof *t->last);
    if (arena->failed) {
        return kn__nomem(err);
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
        t->near = kn__arena_take(arena, (size_t)d->values * d->nodes, sizeof *t->near);
        KN_PASS(t->near ? KN_OK : kn__nomem(err));
        for (uint32_t code = 0; code < d->values; code++) {
            kn__walked_row(s, t, code, t->near + (size_t)code * d->nodes);
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

/* How far apart the places low..high of a scale are: what the tuples at the ends cost together. */
static uint32_t apart(const kn_index *x, size_t i, uint32_t low, uint32_t high)
{
    const kn_scale *s = &x->views->scale[i];

    if (low == high) {
        return 0;
    }
    if (i < x->views->trees) {
        return s->cost[kn__domain_lca(s->domain, x->tree[i].code[low], x->tree[i].code[high])];
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
        const kn_walked *t = &x->tree[i];
        const uint32_t top = kn__domain_lca(d, t->code[low], t->code[high]);
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
    kn_box *now = &x->boxes[number];

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
            const kn_walked *t = &x->tree[i];
            edge[0] = low == high ? low
                                  : kn__domain_lca(v->scale[i].domain, t->code[low], t->code[high]);
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
    KN_PASS(kn__grow(&x->boxes, &x->boxes_cap, x->boxes_len + 1, sizeof *x->boxes, err));
    KN_PASS(kn__grow(&x->edge, &x->edge_cap, (x->boxes_len + 1) * x->views->qis * 2,
                     sizeof *x->edge, err));
    *number = (uint32_t)x->boxes_len++;
    x->boxes[*number] = (kn_box){.begin = begin,
                                 .end = end,
                                 .left = KN_NO_BOX,
                                 .right = KN_NO_BOX,
                                 .parent = parent,
                                 .alive = end - begin};
    return KN_OK;
}

/* Cut box after box; new ones are appended, so that this is a walk by level. */
static kn_status cut_boxes(builder *b, kn_error *err)
{
    kn_index *x = b->x;
    uint32_t number;

    KN_PASS(x->slots ? add_box(x, 0, x->slots, KN_NO_BOX, &number, err) : KN_OK);
    for (number = 0; number < x->boxes_len; number++) {
        const kn_box now = x->boxes[number];
        uint32_t widest = 0, middle, made = KN_NO_BOX;
        size_t at = 0;
        set_edges(b, number);
        for (size_t i = 0; i < x->views->qis; i++) {
            const uint32_t width = apart(x, i, b->low[i], b->high[i]);
            at = width > widest ? i : at;
            widest = width > widest ? width : widest;
        }
        if (now.end - now.begin <= KN_BOX_LEAF || widest == 0) {
            continue;
        }
        middle = partition(b, now.begin, now.end, at, choose_cut(b, now.begin, now.end, at));
        assert(middle > now.begin && middle < now.end);
        KN_PASS(add_box(x, now.begin, middle, number, &made, err));
        x->boxes[number].left = made;
        KN_PASS(add_box(x, middle, now.end, number, &made, err));
        x->boxes[number].right = made;
    }
    return KN_OK;
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
    b.rows = kn__malloc_array(count, b.width * sizeof *b.rows);
    b.spare = kn__malloc_array(b.width, sizeof *b.spare);
    b.low = kn__malloc_array(qis, sizeof *b.low);
    b.high = kn__malloc_array(qis, sizeof *b.high);
    x->boxes_len = 0;
    x->slots = 0;
    KN_TRY(b.rows && b.spare && b.low && b.high ? KN_OK : kn__nomem(err));
    for (uint32_t t = 0; t < x->tuples->count; t++) {
        uint32_t *row = b.rows + x->slots * b.width;
        if (x->left[t] == 0) {
            continue;
        }
        row[0] = t;
        for (size_t i = 0; i < qis; i++) {
            const kn_scale *s = &x->views->scale[i];
            row[1 + i] = kn__place_of(s, kn__tuple(x->tuples, t)[s->q]);
        }
        x->slots++;
    }
    KN_TRY(cut_boxes(&b, err));
    for (uint32_t slot = 0; slot < x->slots; slot++) {
        const uint32_t *row = b.rows + slot * b.width;
        x->tuple[slot] = row[0];
        for (size_t i = 0; i < qis; i++) {
            x->place[i * x->stride + slot] = row[1 + i];
        }
    }
    for (uint32_t number = 0; number < x->boxes_len; number++) {
        const kn_box *leaf = &x->boxes[number];
        for (uint32_t slot = leaf->begin; leaf->left == KN_NO_BOX && slot < leaf->end; slot++) {
            x->leaf_of[x->tuple[slot]] = number;
        }
    }
done:
    KN_FREE(b.rows, b.spare, b.low, b.high);
    return status;
}

void kn__index_free(kn_index *x)
{
    if (!x) {
        return;
    }
    kn__arena_clear(&x->arena);
    KN_FREE(x->boxes, x->edge, x);
}

kn_status kn__index_new(kn_index **out, const kn_views *views, const kn_tuples *tuples, bool once,
                        kn_error *err)
{
    kn_index *x = kn__zalloc(sizeof *x);
    const size_t count = tuples->count;
    kn_status status = KN_OK;

    *out = NULL;
    if (!x) {
        return kn__nomem(err);
    }
    x->views = views;
    x->tuples = tuples;
    x->stride = count +
                KN_BOX_LEAF; /* a leaf is read KN_BOX_LEAF tuples at a time, also the last */
    x->tree = kn__arena_zeros(&x->arena, views->trees, sizeof *x->tree);
    x->leaf_of = kn__arena_take(&x->arena, count, sizeof *x->leaf_of);
    x->left = kn__arena_take(&x->arena, count, sizeof *x->left);
    x->tuple = kn__arena_take(&x->arena, count, sizeof *x->tuple);
    x->place = kn__arena_zeros(&x->arena, x->stride, views->qis * sizeof *x->place);
    KN_TRY(kn__arena_check(&x->arena, err));
    for (size_t i = 0; i < views->trees; i++) {
        KN_TRY(hierarchy_init(&x->tree[i], &views->scale[i], &x->arena, err));
    }
    for (size_t t = 0; t < count; t++) {
        x->left[t] = once ? 1 : tuples->size[t];
    }
    KN_TRY(build(x, err));
done:
    if (status != KN_OK) {
        kn__index_free(x);
        return status;
    }
    *out = x;
    return KN_OK;
}

uint32_t kn__index_left(const kn_index *x, uint32_t t)
{
    return x->left[t];
}

void kn__index_take(kn_index *x, uint32_t t, uint32_t count)
{
    assert(count <= x->left[t]);
    x->left[t] -= count;
    for (uint32_t b = x->leaf_of[t]; count && x->left[t] == 0 && b != KN_NO_BOX;
         b = x->boxes[b].parent) {
        x->boxes[b].alive--;
    }
}

kn_status kn__index_tidy(kn_index *x, kn_error *err)
{
    return x->boxes_len > 1 && x->boxes[0].alive < x->slots / 2 ? build(x, err) : KN_OK;
}
