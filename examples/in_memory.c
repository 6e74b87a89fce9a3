/* in_memory.c - a table that never was a file: build it, build a hierarchy for its ages, make it
 * 3-anonymous, print what would be published. */
#include <kanon.h>

#include <stdio.h>

static const char *const names[] = {"name", "age", "town", "illness"};
enum { COLUMNS = sizeof names / sizeof names[0] };

static const char *const people[][COLUMNS] = {
    {"Ada", "31", "Graz", "flu"},   {"Ben", "34", "Graz", "cold"}, {"Cem", "38", "Linz", "flu"},
    {"Dora", "52", "Linz", "gout"}, {"Eva", "57", "Linz", "flu"},  {"Finn", "59", "Graz", "cold"},
    {"Gus", "36", "Graz", "cold"},  {"Hana", "53", NULL, "gout"}, /* NULL: not known */
};

static kn_status make_schema(kn_schema **out, kn_error *err)
{
    static const kn_role roles[COLUMNS] = {KN_ROLE_IDENTIFIER, KN_ROLE_QUASI, KN_ROLE_QUASI,
                                           KN_ROLE_SENSITIVE};
    kn_status status = kn_schema_new(out, err);

    for (size_t i = 0; status == KN_OK && i < COLUMNS; i++) {
        status = kn_schema_set_role(*out, names[i], roles[i], err);
    }
    return status;
}

static kn_status make_table(kn_dataset **out, const kn_schema *schema, kn_error *err)
{
    kn_dataset_builder *builder = NULL;
    kn_status status = kn_dataset_builder_new(&builder, names, COLUMNS, schema, err);

    for (size_t i = 0; status == KN_OK && i < sizeof people / sizeof people[0]; i++) {
        status = kn_dataset_builder_add(builder, people[i], err);
    }
    if (status == KN_OK) {
        return kn_dataset_builder_finish(out, builder, err); /* frees the builder */
    }
    kn_dataset_builder_free(builder);
    return status;
}

/* Ages in ranges of 5 years, then 10, then 20, and so on. */
static kn_status make_hierarchies(kn_hierarchies **out, const kn_dataset *table, kn_error *err)
{
    const kn_build_options how = {KN_INIT(kn_build_options), .kind = KN_BUILD_WIDTH, .width = 5};
    kn_hierarchy *ages = NULL;
    kn_status status = kn_hierarchies_new(out, err);

    if (status == KN_OK) {
        status = kn_hierarchy_build(&ages, table, kn_dataset_find(table, "age"), &how, err);
    }
    if (status == KN_OK) {
        status = kn_hierarchies_add(*out, "age", ages, err);
        if (status != KN_OK) {
            kn_hierarchy_free(ages); /* still ours */
        }
    }
    return status;
}

static void print_table(const kn_dataset *table)
{
    const size_t columns = kn_dataset_columns(table);

    for (size_t c = 0; c < columns; c++) {
        printf("%-14s%s", kn_dataset_name(table, c), c + 1 < columns ? "" : "\n");
    }
    for (size_t i = 0; i < kn_dataset_records(table); i++) {
        for (size_t c = 0; c < columns; c++) {
            size_t len;
            const char *text = kn_dataset_value(table, c, kn_dataset_code(table, c, i), &len);
            printf("%-14.*s%s", (int)len, text, c + 1 < columns ? "" : "\n");
        }
    }
}

int main(void)
{
    const kn_guarantee guarantee = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 3};
    const kn_anonymize_options options = {KN_INIT(kn_anonymize_options), .guarantees = &guarantee,
                                          .guarantees_count = 1};
    kn_schema *schema = NULL;
    kn_dataset *table = NULL;
    kn_hierarchies *hierarchies = NULL;
    kn_release *release = NULL;
    kn_verdict *verdict = NULL;
    kn_error err;
    kn_status status = make_schema(&schema, &err);

    if (status == KN_OK) {
        status = make_table(&table, schema, &err);
    }
    if (status == KN_OK) {
        status = make_hierarchies(&hierarchies, table, &err);
    }
    if (status == KN_OK) {
        status = kn_anonymize(&release, table, hierarchies, &options, NULL, &err);
    }
    if (status == KN_OK) { /* kn_publish would do this with the file it wrote */
        status = kn_check(&verdict, kn_release_data(release), &guarantee, 1, NULL, NULL, &err);
    }
    if (status == KN_OK) {
        print_table(kn_release_data(release));
        printf("every record is one of at least %.0f alike\n", kn_verdict_achieved(verdict, 0));
    } else {
        (void)fprintf(stderr, "%s: %s\n", kn_status_name(status), err.message);
    }
    kn_verdict_free(verdict);
    kn_release_free(release);
    kn_hierarchies_free(hierarchies);
    kn_dataset_free(table);
    kn_schema_free(schema);
    return kn_status_exit_code(status);
}
