/* relation_index.c - values and relations of a synopsis tree with the records that hold them.
 *
 * Every (ancestor, node) of the synopsis tree gives one entry, and every node one for its value;
 * entries are sorted by what they say. The sets are filled by a walk over the rows of the records,
 * in which each node adds its record to the sets of its entries. */
#include "count/relation_index.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NO_ABOVE UINT32_MAX /* the entry is about a value */

/* A node below an ancestor with label `above`, or NO_ABOVE. */
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

/* ---- sets with several owners ---- */

static void release(kn_record_set *set, atomic_size_t *uses)
{
    if (uses && atomic_fetch_sub(uses, 1) == 1) {
        kn__record_set_clear(set);
        kn__free(uses);
    }
}

static void share(kn_record_set *set, atomic_size_t **uses, const kn_record_set *from,
                  atomic_size_t *from_uses)
{
    *set = *from;
    *uses = from_uses;
    if (from_uses) {
        (void)atomic_fetch_add(from_uses, 1);
    }
}

void kn__relation_index_free(kn_relation_index *r)
{
    if (r) {
        for (uint32_t i = 0; r->holds && r->holds_uses && i < r->count; i++) {
            release(&r->holds[i], r->holds_uses[i]);
        }
        for (uint32_t i = 0; r->value && r->value_uses && i < r->labels; i++) {
            release(&r->value[i], r->value_uses[i]);
        }
        KN_FREE(r->relation, r->holds, r->value, r->holds_uses, r->value_uses, r->out_begin,
                r->in_begin, r->in, r);
    }
}

/* ---- sets from rows ---- */

/* A set that is filled record by record. */
typedef struct filling {
    uint64_t key;
    uint32_t *list;
    size_t len, cap;
} filling;

typedef struct fill {
    const kn_synopsis *s;
    const bool *changed; /* by label; NULL: all are */
    bool values;
    entry *entry;
    size_t entries, entry_cap;
    filling *set; /* by number, in the order of their keys: values come last */
    uint32_t sets;
    uint32_t *begin; /* by node, and one more: its sets in `of_node` */
    uint32_t *of_node;
    uint32_t *last; /* by node: the last record that had it, + 1 */
} fill;

static void fill_clear(fill *x)
{
    for (uint32_t i = 0; x->set && i < x->sets; i++) {
        kn__free(x->set[i].list);
    }
    KN_FREE(x->entry, x->set, x->begin, x->of_node, x->last);
}

static bool is_changed(const fill *x, uint32_t label)
{
    return !x->changed || x->changed[label];
}

static kn_status add_entry(fill *x, uint32_t above, uint32_t node, kn_error *err)
{
    KN_PASS(kn__grow(&x->entry, &x->entry_cap, x->entries + 1, sizeof *x->entry, err));
    x->entry[x->entries++] = (entry){(uint64_t)above << 32 | x->s->label[node], node};
    return KN_OK;
}

static kn_status list_entries(fill *x, kn_error *err)
{
    const kn_synopsis *s = x->s;

    for (uint32_t i = 1; i < s->nodes; i++) {
        const bool is = is_changed(x, s->label[i]);
        if (!s->support[i]) {
            continue;
        }
        for (uint32_t j = s->parent[i]; j; j = s->parent[j]) {
            if (is || is_changed(x, s->label[j])) {
                KN_PASS(add_entry(x, s->label[j], i, err));
            }
        }
        if (is && x->values) {
            KN_PASS(add_entry(x, NO_ABOVE, i, err));
        }
    }
    if (x->entries) {
        qsort(x->entry, x->entries, sizeof *x->entry, by_key);
    }
    return KN_OK;
}

