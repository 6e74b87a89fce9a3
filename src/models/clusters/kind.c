/* kind.c - clusters as a kind of model: invariants, judging, answers, and the row of the registry.
 */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/clusters/centroids.h"
#include "models/clusters/clusters.h"
#include "models/clusters/recount.h"
#include "models/judge/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void clear(kn_model *m)
{
    kn_centroids *c = &m->centres;

    for (size_t i = 0; c->name && i < c->count; i++) {
        kn__free(c->name[i]);
    }
    kn__free(c->name);
    kn__free(c->number);
    kn__free(c->value);
    kn__free(c->scale);
    kn__free(c->population);
}

static void mark_used(const kn_model *m, uint8_t *used)
{
    memset(used, 1, m->attributes);
}

static const char *fault(const kn_model *m)
{
    const kn_centroids *c = &m->centres;

    if (c->count == 0 || m->attributes == 0) {
        return "there are no centres";
    }
    for (size_t a = 0; a < m->attributes; a++) {
        const kn_attribute *attribute = &m->attribute[a];
        if (!isfinite(c->scale[a]) || c->scale[a] <= 0 || !isfinite(attribute->weight) ||
            attribute->weight < 0) {
            return "an attribute has a scale that is not above 0, or a weight below 0";
        }
        for (size_t i = 0; i < c->count; i++) {
            const size_t at = i * m->attributes + a;
            if (attribute->values
                    ? c->value[at] != KN_NO_CODE && c->value[at] >= attribute->values->len
                    : isinf(c->number[at])) {
                return "a centre has a value that there is not";
            }
        }
    }
    return NULL;
}

static kn_status shape(kn_model_shape *out, const kn_model *m, kn_error *err)
{
    (void)err;
    out->clusters = m->centres.count;
    out->attributes = m->attributes;
    return KN_OK;
}

/* ---- judging ---- */

static kn_status judge(kn_model_verdict *v, const kn_bound *b, const kn_span_model *span_model,
                       const kn_run *run, kn_error *err)
{
    const kn_centroids *c = &b->model->centres;
    kn_centroids_counted counted = {0};

    KN_PASS(kn__centroids_recount(&counted, b, &v->spans, run, err));
    KN_PASS(kn__spans_judge(v, span_model, run, err));
    v->figures.recounted = (size_t)counted.records;
    for (size_t i = 0; c->population && i < c->count; i++) {
        v->figures.unlike += c->population[i] != v->spans.class_population[i];
    }
    if (!kn__spans_counted_agree(&counted.spans, &v->figures, &v->limits)) {
        KN_PASS(kn__centroids_disagree(err, "the verdict is another"));
    }
    return KN_OK;
}

/* ---- answers ---- */

static uint32_t answer_of(const kn_span_model *clusters, const kn_bound *b, size_t record,
                          void *scratch)
{
    (void)b;
    return clusters->class_of(clusters->model, record, scratch);
}

/* The name of the cluster, or its number from 1 on. */
static kn_status add_answer(kn_chunk *c, const kn_bound *b, size_t record, uint32_t answer,
                            void *scratch, kn_error *err)
{
    char *const *name = b->model->centres.name;
    char number[32] = "";

    (void)record, (void)scratch;
    if (answer != KN_NO_CODE && name && name[answer]) {
        return kn__chunk_add(c, 0, name[answer], strlen(name[answer]), err);
    }
    if (answer != KN_NO_CODE) {
        (void)snprintf(number, sizeof number, "%u", answer + 1);
    }
    return kn__chunk_add(c, 0, number, strlen(number), err);
}

/* ---- the row ---- */

static const kn_param params[] = {
    KN_SPAN_PARAMS,
    {.name = "clusters",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "clusters: stop at so many; the default, 0, is when no split is safe"},
    {.name = "algorithm",
     .kind = KN_PARAM_CHOICE,
     .choices = "best|mst|kmeans",
     .help = "clusters: split a minimal spanning tree, or merge and split k-means centres until "
             "they are safe; or take the closer of the two"},
    {.name = "starts",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_KMEANS_STARTS + 1,
     .standard = KN_KMEANS_STARTS + 1,
     .help = "clusters: from how many numbers of clusters k-means begins; the closest result is "
             "taken, and fewer take less time"},
    {.name = "smallest",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help =
         "tree, clusters: how many people are in a leaf, or make a centre, at least; the default, 0, is k"},
};

const kn_model_row kn__clusters_row = {
    .entry = {.kind = KN_ENTRY_MODEL,
              .name = "clusters",
              .summary = "centres of groups of similar records",
              KN_PARAMS(params),
              .page = "clusters.md"},
    .kind = KN_MODEL_CLUSTERS,
    .noun = "clustering",
    .clear = clear,
    .fault = fault,
    .mark_used = mark_used,
    .shape = shape,
    .bind = kn__bind_attributes,
    .span_model = kn__centroids_span_model,
    .tries_integers = true,
    .judge = judge,
    .answer_of = answer_of,
    .add_answer = add_answer,
    .mine = kn__mine_clusters,
};
