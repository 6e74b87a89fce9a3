/* km_anonymity.c - an attacker who knows up to m items of a person finds at least k records that
 * hold them, or none (Terrovitis, Mamoulis and Kalnis, VLDB 2008; Gkountouna and others for bags of
 * numbers).
 *
 * Only the published texts count: a range, a node of a hierarchy, a set and `*` are items like any
 * other. Rare combinations are searched by count/rare/rare.h; what it found is then counted a
 * second time, plainly, and nothing is said where the two disagree (km.h). */
#include "guarantees/registry.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/rare/rare.h"
#include "guarantees/agree.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { MANY = 1 << 15 }; /* with fewer records, or m = 1, a second thread is not worth it */

kn_status kn__km_anonymity_validate(const kn_guarantee *g, kn_error *err)
{
    const char *name = kn_guarantee_name(g->kind);

    if (g->k < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "%s: k is 0; give k of at least 1 (2 or more to protect anyone)", name);
    }
    if (g->m < 1 || g->m > KN_MOST_M) {
        return kn__fail(err, KN_EUSAGE,
                        "%s: m is %zu; give the number of items that an attacker may know, 1 to %d",
                        name, g->m, KN_MOST_M);
    }
    return KN_OK;
}

kn_status kn__items_column(size_t *out, const kn_dataset *ds, const char *guarantee, bool table,
                           kn_error *err)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c->role != KN_ROLE_QUASI) {
            continue;
        }
        if (!kn__type_is_list(c->type)) {
            if (!table) {
                return kn__fail(err, KN_EUSAGE,
                                "quasi-identifier \"%s\" has one value a record, and %s is about "
                                "items: ask for k-anonymity as well, or give it another role",
                                c->name, guarantee);
            }
            continue;
        }
        if (found != SIZE_MAX) {
            return kn__fail(err, KN_EUSAGE,
                            "columns \"%s\" and \"%s\" both hold items that an attacker may know: "
                            "%s is checked on one; give the other another role",
                            ds->column[found].name, c->name, guarantee);
        }
        found = i;
    }
    if (found == SIZE_MAX) {
        return kn__fail(err, KN_EUSAGE,
                        "%s is about items, and no quasi-identifier holds any: name the column "
                        "(--items or --numbers, and --qi)",
                        guarantee);
    }
    *out = found;
    return KN_OK;
}

/* Add what was found for guarantee `g`; takes the items of `l`. */
static kn_status add(kn_verdict *v, size_t g, size_t m, kn_rare_list *l, kn_error *err)
{
    KN_PASS(kn__verdict_reserve(v, l->kept, err));
    for (size_t i = 0; i < l->kept; i++) {
        const kn_rare *r = &l->rare[i];
        v->violation[v->kept++] = (kn_violation){.kind = KN_KM_ANONYMITY,
                                                 .size = r->support,
                                                 .value = r->support,
                                                 .record = r->record,
                                                 .guarantee = g,
                                                 .items = r->items,
                                                 .items_count = r->size,
                                                 .column = v->seen.column};
    }
    v->rooms[2 * g] = l->room;
    l->room = NULL;
    v->violations += (size_t)l->count;
    for (size_t size = 1; size <= m; size++) {
        v->sizes[g][size] = l->least[size] ? (double)l->least[size] : INFINITY;
        v->achieved[g] = fmin(v->achieved[g], v->sizes[g][size]);
    }
    v->seen.asked += l->stats.asked;
    v->seen.stopped += l->stats.stopped;
    v->seen.empty = l->empty;
    v->seen.longest = l->longest;
    v->seen.distinct = l->distinct ? l->distinct : v->seen.distinct;
    return KN_OK;
}

static size_t largest_m(const kn_guarantee *guarantees, size_t count)
{
    size_t m = 1;

    for (size_t i = 0; i < count; i++) {
        if (guarantees[i].kind == KN_KM_ANONYMITY && guarantees[i].m > m) {
            m = guarantees[i].m;
        }
    }
    return m;
}

