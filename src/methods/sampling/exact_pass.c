/* exact_pass.c - a depth-first walk over combinations of regions.
 *
 * A node of the walk is a prefix. Its bits over the longest records are the AND of its regions'
 * bits. The last region of a combination is decided by counting common bits until k is reached;
 * only what stays below k looks at the records behind, of which the prefix has a list that is made
 * when it is first needed. Where few records hold the prefix, fewer items than there are regions,
 * its extensions are counted by reading these records instead: what does not occur is then never
 * looked at. */
#include "methods/sampling/exact_pass.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <string.h>

enum { SCAN_FACTOR = 4 /* reading an item costs about a quarter of looking at a region */ };

void kn__combinations_clear(kn_combinations *c)
{
    kn__free(c->region);
    *c = (kn_combinations){.size = c->size};
}

kn_status kn__combinations_add(kn_combinations *c, const uint32_t *regions, kn_error *err)
{
    const size_t each = c->size * sizeof *regions;
    const kn_status status = kn__grow(&c->region, &c->room, c->count + 1, each, err);

    if (status == KN_OK) {
        memcpy(c->region + c->count++ * c->size, regions, each);
    }
    return status;
}

/* Records that hold a prefix. */
typedef struct record_list {
    uint32_t *records;
    size_t len, room;
    bool made;
} record_list;

typedef struct worker {
    struct kn_exact_pass *p;
    uint32_t prefix[KN_MOST_KNOWN];    /* regions */
    uint64_t *bits[KN_MOST_KNOWN];     /* by depth: of the prefix of depth + 1 regions */
    record_list behind[KN_MOST_KNOWN]; /* the same: records behind the longest */
    record_list whole[KN_MOST_KNOWN];  /* the same: all records, where they are read */
    uint32_t *count[KN_MOST_KNOWN];    /* by depth and place: people of an extension */
    uint32_t *touched[KN_MOST_KNOWN];  /* places whose count is not 0 */
    uint32_t *stamp, stamps;           /* by place: the record that was counted last */
    bool failed;                       /* memory is out */
} worker;

struct kn_exact_pass {
    const kn_regions *regions;
    const kn_region_index *index;
    size_t size, k, unit_depth;
    const kn_run *run;
    unsigned threads;
    uint32_t *alive; /* regions that records hold, ascending */
    uint32_t *place; /* by region: where in `alive` */
    size_t alive_count;
    uint32_t last[2]; /* the unit that was walked last, as regions */
    bool begun;
    /* Of a round: units and what each found. */
    uint32_t (*unit)[2];
    kn_combinations *found;
    size_t units, units_room;
    worker *workers;
};

/* ---- counting ---- */

#if defined(__x86_64__) && defined(__GNUC__)
#define WITH_POPCNT __attribute__((target("popcnt")))
#else
#define WITH_POPCNT
#endif

/* Common bits of `a` and `b`, counted in steps of 8 words until there are `most`. */
#define DEFINE_COMMON(name, attribute)                                                            \
    attribute static size_t name(const uint64_t *a, const uint64_t *b, size_t words, size_t most) \
    {                                                                                             \
        size_t found = 0, w = 0;                                                                  \
        for (; w + 8 <= words && found < most; w += 8) {                                          \
            for (size_t i = w; i < w + 8; i++) {                                                  \
                found += (size_t)__builtin_popcountll(a[i] & b[i]);                               \
            }                                                                                     \
        }                                                                                         \
        for (; w < words && found < most; w++) {                                                  \
            found += (size_t)__builtin_popcountll(a[w] & b[w]);                                   \
        }                                                                                         \
        return found;                                                                             \
    }
DEFINE_COMMON(common_plain, )
DEFINE_COMMON(common_popcnt, WITH_POPCNT)

static size_t common(const uint64_t *a, const uint64_t *b, size_t words, size_t most)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("popcnt")) {
        return common_popcnt(a, b, words, most);
    }
