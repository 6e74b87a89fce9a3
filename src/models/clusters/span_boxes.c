/* span_boxes.c - the spans of groups of records for new centres, evaluated in a k-d tree.
 *
 * Evaluating a split looks again only at nodes that it may change. If the split cluster was in the
 * span of a group of the node, any centre may be nearest now, and all are tried. If not, then at
 * every possible point of these groups one centre of their spans is the nearest; so the two new
 * centres are compared with these alone.
 */
#include "models/clusters/span_boxes_inside.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

#define UNCHANGED UINT32_MAX
enum { LEAF = 8, TASKS = 128, WAITING = 192 };

/* ---- the tree ---- */

/* The tasks are fixed numbers of nodes, whatever the thread count. */
static kn_status make_tree(kn_span_boxes *b, const kn_space *space, kn_error *err)
{
    const size_t most = b->groups / TASKS + 1;

    KN_PASS(kn__space_public(&b->public, space, err));
    KN_PASS(kn__kd_tree_new(&b->tree, &b->public, b->x, b->groups, LEAF, err));
    b->place = kn__malloc_array(b->groups, sizeof *b->place);
    b->task = kn__malloc_array(b->tree.count, sizeof *b->task);
    b->reach = kn__zalloc_array(b->tree.count, sizeof *b->reach);
    KN_PASS(b->place && b->task && b->reach ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->groups; i++) {
        b->place[b->tree.id[i]] = (uint32_t)i;
    }
    for (size_t at = 0; at < b->tree.count; at++) {
        const kn_kd_node *n = &b->tree.nodes[at];
        b->levels = n->depth + (size_t)1;
        /* Children come after their parents: b->reach marks those below a task meanwhile. */
        const bool is_task = !b->reach[at] && (n->end - n->begin <= most || n->left == 0);
        b->task[b->tasks] = (uint32_t)at;
        b->tasks += is_task;
        if (n->left) {
            b->reach[n->left] = b->reach[n->right] = is_task || b->reach[at];
        }
    }
    return KN_OK;
}

kn_status kn__span_boxes_new(kn_span_boxes **out, const kn_space *space, const double *x,
                             size_t groups, unsigned threads, kn_error *err)
{
    kn_span_boxes *b = kn__zalloc(sizeof *b);
    kn_status status;

    *out = NULL;
    if (!b) {
        return kn__nomem(err);
    }
    b->x = x;
    b->groups = groups;
    b->threads = threads;
    KN_TRY(make_tree(b, space, err));
    b->finding = kn__malloc_array(groups, sizeof *b->finding);
    b->thread = kn__zalloc_array(groups, sizeof *b->thread);
    b->worker = kn__zalloc_array(threads, sizeof *b->worker);
    KN_TRY(b->finding && b->thread && b->worker ? KN_OK : kn__nomem(err));
    *out = b;
    b = NULL;
done:
    kn__span_boxes_free(b);
    return status;
}

void kn__span_boxes_free(kn_span_boxes *b)
{
    if (!b) {
        return;
    }
    for (unsigned i = 0; b->worker && i < b->threads; i++) {
        kn_span_worker *w = &b->worker[i];
        kn__nearest_searcher_clear(&w->searcher);
        kn__class_list_clear(&w->list);
        kn__free(w->among);
        kn__free(w->sure);
        kn__free(w->changed);
        kn__free(w->found);
        kn__free(w->waiting);
        kn__free(w->waiting_among);
        kn__free(w->waiting_sure);
    }
    kn__free(b->worker);
    kn__kd_tree_clear(&b->tree);
    kn__free(b->public.at);
    kn__free(b->place);
    kn__free(b->task);
    kn__free(b->reach);
    kn__free(b->finding);
    kn__free(b->thread);
    kn__free(b->waiting);
    kn__free(b->list_population);
    kn__free(b->list_known);
    kn__intern_clear(&b->lists);
    kn__intern_clear(&b->reaches);
    kn__free(b);
}

/* ---- evaluating centres ---- */

bool kn__span_has_split(const uint32_t *old, size_t len, uint32_t split)
{
    bool found = split == KN_NO_CODE;

    for (size_t i = 0; i < len && !found; i++) {
        found = old[i] == split;
    }
    return found;
}