/* Once for all guarantees: as far as the largest m, and in full if one asks for it. */
static kn_status count_again(kn_recount *second, kn_verdict *v, const kn_dataset *ds,
                             const kn_guarantee *guarantees, size_t count, const kn_run *run,
                             kn_error *err)
{
    const size_t m = largest_m(guarantees, count);
    bool full = false;

    for (size_t i = 0; i < count; i++) {
        full = full ||
               (guarantees[i].kind == KN_KM_ANONYMITY && guarantees[i].recount == KN_RECOUNT_FULL);
    }
    KN_PASS(kn__km_recount(second, ds, v->seen.column, m, full ? 0 : KN__RECOUNT_BUDGET, run, err));
    memcpy(v->seen.recounted + 1, second->one_in + 1, m * sizeof *v->seen.recounted);
    kn__km_recount_words(second, m, v->recount, sizeof v->recount);
    v->seen.recount = v->recount;
    return KN_OK;
}

/* Note in `held` by item whether one record holds it, 1, or several, more; codes have a width that
 * is known. */
static inline void note_held(uint8_t *held, const kn_column *c, size_t records, uint8_t width)
{
    for (size_t i = 0; i < records; i++) {
        uint32_t last = c->missing; /* which is no item */
        for (uint64_t j = c->starts[i]; j < c->starts[i + 1]; j++) {
            const uint32_t item = kn__code_get(c->codes, width, (size_t)j);
            if (item != last && item != c->missing) {
                held[item] |= (uint8_t)(held[item] + 1);
            }
            last = item;
        }
    }
}

/* Whether some item is one record's alone. */
static kn_status any_alone(const kn_column *c, size_t records, bool *alone, kn_error *err)
{
    const uint32_t items = kn__column_values(c);
    uint8_t *held = kn__zalloc_array(items, 1);

    *alone = false;
    KN_PASS(held ? KN_OK : kn__nomem(err));
    KN_BY_WIDTH(c->width, note_held, held, c, records);
    for (uint32_t item = 0; item < items && !*alone; item++) {
        *alone = held[item] == 1;
    }
    kn__free(held);
    return KN_OK;
}

/* The k that holds is 1, and nothing is lower. */
static void achieve_one(kn_verdict *v, const kn_guarantee *guarantees, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (guarantees[i].kind == KN_KM_ANONYMITY) {
            v->sizes[i][1] = v->achieved[i] = 1;
        }
    }
}

/* The two counts, which know nothing of each other. */
typedef struct counts {
    kn_verdict *v;
    const kn_dataset *ds;
    const kn_guarantee *guarantees;
    size_t count;
    const kn_baskets *b;
    uint8_t *risky;
    bool twice;
    const kn_run *run;
    kn_rare_list **first; /* by guarantee: what is rare; NULL for other kinds */
    kn_recount second;
    kn_status status[2];
    kn_error error[2];
    atomic_bool stop; /* one of them failed, so the other need not go on */
} counts;

static kn_status count_first(counts *x, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; status == KN_OK && i < x->count; i++) {
        const kn_guarantee *g = &x->guarantees[i];
        if (g->kind == KN_KM_ANONYMITY) {
            status = kn__rare_find_marked(&x->first[i], x->b, g->k, g->m, KN_WORST, x->risky,
                                          x->run, err);
        }
    }
    return status;
}

/* Only the calling thread may report progress, and the first count is the longer one. */
static void count_side_by_side(void *user, unsigned worker)
{
    counts *x = user;
    const kn_run aside = kn__run_alone(x->run, 1, &x->stop);

    x->status[worker] = worker ? count_again(&x->second, x->v, x->ds, x->guarantees, x->count,
                                             &aside, &x->error[1])
                               : count_first(x, &x->error[0]);
    if (x->status[worker] != KN_OK) {
        atomic_store(&x->stop, true);
    }
}

static kn_status count_all(counts *x, kn_error *err)
{
    int failed;

    if (!x->twice) {
        return count_first(x, err);
    }
    if (x->ds->records < MANY || largest_m(x->guarantees, x->count) == 1 ||
        kn__run_threads(x->run) < 2) {
        const kn_status status = count_again(&x->second, x->v, x->ds, x->guarantees, x->count,
                                             x->run, err);
        return status == KN_OK ? count_first(x, err) : status;
    }
    atomic_init(&x->stop, false);
    kn__parallel(2, count_side_by_side, x);
    /* The second may have been stopped because the first failed: that one says why. */
    failed = x->status[1] != KN_OK && x->status[1] != KN_ECANCELLED;
    if (x->status[failed] != KN_OK && err) {
        *err = x->error[failed];
    }
    return x->status[failed];
}

