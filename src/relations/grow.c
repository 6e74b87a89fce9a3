/* grow.c - related tables into trees: kn_relations_trees.
 *
 * For each table of the notation the rows below each row of the table above are collected once
 * (a counting sort by the row that the foreign key points to), and for each attribute the row and
 * column that it is taken from; then every person's rows are walked down. The depth of the walk is
 * that of the notation. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "relations/tables.h"

#include <string.h>

/* The rows of a table by the row above: rows[start[up]..start[up + 1]). */
typedef struct table_plan {
    const kn_dataset *ds;
    uint32_t *start, *rows;
} table_plan;

/* Where the values of an attribute come from. */
typedef struct attribute_plan {
    const kn_column *column;
    uint32_t *rows;      /* by row of the table; NULL: the row itself */
    const char **labels; /* by code, instead of the value; NULL: none */
    uint16_t class_;
} attribute_plan;

typedef struct growing {
    kn_relations *r;
    const kn_tree_shape *shape;
    const kn_run *run;
    table_plan *table;
    attribute_plan *attribute;
    kn_forest_builder *b;
    size_t orphans, beyond; /* rows that were left out: without a row above; above a limit */
} growing;

static void clear(growing *g)
{
    for (size_t i = 0; g->table && i < g->shape->tables; i++) {
        KN_FREE(g->table[i].start, g->table[i].rows);
    }
    for (size_t i = 0; g->attribute && i < g->shape->attributes; i++) {
        KN_FREE(g->attribute[i].rows, g->attribute[i].labels);
    }
    KN_FREE(g->table, g->attribute);
    kn__forest_builder_free(g->b);
}

/* ---- plans ---- */

/* A table below itself means that the foreign keys go in a circle. */
static kn_status refuse_circles(const kn_tree_shape *s, size_t table, size_t *path, size_t depth,
                                kn_error *err)
{
    for (size_t i = 0; i < depth; i++) {
        if (strcmp(s->table[path[i]].name, s->table[table].name) == 0) {
            return kn__fail(err, KN_EINPUT,
                            "table '%.80s' stands below itself: the foreign keys go in a circle, "
                            "which no tree can hold",
                            s->table[table].name);
        }
    }
    path[depth] = table;
    for (size_t below = s->table[table].first; below != KN_NO_PART; below = s->table[below].next) {
        KN_PASS(refuse_circles(s, below, path, depth + 1, err));
    }
    return KN_OK;
}

static kn_status check_orphans(growing *g, const char *table, size_t column, const uint32_t *up,
                               size_t rows, size_t *orphans, kn_error *err)
{
    size_t first = SIZE_MAX;
    kn_table *t;

    *orphans = 0;
    for (size_t i = 0; i < rows; i++) {
        if (up[i] == KN_NO_ROW) {
            first = first == SIZE_MAX ? i : first;
            (*orphans)++;
        }
    }
    if (*orphans && g->r->orphans == KN_ORPHANS_ERROR) {
        KN_PASS(kn__relations_table(g->r, table, g->run, &t, err));
        KN_PASS(
            kn__fail(err, KN_EINPUT,
                     "table '%.80s': row %zu belongs to no row above it: its key in column "
                     "'%.80s' is missing or unknown (so it is with %zu of %zu rows); correct them, "
                     "or leave them out with --orphans drop",
                     table, first + 1, t->ds->column[column].name, *orphans, rows));
    }
    return KN_OK;
}

/* The rows of table `at` below each row of `above`. */
static kn_status plan_rows(growing *g, size_t at, size_t above, kn_error *err)
{
    const kn_shape_table *t = &g->shape->table[at];
    table_plan *plan = &g->table[at];
    const size_t ups = g->table[above].ds->records;
    uint32_t *up = NULL, total = 0;
    const char *to;
    size_t column, orphans;
    kn_status status;

    KN_TRY(kn__relations_follow(g->r, t->name, g->shape->table[above].name, g->run, &up, &to,
                                &column, err));
    if (strcmp(to, g->shape->table[above].name) != 0) {
        KN_TRY(kn__fail(err, KN_EINPUT, "no foreign key leads from table '%.80s' to '%.80s'",
                        t->name, g->shape->table[above].name));
    }
    KN_TRY(check_orphans(g, t->name, column, up, plan->ds->records, &orphans, err));
    g->orphans += orphans;
    plan->start = kn__zalloc_array(ups + 2, sizeof *plan->start);
    plan->rows = kn__malloc_array(plan->ds->records, sizeof *plan->rows);
    KN_TRY(plan->start && plan->rows ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < plan->ds->records; i++) {
        plan->start[up[i] == KN_NO_ROW ? ups + 1 : up[i]]++;
    }
    for (size_t i = 0; i <= ups + 1; i++) {
        const uint32_t count = plan->start[i];
        plan->start[i] = total;
        total += count;
    }
    for (size_t i = 0; i < plan->ds->records; i++) {
        plan->rows[plan->start[up[i] == KN_NO_ROW ? ups + 1 : up[i]]++] = (uint32_t)i;
    }
    /* Each start is now the end of its run: the start of the next one. */
    memmove(plan->start + 1, plan->start, (ups + 1) * sizeof *plan->start);
    plan->start[0] = 0;
done:
    kn__free(up);
    return status;
}

