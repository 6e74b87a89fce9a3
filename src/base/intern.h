/* base/intern.h - different lists of numbers, each kept once and known by its number.
 *
 * Lists are numbered from 0 in the order in which they came; equal lists have one number. Their
 * elements stand one list after the other in `list`, and a map from their hashes finds them again.
 * Zero it to start. */
#ifndef KN_BASE_INTERN_H
#define KN_BASE_INTERN_H

#include "base/map.h"

typedef struct kn_intern {
    size_t count;
    size_t *starts; /* count + 1, once there is a list: list i is list[starts[i]..starts[i + 1]) */
    uint32_t *list;
    size_t starts_cap, list_cap;
    kn_map numbers; /* by hash: number + 1 */
} kn_intern;

/** The number of the list at[0..len); a new one is added and gets the number `count`. On failure
 *  nothing has changed. Expected O(len). */
kn_status kn__intern_add(kn_intern *x, const uint32_t *at, size_t len, uint32_t *number,
                         kn_error *err);

/** List `number`, valid until the next one is added. */
static inline const uint32_t *kn__intern_list(const kn_intern *x, size_t number, size_t *len)
{
    *len = x->starts[number + 1] - x->starts[number];
    return *len ? x->list + x->starts[number] : x->list; /* NULL while all lists are empty */
}

void kn__intern_clear(kn_intern *x);

#endif
