/* oracle/kmn.h - Definition 1 of the tree paper by brute force, and structural disassociation by
 * rewriting trees.
 *
 * What an attacker may know: every set of up to m values, every set of up to n relations among
 * them, and every partition of these relations into groups. A record matches when it holds all
 * values and each group has an embedding: each of its values is one node of the record, and all
 * relations of the group hold between these nodes. With all relations in one group this is the
 * reading of one consistent embedding, with each in a group of its own that of the paper's lists.
 */
#ifndef KN_ORACLE_KMN_H
#define KN_ORACLE_KMN_H

#include "data/trees.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ORACLE_KMN_VALUES = 4, ORACLE_KMN_RELATIONS = 6 };

typedef enum oracle_reading {
    ORACLE_ANY_GROUPS,    /* what kmn-anonymity promises */
    ORACLE_ONE_EMBEDDING, /* all relations in one group */
    ORACLE_ONE_BY_ONE     /* each relation by itself */
} oracle_reading;

typedef struct oracle_known {
    size_t values, relations;
    uint32_t value[ORACLE_KMN_VALUES];
    uint32_t above[ORACLE_KMN_RELATIONS], below[ORACLE_KMN_RELATIONS]; /* values */
    size_t group[ORACLE_KMN_RELATIONS];
} oracle_known;

static bool oracle_is_above(const kn_forest *f, size_t record, uint32_t above, uint32_t below)
{
    const uint32_t *parent = f->parent + f->starts[record];

    for (uint32_t n = parent[below]; n != KN_NO_PARENT; n = parent[n]) {
        if (n == above) {
            return true;
        }
    }
    return false;
}

/* Whether group `g` has an embedding, with `node` chosen for the first `chosen` values. */
static bool oracle_group_embeds(const kn_forest *f, size_t record, const oracle_known *k, size_t g,
                                uint32_t *node, size_t chosen)
{
    const uint32_t *value = f->value + f->starts[record];

    if (chosen == k->values) {
        for (size_t i = 0; i < k->relations; i++) {
            size_t a = 0, b = 0;
            while (k->value[a] != k->above[i]) {
                a++;
            }
            while (k->value[b] != k->below[i]) {
                b++;
            }
            if (k->group[i] == g && !oracle_is_above(f, record, node[a], node[b])) {
                return false;
            }
        }
        return true;
    }
    for (uint32_t n = 0; n < kn__forest_size(f, record); n++) {
        if (value[n] == k->value[chosen]) {
            node[chosen] = n;
            if (oracle_group_embeds(f, record, k, g, node, chosen + 1)) {
                return true;
            }
        }
    }
    return false;
}

static bool oracle_matches(const kn_forest *f, size_t record, const oracle_known *k)
{
    uint32_t node[ORACLE_KMN_VALUES];

    for (size_t g = 0; g == 0 || g < k->relations; g++) {
        if (!oracle_group_embeds(f, record, k, g, node, 0)) {
            return false;
        }
    }
    return true;
}

static size_t oracle_kmn_support(const kn_forest *f, const oracle_known *k)
{
    size_t support = 0;

    for (size_t r = 0; r < f->records; r++) {
        support += oracle_matches(f, r, k);
    }
    return support;
}

typedef struct oracle_kmn {
    const kn_forest *f;
    size_t k, m, n;
    oracle_reading reading;
    double l;           /* above 1: no value of class `sensitive` in more than 1/l of the matches */
    uint16_t sensitive; /* not known then */
    size_t broken;      /* kinds of knowledge with a support of 1..k-1, or that break l-diversity */
} oracle_kmn;

/* Whether a sensitive value is in more than 1/l of the records that match. */
static bool oracle_infers(const oracle_kmn *o, const oracle_known *k)
{
    for (uint32_t v = 0; o->l > 1 && v < o->f->values; v++) {
        size_t matching = 0, held = 0;
        for (size_t r = 0; o->f->value_class[v] == o->sensitive && r < o->f->records; r++) {
            bool has = false;
            for (uint64_t i = o->f->starts[r]; i < o->f->starts[r + 1]; i++) {
                has = has || o->f->value[i] == v;
            }
            if (oracle_matches(o->f, r, k)) {
                matching++;
                held += has;
            }
        }
        if ((double)held * o->l > (double)matching) {
            return true;
        }
    }
    return false;
}

/* Partitions of the relations into groups, by restricted growth. */
static void oracle_groups(oracle_kmn *o, oracle_known *k, size_t at, size_t groups)
{
    if (at == k->relations) {
        const size_t support = oracle_kmn_support(o->f, k);
        o->broken += support > 0 && (support < o->k || oracle_infers(o, k));
        return;
    }
    for (size_t g = 0; g <= groups; g++) {
        if ((o->reading == ORACLE_ONE_EMBEDDING && g > 0) ||
            (o->reading == ORACLE_ONE_BY_ONE && g < groups)) {
            continue;
        }
        k->group[at] = g;
        oracle_groups(o, k, at + 1, g == groups ? groups + 1 : groups);
    }
}

