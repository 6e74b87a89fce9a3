/* vpa.c - k^m-anonymity of items by vertical partitioning.
 *
 * VPA of Terrovitis, Mamoulis and Kalnis ("Local and global recoding methods for anonymizing
 * set-valued data", VLDB Journal 2011): the items are split into parts along the hierarchy, the
 * records are seen through one part at a time and recoded for it, and then the combinations that
 * span parts are mended. Here a part is what is below one node, and a part's cut becomes a floor: a
 * second search, over floors instead of items, goes no further down. What a part refuses, the whole
 * refuses, so a floor that nothing but rare combinations hold up costs nothing. */
#include "methods/registry.h"
#include "methods/params.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/apriori.h"

#include <stdatomic.h>
#include <string.h>

enum { PARTS = 8 };

typedef struct vertical_partition {
    const kn_items_task *task;
    const kn_cut *c; /* of all items: the tree */
    uint32_t *top;   /* the nodes above the parts */
    size_t tops;
    uint32_t *floor; /* by code: a node; KN_NO_NODE: it is apart, or does not occur */
    kn_error *error; /* by part */
    atomic_bool stop;
} vertical_partition;

/* ---- the parts ---- */

/* The heaviest node that has children; `tops` if none has. */
static size_t heaviest(const vertical_partition *x, const uint64_t *before)
{
    const kn_cut *c = x->c;
    size_t best = x->tops;
    uint64_t most = 0;

    for (size_t i = 0; i < x->tops; i++) {
        const uint32_t node = x->top[i];
        const uint64_t weight = before[c->high[node]] - before[c->low[node]];
        if (c->children_at[node] < c->children_at[node + 1] && weight > most) {
            most = weight;
            best = i;
        }
    }
    return best;
}

/* From the root down, put the children of the heaviest node in its place until there are enough. */
static kn_status choose_tops(vertical_partition *x, size_t parts, kn_error *err)
{
    const kn_cut *c = x->c;
    uint64_t *before = kn__malloc_array((size_t)c->places + 1, sizeof *before);

    x->top = kn__malloc_array(c->nodes, sizeof *x->top);
    if (!before || !x->top) {
        kn__free(before);
        return kn__nomem(err);
    }
    before[0] = 0;
    for (uint32_t i = 0; i < c->places; i++) {
        before[i + 1] = before[i] + c->times[i];
    }
    x->top[x->tops++] = c->root;
    while (x->tops < parts) {
        const size_t at = heaviest(x, before);
        if (at == x->tops) {
            break;
        }
        const uint32_t node = x->top[at];
        x->top[at] = x->top[--x->tops];
        for (uint32_t i = c->children_at[node]; i < c->children_at[node + 1]; i++) {
            if (c->children[i] != c->apart) {
                x->top[x->tops++] = c->children[i];
            }
        }
    }
    kn__free(before);
    return KN_OK;
}

/* ---- one part ---- */

static kn_status recode_part(vertical_partition *x, uint32_t top, const kn_run *alone,
                             kn_error *err)
{
    const kn_cut *c = x->c;
    const kn_baskets *all = x->task->baskets;
    uint32_t *to = kn__malloc_array(all->items, sizeof *to);
    kn_baskets *b = NULL;
    kn_cut *part = NULL;
    size_t size;
    uint64_t support;
    bool holds = false;
    kn_status status = to ? KN_OK : kn__nomem(err);

    for (uint32_t code = 0; code < all->items && status == KN_OK; code++) {
        const uint32_t place = c->place_of[code];
        to[code] = place != KN_NO_CODE && place >= c->low[top] && place < c->high[top] ? code
                                                                                       : KN_NO_CODE;
    }
    if (status == KN_OK) {
        status = kn__baskets_map(&b, all, to, all->items, alone, err);
    }
    if (status == KN_OK) {
        status = kn__cut_new(&part, c->domain, b, c->k, c->m, 1, err);
    }
    kn__baskets_free(b);
    if (status == KN_OK) {
        /* If not even the top can be published, the second search will find that out. */
        holds = kn__cut_root_holds(part, &size, &support);
        status = holds ? kn__apriori_search(part, KN_APRIORI_WORK, alone, err) : KN_OK;
    }
    for (uint32_t code = 0; code < all->items && status == KN_OK; code++) {
        if (to[code] != KN_NO_CODE) {
            const uint32_t node = kn__cut_node(part, code);
            const bool below = c->low[node] >= c->low[top] && c->high[node] <= c->high[top] &&
                               node < top;
            x->floor[code] = holds && below ? node : top;
        }
    }
    kn__cut_free(part);
    kn__free(to);
    return status;
}

