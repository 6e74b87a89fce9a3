/* check.c - the verdict on a model: Claim 3 on its spans, and what can be inferred in them. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/formulas.h"
#include "models/clusters/recount.h"
#include "models/judge/presence.h"
#include "models/judge/span_model.h"
#include "models/judge/stated_counts.h"
#include "models/judge/verdict.h"
#include "models/registry.h"
#include "models/rules/recount.h"
#include "models/tree/cells.h"
#include "models/tree/recount.h"
#include "models/tree/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 10, MOST_WORDS = 16 };

typedef struct broken {
    uint64_t population;
    uint32_t span;
} broken;

/* What is looked at for each span. */
typedef struct judging {
    const kn_span_model *span_model;
    const kn_spans *spans;
    const kn_model_limits *limits;
    kn_guarantee diversity;
    kn_histogram histogram;
    uint32_t *sorted;
    uint32_t *member; /* records, span by span */
    size_t *begin;    /* by span, and the end */
    void *scratch;
    broken *broken;
    size_t broken_count, broken_cap;
    kn_model_verdict *verdict;
} judging;

/* What is found of one span. */
typedef struct finding {
    double diversity, confidence;
    uint32_t commonest;
    bool diverse;
} finding;

static uint32_t value_of(const judging *j, uint32_t record)
{
    const kn_span_model *r = j->span_model;

    return r->value_of ? r->value_of(r->model, record, j->scratch) : j->spans->class_of[record];
}

/* Values that a record may have several of, each by itself: the surest, and the least diverse. */
static void look_at_known(judging *j, size_t span, finding *out)
{
    const kn_span_model *r = j->span_model;
    const kn_spans *s = j->spans;
    kn_histogram *h = &j->histogram;
    const uint32_t population = (uint32_t)s->population[span];
    size_t len;

    /* Each that the span tells of counts one more than it is had. */
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
    *out = (finding){.diversity = HUGE_VAL, .diverse = true, .commonest = UINT32_MAX};
    for (uint32_t i = 0; i < h->distinct; i++) {
        const uint32_t value = h->codes[i];
        const kn_presence had = kn__presence_judge(&j->diversity, h->count[value] - 1, population);
        out->diversity = fmin(out->diversity, had.diversity);
        out->diverse = out->diverse && had.diverse;
        if (had.confidence > out->confidence ||
            (had.confidence == out->confidence && value < out->commonest)) {
            out->confidence = had.confidence;
            out->commonest = value;
        }
    }
    kn__histogram_reset(h);
}

static void look_at(judging *j, size_t span, finding *out)
{
    kn_histogram *h = &j->histogram;
    uint32_t most = 0;

    if (j->span_model->known) {
        look_at_known(j, span, out);
        return;
    }
    for (size_t i = j->begin[span]; i < j->begin[span + 1]; i++) {
        kn__histogram_add_code(h, value_of(j, j->member[i]), 1);
    }
    out->diverse = kn__l_diversity_holds(&j->diversity, h, j->sorted, &out->diversity);
    for (uint32_t i = 0; i < h->distinct; i++) {
        const uint32_t count = h->count[h->codes[i]];
        if (count > most || (count == most && h->codes[i] < out->commonest)) {
            most = count;
            out->commonest = h->codes[i];
        }
    }
    out->confidence = h->total ? kn__ratio(most, h->total) : 0;
    kn__histogram_reset(h);
}

static void flags(const judging *j, size_t span, const finding *f, kn_broken_span *out)
{
    const kn_model_limits *limits = j->limits;

    out->few = j->spans->population[span] < limits->k;
    out->certain = limits->inference > 0 && f->confidence > limits->inference;
    out->uniform = limits->l > 0 && !f->diverse;
}

static kn_status judge_span(judging *j, size_t span, kn_error *err)
{
    kn_model_figures *all = &j->verdict->figures;
    kn_broken_span is = {0};
    finding f = {0};
    kn_status st;

    look_at(j, span, &f);
    all->telling++;
    all->l = fmin(all->l, f.diversity);
    all->inference = fmax(all->inference, f.confidence);
    if (f.confidence == 1) {
        all->exposed += j->spans->population[span];
    }
    j->verdict->confidence[span] = f.confidence;
    j->verdict->diversity[span] = f.diversity;
    flags(j, span, &f, &is);
    if (!is.few && !is.certain && !is.uniform) {
        return KN_OK;
    }
    j->verdict->breaks[span] = 1;
    all->broken++;
    all->at_risk += j->spans->population[span];
    st = kn__grow(&j->broken, &j->broken_cap, j->broken_count + 1, sizeof *j->broken, err);
    if (st == KN_OK) {
        j->broken[j->broken_count++] = (broken){j->spans->population[span], (uint32_t)span};
    }
    return st;
}

