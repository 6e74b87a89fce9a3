/* cluster_items.c - T for one cluster: its records are taken from the whole, generalised by one of
 * the searches, and what that costs is added up. */
#include "methods/mixed/cluster_items.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "methods/mixed/cluster_items_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 28)

/* ---- making ---- */

void kn__cluster_items_free(kn_cluster_items *t)
{
    if (t) {
        for (unsigned i = 0; t->part && i < t->workers; i++) {
            kn__arena_clear(&t->part[i].arena);
            kn__free(t->part[i].number);
        }
        KN_FREE(t->part, t->by_order, t);
    }
}

kn_status kn__cluster_items_new(kn_cluster_items **out, const kn_baskets *all,
                                const kn_domain *domain, size_t k, size_t m, double l,
                                const uint8_t *sensitive, unsigned workers, const kn_run *run,
                                kn_error *err)
{
    kn_cluster_items *t;
    bool fine;

    *out = NULL;
    if (k < 1 || m < 1 || m > KN_MOST_M || !(l == 0 || (l >= 1 && !isinf(l)))) {
        return kn__fail(err, KN_EUSAGE,
                        "k is %zu, m %zu and l %g: k is at least 1, m 1 to %d, l at least 1, or 0 "
                        "where nothing is sensitive",
                        k, m, l, KN_MOST_M);
    }
    t = kn__zalloc(sizeof *t);
    KN_PASS(t ? KN_OK : kn__nomem(err));
    *t = (kn_cluster_items){.all = all,
                            .domain = domain,
                            .tree = domain && domain->kind == KN_DOMAIN_TREE,
                            .k = k,
                            .m = m,
                            .l = l,
                            .sensitive = l > 0 ? sensitive : NULL,
                            .workers = workers ? workers : 1,
                            .total = domain ? domain->total : all->items,
                            .most_bytes = MOST_BYTES};
    t->part = kn__zalloc_array(t->workers, sizeof *t->part);
    fine = t->part != NULL;
    for (unsigned i = 0; i < t->workers && fine; i++) {
        kn__part *p = &t->part[i];
        p->t = t;
        p->run = i == 0 ? run : NULL;
        p->number = kn__zalloc_array(all->items, sizeof *p->number);
        fine = p->number != NULL;
    }
    if (fine && t->tree) {
        t->by_order = kn__malloc_array(domain->values, sizeof *t->by_order);
        fine = t->by_order != NULL;
        for (uint32_t i = 0; fine && i < domain->values; i++) {
            t->by_order[domain->order[i]] = i;
        }
    }
    if (!fine) {
        kn__cluster_items_free(t);
        return kn__nomem(err);
    }
    *out = t;
    return KN_OK;
}

void kn__cluster_items_weigh(kn_cluster_items *t, const double *weight)
{
    t->weight = weight;
}

bool kn__cluster_items_protects(const kn_cluster_items *t)
{
    return t->sensitive && t->l > 1;
}

void kn__part_map_clear(kn_part_map *map)
{
    KN_FREE(map->item, map->to, map->node);
    *map = (kn_part_map){0};
}

/* ---- feasible? ---- */

static bool is_sensitive(const kn_cluster_items *t, uint32_t code)
{
    return t->sensitive && t->sensitive[code];
}

static size_t known_items(const kn_cluster_items *t, uint32_t record)
{
    size_t len, known = 0;
    const uint32_t *items = kn__baskets_record(t->all, record, &len);

    for (size_t i = 0; i < len && t->sensitive; i++) {
        known += !t->sensitive[items[i]];
    }
    return t->sensitive ? known : len;
}

/* Whether an attacker who knows that a person has `size` items, whatever they are, knows too much;
 * the counts are put into p->number, which is as it was afterwards. */
