/* span_table.c - the bookkeeping of Algorithm 1: which records share a span while a tree grows.
 *
 * The span of a record is the set of bins that its public values allow: the bins of every leaf
 * whose public tests on the way to it the record passes, since private tests on the way can be met
 * by some private values (each leaf holds a record, which meets them). So records share a span when
 * they pass to the same leaves, and have the same class where the class is public.
 *
 * - A public split of a leaf parts all spans that have it, by the attribute, for all their records,
 *   also those that private values have sent elsewhere. Such records may have values that no record
 *   of the leaf has and no child takes: the node itself answers them, and is a bin like others.
 * - A private split gives its children to all spans that have the leaf, which then have several
 *   bins. So a span has several bins if a leaf of it is below a private split, or the class is
 *   private: all spans of a leaf do, or none.
 *
 * Two spans never become one again: they differ in a leaf, and what comes of it differs too. So the
 * book is exact: it refuses nothing that Claim 3 would let pass.
 *
 * A span may have the bins of thousands of leaves, and is nowhere asked which: only a leaf's spans
 * are. Parts of a span stay where it was, so a leaf lists stretches of places and need not hear of
 * what other leaves do. Most splits of a leaf follow cuts that others have made and part hardly a
 * span; the extents of the spans tell so without their records. */
#include "base/error.h"
#include "base/memory.h"
#include "models/tree/grow_state.h"

#include <string.h>

/* ---- spans ---- */

#define BOUNDS(type)                                 \
    for (size_t i = begin; i < end; i++) {           \
        const uint32_t code = ((const type *)at)[i]; \
        low = code < low ? code : low;               \
        high = code > high ? code : high;            \
    }

static kn_extent extent_of(const kn_grow_column *c, const void *at, size_t begin, size_t end)
{
    uint32_t low = UINT32_MAX, high = 0;
    kn_extent e = {0};

    if (kn__extent_is_set(c)) {
        for (size_t i = begin; i < end; i++) {
            e.set |= UINT64_C(1) << ((const uint8_t *)at)[i];
        }
        return e;
    }
    if (c->ordered && c->missing != KN_NO_CODE) {
        uint32_t gaps = 0;
        for (size_t i = begin; i < end; i++) {
            const uint32_t code = kn__code_get(at, c->width, i);
            if (code == c->missing) {
                gaps = KN_EXTENT_GAPS;
            } else {
                low = code < low ? code : low;
                high = code > high ? code : high;
            }
        }
        e.from.low = low;
        e.from.high = high | gaps;
        return e;
    }
    if (c->width == 1) {
        BOUNDS(uint8_t)
    } else if (c->width == 2) {
        BOUNDS(uint16_t)
    } else {
        BOUNDS(uint32_t)
    }
    e.from.low = low;
    e.from.high = high;
    return e;
}

static void measure(const kn_growing *g, kn_span_table *b, uint32_t span)
{
    const kn_span_table_span *p = &b->span[span];

    for (size_t a = 0; a < g->o->attributes; a++) {
        if (b->codes[a]) {
            b->extent[span * g->o->attributes + a] = extent_of(&g->column[a], b->codes[a], p->begin,
                                                               p->end);
        }
    }
}

void kn__span_table_forget(kn_span_table *b, uint32_t span)
{
    kn_span_cache *memo = b->span[span].memo;

    for (size_t i = 0; memo && i < b->attributes * KN_MEMOS; i++) {
        kn__free(memo[i].at);
    }
    kn__free(memo);
    b->span[span].memo = NULL;
}

/* A new span behind `behind`, or the first. */
static kn_status add_span(const kn_growing *g, kn_span_table *b, uint32_t behind, size_t begin,
                          size_t end, uint32_t nodes, uint32_t *number, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&b->span, &b->cap, b->spans + 1, sizeof *b->span, err));
    KN_TRY(kn__grow(&b->extent, &b->extent_cap, (b->spans + 1) * g->o->attributes,
                    sizeof *b->extent, err));
    *number = (uint32_t)b->spans++;
    b->span[*number] = (kn_span_table_span){
        .begin = (uint32_t)begin, .end = (uint32_t)end, .next = KN_NO_CODE, .nodes = nodes};
    b->bins += nodes;
    if (behind != KN_NO_CODE) {
        b->span[*number].next = b->span[behind].next;
        b->span[behind].next = *number;
    }
    measure(g, b, *number);
