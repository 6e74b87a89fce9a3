/* violations.c - lists of knowledge with relations that too few records match. */
#include "methods/trees/violations.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

void kn__tree_violations_clear(kn_tree_violations *v)
{
    KN_FREE(v->list, v->relation, v->part);
    *v = (kn_tree_violations){0};
}

/* Add a copy of `x`, whose relations and parts are given. */
static kn_status add(kn_tree_violations *v, const kn_tree_violation *x, const kn_relation *relation,
                     const uint16_t *part, kn_error *err)
{
    const size_t relations = v->relations + x->relations;

    KN_PASS(kn__grow(&v->list, &v->cap, v->count + 1, sizeof *v->list, err));
    KN_PASS(kn__grow(&v->relation, &v->relation_cap, relations, sizeof *v->relation, err));
    KN_PASS(kn__grow(&v->part, &v->part_cap, relations, sizeof *v->part, err));
    v->list[v->count] = *x;
    v->list[v->count++].begin = v->relations;
    memcpy(v->relation + v->relations, relation, x->relations * sizeof *relation);
    memcpy(v->part + v->relations, part, x->relations * sizeof *part);
    v->relations = relations;
    return KN_OK;
}

kn_status kn__tree_violations_add(kn_tree_violations *v, const kn_known *known, kn_error *err)
{
    kn_tree_violation x = {.relations = known->relations,
                           .values = known->values,
                           .support = known->support};

    memcpy(x.value, known->value, known->values * sizeof *x.value);
    return add(v, &x, known->relation, known->part, err);
}

static bool is_asked(const kn_tree_violations *v, const kn_tree_violation *x, const uint8_t *ask)
{
    const kn_relation *relation = v->relation + x->begin;
    const uint16_t *part = v->part + x->begin;

    for (uint32_t i = 0; i < x->values; i++) {
        if (ask[x->value[i]] & KN_ASK_LABEL) {
            return true;
        }
    }
    for (uint32_t i = 1; i < x->relations; i++) {
        for (uint32_t j = 0; (ask[relation[i].above] & KN_ASK_FORK) && j < i; j++) {
            if (part[j] == part[i] && relation[j].above == relation[i].above) {
                return true;
            }
        }
    }
    return false;
}

kn_status kn__tree_violations_carry(kn_tree_violations *v, const kn_tree_violations *from,
                                    const uint8_t *ask, kn_error *err)
{
    for (size_t i = 0; i < from->count; i++) {
        const kn_tree_violation *x = &from->list[i];
        if (!is_asked(from, x, ask)) {
            KN_PASS(add(v, x, from->relation + x->begin, from->part + x->begin, err));
        }
    }
    return KN_OK;
}

static int compare(const void *a, const void *b)
{
    const kn_tree_violation *x = a, *y = b;
    const kn_tree_violations *v = x->in;
    int order = KN_ORDER(x->relations, y->relations);

    order = order ? order : KN_ORDER(x->values, y->values);
    for (uint32_t i = 0; !order && i < x->relations; i++) {
        const kn_relation p = v->relation[x->begin + i], q = v->relation[y->begin + i];
        order = KN_ORDER(p.above, q.above);
        order = order ? order : KN_ORDER(p.below, q.below);
        order = order ? order : KN_ORDER(v->part[x->begin + i], v->part[y->begin + i]);
    }
    for (uint32_t i = 0; !order && i < x->values; i++) {
        order = KN_ORDER(x->value[i], y->value[i]);
    }
    return order;
}

void kn__tree_violations_sort(kn_tree_violations *v)
{
    for (size_t i = 0; i < v->count; i++) {
        v->list[i].in = v;
    }
    if (v->count) {
        qsort(v->list, v->count, sizeof *v->list, compare);
    }
}
