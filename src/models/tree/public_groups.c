/* public_groups.c - the groups of records that no public test of a tree separates, by partition
 * refinement down the tree.
 *
 * All records start as one block at the root. Where a public test comes out differently within a
 * block, the block is split, for the whole tree. A private test sends a block to both sides.
 *
 * Invariant: the records of a block have the same outcome in every public test so far that one of
 * them can come to. So at the end the records of a block share a span. The converse need not hold:
 * private tests that contradict each other are not noticed, and a block may be split by a test that
 * it cannot come to. The span engine compares the spans of groups afterwards, so this costs time
 * and changes no result.
 *
 * Each block remembers which cells of each public attribute occur in it. A test that an earlier one
 * has decided costs a look at these and not at the records, and in large trees with private tests
 * most public tests are decided. */
#include "models/tree/tree_spans.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Outcomes of a test, and sets of them as bits. Blocks are split into one part per outcome. */
enum { OUTCOME_FALSE, OUTCOME_TRUE, OUTCOME_UNKNOWN, PARTS };
enum {
    MAY_BE_FALSE = 1u << OUTCOME_FALSE,
    MAY_BE_TRUE = 1u << OUTCOME_TRUE,
    MAY_BE_UNKNOWN = 1u << OUTCOME_UNKNOWN,
    MAY_BE_ANY = MAY_BE_FALSE | MAY_BE_TRUE | MAY_BE_UNKNOWN
};

typedef struct block {
    uint32_t begin, end; /* of `record` */
    uint32_t parts;      /* the first of the PARTS blocks that it was split into; 0: it was not */
} block;

typedef struct partition {
    const kn_bound *b;
    const kn_tree *tree;
    const kn_tree_cells *cells;
    const kn_cell_test *test;
    uint32_t *record; /* block by block */
    uint32_t *buffer; /* scratch of the same length */
    block *block;
    size_t blocks, blocks_cap;
    /* By block and public attribute that tests use: the cells that may occur, as a set or, of
     * numbers, as the least and the greatest in one word. */
    uint64_t *extent;
    size_t extent_cap, stride;
    size_t *at;            /* by attribute: its offset in the extent of a block */
    uint8_t *public_below; /* by node: a test below it asks for a public attribute */
    kn_error *err;
} partition;

typedef struct block_list {
    uint32_t *at;
    size_t len, cap;
} block_list;

static bool is_public(const partition *p, uint32_t attribute)
{
    return !p->b->attribute[attribute].hidden;
}

static bool is_number(const partition *p, uint32_t attribute)
{
    return p->cells[attribute].of_value == NULL;
}

static uint64_t *extent_of(const partition *p, uint32_t number, uint32_t attribute)
{
    return p->extent + number * p->stride + p->at[attribute];
}

static uint32_t low_of(uint64_t extent)
{
    return (uint32_t)(extent >> 32);
}

static uint64_t range(uint32_t low, uint32_t high)
{
    return (uint64_t)low << 32 | high;
}

/* The outcome of a simple test in a cell. */
static unsigned outcome(const partition *p, const kn_cell_test *t, uint32_t cell)
{
    const kn_tree_cells *c = &p->cells[t->attribute];

    if (t->asks && cell == c->missing) {
        return OUTCOME_UNKNOWN;
    }
    return kn__cell_test_true(t, c, cell) ? OUTCOME_TRUE : OUTCOME_FALSE;
}

static uint32_t cell_of(const partition *p, uint32_t attribute, uint32_t record)
{
    return p->cells[attribute].of[kn__column_code(p->b->attribute[attribute].column, record)];
}

/* The outcomes that a set of cells allows. */
static unsigned outcomes_of_set(const partition *p, const kn_cell_test *t, const uint64_t *extent)
{
    const kn_tree_cells *c = &p->cells[t->attribute];
    unsigned all = 0;

    for (size_t i = 0; i < c->words && all != MAY_BE_ANY; i++) {
        const uint64_t yes = kn__cell_test_word(t, c, i);
        const uint64_t unknown = t->asks ? kn__missing_bit(c, i) : 0;
        all |= (extent[i] & ~(yes | unknown)) ? MAY_BE_FALSE : 0;
        all |= (extent[i] & yes) ? MAY_BE_TRUE : 0;
        all |= (extent[i] & unknown) ? MAY_BE_UNKNOWN : 0;
    }
    return all;
}

/* The outcomes that the cells low..high of a number allow. A test is true, or false, in one run of
 * cells. */
