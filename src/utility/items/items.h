/* utility/items/items.h - the comparison of an item column in the original and in the release. */
#ifndef KN_UTILITY_ITEMS_ITEMS_H
#define KN_UTILITY_ITEMS_ITEMS_H

#include "base/threads.h"
#include "hierarchy/domain.h"
#include "utility/utility.h"

/* The values that a published item covers, if they are one run in the order of the domain:
 * order[from] - low < len. Otherwise ask the published item itself. */
typedef struct kn__items_run {
    uint32_t low, len;
    bool known;
} kn__items_run;

typedef struct kn__items_sums {
    double ncp, loss;
    uint64_t changed, left_out;
} kn__items_sums;

typedef struct kn__items_worker {
    uint8_t *taken;  /* by published item of a record */
    uint32_t *pairs; /* bags with labels that may be meant two ways: five by item, for pair_up */
    uint32_t *held;  /* where x->narrowest is: by code of the release, 0 between two records */
} kn__items_worker;

struct kn_items {
    const kn_dataset *original, *release;
    unsigned threads;
    const kn_column *from, *to;
    const uint32_t *origin;
    uint32_t *found; /* what origin points to where records were matched */
    kn_domain *domain;
    kn_published *published; /* by code of the release */
    kn__items_run *run;      /* the same */
    uint32_t *narrowest; /* by code of the original: the narrowest published item that covers it, or
                            KN_NO_CODE. NULL: which one that is may depend on the record */
    uint32_t *wider;     /* by code of the release: the next wider one that covers the same */
    bool bags;
    bool known; /* what is left out is; otherwise it is found out where need be */
    const uint8_t
        *left_out;         /* by code of the original: it is published nowhere; NULL: none is so */
    uint8_t *guess;        /* what left_out points to where it was found out here */
    size_t most;           /* items that a record of the release has */
    kn__items_sums *slice; /* by slice of GRAIN records: sums do not depend on the threads */
    kn_first_error error;  /* of the first record that does not match */
    kn__items_worker *worker;
};

/** Item number `at` of a column of lists. */
static inline uint32_t kn__items_code(const kn_column *c, uint64_t at)
{
    return kn__code_get(c->codes, c->width, (size_t)at);
}
/** Where the items of `record` end; a missing value is none. */
static inline uint64_t kn__items_end(const kn_column *c, size_t record)
{
    uint64_t end = c->starts[record + 1];

    while (c->missing != KN_NO_CODE && end > c->starts[record] &&
           kn__items_code(c, end - 1) == c->missing) {
        end--;
    }
    return end;
}

/** Whether the published item `to` may stand for `from`. */
static inline bool kn__items_covers(const kn_items *x, uint32_t to, uint32_t from)
{
    const kn__items_run *s = &x->run[to];

    return s->known ? x->domain->order[from] - s->low < s->len
                    : kn__published_covers(&x->published[to], x->domain, from, NULL);
}

/** Fill in x->narrowest and x->wider, if published items are disjoint or one within the other, and
 * none is as wide as another that covers the same. O(published log published + values x depth). */
kn_status kn__items_find_narrowest(kn_items *x, kn_error *err);

/** Whether a record of the release can be one of the original; what that costs is added to `s`,
 * which may be NULL. */
bool kn__items_match(const kn_items *x, const kn__items_worker *w, size_t original, size_t release,
                     kn__items_sums *s);

#endif
