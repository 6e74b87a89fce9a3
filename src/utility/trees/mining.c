/* mining.c - frequent subtrees at every level of the hierarchies, in the original and in the
 * release at once: ML^2 and dML^2.
 *
 * A subtree from the root is a set of synopsis nodes that holds the parent of each of its nodes.
 * The search adds nodes in the order of their numbers, in which parents come first, so each subtree
 * is reached once. With it go two record sets, of the original and of the release, where the nodes
 * are those with the same path of labels. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/trees/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBTREES = 20000000 };

typedef struct level {
    const kn_tree_pair *p;
    const kn_tree_kept *kept;
    uint32_t height;
    size_t least; /* records that make a subtree frequent */
    kn_synopsis *of, *published;
    kn_record_set *holds, *published_holds; /* by node of these, where it matters */
    uint32_t *same;     /* by node of `of`: the node of `published` with its path, or 0 */
    double *distance;   /* by node: dlevel */
    double *removed;    /* by node: relations with its ancestors that are gone, on average */
    uint32_t *frequent; /* nodes */
    size_t frequent_len;
    uint8_t *in; /* by node: it is in the subtree */
    double sum;  /* of dtree */
    kn_tree_mining *out;
} level;

/* The label at or above `label` on level `height`; a label above it stays. */
static uint32_t generalise(const kn_tree_domain *d, uint32_t label, uint32_t height)
{
    while (d->parent[label] != label && d->height[d->parent[label]] <= height) {
        label = d->parent[label];
    }
    return label;
}

static kn_status project(kn_synopsis **out, const kn_forest *f, const uint32_t *label,
                         const kn_tree_domain *d, uint32_t height, const kn_run *run, kn_error *err)
{
    uint32_t *to = kn__malloc_array(f->values, sizeof *to);
    kn_status status;

    KN_TRY(to ? KN_OK : kn__nomem(err));
    for (uint32_t v = 0; v < f->values; v++) {
        to[v] = generalise(d, label[v], height);
    }
    KN_TRY(kn__synopsis_new(out, f, to, d->labels, run, err));
done:
    kn__free(to);
    return status;
}

/* Average distance of a label of this level to what its values are published as. */
static kn_status label_distances(const level *l, double *out, kn_error *err)
{
    const kn_tree_domain *d = l->p->d;
    double *count = kn__zalloc_array(d->labels, sizeof *count);

    KN_PASS(count ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < d->labels; i++) {
        out[i] = 0;
    }
    for (uint32_t i = 0; i < d->labels; i++) {
        const uint32_t label = generalise(d, i, l->height);
        for (uint32_t h = 0; h < l->kept->heights; h++) {
            const double occurrences = (double)l->kept->at_height[(size_t)i * l->kept->heights + h];
            const double shown = h == l->kept->heights - 1 ? d->top : h;
            out[label] += occurrences * fmax(shown - l->height, 0) / d->top;
            count[label] += occurrences;
        }
    }
    for (uint32_t i = 0; i < d->labels; i++) {
        out[i] = count[i] > 0 ? out[i] / count[i] : 0;
    }
    kn__free(count);
    return KN_OK;
}

