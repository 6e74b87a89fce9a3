/* io/bytes/file.h - bytes in and out of files: compression, hashing, and files that appear whole or
 * not at all. */
#ifndef KN_IO_BYTES_FILE_H
#define KN_IO_BYTES_FILE_H

#include "io/bytes/paths.h"
#include "kanon/io.h"

/* ---- reading ---- */
typedef struct kn_source kn_source;

/** Open `path` ("-": standard input) for reading; decompresses what its first bytes say is gzip or
 * zstd. A directory, a missing file and an unreadable one are told apart (KN_EINPUT). `hash`:
 * compute the SHA-256 of the stored bytes. */
kn_status kn__source_open(kn_source **out, const char *path, kn_compression compression, bool hash,
                          kn_error *err);
/** Read up to `size` bytes of the decompressed text; `*got` is less only at the end. KN_EINPUT for
 * damaged or truncated compression, KN_EIO for read errors. */
kn_status kn__source_read(kn_source *s, void *buffer, size_t size, size_t *got, kn_error *err);
/** The share of the stored bytes consumed, in 0..1, or -1 when unknown. */
double kn__source_done(const kn_source *s);
/** Hexadecimal SHA-256 of all stored bytes, after the end was reached; "" if not asked for. */
void kn__source_sha256(kn_source *s, char out[65]);
/** Its name in messages: the path, or "standard input". Borrowed. */
const char *kn__source_name(const kn_source *s);
/** The compression found; never KN_COMPRESSION_AUTO. */
kn_compression kn__source_compression(const kn_source *s);
/** Close and free `s`. NULL is fine. */
void kn__source_close(kn_source *s);

/** Read the whole of a (small) file, at most `most` bytes, NUL-terminated, for schemas, jobs and
 * hierarchies. Free with kn__free. */
kn_status kn__file_slurp(const char *path, size_t most, char **out, size_t *len, kn_error *err);

/** Whether `path` is a file that is there and can be read again: no pipe, device or "-". */
bool kn__file_is_plain(const char *path);

/* ---- writing ---- */
typedef struct kn_sink kn_sink;

/** Start a file that appears at `path` when it is committed: a temporary file beside it (same
 * folder, name starting with ".", mode 0600 until commit, then as umask says). Path "-": a
 * temporary file in the system's folder for them, copied to standard output at commit. Refuses a
 * directory. */
kn_status kn__sink_open(kn_sink **out, const char *path, kn_compression compression, kn_error *err);
kn_status kn__sink_write(kn_sink *s, const void *bytes, size_t len, kn_error *err);
/** Write all bytes to the file, so that they can be read at kn__sink_temporary. Nothing can be
 * written after that. */
kn_status kn__sink_flush(kn_sink *s, kn_error *err);
/** Finish compression, flush to disk (fsync), close; the temporary file is complete and can be read
 * back at kn__sink_temporary. */
kn_status kn__sink_finish(kn_sink *s, kn_error *err);
const char *kn__sink_temporary(const kn_sink *s);
/** kn__sinks_commit of one sink. */
kn_status kn__sink_commit(kn_sink *s, kn_error *err);
/** Put `count` outputs into place, all or none. Files come first, in the order given, then what is
 * copied (standard output, pipes, devices), which cannot be undone. On every failure older files
 * are restored and new ones removed. Old and new files never exist together, even if the
 * process is killed: the older files of all but the first are moved aside (to .NAME.RANDOM.old)
 * before the first is replaced. So the release goes first, then its reports. Elements that are NULL
 * are skipped. Frees all sinks, also on failure, and sets them to NULL.
 *  @return KN_EUSAGE when two sinks have the same target. */
kn_status kn__sinks_commit(kn_sink **sinks, size_t count, kn_error *err);
/** Write the `len` bytes of `text` to a new sink for `path`, and finish it. On failure `*out` is
 * NULL. */
kn_status kn__sink_put(kn_sink **out, const char *path, kn_compression compression,
                       const char *text, size_t len, kn_error *err);
/** For kn__sinks_commit: rename the finished file to its target (then `*placed`), or copy it, and
 * flush the folder. `s` stays the caller's. */
kn_status kn__sink_place(kn_sink *s, bool *placed, kn_error *err);
/** Flush the folder of a sink that has a target. */
kn_status kn__sink_sync_folder(const kn_sink *s, kn_error *err);
/** The final path, links followed; NULL for output that is copied. Borrowed. */
const char *kn__sink_target(const kn_sink *s);
/** Remove the temporary file and free `s`. NULL is fine. */
void kn__sink_abandon(kn_sink *s);
/** Remove the temporary files of all open sinks, and undo the outputs of a call that are not
 *  complete yet. Async-signal-safe. */
void kn__sink_remove_all(void);

#endif
