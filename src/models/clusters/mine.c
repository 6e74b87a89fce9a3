/* mine.c - mining clusters: from columns to weighted attributes and points, and from centres to the
 * model.
 *
 * Numbers are divided by two standard deviations: the expected squared difference of two records is
 * then a half, as for a binary category whose values are equally common. Centres are rounded to
 * about a thousandth of that: more digits of a mean would serve an attacker only. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "kanon/version.h"
#include "models/clusters/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ---- */

/* Two standard deviations of the column's numbers, to four digits; 1 if they do not differ. */
static kn_status scale_of(const kn_column *c, size_t records, double *scale, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    uint64_t *count_of = kn__zalloc_array(values, sizeof *count_of);
    double sum = 0, squares = 0, n = 0, mean;

    *scale = 1;
    if (!count_of) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < records; i++) {
        count_of[kn__column_code(c, i)]++;
    }
    for (uint32_t v = 0; v < values; v++) {
        if (v != c->missing) {
            sum += c->numbers[v] * (double)count_of[v];
            n += (double)count_of[v];
        }
    }
    mean = n > 0 ? sum / n : 0;
    for (uint32_t v = 0; v < values; v++) {
        if (v != c->missing) {
            squares += (c->numbers[v] - mean) * (c->numbers[v] - mean) * (double)count_of[v];
        }
    }
    kn__free(count_of);
    if (squares > 0 && isfinite(squares)) {
        const double deviations = 2 * sqrt(squares / n),
                     unit = pow(10, 3 - floor(log10(deviations)));
        *scale = round(deviations * unit) / unit;
    }
    return KN_OK;
}

static bool is_used(const kn_column *c)
{
    return (c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE) && c->dict && c->weight > 0 &&
           kn__column_values(c) > (c->missing != KN_NO_CODE);
}

static kn_status add_attributes(kn_model *m, const kn_dataset *ds, kn_error *err)
{
    kn_status status;

    m->centres.scale = kn__malloc_array(ds->columns, sizeof *m->centres.scale);
    KN_TRY(m->centres.scale ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        uint32_t a;
        if (!is_used(c)) {
            continue;
        }
        if (kn__type_is_list(c->type)) {
            KN_TRY(
                kn__fail(err, KN_EINPUT,
                         "'%.100s' holds lists; clusters are of records with one value a column: "
                         "leave it out",
                         c->name));
        }
        KN_TRY(kn__model_add_attribute(m, c->name, strlen(c->name), c->type,
                                       c->role == KN_ROLE_SENSITIVE, &a, err));
        m->attribute[a].weight = c->weight;
        m->centres.scale[a] = 1;
        if (kn__type_is_ordered(c->type)) {
            KN_TRY(scale_of(c, ds->records, &m->centres.scale[a], err));
        }
    }
    if (m->attributes == 0) {
        status = kn__fail(err, KN_EUSAGE,
                          "there is nothing to cluster: name public columns with --qi and private "
                          "ones with --sensitive");
    }
done:
    return status;
}

/* ---- centres ---- */

kn_status kn__clustering_centres(const kn_clustering *c, const uint32_t *label, size_t count,
                                 double *centre, kn_error *err)
{
    return kn__clustering_centres_of(c, NULL, c->points.count, label, count, centre, err);
}

void kn__clustering_round(const kn_clustering *c, double *centre, size_t count)
{
    const size_t stride = c->frame->space.attributes;

    for (size_t i = 0; i < count * stride; i++) {
        const double precision = c->precision[i % stride];
        if (precision > 0) {
            /* Multiplying or dividing by a whole power of ten rounds once. */
            centre[i] = precision < 1
                            ? round(centre[i] * round(1 / precision)) / round(1 / precision)
                            : round(centre[i] / precision) * precision;
        }
    }
}

kn_status kn__clustering_centres_of(const kn_clustering *c, const uint32_t *which, size_t n,
                                    const uint32_t *label, size_t count, double *centre,
                                    kn_error *err)
{
    KN_PASS(kn__weighted_points_centres(&c->points, which, n, label, count, centre, c->run, err));
    kn__clustering_round(c, centre, count);
    return KN_OK;
}

kn_status kn__clustering_spans(kn_clustering *c, kn_span_index **out, kn_error *err)
{
    *out = NULL;
    if (c->limits.k <= 1 && c->limits.l == 0 && c->limits.inference <= 0) {
        return KN_OK;
    }
    if (c->spans) {
        KN_PASS(kn__span_index_reset(c->spans, err));
    } else {
        KN_PASS(kn__span_index_new(&c->spans, &c->points, &c->limits, c->run, err));
    }
    *out = c->spans;
    return KN_OK;
}

