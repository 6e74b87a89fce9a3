/* sigma_check.c - the check of sigma-k^m-anonymity.
 *
 * Sizes that are counted need the release alone: an itemset of l items of the original is published
 * as one of at most l items, so when no itemset of 1..l published items has support 1..k-1, none of
 * the original fails. Larger sizes are sampled from the original, by the second implementation in
 * recount/certificate.h. Without the original, larger sizes are counted as far as that is cheap;
 * what is then still open is said to be unknown, never to hold. */
#include "guarantees/sigma_check.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/dense_rare.h"
#include "count/sample_size.h"
#include "guarantees/published_items.h"
#include "guarantees/recount/certificate.h"
#include "guarantees/recount/km.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUT_OF_REACH 1e12   /* itemsets that are counted at most: some hours on one core */
#define CHEAP        1e9    /* without being asked: some seconds */
#define KEPT         100000 /* rare itemsets whose records are marked */

/* One guarantee, and the data in the forms that its check needs. */
typedef struct checking {
    const kn_checking *c;
    const kn_guarantee *g;
    size_t number;         /* of the guarantee in the call */
    const kn_baskets *b;   /* the release */
    kn_set_source *source; /* the release, items numbered by rising support */
    const uint32_t *code;  /* by such a number: the code */
    kn_postings *postings; /* of `b`, made for the first violation */
    const kn_baskets *original;
    kn_certifier *certifier; /* NULL without the original */
    size_t longest;          /* of the original; of the release without it */
    /* Published itemsets that failing samples came to, of all sizes and attackers; not sorted. */
    kn_dense_itemset *failed;
    size_t failed_count, failed_cap;
    uint8_t *risky;
} checking;

/* ---- the verdict ---- */

static kn_status add_certificate(kn_verdict *v, const kn_certificate *made, size_t number,
                                 kn_error *err)
{
    kn_certificate *list = kn__realloc_array(v->certificates, v->certificates_count + 1,
                                             sizeof *list);

    KN_PASS(list ? KN_OK : kn__nomem(err));
    v->certificates = list;
    list[v->certificates_count] = *made;
    list[v->certificates_count++].guarantee = number;
    if (made->kind == KN_CERTIFIED_UNKNOWN) {
        v->undecided = true;
        return KN_OK;
    }
    const double sigma = made->holds && made->kind != KN_CERTIFIED_SAMPLED
                             ? 1
                             : (1 - made->eps) * (1 - made->delta);
    v->achieved[number] = fmin(v->achieved[number], sigma);
    v->uncertified = v->uncertified || !made->holds;
    if (made->size <= KN_MOST_KNOWN && made->kind != KN_CERTIFIED_NOTHING && made->holds) {
        v->sizes[number][made->size] = fmin(v->sizes[number][made->size], (double)made->k);
    }
    return KN_OK;
}

static void mark_risky(void *user, uint32_t record)
{
    ((uint8_t *)user)[record] = 1;
}

/* An itemset of the release, by ascending codes, that breaks the guarantee. */
static kn_status add_violation(checking *x, const uint32_t *items, size_t size, size_t support,
                               kn_error *err)
{
    kn_verdict *v = x->c->verdict;
    uint32_t **room = &v->rooms[2 * x->number];
    size_t mine = 0;
    uint32_t record = 0;

    v->violations++;
    v->sizes[x->number][size] = fmin(v->sizes[x->number][size], (double)support);
    if (!x->postings) {
        KN_PASS(kn__postings_new(&x->postings, x->b, err));
    }
    kn__postings_each(x->postings, items, size, mark_risky, x->risky);
    for (size_t i = v->kept; i > 0 && v->violation[i - 1].guarantee == x->number; i--) {
        mine++;
    }
    if (mine == KN_WORST) {
        return KN_OK;
    }
    if (!*room) {
        *room = kn__malloc_array((size_t)KN_WORST * KN_MOST_KNOWN, sizeof **room);
        KN_PASS(*room ? KN_OK : kn__nomem(err));
    }
    KN_PASS(kn__verdict_reserve(v, 1, err));
    memcpy(*room + mine * KN_MOST_KNOWN, items, size * sizeof *items);
    (void)kn__postings_first(x->postings, items, size, &record);
    v->violation[v->kept++] = (kn_violation){.kind = KN_SIGMA_KM_ANONYMITY,
                                             .size = support,
                                             .value = (double)support,
                                             .record = record,
                                             .guarantee = x->number,
                                             .items = *room + mine * KN_MOST_KNOWN,
                                             .items_count = size,
                                             .column = v->seen.column};
    return KN_OK;
}

