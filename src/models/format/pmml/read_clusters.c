/* read_clusters.c - ClusteringModel with centres.
 *
 * A field may be a number of the data, a linear function of one, or a category that is compared for
 * equality (delta). Most tools encode a category as 0/1 fields (NormDiscrete). That is read if
 * every centre has exactly one value of it: two different values then differ in two fields, so the
 * distance is twice the weight of a field. */
#include "base/error.h"
#include "base/memory.h"
#include "models/format/pmml/pmml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct column {
    const kn_pmml_field *field;
    const kn_xml_element *at;
    double weight;
    double slope, offset; /* numbers: field = slope * attribute + offset */
} column;

typedef struct columns {
    column *column;
    size_t count, cap;
    double *number; /* of one centre */
} columns;

static kn_status refuse_measure(const kn_pmml_reader *r, const kn_xml_element *e)
{
    const kn_xml_element *m = kn__xml_child(e, "ComparisonMeasure"), *kind;

    if (!m) {
        return kn__pmml_refuse(r, e, "there is no ComparisonMeasure");
    }
    KN_PASS(
        kn__pmml_known(r, m, "kind compareFunction minimum maximum",
                       "euclidean squaredEuclidean chebychev cityBlock minkowski simpleMatching "
                       "jaccard tanimoto binarySimilarity"));
    KN_PASS(kn__pmml_only(r, m, "kind", "distance"));
    KN_PASS(kn__pmml_only(r, m, "compareFunction", "absDiff delta"));
    kind = m->first;
    while (kind && kn__pmml_is(kind, "Extension")) {
        kind = kind->next;
    }
    if (!kind || (!kn__pmml_is(kind, "euclidean") && !kn__pmml_is(kind, "squaredEuclidean"))) {
        return kn__pmml_refuse(r, kind ? kind : m,
                               "clusters by %s are not read: euclidean and squaredEuclidean are",
                               kind ? kind->name : "no measure");
    }
    return KN_OK;
}

/* The field as slope * attribute + offset. */
static kn_status line_of(const kn_pmml_reader *r, column *c)
{
    c->slope = 1;
    c->offset = 0;
    for (size_t i = 0; i < c->field->steps; i++) {
        const kn_pmml_step *s = &c->field->step[i];
        double slope = 1, offset = 0;
        switch (s->kind) {
        case KN_PMML_ADD: offset = s->number; break;
        case KN_PMML_MULTIPLY: slope = s->number; break;
        case KN_PMML_DIVIDE: slope = 1 / s->number; break;
        case KN_PMML_SUBTRACT_FROM:
            slope = -1;
            offset = s->number;
            break;
        case KN_PMML_NORM:
            slope = (s->to[1] - s->to[0]) / (s->from[1] - s->from[0]);
            offset = s->to[0] - s->from[0] * slope;
            break;
        case KN_PMML_FLOAT:
            return kn__pmml_refuse(
                r, c->at,
                "'%.60s' is rounded to dataType float, which clusters cannot follow: "
                "double would do",
                c->field->name);
        }
        c->slope *= slope;
        c->offset = c->offset * slope + offset;
    }
    return isfinite(c->slope) && c->slope != 0 && isfinite(c->offset)
               ? KN_OK
               : kn__pmml_refuse(r, c->at, "'%.60s' is scaled beyond all numbers", c->field->name);
}

static kn_status take_column(kn_pmml_reader *r, columns *all, const kn_xml_element *e,
                             bool by_default)
{
    const char *compare = kn__xml_get(e, "compareFunction");
    column c = {.at = e, .weight = 1, .slope = 1};
    /* not one strcmp of whichever applies: gcc 12 takes that for never equal */
    const bool delta = compare ? strcmp(compare, "delta") == 0 : by_default;
    kn_status st = kn__pmml_known(r, e, "field isCenterField fieldWeight compareFunction", "");

    if (st != KN_OK || (st = kn__pmml_only(r, e, "isCenterField", "true")) != KN_OK ||
        (st = kn__pmml_only(r, e, "compareFunction", "absDiff delta")) != KN_OK ||
        (st = kn__pmml_number(r, e, "fieldWeight", &c.weight)) != KN_OK ||
        (st = kn__pmml_field_of(r, e, "field", &c.field)) != KN_OK) {
        return st;
    }
    if (c.weight < 0) {
        return kn__pmml_refuse(r, e, "fieldWeight is below 0");
    }
    if (c.field->replacement) {
        return kn__pmml_refuse(r, e, "missingValueReplacement of '%.60s' is not read in clusters",
                               c.field->name);
    }
    if (delta != (c.field->type == KN_TYPE_CATEGORY && !c.field->one_for)) {
        return kn__pmml_refuse(r, e,
                               "'%.60s' is a %s and compared by %s: numbers are compared by "
                               "absDiff, categories by delta",
                               c.field->name, delta ? "number" : "category",
                               delta ? "delta" : "absDiff");
    }
    if (!c.field->one_for && !delta && (st = line_of(r, &c)) != KN_OK) {
        return st;
    }
    for (size_t i = 0; i < all->count; i++) {
        const column *o = &all->column[i];
        if (o->field->attribute != c.field->attribute) {
            continue;
        }
        if (!o->field->one_for || !c.field->one_for ||
            strcmp(o->field->one_for, c.field->one_for) == 0) {
            return kn__pmml_refuse(r, e, "'%.60s' counts twice", c.field->name);
        }
        if (o->weight != c.weight) {
            return kn__pmml_refuse(r, e,
                                   "the values of '%.60s' have different weights, which is not "
                                   "read",
                                   r->model->attribute[c.field->attribute].name);
        }
    }
    if ((st = kn__grow(&all->column, &all->cap, all->count + 1, sizeof c, r->err)) == KN_OK) {
        all->column[all->count++] = c;
    }
    return st;
}

