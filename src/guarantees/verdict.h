/* guarantees/verdict.h - the inside of a verdict, and the list of its worst violations. */
#ifndef KN_GUARANTEES_VERDICT_H
#define KN_GUARANTEES_VERDICT_H

#include "count/classes.h"
#include "kanon/guarantee.h"
#include <stdint.h>

enum { KN_WORST = 1000 }; /* violations kept */

typedef struct kn_break {
    double badness; /* kn__formula_badness */
    double value;
    uint64_t size;
    uint32_t record;    /* the class's first */
    uint32_t guarantee; /* by number in the call */
    uint32_t sensitive; /* by number among the sensitive columns, or a sensitive item; 0 for k */
    uint32_t held;      /* with a sensitive item: records that hold it */
    uint32_t items_count;
    uint32_t items[KN_MOST_M]; /* what is known besides the class */
} kn_break;

/** The worst KN_WORST of the breaks offered, whatever their order: a heap with the least bad on
 *  top. */
typedef struct kn_worst {
    kn_break *breaks; /* KN_WORST of them */
    size_t len;
} kn_worst;

kn_status kn__worst_init(kn_worst *w, kn_error *err);
void kn__worst_clear(kn_worst *w);
void kn__worst_offer(kn_worst *w, const kn_break *b);
/** Put the worst first; no offers afterwards. */
void kn__worst_sort(kn_worst *w);

struct kn_verdict {
    size_t classes, guarantees;
    double *achieved; /* by guarantee */
    size_t violations, kept, at_risk;
    kn_violation *violation;
    char **sensitive; /* the names that violations point to */
    size_t sensitives;
    double (*sizes)[KN_MOST_M +
                    1]; /* by guarantee: what holds by size; NULL unless items were asked of */
    uint32_t **rooms;   /* two by guarantee: what violations' items point into; or NULL */
    kn_items_seen seen;
    char recount[512];  /* what seen.recount points to */
    char unknown[1024]; /* what seen.unknown points to */
};

/** The one quasi-identifier that holds lists, for `guarantee`. Others with one value a record are
 *  refused unless `table`: left aside silently, they would be known to an attacker and guarded by
 *  nothing. */
kn_status kn__items_column(size_t *out, const kn_dataset *ds, const char *guarantee, bool table,
                           kn_error *err);
/** Make `v` ready for guarantees of items, once. */
kn_status kn__verdict_prepare_items(kn_verdict *v, kn_error *err);

/** Check the km-anonymity guarantees among `guarantees` and add what was found to `v`, whose
 *  guarantees are set. risky[i] (a byte a record, or NULL) is set where record i holds a violating
 *  combination; without it v->at_risk counts those records. `twice`: KN_EBROKEN unless a second
 *  count agrees; otherwise only v->achieved is meant to be read. `different`: count the different
 *  records even where nothing else needs them. */
kn_status kn__km_check(kn_verdict *v, const kn_dataset *ds, const kn_guarantee *guarantees,
                       size_t count, uint8_t *risky, bool twice, bool different, const kn_run *run,
                       kn_error *err);

/** Count the different records of `ds`, unless the km-anonymity check that made `v` did. */
kn_status kn__km_different(kn_verdict *v, const kn_dataset *ds, const kn_guarantee *guarantees,
                           size_t count, kn_error *err);

/** kn_check of a release: how many records are different is not counted where nothing else needs
 * it, which would take as long as the rest. */
kn_status kn__check_release(kn_verdict **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                            size_t count, const kn_hierarchies *hierarchies, const kn_run *run,
                            kn_error *err);

/** What kn_check finds achieved, and no more: for data that are not published. Nothing is counted a
 *  second time, and where an item of one record alone settles km-anonymity the rest is not looked
 *  at: the verdict's violations are then not those of the data. */
kn_status kn__check_once(kn_verdict **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                         size_t count, const kn_hierarchies *hierarchies, const kn_run *run,
                         kn_error *err);

/** Likewise for (k,k^m)-anonymity and (k,l^m)-diversity, over the classes that were formed.
 * risky[i] is set where record i is in a class that is too small, holds a rare combination of it,
 * or one that a sensitive item can be inferred from. `twice` as above. */
kn_status kn__rt_check(kn_verdict *v, const kn_dataset *ds, const kn_guarantee *guarantees,
                       size_t count, const kn_classes *classes, const kn_hierarchies *hierarchies,
                       uint8_t *risky, bool twice, const kn_run *run, kn_error *err);

#endif
