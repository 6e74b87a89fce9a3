/* certificate.c - fresh samples from the original, supports in the release, Clopper and Pearson's
 * bound.
 *
 * Where most draws would be rejected because nearly every itemset is common, and there are not too
 * many itemsets, all that occur are listed instead, and samples are drawn from the list. */
#include "guarantees/recount/certificate.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/recount/record_lists.h"
#include "kanon/sampling.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    GRAIN = 64,           /* samples handed out at a time */
    MOST_DRAWS = 1 << 20, /* for one sample; after that the size is called too common */
    PILOT = 8,            /* samples that are drawn to see how many draws a sample takes */
    MANY_DRAWS = 32,      /* for a sample on average: rather list the itemsets */
    MOST_KEPT = 1 << 23,  /* items of the samples of a size that are kept */
    NONE = -1             /* UINT32_MAX as an item: left out */
};

/* All itemsets of a size that occur in the original. */
typedef struct itemset_list {
    bool tried;      /* `count` 0 then says that drawing is cheaper */
    uint32_t *items; /* `size` for each */
    size_t count, cap;
} itemset_list;

/* The samples of a size for the uniform attacker in a first attempt: what another release of the
 * same original is certified with as well. */
typedef struct kept_samples {
    uint64_t seed, samples; /* samples 0: none are kept */
    uint32_t *items;
} kept_samples;

struct kn_certifier {
    kn_record_lists original, release;
    uint32_t *to;
    itemset_list listed[KN_MOST_KNOWN + 1]; /* by size; made when a size is first asked about */
    kept_samples kept[KN_MOST_KNOWN + 1];   /* by size */
};

/* ---- random numbers: PCG XSH RR 64/32 by O'Neill ---- */

typedef struct pcg {
    uint64_t state, step;
} pcg;

static uint32_t pcg_next(pcg *p)
{
    const uint64_t old = p->state;
    const uint32_t folded = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);

    p->state = old * UINT64_C(6364136223846793005) + p->step;
    return (folded >> turn) | (folded << ((32 - turn) & 31));
}

/* Murmur's finaliser: neighbouring numbers get streams that have nothing in common. */
static uint64_t scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

static pcg pcg_start(const kn_certify_question *q, uint64_t sample)
{
    const uint64_t what = (uint64_t)q->size << 40 ^ (uint64_t)q->attacker << 32 ^ q->attempt;
    pcg p = {.state = scramble(q->seed ^ UINT64_C(0x5eed0fce27f1ca7e)),
             .step = scramble(scramble(what + 1) ^ sample) << 1 | 1};

    p.state += p.step;
    (void)pcg_next(&p);
    p.state += scramble(sample + 1);
    (void)pcg_next(&p);
    return p;
}

/* 0..n-1 by rejection on 64 bits. */
static uint64_t pcg_below(pcg *p, uint64_t n)
{
    uint64_t most, x;

    assert(n > 0);
    most = UINT64_MAX - UINT64_MAX % n;
    do {
        x = (uint64_t)pcg_next(p) << 32;
        x |= pcg_next(p);
    } while (x >= most);
    return x % n;
}

static double pcg_share(pcg *p)
{
    const uint64_t high = pcg_next(p) >> 6, low = pcg_next(p) >> 5;

    return ((double)high * 134217728.0 + (double)low) / 9007199254740992.0;
}

/* ---- drawing ---- */

/* Vose's alias table over lengths. */
typedef struct alias {
    size_t count; /* lengths `least`, least + 1, ... */
    size_t least;
    double *stay;
    uint32_t *other;
} alias;

static void alias_clear(alias *a)
{
    KN_FREE(a->stay, a->other);
}

/* log C(n, size). */
static double log_choose(size_t n, size_t size)
{
    double sum = 0;

    for (size_t i = 1; i <= size; i++) {
        sum += log((double)(n - size + i) / (double)i);
    }
    return sum;
}

static void alias_fill(alias *a, uint32_t *stack)
{
    size_t small = 0, large = a->count;

    for (size_t i = 0; i < a->count; i++) {
        a->other[i] = (uint32_t)i;
        stack[a->stay[i] < 1 ? small++ : --large] = (uint32_t)i;
    }
    while (small > 0 && large < a->count) {
        const uint32_t low = stack[--small], high = stack[large];
        a->other[low] = high;
        a->stay[high] -= 1 - a->stay[low];
        if (a->stay[high] < 1) {
            large++;
            stack[small++] = high;
        }
    }
    while (small > 0) {
        a->stay[stack[--small]] = 1;
    }
    while (large < a->count) {
        a->stay[stack[large++]] = 1;
    }
}

