/* acd_sweep_state.h - what acd_sweep.c (the two passes) and acd_cross_pairs.c (both sides of a cut)
 * share. */
#ifndef KN_METHODS_NUMBERS_ACD_SWEEP_STATE_H
#define KN_METHODS_NUMBERS_ACD_SWEEP_STATE_H

#include "methods/numbers/acd_range_sets.h"
#include "methods/numbers/acd_occurrences.h"
#include "methods/numbers/acd_sweep.h"

/* For m = 2: the records so far that hold a combination, up to k, and the point of the first. */
typedef struct kn__acd_reach {
    uint32_t count, first;
} kn__acd_reach;

/* One pass. */
typedef struct kn__acd_hand {
    uint32_t at; /* from below: points below it are done; from above: it and those above it */
    size_t rare; /* combinations above 0 and below k */
    /* For m = 2: {side}, {side, side}; by range, {side, range}, 0 between sweeps. */
    kn__acd_reach own[2], *pair;
    uint32_t swept[2]; /* ranges that are full though they have no records, */
    uint32_t *seen;    /* and ranges with a pair */
    size_t pair_cap, seen_cap, seens;
    size_t full;            /* combinations with k records */
    kn_acd_numbers numbers; /* otherwise: of Q, with counts by a; or by a and b */
    uint32_t *other;        /* ranges of the record at hand, aside from the one being swept */
    size_t others, other_cap;
} kn__acd_hand;

/* The range that is swept. */
typedef struct kn__acd_sweeping {
    const uint32_t *range_of;
    uint32_t ranges, low, high;
    uint32_t swept[2]; /* the number of the range, or of its two halves */
    uint32_t to[2];    /* where the passes are to go next */
    uint8_t *good;
    uint32_t keys; /* its combinations with other ranges; 0: nobody knows */
    bool across;   /* all cuts are judged for combinations of both sides */
    bool crossed;  /* a record holds both sides of the cut that was asked for last */
} kn__acd_sweeping;

struct kn_acd_sweep {
    const kn_acd_points *p;
    unsigned threads;
    /* From below and from above; the passes need not know of each other, so it does not matter
     * whether two threads do them. The third is for combinations of both sides. */
    kn__acd_hand hands[3];
    uint32_t *keys; /* m = 2, by range: sweeping.keys */
    size_t keys_cap;
    kn__acd_sweeping now;
};

/** Make `h` ready for the range of `now`. */
kn_status kn__acd_hand_start(const kn_acd_points *p, kn__acd_hand *h, const kn__acd_sweeping *now,
                             kn_error *err);
/** The first and the last cut that may be good; false if there is none. */
bool kn__acd_left_to_judge(const kn__acd_sweeping *now, uint32_t *first, uint32_t *last);

static inline void kn__acd_gain(kn__acd_hand *h, uint32_t *count, size_t k)
{
    ++*count;
    h->rare += *count == 1;
    h->rare -= *count == k;
}

static inline void kn__acd_lose(kn__acd_hand *h, uint32_t *count, size_t k)
{
    --*count;
    h->rare += *count == k - 1;
    h->rare -= *count == 0; /* with k = 1 it was never rare: both cancel out */
}

/* The ranges of a record besides the swept one. */
KN_INLINED void kn__acd_list_others(const kn_acd_points *p, kn__acd_hand *h,
                                    const kn__acd_sweeping *now, const kn_acd_occurrence *o)
{
    const uint32_t *range_of = now->range_of, left = now->swept[0], right = now->swept[1];
    const bool bags = p->bags;
    uint32_t *const other = h->other;
    size_t others = 0;

    for (uint32_t i = 0; i < o->len; i++) {
        const uint32_t range = range_of[kn__acd_point(o, i)];
        if (range != left && range != right &&
            (bags || others == 0 || other[others - 1] != range)) {
            other[others++] = range;
        }
    }
    h->others = others;
}

#endif
