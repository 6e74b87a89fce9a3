/* k_anonymity.c - every class has at least k records (Samarati and Sweeney, 1998). */
#include "guarantees/formulas.h"

#include "base/error.h"

kn_status kn__k_anonymity_validate(const kn_guarantee *g, kn_error *err)
{
    if (g->k < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "k-anonymity: k is 0; give k of at least 1 (2 or more to protect anyone)");
    }
    return KN_OK;
}

bool kn__k_anonymity_holds(const kn_guarantee *g, uint64_t size, double *value)
{
    if (value) {
        *value = (double)size;
    }
    return size >= g->k;
}
