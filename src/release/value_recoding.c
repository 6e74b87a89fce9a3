/* value_recoding.c - what a release made of every value: found by comparing it with the original,
 * completed by the hierarchies, and applied to other tables. */
#include "release/value_recoding.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "release/release.h"

#include <string.h>

/* ---- columns ---- */

kn_status kn__recoding_new(kn_value_recoding **out, size_t columns, kn_error *err)
{
    kn_value_recoding *r = kn__zalloc(sizeof *r);

    *out = NULL;
    if (r) {
        r->column = kn__zalloc_array(columns + 1, sizeof *r->column);
    }
    if (!r || !r->column) {
        kn__free(r);
        return kn__nomem(err);
    }
    r->count = columns;
    *out = r;
    return KN_OK;
}

void kn_recoding_free(kn_value_recoding *recoding)
{
    for (size_t i = 0; recoding && i < recoding->count; i++) {
        kn_recoded_column *c = &recoding->column[i];
        kn__free(c->name);
        kn__dict_free(c->from);
        kn__dict_free(c->texts);
        kn__free(c->to);
    }
    if (recoding) {
        KN_FREE(recoding->column, recoding);
    }
}

kn_status kn__recoded_column_init(kn_recoded_column *c, const char *name, bool items, kn_error *err)
{
    *c = (kn_recoded_column){.name = kn__strdup(name), .items = items, .missing = KN_NO_CODE};
    KN_PASS(c->name ? kn__dict_new(&c->from, err) : kn__nomem(err));
    return kn__dict_new(&c->texts, err);
}

kn_status kn__recoded_column_add(kn_recoded_column *c, const char *from, size_t from_len,
                                 const char *to, size_t to_len, kn_error *err)
{
    const uint32_t before = c->from->len;
    uint32_t value, text = KN_NO_CODE;

    KN_PASS(kn__dict_add(c->from, from, from_len, &value, err));
    if (value < before) {
        return KN_OK;
    }
    if (to) {
        KN_PASS(kn__dict_add(c->texts, to, to_len, &text, err));
    }
    KN_PASS(kn__grow(&c->to, &c->cap, (size_t)value + 1, sizeof *c->to, err));
    c->to[value] = text;
    return KN_OK;
}

/* ---- out of a release ---- */

/* By code of the original column, the text of the published one that it became, where it occurs. */
typedef struct found {
    const kn_column *from, *published;
    uint32_t *text; /* codes of `published`; KN_NO_CODE: not seen */
} found;

/* A suppressed record that is kept has `*` in every quasi-identifier, which is no recoding. */
static bool is_starred(const kn_release *r, size_t record)
{
    for (size_t i = 0; r->starred && i < r->data->columns; i++) {
        const kn_column *c = &r->data->column[i];
        size_t len;
        if (c->role == KN_ROLE_QUASI && !c->starts) {
            const char *text = kn__column_text(c, kn__column_code(c, record), &len);
            if (len != 1 || *text != '*') {
                return false;
            }
        }
    }
    return r->starred;
}

static kn_status compare(const kn_release *r, found *f, kn_error *err)
{
    for (size_t i = 0; i < r->data->records; i++) {
        const uint32_t value = kn__column_code(f->from, r->origin[i]);
        const uint32_t text = kn__column_code(f->published, i);
        if (f->text[value] == text || is_starred(r, i)) {
            continue;
        }
        if (f->text[value] != KN_NO_CODE) {
            (void)kn__fail(
                err, KN_EUSAGE,
                "%s recodes locally: one value of column '%.100s' is published in several "
                "ways, and there is no recoding to keep; take a method that recodes "
                "globally, such as flash",
                r->method, f->from->name);
            return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "method");
        }
        f->text[value] = text;
    }
    return KN_OK;
}

/* What value `code` becomes; NULL: it is left out, or was not seen. */
static const char *text_of(const kn_release *r, const found *f, uint32_t code, size_t *len)
{
    if (f->from->starts) {
        return r->items.to[code] == KN_NO_CODE
                   ? NULL
                   : kn__dict_text(r->items.texts, r->items.to[code], len);
    }
    return f->text[code] == KN_NO_CODE ? NULL : kn__column_text(f->published, f->text[code], len);
}

static kn_status add_seen(const kn_release *r, const found *f, kn_recoded_column *c, kn_error *err)
{
    for (uint32_t code = 0; code < kn__column_values(f->from); code++) {
        size_t len = 0, from_len;
        const char *to = text_of(r, f, code, &len);
        const char *from = kn__column_text(f->from, code, &from_len);
        if (code == f->from->missing) {
            c->has_missing = to != NULL;
            if (to && !(f->published->missing != KN_NO_CODE && !f->from->starts &&
                        f->text[code] == f->published->missing)) {
                KN_PASS(kn__dict_add(c->texts, to, len, &c->missing, err));
            }
        } else if (to || f->from->starts) {
            KN_PASS(kn__recoded_column_add(c, from, from_len, to, len, err));
        }
    }
    return KN_OK;
}

/* ---- values of the hierarchy that were not in the table ---- */

/* The node at or above `leaf` whose label is `text`, and how many steps it is up. */
static uint32_t node_called(const kn_hierarchy *h, uint32_t leaf, const char *text, size_t len,
                            uint32_t *steps)
{
    *steps = 0;
    for (uint32_t node = leaf;; node = h->parent[node], ++*steps) {
        const char *label = kn__hierarchy_label(h, node);
        if (strlen(label) == len && memcmp(label, text, len) == 0) {
            return node;
        }
        if (h->parent[node] == node) {
            return KN_NO_CODE;
        }
    }
}

