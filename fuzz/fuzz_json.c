/* fuzz_json.c - tree records as json, through the whole reader, and written and read again. */
#include "fuzz_trees.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(data, size, &(kn_layout){.format = KN_FORMAT_JSON});
    fuzz_trees(data, size, KN_FORMAT_JSON);
    return 0;
}
