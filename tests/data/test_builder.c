/* The builder against a plain table of strings: whatever the chunks and workers, the cells come
 * back, dictionaries are sorted, types are detected. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_RECORDS = 40, MOST_COLUMNS = 4 };

typedef struct plain {
    size_t records, columns;
    char cell[MOST_RECORDS][MOST_COLUMNS][16];
} plain;

static void random_plain(plain *p, kn_rng *r)
{
    p->records = kn__rng_below(r, MOST_RECORDS);
    p->columns = 1 + kn__rng_below(r, MOST_COLUMNS);
    for (size_t c = 0; c < p->columns; c++) {
        const unsigned kind = (unsigned)kn__rng_below(r, 4);
        for (size_t i = 0; i < p->records; i++) {
            char *cell = p->cell[i][c];
            const int n = (int)kn__rng_below(r, 30) - 5;
            if (kn__rng_below(r, 8) == 0) {
                strcpy(cell, "");
            } else if (kind == 0) {
                (void)snprintf(cell, 16, "%d", n);
            } else if (kind == 1) {
                (void)snprintf(cell, 16, "%.*f", 1 + n % 2 * n % 2, n / 4.0);
            } else if (kind == 2) {
                (void)snprintf(cell, 16, "2020-%02d-%02d", 1 + abs(n) % 12, 1 + abs(n) % 28);
            } else {
                (void)snprintf(cell, 16, "v%d", n);
            }
        }
    }
}

static kn_dataset *build(const plain *p, unsigned workers, kn_rng *r)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    kn_builder *b;
    kn_dataset *ds;
    size_t number = 0, i = 0;

    assert_int_equal(kn__builder_new(&b, names, p->columns, NULL, false, NULL, workers, NULL),
                     KN_OK);
    do {
        kn_chunk *chunk;
        const size_t end = i + kn__rng_below(r, 7);
        assert_int_equal(kn__builder_chunk(b, (unsigned)kn__rng_below(r, workers), number++, &chunk,
                                           NULL),
                         KN_OK);
        for (; i < end && i < p->records; i++) {
            for (size_t c = 0; c < p->columns; c++) {
                assert_int_equal(
                    kn__chunk_add(chunk, c, p->cell[i][c], strlen(p->cell[i][c]), NULL), KN_OK);
            }
            assert_int_equal(kn__chunk_end_record(chunk, NULL), KN_OK);
        }
        assert_int_equal(kn__chunk_close(chunk, NULL), KN_OK);
    } while (i < p->records);
    assert_int_equal(kn__builder_finish(b, &(kn_run){.threads = workers}, &ds, NULL), KN_OK);
    return ds;
}

static void cells_come_back(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        static plain p;
        kn_rng r;
        kn_dataset *ds;
        const char *reason = NULL;
        kn__rng_seed(&r, seed, 0);
        random_plain(&p, &r);
        ds = build(&p, 1 + (unsigned)(seed % 3), &r);
        if (!kn__dataset_validate(ds, &reason)) {
            fail_msg("seed %d: %s", (int)seed, reason);
        }
        assert_int_equal(kn_dataset_records(ds), p.records);
        for (size_t c = 0; c < p.columns; c++) {
            for (size_t i = 0; i < p.records; i++) {
                size_t len;
                const uint32_t code = kn_dataset_code(ds, c, i);
                const char *text = kn_dataset_value(ds, c, code, &len);
                assert_int_equal(len, strlen(p.cell[i][c]));
                assert_memory_equal(text, p.cell[i][c], len);
                assert_int_equal(code == kn_dataset_missing(ds, c), len == 0);
                if (ds->column[c].numbers && len && kn__type_is_number(ds->column[c].type)) {
                    assert_true(fabs(ds->column[c].numbers[code] - atof(p.cell[i][c])) < 1e-9);
                }
            }
        }
        kn_dataset_free(ds);
    }
}

static int by_bytes(const void *x, const void *y)
{
    return strcmp(x, y);
}

/* Items of one byte to twenty, far more than are remembered by their bytes, that differ at their
 * ends, in their middles or in nothing but their length. */
