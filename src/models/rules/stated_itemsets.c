/* stated_itemsets.c - the itemsets whose support a model states beside its rules, or implies.
 *
 * The four cells of a rule's table are: with or without the left side, with or without the right
 * side. Support and confidence give the two cells with the left side, and the sum of the others. A
 * lift, a leverage, a conviction or another measure of these cells then gives the support of the
 * right side; nothing else is left to disclose. Stating that support is publishing `{} => right`.
 */
#include "base/error.h"
#include "base/memory.h"
#include "models/rules/rules.h"

#include <math.h>
#include <string.h>

static bool has_private(const uint32_t *items, size_t count, const uint8_t *hidden)
{
    for (size_t i = 0; i < count; i++) {
        if (hidden[items[i]]) {
            return true;
        }
    }
    return false;
}

/* The support of the right side by the lift, with the error that rounded figures leave. */
static void support_of_right(const kn_rule *r, double *support, double *within)
{
    const double least = (r->confidence - r->confidence_within) / (r->lift + r->lift_within);
    const double most = (r->confidence + r->confidence_within) / (r->lift - r->lift_within);

    *support = *within = NAN;
    if (r->lift > r->lift_within && isfinite(least) && isfinite(most)) {
        *support = (least + most) / 2;
        *within = (most - least) / 2;
    }
}

typedef struct stated_sets {
    kn_rules *to;
    size_t rules;  /* of the model; the stated sets come behind them */
    kn_dict *sets; /* texts: the items of each stated set */
    kn_error *err;
} stated_sets;

/* Another figure of a set: the intersection of the two intervals. If it is empty, either figure may
 * be right, and the interval that covers both is taken. */
static void merge_figures(kn_rule *set, double support, double within)
{
    const double a = set->support - set->support_within, b = support - within;
    const double c = set->support + set->support_within, d = support + within;
    const bool meet = fmax(a, b) <= fmin(c, d) + 1e-9;
    const double least = meet ? fmax(a, b) : fmin(a, b), most = meet ? fmin(c, d) : fmax(c, d);

    if (isnan(set->support)) {
        set->support = support;
        set->support_within = within;
    } else if (!isnan(support)) {
        set->support = (least + most) / 2;
        set->support_within = fmax(most - least, 0) / 2;
    }
}

static kn_status add_set(stated_sets *t, uint32_t *items, size_t count, double support,
                         double within)
{
    const uint32_t before = t->sets->len;
    uint32_t code;

    KN_PASS(kn__dict_add(t->sets, (const char *)items, count * sizeof *items, &code, t->err));
    if (code < before) {
        merge_figures(&t->to->rule[t->rules + code], support, within);
        return KN_OK;
    }
    KN_PASS(kn__grow(&t->to->rule, &t->to->cap, t->to->count + 1, sizeof *t->to->rule, t->err));
    t->to->rule[t->to->count++] = (kn_rule){.right = items,
                                            .right_count = count,
                                            .support = support,
                                            .support_within = within,
                                            .confidence = NAN,
                                            .lift = NAN};
    return KN_OK;
}

kn_status kn__rules_with_stated_sets(kn_rules *out, const kn_rules *rules, const uint8_t *hidden,
                                     kn_error *err)
{
    stated_sets t = {.to = out, .rules = rules->count, .err = err};
    kn_status status;

    *out = *rules;
    out->cap = rules->count;
    out->rule = kn__malloc_array(rules->count, sizeof *out->rule);
    KN_TRY(out->rule ? kn__dict_new(&t.sets, err) : kn__nomem(err));
    if (rules->count > 0) {
        memcpy(out->rule, rules->rule, rules->count * sizeof *out->rule);
    }
    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *r = &rules->rule[i];
        if ((r->right_stated || r->lift > 0) && has_private(r->right, r->right_count, hidden)) {
            double support, within;
            support_of_right(r, &support, &within);
            KN_TRY(add_set(&t, r->right, r->right_count, support, within));
        }
    }
    for (size_t i = 0; i < rules->sets; i++) {
        const kn_stated_set *s = &rules->set[i];
        if (has_private(s->items, s->count, hidden)) {
            KN_TRY(add_set(&t, s->items, s->count, s->support, s->support_within));
        }
    }
done:
    kn__dict_free(t.sets);
    if (status != KN_OK) {
        kn__free(out->rule);
        *out = (kn_rules){0};
    }
    return status;
}
