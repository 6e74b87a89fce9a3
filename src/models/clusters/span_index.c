/* span_index.c - the spans of all records (Definition 5), kept up to date while centres are added.
 *
 * Records with equal public values form a group and have the same span: the ascending list of the
 * clusters whose centre is nearest for some private values. Each different list is stored once and
 * found by its hash (hash consing), so a span is a number and two groups have the same span if the
 * numbers are equal. Invariant: span[g] is the span of group g for the centres committed last.
 *
 * Groups are evaluated in a k-d tree of their public values. A centre that is certainly in the span
 * of every group of a node, or of none, is decided once for all of them; so single groups are
 * looked at only where spans change from one to the next. Evaluating a split looks again only at
 * nodes that it may change. If the split cluster was in the span of a group of the node, any centre
 * may be nearest now, and all are tried. If not, then at every possible point of these groups one
 * centre of their spans is the nearest; so the two new centres are compared with these alone. */
#include "models/clusters/span_index.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/rows/group.h"
#include "models/clusters/nearest_search.h"

#include <string.h>

#define UNCHANGED UINT32_MAX
enum { LEAF = 4, TASKS = 128, SLOTS = 2 };

/* A span that one or several groups have now. */
typedef struct finding {
    size_t begin; /* in `changed` */
    uint32_t len;
    uint32_t span; /* its number, once it has one */
} finding;

/* Scratch and results of one thread. A node of depth d uses the slots SLOTS * d and the next of
 * `among` and `sure`, each with room for all centres: the candidates that its parent leaves open,
 * and those that it begins with itself. Its children's are what it leaves open. */
typedef struct worker {
    kn_nearest_searcher searcher;
    kn_class_list list;
    uint32_t *among;
    uint8_t *sure; /* whether the candidate is in the span of every group of the node */
    size_t among_cap, sure_cap;
    uint32_t *changed; /* the spans that changed, one after the other */
    size_t len, cap;
    finding *found;
    size_t findings, found_cap;
    kn_error error;
} worker;

struct kn_span_index {
    const kn_frame *frame;
    const kn_points *points;
    const kn_model_limits *limits;
    kn_span_histogram *histogram; /* NULL: neither diversity nor inference is limited */
    kn_space space; /* the frame's, with the category distances of the centres evaluated */
    double *category_distance;
    size_t category_distance_cap;
    double work;
    const kn_run *run;
    size_t groups;
    double *x;             /* group * attributes + attribute */
    uint32_t *population;  /* by group: its records */
    kn_intern spans;       /* the different ones, as lists of clusters */
    uint32_t *span, *next; /* by group: committed, and evaluated last */
    kn_space public;       /* private attributes weigh nothing */
    kn_kd_tree tree;       /* of the groups */
    uint32_t *place;       /* by group */
    uint32_t *task;        /* nodes that are evaluated one by one, with all below them */
    size_t tasks, levels;
    kn_intern reaches; /* the clusters of all spans of a node, as lists */
    uint32_t *reach;   /* by node: its number */
    double *span_work; /* by span: roughly the pairs of centres compared for a group; -1: not
                          computed */
    size_t span_work_cap;
    uint64_t *span_population; /* by span: its records as evaluated last */
    size_t span_population_cap;
    size_t violation;   /* the smallest span that breaks the limits; SIZE_MAX: none */
    uint32_t *in_order; /* groups sorted by span, if there is a histogram */
    size_t *span_begin; /* by span: where its groups begin in in_order, and the end */
    size_t span_begin_cap;
    unsigned threads;
    worker *worker; /* by thread */
    /* by place in the tree: its finding, or UNCHANGED, and of which thread */
    uint32_t *finding;
    uint8_t *thread;
    /* the centres that are evaluated */
    const double *centre;
    size_t count;
    uint32_t split;
};

/* ---- groups ---- */

