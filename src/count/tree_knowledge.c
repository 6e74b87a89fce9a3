/* tree_knowledge.c - the walk over what an attacker may know about tree records.
 *
 * A state is a list of parts, then values without a relation, with the set of records that match
 * all of it. To avoid repeats, parts come with falling numbers of relations, parts of equal size in
 * the order of their first relations, and values in the order that the caller gives. A record of
 * the intersection of the sets matches a part of several relations only if the part can be
 * embedded in its tree: `embeds` tries it. */
#include "count/tree_knowledge.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <assert.h>
#include <string.h>

/* A node of a part. */
typedef struct part_node {
    uint32_t label;
    uint16_t parent; /* within all nodes of the walk; the root's is itself */
} part_node;

enum {
    MOST_NODES = 2 * KN_TREE_MOST_N,
    STEP = 1 << 10, /* intersections between two looks at whether the caller cancelled */
};

struct kn_knowledge_walk {
    const kn_knowledge *of;
    kn_known_fn found;
    void *user;
    uint32_t labels_len, relations_len; /* in use */
    uint32_t label[KN_TREE_MOST_M];     /* distinct */
    part_node node[MOST_NODES];
    uint32_t nodes;
    uint32_t begin; /* where the last part begins */
    uint32_t parts;
    uint32_t most;          /* relations that the last part may have: those of the part before it */
    uint32_t start, before; /* first relation of the last part, and of the one before it */
    uint32_t *matching;     /* room for k records */
    uint32_t visits;
    kn_known known;
};

kn_status kn__knowledge_walk_new(kn_knowledge_walk **out, const kn_knowledge *of, kn_error *err)
{
    kn_knowledge_walk *w = kn__zalloc(sizeof *w);

    *out = NULL;
    if (w) {
        w->of = of;
        w->matching = kn__malloc_array(of->k, sizeof *w->matching);
    }
    if (!w || !w->matching) {
        kn__knowledge_walk_free(w);
        return kn__nomem(err);
    }
    *out = w;
    return KN_OK;
}

void kn__knowledge_walk_free(kn_knowledge_walk *w)
{
    if (w) {
        kn__free(w->matching);
        kn__free(w);
    }
}

static uint32_t most_values(const kn_knowledge_walk *w)
{
    return w->of->budget.part[0];
}

static uint32_t most_relations(const kn_knowledge_walk *w)
{
    return w->of->budget.part[1];
}

static bool knows(const kn_knowledge_walk *w, uint32_t label)
{
    for (uint32_t i = 0; i < w->labels_len; i++) {
        if (w->label[i] == label) {
            return true;
        }
    }
    return false;
}

/* Whether the caller asks about what is known. */
static bool is_asked(const kn_knowledge_walk *w)
{
    const uint8_t *ask = w->of->ask;

    for (uint32_t i = 0; ask && i < w->labels_len; i++) {
        if (ask[w->label[i]] & KN_ASK_LABEL) {
            return true;
        }
    }
    for (uint32_t i = 0; ask && i < w->nodes; i++) {
        uint32_t children = 0;
        for (uint32_t j = i + 1; (ask[w->node[i].label] & KN_ASK_FORK) && j < w->nodes; j++) {
            children += w->node[j].parent == i;
        }
        if (children > 1) {
            return true;
        }
    }
    return !ask;
}

/* ---- embeddings ---- */

/* Part nodes begin..end of `node`, and a record. */
typedef struct embedding {
    const kn_synopsis *s;
    const part_node *node;
    uint32_t begin, end;
    const uint32_t *held;
    size_t held_len;
} embedding;

/* Whether part node `i` can be node `at` of the record, with all that is below it. */
static bool fits(const embedding *e, uint32_t i, uint32_t at)
{
    for (uint32_t j = i + 1; j < e->end; j++) {
        bool some = false;
        if (e->node[j].parent != i) {
            continue;
        }
        for (size_t h = 0; h < e->held_len && !some; h++) {
            const uint32_t below = e->s->now[e->held[h]];
            some = e->s->label[below] == e->node[j].label && below != at &&
                   kn__synopsis_is_above(e->s, at, below) && fits(e, j, below);
        }
        if (!some) {
            return false;
        }
    }
    return true;
}

