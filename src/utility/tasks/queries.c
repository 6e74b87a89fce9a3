/* queries.c - what a table answers to counting questions.
 *
 * The chance that a list holds at least one item of each of the conditions A is, by inclusion and
 * exclusion, the sum over the subsets B of A of (-1)^|B| times the chance that none of its items
 * meets any condition of B; and as items are independent, that is a product over them. On the
 * original all chances are 0 or 1 and the same code counts. */
#include "utility/tasks/queries.h"
#include "base/args.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/postings.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUERIES = 100, VALUES = 2, ITEMS = 2, SUBSETS = 1 << KN_QUERY_ITEMS, GRAIN = 16 };

/* A column of the table that is asked about. */
typedef struct asked {
    const kn_column *column; /* NULL: no question is about it */
    kn_meanings *meanings;
    size_t *size;          /* by code: the leaves it may stand for */
    kn_baskets *lists;     /* of list columns */
    kn_postings *postings; /* by code; of cells too */
    bool bags;
} asked;

/* Scratch of one thread for the current question. */
typedef struct worker {
    double **chance; /* by scalar column: the chance that a code meets the condition */
    uint32_t **slot; /* by list column, by code: where its factors are, from 1; 0: meets none */
    double *factor;  /* [slot - 1][subset]: the chance that the item meets no condition of it */
    size_t factor_cap;
    uint32_t *touched; /* codes of the current list that meet a condition */
    size_t touched_cap;
    uint64_t *bits[2]; /* records that may meet all conditions so far, and the current one */
    kn_error error;    /* its status is KN_OK while nothing failed */
} worker;

/* Conditions on one column. */
typedef struct group {
    size_t column;
    const kn_query_condition *condition;
    size_t count, first_factor;
} group;

typedef struct answering {
    const kn_workload *w;
    const kn_dataset *table;
    asked *column;
    size_t words;
    worker *worker;
    double *answers;
} answering;

/* ---- preparing ---- */

/* Posting lists of a column with one value a record: as lists of one. */
static kn_status post_cells(kn_postings **out, const kn_column *column, size_t records,
                            kn_error *err)
{
    kn_baskets b = {.records = records, .items = kn__column_values(column)};
    kn_status status = KN_OK;

    b.starts = kn__malloc_array(records + 1, sizeof *b.starts);
    b.list = kn__malloc_array(records, sizeof *b.list);
    if (!b.starts || !b.list) {
        status = kn__nomem(err);
    } else {
        for (size_t i = 0; i <= records; i++) {
            b.starts[i] = i;
        }
        for (size_t i = 0; i < records; i++) {
            b.list[i] = kn__column_code(column, i);
        }
        status = kn__postings_new(out, &b, err);
    }
    KN_FREE(b.starts, b.list);
    return status;
}

static kn_status prepare_column(answering *a, size_t i, kn_error *err)
{
    const kn_column *original = &a->w->original->column[i];
    const size_t at = kn_dataset_find(a->table, original->name);
    asked *x = &a->column[i];

    if (at == SIZE_MAX) {
        return kn__fail(err, KN_EINPUT, "the release has no column '%.200s', which is asked about",
                        original->name);
    }
    x->column = &a->table->column[at];
    if (!x->column->dict || !x->column->starts != !original->starts) {
        return kn__fail(err, KN_EINPUT,
                        "column '%.200s' of the release was read otherwise than that of the "
                        "original: read both with one schema",
                        original->name);
    }
    x->bags = original->type != KN_TYPE_SET;
    KN_PASS(kn__meanings_new(&x->meanings, a->w->leaves[i], a->table, x->column, err));
    if (x->column->starts && a->table != a->w->original) {
        KN_PASS(kn__meanings_narrow(x->meanings, a->w->leaves[i], a->w->original, a->table,
                                    x->column, err));
    }
    x->size = kn__malloc_array(x->meanings->count, sizeof *x->size);
    KN_PASS(x->size ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < x->meanings->count; code++) {
        x->size[code] = kn__leaf_runs_size(&x->meanings->of[code]);
    }
    if (!x->column->starts) {
        return post_cells(&x->postings, x->column, a->table->records, err);
    }
    KN_PASS(kn__baskets_of_column(&x->lists, x->column, a->table->records, err));
    return kn__postings_new(&x->postings, x->lists, err);
}

