/* kanon/guarantee.h - privacy guarantees and their exact checkers.
 *
 * A class is a set of records whose published quasi-identifiers are equal, text for text. A
 * suppressed cell (`*`) equals only another suppressed cell: there are no wildcards, except for
 * missing cells in columns whose rule is KN_MISSING_ANY (docs/missing-values.md). */
#ifndef KANON_GUARANTEE_H
#define KANON_GUARANTEE_H

#include "kanon/dataset.h"
#include "kanon/hierarchy.h"
#include "kanon/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_guarantee_kind {
    KN_K_ANONYMITY,
    KN_L_DIVERSITY,
    KN_T_CLOSENESS,
    KN_KM_ANONYMITY, /**< for item lists: up to m items of a person are held by k records or none */
    /** for tables with an item list, (k,k^m): an attacker who knows the one-valued
     *  quasi-identifiers of a person, and up to m items, finds k */
    KN_K_KM_ANONYMITY,
    /** (k,l^m): the same of the items that are not sensitive, and none of the sensitive ones can be
     *  inferred with a probability above 1/l */
    KN_K_LM_DIVERSITY,
    /** for item lists: at least a share sigma of the l-itemsets that occur, for l = 1..m, has
     *  support k in the release (docs/sampling.md) */
    KN_SIGMA_KM_ANONYMITY,
    /** for tree records: an attacker who knows up to m values of a tree, and up to n of the
     *  ancestor-descendant relations between them, finds k or none (docs/tree-anonymity.md) */
    KN_KMN_ANONYMITY
} kn_guarantee_kind;

/** How many kinds there are. */
#define KN_GUARANTEE_KINDS ((size_t)KN_KMN_ANONYMITY + 1)

#define KN_MOST_M     16 /**< the largest m of k^m-anonymity */
#define KN_MOST_KNOWN 32 /**< the largest m of sigma-k^m-anonymity */

typedef enum kn_diversity { KN_DISTINCT, KN_ENTROPY, KN_RECURSIVE } kn_diversity;

typedef enum kn_distance { KN_EQUAL, KN_ORDERED, KN_HIERARCHICAL } kn_distance;

/** The table whose distribution of sensitive values t-closeness compares classes with: the
 *  published one, without the records that were removed, or the one that it was made of. */
typedef enum kn_reference_table {
    KN_REFERENCE_PUBLISHED,
    KN_REFERENCE_ORIGINAL
} kn_reference_table;

/** k^m-anonymity is counted a second time by plain code: as far as a moment allows, or all. */
typedef enum kn_recount_extent { KN_RECOUNT_BUDGET, KN_RECOUNT_FULL } kn_recount_extent;

/** What the attacker of sigma-k^m-anonymity knows; bits. */
typedef enum kn_attacker {
    KN_ATTACKER_UNIFORM = 1, /**< any l-itemset that occurs, each with equal probability */
    KN_ATTACKER_PERSON = 2   /**< l random items of a random person; all when there are fewer */
} kn_attacker;

#define KN_EXACT_UP_TO 4        /**< sizes 1..4 of sigma-k^m-anonymity are counted by default */
#define KN_SAMPLE_ALL  SIZE_MAX /**< `exact_up_to`: count no size unless its sigma is 1 */

/** One requirement. Several can be asked at once: all must hold. l-diversity and t-closeness
 *  must hold for each sensitive column. */
typedef struct kn_guarantee {
    size_t size; /**< KN_INIT sets it */
    kn_guarantee_kind kind;
    size_t k; /**< k-anonymity: at least k records a class; k^m: at least k hold a combination */
    size_t m; /**< k^m, (k,k^m), (k,l^m): of up to m items, 1..KN_MOST_M */
    size_t n; /**< k^(m,n): of up to n relations, at most m(m-1)/2 */
    double l; /**< l-diversity, (k,l^m)-diversity */
    double c; /**< recursive (c,l)-diversity */
    kn_diversity diversity;
    double t; /**< t-closeness */
    kn_distance distance;
    kn_recount_extent recount; /**< k^m-anonymity; how it is checked, not what is asked */
    /** sigma-k^m: of the itemsets of size l a share sigma[l - 1] must have support k_of_size[l -
     * 1], l = 1..m. 0 repeats the entry before; k_of_size[0] = 0 is `k`, which is the smallest of
     *  them otherwise. sigma is above 0.5 and at most 1; neither grows with the size. */
    double sigma[KN_MOST_KNOWN];
    size_t k_of_size[KN_MOST_KNOWN];
    /** sigma-k^m: sizes 1..exact_up_to, and those with sigma 1, are counted in full; larger ones
     *  are sampled. 0: KN_EXACT_UP_TO. */
    size_t exact_up_to;
    unsigned attackers; /**< sigma-k^m: bits of kn_attacker; 0: both */
    /** sigma-k^m: how probable it may be that samples mislead; 0: (1 - sigma) / 20. */
    double delta;
    /** sigma-k^m: which certificate this is for the same data, 1, 2, ...; attempt i spends
     *  delta / 2^i and draws samples of its own. 0: 1. */
    unsigned attempt;
    kn_reference_table reference; /**< t-closeness */
} kn_guarantee;

