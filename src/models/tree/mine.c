/* mine.c - `mine tree`: grow a tree from the columns of a dataset (models/tree/grow.h), and turn it
 * into a model, which names attributes and values and needs no dataset. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/threads.h"
#include "hierarchy/hierarchy.h"
#include "kanon/version.h"
#include "models/tree/grow.h"
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

void kn__tree_copy_mined(kn_tree *to, const kn_tree *from)
{
    to->unsplit = from->unsplit;
    to->validated = from->validated;
    to->validated_right = from->validated_right;
    to->held_out = from->held_out;
    to->held_out_right = from->held_out_right;
}

/* ---- attributes and class ---- */

typedef struct mining {
    const kn_dataset *ds;
    kn_grow_attribute *attribute;
    kn_domain **domain; /* by attribute; owned */
    size_t attributes;
    kn_grow_options grow;
} mining;

static void mining_clear(mining *m)
{
    for (size_t i = 0; m->domain && i < m->attributes; i++) {
        kn__domain_free(m->domain[i]);
    }
    kn__free(m->domain);
    kn__free(m->attribute);
}

/* kn_mine has checked that the class is a column with a role and several values. */
static kn_status find_class(mining *m, const char *target, kn_error *err)
{
    const kn_column *c = &m->ds->column[kn_dataset_find(m->ds, target)];

    if (c->missing != KN_NO_CODE) {
        return kn__fail(err, KN_EINPUT,
                        "the class '%.100s' has missing values: leave these records out, or give "
                        "them a value of their own",
                        c->name);
    }
    if (kn__column_values(c) > KN_GROW_CLASSES_MOST) {
        return kn__fail(err, KN_EINPUT,
                        "the class '%.100s' has %u values, and a tree predicts %d at most: group "
                        "them first",
                        c->name, kn__column_values(c), KN_GROW_CLASSES_MOST);
    }
    m->grow.target = c;
    m->grow.target_hidden = c->role == KN_ROLE_SENSITIVE;
    return KN_OK;
}

static kn_status add_attribute(mining *m, const kn_column *c, const kn_hierarchies *hierarchies,
                               kn_error *err)
{
    const kn_hierarchy *h = hierarchies ? kn_hierarchies_get(hierarchies, c->name) : NULL;
    const size_t i = m->attributes;
    kn_status status = KN_OK;

    if (kn__type_is_list(c->type)) {
        return kn__fail(err, KN_EUSAGE,
                        "column '%.100s' holds lists: a tree needs one value a record; --keep "
                        "leaves it aside",
                        c->name);
    }
    m->attribute[i].column = c;
    m->attribute[i].hidden = c->role == KN_ROLE_SENSITIVE;
    if (h && c->type == KN_TYPE_CATEGORY) {
        status = kn__domain_new(&m->domain[i], c, h, KN_UNCOVERED_ERROR, err);
        m->attribute[i].domain = m->domain[i];
    }
    m->attributes++;
    return status;
}

static kn_status find_attributes(mining *m, const kn_hierarchies *hierarchies, kn_error *err)
{
    const kn_dataset *ds = m->ds;
    kn_status status;

    m->attribute = kn__zalloc_array(ds->columns, sizeof *m->attribute);
    m->domain = kn__zalloc_array(ds->columns, sizeof(kn_domain *));
    KN_TRY(m->attribute && m->domain ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c != m->grow.target && (c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE)) {
            KN_TRY(add_attribute(m, c, hierarchies, err));
        }
    }
    if (m->attributes == 0) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "no column is left to predict '%.100s' from: name some with --qi (public) "
                        "or --sensitive (private)",
                        m->grow.target->name));
    }
done:
    return status;
}

/* ---- the model ---- */

/* A value that a test of a category may name: of the column, or a leaf of its hierarchy that does
 * not occur in the data. */
typedef struct named_value {
    const char *text;
    size_t len;
    uint32_t start; /* the most specific name (models/tree/grow.h) that may be that of a child */
    uint32_t code;  /* of the model's values */
    bool used;
} named_value;

