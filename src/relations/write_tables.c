/* write_tables.c - trees into related tables: kn_trees_write_tables.
 *
 * Every node goes into a row of its class's table. A class that occurs once below a node shares the
 * row of that node; the values of a class that occurs several times get rows of their own, with
 * what is above them in the same table repeated: one row would claim that they belong together.
 * Where a release has removed the relation to the row above, a row without values stands between.
 * Read again by the notation, where missing values make no node, the tables give the same trees. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/dataset.h"
#include "data/tree_shape.h"
#include "io/bytes/file.h"
#include "io/bytes/paths.h"
#include "io/writer.h"
#include "kanon/relations.h"

#include <string.h>
#include <unistd.h>

#define NO_ROW UINT32_MAX

/* A row of the record that is written. Its cells are columns of its table. */
typedef struct row {
    size_t table;
    uint32_t above; /* in `rows` of the record; NO_ROW for the person's */
    size_t cells;   /* where its cells begin */
    uint64_t id;
} row;

/* Where a class is kept. */
typedef struct place {
    size_t table, column, attribute;
} place;

typedef struct writing {
    const kn_forest *f;
    kn_tree_shape *shape;
    size_t *above;    /* by table: the table above, or KN_NO_PART */
    size_t *columns;  /* by table: how many attributes */
    size_t *up;       /* by attribute: the one whose node is above its own, or KN_NO_PART */
    size_t *class_of; /* by attribute: the class of the forest, or SIZE_MAX */
    place *place;     /* by class of the forest */
    kn_buffer *out;   /* by table */
    kn_sink **sink;   /* by table */
    uint64_t *next;   /* by table: the last id given */
    row *rows;        /* of the record */
    size_t rows_count, rows_cap;
    uint32_t *cells; /* codes, or KN_NO_VALUE */
    size_t cells_count, cells_cap;
    uint32_t *row_of; /* by node of the record */
    bool *alone;      /* likewise: no sibling has its class */
    uint32_t *last;   /* likewise: its last child so far */
    size_t row_of_cap, alone_cap, last_cap;
    size_t record;
} writing;

static void clear(writing *w)
{
    for (size_t i = 0; w->shape && i < w->shape->tables; i++) {
        if (w->out) {
            kn__buffer_free(&w->out[i]);
        }
        if (w->sink) {
            kn__sink_abandon(w->sink[i]);
        }
    }
    KN_FREE(w->above, w->columns, w->up, w->class_of, w->place, w->out, w->sink, w->next, w->rows,
            w->cells, w->row_of, w->alone, w->last);
    kn__tree_shape_free(w->shape);
}

/* ---- where classes are kept ---- */

static void place_attributes(writing *w, size_t table, size_t first, size_t up)
{
    for (size_t a = first; a != KN_NO_PART; a = w->shape->attribute[a].next) {
        const char *name = w->shape->classes.name[w->shape->attribute[a].class_];
        const size_t class_ = kn__tree_class_find(&w->f->classes, name, strlen(name));
        if (class_ != SIZE_MAX) {
            w->place[class_] = (place){table, w->columns[table], a};
        }
        w->up[a] = up;
        w->class_of[a] = class_;
        w->columns[table]++;
        place_attributes(w, table, w->shape->attribute[a].first, a);
        if (a == w->shape->table[table].attribute) {
            up = a; /* the others are below the first */
        }
    }
}

/* `up`: the attribute whose node is above those of the table. */
static void place_tables(writing *w, size_t table, size_t above, size_t up)
{
    const size_t first = w->shape->table[table].attribute;

    w->above[table] = above;
    place_attributes(w, table, first, up);
    for (size_t t = w->shape->table[table].first; t != KN_NO_PART; t = w->shape->table[t].next) {
        place_tables(w, t, table, first == KN_NO_PART ? up : first);
    }
}

