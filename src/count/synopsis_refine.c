/* synopsis_refine.c - the synopsis tree of a cut from that of the cut above it. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/synopsis_inside.h"

#include <string.h>

enum {
    STEP = 1 << 16,       /* records between two looks at whether the caller cancelled */
    MOST_FOUND = 1 << 24, /* entries of refinement.found */
};

/* How one cut becomes another. A path has a changed label at most once where all changed values are
 * of one class; what comes for it is then said by the path and by which of the new labels it gets.
 */
typedef struct refinement {
    const kn_synopsis *s;
    const kn_forest *f;
    const uint32_t *to;
    uint32_t *choice; /* by code: the number of its new label, + 1; 0: it has not changed */
    uint32_t *label;  /* by that number */
    uint32_t choices;
    uint8_t *had;      /* by label: a changed value had it */
    uint32_t *gone;    /* by node of s: its number among those that are gone; 0: it stays */
    size_t gone_count; /* + 1 */
    uint32_t *found;   /* by number x choices + choice: the new node, or 0 */
    uint32_t *chosen;  /* by new node: the choice on its path */
    size_t chosen_cap;
    kn_path_trie t;
    kn_support_tally n;
} refinement;

static void refinement_clear(refinement *x)
{
    KN_FREE(x->choice, x->label, x->had, x->gone, x->found, x->chosen);
    kn__path_trie_clear(&x->t);
    kn__support_tally_clear(&x->n);
}

/* Say in *is whether the nodes of `s` can be kept: not where changed values are of several classes,
 * shared a label with others, or get one that others have. A class that comes in stands between
 * other labels of a path. */
static kn_status list_choices(refinement *x, const uint32_t *was, bool *is, kn_error *err)
{
    const kn_forest *f = x->f;
    uint32_t *number = kn__zalloc_array(x->s->labels, sizeof *number), first = UINT32_MAX;
    kn_status status;

    *is = true;
    x->choice = kn__zalloc_array(f->values, sizeof *x->choice);
    x->label = kn__malloc_array(f->values, sizeof *x->label);
    x->had = kn__zalloc_array(x->s->labels, 1);
    KN_TRY(number && x->choice && x->label && x->had ? KN_OK : kn__nomem(err));
    for (uint32_t c = 0; *is && c < f->values; c++) {
        const uint32_t to = x->to[c];
        if (to == was[c]) {
            continue;
        }
        first = first == UINT32_MAX ? c : first;
        *is = to != KN_NO_LABEL && was[c] != KN_NO_LABEL &&
              f->value_class[c] == f->value_class[first];
        if (*is) {
            if (!number[to]) {
                x->label[x->choices++] = to;
                number[to] = x->choices;
            }
            x->choice[c] = number[to];
            x->had[was[c]] = 1;
        }
    }
    for (uint32_t c = 0; *is && c < f->values; c++) {
        const uint32_t to = x->to[c];
        *is = x->choice[c] || to == KN_NO_LABEL || (!x->had[to] && !number[to]);
    }
done:
    kn__free(number);
    return status;
}

/* The nodes of `s`, of which those with a changed label are gone. */
static kn_status copy_nodes(refinement *x, kn_error *err)
{
    const kn_synopsis *s = x->s;
    const size_t nodes = s->nodes;
    kn_path_trie *t = &x->t;

    KN_PASS(kn__grow(&t->label, &t->label_cap, nodes, sizeof *t->label, err));
    KN_PASS(kn__grow(&t->parent, &t->parent_cap, nodes, sizeof *t->parent, err));
    KN_PASS(kn__grow(&t->depth, &t->depth_cap, nodes, sizeof *t->depth, err));
    KN_PASS(kn__support_tally_reserve(&x->n, nodes, err));
    memcpy(t->label, s->label, nodes * sizeof *t->label);
    memcpy(t->parent, s->parent, nodes * sizeof *t->parent);
    memcpy(t->depth, s->depth, nodes * sizeof *t->depth);
    memcpy(x->n.support, s->support, nodes * sizeof *x->n.support);
    t->nodes = nodes;
    x->gone = kn__zalloc_array(nodes, sizeof *x->gone);
    KN_PASS(x->gone ? KN_OK : kn__nomem(err));
    x->gone_count = 1;
    for (uint32_t i = 1; i < nodes; i++) {
        if (s->support[i] && (x->had[s->label[i]] || x->gone[s->parent[i]])) {
            x->gone[i] = (uint32_t)x->gone_count++;
            x->n.support[i] = 0;
        }
    }
    return KN_OK;
}

