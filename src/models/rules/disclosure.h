/* models/rules/disclosure.h - what an attacker learns of private items from the rules chosen so
 * far.
 *
 * The rules partition the records into spans, the blocks of a kn_partition. A record in
 * KN_RULE_LEFT of a rule is known to hold the private items of its left side, in KN_RULE_BOTH those
 * of both sides. For each block and private item that the rules disclose there, the share of the
 * block's records that are known to hold the item is the attacker's confidence; holding and not
 * holding it are the two values that diversity is about (models/judge/presence.h). */
#ifndef KN_MODELS_RULES_DISCLOSURE_H
#define KN_MODELS_RULES_DISCLOSURE_H

#include "count/baskets.h"
#include "models/judge/presence.h"
#include "models/rules/rules.h"

typedef struct kn_disclosure kn_disclosure;

/** Without rules nothing is disclosed. `baskets` holds the items of the records, `hidden` says by
 * item which are private; both are borrowed. l 0: diversity is not limited; inference 0: nor is
 * confidence. */
kn_status kn__disclosure_new(kn_disclosure **out, const kn_baskets *baskets, const uint8_t *hidden,
                             double l, bool distinct, double inference, kn_error *err);
void kn__disclosure_free(kn_disclosure *d);
/** Whether all blocks would keep the limits with one more rule; called before `p` is refined by
 * `split`. `rest` is the state of the records that the rule does not move. O(items of the records
 * that the rule moves), of all records if it has no public item on its left side. */
kn_status kn__disclosure_try(kn_disclosure *d, const kn_partition *p, const kn_rule *rule,
                             const kn_rule_split *split, uint8_t rest, bool *fits, kn_error *err);
/** Add the rule that was tried last, after kn__partition_refine of `p`, which had `before` blocks.
 */
kn_status kn__disclosure_commit(kn_disclosure *d, const kn_partition *p, size_t before,
                                kn_error *err);

#endif
