/* grow_category.c - splits of categories: by value, or by a level of the hierarchy.
 *
 * A name is a value or a generalised value: a node of the attribute's domain. Each child of a split
 * has one name and takes the codes below it, except those below the name of another child further
 * down. An unsafe child is repaired: its name is replaced by the next more general one until all
 * children are safe or one is left. */
#include "models/tree/grow_state.h"

#include <string.h>

/* The name of a code on a level of the hierarchy. */
static uint32_t name_at(const kn_grow_attribute *a, unsigned level, uint32_t code)
{
    if (!a->domain) {
        return code;
    }
    if (a->domain->start[code] == kn__domain_root(a->domain)) {
        return kn__domain_root(a->domain);
    }
    return a->domain->at_level[(size_t)level * a->domain->values + code];
}

/* The child that takes a code: the one with the most specific name above it. */
static uint32_t child_of(const kn_grow_attribute *a, const kn_grow_scratch *s, uint32_t code)
{
    const uint32_t root = kn__grow_root(a);
    uint32_t name = a->domain && a->domain->start[code] == root ? root : code;

    while (s->child_of_name[name] == KN_NO_CODE && name != root) {
        name = kn__grow_generalise(a, name);
    }
    return s->child_of_name[name] == KN_NO_CODE ? s->split.children : s->child_of_name[name];
}

/* Fill s->split.child for the codes that occur in the leaf or, with `full`, for all codes. The
 * check of a public split needs all: a span of the leaf may hold records of other leaves, with
 * values that do not occur in this one. */
static void assign_children(const kn_grow_state *g, kn_grow_scratch *s, uint32_t a, bool full)
{
    const kn_grow_column *c = &g->column[a];

    for (uint32_t i = 0; i < s->split.children; i++) {
        s->child_of_name[s->split.name[i]] = i;
    }
    if (full) {
        for (uint32_t code = 0; code < c->values; code++) {
            s->split.child[code] = child_of(c->attribute, s, code);
        }
    } else {
        for (size_t i = 0; i < s->present_count; i++) {
            s->split.child[s->present[i]] = child_of(c->attribute, s, s->present[i]);
        }
    }
    for (uint32_t i = 0; i < s->split.children; i++) {
        s->child_of_name[s->split.name[i]] = KN_NO_CODE;
    }
}

bool kn__grow_split_is_safe(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                            bool which)
{
    const kn_split *p = &s->split;
    bool safe = true;

    if (g->spans && g->has_limits && !g->column[a].attribute->hidden) {
        safe = kn__public_split_is_safe(g, s, leaf, a, which);
        if (!safe && !which) {
            return false;
        }
    } else {
        memset(s->violates, 0, (size_t)p->children + 1);
        safe = !g->spans || !g->has_limits || kn__private_split_is_safe(g, leaf);
    }
    for (uint32_t i = 0; i < p->children; i++) {
        const uint64_t *counts = p->counts + (size_t)i * g->classes;
        const uint64_t records = kn__grow_total(counts, g->classes);
        s->violates[i] |= !kn__grow_is_large(g, records) ||
                          (!g->spans && !kn__grow_counts_are_safe(g, counts, records));
        safe = safe && !s->violates[i];
    }
    return safe && (!g->o->holds || kn__grow_children_hold(g, s, leaf, a));
}

static uint64_t population_of(const kn_grow_state *g, const kn_split *p, uint32_t child)
{
    return kn__grow_total(p->counts + (size_t)child * g->classes, g->classes);
}

/* Children with equal names become one. */
static void merge_equal_names(kn_grow_scratch *s)
{
    kn_split *p = &s->split;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < p->children; i++) {
        if (s->child_of_name[p->name[i]] == KN_NO_CODE) {
            s->child_of_name[p->name[i]] = kept;
            p->name[kept++] = p->name[i];
        }
    }
    p->children = kept;
    for (uint32_t i = 0; i < kept; i++) {
        s->child_of_name[p->name[i]] = KN_NO_CODE;
    }
}

