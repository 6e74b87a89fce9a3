/* test_api.c - the library as a user of it sees it: <kanon.h>, the shared library, nothing else. */
#include <kanon.h>

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RECORDS 400

static const char *const names[] = {"name", "age", "town", "illness"};
enum { COLUMNS = 4 };

/* ---- a folder to work in, and what is left in it ---- */

static size_t files_here(void)
{
    DIR *folder = opendir(".");
    size_t count = 0;

    assert_non_null(folder);
    for (const struct dirent *e; (e = readdir(folder)) != NULL;) {
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    }
    (void)closedir(folder);
    return count;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static int enter_folder(void **state)
{
    char *folder = strdup("api-XXXXXX");

    *state = folder;
    return folder && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");

    for (const struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        (void)unlink(e->d_name);
    }
    if (folder) {
        (void)closedir(folder);
    }
    if (chdir("..") != 0 || rmdir(*state) != 0) {
        return -1;
    }
    free(*state);
    return 0;
}

/* ---- a table ---- */

static kn_schema *a_schema(void)
{
    static const kn_role roles[COLUMNS] = {KN_ROLE_IDENTIFIER, KN_ROLE_QUASI, KN_ROLE_QUASI,
                                           KN_ROLE_SENSITIVE};
    kn_schema *schema;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t i = 0; i < COLUMNS; i++) {
        assert_int_equal(kn_schema_set_role(schema, names[i], roles[i], NULL), KN_OK);
    }
    return schema;
}

static kn_dataset *a_table(size_t records)
{
    static const char *const towns[] = {"Graz", "Linz", "Wels", "Bonn", "Ulm"};
    static const char *const illnesses[] = {"flu", "cold", "gout"};
    kn_schema *schema = a_schema();
    kn_dataset_builder *builder;
    kn_dataset *table;

    assert_int_equal(kn_dataset_builder_new(&builder, names, COLUMNS, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        char name[32], age[8];
        const uint64_t mix = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        const char *const values[COLUMNS] = {name, age, towns[(mix >> 20) % 5],
                                             illnesses[(mix >> 30) % 3]};
        (void)snprintf(name, sizeof name, "person %zu", i);
        (void)snprintf(age, sizeof age, "%d", 18 + (int)((mix >> 40) % 60));
        assert_int_equal(kn_dataset_builder_add(builder, values, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&table, builder, NULL), KN_OK);
    kn_schema_free(schema);
    return table;
}

static kn_hierarchies *ages_in_ranges(const kn_dataset *table)
{
    const kn_build_options how = {.kind = KN_BUILD_WIDTH, .width = 10};
    kn_hierarchies *hs;
    kn_hierarchy *h;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchy_build(&h, table, kn_dataset_find(table, "age"), &how, NULL),
                     KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "age", h, NULL), KN_OK);
    assert_ptr_equal(kn_hierarchies_get(hs, "age"), h);
    assert_null(kn_hierarchies_get(hs, "town"));
    return hs;
}

static const kn_guarantee five = {.kind = KN_K_ANONYMITY, .k = 5};

