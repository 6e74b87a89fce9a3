/* apriori_splits.c - the splits of a hierarchy that k^m-anonymity allows at all. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/apriori.h"
#include "methods/sets/counted.h"

#include <string.h>

void kn__splits_clear(kn_splits *s)
{
    kn__arena_clear(&s->arena);
    KN_FREE(s->member, s->begin);
    *s = (kn_splits){0};
}

static void add_split(kn_splits *s, const kn_cut *c, uint32_t node)
{
    s->node[s->count] = node;
    s->up[s->count] = node == c->root ? KN_NO_NODE : s->of[c->parent[node]];
    s->gain[s->count] = kn__cut_gain(c, node);
    s->of[node] = (uint32_t)s->count++;
}

/* A node comes from the stack twice: to be split, and, when all below it is done, to be merged
 * again, so that at each node nothing but the path above it is split. */
static kn_status walk(kn_splits *s, kn_cut *c, uint32_t *stack, const kn_run *run, kn_error *err)
{
    size_t len = 0;
    kn_status status = KN_OK;

    stack[len++] = c->root;
    while (len > 0 && status == KN_OK) {
        const uint32_t node = stack[--len];
        bool done = false;
        kn_witness why;
        if (s->of[node] != KN_NO_NODE) {
            s->end[s->of[node]] = (uint32_t)s->count;
            kn__cut_merge(c, node);
            continue;
        }
        status = kn__run_step(run, "apriori", -1, err);
        if (status == KN_OK) {
            status = kn__cut_split(c, node, &done, &why, err);
        }
        if (done) {
            add_split(s, c, node);
            stack[len++] = node;
            for (uint32_t i = c->children_at[node + 1]; i-- > c->children_at[node];) {
                stack[len++] = c->children[i];
            }
        }
    }
    return status;
}

kn_status kn__splits_find(kn_splits *s, kn_cut *c, const kn_run *run, kn_error *err)
{
    const size_t most = c->nodes;
    uint32_t *stack;

    *s = (kn_splits){0};
    stack = kn__arena_take(&s->arena, most, sizeof *stack);
    s->node = kn__arena_take(&s->arena, most, sizeof *s->node);
    s->up = kn__arena_take(&s->arena, most, sizeof *s->up);
    s->end = kn__arena_take(&s->arena, most, sizeof *s->end);
    s->gain = kn__arena_take(&s->arena, most, sizeof *s->gain);
    s->of = kn__arena_take(&s->arena, most, sizeof *s->of);
    s->begin = kn__zalloc_array(1, sizeof *s->begin);
    s->begin_cap = 1;
    KN_PASS(s->begin ? kn__arena_check(&s->arena, err) : kn__nomem(err));
    memset(s->of, 0xff, most * sizeof *s->of);
    if (c->counts) {
        KN_PASS(kn__counted_find(c, run, err));
    }
    return walk(s, c, stack, run, err);
}

static bool is_above(const kn_splits *s, uint32_t above, uint32_t split)
{
    return above <= split && split < s->end[above];
}

size_t kn__splits_of_nodes(const kn_splits *s, const kn_cut *c, const uint32_t *nodes, size_t size,
                           uint32_t *member)
{
    size_t len = 0;

    for (size_t i = 0; i < size; i++) {
        const uint32_t split = s->of[c->parent[nodes[i]]];
        size_t kept = 0;
        bool implied = false;
        for (size_t j = 0; j < len; j++) {
            implied = implied || is_above(s, split, member[j]);
            if (!is_above(s, member[j], split) || implied) {
                member[kept++] = member[j];
            }
        }
        len = kept;
        if (!implied) {
            size_t at = len++;
            for (; at > 0 && member[at - 1] > split; at--) {
                member[at] = member[at - 1];
            }
            member[at] = split;
        }
    }
    return len;
}

kn_status kn__splits_add(kn_splits *s, const uint32_t *member, size_t size, kn_error *err)
{
    const size_t end = s->begin[s->conflicts];

    KN_PASS(kn__grow(&s->member, &s->member_cap, end + size, sizeof *s->member, err));
    KN_PASS(kn__grow(&s->begin, &s->begin_cap, s->conflicts + 2, sizeof *s->begin, err));
    memcpy(s->member + end, member, size * sizeof *member);
    s->begin[++s->conflicts] = end + size;
    return KN_OK;
}
