/* paths.c - paths as texts, and which file a path names, whether it exists or not. */
#include "io/bytes/paths.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

/* The path that the symbolic link at `path` leads to, as text: `link` seen from its folder. */
static char *join_link(const char *path, const char *link)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0, len = strlen(link);
    char *joined;

    if (link[0] == '/') {
        return kn__strdup(link);
    }
    joined = kn__malloc(folder + len + 1);
    if (joined) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, link, len + 1);
    }
    return joined;
}

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

bool kn__path_is_stream(const char *path)
{
    struct stat st;
    char at[PATH_MAX], link[PATH_MAX], next[PATH_MAX];

    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode)) {
        return false;
    }
    if (!S_ISREG(st.st_mode)) {
        return true;
    }
    /* A regular file: whether it is named by the number under which a process has it open. Other
     * files may be below /dev as well (/dev/shm). */
    (void)snprintf(at, sizeof at, "%s", path);
    for (int i = 0; i < MOST_LINKS; i++) {
        const char *slash = strrchr(at, '/');
        const int folder = slash ? (int)(slash + 1 - at) : 0;
        ssize_t len;
        if (begins(at, "/dev/fd/") || (begins(at, "/proc/") && strstr(at, "/fd/"))) {
            return true;
        }
        len = readlink(at, link, sizeof link - 1);
        if (len < 0) {
            return false;
        }
        link[len] = '\0';
        len = snprintf(next, sizeof next, "%.*s%s", link[0] == '/' ? 0 : folder, at, link);
        if (len < 0 || (size_t)len >= sizeof next) {
            return false;
        }
        memcpy(at, next, (size_t)len + 1);
    }
    return false;
}

kn_status kn__path_follow(char **path, kn_error *err)
{
    for (int i = 0; i < MOST_LINKS; i++) {
        char link[PATH_MAX];
        const ssize_t len = readlink(*path, link, sizeof link - 1);
        char *next;

        if (len < 0) { /* EINVAL: it is no link */
            return errno == EINVAL || errno == ENOENT || errno == ENOTDIR
                       ? KN_OK
                       : kn__fail_errno(err, *path, "cannot be written", errno);
        }
        link[len] = '\0';
        next = join_link(*path, link);
        KN_PASS(next ? KN_OK : kn__nomem(err));
        kn__free(*path);
        *path = next;
    }
    return kn__fail(err, KN_EIO, "%s: too many symbolic links", *path);
}

char *kn__path_join(const char *folder, const char *path)
{
    size_t folder_len, path_len = strlen(path);
    char *joined;

    if (!folder || !*folder || *path == '/' || strcmp(path, "-") == 0) {
        return kn__strdup(path);
    }
    folder_len = strlen(folder);
    while (folder_len > 1 && folder[folder_len - 1] == '/') {
        folder_len--;
    }
    joined = kn__malloc(folder_len + path_len + 2);
    if (joined) {
        memcpy(joined, folder, folder_len);
        joined[folder_len] = '/';
        memcpy(joined + folder_len + 1, path, path_len + 1);
    }
    return joined;
}

char *kn__path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash) {
        return kn__strndup(path, 0);
    }
    return kn__strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool is_wrong_path(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM ||
           error == ELOOP || error == ENAMETOOLONG || error == ENXIO || error == ENODEV;
}

kn_status kn__fail_open(kn_error *err, const char *path, int error)
{
    if (error == ENOMEM) {
        return kn__nomem(err);
    }
    return kn__about(err,
                     kn__fail(err, is_wrong_path(error) ? KN_EINPUT : KN_EIO,
                              "%s: cannot be opened: %s", path, strerror(error)),
                     KN_ERROR_FILE);
}

/* Whether `error` says that there cannot be a file of this name. */
static bool is_no_file(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == EINVAL ||
           error == EILSEQ;
}

kn_status kn__path_exists(bool *exists, const char *path, kn_error *err)
{
    struct stat st;

    *exists = stat(path, &st) == 0;
    return *exists || is_no_file(errno) ? KN_OK : kn__fail_open(err, path, errno);
}

kn_status kn__folder_make(const char *folder, bool *made, kn_error *err)
{
    *made = mkdir(folder, 0777) == 0;
    return *made || errno == EEXIST ? KN_OK
                                    : kn__fail_errno(err, folder, "cannot make the folder", errno);
}

bool kn__file_same(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

const char *kn__path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Set `*to` to the file that `path` names or would make, or to NULL when memory is out. */
static void follow_copy(char **to, const char *path)
{
    *to = kn__strdup(path);
    if (*to && kn__path_follow(to, NULL) != KN_OK) {
        kn__free(*to);
        *to = NULL;
    }
}

bool kn__path_same(const char *a, const char *b)
{
    char *to_a, *to_b, *folder_a, *folder_b;
    bool same;

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) {
        return false;
    }
    if (kn__file_same(a, b) || strcmp(a, b) == 0) {
        return true;
    }
    follow_copy(&to_a, a);
    follow_copy(&to_b, b);
    folder_a = to_a ? kn__path_folder(to_a) : NULL;
    folder_b = to_b ? kn__path_folder(to_b) : NULL;
    same = folder_a && folder_b && strcmp(kn__path_name(to_a), kn__path_name(to_b)) == 0 &&
           kn__file_same(*folder_a ? folder_a : ".", *folder_b ? folder_b : ".");
    KN_FREE(to_a, to_b, folder_a, folder_b);
    return same;
}