static kn_status prepare_worker(const answering *a, worker *w, kn_error *err)
{
    w->chance = kn__zalloc_array(a->w->columns, sizeof *w->chance);
    w->slot = kn__zalloc_array(a->w->columns, sizeof *w->slot);
    w->bits[0] = kn__malloc_array(a->words, sizeof *w->bits[0]);
    w->bits[1] = kn__malloc_array(a->words, sizeof *w->bits[1]);
    KN_PASS(w->chance && w->slot && w->bits[0] && w->bits[1] ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < a->w->columns; i++) {
        const asked *x = &a->column[i];
        if (!x->column) {
            continue;
        }
        if (x->column->starts) {
            w->slot[i] = kn__zalloc_array(x->meanings->count, sizeof *w->slot[i]);
        } else {
            w->chance[i] = kn__malloc_array(x->meanings->count, sizeof *w->chance[i]);
        }
        if (!w->slot[i] && !w->chance[i]) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

static void clear(answering *a, unsigned threads)
{
    for (size_t i = 0; a->column && i < a->w->columns; i++) {
        kn__meanings_free(a->column[i].meanings);
        kn__baskets_free(a->column[i].lists);
        kn__postings_free(a->column[i].postings);
        kn__free(a->column[i].size);
    }
    for (unsigned t = 0; a->worker && t < threads; t++) {
        worker *w = &a->worker[t];
        for (size_t i = 0; i < a->w->columns; i++) {
            KN_FREE(w->chance ? w->chance[i] : NULL, w->slot ? w->slot[i] : NULL);
        }
        KN_FREE(w->chance, w->slot, w->factor, w->touched, w->bits[0], w->bits[1]);
    }
    KN_FREE(a->column, a->worker);
}

/* ---- one question ---- */

/* The chance that an item which stands for `size` leaves is none of `shared` of them. In a bag it
 * is one leaf; in a set any of 2^size - 1 subsets, of which 2^(size-shared) - 1 avoid them. Both
 * are divided by 2^size, which no double may hold. */
static double chance_of_none(size_t size, size_t shared, bool bags)
{
    if (bags) {
        return (double)(size - shared) / (double)size;
    }
    return (exp2(-(double)shared) - exp2(-(double)size)) / (1 - exp2(-(double)size));
}

/* The records of a condition are collected in bits of their own, code by code, and then those that
 * met the conditions before are kept. */
static uint64_t *begin_records(const answering *a, worker *w, bool narrowed)
{
    memset(w->bits[narrowed], 0, a->words * sizeof *w->bits[0]);
    return w->bits[narrowed];
}

static void add_records(uint64_t *bits, const asked *x, uint32_t code)
{
    const kn_posting list = kn__postings_of(x->postings, code, 1);

    for (size_t i = 0; list.bits && i < list.words; i++) {
        bits[i] |= list.bits[i];
    }
    for (size_t i = 0; list.records && i < list.len; i++) {
        kn__bit_set(bits, list.records[i]);
    }
}

static void keep_records(const answering *a, worker *w, bool *narrowed)
{
    for (size_t i = 0; *narrowed && i < a->words; i++) {
        w->bits[0][i] &= w->bits[1][i];
    }
    *narrowed = true;
}

static void prepare_cells(const answering *a, worker *w, const group *g, bool *narrowed)
{
    const asked *x = &a->column[g->column];
    uint64_t *bits = begin_records(a, w, *narrowed);
    double *chance = w->chance[g->column];

    assert(g->count == 1);
    for (uint32_t code = 0; code < x->meanings->count; code++) {
        const size_t shared = kn__leaf_runs_shared(&x->meanings->of[code], &g->condition->leaves);
        chance[code] = shared ? (double)shared / (double)x->size[code] : 0;
        if (shared) {
            add_records(bits, x, code);
        }
    }
    keep_records(a, w, narrowed);
}

/* Give every code that meets condition `c` a slot, and narrow the records down to those that hold
 * one. */
static kn_status touch_codes(const answering *a, worker *w, const group *g,
                             const kn_query_condition *c, size_t *touched, bool *narrowed)
{
    const asked *x = &a->column[g->column];
    uint64_t *bits = begin_records(a, w, *narrowed);

    for (uint32_t code = 0; code < x->meanings->count; code++) {
        if (!kn__leaf_runs_shared(&x->meanings->of[code], &c->leaves)) {
            continue;
        }
        if (!w->slot[g->column][code]) {
            if (kn__grow(&w->touched, &w->touched_cap, *touched + 1, sizeof *w->touched,
                         &w->error) != KN_OK) {
                return KN_ENOMEM;
            }
            w->touched[(*touched)++] = code;
            w->slot[g->column][code] = (uint32_t)*touched;
        }
        add_records(bits, x, code);
    }
    keep_records(a, w, narrowed);
    return KN_OK;
}

/* The factors of the touched codes for every subset of the group's conditions. */
static kn_status find_factors(const answering *a, worker *w, const group *g, size_t touched)
{
    const asked *x = &a->column[g->column];
    const size_t subsets = (size_t)1 << g->count;
    kn_leaf_runs any = {0}, more;
    kn_status status;

    KN_TRY(kn__grow(&w->factor, &w->factor_cap, g->first_factor + touched * subsets,
                    sizeof *w->factor, &w->error));
    for (size_t b = 1; b < subsets; b++) {
        kn__leaf_runs_clear(&any);
        for (size_t i = 0; i < g->count; i++) {
            if (b >> i & 1) {
                KN_TRY(kn__leaf_runs_union(&more, &any, &g->condition[i].leaves, &w->error));
                kn__leaf_runs_clear(&any);
                any = more;
            }
        }
        for (size_t i = 0; i < touched; i++) {
            const uint32_t code = w->touched[i];
            w->factor[g->first_factor + i * subsets + b] = chance_of_none(
                x->size[code], kn__leaf_runs_shared(&x->meanings->of[code], &any), x->bags);
        }
    }
done:
    kn__leaf_runs_clear(&any);
    return status;
}

static kn_status prepare_lists(const answering *a, worker *w, group *g, size_t *factors,
                               bool *narrowed)
{
    size_t touched = 0;

    g->first_factor = *factors;
    for (size_t i = 0; i < g->count; i++) {
        KN_PASS(touch_codes(a, w, g, &g->condition[i], &touched, narrowed));
    }
    KN_PASS(find_factors(a, w, g, touched));
    *factors += touched << g->count;
    return KN_OK;
}

/* The chance that the list of `record` meets all conditions of the group. */
static double chance_of_list(const answering *a, const worker *w, const group *g, size_t record)
{
    const size_t subsets = (size_t)1 << g->count;
    const uint32_t *slot = w->slot[g->column];
    double none[SUBSETS], sum = 1;
    size_t len;
    const uint32_t *items = kn__baskets_record(a->column[g->column].lists, record, &len);

    for (size_t b = 1; b < subsets; b++) {
        none[b] = 1;
    }
    for (size_t i = 0; i < len; i++) {
        if (slot[items[i]]) {
            const double *factor = w->factor + g->first_factor + (slot[items[i]] - 1) * subsets;
            for (size_t b = 1; b < subsets; b++) {
                none[b] *= factor[b];
            }
        }
    }
    for (size_t b = 1; b < subsets; b++) {
        sum += __builtin_popcountll(b) % 2 ? -none[b] : none[b];
    }
    return sum > 0 ? sum : 0; /* differences of nearly equal numbers */
}

static double chance_of_record(const answering *a, const worker *w, const group *g, size_t groups,
                               size_t record)
{
    double chance = 1;

    for (size_t i = 0; i < groups && chance > 0; i++) {
        const kn_column *column = a->column[g[i].column].column;
        chance *= column->starts ? chance_of_list(a, w, &g[i], record)
                                 : w->chance[g[i].column][kn__column_code(column, record)];
    }
    return chance;
}

static double sum_chances(const answering *a, const worker *w, const group *g, size_t groups)
{
    double sum = 0;

    for (size_t i = 0; i < a->words; i++) {
        for (uint64_t word = w->bits[0][i]; word; word &= word - 1) {
            sum += chance_of_record(a, w, g, groups, i * 64 + (size_t)__builtin_ctzll(word));
        }
    }
    return sum;
}

static kn_status answer(const answering *a, worker *w, size_t question)
{
    const kn_query_condition *first = a->w->condition + a->w->begin[question];
    const size_t conditions = a->w->begin[question + 1] - a->w->begin[question];
    group *g = kn__malloc_array(conditions, sizeof *g);
    size_t groups = 0, factors = 0;
    bool narrowed = false;
    kn_status status;

    KN_TRY(g ? KN_OK : kn__nomem(&w->error));
    for (size_t i = 0; i < conditions; i++) {
        if (groups && g[groups - 1].column == first[i].column) {
            g[groups - 1].count++;
        } else {
            g[groups++] = (group){.column = first[i].column, .condition = &first[i], .count = 1};
        }
    }
    for (size_t i = 0; i < groups; i++) {
        const asked *x = &a->column[g[i].column];
        if (x->column->starts) {
            KN_TRY(prepare_lists(a, w, &g[i], &factors, &narrowed));
        } else {
            prepare_cells(a, w, &g[i], &narrowed);
        }
    }
    a->answers[question] = sum_chances(a, w, g, groups);
done:
    for (size_t i = 0; i < groups; i++) {
        const asked *x = &a->column[g[i].column];
        if (x->column->starts) {
            memset(w->slot[g[i].column], 0, x->meanings->count * sizeof **w->slot);
        }
    }
    kn__free(g);
    return status;
}

static void answer_slice(void *user, unsigned number, size_t begin, size_t end)
{
    const answering *a = user;
    worker *w = &a->worker[number];

    for (size_t i = begin; i < end && !w->error.status; i++) {
        (void)answer(a, w, i);
    }
}

kn_status kn__workload_answer(const kn_workload *w, const kn_dataset *table, double *answers,
                              const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    answering a = {.w = w, .table = table, .words = table->records / 64 + 1};
    kn_status status;

    a.answers = answers;
    a.column = kn__zalloc_array(w->columns, sizeof *a.column);
    a.worker = kn__zalloc_array(threads, sizeof *a.worker);
    KN_TRY(a.column && a.worker ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < w->columns; i++) {
        if (w->leaves[i]) {
            KN_TRY(prepare_column(&a, i, err));
        }
    }
    for (unsigned i = 0; i < threads; i++) {
        KN_TRY(prepare_worker(&a, &a.worker[i], err));
    }
    KN_TRY(kn__parallel_steps(run, "queries", threads, w->count, GRAIN, answer_slice, &a, err));
    for (unsigned i = 0; i < threads; i++) {
        KN_TRY(kn__error_pass(err, &a.worker[i].error));
    }
done:
    clear(&a, threads);
    return status;
}

/* ---- the error ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static kn_status make_workload(kn_workload **out, const kn_dataset *original,
                               const kn_hierarchies *hierarchies, const kn_query_options *options,
                               const kn_run *run, kn_error *err)
{
    size_t values = options->values, items = options->items, scalars = 0, lists = 0;

    if (options->workload) {
        return kn__workload_of_table(out, original, hierarchies, options->workload, err);
    }
    for (size_t i = 0; i < original->columns; i++) {
        const bool quasi = original->column[i].role == KN_ROLE_QUASI && original->column[i].dict;
        scalars += quasi && !original->column[i].starts;
        lists += quasi && original->column[i].starts;
    }
    if (values + items == 0) {
        const size_t usual = lists ? 1 : VALUES;
        values = scalars < usual ? scalars : usual;
        items = lists ? ITEMS : 0;
    }
    return kn__workload_draw(out, original, hierarchies,
                             options->queries ? options->queries : QUERIES, values, items, run,
                             err);
}

kn_status kn_query_error_measure(kn_query_error *out, const kn_dataset *original,
                                 const kn_dataset *release, const kn_hierarchies *hierarchies,
                                 const kn_query_options *options, const kn_run *run, kn_error *err)
{
    KN_NEED(err, out, original, release);
    KN_NEED_ROWS(err, original);
    KN_NEED_ROWS(err, release);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);

    const kn_query_options standard = {0};
    kn_workload *w = NULL;
    double *actual = NULL, *estimated = NULL, sum = 0;
    kn_status status;

    *out = (kn_query_error){.mean = NAN, .median = NAN};
    KN_TRY(kn__run_step(run, "queries", -1, err));
    KN_TRY(make_workload(&w, original, hierarchies, options ? options : &standard, run, err));
    actual = kn__malloc_array(w->count, sizeof *actual);
    estimated = kn__malloc_array(w->count, sizeof *estimated);
    KN_TRY(actual && estimated ? kn__workload_answer(w, original, actual, run, err)
                               : kn__nomem(err));
    KN_TRY(kn__workload_answer(w, release, estimated, run, err));
    if (w->count) {
        for (size_t i = 0; i < w->count; i++) {
            estimated[i] = fabs(estimated[i] - actual[i]) / fmax(actual[i], 1);
            sum += estimated[i];
        }
        qsort(estimated, w->count, sizeof *estimated, by_value);
        *out = (kn_query_error){
            .queries = w->count,
            .mean = sum / (double)w->count,
            .median = (estimated[(w->count - 1) / 2] + estimated[w->count / 2]) / 2};
    }
done:
    KN_FREE(actual, estimated);
    kn__workload_free(w);
    return status;
}
