/* mondrian_split.c - one step of Mondrian: split a part of the rows along a quasi-identifier. */
#include "methods/table/mondrian_split.h"
#include "base/error.h"
#include "base/memory.h"
#include "methods/table/lattice.h"

#include <string.h>

static const kn_domain *domain(const kn_rows *m, size_t q)
{
    return m->task->domain[q];
}

/* The lowest node that covers positions low..high of a tree domain. */
static uint32_t cover(const kn_rows *m, size_t q, uint32_t low, uint32_t high)
{
    return kn__domain_lca(domain(m, q), m->code_at[q][low], m->code_at[q][high]);
}

static double width_of(const kn_rows *m, size_t q, uint32_t low, uint32_t high)
{
    const kn_domain *d = domain(m, q);

    if (low == high) {
        return 0;
    }
    return d->kind == KN_DOMAIN_TREE ? d->loss[cover(m, q, low, high)]
                                     : kn__domain_span(d, m->code_at[q][low], m->code_at[q][high]);
}

kn_status kn__rows_init(kn_rows *m, const kn_task *task, kn_error *err)
{
    const size_t records = task->ds->records;

    KN_PASS(kn__task_judge(task, &m->judge, err));
    m->task = task;
    m->qis = task->qis;
    m->relaxed = kn__param_flag(&task->params, "relaxed");
    m->rows = records - task->barred_count;
    m->row = kn__arena_take(&m->arena, m->rows * m->qis, sizeof *m->row);
    m->row_copy = kn__arena_take(&m->arena, m->rows * m->qis, sizeof *m->row_copy);
    m->id = kn__arena_take(&m->arena, m->rows, sizeof *m->id);
    m->id_copy = kn__arena_take(&m->arena, m->rows, sizeof *m->id_copy);
    m->code_at = kn__arena_take(&m->arena, m->qis, sizeof *m->code_at);
    m->missing_at = kn__arena_take(&m->arena, m->qis, sizeof *m->missing_at);
    KN_PASS(kn__arena_check(&m->arena, err));
    m->least = kn__judge_least(m->judge);
    m->by_size = kn__judge_size_only(m->judge);
    for (size_t q = 0; q < m->qis; q++) {
        const kn_domain *d = domain(m, q);
        const kn_column *column = &task->ds->column[task->qi[q]];
        size_t row = 0;
        m->code_at[q] = kn__arena_take(&m->arena, d->values, sizeof **m->code_at);
        KN_PASS(kn__arena_check(&m->arena, err));
        for (uint32_t code = 0; code < d->values; code++) {
            m->code_at[q][d->order[code]] = code;
        }
        m->missing_at[q] = column->missing == KN_NO_CODE ? KN_NO_CODE : d->order[column->missing];
        for (size_t i = 0; i < records; i++) {
            if (!(task->barred && task->barred[i])) {
                m->id[row] = (uint32_t)i;
                m->row[row++ * m->qis + q] = d->order[kn__column_code(column, i)];
            }
        }
    }
    return KN_OK;
}

void kn__rows_clear(kn_rows *m)
{
    kn__arena_clear(&m->arena);
    kn__judge_free(m->judge);
}

kn_status kn__splitter_init(kn_splitter *w, kn_rows *m, kn_error *err)
{
    w->m = m;
    w->low = kn__malloc_array(m->qis, sizeof *w->low);
    w->high = kn__malloc_array(m->qis, sizeof *w->high);
    w->width = kn__malloc_array(m->qis, sizeof *w->width);
    return w->low && w->high && w->width ? kn__judge_scratch_new(&w->scratch, m->judge, err)
                                         : kn__nomem(err);
}

void kn__splitter_clear(kn_splitter *w)
{
    kn__judge_scratch_free(w->scratch);
    KN_FREE(w->low, w->high, w->width, w->counts, w->piece, w->ends);
}

void kn__splitter_span(kn_splitter *w, kn_partition_part p)
{
    const kn_rows *m = w->m;
    const size_t qis = m->qis;
    const uint32_t *row = m->row + p.begin * qis, *end = m->row + p.end * qis;

    memcpy(w->low, row, qis * sizeof *row);
    memcpy(w->high, row, qis * sizeof *row);
    for (row += qis; row < end; row += qis) {
        for (size_t q = 0; q < qis; q++) {
            w->low[q] = row[q] < w->low[q] ? row[q] : w->low[q];
            w->high[q] = row[q] > w->high[q] ? row[q] : w->high[q];
        }
    }
    for (size_t q = 0; q < qis; q++) {
        w->width[q] = m->task->weight[q] * width_of(m, q, w->low[q], w->high[q]);
    }
}

static bool holds(const kn_splitter *w, size_t begin, size_t end)
{
    const kn_rows *m = w->m;

    return end - begin >= m->least &&
           (m->by_size || kn__judge_class(m->judge, w->scratch, m->id + begin, end - begin));
}

