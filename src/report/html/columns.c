/* columns.c - the page's sections about single columns: distributions and generalisations. */
#include "report/html/html.h"

#include <stdio.h>
#include <string.h>

enum {
    SHOWN = 10, /* values of a category that a chart shows */
    ROWS = KN_REPORT_BARS + 4,
    CHANGES_OPEN = 5,
    CHANGES_SHOWN = 50,
    NAMES = 6,
    LABEL = 30,  /* bytes of a label that can be seen */
    QUARTER = 35 /* bytes of text beside each other in a quarter of a page */
};

/* ---- distributions ---- */

/* A chart in the making. */
typedef struct chart {
    kn_svg_row rows[ROWS];
    char words[3][64]; /* labels that are ours */
    size_t count, worded;
} chart;

static kn_svg_row *add_row(chart *c, const char *label, double share, kn_fill fill)
{
    kn_svg_row *row = &c->rows[c->count++];

    *row = (kn_svg_row){.label = label, .value = share, .fill = fill};
    return row;
}

/* "352 more values": a row of what is not named. */
static kn_svg_row *add_rest(chart *c, size_t values, const char *one, const char *many,
                            double share)
{
    kn_buffer words = {0};
    char *label = c->words[c->worded++];
    kn_svg_row *row = add_row(c, label, share, KN_FILL_REST);

    kn__say_things(&words, values, one, many);
    (void)snprintf(label, sizeof c->words[0], "%s", words.failed ? "" : words.data);
    kn__buffer_free(&words);
    row->ours = true;
    return row;
}

static void say_figure(kn_svg_row *row, size_t records, size_t all)
{
    kn_buffer words = {0};

    kn__say_count(&words, records);
    /* A record of a list column counts for each of its values: what is summed up may exceed all. */
    if (all && records <= all) {
        kn__buffer_adds(&words, " · ");
        kn__say_share(&words, (double)records / (double)all);
    }
    kn__svg_figure(row, &words);
    kn__buffer_free(&words);
}

/* The most frequent values, or all ranges, and what is left. Lengths are shares of the records; of
 * lists the rest has no length, as a record is counted in it several times. */
static void fill_chart(chart *c, const kn_bars *bars, size_t all, kn_fill fill, bool list)
{
    const bool all_fit = bars->binned || bars->ordered || bars->count <= SHOWN + 1;
    const size_t shown = all_fit ? bars->count : SHOWN;
    double whole;
    size_t more = bars->more_values, more_records = bars->more_records;

    all = bars->numbers ? bars->numbers : all;
    whole = all ? (double)all : 1;

    for (size_t i = 0; i < shown; i++) {
        say_figure(add_row(c, bars->bar[i].label, (double)bars->bar[i].records / whole, fill),
                   bars->bar[i].records, all);
    }
    for (size_t i = shown; i < bars->count; i++) {
        more++;
        more_records += bars->bar[i].records;
    }
    if (more) {
        say_figure(add_rest(c, more, "more value", "more values",
                            list ? 0 : (double)more_records / whole),
                   more_records, all);
    }
    if (bars->rare_values) {
        say_figure(add_rest(c, bars->rare_values, "rare value", "rare values",
                            list ? 0 : (double)bars->rare_records / whole),
                   bars->rare_records, all);
    }
}

/* Whether a label and its figure are longer than a quarter of a printed page is wide, so that one
 * would cover the other. */
static bool is_wide(const chart *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *label = c->rows[i].label;
        const size_t len = label ? strlen(label) : 0;
        if ((len < LABEL ? len : LABEL) + strlen(c->rows[i].figure) > QUARTER) {
            return true;
        }
    }
    return false;
}

static double longest(const chart *c)
{
    double top = 0;

    for (size_t i = 0; i < c->count; i++) {
        top = c->rows[i].value > top ? c->rows[i].value : top;
        top = c->rows[i].pair && c->rows[i].second > top ? c->rows[i].second : top;
    }
    return top > 0 ? top : 1;
}