static unsigned outcomes_of_range(const partition *p, const kn_cell_test *t, uint32_t low,
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
        all |= MAY_BE_FALSE | MAY_BE_TRUE; /* the run is strictly inside */
    }
    return all;
}

static unsigned allowed(const partition *p, uint32_t number, const kn_cell_test *t)
{
    const uint64_t *extent = extent_of(p, number, t->attribute);

    return is_number(p, t->attribute) ? outcomes_of_range(p, t, low_of(*extent), (uint32_t)*extent)
                                      : outcomes_of_set(p, t, extent);
}

static bool single(unsigned outcomes)
{
    return (outcomes & (outcomes - 1)) == 0;
}

/* ---- blocks ---- */

static kn_status add_blocks(partition *p, size_t count)
{
    KN_PASS(kn__grow(&p->block, &p->blocks_cap, p->blocks + count, sizeof *p->block, p->err));
    KN_PASS(kn__grow(&p->extent, &p->extent_cap, (p->blocks + count) * p->stride + 1,
                     sizeof *p->extent, p->err));
    memset(p->block + p->blocks, 0, count * sizeof *p->block);
    p->blocks += count;
    return KN_OK;
}

/* Compute exactly which cells of an attribute occur in the block. */
static void update_extent(partition *p, uint32_t number, uint32_t attribute)
{
    const block *b = &p->block[number];
    uint64_t *extent = extent_of(p, number, attribute);
    uint32_t low = UINT32_MAX, high = 0;

    if (!is_number(p, attribute)) {
        memset(extent, 0, p->cells[attribute].words * sizeof *extent);
    }
    for (uint32_t i = b->begin; i < b->end; i++) {
        const uint32_t cell = cell_of(p, attribute, p->record[i]);
        if (is_number(p, attribute)) {
            low = cell < low ? cell : low;
            high = cell > high ? cell : high;
        } else {
            kn__bit_set(extent, cell);
        }
    }
    if (is_number(p, attribute)) {
        *extent = range(low, high);
    }
}

/* Split block `number` by the outcomes of the simple test `t`, if its records differ in them: the
 * range that is remembered of numbers may allow outcomes that do not occur. The order of the
 * records within the parts stays. */
static kn_status split_block(partition *p, uint32_t number, const kn_cell_test *t)
{
    const uint32_t first = (uint32_t)p->blocks, begin = p->block[number].begin;
    const uint32_t end = p->block[number].end;
    uint32_t count[PARTS] = {0}, place[PARTS];

    for (uint32_t i = begin; i < end; i++) {
        count[outcome(p, t, cell_of(p, t->attribute, p->record[i]))]++;
    }
    if ((count[0] != 0) + (count[1] != 0) + (count[2] != 0) < 2) {
        return KN_OK;
    }
    KN_PASS(add_blocks(p, PARTS));
    for (uint32_t i = 0, at = begin; i < PARTS; i++) {
        place[i] = at;
        p->block[first + i].begin = at;
        at += count[i];
        p->block[first + i].end = at;
        memcpy(p->extent + (first + i) * p->stride, p->extent + number * p->stride,
               p->stride * sizeof *p->extent);
    }
    for (uint32_t i = begin; i < end; i++) {
        p->buffer[place[outcome(p, t, cell_of(p, t->attribute, p->record[i]))]++] = p->record[i];
    }
    memcpy(p->record + begin, p->buffer + begin, (end - begin) * sizeof *p->record);
    for (uint32_t i = 0; i < PARTS; i++) {
        if (count[i]) {
            update_extent(p, first + i, t->attribute);
        }
    }
    p->block[number].parts = first;
    return KN_OK;
}

/* Split block `number` until each part has one outcome of every public simple test in `t`. */
static kn_status refine(partition *p, uint32_t number, const kn_cell_test *t)
{
    const block b = p->block[number];

    if (b.parts) {
        for (uint32_t i = 0; i < PARTS; i++) {
            KN_PASS(refine(p, b.parts + i, t));
        }
        return KN_OK;
    }
    if (b.begin == b.end || t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE) {
        return KN_OK;
    }
    if (t->kind >= KN_TEST_AND) {
        for (size_t i = 0; i < t->parts_count; i++) {
            KN_PASS(refine(p, number, &t->parts[i]));
        }
        return KN_OK;
    }
    if (!is_public(p, t->attribute) || single(allowed(p, number, t))) {
        return KN_OK;
    }
    update_extent(p, number, t->attribute);
    if (!single(allowed(p, number, t))) {
        KN_PASS(split_block(p, number, t));
    }
    return KN_OK;
}

/* ---- down the tree ---- */