/** A class that breaks a guarantee; with k^m-anonymity, a combination of items that does: a rare
 *  one all of whose parts at least k records hold. With (k,k^m) and (k,l^m), a class of fewer than
 *  k records, or such a combination inside a class of at least k; with (k,l^m) also a sensitive
 * item that those who know the class and `items` (none: the class alone) can infer. */
typedef struct kn_violation {
    kn_guarantee_kind kind;
    size_t size;  /**< records in the class (with KN_MISSING_ANY: that may be the person's), or that
                     hold the combination */
    double value; /**< what holds for the class: its k, l (or, recursive, c) or t */
    const char *sensitive; /**< the sensitive column, NULL for k-anonymity and k^m-anonymity */
    size_t record;         /**< its first record, by number in the checked data */
    size_t guarantee;      /**< which guarantee of the call it breaks, by number */
    /** k^m-anonymity: the items, ascending codes of column `column`; in bags an item is repeated as
     *  often as it must be held. kn_dataset_value gives their texts. NULL otherwise. */
    const uint32_t *items;
    size_t items_count, column;
    size_t class_size; /**< (k,k^m), (k,l^m): records of the class. 0 otherwise */
    /** (k,l^m): `held` of the `size` records that hold `items` hold `sensitive_item` too (a code of
     *  `column`), so it can be inferred with a probability of held / size. 0: no such violation. */
    size_t held;
    uint32_t sensitive_item;
    /** k^(m,n): the values and relations in words, "Hospital ~> Flu; Antibiotics"; relations of
     *  which one embedding holds are separated by commas, all else by semicolons. NULL otherwise.
     */
    const char *knowledge;
} kn_violation;

/** What a check of k^m-anonymity, (k,k^m)-anonymity or (k,l^m)-diversity saw. */
typedef struct kn_items_seen {
    size_t column;    /**< the item column */
    size_t empty;     /**< records without items: kept, and nothing can be known of them */
    size_t longest;   /**< the most items of a record: an m above it asks for no more */
    size_t distinct;  /**< different records; 0: not counted */
    size_t sensitive; /**< sensitive items that occur */
    /** Records with an item that stands above sensitive ones: a node of the hierarchy, or `*`. It
     * is taken for the items below that are not sensitive. */
    size_t above;
    uint64_t asked;   /**< support questions asked, */
    uint64_t stopped; /**< and those that were answered before all records were read */
    /** How far a second count went that shares no code with the first, and agreed: by size 1..m of
     *  the largest m asked, one combination in so many, each counted in full; 1: all, 0: none (far
     *  too many). Above KN_RECOUNT_BUDGET they are chosen with entropy of the system. */
    uint64_t recounted[KN_MOST_KNOWN + 1];
    const char *recount; /**< the same in words; NULL if nothing was counted a second time */
    /** Names and prefixes of sensitive items that fit no item: either the item is gone, and nothing
     *  can be inferred of it, or the name is a slip, and the item that was meant is not protected.
     */
    size_t absent;
    const char *unknown; /**< which is the first of them, and the nearest item; NULL: all fit */
    /** Violations and records at risk are lower bounds: itemsets were sampled, or there are too
     * many rare ones to look up the records of each. */
    bool at_least;
} kn_items_seen;

