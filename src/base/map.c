/* map.c - what changes the size of a map. */
#include "base/map.h"
#include "base/error.h"
#include "base/memory.h"

enum { FEWEST_SLOTS = 64 };

kn_status kn__map_grow(kn_map *map, size_t entries, kn_error *err)
{
    kn_map bigger = {.used = map->used};
    size_t slots = map->slots ? map->mask + 1 : FEWEST_SLOTS;

    while (slots / 2 < entries) {
        slots *= 2;
    }
    bigger.mask = slots - 1;
    bigger.slots = kn__zalloc_array(slots, sizeof *bigger.slots);
    KN_PASS(bigger.slots ? KN_OK : kn__nomem(err));
    for (size_t i = 0; map->slots && i <= map->mask; i++) {
        if (map->slots[i].value) {
            /* Entries with one key stay apart: each goes to the next empty slot. */
            size_t at = (size_t)kn__hash_u64(map->slots[i].key) & bigger.mask;
            while (bigger.slots[at].value) {
                at = (at + 1) & bigger.mask;
            }
            bigger.slots[at] = map->slots[i];
        }
    }
    kn__free(map->slots);
    *map = bigger;
    return KN_OK;
}

void kn__map_empty(kn_map *map)
{
    if (map->used) {
        memset(map->slots, 0, (map->mask + 1) * sizeof *map->slots);
        map->used = 0;
    }
}

void kn__map_clear(kn_map *map)
{
    kn__free(map->slots);
    *map = (kn_map){0};
}
