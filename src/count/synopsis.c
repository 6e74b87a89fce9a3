/* synopsis.c - the synopsis tree: a trie over the root paths of all records, and their rows. */
#include "count/synopsis.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/synopsis_inside.h"

#include <string.h>

enum { STEP = 1 << 16 }; /* records between two looks at whether the caller cancelled */

static void take_trie(kn_synopsis *s, kn_path_trie *t)
{
    KN_FREE(s->label, s->parent, s->depth);
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
        KN_FREE(begin, side);
        return kn__nomem(err);
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        begin[s->label[i] + 2] += s->support[i] != 0;
    }
    for (uint32_t l = 0; l < s->labels; l++) {
        begin[l + 2] += begin[l + 1];
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        if (s->support[i]) {
            side[begin[s->label[i] + 1]++] = i;
        }
    }
    KN_FREE(s->side_begin, s->side);
    s->side_begin = begin;
    s->side = side;
    return KN_OK;
}

kn_status kn__synopsis_finish(kn_synopsis *s, kn_path_trie *t, kn_support_tally *n, kn_error *err)
{
    take_trie(s, t);
    s->support = n->support;
    n->support = NULL;
    s->before = s->nodes;
    s->now = kn__malloc_array(s->nodes, sizeof *s->now);
    KN_PASS(s->now ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < s->nodes; i++) {
        s->now[i] = i;
    }
    return link_sides(s, err);
}

void kn__support_tally_clear(kn_support_tally *t)
{
    KN_FREE(t->support, t->last);
}

kn_status kn__support_tally_reserve(kn_support_tally *t, size_t nodes, kn_error *err)
{
    if (nodes > t->len) {
        KN_PASS(kn__grow(&t->support, &t->support_cap, nodes, sizeof *t->support, err));
        KN_PASS(kn__grow(&t->last, &t->last_cap, nodes, sizeof *t->last, err));
        nodes = t->support_cap < t->last_cap ? t->support_cap : t->last_cap;
        memset(t->support + t->len, 0, (nodes - t->len) * sizeof *t->support);
        memset(t->last + t->len, 0, (nodes - t->len) * sizeof *t->last);
        t->len = nodes;
    }
    return KN_OK;
}

/* The row of every record, and the supports. */
static kn_status fill_rows(kn_synopsis *s, const kn_forest *f, const uint32_t *to, kn_path_trie *t,
                           kn_support_tally *n, const kn_run *run, kn_error *err)
{
    KN_PASS(kn__support_tally_reserve(n, 1, err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t size = kn__forest_size(f, r);
        const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
        uint32_t *at = s->own_held + f->starts[r];
        if (r % STEP == 0) {
            KN_PASS(kn__run_step(run, "count", -1, err));
        }
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t label = to ? to[value[i]] : value[i];
            const uint32_t above = parent[i] == KN_NO_PARENT ? 0 : at[parent[i]];
            if (label == KN_NO_LABEL) {
                at[i] = above;
                continue;
            }
            KN_PASS(kn__path_trie_child(t, above, label, &at[i], err));
            KN_PASS(kn__support_tally_reserve(n, (size_t)at[i] + 1, err));
            kn__support_tally_count(n, at[i], (uint32_t)r + 1);
        }
    }
    return KN_OK;
}

kn_status kn__synopsis_new(kn_synopsis **out, const kn_forest *f, const uint32_t *to,
                           uint32_t labels, const kn_run *run, kn_error *err)
{
    kn_synopsis *s = kn__zalloc(sizeof *s);
    kn_path_trie t = {0};
    kn_support_tally n = {0};
    kn_status status;

    *out = NULL;
    KN_TRY(s ? kn__path_trie_begin(&t, err) : kn__nomem(err));
    s->records = f->records;
    s->words = kn__record_words(f->records);
    s->labels = labels;
    s->starts = f->starts;
    s->own_held = kn__malloc_array((size_t)f->starts[f->records], sizeof *s->own_held);
    s->held = s->own_held;
    KN_TRY(s->held ? KN_OK : kn__nomem(err));
    KN_TRY(fill_rows(s, f, to, &t, &n, run, err));
    KN_TRY(kn__synopsis_finish(s, &t, &n, err));
    *out = s;
    s = NULL;
done:
    kn__path_trie_clear(&t);
    kn__support_tally_clear(&n);
    kn__synopsis_free(s);
    return status;
}

void kn__synopsis_free(kn_synopsis *s)
{
    if (s) {
        KN_FREE(s->label, s->parent, s->depth, s->support, s->side_begin, s->side, s->own_held,
                s->now, s->moved, s->moved_starts, s->moved_held, s);
    }
}

