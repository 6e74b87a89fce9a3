/* builder.c - make a hierarchy of nodes or rows: intern labels, check, number the nodes. */
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

void kn__hierarchy_builder_clear(kn_hierarchy_builder *m)
{
    kn__buffer_free(&m->text);
    kn__buffer_free(&m->key);
    kn__free(m->node);
    kn__dict_free(m->leaf);
    kn__free(m->leaf_node);
    kn__dict_free(m->inner);
    kn__free(m->inner_node);
    *m = (kn_hierarchy_builder){0};
}

static kn_quote quote_node(const kn_hierarchy_builder *m, uint32_t node)
{
    const char *label = m->text.data + m->node[node].label;

    return kn__quote_make(label, strlen(label));
}

static kn_status refuse_repeat(const kn_hierarchy_builder *m, const char *label, size_t len,
                               uint32_t code, size_t line, kn_error *err)
{
    const size_t before = m->node[m->leaf_node[code]].line;

    if (!before) {
        return kn__fail(err, KN_EINPUT,
                        "%s: value %s is listed twice; every value belongs in one place only",
                        m->name, kn__quote_make(label, len).text);
    }
    return kn__fail(err, KN_EINPUT,
                    "%s: value %s is listed twice, first on line %zu; every value belongs in one "
                    "place only",
                    kn__place_make(m->name, line).text, kn__quote_make(label, len).text, before);
}

kn_status kn__hierarchy_builder_add(kn_hierarchy_builder *m, const char *label, size_t len,
                                    size_t line, bool leaf, uint32_t *node, kn_error *err)
{
    const size_t at = m->text.len;
    uint32_t code = 0;

    if (len == 0) {
        return kn__fail(err, KN_EINPUT, "%s: an empty label; every value and group needs a name",
                        kn__place_make(m->name, line).text);
    }
    if (m->count >= UINT32_MAX / 2 || line > UINT32_MAX) {
        return kn__fail(err, KN_EINPUT, "%s: too many nodes for a hierarchy",
                        kn__place_make(m->name, line).text);
    }
    KN_PASS(kn__grow(&m->node, &m->cap, m->count + 1, sizeof *m->node, err));
    if (leaf) {
        KN_PASS(m->leaf ? KN_OK : kn__dict_new(&m->leaf, err));
        code = kn__dict_find(m->leaf, label, len);
        KN_PASS(code == KN_NO_CODE ? KN_OK : refuse_repeat(m, label, len, code, line, err));
        KN_PASS(kn__grow(&m->leaf_node, &m->leaf_cap, (size_t)m->leaf->len + 1,
                         sizeof *m->leaf_node, err));
        KN_PASS(kn__dict_add(m->leaf, label, len, &code, err));
    }
    kn__buffer_add(&m->text, label, len);
    kn__buffer_addc(&m->text, '\0');
    KN_PASS(m->text.failed ? kn__nomem(err) : KN_OK);
    *node = (uint32_t)m->count++;
    m->node[*node] = (kn_hierarchy_builder_node){
        .label = at, .parent = KN_NO_CODE, .line = (uint32_t)line, .leaf = leaf};
    if (leaf) {
        m->leaf_node[code] = *node;
    }
    return KN_OK;
}

/* The inner node `label` at `depth`, made if it is new; `*made` says which. */
static kn_status intern(kn_hierarchy_builder *m, const kn_text *label, uint32_t depth, size_t line,
                        uint32_t *node, bool *made, kn_error *err)
{
    uint32_t code = 0;

    KN_PASS(m->inner ? KN_OK : kn__dict_new(&m->inner, err));
    m->key.len = 0;
    kn__buffer_add(&m->key, &depth, sizeof depth);
    kn__buffer_add(&m->key, label->at, label->len);
    KN_PASS(m->key.failed ? kn__nomem(err) : KN_OK);
    code = kn__dict_find(m->inner, m->key.data, m->key.len);
    *made = code == KN_NO_CODE;
    if (!*made) {
        *node = m->inner_node[code];
        return KN_OK;
    }
    KN_PASS(kn__grow(&m->inner_node, &m->inner_cap, (size_t)m->inner->len + 1,
                     sizeof *m->inner_node, err));
    KN_PASS(kn__hierarchy_builder_add(m, label->at, label->len, line, false, node, err));
    KN_PASS(kn__dict_add(m->inner, m->key.data, m->key.len, &code, err));
    m->inner_node[code] = *node;
    return KN_OK;
}

