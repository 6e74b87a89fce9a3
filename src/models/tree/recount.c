/* recount.c - a second look at the spans of a tree, as slow and as plain as can be: no cells,
 * no boxes, no groups. Every combination of private values is sent down the tree, test by test, as
 * models/model.h defines it; of numbers the ends of the range, every threshold, and one number
 * between each two. Shared with the first count are the columns as they were bound, and nothing
 * else. */
#include "models/tree/recount.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "models/tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 1 << 20, MOST_COMBINATIONS = 1 << 14, LEAST_RECORDS = 16 };

typedef struct value {
    double number;
    uint32_t text; /* place in the domain */
    bool missing;
} value;

typedef struct choices {
    value *at;
    size_t count, cap;
} choices;

/* The places that a record can end at: nodes that answer; nodes + n, lost at node n and part of
 * what is stated there or above; 2 * nodes, lost without a word. */
typedef struct ends {
    uint64_t hash;
    uint32_t *node; /* ascending; then, of a public class, its value */
    size_t count;
    size_t record;
} ends;

typedef struct recounting {
    const kn_bound *b;
    const kn_tree *tree;
    choices *choices; /* by attribute; of public ones, and of those that no test asks for, empty */
    value *tuple;     /* by attribute */
    uint8_t *seen;    /* by place */
    ends *found;
    size_t records;
} recounting;

/* ---- where a tuple ends ---- */

/* 1 true, 0 false, -1 unknown. */
static int holds(const kn_test *t, const value *tuple)
{
    const value *v = &tuple[t->attribute];
    int yes = 0, no = 0, unknown = 0;
    bool in = false;

    switch (t->kind) {
    case KN_TEST_TRUE: return 1;
    case KN_TEST_FALSE: return 0;
    case KN_TEST_MISSING: return v->missing;
    case KN_TEST_NOT_MISSING: return !v->missing;
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR:
        for (size_t i = 0; i < t->parts_count; i++) {
            const int part = holds(&t->parts[i], tuple);
            yes += part == 1;
            no += part == 0;
            unknown += part < 0;
        }
        if (t->kind == KN_TEST_XOR) {
            return unknown ? -1 : yes % 2;
        }
        return t->kind == KN_TEST_AND ? (no ? 0 : unknown ? -1 : 1) : yes ? 1 : unknown ? -1 : 0;
    case KN_TEST_SURROGATE:
        for (size_t i = 0; i < t->parts_count; i++) {
            const int part = holds(&t->parts[i], tuple);
            if (part >= 0) {
                return part;
            }
        }
        return -1;
    default: break;
    }
    if (v->missing) {
        return -1;
    }
    switch (t->kind) {
    case KN_TEST_LESS: return v->number < t->number;
    case KN_TEST_LESS_EQUAL: return v->number <= t->number;
    case KN_TEST_GREATER: return v->number > t->number;
    case KN_TEST_GREATER_EQUAL: return v->number >= t->number;
    case KN_TEST_EQUAL: return v->number == t->number;
    case KN_TEST_NOT_EQUAL: return v->number != t->number;
    default:
        for (size_t i = 0; i < t->values_count; i++) {
            in = in || t->values[i] == v->text;
        }
        return in == (t->kind == KN_TEST_IN);
    }
}

static uint32_t lost_at(const kn_tree *t, uint32_t node)
{
    for (uint32_t up = node; up != KN_NO_CODE; up = t->node[up].parent) {
        const kn_tree_node *n = &t->node[up];
        if (n->answer != KN_NO_CODE || n->population || n->records >= 0 || n->share) {
            return (uint32_t)t->nodes + node;
        }
    }
    return 2 * (uint32_t)t->nodes;
}

static uint32_t answer_of(const kn_tree *t, uint32_t node)
{
    const kn_tree_node *n = &t->node[node];

    return n->children && n->answer == KN_NO_CODE && !n->population ? lost_at(t, node) : node;
}

