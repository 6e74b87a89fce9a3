/* grow_prune.c - cost-complexity pruning (Breiman et al., CART, chapters 3 and 8): of all subtrees
 * that a price of a leaf makes best, the smallest that is nearly the best one for records which the
 * tree has not seen: whose class shares have the least Brier score.
 *
 * That is measured by cross-validation: the records are divided into folds, and for each a
 * tree is grown from the others, pruned by every price, and asked about the fold. For large data
 * one fold is enough: it has 16,000 records or more.
 *
 * Pruning keeps the guarantee. The equivalence classes below a new leaf become one, and the others
 * stay, so the span of a record in the pruned tree follows from its span in the full tree. Hence a
 * span of the pruned tree is a union of spans of the full tree, with at least as many records, and
 * one with several bins is a union of spans with several bins. Its class distribution is a mixture
 * of theirs: the entropy and the number of distinct values are at least the least of theirs, and
 * the greatest share is at most the greatest of theirs. */
#include "models/tree/grow_state.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

enum { FOLDS = 5, PRICES = 48, LARGE = 80000 };
/* Of trees that are nearly as good as the best one, the smallest is taken. */
static const double NEARLY = 0.003;

typedef struct pruning {
    const kn_grow_options *o;
    uint8_t *fold;        /* by record: its fold; FOLDS: it is left out */
    uint8_t *barred;      /* by record: it does not grow the tree of a fold */
    double *cost;         /* by node */
    uint8_t *removed;     /* by node: the least price at which it is a leaf */
    double score[PRICES]; /* Brier scores of the records that were asked about, summed */
    size_t errors[PRICES], asked;
} pruning;

/* What a leaf has to save, in a geometric series; at the last price the root is a leaf. `share` of
 * the records grew the tree. */
static double price(unsigned i, double share)
{
    if (i + 1 == PRICES) {
        return INFINITY;
    }
    return i == 0 ? 0 : 0.5 * pow(1.35, i - 1) * share;
}

/* The Brier score of the records of a node by its own class shares: the Gini index times their
 * number. */
static double impurity(const kn_grown *t, size_t node)
{
    const double records = (double)(t->node[node].end - t->node[node].begin);
    double squares = 0;

    for (size_t c = 0; c < t->classes; c++) {
        const double own = (double)t->population[node * t->classes + c];
        squares += own * own;
    }
    return records > 0 ? records - squares / records : 0;
}

/* The Brier score of one record of class `klass` by the class shares of a node. */
static double score_of(const kn_grown *t, size_t node, uint32_t klass)
{
    const double records = (double)(t->node[node].end - t->node[node].begin);
    double score = 0;

    for (size_t c = 0; c < t->classes; c++) {
        const double share = (double)t->population[node * t->classes + c] / records;
        score += c == klass ? (1 - share) * (1 - share) : share * share;
    }
    return score;
}

/* For every node, the least price at which it is a leaf of the best subtree. Children have higher
 * numbers than their parents, so each pass sees them first. `share` of the records grew the tree.
 */
static kn_status find_prices(pruning *p, const kn_grown *t, double share, kn_error *err)
{
    KN_FREE(p->cost, p->removed);
    p->cost = kn__malloc_array(t->nodes, sizeof *p->cost);
    p->removed = kn__malloc_array(t->nodes, 1);
    KN_PASS(p->cost && p->removed ? KN_OK : kn__nomem(err));
    memset(p->removed, PRICES, t->nodes);
    for (unsigned i = 0; i < PRICES; i++) {
        for (size_t node = t->nodes; node-- > 0;) {
            const kn_grown_node *n = &t->node[node];
            const double leaf = impurity(t, node) + price(i, share);
            double below = 0;
            for (uint32_t c = 0; c < n->children; c++) {
                below += p->cost[n->first + c];
            }
            p->cost[node] = below;
            if (n->children == 0 || leaf <= below + 1e-9) {
                p->cost[node] = leaf;
                p->removed[node] = p->removed[node] < i ? p->removed[node] : (uint8_t)i;
            }
        }
    }
    return KN_OK;
}

/* ---- the fold that a tree has not seen ---- */

static bool is_listed(const kn_grown *t, const kn_grown_node *n, uint32_t code)
{
    for (size_t i = n->listed; i < n->listed_end; i++) {
        if (t->listed[i] == code) {
            return true;
        }
    }
    return false;
}

/* Whether the branch takes the value `code` of its attribute. KN_BRANCH_VALUES: `name` is asked. */
static bool takes(const kn_grown *t, const kn_grown_node *n, const kn_column *c, uint32_t code,
                  uint32_t name)
{
    const bool missing = code == c->missing;

    switch (n->branch) {
    case KN_BRANCH_VALUES: return n->name == name;
    case KN_BRANCH_LISTED: return is_listed(t, n, code);
    case KN_BRANCH_LESS_EQUAL: return missing ? n->missing : c->numbers[code] <= n->number;
    case KN_BRANCH_GREATER: return missing ? n->missing : c->numbers[code] > n->number;
    case KN_BRANCH_MISSING: return missing;
    case KN_BRANCH_PRESENT: return !missing;
    case KN_BRANCH_ROOT: break;
    }
    return false;
}

