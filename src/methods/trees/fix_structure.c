/* fix_structure.c - FixStructure (the tree paper, Algorithm 3): disassociate relations until no
 * knowledge with relations identifies fewer than k records.
 *
 * Passes to a fixed point. A pass walks all knowledge, notes what is too rare, chooses relations so
 * that each violation loses one of its relations, and disassociates them. Moving nodes lowers the
 * support of other relations and joins siblings, so the next pass looks again, but only at
 * knowledge whose support can have changed (kn__knowledge_ask). */
#include "base/error.h"
#include "base/memory.h"
#include "methods/trees/trees.h"

#include <stdlib.h>
#include <string.h>

/* The violations of a pass, and the numbers of their relations. */
typedef struct violations {
    kn_tree_violations of;
    const kn_relation_index *relations;
    uint32_t *number; /* by entry of of.relation */
    size_t number_cap;
    bool refuse;
} violations;

static kn_status note(void *user, const kn_known *known, kn_error *err)
{
    violations *v = user;

    return v->refuse ? KN_EINFEASIBLE : kn__tree_violations_add(&v->of, known, err);
}

/* The violations that `ask` asks about (NULL: all), and those of `above` that it does not ask about
 * (NULL: there are none). */
static kn_status find_violations(violations *v, const kn_synopsis *s, const kn_relation_index *r,
                                 const kn_tree_task *task, const uint32_t *order, size_t order_len,
                                 const uint8_t *ask, const kn_tree_violations *above, kn_error *err)
{
    const kn_knowledge of = {.k = task->k,
                             .budget = {{(uint16_t)task->m, (uint16_t)task->n}},
                             .value = r->value,
                             .labels = r->labels,
                             .words = s->words,
                             .order = order,
                             .order_len = order_len,
                             .relations = r,
                             .synopsis = s,
                             .l = task->diversity ? task->diversity->l : 0,
                             .sensitive = task->diversity ? task->diversity->set : NULL,
                             .sensitive_len = task->diversity ? task->diversity->count : 0,
                             .ask = ask,
                             .run = task->run};
    kn_knowledge_walk *w = NULL;
    kn_status status;

    v->relations = r;
    v->of.count = v->of.relations = 0;
    KN_TRY(above ? kn__tree_violations_carry(&v->of, above, ask, err) : KN_OK);
    KN_TRY(kn__knowledge_walk_new(&w, &of, err));
    for (uint32_t i = 0; i < r->count; i++) {
        KN_TRY(kn__knowledge_relations(w, i, note, v, err));
    }
    kn__tree_violations_sort(&v->of);
    KN_TRY(kn__grow(&v->number, &v->number_cap, v->of.relations, sizeof *v->number, err));
    for (size_t i = 0; i < v->of.relations; i++) {
        v->number[i] = kn__relation_index_find(r, v->of.relation[i]);
    }
done:
    kn__knowledge_walk_free(w);
    return status;
}

/* The relation of least support, of equals the first. */
static uint32_t least_of(const violations *v, const kn_tree_violation *x)
{
    uint32_t best = v->number[x->begin];

    for (uint32_t i = 1; i < x->relations; i++) {
        const uint32_t other = v->number[x->begin + i];
        const size_t a = v->relations->holds[other].len, b = v->relations->holds[best].len;
        best = a < b || (a == b && other < best) ? other : best;
    }
    return best;
}

static bool has_chosen(const violations *v, const kn_tree_violation *x, const size_t *chosen)
{
    for (uint32_t i = 0; i < x->relations; i++) {
        if (chosen[v->number[x->begin + i]]) {
            return true;
        }
    }
    return false;
}

/* One violation after the other. Those of one relation leave no choice and come first in the list.
 * chosen[r] is the number of the violation, + 1. */
static void choose_one_by_one(const violations *v, size_t *chosen)
{
    for (size_t i = 0; i < v->of.count; i++) {
        if (!has_chosen(v, &v->of.list[i], chosen)) {
            chosen[least_of(v, &v->of.list[i])] = i + 1;
        }
    }
}

/* A hitting set, greedily: the relation that is in the most violations for the records that lose
 * it. O(violations x relations chosen) at worst. */
