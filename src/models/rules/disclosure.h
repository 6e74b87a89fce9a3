/* models/rules/disclosure.h - what rules tell of private items, kept part by part while rules are
 * chosen.
 *
 * Whoever is at state 1 of a rule is known to hold the private items of its left side, and at state
 * 2 those of both sides. Of each private item that the rules tell of in a part, the share of its
 * records that are known to hold it is how sure an attacker is; having it and not having it is what
 * diversity is about (models/judge/presence.h). */
#ifndef KN_MODELS_RULES_DISCLOSURE_H
#define KN_MODELS_RULES_DISCLOSURE_H

#include "count/baskets.h"
#include "models/judge/presence.h"
#include "models/rules/rules.h"

typedef struct kn_disclosure kn_disclosure;

/** Nothing is told yet. `lists` holds the items of the records; `hidden` says by item which are
 * private; both are borrowed. l 0: no diversity is asked; inference 0: no limit. */
kn_status kn__disclosure_new(kn_disclosure **out, const kn_baskets *lists, const uint8_t *hidden,
                             double l, bool distinct, double inference, kn_error *err);
void kn__disclosure_free(kn_disclosure *t);
/** Whether no part would tell too much if `p` were split; called before it is. O(items of the
 * records that the rule moves), of all records if it has no public item on its left side. */
kn_status kn__disclosure_fits(kn_disclosure *t, const kn_parts *p, const kn_rule *rule,
                              const kn_split *split, uint8_t rest, bool *fits, kn_error *err);
/** Take over what the last kn__disclosure_fits found, after kn__parts_split of `p`, which had
 * `before` parts. */
kn_status kn__disclosure_take(kn_disclosure *t, const kn_parts *p, size_t before, kn_error *err);

#endif