static kn_status set_precision(kn_clustering *c, const kn_model *m, kn_error *err)
{
    const kn_frame *t = c->frame;

    c->precision = kn__zalloc_array(t->space.attributes, sizeof *c->precision);
    if (!c->precision) {
        return kn__nomem(err);
    }
    for (size_t n = 0; n < t->space.attributes; n++) {
        const double scale = m->centres.scale[t->attribute[n]];
        if (!t->space.at[n].category && scale > 1e-9 && scale < 1e15) {
            c->precision[n] = pow(10, floor(log10(scale)) - 3);
        }
    }
    return KN_OK;
}

/* ---- the model ---- */

typedef struct used_value {
    const char *text;
    size_t len;
    double code;
} used_value;

static int by_bytes(const void *x, const void *y)
{
    const used_value *a = x, *b = y;

    return kn__order_bytes(a->text, a->len, b->text, b->len);
}

/* The model names the values that centres have, and no others: others would disclose what occurs.
 */
static kn_status set_values(kn_model *m, const kn_clustering *c, size_t n, kn_error *err)
{
    const kn_frame *t = c->frame;
    const uint32_t a = t->attribute[n];
    const kn_dict *domain = t->bound->attribute[a].domain;
    used_value *used = kn__malloc_array(c->count, sizeof *used);
    size_t count = 0;
    kn_status status;

    KN_TRY(used ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < c->count; i++) {
        const double code = c->centre[i * t->space.attributes + n];
        bool known = isnan(code);
        for (size_t j = 0; j < count && !known; j++) {
            known = used[j].code == code;
        }
        if (!known) {
            used[count].code = code;
            used[count].text = kn__dict_text(domain, (uint32_t)code, &used[count].len);
            count++;
        }
    }
    qsort(used, count, sizeof *used, by_bytes);
    for (size_t j = 0; j < count; j++) {
        KN_TRY(kn__dict_append(m->attribute[a].values, used[j].text, used[j].len, err));
        for (size_t i = 0; i < c->count; i++) {
            if (c->centre[i * t->space.attributes + n] == used[j].code) {
                m->centres.value[i * m->attributes + a] = (uint32_t)j;
            }
        }
    }
done:
    kn__free(used);
    return status;
}

static kn_status fill_model(kn_model *m, const kn_clustering *c, kn_error *err)
{
    const kn_frame *t = c->frame;
    kn_centroids *to = &m->centres;
    double within;

    to->number = kn__malloc_array(c->count * m->attributes, sizeof *to->number);
    to->value = kn__malloc_array(c->count * m->attributes, sizeof *to->value);
    to->population = kn__malloc_array(c->count, sizeof *to->population);
    m->made_by = kn__strdup("kanon " KN_VERSION);
    KN_PASS(to->number && to->value && to->population && m->made_by ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < c->count * m->attributes; i++) {
        to->number[i] = NAN;
        to->value[i] = KN_NO_CODE;
    }
    to->count = c->count;
    KN_PASS(kn__weighted_points_within(&c->points, c->centre, c->count, &within, to->population,
                                       c->run, err));
    for (size_t n = 0; n < t->space.attributes; n++) {
        if (t->space.at[n].category) {
            KN_PASS(set_values(m, c, n, err));
            continue;
        }
        for (size_t i = 0; i < c->count; i++) {
            to->number[i * m->attributes + t->attribute[n]] =
                c->centre[i * t->space.attributes + n];
        }
    }
    m->promise = (kn_model_promise){.k = c->options->k,
                                    .l = c->options->distinct_l ? 0 : c->options->l,
                                    .inference = c->options->inference};
    return KN_OK;
}

/* ---- algorithms ---- */

typedef kn_status clustering_algorithm(kn_clustering *c, kn_error *err);

/* Run an algorithm, and keep what it finds if that is closer to the points than what was found
 * before (`*within`; INFINITY: nothing was). */
