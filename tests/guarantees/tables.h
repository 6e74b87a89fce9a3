/* The oracle's tables as datasets. */
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include "base/memory.h"
#include "base/rng.h"
#include "hierarchy/hierarchy.h"
#include "kanon/guarantee.h"
#include "oracle/guarantees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const char *const table_names[] = {"q0", "q1", "q2", "q3", "q4",
                                          "s0", "s1", "s2", "s3", "s4"};

static void random_table(oracle_table *t, kn_rng *r)
{
    const uint64_t variety = 1 + kn__rng_below(r, 3), gaps = 1 + kn__rng_below(r, 6);
    const uint64_t values = 1 + kn__rng_below(r, ORACLE_VALUES);

    memset(t, 0, sizeof *t);
    t->records = (int)kn__rng_below(r, ORACLE_RECORDS + 1);
    t->qis = 1 + (int)kn__rng_below(r, ORACLE_COLUMNS);
    t->sensitives = 1 + (int)kn__rng_below(r, 2);
    for (int q = 0; q < t->qis; q++) {
        t->any[q] = kn__rng_below(r, 2);
    }
    for (int i = 0; i < t->records; i++) {
        for (int q = 0; q < t->qis; q++) {
            t->qi[i][q] = kn__rng_below(r, gaps) == 0 ? ORACLE_MISSING
                                                      : (int)kn__rng_below(r, variety);
        }
        for (int s = 0; s < t->sensitives; s++) {
            t->sensitive[i][s] = (int)kn__rng_below(r, values);
        }
    }
}

static kn_dataset *to_dataset(const oracle_table *t)
{
    const char *names[2 * ORACLE_COLUMNS];
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;
    const size_t columns = (size_t)(t->qis + t->sensitives);

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (int q = 0; q < t->qis; q++) {
        names[q] = table_names[q];
        assert_int_equal(kn_schema_set_role(schema, names[q], KN_ROLE_QUASI, NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(schema, names[q], KN_TYPE_CATEGORY, NULL), KN_OK);
        assert_int_equal(kn_schema_set_missing_rule(
                             schema, names[q], t->any[q] ? KN_MISSING_ANY : KN_MISSING_OWN, NULL),
                         KN_OK);
    }
    for (int s = 0; s < t->sensitives; s++) {
        const char *name = table_names[ORACLE_COLUMNS + s];
        names[t->qis + s] = name;
        assert_int_equal(kn_schema_set_role(schema, name, KN_ROLE_SENSITIVE, NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(schema, name, KN_TYPE_INTEGER, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, columns, schema, NULL), KN_OK);
    for (int i = 0; i < t->records; i++) {
        char text[2 * ORACLE_COLUMNS][8];
        const char *cells[2 * ORACLE_COLUMNS];
        for (size_t c = 0; c < columns; c++) {
            const int value = c < (size_t)t->qis ? t->qi[i][c]
                                                 : t->sensitive[i][c - (size_t)t->qis];
            (void)snprintf(text[c], sizeof text[c], "%d", value);
            cells[c] = value == ORACLE_MISSING ? NULL : text[c];
        }
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* A random tree of equally long paths over the values; the missing value hangs below the root. */
static kn_hierarchies *random_hierarchy(kn_rng *r, int sensitives, int *levels,
                                        int node[][ORACLE_VALUES])
{
    kn_hierarchies *hs;

    *levels = 2 + (int)kn__rng_below(r, 3);
    for (int level = 0; level < *levels; level++) {
        for (int v = 0; v < ORACLE_VALUES; v++) {
            if (level == *levels - 1) {
                node[level][v] = 0;
            } else if (level == 0 || v == ORACLE_MISSING) {
                node[level][v] = v;
            } else {
                /* nodes of the level below are joined at random: all values of a node move together
                 */
                node[level][v] = -1;
                for (int w = 0; w < v; w++) {
                    if (node[level - 1][w] == node[level - 1][v]) {
                        node[level][v] = node[level][w];
                    }
                }
                if (node[level][v] < 0) {
                    node[level][v] = (int)kn__rng_below(r, 3);
                }
            }
        }
    }
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    for (int s = 0; s < sensitives; s++) {
        kn_hierarchy *h;
        kn_error err;
        char text[1024] = "";
        for (int v = 0; v < ORACLE_MISSING; v++) {
            for (int level = 0; level < *levels; level++) {
                char label[32];
                if (level == 0) {
                    (void)snprintf(label, sizeof label, "%d", v);
                } else if (level == *levels - 1) {
                    (void)snprintf(label, sizeof label, ";*\n");
                } else {
                    (void)snprintf(label, sizeof label, ";n%d-%d", level, node[level][v]);
                }
                strcat(text, label);
            }
        }
        if (kn__hierarchy_parse(&h, "tree", text, strlen(text), &err) != KN_OK) {
            fail_msg("%s in\n%s", err.message, text);
        }
        assert_int_equal(kn_hierarchies_add(hs, table_names[ORACLE_COLUMNS + s], h, NULL), KN_OK);
    }
    return hs;
}

/* A random requirement, for the oracle and for us. Ordered distances depend on the sensitive
 * column: kept in `by_column`. */
static kn_guarantee random_ask(oracle_ask by_column[2], const oracle_table *t, kn_rng *r,
                               int levels, int node[][ORACLE_VALUES])
{
    oracle_ask ask = {.den = 1};
    kn_guarantee g = {0};

    ask.kind = (oracle_kind)kn__rng_below(r, 5);
    switch (ask.kind) {
    case ORACLE_K:
        ask.num = 1 + (int)kn__rng_below(r, 5);
        g.kind = KN_K_ANONYMITY;
        g.k = (size_t)ask.num;
        break;
    case ORACLE_DISTINCT:
    case ORACLE_ENTROPY:
        ask.den = 2;
        ask.num = 2 + (int)kn__rng_below(r, 8);
        g.kind = KN_L_DIVERSITY;
        g.diversity = ask.kind == ORACLE_ENTROPY ? KN_ENTROPY : KN_DISTINCT;
        g.l = ask.num / 2.0;
        break;
    case ORACLE_RECURSIVE:
        ask.den = 10;
        ask.num = 1 + (int)kn__rng_below(r, 30);
        ask.l = 1 + (int)kn__rng_below(r, 4);
        g.kind = KN_L_DIVERSITY;
        g.diversity = KN_RECURSIVE;
        g.l = ask.l;
        g.c = ask.num / 10.0;
        break;
    case ORACLE_T:
        ask.den = 10;
        ask.num = (int)kn__rng_below(r, 11);
        g.kind = KN_T_CLOSENESS;
        g.distance = (kn_distance)kn__rng_below(r, 3);
        g.t = ask.num / 10.0;
        break;
    }
    for (int s = 0; s < 2; s++) {
        by_column[s] = ask;
        if (ask.kind == ORACLE_T && g.distance == KN_EQUAL) {
            oracle_equal(&by_column[s]);
        } else if (ask.kind == ORACLE_T && g.distance == KN_ORDERED) {
            oracle_ordered(&by_column[s], t, s);
        } else if (ask.kind == ORACLE_T) {
            oracle_hierarchical(&by_column[s], levels, node);
        }
    }
    return g;
}

#endif
