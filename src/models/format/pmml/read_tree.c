/* read_tree.c - TreeModel: nested nodes become an array in breadth-first order. */
#include "base/error.h"
#include "base/memory.h"
#include "models/format/formats.h"
#include "models/format/pmml/pmml.h"

#include <math.h>
#include <string.h>

typedef struct levels {
    const kn_xml_element **element; /* by node */
    size_t cap;
    kn_dict *ids;
    bool weighted;  /* some count is no count of people */
    kn_digits most; /* the most digits that a share is written with */
} levels;

static const char *const share_names[KN_SHARE_KINDS] = {"recordCount", "probability", "confidence"};

static bool is_predicate(const kn_xml_element *e)
{
    return kn__pmml_is(e, "SimplePredicate") || kn__pmml_is(e, "SimpleSetPredicate") ||
           kn__pmml_is(e, "CompoundPredicate") || kn__pmml_is(e, "True") || kn__pmml_is(e, "False");
}

static kn_status known_node(const kn_pmml_reader *r, const kn_xml_element *e)
{
    size_t predicates = 0;
    const kn_status st = kn__pmml_known(r, e, "id score recordCount defaultChild",
                                        "SimplePredicate SimpleSetPredicate CompoundPredicate True "
                                        "False Node ScoreDistribution");

    for (const kn_xml_element *c = e->first; c; c = c->next) {
        predicates += is_predicate(c);
    }
    return st != KN_OK || predicates == 1
               ? st
               : kn__pmml_refuse(r, e, "a Node has %zu predicates where there should be 1",
                                 predicates);
}

/* ---- what nodes answer ---- */

/* All values of the class must be known before populations, which are by class, are made. */
static kn_status take_classes(kn_pmml_reader *r, uint32_t class_attribute, const kn_xml_element *e)
{
    const char *score = kn__xml_get(e, "score");
    uint32_t code;
    kn_status st = KN_OK;

    if (score) {
        st = kn__pmml_code(r, class_attribute, score, strlen(score), &code);
    }
    for (const kn_xml_element *s = kn__xml_child(e, "ScoreDistribution"); s && st == KN_OK;
         s = kn__xml_again(s)) {
        const char *value;
        if ((st = kn__pmml_known(r, s, "value recordCount confidence probability", "")) == KN_OK &&
            (st = kn__pmml_need(r, s, "value", &value)) == KN_OK) {
            st = kn__pmml_code(r, class_attribute, value, strlen(value), &code);
        }
    }
    return st;
}

/* The shares that a ScoreDistribution states: probability, confidence, and for now its count. */
static kn_status take_shares(kn_pmml_reader *r, levels *l, const kn_xml_element *s, double *share,
                             size_t classes, uint32_t code)
{
    kn_status st = KN_OK;

    for (size_t kind = 0; st == KN_OK && kind < KN_SHARE_KINDS; kind++) {
        const char *text = kn__xml_get(s, share_names[kind]);
        double *to = &share[kind * classes + code], stated = 0;
        if (!text) {
            continue;
        }
        st = kn__pmml_number(r, s, share_names[kind], &stated);
        if (st == KN_OK && stated < 0) {
            st = kn__pmml_refuse(r, s, "%s is below 0", share_names[kind]);
        }
        *to = isnan(*to) ? stated : *to + stated;
        kn__digits_raise(&l->most, kn__digits_of(text, strlen(text)));
    }
    return st;
}

static kn_status take_population(kn_pmml_reader *r, levels *l, const kn_xml_element *e,
                                 kn_tree_node *n, size_t classes)
{
    const kn_dict *values = r->model->attribute[r->model->tree.class_attribute].values;
    double most = -1;
    uint64_t *population;
    kn_status st = KN_OK;

    if (!kn__xml_child(e, "ScoreDistribution")) {
        return KN_OK;
    }
    population = kn__zalloc_array(classes, sizeof *population);
    n->share = kn__malloc_array(KN_SHARE_KINDS * classes, sizeof *n->share);
    if (!population || !n->share) {
        kn__free(population);
        return kn__nomem(r->err);
    }
    for (size_t i = 0; i < KN_SHARE_KINDS * classes; i++) {
        n->share[i] = NAN;
    }
    for (const kn_xml_element *s = kn__xml_child(e, "ScoreDistribution"); s && st == KN_OK;
         s = kn__xml_again(s)) {
        const char *value = kn__xml_get(s, "value");
        const uint32_t code = kn__dict_find(values, value, strlen(value));
        double count = NAN;
        st = take_shares(r, l, s, n->share, classes, code);
        if (st == KN_OK) {
            st = kn__pmml_number(r, s, "recordCount", &count);
        }
        if (!(count >= 0) || count != floor(count) || count > 9007199254740992.0) {
            l->weighted = true;
        } else {
            population[code] += (uint64_t)count;
        }
        /* without a score the most frequent class is the answer, of equals the first */
        if (!kn__xml_get(e, "score") && count > most) {
            most = count;
            n->answer = code;
        }
    }
    n->population = population;
    return st;
}