/* A length with weight (records of it) x C(length, size). */
static kn_status alias_init(alias *a, const kn_record_lists *x, size_t size, kn_error *err)
{
    const double most = log_choose(x->longest, size);
    uint32_t *stack = NULL;
    double sum = 0;
    kn_status status;

    a->least = size;
    a->count = x->longest - size + 1;
    a->stay = kn__malloc_array(a->count, sizeof *a->stay);
    a->other = kn__malloc_array(a->count, sizeof *a->other);
    stack = kn__malloc_array(a->count, sizeof *stack);
    KN_TRY(a->stay && a->other && stack ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < a->count; i++) {
        const size_t len = size + i;
        const double records = (double)(x->from_length[len] - x->from_length[len + 1]);
        a->stay[i] = records * exp(log_choose(len, size) - most);
        sum += a->stay[i];
    }
    for (size_t i = 0; i < a->count; i++) {
        a->stay[i] *= (double)a->count / sum;
    }
    alias_fill(a, stack);
done:
    kn__free(stack);
    return status;
}

/* `want` items of the record, ascending: each is taken with the share of those still wanted. */
static void select_items(const kn_record_lists *x, size_t record, size_t want, pcg *p,
                         uint32_t *items)
{
    const kn_certify_lists *l = &x->lists;
    const uint32_t *at = l->list + l->starts[record];

    for (size_t left = kn__record_lists_length(l, record); want > 0; left--, at++) {
        if (pcg_below(p, left) < want) {
            *items++ = *at;
            want--;
        }
    }
}

/* How many draws it took; 0: MOST_DRAWS draws were rejected. */
static int draw_uniform(const kn_certifier *c, const alias *a, size_t size, pcg *p, uint32_t *items)
{
    const kn_record_lists *x = &c->original;

    for (int draw = 1; draw <= MOST_DRAWS; draw++) {
        size_t column = (size_t)pcg_below(p, a->count);
        column = pcg_share(p) < a->stay[column] ? column : a->other[column];
        const size_t len = a->least + column, first = x->from_length[len + 1];
        const size_t same = x->from_length[len] - first;
        const double test = pcg_share(p);
        if (same == 0) {
            continue; /* rounding of a weight of 0 */
        }
        select_items(x, x->record[first + (size_t)pcg_below(p, same)], size, p, items);
        /* Accepted with probability 1 / support; a support of 1 / test or more rejects. */
        const size_t most = test > 1e-9 ? (size_t)(1 / test) + 1 : (size_t)1000000000;
        if (most > 1 && test * (double)kn__record_lists_support(x, items, size, most) < 1) {
            return draw;
        }
    }
    return 0;
}

static size_t draw_person(const kn_certifier *c, size_t size, pcg *p, uint32_t *items)
{
    const kn_record_lists *x = &c->original;
    const uint64_t person = pcg_below(p, x->before[x->from_length[1]]);
    const size_t record = x->record[kn__record_lists_place(x, person)];
    const size_t len = kn__record_lists_length(&x->lists, record), want = len < size ? len : size;

    select_items(x, record, want, p, items);
    return want;
}

/* 0: none was accepted. */
static size_t draw(const kn_certifier *c, const alias *a, const kn_certify_question *q,
                   uint64_t sample, uint32_t *items)
{
    const itemset_list *l = &c->listed[q->size];
    pcg p = pcg_start(q, sample);

    if (q->attacker == KN_ATTACKER_PERSON) {
        return draw_person(c, q->size, &p, items);
    }
    if (l->count) {
        memcpy(items, l->items + (size_t)pcg_below(&p, l->count) * q->size,
               q->size * sizeof *items);
        return q->size;
    }
    return draw_uniform(c, a, q->size, &p, items) ? q->size : 0;
}

/* ---- listing ---- */

static const double most_listed = 1e7; /* itemsets of the items of the original, occurring or not */

typedef struct listing {
    const kn_record_lists *x;
    size_t size;
    itemset_list *out;
    const kn_run *run;
    kn_error *err;
} listing;

/* All itemsets that occur and begin with items[0..len). Where `size` items occur together, so do
 * the first of them, so what does not occur is not gone into. */
