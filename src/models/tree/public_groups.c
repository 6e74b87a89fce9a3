/* public_groups.c - parting the records by what an attacker sees, down the tree.
 *
 * All records start as one block at the root. Where a test over public attributes comes out
 * differently within a block, the block is parted, for the whole tree. A test over private
 * attributes sends a block to both sides. What a block's cells of an attribute are is remembered,
 * so that a test which an earlier one has settled costs a look and not a walk over the block's
 * records; that is what makes large trees with private tests cheap: most of their public tests are
 * settled. Blocks may be parted once too often, where private values contradict each other: spans
 * are compared afterwards. */
#include "models/tree/public_groups.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { PARTS = 3 }; /* false, true, unknown */

typedef struct block {
    uint32_t begin, end; /* of `record` */
    uint32_t parts;      /* the first of PARTS blocks that it was parted into; 0: it was not */
} block;

typedef struct parting {
    const kn_bound *b;
    const kn_tree *tree;
    const kn_tree_cells *cells;
    const kn_cell_test *test;
    uint32_t *record; /* block by block */
    uint32_t *spare;  /* as many */
    block *block;
    size_t blocks, blocks_cap;
    /* By block: for each public attribute that is looked at the cells that it may have, as a set,
     * or, of numbers, as the least and the greatest in one word. */
    uint64_t *may;
    size_t may_cap, stride;
    size_t *at;            /* by attribute: where in a block's `may` */
    uint8_t *public_below; /* by node: some test below it, or its children's, asks for a public
                              attribute */
    kn_error *err;
} parting;

typedef struct block_list {
    uint32_t *at;
    size_t len, cap;
} block_list;

static bool is_public(const parting *p, uint32_t attribute)
{
    return !p->b->attribute[attribute].hidden;
}

static bool is_number(const parting *p, uint32_t attribute)
{
    return p->cells[attribute].of_value == NULL;
}

static uint64_t *may_of(const parting *p, uint32_t number, uint32_t attribute)
{
    return p->may + number * p->stride + p->at[attribute];
}

static uint32_t low_of(uint64_t may)
{
    return (uint32_t)(may >> 32);
}

static uint64_t range(uint32_t low, uint32_t high)
{
    return (uint64_t)low << 32 | high;
}

/* What a simple test comes to in a cell: 0 false, 1 true, 2 unknown. */
static unsigned outcome(const parting *p, const kn_cell_test *t, uint32_t cell)
{
    const kn_tree_cells *c = &p->cells[t->attribute];

    return t->asks && cell == c->missing ? 2 : kn__cell_test_true(t, c, cell);
}

static uint32_t cell_of(const parting *p, uint32_t attribute, uint32_t record)
{
    return p->cells[attribute].of[kn__column_code(p->b->attribute[attribute].column, record)];
}

/* The outcomes that the remembered cells allow, as bits. */
static unsigned outcomes_of_set(const parting *p, const kn_cell_test *t, const uint64_t *may)
{
    const kn_tree_cells *c = &p->cells[t->attribute];
    unsigned all = 0;

    for (size_t i = 0; i < c->words && all != 7; i++) {
        const uint64_t yes = kn__cell_test_word(t, c, i);
        uint64_t unknown = 0;
        if (t->asks && c->missing != KN_NO_CODE && c->missing / 64 == i) {
            unknown = UINT64_C(1) << c->missing % 64;
        }
        all |= (may[i] & ~(yes | unknown)) ? 1u : 0;
        all |= (may[i] & yes) ? 2u : 0;
        all |= (may[i] & unknown) ? 4u : 0;
    }
    return all;
}

/* The same of numbers from..to. Each test is true for one run of cells, or false for one. */
static unsigned outcomes_of_range(const parting *p, const kn_cell_test *t, uint32_t low,
                                  uint32_t high)
{
    const kn_tree_cells *c = &p->cells[t->attribute];
    unsigned all = 1u << outcome(p, t, low) | 1u << outcome(p, t, high);

    if (high == c->missing && high > low) {
        all |= 1u << outcome(p, t, high - 1);
        high--;
    }
    if (t->kind != KN_TEST_MISSING && t->kind != KN_TEST_NOT_MISSING && t->from > low &&
        t->to <= high && t->from < t->to) {
        all |= 3; /* the run is inside: both */
    }
    return all;
}

static unsigned allowed(const parting *p, uint32_t number, const kn_cell_test *t)
{
    const uint64_t *may = may_of(p, number, t->attribute);

    return is_number(p, t->attribute) ? outcomes_of_range(p, t, low_of(*may), (uint32_t)*may)
                                      : outcomes_of_set(p, t, may);
}

