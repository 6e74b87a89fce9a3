/* read_fields.c - the fields of a PMML document: those of the data, how missing and odd values are
 * treated, and derived ones, which are followed back to what they are derived from. */
#include "base/error.h"
#include "base/memory.h"
#include "models/format/pmml/pmml.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 64 };

static kn_status ready(kn_pmml_reader *r, uint32_t number, const kn_xml_element *asked);

/* ---- noting them ---- */

static kn_status note_field(kn_pmml_reader *r, const kn_xml_element *e, bool derived)
{
    const char *name;
    uint32_t code;

    KN_PASS(kn__pmml_need(r, e, "name", &name));
    if (!*name) {
        return kn__pmml_refuse(r, e, "%s has an empty name", e->name);
    }
    if (kn__dict_find(r->names, name, strlen(name)) != KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "there are two fields called '%.60s'", name);
    }
    KN_PASS(kn__grow(&r->field, &r->cap, r->fields + 1, sizeof *r->field, r->err));
    KN_PASS(kn__dict_add(r->names, name, strlen(name), &code, r->err));
    r->field[r->fields++] = (kn_pmml_field){
        .name = name, .at = e, .derived = derived, .attribute = KN_NO_CODE};
    return KN_OK;
}

static kn_status note_all(kn_pmml_reader *r, const kn_xml_element *parent, const char *what,
                          bool derived)
{
    kn_status st = KN_OK;

    for (const kn_xml_element *e = parent ? kn__xml_child(parent, what) : NULL; e && st == KN_OK;
         e = kn__xml_again(e)) {
        st = note_field(r, e, derived);
    }
    return st;
}

void kn__pmml_fields_clear(kn_pmml_reader *r)
{
    for (size_t i = 0; i < r->fields; i++) {
        kn__free(r->field[i].step);
    }
    kn__free(r->field);
    kn__dict_free(r->names);
    r->field = NULL;
    r->fields = 0;
    r->names = NULL;
}

/* ---- fields of the data ---- */

kn_status kn__pmml_code(kn_pmml_reader *r, uint32_t attribute, const char *text, size_t len,
                        uint32_t *code)
{
    return kn__dict_add(r->model->attribute[attribute].values, text, len, code, r->err);
}

static kn_status add_step(kn_pmml_reader *r, kn_pmml_field *f, const kn_pmml_step *step)
{
    const kn_status st = kn__grow(&f->step, &f->steps_cap, f->steps + 1, sizeof *f->step, r->err);

    if (st == KN_OK) {
        f->step[f->steps++] = *step;
    }
    return st;
}

static kn_status type_of(const kn_pmml_reader *r, const kn_xml_element *e, kn_type *type,
                         bool *single)
{
    const char *optype, *data;

    KN_PASS(kn__pmml_need(r, e, "optype", &optype));
    KN_PASS(kn__pmml_need(r, e, "dataType", &data));
    *single = false;
    if (strcmp(optype, "categorical") == 0 || strcmp(optype, "ordinal") == 0) {
        *type = KN_TYPE_CATEGORY;
    } else if (strcmp(optype, "continuous") != 0) {
        return kn__pmml_refuse(r, e,
                               "optype '%.40s' is none of categorical, ordinal and continuous",
                               optype);
    } else if (strcmp(data, "integer") == 0) {
        *type = KN_TYPE_INTEGER;
    } else if (strcmp(data, "double") == 0 || strcmp(data, "float") == 0) {
        *type = KN_TYPE_DECIMAL;
        *single = data[0] == 'f';
    } else if (strcmp(data, "date") == 0 || strcmp(data, "dateDaysSince[1970]") == 0) {
        *type = KN_TYPE_DATE;
    } else {
        return kn__pmml_refuse(
            r, e,
            "a continuous field of dataType '%.40s' is not read: integer, float, "
            "double, date and dateDaysSince[1970] are",
            data);
    }
    return KN_OK;
}

