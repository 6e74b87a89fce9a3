/* lint.h - included before every source when clang-tidy reads it. The analyzer sees one file at a time:
 * it must be told that the functions that report a failure never return KN_OK. */
#if __has_include("base/error.h")
#include "base/error.h"

#define kn_fail(err, status, ...) (kn_fail(err, status, __VA_ARGS__), (status))
#define kn_nomem(err) (kn_nomem(err), KN_ENOMEM)
#define kn_fail_errno(err, path, what, errno_value) \
    (kn_fail_errno(err, path, what, errno_value), KN_EIO)
#endif