static kn_status check_classes(const writing *w, kn_error *err)
{
    for (uint16_t c = 0; c < w->f->classes.len; c++) {
        uint32_t begin, end;
        kn__forest_class_values(w->f, c, &begin, &end);
        if (begin < end && w->place[c].table == KN_NO_PART) {
            return kn__fail(
                err, KN_EUSAGE,
                "the trees have values of class '%.80s', which --tree names in no table",
                w->f->classes.name[c]);
        }
        if (begin < end && !*w->f->text[begin]) {
            return kn__fail(err, KN_EUSAGE,
                            "class '%.80s' has an empty value, which a table could not tell from a "
                            "missing one: write .trees, JSON or XML",
                            w->f->classes.name[c]);
        }
    }
    return KN_OK;
}

static kn_status prepare(writing *w, const char *notation, kn_error *err)
{
    size_t tables;

    KN_PASS(kn__tree_shape_parse(&w->shape, notation, err));
    tables = w->shape->tables;
    w->above = kn__malloc_array(tables, sizeof *w->above);
    w->columns = kn__zalloc_array(tables, sizeof *w->columns);
    w->up = kn__malloc_array(w->shape->attributes, sizeof *w->up);
    w->class_of = kn__malloc_array(w->shape->attributes, sizeof *w->class_of);
    w->place = kn__malloc_array(w->f->classes.len, sizeof *w->place);
    w->out = kn__zalloc_array(tables, sizeof *w->out);
    w->sink = kn__zalloc_array(tables, sizeof(kn_sink *));
    w->next = kn__zalloc_array(tables, sizeof *w->next);
    KN_PASS(w->above && w->columns && w->up && w->class_of && w->place && w->out && w->sink &&
                    w->next
                ? KN_OK
                : kn__nomem(err));
    for (size_t c = 0; c < w->f->classes.len; c++) {
        w->place[c] = (place){KN_NO_PART, 0, KN_NO_PART};
    }
    for (size_t i = 0; i < tables; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(w->shape->table[i].name, w->shape->table[j].name) == 0) {
                KN_PASS(kn__fail(err, KN_EUSAGE, "--tree names table '%.80s' twice",
                                 w->shape->table[i].name));
            }
        }
        if (strchr(w->shape->table[i].name, '/')) {
            KN_PASS(kn__fail(err, KN_EUSAGE, "table '%.80s': no file can be called so",
                             w->shape->table[i].name));
        }
    }
    place_tables(w, 0, KN_NO_PART, KN_NO_PART);
    return check_classes(w, err);
}

/* ---- rows ---- */

static kn_status new_row(writing *w, size_t table, uint32_t above, uint32_t *out, kn_error *err)
{
    const size_t columns = w->columns[table];

    KN_PASS(kn__grow(&w->rows, &w->rows_cap, w->rows_count + 1, sizeof *w->rows, err));
    KN_PASS(
        kn__grow(&w->cells, &w->cells_cap, w->cells_count + columns + 1, sizeof *w->cells, err));
    *out = (uint32_t)w->rows_count;
    w->rows[w->rows_count++] = (row){table, above, w->cells_count, ++w->next[table]};
    for (size_t i = 0; i < columns; i++) {
        w->cells[w->cells_count++] = KN_NO_VALUE;
    }
    return KN_OK;
}

/* A row of `table` below `from`, with rows without values for the tables between. */
static kn_status row_below(writing *w, size_t table, uint32_t from, uint16_t class_, uint32_t *out,
                           kn_error *err)
{
    uint32_t above = from;

    if (w->above[table] == KN_NO_PART) {
        return kn__fail(err, KN_EUSAGE,
                        "record %zu: a value of class '%.80s' stands below another, or the record "
                        "has several: table '%.80s' holds one per person",
                        w->record + 1, w->f->classes.name[class_], w->shape->table[table].name);
    }
    if (w->above[table] != w->rows[from].table) {
        KN_PASS(row_below(w, w->above[table], from, class_, &above, err));
    }
    return new_row(w, table, above, out, err);
}

