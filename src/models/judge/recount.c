/* recount.c - counts the span and the class of every record again. */
#include "models/judge/recount.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 24 };

typedef struct listed {
    const uint32_t *list;
    size_t len;
} listed;

static int by_list(const void *x, const void *y)
{
    const listed *a = x, *b = y;

    return a->len != b->len ? (a->len > b->len ? 1 : -1)
                            : memcmp(a->list, b->list, a->len * sizeof *a->list);
}

static kn_status find_equal_spans(const char **what, const kn_spans *s, kn_error *err)
{
    listed *list = kn__malloc_array(s->count ? s->count : 1, sizeof *list);

    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < s->count; i++) {
        list[i] = (listed){s->classes + s->starts[i], s->starts[i + 1] - s->starts[i]};
    }
    qsort(list, s->count, sizeof *list, by_list);
    for (size_t i = 1; i < s->count; i++) {
        if (by_list(&list[i - 1], &list[i]) == 0) {
            *what = "one span was taken for two";
        }
    }
    kn__free(list);
    return KN_OK;
}

static kn_status count_records(const char **what, const kn_spans *s, size_t records, kn_error *err)
{
    uint64_t *count = kn__zalloc_array(s->count + s->classes_count + 1, sizeof *count);

    KN_PASS(count ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        count[s->of[i]]++;
        count[s->count + s->class_of[i]]++;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (count[i] != s->population[i]) {
            *what = "a span has another number of records";
        }
    }
    for (size_t i = 0; i < s->classes_count; i++) {
        if (count[s->count + i] != s->class_population[i]) {
            *what = "a class has another number of records";
        }
    }
    kn__free(count);
    return KN_OK;
}

/* Add the figures of one span, `count` by class. */
static void add_figures(kn_spans_counted *out, const uint64_t *count, size_t classes,
                        uint64_t population)
{
    double entropy = 0;
    uint64_t distinct = 0;

    for (size_t c = 0; c < classes; c++) {
        const double share = (double)count[c] / (double)population;
        entropy -= count[c] ? share * log(share) : 0;
        distinct += count[c] > 0;
        out->inference = fmax(out->inference, share);
    }
    out->entropy = fmin(out->entropy, exp(entropy));
    out->distinct = distinct < out->distinct ? distinct : out->distinct;
}

kn_status kn__spans_recount(kn_spans_counted *out, const char **what, const kn_spans *s,
                            size_t records, kn_error *err)
{
    const size_t classes = s->classes_count;
    const bool fits = classes <= MOST_CELLS / (s->count + 1);
    uint64_t *count = fits ? kn__zalloc_array(s->count * classes + 1, sizeof *count) : NULL;
    kn_status status;

    *what = NULL;
    *out = (kn_spans_counted){UINT64_MAX, fits ? 0 : NAN, fits ? HUGE_VAL : NAN, UINT64_MAX};
    KN_TRY(!fits || count ? KN_OK : kn__nomem(err));
    KN_TRY(find_equal_spans(what, s, err));
    if (!*what) {
        KN_TRY(count_records(what, s, records, err));
    }
    for (size_t i = 0; count && i < records; i++) {
        count[s->of[i] * classes + s->class_of[i]]++;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->starts[i + 1] - s->starts[i] > 1) {
            out->k = s->population[i] < out->k ? s->population[i] : out->k;
            if (count && s->population[i] > 0) {
                add_figures(out, count + i * classes, classes, s->population[i]);
            }
        }
    }
done:
    kn__free(count);
    return status;
}

/* Sums of floating-point numbers in another order differ in the last digits. */
static bool same(double a, double b)
{
    return isnan(a) || a == b || fabs(a - b) <= 1e-9 * fabs(b);
}

bool kn__spans_counted_agree(const kn_spans_counted *c, const kn_model_figures *f,
                             const kn_model_limits *limits)
{
    double l = c->entropy;
    bool holds;

    if (limits->distinct_l) {
        l = c->distinct == UINT64_MAX ? HUGE_VAL : (double)c->distinct;
    }
    holds = c->k >= limits->k && !(l < limits->l * (1 - 1e-9)) &&
            !(limits->inference > 0 && c->inference > limits->inference * (1 + 1e-9));
    return c->k == f->k && same(c->inference, f->inference) && same(l, f->l) &&
           (holds || f->broken > 0);
}
