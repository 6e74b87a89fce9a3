/* check.c - the verdict on a model: Claim 3 for its spans, and the diversity and inference in each.
 *
 * The verdict depends on which private values the attacker takes for possible, as more possible
 * values may merge spans. So a model is judged for several domains: all values that the model, the
 * data and the hierarchies name; those of the data and the hierarchies only; and each of the two
 * with integers only, where a private column holds integers or dates. The worst verdict counts. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "guarantees/formulas.h"
#include "models/judge/presence.h"
#include "models/judge/verdict.h"
#include "models/registry.h"

#include <math.h>
#include <string.h>

enum { LISTED = 10, MOST_WORDS = 16 };

/* The state of one verdict. */
typedef struct judgement {
    const kn_span_model *span_model;
    const kn_spans *spans;
    const kn_model_limits *limits;
    kn_guarantee diversity;
    kn_histogram histogram;
    uint32_t *sorted;
    uint32_t *member; /* records in the order of their spans */
    size_t *begin;    /* by span: its first member; then the end */
    void *scratch;
    kn_ranked *broken;
    size_t broken_count, broken_cap;
    kn_model_verdict *verdict;
} judgement;

/* What an attacker can infer about the records of a span. */
typedef struct span_risk {
    double diversity, confidence;
    uint32_t most_frequent;
    bool diverse;
} span_risk;

static uint32_t value_of(const judgement *j, uint32_t record)
{
    const kn_span_model *r = j->span_model;

    return r->value_of ? r->value_of(r->model, record, j->scratch) : j->spans->class_of[record];
}

/* Items, of which a record may have several: each is judged by itself, and the least diverse and
 * the most certain one count. */
static void measure_items(judgement *j, size_t span, span_risk *out)
{
    const kn_span_model *r = j->span_model;
    const kn_spans *s = j->spans;
    kn_histogram *h = &j->histogram;
    const uint32_t population = (uint32_t)s->population[span];
    size_t len;

    /* Every value that the span discloses gets a count of one more than the records that have it,
     * so that values without records are in the histogram, too. */
    for (size_t i = s->starts[span]; i < s->starts[span + 1]; i++) {
        const uint32_t *known = r->known(r->model, s->classes[i], &len);
        for (size_t v = 0; v < len; v++) {
            if (h->count[known[v]] == 0) {
                kn__histogram_add_code(h, known[v], 1);
            }
        }
    }
    for (size_t i = j->begin[span]; i < j->begin[span + 1]; i++) {
        const uint32_t *known = r->known(r->model, s->class_of[j->member[i]], &len);
        for (size_t v = 0; v < len; v++) {
            h->count[known[v]]++;
        }
    }
    *out = (span_risk){.diversity = HUGE_VAL, .diverse = true, .most_frequent = UINT32_MAX};
    for (uint32_t i = 0; i < h->distinct; i++) {
        const uint32_t value = h->codes[i];
        const kn_presence presence = kn__presence_judge(&j->diversity, h->count[value] - 1,
                                                        population);
        out->diversity = fmin(out->diversity, presence.diversity);
        out->diverse = out->diverse && presence.diverse;
        if (presence.confidence > out->confidence ||
            (presence.confidence == out->confidence && value < out->most_frequent)) {
            out->confidence = presence.confidence;
            out->most_frequent = value;
        }
    }
    kn__histogram_reset(h);
}

static void measure_span(judgement *j, size_t span, span_risk *out)
{
    kn_histogram *h = &j->histogram;
    uint32_t most = 0;

    if (j->span_model->known) {
        measure_items(j, span, out);
        return;
    }
    for (size_t i = j->begin[span]; i < j->begin[span + 1]; i++) {
        kn__histogram_add_code(h, value_of(j, j->member[i]), 1);
    }
    out->diverse = kn__l_diversity_holds(&j->diversity, h, j->sorted, &out->diversity);
    for (uint32_t i = 0; i < h->distinct; i++) {
        const uint32_t count = h->count[h->codes[i]];
        if (count > most || (count == most && h->codes[i] < out->most_frequent)) {
            most = count;
            out->most_frequent = h->codes[i];
        }
    }
    out->confidence = h->total ? kn__ratio(most, h->total) : 0;
    kn__histogram_reset(h);
}

static void set_violations(const judgement *j, size_t span, const span_risk *f, kn_broken_span *out)
{
    const kn_model_limits *limits = j->limits;

    out->few = j->spans->population[span] < limits->k;
    out->certain = limits->inference > 0 && f->confidence > limits->inference;
    out->uniform = limits->l > 0 && !f->diverse;
}

