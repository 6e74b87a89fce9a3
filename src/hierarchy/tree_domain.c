/* tree_domain.c - the hierarchies of all classes of a forest as one set of labels.
 *
 * Each class becomes a column without records, whose values are those of the forest and the leaves
 * of the hierarchy; kn__domain_new binds it as it binds any column. */
#include "hierarchy/tree_domain.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"

#include <math.h>
#include <string.h>

void kn__tree_domain_free(kn_tree_domain *d)
{
    if (d) {
        for (uint32_t i = 0; d->text && i < d->labels; i++) {
            kn__free(d->text[i]);
        }
        KN_FREE(d->text, d->parent, d->height, d->class_, d->published, d->child_begin, d->child,
                d->first, d->root, d->of_value, d->on_level, d);
    }
}

/* The values of a class as a column. */
static kn_status class_column(kn_column *out, const kn_forest *f, uint16_t class_,
                              const kn_hierarchy *h, kn_error *err)
{
    uint32_t begin, end;

    *out = (kn_column){.name = f->classes.name[class_],
                       .type = KN_TYPE_CATEGORY,
                       .missing = KN_NO_CODE,
                       .weight = 1};
    KN_PASS(kn__dict_new(&out->dict, err));
    kn__forest_class_values(f, class_, &begin, &end);
    for (uint32_t v = begin; v < end; v++) {
        KN_PASS(kn__dict_append(out->dict, f->text[v], strlen(f->text[v]), err));
    }
    for (uint32_t i = 0; h && i < h->leaves; i++) {
        const char *text = kn__hierarchy_label(h, i);
        uint32_t code;
        if (!kn__hierarchy_is_range(h, i) && i != h->missing) {
            KN_PASS(kn__dict_add(out->dict, text, strlen(text), &code, err));
        }
    }
    if (h && h->low) { /* ranges are over numbers or dates */
        out->type = h->type;
        out->numbers = kn__malloc_array(out->dict->len, sizeof *out->numbers);
        KN_PASS(out->numbers ? KN_OK : kn__nomem(err));
        for (uint32_t i = 0; i < out->dict->len; i++) {
            unsigned decimals;
            size_t len;
            const char *text = kn__dict_text(out->dict, i, &len);
            const bool is = h->type == KN_TYPE_DATE
                                ? kn__date_parse(text, len, &out->numbers[i])
                                : kn__number_parse(text, len, &out->numbers[i], &decimals);
            out->numbers[i] = is ? out->numbers[i] : NAN;
        }
    }
    return KN_OK;
}

/* Append the labels of one class. */
static kn_status add_class(kn_tree_domain *d, const kn_forest *f, uint16_t class_,
                           const kn_domain *from, size_t caps[4], kn_error *err)
{
    const uint32_t base = d->labels;
    const size_t need = (size_t)base + from->nodes;
    uint32_t begin, end;

    KN_PASS(kn__grow(&d->parent, &caps[0], need, sizeof *d->parent, err));
    KN_PASS(kn__grow(&d->height, &caps[1], need, sizeof *d->height, err));
    KN_PASS(kn__grow(&d->class_, &caps[2], need, sizeof *d->class_, err));
    KN_PASS(kn__grow(&d->text, &caps[3], need, sizeof *d->text, err));
    for (uint32_t i = 0; i < from->nodes; i++) {
        size_t len;
        const char *text = i < from->values ? kn__dict_text(from->column->dict, i, &len)
                                            : from->label[i - from->values];
        len = i < from->values ? len : strlen(text);
        d->text[base + i] = kn__strndup(text, len);
        KN_PASS(d->text[base + i] ? KN_OK : kn__nomem(err));
        d->labels++;
        d->parent[base + i] = base + from->parent[i];
        d->class_[base + i] = class_;
        d->height[base + i] = i >= from->values;
    }
    for (uint32_t i = base; i + 1 < d->labels; i++) {
        uint32_t *above = &d->height[d->parent[i]];
        *above = *above > d->height[i] + 1 ? *above : d->height[i] + 1;
    }
    kn__forest_class_values(f, class_, &begin, &end);
    for (uint32_t v = begin; v < end; v++) {
        d->of_value[v] = base + (v - begin);
    }
    d->first[class_] = base;
    d->root[class_] = d->labels - 1;
    return KN_OK;
}

