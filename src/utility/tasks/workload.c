/* workload.c - questions to a table: drawn from its records, or read. */
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "utility/items/levels.h"
#include "utility/tasks/queries.h"

#include <stdio.h>
#include <string.h>

enum {
    STREAM = 0x7175,   /* so that questions are not drawn with a method's random numbers */
    MANY_VALUES = 100, /* ordered columns with more different ones are asked for ranges, ... */
    RANGES = 32,       /* ... of which there are so many */
    MOST_QUESTIONS = 1000000,
    BETWEEN_STEPS = 4096
};

static bool may_be_asked(const kn_column *column)
{
    return column->role != KN_ROLE_IDENTIFIER && column->role != KN_ROLE_DROPPED && column->dict;
}

static kn_status make(kn_workload **out, const kn_dataset *original, kn_error *err)
{
    kn_workload *w = kn__zalloc(sizeof *w);

    KN_PASS(w ? KN_OK : kn__nomem(err));
    *w = (kn_workload){.original = original, .columns = original->columns};
    w->domain = kn__zalloc_array(w->columns, sizeof *w->domain);
    w->leaves = kn__zalloc_array(w->columns, sizeof *w->leaves);
    if (!w->domain || !w->leaves ||
        kn__grow(&w->begin, &w->begin_cap, 1, sizeof *w->begin, err) != KN_OK) {
        kn__workload_free(w);
        return kn__nomem(err);
    }
    w->begin[0] = 0;
    *out = w;
    return KN_OK;
}

void kn__workload_free(kn_workload *w)
{
    if (w) {
        for (size_t i = 0; i < w->columns; i++) {
            if (w->leaves) {
                kn__leaf_ranges_free(w->leaves[i]);
            }
            if (w->domain) {
                kn__domain_free(w->domain[i]);
            }
        }
        for (size_t i = 0; i < w->conditions; i++) {
            kn__leaf_runs_clear(&w->condition[i].leaves);
        }
        KN_FREE(w->domain, w->leaves, w->condition, w->begin, w);
    }
}

/* Have the domain of `column` ready. */
static kn_status ask_column(kn_workload *w, size_t column, const kn_hierarchies *hierarchies,
                            kn_error *err)
{
    const kn_column *c = &w->original->column[column];

    if (!w->domain[column]) {
        KN_PASS(kn__domain_new(&w->domain[column], c,
                               hierarchies ? kn_hierarchies_get(hierarchies, c->name) : NULL,
                               KN_UNCOVERED_ROOT, err));
    }
    if (!w->leaves[column]) {
        KN_PASS(kn__leaf_ranges_new(&w->leaves[column], w->domain[column], err));
    }
    return KN_OK;
}

/* `p` becomes a condition of the question that is being made. */
static kn_status add_condition(kn_workload *w, size_t column, const kn_published *p, kn_error *err)
{
    kn_query_condition c = {.column = column};

    KN_PASS(
        kn__grow(&w->condition, &w->conditions_cap, w->conditions + 1, sizeof *w->condition, err));
    KN_PASS(kn__leaf_ranges_of(w->leaves[column], p, &c.leaves, err));
    w->condition[w->conditions++] = c;
    return KN_OK;
}

static kn_status end_question(kn_workload *w, kn_error *err)
{
    KN_PASS(kn__grow(&w->begin, &w->begin_cap, w->count + 2, sizeof *w->begin, err));
    w->begin[++w->count] = w->conditions;
    return KN_OK;
}

/* ---- drawing ---- */

typedef struct drawing {
    const kn_dataset *original;
    size_t *scalar; /* quasi-identifiers with one value a record */
    size_t scalars;
    size_t list; /* the first that is a list; SIZE_MAX: none */
    size_t values, items;
    uint32_t *able; /* records that have so much */
    size_t able_count;
    uint32_t
        *candidates; /* of the current record: its columns with a value, or its distinct items */
    size_t candidates_cap;
    uint64_t **rank; /* by column, where ranges are asked for */
    uint64_t *all;
} drawing;

/* What of a column a code stands for in a question: itself, or its range. */
static uint32_t part_of(const drawing *d, size_t column, uint32_t code)
{
    return d->rank[column] ? kn__range_of_rank(d->rank[column][code], d->all[column], RANGES)
                           : code;
}