bool kn__synopsis_validate(const kn_synopsis *s, const char **reason)
{
    for (uint32_t i = 1; i < s->nodes; i++) {
        const uint32_t up = s->parent[i];
        if (up >= i || s->depth[i] != s->depth[up] + 1) {
            *reason = "a node comes before its parent, or its depth is wrong";
            return false;
        }
        if (s->label[i] >= s->labels) {
            *reason = "a node has no label";
            return false;
        }
        if (up && s->support[i] > s->support[up]) {
            *reason = "a record holds a path and not what it begins with";
            return false;
        }
        for (uint32_t j = 1; j < i; j++) {
            if (s->support[i] && s->support[j] && up == s->parent[j] &&
                s->label[i] == s->label[j]) {
                *reason = "siblings are equal";
                return false;
            }
        }
    }
    return true;
}

kn_status kn__synopsis_sets(kn_record_set *out, const kn_synopsis *s, const uint8_t *wanted,
                            kn_error *err)
{
    uint32_t *last = kn__zalloc_array(s->nodes, sizeof *last);
    kn_status status = last ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (uint32_t i = 1; i < s->nodes; i++) {
        if (wanted[i] && s->support[i]) {
            KN_TRY(kn__record_set_reserve(&out[i], s->support[i], s->words, err));
        }
    }
    for (size_t r = 0; r < s->records; r++) {
        size_t len;
        const uint32_t *row = kn__synopsis_row(s, r, &len);
        for (size_t i = 0; i < len; i++) {
            const uint32_t node = s->now[row[i]];
            if (node && wanted[node] && last[node] != r + 1) {
                last[node] = (uint32_t)r + 1;
                kn__record_set_append(&out[node], (uint32_t)r);
            }
        }
    }
done:
    kn__free(last);
    return status;
}

/* ---- another cut ---- */

/* Write the rows that have moved where the others are. */
static void settle_rows(kn_synopsis *s, uint32_t *held)
{
    for (size_t r = 0; s->moved && r < s->records; r++) {
        if (s->moved[r]) {
            memcpy(held + s->starts[r], s->moved_held + s->moved_starts[s->moved[r] - 1],
                   (size_t)(s->starts[r + 1] - s->starts[r]) * sizeof *held);
        }
    }
    kn__free(s->moved);
    kn__free(s->moved_starts);
    kn__free(s->moved_held);
    s->moved = s->moved_held = NULL;
    s->moved_starts = NULL;
    s->own_held = held;
    s->held = held;
}

void kn__synopsis_become(kn_synopsis *s, kn_synopsis *x)
{
    const kn_synopsis before = *s;

    *s = *x;
    *x = before;
    if (s->moved) {
        settle_rows(s, x->own_held);
        x->own_held = NULL;
    }
    s->held = s->own_held;
    kn__synopsis_free(x);
}