static int smallest_first(const void *a, const void *b)
{
    const broken *x = a, *y = b;

    return x->population != y->population ? (x->population > y->population ? 1 : -1)
                                          : (x->span > y->span) - (x->span < y->span);
}

/* ---- the list ---- */

static kn_status take_words(kn_buffer *b, const char **out, kn_error *err)
{
    char *text;
    const kn_status st = kn__buffer_take(b, &text, err);

    *out = st == KN_OK ? text : NULL;
    return st;
}

static kn_status list_classes(const judging *j, size_t span, kn_broken_span *to, kn_error *err)
{
    const uint32_t *classes = j->spans->classes + j->spans->starts[span];
    const size_t count = (size_t)to->classes < MOST_WORDS ? (size_t)to->classes : MOST_WORDS;
    const char **words = kn__zalloc_array(count, sizeof *words);
    kn_status st = words ? KN_OK : kn__nomem(err);

    to->words = words;
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        kn_buffer text = {0};
        kn__buffer_adds(&text, "");
        j->span_model->class_words(j->span_model->model, classes[i], &text);
        st = take_words(&text, &words[i], err);
        to->words_count = i + 1;
    }
    return st;
}

static kn_status list_rows(const judging *j, size_t span, kn_broken_span *to, kn_error *err)
{
    const size_t asked = j->limits->rows ? j->limits->rows : LISTED;
    const size_t there = j->begin[span + 1] - j->begin[span];
    const size_t count = there < asked ? there : asked;
    uint64_t *rows = kn__malloc_array(count ? count : 1, sizeof *rows);

    if (!rows) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        rows[i] = (uint64_t)j->member[j->begin[span] + i] + 1;
    }
    to->rows = rows;
    to->rows_count = count;
    return KN_OK;
}

static kn_status list_span(judging *j, size_t span, kn_broken_span *to, kn_error *err)
{
    const kn_span_model *r = j->span_model;
    kn_buffer text = {0};
    finding f = {0};
    kn_status status;

    look_at(j, span, &f);
    flags(j, span, &f, to);
    to->population = j->spans->population[span];
    to->classes = j->spans->starts[span + 1] - j->spans->starts[span];
    to->confidence = f.confidence;
    to->diversity = f.diversity;
    kn__buffer_adds(&text, "");
    ((r->value_of || r->known) && r->value_words ? r->value_words
                                                 : r->class_words)(r->model, f.commonest, &text);
    KN_TRY(take_words(&text, &to->inferred, err));
    KN_TRY(list_classes(j, span, to, err));
    KN_TRY(list_rows(j, span, to, err));
done:
    return status;
}

static kn_status list_broken(judging *j, kn_error *err)
{
    const size_t asked = j->limits->spans ? j->limits->spans : LISTED;
    const size_t count = j->broken_count < asked ? j->broken_count : asked;
    kn_model_verdict *v = j->verdict;
    kn_status st = KN_OK;

    if (count == 0) {
        return KN_OK;
    }
    qsort(j->broken, j->broken_count, sizeof *j->broken, smallest_first);
    v->listed = kn__zalloc_array(count, sizeof *v->listed);
    if (!v->listed) {
        return kn__nomem(err);
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        v->listed_count = i + 1;
        st = list_span(j, j->broken[i].span, &v->listed[i], err);
    }
    return st;
}

/* ---- all ---- */

static kn_status prepare(judging *j, kn_error *err)
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
    /* begin[i + 1] is where span i's next record goes, until all have gone. */
    for (size_t i = 0; i < s->count; i++) {
        j->begin[i + 1] = sum;
        sum += (size_t)s->population[i];
    }
    for (size_t i = 0; i < r->records; i++) {
        j->member[j->begin[s->of[i] + 1]++] = (uint32_t)i;
    }
    return KN_OK;
}

static void clear(judging *j)
{
    if (j->scratch && j->span_model->scratch_clear) {
        j->span_model->scratch_clear(j->scratch);
    }
    kn__free(j->scratch);
    kn__free(j->histogram.count);
    kn__free(j->histogram.codes);
    kn__free(j->sorted);
    kn__free(j->member);
    kn__free(j->begin);
    kn__free(j->broken);
}

