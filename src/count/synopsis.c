/* synopsis.c - the synopsis tree: a trie over the root paths of all records.
 *
 * The record sets of its nodes are filled in record order from the list of nodes that each record
 * holds, so they come out sorted. */
#include "count/synopsis.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { STEP = 1 << 16 }; /* records between two looks at whether the caller cancelled */

static void take_trie(kn_synopsis *s, kn_path_trie *t)
{
    kn__free(s->label);
    kn__free(s->parent);
    kn__free(s->depth);
    s->label = t->label;
    s->parent = t->parent;
    s->depth = t->depth;
    s->nodes = (uint32_t)t->nodes;
    t->label = t->parent = t->depth = NULL;
}

static kn_status link_sides(kn_synopsis *s, kn_error *err)
{
    uint32_t *begin = kn__zalloc_array((size_t)s->labels + 2, sizeof *begin);
    uint32_t *side = kn__malloc_array(s->nodes, sizeof *side);

    if (!begin || !side) {
        kn__free(begin);
        kn__free(side);
        return kn__nomem(err);
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        begin[s->label[i] + 2]++;
    }
    for (uint32_t l = 0; l < s->labels; l++) {
        begin[l + 2] += begin[l + 1];
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        side[begin[s->label[i] + 1]++] = i;
    }
    kn__free(s->side_begin);
    kn__free(s->side);
    s->side_begin = begin;
    s->side = side;
    return KN_OK;
}

/* The nodes that each record holds, each once; `size` counts the records of each node. */
static kn_status fill_held(kn_synopsis *s, const kn_forest *f, const uint32_t *to, kn_path_trie *t,
                           const kn_run *run, kn_error *err)
{
    uint32_t *at = NULL; /* by node of the record: its node here */
    size_t at_cap = 0, held_cap = 0, mark_cap = 0, held = 0;
    uint32_t *mark = NULL; /* by node: the last record that has it, + 1 */
    size_t marked = 0;
    kn_status status = KN_OK;

    for (size_t r = 0; r < f->records; r++) {
        const uint32_t size = kn__forest_size(f, r);
        const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
        if (r % STEP == 0) {
            KN_TRY(kn__run_step(run, "count", -1, err));
        }
        KN_TRY(kn__grow(&at, &at_cap, size, sizeof *at, err));
        KN_TRY(kn__grow(&s->held, &held_cap, held + size, sizeof *s->held, err));
        s->starts[r] = held;
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t label = to ? to[value[i]] : value[i];
            const uint32_t above = parent[i] == KN_NO_PARENT ? 0 : at[parent[i]];
            if (label == KN_NO_LABEL) {
                at[i] = above;
                continue;
            }
            KN_TRY(kn__path_trie_child(t, above, label, &at[i], err));
            if (at[i] >= marked) {
                KN_TRY(kn__grow(&mark, &mark_cap, (size_t)at[i] + 1, sizeof *mark, err));
                memset(mark + marked, 0, (mark_cap - marked) * sizeof *mark);
                marked = mark_cap;
            }
            if (mark[at[i]] != r + 1) {
                mark[at[i]] = (uint32_t)r + 1;
                s->held[held++] = at[i];
            }
        }
    }
    s->starts[f->records] = held;
done:
    kn__free(at);
    kn__free(mark);
    return status;
}

/* The record sets: lists for few records, bits for many. */
static kn_status fill_sets(kn_synopsis *s, kn_error *err)
{
    size_t *size = kn__zalloc_array(s->nodes, sizeof *size);
    kn_status status = size ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    s->holds = kn__zalloc_array(s->nodes, sizeof *s->holds);
    KN_TRY(s->holds ? KN_OK : kn__nomem(err));
    for (uint64_t i = 0; i < s->starts[s->records]; i++) {
        size[s->held[i]]++;
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        KN_TRY(kn__record_set_reserve(&s->holds[i], size[i], s->words, err));
    }
    for (size_t r = 0; r < s->records; r++) {
        for (uint64_t i = s->starts[r]; i < s->starts[r + 1]; i++) {
            kn__record_set_append(&s->holds[s->held[i]], (uint32_t)r);
        }
    }
done:
    kn__free(size);
    return status;
}

kn_status kn__synopsis_new(kn_synopsis **out, const kn_forest *f, const uint32_t *to,
                           uint32_t labels, const kn_run *run, kn_error *err)
{
    kn_synopsis *s = kn__zalloc(sizeof *s);
    kn_path_trie t = {0};
    kn_status status;

    *out = NULL;
    KN_TRY(s ? kn__path_trie_begin(&t, err) : kn__nomem(err));
    s->records = f->records;
    s->words = kn__record_words(f->records);
    s->labels = labels;
    s->starts = kn__malloc_array(f->records + 1, sizeof *s->starts);
    KN_TRY(s->starts ? KN_OK : kn__nomem(err));
    KN_TRY(fill_held(s, f, to, &t, run, err));
    take_trie(s, &t);
    s->before = s->nodes;
    s->now = kn__malloc_array(s->nodes, sizeof *s->now);
    KN_TRY(s->now ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < s->nodes; i++) {
        s->now[i] = i;
    }
    KN_TRY(fill_sets(s, err));
    KN_TRY(link_sides(s, err));
    *out = s;
    s = NULL;
done:
    kn__path_trie_clear(&t);
    kn__synopsis_free(s);
    return status;
}

static void free_sets(kn_record_set *sets, uint32_t count)
{
    for (uint32_t i = 0; sets && i < count; i++) {
        kn__record_set_clear(&sets[i]);
    }
    kn__free(sets);
}