/* ---- sizes that are counted ---- */

/* How many itemsets of up to `m` items have to be looked at: those of the items, or those inside
 * the records, whichever are fewer. */
static double work_of(const checking *x, size_t m)
{
    double inside = 0;

    for (size_t size = 1; size <= m; size++) {
        inside += kn__set_source_pairs(x->source, size);
    }
    return fmin(inside, kn__dense_rare_work(x->source, m));
}

static kn_status refuse_work(size_t exact, double work, kn_error *err)
{
    const double hours = work * 1e-8 / 3600;

    return kn__fail(err, KN_EUSAGE,
                    "sigma-km-anonymity: all itemsets of up to %zu items would have to be counted, "
                    "some %.0e of them, which takes about %.2g %s: give larger sizes a sigma below "
                    "1, such as --sigma 1,1,1,1,0.99, and --exact-up-to %zu or less",
                    exact, work, hours < 8760 ? hours : hours / 8760,
                    hours < 8760 ? "hours" : "years", exact > 4 ? (size_t)4 : exact - 1);
}

/* The second count must not contradict the first. */
static kn_status count_again(checking *x, const kn_dense_rare *r, size_t m, kn_error *err)
{
    kn_verdict *v = x->c->verdict;
    const size_t most = m < KN_MOST_M ? m : KN_MOST_M;
    kn_recount second;

    KN_PASS(kn__km_recount(&second, x->c->ds, v->seen.column, most,
                           x->g->recount == KN_RECOUNT_FULL ? 0 : KN__RECOUNT_BUDGET, x->c->run,
                           err));
    for (size_t size = 1; size <= most; size++) {
        const bool rare = second.least[size] && second.least[size] < kn_guarantee_k(x->g, size);
        if (rare != (r->count[size] > 0) && (rare || second.one_in[size] == 1)) {
            return kn__fail(err, KN_EBROKEN,
                            "two counts of itemsets of %zu items disagree. This is a defect of "
                            "kanon; please report it",
                            size);
        }
    }
    memcpy(v->seen.recounted + 1, second.one_in + 1, most * sizeof *v->seen.recounted);
    kn__km_recount_words(&second, most, v->recount, sizeof v->recount);
    v->seen.recount = v->recount;
    return KN_OK;
}

/* The smallest first, then the rarest. */
static int worse_first(const void *a, const void *b)
{
    const kn_dense_itemset *x = a, *y = b;

    if (x->size != y->size) {
        return x->size < y->size ? -1 : 1;
    }
    if (x->support != y->support) {
        return x->support < y->support ? -1 : 1;
    }
    return memcmp(x->items, y->items, x->size * sizeof *x->items);
}

static kn_status add_rare(checking *x, kn_dense_rare *r, size_t exact, kn_error *err)
{
    uint64_t counted = 0, all = 0;
    kn_status status = KN_OK;

    qsort(r->kept, r->kept_count, sizeof *r->kept, worse_first);
    for (size_t i = 0; i < r->kept_count && status == KN_OK; i++) {
        const kn_dense_itemset *found = &r->kept[i];
        uint32_t items[KN_MOST_KNOWN];
        if (found->size <= exact) {
            for (size_t j = 0; j < found->size; j++) {
                items[j] = x->code[found->items[j]];
            }
            kn__sort_u32(items, found->size);
            counted++;
            status = add_violation(x, items, found->size, found->support, err);
        }
    }
    for (size_t size = 1; size <= exact; size++) {
        x->c->verdict->violations += (size_t)r->count[size];
        all += r->count[size];
    }
    x->c->verdict->violations -= (size_t)counted;
    x->c->verdict->seen.at_least |= counted < all;
    return status;
}

/* Count sizes 1..exact, and more where that is cheap and there is no original to sample from. The
 * sizes that are settled then are 1..*settled. */
