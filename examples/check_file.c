/* check_file.c - is this file k-anonymous over these columns? Lists the classes that are too small.
 *
 *     check_file INPUT K COLUMN...
 *
 * Exit status: 0 it is, 1 it is not, otherwise as the kanon command. */
#include <kanon.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LISTED = 10 };

/* The columns named are quasi-identifiers, and texts: in a release `34` and `[30,39]` are both
 * just what is published. */
static kn_status make_schema(kn_schema **out, char *const *columns, int count, kn_error *err)
{
    kn_status status = kn_schema_new(out, err);

    for (int i = 0; status == KN_OK && i < count; i++) {
        status = kn_schema_set_role(*out, columns[i], KN_ROLE_QUASI, err);
        if (status == KN_OK) {
            status = kn_schema_set_type(*out, columns[i], KN_TYPE_CATEGORY, err);
        }
    }
    return status;
}

static void print_class(const kn_dataset *table, size_t record)
{
    for (size_t c = 0; c < kn_dataset_columns(table); c++) {
        if (kn_dataset_role(table, c) == KN_ROLE_QUASI) {
            size_t len;
            const char *text = kn_dataset_value(table, c, kn_dataset_code(table, c, record), &len);
            printf(" %s=%.*s", kn_dataset_name(table, c), (int)len, text);
        }
    }
    printf("\n");
}

static void print_verdict(const kn_verdict *verdict, const kn_dataset *table)
{
    size_t listed = kn_verdict_violations_kept(verdict);

    printf("%s: %zu classes, achieved k = %.0f\n",
           kn_verdict_holds(verdict) ? "holds" : "does not hold", kn_verdict_classes(verdict),
           kn_verdict_achieved(verdict, 0));
    listed = listed < MOST_LISTED ? listed : MOST_LISTED;
    for (size_t i = 0; i < listed; i++) {
        const kn_violation *v = kn_verdict_violation(verdict, i);
        printf("%zu records:", v->size);
        print_class(table, v->record);
    }
    if (kn_verdict_violations(verdict) > listed) {
        printf("... and %zu more\n", kn_verdict_violations(verdict) - listed);
    }
}

/* The count that `text` is, 0 when it is none. */
static size_t parse_count(const char *text)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 ? value : 0;
}

int main(int argc, char **argv)
{
    kn_schema *schema = NULL;
    kn_dataset *table = NULL;
    kn_verdict *verdict = NULL;
    kn_guarantee guarantee = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY};
    kn_read_options how = {0};
    kn_error err = {0};
    kn_status status;
    int result;

    guarantee.k = argc > 3 ? parse_count(argv[2]) : 0;
    if (guarantee.k == 0) {
        (void)fprintf(stderr, "usage: check_file INPUT K COLUMN...\n");
        return 2;
    }
    status = make_schema(&schema, argv + 3, argc - 3, &err);
    if (status == KN_OK) {
        how.schema = schema;
        status = kn_read(&table, argv[1], &how, NULL, &err);
    }
    if (status == KN_OK) {
        status = kn_check(&verdict, table, &guarantee, 1, NULL, NULL, &err);
    }
    result = kn_status_exit_code(status);
    if (status == KN_OK) {
        print_verdict(verdict, table);
        result = kn_verdict_holds(verdict) ? 0 : 1;
    } else if (err.message[0]) {
        (void)fprintf(stderr, "%s: %s\n", kn_status_name(status), err.message);
    }
    kn_verdict_free(verdict);
    kn_dataset_free(table);
    kn_schema_free(schema);
    return result;
}
