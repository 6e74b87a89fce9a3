/* sink_registry.c - a fixed array of paths with atomic states: a signal handler may read it at any
 * moment, so there are no locks and no allocated memory. */
#include "io/bytes/sink_registry.h"
#include "io/bytes/file.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SINKS = 160 };
enum { SLOT_FREE = 0, SLOT_BUSY, SLOT_READY };

static struct {
    atomic_int state;
    char path[PATH_MAX];
    char older[PATH_MAX]; /* the second name of the file to restore at `path`, or "" */
} registry[MOST_SINKS];

int kn__sink_registry_add(const char *path)
{
    return kn__sink_registry_add_placed(path, NULL);
}

int kn__sink_registry_add_placed(const char *path, const char *older)
{
    const size_t len = strlen(path), older_len = older ? strlen(older) : 0;

    for (int i = 0; len < PATH_MAX && older_len < PATH_MAX && i < MOST_SINKS; i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&registry[i].state, &expected, SLOT_BUSY)) {
            memcpy(registry[i].path, path, len + 1);
            memcpy(registry[i].older, older ? older : "", older_len + 1);
            atomic_store(&registry[i].state, SLOT_READY);
            return i;
        }
    }
    return -1;
}

void kn__sink_registry_remove(int slot)
{
    if (slot >= 0) {
        atomic_store(&registry[slot].state, SLOT_FREE);
    }
}

static atomic_uint removals;

void kn__sink_remove_all(void)
{
    atomic_fetch_add(&removals, 1);
    for (int i = 0; i < MOST_SINKS; i++) {
        if (atomic_load(&registry[i].state) == SLOT_READY) {
            (void)unlink(registry[i].path);
        }
    }
    for (int i = 0; i < MOST_SINKS; i++) { /* no new file stands beside an older one */
        if (atomic_load(&registry[i].state) == SLOT_READY && registry[i].older[0]) {
            (void)rename(registry[i].older, registry[i].path);
        }
    }
}

unsigned kn__sink_removals(void)
{
    return atomic_load(&removals);
}
