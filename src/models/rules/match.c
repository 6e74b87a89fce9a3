/* match.c - one rule: its public items, and the records that match them. */
#include "models/rules/rules.h"
#include "base/error.h"
#include "base/memory.h"

kn_status kn__rule_view_of(kn_rule_view *out, const kn_rule *rule, const uint8_t *hidden,
                           kn_error *err)
{
    const size_t most = 2 * rule->left_count + rule->right_count;
    size_t left = 0, right = 0;

    *out = (kn_rule_view){.left = kn__malloc_array(most, sizeof *out->left)};
    KN_PASS(out->left ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < rule->left_count; i++) {
        if (!hidden || !hidden[rule->left[i]]) {
            out->left[out->left_count++] = rule->left[i];
        }
    }
    out->both = out->left + out->left_count;
    while (left < out->left_count || right < rule->right_count) {
        if (right < rule->right_count && hidden && hidden[rule->right[right]]) {
            right++;
        } else if (right == rule->right_count ||
                   (left < out->left_count && out->left[left] < rule->right[right])) {
            out->both[out->both_count++] = out->left[left++];
        } else {
            out->both[out->both_count++] = rule->right[right++];
        }
    }
    out->discloses[KN_RULE_LEFT] = out->left_count < rule->left_count;
    out->discloses[KN_RULE_BOTH] = out->both_count < rule->left_count + rule->right_count;
    return KN_OK;
}

void kn__rule_view_clear(kn_rule_view *v)
{
    kn__free(v->left);
    *v = (kn_rule_view){0};
}

kn_status kn__rule_match(kn_rule_matches *m, const kn_rule_view *v, const kn_item_index *index,
                         kn_rule_split *split, kn_error *err)
{
    m->rest = v->left_count == 0 ? 1 : 0;
    if (v->both_count == 0) {
        m->rest = 2;
    }
    *split = (kn_rule_split){.discloses = {v->discloses[m->rest], v->discloses[KN_RULE_LEFT],
                                           v->discloses[KN_RULE_BOTH]}};
    if (v->both_count > 0) {
        split->both = &m->both;
        KN_PASS(kn__item_index_intersect(&m->both, index, v->both, v->both_count, err));
    }
    if (v->left_count > 0 && v->both_count > v->left_count) {
        split->left_only = &m->left_only;
        KN_PASS(kn__item_index_intersect(&m->left_only, index, v->left, v->left_count, err));
        KN_PASS(kn__records_subtract(&m->left_only, &m->left_only, &m->both, err));
    }
    return KN_OK;
}

void kn__rule_matches_clear(kn_rule_matches *m)
{
    KN_FREE(m->left_only.at, m->both.at);
    *m = (kn_rule_matches){0};
}