static bool single(unsigned outcomes)
{
    return (outcomes & (outcomes - 1)) == 0;
}

/* ---- blocks ---- */

static kn_status add_blocks(parting *p, size_t count)
{
    kn_status status;

    KN_TRY(kn__grow(&p->block, &p->blocks_cap, p->blocks + count, sizeof *p->block, p->err));
    KN_TRY(kn__grow(&p->may, &p->may_cap, (p->blocks + count) * p->stride + 1, sizeof *p->may,
                    p->err));
    memset(p->block + p->blocks, 0, count * sizeof *p->block);
    p->blocks += count;
done:
    return status;
}

/* Remember exactly which cells of an attribute the block has. */
static void look_again(parting *p, uint32_t number, uint32_t attribute)
{
    const block *b = &p->block[number];
    uint64_t *may = may_of(p, number, attribute);
    uint32_t low = UINT32_MAX, high = 0;

    if (!is_number(p, attribute)) {
        memset(may, 0, p->cells[attribute].words * sizeof *may);
    }
    for (uint32_t i = b->begin; i < b->end; i++) {
        const uint32_t cell = cell_of(p, attribute, p->record[i]);
        if (is_number(p, attribute)) {
            low = cell < low ? cell : low;
            high = cell > high ? cell : high;
        } else {
            may[cell / 64] |= UINT64_C(1) << cell % 64;
        }
    }
    if (is_number(p, attribute)) {
        *may = range(low, high);
    }
}

/* Part block `number` by the outcomes of the simple test `t`, if its records differ in them: what
 * is remembered of numbers is a range, which may be mixed where the records are not. Records stay
 * in order within the parts. */
static kn_status part_block(parting *p, uint32_t number, const kn_cell_test *t)
{
    const uint32_t first = (uint32_t)p->blocks, begin = p->block[number].begin;
    const uint32_t end = p->block[number].end;
    uint32_t count[PARTS] = {0}, place[PARTS];
    kn_status st;

    for (uint32_t i = begin; i < end; i++) {
        count[outcome(p, t, cell_of(p, t->attribute, p->record[i]))]++;
    }
    if ((count[0] != 0) + (count[1] != 0) + (count[2] != 0) < 2) {
        return KN_OK;
    }
    st = add_blocks(p, PARTS);
    if (st != KN_OK) {
        return st;
    }
    for (uint32_t i = 0, at = begin; i < PARTS; i++) {
        place[i] = at;
        p->block[first + i].begin = at;
        at += count[i];
        p->block[first + i].end = at;
        memcpy(p->may + (first + i) * p->stride, p->may + number * p->stride,
               p->stride * sizeof *p->may);
    }
    for (uint32_t i = begin; i < end; i++) {
        p->spare[place[outcome(p, t, cell_of(p, t->attribute, p->record[i]))]++] = p->record[i];
    }
    memcpy(p->record + begin, p->spare + begin, (end - begin) * sizeof *p->record);
    for (uint32_t i = 0; i < PARTS; i++) {
        if (count[i]) {
            look_again(p, first + i, t->attribute);
        }
    }
    p->block[number].parts = first;
    return KN_OK;
}

/* Make block `number` agree on the public simple tests of `t`. */
static kn_status settle(parting *p, uint32_t number, const kn_cell_test *t)
{
    const block b = p->block[number];
    kn_status st = KN_OK;

    if (b.parts) {
        for (uint32_t i = 0; st == KN_OK && i < PARTS; i++) {
            st = settle(p, b.parts + i, t);
        }
        return st;
    }
    if (b.begin == b.end || t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        return KN_OK;
    }
    if (t->kind >= KN_TEST_AND) {
        for (size_t i = 0; st == KN_OK && i < t->parts_count; i++) {
            st = settle(p, number, &t->parts[i]);
        }
        return st;
    }
    if (!is_public(p, t->attribute) || single(allowed(p, number, t))) {
        return KN_OK;
    }
    look_again(p, number, t->attribute);
    return single(allowed(p, number, t)) ? KN_OK : part_block(p, number, t);
}

/* ---- the walk ---- */

/* The blocks that `list` has been parted into, into the empty `out`. */
static kn_status expand(parting *p, uint32_t number, block_list *out)
{
    const block *b = &p->block[number];
    kn_status st = KN_OK;

    if (b->begin == b->end) {
        return KN_OK;
    }
    if (b->parts) {
        const uint32_t parts = b->parts;
        for (uint32_t i = 0; st == KN_OK && i < PARTS; i++) {
            st = expand(p, parts + i, out);
        }
        return st;
    }
    st = kn__grow(&out->at, &out->cap, out->len + 1, sizeof *out->at, p->err);
    if (st == KN_OK) {
        out->at[out->len++] = number;
    }
    return st;
}

