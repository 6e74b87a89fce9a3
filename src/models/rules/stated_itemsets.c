/* stated_itemsets.c - what is told beside the rules.
 *
 * With a rule's support and confidence, its lift says how many records hold the right side in all,
 * and so do leverage, conviction and every other figure made of the four cells of the rule's table:
 * with or without the left side, with or without the right one. The rule itself tells two of these
 * and the sum of the others. So the holders of the right side are all that is left to tell, and
 * telling them is publishing `{} => right`. */
#include "base/error.h"
#include "base/memory.h"
#include "models/rules/rules.h"

#include <math.h>
#include <string.h>

static bool is_private(const uint32_t *items, size_t count, const uint8_t *hidden)
{
    for (size_t i = 0; i < count; i++) {
        if (hidden[items[i]]) {
            return true;
        }
    }
    return false;
}

/* The share of all records that hold the right side, as far as the lift says. */
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

typedef struct telling {
    kn_rules *to;
    size_t rules;  /* of the model; behind them is what is told */
    kn_dict *sets; /* texts: the items of what is told, once each */
    kn_error *err;
} telling;

/* One more figure of a set that was told of already. Of figures that contradict each other either
 * may be right. */
static void tell_again(kn_rule *told, double support, double within)
{
    const double a = told->support - told->support_within, b = support - within;
    const double c = told->support + told->support_within, d = support + within;
    const bool meet = fmax(a, b) <= fmin(c, d) + 1e-9;
    const double least = meet ? fmax(a, b) : fmin(a, b), most = meet ? fmin(c, d) : fmax(c, d);

    if (isnan(told->support)) {
        told->support = support;
        told->support_within = within;
    } else if (!isnan(support)) {
        told->support = (least + most) / 2;
        told->support_within = fmax(most - least, 0) / 2;
    }
}

static kn_status add(telling *t, uint32_t *items, size_t count, double support, double within)
{
    const uint32_t before = t->sets->len;
    uint32_t code;
    kn_status status;

    KN_TRY(kn__dict_add(t->sets, (const char *)items, count * sizeof *items, &code, t->err));
    if (code < before) {
        tell_again(&t->to->rule[t->rules + code], support, within);
        return KN_OK;
    }
    KN_TRY(kn__grow(&t->to->rule, &t->to->cap, t->to->count + 1, sizeof *t->to->rule, t->err));
    t->to->rule[t->to->count++] = (kn_rule){.right = items,
                                            .right_count = count,
                                            .support = support,
                                            .support_within = within,
                                            .confidence = NAN,
                                            .lift = NAN};
done:
    return status;
}

kn_status kn__rules_with_told(kn_rules *out, const kn_rules *rules, const uint8_t *hidden,
                              kn_error *err)
{
    telling t = {.to = out, .rules = rules->count, .err = err};
    kn_status status = kn__dict_new(&t.sets, err);

    *out = *rules;
    out->cap = rules->count;
    out->rule = kn__malloc_array(rules->count, sizeof *out->rule);
    if (status == KN_OK && !out->rule) {
        status = kn__nomem(err);
    }
    if (status == KN_OK && rules->count > 0) {
        memcpy(out->rule, rules->rule, rules->count * sizeof *out->rule);
    }
    for (size_t i = 0; i < rules->count && status == KN_OK; i++) {
        const kn_rule *r = &rules->rule[i];
        if ((r->right_stated || r->lift > 0) && is_private(r->right, r->right_count, hidden)) {
            double support, within;
            support_of_right(r, &support, &within);
            status = add(&t, r->right, r->right_count, support, within);
        }
    }
    for (size_t i = 0; i < rules->sets && status == KN_OK; i++) {
        const kn_stated_set *s = &rules->set[i];
        if (is_private(s->items, s->count, hidden)) {
            status = add(&t, s->items, s->count, s->support, s->support_within);
        }
    }
    kn__dict_free(t.sets);
    if (status != KN_OK) {
        kn__free(out->rule);
        *out = (kn_rules){0};
    }
    return status;
}
