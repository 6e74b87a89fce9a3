/* mine.c - clusters: which attributes count how much, the points, and the model at the
 * end.
 *
 * Numbers are divided by two standard deviations: two records then differ in one by a half on
 * average, squared, as they do in a yes or no that is half and half. Centres are rounded to about a
 * thousandth of that, because more digits of a mean are no use to anybody but an attacker. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kanon/version.h"
#include "models/clusters/clusters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ---- */

/* Two standard deviations of the column's numbers, to four digits; 1 if they do not differ. */
static kn_status scale_of(const kn_column *c, size_t records, double *scale, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    uint64_t *held = kn__zalloc_array(values, sizeof *held);
    double sum = 0, squares = 0, n = 0, mean;

    *scale = 1;
    if (!held) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < records; i++) {
        held[kn__column_code(c, i)]++;
    }
    for (uint32_t v = 0; v < values; v++) {
        if (v != c->missing) {
            sum += c->numbers[v] * (double)held[v];
            n += (double)held[v];
        }
    }
    mean = n > 0 ? sum / n : 0;
    for (uint32_t v = 0; v < values; v++) {
        if (v != c->missing) {
            squares += (c->numbers[v] - mean) * (c->numbers[v] - mean) * (double)held[v];
        }
    }
    kn__free(held);
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
    kn_status st = KN_OK;

    m->centres.scale = kn__malloc_array(ds->columns, sizeof *m->centres.scale);
    if (!m->centres.scale) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < ds->columns && st == KN_OK; i++) {
        const kn_column *c = &ds->column[i];
        uint32_t a;
        if (!is_used(c)) {
            continue;
        }
        if (kn__type_is_list(c->type)) {
            return kn__fail(
                err, KN_EINPUT,
                "'%.100s' holds lists; clusters are of records with one value a column: "
                "leave it out",
                c->name);
        }
        st = kn__model_add_attribute(m, c->name, strlen(c->name), c->type,
                                     c->role == KN_ROLE_SENSITIVE, &a, err);
        if (st == KN_OK) {
            m->attribute[a].weight = c->weight;
            m->centres.scale[a] = 1;
            st = kn__type_is_ordered(c->type) ? scale_of(c, ds->records, &m->centres.scale[a], err)
                                              : KN_OK;
        }
    }
    if (st == KN_OK && m->attributes == 0) {
        st = kn__fail(err, KN_EUSAGE,
                      "there is nothing to cluster: name public columns with --qi and private ones "
                      "with --sensitive");
    }
    return st;
}

/* ---- centres ---- */

kn_status kn__clustering_centres(const kn_clustering *c, const uint32_t *label, size_t count,
                                 double *centre, kn_error *err)
{
    const size_t stride = c->frame->space.attributes;
    const kn_status st = kn__points_centres(&c->points, label, count, centre, c->run, err);

    for (size_t i = 0; st == KN_OK && i < count * stride; i++) {
        const double grain = c->grain[i % stride];
        if (grain > 0) {
            /* Multiplying or dividing by a whole power of ten rounds once. */
            centre[i] = grain < 1 ? round(centre[i] * round(1 / grain)) / round(1 / grain)
                                  : round(centre[i] / grain) * grain;
        }
    }
    return st;
}

static kn_status set_grains(kn_clustering *c, const kn_model *m, kn_error *err)
{
    const kn_frame *t = c->frame;

    c->grain = kn__zalloc_array(t->space.attributes, sizeof *c->grain);
    if (!c->grain) {
        return kn__nomem(err);
    }
    for (size_t n = 0; n < t->space.attributes; n++) {
        const double scale = m->centres.scale[t->attribute[n]];
        if (!t->space.at[n].category && scale > 1e-9 && scale < 1e15) {
            c->grain[n] = pow(10, floor(log10(scale)) - 3);
        }
    }
    return KN_OK;
}

/* ---- the model ---- */

typedef struct named {
    const char *text;
    size_t len;
    double place;
} named;