static kn_status expand_all(parting *p, const block_list *from, block_list *out)
{
    kn_status st = KN_OK;

    out->len = 0;
    for (size_t i = 0; st == KN_OK && i < from->len; i++) {
        st = expand(p, from->at[i], out);
    }
    return st;
}

/* The outcomes of `t` for a settled block, as bits; private tests allow all. */
static unsigned outcomes(const parting *p, uint32_t number, const kn_cell_test *t)
{
    unsigned all = 0, part;
    bool may_all = true; /* every part so far may be what lets the next one be looked at */

    switch (t->kind) {
    case KN_TEST_TRUE: return 2;
    case KN_TEST_FALSE: return 1;
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR:
    case KN_TEST_SURROGATE: break;
    default:
        if (is_public(p, t->attribute)) {
            const uint32_t record = p->record[p->block[number].begin];
            return 1u << outcome(p, t, cell_of(p, t->attribute, record));
        }
        return 7;
    }
    if (t->kind == KN_TEST_SURROGATE) {
        for (size_t i = 0; i < t->parts_count && may_all; i++) {
            part = outcomes(p, number, &t->parts[i]);
            all |= part & 3;
            may_all = (part & 4) != 0;
        }
        return may_all ? all | 4 : all;
    }
    /* AND, OR, XOR: a part that decides alone decides; otherwise anything that is not excluded. */
    for (size_t i = 0; i < t->parts_count; i++) {
        part = outcomes(p, number, &t->parts[i]);
        if ((t->kind == KN_TEST_AND && part == 1) || (t->kind == KN_TEST_OR && part == 2)) {
            return part;
        }
        all |= part;
    }
    return single(all) && t->kind != KN_TEST_XOR ? all : 7;
}

static kn_status push(parting *p, block_list *list, uint32_t number)
{
    const kn_status st = kn__grow(&list->at, &list->cap, list->len + 1, sizeof *list->at, p->err);

    if (st == KN_OK) {
        list->at[list->len++] = number;
    }
    return st;
}

static bool only_private(const parting *p, const kn_cell_test *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        if (!only_private(p, &t->parts[i])) {
            return false;
        }
    }
    return t->kind >= KN_TEST_AND || t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE ||
           !is_public(p, t->attribute);
}

static kn_status walk(parting *p, uint32_t node, const block_list *here);

/* Send the blocks of `rest` into child `next` that its test may be true for; leave those that it
 * may not be true for, and put into `missing` those that it may be unknown for. */
static kn_status send(parting *p, uint32_t next, block_list *rest, block_list *missing,
                      block_list *down)
{
    const kn_cell_test *t = &p->test[next];
    const bool waits = p->tree->when_missing != KN_TREE_MISSING_NEXT;
    size_t kept = 0;
    kn_status st = KN_OK;

    down->len = 0;
    for (size_t i = 0; st == KN_OK && i < rest->len; i++) {
        const unsigned may = outcomes(p, rest->at[i], t);
        if (may & 2) {
            st = push(p, down, rest->at[i]);
        }
        if (st == KN_OK && waits && (may & 4)) {
            st = push(p, missing, rest->at[i]);
        }
        if ((may & 1) || (!waits && (may & 4))) {
            rest->at[kept++] = rest->at[i];
        }
    }
    rest->len = kept;
    return st;
}

static kn_status walk(parting *p, uint32_t node, const block_list *here)
{
    const kn_tree_node *n = &p->tree->node[node];
    block_list rest = {0}, more = {0}, down = {0}, missing = {0};
    kn_status status = KN_OK;

    if (!p->public_below[node] || here->len == 0) {
        return KN_OK;
    }
    KN_TRY(expand_all(p, here, &rest));
    for (uint32_t i = 0; i < n->children && rest.len; i++) {
        const uint32_t next = n->first + i;
        if (!only_private(p, &p->test[next])) {
            for (size_t j = 0; j < rest.len; j++) {
                KN_TRY(settle(p, rest.at[j], &p->test[next]));
            }
        }
        /* what was settled here or below an earlier child */
        KN_TRY(expand_all(p, &rest, &more));
        const block_list old = rest;
        rest = more;
        more = old;
        KN_TRY(send(p, next, &rest, &missing, &down));
        KN_TRY(walk(p, next, &down));
    }
    if (missing.len && n->missing != KN_NO_CODE && p->tree->when_missing == KN_TREE_MISSING_CHILD) {
        KN_TRY(walk(p, n->missing, &missing));
    }
done:
    kn__free(rest.at);
    kn__free(more.at);
    kn__free(down.at);
    kn__free(missing.at);
    return status;
}

/* ---- all ---- */