/* Children whose names are below the new name of an unsafe child become part of it. */
static void absorb_descendants(kn_grow_scratch *s, const kn_grow_attribute *a)
{
    kn_split *p = &s->split;
    const uint32_t root = kn__grow_root(a);

    for (uint32_t i = 0; i < p->children; i++) {
        if (s->violates[i]) {
            s->child_of_name[p->name[i]] = 0;
        }
    }
    for (uint32_t i = 0; i < p->children; i++) {
        uint32_t top = p->name[i];
        for (uint32_t name = top;; name = kn__grow_generalise(a, name)) {
            top = s->child_of_name[name] != KN_NO_CODE ? name : top;
            if (name == root) {
                break;
            }
        }
        s->new_name[i] = top;
    }
    for (uint32_t i = 0; i < p->children; i++) {
        s->child_of_name[p->name[i]] = KN_NO_CODE;
    }
    memcpy(p->name, s->new_name, p->children * sizeof *p->name);
}

/* One step of a repair: generalise the names of unsafe children, and merge those that become equal.
 */
static void repair_names(const kn_grow_state *g, kn_grow_scratch *s, const kn_grow_attribute *a,
                         unsigned repair)
{
    kn_split *p = &s->split;
    const uint32_t root = kn__grow_root(a);
    const uint32_t missing = repair == KN_REPAIR_MERGE_RARE ? a->column->missing : KN_NO_CODE;
    uint32_t smallest = KN_NO_CODE, largest = KN_NO_CODE;
    bool stuck = s->violates[p->children];

    for (uint32_t i = 0; i < p->children; i++) {
        if (s->violates[i]) {
            stuck = stuck || p->name[i] == root;
            p->name[i] = kn__grow_generalise(a, p->name[i]);
        } else if (p->name[i] != root && (smallest == KN_NO_CODE ||
                                          population_of(g, p, i) < population_of(g, p, smallest))) {
            smallest = i;
        }
        if (p->name[i] != missing &&
            (largest == KN_NO_CODE || population_of(g, p, i) > population_of(g, p, largest))) {
            largest = i;
        }
    }
    if (stuck) {
        /* An unsafe child has the root's name already, or codes without a child are unsafe. The
         * former takes in the smallest safe child. The latter are joined with the largest child;
         * MERGE_RARE leaves the missing value out, so that the two repairs differ. */
        const uint32_t joins = s->violates[p->children] ? largest : smallest;
        if (joins != KN_NO_CODE) {
            p->name[joins] = root;
        }
    }
    if (repair == KN_REPAIR_GENERALISE) {
        absorb_descendants(s, a);
    }
    merge_equal_names(s);
}

/* Drop children that have no records since names further down took them; whether there were some.
 */
static bool drop_empty_children(const kn_grow_state *g, kn_split *p)
{
    uint32_t kept = 0;
    const uint32_t children = p->children;

    for (uint32_t i = 0; i < children; i++) {
        if (population_of(g, p, i) > 0) {
            p->name[kept++] = p->name[i];
        }
    }
    p->children = kept;
    return kept < children;
}

bool kn__grow_split_category(const kn_grow_state *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a,
                             unsigned level, unsigned repair, bool check)
{
    kn_split *p = &s->split;
    const kn_grow_attribute *attribute = g->column[a].attribute;

    p->missing_mode = KN_MISSING_MODES;
    p->subset = false;
    p->children = (uint32_t)s->present_count;
    for (size_t i = 0; i < s->present_count; i++) {
        p->name[i] = name_at(attribute, level, s->present[i]);
    }
    merge_equal_names(s);
    while (p->children > 1) {
        assign_children(g, s, a, check && g->spans && !attribute->hidden);
        kn__grow_score(g, s, leaf);
        if (drop_empty_children(g, p)) {
            continue;
        }
        if (!check || kn__grow_split_is_safe(g, s, leaf, a, repair != KN_REPAIR_NONE)) {
            return true;
        }
        if (repair == KN_REPAIR_NONE || attribute->hidden) {
            return false;
        }
        repair_names(g, s, attribute, repair);
    }
    return false;
}
