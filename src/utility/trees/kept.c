/* kept.c - a published forest beside its original: what covers what, and which relations are gone.
 */
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/trees/trees.h"

#include <string.h>

enum { STEP = 1 << 13 };

void kn__tree_pair_clear(kn_tree_pair *p)
{
    kn__free(p->label);
    *p = (kn_tree_pair){0};
}

kn_status kn__tree_pair_init(kn_tree_pair *p, const kn_forest *original, const kn_forest *published,
                             const uint32_t *origin, const kn_tree_domain *d, kn_error *err)
{
    *p = (kn_tree_pair){.original = original, .published = published, .origin = origin, .d = d};
    p->label = kn__malloc_array(published->values, sizeof *p->label);
    KN_PASS(p->label ? KN_OK : kn__nomem(err));
    if (!origin && original->records != published->records) {
        return kn__fail(err, KN_EINPUT,
                        "the release has %zu records and the original %zu: they are compared "
                        "record by record",
                        published->records, original->records);
    }
    for (uint32_t v = 0; v < published->values; v++) {
        const char *name = published->classes.name[published->value_class[v]];
        const size_t c = kn__tree_class_find(&original->classes, name, strlen(name));
        p->label[v] = c == SIZE_MAX ? KN_NOT_A_LABEL
                                    : kn__tree_domain_find(d, (uint16_t)c, published->text[v]);
        if (p->label[v] == KN_NOT_A_LABEL) {
            return kn__fail(err, KN_EINPUT,
                            "class \"%s\": the release has a value that is neither in the original "
                            "nor in its hierarchy",
                            name);
        }
    }
    return KN_OK;
}

/* (above, below) -> its entry in `pairs`. */
typedef struct pair_index {
    uint32_t *slot; /* number + 1; 0: free */
    size_t mask;
} pair_index;

static kn_status index_grow(pair_index *x, const kn_tree_kept *k, kn_error *err)
{
    const size_t slots = x->slot ? 2 * (x->mask + 1) : 1024;
    uint32_t *slot = kn__zalloc_array(slots, sizeof *slot);

    KN_PASS(slot ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < k->pairs_count; i++) {
        size_t at = (size_t)kn__hash_u64(k->pairs[i].pair) & (slots - 1);
        while (slot[at]) {
            at = (at + 1) & (slots - 1);
        }
        slot[at] = (uint32_t)i + 1;
    }
    kn__free(x->slot);
    x->slot = slot;
    x->mask = slots - 1;
    return KN_OK;
}

static kn_status add_pair(kn_tree_kept *k, pair_index *x, uint32_t above, uint32_t below,
                          bool removed, kn_error *err)
{
    const uint64_t pair = (uint64_t)above << 32 | below;
    size_t at = (size_t)kn__hash_u64(pair) & x->mask;

    while (x->slot[at] && k->pairs[x->slot[at] - 1].pair != pair) {
        at = (at + 1) & x->mask;
    }
    if (!x->slot[at]) {
        KN_PASS(kn__grow(&k->pairs, &k->pairs_cap, k->pairs_count + 1, sizeof *k->pairs, err));
        k->pairs[k->pairs_count++] = (struct kn_pair_count){.pair = pair};
        x->slot[at] = (uint32_t)k->pairs_count;
    }
    k->pairs[x->slot[at] - 1].count++;
    k->pairs[x->slot[at] - 1].removed += removed;
    k->relations++;
    k->removed += removed;
    if (k->pairs_count * 2 > x->mask) {
        KN_PASS(index_grow(x, k, err));
    }
    return KN_OK;
}

/* One record and its original, and which nodes cover which. */
typedef struct sides {
    const uint32_t *value, *parent; /* of the original */
    const uint32_t *shown, *shown_parent;
    uint32_t size, shown_size;
    uint8_t *covers; /* [node * shown_size + published node] */
    size_t covers_cap;
} sides;

