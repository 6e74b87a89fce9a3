/* join.c - join several hierarchies, one per family of items, below a new root.
 *
 * The common root is `*`, which says nothing. A family whose own root is `*` too has no name: its
 * groups become children of the common root. Any other root is a group like those below it. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

static const char ROOT[] = "*";

static bool is_nameless(const kn_hierarchy *h)
{
    return strcmp(kn__hierarchy_label(h, h->nodes - 1), ROOT) == 0;
}

static kn_place place_of(const kn_hierarchy *h, uint32_t node)
{
    return kn__place_make(h->name, h->line[node]);
}

/* Refuse a label that is in two families, as node `a` of `x` and node `b` of `y`. */
static kn_status fail_shared(const kn_hierarchy *x, uint32_t a, const kn_hierarchy *y, uint32_t b,
                             bool leaf, kn_error *err)
{
    const char *label = kn__hierarchy_label(y, b);
    const kn_quote quote = kn__quote_make(label, strlen(label));

    return leaf ? kn__fail(err, KN_EINPUT,
                           "%s: value %s is in %s too; of the hierarchies of one column, every "
                           "value belongs in one only",
                           place_of(y, b).text, quote.text, place_of(x, a).text)
                : kn__fail(err, KN_EINPUT,
                           "%s: there is a group %s in %s too; who reads it could not tell them "
                           "apart: give one of them another name",
                           place_of(y, b).text, quote.text, place_of(x, a).text);
}

static kn_status refuse_ranges(const kn_hierarchy *h, kn_error *err)
{
    return h->low ? kn__fail(err, KN_EINPUT,
                             "%s: its values are ranges, and only hierarchies of single values can "
                             "be joined; put them in one file",
                             kn__place_make(h->name, 0).text)
                  : KN_OK;
}

/* The families that are joined, and the labels of their groups. */
typedef struct joining {
    kn_hierarchy_builder builder;
    kn_buffer name;
    kn_dict *groups;
    const kn_hierarchy **family; /* by group: whose it is */
    uint32_t *node;              /* by group: its node there */
    size_t family_cap, node_cap;
    uint32_t *to; /* by node of the family that is being added */
    size_t to_cap;
    uint32_t missing; /* the leaf that stands for a missing value */
    const kn_hierarchy *missing_in;
} joining;

static void clear(joining *j)
{
    kn__hierarchy_builder_clear(&j->builder);
    kn__buffer_free(&j->name);
    kn__dict_free(j->groups);
    KN_FREE(j->family, j->node, j->to);
}

/* A label may be on several levels of one family, but not in two families. */
static kn_status claim_group(joining *j, const kn_hierarchy *h, uint32_t node, kn_error *err)
{
    const char *label = kn__hierarchy_label(h, node);
    const uint32_t before = j->groups->len;
    uint32_t code;
    kn_status status;

    KN_TRY(kn__grow(&j->family, &j->family_cap, (size_t)before + 1, sizeof *j->family, err));
    KN_TRY(kn__grow(&j->node, &j->node_cap, (size_t)before + 1, sizeof *j->node, err));
    KN_TRY(kn__dict_add(j->groups, label, strlen(label), &code, err));
done:
    if (status != KN_OK) {
        return status;
    }
    if (code == before) {
        j->family[code] = h;
        j->node[code] = node;
    }
    return j->family[code] == h ? KN_OK
                                : fail_shared(j->family[code], j->node[code], h, node, false, err);
}

static kn_status add_leaf(joining *j, const kn_hierarchy *const *families, size_t own,
                          uint32_t leaf, uint32_t *out, kn_error *err)
{
    const kn_hierarchy *h = families[own];
    const char *label = kn__hierarchy_label(h, leaf);

    for (size_t i = 0; i < own; i++) {
        const uint32_t other = kn__dict_find(families[i]->leaf, label, strlen(label));
        if (other != KN_NO_CODE) {
            return fail_shared(families[i], other, h, leaf, true, err);
        }
    }
    if (leaf == h->missing) {
        if (j->missing_in) {
            return fail_shared(j->missing_in, j->missing_in->missing, h, leaf, true, err);
        }
        j->missing = j->builder.leaf ? j->builder.leaf->len : 0;
        j->missing_in = h;
    }
    return kn__hierarchy_builder_add(&j->builder, label, strlen(label), 0, true, out, err);
}

static kn_status add_family(joining *j, const kn_hierarchy *const *families, size_t own,
                            uint32_t root, kn_error *err)
{
    const kn_hierarchy *h = families[own];
    const uint32_t top = h->nodes - 1;

    KN_PASS(refuse_ranges(h, err));
    KN_PASS(kn__grow(&j->to, &j->to_cap, h->nodes, sizeof *j->to, err));
    for (uint32_t i = 0; i < h->nodes; i++) {
        const char *label = kn__hierarchy_label(h, i);
        if (i < h->leaves) {
            KN_PASS(add_leaf(j, families, own, i, &j->to[i], err));
        } else if (i == top && is_nameless(h)) {
            j->to[i] = root;
        } else {
            KN_PASS(claim_group(j, h, i, err));
            KN_PASS(kn__hierarchy_builder_add(&j->builder, label, strlen(label), 0, false,
                                              &j->to[i], err));
        }
    }
    for (uint32_t i = 0; i < h->nodes; i++) {
        if (j->to[i] != root) {
            j->builder.node[j->to[i]].parent = i == top ? root : j->to[h->parent[i]];
        }
    }
    return KN_OK;
}

kn_status kn_hierarchy_join(kn_hierarchy **out, const kn_hierarchy *const *families, size_t count,
                            kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED_LIST(err, families, count);

    joining j = {.missing = KN_NO_CODE};
    uint32_t root = 0;
    kn_status status;

    if (count == 0) {
        return kn__fail(err, KN_EUSAGE, "give at least one hierarchy to join");
    }
    for (size_t i = 0; i < count; i++) {
        kn__buffer_addf(&j.name, "%s%s", i ? " + " : "", families[i]->name);
    }
    KN_TRY(j.name.failed ? kn__nomem(err) : kn__dict_new(&j.groups, err));
    j.builder.name = j.name.data;
    KN_TRY(kn__hierarchy_builder_add(&j.builder, ROOT, sizeof ROOT - 1, 0, false, &root, err));
    for (size_t i = 0; i < count; i++) {
        KN_TRY(add_family(&j, families, i, root, err));
    }
    KN_TRY(kn__hierarchy_builder_finish(&j.builder, out, err));
    (*out)->missing = j.missing;
done:
    clear(&j);
    return status;
}
