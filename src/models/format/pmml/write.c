/* write.c - a model as PMML 4.4 that other tools score as kanon does.
 *
 * Values that the model does not know are no errors (invalidValueTreatment asIs): they fail the
 * tests that name them. What only kanon knows, such as which attributes are private, stands in
 * Extension elements, which do not change what the model does. */
#include "base/error.h"
#include "data/value.h"
#include "models/format/formats.h"
#include "models/format/pmml/write.h"

#include <math.h>
#include <string.h>

/* ---- XML ---- */

void kn__out_bytes(kn_buffer *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        switch (text[i]) {
        case '&': kn__buffer_adds(out, "&amp;"); break;
        case '<': kn__buffer_adds(out, "&lt;"); break;
        case '>': kn__buffer_adds(out, "&gt;"); break;
        case '"': kn__buffer_adds(out, "&quot;"); break;
        case '\t':
        case '\n':
        case '\r': kn__buffer_addf(out, "&#%d;", text[i]); break;
        default: kn__buffer_addc(out, text[i]);
        }
    }
}

void kn__out_attribute(kn_buffer *out, const char *name, const char *text, size_t len)
{
    kn__buffer_addf(out, " %s=\"", name);
    kn__out_bytes(out, text, len);
    kn__buffer_addc(out, '"');
}

void kn__out_text(kn_buffer *out, const char *name, const char *text)
{
    kn__out_attribute(out, name, text, strlen(text));
}

void kn__out_value(kn_buffer *out, const char *name, const kn_dict *d, uint32_t code)
{
    size_t len;
    const char *text = kn__dict_text(d, code, &len);

    kn__out_attribute(out, name, text, len);
}

void kn__out_number(kn_buffer *out, const char *name, double value)
{
    kn__buffer_addf(out, " %s=\"", name);
    kn__model_number(out, value);
    kn__buffer_addc(out, '"');
}

void kn__out_extension(kn_buffer *out, const char *name, const char *value)
{
    kn__buffer_addf(out, "<Extension extender=\"kanon\" name=\"%s\"", name);
    kn__out_text(out, "value", value);
    kn__buffer_adds(out, "/>");
}

bool kn__out_can_hold(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') ||
            /* U+FFFE and U+FFFF */
            (c == 0xef && i + 2 < len && (unsigned char)text[i + 1] == 0xbf &&
             (unsigned char)text[i + 2] >= 0xbe)) {
            return false;
        }
    }
    return kn__utf8_valid(text, len, NULL);
}

static kn_status all_hold(const kn_dict *d, const char *what, kn_error *err)
{
    for (uint32_t i = 0; d && i < d->len; i++) {
        size_t len;
        const char *text = kn__dict_text(d, i, &len);
        if (!kn__out_can_hold(text, len)) {
            return kn__fail(err, KN_EINPUT,
                            "%s has a value with a character that XML cannot hold, so there is no "
                            "PMML of this model; JSON would do",
                            what);
        }
    }
    return KN_OK;
}

static kn_status all_names_hold(const kn_model *m, kn_error *err)
{
    kn_status st = KN_OK;

    for (size_t i = 0; i < m->attributes && st == KN_OK; i++) {
        const kn_attribute *a = &m->attribute[i];
        st = kn__out_can_hold(a->name, strlen(a->name))
                 ? all_hold(a->values, "an attribute", err)
                 : kn__fail(err, KN_EINPUT,
                            "an attribute's name has a character that XML cannot hold, so there is "
                            "no PMML of this model; JSON would do");
    }
    return st == KN_OK && m->kind == KN_MODEL_RULES ? all_hold(m->rules.items, "an item", err) : st;
}

/* ---- fields ---- */

static bool whole_numbers(const kn_test *t, uint32_t attribute)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        if (!whole_numbers(&t->parts[i], attribute)) {
            return false;
        }
    }
    return t->kind < KN_TEST_LESS || t->kind > KN_TEST_NOT_EQUAL || t->attribute != attribute ||
           t->number == floor(t->number);
}

/* Readers that are strict compare an integer with integers only. */
static bool compared_with_integers(const kn_model *m, uint32_t attribute)
{
    for (size_t i = 0; m->kind == KN_MODEL_TREE && i < m->tree.nodes; i++) {
        if (!whole_numbers(&m->tree.node[i].test, attribute)) {
            return false;
        }
    }
    return true;
}

void kn__out_date(kn_buffer *out, const char *name, double days)
{
    kn__buffer_addf(out, " %s=\"", name);
    kn__date_format(out, days);
    kn__buffer_addc(out, '"');
}

/* The ends of an Interval are numbers: of dates that are written as such there is none. */
static void add_range(kn_buffer *out, const kn_model *m, const kn_attribute *a)
{
    if (a->low > a->high || (a->type == KN_TYPE_DATE && m->kind == KN_MODEL_TREE)) {
        return;
    }
    kn__buffer_adds(out, "<Interval closure=\"closedClosed\"");
    kn__out_number(out, "leftMargin", a->low);
    kn__out_number(out, "rightMargin", a->high);
    kn__buffer_adds(out, "/>");
}