done:
    return status;
}

/* ---- lists ---- */

static kn_span_list *new_list(void)
{
    kn_span_list *list = kn__zalloc(sizeof *list);

    if (list) {
        list->nodes = 1;
    }
    return list;
}

static void let_go(kn_span_table *b, kn_span_list *list)
{
    if (list && --list->nodes == 0) {
        b->listed -= list->len;
        kn__free(list->at);
        kn__free(list);
    }
}

void kn__span_table_close(kn_span_table *b, uint32_t leaf)
{
    let_go(b, b->node[leaf].spans);
    b->node[leaf].spans = NULL;
}

static kn_status list_span(kn_span_table *b, kn_span_list *list, uint32_t span, kn_error *err)
{
    const kn_span_table_span *p = &b->span[span];
    kn_status st;

    if (list->len > 0 && list->at[list->len - 1].end == p->begin) {
        list->at[list->len - 1].end = p->end;
        return KN_OK;
    }
    st = kn__grow(&list->at, &list->cap, list->len + 1, sizeof *list->at, err);
    if (st == KN_OK) {
        list->at[list->len++] = (kn_span_run){.span = span, .end = p->end};
        b->listed++;
    }
    return st;
}

static kn_status add_nodes(kn_span_table *b, size_t nodes, kn_error *err)
{
    const kn_status st = kn__grow(&b->node, &b->node_cap, nodes, sizeof *b->node, err);

    for (; st == KN_OK && b->nodes < nodes; b->nodes++) {
        b->node[b->nodes] = (kn_span_table_node){0};
    }
    return st;
}

/* ---- the book ---- */

static kn_status copy_columns(kn_span_table *b, const kn_growing *g, kn_error *err)
{
    const size_t records = g->tree->records;

    b->attributes = g->o->attributes;
    b->codes = kn__zalloc_array(g->o->attributes, sizeof *b->codes);
    b->klass = kn__malloc_array(records, sizeof *b->klass);
    b->cell = kn__malloc_array(records, sizeof *b->cell);
    b->room = kn__malloc_array(records, sizeof(uint32_t));
    if (!b->codes || !b->klass || !b->cell || !b->room) {
        return kn__nomem(err);
    }
    memcpy(b->klass, g->klass, records * sizeof *b->klass);
    for (size_t a = 0; a < g->o->attributes; a++) {
        const kn_grow_column *c = &g->column[a];
        if (!c->is->hidden) {
            b->codes[a] = kn__malloc_array(records, c->width);
            if (!b->codes[a]) {
                return kn__nomem(err);
            }
            memcpy(b->codes[a], c->codes, records * c->width);
        }
    }
    return KN_OK;
}

/* Put `count` codes from `codes` on into the order of b->cell. */
static void scatter(kn_span_table *b, void *codes, uint8_t width, size_t begin, size_t count,
                    const size_t *starts, size_t *place, size_t cells)
{
    void *from = (char *)codes + begin * width;

    memcpy(place, starts, cells * sizeof *place);
    kn__grow_scatter(b->room, from, width, b->cell, place, count);
    memcpy(from, b->room, count * width);
}

/* Put the records of places begin..begin + count - 1 into the order of the cells in b->cell. By
 * cell, starts[] becomes where it begins, from 0 on; starts[cells] = count. `place` has room for
 * as many. */
