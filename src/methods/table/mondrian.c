/* mondrian.c - top-down partitioning (LeFevre, DeWitt, Ramakrishnan 2006), multidimensional local
 * recoding.
 *
 * Starting from all records, a part is split along the quasi-identifier in which it is widest, as
 * long as every piece satisfies the guarantee: ordered columns at the median, columns with a
 * hierarchy into the children of the lowest node that covers the part. Children too small to stand
 * alone stay together as a rest that keeps the node's name.
 *
 * Parts are independent (mondrian_split.h), so any thread may take any of them, and the result is
 * the same. O(n log n) for balanced splits. */
#include "methods/registry.h"
#include "methods/params.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/table/mondrian_split.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SMALL_PART = 4096, REPORT_ROWS = 1 << 16 };

typedef struct mondrian {
    kn_rows rows;
    uint8_t *starts; /* by row: a finished part begins here */
    pthread_mutex_t lock;
    pthread_cond_t more;
    kn_partition_part *waiting;
    size_t waiting_len, waiting_cap;
    unsigned busy, threads; /* workers that hold a part; workers in all */
    size_t finished;        /* rows in finished parts */
    kn_error error;
    atomic_bool stop;
} mondrian;

typedef struct worker {
    mondrian *m;
    unsigned number;
    kn_splitter splitter;
} worker;

static void fail(mondrian *m, kn_status status)
{
    (void)pthread_mutex_lock(&m->lock);
    if (!m->error.status) {
        (void)(status == KN_ENOMEM ? kn__nomem(&m->error)
                                   : kn__fail(&m->error, status, "interrupted"));
    }
    m->stop = true;
    (void)pthread_cond_broadcast(&m->more);
    (void)pthread_mutex_unlock(&m->lock);
}

/* Hand a large piece to the next free worker; small ones are kept. */
static bool hand_over(mondrian *m, kn_partition_part p)
{
    kn_status status;

    (void)pthread_mutex_lock(&m->lock);
    KN_TRY(kn__grow(&m->waiting, &m->waiting_cap, m->waiting_len + 1, sizeof *m->waiting, NULL));
    m->waiting[m->waiting_len++] = p;
    (void)pthread_cond_signal(&m->more);
done:
    (void)pthread_mutex_unlock(&m->lock);
    if (status != KN_OK) {
        fail(m, status);
    }
    return !status;
}

/* From time to time: add up finished rows, call progress (calling thread only), notice a stop. */
static void report(worker *w, size_t *finished)
{
    mondrian *m = w->m;
    double done;

    (void)pthread_mutex_lock(&m->lock);
    m->finished += *finished;
    done = (double)m->finished / (double)m->rows.rows;
    (void)pthread_mutex_unlock(&m->lock);
    *finished = 0;
    if (w->number == 0 && kn__run_step(m->rows.task->run, "partition", done, NULL) != KN_OK) {
        fail(m, KN_ECANCELLED);
    }
}

/* Split `p` and its pieces until all are finished or handed over. */
static void split_all(worker *w, kn_partition_part p)
{
    mondrian *m = w->m;
    kn_partition_part *stack = NULL;
    size_t len = 0, cap = 0, finished = 0;
    bool ok = kn__grow(&stack, &cap, 1, sizeof *stack, NULL) == KN_OK;

    if (ok) {
        stack[len++] = p;
    }
    while (ok && len > 0 && !m->stop) {
        const kn_partition_part now = stack[--len];
        const size_t pieces = kn__splitter_split(&w->splitter, now);
        size_t begin = now.begin;
        ok = !w->splitter.failed;
        if (pieces == 0) {
            m->starts[now.begin] = 1;
            finished += now.end - now.begin;
        }
        if (finished >= REPORT_ROWS) {
            report(w, &finished);
        }
        for (size_t i = 0; ok && i < pieces; i++) {
            const kn_partition_part piece = {begin, w->splitter.ends[i]};
            begin = w->splitter.ends[i];
            if (m->threads > 1 && piece.end - piece.begin >= SMALL_PART) {
                ok = hand_over(m, piece);
            } else {
                ok = kn__grow(&stack, &cap, len + 1, sizeof *stack, NULL) == KN_OK;
                if (ok) {
                    stack[len++] = piece;
                }
            }
        }
    }
    kn__free(stack);
    if (!ok) {
        fail(m, KN_ENOMEM);
    }
    report(w, &finished);
}

