/* fuzz_csv.c - delimited text, through the whole reader and back through the writer.
 *
 * The first byte chooses options, so that all of them are reached. Whatever is read must be a valid
 * dataset, the same for every number of threads and size of blocks. */
#include "data/dataset.h"
#include "fuzz_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kn_layout layout = {.format = KN_FORMAT_CSV};

    if (size == 0) {
        return 0;
    }
    layout.no_quotes = data[0] & 1;
    layout.trim = data[0] & 2;
    layout.no_header = data[0] & 4;
    layout.separator = data[0] & 8 ? ',' : 0;
    layout.spreadsheet_safe = data[0] & 32;
    layout.format = data[0] & 16 ? KN_FORMAT_LONG : KN_FORMAT_CSV;
    fuzz_read(data + 1, size - 1, &layout);
    return 0;
}