static kn_status link_children(kn_tree_domain *d, kn_error *err)
{
    d->child_begin = kn__zalloc_array((size_t)d->labels + 2, sizeof *d->child_begin);
    d->child = kn__malloc_array(d->labels, sizeof *d->child);
    KN_PASS(d->child_begin && d->child ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < d->labels; i++) {
        d->child_begin[d->parent[i] + 2] += d->parent[i] != i;
    }
    for (uint32_t i = 0; i < d->labels; i++) {
        d->child_begin[i + 2] += d->child_begin[i + 1];
    }
    for (uint32_t i = 0; i < d->labels; i++) {
        if (d->parent[i] != i) {
            d->child[d->child_begin[d->parent[i] + 1]++] = i;
        }
    }
    return KN_OK;
}

/* Labels of a class with the same text cannot be told apart once they are published. */
static kn_status find_published(kn_tree_domain *d, kn_error *err)
{
    kn_dict *texts = NULL;
    uint32_t *at = kn__malloc_array(d->labels, sizeof *at); /* by code of a text */
    kn_status status = KN_OK;

    d->published = kn__malloc_array(d->labels, sizeof *d->published);
    KN_TRY(at && d->published ? KN_OK : kn__nomem(err));
    for (uint32_t c = 0; c < d->classes; c++) {
        kn__dict_free(texts);
        texts = NULL;
        KN_TRY(kn__dict_new(&texts, err));
        for (uint32_t i = d->root[c] + 1; i-- > d->first[c];) {
            const uint32_t known = texts->len;
            uint32_t code = 0;
            KN_TRY(kn__dict_add(texts, d->text[i], strlen(d->text[i]), &code, err));
            at[code] = code == known ? i : at[code];
            d->published[i] = at[code];
        }
    }
done:
    kn__dict_free(texts);
    kn__free(at);
    return status;
}

static kn_status count_levels(kn_tree_domain *d, kn_error *err)
{
    for (uint32_t i = 0; i < d->labels; i++) {
        d->levels = d->levels > d->height[i] + 1 ? d->levels : d->height[i] + 1;
    }
    d->on_level = kn__zalloc_array((size_t)d->levels + 1, sizeof *d->on_level);
    KN_PASS(d->on_level ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < d->labels; i++) {
        d->on_level[d->height[i]]++;
    }
    for (uint32_t c = 0; c < d->classes; c++) {
        const uint32_t root = d->root[c];
        const double top = d->height[root] + (strcmp(d->text[root], "*") == 0 ? 0 : 1);
        d->top = d->top > top ? d->top : top;
    }
    return KN_OK;
}

kn_status kn__tree_domain_new(kn_tree_domain **out, const kn_forest *f,
                              const kn_hierarchies *hierarchies, kn_error *err)
{
    kn_tree_domain *d = kn__zalloc(sizeof *d);
    size_t caps[4] = {0};
    kn_column column = {0};
    kn_domain *of_class = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(d ? KN_OK : kn__nomem(err));
    d->classes = (uint32_t)f->classes.len;
    d->first = kn__zalloc_array(d->classes, sizeof *d->first);
    d->root = kn__zalloc_array(d->classes, sizeof *d->root);
    d->of_value = kn__malloc_array(f->values, sizeof *d->of_value);
    KN_TRY(d->first && d->root && d->of_value ? KN_OK : kn__nomem(err));
    for (uint32_t c = 0; c < d->classes; c++) {
        const kn_hierarchy *h = hierarchies ? kn_hierarchies_get(hierarchies, f->classes.name[c])
                                            : NULL;
        KN_TRY(class_column(&column, f, (uint16_t)c, h, err));
        KN_TRY(kn__domain_new(&of_class, &column, h, KN_UNCOVERED_ERROR, err));
        KN_TRY(add_class(d, f, (uint16_t)c, of_class, caps, err));
        kn__domain_free(of_class);
        of_class = NULL;
        kn__dict_free(column.dict);
        kn__free(column.numbers);
        column = (kn_column){0};
    }
    KN_TRY(link_children(d, err));
    KN_TRY(find_published(d, err));
    KN_TRY(count_levels(d, err));
    *out = d;
    d = NULL;
done:
    kn__domain_free(of_class);
    kn__dict_free(column.dict);
    kn__free(column.numbers);
    kn__tree_domain_free(d);
    return status;
}

uint32_t kn__tree_domain_find(const kn_tree_domain *d, uint16_t class_, const char *text)
{
    for (uint32_t i = d->root[class_] + 1; i-- > d->first[class_];) {
        if (strcmp(d->text[i], text) == 0) {
            return i;
        }
    }
    return KN_NOT_A_LABEL;
}
