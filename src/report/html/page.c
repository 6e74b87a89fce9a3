/* page.c - the report for people: one page, nothing loaded, nothing run. */
#include "base/memory.h"
#include "base/args.h"
#include "kanon/version.h"
#include "report/html/html.h"

#include <math.h>
#include <string.h>

enum { VIOLATIONS = 20, LONGEST_LINE = 64 };

/* One character. */
static void escape(kn_buffer *b, char c)
{
    static const char special[] = "&<>\"'";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *at = strchr(special, c);

    if (at) {
        kn__buffer_adds(b, references[at - special]);
    } else {
        kn__buffer_addc(b, c);
    }
}

void kn__html_text(kn_buffer *b, const char *text)
{
    for (; *text; text++) {
        escape(b, *text);
    }
}

/* Whether the options that began before `at` end there, outside of quotes. */
static bool ends_options(const char *at)
{
    return *at == ')' || (strchr(".,;", *at) && (at[1] == ' ' || at[1] == '\0')) ||
           strncmp(at, " or ", 4) == 0;
}

/* How long the options at `text` are. */
static size_t options_length(const char *text)
{
    size_t len = 0;

    for (bool quoted = false; text[len] && (quoted || !ends_options(text + len)); len++) {
        quoted = quoted != (text[len] == '\'');
    }
    return len;
}

void kn__html_code(kn_buffer *b, const char *text, size_t len)
{
    kn__buffer_adds(b, len > LONGEST_LINE ? "<code class=\"long\">" : "<code>");
    for (size_t i = 0; i < len; i++) {
        escape(b, text[i]);
    }
    kn__buffer_adds(b, "</code>");
}

void kn__html_options(kn_buffer *b, const char *text)
{
    for (const char *at = text; *at;) {
        if (strncmp(at, "--", 2) == 0 && (at == text || strchr(" (", at[-1]))) {
            const size_t len = options_length(at);
            kn__html_code(b, at, len);
            at += len;
        } else {
            escape(b, *at++);
        }
    }
}

void kn__html_cut(kn_buffer *b, const char *text, size_t most)
{
    size_t characters = 0, keep = 0, len = strlen(text);
    char *head;

    for (size_t i = 0; i < len; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80 && characters++ == most - 1) {
            keep = i;
        }
    }
    if (characters <= most) {
        kn__html_text(b, text);
        return;
    }
    head = kn__strndup(text, keep);
    if (!head) {
        b->failed = true;
        return;
    }
    kn__html_text(b, head);
    kn__buffer_adds(b, "…");
    kn__free(head);
}

void kn__html_value(kn_buffer *b, const char *text, size_t most)
{
    if (!text || !*text) {
        kn__buffer_adds(b, text ? "(empty)" : "(missing)");
    } else {
        kn__html_cut(b, text, most);
    }
}

void kn__html_words(kn_buffer *b, kn_buffer *words)
{
    if (words->data && !words->failed) {
        kn__html_text(b, words->data);
    }
    b->failed |= words->failed;
    kn__buffer_free(words);
}

/* ---- what was asked ---- */

static void asked(kn_buffer *b, const kn_report *r)
{
    for (size_t i = 0; i < r->guarantees_count; i++) {
        const kn_guarantee *g = &r->guarantees[i];
        const bool meets = kn__meets(r, i);

        kn__buffer_adds(b, "<p>Asked: ");
        kn__say_guarantee(b, g);
        kn__buffer_adds(b, ". Achieved: ");
        kn__say_achieved(b, g, r->achieved[i]);
        if (r->achieved_before && !isnan(r->achieved_before[i])) {
            kn__buffer_adds(b, " (the input: ");
            kn__say_achieved(b, g, r->achieved_before[i]);
            kn__buffer_adds(b, ")");
        }
        kn__buffer_addf(b, ". <span class=\"%s\">%s</span></p>\n", meets ? "holds" : "fails",
                        meets ? "✓ holds" : "✗ does not hold");
    }
}

static void certificate(kn_buffer *b, const kn_report *r)
{
    if (r->certificates_count == 0) {
        return;
    }
    kn__buffer_adds(b, "<h3>Certificate</h3>\n<ul>\n");
    for (size_t i = 0; i < r->certificates_count; i++) {
        const kn_certificate *c = &r->certificates[i];
        kn_buffer words = {0};

        kn__say_certificate(&words, c);
        kn__buffer_adds(b, "<li>");
        kn__html_words(b, &words);
        kn__buffer_addf(b, " <span class=\"%s\">%s</span></li>\n", c->holds ? "holds" : "fails",
                        c->holds ? "✓" : "✗");
    }
    kn__buffer_adds(b, "</ul>\n");
}

