/* grow_check.c - whether a split keeps every span safe: Claim 3 for a candidate of Algorithm 1.
 *
 * Invariant of the growing tree: every span with several bins satisfies the guarantee. So a public
 * split has to be checked only in those spans of the leaf that it would divide. A small span, of
 * fewer than 2k records, can never be divided: one part would have fewer than k. Whether a span
 * would be divided follows from its extent, so only large spans are counted, and their counts are
 * cached, as every leaf of a span asks for the same.
 *
 * A private split divides no span. It gives spans of one bin several, so these need k records. */
#include "base/memory.h"
#include "base/sort.h"
#include "models/tree/grow_state.h"

#include <string.h>

static size_t records_of(const kn_span_entry *span)
{
    return span->end - span->begin;
}

static bool is_small(const kn_grow_state *g, const kn_span_entry *span)
{
    return records_of(span) < 2 * g->o->k;
}

bool kn__private_split_is_safe(const kn_grow_state *g, uint32_t leaf)
{
    kn_span_table *t = g->spans;
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);

    if (t->leaf[leaf].several_bins) {
        return true;
    }
    for (uint32_t span; (span = kn__next_span(&spans)) != KN_NO_CODE;) {
        t->work++;
        if (records_of(&t->span[span]) < g->o->k) {
            return false;
        }
    }
    return true;
}

bool kn__span_table_saturated(const kn_grow_state *g, uint32_t leaf)
{
    kn_span_table *t = g->spans;
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);

    if (!t->leaf[leaf].several_bins) {
        return false;
    }
    for (uint32_t span; (span = kn__next_span(&spans)) != KN_NO_CODE;) {
        t->work++;
        if (!is_small(g, &t->span[span])) {
            return false;
        }
    }
    return true;
}

/* ---- the cache of a span ---- */

/* NULL: there is no memory; the table notes it, and the caller of the check fails. */
static kn_span_cache *cache_of(const kn_grow_state *g, uint32_t span, size_t number)
{
    kn_span_entry *p = &g->spans->span[span];

    if (!p->cache) {
        p->cache = kn__zalloc_array(g->o->attributes * KN_SPAN_CACHES, sizeof *p->cache);
    }
    if (!p->cache) {
        g->spans->no_memory = true;
        return NULL;
    }
    return &p->cache[number];
}

static void append(const kn_grow_state *g, kn_span_cache *to, uint32_t number)
{
    if (g->spans->no_memory ||
        kn__grow(&to->at, &to->cap, to->len + 1, sizeof *to->at, NULL) != KN_OK) {
        g->spans->no_memory = true;
        return;
    }
    to->at[to->len++] = number;
}

/* Count the records of a span into s->table; the codes that occur, ascending, into s->span_codes.
 * Returns how many occur. */
static size_t count_span(const kn_grow_state *g, kn_grow_scratch *s, uint32_t span, uint32_t a)
{
    const kn_span_entry *p = &g->spans->span[span];
    const void *codes = g->spans->codes[a];
    const uint8_t width = g->column[a].width;
    size_t occurring = 0;

    for (size_t i = p->begin; i < p->end; i++) {
        const uint32_t code = kn__code_get(codes, width, i);
        if (!kn__grow_occurs(s, code, g->classes)) {
            s->span_codes[occurring++] = code;
        }
        s->table[(size_t)code * g->classes + g->spans->klass[i]]++;
    }
    g->spans->work += records_of(p) + occurring;
    kn__sort_u32(s->span_codes, occurring);
    return occurring;
}

static void clear_counts(const kn_grow_state *g, kn_grow_scratch *s, size_t occurring)
{
    for (size_t i = 0; i < occurring; i++) {
        memset(s->table + (size_t)s->span_codes[i] * g->classes, 0, g->classes * sizeof *s->table);
    }
}

/* ---- splits of categories ---- */

