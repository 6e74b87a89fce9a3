/* counted_names.c - names of their own for nodes below a cut (cut_partial_split.c), where the
 * records are counted elsewhere.
 *
 * Candidates are tried in the same order and with the same outcome as there: one is refused if its
 * name would make a combination rare. But many are decided by one answer:
 *
 * 1. Names and candidates are asked for together. A rare combination of names and one candidate
 *    refuses it; one of several candidates refuses the last of them, if the others were accepted.
 * (A name that has become smaller meanwhile only makes the combination rarer, and someone holds
 * it.)
 * 2. What is left is accepted if no combination is rare with all of these names. A combination that
 * is refuses the last candidate that gave one of its names the extent that it has, and the question
 *    is asked again without it. If an earlier candidate is refused later, which lets a name of the
 *    combination grow, the candidate comes back.
 *
 * So each answer settles at least one candidate, whatever is before it being as it is, and the last
 * answer, that nothing is rare, says of all that were accepted that they could be in their turn. */
#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/sets/candidates.h"
#include "methods/sets/counted.h"

#include <string.h>

typedef struct naming {
    kn_arena arena;
    kn_cut *c;
    kn_candidates todo;
    uint8_t *was;      /* by node: it was a name when the round began */
    uint32_t *rank;    /* by node: its number among the candidates; KN_NO_NODE: it is none */
    uint8_t *accepted; /* by candidate */
    kn_witness *why;   /* by candidate: the rare combination that refused it; size 0: none */
    uint32_t *chain;   /* candidates that are likely to be accepted, in turn */
    size_t chain_len;
    uint32_t *to;       /* by place: the names of the cut, while others are tried */
    size_t *last;       /* by node: how many of the chain there are when it has its last extent */
    kn_rare_names rare; /* of names and candidates together */
    size_t *begin;      /* by candidate: rare combinations with it: list[begin[i]..begin[i + 1]) */
    size_t *list;
    size_t list_cap;
} naming;

static bool is_name(const void *user, const kn_cut *c, uint32_t place, uint32_t node)
{
    (void)user;
    return c->to[place] == node;
}

static bool is_name_or_candidate(const void *user, const kn_cut *c, uint32_t place, uint32_t node)
{
    const naming *x = user;
    const uint32_t rank = x->rank[node];

    return c->to[place] == node || (rank != KN_NO_NODE && !x->todo.list[rank].refused &&
                                    x->todo.list[rank].above == c->to[place]);
}

/* ---- what one answer says of all candidates ---- */

/* List the rare combinations of each candidate. */
static kn_status index_rare(naming *x, kn_error *err)
{
    const size_t members = x->rare.count ? x->rare.end[x->rare.count - 1] : 0;
    size_t size;

    KN_PASS(kn__grow(&x->list, &x->list_cap, members, sizeof *x->list, err));
    memset(x->begin, 0, (x->todo.len + 2) * sizeof *x->begin);
    for (size_t i = 0; i < members; i++) {
        if (x->rank[x->rare.node[i]] != KN_NO_NODE) {
            x->begin[x->rank[x->rare.node[i]] + 2]++;
        }
    }
    for (size_t i = 0; i < x->todo.len; i++) {
        x->begin[i + 2] += x->begin[i + 1];
    }
    for (size_t i = 0; i < x->rare.count; i++) {
        const uint32_t *node = kn__rare_names_at(&x->rare, i, &size);
        for (size_t j = 0; j < size; j++) {
            if (x->rank[node[j]] != KN_NO_NODE) {
                x->list[x->begin[x->rank[node[j]] + 1]++] = i;
            }
        }
    }
    return KN_OK;
}

static kn_status ask_about_all(naming *x, kn_error *err)
{
    const kn_cut *c = x->c;

    memcpy(x->was, c->in, c->nodes);
    memset(x->rank, 0xff, c->nodes * sizeof *x->rank);
    for (size_t i = 0; i < x->todo.len; i++) {
        kn_candidate *y = &x->todo.list[i];
        x->rank[y->node] = (uint32_t)i;
        y->refused = c->counts->rare[y->node];
    }
    kn__rare_names_clear(&x->rare);
    KN_PASS(kn__counted_ask(c, is_name_or_candidate, x, c->m, &x->rare, err));
    return index_rare(x, err);
}