static kn_status check_exact(checking *x, size_t exact, size_t *settled, kn_error *err)
{
    const size_t m = x->g->m;
    size_t k[KN_MOST_KNOWN + 1] = {0}, up_to = exact, longest = x->source->longest;
    kn_dense_rare *r = NULL;
    bool rare = false;
    kn_status status = KN_OK;

    if (!x->certifier && exact < m && work_of(x, m < longest ? m : longest) <= CHEAP) {
        up_to = m;
    }
    *settled = 0;
    if (up_to == 0) {
        return KN_OK;
    }
    /* Published itemsets longer than every record do not occur. */
    const size_t counted = up_to < longest ? up_to : longest;
    for (size_t size = 1; size <= counted; size++) {
        k[size] = kn_guarantee_k(x->g, size);
    }
    if (counted) {
        const double work = work_of(x, counted);
        KN_TRY(work > OUT_OF_REACH ? refuse_work(counted, work, err) : KN_OK);
        KN_TRY(kn__dense_rare_find(&r, x->source, k, counted, KEPT, x->c->run, err));
        KN_TRY(count_again(x, r, counted, err));
        KN_TRY(add_rare(x, r, exact, err));
    }
    for (size_t size = 1; size <= up_to; size++) {
        const bool fails = size <= counted && r->count[size] > 0;
        rare = rare || fails;
        if (size > exact && rare) {
            break; /* samples might still show that few fail */
        }
        const kn_certificate made = {.size = size,
                                     .kind = size > x->longest ? KN_CERTIFIED_NOTHING
                                                               : KN_CERTIFIED_EXACT,
                                     .holds = !rare,
                                     .k = kn_guarantee_k(x->g, size),
                                     .sigma = kn_guarantee_sigma(x->g, size),
                                     .failures = fails ? r->count[size] : 0,
                                     .eps = rare ? 1 : 0};
        KN_TRY(add_certificate(x->c->verdict, &made, x->number, err));
        *settled = size;
        if (made.kind == KN_CERTIFIED_NOTHING) {
            *settled = m; /* nor are there larger ones */
            break;
        }
    }
done:
    kn__dense_rare_free(r);
    return status;
}

/* ---- sizes that are sampled ---- */

typedef struct holders {
    const kn_baskets *b;
    uint32_t people;
} holders;

static void add_holder(void *user, uint32_t record)
{
    holders *h = user;

    h->people += kn__baskets_people(h->b, record);
}

/* Collect the failing samples as itemsets of the release, KEPT of them at most. */
static kn_status collect_failures(checking *x, const kn_certify_question *q, const uint8_t *failing,
                                  uint64_t samples, const uint32_t *to, kn_error *err)
{
    assert(to); /* samples are drawn from an original only, and then it is known */
    if (!x->postings) {
        KN_PASS(kn__postings_new(&x->postings, x->b, err));
    }
    for (uint64_t i = 0; i < samples && x->failed_count < KEPT; i++) {
        uint32_t items[KN_MOST_KNOWN];
        size_t count, len = 0;
        if (!failing[i]) {
            continue;
        }
        KN_PASS(kn__grow(&x->failed, &x->failed_cap, x->failed_count + 1, sizeof *x->failed, err));
        kn_dense_itemset *found = &x->failed[x->failed_count++];
        *found = (kn_dense_itemset){0};
        KN_PASS(kn__certify_sample(&count, items, x->certifier, q, i, err));
        for (size_t j = 0; j < count; j++) {
            if (to[items[j]] != KN_NO_CODE) {
                items[len++] = to[items[j]];
            }
        }
        kn__sort_u32(items, len);
        for (size_t j = 0; j < len; j++) {
            if (j == 0 || items[j] != items[j - 1]) {
                found->items[found->size++] = items[j];
            }
        }
        holders h = {.b = x->b};
        kn__postings_each(x->postings, found->items, found->size, add_holder, &h);
        found->support = h.people;
    }
    return KN_OK;
}

/* Each of them is a violation, once, unless its size was counted and it is one already. */
static kn_status add_failures(checking *x, size_t exact, kn_error *err)
{
    kn_status status = KN_OK;

    if (x->failed_count > 0) {
        qsort(x->failed, x->failed_count, sizeof *x->failed, worse_first);
    }
    for (size_t i = 0; i < x->failed_count; i++) {
        const kn_dense_itemset *found = &x->failed[i];
        if (found->size > exact && (i == 0 || worse_first(found - 1, found) != 0)) {
            KN_TRY(add_violation(x, found->items, found->size, found->support, err));
        }
    }
done:
    x->failed_count = 0;
    return status;
}

