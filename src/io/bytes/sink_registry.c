/* sink_registry.c - a fixed array of paths with atomic states: a signal handler may read it at any
 * moment, so there are no locks and no allocated memory. */
#include "io/bytes/sink_registry.h"
#include "io/bytes/file.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SINKS = 160 };
enum { SLOT_FREE = 0, SLOT_BUSY, SLOT_READY };

static struct {
    atomic_int state;
    char path[PATH_MAX];
} registry[MOST_SINKS];

int kn__sink_registry_add(const char *path)
{
    const size_t len = strlen(path);

    for (int i = 0; len < PATH_MAX && i < MOST_SINKS; i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&registry[i].state, &expected, SLOT_BUSY)) {
            memcpy(registry[i].path, path, len + 1);
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
}

unsigned kn__sink_removals(void)
{
    return atomic_load(&removals);
}
