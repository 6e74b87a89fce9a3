/* svg_trees.c - tree records drawn: one line per node, indented by its depth, with a line to its
 * parent; so that text never meets text, and a phone can show it. */
#include "base/memory.h"
#include "report/html/html.h"
#include "report/tree_examples.h"

#include <string.h>

enum { LINE = 20, STEP = 18, TOP = 18, VALUE = 34, CLASS = 20 };

static bool is_shown(const uint32_t *nodes, size_t count, uint32_t node, size_t *at)
{
    if (!nodes) {
        return true;
    }
    while (*at < count && nodes[*at] < node) {
        (*at)++;
    }
    return *at < count && nodes[*at] == node;
}

static unsigned depth_of(const uint32_t *parent, uint32_t node)
{
    unsigned depth = 0;

    for (uint32_t up = parent[node]; up != KN_NO_PARENT; up = parent[up]) {
        depth++;
    }
    return depth;
}

/* The line to the parent: down from the parent's place and to the right. A node that was moved has
 * none to where it stood: its line is dashed. */
static void put_line(kn_buffer *b, unsigned depth, unsigned from, unsigned to, uint8_t mark)
{
    const unsigned x = depth * STEP + 5;

    kn__buffer_addf(b, "<path d=\"M%u %uV%uH%u\" class=\"branch%s\"/>", x, from + 7, to,
                    x + STEP - 7, mark == KN_MARK_MOVED ? " moved" : "");
}

static void put_node(kn_buffer *b, const kn_forest *f, uint32_t code, unsigned depth, unsigned y,
                     uint8_t mark)
{
    static const char *const words[] = {"", " changed", " changed"};
    static const char *const changes[] = {[KN_MARK_NONE] = "",
                                          [KN_MARK_GENERALISED] = ", generalised",
                                          [KN_MARK_MOVED] = ", moved up"};

    kn__buffer_addf(b, "<text x=\"%u\" y=\"%u\" class=\"label%s\">", (depth + 1) * STEP + 2, y + 4,
                    words[mark]);
    kn__html_value(b, f->text[code], VALUE);
    kn__buffer_adds(b, "<tspan class=\"class\" dx=\"6\">");
    kn__html_cut(b, f->classes.name[f->value_class[code]], CLASS);
    kn__buffer_adds(b, changes[mark]);
    kn__buffer_adds(b, "</tspan></text>");
}

/* Append the drawing of one record; `nodes` (`count` of them, ascending, closed upward) or NULL:
 * all. `marks` (by node; NULL: none): KN_MARK_*. */
static void svg_tree(kn_buffer *b, const kn_forest *f, size_t record, const uint32_t *nodes,
                     size_t count, const uint8_t *marks, const char *title, unsigned *ids)
{
    const uint32_t n = kn__forest_size(f, record);
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    const unsigned id = ++*ids;
    unsigned *line = kn__malloc_array(n, sizeof *line), y = TOP;
    size_t at = 0;

    if (!line) {
        b->failed = true;
        return;
    }
    kn__buffer_addf(b,
                    "<svg width=\"100%%\" height=\"%zu\" role=\"img\" aria-labelledby=\"t%u\">"
                    "<title id=\"t%u\">",
                    TOP + (nodes ? count : n) * LINE + 4, id, id);
    kn__html_text(b, title);
    kn__buffer_addf(b, "</title><circle cx=\"5\" cy=\"%d\" r=\"4\" class=\"person\"/>\n", TOP - 10);
    for (uint32_t i = 0; i < n; i++) {
        if (is_shown(nodes, count, i, &at)) {
            const unsigned depth = depth_of(parent, i);
            const uint8_t mark = marks ? marks[i] : (uint8_t)KN_MARK_NONE;
            line[i] = y;
            put_line(b, depth, parent[i] == KN_NO_PARENT ? TOP - 10 : line[parent[i]], y, mark);
            put_node(b, f, value[i], depth, y, mark);
            kn__buffer_addc(b, '\n');
            y += LINE;
        }
    }
    kn__buffer_adds(b, "</svg>");
    kn__free(line);
}

/* Whether a node of the class of `node` stood below a node of the class `above` before. */
static bool stood_below(const kn_forest *before, size_t record, uint16_t class_, uint32_t above)
{
    const uint32_t *value = before->value + before->starts[record];
    const uint32_t *parent = before->parent + before->starts[record];

    for (uint32_t i = 0; i < kn__forest_size(before, record); i++) {
        const uint32_t up = parent[i] == KN_NO_PARENT ? UINT32_MAX
                                                      : before->value_class[value[parent[i]]];
        if (before->value_class[value[i]] == class_ && up == above) {
            return true;
        }
    }
    return false;
}

/* What became of each node: classes are compared by number, as a release keeps them. */
static uint8_t *marks_of(const kn_forest *before, size_t record, const kn_forest *after,
                         size_t published)
{
    const uint32_t n = kn__forest_size(after, published);
    const uint32_t *value = after->value + after->starts[published];
    const uint32_t *parent = after->parent + after->starts[published];
    uint8_t *marks = kn__zalloc_array(n, 1);

    for (uint32_t i = 0; marks && i < n; i++) {
        const uint16_t class_ = after->value_class[value[i]];
        const uint32_t above = parent[i] == KN_NO_PARENT ? UINT32_MAX
                                                         : after->value_class[value[parent[i]]];
        const char *text = after->text[value[i]];
        if (!stood_below(before, record, class_, above)) {
            marks[i] = KN_MARK_MOVED;
        } else if (kn__forest_find(before, class_, text, strlen(text)) == KN_NO_VALUE) {
            marks[i] = KN_MARK_GENERALISED;
        }
    }
    return marks;
}

void kn__svg_tree_pair(kn_buffer *b, const kn_forest *before, const kn_tree_example *part,
                       const kn_forest *after, const kn_tree_example *published, unsigned *ids)
{
    uint8_t *marks = marks_of(before, part->record, after, published->record);

    if (!marks) {
        b->failed = true;
        return;
    }
    kn__buffer_addf(b,
                    "<figure class=\"trees\"><div><figcaption>Before: what %zu records "
                    "share</figcaption>",
                    part->shared_by);
    svg_tree(b, before, part->record, part->nodes, part->count, NULL, "a part of a record before",
             ids);
    kn__buffer_addf(b,
                    "</div><div><figcaption>After: what %zu published records share</figcaption>",
                    published->shared_by);
    svg_tree(b, after, published->record, published->nodes, published->count, marks,
             "a part of it as published", ids);
    kn__buffer_adds(b, "</div></figure>\n");
    kn__free(marks);
}
