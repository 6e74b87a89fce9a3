/* read_rules.c - AssociationModel.
 *
 * The support of an Itemset is stated whether or not it is a side of a rule, and leverage and
 * affinity imply what lift does (stated_itemsets.c). ModelStats would state how often items occur,
 * and ModelVerification shows records: both are refused. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/format/formats.h"
#include "models/format/pmml/pmml.h"

#include <math.h>
#include <string.h>

typedef enum figure { SUPPORT = 0, CONFIDENCE, LIFT, FIGURES } figure;
static const char *const figures[] = {"support", "confidence", "lift"};

/* Ids of items and of itemsets, in the order of the document. */
typedef struct named {
    bool full;               /* figures are written in full */
    kn_digits most[FIGURES]; /* otherwise, the most digits that a figure of the kind has */
    kn_dict *items, *sets;
    uint32_t *item; /* by id: the item of the model */
    size_t items_cap;
    uint32_t **set; /* by id: items, ascending */
    size_t *set_count;
    size_t sets_cap, counts_cap;
} named;

static kn_status take_item(kn_pmml_reader *r, named *n, const kn_xml_element *e, size_t *hidden_cap)
{
    kn_rules *rules = &r->model->rules;
    const char *id, *value;
    uint32_t code, item;
    kn_status st = kn__pmml_known(r, e, "id value mappedValue weight", "");

    if (st != KN_OK || (st = kn__pmml_need(r, e, "id", &id)) != KN_OK ||
        (st = kn__pmml_need(r, e, "value", &value)) != KN_OK) {
        return st;
    }
    if (kn__dict_find(n->items, id, strlen(id)) != KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "two Items have the id '%.60s'", id);
    }
    if (kn__dict_find(rules->items, value, strlen(value)) != KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "two Items have the value '%.60s'", value);
    }
    if ((st = kn__dict_add(n->items, id, strlen(id), &code, r->err)) != KN_OK ||
        (st = kn__dict_add(rules->items, value, strlen(value), &item, r->err)) != KN_OK ||
        (st = kn__grow(&n->item, &n->items_cap, code + 1u, sizeof *n->item, r->err)) != KN_OK ||
        (st = kn__grow(&rules->hidden, hidden_cap, item + 1u, sizeof *rules->hidden, r->err)) !=
            KN_OK) {
        return st;
    }
    n->item[code] = item;
    rules->hidden[item] = kn__pmml_extension(e, "private") != NULL;
    return KN_OK;
}

/* A figure of a rule or an itemset, between 0 and `most`, and how far it may be rounded; NaN where
 * it is not given. */
static kn_status measure(kn_pmml_reader *r, const named *n, const kn_xml_element *e, figure f,
                         double most, double *out, double *within)
{
    const char *text = kn__xml_get(e, figures[f]);

    KN_PASS(kn__pmml_number(r, e, figures[f], out));
    if (*out < 0 || *out > most) {
        KN_PASS(
            kn__pmml_refuse(r, e, "%s of %s is %g, which cannot be", figures[f], e->name, *out));
    }
    if (text && !n->full) {
        *within = kn__digits_within(kn__digits_of(text, strlen(text)), n->most[f]);
    }
    return KN_OK;
}

static void find_digits(named *n, const kn_xml_element *e)
{
    for (; e; e = kn__xml_again(e)) {
        for (size_t f = 0; f < FIGURES; f++) {
            const char *text = kn__xml_get(e, figures[f]);
            if (text) {
                kn__digits_raise(&n->most[f], kn__digits_of(text, strlen(text)));
            }
        }
    }
}

/* The stated support of an itemset; `items` are copied. */
static kn_status take_support(kn_pmml_reader *r, const named *n, const kn_xml_element *e,
                              const uint32_t *items, size_t count)
{
    kn_rules *rules = &r->model->rules;
    kn_stated_set set = {.support = NAN, .count = count};
    kn_status st = measure(r, n, e, SUPPORT, 1, &set.support, &set.support_within);

    if (st != KN_OK || isnan(set.support) || count == 0) {
        return st;
    }
    st = kn__grow(&rules->set, &rules->sets_cap, rules->sets + 1, sizeof set, r->err);
    set.items = st == KN_OK ? kn__malloc_array(count, sizeof *set.items) : NULL;
    if (!set.items) {
        return kn__nomem(r->err);
    }
    memcpy(set.items, items, count * sizeof *items);
    rules->set[rules->sets++] = set;
    return KN_OK;
}

/* Extensions are ignored elsewhere; in a rule or an itemset they may disclose anything. */
static kn_status without_extension(kn_pmml_reader *r, const kn_xml_element *e)
{
    return kn__xml_child(e, "Extension")
               ? kn__pmml_refuse(r, e, "an Extension of %s is not read: what it tells is not known",
                                 e->name)
               : KN_OK;
}