static void draw(kn_buffer *b, const chart *c, const char *heading, const char *column,
                 size_t values, double top, unsigned *ids)
{
    kn_buffer title = {0};

    kn__buffer_addf(&title, "%s: %s", heading, column);
    kn__buffer_addf(b, "<figure><figcaption>%s (", heading);
    kn__say_things(b, values, "value", "values");
    kn__buffer_adds(b, ")</figcaption>\n");
    if (c->count && !title.failed) {
        kn__svg_bars(b, title.data, "Records by value.", c->rows, c->count, top, ids);
    } else {
        kn__buffer_adds(b, "<p class=\"note\">No values.</p>\n");
    }
    kn__buffer_adds(b, "</figure>\n");
    b->failed |= title.failed;
    kn__buffer_free(&title);
}

static void heading(kn_buffer *b, const kn_report_column *c)
{
    kn__buffer_adds(b, "<h3>");
    kn__html_cut(b, c->name, 80);
    kn__buffer_adds(b, "</h3>\n");
}

/* "5,120 → 4,988": a row with a bar for the input and one for the published file. */
static void pair_row(kn_svg_row *row, double before, double after, const kn_report_column *c,
                     const kn_report *r)
{
    const size_t all = c->before.numbers ? c->before.numbers : r->input.rows;
    const size_t published = c->before.numbers ? c->spread.cells : r->output.rows;
    kn_buffer words = {0};

    row->pair = true;
    row->fill = KN_FILL_BEFORE;
    row->second_fill = KN_FILL_AFTER;
    row->value = all ? before / (double)all : 0;
    row->second = published ? after / (double)published : 0;
    kn__say_share(&words, row->value);
    kn__buffer_adds(&words, " → ");
    kn__say_share(&words, row->second);
    kn__svg_figure(row, &words);
    kn__buffer_free(&words);
}

/* An ordered column: both on the bars of the original, published ranges spread over them. */
static void spread(kn_buffer *b, const kn_report *r, const kn_report_column *c, unsigned *ids)
{
    chart both = {.count = 0};

    for (size_t i = 0; i < c->before.count; i++) {
        pair_row(add_row(&both, c->before.bar[i].label, 0, KN_FILL_BEFORE),
                 (double)c->before.bar[i].records, c->spread.bar[i], c, r);
    }
    if (c->before.rare_values) {
        pair_row(add_rest(&both, c->before.rare_values, "rare value", "rare values", 0),
                 (double)c->before.rare_records, c->spread.rare, c, r);
    }
    if (c->spread.suppressed) {
        kn_svg_row *row = add_row(&both, "suppressed (*)", 0, KN_FILL_REST);
        row->ours = true;
        pair_row(row, 0, (double)c->spread.suppressed, c, r);
    }
    kn__buffer_adds(b, "<div class=\"column\">");
    heading(b, c);
    kn__buffer_adds(b, "<figure><figcaption><span class=\"of\"><span class=\"key\"></span>input, ");
    kn__say_things(b, c->before.values, "value", "values");
    kn__buffer_adds(b, "</span> <span class=\"of\"><span class=\"key new\"></span>published, ");
    kn__say_things(b, c->after.values, "value", "values");
    kn__buffer_adds(b, "</span></figcaption>\n");
    kn__svg_bars(b, c->name,
                 c->before.numbers ? "Share of the numbers, input and published, by value."
                                   : "Share of the records, input and published, by value.",
                 both.rows, both.count, longest(&both), ids);
    kn__buffer_adds(b, "</figure></div>\n");
}

/* A category: two charts on one scale, as its values are not the published ones. */
static void beside(kn_buffer *b, const kn_report *r, const kn_report_column *c, unsigned *ids)
{
    const bool list = kn__type_is_list(c->type);
    chart before = {.count = 0}, after = {.count = 0};
    double top;

    fill_chart(&before, &c->before, r->input.rows, KN_FILL_BEFORE, list);
    fill_chart(&after, &c->after, r->output.rows, KN_FILL_AFTER, list);
    top = longest(&before) > longest(&after) ? longest(&before) : longest(&after);
    kn__buffer_adds(b, is_wide(&before) || is_wide(&after) ? "<div class=\"column both long\">"
                                                           : "<div class=\"column both\">");
    heading(b, c);
    kn__buffer_adds(b, "<div class=\"pair\">\n");
    draw(b, &before, "Input", c->name, c->before.values, top, ids);
    draw(b, &after, "Published", c->name, c->after.values, top, ids);
    kn__buffer_adds(b, "</div></div>\n");
}