static bool embeds(void *user, uint32_t record)
{
    embedding *e = user;

    e->held = e->s->held + e->s->starts[record];
    e->held_len = (size_t)(e->s->starts[record + 1] - e->s->starts[record]);
    for (size_t h = 0; h < e->held_len; h++) {
        const uint32_t at = e->s->now[e->held[h]];
        if (e->s->label[at] == e->node[e->begin].label && fits(e, e->begin, at)) {
            return true;
        }
    }
    return false;
}

/* ---- the walk ---- */

static kn_status report(kn_knowledge_walk *w, size_t support, const uint32_t *records,
                        kn_error *err)
{
    kn_known *k = &w->known;
    uint16_t part = 0;

    k->values = w->labels_len;
    memcpy(k->value, w->label, w->labels_len * sizeof *k->value);
    k->relations = 0;
    for (uint32_t i = 0; i < w->nodes; i++) {
        if (w->node[i].parent == i) {
            part++;
        } else {
            k->part[k->relations] = (uint16_t)(part - 1);
            k->relation[k->relations++] = (kn_relation){w->node[w->node[i].parent].label,
                                                        w->node[i].label};
        }
    }
    k->support = support;
    k->records = records;
    k->named = support < w->of->k ? support : w->of->k;
    return w->found(w->user, k, err);
}

static kn_status walk_values(kn_knowledge_walk *w, const kn_record_set *matched, size_t from,
                             kn_error *err);
static kn_status walk_parts(kn_knowledge_walk *w, const kn_record_set *matched, kn_error *err);

kn_status kn__knowledge_ask(uint8_t *ask, const kn_synopsis *s, const bool *changed, kn_error *err)
{
    uint8_t *below = kn__zalloc_array(s->nodes, 1);

    if (!below) {
        return kn__nomem(err);
    }
    for (uint32_t l = 0; l < s->labels; l++) {
        ask[l] = changed[l] ? KN_ASK_LABEL : 0;
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        const uint32_t up = s->parent[i];
        below[i] = below[up] || (up && changed[s->label[up]]);
        ask[s->label[i]] |= below[i] ? KN_ASK_FORK : 0;
    }
    kn__free(below);
    return KN_OK;
}

bool kn__knowledge_is_diverse(const kn_knowledge *of, const kn_record_set *set)
{
    for (size_t i = 0; of->l > 1 && i < of->sensitive_len; i++) {
        const size_t held = kn__record_set_common(set, &of->sensitive[i], of->words, set->len, NULL,
                                                  NULL, NULL);
        if ((double)held * of->l > (double)set->len) {
            return false;
        }
    }
    return true;
}

/* Report what these records match, of which at most k are named. */
static kn_status report_set(kn_knowledge_walk *w, const kn_record_set *set, kn_error *err)
{
    kn_status status;

    (void)kn__record_set_first(set, w->of->words, w->of->k, w->matching);
    w->known.set = set;
    status = report(w, set->len, w->matching, err);
    w->known.set = NULL;
    return status;
}

/* Go on from a state that `set` records match. */
static kn_status go_on(kn_knowledge_walk *w, const kn_record_set *set, bool parts, size_t from,
                       kn_error *err)
{
    if (set->len == 0) {
        return KN_OK;
    }
    if (is_asked(w) && (set->len < w->of->k || !kn__knowledge_is_diverse(w->of, set))) {
        return report_set(w, set, err);
    }
    return parts ? walk_parts(w, set, err) : walk_values(w, set, from, err);
}

/* The state was extended by something that the records of `by` hold; `filter` asks for more. Go on
 * from it, with parts or with values from number `from` of the order only. */
static kn_status visit(kn_knowledge_walk *w, const kn_record_set *matched, const kn_record_set *by,
                       embedding *filter, bool parts, size_t from, kn_error *err)
{
    const kn_knowledge *of = w->of;
    const bool last = w->labels_len == most_values(w) &&
                      (!parts || w->relations_len == most_relations(w));
    const kn_record_filter test = filter ? embeds : NULL;
    kn_record_set both = {0};
    kn_status status;

    if (last && !is_asked(w)) {
        return KN_OK;
    }
    if (w->visits++ % STEP == 0) {
        status = kn__run_step(of->run, "count", -1, err);
        if (status != KN_OK) {
            return status;
        }
    }
    if (!matched) {
        return go_on(w, by, parts, from, err);
    }
    if (last && !(of->l > 1)) {
        const size_t support = kn__record_set_common(matched, by, of->words, of->k, NULL, test,
                                                     filter);
        if (support == 0 || support >= of->k) {
            return KN_OK;
        }
        (void)kn__record_set_common(matched, by, of->words, of->k, w->matching, test, filter);
        return report(w, support, w->matching, err);
    }
    status = kn__record_set_intersect(&both, matched, by, of->words, test, filter, err);
    if (status == KN_OK) {
        status = go_on(w, &both, parts, from, err);
    }
    kn__record_set_clear(&both);
    return status;
}

