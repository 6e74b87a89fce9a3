/* fuzz_schema.c - bytes as a schema file: refused with words, or a schema that answers, and that
 * its JSON gives again. */
#include "data/schema.h"
#include "kanon/memory.h"
#include "kanon/run.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const kn_schema *schema)
{
    kn_schema *again = NULL;
    char *text = NULL, *second = NULL;

    if (kn_schema_json(&text, schema, NULL) != KN_OK ||
        kn_schema_parse(&again, text, strlen(text), "written", NULL, NULL) != KN_OK ||
        kn_schema_json(&second, again, NULL) != KN_OK || strcmp(text, second) != 0) {
        abort();
    }
    kn_string_free(text);
    kn_string_free(second);
    kn_schema_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_schema *schema = NULL;
    kn_error err = {0};
    const kn_status st = kn__schema_parse(&schema, "schema.json", (const char *)data, size,
                                          "folder", &err);

    if (st == KN_OK) {
        for (size_t i = 0; i < kn_schema_columns(schema); i++) {
            const char *name = kn_schema_column_name(schema, i);
            if (!kn_role_name(kn_schema_role(schema, name)) || !kn__schema_find(schema, name)) {
                abort();
            }
        }
        (void)kn__schema_is_missing(schema, NULL, "", 0);
        write_and_read(schema);
    } else if (schema || !strlen(err.message)) {
        abort();
    }
    kn_schema_free(schema);
    if (kn_memory_in_use() != before) {
        abort();
    }
    return 0;
}