/* The counts of category `a` in a span by code and class; NULL: no memory. */
static const kn_span_cache *counts_of(const kn_grow_state *g, kn_grow_scratch *s, uint32_t span,
                                      uint32_t a)
{
    kn_span_cache *cache = cache_of(g, span, (size_t)a * KN_SPAN_CACHES);
    size_t occurring;

    if (!cache || cache->filled) {
        return cache;
    }
    occurring = count_span(g, s, span, a);
    for (size_t i = 0; i < occurring; i++) {
        for (uint32_t y = 0; y < g->classes; y++) {
            const uint32_t count = s->table[(size_t)s->span_codes[i] * g->classes + y];
            if (count) {
                append(g, cache, s->span_codes[i]);
                append(g, cache, y);
                append(g, cache, count);
            }
        }
    }
    clear_counts(g, s, occurring);
    cache->filled = true;
    return cache;
}

/* The class counts of the parts that s->split would divide a span into: s->parts. */
static void count_parts(const kn_grow_state *g, kn_grow_scratch *s, uint32_t span, uint32_t a)
{
    const kn_span_entry *p = &g->spans->span[span];
    const kn_grow_column *c = &g->column[a];
    const size_t parts = (size_t)s->split.children + 1, classes = g->classes;
    const kn_span_cache *cache = c->ordered || is_small(g, p) ? NULL : counts_of(g, s, span, a);

    memset(s->parts, 0, parts * classes * sizeof *s->parts);
    if (cache) {
        for (size_t i = 0; i + 2 < cache->len; i += 3) {
            const size_t child = s->split.child[cache->at[i]];
            s->parts[child * classes + cache->at[i + 1]] += cache->at[i + 2];
        }
        g->spans->work += cache->len / 3 + parts;
        return;
    }
    for (size_t i = p->begin; i < p->end; i++) {
        const size_t child = s->split.child[kn__code_get(g->spans->codes[a], c->width, i)];
        s->parts[child * classes + g->spans->klass[i]]++;
    }
    g->spans->work += records_of(p) + parts;
}

/* Whether all parts of a span are safe; s->violates of the children whose part is not. */
static bool parts_are_safe(const kn_grow_state *g, kn_grow_scratch *s, uint32_t span, uint32_t a)
{
    const size_t parts = (size_t)s->split.children + 1, classes = g->classes;
    bool safe = true;

    count_parts(g, s, span, a);
    for (size_t child = 0; child < parts; child++) {
        const uint64_t *counts = s->parts + child * classes;
        if (!kn__grow_counts_are_safe(g, counts, kn__grow_total(counts, classes))) {
            s->violates[child] = 1;
            safe = false;
        }
    }
    return safe;
}

/* Most unsafe splits divide a small span, which extents alone show; so this is looked at first. */
static bool divides_small_span(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf,
                               uint32_t a)
{
    kn_span_table *t = g->spans;
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);

    for (uint32_t span; (span = kn__next_span(&spans)) != KN_NO_CODE;) {
        t->work++;
        if (is_small(g, &t->span[span]) &&
            kn__span_table_common_child(g, s, a, span) == KN_NO_CODE) {
            return true;
        }
    }
    return false;
}

bool kn__public_split_is_safe(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                              bool which)
{
    kn_span_table *t = g->spans;
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);
    bool safe = true;

    memset(s->violates, 0, (size_t)s->split.children + 1);
    if (!t->leaf[leaf].several_bins) {
        return true;
    }
    kn__span_table_index_split(g, s, a);
    if (!which && divides_small_span(g, s, leaf, a)) {
        return false;
    }
    for (uint32_t span; (safe || which) && (span = kn__next_span(&spans)) != KN_NO_CODE;) {
        t->work++;
        if ((which || !is_small(g, &t->span[span])) &&
            kn__span_table_common_child(g, s, a, span) == KN_NO_CODE) {
            safe = parts_are_safe(g, s, span, a) && safe;
        }
    }
    return safe;
}

