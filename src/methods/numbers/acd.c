/* acd.c - k^m-anonymity of bags of numbers: ours and the paper's. */
#include "methods/numbers/acd.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/rare/rare.h"
#include "methods/numbers/acd_search.h"
#include "methods/numbers/acd_occurrences.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* On data as small as this the printed algorithm costs nothing, so that ours need not rely on being
 * better: the better one is taken. */
enum { SMALL = 4096 };

/* Whether the record of `o` has an item in both ranges, two if they are one range. */
static bool holds_both(const kn_acd_occurrence *o, const uint32_t *low, const uint32_t *high)
{
    size_t held[2] = {0};
    const bool same = low[0] == low[1];

    for (uint32_t i = 0; i < o->len; i++) {
        const uint32_t q = kn__acd_point(o, i);
        for (int side = 0; side < 2; side++) {
            held[side] += q >= low[side] && q < high[side];
        }
    }
    return same ? held[0] > 1 : held[0] && held[1];
}

/* Whether a look at some pairs shows a rare one: on large data that answers the question in no
 * time, since the optimum for single values has hardly ever no rare pairs. */
static bool rare_at_a_glance(const kn_acd_points *p, const uint8_t *cut)
{
    enum { RECORDS = 1000, LONGEST = 1000 };

    for (size_t r = 0; r < p->b->records && r < RECORDS; r++) {
        for (uint64_t i = p->b->starts[r]; i + 1 < p->b->starts[r + 1]; i++) {
            uint32_t low[2] = {p->list[i], p->list[i + 1]}, high[2];
            size_t support = 0;
            int fewer;
            for (int side = 0; side < 2; side++) {
                high[side] = kn__acd_high(p, cut, low[side]);
                while (!cut[low[side]]) {
                    low[side]--;
                }
            }
            fewer = p->at[high[0]] - p->at[low[0]] > p->at[high[1]] - p->at[low[1]];
            if ((low[0] == low[1] && !p->bags) ||
                p->at[high[fewer]] - p->at[low[fewer]] > LONGEST) {
                continue;
            }
            /* A record that comes several times makes the support no smaller. */
            for (uint32_t q = low[fewer]; q < high[fewer]; q++) {
                kn_acd_cursor c = kn__acd_occurrences(p, q);
                kn_acd_occurrence o;
                while (kn__acd_next(p, &c, &o)) {
                    support += holds_both(&o, low, high);
                }
            }
            if (support < p->k) {
                return true;
            }
        }
    }
    return false;
}

kn_status kn__acd_holds(const kn_acd_points *p, const uint8_t *cut, const kn_run *run, bool *holds,
                        kn_error *err)
{
    kn_baskets *ranges = NULL;
    kn_rare_list *rare = NULL;
    kn_status status;

    if (p->m > 1 && rare_at_a_glance(p, cut)) {
        *holds = false;
        return KN_OK;
    }
    KN_TRY(kn__acd_ranges(p, cut, &ranges, run, err));
    KN_TRY(kn__rare_find(&rare, ranges, p->k, p->m, 0, run, err));
    *holds = rare->count == 0;
done:
    kn__rare_list_free(rare);
    kn__baskets_free(ranges);
    return status;
}

/* Splitting is greedy, so where it starts matters, and no start is always best. With this many
 * occurrences or fewer several are tried: nothing, the optimum's cuts, and what satisfies a larger
 * k, which satisfies this one too but left room for other cuts. With more, moving borders is the
 * cheapest way to gain. */
enum { MANY = 1 << 20, ROUNDS = 8, MOVES_OF_MANY = 8, STARTS = 4 };

typedef struct tries {
    const kn_acd_points *p;
    const kn_run *run;
    const uint8_t *optimum;
    uint8_t *cut[STARTS]; /* what each start ends with; */
    bool done[STARTS];    /* false: k times its factor cannot be met */
    kn_status status[STARTS];
    kn_error error[STARTS];
    atomic_bool stop;
} tries;

static kn_status try_start(const tries *t, size_t i, const kn_run *run, bool *done, kn_error *err)
{
    kn_acd_points wider = *t->p;
    kn_status status;

    *done = true;
    if (i < 2) {
        return kn__acd_split(t->p, i ? t->optimum : NULL, ROUNDS, 1, t->cut[i], run, err);
    }
    wider.k *= (size_t)1 << (i - 1);
    *done = kn__acd_feasible(&wider, wider.m, NULL) == KN_OK;
    if (!*done) {
        return KN_OK;
    }
    status = kn__acd_split(&wider, NULL, ROUNDS, 1, t->cut[i], run, err);
    return status == KN_OK ? kn__acd_split(t->p, t->cut[i], ROUNDS, 1, t->cut[i], run, err)
                           : status;
}

static void try_starts(void *user, unsigned worker, size_t begin, size_t end)
{
    tries *t = user;
    const kn_run mine = kn__run_alone(t->run, worker, &t->stop);

    for (size_t i = begin; i < end && !atomic_load(&t->stop); i++) {
        t->status[i] = try_start(t, i, &mine, &t->done[i], &t->error[i]);
        if (t->status[i] != KN_OK) {
            atomic_store(&t->stop, true);
        }
    }
}

