/* grow_book.c - the bookkeeping of Algorithm 1: which records share a span while a tree grows.
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
 * bins.
 *
 * Two spans never become one again: they differ in a leaf, and what comes of it differs too. So the
 * book is exact: it refuses nothing that Claim 3 would let pass. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/grow_inside.h"

#include <string.h>

kn_status kn_list_add(kn_list *list, uint32_t value, kn_error *err)
{
    const kn_status st = kn_grow(&list->at, &list->cap, list->len + 1, sizeof *list->at, err);

    if (st == KN_OK) {
        list->at[list->len++] = value;
    }
    return st;
}

static uint32_t bin_of(const kn_grow_column *c, uint32_t record)
{
    const uint32_t code = kn_column_code(c->is->column, record);

    return c->bin ? c->bin[code] : code;
}

/* Room for the lists of nodes up to `node`. */
static kn_status reach_node(kn_book *b, size_t node, kn_error *err)
{
    const kn_status st = kn_grow(&b->of, &b->of_cap, node + 1, sizeof *b->of, err);

    for (; st == KN_OK && b->of_len <= node; b->of_len++) {
        b->of[b->of_len] = (kn_list){0};
    }
    return st;
}

static kn_status add_span(kn_book *b, size_t begin, size_t end, bool multiple, uint32_t *number,
                          kn_error *err)
{
    const kn_status st = kn_grow(&b->span, &b->cap, b->spans + 1, sizeof *b->span, err);

    if (st == KN_OK) {
        *number = (uint32_t)b->spans;
        b->span[b->spans++] = (kn_book_span){.begin = begin, .end = end, .multiple = multiple};
    }
    return st;
}

kn_status kn_book_new(kn_book **out, const kn_growing *g, kn_error *err)
{
    const size_t records = g->tree->records;
    kn_book *b = kn_zalloc(sizeof *b);
    size_t begin = 0;
    kn_status st = KN_OK;

    *out = b;
    if (!b) {
        return kn_nomem(err);
    }
    b->record = kn_malloc_array(records, sizeof *b->record);
    b->scratch = kn_malloc_array(records, sizeof *b->scratch);
    if (!b->record || !b->scratch) {
        return kn_nomem(err);
    }
    st = reach_node(b, 0, err);
    for (size_t c = 0; st == KN_OK && c < (g->o->target_hidden ? 1 : g->classes); c++) {
        uint32_t span;
        size_t end = begin;
        for (size_t i = 0; i < records; i++) {
            const uint32_t r = g->tree->record[i];
            if (g->o->target_hidden || g->klass_of[r] == c) {
                b->record[end++] = r;
            }
        }
        if (end > begin) {
            st = add_span(b, begin, end, g->o->target_hidden && g->classes > 1, &span, err);
            if (st == KN_OK) {
                st = kn_list_add(&b->span[span].nodes, 0, err);
            }
            if (st == KN_OK) {
                st = kn_list_add(&b->of[0], span, err);
            }
        }
        begin = end;
    }
    return st;
}

void kn_book_free(kn_book *b)
{
    if (!b) {
        return;
    }
    for (size_t i = 0; i < b->spans; i++) {
        kn_free(b->span[i].nodes.at);
    }
    for (size_t i = 0; i < b->of_len; i++) {
        kn_free(b->of[i].at);
    }
    kn_free(b->span);
    kn_free(b->of);
    kn_free(b->record);
    kn_free(b->scratch);
    kn_free(b);
}

bool kn_book_private_keeps(const kn_growing *g, uint32_t leaf)
{
    const kn_list *spans = &g->book->of[leaf];

    g->book->work += spans->len;
    for (size_t i = 0; g->limits && i < spans->len; i++) {
        const kn_book_span *p = &g->book->span[spans->at[i]];
        if (p->end - p->begin < g->o->k) {
            return false;
        }
    }
    return true;
}

bool kn_book_saturated(const kn_growing *g, uint32_t leaf)
{
    const kn_list *spans = &g->book->of[leaf];

    for (size_t i = 0; i < spans->len; i++) {
        const kn_book_span *p = &g->book->span[spans->at[i]];
        if (!p->multiple || p->end - p->begin >= 2 * g->o->k) {
            return false;
        }
    }
    return true;
}

static bool is_parted(kn_book *b, const kn_book_span *p, const kn_grow_column *c,
                      const uint32_t *cell)
{
    const uint32_t first = cell[bin_of(c, b->record[p->begin])];
    size_t r = p->begin + 1;

    while (r < p->end && cell[bin_of(c, b->record[r])] == first) {
        r++;
    }
    b->work += r - p->begin;
    return r < p->end;
}