static void items_come_back(void **state)
{
    enum { ITEMS = 6, RECORDS = 20000, WIDTH = 24 };
    static char item[RECORDS][ITEMS][WIDTH];
    static const char *const name = "items";
    static const bool list = true;
    size_t lens[RECORDS], at = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    for (unsigned workers = 1; workers <= 3; workers++) {
        kn_builder *b;
        kn_dataset *ds;
        kn_chunk *chunk;
        const char *reason = NULL;
        assert_int_equal(kn__builder_new(&b, &name, 1, NULL, false, &list, workers, NULL), KN_OK);
        for (size_t i = 0; i < RECORDS; i++) {
            if (i % 1000 == 0) {
                assert_int_equal(kn__builder_chunk(b, (unsigned)(i / 1000 % workers), i / 1000,
                                                   &chunk, NULL),
                                 KN_OK);
            }
            lens[i] = 1 + (size_t)kn__rng_below(&r, ITEMS);
            for (size_t j = 0; j < lens[i]; j++) {
                char *text = item[i][j];
                const size_t len = 1 + (size_t)kn__rng_below(&r, 20);
                memset(text, 'a', len);
                text[len] = '\0';
                for (size_t n = kn__rng_below(&r, 4); n > 0; n--) {
                    text[kn__rng_below(&r, len)] = (char)('a' + (int)kn__rng_below(&r, 20));
                }
                assert_int_equal(kn__chunk_add_item(chunk, 0, text, len, NULL), KN_OK);
            }
            qsort(item[i], lens[i], WIDTH, by_bytes);
            assert_int_equal(kn__chunk_end_record(chunk, NULL), KN_OK);
            if (i % 1000 == 999) {
                assert_int_equal(kn__chunk_close(chunk, NULL), KN_OK);
            }
        }
        assert_int_equal(kn__builder_finish(b, &(kn_run){.threads = workers}, &ds, NULL), KN_OK);
        assert_true(kn__dataset_validate(ds, &reason));
        assert_true(kn__column_values(&ds->column[0]) > 20000);
        at = 0;
        for (size_t i = 0; i < RECORDS; i++) {
            assert_int_equal(ds->column[0].starts[i + 1] - ds->column[0].starts[i], lens[i]);
            for (size_t j = 0; j < lens[i]; j++) {
                size_t len;
                const char *text = kn__column_text(&ds->column[0],
                                                   kn__column_code(&ds->column[0], at++), &len);
                assert_int_equal(len, strlen(item[i][j]));
                assert_memory_equal(text, item[i][j], len);
            }
        }
        kn_dataset_free(ds);
    }
}

static kn_dataset *of_column(const char *const *values, size_t count, const kn_schema *schema,
                             kn_status expected, kn_error *err)
{
    static const char *const name[] = {"x"};
    kn_dataset_builder *b;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_dataset_builder_new(&b, name, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &values[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, err), expected);
    return ds;
}

static void types_are_detected(void **state)
{
    static const struct {
        const char *values[3];
        kn_type type;
    } rows[] = {
        {{"10", "9", "-3"}, KN_TYPE_INTEGER},
        {{"10", "9.50", ""}, KN_TYPE_DECIMAL},
        {{"1e3", "2", "3"}, KN_TYPE_DECIMAL},
        {{"2020-01-31", "1999-12-01", ""}, KN_TYPE_DATE},
        {{"2020-02-30", "1999-12-01", "1999-12-01"}, KN_TYPE_CATEGORY},
        {{"00123", "10234", "99999"}, KN_TYPE_CATEGORY}, /* postcodes keep their zeros */
        {{"nan", "1", "2"}, KN_TYPE_CATEGORY},
        {{"", "", ""}, KN_TYPE_CATEGORY},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kn_dataset *ds = of_column(rows[i].values, 3, NULL, KN_OK, NULL);
        assert_int_equal(kn_dataset_type(ds, 0), rows[i].type);
        kn_dataset_free(ds);
    }
}

