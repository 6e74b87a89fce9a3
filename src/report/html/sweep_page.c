/* sweep_page.c - the page of a sweep: what each value gives, as a table and as plots. */
#include "base/memory.h"
#include "base/args.h"
#include "data/value.h"
#include "report/html/html.h"
#include "report/sweep.h"

#include <math.h>
#include <string.h>

static const char *verdict_class(const kn_sweep *s)
{
    if (kn_sweep_worked(s) == 0) {
        return " bad";
    }
    return kn__sweep_open(s) ? " open" : "";
}

static void front(kn_buffer *b, const kn_sweep *s)
{
    const kn_html_heading heading = {s->title, s->note, s->date};
    kn_buffer headline = {0};

    kn__buffer_addf(b, "<header><div class=\"verdict%s\">\n", verdict_class(s));
    kn__html_title(b, &heading);
    kn__buffer_adds(b, "Sweep over ");
    kn__html_text(b, s->parameter);
    kn__buffer_adds(b, " for ");
    kn__html_cut(b, kn__basename(s->input.path), 80);
    kn__html_date(b, &heading);
    kn__buffer_adds(b, "<h1>");
    kn__say_sweep(&headline, s);
    kn__html_words(b, &headline);
    kn__buffer_adds(b, ".</h1>\n");
    kn__html_note(b, &heading);
    if (kn__sweep_open(s)) {
        kn__buffer_adds(b, "<p><b>⚠ ");
        kn__say_things(b, kn__sweep_open(s), "release leaves", "releases leave");
        kn__buffer_adds(b, " points to settle:</b> see <a href=\"#settle\">before you hand one of "
                           "them on</a>.</p>\n");
    }
    kn__buffer_adds(b, "<p>");
    if (kn__sweep_sweeps(s, "method")) {
        kn__buffer_adds(b, "The methods were");
    } else {
        kn__buffer_adds(b, "The method <b>");
        kn__html_text(b, s->method);
        kn__buffer_adds(b, "</b> was");
    }
    kn__buffer_adds(b, " run for each value on the same ");
    kn__say_things(b, s->input.rows, "record", "records");
    kn__buffer_adds(b,
                    ".</p>\n<p class=\"note\">Each release was written, read back and checked by "
                    "code that knows nothing of the method");
    kn__buffer_adds(b, s->released ? ".</p>\n" : "; none was kept.</p>\n");
    if (s->released && kn_sweep_worked(s) > 1) {
        kn__buffer_addf(b, "<p><b>⚠ %c%s.</b></p>\n", kn__sweep_one_only[0] - 'a' + 'A',
                        kn__sweep_one_only + 1);
    }
    kn__buffer_adds(b, "</div></header>\n");
}

/* ---- the table ---- */

/* How the cells of a parameter stand: numbers to the right, names of methods to the left. */
static const char *alignment(const kn_sweep *s, size_t parameter)
{
    const char *text = s->count ? s->rows[0].values[parameter] : "";
    double value;
    unsigned decimals;

    return kn__number_parse(text, strlen(text), &value, &decimals) ? " class=\"n\"" : "";
}

static void head(kn_buffer *b, const kn_sweep *s)
{
    const kn_sweep_measure *m;

    for (size_t a = 0; a < s->parameters_count; a++) {
        kn__buffer_addf(b, "<th scope=\"col\"%s>", alignment(s, a));
        kn__html_text(b, s->parameters[a]);
        kn__buffer_adds(b, "</th>");
    }
    kn__buffer_adds(b, s->parameters_count > 1 ? "<th scope=\"col\">Best</th>"
                                                 "<th scope=\"col\" class=\"n\">Highest risk</th>"
                                               : "");
    kn__buffer_adds(b, "<th scope=\"col\">Holds</th><th scope=\"col\">Achieved</th>");
    for (size_t i = 0; (m = kn__sweep_measure(s, i)); i++) {
        kn__buffer_addf(b, "<th scope=\"col\" class=\"n\">%s</th>", m->heading);
    }
    kn__buffer_adds(b, "<th scope=\"col\" class=\"n\">Suppressed</th>"
                       "<th scope=\"col\" class=\"n\">Time</th>");
    kn__buffer_adds(b, s->released ? "<th scope=\"col\">Release</th>" : "");
    kn__buffer_adds(b, "</tr></thead>");
}

