/* The attack on everything that a tree states, by trying all worlds: every person may have every
 * combination of private values, and a world is possible if each figure that the tree states comes
 * out in it. What a person has in no possible world is ruled out, so something private is told of
 * that person. */
#ifndef ORACLE_STATED_ATTACK_H
#define ORACLE_STATED_ATTACK_H

#include "oracle/tree_answer.h"

#include <stdlib.h>
#include <string.h>

enum { STATED_PEOPLE = 6, STATED_CHOICES = 4, STATED_NODES = 64 };

typedef struct stated_attack {
    const kn_tree *tree;
    int people, choices, classes;
    /* by person and combination of private values */
    uint32_t place[STATED_PEOPLE][STATED_CHOICES]; /* as plain_place gives it */
    int stop[STATED_PEOPLE][STATED_CHOICES];       /* the node at which it ends; -1: at none */
    int value[STATED_PEOPLE][STATED_CHOICES];      /* of the class */
    /* results: by person the combinations that are possible as bits; the worlds */
    unsigned possible[STATED_PEOPLE];
    long worlds;
} stated_attack;

/* How many people of each class came to each node in the world `of`, which has a combination for
 * each person. */
static void stated_count(const stated_attack *a, const int *of, uint64_t (*count)[4])
{
    memset(count, 0, a->tree->nodes * sizeof *count);
    for (int i = 0; i < a->people; i++) {
        int node = a->stop[i][of[i]];
        while (node >= 0) {
            const uint32_t up = a->tree->node[node].parent;
            count[node][a->value[i][of[i]]]++;
            node = up == KN_NO_CODE ? -1 : (int)up;
        }
    }
}

static uint32_t stated_commonest(const uint64_t *count, int classes)
{
    uint32_t best = 0;

    for (int c = 1; c < classes; c++) {
        best = count[c] > count[best] ? (uint32_t)c : best;
    }
    return best;
}

static bool stated_fits(const stated_attack *a, const int *of)
{
    uint64_t count[STATED_NODES][4];

    stated_count(a, of, count);
    for (size_t n = 0; n < a->tree->nodes; n++) {
        const kn_tree_node *node = &a->tree->node[n];
        uint64_t all = 0;
        for (int c = 0; c < a->classes; c++) {
            all += count[n][c];
            if (node->population && node->population[c] != count[n][c]) {
                return false;
            }
        }
        if ((node->records >= 0 && node->records != (double)all) ||
            (node->answer != KN_NO_CODE &&
             node->answer != stated_commonest(count[n], a->classes))) {
            return false;
        }
    }
    return true;
}

static void stated_try(stated_attack *a)
{
    int of[STATED_PEOPLE] = {0};

    memset(a->possible, 0, sizeof a->possible);
    a->worlds = 0;
    for (;;) {
        int at = 0;
        if (stated_fits(a, of)) {
            a->worlds++;
            for (int i = 0; i < a->people; i++) {
                a->possible[i] |= 1u << of[i];
            }
        }
        while (at < a->people && ++of[at] == a->choices) {
            of[at++] = 0;
        }
        if (at == a->people) {
            return;
        }
    }
}

static bool stated_same_span(const stated_attack *a, int i, int j)
{
    for (int side = 0; side < 2; side++) {
        const int one = side ? j : i, other = side ? i : j;
        for (int x = 0; x < a->choices; x++) {
            bool found = false;
            for (int y = 0; y < a->choices; y++) {
                found = found || (a->place[one][x] == a->place[other][y] &&
                                  (a->place[one][x] == KN_NO_CODE ||
                                   a->value[one][x] == a->value[other][y]));
            }
            if (!found) {
                return false;
            }
        }
    }
    return true;
}

/* The fewest people that somebody of whom something is told cannot be told apart from. */
static uint64_t stated_k(const stated_attack *a)
{
    uint64_t k = UINT64_MAX;

    for (int i = 0; i < a->people; i++) {
        uint64_t same = 0;
        for (int j = 0; j < a->people; j++) {
            same += stated_same_span(a, i, j);
        }
        if (a->possible[i] != (1u << a->choices) - 1 && same < k) {
            k = same;
        }
    }
    return k;
}

#endif