/* Make room for `need` numbers in `*data`; false, and w->failed, when out of memory. */
static bool reserve(kn_splitter *w, uint32_t **data, size_t *cap, size_t need)
{
    w->failed = w->failed || kn__grow(data, cap, need, sizeof **data, NULL) != KN_OK;
    return !w->failed;
}

/* Room for `need` zeroed counts; false when memory is out. */
static bool zero_counts(kn_splitter *w, size_t need)
{
    if (!reserve(w, &w->counts, &w->counts_cap, need)) {
        return false;
    }
    memset(w->counts, 0, need * sizeof *w->counts);
    return true;
}

/* Reorder the part so that the rows for which piece_of(row's position - low) is 0 come first, then
 * 1, and so on. `ends[i]` becomes the end of piece i. */
static void reorder(kn_rows *m, kn_partition_part p, size_t q, uint32_t low,
                    const uint32_t *piece_of, size_t pieces, size_t *ends)
{
    const size_t qis = m->qis;
    size_t at = p.begin;

    memset(ends, 0, pieces * sizeof *ends);
    for (size_t i = p.begin; i < p.end; i++) {
        ends[piece_of[m->row[i * qis + q] - low]]++;
    }
    for (size_t i = 0; i < pieces; i++) {
        const size_t size = ends[i];
        ends[i] = at;
        at += size;
    }
    for (size_t i = p.begin; i < p.end; i++) {
        const size_t to = ends[piece_of[m->row[i * qis + q] - low]]++;
        memcpy(m->row_copy + to * qis, m->row + i * qis, qis * sizeof *m->row);
        m->id_copy[to] = m->id[i];
    }
    memcpy(m->row + p.begin * qis, m->row_copy + p.begin * qis,
           (p.end - p.begin) * qis * sizeof *m->row);
    memcpy(m->id + p.begin, m->id_copy + p.begin, (p.end - p.begin) * sizeof *m->id);
}

/* Where to cut positions low..high: the left piece ends with the position returned, and the more
 * equal the pieces the better. A cut between values and missing ones goes first: any other leaves a
 * piece that says nothing. KN_NO_CODE when no cut leaves `least` records on both sides. */
static uint32_t strict_cut(const kn_splitter *w, kn_partition_part p, size_t q,
                           const uint32_t *counts)
{
    const kn_rows *m = w->m;
    const size_t size = p.end - p.begin, half = size / 2;
    const uint32_t low = w->low[q], high = w->high[q];
    size_t left = 0, best_gap = SIZE_MAX;
    uint32_t best = KN_NO_CODE;

    if (high == m->missing_at[q]) {
        const size_t missing = counts[high - low];
        if (missing >= m->least && size - missing >= m->least) {
            return high - 1;
        }
    }
    for (uint32_t at = low; at < high; at++) {
        size_t gap;
        left += counts[at - low];
        gap = left > half ? left - half : half - left;
        if (counts[at - low] && left >= m->least && size - left >= m->least && gap < best_gap) {
            best_gap = gap;
            best = at;
        }
    }
    return best;
}

/* Split an ordered column, or a category without hierarchy. @return pieces made: 2, or 0. */
static size_t split_ordered(kn_splitter *w, kn_partition_part p, size_t q)
{
    kn_rows *m = w->m;
    const uint32_t low = w->low[q], high = w->high[q];
    const size_t values = high - low + 1;
    uint32_t cut;

    if (!zero_counts(w, values) || !reserve(w, &w->piece, &w->piece_cap, values)) {
        return 0;
    }
    for (size_t i = p.begin; i < p.end; i++) {
        w->counts[m->row[i * m->qis + q] - low]++;
    }
    cut = strict_cut(w, p, q, w->counts);
    if (m->relaxed && !(cut != KN_NO_CODE && cut + 1 == m->missing_at[q])) {
        /* Relaxed: sort by value and cut in the middle, through equal values if need be. */
        if (p.end - p.begin < 2 * m->least) {
            return 0;
        }
        for (uint32_t v = 0; v < values; v++) {
            w->piece[v] = v;
        }
        size_t *value_ends = kn__malloc_array(values, sizeof *value_ends);
        if (!value_ends) {
            w->failed = true;
            return 0;
        }
        reorder(m, p, q, low, w->piece, values, value_ends);
        kn__free(value_ends);
        w->ends[0] = p.begin + (p.end - p.begin) / 2;
        w->ends[1] = p.end;
    } else {
        if (cut == KN_NO_CODE) {
            return 0;
        }
        for (uint32_t v = 0; v < values; v++) {
            w->piece[v] = v + low > cut;
        }
        reorder(m, p, q, low, w->piece, 2, w->ends);
    }
    return m->by_size || (holds(w, p.begin, w->ends[0]) && holds(w, w->ends[0], p.end)) ? 2 : 0;
}

/* The child of `node` above the code at position `at`. */
static uint32_t child_above(const kn_rows *m, size_t q, uint32_t node, uint32_t at)
{
    const kn_domain *d = domain(m, q);
    uint32_t child = m->code_at[q][at];

    while (d->parent[child] != node) {
        child = d->parent[child];
    }
    return child;
}

