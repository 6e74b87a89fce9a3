/* model_lists.c - the page's sections about clusters and rules. */
#include "base/memory.h"
#include "models/describe.h"
#include "report/html/model_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CENTRES = 200, MOST_RULES = 200, VALUE = 40 };

/* ---- clusters ---- */

static void centre_name(kn_buffer *b, const kn_model *m, size_t i)
{
    if (m->centres.name && m->centres.name[i]) {
        kn__model_html_text(b, m->centres.name[i], strlen(m->centres.name[i]), VALUE);
    } else {
        kn__buffer_addf(b, "%zu", i + 1);
    }
}

static void bar(kn_buffer *b, double share)
{
    kn__buffer_addf(b,
                    "<svg width=\"100%%\" height=\"8\" aria-hidden=\"true\"><rect x=\"0\" y=\"1\" "
                    "width=\"100%%\" height=\"6\" class=\"track\"/><rect x=\"0\" y=\"1\" "
                    "width=\"%u%%\" height=\"6\" class=\"after\"/></svg>",
                    (unsigned)lround(fmin(fmax(share, 0.02), 1) * 100));
}

/* A number, and a bar for where it lies between the least and the greatest of all centres. */
static void number_cell(kn_buffer *b, const kn_model *m, size_t i, size_t a)
{
    const double value = m->centres.number[i * m->attributes + a];
    double low = HUGE_VAL, high = -HUGE_VAL, share;
    kn_buffer words = {0};

    for (size_t c = 0; c < m->centres.count; c++) {
        low = fmin(low, m->centres.number[c * m->attributes + a]);
        high = fmax(high, m->centres.number[c * m->attributes + a]);
    }
    share = high > low ? (value - low) / (high - low) : 0.5;
    kn__attribute_number_words(&m->attribute[a], kn__rounded(value, 5), &words);
    kn__model_html_words(b, &words, VALUE);
    bar(b, share);
}

static void centre_cell(kn_buffer *b, const kn_model *m, size_t i, size_t a)
{
    const size_t at = i * m->attributes + a;
    const kn_dict *values = m->attribute[a].values;
    size_t len;

    kn__buffer_adds(b, "<td>");
    if (values ? m->centres.value[at] == KN_NO_CODE : isnan(m->centres.number[at])) {
        kn__buffer_adds(b, "(missing)");
    } else if (values) {
        const char *text = kn__dict_text(values, m->centres.value[at], &len);
        kn__model_html_text(b, text, len, VALUE);
    } else {
        number_cell(b, m, i, a);
    }
    kn__buffer_adds(b, "</td>");
}

static void cluster_head(kn_buffer *b, const kn_model *m)
{
    kn__html_table(b, "centres", "The centres");
    kn__buffer_adds(b, "<th scope=\"col\">Cluster</th>"
                       "<th scope=\"col\" class=\"n\">Records</th><th scope=\"col\" "
                       "class=\"n\">Smallest span</th>");
    for (size_t a = 0; a < m->attributes; a++) {
        kn__buffer_adds(b, "<th scope=\"col\">");
        kn__model_html_text(b, m->attribute[a].name, strlen(m->attribute[a].name), VALUE);
        kn__buffer_adds(b, m->attribute[a].hidden ? " <small>(private)</small></th>" : "</th>");
    }
    kn__buffer_adds(b, "</tr></thead><tbody>\n");
}

static void quality_row(kn_buffer *b, const char *name, double distance, double whole)
{
    kn__buffer_addf(b, "<tr><th scope=\"row\">%s</th><td class=\"n\">", name);
    kn__say_number(b, distance, 4);
    kn__buffer_adds(b, "</td><td>");
    bar(b, distance / whole);
    kn__buffer_adds(b, "</td></tr>\n");
}

/* What the guarantee costs: as many clusters as were asked for without it, and one of all, to
 * compare with. */
static void quality(kn_buffer *b, const kn_clusters_quality *q)
{
    kn__buffer_adds(b,
                    "<h3>How close people are to their centre</h3>\n<p>The mean squared distance "
                    "from the nearest centre. ");
    if (q->plain > 0 && q->within > q->plain * (1 + 1e-9)) {
        kn__buffer_adds(b, "Without any guarantee, k-means with ");
        kn__say_things(b, q->asked, "cluster", "clusters");
        kn__buffer_adds(b, " gives a distance that is ");
        kn__say_share(b, 1 - q->plain / q->within);
        kn__buffer_adds(b, " smaller: that is what the guarantee costs here");
    } else {
        kn__buffer_adds(b, "Without any guarantee, k-means with ");
        kn__say_things(b, q->asked, "cluster", "clusters");
        kn__buffer_adds(b, " gives no smaller distance: the guarantee costs nothing here");
    }
    kn__buffer_adds(b, ".</p>\n");
    kn__html_table(b, "distances", "Mean squared distance from the nearest centre");
    kn__buffer_adds(
        b, "<th scope=\"col\">Clusters</th><th scope=\"col\" class=\"n\">Distance</th>"
           "<th scope=\"col\">compared with one cluster of all</th></tr></thead><tbody>\n");
    quality_row(b, "this model", q->within, q->whole);
    quality_row(b, "without the guarantee", q->plain, q->whole);
    quality_row(b, "one cluster of all", q->whole, q->whole);
    kn__buffer_adds(b, "</tbody></table></div>\n");
}

