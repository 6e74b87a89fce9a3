/* guarantees/missing_match.h - whose record may it be? Candidate classes under KN_MISSING_ANY
 * (docs/missing-values.md).
 *
 * A record s is a candidate for the person published as r when every quasi-identifier of s
 * equals r's, or is missing in a column whose rule is KN_MISSING_ANY. For a pattern of missing
 * cells that includes r's own, that leaves exactly one combination of values, r with those cells
 * blanked, so at most one class: it is looked up. */
#ifndef KN_GUARANTEES_MISSING_MATCH_H
#define KN_GUARANTEES_MISSING_MATCH_H

#include "count/classes.h"

typedef struct kn_missing_match kn_missing_match;

/** Prepare for `classes` of `ds` over the quasi-identifiers `qi`, all borrowed. `*out` is NULL,
 *  with KN_OK, when no class has a missing cell that may be anything: every class has only
 *  itself. O(classes x columns). */
kn_status kn__missing_match_new(kn_missing_match **out, const kn_dataset *ds, const size_t *qi,
                                size_t qis, const kn_classes *classes, kn_error *err);
void kn__missing_match_free(kn_missing_match *c);

/** The most candidates that a class can have besides itself; and the room, in codes, that a
 *  lookup needs. */
size_t kn__missing_match_most(const kn_missing_match *c);
size_t kn__missing_match_room(const kn_missing_match *c);

/** Whether the class has a missing cell that may be anything, so that others may have it as
 *  candidate. */
bool kn__missing_match_wild(const kn_missing_match *c, uint32_t class_number);

/** The classes other than `class_number` whose records may be the person's, into `found`;
 *  returns how many. Thread-safe. O(patterns of missing cells x columns). */
size_t kn__missing_match_of(const kn_missing_match *c, uint32_t class_number, uint32_t *room,
                            uint32_t *found);

#endif