static kn_status keep_better(kn_clustering *c, clustering_algorithm *run, double *within,
                             kn_error *err)
{
    double *before = c->centre, own = INFINITY;
    const size_t count = c->count;
    kn_status status;

    c->centre = NULL;
    c->count = 0;
    KN_TRY(run(c, err));
    KN_TRY(kn__weighted_points_within(&c->points, c->centre, c->count, &own, NULL, c->run, err));
done:
    if (status == KN_OK && own < *within) {
        kn__free(before);
        *within = own;
    } else {
        kn__free(c->centre);
        c->centre = before;
        c->count = count;
    }
    return status;
}

enum { MOST_POINTS_OF_MST = 30000 };

/* k-means from several numbers of clusters, all of them merged and split to the number wanted: so
 * many as are wanted, halves and quarters of it, and at last one. */
static kn_status find_by_kmeans(kn_clustering *c, double *within, kn_error *err)
{
    static const size_t quarters[KN_KMEANS_STARTS] = {4, 2, 1, 3};
    const uint64_t starts = kn__param_count(c->options->params, "starts");

    for (size_t n = 0; n < KN_KMEANS_STARTS && n < starts; n++) {
        c->start = kn__clustering_wanted(c) * quarters[n] / KN_KMEANS_STARTS;
        if (c->start > 1 || n == 0) {
            KN_PASS(keep_better(c, kn__clustering_kmeans, within, err));
        }
    }
    return starts > KN_KMEANS_STARTS ? keep_better(c, kn__clustering_bisect, within, err) : KN_OK;
}

static kn_status find_clusters(kn_clustering *c, const kn_params *params, kn_error *err)
{
    const bool best = kn__param_is(params, "algorithm", "best"),
               mst = kn__param_is(params, "algorithm", "mst");
    const size_t asked = c->clusters;
    double within = INFINITY;
    kn_status status = KN_OK;

    if (mst || (best && c->points.count <= MOST_POINTS_OF_MST)) {
        KN_TRY(keep_better(c, kn__clustering_cut, &within, err));
    }
    if (!mst) {
        c->clusters = asked == 0 && c->count > kn__clustering_wanted(c) ? c->count : asked;
        KN_TRY(find_by_kmeans(c, &within, err));
    }
done:
    c->clusters = asked;
    return status;
}

/* The distances of what was found, of as many clusters as were asked for without any guarantee,
 * and of all as one. */
static kn_status measure_quality(const kn_clustering *c, kn_error *err)
{
    kn_clusters_quality *q = c->options->quality;
    kn_clustering plain = *c;
    const size_t bytes = c->count * c->frame->space.attributes * sizeof *c->centre;
    kn_status status;

    KN_TRY(
        kn__weighted_points_within(&c->points, c->centre, c->count, &q->within, NULL, c->run, err));
    KN_TRY(
        kn__weighted_points_within(&c->points, c->points.overall, 1, &q->whole, NULL, c->run, err));
    plain.limits = (kn_model_limits){0};
    plain.history = NULL;
    plain.smallest = 1;
    plain.clusters = q->asked = c->clusters ? c->clusters : c->count;
    /* From our own centres on, so that the baseline is never worse than they are. */
    plain.centre = kn__malloc(bytes);
    KN_TRY(plain.centre ? KN_OK : kn__nomem(err));
    memcpy(plain.centre, c->centre, bytes);
    KN_TRY(kn__clustering_split(&plain, plain.clusters, err));
    KN_TRY(kn__weighted_points_within(&c->points, plain.centre, plain.count, &q->plain, NULL,
                                      c->run, err));
    KN_TRY(find_by_kmeans(&plain, &q->plain, err));
done:
    kn__free(plain.centre == c->centre ? NULL : plain.centre);
    return status;
}

static kn_status check_clustering(const kn_dataset *ds, const kn_mine_options *o, size_t clusters,
                                  kn_error *err)
{
    if (ds->records == 0) {
        return kn__fail(err, KN_EINPUT, "there are no records to cluster");
    }
    if (o->k <= 1 && o->l == 0 && o->inference == 0 && clusters == 0 &&
        !kn__param_is(o->params, "algorithm", "kmeans")) {
        return kn__fail(err, KN_EUSAGE,
                        "without a guarantee every edge could be cut: say how many --clusters are "
                        "wanted, or give --k of 2 or more");
    }
    return KN_OK;
}

