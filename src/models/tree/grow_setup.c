/* grow_setup.c - the state that growing starts from: columns as codes or bins, the class, the root.
 */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/tree/grow_state.h"

#include <math.h>
#include <string.h>

/* Whether several values are equal as numbers, such as 1 and 1.0: no threshold can separate them.
 */
static bool has_equal_numbers(const kn_column *column)
{
    const uint32_t values = kn__column_values(column) - (column->missing != KN_NO_CODE);

    for (uint32_t code = 1; code < values; code++) {
        if (!(column->numbers[code - 1] < column->numbers[code])) {
            return true;
        }
    }
    return false;
}

/* Put the values of an ordered column into bins: one per number or, if there are too many, ranges
 * of about equally many records (equal-frequency binning). */
static kn_status make_bins(kn_grow_state *g, kn_grow_column *c, kn_error *err)
{
    const kn_column *column = c->attribute->column;
    const uint32_t values = kn__column_values(column);
    const uint32_t numbers = values - (column->missing != KN_NO_CODE);
    const bool few = values <= KN_GROW_BINS;
    uint64_t *count = kn__zalloc_array(values, sizeof *count), sum = 0, records = g->tree->records;
    uint32_t bins = 0;

    c->bin = kn__malloc_array(values, sizeof *c->bin);
    c->last = kn__malloc_array(KN_GROW_BINS + 1, sizeof *c->last);
    if (!count || !c->bin || !c->last) {
        kn__free(count);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < g->tree->records; i++) {
        count[kn__column_code(column, g->tree->record[i])]++;
    }
    if (column->missing != KN_NO_CODE) {
        records -= count[column->missing];
    }
    for (uint32_t code = 0; code < numbers; code++) {
        if (code > 0 && column->numbers[code - 1] < column->numbers[code] &&
            (few || (sum * KN_GROW_BINS >= (bins + 1) * records && bins + 2 < KN_GROW_BINS))) {
            bins++;
        }
        c->bin[code] = bins;
        c->last[bins] = code;
        sum += count[code];
    }
    c->values = bins + 1;
    if (column->missing != KN_NO_CODE) {
        c->missing = c->values;
        c->bin[column->missing] = c->missing;
        c->last[c->missing] = column->missing;
        c->values++;
    }
    kn__free(count);
    return KN_OK;
}

static kn_status column_init(kn_grow_state *g, kn_grow_column *c, kn_error *err)
{
    const kn_column *column = c->attribute->column;
    const size_t records = g->tree->records;

    c->ordered = kn__grow_is_ordered(c->attribute);
    c->values = kn__column_values(column);
    c->missing = column->missing;
    if (c->ordered && (c->values > KN_GROW_BINS || has_equal_numbers(column))) {
        KN_PASS(make_bins(g, c, err));
    }
    c->width = kn__code_width(c->values);
    c->codes = kn__malloc_array(records, c->width);
    KN_PASS(c->codes ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        const uint32_t code = kn__column_code(column, g->tree->record[i]);
        kn__code_set(c->codes, c->width, i, c->bin ? c->bin[code] : code);
    }
    g->most_values = c->values > g->most_values ? c->values : g->most_values;
    if (!c->ordered && kn__grow_root(c->attribute) + 1 > g->names) {
        g->names = kn__grow_root(c->attribute) + 1;
    }
    return KN_OK;
}

kn_status kn__grow_add_nodes(kn_grow_state *g, size_t count, kn_error *err)
{
    kn_grown *t = g->tree;
    const size_t need = t->nodes + count;

    KN_PASS(kn__grow(&t->node, &t->cap, need, sizeof *t->node, err));
    KN_PASS(kn__grow(&t->population, &t->population_cap, need * g->classes, sizeof *t->population,
                     err));
    for (size_t i = t->nodes; i < need; i++) {
        t->node[i] = (kn_grown_node){.parent = KN_NO_CODE, .attribute = KN_NO_CODE};
    }
    memset(t->population + t->nodes * g->classes, 0, count * g->classes * sizeof *t->population);
    t->nodes = need;
    return KN_OK;
}

