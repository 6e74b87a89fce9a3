/* rules.c - the spans and classes of association rules: patterns of public items by partition
 * refinement, and for each pattern the classes that its private items allow. */
#include "models/rules/rules.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

enum { MOST_LISTED = 64 };

/* The rules bound to the records. */
typedef struct rule_spans {
    kn_rules all;              /* the rules of the model and the itemsets that it states */
    const kn_rules *rules;     /* points to all */
    size_t first_set;          /* the first stated itemset among them */
    uint32_t *span;            /* by record: its pattern's number, in order of first records */
    uint32_t *class_of;        /* by record */
    kn_class_list *classes_of; /* by pattern: its classes */
    size_t patterns;
    kn_dict *classes;    /* texts: the states of the rules, four a byte */
    size_t bytes;        /* of such a text */
    size_t *known_begin; /* by class: where the private items begin that its records hold */
    uint32_t *known;
    size_t known_cap;
} rule_spans;

/* ---- all rules ---- */

/* Refine the partition by all rules, whose `hidden` items do not count; `rest` gets by rule the
 * state of the records that it does not move. */
static kn_status refine_all(kn_partition *out, const kn_rules *rules, const uint8_t *hidden,
                            const kn_item_index *index, uint8_t *rest, kn_error *err)
{
    kn_rule_matches matches = {0};
    kn_rule_view v = {0};
    kn_status status;

    KN_TRY(kn__partition_new(out, index->records, err));
    for (size_t i = 0; i < rules->count; i++) {
        kn_rule_split split;
        kn__rule_view_clear(&v);
        KN_TRY(kn__rule_view_of(&v, &rules->rule[i], hidden, err));
        KN_TRY(kn__rule_match(&matches, &v, index, &split, err));
        split.rule = (uint32_t)i;
        rest[i] = matches.rest;
        KN_TRY(kn__partition_refine(out, &split, err));
    }
done:
    kn__rule_view_clear(&v);
    kn__rule_matches_clear(&matches);
    return status;
}

/* The states of the records of block `at` in all rules: those of its ancestors, or the rest. */
static void states_of(uint8_t *states, size_t rules, const uint8_t *rest, const kn_partition *p,
                      uint32_t at)
{
    memcpy(states, rest, rules);
    for (; p->block[at].parent != KN_NO_CODE; at = p->block[at].parent) {
        states[p->block[at].rule] = p->block[at].state;
    }
}

