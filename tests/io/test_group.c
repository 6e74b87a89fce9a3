/* Rows grouped by a key, other files joined, item columns put together: against an oracle, in every
 * format, with everything that can be wrong, and with failing allocations. */
#include "io/io_test.h"
#include "data/rows/group.h"
#include "data/schema.h"
#include "oracle/group.h"
#include "rounds.h"

static kn_schema *schema_of(const char *json)
{
    kn_schema *s = NULL;
    kn_error err = {0};

    if (kn__schema_parse(&s, "test", json, strlen(json), NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return s;
}

static kn_dataset *read_with(const char *path, const char *json)
{
    kn_schema *s = schema_of(json);
    const kn_read_options options = {.schema = s};
    kn_dataset *ds = must_read(path, &options);

    kn_schema_free(s);
    return ds;
}

static kn_status try_read(const char *path, const char *json, bool released, kn_dataset **ds,
                          kn_error *err)
{
    kn_schema *s = NULL;
    kn_status status = kn__schema_parse(&s, "test", json, strlen(json), NULL, err);
    const kn_read_options options = {.schema = s, .released = released};

    *ds = NULL;
    if (status == KN_OK) {
        status = kn_read(ds, path, &options, NULL, err);
    }
    kn_schema_free(s);
    return status;
}

static void refused(const char *path, const char *json, const char *words)
{
    kn_dataset *ds;
    kn_error err = {0};
    const kn_status status = try_read(path, json, false, &ds, &err);

    assert_null(ds);
    assert_true(status == KN_EINPUT || status == KN_EUSAGE);
    if (!strstr(err.message, words)) {
        fail_msg("wanted: %s\nsaid: %s", words, err.message);
    }
}

static void assert_cell(const kn_dataset *ds, const char *column, size_t record, const char *wanted)
{
    const size_t at = kn_dataset_find(ds, column);

    assert_true(at != SIZE_MAX);
    assert_string_equal(cell_text(ds, at, record), wanted);
}

/* ---- against the oracle ---- */

enum { K1, K2, AGE, TOWN, DRUG, CODE1, CODE2, COLUMNS };
static const char *const names[COLUMNS] = {"k1", "k2", "age", "town", "drug", "code1", "code2"};

static void random_rows(kn_rng *r, oracle_rows *t)
{
    const uint64_t people = 1 + kn__rng_below(r, 9);

    t->rows = 1 + (size_t)kn__rng_below(r, ORACLE_ROWS);
    for (size_t i = 0; i < t->rows; i++) {
        snprintf(t->cell[i][K1], ORACLE_CELL, "p%d", (int)kn__rng_below(r, people));
        snprintf(t->cell[i][K2], ORACLE_CELL, "q%d", (int)kn__rng_below(r, 2));
        for (size_t c = AGE; c < COLUMNS; c++) {
            static const char *const texts[] = {"", "a", "b", "c", "?", "dd", "", "a"};
            char *cell = t->cell[i][c];
            strcpy(cell, texts[kn__rng_below(r, 8)]);
            if (c >= DRUG && kn__rng_below(r, 3) == 0) {
                strcat(strcat(cell, "|"), texts[kn__rng_below(r, 8)]);
            }
        }
    }
}

/* One of three: commas, tabs, or JSON Lines with lists. */
static const char *write_rows(const oracle_rows *t, int form)
{
    static const char *const paths[] = {"rows.csv", "rows.tsv", "rows.jsonl"};
    const char separator = form == 1 ? '\t' : ',';
    FILE *f = fopen(paths[form], "wb");

    assert_non_null(f);
    for (size_t c = 0; form < 2 && c < COLUMNS; c++) {
        fprintf(f, "%s%c", names[c], c + 1 < COLUMNS ? separator : '\n');
    }
    for (size_t i = 0; i < t->rows; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            const char *cell = t->cell[i][c], *bar = strchr(cell, '|');
            if (form < 2) {
                fprintf(f, "%s%c", cell, c + 1 < COLUMNS ? separator : '\n');
            } else if (c >= DRUG && bar) {
                fprintf(f, ", \"%s\": [\"%.*s\", \"%s\"]", names[c], (int)(bar - cell), cell,
                        bar + 1);
            } else if (c >= DRUG) {
                fprintf(f, ", \"%s\": [\"%s\"]", names[c], cell);
            } else if (*cell) {
                fprintf(f, "%s\"%s\": \"%s\"", c ? ", " : "{", names[c], cell);
            } else {
                fprintf(f, ", \"%s\": null", names[c]);
            }
        }
        fprintf(f, form == 2 ? "}\n" : "");
    }
    (void)fclose(f);
    return paths[form];
}

static void check_round(kn_rng *r, int round)
{
    static oracle_rows t;
    static oracle_list list;
    const bool two = kn__rng_below(r, 2), bag = kn__rng_below(r, 2);
    const size_t keys[] = {K1, K2};
    size_t record_of[ORACLE_ROWS], first[ORACLE_ROWS], records;
    char json[600], wanted[1 << 14];
    size_t differ[COLUMNS] = {0};
    kn_dataset *ds;

    random_rows(r, &t);
    snprintf(json, sizeof json,
             "{\"group_by\": [\"k1\"%s], \"collect\": {\"drug\": [\"drug\"], \"codes\": "
             "[\"code1\", \"code2\"]}, \"nulls\": [\"?\"], \"columns\": {%s \"codes\": {\"type\": "
             "\"%s\"}, \"k1\": {\"role\": \"kept\"}}}",
             two ? ", \"k2\"" : "", two ? "\"k2\": {\"role\": \"kept\"}," : "",
             bag ? "bag" : "auto");
    records = oracle_records(&t, keys, 1 + two, record_of, first);
    ds = read_with(write_rows(&t, round % 3), json);
    assert_int_equal(kn_dataset_records(ds), records);
    assert_int_equal(kn_dataset_columns(ds), COLUMNS - 1);
    assert_int_equal(kn_dataset_type(ds, kn_dataset_find(ds, "drug")), KN_TYPE_SET);
    assert_int_equal(kn_dataset_type(ds, kn_dataset_find(ds, "codes")),
                     bag ? KN_TYPE_BAG : KN_TYPE_SET);
    for (size_t g = 0; g < records; g++) {
        for (size_t c = K1; c <= TOWN; c++) {
            bool others;
            assert_cell(ds, names[c], g, oracle_first(&t, record_of, g, c, &others));
            differ[c] += others;
        }
        for (int codes = 0; codes < 2; codes++) {
            list.count = 0;
            for (size_t i = 0; i < t.rows; i++) {
                for (size_t c = codes ? CODE1 : DRUG; c <= (codes ? CODE2 : DRUG); c++) {
                    if (record_of[i] == g) {
                        oracle_add(&list, t.cell[i][c], "?", "");
                    }
                }
            }
            oracle_cell(&list, codes && bag, wanted);
            assert_cell(ds, codes ? "codes" : "drug", g, wanted);
        }
    }
    for (size_t c = K1; c <= TOWN; c++) {
        snprintf(wanted, sizeof wanted, "'%s' in %zu", names[c], differ[c]);
        assert_true(!differ[c] ==
                    !(kn_dataset_notes(ds) && strstr(kn_dataset_note(ds, 0), wanted)));
    }
    assert_int_equal(kn_dataset_notes(ds), differ[K2] + differ[AGE] + differ[TOWN] > 0);
    kn_dataset_free(ds);
}

static void test_oracle(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 11, 0);
    for (int round = 0; round < test_rounds(3000); round++) {
        check_round(&r, round);
    }
}