static kn_status fail_parents(const kn_hierarchy_builder *m, uint32_t node, uint32_t parent,
                              size_t level, size_t line, kn_error *err)
{
    return kn__fail(err, KN_EINPUT,
                    "%s: group %s on level %zu is below %s here, but below %s on line %u; "
                    "a group can be in one larger group only",
                    kn__place_make(m->name, line).text, quote_node(m, node).text, level,
                    quote_node(m, parent).text, quote_node(m, m->node[node].parent).text,
                    (unsigned)m->node[node].line);
}

/* A leaf that comes again, where the row above it is known: say whether the rows agree. */
static kn_status fail_twice(const kn_hierarchy_builder *m, const kn_text *leaf, uint32_t parent,
                            size_t line, kn_error *err)
{
    const uint32_t code = kn__dict_find(m->leaf, leaf->at, leaf->len);
    const kn_hierarchy_builder_node *first = &m->node[m->leaf_node[code]];

    return kn__fail(err, KN_EINPUT, "%s: value %s is listed twice, first on line %u, %s",
                    kn__place_make(m->name, line).text, kn__quote_make(leaf->at, leaf->len).text,
                    (unsigned)first->line,
                    first->parent == parent ? "with the same groups: remove one of the two rows"
                                            : "with other groups: keep the right one of the two");
}

kn_status kn__hierarchy_builder_row(kn_hierarchy_builder *m, const kn_text *labels, size_t count,
                                    size_t line, kn_error *err)
{
    uint32_t above = KN_NO_CODE, node = 0;
    bool made = false;

    for (size_t i = 0; i < count; i++) {
        if (labels[i].len == 0) {
            return kn__fail(err, KN_EINPUT,
                            "%s: column %zu is empty; every value and group needs a name",
                            kn__place_make(m->name, line).text, i + 1);
        }
    }
    if (count < 2) {
        return kn__fail(err, KN_EINPUT,
                        "%s: a row with one column only; a row names a value and the groups above "
                        "it up to the root, such as 17;10-19;*",
                        kn__place_make(m->name, line).text);
    }
    if (count > KN_LEVELS_MOST) {
        return kn__fail(err, KN_EINPUT, "%s: %zu levels; at most %d are supported",
                        kn__place_make(m->name, line).text, count, KN_LEVELS_MOST);
    }
    for (size_t i = count - 1; i >= 1; i--) {
        KN_PASS(intern(m, &labels[i], (uint32_t)(count - 1 - i), line, &node, &made, err));
        if (made) {
            if (above == KN_NO_CODE && m->count > 1) {
                return kn__fail(err, KN_EINPUT,
                                "%s: the root is %s here, but %s on line %u; all rows must end "
                                "with the same root (and a hierarchy has no header line)",
                                kn__place_make(m->name, line).text, quote_node(m, node).text,
                                quote_node(m, 0).text, (unsigned)m->node[0].line);
            }
            m->node[node].parent = above;
        } else if (m->node[node].parent != above) {
            return fail_parents(m, node, above, i, line, err);
        }
        above = node;
    }
    if (m->leaf && kn__dict_find(m->leaf, labels[0].at, labels[0].len) != KN_NO_CODE) {
        return fail_twice(m, &labels[0], above, line, err);
    }
    KN_PASS(kn__hierarchy_builder_add(m, labels[0].at, labels[0].len, line, true, &node, err));
    m->node[node].parent = above;
    return KN_OK;
}

/* Set the depths of all nodes. Going up stops at the first node whose depth is known: O(nodes). */
static kn_status find_depths(const kn_hierarchy_builder *m, uint32_t *depth, kn_error *err)
{
    uint32_t path[KN_LEVELS_MOST];

    for (size_t i = 0; i < m->count; i++) {
        depth[i] = UINT32_MAX;
    }
    for (size_t i = 0; i < m->count; i++) {
        uint32_t at = (uint32_t)i;
        size_t steps = 0;

        while (depth[at] == UINT32_MAX && m->node[at].parent != KN_NO_CODE) {
            if (steps == KN_LEVELS_MOST) {
                break;
            }
            path[steps++] = at;
            at = m->node[at].parent;
        }
        if (depth[at] == UINT32_MAX) {
            depth[at] = 0;
        }
        if (depth[at] + steps >= KN_LEVELS_MOST) {
            return kn__fail(err, KN_EINPUT, "%s: more than %d levels", m->name, KN_LEVELS_MOST);
        }
        while (steps > 0) {
            const uint32_t next = path[--steps];
            depth[next] = depth[at] + 1;
            at = next;
        }
    }
    return KN_OK;
}