#endif
    return common_plain(a, b, words, most);
}

static void add_record(worker *w, record_list *l, uint32_t record)
{
    if (kn__grow(&l->records, &l->room, l->len + 1, sizeof *l->records, NULL) != KN_OK) {
        w->failed = true;
        return;
    }
    l->records[l->len++] = record;
}

/* The records of a list from `from` on. */
static void copy_records(worker *w, record_list *out, const kn_region_list *l, uint32_t from)
{
    const size_t words = w->p->index->words;
    size_t at = 0;

    out->len = 0;
    for (size_t word = from / 64; l->bits && word < words && !w->failed; word++) {
        for (uint64_t left = l->bits[word]; left; left &= left - 1) {
            add_record(w, out, (uint32_t)(word * 64 + (size_t)__builtin_ctzll(left)));
        }
    }
    if (!l->bits) {
        (void)kn__region_list_holds(l, from, &at);
        for (; at < l->len && !w->failed; at++) {
            add_record(w, out, l->records[at]);
        }
    }
}

static void filter_records(worker *w, record_list *out, const record_list *in,
                           const kn_region_list *l)
{
    size_t at = 0;

    out->len = 0;
    for (size_t i = 0; i < in->len && !w->failed; i++) {
        if (kn__region_list_holds(l, in->records[i], &at)) {
            add_record(w, out, in->records[i]);
        }
    }
}

/* The records of both lists from `from` on, by the shorter one. */
static void cross_records(worker *w, record_list *out, const kn_region_list *a,
                          const kn_region_list *b, uint32_t from)
{
    const kn_region_list *less = a->len <= b->len ? a : b, *more = a->len <= b->len ? b : a;
    size_t at = 0, in_more = 0;

    out->len = 0;
    for (size_t word = from / 64; less->bits && word < w->p->index->words && !w->failed; word++) {
        for (uint64_t left = less->bits[word] & more->bits[word]; left; left &= left - 1) {
            add_record(w, out, (uint32_t)(word * 64 + (size_t)__builtin_ctzll(left)));
        }
    }
    if (!less->bits) {
        (void)kn__region_list_holds(less, from, &at);
        for (; at < less->len && !w->failed; at++) {
            if (kn__region_list_holds(more, less->records[at], &in_more)) {
                add_record(w, out, less->records[at]);
            }
        }
    }
}

/* The records behind the longest that hold the prefix of `depth` + 1 regions. */
static const record_list *behind(worker *w, size_t depth)
{
    const kn_region_index *x = w->p->index;
    const uint32_t from = (uint32_t)(x->top_words * 64);
    record_list *l = &w->behind[depth];

    if (!l->made) {
        const kn_region_list *own = x->list[w->prefix[depth]];
        if (depth == 0) {
            copy_records(w, l, own, from);
        } else if (depth == 1) {
            cross_records(w, l, x->list[w->prefix[0]], own, from);
        } else {
            filter_records(w, l, behind(w, depth - 1), own);
        }
        l->made = true;
    }
    return l;
}

/* Whether fewer than k people, but at least one, hold the prefix of `depth` + 1 regions and
 * `region`. */
static bool rare(worker *w, size_t depth, uint32_t region)
{
    const kn_region_index *x = w->p->index;
    const uint64_t *own = kn__region_top(x, region);
    const size_t k = w->p->k;
    const record_list *rest;
    size_t found = common(w->bits[depth], own, x->top_words, k), at = 0;

    if (found >= k) {
        return false;
    }
    if (x->single_words < x->top_words) {
        found = 0;
        for (size_t i = 0; i < x->top_words && found < k; i++) {
            found += kn__region_people(x, i, w->bits[depth][i] & own[i]);
        }
    }
    if (x->top_words < x->words && found < k) {
        rest = behind(w, depth);
        for (size_t i = 0; i < rest->len && found < k; i++) {
            if (kn__region_list_holds(x->list[region], rest->records[i], &at)) {
                found += x->source->weight[rest->records[i]];
            }
        }
    }
    return found > 0 && found < k;
}

