/* Where a tuple ends in a decision tree, read off the definitions of models/model.h: recursion over
 * tests and nodes, values as they are, no codes and no cells. */
#ifndef ORACLE_TREE_ANSWER_H
#define ORACLE_TREE_ANSWER_H

#include "models/model.h"

#include <math.h>

/* One value of a tuple: `text` is a place in the domain of a category, the model's own first. */
typedef struct plain_value {
    bool missing;
    double number;
    uint32_t text;
} plain_value;

/* 1 true, 0 false, -1 unknown. */
static int plain_test(const kn_test *t, const plain_value *tuple)
{
    const plain_value *v = &tuple[t->attribute];
    int trues = 0, falses = 0, unknowns = 0;
    bool in = false;

    switch (t->kind) {
    case KN_TEST_TRUE: return 1;
    case KN_TEST_FALSE: return 0;
    case KN_TEST_MISSING: return v->missing;
    case KN_TEST_NOT_MISSING: return !v->missing;
    case KN_TEST_LESS: return v->missing ? -1 : v->number < t->number;
    case KN_TEST_LESS_EQUAL: return v->missing ? -1 : v->number <= t->number;
    case KN_TEST_GREATER: return v->missing ? -1 : v->number > t->number;
    case KN_TEST_GREATER_EQUAL: return v->missing ? -1 : v->number >= t->number;
    case KN_TEST_EQUAL: return v->missing ? -1 : v->number == t->number;
    case KN_TEST_NOT_EQUAL: return v->missing ? -1 : v->number != t->number;
    case KN_TEST_IN:
    case KN_TEST_NOT_IN:
        for (size_t i = 0; i < t->values_count; i++) {
            in = in || t->values[i] == v->text;
        }
        return v->missing ? -1 : in == (t->kind == KN_TEST_IN);
    case KN_TEST_SURROGATE:
        for (size_t i = 0; i < t->parts_count; i++) {
            if (plain_test(&t->parts[i], tuple) >= 0) {
                return plain_test(&t->parts[i], tuple);
            }
        }
        return -1;
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR: break;
    }
    for (size_t i = 0; i < t->parts_count; i++) {
        const int part = plain_test(&t->parts[i], tuple);
        trues += part == 1;
        falses += part == 0;
        unknowns += part == -1;
    }
    if (t->kind == KN_TEST_AND) {
        return falses ? 0 : unknowns ? -1 : 1;
    }
    if (t->kind == KN_TEST_OR) {
        return trues ? 1 : unknowns ? -1 : 0;
    }
    return unknowns ? -1 : trues % 2;
}

/* No answer at `node`. If the node or one above it states anything of its learning examples, an
 * attacker who subtracts what is stated below learns of those who stop here: PLAIN_LOST + node.
 * Otherwise nothing tells where or of which class they are: KN_NO_CODE. */
enum { PLAIN_LOST = 1 << 20 };

static uint32_t plain_lost(const kn_tree *t, uint32_t node)
{
    for (uint32_t up = node; up != KN_NO_CODE; up = t->node[up].parent) {
        const kn_tree_node *n = &t->node[up];
        if (n->answer != KN_NO_CODE || n->population || n->records >= 0 || n->share) {
            return PLAIN_LOST + node;
        }
    }
    return KN_NO_CODE;
}

static uint32_t plain_stay(const kn_tree *t, uint32_t node)
{
    const kn_tree_node *n = &t->node[node];

    return n->children == 0 || n->answer != KN_NO_CODE || n->population ? node
                                                                        : plain_lost(t, node);
}

/* The place at which a tuple that is at `node` ends. */
static uint32_t plain_walk(const kn_tree *t, uint32_t node, const plain_value *tuple)
{
    const kn_tree_node *n = &t->node[node];

    if (n->children == 0) {
        return node;
    }
    for (uint32_t i = n->first; i < n->first + n->children; i++) {
        const int is = plain_test(&t->node[i].test, tuple);
        if (is == 1) {
            return plain_walk(t, i, tuple);
        }
        if (is == -1 && t->when_missing == KN_TREE_MISSING_CHILD) {
            return n->missing == KN_NO_CODE ? plain_lost(t, node)
                                            : plain_walk(t, n->missing, tuple);
        }
        if (is == -1 && t->when_missing == KN_TREE_MISSING_STAYS) {
            return plain_stay(t, node);
        }
        if (is == -1 && t->when_missing == KN_TREE_MISSING_NOTHING) {
            return plain_lost(t, node);
        }
    }
    return t->last_answer ? plain_stay(t, node) : plain_lost(t, node);
}

static uint32_t plain_place(const kn_tree *t, const plain_value *tuple)
{
    return plain_test(&t->node[0].test, tuple) == 1 ? plain_walk(t, 0, tuple) : KN_NO_CODE;
}

/* The node that answers; KN_NO_CODE: none does. */
static uint32_t plain_node(const kn_tree *t, const plain_value *tuple)
{
    const uint32_t place = plain_place(t, tuple);

    return place < PLAIN_LOST ? place : KN_NO_CODE;
}

#endif
