/* summary.c - the sections of the page about records as they look now, and about what an analyst
 * computes of numbers and dates: means, deviations, correlations. */
#include "data/value.h"
#include "report/html/html.h"

#include <math.h>

/* What fits beside each other on paper: columns of a record, groups, records before and after. */
enum { COLUMNS_BESIDE = 8, BESIDE = 5, ORIGINALS_BESIDE = 3 };

/* ---- rows ---- */

static void row_cells(kn_buffer *b, const kn_report *r, char *const *cells)
{
    for (size_t q = 0; q < r->quasis; q++) {
        kn__buffer_adds(b, "<td>");
        kn__html_value(b, cells[q], 40);
        kn__buffer_adds(b, "</td>");
    }
}

/* Records as columns, some at a time: a table with so many quasi-identifiers that they would not
 * fit beside each other on paper. */
static void turned(kn_buffer *b, const kn_report *r, size_t begin, size_t end)
{
    kn__html_table(b, "turned", r->originals ? "Records before and after" : "Groups of records");
    kn__buffer_adds(b, "<th scope=\"col\">Column</th>");
    for (size_t i = begin; i < end; i++) {
        kn__buffer_adds(b, "<th scope=\"col\">");
        if (r->originals) {
            kn__buffer_addf(b, "%zu, original</th><th scope=\"col\">%zu, published (", i + 1,
                            i + 1);
        }
        kn__say_things(b, r->row[i].records, "record", "records");
        kn__buffer_adds(b, r->originals ? ")</th>" : "</th>");
    }
    kn__buffer_adds(b, "</tr></thead><tbody>\n");
    for (size_t q = 0; q < r->quasis; q++) {
        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        kn__html_cut(b, r->column[r->quasi[q]].name, 40);
        kn__buffer_adds(b, "</th>");
        for (size_t i = begin; i < end; i++) {
            if (r->originals) {
                kn__buffer_adds(b, "<td class=\"was\">");
                kn__html_value(b, r->row[i].before[q], 40);
                kn__buffer_adds(b, "</td>");
            }
            kn__buffer_adds(b, "<td>");
            kn__html_value(b, r->row[i].after[q], 40);
            kn__buffer_adds(b, "</td>");
        }
        kn__buffer_adds(b, "</tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
}

void kn__html_rows(kn_buffer *b, const kn_report *r)
{
    const size_t beside = r->originals ? ORIGINALS_BESIDE : BESIDE;

    if (!r->rows) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"rows\"><h2>How records look now</h2>\n<p>");
    if (r->originals) {
        kn__buffer_adds(b, "Some records, as they were and as they are published; "
                           "quasi-identifiers only. The originals are confidential.</p>\n");
    } else {
        kn__buffer_adds(
            b, "Some groups of records that read the same in all quasi-identifiers. Original "
               "records are not shown: a report may be handed on, and they are people’s "
               "own.</p>\n");
    }
    if (r->quasis > COLUMNS_BESIDE) {
        for (size_t i = 0; i < r->rows; i += beside) {
            turned(b, r, i, r->rows - i < beside ? r->rows : i + beside);
        }
        kn__buffer_adds(b, "</section>\n");
        return;
    }
    kn__html_table(b, "", r->originals ? "Records before and after" : "Groups of records");
    kn__buffer_adds(b, r->originals ? "<th scope=\"col\">Record</th>" : "");
    for (size_t q = 0; q < r->quasis; q++) {
        kn__buffer_adds(b, "<th scope=\"col\">");
        kn__html_cut(b, r->column[r->quasi[q]].name, 40);
        kn__buffer_adds(b, "</th>");
    }
    kn__buffer_adds(b, "<th scope=\"col\" class=\"n\">Records like it</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->rows; i++) {
        if (r->originals) {
            kn__buffer_addf(b, "<tr class=\"before-row\"><th scope=\"row\">%zu, original</th>",
                            i + 1);
            row_cells(b, r, r->row[i].before);
            kn__buffer_addf(b, "<td></td></tr>\n<tr><th scope=\"row\">%zu, published</th>", i + 1);
        } else {
            kn__buffer_adds(b, "<tr>");
        }
        row_cells(b, r, r->row[i].after);
        kn__buffer_adds(b, "<td class=\"n\">");
        kn__say_count(b, r->row[i].records);
        kn__buffer_adds(b, "</td></tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n</section>\n");
}

/* ---- statistics ---- */

static void say_mean(kn_buffer *b, kn_type type, double x)
{
    if (isfinite(x) && type == KN_TYPE_DATE) {
        kn__date_format(b, round(x));
    } else {
        kn__say_measure(b, x);
    }
}

static void say_deviation(kn_buffer *b, kn_type type, double x)
{
    kn__say_measure(b, x);
    kn__buffer_adds(b, isfinite(x) && type == KN_TYPE_DATE ? " days" : "");
}

static void cell(kn_buffer *b)
{
    kn__buffer_adds(b, "</td><td class=\"n\">");
}

static void correlations(kn_buffer *b, const kn_report *r)
{
    if (!r->correlations) {
        return;
    }
    kn__html_table(b, "", "Correlations (Pearson), the strongest first");
    kn__buffer_adds(b, "<th scope=\"col\">Columns</th><th scope=\"col\" class=\"n\">Input</th>"
                       "<th scope=\"col\" class=\"n\">Published</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->correlations; i++) {
        const kn_report_correlation *c = &r->correlation[i];

        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        kn__html_cut(b, r->column[c->column].name, 30);
        kn__buffer_adds(b, " and ");
        kn__html_cut(b, r->column[c->other].name, 30);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_number(b, c->before, 2);
        cell(b);
        kn__say_number(b, c->after, 2);
        kn__buffer_adds(b, "</td></tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
}

void kn__html_statistics(kn_buffer *b, const kn_report *r)
{
    bool hidden = false;

    if (!r->statistics) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"statistics\"><h2>Summary statistics</h2>\n"
                       "<p>What an analyst would compute. A published range counts with its "
                       "middle, a suppressed value not at all.");
    for (size_t i = 0; i < r->statistics; i++) {
        hidden = hidden || !r->statistic[i].before_known;
    }
    if (hidden) {
        kn__buffer_adds(b, " Where “–” stands for the input, the difference would say something "
                           "about the few people whose values were changed or removed.");
    }
    kn__buffer_adds(b, "</p>\n<div class=\"columns\">\n");
    kn__html_table(b, "", "Means and standard deviations");
    kn__buffer_adds(b, "<th scope=\"col\">Column</th><th scope=\"col\" class=\"n\">Mean, input</th>"
                       "<th scope=\"col\" class=\"n\">published</th>"
                       "<th scope=\"col\" class=\"n\">Deviation, input</th>"
                       "<th scope=\"col\" class=\"n\">published</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->statistics; i++) {
        const kn_report_statistic *s = &r->statistic[i];
        const kn_report_column *c = &r->column[s->column];

        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        kn__html_cut(b, c->name, 40);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        say_mean(b, c->type, s->mean_before);
        cell(b);
        say_mean(b, c->type, s->mean_after);
        cell(b);
        say_deviation(b, c->type, s->deviation_before);
        cell(b);
        say_deviation(b, c->type, s->deviation_after);
        kn__buffer_adds(b, "</td></tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
    correlations(b, r);
    kn__buffer_adds(b, "</div></section>\n");
}
