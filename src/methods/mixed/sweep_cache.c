/* sweep_cache.c - clusters and merges, kept from one run for the next. */
#include "methods/mixed/sweep_cache.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static void forget_steps(kn_sweep_cache *memo)
{
    KN_FREE(memo->btd, memo->ul, memo->least);
    memo->btd = memo->ul = memo->least = NULL;
    memo->steps = memo->feasible_len = 0;
    memo->feasible = false;
}

static void forget_clusters(kn_sweep_cache *memo)
{
    KN_FREE(memo->cluster, memo->size, memo->ncp, memo->view);
    memo->cluster = memo->size = memo->ncp = NULL;
    memo->view = NULL;
    memo->k = 0;
    forget_steps(memo);
}

kn_status kn__sweep_cache_new(kn_sweep_cache **out, kn_error *err)
{
    *out = kn__zalloc(sizeof **out);
    return *out ? KN_OK : kn__nomem(err);
}

void kn__sweep_cache_free(kn_sweep_cache *memo)
{
    if (memo) {
        forget_clusters(memo);
        KN_FREE(memo->step, memo);
    }
}

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *to = kn__malloc_array(count, size);

    return to && count ? memcpy(to, from, count * size) : to;
}

kn_status kn__sweep_cache_keep(kn_sweep_cache *memo, const kn_clusters *c, size_t k, bool plain,
                               kn_error *err)
{
    forget_clusters(memo);
    memo->records = c->views->task->ds->records;
    memo->words = c->views->words;
    memo->count = c->count;
    memo->cluster = copy_of(c->cluster, memo->records, sizeof *c->cluster);
    memo->size = copy_of(c->size, c->count, sizeof *c->size);
    memo->ncp = copy_of(c->ncp, c->count, sizeof *c->ncp);
    memo->view = copy_of(c->view, (size_t)c->count * memo->words, sizeof *c->view);
    if (!memo->cluster || !memo->size || !memo->ncp || !memo->view) {
        forget_clusters(memo);
        return kn__nomem(err);
    }
    memo->k = k;
    memo->plain = plain;
    return KN_OK;
}

kn_status kn__sweep_cache_clusters(const kn_sweep_cache *memo, kn_clusters **out,
                                   const kn_task *task, size_t k, bool plain, kn_error *err)
{
    kn_clusters *c;
    kn_status status;

    *out = NULL;
    if (memo->k != k || memo->plain != plain || memo->records != task->ds->records) {
        return KN_OK;
    }
    c = kn__zalloc(sizeof *c);
    KN_TRY(c ? kn__views_new(&c->views, task, KN_PRICE_NCP, err) : kn__nomem(err));
    c->count = memo->count;
    c->cap = memo->count;
    c->cluster = copy_of(memo->cluster, memo->records, sizeof *c->cluster);
    c->size = copy_of(memo->size, memo->count, sizeof *c->size);
    c->ncp = copy_of(memo->ncp, memo->count, sizeof *c->ncp);
    c->view = copy_of(memo->view, (size_t)memo->count * memo->words, sizeof *c->view);
    KN_TRY(c->cluster && c->size && c->ncp && c->view ? KN_OK : kn__nomem(err));
    *out = c;
    c = NULL;
done:
    kn__clusters_free(c);
    return status;
}

void kn__sweep_cache_go(kn_sweep_cache *memo, const kn_rt_way *way)
{
    const kn_rt_way *was = &memo->way;

    if (was->m != way->m || was->l != way->l || was->kind != way->kind || was->how != way->how ||
        was->exact != way->exact) {
        forget_steps(memo);
    }
    memo->way = *way;
}

kn_status kn__sweep_cache_reserve(kn_sweep_cache *memo, kn_error *err)
{
    return kn__grow(&memo->step, &memo->cap, memo->steps + 1, sizeof *memo->step, err);
}

kn_status kn__sweep_cache_numbers(double **kept, const double *numbers, size_t count, kn_error *err)
{
    if (!*kept) {
        *kept = copy_of(numbers, count, sizeof *numbers);
    }
    return *kept ? KN_OK : kn__nomem(err);
}
