/* mondrian.c - top-down partitioning (LeFevre, DeWitt, Ramakrishnan 2006), multidimensional local
 * recoding.
 *
 * Starting from all records, a part is split along the quasi-identifier in which it is widest, as
 * long as every piece satisfies the guarantee: ordered columns at the median, columns with a
 * hierarchy into the children of the lowest node that covers the part. Children too small to stand
 * alone stay together as a rest that keeps the node's name.
 *
 * Records are rows of positions: a code's place in the depth-first order of its hierarchy (its
 * value's place without one), so that what a node covers is an interval, and the lowest node over a
 * part is the lowest common ancestor of its least and greatest position. A split reorders the
 * part's own stretch of rows and nothing else: parts are independent, any thread may take any of
 * them, and the result is the same. O(n log n) for balanced splits. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/ladder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_PART = 4096, REPORT_ROWS = 1 << 16 };

typedef struct part {
    size_t begin, end;
} part;

typedef struct mondrian {
    const kn_task *task;
    size_t qis;
    kn_judge *judge;
    size_t least; /* smallest part allowed */
    bool by_size;
    size_t rows;
    uint32_t *row,
        *row_copy;          /* [row * qis + q]: positions; the copy is scratch of the same shape */
    uint32_t *id, *id_copy; /* by row: the record */
    uint8_t *starts;        /* by row: a finished part begins here */
    uint32_t **code_at;     /* by quasi-identifier, by position: the code */
    uint32_t *missing_at;   /* by quasi-identifier: the missing value's position, or KN_NO_CODE */

    pthread_mutex_t lock;
    pthread_cond_t more;
    part *waiting;
    size_t waiting_len, waiting_cap;
    unsigned busy, threads; /* workers that hold a part; workers in all */
    size_t finished;        /* rows in finished parts */
    kn_status status;
    kn_error error;
    atomic_bool stop;
} mondrian;

/* What one thread needs. */
typedef struct worker {
    mondrian *m;
    unsigned number;
    kn_judge_scratch *scratch;
    uint32_t *low, *high; /* by quasi-identifier: least and greatest position in the part */
    double *width;
    uint32_t *counts; /* by position in the part's span, or by child */
    size_t counts_cap;
    uint32_t *piece; /* by child: the piece it goes to */
    size_t piece_cap;
    bool failed; /* memory is out: what looks finished is not */
} worker;

static const kn_domain *domain(const mondrian *m, size_t q)
{
    return m->task->domain[q];
}

/* The lowest node that covers positions low..high of a tree domain. */
static uint32_t cover(const mondrian *m, size_t q, uint32_t low, uint32_t high)
{
    return kn_domain_lca(domain(m, q), m->code_at[q][low], m->code_at[q][high]);
}

static double width_of(const mondrian *m, size_t q, uint32_t low, uint32_t high)
{
    const kn_domain *d = domain(m, q);

    if (low == high) {
        return 0;
    }
    return d->kind == KN_DOMAIN_TREE ? d->loss[cover(m, q, low, high)]
                                     : kn_domain_span(d, m->code_at[q][low], m->code_at[q][high]);
}

