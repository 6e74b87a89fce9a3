/* oracle/rules.h - association rules by the definitions, on item sets as bits: states of rules, the
 * linking attack of Definition 6 by trying every set of private items, supports by counting. Slow
 * and obvious. */
#ifndef ORACLE_RULES_H
#define ORACLE_RULES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_RULES = 12, ORACLE_RECORDS = 64, ORACLE_CLASSES = 4096 };

typedef struct oracle_rule {
    uint32_t left, right; /* items as bits */
} oracle_rule;

/* What the rules say of a record: a digit to the base of three for each. */
static uint64_t oracle_class(const oracle_rule *rules, size_t count, uint32_t held)
{
    uint64_t class_number = 0;

    for (size_t i = 0; i < count; i++) {
        const bool left = (rules[i].left & ~held) == 0, right = (rules[i].right & ~held) == 0;
        class_number = class_number * 3 + (left && right ? 2 : left ? 1 : 0);
    }
    return class_number;
}

typedef struct oracle_span {
    uint64_t classes[ORACLE_CLASSES];
    size_t count;
} oracle_span;

/* All classes that somebody with these public items may be in, each once. */
static void oracle_reach(oracle_span *span, const oracle_rule *rules, size_t count,
                         uint32_t public_items, uint32_t private_items)
{
    span->count = 0;
    for (uint32_t held = private_items;; held = (held - 1) & private_items) {
        const uint64_t class_number = oracle_class(rules, count, public_items | held);
        size_t at = 0;
        while (at < span->count && span->classes[at] != class_number) {
            at++;
        }
        if (at == span->count) {
            span->classes[span->count++] = class_number;
        }
        if (held == 0) {
            return;
        }
    }
}

static bool oracle_same_span(const oracle_span *a, const oracle_span *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        size_t at = 0;
        while (at < b->count && b->classes[at] != a->classes[i]) {
            at++;
        }
        if (at == b->count) {
            return false;
        }
    }
    return true;
}

typedef struct oracle_attack {
    size_t of[ORACLE_RECORDS];      /* by record: the first record with the same span */
    size_t classes[ORACLE_RECORDS]; /* by record: how many classes its span has */
    uint64_t k;                     /* the greatest that holds; UINT64_MAX: nothing is told */
} oracle_attack;

static void oracle_link(oracle_attack *out, const oracle_rule *rules, size_t count,
                        const uint32_t *records, size_t records_count, uint32_t private_items)
{
    static oracle_span span[ORACLE_RECORDS];

    out->k = UINT64_MAX;
    for (size_t i = 0; i < records_count; i++) {
        oracle_reach(&span[i], rules, count, records[i] & ~private_items, private_items);
        out->classes[i] = span[i].count;
        out->of[i] = 0;
        while (!oracle_same_span(&span[out->of[i]], &span[i])) {
            out->of[i]++;
        }
    }
    for (size_t i = 0; i < records_count; i++) {
        uint64_t population = 0;
        for (size_t j = 0; j < records_count; j++) {
            population += out->of[j] == i;
        }
        if (population > 0 && span[i].count > 1 && population < out->k) {
            out->k = population;
        }
    }
}

/* The private items that everybody holds who has these public items and is in this class. */
static uint32_t oracle_known(const oracle_rule *rules, size_t count, uint32_t public_items,
                             uint32_t private_items, uint64_t class_number)
{
    uint32_t known = private_items;

    for (uint32_t held = private_items;; held = (held - 1) & private_items) {
        if (oracle_class(rules, count, public_items | held) == class_number) {
            known &= held;
        }
        if (held == 0) {
            return known;
        }
    }
}

typedef struct oracle_inference {
    double most; /* the surest that an attacker is of an item; 0: of none */
    double
        diversity; /* the least exp(entropy) of holding an item or not; HUGE_VAL: none is told of */
    bool one_sided; /* of some item all are known to hold it, or none is */
} oracle_inference;

/* An item is told of in a span if some class of it is known to hold it. */
static void oracle_infer(oracle_inference *out, const oracle_attack *attack,
                         const oracle_rule *rules, size_t count, const uint32_t *records,
                         size_t records_count, uint32_t private_items)
{
    static oracle_span span;

    *out = (oracle_inference){.diversity = HUGE_VAL};
    for (size_t i = 0; i < records_count; i++) {
        const uint32_t public_items = records[i] & ~private_items;
        uint32_t told = 0;
        if (attack->of[i] != i) {
            continue;
        }
        oracle_reach(&span, rules, count, public_items, private_items);
        for (size_t c = 0; c < span.count; c++) {
            told |= oracle_known(rules, count, public_items, private_items, span.classes[c]);
        }
        for (uint32_t item = 1; item != 0 && item <= told; item <<= 1) {
            double all = 0, having = 0, share, entropy = 0;
            if (!(told & item)) {
                continue;
            }
            for (size_t j = 0; j < records_count; j++) {
                if (attack->of[j] == i) {
                    const uint64_t at = oracle_class(rules, count, records[j]);
                    all++;
                    having += (oracle_known(rules, count, records[j] & ~private_items,
                                            private_items, at) &
                               item) != 0;
                }
            }
            share = having / all;
            out->most = share > out->most ? share : out->most;
            out->one_sided = out->one_sided || having == 0 || having == all;
            if (having > 0 && having < all) {
                entropy = -share * log(share) - (1 - share) * log(1 - share);
            }
            out->diversity = fmin(out->diversity, exp(entropy));
        }
    }
}

static size_t oracle_support(const uint32_t *records, size_t count, uint32_t set)
{
    size_t support = 0;

    for (size_t i = 0; i < count; i++) {
        support += (set & ~records[i]) == 0;
    }
    return support;
}

#endif
