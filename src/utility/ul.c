/* ul.c - utility loss of one record. */
#include "utility/ul.h"

kn_ul_parts kn_ul_add_up(const uint64_t *size, size_t items)
{
    kn_ul_parts p = {.items = items};

    for (size_t i = 0; i < items; i++) {
        p.sigma += size[i];
    }
    for (size_t i = 0; i < items; i++) {
        p.shares += kn_ul_half(p.sigma - size[i]);
    }
    return p;
}
