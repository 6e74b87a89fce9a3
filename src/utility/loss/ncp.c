/* ncp.c - normalised certainty penalty (Xu et al. 2006): the share of the domain that a
 * published value spans. */
#include "utility/utility.h"

#include <math.h>

double kn__ncp_of(const kn_cells *cells)
{
    const size_t records = cells->of->people;
    double sum = 0;

    for (size_t i = 0; i < cells->len; i++) {
        sum += cells->tally[i].records * kn__cells_get(cells, i).ncp;
    }
    return records ? sum / (double)records : NAN;
}
