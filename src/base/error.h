/* base/error.h - setting errors. */
#ifndef KN_BASE_ERROR_H
#define KN_BASE_ERROR_H

#include "kanon/error.h"

/** Fill `err` (may be NULL) and return `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
kn_status
kn_fail(kn_error *err, kn_status status, const char *format, ...);

/** KN_ENOMEM, with words that tell the memory limit from the machine's end. */
kn_status kn_nomem(kn_error *err);

/** KN_EIO for `path` with the words of `errno_value`: "out.csv: cannot write: No space left on
 * device". */
kn_status kn_fail_errno(kn_error *err, const char *path, const char *what, int errno_value);

/** Put "PREFIX: " before the message that `err` holds. */
void kn_error_prefix(kn_error *err, const char *prefix);

#endif