static void sensitive(kn_buffer *b, const kn_report *r, const kn_report_column *c, unsigned *ids)
{
    chart after = {.count = 0};

    fill_chart(&after, &c->after, r->output.rows, KN_FILL_AFTER, kn__type_is_list(c->type));
    kn__buffer_adds(b, "<div class=\"column\">");
    heading(b, c);
    draw(b, &after, "Published", c->name, c->after.values, longest(&after), ids);
    kn__buffer_adds(b, "</div>\n");
}

static bool is_sensitive(const kn_report_column *c)
{
    return c->role == KN_ROLE_SENSITIVE && c->published;
}

bool kn__html_has_columns(const kn_report *r)
{
    bool any = r->quasis > 0;

    for (size_t i = 0; i < r->columns; i++) {
        any = any || is_sensitive(&r->column[i]);
    }
    return any && !r->trees;
}

static void sensitive_columns(kn_buffer *b, const kn_report *r, unsigned *ids)
{
    bool any = false;

    for (size_t i = 0; i < r->columns; i++) {
        if (!is_sensitive(&r->column[i])) {
            continue;
        }
        if (!any) {
            kn__buffer_adds(b, "<p>Sensitive columns are published as they are. ");
            kn__buffer_adds(
                b, r->output.rows < r->input.rows
                       ? "Records were removed, so only the published distribution is shown: the "
                         "difference to the input would tell the values of the people "
                         "removed.</p>\n"
                       : "No record was removed, so the distribution is that of the "
                         "input.</p>\n");
            kn__buffer_adds(b, "<div class=\"columns\">\n");
        }
        any = true;
        sensitive(b, r, &r->column[i], ids);
    }
    kn__buffer_adds(b, any ? "</div>\n" : "");
}

void kn__html_distributions(kn_buffer *b, const kn_report *r, unsigned *ids)
{
    if (!kn__html_has_columns(r)) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"columns\"><h2>Before and after</h2>\n"
                       "<p>How often each value occurs in the input and in the published file; the "
                       "bars of a column have one scale. A published range of numbers or dates is "
                       "spread evenly over what it covers. Values that fewer than ");
    kn__say_count(b, r->rare_below);
    kn__buffer_adds(
        b, " records share are counted together as rare values and not named, and ranges are "
           "joined until they hold that many: this page may be handed on, and a rare value could "
           "point to one person.</p>\n<div class=\"columns\">\n");
    for (size_t q = 0; q < r->quasis; q++) {
        const kn_report_column *c = &r->column[r->quasi[q]];
        (c->spread.bar ? spread : beside)(b, r, c, ids);
    }
    kn__buffer_adds(b, "</div>\n");
    sensitive_columns(b, r, ids);
    kn__buffer_adds(b, "</section>\n");
}

/* ---- generalisations ---- */

static void from(kn_buffer *b, const kn_change *c)
{
    size_t unnamed = c->more_values, said = 0;

    for (size_t i = 0; i < c->from_count; i++) {
        if (i >= NAMES) {
            unnamed++;
            continue;
        }
        kn__buffer_adds(b, said++ ? ", " : "");
        kn__html_value(b, c->from[i].label, 40);
    }
    if (unnamed) {
        kn__buffer_adds(b, said++ ? ", " : "");
        kn__say_count(b, unnamed);
        kn__buffer_adds(b, " more");
    }
    if (c->rare_values) {
        kn__buffer_adds(b, said ? ", " : "");
        kn__buffer_adds(b, "<em>rare values (");
        kn__say_things(b, c->rare_values, "value", "values");
        kn__buffer_adds(b, ", ");
        kn__say_things(b, c->rare_records, "record", "records");
        kn__buffer_adds(b, ")</em>");
    }
}

