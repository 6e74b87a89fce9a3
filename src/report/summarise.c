/* summarise.c - what an analyst would compute of the numbers and dates of a table, before and
 * after: how they are spread, means, deviations, correlations.
 *
 * A published text stands for a number (its interval has one), a range or a node of a hierarchy
 * (from the least to the greatest value below it), or nothing. A figure of the original beside one
 * of the published file gives away what makes the difference. So it is shown only where at least
 * rare_below records make it, or none; and of sensitive columns, which are published as they are,
 * only where no record was removed. */
#include "report/make.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8, CORRELATIONS = 10 };

/* Both ends belong to it; NaN: nothing is said. */
typedef struct interval {
    double low, high;
} interval;

static const interval nothing = {NAN, NAN};

/* ---- what published texts stand for ---- */

/* By node: from the least to the greatest value of the column at or below it. */
static kn_status node_intervals(interval **out, const kn_domain *d, kn_error *err)
{
    interval *of = kn__malloc_array(d->nodes, sizeof *of);

    *out = of;
    if (!of) {
        (void)kn__nomem(err);
        return KN_ENOMEM;
    }
    for (uint32_t node = 0; node < d->nodes; node++) {
        of[node] = nothing;
    }
    for (uint32_t code = 0; code < d->values; code++) {
        const double x = d->column->numbers[code];
        for (uint32_t node = code; code != d->column->missing; node = d->parent[node]) {
            of[node].low = fmin(of[node].low, x); /* of NaN and x, x */
            of[node].high = fmax(of[node].high, x);
            if (node == kn__domain_root(d)) {
                break;
            }
        }
    }
    return KN_OK;
}

static interval meaning(const kn_published *p, const kn_domain *d, const interval *of)
{
    interval in = nothing;

    switch (p->kind) {
    case KN_PUB_VALUE: return p->code == d->column->missing ? nothing : of[p->code];
    case KN_PUB_RANGE: return (interval){p->low, p->high};
    case KN_PUB_NODE: return p->node == kn__domain_root(d) ? nothing : of[p->node];
    case KN_PUB_SET:
        for (size_t i = 0; i < p->count; i++) {
            in.low = fmin(in.low, of[p->codes[i]].low);
            in.high = fmax(in.high, of[p->codes[i]].high);
        }
        return in;
    case KN_PUB_SUPPRESSED: break;
    }
    return nothing;
}

/* By code of `published`. `*out` is NULL where a text is none of the domain: then nothing is said
 * of the column. */
static kn_status published_intervals(interval **out, const kn_column *original,
                                     const kn_hierarchy *hierarchy, const kn_column *published,
                                     kn_error *err)
{
    const uint32_t values = kn__column_values(published);
    interval *of = NULL, *result = NULL;
    kn_domain *d = NULL;
    kn_error ignored = {0};
    kn_status status;

    *out = NULL;
    status = kn__domain_new(&d, original, hierarchy, KN_UNCOVERED_ROOT, &ignored);
    if (status != KN_OK) {
        return status == KN_ENOMEM ? kn__nomem(err) : KN_OK;
    }
    KN_TRY(node_intervals(&of, d, err));
    result = kn__malloc_array(values, sizeof *result);
    KN_TRY(result ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(published, code, &len);
        kn_published p;
        result[code] = nothing;
        if (code == published->missing) {
            continue;
        }
        status = kn__published_parse(&p, d, text, len, &ignored);
        if (status != KN_OK) {
            status = status == KN_ENOMEM ? kn__nomem(err) : KN_OK;
            goto done;
        }
        result[code] = meaning(&p, d, of);
        kn__published_clear(&p);
    }
    *out = result;
    result = NULL;
done:
    KN_FREE(result, of);
    kn__domain_free(d);
    return status;
}

/* ---- spreads ---- */

/* The bar of `b` that stands for the value `code`; b->count: none, it is rare. */
static size_t bar_of(const kn_bars *b, uint32_t code)
{
    size_t i = 0;

    while (i < b->count && b->bar[i].code != code) {
        i++;
    }
    return i;
}

/* Over ranges. */
static void spread_ranges(kn_spread *s, const kn_bars *b, interval in, double records)
{
    for (size_t i = 0; i < b->count; i++) {
        for (size_t at = b->begin[i]; b->bar[i].label && at < b->begin[i + 1]; at++) {
            s->bar[i] += records * kn__ruler_share(&b->ruler, at, in.low, in.high);
        }
    }
}

