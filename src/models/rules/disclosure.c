/* disclosure.c - counts of known holders, by part and private item, from those that a rule moves.
 */
#include "models/rules/disclosure.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

typedef struct had {
    uint32_t item, having;
} had;

/* Of one part: the private items that are told of, and how many are known to hold them. */
typedef struct tale {
    had *had; /* owned */
    size_t count;
} tale;

/* What a split would make of a part. */
typedef struct fresh {
    uint32_t part;
    uint8_t state; /* 0: what stays */
    tale tale;
} fresh;

struct kn_disclosure {
    const kn_baskets *lists;
    const uint8_t *hidden;
    kn_guarantee diversity;
    bool diverse; /* diversity is asked for */
    double inference;
    tale *tale; /* by part */
    size_t tales, tales_cap;
    uint64_t **known; /* by item: who is known to hold it; NULL: nobody */
    uint32_t *first; /* by part: the first record that moves, and by record the next of its part; */
    size_t first_cap; /* KN_NO_CODE: none */
    uint32_t *next;
    uint8_t *state;  /* by record that moves */
    uint32_t *parts; /* that have some */
    size_t parts_count, parts_cap;
    uint32_t *having[KN_RULE_STATES]; /* by item, of the part at hand; `gone` of what stays */
    uint32_t *gone;
    uint8_t
        *side; /* by item: bit 0 left, bit 1 right side of the rule at hand; private ones only */
    uint32_t left, right; /* how many */
    uint32_t *learnt;     /* pairs of record and item: what the rule would make known */
    size_t learnt_count, learnt_cap;
    fresh *fresh;
    size_t fresh_count, fresh_cap;
};

kn_status kn__disclosure_new(kn_disclosure **out, const kn_baskets *lists, const uint8_t *hidden,
                             double l, bool distinct, double inference, kn_error *err)
{
    kn_disclosure *t = kn__zalloc(sizeof *t);
    const size_t items = lists->items;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    *t = (kn_disclosure){
        .lists = lists, .hidden = hidden, .diverse = l > 0, .inference = inference};
    t->diversity = (kn_guarantee){.kind = KN_L_DIVERSITY,
                                  .l = l > 0 ? l : 1,
                                  .diversity = distinct ? KN_DISTINCT : KN_ENTROPY};
    t->known = kn__zalloc_array(items, sizeof(uint64_t *));
    t->next = kn__malloc_array(lists->records, sizeof *t->next);
    t->state = kn__malloc(lists->records);
    t->gone = kn__zalloc_array(items, sizeof *t->gone);
    t->side = kn__zalloc(items);
    for (int i = 0; i < KN_RULE_STATES; i++) {
        t->having[i] = kn__zalloc_array(items, sizeof **t->having);
    }
    if (!t->known || !t->next || !t->state || !t->gone || !t->side || !t->having[0] ||
        !t->having[1] || !t->having[2]) {
        kn__disclosure_free(t);
        return kn__nomem(err);
    }
    *out = t;
    return KN_OK;
}

static void drop_fresh(kn_disclosure *t)
{
    for (size_t i = 0; i < t->fresh_count; i++) {
        kn__free(t->fresh[i].tale.had);
    }
    t->fresh_count = 0;
}

void kn__disclosure_free(kn_disclosure *t)
{
    if (!t) {
        return;
    }
    drop_fresh(t);
    for (size_t i = 0; i < t->tales; i++) {
        kn__free(t->tale[i].had);
    }
    for (uint32_t i = 0; t->known && i < t->lists->items; i++) {
        kn__free(t->known[i]);
    }
    for (int i = 0; i < KN_RULE_STATES; i++) {
        kn__free(t->having[i]);
    }
    kn__free(t->tale);
    kn__free(t->known);
    kn__free(t->first);
    kn__free(t->next);
    kn__free(t->state);
    kn__free(t->parts);
    kn__free(t->gone);
    kn__free(t->side);
    kn__free(t->learnt);
    kn__free(t->fresh);
    kn__free(t);
}

/* ---- who moves ---- */

static kn_status make_room(kn_disclosure *t, size_t parts, kn_error *err)
{
    const size_t before = t->tales_cap;
    kn_status status;

    KN_TRY(kn__grow(&t->tale, &t->tales_cap, parts, sizeof *t->tale, err));
    memset(t->tale + before, 0, (t->tales_cap - before) * sizeof *t->tale);
    t->tales = t->tales > parts ? t->tales : parts;
    KN_TRY(kn__grow(&t->parts, &t->parts_cap, parts, sizeof *t->parts, err));
    const size_t had_room = t->first_cap;
    KN_TRY(kn__grow(&t->first, &t->first_cap, parts, sizeof *t->first, err));
    memset(t->first + had_room, 0xff, (t->first_cap - had_room) * sizeof *t->first);
done:
    return status;
}

