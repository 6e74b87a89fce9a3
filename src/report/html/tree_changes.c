/* tree_changes.c - the part of the page about tree records: some of them before and after, the cut
 * of each hierarchy, and which relations were disassociated, and why. */
#include "report/html/html.h"

#include <string.h>

enum { MOST_ROWS = 500 };

/* "class: labels" as a row. */
static void cut_row(kn_buffer *b, const char *text)
{
    const char *colon = strchr(text, ':');
    kn_buffer name = {0};

    kn__buffer_add(&name, text, colon ? (size_t)(colon - text) : strlen(text));
    kn__buffer_adds(b, "<dt>");
    kn__html_words(b, &name);
    kn__buffer_adds(b, "</dt><dd>");
    kn__html_cut(b, colon ? colon + 2 : "", 2000);
    kn__buffer_adds(b, "</dd>\n");
}

void kn__html_tree_changes(kn_buffer *b, const kn_report *r)
{
    if (r->tree_drawings) {
        kn__buffer_adds(b,
                        "<section id=\"trees\"><h2>Records before and after</h2>\n<p>Some records "
                        "as they were and as they are published. Of each only the part is shown "
                        "that at least ");
        kn__say_things(b, r->rare_below, "record shares", "records share");
        kn__buffer_adds(b, ". Values that were generalised are marked, and so are nodes that moved "
                           "up because a relation was removed.</p>\n");
        kn__buffer_adds(b, r->tree_drawings);
        kn__buffer_adds(b, "</section>\n");
    }
    if (r->tree_cut_count) {
        kn__buffer_adds(
            b, "<section id=\"cut\"><h2>What the values are published as</h2>\n"
               "<p>For each class, the values that the published file holds: the cut of its "
               "hierarchy.</p>\n<dl class=\"words\">\n");
        for (size_t i = 0; i < r->tree_cut_count; i++) {
            cut_row(b, r->tree_cut[i]);
        }
        kn__buffer_adds(b, "</dl>\n</section>\n");
    }
    kn__buffer_adds(b, "<section id=\"relations\"><h2>Relations that were removed</h2>\n<p>");
    if (r->tree_removed_count == 0) {
        kn__buffer_adds(b, "No relation had to be removed.</p>\n</section>\n");
        return;
    }
    kn__say_things(b, r->tree_removed_count, "relation was", "relations were");
    kn__buffer_adds(b, " disassociated in all records, because together with what an attacker may "
                       "know besides too few records held them: the lower value now stands "
                       "beside the upper one.</p>\n<ol>\n");
    for (size_t i = 0; i < r->tree_removed_count && i < MOST_ROWS; i++) {
        kn__buffer_adds(b, "<li>");
        kn__html_text(b, r->tree_removed[i]);
        kn__buffer_adds(b, "</li>\n");
    }
    kn__buffer_adds(b, "</ol>\n");
    if (r->tree_removed_count > MOST_ROWS) {
        kn__buffer_adds(b, "<p>And ");
        kn__say_things(b, r->tree_removed_count - MOST_ROWS, "more.", "more.");
        kn__buffer_adds(b, "</p>\n");
    }
    kn__buffer_adds(b, "</section>\n");
}
