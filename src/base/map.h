/* base/map.h - the hash table of the library: 64-bit keys to values that are not 0.
 *
 * Open addressing with linear probing; the number of slots is a power of two and at most half of
 * them are used, so that every probe ends at an empty slot. There is no removal.
 *
 * A key may be the thing itself (a number, two codes side by side) or a hash of something longer
 * that the caller keeps. Then several entries can have one key, and the caller compares:
 *
 *     KN_TRY(kn__map_reserve(&map, map.used + 1, err));
 *     slot = kn__map_find(&map, hash);
 *     while (slot->value && !same(slot->value - 1, thing)) {
 *         slot = kn__map_next(&map, slot);
 *     }
 *     if (!slot->value) {
 *         kn__map_put(&map, slot, hash, number + 1);
 *     }
 *
 * Zero a map to start. Expected O(1) per call; 16 bytes per slot. Where entries stand depends on
 * the keys and on the order in which they came: walk over `slots` only where that order is the same
 * in every run, or sort afterwards. */
#ifndef KN_BASE_MAP_H
#define KN_BASE_MAP_H

#include "base/hash.h"
#include "kanon/error.h"

typedef struct kn_map_slot {
    uint64_t key, value; /* value 0: the slot is empty */
} kn_map_slot;

typedef struct kn_map {
    kn_map_slot *slots;
    size_t mask, used; /* mask: slots - 1 */
} kn_map;

/** Make room for `entries` entries in all; pointers to slots are invalid then. On failure nothing
 *  has changed. Amortised O(1) per entry when it is called for one more each time. */
kn_status kn__map_grow(kn_map *map, size_t entries, kn_error *err);

static inline kn_status kn__map_reserve(kn_map *map, size_t entries, kn_error *err)
{
    return map->slots && entries * 2 <= map->mask + 1 ? KN_OK : kn__map_grow(map, entries, err);
}

/** Forget the entries and keep the memory. O(slots). */
void kn__map_empty(kn_map *map);
void kn__map_clear(kn_map *map);

/** The first entry with `key`, or the empty slot where it would go. Room must have been reserved.
 */
static inline kn_map_slot *kn__map_find(const kn_map *map, uint64_t key)
{
    size_t i = (size_t)kn__hash_u64(key) & map->mask;

    while (map->slots[i].value && map->slots[i].key != key) {
        i = (i + 1) & map->mask;
    }
    return &map->slots[i];
}

/** After `slot`, which is an entry: the next one with its key, or the empty slot. */
static inline kn_map_slot *kn__map_next(const kn_map *map, const kn_map_slot *slot)
{
    size_t i = (size_t)(slot - map->slots);

    do {
        i = (i + 1) & map->mask;
    } while (map->slots[i].value && map->slots[i].key != slot->key);
    return &map->slots[i];
}

/** Fill an empty slot that was found for `key`; room for the entry must have been reserved. */
static inline void kn__map_put(kn_map *map, kn_map_slot *slot, uint64_t key, uint64_t value)
{
    *slot = (kn_map_slot){key, value};
    map->used++;
}

#endif