static void test_join_oracle(void **state)
{
    static oracle_rows t;
    static oracle_list list;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 12, 0);
    for (int round = 0; round < test_rounds(1000); round++) {
        const size_t people = 1 + (size_t)kn__rng_below(&r, 9);
        size_t lost = 0, matched = 0;
        bool seen[16] = {false};
        char wanted[1 << 14];
        kn_dataset *ds;
        kn_error err;
        FILE *f = fopen("people.csv", "wb");

        random_rows(&r, &t);
        write_rows(&t, 0);
        fprintf(f, "id,sex\n");
        for (size_t p = 0; p < people; p++) {
            fprintf(f, "p%zu,%c\n", people - 1 - p, p % 2 ? 'f' : 'm');
        }
        (void)fclose(f);
        for (size_t i = 0; i < t.rows; i++) {
            const size_t who = (size_t)(t.cell[i][K1][1] - '0');
            lost += !seen[who] && who >= people;
            matched += who < people;
            seen[who] = true;
        }
        if (try_read("people.csv",
                     "{\"join\": {\"codes\": {\"file\": \"rows.csv\", \"on\": \"id\", \"key\": "
                     "\"k1\", \"columns\": [\"code1\", \"code2\"]}, \"drugs\": {\"file\": "
                     "\"rows.csv\", \"on\": \"id\", \"key\": \"k1\", \"columns\": [\"drug\"]}}, "
                     "\"together\": {\"items\": [\"codes\", \"sex\", \"drugs\"]}, \"nulls\": "
                     "[\"?\"]}",
                     false, &ds, &err) != KN_OK) {
            assert_int_equal(matched, 0);
            assert_non_null(strstr(err.message, "of any record"));
            continue;
        }
        assert_true(matched > 0);
        assert_int_equal(kn_dataset_records(ds), people);
        assert_int_equal(kn_dataset_columns(ds), 2);
        assert_string_equal(kn_dataset_name(ds, 1), "items");
        assert_int_equal(kn_dataset_role(ds, 0), KN_ROLE_IDENTIFIER);
        assert_int_equal(kn_dataset_values(ds, 0), 0); /* forgotten */
        assert_int_equal(kn_dataset_notes(ds), lost ? 2 : 0);
        for (size_t p = 0; p < people; p++) {
            list.count = 0;
            oracle_add(&list, p % 2 ? "f" : "m", "", "sex:");
            for (size_t i = 0; i < t.rows; i++) {
                if ((size_t)(t.cell[i][K1][1] - '0') == people - 1 - p) {
                    oracle_add(&list, t.cell[i][CODE1], "?", "codes:");
                    oracle_add(&list, t.cell[i][CODE2], "?", "codes:");
                    oracle_add(&list, t.cell[i][DRUG], "?", "drugs:");
                }
            }
            oracle_cell(&list, false, wanted);
            assert_cell(ds, "items", p, wanted);
        }
        assert_non_null(ds->column[1].dict);
        kn_dataset_free(ds);
    }
}