static kn_status judge_span(judgement *j, size_t span, kn_error *err)
{
    kn_model_figures *all = &j->verdict->figures;
    kn_broken_span is = {0};
    span_risk f = {0};
    kn_status status;

    measure_span(j, span, &f);
    all->telling++;
    all->l = fmin(all->l, f.diversity);
    all->inference = fmax(all->inference, f.confidence);
    if (f.confidence == 1) {
        all->exposed += j->spans->population[span];
    }
    j->verdict->confidence[span] = f.confidence;
    j->verdict->diversity[span] = f.diversity;
    set_violations(j, span, &f, &is);
    if (!is.few && !is.certain && !is.uniform) {
        return KN_OK;
    }
    j->verdict->breaks[span] = 1;
    all->broken++;
    all->at_risk += j->spans->population[span];
    status = kn__grow(&j->broken, &j->broken_cap, j->broken_count + 1, sizeof *j->broken, err);
    if (status == KN_OK) {
        j->broken[j->broken_count++] = (kn_ranked){(double)j->spans->population[span],
                                                   (uint32_t)span};
    }
    return status;
}

/* ---- the list of spans that violate the limits ---- */

static kn_status take_text(kn_buffer *b, const char **out, kn_error *err)
{
    char *text;
    const kn_status status = kn__buffer_take(b, &text, err);

    *out = status == KN_OK ? text : NULL;
    return status;
}

static kn_status list_classes(const judgement *j, size_t span, kn_broken_span *to, kn_error *err)
{
    const uint32_t *classes = j->spans->classes + j->spans->starts[span];
    const size_t count = (size_t)to->classes < MOST_WORDS ? (size_t)to->classes : MOST_WORDS;
    const char **words = kn__zalloc_array(count, sizeof *words);

    KN_PASS(words ? KN_OK : kn__nomem(err));
    to->words = words;
    for (size_t i = 0; i < count; i++) {
        kn_buffer text = {0};
        kn__buffer_adds(&text, "");
        j->span_model->class_words(j->span_model->model, classes[i], &text);
        to->words_count = i + 1;
        KN_PASS(take_text(&text, &words[i], err));
    }
    return KN_OK;
}

static kn_status list_rows(const judgement *j, size_t span, kn_broken_span *to, kn_error *err)
{
    const size_t asked = j->limits->rows ? j->limits->rows : LISTED;
    const size_t there = j->begin[span + 1] - j->begin[span];
    const size_t count = there < asked ? there : asked;
    uint64_t *rows = kn__malloc_array(count ? count : 1, sizeof *rows);

    KN_PASS(rows ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        rows[i] = (uint64_t)j->member[j->begin[span] + i];
    }
    to->rows = rows;
    to->rows_count = count;
    return KN_OK;
}

static kn_status list_span(judgement *j, size_t span, kn_broken_span *to, kn_error *err)
{
    const kn_span_model *r = j->span_model;
    kn_buffer text = {0};
    span_risk f = {0};

    measure_span(j, span, &f);
    set_violations(j, span, &f, to);
    to->population = j->spans->population[span];
    to->classes = j->spans->starts[span + 1] - j->spans->starts[span];
    to->confidence = f.confidence;
    to->diversity = f.diversity;
    kn__buffer_adds(&text, "");
    if ((r->value_of || r->known) && r->value_words) {
        r->value_words(r->model, f.most_frequent, &text);
    } else {
        r->class_words(r->model, f.most_frequent, &text);
    }
    KN_PASS(take_text(&text, &to->inferred, err));
    KN_PASS(list_classes(j, span, to, err));
    return list_rows(j, span, to, err);
}

static kn_status list_broken(judgement *j, kn_error *err)
{
    const size_t asked = j->limits->spans ? j->limits->spans : LISTED;
    const size_t count = j->broken_count < asked ? j->broken_count : asked;
    kn_model_verdict *v = j->verdict;

    if (count == 0) {
        return KN_OK;
    }
    kn__sort_ranked(j->broken, j->broken_count);
    v->listed = kn__zalloc_array(count, sizeof *v->listed);
    KN_PASS(v->listed ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        v->listed_count = i + 1;
        KN_PASS(list_span(j, j->broken[i].id, &v->listed[i], err));
    }
    return KN_OK;
}

/* ---- one domain ---- */