static void order_by_cell(const kn_growing *g, kn_span_table *b, size_t begin, size_t count,
                          size_t cells, size_t *starts, size_t *place)
{
    memset(starts, 0, (cells + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[b->cell[i] + 1]++;
    }
    for (size_t i = 0; i < cells; i++) {
        starts[i + 1] += starts[i];
    }
    scatter(b, b->klass, 1, begin, count, starts, place, cells);
    for (size_t a = 0; a < g->o->attributes; a++) {
        if (b->codes[a]) {
            scatter(b, b->codes[a], g->column[a].width, begin, count, starts, place, cells);
        }
    }
}

/* One span, or one a class where the class is public. */
static kn_status first_spans(kn_span_table *b, const kn_growing *g, kn_error *err)
{
    const size_t records = g->tree->records, cells = g->o->target_hidden ? 1 : g->classes;
    size_t *starts = kn__malloc_array(2 * (cells + 1), sizeof *starts);
    uint32_t span = KN_NO_CODE;
    kn_status st = starts ? add_nodes(b, 1, err) : kn__nomem(err);

    if (st == KN_OK) {
        b->node[0].multiple = g->o->target_hidden && g->classes > 1;
        b->node[0].spans = new_list();
        st = b->node[0].spans ? KN_OK : kn__nomem(err);
    }
    if (st == KN_OK) {
        for (size_t i = 0; i < records; i++) {
            b->cell[i] = cells > 1 ? g->klass[i] : 0;
        }
        order_by_cell(g, b, 0, records, cells, starts, starts + cells + 1);
    }
    for (size_t i = 0; st == KN_OK && i < cells; i++) {
        if (starts[i] < starts[i + 1]) {
            st = add_span(g, b, span, starts[i], starts[i + 1], 1, &span, err);
            st = st == KN_OK ? list_span(b, b->node[0].spans, span, err) : st;
        }
    }
    kn__free(starts);
    return st;
}

kn_status kn__span_table_new(kn_span_table **out, const kn_growing *g, kn_error *err)
{
    kn_span_table *b = kn__zalloc(sizeof *b);
    kn_status st = b ? copy_columns(b, g, err) : kn__nomem(err);

    *out = b;
    return st == KN_OK ? first_spans(b, g, err) : st;
}

void kn__span_table_free(kn_span_table *b)
{
    if (!b) {
        return;
    }
    for (size_t i = 0; i < b->nodes; i++) {
        let_go(b, b->node[i].spans);
    }
    for (size_t i = 0; i < b->spans; i++) {
        kn__span_table_forget(b, (uint32_t)i);
    }
    kn__free(b->node);
    kn__free(b->span);
    kn__free(b->extent);
    for (size_t a = 0; b->codes && a < b->attributes; a++) {
        kn__free(b->codes[a]);
    }
    kn__free(b->codes);
    kn__free(b->klass);
    kn__free(b->cell);
    kn__free(b->room);
    kn__free(b);
}

/* ---- splits ---- */

void kn__span_table_sift(const kn_growing *g, kn_grow_scratch *s, uint32_t a)
{
    const kn_grow_column *c = &g->column[a];
    const uint32_t *cell = s->shape.cell;

    if (kn__extent_is_set(c)) {
        memset(s->in_cell, 0, ((size_t)s->shape.cells + 1) * sizeof *s->in_cell);
        for (uint32_t code = 0; code < c->values; code++) {
            s->in_cell[cell[code]] |= UINT64_C(1) << code;
        }
        return;
    }
    for (uint32_t code = c->values; code-- > 0;) {
        s->alike[code] = code + 1 < c->values && cell[code] == cell[code + 1] ? s->alike[code + 1]
                                                                              : code;
    }
}

uint32_t kn__span_table_cell(const kn_growing *g, const kn_grow_scratch *s, uint32_t a,
                             uint32_t span)
{
    const kn_span_table *b = g->book;
    const kn_grow_column *c = &g->column[a];
    const kn_extent e = b->extent[span * g->o->attributes + a];
    const uint32_t *cell = s->shape.cell;
    uint32_t first;

    if (kn__extent_is_set(c)) {
        first = cell[kn__code_get(b->codes[a], 1, b->span[span].begin)];
        return e.set & ~s->in_cell[first] ? KN_NO_CODE : first;
    }
    if (c->ordered) {
        const uint32_t high = e.from.high & ~KN_EXTENT_GAPS;
        if (e.from.low == UINT32_MAX) {
            return cell[c->missing];
        }
        first = cell[e.from.low];
        return s->alike[e.from.low] < high ||
                       ((e.from.high & KN_EXTENT_GAPS) && cell[c->missing] != first)
                   ? KN_NO_CODE
                   : first;
    }
    first = cell[e.from.low];
    if (s->alike[e.from.low] < e.from.high) {
        for (size_t i = b->span[span].begin; i < b->span[span].end; i++) {
            if (cell[kn__code_get(b->codes[a], c->width, i)] != first) {
                return KN_NO_CODE;
            }
        }
    }
    return first;
}

typedef struct parting {
    uint32_t attribute;
    const kn_shape *shape;
    kn_span_list **of; /* by cell: of the child */
    size_t *starts, *place;
} parting;

/* Part a span; cell `cells` is the node itself, which nothing splits again. */
static kn_status part_span(kn_growing *g, parting *by, uint32_t span, kn_error *err)
{
    kn_span_table *b = g->book;
    const size_t begin = b->span[span].begin, count = b->span[span].end - begin;
    const size_t cells = by->shape->cells;
    const kn_grow_column *c = &g->column[by->attribute];
    uint32_t part = KN_NO_CODE;
    kn_status st = KN_OK;

    b->work += count;
    for (size_t i = 0; i < count; i++) {
        b->cell[i] = by->shape->cell[kn__code_get(b->codes[by->attribute], c->width, begin + i)];
    }
    order_by_cell(g, b, begin, count, cells + 1, by->starts, by->place);
    for (size_t i = 0; st == KN_OK && i <= cells; i++) {
        const size_t from = begin + by->starts[i], to = begin + by->starts[i + 1];
        if (from == to) {
            continue;
        }
        if (part == KN_NO_CODE) {
            part = span;
            b->span[span].end = (uint32_t)to;
            kn__span_table_forget(b, span);
            measure(g, b, span);
        } else {
            st = add_span(g, b, part, from, to, b->span[span].nodes, &part, err);
        }
        if (st == KN_OK && i < cells) {
            st = list_span(b, by->of[i], part, err);
        }
    }
    return st;
}

static kn_status split_public(kn_growing *g, kn_grow_scratch *s, uint32_t leaf, kn_error *err)
{
    kn_span_table *b = g->book;
    const kn_shape *shape = &s->shape;
    const kn_grown_node *n = &g->tree->node[leaf];
    parting by = {.attribute = n->attribute, .shape = shape};
    kn_span_walk walk = kn__span_walk_over(b, b->node[leaf].spans);
    kn_status st = KN_OK;

    by.of = kn__zalloc_array(shape->cells, sizeof *by.of);
    by.starts = kn__malloc_array(2 * ((size_t)shape->cells + 2), sizeof *by.starts);
    if (!by.of || !by.starts) {
        st = kn__nomem(err);
    } else {
        by.place = by.starts + shape->cells + 2;
    }
    for (uint32_t i = 0; st == KN_OK && i < shape->cells; i++) {
        by.of[i] = b->node[n->first + i].spans = new_list();
        b->node[n->first + i].multiple = b->node[leaf].multiple;
        st = by.of[i] ? KN_OK : kn__nomem(err);
    }
    if (st == KN_OK) {
        kn__span_table_sift(g, s, by.attribute);
    }
    for (uint32_t span; st == KN_OK && (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        const uint32_t cell = kn__span_table_cell(g, s, by.attribute, span);
        b->work++;
        if (cell == KN_NO_CODE) {
            st = part_span(g, &by, span, err);
        } else if (cell < shape->cells) {
            st = list_span(b, by.of[cell], span, err);
        }
    }
    kn__free(by.of);
    kn__free(by.starts);
    return st;
}

/* The spans of the leaf have the bins of its children for its own. */
static void split_private(kn_span_table *b, const kn_grown_node *n, uint32_t leaf)
{
    kn_span_list *spans = b->node[leaf].spans;
    kn_span_walk walk = kn__span_walk_over(b, spans);

    for (uint32_t span; (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        b->span[span].nodes += n->children - 1;
        b->bins += n->children - 1;
        b->work++;
    }
    for (uint32_t i = 0; i < n->children; i++) {
        b->node[n->first + i] = (kn_span_table_node){.spans = spans, .multiple = true};
    }
    spans->nodes += n->children;
}

kn_status kn__span_table_split(kn_growing *g, kn_grow_scratch *s, uint32_t leaf, kn_error *err)
{
    kn_span_table *b = g->book;
    const kn_grown_node *n = &g->tree->node[leaf];
    kn_status st = add_nodes(b, (size_t)n->first + n->children, err);

    if (st == KN_OK && g->column[n->attribute].is->hidden) {
        split_private(b, n, leaf);
    } else if (st == KN_OK) {
        st = split_public(g, s, leaf, err);
    }
    if (st == KN_OK) {
        kn__span_table_close(b, leaf);
    }
    return st;
}
