/* items.c - which column rules are about, and which of its items are private. */
#include "models/rules/rules.h"
#include "base/error.h"
#include "base/memory.h"
#include "guarantees/sensitive_items.h"
#include "hierarchy/hierarchy.h"
#include "kanon/catalog.h"

#include <string.h>

static bool holds_items(const kn_column *c)
{
    return c->starts && c->dict && c->role != KN_ROLE_IDENTIFIER && c->role != KN_ROLE_DROPPED;
}

kn_status kn__rules_column(const kn_column **out, const kn_dataset *ds, const char *name,
                           kn_error *err)
{
    const size_t at = name ? kn_dataset_find(ds, name) : SIZE_MAX;

    *out = NULL;
    if (at != SIZE_MAX && !holds_items(&ds->column[at])) {
        return kn__fail(
            err, KN_EINPUT,
            "the rules are about the items of '%.100s', which is no list of items here; "
            "--items %.100s says that it is one",
            name, name);
    }
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (!holds_items(c) || (at != SIZE_MAX && at != i)) {
            continue;
        }
        if (*out) {
            return kn__fail(
                err, KN_EUSAGE,
                "rules are about the items of one column, and both '%.100s' and '%.100s' "
                "hold items; --drop one of them",
                (*out)->name, c->name);
        }
        *out = c;
    }
    return *out ? KN_OK
                : kn__fail(err, KN_EUSAGE,
                           "rules are about items, and no column holds any; --items COLUMN says "
                           "which one does");
}

kn_status kn__rules_private_items(uint8_t **out, const kn_column *c,
                                  const kn_hierarchies *hierarchies, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    kn_sensitive_items found = {0};
    kn_status status = KN_OK;

    *out = kn__zalloc(values);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    if (c->role == KN_ROLE_SENSITIVE) {
        memset(*out, 1, values);
        return KN_OK;
    }
    if (kn__named_items_any(&c->sensitive)) {
        status = kn__sensitive_items_find(&found, c, hierarchies, err);
    }
    if (status == KN_OK) {
        status = kn__sensitive_items_all_there(&found, err);
    }
    if (status == KN_OK && found.is) {
        memcpy(*out, found.is, values);
    }
    kn__sensitive_items_clear(&found);
    if (status != KN_OK) {
        kn__free(*out);
        *out = NULL;
    }
    return status;
}

/* An item without records is misspelt, or the rules are of other data. Without this check such a
 * rule would pass as harmless. */
static kn_status no_item(const kn_column *c, const char *text, size_t len, kn_error *err)
{
    enum { MOST = 1000 };
    const char *names[MOST];
    char *name = kn__strndup(text, len);
    kn_buffer texts = {0};
    size_t count = 0;
    kn_status status;

    for (uint32_t i = 0; i < kn__column_values(c) && i < MOST; i++) {
        size_t item_len;
        const char *item = kn__column_text(c, i, &item_len);
        kn__buffer_add(&texts, item, item_len);
        kn__buffer_addc(&texts, '\0');
    }
    if (!name || texts.failed) {
        status = kn__nomem(err);
    } else {
        const char *near;
        for (const char *at = texts.data; at && at < texts.data + texts.len; at += strlen(at) + 1) {
            names[count++] = at;
        }
        near = kn_nearest(name, names, count);
        status = kn__fail(
            err, KN_EINPUT,
            "the rules name the item %s, which no record of the data holds%s%s%s; rules "
            "are judged against the data that they are of",
            kn__quote_make(text, len).text, near ? "; did you mean " : "",
            near ? kn__quote_make(near, strlen(near)).text : "", near ? "?" : "");
    }
    kn__free(name);
    kn__buffer_free(&texts);
    return status;
}

kn_status kn__rules_bind(kn_bound *b, const kn_hierarchies *hierarchies, bool to_apply,
                         kn_error *err)
{
    const kn_rules *rules = &b->model->rules;
    uint8_t *hidden = NULL;
    size_t len;
    kn_status status = kn__rules_column(&b->items, b->ds, rules->column, err);

    if (status == KN_OK && !to_apply) {
        status = kn__rules_private_items(&hidden, b->items, hierarchies, err);
    }
    if (status != KN_OK) {
        return status;
    }
    b->item = kn__malloc_array(kn__column_values(b->items), sizeof *b->item);
    b->item_hidden = kn__zalloc(rules->items->len);
    if (!b->item || !b->item_hidden) {
        kn__free(hidden);
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < kn__column_values(b->items); i++) {
        const char *text = kn__column_text(b->items, i, &len);
        b->item[i] = i == b->items->missing ? KN_NO_CODE : kn__dict_find(rules->items, text, len);
        if (b->item[i] != KN_NO_CODE && hidden) {
            b->item_hidden[b->item[i]] = hidden[i];
        }
    }
    for (uint32_t i = 0; i < rules->items->len && status == KN_OK && !to_apply; i++) {
        const char *text = kn__dict_text(rules->items, i, &len);
        const uint32_t code = kn__dict_find(b->items->dict, text, len);
        if (code == KN_NO_CODE || code == b->items->missing) {
            status = no_item(b->items, text, len, err);
        } else if (rules->hidden && rules->hidden[i] && !b->item_hidden[i]) {
            status = kn__fail(
                err, KN_EINPUT,
                "the rules say that %s is private, and nothing else does: name it with "
                "--sensitive-items, or with all that begin like it or are below its node",
                kn__quote_make(text, len).text);
        }
    }
    kn__free(hidden);
    return status;
}
