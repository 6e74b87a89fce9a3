/* models/exact/fourier_motzkin.h - whether a system of linear inequalities has a solution, by
 * Fourier-Motzkin elimination: slow and exact, and independent of models/exact/integer_simplex.h,
 * which it checks. */
#ifndef KN_MODELS_EXACT_FOURIER_MOTZKIN_H
#define KN_MODELS_EXACT_FOURIER_MOTZKIN_H

#include "models/exact/bigint.h"

enum { KN_CONDITION_NUMBERS = 4, KN_CONDITIONS_MOST = 1 << 12 };

/** constant + coefficients * x >= 0, or > 0. */
typedef struct kn_inequality {
    bool strict;
    kn_bigint coefficient[1 + KN_CONDITION_NUMBERS]; /* the constant first */
} kn_inequality;

/** Zero it before the first use. */
typedef struct kn_inequalities {
    kn_inequality *row;
    size_t count, cap;
    kn_inequality *next; /* the system with one variable less, while it is made */
    size_t next_cap;
} kn_inequalities;
void kn__inequalities_clear(kn_inequalities *c);

typedef enum kn_found {
    KN_FOUND_NO = 0,
    KN_FOUND_YES,
    KN_FOUND_TOO_LONG, /* more than KN_CONDITIONS_MOST rows, or integers too long for kn_bigint */
    KN_FOUND_NOMEM
} kn_found;

/** A new inequality, to be filled in; NULL: no memory. Pointers to others become invalid. */
kn_inequality *kn__inequalities_add(kn_inequalities *c);
/** Whether `numbers` reals x meet all inequalities. The system is empty afterwards. */
kn_found kn__inequalities_hold(kn_inequalities *c, size_t numbers);

#endif
