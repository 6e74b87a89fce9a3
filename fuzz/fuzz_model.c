/* fuzz_model.c - bytes as a model of JSON: refused with words, or a model that is valid, is written
 * and read back as itself, and can be judged. */
#include "kanon/dataset.h"
#include "kanon/model.h"
#include "models/format/formats.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A few records with the columns that the corpus speaks of. */
static kn_dataset *table(void)
{
    static const char *const names[] = {"job", "age", "zip"};
    static const char *const rows[][3] = {
        {"a", "20", "x"}, {"b", "40", "y"}, {"a", NULL, "x"}, {NULL, "60", "z"}};
    kn_dataset_builder *b;
    kn_dataset *ds = NULL;

    if (kn_dataset_builder_new(&b, names, 3, NULL, NULL) != KN_OK) {
        return NULL;
    }
    for (size_t i = 0; i < 4; i++) {
        if (kn_dataset_builder_add(b, rows[i], NULL) != KN_OK) {
            kn_dataset_builder_free(b);
            return NULL;
        }
    }
    if (kn_dataset_builder_finish(&ds, b, NULL) == KN_OK) {
        kn_dataset_set_role(ds, 0, KN_ROLE_SENSITIVE, NULL);
        kn_dataset_set_role(ds, 1, KN_ROLE_QUASI, NULL);
        kn_dataset_set_role(ds, 2, KN_ROLE_SENSITIVE, NULL);
    }
    return ds;
}

static void write_and_judge(const kn_model *m)
{
    const kn_model_limits limits = {.k = 2};
    const kn_run run = {.threads = 1};
    kn_dataset *ds = table();
    kn_model_verdict *v = NULL;
    kn_model *read = NULL;
    char *once = NULL, *twice = NULL;
    const char *reason;
    kn_error err = {0};

    if (!kn__model_validate(m, &reason) ||
        kn_model_format_text(&once, m, KN_MODEL_JSON, &err) != KN_OK ||
        kn_model_parse(&read, "again", once, strlen(once), &err) != KN_OK ||
        kn_model_format_text(&twice, read, KN_MODEL_JSON, &err) != KN_OK ||
        strcmp(once, twice) != 0) {
        abort();
    }
    if (ds && kn_model_check(&v, m, ds, NULL, &limits, &run, &err) != KN_OK && !*err.message) {
        abort();
    }
    kn_model_verdict_free(v);
    kn_model_free(read);
    kn_string_free(once);
    kn_string_free(twice);
    kn_dataset_free(ds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_model *m = NULL;
    kn_error err = {0};

    if (kn__model_parse_json(&m, "model.json", (const char *)data, size, &err) == KN_OK) {
        write_and_judge(m);
    } else if (m || !*err.message) {
        abort();
    }
    kn_model_free(m);
    if (kn_memory_in_use() != before) {
        abort();
    }
    return 0;
}