static kn_status prepare(parting *p)
{
    const kn_model *m = p->b->model;
    const size_t records = p->b->ds->records;
    kn_status st;

    p->at = kn__zalloc_array(m->attributes, sizeof *p->at);
    p->record = kn__malloc_array(records, sizeof *p->record);
    p->spare = kn__malloc_array(records, sizeof *p->spare);
    p->public_below = kn__zalloc(m->tree.nodes);
    if (!p->at || !p->record || !p->spare || !p->public_below) {
        return kn__nomem(p->err);
    }
    for (uint32_t i = 0; i < m->attributes; i++) {
        if (p->cells[i].looked_at && is_public(p, i)) {
            p->at[i] = p->stride;
            p->stride += is_number(p, i) ? 1 : p->cells[i].words;
        }
    }
    for (size_t i = m->tree.nodes; i-- > 1;) {
        const uint32_t up = m->tree.node[i].parent;
        if (p->public_below[i] || !only_private(p, &p->test[i])) {
            p->public_below[up] = 1;
        }
    }
    for (size_t i = 0; i < records; i++) {
        p->record[i] = (uint32_t)i;
    }
    st = add_blocks(p, 2); /* block 0 is nobody's: parts of 0 mean none */
    if (st == KN_OK) {
        p->block[1].end = (uint32_t)records;
        for (uint32_t i = 0; i < m->attributes; i++) {
            if (p->cells[i].looked_at && is_public(p, i)) {
                look_again(p, 1, i);
            }
        }
    }
    return st;
}

/* A public class tells everybody apart by its values, before any test. */
static kn_status part_by_class(parting *p, block_list *all)
{
    const uint32_t attribute = p->tree->class_attribute;
    kn_status st = push(p, all, 1);

    for (uint32_t v = 0; st == KN_OK && is_public(p, attribute) && v < p->cells[attribute].count;
         v++) {
        const kn_cell_test is = {
            .kind = KN_TEST_EQUAL, .attribute = attribute, .from = v, .to = v + 1};
        const kn_cell_test gone = {.kind = KN_TEST_MISSING, .attribute = attribute};
        st = settle(p, 1, v == p->cells[attribute].missing ? &gone : &is);
    }
    return st;
}

static kn_status number_groups(parting *p, kn_tree_groups *out)
{
    const size_t records = p->b->ds->records;
    uint32_t *number = kn__malloc_array(p->blocks, sizeof *number);

    out->of = kn__malloc_array(records, sizeof *out->of);
    if (!number || !out->of) {
        kn__free(number);
        return kn__nomem(p->err);
    }
    memset(number, 0xff, p->blocks * sizeof *number);
    for (uint32_t i = 1; i < p->blocks; i++) {
        if (!p->block[i].parts) {
            for (uint32_t r = p->block[i].begin; r < p->block[i].end; r++) {
                out->of[p->record[r]] = i;
            }
            out->count += p->block[i].begin < p->block[i].end;
        }
    }
    out->first = kn__malloc_array(out->count ? out->count : 1, sizeof *out->first);
    if (!out->first) {
        kn__free(number);
        return kn__nomem(p->err);
    }
    out->count = 0;
    for (size_t i = 0; i < records; i++) {
        if (number[out->of[i]] == KN_NO_CODE) {
            number[out->of[i]] = (uint32_t)out->count;
            out->first[out->count++] = (uint32_t)i;
        }
        out->of[i] = number[out->of[i]];
    }
    kn__free(number);
    return KN_OK;
}

kn_status kn__tree_groups_make(kn_tree_groups *out, const kn_bound *b, const kn_tree_cells *cells,
                               const kn_cell_test *test, kn_error *err)
{
    kn_error local;
    parting p = {
        .b = b, .tree = &b->model->tree, .cells = cells, .test = test, .err = err ? err : &local};
    block_list all = {0};
    kn_status status;

    *out = (kn_tree_groups){0};
    if (b->ds->records == 0) {
        return KN_OK;
    }
    KN_TRY(prepare(&p));
    KN_TRY(part_by_class(&p, &all));
    KN_TRY(settle(&p, 1, &test[0]));
    KN_TRY(walk(&p, 0, &all));
    KN_TRY(number_groups(&p, out));
done:
    kn__free(all.at);
    kn__free(p.at);
    kn__free(p.record);
    kn__free(p.spare);
    kn__free(p.public_below);
    kn__free(p.block);
    kn__free(p.may);
    if (status != KN_OK) {
        kn__tree_groups_clear(out);
    }
    return status;
}

void kn__tree_groups_clear(kn_tree_groups *g)
{
    kn__free(g->of);
    kn__free(g->first);
    *g = (kn_tree_groups){0};
}