/* Records that the tree classifies as they are, out of the populations of its bins. */
static uint64_t count_right(const kn_model *m, const kn_spans *s)
{
    const size_t bins = m->kind == KN_MODEL_TREE ? kn__tree_bins(&m->tree, s->classes_count) : 0;
    uint64_t right = 0;

    for (size_t i = 0; bins && i < m->tree.nodes; i++) {
        if (m->tree.node[i].answer != KN_NO_CODE) {
            right += s->class_population[i * bins + m->tree.node[i].answer];
        }
    }
    return right;
}

static kn_status judge(kn_model_verdict *v, const kn_model *m, const kn_span_model *span_model,
                       const kn_spans *spans, const kn_model_limits *limits, const kn_run *run,
                       kn_error *err)
{
    judging j = {.span_model = span_model, .spans = spans, .limits = limits, .verdict = v};
    kn_model_figures *all = &v->figures;
    kn_status st;

    j.diversity = (kn_guarantee){.kind = KN_L_DIVERSITY,
                                 .l = limits->l > 0 ? limits->l : 1,
                                 .diversity = limits->distinct_l ? KN_DISTINCT : KN_ENTROPY};
    st = kn_guarantee_validate(&j.diversity, err);
    v->confidence = kn__zalloc_array(spans->count ? spans->count : 1, sizeof *v->confidence);
    v->diversity = kn__malloc_array(spans->count ? spans->count : 1, sizeof *v->diversity);
    v->breaks = kn__zalloc(spans->count + 1);
    if (st == KN_OK && (!v->confidence || !v->diversity || !v->breaks)) {
        st = kn__nomem(err);
    }
    if (st == KN_OK) {
        st = prepare(&j, err);
    }
    for (size_t i = 0; st == KN_OK && i < spans->count; i++) {
        v->diversity[i] = HUGE_VAL;
    }
    *all = (kn_model_figures){.records = span_model->records,
                              .spans = spans->count,
                              .k = kn__spans_k(spans),
                              .l = HUGE_VAL,
                              .right = count_right(m, spans)};
    for (size_t i = 0; i < spans->classes_count; i++) {
        all->classes += spans->class_population[i] != 0;
    }
    for (size_t i = 0; st == KN_OK && i < spans->count; i++) {
        if (kn__span_discloses(spans, i)) {
            st = judge_span(&j, i, err);
        }
        if (st == KN_OK && i % 65536 == 0) {
            st = kn__run_step(run, "judge", (double)i / (double)spans->count, err);
        }
    }
    if (st == KN_OK) {
        st = list_broken(&j, err);
    }
    clear(&j);
    return st;
}

/* What `b` takes for possible decides. */
static kn_status judge_bound(kn_model_verdict **out, const kn_bound *b,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    kn_model_verdict *v = kn__zalloc(sizeof *v);
    kn_span_model span_model = {0};
    kn_spans spans = {0};
    kn_centroids_counted counted = {0};
    size_t recounted = 0;
    kn_rules_recounted rules = {0};
    kn_status st = v ? kn__span_model_make(&span_model, b, err) : kn__nomem(err);

    *out = NULL;
    if (v) {
        v->limits = *limits;
    }
    if (st == KN_OK) {
        st = kn__spans_find(&spans, &span_model, run, err);
    }
    if (st == KN_OK && b->model->kind == KN_MODEL_TREE) {
        st = kn__tree_recount(b, &spans, &recounted, err);
    }
    if (st == KN_OK && b->model->kind == KN_MODEL_RULES) {
        st = kn__rules_recount(&rules, b, &spans, run, err);
        recounted = b->ds->records;
    }
    if (st == KN_OK && b->model->kind == KN_MODEL_CLUSTERS) {
        st = kn__centroids_recount(&counted, b, &spans, run, err);
        recounted = (size_t)counted.records;
    }
    if (st == KN_OK) {
        st = judge(v, b->model, &span_model, &spans, limits, run, err);
        v->figures.recounted = recounted;
        v->figures.told = rules.told;
        v->figures.unlike = rules.unlike;
    }
    if (st == KN_OK && b->model->kind != KN_MODEL_RULES) {
        st = kn__model_count_unlike(b->model, &spans, &v->figures.unlike, err);
    }
    if (st == KN_OK && b->model->kind == KN_MODEL_RULES && rules.k < v->limits.k &&
        v->figures.broken == 0) {
        st = kn__fail(err, KN_EBROKEN,
                      "the rules were said to hold, and a second count finds %" PRIu64
                      " people that they tell of: this is a defect of kanon; please report it",
                      rules.k);
    }
    if (st == KN_OK && b->model->kind == KN_MODEL_CLUSTERS &&
        !kn__spans_counted_agree(&counted.spans, &v->figures, limits)) {
        st = kn__centroids_disagree(err, "the verdict is another");
    }
    if (v) {
        kn__free(spans.of);
        kn__free(spans.class_of);
        spans.of = spans.class_of = NULL;
        v->spans = spans;
    }
    if (st == KN_OK && b->ds->source) {
        v->source = kn__strdup(b->ds->source);
        st = v->source ? KN_OK : kn__nomem(err);
    }
    kn__span_model_clear(&span_model);
    if (st != KN_OK) {
        kn_model_verdict_free(v);
        return st;
    }
    *out = v;
    return KN_OK;
}

