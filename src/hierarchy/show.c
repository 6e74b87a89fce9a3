/* show.c - draw a hierarchy as text. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

typedef struct drawing {
    const kn_hierarchy *h;
    uint32_t *first, *next; /* children, in the order of the file */
    uint32_t *leaves;       /* by node: leaves at or below it */
    size_t *children;
    size_t max_children, max_depth;
    kn_buffer out;
    kn_buffer indent;
} drawing;

static void add_label(drawing *d, uint32_t node)
{
    for (const char *p = kn__hierarchy_label(d->h, node); *p; p++) {
        kn__buffer_addc(&d->out, (unsigned char)*p < 0x20 || *p == 0x7F ? '?' : *p);
    }
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void add_node(drawing *d, uint32_t node)
{
    add_label(d, node);
    if (node >= d->h->leaves) {
        kn__buffer_addf(&d->out, "  (%u)", d->leaves[node]);
    }
    kn__buffer_addc(&d->out, '\n');
}

/* Draw the nodes below the root without recursion: `at` holds the child to draw next on each level.
 */
static kn_status draw(drawing *d, kn_error *err)
{
    static const char tee[] = "├── ", corner[] = "└── ", bar[] = "│   ", gap[] = "    ";
    uint32_t at[KN_LEVELS_MOST + 1];
    size_t drawn[KN_LEVELS_MOST + 1], indent[KN_LEVELS_MOST + 1], depth = 0;

    at[0] = d->first[d->h->nodes - 1];
    drawn[0] = 0;
    indent[0] = 0;
    for (;;) {
        const uint32_t node = at[depth];
        const bool cut = node != KN_NO_CODE && d->max_children && drawn[depth] == d->max_children &&
                         d->children[d->h->parent[node]] > d->max_children;

        d->indent.len = indent[depth];
        if (node == KN_NO_CODE || cut) {
            if (cut) {
                const size_t more = d->children[d->h->parent[node]] - d->max_children;
                kn__buffer_add(&d->out, d->indent.data, d->indent.len);
                kn__buffer_adds(&d->out, corner);
                kn__buffer_addf(&d->out, "… %zu more\n", more);
            }
            if (depth == 0) {
                break;
            }
            depth--;
            continue;
        }
        kn__buffer_add(&d->out, d->indent.data, d->indent.len);
        kn__buffer_adds(&d->out, d->next[node] == KN_NO_CODE ? corner : tee);
        add_node(d, node);
        at[depth] = d->next[node];
        drawn[depth]++;
        if (d->first[node] != KN_NO_CODE && (d->max_depth == 0 || depth + 2 < d->max_depth)) {
            kn__buffer_adds(&d->indent, d->next[node] == KN_NO_CODE ? gap : bar);
            depth++;
            at[depth] = d->first[node];
            drawn[depth] = 0;
            indent[depth] = d->indent.len;
        }
        if (d->out.failed || d->indent.failed) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

kn_status kn_hierarchy_show(char **out, const kn_hierarchy *h, size_t max_children,
                            size_t max_depth, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, h);

    drawing d = {.h = h, .max_children = max_children, .max_depth = max_depth};
    const uint32_t root = h->nodes - 1;
    kn_status status = KN_OK;

    d.first = kn__malloc_array(h->nodes, sizeof *d.first);
    d.next = kn__malloc_array(h->nodes, sizeof *d.next);
    d.leaves = kn__zalloc_array(h->nodes, sizeof *d.leaves);
    d.children = kn__zalloc_array(h->nodes, sizeof *d.children);
    kn__buffer_adds(&d.indent, "");
    KN_TRY(d.first && d.next && d.leaves && d.children && !d.indent.failed ? KN_OK
                                                                           : kn__nomem(err));
    for (uint32_t i = 0; i < h->nodes; i++) {
        d.first[i] = d.next[i] = KN_NO_CODE;
        d.leaves[i] += i < h->leaves;
        if (i != root) {
            d.leaves[h->parent[i]] += d.leaves[i];
            d.children[h->parent[i]]++;
        }
    }
    for (uint32_t i = root; i-- > 0;) {
        d.next[i] = d.first[h->parent[i]];
        d.first[h->parent[i]] = i;
    }
    add_label(&d, root);
    kn__buffer_addf(&d.out, "  (%u %s%s, %u levels)\n", h->leaves, h->low ? "range" : "value",
                    plural(h->leaves), h->levels);
    if (max_depth != 1) {
        KN_TRY(draw(&d, err));
    }
    KN_TRY(kn__buffer_take(&d.out, out, err));
done:
    kn__free(d.first);
    kn__free(d.next);
    kn__free(d.leaves);
    kn__free(d.children);
    kn__buffer_free(&d.out);
    kn__buffer_free(&d.indent);
    return status;
}