void kn__grow_set_answer(kn_grow_state *g, uint32_t node)
{
    const uint64_t *by = g->tree->population + (size_t)node * g->classes;
    uint32_t best = 0;

    for (uint32_t c = 1; c < g->classes; c++) {
        best = by[c] > by[best] ? c : best;
    }
    g->tree->node[node].answer = best;
}

static kn_status list_records(kn_grow_state *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    kn_grown *t = g->tree;

    t->record = kn__malloc_array(o->ds->records, sizeof *t->record);
    g->klass = kn__malloc_array(o->ds->records, 1);
    KN_PASS(t->record && g->klass ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < o->ds->records; i++) {
        if (!o->barred || !o->barred[i]) {
            g->klass[t->records] = (uint8_t)kn__column_code(o->target, i);
            t->record[t->records++] = (uint32_t)i;
        }
    }
    return KN_OK;
}

/* Which splits need a check, and when; see kn_grow_state. */
static void set_checks(kn_grow_state *g, bool hidden)
{
    const kn_grow_options *o = g->o;
    const bool diverse = o->target_hidden && (o->l > 0 || o->inference > 0);

    g->has_limits = (hidden || o->target_hidden) && (o->k > 1 || o->holds || diverse);
    g->lazy = g->has_limits && (hidden || o->holds);
}

static kn_status add_scratch(kn_grow_state *g, kn_error *err)
{
    g->workers = kn__run_threads(g->o->run);
    g->scratch = kn__zalloc_array(g->workers, sizeof *g->scratch);
    KN_PASS(g->scratch ? KN_OK : kn__nomem(err));
    for (unsigned w = 0; w < g->workers; w++) {
        KN_PASS(kn__scratch_init(&g->scratch[w], g, err));
    }
    return KN_OK;
}

kn_status kn__grow_set_up(kn_grow_state *g, kn_error *err)
{
    const kn_grow_options *o = g->o;
    bool hidden = false;

    g->tree = kn__zalloc(sizeof *g->tree);
    g->column = kn__zalloc_array(o->attributes, sizeof *g->column);
    g->xlogx = kn__malloc_array(KN_GROW_XLOGX, sizeof *g->xlogx);
    KN_PASS(g->tree && g->column && g->xlogx ? KN_OK : kn__nomem(err));
    g->xlogx[0] = 0;
    for (size_t i = 1; i < KN_GROW_XLOGX; i++) {
        g->xlogx[i] = (double)i * log((double)i);
    }
    g->classes = g->tree->classes = kn__column_values(o->target);
    g->names = 4;
    g->most_values = 4;
    KN_PASS(list_records(g, err));
    for (size_t a = 0; a < o->attributes; a++) {
        g->column[a].attribute = &o->attribute[a];
        hidden = hidden || o->attribute[a].hidden;
        KN_PASS(column_init(g, &g->column[a], err));
    }
    set_checks(g, hidden);
    KN_PASS(add_scratch(g, err));
    KN_PASS(kn__grow_add_nodes(g, 1, err));
    g->tree->node[0].end = g->tree->records;
    for (size_t i = 0; i < g->tree->records; i++) {
        g->tree->population[g->klass[i]]++;
    }
    kn__grow_set_answer(g, 0);
    if (hidden && g->has_limits) {
        KN_PASS(kn__span_table_new(&g->spans, g, err));
    }
    return KN_OK;
}

void kn__grow_clear(kn_grow_state *g)
{
    for (size_t a = 0; g->column && a < g->o->attributes; a++) {
        KN_FREE(g->column[a].bin, g->column[a].last, g->column[a].codes);
    }
    for (unsigned w = 0; g->scratch && w < g->workers; w++) {
        kn__scratch_clear(&g->scratch[w]);
    }
    kn__span_table_free(g->spans);
    KN_FREE(g->scratch, g->column, g->klass, g->queue, g->xlogx);
}