static kn_status choose_together(const violations *v, size_t *chosen, kn_error *err)
{
    size_t *hits = kn__zalloc_array(v->relations->count, sizeof *hits);
    size_t *witness = kn__zalloc_array(v->relations->count, sizeof *witness);
    uint8_t *settled = kn__zalloc_array(v->of.count, 1);
    kn_status status = hits && witness && settled ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (size_t i = 0; i < v->of.count; i++) {
        if (v->of.list[i].relations == 1) {
            chosen[v->number[v->of.list[i].begin]] = i + 1;
        }
    }
    for (;;) {
        uint32_t best = UINT32_MAX;
        double best_score = 0;
        memset(hits, 0, v->relations->count * sizeof *hits);
        for (size_t i = 0; i < v->of.count; i++) {
            const kn_tree_violation *x = &v->of.list[i];
            settled[i] = settled[i] || has_chosen(v, x, chosen);
            for (uint32_t j = 0; !settled[i] && j < x->relations; j++) {
                hits[v->number[x->begin + j]]++;
                witness[v->number[x->begin + j]] = i + 1;
            }
        }
        for (uint32_t r = 0; r < v->relations->count; r++) {
            const double score = (double)hits[r] / (double)(v->relations->holds[r].len + 1);
            if (hits[r] && score > best_score) {
                best = r;
                best_score = score;
            }
        }
        if (best == UINT32_MAX) {
            break;
        }
        chosen[best] = witness[best];
    }
done:
    KN_FREE(hits, witness, settled);
    return status;
}

static void explain(kn_disassociation *d, const violations *v, uint32_t relation, size_t number)
{
    const kn_tree_violation *x = &v->of.list[number];

    *d = (kn_disassociation){.relation = v->relations->relation[relation],
                             .support = v->relations->holds[relation].len,
                             .matching = x->support,
                             .values = x->values,
                             .relations = x->relations};
    memcpy(d->value, x->value, x->values * sizeof *d->value);
    for (uint32_t i = 0; i < x->relations && i < KN_WHY_RELATIONS; i++) {
        d->known[i] = v->of.relation[x->begin + i];
    }
}

/* The records whose rows a pass has changed, increasing. */
typedef struct concerned {
    uint32_t *record;
    size_t count;
} concerned;

/* Disassociate what was chosen, the rarest relation first. */
typedef struct ranked {
    uint32_t relation;
    size_t support;
} ranked;

static int by_support(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->support != y->support) {
        return x->support < y->support ? -1 : 1;
    }
    return x->relation < y->relation ? -1 : x->relation > y->relation;
}

/* The records of `count` sets, whose numbers are given, increasing. */
static kn_status records_of(uint32_t **out, size_t *len, const kn_record_set *sets,
                            const uint32_t *numbers, size_t count, size_t words, kn_error *err)
{
    kn_record_union u = {0};
    kn_status status;

    KN_TRY(kn__record_union_init(&u, words, err));
    for (size_t i = 0; i < count; i++) {
        kn__record_union_add(&u, &sets[numbers[i]]);
    }
    KN_TRY(kn__record_union_list(&u, out, len, err));
done:
    kn__record_union_clear(&u);
    return status;
}

static kn_status disassociate(kn_synopsis *s, const violations *v, const size_t *chosen,
                              kn_tree_solution *out, concerned *who, kn_error *err)
{
    ranked *order = kn__malloc_array(v->relations->count, sizeof *order);
    kn_relation *relations = kn__malloc_array(v->relations->count, sizeof *relations);
    uint32_t *chosen_sets = kn__malloc_array(v->relations->count, sizeof *chosen_sets);
    kn_disassociation *longer;
    size_t count = 0;
    kn_status status = order && relations && chosen_sets ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (uint32_t r = 0; r < v->relations->count; r++) {
        if (chosen[r]) {
            chosen_sets[count] = r;
            order[count++] = (ranked){r, v->relations->holds[r].len};
        }
    }
    qsort(order, count, sizeof *order, by_support);
    longer = kn__realloc_array(out->cut, out->cuts + count, sizeof *longer);
    KN_TRY(longer ? KN_OK : kn__nomem(err));
    out->cut = longer;
    for (size_t i = 0; i < count; i++) {
        relations[i] = v->relations->relation[order[i].relation];
        explain(&longer[out->cuts + i], v, order[i].relation, chosen[order[i].relation] - 1);
    }
    out->cuts += count;
    kn__free(who->record);
    who->record = NULL;
    KN_TRY(records_of(&who->record, &who->count, v->relations->holds, chosen_sets, count, s->words,
                      err));
    KN_TRY(kn__synopsis_disassociate(s, relations, count, who->record, who->count, err));
done:
    kn__free(chosen_sets);
    kn__free(order);
    kn__free(relations);
    return status;
}