/* The parts of one span that break the guarantee, into s->bad; whether none does. */
static bool parts_keep(const kn_growing *g, kn_grow_scratch *s, const kn_book_span *p,
                       const kn_grow_column *c)
{
    const size_t cells = (size_t)s->shape.cells + 1, classes = g->classes;
    bool all = true;

    g->book->work += p->end - p->begin + cells;
    memset(s->parts, 0, cells * classes * sizeof *s->parts);
    for (size_t r = p->begin; r < p->end; r++) {
        const uint32_t record = g->book->record[r];
        s->parts[(size_t)s->shape.cell[bin_of(c, record)] * classes + g->klass_of[record]]++;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        uint64_t total = 0;
        for (size_t k = 0; k < classes; k++) {
            total += s->parts[cell * classes + k];
        }
        if (!kn_grow_keeps(g, s->parts + cell * classes, total)) {
            s->bad[cell] = 1;
            all = false;
        }
    }
    return all;
}

bool kn_book_public_keeps(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                          bool which)
{
    kn_book *b = g->book;
    const kn_grow_column *c = &g->column[a];
    const kn_list *spans = &b->of[leaf];
    bool all = true;

    memset(s->bad, 0, (size_t)s->shape.cells + 1);
    for (size_t i = 0; i < spans->len && (all || which); i++) {
        const kn_book_span *p = &b->span[spans->at[i]];
        if (!p->multiple) {
            continue;
        }
        if (!which && p->end - p->begin < 2 * g->o->k) {
            all = !is_parted(b, p, c, s->shape.cell); /* one part would have fewer than k */
        } else {
            all = parts_keep(g, s, p, c) && all;
        }
    }
    return all;
}

/* Thresholds behind the bins from..to - 1 would break the guarantee. */
static void forbid(kn_grow_scratch *s, uint32_t from, uint32_t to)
{
    s->forbidden[from]++;
    s->forbidden[to]--;
}

/* What one span forbids. Its bins, `seen` of them, ascend in `bins` and are counted in s->table.
 * False: it forbids all. */
static bool forbid_for_span(const kn_growing *g, kn_grow_scratch *s, const kn_grow_column *c,
                            unsigned mode, const uint32_t *bins, size_t seen)
{
    const size_t classes = g->classes;
    uint64_t *left = s->parts, *right = left + classes, *missing = right + classes;
    uint64_t n[3] = {0, 0, 0};
    uint32_t from = 0;
    bool kept = true;

    memset(s->parts, 0, 3 * classes * sizeof *s->parts);
    for (size_t i = 0; i < seen; i++) {
        const uint32_t *row = s->table + (size_t)bins[i] * classes;
        const bool gap = bins[i] == c->missing;
        for (size_t k = 0; k < classes; k++) {
            (gap ? missing : right)[k] += row[k];
            n[gap ? 2 : 1] += row[k];
        }
    }
    if (mode == KN_GAPS_NONE || mode == KN_GAPS_OWN) {
        if (!kn_grow_keeps(g, missing, n[2])) {
            return false;
        }
    } else {
        for (size_t k = 0; k < classes; k++) {
            (mode == KN_GAPS_LEFT ? left : right)[k] += missing[k];
        }
        n[mode == KN_GAPS_LEFT ? 0 : 1] += n[2];
    }
    /* Thresholds before the first bin leave nothing, or the missing values, on the left. */
    kept = kn_grow_keeps(g, left, n[0]) && kn_grow_keeps(g, right, n[1]);
    for (size_t i = 0; i < seen && bins[i] != c->missing; i++) {
        const uint32_t *row = s->table + (size_t)bins[i] * classes;
        if (!kept) {
            forbid(s, from, bins[i]);
        }
        from = bins[i];
        for (size_t k = 0; k < classes; k++) {
            left[k] += row[k];
            right[k] -= row[k];
            n[0] += row[k];
            n[1] -= row[k];
        }
        kept = kn_grow_keeps(g, left, n[0]) && kn_grow_keeps(g, right, n[1]);
    }
    if (!kept) {
        forbid(s, from, c->values);
    }
    return true;
}

bool kn_book_thresholds(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                        unsigned mode)
{
    kn_book *b = g->book;
    const kn_grow_column *c = &g->column[a];
    const kn_list *spans = &b->of[leaf];
    const size_t classes = g->classes;
    bool some = true;

    memset(s->forbidden, 0, ((size_t)c->values + 1) * sizeof *s->forbidden);
    for (size_t i = 0; g->limits && some && i < spans->len; i++) {
        const kn_book_span *p = &b->span[spans->at[i]];
        size_t seen = 0;
        if (!p->multiple) {
            continue;
        }
        for (size_t r = p->begin; r < p->end; r++) {
            const uint32_t record = b->record[r], bin = bin_of(c, record);
            if (!kn_grow_occurs(s, bin, classes)) {
                s->bins[seen++] = bin;
            }
            s->table[(size_t)bin * classes + g->klass_of[record]]++;
        }
        b->work += p->end - p->begin + seen;
        kn_sort_u32(s->bins, seen);
        some = forbid_for_span(g, s, c, mode, s->bins, seen);
        for (size_t j = 0; j < seen; j++) {
            memset(s->table + (size_t)s->bins[j] * classes, 0, classes * sizeof *s->table);
        }
    }
    for (uint32_t bin = 1; bin < c->values; bin++) {
        s->forbidden[bin] += s->forbidden[bin - 1];
    }
    return some;
}

