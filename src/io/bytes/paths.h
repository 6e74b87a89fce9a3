/* io/bytes/paths.h - paths of files. */
#ifndef KN_IO_BYTES_PATHS_H
#define KN_IO_BYTES_PATHS_H

#include "kanon/error.h"

#include <stdbool.h>

/** The path of `path` seen from `folder` (may be NULL or ""): `path` itself when absolute or "-".
 * Free with kn__free; NULL when memory is out. */
char *kn__path_join(const char *folder, const char *path);
/** What follows the last slash of `path`. */
const char *kn__path_name(const char *path);
/** The folder of `path`, "" for the current one. Free with kn__free. */
char *kn__path_folder(const char *path);
/** Replace `*path`, which kn__malloc made, by the file that it names or would make: symbolic links
 * that lead nowhere yet are followed. */
kn_status kn__path_follow(char **path, kn_error *err);
/** Whether an output at `path` is written into what is there instead of replacing it: a device, a
 * pipe, or a file that a process has open already (/dev/stdout, /dev/fd/3, a link to one). */
bool kn__path_is_stream(const char *path);
/** The file or folder at `path` could not be opened to read, with the `error` of errno: KN_EINPUT
 * where the path that was given is wrong, KN_EIO where the system failed. */
kn_status kn__fail_open(kn_error *err, const char *path, int error);
/** Whether a file or folder is at `path`. Fails as kn__fail_open where the system cannot say. */
kn_status kn__path_exists(bool *exists, const char *path, kn_error *err);
/** Make `folder` if it is not there; then `*made`. */
kn_status kn__folder_make(const char *folder, bool *made, kn_error *err);
/** Whether two paths name the same file (by device and inode; false if either does not exist). */
bool kn__file_same(const char *a, const char *b);
/** Whether two paths name one file, whether it exists or not; "-" is none. */
bool kn__path_same(const char *a, const char *b);

#endif