void kn__model_html_clusters(kn_buffer *b, const kn_model_page *p)
{
    const kn_model *m = p->m;
    const size_t shown = m->centres.count < MOST_CENTRES ? m->centres.count : MOST_CENTRES;

    kn__buffer_adds(
        b,
        "<section id=\"model\"><h2>The clusters</h2>\n<p>Each record belongs to the "
        "nearest centre. <span class=\"screen\">Bars show where a centre lies between "
        "the least and the greatest of them. </span>The smallest span is the smallest group of people who, as "
        "far as an attacker can see, may be in the cluster.</p>\n");
    cluster_head(b, m);
    for (size_t i = 0; i < shown; i++) {
        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        centre_name(b, m, i);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_count(b, (size_t)p->place[i].records);
        kn__buffer_addf(b, "</td><td class=\"n%s\">", p->place[i].broken ? " fails" : "");
        kn__buffer_adds(b, p->place[i].broken ? "✗ " : "");
        if (p->place[i].smallest) {
            kn__say_count(b, (size_t)p->place[i].smallest);
        } else {
            kn__buffer_adds(b, "–");
        }
        kn__buffer_adds(b, "</td>");
        for (size_t a = 0; a < m->attributes; a++) {
            centre_cell(b, m, i, a);
        }
        kn__buffer_adds(b, "</tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
    if (shown < m->centres.count) {
        kn__buffer_addf(b, "<p class=\"note\">The first %zu of %zu.</p>\n", shown,
                        m->centres.count);
    }
    if (p->v->quality.whole > 0) {
        quality(b, &p->v->quality);
    }
    kn__buffer_adds(b, "</section>\n");
}

/* ---- rules ---- */

static void side(kn_buffer *b, const kn_rules *r, const uint32_t *items, size_t count)
{
    kn__buffer_adds(b, count ? "" : "(anything)");
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const char *text = kn__dict_text(r->items, items[i], &len);
        const bool hidden = r->hidden && r->hidden[items[i]];
        kn__buffer_adds(b, i ? ", " : "");
        kn__buffer_adds(b, hidden ? "<b>" : "");
        kn__model_html_text(b, text, len, VALUE);
        kn__buffer_adds(b, hidden ? "</b> <small>(private)</small>" : "");
    }
}

static void number_or_dash(kn_buffer *b, double value, bool share)
{
    kn__buffer_adds(b, "<td class=\"n\">");
    if (!isfinite(value)) {
        kn__buffer_adds(b, "–");
    } else if (share) {
        kn__say_share(b, value);
    } else {
        kn__say_number(b, value, 2);
    }
    kn__buffer_adds(b, "</td>");
}

/* Support and confidence of all rules that say both. */
static void scatter(kn_buffer *b, const kn_rules *r, unsigned *ids)
{
    kn_svg_point *points = kn__malloc_array(r->count, sizeof *points);
    char(*names)[32] = kn__malloc_array(r->count, sizeof *names);
    size_t count = 0;

    if (!points || !names) {
        b->failed = true;
    }
    for (size_t i = 0; points && names && i < r->count; i++) {
        if (isfinite(r->rule[i].support) && isfinite(r->rule[i].confidence)) {
            (void)snprintf(names[count], sizeof names[count], "rule %zu", i + 1);
            points[count] = (kn_svg_point){100 * r->rule[i].support, 100 * r->rule[i].confidence,
                                           names[count]};
            count++;
        }
    }
    if (count > 1) {
        const kn_svg_plot plot = {.title = "Confidence against support",
                                  .description = "One point for each rule.",
                                  .lines = {points, NULL},
                                  .count = count,
                                  .x_name = "support, %",
                                  .numbers = true,
                                  .scattered = true};
        kn__buffer_adds(
            b,
            "<figure><figcaption>Confidence in % of each rule against its support</figcaption>\n");
        kn__svg_plot(b, &plot, ids);
        kn__buffer_adds(b, "</figure>\n");
    }
    KN_FREE(points, names);
}

void kn__model_html_rules(kn_buffer *b, const kn_model_page *p)
{
    const kn_rules *r = &p->m->rules;
    const size_t shown = r->count < MOST_RULES ? r->count : MOST_RULES;

    kn__buffer_adds(b, "<section id=\"model\"><h2>The rules</h2>\n<p>Of the records that hold all "
                       "items of the left side, the share called confidence holds all of the right "
                       "side, too. Support is the share of all records that hold both.</p>\n");
    scatter(b, r, p->ids);
    kn__html_table(b, "", "The rules");
    kn__buffer_adds(b, "<th scope=\"col\" class=\"n\">Rule</th>"
                       "<th scope=\"col\">If</th><th scope=\"col\">then</th>"
                       "<th scope=\"col\" class=\"n\">Support</th>"
                       "<th scope=\"col\" class=\"n\">Confidence</th>"
                       "<th scope=\"col\" class=\"n\">Lift</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < shown; i++) {
        const kn_rule *rule = &r->rule[i];
        kn__buffer_addf(b, "<tr><th scope=\"row\" class=\"n\">%zu</th><td>", i + 1);
        side(b, r, rule->left, rule->left_count);
        kn__buffer_adds(b, "</td><td>");
        side(b, r, rule->right, rule->right_count);
        kn__buffer_adds(b, "</td>");
        number_or_dash(b, rule->support, true);
        number_or_dash(b, rule->confidence, true);
        number_or_dash(b, rule->lift > 0 ? rule->lift : NAN, false);
        kn__buffer_adds(b, "</tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
    if (shown < r->count) {
        kn__buffer_addf(b, "<p class=\"note\">The first %zu of %zu.</p>\n", shown, r->count);
    }
    kn__buffer_adds(b, "</section>\n");
}
