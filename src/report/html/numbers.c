/* numbers.c - the page's sections with numbers of the whole table: loss, groups, risk,
 * technical details. */
#include "base/json.h"
#include "base/memory.h"
#include "kanon/version.h"
#include "report/html/html.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- 3: what was lost ---- */

static void loss_chart(kn_buffer *b, const kn_report *r, unsigned *ids)
{
    kn_svg_row *rows = kn__zalloc_array(r->quasis, sizeof *rows);
    kn_buffer words = {0};
    size_t count = 0;

    if (!rows) {
        b->failed = true;
        return;
    }
    for (size_t q = 0; q < r->quasis; q++) {
        const kn_report_column *c = &r->column[r->quasi[q]];

        if (isfinite(c->loss)) {
            rows[count] = (kn_svg_row){.label = c->name, .value = c->loss, .fill = KN_FILL_AFTER};
            kn__say_share(&words, c->loss);
            kn__buffer_adds(&words, " · ");
            kn__say_count(&words, c->values_before);
            kn__buffer_adds(&words, " → ");
            kn__say_things(&words, c->values_after, "value", "values");
            kn__svg_figure(&rows[count++], &words);
        }
    }
    if (count) {
        kn__buffer_adds(
            b,
            "<figure><figcaption>Detail lost by column, and how many different values are left</figcaption>\n");
        kn__svg_bars(b, "Detail lost by column",
                     "One bar for each quasi-identifier: empty when nothing was lost, full when "
                     "everything was.",
                     rows, count, 1, ids);
        kn__buffer_adds(b, "</figure>\n");
    }
    b->failed |= words.failed;
    kn__buffer_free(&words);
    kn__free(rows);
}

static void measure_name(kn_buffer *b, const char *name)
{
    for (; *name; name++) {
        kn__buffer_addc(b, *name == '_' ? ' ' : *name);
    }
}

/* A share at the beginning of a sentence: "Over 99.9 %". */
static void begin_with_share(kn_buffer *b, double share)
{
    const size_t at = b->len;

    kn__say_share(b, share);
    if (!b->failed && b->data[at] >= 'a' && b->data[at] <= 'z') {
        b->data[at] = (char)(b->data[at] - 'a' + 'A');
    }
}

/* What a user of the file will notice first. */
static void felt(kn_buffer *b, const kn_report *r)
{
    const double loss = kn_report_utility(r, "loss"),
                 changed = kn_report_utility(r, "items_changed"),
                 queries = kn_report_utility(r, "query_error"),
                 mining = kn_report_utility(r, "mining_loss");

    if (isfinite(changed)) {
        begin_with_share(b, changed);
        kn__buffer_adds(b, " of the items are published as something more general, or left out. ");
        if (isfinite(queries)) {
            kn__buffer_adds(b, "Answers to counting questions, such as how many records hold two "
                               "items, are off by ");
            kn__say_share(b, queries);
            kn__buffer_adds(b, " of the right answer on average. ");
        }
        if (isfinite(mining)) {
            begin_with_share(b, 1 - mining);
            kn__buffer_adds(b, " of the frequent sets of items are still found. ");
        }
    }
    if (isfinite(loss)) {
        kn__buffer_adds(b, isfinite(changed) ? "Measured by the width of the published values, "
                                             : "Of all the detail in the quasi-identifiers, ");
        kn__say_share(b, loss);
        kn__buffer_adds(b, " was given up; records that were suppressed count as lost whole.");
    } else if (!isfinite(changed) && !r->trees) {
        kn__buffer_adds(b, "The loss was not measured.");
    }
}