static kn_published part(const drawing *d, size_t column, uint32_t code)
{
    const kn_column *c = &d->original->column[column];
    const uint32_t values = kn__column_values(c) - (c->missing != KN_NO_CODE);
    const uint32_t own = part_of(d, column, code);
    uint32_t first = code, last = code;

    if (!d->rank[column]) {
        return (kn_published){.kind = KN_PUB_VALUE, .code = code};
    }
    while (first > 0 && part_of(d, column, first - 1) == own) {
        first--;
    }
    while (last + 1 < values && part_of(d, column, last + 1) == own) {
        last++;
    }
    return (kn_published){.kind = KN_PUB_RANGE, .low = c->numbers[first], .high = c->numbers[last]};
}

static kn_status rank_columns(drawing *d, kn_error *err)
{
    d->rank = kn__zalloc_array(d->original->columns, sizeof *d->rank);
    d->all = kn__zalloc_array(d->original->columns, sizeof *d->all);
    KN_PASS(d->rank && d->all ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < d->original->columns; i++) {
        const kn_column *c = &d->original->column[i];
        if (c->role == KN_ROLE_QUASI && c->dict && c->numbers &&
            kn__column_values(c) > MANY_VALUES) {
            KN_PASS(kn__column_ranks(&d->rank[i], &d->all[i], c, d->original->records, err));
        }
    }
    return KN_OK;
}

static kn_status find_columns(drawing *d, kn_error *err)
{
    d->list = SIZE_MAX;
    d->scalar = kn__malloc_array(d->original->columns, sizeof *d->scalar);
    KN_PASS(d->scalar ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < d->original->columns; i++) {
        const kn_column *c = &d->original->column[i];
        if (c->role != KN_ROLE_QUASI || !c->dict) {
            continue;
        }
        if (!c->starts) {
            d->scalar[d->scalars++] = i;
        } else if (d->list == SIZE_MAX) {
            d->list = i;
        }
    }
    if (d->values > d->scalars) {
        return kn__fail(err, KN_EUSAGE,
                        "a question cannot have %zu values: %zu of the quasi-identifiers hold one "
                        "value a record",
                        d->values, d->scalars);
    }
    if (d->items > 0 && d->list == SIZE_MAX) {
        return kn__fail(err, KN_EUSAGE,
                        "a question cannot have items: no quasi-identifier is a list");
    }
    if (d->items > KN_QUERY_ITEMS) {
        return kn__fail(err, KN_EUSAGE, "a question can have %d items at most, not %zu",
                        KN_QUERY_ITEMS, d->items);
    }
    if (d->values + d->items == 0) {
        return kn__fail(err, KN_EUSAGE, "a question needs a value or an item");
    }
    return KN_OK;
}

/* List the columns of `record` with a value; returns how many. */
static size_t list_values(const drawing *d, size_t record, uint32_t *candidates)
{
    size_t count = 0;

    for (size_t i = 0; i < d->scalars; i++) {
        const kn_column *c = &d->original->column[d->scalar[i]];
        if (kn__column_code(c, record) != c->missing) {
            if (candidates) {
                candidates[count] = (uint32_t)d->scalar[i];
            }
            count++;
        }
    }
    return count;
}

/* List its distinct items; of those in one range the first. */
static size_t list_items(const drawing *d, size_t record, uint32_t *candidates)
{
    const kn_column *c = &d->original->column[d->list];
    size_t count = 0;
    uint32_t last = KN_NO_CODE;

    for (uint64_t i = c->starts[record]; i < c->starts[record + 1]; i++) {
        const uint32_t code = kn__column_code(c, (size_t)i);
        if (code != c->missing && part_of(d, d->list, code) != last) {
            if (candidates) {
                candidates[count] = code;
            }
            count++;
            last = part_of(d, d->list, code);
        }
    }
    return count;
}

static kn_status find_able(drawing *d, kn_error *err)
{
    const size_t records = d->original->records;
    size_t most = d->scalars;

    d->able = kn__malloc_array(records, sizeof *d->able);
    KN_PASS(d->able ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        const size_t items = d->items ? list_items(d, i, NULL) : 0;
        most = items > most ? items : most;
        if (items >= d->items && (!d->values || list_values(d, i, NULL) >= d->values)) {
            d->able[d->able_count++] = (uint32_t)i;
        }
    }
    if (d->able_count == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "no record has %zu values and %zu different items: ask for fewer",
                        d->values, d->items);
    }
    return kn__grow(&d->candidates, &d->candidates_cap, most, sizeof *d->candidates, err);
}

