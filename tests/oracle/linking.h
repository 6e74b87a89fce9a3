/* The linking attack of Definition 6, word for word, on databases so small that the whole domain
 * can be enumerated. It knows nothing of models but what they answer: `answer` gives the
 * equivalence class of a full tuple as any number. Private attributes take every value of their
 * domain, in all combinations.
 */
#ifndef ORACLE_LINKING_H
#define ORACLE_LINKING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINK_ATTRIBUTES = 8, LINK_RECORDS = 64, LINK_CLASSES = 4096, LINK_VALUES = 1024 };

typedef struct link_case {
    int attributes, records;
    int domain[LINK_ATTRIBUTES]; /* values are 0..domain-1, whatever they stand for */
    bool hidden[LINK_ATTRIBUTES];
    bool lacking[LINK_ATTRIBUTES][LINK_VALUES]; /* nobody has it, as far as the data tell */
    bool knows;                                 /* the attacker knows that: it is never tried */
    int value[LINK_RECORDS][LINK_ATTRIBUTES];
    uint64_t (*answer)(const void *model, const int *tuple);
    const void *model;
} link_case;

typedef struct link_result {
    uint64_t *span[LINK_RECORDS]; /* ascending, each once */
    int span_size[LINK_RECORDS];
    uint64_t own[LINK_RECORDS]; /* the class that the record is in */
    int group[LINK_RECORDS];    /* the first record with the same span */
    int spans, telling;
    uint64_t k; /* UINT64_MAX: nothing is told */
} link_result;

static int link_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Add the class of every tuple that has the public values of `tuple`. */
static void link_enumerate(const link_case *c, int *tuple, int from, uint64_t *classes, int *count)
{
    while (from < c->attributes && !c->hidden[from]) {
        from++;
    }
    if (from == c->attributes) {
        const uint64_t is = c->answer(c->model, tuple);
        for (int i = 0; i < *count; i++) {
            if (classes[i] == is) {
                return;
            }
        }
        if (*count == LINK_CLASSES) {
            abort();
        }
        classes[(*count)++] = is;
        return;
    }
    for (int v = 0; v < c->domain[from]; v++) {
        if (!c->knows || !c->lacking[from][v]) {
            tuple[from] = v;
            link_enumerate(c, tuple, from + 1, classes, count);
        }
    }
}

static void link_attack(const link_case *c, link_result *r)
{
    static uint64_t classes[LINK_CLASSES];

    memset(r, 0, sizeof *r);
    r->k = UINT64_MAX;
    /* 2: the span of each tuple */
    for (int i = 0; i < c->records; i++) {
        int tuple[LINK_ATTRIBUTES], count = 0;
        memcpy(tuple, c->value[i], sizeof tuple);
        r->own[i] = c->answer(c->model, tuple);
        link_enumerate(c, tuple, 0, classes, &count);
        qsort(classes, (size_t)count, sizeof *classes, link_compare);
        r->span[i] = malloc((size_t)count * sizeof *classes);
        memcpy(r->span[i], classes, (size_t)count * sizeof *classes);
        r->span_size[i] = count;
    }
    /* 3: grouping those that have the same */
    for (int i = 0; i < c->records; i++) {
        int first = 0;
        uint64_t population = 0;
        while (r->span_size[first] != r->span_size[i] ||
               memcmp(r->span[first], r->span[i], (size_t)r->span_size[i] * sizeof **r->span) !=
                   0) {
            first++;
        }
        r->group[i] = first;
        if (first != i) {
            continue;
        }
        for (int j = i; j < c->records; j++) {
            population += r->span_size[j] == r->span_size[i] &&
                          memcmp(r->span[j], r->span[i],
                                 (size_t)r->span_size[i] * sizeof **r->span) == 0;
        }
        r->spans++;
        if (r->span_size[i] > 1) {
            r->telling++;
            r->k = population < r->k ? population : r->k;
        }
    }
}

/* How certain an attacker is of `value` (by record: what diversity is about) in telling spans at
 * most, and how many records are in telling spans of one value. */
static void link_infer(const link_case *c, const link_result *r, const uint64_t *value,
                       double *inference, uint64_t *exposed)
{
    *inference = 0;
    *exposed = 0;
    for (int i = 0; i < c->records; i++) {
        int same = 0, all = 0;
        if (r->span_size[i] < 2) {
            continue;
        }
        for (int j = 0; j < c->records; j++) {
            if (r->group[j] == r->group[i]) {
                all++;
                same += value[j] == value[i];
            }
        }
        *inference = (double)same / all > *inference ? (double)same / all : *inference;
        *exposed += same == all;
    }
}

static void link_clear(link_result *r, int records)
{
    for (int i = 0; i < records; i++) {
        free(r->span[i]);
    }
}

#endif
