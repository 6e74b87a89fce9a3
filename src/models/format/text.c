/* text.c - a model for people: an indented tree, a table of centres, a list of rules. */
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "models/format/formats.h"
#include "models/tree/iterate.h"
#include "models/describe.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Control characters of the data must not reach a terminal. */
static void add_plain(kn_buffer *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        kn__buffer_addc(out, c < ' ' || c == 0x7f ? ' ' : text[i]);
    }
}

static void add_value(kn_buffer *out, const kn_dict *d, uint32_t code)
{
    size_t len;
    const char *text = kn__dict_text(d, code, &len);

    add_plain(out, text, len);
}

static void add_words(kn_buffer *out, kn_buffer *words)
{
    if (!words->failed && words->data) {
        add_plain(out, words->data, words->len);
    }
    out->failed |= words->failed;
    kn__buffer_free(words);
}

/* ---- trees ---- */

static void add_population(kn_buffer *out, const kn_dict *classes, const kn_tree_node *n)
{
    uint64_t records = 0;
    bool first = true;

    for (uint32_t c = 0; c < classes->len; c++) {
        records += n->population[c];
    }
    kn__buffer_addf(out, "  (%" PRIu64 " record%s", records, records == 1 ? "" : "s");
    for (uint32_t c = 0; c < classes->len; c++) {
        if (n->population[c]) {
            kn__buffer_adds(out, first ? ": " : ", ");
            kn__buffer_addf(out, "%" PRIu64 " ", n->population[c]);
            add_value(out, classes, c);
            first = false;
        }
    }
    kn__buffer_addc(out, ')');
}

static void add_node(kn_buffer *out, const kn_model *m, uint32_t number, unsigned depth)
{
    const kn_tree_node *n = &m->tree.node[number];
    const kn_dict *classes = m->attribute[m->tree.class_attribute].values;
    kn_buffer words = {0};

    for (unsigned i = 0; i < depth; i++) {
        kn__buffer_adds(out, "  ");
    }
    if (n->parent == KN_NO_CODE) {
        kn__buffer_adds(out, "everybody");
    } else if (n->label && m->tree.node[n->parent].attribute != KN_NO_CODE) {
        const char *name = m->attribute[m->tree.node[n->parent].attribute].name;
        add_plain(out, name, strlen(name));
        kn__buffer_adds(out, " = ");
        add_plain(out, n->label, strlen(n->label));
    } else {
        kn__test_words(m, &n->test, &words);
        add_words(out, &words);
    }
    if (n->children == 0 || m->tree.when_missing == KN_TREE_MISSING_STAYS || m->tree.last_answer) {
        if (n->answer != KN_NO_CODE) {
            kn__buffer_adds(out, n->children ? ": otherwise " : ": ");
            add_value(out, classes, n->answer);
        }
    }
    if (n->population) {
        add_population(out, classes, n);
    }
    kn__buffer_addc(out, '\n');
}

static void add_tree(kn_buffer *out, const kn_model *m)
{
    const kn_tree *t = &m->tree;
    const char *class_name = m->attribute[t->class_attribute].name;
    unsigned depth = 0;
    size_t leaves = 0;

    for (size_t i = 0; i < t->nodes; i++) {
        leaves += t->node[i].children == 0;
    }
    kn__buffer_adds(out, "Decision tree that predicts ");
    add_plain(out, class_name, strlen(class_name));
    kn__buffer_addf(out, ", %zu %s\n\n", leaves, leaves == 1 ? "leaf" : "leaves");
    for (uint32_t n = 0; n != KN_NO_CODE; n = kn__tree_step(t, n, true, &depth)) {
        add_node(out, m, n, depth);
    }
}

/* ---- clusters ---- */