static uint32_t end_of(const kn_tree *t, const value *tuple)
{
    uint32_t at = 0, next;

    if (holds(&t->node[0].test, tuple) != 1) {
        return 2 * (uint32_t)t->nodes;
    }
    while (t->node[at].children) {
        const uint32_t first = t->node[at].first, behind = first + t->node[at].children;
        bool stuck = false;
        for (next = first; next < behind; next++) {
            const int is = holds(&t->node[next].test, tuple);
            stuck = is < 0 && t->when_missing != KN_TREE_MISSING_NEXT;
            if (is == 1 || stuck) {
                break;
            }
        }
        if (stuck && t->when_missing == KN_TREE_MISSING_CHILD) {
            next = t->node[at].missing;
            if (next == KN_NO_CODE) {
                return lost_at(t, at);
            }
        } else if (stuck) {
            return t->when_missing == KN_TREE_MISSING_STAYS ? answer_of(t, at) : lost_at(t, at);
        } else if (next == behind) {
            return t->last_answer ? answer_of(t, at) : lost_at(t, at);
        }
        at = next;
    }
    return at;
}

/* ---- what private values are tried ---- */

static kn_status add_choice(choices *c, value v, kn_error *err)
{
    const kn_status st = kn__grow(&c->at, &c->cap, c->count + 1, sizeof *c->at, err);

    if (st == KN_OK) {
        c->at[c->count++] = v;
    }
    return st;
}

static bool asks_for(const kn_test *t, uint32_t attribute)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        if (asks_for(&t->parts[i], attribute)) {
            return true;
        }
    }
    return t->kind > KN_TEST_FALSE && t->kind < KN_TEST_AND && t->attribute == attribute;
}

static kn_status add_thresholds(choices *c, const kn_test *t, uint32_t attribute, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && i < t->parts_count; i++) {
        st = add_thresholds(c, &t->parts[i], attribute, err);
    }
    return st == KN_OK && t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL &&
                   t->attribute == attribute
               ? add_choice(c, (value){.number = t->number}, err)
               : st;
}

static int by_number(const void *x, const void *y)
{
    const value *a = x, *b = y;

    return (a->number > b->number) - (a->number < b->number);
}

/* The whole numbers next to each number of the list, instead of the numbers: each interval between
 * two thresholds that holds a whole number holds one that is next to a threshold or an end. */
static kn_status choose_wholes(choices *c, const kn_bound_attribute *a, kn_error *err)
{
    const size_t count = c->count;
    kn_status st = KN_OK;
    size_t kept = 0;

    for (size_t i = 0; st == KN_OK && i < count; i++) {
        const double from = floor(c->at[i].number) - 1;
        for (int step = 0; st == KN_OK && step < 4; step++) {
            st = add_choice(c, (value){.number = from + step}, err);
        }
    }
    if (st != KN_OK) {
        return st;
    }
    qsort(c->at + count, c->count - count, sizeof *c->at, by_number);
    for (size_t i = count; i < c->count; i++) {
        const double number = c->at[i].number;
        if (number >= a->low && number <= a->high &&
            (kept == 0 || c->at[kept - 1].number != number)) {
            c->at[kept++] = c->at[i];
        }
    }
    c->count = kept;
    return KN_OK;
}

static kn_status choose_numbers(recounting *r, uint32_t attribute, kn_error *err)
{
    const kn_bound_attribute *a = &r->b->attribute[attribute];
    choices *c = &r->choices[attribute];
    kn_status st = KN_OK;
    size_t count, kept = 0;

    if (a->low > a->high) {
        return KN_OK;
    }
    for (size_t i = 0; st == KN_OK && i < r->tree->nodes; i++) {
        st = add_thresholds(c, &r->tree->node[i].test, attribute, err);
    }
    if (st == KN_OK) {
        st = add_choice(c, (value){.number = a->low}, err);
    }
    if (st == KN_OK) {
        st = add_choice(c, (value){.number = a->high}, err);
    }
    if (st != KN_OK || a->integers) {
        return st == KN_OK ? choose_wholes(c, a, err) : st;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->at[i].number >= a->low && c->at[i].number <= a->high) {
            c->at[kept++] = c->at[i];
        }
    }
    c->count = kept;
    qsort(c->at, c->count, sizeof *c->at, by_number);
    count = c->count;
    for (size_t i = 0; st == KN_OK && i + 1 < count; i++) {
        st = add_choice(c, (value){.number = c->at[i].number / 2 + c->at[i + 1].number / 2}, err);
    }
    return st;
}

