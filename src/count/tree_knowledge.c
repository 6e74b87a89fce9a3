/* tree_knowledge.c - the walk over what an attacker may know about tree records.
 *
 * A state is a list of parts, then values without a relation, with the set of records that match
 * all of it. To avoid repeats, parts come with falling numbers of relations, parts of equal size in
 * the order of their first relations, and values in the order that the caller gives. A record of
 * the intersection of the sets matches a part of several relations only if the part can be
 * embedded in its tree (tree_embedding.h). */
#include "count/tree_knowledge.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/tree_embedding.h"

#include <string.h>

enum {
    STEP = 1 << 10,      /* intersections between two looks at whether the caller cancelled */
    MOST_KEPT = 1 << 26, /* bytes of each table of what was found */
};

struct kn_knowledge_walk {
    const kn_knowledge *of;
    kn_known_fn found;
    void *user;
    uint32_t labels_len, relations_len; /* in use */
    uint32_t label[KN_TREE_MOST_M];     /* distinct */
    kn_part_node node[KN_MOST_PART_NODES];
    uint32_t nodes;
    uint32_t begin; /* where the last part begins */
    uint32_t parts;
    uint32_t most;          /* relations that the last part may have: those of the part before it */
    uint32_t start, before; /* first relation of the last part, and of the one before it */
    uint32_t *matching;     /* room for k records */
    uint32_t visits;
    size_t asked_end;  /* no label of the order from here on is asked about */
    bool enough;       /* what was visited last cannot be extended, and k records match it */
    uint64_t *implied; /* by relation: the state (its number) in which it need not be begun */
    uint64_t states;
    uint8_t *pair; /* by two labels: TOGETHER or APART, once it was asked; NULL: not kept */
    uint8_t *with; /* by relation and label: WITH and CHAIN; NULL: not kept */
    kn_known known;
};

enum {
    TOGETHER = 1, /* some record holds both */
    APART = 2,    /* no record does */
    WITH = 1,     /* k records match the relation and hold the label */
    CHAIN = 2,    /* in k records the label stands below the relation on one path */
};

kn_status kn__knowledge_walk_new(kn_knowledge_walk **out, const kn_knowledge *of, kn_error *err)
{
    kn_knowledge_walk *w = kn__zalloc(sizeof *w);
    const size_t relations = of->relations ? of->relations->count : 0, labels = of->labels;
    bool keep = false;

    *out = NULL;
    if (w) {
        w->of = of;
        for (size_t i = 0; of->ask && i < of->order_len; i++) {
            w->asked_end = of->ask[of->order[i]] & KN_ASK_LABEL ? i + 1 : w->asked_end;
        }
        w->matching = kn__malloc_array(of->k, sizeof *w->matching);
        w->implied = kn__zalloc_array(relations, sizeof *w->implied);
        keep = labels * labels <= MOST_KEPT && relations * labels <= MOST_KEPT;
        w->pair = keep ? kn__zalloc_array(labels * labels, 1) : NULL;
        w->with = keep ? kn__zalloc_array(relations * labels, 1) : NULL;
    }
    if (!w || !w->matching || !w->implied || (keep && (!w->pair || !w->with))) {
        kn__knowledge_walk_free(w);
        return kn__nomem(err);
    }
    *out = w;
    return KN_OK;
}

