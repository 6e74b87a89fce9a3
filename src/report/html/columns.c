/* columns.c - the page's sections about single columns: distributions and generalisations. */
#include "report/html/html.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = KN_REPORT_BARS + 3, CHANGES_OPEN = 10, CHANGES_SHOWN = 50, NAMES = 6 };

static void say_figure(kn_svg_row *row, kn_buffer *words, size_t records, size_t all)
{
    kn__say_count(words, records);
    /* A record of a list column counts for each of its values: what is summed up may exceed all. */
    if (all && records <= all) {
        kn__buffer_adds(words, " · ");
        kn__say_share(words, (double)records / (double)all);
    }
    kn__svg_figure(row, words);
}

static void say_group(char *out, size_t size, kn_buffer *words, const char *one, const char *many,
                      size_t values)
{
    kn__say_things(words, values, one, many);
    (void)snprintf(out, size, "%s", words->failed ? "" : words->data);
    words->len = 0;
}

/* One distribution as a chart under a small heading. */
static void distribution(kn_buffer *b, const char *heading, const char *column, const kn_bars *bars,
                         size_t all, kn_fill fill, unsigned *ids)
{
    kn_svg_row rows[ROWS] = {0};
    kn_buffer words = {0}, title = {0};
    char more[64], rare[64], description[160];
    size_t count = 0;
    double top = 1;

    for (size_t i = 0; i < bars->count; i++) {
        rows[count] = (kn_svg_row){.label = bars->bar[i].label,
                                   .value = (double)bars->bar[i].records,
                                   .fill = fill};
        top = rows[count].value > top ? rows[count].value : top;
        say_figure(&rows[count++], &words, bars->bar[i].records, all);
    }
    if (bars->more_values) {
        say_group(more, sizeof more, &words, "more value", "more values", bars->more_values);
        rows[count] = (kn_svg_row){
            .label = more, .ours = true, .fill = KN_FILL_REST, .value = (double)bars->more_records};
        say_figure(&rows[count++], &words, bars->more_records, all);
    }
    if (bars->rare_values) {
        say_group(rare, sizeof rare, &words, "rare value", "rare values", bars->rare_values);
        rows[count] = (kn_svg_row){
            .label = rare, .ours = true, .fill = KN_FILL_REST, .value = (double)bars->rare_records};
        say_figure(&rows[count++], &words, bars->rare_records, all);
    }
    for (size_t i = 0; i < count; i++) {
        top = rows[i].value > top && rows[i].fill != KN_FILL_REST ? rows[i].value : top;
    }
    kn__buffer_addf(&title, "%s: %s", heading, column);
    (void)snprintf(
        description, sizeof description,
        "Bars with the number of records for each of %zu rows; the figures stand beside the bars.",
        count);
    kn__buffer_adds(b, "<figure><h4>");
    kn__buffer_adds(b, heading);
    kn__buffer_adds(b, " (");
    kn__say_things(b, bars->values, "value", "different values");
    kn__buffer_adds(b, ")</h4>\n");
    if (count && !title.failed) {
        kn__svg_bars(b, title.data, description, rows, count, top, ids);
    } else {
        kn__buffer_adds(b, "<p class=\"note\">No values.</p>\n");
    }
    kn__buffer_adds(b, "</figure>\n");
    b->failed |= words.failed || title.failed;
    kn__buffer_free(&words);
    kn__buffer_free(&title);
}

static void heading(kn_buffer *b, const kn_report_column *c)
{
    kn__buffer_adds(b, "<h3>");
    kn__html_cut(b, c->name, 80);
    kn__buffer_adds(b, "</h3>\n");
}

void kn__html_distributions(kn_buffer *b, const kn_report *r, unsigned *ids)
{
    bool sensitive = false;

    kn__buffer_adds(b, "<section id=\"columns\"><h2>Before and after</h2>\n"
                       "<p>How often each value occurs in the input and in the published file. "
                       "Values that fewer than ");
    kn__say_count(b, r->rare_below);
    kn__buffer_adds(
        b, " records share are counted together as rare values and not named, and ranges are "
           "joined until they hold that many: this page may be handed on, and a rare value could "
           "point to one person.</p>\n");
    for (size_t q = 0; q < r->quasis; q++) {
        const kn_report_column *c = &r->column[r->quasi[q]];

        heading(b, c);
        kn__buffer_adds(b, "<div class=\"pair\">\n");
        distribution(b, "Input", c->name, &c->before, r->input.rows, KN_FILL_BEFORE, ids);
        distribution(b, "Published", c->name, &c->after, r->output.rows, KN_FILL_AFTER, ids);
        kn__buffer_adds(b, "</div>\n");
    }
    for (size_t i = 0; i < r->columns; i++) {
        const kn_report_column *c = &r->column[i];
        const bool removed = r->output.rows < r->input.rows;

        if (c->role != KN_ROLE_SENSITIVE || !c->published) {
            continue;
        }
        heading(b, c);
        if (!sensitive) {
            kn__buffer_adds(
                b,
                removed
                    ? "<p>A sensitive column: its values were not changed, but records were "
                      "removed. Only the published distribution is shown, because the "
                      "difference to the input would tell the values of the people removed.</p>\n"
                    : "<p>A sensitive column: its values were not changed and no record was "
                      "removed, so the distribution is that of the input.</p>\n");
            sensitive = true;
        } else {
            kn__buffer_adds(b, "<p>A sensitive column, as above.</p>\n");
        }
        kn__buffer_adds(b, "<div class=\"pair\">\n");
        distribution(b, "Published", c->name, &c->after, r->output.rows, KN_FILL_AFTER, ids);
        kn__buffer_adds(b, "</div>\n");
    }
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

static void change_rows(kn_buffer *b, const kn_changes *c, size_t begin, size_t end)
{
    kn__buffer_adds(b, "<div class=\"scroll\"><table class=\"stack\"><thead><tr><th "
                       "scope=\"col\">Published as</th>"
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
    if (!c->known) {
        kn__buffer_adds(b, "<p>Not traced for this column.</p>\n");
        return;
    }
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
        change_rows(b, c, 0, open);
    }
    if (shown > open) {
        kn__buffer_adds(b, "<details><summary>");
        kn__say_count(b, shown - open);
        kn__buffer_adds(b, " more</summary>\n");
        change_rows(b, c, open, shown);
        kn__buffer_adds(b, "</details>\n");
    }
    say_remaining(b, c, shown);
}

void kn__html_changes(kn_buffer *b, const kn_report *r)
{
    bool local = false;

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
    kn__buffer_adds(b, "</p>\n");
    for (size_t q = 0; q < r->quasis; q++) {
        column_changes(b, &r->column[r->quasi[q]]);
    }
    kn__buffer_adds(b, "</section>\n");
}