/* Cell of the table: row 0 is the head; columns are the cluster, its records, the attributes. */
static void add_cell(kn_buffer *out, const kn_model *m, size_t row, size_t column)
{
    static const char *const first[] = {"cluster", "records"};
    const kn_centroids *c = &m->centres;
    const size_t i = row - 1, at = i * m->attributes + column - 2;

    if (row == 0) {
        const char *name = column < 2 ? first[column] : m->attribute[column - 2].name;
        add_plain(out, name, strlen(name));
    } else if (column == 0) {
        kn__buffer_addf(out, "%zu", row);
        if (c->name && c->name[i]) {
            kn__buffer_addc(out, ' ');
            add_plain(out, c->name[i], strlen(c->name[i]));
        }
    } else if (column == 1) {
        if (c->population) {
            kn__buffer_addf(out, "%" PRIu64, c->population[i]);
        } else {
            kn__buffer_addc(out, '?');
        }
    } else if (m->attribute[column - 2].values ? c->value[at] == KN_NO_CODE
                                               : isnan(c->number[at])) {
        kn__buffer_adds(out, "(missing)");
    } else if (m->attribute[column - 2].values) {
        add_value(out, m->attribute[column - 2].values, c->value[at]);
    } else {
        kn__attribute_number_words(&m->attribute[column - 2], kn__rounded(c->number[at], 6), out);
    }
}

static kn_status add_clusters(kn_buffer *out, const kn_model *m, kn_error *err)
{
    const size_t columns = m->attributes + 2;
    size_t *width = kn__zalloc_array(columns, sizeof *width);
    kn_buffer cell = {0};

    KN_PASS(width ? KN_OK : kn__nomem(err));
    kn__buffer_addf(out, "%zu cluster%s, each record to the nearest centre\n\n", m->centres.count,
                    m->centres.count == 1 ? "" : "s");
    /* once to measure, once to write */
    for (size_t i = 0; i < 2 * (m->centres.count + 1) && !cell.failed; i++) {
        const bool write = i > m->centres.count;
        for (size_t column = 0; column < columns && !cell.failed; column++) {
            size_t own;
            cell.len = 0;
            add_cell(&cell, m, write ? i - m->centres.count - 1 : i, column);
            own = cell.failed ? 0 : kn__utf8_length(cell.data, cell.len);
            width[column] = own > width[column] ? own : width[column];
            if (write && !cell.failed) {
                kn__buffer_add(out, cell.data, cell.len);
                for (; column + 1 < columns && own < width[column] + 2; own++) {
                    kn__buffer_addc(out, ' ');
                }
            }
        }
        kn__buffer_adds(out, write ? "\n" : "");
    }
    out->failed |= cell.failed;
    kn__buffer_free(&cell);
    kn__free(width);
    return KN_OK;
}

/* ---- rules ---- */

static void add_side(kn_buffer *out, const kn_rules *r, const uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kn__buffer_adds(out, i ? ", " : "");
        add_value(out, r->items, items[i]);
        kn__buffer_adds(out, r->hidden && r->hidden[items[i]] ? " (private)" : "");
    }
    kn__buffer_adds(out, count ? "" : "(anything)");
}

static void add_rules(kn_buffer *out, const kn_model *m)
{
    const kn_rules *r = &m->rules;

    kn__buffer_addf(out, "%zu association rule%s", r->count, r->count == 1 ? "" : "s");
    if (r->records) {
        kn__buffer_addf(out, ", mined from %" PRIu64 " records", r->records);
    }
    kn__buffer_adds(out, "\n\n");
    for (size_t i = 0; i < r->count; i++) {
        const kn_rule *rule = &r->rule[i];
        kn__buffer_addf(out, "%zu. ", i + 1);
        add_side(out, r, rule->left, rule->left_count);
        kn__buffer_adds(out, " => ");
        add_side(out, r, rule->right, rule->right_count);
        if (!isnan(rule->support)) {
            kn__buffer_adds(out, "  support ");
            kn__model_number(out, kn__rounded(rule->support, 4));
        }
        if (!isnan(rule->confidence)) {
            kn__buffer_adds(out, "  confidence ");
            kn__model_number(out, kn__rounded(rule->confidence, 4));
        }
        if (rule->lift > 0) {
            kn__buffer_adds(out, "  lift ");
            kn__model_number(out, kn__rounded(rule->lift, 4));
        }
        kn__buffer_addc(out, '\n');
    }
}

kn_status kn__model_text(const kn_model *m, kn_buffer *out, kn_error *err)
{
    kn_status st = KN_OK;

    switch (m->kind) {
    case KN_MODEL_TREE: add_tree(out, m); break;
    case KN_MODEL_CLUSTERS: st = add_clusters(out, m, err); break;
    case KN_MODEL_RULES: add_rules(out, m); break;
    }
    return st == KN_OK && out->failed ? kn__nomem(err) : st;
}