/* By node of the record: whether no sibling has its class. Siblings are ordered by their codes, so
 * those of a class follow each other. */
static kn_status find_alone(writing *w, const uint32_t *value, const uint32_t *parent, uint32_t n,
                            kn_error *err)
{
    uint32_t root = NO_ROW; /* the last child so far of the person, and of each node */

    KN_PASS(kn__grow(&w->alone, &w->alone_cap, (size_t)n + 1, sizeof *w->alone, err));
    KN_PASS(kn__grow(&w->last, &w->last_cap, (size_t)n + 1, sizeof *w->last, err));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *before = parent[i] == KN_NO_PARENT ? &root : &w->last[parent[i]];
        w->last[i] = NO_ROW;
        w->alone[i] = *before == NO_ROW ||
                      w->f->value_class[value[*before]] != w->f->value_class[value[i]];
        if (!w->alone[i]) {
            w->alone[*before] = false;
        }
        *before = i;
    }
    return KN_OK;
}

/* A copy of row `from`, for the second value of a class: what is above the node in the same table,
 * which are its ancestors. */
static kn_status copy_row(writing *w, uint32_t from, const uint32_t *value, const uint32_t *parent,
                          uint32_t node, uint32_t *out, kn_error *err)
{
    const size_t table = w->rows[from].table;

    KN_PASS(new_row(w, table, w->rows[from].above, out, err));
    for (uint32_t up = parent[node]; up != KN_NO_PARENT; up = parent[up]) {
        const place *p = &w->place[w->f->value_class[value[up]]];
        if (p->table == table) {
            w->cells[w->rows[*out].cells + p->column] = value[up];
        }
    }
    return KN_OK;
}

/* In the notation, too, the class of `value` is below that of its parent; else a table would claim
 * another relation. */
static kn_status check_relation(const writing *w, uint32_t above, uint32_t value, kn_error *err)
{
    const uint16_t upper = w->f->value_class[above], lower = w->f->value_class[value];
    size_t a = w->up[w->place[lower].attribute];

    while (a != KN_NO_PART && a != w->place[upper].attribute) {
        a = w->up[a];
    }
    return a != KN_NO_PART
               ? KN_OK
               : kn__fail(err, KN_EUSAGE,
                          "record %zu: a value of class '%.80s' stands below one of class '%.80s', "
                          "where --tree has no place for it",
                          w->record + 1, w->f->classes.name[lower], w->f->classes.name[upper]);
}

/* A relation of node `i` that the record does not have and that its row, were it `at` or below it,
 * would claim: the class of the ancestor, or SIZE_MAX. Read again, a row relates its values to all
 * that the rows above it and its own first attributes hold. */
static size_t false_ancestor(const writing *w, const uint32_t *value, const uint32_t *parent,
                             uint32_t i, uint32_t at)
{
    for (size_t a = w->up[w->place[w->f->value_class[value[i]]].attribute]; a != KN_NO_PART;
         a = w->up[a]) {
        const place *p = w->class_of[a] == SIZE_MAX ? NULL : &w->place[w->class_of[a]];
        uint32_t r = at, up = parent[i];
        while (p && r != NO_ROW && w->rows[r].table != p->table) {
            r = w->rows[r].above;
        }
        if (!p || r == NO_ROW || w->cells[w->rows[r].cells + p->column] == KN_NO_VALUE) {
            continue;
        }
        while (up != KN_NO_PARENT && value[up] != w->cells[w->rows[r].cells + p->column]) {
            up = parent[up];
        }
        if (up == KN_NO_PARENT) {
            return w->class_of[a];
        }
    }
    return SIZE_MAX;
}

