/* cluster.c - clusters as results: made, taken from groups, improved, published and validated.
 * Those that are published alike become one. */
#include "methods/registry.h"
#include "methods/params.h"
#include "methods/cluster/cluster.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "methods/cluster/refine.h"

#include <string.h>

void kn__clusters_free(kn_clusters *c)
{
    if (c) {
        kn__views_free(c->views);
        KN_FREE(c->cluster, c->size, c->ncp, c->view, c);
    }
}

kn_status kn__clusters_add(kn_clusters *c, kn_error *err)
{
    size_t words = c->cap * c->views->words, sizes = c->cap, costs = c->cap;
    const size_t most = c->cap ? 2 * c->cap : 64;

    if (c->count == c->cap) {
        KN_PASS(kn__grow(&c->view, &words, most * c->views->words, sizeof *c->view, err));
        KN_PASS(kn__grow(&c->size, &sizes, most, sizeof *c->size, err));
        KN_PASS(kn__grow(&c->ncp, &costs, most, sizeof *c->ncp, err));
        c->cap = most;
    }
    c->size[c->count] = 0;
    c->ncp[c->count++] = 0;
    return KN_OK;
}

double kn__clusters_ncp(const kn_clusters *c)
{
    uint64_t sum = 0, records = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        sum += (uint64_t)c->size[i] * c->ncp[i];
        records += c->size[i];
    }
    return records ? (double)sum / (double)records / KN_NCP_ONE : 0;
}

double kn__clusters_reported(const kn_clusters *c)
{
    const kn_views *v = c->views;
    double sum = 0, records = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t *view = kn__clusters_view(c, i);
        double cost = c->ncp[i];
        for (size_t j = 0; j < v->trees; j++) {
            const kn_scale *s = &v->scale[j];
            const uint32_t node = (uint32_t)view[j];
            cost += s->domain->loss[kn__domain_as_read(s->domain, node)] * s->whole;
            cost -= s->cost[node];
        }
        sum += cost * c->size[i];
        records += c->size[i];
    }
    return records > 0 ? sum / records / KN_NCP_ONE : 0;
}

kn_status kn__clusters_publish(const kn_clusters *c, kn_grouping *out, kn_error *err)
{
    const kn_task *task = c->views->task;

    KN_PASS(kn__grouping_init(out, task, c->count, err));
    memcpy(out->group, c->cluster, task->ds->records * sizeof *out->group);
    for (size_t i = 0; i < c->count; i++) {
        for (size_t j = 0; j < c->views->qis; j++) {
            const kn_scale *s = &c->views->scale[j];
            const size_t at = i * task->qis + s->q;
            kn__view_publish(s, kn__clusters_view(c, i), &out->low[at], &out->high[at]);
        }
    }
    return KN_OK;
}

/* Join each with the first like it. */
static kn_status join_equals(kn_clusters *c, kn_error *err)
{
    const size_t bytes = c->views->words * sizeof *c->view;
    const size_t records = c->views->task->ds->records;
    uint32_t *to = kn__malloc_array(c->count, sizeof *to), count = 0;
    kn_map known = {0}; /* by hash of the view: cluster + 1 */
    kn_status status;

    KN_TRY(to ? kn__map_reserve(&known, c->count, err) : kn__nomem(err));
    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t *view = kn__clusters_view(c, i), hash = kn__hash_bytes(view, bytes);
        kn_map_slot *slot = kn__map_find(&known, hash);
        while (slot->value &&
               memcmp(kn__clusters_view(c, (uint32_t)slot->value - 1), view, bytes) != 0) {
            slot = kn__map_next(&known, slot);
        }
        if (!slot->value) {
            memmove(kn__clusters_view(c, count), view, bytes);
            c->ncp[count] = c->ncp[i];
            c->size[count++] = c->size[i];
            kn__map_put(&known, slot, hash, count);
        } else {
            c->size[slot->value - 1] += c->size[i];
        }
        to[i] = (uint32_t)(slot->value - 1);
    }
    for (size_t i = 0; i < records; i++) {
        c->cluster[i] = c->cluster[i] == KN_SUPPRESSED ? KN_SUPPRESSED : to[c->cluster[i]];
    }
    c->count = count;
done:
    kn__map_clear(&known);
    kn__free(to);
    return status;
}

/* The clusters of `task` without their records. */
static kn_status clusters_init(kn_clusters **out, const kn_task *task, kn_price price,
                               kn_error *err)
{
    kn_clusters *c = kn__zalloc(sizeof *c);

    *out = c;
    KN_PASS(c ? kn__views_new(&c->views, task, price, err) : kn__nomem(err));
    c->cluster = kn__malloc_array(task->ds->records, sizeof *c->cluster);
    return c->cluster ? KN_OK : kn__nomem(err);
}