static bool too_sure(kn__part *p, const uint32_t *records, size_t count, size_t size, size_t held)
{
    const kn_cluster_items *t = p->t;
    bool sure = false;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            size_t len;
            const uint32_t *items = kn__baskets_record(t->all, records[i], &len);
            const bool in = known_items(t, records[i]) >= size;
            for (size_t j = 0; j < len; j++) {
                const bool again = j > 0 && items[j] == items[j - 1];
                if (is_sensitive(t, items[j]) && !again) {
                    uint32_t *number = &p->number[items[j]];
                    *number = pass == 0 ? *number + in : 0;
                    sure = sure || (*number && kn__part_too_sure((double)held, *number, t->l));
                }
            }
        }
    }
    return sure;
}

/* What stands against one group for all items. */
typedef struct obstacle {
    size_t size;  /* the least number of items for which too few records, or too much, is known */
    size_t held;  /* records that hold so many */
    bool in_part; /* only that a sensitive item is in too many of them: finer items may do */
} obstacle;

/* The class itself, and the support of any items, are the same or less with finer items: such an
 * obstacle is returned if there is one. False: there is none of any kind. */
static bool find_obstacle(kn__part *p, const uint32_t *records, size_t count, obstacle *out)
{
    const kn_cluster_items *t = p->t;
    const size_t most = t->all->bags ? t->m : 1;
    size_t with[KN_MOST_M + 1] = {0};

    for (size_t i = 0; i < count; i++) {
        const size_t len = known_items(t, records[i]);
        with[len < most ? len : most]++;
    }
    for (size_t size = most; size-- > 0;) {
        with[size] += with[size + 1];
    }
    for (size_t size = 1; size <= most; size++) {
        if (with[size] && with[size] < t->k) {
            *out = (obstacle){size, with[size], false};
            return true;
        }
    }
    for (size_t size = 0; size <= most && t->sensitive; size++) {
        if (with[size] && too_sure(p, records, count, size, with[size])) {
            *out = (obstacle){size, with[size], size > 0};
            return true;
        }
    }
    return false;
}

static kn_status infeasible(const kn_cluster_items *t, const obstacle *o, kn_error *err)
{
    if (o->size && o->held < t->k) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "only %zu records of a class hold %zu or more items, and k is %zu", o->held,
                        o->size, t->k);
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "a sensitive item is in more than 1/%g of the %zu records of a class%s", t->l,
                    o->held,
                    o->in_part ? " that hold other items, and no finer items were found with which "
                                 "it is not"
                               : "");
}

/* ---- the cluster ---- */

/* The codes that occur into `codes`, of `occurrences`; p->number of each becomes 1. */
static size_t find_codes(kn__part *p, const uint32_t *records, size_t count, uint32_t *codes)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(p->t->all, records[i], &len);
        for (size_t j = 0; j < len; j++) {
            if (!p->number[items[j]]) {
                p->number[items[j]] = 1;
                codes[found++] = items[j];
            }
        }
    }
    return found;
}

/* Items are numbered in the order of the hierarchy, so that those below a node are adjacent; those
 * that must be published as the root come last. Without a hierarchy: by their codes. */
static uint32_t place_of(const kn_cluster_items *t, uint32_t code)
{
    const kn_domain *d = t->domain;

    if (!t->tree) {
        return code;
    }
    return d->order[code] + (d->start[code] == kn__domain_root(d) ? d->values : 0);
}

static void give_numbers(kn__part *p, const uint32_t *codes, size_t found)
{
    const kn_cluster_items *t = p->t;

    for (size_t i = 0; i < found; i++) {
        if (is_sensitive(t, codes[i])) {
            p->secret[p->secrets++] = codes[i];
        } else {
            p->code[p->items++] = place_of(t, codes[i]);
        }
    }
    kn__sort_u32(p->code, p->items);
    kn__sort_u32(p->secret, p->secrets);
    for (uint32_t i = 0; i < p->items; i++) {
        p->code[i] = t->tree ? t->by_order[p->code[i] % t->domain->values] : p->code[i];
        p->number[p->code[i]] = i + 1;
        p->times[i] = 0;
    }
    for (uint32_t i = 0; i < p->secrets; i++) {
        p->number[p->secret[i]] = i + 1;
    }
}