/* Renumber the nodes: leaves in their order, then inner nodes by falling depth. */
static kn_status number(const kn_hierarchy_builder *m, const uint32_t *depth, uint32_t *to,
                        kn_error *err)
{
    uint32_t at[KN_LEVELS_MOST + 1] = {0}, next = m->leaf->len, leaf = 0;

    for (size_t i = 0; i < m->count; i++) {
        at[depth[i]] += !m->node[i].leaf;
    }
    for (size_t d = KN_LEVELS_MOST; d-- > 0;) {
        const uint32_t here = at[d];
        at[d] = next;
        next += here;
    }
    for (size_t i = 0; i < m->count; i++) {
        to[i] = m->node[i].leaf ? leaf++ : at[depth[i]]++;
    }
    if (leaf != m->leaf->len) {
        return kn__fail(err, KN_EINPUT, "%s: values are listed twice", m->name);
    }
    return KN_OK;
}

/* Children by parent, as a counting sort of the nodes. */
static kn_status link_children(kn_hierarchy *h, kn_error *err)
{
    const uint32_t root = h->nodes - 1;

    h->child = kn__malloc_array(h->nodes, sizeof *h->child);
    h->child_begin = kn__zalloc_array((size_t)h->nodes + 2, sizeof *h->child_begin);
    KN_PASS(h->child && h->child_begin ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < root; i++) {
        h->child_begin[h->parent[i] + 2]++;
    }
    for (uint32_t i = 0; i < h->nodes; i++) {
        h->child_begin[i + 2] += h->child_begin[i + 1];
    }
    for (uint32_t i = 0; i < root; i++) {
        h->child[h->child_begin[h->parent[i] + 1]++] = i;
    }
    return KN_OK;
}

kn_status kn__hierarchy_builder_finish(kn_hierarchy_builder *m, kn_hierarchy **out, kn_error *err)
{
    kn_hierarchy *h = NULL;
    uint32_t *depth = NULL, *to = NULL;
    kn_status status = KN_OK;

    *out = NULL;
    if (!m->leaf || m->leaf->len == 0) {
        return kn__fail(err, KN_EINPUT, "%s: empty: a hierarchy needs at least one value", m->name);
    }
    h = kn__zalloc(sizeof *h);
    depth = kn__malloc_array(m->count, sizeof *depth);
    to = kn__malloc_array(m->count, sizeof *to);
    KN_TRY(h && depth && to ? find_depths(m, depth, err) : kn__nomem(err));
    KN_TRY(kn__hierarchy_builder_refuse_cycles(m, err));
    KN_TRY(number(m, depth, to, err));
    h->nodes = (uint32_t)m->count;
    h->leaves = m->leaf->len;
    h->missing = KN_NO_CODE;
    h->type = KN_TYPE_CATEGORY;
    h->name = kn__strdup(m->name);
    h->label = kn__malloc_array(m->count, sizeof *h->label);
    h->parent = kn__malloc_array(m->count, sizeof *h->parent);
    h->depth = kn__malloc_array(m->count, sizeof *h->depth);
    h->line = kn__malloc_array(m->count, sizeof *h->line);
    KN_TRY(h->name && h->label && h->parent && h->depth && h->line ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < m->count; i++) {
        const kn_hierarchy_builder_node *node = &m->node[i];
        h->label[to[i]] = node->label;
        h->parent[to[i]] = node->parent == KN_NO_CODE ? to[i] : to[node->parent];
        h->depth[to[i]] = depth[i];
        h->line[to[i]] = node->line;
        if (depth[i] + 1 > h->levels) {
            h->levels = depth[i] + 1;
        }
    }
    KN_TRY(link_children(h, err));
    h->text = m->text.data;
    m->text = (kn_buffer){0};
    h->leaf = m->leaf;
    m->leaf = NULL;
    *out = h;
done:
    KN_FREE(depth, to);
    if (status != KN_OK) {
        kn_hierarchy_free(h);
    }
    return status;
}
