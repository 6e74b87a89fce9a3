/* k_km.c - (k,k^m)-anonymity of tables with item lists (Poulis, Loukides, Gkoulalas-Divanis and
 * Skiadopoulos, 2013): an attacker who knows the values of a person in the one-valued
 * quasi-identifiers, and up to m items, finds at least k records.
 *
 * Definition 1 asks of the group of a record, for any set I of m or fewer of its items, that it
 * holds the records of equal values that agree on I; as I is within the record, these are the
 * records of its class that hold I. So: every class has at least k records (I empty), and inside it
 * every combination of 1..m items that occurs has a support of at least k.
 *
 * Sensitive items are no knowledge of the attacker and are left out. Items are told apart by class
 * (count/class_items.h), so that one search over all records counts inside all classes. */
#include "guarantees/registry.h"
#include "guarantees/k_km.h"

#include "base/error.h"
#include "base/memory.h"
#include "count/rare/rare.h"
#include "guarantees/agree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- classes ---- */

/* The empty combination: classes of fewer than k records. */
static kn_status check_sizes(kn_rt *rt, size_t g, kn_error *err)
{
    const kn_classes *classes = rt->classes;
    const size_t k = rt->guarantees[g].k;
    kn_worst worst = {0};
    kn_status status;

    KN_TRY(kn__worst_init(&worst, err));
    for (uint32_t i = 0; i < classes->count; i++) {
        const kn_break b = {.badness = 1 - (double)classes->size[i] / (double)k,
                            .value = classes->size[i],
                            .size = classes->size[i],
                            .record = classes->first[i],
                            .guarantee = (uint32_t)g};
        rt->v->sizes[g][0] = fmin(rt->v->sizes[g][0], classes->size[i]);
        if (classes->size[i] < k) {
            kn__worst_offer(&worst, &b);
            rt->v->violations++;
        }
    }
    for (size_t i = 0; i < rt->ds->records; i++) {
        rt->risky[i] |= classes->size[classes->of[i]] < k;
    }
    kn__worst_sort(&worst);
    KN_TRY(kn__rt_add(rt, g, &worst, 0, err));
done:
    kn__worst_clear(&worst);
    return status;
}

kn_status kn__rt_add(kn_rt *rt, size_t g, const kn_worst *worst, size_t room, kn_error *err)
{
    kn_verdict *v = rt->v;
    size_t items = 0, at = 0;

    KN_PASS(kn__verdict_reserve(v, worst->len, err));
    for (size_t i = 0; i < worst->len; i++) {
        items += worst->breaks[i].items_count;
    }
    if (items) {
        v->rooms[2 * g + room] = kn__malloc_array(items, sizeof(uint32_t));
        KN_PASS(v->rooms[2 * g + room] ? KN_OK : kn__nomem(err));
    }
    for (size_t i = 0; i < worst->len; i++) {
        const kn_break *b = &worst->breaks[i];
        uint32_t *list = b->items_count ? v->rooms[2 * g + room] + at : NULL;
        if (list) {
            memcpy(list, b->items, b->items_count * sizeof *list);
        }
        at += b->items_count;
        v->violation[v->kept++] = (kn_violation){
            .kind = rt->guarantees[g].kind,
            .size = (size_t)b->size,
            .value = b->value,
            .record = b->record,
            .guarantee = g,
            .items = list,
            .items_count = b->items_count,
            .column = v->seen.column,
            .class_size = rt->classes->size[rt->classes->of[b->record]],
            .held = b->held,
            .sensitive_item = b->sensitive};
    }
    return KN_OK;
}

/* ---- combinations ---- */

/* Add the rare combinations of `l`, and take its items. */
static kn_status add_rare(kn_rt *rt, size_t g, kn_rare_list *l, kn_error *err)
{
    kn_verdict *v = rt->v;

    KN_PASS(kn__verdict_reserve(v, l->kept, err));
    for (size_t i = 0; i < l->kept; i++) {
        const kn_rare *r = &l->rare[i];
        for (size_t j = 0; j < r->size; j++) {
            r->items[j] = rt->known->item[r->items[j]];
        }
        v->violation[v->kept++] = (kn_violation){
            .kind = rt->guarantees[g].kind,
            .size = r->support,
            .value = r->support,
            .record = r->record,
            .guarantee = g,
            .items = r->items,
            .items_count = r->size,
            .column = v->seen.column,
            .class_size = rt->classes->size[rt->classes->of[r->record]]};
    }
    v->rooms[2 * g] = l->room;
    l->room = NULL;
    v->violations += (size_t)l->count;
    return KN_OK;
}

