/* fuzz_jsonl.c - JSON Lines, through the whole reader. */
#include "fuzz_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(data, size, &(kn_layout){.format = KN_FORMAT_JSONL});
    return 0;
}
