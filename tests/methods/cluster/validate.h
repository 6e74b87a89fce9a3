/* Whether clusters are as methods/cluster/cluster.h promises. */
#ifndef KN_TESTS_METHODS_CLUSTER_VALIDATE_H
#define KN_TESTS_METHODS_CLUSTER_VALIDATE_H

#include "base/memory.h"
#include "base/validate.h"
#include "methods/cluster/cluster.h"

#include <string.h>

static inline bool clusters_validate(const kn_clusters *c, const kn_task *task, size_t k,
                                     const char **reason)
{
    const kn_views *v = c->views;
    const size_t bytes = v->words * sizeof(uint64_t);
    uint64_t *view = kn__malloc_array(c->count + (size_t)1, bytes), *one;
    uint32_t *size = kn__zalloc_array(c->count, sizeof *size);
    uint32_t *codes = kn__malloc_array(v->qis, sizeof *codes);
    bool ok = view && size && codes ? true : kn__broken(reason, "out of memory");

    one = ok ? view + c->count * v->words : NULL;
    for (size_t i = 0; ok && i < task->ds->records; i++) {
        const uint32_t number = c->cluster[i];
        if ((number == KN_SUPPRESSED) != (task->barred && task->barred[i]) ||
            (number != KN_SUPPRESSED && number >= c->count)) {
            ok = kn__broken(reason, "a record has no cluster, or a barred one has");
        } else if (number != KN_SUPPRESSED) {
            for (size_t q = 0; q < v->qis; q++) {
                codes[q] = kn__column_code(&task->ds->column[task->qi[q]], i);
            }
            kn__view_of_tuple(v, codes, one);
            if (size[number]++ == 0) {
                memcpy(view + number * v->words, one, bytes);
            } else {
                kn__view_join(v, view + number * v->words, one);
            }
        }
    }
    for (uint32_t i = 0; ok && i < c->count; i++) {
        if (size[i] != c->size[i] || size[i] < k) {
            ok = kn__broken(reason, "a cluster is too small, or its size is wrong");
        } else if (memcmp(view + i * v->words, kn__clusters_view(c, i), bytes) != 0) {
            ok = kn__broken(reason, "a view is not that of the cluster's records");
        } else if (c->ncp[i] != kn__view_ncp(v, kn__clusters_view(c, i))) {
            ok = kn__broken(reason, "an NCP is not that of the view");
        }
    }
    kn__free(view);
    kn__free(size);
    kn__free(codes);
    return ok;
}

#endif
