/* show.c - draw a hierarchy as text. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

typedef struct drawing {
    const kn_hierarchy *h;
    uint32_t *leaves; /* by node: leaves at or below it */
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

/* Draw the nodes below the root without recursion: on each level the children of `above` are drawn,
 * and `at` is the place of the next one in h->child. */
static kn_status draw(drawing *d, kn_error *err)
{
    static const char tee[] = "├── ", corner[] = "└── ", bar[] = "│   ", gap[] = "    ";
    const kn_hierarchy *h = d->h;
    uint32_t above[KN_LEVELS_MOST + 1], at[KN_LEVELS_MOST + 1];
    size_t indent[KN_LEVELS_MOST + 1], depth = 0;

    above[0] = h->nodes - 1;
    at[0] = h->child_begin[above[0]];
    indent[0] = 0;
    while (!d->out.failed && !d->indent.failed) {
        const uint32_t begin = h->child_begin[above[depth]], end = h->child_begin[above[depth] + 1];
        const bool cut = at[depth] < end && d->max_children && at[depth] - begin == d->max_children;
        uint32_t node;

        d->indent.len = indent[depth];
        if (at[depth] == end || cut) {
            if (cut) {
                kn__buffer_add(&d->out, d->indent.data, d->indent.len);
                kn__buffer_adds(&d->out, corner);
                kn__buffer_addf(&d->out, "… %u more\n", end - at[depth]);
            }
            if (depth == 0) {
                break;
            }
            depth--;
            continue;
        }
        node = h->child[at[depth]++];
        kn__buffer_add(&d->out, d->indent.data, d->indent.len);
        kn__buffer_adds(&d->out, at[depth] == end ? corner : tee);
        add_node(d, node);
        if (kn__hierarchy_children(h, node) && (d->max_depth == 0 || depth + 2 < d->max_depth)) {
            kn__buffer_adds(&d->indent, at[depth] == end ? gap : bar);
            depth++;
            above[depth] = node;
            at[depth] = h->child_begin[node];
            indent[depth] = d->indent.len;
        }
    }
    return d->out.failed || d->indent.failed ? kn__nomem(err) : KN_OK;
}

kn_status kn_hierarchy_show(char **out, const kn_hierarchy *h, size_t max_children,
                            size_t max_depth, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, h);

    drawing d = {.h = h, .max_children = max_children, .max_depth = max_depth};
    const uint32_t root = h->nodes - 1;
    kn_status status = KN_OK;

    d.leaves = kn__zalloc_array(h->nodes, sizeof *d.leaves);
    kn__buffer_adds(&d.indent, "");
    KN_TRY(d.leaves && !d.indent.failed ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < h->nodes; i++) {
        d.leaves[i] += i < h->leaves;
        if (i != root) {
            d.leaves[h->parent[i]] += d.leaves[i];
        }
    }
    add_label(&d, root);
    kn__buffer_addf(&d.out, "  (%u %s%s, %u levels)\n", h->leaves, h->low ? "range" : "value",
                    plural(h->leaves), h->levels);
    if (max_depth != 1) {
        KN_TRY(draw(&d, err));
    }
    KN_TRY(kn__buffer_take(&d.out, out, err));
done:
    kn__free(d.leaves);
    kn__buffer_free(&d.out);
    kn__buffer_free(&d.indent);
    return status;
}
