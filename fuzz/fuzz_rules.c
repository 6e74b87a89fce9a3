/* fuzz_rules.c - bytes as a list of rules in CSV: refused with words, or rules that are valid, are
 * written and read back as themselves, and can be judged by what they state. */
#include "kanon/model.h"
#include "models/format/formats.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_judge(const kn_model *m)
{
    kn_buffer once = {0}, twice = {0};
    kn_model *read = NULL;
    kn_stated_verdict *v = NULL;
    const char *reason;
    kn_error err = {0};

    if (!kn__model_validate(m, &reason) || kn__model_csv(m, &once, &err) != KN_OK ||
        kn__model_parse_csv(&read, "again", once.data, once.len, &err) != KN_OK ||
        kn__model_csv(read, &twice, &err) != KN_OK || once.len != twice.len ||
        memcmp(once.data, twice.data, once.len) != 0) {
        abort();
    }
    if (m->rules.count < 8 && kn_model_check_stated(&v, m, 100, NULL, 0, 5, &err) != KN_OK &&
        !*err.message) {
        abort();
    }
    kn_stated_verdict_free(v);
    kn_model_free(read);
    kn__buffer_free(&once);
    kn__buffer_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_model *m = NULL;
    kn_error err = {0};

    if (kn__model_parse_csv(&m, "rules.csv", (const char *)data, size, &err) == KN_OK) {
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