static kn_status take_values(kn_pmml_reader *r, const kn_pmml_field *f)
{
    kn_attribute *a = &r->model->attribute[f->attribute];

    for (const kn_xml_element *e = kn__xml_child(f->at, "Value"); e; e = kn__xml_again(e)) {
        const char *value;
        uint32_t code;
        KN_PASS(kn__pmml_known(r, e, "value displayValue property", ""));
        KN_PASS(kn__pmml_need(r, e, "value", &value));
        KN_PASS(kn__pmml_only(r, e, "property", "valid"));
        if (a->values) {
            KN_PASS(kn__pmml_code(r, f->attribute, value, strlen(value), &code));
        }
    }
    for (const kn_xml_element *e = kn__xml_child(f->at, "Interval"); e; e = kn__xml_again(e)) {
        const char *left = kn__xml_get(e, "leftMargin"), *right = kn__xml_get(e, "rightMargin");
        double low = NAN, high = NAN;
        KN_PASS(kn__pmml_known(r, e, "closure leftMargin rightMargin", ""));
        if ((left && !kn__pmml_value(f->type, left, &low)) ||
            (right && !kn__pmml_value(f->type, right, &high))) {
            KN_PASS(kn__pmml_refuse(r, e, "an Interval has an end that is no number"));
        }
        if (low <= high && !a->values) {
            const bool first = a->low > a->high;
            a->low = first ? low : fmin(a->low, low);
            a->high = first ? high : fmax(a->high, high);
        }
    }
    return KN_OK;
}

/* An input or the class: an attribute of the model. */
static kn_status make_attribute(kn_pmml_reader *r, kn_pmml_field *f)
{
    bool single;

    KN_PASS(
        kn__pmml_known(r, f->at, "name displayName optype dataType isCyclic", "Value Interval"));
    KN_PASS(kn__pmml_only(r, f->at, "isCyclic", "0"));
    KN_PASS(type_of(r, f->at, &f->type, &single));
    if (f->target && f->type != KN_TYPE_CATEGORY) {
        KN_PASS(kn__pmml_refuse(
            r, f->at,
            "the predicted field '%.60s' is continuous: trees that predict a category "
            "are read, not regression",
            f->name));
    }
    KN_PASS(kn__model_append_attribute(r->model, f->name, strlen(f->name), f->type, false,
                                       &f->attribute, r->err));
    if (single) {
        KN_PASS(add_step(r, f, &(kn_pmml_step){.kind = KN_PMML_FLOAT}));
    }
    KN_PASS(take_values(r, f));
    r->model->attribute[f->attribute].hidden = kn__pmml_extension(f->at, "private") != NULL;
    f->state = KN_PMML_READY;
    return KN_OK;
}

static kn_status mining_field(kn_pmml_reader *r, const kn_xml_element *e)
{
    const char *name, *use = kn__xml_get(e, "usageType");
    kn_pmml_field *f;
    uint32_t number;
    kn_status st = kn__pmml_known(r, e,
                                  "name usageType optype importance outliers lowValue highValue "
                                  "missingValueReplacement missingValueTreatment "
                                  "invalidValueTreatment invalidValueReplacement",
                                  "");

    if (st != KN_OK || (st = kn__pmml_need(r, e, "name", &name)) != KN_OK) {
        return st;
    }
    if ((st = kn__pmml_only(r, e, "usageType",
                            "active predicted target supplementary group order frequencyWeight "
                            "analysisWeight")) != KN_OK) {
        return st;
    }
    number = kn__dict_find(r->names, name, strlen(name));
    if (number == KN_NO_CODE || r->field[number].derived) {
        return kn__pmml_refuse(r, e, "MiningField '%.60s' is not in the DataDictionary", name);
    }
    f = &r->field[number];
    if (f->mining) {
        return kn__pmml_refuse(r, e, "there are two MiningFields called '%.60s'", name);
    }
    f->mining = e;
    if (use && strcmp(use, "active") != 0) {
        f->target = strcmp(use, "predicted") == 0 || strcmp(use, "target") == 0;
        if (!f->target) {
            return KN_OK;
        }
        if (r->target != KN_NO_CODE) {
            return kn__pmml_refuse(r, e, "two fields are predicted: '%.60s' and '%.60s'",
                                   r->field[r->target].name, name);
        }
        r->target = number;
    }
    if ((st = kn__pmml_only(r, e, "outliers", "asIs")) != KN_OK ||
        (st = kn__pmml_only(r, e, "invalidValueTreatment", "asIs returnInvalid")) != KN_OK ||
        (st = kn__pmml_only(r, e, "missingValueTreatment",
                            "asIs asMean asMode asMedian asValue")) != KN_OK) {
        return st;
    }
    f->replacement = kn__xml_get(e, "missingValueReplacement");
    if (r->model->kind == KN_MODEL_RULES) {
        return KN_OK;
    }
    st = make_attribute(r, f);
    if (st == KN_OK && kn__xml_get(e, "optype")) {
        const char *optype = kn__xml_get(f->at, "optype");
        st = kn__pmml_only(r, e, "optype", optype);
    }
    return st;
}