/* ---- reading the records ---- */

static void keep(worker *w, kn_combinations *found)
{
    if (kn__combinations_add(found, w->prefix, NULL) != KN_OK) {
        w->failed = true;
    }
}

/* Count in how many records of `l` each region at place `from` or behind it occurs. */
static size_t count_extensions(worker *w, const record_list *l, size_t depth, size_t from)
{
    const struct kn_exact_pass *p = w->p;
    const kn_baskets *b = p->index->source->records;
    uint32_t *count = w->count[depth], *touched = w->touched[depth];
    size_t len = 0;

    for (size_t i = 0; i < l->len; i++) {
        const uint32_t record = l->records[i], weight = p->index->source->weight[record];
        if (++w->stamps == 0) { /* all numbers were used: begin again */
            memset(w->stamp, 0, p->regions->rules->items * sizeof *w->stamp);
            w->stamps = 1;
        }
        for (uint64_t at = b->starts[record]; at < b->starts[record + 1]; at++) {
            const uint32_t place = p->place[p->regions->of[b->list[at]]];
            if (place >= from && w->stamp[place] != w->stamps) {
                w->stamp[place] = w->stamps;
                if (count[place] == 0) {
                    touched[len++] = place;
                }
                count[place] += weight;
            }
        }
    }
    kn__sort_u32(touched, len);
    return len;
}

/* `l` holds the prefix of `depth` + 1 regions; extensions from place `from` on. */
static void walk_records(worker *w, const record_list *l, size_t depth, size_t from,
                         kn_combinations *found)
{
    const struct kn_exact_pass *p = w->p;
    const size_t len = count_extensions(w, l, depth, from);

    for (size_t i = 0; i < len && !w->failed; i++) {
        const uint32_t place = w->touched[depth][i], people = w->count[depth][place];
        const uint32_t region = p->alive[place];
        w->count[depth][place] = 0;
        w->prefix[depth + 1] = region;
        if (depth + 2 == p->size) {
            if (people < p->k) {
                keep(w, found);
            }
        } else {
            filter_records(w, &w->whole[depth + 1], l, p->index->list[region]);
            walk_records(w, &w->whole[depth + 1], depth + 1, place + 1, found);
        }
    }
}

/* All records of the prefix, from the region with the fewest. */
static const record_list *whole(worker *w, size_t depth)
{
    const kn_region_index *x = w->p->index;
    record_list *out = &w->whole[depth], *spare = &w->whole[KN_MOST_KNOWN - 1];
    size_t least = 0;

    for (size_t i = 1; i <= depth; i++) {
        least = x->list[w->prefix[i]]->len < x->list[w->prefix[least]]->len ? i : least;
    }
    copy_records(w, out, x->list[w->prefix[least]], 0);
    for (size_t i = 0; i <= depth && !w->failed; i++) {
        if (i != least) {
            const record_list swap = *out;
            filter_records(w, spare, out, x->list[w->prefix[i]]);
            *out = *spare;
            *spare = swap;
        }
    }
    return out;
}

/* ---- the walk ---- */

static bool few_records(const worker *w, size_t depth, size_t from)
{
    const double most = (double)(w->p->alive_count - from) / SCAN_FACTOR;

    for (size_t i = 0; i <= depth; i++) {
        if (w->p->index->list[w->prefix[i]]->reach < most) {
            return true;
        }
    }
    return false;
}

/* Whether anybody holds the prefix of `depth` + 1 regions; its bits are made. */
static bool extend(worker *w, size_t depth)
{
    const kn_region_index *x = w->p->index;
    const uint64_t *own = kn__region_top(x, w->prefix[depth]);
    uint64_t any = 0;

    w->behind[depth].made = false;
    if (depth == 0) {
        memcpy(w->bits[0], own, x->top_words * sizeof *own);
        return true;
    }
    for (size_t i = 0; i < x->top_words; i++) {
        w->bits[depth][i] = w->bits[depth - 1][i] & own[i];
        any |= w->bits[depth][i];
    }
    return any || (x->top_words < x->words && behind(w, depth)->len > 0);
}

