/* stated_counts.c - figures of nodes and clusters, recounted from the populations of classes. */
#include "models/judge/stated_counts.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/tree/tree.h"

#include <math.h>

/* Shares are quotients of doubles: the last bits may differ. */
static const double ROUNDING = 1e-9;

/* Records by node and bin: those that end at the node or below it, with or without an answer.
 * Parents have lower numbers than their children. */
static uint64_t *count_nodes(const kn_tree *t, const kn_spans *s, size_t bins)
{
    const size_t places = kn__tree_places(t);
    uint64_t *count = kn__zalloc_array(t->nodes, bins * sizeof *count);

    for (size_t i = 0; count && i < places * bins; i++) {
        count[i % (t->nodes * bins)] += s->class_population[i];
    }
    for (size_t i = t->nodes; count && i-- > 1;) {
        for (size_t c = 0; c < bins; c++) {
            count[t->node[i].parent * bins + c] += count[i * bins + c];
        }
    }
    return count;
}

static uint64_t count_shares(const kn_tree *t, const kn_tree_node *n, const uint64_t *count,
                             size_t classes, uint64_t known)
{
    uint64_t unlike = 0;

    for (size_t kind = 0; n->share && kind < KN_SHARE_KINDS; kind++) {
        for (size_t c = 0; c < classes; c++) {
            const double stated = n->share[kind * classes + c];
            const double is = known ? (double)count[c] / (double)known : 0;
            unlike += !isnan(stated) && !(fabs(stated - is) <= t->share_within + ROUNDING);
        }
    }
    return unlike;
}

/* The first `classes` bins of a node are the class values that the model knows. */
static uint64_t count_figures(const kn_tree *t, const kn_tree_node *n, const uint64_t *count,
                              size_t classes, size_t bins)
{
    uint64_t unlike = 0, known = 0, all = 0;

    for (size_t c = 0; c < bins; c++) {
        known += c < classes ? count[c] : 0;
        all += count[c];
        unlike += c < classes && n->population && n->population[c] != count[c];
    }
    unlike += n->records >= 0 && n->records != (double)known && n->records != (double)all;
    return unlike + count_shares(t, n, count, classes, known);
}

static kn_status count_tree(const kn_model *m, const kn_spans *s, uint64_t *unlike, kn_error *err)
{
    const kn_tree *t = &m->tree;
    const size_t bins = kn__tree_bins(t, s->classes_count);
    const size_t classes = m->attribute[t->class_attribute].values->len;
    uint64_t *count = count_nodes(t, s, bins);

    if (!count) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < t->nodes; i++) {
        *unlike += count_figures(t, &t->node[i], count + i * bins, classes, bins);
    }
    kn__free(count);
    return KN_OK;
}

kn_status kn__model_count_unlike(const kn_model *m, const kn_spans *spans, uint64_t *unlike,
                                 kn_error *err)
{
    *unlike = 0;
    if (m->kind == KN_MODEL_TREE) {
        return count_tree(m, spans, unlike, err);
    }
    for (size_t i = 0;
         m->kind == KN_MODEL_CLUSTERS && m->centres.population && i < m->centres.count; i++) {
        *unlike += m->centres.population[i] != spans->class_population[i];
    }
    return KN_OK;
}