/* Number the sets, and say by node which ones it belongs to. */
static kn_status number_sets(fill *x, kn_error *err)
{
    const uint32_t nodes = x->s->nodes;
    size_t sets = 0;

    for (size_t i = 0; i < x->entries; i++) {
        sets += i == 0 || x->entry[i].key != x->entry[i - 1].key;
    }
    x->set = kn__zalloc_array(sets, sizeof *x->set);
    x->begin = kn__zalloc_array((size_t)nodes + 2, sizeof *x->begin);
    x->of_node = kn__malloc_array(x->entries, sizeof *x->of_node);
    x->last = kn__zalloc_array(nodes, sizeof *x->last);
    KN_PASS(x->set && x->begin && x->of_node && x->last ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < x->entries; i++) {
        x->begin[x->entry[i].node + 2]++;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        x->begin[i + 2] += x->begin[i + 1];
    }
    for (size_t i = 0; i < x->entries; i++) {
        if (i == 0 || x->entry[i].key != x->entry[i - 1].key) {
            x->set[x->sets++].key = x->entry[i].key;
        }
        x->of_node[x->begin[x->entry[i].node + 1]++] = x->sets - 1;
    }
    return KN_OK;
}

/* Add the records, in increasing order, to the sets of their nodes. */
static kn_status walk_rows(fill *x, const uint32_t *records, size_t count, kn_error *err)
{
    const kn_synopsis *s = x->s;

    for (size_t j = 0; j < count; j++) {
        const uint32_t r = records ? records[j] : (uint32_t)j;
        size_t len;
        const uint32_t *row = kn__synopsis_row(s, r, &len);
        for (size_t i = 0; i < len; i++) {
            const uint32_t node = s->now[row[i]];
            const uint32_t begin = x->last[node] == r + 1 ? x->begin[node + 1] : x->begin[node];
            x->last[node] = r + 1;
            for (uint32_t e = begin; e < x->begin[node + 1]; e++) {
                filling *set = &x->set[x->of_node[e]];
                if (set->len && set->list[set->len - 1] == r) {
                    continue;
                }
                if (set->len == set->cap) {
                    KN_PASS(kn__grow(&set->list, &set->cap, set->len + 1, sizeof *set->list, err));
                }
                set->list[set->len++] = r;
            }
        }
    }
    return KN_OK;
}

static kn_status fill_sets(fill *x, const uint32_t *records, size_t count, kn_error *err)
{
    KN_PASS(list_entries(x, err));
    KN_PASS(number_sets(x, err));
    return walk_rows(x, records, count, err);
}

/* Make `*out` of set `number`, which is empty then. */
static kn_status take_set(fill *x, uint32_t number, kn_record_set *out, atomic_size_t **uses,
                          kn_error *err)
{
    filling *set = &x->set[number];

    *uses = kn__malloc_array(1, sizeof **uses);
    KN_PASS(*uses ? KN_OK : kn__nomem(err));
    atomic_init(*uses, 1);
    KN_PASS(kn__record_set_of_list(out, set->list, set->len, x->s->words, err));
    kn__free(set->list);
    set->list = NULL;
    return KN_OK;
}

/* ---- relations ---- */

