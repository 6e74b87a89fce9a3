/* test_misuse.c - calls that make no sense: enumerations out of range, indices that do not exist,
 * NULL, a handle given twice. Each has a defined answer: KN_EUSAGE with a message, or what the
 * header says that a getter answers. */
#include <kanon.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const names[] = {"name", "age", "town", "illness", "items"};
enum { COLUMNS = 5, AGE = 1, TOWN = 2, ITEMS = 4, RECORDS = 24 };

/* One of each kind of handle, as a program has them in the middle of its work. */
static struct {
    kn_schema *schema;
    kn_dataset *ds;
    kn_hierarchy *ages, *towns;
    kn_hierarchies *hs;
    kn_verdict *verdict;
    kn_release *release;
    kn_measures *measures;
    kn_profile *profile;
    kn_model *tree;
    kn_model_verdict *judged;
    kn_job *job;
    kn_params *params, *local_params; /* of a tree, of method local */
} w;

static kn_error err;
static const kn_guarantee two = {.kind = KN_K_ANONYMITY, .k = 2};
static size_t misuses, wrong;

/* ---- what is expected ---- */

static void expect(bool right, const char *call, const char *got)
{
    misuses++;
    if (!right) {
        wrong++;
        print_error("%s: %s\n", call, got);
    }
}

static void expect_refused(kn_status status, const char *call)
{
    expect(status == KN_EUSAGE && err.status == KN_EUSAGE && err.message[0], call,
           status == KN_EUSAGE ? "no message" : kn_status_name(status));
}