static kn_status check_sampled(checking *x, size_t size, kn_attacker attacker, const uint32_t *to,
                               kn_error *err)
{
    const double sigma = kn_guarantee_sigma(x->g, size);
    const kn_certify_question q = {.size = size,
                                   .k = kn_guarantee_k(x->g, size),
                                   .attacker = attacker,
                                   .sigma = sigma,
                                   .delta = x->g->delta > 0 ? x->g->delta : kn__sample_delta(sigma),
                                   .attempt = x->g->attempt ? x->g->attempt : 1,
                                   .seed = x->c->run ? x->c->run->seed : 0};
    kn_certificate made = {
        .size = size, .k = q.k, .sigma = sigma, .attacker = attacker, .kind = KN_CERTIFIED_UNKNOWN};
    uint8_t *failing = NULL;
    kn_status status = KN_OK;

    KN_TRY(kn__certify(&made, &failing, x->certifier, &q, x->c->run, err));
    if (!made.holds) {
        x->c->verdict->seen.at_least = true; /* what was not drawn may be rare as well */
        KN_TRY(collect_failures(x, &q, failing, made.samples, to, err));
    }
    KN_TRY(add_certificate(x->c->verdict, &made, x->number, err));
done:
    kn__free(failing);
    return status;
}

/* A size that cannot be sampled: there is no original, or no record of it is so long. */
static kn_status leave_size(checking *x, size_t size, kn_error *err)
{
    const kn_certificate made = {.size = size,
                                 .k = kn_guarantee_k(x->g, size),
                                 .sigma = kn_guarantee_sigma(x->g, size),
                                 .kind = x->certifier ? KN_CERTIFIED_NOTHING : KN_CERTIFIED_UNKNOWN,
                                 .holds = x->certifier != NULL};

    return add_certificate(x->c->verdict, &made, x->number, err);
}

static kn_status check_one(checking *x, const uint32_t *to, kn_error *err)
{
    const unsigned attackers = x->g->attackers ? x->g->attackers
                                               : KN_ATTACKER_UNIFORM | KN_ATTACKER_PERSON;
    size_t exact = 0, settled;

    while (exact < x->g->m && kn_guarantee_exact(x->g, exact + 1)) {
        exact++;
    }
    x->c->verdict->achieved[x->number] = 1;
    KN_PASS(check_exact(x, exact, &settled, err));
    for (size_t size = settled + 1; size <= x->g->m; size++) {
        if (!x->certifier || size > x->longest) { /* for every attacker */
            KN_PASS(leave_size(x, size, err));
            if (x->certifier) {
                break; /* nor are there larger ones */
            }
            continue;
        }
        if (attackers & KN_ATTACKER_UNIFORM) {
            KN_PASS(check_sampled(x, size, KN_ATTACKER_UNIFORM, to, err));
        }
        if (attackers & KN_ATTACKER_PERSON) {
            KN_PASS(check_sampled(x, size, KN_ATTACKER_PERSON, to, err));
        }
    }
    return add_failures(x, exact, err);
}

/* ---- the data ---- */

typedef struct ranked {
    uint32_t code;
    uint64_t support;
} ranked;

static int by_support(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->support != y->support) {
        return x->support < y->support ? -1 : 1;
    }
    return x->code < y->code ? -1 : x->code > y->code;
}

/* Number the items by rising support; (*code)[number] is the code. */
static kn_status rank_items(kn_set_source **out, uint32_t **code, const kn_baskets *b,
                            const kn_run *run, kn_error *err)
{
    ranked *order = kn__malloc_array(b->items, sizeof *order);
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    kn_baskets *mapped = NULL;
    kn_status status;

    *code = kn__malloc_array(b->items, sizeof **code);
    KN_TRY(order && to && *code ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < b->items; i++) {
        order[i] = (ranked){.code = i};
    }
    for (size_t i = 0; i < b->records; i++) {
        for (uint64_t at = b->starts[i]; at < b->starts[i + 1]; at++) {
            order[b->list[at]].support += kn__baskets_people(b, i);
        }
    }
    qsort(order, b->items, sizeof *order, by_support);
    for (uint32_t i = 0; i < b->items; i++) {
        (*code)[i] = order[i].code;
        to[order[i].code] = i;
    }
    KN_TRY(kn__baskets_map(&mapped, b, to, b->items, run, err));
    KN_TRY(kn__set_source_new(out, mapped, err));
done:
    kn__baskets_free(mapped);
    KN_FREE(order, to);
    return status;
}

static size_t longest_of(const kn_baskets *b)
{
    size_t longest = 0;

    for (size_t i = 0; i < b->records; i++) {
        const size_t len = (size_t)(b->starts[i + 1] - b->starts[i]);
        longest = len > longest ? len : longest;
    }
    return longest;
}

