/* read.c - PMML 3 and 4 as other tools write it: the document, its header, which model it is;
 * and helpers of the other files of the reader. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/value.h"
#include "models/format/formats.h"
#include "models/format/pmml/pmml.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char SPACE[] = "http://www.dmg.org/PMML";

/* ---- small questions ---- */

kn_status kn__pmml_refuse(const kn_pmml_reader *r, const kn_xml_element *e, const char *format, ...)
{
    char words[700];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return kn__fail(r->err, KN_EINPUT, "%.200s: line %u, column %u: %s", r->name, e->line,
                    e->column, words);
}

bool kn__pmml_among(const char *words, const char *word)
{
    const size_t len = strlen(word);

    for (const char *at = words; len && (at = strstr(at, word)); at += len) {
        if ((at == words || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0')) {
            return true;
        }
    }
    return false;
}

bool kn__pmml_own(const kn_xml_element *e)
{
    return !e->space || strncmp(e->space, SPACE, sizeof SPACE - 1) == 0;
}

bool kn__pmml_is(const kn_xml_element *e, const char *name)
{
    return kn__pmml_own(e) && strcmp(e->name, name) == 0;
}

const char *kn__pmml_extension(const kn_xml_element *e, const char *name)
{
    for (const kn_xml_element *x = kn__xml_child(e, "Extension"); x; x = kn__xml_again(x)) {
        const char *extender = kn__xml_get(x, "extender"), *given = kn__xml_get(x, "name");
        const char *value = kn__xml_get(x, "value");
        if (extender && given && value && strcmp(extender, "kanon") == 0 &&
            strcmp(given, name) == 0) {
            return value;
        }
    }
    return NULL;
}

/* Counts, means or records beside the model: no span covers what these disclose. */
static const char tell_more[] = "ModelStats ModelExplanation ModelVerification Partition";

kn_status kn__pmml_known(const kn_pmml_reader *r, const kn_xml_element *e, const char *attributes,
                         const char *children)
{
    for (uint32_t i = 0; i < e->attributes; i++) {
        const kn_xml_attribute *a = &e->attribute[i];
        if (!a->space && strncmp(a->name, "x-", 2) != 0 && !kn__pmml_among(attributes, a->name)) {
            return kn__pmml_refuse(r, e,
                                   "%s has the attribute '%.60s', which is not understood here",
                                   e->name, a->name);
        }
    }
    for (const kn_xml_element *c = e->first; c; c = c->next) {
        if (kn__pmml_own(c) && kn__pmml_among(tell_more, c->name)) {
            return kn__pmml_refuse(r, c,
                                   "%s inside of %s may tell counts or records beside the model, "
                                   "which are not judged: take it out of the file",
                                   c->name, e->name);
        }
        if (!kn__pmml_is(c, "Extension") &&
            (!kn__pmml_own(c) || !kn__pmml_among(children, c->name))) {
            return kn__pmml_refuse(r, c, "%s inside of %s is not understood here%s%s", c->name,
                                   e->name, *children ? "; known are " : "", children);
        }
    }
    return KN_OK;
}

kn_status kn__pmml_need(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                        const char **out)
{
    *out = kn__xml_get(e, name);
    return *out ? KN_OK : kn__pmml_refuse(r, e, "%s has no attribute '%s'", e->name, name);
}

static const char *trim(const char *text, size_t *len)
{
    *len = strlen(text);
    while (*len && isspace((unsigned char)*text)) {
        text++;
        --*len;
    }
    while (*len && isspace((unsigned char)text[*len - 1])) {
        --*len;
    }
    return text;
}

bool kn__pmml_value(kn_type type, const char *text, double *out)
{
    unsigned decimals;
    size_t len;

    text = trim(text, &len);
    return (type == KN_TYPE_DATE && kn__date_parse(text, len, out)) ||
           kn__number_parse(text, len, out, &decimals);
}

kn_status kn__pmml_number(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                          double *out)
{
    const char *text = kn__xml_get(e, name);

    if (text && !kn__pmml_value(KN_TYPE_DECIMAL, text, out)) {
        return kn__pmml_refuse(r, e, "%s of %s is '%.40s', which is no number", name, e->name,
                               text);
    }
    return KN_OK;
}

static bool is_count(double number)
{
    return number >= 0 && number <= 9007199254740992.0 && number == floor(number);
}

kn_status kn__pmml_count(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                         uint64_t *out)
{
    double number = 0;
    const kn_status st = kn__pmml_number(r, e, name, &number);

    if (st != KN_OK || !kn__xml_get(e, name)) {
        return st;
    }
    if (!is_count(number)) {
        return kn__pmml_refuse(r, e, "%s of %s is '%.40s', which is no count", name, e->name,
                               kn__xml_get(e, name));
    }
    *out = (uint64_t)number;
    return KN_OK;
}

kn_status kn__pmml_only(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                        const char *values)
{
    const char *value = kn__xml_get(e, name);

    return !value || kn__pmml_among(values, value)
               ? KN_OK
               : kn__pmml_refuse(r, e, "%s with %s=\"%.60s\" is not read; what is: %s", e->name,
                                 name, value, values);
}

/* ---- arrays ---- */

bool kn__pmml_array_next(const kn_xml_element *array, size_t *at, kn_buffer *scratch,
                         const char **text, size_t *len)
{
    const char *all = array->text;
    size_t i = *at;

    while (i < array->text_len && isspace((unsigned char)all[i])) {
        i++;
    }
    if (i == array->text_len) {
        return false;
    }
    if (all[i] != '"') {
        *text = all + i;
        while (i < array->text_len && !isspace((unsigned char)all[i])) {
            i++;
        }
        *len = (size_t)(all + i - *text);
        *at = i;
        return true;
    }
    scratch->len = 0;
    kn__buffer_add(scratch, "", 0);
    for (i++; i < array->text_len && all[i] != '"'; i++) {
        i += all[i] == '\\' && all[i + 1] == '"';
        kn__buffer_addc(scratch, all[i]);
    }
    *text = scratch->failed ? "" : scratch->data;
    *len = scratch->failed ? 0 : scratch->len;
    *at = i < array->text_len ? i + 1 : i;
    return true;
}

kn_status kn__pmml_array_count(const kn_pmml_reader *r, const kn_xml_element *array, size_t *count)
{
    kn_buffer scratch = {0};
    uint64_t said = 0;
    const char *text;
    size_t at = 0, len;
    kn_status status;

    *count = 0;
    KN_TRY(kn__pmml_known(r, array, "n type", ""));
    KN_TRY(kn__pmml_count(r, array, "n", &said));
    while (kn__pmml_array_next(array, &at, &scratch, &text, &len)) {
        ++*count;
    }
    if (scratch.failed) {
        status = kn__nomem(r->err);
    } else if (kn__xml_get(array, "n") && said != *count) {
        status = kn__pmml_refuse(r, array, "an Array of %zu values says that it has %llu", *count,
                                 (unsigned long long)said);
    }
done:
    kn__buffer_free(&scratch);
    return status;
}

kn_status kn__pmml_array_numbers(const kn_pmml_reader *r, const kn_xml_element *array, size_t count,
                                 double *out)
{
    kn_buffer scratch = {0};
    const char *text = "";
    size_t at = 0, len = 0, found;
    unsigned decimals;
    kn_status status;

    KN_TRY(kn__pmml_array_count(r, array, &found));
    if (found != count) {
        KN_TRY(kn__pmml_refuse(r, array, "an Array has %zu values where there should be %zu", found,
                               count));
    }
    for (size_t i = 0; i < count; i++) {
        (void)kn__pmml_array_next(array, &at, &scratch, &text, &len);
        if (!kn__number_parse(text, len, &out[i], &decimals)) {
            KN_TRY(scratch.failed ? kn__nomem(r->err)
                                  : kn__pmml_refuse(r, array, "'%.*s' in an Array is no number",
                                                    (int)(len < 40 ? len : 40), text));
        }
    }
done:
    kn__buffer_free(&scratch);
    return status;
}

/* ---- values by bytes ascending ---- */

typedef struct sorting {
    uint32_t *place; /* by old code */
    uint32_t *order; /* by new code: the old one */
} sorting;

static int compare(const kn_dict *d, uint32_t a, uint32_t b)
{
    size_t a_len, b_len;
    const char *a_text = kn__dict_text(d, a, &a_len), *b_text = kn__dict_text(d, b, &b_len);
    const int c = memcmp(a_text, b_text, a_len < b_len ? a_len : b_len);

    return c ? c : (a_len > b_len) - (a_len < b_len);
}

/* Merge sort: values may be many, and come in any order. */
static void sort_codes(const kn_dict *d, uint32_t *codes, uint32_t *room, size_t count)
{
    const size_t half = count / 2;
    size_t i = 0, j = half, at = 0;

    if (count < 2) {
        return;
    }
    sort_codes(d, codes, room, half);
    sort_codes(d, codes + half, room, count - half);
    memcpy(room, codes, count * sizeof *codes);
    while (at < count) {
        const bool left = j == count || (i < half && compare(d, room[i], room[j]) <= 0);
        codes[at++] = left ? room[i++] : room[j++];
    }
}

static void renumber_test(kn_test *t, uint32_t attribute, const uint32_t *place)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        renumber_test(&t->parts[i], attribute, place);
    }
    if ((t->kind == KN_TEST_IN || t->kind == KN_TEST_NOT_IN) && t->attribute == attribute) {
        for (size_t i = 0; i < t->values_count; i++) {
            t->values[i] = place[t->values[i]];
        }
        kn__sort_u32(t->values, t->values_count);
    }
}

