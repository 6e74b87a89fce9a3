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
    double (*sizes)[KN_MOST_KNOWN +
                    1]; /* by guarantee: what holds by size; NULL unless items were asked of */
    uint32_t **rooms;   /* two by guarantee: what violations' items point into; or NULL */
    char **words;       /* by guarantee: what violations' knowledge points into; or NULL */
    kn_certificate *certificates;
    size_t certificates_count;
    bool uncertified; /* a certificate does not hold */
    bool undecided;   /* something could not be checked */
    kn_items_seen seen;
    char recount[512];  /* what seen.recount points to */
    char unknown[1024]; /* what seen.unknown points to */
};

/** The one quasi-identifier that holds lists, for `guarantee`. Others with one value a record are
 *  refused unless `table`: left aside silently, they would be known to an attacker and guarded by
 *  nothing. */
kn_status kn__items_column(size_t *out, const kn_dataset *ds, const char *guarantee, bool table,
                           kn_error *err);
/** Room for `more` violations behind those that are kept. */
kn_status kn__verdict_reserve(kn_verdict *v, size_t more, kn_error *err);
/** Make `v` ready for guarantees of items, once. */
kn_status kn__verdict_prepare_items(kn_verdict *v, kn_error *err);

/** A call of the checker, as the guarantees with a check of their own see it. */
typedef struct kn_checking {
    kn_verdict *verdict; /* its guarantees are set; what was found is added to it */
    const kn_dataset *ds;
    const kn_dataset *original; /* what `ds` was made of; NULL: not known */
    const kn_guarantee *guarantees;
    size_t count;
    const kn_hierarchies *hierarchies; /* or NULL */
    const kn_classes *classes;         /* NULL if no guarantee of the call is about classes */
    uint8_t *risky; /* a byte per record, set where it breaks a guarantee; NULL: the check counts
                       verdict->at_risk itself */
    bool twice;     /* KN_EBROKEN unless a second count agrees; otherwise only verdict->achieved is
                       meant to be read */
    bool different; /* count the different records even where nothing else needs them */
    const kn_run *run;
} kn_checking;

/** Count the different records of `ds`, unless the km-anonymity check that made `v` did. */
kn_status kn__km_different(kn_verdict *v, const kn_dataset *ds, const kn_guarantee *guarantees,
                           size_t count, kn_error *err);

/** kn_check of a release of `original`: how many records are different is not counted where nothing
 * else needs it, which would take as long as the rest. */
kn_status kn__check_release(kn_verdict **out, const kn_dataset *ds, const kn_dataset *original,
                            const kn_guarantee *guarantees, size_t count,
                            const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err);

/** What kn_check finds achieved, and no more: for data that are not published. Nothing is counted a
 *  second time, and where an item of one record alone settles km-anonymity the rest is not looked
 *  at: the verdict's violations are then not those of the data. */
kn_status kn__check_once(kn_verdict **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                         size_t count, const kn_hierarchies *hierarchies, const kn_run *run,
                         kn_error *err);

#endif
