/* judge.c - one class at a time, for methods. */
#include "guarantees/judge.h"
#include "guarantees/registry.h"

#include "base/error.h"
#include "base/memory.h"
#include "guarantees/formulas.h"

#include <math.h>

struct kn_judge {
    kn_formulas *formulas;
    const uint32_t *counts; /* by record: people; NULL: one each */
};

struct kn_judge_scratch {
    kn_formula_scratch room;
};

kn_status kn__judge_new(kn_judge **out, const kn_guarantee *guarantees, size_t count,
                        const kn_dataset *ds, const kn_hierarchies *hierarchies,
                        const uint8_t *kept, kn_error *err)
{
    kn_judge *j = kn__zalloc(sizeof *j);
    kn_status status;

    *out = NULL;
    KN_PASS(j ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        if (!kn__guarantee_of_classes(&guarantees[i])) {
            kn__free(j);
            return kn__fail(err, KN_EUSAGE,
                            "%s is about item lists, and this method is about columns with "
                            "one value a record: choose another (see kanon list methods)",
                            kn_guarantee_name(guarantees[i].kind));
        }
    }
    status = kn__formulas_new(
        &j->formulas, guarantees, count,
        &(kn_formula_tables){.ds = ds, .original = ds, .hierarchies = hierarchies, .kept = kept},
        err);
    if (status != KN_OK) {
        kn__free(j);
        return status;
    }
    j->counts = ds->counts;
    *out = j;
    return KN_OK;
}

void kn__judge_free(kn_judge *j)
{
    if (j) {
        kn__formulas_free(j->formulas);
        kn__free(j);
    }
}

size_t kn__judge_least(const kn_judge *j)
{
    return j->formulas->least;
}

bool kn__judge_size_only(const kn_judge *j)
{
    return j->formulas->sensitives == 0;
}

bool kn__judge_grows(const kn_judge *j)
{
    for (size_t i = 0; i < j->formulas->count; i++) {
        const kn_guarantee *g = &j->formulas->guarantees[i];
        const kn_guarantee_row *row = kn__guarantee_row(g->kind);
        if (row->grows && !row->grows(g)) {
            return false;
        }
    }
    return true;
}

bool kn__judge_reference_moves(const kn_judge *j)
{
    return j->formulas->moves;
}

kn_status kn__judge_scratch_new(kn_judge_scratch **out, const kn_judge *j, kn_error *err)
{
    kn_judge_scratch *s = kn__malloc(sizeof *s);
    kn_status status;

    *out = NULL;
    KN_PASS(s ? KN_OK : kn__nomem(err));
    status = kn__formula_scratch_init(&s->room, j->formulas, err);
    if (status != KN_OK) {
        kn__free(s);
        return status;
    }
    *out = s;
    return KN_OK;
}

void kn__judge_scratch_free(kn_judge_scratch *s)
{
    if (s) {
        kn__formula_scratch_clear(&s->room);
        kn__free(s);
    }
}

/* The people that `records` stand for, or at least `enough` of them. */
static size_t people_of(const kn_judge *j, const uint32_t *records, size_t count, size_t enough)
{
    size_t people = 0;

    if (!j->counts) {
        return count;
    }
    for (size_t i = 0; i < count && people < enough; i++) {
        people += j->counts[records[i]];
    }
    return people;
}

bool kn__judge_class(const kn_judge *j, kn_judge_scratch *s, const uint32_t *records, size_t count)
{
    const kn_formulas *f = j->formulas;
    kn_histogram *h = &s->room.histogram;
    bool holds = true;

    if (count == 0) {
        return true;
    }
    if (people_of(j, records, count, f->least) < f->least) {
        return false;
    }
    for (size_t c = 0; c < f->sensitives && holds; c++) {
        kn__histogram_add(h, &f->sensitive[c], records, count);
        for (size_t g = 0; g < f->count && holds; g++) {
            holds = !kn__guarantee_is_about(&f->guarantees[g], KN_ABOUT_VALUES) ||
                    kn__formula_holds(f, g, c, &s->room, NULL);
        }
        kn__histogram_reset(h);
    }
    return holds;
}

double kn__judge_excess(const kn_judge *j, kn_judge_scratch *s, const uint32_t *records,
                        size_t count)
{
    const kn_formulas *f = j->formulas;
    kn_histogram *h = &s->room.histogram;
    double most = people_of(j, records, count, f->least) < f->least ? INFINITY : 0;

    for (size_t c = 0; c < f->sensitives && !isinf(most); c++) {
        kn__histogram_add(h, &f->sensitive[c], records, count);
        for (size_t g = 0; g < f->count && !isinf(most); g++) {
            const kn_guarantee *asked = &f->guarantees[g];
            double value, excess;
            if (!kn__guarantee_is_about(asked, KN_ABOUT_VALUES) ||
                kn__formula_holds(f, g, c, &s->room, &value)) {
                continue;
            }
            excess = kn__guarantee_row(asked->kind)->reference &&
                             !kn_guarantee_compares_original(asked)
                         ? kn__formula_badness(asked, value)
                         : INFINITY;
            most = excess > most ? excess : most;
        }
        kn__histogram_reset(h);
    }
    return most;
}
