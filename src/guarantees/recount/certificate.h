/* guarantees/recount/certificate.h - upper bounds on the failing share, from samples of its own.
 *
 * A method that reaches sigma-k^m-anonymity draws itemsets and counts their supports; a fault in
 * its sampler would blind it. This is a second implementation that shares nothing with it: other
 * random numbers (PCG), another way to draw a record (an alias table over the lengths) and a subset
 * (selection sampling), another count (merging plain lists). Itemsets are drawn from the
 * original, supports are counted in the release; an itemset shrinks where two of its items are
 * published as one. Equal records are merged first, so the same people give the same samples in any
 * order, and whether equal rows were counted before or not. */
#ifndef KN_GUARANTEES_RECOUNT_CERTIFICATE_H
#define KN_GUARANTEES_RECOUNT_CERTIFICATE_H

#include "kanon/guarantee.h"
#include "kanon/run.h"

/** Sets: record i has list[starts[i]..starts[i+1]), strictly ascending codes below `items`. */
typedef struct kn_certify_lists {
    size_t records;
    uint32_t items;
    const uint64_t *starts;
    const uint32_t *list;
    const uint32_t *people; /* by record: the people that it stands for; NULL: one each */
} kn_certify_lists;

typedef struct kn_certifier kn_certifier;

/** Prepare to certify `release`, in which item i of `original` is published as to[i] (UINT32_MAX:
 * it is left out). Nothing is kept of the arguments but their lists, which must outlive it, and a
 * copy of `to`. O(occurrences + records x log records); 4 bytes for each in both, and 28 for each
 * record. */
kn_status kn__certifier_new(kn_certifier **out, const kn_certify_lists *original,
                            const kn_certify_lists *release, const uint32_t *to, kn_error *err);
void kn__certifier_free(kn_certifier *c);
/** Certify another release of the same original from now on. The samples of first attempts stay as
 *  they are: they depend on the original and the seed alone. On failure free the certifier. */
kn_status kn__certifier_replace(kn_certifier *c, const kn_certify_lists *release,
                                const uint32_t *to, kn_error *err);

/** What to certify: itemsets of `size` items (1..KN_MOST_KNOWN) that `attacker` may know. */
typedef struct kn_certify_question {
    size_t size, k;
    kn_attacker attacker;
    double sigma, delta; /* delta: of all attempts together */
    unsigned attempt;    /* from 1: spends delta / 2^attempt, and draws samples of its own */
    uint64_t seed;
    uint64_t samples; /* 0: kn__certify_samples */
} kn_certify_question;

/** How many samples certify sigma with a good chance where about half of what may fail does:
 *  100 / (1 - sigma), at least 1,000 and at most 10 million. */
uint64_t kn__certify_samples(double sigma);

/** Draw and count; kn__certify_any must be true. out->guarantee is left 0. `failing` (may be NULL)
 *  gets a byte for each sample, 1 where it fails; free it with kn__free. Where nearly
 *  all draws would be rejected, the itemsets of the size are listed, once for the certifier, and
 *  drawn from the list; KN_EUSAGE when they are too many for that: such sizes are better counted.
 *  The same for any number of threads. */
kn_status kn__certify(kn_certificate *out, uint8_t **failing, kn_certifier *c,
                      const kn_certify_question *q, const kn_run *run, kn_error *err);

/** The items of the original in sample number `sample`, ascending; `*count` of them, at most
 * q->size. For the few samples that failed, after kn__certify: O(longest) each. */
kn_status kn__certify_sample(size_t *count, uint32_t *items, const kn_certifier *c,
                             const kn_certify_question *q, uint64_t sample, kn_error *err);

/** Whether the certifier has anything to draw for the question. */
bool kn__certify_any(const kn_certifier *c, const kn_certify_question *q);

#endif