static void run_worker(void *user, unsigned number)
{
    mondrian *m = user;
    worker w = {.m = m, .number = number};

    if (kn__splitter_init(&w.splitter, &m->rows, NULL) != KN_OK) {
        fail(m, KN_ENOMEM);
    }
    (void)pthread_mutex_lock(&m->lock);
    while (!m->stop) {
        kn_partition_part p;
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
        split_all(&w, p);
        (void)pthread_mutex_lock(&m->lock);
        m->busy--;
        (void)pthread_cond_broadcast(&m->more);
    }
    (void)pthread_mutex_unlock(&m->lock);
    kn__splitter_clear(&w.splitter);
}

static kn_status publish_parts(mondrian *m, kn_grouping *out, kn_error *err)
{
    const kn_rows *r = &m->rows;
    kn_splitter w = {0};
    size_t groups = 0, group = 0;
    kn_status status;

    KN_TRY(kn__splitter_init(&w, &m->rows, err));
    for (size_t i = 0; i < r->rows; i++) {
        groups += m->starts[i];
    }
    KN_TRY(kn__grouping_init(out, r->task, groups, err));
    for (size_t begin = 0, end; begin < r->rows; begin = end, group++) {
        for (end = begin + 1; end < r->rows && !m->starts[end]; end++) {
        }
        kn__splitter_span(&w, (kn_partition_part){begin, end});
        for (size_t i = begin; i < end; i++) {
            out->group[r->id[i]] = (uint32_t)group;
        }
        for (size_t q = 0; q < r->qis; q++) {
            const kn_domain *d = r->task->domain[q];
            const size_t at = group * r->qis + q;
            uint32_t low = r->code_at[q][w.low[q]], high = r->code_at[q][w.high[q]];
            if (d->kind == KN_DOMAIN_TREE) {
                low = high = low == high ? d->start[low] : kn__domain_lca(d, low, high);
            } else if (low != high && high == d->column->missing) {
                low = high = KN_NO_NODE;
            }
            out->low[at] = low;
            out->high[at] = high;
        }
    }
done:
    kn__splitter_clear(&w);
    return status;
}

static kn_status whole_holds(const kn_rows *r, kn_error *err)
{
    kn_judge_scratch *scratch = NULL;
    kn_status status;

    KN_TRY(kn__judge_scratch_new(&scratch, r->judge, err));
    if (r->rows < r->least || !kn__judge_class(r->judge, scratch, r->id, r->rows)) {
        KN_TRY(kn__task_infeasible(r->task, err));
    }
done:
    kn__judge_scratch_free(scratch);
    return status;
}

kn_status kn__method_mondrian(const kn_task *task, kn_grouping *out, kn_error *err)
{
    mondrian m = {.threads = kn__run_threads(task->run)};
    kn_status status;

    *out = (kn_grouping){0};
    (void)pthread_mutex_init(&m.lock, NULL);
    (void)pthread_cond_init(&m.more, NULL);
    KN_TRY(kn__rows_init(&m.rows, task, err));
    KN_TRY(whole_holds(&m.rows, err));
    m.starts = kn__zalloc_array(m.rows.rows, 1);
    KN_TRY(m.starts ? kn__grow(&m.waiting, &m.waiting_cap, 1, sizeof *m.waiting, err)
                    : kn__nomem(err));
    if (m.rows.rows > 0) {
        m.waiting[m.waiting_len++] = (kn_partition_part){0, m.rows.rows};
        kn__parallel(m.threads, run_worker, &m);
        KN_TRY(kn__error_pass(err, &m.error));
    }
    KN_TRY(publish_parts(&m, out, err));
done:
    KN_FREE(m.starts, m.waiting);
    kn__rows_clear(&m.rows);
    (void)pthread_mutex_destroy(&m.lock);
    (void)pthread_cond_destroy(&m.more);
    return status;
}

static const kn_param params[] = {
    {.name = "relaxed",
     .kind = KN_PARAM_FLAG,
     .help = "mondrian: records with equal values may fall on both sides of a cut"},
};

const kn_method_row kn__mondrian_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "mondrian",
              .reaches = KN_TABLE_GUARANTEES,
              .summary =
                  "cuts the records in two again and again while both sides satisfy the guarantee",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_TABLE,
    .table = kn__method_mondrian,
};
