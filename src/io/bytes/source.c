/* source.c - reading files, decompressing on the way.
 *
 * One buffer of stored bytes stands between the file and the decompressor; plain files use it only
 * for the bytes that were read to recognise the compression, and go straight into the caller's
 * buffer after that. */
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "io/bytes/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string.h>
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

enum { STORED = 256 * 1024 };

struct kn_source {
    int fd;
    bool owned; /* fd is ours to close */
    char *name; /* for messages */
    kn_compression compression;
    bool hash;
    struct sha256_ctx sha256;
    uint64_t size; /* stored bytes; 0: unknown */
    uint64_t consumed;
    bool ended;        /* no stored bytes are left in the file */
    bool between;      /* compressed: between two members or frames */
    unsigned char *in; /* stored bytes at [in_at, in_len) */
    size_t in_at, in_len;
#ifdef KN_HAVE_ZLIB
    z_stream gzip;
    bool gzip_open;
#endif
#ifdef KN_HAVE_ZSTD
    ZSTD_DStream *zstd;
#endif
};

static kn_status open_file(kn_source *s, const char *path, kn_error *err)
{
    struct stat st;

    if (strcmp(path, "-") == 0) {
        s->fd = STDIN_FILENO;
    } else {
        s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (s->fd < 0 && errno == ENOENT) {
            return kn__about(err, kn__fail(err, KN_EINPUT, "%s: there is no such file", path),
                             KN_ERROR_FILE);
        }
        if (s->fd < 0) {
            return kn__fail_open(err, path, errno);
        }
        s->owned = true;
    }
    if (fstat(s->fd, &st) != 0) {
        return kn__fail_errno(err, s->name, "cannot be read", errno);
    }
    if (S_ISDIR(st.st_mode)) {
        return kn__about(err,
                         kn__fail(err, KN_EINPUT, "%s: is a folder: give the file in it", s->name),
                         KN_ERROR_FILE);
    }
    if (S_ISREG(st.st_mode) && st.st_size > 0) {
        s->size = (uint64_t)st.st_size;
    }
    return KN_OK;
}

/* Up to `size` stored bytes; fewer only at the end. */
static kn_status read_stored(kn_source *s, unsigned char *buffer, size_t size, size_t *got,
                             kn_error *err)
{
    *got = 0;
    while (*got < size && !s->ended) {
        const size_t want = size - *got < ((size_t)1 << 30) ? size - *got : (size_t)1 << 30;
        const ssize_t n = read(s->fd, buffer + *got, want);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return kn__fail_errno(err, s->name, "cannot be read", errno);
        }
        s->ended = n == 0;
        *got += (size_t)n;
    }
    if (s->hash && *got) {
        sha256_update(&s->sha256, *got, buffer);
    }
    s->consumed += *got;
    return KN_OK;
}

static kn_status refill(kn_source *s, kn_error *err)
{
    if (s->in_at < s->in_len) {
        return KN_OK;
    }
    s->in_at = 0;
    return read_stored(s, s->in, STORED, &s->in_len, err);
}

static kn_compression recognise(const unsigned char *bytes, size_t len)
{
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd},
                               skippable[] = {0x2a, 0x4d, 0x18};

    if (len >= 2 && memcmp(bytes, gzip, 2) == 0) {
        return KN_COMPRESSION_GZIP;
    }
    /* Parallel zstd begins with a frame to be skipped, whose first byte is 0x50 to 0x5f. */
    if (len >= 4 && (memcmp(bytes, zstd, 4) == 0 ||
                     ((bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, skippable, 3) == 0))) {
        return KN_COMPRESSION_ZSTD;
    }
    return KN_COMPRESSION_NONE;
}

static kn_status start_decompressor(kn_source *s, kn_error *err)
{
    if (s->compression == KN_COMPRESSION_GZIP) {
#ifdef KN_HAVE_ZLIB
        s->gzip.zalloc = kn__gzip_alloc;
        s->gzip.zfree = kn__gzip_free;
        if (inflateInit2(&s->gzip, 15 + 16) != Z_OK) {
            return kn__nomem(err);
        }
        s->gzip_open = true;
#else
        return kn__fail(err, KN_EINPUT,
                        "%s: is compressed with gzip, which this build of kanon lacks: decompress "
                        "it first (gunzip), or build kanon with zlib",
                        s->name);
#endif
    } else if (s->compression == KN_COMPRESSION_ZSTD) {
#ifdef KN_HAVE_ZSTD
        s->zstd = ZSTD_createDStream();
        KN_PASS(s->zstd ? KN_OK : kn__nomem(err));
#else
        return kn__fail(err, KN_EINPUT,
                        "%s: is compressed with zstd, which this build of kanon lacks: decompress "
                        "it first (unzstd), or build kanon with libzstd",
                        s->name);
#endif
    }
    s->between = false;
    return KN_OK;
}

