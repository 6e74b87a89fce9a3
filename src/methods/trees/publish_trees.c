/* publish_trees.c - the published trees of a solution: every value as its label, relations
 * disassociated, equal siblings merged. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/trees/trees.h"

#include <string.h>

/* Add record `r` of `s`; made[node] is its node of this record when stamp[node] says so. */
static kn_status add_record(kn_forest_builder *b, const kn_synopsis *s, const kn_tree_domain *d,
                            size_t r, uint32_t *made, uint32_t *stamp, uint32_t *path,
                            kn_error *err)
{
    size_t held;
    const uint32_t *row = kn__synopsis_row(s, r, &held);

    KN_PASS(kn__forest_builder_record(b, err));
    for (size_t h = 0; h < held; h++) {
        size_t len = 0;
        for (uint32_t i = s->now[row[h]]; i && stamp[i] != r + 1; i = s->parent[i]) {
            path[len++] = i;
        }
        while (len-- > 0) {
            const uint32_t i = path[len], label = s->label[i];
            KN_PASS(kn__forest_builder_node(b, d->class_[label], d->text[label],
                                            strlen(d->text[label]),
                                            s->parent[i] ? made[s->parent[i]] : KN_NO_PARENT,
                                            &made[i], err));
            stamp[i] = (uint32_t)r + 1;
        }
    }
    return KN_OK;
}

kn_status kn__tree_publish(kn_forest **out, const kn_forest *f, const kn_tree_domain *d,
                           const kn_tree_solution *solution, const kn_run *run, kn_error *err)
{
    kn_relation *relations = kn__malloc_array(solution->cuts, sizeof *relations);
    uint32_t *made = NULL, *stamp = NULL, *path = NULL;
    kn_forest_builder *b = NULL;
    kn_synopsis *s = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(relations ? kn__synopsis_new(&s, f, solution->to, d->labels, run, err) : kn__nomem(err));
    for (size_t i = 0; i < solution->cuts; i++) {
        relations[i] = solution->cut[i].relation;
    }
    KN_TRY(kn__synopsis_disassociate(s, relations, solution->cuts, NULL, 0, err));
    made = kn__malloc_array(s->nodes, sizeof *made);
    stamp = kn__zalloc_array(s->nodes, sizeof *stamp);
    path = kn__malloc_array(f->classes.len, sizeof *path); /* a path has each class once */
    KN_TRY(made && stamp && path ? kn__forest_builder_new(&b, &f->classes, err) : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        KN_TRY(add_record(b, s, d, r, made, stamp, path, err));
    }
    status = kn__forest_builder_finish(b, out, err);
    b = NULL;
    KN_TRY(status);
    KN_TRY(kn__forest_normalise(*out, NULL, err));
done:
    if (status != KN_OK) {
        kn__forest_free(*out);
        *out = NULL;
    }
    kn__forest_builder_free(b);
    kn__synopsis_free(s);
    KN_FREE(relations, made, stamp, path);
    return status;
}
