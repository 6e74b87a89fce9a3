/* hits.c - one rule: what of it can be seen, and whom it moves. */
#include "models/rules/rules.h"
#include "base/error.h"
#include "base/memory.h"

kn_status kn__rule_view_of(kn_rule_view *out, const kn_rule *rule, const uint8_t *hidden,
                           kn_error *err)
{
    const size_t most = 2 * rule->left_count + rule->right_count;
    size_t left = 0, right = 0;

    *out = (kn_rule_view){.left = kn__malloc_array(most, sizeof *out->left)};
    if (!out->left) {
        return kn__nomem(err);
    }
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
    out->tells[1] = out->left_count < rule->left_count;
    out->tells[2] = out->both_count < rule->left_count + rule->right_count;
    return KN_OK;
}

void kn__rule_view_clear(kn_rule_view *v)
{
    kn__free(v->left);
    *v = (kn_rule_view){0};
}

kn_status kn__rule_find_hits(kn_rule_hits *hits, const kn_rule_view *v, const kn_item_index *h,
                             kn_split *split, kn_error *err)
{
    kn_status status = KN_OK;

    hits->rest = v->both_count == 0 ? 2 : v->left_count == 0 ? 1 : 0;
    *split = (kn_split){.tells = {v->tells[hits->rest], v->tells[1], v->tells[2]}};
    if (v->both_count > 0) {
        split->two = &hits->two;
        status = kn__item_index_of_all(&hits->two, h, v->both, v->both_count, err);
    }
    if (status == KN_OK && v->left_count > 0 && v->both_count > v->left_count) {
        split->one = &hits->one;
        status = kn__item_index_of_all(&hits->one, h, v->left, v->left_count, err);
        if (status == KN_OK) {
            status = kn__records_without(&hits->one, &hits->one, &hits->two, err);
        }
    }
    return status;
}

void kn__rule_hits_clear(kn_rule_hits *hits)
{
    kn__free(hits->one.at);
    kn__free(hits->two.at);
    *hits = (kn_rule_hits){0};
}
