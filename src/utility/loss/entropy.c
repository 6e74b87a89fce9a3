/* entropy.c - non-uniform entropy: the bits it takes to guess a value back from what was
 * published. */
#include "utility/utility.h"

#include <math.h>

kn_bits kn__entropy_of(const kn_cells *cells)
{
    const double records = (double)cells->of->people;
    kn_bits bits = {0, 0};

    if (!cells->of->origin) {
        return (kn_bits){NAN, NAN};
    }
    for (size_t i = 0; i < cells->len; i++) {
        const kn_tally *t = &cells->tally[i];
        const double held = cells->held[t->from];
        const double alike = (double)kn__cells_get(cells, i).alike;
        bits.lost += t->records * log2(alike / held);
        bits.all += t->records * log2(records / held);
    }
    return bits;
}

double kn__entropy_share(kn_bits bits)
{
    if (bits.all > 0) {
        return bits.lost / bits.all;
    }
    return isnan(bits.all) ? NAN : 0; /* a column with one value has no bits to lose */
}