void kn__synopsis_free(kn_synopsis *s)
{
    if (s) {
        free_sets(s->holds, s->nodes);
        kn__free(s->label);
        kn__free(s->parent);
        kn__free(s->depth);
        kn__free(s->side_begin);
        kn__free(s->side);
        kn__free(s->starts);
        kn__free(s->held);
        kn__free(s->now);
        kn__free(s);
    }
}

bool kn__synopsis_validate(const kn_synopsis *s, const char **reason)
{
    for (uint32_t i = 1; i < s->nodes; i++) {
        if (s->parent[i] >= i || s->depth[i] != s->depth[s->parent[i]] + 1) {
            *reason = "a node comes before its parent, or its depth is wrong";
            return false;
        }
        if (s->label[i] >= s->labels || s->holds[i].len == 0) {
            *reason = "a node has no label or no records";
            return false;
        }
        for (uint32_t j = 1; j < i; j++) {
            if (s->parent[i] == s->parent[j] && s->label[i] == s->label[j]) {
                *reason = "siblings are equal";
                return false;
            }
        }
        for (size_t r = 0; s->parent[i] && r < s->records; r++) {
            if (kn__record_set_has(&s->holds[i], (uint32_t)r) &&
                !kn__record_set_has(&s->holds[s->parent[i]], (uint32_t)r)) {
                *reason = "a record holds a path and not what it begins with";
                return false;
            }
        }
    }
    return true;
}

/* ---- structural disassociation ---- */

/* Write `path`, the labels of `*len` nodes from the root down, after a ~> b was disassociated;
 * true if it has changed. */
static bool path_disassociate(uint32_t *path, uint32_t *len, kn_relation relation)
{
    uint32_t above = 0, below;

    while (above < *len && path[above] != relation.above) {
        above++;
    }
    below = above + 1;
    while (below < *len && path[below] != relation.below) {
        below++;
    }
    if (below >= *len) {
        return false;
    }
    if (below == *len - 1) {
        path[above] = relation.below;
        *len = above + 1;
    } else {
        memmove(path + below, path + below + 1, (*len - below - 1) * sizeof *path);
        --*len;
    }
    return true;
}

/* Which relations begin with a label: only those of the labels on a path are tried. */
typedef struct rule_list {
    const kn_relation *relation;
    size_t count;
    uint8_t *ends; /* by label: some relation ends with it */
} rule_list;

static kn_status rewrite(const kn_synopsis *s, const rule_list *rules, kn_path_trie *t,
                         uint32_t *to, kn_error *err)
{
    uint32_t *path = NULL;
    size_t path_cap = 0;
    kn_status status = KN_OK;

    to[0] = 0;
    for (uint32_t i = 1; i < s->nodes; i++) {
        uint32_t len = s->depth[i], node = 0;
        bool concerned = false;
        KN_TRY(kn__grow(&path, &path_cap, len, sizeof *path, err));
        for (uint32_t j = i, at = len; at-- > 0; j = s->parent[j]) {
            path[at] = s->label[j];
            concerned = concerned || rules->ends[path[at]];
        }
        for (size_t r = 0; concerned && r < rules->count; r++) {
            (void)path_disassociate(path, &len, rules->relation[r]);
        }
        for (uint32_t at = 0; at < len; at++) {
            KN_TRY(kn__path_trie_child(t, node, path[at], &node, err));
        }
        to[i] = node;
    }
done:
    kn__free(path);
    return status;
}

/* Join the record sets of nodes that have become one. */
static kn_status join_sets(kn_synopsis *s, kn_record_set *joined, uint32_t nodes,
                           const uint32_t *to, kn_error *err)
{
    uint32_t *first = kn__zalloc_array(nodes, sizeof *first);
    uint32_t *next = kn__zalloc_array(s->nodes, sizeof *next);
    kn_record_union u = {0};
    kn_status status;

    KN_TRY(first && next ? kn__record_union_init(&u, s->words, err) : kn__nomem(err));
    for (uint32_t i = s->nodes; i-- > 1;) {
        next[i] = first[to[i]];
        first[to[i]] = i;
    }
    for (uint32_t i = 1; i < nodes; i++) {
        if (first[i] && !next[first[i]]) {
            joined[i] = s->holds[first[i]];
            s->holds[first[i]] = (kn_record_set){0};
            continue;
        }
        for (uint32_t j = first[i]; j; j = next[j]) {
            kn__record_union_add(&u, &s->holds[j]);
        }
        KN_TRY(kn__record_union_take(&u, &joined[i], err));
    }
done:
    kn__free(first);
    kn__free(next);
    kn__record_union_clear(&u);
    return status;
}

kn_status kn__synopsis_disassociate(kn_synopsis *s, const kn_relation *relations, size_t count,
                                    kn_error *err)
{
    rule_list rules = {.relation = relations, .count = count};
    uint32_t *to = kn__malloc_array(s->nodes, sizeof *to);
    kn_record_set *joined = NULL;
    uint32_t nodes = 0;
    kn_path_trie t = {0};
    kn_status status;

    rules.ends = kn__zalloc_array(s->labels, 1);
    KN_TRY(to && rules.ends ? kn__path_trie_begin(&t, err) : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        rules.ends[relations[i].below] = 1;
    }
    KN_TRY(rewrite(s, &rules, &t, to, err));
    nodes = (uint32_t)t.nodes;
    joined = kn__zalloc_array(nodes, sizeof *joined);
    KN_TRY(joined ? join_sets(s, joined, nodes, to, err) : kn__nomem(err));
    for (uint32_t i = 0; i < s->before; i++) {
        s->now[i] = to[s->now[i]];
    }
    free_sets(s->holds, s->nodes);
    s->holds = joined;
    joined = NULL;
    take_trie(s, &t);
    KN_TRY(link_sides(s, err));
done:
    free_sets(joined, nodes);
    kn__path_trie_clear(&t);
    kn__free(rules.ends);
    kn__free(to);
    return status;
}
