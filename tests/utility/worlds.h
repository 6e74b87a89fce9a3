/* utility/worlds.h - small random originals of item lists and local recodings of them, as texts for
 * the library and as bits (one a leaf) for the oracles. */
#ifndef UTILITY_WORLDS_H
#define UTILITY_WORLDS_H

#include "base/rng.h"
#include "utility/lists.h"

#include <stdio.h>

enum { WORLD_LEAVES = 6, WORLD_RECORDS = 8, WORLD_ITEMS = 4 };

typedef enum world_kind { TREE_SET, TREE_BAG, PLAIN_SET, NUMBERS, WORLD_KINDS } world_kind;

typedef struct world_list {
    int items;
    uint32_t item[WORLD_ITEMS]; /* leaves it may stand for; 0: suppressed */
    char text[200];
} world_list;

typedef struct world {
    world_kind kind;
    int leaves;
    char name[WORLD_LEAVES][8];
    int group[2][WORLD_LEAVES]; /* of trees: by level above the leaves and leaf; -1: the root */
    char label[2][WORLD_LEAVES][8];
    const char *root;
    char tree[400];
    uint32_t seen; /* leaves that occur */
    int records[2];
    world_list original[WORLD_RECORDS], release[WORLD_RECORDS];
} world;

static int below(kn_rng *rng, int n)
{
    return (int)kn__rng_below(rng, (uint64_t)n);
}

static bool is_tree(const world *w)
{
    return w->kind == TREE_SET || w->kind == TREE_BAG;
}
static bool is_bag(const world *w)
{
    return w->kind == TREE_BAG || w->kind == NUMBERS;
}
static uint32_t all_leaves(const world *w)
{
    return is_tree(w) ? (1u << w->leaves) - 1 : w->seen;
}

/* The leaves below every node with this label, and the leaf of that name if it occurs. */
static uint32_t labelled(const world *w, const char *label)
{
    uint32_t leaves = 0;

    for (int i = 0; i < w->leaves; i++) {
        for (int level = 0; level < 2; level++) {
            const int group = w->group[level][i];
            leaves |= group >= 0 && strcmp(w->label[level][group], label) == 0 ? 1u << i : 0;
        }
        leaves |= strcmp(w->name[i], label) == 0 ? 1u << i & w->seen : 0;
    }
    return leaves;
}

static void make_tree(world *w, kn_rng *rng)
{
    w->root = below(rng, 2) ? "*" : "Any";
    for (int level = 0; level < 2; level++) {
        for (int g = 0; g < WORLD_LEAVES; g++) {
            sprintf(w->label[level][g], "%c%d", level ? 'h' : 'g', g);
        }
    }
    for (int i = 0; i < w->leaves; i++) {
        w->group[0][i] = below(rng, 3);
    }
    for (int i = 0; i < w->leaves; i++) {
        /* Groups lie within groups. */
        w->group[1][i] = w->group[0][i] / 2;
    }
    if (below(rng, 3) == 0) {
        /* A leaf directly below the root, unless it would be the only path. */
        const int leaf = below(rng, w->leaves);
        w->group[0][leaf] = w->group[1][leaf] = w->leaves > 1 ? -1 : 0;
    }
    if (below(rng, 4) == 0) {
        strcpy(w->label[1][1], w->label[0][0]); /* one label, two places */
    }
    if (below(rng, 4) == 0) {
        strcpy(w->label[0][1], w->name[0]); /* a group called as a leaf, perhaps of another group */
    }
    for (int i = 0; i < w->leaves; i++) {
        if (w->group[0][i] < 0) {
            sprintf(w->tree + strlen(w->tree), "%s;%s\n", w->name[i], w->root);
        } else {
            sprintf(w->tree + strlen(w->tree), "%s;%s;%s;%s\n", w->name[i],
                    w->label[0][w->group[0][i]], w->label[1][w->group[1][i]], w->root);
        }
    }
}

