/* mining.c - multi-level mining loss: which frequent sets of items survive.
 *
 * Original and release are walked together by projection (count/projection.h) over the sets that
 * are frequent in the original. Groups of a level are numbered by support, rare ones first, so that
 * lists of records are soon short. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/baskets.h"
#include "count/projection.h"
#include "utility/items/levels.h"
#include "utility/utility.h"

#include <math.h>
#include <stdatomic.h>

enum { SIZE = 3, MOST_SIZE = 16, ORIGINAL = 0, RELEASE = 1 };
#define SUPPORT 0.01
#define STEPS   UINT64_C(1000000000)

typedef struct tails {
    const kn_tail *at;
    size_t len;
} tails;

/* The extensions of a set in either table. */
typedef struct depth {
    kn_projection_level level[2];
} depth;

typedef struct worker {
    depth *depth; /* by size of the set that is extended */
    kn_mining_level found;
    kn_error error; /* its status is KN_OK while nothing failed */
} worker;

/* One level: items are its frequent groups, by rank. */
typedef struct search {
    uint32_t items;
    kn_baskets *lists[2];
    kn_projection_lists view[2];
    depth root;
    size_t least, size;
    uint64_t most;
    atomic_uint_fast64_t *steps;
    worker *worker;
    unsigned threads;
} search;

/* ---- below one set ---- */

