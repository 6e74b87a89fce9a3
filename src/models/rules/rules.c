/* rules.c - patterns of public items by refinement, and the classes that each allows. */
#include "models/rules/rules.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

enum { MOST_LISTED = 64 };

/* The rules, tied to the records. */
typedef struct reach {
    kn_rules all;           /* the rules of the model, and what is told beside them */
    const kn_rules *rules;  /* all of these */
    size_t told;            /* the first that is told beside them */
    uint32_t *span;         /* by record: its pattern's number, in order of first records */
    uint32_t *class_of;     /* by record */
    kn_class_list *allowed; /* by pattern: its classes */
    size_t patterns;
    kn_dict *classes; /* texts: the states of the rules, four a byte */
    size_t bytes;     /* of such a text */
    size_t
        *known_begin; /* by class: where its private items begin that a record is known to hold */
    uint32_t *known;
    size_t known_cap;
} reach;

/* ---- all rules ---- */

/* Part the records by their states in all rules, as far as `hidden` lets them be seen; `rest` gets
 * by rule the state of those that no part names. */
static kn_status part(kn_parts *out, const kn_rules *rules, const uint8_t *hidden,
                      const kn_item_index *h, uint8_t *rest, kn_error *err)
{
    kn_rule_hits hits = {0};
    kn_status status = kn__parts_new(out, h->records, err);

    for (size_t i = 0; i < rules->count && status == KN_OK; i++) {
        kn_rule_view v;
        kn_split split;
        status = kn__rule_view_of(&v, &rules->rule[i], hidden, err);
        if (status != KN_OK) {
            break;
        }
        status = kn__rule_find_hits(&hits, &v, h, &split, err);
        if (status == KN_OK) {
            split.rule = (uint32_t)i;
            rest[i] = hits.rest;
            status = kn__parts_split(out, &split, err);
        }
        kn__rule_view_clear(&v);
    }
    kn__rule_hits_clear(&hits);
    return status;
}

static void states_of(uint8_t *states, size_t rules, const uint8_t *rest, const kn_parts *p,
                      uint32_t at)
{
    memcpy(states, rest, rules);
    for (; p->part[at].parent != KN_NO_CODE; at = p->part[at].parent) {
        states[p->part[at].rule] = p->part[at].state;
    }
}

static kn_status add_class(reach *r, const uint8_t *states, char *packed, uint32_t *code,
                           kn_error *err)
{
    memset(packed, 0, r->bytes);
    for (size_t i = 0; i < r->rules->count; i++) {
        if (states[i]) {
            packed[i / 4] = (char)((unsigned char)packed[i / 4] | states[i] << i % 4 * 2);
        }
    }
    return kn__dict_add(r->classes, packed, r->bytes, code, err);
}

static unsigned state_in(const reach *r, uint32_t class_number, size_t rule)
{
    size_t len;
    const char *packed = kn__dict_text(r->classes, class_number, &len);

    return (unsigned)(unsigned char)packed[rule / 4] >> rule % 4 * 2 & 3u;
}

/* ---- the classes of a pattern ---- */

/* Private items as bits. Which rules' private items B holds decides its class; and the union of
 * those of them that it holds whole decides the same. So it is enough to try all unions of them. */
typedef struct listing {
    reach *r;
    size_t words;
    uint64_t *left, *both; /* by rule: private items of the left side, and of both */
    uint64_t *held;        /* scratch: one set */
    uint8_t *pattern, *states;
    char *packed;
    kn_dict *unions;
    size_t *overflow; /* patterns whose classes are too many to list */
    size_t overflow_count, overflow_cap;
} listing;

static void listing_clear(listing *l)
{
    kn__free(l->left);
    kn__free(l->both);
    kn__free(l->held);
    kn__free(l->pattern);
    kn__free(l->states);
    kn__free(l->packed);
    kn__free(l->overflow);
    kn__dict_free(l->unions);
}

