/* fuzz_recoding.c - bytes as a recoding: refused with words, or a recoding that its JSON gives
 * again, that SQL can say or refuses, and that recodes a whole table or leaves it as it is. */
#include "kanon/dataset.h"
#include "kanon/memory.h"
#include "kanon/recoding.h"
#include "kanon/run.h"
#include "kanon/schema.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
    if (!holds) {
        abort();
    }
}

static void write_and_read(const kn_value_recoding *recoding)
{
    kn_value_recoding *again = NULL;
    char *text = NULL, *second = NULL, *sql = NULL;

    must(kn_recoding_json(&text, recoding, NULL) == KN_OK);
    must(kn_recoding_parse(&again, text, strlen(text), "written", NULL) == KN_OK);
    must(kn_recoding_json(&second, again, NULL) == KN_OK);
    must(strcmp(text, second) == 0);
    must((kn_recoding_sql(&sql, recoding, "people", NULL) == KN_OK) == (sql != NULL));
    kn_string_free(sql);
    kn_string_free(text);
    kn_string_free(second);
    kn_recoding_free(again);
}

/* A table with columns and values of the corpus. */
static kn_dataset *table(void)
{
    static const char *const names[] = {"age", "sex", "postcode", "items"};
    static const char *const records[][4] = {{"33", "f", "10115", "1 2"},
                                             {"58", "m", "20099", "3"},
                                             {"34", "f", "10117", ""}};
    kn_schema *schema = NULL;
    kn_dataset_builder *builder = NULL;
    kn_dataset *ds = NULL;

    must(kn_schema_new(&schema, NULL) == KN_OK);
    for (size_t i = 0; i < 4; i++) {
        must(kn_schema_set_role(schema, names[i], KN_ROLE_QUASI, NULL) == KN_OK);
    }
    must(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL) == KN_OK);
    must(kn_schema_set_item_separator(schema, " ", NULL) == KN_OK);
    must(kn_dataset_builder_new(&builder, names, 4, schema, NULL) == KN_OK);
    for (size_t i = 0; i < 3; i++) {
        must(kn_dataset_builder_add(builder, records[i], NULL) == KN_OK);
    }
    must(kn_dataset_builder_finish(&ds, builder, NULL) == KN_OK);
    kn_schema_free(schema);
    return ds;
}

static void holds(const kn_dataset *ds, size_t column, const char *text)
{
    size_t len;
    const char *value = kn_dataset_value(ds, column, kn_dataset_code(ds, column, 0), &len);

    must(len == strlen(text) && memcmp(value, text, len) == 0);
}

static void apply(const kn_value_recoding *recoding)
{
    kn_dataset *ds = table();
    kn_error err = {0};

    if (kn_recoding_apply(ds, recoding, &err) == KN_OK) {
        must(kn_dataset_records(ds) == 3);
    } else {
        must(*err.message != '\0');
        holds(ds, 0, "33");
        holds(ds, 1, "f");
        holds(ds, 2, "10115");
    }
    kn_dataset_free(ds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_value_recoding *recoding = NULL;
    kn_error err = {0};

    if (kn_recoding_parse(&recoding, (const char *)data, size, "recoding.json", &err) == KN_OK) {
        write_and_read(recoding);
        apply(recoding);
    } else {
        must(!recoding && *err.message);
    }
    kn_recoding_free(recoding);
    must(kn_memory_in_use() == before);
    return 0;
}
