/* test_recoding.c - recodings that are kept: found in a release, as JSON and SQL, applied again. */
#include "base/memory.h"
#include "job/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char ages[] = "30;young;*\n31;young;*\n40;old;*\n41;old;*\n49;old;*\n90;aged;*\n";

/* A stream of the column `name`; NULL is a missing value. `type` may make lists of it. */
static struct ArrowArrayStream stream_of(const char *name, const char *const *values, size_t count,
                                         kn_type type)
{
    struct ArrowArrayStream stream = {0};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, name, type, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, &name, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &values[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_dataset_to_arrow(&stream, ds, NULL, NULL), KN_OK);
    kn_dataset_free(ds);
    kn_schema_free(schema);
    return stream;
}

static kn_job *job_of(const char *json)
{
    kn_job *job;
    kn_error err = {0};

    if (kn_job_parse(&job, json, strlen(json), "job", NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return job;
}

static kn_hierarchies *hierarchies_of(const char *column, const char *rows)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchy_parse(&h, rows, strlen(rows), "rows", NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, column, h, NULL), KN_OK);
    return hs;
}

static const char by_flash[] = "{\"qi\": [\"age\"], \"k\": 2, \"method\": \"flash\"}";
static const char *const table[] = {"30", "31", "40", "41", "30"};
enum { RECORDS = sizeof table / sizeof *table };