static const char *data_type(const kn_model *m, uint32_t i)
{
    const kn_type type = m->attribute[i].type;

    if (type == KN_TYPE_CATEGORY) {
        return "string";
    }
    if (type == KN_TYPE_DATE) {
        return m->kind == KN_MODEL_TREE ? "date" : "dateDaysSince[1970]";
    }
    return type == KN_TYPE_INTEGER && compared_with_integers(m, i) ? "integer" : "double";
}

static void add_field(kn_buffer *out, const kn_model *m, uint32_t i)
{
    const kn_attribute *a = &m->attribute[i];

    kn__buffer_adds(out, "  <DataField");
    kn__out_text(out, "name", a->name);
    kn__buffer_addf(out, " optype=\"%s\" dataType=\"%s\">",
                    a->type == KN_TYPE_CATEGORY ? "categorical" : "continuous", data_type(m, i));
    if (a->hidden) {
        kn__out_extension(out, "private", "true");
    }
    for (uint32_t v = 0; a->values && v < a->values->len; v++) {
        kn__buffer_adds(out, "<Value");
        kn__out_value(out, "value", a->values, v);
        kn__buffer_adds(out, "/>");
    }
    if (!a->values) {
        add_range(out, m, a);
    }
    kn__buffer_adds(out, "</DataField>\n");
}

void kn__out_schema(kn_buffer *out, const kn_model *m)
{
    kn__buffer_adds(out, "  <MiningSchema>\n");
    for (uint32_t i = 0; i < m->attributes; i++) {
        const bool target = m->kind == KN_MODEL_TREE && m->tree.class_attribute == i;
        kn__buffer_adds(out, "   <MiningField");
        kn__out_text(out, "name", m->attribute[i].name);
        kn__buffer_adds(out, target ? " usageType=\"target\"/>\n"
                                    : " invalidValueTreatment=\"asIs\"/>\n");
    }
    kn__buffer_adds(out, "  </MiningSchema>\n");
}

void kn__out_promise(kn_buffer *out, const kn_model_promise *p)
{
    kn_buffer number = {0};
    const struct {
        const char *name;
        double value;
    } all[] = {{"k", (double)p->k}, {"l", p->l}, {"inference", p->inference}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].value != 0) {
            number.len = 0;
            kn__model_number(&number, all[i].value);
            kn__buffer_adds(out, "  ");
            kn__out_extension(out, all[i].name, number.failed ? "" : number.data);
            kn__buffer_addc(out, '\n');
        }
    }
    out->failed |= number.failed;
    kn__buffer_free(&number);
}

/* ---- all ---- */

/* "rpart 4.1" is program "rpart", version "4.1". */
static void add_header(kn_buffer *out, const kn_model *m)
{
    const char *blank = m->made_by ? strrchr(m->made_by, ' ') : NULL;

    kn__buffer_adds(out, " <Header>");
    if (m->made_by && kn__out_can_hold(m->made_by, strlen(m->made_by))) {
        kn__buffer_adds(out, "<Application");
        kn__out_attribute(out, "name", m->made_by,
                          blank ? (size_t)(blank - m->made_by) : strlen(m->made_by));
        if (blank) {
            kn__out_text(out, "version", blank + 1);
        }
        kn__buffer_adds(out, "/>");
    }
    kn__buffer_adds(out, "</Header>\n");
}

kn_status kn__model_pmml(const kn_model *m, kn_buffer *out, kn_error *err)
{
    const size_t before = out->len;
    kn_status st = all_names_hold(m, err);

    if (st != KN_OK) {
        return st;
    }
    kn__buffer_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n");
    add_header(out, m);
    kn__buffer_addf(out, " <DataDictionary numberOfFields=\"%zu\">\n",
                    m->kind == KN_MODEL_RULES ? 2 : m->attributes);
    for (uint32_t i = 0; i < m->attributes; i++) {
        add_field(out, m, i);
    }
    if (m->kind == KN_MODEL_RULES) {
        kn__buffer_adds(
            out, "  <DataField name=\"transaction\" optype=\"categorical\" dataType=\"string\"/>\n"
                 "  <DataField name=\"item\" optype=\"categorical\" dataType=\"string\"/>\n");
    }
    kn__buffer_adds(out, " </DataDictionary>\n");
    switch (m->kind) {
    case KN_MODEL_TREE: st = kn__out_tree(out, m, err); break;
    case KN_MODEL_CLUSTERS: st = kn__out_clusters(out, m, err); break;
    case KN_MODEL_RULES: st = kn__out_rules(out, m, err); break;
    }
    kn__buffer_adds(out, "</PMML>\n");
    if (st == KN_OK && out->failed) {
        st = kn__nomem(err);
    }
    if (st != KN_OK && !out->failed) {
        out->len = before;
        kn__buffer_add(out, "", 0);
    }
    return st;
}
