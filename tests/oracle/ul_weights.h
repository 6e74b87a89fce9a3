/* oracle/ul_weights.h - w(u) and UL by the definitions of docs/measures.md, over paths of texts. */
#ifndef ORACLE_UL_WEIGHTS_H
#define ORACLE_UL_WEIGHTS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { UW_LEAVES = 9, UW_LEVELS = 4, UW_NAMES = 16 };

typedef struct uw_world {
    /* The item, what is above it, ..., the root. */
    char path[UW_LEAVES][UW_LEVELS][4];
    bool occurs[UW_LEAVES];
    char name[UW_NAMES][4];
    double weight[UW_NAMES];
    int names;
} uw_world;

/* The weight that is given to `text`, or -1. */
static double uw_given(const uw_world *w, const char *text)
{
    for (int i = 0; i < w->names; i++) {
        if (strcmp(w->name[i], text) == 0) {
            return w->weight[i];
        }
    }
    return -1;
}

/* Of an item: its own, or the nearest above it; one that does not occur has none of its own. */
static double uw_item(const uw_world *w, int leaf)
{
    for (int level = w->occurs[leaf] ? 0 : 1; level < UW_LEVELS; level++) {
        const double given = uw_given(w, w->path[leaf][level]);
        if (given >= 0) {
            return given;
        }
    }
    return 1;
}

/* Of what is published as `text`, and its size: an item, a node, `*`, or a set "{a,b}". */
static double uw_weight(const uw_world *w, const char *text, int *size)
{
    const double given = text[0] == '*' ? uw_given(w, w->path[0][UW_LEVELS - 1])
                                        : uw_given(w, text);
    double sum = 0;

    *size = 0;
    for (int leaf = 0; leaf < UW_LEAVES; leaf++) {
        bool meant = text[0] == '*' || (text[0] == '{' && strchr(text, w->path[leaf][0][0]));
        for (int level = 0; level < UW_LEVELS; level++) {
            meant = meant || strcmp(w->path[leaf][level], text) == 0;
        }
        *size += meant;
        sum += meant ? uw_item(w, leaf) : 0;
    }
    return given >= 0 ? given : sum / *size;
}

/* UL of a record that is published as these texts. */
static double uw_record(const uw_world *w, const char (*texts)[32], int count)
{
    double above = 0;
    int sigma = 0;

    for (int i = 0; i < count; i++) {
        int size;
        const double weight = uw_weight(w, texts[i], &size);
        above += weight * (exp2(size) - 1);
        sigma += size;
    }
    return count ? above / (exp2(sigma) - 1) : 0;
}

#endif