/* The groups at the places begin..end-1 have the span `list`. */
static kn_status note(kn_span_boxes *b, kn_span_worker *w, const uint32_t *list, size_t len,
                      uint32_t begin, uint32_t end, kn_error *err)
{
    KN_PASS(kn__grow(&w->changed, &w->cap, w->len + len, sizeof *w->changed, err));
    KN_PASS(kn__grow(&w->found, &w->found_cap, w->findings + 1, sizeof *w->found, err));
    memcpy(w->changed + w->len, list, len * sizeof *list);
    w->found[w->findings] = (kn_span_finding){w->len, (uint32_t)len, KN_NO_CODE, begin, end};
    for (uint32_t i = begin; i < end; i++) {
        b->finding[i] = (uint32_t)w->findings;
        b->thread[i] = (uint8_t)(w - b->worker);
    }
    w->findings++;
    w->len += len;
    return KN_OK;
}

/* Decide for all groups of a node at once which of the `count` candidates of slot `from` are in
 * their spans: those that are or may be go to slot `to`. `*open` of them are undecided. */
static kn_status decide_node(const kn_span_boxes *b, kn_span_worker *w, uint32_t at, size_t from,
                             size_t count, size_t to, size_t *kept, size_t *open, kn_error *err)
{
    const kn_kd_extent *box = b->tree.extents + at * b->space->attributes;
    const uint32_t *among = w->among + from * b->count;
    const uint8_t *sure = w->sure + from * b->count;

    *kept = *open = 0;
    for (size_t m = 0; m < count; m++) {
        kn_answer answer = sure[m];
        if (answer == NO) {
            KN_PASS(kn__nearest_in_box(&w->searcher, b->space, b->centre, among, count, among[m],
                                       box, &answer, err));
        }
        if (answer != NO) {
            w->among[to * b->count + *kept] = among[m];
            w->sure[to * b->count + *kept] = answer == YES;
            *kept += 1;
            *open += answer == UNSURE;
        }
    }
    return KN_OK;
}

/* If the split cluster is in no span of the node: keep, of the candidates, the clusters of these
 * spans and the two new ones; none if neither of the two can be the nearest. */
static kn_status keep_concerned(const kn_span_boxes *b, kn_span_worker *w, uint32_t at, size_t slot,
                                size_t *count, kn_error *err)
{
    const kn_kd_extent *box = b->tree.extents + at * b->space->attributes;
    uint32_t *among = w->among + slot * b->count;
    uint8_t *sure = w->sure + slot * b->count;
    const uint32_t pair[] = {b->split, (uint32_t)b->count - 1};
    size_t len, kept = 0, next = 0;
    const uint32_t *old = kn__intern_list(&b->reaches, b->reach[at], &len);
    bool concerned = kn__span_has_split(old, len, b->split);

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
        for (size_t m = 0; m < kept; m++) {
            if (among[m] == pair[n] && sure[m] == NO) {
                kn_answer answer;
                KN_PASS(kn__nearest_in_box(&w->searcher, b->space, b->centre, among, kept, pair[n],
                                           box, &answer, err));
                sure[m] = (uint8_t)answer;
            }
            concerned = concerned || (among[m] == pair[n] && sure[m] != NO);
        }
    }
    *count = concerned ? kept : 0;
    return KN_OK;
}

static kn_status evaluate_group(kn_span_boxes *b, kn_span_worker *w, uint32_t place, size_t slot,
                                size_t count, kn_error *err)
{
    const uint32_t group = b->tree.id[place];
    size_t len;
    const uint32_t *old = kn__intern_list(b->spans, b->span[group], &len);

    w->list.len = 0;
    KN_PASS(kn__nearest_find_among(&w->searcher, b->space, b->centre, w->among + slot * b->count,
                                   w->sure + slot * b->count, count,
                                   b->x + group * b->space->attributes, &w->list, err));
    if (b->lazy || w->list.len != len || memcmp(w->list.at, old, len * sizeof *old) != 0) {
        KN_PASS(note(b, w, w->list.at, w->list.len, place, place + 1, err));
    }
    return KN_OK;
}