kn_status kn__source_open(kn_source **out, const char *path, kn_compression compression, bool hash,
                          kn_error *err)
{
    kn_source *s = kn__zalloc(sizeof *s);
    kn_status status;
    kn_compression found;

    *out = NULL;
    if (!s) {
        return kn__nomem(err);
    }
    s->fd = -1;
    s->hash = hash;
    sha256_init(&s->sha256);
    s->name = kn__strdup(strcmp(path, "-") == 0 ? "standard input" : path);
    s->in = kn__malloc(STORED);
    KN_TRY(s->name && s->in ? KN_OK : kn__nomem(err));
    KN_TRY(open_file(s, path, err));
    KN_TRY(refill(s, err));
    found = recognise(s->in, s->in_len);
    s->compression = compression == KN_COMPRESSION_AUTO ? found : compression;
    if (s->compression != KN_COMPRESSION_NONE && s->compression != found) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%s: is not compressed with %s", s->name,
                        s->compression == KN_COMPRESSION_GZIP ? "gzip" : "zstd"));
    }
    KN_TRY(start_decompressor(s, err));
    *out = s;
done:
    if (status != KN_OK) {
        kn__source_close(s);
    }
    return status;
}

static kn_status read_plain(kn_source *s, char *buffer, size_t size, size_t *got, kn_error *err)
{
    const size_t left = s->in_len - s->in_at, taken = left < size ? left : size;
    size_t more = 0;
    kn_status status = KN_OK;

    if (taken) {
        memcpy(buffer, s->in + s->in_at, taken);
        s->in_at += taken;
    }
    if (taken < size) {
        status = read_stored(s, (unsigned char *)buffer + taken, size - taken, &more, err);
    }
    *got = taken + more;
    return status;
}

#if defined(KN_HAVE_ZLIB) || defined(KN_HAVE_ZSTD)
static kn_status truncated(const kn_source *s, kn_error *err)
{
    return kn__fail(err, KN_EINPUT,
                    "%s: the compressed data breaks off: the file is not whole, fetch or make it "
                    "again",
                    s->name);
}

static kn_status damaged(const kn_source *s, const char *why, kn_error *err)
{
    return kn__fail(err, KN_EINPUT,
                    "%s: the compressed data is damaged (%s): fetch or make the file again",
                    s->name, why);
}
#endif

#ifdef KN_HAVE_ZLIB
/* After a member: nothing, zeros (tapes pad with them), or another member. */
static kn_status next_member(kn_source *s, bool *more, kn_error *err)
{
    *more = false;
    for (;;) {
        kn_status status = refill(s, err);
        if (status != KN_OK || s->in_at == s->in_len) {
            return status;
        }
        if (s->in[s->in_at] != 0) {
            break;
        }
        s->in_at++;
    }
    if (s->in[s->in_at] != 0x1f) {
        return damaged(s, "something else follows it", err);
    }
    if (inflateReset(&s->gzip) != Z_OK) {
        return kn__nomem(err);
    }
    s->between = false;
    *more = true;
    return KN_OK;
}

static kn_status read_gzip(kn_source *s, char *buffer, size_t size, size_t *got, kn_error *err)
{
    while (*got < size) {
        const size_t room = size - *got < ((size_t)1 << 30) ? size - *got : (size_t)1 << 30;
        kn_status status = KN_OK;
        int answer;

        if (s->between) {
            bool more;
            status = next_member(s, &more, err);
            if (status != KN_OK || !more) {
                return status;
            }
        }
        status = refill(s, err);
        if (status != KN_OK) {
            return status;
        }
        if (s->in_at == s->in_len) {
            return truncated(s, err);
        }
        s->gzip.next_in = s->in + s->in_at;
        s->gzip.avail_in = (unsigned)(s->in_len - s->in_at);
        s->gzip.next_out = (unsigned char *)buffer + *got;
        s->gzip.avail_out = (unsigned)room;
        answer = inflate(&s->gzip, Z_NO_FLUSH);
        s->in_at = s->in_len - s->gzip.avail_in;
        *got += room - s->gzip.avail_out;
        if (answer == Z_STREAM_END) {
            s->between = true;
        } else if (answer == Z_MEM_ERROR) {
            return kn__nomem(err);
        } else if (answer != Z_OK && answer != Z_BUF_ERROR) {
            return damaged(s, s->gzip.msg ? s->gzip.msg : "gzip", err);
        }
    }
    return KN_OK;
}
#endif

