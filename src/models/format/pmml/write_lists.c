/* write_lists.c - ClusteringModel and AssociationModel.
 *
 * Most tools know numbers only in centres, so a category becomes 0/1 fields, one for each value
 * that a centre has, of half its weight: where values differ, two of them do. */
#include "base/error.h"
#include "base/memory.h"
#include "models/format/formats.h"
#include "models/format/pmml/write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- clusters ---- */

typedef struct spread {
    kn_buffer name;
    uint32_t attribute, code;
} spread;

typedef struct spreads {
    spread *one;
    size_t count, cap;
} spreads;

static void clear_spreads(spreads *s)
{
    for (size_t i = 0; i < s->count; i++) {
        kn__buffer_free(&s->one[i].name);
    }
    kn__free(s->one);
}

/* A field that is 1 for this value, with a name that no other field has. */
static kn_status add_spread(spreads *s, const kn_model *m, kn_dict *names, uint32_t attribute,
                            uint32_t code, kn_error *err)
{
    size_t len;
    uint32_t taken;
    const char *text = kn__dict_text(m->attribute[attribute].values, code, &len);
    kn_status st = kn__grow(&s->one, &s->cap, s->count + 1, sizeof *s->one, err);
    spread *one;

    if (st != KN_OK) {
        return st;
    }
    one = &s->one[s->count++];
    *one = (spread){.attribute = attribute, .code = code};
    kn__buffer_adds(&one->name, m->attribute[attribute].name);
    kn__buffer_addc(&one->name, '=');
    kn__buffer_add(&one->name, text, len);
    while (!one->name.failed && kn__dict_find(names, one->name.data, one->name.len) != KN_NO_CODE) {
        kn__buffer_addc(&one->name, '\'');
    }
    return one->name.failed ? kn__nomem(err)
                            : kn__dict_add(names, one->name.data, one->name.len, &taken, err);
}

static kn_status spread_categories(spreads *s, const kn_model *m, kn_error *err)
{
    kn_dict *names = NULL;
    uint8_t *seen = NULL;
    uint32_t code;
    kn_status status;

    KN_TRY(kn__dict_new(&names, err));
    for (uint32_t a = 0; a < m->attributes; a++) {
        KN_TRY(kn__dict_add(names, m->attribute[a].name, strlen(m->attribute[a].name), &code, err));
    }
    for (uint32_t a = 0; a < m->attributes; a++) {
        if (!m->attribute[a].values) {
            continue;
        }
        kn__free(seen);
        seen = kn__zalloc_array(m->attribute[a].values->len, 1);
        KN_TRY(seen ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < m->centres.count; i++) {
            code = m->centres.value[i * m->attributes + a];
            if (!seen[code]) {
                seen[code] = 1;
                KN_TRY(add_spread(s, m, names, a, code, err));
            }
        }
    }
done:
    kn__free(seen);
    kn__dict_free(names);
    return status;
}

static kn_status no_missing_centres(const kn_model *m, kn_error *err)
{
    for (size_t i = 0; i < m->centres.count * m->attributes; i++) {
        const kn_attribute *a = &m->attribute[i % m->attributes];
        if (a->values ? m->centres.value[i] == KN_NO_CODE : isnan(m->centres.number[i])) {
            return kn__fail(
                err, KN_EINPUT,
                "a centre has no value of '%.60s', which PMML cannot say; JSON would do", a->name);
        }
    }
    return KN_OK;
}