/* `groups` NULL: all records are in one. */
static kn_status make_histogram(kn_span_index *g, const kn_row_groups *groups, kn_error *err)
{
    const kn_points *p = g->points;
    uint32_t *of_record = kn__zalloc_array(p->records, sizeof *of_record);
    uint32_t *of_point = kn__malloc_array(p->count, sizeof *of_point);
    kn_status status;

    g->in_order = kn__malloc_array(g->groups, sizeof *g->in_order);
    KN_TRY(of_record && of_point && g->in_order ? KN_OK : kn__nomem(err));
    for (size_t i = 0; groups && i < groups->count; i++) {
        for (size_t at = groups->starts[i]; at < groups->starts[i + 1]; at++) {
            of_record[groups->row[at]] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        of_point[i] = of_record[p->row[i]];
    }
    KN_TRY(kn__span_histogram_new(&g->histogram, p, of_point, g->groups, g->limits, g->run, err));
done:
    kn__free(of_record);
    kn__free(of_point);
    return status;
}

/* Group the records by their public values; without public attributes there is one group. */
static kn_status make_groups(kn_span_index *g, kn_error *err)
{
    const kn_frame *t = g->frame;
    const size_t stride = t->space.attributes;
    const kn_column **keys = kn__malloc_array(stride, sizeof *keys);
    kn_row_groups groups = {0};
    size_t count = 0;
    kn_status status;

    KN_TRY(keys ? KN_OK : kn__nomem(err));
    for (size_t n = 0; n < stride; n++) {
        if (!t->space.at[n].hidden) {
            keys[count++] = t->bound->attribute[t->attribute[n]].column;
        }
    }
    g->groups = 1;
    if (count > 0) {
        KN_TRY(kn__row_groups_make(&groups, keys, count, t->bound->ds->records, err));
        g->groups = groups.count;
    }
    g->x = kn__malloc_array(g->groups * stride, sizeof *g->x);
    g->population = kn__malloc_array(g->groups, sizeof *g->population);
    KN_TRY(g->x && g->population ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < g->groups; i++) {
        kn__frame_get(t, count > 0 ? groups.row[groups.starts[i]] : 0, g->x + i * stride);
        g->population[i] = (uint32_t)(count > 0 ? groups.starts[i + 1] - groups.starts[i]
                                                : t->bound->ds->records);
    }
    if (g->limits->l > 0 || g->limits->inference > 0) {
        KN_TRY(make_histogram(g, count > 0 ? &groups : NULL, err));
    }
done:
    kn__row_groups_clear(&groups);
    kn__free(keys);
    return status;
}

/* The tasks are fixed numbers of nodes, whatever the thread count. */
static kn_status make_tree(kn_span_index *g, kn_error *err)
{
    const size_t stride = g->space.attributes, most = g->groups / TASKS + 1;
    kn_status status;

    g->public.attributes = stride;
    g->public.at = kn__malloc_array(stride, sizeof *g->public.at);
    KN_TRY(g->public.at ? KN_OK : kn__nomem(err));
    memcpy(g->public.at, g->space.at, stride * sizeof *g->public.at);
    for (size_t a = 0; a < stride; a++) {
        if (g->public.at[a].hidden) {
            g->public.at[a].factor = g->public.at[a].weight = 0;
        }
    }
    KN_TRY(kn__kd_tree_new(&g->tree, &g->public, g->x, g->groups, LEAF, err));
    g->place = kn__malloc_array(g->groups, sizeof *g->place);
    g->task = kn__malloc_array(g->tree.count, sizeof *g->task);
    g->reach = kn__zalloc_array(g->tree.count, sizeof *g->reach);
    KN_TRY(g->place && g->task && g->reach ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < g->groups; i++) {
        g->place[g->tree.id[i]] = (uint32_t)i;
    }
    for (size_t at = 0; at < g->tree.count; at++) {
        const kn_kd_node *n = &g->tree.nodes[at];
        g->levels = n->depth + (size_t)1;
        /* Children come after their parents: g->reach marks those below a task meanwhile. */
        const bool is_task = !g->reach[at] && (n->end - n->begin <= most || n->left == 0);
        g->task[g->tasks] = (uint32_t)at;
        g->tasks += is_task;
        if (n->left) {
            g->reach[n->left] = g->reach[n->right] = is_task || g->reach[at];
        }
    }
    memset(g->reach, 0, g->tree.count * sizeof *g->reach);
done:
    return status;
}

kn_status kn__span_index_new(kn_span_index **out, const kn_points *points,
                             const kn_model_limits *limits, const kn_run *run, kn_error *err)
{
    static const uint32_t first_cluster[] = {0};
    kn_span_index *g = kn__zalloc(sizeof *g);
    uint32_t only;
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
    KN_TRY(make_tree(g, err));
    g->span = kn__zalloc_array(g->groups, sizeof *g->span);
    g->next = kn__zalloc_array(g->groups, sizeof *g->next);
    g->finding = kn__malloc_array(g->groups, sizeof *g->finding);
    g->thread = kn__malloc_array(g->groups, sizeof *g->thread);
    g->worker = kn__zalloc_array(g->threads, sizeof *g->worker);
    KN_TRY(g->span && g->next && g->finding && g->thread && g->worker ? KN_OK : kn__nomem(err));
    /* One cluster at first: all groups have span 0, the list of that cluster. */
    KN_TRY(kn__intern_add(&g->spans, first_cluster, 1, &only, err));
    KN_TRY(kn__intern_add(&g->reaches, first_cluster, 1, &only, err));
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
    for (unsigned i = 0; g->worker && i < g->threads; i++) {
        worker *w = &g->worker[i];
        kn__nearest_searcher_clear(&w->searcher);
        kn__class_list_clear(&w->list);
        kn__free(w->among);
        kn__free(w->sure);
        kn__free(w->changed);
        kn__free(w->found);
    }
    kn__free(g->worker);
    kn__span_histogram_free(g->histogram);
    kn__free(g->in_order);
    kn__free(g->span_begin);
    kn__free(g->category_distance);
    kn__free(g->x);
    kn__free(g->population);
    kn__free(g->span);
    kn__free(g->next);
    kn__kd_tree_clear(&g->tree);
    kn__free(g->public.at);
    kn__free(g->place);
    kn__free(g->task);
    kn__free(g->reach);
    kn__free(g->span_work);
    kn__free(g->span_population);
    kn__free(g->finding);
    kn__free(g->thread);
    kn__intern_clear(&g->spans);
    kn__intern_clear(&g->reaches);
    kn__free(g);
}

double kn__span_index_work(const kn_span_index *g)
{
    return g->work;
}

/* ---- evaluating centres ---- */

/* Whether a group with the span `old` must be compared with all centres. */
static bool has_split(const kn_span_index *g, const uint32_t *old, size_t len)
{
    bool found = g->split == KN_NO_CODE;

    for (size_t i = 0; i < len && !found; i++) {
        found = old[i] == g->split;
    }
    return found;
}

/* The groups at the places begin..end-1 have the span `list`. */
static kn_status note(kn_span_index *g, worker *w, const uint32_t *list, size_t len, uint32_t begin,
                      uint32_t end, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&w->changed, &w->cap, w->len + len, sizeof *w->changed, err));
    KN_TRY(kn__grow(&w->found, &w->found_cap, w->findings + 1, sizeof *w->found, err));
    memcpy(w->changed + w->len, list, len * sizeof *list);
    w->found[w->findings] = (finding){w->len, (uint32_t)len, UNCHANGED};
    for (uint32_t i = begin; i < end; i++) {
        g->finding[i] = (uint32_t)w->findings;
        g->thread[i] = (uint8_t)(w - g->worker);
    }
    w->findings++;
    w->len += len;
