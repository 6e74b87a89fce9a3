/* span_index.c - spans that follow the centres.
 *
 * A group of people with equal public values has a span, the list of centres it may reach. Lists
 * are kept once each and found again by hash. Only groups whose list changes are put elsewhere.
 *
 * What a new centre changes for a group is decided among the centres of its list alone: at every
 * point that its private values allow, one of these is the nearest, so the new one is nearest there
 * if and only if it is nearer than that. */
#include "models/clusters/span_index.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"

#include <assert.h>
#include <string.h>

#define UNCHANGED UINT32_MAX
enum { GRAIN = 512 };

/* Lists of centres, each once. */
typedef struct spans {
    size_t count, starts_cap;
    size_t *starts; /* count + 1 */
    uint32_t *centre;
    size_t centre_cap;
    uint32_t *slot; /* span + 1; 0: empty */
    size_t mask;
} spans;

/* What one thread finds. */
typedef struct finder {
    kn_nearest_searcher seeker;
    kn_class_list list, candidates;
    uint32_t *found; /* changed lists, one after the other */
    size_t len, cap;
    kn_error error;
} finder;

struct kn_span_index {
    const kn_frame *frame;
    const kn_points *points;
    const kn_model_limits *limits;
    kn_span_histogram *mixture; /* NULL: nothing is asked of it */
    kn_space space;             /* that of the frame, with what is known of the centres looked at */
    double *apart;
    size_t apart_cap;
    double work;
    const kn_run *run;
    size_t groups;
    double *x;            /* group * attributes + attribute */
    uint32_t *population; /* by group */
    spans spans;
    uint32_t *span, *next; /* by group: as kept, and of the last look */
    uint64_t *held;        /* by span: people, in the last look */
    size_t held_cap;
    size_t least; /* the span with the least population that breaks the limits, SIZE_MAX: none */
    uint32_t *in_order; /* groups, span by span, if there is a mixture */
    size_t *place;      /* by span: where its groups begin, and the end */
    size_t place_cap;
    unsigned threads;
    finder *finder; /* by thread */
    /* by group: where its list begins in `found` of which thread, and how long it is */
    size_t *begin;
    uint32_t *len;
    uint8_t *by;
    /* the look under way */
    const double *centre;
    size_t count;
    uint32_t split;
};

/* ---- lists ---- */

static uint64_t hash_of(const uint32_t *list, size_t len)
{
    return kn__hash_bytes(list, len * sizeof *list);
}

static kn_status rehash(spans *s, size_t slots, kn_error *err)
{
    uint32_t *slot = kn__zalloc_array(slots, sizeof *slot);

    if (!slot) {
        return kn__nomem(err);
    }
    kn__free(s->slot);
    s->slot = slot;
    s->mask = slots - 1;
    for (size_t i = 0; i < s->count; i++) {
        size_t at = hash_of(s->centre + s->starts[i], s->starts[i + 1] - s->starts[i]) & s->mask;
        while (slot[at]) {
            at = (at + 1) & s->mask;
        }
        slot[at] = (uint32_t)i + 1;
    }
    return KN_OK;
}

static kn_status find_span(spans *s, const uint32_t *list, size_t len, uint32_t *out, kn_error *err)
{
    size_t at;
    kn_status st = KN_OK;

    if (!s->slot || 2 * s->count > s->mask) {
        st = rehash(s, s->slot ? 2 * (s->mask + 1) : 64, err);
        if (st != KN_OK) {
            return st;
        }
    }
    for (at = hash_of(list, len) & s->mask; s->slot[at]; at = (at + 1) & s->mask) {
        const size_t i = s->slot[at] - 1;
        assert(s->starts);
        if (s->starts[i + 1] - s->starts[i] == len &&
            memcmp(s->centre + s->starts[i], list, len * sizeof *list) == 0) {
            *out = (uint32_t)i;
            return KN_OK;
        }
    }
    st = kn__grow(&s->starts, &s->starts_cap, s->count + 2, sizeof *s->starts, err);
    if (st == KN_OK) {
        s->starts[0] = 0;
        st = kn__grow(&s->centre, &s->centre_cap, s->starts[s->count] + len, sizeof *s->centre,
                      err);
    }
    if (st == KN_OK) {
        memcpy(s->centre + s->starts[s->count], list, len * sizeof *list);
        s->starts[s->count + 1] = s->starts[s->count] + len;
        *out = (uint32_t)s->count++;
        s->slot[at] = *out + 1;
    }
    return st;
}

static void clear_spans(spans *s)
{
    kn__free(s->starts);
    kn__free(s->centre);
    kn__free(s->slot);
    *s = (spans){0};
}

/* ---- groups ---- */

