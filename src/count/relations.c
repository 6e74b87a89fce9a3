/* relations.c - values and relations of a synopsis tree with the records that hold them.
 *
 * Every (ancestor, node) of the synopsis tree gives one entry; entries are sorted by relation, and
 * the record sets of one relation are joined. */
#include "count/relations.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A node below an ancestor with label `above`. */
typedef struct entry {
    uint64_t key; /* above << 32 | below */
    uint32_t node;
} entry;

static int by_key(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->node < y->node ? -1 : x->node > y->node;
}

void kn__relations_free(kn_relations *r)
{
    if (r) {
        for (uint32_t i = 0; r->holds && i < r->count; i++) {
            kn__record_set_clear(&r->holds[i]);
        }
        for (uint32_t i = 0; r->value && i < r->labels; i++) {
            kn__record_set_clear(&r->value[i]);
        }
        kn__free(r->relation);
        kn__free(r->holds);
        kn__free(r->value);
        kn__free(r->out_begin);
        kn__free(r->in_begin);
        kn__free(r->in);
        kn__free(r);
    }
}

static kn_status list_entries(const kn_synopsis *s, entry **out, size_t *count, kn_error *err)
{
    size_t total = 0, at = 0;
    entry *list;

    for (uint32_t i = 1; i < s->nodes; i++) {
        total += s->depth[i] - 1;
    }
    list = kn__malloc_array(total, sizeof *list);
    if (!list) {
        return kn__nomem(err);
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        for (uint32_t j = s->parent[i]; j; j = s->parent[j]) {
            list[at++] = (entry){(uint64_t)s->label[j] << 32 | s->label[i], i};
        }
    }
    qsort(list, total, sizeof *list, by_key);
    *out = list;
    *count = total;
    return KN_OK;
}

static kn_status join(kn_record_set *out, const kn_synopsis *s, const entry *list, size_t count,
                      kn_record_union *u, kn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        kn__record_union_add(u, &s->holds[list[i].node]);
    }
    return kn__record_union_take(u, out, err);
}

static kn_status join_values(kn_relations *r, const kn_synopsis *s, kn_record_union *u,
                             kn_error *err)
{
    kn_status status;

    r->value = kn__zalloc_array(s->labels, sizeof *r->value);
    KN_TRY(r->value ? KN_OK : kn__nomem(err));
    for (uint32_t l = 0; l < s->labels; l++) {
        for (uint32_t i = s->side_begin[l]; i < s->side_begin[l + 1]; i++) {
            kn__record_union_add(u, &s->holds[s->side[i]]);
        }
        KN_TRY(kn__record_union_take(u, &r->value[l], err));
    }
done:
    return status;
}

static kn_status join_relations(kn_relations *r, const kn_synopsis *s, const entry *list,
                                size_t entries, kn_record_union *u, kn_error *err)
{
    size_t count = 0;
    kn_status status = KN_OK;

    for (size_t i = 0; i < entries; i++) {
        count += i == 0 || list[i].key != list[i - 1].key;
    }
    r->relation = kn__malloc_array(count, sizeof *r->relation);
    r->holds = kn__zalloc_array(count, sizeof *r->holds);
    KN_TRY(r->relation && r->holds ? KN_OK : kn__nomem(err));
    for (size_t i = 0, end; i < entries; i = end) {
        for (end = i; end < entries && list[end].key == list[i].key;) {
            end++;
        }
        r->relation[r->count] = (kn_relation){(uint32_t)(list[i].key >> 32), (uint32_t)list[i].key};
        r->count++;
        KN_TRY(join(&r->holds[r->count - 1], s, list + i, end - i, u, err));
    }
done:
    return status;
}