/* ---- thresholds ----
 *
 * A threshold stands after a bin. Each span forbids ranges of bins; s->forbidden collects them as a
 * difference array (+1 where a range begins, -1 where it ends), and its prefix sums say at the end
 * how many spans forbid a threshold after a bin. */

typedef struct threshold_check {
    const kn_grow_state *g;
    kn_grow_scratch *s;
    const kn_grow_column *column;
    uint32_t attribute;
    unsigned mode;        /* where missing values go: KN_MISSING_* */
    uint32_t first, last; /* thresholds after the bins first..last - 1 are candidates */
} threshold_check;

/* Whether no child takes missing values: none is in the leaf. Spans may have some all the same. */
static bool missing_apart(const threshold_check *k)
{
    return k->mode == KN_MISSING_NONE;
}

/* Forbid thresholds after the bins from..to - 1. */
static void forbid(const threshold_check *k, uint32_t from, uint32_t to)
{
    from = from > k->first ? from : k->first;
    to = to < k->last ? to : k->last;
    if (from < to) {
        k->s->forbidden[from]++;
        k->s->forbidden[to]--;
    }
}

/* Forbid all thresholds that divide a small span; e is its extent. False: all thresholds do. */
static bool forbid_in_small(const threshold_check *k, kn_extent e)
{
    const bool has_missing = e.range.high & KN_EXTENT_HAS_MISSING;
    uint32_t from = e.range.low, to = e.range.high & ~KN_EXTENT_HAS_MISSING;

    if (from == UINT32_MAX) {
        return true; /* all values are missing, and stay together */
    }
    if (has_missing && missing_apart(k)) {
        return false;
    }
    if (has_missing && k->mode == KN_MISSING_LEFT) {
        from = 0;
    } else if (has_missing) {
        to = k->column->values;
    }
    forbid(k, from, to);
    return true;
}

/* Note in the cache that thresholds after the bins from..to - 1 are unsafe. Ranges ascend. */
static void append_range(const kn_grow_state *g, kn_span_cache *cache, uint32_t from, uint32_t to)
{
    if (cache->len > 0 && cache->at[cache->len - 1] == from) {
        cache->at[cache->len - 1] = to;
    } else if (from < to) {
        append(g, cache, from);
        append(g, cache, to);
    }
}

/* The class counts of a span on both sides of a threshold that moves from left to right. */
typedef struct side_counts {
    uint64_t *left, *right, *missing;
    uint64_t left_total, right_total, missing_total;
} side_counts;

/* All records of the span are on the right side, missing values where the mode puts them. */
static side_counts start_sides(const threshold_check *k, size_t occurring)
{
    const size_t classes = k->g->classes;
    const kn_grow_scratch *s = k->s;
    side_counts n = {.left = s->parts,
                     .right = s->parts + classes,
                     .missing = s->parts + 2 * classes};

    memset(s->parts, 0, 3 * classes * sizeof *s->parts);
    for (size_t i = 0; i < occurring; i++) {
        const uint32_t *row = s->table + (size_t)s->span_codes[i] * classes;
        uint64_t *to = s->span_codes[i] == k->column->missing ? n.missing : n.right;
        for (size_t y = 0; y < classes; y++) {
            to[y] += row[y];
        }
    }
    n.right_total = kn__grow_total(n.right, classes);
    n.missing_total = kn__grow_total(n.missing, classes);
    if (!missing_apart(k)) {
        const bool left = k->mode == KN_MISSING_LEFT;
        for (size_t y = 0; y < classes; y++) {
            (left ? n.left : n.right)[y] += n.missing[y];
        }
        *(left ? &n.left_total : &n.right_total) += n.missing_total;
    }
    return n;
}

static bool sides_are_safe(const kn_grow_state *g, const side_counts *n)
{
    return kn__grow_counts_are_safe(g, n->left, n->left_total) &&
           kn__grow_counts_are_safe(g, n->right, n->right_total);
}

