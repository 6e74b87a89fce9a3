/* models/judge/presence.h - diversity of private values of which a record may have several or none,
 * such as private items: each is judged by itself, as present or absent. */
#ifndef KN_MODELS_JUDGE_PRESENCE_H
#define KN_MODELS_JUDGE_PRESENCE_H

#include "kanon/guarantee.h"
#include <stdint.h>

typedef struct kn_presence {
    double confidence; /* the share of the records that have the value */
    double diversity;  /* of presence and absence */
    bool diverse;      /* at least what was asked for */
} kn_presence;

/** Judge a value that `having` of `population` (at least one) records are known to have. Confidence
 * is about presence only; if no record has the value, there is no diversity either. `diversity` is
 * entropy or distinct l-diversity. */
kn_presence kn__presence_judge(const kn_guarantee *diversity, uint32_t having, uint32_t population);

#endif