static void recode_some(void *user, unsigned worker, size_t begin, size_t end)
{
    vertical_partition *x = user;
    const kn_run alone = kn__run_alone(x->task->run, worker, &x->stop);

    for (size_t i = begin; i < end && !atomic_load(&x->stop); i++) {
        if (recode_part(x, x->top[i], &alone, &x->error[i]) != KN_OK) {
            atomic_store(&x->stop, true);
        }
    }
}

static kn_status recode_parts(vertical_partition *x, kn_error *err)
{
    size_t failed = x->tops;

    x->floor = kn__malloc_array(x->c->domain->values, sizeof *x->floor);
    x->error = kn__zalloc_array(x->tops, sizeof *x->error);
    KN_PASS(x->floor && x->error ? KN_OK : kn__nomem(err));
    memset(x->floor, 0xff, x->c->domain->values * sizeof *x->floor);
    kn__parallel_for(kn__run_threads(x->task->run), x->tops, 1, recode_some, x);
    for (size_t i = 0; i < x->tops; i++) {
        /* Others may have been stopped because one failed: what did that says why. */
        if (x->error[i].status != KN_OK &&
            (failed == x->tops || x->error[failed].status == KN_ECANCELLED)) {
            failed = i;
        }
    }
    if (failed < x->tops && err) {
        *err = x->error[failed];
    }
    return failed < x->tops ? x->error[failed].status : KN_OK;
}

/* ---- the whole ---- */

/* Split the nodes of `c` down to the cut of `above`, whose tree is a part of its own. */
static void follow(kn_cut *c, const kn_cut *above)
{
    for (uint32_t i = c->nodes; i-- > 0;) { /* a parent's number is above its children' */
        if (i != c->apart && c->in[i] && !above->in[i] && above->low[i] < above->high[i] &&
            c->children_at[i] < c->children_at[i + 1]) {
            kn__cut_put(c, i);
        }
    }
}

static kn_status run(const kn_items_task *task, kn_recoding *out, kn_error *err)
{
    const size_t parts = kn__param_count(&task->params, "parts");
    const bool subtree = kn__param_flag(&task->params, "subtree");
    kn_cut *c = NULL, *above = NULL;
    vertical_partition x = {.task = task};
    kn_status status;

    if (task->m == 1) { /* nothing spans parts */
        return kn__apriori_run(task, "vpa", out, err);
    }
    KN_TRY(kn__apriori_start(&c, task, "vpa", err));
    x.c = c;
    KN_TRY(choose_tops(&x, parts, err));
    KN_TRY(recode_parts(&x, err));
    KN_TRY(kn__cut_new_above(&above, task->domain, task->baskets, x.floor, task->k, task->m,
                             kn__run_threads(task->run), err));
    KN_TRY(kn__apriori_search(above, KN_APRIORI_WORK, task->run, err));
    if (!subtree) {
        follow(c, above);
        KN_TRY(kn__cut_split_partly(c, task->run, err));
    }
    KN_TRY(kn__apriori_publish(task, subtree ? above : c, out, err));
done:
    kn__cut_free(above);
    kn__cut_free(c);
    KN_FREE(x.top, x.floor, x.error);
    return status;
}

static const kn_param params[] = {KN_PARAM_PARTS(PARTS), KN_PARAM_SUBTREE};

const kn_method_row kn__vpa_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "vpa",
              .reaches = "km-anonymity",
              .summary = "apriori in two steps: parts of the hierarchy first, then what spans them",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_ITEMS,
    .items = run,
};