/* Populations and shares of a node, which are by class; `room` holds as many. */
static void renumber_class(kn_tree_node *n, const uint32_t *place, uint64_t *room, size_t classes)
{
    double *share = n->share;

    n->answer = n->answer == KN_NO_CODE ? KN_NO_CODE : place[n->answer];
    if (n->population) {
        memcpy(room, n->population, classes * sizeof *room);
        for (size_t i = 0; i < classes; i++) {
            n->population[place[i]] = room[i];
        }
    }
    for (size_t kind = 0; share && kind < KN_SHARE_KINDS; kind++, share += classes) {
        memcpy(room, share, classes * sizeof *room);
        for (size_t i = 0; i < classes; i++) {
            memcpy(&share[place[i]], &room[i], sizeof *share);
        }
    }
}

static void renumber(kn_model *m, uint32_t attribute, const uint32_t *place, uint64_t *room)
{
    const size_t values = m->attribute[attribute].values->len;

    if (m->kind == KN_MODEL_TREE) {
        for (size_t i = 0; i < m->tree.nodes; i++) {
            renumber_test(&m->tree.node[i].test, attribute, place);
            if (m->tree.class_attribute == attribute) {
                renumber_class(&m->tree.node[i], place, room, values);
            }
        }
    } else if (m->kind == KN_MODEL_CLUSTERS) {
        for (size_t i = 0; i < m->centres.count; i++) {
            uint32_t *value = &m->centres.value[i * m->attributes + attribute];
            *value = *value == KN_NO_CODE ? KN_NO_CODE : place[*value];
        }
    }
}

