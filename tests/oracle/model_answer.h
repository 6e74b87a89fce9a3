/* What a model answers for a tuple, word by word from models/model.h. */
#ifndef ORACLE_MODEL_ANSWER_H
#define ORACLE_MODEL_ANSWER_H

#include "models/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct oracle_value {
    bool missing;
    double number;    /* numbers and dates */
    const char *text; /* categories */
} oracle_value;

enum { ORACLE_FALSE = 0, ORACLE_TRUE = 1, ORACLE_UNKNOWN = 2 };

static bool oracle_in(const kn_model *m, const kn_test *t, const char *text)
{
    for (size_t i = 0; i < t->values_count; i++) {
        size_t len;
        const char *one = kn__dict_text(m->attribute[t->attribute].values, t->values[i], &len);
        if (len == strlen(text) && memcmp(one, text, len) == 0) {
            return true;
        }
    }
    return false;
}

static int oracle_test(const kn_model *m, const kn_test *t, const oracle_value *tuple)
{
    const oracle_value *v = &tuple[t->attribute];
    int unknown = 0, trues = 0, falses = 0;

    switch (t->kind) {
    case KN_TEST_TRUE: return ORACLE_TRUE;
    case KN_TEST_FALSE: return ORACLE_FALSE;
    case KN_TEST_MISSING: return v->missing;
    case KN_TEST_NOT_MISSING: return !v->missing;
    default: break;
    }
    if (t->kind < KN_TEST_AND) {
        if (v->missing) {
            return ORACLE_UNKNOWN;
        }
        switch (t->kind) {
        case KN_TEST_LESS: return v->number < t->number;
        case KN_TEST_LESS_EQUAL: return v->number <= t->number;
        case KN_TEST_GREATER: return v->number > t->number;
        case KN_TEST_GREATER_EQUAL: return v->number >= t->number;
        case KN_TEST_EQUAL: return v->number == t->number;
        case KN_TEST_NOT_EQUAL: return v->number != t->number;
        case KN_TEST_IN: return oracle_in(m, t, v->text);
        default: return !oracle_in(m, t, v->text);
        }
    }
    for (size_t i = 0; i < t->parts_count; i++) {
        const int part = oracle_test(m, &t->parts[i], tuple);
        if (t->kind == KN_TEST_SURROGATE && part != ORACLE_UNKNOWN) {
            return part;
        }
        unknown += part == ORACLE_UNKNOWN;
        trues += part == ORACLE_TRUE;
        falses += part == ORACLE_FALSE;
    }
    switch (t->kind) {
    case KN_TEST_AND: return falses ? ORACLE_FALSE : unknown ? ORACLE_UNKNOWN : ORACLE_TRUE;
    case KN_TEST_OR: return trues ? ORACLE_TRUE : unknown ? ORACLE_UNKNOWN : ORACLE_FALSE;
    case KN_TEST_XOR: return unknown ? ORACLE_UNKNOWN : trues % 2;
    default: return ORACLE_UNKNOWN;
    }
}

/* The node that answers; KN_NO_CODE: none does. */
static uint32_t oracle_tree_node(const kn_model *m, const oracle_value *tuple)
{
    const kn_tree *t = &m->tree;
    uint32_t n = 0;

    for (;;) {
        const kn_tree_node *node = &t->node[n];
        uint32_t next = KN_NO_CODE;
        if (node->children == 0) {
            return node->answer == KN_NO_CODE ? KN_NO_CODE : n;
        }
        for (uint32_t c = 0; c < node->children && next == KN_NO_CODE; c++) {
            const int answer = oracle_test(m, &t->node[node->first + c].test, tuple);
            if (answer == ORACLE_TRUE) {
                next = node->first + c;
            } else if (answer == ORACLE_UNKNOWN && t->when_missing == KN_TREE_MISSING_STAYS) {
                return node->answer == KN_NO_CODE ? KN_NO_CODE : n;
            } else if (answer == ORACLE_UNKNOWN && t->when_missing == KN_TREE_MISSING_NOTHING) {
                return KN_NO_CODE;
            } else if (answer == ORACLE_UNKNOWN && t->when_missing == KN_TREE_MISSING_CHILD) {
                if (node->missing == KN_NO_CODE) {
                    return KN_NO_CODE;
                }
                next = node->missing;
            }
        }
        if (next == KN_NO_CODE) {
            return t->last_answer && node->answer != KN_NO_CODE ? n : KN_NO_CODE;
        }
        n = next;
    }
}

/* The class that a tree predicts, NULL for none; the text lies in the model, `*len` long. */
static const char *oracle_tree_answer(const kn_model *m, const oracle_value *tuple, size_t *len)
{
    const uint32_t n = oracle_tree_node(m, tuple);

    *len = 0;
    return n == KN_NO_CODE ? NULL
                           : kn__dict_text(m->attribute[m->tree.class_attribute].values,
                                           m->tree.node[n].answer, len);
}

static double oracle_distance(const kn_model *m, size_t centre, const oracle_value *tuple)
{
    double sum = 0;

    for (size_t a = 0; a < m->attributes; a++) {
        const size_t at = centre * m->attributes + a;
        const kn_attribute *attribute = &m->attribute[a];
        const bool none = attribute->values ? m->centres.value[at] == KN_NO_CODE
                                            : isnan(m->centres.number[at]);
        double difference;
        if (none || tuple[a].missing) {
            difference = none != tuple[a].missing;
        } else if (attribute->values) {
            size_t len;
            const char *text = kn__dict_text(attribute->values, m->centres.value[at], &len);
            difference = len != strlen(tuple[a].text) || memcmp(text, tuple[a].text, len) != 0;
        } else {
            difference = (tuple[a].number - m->centres.number[at]) / m->centres.scale[a];
        }
        sum += attribute->weight * difference * difference;
    }
    return sum;
}

static size_t oracle_nearest(const kn_model *m, const oracle_value *tuple)
{
    size_t best = 0;

    for (size_t i = 1; i < m->centres.count; i++) {
        if (oracle_distance(m, i, tuple) < oracle_distance(m, best, tuple)) {
            best = i;
        }
    }
    return best;
}

#endif