/* Over single values: evenly over those that occur in the original. */
static void spread_values(kn_spread *s, const kn_bars *b, const kn_column *original, interval in,
                          double records)
{
    const uint32_t values = kn__column_values(original);
    size_t within = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t code = 0; code < values; code++) {
            const double x = original->numbers[code];
            if (code == original->missing || !(x >= in.low && x <= in.high)) {
                continue;
            }
            if (pass == 0) {
                within++;
            } else {
                const size_t bar = bar_of(b, code);
                *(bar < b->count ? &s->bar[bar] : &s->rare) += records / (double)within;
            }
        }
    }
}

static kn_status spread(kn_report_column *c, const kn_column *original, const kn_column *published,
                        const interval *in, size_t records, kn_error *err)
{
    const uint32_t values = kn__column_values(published);
    const kn_bars *b = &c->before;
    kn_spread *s = &c->spread;
    size_t *counts = kn__zalloc_array(values, sizeof *counts);
    kn_status status;

    s->bar = kn__zalloc_array(b->count, sizeof *s->bar);
    KN_TRY(counts && s->bar ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < (published->starts ? published->starts[records] : records); i++) {
        counts[kn__column_code(published, i)]++;
    }
    for (uint32_t code = 0; code < values; code++) {
        s->cells += counts[code];
        if (code == published->missing) {
            const size_t bar = bar_of(b, original->missing);
            *(bar < b->count ? &s->bar[bar] : &s->rare) += (double)counts[code];
        } else if (isnan(in[code].low)) {
            s->suppressed += counts[code];
        } else if (b->binned) {
            spread_ranges(s, b, in[code], (double)counts[code]);
        } else {
            spread_values(s, b, original, in[code], (double)counts[code]);
        }
    }
done:
    kn__free(counts);
    return status;
}

/* ---- means, deviations, correlations ---- */

/* One column that is summarised: numbers by code, NaN where there is none. */
typedef struct summed {
    size_t column;
    const kn_column *before, *after;
    double *number_before, *number_after;
    bool comparable;
} summed;

static void mean_of(const kn_column *c, const double *number, size_t records, double *mean,
                    double *deviation, size_t *count)
{
    double sum = 0, squares = 0;
    size_t n = 0;

    for (size_t i = 0; i < records; i++) {
        const double x = number[kn__column_code(c, i)];
        if (!isnan(x)) {
            sum += x;
            n++;
        }
    }
    *mean = n ? sum / (double)n : NAN;
    for (size_t i = 0; i < records; i++) {
        const double x = number[kn__column_code(c, i)];
        squares += isnan(x) ? 0 : (x - *mean) * (x - *mean);
    }
    *deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
    *count = n;
}

/* Pearson's r over the records that have both numbers. */
static double correlate(const kn_column *a, const double *x, const kn_column *b, const double *y,
                        size_t records)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, n = 0;

    for (size_t i = 0; i < records; i++) {
        const double u = x[kn__column_code(a, i)], v = y[kn__column_code(b, i)];
        if (!isnan(u) && !isnan(v)) {
            const double du = u - mean_x, dv = v - mean_y;
            n++;
            mean_x += du / n;
            mean_y += dv / n;
            xx += du * (u - mean_x);
            yy += dv * (v - mean_y);
            xy += du * (v - mean_y);
        }
    }
    return n > 1 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* Whether the figures of the original may stand beside those of the release. */
static bool is_comparable(const kn_report *r, const kn_report_facts *f, const summed *s,
                          const interval *in)
{
    const size_t removed = f->original->records - f->published->records;
    size_t changed = removed;

    if (r->column[s->column].role == KN_ROLE_SENSITIVE) {
        return removed == 0;
    }
    for (size_t i = 0; i < f->published->records; i++) {
        const uint32_t code = kn__column_code(s->after, i);
        changed += code != s->after->missing && !(in[code].low >= in[code].high);
    }
    return changed == 0 || changed >= r->rare_below;
}

static kn_status numbers_of(summed *s, const interval *in, kn_error *err)
{
    const uint32_t before = kn__column_values(s->before), after = kn__column_values(s->after);

    s->number_before = kn__malloc_array(before, sizeof *s->number_before);
    s->number_after = kn__malloc_array(after, sizeof *s->number_after);
    KN_PASS(s->number_before && s->number_after ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < before; code++) {
        s->number_before[code] = code == s->before->missing ? NAN : s->before->numbers[code];
    }
    for (uint32_t code = 0; code < after; code++) {
        s->number_after[code] = (in[code].low + in[code].high) / 2;
    }
    return KN_OK;
}