done:
    return status;
}

/* Decide for all groups of a node at once which of the `count` candidates of slot `from` are in
 * their spans: those that are or may be go to slot `to`. `*open` of them are undecided. */
static kn_status decide_node(const kn_span_index *g, worker *w, uint32_t at, size_t from,
                             size_t count, size_t to, size_t *kept, size_t *open, kn_error *err)
{
    const kn_kd_extent *box = g->tree.extents + at * g->space.attributes;
    const uint32_t *among = w->among + from * g->count;
    const uint8_t *sure = w->sure + from * g->count;
    kn_status status = KN_OK;

    *kept = *open = 0;
    for (size_t m = 0; m < count; m++) {
        kn_answer answer = YES;
        if (!sure[m]) {
            KN_TRY(kn__nearest_in_box(&w->searcher, &g->space, g->centre, among, count, among[m],
                                      box, &answer, err));
        }
        if (answer != NO) {
            w->among[to * g->count + *kept] = among[m];
            w->sure[to * g->count + *kept] = answer == YES;
            *kept += 1;
            *open += answer == UNSURE;
        }
    }
done:
    return status;
}

/* If the split cluster is in no span of the node: keep, of the candidates, the clusters of these
 * spans and the two new ones; none if neither of the two can be the nearest. */
static kn_status keep_concerned(const kn_span_index *g, worker *w, uint32_t at, size_t slot,
                                size_t *count, kn_error *err)
{
    const kn_kd_extent *box = g->tree.extents + at * g->space.attributes;
    uint32_t *among = w->among + slot * g->count;
    uint8_t *sure = w->sure + slot * g->count;
    const uint32_t pair[] = {g->split, (uint32_t)g->count - 1};
    size_t len, kept = 0, next = 0;
    const uint32_t *old = kn__intern_list(&g->reaches, g->reach[at], &len);
    bool concerned = has_split(g, old, len);
    kn_status status = KN_OK;

    if (concerned) {
        return KN_OK;
    }
    for (size_t m = 0; m < *count; m++) {
        while (next < len && old[next] < among[m]) {
            next++;
        }
        if ((next < len && old[next] == among[m]) || among[m] == pair[0] || among[m] == pair[1]) {
            among[kept] = among[m];
            sure[kept++] = sure[m];
        }
    }
    for (size_t n = 0; n < 2 && !concerned; n++) {
        kn_answer answer = NO;
        for (size_t m = 0; m < kept; m++) {
            if (among[m] == pair[n]) {
                KN_TRY(kn__nearest_in_box(&w->searcher, &g->space, g->centre, among, kept, pair[n],
                                          box, &answer, err));
            }
        }
        concerned = answer != NO;
    }
    *count = concerned ? kept : 0;
done:
    return status;
}

