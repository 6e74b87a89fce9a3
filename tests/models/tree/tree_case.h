/* Random trees with every kind of test, random small tables to go with them, and the attack on
 * both. */
#ifndef TEST_TREE_CASE_H
#define TEST_TREE_CASE_H

#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "models/model.h"
#include "oracle/linking.h"
#include "oracle/tree_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { CASE_POINTS = LINK_VALUES };

/* Thresholds and numbers of the data lie on a grid: so many times finer than usual, in trees that
 * are wider and deeper. */
static unsigned case_fine = 1;
/* Private numbers are whole, and the attacker knows it. */
static bool case_whole;

typedef struct tree_case {
    kn_model *m;
    kn_dataset *ds;
    link_case link;
    plain_value meaning[LINK_ATTRIBUTES][CASE_POINTS]; /* by attribute and value of the attack */
} tree_case;

static const char *const case_names[] = {"a0", "a1", "a2", "a3", "a4"};
static const char *const case_values[] = {"v0", "v1", "v2", "v3", "v4", "v5"};

static void random_simple(const kn_model *m, kn_test *t, kn_rng *r)
{
    t->attribute = (uint32_t)kn__rng_below(r, m->attributes);
    if (kn__rng_below(r, 8) == 0) {
        t->kind = kn__rng_below(r, 2) ? KN_TEST_MISSING : KN_TEST_NOT_MISSING;
    } else if (m->attribute[t->attribute].values) {
        const kn_dict *values = m->attribute[t->attribute].values;
        t->kind = kn__rng_below(r, 3) ? KN_TEST_IN : KN_TEST_NOT_IN;
        t->values = kn__malloc_array(values->len, sizeof *t->values);
        for (uint32_t v = 0; v < values->len; v++) {
            if (kn__rng_below(r, 2)) {
                t->values[t->values_count++] = v;
            }
        }
    } else {
        t->kind = (kn_test_kind)(KN_TEST_LESS + kn__rng_below(r, 6));
        t->number = (double)kn__rng_below(r, 13 * case_fine) / (2 * case_fine) - 1;
    }
}

static void random_test(const kn_model *m, kn_test *t, kn_rng *r, int depth)
{
    const uint64_t what = kn__rng_below(r, 12);

    *t = (kn_test){0};
    if (what == 0) {
        t->kind = kn__rng_below(r, 3) ? KN_TEST_TRUE : KN_TEST_FALSE;
    } else if (what < 4 && depth < 2) {
        t->kind = (kn_test_kind)(KN_TEST_AND + kn__rng_below(r, 4));
        t->parts_count = 1 + (size_t)kn__rng_below(r, 3);
        t->parts = kn__zalloc_array(t->parts_count, sizeof *t->parts);
        for (size_t i = 0; i < t->parts_count; i++) {
            random_test(m, &t->parts[i], r, depth + 1);
        }
    } else {
        random_simple(m, t, r);
    }
}

static void random_nodes(kn_model *m, uint32_t node, kn_rng *r, int depth)
{
    kn_tree *t = &m->tree;
    const uint32_t classes = m->attribute[t->class_attribute].values->len;
    const uint32_t children = depth == (case_fine > 1 ? 6 : 3) ||
                                      kn__rng_below(r, 4 * case_fine) == 0
                                  ? 0
                                  : (case_fine > 1 ? 2 : 1) + (uint32_t)kn__rng_below(r, 3);

    for (uint32_t i = 0; i < children; i++) {
        uint32_t child;
        assert_int_equal(kn__tree_add(t, node, &child, NULL), KN_OK);
        random_test(m, &t->node[child].test, r, 0);
    }
    if (children == 0 || kn__rng_below(r, 2)) {
        t->node[node].answer = (uint32_t)kn__rng_below(r, classes);
    }
    if (kn__rng_below(r, 4) == 0) {
        t->node[node].population = kn__zalloc_array(classes, sizeof(uint64_t));
        t->node[node].population[0] = kn__rng_below(r, 100);
    }
    if (children && kn__rng_below(r, 2)) {
        t->node[node].missing = t->node[node].first + (uint32_t)kn__rng_below(r, children);
    }
    for (uint32_t i = 0; i < children; i++) {
        random_nodes(m, t->node[node].first + i, r, depth + 1);
    }
}