static void state(kn_buffer *b, const kn_report *r)
{
    if (!r) {
        kn__buffer_adds(b, "<span class=\"fails\">✗ cannot be met</span>");
    } else if (!r->satisfied) {
        kn__buffer_adds(b, "<span class=\"fails\">✗ does not hold</span>");
    } else if (kn_points_open(r->points)) {
        kn__buffer_adds(b, "<span class=\"opens\">⚠ holds, ");
        kn__say_things(b, kn_points_open(r->points), "point", "points");
        kn__buffer_adds(b, " to settle</span>");
    } else {
        kn__buffer_adds(b, "<span class=\"holds\">✓ holds</span>");
    }
}

static void row(kn_buffer *b, const kn_sweep *s, size_t i)
{
    const kn_report *r = s->rows[i].report;
    const kn_sweep_measure *m;
    kn_buffer achieved = {0};

    kn__buffer_adds(b, kn__sweep_is_best(s, i) ? "<tr class=\"best\">" : "<tr>");
    for (size_t a = 0; a < s->parameters_count; a++) {
        kn__buffer_addf(b, "<%s%s>", a ? "td" : "th scope=\"row\"", alignment(s, a));
        kn__html_text(b, s->rows[i].values[a]);
        kn__buffer_adds(b, a ? "</td>" : "</th>");
    }
    if (s->parameters_count > 1) {
        kn__buffer_addf(b, "<td class=\"whole\">%s</td><td class=\"n\">",
                        kn__sweep_is_best(s, i) ? "★ best" : "");
        kn__say_share(b, kn__sweep_risk(s, i));
        kn__buffer_adds(b, "</td>");
    }
    kn__buffer_adds(b, "<td>");
    state(b, r);
    kn__buffer_adds(b, "</td><td class=\"whole\">");
    if (r) {
        kn__say_sweep_achieved(&achieved, r);
        kn__html_words(b, &achieved);
    } else {
        kn__buffer_adds(b, "–");
    }
    kn__buffer_adds(b, "</td>");
    for (size_t c = 0; (m = kn__sweep_measure(s, c)); c++) {
        kn__buffer_adds(b, "<td class=\"n\">");
        kn__say_measure(b, kn__sweep_value(s, i, m->name));
        kn__buffer_adds(b, "</td>");
    }
    kn__buffer_adds(b, "<td class=\"n\">");
    if (r) {
        kn__say_count(b, r->suppressed);
    } else {
        kn__buffer_adds(b, "–");
    }
    kn__buffer_adds(b, "</td><td class=\"n\">");
    kn__say_seconds(b, s->rows[i].seconds);
    kn__buffer_adds(b, "</td>");
    if (s->released) {
        kn__buffer_adds(b, "<td>");
        kn__html_text(b, r && r->output.path ? kn__basename(r->output.path) : "–");
        kn__buffer_adds(b, "</td>");
    }
    kn__buffer_adds(b, "</tr>\n");
}

static void words_of_measures(kn_buffer *b, const kn_sweep *s)
{
    const kn_sweep_measure *m;

    kn__buffer_adds(b, "<dl class=\"words note\">\n");
    for (size_t i = 0; (m = kn__sweep_measure(s, i)); i++) {
        const char *words = kn__measure_words(m->name);
        kn__buffer_addf(b, "<dt>%s</dt><dd>", m->heading);
        kn__html_text(b, words ? words : "");
        kn__buffer_adds(b, "</dd>\n");
    }
    kn__buffer_adds(b, "</dl>\n");
}