/* ---- centres ---- */

static kn_status make_room(kn_pmml_reader *r, size_t clusters)
{
    kn_centroids *c = &r->model->centres;
    const size_t attributes = r->model->attributes;

    c->count = clusters;
    if (clusters > SIZE_MAX / attributes) {
        return kn__nomem(r->err);
    }
    c->number = kn__malloc_array(clusters * attributes, sizeof *c->number);
    c->value = kn__malloc_array(clusters * attributes, sizeof *c->value);
    c->scale = kn__malloc_array(attributes, sizeof *c->scale);
    c->population = kn__zalloc_array(clusters, sizeof *c->population);
    c->name = kn__zalloc_array(clusters, sizeof *c->name);
    if (!c->number || !c->value || !c->scale || !c->population || !c->name) {
        return kn__nomem(r->err);
    }
    for (size_t i = 0; i < clusters * attributes; i++) {
        c->number[i] = NAN;
        c->value[i] = KN_NO_CODE;
    }
    for (size_t a = 0; a < attributes; a++) {
        c->scale[a] = 1;
        /* an input that no ClusteringField names has no weight */
        r->model->attribute[a].weight = 0;
    }
    return KN_OK;
}

static void set_weights(kn_pmml_reader *r, const columns *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const column *c = &all->column[i];
        r->model->attribute[c->field->attribute].weight = c->field->one_for ? 2 * c->weight
                                                                            : c->weight;
        if (c->field->type != KN_TYPE_CATEGORY) {
            r->model->centres.scale[c->field->attribute] = 1 / fabs(c->slope);
        }
    }
}

static kn_status take_value(kn_pmml_reader *r, const kn_xml_element *array, const column *c,
                            size_t base, const char *text, size_t len, double number)
{
    const uint32_t attribute = c->field->attribute;
    kn_centroids *centres = &r->model->centres;

    if (c->field->one_for) {
        if (number == 0) {
            return KN_OK;
        }
        if (number != 1 || centres->value[base + attribute] != KN_NO_CODE) {
            return kn__pmml_refuse(
                r, array,
                "a centre is spread over several values of '%.60s': centres with one "
                "value of each category are read",
                r->model->attribute[attribute].name);
        }
        return kn__pmml_code(r, attribute, c->field->one_for, strlen(c->field->one_for),
                             &centres->value[base + attribute]);
    }
    if (c->field->type == KN_TYPE_CATEGORY) {
        return kn__pmml_code(r, attribute, text, len, &centres->value[base + attribute]);
    }
    centres->number[base + attribute] = c->field->steps ? (number - c->offset) / c->slope : number;
    return KN_OK;
}

/* The name of a centre: its name, or its id unless that is just its number. */
static const char *centre_name(const kn_xml_element *e, size_t i)
{
    const char *name = kn__xml_get(e, "name"), *id = kn__xml_get(e, "id");
    char number[32];

    (void)snprintf(number, sizeof number, "%zu", i + 1);
    if (name) {
        return name;
    }
    return id && strcmp(id, number) != 0 ? id : NULL;
}

static kn_status take_centre(kn_pmml_reader *r, columns *all, const kn_xml_element *e, size_t i)
{
    const kn_xml_element *array = kn__xml_child(e, "Array");
    const size_t base = i * r->model->attributes;
    const char *name = centre_name(e, i), *text;
    kn_buffer scratch = {0};
    size_t count, at = 0, len;
    kn_status st = kn__pmml_known(r, e, "id name size", "Array");

    if (st != KN_OK) {
        return st;
    }
    if (!array) {
        return kn__pmml_refuse(r, e, "a Cluster has no Array: clusters with centres are read");
    }
    if ((st = kn__pmml_array_count(r, array, &count)) != KN_OK) {
        return st;
    }
    if (count != all->count) {
        return kn__pmml_refuse(r, array, "a centre has %zu values for %zu fields", count,
                               all->count);
    }
    for (size_t c = 0; c < count && st == KN_OK; c++) {
        const column *one = &all->column[c];
        double number = 0;
        (void)kn__pmml_array_next(array, &at, &scratch, &text, &len);
        if (scratch.failed) {
            st = kn__nomem(r->err);
        } else if (one->field->type != KN_TYPE_CATEGORY || one->field->one_for) {
            char copy[64];
            memcpy(copy, text, len < sizeof copy ? len : sizeof copy - 1);
            copy[len < sizeof copy ? len : sizeof copy - 1] = '\0';
            if (!kn__pmml_value(one->field->steps || one->field->one_for ? KN_TYPE_DECIMAL
                                                                         : one->field->type,
                                copy, &number)) {
                st = kn__pmml_refuse(r, array, "'%.40s' in a centre is no number", copy);
            }
        }
        if (st == KN_OK) {
            st = take_value(r, array, one, base, text, len, number);
        }
    }
    kn__buffer_free(&scratch);
    for (size_t c = 0; c < all->count && st == KN_OK; c++) {
        const column *one = &all->column[c];
        if (one->field->one_for &&
            r->model->centres.value[base + one->field->attribute] == KN_NO_CODE) {
            st = kn__pmml_refuse(r, array, "a centre has no value of '%.60s'",
                                 r->model->attribute[one->field->attribute].name);
        }
    }
    if (st == KN_OK && name && !(r->model->centres.name[i] = kn__strdup(name))) {
        st = kn__nomem(r->err);
    }
    return st == KN_OK ? kn__pmml_count(r, e, "size", &r->model->centres.population[i]) : st;
}