static kn_status listing_new(listing *l, reach *r, const uint8_t *hidden, kn_error *err)
{
    const kn_rules *rules = r->rules;
    uint32_t *bit = kn__malloc_array(rules->items->len, sizeof *bit);
    uint32_t count = 0;

    *l = (listing){.r = r};
    for (uint32_t i = 0; bit && i < rules->items->len; i++) {
        bit[i] = hidden[i] ? count++ : KN_NO_CODE;
    }
    l->words = (count + 63) / 64;
    l->left = kn__zalloc_array(rules->count * l->words, sizeof *l->left);
    l->both = kn__zalloc_array(rules->count * l->words, sizeof *l->both);
    l->held = kn__malloc_array(l->words, sizeof *l->held);
    l->pattern = kn__malloc(rules->count);
    l->states = kn__malloc(rules->count);
    l->packed = kn__malloc(r->bytes);
    if (!bit || !l->left || !l->both || !l->held || !l->pattern || !l->states || !l->packed) {
        kn__free(bit);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *rule = &rules->rule[i];
        uint64_t *left = l->left + i * l->words, *both = l->both + i * l->words;
        for (size_t j = 0; j < rule->left_count; j++) {
            const uint32_t b = bit[rule->left[j]];
            if (b != KN_NO_CODE) {
                left[b / 64] |= UINT64_C(1) << b % 64;
                both[b / 64] |= UINT64_C(1) << b % 64;
            }
        }
        for (size_t j = 0; j < rule->right_count; j++) {
            const uint32_t b = bit[rule->right[j]];
            if (b != KN_NO_CODE) {
                both[b / 64] |= UINT64_C(1) << b % 64;
            }
        }
    }
    kn__free(bit);
    return KN_OK;
}

static bool within(const uint64_t *set, const uint64_t *held, size_t words)
{
    for (size_t w = 0; w < words; w++) {
        if (set[w] & ~held[w]) {
            return false;
        }
    }
    return true;
}

/* Add `more` to every union so far. */
static kn_status add_unions(listing *l, const uint64_t *more, kn_error *err)
{
    const uint32_t before = l->unions->len;
    const size_t bytes = l->words * sizeof *more;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < before && l->unions->len <= MOST_LISTED && status == KN_OK; i++) {
        size_t len;
        uint32_t code;
        memcpy(l->held, kn__dict_text(l->unions, i, &len), bytes);
        for (size_t w = 0; w < l->words; w++) {
            l->held[w] |= more[w];
        }
        status = kn__dict_add(l->unions, (const char *)l->held, bytes, &code, err);
    }
    return status;
}

static kn_status list_unions(listing *l, kn_error *err)
{
    kn_status status;

    kn__dict_free(l->unions);
    l->unions = NULL;
    status = kn__dict_new(&l->unions, err);
    if (status == KN_OK) {
        memset(l->held, 0, l->words * sizeof *l->held);
        status = kn__dict_append(l->unions, (const char *)l->held, l->words * sizeof *l->held, err);
    }
    for (size_t i = 0; i < l->r->rules->count && status == KN_OK; i++) {
        if (l->pattern[i] > 0) {
            status = add_unions(l, l->left + i * l->words, err);
        }
        if (l->pattern[i] > 1 && status == KN_OK) {
            status = add_unions(l, l->both + i * l->words, err);
        }
    }
    return status;
}

/* The class of those who have the pattern, and the private items `held`; NULL: all. */
static kn_status add_allowed(listing *l, kn_class_list *list, const uint64_t *held, kn_error *err)
{
    kn_status status;
    uint32_t code;

    for (size_t i = 0; i < l->r->rules->count; i++) {
        const uint64_t *left = l->left + i * l->words, *both = l->both + i * l->words;
        l->states[i] = l->pattern[i];
        if (held && l->pattern[i] > 0 && !within(left, held, l->words)) {
            l->states[i] = 0;
        } else if (held && l->pattern[i] > 1 && !within(both, held, l->words)) {
            l->states[i] = 1;
        }
    }
    status = add_class(l->r, l->states, l->packed, &code, err);
    return status == KN_OK ? kn__class_list_add(list, code, err) : status;
}