/* The column of the original, and what each of its items is published as. */
static kn_status match_original(const kn_checking *c, kn_baskets **original, uint32_t **to,
                                const kn_baskets *b, kn_error *err)
{
    const kn_column *released = &c->ds->column[c->verdict->seen.column], *column;
    const size_t at = kn_dataset_find(c->original, released->name);
    kn_baskets *mapped = NULL;
    kn_status status;

    if (at == SIZE_MAX || !kn__type_is_list(c->original->column[at].type)) {
        return kn__fail(err, KN_EINPUT,
                        "the release does not belong to the original, which has no column \"%s\" "
                        "of items",
                        released->name);
    }
    column = &c->original->column[at];
    KN_TRY(kn__baskets_of_column(original, column, c->original->records, err));
    (*original)->people = c->original->counts;
    KN_TRY(kn__published_items(
        to, column, released,
        c->hierarchies ? kn_hierarchies_get(c->hierarchies, column->name) : NULL, err));
    KN_TRY(kn__baskets_map(&mapped, *original, *to, b->items, c->run, err));
    KN_TRY(kn__published_records(mapped, b, err));
done:
    kn__baskets_free(mapped);
    return status;
}

static kn_status make_certifier(checking *x, const kn_baskets *original, const uint32_t *to,
                                kn_error *err)
{
    const kn_certify_lists from = {original->records, original->items, original->starts,
                                   original->list, original->people};
    const kn_certify_lists into = {x->b->records, x->b->items, x->b->starts, x->b->list,
                                   x->b->people};

    return kn__certifier_new(&x->certifier, &from, &into, to, err);
}

static kn_status refuse_bags(const kn_checking *c, kn_error *err)
{
    const kn_column *column = &c->ds->column[c->verdict->seen.column];

    return column->type == KN_TYPE_SET
               ? KN_OK
               : kn__fail(err, KN_EUSAGE,
                          "column \"%s\" holds items more than once: sigma-km-anonymity is about "
                          "sets; read it as one (--type %s=set), or ask for km-anonymity",
                          column->name, column->name);
}

static kn_status leave_open(const kn_checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->guarantees[i].kind == KN_SIGMA_KM_ANONYMITY) {
            c->verdict->achieved[i] = NAN;
        }
    }
    return KN_OK;
}

kn_status kn__sigma_km_check(const kn_checking *c, kn_error *err)
{
    kn_verdict *v = c->verdict;
    checking x = {.c = c, .risky = c->risky};
    kn_baskets *b = NULL, *original = NULL;
    uint32_t *to = NULL, *code = NULL;
    uint8_t *own = NULL;
    kn_status status;

    if (!c->twice) { /* data that are not published: their itemsets may be too many to count */
        return leave_open(c);
    }
    KN_TRY(kn__items_column(&v->seen.column, c->ds, "sigma-km-anonymity", c->classes != NULL, err));
    KN_TRY(refuse_bags(c, err));
    KN_TRY(kn__verdict_prepare_items(v, err));
    KN_TRY(kn__baskets_of_column(&b, &c->ds->column[v->seen.column], c->ds->records, err));
    b->people = c->ds->counts;
    x.b = b;
    x.longest = v->seen.longest = longest_of(b);
    if (!x.risky) {
        x.risky = own = kn__zalloc_array(c->ds->records, 1);
        KN_TRY(own ? KN_OK : kn__nomem(err));
    }
    if (c->original) {
        KN_TRY(match_original(c, &original, &to, b, err));
        x.longest = longest_of(original);
        KN_TRY(make_certifier(&x, original, to, err));
    }
    KN_TRY(rank_items(&x.source, &code, b, c->run, err));
    x.code = code;
    v->seen.distinct = x.source->records->records;
    v->seen.empty = 0;
    for (size_t i = 0; i < b->records; i++) {
        v->seen.empty += b->starts[i] == b->starts[i + 1] ? kn__baskets_people(b, i) : 0;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->guarantees[i].kind == KN_SIGMA_KM_ANONYMITY) {
            x.g = &c->guarantees[i];
            x.number = i;
            KN_TRY(check_one(&x, to, err));
        }
    }
    v->classes = c->classes ? v->classes : v->seen.distinct;
    for (size_t i = 0; own && i < c->ds->records; i++) {
        v->at_risk += own[i] ? kn__dataset_count(c->ds, i) : 0;
    }
done:
    kn__certifier_free(x.certifier);
    kn__set_source_free(x.source);
    kn__postings_free(x.postings);
    kn__free(x.failed);
    kn__baskets_free(b);
    kn__baskets_free(original);
    KN_FREE(to, code, own);
    return status;
}
