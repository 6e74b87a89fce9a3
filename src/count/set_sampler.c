/* set_sampler.c - uniform samples by rejection and by a Markov chain, and the person's.
 *
 * Every sample has a generator of its own, seeded by (seed, kind and size, stream, index): results
 * do not depend on who draws. Subsets are drawn by Floyd's algorithm, O(size^2) for sizes of at
 * most KN_MOST_KNOWN. */
#include "count/set_sampler.h"
#include "count/set_sampler_inside.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

enum {
    PILOT = 2000,         /* draws that estimate the acceptance */
    CHAIN_FIRST = 100,    /* steps of a chain before the first test of convergence, */
    CHAIN_DOUBLINGS = 13, /* and how often they are doubled at most */
    STEPS_PER_DRAW = 64,  /* a draw costs about as much as so many pairs of a listing */
    LISTED_MOST = 1 << 22 /* itemsets that are listed at most */
};

struct kn_set_sampler {
    const kn_set_source *source;
    kn_sampler_kind kind;
    size_t size;
    uint64_t seed;   /* mixed with kind and size */
    size_t eligible; /* records that are long enough: 0..eligible */
    /* EXACT, by length from the longest down to `size`: the share of pairs in records of this
     * length or longer. Weights are divided by the sum, so only shares are kept. */
    double *upto;
    size_t lengths;
    uint32_t *listed; /* EXACT: all itemsets, `size` items each; NULL: they are drawn */
    size_t listed_count;
};

/* ---- subsets and records ---- */

static void insert_sorted(uint32_t *items, size_t len, uint32_t item)
{
    while (len > 0 && items[len - 1] > item) {
        items[len] = items[len - 1];
        len--;
    }
    items[len] = item;
}

/* A uniform subset of `size` of the record's items, ascending: Floyd's algorithm on places. */
static void draw_subset(const kn_set_source *source, size_t record, size_t size, kn_rng *rng,
                        uint32_t *items)
{
    size_t len;
    const uint32_t *all = kn__baskets_record(source->records, record, &len);

    for (size_t i = 0; i < size; i++) {
        const uint32_t last = (uint32_t)(len - size + i);
        uint32_t place = (uint32_t)kn__rng_below(rng, (uint64_t)last + 1);
        for (size_t j = 0; j < i; j++) {
            if (items[j] == place) {
                place = last;
                break;
            }
        }
        insert_sorted(items, i, place);
    }
    for (size_t i = 0; i < size; i++) {
        items[i] = all[items[i]];
    }
}

/* A record with weight C(length, size): first the length, then one of that length. */
static size_t draw_by_pairs(const kn_set_sampler *s, kn_rng *rng)
{
    const double at = kn__rng_double(rng);
    size_t low = 0, high = s->lengths - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->upto[middle] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    const size_t len = s->source->longest - low, first = s->source->begin[len];
    return first + (size_t)kn__rng_below(rng, s->source->begin[len - 1] - first);
}

