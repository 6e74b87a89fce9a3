/* job/sweep_values.h - "k=2:20:2" and "k=2,5,10" as values of a parameter. */
#ifndef KN_JOB_SWEEP_VALUES_H
#define KN_JOB_SWEEP_VALUES_H

#include "kanon/job.h"

typedef struct kn_swept {
    kn_option parameter;
    char **values; /* as the option takes them: digits, without a percent sign */
    size_t count;
} kn_swept;

/** Read PARAMETER=START:END:STEP or PARAMETER=VALUE,VALUE,... Values are exact decimals: 0.3 is
 * 0.3 after any number of steps. @return KN_EUSAGE for anything else, with what would do. */
kn_status kn__swept_parse(kn_swept *out, const char *text, kn_error *err);
void kn__swept_clear(kn_swept *v);

#endif
