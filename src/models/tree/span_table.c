/* span_table.c - which records share a span while a tree grows (the bookkeeping of Algorithm 1).
 *
 * The table is a partition of the records by span: the records of a span stand next to each other
 * in copies of the public columns, so a span is a pair of places. By leaf it lists the spans that
 * contain the bins of the leaf, as runs of adjacent spans.
 *
 * The span of a record (Definition 5) is the set of bins that its public values allow: the bins of
 * every leaf whose public tests the record passes on the path to it. Private tests on the path do
 * not matter: some private values pass them, since every leaf holds a record. So two records share
 * a span if they pass to the same leaves, and have the same class where the class is public.
 *
 * - A public split of a leaf refines the partition (partition refinement): it splits every span of
 *   the leaf by the attribute, with all its records, also those that private values have sent to
 *   other leaves. Such a record may have a value that does not occur in the leaf and that no child
 *   takes. The split node itself answers it, and its bins are equivalence classes like others.
 * - A private split replaces the bins of the leaf by those of its children in every span of the
 *   leaf, which from then on contains several bins. So a span contains several bins if one of its
 *   leaves is below a private split, or if the class is private. This is so for all spans of a leaf
 *   or for none.
 *
 * Invariant: two records have the same entry if and only if they have the same span. Spans never
 * merge again: two that differ in a leaf differ in its children. So the check of Claim 3 on this
 * table is exact; it refuses no split that Claim 3 would allow.
 *
 * The bins of a span are never listed, as there may be thousands. The parts of a split span keep
 * its places, so the lists of other leaves stay valid. Most splits of a leaf follow splits that
 * other leaves have made, and divide hardly any span; the extents show that without a look at the
 * records. */
#include "base/error.h"
#include "base/memory.h"
#include "models/tree/grow_state.h"

#include <string.h>

/* ---- spans ---- */

/* Least and greatest code; one loop per width, which compilers turn into vector code. */
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
        uint32_t has_missing = 0;
        for (size_t i = begin; i < end; i++) {
            const uint32_t code = kn__code_get(at, c->width, i);
            if (code == c->missing) {
                has_missing = KN_EXTENT_HAS_MISSING;
            } else {
                low = code < low ? code : low;
                high = code > high ? code : high;
            }
        }
        high |= has_missing;
    } else if (c->width == 1) {
        BOUNDS(uint8_t)
    } else if (c->width == 2) {
        BOUNDS(uint16_t)
    } else {
        BOUNDS(uint32_t)
    }
    e.range.low = low;
    e.range.high = high;
    return e;
}

static void update_extents(const kn_grow_state *g, kn_span_table *t, uint32_t span)
{
    const kn_span_entry *p = &t->span[span];

    for (size_t a = 0; a < g->o->attributes; a++) {
        if (t->codes[a]) {
            t->extent[span * g->o->attributes + a] = extent_of(&g->column[a], t->codes[a], p->begin,
                                                               p->end);
        }
    }
}

/* Drop the cache of a span whose records have changed. */
static void span_table_drop_cache(kn_span_table *t, uint32_t span)
{
    kn_span_cache *cache = t->span[span].cache;

    for (size_t i = 0; cache && i < t->attributes * KN_SPAN_CACHES; i++) {
        kn__free(cache[i].at);
    }
    kn__free(cache);
    t->span[span].cache = NULL;
}

/* Add the span of places begin..end - 1 after span `after`, or the first one (KN_NO_CODE). */
static kn_status add_span(const kn_grow_state *g, kn_span_table *t, uint32_t after, size_t begin,
                          size_t end, uint32_t *number, kn_error *err)
{
    KN_PASS(kn__grow(&t->span, &t->cap, t->spans + 1, sizeof *t->span, err));
    KN_PASS(kn__grow(&t->extent, &t->extent_cap, (t->spans + 1) * g->o->attributes,
                     sizeof *t->extent, err));
    *number = (uint32_t)t->spans++;
    t->span[*number] = (kn_span_entry){.begin = (uint32_t)begin,
                                       .end = (uint32_t)end,
                                       .next = KN_NO_CODE};
    if (after != KN_NO_CODE) {
        t->span[*number].next = t->span[after].next;
        t->span[after].next = *number;
    }
    update_extents(g, t, *number);
    return KN_OK;
}