/* ---- two domains ---- */

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

/* The worse verdict, with the worse of each figure: an attacker needs only one of them. `domain` is
 * the narrow one's, `else_domain` what is said where the wide one is the worse. */
static kn_model_verdict *take_worse(kn_model_verdict *wide, kn_model_verdict *narrow,
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

/* Judge again for an attacker who knows that private values of whole columns are integers: fewer
 * values are possible, so spans may be others. `b` is changed. */
static kn_status judge_whole(kn_model_verdict **found, kn_bound *b, const kn_model_limits *limits,
                             const kn_run *run, kn_error *err)
{
    kn_model_verdict *other = NULL;
    bool fewer;
    kn_status st = KN_OK;

    kn__bound_assume_integers(b, &fewer);
    if (fewer && b->model->kind == KN_MODEL_TREE) {
        st = kn__tree_cells_have_gaps(&fewer, b, err);
    }
    if (st == KN_OK && fewer) {
        st = judge_bound(&other, b, limits, run, err);
    }
    if (st == KN_OK && other) {
        *found = take_worse(*found, other, KN_DOMAIN_WHOLE, (*found)->figures.domain);
    }
    return st;
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

    static const kn_model_limits none = {0};
    kn_model_verdict *found = NULL, *other = NULL;
    kn_bound *b = NULL, *wide = NULL;
    bool narrower = false;
    kn_status st;

    limits = limits ? limits : &none;
    if (model->unjudged && !limits->ignore_extensions) {
        return refuse_unjudged(model, err);
    }
    st = kn__model_limits_validate(limits->l, limits->inference, err);
    if (st == KN_OK) {
        st = kn__bound_new(&b, model, ds, hierarchies, err);
    }
    if (st == KN_OK) {
        st = judge_bound(&found, b, limits, run, err);
    }
    if (st == KN_OK) {
        st = kn__bound_narrow(b, hierarchies, &narrower, err);
    }
    if (st == KN_OK && narrower) {
        st = judge_bound(&other, b, limits, run, err);
        found = other ? take_worse(found, other, KN_DOMAIN_OF_DATA, KN_DOMAIN_OF_MODEL) : found;
    }
    if (st == KN_OK) {
        st = judge_whole(&found, b, limits, run, err);
    }
    if (st == KN_OK && narrower) {
        st = kn__bound_new(&wide, model, ds, hierarchies, err);
    }
    if (st == KN_OK && wide) {
        st = judge_whole(&found, wide, limits, run, err);
    }
    kn__bound_free(wide);
    kn__bound_free(b);
    if (st != KN_OK) {
        kn_model_verdict_free(found);
        return st;
    }
    found->figures.unjudged = model->unjudged;
    *out = found;
    return KN_OK;
}

void kn_model_verdict_free(kn_model_verdict *v)
{
    for (size_t i = 0; v && i < v->listed_count; i++) {
        kn_broken_span *s = &v->listed[i];
        for (size_t w = 0; w < s->words_count; w++) {
            kn__free((char *)s->words[w]);
        }
        kn__free((void *)s->words);
        kn__free((void *)s->rows);
        kn__free((char *)s->inferred);
    }
    if (v) {
        kn__free(v->listed);
        kn__spans_clear(&v->spans);
        kn__free(v->source);
        kn__free(v->confidence);
        kn__free(v->diversity);
        kn__free(v->breaks);
    }
    kn__free(v);
}

bool kn_model_verdict_holds(const kn_model_verdict *v)
{
    return v && v->figures.broken == 0 && (v->figures.unlike == 0 || v->limits.ignore_counts);
}

const kn_model_figures *kn_model_verdict_figures(const kn_model_verdict *v)
{
    return v ? &v->figures : NULL;
}

size_t kn_model_verdict_listed(const kn_model_verdict *v)
{
    return v ? v->listed_count : 0;
}

const kn_broken_span *kn_model_verdict_broken(const kn_model_verdict *v, size_t i)
{
    return v && i < v->listed_count ? &v->listed[i] : NULL;
}