typedef struct emission {
    const kn_grown *tree;
    const mining *mining;
    kn_model *model;
    uint32_t *attribute; /* by attribute of `mining`: that of the model, or KN_NO_CODE */
    named_value **value; /* by attribute of `mining`: of categories */
    size_t *values;
    uint32_t *child_of_name; /* scratch: by name */
    uint32_t *class_code;    /* by code of the class column: that of the model */
    uint32_t *from;          /* by node of the model: that of the grown tree */
} emission;

static int by_bytes(const void *x, const void *y)
{
    const named_value *a = x, *b = y;

    return kn__order_bytes(a->text, a->len, b->text, b->len);
}

static bool is_used(const kn_grown *t, uint32_t a)
{
    for (size_t i = 0; i < t->nodes; i++) {
        if (t->node[i].children > 0 && t->node[i].attribute == a) {
            return true;
        }
    }
    return false;
}

/* All values that category `a` may have, by bytes. */
static kn_status list_values(emission *e, uint32_t a, kn_error *err)
{
    const kn_grow_attribute *is = &e->mining->attribute[a];
    const kn_column *c = is->column;
    const kn_hierarchy *h = is->domain && !is->domain->hierarchy->low ? is->domain->hierarchy
                                                                      : NULL;
    size_t most = kn__column_values(c), count = 0;
    named_value *list;

    if (h) {
        most += h->leaves;
    }
    list = kn__zalloc_array(most + 1, sizeof *list);
    e->value[a] = list;
    if (!list) {
        return kn__nomem(err);
    }
    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        if (code != c->missing) {
            named_value *n = &list[count++];
            n->text = kn__column_text(c, code, &n->len);
            n->start = code;
        }
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        const char *text = kn__hierarchy_label(h, i);
        if (i != h->missing && kn__dict_find(c->dict, text, strlen(text)) == KN_NO_CODE) {
            list[count++] = (named_value){.text = text,
                                          .len = strlen(text),
                                          .start = is->domain->values + (h->parent[i] - h->leaves)};
        }
    }
    qsort(list, count, sizeof *list, by_bytes);
    e->values[a] = count;
    return KN_OK;
}

/* The child that takes `name` and what is below it, or KN_NO_CODE; e->child_of_name is marked. */
static uint32_t child_taking(const emission *e, const kn_grow_attribute *a, uint32_t name)
{
    const uint32_t root = kn__grow_root(a);

    while (e->child_of_name[name] == KN_NO_CODE && name != root) {
        name = kn__grow_generalise(a, name);
    }
    return e->child_of_name[name];
}

static void mark_children(emission *e, const kn_grown_node *n, bool on)
{
    for (uint32_t i = 0; i < n->children; i++) {
        const kn_grown_node *c = &e->tree->node[n->first + i];
        if (c->branch != KN_BRANCH_LISTED) {
            e->child_of_name[c->name] = on ? i : KN_NO_CODE;
        }
        for (size_t v = c->listed; v < c->listed_end; v++) {
            e->child_of_name[e->tree->listed[v]] = on ? i : KN_NO_CODE;
        }
    }
}

/* Whether the child takes all other values: it is tried last, and its test names none. */
static bool takes_others(const emission *e, const kn_grown_node *n, uint32_t child)
{
    const kn_grown_node *c = &e->tree->node[n->first + child];

    return c->branch == KN_BRANCH_VALUES &&
           c->name == kn__grow_root(&e->mining->attribute[n->attribute]);
}