static kn_status index_ends(kn_relations *r, kn_error *err)
{
    r->out_begin = kn__zalloc_array((size_t)r->labels + 1, sizeof *r->out_begin);
    r->in_begin = kn__zalloc_array((size_t)r->labels + 2, sizeof *r->in_begin);
    r->in = kn__malloc_array(r->count, sizeof *r->in);
    if (!r->out_begin || !r->in_begin || !r->in) {
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        r->out_begin[r->relation[i].above + 1]++;
        r->in_begin[r->relation[i].below + 2]++;
    }
    for (uint32_t l = 0; l < r->labels; l++) {
        r->out_begin[l + 1] += r->out_begin[l];
        r->in_begin[l + 2] += r->in_begin[l + 1];
    }
    for (uint32_t i = 0; i < r->count; i++) {
        r->in[r->in_begin[r->relation[i].below + 1]++] = i;
    }
    return KN_OK;
}

kn_status kn__relations_new(kn_relations **out, const kn_synopsis *s, kn_error *err)
{
    kn_relations *r = kn__zalloc(sizeof *r);
    kn_record_union u = {0};
    entry *list = NULL;
    size_t entries = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(r ? list_entries(s, &list, &entries, err) : kn__nomem(err));
    KN_TRY(kn__record_union_init(&u, s->words, err));
    r->labels = s->labels;
    KN_TRY(join_values(r, s, &u, err));
    KN_TRY(join_relations(r, s, list, entries, &u, err));
    KN_TRY(index_ends(r, err));
    *out = r;
    r = NULL;
done:
    kn__relations_free(r);
    kn__record_union_clear(&u);
    kn__free(list);
    return status;
}

uint32_t kn__relations_find(const kn_relations *r, kn_relation relation)
{
    uint32_t low, high;

    if (relation.above >= r->labels) {
        return UINT32_MAX;
    }
    low = r->out_begin[relation.above];
    high = r->out_begin[relation.above + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->relation[middle].below < relation.below) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < r->out_begin[relation.above + 1] && r->relation[low].below == relation.below
               ? low
               : UINT32_MAX;
}

kn_status kn__forest_value_sets(kn_record_set *out, const kn_forest *f, const bool *is,
                                kn_error *err)
{
    const size_t words = kn__record_words(f->records);
    size_t *size = kn__zalloc_array(f->values, sizeof *size);
    uint32_t *last = kn__zalloc_array(f->values, sizeof *last); /* the last record with it, + 1 */
    kn_status status = size && last ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint32_t v = f->value[i];
            size[v] += last[v] != r + 1 && (!is || is[f->value_class[v]]);
            last[v] = (uint32_t)r + 1;
        }
    }
    for (uint32_t v = 0; v < f->values; v++) {
        KN_TRY(size[v] ? kn__record_set_reserve(&out[v], size[v], words, err) : KN_OK);
        last[v] = 0;
    }
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint32_t v = f->value[i];
            if (size[v] && last[v] != r + 1) {
                last[v] = (uint32_t)r + 1;
                kn__record_set_append(&out[v], (uint32_t)r);
            }
        }
    }
done:
    kn__free(size);
    kn__free(last);
    return status;
}

kn_status kn__tree_diversity_init(kn_tree_diversity *d, double l, const kn_forest *f,
                                  const bool *is, kn_error *err)
{
    kn_status status;

    *d = (kn_tree_diversity){.l = l};
    d->set = kn__zalloc_array(f->values, sizeof *d->set);
    KN_TRY(d->set ? KN_OK : kn__nomem(err));
    d->count = f->values;
    KN_TRY(kn__forest_value_sets(d->set, f, is, err));
    d->count = 0;
    for (uint32_t v = 0; v < f->values; v++) {
        if (d->set[v].len) {
            const kn_record_set set = d->set[v];
            d->set[v] = (kn_record_set){0};
            d->set[d->count++] = set;
        }
    }
done:
    return status;
}

void kn__tree_diversity_clear(kn_tree_diversity *d)
{
    for (size_t i = 0; i < d->count; i++) {
        kn__record_set_clear(&d->set[i]);
    }
    kn__free(d->set);
    *d = (kn_tree_diversity){0};
}