/* Choose `want` of the first `count` candidates with equal chances, and sort them to the front. */
static void choose(uint32_t *candidates, size_t count, size_t want, kn_rng *rng)
{
    for (size_t i = 0; i < want; i++) {
        const size_t j = i + (size_t)kn__rng_below(rng, count - i);
        uint32_t chosen = candidates[j];
        size_t at = i;
        candidates[j] = candidates[i];
        for (; at > 0 && candidates[at - 1] > chosen; at--) {
            candidates[at] = candidates[at - 1];
        }
        candidates[at] = chosen;
    }
}

static kn_status draw(kn_workload *w, drawing *d, const kn_hierarchies *hierarchies, kn_rng *rng,
                      kn_error *err)
{
    const size_t record = d->able[kn__rng_below(rng, d->able_count)];
    kn_published p;

    if (d->values) {
        choose(d->candidates, list_values(d, record, d->candidates), d->values, rng);
    }
    for (size_t i = 0; i < d->values; i++) {
        const size_t column = d->candidates[i];
        p = part(d, column, kn__column_code(&d->original->column[column], record));
        KN_PASS(ask_column(w, column, hierarchies, err));
        KN_PASS(add_condition(w, column, &p, err));
    }
    if (d->items) {
        choose(d->candidates, list_items(d, record, d->candidates), d->items, rng);
        KN_PASS(ask_column(w, d->list, hierarchies, err));
    }
    for (size_t i = 0; i < d->items; i++) {
        p = part(d, d->list, d->candidates[i]);
        KN_PASS(add_condition(w, d->list, &p, err));
    }
    return end_question(w, err);
}

kn_status kn__workload_draw(kn_workload **out, const kn_dataset *original,
                            const kn_hierarchies *hierarchies, size_t count, size_t values,
                            size_t items, const kn_run *run, kn_error *err)
{
    drawing d = {.original = original, .values = values, .items = items};
    kn_workload *w = NULL;
    kn_rng rng;
    kn_status status;

    *out = NULL;
    if (count > MOST_QUESTIONS) {
        KN_TRY(kn__fail(err, KN_EUSAGE, "%d questions can be drawn at most, not %zu",
                        (int)MOST_QUESTIONS, count));
    }
    KN_TRY(original->records < UINT32_MAX
               ? make(&w, original, err)
               : kn__fail(err, KN_EINPUT, "the original has too many records"));
    kn__rng_seed(&rng, run ? run->seed : 0, STREAM);
    KN_TRY(find_columns(&d, err));
    KN_TRY(rank_columns(&d, err));
    KN_TRY(find_able(&d, err));
    for (size_t i = 0; i < count; i++) {
        if (i % BETWEEN_STEPS == 0) {
            KN_TRY(kn__run_step(run, "queries", -1, err));
        }
        KN_TRY(draw(w, &d, hierarchies, &rng, err));
    }
done:
    for (size_t i = 0; d.rank && i < original->columns; i++) {
        kn__free(d.rank[i]);
    }
    KN_FREE(d.rank, d.all, d.scalar, d.able, d.candidates);
    if (status != KN_OK) {
        kn__workload_free(w);
        return status;
    }
    *out = w;
    return KN_OK;
}

/* ---- reading ---- */

typedef struct asking {
    kn_workload *w;
    const kn_hierarchies *hierarchies;
    const kn_dataset *questions;
    kn_domain *plain; /* of the column in `plain_of`, without its hierarchy: for ranges and sets */
    size_t plain_of;
} asking;

/* A text as a value of the column's domain; with a hierarchy also as a range or set of values,
 * which may be asked for although no release would publish it. */