#define REFUSED(call)                \
    do {                             \
        memset(&err, 0, sizeof err); \
        expect_refused(call, #call); \
    } while (0)

/* Refused, and `out` is NULL afterwards. */
#define REFUSED_OUT(out, call)                           \
    do {                                                 \
        (out) = (void *)&err;                            \
        REFUSED(call);                                   \
        expect(!(out), #call, "the result is not NULL"); \
    } while (0)

#define ANSWERED(answer) expect(answer, #answer, "no")

/* ---- the handles ---- */

static void make_table(void)
{
    static const char *const towns[] = {"Athens", "Bonn", "Cork", "Delft"};
    static const char *const ills[] = {"flu", "none", "cold"};
    kn_dataset_builder *b = NULL;

    assert_int_equal(kn_schema_new(&w.schema, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(w.schema, "name", KN_ROLE_IDENTIFIER, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(w.schema, "age", KN_ROLE_QUASI, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(w.schema, "town", KN_ROLE_QUASI, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(w.schema, "illness", KN_ROLE_SENSITIVE, &err), KN_OK);
    assert_int_equal(kn_schema_set_role(w.schema, "items", KN_ROLE_KEPT, &err), KN_OK);
    assert_int_equal(kn_schema_set_type(w.schema, "items", KN_TYPE_SET, &err), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, COLUMNS, w.schema, &err), KN_OK);
    for (int i = 0; i < RECORDS; i++) {
        char name[16], age[16];
        const char *const record[] = {name, age, towns[i % 4], ills[i % 3], "a|b"};
        (void)snprintf(name, sizeof name, "person%d", i);
        (void)snprintf(age, sizeof age, "%d", 20 + i % 6);
        assert_int_equal(kn_dataset_builder_add(b, record, &err), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&w.ds, b, &err), KN_OK);
}

static int make_all(void **state)
{
    const kn_build_options fanout = {.kind = KN_BUILD_FANOUT};
    const kn_anonymize_options options = {.guarantees = &two, .guarantees_count = 1};
    kn_mine_options mine = {.kind = KN_MODEL_TREE, .k = 2};

    (void)state;
    make_table();
    assert_int_equal(kn_params_new(&w.local_params, KN_ENTRY_METHOD, "local", &err), KN_OK);
    assert_int_equal(kn_params_new(&w.params, KN_ENTRY_MODEL, "tree", &err), KN_OK);
    assert_int_equal(kn_params_set_text(w.params, "class", "illness", &err), KN_OK);
    mine.params = w.params;
    assert_int_equal(kn_hierarchy_build(&w.ages, w.ds, AGE, &fanout, &err), KN_OK);
    assert_int_equal(kn_hierarchy_build(&w.towns, w.ds, TOWN, &fanout, &err), KN_OK);
    assert_int_equal(kn_hierarchies_new(&w.hs, &err), KN_OK);
    assert_int_equal(kn_hierarchies_add(w.hs, "age", w.ages, &err), KN_OK);
    assert_int_equal(kn_hierarchies_add(w.hs, "town", w.towns, &err), KN_OK);
    assert_int_equal(kn_check(&w.verdict, w.ds, &two, 1, NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_anonymize(&w.release, w.ds, w.hs, &options, NULL, &err), KN_OK);
    assert_int_equal(
        kn_measure(&w.measures, w.ds, kn_release_data(w.release), NULL, w.hs, NULL, &err), KN_OK);
    assert_int_equal(kn_profile_make(&w.profile, w.ds, NULL, &err), KN_OK);
    assert_int_equal(kn_mine(&w.tree, w.ds, NULL, &mine, NULL, &err), KN_OK);
    assert_int_equal(kn_model_check(&w.judged, w.tree, w.ds, NULL, NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_job_new(&w.job, &err), KN_OK);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    kn_job_free(w.job);
    kn_params_free(w.params);
    kn_params_free(w.local_params);
    kn_model_verdict_free(w.judged);
    kn_model_free(w.tree);
    kn_profile_free(w.profile);
    kn_measures_free(w.measures);
    kn_release_free(w.release);
    kn_verdict_free(w.verdict);
    kn_hierarchies_free(w.hs);
    kn_dataset_free(w.ds);
    kn_schema_free(w.schema);
    return 0;
}

static void done(size_t least)
{
    print_message("%zu misuses\n", misuses);
    assert_int_equal(wrong, 0);
    assert_true(misuses >= least);
    misuses = 0;
}

/* ---- schemas ---- */

static const char *const texts[] = {"a", NULL};

static void schemas(void **state)
{
    kn_schema *s;
    char *text;
    kn_type type = KN_TYPE_DATE;
    kn_role role = KN_ROLE_QUASI;

    (void)state;
    REFUSED(kn_schema_new(NULL, &err));
    REFUSED(kn_schema_read(NULL, "schema.json", &err));
    REFUSED_OUT(s, kn_schema_read(&s, NULL, &err));
    REFUSED(kn_schema_parse(NULL, "{}", 2, "s", NULL, &err));
    REFUSED_OUT(s, kn_schema_parse(&s, NULL, 0, "s", NULL, &err));
    REFUSED_OUT(s, kn_schema_parse(&s, "{}", 2, NULL, NULL, &err));
    REFUSED(kn_schema_json(NULL, w.schema, &err));
    REFUSED_OUT(text, kn_schema_json(&text, NULL, &err));
    REFUSED(kn_schema_set_role(w.schema, "name", (kn_role)77, &err));
    REFUSED(kn_schema_set_role(w.schema, "name", (kn_role)-1, &err));
    REFUSED(kn_schema_set_role(w.schema, NULL, KN_ROLE_QUASI, &err));
    REFUSED(kn_schema_set_role(NULL, "name", KN_ROLE_QUASI, &err));
    REFUSED(kn_schema_set_rest(w.schema, KN_ROLE_IDENTIFIER, &err));
    REFUSED(kn_schema_set_rest(w.schema, (kn_role)77, &err));
    REFUSED(kn_schema_set_rest(NULL, KN_ROLE_KEPT, &err));
    REFUSED(kn_schema_allow_unique(w.schema, NULL, &err));
    REFUSED(kn_schema_allow_unique(NULL, "name", &err));
    ANSWERED(kn_schema_role(w.schema, "name") == KN_ROLE_IDENTIFIER);
    REFUSED(kn_schema_set_type(w.schema, "age", (kn_type)8, &err));
    REFUSED(kn_schema_set_type(NULL, "age", KN_TYPE_DATE, &err));
    REFUSED(kn_schema_set_weight(w.schema, NULL, 1, &err));
    REFUSED(kn_schema_set_weight(w.schema, "age", NAN, &err));
    REFUSED(kn_schema_set_hierarchy(w.schema, "age", NULL, &err));
    REFUSED(kn_schema_add_hierarchy(w.schema, NULL, "age.csv", &err));
    REFUSED(kn_schema_set_missing(w.schema, "age", NULL, 1, &err));
    REFUSED(kn_schema_set_missing(w.schema, "age", texts, 2, &err));
    REFUSED(kn_schema_set_missing(NULL, "age", texts, 1, &err));
    REFUSED(kn_schema_set_missing_rule(w.schema, "age", (kn_missing_rule)2, &err));
    REFUSED(kn_schema_set_missing_rule(NULL, NULL, KN_MISSING_ANY, &err));
    REFUSED(kn_schema_set_decimal(w.schema, ';', &err));
    REFUSED(kn_schema_set_decimal(NULL, ',', &err));
    REFUSED(kn_schema_set_date_format(w.schema, NULL, "dmy", &err));
    REFUSED(kn_schema_set_date_format(w.schema, NULL, NULL, &err));
    REFUSED(kn_schema_set_date_format(NULL, NULL, "DD/MM/YYYY", &err));
    REFUSED(kn_schema_set_sensitive_items(w.schema, "items", (kn_named_by)3, texts, 1, &err));
    REFUSED(kn_schema_set_sensitive_items(w.schema, "items", KN_BY_ITEM, texts, 2, &err));
    REFUSED(kn_schema_set_item_weight(w.schema, "items", NULL, 1, &err));
    REFUSED(kn_schema_set_item_separator(w.schema, NULL, &err));
    REFUSED(kn_schema_set_bag(w.schema, NULL, texts, 1, &err));
    REFUSED(kn_schema_set_bag(w.schema, "bag", texts, 2, &err));
    REFUSED(kn_schema_set_collect(w.schema, "set", NULL, 1, &err));
    REFUSED(kn_schema_set_together(NULL, "both", texts, 1, &err));
    REFUSED(kn_schema_set_nulls(w.schema, texts, 2, &err));
    REFUSED(kn_schema_set_group_by(w.schema, texts, 2, &err));
    REFUSED(kn_schema_set_classes(w.schema, texts, 2, &err));
    REFUSED(kn_relations_open(NULL, "folder", &err));
    REFUSED(kn_relations_set_columns(NULL, "t", texts, 1, &err));
    REFUSED(kn_relations_add_key(NULL, "a.b=c.d", &err));
    REFUSED(kn_relations_set_bin(NULL, "a", "5", &err));
    REFUSED(kn_relations_trees(NULL, NULL, "a(b)", NULL, NULL, &err));
    REFUSED(kn_relations_write(NULL, NULL, "o.trees", NULL, 5, "folder", NULL, &err));
    kn_relations_set_orphans(NULL, KN_ORPHANS_DROP);
    kn_relations_free(NULL);
    REFUSED(kn_trees_write_tables(NULL, "a(b)", "folder", NULL, &err));
    REFUSED(kn_schema_set_classes(NULL, texts, 1, &err));
    REFUSED(kn_schema_set_tree(NULL, "a(b)", &err));
    REFUSED(kn_schema_set_join(w.schema, "j", NULL, "id", "id", texts, 1, &err));
    ANSWERED(kn_schema_columns(NULL) == 0);
    ANSWERED(!kn_schema_column_name(w.schema, SIZE_MAX));
    ANSWERED(!kn_schema_column_name(NULL, 0));
    ANSWERED(kn_schema_role(w.schema, NULL) == kn_schema_role(w.schema, "no such column"));
    ANSWERED(!kn_schema_hierarchy(w.schema, NULL));
    ANSWERED(!kn_schema_hierarchy_at(w.schema, "age", SIZE_MAX));
    ANSWERED(!kn_type_name((kn_type)99));
    ANSWERED(!kn_role_name((kn_role)99));
    ANSWERED(!kn_type_from_name(&type, NULL) && type == KN_TYPE_DATE);
    ANSWERED(!kn_type_from_name(NULL, "date"));
    ANSWERED(!kn_role_from_name(&role, NULL) && role == KN_ROLE_QUASI);
    done(40);
}

/* ---- datasets ---- */

static void datasets(void **state)
{
    const uint32_t no_code = KN_NO_CODE;
    kn_dataset_builder *b;
    kn_dataset *ds;
    char *text;
    uint32_t codes[4];
    size_t len = 1;

    (void)state;
    REFUSED(kn_dataset_set_role(w.ds, 0, (kn_role)77, &err));
    REFUSED(kn_dataset_set_role(w.ds, COLUMNS, KN_ROLE_QUASI, &err));
    REFUSED(kn_dataset_set_role(NULL, 0, KN_ROLE_QUASI, &err));
    REFUSED(kn_dataset_allow_unique(w.ds, COLUMNS, &err));
    REFUSED(kn_dataset_allow_unique(NULL, 0, &err));
    ANSWERED(kn_dataset_role(w.ds, 0) == KN_ROLE_IDENTIFIER);
    REFUSED(kn_dataset_set_class(w.ds, COLUMNS, &err));
    REFUSED(kn_dataset_set_class(NULL, 0, &err));
    REFUSED(kn_dataset_set_item_weight(w.ds, COLUMNS, "a", 1, &err));
    REFUSED(kn_dataset_set_item_weight(w.ds, ITEMS, NULL, 1, &err));
    REFUSED(kn_dataset_set_sensitive_items(w.ds, SIZE_MAX, KN_BY_ITEM, texts, 1, &err));
    REFUSED(kn_dataset_set_sensitive_items(w.ds, ITEMS, (kn_named_by)-1, texts, 1, &err));
    REFUSED(kn_dataset_builder_new(NULL, names, COLUMNS, NULL, &err));
    REFUSED_OUT(b, kn_dataset_builder_new(&b, NULL, COLUMNS, NULL, &err));
    REFUSED_OUT(b, kn_dataset_builder_new(&b, texts, 2, NULL, &err));
    REFUSED(kn_dataset_builder_add(NULL, names, &err));
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, NULL, &err), KN_OK);
    REFUSED(kn_dataset_builder_add(b, NULL, &err));
    REFUSED(kn_dataset_builder_finish(NULL, b, &err));
    REFUSED_OUT(ds, kn_dataset_builder_finish(&ds, NULL, &err));
    REFUSED_OUT(text, kn_dataset_describe_columns(&text, NULL, "sex", &err));
    REFUSED_OUT(text, kn_dataset_describe_columns(&text, w.ds, NULL, &err));
    REFUSED(kn_dataset_describe_columns(NULL, w.ds, "sex", &err));
    ANSWERED(!kn_dataset_has_names(NULL));
    ANSWERED(!kn_dataset_has_trees(NULL));
    ANSWERED(kn_dataset_records(NULL) == 0);
    ANSWERED(kn_dataset_columns(NULL) == 0);
    ANSWERED(kn_dataset_find(w.ds, NULL) == SIZE_MAX);
    ANSWERED(kn_dataset_find(NULL, "age") == SIZE_MAX);
    ANSWERED(!kn_dataset_name(w.ds, COLUMNS));
    ANSWERED(!kn_dataset_name(w.ds, SIZE_MAX));
    ANSWERED(kn_dataset_type(w.ds, COLUMNS) == KN_TYPE_AUTO);
    ANSWERED(kn_dataset_role(w.ds, COLUMNS) == KN_ROLE_DROPPED);
    ANSWERED(kn_dataset_class(NULL) == SIZE_MAX);
    ANSWERED(kn_dataset_values(w.ds, COLUMNS) == 0);
    ANSWERED(!kn_dataset_value(w.ds, AGE, 1000, &len) && len == 0);
    ANSWERED(!kn_dataset_value(w.ds, COLUMNS, 0, &len));
    ANSWERED(!kn_dataset_value(w.ds, AGE, 0, NULL));
    ANSWERED(kn_dataset_missing(w.ds, COLUMNS) == no_code);
    ANSWERED(kn_dataset_code(w.ds, AGE, RECORDS) == no_code);
    ANSWERED(kn_dataset_code(w.ds, COLUMNS, 0) == no_code);
    ANSWERED(kn_dataset_code(w.ds, ITEMS, 0) == no_code);
    ANSWERED(kn_dataset_list(w.ds, AGE, 0, codes, 4) == 0);
    ANSWERED(kn_dataset_list(w.ds, ITEMS, RECORDS, codes, 4) == 0);
    ANSWERED(kn_dataset_list(w.ds, ITEMS, 0, NULL, 4) == 2);
    ANSWERED(kn_dataset_notes(NULL) == 0);
    ANSWERED(!kn_dataset_note(w.ds, 0));
    ANSWERED(!kn_dataset_layout(NULL));
    ANSWERED(kn_dataset_sha256(NULL)[0] == '\0');
    done(40);
}

/* A record that is refused leaves no cell behind: those of the next would stand beside others'. */
static void refused_record(void **state)
{
    static const char *const bad[] = {"first", "\xff"}, *const good[] = {"second", "2"};
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;
    size_t len;

    (void)state;
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, NULL, &err), KN_OK);
    assert_int_equal(kn_dataset_builder_add(b, bad, &err), KN_EINPUT);
    assert_int_equal(kn_dataset_builder_add(b, good, &err), KN_OK);
    assert_int_equal(kn_dataset_builder_finish(&ds, b, &err), KN_OK);
    assert_int_equal(kn_dataset_records(ds), 1);
    assert_memory_equal(kn_dataset_value(ds, 0, kn_dataset_code(ds, 0, 0), &len), "second", 6);
    assert_memory_equal(kn_dataset_value(ds, 1, kn_dataset_code(ds, 1, 0), &len), "2", 1);
    kn_dataset_free(ds);
}

/* ---- hierarchies ---- */

static void hierarchies(void **state)
{
    static const char *const row[] = {"1", "*"};
    static const char *const *const rows[] = {row, NULL};
    static const char *const *const row_with_null = texts;
    static const size_t lengths[] = {2, 2};
    const kn_hierarchy *const families[] = {w.ages, NULL};
    const kn_build_options unknown = {.kind = (kn_build_kind)42};
    const kn_build_options no_cuts = {.kind = KN_BUILD_CUTS, .cuts_count = 3};
    const kn_build_options nan_width = {.kind = KN_BUILD_WIDTH, .width = NAN};
    kn_hierarchies *other = NULL, *hs;
    kn_hierarchy *h;
    char *text;

    (void)state;
    REFUSED_OUT(h, kn_hierarchy_read(&h, NULL, &err));
    REFUSED(kn_hierarchy_read(NULL, "age.csv", &err));
    REFUSED_OUT(h, kn_hierarchy_parse(&h, NULL, 0, "age", &err));
    REFUSED_OUT(h, kn_hierarchy_parse(&h, "1;*", 3, NULL, &err));
    REFUSED(kn_hierarchy_parse(NULL, "1;*", 3, "age", &err));
    REFUSED(kn_hierarchy_from_rows(NULL, rows, lengths, 1, "age", &err));
    REFUSED_OUT(h, kn_hierarchy_from_rows(&h, NULL, lengths, 1, "age", &err));
    REFUSED_OUT(h, kn_hierarchy_from_rows(&h, rows, NULL, 1, "age", &err));
    REFUSED_OUT(h, kn_hierarchy_from_rows(&h, rows, lengths, 1, NULL, &err));
    REFUSED_OUT(h, kn_hierarchy_from_rows(&h, rows, lengths, 2, "age", &err));
    REFUSED_OUT(h, kn_hierarchy_from_rows(&h, &row_with_null, lengths, 1, "age", &err));
    REFUSED(kn_hierarchy_write(w.ages, NULL, &err));
    REFUSED(kn_hierarchy_write(NULL, "age.csv", &err));
    REFUSED_OUT(h, kn_hierarchy_join(&h, families, 2, &err));
    REFUSED_OUT(h, kn_hierarchy_join(&h, NULL, 1, &err));
    REFUSED_OUT(h, kn_hierarchy_join(&h, families, 0, &err));
    REFUSED(kn_hierarchy_covers(w.ages, w.ds, COLUMNS, &err));
    REFUSED(kn_hierarchy_covers(NULL, w.ds, AGE, &err));
    REFUSED_OUT(text, kn_hierarchy_show(&text, NULL, 0, 0, &err));
    REFUSED(kn_hierarchy_show(NULL, w.ages, 0, 0, &err));
    REFUSED_OUT(h, kn_hierarchy_build(&h, w.ds, COLUMNS, &unknown, &err));
    REFUSED_OUT(h, kn_hierarchy_build(&h, w.ds, AGE, &unknown, &err));
    REFUSED_OUT(h, kn_hierarchy_build(&h, w.ds, AGE, &no_cuts, &err));
    REFUSED_OUT(h, kn_hierarchy_build(&h, w.ds, AGE, &nan_width, &err));
    REFUSED_OUT(h, kn_hierarchy_build(&h, w.ds, AGE, NULL, &err));
    REFUSED_OUT(h, kn_hierarchy_build(&h, NULL, AGE, &no_cuts, &err));
    REFUSED(kn_hierarchies_new(NULL, &err));
    REFUSED(kn_hierarchies_add(w.hs, NULL, w.ages, &err));
    REFUSED(kn_hierarchies_add(w.hs, "age", NULL, &err));
    REFUSED(kn_hierarchies_add(NULL, "age", w.ages, &err));
    /* a handle has one owner */
    assert_int_equal(kn_hierarchies_new(&other, &err), KN_OK);
    REFUSED(kn_hierarchies_add(w.hs, "town", w.ages, &err));
    REFUSED(kn_hierarchies_add(other, "age", w.ages, &err));
    REFUSED(kn_hierarchies_add_family(w.hs, "age", w.ages, &err));
    REFUSED(kn_hierarchies_add_family(other, "age", w.ages, &err));
    ANSWERED(kn_hierarchies_add(w.hs, "age", w.ages, &err) == KN_OK);
    kn_hierarchy_free(w.ages); /* its owner frees it */
    ANSWERED(kn_hierarchies_get(w.hs, "age") == w.ages && kn_hierarchy_levels(w.ages) > 1);
    kn_hierarchies_free(other);
    REFUSED(kn_hierarchies_add_family(w.hs, "age", NULL, &err));
    REFUSED(kn_hierarchies_put_together(w.hs, NULL, names, 1, &err));
    REFUSED(kn_hierarchies_put_together(w.hs, "both", texts, 2, &err));
    REFUSED(kn_hierarchies_read_folder(NULL, w.hs, NULL, w.ds, &err));
    REFUSED(kn_hierarchies_read_folder(NULL, w.hs, ".", NULL, &err));
    ANSWERED(!kn_hierarchies_get(NULL, "age"));
    ANSWERED(!kn_hierarchies_get(w.hs, NULL));
    ANSWERED(!kn_hierarchies_set_codes(NULL, "age"));
    ANSWERED(kn_hierarchy_levels(NULL) == 0);
    ANSWERED(kn_hierarchy_leaves(NULL) == 0);
    ANSWERED(kn_hierarchy_nodes(NULL) == 0);
    for (size_t i = 0; i < 3; i++) {
        const size_t nodes = kn_hierarchy_nodes(w.ages);
        const kn_hierarchy *const of[] = {NULL, w.ages, w.ages};
        const size_t node[] = {0, nodes, SIZE_MAX};
        ANSWERED(!kn_hierarchy_label(of[i], node[i]));
        ANSWERED(kn_hierarchy_parent(of[i], node[i]) == SIZE_MAX);
        ANSWERED(kn_hierarchy_children(of[i], node[i]) == 0);
        ANSWERED(kn_hierarchy_child(of[i], node[i], 0) == SIZE_MAX);
        ANSWERED(kn_hierarchy_depth(of[i], node[i]) == SIZE_MAX);
        ANSWERED(kn_hierarchy_above(of[i], node[i], 0) == SIZE_MAX);
        ANSWERED(!kn_hierarchy_is_range(of[i], node[i]));
    }
    ANSWERED(kn_hierarchy_child(w.ages, 0, 0) == SIZE_MAX);
    ANSWERED(kn_hierarchy_child(w.ages, kn_hierarchy_nodes(w.ages) - 1, SIZE_MAX) == SIZE_MAX);
    ANSWERED(kn_hierarchy_above(w.ages, 0, SIZE_MAX) == kn_hierarchy_nodes(w.ages) - 1);
    ANSWERED(kn_hierarchy_find(NULL, "20") == SIZE_MAX);
    ANSWERED(kn_hierarchy_find(w.ages, NULL) == SIZE_MAX);
    hs = NULL;
    kn_hierarchies_free(hs);
    kn_hierarchy_free(NULL);
    kn_string_free(NULL);
    done(35);
}

/* ---- files ---- */

static void files(void **state)
{
    const kn_read_options format = {.layout = &(const kn_layout){.format = (kn_format)9}};
    const kn_read_options compression = {
        .layout = &(const kn_layout){.compression = (kn_compression)9}};
    const kn_layout no_format = {.format = (kn_format)-1};
    const kn_layout no_compression = {.compression = (kn_compression)4};
    kn_format found = KN_FORMAT_CSV;
    struct ArrowArrayStream stream;
    kn_dataset *ds;

    (void)state;
    REFUSED(kn_read(NULL, "a.csv", NULL, NULL, &err));
    REFUSED_OUT(ds, kn_read(&ds, NULL, NULL, NULL, &err));
    REFUSED_OUT(ds, kn_read(&ds, "a.csv", &format, NULL, &err));
    REFUSED_OUT(ds, kn_read(&ds, "a.csv", &compression, NULL, &err));
    REFUSED(kn_dataset_to_arrow(NULL, w.ds, NULL, &err));
    REFUSED(kn_dataset_to_arrow(&stream, NULL, NULL, &err));
    ANSWERED(!stream.release);
    REFUSED_OUT(ds, kn_dataset_from_arrow(&ds, NULL, NULL, NULL, &err));
    REFUSED_OUT(ds, kn_dataset_from_arrow(&ds, &stream, NULL, NULL, &err));
    REFUSED(kn_write(NULL, "out.csv", NULL, NULL, &err));
    REFUSED(kn_write(w.ds, NULL, NULL, NULL, &err));
    REFUSED(kn_write_and_print(NULL, "out.csv", NULL, "text", NULL, &err));
    REFUSED(kn_write_and_print(w.ds, "out.csv", NULL, NULL, NULL, &err));
    REFUSED(kn_write_and_print(w.ds, "out.csv", &no_format, "text", NULL, &err));
    REFUSED(kn_write(w.ds, "out.csv", &no_format, NULL, &err));
    REFUSED(kn_write(w.ds, "out.csv", &no_compression, NULL, &err));
    ANSWERED(access("out.csv", F_OK) != 0);
    ANSWERED(!kn_format_from_name(&found, NULL) && found == KN_FORMAT_CSV);
    ANSWERED(!kn_format_from_name(NULL, "csv"));
    ANSWERED(!kn_format_from_path(&found, NULL) && found == KN_FORMAT_CSV);
    ANSWERED(!kn_format_from_path(NULL, "a.csv"));
    ANSWERED(!kn_format_name((kn_format)99));
    done(14);
}

/* ---- guarantees, releases, measures ---- */

static void guarantees(void **state)
{
    const kn_guarantee kind = {.kind = (kn_guarantee_kind)99, .k = 2};
    const kn_guarantee diversity = {.kind = KN_L_DIVERSITY, .l = 2, .diversity = (kn_diversity)3};
    const kn_guarantee distance = {.kind = KN_T_CLOSENESS, .distance = (kn_distance)-1};
    const kn_guarantee recount = {
        .kind = KN_KM_ANONYMITY, .k = 2, .m = 2, .recount = (kn_recount_extent)2};
    kn_verdict *v;

    (void)state;
    REFUSED(kn_guarantee_validate(NULL, &err));
    REFUSED(kn_guarantee_validate(&kind, &err));
    REFUSED(kn_guarantee_validate(&diversity, &err));
    REFUSED(kn_guarantee_validate(&distance, &err));
    REFUSED(kn_guarantee_validate(&recount, &err));
    REFUSED_OUT(v, kn_check(&v, NULL, &two, 1, NULL, NULL, &err));
    REFUSED_OUT(v, kn_check_release(&v, NULL, w.ds, &two, 1, NULL, NULL, &err));
    REFUSED_OUT(v, kn_check_release(&v, w.ds, w.ds, NULL, 1, NULL, NULL, &err));
    REFUSED(kn_check_release(NULL, w.ds, w.ds, &two, 1, NULL, NULL, &err));
    REFUSED_OUT(v, kn_check(&v, w.ds, NULL, 1, NULL, NULL, &err));
    REFUSED_OUT(v, kn_check(&v, w.ds, &two, 0, NULL, NULL, &err));
    REFUSED_OUT(v, kn_check(&v, w.ds, &kind, 1, NULL, NULL, &err));
    REFUSED(kn_check(NULL, w.ds, &two, 1, NULL, NULL, &err));
    ANSWERED(kn_guarantee_name((kn_guarantee_kind)99) != NULL);
    ANSWERED(kn_guarantee_about((kn_guarantee_kind)99) == 0);
    ANSWERED(strcmp(kn_guarantee_parameter(NULL), "") == 0);
    ANSWERED(strcmp(kn_guarantee_parameter(&kind), "") == 0);
    ANSWERED(isnan(kn_guarantee_asked(NULL)));
    ANSWERED(isnan(kn_guarantee_asked(&kind)));
    ANSWERED(kn_guarantee_variant(NULL) == NULL);
    ANSWERED(kn_guarantee_variant(&kind) == NULL);
    ANSWERED(kn_guarantee_variant(&diversity) == NULL);
    ANSWERED(!kn_verdict_holds(NULL));
    ANSWERED(kn_verdict_classes(NULL) == 0);
    ANSWERED(isnan(kn_verdict_achieved(w.verdict, 1)));
    ANSWERED(isnan(kn_verdict_achieved(NULL, 0)));
    ANSWERED(isnan(kn_verdict_achieved_size(w.verdict, 1, 1)));
    ANSWERED(isnan(kn_verdict_achieved_k(w.verdict, SIZE_MAX)));
    ANSWERED(!kn_verdict_items(NULL));
    ANSWERED(!kn_verdict_violation(w.verdict, kn_verdict_violations_kept(w.verdict)));
    ANSWERED(!kn_verdict_violation(w.verdict, SIZE_MAX));
    ANSWERED(!kn_verdict_violation(NULL, 0));
    ANSWERED(kn_verdict_violations(NULL) + kn_verdict_violations_kept(NULL) == 0);
    ANSWERED(kn_verdict_records_at_risk(NULL) == 0);
    done(22);
}

static kn_status anonymize_with(kn_anonymize_options options, kn_release **out)
{
    options.guarantees_count = 1;
    return kn_anonymize(out, w.ds, w.hs, &options, NULL, &err);
}

static void releases(void **state)
{
    const kn_layout no_format = {.format = (kn_format)-1};
    const kn_release_arrow_options no_size = {.size = 1, .changed_only = true};
    struct ArrowArrayStream stream;
    kn_release *r;

    (void)state;
    REFUSED(kn_anonymize(NULL, w.ds, NULL, NULL, NULL, &err));
    REFUSED_OUT(r, kn_anonymize(&r, w.ds, NULL, NULL, NULL, &err));
    REFUSED_OUT(r, kn_anonymize(&r, NULL, NULL, &(kn_anonymize_options){0}, NULL, &err));
    REFUSED_OUT(r, anonymize_with((kn_anonymize_options){.guarantees = NULL}, &r));
    REFUSED_OUT(r, anonymize_with((kn_anonymize_options){.guarantees = &two,
                                                         .suppressed = (kn_suppressed)2},
                                  &r));
    REFUSED_OUT(r, anonymize_with((kn_anonymize_options){.guarantees = &two,
                                                         .uncovered = (kn_uncovered)3},
                                  &r));
    REFUSED_OUT(r,
                anonymize_with((kn_anonymize_options){.guarantees = &two, .suppression = NAN}, &r));
    REFUSED_OUT(r,
                anonymize_with((kn_anonymize_options){.guarantees = &two, .method = "none"}, &r));
    REFUSED_OUT(r, anonymize_with((kn_anonymize_options){.guarantees = &two,
                                                         .method = "flash",
                                                         .params = w.params},
                                  &r));
    ANSWERED(!kn_release_data(NULL));
    ANSWERED(kn_release_origin(w.release, RECORDS) == SIZE_MAX);
    ANSWERED(kn_release_origin(NULL, 0) == SIZE_MAX);
    ANSWERED(kn_release_origins(NULL, NULL) == NULL);
    ANSWERED(kn_release_suppressed(NULL) == 0);
    ANSWERED(!kn_release_method(NULL));
    ANSWERED(kn_release_left_out(NULL).items == 0);
    ANSWERED(kn_release_clusters(NULL).clusters == 0);
    REFUSED(kn_release_to_arrow(NULL, NULL, w.release, NULL, NULL, &err));
    REFUSED(kn_release_to_arrow(&stream, NULL, NULL, NULL, NULL, &err));
    ANSWERED(!stream.release);
    REFUSED(kn_release_to_arrow(&stream, NULL, w.release, &no_size, NULL, &err));
    ANSWERED(!stream.release);
    REFUSED(kn_publish(NULL, NULL, "out.csv", NULL, NULL, &err));
    REFUSED(kn_publish(NULL, w.release, NULL, NULL, NULL, &err));
    REFUSED(kn_publish(NULL, w.release, "out.csv", &no_format, NULL, &err));
    ANSWERED(access("out.csv", F_OK) != 0);
    kn_outcome_clear(NULL);
    kn_release_free(NULL);
    kn_recoding_free(NULL);
    done(20);
}

static void measures(void **state)
{
    const kn_dataset *data = kn_release_data(w.release);
    uint32_t origin[RECORDS] = {0};
    kn_measures *m;
    kn_query_error error;
    kn_mining mining;
    kn_tree_mining subtrees;
    kn_negative negative;
    const kn_guarantee known_tree = {.size = sizeof known_tree, .k = 2, .m = 2, .n = 1};
    kn_risk risk;
    kn_class_sizes sizes;
    kn_uniqueness *u;
    kn_items_known *known;
    const kn_items_known_options two_items = {KN_INIT(kn_items_known_options), .most = 2};
    kn_profile *p;
    kn_open_columns *open = NULL;
    size_t count;
    char *text;

    (void)state;
    origin[0] = UINT32_MAX;
    REFUSED_OUT(m, kn_measure(&m, NULL, data, NULL, NULL, NULL, &err));
    REFUSED_OUT(m, kn_measure(&m, w.ds, NULL, NULL, NULL, NULL, &err));
    REFUSED_OUT(m, kn_measure(&m, w.ds, data, origin, w.hs, NULL, &err));
    REFUSED(kn_measure(NULL, w.ds, data, NULL, NULL, NULL, &err));
    REFUSED(kn_query_error_measure(NULL, w.ds, data, NULL, NULL, NULL, &err));
    REFUSED(kn_query_error_measure(&error, NULL, data, NULL, NULL, NULL, &err));
    REFUSED(kn_mining_measure(NULL, w.ds, data, NULL, NULL, NULL, &err));
    REFUSED(kn_mining_measure(&mining, w.ds, NULL, NULL, NULL, NULL, &err));
    REFUSED(kn_tree_mining_measure(NULL, w.ds, data, NULL, 0.1, NULL, &err));
    REFUSED(kn_tree_mining_measure(&subtrees, w.ds, data, NULL, 2, NULL, &err));
    REFUSED(kn_tree_mining_measure(&subtrees, w.ds, data, NULL, 0.1, NULL, &err));
    REFUSED(kn_negative_measure(&negative, w.ds, data, NULL, NULL, 1, NULL, &err));
    REFUSED(kn_negative_measure(NULL, w.ds, data, NULL, &known_tree, 1, NULL, &err));
    REFUSED(kn_negative_measure(&negative, w.ds, data, NULL, &known_tree, 1, NULL, &err));
    REFUSED(kn_risk_measure(&risk, NULL, NULL, 0.5, NULL, &err));
    REFUSED(kn_risk_measure(&risk, w.ds, NULL, NAN, NULL, &err));
    REFUSED(kn_risk_measure(NULL, w.ds, NULL, 0.5, NULL, &err));
    REFUSED(kn_class_sizes_count(NULL, w.ds, NULL, &err));
    REFUSED(kn_class_sizes_count(&sizes, NULL, NULL, &err));
    REFUSED_OUT(u, kn_uniqueness_measure(&u, &count, NULL, 2, NULL, &err));
    REFUSED_OUT(u, kn_uniqueness_measure(&u, NULL, w.ds, 2, NULL, &err));
    REFUSED_OUT(u, kn_uniqueness_measure(&u, &count, w.ds, 5, NULL, &err));
    REFUSED_OUT(known, kn_items_uniqueness(&known, &count, w.ds, COLUMNS, &two_items, NULL, &err));
    REFUSED_OUT(known, kn_items_uniqueness(&known, &count, w.ds, AGE, &two_items, NULL, &err));
    REFUSED_OUT(known, kn_items_uniqueness(&known, &count, w.ds, ITEMS, NULL, NULL, &err));
    REFUSED_OUT(known, kn_items_uniqueness(&known, NULL, w.ds, ITEMS, &two_items, NULL, &err));
    REFUSED_OUT(p, kn_profile_make(&p, NULL, NULL, &err));
    REFUSED_OUT(open, kn_open_columns_find(&open, NULL, NULL, 0, NULL, &err));
    REFUSED(kn_open_columns_find(NULL, w.ds, NULL, 0, NULL, &err));
    REFUSED(kn_accept_suggested(NULL, NULL, 0, NULL, &err));
    ANSWERED(kn_open_columns_count(NULL) == 0 && !kn_open_columns_at(NULL, 0));
    kn_open_columns_free(NULL);
    REFUSED_OUT(text, kn_profile_json(&text, NULL, &err));
    ANSWERED(!kn_profile_column(w.profile, COLUMNS));
    ANSWERED(kn_profile_columns(NULL) == 0);
    ANSWERED(!kn_profile_has_names(NULL));
    ANSWERED(!kn_measures_get(w.measures, SIZE_MAX));
    ANSWERED(kn_measures_count(NULL) == 0);
    ANSWERED(isnan(kn_measures_value(w.measures, NULL, NULL)));
    ANSWERED(isnan(kn_measures_value(NULL, "loss", NULL)));
    kn_mining_clear(NULL);
    kn_class_sizes_free(NULL);
    done(25);
}

/* ---- parameters ---- */

static void parameters(void **state)
{
    static const char *const texts[] = {"a", NULL};
    kn_params *p;

    (void)state;
    REFUSED(kn_params_new(NULL, KN_ENTRY_METHOD, "flash", &err));
    REFUSED_OUT(p, kn_params_new(&p, KN_ENTRY_METHOD, NULL, &err));
    REFUSED_OUT(p, kn_params_new(&p, KN_ENTRY_METHOD, "none", &err));
    REFUSED_OUT(p, kn_params_new(&p, KN_ENTRY_GUARANTEE, "k-anonymity", &err));
    REFUSED_OUT(p, kn_params_new(&p, (kn_entry_kind)9, "flash", &err));
    REFUSED(kn_params_set_int(NULL, "depth", 1, &err));
    REFUSED(kn_params_set_int(w.params, NULL, 1, &err));
    REFUSED(kn_params_set_int(w.params, "none", 1, &err));
    REFUSED(kn_params_set_int(w.params, "k", 5, &err));
    REFUSED(kn_params_set_int(w.params, "depth", -1, &err));
    REFUSED(kn_params_set_int(w.params, "depth", INT64_MAX, &err));
    REFUSED(kn_params_set_int(w.params, "paper", 1, &err));
    REFUSED(kn_params_set_real(NULL, "effort", 1, &err));
    REFUSED(kn_params_set_real(w.local_params, NULL, 1, &err));
    REFUSED(kn_params_set_real(w.local_params, "effort", NAN, &err));
    REFUSED(kn_params_set_real(w.local_params, "effort", -1, &err));
    REFUSED(kn_params_set_real(w.params, "depth", 1, &err));
    REFUSED(kn_params_set_bool(NULL, "paper", true, &err));
    REFUSED(kn_params_set_bool(w.params, NULL, true, &err));
    REFUSED(kn_params_set_bool(w.params, "depth", true, &err));
    REFUSED(kn_params_set_text(NULL, "gain", "gini", &err));
    REFUSED(kn_params_set_text(w.params, NULL, "gini", &err));
    REFUSED(kn_params_set_text(w.params, "gain", NULL, &err));
    REFUSED(kn_params_set_text(w.params, "gain", "none", &err));
    REFUSED(kn_params_set_text(w.params, "class", "", &err));
    REFUSED(kn_params_set_list(NULL, "gain", texts, 1, &err));
    REFUSED(kn_params_set_list(w.params, NULL, texts, 1, &err));
    REFUSED(kn_params_set_list(w.params, "gain", NULL, 1, &err));
    REFUSED(kn_params_set_list(w.params, "gain", texts, 2, &err));
    REFUSED(kn_params_set_list(w.params, "gain", texts, 1, &err));
    REFUSED(kn_params_parse(NULL, "gain", "gini", &err));
    REFUSED(kn_params_parse(w.params, NULL, "gini", &err));
    REFUSED(kn_params_parse(w.params, "gain", NULL, &err));
    REFUSED(kn_params_parse(w.params, "none", "gini", &err));
    REFUSED(kn_params_parse(w.params, "depth", "deep", &err));
    REFUSED(kn_params_unset(NULL, "gain", &err));
    REFUSED(kn_params_unset(w.params, NULL, &err));
    REFUSED(kn_params_unset(w.params, "none", &err));
    ANSWERED(!kn_params_entry(NULL));
    ANSWERED(!kn_params_is_set(NULL, "gain"));
    ANSWERED(!kn_params_is_set(w.params, NULL));
    ANSWERED(!kn_params_is_set(w.params, "none"));
    kn_params_free(NULL);
    done(40);
}

/* ---- models ---- */

static kn_status mine_with(kn_mine_options options, kn_model **out)
{
    options.k = 2;
    options.params = options.params ? options.params : w.params;
    return kn_mine(out, w.ds, NULL, &options, NULL, &err);
}

static void models(void **state)
{
    const kn_model_output no_paths = {.count = 1};
    const kn_model_limits nan_l = {.k = 2, .l = NAN}, below = {.k = 2, .inference = -0.5};
    kn_model *m;
    kn_model_shape shape;
    kn_model_verdict *v;
    kn_stated_verdict *stated;
    kn_model_format format = KN_MODEL_SQL;
    char *text;

    (void)state;
    REFUSED_OUT(m, kn_mine(&m, w.ds, NULL, NULL, NULL, &err));
    REFUSED_OUT(m, kn_mine(&m, NULL, NULL, &(kn_mine_options){0}, NULL, &err));
    REFUSED_OUT(m, mine_with((kn_mine_options){.kind = (kn_model_kind)3}, &m));
    REFUSED_OUT(m, mine_with((kn_mine_options){.params = w.local_params}, &m));
    REFUSED_OUT(m, mine_with((kn_mine_options){.l = NAN}, &m));
    REFUSED(kn_model_shape_of(NULL, w.tree, &err));
    REFUSED(kn_model_shape_of(&shape, NULL, &err));
    REFUSED_OUT(m, kn_model_read(&m, NULL, &err));
    REFUSED_OUT(m, kn_model_parse(&m, "x", NULL, 4, &err));
    REFUSED_OUT(m, kn_model_parse(&m, NULL, "{}", 2, &err));
    REFUSED_OUT(text, kn_model_format_text(&text, NULL, KN_MODEL_JSON, &err));
    REFUSED_OUT(text, kn_model_format_text(&text, w.tree, (kn_model_format)6, &err));
    REFUSED(kn_model_format_text(NULL, w.tree, KN_MODEL_JSON, &err));
    REFUSED_OUT(v, kn_model_check(&v, NULL, w.ds, NULL, NULL, NULL, &err));
    REFUSED_OUT(v, kn_model_check(&v, w.tree, NULL, NULL, NULL, NULL, &err));
    REFUSED_OUT(v, kn_model_check(&v, w.tree, w.ds, NULL, &nan_l, NULL, &err));
    REFUSED_OUT(v, kn_model_check(&v, w.tree, w.ds, NULL, &below, NULL, &err));
    REFUSED_OUT(stated, kn_model_check_stated(&stated, NULL, 10, NULL, 0, 2, &err));
    REFUSED_OUT(stated, kn_model_check_stated(&stated, w.tree, 10, NULL, 0, 2, &err));
    REFUSED(kn_model_apply(NULL, w.tree, w.ds, NULL, NULL, &err));
    REFUSED(kn_model_apply(NULL, w.tree, w.ds, "age", NULL, &err));
    REFUSED(kn_model_apply(NULL, NULL, w.ds, "answer", NULL, &err));
    REFUSED_OUT(text, kn_model_report(&text, w.tree, NULL, false, &err));
    REFUSED(kn_model_report_write(w.tree, w.judged, texts, 2, &err));
    REFUSED(kn_model_report_write_and_print(w.tree, w.judged, texts, 2, "text", &err));
    REFUSED(kn_model_report_write_and_print(w.tree, w.judged, NULL, 0, NULL, &err));
    REFUSED(kn_model_verdict_set_heading(NULL, "a title", NULL, NULL, &err));
    REFUSED(kn_model_publish(NULL, w.tree, w.ds, NULL, NULL, NULL, NULL, &err));
    REFUSED(kn_model_publish(NULL, w.tree, w.ds, NULL, NULL, &no_paths, NULL, &err));
    ANSWERED(!kn_model_kind_name((kn_model_kind)3));
    ANSWERED(kn_model_kind_of(NULL) == KN_MODEL_TREE);
    ANSWERED(!kn_model_format_of(&format, NULL) && format == KN_MODEL_SQL);
    ANSWERED(!kn_model_format_of(NULL, "a.json"));
    ANSWERED(kn_model_promised(NULL).k == 0);
    ANSWERED(!kn_model_verdict_holds(NULL));
    ANSWERED(!kn_model_verdict_figures(NULL));
    ANSWERED(!kn_model_verdict_broken(w.judged, kn_model_verdict_listed(w.judged)));
    ANSWERED(kn_model_verdict_listed(NULL) == 0);
    ANSWERED(kn_stated_verdict_answer(NULL) == KN_STATED_UNKNOWN);
    ANSWERED(kn_stated_verdict_k(NULL) == 0);
    ANSWERED(!kn_stated_verdict_span(NULL, 0));
    ANSWERED(kn_stated_verdict_spans(NULL) == 0);
    done(35);
}

/* ---- jobs, reports, the catalogue ---- */

static void jobs(void **state)
{
    kn_sample_size size;
    kn_job *job;
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_guarantee *list;
    kn_sweep *sweep;
    kn_option option;
    struct ArrowArrayStream stream = {0};
    const kn_job_data data = {KN_INIT(kn_job_data)};
    kn_value_recoding *recoding;
    size_t count;
    char *text;

    (void)state;
    REFUSED(kn_job_new(NULL, &err));
    REFUSED_OUT(job, kn_job_read(&job, NULL, &err));
    REFUSED_OUT(job, kn_job_parse(&job, NULL, 0, "job", NULL, &err));
    REFUSED_OUT(job, kn_job_parse(&job, "{}", 2, NULL, NULL, &err));
    REFUSED(kn_job_set(w.job, "k", NULL, &err));
    REFUSED(kn_job_set(w.job, NULL, "2", &err));
    REFUSED(kn_job_set(NULL, "k", "2", &err));
    REFUSED_OUT(text, kn_job_json(&text, NULL, &err));
    REFUSED(kn_job_write(w.job, NULL, &err));
    REFUSED(kn_job_print_report(NULL, true, &err));
    REFUSED(kn_job_save_as(NULL, "job.json", &err));
    REFUSED_OUT(ds, kn_job_table(&ds, w.job, "a.csv", (kn_table_use)77, false, NULL, &err));
    REFUSED_OUT(ds, kn_job_table(&ds, w.job, NULL, KN_TABLE_ORIGINAL, false, NULL, &err));
    REFUSED_OUT(hs, kn_job_hierarchies(&hs, w.job, NULL, &err));
    REFUSED_OUT(list, kn_job_guarantees(&list, &count, NULL, &err));
    REFUSED_OUT(list, kn_job_guarantees(&list, NULL, w.job, &err));
    REFUSED(kn_job_settings(NULL, w.job, &err));
    REFUSED(kn_job_refuse_overwriting(w.job, NULL, 1, NULL, 0, &err));
    REFUSED(kn_job_refuse_overwriting(w.job, NULL, 0, texts, 2, &err));
    REFUSED(kn_job_run(NULL, NULL, NULL, &err));
    REFUSED_OUT(ds, kn_job_table_data(&ds, w.job, NULL, KN_TABLE_ORIGINAL, NULL, &err));
    REFUSED(kn_job_table_data(NULL, w.job, &stream, KN_TABLE_ORIGINAL, NULL, &err));
    REFUSED(kn_job_run_data(NULL, NULL, w.job, &data, NULL, &err));
    REFUSED(kn_job_run_data(&stream, NULL, NULL, &data, NULL, &err));
    REFUSED(kn_job_run_data(&stream, NULL, w.job, NULL, NULL, &err));
    REFUSED(kn_job_run_data(&stream, NULL, w.job, &data, NULL, &err)); /* no table */
    REFUSED(kn_job_recode_data(&stream, w.job, NULL, &data, NULL, &err));
    REFUSED(kn_job_recode_data(NULL, w.job, NULL, &data, NULL, &err));
    REFUSED_OUT(recoding, kn_release_recoding(&recoding, NULL, &err));
    REFUSED(kn_release_recoding(NULL, w.release, &err));
    REFUSED_OUT(recoding, kn_recoding_parse(&recoding, NULL, 0, "r", &err));
    REFUSED_OUT(recoding, kn_recoding_parse(&recoding, "{}", 2, NULL, &err));
    REFUSED_OUT(text, kn_recoding_json(&text, NULL, &err));
    REFUSED_OUT(text, kn_recoding_sql(&text, NULL, "t", &err));
    REFUSED(kn_recoding_apply(NULL, NULL, &err));
    REFUSED_OUT(sweep, kn_sweep_run(&sweep, NULL, NULL, &err));
    REFUSED_OUT(sweep, kn_sweep_run_data(&sweep, NULL, &data, NULL, &err));
    REFUSED_OUT(sweep, kn_sweep_run_data(&sweep, w.job, NULL, NULL, &err));
    REFUSED_OUT(sweep, kn_sweep_run_data(&sweep, w.job, &data, NULL, &err)); /* no table */
    REFUSED_OUT(text, kn_sweep_path(&text, NULL, 0, &err));
    REFUSED_OUT(text, kn_sweep_json(&text, NULL, &err));
    REFUSED_OUT(text, kn_sweep_html(&text, NULL, &err));
    REFUSED_OUT(text, kn_sweep_text(&text, NULL, &err));
    REFUSED_OUT(text, kn_report_json(&text, NULL, &err));
    REFUSED_OUT(text, kn_report_html(&text, NULL, &err));
    REFUSED_OUT(text, kn_report_text(&text, NULL, &err));
    REFUSED(kn_report_write(NULL, "r.json", &err));
    ANSWERED(!kn_job_get(w.job, NULL, 0));
    ANSWERED(!kn_job_get(w.job, "k", SIZE_MAX));
    ANSWERED(!kn_job_get(NULL, "k", 0));
    ANSWERED(!kn_job_date(NULL, NULL, 0));
    kn_job_option(&option, SIZE_MAX);
    ANSWERED(!option.name);
    kn_job_option(NULL, 0);
    ANSWERED(!kn_job_option_find(&option, NULL));
    ANSWERED(!kn_option_repeats(NULL));
    ANSWERED(!kn_report_satisfied(NULL));
    ANSWERED(isnan(kn_report_utility(NULL, "loss")));
    ANSWERED(kn_sweep_values(NULL) + kn_sweep_worked(NULL) == 0);
    ANSWERED(!kn_sweep_parameter(NULL));
    ANSWERED(!kn_sweep_value(NULL, 0));
    ANSWERED(!kn_sweep_report(NULL, 0));
    ANSWERED(!kn_sweep_reason(NULL, 0));
    ANSWERED(!kn_catalog((kn_entry_kind)9, &count) && count == 0);
    ANSWERED(kn_catalog(KN_ENTRY_METHOD, NULL) != NULL);
    ANSWERED(!kn_catalog_find(KN_ENTRY_METHOD, NULL));
    ANSWERED(!kn_nearest(NULL, names, COLUMNS));
    ANSWERED(!kn_nearest("flash", NULL, 3));
    REFUSED(kn_sample_size_for(NULL, KN_SAMPLE_HOEFFDING, 0.9, 1, &err));
    REFUSED(kn_sample_size_for(&size, (kn_sample_rule)7, 0.9, 1, &err));
    REFUSED(kn_sample_size_for(&size, KN_SAMPLE_HOEFFDING, 0.5, 1, &err));
    REFUSED_OUT(text, kn_certificate_text(&text, NULL, &err));
    ANSWERED(!kn_verdict_certificate(NULL, 0));
    ANSWERED(kn_verdict_certificates(NULL) == 0);
    ANSWERED(!kn_verdict_unknown(NULL));
    ANSWERED(kn_attacker_name((kn_attacker)9) != NULL);
    ANSWERED(kn_certificate_kind_name((kn_certificate_kind)9) != NULL);
    ANSWERED(!kn_guarantee_uses_original((kn_guarantee_kind)99));
    ANSWERED(!kn_guarantee_compares_original(NULL));
    ANSWERED(kn_guarantee_sigma(NULL, 1) == 0);
    ANSWERED(kn_guarantee_k(NULL, 1) == 0);
    ANSWERED(!kn_guarantee_exact(NULL, 1));
    ANSWERED(kn_failing_share_at_most(0, 0, 0.1) == 1);
    ANSWERED(kn_failing_share_at_least(0, 0, 0.1) == 0);
    ANSWERED(kn_failing_share_at_most(3, 1, 0.7) == 1);
    ANSWERED(kn_status_name((kn_status)99) != NULL);
    ANSWERED(strcmp(kn_error_code_name((kn_error_code)99), "other") == 0);
    ANSWERED(kn_status_exit_code((kn_status)99) == 5);
    done(45);
}

/* Without a kn_error the answers are the same. */
static void without_error(void **state)
{
    (void)state;
    assert_int_equal(kn_schema_set_role(w.schema, "name", (kn_role)77, NULL), KN_EUSAGE);
    assert_int_equal(kn_write(w.ds, NULL, NULL, NULL, NULL), KN_EUSAGE);
    assert_int_equal(kn_hierarchies_add(w.hs, "town", w.ages, NULL), KN_EUSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas),        cmocka_unit_test(datasets),
        cmocka_unit_test(refused_record), cmocka_unit_test(hierarchies),
        cmocka_unit_test(files),          cmocka_unit_test(guarantees),
        cmocka_unit_test(releases),       cmocka_unit_test(measures),
        cmocka_unit_test(models),         cmocka_unit_test(jobs),
        cmocka_unit_test(parameters),     cmocka_unit_test(without_error),
    };

    return cmocka_run_group_tests(tests, make_all, free_all);
}