void kn__html_lost(kn_buffer *b, const kn_report *r, unsigned *ids)
{
    if (!r->measures_count) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"lost\"><h2>What was lost</h2>\n<p>");
    felt(b, r);
    kn__buffer_adds(b, "</p>\n");
    loss_chart(b, r, ids);
    kn__html_table(b, "stack", "Measures");
    kn__buffer_adds(b, "<th scope=\"col\">Measure</th>"
                       "<th scope=\"col\" class=\"n\">Value</th><th scope=\"col\">What it "
                       "says</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->measures_count; i++) {
        const char *words = kn__measure_words(r->measure_names[i]);
        kn_buffer name = {0};

        if (r->measure_columns[i] || !isfinite(r->measure_values[i])) {
            continue;
        }
        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        measure_name(&name, r->measure_names[i]);
        kn__html_words(b, &name);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_measure(b, r->measure_values[i]);
        kn__buffer_adds(b, "</td><td class=\"wide\">");
        kn__html_text(b, words ? words : "");
        kn__buffer_adds(b, "</td></tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div></section>\n");
}

/* ---- 5: groups ---- */

bool kn__html_has_groups(const kn_report *r)
{
    return r->sizes_before.all + r->sizes_after.all > 0;
}

void kn__html_groups(kn_buffer *b, const kn_report *r, unsigned *ids)
{
    kn_svg_row rows[KN_SIZE_BINS] = {0};
    char labels[KN_SIZE_BINS][80];
    kn_buffer words = {0};
    size_t count = 0, first = KN_SIZE_BINS, last = 0;
    double top = 1;

    if (!kn__html_has_groups(r)) {
        return;
    }
    for (size_t i = 0; i < KN_SIZE_BINS; i++) {
        if (r->sizes_before.classes[i] || r->sizes_after.classes[i]) {
            first = first < i ? first : i;
            last = i;
        }
    }
    kn__buffer_adds(b, "<section id=\"groups\"><h2>How many people look alike</h2>\n"
                       "<p>A group is all records whose quasi-identifiers read the same. ");
    kn__buffer_adds(b, "The input had ");
    kn__say_things(b, r->sizes_before.all, "group", "groups");
    kn__buffer_adds(b, ", the smallest of ");
    kn__say_things(b, r->sizes_before.smallest, "record", "records");
    kn__buffer_adds(b, "; the published file has ");
    kn__say_things(b, r->sizes_after.all, "group", "groups");
    kn__buffer_adds(b, ", the smallest of ");
    kn__say_things(b, r->sizes_after.smallest, "record", "records");
    kn__buffer_adds(b, ".</p>\n");
    for (size_t i = first; i <= last; i++) {
        const double before = (double)r->sizes_before.records[i],
                     after = (double)r->sizes_after.records[i];
        kn_svg_row *row = &rows[count];

        kn__buffer_adds(&words, kn__size_bin_low(i) == 1 ? "alone" : "groups of ");
        if (kn__size_bin_low(i) > 1) {
            kn__say_count(&words, kn__size_bin_low(i));
            kn__buffer_adds(&words, "–");
            kn__say_count(&words, kn__size_bin_low(i + 1) - 1);
        }
        kn__svg_figure(row, &words);
        memcpy(labels[count], row->figure, sizeof labels[count] - 1);
        labels[count][sizeof labels[count] - 1] = '\0';
        *row = (kn_svg_row){.label = labels[count],
                            .pair = true,
                            .value = before,
                            .second = after,
                            .fill = KN_FILL_BEFORE,
                            .second_fill = KN_FILL_AFTER};
        kn__say_count(&words, r->sizes_before.records[i]);
        kn__buffer_adds(&words, " → ");
        kn__say_count(&words, r->sizes_after.records[i]);
        kn__svg_figure(row, &words);
        top = fmax(top, fmax(before, after));
        count++;
    }
    kn__buffer_adds(
        b,
        "<figure><figcaption>Records by the size of their group: <span class=\"of\"><span class=\"key\">"
        "</span>input</span> <span class=\"of\"><span class=\"key "
        "new\"></span>published</span></figcaption>\n");
    kn__svg_bars(b, "Records by the size of their group",
                 "Two bars for each range of group sizes: records of the input above, records "
                 "published below.",
                 rows, count, top, ids);
    kn__buffer_adds(b, "</figure></section>\n");
    b->failed |= words.failed;
    kn__buffer_free(&words);
}

