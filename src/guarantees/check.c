/* check.c - the checker: groups a table by its quasi-identifiers and asks the formulas about
 * every class. Guarantees with a check of their own come after that, each by its row.
 *
 * Shares no grouping with the methods: it sees only the table. With missing cells that may be
 * anything, a class is judged together with its candidates. Threads take classes; every sum,
 * minimum and "worst" that they merge is the same in any order. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/classes.h"
#include "guarantees/missing_match.h"
#include "guarantees/registry.h"

#include <math.h>
#include <string.h>

enum {
    GRAIN = 512,    /* classes that a thread takes at a time */
    STEP = 1 << 17, /* classes between two calls of progress */
    ALONE = 1 << 14 /* fewer records than this are not worth a second thread */
};

/* Histograms of the wild classes, which many others count in: walking their records each time
 * would cost the square. */
typedef struct sparse {
    size_t *begin; /* by class: classes + 1 */
    uint32_t *codes, *counts;
} sparse;

typedef struct worker {
    kn_formula_scratch scratch;
    uint32_t *room, *found; /* for candidates */
    double *achieved;
    kn_worst worst;
    size_t violations, at_risk;
} worker;

typedef struct job {
    const kn_dataset *ds;
    const kn_formulas *formulas;
    size_t *qi, qis;
    kn_classes *classes;
    uint32_t *members, *begin;    /* NULL when sizes are enough */
    kn_missing_match *candidates; /* NULL: every class has only itself */
    sparse *wild;                 /* by sensitive column; NULL without candidates */
    worker *workers;
    unsigned threads;
    size_t done;     /* classes of earlier steps */
    size_t own;      /* guarantees with a check of their own */
    size_t table;    /* guarantees about classes */
    bool both;       /* one of them is about classes and has a check of its own */
    uint8_t *broken; /* by class: it breaks something; NULL unless records are counted one by one */
    uint8_t *risky;  /* by record: it does; NULL likewise */
} job;

/* ---- one class ---- */

static bool record_break(const job *j, worker *w, uint32_t class_number, size_t g, size_t s,
                         uint64_t size, bool holds, double value)
{
    const kn_guarantee *asked = &j->formulas->guarantees[g];

    w->achieved[g] = kn__formula_worse(asked, w->achieved[g], value);
    if (!holds) {
        const kn_break b = {.badness = kn__formula_badness(asked, value),
                            .value = value,
                            .size = size,
                            .record = j->classes->first[class_number],
                            .guarantee = (uint32_t)g,
                            .sensitive = (uint32_t)s};
        kn__worst_offer(&w->worst, &b);
        w->violations++;
    }
    return !holds;
}

static void gather(const job *j, worker *w, uint32_t class_number, size_t others, size_t s)
{
    kn_histogram *h = &w->scratch.histogram;

    kn__histogram_add(h, &j->formulas->sensitive[s], j->members + j->begin[class_number],
                      j->begin[class_number + 1] - j->begin[class_number]);
    for (size_t i = 0; i < others; i++) {
        const sparse *wild = &j->wild[s];
        for (size_t at = wild->begin[w->found[i]]; at < wild->begin[w->found[i] + 1]; at++) {
            kn__histogram_add_code(h, wild->codes[at], wild->counts[at]);
        }
    }
}

/* Whether the size of a class decides. */
static bool by_size(const kn_guarantee *g)
{
    return kn__guarantee_of_classes(g) && !kn__guarantee_is_about(g, KN_ABOUT_VALUES);
}

