/* methods/trees/reach.h - whether a cut of the hierarchies can still lead to a cheaper one.
 *
 * The finest cut that a cut with closed labels can lead to is the one in which all that is not
 * closed is specialised. As a rule it is also the cheapest one: a finer cut costs less, and a
 * disassociation makes a cut dearer. Where even the finest one costs more than a cut that is known,
 * none of those between them is evaluated. */
#ifndef KN_METHODS_TREES_REACH_H
#define KN_METHODS_TREES_REACH_H

#include "methods/trees/cuts.h"

typedef struct kn_cut_reach {
    const kn_cut_space *space;
    bool exact;       /* costs are RPD, else RPD_a */
    uint8_t **beaten; /* finest cuts that cost too much: by label, whether it is specialised */
    size_t count, cap;
} kn_cut_reach;

void kn__cut_reach_clear(kn_cut_reach *r);

/** Whether the cut `specialised` can lead to one that costs at most `best`, which never grows from
 *  call to call. `closed` and `closed_too` are the labels that may not be specialised.
 *  For RPD_a a part of the records may be enough to say yes. O(nodes of the forest) expected;
 *  O(labels) where a finer cut than what it leads to was beaten. */
kn_status kn__cut_reach(bool *out, kn_cut_reach *r, const uint8_t *specialised,
                        const uint8_t *closed, const uint8_t *closed_too, double best,
                        kn_error *err);

#endif
