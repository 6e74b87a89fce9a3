/* tfirst.c - the clusters that tfirst starts with: parts of records with similar items.
 *
 * Records are sorted by the Gray order of their items along the hierarchy, which puts similar ones
 * next to each other, and cut into parts of about equal size. A part ends where its items can be
 * published, if that is soon; one whose items cannot is merged later. O(n log n) comparisons of
 * records. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "methods/cluster/refine.h"
#include "methods/mixed/rt_items.h"
#include "methods/sets/lra.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 10 }; /* unless asked otherwise */

/* A record, and where in the hierarchy its items are. */
typedef struct placed {
    uint32_t *place;
    size_t len;
    uint32_t record;
} placed;

static int by_items(const void *x, const void *y)
{
    const placed *a = x, *b = y;
    const int order = kn__gray_order(a->place, a->len, b->place, b->len);

    return order ? order : KN_ORDER(a->record, b->record);
}

/* The records that are not barred, those with similar items near each other. `*room` holds their
 * places. */
static kn_status order_records(const kn_task *task, const kn_rt_items *x, placed **out,
                               uint32_t **room, size_t *count, kn_error *err)
{
    const kn_baskets *b = x->baskets;
    placed *list = kn__malloc_array(b->records, sizeof *list);

    *count = 0;
    *out = list;
    *room = kn__malloc_array((size_t)b->starts[b->records], sizeof **room);
    KN_PASS(list && *room ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        placed *p = &list[*count];
        if (task->barred && task->barred[i]) {
            continue;
        }
        *p = (placed){.place = *room + b->starts[i], .record = (uint32_t)i};
        for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
            if (!x->sensitive.is[b->list[j]]) {
                p->place[p->len++] = x->domain->order[b->list[j]];
            }
        }
        kn__sort_u32(p->place, p->len);
        ++*count;
    }
    if (*count > 1) {
        qsort(list, *count, sizeof *list, by_items);
    }
    return KN_OK;
}

/* Put `count` records into a new cluster. */
static kn_status add_part(kn_clusters *c, const placed *list, size_t count, uint64_t *one,
                          uint32_t *codes, kn_error *err)
{
    const kn_task *task = c->views->task;
    const uint32_t number = c->count;

    KN_PASS(kn__clusters_add(c, err));
    for (size_t i = 0; i < count; i++) {
        for (size_t q = 0; q < task->qis; q++) {
            codes[q] = kn__column_code(&task->ds->column[task->qi[q]], list[i].record);
        }
        kn__view_of_tuple(c->views, codes, i ? one : kn__clusters_view(c, number));
        if (i) {
            kn__view_join(c->views, kn__clusters_view(c, number), one);
        }
        c->cluster[list[i].record] = number;
        c->size[number]++;
    }
    c->ncp[number] = kn__view_ncp(c->views, kn__clusters_view(c, number));
    return KN_OK;
}

static kn_status cut_records(kn_clusters *c, const kn_rt_items *x, kn_cluster_items *t,
                             const placed *list, size_t count, size_t parts, kn_error *err)
{
    uint64_t *one = kn__malloc_array(c->views->words, sizeof *one);
    uint32_t *codes = kn__malloc_array(c->views->qis, sizeof *codes);
    uint32_t *records = kn__malloc_array(count, sizeof *records);
    size_t begin = 0, len = 0;
    bool first = true; /* no end of this part was tried yet */
    kn_status status;

    KN_TRY(one && codes && records ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const size_t end = (size_t)((double)count * (double)(c->count + 1) / (double)parts);
        bool feasible = i + 1 == count;
        records[len++] = list[i].record;
        /* Whatever comes after must be a part, too. Finer items are searched for once only. */
        if (!feasible && i + 1 >= end && len >= x->k && count - i - 1 >= x->k) {
            kn_feasibility found = KN_FEASIBLE_NOT;
            feasible = kn__cluster_items_feasible_as_one(t, 0, records, len);
            if (!feasible && first) {
                KN_TRY(kn__cluster_items_feasible(t, 0, records, len, &found, err));
                feasible = found != KN_FEASIBLE_NOT;
            }
            first = false;
        }
        if (feasible) {
            first = true;
            KN_TRY(add_part(c, list + begin, len, one, codes, err));
            begin = i + 1;
            len = 0;
        }
    }
done:
    KN_FREE(one, codes, records);
    return status;
}

kn_status kn__tfirst_clusters(kn_clusters **out, const kn_task *task, const kn_rt_items *x,
                              kn_cluster_items *t, kn_error *err)
{
    const size_t records = task->ds->records;
    kn_clusters *c = kn__zalloc(sizeof *c);
    placed *list = NULL;
    uint32_t *room = NULL;
    size_t count = 0, parts = kn__param_count(&task->params, "parts");
    kn_status status;

    *out = c;
    KN_TRY(c ? kn__views_new(&c->views, task, KN_PRICE_NCP, err) : kn__nomem(err));
    c->cluster = kn__malloc_array(records, sizeof *c->cluster);
    KN_TRY(c->cluster ? order_records(task, x, &list, &room, &count, err) : kn__nomem(err));
    memset(c->cluster, 0xff, records * sizeof *c->cluster); /* KN_SUPPRESSED */
    if (!kn_params_is_set(&task->params, "parts")) {
        parts = count / (2 * x->k) < MOST_PARTS ? count / (2 * x->k) : MOST_PARTS;
    }
    parts = parts < count / x->k ? parts : count / x->k;
    KN_TRY(cut_records(c, x, t, list, count, parts ? parts : 1, err));
done:
    KN_FREE(list, room);
    return status;
}
