/* sink.c - files that appear whole or not at all.
 *
 * Bytes go to a temporary file in the target's folder, private to the user; commit gives it the
 * owner, group, mode and access list of the target (access.h) and puts it into place. Where the
 * file system can, the file has no name until then, so that it is gone with the process, however
 * that ends; elsewhere it has a random one. What cannot be renamed over (standard output, pipes,
 * devices) gets a copy at commit. */
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/access.h"
#include "io/bytes/file.h"
#include "io/bytes/sink_registry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef KN_HAVE_ZLIB
#include "io/bytes/gzip_memory.h"
#include <zlib.h>
#endif
#ifdef KN_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { PACKED = 256 * 1024, SEEN = 40 };

struct kn_sink {
    int fd;          /* of the temporary file; -1 once finished */
    char *name;      /* for messages: the path as given, or "standard output" */
    char *target;    /* the final path, symbolic links followed; NULL: the bytes are copied */
    char *copy_to;   /* the path to copy to; NULL with target NULL: standard output */
    char *temporary; /* the path to read it back; NULL: there is none (any more) */
    char *named;     /* nameless file: the name it gets briefly, to be renamed over an older file */
    int held;        /* once finished: the descriptor by which the file gets its rights, and which
                        keeps a nameless file alive; or -1 */
    int slot;        /* in the registry, or -1 */
    unsigned removals; /* kn__sink_removals(), when this sink was opened */
    kn_access access;
    bool flushed, finished;
    kn_compression compression;
    unsigned char *packed;
    size_t packed_len;
#ifdef KN_HAVE_ZLIB
    z_stream gzip;
    bool gzip_open;
#endif
#ifdef KN_HAVE_ZSTD
    ZSTD_CStream *zstd;
#endif
};

/* ---- where to write ---- */

/* The folder of `path`, in `folder`, which has PATH_MAX bytes. */
static const char *folder_of(const char *path, char *folder)
{
    const char *slash = strrchr(path, '/');
    const int len = slash && slash != path ? (int)(slash - path) : 1;

    (void)snprintf(folder, PATH_MAX, "%.*s", len, slash ? path : ".");
    return folder;
}

/* Whether the folder of `path` is one where only the owner of a file, of the folder, or root may
 * rename or remove the file (as in /tmp), and `st` is another user's file. */
static bool is_guarded(const char *path, const struct stat *st)
{
    char folder[PATH_MAX];
    struct stat in;
    const uid_t me = geteuid();

    return me != 0 && st->st_uid != me && stat(folder_of(path, folder), &in) == 0 &&
           (in.st_mode & S_ISVTX) && in.st_uid != me;
}

static kn_status find_target(kn_sink *s, const char *path, kn_error *err)
{
    struct stat st;
    char resolved[PATH_MAX], folder[PATH_MAX];

    if (strcmp(path, "-") == 0) {
        return KN_OK;
    }
    if (path[0] == '\0' || path[strlen(path) - 1] == '/') {
        return kn__fail(err, KN_EUSAGE, "'%s' is no name for a file", path);
    }
    if (stat(path, &st) != 0) {
        if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
            return kn__fail_errno(err, path, "cannot be written", errno);
        }
        s->target = kn__strdup(path);
        KN_PASS(s->target ? kn__path_follow(&s->target, err) : kn__nomem(err));
        kn__access_of_new(&s->access, folder_of(s->target, folder));
        return KN_OK;
    }
    if (S_ISDIR(st.st_mode)) {
        return kn__fail(err, KN_EUSAGE, "%s: is a folder: give the name of a file", path);
    }
    if (kn__path_is_stream(path)) {
        s->copy_to = kn__strdup(path);
        return s->copy_to ? KN_OK : kn__nomem(err);
    }
    if (access(path, W_OK) != 0) {
        return kn__fail_errno(err, path, "cannot be replaced", errno);
    }
    if (!realpath(path, resolved)) {
        return kn__fail_errno(err, path, "cannot be written", errno);
    }
    if (is_guarded(resolved, &st)) {
        return kn__fail_errno(err, path, "cannot be replaced", EPERM);
    }
    KN_PASS(kn__access_of_file(&s->access, resolved, &st, err));
    s->target = kn__strdup(resolved);
    return s->target ? KN_OK : kn__nomem(err);
}