/* ---- lists ---- */

static kn_span_list *new_list(void)
{
    kn_span_list *list = kn__zalloc(sizeof *list);

    if (list) {
        list->references = 1;
    }
    return list;
}

static void release_list(kn_span_table *t, kn_span_list *list)
{
    if (list && --list->references == 0) {
        t->runs -= list->len;
        KN_FREE(list->at, list);
    }
}

void kn__span_table_close(kn_span_table *t, uint32_t leaf)
{
    release_list(t, t->leaf[leaf].spans);
    t->leaf[leaf].spans = NULL;
}

/* Append a span to the list; spans come in the order of their places. */
static kn_status list_span(kn_span_table *t, kn_span_list *list, uint32_t span, kn_error *err)
{
    const kn_span_entry *p = &t->span[span];
    kn_status status;

    if (list->len > 0 && list->at[list->len - 1].end == p->begin) {
        list->at[list->len - 1].end = p->end;
        return KN_OK;
    }
    status = kn__grow(&list->at, &list->cap, list->len + 1, sizeof *list->at, err);
    if (status == KN_OK) {
        list->at[list->len++] = (kn_span_run){.span = span, .end = p->end};
        t->runs++;
    }
    return status;
}

static kn_status add_leaves(kn_span_table *t, size_t nodes, kn_error *err)
{
    const kn_status status = kn__grow(&t->leaf, &t->leaf_cap, nodes, sizeof *t->leaf, err);

    if (status == KN_OK && t->leaves < nodes) {
        memset(t->leaf + t->leaves, 0, (nodes - t->leaves) * sizeof *t->leaf);
        t->leaves = nodes;
    }
    return status;
}

/* ---- the table ---- */

static kn_status copy_columns(kn_span_table *t, const kn_grow_state *g, kn_error *err)
{
    const size_t records = g->tree->records;

    t->attributes = g->o->attributes;
    t->codes = kn__zalloc_array(g->o->attributes, sizeof *t->codes);
    t->klass = kn__malloc_array(records, sizeof *t->klass);
    t->child = kn__malloc_array(records, sizeof *t->child);
    t->buffer = kn__malloc_array(records, sizeof(uint32_t));
    KN_PASS(t->codes && t->klass && t->child && t->buffer ? KN_OK : kn__nomem(err));
    memcpy(t->klass, g->klass, records * sizeof *t->klass);
    for (size_t a = 0; a < g->o->attributes; a++) {
        const kn_grow_column *c = &g->column[a];
        if (!c->attribute->hidden) {
            t->codes[a] = kn__malloc_array(records, c->width);
            KN_PASS(t->codes[a] ? KN_OK : kn__nomem(err));
            memcpy(t->codes[a], c->codes, records * c->width);
        }
    }
    return KN_OK;
}

/* Put `count` codes from place `begin` on into the order of t->child. */
static void scatter(kn_span_table *t, void *codes, uint8_t width, size_t begin, size_t count,
                    const size_t *starts, size_t *place, size_t children)
{
    void *from = (char *)codes + begin * width;

    memcpy(place, starts, children * sizeof *place);
    kn__grow_scatter(t->buffer, from, width, t->child, place, count);
    memcpy(from, t->buffer, count * width);
}

/* Counting sort of the records at places begin..begin + count - 1 by t->child. starts[child]
 * becomes the offset of its first record, starts[children] = count. `place` is scratch of
 * `children`. */