static kn_status evaluate_group(kn_span_index *g, worker *w, uint32_t place, size_t slot,
                                size_t count, kn_error *err)
{
    const uint32_t group = g->tree.id[place];
    size_t len;
    const uint32_t *old = kn__intern_list(&g->spans, g->span[group], &len);
    kn_status status;

    w->list.len = 0;
    KN_TRY(kn__nearest_find_among(&w->searcher, &g->space, g->centre, w->among + slot * g->count,
                                  w->sure + slot * g->count, count,
                                  g->x + group * g->space.attributes, &w->list, err));
    if (w->list.len != len || memcmp(w->list.at, old, len * sizeof *old) != 0) {
        KN_TRY(note(g, w, w->list.at, w->list.len, place, place + 1, err));
    }
done:
    return status;
}

/* Evaluate the groups of a node; `count` candidates are in its first slot. */
static kn_status evaluate_node(kn_span_index *g, worker *w, uint32_t at, size_t count,
                               kn_error *err)
{
    const kn_kd_node *n = &g->tree.nodes[at];
    const size_t slot = n->depth * (size_t)SLOTS, own = slot + 1, below = slot + SLOTS;
    size_t kept = 0, open = 0;
    kn_status status;

    memcpy(w->among + own * g->count, w->among + slot * g->count, count * sizeof *w->among);
    memcpy(w->sure + own * g->count, w->sure + slot * g->count, count);
    KN_TRY(keep_concerned(g, w, at, own, &count, err));
    if (count == 0) {
        goto done;
    }
    KN_TRY(decide_node(g, w, at, own, count, below, &kept, &open, err));
    if (open == 0) {
        KN_TRY(note(g, w, w->among + below * g->count, kept, n->begin, n->end, err));
    } else if (n->left) {
        KN_TRY(evaluate_node(g, w, n->left, kept, err));
        KN_TRY(evaluate_node(g, w, n->right, kept, err));
    } else {
        for (uint32_t i = n->begin; i < n->end; i++) {
            KN_TRY(evaluate_group(g, w, i, below, kept, err));
        }
    }
done:
    return status;
}

static kn_status evaluate_task(kn_span_index *g, worker *w, uint32_t at, kn_error *err)
{
    const size_t room = (g->levels + 1) * SLOTS * g->count;
    const size_t slot = g->tree.nodes[at].depth * (size_t)SLOTS;
    kn_status status;

    KN_TRY(kn__grow(&w->among, &w->among_cap, room, sizeof *w->among, err));
    KN_TRY(kn__grow(&w->sure, &w->sure_cap, room, sizeof *w->sure, err));
    for (size_t i = 0; i < g->count; i++) {
        w->among[slot * g->count + i] = (uint32_t)i;
        w->sure[slot * g->count + i] = 0;
    }
    KN_TRY(evaluate_node(g, w, at, g->count, err));
done:
    return status;
}

static void evaluate_slice(void *user, unsigned thread, size_t begin, size_t end)
{
    kn_span_index *g = user;
    worker *w = &g->worker[thread];

    for (size_t i = begin; i < end && w->error.status == KN_OK; i++) {
        w->error.status = evaluate_task(g, w, g->task[i], &w->error);
    }
}