static kn_status list_below(listing *l, uint32_t *items, size_t len)
{
    const uint32_t all = l->x->lists.items;

    for (uint32_t next = len ? items[len - 1] + 1 : 0; next < all; next++) {
        items[len] = next;
        if (len == 0) {
            KN_PASS(kn__run_step(l->run, "certificate", 0, l->err));
        }
        if (kn__record_lists_support(l->x, items, len + 1, 1) == 0) {
            continue;
        }
        if (len + 1 < l->size) {
            KN_PASS(list_below(l, items, len + 1));
            continue;
        }
        KN_PASS(kn__grow(&l->out->items, &l->out->cap, (l->out->count + 1) * l->size,
                         sizeof *l->out->items, l->err));
        memcpy(l->out->items + l->out->count++ * l->size, items, l->size * sizeof *items);
    }
    return KN_OK;
}

/* List the itemsets of the size if that is cheaper than to draw them. */
static kn_status list_if_common(kn_certifier *c, const alias *a, const kn_certify_question *q,
                                const kn_run *run, kn_error *err)
{
    listing l = {
        .x = &c->original, .size = q->size, .out = &c->listed[q->size], .run = run, .err = err};
    uint32_t items[KN_MOST_KNOWN];
    double ways = 1;
    int draws = 0;
    kn_status status = KN_OK;

    if (l.out->tried) {
        return KN_OK;
    }
    for (size_t i = 0; i < q->size; i++) {
        ways *= ((double)c->original.lists.items - (double)i) / (double)(i + 1);
    }
    for (uint64_t i = 0; i < PILOT && draws <= PILOT * MANY_DRAWS && ways <= most_listed; i++) {
        pcg p = pcg_start(q, i);
        const int took = draw_uniform(c, a, q->size, &p, items);
        draws += took ? took : MOST_DRAWS;
    }
    if (draws > PILOT * MANY_DRAWS) {
        KN_TRY(list_below(&l, items, 0));
    }
    l.out->tried = true;
done:
    if (status != KN_OK) {
        kn__free(l.out->items);
        *l.out = (itemset_list){0};
    }
    return status;
}

/* ---- certifying ---- */

typedef struct certifying {
    const kn_certifier *c;
    const kn_certify_question *q;
    alias lengths;
    uint32_t *kept; /* the items of the samples; NULL: they are not kept */
    bool known;     /* they are in `kept` already */
    uint8_t *failing;
    atomic_bool rejected;
} certifying;

/* Whether fewer than k people of the release, and not none, hold what the items are published as.
 */
static bool is_rare(const kn_certifier *c, const uint32_t *items, size_t count, size_t k)
{
    uint32_t published[KN_MOST_KNOWN];
    size_t len = 0;
    uint64_t support;

    for (size_t i = 0; i < count; i++) {
        const uint32_t to = c->to[items[i]];
        size_t j = 0;
        while (j < len && published[j] != to) {
            j++;
        }
        if (j == len && to != (uint32_t)NONE) {
            published[len++] = to;
        }
    }
    if (len == 0) {
        return false; /* all of them are left out: nothing can be looked up */
    }
    support = kn__record_lists_people(&c->release, published, len, k);
    return support > 0 && support < k;
}

static void certify_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    certifying *j = user;
    uint32_t items[KN_MOST_KNOWN];

    (void)worker;
    for (size_t i = begin; i < end && !atomic_load(&j->rejected); i++) {
        const size_t size = j->q->size;
        uint32_t *kept = j->kept ? j->kept + i * size : NULL;
        assert(kept || !j->known);
        const size_t len = j->known ? size : draw(j->c, &j->lengths, j->q, i, items);
        if (len == 0) {
            atomic_store(&j->rejected, true);
            return;
        }
        if (kept && !j->known) {
            memcpy(kept, items, size * sizeof *items);
        }
        j->failing[i] = is_rare(j->c, kept ? kept : items, len, j->q->k);
    }
}

/* The samples of the question, drawn before or to be drawn, with what that takes. */
static kn_status prepare_samples(certifying *j, kn_certifier *c, uint64_t samples,
                                 const kn_run *run, kn_error *err)
{
    const kn_certify_question *q = j->q;
    kept_samples *kept = &c->kept[q->size];

    if (q->attacker != KN_ATTACKER_UNIFORM) {
        return KN_OK;
    }
    if (q->attempt == 1 && samples <= MOST_KEPT / q->size) {
        j->known = kept->samples == samples && kept->seed == q->seed;
        if (!j->known) {
            kn__free(kept->items);
            *kept = (kept_samples){
                .items = kn__malloc_array((size_t)samples * q->size, sizeof *kept->items)};
            KN_PASS(kept->items ? KN_OK : kn__nomem(err));
        }
        j->kept = kept->items;
    }
    if (!j->known) {
        KN_PASS(alias_init(&j->lengths, &c->original, q->size, err));
        KN_PASS(list_if_common(c, &j->lengths, q, run, err));
    }
    return KN_OK;
}