static kn_status refuse_relation(const writing *w, size_t upper, uint16_t lower, kn_error *err)
{
    return kn__fail(err, KN_EUSAGE,
                    "record %zu: a value of class '%.80s' is related to the person, but not to the "
                    "value of class '%.80s', which table '%.80s' holds for the person: the tables "
                    "would state that relation again. Give that class a table of its own: '%.80s > "
                    "%.80s_of(%.80s) > ...'",
                    w->record + 1, w->f->classes.name[lower], w->f->classes.name[upper],
                    w->shape->table[0].name, w->shape->table[0].name, w->f->classes.name[upper],
                    w->f->classes.name[upper]);
}

static kn_status add_node(writing *w, const uint32_t *value, const uint32_t *parent, uint32_t i,
                          kn_error *err)
{
    const uint16_t class_ = w->f->value_class[value[i]];
    const place *p = &w->place[class_];
    const uint32_t up = parent[i] == KN_NO_PARENT ? 0 : w->row_of[parent[i]];
    const size_t wrong = false_ancestor(w, value, parent, i, up);
    uint32_t own = up;

    if (parent[i] != KN_NO_PARENT) {
        KN_PASS(check_relation(w, value[parent[i]], value[i], err));
    }
    if (wrong != SIZE_MAX && w->place[wrong].table == 0) {
        KN_PASS(refuse_relation(w, wrong, class_, err));
    }
    if (w->rows[up].table != p->table) {
        if (wrong != SIZE_MAX) {
            KN_PASS(copy_row(w, up, value, parent, i, &own, err));
        }
        KN_PASS(row_below(w, p->table, own, class_, &own, err));
    } else if (p->table != 0 && (wrong != SIZE_MAX || !w->alone[i] ||
                                 w->cells[w->rows[up].cells + p->column] != KN_NO_VALUE)) {
        KN_PASS(copy_row(w, up, value, parent, i, &own, err));
    } else if (w->cells[w->rows[up].cells + p->column] != KN_NO_VALUE) {
        KN_PASS(row_below(w, p->table, up, class_, &own, err)); /* refuses */
    }
    w->cells[w->rows[own].cells + p->column] = value[i];
    w->row_of[i] = own;
    return KN_OK;
}

/* All nodes are placed: whatever the order of the classes, no row may claim a relation that the
 * record does not have. */
static kn_status verify(const writing *w, const uint32_t *value, const uint32_t *parent, uint32_t n,
                        kn_error *err)
{
    for (uint32_t i = 0; i < n; i++) {
        const size_t wrong = false_ancestor(w, value, parent, i, w->row_of[i]);
        if (wrong != SIZE_MAX) {
            return refuse_relation(w, wrong, w->f->value_class[value[i]], err);
        }
    }
    return KN_OK;
}

static void put_rows(writing *w, const kn_layout *layout)
{
    for (size_t i = 0; i < w->rows_count; i++) {
        const row *r = &w->rows[i];
        kn_buffer *out = &w->out[r->table];
        kn__buffer_addf(out, "%llu", (unsigned long long)r->id);
        if (r->above != NO_ROW) {
            kn__buffer_addf(out, ",%llu", (unsigned long long)w->rows[r->above].id);
        }
        for (size_t c = 0; c < w->columns[r->table]; c++) {
            const uint32_t code = w->cells[r->cells + c];
            kn__buffer_addc(out, ',');
            if (code != KN_NO_VALUE) {
                (void)kn__csv_put(layout, w->f->text[code], strlen(w->f->text[code]), out);
            }
        }
        kn__buffer_addc(out, '\n');
    }
}

