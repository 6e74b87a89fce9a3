/* Random models with names and values that formats trip over, and tuples for them. */
#ifndef TEST_RANDOM_MODELS_H
#define TEST_RANDOM_MODELS_H

#include "base/memory.h"
#include "base/rng.h"
#include "base/sort.h"
#include "oracle/model_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST_ATTRIBUTES = 7, PLAIN = 1, DATES = 2, NO_SURROGATES = 4 };

static const char *const odd_texts[] = {"a",    "b c",  "",    "d\"e", "f\\",     "g<h>&i",
                                        "it's", "j\nk", "ü–ß", "1",    " l",      "m,n|",
                                        "%s",   "--",   "]]>", "o\tp", "\"q\" r", "NULL"};
static const char *const plain_texts[] = {"a", "b c", "it's", "d-e", "ü–ß", "1", "x_y", "Z"};

static const char *odd_text(kn_rng *r, unsigned how)
{
    return how & PLAIN ? plain_texts[kn__rng_below(r, sizeof plain_texts / sizeof *plain_texts)]
                       : odd_texts[kn__rng_below(r, sizeof odd_texts / sizeof *odd_texts)];
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Attributes; values by bytes ascending. The first is a category. */
static void random_attributes(kn_model *m, kn_rng *r, unsigned how)
{
    static const char *const odd_names[] = {"class", "a\"b", "it's", "x < y & z",
                                            "e=f",   "ü",    "k l"};
    static const char *const names[] = {"class", "age", "job", "it's", "home town", "ü", "k-l"};
    static const kn_type types[] = {KN_TYPE_CATEGORY, KN_TYPE_INTEGER, KN_TYPE_DECIMAL,
                                    KN_TYPE_CATEGORY, KN_TYPE_DATE};
    const size_t count = 2 + kn__rng_below(r, MOST_ATTRIBUTES - 1);

    for (size_t a = 0; a < count; a++) {
        const char *name = how & PLAIN ? names[a] : odd_names[a];
        const kn_type type = a ? types[kn__rng_below(r, how & DATES ? 5 : 4)] : KN_TYPE_CATEGORY;
        uint32_t number, code;
        assert_int_equal(kn__model_add_attribute(m, name, strlen(name), type, kn__rng_below(r, 2),
                                                 &number, NULL),
                         KN_OK);
        if (type == KN_TYPE_CATEGORY) {
            const char *texts[6];
            const size_t values = 1 + kn__rng_below(r, 6);
            for (size_t i = 0; i < values; i++) {
                texts[i] = odd_text(r, how);
            }
            qsort(texts, values, sizeof *texts, by_text);
            for (size_t i = 0; i < values; i++) {
                assert_int_equal(kn__dict_add(m->attribute[number].values, texts[i],
                                              strlen(texts[i]), &code, NULL),
                                 KN_OK);
            }
        } else if (kn__rng_below(r, 2)) {
            m->attribute[number].low = -30;
            m->attribute[number].high = 30;
        }
    }
}

static double random_number(kn_rng *r, kn_type type)
{
    const double whole = (double)kn__rng_below(r, 41) - 20;

    return type == KN_TYPE_DECIMAL ? whole + kn__rng_double(r) : whole;
}

static void random_test(const kn_model *m, kn_rng *r, unsigned how, unsigned depth, kn_test *t)
{
    *t = (kn_test){0};
    if (depth < 3 && kn__rng_below(r, 4) == 0) {
        t->kind = (kn_test_kind)(KN_TEST_AND + kn__rng_below(r, how & NO_SURROGATES ? 3 : 4));
        t->parts_count = 2 + kn__rng_below(r, 2);
        t->parts = kn__zalloc_array(t->parts_count, sizeof *t->parts);
        for (size_t i = 0; i < t->parts_count; i++) {
            random_test(m, r, how, depth + 1, &t->parts[i]);
        }
        return;
    }
    t->attribute = 1 + (uint32_t)kn__rng_below(r, m->attributes - 1);
    if (kn__rng_below(r, 8) == 0) {
        t->kind = (kn_test_kind)kn__rng_below(r, 2);
        t->attribute = 0;
    } else if (kn__rng_below(r, 8) == 0) {
        t->kind = (kn_test_kind)(KN_TEST_MISSING + kn__rng_below(r, 2));
    } else if (m->attribute[t->attribute].values) {
        const size_t values = m->attribute[t->attribute].values->len;
        t->kind = (kn_test_kind)(KN_TEST_IN + kn__rng_below(r, 2));
        t->values = kn__malloc_array(values, sizeof *t->values);
        for (uint32_t v = 0; v < values; v++) {
            if (kn__rng_below(r, 2)) {
                t->values[t->values_count++] = v;
            }
        }
    } else {
        const kn_type type = m->attribute[t->attribute].type;
        t->kind = (kn_test_kind)(KN_TEST_LESS + kn__rng_below(r, 6));
        t->number = random_number(r, kn__rng_below(r, 2) ? KN_TYPE_DECIMAL : type);
    }
}

static kn_model *random_tree(kn_rng *r, unsigned how)
{
    kn_model *m;
    kn_tree *t;
    size_t classes;
    const size_t most = 1 + kn__rng_below(r, 12);

    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    random_attributes(m, r, how);
    t = &m->tree;
    t->class_attribute = 0;
    t->when_missing = (kn_tree_missing)kn__rng_below(r, 4);
    t->last_answer = kn__rng_below(r, 2);
    classes = m->attribute[0].values->len;
    for (uint32_t n = 0; n < most; n++) {
        uint32_t own, child;
        if (n == 0) {
            assert_int_equal(kn__tree_add(t, KN_NO_CODE, &own, NULL), KN_OK);
        }
        if (n >= t->nodes) {
            break;
        }
        for (size_t c = kn__rng_below(r, 4); t->nodes < 30 && c > 0; c--) {
            assert_int_equal(kn__tree_add(t, n, &child, NULL), KN_OK);
        }
    }
    for (uint32_t n = 0; n < t->nodes; n++) {
        kn_tree_node *node = &t->node[n];
        if (n > 0) {
            random_test(m, r, how, 0, &node->test);
        }
        if (kn__rng_below(r, 4)) {
            node->population = kn__zalloc_array(classes, sizeof *node->population);
            for (size_t c = 0; c < classes; c++) {
                node->population[c] = kn__rng_below(r, 50);
            }
        }
        if (node->children == 0 || kn__rng_below(r, 3)) {
            node->answer = (uint32_t)kn__rng_below(r, classes);
        }
        if (node->children && kn__rng_below(r, 4)) {
            node->missing = node->first + (uint32_t)kn__rng_below(r, node->children);
        }
        if (n > 0 && kn__rng_below(r, 4) == 0) {
            node->label = kn__strdup(odd_text(r, how));
        }
    }
    m->promise = (kn_model_promise){.k = kn__rng_below(r, 20),
                                    .l = kn__rng_below(r, 2) ? 1.526 : 0};
    return m;
}

static kn_model *random_centres(kn_rng *r, unsigned how)
{
    kn_model *m;
    kn_centroids *c;

    assert_int_equal(kn__model_new(&m, KN_MODEL_CLUSTERS, NULL), KN_OK);
    random_attributes(m, r, how);
    c = &m->centres;
    c->count = 1 + kn__rng_below(r, 6);
    c->number = kn__malloc_array(c->count * m->attributes, sizeof *c->number);
    c->value = kn__malloc_array(c->count * m->attributes, sizeof *c->value);
    c->scale = kn__malloc_array(m->attributes, sizeof *c->scale);
    c->population = kn__malloc_array(c->count, sizeof *c->population);
    c->name = kn__zalloc_array(c->count, sizeof *c->name);
    for (size_t a = 0; a < m->attributes; a++) {
        c->scale[a] = m->attribute[a].values ? 1 : 0.1 + 10 * kn__rng_double(r);
        m->attribute[a].weight = 0.1 + kn__rng_double(r);
        for (size_t i = 0; i < c->count; i++) {
            c->number[i * m->attributes + a] = 30 * kn__rng_double(r) - 15;
            c->value[i * m->attributes + a] = m->attribute[a].values
                                                  ? (uint32_t)kn__rng_below(
                                                        r, m->attribute[a].values->len)
                                                  : KN_NO_CODE;
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        c->population[i] = kn__rng_below(r, 100);
        c->name[i] = kn__rng_below(r, 2) ? kn__strdup(odd_text(r, how)) : NULL;
    }
    return m;
}

static size_t random_side(kn_rng *r, uint32_t first, uint32_t last, uint32_t **out)
{
    size_t count = 0;

    *out = kn__malloc_array(last - first, sizeof **out);
    for (uint32_t i = first; i < last; i++) {
        if (kn__rng_below(r, 2)) {
            (*out)[count++] = i;
        }
    }
    return count;
}

static kn_model *random_rules(kn_rng *r, unsigned how)
{
    kn_model *m;
    kn_rules *rules;
    uint32_t code;

    assert_int_equal(kn__model_new(&m, KN_MODEL_RULES, NULL), KN_OK);
    rules = &m->rules;
    rules->column = kn__rng_below(r, 2) ? kn__strdup("it<e>ms") : NULL;
    rules->records = kn__rng_below(r, 1000);
    for (size_t i = 0; i < 8; i++) {
        const char *text = odd_text(r, how);
        assert_int_equal(kn__dict_add(rules->items, text, strlen(text), &code, NULL), KN_OK);
    }
    assert_int_equal(kn__dict_add(rules->items, "last", 4, &code, NULL), KN_OK);
    rules->hidden = kn__zalloc_array(rules->items->len, 1);
    rules->hidden[kn__rng_below(r, rules->items->len)] = 1;
    rules->count = kn__rng_below(r, 6);
    rules->cap = rules->count;
    rules->rule = kn__zalloc_array(rules->count, sizeof *rules->rule);
    for (size_t i = 0; i < rules->count; i++) {
        kn_rule *rule = &rules->rule[i];
        const uint32_t border = (uint32_t)kn__rng_below(r, code);
        rule->left_count = random_side(r, 0, border, &rule->left);
        rule->right_count = random_side(r, border, code, &rule->right);
        if (rule->right_count == 0) {
            kn__free(rule->right);
            rule->right = kn__malloc(sizeof *rule->right);
            *rule->right = code;
            rule->right_count = 1;
        }
        rule->support = kn__rng_below(r, 4) ? kn__rng_double(r) : NAN;
        rule->lift = kn__rng_below(r, 4) ? 0.1 + kn__rng_double(r) : NAN;
        rule->confidence = kn__rng_below(r, 4) ? kn__rng_double(r) : NAN;
    }
    return m;
}

/* A tuple: values that the model knows, thresholds themselves, values that it does not know, none.
 */
static void random_tuple(const kn_model *m, kn_rng *r, oracle_value *tuple, char (*room)[64])
{
    for (size_t a = 0; a < m->attributes; a++) {
        const kn_attribute *attribute = &m->attribute[a];
        tuple[a] = (oracle_value){.missing = kn__rng_below(r, 6) == 0, .text = ""};
        if (attribute->values) {
            size_t len;
            const char *text = kn__dict_text(attribute->values,
                                             (uint32_t)kn__rng_below(r, attribute->values->len),
                                             &len);
            (void)snprintf(room[a], sizeof room[a], "%.*s%s", (int)len, text,
                           kn__rng_below(r, 8) ? "" : "?");
            tuple[a].text = room[a];
        } else {
            tuple[a].number = random_number(r, attribute->type);
        }
    }
    if (m->kind == KN_MODEL_TREE && kn__rng_below(r, 2)) {
        const kn_test *t = &m->tree.node[kn__rng_below(r, m->tree.nodes)].test;
        while (t->kind >= KN_TEST_AND) {
            t = &t->parts[kn__rng_below(r, t->parts_count)];
        }
        if (t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL &&
            (m->attribute[t->attribute].type == KN_TYPE_DECIMAL || t->number == floor(t->number))) {
            tuple[t->attribute].number = t->number;
        }
    }
}

#endif
