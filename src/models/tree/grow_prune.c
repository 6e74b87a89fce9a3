/* grow_prune.c - error-based pruning from the leaves upwards, as in C4.5.
 *
 * The errors of a leaf with e errors among n records are estimated by the upper limit of the
 * binomial distribution at confidence 0.25. A node whose estimate as a leaf is no higher than that
 * of its subtree becomes a leaf.
 *
 * Pruning keeps the guarantee. The equivalence classes below a new leaf become one, and the others
 * stay, so the span of a record in the pruned tree follows from its span in the full tree. Hence a
 * span of the pruned tree is a union of spans of the full tree, with at least as many records, and
 * one with several bins is a union of spans with several bins. Its class distribution is a mixture
 * of theirs: the entropy and the number of distinct values are at least the least of theirs, and
 * the greatest share is at most the greatest of theirs. */
#include "models/tree/grow_state.h"

#include <math.h>

/* The normal deviate of an upper tail of 0.25. */
static const double DEVIATE = 0.6744897501960817;

static double pessimistic_errors(uint64_t errors, uint64_t records)
{
    const double n = (double)records, e = (double)errors, z = DEVIATE * DEVIATE;
    double f;

    if (records == 0) {
        return 0;
    }
    if (errors == 0) {
        return n * (1 - pow(0.25, 1 / n));
    }
    if (e + 0.5 >= n) {
        return e + 0.67 * (n - e);
    }
    f = (e + 0.5) / n;
    return n * (f + z / (2 * n) + DEVIATE * sqrt(f / n - f * f / n + z / (4 * n * n))) /
           (1 + z / n);
}

static double errors_as_leaf(const kn_grown *t, size_t node)
{
    const kn_grown_node *n = &t->node[node];
    const uint64_t right = t->population[node * t->classes + n->answer];

    return pessimistic_errors(n->end - n->begin - right, n->end - n->begin);
}

/* Children have higher numbers than their parents, so one pass from the last node to the first sees
 * them before. Nodes below a new leaf stay in the array, without children; nothing leads to them.
 */
void kn__grow_prune(kn_grown *t)
{
    for (size_t node = t->nodes; node-- > 0;) {
        kn_grown_node *n = &t->node[node];
        double below = 0;
        for (uint32_t i = 0; i < n->children; i++) {
            below += t->node[n->first + i].errors;
        }
        n->errors = errors_as_leaf(t, node);
        if (n->children > 0 && n->errors > below + 0.1) {
            n->errors = below;
        } else {
            n->children = 0;
            n->attribute = KN_NO_CODE;
        }
    }
    for (size_t node = 1; node < t->nodes; node++) {
        if (t->node[t->node[node].parent].children == 0) {
            t->node[node].children = 0;
            t->node[node].attribute = KN_NO_CODE;
        }
    }
}