static kn_status list_allowed(listing *l, size_t pattern, bool tells, kn_error *err)
{
    kn_class_list *list = &l->r->allowed[pattern];
    kn_status status = tells ? list_unions(l, err) : KN_OK;

    if (status != KN_OK || !tells) {
        return status == KN_OK ? add_allowed(l, list, NULL, err) : status;
    }
    if (l->unions->len > MOST_LISTED) {
        status = kn__grow(&l->overflow, &l->overflow_cap, l->overflow_count + 1,
                          sizeof *l->overflow, err);
        if (status == KN_OK) {
            l->overflow[l->overflow_count++] = pattern;
            memset(l->held, 0, l->words * sizeof *l->held);
            status = add_allowed(l, list, l->held, err);
        }
        return status == KN_OK ? add_allowed(l, list, NULL, err) : status;
    }
    for (uint32_t i = 0; i < l->unions->len && status == KN_OK; i++) {
        size_t len;
        memcpy(l->held, kn__dict_text(l->unions, i, &len), l->words * sizeof *l->held);
        status = add_allowed(l, list, l->held, err);
    }
    return status;
}

/* Patterns that are too large to list get the classes that occur. */
static kn_status list_occurring(listing *l, size_t records, kn_error *err)
{
    const reach *r = l->r;
    uint8_t *large = kn__zalloc(r->patterns);
    kn_dict *pairs = NULL;
    kn_status status = large ? kn__dict_new(&pairs, err) : kn__nomem(err);

    for (size_t i = 0; large && i < l->overflow_count; i++) {
        large[l->overflow[i]] = 1;
    }
    for (size_t i = 0; i < records && status == KN_OK; i++) {
        const uint32_t pair[2] = {r->span[i], r->class_of[i]};
        const uint32_t before = pairs->len;
        const kn_class_list *list = &r->allowed[pair[0]];
        uint32_t code;
        if (large[pair[0]] && list->at[0] != pair[1] && list->at[1] != pair[1]) {
            status = kn__dict_add(pairs, (const char *)pair, sizeof pair, &code, err);
            if (status == KN_OK && pairs->len > before) {
                status = kn__class_list_add(&r->allowed[pair[0]], pair[1], err);
            }
        }
    }
    kn__free(large);
    kn__dict_free(pairs);
    return status;
}

/* ---- putting it together ---- */

/* The records by their states in all rules, or by what of these can be seen. */
typedef struct grouping {
    kn_parts parts;
    uint8_t *rest;    /* by rule: the state of those that no part names */
    uint32_t *number; /* by part that has records: its number by first records, from 0 */
    uint32_t *first;  /* by number: the part */
    size_t count;
} grouping;

static kn_status group(grouping *g, const reach *r, const uint8_t *hidden, const kn_item_index *h,
                       kn_error *err)
{
    kn_parts *p = &g->parts;
    kn_status status;

    *g = (grouping){.rest = kn__malloc(r->rules->count)};
    status = g->rest ? part(p, r->rules, hidden, h, g->rest, err) : kn__nomem(err);
    if (status != KN_OK) {
        return status;
    }
    g->number = kn__malloc_array(p->count, sizeof *g->number);
    g->first = kn__malloc_array(p->count, sizeof *g->first);
    if (!g->number || !g->first) {
        return kn__nomem(err);
    }
    memset(g->number, 0xff, p->count * sizeof *g->number);
    for (size_t i = 0; i < p->records; i++) {
        if (g->number[p->of[i]] == KN_NO_CODE) {
            g->first[g->count] = p->of[i];
            g->number[p->of[i]] = (uint32_t)g->count++;
        }
    }
    return KN_OK;
}

/* By record the number of its part; the caller's from now on. */
static uint32_t *take_numbers(grouping *g)
{
    uint32_t *of = g->parts.of;

    for (size_t i = 0; i < g->parts.records; i++) {
        of[i] = g->number[of[i]];
    }
    g->parts.of = NULL;
    return of;
}

static void group_clear(grouping *g)
{
    kn__parts_clear(&g->parts);
    kn__free(g->rest);
    kn__free(g->number);
    kn__free(g->first);
}