#ifdef KN_HAVE_ZSTD
static kn_status read_zstd(kn_source *s, void *buffer, size_t size, size_t *got, kn_error *err)
{
    ZSTD_outBuffer out = {buffer, size, 0};

    while (out.pos < size) {
        ZSTD_inBuffer in;
        size_t answer;
        const size_t before = out.pos;
        kn_status status = refill(s, err);

        *got = out.pos;
        if (status != KN_OK) {
            return status;
        }
        /* Even without input the decoder may still hold text. */
        in = (ZSTD_inBuffer){s->in, s->in_len, s->in_at};
        if (in.pos == in.size && s->between) {
            return KN_OK;
        }
        answer = ZSTD_decompressStream(s->zstd, &out, &in);
        if (ZSTD_getErrorCode(answer) == ZSTD_error_memory_allocation) {
            return kn__nomem(err);
        }
        if (ZSTD_isError(answer)) {
            return damaged(s, ZSTD_getErrorName(answer), err);
        }
        if (in.pos == in.size && s->ended && out.pos == before && answer != 0) {
            return truncated(s, err);
        }
        s->in_at = in.pos;
        s->between = answer == 0;
    }
    *got = out.pos;
    return KN_OK;
}
#endif

kn_status kn__source_read(kn_source *s, void *buffer, size_t size, size_t *got, kn_error *err)
{
    *got = 0;
    switch (s->compression) {
#ifdef KN_HAVE_ZLIB
    case KN_COMPRESSION_GZIP: return read_gzip(s, buffer, size, got, err);
#endif
#ifdef KN_HAVE_ZSTD
    case KN_COMPRESSION_ZSTD: return read_zstd(s, buffer, size, got, err);
#endif
    default: return read_plain(s, buffer, size, got, err);
    }
}

double kn__source_done(const kn_source *s)
{
    const uint64_t waiting = s->in_len - s->in_at;
    double share;

    if (!s->size) {
        return -1;
    }
    share = (double)(s->consumed - waiting) / (double)s->size;
    return share > 1 ? 1 : share;
}

void kn__source_sha256(kn_source *s, char out[65])
{
    static const char digits[] = "0123456789abcdef";
    struct sha256_ctx copy = s->sha256;
    uint8_t digest[SHA256_DIGEST_SIZE];

    out[0] = '\0';
    if (!s->hash) {
        return;
    }
    sha256_digest(&copy, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[64] = '\0';
}

const char *kn__source_name(const kn_source *s)
{
    return s->name;
}

kn_compression kn__source_compression(const kn_source *s)
{
    return s->compression;
}

void kn__source_close(kn_source *s)
{
    if (!s) {
        return;
    }
#ifdef KN_HAVE_ZLIB
    if (s->gzip_open) {
        (void)inflateEnd(&s->gzip);
    }
#endif
#ifdef KN_HAVE_ZSTD
    ZSTD_freeDStream(s->zstd);
#endif
    if (s->owned) {
        (void)close(s->fd);
    }
    KN_FREE(s->in, s->name, s);
}

kn_status kn__file_slurp(const char *path, size_t most, char **out, size_t *len, kn_error *err)
{
    kn_source *s = NULL;
    char *text = NULL;
    size_t cap = 0, used = 0, got = 0, room = 0;
    kn_status status;

    *out = NULL;
    *len = 0;
    KN_TRY(kn__source_open(&s, path, KN_COMPRESSION_AUTO, false, err));
    while (got == room) {
        KN_TRY(kn__grow(&text, &cap, used + 4096, 1, err));
        room = cap - used - 1;
        KN_TRY(kn__source_read(s, text + used, room, &got, err));
        used += got;
        if (used > most) {
            KN_TRY(kn__fail(err, KN_EINPUT, "%s: is larger than %zu bytes, which is too much here",
                            s->name, most));
        }
    }
    text[used] = '\0';
    *out = text;
    *len = used;
done:
    if (status != KN_OK) {
        kn__free(text);
    }
    kn__source_close(s);
    return status;
}

bool kn__file_is_plain(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
