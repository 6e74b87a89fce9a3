/* sinks.c - the outputs of one call are put into place together: all appear or none.
 *
 * Invariant: an older file and a new one never stand beside each other at their targets, whatever
 * moment the process is killed at, so that no release stands beside a report of another one. To
 * keep it, the older files of all outputs but the first are moved aside before the first is
 * replaced, which is one atomic rename. Files that were moved aside keep a hidden second name until
 * the last output is complete; a failure restores them in the opposite order. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/bytes/file.h"
#include "io/bytes/sink_registry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* An output that has a target. */
typedef struct placement {
    kn_sink *sink;      /* borrowed */
    const char *target; /* the sink's */
    char *older;        /* the second name of the file that stands at the target */
    bool stood;         /* there was an older file, which has its second name now */
    bool placed;        /* the new file is at its target */
    int slot;           /* in the registry, or -1 */
} placement;

/* The second name of an older file, hidden and in the same folder. */
static kn_status name_older(placement *p, kn_error *err)
{
    const char *slash = strrchr(p->target, '/');
    const size_t size = strlen(p->target) + 40;
    uint64_t random;

    p->older = kn__malloc(size);
    KN_PASS(p->older ? KN_OK : kn__nomem(err));
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        return kn__fail_errno(err, p->target, "no random name for the older file", errno);
    }
    (void)snprintf(p->older, size, "%.*s.%.200s.%016llx.old",
                   slash ? (int)(slash + 1 - p->target) : 0, p->target,
                   slash ? slash + 1 : p->target, (unsigned long long)random);
    return KN_OK;
}

/* Give the older file its second name. The first output's keeps its place as well where the file
 * system has hard links. */
static kn_status set_aside(placement *p, bool first, kn_error *err)
{
    struct stat st;

    if (lstat(p->target, &st) != 0) {
        return errno == ENOENT ? KN_OK : kn__fail_errno(err, p->target, "cannot be written", errno);
    }
    if ((!first || link(p->target, p->older) != 0) && rename(p->target, p->older) != 0) {
        return kn__fail_errno(err, p->target, "the older file cannot be moved aside", errno);
    }
    p->stood = true;
    return first ? KN_OK : kn__sink_sync_folder(p->sink, err);
}

/* Restore the older file, if there was one. A failure is added to `err`, with the name that the
 * older file has now. */
static void restore(placement *p, kn_error *err)
{
    if (!p->stood) {
        return;
    }
    if (rename(p->older, p->target) != 0) {
        char words[256];
        (void)snprintf(words, sizeof words, "the older file was kept as %.200s", p->older);
        kn__error_prefix(err, words);
        return;
    }
    (void)unlink(p->older); /* rename does nothing where both names are still one file */
    (void)kn__sink_sync_folder(p->sink, NULL);
}

static void undo(placement *files, size_t count, kn_error *err)
{
    /* The first output is restored by a rename; the others must be gone before that. */
    for (size_t i = count; i-- > 0;) {
        if (files[i].placed && (i > 0 || !files[i].stood)) {
            (void)unlink(files[i].target);
            (void)kn__sink_sync_folder(files[i].sink, NULL);
        }
    }
    for (size_t i = 0; i < count; i++) {
        restore(&files[i], err);
    }
}

/* List the outputs that are files, complete and on disk; refuse two of one name. */
static kn_status prepare(placement *files, size_t *found, kn_sink *const *sinks, size_t count,
                         kn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        placement *p = &files[*found];
        if (!sinks[i]) {
            continue;
        }
        /* A full disk fails here, before anything is changed. */
        KN_PASS(kn__sink_finish(sinks[i], err));
        if (!kn__sink_target(sinks[i])) {
            continue;
        }
        ++*found;
        p->slot = -1;
        p->sink = sinks[i];
        p->target = kn__sink_target(sinks[i]);
        for (placement *other = files; other < p; other++) {
            if (kn__path_same(p->target, other->target)) {
                return kn__fail(err, KN_EUSAGE, "%s: is written twice; give two names", p->target);
            }
        }
        KN_PASS(name_older(p, err));
    }
    return KN_OK;
}

static kn_status place_files(placement *files, size_t found, kn_error *err)
{
    for (size_t i = found; i-- > 0;) {
        KN_PASS(set_aside(&files[i], i == 0, err));
    }
    for (size_t i = 0; i < found; i++) {
        KN_PASS(kn__sink_place(files[i].sink, &files[i].placed, err));
    }
    return KN_OK;
}

/* Copy a stream. Its reader can be slow, so a signal handler may end the process meanwhile; it then
 * undoes what was placed, as the outputs are not complete. */
static kn_status copy_stream(kn_sink *sink, placement *files, size_t found, const sigset_t *before,
                             kn_error *err)
{
    sigset_t ignored;
    kn_status status = KN_OK;
    bool placed;

    for (size_t i = 0; i < found; i++) {
        placement *p = &files[i];
        p->slot = kn__sink_registry_add_placed(p->target, p->stood ? p->older : NULL);
        KN_TRY(p->slot < 0 ? kn__fail(err, KN_EIO, "%s: its path is too long", p->target) : KN_OK);
    }
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
    status = kn__sink_place(sink, &placed, err);
    kn__signals_block(&ignored);
done:
    for (size_t i = 0; i < found; i++) {
        kn__sink_registry_remove(files[i].slot);
        files[i].slot = -1;
    }
    return status;
}

/* A signal handler that ends the process runs before or after the renames, not between them. */
static kn_status place_all(placement *files, size_t found, kn_sink **sinks, size_t count,
                           kn_error *err)
{
    sigset_t before;
    kn_status status;

    kn__signals_block(&before);
    status = place_files(files, found, err);
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        if (sinks[i] && !kn__sink_target(sinks[i])) {
            status = copy_stream(sinks[i], files, found, &before, err);
        }
    }
    if (status != KN_OK) {
        undo(files, found, err);
    }
    for (size_t i = 0; i < found && status == KN_OK; i++) {
        if (files[i].stood) {
            (void)unlink(files[i].older);
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

kn_status kn__sinks_commit(kn_sink **sinks, size_t count, kn_error *err)
{
    placement *files = kn__zalloc_array(count ? count : 1, sizeof *files);
    kn_status status;
    size_t found = 0;

    KN_TRY(files ? KN_OK : kn__nomem(err));
    KN_TRY(prepare(files, &found, sinks, count, err));
    KN_TRY(place_all(files, found, sinks, count, err));
done:
    for (size_t i = 0; i < found; i++) {
        kn__free(files[i].older);
    }
    for (size_t i = 0; i < count; i++) {
        kn__sink_abandon(sinks[i]);
        sinks[i] = NULL;
    }
    kn__free(files);
    return status;
}

kn_status kn__sink_put(kn_sink **out, const char *path, kn_compression compression,
                       const char *text, size_t len, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__sink_open(out, path, compression, err));
    KN_TRY(kn__sink_write(*out, text, len, err));
    KN_TRY(kn__sink_finish(*out, err));
done:
    if (status != KN_OK) {
        kn__sink_abandon(*out);
        *out = NULL;
    }
    return status;
}