static void move(kn_disclosure *t, const kn_parts *p, uint32_t record, uint8_t state)
{
    const uint32_t part = p->of[record];

    if (t->first[part] == KN_NO_CODE) {
        t->parts[t->parts_count++] = part;
    }
    t->next[record] = t->first[part];
    t->first[part] = record;
    t->state[record] = state;
}

/* Chain up by part all whose states the rule changes. Where everybody is at a state above 0, that
 * is all records; those of `rest` are kept apart as state 0. */
static void move_all(kn_disclosure *t, const kn_parts *p, const kn_split *split, uint8_t rest)
{
    const kn_records *lists[2] = {split->one, split->two};
    size_t at[2] = {0, 0};

    t->parts_count = 0;
    if (rest > 0) {
        for (uint32_t r = 0; r < p->records; r++) {
            uint8_t state = 0;
            for (int i = 0; i < 2; i++) {
                if (lists[i] && at[i] < lists[i]->len && lists[i]->at[at[i]] == r) {
                    at[i]++;
                    state = (uint8_t)(i + 1);
                }
            }
            move(t, p, r, state);
        }
        return;
    }
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; lists[i] && j < lists[i]->len; j++) {
            move(t, p, lists[i]->at[j], (uint8_t)(i + 1));
        }
    }
}

static void forget_moves(kn_disclosure *t)
{
    for (size_t i = 0; i < t->parts_count; i++) {
        t->first[t->parts[i]] = KN_NO_CODE;
    }
    t->parts_count = 0;
}

/* ---- one part ---- */

static bool is_known(const kn_disclosure *t, uint32_t item, uint32_t record)
{
    return t->known[item] && t->known[item][record / 64] >> record % 64 & 1;
}

static kn_status learn(kn_disclosure *t, uint32_t record, uint32_t item, kn_error *err)
{
    const kn_status status = kn__grow(&t->learnt, &t->learnt_cap, 2 * (t->learnt_count + 1),
                                      sizeof *t->learnt, err);

    if (status == KN_OK) {
        t->learnt[2 * t->learnt_count] = record;
        t->learnt[2 * t->learnt_count++ + 1] = item;
    }
    return status;
}

/* Count a record at pattern `pattern` of the rule into group `state`. */
static kn_status count_record(kn_disclosure *t, uint32_t record, uint8_t state, uint8_t pattern,
                              kn_error *err)
{
    size_t len;
    const uint32_t *items = kn__baskets_record(t->lists, record, &len);
    uint32_t left = 0, right = 0;
    kn_status status = KN_OK;

    for (size_t i = 0; i < len; i++) {
        left += t->side[items[i]] & 1;
        right += t->side[items[i]] >> 1;
    }
    for (size_t i = 0; i < len && status == KN_OK; i++) {
        const uint32_t item = items[i];
        const bool before = t->hidden[item] && is_known(t, item, record);
        const bool now = pattern > 0 && left == t->left &&
                         (t->side[item] & 1 ||
                          (pattern > 1 && right == t->right && t->side[item] >> 1));
        t->gone[item] += before;
        t->having[state][item] += before || now;
        if (now && !before) {
            status = learn(t, record, item, err);
        }
    }
    return status;
}

static bool fits(const kn_disclosure *t, uint32_t having, uint32_t population)
{
    const kn_presence judged = kn__presence_judge(&t->diversity, having, population);

    return (t->inference <= 0 || judged.confidence <= t->inference) &&
           (!t->diverse || judged.diverse);
}

/* What one of the three groups of a part tells; `*ok` whether that is little enough. */
static kn_status tell(kn_disclosure *t, uint32_t part, uint8_t state, uint8_t pattern,
                      uint32_t population, const kn_rule *rule, bool *ok, kn_error *err)
{
    const tale *old = &t->tale[part];
    const size_t most = old->count + rule->left_count + rule->right_count;
    fresh f = {.part = part, .state = state};
    kn_status status = kn__grow(&t->fresh, &t->fresh_cap, t->fresh_count + 1, sizeof *t->fresh,
                                err);

    f.tale.had = status == KN_OK ? kn__malloc_array(most, sizeof *f.tale.had) : NULL;
    if (!f.tale.had) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < most; i++) {
        const size_t in_rule = i - old->count;
        const uint32_t item = i < old->count ? old->had[i].item
                              : in_rule < rule->left_count
                                  ? rule->left[in_rule]
                                  : rule->right[in_rule - rule->left_count];
        const unsigned side = t->side[item];
        bool seen = false;
        if (i >= old->count && !((side & 1 && pattern > 0) || (side >> 1 && pattern > 1))) {
            continue;
        }
        for (size_t j = 0; i >= old->count && j < old->count && !seen; j++) {
            seen = old->had[j].item == item;
        }
        if (!seen) {
            uint32_t having = t->having[state][item];
            if (state == 0 && i < old->count && pattern == 0) {
                having = old->had[i].having - t->gone[item];
            }
            f.tale.had[f.tale.count++] = (had){item, having};
            *ok = *ok && fits(t, having, population);
        }
    }
    t->fresh[t->fresh_count++] = f;
    return KN_OK;
}