kn_status kn__pmml_fields(kn_pmml_reader *r, const kn_xml_element *pmml,
                          const kn_xml_element *model)
{
    const kn_xml_element *data = kn__xml_child(pmml, "DataDictionary");
    const kn_xml_element *transformations = kn__xml_child(pmml, "TransformationDictionary");
    const kn_xml_element *local = kn__xml_child(model, "LocalTransformations");
    const kn_xml_element *schema = kn__xml_child(model, "MiningSchema");
    kn_status st;

    if (!data) {
        return kn__pmml_refuse(r, pmml, "there is no DataDictionary");
    }
    if (!schema) {
        return kn__pmml_refuse(r, model, "%s has no MiningSchema", model->name);
    }
    if ((st = kn__pmml_known(r, data, "numberOfFields", "DataField")) != KN_OK ||
        (transformations &&
         (st = kn__pmml_known(r, transformations, "", "DerivedField DefineFunction")) != KN_OK) ||
        (local && (st = kn__pmml_known(r, local, "", "DerivedField")) != KN_OK) ||
        (st = kn__pmml_known(r, schema, "", "MiningField")) != KN_OK ||
        (st = note_all(r, data, "DataField", false)) != KN_OK ||
        (st = note_all(r, transformations, "DerivedField", true)) != KN_OK ||
        (st = note_all(r, local, "DerivedField", true)) != KN_OK) {
        return st;
    }
    for (const kn_xml_element *e = kn__xml_child(schema, "MiningField"); e && st == KN_OK;
         e = kn__xml_again(e)) {
        st = mining_field(r, e);
    }
    return st;
}

/* ---- derived fields ---- */

static double step_value(const kn_pmml_step *s, double x)
{
    switch (s->kind) {
    case KN_PMML_ADD: return x + s->number;
    case KN_PMML_MULTIPLY: return x * s->number;
    case KN_PMML_DIVIDE: return x / s->number;
    case KN_PMML_SUBTRACT_FROM: return s->number - x;
    case KN_PMML_NORM:
        return s->to[0] + (x - s->from[0]) / (s->from[1] - s->from[0]) * (s->to[1] - s->to[0]);
    case KN_PMML_FLOAT: return (double)(float)x;
    }
    return x;
}

double kn__pmml_steps_value(const kn_pmml_field *f, double x)
{
    for (size_t i = 0; i < f->steps; i++) {
        x = step_value(&f->step[i], x);
    }
    return x;
}

bool kn__pmml_steps_turn(const kn_pmml_field *f)
{
    bool turn = false;

    for (size_t i = 0; i < f->steps; i++) {
        const kn_pmml_step *s = &f->step[i];
        const bool turns = s->kind == KN_PMML_SUBTRACT_FROM ||
                           ((s->kind == KN_PMML_MULTIPLY || s->kind == KN_PMML_DIVIDE) &&
                            s->number < 0) ||
                           (s->kind == KN_PMML_NORM &&
                            (s->from[1] > s->from[0]) != (s->to[1] > s->to[0]));
        turn ^= turns;
    }
    return turn;
}

/* `f` begins as what the field that `e` names in `key` is. */
static kn_status follow(kn_pmml_reader *r, uint32_t number, const kn_xml_element *e,
                        const char *key)
{
    const char *name;
    uint32_t from;
    kn_pmml_field *f, *source;

    KN_PASS(kn__pmml_need(r, e, key, &name));
    if (kn__xml_get(e, "mapMissingTo")) {
        return kn__pmml_refuse(r, e, "%s with mapMissingTo is not read", e->name);
    }
    from = kn__dict_find(r->names, name, strlen(name));
    if (from == KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "there is no field '%.60s'", name);
    }
    KN_PASS(ready(r, from, e));
    f = &r->field[number];
    source = &r->field[from];
    f->attribute = source->attribute;
    f->type = source->type;
    f->one_for = source->one_for;
    f->replacement = source->replacement;
    for (size_t i = 0; i < source->steps; i++) {
        KN_PASS(add_step(r, f, &source->step[i]));
    }
    return KN_OK;
}

static bool is_number(const kn_pmml_field *f)
{
    return f->type != KN_TYPE_CATEGORY && !f->one_for;
}

