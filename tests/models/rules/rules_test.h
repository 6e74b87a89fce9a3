/* models/rules/rules_test.h - baskets and rules over single letters, for tests. */
#ifndef MODELS_RULES_TEST_H
#define MODELS_RULES_TEST_H

#include "base/memory.h"
#include "base/rng.h"
#include "models/registry.h"
#include "models/rules/rules.h"
#include "oracle/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A table of one column of sets; items are 'a', 'b', ... by bit. */
static kn_dataset *letters(const uint32_t *records, size_t count, uint32_t private_items)
{
    const char *const name = "items";
    char text[64], names[32][2];
    const char *list[32];
    size_t listed = 0;
    uint32_t occurring = 0;
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, name, KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, name, KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, " ", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, &name, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        size_t len = 0;
        for (unsigned bit = 0; bit < 26; bit++) {
            if (records[i] >> bit & 1) {
                text[len++] = (char)('a' + bit);
                text[len++] = ' ';
            }
        }
        text[len ? len - 1 : 0] = '\0';
        occurring |= records[i];
        assert_int_equal(kn_dataset_builder_add(b, (const char *[]){text}, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    for (unsigned bit = 0; bit < 26; bit++) {
        if ((private_items & occurring) >> bit & 1) {
            names[listed][0] = (char)('a' + bit);
            names[listed][1] = '\0';
            list[listed] = names[listed];
            listed++;
        }
    }
    if (listed) {
        assert_int_equal(kn_dataset_set_sensitive_items(ds, 0, KN_BY_ITEM, list, listed, NULL),
                         KN_OK);
    }
    kn_schema_free(schema);
    return ds;
}

static uint32_t *side(kn_model *m, uint32_t items, size_t *count)
{
    uint32_t *out = kn__malloc_array(26, sizeof *out);

    *count = 0;
    for (unsigned bit = 0; bit < 26; bit++) {
        const char text[1] = {(char)('a' + bit)};
        if (items >> bit & 1) {
            out[(*count)++] = kn__dict_find(m->rules.items, text, 1);
        }
    }
    return out;
}

static kn_model *model_of(const oracle_rule *rules, size_t count)
{
    uint32_t named = 0;
    const char *reason;
    kn_model *m;

    assert_int_equal(kn__model_new(&m, KN_MODEL_RULES, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        named |= rules[i].left | rules[i].right;
    }
    for (unsigned bit = 0; bit < 26; bit++) {
        const char text[1] = {(char)('a' + bit)};
        if (named >> bit & 1) {
            assert_int_equal(kn__dict_append(m->rules.items, text, 1, NULL), KN_OK);
        }
    }
    m->rules.hidden = kn__zalloc(26);
    m->rules.rule = kn__zalloc_array(count, sizeof *m->rules.rule);
    m->rules.count = m->rules.cap = count;
    for (size_t i = 0; i < count; i++) {
        kn_rule *r = &m->rules.rule[i];
        r->left = side(m, rules[i].left, &r->left_count);
        r->right = side(m, rules[i].right, &r->right_count);
    }
    assert_true(kn__model_validate(m, &reason));
    return m;
}

/* The rules of a model as bits. */
static size_t rules_of(const kn_model *m, oracle_rule *out)
{
    for (size_t i = 0; i < m->rules.count; i++) {
        const kn_rule *r = &m->rules.rule[i];
        size_t len;
        out[i] = (oracle_rule){0, 0};
        for (size_t j = 0; j < r->left_count; j++) {
            out[i].left |= 1u << (*kn__dict_text(m->rules.items, r->left[j], &len) - 'a');
        }
        for (size_t j = 0; j < r->right_count; j++) {
            out[i].right |= 1u << (*kn__dict_text(m->rules.items, r->right[j], &len) - 'a');
        }
    }
    return m->rules.count;
}

#endif