/* `groups` NULL: all are in one. */
static kn_status mix(kn_span_index *g, const kn_row_groups *groups, kn_error *err)
{
    const kn_points *p = g->points;
    uint32_t *of = kn__zalloc_array(p->records, sizeof *of);
    uint32_t *of_point = kn__malloc_array(p->count, sizeof *of_point);
    kn_status st = KN_OK;

    g->in_order = kn__malloc_array(g->groups, sizeof *g->in_order);
    if (!of || !of_point || !g->in_order) {
        st = kn__nomem(err);
    }
    for (size_t i = 0; st == KN_OK && groups && i < groups->count; i++) {
        for (size_t at = groups->starts[i]; at < groups->starts[i + 1]; at++) {
            of[groups->row[at]] = (uint32_t)i;
        }
    }
    for (size_t i = 0; st == KN_OK && i < p->count; i++) {
        of_point[i] = of[p->row[i]];
    }
    if (st == KN_OK) {
        st = kn__span_histogram_new(&g->mixture, p, of_point, g->groups, g->limits, g->run, err);
    }
    kn__free(of);
    kn__free(of_point);
    return st;
}

static kn_status make_groups(kn_span_index *g, kn_error *err)
{
    const kn_frame *t = g->frame;
    const size_t stride = t->space.attributes;
    const kn_column **keys = kn__malloc_array(stride, sizeof *keys);
    kn_row_groups groups = {0};
    size_t count = 0;
    kn_status st = KN_OK;

    if (!keys) {
        return kn__nomem(err);
    }
    for (size_t n = 0; n < stride; n++) {
        if (!t->space.at[n].hidden) {
            keys[count++] = t->bound->attribute[t->attribute[n]].column;
        }
    }
    g->groups = 1;
    if (count > 0) {
        st = kn__row_groups_make(&groups, keys, count, t->bound->ds->records, err);
        g->groups = groups.count;
    }
    if (st == KN_OK) {
        g->x = kn__malloc_array(g->groups * stride, sizeof *g->x);
        g->population = kn__malloc_array(g->groups, sizeof *g->population);
        st = g->x && g->population ? KN_OK : kn__nomem(err);
    }
    for (size_t i = 0; st == KN_OK && i < g->groups; i++) {
        kn__frame_get(t, count > 0 ? groups.row[groups.starts[i]] : 0, g->x + i * stride);
        g->population[i] = (uint32_t)(count > 0 ? groups.starts[i + 1] - groups.starts[i]
                                                : t->bound->ds->records);
    }
    if (st == KN_OK && (g->limits->l > 0 || g->limits->inference > 0)) {
        st = mix(g, count > 0 ? &groups : NULL, err);
    }
    kn__row_groups_clear(&groups);
    kn__free(keys);
    return st;
}

kn_status kn__span_index_new(kn_span_index **out, const kn_points *points,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    static const uint32_t one[] = {0};
    kn_span_index *g = kn__zalloc(sizeof *g);
    kn_status status = KN_OK;

    *out = NULL;
    if (!g) {
        return kn__nomem(err);
    }
    g->frame = points->frame;
    g->points = points;
    g->limits = limits;
    g->space = points->frame->space;
    g->run = run;
    g->threads = kn__run_threads(run);
    KN_TRY(make_groups(g, err));
    g->span = kn__zalloc_array(g->groups, sizeof *g->span);
    g->next = kn__zalloc_array(g->groups, sizeof *g->next);
    g->begin = kn__malloc_array(g->groups, sizeof *g->begin);
    g->len = kn__malloc_array(g->groups, sizeof *g->len);
    g->by = kn__malloc_array(g->groups, sizeof *g->by);
    g->finder = kn__zalloc_array(g->threads, sizeof *g->finder);
    KN_TRY(g->span && g->next && g->begin && g->len && g->by && g->finder ? KN_OK : kn__nomem(err));
    /* At first everybody is in one cluster: span 0. */
    KN_TRY(find_span(&g->spans, one, 1, g->span, err));
done:
    if (status != KN_OK) {
        kn__span_index_free(g);
        g = NULL;
    }
    *out = g;
    return status;
}

void kn__span_index_free(kn_span_index *g)
{
    if (!g) {
        return;
    }
    for (unsigned i = 0; g->finder && i < g->threads; i++) {
        kn__nearest_searcher_clear(&g->finder[i].seeker);
        kn__class_list_clear(&g->finder[i].list);
        kn__class_list_clear(&g->finder[i].candidates);
        kn__free(g->finder[i].found);
    }
    kn__free(g->finder);
    kn__span_histogram_free(g->mixture);
    kn__free(g->in_order);
    kn__free(g->place);
    kn__free(g->apart);
    kn__free(g->x);
    kn__free(g->population);
    kn__free(g->span);
    kn__free(g->next);
    kn__free(g->held);
    kn__free(g->begin);
    kn__free(g->len);
    kn__free(g->by);
    clear_spans(&g->spans);
    kn__free(g);
}