static void add_least(kn_rt *rt, size_t g, const kn_rare_list *l)
{
    for (size_t size = 1; size <= rt->guarantees[g].m; size++) {
        if (l->least[size]) {
            rt->v->sizes[g][size] = fmin(rt->v->sizes[g][size], l->least[size]);
        }
    }
    rt->v->seen.asked += l->stats.asked;
    rt->v->seen.stopped += l->stats.stopped;
}

/* In a class that is too small the empty combination is rare, and none other is minimal: of these
 * classes only the least supports are wanted. */
static kn_status check_combinations(kn_rt *rt, size_t g, kn_error *err)
{
    const size_t k = rt->guarantees[g].k, m = rt->guarantees[g].m;
    const bool small = rt->v->sizes[g][0] < (double)k;
    kn_baskets *picked = NULL;
    kn_rare_list *l = NULL;
    kn_status status = KN_OK;

    if (small) {
        KN_TRY(kn__class_items_pick(&picked, rt->known, rt->classes, k, false, err));
    }
    KN_TRY(kn__rare_find_marked(&l, small ? picked : rt->known->baskets, k, m, KN_WORST, rt->risky,
                                rt->run, err));
    add_least(rt, g, l);
    KN_TRY(add_rare(rt, g, l, err));
    kn__rare_list_free(l);
    kn__baskets_free(picked);
    l = NULL;
    picked = NULL;
    if (small) {
        KN_TRY(kn__class_items_pick(&picked, rt->known, rt->classes, k, true, err));
        KN_TRY(kn__rare_find(&l, picked, 1, m, 0, rt->run, err));
        add_least(rt, g, l);
    }
done:
    kn__rare_list_free(l);
    kn__baskets_free(picked);
    return status;
}

/* (k,k^m)-anonymity of the items that are not sensitive, for guarantee `g`. */
static kn_status check_known(kn_rt *rt, size_t g, kn_error *err)
{
    for (size_t size = 0; size <= KN_MOST_M; size++) {
        rt->v->sizes[g][size] = INFINITY;
    }
    KN_PASS(check_sizes(rt, g, err));
    return check_combinations(rt, g, err);
}

/* ---- the table ---- */

/* How long the lists are, and what stands above sensitive items in them. */
static void survey(kn_rt *rt, const kn_baskets *all)
{
    kn_items_seen *seen = &rt->v->seen;

    seen->sensitive = rt->sensitive.count;
    for (size_t i = 0; i < all->records; i++) {
        size_t len, known;
        const uint32_t *items = kn__baskets_record(all, i, &len);
        bool above = false;
        (void)kn__baskets_record(rt->known->baskets, i, &known);
        seen->empty += len == 0;
        seen->longest = known > seen->longest ? known : seen->longest;
        for (size_t j = 0; j < len; j++) {
            above = above || rt->sensitive.above[items[j]];
        }
        seen->above += above;
    }
}

static bool is_ours(const kn_guarantee *g)
{
    return kn__guarantee_row(g->kind)->check == kn__rt_check;
}

static kn_status prepare(kn_rt *rt, const kn_hierarchies *hierarchies, kn_error *err)
{
    const char *first = NULL; /* the name of the first that is ours */
    const kn_column *column = NULL;
    kn_baskets *all = NULL;
    kn_status status;

    for (size_t i = 0; i < rt->count && !first; i++) {
        first = is_ours(&rt->guarantees[i]) ? kn_guarantee_name(rt->guarantees[i].kind) : NULL;
    }
    KN_TRY(kn__items_column(&rt->v->seen.column, rt->ds, first, true, err));
    column = &rt->ds->column[rt->v->seen.column];
    KN_TRY(kn__verdict_prepare_items(rt->v, err));
    KN_TRY(kn__baskets_of_column(&all, column, rt->ds->records, err));
    KN_TRY(kn__sensitive_items_find(&rt->sensitive, column, hierarchies, err));
    if (rt->sensitive.absent) {
        rt->v->seen.absent = rt->sensitive.absent;
        (void)snprintf(rt->v->unknown, sizeof rt->v->unknown, "%s", rt->sensitive.unknown.message);
        rt->v->seen.unknown = rt->v->unknown;
    }
    KN_TRY(kn__sensitive_items_named(&rt->sensitive, column, rt->guarantees, rt->count, err));
    KN_TRY(kn__classes_members(rt->classes, &rt->members, &rt->begin, err));
    KN_TRY(kn__class_items_new(&rt->known, all, rt->members, rt->begin, rt->classes->count,
                               rt->sensitive.is, err));
    survey(rt, all);
done:
    rt->all = all;
    return status;
}