/* Take what was found into the verdict, where the counts agree. */
static kn_status conclude(counts *x, kn_error *err)
{
    for (size_t i = 0; i < x->count; i++) {
        const kn_guarantee *g = &x->guarantees[i];
        kn_rare_list *l = x->first[i];
        if (l && x->twice) {
            KN_PASS(kn__km_agree(&x->second, l, g->k, g->m, err));
        }
        if (l) {
            x->v->at_risk = l->at_risk;
            KN_PASS(add(x->v, i, g->m, l, err));
        }
    }
    return KN_OK;
}

static size_t count_asked(const kn_guarantee *guarantees, size_t count)
{
    size_t asked = 0;

    for (size_t i = 0; i < count; i++) {
        asked += guarantees[i].kind == KN_KM_ANONYMITY;
    }
    return asked;
}

kn_status kn__km_different(kn_verdict *v, const kn_dataset *ds, const kn_guarantee *guarantees,
                           size_t count, kn_error *err)
{
    const size_t asked = count_asked(guarantees, count);
    kn_baskets *b = NULL;
    kn_status status;

    if (asked == 0 || v->seen.distinct != 0) {
        return KN_OK;
    }
    KN_TRY(kn__baskets_of_column(&b, &ds->column[v->seen.column], ds->records, err));
    KN_TRY(kn__baskets_different(&v->seen.distinct, b, err));
done:
    v->classes = asked == count ? v->seen.distinct : v->classes;
    kn__baskets_free(b);
    return status;
}

static kn_status check(const kn_checking *c, kn_error *err)
{
    kn_verdict *v = c->verdict;
    const size_t asked = count_asked(c->guarantees, c->count);
    const kn_column *column;
    kn_baskets *b = NULL;
    counts x = {.v = v,
                .ds = c->ds,
                .guarantees = c->guarantees,
                .count = c->count,
                .risky = c->risky,
                .twice = c->twice,
                .run = c->run};
    bool alone = false;
    kn_status status;

    KN_TRY(kn__items_column(&v->seen.column, c->ds, "km-anonymity", asked < c->count, err));
    KN_TRY(kn__verdict_prepare_items(v, err));
    column = &c->ds->column[v->seen.column];
    if (!c->twice && asked == c->count && column->dict && !c->ds->counts) {
        KN_TRY(any_alone(column, c->ds->records, &alone, err));
    }
    if (alone) {
        achieve_one(v, c->guarantees, c->count);
        goto done;
    }
    KN_TRY(kn__baskets_of_column(&b, column, c->ds->records, err));
    b->people = c->ds->counts;
    x.b = b;
    x.first = kn__zalloc_array(c->count, sizeof(kn_rare_list *));
    KN_TRY(x.first ? count_all(&x, err) : kn__nomem(err));
    KN_TRY(conclude(&x, err));
    if (c->different && v->seen.distinct == 0) {
        KN_TRY(kn__baskets_different(&v->seen.distinct, b, err));
    }
    v->classes = asked == c->count ? v->seen.distinct : v->classes;
done:
    for (size_t i = 0; x.first && i < c->count; i++) {
        kn__rare_list_free(x.first[i]);
    }
    kn__free(x.first);
    kn__baskets_free(b);
    return status;
}

static const kn_param params[] = {KN_PARAM_ITEMS_K, KN_PARAM_ITEMS_M, KN_PARAM_RECOUNT};

const kn_guarantee_row kn__km_anonymity_row = {
    .entry =
        {.kind = KN_ENTRY_GUARANTEE,
         .name = "km-anonymity",
         .method = "apriori",
         .summary =
             "an attacker who knows up to m items of a person finds at least k records that hold them",
         KN_PARAMS(params),
         .page = "guarantees.md"},
    .kind = KN_KM_ANONYMITY,
    .about = KN_ABOUT_ITEMS,
    .validate = kn__km_anonymity_validate,
    .check = check,
    .asked = kn__asked_k,
    .parameter = kn__parameter_k,
    .describe = kn__describe_k_m,
    .known = kn__claim_items,
    .claim = kn__claim_k,
    .json = kn__json_k_m,
    .counts = true,
};