/* How `leaf` may be published: its text, and the leaves that this stands for. */
static uint32_t publish(const world *w, kn_rng *rng, int leaf, char *text)
{
    uint32_t leaves = 1u << leaf;
    int last = leaf, first = leaf;

    if (is_tree(w)) {
        int up = below(rng, 6);
        up = up >= 2 && w->group[0][leaf] < 0 ? 4 : up;
        if (up >= 4) {
            strcpy(text, up == 4 ? w->root : "*");
            return strcmp(text, "*") == 0 ? 0 : all_leaves(w);
        }
        strcpy(text, up < 2 ? w->name[leaf] : w->label[up - 2][w->group[up - 2][leaf]]);
        return labelled(w, text);
    }
    if (below(rng, 8) == 0) {
        strcpy(text, "*");
        return 0;
    }
    if (w->kind == NUMBERS) {
        first -= below(rng, leaf + 1);
        last += below(rng, w->leaves - leaf);
        leaves = ((1u << (last + 1)) - (1u << first)) & w->seen;
        if (first == last) {
            strcpy(text, w->name[leaf]);
        } else {
            sprintf(text, "[%s,%s]", w->name[first], w->name[last]);
        }
        return leaves;
    }
    leaves |= (uint32_t)below(rng, 1 << w->leaves) & w->seen;
    if ((leaves & (leaves - 1)) == 0) {
        strcpy(text, w->name[leaf]);
        return leaves;
    }
    strcpy(text, "{");
    for (int i = 0; i < w->leaves; i++) {
        if (leaves >> i & 1) {
            sprintf(text + strlen(text), "%s%s", text[1] ? "," : "", w->name[i]);
        }
    }
    strcat(text, "}");
    return leaves;
}

/* Whether `word` is among the words of `text`. */
static bool has_word(const char *text, const char *word)
{
    const size_t len = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at++) {
        if ((at == text || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Add an item unless the list is a set that has it. */
static void add_item(const world *w, world_list *list, const char *text, uint32_t leaves)
{
    if (!is_bag(w) && has_word(list->text, text)) {
        return;
    }
    sprintf(list->text + strlen(list->text), "%s%s", list->items ? " " : "", text);
    list->item[list->items++] = leaves;
}

static void make_world(world *w, kn_rng *rng)
{
    int leaf[WORLD_RECORDS][WORLD_ITEMS], len[WORLD_RECORDS];

    memset(w, 0, sizeof *w);
    w->kind = (world_kind)below(rng, WORLD_KINDS);
    w->leaves = 1 + below(rng, WORLD_LEAVES);
    for (int i = 0; i < w->leaves; i++) {
        sprintf(w->name[i], w->kind == NUMBERS ? "%d0" : "v%d", i + 1);
    }
    if (is_tree(w)) {
        make_tree(w, rng);
    }
    w->records[0] = 1 + below(rng, WORLD_RECORDS);
    for (int i = 0; i < w->records[0]; i++) {
        len[i] = below(rng, WORLD_ITEMS + 1);
        for (int j = 0; j < len[i]; j++) {
            /* Some leaves are more frequent. */
            leaf[i][j] = below(rng, 1 + below(rng, w->leaves));
            add_item(w, &w->original[i], w->name[leaf[i][j]], 1u << leaf[i][j]);
            w->seen |= 1u << leaf[i][j];
        }
    }
    for (int i = 0; i < w->records[0]; i++) {
        if (below(rng, 8) == 0) {
            continue; /* removed */
        }
        for (int j = 0; j < len[i]; j++) {
            char text[60];
            const uint32_t leaves = publish(w, rng, leaf[i][j], text);
            add_item(w, &w->release[w->records[1]], text, leaves);
        }
        w->records[1]++;
    }
}

static kn_type world_type(const world *w)
{
    return w->kind == NUMBERS ? KN_TYPE_NUMBERS : w->kind == TREE_BAG ? KN_TYPE_BAG : KN_TYPE_SET;
}

#endif
