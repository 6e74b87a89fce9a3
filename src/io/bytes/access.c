/* access.c - a file that replaces another one is as private as that one was.
 *
 * Owner and group are kept where the system allows it (root may give files away, others may give
 * them to their groups). Where it does not, the bits of the group would speak of another group, and
 * only what everybody may do stays of them. With an access list, the bits of the group are the most
 * that the list grants and not what the group may do, so the list goes along, or the same is done.
 * The list that a new file inherits from its folder is removed where the older file had none.
 *
 * Rights go to the file that was written, by its descriptor: by its name they might go to another
 * one, as users who may write to the folder can put a link there meanwhile. */
#include "io/bytes/access.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char of_file[] = "system.posix_acl_access", of_folder[] = "system.posix_acl_default";

/* How the system stores an access list: a version of four bytes, then entries of a tag, permissions
 * and an id. linux/posix_acl_xattr.h */
enum { HEAD = 4, ENTRY = 8, TAG_OWNER = 0x01, TAG_GROUP = 0x04, TAG_MASK = 0x10, TAG_OTHER = 0x20 };

static unsigned two_bytes(const unsigned char *at)
{
    return at[0] + 256U * at[1];
}

/* The mode of a new file in a folder whose default list is `list`. */
static mode_t mode_of_list(const unsigned char *list, size_t len)
{
    unsigned owner = 0, group = 0, other = 0;
    bool masked = false;

    for (size_t at = HEAD; at + ENTRY <= len; at += ENTRY) {
        const unsigned may = two_bytes(list + at + 2) & 7;
        switch (two_bytes(list + at)) {
        case TAG_OWNER: owner = may; break;
        case TAG_GROUP: group = masked ? group : may; break;
        case TAG_MASK: /* the bits of the group are the mask, where there is one */
            group = may;
            masked = true;
            break;
        case TAG_OTHER: other = may; break;
        default: break; /* users and groups by name: below the mask */
        }
    }
    return (owner << 6 | group << 3 | other) & 0666;
}

void kn__access_of_new(kn_access *access, const char *folder)
{
    unsigned char list[1024]; /* with 127 entries */
    const ssize_t len = getxattr(folder, of_folder, list, sizeof list);

    if (len > HEAD) {
        access->mode = mode_of_list(list, (size_t)len); /* in such a folder no umask counts */
    } else {
        const bool none = len >= 0 || errno == ENODATA || errno == ENOTSUP || errno == ENOSYS;
        const mode_t mask = umask(077); /* strict, in case another thread makes a file just now */
        (void)umask(mask);
        access->mode = (none ? 0666 : 0600) & ~mask;
    }
}

kn_status kn__access_of_file(kn_access *access, const char *path, const struct stat *st,
                             kn_error *err)
{
    const ssize_t size = getxattr(path, of_file, NULL, 0);
    ssize_t len = 0;

    access->stood = true;
    access->mode = st->st_mode & 0777;
    access->owner = st->st_uid;
    access->group = st->st_gid;
    if (size > 0) {
        access->list = kn__malloc((size_t)size);
        KN_PASS(access->list ? KN_OK : kn__nomem(err));
        len = getxattr(path, of_file, access->list, (size_t)size);
        access->list_len = len > 0 ? (size_t)len : 0;
    }
    /* ENODATA: it has no list. ENOTSUP: the file system knows none. */
    access->unknown = (size < 0 && errno != ENODATA && errno != ENOTSUP) || len < 0;
    return KN_OK;
}

/* Whether the file has the group of the older one, after what can be done for it. */
static bool keep_owner(const kn_access *access, int fd, const struct stat *st)
{
    const bool same_group = st->st_gid == access->group;

    if (same_group && st->st_uid == access->owner) {
        return true;
    }
    return fchown(fd, access->owner, access->group) == 0 || same_group ||
           fchown(fd, (uid_t)-1, access->group) == 0;
}

bool kn__access_give(const kn_access *access, int fd)
{
    struct stat st;
    mode_t mode = access->mode;
    bool kept;

    if (!access->stood) {
        return fchmod(fd, mode) == 0;
    }
    if (fstat(fd, &st) != 0) {
        return false;
    }
    kept = keep_owner(access, fd, &st) && !access->unknown;
    if (kept && access->list_len > 0) {
        kept = fsetxattr(fd, of_file, access->list, access->list_len, 0) == 0;
    }
    if (!kept || access->list_len == 0) {
        if (fremovexattr(fd, of_file) != 0 && errno != ENODATA && errno != ENOTSUP) {
            return false;
        }
    }
    if (!kept) {
        mode &= (mode_t)~070 | (mode & 07) << 3;
    }
    return fchmod(fd, mode) == 0;
}

void kn__access_clear(kn_access *access)
{
    kn__free(access->list);
    access->list = NULL;
}
