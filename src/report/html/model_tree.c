/* model_tree.c - a decision tree as a picture: the root on the left, every leaf on a line of
 * its own, each node on the line of its first child. Sizes are fixed, and the picture scrolls
 * sideways: a tree that is scaled to the page cannot be read. */
#include "base/memory.h"
#include "models/tree/iterate.h"
#include "models/describe.h"
#include "report/html/model_page.h"

#include <string.h>

enum {
    STEP = 224,
    BOX = 196,
    TALL = 42,
    LINE = 52,
    MOST_LINES = 160,
    LETTERS = 27,
    FULL = 400,
    READ_ON_PAPER = 5
};

typedef struct layout {
    const kn_tree *tree;
    uint32_t *depth;
    uint8_t *open;    /* its children are drawn */
    unsigned *y;      /* of its middle; set where drawn */
    uint32_t *leaves; /* below it, or itself */
    unsigned lines;
    unsigned deepest; /* of those drawn */
} layout;

/* Level by level, while there is room. */
static void open_nodes(layout *l)
{
    const kn_tree *t = l->tree;
    size_t lines = 1;
    bool more = true;

    for (uint32_t i = 1; i < t->nodes; i++) {
        l->depth[i] = l->depth[t->node[i].parent] + 1;
    }
    for (uint32_t depth = 0; more; depth++) {
        more = false;
        for (uint32_t i = 0; i < t->nodes; i++) {
            const kn_tree_node *n = &t->node[i];
            const bool shown = i == 0 || l->open[n->parent];
            if (l->depth[i] == depth && shown && n->children &&
                lines + n->children - 1 <= MOST_LINES) {
                l->open[i] = 1;
                lines += n->children - 1;
                more = true;
            }
        }
    }
}

/* Lines in the order of a walk; a node stands on the line of its first child, so that the root is
 * where reading begins, however tall the tree. */
static void place_nodes(layout *l)
{
    const kn_tree *t = l->tree;
    unsigned depth = 0;

    for (uint32_t n = 0; n != KN_NO_CODE; n = kn__tree_step(t, n, l->open[n], &depth)) {
        l->deepest = depth > l->deepest ? depth : l->deepest;
        if (!l->open[n]) {
            l->y[n] = l->lines++ * LINE + LINE / 2;
        }
    }
    for (uint32_t n = (uint32_t)t->nodes; n-- > 0;) {
        l->y[n] = l->open[n] ? l->y[t->node[n].first] : l->y[n];
        l->leaves[n] += t->node[n].children == 0;
        if (n > 0) {
            l->leaves[t->node[n].parent] += l->leaves[n];
        }
    }
}

static void add_records(kn_buffer *b, const kn_model_place *place)
{
    kn__say_count(b, (size_t)place->records);
    if (place->smallest) {
        kn__buffer_adds(b, " · span ");
        kn__say_count(b, (size_t)place->smallest);
    }
}

/* The two lines of a box: the way in, and what is there. */
static void first_line(kn_buffer *b, const kn_model_page *p, uint32_t n, size_t most)
{
    kn_buffer words = {0};

    if (n == 0) {
        kn__buffer_adds(b, "all");
        return;
    }
    kn__tree_branch_words(p->m, n, &words);
    kn__model_html_words(b, &words, most);
}

static void second_line(kn_buffer *b, const kn_model_page *p, const layout *l, uint32_t n,
                        size_t most)
{
    const kn_tree_node *node = &p->m->tree.node[n];
    const kn_dict *classes = p->m->attribute[p->m->tree.class_attribute].values;
    size_t len;

    if (node->children == 0) {
        const char *answer = kn__dict_text(classes, node->answer, &len);
        kn__buffer_adds(b, "<tspan class=\"answer\">");
        kn__model_html_text(b, answer, len, most / 2);
        kn__buffer_adds(b, "</tspan> · ");
        add_records(b, &p->place[n]);
    } else if (!l->open[n]) {
        kn__buffer_adds(b, "… ");
        kn__say_things(b, l->leaves[n], "leaf", "leaves");
        kn__buffer_adds(b, " · ");
        kn__say_count(b, (size_t)p->place[n].records);
    } else {
        if (node->attribute != KN_NO_CODE) {
            const char *name = p->m->attribute[node->attribute].name;
            kn__model_html_text(b, name, strlen(name), most / 2 + 3);
            kn__buffer_adds(b, "? · ");
        }
        kn__say_count(b, (size_t)p->place[n].records);
    }
}

