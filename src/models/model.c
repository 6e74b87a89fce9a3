/* model.c - making, freeing and validating models. */
#include "models/model.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/registry.h"

#include <string.h>

kn_status kn__model_new(kn_model **out, kn_model_kind kind, kn_error *err)
{
    const kn_model_row *row = kn__model_row(kind);
    kn_model *m = kn__zalloc(sizeof *m);
    kn_status status;

    *out = NULL;
    KN_TRY(m ? KN_OK : kn__nomem(err));
    m->kind = kind;
    if (row->init) {
        KN_TRY(row->init(m, err));
    }
    *out = m;
    m = NULL;
done:
    kn__free(m);
    return status;
}

void kn__test_clear(kn_test *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        kn__test_clear(&t->parts[i]);
    }
    KN_FREE(t->parts, t->values);
    *t = (kn_test){0};
}

void kn_model_free(kn_model *m)
{
    if (!m) {
        return;
    }
    kn__model_row(m->kind)->clear(m);
    for (size_t i = 0; i < m->attributes; i++) {
        kn__free(m->attribute[i].name);
        kn__dict_free(m->attribute[i].values);
    }
    KN_FREE(m->attribute, m->made_by, m->unjudged_first, m->source, m);
}

kn_model_kind kn_model_kind_of(const kn_model *m)
{
    return m ? m->kind : KN_MODEL_TREE;
}

uint32_t kn__model_find_attribute(const kn_model *m, const char *name)
{
    for (size_t i = 0; i < m->attributes; i++) {
        if (strcmp(m->attribute[i].name, name) == 0) {
            return (uint32_t)i;
        }
    }
    return KN_NO_CODE;
}

kn_status kn__model_add_attribute(kn_model *m, const char *name, size_t len, kn_type type,
                                  bool hidden, uint32_t *number, kn_error *err)
{
    char *text = kn__strndup(name, len);
    kn_status status;

    KN_TRY(text ? KN_OK : kn__nomem(err));
    if (kn__model_find_attribute(m, text) != KN_NO_CODE) {
        KN_TRY(kn__fail(err, KN_EINPUT, "the model has two attributes called '%.*s'",
                        len < 60 ? (int)len : 60, name));
    }
    KN_TRY(kn__model_append_attribute(m, name, len, type, hidden, number, err));
done:
    kn__free(text);
    return status;
}

kn_status kn__model_append_attribute(kn_model *m, const char *name, size_t len, kn_type type,
                                     bool hidden, uint32_t *number, kn_error *err)
{
    kn_attribute a = {.type = type, .hidden = hidden, .low = 1, .high = 0, .weight = 1};
    kn_status status;

    KN_TRY(
        kn__grow(&m->attribute, &m->attributes_cap, m->attributes + 1, sizeof *m->attribute, err));
    a.name = kn__strndup(name, len);
    KN_TRY(a.name ? KN_OK : kn__nomem(err));
    if (type == KN_TYPE_CATEGORY) {
        KN_TRY(kn__dict_new(&a.values, err));
    }
    if (number) {
        *number = (uint32_t)m->attributes;
    }
    m->attribute[m->attributes++] = a;
    a.name = NULL;
done:
    kn__free(a.name);
    return status;
}

void kn__model_used_attributes(const kn_model *m, uint8_t *used)
{
    const kn_model_row *row = kn__model_row(m->kind);

    if (row->mark_used) {
        row->mark_used(m, used);
    }
}

kn_status kn__tree_add(kn_tree *t, uint32_t parent, uint32_t *number, kn_error *err)
{
    const uint32_t own = (uint32_t)t->nodes;

    KN_PASS(kn__grow(&t->node, &t->cap, t->nodes + 1, sizeof *t->node, err));
    t->node[own] = (kn_tree_node){.parent = parent,
                                  .attribute = KN_NO_CODE,
                                  .missing = KN_NO_CODE,
                                  .answer = KN_NO_CODE,
                                  .records = -1};
    if (parent != KN_NO_CODE) {
        if (t->node[parent].children == 0) {
            t->node[parent].first = own;
        }
        t->node[parent].children++;
    }
    t->nodes++;
    *number = own;
    return KN_OK;
}

bool kn__model_validate(const kn_model *m, const char **reason)
{
    *reason = kn__model_row(m->kind)->fault(m);
    return *reason == NULL;
}

kn_status kn_model_shape_of(kn_model_shape *out, const kn_model *model, kn_error *err)
{
    KN_NEED(err, out, model);

    *out = (kn_model_shape){0};
    return kn__model_row(model->kind)->shape(out, model, err);
}