static kn_status find_classes(listing *l, const kn_item_index *h, kn_error *err)
{
    reach *r = l->r;
    grouping g;
    kn_status status;

    KN_TRY(group(&g, r, NULL, h, err));
    for (size_t i = 0; i < g.count; i++) {
        states_of(l->states, r->rules->count, g.rest, &g.parts, g.first[i]);
        KN_TRY(add_class(r, l->states, l->packed, &g.number[g.first[i]], err));
    }
    r->class_of = take_numbers(&g);
done:
    group_clear(&g);
    return status;
}

static kn_status find_spans(listing *l, const kn_item_index *h, const uint8_t *hidden,
                            kn_error *err)
{
    reach *r = l->r;
    grouping g;
    kn_status status;

    KN_TRY(group(&g, r, hidden, h, err));
    r->allowed = kn__zalloc_array(g.count, sizeof *r->allowed);
    r->patterns = r->allowed ? g.count : 0;
    KN_TRY(r->allowed ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < g.count; i++) {
        states_of(l->pattern, r->rules->count, g.rest, &g.parts, g.first[i]);
        KN_TRY(list_allowed(l, i, g.parts.part[g.first[i]].tells, err));
    }
    r->span = take_numbers(&g);
done:
    group_clear(&g);
    return status;
}

/* Whoever is at state 1 of a rule holds the private items of its left side, at state 2 those of
 * both. */
static kn_status find_known(reach *r, const uint8_t *hidden, kn_error *err)
{
    const kn_rules *rules = r->rules;
    const uint32_t items = rules->items->len;
    uint8_t *holds = kn__malloc(items);
    kn_status status = KN_OK;

    r->known_begin = kn__zalloc_array((size_t)r->classes->len + 1, sizeof *r->known_begin);
    if (!holds || !r->known_begin) {
        kn__free(holds);
        return kn__nomem(err);
    }
    for (uint32_t c = 0; c < r->classes->len && status == KN_OK; c++) {
        size_t count = r->known_begin[c], len;
        const char *packed = kn__dict_text(r->classes, c, &len);
        memset(holds, 0, items);
        for (size_t i = 0; i < rules->count; i++) {
            const unsigned state = (unsigned)(unsigned char)packed[i / 4] >> i % 4 * 2 & 3u;
            if (packed[i / 4] == 0) {
                i |= 3; /* none of its four rules */
            }
            for (size_t j = 0; state > 0 && j < rules->rule[i].left_count; j++) {
                holds[rules->rule[i].left[j]] = 1;
            }
            for (size_t j = 0; state > 1 && j < rules->rule[i].right_count; j++) {
                holds[rules->rule[i].right[j]] = 1;
            }
        }
        for (uint32_t i = 0; i < items && status == KN_OK; i++) {
            if (holds[i] && hidden[i]) {
                status = kn__grow(&r->known, &r->known_cap, count + 1, sizeof *r->known, err);
                if (status == KN_OK) {
                    r->known[count++] = i;
                }
            }
        }
        r->known_begin[c + 1] = count;
    }
    kn__free(holds);
    return status;
}

static void free_reach(void *model)
{
    reach *r = model;

    if (!r) {
        return;
    }
    for (size_t i = 0; i < r->patterns; i++) {
        kn__class_list_clear(&r->allowed[i]);
    }
    kn__free(r->allowed);
    kn__free(r->span);
    kn__free(r->class_of);
    kn__dict_free(r->classes);
    kn__free(r->known_begin);
    kn__free(r->known);
    kn__free(r->all.rule);
    kn__free(r);
}

static uint64_t key(const void *model, size_t record, void *scratch)
{
    (void)scratch;
    return ((const reach *)model)->span[record];
}

static kn_status allow(const void *model, size_t record, void *scratch, kn_class_list *out,
                       kn_error *err)
{
    const reach *r = model;
    const kn_class_list *list = &r->allowed[r->span[record]];
    kn_status status = KN_OK;

    (void)scratch;
    for (size_t i = 0; i < list->len && status == KN_OK; i++) {
        status = kn__class_list_add(out, list->at[i], err);
    }
    return status;
}

