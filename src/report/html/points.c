/* points.c - the verdict in its three states, the points, and the published file as a whole. */
#include "points/points.h"
#include "report/html/html.h"

#include <math.h>
#include <string.h>

void kn__html_verdict(kn_buffer *b, const kn_points *points)
{
    static const struct {
        const char *style, *words;
    } states[] = {[KN_STATE_HOLDS] = {"", "✓ Holds"},
                  [KN_STATE_POINTS] = {" open", "⚠ Holds, with "},
                  [KN_STATE_FAILS] = {" bad", "✗ Does not hold"}};
    const kn_state state = kn_points_state(points);

    kn__buffer_addf(
        b,
        "<header><div class=\"verdict%s\">\n<p class=\"question\">May I publish this?</p>\n"
        "<p class=\"badge\">%s",
        states[state].style, states[state].words);
    if (points->unknown) {
        kn__buffer_adds(b, ": it cannot be told");
    }
    if (state == KN_STATE_POINTS) {
        kn__say_things(b, kn_points_open(points), "point to settle", "points to settle");
    }
    if (state == KN_STATE_HOLDS && kn_points_count(points)) {
        kn__buffer_adds(b, ", with ");
        kn__say_things(b, kn_points_count(points), "point accepted", "points accepted");
    }
    kn__buffer_adds(b, "</p>\n");
}

static void add_heading(kn_buffer *b, const kn_points *points, bool decided)
{
    if (decided) {
        kn__buffer_adds(b, "<h3>Decided</h3>\n");
    } else if (kn_points_state(points) == KN_STATE_FAILS) {
        kn__buffer_adds(b, "<h2>Also to settle</h2>\n");
    } else {
        kn__buffer_adds(b, "<h2>To settle before you hand it on</h2>\n");
    }
}

void kn__html_points(kn_buffer *b, const kn_points *points, bool decided)
{
    size_t said = 0;

    for (size_t i = 0; i < kn_points_count(points); i++) {
        const kn_point *p = kn_points_get(points, i);
        kn_buffer name = {0};
        if (p->decided != decided) {
            continue;
        }
        if (said == KN_REPORT_POINTS) {
            const size_t open = kn_points_open(points);
            const size_t all = decided ? kn_points_count(points) - open : open;
            kn__buffer_adds(b, "</ol>\n<p class=\"soft\">And ");
            kn__say_things(b, all - said, "more point", "more points");
            kn__buffer_adds(b, ".</p>\n<details><summary>Show them</summary>\n");
            kn__buffer_addf(b, "<ol class=\"points\" start=\"%zu\">\n", said + 1);
        }
        if (said++ == 0) {
            add_heading(b, points, decided);
            kn__buffer_adds(b, "<ol class=\"points\">\n");
        }
        kn__buffer_adds(b, "<li>");
        kn__html_text(b, p->words);
        kn__buffer_adds(b, "<br/><span class=\"soft\">");
        kn__html_options(b, decided ? "Accepted as" : p->remedy);
        kn__buffer_adds(b, decided ? " " : " Or accept it: ");
        if (decided) {
            kn__html_code(b, p->name, strlen(p->name));
        } else {
            kn__buffer_adds(&name, "--accept-point ");
            kn__say_option_name(&name, p->name);
            if (!name.failed) {
                kn__html_code(b, name.data, name.len);
            }
        }
        b->failed |= name.failed;
        kn__buffer_free(&name);
        kn__buffer_adds(b, "</span></li>\n");
    }
    kn__buffer_adds(b, said ? "</ol>\n" : "");
    kn__buffer_adds(b, said > KN_REPORT_POINTS ? "</details>\n" : "");
}

/* "diagnosis: 98 % certain for 900 records" */
static void certainty(kn_buffer *b, const kn_published_column *c)
{
    if (isfinite(c->certainty)) {
        kn__say_share(b, c->certainty);
    } else {
        kn__buffer_adds(b, "–");
    }
}

static bool is_kept(const kn_published_column *c)
{
    return c->role != KN_ROLE_QUASI && c->role != KN_ROLE_SENSITIVE;
}

static bool is_sensitive(const kn_published_column *c)
{
    return c->role == KN_ROLE_SENSITIVE;
}

static bool any_column(const kn_survey *v, bool (*pick)(const kn_published_column *c))
{
    bool any = false;

    for (size_t i = 0; i < v->columns; i++) {
        any = any || pick(&v->column[i]);
    }
    return any;
}

bool kn__html_has_whole(const kn_report *r)
{
    const kn_survey *v = kn_points_survey(r->points);

    return v->grouped > 0 || any_column(v, is_kept) || any_column(v, is_sensitive);
}

static void column_row(kn_buffer *b, const kn_published_column *c, bool sensitive, bool kept)
{
    kn__buffer_adds(b, "<tr><th scope=\"row\">");
    kn__html_cut(b, c->name, 40);
    kn__buffer_addf(b, "</th><td>%s</td><td class=\"n\">", kn_role_name(c->role));
    kn__say_count(b, c->values);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    if (c->role == KN_ROLE_QUASI) {
        kn__buffer_adds(b, "–");
    } else {
        kn__say_count(b, c->rare_records);
    }
    if (sensitive) {
        kn__buffer_adds(b, "</td><td class=\"n\">");
        certainty(b, c);
    }
    if (kept) {
        kn__buffer_addf(b, "</td><td>%s", c->singles_out ? "yes" : "–");
    }
    kn__buffer_adds(b, "</td></tr>\n");
}

/* What no guarantee is about: columns that are published as they are. */
static void other_columns(kn_buffer *b, const kn_survey *v, bool sensitive, bool kept)
{
    kn__buffer_adds(b, "A value is rare when fewer than ");
    kn__say_count(b, v->rare_below);
    kn__buffer_adds(b, " records share it.");
    if (sensitive) {
        kn__buffer_adds(b, " Certainty is the share that the most frequent value of a sensitive "
                           "column has in a group of look-alikes, at most.");
    }
    kn__buffer_adds(b, "</p>\n");
    kn__html_table(b, "", "Published columns");
    kn__buffer_adds(b, "<th scope=\"col\">Column</th><th scope=\"col\">Role</th>"
                       "<th scope=\"col\" class=\"n\">Values</th>"
                       "<th scope=\"col\" class=\"n\">Records with a rare value</th>");
    kn__buffer_adds(b, sensitive ? "<th scope=\"col\" class=\"n\">Certainty</th>" : "");
    kn__buffer_adds(b, kept ? "<th scope=\"col\">Singles people out</th>" : "");
    kn__buffer_adds(b, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < v->columns; i++) {
        column_row(b, &v->column[i], sensitive, kept);
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
}

void kn__html_whole(kn_buffer *b, const kn_report *r)
{
    const kn_survey *v = kn_points_survey(r->points);
    const bool sensitive = any_column(v, is_sensitive), kept = any_column(v, is_kept);

    if (!kn__html_has_whole(r)) {
        return;
    }
    kn__buffer_adds(b,
                    "<section id=\"whole\"><h2>The file as a whole</h2>\n<p>The guarantee is about "
                    "the quasi-identifiers. The published file was read back and looked at with "
                    "all of its columns. ");
    if (v->grouped) {
        kn__say_whole(b, v);
        kn__buffer_adds(b, ", ");
        kn__say_count(b, v->unique_quasi);
        kn__buffer_adds(b, " by the quasi-identifiers alone. ");
    }
    if (sensitive || kept) {
        other_columns(b, v, sensitive, kept);
    } else {
        kn__buffer_adds(b, "</p>\n");
    }
    kn__buffer_adds(b, "</section>\n");
}