static kn_status add_class(rule_spans *r, const uint8_t *states, char *packed, uint32_t *code,
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

static unsigned state_in(const rule_spans *r, uint32_t class_number, size_t rule)
{
    size_t len;
    const char *packed = kn__dict_text(r->classes, class_number, &len);

    return (unsigned)(unsigned char)packed[rule / 4] >> rule % 4 * 2 & 3u;
}

/* ---- the classes of a pattern ---- */

/* Lists the classes of a pattern. Private itemsets are bit sets. Only which sides of rules B holds
 * completely decides its class, and the union of these sides decides the same; so it is enough to
 * try all unions of the private parts of sides. */
typedef struct class_lister {
    rule_spans *r;
    size_t words;
    uint64_t *left, *both; /* by rule: private items of the left side, and of both */
    uint64_t *chosen;      /* scratch: one set */
    uint8_t *pattern, *states;
    char *packed;
    kn_dict *unions;
    size_t *overflow; /* patterns whose classes are too many to list */
    size_t overflow_count, overflow_cap;
} class_lister;

static void lister_clear(class_lister *l)
{
    KN_FREE(l->left, l->both, l->chosen, l->pattern, l->states, l->packed, l->overflow);
    kn__dict_free(l->unions);
}

static kn_status lister_new(class_lister *l, rule_spans *r, const uint8_t *hidden, kn_error *err)
{
    const kn_rules *rules = r->rules;
    uint32_t *bit = kn__malloc_array(rules->items->len, sizeof *bit);
    uint32_t count = 0;

    *l = (class_lister){.r = r};
    for (uint32_t i = 0; bit && i < rules->items->len; i++) {
        bit[i] = hidden[i] ? count++ : KN_NO_CODE;
    }
    l->words = kn__bits_words(count);
    l->left = kn__zalloc_array(rules->count * l->words, sizeof *l->left);
    l->both = kn__zalloc_array(rules->count * l->words, sizeof *l->both);
    l->chosen = kn__malloc_array(l->words, sizeof *l->chosen);
    l->pattern = kn__malloc(rules->count);
    l->states = kn__malloc(rules->count);
    l->packed = kn__malloc(r->bytes);
    if (!bit || !l->left || !l->both || !l->chosen || !l->pattern || !l->states || !l->packed) {
        kn__free(bit);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < rules->count; i++) {
        const kn_rule *rule = &rules->rule[i];
        uint64_t *left = l->left + i * l->words, *both = l->both + i * l->words;
        for (size_t j = 0; j < rule->left_count; j++) {
            const uint32_t b = bit[rule->left[j]];
            if (b != KN_NO_CODE) {
                kn__bit_set(left, b);
                kn__bit_set(both, b);
            }
        }
        for (size_t j = 0; j < rule->right_count; j++) {
            const uint32_t b = bit[rule->right[j]];
            if (b != KN_NO_CODE) {
                kn__bit_set(both, b);
            }
        }
    }
    kn__free(bit);
    return KN_OK;
}

/* Add the union of `more` with every union so far. */
static kn_status add_unions(class_lister *l, const uint64_t *more, kn_error *err)
{
    const uint32_t before = l->unions->len;
    const size_t bytes = l->words * sizeof *more;

    for (uint32_t i = 0; i < before && l->unions->len <= MOST_LISTED; i++) {
        size_t len;
        uint32_t code;
        memcpy(l->chosen, kn__dict_text(l->unions, i, &len), bytes);
        for (size_t w = 0; w < l->words; w++) {
            l->chosen[w] |= more[w];
        }
        KN_PASS(kn__dict_add(l->unions, (const char *)l->chosen, bytes, &code, err));
    }
    return KN_OK;
}

static kn_status list_unions(class_lister *l, kn_error *err)
{
    const size_t bytes = l->words * sizeof *l->chosen;

    kn__dict_free(l->unions);
    l->unions = NULL;
    KN_PASS(kn__dict_new(&l->unions, err));
    memset(l->chosen, 0, bytes);
    KN_PASS(kn__dict_append(l->unions, (const char *)l->chosen, bytes, err));
    for (size_t i = 0; i < l->r->rules->count; i++) {
        if (l->pattern[i] > 0) {
            KN_PASS(add_unions(l, l->left + i * l->words, err));
        }
        if (l->pattern[i] > 1) {
            KN_PASS(add_unions(l, l->both + i * l->words, err));
        }
    }
    return KN_OK;
}

/* The class of records with the pattern and the private items `chosen`; NULL: all. */
static kn_status add_class_of(class_lister *l, kn_class_list *list, const uint64_t *chosen,
                              kn_error *err)
{
    kn_status status;
    uint32_t code;

    for (size_t i = 0; i < l->r->rules->count; i++) {
        const uint64_t *left = l->left + i * l->words, *both = l->both + i * l->words;
        l->states[i] = l->pattern[i];
        if (chosen && l->pattern[i] >= KN_RULE_LEFT && !kn__bits_within(left, chosen, l->words)) {
            l->states[i] = KN_RULE_NONE;
        } else if (chosen && l->pattern[i] >= KN_RULE_BOTH &&
                   !kn__bits_within(both, chosen, l->words)) {
            l->states[i] = KN_RULE_LEFT;
        }
    }
    status = add_class(l->r, l->states, l->packed, &code, err);
    return status == KN_OK ? kn__class_list_add(list, code, err) : status;
}

static kn_status list_classes(class_lister *l, size_t pattern, bool discloses, kn_error *err)
{
    kn_class_list *list = &l->r->classes_of[pattern];
    const size_t bytes = l->words * sizeof *l->chosen;
    kn_status status;

    if (!discloses) {
        return add_class_of(l, list, NULL, err);
    }
    KN_TRY(list_unions(l, err));
    if (l->unions->len > MOST_LISTED) {
        KN_TRY(kn__grow(&l->overflow, &l->overflow_cap, l->overflow_count + 1, sizeof *l->overflow,
                        err));
        l->overflow[l->overflow_count++] = pattern;
        memset(l->chosen, 0, bytes);
        KN_TRY(add_class_of(l, list, l->chosen, err));
        KN_TRY(add_class_of(l, list, NULL, err));
        goto done;
    }
    for (uint32_t i = 0; i < l->unions->len; i++) {
        size_t len;
        memcpy(l->chosen, kn__dict_text(l->unions, i, &len), bytes);
        KN_TRY(add_class_of(l, list, l->chosen, err));
    }
done:
    return status;
}

/* Patterns with too many classes get those that occur in the data. */
static kn_status add_occurring(class_lister *l, size_t records, kn_error *err)
{
    const rule_spans *r = l->r;
    uint8_t *large = kn__zalloc(r->patterns);
    kn_dict *pairs = NULL;
    kn_status status;

    KN_TRY(large ? kn__dict_new(&pairs, err) : kn__nomem(err));
    for (size_t i = 0; i < l->overflow_count; i++) {
        large[l->overflow[i]] = 1;
    }
    for (size_t i = 0; i < records; i++) {
        const uint32_t pair[2] = {r->span[i], r->class_of[i]};
        const uint32_t before = pairs->len;
        const kn_class_list *list = &r->classes_of[pair[0]];
        uint32_t code;
        if (!large[pair[0]] || list->at[0] == pair[1] || list->at[1] == pair[1]) {
            continue;
        }
        KN_TRY(kn__dict_add(pairs, (const char *)pair, sizeof pair, &code, err));
        if (pairs->len > before) {
            KN_TRY(kn__class_list_add(&r->classes_of[pair[0]], pair[1], err));
        }
    }
done:
    kn__free(large);
    kn__dict_free(pairs);
    return status;
}

/* ---- spans and classes of the records ---- */

/* A partition whose non-empty blocks are numbered in the order of their first records. */
typedef struct numbered_partition {
    kn_partition partition;
    uint8_t *rest;    /* by rule: the state of the records that it does not move */
    uint32_t *number; /* by block: its number; KN_NO_CODE: it is empty */
    uint32_t *first;  /* by number: the block */
    size_t count;
} numbered_partition;

static kn_status number_blocks(numbered_partition *g, const rule_spans *r, const uint8_t *hidden,
                               const kn_item_index *index, kn_error *err)
{
    kn_partition *p = &g->partition;

    *g = (numbered_partition){.rest = kn__malloc(r->rules->count)};
    KN_PASS(g->rest ? refine_all(p, r->rules, hidden, index, g->rest, err) : kn__nomem(err));
    g->number = kn__malloc_array(p->count, sizeof *g->number);
    g->first = kn__malloc_array(p->count, sizeof *g->first);
    KN_PASS(g->number && g->first ? KN_OK : kn__nomem(err));
    memset(g->number, 0xff, p->count * sizeof *g->number);
    for (size_t i = 0; i < p->records; i++) {
        if (g->number[p->block_of[i]] == KN_NO_CODE) {
            g->first[g->count] = p->block_of[i];
            g->number[p->block_of[i]] = (uint32_t)g->count++;
        }
    }
    return KN_OK;
}

/* By record the number of its block; the caller owns it. */
static uint32_t *take_numbers(numbered_partition *g)
{
    uint32_t *of = g->partition.block_of;

    for (size_t i = 0; i < g->partition.records; i++) {
        of[i] = g->number[of[i]];
    }
    g->partition.block_of = NULL;
    return of;
}

static void numbered_clear(numbered_partition *g)
{
    kn__partition_clear(&g->partition);
    KN_FREE(g->rest, g->number, g->first);
}

static kn_status find_classes(class_lister *l, const kn_item_index *index, kn_error *err)
{
    rule_spans *r = l->r;
    numbered_partition g;
    kn_status status;

    KN_TRY(number_blocks(&g, r, NULL, index, err));
    for (size_t i = 0; i < g.count; i++) {
        states_of(l->states, r->rules->count, g.rest, &g.partition, g.first[i]);
        KN_TRY(add_class(r, l->states, l->packed, &g.number[g.first[i]], err));
    }
    r->class_of = take_numbers(&g);
done:
    numbered_clear(&g);
    return status;
}

static kn_status find_spans(class_lister *l, const kn_item_index *index, const uint8_t *hidden,
                            kn_error *err)
{
    rule_spans *r = l->r;
    numbered_partition g;
    kn_status status;

    KN_TRY(number_blocks(&g, r, hidden, index, err));
    r->classes_of = kn__zalloc_array(g.count, sizeof *r->classes_of);
    r->patterns = r->classes_of ? g.count : 0;
    KN_TRY(r->classes_of ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < g.count; i++) {
        states_of(l->pattern, r->rules->count, g.rest, &g.partition, g.first[i]);
        KN_TRY(list_classes(l, i, g.partition.block[g.first[i]].discloses, err));
    }
    r->span = take_numbers(&g);
done:
    numbered_clear(&g);
    return status;
}

/* Mark the items of the sides that the records of a class hold. */
static void mark_known(const rule_spans *r, uint32_t class_number, uint8_t *known)
{
    size_t len;
    const char *packed = kn__dict_text(r->classes, class_number, &len);

    for (size_t i = 0; i < r->rules->count; i++) {
        const kn_rule *rule = &r->rules->rule[i];
        const unsigned state = (unsigned)(unsigned char)packed[i / 4] >> i % 4 * 2 & 3u;
        if (packed[i / 4] == 0) {
            i |= 3; /* KN_RULE_NONE in all four rules of the byte */
            continue;
        }
        for (size_t j = 0; state >= KN_RULE_LEFT && j < rule->left_count; j++) {
            known[rule->left[j]] = 1;
        }
        for (size_t j = 0; state >= KN_RULE_BOTH && j < rule->right_count; j++) {
            known[rule->right[j]] = 1;
        }
    }
}

/* The private items that the records of a class are known to hold: in KN_RULE_LEFT of a rule
 * those of its left side, in KN_RULE_BOTH those of both sides. */
static kn_status find_known(rule_spans *r, const uint8_t *hidden, kn_error *err)
{
    const kn_rules *rules = r->rules;
    const uint32_t items = rules->items->len;
    uint8_t *known = kn__malloc(items);
    size_t count = 0;
    kn_status status;

    r->known_begin = kn__zalloc_array((size_t)r->classes->len + 1, sizeof *r->known_begin);
    KN_TRY(known && r->known_begin ? KN_OK : kn__nomem(err));
    for (uint32_t c = 0; c < r->classes->len; c++) {
        memset(known, 0, items);
        mark_known(r, c, known);
        for (uint32_t i = 0; i < items; i++) {
            if (known[i] && hidden[i]) {
                KN_TRY(kn__grow(&r->known, &r->known_cap, count + 1, sizeof *r->known, err));
                r->known[count++] = i;
            }
        }
        r->known_begin[c + 1] = count;
    }
done:
    kn__free(known);
    return status;
}

static void free_spans(void *model)
{
    rule_spans *r = model;

    if (!r) {
        return;
    }
    for (size_t i = 0; i < r->patterns; i++) {
        kn__class_list_clear(&r->classes_of[i]);
    }
    KN_FREE(r->classes_of, r->span, r->class_of);
    kn__dict_free(r->classes);
    KN_FREE(r->known_begin, r->known, r->all.rule, r);
}

static uint64_t key(const void *model, size_t record, void *scratch)
{
    (void)scratch;
    return ((const rule_spans *)model)->span[record];
}

static kn_status get_span(const void *model, size_t record, void *scratch, kn_class_list *out,
                          kn_error *err)
{
    const rule_spans *r = model;
    const kn_class_list *list = &r->classes_of[r->span[record]];
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
    return ((const rule_spans *)model)->class_of[record];
}

static const uint32_t *known(const void *model, uint32_t class_number, size_t *len)
{
    const rule_spans *r = model;

    *len = r->known_begin[class_number + 1] - r->known_begin[class_number];
    return r->known + r->known_begin[class_number];
}

static void value_words(const void *model, uint32_t value, kn_buffer *out)
{
    size_t len;
    const char *text = kn__dict_text(((const rule_spans *)model)->rules->items, value, &len);

    kn__buffer_add(out, text, len);
}

/* A stated itemset in words. */
static void set_words(const rule_spans *r, const kn_rule *set, bool held, const char *between,
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
    const rule_spans *r = model;
    const char *between = "";

    for (size_t i = 0; i < r->rules->count; i++) {
        const unsigned state = state_in(r, class_number, i);
        if (i >= r->first_set) {
            set_words(r, &r->rules->rule[i], state == KN_RULE_BOTH, between, out);
            between = ", ";
        } else if (state != KN_RULE_NONE) {
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
    rule_spans *r = kn__zalloc(sizeof *r);
    kn_item_index index = {0};
    class_lister l = {0};
    kn_status status;

    *out = (kn_span_model){.clear = free_spans,
                           .records = b->ds->records,
                           .key = key,
                           .reach = get_span,
                           .class_of = class_of,
                           .known = known,
                           .values = rules->items->len,
                           .class_words = class_words,
                           .value_words = value_words};
    KN_TRY(r ? KN_OK : kn__nomem(err));
    r->rules = &r->all;
    r->first_set = rules->count;
    KN_TRY(kn__rules_with_stated_sets(&r->all, rules, b->item_hidden, err));
    r->bytes = (r->all.count + 3) / 4;
    KN_TRY(kn__dict_new(&r->classes, err));
    KN_TRY(lister_new(&l, r, b->item_hidden, err));
    KN_TRY(kn__item_index_build(&index, b->items, out->records, b->item, rules->items->len, err));
    KN_TRY(find_spans(&l, &index, b->item_hidden, err));
    KN_TRY(find_classes(&l, &index, err));
    KN_TRY(find_known(r, b->item_hidden, err));
    if (l.overflow_count > 0) {
        KN_TRY(add_occurring(&l, out->records, err));
    }
    for (size_t i = 0; i < r->patterns; i++) {
        kn__sort_u32(r->classes_of[i].at, r->classes_of[i].len);
    }
    out->classes = r->classes->len;
    out->model = r;
    r = NULL;
done:
    if (status != KN_OK) {
        *out = (kn_span_model){0};
    }
    free_spans(r);
    kn__item_index_clear(&index);
    lister_clear(&l);
    return status;
}

unsigned kn__rules_state(const kn_span_model *r, uint32_t class_number, size_t rule)
{
    return state_in(r->model, class_number, rule);
}
