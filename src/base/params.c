/* params.c - parameters of a method or a kind of model: what was set, by place in its row of the
 * catalogue. Rows have a handful of parameters, so they are searched one by one. */
#include "base/params.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

static const char *const kind_words[] = {
    [KN_ENTRY_GUARANTEE] = "guarantee",
    [KN_ENTRY_METHOD] = "method",
    [KN_ENTRY_MEASURE] = "measure",
    [KN_ENTRY_MODEL] = "kind of model",
};

bool kn__same_name(const char *a, const char *b)
{
    while (*a && (*a == *b || ((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))) {
        a++;
        b++;
    }
    return *a == *b;
}

const kn_param *kn__param_find(const kn_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->params_count; i++) {
        if (kn__same_name(entry->params[i].name, name)) {
            return &entry->params[i];
        }
    }
    return NULL;
}

/* ---- made, bound and freed ---- */

kn_status kn__params_new(kn_params **out, const kn_entry *entry, kn_error *err)
{
    kn_params *p = kn__zalloc(sizeof *p);
    kn_status status;

    *out = NULL;
    KN_TRY(p ? KN_OK : kn__nomem(err));
    p->entry = entry;
    p->value = kn__zalloc_array(entry->params_count, sizeof *p->value);
    KN_TRY(p->value ? KN_OK : kn__nomem(err));
    *out = p;
    p = NULL;
done:
    kn_params_free(p);
    return status;
}

static void clear_value(kn_param_value *v)
{
    for (size_t i = 0; i < v->count; i++) {
        kn__free(v->texts[i]);
    }
    kn__free(v->texts);
    *v = (kn_param_value){0};
}

void kn_params_free(kn_params *params)
{
    if (!params) {
        return;
    }
    for (size_t i = 0; params->value && i < params->entry->params_count; i++) {
        clear_value(&params->value[i]);
    }
    KN_FREE(params->value, params);
}

kn_status kn__params_bind(kn_params *out, const kn_params *given, const kn_entry *entry,
                          kn_error *err)
{
    if (given && given->entry != entry) {
        return kn__fail(err, KN_EUSAGE, "the parameters are those of the %s '%s', not of '%s'",
                        kind_words[given->entry->kind], given->entry->name, entry->name);
    }
    *out = (kn_params){.entry = entry, .value = given ? given->value : NULL};
    return KN_OK;
}

const kn_entry *kn_params_entry(const kn_params *params)
{
    return params ? params->entry : NULL;
}

/* ---- setters ---- */

static kn_status unknown(const kn_entry *entry, const char *name, kn_error *err)
{
    const char *names[64] = {NULL}, *near;
    size_t count = 0;

    for (size_t i = 0; i < entry->params_count && count < sizeof names / sizeof *names; i++) {
        if (!entry->params[i].typed) {
            names[count++] = entry->params[i].name;
        }
    }
    near = kn_nearest(name, names, count);
    if (near || count == 1) {
        return kn__fail(err, KN_EUSAGE, "the %s '%s' has no parameter '%.60s'; %s '%s'%s",
                        kind_words[entry->kind], entry->name, name,
                        near ? "did you mean" : "it has", near ? near : names[0], near ? "?" : "");
    }
    return kn__fail(err, KN_EUSAGE, "the %s '%s' has no parameter '%.60s'%s",
                    kind_words[entry->kind], entry->name, name,
                    count ? "; kn_catalog_find lists those that it has" : ", nor any other");
}

/* The parameter called `name`, and the place for its value. */
static kn_status find(const kn_params *params, const char *name, const kn_param **param,
                      kn_param_value **value, kn_error *err)
{
    const kn_param *p = kn__param_find(params->entry, name);

    if (p && p->typed) {
        return kn__fail(err, KN_EUSAGE,
                        "'%s' is part of what must hold: set it in kn_mine_options, not in "
                        "kn_params",
                        p->name);
    }
    if (!p) {
        (void)unknown(params->entry, name, err);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, name);
    }
    *param = p;
    *value = &params->value[p - params->entry->params];
    return KN_OK;
}