static void tooltip(kn_buffer *b, const kn_model_page *p, const layout *l, uint32_t n)
{
    kn_buffer words = {0};

    kn__buffer_adds(b, "<title>");
    kn__tree_path_words(p->m, n, &words);
    kn__model_html_words(b, &words, FULL);
    kn__buffer_adds(b, ": ");
    kn__say_things(b, (size_t)p->place[n].records, "record", "records");
    if (p->place[n].smallest) {
        kn__buffer_adds(b, "; the smallest group that could be here has ");
        kn__say_count(b, (size_t)p->place[n].smallest);
    }
    kn__buffer_adds(b, p->place[n].broken && !l->open[n] ? ", which breaks what was asked</title>"
                                                         : "</title>");
}

static void draw_node(kn_buffer *b, const kn_model_page *p, const layout *l, uint32_t n)
{
    const kn_tree_node *node = &p->m->tree.node[n];
    const unsigned x = l->depth[n] * STEP + 2, y = l->y[n];
    const bool end = !l->open[n], broken = end && p->place[n].broken;

    if (n > 0) {
        /* children of a node hang on one line */
        const unsigned from = l->depth[node->parent] * STEP + 2 + BOX;
        kn__buffer_addf(b, "<path d=\"M%u %uH%uV%uH%u\"/>\n", from, l->y[node->parent],
                        (from + x) / 2, y, x);
    }
    kn__buffer_addf(b, "<g class=\"%s%s\">", end ? "leaf" : "inner", broken ? " broken" : "");
    tooltip(b, p, l, n);
    kn__buffer_addf(b, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" rx=\"5\"/>", x,
                    y - TALL / 2, BOX, TALL);
    kn__buffer_addf(b, "<text x=\"%u\" y=\"%u\" class=\"way\">", x + 9, y - 4);
    first_line(b, p, n, LETTERS);
    kn__buffer_addf(b, "</text><text x=\"%u\" y=\"%u\">%s", x + 9, y + 13, broken ? "✗ " : "");
    second_line(b, p, l, n, LETTERS);
    kn__buffer_adds(b, "</text></g>\n");
}

static void draw(kn_buffer *b, const kn_model_page *p, const layout *l)
{
    const unsigned id = ++*p->ids, width = l->deepest * STEP + BOX + 4;
    const unsigned height = l->lines * LINE;

    kn__buffer_adds(b, "<div class=\"scroll tree\" tabindex=\"0\" role=\"region\" "
                       "aria-label=\"The tree\">");
    kn__buffer_addf(
        b,
        "<svg width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" "
        "aria-labelledby=\"t%u d%u\"><title id=\"t%u\">The decision tree</title>"
        "<desc id=\"d%u\">The root is on the left. Each box says how it is entered, then "
        "what is asked, or predicted, there, and for how many records.</desc>\n",
        width, height, width, height, id, id, id, id);
    for (uint32_t n = 0; n < l->tree->nodes; n++) {
        if (n == 0 || l->open[l->tree->node[n].parent]) {
            draw_node(b, p, l, n);
        }
    }
    kn__buffer_adds(b, "</svg></div>\n");
}

void kn__model_html_tree(kn_buffer *b, const kn_model_page *p)
{
    const kn_tree *t = &p->m->tree;
    layout l = {.tree = t,
                .depth = kn__zalloc_array(t->nodes, sizeof *l.depth),
                .open = kn__zalloc_array(t->nodes, sizeof *l.open),
                .y = kn__zalloc_array(t->nodes, sizeof *l.y),
                .leaves = kn__zalloc_array(t->nodes, sizeof *l.leaves)};

    kn__buffer_adds(b, "<section id=\"model\"><h2>The tree</h2>\n<p>Each box says how it is "
                       "entered. Leaves say what they predict, how many records end there, and the "
                       "size of the smallest group (span) of people who, as far as an attacker can "
                       "see, may end there.</p>\n");
    if (!l.depth || !l.open || !l.y || !l.leaves) {
        b->failed = true;
    } else {
        open_nodes(&l);
        place_nodes(&l);
        draw(b, p, &l);
        if (l.lines < p->shape.leaves) {
            kn__buffer_adds(b, "<p class=\"note\">The tree has ");
            kn__say_things(b, (size_t)p->shape.leaves, "leaf", "leaves");
            kn__buffer_adds(b, ": boxes with … stand for what is below them. The model as text "
                               "(.txt) shows it whole.</p>\n");
        } else if (l.deepest > READ_ON_PAPER) {
            kn__buffer_addf(b,
                            "<p class=\"note\">The tree has %u levels: it is small on paper, and "
                            "wider than a screen. The model as text (.txt) has a line for each "
                            "box.</p>\n",
                            l.deepest);
        }
    }
    KN_FREE(l.depth, l.open, l.y, l.leaves);
    kn__buffer_adds(b, "</section>\n");
}