static kn_status mine_reals(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                            const kn_mine_options *options, size_t clusters, const kn_run *run,
                            kn_error *err)
{
    const uint64_t smallest = kn__param_count(options->params, "smallest");
    kn_kmeans_start starts[KN_KMEANS_STARTS] = {0};
    kn_split_history history = {0};
    kn_clustering c = {.options = options,
                       .history = &history,
                       .clusters = clusters,
                       .starts = starts,
                       .run = run,
                       .limits = {.k = options->k,
                                  .l = options->l,
                                  .distinct_l = options->distinct_l,
                                  .inference = options->inference}};
    kn_model *m = NULL;
    kn_bound *bound = NULL;
    kn_frame *frame = NULL;
    kn_status status;

    *out = NULL;
    c.smallest = smallest ? smallest : options->k;
    KN_TRY(check_clustering(ds, options, clusters, err));
    KN_TRY(kn__model_new(&m, KN_MODEL_CLUSTERS, err));
    KN_TRY(add_attributes(m, ds, err));
    KN_TRY(kn__bound_new(&bound, m, ds, hierarchies, err));
    KN_TRY(kn__frame_new(&frame, bound, err));
    c.frame = frame;
    KN_TRY(set_precision(&c, m, err));
    KN_TRY(kn__weighted_points_new(&c.points, frame, run, err));
    KN_TRY(find_clusters(&c, options->params, err));
    KN_TRY(fill_model(m, &c, err));
    if (options->quality) {
        KN_TRY(measure_quality(&c, err));
    }
    *out = m;
    m = NULL;
done:
    for (size_t n = 0; n < KN_KMEANS_STARTS; n++) {
        kn__free(starts[n].centre);
        kn__free(starts[n].label);
    }
    kn__split_history_clear(&history);
    kn__span_index_free(c.spans);
    kn__weighted_points_clear(&c.points);
    kn__free(c.centre);
    kn__free(c.precision);
    kn__frame_free(frame);
    kn__bound_free(bound);
    kn_model_free(m);
    return status;
}

/* Whether the model keeps the limits also against an attacker who knows that private numbers are
 * integers: fewer values are possible then, so spans are smaller. The span index assumes reals. */
static kn_status holds_for_integers(bool *keeps, const kn_model *m, const kn_dataset *ds,
                                    const kn_hierarchies *hierarchies,
                                    const kn_mine_options *options, const kn_run *run,
                                    kn_error *err)
{
    const kn_model_limits limits = {.k = options->k,
                                    .l = options->l,
                                    .distinct_l = options->distinct_l,
                                    .inference = options->inference};
    kn_model_verdict *v = NULL;
    kn_bound *b = NULL;
    bool narrower = false, fewer = false;
    kn_status status;

    *keeps = true;
    KN_TRY(kn__bound_new(&b, m, ds, hierarchies, err));
    KN_TRY(kn__bound_narrow(b, hierarchies, &narrower, err)); /* as kn_model_check does */
    kn__bound_assume_integers(b, &fewer);
    if (fewer) {
        KN_TRY(kn_model_check(&v, m, ds, hierarchies, &limits, run, err));
        *keeps = kn_model_verdict_holds(v);
    }
done:
    kn_model_verdict_free(v);
    kn__bound_free(b);
    return status;
}

/* Where the guarantee fails for an attacker who knows that private numbers are integers, fewer
 * clusters are tried: bisection over their number. One cluster has one span and always passes. */
kn_status kn__mine_clusters(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                            const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    size_t clusters = kn__param_count(options->params, "clusters");
    kn_clusters_quality best = {0};
    kn_model *m = NULL, *kept = NULL;
    bool keeps = true;
    size_t most, least = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(mine_reals(&m, ds, hierarchies, options, clusters, run, err));
    KN_TRY(holds_for_integers(&keeps, m, ds, hierarchies, options, run, err));
    if (keeps) {
        *out = m;
        return KN_OK;
    }
    most = m->centres.count;
    while (most - least > 1 || !kept) {
        kn_model_free(m);
        m = NULL;
        clusters = least + (most - least + 1) / 2;
        clusters = clusters == most && most > 1 ? most - 1 : clusters;
        KN_TRY(mine_reals(&m, ds, hierarchies, options, clusters, run, err));
        KN_TRY(holds_for_integers(&keeps, m, ds, hierarchies, options, run, err));
        if (keeps || clusters == 1) {
            kn_model_free(kept);
            kept = m;
            m = NULL;
            least = clusters;
            best = options->quality ? *options->quality : best;
        } else {
            most = clusters;
        }
    }
    if (options->quality) {
        *options->quality = best;
    }
    *out = kept;
    kept = NULL;
done:
    kn_model_free(m);
    kn_model_free(kept);
    return status;
}
