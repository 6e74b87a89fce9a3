/* models/exact/fourier_motzkin.h - whether linear conditions can hold together, by eliminating one
 * number after the other (Fourier and Motzkin): slow, exact, and nothing like
 * models/exact/integer_simplex.h, which it is there to check. */
#ifndef KN_MODELS_EXACT_FOURIER_MOTZKIN_H
#define KN_MODELS_EXACT_FOURIER_MOTZKIN_H

#include "models/exact/bigint.h"

enum { KN_CONDITION_NUMBERS = 4, KN_CONDITIONS_MOST = 1 << 12 };

/** constant + coefficients * x >= 0, or > 0. */
typedef struct kn_inequality {
    bool strict;
    kn_bigint part[1 + KN_CONDITION_NUMBERS]; /* the constant first */
} kn_inequality;

/** Zero it before the first use. */
typedef struct kn_inequalities {
    kn_inequality *row;
    size_t count, cap;
    kn_inequality *next; /* room for those on one number less */
    size_t next_cap;
} kn_inequalities;
void kn__inequalities_clear(kn_inequalities *c);

typedef enum kn_found {
    KN_FOUND_NO = 0,
    KN_FOUND_YES,
    KN_FOUND_TOO_LONG, /* more than KN_CONDITIONS_MOST, or numbers too long for kn_bigint */
    KN_FOUND_NOMEM
} kn_found;

/** The next condition, to be filled in; NULL: no memory. Others may move. */
kn_inequality *kn__inequalities_add(kn_inequalities *c);
/** Whether there are `numbers` real x for which all hold. They are gone afterwards. */
kn_found kn__inequalities_hold(kn_inequalities *c, size_t numbers);

#endif