static kn_status push(partition *p, block_list *list, uint32_t number)
{
    const kn_status status = kn__grow(&list->at, &list->cap, list->len + 1, sizeof *list->at,
                                      p->err);

    if (status == KN_OK) {
        list->at[list->len++] = number;
    }
    return status;
}

/* Append the blocks that block `number` has been split into, without empty ones. */
static kn_status expand(partition *p, uint32_t number, block_list *out)
{
    const block b = p->block[number];

    if (b.begin == b.end) {
        return KN_OK;
    }
    if (!b.parts) {
        return push(p, out, number);
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        KN_PASS(expand(p, b.parts + i, out));
    }
    return KN_OK;
}

static kn_status expand_all(partition *p, const block_list *from, block_list *out)
{
    out->len = 0;
    for (size_t i = 0; i < from->len; i++) {
        KN_PASS(expand(p, from->at[i], out));
    }
    return KN_OK;
}

static unsigned outcomes(const partition *p, uint32_t number, const kn_cell_test *t);

/* The outcomes of SURROGATE: those of the first part that is not unknown. */
static unsigned surrogate_outcomes(const partition *p, uint32_t number, const kn_cell_test *t)
{
    unsigned all = 0;

    for (size_t i = 0; i < t->parts_count; i++) {
        const unsigned part = outcomes(p, number, &t->parts[i]);
        all |= part & (MAY_BE_FALSE | MAY_BE_TRUE);
        if (!(part & MAY_BE_UNKNOWN)) {
            return all;
        }
    }
    return all | MAY_BE_UNKNOWN;
}

/* The outcomes of `t` that a refined block allows; those of private tests are all. */
static unsigned outcomes(const partition *p, uint32_t number, const kn_cell_test *t)
{
    unsigned all = 0;

    switch (t->kind) {
    case KN_TEST_TRUE: return MAY_BE_TRUE;
    case KN_TEST_FALSE: return MAY_BE_FALSE;
    case KN_TEST_SURROGATE: return surrogate_outcomes(p, number, t);
    case KN_TEST_AND:
    case KN_TEST_OR:
    case KN_TEST_XOR: break;
    default:
        if (is_public(p, t->attribute)) {
            const uint32_t record = p->record[p->block[number].begin];
            return 1u << outcome(p, t, cell_of(p, t->attribute, record));
        }
        return MAY_BE_ANY;
    }
    /* One part may decide AND and OR alone; otherwise any outcome is taken for possible. */
    for (size_t i = 0; i < t->parts_count; i++) {
        const unsigned part = outcomes(p, number, &t->parts[i]);
        if ((t->kind == KN_TEST_AND && part == MAY_BE_FALSE) ||
            (t->kind == KN_TEST_OR && part == MAY_BE_TRUE)) {
            return part;
        }
        all |= part;
    }
    return single(all) && t->kind != KN_TEST_XOR ? all : MAY_BE_ANY;
}

static bool only_private(const partition *p, const kn_cell_test *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        if (!only_private(p, &t->parts[i])) {
            return false;
        }
    }
    return t->kind >= KN_TEST_AND || t->kind == KN_TEST_TRUE || t->kind == KN_TEST_FALSE ||
           !is_public(p, t->attribute);
}

static kn_status descend(partition *p, uint32_t node, const block_list *here);

/* Put the blocks of `rest` for which the test of child `next` may be true into `down`, and those
 * for which it may be unknown, if that ends the search for a child, into `missing`. Those for which
 * the search may go on stay in `rest`. */
static kn_status distribute(partition *p, uint32_t next, block_list *rest, block_list *missing,
                            block_list *down)
{
    const bool unknown_goes_on = p->tree->when_missing == KN_TREE_MISSING_NEXT;
    const unsigned goes_on = MAY_BE_FALSE | (unknown_goes_on ? MAY_BE_UNKNOWN : 0);
    size_t kept = 0;

    down->len = 0;
    for (size_t i = 0; i < rest->len; i++) {
        const unsigned may_be = outcomes(p, rest->at[i], &p->test[next]);
        if (may_be & MAY_BE_TRUE) {
            KN_PASS(push(p, down, rest->at[i]));
        }
        if (!unknown_goes_on && (may_be & MAY_BE_UNKNOWN)) {
            KN_PASS(push(p, missing, rest->at[i]));
        }
        if (may_be & goes_on) {
            rest->at[kept++] = rest->at[i];
        }
    }
    rest->len = kept;
    return KN_OK;
}

static void swap(block_list *a, block_list *b)
{
    const block_list old = *a;

    *a = *b;
    *b = old;
}