/* The groups of `start` as clusters. */
static kn_status take_groups(kn_clusters *c, const kn_tuples *tuples, const kn_grouping *start,
                             kn_error *err)
{
    uint64_t *one = kn__malloc_array(c->views->words, sizeof *one);
    kn_status status = one ? KN_OK : kn__nomem(err);

    for (size_t i = 0; status == KN_OK && i < start->groups; i++) {
        status = kn__clusters_add(c, err);
    }
    KN_TRY(status);
    memcpy(c->cluster, start->group, c->views->task->ds->records * sizeof *c->cluster);
    for (uint32_t t = 0; t < tuples->count; t++) {
        kn__view_of_tuple(c->views, kn__tuple(tuples, t), one);
        for (uint32_t m = tuples->begin[t]; m < tuples->begin[t + 1]; m++) {
            const uint32_t number = c->cluster[tuples->members[m]];
            uint64_t *view = kn__clusters_view(c, number);
            if (c->size[number]++ == 0) {
                memcpy(view, one, c->views->words * sizeof *one);
            } else {
                kn__view_join(c->views, view, one);
            }
        }
    }
    for (uint32_t i = 0; i < c->count; i++) {
        c->ncp[i] = kn__view_ncp(c->views, kn__clusters_view(c, i));
    }
done:
    kn__free(one);
    return status;
}

/* Refine the clusters, and join those that are then published alike. */
static kn_status refine(kn_clusters *c, const kn_tuples *tuples, size_t k, unsigned trials,
                        kn_error *err)
{
    KN_PASS(kn__clusters_refine(c, tuples, k, trials, err));
    return join_equals(c, err);
}

kn_status kn__clusters_new(kn_clusters **out, const kn_task *task, size_t k, bool plain,
                           kn_price price, kn_error *err)
{
    kn_clusters *c = NULL;
    kn_tuples *tuples = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__tuples_new(&tuples, task, err));
    if (tuples->records < k) {
        KN_TRY(kn__task_infeasible(task, err));
    }
    KN_TRY(clusters_init(&c, task, price, err));
    KN_TRY(kn__clusters_form(c, task, tuples, k, plain, err));
    KN_TRY(join_equals(c, err));
    KN_TRY(plain ? KN_OK : refine(c, tuples, k, 0, err));
    *out = c;
    c = NULL;
done:
    kn__tuples_free(tuples);
    kn__clusters_free(c);
    return status;
}

kn_status kn__clusters_of_groups(kn_clusters **out, const kn_task *task, const kn_grouping *groups,
                                 kn_price price, kn_error *err)
{
    kn_clusters *c = NULL;
    kn_tuples *tuples = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__tuples_new(&tuples, task, err));
    KN_TRY(clusters_init(&c, task, price, err));
    KN_TRY(take_groups(c, tuples, groups, err));
    KN_TRY(join_equals(c, err));
    *out = c;
    c = NULL;
done:
    kn__tuples_free(tuples);
    kn__clusters_free(c);
    return status;
}

kn_status kn__clusters_improve(kn_clusters *c, size_t k, unsigned trials, kn_error *err)
{
    kn_tuples *tuples = NULL;
    kn_status status;

    KN_TRY(kn__tuples_new(&tuples, c->views->task, err));
    KN_TRY(refine(c, tuples, k, trials, err));
done:
    kn__tuples_free(tuples);
    return status;
}

size_t kn__clusters_k(const kn_task *task)
{
    const kn_anonymize_options *o = task->options;
    size_t k = 1;

    for (size_t i = 0; i < o->guarantees_count; i++) {
        k = o->guarantees[i].k > k ? o->guarantees[i].k : k;
    }
    return k;
}

static kn_status run(const kn_task *task, kn_grouping *out, kn_error *err)
{
    const bool paper = kn__param_flag(&task->params, "paper");
    kn_clusters *c = NULL;
    kn_status status = KN_OK;

    *out = (kn_grouping){0};
    KN_TRY(kn__clusters_new(&c, task, kn__clusters_k(task), paper, KN_PRICE_NCP, err));
    KN_TRY(kn__clusters_publish(c, out, err));
done:
    kn__clusters_free(c);
    return status;
}

static const kn_param params[] = {KN_PARAM_PAPER};

const kn_method_row kn__cluster_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "cluster",
              .reaches = "k-anonymity",
              .summary =
                  "a random record and the k-1 nearest to it, again and again; then improved",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_TABLE,
    .table = run,
};