static void declared_types_are_kept_or_refused(void **state)
{
    static const char *const values[] = {"10", "?", "9"};
    static const char *const missing[] = {"?"};
    kn_schema *schema;
    kn_error err;
    kn_dataset *ds;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "x", KN_TYPE_INTEGER, NULL), KN_OK);
    assert_null(of_column(values, 3, schema, KN_EINPUT, &err));
    assert_non_null(strstr(err.message, "column 'x', record 2"));
    assert_int_equal(kn_schema_set_missing(schema, "x", missing, 1, NULL), KN_OK);
    ds = of_column(values, 3, schema, KN_OK, NULL);
    assert_int_equal(kn_dataset_missing(ds, 0), 2);
    assert_int_equal(kn_dataset_code(ds, 0, 0), 1);
    kn_dataset_free(ds);
    kn_schema_free(schema);
}

static void identifiers_do_not_show_in_errors(void **state)
{
    static const char *const values[] = {"Mary Stone", "9", "9"};
    kn_schema *schema;
    kn_error err;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "x", KN_TYPE_INTEGER, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "x", KN_ROLE_IDENTIFIER, NULL), KN_OK);
    assert_null(of_column(values, 3, schema, KN_EINPUT, &err));
    assert_null(strstr(err.message, "Mary"));
    kn_schema_free(schema);
}

/* A misspelt quasi-identifier would leave the column that was meant without a role. */
static void misspelt_columns_are_refused(void **state)
{
    static const char *const names[] = {"age", "zip", "wages", "rent"};
    static const char *const parts[] = {"wages", "rent"}, *const misspelt[] = {"wages", "rentt"};
    kn_dataset_builder *b;
    kn_schema *s;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_bag(s, "income", parts, 2, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "income", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "age", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 4, s, &err), KN_OK);
    kn_dataset_builder_free(b);
    assert_int_equal(kn_schema_set_role(s, "zipp", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 4, s, &err), KN_EINPUT);
    assert_null(b);
    assert_non_null(strstr(err.message, "'zipp' that the schema names; did you mean 'zip'?"));
    assert_int_equal(err.code, KN_ERROR_NO_COLUMN);
    assert_string_equal(err.column, "zipp");
    kn_schema_free(s);

    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(s, "occupation", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 4, s, &err), KN_EINPUT);
    assert_int_equal(err.code, KN_ERROR_NO_COLUMN);
    assert_string_equal(err.column, "occupation");
    kn_schema_free(s);

    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    assert_int_equal(kn_schema_set_bag(s, "income", misspelt, 2, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 4, s, &err), KN_EINPUT);
    assert_int_equal(err.code, KN_ERROR_NO_COLUMN);
    assert_string_equal(err.column, "rentt");
    kn_schema_free(s);
}

static void lists_are_sets_or_bags(void **state)
{
    static const char *const values[] = {"b|a|b", "", "c"};
    static const kn_type types[] = {KN_TYPE_SET, KN_TYPE_BAG};
    static const size_t lengths[2][3] = {{2, 0, 1}, {3, 0, 1}};

    (void)state;
    for (size_t t = 0; t < 2; t++) {
        kn_schema *schema;
        kn_dataset *ds;
        uint32_t codes[4];
        assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(schema, "x", types[t], NULL), KN_OK);
        ds = of_column(values, 3, schema, KN_OK, NULL);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(kn_dataset_list(ds, 0, i, codes, 4), lengths[t][i]);
        }
        assert_int_equal(kn_dataset_list(ds, 0, 0, codes, 4), lengths[t][0]);
        assert_int_equal(codes[0], 0);
        assert_int_equal(codes[1], 1);
        kn_dataset_free(ds);
        kn_schema_free(schema);
    }
}