/* The child that takes the record, or KN_NO_CODE: the node answers. */
static uint32_t child_of(const kn_grow_options *o, const kn_grown *t, const kn_grown_node *n,
                         size_t record)
{
    const kn_grow_attribute *a = &o->attribute[n->attribute];
    const uint32_t code = kn__column_code(a->column, record), root = kn__grow_root(a);

    for (uint32_t name = code;; name = kn__grow_generalise(a, name)) {
        for (uint32_t i = 0; i < n->children; i++) {
            if (takes(t, &t->node[n->first + i], a->column, code, name)) {
                return n->first + i;
            }
        }
        if (name == root || kn__grow_is_ordered(a)) {
            return KN_NO_CODE;
        }
    }
}

uint32_t kn__grown_answer(const kn_grown *t, const kn_grow_options *options, size_t record)
{
    uint32_t node = 0;

    for (uint32_t child = 0; child != KN_NO_CODE;) {
        node = child;
        child = t->node[node].children ? child_of(options, t, &t->node[node], record) : KN_NO_CODE;
    }
    return t->node[node].answer;
}

/* Count the errors on one record, for every price. */
static void ask(pruning *p, const kn_grown *t, size_t record)
{
    const uint32_t klass = kn__column_code(p->o->target, record);
    uint32_t node = 0;
    unsigned to = PRICES;

    while (node != KN_NO_CODE && to > 0) {
        const kn_grown_node *n = &t->node[node];
        const uint32_t child = n->children ? child_of(p->o, t, n, record) : KN_NO_CODE;
        const unsigned from = child == KN_NO_CODE ? 0 : p->removed[node];
        const double score = score_of(t, node, klass);
        for (unsigned i = from; i < to; i++) {
            p->errors[i] += n->answer != klass;
            p->score[i] += score;
        }
        to = from < to ? from : to;
        node = child;
    }
    p->asked++;
}

static kn_status try_fold(pruning *p, uint8_t fold, size_t records,
                          kn_status (*grow)(kn_grown **, const kn_grow_options *, kn_error *),
                          kn_error *err)
{
    kn_grow_options o = *p->o;
    kn_grown *t = NULL;
    kn_status status;

    for (size_t i = 0; i < o.ds->records; i++) {
        p->barred[i] = p->fold[i] == fold || p->fold[i] == FOLDS;
    }
    o.barred = p->barred;
    status = grow(&t, &o, err);
    if (status == KN_EINFEASIBLE) {
        status = KN_OK; /* too few records without the fold: it is not asked */
        goto done;
    }
    KN_TRY(status);
    KN_TRY(find_prices(p, t, (double)t->records / (double)records, err));
    for (size_t i = 0; i < o.ds->records; i++) {
        if (p->fold[i] == fold) {
            ask(p, t, i);
        }
    }
done:
    kn__grown_free(t);
    return status;
}

static void cut(kn_grown *t, const uint8_t *removed, unsigned at)
{
    for (size_t node = 0; node < t->nodes; node++) {
        kn_grown_node *n = &t->node[node];
        if (removed[node] <= at || (node > 0 && t->node[n->parent].children == 0)) {
            n->children = 0;
            n->attribute = KN_NO_CODE;
        }
        if (n->unsplit && node > 0 && t->node[n->parent].children == 0) {
            t->unsplit--;
        }
    }
}

kn_status kn__grow_prune(kn_grown *t, const kn_grow_options *options,
                         kn_status (*grow)(kn_grown **, const kn_grow_options *, kn_error *),
                         kn_error *err)
{
    const size_t records = options->ds->records;
    pruning p = {.o = options, .fold = kn__malloc_array(records, 1)};
    const unsigned folds = t->records > LARGE ? 1 : FOLDS;
    unsigned best = 0;
    kn_rng rng;
    kn_status status;

    p.barred = kn__malloc_array(records, 1);
    KN_TRY(p.fold && p.barred ? KN_OK : kn__nomem(err));
    kn__rng_seed(&rng, options->run ? options->run->seed : 0, 2);
    for (size_t i = 0; i < records; i++) {
        p.fold[i] = options->barred && options->barred[i] ? FOLDS
                                                          : (uint8_t)kn__rng_below(&rng, FOLDS);
    }
    for (unsigned fold = 0; fold < folds; fold++) {
        KN_TRY(try_fold(&p, (uint8_t)fold, t->records, grow, err));
    }
    for (unsigned i = 1; i < PRICES; i++) {
        best = p.score[i] <= p.score[best] ? i : best;
    }
    for (unsigned i = best + 1, least = best; i < PRICES; i++) {
        best = p.score[i] <= p.score[least] * (1 + NEARLY) ? i : best;
    }
    KN_TRY(find_prices(&p, t, 1, err));
    cut(t, p.removed, best);
    t->validated = p.asked;
    t->validation_errors = p.errors[best];
done:
    KN_FREE(p.fold, p.barred, p.cost, p.removed);
    return status;
}
