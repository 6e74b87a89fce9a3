/* acd_starts.c - several starts of the top-down search.
 *
 * Splitting is greedy, so the result depends on the cuts that are tried first, and no choice of
 * them is best for all data. Each start is searched by itself, and the partition of least loss is
 * kept. */
#include "methods/numbers/acd_starts.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/numbers/acd_even.h"
#include "methods/numbers/acd_split.h"

#include <math.h>
#include <string.h>

/* The starts: one range; the cuts of the optimum for single values; and what satisfies 2k and 4k,
 * which satisfies k as well and leaves room for other cuts. */
enum { FROM_ONE_RANGE, FROM_OPTIMUM, FROM_2K, FROM_4K, STARTS };

/* With more occurrences than this there is one start, and borders are moved more often instead,
 * which takes less time for the same gain. */
enum { MANY = 1 << 20, ROUNDS = 8, MOVES_OF_MANY = 8 };

typedef struct starts {
    const kn_acd_points *p;
    const kn_run *run;
    const uint8_t *optimum;
    uint8_t *cut[STARTS]; /* the result of each start */
    bool found[STARTS];   /* false: 2k or 4k cannot be met */
    kn_status status[STARTS];
    kn_error error[STARTS];
    atomic_bool stop;
} starts;

static kn_status try_start(starts *t, size_t i, const kn_run *run, kn_error *err)
{
    const kn_acd_points *p = t->p;
    kn_acd_points larger = *p;
    uint8_t *cut = t->cut[i];
    const uint8_t *start = NULL; /* FROM_ONE_RANGE */

    if (i == FROM_OPTIMUM) {
        start = t->optimum;
    } else if (i == FROM_2K || i == FROM_4K) {
        larger.k *= i == FROM_2K ? 2 : 4;
        if (kn__acd_feasible(&larger, larger.m, NULL) != KN_OK) {
            return KN_OK;
        }
        KN_PASS(kn__acd_split(&larger, NULL, ROUNDS, 1, cut, run, err));
        start = cut;
    }
    KN_PASS(kn__acd_split(p, start, ROUNDS, 1, cut, run, err));
    t->found[i] = true;
    return KN_OK;
}

static void try_starts(void *user, unsigned worker, size_t begin, size_t end)
{
    starts *t = user;
    const kn_run alone = kn__run_alone(t->run, worker, &t->stop);

    for (size_t i = begin; i < end && !atomic_load(&t->stop); i++) {
        t->status[i] = try_start(t, i, &alone, &t->error[i]);
        if (t->status[i] != KN_OK) {
            atomic_store(&t->stop, true);
        }
    }
}

/* The status of the start that failed, if one did: others may have been cancelled because of it. */
static kn_status first_failure(const starts *t, kn_error *err)
{
    size_t failed = 0;

    for (size_t i = 1; i < STARTS; i++) {
        if (t->status[i] != KN_OK &&
            (t->status[failed] == KN_OK || t->status[failed] == KN_ECANCELLED)) {
            failed = i;
        }
    }
    if (t->status[failed] != KN_OK && err) {
        *err = t->error[failed];
    }
    return t->status[failed];
}

/* The best of these starts, into `cut`, which holds the optimum for single values. */
static kn_status best_of_starts(const kn_acd_points *p, uint8_t *cut, const kn_run *run,
                                kn_error *err)
{
    starts t = {.p = p, .run = run, .optimum = cut};
    uint8_t *results = kn__malloc_array(p->points, STARTS), *best = NULL;
    double least = HUGE_VAL;
    kn_status status;

    KN_TRY(results ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < STARTS; i++) {
        t.cut[i] = results + i * p->points;
    }
    atomic_init(&t.stop, false);
    kn__parallel_for(kn__run_threads(run), STARTS, 1, try_starts, &t);
    KN_TRY(first_failure(&t, err));
    for (size_t i = 0; i < STARTS; i++) {
        if (t.found[i] && kn__acd_total(p, t.cut[i]) < least) {
            least = kn__acd_total(p, t.cut[i]);
            best = t.cut[i];
        }
    }
    memcpy(cut, best, p->points);
done:
    kn__free(results);
    return status;
}

/* Splits in two end near 2^n ranges where values are spread evenly, and other numbers may be
 * better. Where even ranges lose less than `cut`, search on from them: a search loses no more than
 * its start. */
static kn_status improve_from_even(const kn_acd_points *p, int moves, uint8_t *cut,
                                   const kn_run *run, kn_error *err)
{
    static const kn_acd_even kinds[] = {KN_ACD_EVEN_WIDTH, KN_ACD_EVEN_FREQUENCY};
    uint8_t *even = kn__malloc_array(p->points, 1);
    kn_status status;

    KN_TRY(even ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool found;
        KN_TRY(kn__acd_find_even(p, kinds[i], kn__acd_total(p, cut), even, &found, run, err));
        if (found) {
            KN_TRY(kn__acd_split(p, even, ROUNDS, moves, cut, run, err));
        }
    }
done:
    kn__free(even);
    return status;
}

kn_status kn__acd_best_start(const kn_acd_points *p, uint8_t *cut, const kn_run *run, kn_error *err)
{
    const bool many = p->at[p->points] > MANY;
    const int moves = many ? MOVES_OF_MANY : 1;

    KN_PASS(many ? kn__acd_split(p, NULL, ROUNDS, moves, cut, run, err)
                 : best_of_starts(p, cut, run, err));
    return improve_from_even(p, moves, cut, run, err);
}