/** How a size of sigma-k^m-anonymity was settled. */
typedef enum kn_certificate_kind {
    KN_CERTIFIED_EXACT,   /**< every itemset was counted */
    KN_CERTIFIED_SAMPLED, /**< an upper bound from samples of the original */
    KN_CERTIFIED_NOTHING, /**< no record has so many items: nothing to protect */
    KN_CERTIFIED_UNKNOWN  /**< samples come from the original, which was not given */
} kn_certificate_kind;

/** What is known of the itemsets of one size: at most a share eps of those that the attacker may
 *  know has support below k, except with a probability of delta. */
typedef struct kn_certificate {
    size_t guarantee; /**< which guarantee of the call, by number */
    size_t size;
    kn_certificate_kind kind;
    bool holds;           /**< (1 - eps)(1 - delta) >= sigma; false where it is not known */
    size_t k;             /**< asked */
    double sigma;         /**< asked */
    kn_attacker attacker; /**< 0 where it makes no difference: exact */
    uint64_t samples;     /**< drawn; 0: none */
    uint64_t failures;    /**< with support below k; exact: itemsets of the release that have it */
    double eps;           /**< 0 or 1 where it was counted */
    double delta;         /**< of all attempts together; 0 where it was counted */
    unsigned attempt;
    uint64_t seed;
} kn_certificate;

typedef struct kn_verdict kn_verdict;

/** Check `ds` against `count` guarantees (all must hold). Classes are formed over the
 *  quasi-identifiers. k^m-anonymity is checked on the one quasi-identifier that holds items; texts
 *  that differ (`[20,30]`, `{a,b}`, `*`) are different items. `hierarchies` (may be NULL) serve the
 * hierarchical distance. The verdict says whether they hold; the status only whether the check
 * could be done: KN_EUSAGE without a guarantee, a quasi-identifier or a sensitive column where one
 * is needed, for list columns where there is one value a record to be and the other way round, and
 * for a distance that does not fit a sensitive column; for (k,k^m) and (k,l^m) also when
 * all items are sensitive, and with missing values that may be
 * anyone's; KN_EINPUT when a published item hides a sensitive one; KN_EBROKEN when two counts of
 * combinations disagree, which is a defect of this library. An empty table satisfies everything.
 * (k,k^m) and (k,l^m) take one item column and one or more quasi-identifiers with one value a
 * record; items that kn_schema_set_sensitive_items names are not known to the attacker.
 *  `*out` keeps nothing of `ds`; free it with kn_verdict_free. Expected O(records x columns);
 *  with missing cells that may be anything, also O(classes x patterns of missing cells). */
kn_status kn_check(kn_verdict **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                   size_t count, const kn_hierarchies *hierarchies, const kn_run *run,
                   kn_error *err);
/** kn_check of a release whose original is at hand: sigma-k^m-anonymity draws itemsets from
 *  `original` (NULL: as kn_check). Every item of the original must have one published form in `ds`,
 *  read from its notation (`{a,b}`, a node of `hierarchies`); the records may come in any order.
 *  t-closeness with KN_REFERENCE_ORIGINAL takes the distribution of the sensitive columns of
 *  `original`, value by value; without it such a guarantee is left open (kn_verdict_unknown).
 *  KN_EINPUT when `ds` is no such release of `original`. */
kn_status kn_check_release(kn_verdict **out, const kn_dataset *ds, const kn_dataset *original,
                           const kn_guarantee *guarantees, size_t count,
                           const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err);
void kn_verdict_free(kn_verdict *v);

bool kn_verdict_holds(const kn_verdict *v);
/** Classes; if k^m-anonymity alone was asked, different records. */
size_t kn_verdict_classes(const kn_verdict *v);
/** The largest k, l (the smallest t) that really holds for guarantee `i` of the call; for
 *  recursive diversity the smallest c, for the given l: any c above it holds. Infinity or 0
 *  where no class limits it. */
double kn_verdict_achieved(const kn_verdict *v, size_t i);
/** k^m, (k,k^m), (k,l^m): the k that holds for combinations of exactly `size` items (1..m),
 * infinity where no record has so many; for the latter two also of 0 items: the smallest class.
 * Other guarantees: as kn_verdict_achieved. */
double kn_verdict_achieved_size(const kn_verdict *v, size_t i, size_t size);
/** The k that holds for a guarantee that has one: of (k,l^m)-diversity, where kn_verdict_achieved
 * is the l, and of the others as kn_verdict_achieved. */