/* A file in `folder` that has no name, to be read at `seen`; false where there is no such thing. */
static bool make_nameless(kn_sink *s, const char *folder, char *seen)
{
    struct stat st;

    s->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (s->fd < 0) {
        return false;
    }
    (void)snprintf(seen, SEEN, "/proc/self/fd/%d", s->fd);
    if (stat(seen, &st) != 0 || !S_ISREG(st.st_mode)) {
        (void)close(s->fd);
        s->fd = -1;
        return false;
    }
    return true;
}

/* Output without a target is collected in a temporary file beside this path. */
static char scratch[PATH_MAX] = P_tmpdir "/kanon";

bool kn_temporary_set_folder(const char *folder)
{
    const size_t len = folder ? strlen(folder) : 0;

    if (len == 0 || len + sizeof "/kanon" > sizeof scratch) {
        return false;
    }
    (void)snprintf(scratch, sizeof scratch, "%s%skanon", folder, folder[len - 1] == '/' ? "" : "/");
    return true;
}

static kn_status make_temporary(kn_sink *s, kn_error *err)
{
    const char *target = s->target ? s->target : scratch;
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    const int folder = slash ? (int)(slash + 1 - target) : 0;
    const size_t size = strlen(target) + 40;
    char folder_path[PATH_MAX];

    for (int attempt = 0; attempt < 100; attempt++) {
        uint64_t random;
        char *path = kn__malloc(size), *seen = kn__malloc(SEEN);

        if (!path || !seen) {
            KN_FREE(path, seen);
            return kn__nomem(err);
        }
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
            KN_FREE(path, seen);
            return kn__fail_errno(err, s->name, "no random name for a temporary file", errno);
        }
        /* Names have at most 255 bytes in most file systems. */
        (void)snprintf(path, size, "%.*s.%.200s.%016llx.tmp", folder, target, base,
                       (unsigned long long)random);
        if (make_nameless(s, folder_of(target, folder_path), seen)) {
            s->named = path;
            s->temporary = seen;
            return KN_OK;
        }
        kn__free(seen);
        /* Registered before it exists: a signal between the two removes nothing or the file. */
        s->slot = kn__sink_registry_add(path);
        if (s->slot < 0) {
            kn__free(path);
            return kn__fail(err, KN_EIO,
                            "%s: its path is too long, or too many files are being "
                            "written at once",
                            s->name);
        }
        s->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
        if (s->fd >= 0) {
            s->temporary = path;
            return KN_OK;
        }
        kn__sink_registry_remove(s->slot);
        s->slot = -1;
        kn__free(path);
        if (errno != EEXIST) {
            break;
        }
    }
    if (!s->target) {
        return kn__fail(err, KN_EIO,
                        "%.300s: cannot be written: there can be no temporary file in %.300s: %s",
                        s->name, folder_of(target, folder_path), strerror(errno));
    }
    return kn__fail_errno(err, s->name, "cannot be written", errno);
}

/* ---- compression ---- */

static kn_status start_compressor(kn_sink *s, kn_error *err)
{
    if (s->compression == KN_COMPRESSION_NONE) {
        return KN_OK;
    }
    s->packed = kn__malloc(PACKED);
    KN_PASS(s->packed ? KN_OK : kn__nomem(err));
    if (s->compression == KN_COMPRESSION_GZIP) {
#ifdef KN_HAVE_ZLIB
        s->gzip.zalloc = kn__gzip_alloc;
        s->gzip.zfree = kn__gzip_free;
        if (deflateInit2(&s->gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            return kn__nomem(err);
        }
        s->gzip_open = true;
        return KN_OK;
#else
        return kn__fail(err, KN_EUSAGE, "%s: this build of kanon lacks gzip: write it without",
                        s->name);
#endif
    }
#ifdef KN_HAVE_ZSTD
    s->zstd = ZSTD_createCStream();
    if (!s->zstd || ZSTD_isError(ZSTD_initCStream(s->zstd, 3)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_checksumFlag, 1))) {
        return kn__nomem(err);
    }
    return KN_OK;
#else
    return kn__fail(err, KN_EUSAGE, "%s: this build of kanon lacks zstd: write it without",
                    s->name);
#endif
}

static kn_status write_all(int fd, const char *name, const void *bytes, size_t len, kn_error *err)
{
    const char *at = bytes;

    while (len) {
        const ssize_t n = write(fd, at, len < ((size_t)1 << 30) ? len : (size_t)1 << 30);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return kn__fail_errno(err, name, "cannot be written", errno);
        }
        at += n;
        len -= (size_t)n;
    }
    return KN_OK;
}

