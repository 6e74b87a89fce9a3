/* certificate.c - fresh samples from the original, supports in the release, Clopper and Pearson's
 * bound.
 *
 * Records are numbered anew by falling length, so those that are long enough come first and every
 * list of records can be cut where they end. Lists are plain arrays: the two shortest are merged,
 * and what they have in common is looked for in the others, by steps that double. */
#include "guarantees/recount/certificate.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kanon/sampling.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    UNEVEN = 8,           /* a list so many times longer is searched, not merged */
    GRAIN = 64,           /* samples handed out at a time */
    MOST_DRAWS = 1 << 20, /* for one sample; after that the size is called too common */
    NONE = -1             /* UINT32_MAX as an item: left out */
};

/* Records by falling length, and for each item the records that hold it. */
typedef struct item_index {
    kn_certify_lists lists;
    size_t longest;
    size_t *from_length; /* by length, and one more: records that are at least so long */
    uint32_t *record;    /* by place in the order: the record */
    uint64_t *begin;     /* by item, and one more */
    uint32_t *places;    /* ascending within an item */
} item_index;

struct kn_certifier {
    item_index original, release;
    uint32_t *to;
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
    const uint64_t most = UINT64_MAX - UINT64_MAX % n;
    uint64_t x;

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

/* ---- the lists ---- */

static size_t length_of(const kn_certify_lists *l, size_t record)
{
    return (size_t)(l->starts[record + 1] - l->starts[record]);
}

static kn_status order_records(item_index *x, kn_error *err)
{
    const kn_certify_lists *l = &x->lists;
    size_t *next = NULL;

    for (size_t i = 0; i < l->records; i++) {
        const size_t len = length_of(l, i);
        x->longest = len > x->longest ? len : x->longest;
    }
    x->from_length = kn__zalloc_array(x->longest + 2, sizeof *x->from_length);
    next = kn__malloc_array(x->longest + 2, sizeof *next);
    x->record = kn__malloc_array(l->records, sizeof *x->record);
    if (!x->from_length || !next || !x->record) {
        kn__free(next);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < l->records; i++) {
        x->from_length[length_of(l, i)]++;
    }
    for (size_t len = x->longest; len-- > 0;) {
        x->from_length[len] += x->from_length[len + 1];
    }
    memcpy(next, x->from_length, (x->longest + 2) * sizeof *next);
    for (size_t i = 0; i < l->records; i++) {
        x->record[next[length_of(l, i) + 1]++] = (uint32_t)i;
    }
    kn__free(next);
    return KN_OK;
}

static kn_status index_items(item_index *x, kn_error *err)
{
    const kn_certify_lists *l = &x->lists;

    x->begin = kn__zalloc_array((size_t)l->items + 2, sizeof *x->begin);
    x->places = kn__malloc_array((size_t)l->starts[l->records], sizeof *x->places);
    if (!x->begin || !x->places) {
        return kn__nomem(err);
    }
    for (uint64_t at = 0; at < l->starts[l->records]; at++) {
        x->begin[l->list[at] + 2]++;
    }
    for (size_t i = 2; i < (size_t)l->items + 2; i++) {
        x->begin[i] += x->begin[i - 1];
    }
    for (size_t place = 0; place < l->records; place++) {
        const size_t record = x->record[place];
        for (uint64_t at = l->starts[record]; at < l->starts[record + 1]; at++) {
            x->places[x->begin[l->list[at] + 1]++] = (uint32_t)place;
        }
    }
    return KN_OK;
}

static kn_status index_init(item_index *x, const kn_certify_lists *lists, kn_error *err)
{
    kn_status status;

    x->lists = *lists;
    KN_TRY(lists->records < UINT32_MAX
               ? KN_OK
               : kn__fail(err, KN_EINPUT, "%zu records: at most 4294967294 can be certified",
                          lists->records));
    KN_TRY(order_records(x, err));
    KN_TRY(index_items(x, err));
done:
    return status;
}

static void index_clear(item_index *x)
{
    kn__free(x->from_length);
    kn__free(x->record);
    kn__free(x->begin);
    kn__free(x->places);
}

/* How many of the places in list[*at..len) are below `place`, from `*at` on. */
static void advance(const uint32_t *list, size_t len, size_t *at, uint32_t place)
{
    size_t step = 1, low = *at;

    if (low >= len || list[low] >= place) {
        return;
    }
    while (low + step < len && list[low + step] < place) {
        low += step;
        step += step;
    }
    for (size_t high = low + step < len ? low + step : len; high - low > 1;) {
        const size_t middle = (low + high) / 2;
        *(list[middle] < place ? &low : &high) = middle;
    }
    *at = low + 1;
}

/* The lists of the items, the shortest first, cut where records get too short. */
typedef struct holding {
    size_t count;
    const uint32_t *list[KN_MOST_KNOWN];
    size_t len[KN_MOST_KNOWN], at[KN_MOST_KNOWN];
} holding;

static void hold(holding *h, const item_index *x, const uint32_t *items, size_t count)
{
    const uint32_t end = count <= x->longest ? (uint32_t)x->from_length[count] : 0;

    h->count = count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *list = x->places + x->begin[items[i]];
        size_t len = 0, place = i;
        advance(list, (size_t)(x->begin[items[i] + 1] - x->begin[items[i]]), &len, end);
        for (; place > 0 && h->len[place - 1] > len; place--) {
            h->list[place] = h->list[place - 1];
            h->len[place] = h->len[place - 1];
        }
        h->list[place] = list;
        h->len[place] = len;
        h->at[i] = 0;
    }
}

