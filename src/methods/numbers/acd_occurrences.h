/* methods/numbers/acd_occurrences.h - the occurrences of a point, one after the other: from the
 * copies where there are some, else from the records. */
#ifndef KN_METHODS_NUMBERS_ACD_OCCURRENCES_H
#define KN_METHODS_NUMBERS_ACD_OCCURRENCES_H

#include "methods/numbers/acd_search.h"

/* Most of the time is spent in what is marked so: a copy for each direction, width and length. */
#define KN_INLINED __attribute__((always_inline)) static inline

/* An occurrence: item number `place` of its record. */
typedef struct kn_acd_occurrence {
    const void *list; /* points of `width` bytes */
    uint8_t width;
    uint32_t len, place;
} kn_acd_occurrence;

static inline uint32_t kn__acd_point(const kn_acd_occurrence *o, uint32_t i)
{
    return kn__code_get(o->list, o->width, i);
}

typedef struct kn_acd_cursor {
    uint64_t i, end;
    uint32_t again, point;
} kn_acd_cursor;

static inline kn_acd_cursor kn__acd_occurrences(const kn_acd_points *p, uint32_t q)
{
    const uint64_t *at = p->copies ? p->copies_at : p->at;

    return (kn_acd_cursor){at[q], at[q + 1], 0, q};
}

/* The next one; those that are alone in their records are left out where there are copies. `width`
 * is that of the copies; 2 says that there are some. */
KN_INLINED bool kn_acd_next_of_width(const kn_acd_points *p, uint8_t width, kn_acd_cursor *c,
                                     kn_acd_occurrence *o)
{
    uint32_t r;

    if (c->i == c->end) {
        return false;
    }
    o->width = width;
    if (width == 2 || p->copies) {
        const uint32_t head = kn__code_get(p->copies, width, c->i);
        o->list = (const char *)p->copies + (c->i + 1) * width;
        o->len = head >> 4 * width;
        o->place = head & ((1u << 4 * width) - 1);
        c->i += 1 + o->len;
        return true;
    }
    r = p->record[c->i];
    c->again = c->i > p->at[c->point] && p->record[c->i - 1] == r ? c->again + 1 : 0;
    c->i++;
    o->width = sizeof *p->list;
    o->list = p->list + p->b->starts[r];
    o->len = (uint32_t)(p->b->starts[r + 1] - p->b->starts[r]);
    o->place = kn__acd_place(o->list, c->point) + c->again;
    return true;
}

static inline bool kn__acd_next(const kn_acd_points *p, kn_acd_cursor *c, kn_acd_occurrence *o)
{
    return kn_acd_next_of_width(p, p->copies ? p->copy_width : 4, c, o);
}

#endif
