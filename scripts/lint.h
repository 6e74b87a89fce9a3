/* lint.h - included before every source when clang-tidy reads it. The analyzer sees one file at a time:
 * it must be told that the functions that report a failure never return KN_OK. */
#if __has_include("base/args.h")
#include "base/args.h"
#include "base/error.h"

#define kn__fail(err, status, ...) (kn__fail(err, status, __VA_ARGS__), (status))
#define kn__args_refuse(err, function, what) (kn__args_refuse(err, function, what), KN_EUSAGE)
#define kn__about_column(err, status, ...) (kn__about_column(err, status, __VA_ARGS__), (status))
#define kn__about_parameter(err, status, ...) \
    (kn__about_parameter(err, status, __VA_ARGS__), (status))
#define kn__nomem(err) (kn__nomem(err), KN_ENOMEM)
#define kn__fail_errno(err, path, what, errno_value) \
    (kn__fail_errno(err, path, what, errno_value), KN_EIO)
#endif