static kn_status sort_attribute(kn_model *m, uint32_t attribute, kn_error *err)
{
    kn_dict *old = m->attribute[attribute].values, *sorted = NULL;
    const size_t values = old->len;
    uint32_t *order = kn__malloc_array(values, sizeof *order);
    uint32_t *place = kn__malloc_array(values, sizeof *place);
    uint64_t *room = kn__malloc_array(values, sizeof *room);
    kn_status status;

    KN_TRY(order && place && room ? kn__dict_new(&sorted, err) : kn__nomem(err));
    for (uint32_t i = 0; i < values; i++) {
        order[i] = i;
    }
    sort_codes(old, order, place, values);
    for (uint32_t i = 0; i < values; i++) {
        size_t len;
        const char *text = kn__dict_text(old, order[i], &len);
        KN_TRY(kn__dict_append(sorted, text, len, err));
    }
    for (uint32_t i = 0; i < values; i++) {
        place[order[i]] = i;
    }
    renumber(m, attribute, place, room);
    m->attribute[attribute].values = sorted;
    sorted = old;
done:
    kn__dict_free(sorted);
    KN_FREE(order, place, room);
    return status;
}

/* ---- the document ---- */

static kn_status header(kn_pmml_reader *r, const kn_xml_element *pmml)
{
    const kn_xml_element *e = kn__xml_child(pmml, "Header"), *application;
    const char *name, *version;
    kn_buffer words = {0};

    application = e ? kn__xml_child(e, "Application") : NULL;
    name = application ? kn__xml_get(application, "name") : NULL;
    if (!name) {
        return KN_OK;
    }
    version = kn__xml_get(application, "version");
    kn__buffer_adds(&words, name);
    if (version) {
        kn__buffer_addc(&words, ' ');
        kn__buffer_adds(&words, version);
    }
    return kn__buffer_take(&words, &r->model->made_by, r->err);
}

typedef struct kind_of_model {
    const char *name;
    kn_model_kind kind;
    kn_status (*read)(kn_pmml_reader *r, const kn_xml_element *e);
} kind_of_model;

static const kind_of_model kinds[] = {{"TreeModel", KN_MODEL_TREE, kn__pmml_tree},
                                      {"ClusteringModel", KN_MODEL_CLUSTERS, kn__pmml_clusters},
                                      {"AssociationModel", KN_MODEL_RULES, kn__pmml_rules}};