/* All extensions, from place `from` on, of the prefix of `depth` + 1 regions. */
static void walk(worker *w, size_t depth, size_t from, kn_combinations *found)
{
    const struct kn_exact_pass *p = w->p;

    if (few_records(w, depth, from)) {
        walk_records(w, whole(w, depth), depth, from, found);
        return;
    }
    for (size_t i = from; i < p->alive_count && !w->failed; i++) {
        w->prefix[depth + 1] = p->alive[i];
        if (depth + 2 == p->size) {
            if (rare(w, depth, p->alive[i])) {
                keep(w, found);
            }
        } else if (extend(w, depth + 1)) {
            walk(w, depth + 1, i + 1, found);
        }
    }
}

static void walk_units(void *user, unsigned number, size_t begin, size_t end)
{
    struct kn_exact_pass *p = user;
    worker *w = &p->workers[number];

    for (size_t u = begin; u < end && !w->failed; u++) {
        kn_combinations *found = &p->found[u];
        size_t depth = 0;
        found->size = p->size;
        w->prefix[0] = p->unit[u][0];
        if (p->size == 1) {
            if (p->index->list[w->prefix[0]]->people < p->k) {
                keep(w, found);
            }
            continue;
        }
        if (p->unit_depth == 1 || u == begin || p->unit[u][0] != p->unit[u - 1][0]) {
            (void)extend(w, 0);
        }
        if (p->unit_depth == 2) {
            w->prefix[1] = p->unit[u][1];
            depth = 1;
            if (!extend(w, 1)) {
                continue;
            }
        }
        walk(w, depth, p->place[w->prefix[depth]] + 1, found);
    }
}

/* ---- rounds ---- */

static void list_regions(kn_exact_pass *p)
{
    p->alive_count = 0;
    for (uint32_t i = 0; i < p->regions->rules->items; i++) {
        if (p->regions->of[i] == i && p->index->list[i]->len > 0) {
            p->place[i] = (uint32_t)p->alive_count;
            p->alive[p->alive_count++] = i;
        }
    }
}

/* The units of the next round. */
static bool list_units(kn_exact_pass *p, size_t units)
{
    const uint32_t *alive = p->alive;
    size_t i = 0, j = 0;

    p->units = 0;
    while (p->begun && i < p->alive_count && alive[i] < p->last[0]) {
        i++;
    }
    if (p->unit_depth == 1) {
        i += p->begun && i < p->alive_count && alive[i] == p->last[0];
        for (; i < p->alive_count && p->units < units; i++) {
            p->unit[p->units++][0] = alive[i];
        }
        return i < p->alive_count;
    }
    j = i + 1;
    while (p->begun && i < p->alive_count && alive[i] == p->last[0] && j < p->alive_count &&
           alive[j] <= p->last[1]) {
        j++;
    }
    for (; i < p->alive_count; i++, j = i + 1) {
        for (; j < p->alive_count; j++) {
            if (p->units == units) {
                return true;
            }
            p->unit[p->units][0] = alive[i];
            p->unit[p->units++][1] = alive[j];
        }
    }
    return false;
}

static kn_status make_room(kn_exact_pass *p, size_t units, kn_error *err)
{
    if (units > p->units_room) {
        void *unit = kn__realloc_array(p->unit, units, sizeof *p->unit), *found;
        KN_PASS(unit ? KN_OK : kn__nomem(err));
        p->unit = unit;
        found = kn__realloc_array(p->found, units, sizeof *p->found);
        KN_PASS(found ? KN_OK : kn__nomem(err));
        p->found = found;
        memset(p->found + p->units_room, 0, (units - p->units_room) * sizeof *p->found);
        p->units_room = units;
    }
    return KN_OK;
}

