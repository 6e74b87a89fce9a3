/* tree_embedding.c - what a single record, or a set of records, says about knowledge. */
#include "count/tree_embedding.h"
#include "base/error.h"
#include "base/memory.h"

/* Whether part node `i` can be node `at` of the record, with all that is below it. */
static bool fits(const kn_embedding *e, uint32_t i, uint32_t at)
{
    for (uint32_t j = i + 1; j < e->end; j++) {
        bool some = false;
        if (e->node[j].parent != i) {
            continue;
        }
        for (size_t h = 0; h < e->held_len && !some; h++) {
            const uint32_t below = e->s->now[e->held[h]];
            some = e->s->label[below] == e->node[j].label && below != at &&
                   kn__synopsis_is_above(e->s, at, below) && fits(e, j, below);
        }
        if (!some) {
            return false;
        }
    }
    return true;
}

bool kn__part_embeds(void *user, uint32_t record)
{
    kn_embedding *e = user;

    e->held = kn__synopsis_row(e->s, record, &e->held_len);
    for (size_t h = 0; h < e->held_len; h++) {
        const uint32_t at = e->s->now[e->held[h]];
        if (e->s->label[at] == e->node[e->begin].label && fits(e, e->begin, at)) {
            return true;
        }
    }
    return false;
}

kn_status kn__knowledge_ask(uint8_t *ask, const kn_synopsis *s, const bool *changed, kn_error *err)
{
    uint8_t *below = kn__zalloc_array(s->nodes, 1);

    KN_PASS(below ? KN_OK : kn__nomem(err));
    for (uint32_t l = 0; l < s->labels; l++) {
        ask[l] = changed[l] ? KN_ASK_LABEL : 0;
    }
    for (uint32_t i = 1; i < s->nodes; i++) {
        const uint32_t up = s->parent[i];
        if (!s->support[i]) {
            continue;
        }
        below[i] = below[up] || (up && changed[s->label[up]]);
        ask[s->label[i]] |= below[i] ? KN_ASK_FORK : 0;
    }
    kn__free(below);
    return KN_OK;
}

bool kn__knowledge_is_diverse(const kn_knowledge *of, const kn_record_set *set)
{
    for (size_t i = 0; of->l > 1 && i < of->sensitive_len; i++) {
        const size_t held = kn__record_set_common(set, &of->sensitive[i], of->words, set->len, NULL,
                                                  NULL, NULL);
        if ((double)held * of->l > (double)set->len) {
            return false;
        }
    }
    return true;
}