kn_status kn__synopsis_own(kn_synopsis *s, kn_error *err)
{
    const size_t nodes = (size_t)s->starts[s->records];
    uint32_t *held;

    if (s->own_held) {
        return KN_OK;
    }
    held = kn__malloc_array(nodes, sizeof *held);
    KN_PASS(held ? KN_OK : kn__nomem(err));
    memcpy(held, s->held, nodes * sizeof *held);
    settle_rows(s, held);
    return KN_OK;
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

/* Which of several relations comes first, by (above, below). */
typedef struct rule_list {
    const kn_relation *relation;
    kn_map number; /* + 1 */
    uint8_t *ends; /* by label: some relation ends with it */
} rule_list;

static void rule_list_clear(rule_list *rules)
{
    kn__map_clear(&rules->number);
    kn__free(rules->ends);
}

static kn_status list_rules(rule_list *rules, const kn_relation *relations, size_t count,
                            uint32_t labels, kn_error *err)
{
    *rules = (rule_list){.relation = relations};
    rules->ends = kn__zalloc_array(labels, 1);
    KN_PASS(rules->ends ? kn__map_reserve(&rules->number, count + 1, err) : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = (uint64_t)relations[i].above << 32 | relations[i].below;
        kn_map_slot *slot = kn__map_find(&rules->number, key);
        if (!slot->value) { /* it is gone after the first time */
            kn__map_put(&rules->number, slot, key, i + 1);
        }
        rules->ends[relations[i].below] = 1;
    }
    return KN_OK;
}

/* Write `path` after all rules, one after the other; true if it has changed. A rule can change it
 * only if both its labels are on the path, and what is left of a path has no new pairs. */
static bool apply_rules(const rule_list *rules, uint32_t *path, uint32_t *len)
{
    uint64_t next = 0; /* rules up to this number, + 1, were tried */
    bool changed = false;

    for (;;) {
        uint64_t best = 0;
        for (uint32_t b = 1; b < *len; b++) {
            for (uint32_t a = 0; rules->ends[path[b]] && a < b; a++) {
                const uint64_t at =
                    kn__map_find(&rules->number, (uint64_t)path[a] << 32 | path[b])->value;
                best = at > next && (!best || at < best) ? at : best;
            }
        }
        if (!best) {
            return changed;
        }
        changed = path_disassociate(path, len, rules->relation[best - 1]) || changed;
        next = best;
    }
}

/* Where every node goes in `t`; is_new[i]: its path has changed. */
static kn_status rewrite(const kn_synopsis *s, const rule_list *rules, kn_path_trie *t,
                         uint32_t *to, uint8_t *is_new, kn_error *err)
{
    uint32_t *path = NULL;
    size_t path_cap = 0;
    kn_status status = KN_OK;

    to[0] = 0;
    for (uint32_t i = 1; i < s->nodes; i++) {
        uint32_t len = s->depth[i], node = 0;
        bool concerned = false;
        to[i] = 0;
        if (!s->support[i]) {
            continue;
        }
        KN_TRY(kn__grow(&path, &path_cap, len, sizeof *path, err));
        for (uint32_t j = i, at = len; at-- > 0; j = s->parent[j]) {
            path[at] = s->label[j];
            concerned = concerned || rules->ends[path[at]];
        }
        is_new[i] = concerned && apply_rules(rules, path, &len);
        if (!is_new[i]) { /* then what it begins with has not changed either */
            KN_TRY(kn__path_trie_child(t, to[s->parent[i]], s->label[i], &to[i], err));
            continue;
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

/* The supports of the new nodes: those of paths that stay, and the records that come to them. */
static void count_moves(const kn_synopsis *s, const uint32_t *to, const uint8_t *is_new,
                        const uint32_t *holding, size_t held, kn_support_tally *n)
{
    for (uint32_t i = 1; i < s->nodes; i++) {
        n->support[to[i]] += is_new[i] ? 0 : s->support[i];
    }
    n->support[0] = 0;
    for (size_t j = 0; j < held; j++) {
        const size_t r = holding ? holding[j] : j;
        size_t len;
        const uint32_t *row = kn__synopsis_row(s, r, &len);
        for (size_t i = 0; i < len; i++) {
            const uint32_t node = s->now[row[i]];
            if (!is_new[node]) {
                n->last[to[node]] = (uint32_t)r + 1;
            }
        }
        for (size_t i = 0; i < len; i++) {
            const uint32_t node = s->now[row[i]];
            if (is_new[node]) {
                kn__support_tally_count(n, to[node], (uint32_t)r + 1);
            }
        }
    }
}

kn_status kn__synopsis_disassociate(kn_synopsis *s, const kn_relation *relations, size_t count,
                                    const uint32_t *holding, size_t held, kn_error *err)
{
    uint32_t *to = kn__malloc_array(s->nodes, sizeof *to);
    uint8_t *is_new = kn__zalloc_array(s->nodes, 1);
    rule_list rules = {0};
    kn_path_trie t = {0};
    kn_support_tally n = {0};
    kn_status status;

    KN_TRY(to && is_new ? list_rules(&rules, relations, count, s->labels, err) : kn__nomem(err));
    KN_TRY(kn__path_trie_begin(&t, err));
    KN_TRY(kn__map_reserve(&t.child, s->nodes, err));
    KN_TRY(rewrite(s, &rules, &t, to, is_new, err));
    n.support = kn__zalloc_array(t.nodes, sizeof *n.support);
    n.last = kn__zalloc_array(t.nodes, sizeof *n.last);
    KN_TRY(n.support && n.last ? KN_OK : kn__nomem(err));
    count_moves(s, to, is_new, holding, holding ? held : s->records, &n);
    for (uint32_t i = 0; i < s->before; i++) {
        s->now[i] = to[s->now[i]];
    }
    take_trie(s, &t);
    kn__free(s->support);
    s->support = n.support;
    n.support = NULL;
    KN_TRY(link_sides(s, err));
done:
    kn__path_trie_clear(&t);
    kn__support_tally_clear(&n);
    rule_list_clear(&rules);
    KN_FREE(is_new, to);
    return status;
}
