/* suppression.c - what is not said at all: cells and records. */
#include "utility/utility.h"

#include <math.h>

size_t kn__suppressed_of(const kn_cells *cells)
{
    size_t suppressed = 0;

    for (size_t i = 0; i < cells->len; i++) {
        const uint32_t to = cells->tally[i].to;
        if (to == KN_NO_CODE || to == cells->column->star) {
            suppressed += cells->tally[i].records;
        }
    }
    return suppressed;
}

double kn__suppressed_records_of(const kn_comparison *c)
{
    return c->people ? (double)c->suppressed / (double)c->people : NAN;
}
