/* kind.c - association rules as a kind of model: invariants, judging, answers, and the row of the
 * registry. */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/judge/verdict.h"
#include "models/rules/mine.h"
#include "models/rules/recount.h"
#include "models/rules/rules.h"

#include <inttypes.h>
#include <string.h>

static kn_status init(kn_model *m, kn_error *err)
{
    return kn__dict_new(&m->rules.items, err);
}

static void clear(kn_model *m)
{
    kn_rules *r = &m->rules;

    for (size_t i = 0; i < r->count; i++) {
        KN_FREE(r->rule[i].left, r->rule[i].right);
    }
    for (size_t i = 0; i < r->sets; i++) {
        kn__free(r->set[i].items);
    }
    KN_FREE(r->rule, r->set, r->column, r->hidden);
    kn__dict_free(r->items);
}

static bool valid_side(const kn_rules *r, const uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i] >= r->items->len || (i > 0 && items[i - 1] >= items[i])) {
            return false;
        }
    }
    return true;
}

static const char *fault(const kn_model *m)
{
    const kn_rules *r = &m->rules;

    for (size_t i = 0; i < r->count; i++) {
        const kn_rule *rule = &r->rule[i];
        size_t left = 0;
        if (rule->right_count == 0) {
            return "a rule has no right side";
        }
        if (!valid_side(r, rule->left, rule->left_count) ||
            !valid_side(r, rule->right, rule->right_count)) {
            return "a rule names an item that there is not, or one twice";
        }
        for (size_t j = 0; j < rule->right_count; j++) {
            while (left < rule->left_count && rule->left[left] < rule->right[j]) {
                left++;
            }
            if (left < rule->left_count && rule->left[left] == rule->right[j]) {
                return "a rule has an item on both sides";
            }
        }
    }
    for (size_t i = 0; i < r->sets; i++) {
        if (r->set[i].count == 0 || !valid_side(r, r->set[i].items, r->set[i].count)) {
            return "a set of items is empty, or names an item that there is not, or one twice";
        }
    }
    return NULL;
}

static kn_status shape(kn_model_shape *out, const kn_model *m, kn_error *err)
{
    (void)err;
    out->rules = m->rules.count;
    return KN_OK;
}

/* ---- judging ---- */

static kn_status judge(kn_model_verdict *v, const kn_bound *b, const kn_span_model *span_model,
                       const kn_run *run, kn_error *err)
{
    kn_rules_recounted counted = {0};

    KN_PASS(kn__rules_recount(&counted, b, &v->spans, run, err));
    KN_PASS(kn__spans_judge(v, span_model, run, err));
    v->figures.recounted = b->ds->records;
    v->figures.told = counted.told;
    v->figures.unlike = counted.unlike;
    if (counted.k < v->limits.k && v->figures.broken == 0) {
        KN_PASS(kn__fail(err, KN_EBROKEN,
                         "the rules were said to hold, and a second count finds %" PRIu64
                         " people that they tell of: this is a defect of kanon; please report it",
                         counted.k));
    }
    return KN_OK;
}

/* ---- answers ---- */

/* The items that rules predict for a record: the right sides of rules whose left sides it holds.
 * has: 1 it holds the item, 2 the item was predicted; zeroed before and after. */
static kn_status add_answer(kn_chunk *c, const kn_bound *b, size_t record, uint32_t answer,
                            void *scratch, kn_error *err)
{
    uint8_t *has = scratch;
    const kn_rules *rules = &b->model->rules;
    const kn_column *items = b->items;
    kn_status status = KN_OK;

    (void)answer;
    for (uint64_t i = items->starts[record]; i < items->starts[record + 1]; i++) {
        const uint32_t item = b->item[kn__code_get(items->codes, items->width, (size_t)i)];
        if (item != KN_NO_CODE) {
            has[item] = 1;
        }
    }
    for (size_t r = 0; r < rules->count; r++) {
        const kn_rule *rule = &rules->rule[r];
        bool applies = true;
        for (size_t i = 0; i < rule->left_count; i++) {
            applies = applies && has[rule->left[i]] == 1;
        }
        for (size_t i = 0; applies && i < rule->right_count; i++) {
            const uint32_t item = rule->right[i];
            size_t len;
            const char *text = kn__dict_text(rules->items, item, &len);
            if (!has[item]) {
                has[item] = 2;
                KN_TRY(kn__chunk_add_item(c, 0, text, len, err));
            }
        }
    }
done:
    memset(has, 0, rules->items->len);
    return status;
}

/* ---- the row ---- */

static const kn_param params[] = {
    KN_SPAN_PARAMS,
    {.name = "support",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.01,
     .help = "rules: the least share of the records that hold all of a rule"},
    {.name = "confidence",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.5,
     .help = "rules: the least share of those with the left side that have the right side"},
    {.name = "rules",
     .kind = KN_PARAM_COUNT,
     .max = KN_MOST_COUNT,
     .help = "rules: at most so many; the default, 0, is no limit"},
    {.name = "longest",
     .kind = KN_PARAM_COUNT,
     .min = 2,
     .max = KN_MOST_LONGEST,
     .standard = 4,
     .help = "rules: the most items of a rule; the default is 4"},
};

const kn_model_row kn__rules_row = {
    .entry = {.kind = KN_ENTRY_MODEL,
              .name = "rules",
              .summary = "association rules between items",
              KN_PARAMS(params),
              .page = "models.md"},
    .kind = KN_MODEL_RULES,
    .noun = "set of rules",
    .of_items = true,
    .init = init,
    .clear = clear,
    .fault = fault,
    .shape = shape,
    .bind = kn__rules_bind,
    .span_model = kn__rules_span_model,
    .judge = judge,
    .add_answer = add_answer,
    .mine = kn__mine_rules,
};