/* The recoding of a release of `values`, or NULL where there is none to keep. */
static kn_value_recoding *recoding_of(const char *json, const char *column,
                                      const char *const *values, size_t count, kn_type type,
                                      const char *rows)
{
    struct ArrowArrayStream in = stream_of(column, values, count, type), out;
    kn_value_recoding *recoding;
    const kn_job_data data = {KN_INIT(kn_job_data), .table = &in,
                              .hierarchies = rows ? hierarchies_of(column, rows) : NULL,
                              .recoding = &recoding};
    kn_job *job = job_of(json);
    kn_error err = {0};

    if (kn_job_run_data(&out, NULL, job, &data, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    out.release(&out);
    kn_job_free(job);
    return recoding;
}

static kn_value_recoding *flash_recoding(void)
{
    return recoding_of(by_flash, "age", table, RECORDS, KN_TYPE_AUTO, ages);
}

static void is_found(void **state)
{
    kn_value_recoding *recoding = flash_recoding(), *again;
    char *text, *same;

    (void)state;
    assert_non_null(recoding);
    assert_int_equal(kn_recoding_json(&text, recoding, NULL), KN_OK);
    /* 49 and 90 were not in the table: 49 is below a published group, 90 on the level of all. */
    assert_string_equal(text, "{\n \"recoding\": 1,\n \"columns\": [\n  {\n   \"name\": \"age\",\n"
                              "   \"values\": {\n    \"30\": \"young\",\n    \"31\": \"young\",\n"
                              "    \"40\": \"old\",\n    \"41\": \"old\",\n    \"49\": \"old\",\n"
                              "    \"90\": \"aged\"\n   }\n  }\n ]\n}\n");
    assert_int_equal(kn_recoding_parse(&again, text, strlen(text), "r", NULL), KN_OK);
    assert_int_equal(kn_recoding_json(&same, again, NULL), KN_OK);
    assert_string_equal(text, same);
    kn_string_free(same);
    kn_string_free(text);
    kn_recoding_free(again);
    kn_recoding_free(recoding);
}

/* Apply to `values`; the status, and what became of the first record. */
static kn_status apply(const kn_value_recoding *recoding, const char *json, const char *column,
                       const char *const *values, size_t count, kn_type type, char first[32],
                       kn_error *err)
{
    struct ArrowArrayStream in = stream_of(column, values, count, type), out;
    const kn_job_data data = {KN_INIT(kn_job_data), .table = &in};
    kn_job *job = job_of(json);
    const kn_status status = kn_job_recode_data(&out, job, recoding, &data, NULL, err);

    assert_null(in.release);
    assert_true((status == KN_OK) == (out.release != NULL));
    if (status == KN_OK) {
        kn_dataset *ds;
        uint32_t code = 0;
        size_t len;
        const char *text;
        assert_int_equal(kn_dataset_from_arrow(&ds, &out, NULL, NULL, err), KN_OK);
        assert_int_equal(kn_dataset_records(ds), count);
        if (type == KN_TYPE_SET) {
            assert_int_equal(kn_dataset_list(ds, 0, 0, &code, 1), 1);
        } else {
            code = kn_dataset_code(ds, 0, 0);
        }
        text = kn_dataset_value(ds, 0, code, &len);
        (void)snprintf(first, 32, "%.*s", (int)len, text);
        kn_dataset_free(ds);
    }
    kn_job_free(job);
    return status;
}

static void is_applied(void **state)
{
    static const char *const next[] = {"49", "41", "30", "31"};
    static const char *const alone[] = {"49", "41", "30"};
    static const char *const unknown[] = {"49", "41", "50", "50"};
    static const char *const missing[] = {"49", "41", NULL, NULL};
    kn_value_recoding *recoding = flash_recoding();
    kn_error err = {0};
    char first[32];

    (void)state;
    assert_int_equal(apply(recoding, by_flash, "age", next, 4, KN_TYPE_AUTO, first, &err), KN_OK);
    assert_string_equal(first, "old");
    assert_int_equal(apply(recoding, by_flash, "age", alone, 3, KN_TYPE_AUTO, first, &err),
                     KN_EBROKEN); /* one person is young */
    assert_non_null(strstr(err.message, "1 record is at risk"));
    assert_int_equal(apply(recoding, by_flash, "age", unknown, 4, KN_TYPE_AUTO, first, &err),
                     KN_EINPUT);
    assert_int_equal(err.code, KN_ERROR_UNCOVERED);
    assert_string_equal(err.column, "age");
    assert_int_equal(apply(recoding, by_flash, "age", missing, 4, KN_TYPE_AUTO, first, &err),
                     KN_EINPUT);
    kn_recoding_free(recoding);
}

/* A quasi-identifier that the recoding does not have would be published as it is. */
static void covers_every_quasi_identifier(void **state)
{
    static const char none[] = "{\"recoding\": 1, \"columns\": []}";
    kn_value_recoding *recoding;
    kn_error err = {0};
    char first[32];

    (void)state;
    assert_int_equal(kn_recoding_parse(&recoding, none, strlen(none), "r", NULL), KN_OK);
    assert_int_equal(apply(recoding, "{\"qi\": [\"age\"], \"k\": 1}", "age", table, RECORDS,
                           KN_TYPE_AUTO, first, &err),
                     KN_EINPUT);
    assert_int_equal(err.code, KN_ERROR_UNCOVERED);
    assert_string_equal(err.column, "age");
    assert_non_null(strstr(err.message, "'age' is a quasi-identifier"));
    kn_recoding_free(recoding);
}

/* The names of the points of a recoded table, one a line; NULL, with `err`, where it is withheld.
 */
static const char *points_of(const kn_value_recoding *recoding, const char *json,
                             const char *const *values, size_t count, kn_error *err)
{
    static char names[256];
    struct ArrowArrayStream in = stream_of("age", values, count, KN_TYPE_AUTO), out;
    kn_points *points = (kn_points *)(uintptr_t)1;
    const kn_job_data data = {KN_INIT(kn_job_data), .table = &in, .points = &points};
    kn_job *job = job_of(json);
    const kn_status status = kn_job_recode_data(&out, job, recoding, &data, NULL, err);

    names[0] = '\0';
    for (size_t i = 0; i < kn_points_count(points); i++) {
        (void)strcat(strcat(names, kn_points_get(points, i)->name), "\n");
    }
    if (status == KN_OK) {
        out.release(&out);
    } else {
        assert_int_equal(status, KN_EBROKEN);
        assert_null(out.release);
        assert_null(points);
    }
    kn_points_free(points);
    kn_job_free(job);
    return status == KN_OK ? names : NULL;
}

/* The order of the records is that of the table, and may tell what was recoded. */
static void records_that_came_sorted_are_a_point(void **state)
{
    static const char strictly[] = "{\"qi\": [\"age\"], \"k\": 2, \"strict\": true, "
                                   "\"accept_point\": [\"small-k\"]}";
    static const char *const rising[] = {"30", "31", "41", "49"};
    static const char *const mixed[] = {"31", "49", "30", "41"};
    static const char *const equal[] = {"30", "30", "40", "40"};
    kn_value_recoding *recoding = flash_recoding();
    kn_error err = {0};

    (void)state;
    assert_string_equal(points_of(recoding, by_flash, rising, 4, &err), "small-k\nsorted:age\n");
    assert_string_equal(points_of(recoding, by_flash, mixed, 4, &err), "small-k\n");
    assert_string_equal(points_of(recoding, strictly, mixed, 4, &err), "small-k\n");
    assert_null(points_of(recoding, strictly, rising, 4, &err));
    assert_int_equal(err.code, KN_ERROR_POINTS);
    assert_non_null(strstr(err.message, "1 point to settle: sorted:age"));
    kn_recoding_free(recoding);
    /* A column that stays as it is shows its order anyway. */
    recoding = recoding_of(by_flash, "age", equal, 4, KN_TYPE_AUTO, ages);
    assert_string_equal(points_of(recoding, by_flash, equal, 4, &err), "small-k\n");
    kn_recoding_free(recoding);
}

static void is_sql(void **state)
{
    kn_value_recoding *recoding = flash_recoding();
    char *text;

    (void)state;
    assert_int_equal(kn_recoding_sql(&text, recoding, "a \"b\"", NULL), KN_OK);
    assert_non_null(strstr(text, "SELECT\n  CASE\n"));
    assert_non_null(strstr(text, "    WHEN CAST(\"age\" AS VARCHAR) = '49' THEN 'old'\n"));
    assert_non_null(strstr(text, "    ELSE '*'\n  END AS \"age\"\nFROM \"a \"\"b\"\"\"\n"));
    kn_string_free(text);
    kn_recoding_free(recoding);
}

static void local_recoding_has_none(void **state)
{
    static const char *const values[] = {"1", "2", "2", "2", "3", "3"};

    (void)state;
    assert_null(
        recoding_of("{\"qi\": [\"age\"], \"k\": 3, \"method\": \"mondrian\", \"relaxed\": true}",
                    "age", values, 6, KN_TYPE_AUTO, NULL));
}

static void items(void **state)
{
    static const char groups[] =
        "bread;food;*\nmilk;food;*\nwine;drinks;*\nbeer;drinks;*\ngin;drinks;*\n";
    static const char job[] =
        "{\"qi\": [\"items\"], \"guarantee\": [\"km-anonymity\"], \"k\": 2, \"m\": 2}";
    static const char *const baskets[] = {"bread", "bread|milk", "bread|milk", "wine", "beer"};
    static const char *const next[] = {"gin", "beer", "milk|bread", "milk|bread"};
    kn_value_recoding *recoding = recoding_of(job, "items", baskets, 5, KN_TYPE_SET, groups);
    kn_error err = {0};
    char first[32], *text;

    (void)state;
    assert_non_null(recoding);
    assert_int_equal(kn_recoding_json(&text, recoding, NULL), KN_OK);
    assert_non_null(strstr(text, "\"items\": true"));
    assert_non_null(strstr(text, "\"gin\": \"drinks\""));
    assert_non_null(strstr(text, "\"milk\": \"milk\""));
    kn_string_free(text);
    assert_int_equal(apply(recoding, job, "items", next, 4, KN_TYPE_SET, first, &err), KN_OK);
    assert_string_equal(first, "drinks");
    assert_int_equal(kn_recoding_sql(&text, recoding, "t", &err), KN_EUSAGE);
    kn_recoding_free(recoding);
}

static void wrong_json(void **state)
{
    static const char *const wrong[] = {
        "[]",
        "{",
        "{\"recoding\": 2, \"columns\": []}",
        "{\"recoding\": 1, \"columns\": [{}]}",
        "{\"recoding\": 1, \"columns\": [{\"name\": \"a\", \"values\": {\"x\": 1}}]}",
        "{\"recoding\": 1, \"columns\": [{\"name\": \"a\", \"values\": {\"x\": null}}]}",
        "{\"recoding\": 1, \"columns\": [{\"name\": \"a\", \"values\": {}, \"missing\": 3}]}"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        kn_value_recoding *recoding;
        assert_int_equal(kn_recoding_parse(&recoding, wrong[i], strlen(wrong[i]), "r", NULL),
                         KN_EINPUT);
        assert_null(recoding);
    }
}

/* Any allocation may fail: the recoding is found, written, read and applied, or nothing is left
 * behind. */
static void survives_failing_allocations(void **state)
{
    static const char *const next[] = {"49", "41", "30", "31"};
    const size_t before = kn_memory_in_use();
    size_t n = 0;
    bool failed = true;

    (void)state;
    while (failed) {
        struct ArrowArrayStream in = stream_of("age", table, RECORDS, KN_TYPE_AUTO), out = {0};
        struct ArrowArrayStream second = stream_of("age", next, 4, KN_TYPE_AUTO), made = {0};
        kn_value_recoding *recoding = NULL, *again = NULL;
        const kn_job_data data = {KN_INIT(kn_job_data), .table = &in,
                                  .hierarchies = hierarchies_of("age", ages),
                                  .recoding = &recoding};
        const kn_job_data later = {KN_INIT(kn_job_data), .table = &second};
        kn_job *job = job_of(by_flash);
        kn_status status;
        char *text = NULL, *sql = NULL;

        kn__memory_fail_after(++n);
        status = kn_job_run_data(&out, NULL, job, &data, NULL, NULL);
        status = status == KN_OK ? kn_recoding_json(&text, recoding, NULL) : status;
        status = status == KN_OK ? kn_recoding_sql(&sql, recoding, "t", NULL) : status;
        status = status == KN_OK ? kn_recoding_parse(&again, text, strlen(text), "r", NULL)
                                 : status;
        status = status == KN_OK ? kn_job_recode_data(&made, job, again, &later, NULL, NULL)
                                 : status;
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        assert_true(status == (failed ? KN_ENOMEM : KN_OK));
        if (out.release) {
            out.release(&out);
        }
        if (made.release) {
            made.release(&made);
        }
        if (second.release) {
            second.release(&second);
        }
        kn_string_free(text);
        kn_string_free(sql);
        kn_recoding_free(again);
        kn_recoding_free(recoding);
        kn_job_free(job);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_true(n > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_found),
        cmocka_unit_test(is_applied),
        cmocka_unit_test(covers_every_quasi_identifier),
        cmocka_unit_test(records_that_came_sorted_are_a_point),
        cmocka_unit_test(is_sql),
        cmocka_unit_test(local_recoding_has_none),
        cmocka_unit_test(items),
        cmocka_unit_test(wrong_json),
        cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