static kn_status prepare(judgement *j, kn_error *err)
{
    const kn_span_model *r = j->span_model;
    const size_t values = r->value_of || r->known ? r->values : r->classes;
    const kn_spans *s = j->spans;
    size_t sum = 0;

    j->histogram.count = kn__zalloc_array(values ? values : 1, sizeof *j->histogram.count);
    j->histogram.codes = kn__malloc_array(values ? values : 1, sizeof *j->histogram.codes);
    j->sorted = kn__malloc_array(values ? values : 1, sizeof *j->sorted);
    j->member = kn__malloc_array(r->records ? r->records : 1, sizeof *j->member);
    j->begin = kn__zalloc_array(s->count + 2, sizeof *j->begin);
    j->scratch = kn__zalloc(r->scratch_bytes ? r->scratch_bytes : 1);
    if (!j->histogram.count || !j->histogram.codes || !j->sorted || !j->member || !j->begin ||
        !j->scratch) {
        return kn__nomem(err);
    }
    /* Counting sort: begin[i + 1] is where the next record of span i goes, and ends as its end. */
    for (size_t i = 0; i < s->count; i++) {
        j->begin[i + 1] = sum;
        sum += (size_t)s->population[i];
    }
    for (size_t i = 0; i < r->records; i++) {
        j->member[j->begin[s->of[i] + 1]++] = (uint32_t)i;
    }
    return KN_OK;
}

static void clear(judgement *j)
{
    if (j->scratch && j->span_model->scratch_clear) {
        j->span_model->scratch_clear(j->scratch);
    }
    KN_FREE(j->scratch, j->histogram.count, j->histogram.codes, j->sorted, j->member, j->begin,
            j->broken);
}

kn_status kn__spans_judge(kn_model_verdict *v, const kn_span_model *span_model, const kn_run *run,
                          kn_error *err)
{
    const kn_spans *spans = &v->spans;
    const kn_model_limits *limits = &v->limits;
    judgement j = {.span_model = span_model, .spans = spans, .limits = limits, .verdict = v};
    kn_model_figures *all = &v->figures;
    kn_status status;

    j.diversity = (kn_guarantee){.kind = KN_L_DIVERSITY,
                                 .l = limits->l > 0 ? limits->l : 1,
                                 .diversity = limits->distinct_l ? KN_DISTINCT : KN_ENTROPY};
    KN_TRY(kn_guarantee_validate(&j.diversity, err));
    v->confidence = kn__zalloc_array(spans->count ? spans->count : 1, sizeof *v->confidence);
    v->diversity = kn__malloc_array(spans->count ? spans->count : 1, sizeof *v->diversity);
    v->breaks = kn__zalloc(spans->count + 1);
    KN_TRY(v->confidence && v->diversity && v->breaks ? KN_OK : kn__nomem(err));
    KN_TRY(prepare(&j, err));
    *all = (kn_model_figures){.records = span_model->records,
                              .spans = spans->count,
                              .k = kn__spans_k(spans),
                              .l = HUGE_VAL};
    for (size_t i = 0; i < spans->classes_count; i++) {
        all->classes += spans->class_population[i] != 0;
    }
    for (size_t i = 0; i < spans->count; i++) {
        v->diversity[i] = HUGE_VAL;
        if (kn__span_discloses(spans, i)) {
            KN_TRY(judge_span(&j, i, err));
        }
        if (i % 65536 == 0) {
            KN_TRY(kn__run_step(run, "judge", (double)i / (double)spans->count, err));
        }
    }
    KN_TRY(list_broken(&j, err));
done:
    clear(&j);
    return status;
}

/* Count the spans twice and judge them, for the values that `b` takes for possible. */
static kn_status judge_bound(kn_model_verdict **out, const kn_bound *b,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    const kn_model_row *row = kn__model_row(b->model->kind);
    kn_model_verdict *v = kn__zalloc(sizeof *v);
    kn_span_model span_model = {0};
    kn_status status;

    *out = NULL;
    if (!v) {
        return kn__nomem(err);
    }
    v->limits = *limits;
    KN_TRY(row->span_model(&span_model, b, err));
    KN_TRY(kn__spans_find(&v->spans, &span_model, run, err));
    KN_TRY(row->judge(v, b, &span_model, run, err));
    KN_FREE(v->spans.of, v->spans.class_of);
    v->spans.of = v->spans.class_of = NULL;
    if (b->ds->source) {
        v->source = kn__strdup(b->ds->source);
        KN_TRY(v->source ? KN_OK : kn__nomem(err));
    }
    *out = v;
    v = NULL;
done:
    kn__span_model_clear(&span_model);
    kn_model_verdict_free(v);
    return status;
}