static kn_status take_centres(kn_pmml_reader *r, columns *all, const kn_xml_element *e)
{
    uint64_t said = 0;
    size_t clusters = 0, sized = 0;
    kn_status st = kn__pmml_count(r, e, "numberOfClusters", &said);

    for (const kn_xml_element *c = kn__xml_child(e, "Cluster"); c; c = kn__xml_again(c)) {
        clusters++;
        sized += kn__xml_get(c, "size") != NULL;
    }
    if (st != KN_OK) {
        return st;
    }
    if (clusters == 0 || all->count == 0) {
        return kn__pmml_refuse(r, e, "there is no %s", clusters ? "ClusteringField" : "Cluster");
    }
    if (kn__xml_get(e, "numberOfClusters") && said != clusters) {
        return kn__pmml_refuse(r, e, "there are %zu Clusters where numberOfClusters says %llu",
                               clusters, (unsigned long long)said);
    }
    if (sized && sized < clusters) {
        return kn__pmml_refuse(r, e, "%zu of %zu Clusters have a size: give it to all or to none",
                               sized, clusters);
    }
    if ((st = make_room(r, clusters)) != KN_OK) {
        return st;
    }
    set_weights(r, all);
    clusters = 0;
    for (const kn_xml_element *c = kn__xml_child(e, "Cluster"); c && st == KN_OK;
         c = kn__xml_again(c)) {
        st = take_centre(r, all, c, clusters++);
    }
    if (sized == 0) {
        kn__free(r->model->centres.population);
        r->model->centres.population = NULL;
    }
    return st;
}

/* Drop inputs without weight from the model; at least one has a weight. */
static void drop_idle(kn_model *m, const columns *all)
{
    kn_centroids *c = &m->centres;
    size_t kept = 0;

    for (size_t a = 0; a < m->attributes; a++) {
        bool used = false;
        for (size_t i = 0; i < all->count; i++) {
            used |= all->column[i].field->attribute == a;
        }
        if (!used) {
            kn__free(m->attribute[a].name);
            kn__dict_free(m->attribute[a].values);
            continue;
        }
        m->attribute[kept] = m->attribute[a];
        c->scale[kept] = c->scale[a];
        for (size_t i = 0; i < c->count; i++) {
            /* rows keep their old width until all columns have moved */
            c->number[i * m->attributes + kept] = c->number[i * m->attributes + a];
            c->value[i * m->attributes + kept] = c->value[i * m->attributes + a];
        }
        kept++;
    }
    for (size_t i = 0; i < c->count; i++) {
        memmove(c->number + i * kept, c->number + i * m->attributes, kept * sizeof *c->number);
        memmove(c->value + i * kept, c->value + i * m->attributes, kept * sizeof *c->value);
    }
    m->attributes = kept;
}

kn_status kn__pmml_clusters(kn_pmml_reader *r, const kn_xml_element *e)
{
    const kn_xml_element *measure = kn__xml_child(e, "ComparisonMeasure");
    const char *compare = measure ? kn__xml_get(measure, "compareFunction") : NULL;
    columns all = {0};
    kn_status status;

    KN_TRY(
        kn__pmml_known(r, e,
                       "modelName functionName algorithmName modelClass numberOfClusters "
                       "isScorable",
                       "MiningSchema Output LocalTransformations ComparisonMeasure ClusteringField "
                       "MissingValueWeights Cluster"));
    KN_TRY(kn__pmml_only(r, e, "modelClass", "centerBased"));
    KN_TRY(refuse_measure(r, e));
    if (r->model->attributes == 0) {
        KN_TRY(kn__pmml_refuse(r, e, "the MiningSchema has no active field"));
    }
    for (const kn_xml_element *f = kn__xml_child(e, "ClusteringField"); f; f = kn__xml_again(f)) {
        KN_TRY(take_column(r, &all, f, compare && strcmp(compare, "delta") == 0));
    }
    KN_TRY(take_centres(r, &all, e));
    drop_idle(r->model, &all);
done:
    kn__free(all.column);
    return status;
}
