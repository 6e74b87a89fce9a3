/* precision.c - Sweeney's precision (2002): 1 less the mean share of the way up the hierarchy. */
#include "utility/utility.h"

#include <math.h>

double kn__precision_of(const kn_cells *cells)
{
    const size_t records = cells->of->people;
    double sum = 0;

    for (size_t i = 0; i < cells->len; i++) {
        sum += cells->tally[i].records * kn__cells_get(cells, i).level;
    }
    return records ? 1 - sum / (double)records : NAN;
}