static kn_status ask_text(asking *a, size_t column, const char *text, size_t len, kn_error *err)
{
    const kn_column *c = &a->w->original->column[column];
    kn_published p = {0};
    kn_error plain;
    const kn_status parsed = kn__published_parse(&p, a->w->domain[column], text, len, err);
    kn_status status = parsed;

    if (parsed == KN_EINPUT && a->w->domain[column]->hierarchy) {
        /* A query may also use the notation of a column without a hierarchy. */
        if (a->plain_of != column) {
            kn__domain_free(a->plain);
            a->plain_of = SIZE_MAX;
            KN_TRY(kn__domain_new(&a->plain, c, NULL, KN_UNCOVERED_ROOT, err));
            a->plain_of = column;
        }
        plain.status = kn__published_parse(&p, a->plain, text, len, &plain);
        status = plain.status == KN_EINPUT ? parsed : kn__error_pass(err, &plain);
    }
    KN_TRY(status);
    KN_TRY(add_condition(a->w, column, &p, err));
done:
    kn__published_clear(&p);
    return status;
}

/* Cell `record` of the questions' column `c`, about the original's `column`. */
static kn_status ask_cell(asking *a, const kn_column *c, size_t column, size_t record,
                          kn_error *err)
{
    const uint64_t begin = c->starts ? c->starts[record] : record;
    const uint64_t end = c->starts ? c->starts[record + 1] : record + 1;
    size_t asked = 0;

    for (uint64_t i = begin; i < end; i++) {
        const uint32_t code = kn__column_code(c, (size_t)i);
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        /* A repeated item asks the same again. */
        const bool again = i > begin && code == kn__column_code(c, (size_t)i - 1);
        if (code == c->missing || len == 0 || again) {
            continue;
        }
        if (++asked > KN_QUERY_ITEMS) {
            return kn__fail(err, KN_EINPUT, "column '%.100s': a question can have %d items at most",
                            c->name, KN_QUERY_ITEMS);
        }
        KN_PASS(ask_text(a, column, text, len, err));
    }
    return KN_OK;
}

static kn_status find_asked(asking *a, size_t *column, kn_error *err)
{
    const kn_dataset *original = a->w->original;

    for (size_t i = 0; i < a->questions->columns; i++) {
        const kn_column *c = &a->questions->column[i];
        column[i] = kn_dataset_find(original, c->name);
        if (column[i] == SIZE_MAX || !may_be_asked(&original->column[column[i]]) || !c->dict) {
            return kn__fail(err, KN_EINPUT,
                            "column '%.100s': the original has no such column whose values are "
                            "published",
                            c->name);
        }
        if (c->starts && !original->column[column[i]].starts) {
            return kn__fail(err, KN_EINPUT,
                            "column '%.100s' holds lists and that of the original does not: read "
                            "both with one schema",
                            c->name);
        }
        KN_PASS(ask_column(a->w, column[i], a->hierarchies, err));
    }
    return KN_OK;
}

static kn_status ask_record(asking *a, const size_t *column, size_t record, kn_error *err)
{
    const size_t before = a->w->conditions;
    kn_status status = KN_OK;

    for (size_t i = 0; i < a->questions->columns; i++) {
        KN_TRY(ask_cell(a, &a->questions->column[i], column[i], record, err));
    }
    if (a->w->conditions == before) {
        KN_TRY(kn__fail(err, KN_EINPUT, "it asks nothing: give at least one value or item"));
    }
    KN_TRY(end_question(a->w, err));
done:
    if (status == KN_EINPUT && err) {
        char where[32];
        (void)snprintf(where, sizeof where, "record %zu", record + 1);
        kn__error_prefix(err, where);
    }
    return status;
}

kn_status kn__workload_of_table(kn_workload **out, const kn_dataset *original,
                                const kn_hierarchies *hierarchies, const kn_dataset *questions,
                                kn_error *err)
{
    asking a = {.hierarchies = hierarchies, .questions = questions, .plain_of = SIZE_MAX};
    size_t *column = kn__malloc_array(questions->columns, sizeof *column);
    kn_status status;

    *out = NULL;
    KN_TRY(column ? make(&a.w, original, err) : kn__nomem(err));
    KN_TRY(find_asked(&a, column, err));
    for (size_t i = 0; i < questions->records; i++) {
        KN_TRY(ask_record(&a, column, i, err));
    }
done:
    if (status == KN_EINPUT && err) {
        kn__error_prefix(err, questions->source ? questions->source : "questions");
    }
    kn__free(column);
    kn__domain_free(a.plain);
    if (status != KN_OK) {
        kn__workload_free(a.w);
        return status;
    }
    *out = a.w;
    return KN_OK;
}
