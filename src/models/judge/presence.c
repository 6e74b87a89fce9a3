/* presence.c - two values, having and not having, in the formulas of diversity. */
#include "models/judge/presence.h"
#include "guarantees/formulas.h"

kn_had kn_had_judge(const kn_guarantee *diversity, uint32_t having, uint32_t population)
{
    uint32_t count[2] = {0}, codes[2], sorted[2];
    kn_histogram h = {.count = count, .codes = codes};
    kn_had had = {.confidence = kn_ratio(having, population)};

    if (having > 0) {
        kn_histogram_add_code(&h, 1, having);
    }
    if (having < population) {
        kn_histogram_add_code(&h, 0, population - having);
    }
    had.diverse = kn_l_diversity_holds(diversity, &h, sorted, &had.diversity);
    return had;
}