static void order_by_child(const kn_grow_state *g, kn_span_table *t, size_t begin, size_t count,
                           size_t children, size_t *starts, size_t *place)
{
    memset(starts, 0, (children + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[t->child[i] + 1]++;
    }
    for (size_t i = 0; i < children; i++) {
        starts[i + 1] += starts[i];
    }
    scatter(t, t->klass, 1, begin, count, starts, place, children);
    for (size_t a = 0; a < g->o->attributes; a++) {
        if (t->codes[a]) {
            scatter(t, t->codes[a], g->column[a].width, begin, count, starts, place, children);
        }
    }
}

/* One span for all records, or one per class where the class is public. */
static kn_status initial_spans(kn_span_table *t, const kn_grow_state *g, kn_error *err)
{
    const size_t records = g->tree->records, spans = g->o->target_hidden ? 1 : g->classes;
    size_t *starts = kn__malloc_array(2 * (spans + 1), sizeof *starts);
    uint32_t span = KN_NO_CODE;
    kn_status status;

    KN_TRY(starts ? add_leaves(t, 1, err) : kn__nomem(err));
    t->leaf[0].several_bins = g->o->target_hidden && g->classes > 1;
    t->leaf[0].spans = new_list();
    KN_TRY(t->leaf[0].spans ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        t->child[i] = spans > 1 ? g->klass[i] : 0;
    }
    order_by_child(g, t, 0, records, spans, starts, starts + spans + 1);
    for (size_t i = 0; i < spans; i++) {
        if (starts[i] < starts[i + 1]) {
            KN_TRY(add_span(g, t, span, starts[i], starts[i + 1], &span, err));
            KN_TRY(list_span(t, t->leaf[0].spans, span, err));
        }
    }
done:
    kn__free(starts);
    return status;
}

kn_status kn__span_table_new(kn_span_table **out, const kn_grow_state *g, kn_error *err)
{
    kn_span_table *t = kn__zalloc(sizeof *t);

    *out = t;
    KN_PASS(t ? copy_columns(t, g, err) : kn__nomem(err));
    return initial_spans(t, g, err);
}

void kn__span_table_free(kn_span_table *t)
{
    if (!t) {
        return;
    }
    for (size_t i = 0; i < t->leaves; i++) {
        release_list(t, t->leaf[i].spans);
    }
    for (size_t i = 0; i < t->spans; i++) {
        span_table_drop_cache(t, (uint32_t)i);
    }
    KN_FREE(t->leaf, t->span, t->extent);
    for (size_t a = 0; t->codes && a < t->attributes; a++) {
        kn__free(t->codes[a]);
    }
    KN_FREE(t->codes, t->klass, t->child, t->buffer, t);
}

/* ---- splits ---- */

void kn__span_table_index_split(const kn_grow_state *g, kn_grow_scratch *s, uint32_t a)
{
    const kn_grow_column *c = &g->column[a];
    const uint32_t *child = s->split.child;

    if (kn__extent_is_set(c)) {
        memset(s->codes_of_child, 0, ((size_t)s->split.children + 1) * sizeof *s->codes_of_child);
        for (uint32_t code = 0; code < c->values; code++) {
            s->codes_of_child[child[code]] |= UINT64_C(1) << code;
        }
        return;
    }
    for (uint32_t code = c->values; code-- > 0;) {
        s->same_child_until[code] = code + 1 < c->values && child[code] == child[code + 1]
                                        ? s->same_child_until[code + 1]
                                        : code;
    }
}

/* Whether all records of a span have a value that `child` takes: a look at each. */
static bool all_go_to(const kn_span_table *t, const kn_split *split, const kn_grow_column *c,
                      uint32_t a, uint32_t span, uint32_t child)
{
    for (size_t i = t->span[span].begin; i < t->span[span].end; i++) {
        if (split->child[kn__code_get(t->codes[a], c->width, i)] != child) {
            return false;
        }
    }
    return true;
}

uint32_t kn__span_table_common_child(const kn_grow_state *g, const kn_grow_scratch *s, uint32_t a,
                                     uint32_t span)
{
    const kn_span_table *t = g->spans;
    const kn_grow_column *c = &g->column[a];
    const kn_extent e = t->extent[span * g->o->attributes + a];
    const uint32_t *child = s->split.child;
    const uint32_t low = e.range.low, high = e.range.high & ~KN_EXTENT_HAS_MISSING;
    uint32_t first;
    bool common;

    if (kn__extent_is_set(c)) {
        first = child[kn__code_get(t->codes[a], 1, t->span[span].begin)];
        common = (e.set & ~s->codes_of_child[first]) == 0;
    } else if (!c->ordered) {
        first = child[low];
        common = s->same_child_until[low] >= e.range.high ||
                 all_go_to(t, &s->split, c, a, span, first);
    } else if (low == UINT32_MAX) {
        first = child[c->missing];
        common = true;
    } else {
        first = child[low];
        common = s->same_child_until[low] >= high &&
                 (!(e.range.high & KN_EXTENT_HAS_MISSING) || child[c->missing] == first);
    }
    return common ? first : KN_NO_CODE;
}

/* A public split that is applied to the spans of its leaf. */
typedef struct refinement {
    uint32_t attribute;
    const kn_split *split;
    kn_span_list **list;    /* by child: its spans */
    size_t *starts, *place; /* scratch: by child, see order_by_child */
} refinement;

/* Split a span into the records of each child. The last part are the records that no child takes:
 * the node answers them, and is never split again, so it needs no list. */
static kn_status split_span(kn_grow_state *g, refinement *by, uint32_t span, kn_error *err)
{
    kn_span_table *t = g->spans;
    const size_t begin = t->span[span].begin, count = t->span[span].end - begin;
    const size_t children = by->split->children;
    const kn_grow_column *c = &g->column[by->attribute];
    uint32_t part = KN_NO_CODE;

    t->work += count;
    for (size_t i = 0; i < count; i++) {
        t->child[i] = by->split->child[kn__code_get(t->codes[by->attribute], c->width, begin + i)];
    }
    order_by_child(g, t, begin, count, children + 1, by->starts, by->place);
    for (size_t i = 0; i <= children; i++) {
        const size_t from = begin + by->starts[i], to = begin + by->starts[i + 1];
        if (from == to) {
            continue;
        }
        if (part == KN_NO_CODE) { /* the first part keeps the entry of the span */
            part = span;
            t->span[span].end = (uint32_t)to;
            span_table_drop_cache(t, span);
            update_extents(g, t, span);
        } else {
            KN_PASS(add_span(g, t, part, from, to, &part, err));
        }
        if (i < children) {
            KN_PASS(list_span(t, by->list[i], part, err));
        }
    }
    return KN_OK;
}

static kn_status split_public(kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, kn_error *err)
{
    kn_span_table *t = g->spans;
    const kn_split *split = &s->split;
    const kn_grown_node *n = &g->tree->node[leaf];
    refinement by = {.attribute = n->attribute, .split = split};
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);
    kn_status status;

    by.list = kn__zalloc_array(split->children, sizeof *by.list);
    by.starts = kn__malloc_array(2 * ((size_t)split->children + 2), sizeof *by.starts);
    KN_TRY(by.list && by.starts ? KN_OK : kn__nomem(err));
    by.place = by.starts + split->children + 2;
    for (uint32_t i = 0; i < split->children; i++) {
        by.list[i] = t->leaf[n->first + i].spans = new_list();
        t->leaf[n->first + i].several_bins = t->leaf[leaf].several_bins;
        KN_TRY(by.list[i] ? KN_OK : kn__nomem(err));
    }
    kn__span_table_index_split(g, s, by.attribute);
    for (uint32_t span; (span = kn__next_span(&spans)) != KN_NO_CODE;) {
        const uint32_t child = kn__span_table_common_child(g, s, by.attribute, span);
        t->work++;
        if (child == KN_NO_CODE) {
            KN_TRY(split_span(g, &by, span, err));
        } else if (child < split->children) {
            KN_TRY(list_span(t, by.list[child], span, err));
        }
    }
done:
    KN_FREE(by.list, by.starts);
    return status;
}

/* The children share the spans of the leaf, each of which contains several bins now. */
static void split_private(kn_span_table *t, const kn_grown_node *n, uint32_t leaf)
{
    kn_span_list *list = t->leaf[leaf].spans;
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);

    while (kn__next_span(&spans) != KN_NO_CODE) {
        t->work++; /* the limit of work counts every span of a split leaf */
    }
    for (uint32_t i = 0; i < n->children; i++) {
        t->leaf[n->first + i] = (kn_span_leaf){.spans = list, .several_bins = true};
    }
    list->references += n->children;
}

kn_status kn__span_table_split(kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, kn_error *err)
{
    kn_span_table *t = g->spans;
    const kn_grown_node *n = &g->tree->node[leaf];

    KN_PASS(add_leaves(t, (size_t)n->first + n->children, err));
    if (g->column[n->attribute].attribute->hidden) {
        split_private(t, n, leaf);
    } else {
        KN_PASS(split_public(g, s, leaf, err));
    }
    kn__span_table_close(t, leaf);
    return KN_OK;
}
