/* job/sweep_values.h - "k=2:20:2" and "k=2,5,10" as values of a parameter. */
#ifndef KN_JOB_SWEEP_VALUES_H
#define KN_JOB_SWEEP_VALUES_H

#include "kanon/job.h"

/** One parameter and its values. */
typedef struct kn_swept {
    kn_option parameter;
    char **values; /* as the option takes them: digits, without a percent sign; or names */
    size_t count;
} kn_swept;

/** Read PARAMETER=START:END:STEP, PARAMETER=VALUE,VALUE,... or method=NAME,NAME,... Values are
 * exact decimals: 0.3 is 0.3 after any number of steps. @return KN_EUSAGE for anything else, with
 * what would do. */
kn_status kn__swept_parse(kn_swept *out, const char *text, kn_error *err);
void kn__swept_clear(kn_swept *v);

enum { KN_SWEEP_AXES = 4 };

/** All combinations of the values of up to KN_SWEEP_AXES parameters; those of the last one change
 * fastest. */
typedef struct kn_sweep_space {
    kn_swept axis[KN_SWEEP_AXES];
    size_t axes;
    size_t count; /* combinations */
} kn_sweep_space;

/** Read every "sweep" of `job`. @return KN_EUSAGE for a parameter that is there twice, or more than
 * KN_SWEEP_MOST combinations. Zero axes without any. */
kn_status kn__sweep_space_read(kn_sweep_space *out, const kn_job *job, kn_error *err);
void kn__sweep_space_clear(kn_sweep_space *s);
/** The value of parameter `axis` in combination `i`. */
const char *kn__sweep_space_value(const kn_sweep_space *s, size_t i, size_t axis);
/** Whether `name` is one of the parameters. */
bool kn__sweep_space_has(const kn_sweep_space *s, const char *name);

#endif