/* The choices for all private attributes; `*combinations` of them, 0: too many, or none of our
 * business.
 */
static kn_status choose(recounting *r, size_t *combinations, kn_error *err)
{
    const kn_model *m = r->b->model;
    kn_status st = KN_OK;

    *combinations = 1;
    for (uint32_t a = 0; st == KN_OK && *combinations && a < m->attributes; a++) {
        const kn_bound_attribute *bound = &r->b->attribute[a];
        bool asked = false;
        for (size_t i = 0; i < r->tree->nodes && !asked; i++) {
            asked = asks_for(&r->tree->node[i].test, a);
        }
        if (!bound->column || !bound->hidden || !asked) {
            continue;
        }
        if (a == r->tree->class_attribute) {
            *combinations = 0;
            continue;
        }
        for (uint32_t v = 0; st == KN_OK && m->attribute[a].values && v < bound->values; v++) {
            if (!bound->possible || bound->possible[v]) {
                st = add_choice(&r->choices[a], (value){.text = v}, err);
            }
        }
        if (st == KN_OK && !m->attribute[a].values) {
            st = choose_numbers(r, a, err);
        }
        if (st == KN_OK && bound->missing) {
            st = add_choice(&r->choices[a], (value){.missing = true}, err);
        }
        *combinations = r->choices[a].count > MOST_COMBINATIONS / *combinations
                            ? 0
                            : *combinations * r->choices[a].count;
    }
    return st;
}

/* ---- records ---- */

static value value_of(const recounting *r, uint32_t attribute, size_t record)
{
    const kn_bound_attribute *a = &r->b->attribute[attribute];
    uint32_t code;

    if (!a->column) {
        return (value){.missing = true};
    }
    code = kn__column_code(a->column, record);
    if (code == a->column->missing) {
        return (value){.missing = true};
    }
    return a->code ? (value){.text = a->code[code]} : (value){.number = a->column->numbers[code]};
}

static void try_all(recounting *r, uint32_t from)
{
    const size_t attributes = r->b->model->attributes;

    while (from < attributes && r->choices[from].count == 0) {
        from++;
    }
    if (from == attributes) {
        r->seen[end_of(r->tree, r->tuple)] = 1;
        return;
    }
    for (size_t i = 0; i < r->choices[from].count; i++) {
        r->tuple[from] = r->choices[from].at[i];
        try_all(r, from + 1);
    }
}

static kn_status count_record(recounting *r, size_t record, ends *out, uint32_t *own, kn_error *err)
{
    const uint32_t class_attribute = r->tree->class_attribute;
    const size_t no_answer = 2 * r->tree->nodes;
    size_t reached = 0;
    value is;

    for (uint32_t a = 0; a < r->b->model->attributes; a++) {
        r->tuple[a] = value_of(r, a, record);
    }
    *own = end_of(r->tree, r->tuple);
    is = r->tuple[class_attribute];
    memset(r->seen, 0, no_answer + 1);
    try_all(r, 0);
    for (size_t i = 0; i <= no_answer; i++) {
        reached += r->seen[i];
    }
    out->record = record;
    out->node = kn__malloc_array(reached + 1, sizeof *out->node);
    if (!out->node) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i <= no_answer; i++) {
        if (r->seen[i]) {
            out->node[out->count++] = (uint32_t)i;
        }
    }
    /* A public class is part of every place but the last. */
    if (!r->b->attribute[class_attribute].hidden && out->node[0] != no_answer) {
        out->node[out->count++] = is.missing ? KN_NO_CODE : is.text;
    }
    out->hash = kn__hash_bytes(out->node, out->count * sizeof *out->node);
    return KN_OK;
}

