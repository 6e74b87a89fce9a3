/* Tables of numbers and categories, public and private, and random centres over them, with what
 * tests/oracle/nearest.h needs to know of them. */
#ifndef TESTS_CENTRES_CASE_H
#define TESTS_CENTRES_CASE_H

#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "models/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/nearest.h"

/* ---- tables ---- */

enum { COLUMNS = NEAREST_ATTRIBUTES };

typedef struct table {
    const char *name[COLUMNS];
    kn_role role[COLUMNS];
    kn_type type[COLUMNS];
    double weight[COLUMNS]; /* 0: 1 */
    size_t columns;
} table;

static kn_dataset *make_dataset(const table *t, const char *const *cells, size_t rows)
{
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t i = 0; i < t->columns; i++) {
        assert_int_equal(kn_schema_set_role(schema, t->name[i], t->role[i], NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(schema, t->name[i], t->type[i], NULL), KN_OK);
        if (t->weight[i] > 0) {
            assert_int_equal(kn_schema_set_weight(schema, t->name[i], t->weight[i], NULL), KN_OK);
        }
    }
    assert_int_equal(kn_dataset_builder_new(&b, t->name, t->columns, schema, NULL), KN_OK);
    for (size_t r = 0; r < rows; r++) {
        assert_int_equal(kn_dataset_builder_add(b, cells + r * t->columns, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* ---- random tables ---- */

enum { MOST_ROWS = 24 };

typedef struct random_case {
    oracle_centres o;
    int row[MOST_ROWS][COLUMNS];
    int rows;
    kn_dataset *ds;
} random_case;

static const char *const names[COLUMNS] = {"a", "b", "c", "d", "e", "f"};

static int between(kn_rng *r, int low, int high)
{
    return low + (int)kn__rng_below(r, (uint64_t)(high - low) + 1);
}

/* A table, and for the oracle what an attacker takes for possible: what the data holds. */
static void make_case(random_case *c, kn_rng *r, int most_rows, int size)
{
    static char text[MOST_ROWS * COLUMNS][16];
    const char *cells[MOST_ROWS * COLUMNS];
    table t = {.columns = (size_t)between(r, 1, 4)};
    int numbers = 0;

    memset(c, 0, sizeof *c);
    c->rows = between(r, 2, most_rows);
    c->o.attributes = (int)t.columns;
    for (int a = 0; a < c->o.attributes; a++) {
        oracle_axis *x = &c->o.axis[a];
        const bool gaps = a > 0 && kn__rng_below(r, 4) == 0;
        x->category = kn__rng_below(r, 3) == 0;
        x->hidden = kn__rng_below(r, 2) && (x->category || numbers < 3);
        x->weight = between(r, 1, 3);
        x->low = NEAREST_NONE;
        x->high = -NEAREST_NONE;
        numbers += x->hidden && !x->category;
        t.name[a] = names[a];
        t.role[a] = x->hidden ? KN_ROLE_SENSITIVE : KN_ROLE_QUASI;
        t.type[a] = x->category ? KN_TYPE_CATEGORY : KN_TYPE_INTEGER;
        for (int i = 0; i < c->rows; i++) {
            const int v = x->category ? between(r, 0, 2) : between(r, -size, size);
            c->row[i][a] = gaps && kn__rng_below(r, 5) == 0 ? NEAREST_NONE : v;
            if (c->row[i][a] == NEAREST_NONE) {
                x->missing = x->hidden;
            } else {
                x->low = v < x->low ? v : x->low;
                x->high = v > x->high ? v : x->high;
            }
        }
    }
    for (int i = 0; i < c->rows; i++) {
        for (int a = 0; a < c->o.attributes; a++) {
            char *to = text[i * c->o.attributes + a];
            cells[i * c->o.attributes + a] = to;
            (void)snprintf(to, 16, "%d", c->row[i][a]);
            if (c->row[i][a] == NEAREST_NONE) {
                *to = '\0';
            } else if (c->o.axis[a].category) {
                (void)snprintf(to, 16, "v%d", c->row[i][a]);
            }
        }
    }
    c->ds = make_dataset(&t, cells, (size_t)c->rows);
}

/* Random centres over the values 0..2 of categories and numbers of the data's size. */
static kn_model *make_centres(random_case *c, kn_rng *r, int size)
{
    kn_model *m;

    c->o.centres = between(r, 1, NEAREST_CENTRES);
    assert_int_equal(kn__model_new(&m, KN_MODEL_CLUSTERS, NULL), KN_OK);
    for (int a = 0; a < c->o.attributes; a++) {
        oracle_axis *x = &c->o.axis[a];
        assert_int_equal(kn__model_add_attribute(m, names[a], 1,
                                                 x->category ? KN_TYPE_CATEGORY : KN_TYPE_INTEGER,
                                                 false, NULL, NULL),
                         KN_OK);
        m->attribute[a].weight = x->weight;
        for (int v = 0; x->category && v < 3; v++) {
            const char text[] = {'v', (char)('0' + v)};
            assert_int_equal(kn__dict_append(m->attribute[a].values, text, 2, NULL), KN_OK);
        }
        x->values = 3;
    }
    m->centres.count = (size_t)c->o.centres;
    m->centres.number = kn__malloc_array(m->centres.count * m->attributes, sizeof(double));
    m->centres.value = kn__malloc_array(m->centres.count * m->attributes, sizeof(uint32_t));
    m->centres.scale = kn__malloc_array(m->attributes, sizeof(double));
    for (int a = 0; a < c->o.attributes; a++) {
        const oracle_axis *x = &c->o.axis[a];
        m->centres.scale[a] = 1;
        for (int i = 0; i < c->o.centres; i++) {
            const size_t at = (size_t)(i * c->o.attributes + a);
            const bool none = (x->category || !x->hidden) && kn__rng_below(r, 10) == 0;
            const int v = x->category ? between(r, 0, 2) : between(r, -size, size);
            c->o.centre[i][a] = none ? NEAREST_NONE : v;
            m->centres.number[at] = none || x->category ? NAN : v;
            m->centres.value[at] = none || !x->category ? KN_NO_CODE : (uint32_t)v;
        }
    }
    return m;
}

#endif
