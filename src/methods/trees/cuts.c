/* cuts.c - the cuts of the hierarchies of all classes, and ValueCheck. */
#include "methods/trees/cuts.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

uint32_t kn__cut_parent(const kn_cut_space *s, uint32_t label)
{
    if (label >= s->d->labels) {
        return label;
    }
    const uint32_t up = s->d->parent[label];
    return up == label ? s->d->labels + s->d->class_[label] : up;
}

size_t kn__cut_children(const kn_cut_space *s, uint32_t label, const uint32_t **out)
{
    if (label >= s->d->labels) {
        *out = &s->d->root[label - s->d->labels];
        return 1;
    }
    *out = s->d->child + s->d->child_begin[label];
    return s->d->child_begin[label + 1] - s->d->child_begin[label];
}

bool kn__cut_is_fixed(const kn_cut_space *s, uint32_t label)
{
    const uint32_t c = label >= s->d->labels ? label - s->d->labels : s->d->class_[label];

    return s->task->fixed && s->task->fixed[c];
}

/* ---- record sets ---- */

static kn_status fill_sets(kn_cut_space *s, kn_error *err)
{
    const kn_forest *f = s->task->forest;
    kn_record_set *held = kn__zalloc_array(f->values, sizeof *held);
    kn_record_union u = {0};
    kn_status status;

    s->value = kn__zalloc_array(s->labels, sizeof *s->value);
    KN_TRY(held && s->value ? kn__record_union_init(&u, s->words, err) : kn__nomem(err));
    KN_TRY(kn__forest_value_sets(held, f, NULL, err));
    for (uint32_t v = 0; v < f->values; v++) {
        s->value[s->d->of_value[v]] = held[v];
        held[v] = (kn_record_set){0};
    }
    for (uint32_t l = 0; l < s->d->labels; l++) {
        const uint32_t *child;
        const size_t children = kn__cut_children(s, l, &child);
        for (size_t i = 0; i < children; i++) {
            kn__record_union_add(&u, &s->value[child[i]]);
        }
        if (children) {
            KN_TRY(kn__record_union_take(&u, &s->value[l], err));
        }
    }
done:
    for (uint32_t v = 0; held && v < f->values; v++) {
        kn__record_set_clear(&held[v]);
    }
    kn__free(held);
    kn__record_union_clear(&u);
    return status;
}

kn_status kn__cut_space_init(kn_cut_space *s, const kn_tree_task *task, kn_error *err)
{
    *s = (kn_cut_space){.task = task,
                        .d = task->domain,
                        .labels = task->domain->labels + task->domain->classes,
                        .words = kn__record_words(task->forest->records)};
    return fill_sets(s, err);
}

void kn__cut_space_clear(kn_cut_space *s)
{
    for (uint32_t i = 0; s->value && i < s->labels; i++) {
        kn__record_set_clear(&s->value[i]);
    }
    kn__free(s->value);
    *s = (kn_cut_space){0};
}

/* ---- cuts ---- */

bool kn__cut_has(const kn_cut_space *s, const uint8_t *specialised, uint32_t label)
{
    return !specialised[label] && (label >= s->d->labels || specialised[kn__cut_parent(s, label)]);
}

/* Whether the order of a cut lists `label`, which is not among its first ones. */
static bool is_listed(const kn_cut_space *s, const uint8_t *specialised, uint32_t label)
{
    return kn__cut_has(s, specialised, label) && s->value[label].len && !kn__cut_is_fixed(s, label);
}

size_t kn__cut_order(const kn_cut_space *s, const uint8_t *specialised, uint32_t fresh,
                     uint32_t last, uint32_t *order, size_t *first)
{
    const uint32_t *child;
    size_t len = 0;

    *first = 0;
    if (fresh != KN_NO_LABEL) {
        *first = kn__cut_children(s, fresh, &child);
        memcpy(order, child, *first * sizeof *order);
        len = *first;
    }
    for (size_t i = last == KN_NO_LABEL ? 0 : kn__cut_children(s, last, &child); i-- > 0;) {
        if (child[i] != fresh && is_listed(s, specialised, child[i])) {
            order[len++] = child[i];
        }
    }
    for (uint32_t l = 0; l < s->d->labels; l++) {
        if (l != fresh && (last == KN_NO_LABEL || kn__cut_parent(s, l) != last) &&
            is_listed(s, specialised, l)) {
            order[len++] = l;
        }
    }
    return len;
}

void kn__cut_labels(const kn_cut_space *s, const uint8_t *specialised, uint32_t *to)
{
    for (uint32_t v = 0; v < s->task->forest->values; v++) {
        uint32_t label = s->d->of_value[v], top = label;
        for (;;) {
            const uint32_t up = top >= s->d->labels ? top : kn__cut_parent(s, top);
            if (up == top) {
                break;
            }
            top = up;
            label = specialised[top] ? label : top;
        }
        to[v] = label >= s->d->labels ? KN_NO_LABEL : s->d->published[label];
        if (kn__cut_is_fixed(s, s->d->of_value[v])) {
            to[v] = s->d->of_value[v];
        }
    }
}

/* ---- ValueCheck ---- */

static kn_status stop_at_first(void *user, const kn_known *known, kn_error *err)
{
    (void)user, (void)known, (void)err;
    return KN_EINFEASIBLE;
}

kn_status kn__cut_check_values(const kn_cut_space *s, const uint32_t *order, size_t len,
                               size_t first, uint32_t last, const kn_run *run, kn_error *err)
{
    kn_knowledge of = {.k = s->task->k,
                       .budget = {{(uint16_t)s->task->m, 0}},
                       .value = s->value,
                       .labels = s->labels,
                       .words = s->words,
                       .order = order,
                       .order_len = len,
                       .l = s->task->diversity ? s->task->diversity->l : 0,
                       .sensitive = s->task->diversity ? s->task->diversity->set : NULL,
                       .sensitive_len = s->task->diversity ? s->task->diversity->count : 0,
                       .run = run};
    uint8_t *ask = kn__zalloc_array(s->labels, 1);
    const uint32_t *child;
    kn_knowledge_walk *w = NULL;
    kn_status status = ask ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    if (last != KN_NO_LABEL) {
        for (size_t i = kn__cut_children(s, last, &child); i-- > 0;) {
            ask[child[i]] = KN_ASK_LABEL;
        }
        of.ask = ask;
    }
    KN_TRY(kn__knowledge_walk_new(&w, &of, err));
    for (size_t i = 0; i < first; i++) {
        KN_TRY(kn__knowledge_values(w, i, stop_at_first, NULL, err));
    }
done:
    kn__free(ask);
    kn__knowledge_walk_free(w);
    return status;
}
