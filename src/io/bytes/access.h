/* io/bytes/access.h - who may read a file that is written: owner, group, mode and access list. */
#ifndef KN_IO_BYTES_ACCESS_H
#define KN_IO_BYTES_ACCESS_H

#include "kanon/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/** What the file at a target is to have. Zero it; kn__access_clear at the end. */
typedef struct kn_access {
    mode_t mode;
    bool stood;   /* a file stands there: keep its owner, its group and its access list */
    bool unknown; /* it has an access list that could not be read */
    uid_t owner;
    gid_t group;
    void *list; /* its access list as the system stores it; NULL: none */
    size_t list_len;
} kn_access;

/** What a file that open(path, O_CREAT, 0666) made in `folder` would have. */
void kn__access_of_new(kn_access *access, const char *folder);
/** What the file at `path` has, of which `st` was read. Fails when memory is out. */
kn_status kn__access_of_file(kn_access *access, const char *path, const struct stat *st,
                             kn_error *err);
/** Give it to the file that is open at `fd`, which is ours and readable by its owner alone. Where
 * something cannot be kept, rights are taken away, so that no user can read the new file who could
 * not read the older one. False with errno. */
bool kn__access_give(const kn_access *access, int fd);
void kn__access_clear(kn_access *access);

#endif