static void checked(kn_buffer *b, const kn_report *r)
{
    kn__buffer_adds(b, "<section id=\"asked\"><h2>What was asked, and what holds</h2>\n");
    asked(b, r);
    certificate(b, r);
    kn__buffer_adds(b, "<p class=\"note\">Checked on the published file as it was read back, by "
                       "code that knows nothing of the method.");
    if (r->recount) {
        kn__buffer_addf(b, " Counted a second time, by code of its own: %s.", r->recount);
    }
    kn__buffer_adds(b, "</p>\n");
    kn__html_points(b, r->points, true);
    kn__buffer_adds(b, "</section>\n");
}

static void violations(kn_buffer *b, const kn_report *r)
{
    const size_t shown = r->violations_count < VIOLATIONS ? r->violations_count : VIOLATIONS;

    if (r->violations_total == 0) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"violations\"><h2>Groups that break the guarantee</h2>\n<p>");
    kn__buffer_adds(b, r->at_least ? "At least " : "");
    kn__say_things(b, r->violations_total, "group breaks", "groups break");
    kn__buffer_adds(b, r->at_least ? " it, at least " : " it, ");
    kn__say_things(b, r->at_risk, "record is", "records are");
    kn__buffer_adds(b, " in them.</p>\n");
    kn__html_table(b, "", "Groups that break the guarantee, the worst first");
    kn__buffer_adds(
        b, "<th scope=\"col\">Guarantee</th>"
           "<th scope=\"col\" class=\"n\">Records</th><th scope=\"col\" class=\"n\">Value</th>"
           "<th scope=\"col\">Sensitive</th>");
    for (size_t q = 0; q < r->quasis; q++) {
        kn__buffer_adds(b, "<th scope=\"col\">");
        kn__html_cut(b, r->column[r->quasi[q]].name, 40);
        kn__buffer_adds(b, "</th>");
    }
    kn__buffer_adds(b, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < shown; i++) {
        const kn_report_violation *v = &r->violations[i];

        kn__buffer_adds(b, "<tr><th scope=\"row\">");
        kn__html_text(b, kn_guarantee_name(v->kind));
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_count(b, v->size);
        kn__buffer_adds(b, "</td><td class=\"n\">");
        kn__say_measure(b, v->value);
        kn__buffer_adds(b, "</td><td>");
        kn__html_cut(b, v->sensitive ? v->sensitive : "–", 40);
        kn__buffer_adds(b, "</td>");
        for (size_t q = 0; q < r->quasis; q++) {
            kn__buffer_adds(b, "<td>");
            kn__html_value(b, v->values[q], 40);
            kn__buffer_adds(b, "</td>");
        }
        kn__buffer_adds(b, "</tr>\n");
    }
    kn__buffer_adds(b, "</tbody></table></div>\n</section>\n");
}

/* ---- 2: what was done ---- */

static bool is_identifier(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_IDENTIFIER;
}

static bool is_dropped(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_DROPPED && c->chosen != KN_CHOSEN_REST;
}

static bool is_dropped_rest(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_DROPPED && c->chosen == KN_CHOSEN_REST;
}

static bool is_generalised(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_QUASI && !c->unchanged;
}

static bool is_unchanged(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_QUASI && c->unchanged;
}

static bool is_sensitive(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_SENSITIVE;
}

/* A table of which no column is called sensitive; lists may have sensitive items. */
static bool lacks_sensitive(const kn_report *r)
{
    bool quasi = false;

    for (size_t i = 0; i < r->columns; i++) {
        const kn_report_column *c = &r->column[i];
        if (c->role == KN_ROLE_SENSITIVE || kn__type_is_list(c->type)) {
            return false;
        }
        quasi = quasi || c->role == KN_ROLE_QUASI;
    }
    return quasi && !r->trees;
}

static bool is_kept(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_KEPT && c->chosen != KN_CHOSEN_REST;
}

static bool is_kept_rest(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_KEPT && c->chosen == KN_CHOSEN_REST;
}

static bool is_suggested(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->chosen == KN_CHOSEN_SUGGESTED;
}

static void column_list(kn_buffer *b, const kn_report *r, const char *term,
                        bool (*pick)(const kn_report *r, const kn_report_column *c))
{
    kn_buffer words = {0};

    if (kn__say_columns(&words, r, pick)) {
        kn__buffer_addf(b, "<dt>%s</dt><dd>", term);
        kn__html_words(b, &words);
        kn__buffer_adds(b, "</dd>\n");
    }
    kn__buffer_free(&words);
}