static kn_status take_label(kn_pmml_reader *r, const kn_xml_element *e, kn_tree_node *n)
{
    const char *label = kn__pmml_extension(e, "label");

    n->label = label ? kn__strdup(label) : NULL;
    return !label || n->label ? KN_OK : kn__nomem(r->err);
}

static kn_status take_node(kn_pmml_reader *r, levels *l, const kn_xml_element *e, kn_tree_node *n)
{
    const kn_dict *values = r->model->attribute[r->model->tree.class_attribute].values;
    const char *score = kn__xml_get(e, "score");
    const kn_xml_element *p = e->first;
    kn_status status;

    KN_TRY(kn__pmml_number(r, e, "recordCount", &n->records));
    if (kn__xml_get(e, "recordCount") && n->records < 0) {
        KN_TRY(kn__pmml_refuse(r, e, "recordCount is below 0"));
    }
    while (!is_predicate(p)) {
        p = p->next;
    }
    n->answer = score ? kn__dict_find(values, score, strlen(score)) : KN_NO_CODE;
    KN_TRY(kn__pmml_predicate(r, p, 0, &n->test));
    KN_TRY(take_population(r, l, e, n, values->len));
    KN_TRY(take_label(r, e, n));
    if (n->children == 0 && n->answer == KN_NO_CODE) {
        status = kn__pmml_refuse(r, e,
                                 "a Node without children has neither a score nor a "
                                 "ScoreDistribution");
    }
done:
    return status;
}

/* ---- which attribute a node asks for ---- */

static void asks(const kn_test *t, uint32_t *attribute, bool *several)
{
    if (t->kind >= KN_TEST_AND) {
        for (size_t i = 0; i < t->parts_count; i++) {
            asks(&t->parts[i], attribute, several);
        }
    } else if (t->kind != KN_TEST_TRUE && t->kind != KN_TEST_FALSE) {
        *several |= *attribute != KN_NO_CODE && *attribute != t->attribute;
        *attribute = t->attribute;
    }
}

static void name_attributes(kn_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++) {
        kn_tree_node *n = &t->node[i];
        bool several = false;
        for (uint32_t c = 0; c < n->children; c++) {
            asks(&t->node[n->first + c].test, &n->attribute, &several);
        }
        n->attribute = several ? KN_NO_CODE : n->attribute;
    }
}

/* ---- by levels ---- */

static kn_status note_id(kn_pmml_reader *r, levels *l, const kn_xml_element *e)
{
    const char *id = kn__xml_get(e, "id");
    uint32_t code;

    if (!id) {
        return KN_OK;
    }
    return kn__dict_find(l->ids, id, strlen(id)) != KN_NO_CODE
               ? kn__pmml_refuse(r, e, "two Nodes have the id '%.60s'", id)
               : kn__dict_add(l->ids, id, strlen(id), &code, r->err);
}

static kn_status add_node(kn_pmml_reader *r, levels *l, const kn_xml_element *e, uint32_t parent)
{
    kn_tree *t = &r->model->tree;
    uint32_t number;
    kn_status st = known_node(r, e);

    if (st != KN_OK || (st = note_id(r, l, e)) != KN_OK ||
        (st = take_classes(r, t->class_attribute, e)) != KN_OK ||
        (st = kn__grow(&l->element, &l->cap, t->nodes + 1, sizeof(const kn_xml_element *),
                       r->err)) != KN_OK) {
        return st;
    }
    if ((st = kn__tree_add(t, parent, &number, r->err)) == KN_OK) {
        l->element[number] = e;
    }
    return st;
}

static kn_status default_child(kn_pmml_reader *r, const levels *l, uint32_t number)
{
    kn_tree_node *n = &r->model->tree.node[number];
    const char *wanted = kn__xml_get(l->element[number], "defaultChild");

    if (!wanted) {
        return KN_OK;
    }
    for (uint32_t c = 0; c < n->children; c++) {
        const char *id = kn__xml_get(l->element[n->first + c], "id");
        if (id && strcmp(id, wanted) == 0) {
            n->missing = n->first + c;
            return KN_OK;
        }
    }
    return kn__pmml_refuse(r, l->element[number],
                           "defaultChild is '%.60s', which is no child of the "
                           "Node",
                           wanted);
}

/* Populations with weights or shares among them are not counts of records, even where they are
 * integers: they are kept as shares of their sum. Otherwise they are counts, and there are no
 * shares. */