static void check_class(const job *j, worker *w, uint32_t class_number)
{
    const kn_formulas *f = j->formulas;
    const size_t others = j->candidates
                              ? kn__missing_match_of(j->candidates, class_number, w->room, w->found)
                              : 0;
    uint64_t size = j->classes->size[class_number];
    bool broken = false;
    double value;

    for (size_t i = 0; i < others; i++) {
        size += j->classes->size[w->found[i]];
    }
    w->scratch.histogram.total = size;
    for (size_t g = 0; g < f->count; g++) {
        if (by_size(&f->guarantees[g])) {
            const bool holds = kn__formula_holds(f, g, 0, &w->scratch, &value);
            broken |= record_break(j, w, class_number, g, 0, size, holds, value);
        }
    }
    w->scratch.histogram.total = 0;
    for (size_t s = 0; s < f->sensitives; s++) {
        gather(j, w, class_number, others, s);
        for (size_t g = 0; g < f->count; g++) {
            if (kn__guarantee_is_about(&f->guarantees[g], KN_ABOUT_VALUES) &&
                !kn__formula_open(f, g)) {
                const bool holds = kn__formula_holds(f, g, s, &w->scratch, &value);
                broken |= record_break(j, w, class_number, g, s, size, holds, value);
            }
        }
        kn__histogram_reset(&w->scratch.histogram);
    }
    w->at_risk += broken ? j->classes->size[class_number] : 0;
    if (j->broken) {
        j->broken[class_number] = broken;
    }
}

static void check_slice(void *user, unsigned number, size_t begin, size_t end)
{
    job *j = user;

    for (size_t i = begin; i < end; i++) {
        check_class(j, &j->workers[number], (uint32_t)(j->done + i));
    }
}

/* ---- preparing ---- */

static kn_status find_quasi(job *j, kn_error *err)
{
    kn_status status = kn__dataset_with_role(j->ds, KN_ROLE_QUASI, &j->qi, &j->qis, err);
    size_t single = 0;

    if (status != KN_OK) {
        return status;
    }
    if (j->qis == 0) {
        return kn__fail(
            err, KN_EUSAGE,
            "no column is a quasi-identifier, so there is nothing to group people by: say "
            "what an attacker may know (--qi, or \"role\": \"quasi-identifier\" in the schema)");
    }
    for (size_t q = 0; q < j->qis; q++) {
        const kn_column *c = &j->ds->column[j->qi[q]];
        if (!kn__type_is_list(c->type)) {
            j->qi[single++] = j->qi[q];
        } else if (!j->own) {
            return kn__fail(
                err, KN_EUSAGE,
                "quasi-identifier \"%s\" holds lists: this guarantee is for columns with one "
                "value a record; give the column another role or type, or ask for km-anonymity",
                c->name);
        }
    }
    j->qis = single;
    if (single == 0 && j->both) {
        return kn__fail(
            err, KN_EUSAGE,
            "every quasi-identifier holds lists, and this guarantee is for items beside "
            "columns with one value a record: name some (--qi), or ask for km-anonymity");
    }
    if (single == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "every quasi-identifier holds lists, so there are no classes: ask for "
                        "km-anonymity alone, or name columns with one value a record (--qi)");
    }
    return KN_OK;
}

static kn_status list_wild(job *j, sparse *wild, size_t s, kn_error *err)
{
    kn_histogram *h = &j->workers[0].scratch.histogram;
    size_t total = 0, at = 0;

    for (uint32_t i = 0; i < j->classes->count; i++) {
        total += kn__missing_match_wild(j->candidates, i) ? j->begin[i + 1] - j->begin[i] : 0;
    }
    wild->begin = kn__malloc_array((size_t)j->classes->count + 1, sizeof *wild->begin);
    wild->codes = kn__malloc_array(total, sizeof *wild->codes);
    wild->counts = kn__malloc_array(total, sizeof *wild->counts);
    KN_PASS(wild->begin && wild->codes && wild->counts ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < j->classes->count; i++) {
        wild->begin[i] = at;
        if (kn__missing_match_wild(j->candidates, i)) {
            kn__histogram_add(h, &j->formulas->sensitive[s], j->members + j->begin[i],
                              j->begin[i + 1] - j->begin[i]);
            for (uint32_t v = 0; v < h->distinct; v++, at++) {
                wild->codes[at] = h->codes[v];
                wild->counts[at] = h->count[h->codes[v]];
            }
            kn__histogram_reset(h);
        }
    }
    wild->begin[j->classes->count] = at;
    return KN_OK;
}

