/* fuzz_partial.c - bytes as a partial count, with a checksum that is right: refused with words, or
 * a count that is sound, writes the same bytes again and merges with itself. */
#include "base/memory.h"
#include "count/partial_inside.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const kn_partial *p, const char *bytes, size_t size)
{
    char *again = NULL;
    size_t len = 0;
    const char *reason = "";
    kn_partial *both = NULL;

    if (!kn_partial_validate(p, &reason) || kn_partial_write(p, &again, &len, NULL) != KN_OK ||
        len != size || memcmp(again, bytes, size) != 0) {
        abort();
    }
    kn_free(again);
    if (kn_partial_merge(&both, p, p, NULL) == KN_OK) {
        if (!kn_partial_validate(both, &reason)) {
            abort();
        }
        kn_partial_free(both);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    char *bytes = kn_malloc(size);
    kn_partial *p = NULL;
    kn_error err = {0};

    if (size) {
        memcpy(bytes, data, size);
    }
    if (size >= 8) {
        const uint64_t sum = kn__partial_checksum(bytes, size - 8);
        for (size_t i = 0; i < 8; i++) {
            bytes[size - 8 + i] = (char)(sum >> (8 * i));
        }
    }
    if (kn_partial_read(&p, bytes, size, &err) == KN_OK) {
        look(p, bytes, size);
    } else if (p || !strlen(err.message)) {
        abort();
    }
    kn_partial_free(p);
    kn_free(bytes);
    if (kn_memory_in_use() != before) {
        abort();
    }
    return 0;
}