/* Evaluate all groups on all threads; g->finding and g->thread say what was found. */
static kn_status evaluate_groups(kn_span_index *g, kn_error *err)
{
    for (unsigned i = 0; i < g->threads; i++) {
        g->worker[i].len = g->worker[i].findings = 0;
        g->worker[i].error = (kn_error){0};
    }
    for (size_t i = 0; i < g->groups; i++) {
        g->finding[i] = UNCHANGED;
    }
    kn__parallel_for(g->threads, g->tasks, 1, evaluate_slice, g);
    for (unsigned i = 0; i < g->threads; i++) {
        if (g->worker[i].error.status != KN_OK) {
            if (err) {
                *err = g->worker[i].error;
            }
            return g->worker[i].error.status;
        }
    }
    return KN_OK;
}

/* When most of the stored spans are those of no group, keep the others only. */
static kn_status collect_garbage(kn_span_index *g, kn_error *err)
{
    kn_intern kept = {0};
    kn_status status = KN_OK;

    if (g->spans.count < 4096 || g->spans.count < 4 * g->groups) {
        return KN_OK;
    }
    for (size_t i = 0; i < g->groups; i++) {
        size_t len;
        const uint32_t *list = kn__intern_list(&g->spans, g->span[i], &len);
        KN_TRY(kn__intern_add(&kept, list, len, &g->next[i], err));
    }
    memcpy(g->span, g->next, g->groups * sizeof *g->span);
    kn__intern_clear(&g->spans);
    g->spans = kept;
    kept = (kn_intern){0};
done:
    kn__intern_clear(&kept);
    return status;
}

/* Roughly the pairs of centres that are compared for a group with the span `number`, if groups are
 * looked at one by one: so the work of a search does not depend on how they are evaluated. */
static double work_of(kn_span_index *g, uint32_t number)
{
    const double centres = (double)g->count;
    double *work = &g->span_work[number];

    if (*work < 0) {
        size_t len;
        const uint32_t *old = kn__intern_list(&g->spans, number, &len);
        *work = has_split(g, old, len) ? centres * centres : 4 + 2 * (double)len;
    }
    return *work;
}

/* Number the evaluated spans, in the order of their first groups, and count their records. */
static kn_status count_spans(kn_span_index *g, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&g->span_work, &g->span_work_cap, g->spans.count, sizeof *g->span_work, err));
    for (size_t s = 0; s < g->spans.count; s++) {
        g->span_work[s] = -1;
    }
    for (size_t i = 0; i < g->groups; i++) {
        const uint32_t place = g->place[i];
        g->next[i] = g->span[i];
        g->work += work_of(g, g->span[i]);
        if (g->finding[place] != UNCHANGED) {
            const worker *w = &g->worker[g->thread[place]];
            finding *f = &w->found[g->finding[place]];
            if (f->span == UNCHANGED) {
                KN_TRY(kn__intern_add(&g->spans, w->changed + f->begin, f->len, &f->span, err));
            }
            g->next[i] = f->span;
        }
    }
    KN_TRY(kn__grow(&g->span_population, &g->span_population_cap, g->spans.count,
                    sizeof *g->span_population, err));
    memset(g->span_population, 0, g->spans.count * sizeof *g->span_population);
    for (size_t i = 0; i < g->groups; i++) {
        g->span_population[g->next[i]] += g->population[i];
    }
done:
    return status;
}

/* ---- limits ---- */

/* A span of one cluster discloses nothing of private values. */
static bool discloses(const kn_span_index *g, size_t span)
{
    return g->span_population[span] > 0 && g->spans.starts[span + 1] - g->spans.starts[span] > 1;
}

static void note_violation(kn_span_index *g, size_t span, uint64_t *least)
{
    if (g->span_population[span] < *least) {
        *least = g->span_population[span];
        g->violation = span;
    }
}

/* Sort the groups by span (counting sort). */
static kn_status sort_groups(kn_span_index *g, kn_error *err)
{
    const size_t count = g->spans.count;
    kn_status status;

    KN_TRY(kn__grow(&g->span_begin, &g->span_begin_cap, count + 2, sizeof *g->span_begin, err));
    /* While groups are placed, span_begin[s + 1] is where the next group of span s goes. */
    memset(g->span_begin, 0, (count + 2) * sizeof *g->span_begin);
    for (size_t i = 0; i < g->groups; i++) {
        g->span_begin[g->next[i] + 2]++;
    }
    for (size_t s = 0; s < count; s++) {
        g->span_begin[s + 2] += g->span_begin[s + 1];
    }
    for (size_t i = 0; i < g->groups; i++) {
        g->in_order[g->span_begin[g->next[i] + 1]++] = (uint32_t)i;
    }
done:
    return status;
}