/* Count what extends a set, and choose in both tables what is frequent in the original. */
static kn_status choose_frequent(search *s, depth *d, const tails from[2], kn_error *err)
{
    kn_projection_level *original = &d->level[ORIGINAL], *release = &d->level[RELEASE];
    size_t steps = from[ORIGINAL].len + from[RELEASE].len;

    for (int side = 0; side < 2; side++) {
        if (!kn__projection_ready(&d->level[side], s->items)) {
            return kn__nomem(err);
        }
        (void)kn__projection_count(&s->view[side], &d->level[side], from[side].at, from[side].len,
                                   &steps);
    }
    (void)atomic_fetch_add_explicit(s->steps, steps, memory_order_relaxed);
    for (size_t i = 0; i < original->touched_len; i++) {
        const uint32_t item = original->touched[i];
        if (original->count[item] >= s->least &&
            (!kn__projection_choose(original, item) || !kn__projection_choose(release, item))) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

static kn_status deal(const search *s, depth *d, const tails from[2], kn_error *err)
{
    for (int side = 0; side < 2; side++) {
        if (!kn__projection_deal(&s->view[side], &d->level[side], from[side].at, from[side].len)) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

/* The records of extension `i` in either table. */
static void list_below(const search *s, const depth *d, size_t i, tails below[2])
{
    for (int side = 0; side < 2; side++) {
        const kn_projection_level *l = &d->level[side];
        below[side] = (tails){l->chosen[i].len ? l->dealt + l->chosen[i].begin : NULL,
                              l->chosen[i].len};
    }
    if (below[RELEASE].len < s->least) {
        below[RELEASE].len = 0; /* no set below can be preserved */
    }
}

/* Count the frequent sets that extend one of `size` items with the records `from`. */
static kn_status extend(search *s, worker *w, size_t size, const tails from[2])
{
    depth *d = &w->depth[size];
    const kn_projection_level *original = &d->level[ORIGINAL], *release = &d->level[RELEASE];

    if (atomic_load_explicit(s->steps, memory_order_relaxed) > s->most) {
        return KN_OK; /* given up: what was found is not used */
    }
    KN_PASS(choose_frequent(s, d, from, &w->error));
    kn__projection_reset(&d->level[ORIGINAL]);
    kn__projection_reset(&d->level[RELEASE]);
    for (size_t i = 0; i < original->chosen_len; i++) {
        w->found.frequent++;
        w->found.preserved += release->chosen[i].support >= s->least;
    }
    if (size + 1 < s->size) {
        KN_PASS(deal(s, d, from, &w->error));
        for (size_t i = 0; i < original->chosen_len; i++) {
            tails below[2];
            list_below(s, d, i, below);
            KN_PASS(extend(s, w, size + 1, below));
        }
    }
    return KN_OK;
}

static void extend_items(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->worker[number];

    for (size_t i = begin; i < end && !w->error.status; i++) {
        tails from[2];
        list_below(s, &s->root, i, from);
        (void)extend(s, w, 1, from);
    }
}

/* ---- one level ---- */

static kn_status make_workers(search *s, unsigned threads, kn_error *err)
{
    s->worker = kn__zalloc_array(threads, sizeof *s->worker);
    s->threads = s->worker ? threads : 0;
    for (unsigned i = 0; i < s->threads; i++) {
        s->worker[i].depth = kn__zalloc_array(s->size, sizeof *s->worker[i].depth);
        KN_PASS(s->worker[i].depth ? KN_OK : kn__nomem(err));
    }
    return s->worker ? KN_OK : kn__nomem(err);
}

static void depth_clear(depth *d)
{
    kn__projection_clear(&d->level[ORIGINAL]);
    kn__projection_clear(&d->level[RELEASE]);
}

static void clear(search *s)
{
    for (unsigned i = 0; i < s->threads; i++) {
        for (size_t j = 1; s->worker[i].depth && j < s->size; j++) {
            depth_clear(&s->worker[i].depth[j]);
        }
        kn__free(s->worker[i].depth);
    }
    depth_clear(&s->root);
    kn__baskets_free(s->lists[ORIGINAL]);
    kn__baskets_free(s->lists[RELEASE]);
    kn__free(s->worker);
}

/* The records of every item by itself, in one of the tables. */
static kn_status deal_root(search *s, int side, kn_error *err)
{
    const kn_baskets *b = s->lists[side];
    kn_projection_level *l = &s->root.level[side];
    kn_tail *all = kn__projection_all(b->records);
    size_t work = 0;
    bool fine = all && kn__projection_ready(l, s->items);

    s->view[side] = (kn_projection_lists){.starts = b->starts, .list = b->list, .items = s->items};
    if (fine) {
        (void)kn__projection_count(&s->view[side], l, all, b->records, &work);
    }
    for (uint32_t item = 0; fine && item < s->items; item++) {
        fine = kn__projection_choose(l, item) != NULL;
    }
    fine = fine && kn__projection_deal(&s->view[side], l, all, b->records);
    kn__free(all);
    return fine ? KN_OK : kn__nomem(err);
}

/* Records by group of the level: a record counts once, however many of its items fall together. */
static kn_status count_groups(const kn_baskets *b, const uint32_t *to, uint32_t groups,
                              uint32_t **out, kn_error *err)
{
    uint32_t *count = kn__zalloc_array(groups, sizeof *count);
    uint32_t *last = kn__zalloc_array(groups, sizeof *last);

    *out = count;
    if (!count || !last) {
        kn__free(last);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < b->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            const uint32_t group = to[items[j]];
            if (group != KN_NO_CODE && last[group] != i + 1) {
                last[group] = (uint32_t)i + 1;
                count[group]++;
            }
        }
    }
    kn__free(last);
    return KN_OK;
}

/* Number the frequent groups by support; rank[group] is KN_NO_CODE for the others. */
static kn_status rank_groups(const uint32_t *count, uint32_t groups, size_t least, uint32_t *rank,
                             uint32_t *items, kn_error *err)
{
    uint64_t *order = kn__malloc_array(groups, sizeof *order);

    KN_PASS(order ? KN_OK : kn__nomem(err));
    *items = 0;
    for (uint32_t g = 0; g < groups; g++) {
        rank[g] = KN_NO_CODE;
        if (count[g] >= least) {
            order[(*items)++] = (uint64_t)count[g] << 32 | g;
        }
    }
    if (*items) {
        kn__sort_u64(order, *items);
    }
    for (uint32_t i = 0; i < *items; i++) {
        rank[(uint32_t)order[i]] = i;
    }
    kn__free(order);
    return KN_OK;
}

/* ---- all levels ---- */

typedef struct mining {
    const kn_baskets *lists[2];
    const kn_meanings *meanings[2];
    kn_levels *levels;
    uint32_t *group; /* by leaf, of the current level */
    uint32_t *to[2]; /* by code of either table: its group, then the rank of that */
    size_t least, size;
    uint64_t most;
    atomic_uint_fast64_t steps;
    const kn_run *run;
} mining;

static kn_status project(mining *m, size_t level, search *s, uint32_t **count, kn_error *err)
{
    const uint32_t groups = kn__levels_groups(m->levels);
    uint32_t *rank = kn__malloc_array(groups, sizeof *rank);
    kn_status status;

    KN_TRY(rank ? KN_OK : kn__nomem(err));
    kn__levels_fill(m->levels, level, m->group);
    for (int side = 0; side < 2; side++) {
        for (uint32_t code = 0; code < m->meanings[side]->count; code++) {
            m->to[side][code] = kn__levels_group_of(m->group, &m->meanings[side]->of[code]);
        }
        KN_TRY(count_groups(m->lists[side], m->to[side], groups, &count[side], err));
    }
    KN_TRY(rank_groups(count[ORIGINAL], groups, m->least, rank, &s->items, err));
    for (int side = 0; side < 2; side++) {
        for (uint32_t code = 0; code < m->meanings[side]->count; code++) {
            const uint32_t group = m->to[side][code];
            m->to[side][code] = group == KN_NO_CODE ? KN_NO_CODE : rank[group];
        }
        if (s->size > 1) {
            KN_TRY(kn__baskets_map(&s->lists[side], m->lists[side], m->to[side], s->items, m->run,
                                   err));
        }
        if (s->size > 1) {
            KN_TRY(deal_root(s, side, err));
        }
    }
done:
    kn__free(rank);
    return status;
}

static kn_status mine_level(mining *m, size_t level, kn_mining_level *out, kn_error *err)
{
    search s = {.least = m->least, .size = m->size, .most = m->most, .steps = &m->steps};
    uint32_t *count[2] = {NULL, NULL};
    kn_status status;

    *out = (kn_mining_level){0};
    KN_TRY(project(m, level, &s, count, err));
    for (uint32_t g = 0; g < kn__levels_groups(m->levels); g++) {
        out->frequent += count[ORIGINAL][g] >= m->least;
        out->preserved += count[ORIGINAL][g] >= m->least && count[RELEASE][g] >= m->least;
    }
    if (s.size > 1 && s.items) {
        KN_TRY(make_workers(&s, kn__run_threads(m->run), err));
        kn__parallel_for(s.threads, s.items, 1, extend_items, &s);
        for (unsigned i = 0; i < s.threads; i++) {
            KN_TRY(kn__error_pass(err, &s.worker[i].error));
            out->frequent += s.worker[i].found.frequent;
            out->preserved += s.worker[i].found.preserved;
        }
    }
done:
    clear(&s);
    KN_FREE(count[0], count[1]);
    return status;
}

/* All levels with sets of up to m->size items; `*enough` is false when that took too many steps,
 * which does not depend on the threads. */
static kn_status mine(mining *m, kn_mining *out, bool *enough, kn_error *err)
{
    atomic_store(&m->steps, 0);
    for (size_t i = 0; i < m->levels->count; i++) {
        KN_PASS(kn__run_step(m->run, "mine", (double)i / (double)m->levels->count, err));
        KN_PASS(mine_level(m, i, &out->level[i], err));
        *enough = atomic_load(&m->steps) <= m->most;
        if (!*enough) {
            break;
        }
    }
    return KN_OK;
}

static kn_status mine_all(mining *m, kn_mining *out, kn_error *err)
{
    bool enough = true;
    kn_status status;

    out->levels = m->levels->count;
    out->level = kn__zalloc_array(out->levels, sizeof *out->level);
    m->group = kn__malloc_array(m->levels->leaves->total, sizeof *m->group);
    m->to[0] = kn__malloc_array(m->meanings[0]->count, sizeof *m->to[0]);
    m->to[1] = kn__malloc_array(m->meanings[1]->count, sizeof *m->to[1]);
    KN_TRY(out->level && m->group && m->to[0] && m->to[1] ? KN_OK : kn__nomem(err));
    KN_TRY(mine(m, out, &enough, err));
    while (!enough) {
        m->size--;
        out->bounded = true;
        KN_TRY(mine(m, out, &enough, err));
    }
    out->size = m->size;
    for (size_t i = 0; i < out->levels; i++) {
        out->frequent += out->level[i].frequent;
        out->preserved += out->level[i].preserved;
    }
done:
    out->loss = out->frequent ? 1 - (double)out->preserved / (double)out->frequent : NAN;
    KN_FREE(m->group, m->to[0], m->to[1]);
    return status;
}

/* ---- both tables ---- */

static kn_status find_columns(const kn_dataset *original, const kn_dataset *release,
                              const kn_column **from, const kn_column **to, kn_error *err)
{
    size_t i = 0, other;

    while (i < original->columns && !(original->column[i].role == KN_ROLE_QUASI &&
                                      kn__type_is_list(original->column[i].type))) {
        i++;
    }
    if (i == original->columns) {
        return kn__fail(err, KN_EUSAGE,
                        "no quasi-identifier is a list: frequent sets are mined among items "
                        "(--items, --numbers)");
    }
    *from = &original->column[i];
    other = kn_dataset_find(release, (*from)->name);
    if (other == SIZE_MAX || !release->column[other].starts) {
        return kn__fail(err, KN_EINPUT,
                        "the release has no list column '%.200s', which holds the items of the "
                        "original: read both with one schema",
                        (*from)->name);
    }
    *to = &release->column[other];
    return KN_OK;
}

static kn_status check_options(const kn_mining_options *o, kn_error *err)
{
    if (!(o->support >= 0 && o->support <= 1)) {
        return kn__fail(err, KN_EUSAGE,
                        "the support that makes a set frequent is a share from 0 "
                        "to 1");
    }
    if (o->items > MOST_SIZE) {
        return kn__fail(err, KN_EUSAGE, "frequent sets are mined up to %d items, not %zu",
                        MOST_SIZE, o->items);
    }
    return KN_OK;
}

/* As sets: how often a record holds an item does not matter here, and kn__baskets_map makes equal
 * items one. */
static kn_status lists_of(kn_baskets **out, const kn_dataset *ds, const kn_column *c, kn_error *err)
{
    KN_PASS(ds->records < UINT32_MAX ? kn__baskets_of_column(out, c, ds->records, err)
                                     : kn__fail(err, KN_EINPUT, "a table has too many records"));
    (*out)->bags = false;
    return KN_OK;
}

kn_status kn_mining_measure(kn_mining *out, const kn_dataset *original, const kn_dataset *release,
                            const kn_hierarchies *hierarchies, const kn_mining_options *options,
                            const kn_run *run, kn_error *err)
{
    KN_NEED(err, out, original, release);
    KN_NEED_ROWS(err, original);
    KN_NEED_ROWS(err, release);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);

    const kn_mining_options o = options ? *options : (kn_mining_options){0};
    const double share = o.support > 0 ? o.support : SUPPORT;
    const kn_dataset *tables[2] = {original, release};
    const kn_column *column[2] = {NULL, NULL};
    kn_domain *domain = NULL;
    kn_leaf_ranges *leaves = NULL;
    kn_baskets *lists[2] = {NULL, NULL};
    kn_meanings *meanings[2] = {NULL, NULL};
    mining m = {.size = o.items ? o.items : SIZE, .most = o.steps ? o.steps : STEPS, .run = run};
    kn_status status;

    *out = (kn_mining){.loss = NAN};
    KN_TRY(check_options(&o, err));
    KN_TRY(find_columns(original, release, &column[0], &column[1], err));
    KN_TRY(kn__domain_new(&domain, column[0],
                          hierarchies ? kn_hierarchies_get(hierarchies, column[0]->name) : NULL,
                          KN_UNCOVERED_ROOT, err));
    KN_TRY(kn__leaf_ranges_new(&leaves, domain, err));
    for (int side = 0; side < 2; side++) {
        KN_TRY(kn__meanings_new(&meanings[side], leaves, tables[side], column[side], err));
        KN_TRY(lists_of(&lists[side], tables[side], column[side], err));
        m.lists[side] = lists[side];
        m.meanings[side] = meanings[side];
    }
    KN_TRY(kn__levels_new(&m.levels, leaves, original->records, err));
    /* A product such as 0.07 x 100 may come out a little above the whole number it means. */
    out->least = (size_t)fmax(ceil(share * (double)original->records - 1e-9), 1);
    m.least = out->least;
    KN_TRY(mine_all(&m, out, err));
done:
    kn__levels_free(m.levels);
    for (int side = 0; side < 2; side++) {
        kn__meanings_free(meanings[side]);
        kn__baskets_free(lists[side]);
    }
    kn__leaf_ranges_free(leaves);
    kn__domain_free(domain);
    if (status != KN_OK) {
        kn_mining_clear(out);
    }
    return status;
}

void kn_mining_clear(kn_mining *m)
{
    if (m) {
        kn__free(m->level);
        *m = (kn_mining){.loss = NAN};
    }
}