static int by_bytes(const void *one, const void *two)
{
    const named *a = one, *b = two;
    const int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

    return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* The values that centres have, and no others, become those that the model knows. */
static kn_status name_values(kn_model *m, const kn_clustering *c, size_t n, kn_error *err)
{
    const kn_frame *t = c->frame;
    const uint32_t a = t->attribute[n];
    const kn_dict *domain = t->bound->attribute[a].domain;
    named *used = kn__malloc_array(c->count, sizeof *used);
    size_t count = 0;
    kn_status st = used ? KN_OK : kn__nomem(err);

    for (size_t i = 0; st == KN_OK && i < c->count; i++) {
        const double place = c->centre[i * t->space.attributes + n];
        bool there = isnan(place);
        for (size_t j = 0; j < count && !there; j++) {
            there = used[j].place == place;
        }
        if (!there) {
            used[count].place = place;
            used[count].text = kn__dict_text(domain, (uint32_t)place, &used[count].len);
            count++;
        }
    }
    if (st == KN_OK) {
        qsort(used, count, sizeof *used, by_bytes);
    }
    for (size_t j = 0; st == KN_OK && j < count; j++) {
        st = kn__dict_append(m->attribute[a].values, used[j].text, used[j].len, err);
        for (size_t i = 0; i < c->count; i++) {
            if (c->centre[i * t->space.attributes + n] == used[j].place) {
                m->centres.value[i * m->attributes + a] = (uint32_t)j;
            }
        }
    }
    kn__free(used);
    return st;
}

static kn_status fill_model(kn_model *m, const kn_clustering *c, kn_error *err)
{
    const kn_frame *t = c->frame;
    kn_centroids *to = &m->centres;
    double within;
    kn_status st;

    to->number = kn__malloc_array(c->count * m->attributes, sizeof *to->number);
    to->value = kn__malloc_array(c->count * m->attributes, sizeof *to->value);
    to->population = kn__malloc_array(c->count, sizeof *to->population);
    m->made_by = kn__strdup("kanon " KN_VERSION);
    if (!to->number || !to->value || !to->population || !m->made_by) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < c->count * m->attributes; i++) {
        to->number[i] = NAN;
        to->value[i] = KN_NO_CODE;
    }
    to->count = c->count;
    st = kn__points_within(&c->points, c->centre, c->count, &within, to->population, c->run, err);
    for (size_t n = 0; st == KN_OK && n < t->space.attributes; n++) {
        if (t->space.at[n].category) {
            st = name_values(m, c, n, err);
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
    return st;
}

static kn_status measure(const kn_clustering *c, kn_error *err)
{
    kn_clusters_quality *q = c->options->quality;
    kn_status status;

    KN_TRY(kn__points_within(&c->points, c->centre, c->count, &q->within, NULL, c->run, err));
    KN_TRY(kn__points_within(&c->points, c->plain, c->plain_count, &q->plain, NULL, c->run, err));
    KN_TRY(kn__points_within(&c->points, c->points.middle, 1, &q->whole, NULL, c->run, err));
done:
    return status;
}

static kn_status check_clustering(const kn_dataset *ds, const kn_mine_options *o, kn_error *err)
{
    if (ds->records == 0) {
        return kn__fail(err, KN_EINPUT, "there are no records to cluster");
    }
    if (o->k <= 1 && o->l == 0 && o->inference == 0 && o->clusters == 0 && !o->kmeans) {
        return kn__fail(err, KN_EUSAGE,
                        "without a guarantee every edge could be cut: say how many --clusters are "
                        "wanted, or give --k of 2 or more");
    }
    return KN_OK;
}

static kn_status mine_once(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                           const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    kn_clustering c = {.options = options,
                       .run = run,
                       .limits = {.k = options->k,
                                  .l = options->l,
                                  .distinct_l = options->distinct_l,
                                  .inference = options->inference}};
    kn_model *m = NULL;
    kn_bound *bound = NULL;
    kn_frame *frame = NULL;
    kn_status st = check_clustering(ds, options, err);

    *out = NULL;
    c.smallest = options->smallest ? options->smallest : options->k;
    if (st == KN_OK) {
        st = kn__model_new(&m, KN_MODEL_CLUSTERS, err);
    }
    if (st == KN_OK) {
        st = add_attributes(m, ds, err);
    }
    if (st == KN_OK) {
        st = kn__bound_new(&bound, m, ds, hierarchies, err);
    }
    if (st == KN_OK) {
        st = kn__frame_new(&frame, bound, err);
    }
    if (st == KN_OK) {
        c.frame = frame;
        st = set_grains(&c, m, err);
    }
    if (st == KN_OK) {
        st = kn__points_new(&c.points, frame, run, err);
    }
    if (st == KN_OK) {
        st = options->kmeans ? kn__clustering_kmeans(&c, err) : kn__clustering_cut(&c, err);
    }
    if (st == KN_OK) {
        st = fill_model(m, &c, err);
    }
    if (st == KN_OK && options->quality) {
        st = measure(&c, err);
    }
    kn__points_clear(&c.points);
    kn__free(c.centre);
    kn__free(c.plain);
    kn__free(c.grain);
    kn__frame_free(frame);
    kn__bound_free(bound);
    if (st != KN_OK) {
        kn_model_free(m);
        m = NULL;
    }
    *out = m;
    return st;
}

/* Whether a model tells nobody too much who knows that private numbers are whole, of which the
 * guard knows nothing. */
static kn_status keeps_whole(bool *keeps, const kn_model *m, const kn_dataset *ds,
                             const kn_hierarchies *hierarchies, const kn_mine_options *options,
                             const kn_run *run, kn_error *err)
{
    const kn_model_limits limits = {.k = options->k,
                                    .l = options->l,
                                    .distinct_l = options->distinct_l,
                                    .inference = options->inference};
    kn_model_verdict *v = NULL;
    kn_bound *b = NULL;
    bool narrower = false, fewer = false;
    kn_status st = kn__bound_new(&b, m, ds, hierarchies, err);

    *keeps = true;
    if (st == KN_OK) { /* as kn_model_check does */
        st = kn__bound_narrow(b, hierarchies, &narrower, err);
    }
    if (st == KN_OK) {
        kn__bound_assume_integers(b, &fewer);
    }
    kn__bound_free(b);
    if (st == KN_OK && fewer) {
        st = kn_model_check(&v, m, ds, hierarchies, &limits, run, err);
    }
    if (st == KN_OK && v) {
        *keeps = kn_model_verdict_holds(v);
        kn_model_verdict_free(v);
    }
    return st;
}

/* An attacker may know that private values are integers, which the span index does not: it takes
 * them for real numbers. Where the guarantee fails for such an attacker, fewer clusters are tried:
 * bisection over their number. One cluster has one span and always passes. */
static kn_status mine(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                      const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    kn_mine_options o = *options;
    kn_clusters_quality best = {0};
    kn_model *m = NULL, *kept = NULL;
    bool keeps = true;
    size_t most, least = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(mine_once(&m, ds, hierarchies, &o, run, err));
    KN_TRY(keeps_whole(&keeps, m, ds, hierarchies, &o, run, err));
    if (keeps) {
        *out = m;
        return KN_OK;
    }
    most = m->centres.count;
    while (most - least > 1 || !kept) {
        kn_model_free(m);
        m = NULL;
        o.clusters = least + (most - least + 1) / 2;
        o.clusters = o.clusters == most && most > 1 ? most - 1 : o.clusters;
        KN_TRY(mine_once(&m, ds, hierarchies, &o, run, err));
        KN_TRY(keeps_whole(&keeps, m, ds, hierarchies, &o, run, err));
        if (keeps || o.clusters == 1) {
            kn_model_free(kept);
            kept = m;
            m = NULL;
            least = o.clusters;
            best = o.quality ? *o.quality : best;
        } else {
            most = o.clusters;
        }
    }
    if (o.quality) {
        *o.quality = best;
    }
    *out = kept;
    kept = NULL;
done:
    kn_model_free(m);
    kn_model_free(kept);
    return status;
}

static const kn_param params[] = {
    KN_SPAN_PARAMS,
    {.name = "clusters",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "clusters: stop at so many; the default, 0, is when no split is safe"},
    {.name = "algorithm",
     .kind = KN_PARAM_CHOICE,
     .choices = "mst|kmeans",
     .help = "clusters: split a minimal spanning tree, or merge k-means centres until they are "
             "safe"},
    {.name = "smallest",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "clusters: how many people a centre is the mean of at least; the default, 0, is k"},
};

const kn_model_row kn__clusters_row = {
    .entry = {.kind = KN_ENTRY_MODEL,
              .name = "clusters",
              .summary = "centres of groups of similar records",
              KN_PARAMS(params),
              .page = "clusters.md"},
    .kind = KN_MODEL_CLUSTERS,
    .mine = mine,
};