static void add_cluster_fields(kn_buffer *out, const kn_model *m, const spreads *s)
{
    if (s->count) {
        kn__buffer_adds(out, "  <LocalTransformations>\n");
        for (size_t i = 0; i < s->count; i++) {
            const spread *one = &s->one[i];
            kn__buffer_adds(out, "   <DerivedField");
            kn__out_attribute(out, "name", one->name.data, one->name.len);
            kn__buffer_adds(out, " optype=\"continuous\" dataType=\"double\"><NormDiscrete");
            kn__out_text(out, "field", m->attribute[one->attribute].name);
            kn__out_value(out, "value", m->attribute[one->attribute].values, one->code);
            kn__buffer_adds(out, "/></DerivedField>\n");
        }
        kn__buffer_adds(out, "  </LocalTransformations>\n");
    }
    kn__buffer_adds(out, "  <ComparisonMeasure kind=\"distance\" compareFunction=\"absDiff\">"
                         "<squaredEuclidean/></ComparisonMeasure>\n");
    for (uint32_t a = 0; a < m->attributes; a++) {
        if (!m->attribute[a].values) {
            const double scale = m->centres.scale[a];
            kn__buffer_adds(out, "  <ClusteringField");
            kn__out_text(out, "field", m->attribute[a].name);
            kn__out_number(out, "fieldWeight", m->attribute[a].weight / scale / scale);
            kn__buffer_adds(out, "/>\n");
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        kn__buffer_adds(out, "  <ClusteringField");
        kn__out_attribute(out, "field", s->one[i].name.data, s->one[i].name.len);
        kn__out_number(out, "fieldWeight", m->attribute[s->one[i].attribute].weight / 2);
        kn__buffer_adds(out, "/>\n");
    }
}

static void add_centre(kn_buffer *out, const kn_model *m, const spreads *s, size_t i)
{
    const kn_centroids *c = &m->centres;
    const size_t base = i * m->attributes;
    size_t numbers = s->count, at = 0;

    for (size_t a = 0; a < m->attributes; a++) {
        numbers += !m->attribute[a].values;
    }
    kn__buffer_addf(out, "  <Cluster id=\"%zu\"", i + 1);
    if (c->name && c->name[i] && kn__out_can_hold(c->name[i], strlen(c->name[i]))) {
        kn__out_text(out, "name", c->name[i]);
    }
    if (c->population) {
        kn__buffer_addf(out, " size=\"%" PRIu64 "\"", c->population[i]);
    }
    kn__buffer_addf(out, "><Array n=\"%zu\" type=\"real\">", numbers);
    for (size_t a = 0; a < m->attributes; a++) {
        if (!m->attribute[a].values) {
            kn__buffer_adds(out, at++ ? " " : "");
            kn__model_number(out, c->number[base + a]);
        }
    }
    for (size_t j = 0; j < s->count; j++) {
        kn__buffer_adds(out, at++ ? " " : "");
        kn__buffer_adds(out, c->value[base + s->one[j].attribute] == s->one[j].code ? "1" : "0");
    }
    kn__buffer_adds(out, "</Array></Cluster>\n");
}

kn_status kn__out_clusters(kn_buffer *out, const kn_model *m, kn_error *err)
{
    spreads s = {0};
    kn_status status;

    KN_TRY(no_missing_centres(m, err));
    KN_TRY(spread_categories(&s, m, err));
    kn__buffer_addf(out,
                    " <ClusteringModel functionName=\"clustering\" modelClass=\"centerBased\" "
                    "numberOfClusters=\"%zu\">\n",
                    m->centres.count);
    kn__out_promise(out, &m->promise);
    kn__out_schema(out, m);
    add_cluster_fields(out, m, &s);
    for (size_t i = 0; i < m->centres.count; i++) {
        add_centre(out, m, &s, i);
    }
    kn__buffer_adds(out, " </ClusteringModel>\n");
done:
    clear_spreads(&s);
    return status;
}

/* ---- rules ---- */

/* Each set of items once, by its codes as bytes. */
static kn_status collect_sets(const kn_rules *r, kn_dict **sets, uint32_t *left, uint32_t *right,
                              kn_error *err)
{
    kn_status st = kn__dict_new(sets, err);

    for (size_t i = 0; i < r->count && st == KN_OK; i++) {
        const kn_rule *rule = &r->rule[i];
        st = kn__dict_add(*sets, rule->left_count ? (const char *)rule->left : "",
                          rule->left_count * sizeof *rule->left, &left[i], err);
        if (st == KN_OK) {
            st = kn__dict_add(*sets, (const char *)rule->right,
                              rule->right_count * sizeof *rule->right, &right[i], err);
        }
    }
    return st;
}

static void add_sets(kn_buffer *out, const kn_dict *sets)
{
    for (uint32_t i = 0; i < sets->len; i++) {
        size_t bytes;
        const char *text = kn__dict_text(sets, i, &bytes);
        kn__buffer_addf(out, "  <Itemset id=\"%" PRIu32 "\" numberOfItems=\"%zu\">", i + 1,
                        bytes / sizeof(uint32_t));
        for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
            uint32_t item;
            memcpy(&item, text + at, sizeof item);
            kn__buffer_addf(out, "<ItemRef itemRef=\"%" PRIu32 "\"/>", item + 1);
        }
        kn__buffer_adds(out, "</Itemset>\n");
    }
}

