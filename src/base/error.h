/* base/error.h - setting errors. */
#ifndef KN_BASE_ERROR_H
#define KN_BASE_ERROR_H

#include "kanon/error.h"
#include <stddef.h>

/** One step of a function that has nothing to release: a failure is returned at once. */
#define KN_PASS(call)                      \
    do {                                   \
        const kn_status kn__step = (call); \
        if (kn__step != KN_OK) {           \
            return kn__step;               \
        }                                  \
    } while (0)

/** One step of a function with a local `status` and a label `done`, which releases what it holds:
 *  on failure go there. */
#define KN_TRY(call)                      \
    do {                                  \
        if ((status = (call)) != KN_OK) { \
            goto done;                    \
        }                                 \
    } while (0)

/** Fill `err` (may be NULL) and return `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
kn_status
kn__fail(kn_error *err, kn_status status, const char *format, ...);

/** After kn__fail: the error is about the column or parameter called `name`. Returns `status`,
 * which is that of kn__fail. In names of parameters `-` becomes `_`. */
kn_status kn__about_column(kn_error *err, kn_status status, kn_error_code code, const char *name);
kn_status kn__about_parameter(kn_error *err, kn_status status, kn_error_code code,
                              const char *name);

/** The same of an error that is about neither. */
kn_status kn__about(kn_error *err, kn_status status, kn_error_code code);
/** After a failure to read the file that the setting `name` names: KN_ERROR_FILE about this
 * setting, unless the error has another code. */
kn_status kn__about_file(kn_error *err, kn_status status, const char *name);

/** KN_ENOMEM, with words that tell the memory limit from the machine's end. */
kn_status kn__nomem(kn_error *err);

/** KN_EIO for `path` with the words of `errno_value`: "out.csv: cannot write: No space left on
 * device". */
kn_status kn__fail_errno(kn_error *err, const char *path, const char *what, int errno_value);

/** Copy `from` to `err` (may be NULL), unless its status is KN_OK; return its status. */
kn_status kn__error_pass(kn_error *err, const kn_error *from);

/** Put "PREFIX: " before the message that `err` holds. */
void kn__error_prefix(kn_error *err, const char *prefix);

/** "FILE:LINE", or "FILE" when the line is 0, cut to fit a message. */
typedef struct kn_place {
    char text[200];
} kn_place;
kn_place kn__place_make(const char *name, size_t line);

/** A label for a message: in double quotes, at most about 40 bytes of it, control characters as
 * '?'. */
typedef struct kn_quote {
    char text[64];
} kn_quote;
kn_quote kn__quote_make(const char *text, size_t len);

#endif