/* Mark the nodes that are published; `*level` is their one height above the leaves, if there is
 * one. */
static kn_status mark_published(const kn_release *r, const found *f, const kn_hierarchy *h,
                                uint8_t *marked, uint32_t *level, kn_error *err)
{
    uint32_t *leaf = kn__malloc_array(kn__column_values(f->from) + 1, sizeof *leaf);
    size_t uncovered;
    bool first = true;
    kn_status status;

    *level = KN_NO_CODE;
    KN_TRY(leaf ? kn__hierarchy_bind(h, f->from, leaf, &uncovered, err) : kn__nomem(err));
    for (uint32_t code = 0; code < kn__column_values(f->from); code++) {
        size_t len = 0;
        uint32_t steps, node;
        const char *to = text_of(r, f, code, &len);
        if (!to || leaf[code] == KN_NO_CODE || code == f->from->missing) {
            continue;
        }
        node = node_called(h, leaf[code], to, len, &steps);
        if (node != KN_NO_CODE) {
            marked[node] = 1;
        }
        *level = first || (node != KN_NO_CODE && *level == steps) ? steps : KN_NO_CODE;
        first = false;
    }
done:
    kn__free(leaf);
    return status;
}

/* What `leaf` becomes by the marks above it, or else by the level of all; KN_NO_CODE: unknown. */
static uint32_t covering(const kn_hierarchy *h, uint32_t leaf, const uint8_t *marked,
                         uint32_t level)
{
    uint32_t node = leaf;

    while (!marked[node] && h->parent[node] != node) {
        node = h->parent[node];
    }
    if (marked[node]) {
        return node;
    }
    for (node = leaf; level != KN_NO_CODE && level; level--) {
        node = h->parent[node];
    }
    return level == KN_NO_CODE ? KN_NO_CODE : node;
}

static kn_status add_unseen(const kn_release *r, const found *f, kn_recoded_column *c,
                            kn_error *err)
{
    const kn_hierarchy *h = r->hierarchies ? kn_hierarchies_get(r->hierarchies, c->name) : NULL;
    uint8_t *marked = NULL;
    uint32_t level = KN_NO_CODE;
    kn_status status;

    if (!h || h->low) {
        return KN_OK;
    }
    marked = kn__zalloc_array(h->nodes, sizeof *marked);
    KN_TRY(marked ? mark_published(r, f, h, marked, &level, err) : kn__nomem(err));
    for (uint32_t leaf = 0; leaf < h->leaves; leaf++) {
        const uint32_t node = leaf == h->missing
                                  ? KN_NO_CODE
                                  : covering(h, leaf, marked, c->items ? KN_NO_CODE : level);
        if (node != KN_NO_CODE) {
            const char *from = kn__hierarchy_label(h, leaf), *to = kn__hierarchy_label(h, node);
            KN_TRY(kn__recoded_column_add(c, from, strlen(from), to, strlen(to), err));
        }
    }
done:
    kn__free(marked);
    return status;
}

static kn_status find_column(const kn_release *r, const kn_column *published, kn_recoded_column *c,
                             kn_error *err)
{
    const size_t at = kn_dataset_find(r->original, published->name);
    found f = {.from = &r->original->column[at], .published = published};
    const uint32_t values = kn__column_values(f.from);
    kn_status status;

    if (f.from->starts && !r->items.to) {
        (void)kn__fail(
            err, KN_EUSAGE,
            "%s recodes the items of '%.100s' locally, or not at all: there is no recoding "
            "to keep; take a method that recodes globally, such as apriori",
            r->method, published->name);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "method");
    }
    f.text = kn__malloc_array(values + 1, sizeof *f.text);
    KN_TRY(f.text ? kn__recoded_column_init(c, published->name, f.from->starts != NULL, err)
                  : kn__nomem(err));
    for (uint32_t i = 0; i < values; i++) {
        f.text[i] = KN_NO_CODE;
    }
    KN_TRY(f.from->starts ? KN_OK : compare(r, &f, err));
    KN_TRY(add_seen(r, &f, c, err));
    KN_TRY(add_unseen(r, &f, c, err));
done:
    kn__free(f.text);
    return status;
}

kn_status kn_release_recoding(kn_value_recoding **out, const kn_release *r, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, r);

    kn_value_recoding *made = NULL;
    size_t count = 0;
    kn_status status;

    if (r->data->forest || r->data->records == 0) {
        return kn__fail(err, KN_EUSAGE, "a release of %s has no recoding to keep",
                        r->data->forest ? "tree records" : "no records");
    }
    for (size_t i = 0; i < r->data->columns; i++) {
        count += r->data->column[i].role == KN_ROLE_QUASI;
    }
    KN_TRY(kn__recoding_new(&made, count, err));
    for (size_t i = 0, at = 0; i < r->data->columns; i++) {
        if (r->data->column[i].role == KN_ROLE_QUASI) {
            KN_TRY(find_column(r, &r->data->column[i], &made->column[at++], err));
        }
    }
    *out = made;
    made = NULL;
done:
    kn_recoding_free(made);
    return status;
}
