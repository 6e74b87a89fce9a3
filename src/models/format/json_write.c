/* json_write.c - a model as JSON: one node, centre or rule a line, so that versions compare well.
 */
#include "base/error.h"
#include "io/format/json_text.h"
#include "models/format/formats.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add_text(kn_buffer *out, const char *text)
{
    kn__json_quote(out, text, strlen(text));
}

static void add_value(kn_buffer *out, const kn_dict *d, uint32_t code)
{
    size_t len;
    const char *text = kn__dict_text(d, code, &len);

    kn__json_quote(out, text, len);
}

/* ,"key": */
static void add_key(kn_buffer *out, const char *key)
{
    kn__buffer_addf(out, ", \"%s\": ", key);
}

static void add_count(kn_buffer *out, const char *key, uint64_t count)
{
    add_key(out, key);
    kn__buffer_addf(out, "%" PRIu64, count);
}

static void add_attribute(kn_buffer *out, const kn_attribute *a)
{
    kn__buffer_adds(out, "{\"name\": ");
    add_text(out, a->name);
    add_key(out, "type");
    add_text(out, kn_type_name(a->type));
    add_key(out, "private");
    kn__buffer_adds(out, a->hidden ? "true" : "false");
    if (a->values) {
        add_key(out, "values");
        kn__buffer_addc(out, '[');
        for (uint32_t i = 0; i < a->values->len; i++) {
            kn__buffer_adds(out, i ? ", " : "");
            add_value(out, a->values, i);
        }
        kn__buffer_addc(out, ']');
    } else if (a->low <= a->high) {
        add_key(out, "low");
        kn__model_number(out, a->low);
        add_key(out, "high");
        kn__model_number(out, a->high);
    }
    if (a->weight != 1) {
        add_key(out, "weight");
        kn__model_number(out, a->weight);
    }
    kn__buffer_addc(out, '}');
}

/* ---- trees ---- */

static const char *const kinds[] = {"true", "false", "<",   "<=",         ">",       ">=",
                                    "=",    "!=",    "in",  "not in",     "missing", "not missing",
                                    "and",  "or",    "xor", "first known"};

static void add_test(kn_buffer *out, const kn_model *m, const kn_test *t)
{
    const bool has_parts = t->kind >= KN_TEST_AND;

    kn__buffer_addf(out, "{\"is\": \"%s\"", kinds[t->kind]);
    if (!has_parts && t->kind != KN_TEST_TRUE && t->kind != KN_TEST_FALSE) {
        add_key(out, "attribute");
        add_text(out, m->attribute[t->attribute].name);
    }
    if (t->kind >= KN_TEST_LESS && t->kind <= KN_TEST_NOT_EQUAL) {
        add_key(out, "number");
        kn__model_number(out, t->number);
    }
    if (t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) {
        add_key(out, "values");
        kn__buffer_addc(out, '[');
        for (size_t i = 0; i < t->values_count; i++) {
            kn__buffer_adds(out, i ? ", " : "");
            add_value(out, m->attribute[t->attribute].values, t->values[i]);
        }
        kn__buffer_addc(out, ']');
    }
    if (has_parts) {
        add_key(out, "parts");
        kn__buffer_addc(out, '[');
        for (size_t i = 0; i < t->parts_count; i++) {
            kn__buffer_adds(out, i ? ", " : "");
            add_test(out, m, &t->parts[i]);
        }
        kn__buffer_addc(out, ']');
    }
    kn__buffer_addc(out, '}');
}

static void add_node(kn_buffer *out, const kn_model *m, const kn_tree_node *n)
{
    const kn_attribute *c = &m->attribute[m->tree.class_attribute];

    kn__buffer_adds(out, "{\"parent\": ");
    if (n->parent == KN_NO_CODE) {
        kn__buffer_adds(out, "null");
    } else {
        kn__buffer_addf(out, "%" PRIu32, n->parent);
    }
    add_key(out, "test");
    add_test(out, m, &n->test);
    if (n->label) {
        add_key(out, "label");
        add_text(out, n->label);
    }
    if (n->attribute != KN_NO_CODE) {
        add_key(out, "split");
        add_text(out, m->attribute[n->attribute].name);
    }
    if (n->missing != KN_NO_CODE) {
        add_count(out, "missing_to", n->missing);
    }
    if (n->answer != KN_NO_CODE) {
        add_key(out, "answer");
        add_value(out, c->values, n->answer);
    }
    if (n->population) {
        add_key(out, "population");
        kn__buffer_addc(out, '[');
        for (uint32_t i = 0; i < c->values->len; i++) {
            kn__buffer_addf(out, "%s%" PRIu64, i ? ", " : "", n->population[i]);
        }
        kn__buffer_addc(out, ']');
    }
    kn__buffer_addc(out, '}');
}

static void add_tree(kn_buffer *out, const kn_model *m)
{
    static const char *const missing[] = {"next", "child", "stays", "nothing"};
    const kn_tree *t = &m->tree;

    kn__buffer_adds(out, " \"class\": ");
    add_text(out, m->attribute[t->class_attribute].name);
    kn__buffer_addf(out, ",\n \"missing\": \"%s\",\n \"last_answer\": %s,\n \"nodes\": [",
                    missing[t->when_missing], t->last_answer ? "true" : "false");
    for (size_t i = 0; i < t->nodes; i++) {
        kn__buffer_adds(out, i ? ",\n  " : "\n  ");
        add_node(out, m, &t->node[i]);
    }
    kn__buffer_adds(out, "\n ]");
}