static void add_rule_model(kn_buffer *out, const kn_model *m, const kn_dict *sets,
                           const uint32_t *left, const uint32_t *right)
{
    const kn_rules *r = &m->rules;
    double support = 1, confidence = 1;

    for (size_t i = 0; i < r->count; i++) {
        support = fmin(support, r->rule[i].support); /* NaN is the greater */
        confidence = fmin(confidence, r->rule[i].confidence);
    }
    kn__buffer_addf(out,
                    " <AssociationModel functionName=\"associationRules\" "
                    "numberOfTransactions=\"%" PRIu64 "\" numberOfItems=\"%" PRIu32
                    "\" numberOfItemsets=\"%" PRIu32 "\" numberOfRules=\"%zu\"",
                    r->records, r->items->len, sets->len, r->count);
    kn__out_number(out, "minimumSupport", support);
    kn__out_number(out, "minimumConfidence", confidence);
    kn__buffer_adds(out, ">\n");
    if (r->column) {
        kn__buffer_adds(out, "  ");
        kn__out_extension(out, "column", r->column);
        kn__buffer_addc(out, '\n');
    }
    kn__out_promise(out, &m->promise);
    kn__buffer_adds(out, "  <MiningSchema>\n   <MiningField name=\"transaction\" "
                         "usageType=\"group\"/>\n   <MiningField name=\"item\"/>\n"
                         "  </MiningSchema>\n");
    for (uint32_t i = 0; i < r->items->len; i++) {
        kn__buffer_addf(out, "  <Item id=\"%" PRIu32 "\"", i + 1);
        kn__out_value(out, "value", r->items, i);
        kn__buffer_addc(out, '>');
        if (r->hidden && r->hidden[i]) {
            kn__out_extension(out, "private", "true");
        }
        kn__buffer_adds(out, "</Item>\n");
    }
    add_sets(out, sets);
    for (size_t i = 0; i < r->count; i++) {
        kn__buffer_addf(out,
                        "  <AssociationRule antecedent=\"%" PRIu32 "\" consequent=\"%" PRIu32 "\"",
                        left[i] + 1, right[i] + 1);
        if (!isnan(r->rule[i].support)) {
            kn__out_number(out, "support", r->rule[i].support);
        }
        if (!isnan(r->rule[i].confidence)) {
            kn__out_number(out, "confidence", r->rule[i].confidence);
        }
        if (r->rule[i].lift > 0) {
            kn__out_number(out, "lift", r->rule[i].lift);
        }
        kn__buffer_adds(out, "/>\n");
    }
    kn__buffer_adds(out, " </AssociationModel>\n");
}

kn_status kn__out_rules(kn_buffer *out, const kn_model *m, kn_error *err)
{
    const kn_rules *r = &m->rules;
    kn_dict *sets = NULL;
    uint32_t *left = kn__malloc_array(r->count, sizeof *left);
    uint32_t *right = kn__malloc_array(r->count, sizeof *right);
    kn_status status;

    KN_TRY(left && right ? collect_sets(r, &sets, left, right, err) : kn__nomem(err));
    if (r->column && !kn__out_can_hold(r->column, strlen(r->column))) {
        KN_TRY(
            kn__fail(err, KN_EINPUT,
                     "the item column's name has a character that XML cannot hold; JSON would do"));
    }
    add_rule_model(out, m, sets, left, right);
done:
    kn__dict_free(sets);
    KN_FREE(left, right);
    return status;
}