static kn_status add_record(writing *w, const kn_layout *layout, kn_error *err)
{
    const uint32_t n = kn__forest_size(w->f, w->record);
    const uint32_t *value = w->f->value + w->f->starts[w->record];
    const uint32_t *parent = w->f->parent + w->f->starts[w->record];
    uint32_t person;

    w->rows_count = w->cells_count = 0;
    KN_PASS(kn__grow(&w->row_of, &w->row_of_cap, (size_t)n + 1, sizeof *w->row_of, err));
    KN_PASS(find_alone(w, value, parent, n, err));
    KN_PASS(new_row(w, 0, NO_ROW, &person, err));
    for (uint32_t i = 0; i < n; i++) {
        KN_PASS(add_node(w, value, parent, i, err));
    }
    KN_PASS(verify(w, value, parent, n, err));
    put_rows(w, layout);
    return KN_OK;
}

/* ---- files ---- */

static void put_names(writing *w, const kn_layout *layout, kn_buffer *out, size_t first)
{
    for (size_t a = first; a != KN_NO_PART; a = w->shape->attribute[a].next) {
        const char *name = w->shape->classes.name[w->shape->attribute[a].class_];
        kn__buffer_addc(out, ',');
        (void)kn__csv_put(layout, name, strlen(name), out);
        put_names(w, layout, out, w->shape->attribute[a].first);
    }
}

static kn_status open_files(writing *w, const kn_layout *layout, const char *folder, kn_error *err)
{
    kn_buffer path = {0};
    kn_status status = KN_OK;

    for (size_t t = 0; t < w->shape->tables; t++) {
        const char *name = w->shape->table[t].name;
        path.len = 0;
        kn__buffer_addf(&path, "%s/%s.csv", folder, name);
        KN_TRY(path.failed ? kn__nomem(err) : KN_OK);
        KN_TRY(kn__sink_open(&w->sink[t], path.data, KN_COMPRESSION_NONE, err));
        kn__buffer_addf(&w->out[t], "%s_id", name);
        if (w->above[t] != KN_NO_PART) {
            kn__buffer_addf(&w->out[t], ",%s_id", w->shape->table[w->above[t]].name);
        }
        put_names(w, layout, &w->out[t], w->shape->table[t].attribute);
        kn__buffer_addc(&w->out[t], '\n');
    }
done:
    kn__buffer_free(&path);
    return status;
}

/* Write what has gathered. */
static kn_status drain(writing *w, kn_error *err)
{
    for (size_t t = 0; t < w->shape->tables; t++) {
        KN_PASS(w->out[t].failed ? kn__nomem(err)
                                 : kn__sink_write(w->sink[t], w->out[t].data, w->out[t].len, err));
        w->out[t].len = 0;
    }
    return KN_OK;
}

kn_status kn_trees_write_tables(const kn_dataset *trees, const char *notation, const char *folder,
                                const kn_run *run, kn_error *err)
{
    KN_NEED(err, trees, notation, folder);

    const kn_layout layout = {.format = KN_FORMAT_CSV, .separator = ','};
    kn_forest *own = NULL;
    writing w = {0};
    bool made = false; /* the folder, by this call */
    kn_status status;

    if (!trees->forest) {
        return kn__fail(err, KN_EUSAGE, "this table has no tree records to make tables of");
    }
    KN_TRY(kn__dataset_published_forest(trees, &w.f, &own, err));
    KN_TRY(prepare(&w, notation, err));
    KN_TRY(kn__folder_make(folder, &made, err));
    KN_TRY(open_files(&w, &layout, folder, err));
    for (; w.record < w.f->records; w.record++) {
        if (w.record % 4096 == 0) {
            KN_TRY(kn__run_step(run, "write", (double)w.record / (double)w.f->records, err));
            KN_TRY(drain(&w, err));
        }
        KN_TRY(add_record(&w, &layout, err));
    }
    KN_TRY(drain(&w, err));
    for (size_t t = 0; t < w.shape->tables; t++) {
        KN_TRY(kn__sink_finish(w.sink[t], err));
    }
    KN_TRY(kn__sinks_commit(w.sink, w.shape->tables, err));
done:
    clear(&w);
    if (status != KN_OK && made) {
        (void)rmdir(folder);
    }
    kn__forest_free(own);
    return status;
}