/* Leave a node for later, with the `kept` candidates of slot `from`. */
static kn_status let_wait(const kn_span_boxes *b, kn_span_worker *w, uint32_t at, size_t from,
                          size_t kept, kn_error *err)
{
    const size_t len = w->waiting_len + kept;

    KN_PASS(kn__grow(&w->waiting, &w->waiting_cap, w->waits + 1, sizeof *w->waiting, err));
    KN_PASS(kn__grow(&w->waiting_among, &w->waiting_among_cap, len, sizeof *w->waiting_among, err));
    KN_PASS(kn__grow(&w->waiting_sure, &w->waiting_sure_cap, len, sizeof *w->waiting_sure, err));
    memcpy(w->waiting_among + w->waiting_len, w->among + from * b->count, kept * sizeof *w->among);
    memcpy(w->waiting_sure + w->waiting_len, w->sure + from * b->count, kept);
    w->waiting[w->waits++] = (kn_waiting_node){.at = at,
                                               .kept = (uint32_t)kept,
                                               .begin = w->waiting_len,
                                               .worker = (unsigned)(w - b->worker)};
    w->waiting_len = len;
    return KN_OK;
}

/* Evaluate the groups of a node; `count` candidates are in its first slot. */
static kn_status evaluate_node(kn_span_boxes *b, kn_span_worker *w, uint32_t at, size_t count,
                               kn_error *err)
{
    const kn_kd_node *n = &b->tree.nodes[at];
    const size_t slot = n->depth * (size_t)KN_SPAN_SLOTS, own = slot + 1,
                 below = slot + KN_SPAN_SLOTS;
    size_t kept = 0, open = 0;
    kn_status status;

    memcpy(w->among + own * b->count, w->among + slot * b->count, count * sizeof *w->among);
    memcpy(w->sure + own * b->count, w->sure + slot * b->count, count);
    KN_TRY(keep_concerned(b, w, at, own, &count, err));
    if (count == 0) {
        goto done;
    }
    KN_TRY(decide_node(b, w, at, own, count, below, &kept, &open, err));
    if (open == 0) {
        KN_TRY(note(b, w, w->among + below * b->count, kept, n->begin, n->end, err));
    } else if (b->leaves_nodes && n->end - n->begin <= WAITING) {
        KN_TRY(let_wait(b, w, at, below, kept, err));
    } else {
        KN_TRY(kn__span_boxes_evaluate_below(b, w, at, kept, err));
    }
done:
    return status;
}

kn_status kn__span_boxes_evaluate_below(kn_span_boxes *b, kn_span_worker *w, uint32_t at,
                                        size_t kept, kn_error *err)
{
    const kn_kd_node *n = &b->tree.nodes[at];
    const size_t below = (n->depth + (size_t)1) * KN_SPAN_SLOTS;

    if (n->left) {
        KN_PASS(evaluate_node(b, w, n->left, kept, err));
        return evaluate_node(b, w, n->right, kept, err);
    }
    for (uint32_t i = n->begin; i < n->end; i++) {
        KN_PASS(evaluate_group(b, w, i, below, kept, err));
    }
    return KN_OK;
}

kn_status kn__span_boxes_reserve(const kn_span_boxes *b, kn_span_worker *w, kn_error *err)
{
    const size_t room = (b->levels + 1) * KN_SPAN_SLOTS * b->count;

    KN_PASS(kn__grow(&w->among, &w->among_cap, room, sizeof *w->among, err));
    return kn__grow(&w->sure, &w->sure_cap, room, sizeof *w->sure, err);
}

static kn_status evaluate_task(kn_span_boxes *b, kn_span_worker *w, uint32_t at, kn_error *err)
{
    const size_t slot = b->tree.nodes[at].depth * (size_t)KN_SPAN_SLOTS;

    KN_PASS(kn__span_boxes_reserve(b, w, err));
    for (size_t i = 0; i < b->count; i++) {
        w->among[slot * b->count + i] = (uint32_t)i;
        w->sure[slot * b->count + i] = 0;
    }
    return evaluate_node(b, w, at, b->count, err);
}