/* Whether candidate `i` makes a combination rare with names and candidates that were accepted. */
static bool is_refused(const naming *x, size_t i)
{
    size_t size;

    for (size_t j = x->begin[i]; j < x->begin[i + 1]; j++) {
        const uint32_t *node = kn__rare_names_at(&x->rare, x->list[j], &size);
        bool all = true;
        for (size_t k = 0; k < size && all; k++) {
            const uint32_t rank = x->rank[node[k]];
            all = rank == i || (rank == KN_NO_NODE ? x->was[node[k]] : x->accepted[rank]);
        }
        if (all) {
            return true;
        }
    }
    return false;
}

/* ---- names that are tried ---- */

/* Publish the places below candidate `i` as it. */
static void put(naming *x, size_t i)
{
    const kn_candidate *y = &x->todo.list[i];
    kn_cut *c = x->c;

    for (uint32_t p = c->low[y->node]; p < c->high[y->node]; p++) {
        c->to[p] = c->to[p] == y->above ? y->node : c->to[p];
    }
}

static void go_back(naming *x)
{
    memcpy(x->c->to, x->to, x->c->places * sizeof *x->to);
}

/* The candidates that are accepted in turn, as far as is known. */
static void chain_up(naming *x)
{
    x->chain_len = 0;
    memset(x->accepted, 0, x->todo.len);
    for (size_t i = 0; i < x->todo.len; i++) {
        const kn_candidate *y = &x->todo.list[i];
        if (!y->refused && x->why[i].size == 0 &&
            kn__cut_occurrences(x->c, y->above, y->node) > 0 && !is_refused(x, i)) {
            x->accepted[i] = 1;
            x->chain[x->chain_len++] = (uint32_t)i;
            put(x, i);
        }
    }
    go_back(x);
}

/* Ask what is rare when all of the chain have their names. */
static kn_status ask_about_chain(naming *x, kn_rare_names *found, kn_error *err)
{
    kn_status status;

    memset(x->last, 0, x->c->nodes * sizeof *x->last);
    for (size_t i = 0; i < x->chain_len; i++) {
        const kn_candidate *y = &x->todo.list[x->chain[i]];
        put(x, x->chain[i]);
        x->last[y->node] = i + 1;
        x->last[y->above] = i + 1;
    }
    status = kn__counted_ask(x->c, is_name, NULL, x->c->m, found, err);
    go_back(x);
    return status;
}

/* Whether a name of the combination may grow when candidate `i` has no name of its own. */
static bool may_grow(const naming *x, const uint32_t *node, size_t size, size_t i)
{
    const kn_cut *c = x->c;
    const uint32_t of = x->todo.list[i].node;

    for (size_t j = 0; j < size; j++) {
        if (c->low[node[j]] <= c->low[of] && c->high[of] <= c->high[node[j]]) {
            return true;
        }
    }
    return false;
}

/* The rare combination whose names had their extents first, of those that may not have grown since
 * candidates were refused, `gone` of them; SIZE_MAX: none. `*when`: the last of the chain that it
 * takes. */
static size_t find_first(const naming *x, const kn_rare_names *found, const size_t *gone,
                         size_t gone_len, size_t *when)
{
    size_t first = SIZE_MAX, size;

    for (size_t i = 0; i < found->count; i++) {
        const uint32_t *node = kn__rare_names_at(found, i, &size);
        size_t last = 0;
        for (size_t j = 0; j < size; j++) {
            last = x->last[node[j]] > last ? x->last[node[j]] : last;
        }
        for (size_t j = 0; j < gone_len && last != SIZE_MAX; j++) {
            last = may_grow(x, node, size, gone[j]) ? SIZE_MAX : last;
        }
        if (last != SIZE_MAX && (first == SIZE_MAX || last < *when)) {
            first = i;
            *when = last;
        }
    }
    return first;
}

/* Refuse the candidates that combinations are rare for; those after one of them that were refused
 * before for names that may have grown now come back. */
