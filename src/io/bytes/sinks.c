/* sinks.c - several files that appear all or none, as far as a file system without transactions
 * goes: older files keep a second name until the last is in place. */
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct placed {
    char *target;
    char *older; /* a second name of the file that stood there; NULL: none did, or it has none */
    bool fresh;  /* nothing stood there */
} placed;

/* Remember what stands at `target`. */
static kn_status keep_older(placed *p, const char *target, kn_error *err)
{
    const char *slash = strrchr(target, '/');
    const size_t size = strlen(target) + 40;
    uint64_t random;
    struct stat st;

    p->target = kn__strdup(target);
    p->older = kn__malloc(size);
    if (!p->target || !p->older) {
        return kn__nomem(err);
    }
    p->fresh = lstat(target, &st) != 0;
    if (p->fresh || getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        goto none;
    }
    (void)snprintf(p->older, size, "%.*s.%.200s.%016llx.old", slash ? (int)(slash + 1 - target) : 0,
                   target, slash ? slash + 1 : target, (unsigned long long)random);
    if (link(target, p->older) == 0) {
        return KN_OK;
    }
none:
    kn__free(p->older);
    p->older = NULL;
    return KN_OK;
}

static void take_back(const placed *p)
{
    if (p->older) {
        (void)rename(p->older, p->target);
        (void)unlink(p->older); /* where both were still the same file, rename left it alone */
    } else if (p->fresh) {
        (void)unlink(p->target);
    }
}

kn_status kn__sinks_commit(kn_sink **sinks, size_t count, kn_error *err)
{
    placed *done = kn__zalloc_array(count ? count : 1, sizeof *done);
    kn_status st = done ? KN_OK : kn__nomem(err);
    size_t reached = 0;

    /* Flushed before anything is seen: a full disk fails here. */
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        st = sinks[i] ? kn__sink_finish(sinks[i], err) : KN_OK;
    }
    for (int copied = 0; copied < 2; copied++) {
        for (size_t i = 0; st == KN_OK && i < count; i++) {
            if (!sinks[i] || (kn__sink_target(sinks[i]) == NULL) != (copied == 1)) {
                continue;
            }
            if (!copied) {
                st = keep_older(&done[reached++], kn__sink_target(sinks[i]), err);
            }
            if (st == KN_OK) {
                st = kn__sink_commit(sinks[i], err);
                sinks[i] = NULL;
            }
        }
    }
    for (size_t i = 0; done && i < reached; i++) {
        if (st != KN_OK) {
            take_back(&done[i]);
        } else if (done[i].older) {
            (void)unlink(done[i].older);
        }
        kn__free(done[i].older);
        kn__free(done[i].target);
    }
    for (size_t i = 0; i < count; i++) {
        kn__sink_abandon(sinks[i]);
        sinks[i] = NULL;
    }
    kn__free(done);
    return st;
}