static void read_records(kn__part *p, const uint32_t *records, size_t count)
{
    const kn_cluster_items *t = p->t;
    size_t at = 0;

    p->starts[0] = 0;
    for (size_t i = 0; i < count; i++) {
        size_t len, level = 0;
        const uint32_t *items = kn__baskets_record(t->all, records[i], &len);
        p->kept[i] = 0;
        if (t->weight) {
            p->kept_worth[i] = 0;
        }
        for (size_t j = 0; j < len; j++) {
            const uint32_t number = p->number[items[j]] - 1;
            level = j > 0 && items[j] == items[j - 1] ? level + 1 : 0;
            if (is_sensitive(t, items[j])) {
                kn__bit_set(p->secret_bits + number * p->words, i);
                p->kept[i]++;
                if (t->weight) {
                    p->kept_worth[i] += t->weight[items[j]];
                }
                continue;
            }
            if (level < p->levels && p->bits) {
                kn__bit_set(kn__part_bits(p, number) + level * p->words, i);
            }
            p->times[number]++;
            p->list[at++] = number;
        }
        if (t->tree) { /* codes need not be in the hierarchy's order */
            kn__sort_u32(p->list + p->starts[i], at - p->starts[i]);
        }
        p->starts[i + 1] = at;
    }
}

/* The bitmaps, all 0; none for items where the search does without. */
static void take_bits(kn__part *p)
{
    const size_t slots = KN__PART_SLOTS(p->items), most = p->t->most_bytes / sizeof *p->bits;

    p->secret_bits = kn__arena_zeros(&p->arena, p->secrets * p->words, sizeof *p->secret_bits);
    p->bits = NULL;
    if (!p->t->tree || p->secrets || p->stride <= most / slots) {
        p->bits = kn__arena_take(&p->arena, slots, p->stride * sizeof *p->bits);
    }
    if (p->bits) {
        memset(p->bits, 0, p->items * p->stride * sizeof *p->bits);
    }
}

/* What part_ul needs, for as many groups as there are items. */
static void ready_for_ul(kn__part *p)
{
    size_t longest = 0;

    for (size_t i = 0; i < p->records; i++) {
        const size_t len = p->starts[i + 1] - p->starts[i] + p->kept[i];
        longest = len > longest ? len : longest;
    }
    p->seen = kn__arena_zeros(&p->arena, p->items, sizeof *p->seen);
    p->sizes = kn__arena_take(&p->arena, longest, sizeof *p->sizes);
    p->met = 0;
    p->worth = p->weights = NULL;
    if (p->t->weight) {
        p->worth = kn__arena_take(&p->arena, p->items, sizeof *p->worth);
        p->weights = kn__arena_take(&p->arena, longest, sizeof *p->weights);
    }
}

