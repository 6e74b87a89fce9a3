/* io/bytes/paths.h - paths of files. */
#ifndef KN_IO_BYTES_PATHS_H
#define KN_IO_BYTES_PATHS_H

#include <stdbool.h>

/** The path of `path` seen from `folder` (may be NULL or ""): `path` itself when absolute or "-".
 * Free with kn__free; NULL when memory is out. */
char *kn__path_join(const char *folder, const char *path);
/** The folder of `path`, "" for the current one. Free with kn__free. */
char *kn__path_folder(const char *path);
/** Whether two paths name one file, be it there already or not; "-" is none. */
bool kn__path_same(const char *a, const char *b);

#endif