/* Number the children of the covering node 0,1,... by position, in w->piece; counts by child.
 * @return how many there are. */
static size_t number_children(kn_splitter *w, kn_partition_part p, size_t q)
{
    kn_rows *m = w->m;
    const uint32_t low = w->low[q], high = w->high[q], node = cover(m, q, low, high);
    const size_t values = high - low + 1;
    size_t children = 0;
    uint32_t before = KN_NO_NODE;

    if (!reserve(w, &w->piece, &w->piece_cap, 2 * values) || !zero_counts(w, values)) {
        return 0;
    }
    for (uint32_t at = low; at <= high; at++) {
        const uint32_t child = child_above(m, q, node, at);
        children += child != before;
        before = child;
        w->piece[at - low] = (uint32_t)children - 1;
    }
    for (size_t i = p.begin; i < p.end; i++) {
        w->counts[w->piece[m->row[i * m->qis + q] - low]]++;
    }
    return children;
}

/* Split along a hierarchy: one piece per child that holds by itself, the others together. @return
 * pieces made, at least 2, or 0. */
static size_t split_tree(kn_splitter *w, kn_partition_part p, size_t q)
{
    kn_rows *m = w->m;
    const size_t values = w->high[q] - w->low[q] + 1;
    const size_t children = number_children(w, p, q);
    uint32_t *piece_of_child = w->piece + values;
    size_t pieces = 0, rest = 0, smallest = SIZE_MAX;
    bool alone;

    w->failed = w->failed ||
                kn__grow(&w->ends, &w->ends_cap, children + 1, sizeof *w->ends, NULL) != KN_OK;
    if (w->failed) {
        return 0;
    }
    if (!m->by_size) {
        /* The judge needs the records: reorder them by child first. */
        size_t begin = p.begin;
        reorder(m, p, q, w->low[q], w->piece, children, w->ends);
        for (size_t c = 0; c < children; c++) {
            alone = holds(w, begin, w->ends[c]);
            piece_of_child[c] = alone ? 1 : 0;
            begin = w->ends[c];
        }
    } else {
        for (size_t c = 0; c < children; c++) {
            piece_of_child[c] = w->counts[c] >= m->least;
        }
    }
    for (size_t c = 0; c < children; c++) {
        rest += piece_of_child[c] ? 0 : w->counts[c];
    }
    /* A rest that is too small takes in the smallest child that stands alone. Where sizes do not
     * decide it grows until it holds. */
    while (rest > 0) {
        uint32_t *grow_by = NULL;
        smallest = SIZE_MAX;
        if (m->by_size && rest >= m->least) {
            break;
        }
        if (!m->by_size) {
            size_t two[2];
            for (size_t v = 0; v < values; v++) {
                w->counts[v] =
                    piece_of_child[w->piece[v]]; /* counts are done with: a map of positions */
            }
            reorder(m, p, q, w->low[q], w->counts, 2, two);
            if (holds(w, p.begin, two[0])) {
                break;
            }
            (void)number_children(w, p, q);
        }
        for (size_t c = 0; c < children; c++) {
            if (piece_of_child[c] && w->counts[c] && w->counts[c] < smallest) {
                smallest = w->counts[c];
                grow_by = &piece_of_child[c];
            }
        }
        if (!grow_by) {
            return 0;
        }
        *grow_by = 0;
        rest += smallest;
    }
    pieces = rest > 0;
    for (size_t c = 0; c < children; c++) {
        if (piece_of_child[c] && w->counts[c]) {
            piece_of_child[c] = (uint32_t)pieces++;
        } else {
            piece_of_child[c] = 0;
        }
    }
    if (pieces < 2) {
        return 0;
    }
    for (size_t v = 0; v < values; v++) {
        w->piece[v] = piece_of_child[w->piece[v]];
    }
    reorder(m, p, q, w->low[q], w->piece, pieces, w->ends);
    return pieces;
}

size_t kn__splitter_split(kn_splitter *w, kn_partition_part p)
{
    const kn_rows *m = w->m;

    if (p.end - p.begin < 2 * m->least) {
        return 0;
    }
    kn__splitter_span(w, p);
    for (;;) {
        size_t q = 0, pieces;
        for (size_t i = 1; i < m->qis; i++) {
            q = w->width[i] > w->width[q] ? i : q;
        }
        if (w->width[q] <= 0) {
            return 0;
        }
        if (domain(m, q)->kind == KN_DOMAIN_TREE) {
            pieces = split_tree(w, p, q);
        } else {
            w->failed = w->failed ||
                        kn__grow(&w->ends, &w->ends_cap, 2, sizeof *w->ends, NULL) != KN_OK;
            pieces = w->failed ? 0 : split_ordered(w, p, q);
        }
        if (pieces || w->failed) {
            return pieces;
        }
        w->width[q] = 0;
    }
}