/* ---- 6: risk ---- */

static void risk_row(kn_buffer *b, const char *name, const char *words, double before, double after)
{
    if (!isfinite(before) && !isfinite(after)) {
        return;
    }
    kn__buffer_addf(
        b, "<tr><th scope=\"row\">%s<br/><span class=\"note\">%s</span></th><td class=\"n\">", name,
        words);
    kn__say_share(b, before);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    kn__say_share(b, after);
    kn__buffer_adds(b, "</td></tr>\n");
}

/* The guarantee whose k limits the risk where records are not grouped as a whole; SIZE_MAX: none.
 */
static size_t k_of_items(const kn_report *r)
{
    for (size_t i = 0; i < r->guarantees_count; i++) {
        if (strcmp(kn_guarantee_parameter(&r->guarantees[i]), "k") == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static bool has_class_risk(const kn_report *r)
{
    return isfinite(r->risk_before.prosecutor_max) || isfinite(r->risk_after.prosecutor_max);
}

bool kn__html_has_risk(const kn_report *r)
{
    return has_class_risk(r) || (r->quasis + (size_t)r->trees > 0 && k_of_items(r) != SIZE_MAX);
}

/* Of lists and trees an attacker is taken to know a part: the k of the guarantee is the number of
 * records that fit it. */
static void risk_of_items(kn_buffer *b, const kn_report *r)
{
    const size_t i = k_of_items(r);

    kn__buffer_adds(
        b, "<p>How likely is it that an attacker who knows as much about a person as the guarantee "
           "allows picks that person’s record? At most 1 divided by the number of records that fit "
           "this knowledge.</p>\n");
    kn__html_table(b, "", "Risk before and after");
    kn__buffer_adds(b, "<th scope=\"col\">Risk</th><th scope=\"col\" class=\"n\">Input</th>"
                       "<th scope=\"col\" class=\"n\">Published</th></tr></thead><tbody>\n");
    risk_row(b, "Prosecutor, highest", "for the person easiest to find, known to be in the file",
             kn__risk_of_k(r->achieved_before ? r->achieved_before[i] : NAN),
             kn__risk_of_k(r->achieved[i]));
    kn__buffer_adds(b, "</tbody></table></div></section>\n");
}

void kn__html_risk(kn_buffer *b, const kn_report *r)
{
    const kn_risk *x = &r->risk_before, *y = &r->risk_after;
    kn_buffer above = {0};

    if (!kn__html_has_risk(r)) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"risk\" class=\"keep\"><h2>Risk of being found</h2>\n");
    if (!has_class_risk(r)) {
        risk_of_items(b, r);
        return;
    }
    kn__buffer_adds(
        b, "<p>How likely is it that an attacker who knows a person’s quasi-identifiers picks that "
           "person’s "
           "record?</p>\n");
    kn__html_table(b, "", "Risk before and after");
    kn__buffer_adds(b, "<th scope=\"col\">Risk</th>"
                       "<th scope=\"col\" class=\"n\">Input</th>"
                       "<th scope=\"col\" class=\"n\">Published</th></tr></thead><tbody>\n");
    risk_row(b, "Prosecutor, highest", "for the person easiest to find, known to be in the file",
             x->prosecutor_max, y->prosecutor_max);
    risk_row(b, "Prosecutor, mean", "over all people in the file", x->prosecutor_mean,
             y->prosecutor_mean);
    risk_row(b, "Journalist, highest", "looking people up in a larger register", x->journalist_max,
             y->journalist_max);
    risk_row(b, "Journalist, mean", "likewise, over all people", x->journalist_mean,
             y->journalist_mean);
    risk_row(b, "Marketer", "share linked correctly when all records are tried", x->marketer,
             y->marketer);
    kn__buffer_adds(&above, "share of records with a risk above ");
    kn__say_share(&above, x->threshold);
    risk_row(b, "At risk", above.failed ? "" : above.data, x->at_risk_share, y->at_risk_share);
    b->failed |= above.failed;
    kn__buffer_free(&above);
    kn__buffer_adds(
        b, "<tr><th scope=\"row\">Unique<br/><span class=\"note\">records that look like no other"
           "</span></th><td class=\"n\">");
    kn__say_count(b, x->unique);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    kn__say_count(b, y->unique);
    kn__buffer_adds(b, "</td></tr>\n</tbody></table></div></section>\n");
}

/* ---- 8: technical ---- */

void kn__html_file(kn_buffer *b, const char *term, const kn_report_file *f)
{
    kn__buffer_addf(b, "<dt>%s</dt><dd>", term);
    kn__html_text(b, f->path ? kn__basename(f->path) : "–");
    if (f->sha256[0]) {
        kn__buffer_adds(b, "<br/><span class=\"note\">SHA-256 <code>");
        kn__html_text(b, f->sha256);
        kn__buffer_adds(b, "</code></span>");
    }
    kn__buffer_adds(b, "</dd>\n");
    for (size_t i = 0; i < f->joined_count; i++) {
        kn__html_file(b, "Joined with it", &f->joined[i]);
    }
}

void kn__html_job(kn_buffer *b, const char *json)
{
    json_t *parsed = json ? json_loads(json, JSON_DECODE_ANY, NULL) : NULL;
    char *text = parsed ? kn__json_dump(parsed,
                                        JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))
                        : NULL;

    json_decref(parsed);
    b->failed |= json && !text;
    if (text) {
        kn__buffer_adds(b, "<details><summary>The job</summary>\n<pre>");
        kn__html_text(b, text);
        kn__buffer_adds(b, "</pre></details>\n");
    }
    free(text);
}

void kn__html_machine(kn_buffer *b, uint64_t seed, size_t peak_memory_bytes)
{
    kn__buffer_addf(b, "<dt>Seed</dt><dd>%llu</dd>\n", (unsigned long long)seed);
    kn__buffer_adds(b, "<dt>Most memory in use</dt><dd>");
    kn__say_bytes(b, peak_memory_bytes);
    kn__buffer_addf(b, "</dd>\n<dt>Made with</dt><dd>kanon %s", kn_version());
    for (const char *const *f = kn_features(); *f; f++) {
        kn__buffer_adds(b, f == kn_features() ? " with " : ", ");
        kn__html_text(b, *f);
    }
    kn__buffer_adds(b, "</dd>\n");
}

void kn__html_technical(kn_buffer *b, const kn_report *r)
{
    double total = 0;

    kn__buffer_adds(b,
                    "<section id=\"technical\"><h2>Technical details</h2>\n<dl class=\"words\">\n");
    kn__html_file(b, "Input", &r->input);
    kn__html_file(b, "Published file", &r->output);
    kn__html_machine(b, r->seed, r->peak_memory_bytes);
    kn__buffer_adds(b, "</dl>\n");
    if (r->phases_count) {
        kn__buffer_adds(b, "<details><summary>Time</summary>\n");
        kn__html_table(b, "", "Time by phase");
        kn__buffer_adds(b, "<th scope=\"col\">Phase</th>"
                           "<th scope=\"col\" class=\"n\">Time</th></tr></thead><tbody>\n");
        for (size_t i = 0; i < r->phases_count; i++) {
            kn__buffer_adds(b, "<tr><th scope=\"row\">");
            kn__html_text(b, r->phase_names[i]);
            kn__buffer_adds(b, "</th><td class=\"n\">");
            kn__say_seconds(b, r->phase_seconds[i]);
            kn__buffer_adds(b, "</td></tr>\n");
            total += r->phase_seconds[i];
        }
        kn__buffer_adds(b, "<tr><th scope=\"row\">all</th><td class=\"n\">");
        kn__say_seconds(b, total);
        kn__buffer_adds(b, "</td></tr>\n</tbody></table></div></details>\n");
    }
    kn__html_job(b, r->job_json);
    kn__buffer_adds(b, "</section>\n");
}
