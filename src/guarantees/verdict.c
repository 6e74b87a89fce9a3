/* verdict.c - what a check found. */
#include "guarantees/verdict.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

/* A total order, so that the worst are the same whatever thread found them. */
static bool worse(const kn_break *a, const kn_break *b)
{
    if (a->badness != b->badness) {
        return a->badness > b->badness;
    }
    if (a->items_count != b->items_count) {
        return a->items_count < b->items_count;
    }
    if (a->record != b->record) {
        return a->record < b->record;
    }
    if (a->guarantee != b->guarantee) {
        return a->guarantee < b->guarantee;
    }
    if (a->sensitive != b->sensitive) {
        return a->sensitive < b->sensitive;
    }
    for (uint32_t i = 0; i < a->items_count; i++) {
        if (a->items[i] != b->items[i]) {
            return a->items[i] < b->items[i];
        }
    }
    return false;
}

kn_status kn__worst_init(kn_worst *w, kn_error *err)
{
    w->len = 0;
    w->breaks = kn__malloc_array(KN_WORST, sizeof *w->breaks);
    return w->breaks ? KN_OK : kn__nomem(err);
}

void kn__worst_clear(kn_worst *w)
{
    kn__free(w->breaks);
    *w = (kn_worst){0};
}

static void sift_down(kn_break *breaks, size_t from, size_t len)
{
    const kn_break moving = breaks[from];

    for (;;) {
        size_t child = 2 * from + 1;
        if (child >= len) {
            break;
        }
        child += child + 1 < len && worse(&breaks[child], &breaks[child + 1]);
        if (!worse(&moving, &breaks[child])) {
            break;
        }
        breaks[from] = breaks[child];
        from = child;
    }
    breaks[from] = moving;
}

void kn__worst_offer(kn_worst *w, const kn_break *b)
{
    size_t at = w->len;

    if (w->len == KN_WORST) {
        if (worse(b, &w->breaks[0])) {
            w->breaks[0] = *b;
            sift_down(w->breaks, 0, w->len);
        }
        return;
    }
    w->len++;
    while (at > 0 && worse(&w->breaks[(at - 1) / 2], b)) {
        w->breaks[at] = w->breaks[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    w->breaks[at] = *b;
}

void kn__worst_sort(kn_worst *w)
{
    for (size_t len = w->len; len > 1; len--) {
        const kn_break least = w->breaks[0];
        w->breaks[0] = w->breaks[len - 1];
        w->breaks[len - 1] = least;
        sift_down(w->breaks, 0, len - 1);
    }
}

kn_status kn__verdict_reserve(kn_verdict *v, size_t more, kn_error *err)
{
    kn_violation *all = kn__realloc_array(v->violation, v->kept + more, sizeof *all);

    v->violation = all ? all : v->violation;
    return all ? KN_OK : kn__nomem(err);
}

void kn_verdict_free(kn_verdict *v)
{
    if (!v) {
        return;
    }
    for (size_t i = 0; v->sensitive && i < v->sensitives; i++) {
        kn__free(v->sensitive[i]);
    }
    kn__free(v->sensitive);
    for (size_t i = 0; v->rooms && i < 2 * v->guarantees; i++) {
        kn__free(v->rooms[i]);
    }
    kn__free(v->rooms);
    for (size_t i = 0; v->words && i < v->guarantees; i++) {
        kn__free(v->words[i]);
    }
    KN_FREE(v->words, v->sizes, v->certificates, v->violation, v->achieved, v);
}

kn_status kn__verdict_prepare_items(kn_verdict *v, kn_error *err)
{
    if (v->sizes) {
        return KN_OK;
    }
    v->rooms = kn__zalloc_array(2 * v->guarantees, sizeof(uint32_t *));
    v->sizes = kn__malloc_array(v->guarantees, sizeof *v->sizes);
    KN_PASS(v->sizes && v->rooms ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < v->guarantees; i++) {
        for (size_t size = 0; size <= KN_MOST_KNOWN; size++) {
            v->sizes[i][size] = v->achieved[i];
        }
    }
    return KN_OK;
}

bool kn_verdict_holds(const kn_verdict *v)
{
    return v && v->violations == 0 && !v->uncertified && !v->undecided;
}

size_t kn_verdict_classes(const kn_verdict *v)
{
    return v ? v->classes : 0;
}

double kn_verdict_achieved(const kn_verdict *v, size_t i)
{
    return v && i < v->guarantees ? v->achieved[i] : NAN;
}

double kn_verdict_achieved_size(const kn_verdict *v, size_t i, size_t size)
{
    return v && v->sizes && i < v->guarantees && size <= KN_MOST_KNOWN ? v->sizes[i][size]
                                                                       : kn_verdict_achieved(v, i);
}

double kn_verdict_achieved_k(const kn_verdict *v, size_t i)
{
    double least = kn_verdict_achieved_size(v, i, 0);

    for (size_t size = 1; size <= KN_MOST_KNOWN; size++) {
        least = fmin(least, kn_verdict_achieved_size(v, i, size));
    }
    return least;
}

size_t kn_verdict_certificates(const kn_verdict *v)
{
    return v ? v->certificates_count : 0;
}

const kn_certificate *kn_verdict_certificate(const kn_verdict *v, size_t i)
{
    return v && i < v->certificates_count ? &v->certificates[i] : NULL;
}

bool kn_verdict_unknown(const kn_verdict *v)
{
    return v && v->undecided && v->violations == 0 && !v->uncertified;
}

const kn_items_seen *kn_verdict_items(const kn_verdict *v)
{
    return v && v->sizes ? &v->seen : NULL;
}

size_t kn_verdict_violations(const kn_verdict *v)
{
    return v ? v->violations : 0;
}

size_t kn_verdict_violations_kept(const kn_verdict *v)
{
    return v ? v->kept : 0;
}

const kn_violation *kn_verdict_violation(const kn_verdict *v, size_t i)
{
    return v && i < v->kept ? &v->violation[i] : NULL;
}

size_t kn_verdict_records_at_risk(const kn_verdict *v)
{
    return v ? v->at_risk : 0;
}