/* ---- clusters ---- */

static void add_centre(kn_buffer *out, const kn_model *m, size_t centre)
{
    const kn_centroids *c = &m->centres;

    kn__buffer_adds(out, "{\"at\": [");
    for (size_t a = 0; a < m->attributes; a++) {
        const size_t at = centre * m->attributes + a;
        kn__buffer_adds(out, a ? ", " : "");
        if (m->attribute[a].values ? c->value[at] == KN_NO_CODE : isnan(c->number[at])) {
            kn__buffer_adds(out, "null");
        } else if (m->attribute[a].values) {
            add_value(out, m->attribute[a].values, c->value[at]);
        } else {
            kn__model_number(out, c->number[at]);
        }
    }
    kn__buffer_addc(out, ']');
    if (c->name && c->name[centre]) {
        add_key(out, "name");
        add_text(out, c->name[centre]);
    }
    if (c->population) {
        add_count(out, "population", c->population[centre]);
    }
    kn__buffer_addc(out, '}');
}

static void add_centres(kn_buffer *out, const kn_model *m)
{
    kn__buffer_adds(out, " \"scales\": [");
    for (size_t a = 0; a < m->attributes; a++) {
        kn__buffer_adds(out, a ? ", " : "");
        kn__model_number(out, m->centres.scale[a]);
    }
    kn__buffer_adds(out, "],\n \"centres\": [");
    for (size_t i = 0; i < m->centres.count; i++) {
        kn__buffer_adds(out, i ? ",\n  " : "\n  ");
        add_centre(out, m, i);
    }
    kn__buffer_adds(out, "\n ]");
}

/* ---- rules ---- */

static void add_side(kn_buffer *out, const kn_rules *r, const uint32_t *items, size_t count)
{
    kn__buffer_addc(out, '[');
    for (size_t i = 0; i < count; i++) {
        kn__buffer_adds(out, i ? ", " : "");
        add_value(out, r->items, items[i]);
    }
    kn__buffer_addc(out, ']');
}

static void add_rules(kn_buffer *out, const kn_model *m)
{
    const kn_rules *r = &m->rules;

    if (r->column) {
        kn__buffer_adds(out, " \"column\": ");
        add_text(out, r->column);
        kn__buffer_adds(out, ",\n");
    }
    if (r->records) {
        kn__buffer_addf(out, " \"records\": %" PRIu64 ",\n", r->records);
    }
    kn__buffer_adds(out, " \"items\": [");
    for (uint32_t i = 0; i < r->items->len; i++) {
        kn__buffer_adds(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        add_value(out, r->items, i);
        kn__buffer_addf(out, ", \"private\": %s}", r->hidden && r->hidden[i] ? "true" : "false");
    }
    kn__buffer_adds(out, "\n ],\n \"rules\": [");
    for (size_t i = 0; i < r->count; i++) {
        const kn_rule *rule = &r->rule[i];
        kn__buffer_adds(out, i ? ",\n  {\"if\": " : "\n  {\"if\": ");
        add_side(out, r, rule->left, rule->left_count);
        kn__buffer_adds(out, ", \"then\": ");
        add_side(out, r, rule->right, rule->right_count);
        if (!isnan(rule->support)) {
            add_key(out, "support");
            kn__model_number(out, rule->support);
        }
        if (!isnan(rule->confidence)) {
            add_key(out, "confidence");
            kn__model_number(out, rule->confidence);
        }
        if (rule->lift > 0) {
            add_key(out, "lift");
            kn__model_number(out, rule->lift);
        }
        kn__buffer_addc(out, '}');
    }
    kn__buffer_adds(out, "\n ]");
}

/* ---- all ---- */

static void add_promise(kn_buffer *out, const kn_model_promise *p)
{
    if (p->k == 0 && p->l == 0 && p->inference == 0) {
        return;
    }
    kn__buffer_addf(out, " \"promise\": {\"k\": %" PRIu64, p->k);
    if (p->l != 0) {
        add_key(out, "l");
        kn__model_number(out, p->l);
    }
    if (p->inference != 0) {
        add_key(out, "inference");
        kn__model_number(out, p->inference);
    }
    kn__buffer_adds(out, "},\n");
}

kn_status kn__model_json(const kn_model *m, kn_buffer *out, kn_error *err)
{
    static const char *const names[] = {"tree", "clusters", "rules"};

    kn__buffer_addf(out, "{\n \"kanon_model\": %d,\n \"kind\": \"%s\",\n", KN_MODEL_JSON_VERSION,
                    names[m->kind]);
    if (m->made_by) {
        kn__buffer_adds(out, " \"made_by\": ");
        add_text(out, m->made_by);
        kn__buffer_adds(out, ",\n");
    }
    add_promise(out, &m->promise);
    if (m->attributes) {
        kn__buffer_adds(out, " \"attributes\": [");
        for (size_t i = 0; i < m->attributes; i++) {
            kn__buffer_adds(out, i ? ",\n  " : "\n  ");
            add_attribute(out, &m->attribute[i]);
        }
        kn__buffer_adds(out, "\n ],\n");
    }
    switch (m->kind) {
    case KN_MODEL_TREE: add_tree(out, m); break;
    case KN_MODEL_CLUSTERS: add_centres(out, m); break;
    case KN_MODEL_RULES: add_rules(out, m); break;
    }
    kn__buffer_adds(out, "\n}\n");
    return out->failed ? kn__nomem(err) : KN_OK;
}
