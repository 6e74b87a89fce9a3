/* fuzz_partial.c - bytes as a partial count, with a checksum that is right: refused with words, or
 * a count that is sound, writes the same bytes again and merges with itself. */
#include "base/memory.h"
#include "count/partial_inside.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const kn_itemset_counts *p, const char *bytes, size_t size)
{
    char *again = NULL;
    size_t len = 0;
    const char *reason = "";
    kn_itemset_counts *both = NULL;

    if (!kn__partial_validate(p, &reason) || kn__partial_write(p, &again, &len, NULL) != KN_OK ||
        len != size || memcmp(again, bytes, size) != 0) {
        abort();
    }
    kn__free(again);
    if (kn__partial_merge(&both, p, p, NULL) == KN_OK) {
        if (!kn__partial_validate(both, &reason)) {
            abort();
        }
        kn__partial_free(both);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    char *bytes = kn__malloc(size);
    kn_itemset_counts *p = NULL;
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
    if (kn__partial_read(&p, bytes, size, &err) == KN_OK) {
        look(p, bytes, size);
    } else if (p || !strlen(err.message)) {
        abort();
    }
    kn__partial_free(p);
    kn__free(bytes);
    if (kn_memory_in_use() != before) {
        abort();
    }
    return 0;
}
