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

/** What kind of mistake it is, as far as a front end can say in its own terms what to do. */
typedef enum kn_error_code {
    KN_ERROR_OTHER = 0,
    KN_ERROR_NO_COLUMN,    /**< there is no column `column` */
    KN_ERROR_NO_ROLE,      /**< no role was chosen for `column`, and perhaps others */
    KN_ERROR_SINGLES_OUT,  /**< `column` is kept and can single people out */
    KN_ERROR_TYPE,         /**< `column` has a type that cannot be read, or does not fit */
    KN_ERROR_VALUE,        /**< `column` has a value that cannot be read, or does not fit */
    KN_ERROR_UNCOVERED,    /**< the hierarchy of `column` lacks values of it */
    KN_ERROR_NO_HIERARCHY, /**< `column` needs a hierarchy */
    KN_ERROR_PARAMETER,    /**< `parameter` is unknown, absent, or out of range */
    KN_ERROR_SUPPRESSION,  /**< more would have to be left out than `parameter` allows */
    KN_ERROR_POINTS,       /**< the release was withheld because points are to settle */
    KN_ERROR_MEMORY,       /**< out of memory, or of the limit `parameter` */
    KN_ERROR_FILE,       /**< a file, folder or stream cannot be read or written, or holds something
                            else than it should; `parameter` is the setting that names it, or "" */
    KN_ERROR_NO_RECORDS, /**< the table has no records, or no columns */
    KN_ERROR_MISMATCH,   /**< a release and an original that do not belong together */
    KN_ERROR_INFEASIBLE, /**< what was asked cannot be met */
    KN_ERROR_BROKEN      /**< a guarantee does not hold for what was made: it is withheld */
} kn_error_code;

/** Settings are named in messages as the command writes them: `--missing-rule any` is the setting
 * `missing_rule` of a job, `--foreign-key` what kn_relations_add_key states. A front end that calls
 * them otherwise puts its own notation there. */
typedef struct kn_error {
    kn_status status;
    kn_error_code code;
    char column[256];   /**< the column that it is about, cut to fit; or "" */
    char parameter[64]; /**< the setting or parameter, by its name in a job; or "" */
    char message[1024]; /**< one or more lines, without a final newline */
} kn_error;

/** A word for `status`, such as "bad input". Never NULL. */
const char *kn_status_name(kn_status status);

/** A word for `code`, such as "no-column". Never NULL. */
const char *kn_error_code_name(kn_error_code code);

/** The exit code of the `kanon` command for `status`: 0, 1, 2, 3, 4, 5 or 130. */
int kn_status_exit_code(kn_status status);

#ifdef __cplusplus
}
#endif
#endif