double kn_verdict_achieved_k(const kn_verdict *v, size_t i);
/** sigma-k^m: what is known of each size, and of each attacker where sizes were sampled. */
size_t kn_verdict_certificates(const kn_verdict *v);
const kn_certificate *kn_verdict_certificate(const kn_verdict *v, size_t i);
/** "at most 0.71 % of the 5-itemsets that occur have support below 20 (confidence 99.95 %, 10,000
 *  samples, ...)"; the caller frees it with kn_string_free. */
kn_status kn_certificate_text(char **out, const kn_certificate *c, kn_error *err);
/** "uniform", "person"; "any" for 0. */
const char *kn_attacker_name(kn_attacker attacker);
/** "exact", "sampled", "nothing", "unknown". */
const char *kn_certificate_kind_name(kn_certificate_kind kind);
/** Whether nothing that could be checked is broken, but something could not be checked: it does not
 *  hold, and it is not known that it does not. */
bool kn_verdict_unknown(const kn_verdict *v);
/** What was seen of the items; NULL unless one of these three was asked. */
const kn_items_seen *kn_verdict_items(const kn_verdict *v);
/** Violations: a class, a guarantee and a sensitive column each. The worst first, by the share
 *  of the requirement that is missing (for one guarantee: the smallest k or l, the largest c or
 *  t), then by record; `kn_verdict_violations` counts all, of which the first 1,000 are kept.
 *  Combinations come after classes, the smallest first, then those with the least support, then by
 *  items; the first 1,000 of each guarantee are kept. (k,k^m) and (k,l^m): likewise, the classes
 *  that are too small first; what can be inferred follows, the surest first, then by the number of
 *  items known and by record, and the first 1,000 of that are kept too. */
size_t kn_verdict_violations(const kn_verdict *v);
size_t kn_verdict_violations_kept(const kn_verdict *v);
const kn_violation *kn_verdict_violation(const kn_verdict *v, size_t i);
/** Records in violating classes or with violating combinations, each counted once; a lower bound
 *  where kn_items_seen.at_least says so. */
size_t kn_verdict_records_at_risk(const kn_verdict *v);

/** sigma-k^m: sigma and k for itemsets of `size` items, 1..m; whether that size is counted in
 * full. */
double kn_guarantee_sigma(const kn_guarantee *g, size_t size);
size_t kn_guarantee_k(const kn_guarantee *g, size_t size);
bool kn_guarantee_exact(const kn_guarantee *g, size_t size);
const char *kn_guarantee_name(kn_guarantee_kind kind);

/** What a guarantee is about, and so which columns a table must have for it. */
enum {
    KN_ABOUT_CLASSES = 1,         /**< classes: quasi-identifiers with one value a record */
    KN_ABOUT_VALUES = 2,          /**< sensitive columns with one value a record */
    KN_ABOUT_ITEMS = 4,           /**< one quasi-identifier that holds items */
    KN_ABOUT_SENSITIVE_ITEMS = 8, /**< the sensitive among these items */
    KN_ABOUT_TREES = 16           /**< tree records */
};
/** Whether its check draws from the data that a release was made of (kn_check_release). */
bool kn_guarantee_uses_original(kn_guarantee_kind kind);
/** Whether classes are compared with the original table: t-closeness with KN_REFERENCE_ORIGINAL. */
bool kn_guarantee_compares_original(const kn_guarantee *g);
/** The sum of what it is about; 0 for a number that is no kind. */
unsigned kn_guarantee_about(kn_guarantee_kind kind);
/** The name of the parameter that kn_verdict_achieved is compared with ("k", "l", "c" or "t"), and
 *  what is asked for it. "" and NaN for NULL and for a number that is no kind. */
const char *kn_guarantee_parameter(const kn_guarantee *g);
double kn_guarantee_asked(const kn_guarantee *g);
/** Which variant is asked for: "recursive", "hierarchical"; NULL where there are none. */
const char *kn_guarantee_variant(const kn_guarantee *g);
/** Whether the parameters make sense: k at least 1, m in 1..KN_MOST_M, l at least 1
 *  (recursive: whole), 0 <= t <= 1, c > 0. */
kn_status kn_guarantee_validate(const kn_guarantee *g, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
