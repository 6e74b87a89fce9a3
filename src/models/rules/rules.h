/* models/rules/rules.h - what a list of association rules tells.
 *
 * By section 4.3 of the models paper a record is, for every rule, in one of three states: it does
 * not hold all of the left side (0), it holds the left side but not all of the right one (1), or it
 * holds both (2). An equivalence class is a state for every rule.
 *
 * An attacker sees the public items of a person, A, and takes every set of private items, B, for
 * possible. Say that A's pattern in a rule is 0 if it lacks a public item of the left side, 1 if it
 * has those but lacks a public one of the right side, and 2 otherwise: the state that the record
 * would be in if it held every private item. Then two people have the same span exactly when they
 * have the same pattern in every rule:
 *  - The state of A + B in a rule follows from A's pattern in it and from B, so equal patterns
 * allow equal states.
 *  - No B gives a state above the pattern, and holding every private item gives just the pattern.
 * So the pattern is the greatest class of the span, rule by rule, and different patterns are
 * greatest classes of different spans. Patterns are found by refining a partition of the records
 * rule by rule (models/rules/item_index.h): spans are never compared as sets, and their classes, of
 * which there may be 2 to the number of private items, need not be listed to be judged.
 *
 * A rule lets private items make a difference at pattern 1 if there are some on its left side, and
 * at pattern 2 if there are some on either. A span has more than one class, and tells something,
 * exactly when some rule does. Rules without private items tell nothing by themselves, but they
 * part people: with them other rules tell of smaller groups. */
#ifndef KN_MODELS_RULES_RULES_H
#define KN_MODELS_RULES_RULES_H

#include "models/bind.h"
#include "models/rules/item_index.h"
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

enum { KN_RULE_STATES = 3 };

/** The rules, and behind them what is told beside them: `{} => set` for every set of items whose
 * support is stated, and for every right side whose support follows from a lift or another measure.
 * Sets of public items only are left out: whoever can attack has counted them himself. Items are
 * borrowed from `rules`; only out->rule is to be freed. */
kn_status kn__rules_with_told(kn_rules *out, const kn_rules *rules, const uint8_t *hidden,
                              kn_error *err);

/** What part of a rule an attacker sees, or, with `hidden` NULL, the whole of it. */
typedef struct kn_rule_view {
    uint32_t *left, *both;         /* public items of the left side, and of both; ascending */
    size_t left_count, both_count; /* both point into one block, which `left` owns */
    bool tells[KN_RULE_STATES];    /* by pattern: whether private items make a difference */
} kn_rule_view;
kn_status kn__rule_view_of(kn_rule_view *out, const kn_rule *rule, const uint8_t *hidden,
                           kn_error *err);
void kn__rule_view_clear(kn_rule_view *v);

/** Whom a rule moves: lists that are used again for the next one. */
typedef struct kn_rule_hits {
    kn_records one, two;
    uint8_t rest; /* the pattern of all others */
} kn_rule_hits;
/** Fill in `*split`, which points into `hits`; its `rule` is the caller's to set. */
kn_status kn__rule_find_hits(kn_rule_hits *hits, const kn_rule_view *v, const kn_item_index *h,
                             kn_split *split, kn_error *err);
void kn__rule_hits_clear(kn_rule_hits *hits);

/** The classes and spans of the rules that `b` is bound to. kn__span_model_clear frees what it
 * holds. `b` is borrowed. Of a span with more than 64 classes those are listed that occur, the
 * least and the greatest: what the engine does with them comes to the same. O(holders of the rules'
 * public left sides, and of their whole left sides). */
kn_status kn__rules_span_model(kn_span_model *out, const kn_bound *b, kn_error *err);
/** The state of a class in a rule. */
unsigned kn__rules_state(const kn_span_model *r, uint32_t class_number, size_t rule);

#endif