/* A random person's record, among those that are long enough. */
static size_t draw_person(const kn_set_sampler *s, kn_rng *rng)
{
    const uint64_t *people = s->source->people;
    const uint64_t at = kn__rng_below(rng, people[s->eligible]);
    size_t low = 0, high = s->eligible - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (people[middle + 1] > at) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* ---- exact ---- */

static bool draw_once(const kn_set_sampler *s, kn_rng *rng, uint32_t *items)
{
    const double u = kn__rng_double(rng);
    /* Accepted when u < 1 / support: a support of 1 / u or more rejects. */
    const size_t most = u > 1e-12 ? (size_t)ceil(1 / u) : SIZE_MAX;

    draw_subset(s->source, draw_by_pairs(s, rng), s->size, rng, items);
    return most > 1 &&
           u * (double)kn__postings_support(s->source->postings, items, s->size, NULL, most, NULL) <
               1;
}

static void draw_exact(const kn_set_sampler *s, kn_rng *rng, kn_set_sample *out)
{
    out->draws = 1;
    if (s->listed) {
        const size_t which = (size_t)kn__rng_below(rng, s->listed_count);
        memcpy(out->items, s->listed + which * s->size, s->size * sizeof *out->items);
        return;
    }
    while (!draw_once(s, rng, out->items)) {
        out->draws++;
    }
}

/* ---- the chain ---- */

/* A state with the number of people who hold it and, up to a factor, the probability that it is
 * proposed: q of Algorithm 1. */
typedef struct chain_state {
    uint32_t items[KN_MOST_KNOWN];
    double people, proposed;
} chain_state;

typedef struct holders {
    const kn_set_sampler *sampler;
    chain_state *state;
} holders;

static void add_holder(void *user, uint32_t record)
{
    const holders *h = user;
    const kn_set_source *source = h->sampler->source;
    const uint64_t *starts = source->records->starts;
    const double length = (double)(starts[record + 1] - starts[record]);

    h->state->people += source->weight[record];
    h->state->proposed += source->weight[record] / kn__choose(length, h->sampler->size);
}

static void propose(const kn_set_sampler *s, kn_rng *rng, chain_state *state)
{
    holders h = {s, state};

    draw_subset(s->source, draw_person(s, rng), s->size, rng, state->items);
    state->people = state->proposed = 0;
    kn__postings_each(s->source->postings, state->items, s->size, add_holder, &h);
}

/* The number of people who hold the state, summed over the first `steps` steps. */
typedef struct chain_sums {
    size_t steps;
    double sum, square;
} chain_sums;

static double mean_of(const chain_sums *begin, const chain_sums *end, double *variance)
{
    const double n = (double)(end->steps - begin->steps), mean = (end->sum - begin->sum) / n;

    *variance = fmax((end->square - begin->square) / n - mean * mean, 0);
    return mean;
}

/* Geweke's test as the appendix states it: z of the first tenth against the last half, in
 * [-1, 1]. */
static bool converged(const chain_sums *tenth, const chain_sums *half, const chain_sums *all)
{
    const chain_sums none = {0};
    double va, vb;
    const double a = mean_of(&none, tenth, &va), b = mean_of(half, all, &vb);

    return fabs(a - b) <= sqrt(va + vb) + 1e-9 * fabs(a);
}

/* The test is made after CHAIN_FIRST steps and whenever their number has doubled, so only the sums
 * after a tenth and a half of these numbers are kept. */
static void draw_chain(const kn_set_sampler *s, kn_rng *rng, kn_set_sample *out)
{
    chain_sums all = {0}, tenth[CHAIN_DOUBLINGS + 1], half = {0};
    chain_state state, candidate;
    size_t round = 0, tenths = 0;

    propose(s, rng, &state);
    for (;;) {
        propose(s, rng, &candidate);
        if (kn__rng_double(rng) * candidate.proposed < state.proposed) {
            state = candidate;
        }
        all.steps++;
        all.sum += state.people;
        all.square += state.people * state.people;
        if (tenths <= CHAIN_DOUBLINGS && all.steps == (size_t)CHAIN_FIRST / 10 << tenths) {
            tenth[tenths++] = all;
        }
        if (all.steps == (size_t)CHAIN_FIRST / 2 << round) {
            half = all;
        }
        if (all.steps == (size_t)CHAIN_FIRST << round) {
            if (round == CHAIN_DOUBLINGS || converged(&tenth[round], &half, &all)) {
                break;
            }
            half = all; /* half of the next number of steps */
            round++;
        }
    }
    memcpy(out->items, state.items, s->size * sizeof *out->items);
    out->draws = all.steps;
}

/* ---- any kind ---- */

static void seed_sample(const kn_set_sampler *s, uint64_t stream, uint64_t index, kn_rng *rng)
{
    kn__rng_seed(rng, s->seed, stream);
    kn__rng_seed(rng, kn__rng_next(rng), index);
}

void kn__set_sampler_draw(const kn_set_sampler *s, uint64_t stream, uint64_t index,
                          kn_set_sample *out)
{
    kn_rng rng;
    size_t record;

    seed_sample(s, stream, index, &rng);
    out->len = s->size;
    switch (s->kind) {
    case KN_SAMPLER_EXACT: draw_exact(s, &rng, out); break;
    case KN_SAMPLER_CHAIN: draw_chain(s, &rng, out); break;
    case KN_SAMPLER_PERSON:
    case KN_SAMPLER_NAIVE: {
        const uint64_t *starts = s->source->records->starts;
        record = draw_person(s, &rng);
        out->len = (size_t)(starts[record + 1] - starts[record]);
        out->len = out->len < s->size ? out->len : s->size;
        out->draws = 1;
        draw_subset(s->source, record, out->len, &rng, out->items);
        break;
    }
    }
}

/* ---- making one ---- */

/* Shares of the pairs by length, from the longest down. Weights are summed relative to that of the
 * longest record, so they are finite for any length. */
static kn_status share_lengths(kn_set_sampler *s, kn_error *err)
{
    const kn_set_source *source = s->source;
    const double most = kn__choose((double)source->longest, s->size);
    double sum = 0;

    s->lengths = source->longest - s->size + 1;
    s->upto = kn__malloc_array(s->lengths, sizeof *s->upto);
    KN_PASS(s->upto ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < s->lengths; i++) {
        const size_t len = source->longest - i;
        const double records = (double)(source->begin[len - 1] - source->begin[len]);
        sum += records * (kn__choose((double)len, s->size) / most);
        s->upto[i] = sum;
    }
    for (size_t i = 0; i < s->lengths; i++) {
        s->upto[i] /= sum;
    }
    return KN_OK;
}

/* List all itemsets where that is cheaper than drawing `samples`: a pilot sample
 * estimates the share of accepted draws, and with it the number of itemsets. */
static kn_status list_or_draw(kn_set_sampler *s, uint64_t samples, const kn_run *run, kn_error *err)
{
    const double pairs = kn__set_source_pairs(s->source, s->size);
    uint32_t items[KN_MOST_KNOWN];
    size_t accepted = 0;
    kn_rng rng;

    if (samples == 0) {
        return KN_OK;
    }
    seed_sample(s, UINT64_MAX, 0, &rng);
    for (size_t i = 0; i < PILOT; i++) {
        accepted += draw_once(s, &rng, items);
    }
    const double draws = (double)samples * PILOT / ((double)accepted + 0.5);
    const double distinct = pairs * (double)accepted / PILOT;
    if (pairs < draws * STEPS_PER_DRAW && distinct < LISTED_MOST) {
        return kn__set_enumerate(&s->listed, &s->listed_count, s->source, s->size, LISTED_MOST, run,
                                 err);
    }
    return KN_OK;
}

kn_status kn__set_sampler_new(kn_set_sampler **out, const kn_set_source *source,
                              kn_sampler_kind kind, size_t size, uint64_t seed, uint64_t samples,
                              const kn_run *run, kn_error *err)
{
    kn_set_sampler *s = NULL;
    kn_rng mix;
    kn_status status;

    *out = NULL;
    if (size < 1 || size > KN_MOST_KNOWN) {
        return kn__fail(err, KN_EUSAGE, "itemsets of 1 to %d items can be drawn, not of %zu",
                        KN_MOST_KNOWN, size);
    }
    KN_TRY((s = kn__zalloc(sizeof *s)) ? KN_OK : kn__nomem(err));
    kn__rng_seed(&mix, seed, (uint64_t)kind * (KN_MOST_KNOWN + 1) + size);
    *s = (kn_set_sampler){.source = source, .kind = kind, .size = size, .seed = kn__rng_next(&mix)};
    const size_t least = kind == KN_SAMPLER_PERSON ? 1 : size;
    s->eligible = least <= source->longest ? source->begin[least - 1] : 0;
    if (kind == KN_SAMPLER_EXACT && s->eligible) {
        KN_TRY(share_lengths(s, err));
        KN_TRY(list_or_draw(s, samples, run, err));
    }
    *out = s;
    s = NULL;
done:
    kn__set_sampler_free(s);
    return status;
}

void kn__set_sampler_free(kn_set_sampler *s)
{
    if (s) {
        KN_FREE(s->upto, s->listed, s);
    }
}

bool kn__set_sampler_empty(const kn_set_sampler *s)
{
    return s->eligible == 0;
}

size_t kn__set_sampler_listed(const kn_set_sampler *s)
{
    return s->listed_count;
}

const uint32_t *kn__set_sampler_itemset(const kn_set_sampler *s, size_t i)
{
    return s->listed + i * s->size;
}
