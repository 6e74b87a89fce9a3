/* discernibility.c - Bayardo and Agrawal's metric (2005): how many records each record cannot be
 * told from. */
#include "utility/utility.h"

double kn__discernibility_of(const kn_comparison *c)
{
    /* The sum of squares is at most the square of the sum, so below 2^64 with fewer than 2^32
     * records. */
    uint64_t sum = (uint64_t)c->suppressed * c->people;

    for (uint32_t i = 0; i < c->classes->count; i++) {
        if (!c->starred[i]) {
            sum += (uint64_t)c->classes->size[i] * c->classes->size[i];
        }
    }
    return (double)sum;
}