/* Refine the blocks `here`, which may come to `node`, by the tests below it. */
static kn_status descend(partition *p, uint32_t node, const block_list *here)
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
                KN_TRY(refine(p, rest.at[j], &p->test[next]));
            }
        }
        /* blocks may have been split here, or below an earlier child */
        KN_TRY(expand_all(p, &rest, &more));
        swap(&rest, &more);
        KN_TRY(distribute(p, next, &rest, &missing, &down));
        KN_TRY(descend(p, next, &down));
    }
    if (missing.len && n->missing != KN_NO_CODE && p->tree->when_missing == KN_TREE_MISSING_CHILD) {
        KN_TRY(descend(p, n->missing, &missing));
    }
done:
    KN_FREE(rest.at, more.at, down.at, missing.at);
    return status;
}

/* ---- groups ---- */

static kn_status prepare(partition *p)
{
    const kn_model *m = p->b->model;
    const size_t records = p->b->ds->records;

    p->at = kn__zalloc_array(m->attributes, sizeof *p->at);
    p->record = kn__malloc_array(records, sizeof *p->record);
    p->buffer = kn__malloc_array(records, sizeof *p->buffer);
    p->public_below = kn__zalloc(m->tree.nodes);
    if (!p->at || !p->record || !p->buffer || !p->public_below) {
        return kn__nomem(p->err);
    }
    for (uint32_t i = 0; i < m->attributes; i++) {
        if (p->cells[i].used && is_public(p, i)) {
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
    KN_PASS(add_blocks(p, 2)); /* block 0 is not used: a `parts` of 0 means none */
    p->block[1].end = (uint32_t)records;
    for (uint32_t i = 0; i < m->attributes; i++) {
        if (p->cells[i].used && is_public(p, i)) {
            update_extent(p, 1, i);
        }
    }
    return KN_OK;
}

/* An attacker knows a public class, so records are separated by its values before any test. */
static kn_status refine_by_class(partition *p, block_list *all)
{
    const uint32_t attribute = p->tree->class_attribute;
    const kn_tree_cells *c = &p->cells[attribute];

    KN_PASS(push(p, all, 1));
    for (uint32_t v = 0; is_public(p, attribute) && v < c->count; v++) {
        const kn_cell_test equal = {
            .kind = KN_TEST_EQUAL, .attribute = attribute, .from = v, .to = v + 1};
        const kn_cell_test missing = {.kind = KN_TEST_MISSING, .attribute = attribute};
        KN_PASS(refine(p, 1, v == c->missing ? &missing : &equal));
    }
    return KN_OK;
}

static kn_status number_groups(partition *p, kn_tree_groups *out)
{
    const size_t records = p->b->ds->records;
    uint32_t *number = kn__malloc_array(p->blocks, sizeof *number);
    kn_status status;

    out->of = kn__malloc_array(records, sizeof *out->of);
    KN_TRY(number && out->of ? KN_OK : kn__nomem(p->err));
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
    KN_TRY(out->first ? KN_OK : kn__nomem(p->err));
    out->count = 0;
    for (size_t i = 0; i < records; i++) {
        if (number[out->of[i]] == KN_NO_CODE) {
            number[out->of[i]] = (uint32_t)out->count;
            out->first[out->count++] = (uint32_t)i;
        }
        out->of[i] = number[out->of[i]];
    }
done:
    kn__free(number);
    return status;
}

kn_status kn__tree_groups_make(kn_tree_groups *out, const kn_bound *b, const kn_tree_cells *cells,
                               const kn_cell_test *test, kn_error *err)
{
    kn_error local;
    partition p = {
        .b = b, .tree = &b->model->tree, .cells = cells, .test = test, .err = err ? err : &local};
    block_list all = {0};
    kn_status status;

    *out = (kn_tree_groups){0};
    if (b->ds->records == 0) {
        return KN_OK;
    }
    KN_TRY(prepare(&p));
    KN_TRY(refine_by_class(&p, &all));
    KN_TRY(refine(&p, 1, &test[0]));
    KN_TRY(descend(&p, 0, &all));
    KN_TRY(number_groups(&p, out));
done:
    KN_FREE(all.at, p.at, p.record, p.buffer, p.public_below, p.block, p.extent);
    if (status != KN_OK) {
        kn__tree_groups_clear(out);
    }
    return status;
}

void kn__tree_groups_clear(kn_tree_groups *g)
{
    KN_FREE(g->of, g->first);
    *g = (kn_tree_groups){0};
}