static kn_status take_set(kn_pmml_reader *r, named *n, const kn_xml_element *e)
{
    const char *id;
    uint32_t code, *items = NULL;
    size_t count = 0, i = 0;
    kn_status st = kn__pmml_known(r, e, "id support numberOfItems", "ItemRef");

    if (st != KN_OK || (st = without_extension(r, e)) != KN_OK ||
        (st = kn__pmml_need(r, e, "id", &id)) != KN_OK) {
        return st;
    }
    if (kn__dict_find(n->sets, id, strlen(id)) != KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "two Itemsets have the id '%.60s'", id);
    }
    for (const kn_xml_element *x = kn__xml_child(e, "ItemRef"); x; x = kn__xml_again(x)) {
        count++;
    }
    /* grown first, so that every entry of the dictionary has its place */
    if ((st = kn__grow(&n->set, &n->sets_cap, n->sets->len + 1u, sizeof *n->set, r->err)) !=
            KN_OK ||
        (st = kn__grow(&n->set_count, &n->counts_cap, n->sets->len + 1u, sizeof *n->set_count,
                       r->err)) != KN_OK) {
        return st;
    }
    items = kn__malloc_array(count, sizeof *items);
    if (!items) {
        return kn__nomem(r->err);
    }
    for (const kn_xml_element *x = kn__xml_child(e, "ItemRef"); x && st == KN_OK;
         x = kn__xml_again(x)) {
        const char *ref;
        if ((st = kn__pmml_known(r, x, "itemRef", "")) == KN_OK &&
            (st = kn__pmml_need(r, x, "itemRef", &ref)) == KN_OK) {
            code = kn__dict_find(n->items, ref, strlen(ref));
            if (code == KN_NO_CODE) {
                st = kn__pmml_refuse(r, x, "there is no Item with the id '%.60s'", ref);
            } else {
                items[i++] = n->item[code];
            }
        }
    }
    if (st == KN_OK && (st = kn__dict_add(n->sets, id, strlen(id), &code, r->err)) == KN_OK) {
        kn__sort_u32(items, count);
        n->set[code] = items;
        n->set_count[code] = count;
        return take_support(r, n, e, items, count);
    }
    kn__free(items);
    return st;
}

static kn_status side(kn_pmml_reader *r, const named *n, const kn_xml_element *e, const char *which,
                      uint32_t **out, size_t *count)
{
    const char *id;
    uint32_t code;

    KN_PASS(kn__pmml_need(r, e, which, &id));
    code = kn__dict_find(n->sets, id, strlen(id));
    if (code == KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "there is no Itemset with the id '%.60s'", id);
    }
    *out = kn__malloc_array(n->set_count[code], sizeof **out);
    if (!*out) {
        return kn__nomem(r->err);
    }
    memcpy(*out, n->set[code], n->set_count[code] * sizeof **out);
    *count = n->set_count[code];
    return KN_OK;
}

static kn_status take_rule(kn_pmml_reader *r, const named *n, const kn_xml_element *e)
{
    kn_rules *rules = &r->model->rules;
    kn_rule rule = {.support = NAN, .confidence = NAN, .lift = NAN};
    kn_status st = kn__pmml_known(
        r, e, "antecedent consequent support confidence lift leverage affinity id", "");

    rule.right_stated = kn__xml_get(e, "leverage") || kn__xml_get(e, "affinity");
    if (st == KN_OK && (st = without_extension(r, e)) == KN_OK &&
        (st = measure(r, n, e, SUPPORT, 1, &rule.support, &rule.support_within)) == KN_OK &&
        (st = measure(r, n, e, CONFIDENCE, 1, &rule.confidence, &rule.confidence_within)) ==
            KN_OK &&
        (st = measure(r, n, e, LIFT, HUGE_VAL, &rule.lift, &rule.lift_within)) == KN_OK &&
        (st = side(r, n, e, "antecedent", &rule.left, &rule.left_count)) == KN_OK &&
        (st = side(r, n, e, "consequent", &rule.right, &rule.right_count)) == KN_OK) {
        st = kn__grow(&rules->rule, &rules->cap, rules->count + 1, sizeof rule, r->err);
    }
    if (st != KN_OK) {
        KN_FREE(rule.left, rule.right);
        return st;
    }
    rules->rule[rules->count++] = rule;
    return KN_OK;
}

static kn_status take_column(kn_pmml_reader *r, const kn_xml_element *e)
{
    const char *column = kn__pmml_extension(e, "column");

    r->model->rules.column = column ? kn__strdup(column) : NULL;
    return !column || r->model->rules.column ? KN_OK : kn__nomem(r->err);
}

kn_status kn__pmml_rules(kn_pmml_reader *r, const kn_xml_element *e)
{
    named n = {0};
    size_t hidden_cap = 0;
    kn_status status;

    KN_TRY(kn__pmml_known(
        r, e,
        "modelName functionName algorithmName numberOfTransactions maxNumberOfItemsPerTA "
        "avgNumberOfItemsPerTA minimumSupport minimumConfidence lengthLimit numberOfItems "
        "numberOfItemsets numberOfRules isScorable",
        "MiningSchema Output LocalTransformations Item Itemset AssociationRule"));
    KN_TRY(kn__pmml_count(r, e, "numberOfTransactions", &r->model->rules.records));
    KN_TRY(take_column(r, e));
    KN_TRY(kn__dict_new(&n.items, r->err));
    KN_TRY(kn__dict_new(&n.sets, r->err));
    n.full = r->model->made_by && strncmp(r->model->made_by, "kanon ", 6) == 0;
    find_digits(&n, kn__xml_child(e, "Itemset"));
    find_digits(&n, kn__xml_child(e, "AssociationRule"));
    for (const kn_xml_element *x = kn__xml_child(e, "Item"); x; x = kn__xml_again(x)) {
        KN_TRY(take_item(r, &n, x, &hidden_cap));
    }
    for (const kn_xml_element *x = kn__xml_child(e, "Itemset"); x; x = kn__xml_again(x)) {
        KN_TRY(take_set(r, &n, x));
    }
    for (const kn_xml_element *x = kn__xml_child(e, "AssociationRule"); x; x = kn__xml_again(x)) {
        KN_TRY(take_rule(r, &n, x));
    }
done:
    for (uint32_t i = 0; n.sets && i < n.sets->len; i++) {
        kn__free(n.set[i]);
    }
    KN_FREE(n.set, n.set_count, n.item);
    kn__dict_free(n.items);
    kn__dict_free(n.sets);
    return status;
}