static void order_of_dropped_columns_is_seen(void **state)
{
    static const struct {
        const char *values[4];
        kn_order order;
    } rows[] = {
        {{"8", "9", "10", "11"}, KN_ORDER_ASCENDING},
        {{"10", "9", "8", "8"}, KN_ORDER_DESCENDING},
        {{"Ann", "Bob", "Bob", "Eve"}, KN_ORDER_ASCENDING},
        {{"x", "x", "x", "x"}, KN_ORDER_CONSTANT},
        {{"b", "a", "c", "a"}, KN_ORDER_NONE},
    };
    static const char *const name[] = {"x"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t split = 0; split <= 4; split++) {
            kn_schema *schema;
            kn_builder *b;
            kn_chunk *chunk;
            kn_dataset *ds;
            assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
            assert_int_equal(kn_schema_set_role(schema, "x", KN_ROLE_DROPPED, NULL), KN_OK);
            assert_int_equal(kn__builder_new(&b, name, 1, schema, false, NULL, 1, NULL), KN_OK);
            for (size_t part = 0; part < 2; part++) {
                assert_int_equal(kn__builder_chunk(b, 0, part, &chunk, NULL), KN_OK);
                for (size_t j = part ? split : 0; j < (part ? 4 : split); j++) {
                    assert_int_equal(kn__chunk_add(chunk, 0, rows[i].values[j],
                                                   strlen(rows[i].values[j]), NULL),
                                     KN_OK);
                    assert_int_equal(kn__chunk_end_record(chunk, NULL), KN_OK);
                }
                assert_int_equal(kn__chunk_close(chunk, NULL), KN_OK);
            }
            assert_int_equal(kn__builder_finish(b, NULL, &ds, NULL), KN_OK);
            assert_int_equal(ds->column[0].order, rows[i].order);
            assert_null(ds->column[0].dict);
            kn_dataset_free(ds);
            kn_schema_free(schema);
        }
    }
}

static kn_status build_small(kn_dataset **out, kn_error *err)
{
    static const char *const names[] = {"a", "b"};
    static const char *const rows[][2] = {{"1", "x|y"}, {"", "y|y"}, {"3", ""}};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_status status = kn_schema_new(&schema, err);

    *out = NULL;
    if (status == KN_OK) {
        status = kn_schema_set_type(schema, "b", KN_TYPE_SET, err);
    }
    if (status == KN_OK) {
        status = kn_dataset_builder_new(&b, names, 2, schema, err);
    }
    for (size_t i = 0; status == KN_OK && i < 3; i++) {
        status = kn_dataset_builder_add(b, rows[i], err);
    }
    if (status == KN_OK) {
        status = kn_dataset_builder_finish(out, b, err);
    } else {
        kn_dataset_builder_free(b);
    }
    kn_schema_free(schema);
    return status;
}

static void survives_every_failed_allocation(void **state)
{
    const size_t before = kn_memory_in_use();

    (void)state;
    for (size_t n = 1;; n++) {
        kn_dataset *ds;
        kn_error err;
        kn_status status;
        kn__memory_fail_after(n);
        status = build_small(&ds, &err);
        if (!kn__memory_failed()) {
            kn__memory_fail_after(0);
            assert_int_equal(status, KN_OK);
            kn_dataset_free(ds);
            break;
        }
        kn__memory_fail_after(0);
        assert_int_equal(status, KN_ENOMEM);
        assert_int_equal(err.status, KN_ENOMEM);
        assert_null(ds);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(kn_memory_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_come_back),
        cmocka_unit_test(items_come_back),
        cmocka_unit_test(types_are_detected),
        cmocka_unit_test(declared_types_are_kept_or_refused),
        cmocka_unit_test(identifiers_do_not_show_in_errors),
        cmocka_unit_test(misspelt_columns_are_refused),
        cmocka_unit_test(lists_are_sets_or_bags),
        cmocka_unit_test(order_of_dropped_columns_is_seen),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
