/* grow_prune.c - pruning from below by pessimistic error, as C4.5 does.
 *
 * A leaf with e errors among n records is taken to err like the upper limit of the binomial
 * distribution at confidence 0.25. Where a node as a leaf promises no more errors than its subtree,
 * it becomes a leaf.
 *
 * That keeps the guarantee. Which leaves of the smaller tree a record's public values allow follows
 * from which ones (and nodes that answer) of the larger tree they allow: those below the new leaf
 * become it, the others stay. So a span of the smaller tree is a union of spans of the larger one,
 * and has at least as many records; its classes are a mixture of theirs, whose entropy is no less
 * than the least of theirs, whose different values are no fewer, and whose greatest share is no
 * more than the greatest of theirs. And a span with several bins comes only from spans with
 * several. */
#include "models/tree/grow_state.h"

#include <math.h>

/* The normal deviate of an upper tail of 0.25. */
static const double DEVIATE = 0.6744897501960817;

static double pessimistic(uint64_t errors, uint64_t records)
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

static double as_leaf(const kn_grown *t, size_t node)
{
    const kn_grown_node *n = &t->node[node];
    const uint64_t right = t->population[node * t->classes + n->answer];

    return pessimistic(n->end - n->begin - right, n->end - n->begin);
}

/* From the last node to the first: children stand behind their parents. Nodes below a new leaf stay
 * in the array, without children; nothing leads to them. */
void kn__grow_prune(kn_grown *t)
{
    for (size_t node = t->nodes; node-- > 0;) {
        kn_grown_node *n = &t->node[node];
        double below = 0;
        for (uint32_t i = 0; i < n->children; i++) {
            below += t->node[n->first + i].errors;
        }
        n->errors = as_leaf(t, node);
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