#ifdef KN_HAVE_ZLIB
static kn_status pack_gzip(kn_sink *s, const void *bytes, size_t len, bool last, kn_error *err)
{
    const unsigned char *at = bytes;

    do {
        const size_t part = len < ((size_t)1 << 30) ? len : (size_t)1 << 30;
        /* zlib takes a pointer to mutable input, and does not write to it */
        memcpy(&s->gzip.next_in, &at, sizeof at);
        s->gzip.avail_in = (unsigned)part;
        do {
            kn_status status;
            s->gzip.next_out = s->packed;
            s->gzip.avail_out = PACKED;
            if (deflate(&s->gzip, last && part == len ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) {
                return kn__fail(err, KN_EIO, "%s: cannot be compressed", s->name);
            }
            status = write_all(s->fd, s->name, s->packed, PACKED - s->gzip.avail_out, err);
            if (status != KN_OK) {
                return status;
            }
        } while (s->gzip.avail_out == 0);
        at += part;
        len -= part;
    } while (len);
    return KN_OK;
}
#endif

#ifdef KN_HAVE_ZSTD
static kn_status pack_zstd(kn_sink *s, const void *bytes, size_t len, bool last, kn_error *err)
{
    ZSTD_inBuffer in = {bytes, len, 0};
    size_t left;

    do {
        ZSTD_outBuffer out = {s->packed, PACKED, 0};
        kn_status status;
        left = ZSTD_compressStream2(s->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) {
            return kn__nomem(err);
        }
        if (ZSTD_isError(left)) {
            return kn__fail(err, KN_EIO, "%s: cannot be compressed: %s", s->name,
                            ZSTD_getErrorName(left));
        }
        status = write_all(s->fd, s->name, s->packed, out.pos, err);
        if (status != KN_OK) {
            return status;
        }
    } while (in.pos < in.size || (last && left));
    return KN_OK;
}
#endif

static kn_status pack(kn_sink *s, const void *bytes, size_t len, bool last, kn_error *err)
{
    (void)last;
    switch (s->compression) {
#ifdef KN_HAVE_ZLIB
    case KN_COMPRESSION_GZIP: return pack_gzip(s, bytes, len, last, err);
#endif
#ifdef KN_HAVE_ZSTD
    case KN_COMPRESSION_ZSTD: return pack_zstd(s, bytes, len, last, err);
#endif
    default: return write_all(s->fd, s->name, bytes, len, err);
    }
}

/* ---- public ---- */

static kn_compression compression_of(const char *name)
{
    const size_t len = strlen(name);

    if (len > 3 && strcasecmp(name + len - 3, ".gz") == 0) {
        return KN_COMPRESSION_GZIP;
    }
    return len > 4 && strcasecmp(name + len - 4, ".zst") == 0 ? KN_COMPRESSION_ZSTD
                                                              : KN_COMPRESSION_NONE;
}

kn_status kn__sink_open(kn_sink **out, const char *path, kn_compression compression, kn_error *err)
{
    kn_sink *s = kn__zalloc(sizeof *s);
    kn_status status;

    *out = NULL;
    if (!s) {
        return kn__nomem(err);
    }
    s->fd = -1;
    s->held = -1;
    s->slot = -1;
    s->removals = kn__sink_removals();
    s->compression = compression == KN_COMPRESSION_AUTO ? compression_of(path) : compression;
    s->name = kn__strdup(strcmp(path, "-") == 0 ? "standard output" : path);
    KN_TRY(s->name ? find_target(s, path, err) : kn__nomem(err));
    KN_TRY(start_compressor(s, err));
    KN_TRY(make_temporary(s, err));
done:
    if (status != KN_OK) {
        kn__sink_abandon(s);
        return status;
    }
    *out = s;
    return KN_OK;
}

kn_status kn__sink_write(kn_sink *s, const void *bytes, size_t len, kn_error *err)
{
    return len ? pack(s, bytes, len, false, err) : KN_OK;
}

kn_status kn__sink_flush(kn_sink *s, kn_error *err)
{
    if (!s->flushed && s->compression != KN_COMPRESSION_NONE) {
        KN_PASS(pack(s, "", 0, true, err));
    }
    s->flushed = true;
    return KN_OK;
}

kn_status kn__sink_finish(kn_sink *s, kn_error *err)
{
    int fd = s->fd;

    if (s->finished) {
        return KN_OK;
    }
    KN_PASS(kn__sink_flush(s, err));
    if (fsync(fd) != 0) {
        return kn__fail_errno(err, s->name, "cannot be written", errno);
    }
    s->fd = -1;
    s->held = s->named ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (!s->named && (close(fd) != 0 || s->held < 0)) { /* some file systems write at close */
        return kn__fail_errno(err, s->name, "cannot be written", errno);
    }
    s->finished = true;
    return KN_OK;
}

const char *kn__sink_temporary(const kn_sink *s)
{
    return s->temporary;
}

static kn_status copy_out(kn_sink *s, kn_error *err)
{
    kn_status status;
    char *buffer = kn__malloc(PACKED);
    const int in = open(s->temporary, O_RDONLY | O_CLOEXEC);
    int out = STDOUT_FILENO;
    ssize_t n;

    KN_TRY(buffer ? KN_OK : kn__nomem(err));
    /* Appending: behind /dev/stdout may be a file that a shell opened with >>. */
    if (s->copy_to) {
        out = open(s->copy_to, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    }
    KN_TRY(in < 0 || out < 0 ? kn__fail_errno(err, s->name, "cannot be written", errno) : KN_OK);
    while ((n = read(in, buffer, PACKED)) != 0) {
        if (n > 0) {
            KN_TRY(write_all(out, s->name, buffer, (size_t)n, err));
        } else if (errno != EINTR) {
            KN_TRY(kn__fail_errno(err, s->name, "cannot be written", errno));
        }
    }
done:
    kn__free(buffer);
    if (in >= 0) {
        (void)close(in);
    }
    if (s->copy_to && out >= 0 && close(out) != 0 && !status) {
        status = kn__fail_errno(err, s->name, "cannot be written", errno);
    }
    return status;
}

kn_status kn__sink_sync_folder(const kn_sink *s, kn_error *err)
{
    char folder[PATH_MAX];
    kn_status status = KN_OK;
    int fd;

    fd = open(folder_of(s->target, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return KN_OK; /* a folder that may be written but not read */
    }
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) {
        status = kn__fail_errno(err, s->name, "its folder cannot be flushed to the disk", errno);
    }
    (void)close(fd);
    return status;
}

/* Put the finished file at its target. */
static bool put_into_place(kn_sink *s)
{
    if (!kn__access_give(&s->access, s->held)) {
        return false;
    }
    if (!s->named) {
        return rename(s->temporary, s->target) == 0;
    }
    if (linkat(AT_FDCWD, s->temporary, AT_FDCWD, s->target, AT_SYMLINK_FOLLOW) == 0) {
        return true;
    }
    /* There is an older file: link to a name beside it, then rename over it. */
    if (errno != EEXIST) {
        return false;
    }
    s->slot = kn__sink_registry_add(s->named);
    if (s->slot < 0 || linkat(AT_FDCWD, s->temporary, AT_FDCWD, s->named, AT_SYMLINK_FOLLOW) != 0) {
        return false;
    }
    if (rename(s->named, s->target) != 0) {
        const int why = errno;
        (void)unlink(s->named);
        errno = why;
        return false;
    }
    return true;
}

kn_status kn__sink_place(kn_sink *s, bool *placed, kn_error *err)
{
    *placed = false;
    if (s->removals != kn__sink_removals()) {
        return kn__fail(err, KN_EIO, "%s: was removed before it was complete", s->name);
    }
    if (!s->target) {
        return copy_out(s, err);
    }
    if (!put_into_place(s)) {
        return kn__fail_errno(err, s->name, "cannot be put into place", errno);
    }
    *placed = true;
    kn__sink_registry_remove(s->slot);
    s->slot = -1;
    kn__free(s->temporary);
    s->temporary = NULL;
    return kn__sink_sync_folder(s, err);
}

kn_status kn__sink_commit(kn_sink *s, kn_error *err)
{
    return kn__sinks_commit(&s, 1, err);
}

void kn__sink_abandon(kn_sink *s)
{
    if (!s) {
        return;
    }
#ifdef KN_HAVE_ZLIB
    if (s->gzip_open) {
        (void)deflateEnd(&s->gzip);
    }
#endif
#ifdef KN_HAVE_ZSTD
    ZSTD_freeCStream(s->zstd);
#endif
    if (s->fd >= 0) {
        (void)close(s->fd);
    }
    if (s->held >= 0) {
        (void)close(s->held);
    }
    if (s->temporary && !s->named) {
        (void)unlink(s->temporary);
    }
    kn__sink_registry_remove(s->slot);
    kn__access_clear(&s->access);
    KN_FREE(s->packed, s->temporary, s->named, s->target, s->copy_to, s->name, s);
}

const char *kn__sink_target(const kn_sink *s)
{
    return s->target;
}
