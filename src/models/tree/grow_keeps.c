/* grow_keeps.c - whether a split keeps the guarantee in all spans that have the leaf.
 *
 * Every span with several bins keeps it now, so only those matter that the split would part. Of
 * these, one with fewer than 2k records forbids it: a part would have fewer than k. So records are
 * counted only in large spans that are parted, and most answers come from the extents alone. */
#include "base/memory.h"
#include "base/sort.h"
#include "models/tree/grow_state.h"

#include <string.h>

bool kn__span_table_private_keeps(const kn_growing *g, uint32_t leaf)
{
    kn_span_table *b = g->book;
    kn_span_walk walk = kn__span_walk_over(b, b->node[leaf].spans);

    if (b->node[leaf].multiple) {
        return true; /* they are large enough already */
    }
    for (uint32_t span; (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        b->work++;
        if (b->span[span].end - b->span[span].begin < g->o->k) {
            return false;
        }
    }
    return true;
}

static bool is_small(const kn_growing *g, const kn_span_table_span *p)
{
    return p->end - p->begin < 2 * g->o->k;
}

bool kn__span_table_saturated(const kn_growing *g, uint32_t leaf)
{
    kn_span_table *b = g->book;
    kn_span_walk walk = kn__span_walk_over(b, b->node[leaf].spans);

    if (!b->node[leaf].multiple) {
        return false;
    }
    for (uint32_t span; (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        b->work++;
        if (!is_small(g, &b->span[span])) {
            return false;
        }
    }
    return true;
}

/* ---- what is known of a span ---- */

/* NULL: there is no memory, and the book knows. */
static kn_span_cache *memo_of(const kn_growing *g, uint32_t span, size_t number)
{
    kn_span_table_span *p = &g->book->span[span];

    if (!p->memo) {
        p->memo = kn__zalloc_array(g->o->attributes * KN_MEMOS, sizeof *p->memo);
    }
    if (!p->memo) {
        g->book->no_memory = true;
        return NULL;
    }
    return &p->memo[number];
}

static void note(const kn_growing *g, kn_span_cache *m, uint32_t number)
{
    if (g->book->no_memory || kn__grow(&m->at, &m->cap, m->len + 1, sizeof *m->at, NULL) != KN_OK) {
        g->book->no_memory = true;
        return;
    }
    m->at[m->len++] = number;
}

/* Count the records of a span into s->table; the codes that occur, ascending, into s->bins. */
static size_t count_span(const kn_growing *g, kn_grow_scratch *s, uint32_t span, uint32_t a)
{
    const kn_span_table_span *p = &g->book->span[span];
    const void *codes = g->book->codes[a];
    const uint8_t width = g->column[a].width;
    size_t seen = 0;

    for (size_t i = p->begin; i < p->end; i++) {
        const uint32_t code = kn__code_get(codes, width, i);
        if (!kn__grow_occurs(s, code, g->classes)) {
            s->bins[seen++] = code;
        }
        s->table[(size_t)code * g->classes + g->book->klass[i]]++;
    }
    g->book->work += p->end - p->begin + seen;
    kn__sort_u32(s->bins, seen);
    return seen;
}

static void clear_counts(const kn_growing *g, kn_grow_scratch *s, size_t seen)
{
    for (size_t i = 0; i < seen; i++) {
        memset(s->table + (size_t)s->bins[i] * g->classes, 0, g->classes * sizeof *s->table);
    }
}

/* ---- by cells ---- */

/* What occurs of category `a` in a span, by class. */
static const kn_span_cache *counts_of(const kn_growing *g, kn_grow_scratch *s, uint32_t span,
                                      uint32_t a)
{
    kn_span_cache *m = memo_of(g, span, (size_t)a * KN_MEMOS);
    size_t seen;

    if (!m || m->known) {
        return m;
    }
    seen = count_span(g, s, span, a);
    for (size_t i = 0; i < seen; i++) {
        for (uint32_t y = 0; y < g->classes; y++) {
            const uint32_t count = s->table[(size_t)s->bins[i] * g->classes + y];
            if (count) {
                note(g, m, s->bins[i]);
                note(g, m, y);
                note(g, m, count);
            }
        }
    }
    clear_counts(g, s, seen);
    m->known = true;
    return m;
}

/* The class counts of the parts of a span, into s->parts. */
static void count_parts(const kn_growing *g, kn_grow_scratch *s, uint32_t span, uint32_t a)
{
    const kn_span_table_span *p = &g->book->span[span];
    const kn_grow_column *c = &g->column[a];
    const size_t cells = (size_t)s->shape.cells + 1, classes = g->classes;
    const kn_span_cache *m = c->ordered || is_small(g, p) ? NULL : counts_of(g, s, span, a);

    memset(s->parts, 0, cells * classes * sizeof *s->parts);
    if (m) {
        for (size_t i = 0; i + 2 < m->len; i += 3) {
            s->parts[(size_t)s->shape.cell[m->at[i]] * classes + m->at[i + 1]] += m->at[i + 2];
        }
        g->book->work += m->len / 3 + cells;
        return;
    }
    for (size_t i = p->begin; i < p->end; i++) {
        const size_t cell = s->shape.cell[kn__code_get(g->book->codes[a], c->width, i)];
        s->parts[cell * classes + g->book->klass[i]]++;
    }
    g->book->work += p->end - p->begin + cells;
}

/* The parts of one span that break the guarantee, into s->bad; whether none does. */
static bool parts_keep(const kn_growing *g, kn_grow_scratch *s, uint32_t span, uint32_t a)
{
    const size_t cells = (size_t)s->shape.cells + 1, classes = g->classes;
    bool all = true;

    count_parts(g, s, span, a);
    for (size_t cell = 0; cell < cells; cell++) {
        uint64_t total = 0;
        for (size_t y = 0; y < classes; y++) {
            total += s->parts[cell * classes + y];
        }
        if (!kn__grow_keeps(g, s->parts + cell * classes, total)) {
            s->bad[cell] = 1;
            all = false;
        }
    }
    return all;
}

/* Whether the split parts no small span: this needs no counting, and most that are refused are
 * refused for it. */
static bool leaves_small_whole(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a)
{
    kn_span_table *b = g->book;
    kn_span_walk walk = kn__span_walk_over(b, b->node[leaf].spans);

    for (uint32_t span; (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        b->work++;
        if (is_small(g, &b->span[span]) && kn__span_table_cell(g, s, a, span) == KN_NO_CODE) {
            return false;
        }
    }
    return true;
}

bool kn__span_table_public_keeps(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                                 bool which)
{
    kn_span_table *b = g->book;
    kn_span_walk walk = kn__span_walk_over(b, b->node[leaf].spans);
    bool all = true;

    memset(s->bad, 0, (size_t)s->shape.cells + 1);
    if (!b->node[leaf].multiple) {
        return true;
    }
    kn__span_table_sift(g, s, a);
    if (!which && !leaves_small_whole(g, s, leaf, a)) {
        return false;
    }
    for (uint32_t span; (all || which) && (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        const kn_span_table_span *p = &b->span[span];
        b->work++;
        if ((which || !is_small(g, p)) && kn__span_table_cell(g, s, a, span) == KN_NO_CODE) {
            all = parts_keep(g, s, span, a) && all;
        }
    }
    return all;
}

/* ---- by thresholds ---- */

typedef struct reckoning {
    const kn_growing *g;
    kn_grow_scratch *s;
    const kn_grow_column *column;
    uint32_t attribute;
    unsigned mode;
    uint32_t first, last; /* thresholds behind bins first..last - 1 are asked about */
} reckoning;

/* Thresholds behind the bins from..to - 1 would break the guarantee. */
static void forbid(const reckoning *k, uint32_t from, uint32_t to)
{
    from = from > k->first ? from : k->first;
    to = to < k->last ? to : k->last;
    if (from < to) {
        k->s->forbidden[from]++;
        k->s->forbidden[to]--;
    }
}

/* A span of which no part may come off forbids what would part it. False: all would. */
static bool forbid_parting(const reckoning *k, kn_extent e)
{
    const uint32_t low = e.from.low, high = e.from.high & ~KN_EXTENT_GAPS;
    const bool gaps = e.from.high & KN_EXTENT_GAPS;

    if (low == UINT32_MAX) {
        return true; /* all are missing */
    }
    if (gaps && (k->mode == KN_GAPS_NONE || k->mode == KN_GAPS_OWN)) {
        return false;
    }
    forbid(k, gaps && k->mode == KN_GAPS_LEFT ? 0 : low,
           gaps && k->mode == KN_GAPS_RIGHT ? k->column->values : high);
    return true;
}

/* No threshold may be behind the bins from..to - 1. */
static void ban(const kn_growing *g, kn_span_cache *m, uint32_t from, uint32_t to)
{
    if (m->len > 0 && m->at[m->len - 1] == from) {
        m->at[m->len - 1] = to;
    } else if (from < to) {
        note(g, m, from);
        note(g, m, to);
    }
}

/* Thresholds that a span of these counts (`seen` bins in s->bins) does not stand. */
static void ban_by_counts(const reckoning *k, kn_span_cache *m, size_t seen)
{
    const kn_growing *g = k->g;
    kn_grow_scratch *s = k->s;
    const uint32_t *bins = s->bins;
    const size_t classes = g->classes;
    uint64_t *left = s->parts, *right = left + classes, *missing = right + classes;
    uint64_t n[3] = {0, 0, 0};
    uint32_t from = 0;
    bool kept = true;

    memset(s->parts, 0, 3 * classes * sizeof *s->parts);
    for (size_t i = 0; i < seen; i++) {
        const uint32_t *row = s->table + (size_t)bins[i] * classes;
        const bool gap = bins[i] == k->column->missing;
        for (size_t y = 0; y < classes; y++) {
            (gap ? missing : right)[y] += row[y];
            n[gap ? 2 : 1] += row[y];
        }
    }
    if (k->mode == KN_GAPS_NONE || k->mode == KN_GAPS_OWN) {
        m->none = !kn__grow_keeps(g, missing, n[2]);
    } else {
        for (size_t y = 0; y < classes; y++) {
            (k->mode == KN_GAPS_LEFT ? left : right)[y] += missing[y];
        }
        n[k->mode == KN_GAPS_LEFT ? 0 : 1] += n[2];
    }
    /* Thresholds before the first bin leave nothing, or the missing values, on the left. */
    kept = kn__grow_keeps(g, left, n[0]) && kn__grow_keeps(g, right, n[1]);
    for (size_t i = 0; i < seen && bins[i] != k->column->missing; i++) {
        const uint32_t *row = s->table + (size_t)bins[i] * classes;
        if (!kept) {
            ban(g, m, from, bins[i]);
        }
        from = bins[i];
        for (size_t y = 0; y < classes; y++) {
            left[y] += row[y];
            right[y] -= row[y];
            n[0] += row[y];
            n[1] -= row[y];
        }
        kept = kn__grow_keeps(g, left, n[0]) && kn__grow_keeps(g, right, n[1]);
    }
    if (!kept) {
        ban(g, m, from, k->column->values);
    }
}

/* What a large span forbids. False: all. */
static bool forbid_in_span(const reckoning *k, uint32_t span)
{
    const size_t way = k->mode == KN_GAPS_LEFT ? 1 : k->mode == KN_GAPS_RIGHT ? 2 : 0;
    kn_span_cache *m = memo_of(k->g, span, (size_t)k->attribute * KN_MEMOS + way);

    if (!m) {
        return false;
    }
    if (!m->known) {
        const size_t seen = count_span(k->g, k->s, span, k->attribute);
        ban_by_counts(k, m, seen);
        clear_counts(k->g, k->s, seen);
        m->known = true;
    }
    for (size_t i = 0; i + 1 < m->len; i += 2) {
        forbid(k, m->at[i], m->at[i + 1]);
    }
    k->g->book->work += m->len / 2;
    return !m->none;
}

/* Whether any threshold is left. */
static bool some_left(const reckoning *k)
{
    int32_t sum = 0;

    for (uint32_t bin = k->first; bin < k->last; bin++) {
        sum += k->s->forbidden[bin];
        if (sum == 0) {
            return true;
        }
    }
    return false;
}

/* What the small spans of the leaf forbid, or the large ones. False: all. */
static bool forbid_for_spans(const reckoning *k, uint32_t leaf, uint32_t a, bool small)
{
    kn_span_table *b = k->g->book;
    kn_span_walk walk = kn__span_walk_over(b, b->node[leaf].spans);
    bool some = true;

    for (uint32_t span; some && (span = kn__span_walk_next(&walk)) != KN_NO_CODE;) {
        const kn_span_table_span *p = &b->span[span];
        const kn_extent e = b->extent[span * k->g->o->attributes + a];
        b->work++;
        if (is_small(k->g, p) != small) {
            continue;
        }
        if (small) {
            some = forbid_parting(k, e);
        } else if ((e.from.high & KN_EXTENT_GAPS) ||
                   (e.from.low < k->last && e.from.high > k->first)) {
            some = forbid_in_span(k, span);
        }
    }
    return some && some_left(k);
}

bool kn__span_table_thresholds(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                               unsigned mode)
{
    const kn_grow_column *c = &g->column[a];
    const size_t numbers = s->seen - (s->touched[s->seen - 1] == c->missing);
    const reckoning k = {.g = g,
                         .s = s,
                         .column = c,
                         .attribute = a,
                         .mode = mode,
                         .first = s->touched[0],
                         .last = s->touched[numbers - 1]};

    memset(s->forbidden + k.first, 0, ((size_t)k.last - k.first + 1) * sizeof *s->forbidden);
    if (!g->book->node[leaf].multiple) {
        return true;
    }
    if (!forbid_for_spans(&k, leaf, a, true) || !forbid_for_spans(&k, leaf, a, false)) {
        return false;
    }
    for (uint32_t bin = k.first + 1; bin < k.last; bin++) {
        s->forbidden[bin] += s->forbidden[bin - 1];
    }
    return true;
}
