/* anonymize_file.c - read a table, make it k-anonymous, publish it checked, say what was lost.
 *
 *     anonymize_file INPUT SCHEMA HIERARCHIES K OUTPUT
 *
 * SCHEMA says what the columns are; HIERARCHIES is a folder of COLUMN.csv files. */
#include <kanon.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct work {
    kn_schema *schema;
    kn_dataset *table;
    kn_hierarchies *hierarchies;
    kn_release *release;
    kn_outcome outcome;
} work;

static void work_clear(work *w)
{
    kn_outcome_clear(&w->outcome);
    kn_release_free(w->release); /* before what it was made from */
    kn_hierarchies_free(w->hierarchies);
    kn_dataset_free(w->table);
    kn_schema_free(w->schema);
}

static kn_status read_all(work *w, char *const *paths, kn_error *err)
{
    kn_read_options how = {0};
    kn_status status = kn_schema_read(&w->schema, paths[1], err);

    if (status != KN_OK) {
        return status;
    }
    how.schema = w->schema;
    status = kn_read(&w->table, paths[0], &how, NULL, err);
    if (status == KN_OK) {
        status = kn_hierarchies_new(&w->hierarchies, err);
    }
    if (status == KN_OK) {
        status = kn_hierarchies_read_folder(NULL, w->hierarchies, paths[2], w->table, err);
    }
    return status;
}

static kn_status anonymize(work *w, size_t k, const char *output, kn_error *err)
{
    const kn_guarantee guarantee = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = k};
    const kn_anonymize_options options = {KN_INIT(kn_anonymize_options), .guarantees = &guarantee,
                                          .guarantees_count = 1};
    kn_status status = kn_anonymize(&w->release, w->table, w->hierarchies, &options, NULL, err);

    if (status == KN_OK) {
        status = kn_publish(&w->outcome, w->release, output, NULL, NULL, err);
    }
    return status;
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
    work w = {0};
    kn_error err;
    const size_t k = argc == 6 ? parse_count(argv[4]) : 0;
    kn_status status;

    if (k == 0) {
        (void)fprintf(stderr, "usage: anonymize_file INPUT SCHEMA HIERARCHIES K OUTPUT\n");
        return 2;
    }
    status = read_all(&w, argv + 1, &err);
    if (status == KN_OK) {
        status = anonymize(&w, k, argv[5], &err);
    }
    if (status == KN_OK) {
        printf("%zu of %zu records published by method %s\n",
               kn_dataset_records(w.outcome.published), kn_dataset_records(w.table),
               kn_release_method(w.release));
        printf("asked k = %zu, achieved k = %.0f\n", k, kn_verdict_achieved(w.outcome.verdict, 0));
        printf("loss %.4f (0 nothing lost, 1 everything)\n",
               kn_measures_value(w.outcome.measures, "loss", NULL));
    } else {
        (void)fprintf(stderr, "%s: %s\n", kn_status_name(status), err.message);
    }
    work_clear(&w);
    return kn_status_exit_code(status);
}