/* The smallest span whose records are not diverse enough over their clusters. */
static kn_status check_histograms(kn_span_index *g, uint64_t *least, kn_error *err)
{
    kn_status status;

    KN_TRY(sort_groups(g, err));
    KN_TRY(kn__span_histogram_evaluate(g->histogram, g->centre, g->count, g->split, err));
    g->work += 4 * (double)g->points->count;
    for (size_t s = 0; s < g->spans.count; s++) {
        if (discloses(g, s) && g->span_population[s] < *least &&
            !kn__span_histogram_holds(g->histogram, g->in_order + g->span_begin[s],
                                      g->span_begin[s + 1] - g->span_begin[s])) {
            note_violation(g, s, least);
        }
    }
done:
    return status;
}

kn_status kn__span_index_evaluate(kn_span_index *g, const double *centre, size_t count,
                                  uint32_t split, uint64_t *least, kn_error *err)
{
    kn_status status;

    KN_TRY(collect_garbage(g, err));
    KN_TRY(kn__grow(&g->category_distance, &g->category_distance_cap, count * count,
                    sizeof *g->category_distance, err));
    g->centre = centre;
    g->count = count;
    g->split = split;
    kn__space_category_distances(&g->space, centre, count, g->category_distance);
    g->space.category_distance = g->category_distance;
    g->space.category_distance_count = count;
    KN_TRY(evaluate_groups(g, err));
    KN_TRY(count_spans(g, err));
    *least = UINT64_MAX;
    g->violation = SIZE_MAX;
    for (size_t s = 0; s < g->spans.count; s++) {
        if (discloses(g, s) && g->span_population[s] < g->limits->k) {
            note_violation(g, s, least);
        }
    }
    if (g->histogram && g->violation == SIZE_MAX) {
        KN_TRY(check_histograms(g, least, err));
    }
done:
    return status;
}

/* ---- commit ---- */

/* Add the clusters of one list to those of another, both ascending. */
static kn_status join(kn_class_list *to, const uint32_t *list, size_t len, kn_error *err)
{
    const size_t before = to->len;
    size_t at = 0;
    kn_status status = KN_OK;

    for (size_t i = 0; i < len; i++) {
        while (at < before && to->at[at] < list[i]) {
            at++;
        }
        if (at == before || to->at[at] != list[i]) {
            KN_TRY(kn__class_list_add(to, list[i], err));
        }
    }
    for (size_t i = before; i < to->len; i++) {
        const uint32_t own = to->at[i];
        size_t place = i;
        while (place > 0 && to->at[place - 1] > own) {
            to->at[place] = to->at[place - 1];
            place--;
        }
        to->at[place] = own;
    }
done:
    return status;
}

/* The clusters of all spans of each node, from the leaves up. */
static kn_status set_reaches(kn_span_index *g, kn_error *err)
{
    kn_class_list *list = &g->worker[0].list;
    kn_status status = KN_OK;

    kn__intern_clear(&g->reaches);
    for (size_t at = g->tree.count; at-- > 0;) {
        const kn_kd_node *n = &g->tree.nodes[at];
        size_t len;
        if (n->left && g->reach[n->left] == g->reach[n->right]) {
            g->reach[at] = g->reach[n->left];
            continue;
        }
        list->len = 0;
        for (uint32_t i = n->begin; n->left == 0 && i < n->end; i++) {
            const uint32_t span = g->span[g->tree.id[i]];
            if (i == n->begin || span != g->span[g->tree.id[i - 1]]) {
                const uint32_t *own = kn__intern_list(&g->spans, span, &len);
                KN_TRY(join(list, own, len, err));
            }
        }
        if (n->left) {
            const uint32_t *own = kn__intern_list(&g->reaches, g->reach[n->left], &len);
            KN_TRY(join(list, own, len, err));
            own = kn__intern_list(&g->reaches, g->reach[n->right], &len);
            KN_TRY(join(list, own, len, err));
        }
        KN_TRY(kn__intern_add(&g->reaches, list->at, list->len, &g->reach[at], err));
    }
done:
    return status;
}

kn_status kn__span_index_commit(kn_span_index *g, kn_error *err)
{
    memcpy(g->span, g->next, g->groups * sizeof *g->span);
    if (g->histogram) {
        kn__span_histogram_commit(g->histogram);
    }
    return set_reaches(g, err);
}

const uint32_t *kn__span_index_violation(const kn_span_index *g, size_t *count)
{
    if (g->violation == SIZE_MAX) {
        *count = 0;
        return NULL;
    }
    return kn__intern_list(&g->spans, g->violation, count);
}
