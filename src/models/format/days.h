/* models/format/days.h - tests of dates as tests of whole days, for formats that write days. */
#ifndef KN_MODELS_FORMAT_DAYS_H
#define KN_MODELS_FORMAT_DAYS_H

#include "models/model.h"
#include <math.h>

/** `t`, a test of a date, as one or two tests whose numbers are whole: between two days there is
 * none. Two of them are to be joined by "and" if `t` asks for equality, else by "or".
 *  @return how many. */
static inline size_t kn__days_tests(const kn_test *t, kn_test out[2])
{
    const double before = floor(t->number), after = ceil(t->number);

    out[0] = out[1] = *t;
    if (before == after) {
        return 1;
    }
    out[0].kind = KN_TEST_LESS_EQUAL;
    out[0].number = before;
    out[1].kind = KN_TEST_GREATER_EQUAL;
    out[1].number = after;
    if (t->kind == KN_TEST_GREATER || t->kind == KN_TEST_GREATER_EQUAL) {
        out[0] = out[1];
    }
    return t->kind == KN_TEST_EQUAL || t->kind == KN_TEST_NOT_EQUAL ? 2 : 1;
}

#endif