/* The labels that the synopsis tree has, in their order; how many they are. */
static size_t list_labels(const kn_synopsis *s, uint32_t *order)
{
    size_t len = 0;

    for (uint32_t l = 0; l < s->labels; l++) {
        if (s->side_begin[l] < s->side_begin[l + 1]) {
            order[len++] = l;
        }
    }
    return len;
}

/* Choose relations, disassociate them, and say what to ask about then: the nodes of the labels with
 * `moving` move. */
static kn_status pass(kn_tree_solution *out, kn_synopsis *s, const violations *v, bool together,
                      uint8_t *ask, bool *moving, concerned *who, kn_error *err)
{
    size_t *chosen = kn__zalloc_array(v->relations->count, sizeof *chosen);
    kn_status status = chosen ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    memset(moving, 0, s->labels * sizeof *moving);
    if (together) {
        KN_TRY(choose_together(v, chosen, err));
    } else {
        choose_one_by_one(v, chosen);
    }
    for (uint32_t i = 0; i < v->relations->count; i++) {
        const uint32_t below = v->relations->relation[i].below;
        moving[below] = moving[below] || chosen[i];
    }
    KN_TRY(kn__knowledge_ask(ask, s, moving, err)); /* before they move */
    KN_TRY(disassociate(s, v, chosen, out, who, err));
done:
    kn__free(chosen);
    return status;
}

/* The relations after the labels with `moving` have moved in the records of `who`, in `*r`; `now`
 * are those before. Only relations of these labels have changed: what was below a node that moves
 * is still below what was above that. */
static kn_status follow_moves(kn_relation_index **r, const kn_relation_index *now,
                              const kn_synopsis *s, const bool *moving, const concerned *who,
                              kn_error *err)
{
    kn_relation_index *next;

    KN_PASS(kn__relation_index_narrow(&next, now, s, moving, who->record, who->count, err));
    kn__relation_index_free(*r);
    *r = next;
    return KN_OK;
}

/* The relations of `s` before anything is disassociated. */
static kn_status first_relations(kn_relation_index **out, const kn_synopsis *s,
                                 const kn_cut_above *above, kn_error *err)
{
    return above && above->relations && s->moved
               ? kn__relation_index_derive(out, above->relations, s, above->fresh, above->records,
                                           above->count, err)
               : kn__relation_index_new(out, s, err);
}

kn_status kn__fix_structure(kn_tree_solution *out, kn_synopsis *s, const kn_tree_task *task,
                            kn_cut_search kind, const kn_cut_above *above, double limit,
                            kn_error *err)
{
    const bool exact = kind == KN_EXACT_CUTS;
    violations v = {.refuse = kind == KN_ONLY_CUTS};
    uint8_t *ask = kn__malloc_array(s->labels, 1);
    bool *moving = kn__malloc_array(s->labels, sizeof *moving);
    uint32_t *order = kn__malloc_array(s->labels, sizeof *order);
    const size_t len = order ? list_labels(s, order) : 0;
    kn_relation_index *r = NULL;
    concerned who = {0};
    kn_status status = ask && moving && order ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    if (above) {
        KN_TRY(kn__knowledge_ask(ask, s, above->fresh, err));
    }
    KN_TRY(kn__tree_cost(&out->cost, s, task->domain, exact, err));
    KN_TRY(task->n > 0 ? first_relations(&out->relations, s, above, err) : KN_OK);
    for (bool first = true; task->n > 0; first = false) {
        const kn_relation_index *now = first ? out->relations : r;
        KN_TRY(find_violations(&v, s, now, task, order, len, first && !above ? NULL : ask,
                               first && above ? above->violations : NULL, err));
        if (v.of.count == 0) {
            break;
        }
        KN_TRY(pass(out, s, &v, exact, ask, moving, &who, err));
        if (first) {
            out->violations = v.of;
            v.of = (kn_tree_violations){0};
        }
        KN_TRY(kn__tree_cost(&out->cost, s, task->domain, exact, err));
        out->dear = out->cost > limit;
        if (out->dear) {
            kn__relation_index_free(out->relations);
            out->relations = NULL;
            break;
        }
        KN_TRY(follow_moves(&r, now, s, moving, &who, err));
    }
done:
    kn__free(ask);
    kn__free(moving);
    kn__free(order);
    kn__free(who.record);
    kn__relation_index_free(r);
    kn__tree_violations_clear(&v.of);
    kn__free(v.number);
    return status;
}
