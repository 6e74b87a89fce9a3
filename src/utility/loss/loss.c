/* loss.c - Iyengar's loss metric (2002): (leaves - 1) / (domain - 1), suppressed 1. */
#include "utility/utility.h"

#include <math.h>

double kn__loss_of(const kn_cells *cells)
{
    const size_t records = cells->of->people;
    double sum = 0;

    for (size_t i = 0; i < cells->len; i++) {
        sum += cells->tally[i].records * kn__cells_get(cells, i).loss;
    }
    return records ? sum / (double)records : NAN;
}