static uint32_t class_of(const void *model, size_t record, void *scratch)
{
    (void)scratch;
    return ((const reach *)model)->class_of[record];
}

static const uint32_t *known(const void *model, uint32_t class_number, size_t *len)
{
    const reach *r = model;

    *len = r->known_begin[class_number + 1] - r->known_begin[class_number];
    return r->known + r->known_begin[class_number];
}

static void value_words(const void *model, uint32_t value, kn_buffer *out)
{
    size_t len;
    const char *text = kn__dict_text(((const reach *)model)->rules->items, value, &len);

    kn__buffer_add(out, text, len);
}

/* What is said of an item set that is told beside the rules. */
static void set_words(const reach *r, const kn_rule *set, bool held, const char *between,
                      kn_buffer *out)
{
    kn__buffer_adds(out, between);
    kn__buffer_adds(out, held ? "all of {" : "not all of {");
    for (size_t i = 0; i < set->right_count; i++) {
        kn__buffer_adds(out, i ? ", " : "");
        value_words(r, set->right[i], out);
    }
    kn__buffer_addc(out, '}');
}

static void class_words(const void *model, uint32_t class_number, kn_buffer *out)
{
    static const char *const words[] = {"", "left side only", "both sides"};
    const reach *r = model;
    const char *between = "";

    for (size_t i = 0; i < r->rules->count; i++) {
        const unsigned state = state_in(r, class_number, i);
        if (i >= r->told) {
            set_words(r, &r->rules->rule[i], state > 1, between, out);
            between = ", ";
        } else if (state > 0) {
            kn__buffer_addf(out, "%srule %zu: %s", between, i + 1, words[state]);
            between = ", ";
        }
    }
    if (!*between) {
        kn__buffer_adds(out, "the left side of no rule");
    }
}

kn_status kn__rules_span_model(kn_span_model *out, const kn_bound *b, kn_error *err)
{
    const kn_rules *rules = &b->model->rules;
    reach *r = kn__zalloc(sizeof *r);
    kn_item_index h = {0};
    listing l = {0};
    kn_status status = KN_OK;

    *out = (kn_span_model){.clear = free_reach,
                           .records = b->ds->records,
                           .key = key,
                           .reach = allow,
                           .class_of = class_of,
                           .known = known,
                           .values = rules->items->len,
                           .class_words = class_words,
                           .value_words = value_words};
    if (!r) {
        return kn__nomem(err);
    }
    status = kn__rules_with_told(&r->all, rules, b->item_hidden, err);
    r->rules = &r->all;
    r->told = rules->count;
    r->bytes = (r->all.count + 3) / 4;
    if (status == KN_OK) {
        status = kn__dict_new(&r->classes, err);
    }
    if (status == KN_OK) {
        status = listing_new(&l, r, b->item_hidden, err);
    }
    if (status == KN_OK) {
        status = kn__item_index_find(&h, b->items, out->records, b->item, rules->items->len, err);
    }
    if (status == KN_OK) {
        status = find_spans(&l, &h, b->item_hidden, err);
    }
    if (status == KN_OK) {
        status = find_classes(&l, &h, err);
    }
    if (status == KN_OK) {
        status = find_known(r, b->item_hidden, err);
    }
    if (status == KN_OK && l.overflow_count > 0) {
        status = list_occurring(&l, out->records, err);
    }
    if (status == KN_OK) {
        for (size_t i = 0; i < r->patterns; i++) {
            kn__sort_u32(r->allowed[i].at, r->allowed[i].len);
        }
        out->classes = r->classes->len;
        out->model = r;
    } else {
        free_reach(r);
        *out = (kn_span_model){0};
    }
    kn__item_index_clear(&h);
    listing_clear(&l);
    return status;
}

unsigned kn__rules_state(const kn_span_model *r, uint32_t class_number, size_t rule)
{
    return state_in(r->model, class_number, rule);
}
