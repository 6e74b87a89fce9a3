/* kanon/error.h - what a function says when it fails.
 *
 * Every fallible function returns a kn_status and takes a `kn_error *err` last; NULL is fine.
 * On failure `*out` parameters are NULL, nothing that the caller holds has changed, and
 * `err->message` says what was wrong, where, and what would do. */
#ifndef KANON_ERROR_H
#define KANON_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_status {
    KN_OK = 0,
    KN_EUSAGE,      /**< a parameter or option makes no sense */
    KN_EINPUT,      /**< the data, a hierarchy or a schema is bad */
    KN_EINFEASIBLE, /**< the guarantee or bound cannot be met */
    KN_EBROKEN,     /**< a release failed its own check and was withheld */
    KN_ENOMEM,      /**< out of memory, or the memory limit was reached */
    KN_EIO,         /**< the operating system refused: disk full, no permission, ... */
    KN_ECANCELLED   /**< the progress callback asked to stop */
} kn_status;

/** The first thing in every struct that a caller fills and hands over: it says how large the struct
 * was when the program was compiled, so that later versions can add fields.
 *
 *     const kn_run run = {KN_INIT(kn_run), .threads = 2};
 *     kn_run run = {0};    // 0 stands for the size in version 0.2: the same
 *
 * A function refuses (KN_EUSAGE) a struct of a size that its version of the library does not know.
 */
#define KN_INIT(type) .size = sizeof(type)

typedef struct kn_error {
    kn_status status;
    char message[1024]; /**< one or more lines, without a final newline */
} kn_error;

/** A word for `status`, such as "bad input". Never NULL. */
const char *kn_status_name(kn_status status);

/** The exit code of the `kanon` command for `status`: 0, 1, 2, 3, 4, 5 or 130. */
int kn_status_exit_code(kn_status status);

#ifdef __cplusplus
}
#endif
#endif