kn_status kn__exact_pass_round(kn_exact_pass *p, size_t units, kn_combinations *out, bool *done,
                               kn_error *err)
{
    bool failed = false;
    kn_status status;

    out->count = 0;
    out->size = p->size;
    list_regions(p);
    KN_TRY(make_room(p, units, err));
    *done = !list_units(p, units);
    KN_TRY(kn__parallel_steps(p->run, "exact", p->threads, p->units, p->unit_depth == 2 ? 8 : 1,
                              walk_units, p, err));
    for (unsigned i = 0; i < p->threads; i++) {
        failed = failed || p->workers[i].failed;
    }
    KN_TRY(failed ? kn__nomem(err) : KN_OK);
    for (size_t u = 0; u < p->units; u++) {
        for (size_t i = 0; i < p->found[u].count; i++) {
            KN_TRY(kn__combinations_add(out, p->found[u].region + i * p->size, err));
        }
    }
    if (p->units) {
        memcpy(p->last, p->unit[p->units - 1], sizeof p->last);
        p->begun = true;
    }
done:
    for (size_t u = 0; u < p->units && u < p->units_room; u++) {
        kn__combinations_clear(&p->found[u]);
    }
    return status;
}

/* ---- beginning and end ---- */

static kn_status worker_init(worker *w, kn_exact_pass *p, kn_error *err)
{
    const uint32_t items = p->regions->rules->items;
    const size_t words = p->index->top_words ? p->index->top_words : 1;

    w->p = p;
    w->stamp = kn__zalloc_array(items, sizeof *w->stamp);
    KN_PASS(w->stamp ? KN_OK : kn__nomem(err));
    for (size_t d = 0; d + 1 < p->size; d++) {
        w->bits[d] = kn__malloc_array(words, sizeof *w->bits[d]);
        w->count[d] = kn__zalloc_array(items, sizeof *w->count[d]);
        w->touched[d] = kn__malloc_array(items, sizeof *w->touched[d]);
        KN_PASS(w->bits[d] && w->count[d] && w->touched[d] ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

static void worker_clear(worker *w)
{
    for (size_t d = 0; d < KN_MOST_KNOWN; d++) {
        KN_FREE(w->bits[d], w->count[d], w->touched[d], w->behind[d].records, w->whole[d].records);
    }
    kn__free(w->stamp);
}

kn_status kn__exact_pass_new(kn_exact_pass **out, const kn_regions *regions,
                             const kn_region_index *index, size_t size, size_t k, const kn_run *run,
                             kn_error *err)
{
    const uint32_t items = regions->rules->items;
    kn_exact_pass *p = kn__zalloc(sizeof *p);
    kn_status status;

    *out = NULL;
    KN_TRY(p ? KN_OK : kn__nomem(err));
    p->regions = regions;
    p->index = index;
    p->size = size;
    p->k = k;
    p->unit_depth = size > 2 ? 2 : 1;
    p->run = run;
    p->threads = kn__run_threads(run);
    p->alive = kn__malloc_array(items, sizeof *p->alive);
    p->place = kn__zalloc_array(items, sizeof *p->place);
    p->workers = kn__zalloc_array(p->threads, sizeof *p->workers);
    KN_TRY(p->alive && p->place && p->workers ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < p->threads; i++) {
        KN_TRY(worker_init(&p->workers[i], p, err));
    }
    *out = p;
    p = NULL;
done:
    kn__exact_pass_free(p);
    return status;
}

void kn__exact_pass_free(kn_exact_pass *p)
{
    if (p) {
        for (unsigned i = 0; p->workers && i < p->threads; i++) {
            worker_clear(&p->workers[i]);
        }
        for (size_t u = 0; u < p->units_room; u++) {
            kn__combinations_clear(&p->found[u]);
        }
        KN_FREE(p->workers, p->found, p->unit, p->alive, p->place, p);
    }
}