static void change_rows(kn_buffer *b, const kn_report_column *column, size_t begin, size_t end)
{
    const kn_changes *c = &column->changes;
    kn_buffer caption = {0};

    kn__buffer_addf(&caption, "%s of %s", begin ? "Further published values" : "Published values",
                    column->name);
    kn__html_table(b, "stack", caption.failed ? "" : caption.data);
    b->failed |= caption.failed;
    kn__buffer_free(&caption);
    kn__buffer_adds(b, "<th scope=\"col\">Published as</th>"
                       "<th scope=\"col\" class=\"n\">Records</th>"
                       "<th scope=\"col\">Original values</th></tr></thead><tbody>\n");
    for (size_t i = begin; i < end; i++) {
        const kn_change *change = &c->change[i];

        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        kn__html_value(b, change->published, 60);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_count(b, change->records);
        kn__buffer_adds(b, "</td><td class=\"wide\">");
        kn__say_things(b, change->originals, "value", "values");
        if (change->from) {
            kn__buffer_adds(b, ": ");
            from(b, change);
        }
        kn__buffer_adds(b, "</td></tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
}

static void say_remaining(kn_buffer *b, const kn_changes *c, size_t shown)
{
    size_t values = c->more_values, records = c->more_records;

    for (size_t i = shown; i < c->count; i++) {
        values++;
        records += c->change[i].records;
    }
    if (values) {
        kn__buffer_adds(b, "<p class=\"note\">… and ");
        kn__say_things(b, values, "more published value", "more published values");
        kn__buffer_adds(b, " (");
        kn__say_things(b, records, "record", "records");
        kn__buffer_adds(b, ").</p>\n");
    }
    if (c->rare_values) {
        kn__buffer_adds(b, "<p class=\"note\">… and rare values (");
        kn__say_things(b, c->rare_values, "published value", "published values");
        kn__buffer_adds(b, ", ");
        kn__say_things(b, c->rare_records, "record", "records");
        kn__buffer_adds(b, "), not named.</p>\n");
    }
}

static void column_changes(kn_buffer *b, const kn_report_column *column)
{
    const kn_changes *c = &column->changes;
    const size_t shown = c->count < CHANGES_SHOWN ? c->count : CHANGES_SHOWN;
    const size_t open = shown < CHANGES_OPEN ? shown : CHANGES_OPEN;

    heading(b, column);
    if (c->changed_records + c->suppressed_records == 0) {
        kn__buffer_adds(b, "<p>Every value was kept as it is.</p>\n");
        return;
    }
    kn__buffer_adds(b, "<p>");
    if (c->changed_records) {
        kn__say_things(b, c->changed_records, "record was", "records were");
        kn__buffer_adds(b, " generalised, ");
    }
    kn__say_things(b, c->same_records, "record", "records");
    kn__buffer_adds(b, " kept the value");
    if (c->suppressed_records) {
        kn__buffer_adds(b, ", in ");
        kn__say_count(b, c->suppressed_records);
        kn__buffer_adds(b, " the value was suppressed (<code>*</code>)");
    }
    kn__buffer_adds(b, ".</p>\n");
    if (open) {
        change_rows(b, column, 0, open);
    }
    if (shown > open) {
        kn__buffer_adds(b, "<details><summary>");
        kn__say_count(b, shown - open);
        kn__buffer_adds(b, " more</summary>\n");
        change_rows(b, column, open, shown);
        kn__buffer_adds(b, "</details>\n");
    }
    say_remaining(b, c, shown);
}

bool kn__html_has_changes(const kn_report *r)
{
    bool any = false;

    for (size_t q = 0; q < r->quasis; q++) {
        any = any || r->column[r->quasi[q]].changes.known;
    }
    return any;
}

void kn__html_changes(kn_buffer *b, const kn_report *r)
{
    bool local = false;

    if (!kn__html_has_changes(r)) {
        return;
    }
    for (size_t q = 0; q < r->quasis; q++) {
        local |= r->column[r->quasi[q]].changes.known && !r->column[r->quasi[q]].changes.uniform;
    }
    kn__buffer_adds(b, "<section id=\"changes\"><h2>The generalisations made</h2>\n"
                       "<p>What each published value stands for and how many original values went "
                       "into it, the most "
                       "frequent first.");
    if (local) {
        kn__buffer_adds(
            b,
            " Where one original value became different published values in different groups, the "
            "originals are counted but not named: naming them would tell more about a group than "
            "the "
            "published file does.");
    }
    kn__buffer_adds(b, "</p>\n<div class=\"columns\">\n");
    for (size_t q = 0; q < r->quasis; q++) {
        if (r->column[r->quasi[q]].changes.known) {
            kn__buffer_adds(b, "<div class=\"column\">");
            column_changes(b, &r->column[r->quasi[q]]);
            kn__buffer_adds(b, "</div>\n");
        }
    }
    kn__buffer_adds(b, "</div></section>\n");
}