/* Once for all guarantees, as far as the largest m; and compared with what each of them found. */
static kn_status count_again(const kn_rt *rt, kn_error *err)
{
    kn_verdict *v = rt->v;
    kn_k_km_recounted second;
    size_t m = 1;
    bool full = false, infer = false;

    for (size_t i = 0; i < rt->count; i++) {
        const kn_guarantee *g = &rt->guarantees[i];
        if (is_ours(g)) {
            m = g->m > m ? g->m : m;
            full = full || g->recount == KN_RECOUNT_FULL;
            infer = infer || g->kind == KN_K_LM_DIVERSITY;
        }
    }
    KN_PASS(kn__k_km_recount(&second, rt->ds, v->seen.column, rt->sensitive.is, infer, m,
                             full ? 0 : KN__RECOUNT_BUDGET, rt->run, err));
    for (size_t i = 0; i < rt->count; i++) {
        const kn_guarantee *g = &rt->guarantees[i];
        if (is_ours(g)) {
            /* What can be inferred was counted for the largest m. */
            const bool same = g->kind == KN_K_LM_DIVERSITY && g->m == m;
            kn_k_km_recounted of = second;
            of.inferred = of.inferred && same;
            KN_PASS(kn__rt_agree(&of, kn_guarantee_name(g->kind), v->sizes[i], g->m, v->achieved[i],
                                 err));
        }
    }
    memcpy(v->seen.recounted + 1, second.known.one_in + 1, m * sizeof *v->seen.recounted);
    kn__km_recount_words(&second.known, m, v->recount, sizeof v->recount);
    if (infer) {
        const size_t len = strlen(v->recount);
        (void)snprintf(v->recount + len, sizeof v->recount - len,
                       second.inferred_all ? ", and what all of them reveal about sensitive items"
                                           : ", and what a share of them reveals about sensitive "
                                             "items");
    }
    v->seen.recount = v->recount;
    return KN_OK;
}

kn_status kn__rt_check(const kn_checking *c, kn_error *err)
{
    kn_rt rt = {.v = c->verdict,
                .ds = c->ds,
                .guarantees = c->guarantees,
                .count = c->count,
                .classes = c->classes,
                .risky = c->risky,
                .run = c->run};
    kn_status status;

    KN_TRY(prepare(&rt, c->hierarchies, err));
    for (size_t i = 0; i < c->count; i++) {
        if (!is_ours(&c->guarantees[i])) {
            continue;
        }
        KN_TRY(check_known(&rt, i, err));
        if (c->guarantees[i].kind == KN_K_LM_DIVERSITY) {
            KN_TRY(kn__rt_check_inference(&rt, i, err));
        } else {
            c->verdict->achieved[i] = kn_verdict_achieved_k(c->verdict, i);
        }
    }
    if (c->twice) {
        KN_TRY(count_again(&rt, err));
    }
done:
    kn__sensitive_items_clear(&rt.sensitive);
    kn__class_items_free(rt.known);
    kn__baskets_free(rt.all);
    KN_FREE(rt.members, rt.begin);
    return status;
}

static const kn_param params[] = {KN_PARAM_ITEMS_K, KN_PARAM_ITEMS_M, KN_PARAM_RECOUNT};

const kn_guarantee_row kn__k_km_anonymity_row = {
    .entry =
        {.kind = KN_ENTRY_GUARANTEE,
         .name = "k-km-anonymity",
         .method = "rum-bound",
         .summary =
             "an attacker who knows the quasi-identifiers of a person and up to m items finds at least k "
             "records",
         KN_PARAMS(params),
         .page = "guarantees.md"},
    .kind = KN_K_KM_ANONYMITY,
    .about = KN_ABOUT_CLASSES | KN_ABOUT_ITEMS,
    .validate = kn__km_anonymity_validate,
    .check = kn__rt_check,
    .asked = kn__asked_k,
    .parameter = kn__parameter_k,
    .describe = kn__describe_k_m,
    .known = kn__claim_items,
    .claim = kn__claim_k,
    .json = kn__json_k_m,
};