static kn_status make_workers(job *j, kn_error *err)
{
    const kn_formulas *f = j->formulas;
    kn_status status = KN_OK;

    j->workers = kn__zalloc_array(j->threads, sizeof *j->workers);
    KN_PASS(j->workers ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < j->threads && status == KN_OK; i++) {
        worker *w = &j->workers[i];
        status = kn__formula_scratch_init(&w->scratch, f, err);
        if (status == KN_OK) {
            status = kn__worst_init(&w->worst, err);
        }
        w->achieved = kn__malloc_array(f->count, sizeof *w->achieved);
        if (j->candidates) {
            w->room = kn__malloc_array(kn__missing_match_room(j->candidates), sizeof *w->room);
            w->found = kn__malloc_array(kn__missing_match_most(j->candidates), sizeof *w->found);
        }
        if (!w->achieved || (j->candidates && (!w->room || !w->found))) {
            return kn__nomem(err);
        }
        for (size_t g = 0; g < f->count; g++) {
            w->achieved[g] = kn__formula_unlimited(&f->guarantees[g]);
        }
    }
    return status;
}

static kn_status prepare(job *j, const kn_run *run, kn_error *err)
{
    const kn_formulas *f = j->formulas;

    KN_PASS(kn__classes_new(&j->classes, j->ds, j->qi, j->qis, run, err));
    KN_PASS(kn__missing_match_new(&j->candidates, j->ds, j->qi, j->qis, j->classes, err));
    if (j->both && j->candidates) {
        return kn__fail(err, KN_EUSAGE,
                        "missing values that may be anyone's (--missing-rule any) are not counted "
                        "together with items: use --missing-rule own");
    }
    if (j->own) {
        j->broken = kn__zalloc_array(j->classes->count, 1);
        j->risky = kn__zalloc_array(j->ds->records, 1);
        KN_PASS(j->broken && j->risky ? KN_OK : kn__nomem(err));
    }
    if (f->sensitives) {
        KN_PASS(kn__classes_members(j->classes, &j->members, &j->begin, err));
    }
    KN_PASS(make_workers(j, err));
    if (j->candidates && f->sensitives) {
        j->wild = kn__zalloc_array(f->sensitives, sizeof *j->wild);
        KN_PASS(j->wild ? KN_OK : kn__nomem(err));
        for (size_t s = 0; s < f->sensitives; s++) {
            KN_PASS(list_wild(j, &j->wild[s], s, err));
        }
    }
    return KN_OK;
}

static void clear(job *j)
{
    for (unsigned i = 0; j->workers && i < j->threads; i++) {
        worker *w = &j->workers[i];
        kn__formula_scratch_clear(&w->scratch);
        kn__worst_clear(&w->worst);
        KN_FREE(w->achieved, w->room, w->found);
    }
    kn__free(j->workers);
    for (size_t s = 0; j->wild && s < j->formulas->sensitives; s++) {
        KN_FREE(j->wild[s].begin, j->wild[s].codes, j->wild[s].counts);
    }
    kn__free(j->wild);
    kn__missing_match_free(j->candidates);
    KN_FREE(j->members, j->begin);
    kn__classes_free(j->classes);
    KN_FREE(j->qi, j->broken, j->risky);
}

/* ---- the verdict ---- */

static void merge(job *j, kn_verdict *v)
{
    const kn_formulas *f = j->formulas;
    kn_worst *all = &j->workers[0].worst;

    for (unsigned i = 0; i < j->threads; i++) {
        const worker *w = &j->workers[i];
        for (size_t g = 0; g < f->count; g++) {
            v->achieved[g] = kn__formula_worse(&f->guarantees[g], v->achieved[g], w->achieved[g]);
        }
        for (size_t b = 0; i > 0 && b < w->worst.len; b++) {
            kn__worst_offer(all, &w->worst.breaks[b]);
        }
        v->violations += w->violations;
        v->at_risk += w->at_risk;
    }
    kn__worst_sort(all);
}