double kn__span_index_work(const kn_span_index *g)
{
    return g->work;
}

/* ---- looking ---- */

/* What remains of `old` with the split centre and the new one beside it. */
static kn_status look_among(const kn_span_index *g, finder *f, const double *x, const uint32_t *old,
                            size_t len, bool *changed, kn_error *err)
{
    const kn_space *space = &g->space;
    const uint32_t fresh = (uint32_t)g->count - 1;
    bool reached = false;
    kn_status st = KN_OK;
    size_t at = 0;

    f->candidates.len = 0;
    while (at < len && old[at] < g->split && st == KN_OK) {
        st = kn__class_list_add(&f->candidates, old[at++], err);
    }
    st = st == KN_OK ? kn__class_list_add(&f->candidates, g->split, err) : st;
    while (at < len && st == KN_OK) {
        st = kn__class_list_add(&f->candidates, old[at++], err);
    }
    st = st == KN_OK ? kn__class_list_add(&f->candidates, fresh, err) : st;
    for (int n = 0; n < 2 && st == KN_OK && !reached; n++) {
        st = kn__nearest_search_reached(&f->seeker, space, g->centre, f->candidates.at,
                                        f->candidates.len, n ? fresh : g->split, x, &reached, err);
    }
    *changed = reached;
    for (size_t i = 0; i < f->candidates.len && st == KN_OK && *changed; i++) {
        st = kn__nearest_search_reached(&f->seeker, space, g->centre, f->candidates.at,
                                        f->candidates.len, f->candidates.at[i], x, &reached, err);
        if (st == KN_OK && reached) {
            st = kn__class_list_add(&f->list, f->candidates.at[i], err);
        }
    }
    return st;
}

static kn_status look_at(kn_span_index *g, finder *f, unsigned worker, size_t group, kn_error *err)
{
    const kn_space *space = &g->space;
    const double *x = g->x + group * space->attributes;
    const spans *s = &g->spans;
    const uint32_t own = g->span[group];
    const uint32_t *old = s->centre + s->starts[own];
    const size_t len = s->starts[own + 1] - s->starts[own];
    bool concerned = g->split == KN_NO_CODE, changed = true;
    kn_status st;

    f->list.len = 0;
    for (size_t i = 0; i < len && !concerned; i++) {
        concerned = old[i] == g->split;
    }
    /* Where the split centre was the nearest, any other may be now. */
    st = concerned
             ? kn__nearest_search_reach(&f->seeker, space, g->centre, g->count, x, &f->list, err)
             : look_among(g, f, x, old, len, &changed, err);
    if (st != KN_OK) {
        return st;
    }
    if (!changed || (f->list.len == len && memcmp(f->list.at, old, len * sizeof *old) == 0)) {
        g->len[group] = UNCHANGED;
        return KN_OK;
    }
    st = kn__grow(&f->found, &f->cap, f->len + f->list.len, sizeof *f->found, err);
    if (st == KN_OK) {
        memcpy(f->found + f->len, f->list.at, f->list.len * sizeof *f->found);
        g->begin[group] = f->len;
        g->len[group] = (uint32_t)f->list.len;
        g->by[group] = (uint8_t)worker;
        f->len += f->list.len;
    }
    return st;
}

/* Every two centres for who may be in the split cluster; for others each two of those that they may
 * reach at most. */
static double work_for(const kn_span_index *g, const uint32_t *old, size_t len)
{
    const double centres = (double)g->count;
    bool concerned = g->split == KN_NO_CODE;

    for (size_t i = 0; i < len && !concerned; i++) {
        concerned = old[i] == g->split;
    }
    return concerned ? centres * centres : 4 + 2 * (double)len;
}

static void look_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    kn_span_index *g = user;
    finder *f = &g->finder[worker];

    for (size_t i = begin; i < end && f->error.status == KN_OK; i++) {
        f->error.status = look_at(g, f, worker, i, &f->error);
    }
}

/* Lists that nobody has any more are dropped when they are most. */
static kn_status sweep(kn_span_index *g, kn_error *err)
{
    spans kept = {0};
    kn_status st = KN_OK;

    if (g->spans.count < 4096 || g->spans.count < 4 * g->groups) {
        return KN_OK;
    }
    for (size_t i = 0; i < g->groups && st == KN_OK; i++) {
        const size_t from = g->spans.starts[g->span[i]];
        st = find_span(&kept, g->spans.centre + from, g->spans.starts[g->span[i] + 1] - from,
                       &g->next[i], err);
    }
    if (st != KN_OK) {
        clear_spans(&kept);
        return st;
    }
    memcpy(g->span, g->next, g->groups * sizeof *g->span);
    clear_spans(&g->spans);
    g->spans = kept;
    return KN_OK;
}