static void span(const mondrian *m, worker *w, part p)
{
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

static bool holds(const worker *w, size_t begin, size_t end)
{
    const mondrian *m = w->m;

    return end - begin >= m->least &&
           (m->by_size || kn_judge_class(m->judge, w->scratch, m->id + begin, end - begin));
}

/* Room for `need` numbers in `*data`; false, and the worker knows, when memory is out. */
static bool room(worker *w, uint32_t **data, size_t *cap, size_t need)
{
    w->failed = w->failed || kn_grow(data, cap, need, sizeof **data, NULL) != KN_OK;
    return !w->failed;
}

/* Room for `need` zeroed counts; false when memory is out. */
static bool zero_counts(worker *w, size_t need)
{
    if (!room(w, &w->counts, &w->counts_cap, need)) {
        return false;
    }
    memset(w->counts, 0, need * sizeof *w->counts);
    return true;
}

/* Reorder the part so that the rows for which piece_of(row's position - low) is 0 come first, then
 * 1, and so on. `ends[i]` becomes the end of piece i. */
static void reorder(mondrian *m, part p, size_t q, uint32_t low, const uint32_t *piece_of,
                    size_t pieces, size_t *ends)
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
static uint32_t strict_cut(const worker *w, part p, size_t q, const uint32_t *counts)
{
    const mondrian *m = w->m;
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
static size_t split_ordered(worker *w, part p, size_t q, size_t *ends)
{
    mondrian *m = w->m;
    const uint32_t low = w->low[q], high = w->high[q];
    const size_t values = high - low + 1;
    uint32_t cut;

    if (!zero_counts(w, values) || !room(w, &w->piece, &w->piece_cap, values)) {
        return 0;
    }
    for (size_t i = p.begin; i < p.end; i++) {
        w->counts[m->row[i * m->qis + q] - low]++;
    }
    cut = strict_cut(w, p, q, w->counts);
    if (m->task->options->relaxed && !(cut != KN_NO_CODE && cut + 1 == m->missing_at[q])) {
        /* Relaxed: sort by value and cut in the middle, through equal values if need be. */
        if (p.end - p.begin < 2 * m->least) {
            return 0;
        }
        for (uint32_t v = 0; v < values; v++) {
            w->piece[v] = v;
        }
        size_t *value_ends = kn_malloc_array(values, sizeof *value_ends);
        if (!value_ends) {
            w->failed = true;
            return 0;
        }
        reorder(m, p, q, low, w->piece, values, value_ends);
        kn_free(value_ends);
        ends[0] = p.begin + (p.end - p.begin) / 2;
        ends[1] = p.end;
    } else {
        if (cut == KN_NO_CODE) {
            return 0;
        }
        for (uint32_t v = 0; v < values; v++) {
            w->piece[v] = v + low > cut;
        }
        reorder(m, p, q, low, w->piece, 2, ends);
    }
    return m->by_size || (holds(w, p.begin, ends[0]) && holds(w, ends[0], p.end)) ? 2 : 0;
}

/* The child of `node` above the code at position `at`. */
static uint32_t child_above(const mondrian *m, size_t q, uint32_t node, uint32_t at)
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
static size_t number_children(worker *w, part p, size_t q)
{
    mondrian *m = w->m;
    const uint32_t low = w->low[q], high = w->high[q], node = cover(m, q, low, high);
    const size_t values = high - low + 1;
    size_t children = 0;
    uint32_t before = KN_NO_NODE;

    if (!room(w, &w->piece, &w->piece_cap, 2 * values) || !zero_counts(w, values)) {
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

/* Split along a hierarchy: one piece a child that stands alone, the others together. @return pieces
 * made, at least 2, or 0. */
static size_t split_tree(worker *w, part p, size_t q, size_t **ends, size_t *ends_cap)
{
    mondrian *m = w->m;
    const size_t values = w->high[q] - w->low[q] + 1;
    const size_t children = number_children(w, p, q);
    uint32_t *piece_of_child = w->piece + values;
    size_t pieces = 0, rest = 0, smallest = SIZE_MAX;
    bool alone;

    w->failed = w->failed || kn_grow(ends, ends_cap, children + 1, sizeof **ends, NULL) != KN_OK;
    if (w->failed) {
        return 0;
    }
    if (!m->by_size) {
        /* The guarantee itself must be asked: bring the children together first. */
        size_t begin = p.begin;
        reorder(m, p, q, w->low[q], w->piece, children, *ends);
        for (size_t c = 0; c < children; c++) {
            alone = holds(w, begin, (*ends)[c]);
            piece_of_child[c] = alone ? 1 : 0;
            begin = (*ends)[c];
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
    reorder(m, p, q, w->low[q], w->piece, pieces, *ends);
    return pieces;
}

/* Split along the widest quasi-identifier that allows it. @return pieces, 0 when the part is
 * finished. */
static size_t split(worker *w, part p, size_t **ends, size_t *ends_cap)
{
    const mondrian *m = w->m;

    if (p.end - p.begin < 2 * m->least) {
        return 0;
    }
    span(m, w, p);
    for (;;) {
        size_t q = 0, pieces;
        for (size_t i = 1; i < m->qis; i++) {
            q = w->width[i] > w->width[q] ? i : q;
        }
        if (w->width[q] <= 0) {
            return 0;
        }
        if (domain(m, q)->kind == KN_DOMAIN_TREE) {
            pieces = split_tree(w, p, q, ends, ends_cap);
        } else {
            w->failed = w->failed || kn_grow(ends, ends_cap, 2, sizeof **ends, NULL) != KN_OK;
            pieces = w->failed ? 0 : split_ordered(w, p, q, *ends);
        }
        if (pieces || w->failed) {
            return pieces;
        }
        w->width[q] = 0;
    }
}

static void fail(mondrian *m, kn_status status)
{
    (void)pthread_mutex_lock(&m->lock);
    if (m->status == KN_OK) {
        m->status = status == KN_ENOMEM ? kn_nomem(&m->error)
                                        : kn_fail(&m->error, status, "interrupted");
    }
    m->stop = true;
    (void)pthread_cond_broadcast(&m->more);
    (void)pthread_mutex_unlock(&m->lock);
}

/* Hand large pieces to whoever is free; keep small ones. */
static bool hand_over(mondrian *m, part p)
{
    kn_status status;

    (void)pthread_mutex_lock(&m->lock);
    status = kn_grow(&m->waiting, &m->waiting_cap, m->waiting_len + 1, sizeof *m->waiting, NULL);
    if (status == KN_OK) {
        m->waiting[m->waiting_len++] = p;
        (void)pthread_cond_signal(&m->more);
    }
    (void)pthread_mutex_unlock(&m->lock);
    if (status != KN_OK) {
        fail(m, status);
    }
    return status == KN_OK;
}

/* Now and then: add up what is finished, tell progress (on the calling thread), hear of a stop. */
static void report(worker *w, size_t *finished)
{
    mondrian *m = w->m;
    double done;

    (void)pthread_mutex_lock(&m->lock);
    m->finished += *finished;
    done = (double)m->finished / (double)m->rows;
    (void)pthread_mutex_unlock(&m->lock);
    *finished = 0;
    if (w->number == 0 && kn_run_step(m->task->run, "partition", done, NULL) != KN_OK) {
        fail(m, KN_ECANCELLED);
    }
}

/* Split `p` and what comes of it until everything is finished or handed over. */
static void work_off(worker *w, part p)
{
    mondrian *m = w->m;
    part *stack = NULL;
    size_t *ends = NULL, len = 0, cap = 0, ends_cap = 0, finished = 0;
    bool ok = kn_grow(&stack, &cap, 1, sizeof *stack, NULL) == KN_OK;

    if (ok) {
        stack[len++] = p;
    }
    while (ok && len > 0 && !m->stop) {
        const part now = stack[--len];
        const size_t pieces = split(w, now, &ends, &ends_cap);
        size_t begin = now.begin;
        ok = !w->failed;
        if (pieces == 0) {
            m->starts[now.begin] = 1;
            finished += now.end - now.begin;
        }
        if (finished >= REPORT_ROWS) {
            report(w, &finished);
        }
        for (size_t i = 0; ok && i < pieces; i++) {
            const part piece = {begin, ends[i]};
            begin = ends[i];
            if (m->threads > 1 && piece.end - piece.begin >= SMALL_PART) {
                ok = hand_over(m, piece);
            } else {
                ok = kn_grow(&stack, &cap, len + 1, sizeof *stack, NULL) == KN_OK;
                if (ok) {
                    stack[len++] = piece;
                }
            }
        }
    }
    kn_free(stack);
    kn_free(ends);
    if (!ok) {
        fail(m, KN_ENOMEM);
    }
    report(w, &finished);
}

static kn_status worker_init(worker *w, mondrian *m)
{
    w->m = m;
    w->low = kn_malloc_array(m->qis, sizeof *w->low);
    w->high = kn_malloc_array(m->qis, sizeof *w->high);
    w->width = kn_malloc_array(m->qis, sizeof *w->width);
    return w->low && w->high && w->width ? kn_judge_scratch_new(&w->scratch, m->judge, NULL)
                                         : KN_ENOMEM;
}

static void worker_clear(worker *w)
{
    kn_judge_scratch_free(w->scratch);
    kn_free(w->low);
    kn_free(w->high);
    kn_free(w->width);
    kn_free(w->counts);
    kn_free(w->piece);
}

static void run_worker(void *user, unsigned number)
{
    mondrian *m = user;
    worker w = {0};

    if (worker_init(&w, m) != KN_OK) {
        fail(m, KN_ENOMEM);
    }
    w.number = number;
    (void)pthread_mutex_lock(&m->lock);
    while (!m->stop) {
        part p;
        if (m->waiting_len == 0 && m->busy > 0) {
            (void)pthread_cond_wait(&m->more, &m->lock);
            continue;
        }
        if (m->waiting_len == 0) {
            break;
        }
        p = m->waiting[--m->waiting_len];
        m->busy++;
        (void)pthread_mutex_unlock(&m->lock);
        work_off(&w, p);
        (void)pthread_mutex_lock(&m->lock);
        m->busy--;
        (void)pthread_cond_broadcast(&m->more);
    }
    (void)pthread_mutex_unlock(&m->lock);
    worker_clear(&w);
}

static kn_status publish_parts(mondrian *m, kn_grouping *out, kn_error *err)
{
    worker w = {0};
    size_t groups = 0, group = 0;
    kn_status status = worker_init(&w, m);

    for (size_t i = 0; i < m->rows; i++) {
        groups += m->starts[i];
    }
    if (status == KN_OK) {
        status = kn_grouping_init(out, m->task, groups, err);
    }
    for (size_t begin = 0, end; status == KN_OK && begin < m->rows; begin = end, group++) {
        for (end = begin + 1; end < m->rows && !m->starts[end]; end++) {
        }
        span(m, &w, (part){begin, end});
        for (size_t i = begin; i < end; i++) {
            out->group[m->id[i]] = (uint32_t)group;
        }
        for (size_t q = 0; q < m->qis; q++) {
            const kn_domain *d = domain(m, q);
            const size_t at = group * m->qis + q;
            uint32_t low = m->code_at[q][w.low[q]], high = m->code_at[q][w.high[q]];
            if (d->kind == KN_DOMAIN_TREE) {
                low = high = low == high ? d->start[low] : kn_domain_lca(d, low, high);
            } else if (low != high && high == d->column->missing) {
                low = high = KN_NO_NODE;
            }
            out->low[at] = low;
            out->high[at] = high;
        }
    }
    worker_clear(&w);
    return status == KN_ENOMEM ? kn_nomem(err) : status;
}

static kn_status prepare(mondrian *m, kn_error *err)
{
    const kn_task *task = m->task;
    const size_t records = task->ds->records;
    kn_status status = kn_task_judge(task, &m->judge, err);

    m->rows = records - task->barred_count;
    m->row = kn_malloc_array(m->rows * m->qis, sizeof *m->row);
    m->row_copy = kn_malloc_array(m->rows * m->qis, sizeof *m->row_copy);
    m->id = kn_malloc_array(m->rows, sizeof *m->id);
    m->id_copy = kn_malloc_array(m->rows, sizeof *m->id_copy);
    m->starts = kn_zalloc_array(m->rows, 1);
    m->code_at = kn_zalloc_array(m->qis, sizeof *m->code_at);
    m->missing_at = kn_malloc_array(m->qis, sizeof *m->missing_at);
    m->waiting = kn_malloc_array(16, sizeof *m->waiting);
    m->waiting_cap = 16;
    if (status == KN_OK && (!m->row || !m->row_copy || !m->id || !m->id_copy || !m->starts ||
                            !m->code_at || !m->missing_at || !m->waiting)) {
        status = kn_nomem(err);
    }
    if (status != KN_OK) {
        return status;
    }
    m->least = kn_judge_least(m->judge);
    m->by_size = kn_judge_size_only(m->judge);
    for (size_t q = 0; q < m->qis; q++) {
        const kn_domain *d = domain(m, q);
        const kn_column *column = &task->ds->column[task->qi[q]];
        size_t row = 0;
        m->code_at[q] = kn_malloc_array(d->values, sizeof **m->code_at);
        if (!m->code_at[q]) {
            return kn_nomem(err);
        }
        for (uint32_t code = 0; code < d->values; code++) {
            m->code_at[q][d->order[code]] = code;
        }
        m->missing_at[q] = column->missing == KN_NO_CODE ? KN_NO_CODE : d->order[column->missing];
        for (size_t i = 0; i < records; i++) {
            if (!(task->barred && task->barred[i])) {
                m->id[row] = (uint32_t)i;
                m->row[row++ * m->qis + q] = d->order[kn_column_code(column, i)];
            }
        }
    }
    return KN_OK;
}

static void mondrian_clear(mondrian *m)
{
    for (size_t q = 0; m->code_at && q < m->qis; q++) {
        kn_free(m->code_at[q]);
    }
    kn_free(m->code_at);
    kn_free(m->missing_at);
    kn_free(m->row);
    kn_free(m->row_copy);
    kn_free(m->id);
    kn_free(m->id_copy);
    kn_free(m->starts);
    kn_free(m->waiting);
    kn_judge_free(m->judge);
    (void)pthread_mutex_destroy(&m->lock);
    (void)pthread_cond_destroy(&m->more);
}

static kn_status whole_holds(mondrian *m, kn_error *err)
{
    kn_judge_scratch *scratch = NULL;
    kn_status status = kn_judge_scratch_new(&scratch, m->judge, err);

    if (status == KN_OK &&
        (m->rows < m->least || !kn_judge_class(m->judge, scratch, m->id, m->rows))) {
        status = kn_task_infeasible(m->task, err);
    }
    kn_judge_scratch_free(scratch);
    return status;
}

kn_status kn_method_mondrian(const kn_task *task, kn_grouping *out, kn_error *err)
{
    mondrian m = {.task = task, .qis = task->qis, .threads = kn_run_threads(task->run)};
    kn_status status;

    *out = (kn_grouping){0};
    (void)pthread_mutex_init(&m.lock, NULL);
    (void)pthread_cond_init(&m.more, NULL);
    status = prepare(&m, err);
    if (status == KN_OK) {
        status = whole_holds(&m, err);
    }
    if (status == KN_OK && m.rows > 0) {
        m.waiting[m.waiting_len++] = (part){0, m.rows};
        kn_parallel(m.threads, run_worker, &m);
        status = m.status;
        if (status != KN_OK && err) {
            *err = m.error;
        }
    }
    if (status == KN_OK) {
        status = publish_parts(&m, out, err);
    }
    mondrian_clear(&m);
    return status;
}