static void oracle_relations(oracle_kmn *o, oracle_known *k, size_t from)
{
    oracle_groups(o, k, 0, 0);
    for (size_t p = from; k->relations < o->n && p < k->values * k->values; p++) {
        if (p / k->values != p % k->values) {
            k->above[k->relations] = k->value[p / k->values];
            k->below[k->relations++] = k->value[p % k->values];
            oracle_relations(o, k, p + 1);
            k->relations--;
        }
    }
}

static void oracle_values(oracle_kmn *o, oracle_known *k, uint32_t from)
{
    if (k->values) {
        oracle_relations(o, k, 0);
    }
    for (uint32_t v = from; k->values < o->m && v < o->f->values; v++) {
        if (o->l > 1 && o->f->value_class[v] == o->sensitive) {
            continue;
        }
        k->value[k->values++] = v;
        oracle_values(o, k, v + 1);
        k->values--;
    }
}

/* How many kinds of knowledge identify fewer than k records. */
static size_t oracle_kmn_broken(const kn_forest *f, size_t k, size_t m, size_t n,
                                oracle_reading reading)
{
    oracle_kmn o = {.f = f, .k = k, .m = m, .n = n, .reading = reading};
    oracle_known known = {0};

    oracle_values(&o, &known, 0);
    return o.broken;
}

/* ---- structural disassociation, tree by tree ---- */

typedef struct oracle_node {
    uint32_t value;
    struct oracle_node *parent, *child, *sibling;
} oracle_node;

static oracle_node *oracle_tree_of(const kn_forest *f, size_t record)
{
    const uint32_t size = kn__forest_size(f, record);
    oracle_node *all = calloc(size + 1, sizeof *all); /* all[0] is the root */

    for (uint32_t i = 0; i < size; i++) {
        const uint32_t up = f->parent[f->starts[record] + i];
        oracle_node *n = &all[i + 1];
        n->value = f->value[f->starts[record] + i];
        n->parent = up == KN_NO_PARENT ? all : &all[up + 1];
        n->sibling = n->parent->child;
        n->parent->child = n;
    }
    return all;
}

static void oracle_unlink(oracle_node *n)
{
    oracle_node **at = &n->parent->child;

    while (*at != n) {
        at = &(*at)->sibling;
    }
    *at = n->sibling;
}

static void oracle_link(oracle_node *n, oracle_node *parent)
{
    n->parent = parent;
    n->sibling = parent->child;
    parent->child = n;
}

static void oracle_merge_siblings(oracle_node *n)
{
    for (oracle_node *a = n->child; a; a = a->sibling) {
        for (oracle_node *b = a->sibling, *next; b; b = next) {
            next = b->sibling;
            if (a->value == b->value) {
                while (b->child) {
                    oracle_node *c = b->child;
                    oracle_unlink(c);
                    oracle_link(c, a);
                }
                oracle_unlink(b);
            }
        }
        oracle_merge_siblings(a);
    }
}

/* A node `below` somewhere under `n`, under a node `above`; NULL if there is none. */
static oracle_node *oracle_find_relation(oracle_node *n, uint32_t above, uint32_t below)
{
    for (oracle_node *c = n->child; c; c = c->sibling) {
        oracle_node *deep = oracle_find_relation(c, above, below);
        if (deep) {
            return deep;
        }
        for (oracle_node *up = c->parent; c->value == below && up->parent; up = up->parent) {
            if (up->value == above) {
                return c;
            }
        }
    }
    return NULL;
}

/* Definition 2, for all paths of one record. */
static void oracle_disassociate(oracle_node *root, uint32_t above, uint32_t below)
{
    oracle_node *b;

    while ((b = oracle_find_relation(root, above, below))) {
        oracle_node *a = b->parent;
        while (a->value != above) {
            a = a->parent;
        }
        while (b->child) {
            oracle_node *c = b->child;
            oracle_unlink(c);
            oracle_link(c, b->parent);
        }
        oracle_unlink(b);
        oracle_link(b, a->parent);
        oracle_merge_siblings(root);
    }
}

static size_t oracle_count_nodes(const oracle_node *n)
{
    size_t count = 0;

    for (const oracle_node *c = n->child; c; c = c->sibling) {
        count += 1 + oracle_count_nodes(c);
    }
    return count;
}

/* Whether the tree has the path of `len` values from the root down. */
static bool oracle_has_path(const oracle_node *n, const uint32_t *path, size_t len)
{
    if (len == 0) {
        return true;
    }
    for (const oracle_node *c = n->child; c; c = c->sibling) {
        if (c->value == *path && oracle_has_path(c, path + 1, len - 1)) {
            return true;
        }
    }
    return false;
}

#endif