uint64_t kn__certify_samples(double sigma)
{
    return (uint64_t)fmin(fmax(ceil(100 / (1 - sigma) - 1e-6), 1000), 1e7);
}

bool kn__certify_any(const kn_certifier *c, const kn_certify_question *q)
{
    const size_t least = q->attacker == KN_ATTACKER_PERSON ? 1 : q->size;

    return least <= c->original.longest && c->original.from_length[least] > 0;
}

static void conclude(kn_certificate *out, const kn_certify_question *q, uint64_t samples,
                     const uint8_t *failing)
{
    *out = (kn_certificate){.kind = KN_CERTIFIED_SAMPLED,
                            .size = q->size,
                            .k = q->k,
                            .sigma = q->sigma,
                            .attacker = q->attacker,
                            .samples = samples,
                            .attempt = q->attempt,
                            .seed = q->seed,
                            .delta = q->delta};
    for (uint64_t i = 0; i < samples; i++) {
        out->failures += failing[i];
    }
    out->eps = kn_failing_share_at_most(samples, out->failures, ldexp(q->delta, -(int)q->attempt));
    out->holds = (1 - out->eps) * (1 - q->delta) >= q->sigma;
}

kn_status kn__certify(kn_certificate *out, uint8_t **failing, kn_certifier *c,
                      const kn_certify_question *q, const kn_run *run, kn_error *err)
{
    const uint64_t samples = q->samples ? q->samples : kn__certify_samples(q->sigma);
    certifying j = {.c = c, .q = q};
    kn_status status;

    if (failing) {
        *failing = NULL;
    }
    atomic_init(&j.rejected, false);
    j.failing = kn__zalloc_array((size_t)samples, sizeof *j.failing);
    KN_TRY(j.failing ? KN_OK : kn__nomem(err));
    KN_TRY(prepare_samples(&j, c, samples, run, err));
    KN_TRY(kn__parallel_steps(run, "certificate", kn__run_threads(run), (size_t)samples, GRAIN,
                              certify_slice, &j, err));
    if (atomic_load(&j.rejected)) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "the %zu-itemsets of the original are so common that hardly any draw is "
                        "accepted, and too many to be listed: have them counted (--exact-up-to "
                        "%zu)",
                        q->size, q->size));
    }
    if (j.kept) {
        c->kept[q->size].samples = samples;
        c->kept[q->size].seed = q->seed;
    }
    conclude(out, q, samples, j.failing);
    if (failing) {
        *failing = j.failing;
        j.failing = NULL;
    }
done:
    alias_clear(&j.lengths);
    kn__free(j.failing);
    return status;
}

kn_status kn__certify_sample(size_t *count, uint32_t *items, const kn_certifier *c,
                             const kn_certify_question *q, uint64_t sample, kn_error *err)
{
    alias lengths = {0};
    kn_status status;

    if (q->attacker == KN_ATTACKER_UNIFORM) {
        KN_TRY(alias_init(&lengths, &c->original, q->size, err));
    }
    *count = draw(c, &lengths, q, sample, items);
    status = KN_OK;
done:
    alias_clear(&lengths);
    return status;
}

kn_status kn__certifier_replace(kn_certifier *c, const kn_certify_lists *release,
                                const uint32_t *to, kn_error *err)
{
    const uint32_t items = c->original.lists.items;

    kn__record_lists_clear(&c->release);
    if (items) {
        memcpy(c->to, to, items * sizeof *to);
    }
    return kn__record_lists_init(&c->release, release, err);
}

kn_status kn__certifier_new(kn_certifier **out, const kn_certify_lists *original,
                            const kn_certify_lists *release, const uint32_t *to, kn_error *err)
{
    kn_certifier *c = kn__zalloc(sizeof *c);
    kn_status status;

    *out = NULL;
    KN_TRY(c ? KN_OK : kn__nomem(err));
    KN_TRY(kn__record_lists_init(&c->original, original, err));
    c->to = kn__malloc_array(original->items, sizeof *c->to);
    KN_TRY(c->to ? KN_OK : kn__nomem(err));
    KN_TRY(kn__certifier_replace(c, release, to, err));
    *out = c;
    c = NULL;
done:
    kn__certifier_free(c);
    return status;
}

void kn__certifier_free(kn_certifier *c)
{
    if (c) {
        kn__record_lists_clear(&c->original);
        kn__record_lists_clear(&c->release);
        kn__free(c->to);
        for (size_t i = 0; i <= KN_MOST_KNOWN; i++) {
            KN_FREE(c->listed[i].items, c->kept[i].items);
        }
        kn__free(c);
    }
}
