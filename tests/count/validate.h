/* Whether baskets are as count/baskets.h promises. */
#ifndef KN_TESTS_COUNT_VALIDATE_H
#define KN_TESTS_COUNT_VALIDATE_H

#include "count/baskets.h"

static inline bool baskets_validate(const kn_baskets *b, const char **reason)
{
    if (b->starts[0] != 0) {
        *reason = "the first record does not start at 0";
        return false;
    }
    for (size_t i = 0; i < b->records; i++) {
        if (b->starts[i] > b->starts[i + 1]) {
            *reason = "records overlap";
            return false;
        }
        for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
            if (b->list[j] >= b->items) {
                *reason = "a code is not among the items";
                return false;
            }
            if (j > b->starts[i] &&
                (b->list[j] < b->list[j - 1] || (!b->bags && b->list[j] == b->list[j - 1]))) {
                *reason = "the items of a record are not ascending";
                return false;
            }
        }
    }
    return true;
}

#endif
