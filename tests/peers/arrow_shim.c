/* arrow_shim.c - what arrow.py calls: a stream in, a stream out. Everything else is freed before
 * the stream is given back, so that it must live on its own. */
#include <kanon.h>

#include <stdio.h>
#include <string.h>

/* "age=quasi-identifier;name=identifier" */
static kn_status read_roles(kn_schema *schema, const char *roles, kn_error *err)
{
    char copy[2000], *rest = NULL;
    kn_status status = KN_OK;

    (void)snprintf(copy, sizeof copy, "%s", roles);
    for (char *part = strtok_r(copy, ";", &rest); status == KN_OK && part;
         part = strtok_r(NULL, ";", &rest)) {
        char *role = strrchr(part, '=');
        kn_role value;
        kn_type type;
        *role++ = '\0';
        if (kn_role_from_name(&value, role)) {
            status = kn_schema_set_role(schema, part, value, err);
            if (status == KN_OK && value == KN_ROLE_KEPT) {
                status = kn_schema_allow_unique(schema, part, err);
            }
        } else if (kn_type_from_name(&type, role)) {
            status = kn_schema_set_type(schema, part, type, err);
        }
    }
    return status;
}

static kn_status read_table(kn_dataset **out, struct ArrowArrayStream *in, const char *roles,
                            kn_error *err)
{
    kn_schema *schema = NULL;
    kn_read_options options = {0};
    kn_status status = kn_schema_new(&schema, err);

    if (status == KN_OK) {
        status = read_roles(schema, roles, err);
    }
    if (status != KN_OK) {
        in->release(in);
    } else {
        options.schema = schema;
        status = kn_dataset_from_arrow(out, in, &options, NULL, err);
    }
    kn_schema_free(schema);
    return status;
}

int peer_pass(struct ArrowArrayStream *in, struct ArrowArrayStream *out, const char *roles,
              char *message);
int peer_anonymize(struct ArrowArrayStream *in, struct ArrowArrayStream *out, const char *roles,
                   size_t k, int changed_only, char *message);
size_t peer_memory(void);

/* A table comes back as it came. */
int peer_pass(struct ArrowArrayStream *in, struct ArrowArrayStream *out, const char *roles,
              char *message)
{
    kn_error err = {0};
    kn_dataset *table = NULL;
    kn_status status = read_table(&table, in, roles, &err);

    if (status == KN_OK) {
        status = kn_dataset_to_arrow(out, table, NULL, &err);
    }
    kn_dataset_free(table);
    (void)strcpy(message, err.message);
    return (int)status;
}

/* A table comes back k-anonymous. */
int peer_anonymize(struct ArrowArrayStream *in, struct ArrowArrayStream *out, const char *roles,
                   size_t k, int changed_only, char *message)
{
    const kn_guarantee guarantee = {.kind = KN_K_ANONYMITY, .k = k};
    const kn_anonymize_options options = {.guarantees = &guarantee, .guarantees_count = 1};
    const kn_release_arrow_options given = {.size = sizeof given,
                                            .changed_only = changed_only != 0};
    kn_error err = {0};
    kn_dataset *table = NULL;
    kn_release *release = NULL;
    kn_outcome outcome = {0};
    kn_status status = read_table(&table, in, roles, &err);

    if (status == KN_OK) {
        status = kn_anonymize(&release, table, NULL, &options, NULL, &err);
    }
    if (status == KN_OK) {
        status = kn_release_to_arrow(out, &outcome, release, &given, NULL, &err);
    }
    if (status == KN_OK &&
        (!kn_verdict_holds(outcome.verdict) ||
         kn_dataset_records(outcome.published) != kn_dataset_records(kn_release_data(release)))) {
        status = KN_EBROKEN;
    }
    kn_outcome_clear(&outcome);
    kn_release_free(release);
    kn_dataset_free(table);
    (void)strcpy(message, err.message);
    return (int)status;
}

size_t peer_memory(void)
{
    return kn_memory_in_use();
}