static kn_status load(kn__part *p, const uint32_t *records, size_t count, kn_error *err)
{
    const kn_cluster_items *t = p->t;
    size_t occurrences = 0, longest = 0, found, slots;
    uint32_t *codes;

    kn__arena_clear(&p->arena);
    for (size_t i = 0; i < count; i++) {
        const size_t len = known_items(t, records[i]);
        longest = len > longest ? len : longest;
        occurrences += (size_t)(t->all->starts[records[i] + 1] - t->all->starts[records[i]]);
    }
    p->records = count;
    p->words = kn__bits_words(count);
    p->levels = 1;
    if (t->all->bags && longest > 1) {
        p->levels = longest < t->m ? longest : t->m;
    }
    p->stride = p->words * p->levels;
    p->work = p->reported = 0;
    p->items = p->secrets = p->groups = 0;
    p->node = NULL;
    codes = kn__arena_take(&p->arena, occurrences, sizeof *codes);
    KN_PASS(codes ? KN_OK : kn__nomem(err));
    found = find_codes(p, records, count, codes);
    slots = KN__PART_SLOTS(found);
    p->code = kn__arena_take(&p->arena, found, sizeof *p->code);
    p->times = kn__arena_take(&p->arena, found, sizeof *p->times);
    p->secret = kn__arena_take(&p->arena, found, sizeof *p->secret);
    p->of = kn__arena_take(&p->arena, found, sizeof *p->of);
    p->size = kn__arena_take(&p->arena, found, sizeof *p->size);
    p->live = kn__arena_take(&p->arena, slots, sizeof *p->live);
    p->list = kn__arena_take(&p->arena, occurrences, sizeof *p->list);
    p->starts = kn__arena_take(&p->arena, count + 1, sizeof *p->starts);
    p->kept = kn__arena_take(&p->arena, count, sizeof *p->kept);
    p->kept_worth = t->weight ? kn__arena_take(&p->arena, count, sizeof *p->kept_worth) : NULL;
    p->prefix = kn__arena_take(&p->arena, t->m * p->words, sizeof *p->prefix);
    p->all = kn__arena_take(&p->arena, p->words, sizeof *p->all);
    if (!p->arena.failed) {
        give_numbers(p, codes, found);
        take_bits(p);
    }
    if (!p->arena.failed) {
        for (size_t i = 0; i < p->words; i++) {
            p->all[i] = (kn__part_word){UINT64_MAX, (uint32_t)i};
        }
        read_records(p, records, count);
        ready_for_ul(p);
    }
    for (size_t i = 0; i < found; i++) {
        p->number[codes[i]] = 0;
    }
    return kn__arena_check(&p->arena, err);
}

/* ---- what was found ---- */

/* In sets a group counts once a record, in bags as often as it is held. */
kn_ul_parts kn__part_ul_of(kn__part *p, size_t record)
{
    const bool bags = p->t->all->bags;
    size_t len = 0;

    p->met++;
    for (size_t j = p->starts[record]; j < p->starts[record + 1]; j++) {
        const uint32_t group = p->of[p->list[j]];
        if (bags || p->seen[group] != p->met) {
            p->seen[group] = p->met;
            if (p->worth) {
                p->weights[len] = p->worth[group] / (double)p->size[group];
            }
            p->sizes[len++] = p->size[group];
        }
    }
    for (uint32_t j = 0; j < p->kept[record]; j++) {
        if (p->worth) {
            p->weights[len] = p->kept_worth[record] / p->kept[record];
        }
        p->sizes[len++] = 1;
    }
    return kn__ul_add_up(p->sizes, p->weights, len);
}

/* The sum of UL over all records. */
static double part_ul(kn__part *p)
{
    double sum = 0;

    for (size_t i = 0; i < p->records; i++) {
        const kn_ul_parts parts = kn__part_ul_of(p, i);
        sum += kn__ul_of(&parts);
    }
    return sum;
}

static double ncp_of(const kn__part *p, uint32_t group)
{
    const kn_cluster_items *t = p->t;

    if (t->tree) {
        return kn__domain_ncp(t->domain, p->node[group]);
    }
    return p->size[group] == 1 ? 0 : (double)p->size[group] / t->total;
}