static kn_status match(sides *s, const kn_tree_pair *p, size_t r, kn_error *err)
{
    const kn_forest *f = p->original, *g = p->published;
    const size_t o = p->origin ? p->origin[r] : r;

    s->size = kn__forest_size(f, o);
    s->shown_size = kn__forest_size(g, r);
    s->value = f->value + f->starts[o];
    s->parent = f->parent + f->starts[o];
    s->shown = g->value + g->starts[r];
    s->shown_parent = g->parent + g->starts[r];
    KN_PASS(kn__grow(&s->covers, &s->covers_cap, (size_t)s->size * s->shown_size + 1, 1, err));
    for (uint32_t i = 0; i < s->size; i++) {
        for (uint32_t j = 0; j < s->shown_size; j++) {
            s->covers[(size_t)i * s->shown_size + j] = kn__tree_domain_covers(
                p->d, p->label[s->shown[j]], p->d->of_value[s->value[i]]);
        }
    }
    return KN_OK;
}

/* Every published node and each of its ancestors cover a node of the original and one of its
 * ancestors. */
static bool says_no_more(const sides *s)
{
    for (uint32_t j = 0; j < s->shown_size; j++) {
        bool some = false;
        for (uint32_t i = 0; i < s->size && !some; i++) {
            some = s->covers[(size_t)i * s->shown_size + j];
        }
        for (uint32_t up = s->shown_parent[j]; some && up != KN_NO_PARENT;
             up = s->shown_parent[up]) {
            bool related = false;
            for (uint32_t i = 0; i < s->size && !related; i++) {
                for (uint32_t a = s->parent[i];
                     !related && s->covers[(size_t)i * s->shown_size + j] && a != KN_NO_PARENT;
                     a = s->parent[a]) {
                    related = s->covers[(size_t)a * s->shown_size + up];
                }
            }
            some = related;
        }
        if (!some) {
            return false;
        }
    }
    return true;
}

static bool is_related(const sides *s, uint32_t above, uint32_t below)
{
    for (uint32_t j = 0; j < s->shown_size; j++) {
        if (!s->covers[(size_t)below * s->shown_size + j]) {
            continue;
        }
        for (uint32_t up = s->shown_parent[j]; up != KN_NO_PARENT; up = s->shown_parent[up]) {
            if (s->covers[(size_t)above * s->shown_size + up]) {
                return true;
            }
        }
    }
    return false;
}

static kn_status count_record(kn_tree_kept *k, pair_index *x, const sides *s, const kn_tree_pair *p,
                              kn_error *err)
{
    const kn_tree_domain *d = p->d;

    k->nodes += s->size;
    k->published += s->shown_size;
    for (uint32_t i = 0; i < s->size; i++) {
        const uint32_t label = d->of_value[s->value[i]];
        uint32_t height = k->heights - 1;
        for (uint32_t j = 0; j < s->shown_size; j++) {
            const uint32_t h = d->height[p->label[s->shown[j]]];
            if (s->covers[(size_t)i * s->shown_size + j] && h < height) {
                height = h;
            }
        }
        k->at_height[(size_t)label * k->heights + height]++;
        k->suppressed += height == k->heights - 1;
        for (uint32_t a = s->parent[i]; a != KN_NO_PARENT; a = s->parent[a]) {
            KN_PASS(add_pair(k, x, d->of_value[s->value[a]], label, !is_related(s, a, i), err));
        }
    }
    return KN_OK;
}

kn_status kn__tree_kept_count(kn_tree_kept *out, const kn_tree_pair *p, const kn_run *run,
                              kn_error *err)
{
    pair_index x = {0};
    sides s = {0};
    kn_status status;

    *out = (kn_tree_kept){.heights = p->d->levels + 1};
    out->at_height = kn__zalloc_array((size_t)p->d->labels * out->heights, sizeof *out->at_height);
    KN_TRY(out->at_height ? index_grow(&x, out, err) : kn__nomem(err));
    for (size_t r = 0; r < p->published->records; r++) {
        if (r % STEP == 0) {
            KN_TRY(kn__run_step(run, "measure", (double)r / (double)p->published->records, err));
        }
        KN_TRY(match(&s, p, r, err));
        if (!says_no_more(&s)) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "record %zu: the published tree says something that the original does "
                            "not",
                            r + 1));
        }
        KN_TRY(count_record(out, &x, &s, p, err));
    }
done:
    KN_FREE(x.slot, s.covers);
    if (status != KN_OK) {
        kn__tree_kept_clear(out);
    }
    return status;
}

void kn__tree_kept_clear(kn_tree_kept *k)
{
    KN_FREE(k->at_height, k->pairs);
    *k = (kn_tree_kept){0};
}
