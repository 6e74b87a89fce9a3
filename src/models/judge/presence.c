/* presence.c - presence and absence as the two values of l-diversity. */
#include "models/judge/presence.h"
#include "guarantees/formulas.h"

kn_presence kn__presence_judge(const kn_guarantee *diversity, uint32_t having, uint32_t population)
{
    uint32_t count[2] = {0}, codes[2], sorted[2];
    kn_histogram h = {.count = count, .codes = codes};
    kn_presence presence = {.confidence = kn__ratio(having, population)};

    if (having > 0) {
        kn__histogram_add_code(&h, 1, having);
    }
    if (having < population) {
        kn__histogram_add_code(&h, 0, population - having);
    }
    presence.diverse = kn__l_diversity_holds(diversity, &h, sorted, &presence.diversity);
    return presence;
}