static kn_status index_ends(kn_relation_index *r, kn_error *err)
{
    r->out_begin = kn__zalloc_array((size_t)r->labels + 1, sizeof *r->out_begin);
    r->in_begin = kn__zalloc_array((size_t)r->labels + 2, sizeof *r->in_begin);
    r->in = kn__malloc_array(r->count, sizeof *r->in);
    KN_PASS(r->out_begin && r->in_begin && r->in ? KN_OK : kn__nomem(err));
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

static uint64_t key_of(kn_relation relation)
{
    return (uint64_t)relation.above << 32 | relation.below;
}

/* Merge the relations of `from` (or NULL) without a changed label with those of `x`. */
static kn_status merge_relations(kn_relation_index *r, const kn_relation_index *from, fill *x,
                                 uint32_t fresh, kn_error *err)
{
    const uint32_t old = from ? from->count : 0;
    const size_t most = (size_t)old + fresh;
    uint32_t i = 0, j = 0;

    r->relation = kn__malloc_array(most, sizeof *r->relation);
    r->holds = kn__zalloc_array(most, sizeof *r->holds);
    r->holds_uses = kn__zalloc_array(most, sizeof *r->holds_uses);
    KN_PASS(r->relation && r->holds && r->holds_uses ? KN_OK : kn__nomem(err));
    while (i < old || j < fresh) {
        const uint32_t at = r->count;
        if (i < old &&
            (is_changed(x, from->relation[i].above) || is_changed(x, from->relation[i].below))) {
            i++;
        } else if (j == fresh || (i < old && key_of(from->relation[i]) < x->set[j].key)) {
            r->relation[at] = from->relation[i];
            share(&r->holds[at], &r->holds_uses[at], &from->holds[i], from->holds_uses[i]);
            r->count++;
            i++;
        } else {
            r->relation[at] = (kn_relation){(uint32_t)(x->set[j].key >> 32),
                                            (uint32_t)x->set[j].key};
            r->count++;
            KN_PASS(take_set(x, j, &r->holds[at], &r->holds_uses[at], err));
            j++;
        }
    }
    return KN_OK;
}

static kn_status merge_values(kn_relation_index *r, const kn_relation_index *from, fill *x,
                              uint32_t fresh, kn_error *err)
{
    r->value = kn__zalloc_array(r->labels, sizeof *r->value);
    r->value_uses = kn__zalloc_array(r->labels, sizeof *r->value_uses);
    KN_PASS(r->value && r->value_uses ? KN_OK : kn__nomem(err));
    for (uint32_t l = 0; from && l < r->labels; l++) {
        if (!x->values || !is_changed(x, l)) {
            share(&r->value[l], &r->value_uses[l], &from->value[l], from->value_uses[l]);
        }
    }
    for (uint32_t j = fresh; j < x->sets; j++) {
        const uint32_t l = (uint32_t)x->set[j].key;
        KN_PASS(take_set(x, j, &r->value[l], &r->value_uses[l], err));
    }
    return KN_OK;
}

static kn_status relations_of(kn_relation_index **out, const kn_relation_index *from, fill *x,
                              const uint32_t *records, size_t count, kn_error *err)
{
    kn_relation_index *r = kn__zalloc(sizeof *r);
    uint32_t fresh = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(r ? fill_sets(x, records, count, err) : kn__nomem(err));
    while (fresh < x->sets && x->set[fresh].key >> 32 != NO_ABOVE) {
        fresh++;
    }
    r->labels = x->s->labels;
    KN_TRY(merge_relations(r, from, x, fresh, err));
    KN_TRY(merge_values(r, from, x, fresh, err));
    KN_TRY(index_ends(r, err));
    *out = r;
    r = NULL;
done:
    kn__relation_index_free(r);
    fill_clear(x);
    return status;
}

kn_status kn__relation_index_new(kn_relation_index **out, const kn_synopsis *s, kn_error *err)
{
    fill x = {.s = s, .values = true};

    return relations_of(out, NULL, &x, NULL, s->records, err);
}

kn_status kn__relation_index_derive(kn_relation_index **out, const kn_relation_index *from,
                                    const kn_synopsis *s, const bool *changed,
                                    const uint32_t *records, size_t count, kn_error *err)
{
    fill x = {.s = s, .changed = changed, .values = true};

    return relations_of(out, from, &x, records, count, err);
}

/* The records of an increasing list, as bits where many sets can be met with them word by word
 * sooner than record by record. */
static kn_status set_of_few(kn_record_set *out, const uint32_t *few, size_t count, size_t words,
                            kn_error *err)
{
    if (count <= words / 4) {
        return kn__record_set_of_list(out, few, count, words, err);
    }
    KN_PASS(kn__record_set_reserve(out, 2 * words + 1, words, err)); /* bits */
    for (size_t i = 0; i < count; i++) {
        kn__record_set_append(out, few[i]);
    }
    return KN_OK;
}

/* The relations of `from`, in which the records of `few` hold of those with a changed label what
 * `x` says, and all others what they held. `few_set` is the set of these records. */
static kn_status narrow(kn_relation_index *r, const kn_relation_index *from, fill *x,
                        const uint32_t *few, size_t count, const kn_record_set *few_set,
                        kn_error *err)
{
    uint32_t j = 0;

    r->relation = kn__malloc_array(from->count, sizeof *r->relation);
    r->holds = kn__zalloc_array(from->count, sizeof *r->holds);
    r->holds_uses = kn__zalloc_array(from->count, sizeof *r->holds_uses);
    KN_PASS(r->relation && r->holds && r->holds_uses ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < from->count; i++) {
        const kn_relation relation = from->relation[i];
        const kn_record_set *held = &from->holds[i];
        const uint32_t *still = NULL;
        kn_record_set set = {0};
        size_t were = 0, are = 0;
        if (is_changed(x, relation.above) || is_changed(x, relation.below)) {
            while (j < x->sets && x->set[j].key < key_of(relation)) {
                j++;
            }
            if (j < x->sets && x->set[j].key == key_of(relation)) {
                still = x->set[j].list;
                are = x->set[j].len;
            }
            were = kn__record_set_common(held, few_set, x->s->words, count, NULL, NULL, NULL);
        }
        if (were != are && held->len - were + are == 0) {
            continue; /* no record holds it any more */
        }
        r->relation[r->count] = relation;
        if (were == are) {
            share(&r->holds[r->count], &r->holds_uses[r->count], held, from->holds_uses[i]);
            r->count++;
            continue;
        }
        r->holds_uses[r->count] = kn__malloc_array(1, sizeof **r->holds_uses);
        KN_PASS(r->holds_uses[r->count] ? KN_OK : kn__nomem(err));
        atomic_init(r->holds_uses[r->count], 1);
        r->count++;
        KN_PASS(kn__record_set_replace(&set, held, few, count, still, are, x->s->words, err));
        r->holds[r->count - 1] = set;
    }
    return KN_OK;
}

kn_status kn__relation_index_narrow(kn_relation_index **out, const kn_relation_index *from,
                                    const kn_synopsis *s, const bool *changed,
                                    const uint32_t *records, size_t count, kn_error *err)
{
    fill x = {.s = s, .changed = changed};
    kn_relation_index *r = kn__zalloc(sizeof *r);
    kn_record_set few = {0};
    kn_status status;

    *out = NULL;
    KN_TRY(r ? fill_sets(&x, records, count, err) : kn__nomem(err));
    r->labels = from->labels;
    KN_TRY(set_of_few(&few, records, count, s->words, err));
    KN_TRY(narrow(r, from, &x, records, count, &few, err));
    KN_TRY(merge_values(r, from, &x, x.sets, err));
    KN_TRY(index_ends(r, err));
    *out = r;
    r = NULL;
done:
    kn__relation_index_free(r);
    kn__record_set_clear(&few);
    fill_clear(&x);
    return status;
}

uint32_t kn__relation_index_find(const kn_relation_index *r, kn_relation relation)
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
    KN_FREE(size, last);
    return status;
}

kn_status kn__tree_diversity_init(kn_tree_diversity *d, double l, const kn_forest *f,
                                  const bool *is, kn_error *err)
{
    *d = (kn_tree_diversity){.l = l};
    d->set = kn__zalloc_array(f->values, sizeof *d->set);
    KN_PASS(d->set ? KN_OK : kn__nomem(err));
    d->count = f->values;
    KN_PASS(kn__forest_value_sets(d->set, f, is, err));
    d->count = 0;
    for (uint32_t v = 0; v < f->values; v++) {
        if (d->set[v].len) {
            const kn_record_set set = d->set[v];
            d->set[v] = (kn_record_set){0};
            d->set[d->count++] = set;
        }
    }
    return KN_OK;
}

void kn__tree_diversity_clear(kn_tree_diversity *d)
{
    for (size_t i = 0; i < d->count; i++) {
        kn__record_set_clear(&d->set[i]);
    }
    kn__free(d->set);
    *d = (kn_tree_diversity){0};
}