static kn_status walk_values(kn_knowledge_walk *w, const kn_record_set *matched, size_t from,
                             kn_error *err)
{
    const kn_knowledge *of = w->of;
    kn_status status = KN_OK;

    for (size_t i = from; status == KN_OK && w->labels_len < most_values(w) && i < of->order_len;
         i++) {
        const uint32_t label = of->order[i];
        if (of->value[label].len < of->k || knows(w, label)) {
            continue;
        }
        w->label[w->labels_len++] = label;
        status = visit(w, matched, &of->value[label], NULL, false, i + 1, err);
        w->labels_len--;
    }
    return status;
}

/* Whether a part with the leaf `label` below node `at` is reached by adding this leaf last: no
 * other leaf has a greater label. */
static bool is_last_leaf(const kn_knowledge_walk *w, uint32_t at, uint32_t label)
{
    for (uint32_t i = w->begin + 1; i < w->nodes; i++) {
        bool leaf = i != at;
        for (uint32_t j = i + 1; leaf && j < w->nodes; j++) {
            leaf = w->node[j].parent != i;
        }
        if (leaf && w->node[i].label > label) {
            return false;
        }
    }
    return true;
}

static bool part_has(const kn_knowledge_walk *w, uint32_t label)
{
    for (uint32_t i = w->begin; i < w->nodes; i++) {
        if (w->node[i].label == label) {
            return true;
        }
    }
    return false;
}

static void add_node(kn_knowledge_walk *w, uint32_t label, uint32_t parent)
{
    w->node[w->nodes++] = (part_node){label, (uint16_t)parent};
    if (!knows(w, label)) {
        w->label[w->labels_len++] = label;
    }
}

/* Grow the last part by a leaf. */
static kn_status grow(kn_knowledge_walk *w, const kn_record_set *matched, kn_error *err)
{
    const kn_relations *r = w->of->relations;
    const uint32_t labels = w->labels_len, nodes = w->nodes;
    const uint32_t size = nodes - w->begin; /* relations of the part with one leaf more */
    kn_status status = KN_OK;

    if (size > w->most || (size == w->most && w->parts > 1 && w->start < w->before)) {
        return KN_OK;
    }
    for (uint32_t at = w->begin; at < nodes; at++) {
        const uint32_t above = w->node[at].label;
        for (uint32_t i = r->out_begin[above]; status == KN_OK && i < r->out_begin[above + 1];
             i++) {
            const uint32_t label = r->relation[i].below;
            if (r->holds[i].len < w->of->k || part_has(w, label) || !is_last_leaf(w, at, label) ||
                (!knows(w, label) && labels == most_values(w))) {
                continue;
            }
            add_node(w, label, at);
            w->relations_len++;
            embedding e = {
                .s = w->of->synopsis, .node = w->node, .begin = w->begin, .end = w->nodes};
            status = visit(w, matched, &r->holds[i], &e, true, 0, err);
            w->relations_len--;
            w->nodes = nodes;
            w->labels_len = labels;
        }
    }
    return status;
}

/* Begin a new part with relation `i`. */
static kn_status begin_part(kn_knowledge_walk *w, const kn_record_set *matched, uint32_t i,
                            kn_error *err)
{
    const kn_relation relation = w->of->relations->relation[i];
    const uint32_t labels = w->labels_len, nodes = w->nodes, begin = w->begin, most = w->most;
    const uint32_t start = w->start, before = w->before;
    const uint32_t more = (uint32_t)!knows(w, relation.above) + !knows(w, relation.below);
    kn_status status;

    if (w->of->relations->holds[i].len < w->of->k || labels + more > most_values(w) ||
        (w->parts && nodes - begin == 2 && i <= start)) {
        return KN_OK;
    }
    w->most = w->parts ? nodes - begin - 1 : most_relations(w);
    w->before = start;
    w->start = i;
    w->begin = nodes;
    w->parts++;
    w->relations_len++;
    add_node(w, relation.above, nodes);
    add_node(w, relation.below, nodes);
    status = visit(w, matched, &w->of->relations->holds[i], NULL, true, 0, err);
    w->relations_len--;
    w->parts--;
    w->nodes = nodes;
    w->labels_len = labels;
    w->begin = begin;
    w->most = most;
    w->start = start;
    w->before = before;
    return status;
}

