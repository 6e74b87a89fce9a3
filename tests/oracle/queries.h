/* oracle/queries.h - what a release answers to a counting question, by its definition: every
 * original that the release could stand for is written down, and the question put to it.
 *
 * Leaves are bits. A cell stands for one of its leaves; an item of a bag likewise; an item of a set
 * for any non-empty subset of its leaves; all of these are alike and independent. */
#ifndef ORACLE_QUERIES_H
#define ORACLE_QUERIES_H

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_ITEMS = 6 };

typedef struct query_record {
    uint32_t cell; /* leaves it may stand for */
    int items;
    uint32_t item[QUERY_ITEMS];
} query_record;

typedef struct query_question {
    uint32_t cell; /* leaves that will do; 0: nothing is asked */
    int items;
    uint32_t item[QUERY_ITEMS]; /* one of each must be held */
} query_question;

/* Records that hold an item which can only be `leaf`. */
static int query_exact(const query_record *r, int records, uint32_t leaf)
{
    int count = 0;

    for (int i = 0; i < records; i++) {
        bool held = false;
        for (int j = 0; j < r[i].items; j++) {
            held = held || r[i].item[j] == leaf;
        }
        count += held;
    }
    return count;
}

/* If every item is published as itself in all records that hold it or in none, groups do not mean
 * those that are. */
static void query_narrow(const query_record *original, int records, query_record *release,
                         int published)
{
    uint32_t kept = 0;

    for (uint32_t leaf = 1; leaf; leaf <<= 1) {
        const int before = query_exact(original, records, leaf);
        const int after = query_exact(release, published, leaf);
        if (after != 0 && after != before) {
            return;
        }
        kept |= after ? leaf : 0;
    }
    for (int i = 0; i < published; i++) {
        for (int j = 0; j < release[i].items; j++) {
            uint32_t *item = &release[i].item[j];
            if ((*item & (*item - 1)) != 0 && (*item & ~kept) != 0) {
                *item &= ~kept;
            }
        }
    }
}

typedef struct query_worlds {
    double all, good;
} query_worlds;

static bool query_holds(const query_question *q, uint32_t value, uint32_t held)
{
    if (q->cell && !(q->cell & value)) {
        return false;
    }
    for (int i = 0; i < q->items; i++) {
        if (!(q->item[i] & held)) {
            return false;
        }
    }
    return true;
}

/* Every choice for the items from `next` on, when those before are `held`. */
static void query_items(query_worlds *w, const query_record *r, const query_question *q, bool bags,
                        int next, uint32_t value, uint32_t held)
{
    if (next == r->items) {
        w->all++;
        w->good += query_holds(q, value, held);
        return;
    }
    for (uint32_t chosen = 1; chosen <= r->item[next]; chosen++) {
        const bool one = (chosen & (chosen - 1)) == 0;
        if ((chosen & ~r->item[next]) == 0 && (one || !bags)) {
            query_items(w, r, q, bags, next + 1, value, held | chosen);
        }
    }
}

/* The chance that the record is one of those asked for. */
static double query_chance(const query_record *r, const query_question *q, bool bags)
{
    query_worlds w = {0, 0};

    for (uint32_t value = 1; value && value <= r->cell; value <<= 1) {
        if (value & r->cell) {
            query_items(&w, r, q, bags, 0, value, 0);
        }
    }
    return w.all > 0 ? w.good / w.all : 0;
}

#endif
