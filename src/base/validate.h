/* base/validate.h - for functions that validate a structure. */
#ifndef KN_BASE_VALIDATE_H
#define KN_BASE_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

/** What such a function returns for a broken one: false, and `why` in `*reason` (may be NULL). */
static inline bool kn__broken(const char **reason, const char *why)
{
    if (reason) {
        *reason = why;
    }
    return false;
}

#endif
