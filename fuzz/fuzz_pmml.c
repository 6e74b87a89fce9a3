/* fuzz_pmml.c - bytes as a model in PMML: refused with words, or a valid model that can be written
 * in every format that it has, and whose PMML is read again. */
#include "kanon/run.h"
#include "models/format/formats.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
    if (!holds) {
        abort();
    }
}

static void write_all(const kn_model *m)
{
    static const kn_model_format formats[] = {KN_MODEL_JSON, KN_MODEL_PMML, KN_MODEL_DOT,
                                              KN_MODEL_SQL, KN_MODEL_TEXT};
    const char *reason;

    must(kn__model_validate(m, &reason));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text = NULL;
        kn_model *again = NULL;
        const kn_status st = kn_model_format_text(&text, m, formats[i], NULL);

        must(st == KN_OK || st == KN_EUSAGE || st == KN_EINPUT);
        must((st == KN_OK) == (text != NULL));
        if (text && formats[i] <= KN_MODEL_PMML) {
            must(kn_model_parse(&again, "again", text, strlen(text), NULL) == KN_OK);
        }
        kn_model_free(again);
        kn_string_free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_model *m = NULL;
    kn_error err = {0};
    const kn_status st = kn__model_parse_pmml(&m, "m.pmml", (const char *)data, size, &err);

    if (st == KN_OK) {
        write_all(m);
    } else {
        must(!m && *err.message);
    }
    kn_model_free(m);
    must(kn_memory_in_use() == before);
    return 0;
}