static kn_status norm_continuous(kn_pmml_reader *r, uint32_t number, const kn_xml_element *e)
{
    kn_pmml_step step = {.kind = KN_PMML_NORM};
    size_t count = 0;
    kn_status st = kn__pmml_known(r, e, "field mapMissingTo outliers", "LinearNorm");

    if (st != KN_OK || (st = kn__pmml_only(r, e, "outliers", "asIs")) != KN_OK ||
        (st = follow(r, number, e, "field")) != KN_OK) {
        return st;
    }
    for (const kn_xml_element *n = kn__xml_child(e, "LinearNorm"); n && st == KN_OK;
         n = kn__xml_again(n)) {
        double orig = NAN, norm = NAN;
        if ((st = kn__pmml_known(r, n, "orig norm", "")) == KN_OK &&
            (st = kn__pmml_number(r, n, "orig", &orig)) == KN_OK &&
            (st = kn__pmml_number(r, n, "norm", &norm)) == KN_OK && count < 2) {
            step.from[count] = orig;
            step.to[count] = norm;
        }
        count++;
    }
    if (st != KN_OK) {
        return st;
    }
    if (count != 2 || !(step.from[0] < step.from[1]) || isnan(step.to[0]) || isnan(step.to[1]) ||
        step.to[0] == step.to[1] || !is_number(&r->field[number])) {
        return kn__pmml_refuse(r, e,
                               "NormContinuous is read where it is a straight line through two "
                               "different points, over a number");
    }
    return add_step(r, &r->field[number], &step);
}

static kn_status norm_discrete(kn_pmml_reader *r, uint32_t number, const kn_xml_element *e)
{
    const char *value;
    kn_status st = kn__pmml_known(r, e, "field value method mapMissingTo", "");

    if (st != KN_OK || (st = kn__pmml_only(r, e, "method", "indicator")) != KN_OK ||
        (st = kn__pmml_need(r, e, "value", &value)) != KN_OK ||
        (st = follow(r, number, e, "field")) != KN_OK) {
        return st;
    }
    if (is_number(&r->field[number]) || r->field[number].one_for) {
        return kn__pmml_refuse(r, e, "NormDiscrete is read over a category");
    }
    r->field[number].one_for = value;
    return KN_OK;
}

static kn_status expression(kn_pmml_reader *r, uint32_t number, const kn_xml_element *e,
                            unsigned depth);

/* PMML's arithmetic of one expression and one constant. */
static kn_status apply(kn_pmml_reader *r, uint32_t number, const kn_xml_element *e, unsigned depth)
{
    const char *function;
    const kn_xml_element *part[2] = {NULL, NULL};
    size_t parts = 0, constant;
    double c;
    kn_pmml_step step = {.kind = KN_PMML_ADD};

    KN_PASS(kn__pmml_need(r, e, "function", &function));
    KN_PASS(kn__pmml_known(r, e, "function invalidValueTreatment",
                           "FieldRef Constant Apply NormContinuous"));
    if (strlen(function) != 1 || !strchr("+-*/", *function)) {
        return kn__pmml_refuse(r, e,
                               "the function '%.40s' is not read: + - * / with a constant are",
                               function);
    }
    for (const kn_xml_element *p = e->first; p; p = p->next) {
        if (!kn__pmml_is(p, "Extension")) {
            part[parts < 2 ? parts : 1] = p;
            parts++;
        }
    }
    constant = parts == 2 && kn__pmml_is(part[0], "Constant") ? 0 : 1;
    if (parts != 2 || !kn__pmml_is(part[constant], "Constant") ||
        kn__pmml_is(part[!constant], "Constant") || (*function == '/' && constant == 0)) {
        return kn__pmml_refuse(r, e,
                               "'%s' is read between an expression and a constant, '/' by one",
                               function);
    }
    if (!kn__pmml_value(KN_TYPE_DECIMAL, part[constant]->text, &c) ||
        (strchr("*/", *function) && c == 0)) {
        return kn__pmml_refuse(r, part[constant],
                               "the Constant '%.40s' is no number that can be used",
                               part[constant]->text);
    }
    KN_PASS(expression(r, number, part[!constant], depth + 1));
    if (!is_number(&r->field[number])) {
        return kn__pmml_refuse(r, e, "arithmetic is read over numbers");
    }
    step.number = *function == '-' && constant == 1 ? -c : c;
    step.kind = KN_PMML_ADD;
    if (*function == '*') {
        step.kind = KN_PMML_MULTIPLY;
    } else if (*function == '/') {
        step.kind = KN_PMML_DIVIDE;
    } else if (*function == '-' && constant == 0) {
        step.kind = KN_PMML_SUBTRACT_FROM;
    }
    return add_step(r, &r->field[number], &step);
}