static void evaluate_slice(void *user, unsigned thread, size_t begin, size_t end)
{
    kn_span_boxes *b = user;
    kn_span_worker *w = &b->worker[thread];

    for (size_t i = begin; i < end && w->error.status == KN_OK; i++) {
        w->error.status = evaluate_task(b, w, b->task[i], &w->error);
    }
}

kn_status kn__span_boxes_status(const kn_span_boxes *b, kn_error *err)
{
    for (unsigned i = 0; i < b->threads; i++) {
        if (b->worker[i].error.status != KN_OK) {
            return kn__error_pass(err, &b->worker[i].error);
        }
    }
    return KN_OK;
}

kn_status kn__span_boxes_evaluate_tasks(kn_span_boxes *b, const kn_space *space,
                                        const double *centre, size_t count, uint32_t split,
                                        const kn_intern *spans, const uint32_t *span, kn_error *err)
{
    b->space = space;
    b->centre = centre;
    b->count = count;
    b->split = split;
    b->spans = spans;
    b->span = span;
    for (unsigned i = 0; i < b->threads; i++) {
        b->worker[i].len = b->worker[i].findings = 0;
        b->worker[i].waits = b->worker[i].waiting_len = 0;
        b->worker[i].error = (kn_error){0};
    }
    for (size_t i = 0; i < b->groups; i++) {
        b->finding[i] = UNCHANGED;
    }
    kn__parallel_for(b->threads, b->tasks, 1, evaluate_slice, b);
    return kn__span_boxes_status(b, err);
}

kn_status kn__span_boxes_evaluate(kn_span_boxes *b, const kn_space *space, const double *centre,
                                  size_t count, uint32_t split, const kn_intern *spans,
                                  const uint32_t *span, kn_error *err)
{
    b->lazy = b->leaves_nodes = false;
    return kn__span_boxes_evaluate_tasks(b, space, centre, count, split, spans, span, err);
}

kn_span_finding *kn__span_boxes_finding(const kn_span_boxes *b, size_t group, const uint32_t **list)
{
    const uint32_t place = b->place[group];
    const kn_span_worker *w = &b->worker[b->thread[place]];

    if (b->finding[place] == UNCHANGED) {
        return NULL;
    }
    *list = w->changed + w->found[b->finding[place]].begin;
    return &w->found[b->finding[place]];
}

/* ---- commit ---- */

/* Add the clusters of one list to those of another, both ascending. */
static kn_status join(kn_class_list *to, const uint32_t *list, size_t len, kn_error *err)
{
    const size_t before = to->len;
    size_t at = 0;

    for (size_t i = 0; i < len; i++) {
        while (at < before && to->at[at] < list[i]) {
            at++;
        }
        if (at == before || to->at[at] != list[i]) {
            KN_PASS(kn__class_list_add(to, list[i], err));
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
    return KN_OK;
}

kn_status kn__span_boxes_commit(kn_span_boxes *b, const kn_intern *spans, const uint32_t *span,
                                kn_error *err)
{
    kn_class_list *list = &b->worker[0].list;

    kn__intern_clear(&b->reaches);
    for (size_t at = b->tree.count; at-- > 0;) {
        const kn_kd_node *n = &b->tree.nodes[at];
        size_t len;
        if (n->left && b->reach[n->left] == b->reach[n->right]) {
            b->reach[at] = b->reach[n->left];
            continue;
        }
        list->len = 0;
        for (uint32_t i = n->begin; n->left == 0 && i < n->end; i++) {
            const uint32_t number = span[b->tree.id[i]];
            if (i == n->begin || number != span[b->tree.id[i - 1]]) {
                const uint32_t *own = kn__intern_list(spans, number, &len);
                KN_PASS(join(list, own, len, err));
            }
        }
        if (n->left) {
            const uint32_t *own = kn__intern_list(&b->reaches, b->reach[n->left], &len);
            KN_PASS(join(list, own, len, err));
            own = kn__intern_list(&b->reaches, b->reach[n->right], &len);
            KN_PASS(join(list, own, len, err));
        }
        KN_PASS(kn__intern_add(&b->reaches, list->at, list->len, &b->reach[at], err));
    }
    return KN_OK;
}