/* Add the attributes that splits use, and of categories the values that a test names. */
static kn_status add_attributes(emission *e, kn_error *err)
{
    const mining *m = e->mining;
    kn_status status = KN_OK;

    for (uint32_t a = 0; a < m->attributes; a++) {
        const kn_grow_attribute *is = &m->attribute[a];
        const kn_column *c = is->column;
        e->attribute[a] = KN_NO_CODE;
        if (!is_used(e->tree, a)) {
            continue;
        }
        KN_TRY(kn__model_add_attribute(e->model, c->name, strlen(c->name),
                                       kn__grow_is_ordered(is) ? c->type : KN_TYPE_CATEGORY,
                                       is->hidden, &e->attribute[a], err));
        if (!kn__grow_is_ordered(is)) {
            KN_TRY(list_values(e, a, err));
        }
    }
    for (size_t i = 0; i < e->tree->nodes; i++) {
        const kn_grown_node *n = &e->tree->node[i];
        if (n->children == 0 || !e->value[n->attribute]) {
            continue;
        }
        mark_children(e, n, true);
        for (size_t v = 0; v < e->values[n->attribute]; v++) {
            named_value *value = &e->value[n->attribute][v];
            const uint32_t child = child_taking(e, &m->attribute[n->attribute], value->start);
            value->used = value->used || (child != KN_NO_CODE && !takes_others(e, n, child));
        }
        mark_children(e, n, false);
    }
    for (uint32_t a = 0; a < m->attributes; a++) {
        for (size_t v = 0; v < e->values[a]; v++) {
            named_value *value = &e->value[a][v];
            if (value->used) {
                KN_TRY(kn__dict_add(e->model->attribute[e->attribute[a]].values, value->text,
                                    value->len, &value->code, err));
            }
        }
    }
done:
    return status;
}

static kn_status add_class(emission *e, kn_error *err)
{
    const kn_column *c = e->mining->grow.target;
    const uint32_t count = kn__column_values(c);
    named_value *list = kn__zalloc_array(count, sizeof *list);
    uint32_t number, code;
    kn_status status;

    KN_TRY(list ? KN_OK : kn__nomem(err));
    KN_TRY(kn__model_add_attribute(e->model, c->name, strlen(c->name), KN_TYPE_CATEGORY,
                                   e->mining->grow.target_hidden, &number, err));
    e->model->tree.class_attribute = number;
    for (uint32_t i = 0; i < count; i++) {
        list[i].text = kn__column_text(c, i, &list[i].len);
        list[i].start = i;
    }
    qsort(list, count, sizeof *list, by_bytes);
    for (uint32_t i = 0; i < count; i++) {
        KN_TRY(kn__dict_add(e->model->attribute[number].values, list[i].text, list[i].len, &code,
                            err));
        e->class_code[list[i].start] = code;
    }
done:
    kn__free(list);
    return status;
}

/* ---- nodes and their tests ---- */

/* `test` or missing. */
static kn_status or_missing(kn_test *test, kn_error *err)
{
    kn_test *parts = kn__zalloc_array(2, sizeof *parts);

    if (!parts) {
        return kn__nomem(err);
    }
    parts[0] = *test;
    parts[1] = (kn_test){.kind = KN_TEST_MISSING, .attribute = test->attribute};
    *test = (kn_test){.kind = KN_TEST_OR, .parts = parts, .parts_count = 2};
    return KN_OK;
}

/* The test of a child that takes values: IN, MISSING, or both; e->child_of_name is marked. */
static kn_status test_values(emission *e, kn_test *test, const kn_grown_node *n, uint32_t child,
                             kn_error *err)
{
    const kn_grow_attribute *is = &e->mining->attribute[n->attribute];
    const uint32_t missing = is->column->missing;
    const bool takes_missing = missing != KN_NO_CODE && child_taking(e, is, missing) == child;

    test->values = kn__malloc_array(e->values[n->attribute] + 1, sizeof *test->values);
    if (!test->values) {
        return kn__nomem(err);
    }
    test->kind = KN_TEST_IN;
    for (size_t v = 0; v < e->values[n->attribute]; v++) {
        const named_value *value = &e->value[n->attribute][v];
        if (child_taking(e, is, value->start) == child) {
            test->values[test->values_count++] = value->code;
        }
    }
    if (takes_missing && test->values_count == 0) {
        kn__free(test->values);
        test->values = NULL;
        test->kind = KN_TEST_MISSING;
    }
    return takes_missing && test->kind == KN_TEST_IN ? or_missing(test, err) : KN_OK;
}