static kn_anonymize_options options_for(const char *method)
{
    return (kn_anonymize_options){.guarantees = &five, .guarantees_count = 1, .method = method};
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static bool file_holds(const char *path, const char *text)
{
    char content[1 << 16];
    FILE *f = fopen(path, "r");
    size_t len;

    assert_non_null(f);
    len = fread(content, 1, sizeof content - 1, f);
    content[len] = '\0';
    (void)fclose(f);
    return strstr(content, text) != NULL;
}

/* ---- the main flow ---- */

static void with_method(const char *method)
{
    kn_dataset *table = a_table(RECORDS);
    kn_hierarchies *hs = ages_in_ranges(table);
    kn_anonymize_options options = options_for(method);
    kn_release *release;
    kn_outcome outcome;
    kn_error err;
    double loss;

    assert_int_equal(kn_anonymize(&release, table, hs, &options, NULL, &err), KN_OK);
    assert_string_equal(kn_release_method(release), method ? method : "local");
    assert_int_equal(kn_release_suppressed(release), 0);
    assert_int_equal(kn_dataset_records(kn_release_data(release)), RECORDS);
    assert_int_equal(kn_dataset_find(kn_release_data(release), "name"), SIZE_MAX);
    for (size_t i = 0; i < RECORDS; i++) {
        assert_int_equal(kn_release_origin(release, i), i);
    }

    assert_int_equal(kn_publish(&outcome, release, "public.csv", NULL, NULL, &err), KN_OK);
    assert_true(kn_verdict_holds(outcome.verdict));
    assert_true(kn_verdict_achieved(outcome.verdict, 0) >= 5);
    assert_int_equal(kn_verdict_violations(outcome.verdict), 0);
    assert_int_equal(kn_dataset_records(outcome.published), RECORDS);
    loss = kn_measures_value(outcome.measures, "loss", NULL);
    assert_true(loss > 0 && loss < 1);
    assert_true(isnan(kn_measures_value(outcome.measures, "no such measure", NULL)));
    assert_int_equal(files_here(), 1);
    assert_false(file_holds("public.csv", "person"));
    kn_outcome_clear(&outcome);
    assert_null(outcome.verdict);
    kn_outcome_clear(&outcome); /* twice is fine */

    assert_int_equal(kn_publish(NULL, release, "again.csv", NULL, NULL, NULL), KN_OK);
    assert_true(is_there("again.csv"));
    kn_release_free(release);
    kn_hierarchies_free(hs);
    kn_dataset_free(table);
}

static void test_local(void **state)
{
    (void)state;
    with_method(NULL);
}

static void test_flash(void **state)
{
    (void)state;
    with_method("flash");
}

static void test_mondrian(void **state)
{
    (void)state;
    with_method("mondrian");
}

/* What is written can be read, checked and measured from the file alone. */
static void test_file_to_file(void **state)
{
    kn_dataset *table = a_table(RECORDS), *original, *public;
    kn_schema *schema = a_schema();
    kn_read_options how = {.schema = schema, .hash = true, .released = true};
    kn_anonymize_options options = options_for("mondrian");
    kn_release *release;
    kn_verdict *verdict;
    kn_measures *measures;
    kn_query_error queries;
    kn_mining mining;
    kn_risk risk;

    (void)state;
    /* An identifier is never written, so an original with names has to come from elsewhere. */
    assert_int_equal(kn_write(table, "original.csv", NULL, NULL, NULL), KN_OK);
    assert_false(file_holds("original.csv", "person"));
    assert_int_equal(kn_read(&original, "original.csv", &how, NULL, NULL), KN_OK);
    assert_int_equal(strlen(kn_dataset_sha256(original)), 64);
    assert_int_equal(kn_dataset_layout(original)->separator, ',');

    assert_int_equal(kn_check(&verdict, original, &five, 1, NULL, NULL, NULL), KN_OK);
    assert_false(kn_verdict_holds(verdict));
    assert_true(kn_verdict_violations(verdict) > 0);
    assert_true(kn_verdict_violation(verdict, 0)->size < 5);
    kn_verdict_free(verdict);

    assert_int_equal(kn_anonymize(&release, original, NULL, &options, NULL, NULL), KN_OK);
    assert_int_equal(kn_publish(NULL, release, "public.csv.gz", NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "age", KN_TYPE_CATEGORY, NULL), KN_OK);
    assert_int_equal(kn_read(&public, "public.csv.gz", &how, NULL, NULL), KN_OK);
    assert_int_equal(kn_check(&verdict, public, &five, 1, NULL, NULL, NULL), KN_OK);
    assert_true(kn_verdict_holds(verdict));
    assert_int_equal(kn_measure(&measures, original, public, NULL, NULL, NULL, NULL), KN_OK);
    assert_true(kn_measures_value(measures, "loss", NULL) > 0);
    assert_true(kn_measures_value(measures, "loss", "age") > 0);
    assert_int_equal(kn_query_error_measure(&queries, original, public, NULL, NULL, NULL, NULL),
                     KN_OK);
    assert_true(queries.queries == 100 && queries.mean > 0 && queries.median >= 0);
    assert_int_equal(kn_mining_measure(&mining, original, public, NULL, NULL, NULL, NULL),
                     KN_EUSAGE);
    kn_mining_clear(&mining);
    assert_int_equal(kn_risk_measure(&risk, public, NULL, 0.2, NULL, NULL), KN_OK);
    assert_true(risk.prosecutor_max <= 0.2 && risk.unique == 0);
    kn_measures_free(measures);
    kn_verdict_free(verdict);
    kn_release_free(release);
    kn_dataset_free(public);
    kn_dataset_free(original);
    kn_schema_free(schema);
    kn_dataset_free(table);
}

static void test_threads_change_nothing(void **state)
{
    static const char *const methods[] = {"flash", "mondrian", "local"};
    kn_dataset *table = a_table(RECORDS);

    (void)state;
    for (size_t m = 0; m < 3; m++) {
        const kn_anonymize_options options = options_for(methods[m]);
        kn_release *one, *four;
        assert_int_equal(kn_anonymize(&one, table, NULL, &options, &(kn_run){.threads = 1}, NULL),
                         KN_OK);
        assert_int_equal(kn_anonymize(&four, table, NULL, &options, &(kn_run){.threads = 4}, NULL),
                         KN_OK);
        for (size_t c = 0; c < kn_dataset_columns(kn_release_data(one)); c++) {
            for (size_t i = 0; i < RECORDS; i++) {
                assert_int_equal(kn_dataset_code(kn_release_data(one), c, i),
                                 kn_dataset_code(kn_release_data(four), c, i));
            }
        }
        kn_release_free(one);
        kn_release_free(four);
    }
    kn_dataset_free(table);
}

static void test_job(void **state)
{
    static const char text[] =
        "{\"input\": \"in.csv\", \"output\": \"out.csv\", \"qi\": [\"age\"], "
        "\"sensitive\": [\"illness\"],"
        "\"guarantee\": [{\"name\": \"k-anonymity\", \"k\": 2}],"
        "\"report\": [\"r.json\"]}";
    kn_job *job;
    kn_report *report;
    char *json;

    (void)state;
    put_file("in.csv", "age,illness\n30,flu\n31,cold\n30,gout\n35,flu\n");
    assert_int_equal(kn_job_parse(&job, text, strlen(text), "test", NULL, NULL), KN_OK);
    assert_string_equal(kn_job_get(job, "k", 0), "2");
    assert_int_equal(kn_job_run(&report, job, NULL, NULL), KN_OK);
    assert_true(kn_report_satisfied(report));
    assert_true(kn_report_utility(report, "loss") > 0);
    assert_int_equal(kn_report_json(&json, report, NULL), KN_OK);
    assert_non_null(strstr(json, "\"satisfied\": true"));
    assert_int_equal(files_here(), 3);
    kn_string_free(json);
    kn_report_free(report);
    kn_job_free(job);
}

/* people.csv: an identifier, quasi-identifiers and a diagnosis. */
static void write_people(unsigned records)
{
    static const char *const diagnosis[] = {"Asthma", "Depression", "Flu", "Migraine"};
    FILE *f = fopen("people.csv", "w");

    assert_non_null(f);
    (void)fprintf(f, "id,sex,age,postcode,diagnosis\n");
    for (unsigned i = 0; i < records; i++) {
        (void)fprintf(f, "P%07u,%s,%u,%05u,%s\n", i, i * 7 % 3 ? "Female" : "Male",
                      18 + i * 31 % 70, 10000 + i * 7919 % 90000, diagnosis[i * 13 % 4]);
    }
    assert_int_equal(fclose(f), 0);
}

static void test_profile(void **state)
{
    const kn_read_options how = {.keep_dropped = true};
    kn_dataset *people;
    kn_profile *profile;
    char *json;

    (void)state;
    write_people(300);
    assert_int_equal(kn_read(&people, "people.csv", &how, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_records(people), 300);
    assert_int_equal(kn_profile_make(&profile, people, NULL, NULL), KN_OK);
    assert_int_equal(kn_profile_columns(profile), kn_dataset_columns(people));
    assert_int_equal(kn_profile_column(profile, 0)->suggested, KN_ROLE_IDENTIFIER);
    assert_int_equal(kn_profile_json(&json, profile, NULL), KN_OK);
    kn_string_free(json);
    kn_profile_free(profile);
    kn_dataset_free(people);
}

static void test_catalogue(void **state)
{
    static const kn_entry_kind kinds[] = {KN_ENTRY_GUARANTEE, KN_ENTRY_METHOD, KN_ENTRY_MEASURE,
                                          KN_ENTRY_MODEL};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        size_t count;
        const kn_entry *const *entries = kn_catalog(kinds[i], &count);
        assert_true(count > 0);
        for (size_t j = 0; j < count; j++) {
            assert_ptr_equal(kn_catalog_find(kinds[i], entries[j]->name), entries[j]);
            assert_true(strlen(entries[j]->summary) > 0 && strlen(entries[j]->page) > 0);
        }
    }
    assert_null(kn_catalog_find(KN_ENTRY_METHOD, "magic"));
    assert_string_equal(kn_nearest("flsh", (const char *const[]){"local", "flash"}, 2), "flash");
    assert_string_equal(kn_version(), KN_VERSION);
    assert_non_null(kn_features());
    assert_non_null(kn_features_missing());
}

/* ---- what goes wrong ---- */

#define POISON ((void *)1)

/* `call` assigns to `out`. It must fail with `wanted`, with and without an error to fill in. */
#define FAILS(wanted, out, call_with_err)            \
    do {                                             \
        kn_error error = {0}, *err = &error;         \
        (out) = POISON;                              \
        assert_int_equal((call_with_err), (wanted)); \
        assert_null(out);                            \
        assert_int_equal(error.status, (wanted));    \
        assert_true(strlen(error.message) > 0);      \
        err = NULL;                                  \
        (out) = POISON;                              \
        assert_int_equal((call_with_err), (wanted)); \
        assert_null(out);                            \
    } while (0)

static void test_failures_of_files(void **state)
{
    kn_dataset *ds;
    kn_schema *schema;
    kn_hierarchy *h;
    kn_job *job;

    (void)state;
    put_file("ragged.csv", "a,b\n1,2\n3\n");
    put_file("bad.json", "{\"columns\": {\"a\": {\"rule\": 1}}}");
    put_file("twice.csv", "a;*\na;*\n");
    FAILS(KN_EINPUT, ds, kn_read(&ds, "absent.csv", NULL, NULL, err));
    FAILS(KN_EINPUT, ds, kn_read(&ds, "ragged.csv", NULL, NULL, err));
    FAILS(KN_EINPUT, schema, kn_schema_read(&schema, "absent.json", err));
    FAILS(KN_EINPUT, schema, kn_schema_read(&schema, "bad.json", err));
    FAILS(KN_EINPUT, h, kn_hierarchy_read(&h, "absent.csv", err));
    FAILS(KN_EINPUT, h, kn_hierarchy_read(&h, "twice.csv", err));
    FAILS(KN_EINPUT, job, kn_job_read(&job, "absent.json", err));
    FAILS(KN_EINPUT, job, kn_job_parse(&job, "{\"qii\": []}", 11, "test", NULL, err));
}

static void test_failures_of_anonymize(void **state)
{
    kn_dataset *table = a_table(20);
    kn_params *params;
    kn_release *release;
    kn_verdict *verdict;
    kn_measures *measures;
    const kn_guarantee none = {.kind = KN_K_ANONYMITY, .k = 0};
    const kn_guarantee many = {.kind = KN_K_ANONYMITY, .k = 21};
    kn_anonymize_options o = options_for(NULL);
    const size_t age = kn_dataset_find(table, "age"), town = kn_dataset_find(table, "town");

    (void)state;
    o.guarantees_count = 0;
    FAILS(KN_EUSAGE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    o = options_for("magic");
    FAILS(KN_EUSAGE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    o = options_for(NULL);
    o.suppression = 1.5;
    FAILS(KN_EUSAGE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    o = options_for("flash");
    assert_int_equal(kn_params_new(&params, KN_ENTRY_METHOD, "local", NULL), KN_OK);
    o.params = params;
    FAILS(KN_EUSAGE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    kn_params_free(params);
    o = options_for(NULL);
    o.guarantees = &none;
    FAILS(KN_EUSAGE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    for (size_t m = 0; m < 3; m++) {
        o = options_for((const char *const[]){"flash", "mondrian", "local"}[m]);
        o.guarantees = &many;
        FAILS(KN_EINFEASIBLE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    }
    FAILS(KN_EUSAGE, verdict, kn_check(&verdict, table, &none, 1, NULL, NULL, err));
    FAILS(KN_EUSAGE, verdict, kn_check(&verdict, table, &five, 0, NULL, NULL, err));

    kn_dataset_set_role(table, age, KN_ROLE_KEPT, NULL);
    kn_dataset_set_role(table, town, KN_ROLE_KEPT, NULL);
    o = options_for(NULL);
    FAILS(KN_EUSAGE, release, kn_anonymize(&release, table, NULL, &o, NULL, err));
    FAILS(KN_EUSAGE, verdict, kn_check(&verdict, table, &five, 1, NULL, NULL, err));
    FAILS(KN_EUSAGE, measures, kn_measure(&measures, table, table, NULL, NULL, NULL, err));
    kn_dataset_free(table);
}

/* A value that no leaf covers: refused, or as asked. */
static void test_uncovered(void **state)
{
    kn_dataset *table = a_table(RECORDS);
    kn_anonymize_options o = options_for("flash");
    kn_hierarchies *hs;
    kn_hierarchy *h;
    kn_release *release;
    kn_error err;

    (void)state;
    put_file("town.csv", "Graz;*\nLinz;*\nWels;*\nUlm;*\n"); /* Bonn is not among them */
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchy_read(&h, "town.csv", NULL), KN_OK);
    assert_int_equal(kn_hierarchy_covers(h, table, kn_dataset_find(table, "town"), &err),
                     KN_EINPUT);
    assert_non_null(strstr(err.message, "Bonn"));
    assert_int_equal(kn_hierarchies_add(hs, "town", h, NULL), KN_OK);
    FAILS(KN_EINPUT, release, kn_anonymize(&release, table, hs, &o, NULL, err));
    o.uncovered = KN_UNCOVERED_SUPPRESS;
    assert_int_equal(kn_anonymize(&release, table, hs, &o, NULL, NULL), KN_OK);
    assert_true(kn_release_suppressed(release) > 0);
    assert_int_equal(kn_dataset_records(kn_release_data(release)) + kn_release_suppressed(release),
                     RECORDS);
    kn_release_free(release);
    o.uncovered = KN_UNCOVERED_ROOT;
    assert_int_equal(kn_anonymize(&release, table, hs, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_release_suppressed(release), 0);
    kn_release_free(release);
    kn_hierarchies_free(hs);
    kn_dataset_free(table);
}

/* A released table knows no value of a record that was left out: neither texts, nor numbers, nor
 * items, nor that something was missing there. */
static void test_values_of_suppressed(void **state)
{
    static const char *const names[] = {"town", "illness", "visits", "tags"};
    const kn_guarantee five = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 5};
    const kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &five,
                                    .guarantees_count = 1, .method = "flash", .suppression = 0.2};
    kn_dataset_builder *b;
    kn_dataset *table;
    kn_release *release;
    kn_schema *schema;
    const kn_dataset *data;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "town", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "illness", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "tags", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_rest(schema, KN_ROLE_KEPT, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 4, schema, NULL), KN_OK);
    for (int i = 0; i < 20; i++) {
        const char *const one[] = {"Graz", i % 2 ? "flu" : "cold", i % 2 ? "7" : "2",
                                   i % 2 ? "a" : "a|c"};
        const char *const left_out[] = {"Ulm", "cough", i == 19 ? "" : "5", "b"};
        assert_int_equal(kn_dataset_builder_add(b, i < 18 ? one : left_out, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&table, b, NULL), KN_OK);
    assert_int_equal(kn_dataset_values(table, 2), 4);
    assert_int_equal(kn_anonymize(&release, table, NULL, &o, NULL, NULL), KN_OK);
    assert_int_equal(kn_release_suppressed(release), 2);
    data = kn_release_data(release);
    for (size_t c = 0; c < 4; c++) {
        assert_int_equal(kn_dataset_values(data, c), c == 0 ? 1 : 2);
        assert_int_equal(kn_dataset_missing(data, c), KN_NO_CODE);
    }
    for (size_t i = 0; i < kn_dataset_records(data); i++) {
        size_t len;
        uint32_t items[2];
        const bool odd = kn_release_origin(release, i) % 2;
        const char *text = kn_dataset_value(data, 2, kn_dataset_code(data, 2, i), &len);
        assert_true(len == 1 && *text == (odd ? '7' : '2'));
        assert_int_equal(kn_dataset_list(data, 3, i, items, 2), odd ? 1 : 2);
        text = kn_dataset_value(data, 3, items[odd ? 0 : 1], &len);
        assert_true(len == 1 && *text == (odd ? 'a' : 'c'));
    }
    kn_release_free(release);
    kn_dataset_free(table);
    kn_schema_free(schema);
}

static void test_publish_fails(void **state)
{
    kn_dataset *table = a_table(RECORDS);
    const kn_anonymize_options o = options_for("mondrian");
    kn_release *release;
    kn_outcome outcome;
    kn_error err;

    (void)state;
    assert_int_equal(kn_anonymize(&release, table, NULL, &o, NULL, NULL), KN_OK);
    memset(&outcome, 0xff, sizeof outcome);
    assert_int_equal(kn_publish(&outcome, release, "nowhere/public.csv", NULL, NULL, &err), KN_EIO);
    assert_null(outcome.verdict);
    assert_null(outcome.published);
    assert_null(outcome.measures);
    assert_non_null(strstr(err.message, "nowhere"));
    assert_int_equal(kn_publish(NULL, release, "nowhere/public.csv", NULL, NULL, NULL), KN_EIO);
    assert_int_equal(files_here(), 0);
    kn_release_free(release);
    kn_dataset_free(table);
}

static void test_free_takes_null(void **state)
{
    (void)state;
    kn_dataset_free(NULL);
    kn_dataset_builder_free(NULL);
    kn_schema_free(NULL);
    kn_hierarchy_free(NULL);
    kn_hierarchies_free(NULL);
    kn_release_free(NULL);
    kn_verdict_free(NULL);
    kn_measures_free(NULL);
    kn_outcome_clear(NULL);
    kn_profile_free(NULL);
    kn_report_free(NULL);
    kn_job_free(NULL);
    kn_job_guarantees_free(NULL);
    kn_uniqueness_free(NULL);
    kn_class_sizes_free(NULL);
    kn_string_free(NULL);
}

static void test_words(void **state)
{
    (void)state;
    for (int s = KN_OK; s <= KN_ECANCELLED; s++) {
        assert_true(strlen(kn_status_name((kn_status)s)) > 0);
    }
    assert_int_equal(kn_status_exit_code(KN_OK), 0);
    assert_int_equal(kn_status_exit_code(KN_EBROKEN), 1);
    assert_int_equal(kn_status_exit_code(KN_EUSAGE), 2);
    assert_int_equal(kn_status_exit_code(KN_EINPUT), 3);
    assert_int_equal(kn_status_exit_code(KN_EINFEASIBLE), 4);
    assert_int_equal(kn_status_exit_code(KN_ENOMEM), 5);
    assert_int_equal(kn_status_exit_code(KN_EIO), 5);
    assert_int_equal(kn_status_exit_code(KN_ECANCELLED), 130);
}

/* ---- stopping ---- */

typedef struct patience {
    int calls, most;
} patience;

static int lose_patience(void *user, const char *phase, double done)
{
    patience *p = user;

    assert_true(strlen(phase) > 0);
    assert_true(done <= 1);
    return ++p->calls > p->most;
}

/* Stop at the first call, the second, and so on, until the work is through. */
static void cancel_method(const char *method)
{
    kn_dataset *table = a_table(RECORDS);
    const kn_anonymize_options o = options_for(method);
    const size_t held = kn_memory_in_use();
    bool through = false;
    int cancelled = 0;

    for (int most = 0; !through; most++) {
        patience p = {.most = most};
        const kn_run run = {.threads = 2, .progress = lose_patience, .user = &p};
        kn_release *release = POISON;
        kn_error err = {0};
        kn_status status = kn_anonymize(&release, table, NULL, &o, &run, &err);
        if (status == KN_ECANCELLED) {
            assert_null(release);
            assert_int_equal(err.status, KN_ECANCELLED);
        } else {
            assert_int_equal(status, KN_OK);
            status = kn_publish(NULL, release, "public.csv", NULL, &run, &err);
            kn_release_free(release);
        }
        assert_true(status == KN_OK || status == KN_ECANCELLED);
        through = status == KN_OK;
        cancelled += !through;
        assert_int_equal(files_here(), through);
        assert_int_equal(kn_memory_in_use(), held);
    }
    assert_true(cancelled > 0);
    kn_dataset_free(table);
}

static void test_cancel(void **state)
{
    (void)state;
    cancel_method("flash");
    (void)unlink("public.csv");
    cancel_method("mondrian");
    (void)unlink("public.csv");
    cancel_method("local");
}

static void test_cancel_reading(void **state)
{
    patience p = {0};
    const kn_run run = {.progress = lose_patience, .user = &p};
    const size_t held = kn_memory_in_use();
    kn_dataset *ds;

    (void)state;
    write_people(20000);
    FAILS(KN_ECANCELLED, ds, kn_read(&ds, "people.csv", NULL, &run, err));
    assert_int_equal(kn_memory_in_use(), held);
    assert_int_equal(files_here(), 1);
}

static void test_memory_limit(void **state)
{
    const size_t held = kn_memory_in_use();
    kn_dataset *ds;

    (void)state;
    write_people(20000);
    kn_memory_set_limit(held + (1 << 16));
    FAILS(KN_ENOMEM, ds, kn_read(&ds, "people.csv", NULL, NULL, err));
    kn_memory_set_limit(0);
    assert_int_equal(kn_memory_in_use(), held);
    assert_true(kn_memory_peak() > 0);
    assert_int_equal(kn_read(&ds, "people.csv", NULL, NULL, NULL), KN_OK);
    kn_dataset_free(ds);
    assert_int_equal(kn_memory_in_use(), held);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_local),
        IN_FOLDER(test_flash),
        IN_FOLDER(test_mondrian),
        IN_FOLDER(test_file_to_file),
        cmocka_unit_test(test_threads_change_nothing),
        IN_FOLDER(test_job),
        IN_FOLDER(test_profile),
        cmocka_unit_test(test_catalogue),
        IN_FOLDER(test_failures_of_files),
        cmocka_unit_test(test_failures_of_anonymize),
        IN_FOLDER(test_uncovered),
        IN_FOLDER(test_publish_fails),
        cmocka_unit_test(test_values_of_suppressed),
        cmocka_unit_test(test_free_takes_null),
        cmocka_unit_test(test_words),
        IN_FOLDER(test_cancel),
        IN_FOLDER(test_cancel_reading),
        IN_FOLDER(test_memory_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