static int by_ends(const void *x, const void *y)
{
    const ends *a = x, *b = y;

    if (a->hash != b->hash) {
        return a->hash > b->hash ? 1 : -1;
    }
    if (a->count != b->count) {
        return a->count > b->count ? 1 : -1;
    }
    return memcmp(a->node, b->node, a->count * sizeof *a->node);
}

/* ---- the comparison ---- */

static kn_status disagree(kn_error *err, const char *what)
{
    return kn__fail(
        err, KN_EBROKEN,
        "what the tree tells was worked out twice, and the two disagree (%s). This is a "
        "defect of kanon; please report it",
        what);
}

static kn_status compare(recounting *r, const kn_spans *s, kn_error *err)
{
    uint8_t *taken = kn__zalloc(s->count + 1);
    kn_status st = taken ? KN_OK : kn__nomem(err);

    if (st == KN_OK) {
        qsort(r->found, r->records, sizeof *r->found, by_ends);
    }
    for (size_t i = 0; st == KN_OK && i < r->records; i++) {
        const uint32_t span = s->of[r->found[i].record];
        if (i > 0 && by_ends(&r->found[i - 1], &r->found[i]) == 0) {
            if (s->of[r->found[i - 1].record] != span) {
                st = disagree(err, "one span was taken for two");
            }
        } else if (taken[span]) {
            st = disagree(err, "two spans were taken for one");
        }
        taken[span] = 1;
    }
    kn__free(taken);
    return st;
}

static kn_status look(recounting *r, const kn_spans *s, size_t combinations, kn_error *err)
{
    const size_t all = r->b->ds->records, bins = kn__tree_bins(r->tree, s->classes_count);
    const size_t cost = combinations + r->tree->nodes / 64 + 1;
    size_t count = MOST_TRIES / cost < all ? MOST_TRIES / cost : all;
    kn_status st = KN_OK;

    if (count < LEAST_RECORDS && count < all) {
        return KN_OK;
    }
    r->found = kn__zalloc_array(count, sizeof *r->found);
    if (!r->found) {
        return kn__nomem(err);
    }
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        const size_t record = (size_t)((kn_u128)i * all / count);
        const uint32_t said = s->class_of[record];
        uint32_t own;
        st = count_record(r, record, &r->found[r->records++], &own, err);
        if (st == KN_OK &&
            (own == 2 * r->tree->nodes ? said != s->classes_count - 1 : said / bins != own)) {
            st = disagree(err, "a record ends elsewhere");
        }
    }
    return st == KN_OK ? compare(r, s, err) : st;
}

kn_status kn__tree_recount(const kn_bound *b, const kn_spans *spans, size_t *records, kn_error *err)
{
    const kn_model *m = b->model;
    recounting r = {.b = b, .tree = &m->tree};
    size_t combinations = 0;
    kn_status status;

    *records = 0;
    if (b->ds->records == 0) {
        return KN_OK;
    }
    r.choices = kn__zalloc_array(m->attributes, sizeof *r.choices);
    r.tuple = kn__zalloc_array(m->attributes, sizeof *r.tuple);
    r.seen = kn__zalloc(2 * m->tree.nodes + 1);
    KN_TRY(r.choices && r.tuple && r.seen ? choose(&r, &combinations, err) : kn__nomem(err));
    if (combinations) {
        KN_TRY(look(&r, spans, combinations, err));
    }
done:
    *records = r.records;
    for (size_t i = 0; r.found && i < r.records; i++) {
        kn__free(r.found[i].node);
    }
    for (size_t i = 0; r.choices && i < m->attributes; i++) {
        kn__free(r.choices[i].at);
    }
    kn__free(r.found);
    kn__free(r.choices);
    kn__free(r.tuple);
    kn__free(r.seen);
    return status;
}