/* Find the thresholds that are unsafe for a span: one sweep over its counts by ascending bin. */
static void fill_ranges(const threshold_check *k, kn_span_cache *cache, size_t occurring)
{
    const kn_grow_state *g = k->g;
    const uint32_t *bins = k->s->span_codes;
    side_counts n = start_sides(k, occurring);
    uint32_t from = 0;
    bool safe = sides_are_safe(g, &n);

    if (missing_apart(k)) {
        cache->none_allowed = !kn__grow_counts_are_safe(g, n.missing, n.missing_total);
    }
    for (size_t i = 0; i < occurring && bins[i] != k->column->missing; i++) {
        const uint32_t *row = k->s->table + (size_t)bins[i] * g->classes;
        if (!safe) {
            append_range(g, cache, from, bins[i]);
        }
        from = bins[i];
        for (size_t y = 0; y < g->classes; y++) {
            n.left[y] += row[y];
            n.right[y] -= row[y];
            n.left_total += row[y];
            n.right_total -= row[y];
        }
        safe = sides_are_safe(g, &n);
    }
    if (!safe) {
        append_range(g, cache, from, k->column->values);
    }
}

/* Forbid the thresholds that are unsafe for a large span. False: all are. */
static bool forbid_in_large(const threshold_check *k, uint32_t span)
{
    kn_span_cache *cache;
    size_t number = (size_t)k->attribute * KN_SPAN_CACHES;

    if (!missing_apart(k)) {
        number += k->mode == KN_MISSING_LEFT ? 1 : 2;
    }
    cache = cache_of(k->g, span, number);
    if (!cache) {
        return false;
    }
    if (!cache->filled) {
        const size_t occurring = count_span(k->g, k->s, span, k->attribute);
        fill_ranges(k, cache, occurring);
        clear_counts(k->g, k->s, occurring);
        cache->filled = true;
    }
    for (size_t i = 0; i + 1 < cache->len; i += 2) {
        forbid(k, cache->at[i], cache->at[i + 1]);
    }
    k->g->spans->work += cache->len / 2;
    return !cache->none_allowed;
}

static bool any_allowed(const threshold_check *k)
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

/* Forbid what the small spans of the leaf forbid, or the large ones. False: nothing is allowed. */
static bool forbid_for_spans(const threshold_check *k, uint32_t leaf, bool small)
{
    kn_span_table *t = k->g->spans;
    kn_span_iterator spans = kn__spans_of_leaf(t, leaf);
    bool allowed = true;

    for (uint32_t span; allowed && (span = kn__next_span(&spans)) != KN_NO_CODE;) {
        const kn_extent e = t->extent[span * k->g->o->attributes + k->attribute];
        t->work++;
        if (is_small(k->g, &t->span[span]) != small) {
            continue;
        }
        if (small) {
            allowed = forbid_in_small(k, e);
        } else if ((e.range.high & KN_EXTENT_HAS_MISSING) ||
                   (e.range.low < k->last && e.range.high > k->first)) {
            allowed = forbid_in_large(k, span);
        }
    }
    return allowed && any_allowed(k);
}

bool kn__forbid_thresholds(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                           unsigned mode)
{
    const kn_grow_column *c = &g->column[a];
    const size_t numbers = s->present_count - (s->present[s->present_count - 1] == c->missing);
    const threshold_check k = {.g = g,
                               .s = s,
                               .column = c,
                               .attribute = a,
                               .mode = mode,
                               .first = s->present[0],
                               .last = s->present[numbers - 1]};

    memset(s->forbidden + k.first, 0, ((size_t)k.last - k.first + 1) * sizeof *s->forbidden);
    if (!g->spans->leaf[leaf].several_bins) {
        return true;
    }
    if (!forbid_for_spans(&k, leaf, true) || !forbid_for_spans(&k, leaf, false)) {
        return false;
    }
    for (uint32_t bin = k.first + 1; bin < k.last; bin++) {
        s->forbidden[bin] += s->forbidden[bin - 1];
    }
    return true;
}