static kn_status refuse_some(naming *x, const kn_rare_names *found, kn_error *err)
{
    size_t *gone = kn__malloc_array(x->chain_len, sizeof *gone);
    size_t gone_len = 0, when = 0, at;
    kn_status status = gone ? KN_OK : kn__nomem(err);

    while (status == KN_OK && (at = find_first(x, found, gone, gone_len, &when)) != SIZE_MAX) {
        if (when == 0) {
            status = kn__fail(err, KN_EINPUT, "the records that are counted elsewhere changed");
            break;
        }
        kn_witness *why = &x->why[x->chain[when - 1]];
        const uint32_t *node = kn__rare_names_at(found, at, &why->size);
        memcpy(why->node, node, why->size * sizeof *node);
        gone[gone_len++] = x->chain[when - 1];
    }
    for (size_t i = 0; i < gone_len; i++) {
        for (size_t j = gone[i] + 1; j < x->todo.len; j++) {
            if (x->why[j].size && may_grow(x, x->why[j].node, x->why[j].size, gone[i])) {
                x->why[j].size = 0;
            }
        }
    }
    kn__free(gone);
    return status;
}

/* Give all of the chain their names, which go to names[0..*len). A candidate without an item left
 * may be tried again, below another name. */
static void decide(naming *x, uint32_t *names, size_t *len)
{
    for (size_t i = 0; i < x->todo.len; i++) {
        const kn_candidate *y = &x->todo.list[i];
        const double moved = kn__cut_occurrences(x->c, y->above, y->node);
        x->todo.seen[y->node] = y->refused || moved > 0;
        if (x->accepted[i]) {
            kn__cut_name(x->c, y->above, y->node, moved);
            names[(*len)++] = y->node;
        }
    }
}

/* One round: `names` may be split in part; replaced by the new names. */
static kn_status split_names(naming *x, uint32_t *names, size_t *len, const kn_run *run,
                             kn_error *err)
{
    kn_rare_names found = {0};
    kn_status status;

    KN_TRY(kn__candidates_list(&x->todo, x->c, names, *len, run, err));
    *len = 0;
    if (x->todo.len == 0) {
        goto done;
    }
    memcpy(x->to, x->c->to, x->c->places * sizeof *x->to);
    memset(x->why, 0, x->todo.len * sizeof *x->why);
    KN_TRY(ask_about_all(x, err));
    for (chain_up(x); x->chain_len > 0; chain_up(x)) {
        KN_TRY(kn__run_step(run, "names", -1, err));
        kn__rare_names_clear(&found);
        KN_TRY(ask_about_chain(x, &found, err));
        if (found.count == 0) {
            break;
        }
        KN_TRY(refuse_some(x, &found, err));
    }
    decide(x, names, len);
done:
    kn__rare_names_clear(&found);
    return status;
}

/* ---- all of it ---- */

static kn_status prepare(naming *x, kn_error *err)
{
    const size_t nodes = x->c->nodes;

    KN_PASS(kn__candidates_new(&x->todo, x->c, err));
    x->was = kn__arena_take(&x->arena, nodes, 1);
    x->rank = kn__arena_take(&x->arena, nodes, sizeof *x->rank);
    x->accepted = kn__arena_take(&x->arena, nodes, 1);
    x->why = kn__arena_take(&x->arena, nodes, sizeof *x->why);
    x->chain = kn__arena_take(&x->arena, nodes, sizeof *x->chain);
    x->to = kn__arena_take(&x->arena, x->c->places, sizeof *x->to);
    x->last = kn__arena_take(&x->arena, nodes, sizeof *x->last);
    x->begin = kn__arena_take(&x->arena, nodes + 2, sizeof *x->begin);
    return kn__arena_check(&x->arena, err);
}

static void clear(naming *x)
{
    kn__candidates_clear(&x->todo);
    kn__rare_names_clear(&x->rare);
    kn__arena_clear(&x->arena);
    kn__free(x->list);
}

kn_status kn__counted_split_partly(kn_cut *c, const kn_run *run, kn_error *err)
{
    naming x = {.c = c};
    uint32_t *names = kn__malloc_array(c->nodes, sizeof *names);
    size_t len = 0;
    kn_status status;

    KN_TRY(names ? prepare(&x, err) : kn__nomem(err));
    for (uint32_t node = 0; node < c->nodes; node++) {
        if (c->in[node]) {
            names[len++] = node;
        }
    }
    while (len > 0) {
        KN_TRY(split_names(&x, names, &len, run, err));
    }
done:
    c->partial = true;
    kn__free(names);
    clear(&x);
    return status;
}