/* ---- all domains ---- */

static bool is_worse(const kn_model_figures *a, const kn_model_figures *b)
{
    if ((a->broken > 0) != (b->broken > 0)) {
        return a->broken > 0;
    }
    if (a->k != b->k) {
        return a->k < b->k;
    }
    return a->inference != b->inference ? a->inference > b->inference : a->l < b->l;
}

/* Keep the worse verdict, with the worse of each figure: an attacker needs only one of them.
 * `domain` is that of the narrower one, `else_domain` is reported where the wider one is worse. */
static kn_model_verdict *merge_verdicts(kn_model_verdict *wide, kn_model_verdict *narrow,
                                        kn_model_domain domain, kn_model_domain else_domain)
{
    const bool worse = is_worse(&narrow->figures, &wide->figures);
    kn_model_verdict *kept = worse ? narrow : wide, *other = worse ? wide : narrow;
    kn_model_figures *f = &kept->figures;

    if (worse || f->domain == KN_DOMAIN_ONE) {
        f->domain = worse ? domain : else_domain;
        f->other_k = f->domain == KN_DOMAIN_ONE ? 0 : other->figures.k;
    }
    f->k = f->k < other->figures.k ? f->k : other->figures.k;
    f->l = fmin(f->l, other->figures.l);
    f->inference = fmax(f->inference, other->figures.inference);
    f->exposed = f->exposed > other->figures.exposed ? f->exposed : other->figures.exposed;
    kn_model_verdict_free(other);
    return kept;
}

/* Judge again for an attacker who knows which private columns hold integers: fewer values are
 * possible, so spans may differ. `b` is changed. */
static kn_status judge_integers(kn_model_verdict **found, kn_bound *b,
                                const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    const kn_model_row *row = kn__model_row(b->model->kind);
    kn_model_verdict *other = NULL;
    bool fewer;

    kn__bound_assume_integers(b, &fewer);
    if (fewer && row->integers_matter) {
        KN_PASS(row->integers_matter(&fewer, b, err));
    }
    if (fewer) {
        KN_PASS(judge_bound(&other, b, limits, run, err));
        *found = merge_verdicts(*found, other, KN_DOMAIN_WHOLE, (*found)->figures.domain);
    }
    return KN_OK;
}

static kn_status refuse_unjudged(const kn_model *m, kn_error *err)
{
    return kn__fail(
        err, KN_EINPUT,
        "%s: what it tells is not judged (%zu such place%s in the file); take it out of "
        "the file, or judge the rest with --ignore-extensions",
        m->unjudged_first, m->unjudged, m->unjudged == 1 ? "" : "s");
}

kn_status kn_model_check(kn_model_verdict **out, const kn_model *model, const kn_dataset *ds,
                         const kn_hierarchies *hierarchies, const kn_model_limits *limits,
                         const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, model, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, limits);
    KN_NEED_SIZED(err, run);

    static const kn_model_limits none = {0};
    kn_model_verdict *found = NULL, *other = NULL;
    kn_bound *b = NULL, *wide = NULL;
    bool narrower = false;
    kn_status status;

    limits = limits ? limits : &none;
    if (model->unjudged && !limits->ignore_extensions) {
        return refuse_unjudged(model, err);
    }
    KN_TRY(kn__model_limits_validate(limits->l, limits->inference, err));
    KN_TRY(kn__bound_new(&b, model, ds, hierarchies, err));
    KN_TRY(judge_bound(&found, b, limits, run, err));
    KN_TRY(kn__bound_narrow(b, hierarchies, &narrower, err));
    if (narrower) {
        KN_TRY(judge_bound(&other, b, limits, run, err));
        found = merge_verdicts(found, other, KN_DOMAIN_OF_DATA, KN_DOMAIN_OF_MODEL);
    }
    KN_TRY(judge_integers(&found, b, limits, run, err));
    if (narrower) {
        KN_TRY(kn__bound_new(&wide, model, ds, hierarchies, err));
        KN_TRY(judge_integers(&found, wide, limits, run, err));
    }
    KN_TRY(kn__model_verdict_settle(found, model, ds, err));
    found->figures.unjudged = model->unjudged;
    *out = found;
    found = NULL;
done:
    kn__bound_free(wide);
    kn__bound_free(b);
    kn_model_verdict_free(found);
    return status;
}