static kn_status make_verdict(kn_verdict **out, job *j, kn_error *err)
{
    const kn_formulas *f = j->formulas;
    const kn_worst none = {0}, *all = j->workers ? &j->workers[0].worst : &none;
    kn_verdict *v = kn__zalloc(sizeof *v);

    KN_PASS(v ? KN_OK : kn__nomem(err));
    v->classes = j->classes ? j->classes->count : 0;
    v->guarantees = f->count;
    v->achieved = kn__malloc_array(f->count, sizeof *v->achieved);
    v->sensitive = kn__zalloc_array(f->sensitives, sizeof *v->sensitive);
    if (!v->achieved || !v->sensitive) {
        goto no_memory;
    }
    v->sensitives = f->sensitives;
    for (size_t s = 0; s < f->sensitives; s++) {
        v->sensitive[s] = kn__strdup(f->sensitive[s].column->name);
        if (!v->sensitive[s]) {
            goto no_memory;
        }
    }
    for (size_t g = 0; g < f->count; g++) {
        v->achieved[g] = kn__formula_unlimited(&f->guarantees[g]);
    }
    if (j->workers) {
        merge(j, v);
    }
    for (size_t g = 0; g < f->count; g++) {
        if (kn__formula_open(f, g)) {
            v->achieved[g] = NAN;
            v->undecided = true;
        }
    }
    v->violation = kn__malloc_array(all->len, sizeof *v->violation);
    if (!v->violation) {
        goto no_memory;
    }
    v->kept = all->len;
    for (size_t i = 0; i < all->len; i++) {
        const kn_break *b = &all->breaks[i];
        const kn_guarantee *g = &f->guarantees[b->guarantee];
        v->violation[i] = (kn_violation){.kind = g->kind,
                                         .size = (size_t)b->size,
                                         .value = b->value,
                                         .sensitive = by_size(g) ? NULL
                                                                 : v->sensitive[b->sensitive],
                                         .record = b->record,
                                         .guarantee = b->guarantee};
    }
    *out = v;
    return KN_OK;

no_memory:
    kn_verdict_free(v);
    return kn__nomem(err);
}

static kn_status check_table(job *j, const kn_run *run, kn_error *err)
{
    KN_PASS(find_quasi(j, err));
    KN_PASS(prepare(j, run, err));
    while (j->done < j->classes->count) {
        const size_t left = j->classes->count - j->done, step = left < STEP ? left : STEP;
        KN_PASS(kn__run_step(run, "check", (double)j->done / (double)j->classes->count, err));
        kn__parallel_for(j->threads, step, GRAIN, check_slice, j);
        j->done += step;
    }
    for (size_t i = 0; j->risky && i < j->ds->records; i++) {
        j->risky[i] = j->broken[j->classes->of[i]];
    }
    return KN_OK;
}

/* Whether an earlier guarantee of the call has the check of guarantee `i`, which checks both. */
static bool was_checked(const kn_checking *c, size_t i)
{
    const kn_guarantee_row *row = kn__guarantee_row(c->guarantees[i].kind);

    for (size_t before = 0; before < i; before++) {
        if (kn__guarantee_row(c->guarantees[before].kind)->check == row->check) {
            return true;
        }
    }
    return false;
}

/* The checks of their own: first those about the classes that were formed. */
static kn_status check_others(const kn_checking *c, kn_error *err)
{
    for (int classes = 1; classes >= 0; classes--) {
        for (size_t i = 0; i < c->count; i++) {
            const kn_guarantee_row *row = kn__guarantee_row(c->guarantees[i].kind);
            const bool about_classes = row->about & KN_ABOUT_CLASSES;
            if (row->check && about_classes == (classes == 1) && !was_checked(c, i)) {
                KN_PASS(row->check(c, err));
            }
        }
    }
    if (c->risky) {
        c->verdict->at_risk = 0;
    }
    for (size_t i = 0; c->risky && i < c->ds->records; i++) {
        c->verdict->at_risk += c->risky[i] ? kn__dataset_count(c->ds, i) : 0;
    }
    return KN_OK;
}