/* All relations that the values left in the budget allow. */
static kn_status begin_parts(kn_knowledge_walk *w, const kn_record_set *matched, kn_error *err)
{
    const kn_relations *r = w->of->relations;
    const uint32_t known = w->labels_len;
    kn_status status = KN_OK;

    if (known + 2 <= most_values(w)) {
        for (uint32_t i = 0; status == KN_OK && i < r->count; i++) {
            status = begin_part(w, matched, i, err);
        }
        return status;
    }
    for (uint32_t l = 0; l < known; l++) { /* an end of it is known */
        const uint32_t label = w->label[l];
        for (uint32_t i = r->out_begin[label]; status == KN_OK && i < r->out_begin[label + 1];
             i++) {
            status = begin_part(w, matched, i, err);
        }
        for (uint32_t j = r->in_begin[label]; status == KN_OK && j < r->in_begin[label + 1]; j++) {
            if (!knows(w, r->relation[r->in[j]].above)) { /* else it was begun from there */
                status = begin_part(w, matched, r->in[j], err);
            }
        }
    }
    return status;
}

static kn_status walk_parts(kn_knowledge_walk *w, const kn_record_set *matched, kn_error *err)
{
    kn_status status = KN_OK;

    if (w->relations_len < most_relations(w)) {
        KN_TRY(grow(w, matched, err));
        KN_TRY(begin_parts(w, matched, err));
    }
    KN_TRY(walk_values(w, matched, 0, err));
done:
    return status;
}

kn_status kn__knowledge_values(kn_knowledge_walk *w, size_t first, kn_known_fn found, void *user,
                               kn_error *err)
{
    const uint32_t label = w->of->order[first];
    const kn_record_set *set = &w->of->value[label];
    kn_status status;

    w->found = found;
    w->user = user;
    w->label[0] = label;
    w->labels_len = 1;
    status = visit(w, NULL, set, NULL, false, first + 1, err);
    w->labels_len = 0;
    return status;
}

kn_status kn__knowledge_relations(kn_knowledge_walk *w, uint32_t first, kn_known_fn found,
                                  void *user, kn_error *err)
{
    const kn_relation relation = w->of->relations->relation[first];
    const kn_record_set *set = &w->of->relations->holds[first];
    kn_status status;

    w->found = found;
    w->user = user;
    if (most_relations(w) == 0 || most_values(w) < 2) {
        return KN_OK;
    }
    if (set->len >= w->of->k) {
        return begin_part(w, NULL, first, err);
    }
    if (w->of->value[relation.above].len < w->of->k ||
        w->of->value[relation.below].len < w->of->k) {
        return KN_OK; /* the value was reported */
    }
    add_node(w, relation.above, 0);
    add_node(w, relation.below, 0);
    status = set->len && is_asked(w) ? report_set(w, set, err) : KN_OK;
    w->nodes = w->labels_len = 0;
    return status;
}

size_t kn__knowledge_support(const kn_knowledge *of, const kn_known *known, size_t most)
{
    const kn_synopsis *s = of->synopsis;
    size_t count = 0;

    for (size_t r = 0; r < s->records && count < most; r++) {
        bool matches = true;
        for (uint32_t v = 0; matches && v < known->values; v++) {
            matches = kn__record_set_has(&of->value[known->value[v]], (uint32_t)r);
        }
        for (uint32_t i = 0, end; matches && i < known->relations; i = end) {
            part_node node[MOST_NODES];
            uint32_t nodes = 0;
            node[nodes++] = (part_node){known->relation[i].above, 0};
            for (end = i; end < known->relations && known->part[end] == known->part[i]; end++) {
                uint32_t up = 0;
                while (node[up].label != known->relation[end].above) {
                    up++;
                    assert(up < nodes); /* what is above is in its part before */
                }
                node[nodes++] = (part_node){known->relation[end].below, (uint16_t)up};
            }
            embedding e = {.s = s, .node = node, .end = nodes};
            matches = embeds(&e, (uint32_t)r);
        }
        count += matches;
    }
    return count;
}