static kn_status make_test(emission *e, kn_test *test, const kn_grown_node *n, uint32_t child,
                           kn_error *err)
{
    const kn_grown_node *c = &e->tree->node[n->first + child];
    kn_status status = KN_OK;

    test->attribute = e->attribute[n->attribute];
    test->number = c->branch == KN_BRANCH_MISSING ? 0 : c->number;
    switch (c->branch) {
    case KN_BRANCH_LISTED:
    case KN_BRANCH_VALUES:
        if (takes_others(e, n, child)) {
            *test = (kn_test){.kind = KN_TEST_TRUE};
        } else {
            mark_children(e, n, true);
            status = test_values(e, test, n, child, err);
            mark_children(e, n, false);
        }
        break;
    case KN_BRANCH_LESS_EQUAL: test->kind = KN_TEST_LESS_EQUAL; break;
    case KN_BRANCH_GREATER: test->kind = KN_TEST_GREATER; break;
    case KN_BRANCH_MISSING: test->kind = KN_TEST_MISSING; break;
    case KN_BRANCH_PRESENT: test->kind = KN_TEST_NOT_MISSING; break;
    case KN_BRANCH_ROOT: break;
    }
    return status == KN_OK && c->missing ? or_missing(test, err) : status;
}

/* The label of a branch: the name of a node of the hierarchy, or "other" where siblings take some
 * of its values. */
static kn_status make_label(emission *e, kn_tree_node *to, const kn_grown_node *n, uint32_t child,
                            kn_error *err)
{
    const kn_grow_attribute *is = &e->mining->attribute[n->attribute];
    const uint32_t name = e->tree->node[n->first + child].name;
    bool rest = takes_others(e, n, child);
    kn_buffer text = {0};

    if (e->tree->node[n->first + child].branch != KN_BRANCH_VALUES ||
        (!rest && (!is->domain || name < is->domain->values))) {
        return KN_OK;
    }
    if (rest) {
        kn__buffer_adds(&text, "others");
    } else {
        for (uint32_t i = 0; i < n->children; i++) {
            uint32_t up = e->tree->node[n->first + i].name;
            while (i != child && up != name && up != kn__grow_root(is)) {
                up = kn__grow_generalise(is, up);
            }
            rest = rest || (i != child && up == name);
        }
        kn__buffer_addf(&text, "%s%s", rest ? "other " : "",
                        is->domain->label[name - is->domain->values]);
    }
    return kn__buffer_take(&text, &to->label, err);
}

static kn_status fill_node(emission *e, uint32_t node, kn_error *err)
{
    const size_t classes = e->tree->classes;
    const uint32_t from = e->from[node];
    const kn_grown_node *n = &e->tree->node[from];
    kn_tree_node *to = &e->model->tree.node[node];

    to->answer = e->class_code[n->answer];
    to->attribute = n->children ? e->attribute[n->attribute] : KN_NO_CODE;
    to->population = kn__malloc_array(classes, sizeof *to->population);
    if (!to->population) {
        return kn__nomem(err);
    }
    for (size_t c = 0; c < classes; c++) {
        to->population[e->class_code[c]] = e->tree->population[from * classes + c];
    }
    return KN_OK;
}

/* Add one child, and note in e->from which node of the grown tree it is. */
static kn_status add_child(emission *e, uint32_t parent, uint32_t child, kn_error *err)
{
    const kn_grown_node *n = &e->tree->node[e->from[parent]];
    uint32_t number;
    kn_status status;

    KN_TRY(kn__tree_add(&e->model->tree, parent, &number, err));
    e->from[number] = n->first + child;
    KN_TRY(make_test(e, &e->model->tree.node[number].test, n, child, err));
    KN_TRY(make_label(e, &e->model->tree.node[number], n, child, err));
    KN_TRY(fill_node(e, number, err));
done:
    return status;
}

static kn_status add_nodes(emission *e, kn_error *err)
{
    kn_tree *t = &e->model->tree;
    uint32_t number;
    kn_status status;

    KN_TRY(kn__tree_add(t, KN_NO_CODE, &number, err));
    e->from[0] = 0;
    KN_TRY(fill_node(e, 0, err));
    /* Level by level, as the children of a node stand together. "All others" is the last child. */
    for (uint32_t i = 0; i < t->nodes; i++) {
        const kn_grown_node *n = &e->tree->node[e->from[i]];
        for (unsigned others = 0; others < 2; others++) {
            for (uint32_t j = 0; j < n->children; j++) {
                if (takes_others(e, n, j) == (others == 1)) {
                    KN_TRY(add_child(e, i, j, err));
                }
            }
        }
    }
    t->when_missing = KN_TREE_MISSING_NEXT;
    t->last_answer = true;
done:
    return status;
}