/* Items and groups by their codes, sensitive ones among them. */
static kn_status put_out(kn__part *p, kn_part_map *out, kn_error *err)
{
    const uint32_t items = p->items + p->secrets;
    uint32_t *number = kn__arena_take(&p->arena, p->groups,
                                      sizeof *number); /* by group: its number */

    out->item = kn__malloc_array(items, sizeof *out->item);
    out->to = kn__malloc_array(items, sizeof *out->to);
    out->node = p->t->tree ? kn__malloc_array(p->groups + p->secrets, sizeof *out->node) : NULL;
    if (!number || !out->item || !out->to || (p->t->tree && !out->node)) {
        return kn__nomem(err);
    }
    memcpy(out->item, p->secret, p->secrets * sizeof *out->item);
    memcpy(out->item + p->secrets, p->code, p->items * sizeof *out->item);
    memset(number, 0xff, p->groups * sizeof *number);
    kn__sort_u32(out->item, items);
    for (uint32_t i = 0; i < p->items; i++) {
        p->number[p->code[i]] = i + 1;
        out->ncp += p->times[i] * ncp_of(p, p->of[i]);
    }
    for (; out->items < items; out->items++) {
        const uint32_t code = out->item[out->items], item = p->number[code];
        uint32_t alone = KN_NO_CODE;
        uint32_t *const group = item ? &number[p->of[item - 1]] : &alone;
        if (*group == KN_NO_CODE) {
            *group = out->groups++;
            if (out->node) {
                out->node[*group] = item ? p->node[p->of[item - 1]] : code;
            }
        }
        out->to[out->items] = *group;
        p->number[code] = 0;
    }
    out->ul = part_ul(p);
    for (size_t i = 0; i < p->records && !p->t->weight; i++) {
        out->least += p->starts[i + 1] - p->starts[i] + p->kept[i] == 1;
    }
    return KN_OK;
}

/* Find the groups of items, or with `trial` whether there are any. `*as_one`: one group for all of
 * them would do. */
static kn_status generalise(kn__part *p, const uint32_t *records, size_t count, bool trial,
                            bool *as_one, kn_error *err)
{
    obstacle o = {0};
    kn_status status;

    *as_one = !find_obstacle(p, records, count, &o);
    if (!*as_one && !o.in_part) {
        return infeasible(p->t, &o, err);
    }
    if (*as_one && trial) {
        return KN_OK;
    }
    status = load(p, records, count, err);
    p->finer = !*as_one;
    p->trial = trial;
    if (status == KN_OK && p->items) {
        status = p->t->tree ? kn__part_tree(p, err) : kn__part_sets(p, err);
    }
    return status == KN_EINFEASIBLE ? infeasible(p->t, &o, err) : status;
}

kn_status kn__cluster_items_run(kn_cluster_items *t, unsigned worker, const uint32_t *records,
                                size_t count, kn_part_map *out, kn_error *err)
{
    kn__part *p = &t->part[worker];
    bool as_one;
    kn_status status;

    assert(worker < t->workers);
    *out = (kn_part_map){0};
    KN_TRY(generalise(p, records, count, false, &as_one, err));
    KN_TRY(put_out(p, out, err));
done:
    if (status != KN_OK) {
        kn__part_map_clear(out);
    }
    return status;
}

kn_status kn__cluster_items_feasible(kn_cluster_items *t, unsigned worker, const uint32_t *records,
                                     size_t count, kn_feasibility *out, kn_error *err)
{
    kn_error why = {0};
    bool as_one;
    kn_status status;

    assert(worker < t->workers);
    *out = KN_FEASIBLE_NOT;
    status = generalise(&t->part[worker], records, count, true, &as_one, &why);
    if (status == KN_OK) {
        *out = as_one ? KN_FEASIBLE_AS_ONE : KN_FEASIBLE_FINER;
    } else if (status != KN_EINFEASIBLE) {
        return kn__fail(err, status, "%s", why.message);
    }
    return KN_OK;
}

bool kn__cluster_items_hopeless(kn_cluster_items *t, unsigned worker, const uint32_t *records,
                                size_t count)
{
    obstacle o;

    assert(worker < t->workers);
    return find_obstacle(&t->part[worker], records, count, &o) && !o.in_part;
}

bool kn__cluster_items_feasible_as_one(kn_cluster_items *t, unsigned worker,
                                       const uint32_t *records, size_t count)
{
    obstacle o;

    assert(worker < t->workers);
    return !find_obstacle(&t->part[worker], records, count, &o);
}