static kn_model *random_tree(kn_rng *r)
{
    const size_t attributes = case_fine > 1 ? 3 : 2 + (size_t)kn__rng_below(r, 3);
    kn_model *m;
    uint32_t root;

    assert_int_equal(kn__model_new(&m, KN_MODEL_TREE, NULL), KN_OK);
    for (size_t i = 0; i < attributes; i++) {
        const bool category = i == 0 || (case_fine > 1 ? i == 2 : kn__rng_below(r, 2) != 0);
        const uint32_t values = 1 + (uint32_t)kn__rng_below(r, 4);
        kn_attribute *a;
        assert_int_equal(kn__model_add_attribute(m, case_names[i], 2,
                                                 category ? KN_TYPE_CATEGORY : KN_TYPE_DECIMAL,
                                                 kn__rng_below(r, 2), NULL, NULL),
                         KN_OK);
        a = &m->attribute[i];
        for (uint32_t v = 0; category && v < values + (i == 0); v++) {
            assert_int_equal(kn__dict_append(a->values, case_values[v], 2, NULL), KN_OK);
        }
        if (!category && kn__rng_below(r, 3) == 0) {
            a->low = (double)kn__rng_below(r, 3);
            a->high = a->low + (double)kn__rng_below(r, 3);
        }
    }
    m->tree.class_attribute = 0;
    m->tree.when_missing = (kn_tree_missing)kn__rng_below(r, 4);
    m->tree.last_answer = kn__rng_below(r, 2);
    assert_int_equal(kn__tree_add(&m->tree, KN_NO_CODE, &root, NULL), KN_OK);
    if (kn__rng_below(r, 5) == 0) {
        random_test(m, &m->tree.node[0].test, r, 0);
    }
    random_nodes(m, 0, r, 0);
    return m;
}

static void random_table(tree_case *c, kn_rng *r)
{
    const size_t columns = c->m->attributes;
    const int records = 1 + (int)kn__rng_below(r, 12);
    kn_dataset_builder *b;
    kn_schema *schema;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t i = 0; i < columns; i++) {
        /* the class may be without a role: it is private then */
        const kn_role role = kn__rng_below(r, 2)             ? KN_ROLE_QUASI
                             : i == 0 && kn__rng_below(r, 2) ? KN_ROLE_KEPT
                                                             : KN_ROLE_SENSITIVE;
        assert_int_equal(kn_schema_set_role(schema, case_names[i], role, NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(schema, case_names[i], c->m->attribute[i].type, NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, case_names, columns, schema, NULL), KN_OK);
    for (int i = 0; i < records; i++) {
        const char *row[LINK_ATTRIBUTES];
        char number[LINK_ATTRIBUTES][16];
        for (size_t a = 0; a < columns; a++) {
            (void)snprintf(number[a], sizeof number[a], "%.1f", (double)kn__rng_below(r, 9) / 2);
            row[a] = kn__rng_below(r, 10) == 0   ? NULL
                     : c->m->attribute[a].values ? case_values[kn__rng_below(r, 5)]
                                                 : number[a];
        }
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&c->ds, b, NULL), KN_OK);
    kn_schema_free(schema);
}

/* ---- the domain, as bind.h defines it ---- */