static kn_status expression(kn_pmml_reader *r, uint32_t number, const kn_xml_element *e,
                            unsigned depth)
{
    kn_status st;

    if (depth > DEEPEST) {
        return kn__pmml_refuse(r, e, "an expression is nested more than %d deep", DEEPEST);
    }
    if (kn__pmml_is(e, "FieldRef")) {
        st = kn__pmml_known(r, e, "field mapMissingTo", "");
        return st == KN_OK ? follow(r, number, e, "field") : st;
    }
    if (kn__pmml_is(e, "NormContinuous")) {
        return norm_continuous(r, number, e);
    }
    if (kn__pmml_is(e, "NormDiscrete")) {
        return norm_discrete(r, number, e);
    }
    if (kn__pmml_is(e, "Apply")) {
        return apply(r, number, e, depth);
    }
    return kn__pmml_refuse(
        r, e,
        "the derived field '%.60s' is made with %.40s, which is not read: FieldRef, "
        "NormContinuous, NormDiscrete and + - * / with a constant are",
        r->field[number].name, e->name);
}

static kn_status derive(kn_pmml_reader *r, uint32_t number)
{
    const kn_xml_element *at = r->field[number].at, *e = at->first;
    kn_pmml_field *f;
    kn_type type = KN_TYPE_CATEGORY;
    bool single = false;
    kn_status st = type_of(r, at, &type, &single);

    if (st != KN_OK) {
        return st;
    }
    while (e && (kn__pmml_is(e, "Extension") || kn__pmml_is(e, "Value"))) {
        e = e->next;
    }
    if (!e) {
        return kn__pmml_refuse(r, at, "the derived field '%.60s' is made of nothing",
                               r->field[number].name);
    }
    if ((st = expression(r, number, e, 0)) != KN_OK) {
        return st;
    }
    f = &r->field[number];
    if (is_number(f) || f->one_for) {
        const bool same = f->type == type && !f->steps;
        if (type == KN_TYPE_CATEGORY || (type == KN_TYPE_INTEGER && !same && !f->one_for) ||
            (type == KN_TYPE_DATE && (!same || f->one_for))) {
            return kn__pmml_refuse(
                r, at,
                "the derived field '%.60s' turns its field into %.20s %.40s, which is "
                "not read",
                f->name, kn__xml_get(at, "optype"), kn__xml_get(at, "dataType"));
        }
        return single && !f->one_for ? add_step(r, f, &(kn_pmml_step){.kind = KN_PMML_FLOAT})
                                     : KN_OK;
    }
    return type == KN_TYPE_CATEGORY
               ? KN_OK
               : kn__pmml_refuse(r, at, "the derived field '%.60s' makes a number of a category",
                                 f->name);
}

/* ---- asking for them ---- */

static kn_status ready(kn_pmml_reader *r, uint32_t number, const kn_xml_element *asked)
{
    kn_pmml_field *f = &r->field[number];
    kn_status st;

    if (f->state == KN_PMML_READY) {
        return KN_OK;
    }
    if (f->state == KN_PMML_BUSY) {
        return kn__pmml_refuse(r, asked, "the derived field '%.60s' is made of itself", f->name);
    }
    if (r->following == DEEPEST) {
        return kn__pmml_refuse(r, asked, "derived fields are made of each other more than %d times",
                               DEEPEST);
    }
    if (!f->derived) {
        return kn__pmml_refuse(r, asked, "the field '%.60s' is no active field of the MiningSchema",
                               f->name);
    }
    f->state = KN_PMML_BUSY;
    r->following++;
    st = derive(r, number);
    r->following--;
    r->field[number].state = KN_PMML_READY;
    return st;
}

kn_status kn__pmml_field_of(kn_pmml_reader *r, const kn_xml_element *e, const char *key,
                            const kn_pmml_field **out)
{
    const char *name;
    uint32_t number;
    kn_status st = kn__pmml_need(r, e, key, &name);

    if (st != KN_OK) {
        return st;
    }
    number = kn__dict_find(r->names, name, strlen(name));
    if (number == KN_NO_CODE) {
        return kn__pmml_refuse(r, e, "there is no field '%.60s'", name);
    }
    st = ready(r, number, e);
    *out = &r->field[number];
    return st;
}