static int by_strength(const void *a, const void *b)
{
    const kn_report_correlation *x = a, *y = b;
    const double p = fabs(isnan(x->before) ? x->after : x->before);
    const double q = fabs(isnan(y->before) ? y->after : y->before);

    if (p < q || p > q) {
        return p < q ? 1 : -1;
    }
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return x->other < y->other ? -1 : x->other > y->other;
}

static kn_status compute(kn_report *r, const kn_report_facts *f, const summed *s, size_t count,
                         kn_error *err)
{
    r->statistic = kn__zalloc_array(count, sizeof *r->statistic);
    r->correlation = kn__zalloc_array(count * count, sizeof *r->correlation);
    KN_PASS(r->statistic && r->correlation ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        kn_report_statistic *out = &r->statistic[r->statistics++];
        size_t ignored;

        out->column = s[i].column;
        out->before_known = s[i].comparable;
        out->mean_before = out->deviation_before = NAN;
        mean_of(s[i].after, s[i].number_after, f->published->records, &out->mean_after,
                &out->deviation_after, &out->records_after);
        if (s[i].comparable) {
            mean_of(s[i].before, s[i].number_before, f->original->records, &out->mean_before,
                    &out->deviation_before, &ignored);
        }
        for (size_t j = i + 1; j < count; j++) {
            kn_report_correlation c = {.column = s[i].column, .other = s[j].column, .before = NAN};
            c.after = correlate(s[i].after, s[i].number_after, s[j].after, s[j].number_after,
                                f->published->records);
            if (s[i].comparable && s[j].comparable) {
                c.before = correlate(s[i].before, s[i].number_before, s[j].before,
                                     s[j].number_before, f->original->records);
            }
            if (!isnan(c.after) || !isnan(c.before)) {
                r->correlation[r->correlations++] = c;
            }
        }
    }
    qsort(r->correlation, r->correlations, sizeof *r->correlation, by_strength);
    r->correlations = r->correlations > CORRELATIONS ? CORRELATIONS : r->correlations;
    return KN_OK;
}

/* Intervals of one column of the release; NULL in `*in` where nothing can be said. */
static kn_status read_column(interval **in, kn_report *r, const kn_report_facts *f, summed *s,
                             kn_error *err)
{
    kn_report_column *c = &r->column[s->column];

    KN_PASS(published_intervals(in, s->before,
                                f->hierarchies && c->role == KN_ROLE_QUASI
                                    ? kn_hierarchies_get(f->hierarchies, c->name)
                                    : NULL,
                                s->after, err));
    if (*in && c->role == KN_ROLE_QUASI && c->before.count) {
        KN_PASS(spread(c, s->before, s->after, *in, f->published->records, err));
    }
    return KN_OK;
}

/* Lists of numbers: spread, but no means, as a record has no number of its own. */
static kn_status spread_lists(kn_report *r, const kn_report_facts *f, size_t i, kn_error *err)
{
    const kn_column *before = &f->original->column[i];
    const size_t at = kn_dataset_find(f->published, before->name);
    summed s = {.column = i, .before = before};
    interval *in = NULL;
    kn_status status = KN_OK;

    if (before->role == KN_ROLE_QUASI && r->column[i].before.numbers && at != SIZE_MAX &&
        f->published->column[at].starts) {
        s.after = &f->published->column[at];
        status = read_column(&in, r, f, &s, err);
    }
    kn__free(in);
    return status;
}

kn_status kn__report_summarise(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    summed all[COLUMNS] = {0};
    size_t count = 0;
    interval *in = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; i < r->columns; i++) {
        const kn_column *before = &f->original->column[i];
        const size_t at = kn_dataset_find(f->published, before->name);
        summed s = {.column = i, .before = before};

        KN_TRY(spread_lists(r, f, i, err));
        if ((before->role != KN_ROLE_QUASI && before->role != KN_ROLE_SENSITIVE) ||
            at == SIZE_MAX || !kn__type_is_ordered(before->type) || before->starts ||
            f->published->column[at].starts || !before->dict || !f->published->column[at].dict ||
            f->published->records > f->original->records) {
            continue;
        }
        s.after = &f->published->column[at];
        KN_TRY(read_column(&in, r, f, &s, err));
        if (in && count < COLUMNS) {
            s.comparable = is_comparable(r, f, &s, in);
            all[count++] = s;
            KN_TRY(numbers_of(&all[count - 1], in, err));
        }
        kn__free(in);
        in = NULL;
    }
    KN_TRY(compute(r, f, all, count, err));
done:
    kn__free(in);
    for (size_t i = 0; i < count; i++) {
        KN_FREE(all[i].number_before, all[i].number_after);
    }
    return status;
}