static kn_status allocate(emission *e, kn_error *err)
{
    const mining *m = e->mining;
    uint32_t names = 1;

    for (size_t a = 0; a < m->attributes; a++) {
        const uint32_t own = kn__grow_root(&m->attribute[a]) + 1;
        names = own > names ? own : names;
    }
    e->attribute = kn__malloc_array(m->attributes, sizeof *e->attribute);
    e->value = kn__zalloc_array(m->attributes, sizeof *e->value);
    e->values = kn__zalloc_array(m->attributes, sizeof *e->values);
    e->child_of_name = kn__malloc_array(names, sizeof *e->child_of_name);
    e->class_code = kn__malloc_array(e->tree->classes, sizeof *e->class_code);
    e->from = kn__malloc_array(e->tree->nodes, sizeof *e->from);
    if (!e->attribute || !e->value || !e->values || !e->child_of_name || !e->class_code ||
        !e->from) {
        return kn__nomem(err);
    }
    memset(e->child_of_name, 0xff, names * sizeof *e->child_of_name);
    return KN_OK;
}

static void emission_clear(emission *e)
{
    for (size_t a = 0; e->value && a < e->mining->attributes; a++) {
        kn__free(e->value[a]);
    }
    kn__free(e->value);
    kn__free(e->values);
    kn__free(e->attribute);
    kn__free(e->child_of_name);
    kn__free(e->class_code);
    kn__free(e->from);
    kn_model_free(e->model);
}

/* The grown tree as a model. */
static kn_status emit(kn_model **out, const kn_grown *tree, const mining *m, kn_error *err)
{
    emission e = {.tree = tree, .mining = m};
    kn_buffer made_by = {0};
    kn_status status;

    KN_TRY(kn__model_new(&e.model, KN_MODEL_TREE, err));
    KN_TRY(allocate(&e, err));
    KN_TRY(add_attributes(&e, err));
    KN_TRY(add_class(&e, err));
    KN_TRY(add_nodes(&e, err));
    kn__buffer_addf(&made_by, "kanon %s", kn_version());
    KN_TRY(kn__buffer_take(&made_by, &e.model->made_by, err));
    *out = e.model;
    e.model = NULL;
done:
    emission_clear(&e);
    return status;
}

/* ---- mining ---- */

/* Grow a tree without a share of the records, drawn at random, and ask it about them. */
static kn_status hold_out(const mining *m, double share, kn_tree *to, kn_error *err)
{
    kn_grow_options o = m->grow;
    kn_grown *tree = NULL;
    uint8_t *barred = kn__zalloc(m->ds->records + 1);
    kn_rng rng;
    kn_status status;

    KN_TRY(barred ? KN_OK : kn__nomem(err));
    kn__rng_seed(&rng, o.run ? o.run->seed : 0, 3);
    for (size_t i = 0; i < m->ds->records; i++) {
        barred[i] = kn__rng_double(&rng) < share;
    }
    o.barred = barred;
    KN_TRY(kn__grow_tree(&tree, &o, err));
    for (size_t i = 0; i < m->ds->records; i++) {
        if (barred[i]) {
            to->held_out++;
            to->held_out_right += kn__grown_answer(tree, &o, i) == kn__column_code(o.target, i);
        }
    }
done:
    kn__grown_free(tree);
    kn__free(barred);
    return status;
}