static bool tells(const kn_span_index *g, size_t span)
{
    return g->held[span] > 0 && g->spans.starts[span + 1] - g->spans.starts[span] > 1;
}

/* Whether the people of a span are mixed enough: groups are put in the order of spans first. */
static kn_status look_into(kn_span_index *g, uint64_t *least, kn_error *err)
{
    const size_t count = g->spans.count;
    kn_status st = kn__grow(&g->place, &g->place_cap, count + 2, sizeof *g->place, err);

    if (st == KN_OK) {
        st = kn__span_histogram_look(g->mixture, g->centre, g->count, g->split, err);
        g->work += 4 * (double)g->points->count;
    }
    if (st != KN_OK) {
        return st;
    }
    /* place[s + 1] is where the next group of span s goes, until all have gone. */
    memset(g->place, 0, (count + 2) * sizeof *g->place);
    for (size_t i = 0; i < g->groups; i++) {
        g->place[g->next[i] + 2]++;
    }
    for (size_t s = 0; s < count; s++) {
        g->place[s + 2] += g->place[s + 1];
    }
    for (size_t i = 0; i < g->groups; i++) {
        g->in_order[g->place[g->next[i] + 1]++] = (uint32_t)i;
    }
    for (size_t s = 0; s < count; s++) {
        if (tells(g, s) && g->held[s] < *least &&
            !kn__span_histogram_holds(g->mixture, g->in_order + g->place[s],
                                      g->place[s + 1] - g->place[s])) {
            *least = g->held[s];
            g->least = s;
        }
    }
    return KN_OK;
}

kn_status kn__span_index_look(kn_span_index *g, const double *centre, size_t count, uint32_t split,
                              uint64_t *least, kn_error *err)
{
    kn_status st = sweep(g, err);

    if (st != KN_OK) {
        return st;
    }
    st = kn__grow(&g->apart, &g->apart_cap, count * count, sizeof *g->apart, err);
    if (st != KN_OK) {
        return st;
    }
    g->centre = centre;
    g->count = count;
    g->split = split;
    kn__space_apart(&g->space, centre, count, g->apart);
    g->space.apart = g->apart;
    g->space.apart_count = count;
    for (unsigned i = 0; i < g->threads; i++) {
        g->finder[i].len = 0;
        g->finder[i].error = (kn_error){0};
    }
    kn__parallel_for(g->threads, g->groups, GRAIN, look_slice, g);
    for (unsigned i = 0; i < g->threads; i++) {
        if (g->finder[i].error.status != KN_OK) {
            if (err) {
                *err = g->finder[i].error;
            }
            return g->finder[i].error.status;
        }
    }
    for (size_t i = 0; i < g->groups && st == KN_OK; i++) {
        const uint32_t own = g->span[i];
        g->next[i] = own;
        g->work += work_for(g, g->spans.centre + g->spans.starts[own],
                            g->spans.starts[own + 1] - g->spans.starts[own]);
        if (g->len[i] != UNCHANGED) {
            st = find_span(&g->spans, g->finder[g->by[i]].found + g->begin[i], g->len[i],
                           &g->next[i], err);
        }
    }
    if (st == KN_OK) {
        st = kn__grow(&g->held, &g->held_cap, g->spans.count, sizeof *g->held, err);
    }
    if (st != KN_OK) {
        return st;
    }
    memset(g->held, 0, g->spans.count * sizeof *g->held);
    for (size_t i = 0; i < g->groups; i++) {
        g->held[g->next[i]] += g->population[i];
    }
    *least = UINT64_MAX;
    g->least = SIZE_MAX;
    for (size_t s = 0; s < g->spans.count; s++) {
        if (tells(g, s) && g->held[s] < g->limits->k && g->held[s] < *least) {
            *least = g->held[s];
            g->least = s;
        }
    }
    return g->mixture && g->least == SIZE_MAX ? look_into(g, least, err) : KN_OK;
}

void kn__span_index_keep(kn_span_index *g)
{
    memcpy(g->span, g->next, g->groups * sizeof *g->span);
    if (g->mixture) {
        kn__span_histogram_keep(g->mixture);
    }
}

const uint32_t *kn__span_index_least(const kn_span_index *g, size_t *count)
{
    if (g->least == SIZE_MAX) {
        *count = 0;
        return NULL;
    }
    *count = g->spans.starts[g->least + 1] - g->spans.starts[g->least];
    return g->spans.centre + g->spans.starts[g->least];
}