/* What comes for node `old` of s below the node `above`, with choice number `choice`. */
static kn_status find_new(refinement *x, uint32_t old, uint32_t above, uint32_t choice,
                          uint32_t label, uint32_t *out, kn_error *err)
{
    uint32_t *found = &x->found[(size_t)x->gone[old] * x->choices + choice];

    if (!*found) {
        kn_path_trie *t = &x->t;
        const size_t at = t->nodes, first = x->s->nodes;
        KN_PASS(kn__grow(&t->label, &t->label_cap, at + 1, sizeof *t->label, err));
        KN_PASS(kn__grow(&t->parent, &t->parent_cap, at + 1, sizeof *t->parent, err));
        KN_PASS(kn__grow(&t->depth, &t->depth_cap, at + 1, sizeof *t->depth, err));
        KN_PASS(kn__grow(&x->chosen, &x->chosen_cap, at - first + 1, sizeof *x->chosen, err));
        KN_PASS(kn__support_tally_reserve(&x->n, at + 1, err));
        t->label[at] = label;
        t->parent[at] = above;
        t->depth[at] = t->depth[above] + 1;
        x->chosen[at - first] = choice;
        t->nodes++;
        *found = (uint32_t)at;
    }
    *out = *found;
    return KN_OK;
}

/* A path without a changed label is held by the same records in both cuts. The other ones are gone,
 * and those that come for them are counted in the given records. */
static kn_status refine_rows(refinement *x, kn_synopsis *out, const uint32_t *records, size_t count,
                             const kn_run *run, kn_error *err)
{
    const kn_forest *f = x->f;
    const uint32_t first = x->s->nodes;
    uint64_t begin = 0;

    for (size_t j = 0; j < count; j++) {
        const size_t r = records[j];
        const uint32_t size = kn__forest_size(f, r);
        const uint32_t *value = f->value + f->starts[r], *parent = f->parent + f->starts[r];
        const uint32_t *old = x->s->held + f->starts[r];
        uint32_t *at = out->moved_held + begin;
        if (j % STEP == 0) {
            KN_PASS(kn__run_step(run, "anonymize", -1, err));
        }
        out->moved[r] = (uint32_t)j + 1;
        out->moved_starts[j] = begin;
        begin += size;
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t choice = x->choice[value[i]];
            const uint32_t above = parent[i] == KN_NO_PARENT ? 0 : at[parent[i]];
            if (above < first && !choice) {
                at[i] = old[i];
            } else if (x->to[value[i]] == KN_NO_LABEL) {
                at[i] = above;
            } else {
                KN_PASS(find_new(x, old[i], above, choice ? choice - 1 : x->chosen[above - first],
                                 x->to[value[i]], &at[i], err));
                kn__support_tally_count(&x->n, at[i], (uint32_t)r + 1);
            }
        }
    }
    return KN_OK;
}

kn_status kn__synopsis_refine(kn_synopsis **out, const kn_synopsis *s, const kn_forest *f,
                              const uint32_t *was, const uint32_t *to, const uint32_t *records,
                              size_t count, const kn_run *run, kn_error *err)
{
    kn_synopsis *made = kn__zalloc(sizeof *made);
    refinement x = {.s = s, .f = f, .to = to};
    uint64_t all = 0;
    bool is = false;
    kn_status status;

    *out = NULL;
    KN_TRY(made ? list_choices(&x, was, &is, err) : kn__nomem(err));
    KN_TRY(is ? copy_nodes(&x, err) : KN_OK);
    if (!is || x.gone_count * x.choices > MOST_FOUND) {
        status = kn__synopsis_new(out, f, to, s->labels, run, err);
        goto done;
    }
    for (size_t j = 0; j < count; j++) {
        all += kn__forest_size(f, records[j]);
    }
    made->records = s->records;
    made->words = s->words;
    made->labels = s->labels;
    made->starts = s->starts;
    made->held = s->held;
    made->moved = kn__zalloc_array(s->records, sizeof *made->moved);
    made->moved_starts = kn__malloc_array(count, sizeof *made->moved_starts);
    made->moved_held = kn__malloc_array((size_t)all, sizeof *made->moved_held);
    x.found = kn__zalloc_array(x.gone_count * x.choices, sizeof *x.found);
    KN_TRY(made->moved && made->moved_starts && made->moved_held && x.found ? KN_OK
                                                                            : kn__nomem(err));
    KN_TRY(refine_rows(&x, made, records, count, run, err));
    KN_TRY(kn__synopsis_finish(made, &x.t, &x.n, err));
    *out = made;
    made = NULL;
done:
    refinement_clear(&x);
    kn__synopsis_free(made);
    return status;
}