/* Whether the lists from the third on hold `place` too. */
static bool others_hold(holding *h, uint32_t place)
{
    for (size_t i = 2; i < h->count; i++) {
        advance(h->list[i], h->len[i], &h->at[i], place);
        if (h->at[i] == h->len[i] || h->list[i][h->at[i]] != place) {
            return false;
        }
    }
    return true;
}

/* Records that hold all `count` items (at least 1), counted to `most`. */
static size_t support_of(const item_index *x, const uint32_t *items, size_t count, size_t most)
{
    holding h;
    size_t found = 0, a = 0, b = 0;

    hold(&h, x, items, count);
    if (count == 1) {
        return h.len[0] < most ? h.len[0] : most;
    }
    const uint32_t *first = h.list[0], *second = h.list[1];
    const size_t far = h.len[1] / UNEVEN;
    while (found < most && a < h.len[0] && b < h.len[1]) {
        if (far > h.len[0]) {
            advance(second, h.len[1], &b, first[a]);
            if (b == h.len[1]) {
                break;
            }
        }
        const uint32_t one = first[a], two = second[b];
        found += one == two && others_hold(&h, one);
        a += one <= two;
        b += two <= one;
    }
    return found;
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
    kn__free(a->stay);
    kn__free(a->other);
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
static kn_status alias_init(alias *a, const item_index *x, size_t size, kn_error *err)
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
static void select_items(const item_index *x, size_t record, size_t want, pcg *p, uint32_t *items)
{
    const kn_certify_lists *l = &x->lists;
    const uint32_t *at = l->list + l->starts[record];

    for (size_t left = length_of(l, record); want > 0; left--, at++) {
        if (pcg_below(p, left) < want) {
            *items++ = *at;
            want--;
        }
    }
}

/* False: MOST_DRAWS draws were rejected. */
static bool draw_uniform(const kn_certifier *c, const alias *a, size_t size, pcg *p,
                         uint32_t *items)
{
    const item_index *x = &c->original;

    for (int draw = 0; draw < MOST_DRAWS; draw++) {
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
        if (most > 1 && test * (double)support_of(x, items, size, most) < 1) {
            return true;
        }
    }
    return false;
}

static size_t draw_person(const kn_certifier *c, size_t size, pcg *p, uint32_t *items)
{
    const item_index *x = &c->original;
    const size_t record = x->record[pcg_below(p, x->from_length[1])];
    const size_t len = length_of(&x->lists, record), want = len < size ? len : size;

    select_items(x, record, want, p, items);
    return want;
}

/* 0: none was accepted. */
static size_t draw(const kn_certifier *c, const alias *a, const kn_certify_question *q,
                   uint64_t sample, uint32_t *items)
{
    pcg p = pcg_start(q, sample);

    if (q->attacker == KN_ATTACKER_PERSON) {
        return draw_person(c, q->size, &p, items);
    }
    return draw_uniform(c, a, q->size, &p, items) ? q->size : 0;
}

/* ---- certifying ---- */

typedef struct certifying {
    const kn_certifier *c;
    const kn_certify_question *q;
    alias lengths;
    uint8_t *failing;
    atomic_bool rejected;
} certifying;

/* Whether fewer than k people of the release, and not none, hold what the items are published as.
 */
static bool is_rare(const kn_certifier *c, const uint32_t *items, size_t count, size_t k)
{
    uint32_t published[KN_MOST_KNOWN];
    size_t len = 0, support;

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
    support = support_of(&c->release, published, len, k);
    return support > 0 && support < k;
}

static void certify_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    certifying *j = user;
    uint32_t items[KN_MOST_KNOWN];

    (void)worker;
    for (size_t i = begin; i < end && !atomic_load(&j->rejected); i++) {
        const size_t len = draw(j->c, &j->lengths, j->q, i, items);
        if (len == 0) {
            atomic_store(&j->rejected, true);
            return;
        }
        j->failing[i] = is_rare(j->c, items, len, j->q->k);
    }
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

kn_status kn__certify(kn_certificate *out, uint8_t **failing, const kn_certifier *c,
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
    if (q->attacker == KN_ATTACKER_UNIFORM) {
        KN_TRY(alias_init(&j.lengths, &c->original, q->size, err));
    }
    KN_TRY(kn__parallel_steps(run, "certificate", kn__run_threads(run), (size_t)samples, GRAIN,
                              certify_slice, &j, err));
    if (atomic_load(&j.rejected)) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "itemsets of %zu items are so common in the original that hardly any draw "
                        "is accepted: have them counted (--exact-up-to %zu)",
                        q->size, q->size));
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

kn_status kn__certifier_new(kn_certifier **out, const kn_certify_lists *original,
                            const kn_certify_lists *release, const uint32_t *to, kn_error *err)
{
    kn_certifier *c = kn__zalloc(sizeof *c);
    kn_status status;

    *out = NULL;
    KN_TRY(c ? KN_OK : kn__nomem(err));
    KN_TRY(index_init(&c->original, original, err));
    KN_TRY(index_init(&c->release, release, err));
    c->to = kn__malloc_array(original->items, sizeof *c->to);
    KN_TRY(c->to ? KN_OK : kn__nomem(err));
    if (original->items) {
        memcpy(c->to, to, original->items * sizeof *to);
    }
    *out = c;
    c = NULL;
done:
    kn__certifier_free(c);
    return status;
}

void kn__certifier_free(kn_certifier *c)
{
    if (c) {
        index_clear(&c->original);
        index_clear(&c->release);
        kn__free(c->to);
        kn__free(c);
    }
}
