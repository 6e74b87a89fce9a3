/* catalog_json.c - the catalogue as JSON, for front ends: lists by kind, each entry with its
 * parameters. */
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "kanon/catalog.h"

#include <stdlib.h>
#include <string.h>

/* The words of `text` as a list; NULL: out of memory. */
static json_t *split(const char *text, const char *separators)
{
    json_t *list = json_array();
    bool failed = !list;

    while (*text) {
        const size_t len = strcspn(text, separators);
        failed |= json_array_append_new(list, json_stringn(text, len)) != 0;
        text += len;
        text += *text != '\0';
    }
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *param(const kn_param *p)
{
    static const char *const names[] = {
        [KN_PARAM_COUNT] = "count", [KN_PARAM_NUMBER] = "number", [KN_PARAM_CHOICE] = "choice",
        [KN_PARAM_FLAG] = "flag",   [KN_PARAM_COLUMN] = "column", [KN_PARAM_TEXT] = "text",
        [KN_PARAM_LIST] = "list",
    };
    json_t *out = json_object();
    bool fine = kn__json_put_text(out, "name", p->name) &&
                kn__json_put_text(out, "kind", names[p->kind]) &&
                json_object_set_new(out, "required", json_boolean(p->required)) == 0 &&
                kn__json_put_text(out, "help", p->help);

    if (fine && p->choices) {
        fine = json_object_set_new(out, "choices", split(p->choices, "|")) == 0;
    }
    if (fine && (p->kind == KN_PARAM_COUNT || p->kind == KN_PARAM_NUMBER)) {
        fine = kn__json_put_number(out, "min", p->min) && kn__json_put_number(out, "max", p->max) &&
               kn__json_put_number(out, "default", p->standard);
    }
    if (fine && p->typed) {
        fine = json_object_set_new(out, "typed", json_true()) == 0;
    }
    if (!fine) {
        json_decref(out);
        return NULL;
    }
    return out;
}

static json_t *entry(const kn_entry *e)
{
    json_t *out = json_object(), *params = json_array();
    bool fine = params && kn__json_put_text(out, "name", e->name) &&
                kn__json_put_text(out, "summary", e->summary) &&
                kn__json_put_text(out, "page", e->page);

    for (size_t i = 0; fine && i < e->params_count; i++) {
        fine = json_array_append_new(params, param(&e->params[i])) == 0;
    }
    fine = json_object_set_new(out, "parameters", params) == 0 && fine;
    if (fine && e->method) {
        fine = kn__json_put_text(out, "method", e->method);
    }
    if (fine && e->reaches) {
        fine = json_object_set_new(out, "reaches", split(e->reaches, " ")) == 0;
    }
    if (fine && e->better) {
        fine = kn__json_put_text(out, "better", e->better);
    }
    if (!fine) {
        json_decref(out);
        return NULL;
    }
    return out;
}

kn_status kn_catalog_json(char **out, kn_error *err)
{
    KN_NEED_OUT(err, out);

    static const char *const kinds[] = {
        [KN_ENTRY_GUARANTEE] = "guarantees",
        [KN_ENTRY_METHOD] = "methods",
        [KN_ENTRY_MEASURE] = "measures",
        [KN_ENTRY_MODEL] = "models",
    };
    json_t *all = json_object();
    kn_buffer b = {0};
    char *text = NULL;
    bool fine = all != NULL;

    for (size_t k = 0; fine && k < sizeof kinds / sizeof *kinds; k++) {
        size_t count;
        const kn_entry *const *entries = kn_catalog((kn_entry_kind)k, &count);
        json_t *list = json_array();
        for (size_t i = 0; fine && i < count; i++) {
            fine = json_array_append_new(list, entry(entries[i])) == 0;
        }
        fine = json_object_set_new(all, kinds[k], list) == 0 && fine;
    }
    text = fine ? kn__json_dump(all, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(all);
    KN_PASS(text ? KN_OK : kn__nomem(err));
    kn__buffer_adds(&b, text);
    kn__buffer_addc(&b, '\n');
    free(text);
    return kn__buffer_take(&b, out, err);
}