static kn_status find_model(const kn_pmml_reader *r, const kn_xml_element *pmml,
                            const kn_xml_element **out, const kind_of_model **kind)
{
    static const char others[] = "Header MiningBuildTask DataDictionary TransformationDictionary";

    *out = NULL;
    for (const kn_xml_element *e = pmml->first; e; e = e->next) {
        if (kn__pmml_is(e, "Extension") || (kn__pmml_own(e) && kn__pmml_among(others, e->name))) {
            continue;
        }
        if (*out) {
            return kn__pmml_refuse(r, e, "a second model, %.60s: files with one model are read",
                                   e->name);
        }
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            if (kn__pmml_is(e, kinds[i].name)) {
                *out = e;
                *kind = &kinds[i];
            }
        }
        if (!*out) {
            return kn__pmml_refuse(
                r, e,
                "%.60s is not read: TreeModel, ClusteringModel and AssociationModel "
                "are",
                e->name);
        }
    }
    return *out ? KN_OK : kn__pmml_refuse(r, pmml, "there is no model in it");
}

/* What kanon wrote beside the model for itself: what was promised. */
static kn_status promise(const kn_pmml_reader *r, const kn_xml_element *model)
{
    kn_model_promise *p = &r->model->promise;
    const char *k = kn__pmml_extension(model, "k"), *l = kn__pmml_extension(model, "l");
    const char *inference = kn__pmml_extension(model, "inference");
    double whole = 0;

    if ((k && (!kn__pmml_value(KN_TYPE_INTEGER, k, &whole) || !is_count(whole))) ||
        (l && !kn__pmml_value(KN_TYPE_DECIMAL, l, &p->l)) ||
        (inference && !kn__pmml_value(KN_TYPE_DECIMAL, inference, &p->inference)) || p->l < 0 ||
        p->inference < 0 || p->inference > 1) {
        return kn__pmml_refuse(r, model,
                               "an Extension of kanon holds no number, or one that "
                               "cannot be");
    }
    p->k = (uint64_t)whole;
    return KN_OK;
}

static kn_status document(kn_pmml_reader *r, const kn_xml_element *pmml, bool more_outside)
{
    const kn_xml_element *e;
    const kind_of_model *kind = kinds;
    const char *version, *reason;
    kn_status st;

    if (!kn__pmml_is(pmml, "PMML")) {
        return kn__pmml_refuse(r, pmml, "the file begins with <%.60s>; PMML begins with <PMML>",
                               pmml->name);
    }
    if ((st = kn__pmml_need(r, pmml, "version", &version)) != KN_OK) {
        return st;
    }
    if ((version[0] != '3' && version[0] != '4') || version[1] != '.') {
        return kn__pmml_refuse(r, pmml, "PMML version '%.20s' is not read: 3.0 to 4.4 are",
                               version);
    }
    if ((st = find_model(r, pmml, &e, &kind)) != KN_OK ||
        (st = kn__model_new(&r->model, kind->kind, r->err)) != KN_OK ||
        (st = header(r, pmml)) != KN_OK || (st = kn__pmml_fields(r, pmml, e)) != KN_OK ||
        (st = kind->read(r, e)) != KN_OK || (st = promise(r, e)) != KN_OK ||
        (st = kn__pmml_note_unjudged(r, pmml, more_outside)) != KN_OK) {
        return st;
    }
    for (uint32_t a = 0; a < r->model->attributes; a++) {
        if (r->model->attribute[a].values && (st = sort_attribute(r->model, a, r->err)) != KN_OK) {
            return st;
        }
    }
    if (!kn__model_validate(r->model, &reason)) {
        return kn__pmml_refuse(r, e, "%s", reason);
    }
    return KN_OK;
}

kn_status kn__model_parse_pmml(kn_model **out, const char *name, const char *bytes, size_t len,
                               kn_error *err)
{
    kn_pmml_reader r = {.name = name, .err = err, .target = KN_NO_CODE};
    kn_xml *xml = NULL;
    kn_status st = kn__xml_parse(&xml, name, bytes, len, err);

    *out = NULL;
    if (st == KN_OK && (st = kn__dict_new(&r.names, err)) == KN_OK) {
        st = document(&r, kn__xml_root(xml), kn__xml_more_outside(xml));
    }
    if (st == KN_OK) {
        *out = r.model;
        r.model = NULL;
    }
    kn__pmml_fields_clear(&r);
    kn_model_free(r.model);
    kn__xml_free(xml);
    return st;
}