static void clear_counts(kn_disclosure *t, uint32_t part, const kn_rule *rule)
{
    const tale *old = &t->tale[part];

    for (size_t i = 0; i < old->count + rule->left_count + rule->right_count; i++) {
        const size_t in_rule = i - old->count;
        const uint32_t item = i < old->count ? old->had[i].item
                              : in_rule < rule->left_count
                                  ? rule->left[in_rule]
                                  : rule->right[in_rule - rule->left_count];
        t->gone[item] = t->having[0][item] = t->having[1][item] = t->having[2][item] = 0;
    }
}

static kn_status look_at(kn_disclosure *t, const kn_parts *p, uint32_t part, const kn_rule *rule,
                         uint8_t rest, bool *ok, kn_error *err)
{
    uint32_t population[KN_RULE_STATES] = {(uint32_t)p->part[part].population, 0, 0};
    kn_status status = KN_OK;

    for (uint32_t r = t->first[part]; r != KN_NO_CODE && status == KN_OK; r = t->next[r]) {
        const uint8_t state = t->state[r];
        status = count_record(t, r, state, state ? state : rest, err);
        population[0] -= state > 0;
        population[state] += state > 0;
    }
    for (uint8_t state = 0; state < KN_RULE_STATES && status == KN_OK && *ok; state++) {
        if (population[state] > 0) {
            status = tell(t, part, state, state ? state : rest, population[state], rule, ok, err);
        }
    }
    clear_counts(t, part, rule);
    return status;
}

static void set_sides(kn_disclosure *t, const kn_rule *rule, bool on)
{
    t->left = t->right = 0;
    for (size_t i = 0; i < rule->left_count; i++) {
        t->side[rule->left[i]] = on && t->hidden[rule->left[i]];
        t->left += t->side[rule->left[i]];
    }
    for (size_t i = 0; i < rule->right_count; i++) {
        t->side[rule->right[i]] = on && t->hidden[rule->right[i]] ? 2 : 0;
        t->right += t->side[rule->right[i]] >> 1;
    }
}

kn_status kn__disclosure_fits(kn_disclosure *t, const kn_parts *p, const kn_rule *rule,
                              const kn_split *split, uint8_t rest, bool *ok, kn_error *err)
{
    kn_status status = make_room(t, p->count, err);

    *ok = true;
    t->learnt_count = 0;
    drop_fresh(t);
    if (status != KN_OK) {
        return status;
    }
    set_sides(t, rule, true);
    move_all(t, p, split, rest);
    for (size_t i = 0; i < t->parts_count && status == KN_OK && *ok; i++) {
        status = look_at(t, p, t->parts[i], rule, rest, ok, err);
    }
    forget_moves(t);
    set_sides(t, rule, false);
    return status;
}

kn_status kn__disclosure_take(kn_disclosure *t, const kn_parts *p, size_t before, kn_error *err)
{
    kn_status status;
    size_t at = before;

    KN_TRY(make_room(t, p->count, err));
    for (size_t i = 0; i < t->learnt_count; i++) {
        const uint32_t record = t->learnt[2 * i], item = t->learnt[2 * i + 1];
        if (!t->known[item]) {
            t->known[item] = kn__zalloc_array((p->records + 63) / 64, sizeof **t->known);
            KN_TRY(t->known[item] ? KN_OK : kn__nomem(err));
        }
        t->known[item][record / 64] |= UINT64_C(1) << record % 64;
    }
    for (size_t i = 0; i < t->fresh_count; i++) {
        fresh *f = &t->fresh[i];
        uint32_t to = f->part;
        if (f->state > 0) {
            /* Nearly always the next: both go through the parts in the order they were met in. */
            for (size_t tried = before; tried < p->count; tried++) {
                at = at < p->count ? at : before;
                if (p->part[at].parent == f->part && p->part[at].state == f->state) {
                    break;
                }
                at++;
            }
            to = (uint32_t)at++;
        }
        kn__free(t->tale[to].had);
        t->tale[to] = f->tale;
        f->tale = (tale){0};
    }
done:
    return status;
}
