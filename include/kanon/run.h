/* kanon/run.h - how to run: threads, seed, progress. */
#ifndef KANON_RUN_H
#define KANON_RUN_H

#include "kanon/memory.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Called now and then from long work, always on the calling thread. `phase` is a short word such
 * as "read"; `done` is the share in 0..1, or negative when unknown. Return non-zero to cancel: the
 *  function that works then cleans up and returns KN_ECANCELLED. */
typedef int (*kn_progress_fn)(void *user, const char *phase, double done);

/** Called on the calling thread when a table is refused because decisions about its columns are
 * open (kanon/profile.h): with all `count` of them, borrowed for the call. The error names only as
 * many as fit into its message. */
struct kn_open_column;
typedef void (*kn_open_fn)(void *user, const struct kn_open_column *columns, size_t count);

/** How to run. A zeroed struct, or NULL where one is taken, is a good default. */
typedef struct kn_run {
    size_t size;      /**< KN_INIT sets it */
    unsigned threads; /**< 0: one per core. Results never depend on it. */
    uint64_t seed;    /**< for methods that use random numbers */
    kn_progress_fn progress;
    void *user;
    kn_open_fn open; /**< may be NULL */
    void *open_user;
} kn_run;

/** Use `folder` for the temporary files of what is written to standard output, pipes and devices,
 *  instead of the system's (/tmp). Other files are made beside their target. For the whole process:
 *  set it once, before work starts. False: the path is NULL, empty or too long, and nothing has
 *  changed. */
bool kn_temporary_set_folder(const char *folder);

#ifdef __cplusplus
}
#endif
#endif
