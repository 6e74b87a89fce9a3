/* models/rules/rules.h - association rules as a span model.
 *
 * By section 4.3 of the models paper a record is, for every rule, in one of three states: it does
 * not hold all of the left side, it holds the left side but not all of the right side, or it holds
 * both (kn_rule_state). An equivalence class is a state for every rule.
 *
 * An attacker knows the public items A of a person and takes every set B of private items for
 * possible. Let the pattern of A in a rule be the state that the record would be in if it held all
 * private items: KN_RULE_NONE if A lacks a public item of the left side, KN_RULE_LEFT if it has
 * those but lacks a public item of the right side, KN_RULE_BOTH otherwise. Then two records have
 * the same span if and only if they have the same pattern in every rule:
 *  - The state of A + B in a rule follows from the pattern of A and from B, so equal patterns allow
 *    the same classes.
 *  - No B gives a state above the pattern, and holding all private items gives the pattern itself.
 *    So the pattern is the greatest class of the span, and different patterns have different spans.
 * Patterns are found by partition refinement over the records, rule by rule (partition.h): spans
 * are never compared as sets, and their classes, of which there may be 2 to the number of private
 * items, need not be listed to be judged.
 *
 * A rule lets private items make a difference at pattern KN_RULE_LEFT if its left side has
 * some, and at KN_RULE_BOTH if either side has some. A span has several classes, and discloses
 * something, if and only if some rule does so. Rules without private items disclose nothing by
 * themselves, but they split the spans: the same disclosure then concerns fewer records. */
#ifndef KN_MODELS_RULES_RULES_H
#define KN_MODELS_RULES_RULES_H

#include "models/bind.h"
#include "models/rules/partition.h"
#include "models/judge/span.h"

/** The item column that rules are about: the one called `name` (NULL: not said), or else the only
 * one there is. KN_EINPUT or KN_EUSAGE if there is none, or several. */
kn_status kn__rules_column(const kn_column **out, const kn_dataset *ds, const char *name,
                           kn_error *err);
/** Which items of `c` are private, by code, in `*out` (free with kn__free): those that its schema
 * names, and all if the column is sensitive. */
kn_status kn__rules_private_items(uint8_t **out, const kn_column *c,
                                  const kn_hierarchies *hierarchies, kn_error *err);
/** Fill in what `b` says of items; b->model and b->ds are set. KN_EINPUT for a rule that names an
 * item which no record holds. To apply rules, neither that nor what is private matters. */
kn_status kn__rules_bind(kn_bound *b, const kn_hierarchies *hierarchies, bool to_apply,
                         kn_error *err);

/** The rules, and behind them `{} => set` for every itemset whose support the model states beside
 * its rules, and for every right side whose support follows from a lift or another measure. Sets of
 * public items only are left out: an attacker can count them himself. Items are borrowed from
 * `rules`; only out->rule is to be freed. */
kn_status kn__rules_with_stated_sets(kn_rules *out, const kn_rules *rules, const uint8_t *hidden,
                                     kn_error *err);

/** The public items of a rule; with `hidden` NULL all are public. */
typedef struct kn_rule_view {
    uint32_t *left, *both;          /* public items of the left side, and of both; ascending */
    size_t left_count, both_count;  /* both point into one block, which `left` owns */
    bool discloses[KN_RULE_STATES]; /* by pattern: whether private items make a difference */
} kn_rule_view;
kn_status kn__rule_view_of(kn_rule_view *out, const kn_rule *rule, const uint8_t *hidden,
                           kn_error *err);
void kn__rule_view_clear(kn_rule_view *v);

/** The records that match the public items of a rule; the lists are used again for the next rule.
 */
typedef struct kn_rule_matches {
    kn_records left_only, both;
    uint8_t rest; /* the pattern of all other records */
} kn_rule_matches;
/** Fill in `*split`, which points into `m`; the caller sets split->rule. */
kn_status kn__rule_match(kn_rule_matches *m, const kn_rule_view *v, const kn_item_index *index,
                         kn_rule_split *split, kn_error *err);
void kn__rule_matches_clear(kn_rule_matches *m);

/** The span model of the rules that `b` is bound to; `b` is borrowed, kn__span_model_clear frees
 * the rest. Of a span with more than 64 classes only the least, the greatest and those that occur
 * are listed: the span engine comes to the same result. O(sum over the rules of the supports of
 * their public left sides and of their whole left sides). */
kn_status kn__rules_span_model(kn_span_model *out, const kn_bound *b, kn_error *err);
/** The state of a class in a rule. */
unsigned kn__rules_state(const kn_span_model *r, uint32_t class_number, size_t rule);

#endif