void kn__knowledge_walk_free(kn_knowledge_walk *w)
{
    if (w) {
        KN_FREE(w->matching, w->implied, w->pair, w->with, w);
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

/* ---- what was found before ---- */

static bool are_apart(kn_knowledge_walk *w, uint32_t a, uint32_t b)
{
    const kn_knowledge *of = w->of;
    uint8_t *at = &w->pair[a < b ? a * of->labels + b : b * of->labels + a];

    if (!*at) {
        *at = kn__record_set_common(&of->value[a], &of->value[b], of->words, 1, NULL, NULL, NULL)
                  ? TOGETHER
                  : APART;
    }
    return *at == APART;
}

/* Whether no record holds all labels, as the last ones, which are new, and another one exclude each
 * other. */
static bool is_excluded(kn_knowledge_walk *w)
{
    for (uint32_t i = w->labels_len; w->pair && i-- > 1 && i + 2 >= w->labels_len;) {
        for (uint32_t j = 0; j < i; j++) {
            if (are_apart(w, w->label[j], w->label[i])) {
                return true;
            }
        }
    }
    return false;
}

/* A relation of the walk by the number of its lower node, or UINT32_MAX for the root of a part. */
static uint32_t relation_of(const kn_knowledge_walk *w, uint32_t node)
{
    const uint32_t up = w->node[node].parent;

    return up == node
               ? UINT32_MAX
               : kn__relation_index_find(w->of->relations,
                                         (kn_relation){w->node[up].label, w->node[node].label});
}

/* k records match what is known, of three labels: keep what follows. */
static void keep_found(kn_knowledge_walk *w)
{
    const size_t labels = w->of->labels;

    if (!w->with || w->labels_len != 3) {
        return;
    }
    for (uint32_t i = 0; i < w->nodes; i++) {
        const uint32_t r = relation_of(w, i);
        for (uint32_t l = 0; r != UINT32_MAX && l < 3; l++) {
            w->with[r * labels + w->label[l]] |= WITH;
        }
    }
    if (w->nodes == 3 && w->node[1].parent == 0 && w->node[2].parent == 1) {
        w->with[relation_of(w, 1) * labels + w->node[2].label] |= CHAIN;
    }
}

/* Whether k records match what is known as they match something stronger that was found before: a
 * relation and a label, if nothing can be added; or a path of all labels, which holds whatever else
 * can be known of them. */
static bool was_found(const kn_knowledge_walk *w, bool last)
{
    uint32_t a = w->label[0], b = w->label[1], c = w->label[2], r, t;

    if (!w->with || w->labels_len != 3 || most_values(w) != 3 || w->relations_len == 0) {
        return false;
    }
    if (w->relations_len == 1) {
        const uint8_t *with = w->with + (size_t)w->start * w->of->labels;
        return last && (with[a] & with[b] & with[c] & WITH) != 0;
    }
    t = a < b ? a : b; /* labels of a path are in the order of their classes */
    b = a < b ? b : a;
    a = t;
    t = b < c ? b : c;
    c = b < c ? c : b;
    b = a < t ? t : a;
    a = a < t ? a : t;
    r = kn__relation_index_find(w->of->relations, (kn_relation){a, b});
    return r != UINT32_MAX && (w->with[(size_t)r * w->of->labels + c] & CHAIN);
}

/* Whether one part holds as many labels as can be known, and every relation of them that k records
 * hold: a record that matches it matches whatever else can be known of these labels. */
static bool is_complete(const kn_knowledge_walk *w)
{
    if (w->parts != 1 || w->labels_len != most_values(w)) {
        return false;
    }
    for (uint32_t i = 0; i < w->nodes; i++) {
        for (uint32_t j = 0; j < w->nodes; j++) {
            const kn_relation relation = {w->node[i].label, w->node[j].label};
            const uint32_t r = i == j ? UINT32_MAX
                                      : kn__relation_index_find(w->of->relations, relation);
            uint32_t up = j;
            while (up != i && w->node[up].parent != up) {
                up = w->node[up].parent;
            }
            if (up != i && r != UINT32_MAX && w->of->relations->holds[r].len >= w->of->k) {
                return false;
            }
        }
    }
    return true;
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
    if (set->len < w->of->k || !kn__knowledge_is_diverse(w->of, set)) {
        return is_asked(w) ? report_set(w, set, err) : KN_OK;
    }
    return parts ? walk_parts(w, set, err) : walk_values(w, set, from, err);
}

/* The state was extended by something that the records of `by` hold; `filter` asks for more. Go on
 * from it, with parts or with values from number `from` of the order only. */
static kn_status visit(kn_knowledge_walk *w, const kn_record_set *matched, const kn_record_set *by,
                       kn_embedding *filter, bool parts, size_t from, kn_error *err)
{
    const kn_knowledge *of = w->of;
    const bool last = w->labels_len == most_values(w) &&
                      (!parts || w->relations_len == most_relations(w) || is_complete(w));
    const kn_record_filter test = filter ? kn__part_embeds : NULL;
    kn_record_set both = {0};
    kn_status status;

    w->enough = false;
    if ((last && !is_asked(w)) || is_excluded(w) || (!(of->l > 1) && was_found(w, last))) {
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
            w->enough = support >= of->k;
            if (w->enough) {
                keep_found(w);
            }
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
    w->enough = false; /* which was about an extension */
    return status;
}

static kn_status walk_values(kn_knowledge_walk *w, const kn_record_set *matched, size_t from,
                             kn_error *err)
{
    const kn_knowledge *of = w->of;
    const size_t end = is_asked(w) ? of->order_len : w->asked_end; /* values after it add nothing */
    kn_status status = KN_OK;

    for (size_t i = from; status == KN_OK && w->labels_len < most_values(w) && i < end; i++) {
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
    w->node[w->nodes++] = (kn_part_node){label, (uint16_t)parent};
    if (!knows(w, label)) {
        w->label[w->labels_len++] = label;
    }
}

/* k records match the last part with leaf `label` below node `at`: then as many match the part with
 * a relation from `at`, or from what is above it, to this label anywhere. Where neither can be
 * extended, the second need not be counted. */
static void note_implied(kn_knowledge_walk *w, uint32_t at, uint32_t label, uint64_t state)
{
    for (uint32_t up = at;; up = w->node[up].parent) {
        const uint32_t i = kn__relation_index_find(w->of->relations,
                                                   (kn_relation){w->node[up].label, label});
        if (i != UINT32_MAX) {
            w->implied[i] = state;
        }
        if (w->node[up].parent == up) {
            return;
        }
    }
}

/* Whether the last part, which begins with the same relation as the part before it and is of the
 * same size, equals that part or comes before it in the order of labels: known in the other order.
 */
static bool is_out_of_order(const kn_knowledge_walk *w)
{
    const uint32_t size = w->nodes - w->begin;
    const kn_part_node *last = w->node + w->begin, *before = last - size;

    for (uint32_t i = 0; i < size; i++) {
        const uint32_t parent = before[i].parent + size;
        if (last[i].label != before[i].label) {
            return last[i].label < before[i].label;
        }
        if (last[i].parent != parent) {
            return last[i].parent < parent;
        }
    }
    return true;
}

/* Grow the last part by a leaf. */
static kn_status grow(kn_knowledge_walk *w, const kn_record_set *matched, uint64_t state,
                      kn_error *err)
{
    const kn_relation_index *r = w->of->relations;
    const uint32_t labels = w->labels_len, nodes = w->nodes;
    const uint32_t size = nodes - w->begin; /* relations of the part with one leaf more */
    kn_status status = KN_OK;

    if (size > w->most || (size == w->most && w->parts > 1 && w->start < w->before)) {
        return KN_OK;
    }
    for (uint32_t at = nodes; at-- > w->begin;) { /* paths first: they imply forks */
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
            w->enough = false;
            if (size < w->most || w->parts == 1 || w->start != w->before || !is_out_of_order(w)) {
                kn_embedding e = {
                    .s = w->of->synopsis, .node = w->node, .begin = w->begin, .end = w->nodes};
                status = visit(w, matched, &r->holds[i], &e, true, 0, err);
            }
            w->relations_len--;
            w->nodes = nodes;
            w->labels_len = labels;
            if (w->enough) {
                note_implied(w, at, label, state);
            }
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

/* All relations that the values left in the budget allow, but those that are implied. */
static kn_status begin_parts(kn_knowledge_walk *w, const kn_record_set *matched, uint64_t state,
                             kn_error *err)
{
    const kn_relation_index *r = w->of->relations;
    const uint32_t known = w->labels_len;
    kn_status status = KN_OK;

    if (known + 2 <= most_values(w)) {
        for (uint32_t i = 0; status == KN_OK && i < r->count; i++) {
            status = w->implied[i] == state ? KN_OK : begin_part(w, matched, i, err);
        }
        return status;
    }
    for (uint32_t l = 0; l < known; l++) { /* an end of it is known */
        const uint32_t label = w->label[l];
        for (uint32_t i = r->out_begin[label]; status == KN_OK && i < r->out_begin[label + 1];
             i++) {
            status = w->implied[i] == state ? KN_OK : begin_part(w, matched, i, err);
        }
        for (uint32_t j = r->in_begin[label]; status == KN_OK && j < r->in_begin[label + 1]; j++) {
            if (w->implied[r->in[j]] != state &&
                !knows(w, r->relation[r->in[j]].above)) { /* else it was begun from there */
                status = begin_part(w, matched, r->in[j], err);
            }
        }
    }
    return status;
}

static kn_status walk_parts(kn_knowledge_walk *w, const kn_record_set *matched, kn_error *err)
{
    const uint64_t state = ++w->states;

    if (w->relations_len < most_relations(w)) {
        KN_PASS(grow(w, matched, state, err));
        KN_PASS(begin_parts(w, matched, state, err));
    }
    return walk_values(w, matched, 0, err);
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