static void set_growth(kn_grow_options *g, const kn_mine_options *options)
{
    static const kn_gain gains[] = {KN_GAIN_RATIO, KN_GAIN_INFORMATION, KN_GAIN_GINI};
    const uint64_t smallest = kn__param_count(options->params, "smallest");

    g->k = options->k;
    g->l = options->l;
    g->distinct_l = options->distinct_l;
    g->inference = options->inference;
    g->gain = gains[kn__param_choice(options->params, "gain")];
    g->depth = kn__param_count(options->params, "depth");
    g->work_most = kn__param_count(options->params, "work");
    g->no_repairs = kn__param_flag(options->params, "paper");
    if (g->no_repairs && g->gain == KN_GAIN_RATIO) {
        g->gain = KN_GAIN_INFORMATION; /* the paper names it and the Gini index */
    }
    g->subsets = !g->no_repairs && kn__param_choice(options->params, "splits") == 0;
    g->prune = !g->no_repairs && !kn__param_flag(options->params, "no-prune");
    g->smallest = smallest || g->no_repairs ? smallest : options->k;
}

static kn_status mine(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                      const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    const double share = kn__param_number(options->params, "hold-out");
    mining m = {.ds = ds};
    kn_grown *tree = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(find_class(&m, kn__param_text(options->params, "class"), err));
    KN_TRY(find_attributes(&m, hierarchies, err));
    if (!m.grow.target_hidden && (options->l > 0 || options->inference > 0)) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "the class '%.100s' is public: limits on diversity and inference are for a "
                        "private one; leave them out, or make it --sensitive",
                        m.grow.target->name));
    }
    m.grow.ds = ds;
    m.grow.attribute = m.attribute;
    m.grow.attributes = m.attributes;
    m.grow.run = run;
    set_growth(&m.grow, options);
    KN_TRY(kn__grow_tree(&tree, &m.grow, err));
    KN_TRY(kn__run_step(run, "write", -1, err));
    KN_TRY(emit(out, tree, &m, err));
    (*out)->tree.unsplit = tree->unsplit;
    (*out)->tree.validated = tree->validated;
    (*out)->tree.validated_right = tree->validated - tree->validation_errors;
    if (share > 0) {
        KN_TRY(hold_out(&m, share, &(*out)->tree, err));
    }
    (*out)->promise = (kn_model_promise){.k = options->k,
                                         .l = options->distinct_l ? 0 : options->l,
                                         .inference = options->inference};
done:
    if (status != KN_OK) {
        kn_model_free(*out);
        *out = NULL;
    }
    kn__grown_free(tree);
    mining_clear(&m);
    return status;
}

static const kn_param params[] = {
    KN_SPAN_PARAMS,
    {.name = "class",
     .kind = KN_PARAM_COLUMN,
     .required = true,
     .help = "tree: what it predicts; private unless --qi names it"},
    {.name = "gain",
     .kind = KN_PARAM_CHOICE,
     .choices = "ratio|information|gini",
     .help = "tree: how good a split is: gain ratio, information gain (always with --paper, unless "
             "gini is asked for), or the Gini index"},
    {.name = "splits",
     .kind = KN_PARAM_CHOICE,
     .choices = "two|values",
     .help = "tree: how categories split: in two, some values against all others, or a child for "
             "each value or each group of the hierarchy"},
    {.name = "smallest",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help =
         "tree, clusters: how many people are in a leaf, or make a centre, at least; the default, 0, is k"},
    {.name = "no-prune",
     .kind = KN_PARAM_FLAG,
     .help = "tree: keep splits that do not help with records the tree has not seen"},
    {.name = "hold-out",
     .kind = KN_PARAM_NUMBER,
     .max = 0.9,
     .help = "tree: also grow one without this share of the records, and say how often it is right "
             "about them: 0.2"},
    {.name = "paper",
     .kind = KN_PARAM_FLAG,
     .help = "tree: grow it by Algorithm 1 of the models paper as printed: a child for each value, "
             "an unsafe split is removed, nothing is pruned"},
    {.name = "depth",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "tree: the longest way to a leaf; the default, 0, is no limit"},
    {.name = "work",
     .kind = KN_PARAM_COUNT,
     .max = 9007199254740992.0,
     .help = "tree with private attributes: the most spans and records to look at while it grows; "
             "the default, 0, is 2^36, which takes some minutes"},
};

const kn_model_row kn__tree_row = {
    .entry = {.kind = KN_ENTRY_MODEL,
              .name = "tree",
              .summary = "a decision tree that predicts a class",
              KN_PARAMS(params),
              .page = "models.md"},
    .kind = KN_MODEL_TREE,
    .mine = mine,
};
