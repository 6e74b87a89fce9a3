/* recount.c - the spans of a tree counted a second time, by exhaustive enumeration: no cells, no
 * regions, no groups. Every combination of private values is sent down the tree, test by test, as
 * models/model.h defines it. Of numbers it tries the reached_places of the range, every threshold,
 * and one number between each two. It shares the bound columns with the first count, and nothing
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

/* The places that the public values of a record allow, its span: a node that answers; nodes + n, it
 * ends at node n without an answer and is covered by a figure there or above; 2 * nodes, it ends
 * without an answer and no figure covers it. */
typedef struct reached_places {
    uint64_t hash;
    uint32_t *place; /* ascending; then, if the class is public, its value */
    size_t count;
    size_t record;
} reached_places;

typedef struct recounting {
    const kn_bound *b;
    const kn_tree *tree;
    choices *choices; /* by attribute; empty if it is public, or if no test asks for it */
    value *tuple;     /* by attribute */
    uint8_t *reached; /* by place */
    reached_places *found;
    size_t records;
} recounting;

/* ---- where a tuple ends ---- */

static int truth_of(const kn_test *t, const value *tuple);

/* AND, OR, XOR in three-valued logic. */
static int truth_of_compound(const kn_test *t, const value *tuple)
{
    size_t yes = 0, no = 0, unknown = 0;

    for (size_t i = 0; i < t->parts_count; i++) {
        const int part = truth_of(&t->parts[i], tuple);
        yes += part == 1;
        no += part == 0;
        unknown += part < 0;
    }
    if (t->kind == KN_TEST_AND && no) {
        return 0;
    }
    if (t->kind == KN_TEST_OR && yes) {
        return 1;
    }
    if (unknown) {
        return -1;
    }
    return t->kind == KN_TEST_XOR ? (int)(yes % 2) : t->kind == KN_TEST_AND;
}

