/* fuzz_schema.c - bytes as a schema file: refused with words, or a schema that answers. */
#include "data/schema.h"
#include "kanon/run.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    } else if (schema || !strlen(err.message)) {
        abort();
    }
    kn_schema_free(schema);
    if (kn_memory_in_use() != before) {
        abort();
    }
    return 0;
}