static kn_status wrong_kind(const kn_params *params, const kn_param *p, kn_error *err)
{
    static const char *const wanted[] = {
        [KN_PARAM_COUNT] = "a whole number",        [KN_PARAM_NUMBER] = "a number",
        [KN_PARAM_CHOICE] = "one of a few words",   [KN_PARAM_FLAG] = "true or false",
        [KN_PARAM_COLUMN] = "the name of a column", [KN_PARAM_TEXT] = "a text",
        [KN_PARAM_LIST] = "a list of texts",
    };

    (void)kn__fail(err, KN_EUSAGE, "parameter '%s' of '%s' is %s", p->name, params->entry->name,
                   wanted[p->kind]);
    return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, p->name);
}

static kn_status out_of_range(const kn_param *p, double value, kn_error *err)
{
    const kn_status status = p->max >= 4294967295.0
                                 ? kn__fail(err, KN_EUSAGE, "%s is %.10g: give %.10g or more",
                                            p->name, value, p->min)
                                 : kn__fail(err, KN_EUSAGE, "%s is %.10g: give %.10g to %.10g",
                                            p->name, value, p->min, p->max);

    return kn__about_parameter(err, status, KN_ERROR_PARAMETER, p->name);
}

kn_status kn_params_set_real(kn_params *params, const char *name, double value, kn_error *err)
{
    KN_NEED(err, params, name);

    const kn_param *p = NULL;
    kn_param_value *v = NULL;

    KN_PASS(find(params, name, &p, &v, err));
    KN_PASS(p->kind == KN_PARAM_NUMBER ? KN_OK : wrong_kind(params, p, err));
    KN_PASS(value >= p->min && value <= p->max ? KN_OK : out_of_range(p, value, err));
    *v = (kn_param_value){.set = true, .real = value};
    return KN_OK;
}

kn_status kn_params_set_int(kn_params *params, const char *name, int64_t value, kn_error *err)
{
    KN_NEED(err, params, name);

    const kn_param *p = NULL;
    kn_param_value *v = NULL;

    KN_PASS(find(params, name, &p, &v, err));
    KN_PASS(p->kind == KN_PARAM_COUNT || p->kind == KN_PARAM_NUMBER ? KN_OK
                                                                    : wrong_kind(params, p, err));
    KN_PASS((double)value >= p->min && (double)value <= p->max
                ? KN_OK
                : out_of_range(p, (double)value, err));
    *v = (kn_param_value){.set = true, .whole = value, .real = (double)value};
    return KN_OK;
}

kn_status kn_params_set_bool(kn_params *params, const char *name, bool value, kn_error *err)
{
    KN_NEED(err, params, name);

    const kn_param *p = NULL;
    kn_param_value *v = NULL;

    KN_PASS(find(params, name, &p, &v, err));
    KN_PASS(p->kind == KN_PARAM_FLAG ? KN_OK : wrong_kind(params, p, err));
    *v = (kn_param_value){.set = true, .flag = value};
    return KN_OK;
}

/* The place of `text` among "a|b|c"; UINT_MAX: it is none of them. */
static unsigned choice_of(const char *choices, const char *text)
{
    const size_t len = strlen(text);
    unsigned place = 0;

    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|', place++) {
        if (strcspn(c, "|") == len && memcmp(c, text, len) == 0) {
            return place;
        }
    }
    return (unsigned)-1;
}

/* Copies of `count` texts in place of what `v` has; on failure it is unchanged. */
static kn_status put_texts(kn_param_value *v, const char *const *texts, size_t count,
                           unsigned choice, kn_error *err)
{
    kn_param_value new = {.set = true, .choice = choice};
    kn_status status;

    new.texts = kn__zalloc_array(count, sizeof *new.texts);
    KN_TRY(new.texts ? KN_OK : kn__nomem(err));
    for (; new.count < count; new.count++) {
        new.texts[new.count] = kn__strdup(texts[new.count]);
        KN_TRY(new.texts[new.count] ? KN_OK : kn__nomem(err));
    }
    clear_value(v);
    *v = new;
    return KN_OK;
done:
    clear_value(&new);
    return status;
}