/* ---- what it means ---- */

static const char visits[] = "patient,name,age,drug,code\n"
                             "2,Bo,41,x,1\n"
                             "1,Al,30,y,\n"
                             "2,Bo,42,z|x,2\n"
                             "1,Al,,y,3\n";
static const char by_patient[] =
    "{\"group_by\": [\"patient\"], \"collect\": {\"drug\": [\"drug\"], "
    "\"code\": [\"code\"]}, \"columns\": {\"name\": {\"role\": "
    "\"identifier\"}}}";

static void test_key_is_an_identifier(void **state)
{
    kn_schema *s = schema_of(by_patient);
    const kn_read_options whole = {.schema = s, .keep_dropped = true};
    kn_dataset *ds;

    (void)state;
    put_text("visits.csv", visits);
    ds = read_with("visits.csv", by_patient);
    assert_int_equal(kn_dataset_records(ds), 2);
    assert_int_equal(kn_dataset_role(ds, 0), KN_ROLE_IDENTIFIER);
    assert_null(ds->column[0].dict);
    assert_int_equal(ds->column[0].order, KN_ORDER_DESCENDING);
    assert_null(ds->column[1].dict);
    assert_cell(ds, "age", 0, "41");
    assert_cell(ds, "age", 1, "30");
    assert_int_equal(kn_dataset_values(ds, 2), 2); /* 42 and the missing one are gone */
    assert_int_equal(kn_dataset_missing(ds, 2), KN_NO_CODE);
    assert_int_equal(ds->column[2].order, KN_ORDER_DESCENDING);
    assert_cell(ds, "drug", 0, "x|z");
    assert_cell(ds, "code", 1, "3");
    assert_int_equal(kn_dataset_notes(ds), 1);
    assert_string_equal(kn_dataset_note(ds, 0),
                        "rows with one key differ, and the first value is taken: 'age' in 1 of 2 "
                        "groups");
    must_write(ds, "grouped.csv", NULL);
    assert_string_equal(get_text("grouped.csv"), "age,drug,code\n41,x|z,1|2\n30,y,3\n");
    kn_dataset_free(ds);
    ds = must_read("visits.csv", &whole);
    assert_cell(ds, "patient", 1, "1");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

/* What was grouped before is read as it is: without the key as a release, with the key by grouping
 * it again. */
static void test_made_before(void **state)
{
    kn_dataset *ds;
    kn_error err;

    (void)state;
    put_text("grouped.csv", "age,drug,code\n41,x|z,1|2\n30,y,*\n41,x,1\n");
    assert_int_equal(try_read("grouped.csv", by_patient, true, &ds, &err), KN_OK);
    assert_int_equal(kn_dataset_records(ds), 3);
    assert_cell(ds, "drug", 0, "x|z");
    assert_cell(ds, "code", 1, "*");
    assert_int_equal(kn_dataset_type(ds, 1), KN_TYPE_SET);
    assert_int_equal(kn_dataset_notes(ds), 1);
    assert_string_equal(kn_dataset_note(ds, 0),
                        "there is no column 'patient' in grouped.csv: its rows are taken for "
                        "records that were grouped before");
    kn_dataset_free(ds);
    refused("grouped.csv", by_patient,
            "grouped.csv: there is no column 'patient' to group by; its "
            "columns are age, drug, code");
    put_text("keyed.csv", "patient,age,drug,code\n2,41,x|z,1|2\n1,30,y,3\n");
    assert_int_equal(try_read("keyed.csv", by_patient, true, &ds, &err), KN_OK);
    assert_int_equal(kn_dataset_records(ds), 2);
    assert_cell(ds, "code", 0, "1|2");
    assert_int_equal(kn_dataset_notes(ds), 0);
    kn_dataset_free(ds);
    /* several columns in one set */
    put_text("set.csv", "age,codes\n41,1|2\n30,3\n");
    assert_int_equal(try_read("set.csv",
                              "{\"group_by\": [\"p\"], \"collect\": {\"codes\": [\"c1\", \"c2\"]}}",
                              true, &ds, &err),
                     KN_OK);
    assert_cell(ds, "codes", 0, "1|2");
    kn_dataset_free(ds);
    /* joined and put together */
    put_text("joined.csv", "age,items\n41,a:1|b:2\n");
    assert_int_equal(try_read("joined.csv",
                              "{\"join\": {\"a\": {\"file\": \"none.csv\", \"on\": \"p\", "
                              "\"columns\": [\"c\"]}}, \"together\": {\"items\": [\"a\", \"b\"]}}",
                              true, &ds, &err),
                     KN_OK);
    assert_int_equal(kn_dataset_type(ds, 1), KN_TYPE_SET);
    assert_cell(ds, "items", 0, "a:1|b:2");
    kn_dataset_free(ds);
}

static void test_refused(void **state)
{
    (void)state;
    put_text("visits.csv", visits);
    put_text("holes.csv", "patient,age\n1,2\n,3\n1,4\n,5\n");
    put_text("twice.csv", "patient,code\n1,a\n1,b\n");
    put_text("others.csv", "patient,code\n8,a\n9,b\n");
    put_text("people.csv", "patient,age\n1,30\n2,31\n");
    put_text("nobody.csv", "patient,age\n1,30\n,31\n");
    put_text("colon.csv", "patient,a:b,c\n1,30,2\n");
    put_text("long.csv", "patient,code\n1,a\n");
    refused("holes.csv", "{\"group_by\": [\"patient\"]}",
            "holes.csv: 2 rows have no value in 'patient', the first is record 2");
    refused(
        "visits.csv", "{\"group_by\": [\"pateint\"]}",
        "there is no column 'pateint' to group by; did you mean 'patient'? Its columns are patient, name, age");
    refused("visits.csv", "{\"group_by\": [\"patient\", \"patient\"]}", "named twice");
    refused("visits.csv",
            "{\"group_by\": [\"patient\"], \"collect\": {\"c\": [\"code\", \"kode\"]}}",
            "set 'c': there is no column 'kode'");
    refused("visits.csv", "{\"group_by\": [\"patient\"], \"collect\": {\"age\": [\"code\"]}}",
            "there is a column of that name");
    refused("visits.csv",
            "{\"group_by\": [\"patient\"], \"collect\": {\"patient\": [\"patient\"]}}",
            "'patient' holds lists");
    refused("visits.csv", "{\"group_by\": [\"code\"], \"collect\": {\"c\": [\"code\"]}}",
            "there is no column 'code' to group by");
    refused("visits.csv",
            "{\"group_by\": [\"patient\"], \"bags\": {\"b\": [\"code\"]}, \"collect\": {\"c\": "
            "[\"code\"]}}",
            "column 'code' is in bag 'b' and in set 'c'");
    refused("visits.csv", "{\"group_by\": \"patient\"}", "'group_by' must be a list of texts");
    refused("visits.csv", "{\"collect\": [\"drug\"]}", "'collect' must be an object");
    refused("visits.csv", "{\"collect\": {\"drug\": []}}", "names no columns");
    refused("visits.csv",
            "{\"group_by\": [\"patient\"], \"collect\": {\"drug\": [\"drug\"]}, \"columns\": "
            "{\"drug\": {\"type\": \"integer\"}}}",
            "declared as integer");
    refused("people.csv", "{\"join\": {\"c\": {\"file\": \"others.csv\"}}}", "must be objects");
    refused("people.csv", "{\"join\": {\"c\": {\"files\": \"others.csv\"}}}",
            "unknown key 'files'");
    refused("people.csv", "{\"join\": {\"c\": {\"file\": \"others.csv\", \"on\": \"patient\"}}}",
            "'columns' must be a list");
#define JOIN(file, on, key, column)                                                   \
    "{\"join\": {\"c\": {\"file\": \"" file "\", \"on\": \"" on "\", \"key\": \"" key \
    "\", \"columns\": [\"" column "\"]}}}"
    refused("people.csv", JOIN("absent.csv", "patient", "patient", "code"),
            "absent.csv: there is no such file");
    refused("people.csv", JOIN("others.csv", "patient", "patient", "code"),
            "no 'patient' of others.csv is the 'patient' of any record");
    refused("people.csv", JOIN("twice.csv", "person", "patient", "code"),
            "people.csv: there is no column 'person' to join on");
    refused("people.csv", JOIN("twice.csv", "patient", "person", "code"),
            "twice.csv: there is no column 'person' to group by");
    refused("people.csv", JOIN("twice.csv", "patient", "patient", "kode"),
            "twice.csv: set 'c': there is no column 'kode'");
    refused("people.csv", JOIN("holes.csv", "patient", "patient", "age"),
            "holes.csv: 2 rows have no value in 'patient'");
    refused("nobody.csv", JOIN("twice.csv", "patient", "patient", "code"),
            "'patient' is empty in some records");
    refused("twice.csv", JOIN("people.csv", "patient", "patient", "age"),
            "does not tell all records apart");
    refused("people.csv",
            "{\"join\": {\"age\": {\"file\": \"twice.csv\", \"on\": \"patient\", \"columns\": "
            "[\"code\"]}}}",
            "join 'age': there is a column of that name");
    refused("visits.csv", "{\"together\": {\"i\": [\"drug\", \"kode\"]}}",
            "item column 'i': there is no column 'kode'");
    refused("visits.csv", "{\"together\": {\"i\": [\"kode\", \"kote\"]}}", "no column 'kode'");
    refused("visits.csv", "{\"together\": {\"age\": [\"drug\", \"code\"]}}", "of that name");
    refused("visits.csv",
            "{\"together\": {\"i\": [\"drug\", \"name\"]}, \"columns\": {\"name\": {\"role\": "
            "\"identifier\"}}}",
            "column 'name' is left out of what is published (identifier)");
    refused("colon.csv", "{\"together\": {\"i\": [\"a:b\", \"c\"]}}", "has a colon in its name");
    refused("visits.csv",
            "{\"together\": {\"i\": [\"drug\", \"code\"]}, \"columns\": {\"i\": {\"type\": "
            "\"numbers\"}}}",
            "can be a set or a bag");
    refused("visits.csv", "{\"together\": {\"i\": [\"drug\"], \"j\": [\"drug\"]}}",
            "column 'drug' is in item column 'i' and in item column 'j'");
    {
        kn_schema *s = schema_of("{\"group_by\": [\"patient\"]}");
        const kn_read_options options = {.schema = s,
                                         .layout = &(const kn_layout){.format = KN_FORMAT_LONG}};
        kn_dataset *ds;
        kn_error err;
        assert_int_equal(kn_read(&ds, "long.csv", &options, NULL, &err), KN_EUSAGE);
        assert_non_null(strstr(err.message, "leave --group-by out"));
        kn_schema_free(s);
    }
}

/* No key's value may show in a message, whatever is wrong with it. */
static void test_keys_are_not_shown(void **state)
{
    kn_dataset *ds;
    kn_error err;

    (void)state;
    put_text("secret.csv", "patient,age\nSecret1,30\nSecret2,31\n");
    assert_int_equal(try_read("secret.csv",
                              "{\"group_by\": [\"patient\"], \"columns\": {\"patient\": {\"type\": "
                              "\"integer\"}}}",
                              false, &ds, &err),
                     KN_EINPUT);
    assert_null(strstr(err.message, "Secret"));
}

/* The joined file is not overwritten by what was read with its help. */
static void test_joined_file_is_safe(void **state)
{
    kn_dataset *ds;
    kn_error err;

    (void)state;
    put_text("people.csv", "patient,age\n1,30\n2,31\n");
    put_text("rows.csv", "patient,code\n1,a\n1,b\n");
    ds = read_with("people.csv", JOIN("rows.csv", "patient", "patient", "code"));
    assert_cell(ds, "c", 0, "a|b");
    assert_cell(ds, "c", 1, "");
    assert_int_equal(kn_write(ds, "rows.csv", NULL, NULL, &err), KN_EUSAGE);
    assert_string_equal(get_text("rows.csv"), "patient,code\n1,a\n1,b\n");
    kn_dataset_free(ds);
}

/* ---- sizes and threads ---- */

static void test_large(void **state)
{
    enum { ROWS = 1000000 };
    kn_dataset *ds;
    FILE *f = fopen("large.csv", "wb");

    (void)state;
    assert_non_null(f);
    fprintf(f, "one,each,half,code\n");
    for (size_t i = 0; i < ROWS; i++) {
        fprintf(f, "x,%zu,%zu,%zu\n", i, i % (ROWS / 2), i * 7919 % 1000);
    }
    (void)fclose(f);
    ds = read_with("large.csv", "{\"group_by\": [\"one\"], \"collect\": {\"code\": [\"code\"]}}");
    assert_int_equal(kn_dataset_records(ds), 1); /* one huge group */
    assert_int_equal(ds->column[3].starts[1], 1000);
    assert_cell(ds, "each", 0, "0");
    kn_dataset_free(ds);
    ds = read_with("large.csv", "{\"group_by\": [\"each\"], \"collect\": {\"code\": [\"code\"]}}");
    assert_int_equal(kn_dataset_records(ds), ROWS); /* a key a row */
    assert_int_equal(kn_dataset_notes(ds), 0);
    kn_dataset_free(ds);
    ds = read_with("large.csv",
                   "{\"group_by\": [\"half\", \"one\"], \"collect\": {\"code\": [\"code\"]}}");
    assert_int_equal(kn_dataset_records(ds), ROWS / 2);
    assert_cell(ds, "each", 12345, "12345");
    kn_dataset_free(ds);
    (void)remove("large.csv");
}

static void test_threads(void **state)
{
    static oracle_rows t;
    kn_rng r;
    kn_schema *s = schema_of(
        "{\"group_by\": [\"k1\", \"k2\"], \"collect\": {\"codes\": [\"code1\", "
        "\"code2\"]}, \"together\": {\"all\": [\"codes\", \"drug\"]}, \"columns\": "
        "{\"drug\": {\"type\": \"set\"}}}");

    (void)state;
    kn__rng_seed(&r, 13, 0);
    for (int round = 0; round < 50; round++) {
        char text[1 << 14];
        const kn_read_options options = {.schema = s};
        const char *path;
        random_rows(&r, &t);
        path = write_rows(&t, 0);
        for (unsigned threads = 1; threads <= 5; threads += 2) {
            const kn_run run = {.threads = threads};
            const kn_read_sizes sizes = {.block = 64};
            kn_dataset *ds;
            kn_error err;
            assert_int_equal(kn__read_sized(&ds, path, &options, &sizes, &run, &err), KN_OK);
            must_write(ds, "threads.csv", NULL);
            if (threads == 1) {
                strcpy(text, get_text("threads.csv"));
            }
            assert_string_equal(get_text("threads.csv"), text);
            kn_dataset_free(ds);
        }
    }
    kn_schema_free(s);
}

/* Built in memory, rows are grouped, too; joins need files. */
static void test_builder(void **state)
{
    static const char *const columns[] = {"patient", "age", "drug"};
    static const char *const rows[][3] = {
        {"1", "30", "x"}, {"2", "31", "y"}, {"1", "30", "z"}, {"1", NULL, NULL}};
    kn_schema *s = schema_of("{\"group_by\": [\"patient\"], \"collect\": {\"drug\": [\"drug\"]}}");
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_error err;

    (void)state;
    assert_int_equal(kn_dataset_builder_new(&b, columns, 3, s, &err), KN_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(kn_dataset_builder_add(b, rows[i], &err), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, &err), KN_OK);
    assert_int_equal(kn_dataset_records(ds), 2);
    assert_cell(ds, "drug", 0, "x|z");
    assert_int_equal(kn_dataset_role(ds, 0), KN_ROLE_IDENTIFIER);
    kn_dataset_free(ds);
    assert_int_equal(kn_schema_set_join(s, "c", "x.csv", "patient", "p", columns, 1, &err), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, columns, 3, s, &err), KN_EUSAGE);
    kn_schema_free(s);
}