/* Check what `c` asks, which lacks the verdict, the classes and the marks. */
static kn_status check(kn_verdict **out, kn_checking *c, kn_error *err)
{
    const kn_run *run = c->run;
    kn_formulas *formulas = NULL;
    job j = {.ds = c->ds, .threads = c->ds->records < ALONE ? 1 : kn__run_threads(run)};
    kn_status status;

    *out = NULL;
    KN_TRY(kn__formulas_new(
        &formulas, c->guarantees, c->count,
        &(kn_formula_tables){.ds = c->ds, .original = c->original, .hierarchies = c->hierarchies},
        err));
    j.formulas = formulas;
    for (size_t i = 0; i < c->count; i++) {
        const bool own = !kn__guarantee_of_classes(&c->guarantees[i]);
        const bool table = kn__guarantee_is_about(&c->guarantees[i], KN_ABOUT_CLASSES);
        if (own && !kn__guarantee_row(c->guarantees[i].kind)->counts) {
            KN_TRY(kn__refuse_counts(c->ds, kn_guarantee_name(c->guarantees[i].kind), err));
            KN_TRY(kn__refuse_counts(c->original, kn_guarantee_name(c->guarantees[i].kind), err));
        }
        j.own += own;
        j.table += table;
        j.both = j.both || (own && table);
    }
    if (j.table) {
        KN_TRY(check_table(&j, run, err));
    }
    KN_TRY(make_verdict(out, &j, err));
    if (j.own > 1 && !j.risky) {
        j.risky = kn__zalloc_array(c->ds->records, 1);
        KN_TRY(j.risky ? KN_OK : kn__nomem(err));
    }
    c->verdict = *out;
    c->classes = j.classes;
    c->risky = j.risky;
    KN_TRY(check_others(c, err));
done:
    if (status != KN_OK) {
        kn_verdict_free(*out);
        *out = NULL;
    }
    clear(&j);
    kn__formulas_free(formulas);
    return status;
}

kn_status kn_check(kn_verdict **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                   size_t count, const kn_hierarchies *hierarchies, const kn_run *run,
                   kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds);
    KN_NEED_SIZED(err, run);
    KN_NEED_SIZED_LIST(err, guarantees, count);
    if (count > 0) {
        KN_NEED(err, guarantees);
    }

    kn_checking c = {.ds = ds,
                     .guarantees = guarantees,
                     .count = count,
                     .hierarchies = hierarchies,
                     .twice = true,
                     .different = true,
                     .run = run};

    return check(out, &c, err);
}

kn_status kn_check_release(kn_verdict **out, const kn_dataset *ds, const kn_dataset *original,
                           const kn_guarantee *guarantees, size_t count,
                           const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds);
    KN_NEED_SIZED(err, run);
    KN_NEED_SIZED_LIST(err, guarantees, count);
    if (count > 0) {
        KN_NEED(err, guarantees);
    }

    kn_checking c = {.ds = ds,
                     .original = original,
                     .guarantees = guarantees,
                     .count = count,
                     .hierarchies = hierarchies,
                     .twice = true,
                     .different = true,
                     .run = run};

    return check(out, &c, err);
}

kn_status kn__check_release(kn_verdict **out, const kn_dataset *ds, const kn_dataset *original,
                            const kn_guarantee *guarantees, size_t count,
                            const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err)
{
    kn_checking c = {.ds = ds,
                     .original = original,
                     .guarantees = guarantees,
                     .count = count,
                     .hierarchies = hierarchies,
                     .twice = true,
                     .run = run};

    return check(out, &c, err);
}

kn_status kn__check_once(kn_verdict **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                         size_t count, const kn_hierarchies *hierarchies, const kn_run *run,
                         kn_error *err)
{
    kn_checking c = {.ds = ds,
                     .original = ds,
                     .guarantees = guarantees,
                     .count = count,
                     .hierarchies = hierarchies,
                     .run = run};

    return check(out, &c, err);
}