kn_status kn_params_set_text(kn_params *params, const char *name, const char *value, kn_error *err)
{
    KN_NEED(err, params, name, value);

    const kn_param *p = NULL;
    kn_param_value *v = NULL;
    unsigned choice = 0;

    KN_PASS(find(params, name, &p, &v, err));
    if (p->kind == KN_PARAM_CHOICE) {
        choice = choice_of(p->choices, value);
        KN_PASS(choice != (unsigned)-1
                    ? KN_OK
                    : kn__fail(err, KN_EUSAGE, "%s: there is no '%.60s'; choose one of %s", p->name,
                               value, p->choices));
    } else if (p->kind != KN_PARAM_COLUMN && p->kind != KN_PARAM_TEXT) {
        KN_PASS(wrong_kind(params, p, err));
    }
    KN_PASS(*value ? KN_OK : kn__fail(err, KN_EUSAGE, "%s: the text is empty", p->name));
    return put_texts(v, &value, 1, choice, err);
}

kn_status kn_params_set_list(kn_params *params, const char *name, const char *const *values,
                             size_t count, kn_error *err)
{
    KN_NEED(err, params, name);
    KN_NEED_LIST(err, values, count);

    const kn_param *p = NULL;
    kn_param_value *v = NULL;

    KN_PASS(find(params, name, &p, &v, err));
    KN_PASS(p->kind == KN_PARAM_LIST ? KN_OK : wrong_kind(params, p, err));
    return put_texts(v, values, count, 0, err);
}

kn_status kn_params_unset(kn_params *params, const char *name, kn_error *err)
{
    KN_NEED(err, params, name);

    const kn_param *p = NULL;
    kn_param_value *v = NULL;

    KN_PASS(find(params, name, &p, &v, err));
    clear_value(v);
    return KN_OK;
}

/* ---- accessors ---- */

bool kn_params_is_set(const kn_params *params, const char *name)
{
    const kn_param *p = params && name ? kn__param_find(params->entry, name) : NULL;

    return p && params->value && params->value[p - params->entry->params].set;
}

/* The value of `name` if it was set, else NULL; `*param` is its line in the row. */
static const kn_param_value *value_of(const kn_params *params, const char *name,
                                      const kn_param **param)
{
    const kn_param_value *v;

    *param = kn__param_find(params->entry, name);
    assert(*param);
    v = params->value ? &params->value[*param - params->entry->params] : NULL;
    return v && v->set ? v : NULL;
}

size_t kn__param_count(const kn_params *params, const char *name)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);

    assert(p->kind == KN_PARAM_COUNT);
    return v ? (size_t)v->whole : (size_t)p->standard;
}

double kn__param_number(const kn_params *params, const char *name)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);

    assert(p->kind == KN_PARAM_NUMBER);
    return v ? v->real : p->standard;
}

bool kn__param_flag(const kn_params *params, const char *name)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);

    assert(p->kind == KN_PARAM_FLAG);
    return v && v->flag;
}

unsigned kn__param_choice(const kn_params *params, const char *name)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);

    assert(p->kind == KN_PARAM_CHOICE);
    return v ? v->choice : 0;
}

bool kn__param_is(const kn_params *params, const char *name, const char *choice)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);
    const unsigned place = choice_of(p->choices, choice);

    assert(p->kind == KN_PARAM_CHOICE && place != (unsigned)-1);
    return place == (v ? v->choice : 0);
}

const char *kn__param_text(const kn_params *params, const char *name)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);

    assert(p->kind == KN_PARAM_COLUMN || p->kind == KN_PARAM_TEXT);
    return v ? v->texts[0] : NULL;
}

const char *const *kn__param_list(const kn_params *params, const char *name, size_t *count)
{
    const kn_param *p;
    const kn_param_value *v = value_of(params, name, &p);

    assert(p->kind == KN_PARAM_LIST);
    *count = v ? v->count : 0;
    return v ? (const char *const *)v->texts : NULL;
}