/* Go from table to table along the steps of an attribute; `*rows` is composed. */
static kn_status plan_attribute(growing *g, size_t at, const char *table, kn_error *err)
{
    const kn_shape_attribute *a = &g->shape->attribute[at];
    attribute_plan *plan = &g->attribute[at];
    const char *from = table;
    uint32_t *step = NULL;
    kn_table *t;
    size_t column;
    kn_status status;

    for (size_t i = 0; i + 1 < a->steps_count; i++) {
        const char *to;
        KN_TRY(kn__relations_follow(g->r, from, a->steps[i], g->run, &step, &to, &column, err));
        if (plan->rows) {
            kn_table *first;
            KN_TRY(kn__relations_table(g->r, table, g->run, &first, err));
            for (size_t row = 0; row < first->ds->records; row++) {
                plan->rows[row] = plan->rows[row] == KN_NO_ROW ? KN_NO_ROW : step[plan->rows[row]];
            }
            kn__free(step);
        } else {
            plan->rows = step;
        }
        step = NULL;
        from = to;
    }
    KN_TRY(kn__relations_table(g->r, from, g->run, &t, err));
    KN_TRY(kn__table_column(t, a->steps[a->steps_count - 1], &column, err));
    if (kn__type_is_list(t->ds->column[column].type)) {
        KN_TRY(kn__fail(err, KN_EINPUT, "table '%.80s': column '%.80s' holds lists", t->name,
                        t->ds->column[column].name));
    }
    KN_TRY(kn__relations_bin(g->r, g->shape->classes.name[a->class_], t->ds, column, &plan->labels,
                             err));
    plan->column = &t->ds->column[column];
    plan->class_ = a->class_;
done:
    kn__free(step);
    return status;
}

static kn_status plan_attributes(growing *g, size_t first, const char *table, kn_error *err)
{
    for (size_t a = first; a != KN_NO_PART; a = g->shape->attribute[a].next) {
        KN_PASS(plan_attribute(g, a, table, err));
        KN_PASS(plan_attributes(g, g->shape->attribute[a].first, table, err));
    }
    return KN_OK;
}

static kn_status plan_table(growing *g, size_t at, size_t above, kn_error *err)
{
    const kn_shape_table *shape = &g->shape->table[at];
    kn_table *t;

    KN_PASS(kn__relations_table(g->r, shape->name, g->run, &t, err));
    g->table[at].ds = t->ds;
    if (t->ds->records >= KN_NO_ROW) {
        KN_PASS(kn__fail(err, KN_EINPUT, "table '%.80s' has too many rows", shape->name));
    }
    if (above != KN_NO_PART) {
        KN_PASS(plan_rows(g, at, above, err));
    }
    KN_PASS(plan_attributes(g, shape->attribute, shape->name, err));
    for (size_t below = shape->first; below != KN_NO_PART; below = g->shape->table[below].next) {
        KN_PASS(plan_table(g, below, at, err));
    }
    return KN_OK;
}

/* ---- rows into nodes ---- */

/* A node for the value of an attribute; `*node` stays `parent` where the value is missing. */
static kn_status add_value(growing *g, size_t at, uint32_t row, uint32_t parent, uint32_t *node,
                           kn_error *err)
{
    const attribute_plan *a = &g->attribute[at];
    const uint32_t there = a->rows ? a->rows[row] : row;
    const uint32_t code = there == KN_NO_ROW ? a->column->missing
                                             : kn__column_code(a->column, there);
    const char *text;
    size_t len;

    *node = parent;
    if (there == KN_NO_ROW || code == a->column->missing) {
        return KN_OK;
    }
    text = kn__column_text(a->column, code, &len);
    if (a->labels) {
        text = a->labels[code];
        len = strlen(text);
    }
    return kn__forest_builder_node(g->b, a->class_, text, len, parent, node, err);
}