/* Pairs of labels of this level. */
static int by_pair(const void *a, const void *b)
{
    const struct kn_pair_count *x = a, *y = b;

    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

static double share_removed(const struct kn_pair_count *pairs, size_t count, uint32_t above,
                            uint32_t below)
{
    const struct kn_pair_count wanted = {.pair = (uint64_t)above << 32 | below};
    const struct kn_pair_count *found = count
                                            ? bsearch(&wanted, pairs, count, sizeof *pairs, by_pair)
                                            : NULL;

    return found && found->count ? (double)found->removed / (double)found->count : 0;
}

static kn_status fill_removed(level *l, kn_error *err)
{
    const kn_tree_domain *d = l->p->d;
    const size_t all = l->kept->pairs_count;
    struct kn_pair_count *pairs = kn__malloc_array(all, sizeof *pairs);
    size_t count = 0;

    KN_PASS(pairs ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < all; i++) {
        const struct kn_pair_count *from = &l->kept->pairs[i];
        pairs[i] = *from;
        pairs[i].pair = (uint64_t)generalise(d, (uint32_t)(from->pair >> 32), l->height) << 32 |
                        generalise(d, (uint32_t)from->pair, l->height);
    }
    qsort(pairs, all, sizeof *pairs, by_pair);
    for (size_t i = 0; i < all; i++) {
        if (count && pairs[count - 1].pair == pairs[i].pair) {
            pairs[count - 1].count += pairs[i].count;
            pairs[count - 1].removed += pairs[i].removed;
        } else {
            pairs[count++] = pairs[i];
        }
    }
    for (size_t i = 0; i < l->frequent_len; i++) {
        const uint32_t node = l->frequent[i];
        l->removed[node] = 0;
        for (uint32_t up = l->of->parent[node]; up; up = l->of->parent[up]) {
            l->removed[node] += share_removed(pairs, count, l->of->label[up], l->of->label[node]);
        }
    }
    kn__free(pairs);
    return KN_OK;
}

/* The nodes of the release with the paths of the frequent nodes. */
static void find_same(level *l)
{
    for (size_t i = 0; i < l->frequent_len; i++) {
        const uint32_t node = l->frequent[i], label = l->of->label[node];
        const uint32_t up = l->of->parent[node], above = up ? l->same[up] : 0;
        l->same[node] = 0;
        for (uint32_t j = l->published->side_begin[label];
             (above || !up) && j < l->published->side_begin[label + 1]; j++) {
            const uint32_t other = l->published->side[j];
            if (l->published->parent[other] == above) {
                l->same[node] = other;
            }
        }
    }
}

/* The records of the frequent nodes, and of the same ones of the release. */
static kn_status fill_holds(level *l, kn_error *err)
{
    uint8_t *of = kn__zalloc_array(l->of->nodes, 1);
    uint8_t *published = kn__zalloc_array(l->published->nodes, 1);
    kn_status status;

    l->holds = kn__zalloc_array(l->of->nodes, sizeof *l->holds);
    l->published_holds = kn__zalloc_array(l->published->nodes, sizeof *l->published_holds);
    KN_TRY(of && published && l->holds && l->published_holds ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < l->frequent_len; i++) {
        of[l->frequent[i]] = 1;
        published[l->same[l->frequent[i]]] = 1;
    }
    KN_TRY(kn__synopsis_sets(l->holds, l->of, of, err));
    KN_TRY(kn__synopsis_sets(l->published_holds, l->published, published, err));
done:
    KN_FREE(of, published);
    return status;
}

static kn_status level_init(level *l, const kn_run *run, kn_error *err)
{
    const kn_tree_pair *p = l->p;
    double *distances = kn__malloc_array(p->d->labels, sizeof *distances);
    kn_status status;

    KN_TRY(distances ? KN_OK : kn__nomem(err));
    KN_TRY(project(&l->of, p->original, p->d->of_value, p->d, l->height, run, err));
    KN_TRY(project(&l->published, p->published, p->label, p->d, l->height, run, err));
    l->same = kn__zalloc_array(l->of->nodes, sizeof *l->same);
    l->distance = kn__zalloc_array(l->of->nodes, sizeof *l->distance);
    l->removed = kn__zalloc_array(l->of->nodes, sizeof *l->removed);
    l->frequent = kn__malloc_array(l->of->nodes, sizeof *l->frequent);
    l->in = kn__zalloc_array(l->of->nodes, 1);
    KN_TRY(l->same && l->distance && l->removed && l->frequent && l->in
               ? label_distances(l, distances, err)
               : kn__nomem(err));
    for (uint32_t i = 1; i < l->of->nodes; i++) {
        if (l->of->support[i] >= l->least) {
            l->frequent[l->frequent_len++] = i;
            l->distance[i] = distances[l->of->label[i]];
        }
    }
    find_same(l);
    KN_TRY(fill_holds(l, err));
    KN_TRY(fill_removed(l, err));
    l->in[0] = 1;
done:
    kn__free(distances);
    return status;
}

static void free_sets(kn_record_set *sets, uint32_t count)
{
    for (uint32_t i = 0; sets && i < count; i++) {
        kn__record_set_clear(&sets[i]);
    }
    kn__free(sets);
}

static void level_clear(level *l)
{
    free_sets(l->holds, l->of ? l->of->nodes : 0);
    free_sets(l->published_holds, l->published ? l->published->nodes : 0);
    kn__synopsis_free(l->of);
    kn__synopsis_free(l->published);
    KN_FREE(l->same, l->distance, l->removed, l->frequent, l->in);
}

/* A subtree: what it sums up to. */
typedef struct subtree {
    const kn_record_set *of, *published; /* NULL: none of the release */
    double distance, removed;
    size_t nodes, relations;
} subtree;

static void note(level *l, const subtree *t)
{
    l->out->frequent++;
    l->out->preserved += t->published && t->published->len >= l->least;
    l->sum += 0.5 * t->distance / (double)t->nodes +
              (t->relations ? 0.5 * t->removed / (double)t->relations : 0);
}

static kn_status extend(level *l, const subtree *t, size_t from, const kn_run *run, kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = from; i < l->frequent_len && status == KN_OK; i++) {
        const uint32_t node = l->frequent[i], same = l->same[node];
        const kn_record_set *by = &l->holds[node];
        kn_record_set of = {0}, published = {0};
        subtree next = {.of = by,
                        .distance = t->distance + l->distance[node],
                        .removed = t->removed + l->removed[node],
                        .nodes = t->nodes + 1,
                        .relations = t->relations + l->of->depth[node] - 1};
        if (!l->in[l->of->parent[node]]) {
            continue;
        }
        if (same && (t->published || t->nodes == 0)) {
            next.published = &l->published_holds[same];
        }
        if (t->nodes) {
            status = kn__record_set_intersect(&of, t->of, by, l->of->words, NULL, NULL, err);
            next.of = &of;
            if (status == KN_OK && next.published && of.len >= l->least) {
                status = kn__record_set_intersect(&published, t->published, next.published,
                                                  l->published->words, NULL, NULL, err);
                next.published = &published;
            }
        }
        if (status == KN_OK && next.of->len >= l->least) {
            note(l, &next);
            status = l->out->frequent > MOST_SUBTREES
                         ? kn__fail(err, KN_EINFEASIBLE,
                                    "more than %d subtrees are frequent: raise the support",
                                    (int)MOST_SUBTREES)
                         : kn__run_step(run, "measure", -1, err);
            l->in[node] = 1;
            status = status == KN_OK ? extend(l, &next, i + 1, run, err) : status;
            l->in[node] = 0;
        }
        kn__record_set_clear(&of);
        kn__record_set_clear(&published);
    }
    return status;
}

static size_t frequent_from(double support, size_t records)
{
    const double least = ceil(support * (double)records - 1e-9);

    return least < 1 ? 1 : (size_t)least;
}

kn_status kn__tree_mine(kn_tree_mining *out, const kn_tree_pair *p, const kn_tree_kept *kept,
                        double support, const kn_run *run, kn_error *err)
{
    double sum = 0;
    kn_status status = KN_OK;

    *out = (kn_tree_mining){0};
    for (uint32_t height = 0; height < p->d->levels && status == KN_OK; height++) {
        level l = {.p = p,
                   .kept = kept,
                   .height = height,
                   .least = frequent_from(support, p->original->records),
                   .out = out};
        const subtree none = {0};
        status = level_init(&l, run, err);
        if (status == KN_OK) {
            status = extend(&l, &none, 0, run, err);
        }
        sum += l.sum;
        level_clear(&l);
    }
    if (status == KN_OK && out->frequent) {
        out->ml2 = 1 - (double)out->preserved / (double)out->frequent;
        out->dml2 = sum / (double)out->frequent;
    }
    return status;
}
