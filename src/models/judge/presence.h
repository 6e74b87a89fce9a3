/* models/judge/presence.h - private values of which a record may have several, or none, such as
 * private items: an attacker asks of each whether a person has it. */
#ifndef KN_MODELS_JUDGE_PRESENCE_H
#define KN_MODELS_JUDGE_PRESENCE_H

#include "kanon/guarantee.h"
#include <stdint.h>

typedef struct kn_presence {
    double confidence; /* how sure an attacker is that somebody has it */
    double diversity;  /* of having it and not having it */
    bool diverse;      /* as much as asked for */
} kn_presence;

/** What is known when `having` of `population` (at least one) records are known to have a value.
 * Only having counts for confidence, but nobody's having it is no diversity either. `diversity` is
 * entropy or distinct l-diversity. */
kn_presence kn__presence_judge(const kn_guarantee *diversity, uint32_t having, uint32_t population);

#endif