static void values(kn_buffer *b, const kn_sweep *s)
{
    kn__buffer_adds(b, "<section id=\"values\"><h2>What each value gives</h2>\n");
    kn__html_table(b, "", "One row for each value");
    head(b, s);
    kn__buffer_adds(b, "<tbody>\n");
    for (size_t i = 0; i < s->count; i++) {
        row(b, s, i);
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
    if (kn_sweep_worked(s)) {
        words_of_measures(b, s);
    }
    if (kn_sweep_worked(s) < s->count) {
        kn__buffer_adds(b, "<h3>What cannot be met, and why</h3>\n<dl class=\"words\">\n");
        for (size_t i = 0; i < s->count; i++) {
            if (s->rows[i].reason) {
                kn_buffer run = {0};
                kn__say_sweep_run(&run, s, i);
                kn__buffer_adds(b, "<dt>");
                kn__html_words(b, &run);
                kn__buffer_adds(b, "</dt><dd>");
                kn__html_text(b, s->rows[i].reason);
                kn__buffer_adds(b, "</dd>\n");
            }
        }
        kn__buffer_adds(b, "</dl>\n");
    }
    kn__buffer_adds(b, "</section>\n");
}

/* ---- the plots ---- */

/* Of the one parameter. */
static double number_of(const kn_sweep *s, size_t i)
{
    double value = 0;
    unsigned decimals;

    (void)kn__number_parse(s->rows[i].value, strlen(s->rows[i].value), &value, &decimals);
    return value;
}

static bool evenly_spaced(const kn_sweep *s)
{
    for (size_t i = 2; i < s->count; i++) {
        const double first = number_of(s, 1) - number_of(s, 0);
        if (fabs(number_of(s, i) - number_of(s, i - 1) - first) > 1e-9 * fabs(first)) {
            return false;
        }
    }
    return true;
}

static void key(kn_buffer *b, const char *class, const char *words)
{
    kn__buffer_addf(b, " <span class=\"of\"><span class=\"key %s\"></span>%s</span>", class, words);
}

/* One line for the loss; two where the table and its items each have one. */
static void against_value(kn_buffer *b, const kn_sweep *s, kn_svg_point *one, kn_svg_point *two,
                          unsigned *ids)
{
    const bool both = kn__sweep_has_both(s);
    const kn_sweep_measure *first = kn__sweep_measure(s, 0);
    const char *measure = first ? first->name : "loss";
    const kn_svg_plot plot = {
        .title = "What is lost for each value",
        .description = "One place on the axis for each value of the parameter; the higher the "
                       "line, the more is lost. Values that cannot be met have a cross.",
        .lines = {one, both ? two : NULL},
        .count = s->count,
        .x_name = s->parameter};

    if (both) {
        measure = "relational_ncp";
    }
    for (size_t i = 0; i < s->count; i++) {
        one[i].x = two[i].x = s->count > 1 ? (double)i / (double)(s->count - 1) : 0.5;
        one[i].y = kn__sweep_value(s, i, measure);
        two[i].y = kn__sweep_value(s, i, "items_ncp");
        one[i].label = two[i].label = s->rows[i].value;
    }
    kn__buffer_adds(
        b, "<section id=\"loss\" class=\"keep\"><h2>What is lost</h2>\n<figure><figcaption>");
    if (both) {
        kn__buffer_adds(b, "How wide published values are (ncp); 0: exact, 1: nothing is said.");
        key(b, "one", "table");
        key(b, "two", "items");
    } else {
        kn__buffer_addf(b, "Measure: %s; 0: nothing is lost",
                        first ? first->heading : "none was measured");
    }
    kn__buffer_adds(b, "</figcaption>\n");
    kn__svg_plot(b, &plot, ids);
    if (!evenly_spaced(s)) {
        kn__buffer_adds(b, "<p class=\"note\">The values stand at equal distances, whatever lies "
                           "between them.</p>\n");
    }
    kn__buffer_adds(b, "</figure></section>\n");
}

/* Several parameters: risk against loss, the best with circles and labels. */
static void against_risk(kn_buffer *b, const kn_sweep *s, kn_svg_point *best, kn_svg_point *others,
                         unsigned *ids)
{
    const kn_sweep_measure *loss = kn__sweep_measure(s, 0);
    const kn_svg_plot plot = {
        .title = "Risk against loss",
        .description = "One point for each row of the table; further down there is less risk, "
                       "further to the left less loss. Highest risk in percent of the best rows, "
                       "and of the others:",
        .lines = {best, others},
        .count = s->count,
        .x_name = loss ? loss->heading : "loss",
        .numbers = true,
        .scattered = true,
        .labels = true};

    for (size_t i = 0; i < s->count; i++) {
        const bool is_best = kn__sweep_is_best(s, i);
        const double x = loss ? kn__sweep_value(s, i, loss->name) : NAN;
        const double y = isfinite(x) ? 100 * kn__sweep_risk(s, i) : NAN;
        best[i] = (kn_svg_point){isfinite(x) ? x : 0, is_best ? y : NAN, s->rows[i].value};
        others[i] = (kn_svg_point){isfinite(x) ? x : 0, is_best ? NAN : y, s->rows[i].value};
    }
    kn__buffer_adds(b,
                    "<section id=\"risk\" class=\"keep\"><h2>Risk against loss</h2>\n<p>The best "
                    "rows are those where no other has less loss without more risk. Which "
                    "of them is right depends on how much risk may be taken.</p>\n"
                    "<figure><figcaption>Highest risk in %, against ");
    kn__html_text(b, loss ? loss->heading : "loss");
    kn__buffer_adds(b, ":");
    key(b, "one", "best");
    key(b, "two", "others");
    kn__buffer_adds(b, "</figcaption>\n");
    kn__svg_plot(b, &plot, ids);
    kn__buffer_adds(b, "</figure></section>\n");
}

static void trade_off(kn_buffer *b, const kn_sweep *s, kn_svg_point *points, unsigned *ids)
{
    const kn_svg_plot plot = {
        .title = "Loss in the table against loss in the items",
        .description = "One point for each value of the parameter, joined in their order. To the "
                       "right more is lost in the table, upwards in the items.",
        .lines = {points},
        .count = s->count,
        .x_name = "loss in the table (ncp)",
        .numbers = true,
        .labels = true};

    for (size_t i = 0; i < s->count; i++) {
        points[i] = (kn_svg_point){kn__sweep_value(s, i, "relational_ncp"),
                                   kn__sweep_value(s, i, "items_ncp"), s->rows[i].value};
        if (!isfinite(points[i].x)) {
            points[i].y = NAN;
        }
    }
    kn__buffer_adds(b, "<section id=\"trade-off\" class=\"keep\"><h2>The table against its "
                       "items</h2>\n<p>What one part keeps, the other often pays for. Points are "
                       "labelled with ");
    kn__html_text(b, s->parameter);
    kn__buffer_adds(
        b, "; nearer to the corner at 0 is better.</p>\n<figure><figcaption>Loss in the items "
           "(ncp), against that in the table</figcaption>\n");
    kn__svg_plot(b, &plot, ids);
    kn__buffer_adds(b, "</figure></section>\n");
}

static void plots(kn_buffer *b, const kn_sweep *s)
{
    kn_svg_point *one = kn__zalloc_array(s->count, sizeof *one);
    kn_svg_point *two = kn__zalloc_array(s->count, sizeof *two);
    unsigned ids = 0;

    if (one && two && s->parameters_count > 1) {
        against_risk(b, s, one, two, &ids);
    } else if (one && two) {
        against_value(b, s, one, two, &ids);
        if (kn__sweep_has_both(s)) {
            trade_off(b, s, one, &ids);
        }
    } else {
        b->failed = true;
    }
    KN_FREE(one, two);
}

/* ---- the rest ---- */

static void warnings(kn_buffer *b, const kn_sweep *s)
{
    kn_buffer words = {0};
    bool any = false;

    for (size_t i = 0; kn__say_sweep_warning(&words, s, i); i++) {
        any = true;
        kn__buffer_adds(
            b, i ? ""
                 : "<div class=\"warnings\" id=\"settle\" role=\"note\"><h3>⚠ Before you hand "
                   "one of them on</h3><ul>\n");
        kn__buffer_adds(b, "<li>");
        kn__html_options(b, words.failed ? "" : words.data);
        b->failed |= words.failed;
        kn__buffer_free(&words);
        kn__buffer_adds(b, "</li>\n");
    }
    kn__buffer_adds(b, any ? "</ul></div>\n" : "");
    kn__buffer_free(&words);
}

kn_status kn_sweep_html(char **out, const kn_sweep *s, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, s);

    kn_buffer b = {0};

    kn__html_begin(&b, "Sweep", s->input.path, s->title);
    front(&b, s);
    values(&b, s);
    if (kn_sweep_worked(s)) {
        plots(&b, s);
    }
    warnings(&b, s);
    kn__buffer_adds(&b,
                    "<section id=\"technical\"><h2>Technical details</h2>\n<dl class=\"words\">\n");
    kn__html_file(&b, "Input", &s->input);
    kn__html_machine(&b, s->seed, s->peak_memory_bytes);
    kn__buffer_adds(&b, "</dl>\n");
    kn__html_job(&b, s->job_json);
    kn__buffer_adds(&b, "</section>\n");
    return kn__html_end(&b, "No value of the table appears on this page.", out, err);
}