static kn_status add_values(growing *g, size_t first, uint32_t row, uint32_t parent, kn_error *err)
{
    for (size_t a = first; a != KN_NO_PART; a = g->shape->attribute[a].next) {
        uint32_t node;
        KN_PASS(add_value(g, a, row, parent, &node, err));
        KN_PASS(add_values(g, g->shape->attribute[a].first, row, node, err));
    }
    return KN_OK;
}

static kn_status add_row(growing *g, size_t at, uint32_t row, uint32_t parent, kn_error *err)
{
    const kn_shape_table *t = &g->shape->table[at];
    uint32_t node = parent;

    if (t->attribute != KN_NO_PART) {
        const kn_shape_attribute *first = &g->shape->attribute[t->attribute];
        KN_PASS(add_value(g, t->attribute, row, parent, &node, err));
        KN_PASS(add_values(g, first->first, row, node, err));
        KN_PASS(add_values(g, first->next, row, node, err));
    }
    for (size_t below = t->first; below != KN_NO_PART; below = g->shape->table[below].next) {
        const table_plan *plan = &g->table[below];
        const size_t limit = g->shape->table[below].limit, begin = plan->start[row];
        const size_t count = plan->start[row + 1] - begin;
        for (size_t i = 0; i < count && i < limit; i++) {
            KN_PASS(add_row(g, below, plan->rows[begin + i], node, err));
        }
        g->beyond += count > limit ? count - limit : 0;
    }
    return KN_OK;
}

static kn_status add_note(kn_dataset *ds, size_t count, const char *what, kn_error *err)
{
    kn_buffer note = {0};
    kn_status status = KN_OK;

    if (count) {
        kn__buffer_addf(&note, "%zu row%s left out: %s", count, count == 1 ? " was" : "s were",
                        what);
        status = kn__dataset_add_note(ds, &note, err);
    }
    kn__buffer_free(&note);
    return status;
}

/* A bin for a class that no attribute has is a slip. */
static kn_status check_bins(const kn_relations *r, const kn_tree_shape *s, kn_error *err)
{
    for (size_t i = 0; i < r->bins; i++) {
        if (kn__tree_class_find(&s->classes, r->bin[i].class_, strlen(r->bin[i].class_)) ==
            SIZE_MAX) {
            return kn__fail(err, KN_EUSAGE, "--bin: the notation has no class '%.80s'",
                            r->bin[i].class_);
        }
    }
    return KN_OK;
}

kn_status kn_relations_trees(kn_dataset **out, kn_relations *r, const char *notation,
                             const kn_schema *schema, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, r, notation);

    kn_tree_shape *shape = NULL;
    growing g = {.r = r, .run = run};
    size_t *path = NULL, persons;
    kn_forest *f = NULL;
    kn_status status;

    KN_TRY(kn__tree_shape_parse(&shape, notation, err));
    g.shape = shape;
    path = kn__malloc_array(shape->tables, sizeof *path);
    g.table = kn__zalloc_array(shape->tables, sizeof *g.table);
    g.attribute = kn__zalloc_array(shape->attributes, sizeof *g.attribute);
    KN_TRY(path && g.table && g.attribute ? KN_OK : kn__nomem(err));
    KN_TRY(refuse_circles(shape, 0, path, 0, err));
    KN_TRY(check_bins(r, shape, err));
    KN_TRY(plan_table(&g, 0, KN_NO_PART, err));
    KN_TRY(kn__forest_builder_new(&g.b, &shape->classes, err));
    persons = g.table[0].ds->records;
    for (size_t row = 0; row < persons; row++) {
        if (row % 8192 == 0) {
            KN_TRY(kn__run_step(run, "trees", (double)row / (double)persons, err));
        }
        KN_TRY(kn__forest_builder_record(g.b, err));
        KN_TRY(add_row(&g, 0, (uint32_t)row, KN_NO_PARENT, err));
    }
    status = kn__forest_builder_finish(g.b, &f, err);
    g.b = NULL;
    KN_TRY(status);
    KN_TRY(kn__dataset_of_forest(out, f, schema, false, err));
    KN_TRY(add_note(*out, g.orphans, "they belong to no row above them", err));
    KN_TRY(add_note(*out, g.beyond, "beyond the limits in brackets of --tree", err));
done:
    if (status != KN_OK) {
        kn_dataset_free(*out);
        *out = NULL;
    }
    clear(&g);
    kn__free(path);
    kn__tree_shape_free(shape);
    return status;
}