static void test_no_memory(void **state)
{
    static const char json[] =
        "{\"group_by\": [\"k1\", \"k2\"], \"collect\": {\"codes\": [\"code1\", \"code2\"]}, "
        "\"nulls\": [\"?\"], \"join\": {\"more\": {\"file\": \"twice.csv\", \"on\": \"k1\", \"key\": "
        "\"patient\", \"columns\": [\"code\"]}}, \"together\": {\"all\": [\"codes\", \"more\"]}}";
    kn_schema *s = schema_of(json), *copy = NULL;
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    kn_status status = KN_ENOMEM;

    (void)state;
    put_text("memory.csv", "k1,k2,age,code1,code2\n1,a,30,x,y\n2,a,31,x,?\n1,a,32,z,y\n");
    put_text("twice.csv", "patient,code\n1,a\n1,b\n7,c\n");
    for (size_t n = 1; status == KN_ENOMEM; n++) {
        kn_dataset *ds = NULL;
        kn_error err = {0};
        kn__memory_fail_after(n);
        status = kn__schema_copy(&copy, s, &err);
        if (status == KN_OK) {
            const kn_read_options options = {.schema = copy};
            status = kn_read(&ds, "memory.csv", &options, &run, &err);
        }
        kn__memory_fail_after(0);
        if (status == KN_OK) {
            assert_cell(ds, "all", 0, "codes:x|codes:y|codes:z|more:a|more:b");
            assert_int_equal(kn_dataset_notes(ds), 2);
        }
        kn_dataset_free(ds);
        kn_schema_free(copy);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_OK);
    kn_schema_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_join_oracle),
        cmocka_unit_test(test_key_is_an_identifier),
        cmocka_unit_test(test_made_before),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_keys_are_not_shown),
        cmocka_unit_test(test_joined_file_is_safe),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_builder),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
