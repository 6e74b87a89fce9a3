/* areas.c - the section of the page about areas: two maps and a table. */
#include "report/html/html.h"

#include <math.h>

enum { MOST_AREAS = 20 };

static void map(kn_buffer *b, const char *title, size_t count, const char *svg)
{
    kn__buffer_adds(b, "<figure>");
    kn__buffer_adds(b, svg);
    kn__buffer_adds(b, "<figcaption>");
    kn__buffer_adds(b, title);
    kn__buffer_adds(b, ": ");
    kn__say_things(b, count, "area", "areas");
    kn__buffer_adds(b, ", coloured by people per km²."
                       "</figcaption></figure>\n");
}

static void curve(kn_buffer *b, const kn_report_areas *a)
{
    kn__buffer_adds(
        b,
        "<h3>Fewer known places</h3>\n<p>What guarding against fewer known places "
        "would have cost; the last row is this release.</p>\n<table><thead><tr><th scope=\"col\" "
        "class=\"n\">Known places</th><th scope=\"col\" class=\"n\">Areas</th><th "
        "scope=\"col\" class=\"n\">Mean error (m)</th><th scope=\"col\" "
        "class=\"n\">Mean km²</th><th scope=\"col\" class=\"n\">Rare at most "
        "(%)</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < a->curve_count; i++) {
        const kn_report_area_step *step = &a->curve[i];
        kn__buffer_adds(b, "<tr><th scope=\"row\" class=\"n\">");
        kn__say_count(b, step->m);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_count(b, step->areas);
        kn__buffer_adds(b, "</td><td class=\"n\">");
        if (!isnan(step->mean_error)) {
            kn__say_number(b, step->mean_error, 0);
        }
        kn__buffer_adds(b, "</td><td class=\"n\">");
        kn__say_number(b, step->mean_km2, 2);
        kn__buffer_adds(b, "</td><td class=\"n\">");
        kn__say_number(b, 100 * step->eps, 3);
        kn__buffer_adds(b, "</td></tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table>\n");
}

static void row(kn_buffer *b, const kn_report_area *area)
{
    kn__buffer_adds(b, "<tr><th scope=\"row\">");
    kn__html_cut(b, area->name, 60);
    kn__buffer_adds(b, "</th><td class=\"n\">");
    kn__say_count(b, area->items);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    kn__say_count(b, (size_t)area->people);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    kn__say_number(b, area->km2, 3);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    if (!isnan(area->mean_error)) {
        kn__say_number(b, area->mean_error, 0);
    }
    kn__buffer_adds(b, "</td></tr>\n");
}

/* The area after `last` by places, most first, then in the order of the list; NULL: the first. */
static const kn_report_area *next_largest(const kn_report_areas *a, const kn_report_area *last)
{
    const kn_report_area *next = NULL;

    for (size_t i = 0; i < a->count; i++) {
        const kn_report_area *c = &a->area[i];
        const bool follows = !last || c->items < last->items ||
                             (c->items == last->items && c > last);
        next = follows && (!next || c->items > next->items) ? c : next;
    }
    return next;
}

/* The areas that were made of most places; the map shows them all. */
static void table(kn_buffer *b, const kn_report_areas *a)
{
    const kn_report_area *area = NULL;

    kn__html_table(b, "", a->count > MOST_AREAS ? "The areas with the most places" : "Areas");
    kn__buffer_adds(b, "<th scope=\"col\">Area</th><th scope=\"col\" "
                       "class=\"n\">Places</th><th scope=\"col\" class=\"n\">People</th><th "
                       "scope=\"col\" class=\"n\">km²</th><th scope=\"col\" class=\"n\">Places to "
                       "centre, mean (m)</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < MOST_AREAS && (area = next_largest(a, area)); i++) {
        row(b, area);
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
    if (a->count > MOST_AREAS) {
        kn__buffer_adds(b, "<p class=\"note\">");
        kn__say_things(b, a->count - MOST_AREAS, "more area is", "more areas are");
        kn__buffer_adds(b, " not shown: <code>--areas FILE</code> writes them all.</p>\n");
    }
}

void kn__html_areas(kn_buffer *b, const kn_report *r)
{
    const kn_report_areas *a = &r->areas;

    if (!a->count) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"areas\"><h2>Areas</h2>\n<p>");
    kn__say_things(b, a->before_count, "place", "places");
    kn__buffer_adds(b, " became ");
    kn__say_things(b, a->count, "area", "areas");
    if (!isnan(a->mean_error)) {
        kn__buffer_adds(b, ". The distance from a place to the centre of its area is ");
        kn__say_number(b, a->mean_error, 0);
        kn__buffer_adds(b, " m on average over all visits");
    }
    if (a->mean_km2 > 0) {
        kn__buffer_adds(b, "; areas have ");
        kn__say_number(b, a->mean_km2, 2);
        kn__buffer_adds(b, " km² on average, weighted by people");
    }
    kn__buffer_adds(b, ".</p>\n");
    if (a->before[0]) {
        kn__buffer_adds(b, "<div class=\"pair\">\n");
        map(b, "Before", a->before_count, a->before);
        map(b, "After", a->count, a->after);
        kn__buffer_adds(b, "</div>\n");
    }
    if (a->curve_count) {
        curve(b, a);
    }
    table(b, a);
    kn__buffer_adds(b, "</section>\n");
}