/* 1 true, 0 false, -1 unknown. */
static int truth_of(const kn_test *t, const value *tuple)
{
    const value *v = &tuple[t->attribute];
    bool in = false;

    switch (t->kind) {
    case KN_TEST_TRUE: return 1;
    case KN_TEST_FALSE: return 0;
    case KN_TEST_MISSING: return v->missing;
    case KN_TEST_NOT_MISSING: return !v->missing;
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR: return truth_of_compound(t, tuple);
    case KN_TEST_SURROGATE:
        for (size_t i = 0; i < t->parts_count; i++) {
            const int part = truth_of(&t->parts[i], tuple);
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

static uint32_t unanswered_place(const kn_tree *t, uint32_t node)
{
    for (uint32_t up = node; up != KN_NO_CODE; up = t->node[up].parent) {
        const kn_tree_node *n = &t->node[up];
        if (n->answer != KN_NO_CODE || n->population || n->records >= 0 || n->share) {
            return (uint32_t)t->nodes + node;
        }
    }
    return 2 * (uint32_t)t->nodes;
}

static uint32_t answered_place(const kn_tree *t, uint32_t node)
{
    const kn_tree_node *n = &t->node[node];

    return n->children && n->answer == KN_NO_CODE && !n->population ? unanswered_place(t, node)
                                                                    : node;
}

static uint32_t place_of(const kn_tree *t, const value *tuple)
{
    uint32_t at = 0, next;

    if (truth_of(&t->node[0].test, tuple) != 1) {
        return 2 * (uint32_t)t->nodes;
    }
    while (t->node[at].children) {
        const uint32_t first = t->node[at].first, end = first + t->node[at].children;
        bool stops = false;
        for (next = first; next < end; next++) {
            const int is = truth_of(&t->node[next].test, tuple);
            stops = is < 0 && t->when_missing != KN_TREE_MISSING_NEXT;
            if (is == 1 || stops) {
                break;
            }
        }
        if (stops && t->when_missing == KN_TREE_MISSING_CHILD) {
            next = t->node[at].missing;
            if (next == KN_NO_CODE) {
                return unanswered_place(t, at);
            }
        } else if (stops) {
            return t->when_missing == KN_TREE_MISSING_STAYS ? answered_place(t, at)
                                                            : unanswered_place(t, at);
        } else if (next == end) {
            return t->last_answer ? answered_place(t, at) : unanswered_place(t, at);
        }
        at = next;
    }
    return at;
}

/* ---- the private values that are tried ---- */

static kn_status add_choice(choices *c, value v, kn_error *err)
{
    const kn_status status = kn__grow(&c->at, &c->cap, c->count + 1, sizeof *c->at, err);

    if (status == KN_OK) {
        c->at[c->count++] = v;
    }
    return status;
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
    for (size_t i = 0; i < t->parts_count; i++) {
        KN_PASS(add_thresholds(c, &t->parts[i], attribute, err));
    }
    if (t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL && t->attribute == attribute) {
        KN_PASS(add_choice(c, (value){.number = t->number}, err));
    }
    return KN_OK;
}

static int by_number(const void *x, const void *y)
{
    const value *a = x, *b = y;

    return (a->number > b->number) - (a->number < b->number);
}

/* Replace the numbers of the list by the integers next to each: every interval between two
 * thresholds that contains an integer contains one next to a threshold or to an end of the range.
 */
static kn_status choose_integers(choices *c, const kn_bound_attribute *a, kn_error *err)
{
    const size_t count = c->count;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const double from = floor(c->at[i].number) - 1;
        for (int step = 0; step < 4; step++) {
            KN_PASS(add_choice(c, (value){.number = from + step}, err));
        }
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

/* Keep the numbers of the domain's range, and add one between each two neighbours. */
static kn_status choose_reals(choices *c, const kn_bound_attribute *a, kn_error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (c->at[i].number >= a->low && c->at[i].number <= a->high) {
            c->at[kept++] = c->at[i];
        }
    }
    c->count = kept;
    qsort(c->at, c->count, sizeof *c->at, by_number);
    for (size_t i = 0; i + 1 < kept; i++) {
        KN_PASS(
            add_choice(c, (value){.number = c->at[i].number / 2 + c->at[i + 1].number / 2}, err));
    }
    return KN_OK;
}

static kn_status choose_numbers(recounting *r, uint32_t attribute, kn_error *err)
{
    const kn_bound_attribute *a = &r->b->attribute[attribute];
    choices *c = &r->choices[attribute];

    if (a->low > a->high) {
        return KN_OK;
    }
    for (size_t i = 0; i < r->tree->nodes; i++) {
        KN_PASS(add_thresholds(c, &r->tree->node[i].test, attribute, err));
    }
    KN_PASS(add_choice(c, (value){.number = a->low}, err));
    KN_PASS(add_choice(c, (value){.number = a->high}, err));
    return a->integers ? choose_integers(c, a, err) : choose_reals(c, a, err);
}

static bool is_asked_for(const kn_tree *t, uint32_t attribute)
{
    for (size_t i = 0; i < t->nodes; i++) {
        if (asks_for(&t->node[i].test, attribute)) {
            return true;
        }
    }
    return false;
}

static kn_status choose_values(recounting *r, uint32_t attribute, kn_error *err)
{
    const kn_bound_attribute *a = &r->b->attribute[attribute];

    if (!r->b->model->attribute[attribute].values) {
        KN_PASS(choose_numbers(r, attribute, err));
    } else {
        for (uint32_t v = 0; v < a->values; v++) {
            if (!a->possible || a->possible[v]) {
                KN_PASS(add_choice(&r->choices[attribute], (value){.text = v}, err));
            }
        }
    }
    if (a->missing) {
        KN_PASS(add_choice(&r->choices[attribute], (value){.missing = true}, err));
    }
    return KN_OK;
}

/* List the choices of all private attributes that tests ask for. `*combinations` is their product;
 * 0 if there are too many, or if a test asks for a private class: trees that ask for their own
 * class are not recounted. */
static kn_status list_choices(recounting *r, size_t *combinations, kn_error *err)
{
    *combinations = 1;
    for (uint32_t a = 0; *combinations && a < r->b->model->attributes; a++) {
        const kn_bound_attribute *bound = &r->b->attribute[a];
        if (!bound->column || !bound->hidden || !is_asked_for(r->tree, a)) {
            continue;
        }
        if (a == r->tree->class_attribute) {
            *combinations = 0;
            continue;
        }
        KN_PASS(choose_values(r, a, err));
        if (r->choices[a].count > MOST_COMBINATIONS / *combinations) {
            *combinations = 0;
        } else {
            *combinations *= r->choices[a].count;
        }
    }
    return KN_OK;
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

/* Send all combinations of the choices from attribute `from` on down the tree. */
static void try_all(recounting *r, uint32_t from)
{
    const size_t attributes = r->b->model->attributes;

    while (from < attributes && r->choices[from].count == 0) {
        from++;
    }
    if (from == attributes) {
        r->reached[place_of(r->tree, r->tuple)] = 1;
        return;
    }
    for (size_t i = 0; i < r->choices[from].count; i++) {
        r->tuple[from] = r->choices[from].at[i];
        try_all(r, from + 1);
    }
}

static kn_status count_record(recounting *r, size_t record, reached_places *out, uint32_t *place,
                              kn_error *err)
{
    const uint32_t class_attribute = r->tree->class_attribute;
    const size_t no_answer = 2 * r->tree->nodes;
    size_t reached = 0;
    value is;

    for (uint32_t a = 0; a < r->b->model->attributes; a++) {
        r->tuple[a] = value_of(r, a, record);
    }
    *place = place_of(r->tree, r->tuple);
    is = r->tuple[class_attribute];
    memset(r->reached, 0, no_answer + 1);
    try_all(r, 0);
    for (size_t i = 0; i <= no_answer; i++) {
        reached += r->reached[i];
    }
    out->record = record;
    out->place = kn__malloc_array(reached + 1, sizeof *out->place);
    KN_PASS(out->place ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i <= no_answer; i++) {
        if (r->reached[i]) {
            out->place[out->count++] = (uint32_t)i;
        }
    }
    /* A public class is part of every place but the last. */
    if (!r->b->attribute[class_attribute].hidden && out->place[0] != no_answer) {
        out->place[out->count++] = is.missing ? KN_NO_CODE : is.text;
    }
    out->hash = kn__hash_bytes(out->place, out->count * sizeof *out->place);
    return KN_OK;
}

static int by_places(const void *x, const void *y)
{
    const reached_places *a = x, *b = y;

    if (a->hash != b->hash) {
        return a->hash > b->hash ? 1 : -1;
    }
    if (a->count != b->count) {
        return a->count > b->count ? 1 : -1;
    }
    return memcmp(a->place, b->place, a->count * sizeof *a->place);
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

/* Records have the same span here if and only if they have the same span in `s`. */
static kn_status compare(recounting *r, const kn_spans *s, kn_error *err)
{
    uint8_t *taken = kn__zalloc(s->count + 1);
    kn_status status;

    KN_TRY(taken ? KN_OK : kn__nomem(err));
    qsort(r->found, r->records, sizeof *r->found, by_places);
    for (size_t i = 0; i < r->records; i++) {
        const uint32_t span = s->of[r->found[i].record];
        const bool same = i > 0 && by_places(&r->found[i - 1], &r->found[i]) == 0;
        if (same && s->of[r->found[i - 1].record] != span) {
            KN_TRY(disagree(err, "one span was taken for two"));
        }
        if (!same && taken[span]) {
            KN_TRY(disagree(err, "two spans were taken for one"));
        }
        taken[span] = 1;
    }
done:
    kn__free(taken);
    return status;
}

/* Recount as many evenly spaced records as MOST_TRIES allows. */
static kn_status recount_sample(recounting *r, const kn_spans *s, size_t combinations,
                                kn_error *err)
{
    const size_t all = r->b->ds->records, bins = kn__tree_bins(r->tree, s->classes_count);
    const size_t cost = combinations + r->tree->nodes / 64 + 1, no_answer = 2 * r->tree->nodes;
    const size_t count = MOST_TRIES / cost < all ? MOST_TRIES / cost : all;

    if (count < LEAST_RECORDS && count < all) {
        return KN_OK;
    }
    r->found = kn__zalloc_array(count, sizeof *r->found);
    KN_PASS(r->found ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const size_t record = (size_t)((kn_u128)i * all / count);
        const uint32_t class_number = s->class_of[record];
        uint32_t place;
        KN_PASS(count_record(r, record, &r->found[r->records++], &place, err));
        if (place == no_answer ? class_number != s->classes_count - 1
                               : class_number / bins != place) {
            KN_PASS(disagree(err, "a record ends elsewhere"));
        }
    }
    return compare(r, s, err);
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
    r.reached = kn__zalloc(2 * m->tree.nodes + 1);
    KN_TRY(r.choices && r.tuple && r.reached ? list_choices(&r, &combinations, err)
                                             : kn__nomem(err));
    if (combinations) {
        KN_TRY(recount_sample(&r, spans, combinations, err));
    }
done:
    *records = r.records;
    for (size_t i = 0; r.found && i < r.records; i++) {
        kn__free(r.found[i].place);
    }
    for (size_t i = 0; r.choices && i < m->attributes; i++) {
        kn__free(r.choices[i].at);
    }
    KN_FREE(r.found, r.choices, r.tuple, r.reached);
    return status;
}