/* In a list of nodes: `leaf` becomes its children (private split), or one of them. */
static kn_status take_children(kn_list *nodes, uint32_t leaf, uint32_t first, uint32_t count,
                               kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; i < nodes->len; i++) {
        if (nodes->at[i] == leaf) {
            nodes->at[i] = first;
            break;
        }
    }
    for (uint32_t j = 1; st == KN_OK && j < count; j++) {
        st = kn_list_add(nodes, first + j, err);
    }
    return st;
}

static kn_status split_private(kn_growing *g, uint32_t leaf, kn_error *err)
{
    kn_book *b = g->book;
    const kn_grown_node *n = &g->tree->node[leaf];
    const kn_list spans = b->of[leaf];
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && i < spans.len; i++) {
        kn_book_span *p = &b->span[spans.at[i]];
        p->multiple = true;
        b->work += p->nodes.len + n->children;
        b->nodes += n->children;
        st = take_children(&p->nodes, leaf, n->first, n->children, err);
        for (uint32_t j = 0; st == KN_OK && j < n->children; j++) {
            st = kn_list_add(&b->of[n->first + j], spans.at[i], err);
        }
    }
    return st;
}

/* A part of span `old` becomes a span of its own, with the same nodes but `leaf`, for which it has
 * `now`. */
static kn_status part_off(kn_book *b, uint32_t old, size_t begin, size_t end, uint32_t leaf,
                          uint32_t now, kn_error *err)
{
    uint32_t part;
    kn_status st = add_span(b, begin, end, b->span[old].multiple, &part, err);

    b->work += b->span[old].nodes.len;
    b->nodes += b->span[old].nodes.len;
    for (size_t i = 0; st == KN_OK && i < b->span[old].nodes.len; i++) {
        const uint32_t node = b->span[old].nodes.at[i] == leaf ? now : b->span[old].nodes.at[i];
        st = kn_list_add(&b->span[part].nodes, node, err);
        if (st == KN_OK) {
            st = kn_list_add(&b->of[node], part, err);
        }
    }
    return st;
}

/* Part one span by the cells of the split; cell `cells` is the node itself. */
static kn_status part_span(kn_growing *g, const kn_shape *shape, uint32_t leaf, uint32_t span,
                           size_t *starts, kn_error *err)
{
    kn_book *b = g->book;
    const kn_grown_node *n = &g->tree->node[leaf];
    const kn_grow_column *c = &g->column[n->attribute];
    const size_t begin = b->span[span].begin, end = b->span[span].end;
    const uint32_t cells = shape->cells;
    uint32_t first = KN_NO_CODE;
    kn_status st = KN_OK;

    b->work += end - begin + cells + b->span[span].nodes.len;
    memset(starts, 0, ((size_t)cells + 2) * sizeof *starts);
    for (size_t r = begin; r < end; r++) {
        starts[shape->cell[bin_of(c, b->record[r])] + 1]++;
    }
    starts[0] = begin;
    for (uint32_t i = 0; i <= cells; i++) {
        starts[i + 1] += starts[i];
    }
    memcpy(b->scratch, b->record + begin, (end - begin) * sizeof *b->scratch);
    for (size_t r = 0; r < end - begin; r++) {
        b->record[starts[shape->cell[bin_of(c, b->scratch[r])]]++] = b->scratch[r];
    }
    for (uint32_t i = 0; st == KN_OK && i <= cells; i++) {
        const size_t from = i ? starts[i - 1] : begin;
        const uint32_t now = i < cells ? n->first + i : leaf;
        if (from == starts[i]) {
            continue;
        }
        if (first == KN_NO_CODE) {
            first = now;
            b->span[span].end = starts[i];
        } else {
            st = part_off(b, span, from, starts[i], leaf, now, err);
        }
    }
    if (st == KN_OK) {
        st = take_children(&b->span[span].nodes, leaf, first, 1, err);
    }
    return st == KN_OK ? kn_list_add(&b->of[first], span, err) : st;
}

kn_status kn_book_split(kn_growing *g, const kn_shape *shape, uint32_t leaf, kn_error *err)
{
    kn_book *b = g->book;
    const kn_grown_node *n = &g->tree->node[leaf];
    kn_list spans;
    size_t *starts = NULL;
    kn_status st = reach_node(b, n->first + n->children, err);

    if (st == KN_OK && g->column[n->attribute].is->hidden) {
        return split_private(g, leaf, err);
    }
    if (st == KN_OK) {
        starts = kn_malloc_array((size_t)shape->cells + 2, sizeof *starts);
        st = starts ? KN_OK : kn_nomem(err);
    }
    if (st == KN_OK) {
        spans = b->of[leaf];
        b->of[leaf] = (kn_list){0}; /* of the node itself, from now on */
        for (size_t i = 0; st == KN_OK && i < spans.len; i++) {
            st = part_span(g, shape, leaf, spans.at[i], starts, err);
        }
        kn_free(spans.at);
    }
    kn_free(starts);
    return st;
}