static void done(kn_buffer *b, const kn_report *r)
{
    kn__buffer_adds(b, "<section id=\"done\"><h2>What was done</h2>\n<p>");
    if (r->method) {
        kn__buffer_adds(b, "The method <b>");
        kn__html_text(b, r->method);
        kn__buffer_adds(
            b, "</b> replaced values of the quasi-identifiers, the columns by which a person could "
               "be recognised, by more general ones until the file held what was asked. ");
    }
    kn__say_things(b, r->input.rows, "record", "records");
    kn__buffer_adds(b, " came in, ");
    kn__say_count(b, r->output.rows);
    kn__buffer_adds(b, " went out. ");
    if (r->suppressed) {
        kn__say_things(b, r->suppressed, "record was", "records were");
        kn__buffer_adds(
            b, r->starred ? " suppressed: published with <code>*</code> in every quasi-identifier. "
                          : " suppressed: removed from the file. ");
    } else {
        kn__buffer_adds(b, "No record was suppressed. ");
    }
    if (r->left_out.items) {
        kn__say_left_out(b, r);
        kn__buffer_adds(b, ". ");
    }
    if (r->clusters.clusters) {
        kn__say_clusters(b, r);
        kn__buffer_adds(b, ". ");
    }
    kn__buffer_adds(b, r->shuffled ? "The records were shuffled."
                                   : "The records are in the order of the input.");
    kn__buffer_adds(b, "</p>\n<dl class=\"words\">\n");
    column_list(b, r, "Identifiers, left out", is_identifier);
    column_list(b, r, "Dropped, left out", is_dropped);
    column_list(b, r, "Left out with the rest, not named one by one", is_dropped_rest);
    column_list(b, r, "Generalised", is_generalised);
    column_list(b, r, "Quasi-identifiers that could stay as they are", is_unchanged);
    column_list(b, r, "Sensitive, published as they are", is_sensitive);
    if (lacks_sensitive(r)) {
        kn__buffer_adds(
            b, "<dt>Sensitive</dt><dd>No column is called sensitive: the guarantee hides which "
               "record is whose, but not what a group of records has in common.</dd>\n");
    }
    column_list(b, r, "Kept, published as they are", is_kept);
    column_list(b, r, "Kept with the rest, not named one by one", is_kept_rest);
    column_list(b, r, "Of these, in the role that was suggested", is_suggested);
    kn__buffer_adds(b, "</dl>\n");
    if (r->warnings_count) {
        kn__buffer_adds(
            b, "<div class=\"warnings\" role=\"note\"><h3>⚠ Before you hand it on</h3><ul>\n");
        for (size_t i = 0; i < r->warnings_count; i++) {
            kn__buffer_adds(b, "<li>");
            kn__html_text(b, r->warnings[i]);
            kn__buffer_adds(b, "</li>\n");
        }
        kn__buffer_adds(b, "</ul></div>\n");
    }
    kn__buffer_adds(b, "</section>\n");
    if (r->trees) {
        kn__html_tree_changes(b, r);
    }
}

void kn__html_table(kn_buffer *b, const char *class, const char *caption)
{
    kn__buffer_adds(b, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    kn__html_text(b, caption);
    kn__buffer_addf(b, "\"><table class=\"%s\"><caption>", class);
    kn__html_text(b, caption);
    kn__buffer_adds(b, "</caption><thead><tr>");
}

void kn__html_begin(kn_buffer *b, const char *what, const char *path, const char *title)
{
    kn__buffer_adds(
        b, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
           "<meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
           "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'\"/>\n<title>");
    if (title) {
        kn__html_cut(b, title, 120);
    } else {
        kn__html_text(b, what);
        kn__buffer_adds(b, ": ");
        kn__html_cut(b, path ? kn__basename(path) : "a table", 80);
    }
    kn__buffer_adds(b, "</title>\n<style>\n");
    for (size_t i = 0; kn__html_style[i]; i++) {
        kn__buffer_adds(b, kn__html_style[i]);
    }
    kn__buffer_adds(b, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to "
                       "the report</a>\n<main id=\"main\">\n");
}

kn_status kn__html_end(kn_buffer *b, const char *more, char **out, kn_error *err)
{
    kn__buffer_addf(b, "<footer>Made by kanon %s. %s</footer>\n", kn_version(), more);
    kn__buffer_adds(b, "</main>\n</body>\n</html>\n");
    return kn__buffer_take(b, out, err);
}

kn_status kn_report_html(char **out, const kn_report *r, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, r);

    kn_buffer b = {0};
    unsigned ids = 0;

    kn__html_begin(&b, "Anonymisation report", r->output.path, r->title);
    kn__html_front(&b, r);
    violations(&b, r);
    checked(&b, r);
    done(&b, r);
    kn__html_areas(&b, r);
    kn__html_whole(&b, r);
    kn__html_rows(&b, r);
    kn__html_distributions(&b, r, &ids);
    kn__html_statistics(&b, r);
    kn__html_lost(&b, r, &ids);
    kn__html_groups(&b, r, &ids);
    kn__html_risk(&b, r);
    kn__html_changes(&b, r);
    kn__html_technical(&b, r);
    return kn__html_end(&b,
                        r->originals ? "It shows original records: confidential."
                                     : "Values of identifier columns appear nowhere on this page.",
                        out, err);
}