static void settle_counts(kn_tree *t, const levels *l, size_t classes)
{
    double least = INFINITY;

    for (size_t i = 0; i < t->nodes; i++) {
        kn_tree_node *n = &t->node[i];
        double sum = 0;
        bool any = false;
        for (size_t c = 0; n->share && c < classes; c++) {
            sum += isnan(n->share[c]) ? 0 : n->share[c];
        }
        for (size_t c = 0; n->share && c < classes; c++) {
            n->share[c] = l->weighted && sum > 0 ? n->share[c] / sum : NAN;
        }
        for (size_t c = 0; n->share && c < KN_SHARE_KINDS * classes; c++) {
            any = any || !isnan(n->share[c]);
        }
        if (!any) {
            kn__free(n->share);
            n->share = NULL;
        }
        least = sum > 0 && sum < least ? sum : least;
        if (l->weighted) {
            kn__free(n->population);
            n->population = NULL;
        }
    }
    /* Each figure may be half a unit of its last place off; the errors of a sum add up. */
    t->share_within = l->most.decimals > 0 ? 0.5 * pow(10, -l->most.decimals) : 0;
    if (l->weighted && least < 1) {
        t->share_within = fmin(t->share_within * (double)(classes + 1) / least, 0.5);
    }
}

static kn_status take_nodes(kn_pmml_reader *r, levels *l, const kn_xml_element *root)
{
    kn_tree *t = &r->model->tree;

    KN_PASS(add_node(r, l, root, KN_NO_CODE));
    for (uint32_t i = 0; i < t->nodes; i++) {
        for (const kn_xml_element *c = kn__xml_child(l->element[i], "Node"); c;
             c = kn__xml_again(c)) {
            KN_PASS(add_node(r, l, c, i));
        }
    }
    for (uint32_t i = 0; i < t->nodes; i++) {
        KN_PASS(take_node(r, l, l->element[i], &t->node[i]));
        if (t->when_missing == KN_TREE_MISSING_CHILD) {
            KN_PASS(default_child(r, l, i));
        }
    }
    settle_counts(t, l, r->model->attribute[t->class_attribute].values->len);
    return KN_OK;
}

/* ---- the model ---- */

static kn_status strategies(const kn_pmml_reader *r, const kn_xml_element *e, kn_tree *t)
{
    static const struct {
        const char *name;
        kn_tree_missing when;
    } names[] = {{"none", KN_TREE_MISSING_NEXT},
                 {"defaultChild", KN_TREE_MISSING_CHILD},
                 {"lastPrediction", KN_TREE_MISSING_STAYS},
                 {"nullPrediction", KN_TREE_MISSING_NOTHING}};
    const char *missing = kn__xml_get(e, "missingValueStrategy");
    const char *none = kn__xml_get(e, "noTrueChildStrategy");

    KN_PASS(kn__pmml_only(r, e, "missingValueStrategy",
                          "none defaultChild lastPrediction nullPrediction"));
    KN_PASS(
        kn__pmml_only(r, e, "noTrueChildStrategy", "returnNullPrediction returnLastPrediction"));
    for (size_t i = 0; missing && i < sizeof names / sizeof *names; i++) {
        t->when_missing = strcmp(missing, names[i].name) == 0 ? names[i].when : t->when_missing;
    }
    t->last_answer = none && strcmp(none, "returnLastPrediction") == 0;
    return KN_OK;
}

kn_status kn__pmml_tree(kn_pmml_reader *r, const kn_xml_element *e)
{
    const kn_xml_element *root = kn__xml_child(e, "Node");
    const char *function;
    levels l = {0};
    kn_status status;

    KN_TRY(kn__pmml_need(r, e, "functionName", &function));
    KN_TRY(kn__pmml_only(r, e, "functionName", "classification"));
    KN_TRY(kn__pmml_known(r, e,
                          "modelName functionName algorithmName missingValueStrategy "
                          "missingValuePenalty noTrueChildStrategy splitCharacteristic isScorable",
                          "MiningSchema Output LocalTransformations Node"));
    KN_TRY(strategies(r, e, &r->model->tree));
    if (r->target == KN_NO_CODE) {
        KN_TRY(kn__pmml_refuse(r, e,
                               "no MiningField has usageType target or predicted, so the class is "
                               "not known"));
    }
    if (!root || kn__xml_again(root)) {
        status = kn__pmml_refuse(r, e, "TreeModel needs one Node");
        goto done;
    }
    r->model->tree.class_attribute = r->field[r->target].attribute;
    KN_TRY(kn__dict_new(&l.ids, r->err));
    KN_TRY(take_nodes(r, &l, root));
    if (r->model->tree.node[0].test.kind != KN_TEST_TRUE) {
        KN_TRY(kn__pmml_refuse(r, root, "the first Node's predicate is not <True/>"));
    }
    name_attributes(&r->model->tree);
done:
    kn__dict_free(l.ids);
    kn__free(l.element);
    return status;
}
