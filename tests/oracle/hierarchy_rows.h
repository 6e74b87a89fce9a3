/* oracle/hierarchy_rows.h - a hierarchy as nothing but its rows, and every question answered by
 * looking at all of them. */
#ifndef KN_TESTS_HIERARCHY_ROWS_H
#define KN_TESTS_HIERARCHY_ROWS_H

#include "base/rng.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ORACLE_ROWS = 64, ORACLE_LEVELS = 8, ORACLE_LABEL = 24 };

typedef struct oracle_row {
    char label[ORACLE_LEVELS][ORACLE_LABEL]; /* from the leaf to the root */
    size_t count;
} oracle_row;

typedef struct oracle_rows {
    oracle_row row[ORACLE_ROWS];
    size_t count;
} oracle_rows;

/* Fill the rows below a node: `path` holds its label and those above, path[0] the root. */
static inline void oracle_grow(oracle_rows *o, kn_rng *rng, char path[][ORACLE_LABEL], size_t depth,
                               size_t *named)
{
    const size_t children = 1 + kn__rng_below(rng, 4);

    for (size_t i = 0; i < children && o->count < ORACLE_ROWS; i++) {
        if (depth + 2 == ORACLE_LEVELS || kn__rng_below(rng, 3) == 0) {
            oracle_row *r = &o->row[o->count++];
            r->count = depth + 2;
            for (size_t j = 0; j <= depth; j++) {
                memcpy(r->label[depth + 1 - j], path[j], ORACLE_LABEL);
            }
            /* Some leaves share their label with groups; leaves themselves differ. */
            snprintf(r->label[0], ORACLE_LABEL, "%s%zu", o->count % 3 ? "v" : "g", o->count);
        } else {
            /* Names repeat on every depth, and are unique within one. */
            snprintf(path[depth + 1], ORACLE_LABEL, "g%zu", ++named[depth + 1]);
            oracle_grow(o, rng, path, depth + 1, named);
        }
    }
}

static inline void oracle_random(oracle_rows *o, kn_rng *rng)
{
    char path[ORACLE_LEVELS][ORACLE_LABEL] = {"*"};
    size_t named[ORACLE_LEVELS] = {0};

    o->count = 0;
    oracle_grow(o, rng, path, 0, named);
}

/* Labels of row `r` that are at most `depth` away from the root equal those of row `s`. */
static inline bool oracle_share(const oracle_row *r, const oracle_row *s, size_t depth)
{
    if (depth + 1 >= r->count || depth + 1 >= s->count) {
        return r == s;
    }
    for (size_t d = 0; d <= depth; d++) {
        if (strcmp(r->label[r->count - 1 - d], s->label[s->count - 1 - d]) != 0) {
            return false;
        }
    }
    return true;
}

/* Leaves below the node of row `r` at `depth`. */
static inline size_t oracle_leaves(const oracle_rows *o, const oracle_row *r, size_t depth)
{
    size_t count = 0;

    for (size_t i = 0; i < o->count; i++) {
        count += oracle_share(r, &o->row[i], depth);
    }
    return count;
}

/* Depth of the lowest node above both. */
static inline size_t oracle_lca(const oracle_row *r, const oracle_row *s)
{
    size_t depth = 0;

    if (r == s) {
        return r->count - 1;
    }
    while (depth + 2 < r->count && depth + 2 < s->count && oracle_share(r, s, depth + 1)) {
        depth++;
    }
    return depth;
}

/* The label on `level`, and its depth. */
static inline const char *oracle_level(const oracle_row *r, size_t level, size_t *depth)
{
    const size_t i = level < r->count ? level : r->count - 1;

    *depth = r->count - 1 - i;
    return r->label[i];
}

/* Depth of the highest node on the path of `r` with that label, the leaf included; SIZE_MAX when
 * there is none. */
static inline size_t oracle_highest(const oracle_row *r, const char *label)
{
    for (size_t i = r->count; i-- > 0;) {
        if (strcmp(r->label[i], label) == 0) {
            return r->count - 1 - i;
        }
    }
    return SIZE_MAX;
}

#endif