static void collect_numbers(const kn_test *t, uint32_t attribute, double *points, int *count)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        collect_numbers(&t->parts[i], attribute, points, count);
    }
    if (t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL && t->attribute == attribute) {
        for (int i = 0; i < *count; i++) {
            if (points[i] == t->number) {
                return;
            }
        }
        points[(*count)++] = t->number;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Points of the range so that every real number of it is like one of them for all tests: its ends,
 * those of the data's own range, the thresholds, and one between each two. */
static int number_domain(tree_case *c, uint32_t attribute, plain_value *out)
{
    const kn_attribute *a = &c->m->attribute[attribute];
    const kn_column *column = &c->ds->column[attribute];
    double low = a->low <= a->high ? a->low : HUGE_VAL;
    double high = a->low <= a->high ? a->high : -HUGE_VAL;
    double points[CASE_POINTS], least = HUGE_VAL, most = -HUGE_VAL;
    int count = 0, kept = 0;

    for (uint32_t v = 0; v < kn__column_values(column); v++) {
        if (v != column->missing) {
            least = fmin(least, column->numbers[v]);
            most = fmax(most, column->numbers[v]);
        }
    }
    low = fmin(low, least);
    high = fmax(high, most);
    if (low > high) {
        return 0;
    }
    if (case_whole && c->ds->column[attribute].role == KN_ROLE_SENSITIVE) {
        for (double x = ceil(low); x <= high; x++) {
            c->link.lacking[attribute][kept] = x < least || x > most;
            out[kept++].number = x;
        }
        return kept;
    }
    for (size_t i = 0; i < c->m->tree.nodes; i++) {
        collect_numbers(&c->m->tree.node[i].test, attribute, points, &count);
    }
    points[count++] = low;
    points[count++] = high;
    if (least <= most) {
        points[count++] = least;
        points[count++] = most;
    }
    qsort(points, (size_t)count, sizeof *points, compare_doubles);
    for (int i = 0; i < count; i++) {
        if (points[i] >= low && points[i] <= high && (i == 0 || points[i] != points[i - 1])) {
            out[kept++].number = points[i];
        }
        if (i + 1 < count && points[i] >= low && points[i + 1] <= high &&
            points[i] != points[i + 1]) {
            out[kept++].number = (points[i] + points[i + 1]) / 2;
        }
    }
    for (int i = 0; i < kept; i++) {
        c->link.lacking[attribute][i] = out[i].number < least || out[i].number > most;
    }
    return kept;
}

/* Places of a category's domain: the model's values, then others of the data. */
static int text_domain(tree_case *c, uint32_t attribute, uint32_t *place_of_code)
{
    const kn_dict *own = c->m->attribute[attribute].values;
    const kn_column *column = &c->ds->column[attribute];
    int count = (int)own->len;

    for (int i = 0; i < count; i++) {
        c->link.lacking[attribute][i] = true;
    }
    for (uint32_t v = 0; v < kn__column_values(column); v++) {
        size_t len;
        const char *text = kn__column_text(column, v, &len);
        if (v == column->missing) {
            continue;
        }
        place_of_code[v] = KN_NO_CODE;
        for (uint32_t i = 0; i < own->len; i++) {
            if (len == 2 && memcmp(case_values[i], text, 2) == 0) {
                place_of_code[v] = i;
            }
        }
        if (place_of_code[v] == KN_NO_CODE) {
            place_of_code[v] = (uint32_t)count++;
        }
        c->link.lacking[attribute][place_of_code[v]] = false;
    }
    return count;
}

static void make_domain(tree_case *c, uint32_t a)
{
    const kn_column *column = &c->ds->column[a];
    uint32_t place_of_code[CASE_POINTS];
    plain_value *meaning = c->meaning[a];
    int count;

    memset(meaning, 0, sizeof c->meaning[a]);
    if (c->m->attribute[a].values) {
        count = text_domain(c, a, place_of_code);
        for (int i = 0; i < count; i++) {
            meaning[i].text = (uint32_t)i;
        }
    } else {
        count = number_domain(c, a, meaning);
    }
    for (int i = 0; i < c->link.records; i++) {
        const uint32_t code = kn__column_code(column, (size_t)i);
        int value = 0;
        if (code == column->missing) {
            value = count;
        } else if (c->m->attribute[a].values) {
            value = (int)place_of_code[code];
        } else {
            while (value < count && meaning[value].number != column->numbers[code]) {
                value++;
            }
            if (value == count) { /* between two points: a point of its own, of public values */
                for (value = 0; value < CASE_POINTS; value++) {
                    if (value > count && meaning[value].number == column->numbers[code] &&
                        meaning[value].text == 1) {
                        break;
                    }
                    if (value > count && meaning[value].text == 0) {
                        meaning[value].number = column->numbers[code];
                        meaning[value].text = 1;
                        break;
                    }
                }
            }
        }
        c->link.value[i][a] = value;
    }
    meaning[count].missing = true;
    c->link.domain[a] = count + (column->missing != KN_NO_CODE);
}

static uint64_t case_answer(const void *model, const int *tuple)
{
    const tree_case *c = model;
    plain_value values[LINK_ATTRIBUTES];
    uint32_t node;

    for (int a = 0; a < c->link.attributes; a++) {
        values[a] = c->meaning[a][tuple[a]];
    }
    node = plain_place(&c->m->tree, values);
    return node == KN_NO_CODE ? UINT64_MAX : (uint64_t)node << 32 | (uint32_t)tuple[0];
}

/* The attack's view of the model and the table. */
static void tree_case_link(tree_case *c)
{
    c->link.attributes = (int)c->m->attributes;
    c->link.records = (int)c->ds->records;
    c->link.answer = case_answer;
    c->link.model = c;
    for (uint32_t a = 0; a < c->m->attributes; a++) {
        const kn_role role = c->ds->column[a].role;
        c->link.hidden[a] = role == KN_ROLE_SENSITIVE || (a == 0 && role != KN_ROLE_QUASI);
        make_domain(c, a);
    }
}

/* A tree with a random kind of everything, a table, and the attack's view of them. */
static void tree_case_make(tree_case *c, kn_rng *r)
{
    memset(c, 0, sizeof *c);
    c->m = random_tree(r);
    random_table(c, r);
    tree_case_link(c);
}

static void tree_case_clear(tree_case *c)
{
    kn_model_free(c->m);
    kn_dataset_free(c->ds);
}

#endif