/* From the optimum's cuts in `cut` to the best that any start leads to. */
static kn_status best_split(const kn_acd_points *p, uint8_t *cut, const kn_run *run, kn_error *err)
{
    tries t = {.p = p, .run = run, .optimum = cut};
    uint8_t *room;
    double least = HUGE_VAL;
    size_t best = 0, failed = STARTS;

    if (p->at[p->points] > MANY) {
        return kn__acd_split(p, NULL, ROUNDS, MOVES_OF_MANY, cut, run, err);
    }
    room = kn__malloc_array(p->points, STARTS);
    if (!room) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < STARTS; i++) {
        t.cut[i] = room + i * p->points;
    }
    atomic_init(&t.stop, false);
    kn__parallel_for(kn__run_threads(run), STARTS, 1, try_starts, &t);
    for (size_t i = 0; i < STARTS; i++) {
        /* Others may have been stopped because one failed: what did that says why. */
        if (t.status[i] != KN_OK && (failed == STARTS || t.status[failed] == KN_ECANCELLED)) {
            failed = i;
        }
        if (t.done[i] && t.status[i] == KN_OK && kn__acd_total(p, t.cut[i]) < least) {
            least = kn__acd_total(p, t.cut[i]);
            best = i;
        }
    }
    if (failed < STARTS && err) {
        *err = t.error[failed];
    }
    if (failed == STARTS) {
        memcpy(cut, t.cut[best], p->points);
    }
    kn__free(room);
    return failed < STARTS ? t.status[failed] : KN_OK;
}

static kn_status ours(kn_acd_points *p, double d, uint8_t *cut, const kn_run *run, kn_error *err)
{
    uint8_t *other = NULL;
    bool holds = p->m <= 1;
    const bool small = p->at[p->points] <= SMALL;
    kn_status status = holds || small ? kn__acd_list(p, err) : KN_OK;

    if (status == KN_OK && !holds) {
        status = kn__acd_copy(p, kn__run_threads(run), err);
    }
    if (status == KN_OK) {
        status = kn__acd_optimum(p, cut, err);
    }
    if (status == KN_OK && !holds) {
        status = kn__acd_holds(p, cut, run, &holds, err);
    }
    if (status != KN_OK || holds) {
        return status;
    }
    status = best_split(p, cut, run, err);
    if (status == KN_OK && small) {
        other = kn__malloc_array(p->points, 1);
        status = other ? kn__acd_paper(p, d, other, run, err) : kn__nomem(err);
        if (status == KN_OK && kn__acd_total(p, other) < kn__acd_total(p, cut)) {
            memcpy(cut, other, p->points);
        }
    }
    kn__free(other);
    return status;
}

kn_status kn__acd(const kn_baskets *b, const double *value, size_t k, size_t m, double d,
                  bool paper, const kn_run *run, uint32_t *range_of, uint32_t *ranges,
                  kn_error *err)
{
    kn_acd_points p;
    uint8_t *cut = NULL;
    kn_status status;

    *ranges = 0;
    if (k < 1 || m < 1 || !(d >= 0)) {
        return kn__fail(err, KN_EUSAGE, "acd: k and m must be 1 or more, d 0 or more");
    }
    status = kn__acd_points_init(&p, b, value, k, m, err);
    if (status != KN_OK) {
        return status;
    }
    cut = kn__zalloc_array(p.points, 1);
    status = !cut ? kn__nomem(err)
             : p.m > KN_MOST_M
                 ? kn__fail(err, KN_EUSAGE, "acd: m can be at most %d for records of so many items",
                            KN_MOST_M)
                 : kn__acd_feasible(&p, m, err);
    if (status == KN_OK && p.points) {
        status = paper ? kn__acd_list(&p, err) : ours(&p, d, cut, run, err);
    }
    if (status == KN_OK && p.points && paper) {
        status = kn__acd_paper(&p, d, cut, run, err);
    }
    if (status == KN_OK) {
        uint32_t point = 0;
        for (uint32_t i = 0; i < b->items; i++) {
            /* Items come in the order of their points. */
            while (*ranges == 0 || (p.points && point < p.point_of[i])) {
                point += *ranges != 0;
                *ranges += *ranges == 0 || cut[point];
            }
            range_of[i] = *ranges - 1;
        }
    }
    kn__free(cut);
    kn__acd_points_clear(&p);
    return status;
}

kn_status kn__acd_ncp(const kn_baskets *b, const double *value, const uint32_t *range_of,
                      double *ncp, kn_error *err)
{
    uint64_t *occurrences = kn__zalloc_array(b->items, sizeof *occurrences);
    double sum = 0, low = 0, high = 0, least = 0;
    uint64_t total = 0, inside = 0;
    uint32_t range = KN_NO_CODE;

    if (!occurrences) {
        return kn__nomem(err);
    }
    for (uint64_t i = 0; i < b->starts[b->records]; i++) {
        occurrences[b->list[i]]++;
    }
    for (uint32_t i = 0; i < b->items; i++) {
        if (occurrences[i] == 0) {
            continue;
        }
        if (range_of[i] != range) {
            sum += (double)inside * (high - low);
            range = range_of[i];
            inside = 0;
            low = value[i];
            least = total ? least : low;
        }
        high = value[i];
        inside += occurrences[i];
        total += occurrences[i];
    }
    sum += (double)inside * (high - low);
    kn__free(occurrences);
    *ncp = high > least ? sum / ((high - least) * (double)total) : 0;
    return KN_OK;
}
